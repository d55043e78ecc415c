// Every function of chunks and mesher that may be called on any thread, on several at once, while
// the writer streams, edits, undoes, evicts, and calls everything that tells about store and
// stream. For ThreadSanitizer; what the functions return is tested elsewhere.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include <pthread.h>
#include <sched.h>

#include "stream_threaded.h"

#include <terrane/body.h>
#include <terrane/chunk_pages.h>
#include <terrane/fold.h>
#include <terrane/generator.h>
#include <terrane/history.h>
#include <terrane/light.h>
#include <terrane/mesh_vertices.h>
#include <terrane/mesher.h>
#include <terrane/noise.h>
#include <terrane/raycast.h>
#include <terrane/terrain.h>
#include <terrane/visibility.h>

#define THREADS 4
#define GATHERED 64
#define LIGHT_PLANE 1u ///< the plane that the writer sets

/// What all threads share.
typedef struct Place {
    TrnStore *store;
    const TrnBlockTypes *types;
    TrnTerrain *terrain;
    _Atomic(bool) is_over;
    _Atomic(int32_t) x; ///< chunk that the writer's anchor is in
    uint32_t rounds;    ///< of each thread, at least
} Place;

/// One thread, and what it needs for itself.
typedef struct Seat {
    Place *place;
    uint32_t number;
    TestRandom random;
    TrnChunkReader *reader;
    TrnLightSolver *solver;
    TrnLight *sky, *blocks_light;
    TrnMesh mesh;
    void *scratch;
    TrnBlock *blocks; ///< [TRN_CHUNK_VOXELS]
    TrnBlock *others; ///< the same
    uint64_t sum;     ///< of answers, so that no call is left out
} Seat;

// ---- inside a section ---------------------------------------------------------------------------

static void seat_find(Seat *seat, TrnCoord at)
{
    const TrnStore *store = seat->place->store;
    TrnChunk *chunk = trn_store_find(store, at), *chunks[GATHERED], *six[TRN_FACE_COUNT];
    const TrnVoxel low = trn_coord_voxel(at), high = {low.x + 40, low.y + 40, low.z + 40};
    TrnBlock block = 0;
    if (chunk) {
        seat->sum += trn_store_chunk(store, chunk->id) != NULL;
        seat->sum += trn_pool_get(trn_store_pool(store), chunk->id) != NULL;
        seat->sum += trn_chunk_revision(chunk);
    }
    seat->sum += trn_store_revision(store) + trn_store_get_block(store, low, &block) + block;
    seat->sum += trn_store_box_has(store, low, high, TRN_PLANE_PRESENT);
    seat->sum += trn_store_gather(store, trn_box_around(at, 2, 1, 2), chunks, GATHERED);
    trn_store_neighbours(store, at, six);
    seat->sum += six[0] != NULL;
}

static void seat_read_index(Seat *seat, TrnCoord at)
{
    const TrnChunkIndex *index = trn_store_index(seat->place->store);
    uint32_t values[TRN_AROUND_COUNT] = {0}, neighbours[GATHERED][TRN_FACE_COUNT];
    uint64_t words[TRN_PAGE_WORDS];
    TrnPageFigures pages[8];
    seat->sum += trn_chunk_index_find(index, at, values);
    trn_chunk_index_neighbours(index, at, values);
    trn_chunk_index_around(index, at, values);
    seat->sum += values[0] + trn_chunk_index_plane(index, "lit");
    seat->sum += trn_chunk_index_plane_name(index, LIGHT_PLANE) != NULL;
    seat->sum += trn_chunk_index_plane_test(index, LIGHT_PLANE, at);
    seat->sum += trn_chunk_index_pages(index, trn_box_everything(), pages, 8);
    seat->sum += trn_chunk_index_page_plane(index, at, LIGHT_PLANE, words) + words[0];
    seat->sum += trn_chunk_index_gather_neighbours(index, trn_box_around(at, 2, 1, 2), NULL,
                                                   neighbours, GATHERED);
}

