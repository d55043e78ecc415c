/// Shared by tests of the chunk index: a simple model, an unsorted list of coordinates, each with a
/// value and its bits, and comparisons of every query with it.
#pragma once

#include "plane_index.h"

#define MODEL_MAX 3000

typedef struct ModelCell {
    TrnCoord coord;
    uint32_t value, bits; ///< bits: TRN_PLANE_BITs
} ModelCell;

typedef struct Model {
    ModelCell cells[MODEL_MAX];
    size_t count;
} Model;

static inline ModelCell *model_find(Model *model, TrnCoord coord)
{
    for (size_t i = 0; i < model->count; i++) {
        if (trn_coord_equal(model->cells[i].coord, coord)) {
            return &model->cells[i];
        }
    }
    return NULL;
}

static inline ModelCell *model_take(Model *model, TrnCoord coord)
{
    ModelCell *cell = model_find(model, coord);
    if (!cell) {
        assert_true(model->count < MODEL_MAX);
        cell = &model->cells[model->count++];
        *cell = (ModelCell){coord, 0, 0};
    }
    return cell;
}

static inline uint32_t model_bits(Model *model, TrnCoord coord)
{
    ModelCell *cell = model_find(model, coord);
    return cell ? cell->bits : 0;
}

static inline uint32_t model_value(Model *model, TrnCoord coord)
{
    ModelCell *cell = model_find(model, coord);
    return cell && (cell->bits & 1) ? cell->value : TRN_CHUNK_VALUE_NONE;
}

/// Returns whether a coordinate satisfies a query, tested bit by bit.
static inline bool model_query(Model *model, TrnCoord coord, const TrnPlaneQuery *query)
{
    uint32_t bits = model_bits(model, coord);
    if ((bits & query->all) != query->all || (query->any && !(bits & query->any)) ||
        (bits & query->none)) {
        return false;
    }
    for (int face = 0; query->all_faces && face < TRN_FACE_COUNT; face++) {
        uint32_t there = model_bits(model, trn_coord_neighbour(coord, (TrnFace)face));
        if ((there & query->all_faces) != query->all_faces) {
            return false;
        }
    }
    for (uint32_t place = 0; query->all_around && place < TRN_AROUND_COUNT; place++) {
        uint32_t there = model_bits(model, trn_coord_around(coord, place));
        if (place != TRN_AROUND_CENTRE && (there & query->all_around) != query->all_around) {
            return false;
        }
    }
    return true;
}

static inline bool comes_before(TrnCoord a, TrnCoord b)
{
    return a.y != b.y ? a.y < b.y : a.z != b.z ? a.z < b.z : a.x < b.x;
}

static inline int compare_cells(const void *a, const void *b)
{
    const ModelCell *l = a, *r = b;
    return comes_before(l->coord, r->coord) ? -1 : comes_before(r->coord, l->coord);
}

/// Compares a gather of the index, sorted, with one made from the model.
static inline void assert_gather_same(TrnChunkIndex *index, Model *model, TrnChunkGather gather,
                                      bool (*inside)(TrnCoord, const TrnFrustum *))
{
    static uint32_t values[MODEL_MAX + 600];
    static TrnCoord coords[MODEL_MAX + 600];
    static ModelCell got[MODEL_MAX], expected[MODEL_MAX];
    TrnPlaneQuery query = gather.planes;
    query.all |= 1;
    size_t count = 0;
    for (size_t i = 0; i < model->count; i++) {
        TrnCoord coord = model->cells[i].coord;
        if (trn_box_contains(gather.box, coord) && model_query(model, coord, &query) &&
            (!gather.frustum || inside(coord, gather.frustum))) {
            expected[count++] = (ModelCell){coord, model->cells[i].value, 0};
        }
    }
    qsort(expected, count, sizeof *expected, compare_cells);
    const size_t capacities[] = {MODEL_MAX + 600, count, count / 2, 0};
    for (int c = 0; c < 4; c++) {
        memset(values, 0x5A, sizeof values);
        gather.values = values;
        gather.coords = coords;
        gather.capacity = capacities[c];
        assert_int_equal(trn_chunk_index_gather(index, &gather), count);
        for (size_t i = capacities[c]; i < capacities[c] + 32 && i < MODEL_MAX + 600; i++) {
            assert_int_equal(values[i], 0x5A5A5A5A); // nothing beyond the capacity
        }
        if (c > 1) {
            size_t written = capacities[c];
            for (size_t i = 0; i < written; i++) { // part of the answer
                assert_int_equal(model_value(model, coords[i]), values[i]);
            }
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            got[i] = (ModelCell){coords[i], values[i], 0};
        }
        qsort(got, count, sizeof *got, compare_cells);
        for (size_t i = 0; i < count; i++) {
            assert_true(trn_coord_equal(got[i].coord, expected[i].coord));
            assert_int_equal(got[i].value, expected[i].value);
        }
    }
}

/// Looks up many chunks at once, and compares with the model.
static inline void assert_finds_same(const TrnChunkIndex *index, Model *model,
                                     const TrnCoord *chunks, size_t count)
{
    uint32_t values[TRN_PAGE_CELLS + 1];
    size_t present = 0;
    assert_true(count <= TRN_PAGE_CELLS);
    memset(values, 0x5A, sizeof values);
    const size_t found = trn_chunk_index_find_many(index, chunks, count, values);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(values[i], model_value(model, chunks[i]));
        present += values[i] != TRN_CHUNK_VALUE_NONE;
    }
    assert_int_equal(found, present);
    assert_int_equal(values[count], 0x5A5A5A5A);
}

