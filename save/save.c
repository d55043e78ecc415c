// The save: creation, destruction, values and statistics.

#include "save_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

#define SAVE_COMMIT_SECONDS 1.0
#define SAVE_SECONDS 5.0
#define SAVE_QUEUE_BYTES ((size_t)64 << 20)
#define SAVE_NAME_MAX 200

TrnSaveDef trn_save_def(void)
{
    return (TrnSaveDef){.commit_seconds = SAVE_COMMIT_SECONDS,
                        .save_seconds = SAVE_SECONDS,
                        .queue_bytes = SAVE_QUEUE_BYTES,
                        .zstd_level = 1,
                        .has_thread = true};
}

const TrnStorage *trn_save_storage(const TrnSave *save)
{
    return &save->def.storage;
}

// ---- values ------------------------------------------------------------------------------------

TrnResult trn_save_put_value(TrnSave *save, const TrnStorageValue *value)
{
    trn_mutex_lock(&save->mutex);
    const TrnResult result = trn_save_queue_put_value(&save->queue, value, trn_clock_us());
    trn_save_writer_wake(save);
    trn_mutex_unlock(&save->mutex);
    return result;
}

/// A value that is read: the first bytes are copied.
typedef struct SaveRead {
    const char *name;
    void *bytes; ///< [capacity]
    size_t capacity, size;
    bool is_found;
} SaveRead;

static void save_copy_value(SaveRead *read, const void *bytes, size_t size)
{
    const size_t part = size < read->capacity ? size : read->capacity;
    if (part) {
        memcpy(read->bytes, bytes, part);
    }
    read->size = size;
    read->is_found = true;
}

static bool save_visit_value(void *user, const TrnStorageValue *value)
{
    SaveRead *read = user;
    if (strcmp(value->name, read->name) == 0) {
        save_copy_value(read, value->bytes, value->size);
    }
    return false; // the name itself is the first of those that begin with it
}

