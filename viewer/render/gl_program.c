#include "render/gl_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/gl_features.h"

#define ES_HEAD                                                                                    \
    "\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n"                 \
    "precision highp sampler2DArray;\nprecision highp usampler2D;\n"
#define LINE_BYTES 24
#define LOG_BYTES 4096
#define PART_LINES 10000 // lines of part 2 are numbered from 20001 on

/// Finds the first line that a compiler's log names, such as "0:20014(7): error" or "0(20014) :
/// error", as part and number. Logs have no standard format, so there may be none.
static bool find_log_line(const char *log, int *part, int *line)
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
static int find_source_line(const char *source, int line, const char **text)
{
    for (; line > 1 && source; line--) {
        source = strchr(source, '\n');
        source = source ? source + 1 : NULL;
    }
    source = source ? source + strspn(source, " ") : "";
    *text = source;
    return (int)strcspn(source, "\n");
}

/// Names the shader, its line, and what the compiler says. The full log, which may be long, goes to
/// stderr.
static bool shader_problem(GLuint shader, const char *name, const char *const *parts, int count,
                           Message *problem)
{
    char log[LOG_BYTES] = "";
    int part = 0, line = 0;
    const char *text;
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    fprintf(stderr, "terrane-viewer: the %s shader:\n%s\n", name, log);
    if (!find_log_line(log, &part, &line) || part > count) {
        return message_set(problem, "The driver cannot compile the %s shader: %s", name, log);
    }
    const int length = find_source_line(parts[part - 1], line, &text);
    return message_set(problem,
                       "The driver cannot compile the %s shader, line %d of its part %d, \"%.*s\": "
                       "%s",
                       name, line, part, length < 120 ? length : 120, text, log);
}

/// What the text of every shader begins with, after its version. OpenGL ES wants a precision for
/// each type; the macros tell quad.vert and skyline.glsl what the context lacks.
static const char *shader_head(const GlFeatures *features)
{
    if (!features->is_es) {
        return "\n#extension GL_ARB_gpu_shader5 : enable\n#define HEIGHTS_FILTERED 1\n";
    }
    return features->has_float_filter ? ES_HEAD "#define HEIGHTS_FILTERED 1\n" : ES_HEAD;
}

static bool compile_shader(GLuint shader, const char *name, const char *const *parts,
                           Message *problem)
{
    // Each part has its own range of lines. #line also takes a string number, which not all drivers
    // print.
    char lines[GL_PROGRAM_PARTS_MAX][LINE_BYTES];
    const GlFeatures features = gl_features();
    const GLchar *sources[2 * GL_PROGRAM_PARTS_MAX + 2] = {gl_shader_version(),
                                                           shader_head(&features)};
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
    return good || shader_problem(shader, name, parts, count, problem);
}

static bool link_program(GLuint program, const char *name, Message *problem)
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
    bool good = compile_shader(vertex, def->name, def->vertex, problem) &&
                compile_shader(fragment, def->name, def->fragment, problem);
    if (good) {
        glAttachShader(made, vertex);
        glAttachShader(made, fragment);
        good = link_program(made, def->name, problem);
    }
    // Shaders exist as long as the program that contains them.
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
