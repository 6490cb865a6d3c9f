# SPDX-License-Identifier: BSD-3-Clause
# libwarpscope-reader: what programs of others link to read recordings, shared and static, and its
# installation. The command is made of the same objects. Both need neither MPI nor the simulator.
#
# Results: warpscope_reader_library, the rooms of the library with all their names, for the command and
# the tests; Warpscope::reader and Warpscope::reader_static for a project that includes this one.
include(GNUInstallDirs)
include(WarpscopeLibraryFunctions)

set(names_file ${PROJECT_SOURCE_DIR}/cmake/reader_names.txt)
set(map_file ${CMAKE_CURRENT_BINARY_DIR}/warpscope_reader.map)
set(excluded "")
warpscope_version_script(WARPSCOPE_READER_${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# The rooms; the file format and the ground floor follow.
add_library(warpscope_reader_rooms OBJECT ${library_sources})
target_include_directories(warpscope_reader_rooms PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}
  ${CMAKE_CURRENT_SOURCE_DIR}/library ${PROJECT_SOURCE_DIR}/instrumentation ${PROJECT_SOURCE_DIR}
  ${PROJECT_BINARY_DIR}/include)
target_link_libraries(warpscope_reader_rooms PRIVATE PkgConfig::LZ4 PkgConfig::XXHASH)
warpscope_compile_for_others(warpscope_reader_rooms)
warpscope_parts_for_others(base_parts warpscope_format warpscope_text warpscope_files)

add_library(warpscope_reader_library STATIC $<TARGET_OBJECTS:warpscope_reader_rooms>)
set_target_properties(warpscope_reader_library PROPERTIES LINKER_LANGUAGE C)
target_include_directories(warpscope_reader_library PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}
  ${CMAKE_CURRENT_SOURCE_DIR}/library)
target_link_libraries(warpscope_reader_library PUBLIC warpscope_format warpscope_text warpscope_files m)

set(reader_parts warpscope_reader_rooms ${base_parts})
warpscope_static_library(warpscope_reader ${reader_parts})
warpscope_shared_library(warpscope_reader ${reader_parts})
foreach(kind static shared)
  set_target_properties(warpscope_reader_${kind} PROPERTIES OUTPUT_NAME warpscope-reader
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  target_include_directories(warpscope_reader_${kind}
    INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/library>)
endforeach()
set_target_properties(warpscope_reader_shared PROPERTIES EXPORT_NAME reader)
set_target_properties(warpscope_reader_static PROPERTIES EXPORT_NAME reader_static)
target_link_libraries(warpscope_reader_shared PRIVATE PkgConfig::LZ4 PkgConfig::XXHASH m)
target_link_libraries(warpscope_reader_static INTERFACE lz4 xxhash m)
add_library(Warpscope::reader ALIAS warpscope_reader_shared)
add_library(Warpscope::reader_static ALIAS warpscope_reader_static)

# ---- Installation: part of the component "reader" -----------------------------------------------
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/library/warpscope/reader.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warpscope COMPONENT reader_development)
install(TARGETS warpscope_reader_static warpscope_reader_shared EXPORT WarpscopeReaderTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT reader NAMELINK_COMPONENT reader_development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT reader_development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT WarpscopeReaderTargets NAMESPACE Warpscope::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Warpscope COMPONENT reader_development)
file(RELATIVE_PATH pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/warpscope-reader.pc.in
  ${CMAKE_CURRENT_BINARY_DIR}/warpscope-reader.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/warpscope-reader.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT reader_development)
if(WARPSCOPE_READER_ONLY) # otherwise WarpscopeInstall.cmake has the package
  include(CMakePackageConfigHelpers)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/WarpscopeReaderConfig.cmake.in
    ${CMAKE_CURRENT_BINARY_DIR}/WarpscopeConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Warpscope NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/WarpscopeConfigVersion.cmake
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/WarpscopeConfig.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/WarpscopeConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Warpscope COMPONENT reader_development)
endif()
