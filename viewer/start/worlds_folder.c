#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "start/worlds_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system.h"
#include "whole_file.h"

#define PICTURE_NAME "viewer/picture"
#define PICTURE_MARK "rgb1" // 96 x 60; another format needs another mark

enum { MARK_BYTES = sizeof PICTURE_MARK - 1 };

typedef struct PictureValue {
    char mark[MARK_BYTES];
    WorldPicture picture;
} PictureValue;

/// Averages a box of pixels.
static void worlds_folder_average(const unsigned char *rgb, int width, const int from[2],
                                  const int to[2], uint8_t mean[3])
{
    uint64_t sum[3] = {0};
    for (int y = from[1]; y < to[1]; y++) {
        for (int x = from[0]; x < to[0]; x++) {
            for (int c = 0; c < 3; c++) {
                sum[c] += rgb[((size_t)y * (size_t)width + (size_t)x) * 3 + (size_t)c];
            }
        }
    }
    const uint64_t count = (uint64_t)(to[0] - from[0]) * (uint64_t)(to[1] - from[1]);
    for (int c = 0; c < 3; c++) {
        mean[c] = (uint8_t)(sum[c] / count);
    }
}

/// Returns the first pixel of a part of a row or column; part `parts` is the end.
static int worlds_folder_part_of(int part, int parts, int begin, int size)
{
    return begin + (int)((int64_t)part * size / parts);
}

WorldPicture world_picture_shrink(const unsigned char *rgb, int width, int height)
{
    const int shape[2] = {WORLD_PICTURE_WIDTH, WORLD_PICTURE_HEIGHT};
    const bool is_wide = (int64_t)width * shape[1] > (int64_t)height * shape[0];
    int size[2] = {width, height};
    size[is_wide ? 0 : 1] = is_wide ? (int)((int64_t)height * shape[0] / shape[1])
                                    : (int)((int64_t)width * shape[1] / shape[0]);
    size[0] = size[0] > 0 ? size[0] : 1;
    size[1] = size[1] > 0 ? size[1] : 1;
    const int begin[2] = {(width - size[0]) / 2, (height - size[1]) / 2};
    WorldPicture picture;
    for (int y = 0; y < WORLD_PICTURE_HEIGHT; y++) {
        for (int x = 0; x < WORLD_PICTURE_WIDTH; x++) {
            const int at[2] = {x, y};
            int from[2], to[2];
            for (int axis = 0; axis < 2; axis++) {
                from[axis] = worlds_folder_part_of(at[axis], shape[axis], begin[axis], size[axis]);
                to[axis] =
                    worlds_folder_part_of(at[axis] + 1, shape[axis], begin[axis], size[axis]);
                to[axis] = to[axis] > from[axis] ? to[axis] : from[axis] + 1; // at least one
            }
            worlds_folder_average(rgb, width, from, to, picture.rgb[y][x]);
        }
    }
    return picture;
}

TrnResult world_picture_write(TrnSave *save, const WorldPicture *picture)
{
    PictureValue value = {.picture = *picture};
    memcpy(value.mark, PICTURE_MARK, MARK_BYTES);
    return trn_save_set_value(save, PICTURE_NAME, &value, sizeof value);
}

bool world_picture_read(TrnSave *save, WorldPicture *picture)
{
    PictureValue value;
    size_t size = 0;
    if (trn_save_get_value(save, PICTURE_NAME, &value, sizeof value, &size) != TRN_RESULT_OK ||
        size != sizeof value || memcmp(value.mark, PICTURE_MARK, MARK_BYTES) != 0) {
        return false;
    }
    *picture = value.picture;
    return true;
}

// ---- worlds folder ------------------------------------------------------------------------------

#define BELOW_FOLDER "terrane/worlds"
#define SUFFIX ".world"
#define SCAN_MAX 100000 // files of the folder that are examined

// ---- the list -----------------------------------------------------------------------------------

bool worlds_folder_place(char path[WORLDS_PATH_MAX])
{
    char folder[WORLDS_PATH_MAX];
    if (!system_data_folder(folder, sizeof folder) ||
        snprintf(path, WORLDS_PATH_MAX, "%s/" BELOW_FOLDER, folder) >= WORLDS_PATH_MAX) {
        path[0] = '\0';
        return false;
    }
    return true;
}

