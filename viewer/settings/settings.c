#include "settings/settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/stream.h>
#include <terrane/terrain.h>

#include "arguments.h"
#include "gather/gather_compare.h"
#include "render/camera.h"
#include "settings/share.h"
#include "world/world.h"

// ---- values that one kind does not cover --------------------------------------------------------

static const char *const QUALITIES[] = {"low", "medium", "high", "auto", NULL};
static const char *const DEBUG_VIEWS[] = {"none",     "wireframe", "chunks", "states", "faces",
                                          "overdraw", "depth",     "light",  NULL};
static const char *const CONTAINERS[] = {"index", "array", "flat_map", "map", NULL};
static const char *const WEATHERS[] = {"clear", "rain", "auto", NULL};
static const char *const SWITCH_WORDS[] = {"no", "yes", "auto", NULL};
_Static_assert(sizeof DEBUG_VIEWS / sizeof *DEBUG_VIEWS == LOOK_DEBUG_COUNT + 1, "a word for each");
_Static_assert(sizeof CONTAINERS / sizeof *CONTAINERS == GATHER_CHOICES + 1, "a word for each");

static bool refuse(const char *takes, const char *text, Message *problem)
{
    return message_set(problem, "%s, not '%s'.", takes, message_short(text).text);
}

static bool read_size(Settings *settings, const char *text, Message *problem)
{
    const Setting *width = settings_row_of(settings, &settings->width);
    const int low = (int)width->low, high = (int)width->high;
    if (!argument_size(text, low, high, &settings->width, &settings->height)) {
        return message_set(problem,
                           "--size takes WIDTHxHEIGHT in pixels, each from %d to %d, such as "
                           "1280x720, not '%s'.",
                           low, high, message_short(text).text);
    }
    settings->given[width - settings_row(0)] = true;
    settings->given[settings_row_of(settings, &settings->height) - settings_row(0)] = true;
    return true;
}

static bool read_seed(Settings *settings, const char *text, Message *problem)
{
    settings->has_seed = true;
    return argument_seed(text, &settings->seed) ||
           refuse("--seed takes a whole number from 0 to 18446744073709551615", text, problem);
}

static void set_given(Settings *settings, const void *field)
{
    settings->given[settings_row_of(settings, field) - settings_row(0)] = true;
}

static bool read_link(Settings *settings, const char *text, Message *problem)
{
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
    set_given(settings, &settings->hours);
    return true;
}

/// X,Y,Z,YAW,PITCH: five numbers with commas between; or a link to a place.
static bool read_place(Settings *settings, const char *text, Message *problem)
{
    const char *at = text;
    if (share_is(text)) {
        return read_link(settings, text, problem);
    }
    settings->placed = true;
    for (int i = 0; i < 5; i++) {
        char *end;
        settings->at[i] = strtod(at, &end);
        if (end == at || !isfinite(settings->at[i]) || *end != (i < 4 ? ',' : 0)) {
            return refuse("--at takes X,Y,Z,YAW,PITCH in voxels and degrees, such as "
                          "--at=100,60,-40,180,-10",
                          text, problem);
        }
        at = end + 1;
    }
    return true;
}

/// Numbers of frames with commas between, or one word.
static bool read_pictures(Settings *settings, const char *text, Message *problem)
{
    static const char every[] = "every=";
    int64_t step;
    settings->pictures = text;
    if (strncmp(text, every, sizeof every - 1) == 0) {
        return argument_integer(text + sizeof every - 1, 1, SETTINGS_FRAMES_MAX, &step) ||
               refuse("--pictures every=N takes a number of frames", text, problem);
    }
    const char *at = text;
    do {
        char *end;
        if (*at < '0' || *at > '9' || strtol(at, &end, 10) > SETTINGS_FRAMES_MAX ||
            (*end != ',' && *end != '\0')) {
            return refuse("--pictures takes frames with commas between, such as 0,60,120, or "
                          "every=60",
                          text, problem);
        }
        at = *end ? end + 1 : NULL;
    } while (at);
    return true;
}

static bool read_video(Settings *settings, const char *text, Message *problem)
{
    (void)text;
    return read_pictures(settings, "every=1", problem);
}

static bool read_benchmark(Settings *settings, const char *text, Message *problem)
{
    settings->benchmark = text;
    settings->headless = true;
    return text[0] || message_set(problem, "--benchmark takes the name of a folder.");
}

