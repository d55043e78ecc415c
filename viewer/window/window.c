#include "window/window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/gl.h"

// Window size at the usual text scale; text is twice as large in windows twice as large.
#define USUAL_WIDTH 1280
#define USUAL_HEIGHT 720
#define UNSEEN_FRAME_SECONDS 0.05
#define MINIMISED_WAIT_SECONDS 0.1

#define RENEW_TRIES 50
#ifdef __EMSCRIPTEN__
#define WINDOW_CAN_WAIT false // the browser calls once for each screen refresh
#else
#define WINDOW_CAN_WAIT true
#endif
#define RENEW_WAIT_SECONDS 0.1

static Window *window_of(GLFWwindow *handle)
{
    return glfwGetWindowUserPointer(handle);
}

void window_catch_mouse(Window *window, bool caught)
{
    window->caught = caught;
    window->cursor_known = false;
    window->cursor_settles = true;
    glfwSetInputMode(window->handle, GLFW_CURSOR,
                     caught ? GLFW_CURSOR_DISABLED : GLFW_CURSOR_NORMAL);
}

// ---- events -------------------------------------------------------------------------------------

static void window_on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers)
{
    (void)scancode;
    (void)modifiers;
    if (key >= 0 && action != GLFW_REPEAT) { // others have no GLFW number
        events_push(
            &window_of(handle)->queue,
            (WindowEvent){.kind = WINDOW_EVENT_KEY, .code = key, .is_down = action == GLFW_PRESS});
    }
}

static void window_on_text(GLFWwindow *handle, unsigned text)
{
    events_push(&window_of(handle)->queue, (WindowEvent){.kind = WINDOW_EVENT_TEXT, .text = text});
}

static void window_on_cursor(GLFWwindow *handle, double x, double y)
{
    events_push(&window_of(handle)->queue,
                (WindowEvent){.kind = WINDOW_EVENT_CURSOR, .right = x, .height = y});
}

static void window_on_scroll(GLFWwindow *handle, double x, double y)
{
    events_push(&window_of(handle)->queue,
                (WindowEvent){.kind = WINDOW_EVENT_WHEEL, .right = x, .height = y});
}

static void window_on_button(GLFWwindow *handle, int button, int action, int modifiers)
{
    (void)modifiers;
    events_push(&window_of(handle)->queue, (WindowEvent){.kind = WINDOW_EVENT_BUTTON,
                                                         .code = button,
                                                         .is_down = action == GLFW_PRESS});
}

static void window_on_focus(GLFWwindow *handle, int focused)
{
    if (!focused) {
        events_push(&window_of(handle)->queue, (WindowEvent){.kind = WINDOW_EVENT_BLUR});
    }
    window_of(handle)->cursor_known = false; // a jump of the cursor must not turn the view
}

static void window_take_cursor(Window *window, double x, double y)
{
    if (window->caught && window->cursor_known && !window->cursor_settles) {
        input_move_mouse(&window->state, (float)(x - window->cursor_x),
                         (float)(y - window->cursor_y));
    }
    window->cursor_x = x;
    window->cursor_y = y;
    window->cursor_known = !window->cursor_settles;
}

static void window_take_press(Window *window, InputCode code, bool is_down)
{
    if (is_down) {
        input_press(&window->state, code, 1);
    } else {
        input_release(&window->state, code);
    }
}

static void window_take_event(Window *window, const WindowEvent *event)
{
    switch (event->kind) {
    case WINDOW_EVENT_KEY:
        window_take_press(window, (InputCode)event->code, event->is_down);
        break;
    case WINDOW_EVENT_BUTTON:
        if (event->is_down && !window->caught) {
            window->is_clicked = true; // the click catches the mouse, and must not dig
        } else {
            window_take_press(window, (InputCode)(INPUT_MOUSE + event->code), event->is_down);
        }
        break;
    case WINDOW_EVENT_CURSOR:
        window_take_cursor(window, event->right, event->height);
        break;
    case WINDOW_EVENT_WHEEL:
        if (window->caught) {
            input_turn_wheel(&window->state, (float)event->height);
        }
        break;
    case WINDOW_EVENT_BLUR:
        // Otherwise Alt+Tab would leave the player walking, and a key released elsewhere would stay
        // pressed.
        input_release_all(&window->state);
        break;
    default: // letters are for panels
        break;
    }
}

