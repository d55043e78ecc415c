// Random presses, undo and redo, against a plain array.

#include "hand_land.h"

// ---- random presses -----------------------------------------------------------------------------

/// The voxels that a press should change.
typedef struct Expected {
    HandAct act;
    TrnBlock block; ///< what is written
    TrnBlock looked_at;
    bool is_box;
    TrnVoxel from, to; ///< box
    double radius;     ///< ball around `to`
    HandBody body;
} Expected;

static bool expected_in(const Expected *e, int64_t x, int64_t y, int64_t z)
{
    const int64_t d[3] = {x - e->to.x, y - e->to.y, z - e->to.z};
    const int64_t at[3] = {x, y, z}, from[3] = {e->from.x, e->from.y, e->from.z},
                  to[3] = {e->to.x, e->to.y, e->to.z};
    if (!e->is_box) {
        return (double)(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) <= e->radius * e->radius;
    }
    for (int axis = 0; axis < 3; axis++) {
        const int64_t low = from[axis] < to[axis] ? from[axis] : to[axis];
        const int64_t high = from[axis] < to[axis] ? to[axis] : from[axis];
        // No farther from the first corner than the largest box.
        if (at[axis] < low || at[axis] > high || llabs(at[axis] - from[axis]) >= BRUSH_EDGE_MAX) {
            return false;
        }
    }
    return true;
}

static bool in_body(const HandBody *body, int64_t x, int64_t y, int64_t z)
{
    const int64_t at[3] = {x, y, z};
    const int32_t chunk[3] = {body->bottom.chunk.x, body->bottom.chunk.y, body->bottom.chunk.z};
    for (int axis = 0; axis < 3; axis++) {
        const double middle = 32.0 * chunk[axis] + body->bottom.offset[axis];
        const double low = axis == 1 ? middle : middle - body->size[axis] / 2;
        if (low >= (double)at[axis] + 1 || low + body->size[axis] <= (double)at[axis]) {
            return false;
        }
    }
    return true;
}

static bool expected_takes(const Land *land, const Expected *e, TrnBlock block)
{
    const TrnBlockKind kind = type_of(land, block)->kind;
    const bool yields = kind == TRN_BLOCK_KIND_AIR || kind == TRN_BLOCK_KIND_LIQUID;
    if (block == e->block) {
        return false;
    }
    return e->act == HAND_DIG     ? !yields
           : e->act == HAND_BUILD ? yields || kind == TRN_BLOCK_KIND_PLANT
                                  : block == e->looked_at;
}

/// Does in the array what the press should do. @return the number of changed voxels
static uint64_t expect(Land *land, const Expected *e)
{
    uint64_t changed = 0;
    const bool is_solid = type_of(land, e->block)->is_solid;
    static bool gone[VOXELS];
    memset(gone, 0, sizeof gone);
    for (size_t i = 0; i < VOXELS; i++) { // from below
        const int64_t x = LOW + (int64_t)(i % EDGE), z = LOW + (int64_t)(i / EDGE % EDGE),
                      y = LOW + (int64_t)(i / EDGE / EDGE);
        const TrnBlock block = land->blocks[i];
        const bool falls = e->act == HAND_DIG && i >= (size_t)EDGE * EDGE &&
                           gone[i - (size_t)EDGE * EDGE] &&
                           type_of(land, block)->kind == TRN_BLOCK_KIND_PLANT;
        const bool takes = expected_in(e, x, y, z) && expected_takes(land, e, block) &&
                           !(is_solid && in_body(&e->body, x, y, z));
        if (falls || takes) {
            gone[i] = true;
            land->blocks[i] = e->block;
            changed++;
        }
    }
    return changed;
}

/// Hills of several blocks, water in the valleys, plants and single blocks, and one chunk of over
/// 256 types.
static TrnBlock rough_block(int64_t x, int64_t y, int64_t z)
{
    TestRandom random = {(uint64_t)(x * 73856093 ^ y * 19349663 ^ z * 83492791)};
    const uint64_t any = test_random_next(&random);
    const int64_t top = (int64_t)(6 * sin((double)x * 0.11) * cos((double)z * 0.13));
    if (x >= 0 && x < 32 && z >= 0 && z < 32 && y < 0) {
        return (TrnBlock)(TRN_BLOCK_BUILTIN_COUNT + any % EXTRA_TYPES);
    }
    if (y <= top) {
        return y == top ? TRN_BLOCK_GRASS : any % 5 ? TRN_BLOCK_DIRT : TRN_BLOCK_STONE;
    }
    if (y <= 0) {
        return TRN_BLOCK_WATER;
    }
    return y <= top + 2 && any % 3 == 0 ? TRN_BLOCK_REEDS
           : any % 90 == 0              ? TRN_BLOCK_OAK_LEAVES
                                        : TRN_BLOCK_AIR;
}

#define STEPS 120
#define UNDO_MAX 16

static void check_dug(const Land *land, const TrnBlock *before, uint64_t changed)
{
    assert_int_equal(land->dug.voxels, changed);
    assert_true(land->dug.count <= BRUSH_BITS_MAX && land->dug.count > 0);
    for (uint32_t i = 0; i < land->dug.count; i++) {
        const BrushBit *bit = &land->dug.bits[i];
        const size_t at = place_of(bit->voxel.x, bit->voxel.y, bit->voxel.z);
        assert_int_equal(bit->block, before[at]);
        assert_int_not_equal(bit->block, land->blocks[at]);
    }
}

