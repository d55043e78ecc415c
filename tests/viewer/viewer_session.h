/// Shared by tests that use the viewer as a person does: its window, real keys and a real mouse
/// (xdotool), on a virtual display of 800 x 600 (with_keyboard.sh). Tests wait until the viewer
/// shows or prints what they expect, never for a fixed time.
///
/// TERRANE_VIEWER is the viewer's path, TERRANE_SCREEN the folder with the display's pixels.
#pragma once

#include "place.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#define SESSION_PATIENCE 60 ///< seconds to wait; sanitizers and busy machines are slow

typedef struct Session {
    Place *place; ///< folder for pictures; settings are in config/terrane/viewer.ini
    pid_t viewer;
    char window[32]; ///< the window's number, for xdotool
    int pictures;    ///< taken so far
} Session;

/// The place that the viewer printed when it ended.
typedef struct SessionPlace {
    double voxel[3], yaw, pitch;
} SessionPlace;

static inline void session_sleep(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    (void)nanosleep(&time, NULL);
}

static inline double session_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// Returns what the viewer has printed so far, or the end of it, in place->text.
static inline const char *session_printed(Session *session)
{
    char command[128];
    (void)snprintf(command, sizeof command, "tail -c 8000 '%s/log'", session->place->folder);
    (void)place_run(session->place, command);
    return session->place->text;
}

/// Runs xdotool. @return whether it succeeded
__attribute__((format(printf, 2, 3))) static inline bool session_do(Session *session,
                                                                    const char *format, ...)
{
    char command[512] = "xdotool ";
    const size_t length = strlen(command);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(command + length, sizeof command - length, format, arguments);
    va_end(arguments);
    return place_run(session->place, command) == 0;
}