static bool worlds_folder_is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7F;
}

static bool worlds_folder_is_name(const char *file)
{
    const size_t length = strlen(file), suffix = strlen(SUFFIX);
    return file[0] != '.' && length > suffix && length < WORLDS_NAME_BYTES &&
           strcmp(file + length - suffix, SUFFIX) == 0;
}

bool worlds_folder_path(const WorldsFolder *folder, const WorldEntry *entry,
                        char path[WORLDS_PATH_MAX])
{
    return snprintf(path, WORLDS_PATH_MAX, "%s/%s", folder->path, entry->file) < WORLDS_PATH_MAX;
}

/// Records the name, size and time of a file; errors show when the world is read.
static WorldEntry worlds_note(const WorldsFolder *folder, const char *file)
{
    WorldEntry entry = {.state = WORLD_UNREAD};
    char path[WORLDS_PATH_MAX];
    struct stat status;
    (void)snprintf(entry.file, sizeof entry.file, "%s", file);
    (void)snprintf(entry.name, sizeof entry.name, "%.*s", (int)(strlen(file) - strlen(SUFFIX)),
                   file);
    for (char *c = entry.name; *c; c++) {
        *c = worlds_folder_is_control(*c) ? '?' : *c;
    }
    if (worlds_folder_path(folder, &entry, path) && stat(path, &status) == 0) {
        entry.bytes = (uint64_t)status.st_size;
        entry.visited = (int64_t)status.st_mtime;
    }
    return entry;
}

static int worlds_folder_compare_names(const void *a, const void *b)
{
    const WorldEntry *first = a, *second = b;
    const int order = strcasecmp(first->name, second->name);
    return order ? order : strcmp(first->file, second->file);
}

/// Latest first; equal times by name.
static int worlds_folder_compare(const void *a, const void *b)
{
    const WorldEntry *first = a, *second = b;
    return first->visited != second->visited ? (first->visited > second->visited ? -1 : 1)
                                             : worlds_folder_compare_names(a, b);
}

static int worlds_folder_compare_sizes(const void *a, const void *b)
{
    const WorldEntry *first = a, *second = b;
    return first->bytes != second->bytes ? (first->bytes > second->bytes ? -1 : 1)
                                         : worlds_folder_compare_names(a, b);
}

void worlds_folder_sort(WorldsFolder *folder, WorldsOrder order)
{
    static int (*const compare[WORLDS_ORDER_COUNT])(const void *, const void *) = {
        worlds_folder_compare, worlds_folder_compare_names, worlds_folder_compare_sizes};
    if (folder->count > 1) {
        qsort(folder->worlds, folder->count, sizeof *folder->worlds, compare[order]);
    }
}

/// Adds a world; if the list is full, replaces the oldest.
static void worlds_add(WorldsFolder *folder, const WorldEntry *entry)
{
    if (folder->count < WORLDS_FOLDER_MAX) {
        folder->worlds[folder->count++] = *entry;
        return;
    }
    folder->left_off++;
    size_t oldest = 0;
    for (size_t i = 1; i < folder->count; i++) {
        oldest =
            worlds_folder_compare(&folder->worlds[i], &folder->worlds[oldest]) > 0 ? i : oldest;
    }
    if (worlds_folder_compare(entry, &folder->worlds[oldest]) < 0) {
        folder->worlds[oldest] = *entry;
    }
}

static void worlds_refuse(WorldsFolder *folder, const char *reason)
{
    (void)message_set(&folder->problem,
                      "Cannot read the folder of worlds %s: %s. Name another with --worlds DIR.",
                      message_short(folder->path).text, reason);
}

void worlds_folder_list(WorldsFolder *folder, const char *path)
{
    *folder = (WorldsFolder){.count = 0};
    if (snprintf(folder->path, sizeof folder->path, "%s", path) >= (int)sizeof folder->path) {
        worlds_refuse(folder, strerror(ENAMETOOLONG));
        return;
    }
    DIR *list = opendir(path);
    if (!list) {
        if (errno != ENOENT) { // a missing folder is created with the first world
            worlds_refuse(folder, strerror(errno));
        }
        return;
    }
    folder->worlds = calloc(WORLDS_FOLDER_MAX, sizeof *folder->worlds);
    struct dirent *file;
    for (int i = 0; folder->worlds && i < SCAN_MAX && (file = readdir(list)); i++) {
        if (worlds_folder_is_name(file->d_name)) {
            const WorldEntry entry = worlds_note(folder, file->d_name);
            worlds_add(folder, &entry);
        }
    }
    (void)closedir(list);
    if (!folder->worlds) {
        worlds_refuse(folder, "out of memory");
        return;
    }
    worlds_folder_sort(folder, WORLDS_BY_VISIT);
}

