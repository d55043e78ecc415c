// The voxels that a fluid has yet to look at: sets by chunk, lane and state.

#include "fluid/fluid_queue.h"

#include <stdalign.h>
#include <string.h>

static TrnFluidChunk *fluid_queue_chunk(const TrnFluidQueue *queue, TrnCoord coord)
{
    const TrnCoordEntry *entry = trn_coord_map_find(&queue->chunks, coord);
    return entry ? entry->pointer : NULL;
}

// ---- lists -------------------------------------------------------------------------------------

static void fluid_queue_list_append(TrnFluidList *list, TrnFluidSet *set)
{
    set->next = NULL;
    if (list->last) {
        list->last->next = set;
    } else {
        list->first = set;
    }
    list->last = set;
}

int trn_fluid_coord_compare(TrnCoord a, TrnCoord b)
{
    if (a.y != b.y) {
        return a.y < b.y ? -1 : 1;
    }
    if (a.z != b.z) {
        return a.z < b.z ? -1 : 1;
    }
    return (a.x > b.x) - (a.x < b.x);
}

static TrnFluidSet *fluid_queue_merge(TrnFluidSet *a, TrnFluidSet *b)
{
    TrnFluidSet *first = NULL, **end = &first;
    while (a && b) {
        TrnFluidSet **least =
            trn_fluid_coord_compare(a->chunk->coord, b->chunk->coord) <= 0 ? &a : &b;
        *end = *least;
        end = &(*least)->next;
        *least = (*least)->next;
    }
    *end = a ? a : b;
    return first;
}

/// Orders a list by coordinate: a merge sort, since it needs no memory. Place i of `runs` holds a
/// sorted run of 2^i sets.
static TrnFluidSet *fluid_queue_sort(TrnFluidSet *first)
{
    TrnFluidSet *runs[32] = {NULL}, *sorted = NULL;
    while (first) {
        TrnFluidSet *run = first;
        first = first->next;
        run->next = NULL;
        uint32_t i = 0;
        for (; runs[i]; i++) {
            run = fluid_queue_merge(runs[i], run);
            runs[i] = NULL;
        }
        runs[i] = run;
    }
    for (uint32_t i = 0; i < 32; i++) {
        sorted = fluid_queue_merge(runs[i], sorted);
    }
    return sorted;
}

static void fluid_queue_sort_list(TrnFluidList *list)
{
    list->first = fluid_queue_sort(list->first);
    list->last = list->first;
    while (list->last && list->last->next) {
        list->last = list->last->next;
    }
}

// ---- sets --------------------------------------------------------------------------------------

/// A set without voxels and without a place. NULL: no memory.
static TrnFluidSet *fluid_queue_take_set(TrnFluidQueue *queue, const TrnAllocator *allocator)
{
    TrnFluidSet *set = queue->spare;
    if (set) {
        queue->spare = set->next;
        queue->spare_count--;
        return set;
    }
    set = trn_take(allocator, sizeof *set, TRN_CACHE_LINE);
    if (set) {
        memset(set, 0, sizeof *set);
    }
    return set;
}

/// Keeps a set without a place for reuse, or frees it.
static void fluid_queue_give_set(TrnFluidQueue *queue, const TrnAllocator *allocator,
                                 TrnFluidSet *set)
{
    if (queue->spare_count == TRN_FLUID_SPARE_MAX) {
        trn_give(allocator, set, sizeof *set);
        return;
    }
    for (uint32_t layers = set->layers; layers; layers &= layers - 1) {
        const uint32_t first = (uint32_t)__builtin_ctz(layers) * TRN_CHUNK_EDGE;
        memset(&set->rows[first], 0, TRN_CHUNK_EDGE * sizeof *set->rows);
    }
    set->layers = set->voxels = 0;
    set->is_put_off = false;
    set->next = queue->spare;
    queue->spare = set;
    queue->spare_count++;
}

/// Frees the spare sets.
static void fluid_queue_trim(TrnFluidQueue *queue, const TrnAllocator *allocator)
{
    for (TrnFluidSet *set = queue->spare, *next; set; set = next) {
        next = set->next;
        trn_give(allocator, set, sizeof *set);
    }
    queue->spare = NULL;
    queue->spare_count = 0;
}

/// Frees the record of a chunk without sets, and the spare sets with the last one.
static void fluid_queue_drop_chunk(TrnFluidQueue *queue, const TrnAllocator *allocator,
                                   TrnFluidChunk *chunk)
{
    if (chunk->count == 0) {
        trn_coord_map_remove(&queue->chunks, trn_coord_map_find(&queue->chunks, chunk->coord));
        trn_coord_map_trim(&queue->chunks, allocator);
        trn_give(allocator, chunk, sizeof *chunk);
    }
    if (queue->chunks.count == 0) {
        fluid_queue_trim(queue, allocator);
    }
}

