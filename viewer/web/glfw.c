// The part of GLFW 3.3 that the viewer and Dear ImGui use, for a page with one canvas, on top of
// Emscripten's html5.h. Emscripten's own GLFW lacks gamepads, the content scale, the right-hand
// modifiers and the keypad, and calls callbacks in the middle of a frame.
//
// The browser calls event handlers between frames; events are queued until glfwPollEvents. GLFW's
// interface has one global state, and so has this file. Main thread only.

#include "web/glfw_page.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <emscripten/html5.h>

#define CANVAS "#canvas"
#define QUEUE_EVENTS 1024 // power of two
#define QUEUE_MOVES (QUEUE_EVENTS / 2)
#define WHEEL_PIXELS 100.0 // of one notch
#define WHEEL_LINES 3.0
#define PIXEL_RATIO_MAX 2.0 // higher resolutions cost more than they improve

typedef enum PageEventKind {
    PAGE_KEY,
    PAGE_TEXT,
    PAGE_BUTTON,
    PAGE_CURSOR,
    PAGE_WHEEL,
    PAGE_FOCUS
} PageEventKind;

typedef struct PageEvent {
    PageEventKind kind;
    int code, action;
    unsigned codepoint;
    double x, y;
} PageEvent;

struct GLFWmonitor {
    GLFWvidmode mode;
};

struct GLFWwindow {
    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context;
    void *user;
    int should_close;
    int cursor_mode;
    double cursor[2]; // of the visible mouse; virtual while the mouse is caught
    bool buttons[GLFW_MOUSE_BUTTON_LAST + 1];
    bool keys[GLFW_KEY_LAST + 1];
    bool is_locked;      // the browser has granted the pointer lock
    bool lock_is_denied; // the browser never grants it: then moves over the canvas turn the view
    bool unlocks;        // the viewer has released the pointer lock
    GLFWkeyfun on_key;
    GLFWcharfun on_text;
    GLFWmousebuttonfun on_button;
    GLFWcursorposfun on_cursor;
    GLFWcursorenterfun on_enter;
    GLFWscrollfun on_wheel;
    GLFWwindowfocusfun on_focus;
};

static struct {
    GLFWwindow *window; // NULL: none
    GLFWmonitor monitor;
    bool is_focused;
    PageEvent events[QUEUE_EVENTS]; // ring buffer: [first, last) modulo QUEUE_EVENTS
    unsigned first, last;
    int width, height, pixels_across, pixels_down;
    double pixel_ratio;
    const char *error;
} page;

// ---- what the page does -------------------------------------------------------------------------

// clang-format off
EM_JS(void, page_lock_mouse, (void), {
    if (navigator.userActivation && !navigator.userActivation.isActive) { return; } // the next click asks again
    const canvas = document.getElementById('canvas');
    const failed = () => {
        Module.lockFailures = (Module.lockFailures || 0) + 1; // at once after Escape a browser refuses once
        if (Module.lockFailures === 3) { Module._page_lock_denied(); }
    };
    try {
        const promise = canvas.requestPointerLock();
        if (promise && promise.then) { promise.then(() => { Module.lockFailures = 0; }, failed); }
    } catch (error) { failed(); }
});
EM_JS(void, page_unlock_mouse, (void), {
    if (document.pointerLockElement) { document.exitPointerLock(); }
});
EM_JS(void, page_tell_mode, (int plays), {
    if (Module.terrane && Module.terrane.mode) { Module.terrane.mode(!!plays); }
});
EM_JS(void, page_copy, (const char *text), {
    if (Module.terrane && Module.terrane.copy) { Module.terrane.copy(UTF8ToString(text)); }
});
EM_JS(void, page_full_screen, (int full), {
    const done = full ? document.documentElement.requestFullscreen() : document.fullscreenElement && document.exitFullscreen();
    if (done && done.catch) { done.catch(() => {}); }
});
EM_JS(int, page_is_full_screen, (void), { return document.fullscreenElement ? 1 : 0; });
// A canvas keeps its first context even if lost: a new window needs a new canvas.
EM_JS(void, page_renew_canvas, (void), {
    const old = document.getElementById('canvas');
    const canvas = old.cloneNode(false);
    old.replaceWith(canvas);
    Module.canvas = canvas;
});
// clang-format on

// ---- the queue ----------------------------------------------------------------------------------