/// Reads a value from the queue or the storage. Errors: NOT_FOUND, and what the storage returns.
static TrnResult save_read_value(TrnSave *save, SaveRead *read)
{
    const TrnStorage *storage = &save->def.storage;
    trn_mutex_lock(&save->mutex);
    const TrnSaveItem *item = trn_save_queue_find_value(&save->queue, read->name);
    const bool is_removed = item && item->is_removal, is_queued = item != NULL;
    if (item && !is_removed) {
        save_copy_value(read, item->value, item->value_bytes);
    }
    trn_mutex_unlock(&save->mutex);
    if (!is_queued) {
        const TrnResult result = storage->values(storage->user, read->name, save_visit_value, read);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    return read->is_found ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND;
}

/// Puts the prefix of the game's values before a name. @return false if the name is invalid
static bool save_game_name(const char *name, char whole[TRN_STORAGE_NAME_MAX + 1])
{
    const size_t length = name ? strlen(name) : 0;
    if (length == 0 || length > SAVE_NAME_MAX) {
        return false;
    }
    (void)snprintf(whole, TRN_STORAGE_NAME_MAX + 1, TRN_SAVE_GAME_PREFIX "%s", name);
    return true;
}

TrnResult trn_save_set_value(TrnSave *save, const char *name, const void *bytes, size_t size)
{
    char whole[TRN_STORAGE_NAME_MAX + 1];
    if (!save || !save_game_name(name, whole)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnStorageValue value = {whole, bytes, size};
    return trn_save_put_value(save, &value);
}

TrnResult trn_save_get_value(TrnSave *save, const char *name, void *bytes, size_t capacity,
                             size_t *size)
{
    char whole[TRN_STORAGE_NAME_MAX + 1];
    if (!save || (!bytes && capacity) || !save_game_name(name, whole)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    SaveRead read = {.name = whole, .bytes = bytes, .capacity = capacity};
    const TrnResult result = save_read_value(save, &read);
    if (result == TRN_RESULT_OK && size) {
        *size = read.size;
    }
    return result;
}

// ---- land --------------------------------------------------------------------------------------

static void save_tell(TrnStorageProblem *problem, const char *sentence)
{
    if (problem) {
        (void)snprintf(problem->sentence, sizeof problem->sentence, "%s", sentence);
    }
}

/// Compares a land with the world's. @param is_same  receives false if there is none yet, too
static TrnResult save_compare_land(TrnSave *save, const char *land, bool *is_same, bool *is_other)
{
    const size_t bytes = strlen(land);
    char *stored = trn_take(&save->allocator, bytes + 1, 1);
    if (!stored) {
        return TRN_RESULT_NO_MEMORY;
    }
    SaveRead read = {.name = TRN_SAVE_LAND_NAME, .bytes = stored, .capacity = bytes};
    const TrnResult result = save_read_value(save, &read);
    *is_same = read.is_found && read.size == bytes && memcmp(stored, land, bytes) == 0;
    *is_other = read.is_found && !*is_same;
    trn_give(&save->allocator, stored, bytes + 1);
    return result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_OK : result;
}

TrnResult trn_save_bind_land(TrnSave *save, const char *land, TrnStorageProblem *problem)
{
    bool is_same, is_other;
    if (!save || !land) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult result = save_compare_land(save, land, &is_same, &is_other);
    SaveRead bound = {.name = TRN_SAVE_BOUND_NAME};
    const TrnResult found = result == TRN_RESULT_OK ? save_read_value(save, &bound) : result;
    if (found != TRN_RESULT_OK && found != TRN_RESULT_NOT_FOUND) {
        trn_save_describe(&save->def.storage, found, problem);
        return found;
    }
    if (is_other && bound.is_found) {
        save_tell(problem, "This world keeps only its changed chunks, and its other land was "
                           "generated with other settings; open it with those.");
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnStorageValue value = {TRN_SAVE_LAND_NAME, land, strlen(land)};
    result = is_same ? TRN_RESULT_OK : trn_save_put_value(save, &value);
    if (result == TRN_RESULT_OK && save->def.what == TRN_SAVE_CHANGED && !bound.is_found) {
        const TrnStorageValue flag = {TRN_SAVE_BOUND_NAME, "1", 1};
        result = trn_save_put_value(save, &flag);
    }
    return result;
}

// ---- creation ----------------------------------------------------------------------------------

/// Reads a number of the world. @return NOT_FOUND, CORRUPT, or what the storage returns
static TrnResult save_read_number(TrnSave *save, const char *name, size_t size, uint64_t *number)
{
    unsigned char bytes[8];
    SaveRead read = {.name = name, .bytes = bytes, .capacity = sizeof bytes};
    const TrnResult result = save_read_value(save, &read);
    if (result == TRN_RESULT_OK) {
        *number = read.size == size ? trn_number_read(bytes, size) : 0;
    }
    return result == TRN_RESULT_OK && read.size != size ? TRN_RESULT_CORRUPT : result;
}

static bool save_note_any(void *user, const TrnStorageValue *value)
{
    (void)value;
    *(bool *)user = true;
    return false;
}

/// Whether a storage without a format holds nothing that a save has written.
/// @return CORRUPT: a world that lost its format. It would pass for a new one
static TrnResult save_check_new(const TrnSave *save)
{
    static const char *const names[] = {TRN_SAVE_REVISION_NAME, TRN_SAVE_ID_PREFIX};
    const TrnStorage *storage = &save->def.storage;
    bool has_any = false;
    TrnResult result = TRN_RESULT_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && result == TRN_RESULT_OK; i++) {
        result = storage->values(storage->user, names[i], save_note_any, &has_any);
    }
    return result == TRN_RESULT_OK && has_any ? TRN_RESULT_CORRUPT : result;
}

/// Reads the format of a world. If it has none, but values that come with one, another program may
/// have made the world between the two looks.
/// @return NOT_FOUND: the storage is new
static TrnResult save_read_format(TrnSave *save, uint64_t *format)
{
    TrnResult result = save_read_number(save, TRN_SAVE_FORMAT_NAME, 4, format);
    if (result == TRN_RESULT_NOT_FOUND) {
        result = save_check_new(save);
        if (result == TRN_RESULT_CORRUPT) {
            result = save_read_number(save, TRN_SAVE_FORMAT_NAME, 4, format);
            return result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_CORRUPT : result;
        }
        return result == TRN_RESULT_OK ? TRN_RESULT_NOT_FOUND : result;
    }
    return result;
}

/// Reads what the storage says of its world, or makes it a world.
static TrnResult save_read_world(TrnSave *save, TrnStorageProblem *problem)
{
    uint64_t format = 0;
    TrnResult result = save_read_format(save, &format);
    if (result == TRN_RESULT_NOT_FOUND) {
        unsigned char bytes[4];
        trn_number_write(bytes, TRN_SAVE_FORMAT_PLAIN, sizeof bytes);
        save->writer.format = TRN_SAVE_FORMAT_PLAIN;
        const TrnStorageValue value = {TRN_SAVE_FORMAT_NAME, bytes, sizeof bytes};
        return trn_save_put_value(save, &value);
    }
    if (result == TRN_RESULT_OK && format > TRN_SAVE_FORMAT) {
        save_tell(problem, "A newer version of Terrane wrote this world; update this program.");
        return TRN_RESULT_CORRUPT;
    }
    // A later version that changes worlds does so here, one step after the other, and writes its
    // number with them; tests/save/worlds has a world of each. 2 only adds to 1.
    result =
        result == TRN_RESULT_OK && format < TRN_SAVE_FORMAT_PLAIN ? TRN_RESULT_CORRUPT : result;
    save->writer.format = format;
    if (result == TRN_RESULT_OK) {
        result = save_read_number(save, TRN_SAVE_REVISION_NAME, 8, &save->writer.revision);
        result = result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_OK : result;
    }
    if (result == TRN_RESULT_OK && save->writer.revision >= TRN_SAVE_REVISION_MAX) {
        save_tell(problem, "The world's revision is one that no world reaches; 'terrane repair' "
                           "copies its chunks into a new file.");
        return TRN_RESULT_CORRUPT;
    }
    return result == TRN_RESULT_OK ? trn_save_ids_load(save->ids, &save->def.storage) : result;
}

typedef struct SaveGameName {
    char text[TRN_STORAGE_NAME_MAX + 1];
} SaveGameName;

/// Whether a storage has none of some values. A storage of one process need not look by itself.
static TrnResult save_has_none(const TrnStorage *storage, const TrnStorageValue *values,
                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        SaveRead read = {.name = values[i].name};
        const TrnResult result = storage->values(storage->user, read.name, save_visit_value, &read);
        if (result != TRN_RESULT_OK || read.is_found) {
            return result != TRN_RESULT_OK ? result : TRN_RESULT_EXISTS;
        }
    }
    return TRN_RESULT_OK;
}

/// Puts the first values of a world.
/// @param names  [count] scratch
/// @param whole  [count + 1] scratch
static TrnResult save_put_first(const TrnStorage *storage, const TrnStorageValue *values,
                                size_t count, SaveGameName *names, TrnStorageValue *whole)
{
    unsigned char format[4];
    trn_number_write(format, TRN_SAVE_FORMAT_PLAIN, sizeof format);
    for (size_t i = 0; i < count; i++) {
        if (!values[i].bytes || !save_game_name(values[i].name, names[i].text)) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        whole[i] = (TrnStorageValue){names[i].text, values[i].bytes, values[i].size};
    }
    whole[count] = (TrnStorageValue){TRN_SAVE_FORMAT_NAME, format, sizeof format};
    const TrnStorageBatch batch = {
        .values = whole, .value_count = count + 1, .new_value_count = count + 1};
    const TrnResult result = save_has_none(storage, whole, count + 1);
    return result == TRN_RESULT_OK ? storage->put(storage->user, &batch) : result;
}

TrnResult trn_save_make_world(const TrnStorage *storage, const TrnStorageValue *values,
                              size_t count, TrnStorageProblem *problem)
{
    if (!storage || !storage->values || !storage->put || (count && !values)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    const size_t name_bytes = (count + 1) * sizeof(SaveGameName);
    const size_t value_bytes = (count + 1) * sizeof(TrnStorageValue);
    SaveGameName *names = trn_take(&allocator, name_bytes, 1);
    TrnStorageValue *whole = trn_take(&allocator, value_bytes, sizeof(void *));
    const TrnResult result = names && whole ? save_put_first(storage, values, count, names, whole)
                                            : TRN_RESULT_NO_MEMORY;
    trn_give(&allocator, names, name_bytes);
    trn_give(&allocator, whole, value_bytes);
    if (result == TRN_RESULT_EXISTS) {
        save_tell(problem, "There is a world in this storage already.");
    } else if (result != TRN_RESULT_OK) {
        trn_save_describe(storage, result, problem);
    }
    return result;
}

static bool save_def_is_valid(const TrnSaveDef *def)
{
    const TrnStorage *storage = def ? &def->storage : NULL;
    return def && storage->get && storage->list && storage->values && storage->put &&
           storage->close && def->types && def->what <= TRN_SAVE_CHANGED &&
           def->damaged <= TRN_SAVE_REFUSE_DAMAGED && def->commit_seconds >= 0 &&
           def->save_seconds >= 0 && def->queue_bytes > 0;
}

/// Creates mutex and conditions. They are destroyed together.
static bool save_init_locks(TrnSave *save)
{
    if (!trn_mutex_init(&save->mutex)) {
        return false;
    }
    if (!trn_condition_init(&save->for_writer)) {
        trn_mutex_destroy(&save->mutex);
        return false;
    }
    if (!trn_condition_init(&save->for_callers)) {
        trn_condition_destroy(&save->for_writer);
        trn_mutex_destroy(&save->mutex);
        return false;
    }
    return true;
}

static TrnSave *save_new(const TrnSaveDef *def, const TrnAllocator *allocator)
{
    TrnSave *save = trn_take(allocator, sizeof *save, TRN_CACHE_LINE);
    TrnSaveIds *ids = save ? trn_take(allocator, sizeof *ids, TRN_CACHE_LINE) : NULL;
    if (!ids) {
        trn_give(allocator, save, sizeof *save);
        return NULL;
    }
    memset(save, 0, sizeof *save);
    save->def = *def;
    save->def.allocator = NULL;
    save->allocator = *allocator;
    save->ids = ids;
    trn_save_ids_init(ids, def->types);
    trn_save_queue_init(&save->queue, allocator, def->queue_bytes);
    if (!save_init_locks(save)) {
        trn_give(allocator, ids, sizeof *ids);
        trn_give(allocator, save, sizeof *save);
        return NULL;
    }
    return save;
}

/// Says why a world is refused: the storage knows what it could not read, and not what the values
/// mean.
static void save_describe_world(const TrnStorage *storage, TrnResult result,
                                TrnStorageProblem *problem)
{
    TrnStorageProblem why = {""};
    trn_save_describe(storage, result, &why);
    const bool is_vague = strcmp(why.sentence, trn_result_text(result)) == 0;
    save_tell(problem, result == TRN_RESULT_CORRUPT && is_vague
                           ? "What the world says of its format, its revision or its blocks is "
                             "damaged; 'terrane repair' copies its chunks into a new file."
                           : why.sentence);
}

TrnResult trn_save_create(const TrnSaveDef *def, TrnSave **save, TrnStorageProblem *problem)
{
    if (!save || !save_def_is_valid(def)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnSave *made = save_new(def, &allocator);
    if (!made) {
        save_tell(problem, trn_result_text(TRN_RESULT_NO_MEMORY));
        def->storage.close(def->storage.user);
        return TRN_RESULT_NO_MEMORY;
    }
    TrnStorageProblem why = {""};
    TrnResult result = save_read_world(made, &why);
    if (result == TRN_RESULT_OK) {
        result = trn_save_writer_start(made);
    }
    if (result != TRN_RESULT_OK) {
        if (*why.sentence) {
            save_tell(problem, why.sentence);
        } else {
            save_describe_world(&def->storage, result, problem);
        }
        (void)trn_save_destroy(made);
        // After BAD_ARGUMENT the caller would close the storage again.
        return result == TRN_RESULT_BAD_ARGUMENT ? TRN_RESULT_IO : result;
    }
    *save = made;
    return TRN_RESULT_OK;
}

static void save_leave_open(void *storage)
{
    (void)storage; // another save's
}

TrnResult trn_save_create_beside(const TrnSave *save, TrnSave **beside, TrnStorageProblem *problem)
{
    TrnSaveDef def = save->def;
    def.allocator = &save->allocator;
    def.has_thread = false;
    def.storage.close = save_leave_open;
    return trn_save_create(&def, beside, problem);
}

TrnResult trn_save_destroy(TrnSave *save)
{
    if (!save) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = trn_save_writer_stop(save);
    save->def.storage.close(save->def.storage.user);
    for (uint32_t i = 0; i < TRN_SAVE_CODERS; i++) {
        trn_row_coder_destroy(atomic_load_explicit(&save->coders[i], memory_order_relaxed));
    }
    trn_save_queue_close(&save->queue);
    trn_coord_map_free(&save->pending, &save->allocator);
    for (uint32_t level = 0; level < TRN_SAVE_LEVELS; level++) {
        trn_coord_map_free(&save->damaged[level], &save->allocator);
    }
    trn_condition_destroy(&save->for_callers);
    trn_condition_destroy(&save->for_writer);
    trn_mutex_destroy(&save->mutex);
    const TrnAllocator allocator = save->allocator;
    trn_give(&allocator, save->ids, sizeof *save->ids);
    trn_give(&allocator, save, sizeof *save);
    return result;
}

void trn_save_name_blocks(TrnSave *save)
{
    atomic_store_explicit(&save->names_blocks, true, memory_order_relaxed);
}

// ---- figures -----------------------------------------------------------------------------------

TrnSaveStats trn_save_stats(TrnSave *save)
{
    TrnSaveStats stats = {0};
    if (!save) {
        return stats;
    }
    trn_mutex_lock(&save->mutex);
    const TrnSaveQueue *queue = &save->queue;
    const TrnSaveItem *oldest = queue->taken.first ? queue->taken.first : queue->waiting.first;
    stats = save->stats;
    stats.in_queue = queue->chunk_count;
    stats.queue_bytes = queue->bytes;
    stats.queue_bytes_peak = queue->bytes_peak;
    stats.oldest_seconds = oldest ? (trn_clock_us() - oldest->queued_us) * 1e-6 : 0;
    trn_mutex_unlock(&save->mutex);
    return stats;
}
