#include "gather_compare.h"

#include <stdlib.h>

#include "clock.h"

bool gather_compare_create(GatherCompare *compare, int view_distance, Message *problem)
{
    size_t edge = 2 * (size_t)view_distance + 1;
    size_t capacity = edge * edge * edge;
    *compare = (GatherCompare){.capacity = capacity};
    compare->map = hash_baseline_create();
    compare->frame_answer = malloc(capacity * sizeof(TrnChunk *));
    compare->array_answer = malloc(capacity * sizeof(TrnChunk *));
    compare->map_answer = malloc(capacity * sizeof(void *));
    if (!compare->map || !compare->frame_answer || !compare->array_answer || !compare->map_answer) {
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
    free(compare->frame_answer);
    free(compare->array_answer);
    free(compare->map_answer);
    free(compare->changes);
    samples_free(&compare->chunks);
    samples_free(&compare->frame_us);
    samples_free(&compare->array_us);
    samples_free(&compare->map_us);
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

void gather_compare_settle(GatherCompare *compare)
{
    for (size_t i = 0; i < compare->change_count; i++) {
        const GatherChange *change = &compare->changes[i];
        if (!change->chunk) {
            hash_baseline_remove(compare->map, change->coord);
        } else if (!hash_baseline_insert(compare->map, change->coord, change->chunk)) {
            compare->lost = true;
        }
    }
    compare->change_count = 0;
}

static size_t ask_array(GatherCompare *compare, const TrnStore *store, TrnBox box)
{
    double start = clock_us();
    size_t count = trn_store_gather(store, box, compare->array_answer, compare->capacity);
    compare->figures.array_us = clock_us() - start;
    return count;
}

static size_t ask_map(GatherCompare *compare, TrnBox box)
{
    double start = clock_us();
    size_t count =
        hash_baseline_gather_probe(compare->map, box, compare->map_answer, compare->capacity);
    compare->figures.map_us = clock_us() - start;
    return count;
}

/// Whether all three answers, the frame's too, name the same chunks in the same order.
static bool answers_equal(const GatherCompare *compare, size_t array_count, size_t map_count)
{
    size_t count = compare->figures.chunks;
    if (array_count != count || map_count != count || count > compare->capacity) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        void *chunk = compare->frame_answer[i];
        if (compare->array_answer[i] != chunk || compare->map_answer[i] != chunk) {
            return false;
        }
    }
    return true;
}

static void keep_samples(GatherCompare *compare)
{
    const GatherFigures *figures = &compare->figures;
    compare->lost |= !samples_add(&compare->chunks, (double)figures->chunks) ||
                     !samples_add(&compare->frame_us, figures->frame_us) ||
                     !samples_add(&compare->array_us, figures->array_us) ||
                     !samples_add(&compare->map_us, figures->map_us);
}

void gather_compare_after(GatherCompare *compare, const TrnStore *store, TrnBox box)
{
    gather_compare_settle(compare);
    if (compare->lost) {
        return;
    }
    // Who comes second finds the chunks' cache lines warm; they take turns.
    size_t array_count, map_count;
    if (compare->compared % 2) {
        array_count = ask_array(compare, store, box);
        map_count = ask_map(compare, box);
    } else {
        map_count = ask_map(compare, box);
        array_count = ask_array(compare, store, box);
    }
    compare->compared++;
    compare->equal += answers_equal(compare, array_count, map_count);
    if (compare->keep_samples) {
        keep_samples(compare);
    }
}
