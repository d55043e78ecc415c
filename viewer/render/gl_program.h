/// Shader programs from source text.
#ifndef TERRANE_VIEWER_GL_PROGRAM_H
#define TERRANE_VIEWER_GL_PROGRAM_H

#include <glad/gl.h>

#include "message.h"

#define GL_PROGRAM_PARTS_MAX 8
#define GL_PROGRAM_FRAME 0 ///< binding point of uniform blocks

/// The parts of each shader are joined in order, behind the #version line. Unused ones are NULL.
typedef struct GlProgramDef {
    const char *name; ///< for messages
    const char *vertex[GL_PROGRAM_PARTS_MAX];
    const char *fragment[GL_PROGRAM_PARTS_MAX];
} GlProgramDef;

/// The uniform block "Frame" is read from GL_PROGRAM_FRAME, where a shader has it.
/// @param program  receives the program; delete it with glDeleteProgram
/// On failure the message names the line, where the compiler does, and holds the beginning of what
/// that says; stderr has all of it.
bool gl_program_create(GLuint *program, const GlProgramDef *def, Message *problem);

/// Points a sampler of the program at a texture unit, or an array of them at one unit each. @param
/// units  [count]
void gl_program_set_samplers(GLuint program, const char *name, const GLint *units, GLsizei count);

#endif
