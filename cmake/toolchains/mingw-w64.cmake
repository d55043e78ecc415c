# Builds for 64-bit Windows with Debian's mingw-w64:
#     cmake -G Ninja -S . -B build/windows -DCMAKE_TOOLCHAIN_FILE=cmake/toolchains/mingw-w64.cmake
# The compilers are the posix ones: std::thread of the bench and pthread.h of the tests need winpthreads. The libraries use
# Win32 threads and need neither. Programs are linked statically, so that each is one file; DLLs contain what they use of
# libgcc, so that a game needs no DLL of the compiler.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static-libgcc)

# What tools/windows_deps.sh builds. CMake's own search then never finds libraries of the building machine.
set(TERRANE_WINDOWS_DEPS ${CMAKE_CURRENT_LIST_DIR}/../../build/windows-deps CACHE PATH "Libraries built for Windows")
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32 ${TERRANE_WINDOWS_DEPS})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${TERRANE_WINDOWS_DEPS}/lib/pkgconfig)

# CTest runs the tests under wine, if it is installed.
find_program(TERRANE_WINE NAMES wine wine64 PATHS /usr/lib/wine)
if(TERRANE_WINE)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${TERRANE_WINE})
endif()
