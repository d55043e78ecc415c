#include "settings/settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/body.h>
#include <terrane/stream.h>
#include <terrane/terrain.h>

#include "gather/gather_compare.h"
#include "render/camera.h"
#include "render/quad_buffer.h"
#include "settings/share.h"
#include "world/world.h"

// ---- values with their own readers --------------------------------------------------------------

static const char *const QUALITIES[] = {"low", "medium", "high", "auto", NULL};
static const char *const DEBUG_VIEWS[] = {"none",     "wireframe", "chunks", "states", "faces",
                                          "overdraw", "depth",     "light",  NULL};
static const char *const CONTAINERS[] = {"index", "array", "flat_map", "map", NULL};
static const char *const WEATHERS[] = {"clear", "rain", "auto", NULL};
static const char *const SWITCH_WORDS[] = {"no", "yes", "auto", NULL};
_Static_assert(sizeof DEBUG_VIEWS / sizeof *DEBUG_VIEWS == LOOK_DEBUG_COUNT + 1, "a word for each");
_Static_assert(sizeof CONTAINERS / sizeof *CONTAINERS == GATHER_CHOICES + 1, "a word for each");

static bool settings_refuse(const char *takes, const char *text, Message *problem)
{
    return message_set(problem, "%s, not '%s'.", takes, message_short(text).text);
}

static void settings_set_given(Settings *settings, const void *field)
{
    settings->given[settings_row_of(settings, field) - settings_row(0)] = true;
}

static bool settings_read_size(void *target, const char *text, Message *problem)
{
    Settings *settings = target;
    const Setting *width = settings_row_of(settings, &settings->width);
    const int low = (int)width->low, high = (int)width->high;
    int64_t size[2];
    if (!option_read_wholes(text, "WxH", low, high, size)) {
        return message_set(problem,
                           "--size takes WIDTHxHEIGHT in pixels, each from %d to %d, such as "
                           "1280x720, not '%s'.",
                           low, high, message_short(text).text);
    }
    settings->width = (int)size[0];
    settings->height = (int)size[1];
    settings_set_given(settings, &settings->width);
    settings_set_given(settings, &settings->height);
    return true;
}

static bool settings_read_link(void *target, const char *text, Message *problem)
{
    Settings *settings = target;
    Share share;
    if (!share_read(text, &share, problem)) {
        return false;
    }
    settings->placed = true;
    settings->has_seed = true;
    settings->seed = share.seed;
    settings->land_version = share.land_version;
    settings->choice = (TerrainChoice){.preset = share.preset};
    settings->hours = share.hours;
    memcpy(settings->at, share.at, sizeof settings->at);
    settings_set_given(settings, &settings->hours);
    return true;
}

/// Reads X,Y,Z,YAW,PITCH: five numbers separated by commas; or a link to a place.
static bool settings_read_place(void *target, const char *text, Message *problem)
{
    Settings *settings = target;
    const char *at = text;
    if (share_is(text)) {
        return settings_read_link(settings, text, problem);
    }
    settings->placed = true;
    for (int i = 0; i < 5; i++) {
        char *end;
        settings->at[i] = strtod(at, &end);
        if (end == at || !isfinite(settings->at[i]) || *end != (i < 4 ? ',' : 0)) {
            return settings_refuse("--at takes X,Y,Z,YAW,PITCH in voxels and degrees, such as "
                                   "--at=100,60,-40,180,-10",
                                   text, problem);
        }
        at = end + 1;
    }
    return true;
}

