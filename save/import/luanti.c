// Worlds of Luanti (formerly Minetest): map.sqlite, a table of map blocks. Two by two by two blocks
// make a chunk. Luanti's +z is north and Terrane's is south, so z becomes -1 - z and each block is
// mirrored along z.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "base/coord_map.h"
#include "base/memory.h"
#include "file.h"
#include "format.h"
#include "luanti_block.h"
#include "luanti_database.h"
#include "luanti_world.h"

#define LUANTI_FILE "map.sqlite"
#define LUANTI_EDGE_BLOCKS 2 ///< map blocks along a chunk's edge
#define LUANTI_COORD_MAX 2047
#define LUANTI_COORD_MIN (-LUANTI_COORD_MAX - 1)
#define LUANTI_NO_NAME UINT32_C(0x80000000) ///< in a table of ids: the block names none such
#define LUANTI_TURNED_AT 16                 ///< in a table of ids: the place in `turned`, and one
#define LUANTI_TURNED_MAX 4095

/// What one thread reads with.
typedef struct LuantiLink {
    struct LuantiLink *next; ///< in the list of those not in use
    sqlite3 *db;
    sqlite3_stmt *get, *begin, *end; ///< a map block; the transaction of a chunk's blocks
    TrnLuantiDecoder *decoder;
    uint32_t block_of[65536]; ///< by id of the map block being read; LUANTI_NO_NAME between two
    uint16_t nodes_of[65536]; ///< the number of its nodes; 0 between two
    const TrnImportName *turned[LUANTI_TURNED_MAX]; ///< whose blocks depend on param2
} LuantiLink;

typedef struct LuantiWorld {
    TrnImport *import;
    char *path; ///< [path_bytes]
    size_t path_bytes;
    bool has_columns; ///< x, y and z; otherwise one number has all three
    bool has_spawn;
    TrnVoxel spawn;    ///< before the offset
    TrnVoxel offset;   ///< in map blocks
    TrnMutex mutex;    ///< of `free`
    LuantiLink *first; ///< not in use
} LuantiWorld;

// ---- links -------------------------------------------------------------------------------------

static TrnResult luanti_fail(const LuantiWorld *world, int code, TrnStorageProblem *problem)
{
    trn_import_tell(problem, "%s: %s.", world->path, trn_luanti_sentence(code));
    return trn_luanti_result(code);
}