static void seat_gather(Seat *seat, TrnCoord at)
{
    uint32_t values[GATHERED];
    TrnCoord coords[GATHERED];
    void *pointers[GATHERED];
    TrnPoolId ids[GATHERED];
    const TrnFrustum ahead = {.origin = at, .planes = {{1, 0, 0, 0}, {0, 1, 0, 2}}, .count = 2};
    const TrnChunkGather gather = {
        .box = trn_box_around(at, 4, 2, 4),
        .frustum = &ahead,
        .planes = {.all = TRN_PLANE_BIT(TRN_PLANE_PRESENT), .none = TRN_PLANE_BIT(LIGHT_PLANE)},
        .values = values,
        .coords = coords,
        .pointers = pointers,
        .ids = ids,
        .pool = trn_store_pool(seat->place->store),
        .capacity = GATHERED};
    seat->sum += trn_chunk_index_gather(trn_store_index(seat->place->store), &gather);
    const size_t count = trn_chunk_index_gather_box(trn_store_index(seat->place->store), gather.box,
                                                    values, GATHERED);
    seat->sum += count ? values[0] : 0;
}

static void seat_read_voxels(Seat *seat, TrnCoord at)
{
    const Place *place = seat->place;
    TrnSnapshot now, around[TRN_AROUND_COUNT];
    TrnBlockCount counts[8];
    uint32_t rows[TRN_CHUNK_ROWS];
    (void)trn_store_snapshot_around(place->store, at, around);
    if (trn_store_snapshot(place->store, at, &now) != TRN_RESULT_OK) {
        now = trn_snapshot_of(TRN_BLOCK_STONE, 0);
    }
    trn_snapshot_decode(now, seat->blocks);
    trn_snapshot_decode_row(now, 3, 4, seat->blocks);
    seat->sum += trn_snapshot_get(now, 99) + trn_snapshot_bits(now) + trn_snapshot_hash(now);
    seat->sum += trn_snapshot_counts(now, counts, 8) + trn_snapshot_count(now, TRN_BLOCK_STONE);
    const uint32_t *solid_bits = trn_block_types_solid_bits(place->types);
    const uint32_t *opaque_bits = trn_block_types_opaque_bits(place->types);
    uint32_t solid[TRN_CHUNK_ROWS];
    seat->sum += trn_snapshot_solid(now, solid_bits, 3)[5];
    seat->sum += trn_snapshot_opaque(now, opaque_bits, 63)[15];
    trn_snapshot_opaque_rows(now, opaque_bits, rows);
    seat->sum += rows[9];
    trn_snapshot_solid_rows(now, solid_bits, solid);
    trn_mask_border(solid, TRN_FACE_POS_Y, rows);
    seat->sum += trn_mask_around(solid) + rows[0];
    trn_snapshot_match(now, solid_bits, 8, 4, rows);
    seat->sum += rows[0] + trn_snapshot_may_hold(now, solid_bits);
    seat->sum += trn_snapshot_equal(now, around[12]) + trn_snapshot_diff(now, around[14], rows);
}

static void seat_move_cursor(Seat *seat, TrnCoord at)
{
    TrnCursor cursor = trn_cursor(seat->place->store);
    TrnVoxel voxel = trn_coord_voxel(at);
    for (int i = 0; i < 40; i++, voxel.x += 3) {
        seat->sum += trn_cursor_get(&cursor, voxel, TRN_BLOCK_AIR);
    }
    seat->sum += trn_cursor_find(&cursor, voxel) != NULL;
}

static void seat_move_bodies(Seat *seat, TrnCoord at)
{
    const TrnStore *store = seat->place->store;
    const TrnPosition from = {at, {16, 20, 16}};
    const double down[3] = {0.3, -1, 0.2}, size[3] = {0.6, 1.8, 0.6}, motion[3] = {20, -30, 5};
    const TrnBodyDef def = trn_body_def();
    TrnBody body = {.position = from};
    TrnRayHit hit;
    TrnOverlap overlap;
    TrnSweep sweep;
    seat->sum += trn_store_raycast(store, from, down, NULL, &hit);
    seat->sum += trn_store_overlap(store, from, size, &overlap);
    seat->sum += trn_store_sweep(store, from, size, motion, 1, &sweep);
    seat->sum += trn_body_step(store, &def, &body, NULL, 1.0 / 60);
}