/// Reads frame numbers separated by commas, or one word.
static bool settings_read_pictures(void *target, const char *text, Message *problem)
{
    Settings *settings = target;
    static const char every[] = "every=";
    int64_t step;
    settings->pictures = text;
    if (strncmp(text, every, sizeof every - 1) == 0) {
        return option_read_whole(text + sizeof every - 1, 1, SETTINGS_FRAMES_MAX, &step) ||
               settings_refuse("--pictures every=N takes a number of frames", text, problem);
    }
    const char *at = text;
    do {
        char *end;
        if (*at < '0' || *at > '9' || strtol(at, &end, 10) > SETTINGS_FRAMES_MAX ||
            (*end != ',' && *end != '\0')) {
            return settings_refuse(
                "--pictures takes frames with commas between, such as 0,60,120, or "
                "every=60",
                text, problem);
        }
        at = *end ? end + 1 : NULL;
    } while (at);
    return true;
}

static bool settings_read_video(void *target, const char *text, Message *problem)
{
    Settings *settings = target;
    (void)text;
    return settings_read_pictures(settings, "every=1", problem);
}

static bool settings_read_benchmark(void *target, const char *text, Message *problem)
{
    Settings *settings = target;
    settings->benchmark = text;
    settings->headless = true;
    return text[0] || message_set(problem, "--benchmark takes the name of a folder.");
}

/// Returns the row of a word of --look. @param length  of its name
static const Setting *settings_look_row(const char *word, size_t length)
{
    for (const Setting *row = settings_row(0); row->name; row++) {
        if (row->shows & OPTION_INNER && strlen(row->name) == length &&
            memcmp(row->name, word, length) == 0) {
            return row;
        }
    }
    return NULL;
}

/// Reads "time=18.5", "clouds" or "no-clouds".
static bool settings_read_look_word(Settings *settings, const char *word, size_t length)
{
    char value[24] = "";
    Message unused;
    const char *equals = memchr(word, '=', length);
    const bool off = !equals && length > 3 && memcmp(word, "no-", 3) == 0;
    const size_t begin = off ? 3 : 0, end = equals ? (size_t)(equals - word) : length;
    const Setting *row = settings_look_row(word + begin, end - begin);
    if (!row || (row->kind == OPTION_MAYBE) == (equals != NULL) || length - end > sizeof value) {
        return false;
    }
    if (equals) {
        memcpy(value, equals + 1, length - end - 1);
    } else {
        (void)snprintf(value, sizeof value, off ? "no" : "yes");
    }
    settings->given[row - settings_row(0)] = true;
    const bool good = option_read(row, settings, value, "", &unused);
    if (good && row == settings_row_of(settings, &settings->quality)) {
        settings_set_quality(settings, settings->quality);
    }
    return good;
}

static bool settings_read_look(void *target, const char *text, Message *problem)
{
    Settings *settings = target;
    Settings changed = *settings;
    while (*text) {
        const size_t length = strcspn(text, ",");
        if (!settings_read_look_word(&changed, text, length)) {
            return message_set(problem,
                               "--look does not know '%.*s': it takes quality=low|medium|high, "
                               "time=0..24, weather=clear|rain, scale=0.25..2, samples=1..16, "
                               "debug=NAME and switches "
                               "such as no-haze; --help lists them.",
                               (int)(length > 40 ? 40 : length), text);
        }
        text += length + (text[length] == ',');
    }
    *settings = changed;
    return true;
}

// ---- the table ----------------------------------------------------------------------------------

#define AT(field) .offset = offsetof(Settings, field)
#define RANGE(low_, high_, usual_) .low = (low_), .high = (high_), .usual = (usual_)
#define LINE OPTION_ON_LINE
#define LOOK OPTION_INNER
#define FILED SETTING_IN_FILE
#define MENU SETTING_IN_MENU
#define PANEL SETTING_IN_PANEL

#define JUMP_HEIGHT (TRN_BODY_JUMP_SPEED * TRN_BODY_JUMP_SPEED / (2 * TRN_BODY_GRAVITY))
#define PLAYER(field, low_, high_, usual_, unit_, label_, help_)                                   \
    {                                                                                              \
        "player", #field, NULL, label_, help_, OPTION_NUMBER, AT(player.field),                    \
            RANGE(low_, high_, usual_), .unit = (unit_), .shows = LINE | FILED | PANEL             \
    }
