# cmake --install: libraries, headers, find_package(terrane), pkg-config, documents and examples. Programs install themselves. Components:
# runtime, runtime_save, runtime_shared and runtime_import (shared libraries), development, development_save (of all in save/), programs, viewer,
# bench, documentation.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/terrane)

# terrane_install_libraries(export suffix development headers parts...): libraries of one export set, by kind, with their headers.
# suffix: of the component of the shared ones
function(terrane_install_libraries export suffix development headers)
    install(DIRECTORY ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT ${development} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
    foreach(kind ${TERRANE_INSTALL_KINDS})
        list(TRANSFORM ARGN REPLACE "(.+)" "terrane_\\1_${kind}" OUTPUT_VARIABLE targets)
        install(TARGETS ${targets} EXPORT terrane-${export}-${kind}
            RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime${suffix}
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime${suffix} NAMELINK_COMPONENT ${development}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${development})
        install(EXPORT terrane-${export}-${kind} NAMESPACE terrane:: DESTINATION ${package_folder} COMPONENT ${development})
    endforeach()
endfunction()

# Each library of save/ is an export set of its own, so that a game without it need not have what it links.
set(TERRANE_COMPONENTS chunks mesher)
terrane_install_libraries(base "" development "chunks/include/terrane;mesher/include/terrane" chunks mesher)
set(TERRANE_COMPONENT_PACKAGES "")
foreach(part save:save shared:save/shared import:save/import)
    string(REPLACE ":" ";" part ${part})
    list(GET part 1 folder)
    list(GET part 0 part)
    string(TOUPPER ${part} upper)
    if(TERRANE_BUILD_${upper})
        list(APPEND TERRANE_COMPONENTS ${part})
        terrane_install_libraries(${part} _${part} development_save ${folder}/include/terrane ${part})
        get_property(TERRANE_${upper}_PACKAGES GLOBAL PROPERTY TERRANE_${upper}_PACKAGES)
        string(APPEND TERRANE_COMPONENT_PACKAGES "set(terrane_${part}_PACKAGES ${TERRANE_${upper}_PACKAGES})\n")
    endif()
endforeach()

configure_package_config_file(cmake/terraneConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/terraneConfig.cmake
    INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/terraneConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/terraneConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/terraneConfigVersion.cmake
    DESTINATION ${package_folder} COMPONENT development)

# What debuggers show of the library's types: docs/debugging.md. A game that has only the libraries' folders goes without.
if(EXISTS ${PROJECT_SOURCE_DIR}/packaging/debug)
    install(FILES packaging/debug/terrane_gdb.py packaging/debug/terrane.natvis DESTINATION ${CMAKE_INSTALL_DATADIR}/terrane
        COMPONENT development)
endif()

# A .pc file finds its prefix from its own folder, so that an installed tree may be moved and --prefix may come late. What the static library
# needs is private where a shared library is installed, and otherwise public: then users need not write pkg-config --static.
file(RELATIVE_PATH TERRANE_PC_PREFIX
    /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(TERRANE_PC_PRIVATE_LIBS "-lm -pthread")
set(TERRANE_PC_LIBS "")
if(NOT shared IN_LIST TERRANE_INSTALL_KINDS)
    set(TERRANE_PC_LIBS " ${TERRANE_PC_PRIVATE_LIBS}")
    set(TERRANE_PC_PRIVATE_LIBS "")
endif()

# terrane_pkg_config(name template component)
function(terrane_pkg_config name template component)
    configure_file(cmake/${template} ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endfunction()

# terrane_pkg_config_part(part below about): a library of save/, with the library of ours that it links.
function(terrane_pkg_config_part part below about)
    string(TOUPPER ${part} upper)
    if(TERRANE_BUILD_${upper})
        # A package that is required brings its include folders. Those of libpq are not needed, so its library is named instead.
        set(packages ${TERRANE_${upper}_PACKAGES})
        list(FILTER packages EXCLUDE REGEX "^PQ:")
        set(libs "")
        set(private_libs "")
        if(NOT packages STREQUAL "${TERRANE_${upper}_PACKAGES}")
            set(private_libs -lpq)
        endif()
        list(TRANSFORM packages REPLACE ".*:(.+):(.+)" "\\1 >= \\2" OUTPUT_VARIABLE requires)
        list(JOIN requires ", " private_requires)
        set(requires "")
        if(NOT shared IN_LIST TERRANE_INSTALL_KINDS)
            if(packages)
                set(requires ", ${private_requires}")
            endif()
            set(private_requires "")
            set(libs " ${private_libs}")
            set(private_libs "")
        endif()
        terrane_pkg_config(terrane-${part} terrane-part.pc.in development_save)
    endif()
endfunction()

terrane_pkg_config(terrane terrane.pc.in development)
terrane_pkg_config(terrane-chunks terrane-chunks.pc.in development)
terrane_pkg_config_part(save chunks "with worlds in files")
terrane_pkg_config_part(shared save "with worlds in databases")
terrane_pkg_config_part(import save "with worlds of other games")

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation
    FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg" PATTERN "*.flight")
install(DIRECTORY assets/imports assets/blocks DESTINATION ${CMAKE_INSTALL_DOCDIR}/assets COMPONENT documentation)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation
    FILES_MATCHING PATTERN "*.c" PATTERN "*.cpp" PATTERN "*.hpp")