static void seat_light(Seat *seat, TrnCoord at)
{
    TrnSnapshot around[TRN_AROUND_COUNT];
    uint32_t open[TRN_CHUNK_EDGE];
    (void)trn_store_snapshot_around(seat->place->store, at, around);
    trn_light_read(seat->solver, around, seat->place->types);
    trn_light_sky(seat->solver, NULL, seat->sky);
    trn_light_blocks(seat->solver, NULL, seat->blocks_light);
    trn_light_open_columns(around[TRN_AROUND_CENTRE], seat->place->types, open);
    seat->sum += open[0] + trn_light_level(seat->sky, 1, 2, 3);
    seat->sum += trn_light_reach(around[12], around[TRN_AROUND_CENTRE], seat->place->types);
}

static void seat_fold(Seat *seat, TrnCoord at)
{
    const TrnBlockTypes *types = seat->place->types;
    TrnSnapshot now = trn_snapshot_of(TRN_BLOCK_STONE, 0);
    (void)trn_store_snapshot(seat->place->store, at, &now);
    trn_snapshot_decode(now, seat->others);
    trn_fold_blocks(types, seat->others, NULL, 1, seat->blocks);
    trn_fold_edited(types, seat->others, NULL, seat->others, 2, seat->blocks);
}

static void seat_mesh(Seat *seat, TrnCoord at)
{
    static const float nowhere[3] = {0, 0, 0};
    TrnMeshVertex vertices[TRN_QUAD_VERTICES_MAX];
    uint32_t indices[TRN_QUAD_INDICES_MAX];
    TrnMeshInput input = {.sky = seat->sky, .blocks = seat->blocks_light};
    TrnMeshInfo info;
    const Place *place = seat->place;
    seat_light(seat, at);
    input.present = trn_store_snapshot_around(place->store, at, input.around) |
                    UINT32_C(1) << TRN_AROUND_CENTRE;
    input.types = trn_block_types_all(place->types, &input.type_count);
    assert_int_equal(trn_mesh_build(&seat->mesh, &input, seat->scratch), TRN_RESULT_OK);
    seat->sum += trn_mesh_quads(&input, seat->scratch, NULL, NULL, 0, &info);
    if (trn_mesh_count(&seat->mesh.info) > 0) {
        const TrnQuad quad = seat->mesh.quads[0];
        seat->sum += trn_quad_vertices(quad, false, nowhere, vertices);
        seat->sum += trn_quad_indices(quad, 0, indices);
    }
    seat->sum +=
        trn_mesh_vertices(seat->mesh.quads, &seat->mesh.info, 0, 0, nowhere, 0, vertices, indices);
    const uint32_t *opaque_bits = trn_block_types_opaque_bits(place->types);
    const TrnSnapshot now = input.around[TRN_AROUND_CENTRE];
    const TrnVisibility seen = trn_visibility_of_snapshot(now, opaque_bits);
    uint32_t opaque[TRN_CHUNK_ROWS];
    trn_snapshot_opaque_rows(now, opaque_bits, opaque);
    const TrnVisibility again = trn_visibility_of(opaque);
    assert_memory_equal(&seen, &again, sizeof seen);
}

static void seat_encode(Seat *seat, TrnCoord at)
{
    TrnSnapshot now = trn_snapshot_of(TRN_BLOCK_STONE, 0);
    (void)trn_store_snapshot(seat->place->store, at, &now);
    trn_snapshot_decode(now, seat->blocks);
    seat->sum += trn_voxels_code(trn_store_voxel_heap(seat->place->store), seat->blocks);
}

// ---- without a section --------------------------------------------------------------------------

static void seat_read_types(Seat *seat, TrnCoord at)
{
    static const size_t bits_words = TRN_BLOCK_BITS_WORDS;
    const TrnBlockTypes *types = seat->place->types;
    uint32_t *bits = malloc(bits_words * sizeof *bits), count;
    TrnBlock id = 0;
    (void)at;
    assert_int_equal(trn_block_types_find(types, "terrane:stone", &id), TRN_RESULT_OK);
    seat->sum += trn_block_types_get(types, id)->is_solid;
    seat->sum += trn_block_types_all(types, &count)->kind + count;
    seat->sum += trn_block_types_solid_bits(types)[0] + trn_block_types_opaque_bits(types)[0];
    seat->sum += trn_block_types_liquid_bits(types)[0] + trn_block_types_climbable_bits(types)[0];
    trn_block_types_kind_bits(types, 1u << TRN_BLOCK_KIND_LIQUID, bits);
    seat->sum += bits[0];
    free(bits);
}

