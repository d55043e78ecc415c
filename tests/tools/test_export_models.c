/// terrane export of blocks that are no whole cubes: models, cutouts and flows. What a file holds
/// is compared, colour by colour, with the faces that the mesher finds.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "exported_model.h"
#include "known_land.h"

#include <terrane/store.h>

#include <export_mesh.h>

/// Some of everything: models of every built-in family, leaves, flows of water, stone and air.
static TrnBlock built_land(int64_t x, int64_t y, int64_t z)
{
    TestRandom random = {(uint64_t)x * 73856093u ^ (uint64_t)y * 19349663u ^
                         (uint64_t)z * 83492791u};
    const uint64_t pick = test_random_next(&random) % 16;
    const uint64_t which = test_random_next(&random);
    const uint32_t models = TRN_BLOCK_WHEAT - TRN_BLOCK_STONE_SLAB;
    return (TrnBlock)(pick < 6    ? TRN_BLOCK_AIR
                      : pick < 8  ? TRN_BLOCK_STONE
                      : pick < 9  ? TRN_BLOCK_OAK_LEAVES
                      : pick < 10 ? TRN_BLOCK_WATER_FLOW + which % 8
                                  : TRN_BLOCK_STONE_SLAB + which % models);
}

/// What one_block puts.
static TrnBlock lone_block;

/// One block in the air.
static TrnBlock one_block(int64_t x, int64_t y, int64_t z)
{
    return x == -1 && y == 2 && z == 33 ? lone_block : TRN_BLOCK_AIR;
}

static const ExportBox one_block_box = {{-3, 0, 30}, {2, 5, 40}};

static uint32_t rgb_of(const uint8_t *colour)
{
    return (uint32_t)colour[0] << 16 | (uint32_t)colour[1] << 8 | colour[2];
}

static void expect_face(Model *expected, uint32_t rgb, const TrnMeshVertex *vertices,
                        const uint32_t *indices)
{
    for (uint32_t t = 0; t < 6; t += 3) {
        Vector corners[3];
        for (uint32_t i = 0; i < 3; i++) {
            const float *at = vertices[indices[t + i]].position;
            corners[i] = (Vector){(double)at[0], (double)at[1], (double)at[2]};
            extend(expected, corners[i]);
        }
        const Vector normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
        add_colour(expected, rgb, corners, sqrt(dot(normal, normal)) / 2);
        expected->triangles++;
    }
}

static void expect_chunk(Model *expected, const TrnMesh *mesh, const TrnBlockTypes *types,
                         const float offset[3])
{
    for (uint32_t i = 0; i < trn_mesh_count(&mesh->info); i++) {
        TrnMeshVertex vertices[TRN_QUAD_VERTICES_MAX];
        uint32_t indices[TRN_QUAD_INDICES_MAX];
        const TrnBlockType *type = trn_block_types_get(types, trn_quad_block(mesh->quads[i]));
        (void)trn_quad_vertices(mesh->quads[i], i >= mesh->info.first[TRN_MESH_TRANSPARENT], offset,
                                vertices);
        (void)trn_quad_indices(mesh->quads[i], 0, indices);
        expect_face(expected, rgb_of(type->colour[vertices->face]), vertices, indices);
    }
    for (uint32_t i = 0; i < mesh->model_count; i++) {
        const TrnModelFace *face = &mesh->models[i];
        TrnMeshVertex vertices[4];
        uint32_t indices[6];
        const TrnBlockType *type = trn_block_types_get(types, trn_model_face_block(face));
        trn_model_face_vertices(face, offset, vertices);
        trn_model_face_indices(face, 0, indices);
        const TrnBlockBox *box = &type->model->boxes[trn_model_face_box(face)];
        expect_face(expected, rgb_of(box->colour[vertices->face]), vertices, indices);
    }
}

/// Meshes the land inside a box, with air around it.
static Model expect_model(LandBlock land, const ExportBox *box, TrnBlockTypes *types)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    Model expected = EMPTY_MODEL;
    TrnStore *store;
    TrnStoreDef def = trn_store_def();
    def.types = types;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    const TrnBox chunks = export_box_chunks(box);
    TrnCoord at[64];
    uint32_t count = 0;
    for (int64_t i = 0; i < 64; i++) {
        const TrnCoord coord = {chunks.min.x + (int32_t)(i % 4), chunks.min.y + (int32_t)(i / 16),
                                chunks.min.z + (int32_t)(i / 4 % 4)};
        const TrnVoxel base = trn_coord_voxel(coord);
        if (!trn_box_contains(chunks, coord)) {
            continue;
        }
        for (uint32_t k = 0; k < TRN_CHUNK_VOXELS; k++) {
            const TrnVoxel voxel = {base.x + k % 32, base.y + k / 1024, base.z + k / 32 % 32};
            const bool is_inside = voxel.x >= box->min.x && voxel.x <= box->max.x &&
                                   voxel.y >= box->min.y && voxel.y <= box->max.y &&
                                   voxel.z >= box->min.z && voxel.z <= box->max.z;
            blocks[k] = is_inside ? land(voxel.x, voxel.y, voxel.z) : TRN_BLOCK_AIR;
        }
        assert_int_equal(trn_store_insert_voxels(store, coord, blocks, NULL), TRN_RESULT_OK);
        at[count++] = coord;
    }
    TrnMesh mesh;
    trn_mesh_init(&mesh, NULL);
    void *scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    for (uint32_t i = 0; i < count; i++) {
        const TrnVoxel base = trn_coord_voxel(at[i]);
        const float offset[3] = {(float)(base.x - box->min.x), (float)(base.y - box->min.y),
                                 (float)(base.z - box->min.z)};
        TrnMeshInput input = {.present = trn_store_snapshot_around(store, at[i], input.around)};
        input.types = trn_block_types_all(types, &input.type_count);
        assert_int_equal(trn_mesh_build(&mesh, &input, scratch), TRN_RESULT_OK);
        expect_chunk(&expected, &mesh, types, offset);
    }
    trn_aligned_free(scratch);
    trn_mesh_free(&mesh);
    trn_store_destroy(store);
    return expected;
}