void window_take(Window *window)
{
    window->is_clicked = false;
    (void)events_take(&window->queue, &window->batch);
    for (size_t i = 0; i < window->batch.count; i++) {
        window_take_event(window, &window->batch.events[i]);
    }
    window->cursor_settles &= !window->batch.is_last;
}

// ---- full screen, sizes -------------------------------------------------------------------------

static bool window_is_full_screen(const Window *window)
{
    return glfwGetWindowMonitor(window->handle) != NULL;
}

static int window_overlap(int a, int a_length, int b, int b_length)
{
    const int begin = a > b ? a : b;
    const int end = a + a_length < b + b_length ? a + a_length : b + b_length;
    return end > begin ? end - begin : 0;
}

/// Returns the screen that shows most of the window.
static GLFWmonitor *window_monitor(const int at[4])
{
    int count, most = -1;
    GLFWmonitor *best = NULL, **monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; i++) {
        int x, y;
        const GLFWvidmode *mode = glfwGetVideoMode(monitors[i]);
        glfwGetMonitorPos(monitors[i], &x, &y);
        // An overlap of less than 8 units along an axis does not count.
        const int seen = mode ? window_overlap(at[0], at[2], x, mode->width) / 8 *
                                    (window_overlap(at[1], at[3], y, mode->height) / 8)
                              : -1;
        if (seen > most) {
            most = seen;
            best = monitors[i];
        }
    }
    return best;
}

bool window_set_full_screen(Window *window, bool full)
{
    int *at = window->windowed;
    if (full == window_is_full_screen(window)) {
        return true;
    }
    window->cursor_known = false;
    if (!full) {
        glfwSetWindowMonitor(window->handle, NULL, at[0], at[1], at[2], at[3], GLFW_DONT_CARE);
        return true;
    }
    glfwGetWindowPos(window->handle, &at[0], &at[1]);
    glfwGetWindowSize(window->handle, &at[2], &at[3]);
    GLFWmonitor *monitor = window_monitor(at);
    if (!monitor) {
        return false;
    }
    const GLFWvidmode *mode = glfwGetVideoMode(monitor);
    glfwSetWindowMonitor(window->handle, monitor, 0, 0, mode->width, mode->height,
                         mode->refreshRate);
    return true;
}

/// Returns the system's text scale in window units.
static float window_measure_content_scale(GLFWwindow *handle)
{
    float across, down;
    int width, height, pixels, rows;
    glfwGetWindowContentScale(handle, &across, &down);
    glfwGetWindowSize(handle, &width, &height);
    glfwGetFramebufferSize(handle, &pixels, &rows);
    // If window units are larger than pixels (macOS, Wayland), the system already enlarges text.
    const float by_itself = width > 0 && pixels > 0 ? (float)pixels / (float)width : 1;
    const float scale = across / by_itself;
    return scale >= 0.5f && scale <= 8 ? scale : 1;
}

float window_text_scale(const Window *window)
{
    int width, height;
    glfwGetWindowSize(window->handle, &width, &height);
    const int across = width / USUAL_WIDTH, down = height / USUAL_HEIGHT;
    return fmaxf(window->content_scale, (float)(across < down ? across : down));
}

/// If the user drops several files, only the first is used. A path that is too long is ignored.
static void window_on_drop(GLFWwindow *handle, int count, const char **paths)
{
    Window *window = window_of(handle);
    if (count > 0 && strlen(paths[0]) < sizeof window->dropped) {
        (void)snprintf(window->dropped, sizeof window->dropped, "%s", paths[0]);
    }
}

/// Measures the scale only here: during a resize the two sizes may be from different moments.
static void window_on_content_scale(GLFWwindow *handle, float across, float down)
{
    (void)across;
    (void)down;
    window_of(handle)->content_scale = window_measure_content_scale(handle);
}

InputLabel window_key_label(InputCode code)
{
    return input_code_label(code, code <= GLFW_KEY_LAST && code != GLFW_KEY_SPACE &&
                                          (code < GLFW_KEY_KP_0 || code > GLFW_KEY_KP_EQUAL)
                                      ? glfwGetKeyName(code, 0)
                                      : NULL);
}

