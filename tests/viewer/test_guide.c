/// Guided walks: the text of a route, ways among cells against a flood of moves that are checked
/// one by one, and a guide that leads a player over steps, gaps and ladders, through doors, around
/// pits and water, and over generated land.
#include "testing.h"

#include <math.h>

#include <player/guide.h>

#include "small_world.h"

#define STEPS_OF_MINUTE (60 * 120)

// ---- routes -------------------------------------------------------------------------------------

static const char GOOD_ROUTE[] = "\xEF\xBB\xBFterrane-walk 1 # a comment\r\n"
                                 "from -120.5 40\r\n"
                                 "\r\n"
                                 "  to\t-80 36 # there\n"
                                 "wait 2.5\n"
                                 "to -60 70.9 12\n"
                                 "#to 1 2\n"
                                 "to 68719476735 -68719476736";

static void a_route_is_read_as_it_is_written(void **state)
{
    (void)state;
    Route route;
    Message problem;
    assert_true(route_parse(&route, "good", GOOD_ROUTE, sizeof GOOD_ROUTE - 1, &problem));
    assert_int_equal(route.count, 5);
    const RoutePoint *const p = route.points;
    assert_true(p[0].kind == ROUTE_FROM && p[0].voxel.x == -121 && p[0].voxel.z == 40);
    assert_true(p[1].kind == ROUTE_TO && p[1].voxel.x == -80 && p[1].voxel.z == 36);
    assert_false(p[1].has_height);
    assert_true(p[2].kind == ROUTE_WAIT && p[2].seconds == 2.5);
    assert_true(p[3].has_height && p[3].voxel.y == 70 && p[3].voxel.z == 12);
    assert_true(p[4].voxel.x == TRN_VOXEL_MAX && p[4].voxel.z == TRN_VOXEL_MIN);
    assert_ptr_equal(route_start(&route), &p[0]);
    route_free(&route);
    route_free(&route); // all zeroes then
}

static void bad_lines_of_a_route_are_named_by_line_and_column(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "test:1:1: "},
        {"terrane-flight 1\nto 1 2", "test:1:1: "},
        {"terrane-walk", "test:1:13: "},
        {"terrane-walk 2\nto 1 2", "test:1:14: "},
        {"terrane-walk 1 x", "test:1:14: "},
        {"terrane-walk 0", "test:1:14: "},
        {"terrane-walk 1\n", "test: "},
        {"terrane-walk 1\nwait 3\nfrom 1 2", "test:3:1: "},
        {"terrane-walk 1\nwait 3", "test: "},
        {"terrane-walk 1\n  go 1 2", "test:2:3: "},
        {"terrane-walk 1\ntom 1 2", "test:2:1: "},
        {"terrane-walk 1\nto 1", "test:2:4: "},
        {"terrane-walk 1\nto", "test:2:3: "},
        {"terrane-walk 1\nto 1 2 3 4", "test:2:4: "},
        {"terrane-walk 1\nto 1 2 3 4 5", "test:2:12: "},
        {"terrane-walk 1\nto 1 two", "test:2:6: "},
        {"terrane-walk 1\nto 1 2x", "test:2:6: "},
        {"terrane-walk 1\nto nan 2", "test:2:4: "},
        {"terrane-walk 1\nto 1 1e999", "test:2:6: "},
        {"terrane-walk 1\nto 1e12 2", "test:2:4: "},
        {"terrane-walk 1\nto 1 68719476736", "test:2:4: "},
        {"terrane-walk 1\nto 1 2\nfrom 1 2", "test:3:1: "},
        {"terrane-walk 1\nto 1 2\nwait", "test:3:5: "},
        {"terrane-walk 1\nto 1 2\nwait -1", "test:3:6: "},
        {"terrane-walk 1\nto 1 2\nwait 1 2", "test:3:6: "},
        {"terrane-walk 1\nto 1 2\nwait 3601", "test:3:6: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Route route;
        Message problem;
        assert_false(route_parse(&route, "test", cases[i][0], strlen(cases[i][0]), &problem));
        if (strncmp(problem.text, cases[i][1], strlen(cases[i][1])) != 0) {
            fail_msg("'%s' is told as '%s'", cases[i][0], problem.text);
        }
    }
    char line[400] = "terrane-walk 1\nto 1 2 ";
    memset(line + strlen(line), ' ', 300);
    Route route;
    Message problem;
    assert_false(route_parse(&route, "test", line, 320, &problem));
    assert_non_null(strstr(problem.text, "test:2:256: the line is longer"));
    static const char zero[] = "terrane-walk 1\nto 1\0 2";
    assert_false(route_parse(&route, "test", zero, sizeof zero - 1, &problem));
    assert_non_null(strstr(problem.text, "test:2:5: not a text"));
}

