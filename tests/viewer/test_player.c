// The player: equal movement at every frame rate; everything it can do on foot, flying and in
// no-clip; settings and inputs out of range.

#include "player_steps.h"

/// A flat world of 4 x 3 x 4 chunks, and a player at a place.
static Player begin_flat(SmallWorld *world, double x, double y, double z)
{
    small_begin(world);
    small_flat(world, 2);
    return player_begin(NULL, position_at(x, y, z));
}

// ---- frames -------------------------------------------------------------------------------------

/// Adds humps of one block, to climb, jump on and fall from.
static void make_humps(SmallWorld *world)
{
    for (int64_t x = -60; x < 60; x += 4) {
        small_box(world, (const int64_t[3]){x, 0, -8}, (const int64_t[3]){x + 1, x % 3 == 0, 8},
                  TRN_BLOCK_STONE);
    }
    small_box(world, (const int64_t[3]){20, 0, -8}, (const int64_t[3]){30, 1, 8}, TRN_BLOCK_WATER);
}

#define RATE_STEPS 2400

/// Compares a run at some frame times with the movement of single steps.
static void run_frames(const SmallWorld *world, const TrnPosition *way, double (*frame)(void *),
                       void *user)
{
    const PlayerWish wish = {.forward = 1, .yaw = 80, .jump = true, .sprint = true};
    Player player = player_begin(NULL, position_at(-40, 3, 0.3));
    while (player.steps < RATE_STEPS - 40) {
        const uint64_t before = player.steps;
        const uint32_t taken = player_advance(&player, world->store, &wish, frame(user));
        assert_int_equal(player.steps, before + taken);
        assert_true(player.left >= 0 && player.left < PLAYER_STEP);
        if (taken) {
            assert_same_position(player.body.position, way[player.steps - 1]);
        }
    }
}

static double even_frame(void *user)
{
    return 1 / *(const double *)user;
}

static double odd_frame(void *user)
{
    return (double)test_random_range(user, 0, 60000) * 1e-6;
}

static void the_way_is_the_same_at_any_frame_rate(void **state)
{
    (void)state;
    SmallWorld world;
    static TrnPosition way[RATE_STEPS];
    const PlayerWish wish = {.forward = 1, .yaw = 80, .jump = true, .sprint = true};
    Player player = begin_flat(&world, -40, 3, 0.3);
    make_humps(&world);
    for (int i = 0; i < RATE_STEPS; i++) {
        player_step(&player, world.store, &wish);
        way[i] = player.body.position;
    }
    assert_true(feet(&player, 0) > 30); // over humps and through the water
    const double rates[] = {15, 30, 59.94, 60, 120, 144, 240, 1000};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        run_frames(&world, way, even_frame, (void *)&rates[i]);
    }
    TestRandom random = test_random_seeded(0xF4A3);
    run_frames(&world, way, odd_frame, &random);
    small_end(&world);
}

static void the_picture_moves_evenly_whatever_the_frames_are(void **state)
{
    (void)state;
    SmallWorld world;
    Player player = begin_flat(&world, -50, 0, 0.5);
    PlayerSettings settings = player_settings();
    settings.bob = 0;
    player_set(&player, &settings);
    steps(&player, &world, &EAST, 60); // up to speed
    TestRandom random = test_random_seeded(0xE7E2);
    Camera camera;
    player_camera(&player, 90, 0, &camera);
    for (int i = 0; i < 4000; i++) {
        const TrnPosition before = camera.position;
        const double seconds = (double)test_random_range(&random, 100, 20000) * 1e-6;
        player_advance(&player, world.store, &EAST, seconds);
        player_camera(&player, 90, 0, &camera);
        double by[3];
        trn_position_difference(camera.position, before, by);
        assert_true(fabs(by[0] - settings.walk_speed * seconds) < 1e-6);
        assert_true(fabs(by[1]) < 1e-9 && fabs(by[2]) < 1e-9);
        if (feet(&player, 0) > 50) {
            break;
        }
    }
    assert_true(feet(&player, 0) > 50);
    assert_true(camera.yaw == 90);
    small_end(&world);
}

