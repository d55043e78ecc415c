#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "files/file_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- paths --------------------------------------------------------------------------------------

const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void file_parent(const char *path, char parent[FILE_PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash && slash != path ? (size_t)(slash - path) : 1;
    (void)snprintf(parent, FILE_PATH_MAX, "%.*s", (int)length, slash ? path : ".");
}

bool file_clean_path(const char *text, char path[FILE_PATH_MAX])
{
    const char *home = getenv("HOME");
    text += strspn(text, " \t\"'");
    size_t length = strlen(text);
    while (length > 1 && strchr(" \t\"'/", text[length - 1])) {
        length--;
    }
    const bool is_own = strncmp(text, "~/", 2) == 0 && home;
    const int written = snprintf(path, FILE_PATH_MAX, "%s%.*s", is_own ? home : "",
                                 (int)(is_own ? length - 1 : length), is_own ? text + 1 : text);
    return written >= 0 && written < FILE_PATH_MAX;
}

static bool file_has(const char *folder, const char *name)
{
    char path[FILE_PATH_MAX + FILE_NAME_BYTES];
    const int written = snprintf(path, sizeof path, "%s/%s", folder, name);
    return written > 0 && written < (int)sizeof path && access(path, R_OK) == 0;
}

/// Whether a folder is a world of another game.
static bool file_is_world(const char *folder)
{
    static const char *const names[] = {"level.dat", "world.mt", "map.sqlite", "region"};
    bool has_any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        has_any = has_any || file_has(folder, names[i]);
    }
    return has_any;
}

FileThere file_there(const char *path)
{
    struct stat there;
    if (stat(path, &there) != 0) {
        return FILE_THERE_NOTHING;
    }
    return S_ISDIR(there.st_mode) && !file_is_world(path) ? FILE_THERE_FOLDER : FILE_THERE_SOURCE;
}

// ---- a folder -----------------------------------------------------------------------------------

/// Whether a file's name ends as those of a format that is imported.
static bool file_may_be_source(const char *name)
{
    static const char *const endings[] = {"mca", "mcr", "schem", "schematic", "litematic",
                                          "mts", "vox", "png",   "zip",       "sqlite"};
    const char *dot = strrchr(name, '.');
    bool is_any = false;
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++) {
        is_any = is_any || strcasecmp(dot + 1, endings[i]) == 0;
    }
    return is_any;
}

/// @return whether the entry is listed
static bool file_list_look_at(const char *folder, const char *name, FileEntry *entry)
{
    char path[FILE_PATH_MAX + FILE_NAME_BYTES];
    struct stat there;
    if (name[0] == '.' || strlen(name) >= sizeof entry->name) {
        return false;
    }
    const int written = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (written < 0 || written >= (int)sizeof path || stat(path, &there) != 0) {
        return false;
    }
    (void)snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->kind = !S_ISDIR(there.st_mode) ? FILE_FILE
                  : file_is_world(path)   ? FILE_WORLD
                                          : FILE_FOLDER;
    return S_ISDIR(there.st_mode) || (S_ISREG(there.st_mode) && file_may_be_source(name));
}

static int file_compare(const void *a, const void *b)
{
    const FileEntry *one = a, *other = b;
    if (one->kind != other->kind) {
        return one->kind < other->kind ? -1 : 1;
    }
    const int order = strcasecmp(one->name, other->name);
    return order ? order : strcmp(one->name, other->name);
}

bool file_list_read(FileList *list, const char *folder, Message *problem)
{
    FileList made = {.entries = calloc(FILE_LIST_MAX, sizeof *made.entries)};
    DIR *open = made.entries ? opendir(folder) : NULL;
    if (!open || strlen(folder) >= sizeof made.folder) {
        (void)message_set(problem, "Cannot read the folder %s: %s.", message_short(folder).text,
                          open ? "its name is too long" : strerror(errno));
        if (open) {
            (void)closedir(open);
        }
        free(made.entries);
        return false;
    }
    (void)snprintf(made.folder, sizeof made.folder, "%s", folder);
    FileEntry entry;
    for (const struct dirent *next; (next = readdir(open));) {
        if (!file_list_look_at(folder, next->d_name, &entry)) {
            continue;
        }
        if (made.count < FILE_LIST_MAX) {
            made.entries[made.count++] = entry;
        } else {
            made.left_off++;
        }
    }
    (void)closedir(open);
    qsort(made.entries, made.count, sizeof *made.entries, file_compare);
    file_list_free(list);
    *list = made;
    return true;
}

void file_list_free(FileList *list)
{
    free(list->entries);
    *list = (FileList){.entries = NULL};
}

bool file_list_path(const FileList *list, const FileEntry *entry, char path[FILE_PATH_MAX])
{
    const char *slash = list->folder[strlen(list->folder) - 1] == '/' ? "" : "/";
    const int written = snprintf(path, FILE_PATH_MAX, "%s%s%s", list->folder, slash, entry->name);
    return written >= 0 && written < FILE_PATH_MAX;
}
