# Builds the checkout that it lies in. tools/release.sh puts the release's tarball in place of the next line.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS save_options FEATURES
    save TERRANE_BUILD_SAVE
    shared TERRANE_BUILD_SHARED
    import TERRANE_BUILD_IMPORT)
if("save" IN_LIST FEATURES) # finds its libraries with pkg-config
    vcpkg_find_acquire_program(PKGCONFIG)
    list(APPEND save_options "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}")
endif()
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${save_options}
        -DTERRANE_BUILD_BENCH=OFF
        -DTERRANE_BUILD_EXAMPLES=OFF
        -DTERRANE_BUILD_TESTS=OFF
        -DTERRANE_BUILD_TOOLS=OFF
        -DTERRANE_BUILD_VIEWER=OFF
        -DTERRANE_WITH_NATS=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/terrane)
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
    "${CURRENT_PACKAGES_DIR}/share/doc")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
