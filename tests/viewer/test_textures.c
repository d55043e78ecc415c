/// Generated textures of blocks.
#include "testing.h"

#include <math.h>

#include <render/textures.h>

static TrnBlockTypes *types;

static int open_types(void **state)
{
    (void)state;
    return trn_block_types_create_builtin(NULL, &types) == TRN_RESULT_OK ? 0 : -1;
}

static int close_types(void **state)
{
    (void)state;
    trn_block_types_destroy(types);
    return 0;
}

static void mean_of(const Texture *texture, double mean[4])
{
    memset(mean, 0, 4 * sizeof *mean);
    for (int i = 0; i < TEXTURE_EDGE * TEXTURE_EDGE; i++) {
        const uint8_t *texel = texture->texel[i / TEXTURE_EDGE][i % TEXTURE_EDGE];
        for (int c = 0; c < 3; c++) {
            mean[c] += texel[3] ? texel[c] : 0;
        }
        mean[3] += texel[3] ? 1 : 0;
    }
    for (int c = 0; c < 3; c++) {
        mean[c] /= mean[3] > 0 ? mean[3] : 1;
    }
}

static void pictures_have_the_colour_of_their_block_and_are_not_plain(void **state)
{
    (void)state;
    static const TrnFace faces[] = {TRN_FACE_POS_Y, TRN_FACE_NEG_X, TRN_FACE_NEG_Y};
    uint32_t count;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    for (uint32_t i = TRN_BLOCK_STONE; i < count; i++) {
        for (uint32_t part = 0; part < TEXTURE_PARTS; part++) {
            Texture texture;
            double mean[4];
            texture_paint(&all[i], part, &texture);
            mean_of(&texture, mean);
            bool plain = true;
            for (int k = 1; k < TEXTURE_EDGE * TEXTURE_EDGE; k++) {
                plain &= memcmp(texture.texel[0][0], texture.texel[k / 16][k % 16], 4) == 0;
            }
            assert_false(plain);
            // The sides of turf, ores, flowers and lanterns have two colours.
            const bool mixed = strstr(all[i].name, "grass") || strstr(all[i].name, "moss") ||
                               strstr(all[i].name, "floor") || strstr(all[i].name, "_ore") ||
                               strstr(all[i].name, "flower") || strstr(all[i].name, "lantern");
            for (int c = 0; c < 3 && !mixed; c++) {
                if (fabs(mean[c] - all[i].colour[faces[part]][c]) > 14) {
                    fail_msg("%s, part %u, channel %d: %f for %d", all[i].name, part, c, mean[c],
                             all[i].colour[faces[part]][c]);
                }
            }
        }
    }
}

/// Counts the texels that cover less than others of their texture.
static int gaps_of(const Texture *texture)
{
    int gaps = 0;
    for (int i = 0; i < TEXTURE_EDGE * TEXTURE_EDGE; i++) {
        gaps += texture->texel[i / TEXTURE_EDGE][i % TEXTURE_EDGE][3] < 255;
    }
    return gaps;
}

static void plants_leaves_and_glass_alone_have_holes_and_plants_stand_on_the_ground(void **state)
{
    (void)state;
    uint32_t count;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    for (uint32_t i = TRN_BLOCK_STONE; i < count; i++) {
        Texture texture;
        double mean[4];
        texture_paint(&all[i], 1, &texture);
        mean_of(&texture, mean);
        // Leaves and glass have all texels, but one can see through some of them.
        const int gaps = gaps_of(&texture), texels = TEXTURE_EDGE * TEXTURE_EDGE;
        const bool is_clear = all[i].kind == TRN_BLOCK_KIND_TRANSPARENT ||
                              all[i].kind == TRN_BLOCK_KIND_CUTOUT ||
                              strstr(all[i].name, "glass_pane") || strstr(all[i].name, "_bars");
        if (strstr(all[i].name, "leaves") || is_clear) {
            assert_in_range(gaps, texels / 10, is_clear ? texels * 8 / 10 : texels / 2);
            continue;
        }
        if (all[i].kind != TRN_BLOCK_KIND_PLANT) {
            assert_int_equal(gaps, 0);
            continue;
        }
        assert_true(mean[3] > 20 && mean[3] < 200);
        int rooted = 0;
        for (int x = 0; x < TEXTURE_EDGE; x++) {
            rooted += texture.texel[0][x][3] > 0;
        }
        assert_true(rooted > 0);
    }
}

