// Types by id and by name in one piece of memory, with their models, and families among them.

#include "block_types_impl.h"

#include "base/hash.h"

#define BLOCK_TABLE_CAPACITY_FIRST 64u // a power of two
#define BLOCK_TABLE_MODELS_FIRST 16u

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
    trn_give(allocator, table->models, table->model_capacity * sizeof *table->models);
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

bool trn_block_type_table_is_liquid(const TrnBlockTypeTable *table, uint32_t id)
{
    return id < table->count && table->types[id].kind == TRN_BLOCK_KIND_LIQUID &&
           table->types[id].variant == 0;
}

/// Sets the type of an id. @param table  has free capacity for its model
static void block_table_set(TrnBlockTypeTable *table, uint32_t id, const TrnBlockType *type)
{
    table->types[id] = *type;
    table->types[id].name = table->names[id];
    if (type->model) {
        TRN_ASSERT(table->models && table->model_count < table->model_capacity);
        table->models[table->model_count] = trn_block_model_copy(type->model);
        table->types[id].model = &table->models[table->model_count++];
    }
}

/// @param table  has free capacity and does not have this name
static uint32_t block_table_append(TrnBlockTypeTable *table, const TrnBlockType *type)
{
    const uint32_t id = table->count++;
    const size_t size = trn_block_name_size(type->name);
    *block_table_slot(table, type->name, size) = id + 1;
    memset(table->names[id], 0, TRN_BLOCK_NAME_BYTES);
    memcpy(table->names[id], type->name, size);
    block_table_set(table, id, type);
    return id;
}

static TrnResult block_table_copy_to(const TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                     uint32_t capacity, uint32_t model_capacity,
                                     TrnBlockTypeTable *copy)
{
    TrnBlockTypeTable made = {.key = table->key};
    TrnResult result = block_table_create(allocator, capacity, &made);
    if (result == TRN_RESULT_OK && model_capacity) {
        made.models =
            trn_take(allocator, model_capacity * sizeof *made.models, alignof(TrnBlockModel));
        made.model_capacity = made.models ? model_capacity : 0;
        result = made.models ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    }
    if (result != TRN_RESULT_OK) {
        trn_block_type_table_free(&made, allocator);
        return result;
    }
    for (uint32_t id = 0; id < table->count; id++) {
        block_table_append(&made, &table->types[id]);
    }
    *copy = made;
    return TRN_RESULT_OK;
}

TrnResult trn_block_type_table_copy(const TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                    TrnBlockTypeTable *copy)
{
    return block_table_copy_to(table, allocator, table->capacity, table->model_capacity, copy);
}

/// Ensures free capacity for types and models.
static TrnResult block_table_reserve(TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                     uint32_t types, uint32_t models)
{
    uint32_t capacity = table->capacity ? table->capacity : BLOCK_TABLE_CAPACITY_FIRST;
    uint32_t model_capacity = table->model_capacity;
    while (capacity - table->count < types) {
        capacity *= 2;
    }
    while (model_capacity - table->model_count < models) {
        model_capacity = model_capacity ? 2 * model_capacity : BLOCK_TABLE_MODELS_FIRST;
    }
    if (capacity == table->capacity && model_capacity == table->model_capacity) {
        return TRN_RESULT_OK;
    }
    TrnBlockTypeTable grown;
    TrnResult result = block_table_copy_to(table, allocator, capacity, model_capacity, &grown);
    if (result == TRN_RESULT_OK) {
        trn_block_type_table_free(table, allocator);
        *table = grown;
    }
    return result;
}

// ---- families -----------------------------------------------------------------------------------

uint32_t trn_block_type_table_variant(const TrnBlockTypeTable *table, uint32_t first,
                                      uint32_t variant)
{
    uint32_t id = first + variant;
    if (variant >= TRN_BLOCK_VARIANTS_MAX) {
        return TRN_BLOCK_NONE;
    }
    if (id >= table->count || table->types[id].family != first ||
        table->types[id].variant != variant) {
        char name[TRN_BLOCK_NAME_BYTES];
        const char *first_name = table->names[first];
        if (trn_block_name_size(first_name) > TRN_BLOCK_FAMILY_NAME_MAX) {
            return TRN_BLOCK_NONE;
        }
        trn_block_family_name(first_name, variant, name);
        id = trn_block_type_table_find(table, name, trn_block_name_size(name));
    }
    return id != TRN_BLOCK_NONE && table->types[id].family == first ? id : TRN_BLOCK_NONE;
}

uint32_t trn_block_type_table_family(const TrnBlockTypeTable *table, uint32_t id,
                                     uint32_t members[TRN_BLOCK_VARIANTS_MAX])
{
    const TrnBlockType *type = &table->types[id];
    uint32_t count = 1;
    members[0] = type->family;
    if (type->kind != TRN_BLOCK_KIND_LIQUID && type->kind != TRN_BLOCK_KIND_MODEL) {
        return count; // the others have no families, and looking for members takes time
    }
    for (; count < TRN_BLOCK_VARIANTS_MAX; count++) {
        members[count] = trn_block_type_table_variant(table, type->family, count);
        if (members[count] == TRN_BLOCK_NONE) {
            break;
        }
    }
    return count;
}

/// Finds the ids that the members of a family have as placeholders.
/// @param ids  receives TRN_BLOCK_NONE for a new name
/// Errors: EXISTS.
static TrnResult block_table_find_family(const TrnBlockTypeTable *table,
                                         const TrnBlockFamily *family, uint32_t *ids,
                                         uint32_t *new_count)
{
    *new_count = 0;
    for (uint32_t i = 0; i < family->count; i++) {
        const char *name = family->names[i];
        ids[i] = trn_block_type_table_find(table, name, trn_block_name_size(name));
        if (ids[i] == TRN_BLOCK_NONE) {
            ++*new_count;
        } else if (!table->types[ids[i]].is_unknown || family->types[i].is_unknown) {
            return TRN_RESULT_EXISTS;
        }
    }
    return TRN_RESULT_OK;
}

TrnResult trn_block_type_table_put(TrnBlockTypeTable *table, const TrnAllocator *allocator,
                                   const TrnBlockFamily *family, uint32_t *first)
{
    uint32_t ids[TRN_BLOCK_VARIANTS_MAX] = {TRN_BLOCK_NONE}, new_count;
    TrnResult result = block_table_find_family(table, family, ids, &new_count);
    if (result == TRN_RESULT_OK && new_count > TRN_BLOCK_TYPES_MAX - table->count) {
        result = TRN_RESULT_FULL;
    }
    if (result == TRN_RESULT_OK) {
        result = block_table_reserve(table, allocator, new_count,
                                     family->types[0].model ? family->count : 0);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    for (uint32_t i = 0; i < family->count; i++) {
        if (ids[i] == TRN_BLOCK_NONE) {
            ids[i] = block_table_append(table, &family->types[i]);
        } else {
            block_table_set(table, ids[i], &family->types[i]);
        }
        table->types[ids[i]].family = (TrnBlock)ids[0];
    }
    *first = ids[0];
    return TRN_RESULT_OK;
}