#define SWITCH(section_, name_, field, usual_, shows_, effect_, label_, help_)                     \
    {                                                                                              \
        section_, name_, NULL, label_, help_, OPTION_SWITCH, AT(field), RANGE(0, 1, usual_),       \
            .words = SWITCH_WORDS, .shows = (shows_), .effect = (effect_)                          \
    }
#define DRAW(name_, which, usual_, label_, help_)                                                  \
    {                                                                                              \
        "view", name_, NULL, label_, help_, OPTION_MAYBE, AT(on[which]), RANGE(0, 2, usual_),      \
            .words = SWITCH_WORDS, .shows = LOOK | FILED | PANEL, .effect = SETTING_EFFECT_LOOK    \
    }
#define TEXT(name_, field, argument_, takes_, help_)                                               \
    {                                                                                              \
        "run", name_, NULL, NULL, help_, OPTION_TEXT, AT(field),                                   \
            .takes = (takes_), .argument = (argument_), .shows = LINE                              \
    }
#define OTHER(section_, name_, read_, argument_, help_)                                            \
    {                                                                                              \
        section_, name_, NULL, NULL, help_, OPTION_OTHER, .read = (read_),                         \
                                                          .argument = (argument_), .shows = LINE   \
    }
#define FLAG(name_, field, help_) SWITCH("run", name_, field, 0, LINE, 0, NULL, help_)