static void a_picture_is_the_same_every_time_and_another_for_another_name(void **state)
{
    (void)state;
    TrnBlockType one = trn_block_type_def("my:rock", TRN_BLOCK_KIND_OPAQUE);
    TrnBlockType other = trn_block_type_def("my:boulder", TRN_BLOCK_KIND_OPAQUE);
    Texture a, b, c;
    texture_paint(&one, 0, &a);
    texture_paint(&one, 0, &b);
    texture_paint(&other, 0, &c);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_not_equal(&a, &c, sizeof a);
}

/// The step between the last row and the first is hardly greater than those inside.
static void pictures_of_rock_repeat_without_a_seam(void **state)
{
    (void)state;
    static const TrnBlock rocks[] = {TRN_BLOCK_STONE, TRN_BLOCK_GRANITE, TRN_BLOCK_DIRT,
                                     TRN_BLOCK_SNOW, TRN_BLOCK_SAND};
    for (size_t i = 0; i < sizeof rocks / sizeof rocks[0]; i++) {
        Texture texture;
        texture_paint(trn_block_types_get(types, rocks[i]), 0, &texture);
        double step[TEXTURE_EDGE] = {0}, inside = 0;
        for (int x = 0; x < TEXTURE_EDGE; x++) {
            for (int y = 0; y < TEXTURE_EDGE; y++) {
                step[x] +=
                    abs(texture.texel[y][x][1] - texture.texel[y][(x + 1) % TEXTURE_EDGE][1]);
            }
            inside += x < TEXTURE_EDGE - 1 ? step[x] : 0;
        }
        assert_true(step[TEXTURE_EDGE - 1] < 2.2 * inside / (TEXTURE_EDGE - 1));
    }
}

static void halving_averages_light_and_leaves_out_holes(void **state)
{
    (void)state;
    const uint8_t fine[16][4] = {
        {255, 0, 0, 255},  {0, 0, 0, 255},    {9, 200, 9, 255}, {0, 0, 0, 0},
        {255, 0, 0, 255},  {0, 0, 0, 255},    {0, 0, 0, 0},     {0, 0, 0, 0},
        {50, 60, 70, 255}, {50, 60, 70, 255}, {0, 0, 0, 0},     {0, 0, 0, 0},
        {50, 60, 70, 255}, {50, 60, 70, 255}, {0, 0, 0, 0},     {0, 0, 0, 0}};
    uint8_t coarse[4][4];
    texture_halve(fine, 4, coarse);
    assert_in_range(coarse[0][0], 186, 189); // half the light of 255
    assert_int_equal(coarse[0][3], 255);
    assert_in_range(coarse[1][1], 197, 200); // not darkened by the holes next to it
    assert_in_range(coarse[1][3], 63, 65);
    assert_in_range(coarse[2][0], 49, 51);
    assert_in_range(coarse[2][2], 69, 71);
    assert_int_equal(coarse[3][3], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_have_the_colour_of_their_block_and_are_not_plain),
        cmocka_unit_test(plants_leaves_and_glass_alone_have_holes_and_plants_stand_on_the_ground),
        cmocka_unit_test(a_picture_is_the_same_every_time_and_another_for_another_name),
        cmocka_unit_test(pictures_of_rock_repeat_without_a_seam),
        cmocka_unit_test(halving_averages_light_and_leaves_out_holes),
    };
    return cmocka_run_group_tests(tests, open_types, close_types);
}