static int luanti_prepare(sqlite3 *db, const char *text, sqlite3_stmt **statement)
{
    return sqlite3_prepare_v3(db, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

static void luanti_close_link(const TrnAllocator *allocator, LuantiLink *link)
{
    if (link) {
        (void)sqlite3_finalize(link->get);
        (void)sqlite3_finalize(link->begin);
        (void)sqlite3_finalize(link->end);
        (void)sqlite3_close(link->db);
        trn_luanti_decoder_destroy(link->decoder);
        trn_give(allocator, link, sizeof *link);
    }
}

static int luanti_prepare_all(const LuantiWorld *world, LuantiLink *link)
{
    const char *get = world->has_columns
                          ? "SELECT data FROM blocks WHERE x = ?1 AND y = ?2 AND z = ?3"
                          : "SELECT data FROM blocks WHERE pos = ?1";
    int code = luanti_prepare(link->db, get, &link->get);
    code = code == SQLITE_OK ? luanti_prepare(link->db, "BEGIN", &link->begin) : code;
    return code == SQLITE_OK ? luanti_prepare(link->db, "COMMIT", &link->end) : code;
}

static TrnResult luanti_open_link(const LuantiWorld *world, LuantiLink **link)
{
    const TrnAllocator *allocator = &world->import->allocator;
    LuantiLink *made = trn_take(allocator, sizeof *made, TRN_CACHE_LINE);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(made, 0, sizeof *made);
    for (size_t i = 0; i < sizeof made->block_of / sizeof made->block_of[0]; i++) {
        made->block_of[i] = LUANTI_NO_NAME;
    }
    made->decoder = trn_luanti_decoder_create(allocator);
    int code = made->decoder ? trn_luanti_connect(world->path, &made->db) : SQLITE_NOMEM;
    code = code == SQLITE_OK ? luanti_prepare_all(world, made) : code;
    if (code != SQLITE_OK) {
        luanti_close_link(allocator, made);
        return trn_luanti_result(code);
    }
    *link = made;
    return TRN_RESULT_OK;
}

static TrnResult luanti_take_link(LuantiWorld *world, LuantiLink **link)
{
    trn_mutex_lock(&world->mutex);
    *link = world->first;
    if (world->first) {
        world->first = world->first->next;
    }
    trn_mutex_unlock(&world->mutex);
    return *link ? TRN_RESULT_OK : luanti_open_link(world, link);
}

static void luanti_give_link(LuantiWorld *world, LuantiLink *link)
{
    trn_mutex_lock(&world->mutex);
    link->next = world->first;
    world->first = link;
    trn_mutex_unlock(&world->mutex);
}

// ---- opening -----------------------------------------------------------------------------------

/// The path of a file in a folder. @return NULL if there is no memory
static char *luanti_join(const TrnAllocator *allocator, const char *folder, const char *name,
                         size_t *bytes)
{
    *bytes = strlen(folder) + 1 + strlen(name) + 1;
    char *path = trn_take(allocator, *bytes, 1);
    if (path) {
        (void)snprintf(path, *bytes, "%s/%s", folder, name);
    }
    return path;
}

static bool luanti_is_database(const char *path)
{
    static const char magic[] = "SQLite format 3"; // the zero at its end is part of it
    char begin[sizeof magic];
    FILE *file;
    if (trn_file_open(path, &file) != TRN_RESULT_OK) {
        return false;
    }
    const bool is_database =
        trn_file_read(file, 0, begin, sizeof begin) && memcmp(begin, magic, sizeof magic) == 0;
    (void)fclose(file);
    return is_database;
}

/// Whether a folder has a file.
static bool luanti_folder_has(const char *folder, const char *name, bool must_be_database)
{
    const TrnAllocator allocator = trn_allocator_default();
    size_t bytes;
    char *path = luanti_join(&allocator, folder, name, &bytes);
    const bool has =
        path && (must_be_database ? luanti_is_database(path) : trn_luanti_is_file(path));
    trn_give(&allocator, path, bytes);
    return has;
}

static bool luanti_recognises(const char *path)
{
    const size_t size = strlen(path), ending = sizeof ".sqlite" - 1;
    return luanti_folder_has(path, LUANTI_FILE, true) ||
           luanti_folder_has(path, "world.mt", false) ||
           (size > ending && strcmp(path + size - ending, ".sqlite") == 0 &&
            luanti_is_database(path));
}

/// The folder of a world: the path, or that of the file.
static TrnLuantiFolder luanti_folder(const char *path, bool is_folder)
{
    size_t size = strlen(path);
    while (!is_folder && size > 0 && path[size - 1] != '/' && path[size - 1] != '\\') {
        size--;
    }
    return size ? (TrnLuantiFolder){path, size} : (TrnLuantiFolder){".", 1};
}

/// Reads what the text files beside the database say. A map.sqlite that world.mt does not name is a
/// leftover: a folder with it is refused, and the file itself is reported.
static TrnResult luanti_read_texts(LuantiWorld *world, bool is_folder, TrnStorageProblem *problem)
{
    TrnImport *import = world->import;
    const TrnLuantiFolder folder = luanti_folder(import->def.path, is_folder);
    TrnLuantiValue backend;
    world->has_spawn = trn_luanti_spawn(folder, &import->allocator, &world->spawn);
    if (!trn_luanti_other_backend(folder, &import->allocator, &backend)) {
        return TRN_RESULT_OK;
    }
    if (!is_folder) {
        trn_import_unsupported(&import->notes,
                               "world.mt: the map is in another database, so this one may be old; "
                               "convert it with 'luanti --server --migrate sqlite3'",
                               "%s", backend.text);
        return TRN_RESULT_OK;
    }
    trn_import_tell(problem,
                    "%.300s: world.mt says that the map is in %s, so map.sqlite is a leftover; "
                    "convert the map with 'luanti --server --migrate sqlite3'.",
                    import->def.path, backend.text);
    return TRN_RESULT_NOT_FOUND;
}

/// Sets the path of the database: the def's, or in the folder that the def names.
static TrnResult luanti_find_file(LuantiWorld *world, TrnStorageProblem *problem)
{
    const TrnAllocator *allocator = &world->import->allocator;
    const char *path = world->import->def.path;
    const bool is_folder = luanti_folder_has(path, LUANTI_FILE, false);
    if (!is_folder && luanti_folder_has(path, "world.mt", false)) {
        trn_import_tell(problem,
                        "%s: the world has no map.sqlite, so its map is in another database; "
                        "convert it with 'luanti --server --migrate sqlite3'.",
                        path);
        return TRN_RESULT_NOT_FOUND;
    }
    if (is_folder) {
        world->path = luanti_join(allocator, path, LUANTI_FILE, &world->path_bytes);
    } else {
        world->path_bytes = strlen(path) + 1;
        world->path = trn_take(allocator, world->path_bytes, 1);
        if (world->path) {
            memcpy(world->path, path, world->path_bytes);
        }
    }
    return world->path ? luanti_read_texts(world, is_folder, problem) : TRN_RESULT_NO_MEMORY;
}

/// Finds out which schema a database has. A view is none: to read it could take forever.
static int luanti_read_schema(LuantiWorld *world, sqlite3 *db)
{
    sqlite3_stmt *statement = NULL;
    int code = luanti_prepare(db,
                              "SELECT 1 FROM sqlite_master WHERE type = 'table' AND "
                              "name = 'blocks' AND rootpage > 0",
                              &statement);
    const bool has_table = code == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW;
    const int finished = sqlite3_finalize(statement);
    code = code == SQLITE_OK ? finished : code;
    if (code != SQLITE_OK || !has_table) {
        return code == SQLITE_OK ? SQLITE_FORMAT : code;
    }
    for (int i = 0; i < 2; i++) {
        world->has_columns = i == 0;
        code = luanti_prepare(db,
                              world->has_columns ? "SELECT x, y, z, data FROM blocks"
                                                 : "SELECT pos, data FROM blocks",
                              &statement);
        (void)sqlite3_finalize(statement);
        if (code != SQLITE_ERROR) { // of the syntax: no such column
            return code;
        }
    }
    return SQLITE_FORMAT;
}

static TrnResult luanti_open_file(LuantiWorld *world, TrnStorageProblem *problem)
{
    sqlite3 *db = NULL;
    int code = trn_luanti_connect(world->path, &db);
    code = code == SQLITE_OK ? luanti_read_schema(world, db) : code;
    (void)sqlite3_close(db);
    return code == SQLITE_OK ? TRN_RESULT_OK : luanti_fail(world, code, problem);
}

static TrnResult luanti_set_offset(LuantiWorld *world, TrnStorageProblem *problem)
{
    const TrnVoxel offset = world->import->def.offset;
    const int64_t limit = (int64_t)1 << 40;
    const int64_t parts[] = {offset.x, offset.y, offset.z};
    for (int i = 0; i < 3; i++) {
        if (parts[i] % TRN_LUANTI_EDGE != 0 || parts[i] > limit || parts[i] < -limit) {
            trn_import_tell(problem, "The offset of a world of Luanti is a multiple of 16.");
            return TRN_RESULT_BAD_ARGUMENT;
        }
    }
    world->offset = (TrnVoxel){offset.x / TRN_LUANTI_EDGE, offset.y / TRN_LUANTI_EDGE,
                               offset.z / TRN_LUANTI_EDGE};
    return TRN_RESULT_OK;
}

static void luanti_close(void *state)
{
    LuantiWorld *world = state;
    const TrnAllocator *allocator = &world->import->allocator;
    for (LuantiLink *link = world->first, *next; link; link = next) {
        next = link->next;
        luanti_close_link(allocator, link);
    }
    trn_mutex_destroy(&world->mutex);
    trn_give(allocator, world->path, world->path_bytes);
}

static TrnResult luanti_open(TrnImport *import, void *state, TrnStorageProblem *problem)
{
    LuantiWorld *world = state;
    world->import = import;
    if (!trn_mutex_init(&world->mutex)) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = luanti_set_offset(world, problem);
    result = result == TRN_RESULT_OK ? luanti_find_file(world, problem) : result;
    result = result == TRN_RESULT_OK ? luanti_open_file(world, problem) : result;
    if (result != TRN_RESULT_OK) {
        luanti_close(world);
    }
    return result;
}

// ---- coordinates -------------------------------------------------------------------------------

/// A map block's coordinates.
typedef struct LuantiPlace {
    int64_t x, y, z;
} LuantiPlace;

static bool luanti_place_is_valid(LuantiPlace place)
{
    return place.x >= LUANTI_COORD_MIN && place.x <= LUANTI_COORD_MAX &&
           place.y >= LUANTI_COORD_MIN && place.y <= LUANTI_COORD_MAX &&
           place.z >= LUANTI_COORD_MIN && place.z <= LUANTI_COORD_MAX;
}

/// The number of a place in the older schema: 12 bits an axis, each of which may be negative.
static int64_t luanti_place_number(LuantiPlace place)
{
    return place.z * 0x1000000 + place.y * 0x1000 + place.x;
}

static LuantiPlace luanti_number_place(int64_t number)
{
    if (number < -0x800800800 || number > 0x7FF7FF7FF) {
        return (LuantiPlace){INT64_MAX, 0, 0}; // no valid one
    }
    const uint64_t bits = (uint64_t)(number + 0x800800800);
    return (LuantiPlace){(int64_t)(bits & 0xFFF) - 0x800, (int64_t)(bits >> 12 & 0xFFF) - 0x800,
                         (int64_t)(bits >> 24 & 0xFFF) - 0x800};
}

/// The place of a map block, counted in map blocks of Terrane. The other way round is the same.
static LuantiPlace luanti_mirror(LuantiPlace place)
{
    return (LuantiPlace){place.x, place.y, -1 - place.z};
}

// ---- listing -----------------------------------------------------------------------------------

TRN_ARRAY_DECLARE(LuantiCoords, TrnCoord);

/// The chunks of the map, each once.
typedef struct LuantiList {
    LuantiWorld *world;
    TrnCoordMap seen;
    LuantiCoords coords;
} LuantiList;

static TrnResult luanti_list_add(LuantiList *list, LuantiPlace place)
{
    const TrnAllocator *allocator = &list->world->import->allocator;
    const TrnVoxel offset = list->world->offset;
    const LuantiPlace ours = luanti_mirror(place);
    const TrnVoxel corner = {(ours.x + offset.x) * TRN_LUANTI_EDGE,
                             (ours.y + offset.y) * TRN_LUANTI_EDGE,
                             (ours.z + offset.z) * TRN_LUANTI_EDGE};
    if (!trn_voxel_in_world(corner)) {
        trn_import_damaged(&list->world->import->notes, "map blocks: beyond the end of the world",
                           "map block %d,%d,%d", (int)place.x, (int)place.y, (int)place.z);
        return TRN_RESULT_OK;
    }
    const TrnCoord coord = trn_voxel_chunk(corner);
    if (trn_coord_map_find(&list->seen, coord)) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_coord_map_reserve(&list->seen, allocator, 1);
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&list->coords, allocator, coord);
    }
    if (result == TRN_RESULT_OK) {
        (void)trn_coord_map_add(&list->seen, coord);
    }
    return result;
}

