# SPDX-License-Identifier: BSD-3-Clause
# warpscope_command_pages(<target> <name> <option>): lets a program of its own, <name>, print its manual page and
# completions by <option>=FORM, where FORM is roff or a shell. Installs them beside those of the reader.
include(GNUInstallDirs)
function(warpscope_command_pages target name option)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    return()
  endif()
  set(pages ${CMAKE_CURRENT_BINARY_DIR}/share)
  set(files "")
  foreach(page roff:man/man1/${name}.1 bash:bash-completion/completions/${name}
      zsh:zsh/site-functions/_${name} fish:fish/vendor_completions.d/${name}.fish)
    string(REPLACE ":" ";" page "${page}")
    list(GET page 0 form)
    list(GET page 1 file)
    get_filename_component(folder ${pages}/${file} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${pages}/${file}
      COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${target}> ${option}=${form} > ${pages}/${file}
      DEPENDS ${target} VERBATIM)
    list(APPEND files ${pages}/${file})
  endforeach()
  add_custom_target(${target}_pages ALL DEPENDS ${files})
  install(DIRECTORY ${pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT cuda)
  foreach(folder bash-completion zsh fish)
    install(DIRECTORY ${pages}/${folder} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR} COMPONENT cuda)
  endforeach()
  # In /usr, zsh of Debian reads this directory instead of site-functions.
  install(FILES ${pages}/zsh/site-functions/_${name}
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/vendor-completions COMPONENT cuda)
endfunction()
