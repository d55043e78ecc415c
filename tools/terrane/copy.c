#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/generator.h>
#include <terrane/shared.h>

#include "commands.h"
#include "interrupt.h"
#include "program.h"
#include "world.h"
#include "world_words.h"

#define COPY_ROWS_MAX 1024u
#define COPY_BYTES_MAX ((size_t)16 << 20) // of a batch, and at least one row

/// A key and where the bytes of its row begin in the batch.
typedef struct CopyRow {
    TrnStorageRow row;
    size_t at;
    bool is_there; ///< TO has the same row
} CopyRow;

typedef struct Copy {
    TrnStorage from, to;
    CopyRow rows[COPY_ROWS_MAX];
    TrnStorageKey keys[COPY_ROWS_MAX];
    TrnStorageRow missing[COPY_ROWS_MAX];
    unsigned char *bytes;
    size_t byte_count, byte_capacity;
    uint32_t count; ///< of rows
    bool compares;  ///< the second pass: what is missing is counted, not put
    uint64_t read, written, different;
    const TrnStorage *failed; ///< whose call failed; NULL: none
    TrnResult result;
    Progress progress;
} Copy;

static bool copy_check(Copy *copy, const TrnStorage *storage, TrnResult result)
{
    if (result != TRN_RESULT_OK && copy->result == TRN_RESULT_OK) {
        copy->result = result;
        copy->failed = storage;
    }
    return copy->result == TRN_RESULT_OK;
}

// ---- rows --------------------------------------------------------------------------------------

static int copy_order(const void *a, const void *b)
{
    const TrnStorageKey *one = &((const CopyRow *)a)->row.key,
                        *two = &((const CopyRow *)b)->row.key;
    const int64_t ones[] = {one->level, one->coord.x, one->coord.y, one->coord.z};
    const int64_t twos[] = {two->level, two->coord.x, two->coord.y, two->coord.z};
    for (int i = 0; i < 4; i++) {
        if (ones[i] != twos[i]) {
            return ones[i] < twos[i] ? -1 : 1;
        }
    }
    return 0;
}

static bool copy_note_there(void *user, const TrnStorageRow *row)
{
    Copy *copy = user;
    const CopyRow wanted = {.row = *row};
    CopyRow *mine = bsearch(&wanted, copy->rows, copy->count, sizeof wanted, copy_order);
    if (mine) {
        mine->is_there = mine->row.revision == row->revision && mine->row.size == row->size &&
                         memcmp(mine->row.bytes, row->bytes, row->size) == 0;
    }
    return true;
}

/// Compares the rows of a batch with those of TO, and puts those that differ.
static bool copy_finish_batch(Copy *copy)
{
    size_t missing = 0;
    for (uint32_t i = 0; i < copy->count; i++) {
        copy->rows[i].row.bytes = copy->bytes + copy->rows[i].at;
    }
    qsort(copy->rows, copy->count, sizeof copy->rows[0], copy_order);
    for (uint32_t i = 0; i < copy->count; i++) {
        copy->keys[i] = copy->rows[i].row.key;
    }
    TrnResult result = copy->to.get(copy->to.user, copy->keys, copy->count, copy_note_there, copy);
    for (uint32_t i = 0; i < copy->count && result == TRN_RESULT_OK; i++) {
        if (!copy->rows[i].is_there) {
            copy->missing[missing++] = copy->rows[i].row;
        }
    }
    if (result == TRN_RESULT_OK && copy->compares) {
        copy->different += missing;
    } else if (result == TRN_RESULT_OK && missing) {
        const TrnStorageBatch batch = {.rows = copy->missing, .row_count = missing};
        result = copy->to.put(copy->to.user, &batch);
        copy->written += result == TRN_RESULT_OK ? missing : 0;
    }
    copy->count = 0;
    copy->byte_count = 0;
    return copy_check(copy, &copy->to, result);
}

