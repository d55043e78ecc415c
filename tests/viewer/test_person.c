/// The player with a hand in a world that loads: the effect of held buttons, and of blocks that
/// appear around a body.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "unseen_world.h"

#include <player/person.h>

#define FRAME (1.0 / 60)

/// A player in flat land that is not loaded yet.
typedef struct Scene {
    World *world;
    Person person;
    Camera camera;
    int64_t ground; ///< its topmost voxel
} Scene;

/// @param above  height of the eyes above the ground, in voxels
static void begin_scene(Scene *scene, double above, double pitch, size_t edit_bytes)
{
    Message problem;
    WorldDef def = {.terrain = trn_terrain_def(),
                    .view_distance = 3,
                    .view_height = 3,
                    .workers = 0,
                    .edit_bytes = edit_bytes,
                    .sink = unseen_sink()};
    assert_int_equal(trn_terrain_shape_preset("flat", &def.terrain.shape), TRN_RESULT_OK);
    assert_true(world_create(&scene->world, &def, &problem));
    assert_int_equal(trn_terrain_height(world_terrain(scene->world), 6, 2, &scene->ground),
                     TRN_RESULT_OK);
    const double pose[5] = {6.5, (double)scene->ground + 1 + above, 2.5, 0, pitch};
    scene->camera = camera_at(pose);
    const PersonDef person = {
        .world = scene->world, .settings = player_settings(), .camera = &scene->camera};
    assert_true(person_create(&scene->person, &person, &problem));
}

static void end_scene(Scene *scene)
{
    person_free(&scene->person);
    world_destroy(scene->world);
}

/// Plays some frames with the same input; only the first has its presses.
/// @param news  receives the last message; empty: none
/// @return the number of messages
static uint32_t play(Scene *scene, Input input, uint32_t frames, Message *news)
{
    uint32_t told = 0;
    news->text[0] = 0;
    for (uint32_t i = 0; i < frames; i++) {
        Message moved, done;
        if (person_move(&scene->person, &input, FRAME, &scene->camera, &moved)) {
            *news = moved;
            told++;
        }
        if (person_act(&scene->person, &input, FRAME, &scene->camera, &done)) {
            *news = done;
            told++;
        }
        memset(input.presses, 0, sizeof input.presses);
        world_load_all(scene->world, &scene->camera);
    }
    return told;
}

static Input input_of(InputAction action)
{
    Input input = {0};
    input.strength[action] = 1;
    input.presses[action] = 1;
    return input;
}

static TrnBlock block_below(const Scene *scene, int64_t depth)
{
    TrnBlock block;
    assert_int_equal(trn_store_get_block(world_store(scene->world),
                                         (TrnVoxel){6, scene->ground - depth, 2}, &block),
                     TRN_RESULT_OK);
    return block;
}

// ---- what is held -------------------------------------------------------------------------------

static void a_held_button_goes_on_and_stops_when_let_go(void **state)
{
    (void)state;
    Scene scene;
    Message news;
    begin_scene(&scene, 4, -90, 0);
    world_load_all(scene.world, &scene.camera);
    play(&scene, input_of(INPUT_DIG), 30, &news); // half a second, flying: 0, 0.2, 0.4
    assert_int_equal(block_below(&scene, 0), TRN_BLOCK_AIR);
    assert_int_equal(block_below(&scene, 1), TRN_BLOCK_AIR);
    play(&scene, (Input){0}, 30, &news);
    assert_int_not_equal(block_below(&scene, 3), TRN_BLOCK_AIR);
    end_scene(&scene);
}

static void all_that_was_pressed_in_a_slow_frame_is_done(void **state)
{
    (void)state;
    Scene scene;
    Message news;
    begin_scene(&scene, 3, -90, 0);
    world_load_all(scene.world, &scene.camera);
    Input input = input_of(INPUT_DIG);
    input.presses[INPUT_DIG] = 3;
    play(&scene, input, 1, &news);
    assert_int_equal(block_below(&scene, 2), TRN_BLOCK_AIR);
    assert_int_not_equal(block_below(&scene, 3), TRN_BLOCK_AIR);
    input = input_of(INPUT_UNDO);
    play(&scene, input, 1, &news);
    assert_int_not_equal(block_below(&scene, 2), TRN_BLOCK_AIR); // each is a step of its own
    assert_int_equal(block_below(&scene, 1), TRN_BLOCK_AIR);
    end_scene(&scene);
}

static void a_button_still_down_does_not_go_on_with_the_act_of_another(void **state)
{
    (void)state;
    Scene scene;
    Message news;
    begin_scene(&scene, 4, -90, 0);
    world_load_all(scene.world, &scene.camera);
    play(&scene, input_of(INPUT_DIG), 3, &news);
    Input both = input_of(INPUT_BUILD);
    both.strength[INPUT_DIG] = 1;
    play(&scene, both, 3, &news); // fills what was dug
    assert_int_not_equal(block_below(&scene, 0), TRN_BLOCK_AIR);
    Input left = {0};
    left.strength[INPUT_DIG] = 1;
    play(&scene, left, 60, &news);
    assert_int_not_equal(block_below(&scene, 0), TRN_BLOCK_AIR); // nor is it dug again
    assert_int_equal(block_below(&scene, -1), TRN_BLOCK_AIR);    // nothing is built on top
    end_scene(&scene);
}

