# SPDX-License-Identifier: BSD-3-Clause
# cpack runs this script before it makes packages. The script adds the licence and the history that Debian's
# rules want in each of them, and compresses manual pages.
file(GLOB roots LIST_DIRECTORIES true ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*)
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
foreach(root IN LISTS roots)
  get_filename_component(package ${root} NAME)
  set(documents ${root}/usr/share/doc/${package})
  configure_file(${CPACK_RESOURCE_FILE_LICENSE} ${documents}/copyright COPYONLY)
  string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE ${documents}/changelog "${package} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
    "  * Version ${CPACK_PACKAGE_VERSION}; what changed is in the package warpscope-doc.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${now}\n")
  file(GLOB pages ${root}/usr/share/man/man*/*)
  execute_process(COMMAND gzip -9 -n -f ${documents}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
