#include "render/gl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#include <emscripten/html5.h>
#include <webgl/webgl1_ext.h>

// Of EXT_clip_control; Emscripten's headers lack them.
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

static void gl_draw_all_ranges(const GLint *first, const GLsizei *counts, size_t count)
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

static void gl_draw_all_ranges(const GLint *first, const GLsizei *counts, size_t count)
{
    glMultiDrawArraysEXT(GL_TRIANGLES, first, counts, (GLsizei)count);
}

#endif

void gl_draw_ranges(const GlFeatures *features, const GLint *first, const GLsizei *counts,
                    size_t count)
{
    if (features->has_multi_draw) {
        gl_draw_all_ranges(first, counts, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        glDrawArrays(GL_TRIANGLES, first[i], counts[i]);
    }
}

GLuint gl_texture_create(GLint filter, GLint wrap)
{
    GLuint made = 0;
    glGenTextures(1, &made);
    glBindTexture(GL_TEXTURE_2D, made);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
    return made;
}

void gl_draw_blended(GLsizei vertices, GLsizei instances)
{
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArraysInstanced(GL_TRIANGLES, 0, vertices, instances);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}

// ---- gl context ---------------------------------------------------------------------------------

#ifdef __EMSCRIPTEN__
#include <emscripten/html5.h>
#endif

// OpenGL keeps at most one error of each kind, but a lost context may report its loss endlessly.
#define ERRORS_KEPT_MAX 16
#define PRINTED_MAX 64 // an error in every frame must not fill a disk

// Of KHR_robustness; some headers lack them.
#define GUILTY_CONTEXT_RESET 0x8253
#define INNOCENT_CONTEXT_RESET 0x8254
#define UNKNOWN_CONTEXT_RESET 0x8255

// ---- messages of the driver ---------------------------------------------------------------------

static bool gl_context_may_print(GlContext *context)
{
    context->printed++;
    if (context->printed == PRINTED_MAX + 1) {
        fprintf(stderr, "terrane-viewer: more messages of OpenGL are not printed\n");
    }
    return context->printed <= PRINTED_MAX;
}

#ifdef __EMSCRIPTEN__

static bool gl_context_listen_to_driver(GlContext *context)
{
    (void)context;
    return false; // the browser's console shows errors
}

static GLenum gl_context_reset_status(bool is_es)
{
    (void)is_es;
    return emscripten_is_webgl_context_lost(emscripten_webgl_get_current_context())
               ? UNKNOWN_CONTEXT_RESET
               : GL_NO_ERROR;
}

#else

static const char *gl_context_source_name(GLenum source)
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

static const char *gl_context_type_name(GLenum type)
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

/// Undefined behaviour counts as an error: another driver may draw something else.
static bool gl_context_is_error(GLenum type)
{
    return type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR;
}

static void GLAD_API_PTR gl_context_hear_driver(GLenum source, GLenum type, GLuint id,
                                                GLenum severity, GLsizei length, const GLchar *text,
                                                const void *user)
{
    (void)length;
    GlContext *context = (GlContext *)user; // KHR_debug passes it as const
    context->errors += gl_context_is_error(type);
    // Notifications only report where each buffer is stored.
    if (severity != GL_DEBUG_SEVERITY_NOTIFICATION && gl_context_may_print(context)) {
        fprintf(stderr, "terrane-viewer: OpenGL %s %s %u: %s\n", gl_context_source_name(source),
                gl_context_type_name(type), id, text);
    }
}

/// @return false if the driver does not support this
static bool gl_context_listen_to_driver(GlContext *context)
{
    if (!GLAD_GL_KHR_debug) {
        return false;
    }
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    if (context->is_es) {
        glDebugMessageCallbackKHR(gl_context_hear_driver, context);
    } else {
        glDebugMessageCallback(gl_context_hear_driver, context);
    }
    return true;
}

static GLenum gl_context_reset_status(bool is_es)
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
    context->has_debug = gl_context_listen_to_driver(context);
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
        if (gl_context_may_print(context)) {
            fprintf(stderr, "terrane-viewer: OpenGL error 0x%04x\n", error);
        }
    }
    return context->errors;
}

void gl_context_reset(void)
{
    static const GLenum off[] = {GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_SCISSOR_TEST,
                                 GL_STENCIL_TEST};
    const GlFeatures features = gl_features();
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
        glDisable(off[i]);
    }
    if (features.has_clip_control) {
        gl_clip_depths(&features, false);
    }
    gl_clear_depth(&features, 1);
    gl_encode_srgb(&features, false);
    gl_draw_edges(&features, false);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glActiveTexture(GL_TEXTURE0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindVertexArray(0);
    glUseProgram(0);
    gl_context_forget_errors();
}

void gl_context_forget_errors(void)
{
    for (int i = 0; i < ERRORS_KEPT_MAX && glGetError() != GL_NO_ERROR; i++) {
    }
}

// ---- lost contexts ------------------------------------------------------------------------------

