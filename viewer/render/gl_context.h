/// The OpenGL context: whether the driver meets the renderer's needs, what it reports about calls,
/// and whether the context is lost.
#ifndef TERRANE_VIEWER_GL_CONTEXT_H
#define TERRANE_VIEWER_GL_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "message.h"
#include "render/gl.h"

typedef enum GlLoss {
    GL_LOSS_NONE,
    GL_LOSS_GUILTY,   ///< the driver was reset because of our drawing
    GL_LOSS_INNOCENT, ///< because of another program's drawing
    GL_LOSS_UNKNOWN
} GlLoss;

/// All zeroes: OpenGL 3.3, whose errors are not watched.
typedef struct GlContext {
    bool is_es;       ///< see GlFeatures
    bool is_watched;  ///< errors are counted
    bool has_debug;   ///< reported by the driver (KHR_debug), not by glGetError
    uint32_t errors;  ///< since gl_context_watch
    uint32_t printed; ///< messages on stderr so far
    GlLoss loss;      ///< never reset
} GlContext;

/// Makes the driver report every wrong use, at once and on the calling thread, to stderr with
/// source, type and id. Best with a debug context (GLFW_OPENGL_DEBUG_CONTEXT). Without KHR_debug,
/// gl_context_errors calls glGetError instead.
/// @param context  must not move while the OpenGL context exists
void gl_context_watch(GlContext *context);

/// Returns the number of errors since gl_context_watch. Without KHR_debug: those seen by this call
/// and earlier ones; each kind counts once a call.
uint32_t gl_context_errors(GlContext *context);

/// Discards what glGetError would report of earlier calls, so that its next result is about the
/// next call.
void gl_context_forget_errors(void);

/// Whether the context is lost, for example after a reset of the graphics card. Only drivers with
/// KHR_robustness or ARB_robustness report it, and only for a context created for it
/// (GLFW_LOSE_CONTEXT_ON_RESET). All objects are then lost too: create a new context.
/// Cost: a call into the driver; call it once a frame.
GlLoss gl_context_loss(GlContext *context);

/// Returns what happened, as a message for users.
const char *gl_loss_text(GlLoss loss);

/// A driver limit that must be met.
typedef struct GlNeed {
    GLenum limit; ///< name for glGetIntegerv
    GLint least;
    const char *name;     ///< OpenGL's spelling
    const char *what_for; ///< completes "is needed for ..."
} GlNeed;

/// Whether the driver's limits are large enough; otherwise the message names one that is not, its
/// value, and what is needed.
bool gl_context_meets(const GlNeed *needs, size_t count, Message *problem);

#endif
