# SPDX-License-Identifier: BSD-3-Clause
# How libraries for programs of others are made. The caller sets, before it calls the functions:
#
#     names_file   the public names, one pattern per line
#     map_file     the version script of the linker with the same names
#     excluded     EXCLUDE_FROM_ALL, or empty

set(WARPSCOPE_LIBRARY_OPTIONS "" CACHE STRING
  "Further options of the compiler for what only libraries of other programs hold")

# warpscope_compile_for_others(<target> [option...]): gives a target the compiler's view of the library.
function(warpscope_compile_for_others target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
    INTERPROCEDURAL_OPTIMIZATION OFF)
  target_compile_definitions(${target} PRIVATE
    WARPSCOPE_LIBRARY_FOLDER="${CMAKE_INSTALL_LIBDIR}") # of bus/tables/plugins.c
  target_compile_options(${target} PRIVATE -fno-lto
    $<TARGET_PROPERTY:warpscope_flags,INTERFACE_COMPILE_OPTIONS>)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
  target_compile_options(${target} PRIVATE ${ARGN})
endfunction()

# warpscope_group_rooms(<target>): where the target is compiled by unity builds, the files of a room are compiled as one, but for
# those rooms whose files use one name for different things, or change how headers are compiled.
function(warpscope_group_rooms target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    # The group names the file that is compiled, which libraries name in turn.
    get_filename_component(room ${source} ABSOLUTE BASE_DIR ${folder})
    get_filename_component(room ${room} DIRECTORY)
    file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${room})
    if(NOT room MATCHES "/(checks|cli|column|describe|export|info|sample|sources|tables|task|trace|viewers|vt)$")
      string(MAKE_C_IDENTIFIER ${room} group)
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()

# warpscope_join_rooms(<target> [option...]): compiles the files of each room as one, which takes half of the time. Other builds
# or targets are of the same files, each by itself and with all warnings.
function(warpscope_join_rooms target)
  warpscope_group_rooms(${target})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE=)
  target_compile_options(${target} PRIVATE ${ARGN})
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

# Sets <out> to libraries whose objects are those of the parts (warpscope_text, ...), compiled for others:
# each part once, whatever number of libraries hold it. With sanitizers they are the parts themselves.
function(warpscope_parts_for_others out)
  set(parts "")
  foreach(part IN LISTS ARGN)
    if(WARPSCOPE_SANITIZE)
      set_target_properties(${part} PROPERTIES POSITION_INDEPENDENT_CODE ON)
      list(APPEND parts ${part})
      continue()
    endif()
    list(APPEND parts ${part}_for_others)
    if(TARGET ${part}_for_others)
      continue()
    endif()
    warpscope_sources_of(sources ${part})
    add_library(${part}_for_others OBJECT EXCLUDE_FROM_ALL ${sources})
    target_include_directories(${part}_for_others PRIVATE ${PROJECT_SOURCE_DIR}/instrumentation
      ${PROJECT_SOURCE_DIR})
    target_link_libraries(${part}_for_others PRIVATE PkgConfig::LZ4 PkgConfig::XXHASH)
    warpscope_compile_for_others(${part}_for_others ${WARPSCOPE_LIBRARY_OPTIONS})
    warpscope_join_rooms(${part}_for_others -w)
  endforeach()
  set(${out} ${parts} PARENT_SCOPE)
endfunction()

# Sets objects to those of the given libraries.
macro(warpscope_objects_of)
  set(objects "")
  foreach(part ${ARGN})
    list(APPEND objects $<TARGET_OBJECTS:${part}>)
  endforeach()
endmacro()

# warpscope_static_library(<name> <library of objects>...): makes <name>_static, one object of all objects,
# in which only the public names are seen from outside.
function(warpscope_static_library name)
  warpscope_objects_of(${ARGN})
  set(whole ${CMAKE_CURRENT_BINARY_DIR}/${name}_whole.o)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -fno-lto -o ${whole} ${objects}
    COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbols=${names_file} ${whole} ${object}
    COMMAND ${CMAKE_COMMAND} -E rm ${whole}
    DEPENDS ${ARGN} ${objects} ${names_file}
    COMMENT "Hiding the inner names of ${name}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_library(${name}_static STATIC ${excluded} ${object})
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set_target_properties(${name}_static PROPERTIES LINKER_LANGUAGE C)
endfunction()

# warpscope_shared_library(<name> <library of objects>...): makes <name>_shared, with the public names only.
# The interface may change with each minor version until 1.0.
function(warpscope_shared_library name)
  warpscope_objects_of(${ARGN})
  add_library(${name}_shared SHARED ${excluded} ${objects})
  set_target_properties(${name}_shared PROPERTIES LINKER_LANGUAGE C
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    INTERPROCEDURAL_OPTIMIZATION OFF LINK_DEPENDS "${names_file};${map_file}")
  target_link_options(${name}_shared PRIVATE -fno-lto
    LINKER:--version-script,${map_file})
  if(NOT WARPSCOPE_SANITIZE)
    target_link_options(${name}_shared PRIVATE LINKER:-z,defs)
  endif()
endfunction()

# Writes the version script <map_file> for the names in <names_file>. version: of the symbols; "": none.
function(warpscope_version_script version)
  file(STRINGS ${names_file} names)
  list(JOIN names "; " names)
  file(CONFIGURE OUTPUT ${map_file} CONTENT "${version} { global: @names@; local: *; };\n" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${names_file})
endfunction()
