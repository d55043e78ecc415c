/// What the current context can do. The renderer draws with OpenGL 3.3 core, and with OpenGL ES
/// 3.0, of which WebGL 2 is a part. Where these differ, callers ask here or call a function here.
#ifndef TERRANE_VIEWER_GL_FEATURES_H
#define TERRANE_VIEWER_GL_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

#include "render/gl.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GlFeatures {
    bool is_es;            ///< OpenGL ES 3.0 or WebGL 2: no buffer textures, no base vertices
    bool has_clip_control; ///< depths in clip space may be 0..1
    bool has_float_filter; ///< textures of floats may be interpolated
    bool has_multi_draw;   ///< gl_draw_ranges is one call
} GlFeatures;

/// Whether the current context is one of OpenGL ES.
bool gl_is_es(void);

/// Returns what the current context can do. Cost: some calls into the driver; ask once an object.
GlFeatures gl_features(void);

/// Returns the line that a shader's text begins with.
const char *gl_shader_version(void);

bool gl_has_extension(const char *name);

/// Returns the driver's name for what it draws with. In a browser, the name behind WebGL's own if
/// the browser tells it.
const char *gl_driver_name(void);

/// Sets whether depths in clip space are 0..1 or -1..1. Needs has_clip_control.
void gl_clip_depths(const GlFeatures *features, bool from_zero);

/// Sets what glClear writes as depth.
void gl_clear_depth(const GlFeatures *features, float depth);

/// Sets whether linear colours are encoded in framebuffers of sRGB. OpenGL ES always encodes.
void gl_encode_srgb(const GlFeatures *features, bool encodes);

/// Sets whether triangles are drawn as their edges. OpenGL ES cannot: see DEBUG in light.glsl.
void gl_draw_edges(const GlFeatures *features, bool only_edges);

/// Draws ranges of vertices as triangles: in OpenGL ES, which has no base vertices.
/// @param first,counts  [count]
void gl_draw_ranges(const GlFeatures *features, const GLint *first, const GLsizei *counts,
                    size_t count);

#ifdef __cplusplus
}
#endif

#endif
