// The storage of a save in the simulated server: see sim.h.

#include "sim.h"

#define STORAGE_RETRY_US 1e7 // from the first failure of a call
#define STORAGE_DELAY_FIRST_US 5e4
#define STORAGE_DELAY_MAX_US 1e6
#define STORAGE_KEYS_MAX 64u

// ---- work, again after a connection broke ------------------------------------------------------

static TrnResult storage_work(SimStorage *storage, TrnPgLink *link, TrnPostgresWork *work,
                              void *context)
{
    const double until_us = sim.now_us + STORAGE_RETRY_US;
    double delay_us = STORAGE_DELAY_FIRST_US;
    for (;;) {
        if ((link->db || trn_pg_connect(link, storage->url)) && work(link, context)) {
            return TRN_RESULT_OK;
        }
        const bool is_lost = link->fault.is_lost;
        trn_pg_disconnect(link);
        if (!is_lost || storage->process->is_dead || sim.now_us + delay_us > until_us) {
            return link->fault.result;
        }
        sim_sleep(delay_us);
        delay_us = delay_us * 2 < STORAGE_DELAY_MAX_US ? delay_us * 2 : STORAGE_DELAY_MAX_US;
    }
}

/// Does work on a connection that is not the one that puts.
static TrnResult storage_read(SimStorage *storage, TrnPostgresWork *work, void *context)
{
    TrnPgLink own = {.db = NULL};
    uint32_t at = 0;
    while (at < 2 && storage->is_reading[at]) {
        at++;
    }
    if (at == 2) { // more at once than usual
        const TrnResult result = storage_work(storage, &own, work, context);
        trn_pg_disconnect(&own);
        return result;
    }
    storage->is_reading[at] = true;
    const TrnResult result = storage_work(storage, &storage->readers[at], work, context);
    storage->is_reading[at] = false;
    return result;
}

// ---- the storage -------------------------------------------------------------------------------

typedef struct StorageGet {
    const TrnStorageKey *keys; ///< [count]
    size_t count;
    TrnStorageRow rows[STORAGE_KEYS_MAX]; ///< [row_count]
    SimBlob *blobs[STORAGE_KEYS_MAX];
    size_t row_count;
} StorageGet;

static void storage_drop_rows(StorageGet *get)
{
    for (size_t i = 0; i < get->row_count; i++) {
        sim_blob_drop(get->blobs[i]);
    }
    get->row_count = 0;
}

/// Finds the row of a key. NULL: there is none
static SimBlob *storage_find(const TrnPgLink *link, const TrnStorageKey *key, uint64_t *revision)
{
    uint32_t region, chunk;
    if (sim_chunk_at(key, &region, &chunk)) {
        if (sim_server_of(region) != sim_link_server(link)) {
            sim_fail("a chunk of region %u is asked of server %u", region, sim_link_server(link));
        }
        const SimRow *row = &sim.server.regions[region].rows[chunk];
        *revision = row->revision;
        return row->blob;
    }
    const SimOther *other = sim_other_at(key);
    *revision = other ? other->revision : 0;
    return other ? other->blob : NULL;
}

static bool storage_get_rows(TrnPgLink *link, void *context)
{
    StorageGet *get = context;
    if (!sim_reach(link)) {
        return false;
    }
    for (size_t i = 0; i < get->count; i++) {
        uint64_t revision = 0;
        SimBlob *blob = storage_find(link, &get->keys[i], &revision);
        if (blob) {
            get->blobs[get->row_count] = sim_blob_share(blob);
            get->rows[get->row_count++] = (TrnStorageRow){.key = get->keys[i],
                                                          .revision = revision,
                                                          .bytes = blob->bytes,
                                                          .size = blob->size};
        }
    }
    if (!sim_answer(link)) {
        storage_drop_rows(get);
        return false;
    }
    return true;
}