static void seat_generate(Seat *seat, TrnCoord at)
{
    Place *place = seat->place;
    const TrnGenerator land = trn_terrain_generator(place->terrain);
    TrnTerrainSample sample;
    bool uniform;
    int64_t height;
    at.x %= 4; // columns that several threads want at once
    const int64_t x = trn_coord_voxel(at).x, z = trn_coord_voxel(at).z;
    assert_int_equal(trn_terrain_generate(place->terrain, at, seat->blocks, &uniform),
                     TRN_RESULT_OK);
    assert_int_equal(trn_terrain_generate_level(place->terrain, at, 2, seat->blocks, &uniform),
                     TRN_RESULT_OK);
    assert_int_equal(trn_terrain_height(place->terrain, x, z, &height), TRN_RESULT_OK);
    assert_int_equal(trn_terrain_sample(place->terrain, x, z, &sample), TRN_RESULT_OK);
    seat->sum += trn_generator_generate(&land, at, 1, seat->blocks, &uniform);
}

static void seat_sample_maps(Seat *seat, TrnCoord at)
{
    TrnTerrainSample *samples = malloc((size_t)TRN_CHUNK_EDGE * TRN_CHUNK_EDGE * sizeof *samples);
    assert_int_equal(trn_terrain_sample_level(seat->place->terrain, at.x % 4, at.z % 4, 3, samples),
                     TRN_RESULT_OK);
    seat->sum += (uint64_t)samples[0].height;
    free(samples);
}

static void seat_noise(Seat *seat, TrnCoord at)
{
    TrnNoiseDef def = trn_noise_def(TRN_NOISE_CELL_BORDER, 3);
    const TrnNoiseGrid grid = {trn_coord_voxel(at), 1, 4, 4, 4};
    const float *const unwarped[3] = {NULL, NULL, NULL};
    float values[64];
    TrnNoise noise;
    assert_null(trn_noise_def_fault(&def));
    assert_int_equal(trn_noise_compile(&def, &noise), TRN_RESULT_OK);
    seat->sum += trn_noise_at(&noise, grid.origin) > 0;
    seat->sum += trn_noise_fill(&noise, &grid, values);
    seat->sum += trn_noise_fill_warped(&noise, &grid, unwarped, values);
}

static void seat_read_texts(Seat *seat, TrnCoord at)
{
    char text[1024];
    TrnTerrainShape shape = trn_terrain_shape_default();
    const TrnTerrainDef def = trn_terrain_def();
    const TrnAllocator allocator = trn_allocator_default();
    (void)at;
    assert_int_equal(trn_terrain_shape_preset(trn_terrain_preset_name(1), &shape), TRN_RESULT_OK);
    const size_t size = trn_terrain_shape_write(&shape, text, sizeof text);
    assert_in_range(size, 1, sizeof text - 1);
    assert_int_equal(trn_terrain_shape_load(text, size, &shape, NULL), TRN_RESULT_OK);
    assert_null(trn_terrain_def_fault(&def));
    void *memory = allocator.alloc(64, 64, allocator.user);
    allocator.free(memory, 64, allocator.user);
    trn_aligned_free(trn_aligned_alloc(64, 64));
    seat->sum += strlen(trn_version()) + strlen(trn_result_text(TRN_RESULT_FULL));
}

/// Readers with names of their own come and go while the writer asks for the slowest.
static void seat_register(Seat *seat, TrnCoord at)
{
    char name[TRN_READER_NAME_BYTES];
    TrnChunkReader *reader;
    (void)snprintf(name, sizeof name, "reader %u of chunk %d", (unsigned)seat->number, (int)at.x);
    assert_int_equal(
        trn_chunk_index_reader_create(trn_store_index(seat->place->store), name, &reader),
        TRN_RESULT_OK);
    trn_chunk_index_read_begin(reader);
    seat->sum += trn_store_find(seat->place->store, at) != NULL;
    sched_yield();
    trn_chunk_index_read_end(reader);
    trn_chunk_index_reader_destroy(reader);
}

