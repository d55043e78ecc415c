// World files that appear when they are complete: trn_storage_part_begin.

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/storage.h>

#include "base/entropy.h"
#include "storage_part.h"

#define PART_NAME ".terrane-tmp-%016" PRIx64
#define PART_NAME_BYTES sizeof ".terrane-tmp-0123456789abcdef"

struct TrnStoragePart {
    char *path; ///< as the caller wrote it
    char *real; ///< behind links
    char *name; ///< the file's meanwhile, of the same folder
};

static void part_free(TrnStoragePart *part)
{
    free(part->path);
    free(part->real);
    free(part->name);
    free(part);
}

static void part_tell(TrnStorageProblem *problem, const char *path, const char *sentence)
{
    if (problem) {
        (void)snprintf(problem->sentence, sizeof problem->sentence, "%.250s: %.250s", path,
                       sentence);
    }
}

/// Returns a name in the folder of a path that cannot be guessed. Free it with free().
static char *part_make_name(const char *path)
{
    const char *const slash = strrchr(path, '/'), *const other = strrchr(path, '\\');
    const char *const last = !slash || (other && other > slash) ? other : slash;
    const size_t folder = last ? (size_t)(last - path) + 1 : 0;
    char *const name = malloc(folder + PART_NAME_BYTES);
    if (name) {
        memcpy(name, path, folder);
        (void)snprintf(name + folder, PART_NAME_BYTES, PART_NAME, trn_entropy_key());
    }
    return name;
}

/// Puts the path that the caller knows at the beginning of a sentence about another of the part's.
static void part_name(const TrnStoragePart *part, const char *path, TrnStorageProblem *problem)
{
    const size_t length = strlen(path);
    if (problem && strncmp(problem->sentence, path, length) == 0 &&
        problem->sentence[length] == ':') {
        const TrnStorageProblem why = *problem;
        (void)snprintf(problem->sentence, sizeof problem->sentence, "%.250s%.250s", part->path,
                       why.sentence + length);
    }
}

/// Creates the file, empty: a storage can be created in it.
static TrnResult part_create(const TrnStoragePart *part, TrnStorageProblem *problem)
{
    TrnHeldFile *held = NULL;
    const TrnResult result = trn_held_open(part->name, TRN_HELD_CREATE, &held, problem);
    if (result == TRN_RESULT_OK) {
        trn_held_close(held);
    } else {
        part_name(part, part->name, problem);
    }
    return result;
}

TrnResult trn_storage_part_begin(const char *path, TrnStoragePart **part,
                                 TrnStorageProblem *problem)
{
    if (!path || !*path || !part) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    char *real;
    TrnResult result = trn_held_find(path, TRN_HELD_CREATE, &real, problem);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnStoragePart *made = calloc(1, sizeof *made);
    const size_t bytes = strlen(path) + 1;
    if (!made) {
        free(real);
        part_tell(problem, path, "there is not enough memory.");
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnStoragePart){malloc(bytes), real, part_make_name(real)};
    if (!made->path || !made->name) {
        part_tell(problem, path, "there is not enough memory.");
        part_free(made);
        return TRN_RESULT_NO_MEMORY;
    }
    memcpy(made->path, path, bytes);
    result = part_create(made, problem);
    if (result != TRN_RESULT_OK) {
        part_free(made);
        return result;
    }
    *part = made;
    return TRN_RESULT_OK;
}

const char *trn_storage_part_path(const TrnStoragePart *part)
{
    return part->name;
}

/// Syncs the file and gives it its name.
static TrnResult part_show(const TrnStoragePart *part, TrnHeldFile *held,
                           TrnStorageProblem *problem)
{
    if (trn_held_has_log(held) || trn_held_sync(held) != TRN_RESULT_OK) {
        part_tell(problem, part->path, "it could not be completed; see that the disk has space.");
        return TRN_RESULT_IO;
    }
    return trn_held_move(held, part->real, problem);
}

TrnResult trn_storage_part_keep(TrnStoragePart *part, TrnResult result, TrnHeldFile **held,
                                TrnStorageProblem *problem)
{
    TrnHeldFile *opened = NULL;
    const TrnResult open = trn_held_open(part->name, TRN_HELD_WRITE, &opened,
                                         result == TRN_RESULT_OK ? problem : NULL);
    result = result == TRN_RESULT_OK ? open : result;
    result = result == TRN_RESULT_OK ? part_show(part, opened, problem) : result;
    if (result == TRN_RESULT_OK) {
        *held = opened;
        part_free(part);
        return TRN_RESULT_OK;
    }
    if (opened) {
        trn_held_remove(opened);
    }
    trn_held_close(opened);
    part_name(part, part->name, problem);
    part_name(part, part->real, problem);
    part_free(part);
    return result;
}

TrnResult trn_storage_part_end(TrnStoragePart *part, TrnResult result, TrnStorageProblem *problem)
{
    assert(part);
    TrnHeldFile *held = NULL;
    result = trn_storage_part_keep(part, result, &held, problem);
    trn_held_close(held);
    return result;
}
