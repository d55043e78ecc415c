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

// ---- bitmaps and lists -------------------------------------------------------------------------

#define QUEUE_LIST_MAX 1024u ///< voxels of a packed list: half of a bitmap

/// Takes memory, and makes room for it if that is needed. NULL: no memory.
static void *fluid_queue_take(TrnFluidQueue *queue, size_t bytes, size_t alignment)
{
    void *memory = trn_take(queue->allocator, bytes, alignment);
    while (!memory && trn_fluid_queue_make_room(queue)) {
        memory = trn_take(queue->allocator, bytes, alignment);
    }
    return memory;
}

/// Takes an empty bitmap. NULL: no memory.
static uint32_t *fluid_queue_take_rows(TrnFluidQueue *queue)
{
    if (queue->spare_count > 0) {
        return queue->spare[--queue->spare_count];
    }
    uint32_t *rows = fluid_queue_take(queue, TRN_CHUNK_ROWS * sizeof *rows, TRN_CACHE_LINE);
    if (rows) {
        memset(rows, 0, TRN_CHUNK_ROWS * sizeof *rows);
    }
    return rows;
}

/// Keeps a bitmap for reuse, or frees it. @param layers  bit y: layer y may have bits
static void fluid_queue_give_rows(TrnFluidQueue *queue, uint32_t *rows, uint32_t layers)
{
    if (!rows || queue->spare_count == TRN_FLUID_SPARE_MAX) {
        trn_give(queue->allocator, rows, TRN_CHUNK_ROWS * sizeof *rows);
        return;
    }
    for (; layers; layers &= layers - 1) {
        const uint32_t first = (uint32_t)__builtin_ctz(layers) * TRN_CHUNK_EDGE;
        memset(&rows[first], 0, TRN_CHUNK_EDGE * sizeof *rows);
    }
    queue->spare[queue->spare_count++] = rows;
}

/// Frees the spare bitmaps.
static void fluid_queue_trim(TrnFluidQueue *queue)
{
    while (queue->spare_count > 0) {
        trn_give(queue->allocator, queue->spare[--queue->spare_count],
                 TRN_CHUNK_ROWS * sizeof(uint32_t));
    }
}

static void fluid_queue_give_list(TrnFluidQueue *queue, TrnFluidSet *set)
{
    trn_give(queue->allocator, set->list, set->list_capacity * sizeof *set->list);
    set->list = NULL;
    set->list_capacity = 0;
}

static const uint16_t *fluid_set_list(const TrnFluidSet *set)
{
    return set->list ? set->list : set->few;
}

/// Writes the voxels of a packed set into an empty bitmap.
static void fluid_set_unpack(const TrnFluidSet *set, uint32_t *rows)
{
    if (set->has_all) {
        const uint32_t first = set->from / TRN_CHUNK_EDGE;
        memset(rows + first, 0xFF, (TRN_CHUNK_ROWS - first) * sizeof *rows);
        rows[first] = UINT32_MAX << set->from % TRN_CHUNK_EDGE;
        return;
    }
    const uint16_t *list = fluid_set_list(set);
    for (uint32_t i = 0; i < set->voxels; i++) {
        rows[list[i] >> TRN_CHUNK_SHIFT] |= UINT32_C(1) << (list[i] & (TRN_CHUNK_EDGE - 1));
    }
}

const uint32_t *trn_fluid_set_rows(const TrnFluidSet *set, uint32_t *scratch)
{
    if (set->rows) {
        return set->rows;
    }
    memset(scratch, 0, TRN_CHUNK_ROWS * sizeof *scratch);
    fluid_set_unpack(set, scratch);
    return scratch;
}

static void fluid_queue_set_voxels(TrnFluidQueue *queue, TrnFluidSet *set, uint32_t voxels)
{
    queue->voxels[set->state] += (uint64_t)voxels - set->voxels;
    set->voxels = voxels;
}

void trn_fluid_queue_add_all(TrnFluidQueue *queue, TrnFluidSet *set)
{
    fluid_queue_give_rows(queue, set->rows, set->layers);
    fluid_queue_give_list(queue, set);
    set->rows = NULL;
    set->has_all = true;
    set->from = 0;
    set->layers = UINT32_MAX;
    fluid_queue_set_voxels(queue, set, TRN_CHUNK_VOXELS);
}

