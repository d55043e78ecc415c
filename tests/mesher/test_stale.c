// Builds with assertions detect snapshots that were released too early.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "testing.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <terrane/mesher.h>

/// A chunk and one of its neighbours.
typedef struct Pair {
    TrnVoxelHeap *heap;
    TrnVoxels voxels[2];
    TrnMeshInput input;
    void *scratch;
} Pair;

static const TrnBlockType pair_types[2] = {{.name = "test:air", .kind = TRN_BLOCK_KIND_AIR},
                                           {.name = "test:stone", .kind = TRN_BLOCK_KIND_OPAQUE}};

static Pair make_pair(void)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    Pair pair = {.input = {.present = 1u << TRN_AROUND_CENTRE | 1u << 14, .type_count = 2}};
    pair.input.types = pair_types;
    pair.scratch = aligned_alloc(64, TRN_MESH_SCRATCH_BYTES);
    assert_non_null(pair.scratch);
    assert_int_equal(trn_voxel_heap_create(NULL, &pair.heap), TRN_RESULT_OK);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = i % 3 == 0;
    }
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(trn_voxels_encode(pair.heap, &pair.voxels[i], blocks, 1), TRN_RESULT_OK);
        pair.input.around[TRN_AROUND_CENTRE + i] = trn_voxels_snapshot(&pair.voxels[i]);
    }
    return pair;
}

static void free_pair(Pair *pair)
{
    trn_voxel_heap_destroy(pair->heap);
    free(pair->scratch);
}

static TrnResult mesh_pair(Pair *pair)
{
    TrnMesh mesh;
    trn_mesh_init(&mesh, NULL);
    const TrnResult result = trn_mesh_build(&mesh, &pair->input, pair->scratch);
    trn_mesh_free(&mesh);
    return result;
}

/// Meshes in a child process.
/// @return its exit status, as from wait()
static int status_of_meshing(Pair *pair)
{
    const pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null", "w", stderr); // hides the assertion's message
        signal(SIGABRT, SIG_DFL);
        _exit(mesh_pair(pair) == TRN_RESULT_OK ? 0 : 1);
    }
    assert_true(child > 0);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void valid_snapshots_are_meshed(void **state)
{
    (void)state;
    Pair pair = make_pair();
    assert_int_equal(status_of_meshing(&pair), 0);
    free_pair(&pair);
}

static void a_released_payload_is_detected(void **state)
{
    (void)state;
#if !defined(TRN_ENABLE_ASSERT)
    skip();
#endif
    for (uint32_t i = 0; i < 2; i++) {
        Pair pair = make_pair();
        trn_voxels_fill(pair.heap, &pair.voxels[i], 0, 2); // without readers, frees immediately
        const int status = status_of_meshing(&pair);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        pair.input.around[TRN_AROUND_CENTRE + i] = trn_voxels_snapshot(&pair.voxels[i]);
        assert_int_equal(status_of_meshing(&pair), 0); // the new snapshots are valid
        free_pair(&pair);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_snapshots_are_meshed),
        cmocka_unit_test(a_released_payload_is_detected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
