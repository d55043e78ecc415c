// Models in the picture: their silhouettes, colours and holes, judged against whole cubes in their
// place. Run by with_display.sh.
#define PICTURE_WIDTH 320
#define PICTURE_HEIGHT 200
#include "gl_chunk.h"

#include <math.h>

#define GROUND 8u
#define ROW 16u     // z of the models
#define ROW_VIEW 36 // degrees

/// A model and the cube of its material, in one voxel of the row.
typedef struct Exhibit {
    uint32_t x;
    TrnBlock model, cube;
} Exhibit;

enum { PANE, SLAB, CEILING_SLAB, STAIRS, BACK_STAIRS, LONE_FENCE, FENCE_LEFT, FENCE };

static const Exhibit EXHIBITS[] = {
    [PANE] = {9, TRN_BLOCK_GLASS_PANE, TRN_BLOCK_SANDSTONE},
    [SLAB] = {11, TRN_BLOCK_STONE_SLAB + 8, TRN_BLOCK_SANDSTONE},
    [CEILING_SLAB] = {12, TRN_BLOCK_STONE_SLAB + 12, TRN_BLOCK_SANDSTONE},
    [STAIRS] = {14, TRN_BLOCK_STONE_STAIRS + 8, TRN_BLOCK_SANDSTONE},
    [BACK_STAIRS] = {16, TRN_BLOCK_STONE_STAIRS + 10, TRN_BLOCK_SANDSTONE},
    [LONE_FENCE] = {17, TRN_BLOCK_OAK_FENCE, TRN_BLOCK_OAK_PLANKS},
    [FENCE_LEFT] = {19, TRN_BLOCK_OAK_FENCE, TRN_BLOCK_OAK_PLANKS},
    [FENCE] = {20, TRN_BLOCK_OAK_FENCE, TRN_BLOCK_OAK_PLANKS},
};
#define EXHIBIT_COUNT (sizeof EXHIBITS / sizeof EXHIBITS[0])

// ---- scenes -------------------------------------------------------------------------------------

/// Ground of limestone before a wall of snow; the panes stand between two of their kind.
static TrnBlock empty_block(uint32_t x, uint32_t y, uint32_t z)
{
    (void)x;
    return y < GROUND ? TRN_BLOCK_LIMESTONE : z < 8 ? TRN_BLOCK_SNOW : TRN_BLOCK_AIR;
}

static TrnBlock row_block(uint32_t x, uint32_t y, uint32_t z, bool with_models)
{
    for (size_t i = 0; i < EXHIBIT_COUNT && y == GROUND && z == ROW; i++) {
        if (EXHIBITS[i].x == x) {
            return with_models ? EXHIBITS[i].model : EXHIBITS[i].cube;
        }
        if (i == PANE && with_models && (x + 1 == EXHIBITS[i].x || x == EXHIBITS[i].x + 1)) {
            return TRN_BLOCK_GLASS_PANE;
        }
    }
    return empty_block(x, y, z);
}

static TrnBlock cube_block(uint32_t x, uint32_t y, uint32_t z)
{
    return row_block(x, y, z, false);
}

static TrnBlock model_block(uint32_t x, uint32_t y, uint32_t z)
{
    return row_block(x, y, z, true);
}

/// A torch in front of the camera, without the rest: it would light that.
static TrnBlock torch_block(uint32_t x, uint32_t y, uint32_t z)
{
    return x == 15 && y == GROUND && z == ROW ? TRN_BLOCK_TORCH : empty_block(x, y, z);
}

static const double FRONT[5] = {15.5, GROUND + 0.5, 30, 0, 0};

/// The pictures of one look: nothing in the row, cubes, models.
typedef struct Pictures {
    Picture empty, cubes, models;
} Pictures;