static TrnFluidChunk *fluid_queue_add_chunk(TrnFluidQueue *queue, const TrnAllocator *allocator,
                                            TrnCoord coord)
{
    TrnFluidChunk *chunk = trn_take(allocator, sizeof *chunk, alignof(TrnFluidChunk));
    if (!chunk) {
        return NULL;
    }
    if (trn_coord_map_reserve(&queue->chunks, allocator, 1) != TRN_RESULT_OK) {
        trn_give(allocator, chunk, sizeof *chunk);
        return NULL;
    }
    *chunk = (TrnFluidChunk){.coord = coord};
    trn_coord_map_add(&queue->chunks, coord)->pointer = chunk;
    return chunk;
}

/// Links a set into the place of its lane and state, which is empty.
static void fluid_queue_link(TrnFluidQueue *queue, TrnFluidSet *set)
{
    set->chunk->sets[set->lane][set->state] = set;
    set->chunk->count++;
    queue->sets[set->state]++;
    queue->voxels[set->state] += set->voxels;
    if (set->state != TRN_FLUID_ASLEEP) {
        fluid_queue_list_append(&queue->lists[set->lane][set->state], set);
    }
}

/// Takes a set out of its place, not out of its list.
static void fluid_queue_unlink(TrnFluidQueue *queue, TrnFluidSet *set)
{
    set->chunk->sets[set->lane][set->state] = NULL;
    set->chunk->count--;
    queue->sets[set->state]--;
    queue->voxels[set->state] -= set->voxels;
}

TrnFluidSet *trn_fluid_queue_get(TrnFluidQueue *queue, const TrnAllocator *allocator,
                                 TrnCoord coord, uint32_t lane, TrnFluidState state)
{
    TrnFluidChunk *chunk = fluid_queue_chunk(queue, coord);
    if (chunk && chunk->sets[lane][state]) {
        return chunk->sets[lane][state];
    }
    TrnFluidSet *set = fluid_queue_take_set(queue, allocator);
    chunk = set && !chunk ? fluid_queue_add_chunk(queue, allocator, coord) : chunk;
    if (!set || !chunk) {
        trn_give(allocator, set, sizeof *set);
        return NULL;
    }
    set->chunk = chunk;
    set->lane = lane;
    set->state = state;
    fluid_queue_link(queue, set);
    return set;
}

void trn_fluid_queue_add_rows(TrnFluidQueue *queue, TrnFluidSet *set, const uint32_t *rows)
{
    uint32_t added = 0;
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        const uint32_t bits = (rows ? rows[row] : UINT32_MAX) & ~set->rows[row];
        if (bits) {
            set->rows[row] |= bits;
            set->layers |= UINT32_C(1) << row / TRN_CHUNK_EDGE;
            added += (uint32_t)__builtin_popcount(bits);
        }
    }
    set->voxels += added;
    queue->voxels[set->state] += added;
}

void trn_fluid_queue_cut(TrnFluidQueue *queue, TrnFluidSet *set, uint32_t end)
{
    uint32_t left = 0;
    memset(set->rows, 0, end / TRN_CHUNK_EDGE * sizeof *set->rows);
    for (uint32_t row = end / TRN_CHUNK_EDGE; row < TRN_CHUNK_ROWS; row++) {
        const uint32_t kept =
            row == end / TRN_CHUNK_EDGE ? UINT32_MAX << end % TRN_CHUNK_EDGE : UINT32_MAX;
        set->rows[row] &= kept;
        left += (uint32_t)__builtin_popcount(set->rows[row]);
    }
    queue->voxels[set->state] -= set->voxels - left;
    set->voxels = left;
}

void trn_fluid_queue_run(TrnFluidQueue *queue, uint32_t lane)
{
    TrnFluidList *waiting = &queue->lists[lane][TRN_FLUID_WAITING];
    TRN_ASSERT(!queue->lists[lane][TRN_FLUID_RUNNING].first);
    fluid_queue_sort_list(waiting);
    for (TrnFluidSet *set = waiting->first, *next; set; set = next) {
        next = set->next;
        fluid_queue_unlink(queue, set);
        set->state = TRN_FLUID_RUNNING;
        fluid_queue_link(queue, set);
    }
    *waiting = (TrnFluidList){NULL, NULL};
}

