# SPDX-License-Identifier: BSD-3-Clause
# json.awk - flattens JSON to lines "path=value": {"a": {"b": [1, "x"]}} gives a.b.0=1 and a.b.1=x. With
# -v wanted="PATH..." it prints only the values at these paths, in their order, reads no further than it must, and
# ends with status 1 if one is missing.
#
# A recursive descent over the text as one string. Escapes within strings are kept as written,
# except \" and \\. Ends with status 1 and a message on text that is not JSON.

BEGIN {
    left = n_wanted = split(wanted, paths, "\036")
    for (i = 1; i <= n_wanted; i++) is_wanted[paths[i]]
}

{ text = text $0 "\n" }

END {
    pos = 1
    value("")
    blanks()
    if (pos <= length(text)) bad("text after the end")
    if (n_wanted) print_wanted()
    exit failed
}

# Prints a value, or keeps it if it is wanted.
function put(path, text) {
    if (!n_wanted) print path "=" text
    else if (path in is_wanted && !(path in values)) {
        values[path] = text
        if (!--left) print_wanted()
    }
}

# A single path that is missing has no line, one of several has an empty one.
function print_wanted(    i) {
    if (left < n_wanted || n_wanted > 1) for (i = 1; i <= n_wanted; i++) print values[paths[i]]
    exit (left > 0)
}

function bad(why) {
    if (!failed) print "json.awk: " why " at character " pos > "/dev/stderr"
    failed = 1
    pos = length(text) + 1
}

function blanks() {
    while (substr(text, pos, 1) ~ /[ \t\r\n]/ && pos <= length(text)) pos++
}

function take(c) {
    blanks()
    if (substr(text, pos, 1) == c) { pos++; return 1 }
    return 0
}

# At a quote: the string's contents.
function string(    s, c) {
    pos++
    s = ""
    while ((c = substr(text, pos, 1)) != "\"") {
        if (c == "") { bad("unfinished string"); return s }
        if (c == "\\") {
            pos++
            c = substr(text, pos, 1)
            if (c != "\"" && c != "\\") c = "\\" c
        }
        s = s c
        pos++
    }
    pos++
    return s
}

function join(path, key) {
    return path == "" ? key : path "." key
}

function value(path,    c, rest) {
    blanks()
    c = substr(text, pos, 1)
    if (c == "{") object(path)
    else if (c == "[") array(path)
    else if (c == "\"") put(path, string())
    else {
        rest = substr(text, pos, 64)
        if (match(rest, /^(-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false|null)/)) {
            put(path, substr(rest, 1, RLENGTH))
            pos += RLENGTH
        } else bad("no value")
    }
}

function object(path,    key) {
    pos++
    if (take("}")) return
    do {
        blanks()
        if (substr(text, pos, 1) != "\"") { bad("no member name"); return }
        key = string()
        if (!take(":")) { bad("no ':'"); return }
        value(join(path, key))
    } while (!failed && take(","))
    if (!failed && !take("}")) bad("no '}'")
}

function array(path,    i) {
    pos++
    if (take("]")) return
    i = 0
    do value(join(path, i++)); while (!failed && take(","))
    if (!failed && !take("]")) bad("no ']'")
}