static void draw_block_scene(TrnBlock (*block_at)(uint32_t, uint32_t, uint32_t), const Look *look,
                             const double pose[5], float field_of_view, Picture *picture)
{
    Message problem;
    Scene scene = make_scene(block_at);
    assert_true(renderer_set_look(scene.renderer, look, &problem));
    scene.camera = camera_at(pose);
    scene.camera.field_of_view = field_of_view;
    draw_scene(&scene, (SceneLines){0}, picture);
    free_scene(&scene);
}

/// Draws the row from the front, at noon.
static void draw_row(const Look *look, Pictures *pictures)
{
    draw_block_scene(empty_block, look, FRONT, ROW_VIEW, &pictures->empty);
    draw_block_scene(cube_block, look, FRONT, ROW_VIEW, &pictures->cubes);
    draw_block_scene(model_block, look, FRONT, ROW_VIEW, &pictures->models);
}

static bool is_changed(const Pictures *pictures, const Picture *picture, int x, int y)
{
    return difference(picture->rgb[y][x], pictures->empty.rgb[y][x]) > 24;
}

// ---- places on a cube's front -------------------------------------------------------------------

/// Where the front of a voxel in the row is in the picture, from the camera's projection: straight
/// on, at a distance of 13 to the front.
static void find_pixel(uint32_t exhibit, double across, double up, int *x, int *y)
{
    const double tangent = tan(ROW_VIEW / 2.0 * 3.14159265 / 180);
    const double right = EXHIBITS[exhibit].x + across - 15.5, above = up - 0.5;
    const double pixels = HEIGHT / 2.0 / (tangent * (30 - (ROW + 1.0)));
    *x = (int)(WIDTH / 2.0 + right * pixels);
    *y = (int)(HEIGHT / 2.0 - above * pixels);
}

static bool shows(const Pictures *pictures, uint32_t exhibit, double across, double up)
{
    int x, y;
    find_pixel(exhibit, across, up, &x, &y);
    assert_true(is_changed(pictures, &pictures->cubes, x, y)); // the cube is there
    return is_changed(pictures, &pictures->models, x, y);
}

static const unsigned char *colour_at(const Picture *picture, uint32_t exhibit, double across,
                                      double up)
{
    int x, y;
    find_pixel(exhibit, across, up, &x, &y);
    return picture->rgb[y][x];
}

// ---- claims -------------------------------------------------------------------------------------

static void check_shapes(const Pictures *pictures)
{
    assert_true(shows(pictures, SLAB, 0.5, 0.25));
    assert_false(shows(pictures, SLAB, 0.5, 0.8));
    assert_false(shows(pictures, CEILING_SLAB, 0.5, 0.2));
    assert_true(shows(pictures, CEILING_SLAB, 0.5, 0.75));
    // The high half of a stair is towards +x; two turns later, towards -x.
    assert_true(shows(pictures, STAIRS, 0.25, 0.25) && shows(pictures, STAIRS, 0.75, 0.75));
    assert_false(shows(pictures, STAIRS, 0.2, 0.8));
    assert_true(shows(pictures, BACK_STAIRS, 0.25, 0.75));
    assert_false(shows(pictures, BACK_STAIRS, 0.85, 0.8));
    // Fences reach for each other. They stand behind the front of their voxels, and look shifted
    // towards the middle of the picture.
    assert_true(shows(pictures, FENCE, 0.4, 0.5) && shows(pictures, FENCE, 0.1, 0.6));
    assert_true(shows(pictures, FENCE_LEFT, 0.9, 0.6));
    assert_true(shows(pictures, LONE_FENCE, 0.5, 0.5));
    assert_false(shows(pictures, LONE_FENCE, 0.1, 0.6) || shows(pictures, LONE_FENCE, 0.9, 0.6));
}

static void models_have_the_silhouettes_of_their_boxes(void **state)
{
    (void)state;
    static Pictures pictures;
    for (int quality = 0; quality < LOOK_QUALITY_COUNT; quality++) {
        Look look = look_default((LookQuality)quality);
        look.samples = 1;
        look.on[LOOK_CLOUDS] = false;
        draw_row(&look, &pictures);
        write_picture(&pictures.models, "models");
        check_shapes(&pictures);
    }
}

