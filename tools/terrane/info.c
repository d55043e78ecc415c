#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <terrane/shared.h>

#include "commands.h"
#include "interrupt.h"
#include "program.h"
#include "world.h"
#include "world_words.h"

/// The chunks of one level of detail.
typedef struct InfoLevel {
    uint64_t chunks, bytes; ///< bytes: of their rows
    TrnBox box;             ///< around them
} InfoLevel;

typedef struct Info {
    OpenWorld *world;
    bool counts_blocks, wants_json;
    InfoLevel levels[TRN_GENERATOR_LEVEL_MAX + 1];
    uint64_t revision;
    uint64_t names, game_values, quarantined; ///< values by kind
    bool is_bound;
    uint64_t format;  ///< of the world
    uint64_t strays;  ///< rows that say what none of a world does
    uint64_t damaged; ///< rows, if blocks are counted
    uint64_t voxels[TRN_BLOCK_TYPES_MAX];
    uint64_t data_voxels, data_bytes; ///< voxels with block data, and its bytes
} Info;

// ---- reading -----------------------------------------------------------------------------------

static bool info_begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/// Reads a number of the save: little-endian, up to 8 bytes.
static uint64_t info_number(const TrnStorageValue *value)
{
    const unsigned char *bytes = value->bytes;
    uint64_t number = 0;
    for (size_t i = 0; i < value->size && i < sizeof number; i++) {
        number |= (uint64_t)bytes[i] << 8 * i;
    }
    return number;
}

static bool info_note_value(void *user, const TrnStorageValue *value)
{
    Info *info = user;
    info->names += info_begins(value->name, "terrane/block/");
    info->game_values += info_begins(value->name, "game/");
    info->quarantined += info_begins(value->name, "terrane/quarantine/");
    if (strcmp(value->name, "terrane/format") == 0) {
        info->format = info_number(value);
    }
    if (strcmp(value->name, "terrane/revision") == 0) {
        info->revision = info_number(value);
    }
    info->is_bound = info->is_bound || strcmp(value->name, WORLD_FILE_BOUND) == 0;
    return true;
}

static void info_widen(InfoLevel *level, TrnCoord coord)
{
    TrnBox *const box = &level->box;
    if (level->chunks == 1) {
        *box = (TrnBox){coord, coord};
    }
    box->min.x = coord.x < box->min.x ? coord.x : box->min.x;
    box->min.y = coord.y < box->min.y ? coord.y : box->min.y;
    box->min.z = coord.z < box->min.z ? coord.z : box->min.z;
    box->max.x = coord.x > box->max.x ? coord.x : box->max.x;
    box->max.y = coord.y > box->max.y ? coord.y : box->max.y;
    box->max.z = coord.z > box->max.z ? coord.z : box->max.z;
}

/// Counts the block data of one voxel.
static TrnResult info_count_data(void *user, const TrnBlockData *data)
{
    Info *info = user;
    info->data_voxels++;
    info->data_bytes += data->size;
    return TRN_RESULT_OK;
}

static TrnResult info_count_blocks(Info *info, const TrnStorageRow *row)
{
    TrnBlock *const blocks = info->world->blocks;
    const TrnDataSink sink = {info_count_data, info};
    bool is_uniform = false;
    TrnResult result = trn_save_read_row(info->world->file.save, row, blocks, &is_uniform, NULL);
    if (result == TRN_RESULT_OK) {
        result = trn_save_read_row_data(info->world->file.save, row, &sink);
    }
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS && result == TRN_RESULT_OK; i++) {
        info->voxels[blocks[is_uniform ? 0 : i]]++;
    }
    return result;
}

static TrnResult info_count_again(void *user, const TrnStorageRow *row)
{
    Info *info = user;
    const TrnResult result = info_count_blocks(info, row);
    info->damaged += result == TRN_RESULT_CORRUPT;
    return result == TRN_RESULT_CORRUPT ? TRN_RESULT_OK : result;
}

