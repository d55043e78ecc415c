/// Eight chunks, and a model that folds them as terrane/fold.h says, voxel by voxel.
#pragma once

#include <terrane/fold.h>

#include <string.h>

#include "testing.h"

enum { EDGE = TRN_CHUNK_EDGE, HALF = EDGE / 2, TYPES = 400 };

/// Chunks of eight children, and what they fold to.
typedef struct Site {
    TrnBlockTypes *types;
    TrnBlock children[8][TRN_CHUNK_VOXELS];
    TrnBlock folded[TRN_CHUNK_VOXELS], expected[TRN_CHUNK_VOXELS];
    TrnBlockKind kinds[TRN_BLOCK_TYPES_MAX]; ///< of all blocks: the model asks often
    bool filled[TRN_BLOCK_TYPES_MAX];        ///< which of those that are not opaque fill a cell
} Site;

/// Whether a block that is not opaque fills a cell: models by what is always there, plants by the
/// liquid that they stand in.
static inline bool is_filled(const TrnBlockType *type)
{
    uint32_t volume = 0;
    for (uint32_t i = 0; type->model && i < type->model->box_count; i++) {
        const TrnBlockBox *box = &type->model->boxes[i];
        const uint32_t sizes[3] = {(uint32_t)(box->max[0] - box->min[0]),
                                   (uint32_t)(box->max[1] - box->min[1]),
                                   (uint32_t)(box->max[2] - box->min[2])};
        volume += box->connected ? 0 : sizes[0] * sizes[1] * sizes[2];
    }
    return type->model ? volume >= 2048
                       : type->liquid || type->kind == TRN_BLOCK_KIND_LIQUID ||
                             type->kind == TRN_BLOCK_KIND_TRANSPARENT ||
                             type->kind == TRN_BLOCK_KIND_CUTOUT;
}

static inline Site *site_create(void)
{
    Site *site = calloc(1, sizeof *site);
    assert_non_null(site);
    assert_int_equal(trn_block_types_create_builtin(NULL, &site->types), TRN_RESULT_OK);
    for (uint32_t i = TRN_BLOCK_BUILTIN_COUNT; i < TYPES; i++) {
        char name[32];
        snprintf(name, sizeof name, "test:%u", i);
        const TrnBlockType type =
            trn_block_type_def(name, (TrnBlockKind)(i % TRN_BLOCK_KIND_MODEL));
        assert_int_equal(trn_block_types_add(site->types, &type, NULL), TRN_RESULT_OK);
    }
    for (uint32_t block = 0; block < TRN_BLOCK_TYPES_MAX; block++) {
        const TrnBlockType *type = trn_block_types_get(site->types, (TrnBlock)block);
        site->kinds[block] = type->kind;
        site->filled[block] = is_filled(type);
    }
    return site;
}

static inline void site_destroy(Site *site)
{
    trn_block_types_destroy(site->types);
    free(site);
}

// ---- the model ---------------------------------------------------------------------------------

static inline TrnBlockKind kind_of(const Site *site, TrnBlock block)
{
    return site->kinds[block];
}

/// Returns a voxel of the eight children; what lies above them is air. @param x,y,z  0..63, y to 64
static inline TrnBlock voxel_at(const Site *site, int x, int y, int z)
{
    if (y >= 2 * EDGE) {
        return TRN_BLOCK_AIR;
    }
    const int octant = x / EDGE | z / EDGE << 1 | y / EDGE << 2;
    return site->children[octant][trn_local_index((uint32_t)x % EDGE, (uint32_t)y % EDGE,
                                                  (uint32_t)z % EDGE)];
}

static inline bool is_of(const Site *site, TrnBlock block, bool opaque)
{
    return opaque ? kind_of(site, block) == TRN_BLOCK_KIND_OPAQUE : site->filled[block];
}

/// Returns the most frequent of some blocks, the first of several.
static inline TrnBlock most_frequent(const TrnBlock *blocks, int count)
{
    TrnBlock best = blocks[0];
    int most = 0;
    for (int i = 0; i < count; i++) {
        int same = 0;
        for (int j = 0; j < count; j++) {
            same += blocks[j] == blocks[i];
        }
        if (same > most) {
            most = same;
            best = blocks[i];
        }
    }
    return best;
}

static inline TrnBlock model_cell(const Site *site, int x, int y, int z)
{
    int opaque = 0, clear = 0, seen_count = 0, all_count = 0;
    for (int i = 0; i < 8; i++) {
        const TrnBlock block = voxel_at(site, 2 * x + i % 2, 2 * y + i / 4, 2 * z + i / 2 % 2);
        opaque += is_of(site, block, true);
        clear += is_of(site, block, false);
    }
    if (opaque + clear < 4) {
        return TRN_BLOCK_AIR;
    }
    const bool is_opaque = opaque >= 4 || opaque >= clear;
    TrnBlock all[4], seen[4];
    for (int i = 0; i < 4; i++) {
        for (int up = 1; up >= 0; up--) {
            const int at[3] = {2 * x + i % 2, 2 * y + up, 2 * z + i / 2};
            const TrnBlock block = voxel_at(site, at[0], at[1], at[2]);
            if (is_of(site, block, is_opaque)) {
                all[all_count++] = block;
                if (!is_of(site, voxel_at(site, at[0], at[1] + 1, at[2]), true)) {
                    seen[seen_count++] = block;
                }
                break;
            }
        }
    }
    return seen_count ? most_frequent(seen, seen_count) : most_frequent(all, all_count);
}

static inline void fold_by_model(Site *site)
{
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        site->expected[i] = model_cell(site, i % EDGE, i / (EDGE * EDGE), i / EDGE % EDGE);
    }
}

/// Folds the children as if some of their voxels were edits, and compares with the model.
static inline void check_edited(Site *site)
{
    enum { KEPT = 54321 };
    TestRandom random = {4};
    bool is_edited[TRN_CHUNK_VOXELS] = {false};
    for (uint32_t octant = 0; octant < 8; octant++) {
        static TrnBlock land[TRN_CHUNK_VOXELS];
        memcpy(land, site->children[octant], sizeof land);
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            if (test_random_next(&random) % 9 == 0) {
                const uint32_t x = (i & 31) / 2 + (octant & 1) * HALF;
                const uint32_t y = (i >> 10) / 2 + (octant >> 2) * HALF;
                const uint32_t z = (i >> 5 & 31) / 2 + (octant >> 1 & 1) * HALF;
                land[i]++;
                is_edited[trn_local_index(x, y, z)] = true;
            }
        }
        for (uint32_t i = 0; octant == 0 && i < TRN_CHUNK_VOXELS; i++) {
            site->folded[i] = KEPT;
        }
        trn_fold_edited(site->types, site->children[octant],
                        octant & 4 ? NULL : site->children[octant | 4], land, octant, site->folded);
    }
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        assert_int_equal(site->folded[i], is_edited[i] ? site->expected[i] : KEPT);
    }
}

/// Folds the children in each way, and compares with the model.
static inline void check(Site *site)
{
    fold_by_model(site);
    check_edited(site);
    memset(site->folded, 0xEE, sizeof site->folded);
    for (uint32_t i = 0; i < 8; i++) {
        trn_fold_blocks(site->types, site->children[i], i & 4 ? NULL : site->children[i | 4], i,
                        site->folded);
    }
    assert_memory_equal(site->folded, site->expected, sizeof site->expected);
}
