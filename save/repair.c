// Repair: finds rows and values in the bytes of a broken database. A row says how long it is and
// has a checksum, so it is looked for at every place; a value has neither, so it counts only where
// its record is in order.

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/block_types.h>
#include <terrane/repair.h>

#include "carve.h"
#include "save_impl.h"

#define REPAIR_BATCH_BYTES ((size_t)4 << 20)
#define REPAIR_VALUES_BYTES ((size_t)256 << 20) // of all values that are found
#define REPAIR_WAITING 256                      // values of a transaction
#define REPAIR_ROW_MAX (TRN_ROW_HEADER_BYTES + TRN_ROW_CONTENT_MAX * 2)
#define REPAIR_GUESSES 4096 // rows whose record is broken and whose cell is guessed
#define REPAIR_RECORD_MIN 7 // bytes of a record before its row
#define REPAIR_RECORD_MAX 60

/// How much a copy of a value is worth.
typedef enum RepairRank {
    REPAIR_NONE,
    REPAIR_OLD,     ///< of an old log
    REPAIR_STRAY,   ///< on a page that is out of order
    REPAIR_IN_ORDER ///< of a cell
} RepairRank;

/// A value that was found: its name and its bytes lie in Repair.bytes.
typedef struct RepairValue {
    size_t at;
    uint32_t name_bytes, size, place; ///< place: later ones are newer
    RepairRank rank;
} RepairValue;

TRN_ARRAY_DECLARE(RepairValues, RepairValue);

typedef struct Repair {
    TrnAllocator allocator;
    TrnCarve *carve;
    TrnStorage to;
    TrnRowCoder *coder;
    TrnRepairReport report;
    TrnCoordMap revisions[TRN_SAVE_LEVELS]; ///< by chunk: of the row that is kept
    TrnSaveRows rows;                       ///< of the next batch
    TrnSaveBytes row_bytes;                 ///< of these rows
    RepairValues values;
    TrnSaveBytes bytes; ///< of the values
    uint64_t revision;  ///< the highest
    uint32_t id_max;    ///< the highest block id of the world in a row
    uint32_t guesses;
    TrnResult result;
    TrnStorageValue waiting[REPAIR_WAITING]; ///< values to be written together
    char waiting_names[REPAIR_WAITING][TRN_STORAGE_NAME_MAX + 1];
    char lost[REPAIR_WAITING][TRN_SAVE_ID_NAME_BYTES]; ///< names of blocks among them
    uint32_t waiting_count;
    uint16_t names[TRN_BLOCK_TYPES_MAX];             ///< which ids have a name; 0: none
    _Atomic(uint32_t) identity[TRN_BLOCK_TYPES_MAX]; ///< every id is its own block
    TrnBlock blocks[TRN_CHUNK_VOXELS];
    unsigned char page[65536];
    TrnSaveBytes row; ///< one that lies on several pages
    bool has_data;    ///< a row has block data
} Repair;

/// Where on a page something was found.
typedef struct RepairPlace {
    uint64_t index; ///< of the page
    TrnCarveHome home;
    uint32_t usable;
} RepairPlace;

// ---- records -----------------------------------------------------------------------------------

/// Reads a number as SQLite stores them. @return its bytes; 0 if it reaches behind the end
static uint32_t repair_varint(const unsigned char *from, uint32_t size, uint64_t *number)
{
    *number = 0;
    for (uint32_t i = 0; i < size && i < 9; i++) {
        if (i == 8) {
            *number = *number << 8 | from[i];
            return 9;
        }
        *number = *number << 7 | (from[i] & 0x7F);
        if (from[i] < 0x80) {
            return i + 1;
        }
    }
    return 0;
}

/// Returns the bytes of an integer column by its serial type; UINT32_MAX: it is none.
static uint32_t repair_integer_bytes(uint64_t type)
{
    static const uint32_t bytes[10] = {UINT32_MAX, 1, 2, 3, 4, 6, 8, UINT32_MAX, 0, 0};
    return type < 10 ? bytes[type] : UINT32_MAX;
}