// clang-format off
const Option SETTINGS[] = {
    // This run only.
    TEXT("flight", flight, "FILE", "the name of a flight file",
         "play a flight or a recording, then hand over the controls; docs/flights.md describes "
         "the file"),
    FLAG("demo", demo,
         "start with the demo: the recorded walk of the preset, or a flight where the walk does "
         "not fit the land; any control takes over"),
    TEXT("world", world, "FILE", "the name of a world file",
         "open a world, or create it with --seed and --preset, and keep in it what you dig and "
         "build, your place and the time of day; with --headless it is only read"),
    TEXT("name", name, "NAME", "a name", "what other players of a shared world call you"),
    TEXT("hints", hints, "URL", "the URL of a NATS server, such as nats://host:4222",
         "in a shared world, learn of changes and of players' places by this server; without it, "
         "by the database alone"),
    SWITCH("run", "start", start, 1, LINE, 0, NULL,
           "begin with the start screen, unless an option says what to do; --no-start begins at "
           "once, and saves nothing"),
    TEXT("worlds", worlds, "DIR", "the name of a folder",
         "the folder of the start screen's worlds, not ~/.local/share/terrane/worlds"),
    TERRAIN_CHOICE_ROWS("run", Settings, seed, choice),
    OTHER("run", "at", settings_read_place, "X,Y,Z,YAW,PITCH",
          "stand and look there, in voxels and degrees, instead of flying; when the window closes, "
          "the viewer prints where you were. Also takes a link (terrane://...), which names the "
          "land and the time as well, and needs no --at before it; a key copies the link to where "
          "you are"),
    OTHER("run", "look", settings_read_look, "WORDS", "settings of the picture; listed below"),
    OTHER("run", "size", settings_read_size, "WxH", "size of the window or picture, in pixels"),
    TEXT("out", out, "DIR", "the name of a folder",
         "folder for pictures and recordings; created if missing, but not its parent folders; "
         "without it a window takes the folder of your pictures, else the current one"),
    FLAG("headless", headless,
         "fly without a window, write DIR/flight.png and print how long Terrane, a flat spatial "
         "array, boost::unordered_flat_map (if it is built in) and std::unordered_map take to "
         "gather the same chunks"),
    {"run", "frames", NULL, NULL,
     "how many frames a headless flight takes, or after how many a recording ends; a frame is "
     "1/60 s", OPTION_WHOLE, AT(frames), RANGE(1, SETTINGS_FRAMES_MAX, 240),
     .shows = LINE},
    TEXT("csv", csv, "FILE", "the name of a file",
         "with --headless: write all figures, one row a frame"),
    OTHER("run", "pictures", settings_read_pictures, "LIST",
          "with --headless: write these frames as pictures, DIR/frame-00060.png and so on; LIST is "
          "0,60,120 or every=60"),
    OTHER("run", "video", settings_read_video, NULL,
          "write every frame as a picture; docs/flights.md says how to make a film of them"),
    TEXT("record", record, "FILE", "the name of a file",
         "record the flight and all edits, to play with --flight; in the window, F8 does the same"),
    OTHER("run", "benchmark", settings_read_benchmark, "DIR",
          "fly all built-in flights, or --flight alone, in steps of 1/60 s, and write a report "
          "with tables, plots and pictures: DIR/report.html"),
    TEXT("record-trace", trace, "FILE", "the name of a file",
         "record all chunk operations of every frame, for terrane-bench lookup --trace FILE"),
    FLAG("gl-debug", gl_debug,
         "let the graphics driver check every call and print errors, which is slower; a headless "
         "flight with an error ends with exit code 1"),
    FLAG("gl-es", gl_es,
         "draw with OpenGL ES 3.0, as a browser does, and not with OpenGL 3.3; pictures differ by "
         "rounding alone"),
    TEXT("settings", file, "FILE", "the name of a file",
         "read and save settings in this file, not in ~/.config/terrane/viewer.ini; it is created "
         "if missing"),
    {"run", "write-settings", NULL, NULL,
          "write that file with all settings, for you to edit, and exit; an existing file is not "
          "changed", OPTION_FLAG,
     AT(writes)},

    {"mouse", "sensitivity", NULL, "Mouse speed", "how fast the mouse turns the view",
     OPTION_NUMBER, AT(sensitivity), RANGE(0.05, 20, 1), .unit = "%.2f",
     .shows = LINE | FILED | MENU | PANEL},
    SWITCH("mouse", "invert", invert, 0, LINE | FILED | MENU | PANEL, 0,
           "Mouse forward looks down", "moving the mouse or stick forward looks down"),

    {"gamepad", "turn_speed", NULL, "Stick speed",
     "how fast a fully pushed stick turns the view, in degrees a second",
     OPTION_NUMBER, AT(turn_speed), RANGE(10, 720, 150), .unit = "%.0f degrees/s",
     .shows = LINE | FILED | PANEL},
    {"gamepad", "dead_zone", NULL, "Stick dead zone",
     "part of a stick's range that is ignored; raise it if the view drifts",
     OPTION_NUMBER, AT(dead_zone), RANGE(0, 0.9, INPUT_DEAD_ZONE), .unit = "%.2f",
     .shows = LINE | FILED | PANEL},

    {"view", "distance", "view-distance", "View distance",
     "how far to see, in chunks of 32 blocks; 'auto': 128 with a graphics card, 32 with software "
     "rendering",
     OPTION_WHOLE, AT(view_distance),
     RANGE(WORLD_VIEW_DISTANCE_MIN, WORLD_FAR_DISTANCE_MAX, 0), .instead = "auto",
     .unit = "%d chunks", .shows = LINE | FILED | MENU | PANEL, .effect = SETTING_EFFECT_STREAM},
    {"view", "detail_distance", NULL, "Full detail",
     "how far the land is in full detail, in chunks; beyond, it gets coarser with the distance; "
     "'auto': 16, in a window with software rendering 10",
     OPTION_WHOLE, AT(detail_distance),
     RANGE(WORLD_VIEW_DISTANCE_MIN, WORLD_VIEW_DISTANCE_MAX, 0), .instead = "auto",
     .unit = "%d chunks", .shows = LINE | FILED | PANEL, .effect = SETTING_EFFECT_STREAM},
    {"view", "height", "view-height", "View height",
     "how far full detail reaches up and down, in chunks; 'distance': as far as to the sides",
     OPTION_WHOLE, AT(view_height), RANGE(WORLD_VIEW_HEIGHT_MIN, WORLD_VIEW_DISTANCE_MAX, 0),
     .instead = "distance", .unit = "%d chunks", .shows = LINE | FILED | PANEL,
     .effect = SETTING_EFFECT_STREAM},
    {"view", "field_of_view", NULL, "Field of view",
     "angle that the view covers from bottom to top, in degrees",
     OPTION_NUMBER, AT(field_of_view),
     RANGE((double)CAMERA_FIELD_OF_VIEW_MIN, (double)CAMERA_FIELD_OF_VIEW_MAX,
           (double)CAMERA_FIELD_OF_VIEW),
     .unit = "%.0f degrees", .shows = LINE | FILED | MENU | PANEL},
    {"view", "time", NULL, "Time of day", "hour of the day; 12 is noon",
     OPTION_NUMBER, AT(hours), RANGE(0, 24, 9), .shows = LOOK | FILED | MENU | PANEL,
     .effect = SETTING_EFFECT_LOOK},
    {"view", "weather", NULL, "Weather",
     "rain, and snow where it is cold; 'auto': now and then, but never with --headless",
     OPTION_CHOICE, AT(weather), RANGE(0, SETTINGS_WEATHER_AUTO, SETTINGS_WEATHER_AUTO),
     .words = WEATHERS, .shows = LOOK | FILED | MENU | PANEL},
    {"view", "quality", NULL, "Picture quality",
     "detail of light, clouds and waves; 'auto': as the graphics driver suggests",
     OPTION_CHOICE, AT(quality), RANGE(0, SETTINGS_QUALITY_AUTO, SETTINGS_QUALITY_AUTO),
     .words = QUALITIES, .shows = LOOK | FILED | MENU | PANEL, .effect = SETTING_EFFECT_LOOK},
    {"view", "scale", NULL, "Resolution",
     "resolution as a multiple of the window's; less is faster, more is smoother",
     OPTION_NUMBER, AT(scale), RANGE((double)LOOK_SCALE_MIN, (double)LOOK_SCALE_MAX, 1),
     .unit = "%.2f", .shows = LOOK | FILED | PANEL, .effect = SETTING_EFFECT_TARGET},
    SWITCH("view", "adapt", adapt, 1, LINE | FILED | PANEL, 0, "Adapt to slow drawing",
           "lower resolution, quality and view while fewer than 20 frames a second are drawn"),
    {"view", "samples", NULL, "Edge smoothing",
     "samples for each pixel (anti-aliasing); 'auto': 4 on a graphics card, otherwise 1",
     OPTION_WHOLE, AT(samples), RANGE(1, 16, 0), .instead = "auto", .unit = "%d samples",
     .shows = LOOK | FILED | PANEL, .effect = SETTING_EFFECT_TARGET},
    DRAW("occlusion", LOOK_OCCLUSION, 1, "Skip hidden land", "skip chunks that others hide"),
    DRAW("textures", LOOK_TEXTURES, 1, "Textures", "pictures on blocks instead of plain colours"),
    DRAW("ao", LOOK_AO, 1, "Dark corners", "darker corners where blocks meet (ambient occlusion)"),
    DRAW("skylight", LOOK_SKYLIGHT, 1, "Skylight", "darker under trees and in caves"),
    DRAW("shadows", LOOK_SHADOWS, 2, "Sun shadows",
         "shadows of the sun; 'auto': except at low quality"),
    DRAW("haze", LOOK_HAZE, 1, "Haze", "distant land fades into the colour of the sky"),
    DRAW("clouds", LOOK_CLOUDS, 1, "Clouds", "clouds in the sky"),
    DRAW("waves", LOOK_WAVES, 1, "Waves", "waves on water"),
    DRAW("reflections", LOOK_REFLECTIONS, 1, "Reflections",
         "land mirrored in water, at high quality"),
    DRAW("sway", LOOK_SWAY, 2, "Swaying plants",
         "plants and leaves move in the wind; 'auto': except at low quality"),
    DRAW("plants", LOOK_PLANTS, 1, "Plants", "grass and flowers"),
    DRAW("tone", LOOK_TONE, 1, "Soft highlights", "bright light keeps its colours"),
    DRAW("lamp", LOOK_LAMP, 0, "Lamp", "carry a lamp, which shines underground"),
    DRAW("holes", LOOK_HOLES, 2, "Leaf holes", "holes in leaves; 'auto': at high quality"),
    {"view", "debug", NULL, "Debug view", "show something else instead of the picture",
     OPTION_CHOICE, AT(debug), RANGE(0, LOOK_DEBUG_COUNT - 1, 0), .words = DEBUG_VIEWS,
     .shows = LOOK | PANEL, .effect = SETTING_EFFECT_LOOK},
    SWITCH("view", "index_view", index_view, 0, LINE | PANEL, 0, "Show the index",
           "show the pages of the chunk index in the world, and as slices in a panel; with "
           "--headless, write the slices to DIR/index-slices.png"),
    SWITCH("view", "figures", figures, 0, LINE | FILED | PANEL, 0, "Figures",
           "show panels with times, memory and chunk counts"),
    SWITCH("view", "compare", compare, 1, LINE | FILED | PANEL, 0, "Compare speed",
           "after every frame, gather the same chunks from other containers and show their times"),
    {"view", "container", NULL, "Land is found by",
     "the container that the frame itself gathers its chunks from",
     OPTION_CHOICE, AT(lookup), RANGE(0, GATHER_COUNT - 1, 0), .words = CONTAINERS,
     .shows = PANEL},

    {"window", "width", "", "Window width", "width of the window, in pixels", OPTION_WHOLE,
     AT(width), RANGE(16, 8192, 1280), .unit = "%d", .shows = FILED,
     .effect = SETTING_EFFECT_RESTART},
    {"window", "height", "", "Window height", "height of the window, in pixels", OPTION_WHOLE,
     AT(height), RANGE(16, 8192, 720), .unit = "%d", .shows = FILED,
     .effect = SETTING_EFFECT_RESTART},
    SWITCH("window", "full_screen", full_screen, 0, LINE | FILED | MENU | PANEL,
           SETTING_EFFECT_WINDOW, "Full screen", "fill the screen"),
    {"window", "frame_limit", NULL, "Frame limit",
     "most frames a second, which saves power; 'none': as many as the screen shows",
     OPTION_WHOLE, AT(frame_limit), RANGE(1, 1000, 0), .instead = "none",
     .unit = "%d frames/s", .shows = LINE | FILED | PANEL},
    SWITCH("window", "screenshot_panels", screenshot_panels, 0, LINE | FILED | PANEL, 0,
           "Screenshots show panels", "include the panels in screenshots"),

    SWITCH("player", "attract", attract, 1, LINE | FILED | PANEL, 0, "Demo when idle",
           "play the demo after a minute without input, while the window has the focus; not in a "
           "world that you have chosen"),
    SWITCH("player", "flowing_water", flows, 1, LINE | FILED | PANEL, 0, "Flowing water",
           "water and lava flow, and the sea fills what you dig next to it"),
    // In the fastest flight a step is 33 voxels and the speed 4,000: within the limits of sweeps
    // and bodies.
    PLAYER(walk_speed, 0.5, 50, TRN_BODY_WALK_SPEED, "%.1f blocks/s", "Walking speed",
           "speed on foot, in blocks a second"),
    PLAYER(sprint_factor, 1, 10, 2, "%.1f times", "Sprinting",
           "speed while sprinting, as a multiple of the walking speed"),
    PLAYER(sneak_factor, 0.1, 1, 0.3, "%.1f times", "Sneaking",
           "speed while sneaking, as a multiple of the walking speed"),
    PLAYER(swim_speed, 0.5, 50, TRN_BODY_SWIM_SPEED, "%.1f blocks/s", "Swimming speed",
           "speed in water, in blocks a second"),
    PLAYER(climb_speed, 0.5, 50, TRN_BODY_CLIMB_SPEED, "%.1f blocks/s", "Climbing speed",
           "speed on ladders, in blocks a second"),
    PLAYER(fly_speed, 1, 1000, 24, "%.0f blocks/s", "Flying speed",
           "speed in flight, in blocks a second"),
    PLAYER(fly_factor, 1, 4, 4, "%.1f times", "Sprinting in flight",
           "speed while sprinting in flight, as a multiple of the flying speed"),
    SWITCH("player", "fly_along_view", player.fly_along_view, 0, LINE | FILED | PANEL, 0,
           "Fly along the view",
           "forward in flight climbs and falls with the view; otherwise flight stays level"),
    PLAYER(gravity, 0, 200, TRN_BODY_GRAVITY, "%.0f", "Gravity",
           "how fast falls get faster, in blocks a second each second"),
    PLAYER(jump_height, 0, 32, JUMP_HEIGHT, "%.2f blocks", "Jump height",
           "height of a jump, in blocks"),
    PLAYER(step_height, 0, 1, 1, "%.2f blocks", "Step height",
           "height that is climbed without a jump, in blocks"),
    PLAYER(reach, 1, 64, 6, "%.0f blocks", "Reach",
           "how far away you can dig and build, in blocks from the eyes"),
    {"player", "bob", NULL, "Head bobbing", "how much the head moves while walking",
     OPTION_NUMBER, AT(player.bob), RANGE(0, 1, 1), .unit = "%.2f",
     .shows = LINE | FILED | MENU | PANEL},

    {"memory", "limit_mib", "memory", "Memory limit",
     "most memory for chunks and meshes, in MiB; if the view does not fit, it gets smaller",
     OPTION_WHOLE, AT(memory_mib), RANGE(16, 1048576, 0), .instead = "none", .unit = "%d MiB",
     .shows = LINE | FILED | PANEL, .effect = SETTING_EFFECT_STREAM},
    {"memory", "workers", NULL, "Loading threads",
     "threads that generate and mesh chunks; 'auto': one fewer than the cores, but two on two "
     "cores; 0: none, this work is done between frames",
     OPTION_WHOLE, AT(workers), RANGE(0, TRN_STREAM_WORKER_MAX, -1), .instead = "auto",
     .unit = "%d", .shows = LINE | FILED | PANEL, .effect = SETTING_EFFECT_STREAM},
    {"memory", "update_ms", NULL, "Loading time a frame",
     "time of each frame for loading, in milliseconds; 'auto': 2, or 4 without workers, and "
     "more if drawing is slow",
     OPTION_NUMBER, AT(update_ms), RANGE(0.2, 50, 0), .instead = "auto", .unit = "%.1f ms",
     .shows = LINE | FILED | PANEL},
    // In flight, uploads reach a tenth of the default. Uploading a whole view at once takes some 40
    // frames at a distance of 16, some 150 at 32.
    {"memory", "upload_kib", NULL, "New land a frame",
     "new meshes sent to the graphics card in a frame, in KiB; edits do not count",
     OPTION_WHOLE, AT(upload_kib), RANGE(64, 65536, QUAD_BUFFER_UPLOAD_KIB), .unit = "%d KiB",
     .shows = LINE | FILED | PANEL},
    {0},
};
// clang-format on