/// Queues an event. If the page draws no frames, moves are dropped first, so that releases stay.
static void glfw_page_queue(PageEvent event)
{
    const unsigned count = page.last - page.first;
    if (count < (event.kind == PAGE_CURSOR ? QUEUE_MOVES : QUEUE_EVENTS)) {
        page.events[page.last++ % QUEUE_EVENTS] = event;
    }
}

static void glfw_page_queue_key(int key, int action)
{
    glfw_page_queue((PageEvent){.kind = PAGE_KEY, .code = key, .action = action});
}

static void glfw_page_queue_button(int button, int action)
{
    glfw_page_queue((PageEvent){.kind = PAGE_BUTTON, .code = button, .action = action});
}

static void glfw_page_queue_cursor(double x, double y)
{
    glfw_page_queue((PageEvent){.kind = PAGE_CURSOR, .x = x, .y = y});
}

static void glfw_page_dispatch(GLFWwindow *window, const PageEvent *event)
{
    switch (event->kind) {
    case PAGE_KEY:
        window->keys[event->code] = event->action != GLFW_RELEASE;
        if (window->on_key) {
            window->on_key(window, event->code, 0, event->action, 0);
        }
        break;
    case PAGE_TEXT:
        if (window->on_text) {
            window->on_text(window, event->codepoint);
        }
        break;
    case PAGE_BUTTON:
        window->buttons[event->code] = event->action == GLFW_PRESS;
        if (window->on_button) {
            window->on_button(window, event->code, event->action, 0);
        }
        break;
    case PAGE_CURSOR:
        window->cursor[0] = event->x;
        window->cursor[1] = event->y;
        if (window->on_cursor) {
            window->on_cursor(window, event->x, event->y);
        }
        break;
    case PAGE_WHEEL:
        if (window->on_wheel) {
            window->on_wheel(window, event->x, event->y);
        }
        break;
    case PAGE_FOCUS:
        page.is_focused = event->action != 0;
        if (window->on_focus) {
            window->on_focus(window, event->action);
        }
        break;
    }
}

// ---- keys ---------------------------------------------------------------------------------------

/// Whether the browser handles a key: reload, full screen, developer tools, combinations with Ctrl,
/// Alt or Meta, and Tab in a pause, with which keyboard users leave the canvas.
static bool glfw_is_for_browser(const GLFWwindow *window, const EmscriptenKeyboardEvent *event,
                                int key)
{
    const bool is_modifier = key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER;
    return key == GLFW_KEY_F5 || key == GLFW_KEY_F11 || key == GLFW_KEY_F12 ||
           (key == GLFW_KEY_TAB && window->cursor_mode != GLFW_CURSOR_DISABLED) ||
           (!is_modifier && (event->ctrlKey || event->altKey || event->metaKey));
}

/// Returns the character of a UTF-8 text with exactly one; 0 for names such as "Enter".
static unsigned glfw_single_character(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    const int more = at[0] >= 0xF0 ? 3 : at[0] >= 0xE0 ? 2 : at[0] >= 0xC0 ? 1 : 0;
    unsigned codepoint = more ? at[0] & (0x3Fu >> more) : at[0];
    for (int i = 1; i <= more; i++) {
        codepoint = codepoint << 6 | (at[i] & 0x3Fu);
    }
    return at[0] && !at[more + 1] && codepoint >= ' ' ? codepoint : 0;
}

static EM_BOOL glfw_on_key(int type, const EmscriptenKeyboardEvent *event, void *user)
{
    const int key = page_key_of_code(event->code);
    if (key < 0 || glfw_is_for_browser(user, event, key)) {
        return EM_FALSE;
    }
    if (type == EMSCRIPTEN_EVENT_KEYUP) {
        glfw_page_queue_key(key, GLFW_RELEASE);
        return EM_TRUE;
    }
    glfw_page_queue_key(key, event->repeat ? GLFW_REPEAT : GLFW_PRESS);
    const unsigned codepoint = glfw_single_character(event->key);
    if (codepoint) {
        glfw_page_queue((PageEvent){.kind = PAGE_TEXT, .codepoint = codepoint});
    }
    return EM_TRUE;
}

void page_press(int key)
{
    glfw_page_queue_key(key, GLFW_PRESS);
    glfw_page_queue_key(key, GLFW_RELEASE);
}

// ---- mouse --------------------------------------------------------------------------------------

