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
set(excluded EXCLUDE_FROM_ALL)
if(WARPSCOPE_INSTALL)
  set(excluded "")
endif()

# Gives a target the compiler's view of the library.
function(warpscope_compile_for_others target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
    INTERPROCEDURAL_OPTIMIZATION OFF)
  target_compile_definitions(${target} PRIVATE
    WARPSCOPE_LIBRARY_FOLDER="${CMAKE_INSTALL_LIBDIR}") # of bus/plugins_find.c
  target_compile_options(${target} PRIVATE -fno-lto -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
    $<TARGET_PROPERTY:warpscope_flags,INTERFACE_COMPILE_OPTIONS>)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
endfunction()

# The paths of the sources of some targets.
function(warpscope_sources_of out)
  set(sources "")
  foreach(part IN LISTS ARGN)
    get_target_property(part_sources ${part} SOURCES)
    get_target_property(folder ${part} SOURCE_DIR)
    foreach(source IN LISTS part_sources)
      get_filename_component(source ${source} ABSOLUTE BASE_DIR ${folder})
      list(APPEND sources ${source})
    endforeach()
  endforeach()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

warpscope_sources_of(sources warpscope_core warpscope warpscope_format warpscope_log warpscope_text)
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
warpscope_compile_for_others(warpscope_objects)

set(names_file ${PROJECT_SOURCE_DIR}/cmake/exported_names.txt)
file(STRINGS ${names_file} names)
list(JOIN names "; " names)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/warpscope.map CONTENT "{ global: @names@; local: *; };\n"
  @ONLY)

# Makes <name>_static of the object library <name>_objects: one object of all objects, in which only
# the public names are seen from outside.
function(warpscope_static_library name)
  set(whole ${CMAKE_CURRENT_BINARY_DIR}/${name}_whole.o)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -fno-lto -o ${whole} $<TARGET_OBJECTS:${name}_objects>
    COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbols=${names_file} ${whole} ${object}
    COMMAND ${CMAKE_COMMAND} -E rm ${whole}
    DEPENDS ${name}_objects $<TARGET_OBJECTS:${name}_objects> ${names_file}
    COMMENT "Hiding the inner names of ${name}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_library(${name}_static STATIC ${excluded} ${object})
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set_target_properties(${name}_static PROPERTIES LINKER_LANGUAGE C)
endfunction()

# Makes <name>_shared of the object library <name>_objects, with the public names only. The interface
# may change with each minor version until 1.0.
function(warpscope_shared_library name)
  add_library(${name}_shared SHARED ${excluded} $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name}_shared PROPERTIES LINKER_LANGUAGE C
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    INTERPROCEDURAL_OPTIMIZATION OFF LINK_DEPENDS ${names_file})
  target_link_options(${name}_shared PRIVATE -fno-lto
    LINKER:--version-script,${CMAKE_CURRENT_BINARY_DIR}/warpscope.map)
  if(NOT WARPSCOPE_SANITIZE)
    target_link_options(${name}_shared PRIVATE LINKER:-z,defs)
  endif()
endfunction()

warpscope_static_library(warpscope)
set_target_properties(warpscope_static PROPERTIES EXPORT_NAME static)
target_link_libraries(warpscope_static INTERFACE ${system_libraries}
  "$<BUILD_INTERFACE:${needed};Threads::Threads>"
  $<INSTALL_INTERFACE:PkgConfig::WARPSCOPE_STATIC> $<INSTALL_INTERFACE:Threads::Threads>)

warpscope_shared_library(warpscope)
set_target_properties(warpscope_shared PROPERTIES EXPORT_NAME shared)
target_link_libraries(warpscope_shared PRIVATE MPI::MPI_C Threads::Threads ${needed}
  ${system_libraries})

# The bus alone, for programs that are no simulations: without MPI.
warpscope_sources_of(bus_sources warpscope_bus)
add_library(warpscope_bus_objects OBJECT ${excluded} ${bus_sources})
target_include_directories(warpscope_bus_objects PRIVATE ${public_folders} ${PROJECT_SOURCE_DIR})
target_link_libraries(warpscope_bus_objects PRIVATE Threads::Threads PkgConfig::XXHASH)
warpscope_compile_for_others(warpscope_bus_objects)
warpscope_static_library(warpscope_bus)
warpscope_shared_library(warpscope_bus)
set_target_properties(warpscope_bus_static PROPERTIES EXPORT_NAME bus_static)
set_target_properties(warpscope_bus_shared PROPERTIES EXPORT_NAME bus)
target_link_libraries(warpscope_bus_static INTERFACE ${CMAKE_DL_LIBS} -pthread)
target_link_libraries(warpscope_bus_shared PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)

# The loggers alone, for tools that do not link the simulator.
warpscope_sources_of(logger_sources warpscope_log warpscope_text)
add_library(warpscope_loggers STATIC ${excluded} ${logger_sources})
target_include_directories(warpscope_loggers PRIVATE ${PROJECT_SOURCE_DIR}/instrumentation
  ${PROJECT_SOURCE_DIR})
warpscope_compile_for_others(warpscope_loggers)
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
