# SPDX-License-Identifier: BSD-3-Clause
# Compiler flags of our own code: warnings, sanitizers, link-time optimisation.

# Every rank, scheduler and compiler must compute the same bits: no contraction to fused operations.
add_compile_options(-ffp-contract=off)

# Programs name sources from the top of the tree, so that the same sources give the same files in any directory.
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)

add_library(warpscope_flags INTERFACE)
target_compile_options(warpscope_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef)
if(WARPSCOPE_WERROR)
  target_compile_options(warpscope_flags INTERFACE -Werror)
endif()

# For tables whose rows leave out their last members, such as those of options. To be linked after
# warpscope_flags: clang obeys the last option.
add_library(warpscope_table_flags INTERFACE)
target_compile_options(warpscope_table_flags INTERFACE -Wno-missing-field-initializers)

# For files of a room that are compiled as one (warpscope_join_rooms): variables of one may have the names of functions of
# another. To be linked after warpscope_flags, too.
add_library(warpscope_room_flags INTERFACE)
target_compile_options(warpscope_room_flags INTERFACE -Wno-shadow)

# Sanitizers are for every target, or else memory passed between our libraries goes unchecked. The
# leak checker needs ptrace rights, which some containers withhold.
if(WARPSCOPE_SANITIZE)
  set(sanitize -fsanitize=address,undefined)
  add_compile_options(${sanitize} -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1)
  add_link_options(${sanitize})
  add_library(warpscope_sanitizer_defaults OBJECT
    ${PROJECT_SOURCE_DIR}/tests/support/sanitizer_defaults.c)
  link_libraries(
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:$<TARGET_OBJECTS:warpscope_sanitizer_defaults>>)

  include(CheckCSourceRuns)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=address)
  check_c_source_runs("int main(void) { return 0; }" WARPSCOPE_LEAK_CHECKER_RUNS)
  unset(CMAKE_REQUIRED_FLAGS)
endif()

# Two threads share the rings, the write queue and the bus of programs that are no simulations. MPI
# libraries are not instrumented, so only tests without MPI run in this build (./check --long).
if(WARPSCOPE_SANITIZE_THREADS)
  if(WARPSCOPE_SANITIZE)
    message(FATAL_ERROR "ThreadSanitizer does not work with AddressSanitizer: set either "
      "WARPSCOPE_SANITIZE or WARPSCOPE_SANITIZE_THREADS to OFF.")
  endif()
  add_compile_options(-fsanitize=thread -g1)
  add_link_options(-fsanitize=thread)
endif()

# Lines and branches that tests execute: build, run ctest, then build the target coverage.
if(WARPSCOPE_COVERAGE)
  add_compile_options(--coverage -O0 -g1)
  add_link_options(--coverage)
  find_program(WARPSCOPE_GCOVR gcovr)
  if(WARPSCOPE_GCOVR)
    add_custom_target(coverage
      COMMAND ${WARPSCOPE_GCOVR} --root ${PROJECT_SOURCE_DIR} --object-directory ${PROJECT_BINARY_DIR}
        --filter "(text|store|core|instrumentation|reader|models)/" --exclude ".*/tests/" --print-summary
        --html-details ${PROJECT_BINARY_DIR}/coverage.html
      WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM)
  else()
    add_custom_target(coverage
      COMMAND ${CMAKE_COMMAND} -E echo "coverage needs gcovr (Debian: apt-get install gcovr)"
      COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  endif()
endif()

# Link-time optimisation of the programs. gcc's objects keep ordinary code as well, so that the many
# test programs link without it (see tests/CMakeLists.txt).
include(CheckIPOSupported)
check_ipo_supported(RESULT warpscope_lto_supported LANGUAGES C OUTPUT warpscope_lto_output)
if(warpscope_lto_supported AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT WARPSCOPE_SANITIZE
    AND NOT WARPSCOPE_SANITIZE_THREADS AND NOT WARPSCOPE_COVERAGE)
  set(warpscope_lto_default ON)
else()
  set(warpscope_lto_default OFF)
endif()
option(WARPSCOPE_LTO "Optimise at link time" ${warpscope_lto_default})
set(WARPSCOPE_LTO_PROGRAM "" CACHE STRING
  "With gcc: optimise this program alone at link time, which takes a while for each; empty: all")
set(WARPSCOPE_LTO_LIBRARIES "" CACHE STRING "Of its libraries, optimise these with it; empty: all")
if(WARPSCOPE_LTO AND NOT (WARPSCOPE_LTO_PROGRAM AND CMAKE_C_COMPILER_ID STREQUAL "GNU"))
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()
if(WARPSCOPE_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-ffat-lto-objects)
  if(WARPSCOPE_LTO_PROGRAM)
    add_link_options(
      $<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:NAME>,${WARPSCOPE_LTO_PROGRAM}>>:-fno-lto>)
  endif()
endif()

# warpscope_optimise_at_link_time(<program>): it and the libraries that it links, or those of WARPSCOPE_LTO_LIBRARIES among
# them, by gcc where WARPSCOPE_LTO_PROGRAM names the program.
function(warpscope_optimise_at_link_time target)
  if(target IN_LIST WARPSCOPE_LTO_PROGRAM OR NOT WARPSCOPE_LTO_LIBRARIES OR target IN_LIST WARPSCOPE_LTO_LIBRARIES)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
  endif()
  get_target_property(libraries ${target} LINK_LIBRARIES)
  foreach(library IN LISTS libraries)
    if(TARGET ${library} AND NOT library MATCHES "::")
      warpscope_optimise_at_link_time(${library})
    endif()
  endforeach()
endfunction()