static TrnResult storage_get(void *user, const TrnStorageKey *keys, size_t count,
                             TrnStorageRowVisitor visit, void *visitor)
{
    bool goes_on = true;
    TrnResult result = TRN_RESULT_OK;
    for (size_t at = 0; at < count && goes_on && result == TRN_RESULT_OK;) {
        const size_t part = count - at < STORAGE_KEYS_MAX ? count - at : STORAGE_KEYS_MAX;
        StorageGet get = {.keys = keys + at, .count = part};
        result = storage_read(user, storage_get_rows, &get);
        for (size_t i = 0; i < get.row_count && goes_on; i++) {
            goes_on = visit(visitor, &get.rows[i]);
        }
        storage_drop_rows(&get);
        at += part;
    }
    return result;
}

/// Visits a row if a range has it. @return false to stop
static bool storage_visit(const TrnStorageRange *range, TrnStorageKey key, uint64_t revision,
                          const SimBlob *blob, TrnStorageRowVisitor visit, void *visitor)
{
    const TrnCoord at = key.coord, low = range->box.min, high = range->box.max;
    const bool is_in = at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y &&
                       at.z >= low.z && at.z <= high.z;
    if (!blob || !is_in || key.level != range->level || revision <= range->since) {
        return true;
    }
    const TrnStorageRow row = {key, revision, blob->bytes, blob->size};
    return visit(visitor, &row);
}

/// Members list nothing; cases of storages do.
static TrnResult storage_list(void *user, const TrnStorageRange *range, TrnStorageRowVisitor visit,
                              void *visitor)
{
    const SimStorage *storage = user;
    bool goes_on = true;
    for (uint32_t i = 0; i < SIM_REGIONS_MAX; i++) {
        for (uint32_t k = 0; k < SIM_CHUNKS && goes_on && sim_server_of(i) == storage->server;
             k++) {
            const SimRow *row = &sim.server.regions[i].rows[k];
            goes_on = storage_visit(range, (TrnStorageKey){sim_coord(i, k), 0}, row->revision,
                                    row->blob, visit, visitor);
        }
    }
    for (uint32_t i = 0; i < sim.server.others.count && goes_on; i++) {
        const SimOther *other = &sim.server.others.items[i];
        goes_on = storage_visit(range, other->key, other->revision, other->blob, visit, visitor);
    }
    return TRN_RESULT_OK;
}

static bool storage_ask_nothing(TrnPgLink *link, void *context)
{
    (void)context;
    return sim_reach(link) && sim_answer(link);
}

static TrnResult storage_values(void *user, const char *prefix, TrnStorageValueVisitor visit,
                                void *visitor)
{
    const TrnResult result = storage_read(user, storage_ask_nothing, NULL);
    const SimValues *values = &sim.server.values[((const SimStorage *)user)->server];
    for (uint32_t i = 0; i < values->count && result == TRN_RESULT_OK; i++) {
        const SimValue *of = &values->items[i];
        const TrnStorageValue value = {of->name, of->blob->bytes, of->blob->size};
        if (strncmp(of->name, prefix, strlen(prefix)) == 0 && !visit(visitor, &value)) {
            break;
        }
    }
    return result;
}

typedef struct StoragePut {
    SimStorage *storage;
    const TrnStorageBatch *batch;
} StoragePut;

static bool storage_put_batch(TrnPgLink *link, void *context)
{
    const StoragePut *put = context;
    TrnLeases *leases = &put->storage->leases;
    if (sim_reach(link) && sim_put(link, leases, put->batch) && sim_answer(link)) {
        return true;
    }
    for (size_t i = 0; i < put->batch->row_count; i++) { // it may be committed
        const TrnStorageKey *key = &put->batch->rows[i].key;
        trn_leases_note_change(leases, trn_region_number(trn_region_of(key->coord, key->level)), 0);
    }
    if (trn_leases_rider(leases)) {
        trn_leases_rider(leases)->is_done = false;
    }
    return false;
}

/// A put that is committed after it was acknowledged: SIM_FLAW_EARLY_ACK.
typedef struct StorageLate {
    SimProcess *process;
    uint32_t server;
    uint64_t life;
    TrnStorageRow *rows; ///< [count] with bytes of their own
    size_t count;
} StorageLate;

