# The viewer's tests; included by tests/CMakeLists.txt, where terrane_test() is.
terrane_test(viewer terrane_viewer_parts)
set_target_properties(test_viewer PROPERTIES LINKER_LANGUAGE CXX)

# Mesa's threads are not built for ThreadSanitizer, which would report them.
if(NOT TERRANE_SANITIZER STREQUAL "thread")
    add_executable(test_viewer_flight test_viewer_flight.c)
    terrane_target(test_viewer_flight)
    target_link_libraries(test_viewer_flight PRIVATE terrane::chunks PkgConfig::VIEWER_spng cmocka)
    add_test(NAME viewer_flight COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_viewer_flight.sh
        $<TARGET_FILE:test_viewer_flight> $<TARGET_FILE:terrane-viewer> ${CMAKE_CURRENT_SOURCE_DIR}/lsan.supp)
    set_tests_properties(viewer_flight PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 LABELS gl)
endif()
