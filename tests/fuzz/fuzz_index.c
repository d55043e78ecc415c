/// The chunk index against a list of cells: inserts, planes, queries, gathers, readers, and memory
/// that runs out.
#include "fuzz.h"
#include "index/chunk_model.h"

#define CELLS_MAX 2000 // of the model: a fill may add 512

typedef struct IndexFuzz {
    FuzzProgram program;
    TestAllocator memory;
    TrnChunkIndex *index;
    TrnChunkReader *reader;
    bool is_reading;
    Model model;
} IndexFuzz;

/// Chooses a coordinate near one of some places, far from each other or across a page's border.
static TrnCoord choose_coord(IndexFuzz *fuzz)
{
    static const TrnCoord places[] = {{0, 0, 0},
                                      {-1, 7, 8},
                                      {40, 0, -40},
                                      {INT32_MAX, INT32_MIN, INT32_MAX},
                                      {INT32_MIN, INT32_MAX, 0},
                                      {1000000, -1000000, 5},
                                      {300, 300, 300},
                                      {-5000, 1, 77}};
    const uint32_t place = fuzz_below(&fuzz->program, 8), at = fuzz_number(&fuzz->program, 1);
    return trn_coord_add(places[place], (int32_t)(at & 7), (int32_t)(at >> 3 & 3),
                         (int32_t)(at >> 5));
}

static TrnPlane choose_plane(IndexFuzz *fuzz)
{
    return LOADED + fuzz_below(&fuzz->program, WANTED);
}

/// Memory may be short, page_max reached, or a reader in its section.
static bool is_refusal(TrnResult result)
{
    return result == TRN_RESULT_NO_MEMORY || result == TRN_RESULT_FULL ||
           result == TRN_RESULT_READERS;
}

static void insert(IndexFuzz *fuzz)
{
    const TrnCoord coord = choose_coord(fuzz);
    const uint32_t value = fuzz_number(&fuzz->program, 1), bits = model_bits(&fuzz->model, coord);
    const TrnResult result = trn_chunk_index_insert(fuzz->index, coord, value);
    if (is_refusal(result)) {
        FUZZ_REQUIRE(bits == 0);
        return;
    }
    FUZZ_REQUIRE(result == (bits & 1 ? TRN_RESULT_EXISTS : TRN_RESULT_OK));
    if (result == TRN_RESULT_OK) {
        ModelCell *cell = model_take(&fuzz->model, coord);
        cell->value = value;
        cell->bits |= 1;
    }
}

static void set(IndexFuzz *fuzz)
{
    const TrnCoord coord = choose_coord(fuzz);
    const uint32_t value = fuzz_number(&fuzz->program, 1), bits = model_bits(&fuzz->model, coord);
    FUZZ_REQUIRE(trn_chunk_index_set(fuzz->index, coord, value) ==
                 (bits & 1 ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND));
    if (bits & 1) {
        model_find(&fuzz->model, coord)->value = value;
    }
}

static void remove_chunk(IndexFuzz *fuzz)
{
    const TrnCoord coord = choose_coord(fuzz);
    const uint32_t bits = model_bits(&fuzz->model, coord);
    uint32_t value = 7;
    const TrnResult result = trn_chunk_index_remove(fuzz->index, coord, &value);
    if (is_refusal(result)) {
        FUZZ_REQUIRE(bits & 1);
        return;
    }
    FUZZ_REQUIRE(result == (bits & 1 ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND));
    if (bits & 1) {
        ModelCell *cell = model_find(&fuzz->model, coord);
        FUZZ_REQUIRE(value == cell->value);
        cell->bits &= TRN_PLANE_BIT(WANTED) | TRN_PLANE_BIT(READY) | TRN_PLANE_BIT(AROUND);
    }
}

/// Sets or clears a bit in the model.
static void note_bit(IndexFuzz *fuzz, TrnPlane plane, TrnCoord coord, bool bit)
{
    if (bit) {
        model_take(&fuzz->model, coord)->bits |= TRN_PLANE_BIT(plane);
    } else if (model_find(&fuzz->model, coord)) {
        model_find(&fuzz->model, coord)->bits &= ~TRN_PLANE_BIT(plane);
    }
}