/// Whether a record of table `chunks` begins here, with its row of a size after `before` bytes.
static bool repair_is_row_record(const unsigned char *record, uint32_t before, size_t row_size)
{
    uint64_t header, type;
    uint32_t at = repair_varint(record, before, &header), sum = 0;
    for (int column = 0; at && column < 5; column++) {
        const uint32_t bytes = repair_varint(record + at, before - at, &type);
        const uint32_t value = repair_integer_bytes(type);
        if (!bytes || value == UINT32_MAX) {
            return false;
        }
        at += bytes;
        sum += value;
    }
    const uint32_t last = at ? repair_varint(record + at, before - at, &type) : 0;
    return last && at + last == header && header + sum == before && type == 12 + 2 * row_size;
}

// ---- rows --------------------------------------------------------------------------------------

static TrnResult repair_put_rows(Repair *repair)
{
    size_t at = 0;
    for (uint32_t i = 0; i < repair->rows.count; i++) { // their memory no longer moves
        repair->rows.items[i].bytes = repair->row_bytes.items + at;
        at += repair->rows.items[i].size;
    }
    const TrnStorageBatch batch = {.rows = repair->rows.items, .row_count = repair->rows.count};
    const TrnResult result =
        batch.row_count > 0 ? repair->to.put(repair->to.user, &batch) : TRN_RESULT_OK;
    repair->rows.count = repair->row_bytes.count = 0;
    return result;
}

static TrnResult repair_add_row(Repair *repair, const TrnStorageRow *row)
{
    const size_t bytes = repair->row_bytes.count + row->size;
    TrnResult result = trn_array_reserve(&repair->row_bytes, &repair->allocator, bytes);
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&repair->rows, &repair->allocator, *row);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    memcpy(repair->row_bytes.items + repair->row_bytes.count, row->bytes, row->size);
    repair->row_bytes.count = (uint32_t)bytes;
    return bytes > REPAIR_BATCH_BYTES ? repair_put_rows(repair) : TRN_RESULT_OK;
}

/// Keeps a row unless there is a newer one of its chunk.
static TrnResult repair_keep_row(Repair *repair, const TrnStorageRow *row)
{
    TrnCoordMap *map = &repair->revisions[row->key.level];
    TrnCoordEntry *entry = trn_coord_map_find(map, row->key.coord);
    repair->report.older += entry != NULL;
    if (entry && entry->number >= row->revision) {
        return TRN_RESULT_OK;
    }
    if (!entry) {
        const TrnResult result = trn_coord_map_reserve(map, &repair->allocator, 1);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        entry = trn_coord_map_add(map, row->key.coord);
        repair->report.chunks++;
    }
    entry->number = row->revision;
    repair->revision = row->revision > repair->revision ? row->revision : repair->revision;
    return repair_add_row(repair, row);
}

static void repair_note_ids(Repair *repair, bool is_uniform)
{
    uint32_t most = repair->id_max;
    for (uint32_t i = 0; i < (is_uniform ? 1u : TRN_CHUNK_VOXELS); i++) {
        most = repair->blocks[i] > most ? repair->blocks[i] : most;
    }
    repair->id_max = most;
}

/// Takes bytes that may be a row. @return whether they are one
static bool repair_take_row(Repair *repair, const unsigned char *bytes, size_t size)
{
    TrnRowHeader header;
    TrnRowFault fault = trn_row_check(bytes, size, NULL, &header);
    if (fault != TRN_ROW_FAULT_NONE || header.key.level >= TRN_SAVE_LEVELS ||
        header.revision >= TRN_SAVE_REVISION_MAX) {
        return false;
    }
    bool is_uniform = false;
    const TrnStorageRow row = {header.key, header.revision, bytes, size};
    TrnResult result =
        trn_row_decode(repair->coder, &row, repair->identity, repair->blocks, &is_uniform, &fault);
    if (result == TRN_RESULT_OK) {
        repair_note_ids(repair, is_uniform);
        repair->has_data = repair->has_data || header.format == TRN_ROW_FORMAT;
        result = repair_keep_row(repair, &row);
    }
    if (result != TRN_RESULT_OK && fault == TRN_ROW_FAULT_NONE) {
        repair->result = result;
    }
    return fault == TRN_ROW_FAULT_NONE;
}

