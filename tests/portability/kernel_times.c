// Times noise, columns, chunks, meshes and gathers with each set of kernels that this build has,
// and prints a line of CSV for each. tools/wasm_times.sh compares builds by it.
//
// Plain C without the bench's libraries, so that it runs wherever the library does.

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <terrane/mesher.h>
#include <terrane/noise.h>
#include <terrane/store.h>
#include <terrane/terrain.h>

#include "index/kernel_choice.h"
#include "mesh_kernel_choice.h"
#include "terrain/noise_kernel_choice.h"
#include "terrain/terrain_test_hooks.h"

#define ROUNDS 7
#define WIDE 7 // chunks along x and z
#define HIGH 5
#define CHUNKS (WIDE * WIDE * HIGH)
#define COLUMNS 64
#define GATHER_EDGE 48 // chunks of the gathered box along each axis
#define GATHERS 64

/// What all questions use. The world is the same for each set of kernels.
typedef struct Times {
    const char *kernels;
    TrnTerrain *terrain; ///< has all columns of the world
    TrnStore *store;     ///< holds the chunks
    TrnChunkIndex *index;
    TrnBlock *blocks;
    float *values;
    void *scratch;
    TrnQuad *quads;
    uint32_t *gathered;
    unsigned rounds; ///< so far: each fills other columns
} Times;

/// Emscripten's timespec_get() counts milliseconds.
static double now_us(void)
{
    return (double)clock() * (1e6 / CLOCKS_PER_SEC);
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
    times->blocks = malloc(TRN_CHUNK_VOXELS * sizeof *times->blocks);
    times->values = malloc(TRN_CHUNK_VOXELS * sizeof *times->values);
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
    trn_terrain_destroy(times->terrain);
}

// ---- questions: each returns how much it did ---------------------------------------------------

static double ask_noise(Times *times)
{
    const TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 3);
    const TrnNoiseGrid grid = {{4800, 64, -9600}, 0, TRN_CHUNK_EDGE, TRN_CHUNK_EDGE,
                               TRN_CHUNK_EDGE};
    TrnNoise noise;
    demand(trn_noise_compile(&def, &noise) == TRN_RESULT_OK &&
               trn_noise_use_kernels(&noise, times->kernels) &&
               trn_noise_fill(&noise, &grid, times->values) == TRN_RESULT_OK,
           "noise");
    return TRN_CHUNK_VOXELS * 1e-3; // ns a point instead of us
}

static double ask_columns(Times *times)
{
    for (int32_t i = 0; i < COLUMNS; i++) {
        trn_terrain_touch_column(times->terrain, 1000 + (int32_t)times->rounds, i);
    }
    times->rounds++;
    return COLUMNS;
}

static double ask_chunks(Times *times)
{
    for (int i = 0; i < CHUNKS; i++) {
        bool uniform;
        (void)trn_terrain_generate(times->terrain, world_coord(i), times->blocks, &uniform);
    }
    return CHUNKS;
}

static double ask_meshes(Times *times)
{
    const TrnBlockTypes *types = trn_store_block_types(times->store);
    for (int i = 0; i < CHUNKS; i++) {
        TrnMeshInput input = {.missing_is_solid = true};
        TrnMeshInfo info;
        input.types = trn_block_types_all(types, &input.type_count);
        input.present = trn_store_snapshot_around(times->store, world_coord(i), input.around);
        demand(trn_mesh_quads_by(times->kernels, &input, times->scratch, times->quads,
                                 TRN_MESH_QUADS_MAX, &info) == TRN_RESULT_OK,
               "meshing");
    }
    return CHUNKS;
}

static double ask_gathers(Times *times)
{
    const TrnChunkGather gather = {
        .box = {{1, 1, 1}, {GATHER_EDGE - 2, GATHER_EDGE - 2, GATHER_EDGE - 2}},
        .values = times->gathered,
        .capacity = (size_t)GATHER_EDGE * GATHER_EDGE * GATHER_EDGE};
    for (int i = 0; i < GATHERS; i++) {
        demand(trn_chunk_index_gather(times->index, &gather) > 0, "gathering");
    }
    return GATHERS;
}

/// The fastest of several rounds.
static double time_of(Times *times, double (*ask)(Times *))
{
    double best = 1e300;
    for (int round = 0; round < ROUNDS; round++) {
        const double began = now_us();
        const double amount = ask(times);
        const double one = (now_us() - began) / amount;
        best = one < best ? one : best;
    }
    return best;
}

int main(void)
{
    Times times = {0};
    times_create(&times);
    printf("kernels,noise ns a point,column us,chunk us,mesh us,gather us\n");
    for (unsigned i = 0; (times.kernels = trn_noise_kernels_name(i)) != NULL; i++) {
        demand(trn_terrain_use_kernels(times.terrain, times.kernels), "choosing kernels");
        if (!trn_chunk_index_use_kernels(times.index, times.kernels)) {
            (void)trn_chunk_index_use_kernels(times.index, "scalar"); // it has no set of that name
        }
        const double noise = time_of(&times, ask_noise), column = time_of(&times, ask_columns);
        const double chunk = time_of(&times, ask_chunks), mesh = time_of(&times, ask_meshes);
        printf("%s,%.3g,%.3g,%.3g,%.3g,%.3g\n", times.kernels, noise, column, chunk, mesh,
               time_of(&times, ask_gathers));
    }
    times_destroy(&times);
    return 0;
}