static void set_plane(IndexFuzz *fuzz)
{
    const TrnPlane plane = choose_plane(fuzz);
    const TrnCoord coord = choose_coord(fuzz);
    const bool bit = fuzz_below(&fuzz->program, 3) > 0;
    const TrnResult result = trn_chunk_index_plane_set(fuzz->index, plane, coord, bit);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || (is_refusal(result) && bit));
    if (result == TRN_RESULT_OK) {
        note_bit(fuzz, plane, coord, bit);
    }
}

/// Chooses a box of at most 512 chunks. At an end of int32 it may be empty.
static TrnBox choose_box(IndexFuzz *fuzz)
{
    TrnBox box;
    box.min = choose_coord(fuzz);
    const uint32_t size = fuzz_number(&fuzz->program, 1);
    box.max =
        trn_coord_add(box.min, (int32_t)(size & 7), (int32_t)(size >> 3 & 3), (int32_t)(size >> 5));
    return box;
}

static void fill_plane(IndexFuzz *fuzz)
{
    const TrnPlane plane = choose_plane(fuzz);
    const TrnBox box = choose_box(fuzz);
    const bool bit = fuzz_below(&fuzz->program, 3) > 0;
    const TrnResult result = trn_chunk_index_plane_fill(fuzz->index, plane, box, bit);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || (is_refusal(result) && bit));
    if (trn_box_is_empty(box)) {
        FUZZ_REQUIRE(result == TRN_RESULT_OK);
        return;
    }
    for (int64_t y = box.min.y; y <= box.max.y; y++) {
        for (int64_t z = box.min.z; z <= box.max.z; z++) {
            for (int64_t x = box.min.x; x <= box.max.x; x++) {
                const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
                const bool is_set = trn_chunk_index_plane_test(fuzz->index, plane, coord);
                FUZZ_REQUIRE(result != TRN_RESULT_OK || is_set == bit);
                FUZZ_REQUIRE(is_set || !(model_bits(&fuzz->model, coord) & TRN_PLANE_BIT(plane)) ||
                             !bit);
                note_bit(fuzz, plane, coord, is_set); // a failed one has set some
            }
        }
    }
}

static const TrnPlaneQuery *choose_query(IndexFuzz *fuzz)
{
    return &queries[fuzz_below(&fuzz->program, sizeof queries / sizeof *queries)];
}

static void compute(IndexFuzz *fuzz)
{
    const TrnPlane plane = fuzz_below(&fuzz->program, 2) ? READY : AROUND;
    compute_both(fuzz->index, &fuzz->model, plane, choose_query(fuzz));
}

static bool is_in_frustum(TrnCoord coord, const TrnFrustum *frustum)
{
    const int64_t at[3] = {(int64_t)coord.x - frustum->origin.x,
                           (int64_t)coord.y - frustum->origin.y,
                           (int64_t)coord.z - frustum->origin.z};
    for (uint32_t p = 0; p < frustum->count; p++) {
        double most = frustum->planes[p][3];
        for (int axis = 0; axis < 3; axis++) { // small whole numbers: exact
            most += frustum->planes[p][axis] *
                    (double)(at[axis] + (frustum->planes[p][axis] > 0 ? 1 : 0));
        }
        if (most < 0) {
            return false;
        }
    }
    return true;
}

static void gather(IndexFuzz *fuzz)
{
    TrnFrustum frustum = {.origin = choose_coord(fuzz)};
    TrnChunkGather gather = {.box = choose_box(fuzz), .planes = *choose_query(fuzz)};
    const uint32_t kind = fuzz_below(&fuzz->program, 4);
    if (kind & 1) {
        gather.box = trn_box_everything();
    }
    if (kind & 2) {
        frustum.count = fuzz_below(&fuzz->program, 7);
        for (uint32_t i = 0; i < frustum.count * 4; i++) {
            frustum.planes[i / 4][i % 4] = fuzz_between(&fuzz->program, -8, 8);
        }
        gather.frustum = &frustum;
    }
    assert_gather_same(fuzz->index, &fuzz->model, gather, is_in_frustum);
}

