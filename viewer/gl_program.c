#include "gl_program.h"

#include <string.h>

static bool compile_shader(GLuint shader, const char *name, const char *const *parts,
                           Message *problem)
{
    const GLchar *sources[GL_PROGRAM_PARTS_MAX + 1] = {"#version 330 core\n"};
    GLsizei count = 1;
    for (int i = 0; i < GL_PROGRAM_PARTS_MAX && parts[i]; i++) {
        sources[count++] = parts[i];
    }
    glShaderSource(shader, count, sources, NULL);
    glCompileShader(shader);
    GLint good = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) {
        return true;
    }
    char log[384] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    return message_set(problem, "The driver cannot compile the %s shader: %s", name, log);
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
    // Shaders live on while the program holds them.
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    if (!good) {
        glDeleteProgram(made);
        return false;
    }
    *program = made;
    return true;
}

void gl_program_set_sampler(GLuint program, const char *name, GLint unit)
{
    const GLint place = glGetUniformLocation(program, name);
    if (place >= 0) { // -1 where the program does not use it
        glUseProgram(program);
        glUniform1i(place, unit);
    }
}
