/// OpenGL: functions and constants, features of the current context, errors and loss of the
/// context, and shader programs.
///
/// The renderer draws with OpenGL 3.3 core and with OpenGL ES 3.0, on which WebGL 2 is based. On
/// desktops, glad loads both; in a browser, Emscripten maps OpenGL ES 3.0 to WebGL 2. For the
/// differences, callers read GlFeatures or call a function of this file.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <glad/gl.h>
#endif

#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GlFeatures {
    bool is_es;            ///< OpenGL ES 3.0 or WebGL 2: no buffer textures, no base vertices
    bool has_clip_control; ///< depths in clip space can be 0..1
    bool has_float_filter; ///< float textures can be interpolated
    bool has_multi_draw;   ///< gl_draw_ranges is one call
} GlFeatures;

/// Whether the current context is OpenGL ES.
bool gl_is_es(void);

/// Returns the features of the current context. Cost: some calls into the driver; each object asks
/// once.
GlFeatures gl_features(void);

/// Returns the version line of a shader.
const char *gl_shader_version(void);

bool gl_has_extension(const char *name);

/// Returns the driver's name for its renderer. In a browser, returns the unmasked name if the
/// browser exposes it.
const char *gl_driver_name(void);

/// Sets whether depths in clip space are 0..1 or -1..1. Needs has_clip_control.
void gl_clip_depths(const GlFeatures *features, bool from_zero);

/// Sets the depth that glClear writes.
void gl_clear_depth(const GlFeatures *features, float depth);

/// Sets whether linear colours are encoded when written to sRGB framebuffers. OpenGL ES always
/// encodes.
void gl_encode_srgb(const GlFeatures *features, bool encodes);

/// Sets whether triangles are drawn as wireframes. OpenGL ES cannot: see DEBUG in light.glsl.
void gl_draw_edges(const GlFeatures *features, bool only_edges);

/// Draws ranges of vertices as triangles. For OpenGL ES, which has no base vertices.
/// @param first,counts  [count]
void gl_draw_ranges(const GlFeatures *features, const GLint *first, const GLsizei *counts,
                    size_t count);

/// Creates a 2D texture without texels, and binds it.
/// @param filter  GL_NEAREST or GL_LINEAR, for minification and magnification
/// @param wrap    GL_REPEAT or GL_CLAMP_TO_EDGE, along both axes
GLuint gl_texture_create(GLint filter, GLint wrap);

/// Draws alpha-blended triangles without writing depths. Then disables blending.
void gl_draw_blended(GLsizei vertices, GLsizei instances);

// ---- the context -------------------------------------------------------------------------------

typedef enum GlLoss {
    GL_LOSS_NONE,
    GL_LOSS_GUILTY,   ///< the driver was reset because of the viewer's drawing
    GL_LOSS_INNOCENT, ///< because of another program's drawing
    GL_LOSS_UNKNOWN
} GlLoss;

/// All zeroes: OpenGL 3.3 without error checking.
typedef struct GlContext {
    bool is_es;       ///< see GlFeatures
    bool is_watched;  ///< errors are counted
    bool has_debug;   ///< the driver reports errors (KHR_debug), not glGetError
    uint32_t errors;  ///< since gl_context_watch
    uint32_t printed; ///< messages on stderr so far
    GlLoss loss;      ///< never reset
} GlContext;

/// Makes the driver report every error at once, on the calling thread, to stderr with source, type
/// and id. Best with a debug context (GLFW_OPENGL_DEBUG_CONTEXT). Without KHR_debug,
/// gl_context_errors calls glGetError instead.
/// @param context  must not move while the OpenGL context exists
void gl_context_watch(GlContext *context);

/// Gives the current context the state of a new one, for another owner of a window: what the last
/// owner created must be deleted already.
void gl_context_reset(void);

/// Returns the number of errors since gl_context_watch. Without KHR_debug, only calls of this
/// function find errors, and each counts a kind of error once.
uint32_t gl_context_errors(GlContext *context);

/// Discards pending errors of glGetError, so that its next result is about the next call.
void gl_context_forget_errors(void);

/// Whether the context is lost, for example after a reset of the graphics card. Only drivers with
/// KHR_robustness or ARB_robustness report it, and only for a context created with
/// GLFW_LOSE_CONTEXT_ON_RESET. All its objects are lost too: create a new context.
/// Cost: a call into the driver; call it once a frame.
GlLoss gl_context_loss(GlContext *context);

/// Returns a message about the loss for users.
const char *gl_loss_text(GlLoss loss);

/// A driver limit that must be met.
typedef struct GlNeed {
    GLenum limit; ///< name for glGetIntegerv
    GLint least;
    const char *name;     ///< OpenGL's spelling
    const char *what_for; ///< completes "is needed for ..."
} GlNeed;

/// Whether the driver's limits are large enough; otherwise the message names a limit, its value,
/// and the least value.
bool gl_context_meets(const GlNeed *needs, size_t count, Message *problem);

// ---- shader programs ---------------------------------------------------------------------------

#define GL_PROGRAM_PARTS_MAX 12
#define GL_PROGRAM_FRAME 0 ///< binding point of the uniform block

/// The parts of each shader are concatenated after the #version line. Unused parts are NULL.
typedef struct GlProgramDef {
    const char *name; ///< for messages
    const char *vertex[GL_PROGRAM_PARTS_MAX];
    const char *fragment[GL_PROGRAM_PARTS_MAX];
} GlProgramDef;

/// Creates a program. A uniform block "Frame" is bound to GL_PROGRAM_FRAME.
/// @param program  receives the program; delete it with glDeleteProgram On failure the message
///                 begins with the compiler's message and names the line if the compiler does;
///                 stderr has the full log.
bool gl_program_create(GLuint *program, const GlProgramDef *def, Message *problem);

/// Binds a sampler of the program to a texture unit, or an array of samplers to one unit each.
/// @param units  [count]
void gl_program_set_samplers(GLuint program, const char *name, const GLint *units, GLsizei count);

#ifdef __cplusplus
}
#endif