// ---- threads ------------------------------------------------------------------------------------

typedef void (*SeatCall)(Seat *seat, TrnCoord at);

static const SeatCall seat_calls_inside[] = {
    seat_find,        seat_read_index, seat_gather, seat_read_voxels, seat_move_cursor,
    seat_move_bodies, seat_light,      seat_fold,   seat_mesh,        seat_encode,
};

static const SeatCall seat_calls_outside[] = {
    seat_read_types, seat_generate, seat_sample_maps, seat_noise, seat_read_texts, seat_register,
};

static TrnCoord seat_coord(Seat *seat)
{
    TestRandom *random = &seat->random;
    const int32_t x = atomic_load(&seat->place->x);
    return (TrnCoord){x + (int32_t)test_random_range(random, -4, 4),
                      (int32_t)test_random_range(random, -1, 1),
                      (int32_t)test_random_range(random, -4, 4)};
}

static void *seat_run(void *argument)
{
    Seat *seat = argument;
    // Each thread begins with another call, so that all run at once.
    for (uint32_t round = 0; round < seat->place->rounds || !atomic_load(&seat->place->is_over);
         round++) {
        const size_t inside = sizeof seat_calls_inside / sizeof *seat_calls_inside;
        const size_t outside = sizeof seat_calls_outside / sizeof *seat_calls_outside;
        trn_chunk_index_read_begin(seat->reader);
        seat_calls_inside[(round + seat->number) % inside](seat, seat_coord(seat));
        trn_chunk_index_read_end(seat->reader);
        seat_calls_outside[(round + seat->number) % outside](seat, seat_coord(seat));
    }
    return NULL;
}

static void seat_open(Seat *seat, Place *place, uint32_t number)
{
    *seat = (Seat){.place = place, .number = number, .random = {number + 1}};
    assert_int_equal(
        trn_chunk_index_reader_create(trn_store_index(place->store), NULL, &seat->reader),
        TRN_RESULT_OK);
    assert_int_equal(trn_light_solver_create(NULL, &seat->solver), TRN_RESULT_OK);
    trn_mesh_init(&seat->mesh, NULL);
    seat->sky = malloc(sizeof *seat->sky);
    seat->blocks_light = malloc(sizeof *seat->blocks_light);
    seat->scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    seat->blocks = trn_aligned_alloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]), 64);
    seat->others = trn_aligned_alloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]), 64);
}

static void seat_close(Seat *seat)
{
    trn_chunk_index_reader_destroy(seat->reader);
    trn_light_solver_destroy(seat->solver);
    trn_mesh_free(&seat->mesh);
    free(seat->sky);
    free(seat->blocks_light);
    trn_aligned_free(seat->scratch);
    trn_aligned_free(seat->blocks);
    trn_aligned_free(seat->others);
}

// ---- the writer ---------------------------------------------------------------------------------

/// Edits, undoes and evicts near the anchor.
static void writer_change(Game *game, TrnHistory *history, TestRandom *random, TrnCoord at)
{
    const TrnBatchDef def = {.unloaded = TRN_UNLOADED_PENDING, .history = history};
    const TrnEviction eviction = {.count_max = 2};
    TrnBatch *batch;
    TrnChunk *chunk = trn_store_find(game->store, at);
    assert_int_equal(trn_batch_begin(game->store, &def, &batch), TRN_RESULT_OK);
    trn_batch_fill_sphere(batch, threaded_spot(random, at), 6, (TrnBlock)(at.x & 3));
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    (void)trn_history_undo(history, NULL);
    (void)trn_history_redo(history, NULL);
    assert_int_equal(
        trn_chunk_index_plane_set(trn_store_index(game->store), LIGHT_PLANE, at, at.x & 1),
        TRN_RESULT_OK);
    if (chunk) {
        trn_store_touch(game->store, &chunk, 1);
    }
    (void)trn_store_evict(game->store, &eviction, NULL);
}

