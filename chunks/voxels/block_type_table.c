// Types by id and by name in one piece of memory, and what the names and kinds of types mean.

#include "block_types_impl.h"

#include <stdlib.h>

#include "base/hash.h"

#define BLOCK_TABLE_CAPACITY_FIRST 64u // a power of two

// ---- kinds --------------------------------------------------------------------------------------

const TrnBlockKindTraits trn_block_kinds[TRN_BLOCK_KIND_COUNT] = {
    [TRN_BLOCK_KIND_AIR] = {.word = "air"},
    [TRN_BLOCK_KIND_OPAQUE] = {.word = "opaque", .is_solid = true, .is_opaque = true},
    [TRN_BLOCK_KIND_LIQUID] = {.word = "liquid", .is_liquid = true, .dims = 2},
    [TRN_BLOCK_KIND_TRANSPARENT] = {.word = "transparent", .is_solid = true},
    [TRN_BLOCK_KIND_PLANT] = {.word = "plant"},
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
    TrnBlockType type = {.name = name, .kind = kind};
    if ((uint32_t)kind < TRN_BLOCK_KIND_COUNT) {
        type.is_solid = trn_block_kinds[kind].is_solid;
        type.dims = trn_block_kinds[kind].dims;
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

// ---- table --------------------------------------------------------------------------------------

static size_t block_table_bytes(uint32_t capacity)
{
    return (size_t)capacity * (sizeof(TrnBlockType) + TRN_BLOCK_NAME_BYTES + 2 * sizeof(uint32_t));
}

static TrnResult block_table_create(const TrnAllocator *allocator, uint32_t capacity,
                                    TrnBlockTypeTable *table)
{
    void *memory = trn_take(allocator, block_table_bytes(capacity), TRN_CACHE_LINE);
    if (!memory) {
        return TRN_RESULT_NO_MEMORY;
    }
    table->types = memory;
    table->names = (void *)(table->types + capacity);
    table->slots = (void *)(table->names + capacity);
    table->count = 0;
    table->capacity = capacity;
    memset(table->slots, 0, 2 * (size_t)capacity * sizeof *table->slots);
    return TRN_RESULT_OK;
}

void trn_block_type_table_free(TrnBlockTypeTable *table, const TrnAllocator *allocator)
{
    trn_give(allocator, table->types, block_table_bytes(table->capacity));
    *table = (TrnBlockTypeTable){.key = table->key};
}

/// The slot of a name, or the empty slot where it belongs. One exists, because at most half of the
/// slots are taken.
/// @param table  with a capacity above 0
static uint32_t *block_table_slot(const TrnBlockTypeTable *table, const char *name, size_t size)
{
    const uint32_t mask = 2 * table->capacity - 1;
    uint32_t at = trn_bytes_hash(name, size, table->key) & mask;
    for (; table->slots[at]; at = (at + 1) & mask) {
        const char *taken = table->names[table->slots[at] - 1];
        if (memcmp(taken, name, size) == 0 && taken[size] == '\0') {
            break;
        }
    }
    return &table->slots[at];
}

uint32_t trn_block_type_table_find(const TrnBlockTypeTable *table, const char *name, size_t size)
{
    if (table->capacity == 0 || size > TRN_BLOCK_NAME_MAX) {
        return TRN_BLOCK_NONE;
    }
    uint32_t slot = *block_table_slot(table, name, size);
    return slot ? slot - 1 : TRN_BLOCK_NONE;
}

/// @param table  has free capacity and does not have this name
static uint32_t block_table_append(TrnBlockTypeTable *table, const TrnBlockType *type)
{
    const uint32_t id = table->count++;
    const size_t size = trn_block_name_size(type->name);
    *block_table_slot(table, type->name, size) = id + 1;
    memset(table->names[id], 0, TRN_BLOCK_NAME_BYTES);
    memcpy(table->names[id], type->name, size);
    table->types[id] = *type;
    table->types[id].name = table->names[id];
    return id;
}

static TrnResult block_table_copy_to(const TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                     uint32_t capacity, TrnBlockTypeTable *copy)
{
    TrnResult result = block_table_create(allocator, capacity, copy);
    copy->key = table->key;
    for (uint32_t id = 0; result == TRN_RESULT_OK && id < table->count; id++) {
        block_table_append(copy, &table->types[id]);
    }
    return result;
}

TrnResult trn_block_type_table_copy(const TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                    TrnBlockTypeTable *copy)
{
    return block_table_copy_to(table, allocator, table->capacity, copy);
}

static TrnResult block_table_grow(TrnBlockTypeTable *table, const TrnAllocator *allocator)
{
    const uint32_t capacity = table->capacity ? 2 * table->capacity : BLOCK_TABLE_CAPACITY_FIRST;
    TrnBlockTypeTable grown;
    TrnResult result = block_table_copy_to(table, allocator, capacity, &grown);
    if (result == TRN_RESULT_OK) {
        trn_block_type_table_free(table, allocator);
        *table = grown;
    }
    return result;
}

/// Replaces a placeholder by its type.
static TrnResult block_table_fill_in(TrnBlockTypeTable *table, uint32_t id,
                                     const TrnBlockType *type)
{
    if (!table->types[id].is_unknown || type->is_unknown) {
        return TRN_RESULT_EXISTS;
    }
    table->types[id] = *type;
    table->types[id].name = table->names[id];
    return TRN_RESULT_OK;
}

TrnResult trn_block_type_table_put(TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                   const TrnBlockType *type, uint32_t *id)
{
    const size_t size = trn_block_name_size(type->name);
    uint32_t found = trn_block_type_table_find(table, type->name, size);
    if (found != TRN_BLOCK_NONE) {
        TrnResult result = block_table_fill_in(table, found, type);
        if (result == TRN_RESULT_OK) {
            *id = found;
        }
        return result;
    }
    if (table->count == TRN_BLOCK_TYPES_MAX) {
        return TRN_RESULT_FULL;
    }
    TrnResult result = TRN_RESULT_OK;
    if (table->count == table->capacity) {
        result = block_table_grow(table, allocator);
    }
    if (result == TRN_RESULT_OK) {
        *id = block_table_append(table, type);
    }
    return result;
}
