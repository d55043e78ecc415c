// Builds with assertions detect snapshots that were released too early.

#include "testing.h"

#include <signal.h>

#include <terrane/mesher.h>

/// A chunk and one of its neighbours.
typedef struct Pair {
    TrnVoxelHeap *heap;
    TrnVoxels voxels[2];
    TrnMeshInput input;
    TrnMesh mesh;
    void *scratch;
} Pair;

static const TrnBlockType pair_types[2] = {{.name = "test:air", .kind = TRN_BLOCK_KIND_AIR},
                                           {.name = "test:stone", .kind = TRN_BLOCK_KIND_OPAQUE}};

static Pair make_pair(void)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    Pair pair = {.input = {.present = 1u << TRN_AROUND_CENTRE | 1u << 14, .type_count = 2}};
    pair.input.types = pair_types;
    trn_mesh_init(&pair.mesh, NULL);
    pair.scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
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
    trn_mesh_free(&pair->mesh);
    trn_voxel_heap_destroy(pair->heap);
    trn_aligned_free(pair->scratch);
}

static jmp_buf before_meshing;

static void leave_meshing(int number)
{
    (void)number;
    longjmp(before_meshing, 1);
}

/// Meshes. @return whether an assertion failed meanwhile
static bool meshing_asserts(Pair *pair)
{
    void (*before)(int) = signal(SIGABRT, leave_meshing);
    const bool asserted = setjmp(before_meshing) != 0;
    if (!asserted) {
        assert_int_equal(trn_mesh_build(&pair->mesh, &pair->input, pair->scratch), TRN_RESULT_OK);
    }
    (void)signal(SIGABRT, before);
    return asserted;
}

static void valid_snapshots_are_meshed(void **state)
{
    (void)state;
    Pair pair = make_pair();
    assert_false(meshing_asserts(&pair));
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
        assert_true(meshing_asserts(&pair));
        pair.input.around[TRN_AROUND_CENTRE + i] = trn_voxels_snapshot(&pair.voxels[i]);
        assert_false(meshing_asserts(&pair)); // the new snapshots are valid
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
