# SPDX-License-Identifier: BSD-3-Clause
# Headers by the names that older models include. Each includes ross.h, which has all of it.
set(WARPSCOPE_HISTORIC_HEADERS ross-extern.h ross-types.h ross-inline.h ross-kernel-inline.h
  ross-random.h ross-clock.h ross-gvt.h ross-gvt-internal.h ross-network.h rand-clcg4.h tw-opts.h tw-timing.h
  tw-eventq.h st-instrumentation.h)

# Writes them into a directory, where they are not there yet.
function(warpscope_write_historic_headers folder)
  foreach(name IN LISTS WARPSCOPE_HISTORIC_HEADERS)
    file(CONFIGURE OUTPUT ${folder}/${name} @ONLY
      CONTENT "/* ${name} - older models include this for what ross.h has. */\n#include \"ross.h\"\n")
  endforeach()
endfunction()