bool trn_fluid_queue_open(TrnFluidQueue *queue, TrnFluidSet *set)
{
    if (set->rows || set->has_all) {
        return set->rows;
    }
    queue->opening = set;
    uint32_t *rows = fluid_queue_take_rows(queue);
    queue->opening = NULL;
    if (!rows) {
        return false;
    }
    fluid_set_unpack(set, rows);
    fluid_queue_give_list(queue, set);
    set->rows = rows;
    return true;
}

/// Lists the voxels of an open set. @param list  [voxels]
static void fluid_set_write_list(const TrnFluidSet *set, uint16_t *list)
{
    for (uint32_t layers = set->layers; layers; layers &= layers - 1) {
        const uint32_t first = (uint32_t)__builtin_ctz(layers) * TRN_CHUNK_EDGE;
        for (uint32_t row = first; row < first + TRN_CHUNK_EDGE; row++) {
            for (uint32_t bits = set->rows[row]; bits; bits &= bits - 1) {
                *list++ = (uint16_t)(row * TRN_CHUNK_EDGE + (uint32_t)__builtin_ctz(bits));
            }
        }
    }
}

bool trn_fluid_queue_pack(TrnFluidQueue *queue, TrnFluidSet *set)
{
    if (!set->rows || (set->voxels > QUEUE_LIST_MAX && set->voxels < TRN_CHUNK_VOXELS)) {
        return false;
    }
    if (set->voxels == TRN_CHUNK_VOXELS) {
        trn_fluid_queue_add_all(queue, set);
        return true;
    }
    if (set->voxels > TRN_FLUID_FEW) {
        // Not fluid_queue_take(): making room packs.
        set->list = trn_take(queue->allocator, set->voxels * sizeof *set->list, alignof(uint64_t));
        if (!set->list) {
            return false;
        }
        set->list_capacity = (uint16_t)set->voxels;
    }
    fluid_set_write_list(set, set->list ? set->list : set->few);
    fluid_queue_give_rows(queue, set->rows, set->layers);
    set->rows = NULL;
    return true;
}

// ---- sets --------------------------------------------------------------------------------------

/// Frees a set without a place.
static void fluid_queue_give_set(TrnFluidQueue *queue, TrnFluidSet *set)
{
    fluid_queue_give_rows(queue, set->rows, set->layers);
    fluid_queue_give_list(queue, set);
    trn_give(queue->allocator, set, sizeof *set);
}

/// Frees the record of a chunk without sets, and the spare bitmaps with the last one.
static void fluid_queue_drop_chunk(TrnFluidQueue *queue, TrnFluidChunk *chunk)
{
    if (!chunk->sets) {
        trn_coord_map_remove(&queue->chunks, trn_coord_map_find(&queue->chunks, chunk->coord));
        trn_coord_map_trim(&queue->chunks, queue->allocator);
        trn_give(queue->allocator, chunk, sizeof *chunk);
    }
    if (queue->chunks.count == 0) {
        fluid_queue_trim(queue);
    }
}

static TrnFluidChunk *fluid_queue_add_chunk(TrnFluidQueue *queue, TrnCoord coord)
{
    TrnFluidChunk *chunk = fluid_queue_take(queue, sizeof *chunk, alignof(TrnFluidChunk));
    TrnResult result = chunk ? TRN_RESULT_NO_MEMORY : TRN_RESULT_OK;
    while (result == TRN_RESULT_NO_MEMORY) {
        result = trn_coord_map_reserve(&queue->chunks, queue->allocator, 1);
        if (result != TRN_RESULT_OK && !trn_fluid_queue_make_room(queue)) {
            trn_give(queue->allocator, chunk, sizeof *chunk);
            return NULL;
        }
    }
    if (chunk) {
        *chunk = (TrnFluidChunk){.coord = coord};
        trn_coord_map_add(&queue->chunks, coord)->pointer = chunk;
    }
    return chunk;
}

static TrnFluidSet *fluid_queue_find(const TrnFluidChunk *chunk, uint32_t lane, TrnFluidState state)
{
    TrnFluidSet *set = chunk ? chunk->sets : NULL;
    while (set && (set->lane != lane || set->state != state)) {
        set = set->other;
    }
    return set;
}

/// Links a set into the place of its lane and state, which is empty.
static void fluid_queue_link(TrnFluidQueue *queue, TrnFluidSet *set)
{
    set->other = set->chunk->sets;
    set->chunk->sets = set;
    queue->sets[set->state]++;
    queue->voxels[set->state] += set->voxels;
    if (set->state != TRN_FLUID_ASLEEP) {
        fluid_queue_list_append(&queue->lists[set->lane][set->state], set);
        return;
    }
    set->older = queue->youngest;
    set->younger = NULL;
    *(set->older ? &set->older->younger : &queue->oldest) = set;
    queue->youngest = set;
}

