# SPDX-License-Identifier: BSD-3-Clause
# -DWARPSCOPE_READER_ONLY=ON: the command "warpscope" and its manual pages, for machines that read
# recordings and run no simulations. The engine, the models and the libraries need MPI; they are left
# out, whatever the other options say. Of the component CUDA there is "warpscope memtrace".
set(WARPSCOPE_TOOLS ON)
foreach(part MODELS BENCH TESTS INSTALL FUZZ)
  set(WARPSCOPE_${part} OFF)
endforeach()
