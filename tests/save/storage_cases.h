/// The cases that every storage passes. Shared by the tests of storages, each of which fills a
/// Fixture in its own setup.
#pragma once

#include "place.h"

#include <pthread.h>
#include <stdatomic.h>

#include <terrane/storage.h>

#define EDGE 4 // of the boxes that are filled

typedef enum StorageKind {
    STORAGE_SQLITE,
    STORAGE_MEMORY,
    STORAGE_OWN,
    STORAGE_POSTGRES,
    STORAGE_SIMULATED
} StorageKind;

typedef struct Fixture {
    Place place;
    char file[PLACE_PATH];
    TrnStorage storage;
    StorageKind kind;
} Fixture;

// ---- rows --------------------------------------------------------------------------------------

static inline TrnStorageRow row_of(TrnStorageKey key, uint64_t revision, const char *text)
{
    return (TrnStorageRow){key, revision, text, text ? strlen(text) : 0};
}

static inline TrnResult put_row(const Fixture *fixture, const TrnStorageRow *row)
{
    const TrnStorageBatch batch = {.rows = row, .row_count = 1};
    return fixture->storage.put(fixture->storage.user, &batch);
}

typedef struct Seen {
    uint32_t count, most;
    uint64_t revisions;
    TrnStorageKey key;
    char text[64];
} Seen;

static inline bool see_row(void *user, const TrnStorageRow *row)
{
    Seen *seen = user;
    seen->count++;
    seen->revisions += row->revision;
    seen->key = row->key;
    assert_true(row->size < sizeof seen->text);
    memcpy(seen->text, row->bytes, row->size);
    seen->text[row->size] = '\0';
    return !seen->most || seen->count < seen->most;
}

static inline Seen get(const Fixture *fixture, TrnStorageKey key)
{
    Seen seen = {0};
    assert_int_equal(fixture->storage.get(fixture->storage.user, &key, 1, see_row, &seen),
                     TRN_RESULT_OK);
    return seen;
}

static inline void rows_are_put_got_replaced_and_removed(void **state)
{
    Fixture *fixture = *state;
    const TrnStorageKey keys[] = {{{INT32_MIN, 0, INT32_MAX}, 0}, {{INT32_MIN, 0, INT32_MAX}, 12}};
    TrnStorageRow row = row_of(keys[0], 1, "first");
    assert_int_equal(get(fixture, keys[0]).count, 0);
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    Seen seen = get(fixture, keys[0]);
    assert_string_equal(seen.text, "first");
    assert_int_equal(seen.revisions, 1);
    assert_true(trn_coord_equal(seen.key.coord, keys[0].coord));
    assert_int_equal(get(fixture, keys[1]).count, 0); // another level
    row = row_of(keys[1], 2, "far");
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    row = row_of(keys[0], UINT64_C(1) << 62, "second");
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    seen = get(fixture, keys[0]);
    assert_string_equal(seen.text, "second");
    assert_int_equal(seen.revisions, UINT64_C(1) << 62);
    assert_string_equal(get(fixture, keys[1]).text, "far");
    row = row_of(keys[0], 4, NULL);
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK);
    assert_int_equal(put_row(fixture, &row), TRN_RESULT_OK); // again is fine
    assert_int_equal(get(fixture, keys[0]).count, 0);
}

static inline void boxes_and_revisions_choose_what_is_listed(void **state)
{
    Fixture *fixture = *state;
    TrnStorageRow rows[EDGE * EDGE * EDGE];
    for (int32_t i = 0; i < EDGE * EDGE * EDGE; i++) {
        const TrnCoord coord = {i % EDGE - 2, i / EDGE % EDGE - 2, i / EDGE / EDGE - 2};
        rows[i] = row_of((TrnStorageKey){coord, 1}, (uint64_t)i + 1, "x");
    }
    const TrnStorageBatch batch = {.rows = rows, .row_count = sizeof rows / sizeof *rows};
    const TrnStorage *storage = &fixture->storage;
    assert_int_equal(storage->put(storage->user, &batch), TRN_RESULT_OK);
    TrnStorageRange range = {1, {{-1, -2, 0}, {0, 1, 9}}, 0};
    Seen seen = {0};
    assert_int_equal(storage->list(storage->user, &range, see_row, &seen), TRN_RESULT_OK);
    assert_int_equal(seen.count, 2 * 4 * 2);
    range = (TrnStorageRange){
        1, {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}, 60};
    seen = (Seen){0};
    assert_int_equal(storage->list(storage->user, &range, see_row, &seen), TRN_RESULT_OK);
    assert_int_equal(seen.count, 4);
    assert_int_equal(seen.revisions, 61 + 62 + 63 + 64);
    range = (TrnStorageRange){1, {{-1, -1, 1}, {-1, INT32_MAX, 1}}, 0}; // a column
    seen = (Seen){0};
    assert_int_equal(storage->list(storage->user, &range, see_row, &seen), TRN_RESULT_OK);
    assert_int_equal(seen.count, 3);
    assert_true(seen.key.coord.x == -1 && seen.key.coord.z == 1 && seen.key.coord.y >= -1);
    range.since = (uint64_t)rows[EDGE * EDGE * EDGE - 1].revision;
    seen = (Seen){0};
    assert_int_equal(storage->list(storage->user, &range, see_row, &seen), TRN_RESULT_OK);
    assert_int_equal(seen.count, 0);
    range = (TrnStorageRange){
        1, {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}, 0};
    seen = (Seen){.most = 3};
    assert_int_equal(storage->list(storage->user, &range, see_row, &seen), TRN_RESULT_OK);
    assert_int_equal(seen.count, 3); // and it can be used again
    range.level = 0;
    seen = (Seen){0};
    assert_int_equal(storage->list(storage->user, &range, see_row, &seen), TRN_RESULT_OK);
    assert_int_equal(seen.count, 0);
}

