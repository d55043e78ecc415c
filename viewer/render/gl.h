/// OpenGL's functions and constants. On desktops glad loads them, of OpenGL 3.3 and of OpenGL ES
/// 3.0; in a browser Emscripten turns OpenGL ES 3.0 into WebGL 2. gl_features.h says which one is
/// current.
#ifndef TERRANE_VIEWER_GL_H
#define TERRANE_VIEWER_GL_H

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <glad/gl.h>
#endif

#endif