static void a_press_between_two_steps_is_not_lost(void **state)
{
    (void)state;
    SmallWorld world;
    Player player = begin_flat(&world, 0, 0, 0);
    const PlayerWish jump = {.jump = true};
    steps(&player, &world, &NOTHING, 2);
    assert_true(player.body.on_ground);
    assert_int_equal(player_advance(&player, world.store, &jump, 0.001), 0);
    assert_int_equal(player_advance(&player, world.store, &NOTHING, 0.001), 0);
    assert_int_equal(player_advance(&player, world.store, &NOTHING, PLAYER_STEP), 1);
    assert_true(player.body.velocity[1] > 8);
    // It is one jump, not several.
    steps(&player, &world, &NOTHING, 240);
    assert_true(player.body.on_ground && feet(&player, 1) == 0);
    small_end(&world);
}

static void a_stall_takes_no_more_than_a_quarter_of_a_second(void **state)
{
    (void)state;
    SmallWorld world;
    Player player = begin_flat(&world, 0, 20, 0);
    const double stalls[] = {1e9, INFINITY, 3};
    for (int i = 0; i < 3; i++) {
        assert_in_range(player_advance(&player, world.store, &NOTHING, stalls[i]), 29, 31);
    }
    const double nothing[] = {NAN, -1, -INFINITY, 0};
    for (int i = 0; i < 4; i++) {
        player.left = 0;
        assert_int_equal(player_advance(&player, world.store, &NOTHING, nothing[i]), 0);
        assert_true(player.left == 0);
    }
    small_end(&world);
}

// ---- on foot ------------------------------------------------------------------------------------

static double speed_of(const SmallWorld *world, Player player, const PlayerWish *wish)
{
    steps(&player, world, wish, 60);
    const double from = feet(&player, 0);
    steps(&player, world, wish, 120);
    return feet(&player, 0) - from;
}

static void walking_sprinting_and_sneaking_have_their_speeds(void **state)
{
    (void)state;
    SmallWorld world;
    const Player player = begin_flat(&world, -50, 0, 0);
    PlayerWish wish = EAST;
    assert_true(fabs(speed_of(&world, player, &wish) - 4.3) < 1e-6);
    wish.sprint = true;
    assert_true(fabs(speed_of(&world, player, &wish) - 8.6) < 1e-6);
    wish.sneak = true; // sneaking is never a sprint
    assert_true(fabs(speed_of(&world, player, &wish) - 4.3 * 0.3) < 1e-6);
    // Diagonally, with another key held, it is no faster, and looking at the sky no slower.
    wish = (PlayerWish){.forward = 1, .right = 1, .yaw = 45, .pitch = 80};
    assert_true(fabs(speed_of(&world, player, &wish) - 4.3) < 1e-6);
    small_end(&world);
}

static void a_jump_is_as_high_as_it_is_set_and_comes_down(void **state)
{
    (void)state;
    SmallWorld world;
    const PlayerWish jump = {.jump = true};
    const double heights[] = {0, 0.5, 1.265625, 6};
    Player player = begin_flat(&world, 0, 0, 0);
    for (int i = 0; i < 4; i++) {
        PlayerSettings settings = player_settings();
        settings.jump_height = heights[i];
        player_set(&player, &settings);
        steps(&player, &world, &NOTHING, 2);
        player_step(&player, world.store, &jump);
        double highest = 0;
        for (int step = 0; step < 360; step++) {
            player_step(&player, world.store, &NOTHING);
            highest = fmax(highest, feet(&player, 1));
        }
        assert_true(fabs(highest - heights[i]) < 0.01);
        assert_true(feet(&player, 1) == 0 && player.body.on_ground);
    }
    small_end(&world);
}

