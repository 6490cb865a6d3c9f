# SPDX-License-Identifier: BSD-3-Clause
# The library that programs of others link, shared and static: engine, instrumentation, file format
# and loggers in one. It is compiled apart from what the programs of this tree link: position
# independent, so that it may become part of a shared library; without link-time optimisation, so
# that any compiler can link it; and with the names of the public headers only, so that a model may
# call its own functions as it likes.
#
# Results: Warpscope::warpscope, ROSS::ROSS and Warpscope::bus for a project that includes this one,
# static libraries unless its BUILD_SHARED_LIBS is on; warpscope_static, warpscope_shared,
# warpscope_bus_static, warpscope_bus_shared, warpscope_loggers.

include(GNUInstallDirs)
include(WarpscopeLibraryFunctions)
set(excluded EXCLUDE_FROM_ALL)
if(WARPSCOPE_INSTALL)
  set(excluded "")
endif()

warpscope_sources_of(sources warpscope_core warpscope warpscope_memtrace_format warpscope_placement)
add_library(warpscope_objects OBJECT ${excluded} ${sources})
set(public_folders ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/instrumentation
  ${PROJECT_BINARY_DIR}/include)
target_include_directories(warpscope_objects PRIVATE ${public_folders} ${PROJECT_SOURCE_DIR})
# rt: shm_open() before glibc 2.34
set(needed PkgConfig::LZ4 PkgConfig::XXHASH)
set(WARPSCOPE_REQUIRES "liblz4 libxxhash") # as pkg-config calls them
set(WARPSCOPE_STATIC_PACKAGES "liblz4-dev libxxhash-dev") # as Debian does
if(WARPSCOPE_SQLITE AND SQLITE_FOUND)
  list(APPEND needed PkgConfig::SQLITE)
  string(APPEND WARPSCOPE_REQUIRES " sqlite3")
  string(APPEND WARPSCOPE_STATIC_PACKAGES " libsqlite3-dev")
endif()
set(system_libraries m rt ${CMAKE_DL_LIBS})
target_link_libraries(warpscope_objects PRIVATE MPI::MPI_C Threads::Threads ${needed})
warpscope_use_metis(warpscope_objects)
warpscope_compile_for_others(warpscope_objects ${WARPSCOPE_LIBRARY_OPTIONS})
warpscope_join_rooms(warpscope_objects -w)
warpscope_parts_for_others(parts warpscope_format warpscope_log warpscope_text warpscope_files)
list(APPEND parts warpscope_objects)

set(names_file ${PROJECT_SOURCE_DIR}/cmake/exported_names.txt)
set(map_file ${CMAKE_CURRENT_BINARY_DIR}/warpscope.map)
warpscope_version_script("")

warpscope_static_library(warpscope ${parts})
set_target_properties(warpscope_static PROPERTIES EXPORT_NAME static)
target_link_libraries(warpscope_static INTERFACE ${system_libraries}
  "$<BUILD_INTERFACE:${needed};Threads::Threads>"
  $<INSTALL_INTERFACE:PkgConfig::WARPSCOPE_STATIC> $<INSTALL_INTERFACE:Threads::Threads>)

warpscope_shared_library(warpscope ${parts})
set_target_properties(warpscope_shared PROPERTIES EXPORT_NAME shared)
target_link_libraries(warpscope_shared PRIVATE MPI::MPI_C Threads::Threads ${needed}
  ${system_libraries})

# The bus alone, for programs that are no simulations: without MPI.
warpscope_sources_of(bus_sources warpscope_bus)
add_library(warpscope_bus_objects OBJECT ${excluded} ${bus_sources})
target_include_directories(warpscope_bus_objects PRIVATE ${public_folders} ${PROJECT_SOURCE_DIR})
target_link_libraries(warpscope_bus_objects PRIVATE Threads::Threads PkgConfig::XXHASH)
warpscope_compile_for_others(warpscope_bus_objects ${WARPSCOPE_LIBRARY_OPTIONS})
warpscope_join_rooms(warpscope_bus_objects -w)
warpscope_parts_for_others(parts warpscope_files)
list(APPEND parts warpscope_bus_objects)
warpscope_static_library(warpscope_bus ${parts})
warpscope_shared_library(warpscope_bus ${parts})
set_target_properties(warpscope_bus_static PROPERTIES EXPORT_NAME bus_static)
set_target_properties(warpscope_bus_shared PROPERTIES EXPORT_NAME bus)
target_link_libraries(warpscope_bus_static INTERFACE ${CMAKE_DL_LIBS} -pthread)
target_link_libraries(warpscope_bus_shared PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)

# The loggers alone, for tools that do not link the simulator.
warpscope_parts_for_others(parts warpscope_log warpscope_text warpscope_files)
warpscope_objects_of(${parts})
add_library(warpscope_loggers STATIC ${excluded} ${objects})
set_target_properties(warpscope_loggers PROPERTIES LINKER_LANGUAGE C)
target_link_libraries(warpscope_loggers PUBLIC m)
set_target_properties(warpscope_loggers PROPERTIES EXPORT_NAME log)

foreach(library warpscope warpscope_bus)
  foreach(kind static shared)
    set_target_properties(${library}_${kind} PROPERTIES OUTPUT_NAME ${library}
      ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  endforeach()
endforeach()
set_target_properties(warpscope_loggers PROPERTIES OUTPUT_NAME warpscope_log
  ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# For a project that includes this one.
set(kind static)
if(BUILD_SHARED_LIBS)
  set(kind shared)
endif()
add_library(warpscope_for_models INTERFACE)
target_include_directories(warpscope_for_models INTERFACE ${public_folders})
target_compile_definitions(warpscope_for_models INTERFACE # as in WarpscopeConfig.cmake.in
  $<$<COMPILE_LANGUAGE:CXX>:OMPI_SKIP_MPICXX=1> $<$<COMPILE_LANGUAGE:CXX>:MPICH_SKIP_MPICXX=1>)
target_link_libraries(warpscope_for_models INTERFACE warpscope_${kind} MPI::MPI_C)
add_library(Warpscope::warpscope ALIAS warpscope_for_models)
add_library(ross_for_models INTERFACE) # as in ROSSConfig.cmake.in
target_compile_definitions(ross_for_models INTERFACE ROSS_MODEL_TYPES_V8)
target_link_libraries(ross_for_models INTERFACE warpscope_for_models)
add_library(ROSS::ROSS ALIAS ross_for_models)
add_library(bus_for_programs INTERFACE)
target_include_directories(bus_for_programs INTERFACE ${public_folders})
target_link_libraries(bus_for_programs INTERFACE warpscope_bus_${kind})
add_library(Warpscope::bus ALIAS bus_for_programs)
set(Warpscope_MPI_ENV "${WARPSCOPE_MPI_ENV}" CACHE INTERNAL
  "Environment with which the MPI launcher works as root and with more ranks than cores")
