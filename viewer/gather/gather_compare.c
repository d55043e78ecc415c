#include "gather/gather_compare.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define ARRAY_TRIES_AGAIN_AFTER 60 // frames

/// A clock with longer steps cannot time one gather.
#define COARSE_STEP_US 1.0
/// Least time of a measurement with such a clock: in steps, and in microseconds.
#define COARSE_STEPS 4
#define COARSE_LEAST_US 100.0

/// The result arrays; each has the capacity for the box of a view.
typedef struct GatherLists {
    TrnChunk **frame_answer;
    void **answers[GATHER_COUNT];
    void **cells;
} GatherLists;

static void gather_compare_free_lists(GatherLists *lists)
{
    free(lists->frame_answer);
    free(lists->cells);
    for (int i = 0; i < GATHER_COUNT; i++) {
        free(lists->answers[i]);
    }
}

static bool gather_compare_create_lists(GatherLists *lists, size_t capacity)
{
    bool made = true;
    for (int i = 0; i < GATHER_COUNT; i++) {
        lists->answers[i] = malloc(capacity * sizeof(void *));
        made = made && lists->answers[i];
    }
    lists->frame_answer = malloc(capacity * sizeof(TrnChunk *));
    lists->cells = malloc(capacity * sizeof(void *));
    return made && lists->frame_answer && lists->cells;
}

static GatherLists gather_compare_lists_of(const GatherCompare *compare)
{
    GatherLists lists = {.frame_answer = compare->frame_answer, .cells = compare->cells};
    memcpy(lists.answers, compare->answers, sizeof lists.answers);
    return lists;
}

bool gather_compare_resize(GatherCompare *compare, int view_distance, Message *problem)
{
    const size_t edge = 2 * (size_t)view_distance + 1, capacity = edge * edge * edge;
    GatherLists lists = {0}, old = gather_compare_lists_of(compare);
    if (!gather_compare_create_lists(&lists, capacity)) {
        gather_compare_free_lists(&lists);
        return message_set(problem,
                           "Out of memory for lists of %zu chunks; choose a smaller "
                           "--view-distance.",
                           capacity);
    }
    gather_compare_free_lists(&old);
    compare->frame_answer = lists.frame_answer;
    compare->cells = lists.cells;
    memcpy(compare->answers, lists.answers, sizeof lists.answers);
    compare->capacity = capacity;
    compare->figures.chunks = 0; // the lists are empty
    return true;
}

/// Returns how long gathers are repeated with a clock of this step; 0: gathered once.
static double gather_compare_least_us_by(double step_us)
{
    if (step_us <= COARSE_STEP_US) {
        return 0;
    }
    const double steps_us = COARSE_STEPS * step_us;
    return steps_us > COARSE_LEAST_US ? steps_us : COARSE_LEAST_US;
}

bool gather_compare_create(GatherCompare *compare, int view_distance, Message *problem)
{
    *compare = (GatherCompare){.array_holds = true,
                               .used = GATHER_INDEX,
                               .least_us = gather_compare_least_us_by(clock_step_us())};
    const TrnSpatialArrayDef array = trn_spatial_array_def(sizeof(TrnChunk *));
    compare->map = hash_map_create(HASH_MAP_STD);
    compare->flat_map = hash_map_create(HASH_MAP_FLAT);
    if (!compare->map || (hash_map_exists(HASH_MAP_FLAT) && !compare->flat_map) ||
        trn_spatial_array_create(&array, &compare->array) != TRN_RESULT_OK) {
        gather_compare_free(compare);
        return message_set(problem, "Out of memory: cannot compare gathers.");
    }
    if (!gather_compare_resize(compare, view_distance, problem)) {
        gather_compare_free(compare);
        return false;
    }
    return true;
}

