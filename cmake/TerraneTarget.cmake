# How our own code is compiled. Every target of ours calls terrane_target(); nothing is set globally, so a game that adds
# Terrane as a subdirectory keeps its own flags.

set(TERRANE_C_WARNINGS -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla)
set(TERRANE_CXX_WARNINGS -Wall -Wextra -Wconversion -Wshadow)

# 32-bit x86 computes in registers of 80 bits unless it is told to use SSE2, which every such processor since 2003 has.
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

# terrane_target(name): language level, warnings, and the flags that results depend on.
function(terrane_target name)
    set_target_properties(${name} PROPERTIES
        C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
        POSITION_INDEPENDENT_CODE ON
        COMPILE_WARNING_AS_ERROR ${PROJECT_IS_TOP_LEVEL})
    target_compile_options(${name} PRIVATE
        # No contraction to fused multiply-add: terrain is the same, bit for bit, on every machine.
        -ffp-contract=off ${TERRANE_FLOAT_FLAGS}
        # CMake takes assertions out of RelWithDebInfo; ours stay.
        $<$<CONFIG:RelWithDebInfo>:-UNDEBUG>
        "$<$<COMPILE_LANGUAGE:C>:${TERRANE_C_WARNINGS}>"
        "$<$<COMPILE_LANGUAGE:CXX>:${TERRANE_CXX_WARNINGS}>")
    target_compile_definitions(${name} PRIVATE
        $<$<CONFIG:Debug,RelWithDebInfo>:TRN_ENABLE_ASSERT=1>)
endfunction()