// ---- creation and destruction -------------------------------------------------------------------

/// Returns GLFW's message about its last failure.
static const char *window_glfw_reason(void)
{
    const char *reason = NULL;
    glfwGetError(&reason);
    return reason ? reason : "no reason was given";
}

static void window_hint_context(const WindowDef *def)
{
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, def->visible);
    glfwWindowHint(GLFW_DEPTH_BITS, 0); // the window only receives finished pictures
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE); // full screen stays when it loses focus
}

static void window_hint_version(const WindowDef *def)
{
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, def->gl_debug);
    if (def->gl_es) {
        glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_ES_API);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
    } else {
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    }
}

/// Returns the requested version, for messages.
static const char *window_version_name(const WindowDef *def)
{
    return def->gl_es ? "OpenGL ES 3.0" : "OpenGL 3.3";
}

static bool window_load_functions(const WindowDef *def)
{
#ifdef __EMSCRIPTEN__
    (void)def;
    return true;
#else
    return (def->gl_es ? gladLoadGLES2 : gladLoadGL)(glfwGetProcAddress);
#endif
}

/// Reports the version of OpenGL that the system has, if below 3.3.
static bool window_version_problem(const WindowDef *def, const char *reason, Message *problem)
{
    const WindowDef any = {16, 16, .gl_es = def->gl_es};
    char kept[160];
    snprintf(kept, sizeof kept, "%s", reason);
    window_hint_context(&any);
    GLFWwindow *handle = glfwCreateWindow(any.width, any.height, "Terrane", NULL, NULL);
    if (!handle) {
        return message_set(problem,
                           "Cannot open a window with %s: %s. Close other programs if memory is "
                           "short, or draw on the processor: put LIBGL_ALWAYS_SOFTWARE=1 before "
                           "the command.",
                           window_version_name(def), kept);
    }
    glfwMakeContextCurrent(handle);
    // The loader needs 3.3; every version has this function.
    typedef const GLubyte *(*GetString)(GLenum);
    GetString get_string = (GetString)glfwGetProcAddress("glGetString");
    const GLubyte *version = get_string ? get_string(GL_VERSION) : NULL;
    message_set(problem, "%s is needed, and this driver has %s; a newer driver may help.",
                window_version_name(def), version ? (const char *)version : "none");
    glfwDestroyWindow(handle);
    return false;
}

static bool window_create_window(Window *window, const WindowDef *def, Message *problem)
{
    window_hint_context(def);
    window_hint_version(def);
    // Asks the driver to report resets of the graphics card.
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
    window->handle = glfwCreateWindow(def->width, def->height, "Terrane", NULL, NULL);
    if (!window->handle) {
        glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_NO_ROBUSTNESS);
        window->handle = glfwCreateWindow(def->width, def->height, "Terrane", NULL, NULL);
    }
    if (!window->handle) {
        return window_version_problem(def, window_glfw_reason(), problem);
    }
    glfwMakeContextCurrent(window->handle);
    if (!window_load_functions(def)) {
        return message_set(problem, "The driver's %s lacks functions; a newer one may help.",
                           window_version_name(def));
    }
    gl_context_forget_errors(); // Emscripten keeps an error from the lost context
    window->context = (GlContext){.is_es = gl_is_es()};
    if (def->gl_debug) {
        gl_context_watch(&window->context);
    }
    return true;
}

static void window_listen_to_window(Window *window)
{
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, window_on_key);
    glfwSetCharCallback(window->handle, window_on_text);
    glfwSetDropCallback(window->handle, window_on_drop);
    glfwSetCursorPosCallback(window->handle, window_on_cursor);
    glfwSetMouseButtonCallback(window->handle, window_on_button);
    glfwSetScrollCallback(window->handle, window_on_scroll);
    glfwSetWindowFocusCallback(window->handle, window_on_focus);
    glfwSetWindowContentScaleCallback(window->handle, window_on_content_scale);
    window->content_scale = window_measure_content_scale(window->handle);
}