static bool glfw_is_caught(const GLFWwindow *window)
{
    return window->cursor_mode == GLFW_CURSOR_DISABLED;
}

/// Moves the virtual mouse; the viewer uses differences of its positions.
static void glfw_move_caught(const GLFWwindow *window, double right, double down)
{
    const bool follows =
        page.last != page.first && page.events[(page.last - 1) % QUEUE_EVENTS].kind == PAGE_CURSOR;
    const PageEvent *before = &page.events[(page.last - 1) % QUEUE_EVENTS];
    const double x = follows ? before->x : window->cursor[0],
                 y = follows ? before->y : window->cursor[1];
    glfw_page_queue_cursor(x + right, y + down);
}

/// Whether the browser has granted the pointer lock, or never will.
static bool glfw_has_mouse(const GLFWwindow *window)
{
    return window->is_locked || window->lock_is_denied;
}

static EM_BOOL glfw_on_move(int type, const EmscriptenMouseEvent *event, void *user)
{
    (void)type;
    const GLFWwindow *window = user;
    if (!glfw_is_caught(window)) {
        glfw_page_queue_cursor(event->targetX, event->targetY);
    } else if (glfw_has_mouse(window)) {
        glfw_move_caught(window, event->movementX, event->movementY);
    }
    return EM_TRUE;
}

static EM_BOOL glfw_on_button(int type, const EmscriptenMouseEvent *event, void *user)
{
    const GLFWwindow *window = user;
    static const int buttons[] = {GLFW_MOUSE_BUTTON_LEFT, GLFW_MOUSE_BUTTON_MIDDLE,
                                  GLFW_MOUSE_BUTTON_RIGHT};
    const int button = event->button < 3 ? buttons[event->button] : event->button;
    if (button > GLFW_MOUSE_BUTTON_LAST) {
        return EM_FALSE;
    }
    if (type == EMSCRIPTEN_EVENT_MOUSEUP) {
        glfw_page_queue_button(button, GLFW_RELEASE);
    } else if (glfw_is_caught(window) && !glfw_has_mouse(window)) {
        page_lock_mouse(); // a browser locks the pointer only after a click; that click does
                           // nothing else
    } else {
        glfw_page_queue_button(button, GLFW_PRESS);
    }
    return EM_TRUE;
}

static EM_BOOL glfw_on_wheel(int type, const EmscriptenWheelEvent *event, void *user)
{
    (void)type;
    const GLFWwindow *window = user;
    // If the page is embedded in a guide, the wheel scrolls the guide until a click has focused the
    // page.
    if (glfw_is_caught(window) ? !glfw_has_mouse(window) : !page.is_focused) {
        return EM_FALSE;
    }
    const double unit = event->deltaMode == DOM_DELTA_PIXEL  ? WHEEL_PIXELS
                        : event->deltaMode == DOM_DELTA_LINE ? WHEEL_LINES
                                                             : 1;
    glfw_page_queue(
        (PageEvent){.kind = PAGE_WHEEL, .x = -event->deltaX / unit, .y = -event->deltaY / unit});
    return EM_TRUE;
}

/// Handles changes of the pointer lock. On Escape, a browser releases the lock without a key event,
/// so this pauses the viewer.
static EM_BOOL glfw_on_lock(int type, const EmscriptenPointerlockChangeEvent *event, void *user)
{
    (void)type;
    GLFWwindow *window = user;
    const bool was_locked = window->is_locked;
    window->is_locked = event->isActive;
    if (was_locked && !event->isActive && !window->unlocks && glfw_is_caught(window)) {
        glfw_page_queue_key(GLFW_KEY_ESCAPE, GLFW_PRESS);
        glfw_page_queue_key(GLFW_KEY_ESCAPE, GLFW_RELEASE);
    }
    window->unlocks = false;
    return EM_TRUE;
}

void page_lock_denied(void)
{
    if (page.window) {
        page.window->lock_is_denied = true;
    }
}

static EM_BOOL glfw_on_focus(int type, const EmscriptenFocusEvent *event, void *user)
{
    (void)event;
    (void)user;
    glfw_page_queue((PageEvent){.kind = PAGE_FOCUS, .action = type == EMSCRIPTEN_EVENT_FOCUS});
    return EM_FALSE;
}

// ---- touch --------------------------------------------------------------------------------------

