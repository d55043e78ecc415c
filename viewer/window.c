#include "window.h"

#include <stdio.h>

static Window *window_of(GLFWwindow *handle)
{
    return glfwGetWindowUserPointer(handle);
}

void window_catch_mouse(Window *window, bool caught)
{
    window->caught = caught;
    window->cursor_known = false;
    glfwSetInputMode(window->handle, GLFW_CURSOR,
                     caught ? GLFW_CURSOR_DISABLED : GLFW_CURSOR_NORMAL);
}

static void toggle_full_screen(Window *window)
{
    int *at = window->windowed;
    if (glfwGetWindowMonitor(window->handle)) {
        glfwSetWindowMonitor(window->handle, NULL, at[0], at[1], at[2], at[3], GLFW_DONT_CARE);
        return;
    }
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    if (mode) {
        glfwGetWindowPos(window->handle, &at[0], &at[1]);
        glfwGetWindowSize(window->handle, &at[2], &at[3]);
        glfwSetWindowMonitor(window->handle, monitor, 0, 0, mode->width, mode->height,
                             mode->refreshRate);
    }
}

static void press_escape(Window *window)
{
    if (window->caught) {
        window_catch_mouse(window, false);
    } else {
        glfwSetWindowShouldClose(window->handle, GLFW_TRUE);
    }
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers)
{
    (void)scancode;
    (void)modifiers;
    Window *window = window_of(handle);
    if (action != GLFW_PRESS) {
        return;
    }
    switch (key) {
    case GLFW_KEY_ESCAPE:
        press_escape(window);
        break;
    case GLFW_KEY_F1:
        window->input.toggle_help = true;
        break;
    case GLFW_KEY_F3:
        window->input.toggle_panel = true;
        break;
    case GLFW_KEY_F:
        window->input.toggle_walk = true;
        break;
    case GLFW_KEY_F11:
        toggle_full_screen(window);
        break;
    case GLFW_KEY_F12:
        window->input.screenshot = true;
        break;
    default:
        break;
    }
}

static void on_cursor(GLFWwindow *handle, double x, double y)
{
    Window *window = window_of(handle);
    if (window->caught && window->cursor_known) {
        window->input.look_x += (float)(x - window->cursor_x);
        window->input.look_y += (float)(y - window->cursor_y);
    }
    window->cursor_x = x;
    window->cursor_y = y;
    window->cursor_known = true;
}

static void on_scroll(GLFWwindow *handle, double x, double y)
{
    (void)x;
    window_of(handle)->input.wheel += (float)y;
}

static void on_button(GLFWwindow *handle, int button, int action, int modifiers)
{
    (void)modifiers;
    // Asking for the button's state once a frame would miss a click that is over before the frame
    // is.
    if (button == GLFW_MOUSE_BUTTON_LEFT && action == GLFW_PRESS) {
        window_of(handle)->input.click = true;
    }
}

static void on_focus(GLFWwindow *handle, int focused)
{
    (void)focused;
    // GLFW itself lets all keys go, frees a caught mouse and catches it again; only its jump is not
    // a look.
    window_of(handle)->cursor_known = false;
}

/// What GLFW says about its last failure.
static const char *glfw_reason(void)
{
    const char *reason = NULL;
    glfwGetError(&reason);
    return reason ? reason : "no reason was given";
}

static void hint_context(const WindowDef *def)
{
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, def->visible);
    glfwWindowHint(GLFW_DEPTH_BITS, 0); // the window gets finished pictures only
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
}

static void hint_version(void)
{
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
#ifdef TRN_ENABLE_ASSERT
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
#endif
}

/// Says which OpenGL there is, where 3.3 is not.
static bool version_problem(const char *reason, Message *problem)
{
    WindowDef any = {16, 16, false};
    char kept[160];
    snprintf(kept, sizeof kept, "%s", reason);
    hint_context(&any);
    GLFWwindow *handle = glfwCreateWindow(any.width, any.height, "Terrane", NULL, NULL);
    if (!handle) {
        return message_set(
            problem,
            "Cannot open a window with OpenGL 3.3: %s. Close other programs if memory is "
            "short, or draw on the processor: put LIBGL_ALWAYS_SOFTWARE=1 before "
            "the command.",
            kept);
    }
    glfwMakeContextCurrent(handle);
    // The loader wants 3.3; this one function is in every version.
    typedef const GLubyte *(*GetString)(GLenum);
    GetString get_string = (GetString)glfwGetProcAddress("glGetString");
    const GLubyte *version = get_string ? get_string(GL_VERSION) : NULL;
    message_set(problem, "OpenGL 3.3 is needed, and this driver has %s; a newer driver may help.",
                version ? (const char *)version : "none");
    glfwDestroyWindow(handle);
    return false;
}

static bool create_window(Window *window, const WindowDef *def, Message *problem)
{
    hint_context(def);
    hint_version();
    window->handle = glfwCreateWindow(def->width, def->height, "Terrane", NULL, NULL);
    if (!window->handle) {
        return version_problem(glfw_reason(), problem);
    }
    glfwMakeContextCurrent(window->handle);
    if (!gladLoadGL(glfwGetProcAddress)) {
        return message_set(problem, "The driver's OpenGL 3.3 lacks functions; a newer one may "
                                    "help.");
    }
    return true;
}

bool window_open(Window *window, const WindowDef *def, Message *problem)
{
    *window = (Window){0};
    if (!glfwInit()) {
        return message_set(problem,
                           "Cannot open a window: %s. Without a display, type 'xvfb-run -a "
                           "terrane-viewer --headless', or ./run.sh.",
                           glfw_reason());
    }
    if (!create_window(window, def, problem)) {
        window_close(window);
        return false;
    }
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, on_key);
    glfwSetCursorPosCallback(window->handle, on_cursor);
    glfwSetMouseButtonCallback(window->handle, on_button);
    glfwSetScrollCallback(window->handle, on_scroll);
    glfwSetWindowFocusCallback(window->handle, on_focus);
    glfwSwapInterval(def->visible ? 1 : 0);
    return true;
}

void window_close(Window *window)
{
    if (window->handle) {
        glfwDestroyWindow(window->handle);
    }
    window->handle = NULL;
    glfwTerminate();
}

WindowInput window_poll(Window *window)
{
    window->input = (WindowInput){0};
    if (glfwGetWindowAttrib(window->handle, GLFW_ICONIFIED)) {
        glfwWaitEventsTimeout(0.1);
    } else {
        glfwPollEvents();
    }
    return window->input;
}

float window_axis(const Window *window, int negative_key, int positive_key)
{
    return (float)(glfwGetKey(window->handle, positive_key) == GLFW_PRESS) -
           (float)(glfwGetKey(window->handle, negative_key) == GLFW_PRESS);
}
