# SPDX-License-Identifier: BSD-3-Clause
# cmake -DCOMMAND=... -DPAGE=... -DVERSION=... [-DEMULATOR=...] -P OptionsPage.cmake: makes the manual page
# warpscope-options(7) of the page that a model without options of its own prints.
execute_process(COMMAND ${EMULATOR} ${COMMAND} OUTPUT_VARIABLE text RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${COMMAND}: ${status}")
endif()
string(REPLACE ".TH model 1\n" ".TH \"WARPSCOPE\\-OPTIONS\" \"7\" \"\" \"Warpscope ${VERSION}\" \"Warpscope\"\n" text "${text}")
string(REPLACE "\nmodel \\- a simulation" "\nwarpscope\\-options \\- options of a simulation" text "${text}")
file(WRITE ${PAGE} "${text}")
