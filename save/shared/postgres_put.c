// Writing into PostgreSQL: see postgres_put.h.

#include "postgres_put.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../save_internal.h"
#include "region.h"

#define PUT_BYTES_MAX ((size_t)32 << 20) // of a statement's rows, and at least one row
#define PUT_SMALL_BYTES 65536            // of a batch that is one message
#define PUT_SMALL_VALUES 8
#define PUT_ROW_BYTES 64 // around the bytes of a row, about

_Static_assert(TRN_PG_CHANGES_KEPT == 256, "PUT_CHANGES says it");

static const TrnPgStatement PUT_CHANGES = {
    "terrane_put_changes",
    "WITH r AS (INSERT INTO terrane_regions AS r (region, change) "
    "SELECT k, 1 FROM unnest($1::bigint[]) AS k "
    "ON CONFLICT (region) DO UPDATE SET change = r.change + 1 RETURNING r.region, r.change), "
    "old AS (DELETE FROM terrane_changes AS c USING r "
    "WHERE c.region = r.region AND r.change % 64 = 0 AND c.change <= r.change - 256) "
    "INSERT INTO terrane_changes (region, change, chunks) SELECT r.region, r.change, k.chunks "
    "FROM unnest($1::bigint[], $2::bytea[]) AS k (region, chunks) JOIN r ON r.region = k.region "
    "ON CONFLICT (region, change) DO UPDATE SET chunks = excluded.chunks RETURNING region, change",
    18,
    2,
    {TRN_PG_INT8S, TRN_PG_BYTEAS}};
static const TrnPgStatement PUT_ROWS = {
    "terrane_put",
    "INSERT INTO terrane_chunks (region, level, x, y, z, revision, bytes) "
    "SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::int[], "
    "$6::bigint[], $7::bytea[]) ON CONFLICT (region, level, x, y, z) "
    "DO UPDATE SET revision = excluded.revision, bytes = excluded.bytes",
    4,
    7,
    {TRN_PG_KEY_TYPES, TRN_PG_INT8S, TRN_PG_BYTEAS}};
static const TrnPgStatement PUT_DROP = {"terrane_drop",
                                        "DELETE FROM terrane_chunks AS c USING " TRN_PG_KEYS
                                        "WHERE " TRN_PG_KEYS_ARE_EQUAL,
                                        5,
                                        5,
                                        {TRN_PG_KEY_TYPES}};
static const TrnPgStatement PUT_VALUE = {"terrane_put_value",
                                         "INSERT INTO terrane_values (name, bytes) VALUES ($1, $2) "
                                         "ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes",
                                         6,
                                         2,
                                         {TRN_PG_BYTEA, TRN_PG_BYTEA}};
/// Raises a value that many programs write, such as the revision, unless another transaction is
/// just writing it: owners of different regions must not wait for each other.
static const TrnPgStatement PUT_COMMON_VALUE = {
    "terrane_put_common_value",
    "WITH k AS (SELECT name FROM terrane_values WHERE name = $1 FOR UPDATE SKIP LOCKED), "
    "u AS (UPDATE terrane_values AS v SET bytes = $2 FROM k WHERE v.name = k.name) "
    "INSERT INTO terrane_values (name, bytes) SELECT $1, $2 "
    "WHERE NOT EXISTS (SELECT 1 FROM terrane_values WHERE name = $1) ON CONFLICT (name) DO NOTHING",
    55,
    2,
    {TRN_PG_BYTEA, TRN_PG_BYTEA}};
/// Waits for a transaction that is putting the same name.
static const TrnPgStatement PUT_NEW_VALUE = {
    "terrane_put_new_value",
    "INSERT INTO terrane_values (name, bytes) VALUES ($1, $2) "
    "ON CONFLICT (name) DO NOTHING RETURNING 1",
    20,
    2,
    {TRN_PG_BYTEA, TRN_PG_BYTEA}};
static const TrnPgStatement PUT_DROP_VALUE = {
    "terrane_drop_value", "DELETE FROM terrane_values WHERE name = $1", 7, 1, {TRN_PG_BYTEA}};
static const TrnPgStatement PUT_TELL = {"terrane_tell",
                                        "SELECT pg_notify('" TRN_PG_CHANNEL
                                        "' || k, $2::text) FROM unnest($1::bigint[]) AS k",
                                        21,
                                        2,
                                        {TRN_PG_INT8S, TRN_PG_INT8}};