GlLoss gl_context_loss(GlContext *context)
{
    const GLenum status = gl_context_reset_status(context->is_es);
    // After the reset, the driver reports no error, but the context stays lost.
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

// ---- gl program ---------------------------------------------------------------------------------

#define ES_HEAD                                                                                    \
    "\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n"                 \
    "precision highp sampler2DArray;\nprecision highp usampler2D;\n"
#define LINE_BYTES 24
#define LOG_BYTES 4096
#define PART_LINES 10000 // lines of part 2 are numbered from 20001 on

/// Finds the first line number in a compiler's log, such as "0:20014(7): error" or "0(20014) :
/// error", as part and line. Logs have no standard format, so the number may be missing.
static bool gl_program_find_log_line(const char *log, int *part, int *line)
{
    for (const char *at = log; *at; at++) {
        const bool begins = at == log || !(at[-1] >= '0' && at[-1] <= '9');
        char *end;
        const long number = begins && *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : 0;
        if (number > PART_LINES && number / PART_LINES <= GL_PROGRAM_PARTS_MAX) {
            *part = (int)(number / PART_LINES);
            *line = (int)(number % PART_LINES);
            return true;
        }
    }
    return false;
}

/// Finds the text of a line, counted from 1. @return its length
static int gl_program_find_source_line(const char *source, int line, const char **text)
{
    for (; line > 1 && source; line--) {
        source = strchr(source, '\n');
        source = source ? source + 1 : NULL;
    }
    source = source ? source + strspn(source, " ") : "";
    *text = source;
    return (int)strcspn(source, "\n");
}

/// Writes the shader's name, the line and the compiler's message. Prints the full log to stderr.
static bool gl_program_shader_problem(GLuint shader, const char *name, const char *const *parts,
                                      int count, Message *problem)
{
    char log[LOG_BYTES] = "";
    int part = 0, line = 0;
    const char *text;
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    fprintf(stderr, "terrane-viewer: the %s shader:\n%s\n", name, log);
    if (!gl_program_find_log_line(log, &part, &line) || part > count) {
        return message_set(problem, "The driver cannot compile the %s shader: %s", name, log);
    }
    const int length = gl_program_find_source_line(parts[part - 1], line, &text);
    return message_set(problem,
                       "The driver cannot compile the %s shader, line %d of its part %d, \"%.*s\": "
                       "%s",
                       name, line, part, length < 120 ? length : 120, text, log);
}

/// Returns the text after a shader's version line. OpenGL ES needs a precision for each type; the
/// macros tell quad.vert and skyline.glsl which features the context lacks.
static const char *gl_program_shader_head(const GlFeatures *features)
{
    if (!features->is_es) {
        return "\n#extension GL_ARB_gpu_shader5 : enable\n#define HEIGHTS_FILTERED 1\n";
    }
    return features->has_float_filter ? ES_HEAD "#define HEIGHTS_FILTERED 1\n" : ES_HEAD;
}

static bool gl_program_compile_shader(GLuint shader, const char *name, const char *const *parts,
                                      Message *problem)
{
    // Each part has its own range of line numbers. The string number of #line would not do, because
    // not all drivers print it.
    char lines[GL_PROGRAM_PARTS_MAX][LINE_BYTES];
    const GlFeatures features = gl_features();
    const GLchar *sources[2 * GL_PROGRAM_PARTS_MAX + 2] = {gl_shader_version(),
                                                           gl_program_shader_head(&features)};
    int count = 0;
    for (; count < GL_PROGRAM_PARTS_MAX && parts[count]; count++) {
        snprintf(lines[count], sizeof lines[count], "#line %d\n", (count + 1) * PART_LINES + 1);
        sources[2 * count + 2] = lines[count];
        sources[2 * count + 3] = parts[count];
    }
    glShaderSource(shader, 2 * count + 2, sources, NULL);
    glCompileShader(shader);
    GLint good = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    return good || gl_program_shader_problem(shader, name, parts, count, problem);
}

static bool gl_program_link(GLuint program, const char *name, Message *problem)
{
    glLinkProgram(program);
    GLint good = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (good) {
        return true;
    }
    char log[384] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    return message_set(problem, "The driver cannot link the %s shader: %s", name, log);
}

bool gl_program_create(GLuint *program, const GlProgramDef *def, Message *problem)
{
    GLuint vertex = glCreateShader(GL_VERTEX_SHADER);
    GLuint fragment = glCreateShader(GL_FRAGMENT_SHADER);
    GLuint made = glCreateProgram();
    bool good = gl_program_compile_shader(vertex, def->name, def->vertex, problem) &&
                gl_program_compile_shader(fragment, def->name, def->fragment, problem);
    if (good) {
        glAttachShader(made, vertex);
        glAttachShader(made, fragment);
        good = gl_program_link(made, def->name, problem);
    }
    // Deleting only marks the shaders: the program keeps them.
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    if (!good) {
        glDeleteProgram(made);
        return false;
    }
    const GLuint block = glGetUniformBlockIndex(made, "Frame");
    if (block != GL_INVALID_INDEX) {
        glUniformBlockBinding(made, block, GL_PROGRAM_FRAME);
    }
    *program = made;
    return true;
}

void gl_program_set_samplers(GLuint program, const char *name, const GLint *units, GLsizei count)
{
    const GLint place = glGetUniformLocation(program, name);
    if (place >= 0) { // -1 if the program does not use it
        glUseProgram(program);
        glUniform1iv(place, count, units);
    }
}