/// Takes a set out of its place; one that is not asleep not out of its list.
static void fluid_queue_unlink(TrnFluidQueue *queue, TrnFluidSet *set)
{
    TrnFluidSet **link = &set->chunk->sets;
    while (*link != set) {
        link = &(*link)->other;
    }
    *link = set->other;
    queue->sets[set->state]--;
    queue->voxels[set->state] -= set->voxels;
    if (set->state == TRN_FLUID_ASLEEP) {
        *(set->older ? &set->older->younger : &queue->oldest) = set->younger;
        *(set->younger ? &set->younger->older : &queue->youngest) = set->older;
    }
}

TrnFluidSet *trn_fluid_queue_get(TrnFluidQueue *queue, TrnCoord coord, uint32_t lane,
                                 TrnFluidState state)
{
    TrnFluidSet *set = fluid_queue_find(fluid_queue_chunk(queue, coord), lane, state);
    if (set) {
        return set;
    }
    set = fluid_queue_take(queue, sizeof *set, alignof(TrnFluidSet));
    // Making room may have dropped the chunk's record.
    TrnFluidChunk *chunk = fluid_queue_chunk(queue, coord);
    chunk = set && !chunk ? fluid_queue_add_chunk(queue, coord) : chunk;
    if (!set || !chunk) {
        trn_give(queue->allocator, set, sizeof *set);
        return NULL;
    }
    *set = (TrnFluidSet){.chunk = chunk, .lane = (uint8_t)lane, .state = (uint8_t)state};
    fluid_queue_link(queue, set);
    return set;
}

void trn_fluid_queue_add_rows(TrnFluidQueue *queue, TrnFluidSet *set, const uint32_t *rows)
{
    uint32_t added = 0;
    if (!rows || (!set->rows && !trn_fluid_queue_open(queue, set))) {
        trn_fluid_queue_add_all(queue, set);
        return;
    }
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS; row++) {
        const uint32_t bits = rows[row] & ~set->rows[row];
        if (bits) {
            set->rows[row] |= bits;
            set->layers |= UINT32_C(1) << row / TRN_CHUNK_EDGE;
            added += (uint32_t)__builtin_popcount(bits);
        }
    }
    fluid_queue_set_voxels(queue, set, set->voxels + added);
}

/// Takes all voxels below an index out of an open set. @return how many are left
static uint32_t fluid_set_cut_rows(TrnFluidSet *set, uint32_t end)
{
    uint32_t left = 0;
    memset(set->rows, 0, end / TRN_CHUNK_EDGE * sizeof *set->rows);
    for (uint32_t row = end / TRN_CHUNK_EDGE; row < TRN_CHUNK_ROWS; row++) {
        const uint32_t kept =
            row == end / TRN_CHUNK_EDGE ? UINT32_MAX << end % TRN_CHUNK_EDGE : UINT32_MAX;
        set->rows[row] &= kept;
        left += (uint32_t)__builtin_popcount(set->rows[row]);
    }
    return left;
}