/// Whether the viewer is still running.
static inline bool session_lives(const Session *session)
{
    siginfo_t ended = {.si_pid = 0};
    return waitid(P_PID, (id_t)session->viewer, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0;
}

static inline void session_fail(Session *session, const char *what)
{
    char title[256] = "";
    if (session->window[0] && session_do(session, "getwindowname %s", session->window)) {
        (void)snprintf(title, sizeof title, "%.255s", session->place->text);
    }
    kill(session->viewer, SIGKILL);
    fail_msg("%s; title '%s', printed: %s", what, title, session_printed(session));
}

/// Waits until the window's title contains a word, or no longer contains it.
static inline void session_await_title(Session *session, const char *word, bool has)
{
    const double until = session_clock() + SESSION_PATIENCE;
    while (session_clock() < until) {
        if (session_do(session, "getwindowname %s", session->window) &&
            (strstr(session->place->text, word) != NULL) == has) {
            return;
        }
        session_sleep(0.05);
    }
    session_fail(session, has ? "the title never said what was awaited"
                              : "the title never stopped saying what was awaited to go");
}

/// Reads the last place that was printed, of a link or an option. @return false if none was
static inline bool session_last_place(const char *printed, SessionPlace *at)
{
    const char *line = NULL;
    for (const char *next = printed; (next = strstr(next, " with: ")); next++) {
        line = next;
    }
    const char *link = line ? strstr(line, "terrane://") : NULL;
    const char *place = link ? strchr(link + strlen("terrane://"), '/') : NULL;
    place = place ? strchr(place + 1, '/') : line ? strstr(line, "--at=") : NULL;
    return place && sscanf(place + (link ? 1 : strlen("--at=")), "%lf,%lf,%lf,%lf,%lf",
                           &at->voxel[0], &at->voxel[1], &at->voxel[2], &at->yaw, &at->pitch) == 5;
}

/// Starts the viewer with a small picture and waits until it has loaded what it shows: a world, or
/// the start screen.
static inline void session_open(Session *session, Place *place, const char *arguments)
{
    *session = (Session){.place = place};
    char command[1024];
    (void)snprintf(
        command, sizeof command,
        "cd '%s' && mkdir -p config && export XDG_CONFIG_HOME=\"$PWD/config\" && "
        "exec '%s' --out . --size 320x200 --view-distance 4 --frame-limit 30 %s >log 2>&1",
        place->folder, getenv("TERRANE_VIEWER"), arguments);
    session->viewer = fork();
    assert_true(session->viewer >= 0);
    if (session->viewer == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    const double until = session_clock() + SESSION_PATIENCE;
    while (!session->window[0]) {
        if (session_do(session, "search --onlyvisible --name '^Terrane - '")) {
            (void)sscanf(place->text, "%31s", session->window);
        }
        if (session_clock() > until || !session_lives(session)) {
            session_fail(session, "there is no window");
        }
        session_sleep(0.05);
    }
    session_await_title(session, "Loading", false);
}

/// Starts the viewer without the start screen and waits until the world is ready to walk in.
static inline void session_start(Session *session, Place *place, const char *arguments)
{
    char all[640];
    assert_in_range(snprintf(all, sizeof all, "--no-start --no-adapt %s", arguments), 1,
                    sizeof all - 1);
    session_open(session, place, all);
}

// ---- hands --------------------------------------------------------------------------------------

/// Presses and releases a key, by its X11 name: w, Escape, F12, space.
static inline void session_key(Session *session, const char *key)
{
    assert_true(session_do(session, "key %s", key));
}

static inline void session_hold(Session *session, const char *key, double seconds)
{
    // One command: on a busy machine a second process would start much later.
    assert_true(session_do(session, "keydown %s sleep %.3f keyup %s", key, seconds, key));
}

/// @param button  1 left, 2 middle, 3 right, 4 and 5 the wheel
static inline void session_click(Session *session, int button)
{
    assert_true(session_do(session, "click %d", button));
}

static inline void session_move_mouse(Session *session, int right, int down)
{
    assert_true(session_do(session, "mousemove_relative -- %d %d", right, down));
}

/// Takes the keyboard focus away from the window, as Alt+Tab does.
static inline void session_take_focus(Session *session)
{
    assert_true(session_do(session, "search --maxdepth 0 --name '.*'"));
    char root[32] = "";
    assert_int_equal(sscanf(session->place->text, "%31s", root), 1);
    assert_true(session_do(session, "windowfocus %s", root));
}

// ---- eyes ---------------------------------------------------------------------------------------

static inline void session_picture_path(const Session *session, int number, char path[128])
{
    (void)snprintf(path, 128, "%s/screenshot-%d.png", session->place->folder, number);
}

/// Takes a picture by a key, and waits for the file.
/// @param size  receives width and height
static inline void session_picture(Session *session, const char *key, unsigned size[2])
{
    char path[128];
    struct stat there;
    session_picture_path(session, ++session->pictures, path);
    session_key(session, key);
    const double until = session_clock() + SESSION_PATIENCE;
    while (stat(path, &there) != 0) {
        if (session_clock() > until) {
            session_fail(session, "there is no picture");
        }
        session_sleep(0.02);
    }
    unsigned char head[24];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    assert_int_equal(fclose(file), 0);
    for (int i = 0; i < 2; i++) {
        const unsigned char *at = head + 16 + 4 * (size_t)i;
        size[i] = (unsigned)at[0] << 24 | (unsigned)at[1] << 16 | (unsigned)at[2] << 8 | at[3];
    }
}

/// Returns the viewer's place, which it prints when it takes a picture (F12).
static inline SessionPlace session_where(Session *session)
{
    SessionPlace at = {{0}, 0, 0};
    char words[64];
    unsigned size[2];
    session_picture(session, "F12", size);
    (void)snprintf(words, sizeof words, "screenshot-%d.png with: ", session->pictures);
    const double until = session_clock() + SESSION_PATIENCE;
    while (!strstr(session_printed(session), words)) {
        if (session_clock() > until) {
            session_fail(session, "it does not say where it is");
        }
        session_sleep(0.02);
    }
    assert_true(session_last_place(session->place->text, &at));
    return at;
}

/// Waits until a coordinate of the eyes has a value. @param axis  0 to 2
static inline void session_await_at(Session *session, int axis, double low, double high)
{
    const double until = session_clock() + SESSION_PATIENCE * 0.5;
    SessionPlace at;
    do {
        at = session_where(session);
        if (at.voxel[axis] >= low && at.voxel[axis] <= high) {
            return;
        }
        session_sleep(0.05);
    } while (session_clock() < until);
    char what[128];
    (void)snprintf(what, sizeof what, "%c stays at %g, which is not from %g to %g", 'x' + axis,
                   at.voxel[axis], low, high);
    session_fail(session, what);
}

/// Reads a box of the display's pixels. @param rgb  [height * width] receives 0xRRGGBB
static inline void session_screen(int x, int y, int width, int height, uint32_t *rgb)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/Xvfb_screen0", getenv("TERRANE_SCREEN"));
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    // The header of an X window dump: 25 numbers of 4 bytes, big-endian.
    unsigned char bytes[100];
    uint32_t header[25];
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes);
    for (int i = 0; i < 25; i++) {
        const unsigned char *at = bytes + 4 * (size_t)i;
        header[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    const long colours = (long)header[0] + (long)header[19] * 12, pitch = (long)header[12];
    assert_int_equal(header[11], 32); // bits a pixel
    for (int row = 0; row < height; row++) {
        assert_int_equal(fseek(file, colours + (y + row) * pitch + 4L * x, SEEK_SET), 0);
        assert_int_equal(fread(rgb + (size_t)row * (size_t)width, 4, (size_t)width, file), width);
    }
    assert_int_equal(fclose(file), 0);
    for (int i = 0; i < width * height; i++) {
        rgb[i] &= 0xFFFFFF;
    }
}

// ---- the end ------------------------------------------------------------------------------------

/// Waits until the viewer exits. @return its exit code, or -1
static inline int session_end(Session *session)
{
    const double until = session_clock() + SESSION_PATIENCE;
    int status;
    while (waitpid(session->viewer, &status, WNOHANG) == 0) {
        if (session_clock() > until) {
            session_fail(session, "it did not end");
        }
        session_sleep(0.02);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Waits for an exit that the test has asked for; it must succeed.
static inline void session_end_well(Session *session)
{
    const int code = session_end(session);
    if (code != 0) {
        fail_msg("it ended with %d and printed: %s", code, session_printed(session));
    }
}

/// Quits by a key, which must exit with 0, and reads the viewer's last place.
static inline SessionPlace session_quit(Session *session, const char *key)
{
    SessionPlace at = {{0}, 0, 0};
    session_key(session, key);
    const int code = session_end(session);
    const char *printed = session_printed(session);
    if (code != 0 || !session_last_place(printed, &at)) {
        fail_msg("it ended with %d and printed: %s", code, printed);
    }
    return at;
}