/// Takes a row that begins on the page and goes on on other pages.
/// @param before  bytes of its record before it
static bool repair_take_long_row(Repair *repair, const RepairPlace *place, uint32_t at,
                                 uint32_t before, size_t size)
{
    const uint32_t local = trn_carve_local(repair->carve, before + size, false);
    const uint32_t part = local > before ? local - before : 0;
    if (part < TRN_ROW_HEADER_BYTES || part >= size || at + part + 4 > place->usable) {
        return false;
    }
    const unsigned char *const from = repair->page + at, *const next = from + part;
    const uint32_t page =
        (uint32_t)next[0] << 24 | (uint32_t)next[1] << 16 | (uint32_t)next[2] << 8 | next[3];
    if (trn_array_reserve(&repair->row, &repair->allocator, size) != TRN_RESULT_OK) {
        repair->result = TRN_RESULT_NO_MEMORY;
        return false;
    }
    unsigned char *const row = repair->row.items;
    for (int in_log = place->home != TRN_CARVE_DATABASE; in_log >= 0; in_log--) {
        memcpy(row, from, part);
        if (trn_carve_follow(repair->carve, page, in_log, row + part, size - part) &&
            repair_take_row(repair, row, size)) {
            return true;
        }
    }
    return false;
}

/// Takes a row that may begin at a place of the page.
static bool repair_find_row(Repair *repair, const RepairPlace *place, uint32_t at)
{
    const unsigned char *from = repair->page + at;
    const size_t size = TRN_ROW_HEADER_BYTES + (size_t)trn_number_read(from + 40, 4);
    const uint64_t file_bytes =
        trn_carve_count(repair->carve) * trn_carve_page_bytes(repair->carve);
    if (size > REPAIR_ROW_MAX || size > file_bytes) {
        return false;
    }
    if (at + size <= place->usable && repair_take_row(repair, from, size)) {
        return true;
    }
    for (uint32_t before = REPAIR_RECORD_MIN; before <= REPAIR_RECORD_MAX && before <= at;
         before++) {
        if (repair_is_row_record(from - before, before, size)) {
            return repair_take_long_row(repair, place, at, before, size);
        }
    }
    // What stands before it is broken. The number of such tries is limited, for files that are
    // made to take long.
    for (uint32_t before = REPAIR_RECORD_MIN;
         before <= REPAIR_RECORD_MAX && repair->guesses < REPAIR_GUESSES; before++) {
        repair->guesses += before == REPAIR_RECORD_MAX;
        if (repair_take_long_row(repair, place, at, before, size)) {
            return true;
        }
    }
    return false;
}

static void repair_find_rows(Repair *repair, const RepairPlace *place)
{
    const uint32_t end = place->usable - TRN_ROW_HEADER_BYTES;
    unsigned char magic[4];
    trn_number_write(magic, TRN_ROW_MAGIC, sizeof magic);
    const unsigned char *at = repair->page;
    while (repair->result == TRN_RESULT_OK &&
           (at = memchr(at, magic[0], end - (size_t)(at - repair->page))) != NULL) {
        if (memcmp(at, magic, sizeof magic) == 0) {
            repair->report.broken += !repair_find_row(repair, place, (uint32_t)(at - repair->page));
        }
        at++;
    }
}

// ---- values ------------------------------------------------------------------------------------

/// A record of table `world`: a name and a value.
typedef struct RepairRecord {
    uint32_t begin, name_at; ///< places on the page
    uint64_t name_bytes, size;
} RepairRecord;

/// Reads the header of the record whose name begins at a place.
static bool repair_read_record(const Repair *repair, uint32_t name_at, RepairRecord *record)
{
    const unsigned char *const page = repair->page;
    for (uint32_t header = 3; header <= 12 && header <= name_at; header++) {
        uint64_t text = 0, blob = 0;
        const uint32_t begin = name_at - header;
        const uint32_t first =
            page[begin] == header ? repair_varint(page + begin + 1, header - 1, &text) : 0;
        const uint32_t second =
            first ? repair_varint(page + begin + 1 + first, header - 1 - first, &blob) : 0;
        if (second && 1 + first + second == header && text >= 13 && text % 2 == 1 && blob >= 12 &&
            blob % 2 == 0) {
            *record = (RepairRecord){begin, name_at, (text - 13) / 2, (blob - 12) / 2};
            return record->name_bytes <= TRN_STORAGE_NAME_MAX &&
                   record->size <= REPAIR_VALUES_BYTES;
        }
    }
    return false;
}

