/// Shared by the tests of Luanti's worlds: writes map blocks and map.sqlite files as Luanti does.
#pragma once

#include "testing.h"

#include <sqlite3.h>
#include <zlib.h>
#include <zstd.h>

#define LUANTI_NODES 4096
#define LUANTI_BYTES_MAX 65536
#define LUANTI_NAMES_MAX 16
#define LUANTI_BLOCKS_MAX 64

/// Bytes that are written in order, big-endian.
typedef struct LuantiWriter {
    unsigned char bytes[LUANTI_BYTES_MAX];
    size_t size;
} LuantiWriter;

static inline void luanti_write(LuantiWriter *to, uint64_t number, size_t bytes)
{
    assert_true(to->size + bytes <= sizeof to->bytes);
    for (size_t i = bytes; i-- > 0;) {
        to->bytes[to->size++] = (unsigned char)(number >> 8 * i);
    }
}

static inline void luanti_write_bytes(LuantiWriter *to, const void *bytes, size_t size)
{
    assert_true(to->size + size <= sizeof to->bytes);
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

/// A block of nodes, with ids of the map's names.
typedef struct LuantiNodes {
    int x, y, z; ///< of the block
    uint16_t ids[LUANTI_NODES];
    uint8_t param2[LUANTI_NODES];
    uint16_t metadata; ///< nodes with a text
} LuantiNodes;

/// A map in memory. Its names have the ids 0, 3, 6 and so on.
typedef struct LuantiMap {
    const char *names[LUANTI_NAMES_MAX];
    uint32_t name_count;
    LuantiNodes blocks[LUANTI_BLOCKS_MAX];
    uint32_t block_count;
    uint32_t version;
    uint32_t id_bytes; ///< 1 or 2
} LuantiMap;

static inline uint16_t luanti_id(LuantiMap *map, const char *name)
{
    uint32_t i = 0;
    while (i < map->name_count && strcmp(map->names[i], name) != 0) {
        i++;
    }
    if (i == map->name_count) {
        assert_true(i < LUANTI_NAMES_MAX);
        map->names[map->name_count++] = name;
    }
    return (uint16_t)(i * 3);
}

static inline int luanti_floor(int number)
{
    return number >= 0 ? number / 16 : -((15 - number) / 16);
}

/// Returns the block of a node, which begins as a block of one name.
static inline LuantiNodes *luanti_block_at(LuantiMap *map, int x, int y, int z, const char *filler)
{
    const int place[3] = {luanti_floor(x), luanti_floor(y), luanti_floor(z)};
    for (uint32_t i = 0; i < map->block_count; i++) {
        LuantiNodes *block = &map->blocks[i];
        if (block->x == place[0] && block->y == place[1] && block->z == place[2]) {
            return block;
        }
    }
    assert_true(map->block_count < LUANTI_BLOCKS_MAX);
    LuantiNodes *block = &map->blocks[map->block_count++];
    memset(block, 0, sizeof *block);
    block->x = place[0];
    block->y = place[1];
    block->z = place[2];
    const uint16_t id = luanti_id(map, filler);
    for (uint32_t i = 0; i < LUANTI_NODES; i++) {
        block->ids[i] = id;
    }
    return block;
}

/// Sets a node by its place in the world.
static inline void luanti_set(LuantiMap *map, int x, int y, int z, const char *name)
{
    LuantiNodes *block = luanti_block_at(map, x, y, z, "air");
    const int at = (z - block->z * 16) * 256 + (y - block->y * 16) * 16 + (x - block->x * 16);
    block->ids[at] = luanti_id(map, name);
}

// ---- parts of a block --------------------------------------------------------------------------

static inline void luanti_write_names(LuantiWriter *to, const LuantiMap *map)
{
    luanti_write(to, 0xFFFFFFFF, 4); // the time: unknown
    luanti_write(to, 0, 1);
    luanti_write(to, map->name_count, 2);
    for (uint32_t i = 0; i < map->name_count; i++) {
        luanti_write(to, (uint64_t)i * 3, 2);
        luanti_write(to, strlen(map->names[i]), 2);
        luanti_write_bytes(to, map->names[i], strlen(map->names[i]));
    }
}

static inline void luanti_write_nodes(LuantiWriter *to, const LuantiMap *map,
                                      const LuantiNodes *block)
{
    for (uint32_t i = 0; i < LUANTI_NODES; i++) {
        luanti_write(to, block->ids[i], map->id_bytes);
    }
    for (uint32_t i = 0; i < LUANTI_NODES; i++) {
        luanti_write(to, 15, 1); // light
    }
    luanti_write_bytes(to, block->param2, sizeof block->param2);
}

static inline void luanti_write_metadata(LuantiWriter *to, const LuantiMap *map,
                                         const LuantiNodes *block)
{
    if (block->metadata == 0) {
        luanti_write(to, 0, 1);
        return;
    }
    luanti_write(to, map->version >= 28 ? 2 : 1, 1);
    luanti_write(to, block->metadata, 2);
    for (uint32_t i = 0; i < block->metadata; i++) {
        luanti_write(to, i, 2);
        luanti_write(to, 1, 4);
        luanti_write(to, 8, 2);
        luanti_write_bytes(to, "infotext", 8);
        luanti_write(to, 5, 4);
        luanti_write_bytes(to, "hello", 5);
        if (map->version >= 28) {
            luanti_write(to, 0, 1);
        }
        luanti_write_bytes(to, "EndInventory\n", 13);
    }
}

static inline void luanti_write_objects(LuantiWriter *to)
{
    luanti_write(to, 0, 1);
    luanti_write(to, 1, 2);
    luanti_write(to, 7, 1);
    for (int axis = 0; axis < 3; axis++) {
        luanti_write(to, 0, 4);
    }
    luanti_write(to, 3, 2);
    luanti_write_bytes(to, "cow", 3);
}

static inline void luanti_write_timers(LuantiWriter *to)
{
    luanti_write(to, 10, 1);
    luanti_write(to, 0, 2);
}

static inline void luanti_deflate(LuantiWriter *to, const LuantiWriter *from)
{
    uLongf size = sizeof to->bytes - to->size;
    assert_int_equal(compress(to->bytes + to->size, &size, from->bytes, from->size), Z_OK);
    to->size += size;
}

/// Writes a block as the database has it.
static inline void luanti_encode(LuantiWriter *to, const LuantiMap *map, const LuantiNodes *block)
{
    static LuantiWriter plain;
    plain.size = to->size = 0;
    luanti_write(to, map->version, 1);
    LuantiWriter *head = map->version >= 29 ? &plain : to;
    luanti_write(head, 0, 1); // flags
    if (map->version >= 27) {
        luanti_write(head, 0xFFFF, 2); // light
    }
    if (map->version >= 29) {
        luanti_write_names(&plain, map);
    }
    luanti_write(head, map->id_bytes, 1);
    luanti_write(head, 2, 1);
    luanti_write_nodes(&plain, map, block);
    if (map->version >= 29) {
        luanti_write_metadata(&plain, map, block);
        luanti_write_objects(&plain);
        luanti_write_timers(&plain);
        const size_t size = ZSTD_compress(to->bytes + to->size, sizeof to->bytes - to->size,
                                          plain.bytes, plain.size, 3);
        assert_false(ZSTD_isError(size));
        to->size += size;
        return;
    }
    luanti_deflate(to, &plain);
    plain.size = 0;
    luanti_write_metadata(&plain, map, block);
    luanti_deflate(to, &plain);
    luanti_write_objects(to);
    luanti_write_names(to, map);
    luanti_write_timers(to);
}

// ---- a database --------------------------------------------------------------------------------

static inline void luanti_run(sqlite3 *db, const char *text)
{
    char *message = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK) {
        fail_msg("%s", message);
    }
}

