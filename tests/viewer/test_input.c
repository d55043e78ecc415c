/// Input of a frame from keys, mouse and gamepad; names of keys and actions; bindings.
#include "testing.h"

#include <math.h>

#include <nearest.h>
#include <window/input.h>

static Input take(InputState *state)
{
    const InputBindings bindings = input_bindings_default();
    const InputFeel feel = input_feel_default();
    return input_take(state, &bindings, &feel, 0.01);
}

// ---- names --------------------------------------------------------------------------------------

static void every_key_has_a_name_of_its_own(void **state)
{
    (void)state;
    int named = 0;
    for (int number = 1; number < INPUT_CODE_COUNT; number++) {
        const InputCode code = (InputCode)number;
        const char *name = input_code_name(code);
        if (name) {
            assert_int_equal(input_code_named(name), code);
            assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_"), strlen(name));
            assert_true(input_code_label(code, NULL).text[0] != '\0');
            named++;
        }
    }
    assert_true(named > 140);
    assert_null(input_code_name(INPUT_NONE));
    assert_null(input_code_name(INPUT_CODE_COUNT));
    assert_null(input_code_name(UINT16_MAX));
    assert_int_equal(input_code_named(""), INPUT_NONE);
    assert_int_equal(input_code_named("lefty"), INPUT_NONE);
}

static void keys_are_called_as_they_are_printed(void **state)
{
    (void)state;
    assert_string_equal(input_code_label(GLFW_KEY_W, NULL).text, "W");
    assert_string_equal(input_code_label(GLFW_KEY_W, "z").text, "Z"); // a French keyboard
    assert_string_equal(input_code_label(GLFW_KEY_LEFT_SHIFT, NULL).text, "Left Shift");
    assert_string_equal(input_code_label(GLFW_KEY_LEFT_BRACKET, NULL).text, "[");
    assert_string_equal(input_code_label(GLFW_KEY_8, "_").text, "_");
    assert_string_equal(input_code_label(GLFW_KEY_SEMICOLON, "\xC3\xB6").text, "\xC3\xB6");
    assert_string_equal(input_code_label(GLFW_KEY_KP_ADD, NULL).text, "Keypad +");
    assert_string_equal(input_code_label(GLFW_KEY_KP_DECIMAL, NULL).text, "Keypad .");
    assert_string_equal(input_code_label(GLFW_KEY_KP_ENTER, NULL).text, "Keypad Enter");
    assert_string_equal(input_code_label(GLFW_KEY_SPACE, NULL).text, "Space");
}

static void every_action_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        const InputActionInfo *info = input_action_info(action);
        assert_non_null(info->name);
        assert_int_equal(input_action_named(info->name), action);
        assert_string_equal(input_action_nearest(info->name), info->name);
        assert_true(info->group < INPUT_GROUP_COUNT);
        assert_non_null(input_group_title(info->group));
    }
    assert_non_null(input_action_info(0)->words);
    assert_int_equal(input_action_named("jump"), INPUT_ACTION_COUNT);
    assert_int_equal(INPUT_PALETTE_9 - INPUT_PALETTE_1, 8);
}

static void the_nearest_name_is_what_was_meant(void **state)
{
    (void)state;
    assert_int_equal(nearest_distance("kitten", "sitting"), 3);
    assert_int_equal(nearest_distance("", "abc"), 3);
    assert_int_equal(nearest_distance("abc", ""), 3);
    assert_int_equal(nearest_distance("same", "same"), 0);
    assert_string_equal(input_code_nearest("left_shfit"), "left_shift");
    assert_string_equal(input_code_nearest("mouse_rigth"), "mouse_right");
    assert_string_equal(input_action_nearest("full_sreen"), "full_screen");
    assert_non_null(input_code_nearest(""));
}