void gather_compare_free(GatherCompare *compare)
{
    hash_map_destroy(compare->map);
    trn_spatial_array_destroy(compare->array);
    hash_map_destroy(compare->flat_map);
    GatherLists lists = gather_compare_lists_of(compare);
    gather_compare_free_lists(&lists);
    free(compare->changes);
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

// ---- the mirrors --------------------------------------------------------------------------------

/// Inserts a chunk. Keeps the array's box near its chunks, as a game would: if the array has more
/// than 32 cells a chunk, shrinks it before it grows.
static bool gather_compare_array_insert(TrnSpatialArray *array, TrnCoord coord, TrnChunk *chunk)
{
    TrnSpatialArrayStats stats = trn_spatial_array_stats(array);
    if (!trn_spatial_array_cell(array, coord) && stats.cells / 32 > stats.count &&
        trn_spatial_array_shrink(array) != TRN_RESULT_OK) {
        return false;
    }
    return trn_spatial_array_insert(array, coord, &chunk) == TRN_RESULT_OK;
}

/// Clears the array: after a jump its box would have to span both places.
static void gather_compare_array_give_up(GatherCompare *compare)
{
    compare->array_holds = false;
    trn_spatial_array_clear(compare->array);
    (void)trn_spatial_array_shrink(compare->array); // an empty array frees its cells, and this
                                                    // cannot fail
}

/// Fills the array again, in case the chunks are close enough now.
static void gather_compare_array_try_again(GatherCompare *compare, const TrnStore *store)
{
    size_t count = trn_store_stats(store).chunks;
    TrnChunk **all = malloc((count ? count : 1) * sizeof(TrnChunk *));
    compare->array_holds = all != NULL;
    count = all ? trn_store_gather(store, trn_box_everything(), all, count) : 0;
    for (size_t i = 0; i < count && compare->array_holds; i++) {
        compare->array_holds = gather_compare_array_insert(compare->array, all[i]->coord, all[i]);
    }
    free(all);
    if (!compare->array_holds) {
        gather_compare_array_give_up(compare);
    }
}

void gather_compare_settle(GatherCompare *compare)
{
    for (size_t i = 0; i < compare->change_count; i++) {
        const GatherChange *change = &compare->changes[i];
        if (!change->chunk) {
            hash_map_remove(compare->map, change->coord);
            hash_map_remove(compare->flat_map, change->coord);
            (void)trn_spatial_array_remove(compare->array, change->coord);
            continue;
        }
        compare->lost |= !hash_map_insert(compare->map, change->coord, change->chunk) ||
                         (compare->flat_map &&
                          !hash_map_insert(compare->flat_map, change->coord, change->chunk));
        if (compare->array_holds &&
            !gather_compare_array_insert(compare->array, change->coord, change->chunk)) {
            gather_compare_array_give_up(compare);
        }
    }
    compare->change_count = 0;
}

// ---- the comparison -----------------------------------------------------------------------------

bool gather_compare_has(const GatherCompare *compare, GatherContender who)
{
    const bool is_flat_map = who == GATHER_FLAT_MAP || who == GATHER_FLAT_MAP_FILTERED;
    return (who != GATHER_ARRAY || compare->array_holds) && (!is_flat_map || compare->flat_map);
}

bool gather_compare_use(GatherCompare *compare, GatherContender who)
{
    if (who >= GATHER_CHOICES || (who == GATHER_FLAT_MAP && !compare->flat_map)) {
        return false;
    }
    compare->used = who;
    return true;
}

static size_t gather_from(const GatherCompare *compare, GatherContender who, const TrnStore *store,
                          TrnBox box, void **answer)
{
    switch (who) {
    case GATHER_ARRAY:
        return trn_spatial_array_gather(compare->array, box, answer, compare->capacity);
    case GATHER_FLAT_MAP:
        return hash_map_gather_probe(compare->flat_map, box, answer, compare->capacity);
    case GATHER_FLAT_MAP_FILTERED:
        return hash_map_gather_filter(compare->flat_map, box, answer, compare->capacity);
    case GATHER_MAP:
        return hash_map_gather_probe(compare->map, box, answer, compare->capacity);
    case GATHER_MAP_FILTERED:
        return hash_map_gather_filter(compare->map, box, answer, compare->capacity);
    default:
        return trn_store_gather(store, box, (TrnChunk **)answer, compare->capacity);
    }
}

size_t gather_compare_frame(GatherCompare *compare, const TrnStore *store, TrnBox box)
{
    const double start = clock_us();
    if (compare->used != GATHER_INDEX) {
        gather_compare_settle(compare);
    }
    // If the array or maps miss chunks, the picture would have holes.
    const bool good = !compare->lost && gather_compare_has(compare, compare->used);
    const GatherContender who = good ? compare->used : GATHER_INDEX;
    const size_t count = gather_from(compare, who, store, box, (void **)compare->frame_answer);
    compare->figures.frame_us = clock_us() - start;
    compare->figures.chunks = count;
    compare->frame_in_order = who != GATHER_INDEX;
    return count;
}

/// Returns the other way to query a map.
static GatherContender gather_compare_filtered(GatherContender who)
{
    return who == GATHER_FLAT_MAP ? GATHER_FLAT_MAP_FILTERED
           : who == GATHER_MAP    ? GATHER_MAP_FILTERED
                                  : who;
}

/// Times a gather. @return the number of chunks found
static size_t gather_timed(const GatherCompare *compare, GatherContender who, const TrnStore *store,
                           TrnBox box, void **answer, double *us)
{
    double start = clock_us();
    size_t count = 0;
    if (compare->least_us > 0) {
        (void)gather_from(compare, who, store, box, answer);
        start = clock_next_us();
    }
    int times = 0;
    do {
        count = gather_from(compare, who, store, box, answer);
        times++;
        *us = clock_us() - start;
    } while (*us < compare->least_us);
    *us /= times;
    return count;
}

/// @return whether the contender finds as many chunks in the box as the frame's gather
static bool gather_compare_ask(GatherCompare *compare, GatherContender who, const TrnStore *store,
                               TrnBox box)
{
    GatherFigures *figures = &compare->figures;
    figures->asked[who] = gather_compare_has(compare, who);
    if (!figures->asked[who]) {
        return true;
    }
    return gather_timed(compare, who, store, box, compare->answers[who], &figures->us[who]) ==
           figures->chunks;
}

/// Returns the place of a chunk among the cells of a box.
static size_t gather_compare_cell_of(TrnBox box, TrnCoord coord)
{
    const int64_t width = (int64_t)box.max.x - box.min.x + 1;
    const int64_t depth = (int64_t)box.max.z - box.min.z + 1;
    return (size_t)(((int64_t)coord.x - box.min.x) +
                    width *
                        (((int64_t)coord.z - box.min.z) + depth * ((int64_t)coord.y - box.min.y)));
}

/// Puts the chunks of the index's answer at their places in the box. @return false if two chunks
/// have the same place
static bool gather_compare_place_chunks(GatherCompare *compare, TrnBox box)
{
    memset(compare->cells, 0, compare->capacity * sizeof *compare->cells);
    for (size_t i = 0; i < compare->figures.chunks; i++) {
        TrnChunk *chunk = compare->answers[GATHER_INDEX][i];
        if (!trn_box_contains(box, chunk->coord) ||
            compare->cells[gather_compare_cell_of(box, chunk->coord)]) {
            return false;
        }
        compare->cells[gather_compare_cell_of(box, chunk->coord)] = chunk;
    }
    return true;
}

/// Lists the answers that are ordered by y, z and x.
static size_t gather_compare_ordered_answers(const GatherCompare *compare,
                                             void *const *answers[GATHER_CHOICES + 1])
{
    size_t count = 0;
    for (int who = GATHER_INDEX + 1; who < GATHER_CHOICES; who++) {
        if (compare->figures.asked[who]) {
            answers[count++] = compare->answers[who];
        }
    }
    if (compare->frame_in_order) {
        answers[count++] = (void *const *)compare->frame_answer;
    }
    return count;
}

/// Whether the chunks in the cells equal an answer ordered by y, z and x.
static bool gather_compare_is_in_cells(const GatherCompare *compare, void *const *answer)
{
    const size_t count = compare->figures.chunks;
    size_t next = 0;
    for (size_t cell = 0; cell < compare->capacity && next < count; cell++) {
        if (compare->cells[cell] && compare->cells[cell] != answer[next]) {
            return false;
        }
        next += compare->cells[cell] != NULL;
    }
    return next == count;
}

/// Whether the chunks in the cells equal an answer in any order. Takes each chunk from its cell,
/// which detects duplicates, and then puts all of them back.
static bool gather_compare_is_in_cells_unordered(GatherCompare *compare, TrnBox box,
                                                 void *const *answer)
{
    const size_t count = compare->figures.chunks;
    size_t taken = 0;
    while (taken < count) {
        const TrnCoord coord = ((const TrnChunk *)answer[taken])->coord;
        if (!trn_box_contains(box, coord) ||
            compare->cells[gather_compare_cell_of(box, coord)] != answer[taken]) {
            break;
        }
        compare->cells[gather_compare_cell_of(box, coord)] = NULL;
        taken++;
    }
    for (size_t i = 0; i < taken; i++) {
        compare->cells[gather_compare_cell_of(box, ((const TrnChunk *)answer[i])->coord)] =
            answer[i];
    }
    return taken == count;
}

/// Whether all answers have the same chunks as the frame's. The index answers page by page,
/// filtered maps in their own order, the others by y, z and x: all are compared with the index's
/// chunks, each at its place in the box.
static bool gather_compare_answers_equal(GatherCompare *compare, TrnBox box)
{
    if (compare->figures.chunks > compare->capacity ||
        (!compare->frame_in_order && memcmp(compare->answers[GATHER_INDEX], compare->frame_answer,
                                            compare->figures.chunks * sizeof(void *)) != 0) ||
        !gather_compare_place_chunks(compare, box)) {
        return false;
    }
    void *const *answers[GATHER_CHOICES + 1];
    const size_t ordered = gather_compare_ordered_answers(compare, answers);
    for (size_t i = 0; i < ordered; i++) {
        if (!gather_compare_is_in_cells(compare, answers[i])) {
            return false;
        }
    }
    for (int who = GATHER_CHOICES; who < GATHER_COUNT; who++) {
        if (compare->figures.asked[who] &&
            !gather_compare_is_in_cells_unordered(compare, box, compare->answers[who])) {
            return false;
        }
    }
    return true;
}

void gather_compare_after(GatherCompare *compare, const TrnStore *store, TrnBox box)
{
    gather_compare_settle(compare);
    memset(compare->figures.asked, 0, sizeof compare->figures.asked);
    if (compare->lost) {
        return;
    }
    if (!compare->array_holds && compare->compared % ARRAY_TRIES_AGAIN_AFTER == 0) {
        gather_compare_array_try_again(compare, store);
    }
    // Contenders go first in turn, because the first finds the caches as the frame left them. Maps
    // alternate between both ways.
    const bool is_filtered = compare->compared / GATHER_CHOICES % 2;
    bool counts_equal = true;
    for (uint64_t i = 0; i < GATHER_CHOICES; i++) {
        const GatherContender who = (GatherContender)((compare->compared + i) % GATHER_CHOICES);
        counts_equal &= gather_compare_ask(
            compare, is_filtered ? gather_compare_filtered(who) : who, store, box);
    }
    compare->compared++;
    compare->equal += counts_equal && gather_compare_answers_equal(compare, box);
}
