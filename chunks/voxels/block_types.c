#include <terrane/block_types.h>

static const TrnBlockType builtin_block_types[TRN_BLOCK_BUILTIN_COUNT] = {
    [TRN_BLOCK_AIR] = {"terrane:air", TRN_BLOCK_KIND_AIR, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    [TRN_BLOCK_STONE] =
        {"terrane:stone", TRN_BLOCK_KIND_OPAQUE, {134, 132, 130}, {122, 119, 116}, {110, 108, 106}},
    [TRN_BLOCK_DIRT] =
        {"terrane:dirt", TRN_BLOCK_KIND_OPAQUE, {122, 88, 58}, {116, 83, 54}, {104, 74, 48}},
    [TRN_BLOCK_GRASS] =
        {"terrane:grass", TRN_BLOCK_KIND_OPAQUE, {96, 146, 62}, {104, 112, 58}, {104, 74, 48}},
    [TRN_BLOCK_SAND] =
        {"terrane:sand", TRN_BLOCK_KIND_OPAQUE, {221, 204, 152}, {212, 194, 142}, {200, 182, 132}},
    [TRN_BLOCK_GRAVEL] = {"terrane:gravel",
                          TRN_BLOCK_KIND_OPAQUE,
                          {146, 138, 128},
                          {138, 130, 121},
                          {128, 121, 112}},
    [TRN_BLOCK_SNOW] =
        {"terrane:snow", TRN_BLOCK_KIND_OPAQUE, {240, 244, 250}, {222, 228, 238}, {206, 212, 222}},
    [TRN_BLOCK_WATER] =
        {"terrane:water", TRN_BLOCK_KIND_LIQUID, {38, 92, 142}, {34, 84, 132}, {30, 74, 118}},
};

const TrnBlockType *trn_block_types_builtin(uint32_t *count)
{
    if (count) {
        *count = TRN_BLOCK_BUILTIN_COUNT;
    }
    return builtin_block_types;
}
