#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "start/worlds_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system.h"
#include "whole_file.h"

#define BELOW_FOLDER "terrane/worlds"
#define SUFFIX ".world"
#define LOCK_SUFFIX "-lock" // of terrane::save, while a world is open for writing
#define NEW_NAME_MAX 64     // bytes
#define SCAN_MAX 100000     // files of the folder that are looked at

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

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7F;
}

static bool is_world_name(const char *file)
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

/// Takes name, size and time of a file; what cannot be asked is found when the world is read.
static WorldEntry worlds_note(const WorldsFolder *folder, const char *file)
{
    WorldEntry entry = {.state = WORLD_UNREAD};
    char path[WORLDS_PATH_MAX];
    struct stat status;
    (void)snprintf(entry.file, sizeof entry.file, "%s", file);
    (void)snprintf(entry.name, sizeof entry.name, "%.*s", (int)(strlen(file) - strlen(SUFFIX)),
                   file);
    for (char *c = entry.name; *c; c++) {
        *c = is_control(*c) ? '?' : *c;
    }
    if (worlds_folder_path(folder, &entry, path) && stat(path, &status) == 0) {
        entry.bytes = (uint64_t)status.st_size;
        entry.visited = (int64_t)status.st_mtime;
    }
    return entry;
}

/// The latest first; those of one second by name.
static int compare_worlds(const void *a, const void *b)
{
    const WorldEntry *first = a, *second = b;
    if (first->visited != second->visited) {
        return first->visited > second->visited ? -1 : 1;
    }
    return strcmp(first->file, second->file);
}

/// Adds a world; of a full list the oldest gives way.
static void worlds_add(WorldsFolder *folder, const WorldEntry *entry)
{
    if (folder->count < WORLDS_FOLDER_MAX) {
        folder->worlds[folder->count++] = *entry;
        return;
    }
    folder->left_off++;
    size_t oldest = 0;
    for (size_t i = 1; i < folder->count; i++) {
        oldest = compare_worlds(&folder->worlds[i], &folder->worlds[oldest]) > 0 ? i : oldest;
    }
    if (compare_worlds(entry, &folder->worlds[oldest]) < 0) {
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
    if (!folder->worlds) {
        worlds_refuse(folder, "out of memory");
    }
    struct dirent *file;
    for (int i = 0; folder->worlds && i < SCAN_MAX && (file = readdir(list)); i++) {
        if (is_world_name(file->d_name)) {
            const WorldEntry entry = worlds_note(folder, file->d_name);
            worlds_add(folder, &entry);
        }
    }
    (void)closedir(list);
    if (folder->worlds && folder->count > 1) {
        qsort(folder->worlds, folder->count, sizeof *folder->worlds, compare_worlds);
    }
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

/// Whether another program may write the world. The lock file of a killed program looks the same,
/// so the right to write is asked for, and given back.
static bool is_in_use(const char *path, Message *reason)
{
    char lock[WORLDS_PATH_MAX + sizeof LOCK_SUFFIX];
    (void)snprintf(lock, sizeof lock, "%s" LOCK_SUFFIX, path);
    if (access(lock, F_OK) != 0) {
        return false;
    }
    TrnStorage storage;
    TrnStorageProblem why = {""};
    const TrnResult result = trn_storage_sqlite(path, TRN_STORAGE_OPEN, &storage, &why);
    if (result == TRN_RESULT_OK) {
        storage.close(storage.user);
        return false;
    }
    (void)message_set(reason, "%s", why.sentence[0] ? why.sentence : trn_result_text(result));
    return true;
}

/// @return false with a reason if the file is nothing that can be opened, such as a pipe
static bool is_plain_file(const char *path, Message *reason)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return message_set(reason, "It cannot be read: %s.", strerror(errno));
    }
    return S_ISREG(status.st_mode) || message_set(reason, "It is no file.");
}

static void read_picture(TrnSave *save, WorldEntry *entry)
{
    WorldPicture picture;
    free(entry->picture);
    entry->picture = world_picture_read(save, &picture) ? malloc(sizeof picture) : NULL;
    if (entry->picture) {
        *entry->picture = picture;
    }
}