static void a_route_cut_anywhere_or_of_any_bytes_is_read_or_refused(void **state)
{
    (void)state;
    Route route;
    Message problem;
    for (size_t bytes = 0; bytes < sizeof GOOD_ROUTE; bytes++) {
        char *const cut = malloc(bytes + 1);
        memcpy(cut, GOOD_ROUTE, bytes);
        if (route_parse(&route, "cut", cut, bytes, &problem)) {
            assert_true(route.count > 0);
            route_free(&route);
        } else {
            assert_true(strlen(problem.text) > 10);
        }
        free(cut);
    }
    TestRandom random = test_random_seeded(0x40FE);
    static const char letters[] = "to from wait 1 2 3.5 -e9 \n\r\t#xn\0\xFF";
    for (int i = 0; i < 20000; i++) {
        char text[96] = "terrane-walk 1\n";
        for (size_t at = strlen(text); at < sizeof text; at++) {
            text[at] = letters[test_random_next(&random) % sizeof letters];
        }
        if (route_parse(&route, "random", text, sizeof text, &problem)) {
            route_free(&route);
        }
    }
    char *const large = calloc(1, ROUTE_BYTES_MAX + 1);
    assert_false(route_parse(&route, "large", large, ROUTE_BYTES_MAX + 1, &problem));
    free(large);
    assert_false(route_read(&route, "no/such.walk", &problem));
    assert_non_null(strstr(problem.text, "no/such.walk"));
    assert_false(route_read(&route, ".", &problem));
}

static void a_round_trip_comes_back_and_stays_in_the_world(void **state)
{
    (void)state;
    Route route;
    Message problem;
    const TrnVoxel corner = {TRN_VOXEL_MAX, 0, INT64_MIN};
    assert_true(route_around(&route, (TrnVoxel){100, 5, -100}, 50, &problem));
    assert_int_equal(route.count, 16);
    assert_true(route.points[0].voxel.x == 150 && route.points[8].voxel.x == 50);
    route_free(&route);
    assert_true(route_around(&route, corner, INT64_MAX, &problem));
    for (size_t i = 0; i < route.count; i++) {
        assert_true(trn_voxel_in_world(route.points[i].voxel));
    }
    route_free(&route);
}

// ---- ways ---------------------------------------------------------------------------------------

#define MAZE 14   // voxels along each side, and 10 high
#define MAZE_AT 1 // its least x and z in the world

typedef struct Maze {
    SmallWorld world;
    TrnBlock blocks[MAZE * MAZE * 10];
    bool reached[MAZE * MAZE * 10];
    int queue[MAZE * MAZE * 10];
} Maze;

static int maze_index(int x, int y, int z)
{
    return x + MAZE * (z + MAZE * y);
}

static TrnVoxel maze_voxel(const int cell[3])
{
    return (TrnVoxel){MAZE_AT + cell[0], cell[1], MAZE_AT + cell[2]};
}

static TrnBlock maze_block(const Maze *maze, int x, int y, int z)
{
    const bool is_in = x >= 0 && x < MAZE && y >= 0 && y < 10 && z >= 0 && z < MAZE;
    return (TrnBlock)(is_in    ? maze->blocks[maze_index(x, y, z)]
                      : y >= 0 ? TRN_BLOCK_AIR
                               : TRN_BLOCK_STONE);
}

static bool is_maze_solid(const Maze *maze, int x, int y, int z)
{
    return maze_block(maze, x, y, z) == TRN_BLOCK_STONE;
}

static bool is_maze_water(const Maze *maze, int x, int y, int z)
{
    return maze_block(maze, x, y, z) == TRN_BLOCK_WATER;
}

static bool is_maze_ladder(const Maze *maze, int x, int y, int z)
{
    return maze_block(maze, x, y, z) == maze->world.ladder;
}

/// Two voxels of room, and something that holds.
static bool is_maze_cell(const Maze *maze, int x, int y, int z)
{
    if (x < 0 || x >= MAZE || z < 0 || z >= MAZE || y < 0 || y > 8 ||
        is_maze_solid(maze, x, y, z) || is_maze_solid(maze, x, y + 1, z)) {
        return false;
    }
    if (is_maze_ladder(maze, x, y, z)) {
        return true;
    }
    return !is_maze_water(maze, x, y + 1, z) &&
           (is_maze_water(maze, x, y, z) || is_maze_solid(maze, x, y - 1, z));
}

static bool is_maze_room(const Maze *maze, int x, int low, int high, int z)
{
    bool is_free = true;
    for (int y = low; y <= high; y++) {
        is_free &= !is_maze_solid(maze, x, y, z);
    }
    return is_free;
}

