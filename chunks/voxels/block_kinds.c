// What the kinds and names of types mean, and placeholders.

#include "block_types_impl.h"

#include <stdlib.h>

#include "base/hash.h"

// ---- kinds --------------------------------------------------------------------------------------

const TrnBlockKindTraits trn_block_kinds[TRN_BLOCK_KIND_COUNT] = {
    [TRN_BLOCK_KIND_AIR] = {.word = "air"},
    [TRN_BLOCK_KIND_OPAQUE] = {.word = "opaque", .is_solid = true, .is_opaque = true},
    [TRN_BLOCK_KIND_LIQUID] = {.word = "liquid", .is_liquid = true, .dims = 2, .drop = 2},
    [TRN_BLOCK_KIND_TRANSPARENT] = {.word = "transparent", .is_solid = true},
    [TRN_BLOCK_KIND_PLANT] = {.word = "plant"},
    [TRN_BLOCK_KIND_CUTOUT] = {.word = "cutout", .is_solid = true, .dims = 1},
    [TRN_BLOCK_KIND_MODEL] = {.word = "model", .is_solid = true},
};

// ---- names --------------------------------------------------------------------------------------

static bool block_name_has_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '/' ||
           c == '-';
}

bool trn_block_name_is_valid(const char *name, size_t size)
{
    if (size < 3 || size > TRN_BLOCK_NAME_MAX || name[0] == ':' || name[size - 1] == ':') {
        return false;
    }
    uint32_t colons = 0;
    for (size_t i = 0; i < size; i++) {
        if (name[i] == ':') {
            colons++;
        } else if (!block_name_has_byte(name[i])) {
            return false;
        }
    }
    return colons == 1;
}

size_t trn_block_name_size(const char *name)
{
    size_t size = 0;
    while (size <= TRN_BLOCK_NAME_MAX && name[size] != '\0') {
        size++;
    }
    return size;
}

// ---- types --------------------------------------------------------------------------------------

TrnBlockType trn_block_type_def(const char *name, TrnBlockKind kind)
{
    TrnBlockType type = {.name = name, .kind = kind, .surface = TRN_BLOCK_GRID};
    if ((uint32_t)kind < TRN_BLOCK_KIND_COUNT) {
        type.is_solid = trn_block_kinds[kind].is_solid;
        type.dims = trn_block_kinds[kind].dims;
        type.surface -= trn_block_kinds[kind].drop;
    }
    memset(type.colour, 0xFF, sizeof type.colour);
    return type;
}

// Its colour occurs in no landscape.
const TrnBlockType trn_block_type_missing = {
    .name = "terrane:missing",
    .kind = TRN_BLOCK_KIND_OPAQUE,
    .is_solid = true,
    .is_unknown = true,
    .colour = {{212, 48, 200},
               {212, 48, 200},
               {212, 48, 200},
               {212, 48, 200},
               {212, 48, 200},
               {212, 48, 200}},
    .surface = TRN_BLOCK_GRID,
};

/// Reads the colour of a name such as "model:8c39ce". @return false if it has none
static bool block_colour_read(const char *name, uint8_t colour[3])
{
    enum { DIGITS = 6 };
    const char *digits = strchr(name, ':');
    if (!digits || strlen(++digits) != DIGITS || strspn(digits, "0123456789abcdef") != DIGITS) {
        return false;
    }
    const unsigned long bits = strtoul(digits, NULL, 16);
    colour[0] = (uint8_t)(bits >> 16);
    colour[1] = (uint8_t)(bits >> 8);
    colour[2] = (uint8_t)bits;
    return true;
}

/// Chooses the colour of a placeholder: the one that its name tells, or a saturated one by the
/// name's hash.
static void block_colour_name(const char *name, uint8_t colour[3])
{
    if (block_colour_read(name, colour)) {
        return;
    }
    enum { LOW = 48, HIGH = 224, STEPS = HIGH - LOW };
    const uint32_t hash = trn_bytes_hash(name, trn_block_name_size(name), 0);
    const uint8_t between = (uint8_t)(LOW + (hash >> 3) % (STEPS + 1));
    const uint32_t high = hash % 3, middle = (high + 1 + (hash >> 2) % 2) % 3;
    memset(colour, LOW, 3);
    colour[middle] = between;
    colour[high] = HIGH;
}

TrnBlockType trn_block_type_placeholder(const char *name)
{
    TrnBlockType type = trn_block_type_missing;
    type.name = name;
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        block_colour_name(name, type.colour[face]);
    }
    return type;
}