// ---- order -----------------------------------------------------------------------------------

void trn_pg_add_keys(TrnPgBytes params[5], const TrnStorageKey *const *keys, size_t count)
{
    trn_pg_begin_array(&params[0], TRN_PG_INT8, count);
    for (int i = 1; i < 5; i++) {
        trn_pg_begin_array(&params[i], TRN_PG_INT4, count);
    }
    for (size_t i = 0; i < count; i++) {
        const TrnStorageKey *key = keys[i];
        trn_pg_append_number_item(&params[0], (uint64_t)trn_storage_region(key), 8);
        trn_pg_append_number_item(&params[1], key->level, 4);
        trn_pg_append_number_item(&params[2], (uint32_t)key->coord.x, 4);
        trn_pg_append_number_item(&params[3], (uint32_t)key->coord.y, 4);
        trn_pg_append_number_item(&params[4], (uint32_t)key->coord.z, 4);
    }
}

static int put_order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int put_compare_keys(const TrnPgItem *a, const TrnPgItem *b)
{
    const TrnStorageKey *one = &a->row->key, *other = &b->row->key;
    int order = put_order(a->region, b->region);
    order = order ? order : put_order(one->level, other->level);
    order = order ? order : put_order(one->coord.x, other->coord.x);
    order = order ? order : put_order(one->coord.y, other->coord.y);
    return order ? order : put_order(one->coord.z, other->coord.z);
}

/// By key, and rows of one key as they stand in the batch.
static int put_compare(const void *a, const void *b)
{
    const TrnPgItem *one = a, *other = b;
    const int order = put_compare_keys(one, other);
    return order ? order : one->row < other->row ? -1 : one->row > other->row;
}

/// Sorts a batch, so that two writers lock rows in one order, and leaves the last row of each key.
static void put_sort(TrnPgPut *put)
{
    TrnPgItem *items = put->items;
    const size_t rows = put->batch->row_count;
    for (size_t i = 0; i < rows; i++) {
        const TrnStorageRow *row = &put->batch->rows[i];
        items[i] = (TrnPgItem){.region = trn_storage_region(&row->key), .row = row};
    }
    if (rows) {
        qsort(items, rows, sizeof *items, put_compare);
    }
    for (size_t i = 0; i < rows; i++) {
        const bool is_replaced = i + 1 < rows && put_compare_keys(&items[i], &items[i + 1]) == 0;
        items[put->count] = items[i];
        put->count += !is_replaced;
    }
    for (size_t i = 0; i < put->count; i++) {
        if (i == 0 || items[i].region != items[i - 1].region) {
            put->regions[put->region_count++] = items[i].region;
        }
    }
}

bool trn_pg_put_begin(TrnPgPut *put, const TrnStorageBatch *batch, TrnLeases *leases)
{
    *put = (TrnPgPut){.batch = batch, .leases = leases};
    put->items = calloc(batch->row_count + 1, sizeof *put->items);
    put->regions = calloc(batch->row_count + 1, sizeof *put->regions);
    if (!put->items || !put->regions) {
        return false;
    }
    put_sort(put);
    return true;
}

void trn_pg_put_end(TrnPgPut *put)
{
    free(put->items);
    free(put->regions);
}

// ---- statements --------------------------------------------------------------------------------

/// Runs a statement and forgets its parameters.
static bool put_execute(TrnPgLink *link, const TrnPgStatement *statement, TrnPgBytes *params)
{
    const bool is_done = trn_pg_list_bytes(link, statement, params, NULL, NULL);
    (void)trn_pg_free_params(params, TRN_PG_PARAMS_MAX);
    return is_done;
}

/// Writes rows that all have bytes, or all have none. @param items  [count]
static bool put_part(TrnPgLink *link, const TrnPgItem *items, size_t count)
{
    const TrnStorageKey *keys[TRN_PG_ROWS_MAX] = {NULL};
    TrnPgBytes params[TRN_PG_PARAMS_MAX] = {{0}};
    const bool is_removal = !items[0].row->bytes;
    for (size_t i = 0; i < count; i++) {
        keys[i] = &items[i].row->key;
    }
    trn_pg_add_keys(params, keys, count);
    if (is_removal) {
        return put_execute(link, &PUT_DROP, params);
    }
    trn_pg_begin_array(&params[5], TRN_PG_INT8, count);
    trn_pg_begin_array(&params[6], TRN_PG_BYTEA, count);
    for (size_t i = 0; i < count; i++) {
        trn_pg_append_number_item(&params[5], items[i].row->revision, 8);
        trn_pg_append_item(&params[6], items[i].row->bytes, items[i].row->size);
    }
    return put_execute(link, &PUT_ROWS, params);
}

