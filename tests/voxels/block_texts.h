/// For tests of block types: registries, texts, and the consistency of a registry.
#pragma once

#include "testing.h"

#include <terrane/block_types.h>

/// Creates a registry with the built-in types.
static inline TrnBlockTypes *create(void)
{
    TrnBlockTypes *types = NULL;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    return types;
}

/// A text in memory of exactly its size, so that a sanitizer detects any read beyond it.
typedef struct Text {
    char *bytes;
    size_t size;
} Text;

static inline Text text_copy(const char *bytes, size_t size)
{
    Text text = {malloc(size ? size : 1), size};
    assert_non_null(text.bytes);
    if (size) {
        memcpy(text.bytes, bytes, size);
    }
    return text;
}

static inline TrnResult load_text(TrnBlockTypes *types, const char *text,
                                  TrnBlockTypesProblem *problem)
{
    Text copy = text_copy(text, strlen(text));
    TrnResult result = trn_block_types_load(types, copy.bytes, copy.size, problem);
    free(copy.bytes);
    return result;
}

static inline void assert_loads(TrnBlockTypes *types, const char *text)
{
    TrnBlockTypesProblem problem = {0, 0, ""};
    TrnResult result = load_text(types, text, &problem);
    if (result != TRN_RESULT_OK) {
        fail_msg("%zu:%zu: %s", problem.line, problem.column, problem.sentence);
    }
}

static inline TrnBlock id_of(const TrnBlockTypes *types, const char *name)
{
    TrnBlock id = 0;
    assert_int_equal(trn_block_types_find(types, name, &id), TRN_RESULT_OK);
    return id;
}

static const TrnBlockType *type_of(const TrnBlockTypes *types, const char *name)
{
    const TrnBlockType *type = trn_block_types_get(types, id_of(types, name));
    assert_string_equal(type->name, name);
    return type;
}

static inline void assert_same_type(const TrnBlockType *a, const TrnBlockType *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->is_solid, b->is_solid);
    assert_int_equal(a->is_climbable, b->is_climbable);
    assert_int_equal(a->is_unknown, b->is_unknown);
    assert_int_equal(a->light, b->light);
    assert_int_equal(a->dims, b->dims);
    assert_int_equal(a->surface, b->surface);
    assert_int_equal(a->ticks, b->ticks);
    assert_int_equal(a->model != NULL, b->model != NULL);
    if (a->model) {
        assert_int_equal(a->model->box_count, b->model->box_count);
        assert_int_equal(a->model->connects, b->model->connects);
        assert_memory_equal(a->model->boxes, b->model->boxes,
                            a->model->box_count * sizeof *a->model->boxes);
    }
    assert_memory_equal(a->colour, b->colour, sizeof a->colour);
    assert_memory_equal(a->layer, b->layer, sizeof a->layer);
}

static inline uint32_t count_of(const TrnBlockTypes *types)
{
    uint32_t count = 0;
    trn_block_types_all(types, &count);
    return count;
}

/// A copy of all types of a registry.
typedef struct Kept {
    uint32_t count;
    TrnBlockType *types; ///< [count], with names and models of their own
    TrnBlockModel *models;
    char (*names)[TRN_BLOCK_NAME_MAX + 1];
} Kept;

static inline Kept kept_types(const TrnBlockTypes *types)
{
    Kept kept = {.count = count_of(types)};
    kept.types = malloc(kept.count * sizeof *kept.types);
    kept.models = malloc(kept.count * sizeof *kept.models);
    kept.names = malloc(kept.count * sizeof *kept.names);
    assert_true(kept.types && kept.models && kept.names);
    for (uint32_t id = 0; id < kept.count; id++) {
        TrnBlockType *type = &kept.types[id];
        *type = *trn_block_types_get(types, (TrnBlock)id);
        snprintf(kept.names[id], sizeof kept.names[id], "%s", type->name);
        type->name = kept.names[id];
        if (type->model) {
            kept.models[id] = *type->model;
            type->model = &kept.models[id];
        }
    }
    return kept;
}

static inline void kept_free(Kept kept)
{
    free(kept.names);
    free(kept.models);
    free(kept.types);
}

static inline void assert_types_are(const TrnBlockTypes *types, Kept expected)
{
    assert_int_equal(count_of(types), expected.count);
    for (uint32_t id = 0; id < expected.count; id++) {
        const TrnBlockType *type = trn_block_types_get(types, (TrnBlock)id);
        assert_same_type(type, &expected.types[id]);
        assert_int_equal(type->family, expected.types[id].family);
        assert_int_equal(type->variant, expected.types[id].variant);
    }
}

