# SPDX-License-Identifier: BSD-3-Clause
# cmake --install: headers, libraries, what CMake and pkg-config need to find them, under both names,
# reader, documentation, the template of a model. (The reader and the subscriber libraries install
# themselves.) Nothing holds the prefix: the installed tree may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(includedir ${CMAKE_INSTALL_INCLUDEDIR}/warpscope)
set(datadir ${CMAKE_INSTALL_DATAROOTDIR}/warpscope)
set(docdir ${CMAKE_INSTALL_DATAROOTDIR}/doc/warpscope)
set(ross_version 8.1.0) # as in ross.config.in

file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/ross*.h
  ${PROJECT_SOURCE_DIR}/instrumentation/st*.h)
install(FILES ${public_headers} ${PROJECT_BINARY_DIR}/include/ross.config.h
  DESTINATION ${includedir} COMPONENT development)
foreach(name IN LISTS WARPSCOPE_HISTORIC_HEADERS)
  install(FILES ${PROJECT_BINARY_DIR}/include/${name} DESTINATION ${includedir} COMPONENT development)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/instrumentation/format/memtrace.h
  DESTINATION ${includedir}/format COMPONENT development)
# For makefiles that say -I$PREFIX/include -lROSS: models as for ROSS 8.
set(plain_folder ${CMAKE_CURRENT_BINARY_DIR}/plain)
file(CONFIGURE OUTPUT ${plain_folder}/ross.h @ONLY CONTENT
"#ifndef ROSS_MODEL_TYPES_V8
#define ROSS_MODEL_TYPES_V8
#endif
#include \"warpscope/ross.h\"
")
warpscope_write_historic_headers(${plain_folder})
foreach(name ross.h ${WARPSCOPE_HISTORIC_HEADERS})
  install(FILES ${plain_folder}/${name} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
endforeach()

install(TARGETS warpscope_static warpscope_shared warpscope_bus_static warpscope_bus_shared
    warpscope_loggers EXPORT WarpscopeTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  INCLUDES DESTINATION ${includedir})
# For makefiles that say -lROSS.
foreach(suffix ${CMAKE_STATIC_LIBRARY_SUFFIX} ${CMAKE_SHARED_LIBRARY_SUFFIX})
  file(CREATE_LINK libwarpscope${suffix} ${CMAKE_CURRENT_BINARY_DIR}/libROSS${suffix} SYMBOLIC)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/libROSS${suffix} DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT development)
endforeach()
install(EXPORT WarpscopeTargets NAMESPACE Warpscope::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Warpscope COMPONENT development)

# warpscope_cmake_package(<name> <version> <compatibility>); FILE: a template says what is compatible
function(warpscope_cmake_package name version compatibility)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/${name})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/${name}Config.cmake.in
    ${CMAKE_CURRENT_BINARY_DIR}/${name}Config.cmake INSTALL_DESTINATION ${folder}
    NO_SET_AND_CHECK_MACRO)
  if(compatibility STREQUAL "FILE")
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}ConfigVersion.cmake.in
      ${CMAKE_CURRENT_BINARY_DIR}/${name}ConfigVersion.cmake @ONLY)
  else()
    write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/${name}ConfigVersion.cmake
      VERSION ${version} COMPATIBILITY ${compatibility})
  endif()
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}Config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/${name}ConfigVersion.cmake
    DESTINATION ${folder} COMPONENT development)
endfunction()
warpscope_cmake_package(Warpscope ${PROJECT_VERSION} SameMinorVersion)
warpscope_cmake_package(ROSS ${ross_version} FILE)

# pkg-config's files find the prefix from where they are.
file(RELATIVE_PATH pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
foreach(name warpscope warpscope-static warpscope-bus warpscope-log ross)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc
    @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/templates ${PROJECT_SOURCE_DIR}/examples
  DESTINATION ${datadir} COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${docdir} COMPONENT doc)
include(WarpscopeDocs)

# The manual page of a run's options, made from their tables.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(page ${PROJECT_BINARY_DIR}/packaging/warpscope-options.7)
  add_executable(warpscope_options ${PROJECT_SOURCE_DIR}/packaging/options.c)
  set_target_properties(warpscope_options PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/packaging)
  target_link_libraries(warpscope_options PRIVATE warpscope_shared MPI::MPI_C warpscope_flags)
  target_include_directories(warpscope_options PRIVATE ${public_folders})
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} "-DCOMMAND=$<TARGET_FILE:warpscope_options>" -DPAGE=${page} -DVERSION=${PROJECT_VERSION}
      "-DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}" -P ${PROJECT_SOURCE_DIR}/cmake/OptionsPage.cmake
    DEPENDS warpscope_options ${PROJECT_SOURCE_DIR}/cmake/OptionsPage.cmake VERBATIM)
  add_custom_target(warpscope_options_page ALL DEPENDS ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 COMPONENT development)
endif()