static bool read_write(Settings *settings, const char *text, Message *problem)
{
    (void)text;
    (void)problem;
    settings->action = SETTINGS_ACTION_WRITE;
    return true;
}

static bool read_help(Settings *settings, const char *text, Message *problem)
{
    (void)text;
    (void)problem;
    settings->action = SETTINGS_ACTION_HELP;
    return true;
}

static bool read_version(Settings *settings, const char *text, Message *problem)
{
    (void)text;
    (void)problem;
    settings->action = SETTINGS_ACTION_VERSION;
    return true;
}

/// The row behind a word of --look. @param length  of its name
static const Setting *look_row(const char *word, size_t length)
{
    for (const Setting *row = settings_row(0); row->name; row++) {
        if (row->shows & SETTING_IN_LOOK && strlen(row->name) == length &&
            memcmp(row->name, word, length) == 0) {
            return row;
        }
    }
    return NULL;
}

/// "time=18.5", "clouds" or "no-clouds".
static bool read_look_word(Settings *settings, const char *word, size_t length)
{
    char value[24] = "";
    Message unused;
    const char *equals = memchr(word, '=', length);
    const bool off = !equals && length > 3 && memcmp(word, "no-", 3) == 0;
    const size_t begin = off ? 3 : 0, end = equals ? (size_t)(equals - word) : length;
    const Setting *row = look_row(word + begin, end - begin);
    if (!row || (row->kind == SETTING_LOOK_SWITCH) == (equals != NULL) ||
        length - end > sizeof value) {
        return false;
    }
    if (equals) {
        memcpy(value, equals + 1, length - end - 1);
    } else {
        (void)snprintf(value, sizeof value, off ? "no" : "yes");
    }
    settings->given[row - settings_row(0)] = true;
    const bool good = setting_read(row, settings, value, "", &unused);
    if (good && row == settings_row_of(settings, &settings->quality)) {
        settings_set_quality(settings, settings->quality);
    }
    return good;
}

