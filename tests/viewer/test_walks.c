/// The recorded walks of the demo (assets/walks): each is walked again on today's land, by the
/// script that it was recorded from (tools/walks), and must follow the recording.
///
/// `test_walks FOLDER [PRESET...]` writes the recordings instead, all or some;
/// tools/record_walks.sh does that.
///
/// A script says what a person would do at the controls. Lines are done one after the other; '#'
/// begins a comment:
///     from X Z                  stands on the ground of that column; the first line
///     look YAW PITCH            turns there while the next lines go on; `to` changes the yaw
///     to X Z [ACTION...]        walks straight towards that column and holds these actions as well
///     wait SECONDS [ACTION...]  stands and looks, or holds actions
/// Actions are those of the settings file, such as sprint or up (jump). There is no pathfinding:
/// the author of a script chooses the path, and a script that gets stuck fails with its line.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "unseen_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/terrain.h>

#include <flight/flight_writer.h>
#include <flight/replay.h>
#include <player/person.h>
#include <world/land.h>

#define FRAME (1.0 / 60)
#define FRAMES_PER_KEY 4
#define ROUND 1000.0      // digits of a key: voxels and degrees
#define ARRIVED 1.5       // voxels from where `to` leads
#define STUCK_SECONDS 2.0 // without STUCK_VOXELS nearer to there
#define STUCK_VOXELS 0.5
#define TURN_STIFFNESS 9.0 // of a critically damped spring, 1/s^2
#define TURN_MAX 100.0     // degrees/s
#define WALK_AHEAD 70.0    // degrees: farther off its heading, a person turns before they walk
// Headings are rounded to this part of a degree: libm does not round alike on every machine.
#define ANGLE_GRID 64.0
#define EYES 1.62
#define DRIFT_KEY 0.01    // voxels and degrees, at a key: times are rounded, too
#define DRIFT_BETWEEN 0.3 // between keys, where the camera follows a cubic
#define SECONDS_MIN 30
#define SECONDS_MAX 75

// ---- a walker -----------------------------------------------------------------------------------

/// A person who walks by a script.
typedef struct Walker {
    World *world;
    Person person;
    Camera camera;
    double look[2];  ///< yaw and pitch to turn to, degrees
    double turns[2]; ///< degrees/s
    int frames;
    const char *script;
    int line;
    FlightHead head;
    const char *path;     ///< the recording to write; NULL: none
    FlightWriter *writer; ///< of it, once the first frame is noted
    const Flight *flight; ///< the recording to compare with; NULL: none
    double yaw;           ///< of the last key
    double drift_key, drift_between, walked;
} Walker;

static void walker_pose(const Walker *walker, double pose[5])
{
    camera_voxel(&walker->camera, pose);
    pose[3] = (double)walker->camera.yaw;
    pose[4] = (double)walker->camera.pitch;
}

static void walker_begin(Walker *walker, const char *preset, const char *script)
{
    Message problem;
    WorldDef def = {.terrain = trn_terrain_def(),
                    .view_distance = WORLD_VIEW_DISTANCE_MIN,
                    .view_height = WORLD_VIEW_DISTANCE_MIN,
                    .workers = 0,
                    .sink = unseen_sink()};
    *walker = (Walker){
        .script = script,
        .head = {.has_seed = true, .seed = def.terrain.seed, .land_version = TRN_TERRAIN_VERSION}};
    (void)snprintf(walker->head.preset, sizeof walker->head.preset, "%s", preset);
    assert_int_equal(trn_terrain_shape_preset(preset, &def.terrain.shape), TRN_RESULT_OK);
    assert_true(world_create(&walker->world, &def, &problem));
    const PersonDef person = {
        .world = walker->world, .settings = player_settings(), .camera = &walker->camera};
    assert_true(person_create(&walker->person, &person, &problem));
}

static void walker_end(Walker *walker)
{
    person_free(&walker->person);
    world_destroy(walker->world);
}

/// One step of a critically damped spring towards the angle that is left.
static float turn(double left, double *speed)
{
    *speed += (TURN_STIFFNESS * left - 2 * sqrt(TURN_STIFFNESS) * *speed) * FRAME;
    *speed = fmax(-TURN_MAX, fmin(TURN_MAX, *speed));
    return (float)(*speed * FRAME);
}

static double yaw_left(const Walker *walker)
{
    return remainder(walker->look[0] - (double)walker->camera.yaw, 360);
}

