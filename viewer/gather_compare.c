#include "gather_compare.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define ARRAY_TRIES_AGAIN_AFTER 60 // frames

static bool create_lists(GatherCompare *compare)
{
    const size_t capacity = compare->capacity;
    bool made = true;
    for (int i = 0; i < GATHER_COUNT; i++) {
        compare->answers[i] = malloc(capacity * sizeof(void *));
        made = made && compare->answers[i];
    }
    compare->frame_answer = malloc(capacity * sizeof(TrnChunk *));
    compare->cells = malloc(capacity * sizeof(void *));
    return made && compare->frame_answer && compare->cells;
}

bool gather_compare_create(GatherCompare *compare, int view_distance, Message *problem)
{
    size_t edge = 2 * (size_t)view_distance + 1;
    *compare = (GatherCompare){.capacity = edge * edge * edge, .array_holds = true};
    const TrnSpatialArrayDef array = trn_spatial_array_def(sizeof(TrnChunk *));
    compare->map = hash_baseline_create();
    if (!compare->map || trn_spatial_array_create(&array, &compare->array) != TRN_RESULT_OK ||
        !create_lists(compare)) {
        size_t capacity = compare->capacity;
        gather_compare_free(compare);
        return message_set(problem,
                           "There is no memory for lists of %zu chunks; choose a smaller "
                           "--view-distance.",
                           capacity);
    }
    return true;
}

void gather_compare_free(GatherCompare *compare)
{
    if (compare->map) {
        hash_baseline_destroy(compare->map);
    }
    trn_spatial_array_destroy(compare->array);
    free(compare->frame_answer);
    free(compare->cells);
    free(compare->changes);
    samples_free(&compare->chunks);
    samples_free(&compare->frame_us);
    for (int i = 0; i < GATHER_COUNT; i++) {
        free(compare->answers[i]);
        samples_free(&compare->us[i]);
    }
    *compare = (GatherCompare){0};
}

void gather_compare_note(GatherCompare *compare, TrnCoord coord, TrnChunk *chunk)
{
    if (compare->change_count == compare->change_capacity) {
        size_t capacity = compare->change_capacity ? compare->change_capacity * 2 : 1024;
        GatherChange *changes = realloc(compare->changes, capacity * sizeof *changes);
        if (!changes) {
            compare->lost = true;
            return;
        }
        compare->changes = changes;
        compare->change_capacity = capacity;
    }
    compare->changes[compare->change_count++] = (GatherChange){coord, chunk};
}

size_t gather_compare_frame(GatherCompare *compare, const TrnStore *store, TrnBox box)
{
    double start = clock_us();
    size_t count = trn_store_gather(store, box, compare->frame_answer, compare->capacity);
    compare->figures.frame_us = clock_us() - start;
    compare->figures.chunks = count;
    return count;
}

// ---- the mirrors --------------------------------------------------------------------------------

/// Keeps the array's box near its chunks, as a game would have to: where a walk has left more than 64 cells a chunk behind, it is
/// cut down before it grows.
static bool array_insert(TrnSpatialArray *array, TrnCoord coord, TrnChunk *chunk)
{
    TrnSpatialArrayStats stats = trn_spatial_array_stats(array);
    if (!trn_spatial_array_cell(array, coord) && stats.cells / 32 > stats.count &&
        trn_spatial_array_shrink(array) != TRN_RESULT_OK) {
        return false;
    }
    return trn_spatial_array_insert(array, coord, &chunk) == TRN_RESULT_OK;
}

/// Gives the array up: after a jump its box would have to span both places.
static void array_give_up(GatherCompare *compare)
{
    compare->array_holds = false;
    trn_spatial_array_clear(compare->array);
    (void)trn_spatial_array_shrink(compare->array); // empty: gives its cells back, and cannot fail
}

/// Fills the array anew, now that the chunks may lie close enough.
static void array_try_again(GatherCompare *compare, const TrnStore *store)
{
    size_t count = trn_store_stats(store).chunks;
    TrnChunk **all = malloc((count ? count : 1) * sizeof(TrnChunk *));
    compare->array_holds = all != NULL;
    count = all ? trn_store_gather(store, trn_box_everything(), all, count) : 0;
    for (size_t i = 0; i < count && compare->array_holds; i++) {
        compare->array_holds = array_insert(compare->array, all[i]->coord, all[i]);
    }
    free(all);
    if (!compare->array_holds) {
        array_give_up(compare);
    }
}