/// Over the panels, the first finger acts as the mouse. During play, the page's own thumbs cover
/// the canvas.
static EM_BOOL glfw_on_touch(int type, const EmscriptenTouchEvent *event, void *user)
{
    const GLFWwindow *window = user;
    if (event->numTouches < 1 || glfw_is_caught(window)) {
        return EM_TRUE;
    }
    if (type != EMSCRIPTEN_EVENT_TOUCHCANCEL) {
        glfw_page_queue_cursor(event->touches[0].targetX, event->touches[0].targetY);
    }
    if (type != EMSCRIPTEN_EVENT_TOUCHMOVE) {
        glfw_page_queue_button(GLFW_MOUSE_BUTTON_LEFT,
                               type == EMSCRIPTEN_EVENT_TOUCHSTART ? GLFW_PRESS : GLFW_RELEASE);
    }
    return EM_TRUE;
}

void page_touch_look(float right, float down)
{
    if (page.window && glfw_is_caught(page.window)) {
        glfw_move_caught(page.window, (double)right, (double)down);
    }
}

// ---- windows ------------------------------------------------------------------------------------

/// Measures the canvas, and sets its resolution to the screen's pixels.
static void glfw_page_measure(void)
{
    double across = 0, down = 0;
    (void)emscripten_get_element_css_size(CANVAS, &across, &down);
    page.pixel_ratio = fmin(fmax(emscripten_get_device_pixel_ratio(), 1), PIXEL_RATIO_MAX);
    page.width = (int)across;
    page.height = (int)down;
    const int pixels_across = (int)(across * page.pixel_ratio),
              pixels_down = (int)(down * page.pixel_ratio);
    if (pixels_across != page.pixels_across || pixels_down != page.pixels_down) {
        page.pixels_across = pixels_across;
        page.pixels_down = pixels_down;
        (void)emscripten_set_canvas_element_size(CANVAS, pixels_across, pixels_down);
    }
}

static void glfw_page_listen(GLFWwindow *window)
{
    const char *const global = EMSCRIPTEN_EVENT_TARGET_WINDOW;
    (void)emscripten_set_keydown_callback(global, window, EM_FALSE, glfw_on_key);
    (void)emscripten_set_keyup_callback(global, window, EM_FALSE, glfw_on_key);
    (void)emscripten_set_focus_callback(global, window, EM_FALSE, glfw_on_focus);
    (void)emscripten_set_blur_callback(global, window, EM_FALSE, glfw_on_focus);
    (void)emscripten_set_mousemove_callback(CANVAS, window, EM_FALSE, glfw_on_move);
    (void)emscripten_set_mousedown_callback(CANVAS, window, EM_FALSE, glfw_on_button);
    (void)emscripten_set_mouseup_callback(global, window, EM_FALSE,
                                          glfw_on_button); // also for releases outside the canvas
    (void)emscripten_set_wheel_callback(CANVAS, window, EM_FALSE, glfw_on_wheel);
    (void)emscripten_set_pointerlockchange_callback(EMSCRIPTEN_EVENT_TARGET_DOCUMENT, window,
                                                    EM_FALSE, glfw_on_lock);
    (void)emscripten_set_touchstart_callback(CANVAS, window, EM_FALSE, glfw_on_touch);
    (void)emscripten_set_touchmove_callback(CANVAS, window, EM_FALSE, glfw_on_touch);
    (void)emscripten_set_touchend_callback(CANVAS, window, EM_FALSE, glfw_on_touch);
    (void)emscripten_set_touchcancel_callback(CANVAS, window, EM_FALSE, glfw_on_touch);
}

GLFWwindow *glfwCreateWindow(int width, int height, const char *title, GLFWmonitor *monitor,
                             GLFWwindow *share)
{
    (void)width, (void)height, (void)monitor, (void)share;
    GLFWwindow *window = calloc(1, sizeof *window);
    if (!window) {
        page.error = "out of memory";
        return NULL;
    }
    EmscriptenWebGLContextAttributes attributes;
    emscripten_webgl_init_context_attributes(&attributes);
    attributes.majorVersion = 2;
    attributes.alpha = attributes.depth = attributes.stencil = attributes.antialias = EM_FALSE;
    attributes.powerPreference = EM_WEBGL_POWER_PREFERENCE_HIGH_PERFORMANCE;
    if (page.window) { // its context is lost
        page_renew_canvas();
    }
    window->context = emscripten_webgl_create_context(CANVAS, &attributes);
    if (window->context <= 0) {
        page.error = "this browser has no WebGL 2, or has switched it off";
        free(window);
        return NULL;
    }
    window->cursor_mode = GLFW_CURSOR_NORMAL;
    page.pixels_across = 0; // new canvas: not measured yet
    page.window = window;
    glfw_page_measure();
    glfw_page_listen(window);
    glfwSetWindowTitle(window, title);
    return window;
}

