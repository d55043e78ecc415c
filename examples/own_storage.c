// A world in a storage of the game's own: a log, to which each transaction is appended with a
// checksum. Usage: own_storage [FILE]
//
// What the log says lies in memory, in the library's storage for that; so this suits worlds that
// fit there. A crash can leave a part of the last transaction. The next start finds that its
// checksum is wrong and cuts it off, so a transaction is whole or absent. When most of the log is
// outdated, the next start writes what is not to a new file, which replaces the log by a rename.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): fsync and others
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <terrane/generator.h>
#include <terrane/save.h>

#define LOG_MAGIC UINT64_C(0x31474F4C4E525454)
#define LOG_COMPACT_BYTES 65536 // a smaller log is left as it is

// The beginning of a transaction in the file. Its items follow. Numbers are as the machine has
// them.
typedef struct LogHead {
    uint64_t magic, bytes, checksum; // of the items
} LogHead;

// A row or a value in the file. Its name and its bytes follow.
typedef struct LogItem {
    TrnStorageKey key; // of a row
    uint64_t revision; // of a row
    uint64_t size;
    uint32_t name_bytes; // with the zero; 0: it is a row
    uint32_t is_removed;
} LogItem;

typedef struct Log {
    TrnStorage memory; // what the log says
    int file;
    uint64_t end;    // of the last whole transaction
    bool has_failed; // a copy to this log
} Log;

static uint64_t log_checksum(const unsigned char *bytes, uint64_t size) // FNV-1a
{
    uint64_t sum = UINT64_C(0xCBF29CE484222325);
    for (uint64_t i = 0; i < size; i++) {
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001B3);
    }
    return sum;
}

// ---- writing -----------------------------------------------------------------------------------

// Copies an item to `to`, unless that is NULL. @return its bytes in the log
static uint64_t log_add(unsigned char *to, LogItem item, const char *name, const void *bytes)
{
    if (to) {
        memcpy(to, &item, sizeof item);
        memcpy(to + sizeof item, item.name_bytes ? name : "", item.name_bytes);
        memcpy(to + sizeof item + item.name_bytes, item.size ? bytes : "", item.size);
    }
    return sizeof item + item.name_bytes + item.size;
}

// Copies the items of a batch to `to`, unless that is NULL. @return their bytes
static uint64_t log_add_batch(unsigned char *to, const TrnStorageBatch *batch)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < batch->row_count; i++) {
        const TrnStorageRow *row = &batch->rows[i];
        const LogItem item = {row->key, row->revision, row->bytes ? row->size : 0, 0,
                              row->bytes == NULL};
        bytes += log_add(to ? to + bytes : NULL, item, NULL, row->bytes);
    }
    for (size_t i = 0; i < batch->value_count; i++) {
        const TrnStorageValue *value = &batch->values[i];
        const LogItem item = {.size = value->bytes ? value->size : 0,
                              .name_bytes = (uint32_t)strlen(value->name) + 1,
                              .is_removed = value->bytes == NULL};
        bytes += log_add(to ? to + bytes : NULL, item, value->name, value->bytes);
    }
    return bytes;
}

static bool log_write(int file, const unsigned char *bytes, uint64_t size, uint64_t at)
{
    while (size) {
        const ssize_t written = pwrite(file, bytes, size, (off_t)at);
        if (written <= 0) {
            return false;
        }
        bytes += written;
        size -= (uint64_t)written;
        at += (uint64_t)written;
    }
    return true;
}

// Appends a batch. On failure the log ends where it did.
static TrnResult log_append(Log *log, const TrnStorageBatch *batch, bool syncs)
{
    const uint64_t bytes = log_add_batch(NULL, batch);
    unsigned char *all = malloc(sizeof(LogHead) + bytes);
    if (!all) {
        return TRN_RESULT_NO_MEMORY;
    }
    (void)log_add_batch(all + sizeof(LogHead), batch);
    const LogHead head = {LOG_MAGIC, bytes, log_checksum(all + sizeof head, bytes)};
    memcpy(all, &head, sizeof head);
    const bool is_written = log_write(log->file, all, sizeof head + bytes, log->end) &&
                            (!syncs || fsync(log->file) == 0);
    free(all);
    if (!is_written) { // the disk is full, for example
        return TRN_RESULT_IO;
    }
    log->end += sizeof head + bytes;
    return TRN_RESULT_OK;
}

// ---- the storage -------------------------------------------------------------------------------

static TrnResult log_put(void *user, const TrnStorageBatch *batch)
{
    Log *log = user;
    const uint64_t end = log->end;
    TrnResult result = log_append(log, batch, true);
    result = result == TRN_RESULT_OK ? log->memory.put(log->memory.user, batch) : result;
    if (result != TRN_RESULT_OK) {
        log->end = end;
        (void)!ftruncate(log->file, (off_t)end); // if that fails, too, the next put overwrites it
    }
    return result;
}

