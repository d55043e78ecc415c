// The storage of a world on several servers: see servers.h.

#include "servers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../save_internal.h"
#include "region.h"

#define SERVERS_REGIONS_MAX 1024u // of a range, until all servers list it

typedef struct Servers {
    TrnStorage parts[TRN_PG_SERVERS_MAX]; ///< [count]
    TrnMutex puts[TRN_PG_SERVERS_MAX];    ///< [count] members put at the same time
    uint32_t count, mutex_count;
    TrnMutex mutex;
    bool has_mutex;
    uint32_t failed; ///< whose call failed last
} Servers;

uint32_t trn_servers_hash(int64_t region, uint32_t count)
{
    if (count == 1) {
        return 0;
    }
    uint64_t hash = (uint64_t)trn_region_column(region) + UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((hash ^ hash >> 31) % count);
}

static uint32_t servers_find(const Servers *servers, const TrnStorageKey *key)
{
    return trn_servers_hash(trn_storage_region(key), servers->count);
}

/// Notes which server failed. @return the result of a call of several: the first failure
static TrnResult servers_note(Servers *servers, uint32_t i, TrnResult before, TrnResult result)
{
    if (result == TRN_RESULT_OK || before != TRN_RESULT_OK) {
        return before;
    }
    trn_mutex_lock(&servers->mutex);
    servers->failed = i;
    trn_mutex_unlock(&servers->mutex);
    return result;
}

// ---- reading -----------------------------------------------------------------------------------

/// A visitor that is asked by several servers in turn.
typedef struct ServersVisit {
    TrnStorageRowVisitor visit;
    void *user;
    bool is_over;
} ServersVisit;

static bool servers_visit_row(void *user, const TrnStorageRow *row)
{
    ServersVisit *visit = user;
    visit->is_over = !visit->visit(visit->user, row);
    return !visit->is_over;
}

/// Reads what can be read: rows of servers that answer are visited also if another does not.
static TrnResult servers_get_parts(Servers *servers, const TrnStorageKey *keys, size_t count,
                                   TrnStorageKey *part, ServersVisit *visit)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < servers->count && !visit->is_over; i++) {
        size_t part_count = 0;
        for (size_t k = 0; k < count; k++) {
            if (servers_find(servers, &keys[k]) == i) {
                part[part_count++] = keys[k];
            }
        }
        if (part_count) {
            const TrnStorage *of = &servers->parts[i];
            result = servers_note(servers, i, result,
                                  of->get(of->user, part, part_count, servers_visit_row, visit));
        }
    }
    return result;
}

static TrnResult servers_get(void *user, const TrnStorageKey *keys, size_t count,
                             TrnStorageRowVisitor visit, void *visitor)
{
    Servers *servers = user;
    ServersVisit each = {visit, visitor, false};
    const uint32_t first = count ? servers_find(servers, &keys[0]) : 0;
    size_t same = 0;
    while (same < count && servers_find(servers, &keys[same]) == first) {
        same++;
    }
    if (same == count) {
        const TrnStorage *of = &servers->parts[first];
        return servers_note(servers, first, TRN_RESULT_OK,
                            of->get(of->user, keys, count, visit, visitor));
    }
    TrnStorageKey *part = malloc(count * sizeof *part);
    const TrnResult result =
        part ? servers_get_parts(servers, keys, count, part, &each) : TRN_RESULT_NO_MEMORY;
    free(part);
    return result;
}

static TrnResult servers_list(void *user, const TrnStorageRange *range, TrnStorageRowVisitor visit,
                              void *visitor)
{
    Servers *servers = user;
    ServersVisit each = {visit, visitor, false};
    int64_t regions[SERVERS_REGIONS_MAX];
    bool is_asked[TRN_PG_SERVERS_MAX] = {false};
    const size_t count =
        trn_storage_regions(&range->box, range->level, regions, SERVERS_REGIONS_MAX);
    for (size_t i = 0; i < count; i++) {
        is_asked[trn_servers_hash(regions[i], servers->count)] = true;
    }
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < servers->count && !each.is_over && result == TRN_RESULT_OK; i++) {
        const TrnStorage *of = &servers->parts[i];
        if (!count || is_asked[i]) {
            result = servers_note(servers, i, result,
                                  of->list(of->user, range, servers_visit_row, &each));
        }
    }
    return result;
}

/// The values of the first server, with the highest revision of all.
typedef struct ServersValues {
    TrnStorageValueVisitor visit;
    void *user;
    unsigned char revision[8]; ///< little-endian
    bool has_revision;         ///< and it has not been visited
    bool is_over;
} ServersValues;