/// Whether a body can go from one cell to another in one move: way.h's rules, said of two cells.
static bool is_move(const Maze *maze, const int from[3], const int to[3])
{
    const int x = from[0], y = from[1], z = from[2];
    const int dx = to[0] - x, dy = to[1] - y, dz = to[2] - z;
    const int sides = abs(dx) + abs(dz);
    const bool is_ladder = is_maze_ladder(maze, x, y, z);
    const bool is_swim = is_maze_water(maze, x, y, z) && !is_maze_solid(maze, x, y - 1, z);
    if (sides == 0) {
        return (dy == 1 && is_ladder && is_maze_ladder(maze, to[0], to[1], to[2])) ||
               (dy == -1 && (is_ladder || is_maze_ladder(maze, to[0], to[1], to[2])));
    }
    if (sides == 1 && dy == 0) {
        return true;
    }
    if (sides == 1 && dy > 0) {
        // Only where what is level is blocked; the lower of two.
        const bool is_first = dy == 1 || !is_maze_cell(maze, to[0], y + 1, to[2]);
        return dy <= (is_swim ? 2 : 1) && is_first && !is_maze_room(maze, to[0], y, y + 1, to[2]) &&
               is_maze_room(maze, x, y, y + 1 + dy, z);
    }
    if (sides == 1) {
        bool is_first = true;
        for (int above = y; above > to[1]; above--) {
            is_first &= !is_maze_cell(maze, to[0], above, to[2]);
        }
        return dy >= -WAY_DROP_MAX && is_first && is_maze_room(maze, to[0], to[1], y + 1, to[2]);
    }
    if (abs(dx) == 1 && abs(dz) == 1) {
        return dy == 0 && !is_ladder && !is_maze_ladder(maze, to[0], to[1], to[2]) &&
               is_maze_room(maze, to[0], y, y + 1, z) && is_maze_room(maze, x, y, y + 1, to[2]);
    }
    const bool is_dry = !is_ladder && !is_maze_water(maze, x, y, z) &&
                        !is_maze_ladder(maze, to[0], y, to[2]) &&
                        !is_maze_water(maze, to[0], y, to[2]);
    return sides == 2 && dy == 0 && is_dry && is_maze_room(maze, x, y, y + 2, z) &&
           is_maze_room(maze, x + dx / 2, y, y + 2, z + dz / 2) &&
           is_maze_room(maze, to[0], y, y + 2, to[2]) &&
           !is_maze_cell(maze, x + dx / 2, y, z + dz / 2);
}

/// Marks all that moves lead to.
static void flood(Maze *maze, const int from[3])
{
    int count = 0;
    memset(maze->reached, 0, sizeof maze->reached);
    maze->queue[count++] = maze_index(from[0], from[1], from[2]);
    maze->reached[maze->queue[0]] = true;
    for (int i = 0; i < count; i++) {
        const int at = maze->queue[i];
        const int here[3] = {at % MAZE, at / (MAZE * MAZE), at / MAZE % MAZE};
        for (int j = 0; j < 5 * 6 * 5; j++) {
            const int to[3] = {here[0] + j % 5 - 2, here[1] + j / 25 - 3, here[2] + j / 5 % 5 - 2};
            if (is_maze_cell(maze, to[0], to[1], to[2]) && is_move(maze, here, to)) {
                const int index = maze_index(to[0], to[1], to[2]);
                maze->queue[count] = index;
                count += !maze->reached[index];
                maze->reached[index] = true;
            }
        }
    }
}

static void make_maze(Maze *maze, TestRandom *random)
{
    small_begin(&maze->world);
    for (TrnCoord coord = {0, -1, 0}; coord.y <= 0; coord.y++) {
        small_fill(&maze->world, coord, (TrnBlock)(coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR));
    }
    const int64_t density = test_random_range(random, 8, 45);
    for (int i = 0; i < MAZE * MAZE * 10; i++) {
        const int64_t roll = test_random_range(random, 0, 99), y = i / (MAZE * MAZE);
        maze->blocks[i] = TRN_BLOCK_AIR;
        if (roll < density && y < 8) {
            maze->blocks[i] = TRN_BLOCK_STONE;
        } else if (roll > 93) {
            maze->blocks[i] = maze->world.ladder;
        } else if (roll > 88 && y < 3) {
            maze->blocks[i] = TRN_BLOCK_WATER;
        }
        const int64_t at[3] = {MAZE_AT + i % MAZE, y, MAZE_AT + i / MAZE % MAZE};
        if (maze->blocks[i] != TRN_BLOCK_AIR) {
            small_box(&maze->world, at, at, maze->blocks[i]);
        }
    }
    // A wall around, so that nothing leads past the maze.
    const int64_t end = MAZE_AT + MAZE;
    for (int64_t i = 0; i < 4; i++) {
        const int64_t low[3] = {i == 1 ? end : 0, 0, i == 3 ? end : 0};
        const int64_t high[3] = {i == 0 ? 0 : end, 20, i == 2 ? 0 : end};
        small_box(&maze->world, low, high, TRN_BLOCK_STONE);
    }
}

static void random_cell(const Maze *maze, TestRandom *random, int cell[3])
{
    do {
        cell[0] = (int)test_random_range(random, 0, MAZE - 1);
        cell[1] = (int)test_random_range(random, 0, 8);
        cell[2] = (int)test_random_range(random, 0, MAZE - 1);
    } while (!is_maze_cell(maze, cell[0], cell[1], cell[2]));
}

static WayState search(Way *way, const SmallWorld *world, TrnVoxel from, const WayGoal *goal)
{
    way_begin(way, world->store, from, goal, NULL, 0);
    WayState found = WAY_SEARCHING;
    for (int i = 0; found == WAY_SEARCHING; i++) {
        assert_int_equal(way_steps(way, NULL, 0), 0);
        found = way_go(way, world->store, 7);
        assert_true(i < 10000);
    }
    assert_int_equal(found, way_state(way));
    return found;
}

