# SPDX-License-Identifier: BSD-3-Clause
# Finds MPI and what its launcher needs on this machine.
#
# WARPSCOPE_MPI chooses between several MPIs (openmpi, mpich); empty takes the system's default.
# Results: MPI::MPI_C, MPIEXEC_EXECUTABLE, MPIEXEC_NUMPROC_FLAG as of FindMPI;
# WARPSCOPE_MPI_KIND (openmpi, mpich, other); WARPSCOPE_MPI_ENV, environment settings NAME=VALUE with
# which the launcher works as root and with more ranks than cores; and the script mpirun in the
# build directory, which is the launcher with these settings.

set(WARPSCOPE_MPI "" CACHE STRING "MPI to build with: openmpi or mpich; empty: the system's default")
set_property(CACHE WARPSCOPE_MPI PROPERTY STRINGS "" openmpi mpich)

# Debian installs mpicc.mpich beside mpicc.openmpi, Fedora one directory for each.
if(WARPSCOPE_MPI)
  set(mpi_folders /usr/lib64/${WARPSCOPE_MPI}/bin /usr/lib/${WARPSCOPE_MPI}/bin
    /opt/${WARPSCOPE_MPI}/bin)
  find_program(MPI_C_COMPILER NAMES mpicc.${WARPSCOPE_MPI})
  find_program(MPI_C_COMPILER NAMES mpicc PATHS ${mpi_folders} NO_DEFAULT_PATH)
  find_program(MPIEXEC_EXECUTABLE NAMES mpiexec.${WARPSCOPE_MPI})
  find_program(MPIEXEC_EXECUTABLE NAMES mpiexec PATHS ${mpi_folders} NO_DEFAULT_PATH)
  if(NOT MPI_C_COMPILER OR NOT MPIEXEC_EXECUTABLE)
    message(FATAL_ERROR "WARPSCOPE_MPI is ${WARPSCOPE_MPI}, but its mpicc and mpiexec are not here. "
      "Debian: apt-get install libopenmpi-dev openmpi-bin, or libmpich-dev mpich")
  endif()
endif()

warpscope_find_global(MPI::MPI_C MPI COMPONENTS C)
if(NOT TARGET MPI::MPI_C OR NOT MPIEXEC_EXECUTABLE)
  message(FATAL_ERROR "No MPI found. Debian: apt-get install libopenmpi-dev openmpi-bin")
endif()

function(warpscope_launcher_kind out)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(text MATCHES "Open ?MPI|OpenRTE|open-mpi|PRRTE")
    set(${out} openmpi PARENT_SCOPE)
  elseif(text MATCHES "HYDRA|MPICH")
    set(${out} mpich PARENT_SCOPE)
  else()
    set(${out} other PARENT_SCOPE)
  endif()
endfunction()

function(warpscope_library_kind out)
  include(CheckSymbolExists)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
  check_symbol_exists(OPEN_MPI mpi.h WARPSCOPE_MPI_IS_OPENMPI)
  check_symbol_exists(MPICH_VERSION mpi.h WARPSCOPE_MPI_IS_MPICH)
  if(WARPSCOPE_MPI_IS_OPENMPI)
    set(${out} openmpi PARENT_SCOPE)
  elseif(WARPSCOPE_MPI_IS_MPICH)
    set(${out} mpich PARENT_SCOPE)
  else()
    set(${out} other PARENT_SCOPE)
  endif()
endfunction()

warpscope_library_kind(library_kind)
set(WARPSCOPE_MPI_KIND ${library_kind} CACHE INTERNAL "What MPI this is: openmpi, mpich or other")
warpscope_launcher_kind(launcher_kind)
if(NOT launcher_kind STREQUAL WARPSCOPE_MPI_KIND AND NOT launcher_kind STREQUAL "other"
   AND NOT WARPSCOPE_MPI_KIND STREQUAL "other")
  message(FATAL_ERROR "The MPI library is ${WARPSCOPE_MPI_KIND}, but ${MPIEXEC_EXECUTABLE} belongs to "
    "${launcher_kind}: every rank would believe it is alone. "
    "Choose one with -DWARPSCOPE_MPI=openmpi or -DWARPSCOPE_MPI=mpich.")
endif()

# Open MPI refuses root and more ranks than cores unless told (the PRTE names are version 5's). Its
# single-copy transfers need ptrace rights that containers withhold, and it warns at length; our
# messages are far below the size where they pay. MPICH needs nothing.
set(WARPSCOPE_MPI_ENV "")
if(WARPSCOPE_MPI_KIND STREQUAL "openmpi")
  set(WARPSCOPE_MPI_ENV
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    OMPI_MCA_btl_vader_single_copy_mechanism=none)
endif()

# build/mpirun: the launcher with these settings; a setting that is already there wins.
set(script "#!/bin/sh\n# The MPI launcher of this build, made to work as root and with more ranks than cores.\n")
foreach(setting IN LISTS WARPSCOPE_MPI_ENV)
  string(REGEX MATCH "^[^=]+" name "${setting}")
  string(REGEX REPLACE "^[^=]+=" "" value "${setting}")
  string(APPEND script "export ${name}=\"\${${name}-${value}}\"\n")
endforeach()
string(APPEND script "exec \"${MPIEXEC_EXECUTABLE}\" \"$@\"\n")
file(WRITE ${PROJECT_BINARY_DIR}/mpirun "${script}")
file(CHMOD ${PROJECT_BINARY_DIR}/mpirun PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# What Debian calls it.
set(WARPSCOPE_MPI_PACKAGES "libopenmpi-dev openmpi-bin")
if(WARPSCOPE_MPI_KIND STREQUAL "mpich")
  set(WARPSCOPE_MPI_PACKAGES "libmpich-dev mpich")
endif()
message(STATUS "MPI: ${WARPSCOPE_MPI_KIND}, launcher ${MPIEXEC_EXECUTABLE}")