static void steps_of_one_are_walked_up_with_eyes_that_follow_softly(void **state)
{
    (void)state;
    SmallWorld world;
    Player player = begin_flat(&world, -3, 0, 0.5);
    for (int64_t i = 0; i < 6; i++) {
        small_box(&world, (const int64_t[3]){2 * i, 0, -2}, (const int64_t[3]){20, i, 2},
                  TRN_BLOCK_STONE);
    }
    double before = eyes(&player);
    for (int i = 0; i < 480; i++) {
        player_step(&player, world.store, &EAST);
        const double now = eyes(&player);
        assert_true(now > before - 0.03 && now < before + 0.12); // a step of the feet is 1
        before = now;
    }
    assert_true(feet(&player, 1) == 6);
    assert_true(fabs(before - (6 + PLAYER_EYES)) < 0.1);

    // With a step height of 0 it is a wall, and takes a jump.
    PlayerSettings settings = player_settings();
    settings.step_height = 0;
    player = player_begin(&settings, position_at(-3, 0, 0.5));
    steps(&player, &world, &EAST, 240);
    assert_true(fabs(feet(&player, 0) + 0.3) < 1e-9 && feet(&player, 1) == 0);
    PlayerWish hop = EAST;
    hop.jump = true;
    steps(&player, &world, &hop, 120);
    assert_true(feet(&player, 1) >= 1);
    small_end(&world);
}

static void sneaking_never_goes_over_an_edge(void **state)
{
    (void)state;
    SmallWorld world;
    small_begin(&world);
    small_flat(&world, 2);
    small_box(&world, (const int64_t[3]){-3, 0, -3}, (const int64_t[3]){3, 0, 3}, TRN_BLOCK_STONE);
    TestRandom random = test_random_seeded(0x53EA);
    for (int i = 0; i < 40; i++) {
        Player player = player_begin(NULL, position_at(0.5, 1, 0.5));
        PlayerWish wish = {.forward = 1, .sneak = true};
        wish.yaw = (double)test_random_range(&random, 0, 359);
        for (int step = 0; step < 900; step++) {
            wish.yaw += (double)test_random_range(&random, -4, 4);
            player_step(&player, world.store, &wish);
            assert_true(feet(&player, 1) == 1 && player.body.on_ground);
        }
        assert_true(fabs(eyes(&player) - (1 + PLAYER_EYES_SNEAKING)) < 0.06);
        wish.sneak = false; // upright, it walks down
        steps(&player, &world, &wish, 360);
        assert_true(feet(&player, 1) == 0);
        assert_true(fabs(eyes(&player) - PLAYER_EYES) < 0.06);
    }
    small_end(&world);
}

static void the_head_bobs_with_the_way_and_not_where_that_is_off(void **state)
{
    (void)state;
    SmallWorld world;
    Player player = begin_flat(&world, -50, 0, 0);
    double low = 9, high = 0;
    for (int i = 0; i < 480; i++) {
        player_step(&player, world.store, &EAST);
        low = fmin(low, eyes(&player));
        high = fmax(high, eyes(&player));
    }
    assert_true(high <= PLAYER_EYES + 1e-6 && low < PLAYER_EYES - 0.04 && low > PLAYER_EYES - 0.06);
    steps(&player, &world, &NOTHING, 240); // standing, the head comes to rest
    assert_true(fabs(eyes(&player) - PLAYER_EYES) < 1e-4);
    PlayerSettings settings = player_settings();
    settings.bob = 0;
    player_set(&player, &settings);
    for (int i = 0; i < 240; i++) {
        player_step(&player, world.store, &EAST);
        assert_true(fabs(eyes(&player) - PLAYER_EYES) < 1e-6);
    }
    small_end(&world);
}

static void a_player_swims_dives_and_gets_ashore(void **state)
{
    (void)state;
    SmallWorld world;
    Player player = begin_flat(&world, 0, 0, 0.5);
    // A basin 6 deep, its surface one below a shore at x 12.
    small_box(&world, (const int64_t[3]){-20, -7, -10}, (const int64_t[3]){11, -1, 10},
              TRN_BLOCK_WATER);
    steps(&player, &world, &NOTHING, 600);
    assert_true(player.body.in_liquid && !player.body.under_liquid);
    assert_true(fabs(feet(&player, 1) + 0.125 + 0.8 * 1.8) < 0.05); // floats with a fifth out

    const PlayerWish dive = {.sneak = true};
    steps(&player, &world, &dive, 120);
    assert_true(player.body.under_liquid && feet(&player, 1) < -3);
    // Under water the player swims in the direction of view, here up.
    const PlayerWish ahead = {.forward = 1, .yaw = 90, .pitch = 30};
    const double x = feet(&player, 0), y = feet(&player, 1);
    steps(&player, &world, &ahead, 180);
    assert_true(feet(&player, 0) - x > 2 && feet(&player, 1) - y > 1);

    PlayerWish ashore = EAST;
    ashore.jump = true;
    for (int i = 0; i < 1800 && !player.body.on_ground; i++) {
        player_step(&player, world.store, &ashore);
    }
    assert_true(player.body.on_ground && feet(&player, 0) > 11.6 && feet(&player, 1) == 0);
    small_end(&world);
}