static void look_around(IndexFuzz *fuzz)
{
    assert_neighbours_same(fuzz->index, &fuzz->model, choose_coord(fuzz));
    assert_bulk_neighbours_same(fuzz->index, &fuzz->model, choose_box(fuzz));
}

static void reserve(IndexFuzz *fuzz)
{
    const TrnBox box = choose_box(fuzz);
    const TrnResult result = trn_chunk_index_reserve(fuzz->index, box);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || is_refusal(result) ||
                 result == TRN_RESULT_OUT_OF_RANGE ||
                 (result == TRN_RESULT_BAD_ARGUMENT && trn_box_is_empty(box)));
}

static void clear(IndexFuzz *fuzz)
{
    const TrnResult result = trn_chunk_index_clear(fuzz->index);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || is_refusal(result));
    fuzz->model.count = result == TRN_RESULT_OK ? 0 : fuzz->model.count;
}

static void read_or_leave(IndexFuzz *fuzz)
{
    (fuzz->is_reading ? trn_chunk_index_read_end : trn_chunk_index_read_begin)(fuzz->reader);
    fuzz->is_reading = !fuzz->is_reading;
}

/// Lets the next allocations fail, from one on and for some.
static void fail_some(IndexFuzz *fuzz)
{
    const uint32_t at = fuzz_below(&fuzz->program, 8);
    test_fail(&fuzz->memory, at, at + fuzz_below(&fuzz->program, 8));
}

static void check(IndexFuzz *fuzz)
{
    assert_planes_same(fuzz->index, &fuzz->model);
    assert_stats_same(fuzz->index, &fuzz->model);
    assert_gather_same(fuzz->index, &fuzz->model,
                       (TrnChunkGather){.box = trn_box_everything(), .planes = {.all = 1}}, NULL);
}

static void step(IndexFuzz *fuzz)
{
    static void (*const steps[])(IndexFuzz *) = {
        insert,      insert,  set,    remove_chunk, remove_chunk,  set_plane, fill_plane, compute,
        look_around, reserve, gather, gather,       read_or_leave, fail_some, check};
    const uint32_t choice = fuzz_below(&fuzz->program, 64);
    if (choice == 63) {
        clear(fuzz);
    } else {
        steps[choice % (sizeof steps / sizeof *steps)](fuzz);
    }
}

static void create(IndexFuzz *fuzz)
{
    const TrnAllocator allocator = test_allocator(&fuzz->memory);
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = plane_defs;
    def.plane_count = PLANES - 1;
    def.allocator = &allocator;
    def.page_max = 1 + fuzz_below(&fuzz->program, 64);
    def.directory_bytes_max = fuzz_below(&fuzz->program, 4) ? def.directory_bytes_max : 512;
    def.retired_bytes_max = fuzz_below(&fuzz->program, 4) ? def.retired_bytes_max : 20000;
    def.hash_key = 1;
    FUZZ_REQUIRE(trn_chunk_index_create(&def, &fuzz->index) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_chunk_index_reader_create(fuzz->index, "fuzz", &fuzz->reader) ==
                 TRN_RESULT_OK);
}

int fuzz_index(const uint8_t *bytes, size_t size);

int fuzz_index(const uint8_t *bytes, size_t size)
{
    static IndexFuzz fuzz;
    fuzz.program = fuzz_program(bytes, size);
    fuzz.memory = (TestAllocator){0};
    fuzz.is_reading = false;
    fuzz.model.count = 0;
    create(&fuzz);
    for (int i = 0; i < 1000 && fuzz_has_more(&fuzz.program) && fuzz.model.count < CELLS_MAX; i++) {
        step(&fuzz);
    }
    check(&fuzz);
    if (fuzz.is_reading) {
        read_or_leave(&fuzz);
    }
    trn_chunk_index_destroy(fuzz.index);
    FUZZ_REQUIRE(fuzz.memory.live_blocks == 0);
    return 0;
}
