# Toolchain file: Emscripten, found by the emcc on PATH or by EMSDK, so that presets name no folder of one system's.
find_program(TERRANE_EMCC emcc PATHS "$ENV{EMSDK}/upstream/emscripten" NO_CMAKE_FIND_ROOT_PATH)
if(NOT TERRANE_EMCC)
    message(FATAL_ERROR "Emscripten is missing: install it with 'apt install emscripten nodejs', or put the emcc of another "
        "installation on PATH.")
endif()
get_filename_component(emscripten_folder "${TERRANE_EMCC}" REALPATH)
get_filename_component(emscripten_folder "${emscripten_folder}" DIRECTORY)
include("${emscripten_folder}/cmake/Modules/Platform/Emscripten.cmake")

# What Emscripten wrote before 3.1.16 takes node's fetch, which node has since 18, for a browser's.
if(EMSCRIPTEN_VERSION VERSION_LESS 3.1.16 AND CMAKE_CROSSCOMPILING_EMULATOR)
    list(APPEND CMAKE_CROSSCOMPILING_EMULATOR --no-experimental-fetch)
    list(REMOVE_DUPLICATES CMAKE_CROSSCOMPILING_EMULATOR)
endif()

# What tools/web.sh builds. pkg-config then never finds libraries of the building machine.
set(TERRANE_WEB_DEPS "" CACHE PATH "Libraries built for the browser, which the viewer needs")
if(TERRANE_WEB_DEPS)
    set(ENV{PKG_CONFIG_LIBDIR} ${TERRANE_WEB_DEPS}/lib/pkgconfig)
    list(APPEND CMAKE_FIND_ROOT_PATH ${TERRANE_WEB_DEPS})
endif()