static void a_model_has_the_colour_of_its_material_and_a_box_its_own(void **state)
{
    (void)state;
    static Pictures pictures;
    static Picture torch;
    Look look = look_default(LOOK_QUALITY_LOW);
    look.samples = 1;
    for (int textures = 0; textures < 2; textures++) {
        look.on[LOOK_TEXTURES] = textures;
        draw_row(&look, &pictures);
        const unsigned char *slab = colour_at(&pictures.models, SLAB, 0.5, 0.3);
        const unsigned char *cube = colour_at(&pictures.cubes, SLAB, 0.5, 0.3);
        assert_true(difference(slab, cube) < 60);
        assert_true(slab[0] > slab[2] + 20); // sandstone is yellow
        draw_block_scene(torch_block, &look, FRONT, ROW_VIEW, &torch);
        const unsigned char *wood = torch.rgb[HEIGHT / 2 + 5][WIDTH / 2];
        const unsigned char *flame = torch.rgb[HEIGHT / 2 - 2][WIDTH / 2];
        assert_true(flame[0] > wood[0] + 30 && flame[1] > wood[1] + 30);
        assert_true(flame[0] > flame[2] + 20 && wood[0] > wood[2] + 20);
    }
}

static void panes_have_holes(void **state)
{
    (void)state;
    static Pictures pictures;
    Look look = look_default(LOOK_QUALITY_LOW);
    look.samples = 1;
    draw_row(&look, &pictures);
    assert_true(look.on[LOOK_TEXTURES]);
    int covered = 0, pixels = 0;
    for (int i = 0; i < 14 * 14; i++) {
        const int column = i % 14, row = i / 14;
        covered += shows(&pictures, PANE, 0.1 + column * 0.06, 0.1 + row * 0.06);
        pixels++;
    }
    assert_true(covered > pixels / 40 && covered < pixels / 2);
}

static void models_take_memory_only_while_they_are_shown(void **state)
{
    (void)state;
    Scene scene = make_scene(empty_block);
    TrnChunk *chunk = trn_store_find(scene.store, (TrnCoord){0, 0, 0});
    assert_int_equal(chunk_view(chunk)->model_run.pages, 0);
    const uint32_t without = renderer_stats(scene.renderer).card.quads;
    const TrnVoxel at = {20, GROUND, 20};
    assert_int_equal(trn_store_set_block(scene.store, at, TRN_BLOCK_STONE_SLAB, NULL),
                     TRN_RESULT_OK);
    show_chunk(&scene, chunk);
    assert_int_equal(chunk_view(chunk)->model_count, 5); // the ground covers the sixth
    assert_int_equal(renderer_stats(scene.renderer).card.quads, without + 5 * MODEL_FACE_QUADS);
    assert_int_equal(trn_store_set_block(scene.store, at, TRN_BLOCK_AIR, NULL), TRN_RESULT_OK);
    show_chunk(&scene, chunk);
    assert_int_equal(renderer_stats(scene.renderer).card.quads, without);
    renderer_hide(scene.renderer, chunk);
    assert_int_equal(renderer_stats(scene.renderer).card.quads, 0);
    free_scene(&scene);
}

// ---- a house ------------------------------------------------------------------------------------

#define HOUSE_LEFT 9u
#define HOUSE_RIGHT 21u
#define HOUSE_BACK 8u
#define HOUSE_FRONT 18u
#define HOUSE_MIDDLE ((HOUSE_BACK + HOUSE_FRONT) / 2)
#define HOUSE_EAVES 8u

