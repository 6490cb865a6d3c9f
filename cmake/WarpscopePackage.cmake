# SPDX-License-Identifier: BSD-3-Clause
# cpack -G DEB, cpack -G TGZ: one package of all that cmake --install installs. With
# WARPSCOPE_READER_ONLY that is the reader alone; both packages hold the command "warpscope", so each
# takes the place of the other.
set(CPACK_GENERATOR "DEB;TGZ" CACHE STRING "What cpack makes")
set(CPACK_PACKAGE_VENDOR "The Warpscope authors")
set(CPACK_PACKAGE_CONTACT "The Warpscope authors <maintainer@localhost>"
  CACHE STRING "Maintainer of the packages: Name <address>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON) # and has ldconfig run

if(WARPSCOPE_READER_ONLY)
  set(CPACK_PACKAGE_NAME warpscope-reader)
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS warpscope)
  set(CPACK_DEBIAN_PACKAGE_REPLACES warpscope)
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "reader of the recordings of Warpscope simulations")
  set(CPACK_PACKAGE_DESCRIPTION
"Warpscope simulations record what happens inside them. The command warpscope
prints, summarises, compares, exports and repairs these recordings. The library
libwarpscope-reader gives other programs their records. Both need neither MPI
nor the simulator, which is the package warpscope.")
else()
  set(CPACK_PACKAGE_NAME warpscope)
  set(CPACK_DEBIAN_PACKAGE_PROVIDES warpscope-reader)
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS warpscope-reader)
  set(CPACK_DEBIAN_PACKAGE_REPLACES warpscope-reader)
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "parallel discrete-event simulator with instrumentation")
  set(CPACK_PACKAGE_DESCRIPTION
"Warpscope runs models of logical processes that exchange time-stamped events,
optimistically (Time Warp) and in parallel over MPI, and records what happens
inside. Models written for ROSS compile against it. The package holds the
library, its headers, the reader of what runs record with its library, and
documentation.")
  # ross.h includes mpi.h. What the shared libraries need, dpkg-shlibdeps finds.
  string(REGEX REPLACE " .*" "" mpi_headers "${WARPSCOPE_MPI_PACKAGES}")
  string(REGEX REPLACE ".* " "" mpi_launcher "${WARPSCOPE_MPI_PACKAGES}")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS ${mpi_headers})
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "${mpi_launcher}, pkg-config, cmake")
  string(REPLACE " " ", " static_packages "${WARPSCOPE_STATIC_PACKAGES}")
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "${static_packages}")
endif()
if(WARPSCOPE_PYTHON) # the package in dist-packages, which is imported where there is a Python with numpy
  foreach(field "PROVIDES python3-warpscope" "RECOMMENDS python3-numpy"
      "SUGGESTS python3-pandas, python3-matplotlib")
    string(REGEX MATCH "^[A-Z]+" name "${field}")
    string(REGEX REPLACE "^[A-Z]+ " "" packages "${field}")
    if(CPACK_DEBIAN_PACKAGE_${name})
      string(PREPEND packages "${CPACK_DEBIAN_PACKAGE_${name}}, ")
    endif()
    set(CPACK_DEBIAN_PACKAGE_${name} "${packages}")
  endforeach()
endif()
include(CPack)