/// Each world has types of its own, since a file adds placeholders for blocks that it alone names.
static bool read_facts(const char *path, WorldEntry *entry, Message *reason)
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
        read_picture(file.save, entry);
        (void)world_file_close(&file);
    }
    trn_block_types_destroy(types);
    return good;
}

bool worlds_folder_read(const WorldsFolder *folder, WorldEntry *entry)
{
    char path[WORLDS_PATH_MAX];
    const bool good = worlds_folder_path(folder, entry, path)
                          ? is_plain_file(path, &entry->reason) &&
                                read_facts(path, entry, &entry->reason) &&
                                !is_in_use(path, &entry->reason)
                          : message_set(&entry->reason, "Its name is too long.");
    entry->state = good ? WORLD_GOOD : WORLD_REFUSED;
    return good;
}

bool worlds_folder_read_next(WorldsFolder *folder)
{
    if (folder->read >= folder->count) {
        return false;
    }
    (void)worlds_folder_read(folder, &folder->worlds[folder->read++]);
    return true;
}

// ---- a new world --------------------------------------------------------------------------------

/// Whether all systems can have a file of this name.
static bool is_good_name(const char *name)
{
    const size_t length = strlen(name);
    if (length == 0 || length > NEW_NAME_MAX || name[0] == '.' || name[0] == ' ' ||
        name[length - 1] == ' ' || strpbrk(name, "/\\:*?\"<>|")) {
        return false;
    }
    for (const char *c = name; *c; c++) {
        if (is_control(*c)) {
            return false;
        }
    }
    return true;
}

bool worlds_folder_new(const WorldsFolder *folder, const char *name, char path[WORLDS_PATH_MAX],
                       Message *problem)
{
    char made[WORLDS_PATH_MAX];
    if (!is_good_name(name)) {
        return message_set(problem,
                           "A world's name has 1 to %d bytes, no / \\ : * ? \" < > |, and "
                           "begins with no dot or blank.",
                           NEW_NAME_MAX);
    }
    if (!folder->path[0] || folder->problem.text[0]) {
        return message_set(problem, "There is no folder for worlds: name one with --worlds DIR.");
    }
    if (snprintf(made, sizeof made, "%s/%s" SUFFIX, folder->path, name) >= (int)sizeof made) {
        return message_set(problem, "The path of the world is too long: choose a shorter name.");
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

static bool has_name(const WorldsFolder *folder, const char *name)
{
    for (size_t i = 0; i < folder->count; i++) {
        if (strcmp(folder->worlds[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/// Writes a name, with a number if a world has it already.
static void make_free(const WorldsFolder *folder, const char *wished, char *name, size_t size)
{
    (void)snprintf(name, size, "%s", wished);
    for (size_t i = 2; i < WORLDS_FOLDER_MAX + 2 && has_name(folder, name); i++) {
        (void)snprintf(name, size, "%s %zu", wished, i);
    }
}

void worlds_folder_free_name(const WorldsFolder *folder, char *name, size_t size)
{
    make_free(folder, "New world", name, size);
}

/// The last part of a path. @param length  of the path; receives what lies before the part
static const char *last_part(const char *path, size_t *length)
{
    size_t end = *length;
    while (end > 0 && path[end - 1] != '/') {
        end--;
    }
    *length = end > 1 ? end - 1 : 0;
    return path + end;
}

/// The length of a file's name without the suffix of a format that is imported.
static size_t without_suffix(const char *name, size_t length)
{
    static const char *const suffixes[] = {".mca", ".png", ".sqlite", ".vox"};
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
    char wished[NEW_NAME_MAX - 3]; // room for a number
    size_t before = strlen(source), end = before;
    const char *part = last_part(source, &before);
    // Worlds of other games are folders; these lie in them.
    if (before && (strcmp(part, "map.sqlite") == 0 || strcmp(part, "region") == 0)) {
        end = before;
        part = last_part(source, &before);
    }
    size_t length = without_suffix(part, (size_t)(source + end - part));
    length = length < sizeof wished ? length : sizeof wished - 1;
    while (length > 0 && ((unsigned char)part[length] & 0xC0) == 0x80) {
        length--; // no half characters
    }
    (void)snprintf(wished, sizeof wished, "%.*s", (int)length, part);
    make_free(folder, is_good_name(wished) ? wished : "Imported", name, size);
}