static inline void luanti_insert(sqlite3 *db, bool has_columns, const LuantiNodes *block,
                                 const void *bytes, size_t size)
{
    sqlite3_stmt *put;
    assert_int_equal(sqlite3_prepare_v2(db,
                                        has_columns ? "INSERT INTO blocks VALUES (?1, ?2, ?3, ?4)"
                                                    : "INSERT INTO blocks VALUES (?1, ?4)",
                                        -1, &put, NULL),
                     SQLITE_OK);
    if (has_columns) {
        sqlite3_bind_int(put, 1, block->x);
        sqlite3_bind_int(put, 2, block->y);
        sqlite3_bind_int(put, 3, block->z);
    } else {
        sqlite3_bind_int64(put, 1,
                           (sqlite3_int64)block->z * 0x1000000 + (sqlite3_int64)block->y * 0x1000 +
                               block->x);
    }
    sqlite3_bind_blob(put, 4, bytes, (int)size, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(put), SQLITE_DONE);
    sqlite3_finalize(put);
}

/// Creates an empty map.sqlite. @return the open database
static inline sqlite3 *luanti_create(const char *path, bool has_columns)
{
    sqlite3 *db;
    (void)remove(path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    luanti_run(db, "PRAGMA page_size = 512; PRAGMA synchronous = OFF");
    luanti_run(db, has_columns
                       ? "CREATE TABLE `blocks` (`x` INTEGER, `y` INTEGER, `z` INTEGER, "
                         "`data` BLOB NOT NULL, PRIMARY KEY (`x`, `z`, `y`))"
                       : "CREATE TABLE `blocks` (`pos` INT NOT NULL PRIMARY KEY, `data` BLOB)");
    return db;
}

/// Writes a map to a new file.
static inline void luanti_save(const LuantiMap *map, const char *path, bool has_columns)
{
    static LuantiWriter bytes;
    sqlite3 *db = luanti_create(path, has_columns);
    luanti_run(db, "BEGIN");
    for (uint32_t i = 0; i < map->block_count; i++) {
        luanti_encode(&bytes, map, &map->blocks[i]);
        luanti_insert(db, has_columns, &map->blocks[i], bytes.bytes, bytes.size);
    }
    luanti_run(db, "COMMIT");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}
