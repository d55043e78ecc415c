/// The parts of terrane export: known lands are written as glTF and OBJ, and read back.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "exported_model.h"
#include "known_land.h"

#include <terrane/terrain.h>

#include <commands.h>
#include <export.h>
#include <export_mesh.h>
#include <options_run.h>

// ---- lands --------------------------------------------------------------------------------------

/// Returns a number from 0 to 99 for a voxel, by a hash.
static uint32_t voxel_hash(int64_t x, int64_t y, int64_t z)
{
    TestRandom random = {(uint64_t)x * 73856093u ^ (uint64_t)y * 19349663u ^
                         (uint64_t)z * 83492791u};
    return (uint32_t)(test_random_next(&random) % 100);
}

/// Steps of grass over stone, a lake, plants, and holes in the ground.
static TrnBlock rough_land(int64_t x, int64_t y, int64_t z)
{
    const int64_t ground = 5 + (int64_t)voxel_hash(x / 4, 1, z / 4) % 9;
    const uint32_t hash = voxel_hash(x, y, z);
    if (y <= ground) {
        return hash < 10 ? TRN_BLOCK_AIR : y == ground ? TRN_BLOCK_GRASS : TRN_BLOCK_STONE;
    }
    if (y <= 8) {
        return TRN_BLOCK_WATER;
    }
    return y == ground + 1 && hash < 20 ? TRN_BLOCK_FLOWER : TRN_BLOCK_AIR;
}

static TrnBlock solid_land(int64_t x, int64_t y, int64_t z)
{
    (void)x;
    (void)y;
    (void)z;
    return TRN_BLOCK_STONE;
}

static TrnBlock no_land(int64_t x, int64_t y, int64_t z)
{
    (void)x;
    (void)y;
    (void)z;
    return TRN_BLOCK_AIR;
}

/// The visible faces of a box, found voxel by voxel.
typedef struct Expected {
    uint64_t opaque_voxels, opaque_faces, plants;
    uint64_t water_columns; ///< surfaces that look up: exact whatever they are lowered by
} Expected;

static TrnBlock block_in_box(LandBlock land, const ExportBox *box, int64_t x, int64_t y, int64_t z)
{
    const bool inside = x >= box->min.x && x <= box->max.x && y >= box->min.y && y <= box->max.y &&
                        z >= box->min.z && z <= box->max.z;
    return inside ? land(x, y, z) : TRN_BLOCK_AIR;
}