// ---- values ------------------------------------------------------------------------------------

static inline bool see_value(void *user, const TrnStorageValue *value)
{
    Seen *seen = user;
    seen->count++;
    const size_t length = strlen(seen->text);
    (void)snprintf(seen->text + length, sizeof seen->text - length, "%s=%.*s;", value->name,
                   (int)value->size, (const char *)value->bytes);
    return true;
}

static inline void values_come_by_prefix_in_order_of_their_names(void **state)
{
    Fixture *fixture = *state;
    const TrnStorage *storage = &fixture->storage;
    const TrnStorageValue values[] = {
        {"b/2", "two", 3}, {"b/1", "one", 3}, {"a", "A", 1}, {"b", "", 0}, {"c", "C", 1}};
    TrnStorageBatch batch = {.values = values, .value_count = 5};
    assert_int_equal(storage->put(storage->user, &batch), TRN_RESULT_OK);
    Seen seen = {0};
    assert_int_equal(storage->values(storage->user, "b", see_value, &seen), TRN_RESULT_OK);
    assert_string_equal(seen.text, "b=;b/1=one;b/2=two;");
    const TrnStorageValue changes[] = {{"b/1", NULL, 0}, {"b/2", "2", 1}, {"x", NULL, 0}};
    batch = (TrnStorageBatch){.values = changes, .value_count = 3};
    assert_int_equal(storage->put(storage->user, &batch), TRN_RESULT_OK);
    seen = (Seen){0};
    assert_int_equal(storage->values(storage->user, "", see_value, &seen), TRN_RESULT_OK);
    assert_string_equal(seen.text, "a=A;b=;b/2=2;c=C;");
}

/// A batch whose new values are not all new changes nothing.
static inline void new_values_replace_none(void **state)
{
    Fixture *fixture = *state;
    const TrnStorage *storage = &fixture->storage;
    if (fixture->kind == STORAGE_OWN) {
        return; // one process writes it, so it does not look
    }
    const TrnStorageKey key = {{1, 2, 3}, 0};
    const TrnStorageRow row = row_of(key, 1, "row");
    const TrnStorageValue first[] = {{"a", "1", 1}, {"b", "1", 1}, {"c", "1", 1}};
    TrnStorageBatch batch = {.values = first, .value_count = 3, .new_value_count = 2};
    assert_int_equal(storage->put(storage->user, &batch), TRN_RESULT_OK);
    const TrnStorageValue others[] = {{"a", "2", 1}, {"d", "2", 1}, {"c", "2", 1}};
    batch = (TrnStorageBatch){&row, 1, others, 3, 2};
    assert_int_equal(storage->put(storage->user, &batch), TRN_RESULT_EXISTS);
    Seen seen = {0};
    assert_int_equal(storage->values(storage->user, "", see_value, &seen), TRN_RESULT_OK);
    assert_string_equal(seen.text, "a=1;b=1;c=1;");
    assert_int_equal(get(fixture, key).count, 0);
    batch.value_count = 2; // without "c", so "a" is the only one that is not new
    batch.new_value_count = 1;
    assert_int_equal(storage->put(storage->user, &batch), TRN_RESULT_OK);
    seen = (Seen){0};
    assert_int_equal(storage->values(storage->user, "", see_value, &seen), TRN_RESULT_OK);
    assert_string_equal(seen.text, "a=2;b=1;c=1;d=2;");
    assert_int_equal(get(fixture, key).count, 1);
}

// ---- threads -----------------------------------------------------------------------------------

typedef struct Reader {
    const Fixture *fixture;
    _Atomic(bool) *is_over;
    uint32_t reads;
} Reader;

/// Both rows of a transaction have the same revision.
static inline bool see_pair(void *user, const TrnStorageRow *row)
{
    Seen *seen = user;
    seen->revisions = seen->count++ ? seen->revisions - row->revision : row->revision;
    return true;
}

static inline void *read_pairs(void *user)
{
    Reader *reader = user;
    const TrnStorage *storage = &reader->fixture->storage;
    const TrnStorageRange all = {0, {{0, 0, 0}, {9, 9, 9}}, 0};
    while (!atomic_load(reader->is_over)) {
        Seen seen = {0};
        assert_int_equal(storage->list(storage->user, &all, see_pair, &seen), TRN_RESULT_OK);
        assert_int_equal(seen.count, 2);
        assert_int_equal(seen.revisions, 0);
        reader->reads++;
    }
    return NULL;
}

static inline void readers_see_whole_transactions(void **state)
{
    Fixture *fixture = *state;
    enum { READERS = 3 };
    pthread_t threads[READERS];
    Reader readers[READERS];
    _Atomic(bool) is_over = false;
    for (uint64_t revision = 1; revision <= 40; revision++) {
        const TrnStorageRow rows[] = {row_of((TrnStorageKey){{1, 2, 3}, 0}, revision, "one"),
                                      row_of((TrnStorageKey){{3, 2, 1}, 0}, revision, "other")};
        const TrnStorageBatch batch = {.rows = rows, .row_count = 2};
        assert_int_equal(fixture->storage.put(fixture->storage.user, &batch), TRN_RESULT_OK);
        for (int i = 0; revision == 1 && i < READERS; i++) {
            readers[i] = (Reader){fixture, &is_over, 0};
            assert_int_equal(pthread_create(&threads[i], NULL, read_pairs, &readers[i]), 0);
        }
    }
    atomic_store(&is_over, true);
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
    }
}
