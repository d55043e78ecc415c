/// Worlds and schematics in zip archives, unpacked into a temporary folder. Builds without libzip,
/// and those for Windows, only say so (no_archive.c).
///
/// Nothing in an archive is trusted: names that lead out of a folder, encrypted entries, other
/// methods than "stored" and "deflated", and more bytes than a limit are refused. Only the files
/// that an import reads are unpacked, under names of ours.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARCHIVE_BYTES_MAX ((uint64_t)64 << 30) ///< unpacked
#define ARCHIVE_PATH_MAX 4096

/// What is unpacked.
typedef struct Archive {
    char folder[ARCHIVE_PATH_MAX];       ///< temporary; "": there is none
    char source[ARCHIVE_PATH_MAX + 300]; ///< the world's folder, or the file
} Archive;

/// Unpacks the world or the schematic of an archive.
/// @param beside     a path: the temporary folder is made next to it
/// @param bytes_max  unpacked; usually ARCHIVE_BYTES_MAX
/// @param goes_on    called now and then; false stops. NULL: never stops
/// @param archive    receives what archive_remove removes, also after a failure
/// @return false with a sentence
bool archive_unpack(Archive *archive, const char *path, const char *beside, uint64_t bytes_max,
                    bool (*goes_on)(void *user), void *user, Message *problem);

/// Removes what was unpacked. @param archive  all zeroes is fine
void archive_remove(Archive *archive);

#ifdef __cplusplus
}
#endif
