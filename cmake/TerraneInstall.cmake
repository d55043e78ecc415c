# cmake --install: libraries, headers, find_package(terrane), pkg-config, documents and examples. Programs install themselves. Components:
# runtime (shared libraries), development, programs, viewer, bench, documentation.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/terrane)

# The libraries of terrane::save are their own export, so that a game without it need not have what it needs.
set(TERRANE_COMPONENTS chunks mesher)
if(TERRANE_BUILD_SAVE)
    list(APPEND TERRANE_COMPONENTS save)
    get_property(TERRANE_SAVE_PACKAGES GLOBAL PROPERTY TERRANE_SAVE_PACKAGES)
    list(REMOVE_DUPLICATES TERRANE_SAVE_PACKAGES)
endif()
foreach(kind ${TERRANE_INSTALL_KINDS})
    if(TERRANE_BUILD_SAVE)
        install(TARGETS terrane_save_${kind} EXPORT terrane-save-${kind}
            RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
        install(EXPORT terrane-save-${kind} NAMESPACE terrane:: DESTINATION ${package_folder} COMPONENT development)
    endif()
    install(TARGETS terrane_chunks_${kind} terrane_mesher_${kind} EXPORT terrane-${kind}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
    install(EXPORT terrane-${kind} NAMESPACE terrane:: DESTINATION ${package_folder} COMPONENT development)
endforeach()
set(headers chunks/include/terrane mesher/include/terrane)
if(TERRANE_BUILD_SAVE)
    list(APPEND headers save/include/terrane)
endif()
install(DIRECTORY ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

configure_package_config_file(cmake/terraneConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/terraneConfig.cmake
    INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/terraneConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/terraneConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/terraneConfigVersion.cmake
    DESTINATION ${package_folder} COMPONENT development)

# A .pc file finds its prefix from its own folder, so that an installed tree may be moved and --prefix may come late. What the static library
# needs is private where a shared library is installed, and otherwise public: then users need not write pkg-config --static.
file(RELATIVE_PATH TERRANE_PC_PREFIX
    /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(TERRANE_PC_PRIVATE_LIBS "-lm -pthread")
set(TERRANE_PC_LIBS "")
string(REGEX REPLACE "[A-Z0-9]+:([^:;]+):([^;]+)" "\\1 >= \\2" TERRANE_PC_SAVE_PRIVATE_REQUIRES "${TERRANE_SAVE_PACKAGES}")
string(REPLACE ";" ", " TERRANE_PC_SAVE_PRIVATE_REQUIRES "${TERRANE_PC_SAVE_PRIVATE_REQUIRES}")
set(TERRANE_PC_SAVE_REQUIRES "")
if(NOT shared IN_LIST TERRANE_INSTALL_KINDS)
    set(TERRANE_PC_LIBS " ${TERRANE_PC_PRIVATE_LIBS}")
    set(TERRANE_PC_PRIVATE_LIBS "")
    set(TERRANE_PC_SAVE_REQUIRES ", ${TERRANE_PC_SAVE_PRIVATE_REQUIRES}")
    set(TERRANE_PC_SAVE_PRIVATE_REQUIRES "")
endif()
set(pc_files terrane.pc terrane-chunks.pc)
if(TERRANE_BUILD_SAVE)
    list(APPEND pc_files terrane-save.pc)
endif()
foreach(file ${pc_files})
    configure_file(cmake/${file}.in ${CMAKE_CURRENT_BINARY_DIR}/${file} @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation
    FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg" PATTERN "*.flight")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation
    FILES_MATCHING PATTERN "*.c" PATTERN "*.cpp")
