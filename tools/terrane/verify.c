#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "commands.h"
#include "interrupt.h"
#include "program.h"
#include "world.h"
#include "world_words.h"

#define VERIFY_LINES_MAX 1000 // that are printed
#define VERIFY_UNREAD_MAX 2048u
#define VERIFY_CUTS_MAX 200000u

typedef struct Verify {
    OpenWorld *world;
    bool wants_json;
    uint64_t chunks, damaged, faults, quarantined;
    uint32_t cuts;                           ///< of boxes, in search of damaged chunks
    bool is_lost;                            ///< there were too many
    TrnStorageKey unread[VERIFY_UNREAD_MAX]; ///< chunks on damaged pages
    uint32_t unread_count;
    cJSON *rows, *sentences; ///< lists, for --json; else NULL
    TrnResult result;
    Progress progress;
    int64_t file_bytes, done_bytes;
} Verify;

/// Notes a fault of the database.
static void verify_note_fault(void *user, const char *sentence)
{
    Verify *verify = user;
    if (verify->sentences) {
        (void)cJSON_AddItemToArray(verify->sentences, cJSON_CreateString(sentence));
    } else {
        program_print("database: %s", sentence);
    }
    verify->faults++;
}

static void verify_note_row(Verify *verify, const TrnStorageKey *key, const char *fault)
{
    const TrnCoord at = key->coord;
    verify->damaged++;
    if (verify->damaged > VERIFY_LINES_MAX) {
        return;
    }
    if (verify->rows) {
        const int coord[3] = {at.x, at.y, at.z};
        cJSON *entry = cJSON_CreateObject();
        (void)cJSON_AddNumberToObject(entry, "level", key->level);
        (void)cJSON_AddItemToObject(entry, "coord", cJSON_CreateIntArray(coord, 3));
        (void)cJSON_AddStringToObject(entry, "fault", fault);
        (void)cJSON_AddItemToArray(verify->rows, entry);
    } else if (key->level) {
        program_print("chunk %d, %d, %d of level %" PRIu32 ": %s", (int)at.x, (int)at.y, (int)at.z,
                      key->level, fault);
    } else {
        program_print("chunk %d, %d, %d: %s", (int)at.x, (int)at.y, (int)at.z, fault);
    }
}

static TrnResult verify_read_row(Verify *verify, const TrnStorageRow *row, const char **fault)
{
    bool is_uniform = false;
    return trn_save_read_row(verify->world->file.save, row, verify->world->blocks, &is_uniform,
                             fault);
}

static TrnResult verify_row_again(void *user, const TrnStorageRow *row)
{
    const char *fault = "";
    const TrnResult result = verify_read_row(user, row, &fault);
    if (result == TRN_RESULT_CORRUPT) {
        verify_note_row(user, &row->key, fault);
    }
    return result == TRN_RESULT_CORRUPT ? TRN_RESULT_OK : result;
}

static bool verify_row(void *user, const TrnStorageRow *row)
{
    Verify *verify = user;
    const TrnResult result = verify_read_row(verify, row, NULL);
    verify->result = result == TRN_RESULT_CORRUPT ? world_doubt(verify->world, &row->key) : result;
    verify->chunks++;
    verify->done_bytes += (int64_t)row->size;
    progress_set(&verify->progress, verify->done_bytes, verify->file_bytes);
    return verify->result == TRN_RESULT_OK && !interrupt_came();
}

// ---- around damaged pages ----------------------------------------------------------------------

static bool verify_pass(void *user, const TrnStorageRow *row)
{
    (void)row;
    return ((Verify *)user)->result == TRN_RESULT_OK && !interrupt_came();
}

/// Cuts a box in two along its first axis that is longer than a chunk, as the rows are in order.
static void verify_cut(TrnBox box, TrnBox *low, TrnBox *high)
{
    *low = *high = box;
    if (box.min.x < box.max.x) {
        low->max.x = (int32_t)(((int64_t)box.min.x + box.max.x) >> 1);
        high->min.x = low->max.x + 1;
    } else if (box.min.y < box.max.y) {
        low->max.y = (int32_t)(((int64_t)box.min.y + box.max.y) >> 1);
        high->min.y = low->max.y + 1;
    } else {
        low->max.z = (int32_t)(((int64_t)box.min.z + box.max.z) >> 1);
        high->min.z = low->max.z + 1;
    }
}

/// Checks the rows of a box. Where a page is damaged, everything that is not on it is checked all
/// the same, by looking at ever smaller boxes.
static void verify_box(Verify *verify, uint32_t level, TrnBox box)
{
    const TrnStorage *storage = &verify->world->file.storage;
    const TrnStorageRange range = {.level = level, .box = box};
    if (interrupt_came() || verify->result != TRN_RESULT_OK || verify->is_lost) {
        return;
    }
    if (storage->list(storage->user, &range, verify_pass, verify) == TRN_RESULT_OK) {
        // It could be read a moment ago.
        (void)storage->list(storage->user, &range, verify_row, verify);
    } else if (trn_coord_equal(box.min, box.max)) {
        verify->unread[verify->unread_count++] = (TrnStorageKey){box.min, level};
        verify->is_lost = verify->unread_count == VERIFY_UNREAD_MAX;
    } else if (verify->cuts++ == VERIFY_CUTS_MAX) {
        verify->is_lost = true;
    } else {
        TrnBox low, high;
        verify_cut(box, &low, &high);
        verify_box(verify, level, low);
        verify_box(verify, level, high);
    }
}

