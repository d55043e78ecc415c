/// The OpenGL context itself: whether the driver can do what the renderer needs, what it says about
/// our calls, and whether it has lost everything that it was given.
#ifndef TERRANE_VIEWER_GL_CONTEXT_H
#define TERRANE_VIEWER_GL_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include <glad/gl.h>

#include "message.h"

typedef enum GlLoss {
    GL_LOSS_NONE,
    GL_LOSS_GUILTY,   ///< the driver was reset because of what we drew
    GL_LOSS_INNOCENT, ///< because of another program
    GL_LOSS_UNKNOWN
} GlLoss;

/// All zeroes: nobody watches.
typedef struct GlContext {
    bool is_watched;  ///< every error is counted
    bool has_debug;   ///< by the driver's own word (KHR_debug), and not by glGetError
    uint32_t errors;  ///< since gl_context_watch
    uint32_t printed; ///< messages on stderr so far
    GlLoss loss;      ///< stays, once there is one
} GlContext;

/// Has the driver report every wrong use of it, at once and on the calling thread: to stderr, with
/// source, type and id. Best on a context made for it (GLFW_OPENGL_DEBUG_CONTEXT). Where the driver
/// has no KHR_debug, gl_context_errors asks glGetError instead.
/// @param context  stays where it is as long as the OpenGL context lives
void gl_context_watch(GlContext *context);

/// How many errors there were since gl_context_watch. Without KHR_debug: how many of them were seen
/// by this call, and those before; each kind counts once a call.
uint32_t gl_context_errors(GlContext *context);

/// Forgets what glGetError has to say of earlier calls, so that the next answer is about the next
/// call.
void gl_context_forget_errors(void);

/// Whether the driver has lost everything, after a reset of the graphics card say. Only a driver
/// with KHR_robustness or ARB_robustness, and a context made for it (GLFW_LOSE_CONTEXT_ON_RESET),
/// ever says so. Then every object is gone: make a new context.
/// Cost: a call into the driver; to be asked once a frame.
GlLoss gl_context_loss(GlContext *context);

/// What happened, for people.
const char *gl_loss_text(GlLoss loss);

/// A limit of the driver's.
typedef struct GlNeed {
    GLenum limit; ///< for glGetIntegerv
    GLint least;
    const char *name;     ///< as OpenGL spells it
    const char *what_for; ///< completes "is needed for ..."
} GlNeed;

/// Whether the driver's limits are large enough; otherwise the message says which is not, what it
/// is and what is needed.
bool gl_context_meets(const GlNeed *needs, size_t count, Message *problem);

#endif