void glfwDestroyWindow(GLFWwindow *window)
{
    if (!window) {
        return;
    }
    (void)emscripten_webgl_destroy_context(window->context);
    if (window == page.window) {
        page_unlock_mouse();
        emscripten_html5_remove_all_event_listeners();
        page_renew_canvas();
        page.window = NULL;
        page.first = page.last;
    }
    free(window);
}

int glfwInit(void)
{
    page.is_focused = true;
    return GLFW_TRUE;
}

void glfwTerminate(void)
{
}

int glfwGetError(const char **description)
{
    *description = page.error;
    page.error = NULL;
    return *description ? GLFW_API_UNAVAILABLE : GLFW_NO_ERROR;
}

GLFWerrorfun glfwSetErrorCallback(GLFWerrorfun callback)
{
    (void)callback;
    return NULL;
}

void glfwDefaultWindowHints(void)
{
}

void glfwWindowHint(int hint, int value)
{
    (void)hint, (void)value;
}

void glfwMakeContextCurrent(GLFWwindow *window)
{
    (void)emscripten_webgl_make_context_current(window ? window->context : 0);
}

GLFWwindow *glfwGetCurrentContext(void)
{
    return page.window;
}

GLFWglproc glfwGetProcAddress(const char *name)
{
    (void)name;
    return NULL; // functions are linked statically
}

void glfwSwapInterval(int interval)
{
    (void)interval; // the browser calls once for each screen refresh
}

void glfwSwapBuffers(GLFWwindow *window)
{
    (void)window; // the browser shows the picture when the frame returns
}

void *glfwGetWindowUserPointer(GLFWwindow *window)
{
    return window->user;
}

void glfwSetWindowUserPointer(GLFWwindow *window, void *user)
{
    window->user = user;
}

int glfwWindowShouldClose(GLFWwindow *window)
{
    return window->should_close;
}

void glfwSetWindowShouldClose(GLFWwindow *window, int value)
{
    window->should_close = value;
}

void glfwSetWindowTitle(GLFWwindow *window, const char *title)
{
    (void)window;
    emscripten_set_window_title(title);
}

int glfwGetWindowAttrib(GLFWwindow *window, int attribute)
{
    (void)window;
    return attribute == GLFW_FOCUSED ? page.is_focused : GLFW_FALSE;
}

// ---- sizes --------------------------------------------------------------------------------------

void glfwGetWindowSize(GLFWwindow *window, int *width, int *height)
{
    (void)window;
    *width = page.width;
    *height = page.height;
}

void glfwGetFramebufferSize(GLFWwindow *window, int *width, int *height)
{
    (void)window;
    *width = page.pixels_across;
    *height = page.pixels_down;
}

void glfwGetWindowContentScale(GLFWwindow *window, float *across, float *down)
{
    (void)window;
    *across = *down = (float)page.pixel_ratio;
}

void glfwGetWindowPos(GLFWwindow *window, int *x, int *y)
{
    (void)window;
    *x = *y = 0;
}

void glfwSetWindowPos(GLFWwindow *window, int x, int y)
{
    (void)window, (void)x, (void)y;
}

GLFWmonitor **glfwGetMonitors(int *count)
{
    static GLFWmonitor *monitors[] = {&page.monitor};
    *count = 1;
    return monitors;
}

void glfwGetMonitorPos(GLFWmonitor *monitor, int *x, int *y)
{
    (void)monitor;
    *x = *y = 0;
}

const GLFWvidmode *glfwGetVideoMode(GLFWmonitor *monitor)
{
    monitor->mode = (GLFWvidmode){.width = page.width, .height = page.height, .refreshRate = 60};
    return &monitor->mode;
}

GLFWmonitor *glfwGetWindowMonitor(GLFWwindow *window)
{
    (void)window;
    return page_is_full_screen() ? &page.monitor : NULL;
}

