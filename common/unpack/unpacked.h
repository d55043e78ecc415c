/// What an import reads in place of its source: a temporary folder into which a zip archive or a
/// map in a database was copied. Not on Windows.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNPACKED_PATH_MAX 4096
#define UNPACKED_NAME_MAX 255                   ///< bytes of a file in the folder
#define UNPACKED_BYTES_MAX ((uint64_t)64 << 30) ///< usually

/// What is unpacked. All zeroes is nothing.
typedef struct Unpacked {
    char folder[UNPACKED_PATH_MAX];       ///< temporary; "": there is none
    char source[UNPACKED_PATH_MAX + 300]; ///< what to import: the folder, or a file in it
} Unpacked;

/// How it is unpacked.
typedef struct UnpackDef {
    const char *path;            ///< of the source, or its URL
    const char *beside;          ///< a path: the temporary folder is made next to it
    uint64_t bytes_max;          ///< unpacked
    bool (*goes_on)(void *user); ///< called now and then; false stops. NULL: never stops
    void *user;
} UnpackDef;

/// Unpacks a source.
/// @param unpacked  receives what unpacked_remove removes, also after a failure
/// @return false with a sentence
typedef bool UnpackSource(Unpacked *unpacked, const UnpackDef *def, Message *problem);

/// Makes an empty folder, which is also the source. @return false with a sentence
bool unpacked_make(Unpacked *unpacked, const UnpackDef *def, Message *problem);

/// Whether the name of a file has an ending, such as ".mca", and more.
bool unpacked_ends_in(const char *name, const char *ending);

/// Removes what was unpacked.
void unpacked_remove(Unpacked *unpacked);

#ifdef __cplusplus
}
#endif
