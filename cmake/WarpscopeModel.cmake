# SPDX-License-Identifier: BSD-3-Clause
# Adds the model `name` from the current directory. All its files except main.c become a library,
# NAME_model, which does not link the engine. Unit tests of the library can therefore run without an
# engine, or replace the engine by a fake.
function(add_model name)
  file(GLOB sources CONFIGURE_DEPENDS *.c)
  list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/main.c)
  add_library(${name}_model STATIC ${sources})
  target_include_directories(${name}_model PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}
    PRIVATE ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/instrumentation
    ${PROJECT_BINARY_DIR}/include)
  target_link_libraries(${name}_model PUBLIC MPI::MPI_C m models_common warpscope_text warpscope_files
    PRIVATE warpscope_flags)
  add_executable(${name} main.c)
  target_link_libraries(${name} PRIVATE ${name}_model warpscope warpscope_flags)
endfunction()