static void storage_commit_late(void *user)
{
    StorageLate *late = user;
    sim_sleep(sim_between(0, 2e6));
    if (late->process->life == late->life && late->process->is_open) {
        const TrnStorageBatch batch = {.rows = late->rows, .row_count = late->count};
        StoragePut put = {late->process->parts[late->server], &batch};
        TrnPgLink link = {.db = NULL};
        if (trn_pg_connect(&link, put.storage->url)) {
            (void)storage_put_batch(&link, &put);
        }
        trn_pg_disconnect(&link);
    }
    for (size_t i = 0; i < late->count; i++) {
        free((void *)(uintptr_t)late->rows[i].bytes);
    }
    free(late->rows);
    free(late);
}

static void storage_put_late(SimStorage *storage, const TrnStorageBatch *batch)
{
    StorageLate *late = calloc(1, sizeof *late);
    *late = (StorageLate){.process = storage->process,
                          .server = storage->server,
                          .life = storage->process->life,
                          .rows = calloc(batch->row_count, sizeof *batch->rows),
                          .count = batch->row_count};
    for (size_t i = 0; i < batch->row_count; i++) {
        void *bytes = malloc(batch->rows[i].size + 1);
        memcpy(bytes, batch->rows[i].bytes, batch->rows[i].size);
        late->rows[i] = batch->rows[i];
        late->rows[i].bytes = bytes;
    }
    (void)sim_start(storage_commit_late, late, NULL);
}

static TrnResult storage_put(void *user, const TrnStorageBatch *batch)
{
    SimStorage *storage = user;
    StoragePut put = {storage, batch};
    if (sim.options.flaw == SIM_FLAW_EARLY_ACK && batch->row_count && !storage->process->is_dead) {
        storage_put_late(storage, batch);
        return TRN_RESULT_OK;
    }
    return storage_work(storage, &storage->writer, storage_put_batch, &put);
}

static uint64_t storage_watch(void *user)
{
    return (uint64_t)sim.server.place[((const SimStorage *)user)->server];
}

static void storage_problem(void *user, char *text, size_t capacity)
{
    (void)user;
    (void)snprintf(text, capacity, "The simulated server does not answer.");
}

static void storage_close(void *user)
{
    SimStorage *storage = user;
    trn_pg_disconnect(&storage->writer);
    trn_pg_disconnect(&storage->readers[0]);
    trn_pg_disconnect(&storage->readers[1]);
    trn_mutex_destroy(&storage->mutex);
    free(storage->leases.items);
    free(storage);
}

static TrnStorage storage_open_part(SimProcess *process, uint32_t server)
{
    SimStorage *storage = calloc(1, sizeof *storage);
    storage->process = process;
    storage->server = server;
    process->parts[server] = storage;
    (void)snprintf(storage->url, sizeof storage->url, "%u %u", process->number, server);
    (void)trn_mutex_init(&storage->mutex);
    storage->leases.mutex = &storage->mutex;
    return (TrnStorage){.get = storage_get,
                        .list = storage_list,
                        .values = storage_values,
                        .put = storage_put,
                        .watch = storage_watch,
                        .problem = storage_problem,
                        .close = storage_close,
                        .user = storage,
                        .batch_keys = STORAGE_KEYS_MAX};
}

TrnStorage sim_storage_open(SimProcess *process)
{
    const uint32_t count = sim.options.servers;
    TrnStorage parts[SIM_SERVERS_MAX], storage;
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = storage_open_part(process, i);
    }
    if (count > 1 && trn_servers_create(parts, count, &storage) != TRN_RESULT_OK) {
        abort();
    }
    return count > 1 ? storage : parts[0];
}

// ---- what members and leases ask of a storage --------------------------------------------------

TrnLeases *trn_postgres_leases(const TrnStorage *storage)
{
    return storage->get == storage_get ? &((SimStorage *)storage->user)->leases : NULL;
}

const TrnPgLog *trn_postgres_log(const TrnStorage *storage)
{
    (void)storage;
    return NULL;
}

const char *trn_postgres_name(const TrnStorage *storage)
{
    return trn_postgres_url(storage);
}

const char *trn_postgres_url(const TrnStorage *storage)
{
    return ((const SimStorage *)storage->user)->url;
}

TrnResult trn_postgres_work(const TrnStorage *storage, TrnPostgresWork *work, void *context)
{
    return storage_read(storage->user, work, context);
}
