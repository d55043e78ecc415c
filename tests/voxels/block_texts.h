/// For tests of block types: registries, texts, and the consistency of a registry.
#ifndef TERRANE_TESTS_BLOCK_TEXTS_H
#define TERRANE_TESTS_BLOCK_TEXTS_H

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

static inline Text text_written(const TrnBlockTypes *types)
{
    Text text = {NULL, trn_block_types_write(types, NULL, 0)};
    text.bytes = malloc(text.size);
    assert_non_null(text.bytes);
    assert_int_equal(trn_block_types_write(types, text.bytes, text.size), text.size);
    return text;
}

static inline void assert_written_is(const TrnBlockTypes *types, Text expected)
{
    Text text = text_written(types);
    assert_int_equal(text.size, expected.size);
    assert_memory_equal(text.bytes, expected.bytes, text.size);
    free(text.bytes);
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
        assert_int_equal(bit_of(liquid, id), type->kind == TRN_BLOCK_KIND_LIQUID);
        assert_int_equal(bit_of(climbable, id), type->is_climbable);
    }
    assert_kind_bits_are_consistent(types);
}

#endif