/// The edit distance by its definition, by trying everything.
static size_t slow_distance(const char *a, const char *b)
{
    if (!a[0] || !b[0]) {
        return strlen(a) + strlen(b);
    }
    const size_t replaced = slow_distance(a + 1, b + 1) + (a[0] != b[0]);
    const size_t left_out = slow_distance(a + 1, b) + 1, put_in = slow_distance(a, b + 1) + 1;
    const size_t moved = left_out < put_in ? left_out : put_in;
    const size_t least = replaced < moved ? replaced : moved;
    if (!a[1] || a[0] != b[1] || a[1] != b[0]) {
        return least;
    }
    const size_t swapped = slow_distance(a + 2, b + 2) + 1;
    return swapped < least ? swapped : least;
}

static void the_distance_is_that_of_its_definition(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(11);
    for (int i = 0; i < 300; i++) {
        char words[2][7] = {"", ""};
        for (int word = 0; word < 2; word++) {
            const int64_t length = test_random_range(&random, 0, 6);
            for (int64_t at = 0; at < length; at++) {
                words[word][at] = (char)test_random_range(&random, 'a', 'c');
            }
        }
        assert_int_equal(nearest_distance(words[0], words[1]), slow_distance(words[0], words[1]));
    }
}

// ---- bindings -----------------------------------------------------------------------------------

static void nothing_is_bound_twice_at_first(void **state)
{
    (void)state;
    const InputBindings bindings = input_bindings_default();
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        assert_true(bindings.codes[action][0] != INPUT_NONE);
        for (int i = 0; i < INPUT_CODES_MAX && bindings.codes[action][i]; i++) {
            assert_non_null(input_code_name(bindings.codes[action][i]));
            assert_int_equal(input_action_bound(&bindings, bindings.codes[action][i]), action);
        }
    }
}

/// Compared with a plain list of which action each key has.
static void bindings_are_what_was_bound(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(12);
    InputBindings bindings = {0};
    InputAction model[INPUT_CODE_COUNT];
    int counts[INPUT_ACTION_COUNT] = {0};
    for (int code = 0; code < INPUT_CODE_COUNT; code++) {
        model[code] = INPUT_ACTION_COUNT;
    }
    for (int i = 0; i < 5000; i++) {
        const InputCode code = (InputCode)test_random_range(&random, 0, 80);
        const InputAction action = (InputAction)test_random_range(&random, 0, 9);
        if (test_random_range(&random, 0, 1)) {
            const bool may =
                code && model[code] == INPUT_ACTION_COUNT && counts[action] < INPUT_CODES_MAX;
            assert_int_equal(input_bind(&bindings, action, code), may);
            model[code] = may ? action : model[code];
            counts[action] += may;
        } else {
            const bool was = model[code] != INPUT_ACTION_COUNT;
            assert_int_equal(input_unbind(&bindings, code), was);
            counts[was ? model[code] : 0] -= was;
            model[code] = INPUT_ACTION_COUNT;
        }
        const InputCode asked = (InputCode)test_random_range(&random, 1, 80);
        assert_int_equal(input_action_bound(&bindings, asked), model[asked]);
    }
}

static void the_help_is_made_of_what_is_bound(void **state)
{
    (void)state;
    InputBindings bindings = input_bindings_default();
    InputHelp rows[INPUT_ACTION_COUNT];
    (void)input_unbind(&bindings, GLFW_KEY_W);
    assert_true(input_bind(&bindings, INPUT_FORWARD, GLFW_KEY_KP_8));
    (void)input_unbind(&bindings, GLFW_KEY_N);
    const size_t count = input_help(&bindings, NULL, rows);
    assert_true(count > 20 && count < INPUT_ACTION_COUNT);
    assert_string_equal(rows[0].keys, "Pad Left Stick Up, Keypad 8");
    bool has_palette = false, has_nothing = false;
    for (size_t i = 0; i < count; i++) {
        assert_non_null(rows[i].words);
        assert_true(i == 0 || rows[i].group >= rows[i - 1].group);
        has_palette |= strcmp(rows[i].keys, "1, 2, 3, 4, 5, 6, 7, 8, 9") == 0;
        has_nothing |= rows[i].keys[0] == '\0';
    }
    assert_true(has_palette);
    assert_true(has_nothing); // no_clip
}

