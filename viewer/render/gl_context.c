#include "render/gl_context.h"

#include <stdio.h>

#ifdef __EMSCRIPTEN__
#include <emscripten/html5.h>
#endif

#include "render/gl_features.h"

// At most one error of each kind is kept, but a lost context may report its loss endlessly.
#define ERRORS_KEPT_MAX 16
#define PRINTED_MAX 64 // an error in every frame must not fill a disk

// Of KHR_robustness, which not every header has.
#define GUILTY_CONTEXT_RESET 0x8253
#define INNOCENT_CONTEXT_RESET 0x8254
#define UNKNOWN_CONTEXT_RESET 0x8255

// ---- messages of the driver ---------------------------------------------------------------------

static bool may_print(GlContext *context)
{
    context->printed++;
    if (context->printed == PRINTED_MAX + 1) {
        fprintf(stderr, "terrane-viewer: more messages of OpenGL are not printed\n");
    }
    return context->printed <= PRINTED_MAX;
}

#ifdef __EMSCRIPTEN__

static bool listen_to_driver(GlContext *context)
{
    (void)context;
    return false; // the browser's console tells
}

static GLenum reset_status(bool is_es)
{
    (void)is_es;
    return emscripten_is_webgl_context_lost(emscripten_webgl_get_current_context())
               ? UNKNOWN_CONTEXT_RESET
               : GL_NO_ERROR;
}

#else

static const char *source_name(GLenum source)
{
    switch (source) {
    case GL_DEBUG_SOURCE_API:
        return "API";
    case GL_DEBUG_SOURCE_WINDOW_SYSTEM:
        return "window system";
    case GL_DEBUG_SOURCE_SHADER_COMPILER:
        return "shader compiler";
    case GL_DEBUG_SOURCE_THIRD_PARTY:
        return "third party";
    case GL_DEBUG_SOURCE_APPLICATION:
        return "application";
    default:
        return "other source";
    }
}

static const char *type_name(GLenum type)
{
    switch (type) {
    case GL_DEBUG_TYPE_ERROR:
        return "error";
    case GL_DEBUG_TYPE_DEPRECATED_BEHAVIOR:
        return "deprecated";
    case GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR:
        return "undefined behaviour";
    case GL_DEBUG_TYPE_PORTABILITY:
        return "portability";
    case GL_DEBUG_TYPE_PERFORMANCE:
        return "performance";
    default:
        return "note";
    }
}

/// Undefined behaviour counts too: another driver might draw something else.
static bool is_error(GLenum type)
{
    return type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR;
}

static void GLAD_API_PTR hear_driver(GLenum source, GLenum type, GLuint id, GLenum severity,
                                     GLsizei length, const GLchar *text, const void *user)
{
    (void)length;
    GlContext *context = (GlContext *)user; // KHR_debug passes it as const
    context->errors += is_error(type);
    // Notifications tell where each buffer lies.
    if (severity != GL_DEBUG_SEVERITY_NOTIFICATION && may_print(context)) {
        fprintf(stderr, "terrane-viewer: OpenGL %s %s %u: %s\n", source_name(source),
                type_name(type), id, text);
    }
}

/// @return false if the driver cannot
static bool listen_to_driver(GlContext *context)
{
    if (!GLAD_GL_KHR_debug) {
        return false;
    }
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    if (context->is_es) {
        glDebugMessageCallbackKHR(hear_driver, context);
    } else {
        glDebugMessageCallback(hear_driver, context);
    }
    return true;
}

static GLenum reset_status(bool is_es)
{
    if (is_es) {
        return GLAD_GL_KHR_robustness && glGetGraphicsResetStatusKHR ? glGetGraphicsResetStatusKHR()
                                                                     : GL_NO_ERROR;
    }
    if (GLAD_GL_KHR_robustness && glGetGraphicsResetStatus) {
        return glGetGraphicsResetStatus();
    }
    if (GLAD_GL_ARB_robustness && glGetGraphicsResetStatusARB) {
        return glGetGraphicsResetStatusARB();
    }
    return GL_NO_ERROR;
}

#endif

void gl_context_watch(GlContext *context)
{
    *context = (GlContext){.is_watched = true, .is_es = gl_is_es()};
    context->has_debug = listen_to_driver(context);
    if (!context->has_debug) {
        fprintf(stderr, "terrane-viewer: this driver has no KHR_debug: errors of OpenGL are only "
                        "counted, once a frame\n");
    }
}

uint32_t gl_context_errors(GlContext *context)
{
    if (!context->is_watched || context->has_debug) {
        return context->errors;
    }
    for (int i = 0; i < ERRORS_KEPT_MAX; i++) {
        const GLenum error = glGetError();
        if (error == GL_NO_ERROR) {
            break;
        }
        context->errors++;
        if (may_print(context)) {
            fprintf(stderr, "terrane-viewer: OpenGL error 0x%04x\n", error);
        }
    }
    return context->errors;
}

void gl_context_forget_errors(void)
{
    for (int i = 0; i < ERRORS_KEPT_MAX && glGetError() != GL_NO_ERROR; i++) {
    }
}

// ---- lost contexts ------------------------------------------------------------------------------

GlLoss gl_context_loss(GlContext *context)
{
    const GLenum status = reset_status(context->is_es);
    // After the reset the driver reports nothing more, but the context stays lost.
    if (context->loss == GL_LOSS_NONE && status != GL_NO_ERROR) {
        context->loss = status == GUILTY_CONTEXT_RESET     ? GL_LOSS_GUILTY
                        : status == INNOCENT_CONTEXT_RESET ? GL_LOSS_INNOCENT
                                                           : GL_LOSS_UNKNOWN;
    }
    return context->loss;
}

const char *gl_loss_text(GlLoss loss)
{
    switch (loss) {
    case GL_LOSS_NONE:
        return "nothing was lost";
    case GL_LOSS_GUILTY:
        return "the graphics card was reset because of what this program drew";
    case GL_LOSS_INNOCENT:
        return "the graphics card was reset because of another program";
    default:
        return "the graphics card was reset, for a reason the driver does not know";
    }
}

// ---- limits -------------------------------------------------------------------------------------

bool gl_context_meets(const GlNeed *needs, size_t count, Message *problem)
{
    for (size_t i = 0; i < count; i++) {
        GLint found = 0;
        glGetIntegerv(needs[i].limit, &found);
        if (found < needs[i].least) {
            return message_set(problem,
                               "This driver's %s is %d, and %d is needed for %s; a newer driver "
                               "may help.",
                               needs[i].name, found, needs[i].least, needs[i].what_for);
        }
    }
    return true;
}
