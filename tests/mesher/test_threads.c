// Threads mesh while the game edits. Each mesh matches the snapshots that its thread took, and no
// thread waits for another.

#include "mesh_reference.h"
#include "mesher_internal.h"
#include "testing.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include <terrane/store.h>

#define MESHERS 3
#define MESHES_LEAST 60 ///< of each thread
#define WRITER_STEPS 1500
#define COORD_COUNT 36

typedef struct World {
    TrnStore *store;
    _Atomic(bool) done;
    _Atomic(uint32_t) failures, meshes, quads, others;
} World;

/// A layer of chunks three high, across which the ends of the grid meet.
static TrnCoord coord_of(uint32_t place)
{
    return (TrnCoord){(int32_t)(UINT32_C(0x7FFFFFFE) + place % 4), (int32_t)(place / 12) - 1,
                      (int32_t)(place / 4 % 3) - 1};
}

// ---- meshers -----------------------------------------------------------------------------------

/// The state of one mesher thread.
typedef struct Mesher {
    World *world;
    TrnChunkReader *reader;
    MeshReference *reference;
    void *scratch;
    TrnMesh mesh;
    TrnQuad *quads; ///< [TRN_MESH_QUADS_MAX]
    TestRandom random;
    uint32_t meshes;
    uint64_t last; ///< the word of the last centre that was meshed
} Mesher;

static void note_failure(World *world, const char *what)
{
    if (atomic_fetch_add(&world->failures, 1) < 5) {
        print_message("  %s\n", what);
    }
}

/// Meshes the snapshots with each set of kernels in turn, compares the mesh with the reference, and
/// meshes again.
static void mesh_snapshots(Mesher *mesher, const TrnMeshInput *input)
{
    World *world = mesher->world;
    unsigned kernel = (unsigned)(test_random_next(&mesher->random) % 4);
    while (kernel > 0 && !trn_kernels_name(&trn_mesh_kernels, kernel)) {
        kernel--;
    }
    TrnMeshInfo info;
    if (trn_mesh_quads_by(trn_kernels_name(&trn_mesh_kernels, kernel), input, mesher->scratch,
                          mesher->quads, NULL, TRN_MESH_QUADS_MAX, &info) != TRN_RESULT_OK) {
        note_failure(world, "no mesh");
        return;
    }
    mesh_reference_read(mesher->reference, input);
    const char *problem = mesh_reference_problem(mesher->reference, mesher->quads, &info);
    if (problem) {
        note_failure(world, problem);
    }
    sched_yield(); // the writer continues; the snapshots stay valid
    const size_t bytes = trn_mesh_count(&info) * sizeof(TrnQuad);
    if (trn_mesh_build(&mesher->mesh, input, mesher->scratch) != TRN_RESULT_OK ||
        !mesh_info_equal(&mesher->mesh.info, &info) ||
        (bytes && memcmp(mesher->mesh.quads, mesher->quads, bytes) != 0)) {
        note_failure(world, "the same snapshots gave another mesh");
    }
    atomic_fetch_add(&world->quads, trn_mesh_count(&info));
}

static void mesh_once(Mesher *mesher)
{
    World *world = mesher->world;
    const uint32_t dice = (uint32_t)test_random_next(&mesher->random);
    TrnMeshInput input = {.missing_is_solid = dice & 1, .without_ao = dice >> 1 & 1};
    input.types = trn_block_types_all(trn_store_block_types(world->store), &input.type_count);
    trn_chunk_index_read_begin(mesher->reader);
    input.present =
        trn_store_snapshot_around(world->store, coord_of(dice / 4 % COORD_COUNT), input.around);
    if (input.present >> TRN_AROUND_CENTRE & 1) {
        mesh_snapshots(mesher, &input);
        mesher->meshes++;
        atomic_fetch_add(&world->others, input.around[TRN_AROUND_CENTRE].word != mesher->last);
        mesher->last = input.around[TRN_AROUND_CENTRE].word;
    }
    trn_chunk_index_read_end(mesher->reader);
}