/// Takes the first running set of a lane out of its list and its place.
static TrnFluidSet *fluid_queue_take_first(TrnFluidQueue *queue, uint32_t lane)
{
    TrnFluidList *running = &queue->lists[lane][TRN_FLUID_RUNNING];
    TrnFluidSet *set = running->first;
    running->first = set->next;
    running->last = set->next ? running->last : NULL;
    fluid_queue_unlink(queue, set);
    return set;
}

void trn_fluid_queue_pop(TrnFluidQueue *queue, const TrnAllocator *allocator, uint32_t lane)
{
    TrnFluidSet *set = fluid_queue_take_first(queue, lane);
    TrnFluidChunk *chunk = set->chunk;
    fluid_queue_give_set(queue, allocator, set);
    fluid_queue_drop_chunk(queue, allocator, chunk);
}

/// Puts a set without a place into that of another state, or adds its voxels to the set there.
static void fluid_queue_put(TrnFluidQueue *queue, const TrnAllocator *allocator, TrnFluidSet *set,
                            TrnFluidState state)
{
    TrnFluidSet *there = set->chunk->sets[set->lane][state];
    if (there) {
        trn_fluid_queue_add_rows(queue, there, set->rows);
        fluid_queue_give_set(queue, allocator, set);
        return;
    }
    set->state = state;
    fluid_queue_link(queue, set);
}

void trn_fluid_queue_put_off(TrnFluidQueue *queue, const TrnAllocator *allocator, uint32_t lane,
                             TrnFluidState state)
{
    fluid_queue_put(queue, allocator, fluid_queue_take_first(queue, lane), state);
}

static void fluid_queue_wake_chunk(TrnFluidQueue *queue, const TrnAllocator *allocator,
                                   TrnFluidChunk *chunk)
{
    for (uint32_t lane = 0; lane < TRN_FLUID_LANES_MAX; lane++) {
        TrnFluidSet *set = chunk->sets[lane][TRN_FLUID_ASLEEP];
        if (set) {
            fluid_queue_unlink(queue, set);
            fluid_queue_put(queue, allocator, set, TRN_FLUID_WAITING);
        }
    }
}

void trn_fluid_queue_wake(TrnFluidQueue *queue, const TrnAllocator *allocator, TrnCoord coord)
{
    TrnFluidChunk *chunk = fluid_queue_chunk(queue, coord);
    if (chunk) {
        fluid_queue_wake_chunk(queue, allocator, chunk);
    }
}

void trn_fluid_queue_wake_all(TrnFluidQueue *queue, const TrnAllocator *allocator)
{
    for (uint32_t i = 0; i < queue->chunks.capacity; i++) {
        if (queue->chunks.slots[i].is_used) {
            fluid_queue_wake_chunk(queue, allocator, queue->chunks.slots[i].pointer);
        }
    }
}

TrnFluidSet *trn_fluid_queue_sorted(TrnFluidQueue *queue, uint32_t lane, TrnFluidState state)
{
    if (state != TRN_FLUID_ASLEEP) {
        fluid_queue_sort_list(&queue->lists[lane][state]);
        return queue->lists[lane][state].first;
    }
    TrnFluidList asleep = {NULL, NULL};
    for (uint32_t i = 0; i < queue->chunks.capacity; i++) {
        const TrnFluidChunk *chunk =
            queue->chunks.slots[i].is_used ? queue->chunks.slots[i].pointer : NULL;
        if (chunk && chunk->sets[lane][TRN_FLUID_ASLEEP]) {
            fluid_queue_list_append(&asleep, chunk->sets[lane][TRN_FLUID_ASLEEP]);
        }
    }
    return fluid_queue_sort(asleep.first);
}

void trn_fluid_queue_free(TrnFluidQueue *queue, const TrnAllocator *allocator)
{
    for (uint32_t i = 0; i < queue->chunks.capacity; i++) {
        TrnFluidChunk *chunk =
            queue->chunks.slots[i].is_used ? queue->chunks.slots[i].pointer : NULL;
        for (uint32_t at = 0; chunk && at < TRN_FLUID_LANES_MAX * TRN_FLUID_STATES; at++) {
            TrnFluidSet *set = chunk->sets[at / TRN_FLUID_STATES][at % TRN_FLUID_STATES];
            trn_give(allocator, set, sizeof *set);
        }
        trn_give(allocator, chunk, sizeof *chunk);
    }
    fluid_queue_trim(queue, allocator);
    trn_coord_map_free(&queue->chunks, allocator);
    *queue = (TrnFluidQueue){.chunks.key = queue->chunks.key};
}