void worlds_folder_free(WorldsFolder *folder)
{
    for (size_t i = 0; i < folder->count; i++) {
        free(folder->worlds[i].picture);
    }
    free(folder->worlds);
    *folder = (WorldsFolder){.count = 0};
}

// ---- one world ----------------------------------------------------------------------------------

/// Whether another program has the world open for writing.
static bool worlds_folder_is_in_use(const char *path, Message *reason)
{
    return trn_storage_sqlite_is_in_use(path) &&
           !message_set(reason, "another program has it open; close that first.");
}

/// @return false with a reason if the file is not a regular file, for example a pipe
static bool worlds_folder_is_plain_file(const char *path, Message *reason)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return message_set(reason, "It cannot be read: %s.", strerror(errno));
    }
    return S_ISREG(status.st_mode) || message_set(reason, "It is no file.");
}

static void worlds_folder_read_picture(TrnSave *save, WorldEntry *entry)
{
    WorldPicture picture;
    free(entry->picture);
    entry->picture = world_picture_read(save, &picture) ? malloc(sizeof picture) : NULL;
    if (entry->picture) {
        *entry->picture = picture;
    }
}

/// Each world has its own block types, because a file adds placeholders for blocks that are not in
/// the registry.
static bool worlds_folder_read_facts(const char *path, WorldEntry *entry, Message *reason)
{
    TrnSaveDef def = trn_save_def();
    TrnBlockTypes *types;
    WorldFile file;
    if (trn_block_types_create_builtin(NULL, &types) != TRN_RESULT_OK) {
        return message_set(reason, "Out of memory for the types of blocks.");
    }
    def.types = types;
    def.has_thread = false;
    const bool good = world_file_open(&file, path, TRN_STORAGE_READ_ONLY, &def, NULL, reason);
    if (good) {
        entry->facts = file.facts;
        worlds_folder_read_picture(file.save, entry);
        (void)world_file_close(&file);
    }
    trn_block_types_destroy(types);
    return good;
}

/// Removes the path at the beginning of a reason: a card has the world's name above it, and no
/// room.
static void worlds_folder_cut_path(const char *path, Message *reason)
{
    const MessageText name = message_short(path);
    const size_t length = strlen(name.text);
    const char *rest = reason->text + length + 2;
    if (strncmp(reason->text, name.text, length) == 0 &&
        strncmp(reason->text + length, ": ", 2) == 0) {
        memmove(reason->text, rest, strlen(rest) + 1);
    }
}

bool worlds_folder_read(const WorldsFolder *folder, WorldEntry *entry)
{
    char path[WORLDS_PATH_MAX];
    const bool good = worlds_folder_path(folder, entry, path)
                          ? worlds_folder_is_plain_file(path, &entry->reason) &&
                                worlds_folder_read_facts(path, entry, &entry->reason) &&
                                !worlds_folder_is_in_use(path, &entry->reason)
                          : message_set(&entry->reason, "Its name is too long.");
    entry->state = good ? WORLD_GOOD : WORLD_REFUSED;
    if (!good) {
        worlds_folder_cut_path(path, &entry->reason);
    }
    return good;
}

bool worlds_folder_read_next(WorldsFolder *folder)
{
    for (size_t i = 0; i < folder->count; i++) {
        if (folder->worlds[i].state == WORLD_UNREAD) {
            (void)worlds_folder_read(folder, &folder->worlds[i]);
            return true;
        }
    }
    return false;
}

// ---- a new world --------------------------------------------------------------------------------