static void a_player_climbs_where_blocks_are_climbable(void **state)
{
    (void)state;
    SmallWorld world;
    Player player = begin_flat(&world, -1.5, 0, 0.5);
    small_box(&world, (const int64_t[3]){1, 0, 0}, (const int64_t[3]){3, 7, 0}, TRN_BLOCK_STONE);
    small_box(&world, (const int64_t[3]){0, 0, 0}, (const int64_t[3]){0, 7, 0}, world.ladder);
    steps(&player, &world, &EAST, 240); // against the wall behind it
    assert_true(player.body.on_ladder && feet(&player, 1) > 2);
    const double up = feet(&player, 1);
    steps(&player, &world, &NOTHING, 60);
    assert_true(feet(&player, 1) == up); // ladders hold
    PlayerWish down = EAST;
    down.pitch = -60;
    steps(&player, &world, &down, 30);
    assert_true(feet(&player, 1) < up - 0.4 && feet(&player, 1) > up - 0.8);
    down.sneak = true;
    const double there = feet(&player, 1);
    steps(&player, &world, &down, 60);
    assert_true(feet(&player, 1) == there); // holds on
    for (int i = 0; i < 900 && feet(&player, 0) < 1.5; i++) {
        player_step(&player, world.store, &EAST);
    }
    assert_true(feet(&player, 0) >= 1.5 && feet(&player, 1) >= 8); // over the top
    small_end(&world);
}

static void gravity_waits_for_chunks_and_turns_back_from_them(void **state)
{
    (void)state;
    SmallWorld world;
    small_begin(&world);
    small_fill(&world, (TrnCoord){0, 1, 0}, TRN_BLOCK_AIR);
    Player player = player_begin(NULL, position_at(16, 50, 16));
    steps(&player, &world, &NOTHING, 600);
    assert_true(feet(&player, 1) == 32 && player_waits(&player)); // on what is not there
    steps(&player, &world, &EAST, 1200);
    assert_true(feet(&player, 0) == 16 && feet(&player, 1) == 32 && player_waits(&player));
    small_fill(&world, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR);
    small_fill(&world, (TrnCoord){0, -1, 0}, TRN_BLOCK_STONE);
    steps(&player, &world, &EAST, 1200);
    assert_true(fabs(feet(&player, 0) - 31.7) < 1e-9 && player_waits(&player));
    const PlayerWish back = {.forward = -1, .yaw = 90};
    steps(&player, &world, &back, 240);
    assert_true(feet(&player, 0) < 28);
    steps(&player, &world, &NOTHING, 600);
    assert_true(feet(&player, 1) == 0 && player.body.on_ground && !player_waits(&player));
    small_end(&world);
}

// ---- flying -------------------------------------------------------------------------------------

static void flight_has_no_gravity_and_stops_at_blocks(void **state)
{
    (void)state;
    SmallWorld world;
    Player player = begin_flat(&world, 0, 10, 0.5);
    small_box(&world, (const int64_t[3]){20, 0, -2}, (const int64_t[3]){20, 20, 2},
              TRN_BLOCK_STONE);
    player_set_mode(&player, PLAYER_MODE_FLY);
    steps(&player, &world, &NOTHING, 240);
    assert_true(feet(&player, 1) == 10);
    steps(&player, &world, &EAST, 480);
    assert_true(fabs(feet(&player, 0) - 19.7) < 1e-9 && player.body.velocity[0] == 0);
    const PlayerWish down = {.sneak = true};
    steps(&player, &world, &down, 240);
    assert_true(feet(&player, 1) == 0 && player.body.on_ground);
    const PlayerWish up = {.jump = true};
    steps(&player, &world, &up, 60);
    assert_true(feet(&player, 1) > 5);
    small_end(&world);
}

