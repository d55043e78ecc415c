// Times noise, columns, chunks, meshes and gathers with each set of kernels that this build has,
// and prints a line of CSV for each. tools/wasm_times.sh compares builds by it.
//
// Plain C without the bench's libraries, so that it runs wherever the library does.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#if defined(__EMSCRIPTEN__)
#include <emscripten.h>
#endif

#include <terrane/mesher.h>
#include <terrane/noise.h>
#include <terrane/store.h>
#include <terrane/terrain.h>

#include "index/chunk_index_internal.h"
#include "mesher_internal.h"
#include "terrain/noise_impl.h"
#include "terrain/terrain_test_hooks.h"

#define ROUNDS 15
#define WIDE 7 // chunks along x and z
#define HIGH 5
#define CHUNKS (WIDE * WIDE * HIGH)
#define GATHER_EDGE 48 // chunks of the gathered box along each axis
#define GATHERS 16

/// What all questions use. The world is the same for each set of kernels.
typedef struct Times {
    const char *kernels;
    TrnTerrain *terrain; ///< has all columns of the world
    TrnTerrain *fresh;   ///< has none
    TrnStore *store;     ///< holds the chunks
    TrnChunkIndex *index;
    TrnBlock *blocks;
    float *values;
    void *scratch;
    TrnQuad *quads;
    uint32_t *gathered;
} Times;

static double now_us(void)
{
#if defined(__EMSCRIPTEN__)
    return emscripten_get_now() * 1e3; // clocks of the C library count milliseconds
#else
    return (double)clock() * (1e6 / CLOCKS_PER_SEC);
#endif
}

static void demand(bool is_ok, const char *what)
{
    if (!is_ok) {
        fprintf(stderr, "kernel_times: %s failed.\n", what);
        exit(1);
    }
}

static TrnCoord world_coord(int i)
{
    return (TrnCoord){i % WIDE - WIDE / 2, i / (WIDE * WIDE) - HIGH / 2,
                      i / WIDE % WIDE - WIDE / 2};
}

// ---- the world ---------------------------------------------------------------------------------

static void times_fill_store(Times *times)
{
    for (int i = 0; i < CHUNKS; i++) {
        const TrnCoord coord = world_coord(i);
        bool uniform;
        demand(trn_terrain_generate(times->terrain, coord, times->blocks, &uniform) ==
                   TRN_RESULT_OK,
               "generating");
        const TrnResult result =
            uniform ? trn_store_insert_uniform(times->store, coord, times->blocks[0], NULL)
                    : trn_store_insert_voxels(times->store, coord, times->blocks, NULL);
        demand(result == TRN_RESULT_OK, "inserting");
    }
}

/// Three chunks in four, so that no page is full and each takes the kernels' general path.
static void times_fill_index(Times *times)
{
    uint32_t value = 0;
    for (int32_t y = 0; y < GATHER_EDGE; y++) {
        for (int32_t z = 0; z < GATHER_EDGE; z++) {
            for (int32_t x = 0; x < GATHER_EDGE; x++, value++) {
                if ((x * 7 + y * 5 + z * 3) % 4 != 0) {
                    demand(trn_chunk_index_insert(times->index, (TrnCoord){x, y, z}, value) ==
                               TRN_RESULT_OK,
                           "filling the index");
                }
            }
        }
    }
}

static void times_create(Times *times)
{
    demand(trn_terrain_create(NULL, &times->terrain) == TRN_RESULT_OK &&
               trn_store_create(NULL, &times->store) == TRN_RESULT_OK &&
               trn_chunk_index_create(NULL, &times->index) == TRN_RESULT_OK,
           "creating the world");
    times->blocks = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    times->values = malloc(sizeof(float[TRN_CHUNK_VOXELS]));
    times->scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    times->quads = malloc(TRN_MESH_QUADS_MAX * sizeof *times->quads);
    times->gathered = malloc(sizeof(uint32_t) * GATHER_EDGE * GATHER_EDGE * GATHER_EDGE);
    demand(times->blocks && times->values && times->scratch && times->quads && times->gathered,
           "allocating");
    times_fill_store(times);
    times_fill_index(times);
}

static void times_destroy(Times *times)
{
    free(times->gathered);
    free(times->quads);
    trn_aligned_free(times->scratch);
    free(times->values);
    free(times->blocks);
    trn_chunk_index_destroy(times->index);
    trn_store_destroy(times->store);
    trn_terrain_destroy(times->fresh);
    trn_terrain_destroy(times->terrain);
}

// ---- questions ---------------------------------------------------------------------------------