static TrnResult log_get(void *user, const TrnStorageKey *keys, size_t count,
                         TrnStorageRowVisitor visit, void *visitor)
{
    const Log *log = user;
    return log->memory.get(log->memory.user, keys, count, visit, visitor);
}

static TrnResult log_list(void *user, const TrnStorageRange *range, TrnStorageRowVisitor visit,
                          void *visitor)
{
    const Log *log = user;
    return log->memory.list(log->memory.user, range, visit, visitor);
}

static TrnResult log_values(void *user, const char *prefix, TrnStorageValueVisitor visit,
                            void *visitor)
{
    const Log *log = user;
    return log->memory.values(log->memory.user, prefix, visit, visitor);
}

static void log_problem(void *user, char *text, size_t capacity)
{
    (void)user;
    (void)snprintf(text, capacity,
                   "The log of the world cannot be written; see that the disk is not full.");
}

static void log_close(void *user)
{
    Log *log = user;
    if (log->memory.close) {
        log->memory.close(log->memory.user);
    }
    if (log->file >= 0) {
        (void)close(log->file);
    }
    free(log);
}

// ---- reading -----------------------------------------------------------------------------------

// Puts the items of a transaction into memory, one by one: nothing reads them yet.
static TrnResult log_replay(const Log *log, const unsigned char *bytes, uint64_t size)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint64_t at = 0; at < size && result == TRN_RESULT_OK;) {
        LogItem item;
        memcpy(&item, bytes + at, sizeof item);
        const char *name = (const char *)bytes + at + sizeof item;
        const void *content = item.is_removed ? NULL : name + item.name_bytes;
        const TrnStorageRow row = {item.key, item.revision, content, item.size};
        const TrnStorageValue value = {name, content, item.size};
        const TrnStorageBatch batch = {.rows = &row,
                                       .row_count = item.name_bytes == 0,
                                       .values = &value,
                                       .value_count = item.name_bytes > 0};
        result = log->memory.put(log->memory.user, &batch);
        at += sizeof item + item.name_bytes + item.size;
    }
    return result;
}

// Reads the next transaction. @param is_whole  receives whether there is one
static TrnResult log_read_next(Log *log, uint64_t file_bytes, bool *is_whole)
{
    LogHead head;
    const uint64_t left = file_bytes - log->end, at = log->end + sizeof head;
    *is_whole = left >= sizeof head &&
                pread(log->file, &head, sizeof head, (off_t)log->end) == (ssize_t)sizeof head &&
                head.magic == LOG_MAGIC && head.bytes <= left - sizeof head;
    if (!*is_whole) {
        return TRN_RESULT_OK;
    }
    unsigned char *bytes = malloc(head.bytes + 1);
    TrnResult result = bytes ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    *is_whole = bytes && pread(log->file, bytes, head.bytes, (off_t)at) == (ssize_t)head.bytes &&
                log_checksum(bytes, head.bytes) == head.checksum;
    if (*is_whole) {
        result = log_replay(log, bytes, head.bytes);
        log->end = at + head.bytes;
    }
    free(bytes);
    return result;
}

// Reads all transactions, and cuts off what follows the last whole one.
static TrnResult log_read(Log *log)
{
    struct stat file;
    bool is_whole = true;
    TrnResult result = fstat(log->file, &file) == 0 ? TRN_RESULT_OK : TRN_RESULT_IO;
    while (is_whole && result == TRN_RESULT_OK) {
        result = log_read_next(log, (uint64_t)file.st_size, &is_whole);
    }
    const bool is_cut = result == TRN_RESULT_OK && ftruncate(log->file, (off_t)log->end) == 0;
    return result == TRN_RESULT_OK && !is_cut ? TRN_RESULT_IO : result;
}

// ---- a shorter log -----------------------------------------------------------------------------

static bool log_count_row(void *user, const TrnStorageRow *row)
{
    const TrnStorageBatch batch = {.rows = row, .row_count = 1};
    *(uint64_t *)user += sizeof(LogHead) + log_add_batch(NULL, &batch);
    return true;
}

static bool log_copy_row(void *user, const TrnStorageRow *row)
{
    const TrnStorageBatch batch = {.rows = row, .row_count = 1};
    Log *to = user;
    to->has_failed = to->has_failed || log_append(to, &batch, false) != TRN_RESULT_OK;
    return !to->has_failed;
}

static bool log_copy_value(void *user, const TrnStorageValue *value)
{
    const TrnStorageBatch batch = {.values = value, .value_count = 1};
    Log *to = user;
    to->has_failed = to->has_failed || log_append(to, &batch, false) != TRN_RESULT_OK;
    return !to->has_failed;
}