void trn_fluid_queue_cut(TrnFluidQueue *queue, TrnFluidSet *set, uint32_t end)
{
    uint32_t left = 0;
    if (set->rows) {
        left = fluid_set_cut_rows(set, end);
    } else if (set->has_all) {
        set->from = (uint16_t)(end > set->from ? end : set->from);
        left = TRN_CHUNK_VOXELS - set->from;
    } else {
        uint16_t *list = set->list ? set->list : set->few;
        for (uint32_t i = 0; i < set->voxels; i++) {
            if (list[i] >= end) {
                list[left++] = list[i];
            }
        }
    }
    fluid_queue_set_voxels(queue, set, left);
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

/// Takes the first set of a list out of it and its place.
static TrnFluidSet *fluid_queue_take_first(TrnFluidQueue *queue, uint32_t lane, TrnFluidState state)
{
    TrnFluidList *list = &queue->lists[lane][state];
    TrnFluidSet *set = list->first;
    list->first = set->next;
    list->last = set->next ? list->last : NULL;
    fluid_queue_unlink(queue, set);
    return set;
}

void trn_fluid_queue_pop(TrnFluidQueue *queue, uint32_t lane)
{
    TrnFluidSet *set = fluid_queue_take_first(queue, lane, TRN_FLUID_RUNNING);
    TrnFluidChunk *chunk = set->chunk;
    fluid_queue_give_set(queue, set);
    fluid_queue_drop_chunk(queue, chunk);
}

/// Adds the voxels of a set to another.
static void fluid_queue_merge_sets(TrnFluidQueue *queue, TrnFluidSet *to, const TrnFluidSet *from)
{
    const uint16_t *list = fluid_set_list(from);
    if (from->has_all) {
        trn_fluid_queue_add_all(queue, to);
    } else if (from->rows) {
        trn_fluid_queue_add_rows(queue, to, from->rows);
    } else {
        for (uint32_t i = 0; i < from->voxels; i++) {
            trn_fluid_queue_add(queue, to, list[i]);
        }
    }
}

/// Puts a set without a place into that of another state, or adds its voxels to the set there.
static void fluid_queue_put(TrnFluidQueue *queue, TrnFluidSet *set, TrnFluidState state)
{
    TrnFluidSet *there = fluid_queue_find(set->chunk, set->lane, state);
    set->is_put_off = false;
    if (there) {
        fluid_queue_merge_sets(queue, there, set);
        fluid_queue_give_set(queue, set);
        set = there;
    } else {
        set->state = (uint8_t)state;
        fluid_queue_link(queue, set);
    }
    if (state == TRN_FLUID_ASLEEP) {
        (void)trn_fluid_queue_pack(queue, set);
    }
}

void trn_fluid_queue_put_off(TrnFluidQueue *queue, uint32_t lane, TrnFluidState state)
{
    fluid_queue_put(queue, fluid_queue_take_first(queue, lane, TRN_FLUID_RUNNING), state);
}

static void fluid_queue_wake_chunk(TrnFluidQueue *queue, TrnFluidChunk *chunk)
{
    for (uint32_t lane = 0; lane < TRN_FLUID_LANES_MAX; lane++) {
        TrnFluidSet *set = fluid_queue_find(chunk, lane, TRN_FLUID_ASLEEP);
        if (set) {
            fluid_queue_unlink(queue, set);
            fluid_queue_put(queue, set, TRN_FLUID_WAITING);
        }
    }
}

void trn_fluid_queue_wake(TrnFluidQueue *queue, TrnCoord coord)
{
    TrnFluidChunk *chunk = fluid_queue_chunk(queue, coord);
    if (chunk) {
        fluid_queue_wake_chunk(queue, chunk);
    }
}

void trn_fluid_queue_wake_all(TrnFluidQueue *queue)
{
    while (queue->oldest) {
        fluid_queue_wake_chunk(queue, queue->oldest->chunk);
    }
}

// ---- dropping ----------------------------------------------------------------------------------

/// The place of a chunk in the filter. It is saved, so the hash stays as it is.
static uint32_t fluid_queue_dropped_bit(TrnCoord coord)
{
    uint32_t hash = (uint32_t)coord.x * UINT32_C(0x9E3779B1) ^
                    (uint32_t)coord.y * UINT32_C(0x85EBCA77) ^
                    (uint32_t)coord.z * UINT32_C(0xC2B2AE3D);
    hash = (hash ^ hash >> 15) * UINT32_C(0x2C1B3C6D);
    return (hash ^ hash >> 13) % TRN_FLUID_DROPPED_BITS;
}

bool trn_fluid_queue_has_dropped(const TrnFluidQueue *queue, TrnCoord coord)
{
    const uint32_t bit = fluid_queue_dropped_bit(coord);
    return queue->dropped[bit / 32] >> bit % 32 & 1;
}

/// Notes that voxels of a chunk are dropped.
static void fluid_queue_note_dropped(TrnFluidQueue *queue, TrnCoord coord)
{
    const uint32_t bit = fluid_queue_dropped_bit(coord);
    queue->dropped[bit / 32] |= UINT32_C(1) << bit % 32;
    queue->dropped_sets++;
}

/// Drops a set that is in its place, and in no list.
static void fluid_queue_drop_set(TrnFluidQueue *queue, TrnFluidSet *set)
{
    TrnFluidChunk *chunk = set->chunk;
    fluid_queue_note_dropped(queue, chunk->coord);
    fluid_queue_unlink(queue, set);
    fluid_queue_give_set(queue, set);
    fluid_queue_drop_chunk(queue, chunk);
}

void trn_fluid_queue_drop(TrnFluidQueue *queue, TrnCoord coord, bool is_loaded)
{
    const TrnFluidChunk *chunk = fluid_queue_chunk(queue, coord);
    for (TrnFluidSet *set = chunk ? chunk->sets : NULL, *next; set; set = next) {
        next = set->other;
        if (set->state == TRN_FLUID_ASLEEP) {
            fluid_queue_drop_set(queue, set);
        } else if (!is_loaded && set->voxels > 0) { // it leaves its list when its turn comes
            fluid_queue_note_dropped(queue, coord);
            fluid_queue_give_rows(queue, set->rows, set->layers);
            fluid_queue_give_list(queue, set);
            set->rows = NULL;
            set->has_all = false;
            set->layers = 0;
            fluid_queue_set_voxels(queue, set, 0);
        }
    }
}

bool trn_fluid_queue_drop_due(TrnFluidQueue *queue)
{
    bool has_any = false;
    for (uint32_t lane = 0; lane < TRN_FLUID_LANES_MAX; lane++) {
        TrnFluidList rest = {NULL, NULL}, *running = &queue->lists[lane][TRN_FLUID_RUNNING];
        if (running->first) { // all but the first wait, to be dropped with the others
            rest = *running;
            rest.first = rest.first->next;
            running->first->next = NULL;
            running->last = running->first;
        }
        for (TrnFluidSet *set = rest.first, *next; set; set = next) {
            next = set->next;
            fluid_queue_drop_set(queue, set);
            has_any = true;
        }
        while (queue->lists[lane][TRN_FLUID_WAITING].first) {
            TrnFluidList *waiting = &queue->lists[lane][TRN_FLUID_WAITING];
            TrnFluidSet *set = waiting->first;
            waiting->first = set->next;
            waiting->last = set->next ? waiting->last : NULL;
            fluid_queue_drop_set(queue, set);
            has_any = true;
        }
    }
    return has_any;
}

/// Makes the sets of a list smaller. @param is_last  by making them sets of all voxels
static bool fluid_queue_shrink(TrnFluidQueue *queue, const TrnFluidList *list, bool is_last)
{
    bool has_freed = false;
    for (TrnFluidSet *set = list->first; set; set = set->next) {
        if (set == queue->running || set == queue->opening) {
            continue;
        }
        if (!is_last) {
            has_freed |= trn_fluid_queue_pack(queue, set);
        } else if (set->rows || set->list) {
            trn_fluid_queue_add_all(queue, set);
            has_freed = true;
        }
    }
    return has_freed;
}

bool trn_fluid_queue_make_room(TrnFluidQueue *queue)
{
    if (queue->spare_count > 0) {
        fluid_queue_trim(queue);
        return true;
    }
    for (TrnFluidSet *set = queue->oldest; set; set = set->younger) {
        if (set != queue->sleeper && set != queue->opening) {
            fluid_queue_drop_set(queue, set);
            return true;
        }
    }
    bool has_freed = false;
    for (uint32_t i = 0; i < 2 && !has_freed; i++) {
        for (uint32_t at = 0; at < TRN_FLUID_LANES_MAX * TRN_FLUID_ASLEEP; at++) {
            has_freed |= fluid_queue_shrink(
                queue, &queue->lists[at / TRN_FLUID_ASLEEP][at % TRN_FLUID_ASLEEP], i > 0);
        }
    }
    return has_freed;
}

// ---- all sets ----------------------------------------------------------------------------------

TrnFluidSet *trn_fluid_queue_sorted(TrnFluidQueue *queue, uint32_t lane, TrnFluidState state)
{
    if (state != TRN_FLUID_ASLEEP) {
        fluid_queue_sort_list(&queue->lists[lane][state]);
        return queue->lists[lane][state].first;
    }
    TrnFluidList asleep = {NULL, NULL};
    for (TrnFluidSet *set = queue->oldest; set; set = set->younger) {
        if (set->lane == lane) {
            fluid_queue_list_append(&asleep, set);
        }
    }
    return fluid_queue_sort(asleep.first);
}

void trn_fluid_queue_free(TrnFluidQueue *queue)
{
    uint64_t at = 0;
    for (TrnCoordEntry *entry; (entry = trn_coord_map_next(&queue->chunks, &at));) {
        TrnFluidChunk *chunk = entry->pointer;
        for (TrnFluidSet *set = chunk->sets, *next; set; set = next) {
            next = set->other;
            fluid_queue_give_set(queue, set);
        }
        trn_give(queue->allocator, chunk, sizeof *chunk);
    }
    fluid_queue_trim(queue);
    trn_coord_map_free(&queue->chunks, queue->allocator);
    *queue = (TrnFluidQueue){.allocator = queue->allocator, .chunks.key = queue->chunks.key};
}
