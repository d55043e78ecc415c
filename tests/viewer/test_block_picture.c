// Pictures of blocks for the palette show the colour of every type.

#include "hand_land.h"

#include <render/block_picture.h>

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
        const bool is_clear = type->kind == TRN_BLOCK_KIND_TRANSPARENT ||
                              strstr(type->name, "glass_pane") || strstr(type->name, "_bars");
        assert_true(cover > (is_clear ? 0.15 : 0.4) && cover < 0.7);
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
    free_land(&land);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_show_the_colour_of_every_type_as_a_cube_or_a_plant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