void glfwSetWindowMonitor(GLFWwindow *window, GLFWmonitor *monitor, int x, int y, int width,
                          int height, int rate)
{
    (void)window, (void)x, (void)y, (void)width, (void)height, (void)rate;
    page_full_screen(monitor != NULL);
}

GLFWmonitorfun glfwSetMonitorCallback(GLFWmonitorfun callback)
{
    (void)callback;
    return NULL;
}

// ---- input --------------------------------------------------------------------------------------

void glfwPollEvents(void)
{
    glfw_page_measure();
    while (page.window && page.first != page.last) {
        const PageEvent event = page.events[page.first++ % QUEUE_EVENTS];
        glfw_page_dispatch(page.window, &event);
    }
}

void glfwWaitEventsTimeout(double seconds)
{
    (void)seconds; // a page cannot wait
    glfwPollEvents();
}

double glfwGetTime(void)
{
    return emscripten_get_now() * 1e-3;
}

void glfwSetInputMode(GLFWwindow *window, int mode, int value)
{
    if (mode != GLFW_CURSOR || value == window->cursor_mode) {
        return;
    }
    const bool was_caught = glfw_is_caught(window);
    window->cursor_mode = value;
    if (glfw_is_caught(window) && !window->is_locked && !page_pads_are_touched()) {
        page_lock_mouse(); // if there was a click or key; otherwise the next click does it
    } else if (was_caught && window->is_locked) {
        window->unlocks = true;
        page_unlock_mouse();
    }
    if (was_caught != glfw_is_caught(window)) {
        page_tell_mode(glfw_is_caught(window));
    }
}

int glfwGetInputMode(GLFWwindow *window, int mode)
{
    return mode == GLFW_CURSOR ? window->cursor_mode : 0;
}

int glfwGetMouseButton(GLFWwindow *window, int button)
{
    return window->buttons[button] ? GLFW_PRESS : GLFW_RELEASE;
}

void glfwGetCursorPos(GLFWwindow *window, double *x, double *y)
{
    *x = window->cursor[0];
    *y = window->cursor[1];
}

void glfwSetCursorPos(GLFWwindow *window, double x, double y)
{
    (void)window, (void)x, (void)y;
}

const char *glfwGetKeyName(int key, int scancode)
{
    (void)key, (void)scancode;
    return NULL; // only some browsers know the keyboard layout
}

void glfwSetClipboardString(GLFWwindow *window, const char *text)
{
    (void)window;
    page_copy(text);
}

const char *glfwGetClipboardString(GLFWwindow *window)
{
    (void)window;
    return NULL; // a browser asks the user first, and answers asynchronously
}

GLFWcursor *glfwCreateStandardCursor(int shape)
{
    (void)shape;
    return NULL;
}

void glfwDestroyCursor(GLFWcursor *cursor)
{
    (void)cursor;
}

void glfwSetCursor(GLFWwindow *window, GLFWcursor *cursor)
{
    (void)window, (void)cursor;
}

#define PAGE_CALLBACK(type, name, field)                                                           \
    type name(GLFWwindow *window, type callback)                                                   \
    {                                                                                              \
        const type before = window->field;                                                         \
        window->field = callback;                                                                  \
        return before;                                                                             \
    }
PAGE_CALLBACK(GLFWkeyfun, glfwSetKeyCallback, on_key)
PAGE_CALLBACK(GLFWcharfun, glfwSetCharCallback, on_text)
PAGE_CALLBACK(GLFWmousebuttonfun, glfwSetMouseButtonCallback, on_button)
PAGE_CALLBACK(GLFWcursorposfun, glfwSetCursorPosCallback, on_cursor)
PAGE_CALLBACK(GLFWcursorenterfun, glfwSetCursorEnterCallback, on_enter)
PAGE_CALLBACK(GLFWscrollfun, glfwSetScrollCallback, on_wheel)
PAGE_CALLBACK(GLFWwindowfocusfun, glfwSetWindowFocusCallback, on_focus)

GLFWdropfun glfwSetDropCallback(GLFWwindow *window, GLFWdropfun callback)
{
    (void)window, (void)callback; // the page's script handles dropped files
    return NULL;
}

GLFWwindowcontentscalefun glfwSetWindowContentScaleCallback(GLFWwindow *window,
                                                            GLFWwindowcontentscalefun callback)
{
    (void)window, (void)callback; // zooming the page changes sizes and scale by the same factor
    return NULL;
}
