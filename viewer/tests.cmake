# The viewer's tests; included by tests/CMakeLists.txt, where terrane_test() is.
terrane_test(culling terrane_viewer_parts)
terrane_test(debris terrane_debris m)
terrane_test(look terrane_viewer_parts)
terrane_test(series terrane_viewer_parts)
terrane_test(player terrane_viewer_parts)
terrane_test(skyline terrane_viewer_parts)
terrane_test(textures terrane_viewer_parts)
terrane_test(viewer terrane_viewer_parts)
terrane_test(viewer_files terrane_viewer_parts)
terrane_test(viewer_world terrane_viewer_parts)
set_target_properties(test_culling test_look test_player test_series test_skyline test_textures test_viewer test_viewer_files test_viewer_world PROPERTIES LINKER_LANGUAGE CXX)
set_tests_properties(viewer_world PROPERTIES LABELS threads)

# Digging and building.
terrane_test(hand terrane_viewer_parts)
set_target_properties(test_hand PROPERTIES LINKER_LANGUAGE CXX)

# Tests that draw, under a virtual display. terrane_gl_test(unit libraries...)
function(terrane_gl_test unit)
    add_executable(test_${unit} test_${unit}.c)
    terrane_target(test_${unit})
    target_link_libraries(test_${unit} PRIVATE ${ARGN} cmocka)
    add_test(NAME ${unit} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_viewer_flight.sh
        $<TARGET_FILE:test_${unit}> $<TARGET_FILE:terrane-viewer> ${CMAKE_CURRENT_SOURCE_DIR}/lsan.supp)
    set_tests_properties(${unit} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 LABELS gl)
endfunction()

terrane_gl_test(viewer_flight terrane::chunks PkgConfig::TERRANE_spng)
terrane_gl_test(viewer_gl terrane_viewer_parts)
set_target_properties(test_viewer_gl PROPERTIES LINKER_LANGUAGE CXX)
if(TERRANE_SANITIZER STREQUAL "address")
    target_sources(test_viewer_gl PRIVATE keep_loaded.c)
endif()