static LuantiPlace luanti_row_place(const LuantiWorld *world, sqlite3_stmt *row)
{
    return world->has_columns
               ? (LuantiPlace){sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1),
                               sqlite3_column_int64(row, 2)}
               : luanti_number_place(sqlite3_column_int64(row, 0));
}

/// Collects the chunks of all rows. What a damaged index does not find is lost.
static TrnResult luanti_collect(LuantiList *list, sqlite3_stmt *rows)
{
    TrnImportNotes *notes = &list->world->import->notes;
    TrnResult result = TRN_RESULT_OK;
    int code;
    while (result == TRN_RESULT_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        const LuantiPlace place = luanti_row_place(list->world, rows);
        if (luanti_place_is_valid(place)) {
            result = luanti_list_add(list, place);
        } else {
            trn_import_damaged(notes, "map blocks: at places that no world of Luanti has", "%s",
                               list->world->path);
        }
    }
    if (result == TRN_RESULT_OK && trn_luanti_result(code) == TRN_RESULT_CORRUPT) {
        trn_import_damaged(notes, "the list of map blocks: it ends early", "%s", "");
        return TRN_RESULT_OK;
    }
    return result == TRN_RESULT_OK ? trn_luanti_result(code) : result;
}

/// In the order of the database: by z from Luanti's south, then y, then x.
static int luanti_compare(const void *a, const void *b)
{
    const TrnCoord *one = a, *other = b;
    if (one->z != other->z) {
        return one->z > other->z ? -1 : 1;
    }
    if (one->y != other->y) {
        return one->y < other->y ? -1 : 1;
    }
    return one->x < other->x ? -1 : one->x > other->x;
}

