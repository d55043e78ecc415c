# Written next to a static build of cmocka by cross_cmocka in lib.sh, whose source lies in ../../source/cmocka.
file(GLOB_RECURSE cmocka_archive ${CMAKE_CURRENT_LIST_DIR}/libcmocka-static.a)
if(NOT TARGET cmocka)
    add_library(cmocka STATIC IMPORTED)
    set_target_properties(cmocka PROPERTIES IMPORTED_LOCATION ${cmocka_archive}
        INTERFACE_INCLUDE_DIRECTORIES ${CMAKE_CURRENT_LIST_DIR}/../../source/cmocka/include)
endif()