static void ask_noise(Times *times, int unit)
{
    const TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 3);
    const TrnNoiseGrid grid = {
        {4800, 64, -9600}, 0, TRN_CHUNK_EDGE, TRN_CHUNK_EDGE, TRN_CHUNK_EDGE};
    TrnNoise noise;
    demand(trn_noise_compile(&def, &noise) == TRN_RESULT_OK &&
               trn_noise_use_kernels(&noise, times->kernels) &&
               trn_noise_fill(&noise, &grid, times->values) == TRN_RESULT_OK,
           "noise");
    (void)unit;
}

/// Columns are kept: each round takes a terrain that has none.
static void begin_columns(Times *times)
{
    trn_terrain_destroy(times->fresh);
    demand(trn_terrain_create(NULL, &times->fresh) == TRN_RESULT_OK &&
               trn_terrain_use_kernels(times->fresh, times->kernels),
           "creating a terrain");
}

static void ask_columns(Times *times, int unit)
{
    trn_terrain_touch_column(times->fresh, unit / WIDE, unit % WIDE);
}

static void ask_chunks(Times *times, int unit)
{
    for (int i = 0; i < WIDE; i++) {
        bool uniform;
        (void)trn_terrain_generate(times->terrain, world_coord(unit * WIDE + i), times->blocks,
                                   &uniform);
    }
}

static void ask_meshes(Times *times, int unit)
{
    const TrnBlockTypes *types = trn_store_block_types(times->store);
    for (int i = 0; i < WIDE; i++) {
        TrnMeshInput input = {.missing_is_solid = true};
        TrnMeshInfo info;
        input.types = trn_block_types_all(types, &input.type_count);
        input.present =
            trn_store_snapshot_around(times->store, world_coord(unit * WIDE + i), input.around);
        demand(trn_mesh_quads_by(times->kernels, &input, times->scratch, times->quads, NULL,
                                 TRN_MESH_QUADS_MAX, &info) == TRN_RESULT_OK,
               "meshing");
    }
}

static void ask_gathers(Times *times, int unit)
{
    const TrnChunkGather gather = {
        .box = {{1, 1, 1}, {GATHER_EDGE - 2, GATHER_EDGE - 2, GATHER_EDGE - 2}},
        .values = times->gathered,
        .capacity = (size_t)GATHER_EDGE * GATHER_EDGE * GATHER_EDGE};
    for (int i = 0; i < GATHERS; i++) {
        demand(trn_chunk_index_gather(times->index, &gather) > 0, "gathering");
    }
    (void)unit;
}

/// A question is asked in units of at most some ms, which other programs seldom interrupt.
typedef struct Question {
    const char *name;
    void (*begin)(Times *times); ///< a round; or NULL
    void (*ask)(Times *times, int unit);
    int units;
    double parts; ///< of a unit: the answer is the time of one
} Question;

static const Question questions[] = {
    {"noise ns a point", NULL, ask_noise, 1, TRN_CHUNK_VOXELS * 1e-3},
    {"column us", begin_columns, ask_columns, WIDE *WIDE, 1},
    {"chunk us", NULL, ask_chunks, CHUNKS / WIDE, WIDE},
    {"mesh us", NULL, ask_meshes, CHUNKS / WIDE, WIDE},
    {"gather us", NULL, ask_gathers, 1, GATHERS},
};
#define QUESTIONS (sizeof questions / sizeof *questions)

/// Adds up the fastest of several rounds of each unit.
static double time_of(Times *times, const Question *question)
{
    double best[WIDE * WIDE], sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (question->begin) {
            question->begin(times);
        }
        for (int unit = 0; unit < question->units; unit++) {
            const double began = now_us();
            question->ask(times, unit);
            const double one = now_us() - began;
            best[unit] = round == 0 || one < best[unit] ? one : best[unit];
        }
    }
    for (int unit = 0; unit < question->units; unit++) {
        sum += best[unit];
    }
    return sum / question->units / question->parts;
}

static void choose_kernels(Times *times, const char *name)
{
    times->kernels = name;
    demand(trn_terrain_use_kernels(times->terrain, name), "choosing kernels");
    if (!trn_chunk_index_use_kernels(times->index, name)) {
        (void)trn_chunk_index_use_kernels(times->index, "scalar"); // it has no set of that name
    }
}

int main(void)
{
    Times times = {0};
    times_create(&times);
    printf("kernels");
    for (size_t i = 0; i < QUESTIONS; i++) {
        printf(",%s", questions[i].name);
    }
    const char *name;
    for (unsigned i = 0; (name = trn_kernels_name(&trn_noise_kernels, i)) != NULL; i++) {
        choose_kernels(&times, name);
        printf("\n%s", name);
        for (size_t q = 0; q < QUESTIONS; q++) {
            printf(",%.3g", time_of(&times, &questions[q]));
        }
    }
    printf("\n");
    times_destroy(&times);
    return 0;
}
