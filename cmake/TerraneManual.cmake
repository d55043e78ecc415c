# terrane_manual(target name component): installs the manual page of a program and its completion for bash. The program prints both from its
# table of options (common/options.h) when it is installed; built for another system, it has neither.
find_program(TERRANE_GZIP gzip)
mark_as_advanced(TERRANE_GZIP)

function(terrane_manual target name component)
    if(NOT TERRANE_INSTALL OR NOT TERRANE_GZIP OR CMAKE_CROSSCOMPILING)
        return()
    endif()
    set(page ${CMAKE_CURRENT_BINARY_DIR}/${name}.1.gz)
    set(completion ${CMAKE_CURRENT_BINARY_DIR}/${name}.bash)
    install(CODE "execute_process(COMMAND \"$<TARGET_FILE:${target}>\" --print-manual COMMAND \"${TERRANE_GZIP}\" -9n OUTPUT_FILE \"${page}\")
        execute_process(COMMAND \"$<TARGET_FILE:${target}>\" --print-completion OUTPUT_FILE \"${completion}\")"
        COMPONENT ${component})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component} OPTIONAL)
    install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${name}
        COMPONENT ${component} OPTIONAL)
endfunction()