static void verify_rows(Verify *verify)
{
    const TrnBox all = trn_box_everything();
    for (uint32_t level = 0; level <= TRN_GENERATOR_LEVEL_MAX; level++) {
        verify_box(verify, level, all);
    }
    if (verify->result == TRN_RESULT_OK) {
        verify->result = world_act_on_doubts(verify->world, verify_row_again, verify);
    }
    if (verify->is_lost) { // every coordinate in some range seems to be unreadable
        verify_note_fault(verify, "the list of chunks is damaged, and not all could be checked");
        return;
    }
    for (uint32_t i = 0; i < verify->unread_count; i++) {
        verify_note_row(verify, &verify->unread[i], "its page of the file is damaged");
        verify->chunks++;
    }
}

// ---- everything --------------------------------------------------------------------------------

static bool verify_count_value(void *user, const TrnStorageValue *value)
{
    (void)value;
    ++*(uint64_t *)user;
    return true;
}

/// Rows that no list has. A server's tables cannot hold such.
static TrnResult verify_strays(Verify *verify)
{
    uint64_t count = 0;
    char sentence[128];
    const TrnResult result = trn_storage_sqlite_count_strays(&verify->world->file.storage, &count);
    if (count) {
        (void)snprintf(sentence, sizeof sentence,
                       "%" PRIu64 " rows have a level, coordinate or revision that no world has",
                       count);
        verify_note_fault(verify, sentence);
    }
    return result == TRN_RESULT_BAD_ARGUMENT ? TRN_RESULT_OK : result;
}

/// Reads everything. @return false if that failed for another reason than damage
static bool verify_read(Verify *verify, Message *problem)
{
    const TrnStorage *storage = &verify->world->file.storage;
    const TrnStorageProgress watch = world_progress(&verify->progress);
    verify->progress = progress_start(stderr, "terrane verify", 0);
    verify->file_bytes = world_file_bytes(verify->world->path);
    TrnResult result = trn_storage_is_url(verify->world->path) // a server checks its own files
                           ? TRN_RESULT_OK
                           : trn_storage_sqlite_check(storage, &watch, verify_note_fault, verify);
    if (result == TRN_RESULT_OK) {
        result = storage->values(storage->user, "terrane/quarantine/", verify_count_value,
                                 &verify->quarantined);
    }
    verify_rows(verify);
    if (!interrupt_came() && result == TRN_RESULT_OK) {
        result = verify_strays(verify);
    }
    progress_end(&verify->progress);
    if (interrupt_came()) {
        return message_set(problem, "Interrupted; not everything was checked.");
    }
    if (result == TRN_RESULT_CORRUPT) {
        verify_note_fault(verify, "a page is damaged");
    } else if (result != TRN_RESULT_OK || verify->result != TRN_RESULT_OK) {
        return message_set(problem, "Cannot check %s: %s", message_short(verify->world->path).text,
                           trn_result_text(result != TRN_RESULT_OK ? result : verify->result));
    }
    return true;
}

static bool verify_is_whole(const Verify *verify)
{
    return !verify->damaged && !verify->faults;
}

static bool verify_print_json(Verify *verify, Message *problem)
{
    cJSON *json = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(json, "file", world_name(verify->world->path).text);
    (void)cJSON_AddBoolToObject(json, "whole", verify_is_whole(verify));
    (void)cJSON_AddNumberToObject(json, "chunks", (double)verify->chunks);
    (void)cJSON_AddNumberToObject(json, "damaged", (double)verify->damaged);
    (void)cJSON_AddItemToObject(json, "damaged_chunks", verify->rows);
    (void)cJSON_AddItemToObject(json, "database", verify->sentences);
    (void)cJSON_AddNumberToObject(json, "quarantine", (double)verify->quarantined);
    verify->rows = verify->sentences = NULL;
    return world_print_json(json, problem);
}

static bool verify_report(Verify *verify, Message *problem)
{
    const char *const path = verify->world->path;
    if (verify->wants_json && !verify_print_json(verify, problem)) {
        return false;
    }
    if (!verify->wants_json) {
        program_print("%s: %" PRIu64 " chunks were read, %" PRIu64 " are damaged.",
                      world_name(path).text, verify->chunks, verify->damaged);
        if (verify->quarantined) {
            program_print("%" PRIu64 " damaged chunks were set aside earlier.",
                          verify->quarantined);
        }
    }
    return verify_is_whole(verify) ||
           message_set(problem,
                       "%s is damaged; 'terrane repair' copies what is whole into a new file.",
                       message_short(path).text);
}

static bool verify_work(OpenWorld *world, void *user, Message *problem)
{
    Verify *verify = user;
    verify->world = world;
    return verify_read(verify, problem) && verify_report(verify, problem);
}

static bool verify_act(void *target, Message *problem)
{
    const WorldWords *words = target;
    Verify *verify = calloc(1, sizeof *verify);
    if (!verify) {
        return message_set(problem, "Out of memory for this world.");
    }
    verify->wants_json = words->wants_json;
    if (words->wants_json) {
        verify->rows = cJSON_CreateArray();
        verify->sentences = cJSON_CreateArray();
    }
    const bool good =
        world_with(words->files[0], TRN_STORAGE_READ_ONLY, NULL, verify_work, verify, problem);
    cJSON_Delete(verify->rows);
    cJSON_Delete(verify->sentences);
    free(verify);
    return good;
}

static const Option VERIFY_ROWS[] = {WORLD_FILE, WORLD_JSON, {0}};

const OptionCommand VERIFY_COMMAND = {
    .name = "verify",
    .summary = "reads and checks everything in a world file",
    .about = "Reads everything in a world file and checks it. Nothing is written.",
    .rows = VERIFY_ROWS,
    .closing =
        "Checks the database, and of each chunk its checksum, its place, its compressed data "
        "and its voxels. The world may be in use.\n"
        "\n"
        "Exit code 1 if anything is damaged, with a list.",
    .bytes = sizeof(WorldWords),
    .act = verify_act,
};