static void a_held_dig_that_memory_stops_says_so_once(void **state)
{
    (void)state;
    Scene scene;
    Message news;
    begin_scene(&scene, 4, -90, 1); // no chunk may be changed
    world_load_all(scene.world, &scene.camera);
    assert_int_equal(play(&scene, input_of(INPUT_DIG), 60, &news), 1);
    assert_non_null(strstr(news.text, "No more land"));
    assert_int_not_equal(block_below(&scene, 0), TRN_BLOCK_AIR);
    assert_int_equal(play(&scene, input_of(INPUT_DIG), 60, &news), 1); // each press says it
    end_scene(&scene);
}

static void a_box_that_is_done_says_so(void **state)
{
    (void)state;
    Scene scene;
    Message news;
    begin_scene(&scene, 4, -90, 0);
    world_load_all(scene.world, &scene.camera);
    hand_choose_tool(scene.person.hand, HAND_TOOL_BOX);
    play(&scene, input_of(INPUT_DIG), 2, &news);
    assert_non_null(strstr(news.text, "First corner"));
    assert_int_equal(play(&scene, input_of(INPUT_DIG), 2, &news), 1);
    assert_string_equal(news.text, "Box: 1 voxel changed.");
    end_scene(&scene);
}

// ---- what comes around a body -------------------------------------------------------------------

static void who_is_on_foot_where_rock_comes_is_brought_out_of_it(void **state)
{
    (void)state;
    Scene scene;
    Message news;
    begin_scene(&scene, -20, 0, 0);
    Input fly = input_of(INPUT_FLY); // before anything is there
    assert_true(person_move(&scene.person, &fly, FRAME, &scene.camera, &news));
    assert_true(person_waits(&scene.person));
    world_load_all(scene.world, &scene.camera);
    play(&scene, (Input){0}, 2, &news);
    assert_non_null(strstr(news.text, "There is no room"));
    assert_false(player_is_stuck(&scene.person.player, world_store(scene.world)));
    assert_int_equal(play(&scene, (Input){0}, 60, &news), 0); // and that was all
    assert_true(scene.person.player.body.on_ground);
    end_scene(&scene);
}

static void undo_around_a_falling_body_puts_it_on_top(void **state)
{
    (void)state;
    Scene scene;
    Message news;
    begin_scene(&scene, 4, -90, 0);
    world_load_all(scene.world, &scene.camera);
    play(&scene, input_of(INPUT_DIG), 60, &news); // as deep as one reaches
    play(&scene, input_of(INPUT_FLY), 1, &news);
    const TrnVoxel before = trn_position_voxel(scene.person.player.body.position);
    uint32_t frames = 0;
    while (trn_position_voxel(scene.person.player.body.position).y > scene.ground - 1) {
        assert_true(frames++ < 120);
        play(&scene, (Input){0}, 1, &news);
    }
    assert_true(scene.person.player.body.velocity[1] < -1);
    play(&scene, input_of(INPUT_UNDO), 2, &news);
    play(&scene, (Input){0}, 60, &news);
    const TrnVoxel after = trn_position_voxel(scene.person.player.body.position);
    assert_true(after.x == before.x && after.z == before.z && after.y == scene.ground + 1);
    assert_true(scene.person.player.body.on_ground);
    end_scene(&scene);
}

static void undo_and_redo_are_told(void **state)
{
    (void)state;
    Scene scene;
    Message news;
    begin_scene(&scene, 2, -90, 0);
    assert_int_equal(play(&scene, input_of(INPUT_UNDO), 1, &news), 1);
    assert_string_equal(news.text, "Nothing to undo.");
    (void)play(&scene, input_of(INPUT_DIG), 1, &news);
    (void)play(&scene, (Input){0}, 2, &news);
    (void)play(&scene, input_of(INPUT_DIG), 1, &news);
    (void)play(&scene, (Input){0}, 2, &news);
    assert_int_equal(play(&scene, input_of(INPUT_UNDO), 1, &news), 1);
    assert_string_equal(news.text, "Undid the last edit.");
    assert_int_equal(play(&scene, input_of(INPUT_REDO), 1, &news), 1);
    assert_string_equal(news.text, "Redid the last edit.");
    assert_int_equal(play(&scene, input_of(INPUT_REDO), 1, &news), 1);
    assert_string_equal(news.text, "Nothing to redo.");
    Input twice = input_of(INPUT_UNDO);
    twice.presses[INPUT_UNDO] = 3;
    assert_int_equal(play(&scene, twice, 1, &news), 1);
    assert_string_equal(news.text, "Undid the last 2 edits.");
    end_scene(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_button_goes_on_and_stops_when_let_go),
        cmocka_unit_test(all_that_was_pressed_in_a_slow_frame_is_done),
        cmocka_unit_test(a_button_still_down_does_not_go_on_with_the_act_of_another),
        cmocka_unit_test(a_held_dig_that_memory_stops_says_so_once),
        cmocka_unit_test(a_box_that_is_done_says_so),
        cmocka_unit_test(who_is_on_foot_where_rock_comes_is_brought_out_of_it),
        cmocka_unit_test(undo_around_a_falling_body_puts_it_on_top),
        cmocka_unit_test(undo_and_redo_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