static void check_way(const Maze *maze, const Way *way, const int from[3])
{
    WayStep steps[WAY_STEPS];
    const size_t count = way_steps(way, steps, WAY_STEPS);
    assert_in_range(count, 1, WAY_STEPS);
    const TrnVoxel first = steps[0].feet, start = maze_voxel(from);
    assert_true(first.x == start.x && first.y == start.y && first.z == start.z);
    for (size_t i = 1; i < count; i++) {
        const TrnVoxel a = steps[i - 1].feet, b = steps[i].feet;
        const int from_cell[3] = {(int)a.x - MAZE_AT, (int)a.y, (int)a.z - MAZE_AT};
        const int to_cell[3] = {(int)b.x - MAZE_AT, (int)b.y, (int)b.z - MAZE_AT};
        assert_true(is_maze_cell(maze, to_cell[0], to_cell[1], to_cell[2]));
        assert_true(is_move(maze, from_cell, to_cell));
        assert_true(way_is_cell(maze->world.store, b));
        const bool is_level = a.y == b.y && steps[i].move != WAY_MOVE_ACROSS;
        assert_int_equal(is_level, steps[i].move == WAY_MOVE_LEVEL);
    }
}

static void a_way_is_found_just_where_moves_lead(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0x3A2E);
    Way *const way = way_create();
    Maze *const maze = malloc(sizeof *maze);
    uint32_t found = 0, tried = 0;
    for (int round = 0; round < 25; round++) {
        int from[3], to[3];
        memset(maze, 0, sizeof *maze);
        make_maze(maze, &random);
        random_cell(maze, &random, from);
        flood(maze, from);
        const TrnVoxel start = maze_voxel(from);
        for (int i = 0; i < 40; i++) {
            random_cell(maze, &random, to);
            const WayGoal goal = {maze_voxel(to), true, 0};
            const bool leads = maze->reached[maze_index(to[0], to[1], to[2])];
            const WayState end = search(way, &maze->world, start, &goal);
            assert_int_equal(end, leads ? WAY_FOUND : WAY_NEAR);
            assert_true((way_rest(way) == 0) == leads);
            check_way(maze, way, from);
            tried++;
            found += leads;
        }
        small_end(&maze->world);
    }
    print_message("  %u of %u goals could be reached\n", found, tried);
    assert_true(tried > 300 && found > 100 && tried - found > 50);
    free(maze);
    way_destroy(way);
}

static void a_way_on_open_ground_is_straight_and_its_search_small(void **state)
{
    (void)state;
    SmallWorld world;
    small_begin(&world);
    small_flat(&world, 3);
    Way *const way = way_create();
    const WayGoal goal = {{50, 0, 20}, false, 0};
    assert_int_equal(search(way, &world, (TrnVoxel){0, 0, 0}, &goal), WAY_FOUND);
    assert_int_equal(way_steps(way, NULL, 0), 51);
    assert_true(way_cells(way) < 1200);
    // Beyond the border of a search it ends there, on the way.
    const WayGoal far = {{1000000000000, 0, 0}, false, 0};
    assert_int_equal(search(way, &world, (TrnVoxel){0, 0, 0}, &far), WAY_EDGE);
    WayStep last[WAY_STEPS];
    assert_int_equal(way_steps(way, last, WAY_STEPS), WAY_RADIUS + 1);
    assert_true(last[WAY_RADIUS].feet.x == WAY_RADIUS);
    small_end(&world);
    way_destroy(way);
}

static void a_goal_in_rock_or_a_trunk_is_come_next_to(void **state)
{
    (void)state;
    SmallWorld world;
    small_begin(&world);
    small_flat(&world, 2);
    small_box(&world, (const int64_t[3]){10, 0, 10}, (const int64_t[3]){10, 40, 10},
              TRN_BLOCK_OAK_LOG);
    Way *const way = way_create();
    const WayGoal inside = {{10, 0, 10}, true, 0}, column = {{10, 0, 10}, false, 0};
    const WayGoal *const goals[] = {&inside, &column};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(search(way, &world, (TrnVoxel){-20, 0, -20}, goals[i]), WAY_FOUND);
        assert_true(way_rest(way) > 0 && way_rest(way) < 5);
    }
    small_end(&world);
    way_destroy(way);
}

// ---- a guide ------------------------------------------------------------------------------------

typedef struct Walk {
    SmallWorld world;
    Guide *guide;
    Player player;
    Route route;
    double highest, lowest;
    uint32_t swum, climbed; ///< steps
} Walk;

/// A flat world, and a player somewhere on it.
static void walk_begin(Walk *walk, double x, double y, double z)
{
    memset(walk, 0, sizeof *walk);
    small_begin(&walk->world);
    small_flat(&walk->world, 2);
    walk->player = player_begin(NULL, position_at(x, y, z));
}

static void walk_to(Walk *walk, int64_t x, int64_t y, int64_t z, bool has_height)
{
    const RoutePoint to = {.kind = ROUTE_TO, .voxel = {x, y, z}, .has_height = has_height};
    assert_true(route_add(&walk->route, &to));
}