/// Looks in a random direction from a random place. @return whether a block is aimed at
static bool look_around(Land *land, TestRandom *random, Expected *e)
{
    const double eye[3] = {(double)test_random_range(random, -300, 600) / 10,
                           (double)test_random_range(random, 20, 300) / 10,
                           (double)test_random_range(random, -300, 600) / 10};
    HandLook look = {.eye = position_at(eye[0], eye[1], eye[2]), .reach = 90, .body_count = 1};
    for (int axis = 0; axis < 3; axis++) {
        look.direction[axis] = (double)test_random_range(random, -100, axis == 1 ? 10 : 100);
    }
    e->body = (HandBody){position_at(eye[0] + 1, eye[1] - 20, eye[2]), {4, 20, 4}};
    look.bodies = &e->body;
    hand_aim(land->hand, &look);
    return hand_aimed(land->hand).is_aimed;
}

/// Chooses a tool and presses, in the world and in the array. @return the number of changed voxels
static uint64_t press_somewhere(Land *land, TestRandom *random)
{
    Expected e = {0};
    Palette *palette = hand_palette(land->hand);
    hand_choose_tool(land->hand, (HandTool)test_random_range(random, 0, HAND_TOOL_COUNT - 1));
    hand_set_radius(land->hand, (double)test_random_range(random, 2, 18) / 2);
    palette_step(palette, (int32_t)test_random_range(random, -9, 9));
    e.act = (HandAct)test_random_range(random, 0, HAND_ACT_COUNT - 1);
    e.block = e.act == HAND_DIG ? TRN_BLOCK_AIR : palette_block(palette);
    if (hand_tool(land->hand) == HAND_TOOL_BOX) {
        if (!look_around(land, random, &e) || hand_press(land->hand, e.act) != HAND_CORNER) {
            return 0;
        }
        const HandAim corner = hand_aimed(land->hand);
        e.from = e.act == HAND_BUILD ? corner.place : corner.voxel;
        e.is_box = true;
    }
    if (!look_around(land, random, &e)) {
        assert_int_equal(hand_press(land->hand, e.act), HAND_NO_AIM);
        return 0;
    }
    const HandAim now = hand_aimed(land->hand);
    assert_int_equal(now.block, *model_at(land, now.voxel.x, now.voxel.y, now.voxel.z));
    if (e.act == HAND_BUILD && !now.has_place) {
        assert_int_not_equal(hand_press(land->hand, e.act), HAND_DONE);
        return 0;
    }
    e.to = e.act == HAND_BUILD ? now.place : now.voxel;
    e.radius = hand_tool(land->hand) == HAND_TOOL_BALL ? hand_radius(land->hand) : 0;
    e.looked_at = now.block;
    TrnBlock *before = malloc(VOXELS * sizeof *before);
    assert_non_null(before);
    memcpy(before, land->blocks, VOXELS * sizeof *before);
    const uint64_t changed = expect(land, &e);
    const uint32_t calls = land->dug_calls;
    const HandOutcome outcome = click(land, e.act);
    assert_int_equal(outcome == HAND_DONE, changed > 0);
    assert_int_equal(land->dug_calls - calls, changed > 0 && e.act != HAND_BUILD);
    if (land->dug_calls > calls) {
        assert_int_equal(land->dug_act, e.act);
        check_dug(land, before, changed);
    }
    free(before);
    return changed;
}

static void all_presses_undo_and_redo_do_what_a_plain_array_says(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(11);
    // Whole blocks: doors have two halves, and stairs are turned.
    static const TrnBlock bar[PALETTE_BAR] = {
        TRN_BLOCK_STONE, TRN_BLOCK_DIRT, TRN_BLOCK_OAK_PLANKS, TRN_BLOCK_OAK_LOG, TRN_BLOCK_GLASS,
        TRN_BLOCK_SNOW,  TRN_BLOCK_SAND, TRN_BLOCK_GRAVEL,     TRN_BLOCK_GRASS};
    Land land;
    make_land(&land, rough_block);
    assert_true(palette_set_bar(hand_palette(land.hand), bar, PALETTE_BAR));
    TrnBlock *steps[UNDO_MAX + 1]; // what was there after each step
    for (int i = 0; i <= UNDO_MAX; i++) {
        steps[i] = malloc(VOXELS * sizeof(TrnBlock));
        assert_non_null(steps[i]);
    }
    memcpy(steps[0], land.blocks, VOXELS * sizeof(TrnBlock));
    uint32_t done = 0, known = 0, presses = 0; // steps [0, known] are known, `done` are done
    for (int step = 0; step < STEPS; step++) {
        const int64_t kind = test_random_range(&random, 0, 5);
        if (kind == 0) {
            assert_int_equal(hand_undo(land.hand), done ? HAND_DONE : HAND_NOTHING_LEFT);
            done -= done > 0;
            memcpy(land.blocks, steps[done], VOXELS * sizeof(TrnBlock));
        } else if (kind == 1) {
            assert_int_equal(hand_redo(land.hand), done < known ? HAND_DONE : HAND_NOTHING_LEFT);
            done += done < known;
            memcpy(land.blocks, steps[done], VOXELS * sizeof(TrnBlock));
        } else if (done < UNDO_MAX && press_somewhere(&land, &random)) {
            known = ++done;
            presses++;
            memcpy(steps[done], land.blocks, VOXELS * sizeof(TrnBlock));
        }
        check_land(&land);
    }
    assert_true(presses > STEPS / 12);
    for (int i = 0; i <= UNDO_MAX; i++) {
        free(steps[i]);
    }
    free_land(&land);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_presses_undo_and_redo_do_what_a_plain_array_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