static bool read_look(Settings *settings, const char *text, Message *problem)
{
    Settings changed = *settings;
    while (*text) {
        const size_t length = strcspn(text, ",");
        if (!read_look_word(&changed, text, length)) {
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
#define LINE SETTING_ON_LINE
#define LOOK SETTING_IN_LOOK
#define FILED SETTING_IN_FILE
#define MENU SETTING_IN_MENU
#define PANEL SETTING_IN_PANEL

#define PLAYER(field, low_, high_, usual_, unit_, label_, help_)                                   \
    {                                                                                              \
        "player", #field, NULL, label_, help_, SETTING_NUMBER, AT(player.field),                   \
            RANGE(low_, high_, usual_), .unit = (unit_), .shows = LINE | FILED | PANEL             \
    }
#define SWITCH(section_, name_, field, usual_, shows_, effect_, label_, help_)                     \
    {                                                                                              \
        section_, name_, NULL, label_, help_, SETTING_SWITCH, AT(field), RANGE(0, 1, usual_),      \
            .words = SWITCH_WORDS, .shows = (shows_), .effect = (effect_)                          \
    }
#define DRAW(name_, which, usual_, label_, help_)                                                  \
    {                                                                                              \
        "view", name_, NULL, label_, help_, SETTING_LOOK_SWITCH, AT(on[which]),                    \
            RANGE(0, 2, usual_), .words = SWITCH_WORDS, .shows = LOOK | FILED | PANEL,             \
                                 .effect = SETTING_EFFECT_LOOK                                     \
    }
#define TEXT(name_, field, argument_, takes_, help_)                                               \
    {                                                                                              \
        "run", name_, NULL, NULL, help_, SETTING_TEXT, AT(field),                                  \
            .takes = (takes_), .argument = (argument_), .shows = LINE                              \
    }
#define OTHER(section_, name_, read_, argument_, help_)                                            \
    {                                                                                              \
        section_, name_, NULL, NULL, help_, SETTING_OTHER, .read = (read_),                        \
                                                           .argument = (argument_), .shows = LINE  \
    }
#define FLAG(name_, field, help_) SWITCH("run", name_, field, 0, LINE, 0, NULL, help_)

// clang-format off
static const Setting SETTINGS[] = {
    // What this run does.
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
    SWITCH("run", "start", start, 1, LINE, 0, NULL,
           "begin with the start screen, unless an option says what to do; --no-start begins at "
           "once, and saves nothing"),
    TEXT("worlds", worlds, "DIR", "the name of a folder",
         "the folder of the start screen's worlds, not ~/.local/share/terrane/worlds"),
    OTHER("run", "seed", read_seed, "N", "which land to generate"),
    TEXT("preset", choice.preset, "NAME", "the name of a preset", "the shape of the land"),
    TEXT("terrain", choice.file, "FILE", "the name of a terrain file",
         "a file with a shape of your own, instead of a preset; docs/terrain.md describes it"),
    OTHER("run", "at", read_place, "X,Y,Z,YAW,PITCH",
          "stand and look there, in voxels and degrees, instead of flying; when the window closes, "
          "the viewer prints where you were. Also takes a link (terrane://...), which names the "
          "land and the time as well; a key copies the link to where you are"),
    OTHER("run", "look", read_look, "WORDS", "settings of the picture; listed below"),
    OTHER("run", "size", read_size, "WxH", "size of the window or picture, in pixels"),
    TEXT("out", out, "DIR", "the name of a folder",
         "folder for pictures; created if missing, but not its parent folders"),
    FLAG("headless", headless,
         "fly without a window, write DIR/flight.png and print how long Terrane, a flat spatial "
         "array, boost::unordered_flat_map (if it is built in) and std::unordered_map take to "
         "gather the same chunks"),
    {"run", "frames", NULL, NULL,
     "how many frames a headless flight takes, or after how many a recording ends; a frame is "
     "1/60 s", SETTING_WHOLE, AT(frames), RANGE(1, SETTINGS_FRAMES_MAX, 240),
     .shows = LINE},
    TEXT("csv", csv, "FILE", "the name of a file",
         "with --headless: write all figures, one row a frame"),
    OTHER("run", "pictures", read_pictures, "LIST",
          "with --headless: write these frames as pictures, DIR/frame-00060.png and so on; LIST is "
          "0,60,120 or every=60"),
    OTHER("run", "video", read_video, NULL,
          "write every frame as a picture; docs/flights.md says how to make a film of them"),
    TEXT("record", record, "FILE", "the name of a file",
         "record the flight and all edits, to play with --flight; in the window, F8 does the same"),
    OTHER("run", "benchmark", read_benchmark, "DIR",
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
    OTHER("run", "write-settings", read_write, NULL,
          "write that file with all settings, for you to edit, and exit; an existing file is not "
          "changed"),
    OTHER("run", "help", read_help, NULL, "print this help"),
    OTHER("run", "version", read_version, NULL, "print the version"),

    {"mouse", "sensitivity", NULL, "Mouse speed", "how fast the mouse turns the view",
     SETTING_NUMBER, AT(sensitivity), RANGE(0.05, 20, 1), .unit = "%.2f",
     .shows = LINE | FILED | MENU | PANEL},
    SWITCH("mouse", "invert", invert, 0, LINE | FILED | MENU | PANEL, 0,
           "Mouse forward looks down", "moving the mouse or stick forward looks down"),

    {"gamepad", "turn_speed", NULL, "Stick speed",
     "how fast a fully pushed stick turns the view, in degrees a second",
     SETTING_NUMBER, AT(turn_speed), RANGE(10, 720, 150), .unit = "%.0f degrees/s",
     .shows = LINE | FILED | PANEL},
    {"gamepad", "dead_zone", NULL, "Dead zone",
     "part of a stick's range that is ignored; raise it if the view drifts",
     SETTING_NUMBER, AT(dead_zone), RANGE(0, 0.9, 0.15), .unit = "%.2f",
     .shows = LINE | FILED | PANEL},

    {"view", "distance", "view-distance", "View distance",
     "how far to see, in chunks of 32 voxels; 'auto': 128 with a graphics card, 32 with software "
     "rendering",
     SETTING_WHOLE, AT(view_distance),
     RANGE(WORLD_VIEW_DISTANCE_MIN, WORLD_FAR_DISTANCE_MAX, 0), .instead = "auto",
     .unit = "%d chunks", .shows = LINE | FILED | MENU | PANEL, .effect = SETTING_EFFECT_STREAM},
    {"view", "detail_distance", NULL, "Full detail",
     "how far the land is in full detail, in chunks; beyond, it gets coarser with the distance; "
     "'auto': 16, in a window with software rendering 10",
     SETTING_WHOLE, AT(detail_distance),
     RANGE(WORLD_VIEW_DISTANCE_MIN, WORLD_VIEW_DISTANCE_MAX, 0), .instead = "auto",
     .unit = "%d chunks", .shows = LINE | FILED | PANEL, .effect = SETTING_EFFECT_STREAM},
    {"view", "height", "view-height", "View height",
     "how far full detail reaches up and down, in chunks; 'distance': as far as to the sides",
     SETTING_WHOLE, AT(view_height), RANGE(WORLD_VIEW_HEIGHT_MIN, WORLD_VIEW_DISTANCE_MAX, 0),
     .instead = "distance", .unit = "%d chunks", .shows = LINE | FILED | PANEL,
     .effect = SETTING_EFFECT_STREAM},
    {"view", "field_of_view", NULL, "Field of view",
     "angle that the view covers from bottom to top, in degrees",
     SETTING_NUMBER, AT(field_of_view), RANGE(30, 110, (double)CAMERA_FIELD_OF_VIEW),
     .unit = "%.0f degrees", .shows = LINE | FILED | MENU | PANEL},
    {"view", "time", NULL, "Time of day", "hour of the day; 12 is noon",
     SETTING_NUMBER, AT(hours), RANGE(0, 24, 9), .shows = LOOK | FILED | MENU | PANEL, .effect = SETTING_EFFECT_LOOK},
    {"view", "weather", NULL, "Weather",
     "rain, and snow where it is cold; 'auto': now and then, but never with --headless",
     SETTING_CHOICE, AT(weather), RANGE(0, SETTINGS_WEATHER_AUTO, SETTINGS_WEATHER_AUTO),
     .words = WEATHERS, .shows = LOOK | FILED | MENU | PANEL},
    {"view", "quality", NULL, "Picture quality",
     "detail of light, clouds and waves; 'auto': as the graphics driver suggests",
     SETTING_CHOICE, AT(quality), RANGE(0, SETTINGS_QUALITY_AUTO, SETTINGS_QUALITY_AUTO),
     .words = QUALITIES, .shows = LOOK | FILED | MENU | PANEL, .effect = SETTING_EFFECT_LOOK},
    {"view", "scale", NULL, "Resolution",
     "resolution as a multiple of the window's; less is faster, more is smoother",
     SETTING_NUMBER, AT(scale), RANGE((double)LOOK_SCALE_MIN, (double)LOOK_SCALE_MAX, 1),
     .unit = "%.2f", .shows = LOOK | FILED | PANEL, .effect = SETTING_EFFECT_TARGET},
    SWITCH("view", "adapt", adapt, 1, LINE | FILED | PANEL, 0, "Adapt to slow drawing",
           "lower resolution, quality and view while fewer than 20 frames a second are drawn"),
    {"view", "samples", NULL, "Edge smoothing",
     "samples for each pixel (anti-aliasing); 'auto': 4 on a graphics card, otherwise 1",
     SETTING_WHOLE, AT(samples), RANGE(1, 16, 0), .instead = "auto", .unit = "%d samples",
     .shows = LOOK | FILED | PANEL, .effect = SETTING_EFFECT_TARGET},
    DRAW("occlusion", LOOK_OCCLUSION, 1, "Occlusion culling", "skip chunks that others hide"),
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
    DRAW("tone", LOOK_TONE, 1, "Tone mapping", "bright light keeps its colours"),
    DRAW("lamp", LOOK_LAMP, 0, "Lamp", "carry a lamp, which shines underground"),
    DRAW("holes", LOOK_HOLES, 2, "Leaf holes", "holes in leaves; 'auto': at high quality"),
    {"view", "debug", NULL, "Debug view", "show something else instead of the picture",
     SETTING_CHOICE, AT(debug), RANGE(0, LOOK_DEBUG_COUNT - 1, 0), .words = DEBUG_VIEWS,
     .shows = LOOK | PANEL, .effect = SETTING_EFFECT_LOOK},
    SWITCH("view", "index_view", index_view, 0, LINE | PANEL, 0, "Index pages",
           "show the pages of the chunk index in the world, and as slices in a panel; with "
           "--headless, write the slices to DIR/index-slices.png"),
    SWITCH("view", "figures", figures, 0, LINE | FILED | PANEL, 0, "Figures",
           "show panels with times, memory and chunk counts"),
    SWITCH("view", "compare", compare, 1, LINE | FILED | PANEL, 0, "Compare containers",
           "after every frame, gather the same chunks from other containers and show their times"),
    {"view", "container", NULL, "Frame gathers from",
     "the container that the frame itself gathers its chunks from",
     SETTING_CHOICE, AT(lookup), RANGE(0, GATHER_COUNT - 1, 0), .words = CONTAINERS,
     .shows = PANEL},

    {"window", "width", "", "Window width", "width of the window, in pixels", SETTING_WHOLE,
     AT(width), RANGE(16, 8192, 1280), .unit = "%d", .shows = FILED,
     .effect = SETTING_EFFECT_RESTART},
    {"window", "height", "", "Window height", "height of the window, in pixels", SETTING_WHOLE,
     AT(height), RANGE(16, 8192, 720), .unit = "%d", .shows = FILED,
     .effect = SETTING_EFFECT_RESTART},
    SWITCH("window", "full_screen", full_screen, 0, LINE | FILED | MENU | PANEL,
           SETTING_EFFECT_WINDOW, "Full screen", "fill the screen"),
    {"window", "frame_limit", NULL, "Frame limit",
     "most frames a second, which saves power; 'none': as many as the screen shows",
     SETTING_WHOLE, AT(frame_limit), RANGE(10, 1000, 0), .instead = "none",
     .unit = "%d frames/s", .shows = LINE | FILED | PANEL},
    SWITCH("window", "screenshot_panels", screenshot_panels, 0, LINE | FILED | PANEL, 0,
           "Screenshots show panels", "include the panels in screenshots"),

    SWITCH("player", "attract", attract, 1, LINE | FILED | PANEL, 0, "Attract mode",
           "play the demo after a minute without input, while the window has the focus"),
    SWITCH("player", "flowing_water", flows, 1, LINE | FILED | PANEL, 0, "Flowing water",
           "water and lava flow, and the sea fills what you dig next to it"),
    // In the fastest flight a step is 33 voxels long, and a speed 4,000: what sweeps and bodies
    // take. A jump of 1.265625 voxels begins with 9 voxels/s under that gravity, as trn_body_def.
    PLAYER(walk_speed, 0.5, 50, 4.3, "%.1f voxels/s", "Walking speed",
           "speed on foot, in voxels a second"),
    PLAYER(sprint_factor, 1, 10, 2, "%.1f times", "Sprinting",
           "speed while sprinting, as a multiple of the walking speed"),
    PLAYER(sneak_factor, 0.1, 1, 0.3, "%.1f times", "Sneaking",
           "speed while sneaking, as a multiple of the walking speed"),
    PLAYER(swim_speed, 0.5, 50, 2.5, "%.1f voxels/s", "Swimming speed",
           "speed in water, in voxels a second"),
    PLAYER(climb_speed, 0.5, 50, 3, "%.1f voxels/s", "Climbing speed",
           "speed on ladders, in voxels a second"),
    PLAYER(fly_speed, 1, 1000, 24, "%.0f voxels/s", "Flying speed",
           "speed in flight, in voxels a second"),
    PLAYER(fly_factor, 1, 4, 4, "%.1f times", "Sprinting in flight",
           "speed while sprinting in flight, as a multiple of the flying speed"),
    SWITCH("player", "fly_along_view", player.fly_along_view, 0, LINE | FILED | PANEL, 0,
           "Fly along the view",
           "forward in flight climbs and falls with the view; otherwise flight stays level"),
    PLAYER(gravity, 0, 200, 32, "%.0f", "Gravity",
           "how fast falls get faster, in voxels a second each second"),
    PLAYER(jump_height, 0, 32, 1.265625, "%.2f voxels", "Jump height",
           "height of a jump, in voxels"),
    PLAYER(step_height, 0, 1, 1, "%.2f voxels", "Step height",
           "height that is climbed without a jump, in voxels"),
    PLAYER(reach, 1, 64, 6, "%.0f voxels", "Reach",
           "how far away you can dig and build, in voxels from the eyes"),
    {"player", "bob", NULL, "Head bobbing", "how much the head moves while walking",
     SETTING_NUMBER, AT(player.bob), RANGE(0, 1, 1), .unit = "%.2f",
     .shows = LINE | FILED | MENU | PANEL},

    {"memory", "limit_mib", "memory", "Memory limit",
     "most memory for chunks and meshes, in MiB; if the view does not fit, it gets smaller",
     SETTING_WHOLE, AT(memory_mib), RANGE(16, 1048576, 0), .instead = "none", .unit = "%d MiB",
     .shows = LINE | FILED | PANEL, .effect = SETTING_EFFECT_STREAM},
    {"memory", "workers", NULL, "Worker threads",
     "threads that generate and mesh chunks; 'auto': one fewer than the cores, but two on two "
     "cores; 0: none, this work is done between frames",
     SETTING_WHOLE, AT(workers), RANGE(0, TRN_STREAM_WORKER_MAX, -1), .instead = "auto",
     .unit = "%d", .shows = LINE | FILED | PANEL, .effect = SETTING_EFFECT_STREAM},
    {"memory", "update_ms", NULL, "Loading budget",
     "time of each frame for loading, in milliseconds; 'auto': 2, or 4 without workers, and "
     "more if drawing is slow",
     SETTING_NUMBER, AT(update_ms), RANGE(0.2, 50, 0), .instead = "auto", .unit = "%.1f ms",
     .shows = LINE | FILED | PANEL},
    // In flight it is a tenth of the default; a view of 16 that is loaded at once takes some 40
    // frames, one of 32 some 150.
    {"memory", "upload_kib", NULL, "Upload budget",
     "new meshes sent to the graphics card in a frame, in KiB; edits do not count",
     SETTING_WHOLE, AT(upload_kib), RANGE(64, 65536, 1024), .unit = "%d KiB",
     .shows = LINE | FILED | PANEL},
    {0},
};
// clang-format on

#define SETTING_COUNT (sizeof SETTINGS / sizeof SETTINGS[0] - 1)
_Static_assert(SETTING_COUNT <= SETTINGS_ROWS_MAX, "Settings.given has a place for each row");

static const char *const SECTIONS[] = {"keys",   "mouse",  "gamepad", "view",
                                       "window", "player", "memory"};

const Setting *settings_row(size_t i)
{
    return i < SETTING_COUNT ? &SETTINGS[i] : NULL;
}

const Setting *settings_row_of(const Settings *settings, const void *field)
{
    const size_t offset = (size_t)((const char *)field - (const char *)settings);
    for (const Setting *row = SETTINGS; row->name; row++) {
        if (row->kind != SETTING_OTHER && row->offset == offset) {
            return row;
        }
    }
    return NULL;
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

int setting_instead(const Setting *row)
{
    return row->low > 0 ? 0 : -1;
}

void setting_option(const Setting *row, char name[32])
{
    (void)snprintf(name, 32, "%s", row->option ? row->option : row->name);
    for (char *c = name; *c; c++) {
        *c = *c == '_' ? '-' : *c;
    }
}

// ---- numbers ------------------------------------------------------------------------------------

double setting_number(const Setting *row, const Settings *settings)
{
    const char *field = (const char *)settings + row->offset;
    double number;
    int whole;
    switch (row->kind) {
    case SETTING_NUMBER:
        memcpy(&number, field, sizeof number);
        return number;
    case SETTING_SWITCH:
        return *(const bool *)field;
    default:
        memcpy(&whole, field, sizeof whole);
        return whole;
    }
}

static void store_number(const Setting *row, Settings *settings, double number)
{
    char *field = (char *)settings + row->offset;
    const int whole = (int)number;
    if (row->kind == SETTING_NUMBER) {
        memcpy(field, &number, sizeof number);
    } else if (row->kind == SETTING_SWITCH) {
        *(bool *)field = number != 0;
    } else {
        memcpy(field, &whole, sizeof whole);
    }
}

static bool is_instead(const Setting *row, double number)
{
    return row->instead && number == setting_instead(row);
}

void setting_set_number(const Setting *row, Settings *settings, double number)
{
    if (isnan(number)) {
        number = row->usual;
    } else if (!is_instead(row, number)) {
        number = fmin(fmax(number, row->low), row->high);
    }
    store_number(row, settings, row->kind == SETTING_NUMBER ? number : rint(number));
}

static size_t field_bytes(const Setting *row)
{
    switch (row->kind) {
    case SETTING_NUMBER:
        return sizeof(double);
    case SETTING_SWITCH:
        return sizeof(bool);
    case SETTING_TEXT:
        return sizeof(const char *);
    case SETTING_OTHER:
        return 0;
    default:
        return sizeof(int);
    }
}

void setting_copy(const Setting *row, Settings *to, const Settings *from)
{
    memcpy((char *)to + row->offset, (const char *)from + row->offset, field_bytes(row));
}

bool setting_differs(const Setting *row, const Settings *a, const Settings *b)
{
    return memcmp((const char *)a + row->offset, (const char *)b + row->offset, field_bytes(row)) !=
           0;
}

bool settings_differ(const Settings *a, const Settings *b)
{
    bool differs = memcmp(&a->bindings, &b->bindings, sizeof a->bindings) != 0;
    for (const Setting *row = SETTINGS; row->name && !differs; row++) {
        differs = setting_differs(row, a, b);
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
    for (const Setting *row = SETTINGS; row->name; row++) {
        if (row->kind < SETTING_TEXT) {
            store_number(row, &settings, row->usual);
        }
    }
    return settings;
}

// ---- text to value ------------------------------------------------------------------------------

static bool read_number(const Setting *row, const char *text, double *number)
{
    char *end;
    int64_t whole;
    if (row->kind == SETTING_WHOLE) {
        const bool good = argument_integer(text, (int64_t)row->low, (int64_t)row->high, &whole);
        *number = good ? (double)whole : 0;
        return good;
    }
    *number = strtod(text, &end);
    return end != text && *end == '\0' && *number >= row->low && *number <= row->high;
}

static bool set_number(const Setting *row, Settings *settings, const char *text,
                       const char *subject, Message *problem)
{
    double number;
    if (row->instead && strcmp(text, row->instead) == 0) {
        number = setting_instead(row);
    } else if (!read_number(row, text, &number)) {
        return message_set(problem, "%s a %snumber from %.12g to %.12g%s%s, not '%s'.", subject,
                           row->kind == SETTING_WHOLE ? "whole " : "", row->low, row->high,
                           row->instead ? " or " : "", row->instead ? row->instead : "",
                           message_short(text).text);
    }
    store_number(row, settings, number);
    return true;
}

/// The place of a word, or -1.
static int find_word(const char *const *words, const char *text)
{
    for (int i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static bool set_switch(const Setting *row, Settings *settings, const char *text,
                       const char *subject, Message *problem)
{
    static const char *const words[] = {"no", "yes", "off", "on", "false", "true", "0", "1", NULL};
    const bool has_auto = row->kind == SETTING_LOOK_SWITCH;
    const int found = find_word(words, text);
    if (found < 0 && !(has_auto && strcmp(text, "auto") == 0)) {
        return message_set(problem, "%s yes%s no%s, not '%s'.", subject, has_auto ? "," : " or",
                           has_auto ? " or auto" : "", message_short(text).text);
    }
    store_number(row, settings, found < 0 ? SETTINGS_SWITCH_AUTO : found % 2);
    return true;
}

SettingText setting_words(const Setting *row, const char *last)
{
    SettingText list = {""};
    for (int i = 0; row->words[i]; i++) {
        const size_t length = strlen(list.text);
        (void)snprintf(list.text + length, sizeof list.text - length, "%s%s",
                       i == 0              ? ""
                       : row->words[i + 1] ? ", "
                                           : last,
                       row->words[i]);
    }
    return list;
}

static bool set_choice(const Setting *row, Settings *settings, const char *text,
                       const char *subject, Message *problem)
{
    const int found = find_word(row->words, text);
    if (found < 0) {
        return message_set(problem, "%s %s, not '%s'.", subject, setting_words(row, " or ").text,
                           message_short(text).text);
    }
    store_number(row, settings, found);
    return true;
}

bool setting_read(const Setting *row, Settings *settings, const char *text, const char *subject,
                  Message *problem)
{
    switch (row->kind) {
    case SETTING_NUMBER:
    case SETTING_WHOLE:
        return set_number(row, settings, text, subject, problem);
    case SETTING_SWITCH:
    case SETTING_LOOK_SWITCH:
        return set_switch(row, settings, text, subject, problem);
    case SETTING_CHOICE:
        return set_choice(row, settings, text, subject, problem);
    case SETTING_TEXT:
        memcpy((char *)settings + row->offset, &text, sizeof text);
        return text[0] || message_set(problem, "%s %s.", subject, row->takes);
    default:
        return row->read(settings, text, problem);
    }
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
            setting_copy(row, settings, file);
        }
    }
}