// ---- keys ---------------------------------------------------------------------------------------

static void a_tap_shorter_than_a_frame_counts_once(void **state)
{
    (void)state;
    InputState pressed = {0};
    input_press(&pressed, GLFW_KEY_SPACE, 1);
    input_release(&pressed, GLFW_KEY_SPACE);
    Input input = take(&pressed);
    assert_true(input_held(&input, INPUT_UP));
    assert_int_equal(input.presses[INPUT_UP], 1);
    assert_true(input.up == 1);
    input = take(&pressed);
    assert_false(input_held(&input, INPUT_UP));
    assert_false(input_pressed(&input, INPUT_UP));
    assert_true(input_is_idle(&input));
}

static void a_key_that_is_held_is_pressed_once(void **state)
{
    (void)state;
    InputState pressed = {0};
    input_press(&pressed, GLFW_KEY_T, 1);
    Input input = take(&pressed);
    assert_int_equal(input.presses[INPUT_TIME], 1);
    for (int i = 0; i < 3; i++) {
        input_press(&pressed, GLFW_KEY_T, 1); // as a gamepad says it every frame
        input = take(&pressed);
        assert_int_equal(input.presses[INPUT_TIME], 0);
        assert_true(input_held(&input, INPUT_TIME));
    }
    input_release(&pressed, GLFW_KEY_T);
    input = take(&pressed);
    assert_true(input_held(&input, INPUT_TIME)); // at the frame's beginning it was
    input = take(&pressed);
    assert_false(input_held(&input, INPUT_TIME));
}

static void an_action_is_held_while_one_of_its_keys_is(void **state)
{
    (void)state;
    InputState pressed = {0};
    input_press(&pressed, GLFW_KEY_EQUAL, 1);
    input_press(&pressed, GLFW_KEY_KP_ADD, 1);
    Input input = take(&pressed);
    assert_int_equal(input.presses[INPUT_FASTER], 2);
    input_release(&pressed, GLFW_KEY_EQUAL);
    input = take(&pressed);
    assert_true(input_held(&input, INPUT_FASTER));
    input_release(&pressed, GLFW_KEY_KP_ADD);
    (void)take(&pressed);
    input = take(&pressed);
    assert_false(input_held(&input, INPUT_FASTER));
}

static void opposite_keys_cancel(void **state)
{
    (void)state;
    InputState pressed = {0};
    input_press(&pressed, GLFW_KEY_W, 1);
    input_press(&pressed, GLFW_KEY_D, 1);
    Input input = take(&pressed);
    assert_true(input.forward == 1 && input.right == 1 && input.up == 0);
    input_press(&pressed, GLFW_KEY_S, 1);
    input_press(&pressed, GLFW_KEY_LEFT_CONTROL, 1);
    input = take(&pressed);
    assert_true(input.forward == 0 && input.right == 1 && input.up == -1);
    assert_false(input_is_idle(&input));
}

/// Random presses and releases, compared with a model that has only sets and counts.
static void keys_do_as_a_simple_model(void **state)
{
    (void)state;
    static const InputCode keys[] = {GLFW_KEY_W, GLFW_KEY_S,     GLFW_KEY_EQUAL, GLFW_KEY_KP_ADD,
                                     GLFW_KEY_F, GLFW_KEY_SPACE, INPUT_MOUSE,    GLFW_KEY_F12};
    enum { KEYS = sizeof keys / sizeof keys[0] };
    TestRandom random = test_random_seeded(13);
    const InputBindings bindings = input_bindings_default();
    InputState pressed = {0};
    bool down[KEYS] = {false};
    for (int frame = 0; frame < 2000; frame++) {
        bool held[INPUT_ACTION_COUNT] = {false};
        int presses[INPUT_ACTION_COUNT] = {0};
        for (int i = 0; i < KEYS; i++) {
            held[input_action_bound(&bindings, keys[i])] |= down[i];
        }
        for (int64_t n = test_random_range(&random, 0, 6); n > 0; n--) {
            const int i = (int)test_random_range(&random, 0, KEYS - 1);
            const InputAction action = input_action_bound(&bindings, keys[i]);
            if (test_random_range(&random, 0, 1)) {
                input_press(&pressed, keys[i], 1);
                held[action] = true;
                presses[action] += !down[i];
                down[i] = true;
            } else {
                input_release(&pressed, keys[i]);
                down[i] = false;
            }
        }
        if (test_random_range(&random, 0, 50) == 0) {
            input_release_all(&pressed);
            memset(down, 0, sizeof down);
            memset(held, 0, sizeof held);
            memset(presses, 0, sizeof presses);
        }
        const Input input = take(&pressed);
        for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
            assert_int_equal(input_held(&input, action), held[action]);
            assert_int_equal(input.presses[action], presses[action]);
        }
        assert_true(input.forward == (float)held[INPUT_FORWARD] - (float)held[INPUT_BACK]);
    }
}

