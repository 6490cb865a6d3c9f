# SPDX-License-Identifier: BSD-3-Clause
# Runs PROGRAM sequentially, and optimistically on two ranks with forced rollbacks; the fingerprints
# of all committed events and of the final states must be equal.

# fingerprints(<variable> <ranks> <option>...)
function(fingerprints variable ranks)
  execute_process(COMMAND ${MPIEXEC} ${ranks} ${PROGRAM} ${ARGN} --fingerprint --quiet
    OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE status)
  string(REGEX MATCHALL "Fingerprint +[0-9a-f]+" lines "${output}")
  list(LENGTH lines n)
  if(NOT status EQUAL 0 OR NOT n EQUAL 2)
    message(FATAL_ERROR "${ARGN} on ${ranks} ranks ended with ${status}:\n${output}${errors}")
  endif()
  set(${variable} "${lines}" PARENT_SCOPE)
endfunction()

fingerprints(sequential 1 --synch=1)
fingerprints(optimistic 2 --synch=3 --random-rollbacks=4)
message("sequential: ${sequential}\noptimistic: ${optimistic}")
if(NOT sequential STREQUAL optimistic)
  message(FATAL_ERROR "The runs differ: is everything undone in the reverse handler?")
endif()
