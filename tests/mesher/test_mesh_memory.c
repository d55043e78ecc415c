// The memory of meshes: buffers that are too small, failing allocations, bad arguments.

#include "mesh_blocks.h"

/// stage_try checks behind the end of every buffer.
static void too_small_a_buffer_returns_the_count(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    stage_build(stage, garden, NULL, STONE);
    stage_check(stage);
    const TrnMeshInfo info = stage->info;
    const uint32_t count = trn_mesh_count(&info);
    TrnQuad *quads = malloc(count * sizeof *quads);
    assert_non_null(quads);
    memcpy(quads, stage->quads, count * sizeof *quads);
    for (unsigned i = 0; trn_kernels_name(&trn_mesh_kernels, i); i++) {
        for (uint32_t room = 0; room <= count + 3;) {
            const TrnResult result = stage_try(stage, trn_kernels_name(&trn_mesh_kernels, i), room);
            assert_int_equal(result, room < count ? TRN_RESULT_FULL : TRN_RESULT_OK);
            assert_true(mesh_info_equal(&stage->info, &info));
            if (result == TRN_RESULT_OK) {
                assert_memory_equal(stage->quads, quads, count * sizeof *quads);
            }
            room += room < 70 || room + 70 > count ? 1 : 37;
        }
    }
    free(quads);
    stage_destroy(stage);
}

static void assert_no_quads(const TrnMesh *mesh)
{
    const TrnMeshInfo none = {0};
    assert_true(mesh_info_equal(&mesh->info, &none));
}

static void air_allocates_nothing_and_a_mesh_is_reused(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnMesh mesh;
    trn_mesh_init(&mesh, &allocator);
    stage_fill_all(stage, AIR, STONE);
    assert_int_equal(trn_mesh_build(&mesh, &stage->input, stage->scratch), TRN_RESULT_OK);
    assert_no_quads(&mesh);
    assert_int_equal(memory.allocations, 0);
    size_t capacity = 0;
    static const TrnBlock odd[] = {AIR, FERN, WATER};
    for (int i = 0; i < 3; i++) { // each has more quads than the last
        stage_fill_all(stage, AIR, AIR);
        check_centre(stage, i == 0 ? layered(9, STONE, WATER) : checkerboard(LAVA, odd[i]));
        assert_int_equal(trn_mesh_build(&mesh, &stage->input, stage->scratch), TRN_RESULT_OK);
        assert_true(mesh_info_equal(&mesh.info, &stage->info));
        assert_memory_equal(mesh.quads, stage->quads, trn_mesh_count(&mesh.info) * sizeof(TrnQuad));
        assert_true(mesh.capacity >= trn_mesh_count(&mesh.info) && mesh.capacity >= capacity);
        assert_int_equal(memory.live_bytes, mesh.capacity * sizeof(TrnQuad));
        assert_int_equal(memory.live_bytes, trn_mesh_bytes(&mesh));
        assert_int_equal(memory.live_blocks, 1);
        capacity = mesh.capacity;
    }
    assert_int_equal(capacity, TRN_MESH_QUADS_MAX);
    const size_t allocations = memory.allocations;
    stage_fill(stage, CENTRE, VOID);
    assert_int_equal(trn_mesh_build(&mesh, &stage->input, stage->scratch), TRN_RESULT_OK);
    assert_no_quads(&mesh);
    assert_int_equal(mesh.capacity, capacity);
    assert_int_equal(memory.allocations, allocations);
    trn_mesh_free(&mesh);
    assert_no_quads(&mesh);
    assert_int_equal(memory.live_bytes, 0);
    assert_int_equal(trn_mesh_bytes(&mesh), 0);
    stage_fill(stage, CENTRE, STONE); // usable after trn_mesh_free
    assert_int_equal(trn_mesh_build(&mesh, &stage->input, stage->scratch), TRN_RESULT_OK);
    assert_int_equal(trn_mesh_count(&mesh.info), 6);
    trn_mesh_free(&mesh);
    trn_mesh_free(&mesh); // may be called twice
    trn_mesh_free(NULL);
    assert_int_equal(memory.live_blocks, 0);
    stage_destroy(stage);
}