static void *mesh_all_the_time(void *argument)
{
    World *world = argument;
    Mesher mesher = {.world = world, .random = {(uint64_t)(uintptr_t)&mesher}};
    trn_mesh_init(&mesher.mesh, NULL);
    mesher.reference = mesh_reference_create();
    mesher.scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    mesher.quads = malloc(TRN_MESH_QUADS_MAX * sizeof(TrnQuad));
    const TrnResult result =
        trn_chunk_index_reader_create(trn_store_index(world->store), "mesher", &mesher.reader);
    if (result == TRN_RESULT_OK && mesher.reference && mesher.scratch && mesher.quads) {
        while (mesher.meshes < MESHES_LEAST || !atomic_load(&world->done)) {
            mesh_once(&mesher);
        }
    } else {
        note_failure(world, "no memory");
    }
    if (result == TRN_RESULT_OK) {
        trn_chunk_index_reader_destroy(mesher.reader);
    }
    atomic_fetch_add(&world->meshes, mesher.meshes);
    trn_mesh_free(&mesher.mesh);
    free(mesher.reference);
    trn_aligned_free(mesher.scratch);
    free(mesher.quads);
    return NULL;
}

// ---- writer ------------------------------------------------------------------------------------

static TrnBlock random_block(TestRandom *random)
{
    static const TrnBlock blocks[] = {
        TRN_BLOCK_AIR,    TRN_BLOCK_AIR, TRN_BLOCK_STONE, TRN_BLOCK_WATER,
        TRN_BLOCK_FLOWER, TRN_BLOCK_ICE, TRN_BLOCK_GRASS, 40000};
    return blocks[test_random_next(random) % (sizeof blocks / sizeof blocks[0])];
}

static void edit_once(World *world, TestRandom *random, TrnChunk *chunk)
{
    TrnVoxelEdit edit;
    assert_int_equal(trn_store_edit_begin(world->store, chunk, &edit), TRN_RESULT_OK);
    for (uint64_t box = test_random_next(random) % 4; box > 0; box--) {
        uint32_t low[3], high[3];
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = (uint32_t)test_random_range(random, 0, 31);
            high[axis] = (uint32_t)test_random_range(random, low[axis], 31);
        }
        assert_int_equal(trn_voxel_edit_fill_box(&edit, low, high, random_block(random)),
                         TRN_RESULT_OK);
    }
    for (uint64_t i = test_random_next(random) % 50; i > 0; i--) {
        const uint32_t index = (uint32_t)test_random_next(random) % (uint32_t)TRN_CHUNK_VOXELS;
        assert_int_equal(trn_voxel_edit_set(&edit, index, random_block(random)), TRN_RESULT_OK);
    }
    trn_store_edit_commit(world->store, &edit);
}

/// Edits, fills and removes chunks.
static void change_once(World *world, TestRandom *random)
{
    const TrnCoord coord = coord_of((uint32_t)(test_random_next(random) % COORD_COUNT));
    TrnChunk *chunk = trn_store_find(world->store, coord);
    if (!chunk) {
        assert_int_equal(trn_store_insert_uniform(world->store, coord, TRN_BLOCK_AIR, &chunk),
                         TRN_RESULT_OK);
    }
    switch (test_random_next(random) % 12) {
    case 0:
        assert_int_equal(trn_store_remove(world->store, coord), TRN_RESULT_OK);
        break;
    case 1:
        assert_int_equal(trn_store_fill(world->store, chunk, random_block(random)), TRN_RESULT_OK);
        break;
    default:
        edit_once(world, random, chunk);
    }
}

static void every_mesh_matches_its_snapshots(void **state)
{
    (void)state;
    World *world = calloc(1, sizeof *world);
    assert_non_null(world);
    assert_int_equal(trn_store_create(NULL, &world->store), TRN_RESULT_OK);
    TestRandom random = test_random_seeded(31);
    pthread_t threads[MESHERS];
    for (int i = 0; i < MESHERS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, mesh_all_the_time, world), 0);
    }
    for (uint32_t i = 0; i < WRITER_STEPS; i++) {
        change_once(world, &random);
        if (i % 16 == 0) {
            sched_yield();
        }
    }
    atomic_store(&world->done, true);
    for (int i = 0; i < MESHERS; i++) {
        pthread_join(threads[i], NULL);
    }
    print_message("  %u meshes of %u quads, %u times another chunk\n", atomic_load(&world->meshes),
                  atomic_load(&world->quads), atomic_load(&world->others));
    assert_int_equal(atomic_load(&world->failures), 0);
    assert_true(atomic_load(&world->meshes) >= MESHERS * MESHES_LEAST);
    assert_true(atomic_load(&world->quads) > 1000 && atomic_load(&world->others) > 20);
    trn_store_destroy(world->store);
    free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mesh_matches_its_snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