/// How the page's cells refer to a record. @return NONE if the page is in order and has no such
/// cell: it was removed
static RepairRank repair_rank(const Repair *repair, const RepairPlace *place, uint32_t begin)
{
    const unsigned char *const page = repair->page;
    const bool is_interior = page[0] == 2;
    if (place->home == TRN_CARVE_OLD_LOG) {
        return REPAIR_OLD;
    }
    const uint32_t count = (uint32_t)page[3] << 8 | page[4], array = is_interior ? 12 : 8;
    if ((!is_interior && page[0] != 10) || array + count * 2 > place->usable) {
        return REPAIR_STRAY;
    }
    RepairRank rank = REPAIR_NONE;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *const pointer = page + array + (size_t)i * 2;
        const uint32_t cell = ((uint32_t)pointer[0] << 8 | pointer[1]) + (is_interior ? 4 : 0);
        if (cell < array + count * 2 || cell >= place->usable) {
            return REPAIR_STRAY;
        }
        uint64_t payload;
        const uint32_t bytes = repair_varint(page + cell, place->usable - cell, &payload);
        rank = bytes && cell + bytes == begin ? REPAIR_IN_ORDER : rank;
    }
    return rank;
}

static bool repair_name_is_valid(const unsigned char *name, size_t size)
{
    const size_t skipped = sizeof TRN_SAVE_QUARANTINE_PREFIX - 1;
    for (size_t i = 0; i < size; i++) {
        if (name[i] < ' ' || name[i] == 0x7F) {
            return false;
        }
    }
    return size < skipped || memcmp(name, TRN_SAVE_QUARANTINE_PREFIX, skipped) != 0;
}

/// Copies a record's name and value to the end of the bytes.
static bool repair_copy_record(Repair *repair, const RepairPlace *place, const RepairRecord *record)
{
    const uint64_t before = record->name_at - record->begin;
    const size_t whole = (size_t)(record->name_bytes + record->size);
    const uint32_t local = trn_carve_local(repair->carve, before + whole, true);
    const size_t part = (size_t)(local - before);
    unsigned char *to = repair->bytes.items + repair->bytes.count;
    if (local < before + record->name_bytes ||
        record->name_at + part + (part < whole ? 4 : 0) > place->usable) {
        return false;
    }
    const unsigned char *const from = repair->page + record->name_at, *const next = from + part;
    memcpy(to, from, part);
    if (part == whole) {
        return true;
    }
    const uint32_t page =
        (uint32_t)next[0] << 24 | (uint32_t)next[1] << 16 | (uint32_t)next[2] << 8 | next[3];
    return trn_carve_follow(repair->carve, page, place->home != TRN_CARVE_DATABASE, to + part,
                            whole - part);
}

/// Notes a value whose name may begin at a place of the page.
static void repair_find_value(Repair *repair, const RepairPlace *place, uint32_t at)
{
    RepairRecord record;
    if (!repair_read_record(repair, at, &record) || at + record.name_bytes > place->usable ||
        !repair_name_is_valid(repair->page + at, (size_t)record.name_bytes)) {
        return;
    }
    const RepairRank rank = repair_rank(repair, place, record.begin);
    const size_t bytes = repair->bytes.count + (size_t)(record.name_bytes + record.size);
    const uint64_t file_bytes =
        trn_carve_count(repair->carve) * trn_carve_page_bytes(repair->carve);
    if (rank == REPAIR_NONE || bytes > REPAIR_VALUES_BYTES || record.size > file_bytes) {
        return;
    }
    repair->result = trn_array_reserve(&repair->bytes, &repair->allocator, bytes);
    if (repair->result == TRN_RESULT_OK && repair_copy_record(repair, place, &record)) {
        const RepairValue value = {repair->bytes.count, (uint32_t)record.name_bytes,
                                   (uint32_t)record.size, repair->values.count, rank};
        repair->result = trn_array_push(&repair->values, &repair->allocator, value);
        repair->bytes.count = (uint32_t)bytes;
    }
}