static const ModelColour *find_colour(const Model *model, uint32_t rgb)
{
    for (uint32_t i = 0; i < model->colour_count; i++) {
        if (model->colours[i].rgb == rgb) {
            return &model->colours[i];
        }
    }
    fail_msg("no faces of colour %06x", (unsigned)rgb);
    return NULL;
}

static void compare(const Model *read, const Model *expected)
{
    assert_int_equal(read->triangles, expected->triangles);
    assert_int_equal(read->colour_count, expected->colour_count);
    assert_memory_equal(&read->min, &expected->min, sizeof read->min);
    assert_memory_equal(&read->max, &expected->max, sizeof read->max);
    for (uint32_t i = 0; i < expected->colour_count; i++) {
        const ModelColour *want = &expected->colours[i];
        const ModelColour *got = find_colour(read, want->rgb);
        assert_true(near_to(got->area, want->area));
        assert_true(near_to(got->moment.x, want->moment.x));
        assert_true(near_to(got->moment.y, want->moment.y));
        assert_true(near_to(got->moment.z, want->moment.z));
    }
}

static void collect(ExportMesh *mesh, const Fixture *fixture, LandBlock *land, ExportBox box,
                    bool has_ao)
{
    Message problem = {""};
    *mesh = export_mesh_start(&box, fixture->types, has_ao);
    if (!export_mesh_collect(mesh, land_generator(land), &problem)) {
        fail_msg("%s", problem.text);
    }
}

static void files_hold_the_faces_of_models_cutouts_and_flows(void **state)
{
    Fixture *fixture = *state;
    const ExportBox box = {{-40, -5, -35}, {20, 4, 30}};
    LandBlock land = built_land;
    const Model with_ao = expect_model(land, &box, fixture->types);
    assert_true(with_ao.colour_count > 10);
    for (int has_ao = 0; has_ao < 2; has_ao++) {
        ExportMesh mesh;
        collect(&mesh, fixture, &land, box, has_ao);
        const Model glb = through_glb(fixture, &mesh), obj = through_obj(fixture, &mesh);
        Model expected = with_ao; // without, cubes merge further; areas stay
        expected.triangles = has_ao ? with_ao.triangles : mesh.count * 2;
        compare(&glb, &expected);
        compare(&obj, &expected);
        export_mesh_free(&mesh);
    }
}

/// Two boxes. The upper one's bottom is covered as a whole, the lower one's top is not.
static void a_stair_has_its_faces(void **state)
{
    Fixture *fixture = *state;
    LandBlock land = one_block;
    ExportMesh mesh;
    assert_int_equal(trn_block_types_find(fixture->types, "terrane:oak_stairs", &lone_block),
                     TRN_RESULT_OK);
    collect(&mesh, fixture, &land, one_block_box, true);
    const Model model = through_gltf(fixture, &mesh);
    assert_int_equal(model.triangles, 2 * 11);
    assert_true(model.min.x == 2 && model.min.y == 2 && model.min.z == 3);
    assert_true(model.max.x == 3 && model.max.y == 3 && model.max.z == 4);
    assert_true(near_to(find_colour(&model, 0xa9824f)->area, 1.5));                // top
    assert_true(near_to(find_colour(&model, 0xa07a49)->area, 3.5));                // sides
    assert_true(near_to(find_colour(&model, 0x94703f)->area, 1));                  // bottom
    assert_true(near_to(find_colour(&model, 0xa9824f)->moment.x, 2.5 + 2.75 / 2)); // high at +x
    export_mesh_free(&mesh);
}

/// A torch has two boxes of two colours; its flame covers the top of its stick.
static void boxes_have_materials_of_their_own(void **state)
{
    Fixture *fixture = *state;
    LandBlock land = one_block;
    ExportMesh mesh;
    lone_block = TRN_BLOCK_TORCH;
    collect(&mesh, fixture, &land, one_block_box, true);
    assert_int_equal(mesh.material_count, 2);
    assert_string_equal(export_material_name(&mesh.materials[0]).text, "terrane:torch/side");
    assert_string_equal(export_material_name(&mesh.materials[1]).text, "terrane:torch/box2/side");
    const Model model = through_obj(fixture, &mesh);
    assert_true(near_to(find_colour(&model, 0x7a5a34)->area, 68.0 / 256));
    assert_true(near_to(find_colour(&model, 0xf2c45e)->area, 20.0 / 256));
    export_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_hold_the_faces_of_models_cutouts_and_flows),
        cmocka_unit_test(a_stair_has_its_faces),
        cmocka_unit_test(boxes_have_materials_of_their_own),
    };
    return cmocka_run_group_tests(tests, make_fixture, free_fixture);
}