static void numbers_that_nothing_has_are_ignored(void **state)
{
    (void)state;
    InputState pressed = {0};
    const InputState nothing = {0};
    input_press(&pressed, INPUT_NONE, 1);
    input_press(&pressed, INPUT_CODE_COUNT, 1);
    input_press(&pressed, UINT16_MAX, 1);
    input_release(&pressed, UINT16_MAX);
    input_press(&pressed, GLFW_KEY_W, NAN);
    input_press(&pressed, GLFW_KEY_W, -1);
    input_push_axis(&pressed, -1, 1);
    input_push_axis(&pressed, GLFW_GAMEPAD_AXIS_LAST + 1, 1);
    input_push_axis(&pressed, 0, NAN);
    input_turn_wheel(&pressed, NAN);
    input_turn_wheel(&pressed, INFINITY);
    input_move_mouse(&pressed, NAN, 0);
    input_move_mouse(&pressed, 0, INFINITY);
    assert_memory_equal(&pressed, &nothing, sizeof nothing);
    input_press(&pressed, GLFW_KEY_W, 1e9f);
    assert_true(take(&pressed).forward == 1);
}

// ---- wheel and mouse ----------------------------------------------------------------------------

static void parts_of_a_wheel_s_click_add_up(void **state)
{
    (void)state;
    InputState pressed = {0};
    int clicks = 0;
    for (int i = 0; i < 10; i++) {
        input_turn_wheel(&pressed, 0.25f);
        clicks += take(&pressed).presses[INPUT_PALETTE_PREVIOUS];
    }
    assert_int_equal(clicks, 2);
    input_turn_wheel(&pressed, -3.5f); // half a click was left over
    Input input = take(&pressed);
    assert_int_equal(input.presses[INPUT_PALETTE_NEXT], 3);
    assert_true(input_held(&input, INPUT_PALETTE_NEXT));
    input = take(&pressed);
    assert_true(input_is_idle(&input));
    input_turn_wheel(&pressed, 1e30f);
    assert_int_equal(take(&pressed).presses[INPUT_PALETTE_PREVIOUS], UINT8_MAX);
}

static void the_mouse_turns_by_pixels_and_a_stick_by_time(void **state)
{
    (void)state;
    const InputBindings bindings = input_bindings_default();
    InputFeel feel = {.degrees_per_pixel = 0.5f, .stick_degrees = 100};
    InputState pressed = {0};
    input_move_mouse(&pressed, 10, 0);
    input_move_mouse(&pressed, 10, -4);
    Input input = input_take(&pressed, &bindings, &feel, 0.25);
    assert_true(input.look_right == 10 && input.look_up == 2);
    input = input_take(&pressed, &bindings, &feel, 0.25);
    assert_true(input.look_right == 0 && input.look_up == 0);
    input_press(&pressed, GLFW_KEY_LEFT, 1);
    input_push_axis(&pressed, GLFW_GAMEPAD_AXIS_RIGHT_Y, -0.5f);
    input = input_take(&pressed, &bindings, &feel, 0.25);
    assert_true(input.look_right == -25 && input.look_up == 12.5f);
    feel.invert = true;
    input = input_take(&pressed, &bindings, &feel, 0.5);
    assert_true(input.look_right == -50 && input.look_up == -25);
    assert_false(input_is_idle(&input));
}

