// Pictures of blocks for the palette show the colour of every type, and the boxes of models.

#include "hand_land.h"

#include <render/block_art.h>

// ---- pictures of blocks -------------------------------------------------------------------------

/// Returns how much of the square a picture covers, 0..1. @param mean  receives the mean colour of
/// that part
static double mean_colour(const BlockPicture *picture, double mean[3])
{
    double cover = 0;
    mean[0] = mean[1] = mean[2] = 0;
    for (uint32_t i = 0; i < BLOCK_PICTURE_EDGE * BLOCK_PICTURE_EDGE; i++) {
        const uint8_t *texel = picture->texel[i / BLOCK_PICTURE_EDGE][i % BLOCK_PICTURE_EDGE];
        for (int c = 0; c < 3; c++) {
            mean[c] += texel[c] * (texel[3] / 255.0);
        }
        cover += texel[3] / 255.0;
    }
    for (int c = 0; c < 3; c++) {
        mean[c] /= cover > 0 ? cover : 1;
    }
    return cover / (BLOCK_PICTURE_EDGE * BLOCK_PICTURE_EDGE);
}

/// Pictures of cubes alone: what the boxes of a model show depends on their sizes.
static void check_colour(const TrnBlockType *type, const double mean[3])
{
    for (int c = 0; c < 3; c++) { // the light on three faces is 0.79 on average
        const double own =
            (type->colour[TRN_FACE_POS_Y][c] + 0.78 * type->colour[TRN_FACE_NEG_X][c] +
             0.58 * type->colour[TRN_FACE_NEG_X][c]) /
            3;
        // Ores are painted as specks in stone, lanterns with a dark frame.
        if (!strstr(type->name, "_ore") && !strstr(type->name, "lantern") &&
            fabs(mean[c] - own) >= 12) {
            fail_msg("%s, channel %d: %f for %f", type->name, c, mean[c], own);
        }
    }
}

static void pictures_show_the_colour_of_every_type_as_a_cube_or_a_plant(void **state)
{
    (void)state;
    Land land;
    make_land(&land, flat_block);
    for (uint32_t i = 1; i < TRN_BLOCK_BUILTIN_COUNT + 3; i++) {
        const TrnBlockType *type = type_of(&land, (TrnBlock)i);
        BlockPicture picture, again;
        block_picture_paint(type, &picture);
        block_picture_paint(type, &again);
        assert_memory_equal(&picture, &again, sizeof picture);
        double mean[3];
        const double cover = mean_colour(&picture, mean);
        assert_int_equal(picture.texel[0][0][3], 0); // around a cube one sees through
        if (type->kind == TRN_BLOCK_KIND_PLANT) {
            assert_true(cover > 0.02 && cover < 0.6);
            continue;
        }
        const bool is_model = type->kind == TRN_BLOCK_KIND_MODEL;
        const bool is_clear = type->kind == TRN_BLOCK_KIND_TRANSPARENT;
        assert_true(cover > (is_model ? 0.05 : is_clear ? 0.15 : 0.4) && cover < 0.7);
        if (!is_model) {
            check_colour(type, mean);
        }
    }
    free_land(&land);
}

/// Returns how opaque a picture is at a place.
static int cover_at(const Land *land, TrnBlock block, int x, int y)
{
    BlockPicture picture;
    block_picture_paint(type_of(land, block), &picture);
    return picture.texel[y][x][3];
}

static void pictures_of_models_show_their_boxes(void **state)
{
    (void)state;
    Land land;
    double mean[3];
    BlockPicture cube, stairs, slab;
    make_land(&land, flat_block);
    block_picture_paint(type_of(&land, TRN_BLOCK_STONE), &cube);
    block_picture_paint(type_of(&land, TRN_BLOCK_STONE_STAIRS), &stairs);
    block_picture_paint(type_of(&land, TRN_BLOCK_STONE_SLAB), &slab);
    const double all = mean_colour(&cube, mean), part = mean_colour(&stairs, mean);
    assert_true(mean_colour(&slab, mean) < part && part < all);
    assert_int_equal(stairs.texel[14][6][3], 0); // above the lower step
    assert_int_equal(stairs.texel[26][6][3], 255);
    assert_int_equal(cube.texel[14][6][3], 255);
    // A fence has rails to both sides, with gaps above, below and between them.
    int gaps = 0, rails = 0;
    for (int y = 0; y < BLOCK_PICTURE_EDGE; y++) {
        const bool is_rail = cover_at(&land, TRN_BLOCK_OAK_FENCE, 12, y) == 255;
        gaps += rails > 0 && !is_rail && y < 40;
        rails += is_rail;
    }
    assert_true(rails > 8 && rails < 36 && gaps > 2);
    // The middle of a pane is clear, its frame is not.
    assert_in_range(cover_at(&land, TRN_BLOCK_GLASS_PANE, 20, 36), 1, 200);
    // A torch is enlarged: a narrow stick, higher than half of the picture.
    int high = 0, wide = 0;
    for (int i = 0; i < BLOCK_PICTURE_EDGE; i++) {
        high += cover_at(&land, TRN_BLOCK_TORCH, 24, i) > 128;
        wide += cover_at(&land, TRN_BLOCK_TORCH, i, 30) > 128;
    }
    assert_in_range(high, 28, 44);
    assert_in_range(wide, 6, 14);
    free_land(&land);
}

static void a_model_without_boxes_between_two_neighbours_is_a_cube(void **state)
{
    (void)state;
    BlockPicture picture;
    TrnBlockModel model = {.box_count = 1, .connects = 7};
    model.boxes[0] = (TrnBlockBox){.max = {16, 8, 16}, .unconnected = 1u << TRN_FACE_NEG_X};
    TrnBlockType type = trn_block_type_def("test:end", TRN_BLOCK_KIND_MODEL);
    type.model = &model;
    block_picture_paint(&type, &picture);
    assert_int_equal(picture.texel[24][24][3], 255);
    assert_int_equal(picture.texel[6][24][3], 255);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_show_the_colour_of_every_type_as_a_cube_or_a_plant),
        cmocka_unit_test(pictures_of_models_show_their_boxes),
        cmocka_unit_test(a_model_without_boxes_between_two_neighbours_is_a_cube),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