void gather_compare_settle(GatherCompare *compare)
{
    for (size_t i = 0; i < compare->change_count; i++) {
        const GatherChange *change = &compare->changes[i];
        if (!change->chunk) {
            hash_baseline_remove(compare->map, change->coord);
            (void)trn_spatial_array_remove(compare->array, change->coord);
            continue;
        }
        compare->lost |= !hash_baseline_insert(compare->map, change->coord, change->chunk);
        if (compare->array_holds && !array_insert(compare->array, change->coord, change->chunk)) {
            array_give_up(compare);
        }
    }
    compare->change_count = 0;
}

// ---- the comparison -----------------------------------------------------------------------------

static size_t ask(GatherCompare *compare, GatherContender who, const TrnStore *store, TrnBox box)
{
    void **answer = compare->answers[who];
    size_t count = 0;
    double start = clock_us();
    if (who == GATHER_ARRAY && !compare->array_holds) {
        compare->figures.us[who] = 0;
        return 0;
    }
    if (who == GATHER_INDEX) {
        count = trn_store_gather(store, box, (TrnChunk **)answer, compare->capacity);
    } else if (who == GATHER_ARRAY) {
        count = trn_spatial_array_gather(compare->array, box, answer, compare->capacity);
    } else {
        count = hash_baseline_gather_probe(compare->map, box, answer, compare->capacity);
    }
    compare->figures.us[who] = clock_us() - start;
    return count;
}

/// Puts the chunks of the frame's answer at their places in the box; false when two claim one place.
static bool place_chunks(GatherCompare *compare, TrnBox box)
{
    const int64_t width = (int64_t)box.max.x - box.min.x + 1;
    const int64_t depth = (int64_t)box.max.z - box.min.z + 1;
    memset(compare->cells, 0, compare->capacity * sizeof *compare->cells);
    for (size_t i = 0; i < compare->figures.chunks; i++) {
        TrnChunk *chunk = compare->frame_answer[i];
        if (!trn_box_contains(box, chunk->coord)) {
            return false;
        }
        int64_t cell = ((int64_t)chunk->coord.x - box.min.x) +
                       width * (((int64_t)chunk->coord.z - box.min.z) +
                                depth * ((int64_t)chunk->coord.y - box.min.y));
        if (compare->cells[cell]) {
            return false;
        }
        compare->cells[cell] = chunk;
    }
    return true;
}

/// Whether all answers name the chunks of the frame's. The index answers page by page, array and map by y, z and x: these two are
/// held against the frame's chunks in that order.
static bool answers_equal(GatherCompare *compare, const size_t counts[GATHER_COUNT], TrnBox box)
{
    const size_t count = compare->figures.chunks;
    const bool has_array = compare->array_holds;
    if (counts[GATHER_INDEX] != count || counts[GATHER_MAP] != count ||
        (has_array && counts[GATHER_ARRAY] != count) || count > compare->capacity) {
        return false;
    }
    if (memcmp(compare->answers[GATHER_INDEX], compare->frame_answer, count * sizeof(void *)) !=
            0 ||
        !place_chunks(compare, box)) {
        return false;
    }
    size_t next = 0;
    for (size_t cell = 0; cell < compare->capacity && next < count; cell++) {
        void *chunk = compare->cells[cell];
        if (chunk && (compare->answers[GATHER_MAP][next] != chunk ||
                      (has_array && compare->answers[GATHER_ARRAY][next] != chunk))) {
            return false;
        }
        next += chunk != NULL;
    }
    return next == count;
}

static void keep_samples(GatherCompare *compare)
{
    const GatherFigures *figures = &compare->figures;
    compare->lost |= !samples_add(&compare->chunks, (double)figures->chunks) ||
                     !samples_add(&compare->frame_us, figures->frame_us);
    for (int i = 0; i < GATHER_COUNT; i++) {
        if (i != GATHER_ARRAY || compare->array_holds) {
            compare->lost |= !samples_add(&compare->us[i], figures->us[i]);
        }
    }
}

void gather_compare_after(GatherCompare *compare, const TrnStore *store, TrnBox box)
{
    gather_compare_settle(compare);
    if (compare->lost) {
        return;
    }
    if (!compare->array_holds && compare->compared % ARRAY_TRIES_AGAIN_AFTER == 0) {
        array_try_again(compare, store);
    }
    // Who comes first finds the caches as the frame left them; they take turns.
    size_t counts[GATHER_COUNT] = {0};
    for (uint64_t i = 0; i < GATHER_COUNT; i++) {
        GatherContender who = (GatherContender)((compare->compared + i) % GATHER_COUNT);
        counts[who] = ask(compare, who, store, box);
    }
    compare->compared++;
    compare->equal += answers_equal(compare, counts, box);
    if (compare->keep_samples) {
        keep_samples(compare);
    }
}
