/// Keys of a browser as GLFW numbers them.
#ifndef TERRANE_VIEWER_WEB_GLFW_KEYS_H
#define TERRANE_VIEWER_WEB_GLFW_KEYS_H

/// @param code  KeyboardEvent.code: a place on the keyboard, such as "KeyW" @return GLFW_KEY_*, or
/// -1
int page_key_of_code(const char *code);

#endif