static TrnResult info_note_row(void *user, const TrnStorageRow *row)
{
    Info *info = user;
    InfoLevel *level = &info->levels[row->key.level];
    level->chunks++;
    level->bytes += row->size;
    info_widen(level, row->key.coord);
    const TrnResult result =
        info->counts_blocks && row->key.level == 0 ? info_count_blocks(info, row) : TRN_RESULT_OK;
    return result == TRN_RESULT_CORRUPT ? world_doubt(info->world, &row->key) : result;
}

static bool info_read(Info *info, Message *problem)
{
    const TrnStorage *storage = &info->world->file.storage;
    TrnResult result = storage->values(storage->user, "", info_note_value, info);
    if (result == TRN_RESULT_OK) {
        result = world_act_on_rows(info->world, "terrane info", info_note_row, info);
    }
    if (result == TRN_RESULT_OK) {
        result = world_act_on_doubts(info->world, info_count_again, info);
    }
    if (interrupt_came()) {
        return message_set(problem, "Interrupted.");
    }
    return result == TRN_RESULT_OK ? world_count_strays(storage, &info->strays, problem)
                                   : world_fail_storage(storage, result, "", problem);
}

// ---- the blocks --------------------------------------------------------------------------------

typedef struct InfoBlock {
    const char *name;
    uint64_t voxels;
} InfoBlock;

