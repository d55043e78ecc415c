// level.dat: NBT in gzip. Data has SpawnX, SpawnY and SpawnZ, or since 1.21.9 a compound spawn with
// pos, an array of three numbers.

#include "anvil_level.h"

#include <string.h>

#include "base/memory.h"
#include "file.h"
#include "nbt.h"

#define LEVEL_FILE_MAX ((uint64_t)4 << 20) ///< bytes; they are some KiB

/// The numbers of a spawn, and which of them were there.
typedef struct LevelSpawn {
    int64_t at[3];
    bool has[3];
} LevelSpawn;

static void level_set(LevelSpawn *spawn, int axis, int64_t number)
{
    spawn->at[axis] = number;
    spawn->has[axis] = true;
}

static void level_read_compound(TrnNbt *nbt, LevelSpawn *spawn)
{
    TrnNbtTag tag;
    while (trn_nbt_next(nbt, &tag)) {
        uint32_t count = 0;
        const unsigned char *at =
            trn_nbt_is(&tag, "pos") ? trn_nbt_ints(nbt, tag.type, &count) : NULL;
        for (int axis = 0; axis < 3 && count == 3; axis++, at += 4) {
            const uint32_t bits = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
                                  (uint32_t)at[2] << 8 | (uint32_t)at[3];
            level_set(spawn, axis, (int32_t)bits);
        }
        if (!trn_nbt_is(&tag, "pos")) {
            trn_nbt_skip(nbt, tag.type);
        }
    }
}

static void level_read_data(TrnNbt *nbt, LevelSpawn *spawn)
{
    static const char *const names[3] = {"SpawnX", "SpawnY", "SpawnZ"};
    TrnNbtTag tag;
    while (trn_nbt_next(nbt, &tag)) {
        int axis = 0;
        while (axis < 3 && !trn_nbt_is(&tag, names[axis])) {
            axis++;
        }
        if (axis < 3 && tag.type == TRN_NBT_INT) {
            level_set(spawn, axis, trn_nbt_integer(nbt, tag.type));
        } else if (trn_nbt_is(&tag, "spawn") && tag.type == TRN_NBT_COMPOUND) {
            level_read_compound(nbt, spawn);
        } else {
            trn_nbt_skip(nbt, tag.type);
        }
    }
}

bool trn_anvil_level_spawn(const void *bytes, size_t size, TrnVoxel *spawn)
{
    LevelSpawn found = {{0}, {false}};
    TrnNbt nbt;
    TrnNbtTag tag;
    trn_nbt_begin(&nbt, bytes, size);
    while (trn_nbt_next(&nbt, &tag)) {
        if (trn_nbt_is(&tag, "Data") && tag.type == TRN_NBT_COMPOUND) {
            level_read_data(&nbt, &found);
        } else {
            trn_nbt_skip(&nbt, tag.type);
        }
    }
    *spawn = (TrnVoxel){found.at[0], found.at[1], found.at[2]};
    return !nbt.is_broken && found.has[0] && found.has[1] && found.has[2];
}

// ---- the file -----------------------------------------------------------------------------------

static bool level_read_file(FILE *file, const TrnAllocator *allocator, TrnBytes *level)
{
    const uint64_t size = trn_file_bytes(file);
    unsigned char *packed =
        size && size <= LEVEL_FILE_MAX ? trn_take(allocator, (size_t)size, 1) : NULL;
    bool is_cut;
    const bool is_read =
        packed && trn_file_read(file, 0, packed, (size_t)size) &&
        trn_region_decompress(TRN_REGION_GZIP, packed, (size_t)size, TRN_REGION_COLUMN_MAX,
                              allocator, level, &is_cut) == TRN_RESULT_OK;
    if (!is_read) {
        trn_array_free(level, allocator);
    }
    trn_give(allocator, packed, packed ? (size_t)size : 0);
    return is_read;
}

/// Reads the file of a path and what follows it.
static bool level_read_at(const char *path, size_t path_size, const char *more,
                          const TrnAllocator *allocator, TrnBytes *level)
{
    const size_t bytes = path_size + strlen(more) + 1;
    char *whole = trn_take(allocator, bytes, 1);
    FILE *file;
    bool is_read = false;
    if (!whole) {
        return false;
    }
    memcpy(whole, path, path_size);
    memcpy(whole + path_size, more, strlen(more) + 1);
    if (trn_file_open(whole, &file) == TRN_RESULT_OK) {
        is_read = level_read_file(file, allocator, level);
        (void)fclose(file);
    }
    trn_give(allocator, whole, bytes);
    return is_read;
}

static bool level_is_separator(char c)
{
    return c == '/' || c == '\\';
}

bool trn_anvil_level_read(const char *path, const TrnAllocator *allocator, TrnBytes *level)
{
    static const char region[] = "region";
    size_t size = strlen(path);
    *level = (TrnBytes){0};
    if (level_read_at(path, size, "/level.dat", allocator, level)) {
        return true;
    }
    if (trn_anvil_files_is_name(path)) {
        while (size > 0 && !level_is_separator(path[size - 1])) {
            size--;
        }
    }
    while (size > 0 && level_is_separator(path[size - 1])) {
        size--;
    }
    // Of another folder, such as DIM-1, the one above is another dimension's.
    const size_t name = sizeof region - 1;
    return size >= name && memcmp(path + size - name, region, name) == 0 &&
           (size == name || level_is_separator(path[size - name - 1])) &&
           level_read_at(path, size, "/../level.dat", allocator, level);
}