// Visits the rows of all levels.
static void log_visit_rows(const Log *log, TrnStorageRowVisitor visit, void *visitor)
{
    for (uint32_t level = 0; level <= TRN_GENERATOR_LEVEL_MAX; level++) {
        const TrnStorageRange all = {
            level, {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}, 0};
        (void)log->memory.list(log->memory.user, &all, visit, visitor);
    }
}

// Puts a log without outdated transactions in the place of this one, if that can be done.
static void log_compact(Log *log, const char *path)
{
    char temporary[4096];
    (void)snprintf(temporary, sizeof temporary, "%s.new", path);
    Log fresh = {.file = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
    log_visit_rows(log, log_copy_row, &fresh);
    (void)log->memory.values(log->memory.user, "", log_copy_value, &fresh);
    if (fresh.file >= 0 && !fresh.has_failed && fsync(fresh.file) == 0 &&
        lockf(fresh.file, F_TLOCK, 0) == 0 && rename(temporary, path) == 0) {
        (void)close(log->file);
        log->file = fresh.file;
        log->end = fresh.end;
    } else if (fresh.file >= 0) {
        (void)close(fresh.file);
        (void)remove(temporary);
    }
}

// ---- opening -----------------------------------------------------------------------------------

static TrnResult log_open(Log *log, const char *path)
{
    uint64_t used = 0;
    log->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (log->file < 0) {
        return TRN_RESULT_IO;
    }
    if (lockf(log->file, F_TLOCK, 0) != 0) {
        return TRN_RESULT_BUSY;
    }
    TrnResult result = trn_storage_memory(NULL, &log->memory);
    result = result == TRN_RESULT_OK ? log_read(log) : result;
    if (result == TRN_RESULT_OK) {
        log_visit_rows(log, log_count_row, &used);
        if (log->end > LOG_COMPACT_BYTES && log->end / 4 > used) {
            log_compact(log, path);
        }
    }
    return result;
}

// Opens a log, or makes it. Errors: BUSY (another process has it open), IO, NO_MEMORY.
static TrnResult log_storage(const char *path, TrnStorage *storage)
{
    Log *log = calloc(1, sizeof *log);
    if (!log) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result = log_open(log, path);
    if (result != TRN_RESULT_OK) {
        log_close(log);
        return result;
    }
    *storage = (TrnStorage){.get = log_get,
                            .list = log_list,
                            .values = log_values,
                            .put = log_put,
                            .problem = log_problem,
                            .close = log_close,
                            .user = log};
    return TRN_RESULT_OK;
}

// ---- a world in it -----------------------------------------------------------------------------

// Counts how often the world was opened, and saves one more chunk each time.
static TrnResult visit(TrnSave *save)
{
    uint32_t visits = 0, found = 0;
    TrnResult result = trn_save_get_value(save, "visits", &visits, sizeof visits, NULL);
    const TrnStreamSource source = trn_save_source(save); // a stream would use it
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (uint32_t i = 0; i < visits; i++) {
        const TrnStreamJob job = {.coord = {(int32_t)i, 0, 0}};
        bool is_uniform;
        found += source.load(source.user, &job, blocks, &is_uniform) == TRN_RESULT_OK;
    }
    const TrnStreamJob job = {.coord = {(int32_t)visits, 0, 0}};
    visits++;
    if (result == TRN_RESULT_OK || result == TRN_RESULT_NOT_FOUND) {
        result = source.save(source.user, &job, trn_snapshot_of(TRN_BLOCK_STONE, 1));
    }
    if (result == TRN_RESULT_OK) {
        result = trn_save_set_value(save, "visits", &visits, sizeof visits);
    }
    result = result == TRN_RESULT_OK ? trn_save_flush(save) : result;
    if (result == TRN_RESULT_OK) {
        printf("Visit %u: %u chunks were saved before.\n", (unsigned)visits, (unsigned)found);
    }
    return result;
}

int main(int argc, char **argv)
{
    TrnSaveDef def = trn_save_def();
    TrnSave *save = NULL;
    TrnResult result = trn_block_types_create_builtin(NULL, &def.types);
    result =
        result == TRN_RESULT_OK ? log_storage(argc > 1 ? argv[1] : "my.log", &def.storage) : result;
    result = result == TRN_RESULT_OK ? trn_save_create(&def, &save, NULL) : result;
    result = result == TRN_RESULT_OK ? visit(save) : result;
    const TrnResult closed = trn_save_destroy(save);
    result = result == TRN_RESULT_OK ? closed : result;
    trn_block_types_destroy(def.types);
    if (result != TRN_RESULT_OK) {
        fprintf(stderr, "own_storage: %s\n", trn_result_text(result));
    }
    return result == TRN_RESULT_OK ? 0 : 1;
}