/// Whether all systems accept this file name.
static bool worlds_folder_is_good_name(const char *name)
{
    const size_t length = strlen(name);
    if (length == 0 || length > WORLDS_NEW_NAME_MAX || name[0] == '.' || name[0] == ' ' ||
        name[length - 1] == ' ' || strpbrk(name, "/\\:*?\"<>|")) {
        return false;
    }
    for (const char *c = name; *c; c++) {
        if (worlds_folder_is_control(*c)) {
            return false;
        }
    }
    return true;
}

static bool worlds_folder_has_name(const WorldsFolder *folder, const char *name)
{
    for (size_t i = 0; i < folder->count; i++) {
        if (strcmp(folder->worlds[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

bool worlds_folder_may_name(const WorldsFolder *folder, const char *name, Message *problem)
{
    if (!name[0]) {
        return message_set(problem, "Give the world a name.");
    }
    if (strlen(name) > WORLDS_NEW_NAME_MAX) {
        return message_set(problem, "This name is too long: it may have %d bytes.",
                           WORLDS_NEW_NAME_MAX);
    }
    if (!worlds_folder_is_good_name(name)) {
        return message_set(problem,
                           "A name has no / \\ : * ? \" < > |, begins with no dot or blank, "
                           "and ends with no blank.");
    }
    return !worlds_folder_has_name(folder, name) ||
           message_set(problem, "There is a world of this name: choose another.");
}

/// Writes the path of a name in a folder. @return false if it is too long
static bool worlds_folder_path_of(const char *folder, const char *name, char path[WORLDS_PATH_MAX],
                                  Message *problem)
{
    return snprintf(path, WORLDS_PATH_MAX, "%s/%s" SUFFIX, folder, name) < WORLDS_PATH_MAX ||
           message_set(problem, "The path of the world is too long: choose a shorter name.");
}

bool worlds_folder_new(const WorldsFolder *folder, const char *name, char path[WORLDS_PATH_MAX],
                       Message *problem)
{
    char made[WORLDS_PATH_MAX];
    if (!worlds_folder_may_name(folder, name, problem)) {
        return false;
    }
    if (!folder->path[0] || folder->problem.text[0]) {
        return message_set(problem, "There is no folder for worlds: name one with --worlds DIR.");
    }
    if (!worlds_folder_path_of(folder->path, name, made, problem)) {
        return false;
    }
    if (system_has_path(made)) {
        return message_set(problem, "There is a world of this name: choose another.");
    }
    whole_file_make_folders(made);
    const int error = whole_file_try_folder(folder->path);
    if (error) {
        return whole_file_problem(made, error, problem);
    }
    (void)snprintf(path, WORLDS_PATH_MAX, "%s", made);
    return true;
}

// ---- moving worlds ------------------------------------------------------------------------------

static bool worlds_folder_move(const char *from, const char *to, Message *problem)
{
    TrnStorageProblem why = {""};
    if (system_is_link(from)) {
        return message_set(problem, "This is a link to a world elsewhere; change it there.");
    }
    const TrnResult result = trn_storage_sqlite_move(from, to, &why);
    return result == TRN_RESULT_OK ||
           (result == TRN_RESULT_BUSY
                ? message_set(problem, "Another program has this world open; close that first.")
                : message_set(problem, "%s", why.sentence));
}

bool worlds_folder_rename(const WorldsFolder *folder, const WorldEntry *entry, const char *name,
                          Message *problem)
{
    char from[WORLDS_PATH_MAX], to[WORLDS_PATH_MAX];
    if (strcmp(entry->name, name) == 0) {
        return true;
    }
    return worlds_folder_may_name(folder, name, problem) &&
           (worlds_folder_path(folder, entry, from) ||
            message_set(problem, "Its name is too long.")) &&
           worlds_folder_path_of(folder->path, name, to, problem) &&
           worlds_folder_move(from, to, problem);
}

/// Writes a free path in the folder of deleted worlds.
static bool worlds_folder_choose_grave(const WorldsFolder *folder, const WorldEntry *entry,
                                       char path[WORLDS_PATH_MAX], Message *problem)
{
    const int length = (int)(strlen(entry->file) - strlen(SUFFIX));
    for (int number = 1; number < SCAN_MAX; number++) {
        char more[16] = "";
        if (number > 1) {
            (void)snprintf(more, sizeof more, " %d", number);
        }
        if (snprintf(path, WORLDS_PATH_MAX, "%s/" WORLDS_DELETED "/%.*s%s" SUFFIX, folder->path,
                     length, entry->file, more) >= WORLDS_PATH_MAX) {
            return message_set(problem, "The path of the world is too long.");
        }
        if (!system_has_path(path)) {
            return true;
        }
    }
    return message_set(problem, "The folder '" WORLDS_DELETED "' is full.");
}

bool worlds_folder_delete(const WorldsFolder *folder, const WorldEntry *entry, WorldsMove *move,
                          Message *problem)
{
    WorldsMove next;
    if (!worlds_folder_path(folder, entry, next.from)) {
        return message_set(problem, "Its name is too long.");
    }
    if (!worlds_folder_choose_grave(folder, entry, next.to, problem)) {
        return false;
    }
    whole_file_make_folders(next.to);
    if (!worlds_folder_move(next.from, next.to, problem)) {
        return false;
    }
    *move = next;
    return true;
}

bool worlds_folder_undo(WorldsMove *move, Message *problem)
{
    if (!move->to[0] || !worlds_folder_move(move->to, move->from, problem)) {
        return false;
    }
    *move = (WorldsMove){.from = ""};
    return true;
}

// ---- names --------------------------------------------------------------------------------------

/// Writes a name, with a number appended if a world already has the name.
static void worlds_folder_make_free(const WorldsFolder *folder, const char *wished, char *name,
                                    size_t size)
{
    (void)snprintf(name, size, "%s", wished);
    for (size_t i = 2; i < WORLDS_FOLDER_MAX + 2 && worlds_folder_has_name(folder, name); i++) {
        (void)snprintf(name, size, "%s %zu", wished, i);
    }
}

/// Cuts a text between characters of UTF-8. @param most  bytes
static size_t worlds_folder_cut(const char *text, size_t length, size_t most)
{
    length = length < most ? length : most;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) {
        length--;
    }
    return length;
}

void worlds_folder_copy_name(const WorldsFolder *folder, const WorldEntry *entry, char *name,
                             size_t size)
{
    char wished[WORLDS_NEW_NAME_MAX - 3]; // leaves space for a number
    const size_t most = sizeof wished - sizeof " copy";
    (void)snprintf(wished, sizeof wished, "%.*s copy",
                   (int)worlds_folder_cut(entry->name, strlen(entry->name), most), entry->name);
    worlds_folder_make_free(folder, worlds_folder_is_good_name(wished) ? wished : "Copy", name,
                            size);
}

void worlds_folder_free_name(const WorldsFolder *folder, char *name, size_t size)
{
    worlds_folder_make_free(folder, "New world", name, size);
}

/// Returns the last part of a path. @param length  of the path; receives the length before that
/// part
static const char *worlds_folder_last_part(const char *path, size_t *length)
{
    size_t end = *length;
    while (end > 0 && path[end - 1] != '/') {
        end--;
    }
    *length = end > 1 ? end - 1 : 0;
    return path + end;
}

/// Returns the length of a file name without the suffix of an import format.
static size_t worlds_folder_without_suffix(const char *name, size_t length)
{
    static const char *const suffixes[] = {".mca",   ".mcr",       ".png",       ".sqlite", ".vox",
                                           ".schem", ".schematic", ".litematic", ".mts"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const size_t suffix = strlen(suffixes[i]);
        if (length > suffix && strncmp(name + length - suffix, suffixes[i], suffix) == 0) {
            return length - suffix;
        }
    }
    return length;
}

void worlds_folder_name_for(const WorldsFolder *folder, const char *source, char *name, size_t size)
{
    char wished[WORLDS_NEW_NAME_MAX - 3]; // leaves space for a number
    size_t before = strlen(source), end = before;
    const char *part = worlds_folder_last_part(source, &before);
    // A world of another game is a folder that contains these.
    if (before && (strcmp(part, "map.sqlite") == 0 || strcmp(part, "region") == 0)) {
        end = before;
        part = worlds_folder_last_part(source, &before);
    }
    size_t length = worlds_folder_without_suffix(part, (size_t)(source + end - part));
    length = worlds_folder_cut(part, length, sizeof wished - 1);
    (void)snprintf(wished, sizeof wished, "%.*s", (int)length, part);
    worlds_folder_make_free(folder, worlds_folder_is_good_name(wished) ? wished : "Imported", name,
                            size);
}