/// Defines the type of an id, which is the first of its family, in a registry that has its name.
static inline void define_again(const TrnBlockTypes *types, TrnBlock id, TrnBlockTypes *again)
{
    const TrnBlockType *type = trn_block_types_get(types, id);
    uint32_t count = 1;
    while (count < TRN_BLOCK_VARIANTS_MAX &&
           trn_block_types_variant(types, id, count) != TRN_BLOCK_AIR) {
        count++;
    }
    assert_int_equal(count > 1 ? trn_block_types_add_family(again, type, count, NULL)
                               : trn_block_types_add(again, type, NULL),
                     TRN_RESULT_OK);
}

/// Makes a registry with the same ids, as a game does that saves the names of its ids: adds them as
/// placeholders in the order of ids, then defines the types.
static inline TrnBlockTypes *types_again(const TrnBlockTypes *types)
{
    TrnBlockTypes *again = NULL;
    assert_int_equal(trn_block_types_create(NULL, &again), TRN_RESULT_OK);
    for (uint32_t id = count_of(again); id < count_of(types); id++) {
        const char *name = trn_block_types_get(types, (TrnBlock)id)->name;
        assert_int_equal(trn_block_types_add_unknown(again, name, NULL), TRN_RESULT_OK);
    }
    for (uint32_t id = 1; id < count_of(types); id++) {
        const TrnBlockType *type = trn_block_types_get(types, (TrnBlock)id);
        if (!type->is_unknown && type->variant == 0) {
            define_again(types, (TrnBlock)id, again);
        }
    }
    return again;
}

static inline bool bit_of(const uint32_t *words, uint32_t id)
{
    return words[id / 32] >> (id % 32) & 1;
}

/// Checks that the set of each combination of kinds holds exactly the ids of those kinds.
static inline void assert_kind_bits_are_consistent(const TrnBlockTypes *types)
{
    uint32_t bits[TRN_BLOCK_BITS_WORDS];
    for (uint32_t kinds = 0; kinds < 1u << TRN_BLOCK_KIND_COUNT; kinds += 5) {
        memset(bits, 0xA5, sizeof bits);
        trn_block_types_kind_bits(types, kinds, bits);
        for (uint32_t id = 0; id < TRN_BLOCK_TYPES_MAX; id++) {
            const TrnBlockKind kind = trn_block_types_get(types, (TrnBlock)id)->kind;
            assert_int_equal(bit_of(bits, id), kinds >> kind & 1);
        }
    }
}

/// Checks that names and bits agree with the list of types, for every possible id.
static inline void assert_is_consistent(const TrnBlockTypes *types)
{
    uint32_t count = 0;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    const uint32_t *solid = trn_block_types_solid_bits(types);
    const uint32_t *opaque = trn_block_types_opaque_bits(types);
    assert_int_equal((uintptr_t)solid % 64, 0);
    const uint32_t *liquid = trn_block_types_liquid_bits(types);
    const uint32_t *climbable = trn_block_types_climbable_bits(types);
    assert_int_equal((uintptr_t)opaque % 64, 0);
    assert_int_equal((uintptr_t)liquid % 64, 0);
    assert_int_equal((uintptr_t)climbable % 64, 0);
    for (uint32_t id = 0; id < TRN_BLOCK_TYPES_MAX; id++) {
        const TrnBlockType *type = trn_block_types_get(types, (TrnBlock)id);
        if (id < count) {
            assert_ptr_equal(type, &all[id]);
            assert_int_equal(id_of(types, type->name), id);
            assert_int_equal(trn_block_types_variant(types, type->family, type->variant), id);
        } else {
            assert_string_equal(type->name, "terrane:missing");
            assert_true(type->is_unknown);
        }
        assert_int_equal(bit_of(solid, id), type->is_solid);
        assert_int_equal(bit_of(opaque, id), type->kind == TRN_BLOCK_KIND_OPAQUE);
        assert_int_equal(bit_of(liquid, id), type->kind == TRN_BLOCK_KIND_LIQUID || type->liquid);
        assert_int_equal(bit_of(climbable, id), type->is_climbable);
    }
    assert_kind_bits_are_consistent(types);
}