static TrnResult luanti_list_rows(LuantiList *list, sqlite3 *db)
{
    sqlite3_stmt *rows = NULL;
    const int code = luanti_prepare(
        db, list->world->has_columns ? "SELECT x, y, z FROM blocks" : "SELECT pos FROM blocks",
        &rows);
    const TrnResult result =
        code == SQLITE_OK ? luanti_collect(list, rows) : trn_luanti_result(code);
    (void)sqlite3_finalize(rows);
    return result;
}

static TrnResult luanti_list(void *state, TrnImportVisitor visit, void *user)
{
    LuantiWorld *world = state;
    const TrnAllocator *allocator = &world->import->allocator;
    LuantiList list = {.world = world};
    LuantiLink *link;
    TrnResult result = luanti_take_link(world, &link);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = luanti_list_rows(&list, link->db);
    luanti_give_link(world, link);
    if (result == TRN_RESULT_OK && list.coords.count) {
        qsort(list.coords.items, list.coords.count, sizeof *list.coords.items, luanti_compare);
        for (uint32_t i = 0; i < list.coords.count && visit(user, list.coords.items[i]); i++) {
        }
    }
    trn_coord_map_free(&list.seen, allocator);
    trn_array_free(&list.coords, allocator);
    return result;
}

// ---- the nodes of a map block ------------------------------------------------------------------

