# SPDX-License-Identifier: BSD-3-Clause
"""Makes pages of reference from headers: the comments and declarations of a header, in its order, as Markdown for Sphinx.

A comment in front of a declaration describes it and those that follow it without an empty line; a comment at the end of a
declaration's line describes that declaration. Section lines (/* ---- Name ---- */) become headings. Other comments are text.
Declarations become entries of Sphinx's domain for C, with the comments of members in them, so that search and links find them.
"""
import re

COMMENT = r"/\*.*?\*/"
# Parts of a header that concern compilers, not readers.
SKIPPED = re.compile(r"#\s*(if|ifdef|ifndef|else|elif|endif|include|undef|pragma|error)\b")
INTERNAL = re.compile(r"#\s*define\s+(X\b|WARPSCOPE_\w+_H\b|OMPI_|MPICH_)")
BANNER = re.compile(r"/\*\s*-{3,}\s*(.*?)\s*-{3,}\s*(.*)\*/$", re.S)
CODE_WORD = re.compile(r"""(?<![\w`])(?:
      docs/[\w-]+\.md                       # a page
    | [a-z]\w+\.h\b                         # a header
    | --?[a-z][\w-]*(?:=[\w.,:=/-]*\w)?     # an option
    | \*?[A-Za-z_]\w*(?:(?:->|\.)\w+)*\(\)  # a function
    | \*?[a-z]\w*(?:->|\[)[\w.\]>+-]*       # a member, an element
    | \*[a-z_]\w*                           # what a pointer points to
    | [A-Za-z]*_\w+(?:\.\w+)*               # a name
    )""", re.X)


def pieces(text):
    """Yield (kind, text, line feeds before it) of a header: 'comment', 'line' (of the preprocessor), 'code'."""
    at = 0
    token = re.compile(rf"(\s*)(?:({COMMENT})|(#(?:[^\n]|(?<=\\)\n)*)|//[^\n]*)", re.S)
    while match := re.compile(r"\s*").match(text, at):
        gap = text.count("\n", at, match.end())
        if match.end() == len(text):
            return
        found = token.match(text, at)
        if found and found.group(2):
            yield "comment", found.group(2), gap
            at = found.end()
        elif found and found.group(3):
            line = found.group(3)
            inner = line.find("/*")
            if inner >= 0 and "*/" not in line:  # its comment goes on in the next lines
                end = text.index("*/", found.end()) + 2
                line = text[found.start(3):end]
                yield "line", line, gap
                at = end
            else:
                yield "line", line, gap
                at = found.end()
        else:
            end = declaration_end(text, match.end())
            yield "code", text[match.end():end], gap
            at = end


def declaration_end(text, at):
    """Return where the declaration that begins at `at` ends: after its semicolon, or the body of a function."""
    depth = 0
    begin = at
    while at < len(text):
        if text.startswith("/*", at):
            at = text.index("*/", at) + 2
            continue
        char = text[at]
        if char == '"':
            at = re.compile(r'"(?:\\.|[^"\\])*"').match(text, at).end()
            continue
        depth += (char in "{(") - (char in "})")
        at += 1
        if depth == 0 and char == ";":
            return at
        if depth < 0 or depth == 0 and char == "}" and re.match(r"[^{=;]*\)\s*\{|extern \"C", text[begin:at]):
            return at
        if depth == 1 and text[begin:at].startswith('extern "C'):
            return at
    return at


def comment_text(comment):
    """Return the text of a comment without its marks."""
    body = comment[2:-2].strip("*")
    lines = [re.sub(r"^\s*\* ?", "", line) if i else line.strip() for i, line in enumerate(body.split("\n"))]
    return "\n".join(line.rstrip() for line in lines).strip("\n ")


def markdown(text, names):
    """Return the text of a comment as Markdown: what is indented is code, names and options are set as code."""
    out = []
    blocks = re.split(r"\n(?=\n|$)", text)
    for block in blocks:
        lines = block.strip("\n").split("\n")
        if all(re.match(r" {4}|$", line) for line in lines):
            out.append("```c\n" + "\n".join(line[4:] for line in lines) + "\n```")
        else:
            out.append("\n".join(prose(line, names) for line in lines))
    return re.sub(r"\n```\n\n```c\n", "\n\n", "\n\n".join(out))


def prose(line, names):
    """Return a line of text with its code marked, and with links to the functions that it names."""
    def mark(match):
        word = match.group(0)
        if word.startswith("docs/"):
            return f"[{word[5:]}](../{word})"
        name = word.lstrip("*")
        if name in names or name.removesuffix("()") in names:
            return f"[`{word}`]({names.get(name) or names[name.removesuffix('()')]})"
        return f"`{word}`"
    parts = re.split(r'(`[^`]*`|"[^"]*")', line)
    return "".join(part if i % 2 and part[0] == "`" else CODE_WORD.sub(mark, escape(part)) for i, part in enumerate(parts))


