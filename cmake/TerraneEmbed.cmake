# terrane_embed(target [PREFIX prefix] files...): builds files into a target as zero-terminated arrays. shaders/sky.frag
# becomes `const char asset_sky_frag[]` and `const size_t asset_sky_frag_bytes`, which does not count the zero; with
# PREFIX trn_, `trn_asset_sky_frag[]`. A library needs the prefix, since its names meet those of a game.
#
# The same file, run as a script (cmake -DEMBED_IN=… -DEMBED_OUT=… -DEMBED_PREFIX=… -P), writes one of them.

if(CMAKE_SCRIPT_MODE_FILE)
    get_filename_component(name ${EMBED_IN} NAME)
    string(MAKE_C_IDENTIFIER "${EMBED_PREFIX}asset_${name}" name)
    file(READ ${EMBED_IN} bytes HEX)
    file(SIZE ${EMBED_IN} size)
    if(size EQUAL 0)
        message(FATAL_ERROR "${EMBED_IN} is empty.")
    endif()
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
        bytes "${bytes}")
    file(WRITE ${EMBED_OUT} "#include <stddef.h>\n"
        "extern const char ${name}[];\nextern const size_t ${name}_bytes;\n"
        "const char ${name}[] = {${bytes}0};\nconst size_t ${name}_bytes = ${size};\n")
    return()
endif()

set(TERRANE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(terrane_embed target)
    cmake_parse_arguments(PARSE_ARGV 1 embed "" "PREFIX" "")
    foreach(file ${embed_UNPARSED_ARGUMENTS})
        get_filename_component(name ${file} NAME)
        set(out ${CMAKE_CURRENT_BINARY_DIR}/assets/${name}.c)
        add_custom_command(
            OUTPUT ${out}
            COMMAND ${CMAKE_COMMAND} -DEMBED_IN=${file} -DEMBED_OUT=${out} -DEMBED_PREFIX=${embed_PREFIX}
                -P ${TERRANE_EMBED_SCRIPT}
            DEPENDS ${file} ${TERRANE_EMBED_SCRIPT}
            COMMENT "Embedding ${name}"
            VERBATIM)
        target_sources(${target} PRIVATE ${out})
    endforeach()
endfunction()