/// Everything that tells about store and stream.
static uint64_t writer_ask(Game *game, TrnHistory *history, TrnStreamAnchorId anchor, TrnCoord at)
{
    const TrnChunkIndex *index = trn_store_index(game->store);
    TrnDirectoryStep steps[TRN_DIRECTORY_STEPS_MAX];
    TrnChunk *changed[GATHERED];
    TrnStreamView view;
    char name[TRN_READER_NAME_BYTES] = "";
    const TrnVoxel low = trn_coord_voxel(at);
    const TrnExplanation why = trn_store_explain(game->store, at);
    const TrnStreamExplanation stream_why = trn_stream_explain(game->stream, at);
    uint64_t sum = strlen(why.sentence) + strlen(stream_why.sentence);
    if (trn_chunk_index_slowest_reader(index, name)) {
        assert_in_range(strlen(name), 1, sizeof name - 1);
    }
    sum += trn_chunk_index_stats(index).bytes + trn_chunk_index_directory_steps(index, steps);
    sum += trn_pool_stats(trn_store_pool(game->store)).bytes;
    sum += trn_voxel_heap_stats(trn_store_voxel_heap(game->store)).payloads;
    sum += trn_store_stats(game->store).chunks + trn_edits_stats(game->store).pending_runs;
    sum += trn_store_changed_since(game->store, 0, changed, GATHERED);
    sum += trn_history_stats(history).bytes + trn_stream_bytes(game->stream);
    sum += trn_stream_stats(game->stream).wanted;
    sum += trn_stream_view(game->stream, anchor, &view);
    sum += trn_stream_readiness(game->stream, low, low).wanted;
    return sum;
}

static void writer_run(Game *game, TrnHistory *history, Place *place, uint32_t updates)
{
    TestRandom random = {99};
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 4, 2);
    const TrnStreamAnchorId id = game_add(game, player);
    for (uint32_t i = 0; i < updates; i++) {
        player.position.chunk.x = (int32_t)i / 4;
        atomic_store(&place->x, player.position.chunk.x);
        assert_int_equal(trn_stream_anchor_set(game->stream, id, &player), TRN_RESULT_OK);
        (void)game_update(game);
        writer_change(game, history, &random, player.position.chunk);
        (void)writer_ask(game, history, id, player.position.chunk);
        if (i % 16 == 0) {
            trn_store_trim(game->store);
            trn_stream_reset_times(game->stream);
        }
        trn_chunk_index_reclaim(trn_store_index(game->store));
    }
}

static void all_functions_of_any_thread_run_at_once(void **state)
{
    (void)state;
    test_needs_threads();
    static const TrnPlaneDef planes[] = {{"lit", false}};
    Game game;
    Seat seats[THREADS];
    pthread_t threads[THREADS];
    TrnHistory *history;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.units = 64});
    Place place = {.rounds = test_rounds(200, 40)};
    trn_store_destroy(game.store); // one with a plane, and the system's allocator
    TrnStoreDef store = trn_store_def();
    store.planes = planes;
    store.plane_count = 1;
    store.user_bytes = sizeof(void *);
    assert_int_equal(trn_store_create(&store, &game.store), TRN_RESULT_OK);
    def.store = place.store = game.store;
    game_create(&game, &def);
    place.types = trn_store_block_types(game.store);
    assert_int_equal(trn_history_create(game.store, NULL, &history), TRN_RESULT_OK);
    assert_int_equal(trn_terrain_create(NULL, &place.terrain), TRN_RESULT_OK);
    for (uint32_t i = 0; i < THREADS; i++) {
        seat_open(&seats[i], &place, i);
        assert_int_equal(pthread_create(&threads[i], NULL, seat_run, &seats[i]), 0);
    }
    writer_run(&game, history, &place, test_rounds(600, 120));
    atomic_store(&place.is_over, true);
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(seats[i].sum > 0);
        seat_close(&seats[i]);
    }
    trn_terrain_destroy(place.terrain);
    trn_history_destroy(history);
    game_end(&game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_functions_of_any_thread_run_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