static void flight_is_level_or_follows_the_look(void **state)
{
    (void)state;
    SmallWorld world;
    small_begin(&world); // nothing is there: nothing stops it
    Player player = player_begin(NULL, position_at(0, 0, 0));
    player_set_mode(&player, PLAYER_MODE_FLY);
    const PlayerWish climb = {.forward = 1, .yaw = 90, .pitch = 30};
    steps(&player, &world, &climb, 240);
    assert_true(feet(&player, 1) == 0 && feet(&player, 0) > 40); // level, at full speed
    PlayerSettings settings = player_settings();
    settings.fly_along_view = true;
    player_set(&player, &settings);
    steps(&player, &world, &climb, 240);
    const double x = feet(&player, 0), y = feet(&player, 1);
    steps(&player, &world, &climb, 120);
    assert_true(fabs(feet(&player, 0) - x - 24 * cos(acos(-1) / 6)) < 1e-3);
    assert_true(fabs(feet(&player, 1) - y - 12) < 1e-3);
    assert_false(player_waits(&player));
    PlayerWish sprint = EAST;
    sprint.sprint = true;
    settings.fly_speed = 1000;
    player_set(&player, &settings);
    steps(&player, &world, &sprint, 360);
    assert_true(fabs(player.body.velocity[0] - 4000) < 1e-3);
    small_end(&world);
}

static void flight_in_rock_goes_on_until_it_is_out_and_not_in_again(void **state)
{
    (void)state;
    SmallWorld world;
    Player player = begin_flat(&world, 0.5, -12, 0.5);
    player_set_mode(&player, PLAYER_MODE_FLY);
    assert_true(player_is_stuck(&player, world.store));
    const PlayerWish up = {.jump = true}, down = {.sneak = true};
    steps(&player, &world, &up, 120);
    assert_true(feet(&player, 1) > 0 && !player_is_stuck(&player, world.store));
    steps(&player, &world, &down, 480);
    assert_true(feet(&player, 1) == 0);
    small_end(&world);
}

static void passing_through_everything_stops_nowhere(void **state)
{
    (void)state;
    SmallWorld world;
    Player player = begin_flat(&world, 0.5, 12, 0.5);
    player_set_mode(&player, PLAYER_MODE_NO_CLIP);
    const PlayerWish down = {.up = -1, .sprint = true};
    steps(&player, &world, &down, 240);
    assert_true(feet(&player, 1) < -100); // through the ground, and out of what is there
    small_end(&world);
}

static void a_change_of_mode_leaves_the_place_and_takes_the_speed(void **state)
{
    (void)state;
    SmallWorld world;
    Player player = begin_flat(&world, 0, 20, 0);
    player_set_mode(&player, PLAYER_MODE_FLY);
    steps(&player, &world, &EAST, 60);
    const TrnPosition there = player.body.position;
    player_set_mode(&player, (PlayerMode)17);
    assert_int_equal(player.mode, PLAYER_MODE_FLY);
    player_set_mode(&player, PLAYER_MODE_FOOT);
    assert_same_position(player.body.position, there);
    assert_true(player.body.velocity[0] == 0);
    for (int mode = -1; mode <= PLAYER_MODE_COUNT; mode++) {
        assert_true(strlen(player_mode_name((PlayerMode)mode)) > 3);
    }
    small_end(&world);
}

// ---- out of range -------------------------------------------------------------------------------

/// The place of a row's number among the player's.
static double *number_in(PlayerSettings *settings, const Setting *row)
{
    return (double *)(void *)((char *)settings + row->offset - offsetof(Settings, player));
}

