// The registry: adding, finding, and the sets of blocks.

#include "block_types_impl.h"

#include "base/entropy.h"

// ---- sets of blocks -----------------------------------------------------------------------------

static void block_set_put(uint32_t *words, uint32_t id, bool is_in)
{
    const uint32_t bit = UINT32_C(1) << (id % 32);
    words[id / 32] = is_in ? words[id / 32] | bit : words[id / 32] & ~bit;
}

static bool block_is_filled(const TrnBlockType *type)
{
    return type->kind != TRN_BLOCK_KIND_AIR &&
           (type->kind != TRN_BLOCK_KIND_PLANT || type->liquid) &&
           (!type->model || trn_block_model_fills_half(type->model));
}

static void block_sets_put(TrnBlockTypes *types, uint32_t id)
{
    const TrnBlockType *type = &types->table.types[id];
    block_set_put(types->solid, id, type->is_solid);
    block_set_put(types->opaque, id, trn_block_kinds[type->kind].is_opaque);
    block_set_put(types->liquid, id, trn_block_kinds[type->kind].is_liquid || type->liquid);
    block_set_put(types->climbable, id, type->is_climbable);
    block_set_put(types->filled, id, block_is_filled(type));
}

void trn_block_types_replace(TrnBlockTypes *types, TrnBlockTypeTable table)
{
    trn_block_type_table_free(&types->table, &types->allocator);
    types->table = table;
    for (uint32_t id = 0; id < table.count; id++) {
        block_sets_put(types, id);
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

const uint32_t *trn_block_types_filled_bits(const TrnBlockTypes *types)
{
    return types->filled;
}

void trn_block_types_kind_bits(const TrnBlockTypes *types, uint32_t kinds, uint32_t *bits)
{
    const bool has_opaque = kinds & 1u << TRN_BLOCK_KIND_OPAQUE;
    memset(bits, has_opaque ? 0xFF : 0, sizeof(uint32_t[TRN_BLOCK_BITS_WORDS]));
    for (uint32_t id = 0; id < types->table.count; id++) {
        block_set_put(bits, id, kinds & 1u << types->table.types[id].kind);
    }
}

// ---- create and destroy -------------------------------------------------------------------------

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
    memset(made->filled, 0xFF, sizeof made->filled);
    made->table = (TrnBlockTypeTable){.key = trn_entropy_key()};
    made->allocator = taken;
    const TrnBlockType air = trn_block_type_def("terrane:air", TRN_BLOCK_KIND_AIR);
    TrnResult result = trn_block_types_add(made, &air, NULL);
    if (result != TRN_RESULT_OK) {
        trn_block_types_destroy(made);
        return result;
    }
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

/// Whether a kind may have this surface and model.
static bool block_shape_is_valid(const TrnBlockType *type)
{
    const TrnBlockModel *model = type->model;
    uint32_t box;
    if (trn_block_kinds[type->kind].is_liquid ? type->surface < 1 || type->surface > TRN_BLOCK_GRID
                                              : type->surface != TRN_BLOCK_GRID) {
        return false;
    }
    if (type->kind != TRN_BLOCK_KIND_MODEL) {
        return !model;
    }
    return model && model->box_count >= 1 && model->box_count <= TRN_BLOCK_BOXES_MAX &&
           !trn_block_model_problem(model, &box);
}

/// Whether a type stands in nothing, or is a plant in a liquid of the table.
static bool block_liquid_is_valid(const TrnBlockTypes *types, const TrnBlockType *type)
{
    return !type->liquid || (type->kind == TRN_BLOCK_KIND_PLANT &&
                             trn_block_type_table_is_liquid(&types->table, type->liquid));
}

static bool block_type_is_valid(const TrnBlockTypes *types, const TrnBlockType *type)
{
    return type && type->name && !type->is_unknown && (uint32_t)type->kind < TRN_BLOCK_KIND_COUNT &&
           type->light <= TRN_BLOCK_LIGHT_MAX && type->dims <= TRN_BLOCK_LIGHT_MAX &&
           block_shape_is_valid(type) && block_liquid_is_valid(types, type);
}

/// @param type  valid but for its name
static TrnResult block_types_put(TrnBlockTypes *types, const TrnBlockType *type, uint32_t count,
                                 TrnBlock *id)
{
    const size_t size = trn_block_name_size(type->name);
    if (!trn_block_name_is_valid(type->name, size) ||
        (count > 1 && size > TRN_BLOCK_FAMILY_NAME_MAX)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    // A copy: the caller's name and model may lie in the table, whose memory growing frees.
    TrnBlockFamily family;
    uint32_t first, members[TRN_BLOCK_VARIANTS_MAX];
    trn_block_family_make(&family, type, count);
    TrnResult result = trn_block_type_table_put(&types->table, &types->allocator, &family, &first);
    if (result == TRN_RESULT_OK) {
        trn_block_type_table_family(&types->table, first, members);
        for (uint32_t i = 0; i < count; i++) {
            block_sets_put(types, members[i]);
        }
        if (id) {
            *id = (TrnBlock)first;
        }
    }
    return result;
}

TrnResult trn_block_types_add(TrnBlockTypes *types, const TrnBlockType *type, TrnBlock *id)
{
    return types && block_type_is_valid(types, type) ? block_types_put(types, type, 1, id)
                                                     : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_block_types_add_family(TrnBlockTypes *types, const TrnBlockType *type, uint32_t count,
                                     TrnBlock *first)
{
    return types && block_type_is_valid(types, type) &&
                   trn_block_family_count_is_valid(type->kind, count)
               ? block_types_put(types, type, count, first)
               : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_block_types_add_unknown(TrnBlockTypes *types, const char *name, TrnBlock *id)
{
    if (!types || !name) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnBlockType placeholder = trn_block_type_placeholder(name);
    return block_types_put(types, &placeholder, 1, id);
}

TrnBlock trn_block_types_variant(const TrnBlockTypes *types, TrnBlock block, uint32_t variant)
{
    if (block >= types->table.count) {
        return TRN_BLOCK_AIR;
    }
    const uint32_t first = types->table.types[block].family;
    const uint32_t id = trn_block_type_table_variant(&types->table, first, variant);
    return id == TRN_BLOCK_NONE ? TRN_BLOCK_AIR : (TrnBlock)id;
}

TrnResult trn_block_types_find(const TrnBlockTypes *types, const char *name, TrnBlock *id)
{
    if (!types || !name) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    uint32_t found = trn_block_type_table_find(&types->table, name, trn_block_name_size(name));
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
    return id < types->table.count ? &types->table.types[id] : &trn_block_type_missing;
}

const TrnBlockType *trn_block_types_all(const TrnBlockTypes *types, uint32_t *count)
{
    if (count) {
        *count = types->table.count;
    }
    return types->table.types;
}
