/// Shared by tests of worlds whose land is too old to be generated: a stored world of land version
/// 3, made by the last program that generated it. It has seed 7, the preset default, the chunks of
/// OLD_LAND_BOX with a pillar of glass on the spawn, a chunk of the sky that was dug empty, and two
/// chunks of level 1.
#pragma once

#include "place.h"

#include <terrane/save.h>

#define OLD_LAND_ROWS 11

static const TrnBox OLD_LAND_BOX = {{-2, -1, -2}, {-1, 0, -1}};
static const TrnCoord OLD_LAND_SKY = {-2, 6, -2};
static const TrnVoxel OLD_LAND_SPAWN = {-64, 2, -16}; ///< the lowest voxel of glass

/// Copies the stored world to "old.world" of a place.
static inline void old_land_copy(const Place *place, char path[PLACE_PATH])
{
    char command[1024];
    (void)snprintf(command, sizeof command, "cp '%s' '%s' && chmod u+w '%s'", OLD_LAND_FILE,
                   place_path(place, "old.world", path), path);
    assert_int_equal(system(command), 0);
}

/// What a world file has: rows of chunks, and what it says of its land.
typedef struct OldLandContent {
    uint64_t rows, hash; ///< of the rows, in any order
    uint64_t land;       ///< hash of the values of the land
} OldLandContent;

static inline uint64_t old_land_add(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
    }
    return hash;
}

static inline bool old_land_add_row(void *user, const TrnStorageRow *row)
{
    OldLandContent *content = user;
    const int32_t key[4] = {(int32_t)row->key.level, row->key.coord.x, row->key.coord.y,
                            row->key.coord.z};
    content->rows++;
    content->hash +=
        old_land_add(old_land_add(0xCBF29CE484222325u, key, sizeof key), row->bytes, row->size);
    return true;
}

static inline bool old_land_add_value(void *user, const TrnStorageValue *value)
{
    static const char *const names[] = {"game/terrane/seed", "game/terrane/version",
                                        "game/terrane/terrain", "game/terrane/preset",
                                        "terrane/land"};
    OldLandContent *content = user;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(value->name, names[i]) == 0) {
            const uint64_t hash = old_land_add(0xCBF29CE484222325u, names[i], strlen(names[i]));
            content->land += old_land_add(hash, value->bytes, value->size);
        }
    }
    return true;
}

static inline OldLandContent old_land_content(const char *path)
{
    OldLandContent content = {0, 0, 0};
    TrnStorage storage;
    assert_int_equal(trn_storage_open(path, TRN_STORAGE_READ_ONLY, &storage, NULL), TRN_RESULT_OK);
    for (uint32_t level = 0; level <= TRN_GENERATOR_LEVEL_MAX; level++) {
        const TrnStorageRange all = {
            .level = level,
            .box = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}};
        assert_int_equal(storage.list(storage.user, &all, old_land_add_row, &content),
                         TRN_RESULT_OK);
    }
    assert_int_equal(storage.values(storage.user, "", old_land_add_value, &content), TRN_RESULT_OK);
    storage.close(storage.user);
    return content;
}

/// Checks that a world file holds exactly what the stored one does.
static inline void old_land_expect(const char *path)
{
    const OldLandContent stored = old_land_content(OLD_LAND_FILE), now = old_land_content(path);
    assert_int_equal(stored.rows, OLD_LAND_ROWS);
    assert_int_equal(now.rows, stored.rows);
    assert_int_equal(now.hash, stored.hash);
    assert_int_equal(now.land, stored.land);
}