static TrnBlock roof_block(uint32_t x, uint32_t y, uint32_t z)
{
    const bool rises = z <= HOUSE_MIDDLE;
    const uint32_t from_edge = rises ? z + 1 - HOUSE_BACK : HOUSE_FRONT + 1 - z;
    if (y != HOUSE_EAVES + from_edge) {
        const bool gable = x == HOUSE_LEFT || x == HOUSE_RIGHT;
        return gable && y < HOUSE_EAVES + from_edge ? TRN_BLOCK_OAK_PLANKS : TRN_BLOCK_AIR;
    }
    return z == HOUSE_MIDDLE ? TRN_BLOCK_STONE_SLAB + 2 * 8
                             : (TrnBlock)(TRN_BLOCK_STONE_STAIRS + 2 * 8 + (rises ? 1 : 3));
}

static TrnBlock front_block(uint32_t x, uint32_t y)
{
    if (x == 15 && y <= 5) {
        return TRN_BLOCK_OAK_DOOR + 11; // of pine, at the side towards +z
    }
    const bool is_window = y >= 5 && y <= 6 && ((x >= 11 && x <= 13) || (x >= 17 && x <= 19));
    return is_window ? TRN_BLOCK_GLASS_PANE : TRN_BLOCK_OAK_PLANKS;
}

static TrnBlock garden_block(uint32_t x, uint32_t z)
{
    if (z == 24 && (x < 14 || x > 16)) {
        return TRN_BLOCK_OAK_FENCE;
    }
    return x == 17 && z == 21                        ? TRN_BLOCK_STANDING_LANTERN
           : x == 12 && z == 21                      ? TRN_BLOCK_TORCH
           : x >= 14 && x <= 16 && z > 18 && z <= 27 ? TRN_BLOCK_STONE_SLAB + 4 * 8
                                                     : TRN_BLOCK_AIR;
}

static TrnBlock house_block(uint32_t x, uint32_t y, uint32_t z)
{
    const bool is_house =
        x >= HOUSE_LEFT && x <= HOUSE_RIGHT && z >= HOUSE_BACK && z <= HOUSE_FRONT;
    if (y < 4) {
        return y < 3 ? TRN_BLOCK_STONE : TRN_BLOCK_GRASS;
    }
    if (!is_house) {
        return y == 4 ? garden_block(x, z) : TRN_BLOCK_AIR;
    }
    if (y > HOUSE_EAVES) {
        return roof_block(x, y, z);
    }
    const bool is_wall = x == HOUSE_LEFT || x == HOUSE_RIGHT || z == HOUSE_BACK;
    return z == HOUSE_FRONT && x > HOUSE_LEFT && x < HOUSE_RIGHT ? front_block(x, y)
           : is_wall || z == HOUSE_FRONT                         ? TRN_BLOCK_OAK_PLANKS
                                                                 : TRN_BLOCK_AIR;
}

static void a_house_has_a_roof_of_stairs_at_noon_and_light_at_night(void **state)
{
    (void)state;
    static Picture noon, night;
    static const double pose[5] = {22, 9, 31, -22, -8};
    Look look = look_default(LOOK_QUALITY_MEDIUM);
    draw_block_scene(house_block, &look, pose, 0, &noon);
    write_picture(&noon, "house");
    look.hours = 22;
    draw_block_scene(house_block, &look, pose, 0, &night);
    write_picture(&night, "house_at_night");
    uint32_t dark = 0, lit = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const unsigned char *rgb = night.rgb[i / WIDTH][i % WIDTH];
        dark += rgb[0] + rgb[1] + rgb[2] < 60;
        lit += rgb[0] > 100 && rgb[0] > rgb[2] + 30; // warm
    }
    assert_true(dark > 1000 && lit > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_have_the_silhouettes_of_their_boxes),
        cmocka_unit_test(a_model_has_the_colour_of_its_material_and_a_box_its_own),
        cmocka_unit_test(panes_have_holes),
        cmocka_unit_test(models_take_memory_only_while_they_are_shown),
        cmocka_unit_test(a_house_has_a_roof_of_stairs_at_noon_and_light_at_night),
    };
    return cmocka_run_group_tests(tests, open_window, close_window);
}