static Expected expect_of(LandBlock land, const ExportBox *box, const TrnBlockTypes *types)
{
    static const int steps[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                    {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    Expected expected = {0};
    for (int64_t y = box->min.y; y <= box->max.y; y++) {
        for (int64_t z = box->min.z; z <= box->max.z; z++) {
            for (int64_t x = box->min.x; x <= box->max.x; x++) {
                const TrnBlock block = land(x, y, z);
                const TrnBlockKind kind = trn_block_types_get(types, block)->kind;
                expected.opaque_voxels += kind == TRN_BLOCK_KIND_OPAQUE;
                expected.plants += kind == TRN_BLOCK_KIND_PLANT;
                for (int face = 0; face < 6; face++) {
                    const TrnBlock before = block_in_box(land, box, x + steps[face][0],
                                                         y + steps[face][1], z + steps[face][2]);
                    const bool hidden =
                        trn_block_types_get(types, before)->kind == TRN_BLOCK_KIND_OPAQUE;
                    expected.opaque_faces += kind == TRN_BLOCK_KIND_OPAQUE && !hidden;
                    expected.water_columns += face == TRN_FACE_POS_Y && block == TRN_BLOCK_WATER &&
                                              before != block && !hidden;
                }
            }
        }
    }
    return expected;
}

// ---- checks -------------------------------------------------------------------------------------

static void check_model(const Model *model, const ExportMesh *mesh, const Expected *expected)
{
    assert_int_equal(model->triangles, mesh->count * 2);
    assert_true(near_to(model->opaque_area, (double)expected->opaque_faces));
    assert_true(near_to(model->opaque_volume, (double)expected->opaque_voxels));
    assert_true(near_to(model->plant_area, 2 * sqrt(2) * (double)expected->plants));
    assert_true(near_to(model->water_top, (double)expected->water_columns));
    int64_t size[3];
    export_box_size(&mesh->box, size);
    assert_true(model->min.x >= 0 && model->min.y >= 0 && model->min.z >= 0);
    assert_true(model->max.x <= (double)size[0] && model->max.y <= (double)size[1] &&
                model->max.z <= (double)size[2]);
}

static void check_box(const Fixture *fixture, LandBlock land, ExportBox box, bool has_ao)
{
    Message problem = {""};
    assert_true(export_box_check(&box, &problem));
    ExportMesh mesh = export_mesh_start(&box, fixture->types, has_ao);
    if (!export_mesh_collect(&mesh, land_generator(&land), &problem)) {
        fail_msg("%s", problem.text);
    }
    const Expected expected = expect_of(land, &box, fixture->types);
    const Model glb = through_glb(fixture, &mesh), gltf = through_gltf(fixture, &mesh),
                obj = through_obj(fixture, &mesh);
    check_model(&glb, &mesh, &expected);
    check_model(&gltf, &mesh, &expected);
    check_model(&obj, &mesh, &expected);
    assert_memory_equal(&glb.min, &obj.min, sizeof obj.min);
    assert_memory_equal(&glb.max, &obj.max, sizeof obj.max);
    export_mesh_free(&mesh);
}

static ExportBox box_at(int64_t x, int64_t y, int64_t z, int64_t across, int64_t up, int64_t along)
{
    return (ExportBox){{x, y, z}, {x + across - 1, y + up - 1, z + along - 1}};
}

// ---- tests --------------------------------------------------------------------------------------

static void models_equal_the_surface_of_the_land(void **state)
{
    check_box(*state, rough_land, box_at(-40, -10, -35, 75, 40, 70), true);
    check_box(*state, rough_land, box_at(-40, -10, -35, 75, 40, 70), false);
    check_box(*state, rough_land, box_at(0, 0, 0, 32, 32, 32), true); // one chunk, whole
    check_box(*state, rough_land, box_at(5, 6, 7, 1, 1, 1), true);
    check_box(*state, rough_land, box_at(31, 0, 31, 2, 20, 2),
              true); // over four chunks' edges
}

static void random_boxes_are_cut_exactly_at_their_sides(void **state)
{
    TestRandom random = test_random_seeded(0xE891);
    for (int round = 0; round < 12; round++) {
        const int64_t across = test_random_range(&random, 1, 70),
                      along = test_random_range(&random, 1, 70);
        // The box reaches down into the stone, so that it is never empty.
        const int64_t bottom = test_random_range(&random, -40, 4);
        check_box(*state, rough_land,
                  box_at(test_random_range(&random, -90, 90), bottom,
                         test_random_range(&random, -90, 90), across,
                         test_random_range(&random, 1, 60), along),
                  test_random_range(&random, 0, 1));
    }
}

/// Chunks at the ends of int32 have neighbours at the other end, which are not part of the box.
static void boxes_at_the_ends_of_the_world_are_exact(void **state)
{
    check_box(*state, solid_land, box_at(TRN_VOXEL_MIN, TRN_VOXEL_MIN, TRN_VOXEL_MIN, 40, 5, 33),
              true);
    check_box(*state, solid_land,
              box_at(TRN_VOXEL_MAX - 39, TRN_VOXEL_MAX - 4, TRN_VOXEL_MAX - 32, 40, 5, 33), true);
    check_box(*state, rough_land, box_at(TRN_VOXEL_MAX - 39, 0, TRN_VOXEL_MIN, 40, 20, 40), true);
}

static void a_solid_chunk_is_six_rectangles_of_three_colours(void **state)
{
    const Fixture *fixture = *state;
    LandBlock land = solid_land;
    const ExportBox box = box_at(0, 0, 0, 32, 32, 32);
    ExportMesh mesh = export_mesh_start(&box, fixture->types, true);
    Message problem;
    assert_true(export_mesh_collect(&mesh, land_generator(&land), &problem));
    assert_int_equal(mesh.count, 6);
    assert_int_equal(mesh.material_count, 3); // stone's top, sides and bottom
    static const char *const names[3] = {"terrane:stone/side", "terrane:stone/bottom",
                                         "terrane:stone/top"};
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(export_material_name(&mesh.materials[i]).text, names[i]);
    }
    export_mesh_free(&mesh);
}

static void a_box_of_air_is_reported(void **state)
{
    const Fixture *fixture = *state;
    LandBlock land = no_land;
    const ExportBox box = box_at(0, 0, 0, 40, 40, 40);
    ExportMesh mesh = export_mesh_start(&box, fixture->types, true);
    Message problem = {""};
    assert_false(export_mesh_collect(&mesh, land_generator(&land), &problem));
    assert_non_null(strstr(problem.text, "nothing in this box but air"));
    export_mesh_free(&mesh);
}

/// Every voxel shows all six faces, and none can merge with another.
static TrnBlock scattered_land(int64_t x, int64_t y, int64_t z)
{
    return (x | y | z) & 1 ? TRN_BLOCK_AIR : TRN_BLOCK_STONE;
}

static void too_many_faces_are_refused_with_their_number(void **state)
{
    const Fixture *fixture = *state;
    LandBlock land = scattered_land;
    // 8 x 8 chunks of 4096 voxels that show all faces: 1.6 million faces, twice what is allowed.
    const ExportBox box = box_at(0, 0, 0, 256, 32, 256);
    ExportMesh mesh = export_mesh_start(&box, fixture->types, true);
    mesh.quads_max = (size_t)32 * 4096 * 6;
    Message problem = {""};
    assert_false(export_mesh_collect(&mesh, land_generator(&land), &problem));
    assert_string_equal(
        problem.text, "This land would come to about 1.5 million faces (0.21 GB), and at most 0.8 "
                      "million (0.11 GB) can be exported at once; make the box smaller.");
    assert_true(mesh.count <= mesh.quads_max);
    export_mesh_free(&mesh);
}

// Global, because cJSON's hooks have no user pointer.
static int json_allocations, json_fail_at;

static void *fail_some_time(size_t bytes)
{
    return ++json_allocations == json_fail_at ? NULL : malloc(bytes);
}

static void any_failed_allocation_is_reported(void **state)
{
    const Fixture *fixture = *state;
    LandBlock land = solid_land;
    const ExportBox box = box_at(0, 0, 0, 32, 32, 32);
    ExportMesh mesh = export_mesh_start(&box, fixture->types, true);
    Message problem;
    assert_true(export_mesh_collect(&mesh, land_generator(&land), &problem));
    char path[PLACE_PATH];
    place_path(&fixture->place, "a.glb", path);
    const ExportSource source = {.seed = 1, .land = "preset default"};
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = fail_some_time, .free_fn = free});
    bool good = false;
    for (json_fail_at = 1; !good; json_fail_at++) {
        WholeFile out;
        json_allocations = 0;
        assert_int_equal(whole_file_open(&out, path), 0);
        problem.text[0] = '\0';
        good = export_glb_write(&out, &mesh, &source, &problem);
        assert_int_equal(strlen(problem.text) == 0, good);
        assert_int_equal(good, json_allocations < json_fail_at);
        whole_file_drop(&out);
    }
    cJSON_InitHooks(NULL);
    assert_true(json_fail_at > 100);
    export_mesh_free(&mesh);
}