static void repair_find_values(Repair *repair, const RepairPlace *place)
{
    static const char *const prefixes[] = {"terrane/", TRN_SAVE_GAME_PREFIX};
    const unsigned char *const end = repair->page + place->usable, *slash = repair->page;
    while (repair->result == TRN_RESULT_OK &&
           (slash = memchr(slash, '/', (size_t)(end - slash))) != NULL) {
        slash++;
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
            const size_t length = strlen(prefixes[i]), before = (size_t)(slash - repair->page);
            if (before >= length && memcmp(slash - length, prefixes[i], length) == 0) {
                repair_find_value(repair, place, (uint32_t)(before - length));
            }
        }
    }
}

// ---- the values of the new file ----------------------------------------------------------------

/// A found value while they are sorted.
typedef struct RepairEntry {
    const unsigned char *bytes;
    const RepairValue *value;
} RepairEntry;

/// By name; the best of one name first.
static int repair_compare(const void *left, const void *right)
{
    const RepairEntry *a = left, *b = right;
    const uint32_t shorter =
        a->value->name_bytes < b->value->name_bytes ? a->value->name_bytes : b->value->name_bytes;
    const int order = memcmp(a->bytes, b->bytes, shorter);
    if (order || a->value->name_bytes != b->value->name_bytes) {
        return order ? order : a->value->name_bytes < b->value->name_bytes ? -1 : 1;
    }
    if (a->value->rank != b->value->rank) {
        return a->value->rank > b->value->rank ? -1 : 1;
    }
    return a->value->place > b->value->place ? -1 : a->value->place < b->value->place;
}

/// Whether a block's name may be kept: it is valid, and of no other id.
static bool repair_take_name(Repair *repair, TrnBlockTypes *types, const char *name,
                             const unsigned char *text, size_t size)
{
    char block[TRN_BLOCK_NAME_MAX + 1];
    const uint32_t id = trn_save_ids_parse(name);
    if (!id || size > TRN_BLOCK_NAME_MAX || memchr(text, 0, size)) {
        return false;
    }
    memcpy(block, text, size);
    block[size] = '\0';
    if (trn_block_types_add_unknown(types, block, NULL) != TRN_RESULT_OK) {
        return false;
    }
    repair->names[id] = 1;
    return true;
}

/// Writes the values that wait.
static TrnResult repair_put_waiting(Repair *repair)
{
    const TrnStorageBatch batch = {.values = repair->waiting, .value_count = repair->waiting_count};
    repair->report.values += repair->waiting_count;
    repair->waiting_count = 0;
    return repair->to.put(repair->to.user, &batch);
}

/// Writes a value with others. @param bytes  must last until they are written
static TrnResult repair_put_value(Repair *repair, const char *name, const void *bytes, size_t size)
{
    char *const copy = repair->waiting_names[repair->waiting_count];
    (void)snprintf(copy, sizeof repair->waiting_names[0], "%s", name);
    repair->waiting[repair->waiting_count++] = (TrnStorageValue){copy, bytes, size};
    return repair->waiting_count == REPAIR_WAITING ? repair_put_waiting(repair) : TRN_RESULT_OK;
}

/// Writes a value that was found, unless the repair makes it itself.
static TrnResult repair_put_entry(Repair *repair, TrnBlockTypes *types, const RepairEntry *entry)
{
    char name[TRN_STORAGE_NAME_MAX + 1];
    const unsigned char *const text = entry->bytes + entry->value->name_bytes;
    memcpy(name, entry->bytes, entry->value->name_bytes);
    name[entry->value->name_bytes] = '\0';
    if (strcmp(name, TRN_SAVE_REVISION_NAME) == 0 && entry->value->size == 8) {
        const uint64_t revision = trn_number_read(text, 8);
        if (revision > repair->revision && revision < TRN_SAVE_REVISION_MAX) {
            repair->revision = revision;
        }
        return TRN_RESULT_OK;
    }
    if (strcmp(name, TRN_SAVE_FORMAT_NAME) == 0 || strcmp(name, TRN_SAVE_REVISION_NAME) == 0 ||
        strcmp(name, TRN_SAVE_FOLDED_NAME) == 0) { // rows of levels may be lost: fold all again
        return TRN_RESULT_OK;
    }
    if (strncmp(name, TRN_SAVE_ID_PREFIX, sizeof TRN_SAVE_ID_PREFIX - 1) == 0 &&
        !repair_take_name(repair, types, name, text, entry->value->size)) {
        return TRN_RESULT_OK;
    }
    return repair_put_value(repair, name, text, entry->value->size);
}