/// One chunk while it is loaded.
typedef struct LuantiLoad {
    LuantiWorld *world;
    LuantiLink *link;
    TrnBlock *blocks;            ///< [TRN_CHUNK_VOXELS]
    LuantiPlace place;           ///< of the map block being read, for notes
    TrnImportContents *contents; ///< NULL: not asked for
} LuantiLoad;

static void luanti_note(const LuantiLoad *load, TrnImportNoteKind kind, const char *what)
{
    trn_import_piece(&load->world->import->notes, kind, what, "map block %d,%d,%d",
                     (int)load->place.x, (int)load->place.y, (int)load->place.z);
}

/// The id of a node.
static uint32_t luanti_node_id(const TrnLuantiBlock *block, uint32_t node)
{
    const unsigned char *at = block->ids + (size_t)node * block->id_bytes;
    return block->id_bytes == 1 ? at[0] : (uint32_t)at[0] << 8 | at[1];
}

/// Counts the nodes of each id.
static void luanti_count_nodes(const LuantiLoad *load, const TrnLuantiBlock *block)
{
    for (uint32_t i = 0; i < TRN_LUANTI_NODES; i++) {
        load->link->nodes_of[luanti_node_id(block, i)]++;
    }
}

/// Fills the table of ids from the block's names.
/// @param is_ignored  receives whether all nodes are "ignore": the block was never generated
static TrnResult luanti_read_ids(const LuantiLoad *load, const TrnLuantiBlock *block,
                                 bool *is_ignored)
{
    static const char ignore[] = "ignore";
    const unsigned char *at = block->names;
    uint32_t turned = 0;
    luanti_count_nodes(load, block);
    for (uint32_t i = 0; i < block->name_count; i++) {
        const TrnLuantiName entry = trn_luanti_next_name(&at);
        TrnImportName *name;
        const TrnResult result =
            trn_import_names_find(&load->world->import->names, entry.text, entry.size, &name);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        load->link->block_of[entry.id] = name->block;
        if (name->turn != TRN_IMPORT_TURN_NONE && turned < LUANTI_TURNED_MAX) {
            load->link->turned[turned++] = name;
            load->link->block_of[entry.id] |= turned << LUANTI_TURNED_AT;
        }
        if (name->is_unknown) {
            atomic_fetch_add_explicit(&name->count, load->link->nodes_of[entry.id],
                                      memory_order_relaxed);
        }
        if (entry.size == sizeof ignore - 1 && memcmp(entry.text, ignore, entry.size) == 0) {
            *is_ignored = load->link->nodes_of[entry.id] == TRN_LUANTI_NODES;
        }
    }
    return TRN_RESULT_OK;
}

