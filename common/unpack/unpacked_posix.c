#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "unpacked.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool unpacked_make(Unpacked *unpacked, const UnpackDef *def, Message *problem)
{
    const char *slash = strrchr(def->beside, '/');
    const int folder = slash ? (int)(slash + 1 - def->beside) : 0;
    const int size = snprintf(unpacked->folder, sizeof unpacked->folder, "%.*s.terrane-tmp-XXXXXX",
                              folder, def->beside);
    if (size < 0 || (size_t)size >= sizeof unpacked->folder) {
        unpacked->folder[0] = '\0';
        return message_set(problem, "The name of the world is too long.");
    }
    if (!mkdtemp(unpacked->folder)) {
        const int error = errno;
        unpacked->folder[0] = '\0';
        return message_set(problem, "Cannot unpack %s: %s.", message_short(def->path).text,
                           strerror(error));
    }
    memcpy(unpacked->source, unpacked->folder, sizeof unpacked->folder);
    return true;
}

bool unpacked_ends_in(const char *name, const char *ending)
{
    const size_t size = strlen(name), length = strlen(ending);
    return size > length && strcmp(name + size - length, ending) == 0;
}

/// Removes a folder with files, and folders with files alone in it.
static void unpacked_remove_folder(const char *folder, int depth)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        char path[UNPACKED_PATH_MAX + 2 * (UNPACKED_NAME_MAX + 2)];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        const int size = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (size > 0 && (size_t)size < sizeof path && unlink(path) != 0 && depth > 0) {
            unpacked_remove_folder(path, depth - 1);
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
    (void)rmdir(folder);
}

void unpacked_remove(Unpacked *unpacked)
{
    if (unpacked->folder[0]) {
        unpacked_remove_folder(unpacked->folder, 1);
        unpacked->folder[0] = '\0';
    }
}