static inline void assert_neighbours_same(TrnChunkIndex *index, Model *model, TrnCoord coord)
{
    uint32_t six[TRN_FACE_COUNT], around[TRN_AROUND_COUNT];
    trn_chunk_index_neighbours(index, coord, six);
    trn_chunk_index_around(index, coord, around);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        assert_int_equal(six[face], model_value(model, trn_coord_neighbour(coord, (TrnFace)face)));
    }
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        const TrnCoord there = trn_coord_around(coord, place);
        assert_int_equal(around[place], model_value(model, there));
    }
}

static inline void assert_bulk_neighbours_same(TrnChunkIndex *index, Model *model, TrnBox box)
{
    static uint32_t neighbours[MODEL_MAX][TRN_FACE_COUNT];
    static uint32_t values[MODEL_MAX], plain[MODEL_MAX];
    static TrnCoord coords[MODEL_MAX];
    size_t count = trn_chunk_index_gather_neighbours(index, box, values, neighbours, MODEL_MAX);
    TrnChunkGather gather = {.box = box, .values = plain, .coords = coords, .capacity = MODEL_MAX};
    assert_int_equal(trn_chunk_index_gather(index, &gather), count);
    assert_memory_equal(values, plain, count * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            assert_int_equal(neighbours[i][face],
                             model_value(model, trn_coord_neighbour(coords[i], (TrnFace)face)));
        }
    }
    assert_int_equal(trn_chunk_index_gather_neighbours(index, box, NULL, neighbours, count / 2),
                     count);
}

static inline void assert_stats_same(TrnChunkIndex *index, Model *model)
{
    TrnChunkIndexStats stats = trn_chunk_index_stats(index);
    size_t counts[TRN_PLANE_COUNT_MAX] = {0};
    for (size_t i = 0; i < model->count; i++) {
        for (TrnPlane plane = 0; plane < PLANES; plane++) {
            counts[plane] += model->cells[i].bits >> plane & 1;
        }
    }
    assert_int_equal(stats.chunks, counts[0]);
    for (TrnPlane plane = 0; plane < PLANES; plane++) {
        assert_int_equal(stats.plane_counts[plane], counts[plane]);
    }
}

static inline void assert_planes_same(TrnChunkIndex *index, Model *model)
{
    for (size_t i = 0; i < model->count; i++) {
        for (TrnPlane plane = 0; plane < PLANES; plane++) {
            assert_int_equal(trn_chunk_index_plane_test(index, plane, model->cells[i].coord),
                             model->cells[i].bits >> plane & 1);
        }
    }
}

/// Makes one random change to both.
static inline void random_step(TrnChunkIndex *index, Model *model, TrnCoord coord,
                               TestRandom *random)
{
    uint64_t choice = test_random_next(random) % 100;
    uint32_t bits = model_bits(model, coord);
    if (choice < 42) {
        uint32_t value = (uint32_t)(test_random_next(random) % UINT32_MAX);
        assert_int_equal(trn_chunk_index_insert(index, coord, value),
                         bits & 1 ? TRN_RESULT_EXISTS : TRN_RESULT_OK);
        if (!(bits & 1)) {
            ModelCell *cell = model_take(model, coord);
            cell->value = value;
            cell->bits |= 1;
        }
    } else if (choice < 50) {
        uint32_t value = (uint32_t)(test_random_next(random) % UINT32_MAX);
        assert_int_equal(trn_chunk_index_set(index, coord, value),
                         bits & 1 ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND);
        if (bits & 1) {
            model_find(model, coord)->value = value;
        }
    } else if (choice < 60) {
        uint32_t value = 7;
        assert_int_equal(trn_chunk_index_remove(index, coord, &value),
                         bits & 1 ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND);
        if (bits & 1) {
            ModelCell *cell = model_find(model, coord);
            assert_int_equal(value, cell->value);
            cell->bits &= TRN_PLANE_BIT(WANTED) | TRN_PLANE_BIT(READY) | TRN_PLANE_BIT(AROUND);
        }
    } else {
        TrnPlane plane = (TrnPlane)test_random_range(random, LOADED, WANTED);
        bool bit = choice < 90;
        assert_int_equal(trn_chunk_index_plane_set(index, plane, coord, bit), TRN_RESULT_OK);
        if (bit) {
            model_take(model, coord)->bits |= TRN_PLANE_BIT(plane);
        } else if (model_find(model, coord)) {
            model_find(model, coord)->bits &= ~TRN_PLANE_BIT(plane);
        }
    }
}

static const TrnPlaneQuery queries[] = {
    {.all = 1},
    {.all = 1, .none = TRN_PLANE_BIT(MESHED)},
    {.all = 1 | TRN_PLANE_BIT(LOADED), .any = TRN_PLANE_BIT(MESHED) | TRN_PLANE_BIT(WANTED)},
    {.all = 1, .all_faces = 1},
    {.all = 1, .all_faces = TRN_PLANE_BIT(WANTED), .none = TRN_PLANE_BIT(LOADED)},
    {.all = 1, .all_around = 1},
    {.all = 1 | TRN_PLANE_BIT(WANTED), .all_around = TRN_PLANE_BIT(WANTED), .all_faces = 1},
};

/// Computes a plane with the index and, cell by cell, with the model.
static inline void compute_both(TrnChunkIndex *index, Model *model, TrnPlane plane,
                                const TrnPlaneQuery *query)
{
    assert_int_equal(trn_chunk_index_plane_compute(index, plane, query), TRN_RESULT_OK);
    for (size_t i = 0; i < model->count; i++) {
        bool holds = model_query(model, model->cells[i].coord, query);
        model->cells[i].bits &= ~TRN_PLANE_BIT(plane);
        model->cells[i].bits |= holds ? TRN_PLANE_BIT(plane) : 0;
    }
}