static void luanti_clear_ids(const LuantiLoad *load, const TrnLuantiBlock *block)
{
    const unsigned char *at = block->names;
    for (uint32_t i = 0; i < block->name_count; i++) {
        load->link->block_of[trn_luanti_next_name(&at).id] = LUANTI_NO_NAME;
    }
    for (uint32_t i = 0; i < TRN_LUANTI_NODES; i++) {
        load->link->nodes_of[luanti_node_id(block, i)] = 0;
    }
}

/// Writes the nodes as blocks. @param corner  of the map block in the chunk, as a linear index
/// @return whether a node had an id without a name; it is air
static bool luanti_put_nodes(const LuantiLoad *load, const TrnLuantiBlock *block, uint32_t corner)
{
    const uint32_t *block_of = load->link->block_of;
    const unsigned char *at = block->ids;
    uint32_t all = 0;
    for (uint32_t z = 0; z < TRN_LUANTI_EDGE; z++) {
        const uint32_t row = corner + (TRN_LUANTI_EDGE - 1 - z) * TRN_CHUNK_EDGE;
        for (uint32_t y = 0; y < TRN_LUANTI_EDGE; y++) {
            TrnBlock *to = load->blocks + row + (size_t)y * TRN_CHUNK_EDGE * TRN_CHUNK_EDGE;
            for (uint32_t x = 0; x < TRN_LUANTI_EDGE; x++, at += block->id_bytes) {
                const uint32_t id = block->id_bytes == 1 ? at[0] : (uint32_t)at[0] << 8 | at[1];
                all |= block_of[id];
                to[x] = (TrnBlock)block_of[id];
            }
        }
    }
    return (all & LUANTI_NO_NAME) != 0;
}

/// Turns blocks as param2 says. @return how many nodes have a param2 that their block does not show
static uint32_t luanti_turn_nodes(const LuantiLoad *load, const TrnLuantiBlock *block,
                                  uint32_t corner)
{
    const uint32_t last = TRN_LUANTI_EDGE - 1;
    uint32_t lost = 0;
    for (uint32_t i = 0; i < TRN_LUANTI_NODES; i++) {
        const uint32_t place =
            load->link->block_of[luanti_node_id(block, i)] >> LUANTI_TURNED_AT & LUANTI_TURNED_MAX;
        if (place == 0) {
            lost += block->param2[i] != 0;
            continue;
        }
        const uint32_t x = i & last, y = i / TRN_LUANTI_EDGE & last;
        const uint32_t z = last - i / (TRN_LUANTI_EDGE * TRN_LUANTI_EDGE);
        lost += !trn_import_node_block(load->link->turned[place - 1], block->param2[i],
                                       &load->blocks[corner + trn_local_index(x, y, z)]);
    }
    return lost;
}