def escape(text):
    return re.sub(r"([<\[])", r"\\\1", re.sub(r"^(\s*)(\d+)\. ", r"\1\2\\. ", text))


def label(kind, name):
    """Return the label of a name in the site. It has the kind: st_notify() and ST_NOTIFY() differ by case only."""
    return kind + "-" + name


def without_bodies(code):
    """Return the declaration of an inline function, without its body."""
    if re.match(r"static inline|static __inline", code):
        return re.sub(r"^static inline ", "", code[:code.index("{")]).strip() + ";"
    return code


def declared(code):
    """Return (kind, name) of a declaration: 'function', 'type', 'macro', 'variable'; None if it has no name."""
    plain = re.sub(COMMENT, "", code, flags=re.S)
    plain = re.sub(r"__attribute__\s*\(\(.*?\)\)|__extension__", "", plain)
    if match := re.match(r"#\s*define\s+(\w+)", plain):
        return "macro", match.group(1)
    if match := re.match(r"typedef\s.*?\(\*(\w+)\)", plain, re.S) if "{" not in plain else None:
        return "type", match.group(1)
    if match := re.match(r"typedef\b.*?(\w+)\s*;\s*$", plain, re.S):
        return "type", match.group(1)
    if match := re.match(r"(?:struct|enum|union)\s+(\w+)\s*\{", plain):
        return "type", match.group(1)
    if re.match(r"enum\s*\{", plain):
        return "type", None
    if match := re.match(r"extern\b[^(]*?\(\*(\w+)\)|extern\b.*?(\w+)(?:\[\w*\])?\s*;", plain, re.S):
        return "variable", match.group(1) or match.group(2)
    if match := re.match(r"[^({=]*?(\w+)\s*\(", plain):
        return "function", match.group(1)
    return None


def entries(text):
    """Yield what a header has, in its order: ('intro' | 'section' | 'text', text) and ('entry', [declarations], text)."""
    comment, group, first, internal = None, [], True, False  # internal: the comment is about includes and the like

    def close():
        nonlocal comment, group, internal
        done = [("entry", group, comment)] if group else [("text", comment)] if comment and not internal else []
        comment, group, internal = None, [], False
        return done

    for kind, piece, gap in pieces(text):
        if kind == "comment":
            if piece.startswith("/* SPDX"):
                continue
            if first:
                first = False
                yield "intro", comment_text(piece)
            elif match := BANNER.match(re.sub(r"\n \*$", "", piece)) or BANNER.match(piece):
                yield from close()
                yield "section", match.group(1)
                if rest := comment_text("/*" + match.group(2) + "*/"):
                    yield "text", rest
            elif gap == 0 and group:
                group[-1] += "  " + piece
            else:
                yield from close()
                comment = comment_text(piece)
        elif kind == "line" and (SKIPPED.match(piece) or INTERNAL.match(piece)):
            internal |= gap == 1
        elif re.match(r'extern "C|\}', piece):
            yield from close()
        else:
            if gap > 1 and (group or comment):
                yield from close()
            group.append(without_bodies(piece) if kind == "code" else piece)
    yield from close()


def page(header, text, names, uses):
    """Return the page of a header. names: the label of each name of all headers; uses: (file, lines) that call it."""
    out = [f"# {header}", ""]
    for kind, *rest in entries(text):
        if kind == "intro":
            lead, _, body = rest[0].partition("\n")
            lead = re.sub(r"^\S+ - ", "", lead)
            text_of = markdown(lead[:1].upper() + lead[1:] + ("\n" + body if body else ""), names)
            out += [text_of, ""]
        elif kind == "section":
            out += [f"## {escape(rest[0][:1].upper() + rest[0][1:])}", ""]
        elif kind == "text":
            out += [markdown(rest[0], names), ""]
        else:
            out += entry(rest[0], rest[1], names, uses)
    return "\n".join(out) + "\n"


def entry(group, comment, names, uses):
    """Return the lines of an entry: the declarations as the header has them, what they mean, and a use of each function."""
    found, done = [each for each in map(declared, group) if each and each[1]], names.setdefault(None, set())
    out = []
    if found:
        out += ["```{index} " + ", ".join(dict.fromkeys(name for _, name in found)), "```", ""]
        out += [f"({label(*each)})=" for each in dict.fromkeys(found) if each not in done]
        done.update(found)
    out += ["", "```c", *group, "```", ""]
    if comment:
        out += [markdown(comment, names), ""]
    for kind, name in found:
        if kind == "function" and name in uses:
            file, lines = uses[name]
            out += [f"<details><summary>Used in {file}</summary>", "", "```c", lines, "```", "", "</details>", ""]
    return out
