#include "render/gl_features.h"

#include <string.h>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#include <emscripten/html5.h>
#include <webgl/webgl1_ext.h>

// Of EXT_clip_control, which Emscripten's headers lack.
#define GL_LOWER_LEFT 0x8CA1
#define GL_NEGATIVE_ONE_TO_ONE 0x935E
#define GL_ZERO_TO_ONE 0x935F
#define UNMASKED_RENDERER 0x9246

EM_JS(void, web_clip_control, (GLenum origin, GLenum depth),
      { GLctx.getExtension("EXT_clip_control")["clipControlEXT"](origin, depth); });
#endif

const char *gl_shader_version(void)
{
    return gl_is_es() ? "#version 300 es" : "#version 330 core";
}

bool gl_has_extension(const char *name)
{
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++) {
        const char *has = (const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i);
        if (has && strcmp(has, name) == 0) {
            return true;
        }
    }
    return false;
}

#ifdef __EMSCRIPTEN__

bool gl_is_es(void)
{
    return true;
}

GlFeatures gl_features(void)
{
    return (GlFeatures){.is_es = true,
                        .has_clip_control = gl_has_extension("GL_EXT_clip_control"),
                        .has_float_filter = gl_has_extension("GL_OES_texture_float_linear"),
                        .has_multi_draw = gl_has_extension("GL_WEBGL_multi_draw")};
}

const char *gl_driver_name(void)
{
    const bool tells = emscripten_webgl_enable_extension(emscripten_webgl_get_current_context(),
                                                         "WEBGL_debug_renderer_info");
    return (const char *)glGetString(tells ? UNMASKED_RENDERER : GL_RENDERER);
}

void gl_clip_depths(const GlFeatures *features, bool from_zero)
{
    (void)features;
    web_clip_control(GL_LOWER_LEFT, from_zero ? GL_ZERO_TO_ONE : GL_NEGATIVE_ONE_TO_ONE);
}

void gl_clear_depth(const GlFeatures *features, float depth)
{
    (void)features;
    glClearDepthf(depth);
}

void gl_encode_srgb(const GlFeatures *features, bool encodes)
{
    (void)features;
    (void)encodes;
}

void gl_draw_edges(const GlFeatures *features, bool only_edges)
{
    (void)features;
    (void)only_edges;
}

static void draw_all_ranges(const GLint *first, const GLsizei *counts, size_t count)
{
    glMultiDrawArraysWEBGL(GL_TRIANGLES, first, counts, (GLsizei)count);
}

#else

bool gl_is_es(void)
{
    const char *version = (const char *)glGetString(GL_VERSION);
    return version && strncmp(version, "OpenGL ES", strlen("OpenGL ES")) == 0;
}

GlFeatures gl_features(void)
{
    if (gl_is_es()) {
        return (GlFeatures){.is_es = true,
                            .has_clip_control = GLAD_GL_EXT_clip_control && glClipControlEXT,
                            .has_float_filter = gl_has_extension("GL_OES_texture_float_linear"),
                            .has_multi_draw =
                                GLAD_GL_EXT_multi_draw_arrays && glMultiDrawArraysEXT};
    }
    return (GlFeatures){.has_clip_control = GLAD_GL_ARB_clip_control && glClipControl,
                        .has_float_filter = true};
}

const char *gl_driver_name(void)
{
    return (const char *)glGetString(GL_RENDERER);
}

void gl_clip_depths(const GlFeatures *features, bool from_zero)
{
    const GLenum depth = from_zero ? GL_ZERO_TO_ONE : GL_NEGATIVE_ONE_TO_ONE;
    if (features->is_es) {
        glClipControlEXT(GL_LOWER_LEFT, depth);
    } else {
        glClipControl(GL_LOWER_LEFT, depth);
    }
}

void gl_clear_depth(const GlFeatures *features, float depth)
{
    if (features->is_es) {
        glClearDepthf(depth);
    } else {
        glClearDepth((double)depth);
    }
}

void gl_encode_srgb(const GlFeatures *features, bool encodes)
{
    if (!features->is_es) {
        (encodes ? glEnable : glDisable)(GL_FRAMEBUFFER_SRGB);
    }
}

void gl_draw_edges(const GlFeatures *features, bool only_edges)
{
    if (!features->is_es) {
        glPolygonMode(GL_FRONT_AND_BACK, only_edges ? GL_LINE : GL_FILL);
    }
}

static void draw_all_ranges(const GLint *first, const GLsizei *counts, size_t count)
{
    glMultiDrawArraysEXT(GL_TRIANGLES, first, counts, (GLsizei)count);
}

#endif

void gl_draw_ranges(const GlFeatures *features, const GLint *first, const GLsizei *counts,
                    size_t count)
{
    if (features->has_multi_draw) {
        draw_all_ranges(first, counts, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        glDrawArrays(GL_TRIANGLES, first[i], counts[i]);
    }
}
