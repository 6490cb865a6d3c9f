# The libraries that the build needs, through pkg-config. A missing one ends the configuration with
# the names of all packages that are missing, as Debian calls them.

find_package(PkgConfig)
find_package(Threads REQUIRED)
if(NOT PKG_CONFIG_FOUND)
  message(FATAL_ERROR "pkg-config is missing. Debian: apt-get install pkg-config")
endif()

# warpscope_require(<prefix> <pkg-config module> <Debian package>): makes PkgConfig::<prefix>.
function(warpscope_require prefix module package)
  pkg_check_modules(${prefix} QUIET IMPORTED_TARGET GLOBAL ${module})
  if(NOT ${prefix}_FOUND)
    message(FATAL_ERROR "The library ${module} is missing. Debian: apt-get install ${package}\n"
      "(./quickstart and ./check install what they need.)")
  endif()
endfunction()

warpscope_require(LZ4 liblz4 liblz4-dev)
warpscope_require(XXHASH libxxhash libxxhash-dev)
warpscope_require(IGRAPH igraph>=0.10 libigraph-dev)
# The tests are built wherever CUnit is there, unless WARPSCOPE_TESTS says otherwise.
pkg_check_modules(CUNIT QUIET IMPORTED_TARGET GLOBAL cunit)
# The reader writes databases wherever SQLite is there and WARPSCOPE_SQLITE is on.
pkg_check_modules(SQLITE QUIET IMPORTED_TARGET GLOBAL sqlite3)
