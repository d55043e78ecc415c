# cmake --install: headers, libraries, find_package(terrane) and pkg-config.
include(CMakePackageConfigHelpers)

install(TARGETS terrane_chunks terrane_mesher EXPORT terraneTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY chunks/include/terrane mesher/include/terrane
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT terraneTargets NAMESPACE terrane::
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/terrane)
configure_package_config_file(cmake/terraneConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/terraneConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/terrane)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/terraneConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/terraneConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/terraneConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/terrane)

# The .pc file finds its prefix from where it lies, so that an installed tree may be moved and --prefix may come late.
file(RELATIVE_PATH TERRANE_PC_PREFIX
    /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/terrane.pc.in ${CMAKE_CURRENT_BINARY_DIR}/terrane.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/terrane.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
