# How our own code is compiled. Every target of ours calls terrane_target(); nothing is set globally, so a game that adds
# Terrane as a subdirectory keeps its own flags.

set(TERRANE_C_WARNINGS -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla)
set(TERRANE_CXX_WARNINGS -Wall -Wextra -Wconversion -Wshadow)

# The presets ask for it. Who only builds Terrane, perhaps with a compiler that we do not know, is not stopped by a warning.
set(TERRANE_WARNING_AS_ERROR OFF)
if(TERRANE_TOP_LEVEL AND CMAKE_COMPILE_WARNING_AS_ERROR)
    set(TERRANE_WARNING_AS_ERROR ON)
endif()

# CMake knows C17 since 3.21; C11 differs from it by corrections alone.
set(TERRANE_C_STANDARD 17)
if(CMAKE_VERSION VERSION_LESS 3.21)
    set(TERRANE_C_STANDARD 11)
endif()

# A game that sets no build type gets an optimised Terrane all the same.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND NOT CMAKE_C_FLAGS MATCHES "[-/]O")
    separate_arguments(TERRANE_DEFAULT_FLAGS NATIVE_COMMAND "${CMAKE_C_FLAGS_RELEASE}")
endif()

# 32-bit x86 computes in registers of 80 bits unless an option selects SSE2, which every such processor since 2003 has.
include(CheckCSourceCompiles)
check_c_source_compiles("#include <float.h>
    #if FLT_EVAL_METHOD != 0
    #error wider
    #endif
    int main(void) { return 0; }" TERRANE_FLOATS_ARE_FLOATS)
if(NOT TERRANE_FLOATS_ARE_FLOATS AND CMAKE_SIZEOF_VOID_P EQUAL 4)
    include(CheckCCompilerFlag)
    check_c_compiler_flag("-msse2 -mfpmath=sse" TERRANE_HAS_SSE_MATHS)
    if(TERRANE_HAS_SSE_MATHS)
        set(TERRANE_FLOAT_FLAGS -msse2 -mfpmath=sse)
    endif()
endif()

# mingw's isfinite() converts to float, and its printf() is not the one that gcc checks formats for.
if(MINGW)
    list(APPEND TERRANE_C_WARNINGS -Wno-float-conversion -Wno-format)
    list(APPEND TERRANE_CXX_WARNINGS -Wno-float-conversion -Wno-format)
endif()

# gcc for Windows does not align vectors of 32 and 64 bytes on the stack (its bug 54412), and would crash in AVX kernels. The
# assembler can encode the moves as unaligned ones, which cost the same. Without that, base/cpu.c says that there is no AVX.
if(MINGW AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    include(CheckCCompilerFlag)
    check_c_compiler_flag(-Wa,-muse-unaligned-vector-move TERRANE_HAS_UNALIGNED_MOVES)
    if(TERRANE_HAS_UNALIGNED_MOVES)
        set(TERRANE_VECTOR_FLAGS -Wa,-muse-unaligned-vector-move -DTRN_UNALIGNED_MOVES=1)
    endif()
endif()

# gcc for Windows lets callers of a template rely on the registers that its own copy leaves alone, though the linker may keep the copy of
# another file, compiled with other flags.
if(MINGW AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(TERRANE_CXX_FLAGS -fno-ipa-ra)
endif()

# WebAssembly has no shared libraries, and position-independent code would only be slower.
set(TERRANE_POSITION_INDEPENDENT ON)
if(EMSCRIPTEN)
    set(TERRANE_POSITION_INDEPENDENT OFF)
endif()

# terrane_target(name): language level, warnings, and the flags that results depend on.
function(terrane_target name)
    set_target_properties(${name} PROPERTIES
        C_STANDARD ${TERRANE_C_STANDARD} C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
        POSITION_INDEPENDENT_CODE ${TERRANE_POSITION_INDEPENDENT}
        UNITY_BUILD OFF # whatever the game says: some files ask the system's headers for more than others
        COMPILE_WARNING_AS_ERROR ${TERRANE_WARNING_AS_ERROR}) # CMake before 3.24 ignores it
    target_compile_options(${name} PRIVATE
        # No contraction to fused multiply-add: terrain is the same, bit for bit, on every machine.
        -ffp-contract=off ${TERRANE_FLOAT_FLAGS} ${TERRANE_VECTOR_FLAGS} ${TERRANE_DEFAULT_FLAGS}
        # CMake takes assertions out of RelWithDebInfo; ours stay.
        $<$<CONFIG:RelWithDebInfo>:-UNDEBUG>
        "$<$<COMPILE_LANGUAGE:C>:${TERRANE_C_WARNINGS}>"
        "$<$<COMPILE_LANGUAGE:CXX>:${TERRANE_CXX_WARNINGS};${TERRANE_CXX_FLAGS}>")
    target_compile_definitions(${name} PRIVATE
        $<$<OR:$<CONFIG:Debug>,$<CONFIG:RelWithDebInfo>>:TRN_ENABLE_ASSERT=1>)
    if(NOT CMAKE_CURRENT_SOURCE_DIR MATCHES "/(bench|examples|tests)(/|$)")
        target_compile_definitions(${name} PRIVATE $<$<COMPILE_LANGUAGE:C>:TRN_CHECK_RESULTS>) # see terrane/base.h
    endif()
endfunction()

# A minor version may add fields to structs, so programs must not load another one.
set(TERRANE_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# terrane_library(name sources...): terrane::NAME_static, terrane::NAME_shared or both, as TERRANE_KINDS says, and terrane::NAME, which is
# one of them. The public headers lie in include/.
function(terrane_library name)
    foreach(kind ${TERRANE_KINDS})
        set(target terrane_${name}_${kind})
        string(TOUPPER ${kind} type)
        add_library(${target} ${type} ${ARGN})
        add_library(terrane::${name}_${kind} ALIAS ${target})
        terrane_target(${target})
        target_compile_options(${target} PRIVATE -Wdouble-promotion) # a game may compile them with it
        set_target_properties(${target} PROPERTIES OUTPUT_NAME terrane_${name} EXPORT_NAME ${name}_${kind}
            VERSION ${PROJECT_VERSION} SOVERSION ${TERRANE_SOVERSION} DEFINE_SYMBOL TRN_EXPORTS)
        target_include_directories(${target}
            PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
                   $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
            PRIVATE ${PROJECT_SOURCE_DIR}/chunks)
        if(TERRANE_ZONE_HEADER)
            target_compile_definitions(${target} PRIVATE "TERRANE_ZONE_HEADER=\"${TERRANE_ZONE_HEADER}\"")
        endif()
        if(TERRANE_TRACY)
            target_include_directories(${target} SYSTEM PRIVATE ${TERRANE_TRACY_INCLUDE})
            target_compile_definitions(${target} PRIVATE TRACY_ENABLE)
        endif()
        if(kind STREQUAL shared)
            target_compile_definitions(${target} PUBLIC TRN_SHARED)
        else() # so that -Wl,--gc-sections leaves out what a program does not use
            target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
            if(MSVC) # where an import library has the same suffix
                set_target_properties(${target} PROPERTIES OUTPUT_NAME ${target})
            endif()
        endif()
    endforeach()
    add_library(terrane::${name} ALIAS terrane_${name}_${TERRANE_KIND})
endfunction()

# terrane_link_above(name below libraries...): what a library of save/ links: the library of ours below it, others, and threads. Parts of
# chunks/base are compiled in, since a shared terrane::chunks hides them. They keep no state.
function(terrane_link_above name below)
    find_package(Threads REQUIRED)
    list(TRANSFORM TERRANE_BASE_PARTS PREPEND ${PROJECT_SOURCE_DIR}/chunks/base/ OUTPUT_VARIABLE base)
    foreach(kind ${TERRANE_KINDS})
        target_sources(terrane_${name}_${kind} PRIVATE ${base})
        target_link_libraries(terrane_${name}_${kind} PUBLIC terrane::${below}_${kind} PRIVATE ${ARGN} ${CMAKE_THREAD_LIBS_INIT})
    endforeach()
endfunction()
set(TERRANE_BASE_PARTS array.c clock.c coord_map.c entropy.c thread.c)
