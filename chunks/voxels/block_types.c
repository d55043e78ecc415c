#include "block_types_impl.h"

#define BLOCK_TABLE_CAPACITY_FIRST 64u

// ---- names --------------------------------------------------------------------------------------

static bool is_block_name_byte(char c)
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
        } else if (!is_block_name_byte(name[i])) {
            return false;
        }
    }
    return colons == 1;
}

/// The length of a name, or more than TRN_BLOCK_NAME_MAX: a caller's text of any length is read no
/// farther than that.
static size_t block_name_size(const char *name)
{
    size_t size = 0;
    while (size <= TRN_BLOCK_NAME_MAX && name[size] != '\0') {
        size++;
    }
    return size;
}

/// FNV-1a, its bits folded, since the table takes the lowest.
static uint32_t block_name_hash(const char *name, size_t size)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001B3);
    }
    return (uint32_t)(hash ^ (hash >> 32));
}

// ---- types --------------------------------------------------------------------------------------

TrnBlockType trn_block_type_def(const char *name, TrnBlockKind kind)
{
    TrnBlockType type = {.name = name, .kind = kind};
    type.is_solid = kind == TRN_BLOCK_KIND_OPAQUE || kind == TRN_BLOCK_KIND_TRANSPARENT;
    memset(type.colour, 0xFF, sizeof type.colour);
    return type;
}