// ---- gamepad ------------------------------------------------------------------------------------

/// A gamepad at rest.
static GLFWgamepadstate rest(void)
{
    GLFWgamepadstate pad = {{0}, {0}};
    pad.axes[GLFW_GAMEPAD_AXIS_LEFT_TRIGGER] = pad.axes[GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER] = -1;
    return pad;
}

static void a_gamepad_walks_looks_and_digs(void **state)
{
    (void)state;
    InputState pressed = {0};
    GLFWgamepadstate pad = rest();
    gamepad_feed(&pressed, &pad, 0.2f);
    Input input = take(&pressed);
    assert_true(input_is_idle(&input));
    pad.axes[GLFW_GAMEPAD_AXIS_LEFT_Y] = -0.6f;
    pad.axes[GLFW_GAMEPAD_AXIS_RIGHT_X] = 1;
    pad.axes[GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER] = 1;
    pad.buttons[GLFW_GAMEPAD_BUTTON_A] = GLFW_PRESS;
    gamepad_feed(&pressed, &pad, 0.2f);
    input = take(&pressed);
    assert_true(fabsf(input.forward - 0.5f) < 1e-6f);
    assert_true(input.look_right > 0 && input.look_up == 0);
    assert_true(input_held(&input, INPUT_DIG) && input_pressed(&input, INPUT_DIG));
    assert_true(input.up == 1);
    pad = rest();
    gamepad_feed(&pressed, &pad, 0.2f);
    (void)take(&pressed);
    input = take(&pressed);
    assert_true(input_is_idle(&input));
}

static void a_gamepad_that_is_unplugged_lets_go(void **state)
{
    (void)state;
    InputState pressed = {0};
    GLFWgamepadstate pad = rest();
    pad.axes[GLFW_GAMEPAD_AXIS_LEFT_Y] = -1;
    pad.buttons[GLFW_GAMEPAD_BUTTON_B] = GLFW_PRESS;
    gamepad_feed(&pressed, &pad, 0.2f);
    input_press(&pressed, GLFW_KEY_D, 1);
    gamepad_feed(&pressed, NULL, 0.2f);
    const Input input = take(&pressed);
    assert_true(input.forward == 0 && input.up == 0);
    assert_true(input.right == 1); // the keyboard stays
}

static void a_trembling_trigger_is_one_press(void **state)
{
    (void)state;
    InputState pressed = {0};
    int presses = 0;
    const float pulls[] = {0.1f, 0.45f, 0.55f, 0.45f, 0.52f, 0.41f, 0.6f, 0.3f, 0.51f};
    for (size_t i = 0; i < sizeof pulls / sizeof pulls[0]; i++) {
        input_push_axis(&pressed, GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER, pulls[i]);
        presses += take(&pressed).presses[INPUT_DIG];
    }
    assert_int_equal(presses, 2);
}

static void a_stick_at_rest_rests_and_at_its_end_is_there(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(14);
    for (int i = 0; i < 5000; i++) {
        const float zone = (float)test_random_range(&random, 0, 90) / 100;
        const float was[2] = {(float)test_random_range(&random, -1000, 1000) / 1000,
                              (float)test_random_range(&random, -1000, 1000) / 1000};
        float stick[2] = {was[0], was[1]};
        gamepad_dead_zone(zone, stick);
        const float before = hypotf(was[0], was[1]), after = hypotf(stick[0], stick[1]);
        assert_true(before > zone ? after > 0 : after == 0);
        assert_true(after <= 1.00001f);
        assert_true(before < 1 || after > 0.99999f);
        assert_true(fabsf(was[0] * stick[1] - was[1] * stick[0]) < 1e-5f); // the same way
        assert_true(was[0] * stick[0] >= 0 && was[1] * stick[1] >= 0);
    }
    float broken[2] = {NAN, 1};
    gamepad_dead_zone(0.1f, broken);
    assert_true(broken[0] == 0 && broken[1] == 0);
}