static bool servers_visit_revision(void *user, const TrnStorageValue *value)
{
    ServersValues *values = user;
    bool is_higher = false;
    if (strcmp(value->name, TRN_SAVE_REVISION_NAME) != 0 ||
        value->size != sizeof values->revision) {
        return false;
    }
    const unsigned char *bytes = value->bytes;
    for (size_t i = sizeof values->revision; i-- > 0;) {
        if (bytes[i] != values->revision[i]) {
            is_higher = bytes[i] > values->revision[i];
            break;
        }
    }
    if (is_higher || !values->has_revision) {
        memcpy(values->revision, bytes, sizeof values->revision);
        values->has_revision = true;
    }
    return false;
}

/// Visits the revision, where it belongs in the order. @return false to stop
static bool servers_give_revision(ServersValues *values)
{
    const TrnStorageValue revision = {TRN_SAVE_REVISION_NAME, values->revision,
                                      sizeof values->revision};
    values->is_over = values->has_revision && !values->visit(values->user, &revision);
    values->has_revision = false;
    return !values->is_over;
}

static bool servers_visit_value(void *user, const TrnStorageValue *value)
{
    ServersValues *values = user;
    const int order = strcmp(value->name, TRN_SAVE_REVISION_NAME);
    const bool has_revision = values->has_revision;
    if (order >= 0 && !servers_give_revision(values)) {
        return false;
    }
    values->is_over = !(order == 0 && has_revision) && !values->visit(values->user, value);
    return !values->is_over;
}

/// Servers that do not answer count as without a revision: new rows get later ones than theirs when
/// the world is opened next.
static TrnResult servers_values(void *user, const char *prefix, TrnStorageValueVisitor visit,
                                void *visitor)
{
    Servers *servers = user;
    ServersValues values = {.visit = visit, .user = visitor};
    const TrnStorage *first = &servers->parts[0];
    const bool wants_revision = strncmp(TRN_SAVE_REVISION_NAME, prefix, strlen(prefix)) == 0;
    for (uint32_t i = 0; i < servers->count && wants_revision; i++) {
        const TrnStorage *of = &servers->parts[i];
        (void)of->values(of->user, TRN_SAVE_REVISION_NAME, servers_visit_revision, &values);
    }
    const TrnResult result =
        servers_note(servers, 0, TRN_RESULT_OK,
                     first->values(first->user, prefix, servers_visit_value, &values));
    if (result == TRN_RESULT_OK && !values.is_over) {
        (void)servers_give_revision(&values);
    }
    return result;
}

static uint64_t servers_watch(void *user)
{
    const TrnStorage *first = &((Servers *)user)->parts[0];
    return first->watch(first->user);
}

// ---- writing -----------------------------------------------------------------------------------

static TrnResult servers_put_part(Servers *servers, uint32_t i, const TrnStorageBatch *batch)
{
    const TrnStorage *of = &servers->parts[i];
    trn_mutex_lock(&servers->puts[i]);
    const TrnResult result = of->put(of->user, batch);
    trn_mutex_unlock(&servers->puts[i]);
    return servers_note(servers, i, TRN_RESULT_OK, result);
}

static bool servers_is_revision(const TrnStorageValue *value)
{
    return strcmp(value->name, TRN_SAVE_REVISION_NAME) == 0;
}

/// What a server gets of a batch.
typedef struct ServersPart {
    TrnStorageRow *rows;     ///< [row_count]
    TrnStorageValue *values; ///< [value_count]
} ServersPart;

/// Puts what a server has of a batch: its rows with the revision; the first server has the other
/// values too. Nothing: OK
static TrnResult servers_put_some(Servers *servers, uint32_t i, const TrnStorageBatch *batch,
                                  const ServersPart *part)
{
    TrnStorageBatch some = {.rows = part->rows, .values = part->values};
    for (size_t k = 0; k < batch->row_count; k++) {
        if (servers_find(servers, &batch->rows[k].key) == i) {
            part->rows[some.row_count++] = batch->rows[k];
        }
    }
    for (size_t k = 0; k < batch->value_count; k++) {
        const bool is_revision = servers_is_revision(&batch->values[k]);
        const bool is_here = is_revision && batch->row_count ? some.row_count > 0 : i == 0;
        if (is_here) {
            part->values[some.value_count++] = batch->values[k];
        }
    }
    some.new_value_count = i == 0 ? batch->new_value_count : 0;
    return some.row_count || some.value_count ? servers_put_part(servers, i, &some) : TRN_RESULT_OK;
}