/// Stands for every id that was not given out. Its colour is that of no landscape.
static const TrnBlockType missing_block_type = {
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

TrnBlockType trn_block_type_placeholder(const char *name)
{
    TrnBlockType type = missing_block_type;
    type.name = name;
    return type;
}

// ---- table --------------------------------------------------------------------------------------

static size_t block_table_bytes(uint32_t capacity)
{
    return (size_t)capacity * (sizeof(TrnBlockType) + TRN_BLOCK_NAME_BYTES + 2 * sizeof(uint32_t));
}

static TrnResult create_block_table(const TrnAllocator *allocator, uint32_t capacity,
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
    *table = (TrnBlockTypeTable){0};
}

/// The slot where a name stands, or the empty one where it belongs. At most half of the slots are
/// taken, so there is one.
/// @param table  of a capacity above 0
static uint32_t *block_table_slot(const TrnBlockTypeTable *table, const char *name, size_t size)
{
    const uint32_t mask = 2 * table->capacity - 1;
    uint32_t at = block_name_hash(name, size) & mask;
    for (; table->slots[at]; at = (at + 1) & mask) {
        const char *there = table->names[table->slots[at] - 1];
        if (memcmp(there, name, size) == 0 && there[size] == '\0') {
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

/// @param table  with room, without this name
static uint32_t block_table_append(TrnBlockTypeTable *table, const TrnBlockType *type)
{
    const uint32_t id = table->count++;
    const size_t size = block_name_size(type->name);
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
    TrnResult result = create_block_table(allocator, capacity, copy);
    for (uint32_t id = 0; result == TRN_RESULT_OK && id < table->count; id++) {
        block_table_append(copy, &table->types[id]);
    }
    return result;
}

TrnResult trn_block_type_table_copy(const TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                    TrnBlockTypeTable *copy)
{
    uint32_t capacity = table->capacity ? table->capacity : BLOCK_TABLE_CAPACITY_FIRST;
    return block_table_copy_to(table, allocator, capacity, copy);
}

static TrnResult grow_block_table(TrnBlockTypeTable *table, const TrnAllocator *allocator)
{
    TrnBlockTypeTable grown;
    TrnResult result = block_table_copy_to(table, allocator, 2 * table->capacity, &grown);
    if (result == TRN_RESULT_OK) {
        trn_block_type_table_free(table, allocator);
        *table = grown;
    }
    return result;
}

/// Says what a placeholder is.
static TrnResult fill_in_block_type(TrnBlockTypeTable *table, uint32_t id, const TrnBlockType *type)
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
    const size_t size = block_name_size(type->name);
    uint32_t found = trn_block_type_table_find(table, type->name, size);
    if (found != TRN_BLOCK_NONE) {
        TrnResult result = fill_in_block_type(table, found, type);
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
        result = grow_block_table(table, allocator);
    }
    if (result == TRN_RESULT_OK) {
        *id = block_table_append(table, type);
    }
    return result;
}

// ---- sets of blocks -----------------------------------------------------------------------------

static void put_block_bit(uint32_t *words, uint32_t id, bool is_in)
{
    const uint32_t bit = UINT32_C(1) << (id % 32);
    words[id / 32] = is_in ? words[id / 32] | bit : words[id / 32] & ~bit;
}

static void put_block_bits(TrnBlockTypes *types, uint32_t id)
{
    const TrnBlockType *type = &types->table.types[id];
    put_block_bit(types->solid, id, type->is_solid);
    put_block_bit(types->opaque, id, type->kind == TRN_BLOCK_KIND_OPAQUE);
    put_block_bit(types->liquid, id, type->kind == TRN_BLOCK_KIND_LIQUID);
    put_block_bit(types->climbable, id, type->is_climbable);
}

void trn_block_types_replace(TrnBlockTypes *types, TrnBlockTypeTable table)
{
    trn_block_type_table_free(&types->table, &types->allocator);
    types->table = table;
    for (uint32_t id = 0; id < table.count; id++) {
        put_block_bits(types, id);
    }
}

const uint32_t *trn_block_types_solid_bits(const TrnBlockTypes *types)
{
    return types->solid;
}

const uint32_t *trn_block_types_opaque_bits(const TrnBlockTypes *types)
{
    return types->opaque;
}

const uint32_t *trn_block_types_liquid_bits(const TrnBlockTypes *types)
{
    return types->liquid;
}

const uint32_t *trn_block_types_climbable_bits(const TrnBlockTypes *types)
{
    return types->climbable;
}

void trn_block_types_kind_bits(const TrnBlockTypes *types, uint32_t kinds, uint32_t *bits)
{
    const bool has_opaque = kinds & 1u << TRN_BLOCK_KIND_OPAQUE;
    memset(bits, has_opaque ? 0xFF : 0, sizeof(uint32_t[TRN_BLOCK_BITS_WORDS]));
    for (uint32_t id = 0; id < types->table.count; id++) {
        put_block_bit(bits, id, kinds & 1u << types->table.types[id].kind);
    }
}

// ---- life ---------------------------------------------------------------------------------------

TrnResult trn_block_types_create(const TrnAllocator *allocator, TrnBlockTypes **types)
{
    if (!types) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnAllocator taken = trn_allocator_or_default(allocator);
    TrnBlockTypes *made = trn_take(&taken, sizeof *made, alignof(TrnBlockTypes));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(made->solid, 0xFF, sizeof made->solid);
    memset(made->opaque, 0xFF, sizeof made->opaque);
    memset(made->liquid, 0, sizeof made->liquid);
    memset(made->climbable, 0, sizeof made->climbable);
    made->table = (TrnBlockTypeTable){0};
    made->allocator = taken;
    TrnResult result =
        trn_block_types_load(made, trn_asset_terrane_blocks, trn_asset_terrane_blocks_bytes, NULL);
    if (result != TRN_RESULT_OK) {
        TRN_ASSERT(result == TRN_RESULT_NO_MEMORY); // the text is ours
        trn_block_types_destroy(made);
        return result;
    }
    TRN_ASSERT(made->table.count == TRN_BLOCK_BUILTIN_COUNT);
    *types = made;
    return TRN_RESULT_OK;
}

void trn_block_types_destroy(TrnBlockTypes *types)
{
    if (types) {
        TrnAllocator allocator = types->allocator;
        trn_block_type_table_free(&types->table, &allocator);
        trn_give(&allocator, types, sizeof *types);
    }
}

// ---- adding and finding -------------------------------------------------------------------------

static TrnResult put_block_type(TrnBlockTypes *types, const TrnBlockType *type, TrnBlock *id)
{
    const size_t size = block_name_size(type->name);
    if (!trn_block_name_is_valid(type->name, size)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    // The caller's name may lie in the memory that growing frees.
    char name[TRN_BLOCK_NAME_BYTES] = {0};
    memcpy(name, type->name, size);
    TrnBlockType copy = *type;
    copy.name = name;
    uint32_t put;
    TrnResult result = trn_block_type_table_put(&types->table, &types->allocator, &copy, &put);
    if (result == TRN_RESULT_OK) {
        put_block_bits(types, put);
        if (id) {
            *id = (TrnBlock)put;
        }
    }
    return result;
}

TrnResult trn_block_types_add(TrnBlockTypes *types, const TrnBlockType *type, TrnBlock *id)
{
    if (!types || !type || !type->name || type->is_unknown ||
        (uint32_t)type->kind >= TRN_BLOCK_KIND_COUNT || type->light > TRN_BLOCK_LIGHT_MAX) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    return put_block_type(types, type, id);
}

TrnResult trn_block_types_add_unknown(TrnBlockTypes *types, const char *name, TrnBlock *id)
{
    if (!types || !name) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnBlockType placeholder = trn_block_type_placeholder(name);
    return put_block_type(types, &placeholder, id);
}

TrnResult trn_block_types_find(const TrnBlockTypes *types, const char *name, TrnBlock *id)
{
    if (!types || !name) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    uint32_t found = trn_block_type_table_find(&types->table, name, block_name_size(name));
    if (found == TRN_BLOCK_NONE) {
        return TRN_RESULT_NOT_FOUND;
    }
    if (id) {
        *id = (TrnBlock)found;
    }
    return TRN_RESULT_OK;
}

const TrnBlockType *trn_block_types_get(const TrnBlockTypes *types, TrnBlock id)
{
    return id < types->table.count ? &types->table.types[id] : &missing_block_type;
}

const TrnBlockType *trn_block_types_all(const TrnBlockTypes *types, uint32_t *count)
{
    if (count) {
        *count = types->table.count;
    }
    return types->table.types;
}