// ---- pause --------------------------------------------------------------------------------------

static void in_a_pause_only_the_program_listens(void **state)
{
    (void)state;
    InputState pressed = {0};
    input_press(&pressed, GLFW_KEY_W, 1);
    input_press(&pressed, GLFW_KEY_F12, 1);
    input_press(&pressed, GLFW_KEY_T, 1);
    input_move_mouse(&pressed, 5, 5);
    const Input input = take(&pressed);
    const Input left = input_of_program(&input);
    assert_true(input_pressed(&left, INPUT_SCREENSHOT));
    assert_false(input_held(&left, INPUT_FORWARD));
    assert_false(input_pressed(&left, INPUT_TIME));
    assert_true(left.forward == 0 && left.look_right == 0 && left.look_up == 0);
}

static void a_rebound_key_is_taken_and_the_pause_keeps_one(void **state)
{
    (void)state;
    InputBindings bindings = input_bindings_default();
    const InputBindings before = bindings;
    InputAction loser;
    assert_true(input_rebind(&bindings, INPUT_FORWARD, GLFW_KEY_S, &loser));
    assert_int_equal(loser, INPUT_BACK);
    assert_int_equal(input_action_bound(&bindings, GLFW_KEY_S), INPUT_FORWARD);
    assert_int_equal(input_action_bound(&bindings, GLFW_KEY_W), INPUT_ACTION_COUNT);
    const InputCode stick = INPUT_AXIS_LOW(GLFW_GAMEPAD_AXIS_LEFT_Y); // other devices stay
    assert_int_equal(input_action_bound(&bindings, stick), INPUT_FORWARD);
    const InputBindings rebound = bindings;
    assert_false(input_rebind(&bindings, INPUT_FORWARD, GLFW_KEY_ESCAPE, &loser));
    assert_memory_equal(&bindings, &rebound, sizeof bindings);
    assert_true(input_rebind(&bindings, INPUT_PAUSE, GLFW_KEY_F7, &loser));
    assert_int_equal(loser, INPUT_ACTION_COUNT);
    assert_true(input_rebind(&bindings, INPUT_PAUSE, GLFW_KEY_F7, &loser)); // once more
    input_reset(&bindings, INPUT_FORWARD);
    input_reset(&bindings, INPUT_BACK);
    input_reset(&bindings, INPUT_PAUSE);
    assert_memory_equal(&bindings, &before, sizeof bindings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_has_a_name_of_its_own),
        cmocka_unit_test(keys_are_called_as_they_are_printed),
        cmocka_unit_test(every_action_has_a_name_of_its_own),
        cmocka_unit_test(the_nearest_name_is_what_was_meant),
        cmocka_unit_test(the_distance_is_that_of_its_definition),
        cmocka_unit_test(nothing_is_bound_twice_at_first),
        cmocka_unit_test(bindings_are_what_was_bound),
        cmocka_unit_test(the_help_is_made_of_what_is_bound),
        cmocka_unit_test(a_tap_shorter_than_a_frame_counts_once),
        cmocka_unit_test(a_key_that_is_held_is_pressed_once),
        cmocka_unit_test(an_action_is_held_while_one_of_its_keys_is),
        cmocka_unit_test(opposite_keys_cancel),
        cmocka_unit_test(keys_do_as_a_simple_model),
        cmocka_unit_test(numbers_that_nothing_has_are_ignored),
        cmocka_unit_test(parts_of_a_wheel_s_click_add_up),
        cmocka_unit_test(the_mouse_turns_by_pixels_and_a_stick_by_time),
        cmocka_unit_test(a_gamepad_walks_looks_and_digs),
        cmocka_unit_test(a_gamepad_that_is_unplugged_lets_go),
        cmocka_unit_test(a_trembling_trigger_is_one_press),
        cmocka_unit_test(a_stick_at_rest_rests_and_at_its_end_is_there),
        cmocka_unit_test(in_a_pause_only_the_program_listens),
        cmocka_unit_test(a_rebound_key_is_taken_and_the_pause_keeps_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
