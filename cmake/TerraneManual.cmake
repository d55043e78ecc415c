# terrane_manual(target name component about): installs the manual page of a program, which help2man writes from its --help when the
# program is installed. Without help2man, or built for another system, a program has no manual page.
find_program(TERRANE_HELP2MAN help2man)

function(terrane_manual target name component about)
    if(NOT TERRANE_INSTALL OR NOT TERRANE_HELP2MAN OR CMAKE_CROSSCOMPILING)
        return()
    endif()
    set(page ${CMAKE_CURRENT_BINARY_DIR}/${name}.1.gz)
    install(CODE "execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/packaging/manual.sh\" \"$<TARGET_FILE:${target}>\" \"${about}\" \"${page}\")"
        COMPONENT ${component})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component} OPTIONAL)
endfunction()
