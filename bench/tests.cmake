# The bench's tests; included by tests/CMakeLists.txt, where terrane_test() is.
terrane_test(contenders terrane_contenders)
target_sources(test_contenders PRIVATE ${PROJECT_SOURCE_DIR}/examples/contender.c)
target_include_directories(test_contenders PRIVATE ${PROJECT_SOURCE_DIR}/bench ${PROJECT_SOURCE_DIR}/chunks)
set_target_properties(test_contenders PROPERTIES LINKER_LANGUAGE CXX)

terrane_test(mesh_peers terrane_mesh_peers)

# terrane_bench_test(unit sources...): a unit of the bench, which is C++.
function(terrane_bench_test unit)
    list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/bench/)
    add_executable(test_${unit} ${CMAKE_CURRENT_SOURCE_DIR}/test_${unit}.cpp ${ARGN})
    terrane_target(test_${unit})
    target_include_directories(test_${unit} PRIVATE ${PROJECT_SOURCE_DIR}/bench)
    target_link_libraries(test_${unit} PRIVATE terrane::chunks cmocka)
    add_test(NAME ${unit} COMMAND test_${unit})
    set_tests_properties(${unit} PROPERTIES TIMEOUT 300)
endfunction()
terrane_bench_test(child child.cpp)
terrane_bench_test(plot plot.cpp output_file.cpp)
terrane_bench_test(trace trace/trace.cpp trace/trace_replay.cpp contenders/defaults.c)

# Contenders that are broken in one way each, for the bench to survive.
set(broken_folder ${CMAKE_CURRENT_BINARY_DIR}/broken)
foreach(fault crashes crashes_in_create crashes_while_loading explains finds_wrongly gathers_too_much lacks_export lacks_find
        leaves_out refuses removes_wrongly takes_too_many version writes_behind)
    string(TOUPPER ${fault} definition)
    add_library(broken_${fault} MODULE ${CMAKE_CURRENT_SOURCE_DIR}/bench/broken_contender.c)
    terrane_target(broken_${fault})
    target_compile_definitions(broken_${fault} PRIVATE BROKEN_${definition})
    target_include_directories(broken_${fault} PRIVATE ${PROJECT_SOURCE_DIR}/bench ${PROJECT_SOURCE_DIR}/chunks/include)
    set_target_properties(broken_${fault} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${broken_folder} PREFIX lib)
    list(APPEND broken_contenders broken_${fault})
endforeach()
if(TARGET contender_example)
    add_test(NAME bench COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/bench/test_bench.sh $<TARGET_FILE:terrane-bench>
        ${broken_folder} $<TARGET_FILE:contender_example>)
    set_tests_properties(bench PROPERTIES TIMEOUT 600)
endif()