static void walk_on(Walk *walk, int steps)
{
    Message problem;
    if (!walk->guide) {
        assert_true(guide_create(&walk->guide, &walk->route, false, &problem));
        walk->highest = -1e9;
        walk->lowest = 1e9;
    }
    for (int i = 0; i < steps && guide_report(walk->guide).state != GUIDE_DONE; i++) {
        const PlayerWish wish = guide_wish(walk->guide, &walk->player, walk->world.store);
        player_step(&walk->player, walk->world.store, &wish);
        const double y = position_axis(walk->player.body.position, 1);
        walk->highest = fmax(walk->highest, y);
        walk->lowest = fmin(walk->lowest, y);
        walk->swum += walk->player.body.in_liquid;
        walk->climbed += walk->player.body.on_ladder;
    }
}

static void walk_end(Walk *walk)
{
    guide_destroy(walk->guide);
    route_free(&walk->route);
    small_end(&walk->world);
}

static void assert_walked(const Walk *walk, uint32_t reached, uint32_t missed)
{
    const GuideReport report = guide_report(walk->guide);
    if (report.reached != reached || report.missed != missed || report.state != GUIDE_DONE) {
        fail_msg("%u points reached, %u missed, state %d: %s", report.reached, report.missed,
                 report.state, report.says.text);
    }
}

static void assert_stands_in(const Walk *walk, int64_t x, int64_t y, int64_t z)
{
    const TrnVoxel at = trn_position_voxel(walk->player.body.position);
    if (at.x != x || at.y != y || at.z != z) {
        fail_msg("stands in %lld %lld %lld", (long long)at.x, (long long)at.y, (long long)at.z);
    }
}

static void steps_are_walked_up_and_down_also_by_who_has_to_jump(void **state)
{
    (void)state;
    for (int jumps = 0; jumps < 2; jumps++) {
        Walk walk;
        walk_begin(&walk, -20.5, 0, 0.5);
        for (int64_t i = 0; i < 8; i++) {
            small_box(&walk.world, (const int64_t[3]){2 * i - 10, 0, -12},
                      (const int64_t[3]){30, i, 12}, TRN_BLOCK_STONE);
        }
        small_box(&walk.world, (const int64_t[3]){20, 5, -12}, (const int64_t[3]){30, 9, 12},
                  TRN_BLOCK_AIR); // three down
        PlayerSettings settings = player_settings();
        settings.step_height = jumps ? 0 : 1;
        player_set(&walk.player, &settings);
        walk_to(&walk, 10, 0, 3, false);
        walk_to(&walk, 25, 5, -4, true);
        walk_on(&walk, STEPS_OF_MINUTE);
        assert_walked(&walk, 2, 0);
        assert_stands_in(&walk, 25, 5, -4);
        assert_true(walk.highest >= 8);
        walk_end(&walk);
    }
}

static void a_door_of_two_is_gone_through_and_a_hole_of_one_is_not(void **state)
{
    (void)state;
    Walk walk;
    walk_begin(&walk, -10.5, 0, 0.5);
    small_box(&walk.world, (const int64_t[3]){0, 0, -64}, (const int64_t[3]){0, 6, 63},
              TRN_BLOCK_STONE);
    small_box(&walk.world, (const int64_t[3]){0, 0, 0}, (const int64_t[3]){0, 0, 0},
              TRN_BLOCK_AIR); // a hole, right ahead
    small_box(&walk.world, (const int64_t[3]){0, 0, 20}, (const int64_t[3]){0, 1, 20},
              TRN_BLOCK_AIR); // a door, far off
    walk_to(&walk, 10, 0, 0, false);
    walk_on(&walk, STEPS_OF_MINUTE);
    assert_walked(&walk, 1, 0);
    assert_stands_in(&walk, 10, 0, 0);
    assert_true(guide_report(walk.guide).walked > 40 && guide_report(walk.guide).walked < 60);
    walk_end(&walk);
}

static void pits_are_gone_around_and_narrow_gaps_jumped(void **state)
{
    (void)state;
    Walk walk;
    walk_begin(&walk, -10.5, 0, 0.5);
    small_box(&walk.world, (const int64_t[3]){-4, -9, -20}, (const int64_t[3]){4, -1, 20},
              TRN_BLOCK_AIR); // a pit of 9 x 41, 9 deep
    small_box(&walk.world, (const int64_t[3]){20, -9, -64}, (const int64_t[3]){20, -1, 63},
              TRN_BLOCK_AIR); // a gap of one, right across
    walk_to(&walk, 10, 0, 0, false);
    walk_to(&walk, 30, 0, 0, false);
    walk_on(&walk, STEPS_OF_MINUTE);
    assert_walked(&walk, 2, 0);
    assert_stands_in(&walk, 30, 0, 0);
    assert_true(walk.lowest == 0 && walk.highest > 1);
    walk_end(&walk);
}