/// The first server goes first: rows are of no use without the names of their blocks. One that does
/// not answer holds up none of the others.
static TrnResult servers_put_parts(Servers *servers, const TrnStorageBatch *batch,
                                   const ServersPart *part)
{
    TrnResult result = servers_put_some(servers, 0, batch, part);
    for (size_t k = 0; k < batch->value_count && result != TRN_RESULT_OK; k++) {
        if (!servers_is_revision(&batch->values[k])) {
            return result;
        }
    }
    for (uint32_t i = 1; i < servers->count; i++) {
        const TrnResult other = servers_put_some(servers, i, batch, part);
        result = result == TRN_RESULT_OK ? other : result;
    }
    return result;
}

/// Whether all of a batch is of one server.
static bool servers_is_one(const Servers *servers, const TrnStorageBatch *batch, uint32_t *i)
{
    bool is_one = true;
    *i = batch->row_count ? servers_find(servers, &batch->rows[0].key) : 0;
    for (size_t k = 1; k < batch->row_count && is_one; k++) {
        is_one = servers_find(servers, &batch->rows[k].key) == *i;
    }
    for (size_t k = 0; k < batch->value_count && is_one && *i; k++) {
        is_one = servers_is_revision(&batch->values[k]);
    }
    return is_one;
}

static TrnResult servers_put(void *user, const TrnStorageBatch *batch)
{
    Servers *servers = user;
    uint32_t i;
    if (servers_is_one(servers, batch, &i)) {
        return servers_put_part(servers, i, batch);
    }
    const ServersPart part = {malloc((batch->row_count + 1) * sizeof *part.rows),
                              malloc((batch->value_count + 1) * sizeof *part.values)};
    const TrnResult result =
        part.rows && part.values ? servers_put_parts(servers, batch, &part) : TRN_RESULT_NO_MEMORY;
    free(part.rows);
    free(part.values);
    return result;
}

// ---- life --------------------------------------------------------------------------------------

static void servers_problem(void *user, char *text, size_t capacity)
{
    Servers *servers = user;
    trn_mutex_lock(&servers->mutex);
    const TrnStorage *failed = &servers->parts[servers->failed];
    trn_mutex_unlock(&servers->mutex);
    failed->problem(failed->user, text, capacity);
}

static void servers_close(void *user)
{
    Servers *servers = user;
    for (uint32_t i = 0; i < servers->count; i++) {
        servers->parts[i].close(servers->parts[i].user);
    }
    for (uint32_t i = 0; i < servers->mutex_count; i++) {
        trn_mutex_destroy(&servers->puts[i]);
    }
    if (servers->has_mutex) {
        trn_mutex_destroy(&servers->mutex);
    }
    free(servers);
}

TrnResult trn_servers_create(const TrnStorage *parts, uint32_t count, TrnStorage *storage)
{
    Servers *made = calloc(1, sizeof *made);
    if (!made) {
        for (uint32_t i = 0; i < count; i++) {
            parts[i].close(parts[i].user);
        }
        return TRN_RESULT_NO_MEMORY;
    }
    memcpy(made->parts, parts, count * sizeof *parts);
    made->count = count;
    made->has_mutex = trn_mutex_init(&made->mutex);
    bool is_good = made->has_mutex;
    while (is_good && made->mutex_count < count) {
        is_good = trn_mutex_init(&made->puts[made->mutex_count]);
        made->mutex_count += is_good;
    }
    if (!is_good) {
        servers_close(made);
        return TRN_RESULT_NO_MEMORY;
    }
    *storage = (TrnStorage){.get = servers_get,
                            .list = servers_list,
                            .values = servers_values,
                            .put = servers_put,
                            .watch = servers_watch,
                            .problem = servers_problem,
                            .close = servers_close,
                            .user = made,
                            .batch_keys = parts[0].batch_keys};
    return TRN_RESULT_OK;
}

// ---- the servers of a storage ------------------------------------------------------------------

static const Servers *servers_from(const TrnStorage *storage)
{
    return storage && storage->get == servers_get ? storage->user : NULL;
}

uint32_t trn_servers_count(const TrnStorage *storage)
{
    const Servers *servers = servers_from(storage);
    return servers ? servers->count : storage && trn_postgres_leases(storage) ? 1 : 0;
}

const TrnStorage *trn_servers_at(const TrnStorage *storage, uint32_t i)
{
    const Servers *servers = servers_from(storage);
    return servers ? &servers->parts[i] : storage;
}

const TrnStorage *trn_servers_of(const TrnStorage *storage, int64_t region)
{
    const Servers *servers = servers_from(storage);
    return servers ? &servers->parts[trn_servers_hash(region, servers->count)] : storage;
}