static bool copy_add_row(void *user, const TrnStorageRow *row)
{
    Copy *copy = user;
    if (copy->count == COPY_ROWS_MAX ||
        (copy->count && copy->byte_count + row->size > COPY_BYTES_MAX)) {
        if (!copy_finish_batch(copy)) {
            return false;
        }
    }
    if (copy->byte_count + row->size > copy->byte_capacity) {
        const size_t wanted = 2 * copy->byte_capacity + row->size + 4096;
        unsigned char *larger = realloc(copy->bytes, wanted);
        if (!larger) {
            copy->result = TRN_RESULT_NO_MEMORY;
            return false;
        }
        copy->bytes = larger;
        copy->byte_capacity = wanted;
    }
    memcpy(copy->bytes + copy->byte_count, row->bytes, row->size);
    copy->rows[copy->count++] = (CopyRow){.row = *row, .at = copy->byte_count};
    copy->byte_count += row->size;
    copy->read++;
    progress_step(&copy->progress);
    return !interrupt_came();
}

static bool copy_count_row(void *user, const TrnStorageRow *row)
{
    (void)row;
    ++*(uint64_t *)user;
    return !interrupt_came();
}

/// Lists the rows of all levels. @return false if that failed or was interrupted
static bool copy_list(Copy *copy, const TrnStorage *storage, TrnStorageRowVisitor visit,
                      void *visitor)
{
    return copy_check(copy, storage, world_list_rows(storage, visit, visitor)) && !interrupt_came();
}

/// Goes through the rows of FROM, once to copy and once to compare.
static bool copy_pass(Copy *copy, bool compares)
{
    copy->compares = compares;
    copy->read = copy->count = 0;
    return copy_list(copy, &copy->from, copy_add_row, copy) &&
           (!copy->count || copy_finish_batch(copy));
}

// ---- values ------------------------------------------------------------------------------------

typedef struct CopyTarget {
    bool is_begun, has_others; ///< values of a copy that is not complete, and of a world
} CopyTarget;

/// A value that a copy has from its beginning. It says which world this is.
typedef struct CopyNote {
    const char *name;
    unsigned char bytes[1024]; ///< [size]
    size_t size;
    bool is_found;
} CopyNote;

enum { COPY_FORMAT, COPY_SEED, COPY_VERSION, COPY_TERRAIN, COPY_NOTES };

typedef struct CopyNotes {
    CopyNote items[COPY_NOTES];
} CopyNotes;

static bool copy_note_target(void *user, const TrnStorageValue *value)
{
    CopyTarget *target = user;
    if (strcmp(value->name, WORLD_FILE_COPYING) == 0) {
        target->is_begun = true;
    } else {
        target->has_others = true;
    }
    return true;
}

static bool copy_visit_note(void *user, const TrnStorageValue *value)
{
    CopyNote *note = user;
    if (strcmp(value->name, note->name) == 0 && value->size <= sizeof note->bytes) {
        memcpy(note->bytes, value->bytes, value->size);
        note->size = value->size;
        note->is_found = true;
    }
    return false; // the name itself is the first of those that begin with it
}

/// Reads what says which world this is.
static TrnResult copy_read_notes(const TrnStorage *storage, CopyNotes *notes)
{
    static const char *const names[COPY_NOTES] = {"terrane/format", "game/" WORLD_FILE_SEED,
                                                  "game/" WORLD_FILE_VERSION,
                                                  "game/" WORLD_FILE_TERRAIN};
    TrnResult result = TRN_RESULT_OK;
    memset(notes, 0, sizeof *notes);
    for (int i = 0; i < COPY_NOTES && result == TRN_RESULT_OK; i++) {
        notes->items[i].name = names[i];
        result = storage->values(storage->user, names[i], copy_visit_note, &notes->items[i]);
    }
    return result;
}

/// Begins a copy: the mark and the notes are new together, so that of two programs that begin a
/// world here at the same moment one fails. @return EXISTS: the other was first
static TrnResult copy_begin(const TrnStorage *storage, const CopyNotes *notes)
{
    TrnStorageValue values[COPY_NOTES + 1] = {{WORLD_FILE_COPYING, "1", 1}};
    TrnStorageBatch batch = {.values = values, .value_count = 1};
    for (int i = 0; i < COPY_NOTES; i++) {
        const CopyNote *note = &notes->items[i];
        if (note->is_found) {
            values[batch.value_count++] = (TrnStorageValue){note->name, note->bytes, note->size};
        }
    }
    batch.new_value_count = batch.value_count;
    return storage->put(storage->user, &batch);
}