static bool put_rows(TrnPgLink *link, const TrnPgItem *items, size_t count)
{
    bool is_good = true;
    for (size_t at = 0; at < count && is_good;) {
        size_t end = at, bytes = 0;
        do {
            bytes += items[end++].row->size;
        } while (end < count && end - at < TRN_PG_ROWS_MAX && bytes < PUT_BYTES_MAX &&
                 !items[end].row->bytes == !items[at].row->bytes);
        is_good = put_part(link, items + at, end - at);
        at = end;
    }
    return is_good;
}

static bool put_value(TrnPgLink *link, const TrnStorageValue *value, bool has_leases)
{
    const TrnPgParam params[] = {{.bytes = value->name, .count = strlen(value->name)},
                                 {.bytes = value->bytes, .count = value->size}};
    const bool is_common = has_leases && strcmp(value->name, TRN_SAVE_REVISION_NAME) == 0;
    return trn_pg_do(link,
                     !value->bytes ? &PUT_DROP_VALUE
                     : is_common   ? &PUT_COMMON_VALUE
                                   : &PUT_VALUE,
                     params);
}

static bool put_new_value(TrnPgLink *link, const TrnStorageValue *value)
{
    const TrnPgParam params[] = {{.bytes = value->name, .count = strlen(value->name)},
                                 {.bytes = value->bytes, .count = value->size}};
    int64_t put;
    const int rows = trn_pg_ask(link, &PUT_NEW_VALUE, params, 1, &put);
    return rows > 0 || (rows == 0 && trn_pg_refuse(link, TRN_RESULT_EXISTS,
                                                   "another program has put a value that was to "
                                                   "be new"));
}

static bool put_values(TrnPgLink *link, const TrnStorageBatch *batch, bool has_leases)
{
    const size_t old = batch->value_count - batch->new_value_count;
    bool is_good = true;
    for (size_t i = 0; i < batch->value_count && is_good; i++) {
        const TrnStorageValue *value = &batch->values[i];
        is_good = i < old ? put_value(link, value, has_leases) : put_new_value(link, value);
    }
    return is_good;
}

/// Appends the coordinates of the chunks of level 0 of a region, or none if there are too many.
/// @param items  [count] of that region, by level
static void put_list_chunks(TrnPgBytes *to, const TrnPgItem *items, size_t count)
{
    unsigned char chunks[TRN_PG_CHANGE_CHUNKS_MAX][TRN_PG_CHANGE_CHUNK_BYTES];
    const bool is_listed = count <= TRN_PG_CHANGE_CHUNKS_MAX;
    for (size_t i = 0; i < count && is_listed; i++) {
        const TrnCoord coord = items[i].row->key.coord;
        const uint32_t numbers[3] = {(uint32_t)coord.x, (uint32_t)coord.y, (uint32_t)coord.z};
        for (size_t byte = 0; byte < TRN_PG_CHANGE_CHUNK_BYTES; byte++) {
            chunks[i][byte] = (unsigned char)(numbers[byte / 4] >> (24 - byte % 4 * 8));
        }
    }
    trn_pg_append_item(to, chunks, is_listed ? count * TRN_PG_CHANGE_CHUNK_BYTES : 0);
}

static bool put_visit_change(void *user, const TrnPgField *row)
{
    const TrnPgPut *put = user;
    trn_leases_note_change(put->leases, row[0].number, row[1].number);
    return true;
}

