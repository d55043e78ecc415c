/// Files of the fuzz targets that need some, in a folder of their own. _XOPEN_SOURCE must be 700.
#pragma once

#include <unistd.h>

#include "fuzz.h"

#define FUZZ_FOLDER_BYTES 64
#define FUZZ_PATH_BYTES 96

/// Creates a folder in TMPDIR, or in /tmp.
static inline void fuzz_begin_folder(char folder[FUZZ_FOLDER_BYTES])
{
    const char *temporary = getenv("TMPDIR");
    (void)snprintf(folder, FUZZ_FOLDER_BYTES, "%s/terrane-fuzz-XXXXXX",
                   temporary && strlen(temporary) < 40 ? temporary : "/tmp");
    FUZZ_REQUIRE(mkdtemp(folder));
}

/// Removes a folder. All files in it must have been removed.
static inline void fuzz_end_folder(const char *folder)
{
    FUZZ_REQUIRE(rmdir(folder) == 0);
}

/// @param name  of a file in the folder; shorter than 24 bytes
static inline void fuzz_path(char path[FUZZ_PATH_BYTES], const char *folder, const char *name)
{
    (void)snprintf(path, FUZZ_PATH_BYTES, "%s/%s", folder, name);
}

static inline void fuzz_write_file(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    FUZZ_REQUIRE(file && fwrite(bytes, 1, size, file) == size);
    FUZZ_REQUIRE(fclose(file) == 0);
}