/// Whether TO was begun as a copy of the world that FROM holds.
static bool copy_is_of(const CopyNotes *to, const CopyNotes *from, const char *path,
                       Message *problem)
{
    for (int i = COPY_SEED; i < COPY_NOTES && to->items[COPY_FORMAT].is_found; i++) {
        const CopyNote *is = &to->items[i], *wanted = &from->items[i];
        if (is->size != wanted->size || memcmp(is->bytes, wanted->bytes, is->size) != 0) {
            const CopyNote *seed = &to->items[COPY_SEED], *other = &from->items[COPY_SEED];
            return message_set(problem,
                               "%s holds a part of a copy of another world, of the seed %.*s, not "
                               "%.*s; choose another name.",
                               message_short(path).text, (int)seed->size, (const char *)seed->bytes,
                               (int)other->size, (const char *)other->bytes);
        }
    }
    return true;
}

/// Marks TO as a copy that is not complete, or goes on with one.
/// @return false if it holds something else
static bool copy_mark(Copy *copy, const char *path, Message *problem)
{
    CopyTarget target = {0};
    CopyNotes from, to;
    uint64_t rows = 0;
    TrnResult result = copy->to.values(copy->to.user, "", copy_note_target, &target);
    if (!copy_check(copy, &copy->from, copy_read_notes(&copy->from, &from)) ||
        !copy_check(copy, &copy->to, result)) {
        return true;
    }
    if (!target.is_begun && !target.has_others &&
        copy_list(copy, &copy->to, copy_count_row, &rows) && rows == 0) {
        result = copy_begin(&copy->to, &from);
        if (result != TRN_RESULT_EXISTS) {
            (void)copy_check(copy, &copy->to, result);
            return true;
        }
        result = copy->to.values(copy->to.user, "", copy_note_target, &target);
    }
    if (copy->result != TRN_RESULT_OK || !copy_check(copy, &copy->to, result) || interrupt_came()) {
        return true;
    }
    if (!target.is_begun) {
        return message_set(problem, "%s holds a world already; choose another name.",
                           message_short(path).text);
    }
    return !copy_check(copy, &copy->to, copy_read_notes(&copy->to, &to)) ||
           copy_is_of(&to, &from, path, problem);
}

typedef struct CopyValues {
    TrnStorageValue *items;
    size_t count, capacity;
    bool has_failed; ///< memory lacked for one of them
} CopyValues;

static bool copy_add_value(void *user, const TrnStorageValue *value)
{
    CopyValues *values = user;
    if (values->count == values->capacity) {
        const size_t wanted = 2 * values->capacity + 16;
        TrnStorageValue *larger = realloc(values->items, wanted * sizeof *larger);
        values->items = larger ? larger : values->items;
        values->capacity = larger ? wanted : values->capacity;
    }
    const size_t name_bytes = strlen(value->name) + 1;
    const bool has_room = values->count < values->capacity;
    char *both = has_room ? malloc(name_bytes + value->size + 1) : NULL;
    values->has_failed = values->has_failed || !both;
    if (both) {
        memcpy(both, value->name, name_bytes);
        memcpy(both + name_bytes, value->bytes, value->size);
        values->items[values->count++] = (TrnStorageValue){both, both + name_bytes, value->size};
    }
    return both != NULL;
}

/// Puts the values of FROM, and with them makes the copy a world.
static bool copy_values(Copy *copy)
{
    CopyValues values = {0};
    if (copy_check(copy, &copy->from,
                   copy->from.values(copy->from.user, "", copy_add_value, &values))) {
        const size_t copied = values.count;
        const TrnStorageValue mark = {WORLD_FILE_COPYING, "", 0};
        (void)copy_add_value(&values, &mark);
        if (values.has_failed) {
            copy->result = TRN_RESULT_NO_MEMORY;
        } else {
            const TrnStorageValue unmark = {values.items[copied].name, NULL, 0};
            const TrnStorageValue kept = values.items[copied];
            values.items[copied] = unmark;
            const TrnStorageBatch batch = {.values = values.items, .value_count = values.count};
            (void)copy_check(copy, &copy->to, copy->to.put(copy->to.user, &batch));
            values.items[copied] = kept;
        }
    }
    for (size_t i = 0; i < values.count; i++) {
        free((void *)values.items[i].name); // allocated with its bytes
    }
    free(values.items);
    return copy->result == TRN_RESULT_OK;
}