/// Raises the changes of the regions with rows of level 0.
static bool put_changes(TrnPgLink *link, TrnPgPut *put)
{
    TrnPgBytes params[TRN_PG_PARAMS_MAX] = {{0}};
    const TrnPgItem *items = put->items;
    size_t count = 0, next;
    for (size_t i = 0; i < put->count; i++) {
        count += items[i].row->key.level == 0 &&
                 (i == 0 || items[i].region != items[i - 1].region); // levels are in order
    }
    if (!count) {
        return true;
    }
    trn_pg_begin_array(&params[0], TRN_PG_INT8, count);
    trn_pg_begin_array(&params[1], TRN_PG_BYTEA, count);
    for (size_t at = 0; at < put->count; at = next) {
        size_t chunks = 0;
        for (next = at; next < put->count && items[next].region == items[at].region; next++) {
            chunks += items[next].row->key.level == 0;
        }
        if (chunks) {
            trn_pg_append_number_item(&params[0], (uint64_t)items[at].region, 8);
            put_list_chunks(&params[1], items + at, chunks);
        }
    }
    const bool is_done = trn_pg_list_bytes(link, &PUT_CHANGES, params, put_visit_change, put);
    (void)trn_pg_free_params(params, TRN_PG_PARAMS_MAX);
    return is_done;
}

/// Whether all of a batch fits into what a socket takes at once: see trn_pg_pipe_begin.
static bool put_is_small(const TrnPgPut *put)
{
    const TrnStorageBatch *batch = put->batch;
    size_t bytes = 0;
    bool has_removals = false;
    for (size_t i = 0; i < put->count; i++) {
        bytes += put->items[i].row->size + PUT_ROW_BYTES;
        has_removals = has_removals || !put->items[i].row->bytes;
    }
    for (size_t i = 0; i < batch->value_count; i++) {
        bytes += batch->values[i].size + PUT_ROW_BYTES;
    }
    return bytes <= PUT_SMALL_BYTES && !has_removals && !batch->new_value_count &&
           batch->value_count <= PUT_SMALL_VALUES;
}

/// Returns the rider of a batch that has all of its rows; NULL: there is none.
static TrnPgRider *put_find_rider(const TrnPgPut *put)
{
    TrnPgRider *rider = trn_leases_rider(put->leases);
    size_t rows = 0;
    for (size_t i = 0; rider && i < put->count; i++) {
        rows += put->items[i].region == rider->region && put->items[i].row->key.level == 0;
    }
    return rider && rows >= rider->rows ? rider : NULL;
}

/// Sends the statements of a batch.
static bool put_all(TrnPgLink *link, TrnPgPut *put, bool has_leases)
{
    return (!has_leases || trn_leases_check(put->leases, link, put->regions, put->region_count)) &&
           put_changes(link, put) && put_rows(link, put->items, put->count) &&
           put_values(link, put->batch, trn_leases_are_on(put->leases)) &&
           (!put->rider || put->rider->add(link, put->rider->context));
}

/// Ends a transaction that failed. @return false
static bool put_fail(TrnPgLink *link, const TrnPgPut *put)
{
    const TrnPgFault why = link->fault;
    for (size_t i = 0; i < put->region_count; i++) {
        trn_leases_note_change(put->leases, put->regions[i], 0);
    }
    if (link->db && !why.is_lost && PQtransactionStatus(link->db) != PQTRANS_IDLE &&
        !trn_pg_run(link, "ROLLBACK")) {
        trn_pg_disconnect(link);
    }
    link->fault = why;
    return false;
}

/// Small batches are one message to the server; in larger ones each statement is answered.
bool trn_pg_put_write(TrnPgLink *link, void *context)
{
    TrnPgPut *put = context;
    const bool has_leases = put->region_count && trn_leases_are_on(put->leases);
    const bool is_small = put_is_small(put);
    TrnPgPipe pipe;
    put->rider = has_leases ? put_find_rider(put) : NULL;
    const bool is_begun = is_small ? trn_pg_pipe_begin(link, &pipe) : trn_pg_run(link, "BEGIN");
    bool is_good = is_begun && put_all(link, put, has_leases);
    if (is_begun && is_small) {
        is_good = trn_pg_pipe_end(link, is_good);
    } else {
        is_good = is_good && trn_pg_run(link, "COMMIT");
    }
    if (is_good && put->rider) {
        put->rider->is_done = true;
    }
    return is_good || put_fail(link, put);
}

bool trn_pg_tell(TrnPgLink *link, const int64_t *regions, size_t count, int64_t teller)
{
    const TrnPgParam params[] = {{.numbers = regions, .count = count}, {.number = teller}};
    if (!count) {
        return true;
    }
    const bool is_told = link->db && trn_pg_do(link, &PUT_TELL, params);
    if (!is_told && link->fault.is_lost) {
        trn_pg_disconnect(link);
    }
    return is_told;
}