static void failed_allocations_leave_the_mesh_empty(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    size_t fail_at = 1;
    for (bool has_failed = true; has_failed; fail_at++) {
        TestAllocator memory = {.fail_at = fail_at};
        const TrnAllocator allocator = test_allocator(&memory);
        TrnMesh mesh;
        trn_mesh_init(&mesh, &allocator);
        has_failed = false;
        for (int i = 0; i < 3; i++) {
            stage_encode(stage, CENTRE,
                         i == 0 ? layered(9, STONE, AIR)
                                : checkerboard(LAVA, i == 1 ? AIR : WATER));
            TrnResult result = trn_mesh_build(&mesh, &stage->input, stage->scratch);
            if (result != TRN_RESULT_OK) {
                has_failed = true;
                assert_int_equal(result, TRN_RESULT_NO_MEMORY);
                assert_no_quads(&mesh);
                assert_int_equal(memory.live_bytes, mesh.capacity * sizeof(TrnQuad));
                result = trn_mesh_build(&mesh, &stage->input, stage->scratch);
            }
            assert_int_equal(result, TRN_RESULT_OK);
            mesh_reference_read(stage->reference, &stage->input);
            assert_null(mesh_reference_problem(stage->reference, mesh.quads, &mesh.info));
        }
        assert_int_equal(trn_mesh_count(&mesh.info), TRN_MESH_QUADS_MAX);
        trn_mesh_free(&mesh);
        assert_int_equal(memory.live_blocks, 0);
    }
    assert_true(fail_at > 3);
    stage_destroy(stage);
}

static void bad_arguments_are_refused_and_write_nothing(void **state)
{
    (void)state;
    Stage *stage = stage_of_test_types();
    TrnMesh mesh;
    trn_mesh_init(&mesh, NULL);
    stage_build(stage, garden, NULL, STONE);
    stage_mesh(stage);
    assert_int_equal(trn_mesh_build(&mesh, &stage->input, stage->scratch), TRN_RESULT_OK);
    TrnMesh before;
    memcpy(&before, &mesh, sizeof mesh); // including the padding
    const TrnMeshInfo info = stage->info;
    TrnMeshInput inputs[4] = {stage->input, stage->input, stage->input, stage->input};
    inputs[0].present &= ~(1u << TRN_AROUND_CENTRE);
    inputs[1].types = NULL;
    inputs[2].type_count = 0;
    unsigned char *const scratch = stage->scratch;
    unsigned char *const scratches[] = {scratch,     scratch,     scratch,      NULL,
                                        scratch + 1, scratch + 8, scratch + 32, scratch};
    const size_t quad_bytes = trn_mesh_count(&info) * sizeof(TrnQuad);
    TrnQuad *const quads = malloc(quad_bytes), *const kept = malloc(quad_bytes);
    assert_true(quads && kept);
    memcpy(quads, mesh.quads, quad_bytes);
    memcpy(kept, mesh.quads, quad_bytes);
    for (int i = 0; i < 8; i++) {
        const TrnMeshInput *input = i == 7 ? NULL : &inputs[i < 3 ? i : 3];
        TrnMeshInfo untouched = info;
        memset(scratch, 0x77, TRN_MESH_SCRATCH_BYTES);
        assert_int_equal(trn_mesh_build(&mesh, input, scratches[i]), TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(trn_mesh_quads(input, scratches[i], quads, NULL, 9, &untouched),
                         TRN_RESULT_BAD_ARGUMENT);
        assert_true(mesh_info_equal(&untouched, &info));
        assert_memory_equal(&mesh, &before, sizeof mesh);
        assert_memory_equal(mesh.quads, kept, quad_bytes);
        assert_memory_equal(quads, kept, quad_bytes);
        assert_true(scratch[0] == 0x77 && scratch[TRN_MESH_SCRATCH_BYTES - 1] == 0x77);
    }
    assert_int_equal(trn_mesh_quads(&stage->input, scratch, quads, NULL, 9, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_mesh_build(NULL, &stage->input, scratch), TRN_RESULT_BAD_ARGUMENT);
    free(quads);
    free(kept);
    trn_mesh_free(&mesh);
    stage_destroy(stage);
}

/// @param arguments  a pattern of test names, or none for all tests

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_small_a_buffer_returns_the_count),
        cmocka_unit_test(air_allocates_nothing_and_a_mesh_is_reused),
        cmocka_unit_test(failed_allocations_leave_the_mesh_empty),
        cmocka_unit_test(bad_arguments_are_refused_and_write_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