#define SETTING_COUNT (sizeof SETTINGS / sizeof SETTINGS[0] - 1)
_Static_assert(SETTING_COUNT <= OPTIONS_ROWS_MAX, "Settings.given has a place for each row");

static const char *const SECTIONS[] = {"keys",   "mouse",  "gamepad", "view",
                                       "window", "player", "memory"};

const Setting *settings_row(size_t i)
{
    return i < SETTING_COUNT ? &SETTINGS[i] : NULL;
}

const Setting *settings_row_of(const Settings *settings, const void *field)
{
    return option_of(SETTINGS, (size_t)((const char *)field - (const char *)settings));
}

const char *settings_section(size_t i)
{
    return i < sizeof SECTIONS / sizeof SECTIONS[0] ? SECTIONS[i] : NULL;
}

bool settings_is_given(const Settings *settings, const void *field)
{
    const Setting *row = settings_row_of(settings, field);
    return row && settings->given[row - SETTINGS];
}

bool settings_differ(const Settings *a, const Settings *b)
{
    bool differs = memcmp(&a->bindings, &b->bindings, sizeof a->bindings) != 0;
    for (const Setting *row = SETTINGS; row->name && !differs; row++) {
        differs = option_differs(row, a, b);
    }
    return differs;
}

Settings settings_default(void)
{
    Settings settings = {.out = ".",
                         .seed = trn_terrain_def().seed,
                         .land_version = TRN_TERRAIN_VERSION,
                         .shape = trn_terrain_shape_default(),
                         .bindings = input_bindings_default()};
    options_default(SETTINGS, &settings);
    return settings;
}

