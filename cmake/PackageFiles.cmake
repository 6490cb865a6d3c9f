# SPDX-License-Identifier: BSD-3-Clause
# cpack runs this script before it makes packages. The script adds the licence and the history that Debian's
# rules want in each of them, and compresses manual pages.
file(GLOB roots LIST_DIRECTORIES true ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*)
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
# The date of the release stands in CHANGELOG.md. Without one, the packages are of today.
get_filename_component(sources ${CPACK_RESOURCE_FILE_LICENSE} DIRECTORY)
file(STRINGS ${sources}/CHANGELOG.md released REGEX "^## \\[${CPACK_PACKAGE_VERSION}\\] - ")
string(REGEX REPLACE ".* - " "" released "${released}")
execute_process(COMMAND date --utc -R -d "${released}" OUTPUT_VARIABLE released OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
foreach(root IN LISTS roots)
  get_filename_component(package ${root} NAME)
  set(documents ${root}/usr/share/doc/${package})
  configure_file(${CPACK_RESOURCE_FILE_LICENSE} ${documents}/copyright COPYONLY)
  file(WRITE ${documents}/changelog "${package} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
    "  * Version ${CPACK_PACKAGE_VERSION}; what changed is in the package warpscope-doc.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${released}\n")
  file(GLOB pages ${root}/usr/share/man/man*/*)
  execute_process(COMMAND gzip -9 -n -f ${documents}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