static void settings_out_of_range_are_cut_and_named(void **state)
{
    (void)state;
    size_t count = 0;
    for (size_t r = 0; settings_row(r); r++) {
        const Setting *const row = settings_row(r);
        if (strcmp(row->section, "player") != 0 || row->kind != OPTION_NUMBER) {
            continue;
        }
        count++;
        const double low = row->low, high = row->high, usual = row->usual;
        const double tried[][2] = {{low, low},         {high, high},     {usual, usual},
                                   {-1e300, low},      {1e300, high},    {NAN, usual},
                                   {-INFINITY, low},   {INFINITY, high}, {low - 1e-3, low},
                                   {high + 1e-3, high}};
        assert_true(low <= usual && usual <= high);
        for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
            PlayerSettings settings = player_settings();
            Message what = {"untouched"};
            *number_in(&settings, row) = tried[i][0];
            assert_int_equal(player_settings_clamp(&settings, &what), i < 3);
            assert_true(*number_in(&settings, row) == tried[i][1]);
            const char *const begins = i < 3 ? "untouched" : row->name;
            assert_int_equal(strncmp(what.text, begins, strlen(begins)), 0);
            assert_true(player_settings_clamp(&settings, NULL)); // once is enough
        }
    }
    assert_int_equal(count, offsetof(PlayerSettings, fly_along_view) / sizeof(double));
}

static void settings_of_any_bits_make_a_player_that_moves_as_it_should(void **state)
{
    (void)state;
    SmallWorld world;
    small_begin(&world);
    small_flat(&world, 2);
    make_humps(&world);
    TestRandom random = test_random_seeded(0xB175);
    for (int i = 0; i < 300; i++) {
        PlayerSettings settings = {.fly_along_view = i % 2};
        for (size_t s = 0; s < offsetof(PlayerSettings, fly_along_view) / sizeof(double); s++) {
            const uint64_t bits = test_random_next(&random);
            double value;
            memcpy(&value, &bits, sizeof value);
            const double some = (double)test_random_range(&random, -10, 1200) / 8;
            ((double *)&settings)[s] = i & 1 ? value : some;
        }
        Player player = player_begin(&settings, position_at(-20, 2, 0.5));
        const PlayerWish wish = {.forward = 1, .yaw = 90, .jump = i % 3 == 0, .sprint = true};
        steps(&player, &world, &wish, 120);
        assert_int_equal(player.steps, 120);
        assert_false(player_is_stuck(&player, world.store));
        assert_true(feet(&player, 0) > -20 + 0.3); // bodies refused no number
    }
    small_end(&world);
}

static double wild_number(TestRandom *random)
{
    const double wild[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 0, 1, -1, 0.5, 1e-310, 400};
    return wild[test_random_next(random) % (sizeof wild / sizeof *wild)];
}

static void wild_wishes_never_leave_the_free_places_of_the_world(void **state)
{
    (void)state;
    SmallWorld world;
    Player player = begin_flat(&world, 0, 4, 0);
    make_humps(&world);
    TestRandom random = test_random_seeded(0x3177);
    const size_t allocations = world.memory.allocations;
    for (int i = 0; i < 30000; i++) {
        if (i % 500 == 0) {
            player_set_mode(&player, i / 500 % 2 ? PLAYER_MODE_FLY : PLAYER_MODE_FOOT);
        }
        if (i % 3000 == 0) {
            player_put(&player, position_at(0, 4, 0)); // flights leave what is there
        }
        const uint64_t roll = test_random_next(&random);
        const PlayerWish wish = {.right = wild_number(&random),
                                 .forward = wild_number(&random),
                                 .up = wild_number(&random),
                                 .yaw = wild_number(&random),
                                 .pitch = wild_number(&random),
                                 .jump = roll & 1,
                                 .sneak = roll & 2,
                                 .sprint = roll & 4};
        player_advance(&player, world.store, &wish, 0.004 * (double)(roll >> 8 & 7));
        assert_false(player_is_stuck(&player, world.store));
        Camera camera;
        player_camera(&player, wish.yaw, wish.pitch, &camera);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(camera.position.offset[axis] >= 0 && camera.position.offset[axis] < 32);
        }
        assert_true(isfinite(camera.yaw) && fabsf(camera.pitch) <= 90);
    }
    assert_int_equal(world.memory.allocations, allocations);
    small_end(&world);
}