static void luanti_note_ignored(const LuantiLoad *load, const TrnLuantiBlock *block, uint32_t lost)
{
    TrnImportNotes *notes = &load->world->import->notes;
    trn_import_ignored(notes, "param2 of nodes: directions, levels and colours", lost);
    trn_import_ignored(notes, "metadata of nodes: texts and inventories",
                       load->contents ? 0 : block->metadata_count);
}

/// Loads what nodes hold as block data: "LNM", the version as a digit, and the bytes of the map
/// block. Errors: NO_MEMORY.
static TrnResult luanti_put_metadata(const LuantiLoad *load, const TrnLuantiBlock *block,
                                     uint32_t corner)
{
    const char head[4] = {'L', 'N', 'M', (char)('0' + block->metadata_version % 10)};
    const uint32_t last = TRN_LUANTI_EDGE - 1;
    const unsigned char *at = block->metadata;
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; load->contents && i < block->metadata_count && result == TRN_RESULT_OK;
         i++) {
        TrnLuantiMetadata metadata;
        if (!trn_luanti_next_metadata(block, &at, &metadata)) {
            luanti_note(load, TRN_IMPORT_NOTE_DAMAGED,
                        "map blocks: metadata of nodes; it is left "
                        "out");
            break;
        }
        const uint32_t x = metadata.node & last, y = metadata.node / TRN_LUANTI_EDGE & last;
        const uint32_t z = last - metadata.node / (TRN_LUANTI_EDGE * TRN_LUANTI_EDGE);
        result = trn_import_contents_add_bytes(load->contents, corner + trn_local_index(x, y, z),
                                               head, sizeof head, metadata.bytes, metadata.size);
    }
    return result;
}

/// @param is_there  set unless the block was never generated
static TrnResult luanti_put_block(const LuantiLoad *load, const void *bytes, size_t size,
                                  uint32_t corner, bool *is_there)
{
    TrnLuantiBlock block;
    const TrnLuantiFault fault = trn_luanti_block_decode(load->link->decoder, bytes, size, &block);
    if (fault == TRN_LUANTI_FAULT_MEMORY) {
        return TRN_RESULT_NO_MEMORY;
    }
    if (fault != TRN_LUANTI_FAULT_NONE) {
        const bool is_other = fault == TRN_LUANTI_FAULT_OLDER || fault == TRN_LUANTI_FAULT_NEWER;
        luanti_note(load, is_other ? TRN_IMPORT_NOTE_UNSUPPORTED : TRN_IMPORT_NOTE_DAMAGED,
                    trn_luanti_fault_text(fault));
        *is_there = true;
        return TRN_RESULT_OK;
    }
    bool is_ignored = false;
    TrnResult result = luanti_read_ids(load, &block, &is_ignored);
    if (result == TRN_RESULT_OK && !is_ignored) {
        *is_there = true;
        if (luanti_put_nodes(load, &block, corner)) {
            luanti_note(load, TRN_IMPORT_NOTE_DAMAGED,
                        "map blocks: with nodes that have no name; those are air");
        }
        luanti_note_ignored(load, &block, luanti_turn_nodes(load, &block, corner));
        result = luanti_put_metadata(load, &block, corner);
    }
    luanti_clear_ids(load, &block);
    return result;
}

// ---- loading -----------------------------------------------------------------------------------

static void luanti_bind(const LuantiLoad *load)
{
    sqlite3_stmt *get = load->link->get;
    if (load->world->has_columns) {
        (void)sqlite3_bind_int64(get, 1, load->place.x);
        (void)sqlite3_bind_int64(get, 2, load->place.y);
        (void)sqlite3_bind_int64(get, 3, load->place.z);
    } else {
        (void)sqlite3_bind_int64(get, 1, luanti_place_number(load->place));
    }
}

