# The viewer's tests; included by tests/CMakeLists.txt, where terrane_test() is.

# Dear ImGui and the map that is measured against are C++. terrane_viewer_test(unit libraries...)
function(terrane_viewer_test unit)
    terrane_test(${unit} terrane_viewer_parts ${ARGN})
    set_target_properties(test_${unit} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

terrane_viewer_test(culling)
terrane_test(debris terrane_debris m)
terrane_viewer_test(hand)
terrane_viewer_test(hand_world)
terrane_viewer_test(input m)
terrane_viewer_test(look)
terrane_viewer_test(player)
terrane_viewer_test(quad_layout)
terrane_viewer_test(series)
terrane_viewer_test(settings)
terrane_viewer_test(skyline)
terrane_viewer_test(textures)
terrane_viewer_test(viewer)
terrane_viewer_test(viewer_files)
terrane_viewer_test(viewer_world)
set_tests_properties(hand_world viewer_world PROPERTIES LABELS threads)

# Tests that draw, under a virtual display. terrane_gl_test(unit script libraries...)
function(terrane_gl_test unit script)
    add_executable(test_${unit} test_${unit}.c)
    terrane_target(test_${unit})
    target_link_libraries(test_${unit} PRIVATE ${ARGN} cmocka)
    add_test(NAME ${unit} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/${script}
        $<TARGET_FILE:test_${unit}> $<TARGET_FILE:terrane-viewer> ${CMAKE_CURRENT_SOURCE_DIR}/lsan.supp)
    set_tests_properties(${unit} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77 LABELS gl)
endfunction()

# The same with the viewer's parts in it.
function(terrane_gl_parts_test unit)
    terrane_gl_test(${unit} test_viewer_flight.sh terrane_viewer_parts)
    set_target_properties(test_${unit} PROPERTIES LINKER_LANGUAGE CXX)
    if(TERRANE_SANITIZER STREQUAL "address")
        target_sources(test_${unit} PRIVATE keep_loaded.c)
    endif()
endfunction()

terrane_gl_test(viewer_flight test_viewer_flight.sh terrane::chunks PkgConfig::TERRANE_spng)
# Real keys and a real mouse, by xdotool.
terrane_gl_test(viewer_keys test_viewer_keys.sh terrane::chunks m)
terrane_gl_parts_test(viewer_gl)
terrane_gl_parts_test(hand_gl)