static void a_pond_is_gone_around_and_a_sea_swum(void **state)
{
    (void)state;
    Walk walk;
    walk_begin(&walk, -20.5, 0, 0.5);
    small_box(&walk.world, (const int64_t[3]){-12, -4, -8}, (const int64_t[3]){-4, -1, 8},
              TRN_BLOCK_WATER);
    walk_to(&walk, 2, 0, 0, false);
    walk_on(&walk, STEPS_OF_MINUTE);
    assert_walked(&walk, 1, 0);
    assert_int_equal(walk.swum, 0);
    walk_end(&walk);

    walk_begin(&walk, -20.5, 0, 0.5);
    small_box(&walk.world, (const int64_t[3]){-12, -4, -64}, (const int64_t[3]){4, -1, 63},
              TRN_BLOCK_WATER);
    small_box(&walk.world, (const int64_t[3]){4, 0, -64}, (const int64_t[3]){30, 0, 63},
              TRN_BLOCK_STONE); // a shore that is one higher
    walk_to(&walk, 12, 0, 0, false);
    walk_on(&walk, STEPS_OF_MINUTE);
    assert_walked(&walk, 1, 0);
    assert_stands_in(&walk, 12, 1, 0);
    assert_true(walk.swum > 300);
    walk_end(&walk);
}

static void a_tower_is_climbed_by_its_ladder_and_left_by_it(void **state)
{
    (void)state;
    Walk walk;
    walk_begin(&walk, -10.5, 0, 0.5);
    small_box(&walk.world, (const int64_t[3]){0, 0, -3}, (const int64_t[3]){6, 11, 3},
              TRN_BLOCK_STONE);
    small_box(&walk.world, (const int64_t[3]){7, 0, 0}, (const int64_t[3]){7, 11, 0},
              walk.world.ladder); // behind it
    walk_to(&walk, 2, 12, 1, true);
    walk_to(&walk, -10, 0, 0, false);
    walk_on(&walk, 2 * STEPS_OF_MINUTE);
    assert_walked(&walk, 2, 0);
    assert_stands_in(&walk, -10, 0, 0);
    assert_true(walk.highest >= 12 && walk.climbed > 600);
    walk_end(&walk);
}

static void what_nothing_leads_to_is_come_near_to_and_told(void **state)
{
    (void)state;
    Walk walk;
    walk_begin(&walk, -10.5, 0, 0.5);
    small_box(&walk.world, (const int64_t[3]){20, 0, 20}, (const int64_t[3]){20, 5, 20},
              TRN_BLOCK_STONE);
    small_box(&walk.world, (const int64_t[3]){-64, 0, -64}, (const int64_t[3]){63, 5, -63},
              TRN_BLOCK_STONE); // walls around all that is there
    small_box(&walk.world, (const int64_t[3]){-64, 0, 62}, (const int64_t[3]){63, 5, 63},
              TRN_BLOCK_STONE);
    small_box(&walk.world, (const int64_t[3]){-64, 0, -64}, (const int64_t[3]){-63, 5, 63},
              TRN_BLOCK_STONE);
    small_box(&walk.world, (const int64_t[3]){62, 0, -64}, (const int64_t[3]){63, 5, 63},
              TRN_BLOCK_STONE);
    walk_to(&walk, 20, 6, 20, true); // on a pillar
    walk_to(&walk, 0, 0, 5, false);
    walk_on(&walk, 1);
    while (guide_report(walk.guide).missed == 0 && guide_report(walk.guide).state != GUIDE_DONE) {
        walk_on(&walk, 1);
    }
    const TrnVoxel near = trn_position_voxel(walk.player.body.position);
    assert_true(llabs(near.x - 20) <= 4 && llabs(near.z - 20) <= 4);
    assert_non_null(
        strstr(guide_report(walk.guide).says.text, "Point 1 of the walk, 20 20: no way"));
    walk_on(&walk, STEPS_OF_MINUTE);
    assert_walked(&walk, 1, 1);
    assert_stands_in(&walk, 0, 0, 5);
    walk_end(&walk);
}

static void chunks_that_are_not_there_are_awaited(void **state)
{
    (void)state;
    Walk walk;
    walk_begin(&walk, -10.5, 0, 0.5);
    walk_to(&walk, 90, 0, 0, false); // two chunks that are there, and one that is not
    walk_on(&walk, 20 * 120);
    assert_int_equal(guide_report(walk.guide).state, GUIDE_WAITS);
    assert_stands_in(&walk, 63, 0, 0);
    for (TrnCoord coord = {2, -1, -2}; coord.y <= 1; coord.y++) {
        for (coord.z = -2; coord.z < 2; coord.z++) {
            small_fill(&walk.world, coord,
                       (TrnBlock)(coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR));
        }
    }
    walk_on(&walk, STEPS_OF_MINUTE);
    assert_walked(&walk, 1, 0);
    assert_stands_in(&walk, 90, 0, 0);
    walk_end(&walk);

    walk_begin(&walk, -10.5, 0, 0.5);
    walk_to(&walk, 90, 0, 0, false);
    walk_on(&walk, STEPS_OF_MINUTE);
    assert_walked(&walk, 0, 1); // not for ever
    assert_non_null(strstr(guide_report(walk.guide).says.text, "does not load"));
    walk_end(&walk);
}

