/* What the public headers need of the C library, to parse them as MSVC would without its headers:
 * tools/portability.sh does. */
#pragma once

#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void *__cdecl memcpy(void *to, const void *from, size_t bytes);
void *__cdecl memset(void *memory, int byte, size_t bytes);
#ifdef __cplusplus
}
#endif