/// Gives every id of a row a name.
static TrnResult repair_put_lost_names(Repair *repair)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t id = 1; id <= repair->id_max && result == TRN_RESULT_OK; id++) {
        if (!repair->names[id]) {
            char name[TRN_SAVE_ID_NAME_BYTES];
            char *const block = repair->lost[repair->waiting_count];
            (void)snprintf(name, sizeof name, TRN_SAVE_ID_PREFIX "%05u", (unsigned)id);
            (void)snprintf(block, sizeof repair->lost[0], "lost:%05u", (unsigned)id);
            result = repair_put_value(repair, name, block, strlen(block));
            repair->report.lost_names++;
        }
    }
    return result;
}

static TrnResult repair_put_own_values(Repair *repair)
{
    unsigned char format[4], revision[8];
    trn_number_write(format, repair->has_data ? TRN_SAVE_FORMAT : TRN_SAVE_FORMAT_PLAIN,
                     sizeof format);
    trn_number_write(revision, repair->revision, sizeof revision);
    TrnResult result = repair_put_value(repair, TRN_SAVE_FORMAT_NAME, format, sizeof format);
    if (result == TRN_RESULT_OK) {
        result = repair_put_value(repair, TRN_SAVE_REVISION_NAME, revision, sizeof revision);
    }
    return result == TRN_RESULT_OK ? repair_put_waiting(repair) : result;
}

/// Writes the best copy of each value.
static TrnResult repair_put_values(Repair *repair, TrnBlockTypes *types, RepairEntry *entries)
{
    const uint32_t count = repair->values.count;
    for (uint32_t i = 0; i < count; i++) {
        const RepairValue *value = &repair->values.items[i];
        entries[i] = (RepairEntry){repair->bytes.items + value->at, value};
    }
    qsort(entries, count, sizeof *entries, repair_compare);
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        const RepairEntry *before = i ? &entries[i - 1] : NULL, *entry = &entries[i];
        const bool is_copy = before && before->value->name_bytes == entry->value->name_bytes &&
                             memcmp(before->bytes, entry->bytes, entry->value->name_bytes) == 0;
        result = is_copy ? TRN_RESULT_OK : repair_put_entry(repair, types, entry);
    }
    result = result == TRN_RESULT_OK ? repair_put_lost_names(repair) : result;
    return result == TRN_RESULT_OK ? repair_put_own_values(repair) : result;
}

static TrnResult repair_finish(Repair *repair)
{
    if (!repair->report.chunks && !repair->values.count) {
        return TRN_RESULT_CORRUPT;
    }
    TrnBlockTypes *types;
    TrnResult result = trn_block_types_create(&repair->allocator, &types);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const size_t bytes = (repair->values.count + (size_t)1) * sizeof(RepairEntry);
    RepairEntry *entries = trn_take(&repair->allocator, bytes, TRN_CACHE_LINE);
    result = entries ? repair_put_rows(repair) : TRN_RESULT_NO_MEMORY;
    result = result == TRN_RESULT_OK ? repair_put_values(repair, types, entries) : result;
    trn_give(&repair->allocator, entries, bytes);
    trn_block_types_destroy(types);
    return result;
}

// ---- the whole ---------------------------------------------------------------------------------

