// A game in a window of GLFW 3: the mouse looks, W A S D fly where one looks, the mouse's left
// button digs and its right one builds, Escape leaves. Usage: window_glfw [FILE]
#define GL_GLEXT_PROTOTYPES // functions of libGL; on Windows load them, with glad or the like
#define GLFW_INCLUDE_GLCOREARB
#include <GLFW/glfw3.h>

#include "window_world.h"

static int tell(const char *what, const char *why)
{
    fprintf(stderr, "window_glfw: %s%s\n", what, why ? why : "");
    glfwTerminate();
    return 1;
}

static GLFWwindow *open_window(void)
{
    if (!glfwInit()) {
        return NULL;
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow *window = glfwCreateWindow(800, 600, "Terrane", NULL, NULL);
    if (window) {
        glfwMakeContextCurrent(window);
        glfwSwapInterval(1);
        glfwSetInputMode(window, GLFW_CURSOR, GLFW_CURSOR_DISABLED);
        glfwSetInputMode(window, GLFW_STICKY_KEYS, GLFW_TRUE); // no press is too short
    }
    return window;
}

static void press(GLFWwindow *window, int button, int action, int mods)
{
    (void)mods;
    if (action == GLFW_PRESS) {
        world_edit(glfwGetWindowUserPointer(window), button == GLFW_MOUSE_BUTTON_LEFT);
    }
}

static double held(GLFWwindow *window, int key)
{
    return glfwGetKey(window, key) == GLFW_PRESS ? 1 : 0;
}

static void play(GLFWwindow *window, Game *game, GLuint program)
{
    glfwSetWindowUserPointer(window, game);
    glfwSetMouseButtonCallback(window, press);
    double before = glfwGetTime(), from_x, from_y;
    glfwGetCursorPos(window, &from_x, &from_y);
    while (!glfwWindowShouldClose(window) && held(window, GLFW_KEY_ESCAPE) == 0) {
        const double now = glfwGetTime(), step = 20 * fmin(now - before, 0.1); // blocks a second
        double x, y;
        int width, height;
        before = now;
        glfwPollEvents();
        glfwGetCursorPos(window, &x, &y);
        world_move(game, 0.003 * (x - from_x), 0.003 * (from_y - y),
                   step * (held(window, GLFW_KEY_D) - held(window, GLFW_KEY_A)),
                   step * (held(window, GLFW_KEY_W) - held(window, GLFW_KEY_S)));
        from_x = x;
        from_y = y;
        glfwGetFramebufferSize(window, &width, &height);
        world_frame(game, program, width, height);
        glfwSwapBuffers(window);
    }
}

int main(int argc, char **argv)
{
    static Game game;
    TrnStorageProblem problem = {""};
    const char *why = "";
    GLFWwindow *window = open_window();
    if (!window) {
        (void)glfwGetError(&why);
        return tell("there is no window with OpenGL 3.3: ", why);
    }
    TrnResult result = world_open(&game, argc > 1 ? argv[1] : "window.world", &problem);
    if (result == TRN_RESULT_OK) {
        play(window, &game, world_make_program());
    }
    const TrnResult closed = world_close(&game); // its meshes need the window
    result = result == TRN_RESULT_OK ? closed : result;
    if (result != TRN_RESULT_OK) {
        return tell(*problem.sentence ? problem.sentence : trn_result_text(result), NULL);
    }
    glfwTerminate();
    return 0;
}