// ---- everything --------------------------------------------------------------------------------

/// Copies, compares, and completes the copy.
static bool copy_work(Copy *copy, const WorldWords *words, Message *problem)
{
    uint64_t there = 0, strays = 0;
    if (!world_count_strays(&copy->from, &strays, problem)) {
        return false;
    }
    if (strays) {
        return message_set(problem,
                           "%s has %" PRIu64
                           " rows that cannot be of a world, so a copy would lack "
                           "them; 'terrane repair' copies what is whole into a new file.",
                           message_short(words->files[0]).text, strays);
    }
    if (!copy_mark(copy, words->files[1], problem)) {
        return false;
    }
    copy->progress = progress_start(stderr, "terrane copy", 0);
    const bool is_copied = copy->result == TRN_RESULT_OK && copy_pass(copy, false) &&
                           copy_pass(copy, true) &&
                           copy_list(copy, &copy->to, copy_count_row, &there);
    progress_end(&copy->progress);
    if (is_copied && (copy->different || there != copy->read)) {
        return message_set(problem,
                           "%s changed while it was copied; run the command again when nothing "
                           "writes it, with another new name if that does not help.",
                           message_short(words->files[0]).text);
    }
    if (is_copied && copy_values(copy)) {
        return true;
    }
    if (interrupt_came()) {
        return message_set(problem, "Interrupted; the same command goes on from here.");
    }
    const char *left = "the copy is not complete";
    return copy->failed ? world_fail_storage(copy->failed, copy->result, left, problem)
                        : world_fail(&(TrnStorageProblem){""}, copy->result, left, problem);
}

/// Copies a world that programs open: the copy of another would be refused.
static bool copy_world(OpenWorld *world, void *user, Message *problem)
{
    const WorldWords *words = user;
    Copy *copy = calloc(1, sizeof *copy);
    TrnStorageProblem why = {""};
    if (!copy) {
        return message_set(problem, "Out of memory for this world.");
    }
    copy->from = world->file.storage;
    const TrnResult result =
        trn_storage_open_any(words->files[1], TRN_STORAGE_EITHER, &copy->to, &why);
    const bool good = result == TRN_RESULT_OK
                          ? copy_work(copy, words, problem)
                          : world_fail(&why, result, "nothing was written", problem);
    if (good) {
        program_print("%s: %" PRIu64 " chunks, of which %" PRIu64 " were written now",
                      words->files[1], copy->read, copy->written);
    }
    if (result == TRN_RESULT_OK) {
        copy->to.close(copy->to.user);
    }
    free(copy->bytes);
    free(copy);
    return good;
}

static bool copy_act(void *target, Message *problem)
{
    WorldWords *words = target;
    return world_with(words->files[0], TRN_STORAGE_READ_ONLY, NULL, copy_world, words, problem);
}

static const Option COPY_ROWS[] = {
    {.name = "FROM", .kind = OPTION_WORD, WORLD_AT(files[0]), .takes = "a world file"},
    {.name = "TO", .kind = OPTION_WORD, WORLD_AT(files[1]), .takes = "the new file too"},
    {0}};

const OptionCommand COPY_COMMAND = {
    .name = "copy",
    .summary = "copies a world between files and databases",
    .about = "Copies a world between files and databases, and compares the copy.",
    .rows = COPY_ROWS,
    .closing =
        "FROM and TO are world files, or databases of PostgreSQL: "
        "postgresql://user@host/database. A world on several servers is the URLs of all, in their "
        "order, with spaces between, as one word: this moves it from one to several and back. "
        "TO must hold no world. A copy that was interrupted "
        "or killed goes on when the same command runs again; until it is complete, no "
        "program opens it. FROM should not be written meanwhile; of a file that is in use, "
        "copy a backup.",
    .bytes = sizeof(WorldWords),
    .act = copy_act,
};
