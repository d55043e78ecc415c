/// What commands on world files share: progress, sizes, and JSON.
#ifndef TERRANE_TOOL_WORLD_REPORT_H
#define TERRANE_TOOL_WORLD_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include <terrane/storage.h>

#include "message.h"
#include "progress.h"

struct cJSON;

/// Returns a progress that shows itself and stops at a signal (interrupt.h).
TrnStorageProgress world_progress(Progress *progress);

/// Whether the world is a file. @return false with a message that begins with the command's name
bool world_is_file(const char *path, const char *command, const char *instead, Message *problem);

/// Returns the bytes of a file; 0 if it cannot be read.
int64_t world_file_bytes(const char *path);

/// A number of bytes for people.
typedef struct BytesText {
    char text[32]; ///< "512 bytes", "3.4 MiB"
} BytesText;

BytesText world_bytes_text(uint64_t bytes);

/// Prints an object on standard output, and frees it. @param json  NULL: no memory
bool world_print_json(struct cJSON *json, Message *problem);

/// Fails with the sentence that a storage gave, or says that a signal came.
/// @param left  what holds then: "the world is as it was"
bool world_fail(const TrnStorageProblem *why, TrnResult result, const char *left, Message *problem);

#endif
