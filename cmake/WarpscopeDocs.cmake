# SPDX-License-Identifier: BSD-3-Clause
# Installs the documentation: README.md and other pages with docs/ below them, as in the sources, so
# that they find each other. Links to other files of the sources become links to where these are
# installed, or, for what is not installed, words without a link. Needs includedir, datadir, docdir.

# warpscope_doc_page(<page, from the top of the sources>)
function(warpscope_doc_page page)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${page})
  file(READ ${PROJECT_SOURCE_DIR}/${page} text)
  get_filename_component(folder /prefix/${docdir}/${page} DIRECTORY)
  foreach(installed includedir datadir)
    file(RELATIVE_PATH to_${installed} ${folder} /prefix/${${installed}})
  endforeach()
  set(top "\\]\\((\\.\\./)?")
  string(REGEX REPLACE "${top}(text|store|core|instrumentation)/(ross[a-z_]*\\.h|st[a-z_]*\\.h|format/memtrace\\.h)"
    "](${to_includedir}/\\3" text "${text}")
  string(REGEX REPLACE "${top}(examples|templates)/" "](${to_datadir}/\\2/" text "${text}")
  string(REGEX REPLACE
    "\\[([^]\n]*)${top}(text|core|instrumentation|reader|models|tests|packaging|bench|scripts)(/[^)]*)?\\)"
    "\\1" text "${text}")
  set(made ${CMAKE_CURRENT_BINARY_DIR}/pages/${page})
  file(WRITE ${made}.new "${text}")
  execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${made}.new ${made})
  get_filename_component(to ${docdir}/${page} DIRECTORY)
  install(FILES ${made} DESTINATION ${to} COMPONENT doc)
endfunction()

file(GLOB pages RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md
  ${PROJECT_SOURCE_DIR}/docs/decisions/*.md)
foreach(page README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md ${pages})
  warpscope_doc_page(${page})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/images DESTINATION ${docdir}/docs COMPONENT doc)

# cmake --build BUILD --target site: the pages as a site with reference and search, in BUILD/site/html. Made by the
# first Python that has Sphinx; PATH often has another one before /usr/bin.
if(TARGET warpscope_reader AND TARGET warpscope_reader_shared)
  set(command python3)
  execute_process(COMMAND python3 -c "import sphinx" RESULT_VARIABLE status ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(command /usr/bin/python3)
  endif()
  add_custom_target(site COMMAND ${command} ${PROJECT_SOURCE_DIR}/docs/site/site_pages.py ${PROJECT_SOURCE_DIR}
    ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/site ${PROJECT_VERSION}
    DEPENDS warpscope_reader warpscope_reader_shared USES_TERMINAL VERBATIM)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/site/html DESTINATION ${docdir} COMPONENT doc OPTIONAL)
endif()
