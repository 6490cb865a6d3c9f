# The library that programs of others link, shared and static: engine, instrumentation, file format
# and loggers in one. It is compiled apart from what the programs of this tree link: position
# independent, so that it may become part of a shared library; without link-time optimisation, so
# that any compiler can link it; and with the names of the public headers only, so that a model may
# call its own functions as it likes.
#
# Results: Warpscope::warpscope and ROSS::ROSS for a project that includes this one, the static
# library unless its BUILD_SHARED_LIBS is on; warpscope_static, warpscope_shared, warpscope_loggers.

set(excluded EXCLUDE_FROM_ALL)
if(WARPSCOPE_INSTALL)
  set(excluded "")
endif()

# Gives a target the compiler's view of the library.
function(warpscope_compile_for_others target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
    INTERPROCEDURAL_OPTIMIZATION OFF)
  target_compile_options(${target} PRIVATE -fno-lto -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
    $<TARGET_PROPERTY:warpscope_flags,INTERFACE_COMPILE_OPTIONS>)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
endfunction()

set(sources "")
foreach(part warpscope_core warpscope warpscope_format warpscope_log)
  get_target_property(part_sources ${part} SOURCES)
  get_target_property(folder ${part} SOURCE_DIR)
  foreach(source IN LISTS part_sources)
    get_filename_component(source ${source} ABSOLUTE BASE_DIR ${folder})
    list(APPEND sources ${source})
  endforeach()
endforeach()

add_library(warpscope_objects OBJECT ${excluded} ${sources})
set(public_folders ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/instrumentation
  ${PROJECT_BINARY_DIR}/include)
target_include_directories(warpscope_objects PRIVATE ${public_folders})
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

# One object of all objects, in which only the public names are seen from outside.
set(names_file ${PROJECT_SOURCE_DIR}/cmake/exported_names.txt)
set(whole ${CMAKE_CURRENT_BINARY_DIR}/whole.o)
set(object ${CMAKE_CURRENT_BINARY_DIR}/warpscope.o)
add_custom_command(OUTPUT ${object}
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -fno-lto -o ${whole} $<TARGET_OBJECTS:warpscope_objects>
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbols=${names_file} ${whole} ${object}
  COMMAND ${CMAKE_COMMAND} -E rm ${whole}
  DEPENDS warpscope_objects $<TARGET_OBJECTS:warpscope_objects> ${names_file}
  COMMENT "Hiding the inner names of the library"
  COMMAND_EXPAND_LISTS VERBATIM)
add_library(warpscope_static STATIC ${excluded} ${object})
set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
set_target_properties(warpscope_static PROPERTIES LINKER_LANGUAGE C EXPORT_NAME static)
target_link_libraries(warpscope_static INTERFACE ${system_libraries}
  "$<BUILD_INTERFACE:${needed};Threads::Threads>"
  $<INSTALL_INTERFACE:PkgConfig::WARPSCOPE_STATIC> $<INSTALL_INTERFACE:Threads::Threads>)

# The interface may change with each minor version until 1.0.
add_library(warpscope_shared SHARED ${excluded} $<TARGET_OBJECTS:warpscope_objects>)
set_target_properties(warpscope_shared PROPERTIES LINKER_LANGUAGE C EXPORT_NAME shared
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  INTERPROCEDURAL_OPTIMIZATION OFF LINK_DEPENDS ${names_file})
file(STRINGS ${names_file} names)
list(JOIN names "; " names)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/warpscope.map CONTENT "{ global: @names@; local: *; };\n"
  @ONLY)
target_link_options(warpscope_shared PRIVATE -fno-lto
  LINKER:--version-script,${CMAKE_CURRENT_BINARY_DIR}/warpscope.map)
if(NOT WARPSCOPE_SANITIZE)
  target_link_options(warpscope_shared PRIVATE LINKER:-z,defs)
endif()
target_link_libraries(warpscope_shared PRIVATE MPI::MPI_C Threads::Threads ${needed}
  ${system_libraries})

# The loggers alone, for tools that do not link the simulator.
get_target_property(logger_sources warpscope_log SOURCES)
add_library(warpscope_loggers STATIC ${excluded} ${logger_sources})
target_include_directories(warpscope_loggers PRIVATE ${PROJECT_SOURCE_DIR}/instrumentation)
warpscope_compile_for_others(warpscope_loggers)
set_target_properties(warpscope_loggers PROPERTIES EXPORT_NAME log)

foreach(kind static shared)
  set_target_properties(warpscope_${kind} PROPERTIES OUTPUT_NAME warpscope
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
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
set(Warpscope_MPI_ENV "${WARPSCOPE_MPI_ENV}" CACHE INTERNAL
  "Environment with which the MPI launcher works as root and with more ranks than cores")
