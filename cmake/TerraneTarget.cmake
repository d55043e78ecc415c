# How our own code is compiled. Every target of ours calls terrane_target(); nothing is set globally, so a game that adds
# Terrane as a subdirectory keeps its own flags.

set(TERRANE_C_WARNINGS -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla)
set(TERRANE_CXX_WARNINGS -Wall -Wextra -Wconversion -Wshadow)

# terrane_target(name): language level, warnings, and the two flags the results depend on.
function(terrane_target name)
    set_target_properties(${name} PROPERTIES
        C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
        POSITION_INDEPENDENT_CODE ON
        COMPILE_WARNING_AS_ERROR ${PROJECT_IS_TOP_LEVEL})
    target_compile_options(${name} PRIVATE
        # No contraction to fused multiply-add: terrain is the same, bit for bit, on every machine.
        -ffp-contract=off
        # CMake takes assertions out of RelWithDebInfo; ours stay.
        $<$<CONFIG:RelWithDebInfo>:-UNDEBUG>
        "$<$<COMPILE_LANGUAGE:C>:${TERRANE_C_WARNINGS}>"
        "$<$<COMPILE_LANGUAGE:CXX>:${TERRANE_CXX_WARNINGS}>")
    target_compile_definitions(${name} PRIVATE
        $<$<CONFIG:Debug,RelWithDebInfo>:TRN_ENABLE_ASSERT=1>)
endfunction()
