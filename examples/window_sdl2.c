// A game in a window of SDL 2: the mouse looks, W A S D fly where one looks, the mouse's left
// button digs and its right one builds, Escape leaves. Usage: window_sdl2 [FILE]
//
// For SDL 3, rename: SDL_CreateWindow takes no place, SDL_SetRelativeMouseMode is
// SDL_SetWindowRelativeMouseMode and takes the window, events are SDL_EVENT_QUIT,
// SDL_EVENT_MOUSE_MOTION and SDL_EVENT_MOUSE_BUTTON_DOWN, SDL_GL_DeleteContext is
// SDL_GL_DestroyContext, SDL_GL_GetDrawableSize is SDL_GetWindowSizeInPixels, keyboards are arrays
// of bool, and SDL_Init and SDL_GL_SetSwapInterval return true on success.
#define GL_GLEXT_PROTOTYPES // functions of libGL; on Windows load them, with glad or the like
#define SDL_MAIN_HANDLED
#include <SDL.h>
#include <SDL_opengl.h>

#include "window_world.h"

static int tell(const char *what, const char *why)
{
    fprintf(stderr, "window_sdl2: %s%s\n", what, why);
    SDL_Quit();
    return 1;
}

static SDL_Window *open_window(SDL_GLContext *context)
{
    SDL_SetMainReady();
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        return NULL;
    }
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    SDL_Window *window =
        SDL_CreateWindow("Terrane", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, 800, 600,
                         SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE);
    *context = window ? SDL_GL_CreateContext(window) : NULL;
    if (!*context) {
        return NULL;
    }
    SDL_GL_SetSwapInterval(1);
    SDL_SetRelativeMouseMode(SDL_TRUE);
    return window;
}

/// Turns, digs and builds as the mouse says. @return whether the game goes on
static bool handle_events(Game *game)
{
    SDL_Event event;
    bool goes_on = true;
    while (SDL_PollEvent(&event)) {
        const bool is_key = event.type == SDL_KEYDOWN; // however short its press
        if (event.type == SDL_QUIT ||
            (is_key && event.key.keysym.scancode == SDL_SCANCODE_ESCAPE)) {
            goes_on = false;
        } else if (event.type == SDL_MOUSEMOTION) {
            world_move(game, 0.003 * event.motion.xrel, -0.003 * event.motion.yrel, 0, 0);
        } else if (event.type == SDL_MOUSEBUTTONDOWN) {
            world_edit(game, event.button.button == SDL_BUTTON_LEFT);
        }
    }
    return goes_on;
}

static void play(SDL_Window *window, Game *game, GLuint program)
{
    const Uint8 *keys = SDL_GetKeyboardState(NULL);
    Uint64 before = SDL_GetPerformanceCounter();
    while (handle_events(game)) {
        const Uint64 now = SDL_GetPerformanceCounter();
        const double seconds = (double)(now - before) / (double)SDL_GetPerformanceFrequency();
        const double step = 20 * fmin(seconds, 0.1); // blocks a second
        int width, height;
        before = now;
        world_move(game, 0, 0, step * (keys[SDL_SCANCODE_D] - keys[SDL_SCANCODE_A]),
                   step * (keys[SDL_SCANCODE_W] - keys[SDL_SCANCODE_S]));
        SDL_GL_GetDrawableSize(window, &width, &height);
        world_frame(game, program, width, height);
        SDL_GL_SwapWindow(window);
    }
}

int main(int argc, char **argv)
{
    static Game game;
    TrnStorageProblem problem = {""};
    SDL_GLContext context = NULL;
    SDL_Window *window = open_window(&context);
    if (!window) {
        return tell("there is no window with OpenGL 3.3: ", SDL_GetError());
    }
    TrnResult result = world_open(&game, argc > 1 ? argv[1] : "window.world", &problem);
    if (result == TRN_RESULT_OK) {
        play(window, &game, world_make_program());
    }
    const TrnResult closed = world_close(&game); // its meshes need the window
    result = result == TRN_RESULT_OK ? closed : result;
    if (result != TRN_RESULT_OK) {
        return tell(*problem.sentence ? problem.sentence : trn_result_text(result), "");
    }
    SDL_GL_DeleteContext(context);
    SDL_Quit();
    return 0;
}
