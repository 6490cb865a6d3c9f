# SPDX-License-Identifier: BSD-3-Clause
# The page of "warpscope report": finds the library d3 and embeds it and the page into the reader.
#
#   WARPSCOPE_D3          d3.min.js of d3 5, 6 or 7; looked for where Debian and npm install it
#   WARPSCOPE_D3_LICENCE  the text of its licence; looked for beside it and where Debian installs it
#
# Without d3 the command says how to get it. Sets WARPSCOPE_REPORT to ON or OFF.
set(page ${PROJECT_SOURCE_DIR}/reader/report/page)
set(scripts format.js data.js range.js dom.js axes.js chart.js series.js phases.js views.js heatmap.js matrix.js
  histogram.js allows.js predicted.js model.js summary.js compare.js input.js main.js)

find_file(WARPSCOPE_D3 d3.min.js DOC "The library d3 (d3.min.js), for warpscope report"
  PATHS /usr/share/nodejs/d3/dist /usr/share/javascript/d3 /usr/lib/node_modules/d3/dist
    /usr/local/lib/node_modules/d3/dist ${PROJECT_SOURCE_DIR}/node_modules/d3/dist
    ${PROJECT_BINARY_DIR}/node_modules/d3/dist
  NO_DEFAULT_PATH)

set(d3_problem "")
if(NOT WARPSCOPE_D3)
  set(d3_problem "d3 is missing (Debian: apt-get install node-d3; or -DWARPSCOPE_D3=FILE)")
elseif(NOT EXISTS ${WARPSCOPE_D3})
  message(FATAL_ERROR "WARPSCOPE_D3: there is no file ${WARPSCOPE_D3}")
else()
  file(READ ${WARPSCOPE_D3} d3_begin LIMIT 200)
  if(NOT d3_begin MATCHES "d3js.org v([567]\\.[0-9.]+)")
    set(d3_problem "${WARPSCOPE_D3} is not d3 5, 6 or 7")
  else()
    set(d3_version ${CMAKE_MATCH_1})
    get_filename_component(d3_folder ${WARPSCOPE_D3} REALPATH)
    get_filename_component(d3_folder ${d3_folder} DIRECTORY)
    set(d3_licences ${d3_folder} ${d3_folder}/..)
    if(d3_folder MATCHES "^/usr/share/")
      list(APPEND d3_licences /usr/share/doc/node-d3 /usr/share/doc/libjs-d3)
    endif()
    if(NOT "${WARPSCOPE_D3}" STREQUAL "${WARPSCOPE_D3_OF_LICENCE}") # another d3 than that of the last time
      if(DEFINED WARPSCOPE_D3_OF_LICENCE)
        unset(WARPSCOPE_D3_LICENCE CACHE)
      endif()
      set(WARPSCOPE_D3_OF_LICENCE ${WARPSCOPE_D3} CACHE INTERNAL "The d3 to which the licence belongs")
    endif()
    find_file(WARPSCOPE_D3_LICENCE NAMES LICENSE copyright DOC "The licence of d3" PATHS ${d3_licences}
      NO_DEFAULT_PATH)
    if(NOT WARPSCOPE_D3_LICENCE)
      set(d3_problem "the licence of ${WARPSCOPE_D3} is missing (-DWARPSCOPE_D3_LICENCE=FILE)")
    endif()
  endif()
endif()

set(library "")
set(licence "")
if(d3_problem)
  set(WARPSCOPE_REPORT OFF CACHE INTERNAL "Does the reader write reports?")
  message(STATUS "warpscope report is left out: ${d3_problem}")
else()
  set(WARPSCOPE_REPORT ON CACHE INTERNAL "Does the reader write reports?")
  set(library ${WARPSCOPE_D3})
  # The text of an HTML comment, in which "--" may not stand.
  file(READ ${WARPSCOPE_D3_LICENCE} text)
  string(REPLACE "--" "- -" text "${text}")
  set(licence ${CMAKE_CURRENT_BINARY_DIR}/d3-licence.txt)
  file(GENERATE OUTPUT ${licence} CONTENT "The library d3 ${d3_version} in this page, https://d3js.org\n\n${text}")
  include(GNUInstallDirs)
  set(package warpscope)
  if(WARPSCOPE_READER_ONLY)
    set(package warpscope-reader)
  endif()
  install(FILES ${licence} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package} COMPONENT reader)
endif()

set(script_files ${scripts})
list(TRANSFORM script_files PREPEND ${page}/script/)
string(REPLACE ";" "," script_list "${script_files}")
set(report_page ${CMAKE_CURRENT_BINARY_DIR}/report_page.c)
add_custom_command(OUTPUT ${report_page}
  COMMAND ${CMAKE_COMMAND} -DOF=report -DPAGE=${page}/page.html -DSCRIPTS=${script_list}
    -DSTYLES=${page}/page.css -DLIBRARY=${library} -DLICENCE=${licence} -DOUTPUT=${report_page} -P ${PROJECT_SOURCE_DIR}/cmake/EmbedParts.cmake
  DEPENDS ${page}/page.html ${page}/page.css ${script_files} ${library} ${licence}
    ${PROJECT_SOURCE_DIR}/cmake/EmbedParts.cmake
  COMMENT "Embedding the page of warpscope report" VERBATIM)

# The page of "warpscope serve": the styles of the report and its scripts, but the last one, which builds a report.
set(live ${PROJECT_SOURCE_DIR}/reader/serve/page)
set(live_scripts state.js panels.js main.js)
set(live_styles ${page}/page.css ${live}/live.css)
list(TRANSFORM live_scripts PREPEND ${live}/script/)
list(POP_BACK script_files)
list(PREPEND live_scripts ${script_files})
string(REPLACE ";" "," script_list "${live_scripts}")
string(REPLACE ";" "," style_list "${live_styles}")
set(live_page ${CMAKE_CURRENT_BINARY_DIR}/live_page.c)
add_custom_command(OUTPUT ${live_page}
  COMMAND ${CMAKE_COMMAND} -DOF=live -DPAGE=${live}/page.html -DSCRIPTS=${script_list} -DSTYLES=${style_list}
    -DLICENCE=${licence} -DOUTPUT=${live_page} -P ${PROJECT_SOURCE_DIR}/cmake/EmbedParts.cmake
  DEPENDS ${live}/page.html ${live_styles} ${live_scripts} ${licence} ${PROJECT_SOURCE_DIR}/cmake/EmbedParts.cmake
  COMMENT "Embedding the page of warpscope serve" VERBATIM)
