/// Calls a fuzz target with every file of a folder: fuzz_replay TARGET FOLDER. Any compiler builds
/// it, so each sanitizer and each machine replays what a fuzzer has found anywhere.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): scandir
#include "fuzz.h"

#include <dirent.h>

typedef struct Target {
    const char *name;
    int (*run)(const uint8_t *bytes, size_t size);
} Target;

#define FUZZ_TARGET(name) int fuzz_##name(const uint8_t *bytes, size_t size);
#include "fuzz_targets.h"
#undef FUZZ_TARGET

#define FUZZ_TARGET(name) {#name, fuzz_##name},
static const Target targets[] = {
#include "fuzz_targets.h"
};

/// Runs a target on a file. Its bytes lie in memory of exactly their size, so that a sanitizer sees
/// every read behind them.
static bool replay_file(const Target *target, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        return false;
    }
    const long size = ftell(file);
    uint8_t *bytes = malloc(size > 0 ? (size_t)size : 1);
    rewind(file);
    const bool is_read = bytes && size >= 0 && fread(bytes, 1, (size_t)size, file) == (size_t)size;
    (void)fclose(file);
    if (is_read) {
        (void)target->run(bytes, (size_t)size);
    }
    free(bytes);
    return is_read;
}

static bool replay_folder(const Target *target, const char *folder)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, alphasort);
    int replayed = 0;
    bool is_good = count >= 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        if (entries[i]->d_name[0] != '.') {
            (void)snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
            is_good = replay_file(target, path) && is_good;
            replayed++;
        }
        free(entries[i]);
    }
    free(count >= 0 ? entries : NULL);
    (void)target->run((const uint8_t *)"", 0);
    printf("%s: %d files\n", target->name, replayed);
    return is_good && replayed > 0;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof targets / sizeof *targets; i++) {
        if (strcmp(targets[i].name, argv[1]) == 0) {
            return replay_folder(&targets[i], argv[2]) ? 0 : 1;
        }
    }
    (void)fprintf(stderr, "usage: fuzz_replay TARGET FOLDER\n");
    return 2;
}
