# SPDX-License-Identifier: BSD-3-Clause
# cpack -G DEB: packages of what cmake --install installs, one per group below. cpack -G TGZ: one archive of all.
# With WARPSCOPE_READER_ONLY there are the reader and the Python package, and what programs link to read recordings is
# a package of its own, which libwarpscope-dev replaces.
set(CPACK_GENERATOR "DEB;TGZ" CACHE STRING "What cpack makes")
set(CPACK_PACKAGE_NAME warpscope)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_VENDOR "The Warpscope authors")
set(CPACK_PACKAGE_CONTACT "The Warpscope authors <maintainer@localhost>"
  CACHE STRING "Maintainer of the packages: Name <address>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/PackageFiles.cmake)
# Packages with libraries in a directory that the linker searches have ldconfig run.
set(triggers ${CMAKE_CURRENT_BINARY_DIR}/triggers)
file(WRITE ${triggers} "activate-noawait ldconfig\n")
set(same "(= ${PROJECT_VERSION})")
set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# warpscope_package(<name> <components> <section> <summary> <description> [<field> <value>]...): a package of the
# components that this build installs; a field is one of the control file as CPack names it, as in DEPENDS.
set(WARPSCOPE_PACKAGES "")
function(warpscope_package name components section summary description)
  string(TOUPPER ${name} upper)
  foreach(component IN LISTS components)
    string(TOUPPER ${component} component)
    set(CPACK_COMPONENT_${component}_GROUP ${name} PARENT_SCOPE)
  endforeach()
  list(APPEND WARPSCOPE_PACKAGES ${name})
  set(WARPSCOPE_PACKAGES ${WARPSCOPE_PACKAGES} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_FILE_NAME DEB-DEFAULT PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
  while(ARGN)
    list(POP_FRONT ARGN field value)
    set(CPACK_DEBIAN_${upper}_PACKAGE_${field} "${value}" PARENT_SCOPE)
  endwhile()
endfunction()

warpscope_package(warpscope-reader reader science "reader of the recordings of Warpscope simulations"
"Warpscope simulations record what happens inside them. The command warpscope
prints, summarises, compares, exports and repairs these recordings. The library
libwarpscope-reader gives other programs their records. Both need neither MPI
nor the simulator."
  SUGGESTS "python3-warpscope ${same}, warpscope-doc ${same}" CONTROL_EXTRA ${triggers})
warpscope_package(python3-warpscope python python "recordings of Warpscope simulations in Python"
"The package warpscope gives Python the records of Warpscope simulations as
arrays, and runs studies of many simulations."
  DEPENDS "python3, python3-numpy, warpscope-reader ${same}"
  SUGGESTS "python3-pandas, python3-matplotlib" ARCHITECTURE all)
if(WARPSCOPE_READER_ONLY)
  warpscope_package(libwarpscope-reader-dev reader_development libdevel "development files of libwarpscope-reader"
"The header and libraries for programs that read recordings of Warpscope
simulations."
    DEPENDS "warpscope-reader ${same}" CONFLICTS libwarpscope-dev)
else()
  warpscope_package(libwarpscope${soversion} "runtime;subscribers" libs "parallel discrete-event simulator with instrumentation"
"Warpscope runs models of logical processes that exchange time-stamped events,
optimistically (Time Warp) and in parallel over MPI, and records what happens
inside. This package has the shared libraries that models load."
    RECOMMENDS "warpscope-reader ${same}" CONTROL_EXTRA ${triggers})
  # ross.h includes mpi.h. What the shared libraries need, dpkg-shlibdeps finds.
  string(REGEX REPLACE " .*" "" mpi_headers "${WARPSCOPE_MPI_PACKAGES}")
  string(REGEX REPLACE ".* " "" mpi_launcher "${WARPSCOPE_MPI_PACKAGES}")
  string(REPLACE " " ", " static_packages "${WARPSCOPE_STATIC_PACKAGES}")
  warpscope_package(libwarpscope-dev "development;reader_development" libdevel "development files of the simulator Warpscope"
"Headers and libraries for models, also for models that were written for ROSS,
and for programs that read recordings; a template of a model, and examples."
    DEPENDS "libwarpscope${soversion} ${same}, warpscope-reader ${same}, ${mpi_headers}"
    RECOMMENDS "${mpi_launcher}, pkg-config, cmake" SUGGESTS "${static_packages}"
    CONFLICTS libwarpscope-reader-dev REPLACES libwarpscope-reader-dev)
  warpscope_package(warpscope-doc doc doc "documentation of the simulator Warpscope"
"The guides and the description of the format of recordings."
    ARCHITECTURE all SHLIBDEPS OFF)
  if(WARPSCOPE_CUDA)
    warpscope_package(warpscope-cuda cuda science "memory traces of CUDA programs"
"The command warpscope-nvcc compiles CUDA programs that write traces of their
accesses to global memory; warpscope-ptx rewrites PTX; a library runs kernels
on machines without a GPU."
      DEPENDS "warpscope-reader ${same}")
  endif()
endif()
include(CPack)