static TrnResult repair_scan(Repair *repair, const TrnStorageProgress *progress)
{
    const uint64_t count = trn_carve_count(repair->carve);
    for (uint64_t i = 0; i < count && repair->result == TRN_RESULT_OK; i++) {
        RepairPlace place = {.index = i, .usable = trn_carve_usable(repair->carve)};
        repair->report.unreadable += !trn_carve_read(repair->carve, i, repair->page, &place.home);
        repair_find_rows(repair, &place);
        repair_find_values(repair, &place);
        if (progress && !progress->step(progress->user, i + 1, count)) {
            return TRN_RESULT_IO;
        }
    }
    return repair->result;
}

/// Fills the file `part`. The new storage is closed on return.
static TrnResult repair_into(Repair *repair, const char *part, const TrnStorageProgress *progress,
                             TrnStorageProblem *problem)
{
    TrnResult result = trn_storage_sqlite(part, TRN_STORAGE_CREATE, &repair->to, problem);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    repair->coder = trn_row_coder_create(&repair->allocator, 1);
    result = repair->coder ? repair_scan(repair, progress) : TRN_RESULT_NO_MEMORY;
    result = result == TRN_RESULT_OK ? repair_finish(repair) : result;
    if (result != TRN_RESULT_OK && problem && repair->to.problem) {
        repair->to.problem(repair->to.user, problem->sentence, sizeof problem->sentence);
    }
    trn_row_coder_destroy(repair->coder);
    repair->to.close(repair->to.user);
    return result;
}

static Repair *repair_new(void)
{
    const TrnAllocator allocator = trn_allocator_default();
    Repair *repair = trn_take(&allocator, sizeof *repair, TRN_CACHE_LINE);
    if (repair) {
        memset(repair, 0, sizeof *repair);
        repair->allocator = allocator;
        for (uint32_t i = 0; i < TRN_BLOCK_TYPES_MAX; i++) {
            atomic_init(&repair->identity[i], i);
        }
    }
    return repair;
}

static void repair_free(Repair *repair)
{
    const TrnAllocator allocator = repair->allocator;
    trn_carve_close(repair->carve);
    for (uint32_t level = 0; level < TRN_SAVE_LEVELS; level++) {
        trn_coord_map_free(&repair->revisions[level], &allocator);
    }
    trn_array_free(&repair->rows, &allocator);
    trn_array_free(&repair->row_bytes, &allocator);
    trn_array_free(&repair->values, &allocator);
    trn_array_free(&repair->bytes, &allocator);
    trn_array_free(&repair->row, &allocator);
    trn_give(&allocator, repair, sizeof *repair);
}

static void repair_tell(TrnStorageProblem *problem, const char *path, const char *sentence)
{
    if (problem && !*problem->sentence) {
        (void)snprintf(problem->sentence, sizeof problem->sentence, "%s: %s", path, sentence);
    }
}

TrnResult trn_repair_sqlite(const char *path, const char *to, const TrnStorageProgress *progress,
                            TrnRepairReport *report, TrnStorageProblem *problem)
{
    if (!path || !*path || !to || !*to) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnStorageProblem why = {""};
    Repair *repair = repair_new();
    if (!repair) {
        repair_tell(problem, path, "there is not enough memory.");
        return TRN_RESULT_NO_MEMORY;
    }
    TrnStoragePart *part = NULL;
    TrnResult result = trn_storage_sqlite_is_in_use(path)
                           ? TRN_RESULT_BUSY
                           : trn_carve_open(path, &repair->allocator, &repair->carve);
    result = result == TRN_RESULT_OK ? trn_storage_part_begin(to, &part, &why) : result;
    if (result == TRN_RESULT_OK) {
        result = repair_into(repair, trn_storage_part_path(part), progress, &why);
        result = trn_storage_part_end(part, result, &why);
    }
    if (result == TRN_RESULT_OK && report) {
        *report = repair->report;
    }
    if (result != TRN_RESULT_OK && problem) {
        *problem = why;
        repair_tell(problem, path,
                    result == TRN_RESULT_NOT_FOUND ? "there is no such file."
                    : result == TRN_RESULT_CORRUPT ? "nothing of a world was found in it."
                    : result == TRN_RESULT_BUSY
                        ? "another program has it open; close that first."
                        : "it cannot be read, or is no regular file; name the file of a world.");
    }
    repair_free(repair);
    return result;
}