/// Loads one map block of the chunk, if there is one.
static TrnResult luanti_load_block(const LuantiLoad *load, uint32_t corner, bool *is_there)
{
    sqlite3_stmt *get = load->link->get;
    luanti_bind(load);
    TrnResult result = TRN_RESULT_OK;
    if (sqlite3_step(get) == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(get, 0);
        const int size = sqlite3_column_bytes(get, 0);
        result = luanti_put_block(load, bytes, bytes ? (size_t)size : 0, corner, is_there);
    }
    const TrnResult read = trn_luanti_result(sqlite3_reset(get));
    if (read == TRN_RESULT_CORRUPT) {
        luanti_note(load, TRN_IMPORT_NOTE_DAMAGED, "map blocks: the database is damaged there");
        *is_there = true;
        return result;
    }
    return result == TRN_RESULT_OK ? read : result;
}

static TrnResult luanti_load_blocks(LuantiLoad *load, TrnCoord coord, bool *is_there)
{
    const TrnVoxel offset = load->world->offset;
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < 8 && result == TRN_RESULT_OK; i++) {
        const uint32_t x = i & 1, z = i >> 1 & 1, y = i >> 2;
        load->place =
            luanti_mirror((LuantiPlace){(int64_t)coord.x * LUANTI_EDGE_BLOCKS + x - offset.x,
                                        (int64_t)coord.y * LUANTI_EDGE_BLOCKS + y - offset.y,
                                        (int64_t)coord.z * LUANTI_EDGE_BLOCKS + z - offset.z});
        if (luanti_place_is_valid(load->place)) {
            const uint32_t corner =
                ((y * TRN_CHUNK_EDGE + z) * TRN_CHUNK_EDGE + x) * TRN_LUANTI_EDGE;
            result = luanti_load_block(load, corner, is_there);
        }
    }
    return result;
}

/// Runs a statement without rows. Without the transaction, reads are as right, and slower.
static void luanti_step(sqlite3_stmt *statement)
{
    (void)sqlite3_step(statement);
    (void)sqlite3_reset(statement);
}

static TrnResult luanti_load(void *state, TrnCoord coord, TrnBlock *blocks, bool *uniform,
                             TrnImportContents *contents)
{
    LuantiWorld *world = state;
    LuantiLoad load = {.world = world, .blocks = blocks, .contents = contents};
    TrnResult result = luanti_take_link(world, &load.link);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    bool is_there = false;
    memset(blocks, 0, sizeof(TrnBlock[TRN_CHUNK_VOXELS])); // air
    // In one transaction, so that the file is locked once for all blocks.
    luanti_step(load.link->begin);
    result = luanti_load_blocks(&load, coord, &is_there);
    luanti_step(load.link->end);
    luanti_give_link(world, load.link);
    if (result == TRN_RESULT_OK && !is_there) {
        return TRN_RESULT_NOT_FOUND;
    }
    *uniform = memcmp(blocks, blocks + 1, sizeof(TrnBlock[TRN_CHUNK_VOXELS - 1])) == 0;
    return result;
}

// ---- the format --------------------------------------------------------------------------------

extern const char trn_asset_luanti_txt[];
extern const size_t trn_asset_luanti_txt_bytes;
extern const TrnImportReader trn_import_luanti;

/// What is air whatever a table of names says.
static const char *const LUANTI_AIRS[] = {"air", "ignore", NULL};

static bool luanti_spawn(const void *state, TrnVoxel *voxel)
{
    const LuantiWorld *world = state;
    *voxel = world->spawn;
    return world->has_spawn;
}

const TrnImportReader trn_import_luanti = {
    .name = "luanti",
    .names = trn_asset_luanti_txt,
    .names_size = &trn_asset_luanti_txt_bytes,
    .airs = LUANTI_AIRS,
    .state_bytes = sizeof(LuantiWorld),
    .recognises = luanti_recognises,
    .open = luanti_open,
    .list = luanti_list,
    .load = luanti_load,
    .spawn = luanti_spawn,
    .close = luanti_close,
};
