# SPDX-License-Identifier: BSD-3-Clause
# Run by the build (cmake -P): writes C source with the parts of a page as arrays of bytes.
#
#   -DOF=report|live -DPAGE=FILE.html -DSCRIPTS=a.js,b.js -DSTYLES=a.css,b.css -DOUTPUT=FILE.c
#   -DLICENCE=FILE [-DLIBRARY=FILE]
#
# LICENCE and LIBRARY, which is of a report, may be empty. The live page is complete: with the licence.
cmake_policy(VERSION 3.20)

# embed(<name> <bytes in hexadecimal>): appends the array and the part.
function(embed name hex)
  # Regular expressions of CMake are slow where there are many matches: 8 bytes at a time.
  set(byte "([0-9a-f][0-9a-f])")
  string(LENGTH "${hex}" size)
  math(EXPR size "${size} / 2")
  string(REGEX REPLACE "${byte}${byte}${byte}${byte}${byte}${byte}${byte}${byte}"
    "0x\\1,0x\\2,0x\\3,0x\\4,0x\\5,0x\\6,0x\\7,0x\\8,\n" array "${hex}")
  # The last few, which are on a line of their own.
  string(FIND "${array}" "\n" at REVERSE)
  math(EXPR at "${at} + 1")
  string(SUBSTRING "${array}" 0 ${at} whole)
  string(SUBSTRING "${array}" ${at} -1 rest)
  string(REGEX REPLACE "${byte}" "0x\\1," rest "${rest}")
  file(APPEND ${OUTPUT}.new "static const unsigned char ${name}_bytes[] = {\n${whole}${rest}0};\n"
    "const struct report_part ${OF}_${name} = {(const char *)${name}_bytes, ${size}};\n")
endfunction()

function(embed_file name file)
  set(hex "")
  if(file)
    file(READ "${file}" hex HEX)
  endif()
  embed(${name} "${hex}")
endfunction()

file(WRITE ${OUTPUT}.new "/* Made by cmake/EmbedParts.cmake. */\n#include \"report/page/parts.h\"\n")
if(OF STREQUAL "report")
  embed_file(template ${PAGE})
  embed_file(library "${LIBRARY}")
  embed_file(licence "${LICENCE}")
else()
  set(licence "")
  if(LICENCE)
    file(READ "${LICENCE}" licence)
  endif()
  file(READ ${PAGE} text)
  string(REPLACE "@LICENCE@" "${licence}" text "${text}")
  string(HEX "${text}" text)
  embed(template "${text}")
endif()
string(REPLACE "," ";" STYLES "${STYLES}")
set(style "")
foreach(name IN LISTS STYLES)
  file(READ ${name} hex HEX)
  string(APPEND style "${hex}")
endforeach()
embed(style "${style}")

# The files of the script share one scope.
string(REPLACE "," ";" SCRIPTS "${SCRIPTS}")
string(HEX "(function () {\n'use strict'\n" script)
foreach(name IN LISTS SCRIPTS)
  file(READ ${name} hex HEX)
  string(APPEND script "${hex}0a")
endforeach()
string(HEX "})()\n" end)
embed(script "${script}${end}")
file(RENAME ${OUTPUT}.new ${OUTPUT})