static void places_of_any_offsets_are_taken(void **state)
{
    (void)state;
    SmallWorld world;
    Player player = begin_flat(&world, 0, 0, 0);
    TestRandom random = test_random_seeded(0x0FF5);
    for (int i = 0; i < 500; i++) {
        const TrnPosition place = {
            {0, 0, 0}, {wild_number(&random), wild_number(&random), wild_number(&random)}};
        player_put(&player, place);
        player_step(&player, world.store, &EAST);
        for (int axis = 0; axis < 3; axis++) {
            const double offset = player.body.position.offset[axis];
            assert_true(offset >= 0 && offset < 32);
        }
        player_find_place(world.store, place);
    }
    small_end(&world);
}

static void the_ends_of_the_world_stop_a_player_and_hold_a_flight(void **state)
{
    (void)state;
    SmallWorld world;
    small_begin(&world);
    const TrnCoord last = {INT32_MAX, 0, INT32_MAX}, under = {INT32_MAX, -1, INT32_MAX};
    small_fill(&world, last, TRN_BLOCK_AIR);
    small_fill(&world, under, TRN_BLOCK_STONE);
    const TrnPosition start = {last, {20, 0, 20}};
    Player player = player_begin(NULL, start);
    const PlayerWish out = {.forward = 1, .right = 1, .yaw = 90};
    for (int mode = PLAYER_MODE_FOOT; mode < PLAYER_MODE_COUNT; mode++) {
        player_set_mode(&player, (PlayerMode)mode);
        steps(&player, &world, &out, 1200);
        assert_int_equal(player.body.position.chunk.x, INT32_MAX);
        assert_int_equal(player.body.position.chunk.z, INT32_MAX);
        assert_true(player.body.position.offset[0] > 31);
        TrnVoxel min, max;
        player_ground(&player, &min, &max);
        assert_true(trn_voxel_in_world(min) && trn_voxel_in_world(max));
        Camera camera;
        player_camera(&player, 90, 0, &camera);
        assert_int_equal(camera.position.chunk.x, INT32_MAX);
    }
    small_end(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_way_is_the_same_at_any_frame_rate),
        cmocka_unit_test(the_picture_moves_evenly_whatever_the_frames_are),
        cmocka_unit_test(a_press_between_two_steps_is_not_lost),
        cmocka_unit_test(a_stall_takes_no_more_than_a_quarter_of_a_second),
        cmocka_unit_test(walking_sprinting_and_sneaking_have_their_speeds),
        cmocka_unit_test(a_jump_is_as_high_as_it_is_set_and_comes_down),
        cmocka_unit_test(steps_of_one_are_walked_up_with_eyes_that_follow_softly),
        cmocka_unit_test(sneaking_never_goes_over_an_edge),
        cmocka_unit_test(the_head_bobs_with_the_way_and_not_where_that_is_off),
        cmocka_unit_test(a_player_swims_dives_and_gets_ashore),
        cmocka_unit_test(a_player_climbs_where_blocks_are_climbable),
        cmocka_unit_test(gravity_waits_for_chunks_and_turns_back_from_them),
        cmocka_unit_test(flight_has_no_gravity_and_stops_at_blocks),
        cmocka_unit_test(flight_is_level_or_follows_the_look),
        cmocka_unit_test(flight_in_rock_goes_on_until_it_is_out_and_not_in_again),
        cmocka_unit_test(passing_through_everything_stops_nowhere),
        cmocka_unit_test(a_change_of_mode_leaves_the_place_and_takes_the_speed),
        cmocka_unit_test(settings_out_of_range_are_cut_and_named),
        cmocka_unit_test(settings_of_any_bits_make_a_player_that_moves_as_it_should),
        cmocka_unit_test(wild_wishes_never_leave_the_free_places_of_the_world),
        cmocka_unit_test(places_of_any_offsets_are_taken),
        cmocka_unit_test(the_ends_of_the_world_stop_a_player_and_hold_a_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