bool window_open(Window *window, const WindowDef *def, Message *problem)
{
    *window = (Window){0};
    if (!glfwInit()) {
        return message_set(problem,
                           "Cannot open a window: %s. Without a display, type 'xvfb-run -a "
                           "terrane-viewer --headless', or ./run.sh.",
                           window_glfw_reason());
    }
    if (!window_create_window(window, def, problem)) {
        window_close(window);
        return false;
    }
    // Environment variable and format of SDL games.
    const char *gamepads = getenv("SDL_GAMECONTROLLERCONFIG");
    if (gamepads) {
        (void)glfwUpdateGamepadMappings(gamepads);
    }
    window_listen_to_window(window);
    glfwSwapInterval(def->visible ? 1 : 0);
    return true;
}

void window_take_over(Window *window, Window *from)
{
    window_catch_mouse(from, false);
    (void)window_set_full_screen(from, false);
    *window = (Window){.handle = from->handle, .context = from->context};
    from->handle = NULL;
    gl_context_reset();
    window_listen_to_window(window);
    if (window->context.is_watched) {
        gl_context_watch(&window->context);
    }
    glfwSetWindowShouldClose(window->handle, GLFW_FALSE);
}

void window_close(Window *window)
{
    if (window->handle) {
        glfwDestroyWindow(window->handle);
    }
    window->handle = NULL;
    glfwTerminate();
}

/// Updates the focus after all events: X11 briefly removes the focus while granting it.
static void window_note_focus(Window *window)
{
    const bool is_focused = glfwGetWindowAttrib(window->handle, GLFW_FOCUSED);
    if (window->focused && !is_focused && window->caught) {
        // The next click catches it again: a click that only raises the window must not dig.
        window_catch_mouse(window, false);
    }
    window->focused = is_focused;
}

/// Creates a new working window; this fails while the driver is being reset. On failure the old
/// window stays.
static bool window_create_again(Window *window, const WindowDef *def, Message *problem)
{
    GLFWwindow *old = window->handle;
    for (int i = 0; i < RENEW_TRIES; i++) {
        if (window_create_window(window, def, problem)) {
            if (gl_context_loss(&window->context) == GL_LOSS_NONE) {
                return true;
            }
            message_set(problem, "The graphics driver does not come back after its reset.");
        }
        if (window->handle) {
            glfwDestroyWindow(window->handle);
        }
        window->handle = old; // its events may still arrive
        glfwWaitEventsTimeout(RENEW_WAIT_SECONDS);
    }
    return false;
}

bool window_renew(Window *window, const WindowDef *def, Message *problem)
{
    GLFWwindow *old = window->handle;
    GLFWmonitor *monitor = glfwGetWindowMonitor(old);
    WindowDef same = *def;
    int at[2];
    glfwGetWindowPos(old, &at[0], &at[1]);
    glfwGetWindowSize(old, &same.width, &same.height);
    if (!window_create_again(window, &same, problem)) {
        window_close(window);
        return false;
    }
    glfwDestroyWindow(old); // destroyed last: a display without windows may close
    window_listen_to_window(window);
    glfwSetWindowPos(window->handle, at[0], at[1]);
    if (monitor) {
        glfwSetWindowMonitor(window->handle, monitor, 0, 0, same.width, same.height,
                             GLFW_DONT_CARE);
    }
    window_catch_mouse(window, window->caught);
    glfwSwapInterval(def->visible ? 1 : 0);
    return true;
}

/// Returns the seconds until `frame_seconds` after the last poll.
static double window_rest_of_frame(const Window *window, double frame_seconds)
{
    return window->polled + frame_seconds - glfwGetTime();
}

void window_poll(Window *window, int frame_limit)
{
    double rest = window_rest_of_frame(window, UNSEEN_FRAME_SECONDS);
    if (glfwGetWindowAttrib(window->handle, GLFW_ICONIFIED)) {
        glfwWaitEventsTimeout(MINIMISED_WAIT_SECONDS);
    } else if (!glfwGetWindowAttrib(window->handle, GLFW_FOCUSED) && rest > 0) {
        glfwWaitEventsTimeout(rest);
    } else {
        glfwPollEvents();
    }
    while (WINDOW_CAN_WAIT && frame_limit > 0 &&
           (rest = window_rest_of_frame(window, 1.0 / frame_limit)) > 0) {
        glfwWaitEventsTimeout(rest); // any event ends the wait
    }
    window->polled = glfwGetTime();
    window_note_focus(window);
}