/// Returns the greatest difference of two poses, in voxels and degrees.
static double pose_difference(const double a[5], const double b[5])
{
    double most = fabs(remainder(a[3] - b[3], 360));
    for (int i = 0; i < 5; i++) {
        most = i == 3 ? most : fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

static void walker_record(Walker *walker, double seconds, double pose[5])
{
    Message problem;
    pose[3] = walker->yaw += remainder(pose[3] - walker->yaw, 360); // not wrapped
    for (int i = 0; i < 5; i++) {
        pose[i] = round(pose[i] * ROUND) / ROUND;
    }
    if (!walker->writer) {
        walker->head.has_land = true;
        walker->head.land = land_mark(world_terrain(walker->world), pose);
        if (!flight_writer_create(&walker->writer, walker->path, &walker->head, &problem)) {
            fail_msg("%s", problem.text);
        }
    }
    flight_writer_key(walker->writer, round(seconds * 1e4) / 1e4, pose);
}

/// Records this frame, or compares it with the recording.
static void walker_note_frame(Walker *walker)
{
    double pose[5], recorded[5];
    walker_pose(walker, pose);
    const double seconds = walker->frames * FRAME;
    const bool is_key = walker->frames % FRAMES_PER_KEY == 0;
    if (walker->flight && seconds <= flight_duration(walker->flight)) {
        flight_sample(walker->flight, seconds, recorded);
        double *const drift = is_key ? &walker->drift_key : &walker->drift_between;
        *drift = fmax(*drift, pose_difference(pose, recorded));
    }
    if (walker->path && is_key) {
        walker_record(walker, seconds, pose);
    }
    walker->frames++;
}

/// Plays one frame with some actions held; the first frame presses them.
static void walker_frame(Walker *walker, Input input)
{
    Message news;
    double before[5], now[5];
    walker_pose(walker, before);
    input.look_right = turn(yaw_left(walker), &walker->turns[0]);
    input.look_up = turn(walker->look[1] - (double)walker->camera.pitch, &walker->turns[1]);
    (void)person_move(&walker->person, &input, FRAME, &walker->camera, &news);
    world_load_all(walker->world, &walker->camera);
    walker_pose(walker, now);
    walker->walked += hypot(now[0] - before[0], now[2] - before[2]);
}

// ---- scripts ------------------------------------------------------------------------------------

static void walker_fail(const Walker *walker, const char *what)
{
    double pose[5];
    walker_pose(walker, pose);
    fail_msg("%s:%d: %s, at %.1f %.1f %.1f after %.1f s", walker->script, walker->line, what,
             pose[0], pose[1], pose[2], walker->frames * FRAME);
}

/// The actions at the end of a line.
static Input walker_actions(const Walker *walker, char *words)
{
    Input input = {0};
    char *rest = NULL;
    for (char *word = strtok_r(words, " \t\n", &rest); word;
         word = strtok_r(NULL, " \t\n", &rest)) {
        const InputAction action = input_action_named(word);
        if (action >= INPUT_ACTION_COUNT) {
            walker_fail(walker, "no such action");
            break;
        }
        input.strength[action] = 1;
        input.forward += action == INPUT_FORWARD ? 1 : action == INPUT_BACK ? -1 : 0;
        input.right += action == INPUT_RIGHT ? 1 : action == INPUT_LEFT ? -1 : 0;
    }
    return input;
}

/// Puts the walker onto the ground of a column.
static void walker_from(Walker *walker, double x, double z)
{
    int64_t height;
    Input input = {0};
    assert_int_equal(trn_terrain_height(world_terrain(walker->world), (int64_t)floor(x),
                                        (int64_t)floor(z), &height),
                     TRN_RESULT_OK);
    const double pose[5] = {x, (double)height + 1 + EYES, z, walker->look[0], walker->look[1]};
    walker->camera = camera_at(pose);
    person_put(&walker->person, &walker->camera);
    world_load_all(walker->world, &walker->camera);
    input.presses[INPUT_FLY] = 1;
    for (int i = 0; i < 60; i++) {
        walker_frame(walker, input);
        input.presses[INPUT_FLY] = 0;
    }
}

static void walker_wait(Walker *walker, double seconds, const Input *input)
{
    for (int i = 0; i < (int)round(seconds / FRAME); i++) {
        walker_note_frame(walker);
        walker_frame(walker, *input);
    }
}

static double walker_heading(Walker *walker, double x, double z)
{
    double pose[5];
    walker_pose(walker, pose);
    const double degrees = atan2(x - pose[0], pose[2] - z) * 180 / acos(-1);
    walker->look[0] = round(degrees * ANGLE_GRID) / ANGLE_GRID;
    return hypot(x - pose[0], z - pose[2]);
}

static void walker_to(Walker *walker, double x, double z, Input input)
{
    double nearest = INFINITY, since = 0;
    for (double left; (left = walker_heading(walker, x, z)) > ARRIVED; since += FRAME) {
        if (left < nearest - STUCK_VOXELS) {
            nearest = left;
            since = 0;
        } else if (since > STUCK_SECONDS) {
            walker_fail(walker, "stuck");
        }
        input.forward = fabs(yaw_left(walker)) < WALK_AHEAD ? 1 : 0;
        walker_note_frame(walker);
        walker_frame(walker, input);
    }
}

static void walker_do(Walker *walker, char *line)
{
    double a, b;
    int end = 0;
    line[strcspn(line, "#\n")] = '\0';
    if (line[strspn(line, " \t")] == '\0') {
        return;
    }
    if (sscanf(line, "from %lf %lf %n", &a, &b, &end) == 2 && end) {
        walker_from(walker, a, b);
    } else if (sscanf(line, "look %lf %lf %n", &a, &b, &end) == 2 && end) {
        walker->look[0] = a;
        walker->look[1] = b;
    } else if (sscanf(line, "to %lf %lf %n", &a, &b, &end) == 2 && end) {
        walker_to(walker, a, b, walker_actions(walker, line + end));
    } else if (sscanf(line, "wait %lf %n", &a, &end) == 1 && end) {
        const Input input = walker_actions(walker, line + end);
        walker_wait(walker, a, &input);
    } else {
        walker_fail(walker, "expected from, look, to or wait");
    }
}

/// Walks a whole script.
static void walker_run(Walker *walker)
{
    char line[256];
    FILE *const file = fopen(walker->script, "r");
    if (!file) {
        fail_msg("no script %s", walker->script);
    }
    while (fgets(line, sizeof line, file)) {
        walker->line++;
        walker_do(walker, line);
    }
    assert_int_equal(fclose(file), 0);
}

// ---- recordings ---------------------------------------------------------------------------------

static void walker_of_preset(Walker *walker, const char *preset, char script[512])
{
    (void)snprintf(script, 512, TERRANE_SOURCE_DIR "/tools/walks/%s.walk", preset);
    walker_begin(walker, preset, script);
}

static void record_walk(const char *preset, const char *folder)
{
    Walker walker;
    char script[512], path[512];
    Message news;
    (void)snprintf(path, sizeof path, "%s/%s.flight", folder, preset);
    walker_of_preset(&walker, preset, script);
    walker.path = path;
    walker_run(&walker);
    if (!flight_writer_finish(walker.writer, &news, &news)) {
        fail_msg("%s", news.text);
    }
    print_message("  %s\n", news.text);
    flight_writer_destroy(walker.writer);
    walker_end(&walker);
}

static Flight read_walk(const char *preset)
{
    char path[512];
    Flight flight;
    Message problem;
    (void)snprintf(path, sizeof path, TERRANE_SOURCE_DIR "/assets/walks/%s.flight", preset);
    if (!flight_read(&flight, path, &problem)) {
        fail_msg("%s", problem.text);
    }
    return flight;
}

static void compare_walk(const char *preset)
{
    Walker walker;
    char script[512];
    Message reason;
    Flight flight = read_walk(preset);
    walker_of_preset(&walker, preset, script);
    if (!replay_fits_land(&flight, &walker.head, world_terrain(walker.world), &reason)) {
        fail_msg("%s: %s; tools/record_walks.sh records it again", preset, reason.text);
    }
    walker.flight = &flight;
    walker_run(&walker);
    const double seconds = (walker.frames - 1) * FRAME;
    print_message("  %s: %.1f s, %zu keys, %.0f voxels; off by %.4f at keys, %.2f between\n",
                  preset, seconds, flight.count, walker.walked, walker.drift_key,
                  walker.drift_between);
    assert_true(fabs(flight_duration(&flight) - seconds) < FRAMES_PER_KEY * FRAME);
    assert_true(walker.drift_key < DRIFT_KEY);
    assert_true(walker.drift_between < DRIFT_BETWEEN);
    assert_in_range(seconds, SECONDS_MIN, SECONDS_MAX);
    assert_int_equal(flight.edit_count, 0); // the demo changes nothing in the user's world
    walker_end(&walker);
    flight_free(&flight);
}

/// @param names  of presets, ends with NULL; empty: all
static bool is_asked_for(const char *preset, char **names)
{
    bool is_named = !names[0];
    for (; *names; names++) {
        is_named |= strcmp(preset, *names) == 0;
    }
    return is_named;
}

static void walks_go_on_todays_land_where_they_were_recorded(void **state)
{
    (void)state;
    const char *preset;
    for (size_t i = 0; (preset = trn_terrain_preset_name(i)); i++) {
        compare_walk(preset);
    }
}

static void walks_are_recorded(void **state)
{
    char **const arguments = *state;
    const char *preset;
    for (size_t i = 0; (preset = trn_terrain_preset_name(i)); i++) {
        if (is_asked_for(preset, arguments + 1)) {
            record_walk(preset, arguments[0]);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_go_on_todays_land_where_they_were_recorded),
    };
    const struct CMUnitTest records[] = {
        cmocka_unit_test_prestate(walks_are_recorded, argv + 1),
    };
    return argc > 1 ? cmocka_run_group_tests(records, NULL, NULL)
                    : cmocka_run_group_tests(tests, NULL, NULL);
}