static int info_compare(const void *left, const void *right)
{
    const InfoBlock *a = left, *b = right;
    if (a->voxels != b->voxels) {
        return a->voxels > b->voxels ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

/// Lists the blocks that there are, the commonest first. @return [count] of malloc; NULL: no memory
static InfoBlock *info_list_blocks(const Info *info, uint32_t *count)
{
    uint32_t types;
    const TrnBlockType *all = trn_block_types_all(info->world->types, &types);
    InfoBlock *blocks = malloc(types * sizeof *blocks);
    *count = 0;
    for (uint32_t id = 0; blocks && id < types; id++) {
        if (info->voxels[id]) {
            blocks[(*count)++] = (InfoBlock){all[id].name, info->voxels[id]};
        }
    }
    if (blocks) {
        qsort(blocks, *count, sizeof *blocks, info_compare);
    }
    return blocks;
}

// ---- text --------------------------------------------------------------------------------------

static void info_print_land(const Info *info)
{
    const WorldFacts *facts = &info->world->file.facts;
    if (!facts->has_terrain && !facts->has_old_land) {
        program_print("  land        none is generated around the chunks");
    } else {
        const bool has_text = facts->seed_text[0] != '\0';
        program_print("  land        seed %" PRIu64 "%s%s%s, %s%s, version %" PRIu32 "%s",
                      facts->terrain.seed, has_text ? " (\"" : "", facts->seed_text,
                      has_text ? "\")" : "", facts->preset[0] ? "preset " : "a shape of its own",
                      facts->preset, facts->terrain.version,
                      facts->has_old_land ? ", too old to be generated around the chunks" : "");
    }
    program_print("  spawn       %" PRId64 ", %" PRId64 ", %" PRId64, facts->spawn.x,
                  facts->spawn.y, facts->spawn.z);
    if (info->is_bound) {
        program_print("  bound       to this land: only changed chunks are saved");
    }
}

static void info_print_level(uint32_t number, const InfoLevel *level)
{
    const TrnBox *box = &level->box;
    if (!level->chunks) {
        return;
    }
    program_print("  level %-5" PRIu32 " %" PRIu64 " chunks in %s, %" PRIu64
                  " bytes each; from %d, %d, %d to %d, %d, %d",
                  number, level->chunks, world_bytes_text(level->bytes).text,
                  level->bytes / level->chunks, (int)box->min.x, (int)box->min.y, (int)box->min.z,
                  (int)box->max.x, (int)box->max.y, (int)box->max.z);
}

static bool info_print_blocks(const Info *info, Message *problem)
{
    uint32_t count;
    InfoBlock *blocks = info_list_blocks(info, &count);
    if (!blocks) {
        return message_set(problem, "Out of memory for this report.");
    }
    program_print("  damaged     %" PRIu64 " chunks", info->damaged);
    if (info->data_voxels) {
        program_print("  block data  %s of %" PRIu64 " voxels",
                      world_bytes_text(info->data_bytes).text, info->data_voxels);
    }
    for (uint32_t i = 0; i < count; i++) {
        program_print("  %15" PRIu64 " %s", blocks[i].voxels, blocks[i].name);
    }
    free(blocks);
    return true;
}

/// Says what each of several servers has.
static bool info_print_server(void *user, const TrnSharedServer *server)
{
    (void)user;
    if (server->count > 1) {
        program_print(
            "  server      %u of %u, %s: %s%s", server->number, server->count, server->name,
            server->problem[0] ? "" : world_bytes_text(server->status.bytes).text, server->problem);
    }
    return true;
}

static bool info_print(const Info *info, Message *problem)
{
    program_print("%s", world_name(info->world->path).text);
    if (trn_storage_is_url(info->world->path)) {
        program_print("  database    PostgreSQL, shared by any number of programs; format %" PRIu64,
                      info->format);
        (void)trn_shared_servers(&info->world->file.storage, info_print_server, NULL);
    } else {
        program_print("  file        %s, format %" PRIu64,
                      world_bytes_text((uint64_t)world_file_bytes(info->world->path)).text,
                      info->format);
    }
    info_print_land(info);
    for (uint32_t level = 0; level <= TRN_GENERATOR_LEVEL_MAX; level++) {
        info_print_level(level, &info->levels[level]);
    }
    if (info->strays) {
        program_print("  strays      %" PRIu64
                      " rows say what no row of a world does; run 'terrane "
                      "verify'",
                      info->strays);
    }
    program_print("  revision    %" PRIu64, info->revision);
    program_print("  names       of %" PRIu64 " blocks", info->names);
    program_print("  values      %" PRIu64 " of the game", info->game_values);
    if (info->quarantined) {
        program_print("  quarantine  %" PRIu64 " damaged chunks were set aside", info->quarantined);
    }
    return !info->counts_blocks || info_print_blocks(info, problem);
}

// ---- JSON --------------------------------------------------------------------------------------

static void info_add_coord(cJSON *json, const char *name, TrnCoord coord)
{
    const int numbers[3] = {coord.x, coord.y, coord.z};
    (void)cJSON_AddItemToObject(json, name, cJSON_CreateIntArray(numbers, 3));
}

static void info_add_levels(cJSON *json, const Info *info)
{
    cJSON *levels = cJSON_AddArrayToObject(json, "levels");
    for (uint32_t number = 0; number <= TRN_GENERATOR_LEVEL_MAX; number++) {
        const InfoLevel *level = &info->levels[number];
        cJSON *entry = level->chunks ? cJSON_CreateObject() : NULL;
        if (entry) {
            (void)cJSON_AddNumberToObject(entry, "level", number);
            (void)cJSON_AddNumberToObject(entry, "chunks", (double)level->chunks);
            (void)cJSON_AddNumberToObject(entry, "bytes", (double)level->bytes);
            info_add_coord(entry, "min", level->box.min);
            info_add_coord(entry, "max", level->box.max);
            (void)cJSON_AddItemToArray(levels, entry);
        }
    }
}

static void info_add_land(cJSON *json, const WorldFacts *facts)
{
    const double spawn[3] = {(double)facts->spawn.x, (double)facts->spawn.y,
                             (double)facts->spawn.z};
    (void)cJSON_AddItemToObject(json, "spawn", cJSON_CreateDoubleArray(spawn, 3));
    const bool has_land = facts->has_terrain || facts->has_old_land;
    cJSON *land =
        has_land ? cJSON_AddObjectToObject(json, "land") : cJSON_AddNullToObject(json, "land");
    if (has_land) {
        char seed[32]; // a text, since JSON's numbers have 53 bits
        (void)snprintf(seed, sizeof seed, "%" PRIu64, facts->terrain.seed);
        (void)cJSON_AddStringToObject(land, "seed", seed);
        (void)cJSON_AddStringToObject(land, "preset", facts->preset);
        (void)cJSON_AddNumberToObject(land, "version", facts->terrain.version);
        (void)cJSON_AddBoolToObject(land, "generated", facts->has_terrain);
    }
}

static void info_add_blocks(cJSON *json, const Info *info)
{
    uint32_t count;
    InfoBlock *blocks = info_list_blocks(info, &count);
    cJSON *object = cJSON_AddObjectToObject(json, "blocks");
    for (uint32_t i = 0; blocks && i < count; i++) {
        (void)cJSON_AddNumberToObject(object, blocks[i].name, (double)blocks[i].voxels);
    }
    (void)cJSON_AddNumberToObject(json, "damaged", (double)info->damaged);
    (void)cJSON_AddNumberToObject(json, "data_voxels", (double)info->data_voxels);
    (void)cJSON_AddNumberToObject(json, "data_bytes", (double)info->data_bytes);
    free(blocks);
}

static bool info_print_json(const Info *info, Message *problem)
{
    cJSON *json = cJSON_CreateObject();
    const bool is_database = trn_storage_is_url(info->world->path);
    (void)cJSON_AddStringToObject(json, is_database ? "database" : "file",
                                  world_name(info->world->path).text);
    if (!is_database) {
        (void)cJSON_AddNumberToObject(json, "file_bytes",
                                      (double)world_file_bytes(info->world->path));
    }
    (void)cJSON_AddNumberToObject(json, "format", (double)info->format);
    info_add_land(json, &info->world->file.facts);
    (void)cJSON_AddBoolToObject(json, "bound", info->is_bound);
    info_add_levels(json, info);
    (void)cJSON_AddNumberToObject(json, "strays", (double)info->strays);
    (void)cJSON_AddNumberToObject(json, "revision", (double)info->revision);
    (void)cJSON_AddNumberToObject(json, "names", (double)info->names);
    (void)cJSON_AddNumberToObject(json, "values", (double)info->game_values);
    (void)cJSON_AddNumberToObject(json, "quarantine", (double)info->quarantined);
    if (info->counts_blocks) {
        info_add_blocks(json, info);
    }
    return world_print_json(json, problem);
}

// ---- the command -------------------------------------------------------------------------------

static bool info_work(OpenWorld *world, void *user, Message *problem)
{
    Info *info = user;
    info->world = world;
    return info_read(info, problem) &&
           (info->wants_json ? info_print_json(info, problem) : info_print(info, problem));
}

static bool info_act(void *target, Message *problem)
{
    const WorldWords *words = target;
    Info *info = calloc(1, sizeof *info);
    if (!info) {
        return message_set(problem, "Out of memory for this report.");
    }
    info->counts_blocks = words->wants_blocks;
    info->wants_json = words->wants_json;
    const bool good =
        world_with(words->files[0], TRN_STORAGE_READ_ONLY, NULL, info_work, info, problem);
    free(info);
    return good;
}

static const Option INFO_ROWS[] = {
    WORLD_FILE,
    {.name = "blocks",
     .help = "also count the blocks by name, which reads every chunk",
     .kind = OPTION_FLAG,
     WORLD_AT(wants_blocks)},
    WORLD_JSON,
    {0}};

const OptionCommand INFO_COMMAND = {
    .name = "info",
    .summary = "shows what a world holds",
    .about = "Shows what a world file or a database holds: its land, spawn, chunks, blocks and "
             "damage. The "
             "world may be in use.",
    .rows = INFO_ROWS,
    .bytes = sizeof(WorldWords),
    .act = info_act,
};
