# What a program that links terrane::chunks under Emscripten needs. Generating a chunk takes up to 224 KiB of stack; Emscripten gives 64 KiB
# since 3.1.27 and 5 MiB before. A world outgrows the memory that a page starts with, and without growth a refused allocation ends
# the program instead of returning TRN_RESULT_NO_MEMORY.
set(options -sALLOW_MEMORY_GROWTH=1)
if(EMSCRIPTEN_VERSION VERSION_GREATER_EQUAL 3.1.27)
    list(APPEND options -sSTACK_SIZE=1MB)
endif()
set(TERRANE_EMSCRIPTEN_LINK_OPTIONS "${options}" CACHE STRING
    "Linker options of programs that use Terrane under Emscripten: memory growth, and a stack of 256 KiB or more; empty if yours say so")
get_target_property(chunks terrane::chunks ALIASED_TARGET)
target_link_options(${chunks} INTERFACE ${TERRANE_EMSCRIPTEN_LINK_OPTIONS})
