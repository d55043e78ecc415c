/// Shader programs from source text.
#ifndef TERRANE_VIEWER_GL_PROGRAM_H
#define TERRANE_VIEWER_GL_PROGRAM_H

#include "message.h"
#include "render/gl.h"

#define GL_PROGRAM_PARTS_MAX 9
#define GL_PROGRAM_FRAME 0 ///< binding point of the uniform block

/// The parts of each shader are joined in order, after the #version line. Unused ones are NULL.
typedef struct GlProgramDef {
    const char *name; ///< for messages
    const char *vertex[GL_PROGRAM_PARTS_MAX];
    const char *fragment[GL_PROGRAM_PARTS_MAX];
} GlProgramDef;

/// Creates a program. A uniform block "Frame" is bound to GL_PROGRAM_FRAME.
/// @param program  receives the program; delete it with glDeleteProgram
/// On failure the message names the line, if the compiler does, and begins with the compiler's
/// message; stderr has all of it.
bool gl_program_create(GLuint *program, const GlProgramDef *def, Message *problem);

/// Binds a sampler of the program to a texture unit, or an array of samplers to one unit each.
/// @param units  [count]
void gl_program_set_samplers(GLuint program, const char *name, const GLint *units, GLsizei count);

#endif