static void a_generator_that_fails_fails_the_export_with_a_sentence(void **state)
{
    const Fixture *fixture = *state;
    const ExportBox box = box_at(0, 0, 0, 64, 32, 64);
    ExportMesh mesh = export_mesh_start(&box, fixture->types, true);
    Message problem = {""};
    assert_false(
        export_mesh_collect(&mesh, (TrnGenerator){.generate = generate_nothing}, &problem));
    assert_non_null(strstr(problem.text, trn_result_text(TRN_RESULT_NO_MEMORY)));
    export_mesh_free(&mesh);
}

static void invalid_boxes_are_refused(void **state)
{
    (void)state;
    static const struct {
        ExportBox box;
        const char *words;
    } cases[] = {
        {{{0, 0, 0}, {-1, 5, 5}}, "empty"},
        {{{0, 6, 0}, {5, 5, 5}}, "empty"},
        {{{0, 0, 0}, {65536, 5, 5}}, "65537x6x6"},
        {{{0, 0, 0}, {65535, 1023, 1023}}, "2097152 chunks"},
        {{{TRN_VOXEL_MIN, TRN_VOXEL_MIN, TRN_VOXEL_MIN},
          {TRN_VOXEL_MAX, TRN_VOXEL_MAX, TRN_VOXEL_MAX}},
         "at most 65536 along"},
        {{{TRN_VOXEL_MIN - 1, 0, 0}, {TRN_VOXEL_MIN, 0, 0}}, "out of the world"},
        {{{INT64_MIN, 0, 0}, {INT64_MAX, 0, 0}}, "out of the world"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Message problem = {""};
        assert_false(export_box_check(&cases[i].box, &problem));
        if (!strstr(problem.text, cases[i].words)) {
            fail_msg("'%s', not '%s'", problem.text, cases[i].words);
        }
    }
    Message problem = {""};
    const ExportBox largest = {{0, 0, 0}, {65535, 511, 1023}};
    assert_true(export_box_check(&largest, &problem));
}

// ---- options ------------------------------------------------------------------------------------

static bool parse(ExportOptions *options, const char *words, Message *problem)
{
    static char copy[512];
    static char *argv[32];
    snprintf(copy, sizeof copy, "%s", words);
    int argc = 0;
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    return options_fill(&TERRANE, &EXPORT_COMMAND, options, argc, argv, problem) == OPTIONS_RUN;
}

static void options_are_read_and_defaults_fill_the_rest(void **state)
{
    (void)state;
    ExportOptions options;
    Message problem = {""};
    assert_true(parse(&options, "export", &problem));
    assert_int_equal(options.seed, trn_terrain_def().seed);
    assert_string_equal(options.out, "land.glb");
    assert_int_equal(options.format, EXPORT_FORMAT_GLB);
    assert_false(options.has_box || options.without_ao);
    assert_int_equal(options.box.min.x, -128);
    assert_int_equal(options.box.max.z, 127);
    assert_true(parse(&options, "export --center 1000,-7 --size 3x2 --seed 9", &problem));
    assert_int_equal(options.box.min.x, 999);
    assert_int_equal(options.box.max.x, 1001);
    assert_int_equal(options.box.min.z, -8);
    assert_int_equal(options.box.max.z, -7);
    assert_int_equal(options.seed, 9);
    assert_true(parse(&options, "export --box -50,-10,0..49,120,99 --no-ao --out x.OBJ", &problem));
    assert_true(options.has_box && options.without_ao);
    assert_int_equal(options.box.min.x, -50);
    assert_int_equal(options.box.min.y, -10);
    assert_int_equal(options.box.min.z, 0);
    assert_int_equal(options.box.max.x, 49);
    assert_int_equal(options.box.max.y, 120);
    assert_int_equal(options.box.max.z, 99);
    assert_int_equal(options.format, EXPORT_FORMAT_OBJ);
    assert_true(parse(&options, "export --preset alps", &problem));
    TrnTerrainShape alps;
    assert_int_equal(trn_terrain_shape_preset("alps", &alps), TRN_RESULT_OK);
    assert_memory_equal(&options.shape, &alps, sizeof alps);
    assert_true(parse(&options, "export --format gltf", &problem));
    assert_string_equal(options.out, "land.gltf");
    assert_true(parse(&options, "export --out /dev/stdout --format obj", &problem));
    assert_int_equal(options.format, EXPORT_FORMAT_OBJ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_equal_the_surface_of_the_land),
        cmocka_unit_test(random_boxes_are_cut_exactly_at_their_sides),
        cmocka_unit_test(boxes_at_the_ends_of_the_world_are_exact),
        cmocka_unit_test(a_solid_chunk_is_six_rectangles_of_three_colours),
        cmocka_unit_test(a_box_of_air_is_reported),
        cmocka_unit_test(too_many_faces_are_refused_with_their_number),
        cmocka_unit_test(any_failed_allocation_is_reported),
        cmocka_unit_test(a_generator_that_fails_fails_the_export_with_a_sentence),
        cmocka_unit_test(invalid_boxes_are_refused),
        cmocka_unit_test(options_are_read_and_defaults_fill_the_rest),
    };
    return cmocka_run_group_tests(tests, make_fixture, free_fixture);
}