static void a_way_that_is_built_up_or_dug_away_is_left_for_another(void **state)
{
    (void)state;
    Walk walk;
    walk_begin(&walk, -20.5, 0, 0.5);
    walk_to(&walk, 20, 0, 0, false);
    walk_on(&walk, 240);
    small_box(&walk.world, (const int64_t[3]){0, 0, -20}, (const int64_t[3]){0, 4, 20},
              TRN_BLOCK_STONE);
    walk_on(&walk, 240);
    small_box(&walk.world, (const int64_t[3]){8, -8, -12}, (const int64_t[3]){9, -1, 50},
              TRN_BLOCK_AIR);
    walk_on(&walk, STEPS_OF_MINUTE);
    assert_walked(&walk, 1, 0);
    assert_stands_in(&walk, 20, 0, 0);
    assert_true(guide_report(walk.guide).searches > 1);
    walk_end(&walk);
}

static void who_is_put_elsewhere_finds_the_way_from_there(void **state)
{
    (void)state;
    Walk walk;
    walk_begin(&walk, -20.5, 0, 0.5);
    walk_to(&walk, 20, 0, 0, false);
    walk_on(&walk, 300);
    player_put(&walk.player, position_at(-30.5, 12, -30.5)); // in the air
    guide_lost(walk.guide);
    walk_on(&walk, STEPS_OF_MINUTE);
    assert_walked(&walk, 1, 0);
    assert_stands_in(&walk, 20, 0, 0);
    walk_end(&walk);
}

static void who_stands_in_rock_is_led_nowhere_and_told_so(void **state)
{
    (void)state;
    Walk walk;
    walk_begin(&walk, -20.5, -20, 0.5);
    walk_to(&walk, 20, 0, 0, false);
    walk_on(&walk, STEPS_OF_MINUTE);
    assert_walked(&walk, 0, 1);
    assert_non_null(strstr(guide_report(walk.guide).says.text, "nowhere to stand"));
    walk_end(&walk);
}

static void waits_are_as_long_as_they_say_and_rounds_begin_again(void **state)
{
    (void)state;
    Walk walk;
    Message problem;
    walk_begin(&walk, 0.5, 0, 0.5);
    const RoutePoint wait = {.kind = ROUTE_WAIT, .seconds = 2};
    route_add(&walk.route, &wait);
    walk_to(&walk, 3, 0, 0, false);
    walk_on(&walk, 239);
    assert_int_equal(guide_report(walk.guide).state, GUIDE_RESTS);
    walk_on(&walk, 2);
    assert_int_equal(guide_report(walk.guide).point, 1);
    walk_on(&walk, STEPS_OF_MINUTE);
    assert_walked(&walk, 1, 0);
    guide_destroy(walk.guide);
    walk_to(&walk, -3, 0, 0, false);
    assert_true(guide_create(&walk.guide, &walk.route, true, &problem));
    walk_on(&walk, STEPS_OF_MINUTE);
    assert_true(guide_report(walk.guide).reached > 10);
    assert_int_equal(guide_report(walk.guide).missed, 0);
    Message line;
    guide_describe(walk.guide, &line);
    assert_non_null(strstr(line.text, "points reached, 0 missed"));
    walk_end(&walk);
}

static void a_guided_walk_is_the_same_at_any_frame_rate(void **state)
{
    (void)state;
    static TrnPosition way[4000];
    const double rates[] = {120, 30, 60, 144, 1000, 7};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        Walk walk;
        Message problem;
        walk_begin(&walk, -20.5, 0, 0.5);
        small_box(&walk.world, (const int64_t[3]){-4, 0, -20}, (const int64_t[3]){4, 1, 5},
                  TRN_BLOCK_STONE);
        walk_to(&walk, 20, 0, -4, false);
        assert_true(guide_create(&walk.guide, &walk.route, false, &problem));
        while (walk.player.steps < (i == 0 ? 3990 : 3900)) {
            const uint32_t taken =
                guide_advance(walk.guide, &walk.player, walk.world.store, 1 / rates[i]);
            if (taken && i == 0) {
                way[walk.player.steps] = walk.player.body.position;
            } else if (taken) {
                assert_same_position(walk.player.body.position, way[walk.player.steps]);
            }
        }
        assert_walked(&walk, 1, 0);
        walk_end(&walk);
    }
}

static void the_look_begins_where_it_was_and_turns_evenly(void **state)
{
    (void)state;
    Walk walk;
    Message problem;
    double yaw, pitch;
    walk_begin(&walk, -20.5, 0, 0.5);
    walk_to(&walk, 20, 0, 0, false);
    assert_true(guide_create(&walk.guide, &walk.route, false, &problem));
    guide_face(walk.guide, NAN, INFINITY);
    guide_look(walk.guide, &walk.player, &yaw, &pitch);
    assert_true(yaw == 0 && pitch == 0);
    guide_face(walk.guide, 350 - 720, 30);
    guide_look(walk.guide, &walk.player, &yaw, &pitch);
    assert_true(fabs(remainder(yaw - 350, 360)) < 1e-9 && pitch == 30);
    // At eight frames a step: no frame turns by more than an eighth of what a step may, and a
    // little.
    for (int i = 0; i < 8 * 240; i++) {
        double now, up;
        guide_advance(walk.guide, &walk.player, walk.world.store, PLAYER_STEP / 8);
        guide_look(walk.guide, &walk.player, &now, &up);
        assert_true(fabs(remainder(now - yaw, 360)) < 0.25 && fabs(up - pitch) < 0.25);
        yaw = now;
        pitch = up;
    }
    assert_true(fabs(remainder(yaw - 90, 360)) < 5); // to the east
    walk_end(&walk);
}

