# The world tool's tests; included by tests/CMakeLists.txt, where terrane_test() is.
terrane_test(map terrane_tool_parts PkgConfig::TERRANE_spng)
terrane_test(export terrane_tool_parts PkgConfig::TERRANE_cjson)
terrane_test(tool terrane::chunks PkgConfig::TERRANE_spng)
target_compile_definitions(test_tool PRIVATE TERRANE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
add_dependencies(test_tool terrane_tool)
set_property(TEST tool APPEND PROPERTY ENVIRONMENT TERRANE_TOOL=$<TARGET_FILE:terrane_tool>)