// ---- the menu -----------------------------------------------------------------------------------

/// "1 blocks/s" becomes "1 block/s".
static void settings_make_singular(OptionText *text)
{
    char *const unit = text->text + strlen("1 ");
    if (strncmp(text->text, "1 ", strlen("1 ")) == 0) {
        char *const end = unit + strcspn(unit, "/");
        if (end > unit && end[-1] == 's') {
            memmove(end - 1, end, strlen(end) + 1);
        }
    }
}

OptionText setting_value(const Setting *row, const Settings *settings)
{
    OptionText text = option_text(row, settings);
    const double number = option_number(row, settings);
    const bool is_switch = row->kind == OPTION_SWITCH || row->kind == OPTION_MAYBE;
    if (is_switch && number < SETTINGS_SWITCH_AUTO) {
        (void)snprintf(text.text, sizeof text.text, number > 0 ? "on" : "off");
    } else if (row == settings_row_of(settings, &settings->hours)) {
        const int minutes = (int)(number * 60 + 0.5) % (24 * 60);
        (void)snprintf(text.text, sizeof text.text, "%d:%02d", minutes / 60, minutes % 60);
    } else if (row->unit && !(row->instead && number == option_instead(row))) {
        // NOLINTBEGIN(clang-diagnostic-format-nonliteral): the table's own formats
        if (row->kind == OPTION_WHOLE) {
            (void)snprintf(text.text, sizeof text.text, row->unit, (int)number);
        } else {
            (void)snprintf(text.text, sizeof text.text, row->unit, number);
        }
        // NOLINTEND(clang-diagnostic-format-nonliteral)
        settings_make_singular(&text);
    }
    return text;
}

// ---- several rows at once -----------------------------------------------------------------------

void settings_set_quality(Settings *settings, int quality)
{
    settings->quality = quality;
    for (int i = 0; i < LOOK_SWITCH_COUNT; i++) {
        const Setting *row = settings_row_of(settings, &settings->on[i]);
        settings->on[i] =
            row->usual == SETTINGS_SWITCH_AUTO ? SETTINGS_SWITCH_AUTO : settings->on[i];
    }
}

void settings_take_file(Settings *settings, const Settings *file)
{
    settings->bindings = file->bindings;
    for (const Setting *row = SETTINGS; row->name; row++) {
        if (row->shows & SETTING_IN_FILE && !settings->given[row - SETTINGS]) {
            option_copy(row, settings, file);
        }
    }
}
