# SPDX-License-Identifier: BSD-3-Clause
# The libraries that the build needs, through pkg-config. If some are missing the configuration ends
# with the names of all their packages, as Debian calls them.

# warpscope_find_global(<target> <arguments of find_package>...): what it finds is there for the
# project that includes this one as well, which links it through our libraries.
macro(warpscope_find_global target)
  if(NOT TARGET ${target})
    find_package(${ARGN})
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
    endif()
  endif()
endmacro()

find_package(PkgConfig)
warpscope_find_global(Threads::Threads Threads REQUIRED)
if(NOT PKG_CONFIG_FOUND)
  message(FATAL_ERROR "pkg-config is missing. Debian: apt-get install pkg-config")
endif()

# warpscope_require(<prefix> <pkg-config module> <Debian package> ...): makes PkgConfig::<prefix>
# for each three.
function(warpscope_require)
  set(modules "")
  set(packages "")
  while(ARGN)
    list(POP_FRONT ARGN prefix module package)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET GLOBAL ${module})
    if(NOT ${prefix}_FOUND)
      string(APPEND modules " ${module}")
      string(APPEND packages " ${package}")
    endif()
  endwhile()
  if(modules)
    message(FATAL_ERROR "Missing libraries:${modules}. Debian: apt-get install${packages}\n"
      "(./quickstart and ./check install what they need.)")
  endif()
endfunction()

set(needed LZ4 liblz4 liblz4-dev XXHASH libxxhash libxxhash-dev)
if(WARPSCOPE_MODELS)
  list(APPEND needed IGRAPH igraph>=0.10 libigraph-dev)
endif()
warpscope_require(${needed})
# The tests are built wherever CUnit is there, unless WARPSCOPE_TESTS says otherwise.
pkg_check_modules(CUNIT QUIET IMPORTED_TARGET GLOBAL cunit)
# The reader writes databases wherever SQLite is there and WARPSCOPE_SQLITE is on.
pkg_check_modules(SQLITE QUIET IMPORTED_TARGET GLOBAL sqlite3)
# "warpscope top" has a full screen wherever ncurses is there and WARPSCOPE_CURSES is on.
pkg_check_modules(CURSES QUIET IMPORTED_TARGET GLOBAL ncursesw)
# "warpscope serve" answers browsers wherever libmicrohttpd is there and WARPSCOPE_HTTP is on.
pkg_check_modules(HTTP QUIET IMPORTED_TARGET GLOBAL libmicrohttpd>=0.9.75)
# "warpscope partition" and --map=auto divide graphs by METIS, which has no pkg-config file. Programs
# load it when they need it, by the name that programs are linked with.
find_library(METIS_LIBRARY metis)
find_path(METIS_INCLUDE_DIR metis.h)
mark_as_advanced(METIS_LIBRARY METIS_INCLUDE_DIR)
set(WARPSCOPE_METIS_SONAME "")
if(WARPSCOPE_METIS AND METIS_LIBRARY AND METIS_INCLUDE_DIR)
  set(WARPSCOPE_METIS_SONAME "${METIS_LIBRARY}")
  if(IS_SYMLINK "${METIS_LIBRARY}")
    file(READ_SYMLINK "${METIS_LIBRARY}" WARPSCOPE_METIS_SONAME)
  endif()
  string(REGEX REPLACE "^.*/|(\\.so\\.[0-9]+).*$" "\\1" WARPSCOPE_METIS_SONAME
    "${WARPSCOPE_METIS_SONAME}")
endif()
# Lets a target compile placement/metis.c.
function(warpscope_use_metis target)
  if(WARPSCOPE_METIS_SONAME)
    target_include_directories(${target} SYSTEM PRIVATE ${METIS_INCLUDE_DIR})
    target_compile_definitions(${target} PRIVATE
      WARPSCOPE_METIS_LIBRARY="${WARPSCOPE_METIS_SONAME}")
  endif()
endfunction()
