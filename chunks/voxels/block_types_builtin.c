#include <terrane/block_types.h>

// The older, static list of the built-in types, which a test holds against
// assets/blocks/terrane.blocks. It goes when everybody has a registry.

/// The colours of a builtin's top, side and bottom, each 0xRRGGBB, by face.
// clang-format off
#define RGB(hex) {(hex) >> 16, (hex) >> 8 & 255, (hex) & 255}
#define BY_FACE(top, side, bottom) {{RGB(side), RGB(side), RGB(bottom), RGB(top), RGB(side), RGB(side)}}
#define BUILTIN(name, kind, solid, top, side, bottom) {name, kind, solid, false, 0, BY_FACE(top, side, bottom), {0}}
#define CUBE(name, top, side, bottom) BUILTIN(name, TRN_BLOCK_KIND_OPAQUE, true, top, side, bottom)

static const TrnBlockType builtin_block_types[TRN_BLOCK_BUILTIN_COUNT] = {
    [TRN_BLOCK_AIR] = BUILTIN("terrane:air", TRN_BLOCK_KIND_AIR, false, 0xffffff, 0xffffff, 0xffffff),
    [TRN_BLOCK_STONE] = CUBE("terrane:stone", 0x868482, 0x7a7774, 0x6e6c6a),
    [TRN_BLOCK_DIRT] = CUBE("terrane:dirt", 0x7a583a, 0x745336, 0x684a30),
    [TRN_BLOCK_GRASS] = CUBE("terrane:grass", 0x60923e, 0x68703a, 0x684a30),
    [TRN_BLOCK_SAND] = CUBE("terrane:sand", 0xddcc98, 0xd4c28e, 0xc8b684),
    [TRN_BLOCK_GRAVEL] = CUBE("terrane:gravel", 0x928a80, 0x8a8279, 0x807970),
    [TRN_BLOCK_SNOW] = CUBE("terrane:snow", 0xf0f4fa, 0xdee4ee, 0xced4de),
    [TRN_BLOCK_WATER] = BUILTIN("terrane:water", TRN_BLOCK_KIND_LIQUID, false, 0x265c8e, 0x225484, 0x1e4a76),
};
// clang-format on

const TrnBlockType *trn_block_types_builtin(uint32_t *count)
{
    if (count) {
        *count = TRN_BLOCK_BUILTIN_COUNT;
    }
    return builtin_block_types;
}