// ---- generated land -----------------------------------------------------------------------------

/// Walks from a place to one 200 voxels away, or as near as it gets.
/// @return whether it arrived
static bool walk_land(Walk *walk, TrnTerrain *terrain, int64_t x, int64_t z, int64_t to_x,
                      int64_t to_z)
{
    const PlayerPlace land = player_find_land(terrain, x, z);
    const PlayerPlace place = player_find_place(walk->world.store, land.feet);
    assert_true(place.kind <= PLAYER_PLACE_MOVED);
    walk->player = player_begin(NULL, place.feet);
    const TrnVoxel from = trn_position_voxel(place.feet);
    walk_to(walk, from.x + to_x, 0, from.z + to_z, false);
    walk_on(walk, 4 * STEPS_OF_MINUTE);
    const GuideReport report = guide_report(walk->guide);
    print_message("  %.0f voxels in %.0f s, %u searches: %s\n", report.walked,
                  (double)report.steps / 120, report.searches, report.says.text);
    assert_int_equal(report.state, GUIDE_DONE);
    assert_int_equal(report.reached + report.missed, 1);
    guide_destroy(walk->guide);
    walk->guide = NULL;
    route_free(&walk->route);
    return report.reached == 1;
}

static void two_hundred_blocks_of_every_land_are_walked(void **state)
{
    (void)state;
    for (size_t i = 0; trn_terrain_preset_name(i); i++) {
        // A gorge may have no way out: then it has to be said.
        const bool has_gorges = strcmp(trn_terrain_preset_name(i), "canyons") == 0;
        Walk walk;
        TrnTerrain *terrain;
        TrnTerrainDef def = trn_terrain_def();
        assert_int_equal(trn_terrain_shape_preset(trn_terrain_preset_name(i), &def.shape),
                         TRN_RESULT_OK);
        assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
        memset(&walk, 0, sizeof walk);
        small_begin(&walk.world);
        small_land(&walk.world, terrain, (TrnCoord){-9, -2, -9}, (TrnCoord){9, 9, 9});
        assert_true(walk_land(&walk, terrain, -100, 100, 150, -130) || has_gorges);
        assert_true(walk_land(&walk, terrain, 60, -40, -190, -60) || has_gorges);
        small_end(&walk.world);
        trn_terrain_destroy(terrain);
    }
}

// ---- attract mode -------------------------------------------------------------------------------

static void who_touches_nothing_for_a_minute_is_shown_around(void **state)
{
    (void)state;
    Attract attract = {.is_off = false};
    for (int i = 0; i < 599; i++) {
        assert_false(attract_update(&attract, false, 0.1));
    }
    assert_false(attract_update(&attract, true, 0.1)); // touched in the last moment
    for (int i = 0; i < 610; i++) {
        attract_update(&attract, false, 0.1);
    }
    assert_true(attract_update(&attract, false, NAN));
    assert_false(attract_update(&attract, true, 0));
    attract.is_off = true;
    assert_false(attract_update(&attract, false, 1e9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_route_is_read_as_it_is_written),
        cmocka_unit_test(bad_lines_of_a_route_are_named_by_line_and_column),
        cmocka_unit_test(a_route_cut_anywhere_or_of_any_bytes_is_read_or_refused),
        cmocka_unit_test(a_round_trip_comes_back_and_stays_in_the_world),
        cmocka_unit_test(a_way_is_found_just_where_moves_lead),
        cmocka_unit_test(a_way_on_open_ground_is_straight_and_its_search_small),
        cmocka_unit_test(a_goal_in_rock_or_a_trunk_is_come_next_to),
        cmocka_unit_test(steps_are_walked_up_and_down_also_by_who_has_to_jump),
        cmocka_unit_test(a_door_of_two_is_gone_through_and_a_hole_of_one_is_not),
        cmocka_unit_test(pits_are_gone_around_and_narrow_gaps_jumped),
        cmocka_unit_test(a_pond_is_gone_around_and_a_sea_swum),
        cmocka_unit_test(a_tower_is_climbed_by_its_ladder_and_left_by_it),
        cmocka_unit_test(what_nothing_leads_to_is_come_near_to_and_told),
        cmocka_unit_test(chunks_that_are_not_there_are_awaited),
        cmocka_unit_test(a_way_that_is_built_up_or_dug_away_is_left_for_another),
        cmocka_unit_test(who_is_put_elsewhere_finds_the_way_from_there),
        cmocka_unit_test(who_stands_in_rock_is_led_nowhere_and_told_so),
        cmocka_unit_test(waits_are_as_long_as_they_say_and_rounds_begin_again),
        cmocka_unit_test(a_guided_walk_is_the_same_at_any_frame_rate),
        cmocka_unit_test(the_look_begins_where_it_was_and_turns_evenly),
        cmocka_unit_test(two_hundred_blocks_of_every_land_are_walked),
        cmocka_unit_test(who_touches_nothing_for_a_minute_is_shown_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
