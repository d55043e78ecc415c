// The queue: the next work of each cell.
//
// Work waits in TRN_STREAM_BUCKETS first-in-first-out lists a lane, with one bit for each list that
// holds cells. A cell's bucket follows from its distance to the anchors when it is queued. As
// anchors move and turn, each update moves the cells of some buckets to where they belong now. A
// heap of all cells would have to be rebuilt whenever a player turns.

#include "stream_queue.h"

#include <math.h>

#define QUEUE_DISTANCE 16.0 // chunks to the middle bucket
#define QUEUE_GROUND 1.5    // chunks from the path of an anchor: what a body stands on

// ---- lists -------------------------------------------------------------------------------------

void trn_stream_queue_init(TrnStreamQueue *queue, const TrnStreamCells *cells,
                           const TrnStreamViews *views)
{
    *queue = (TrnStreamQueue){.cells = cells, .views = views};
    for (uint32_t i = 0; i < TRN_STREAM_LIST_COUNT; i++) {
        queue->lists[i] = (TrnStreamList){TRN_STREAM_NO_CELL, TRN_STREAM_NO_CELL, 0};
    }
}

static uint32_t queue_work_list(TrnStreamQueueKind kind, uint32_t lane, uint32_t bucket)
{
    return ((uint32_t)kind * TRN_STREAM_LANE_COUNT + lane) * TRN_STREAM_BUCKETS + bucket;
}

static uint32_t queue_other_list(TrnStreamQueueKind kind)
{
    return TRN_STREAM_LIST_OTHERS + (uint32_t)kind - TRN_STREAM_QUEUE_WORK_COUNT;
}

static TrnStreamQueueKind queue_list_kind(uint32_t list)
{
    if (list == TRN_STREAM_LIST_NONE) {
        return TRN_STREAM_QUEUE_NONE;
    }
    return (TrnStreamQueueKind)(list < TRN_STREAM_LIST_OTHERS
                                    ? list / TRN_STREAM_BUCKETS / TRN_STREAM_LANE_COUNT
                                    : list - TRN_STREAM_LIST_OTHERS + TRN_STREAM_QUEUE_WORK_COUNT);
}

static uint32_t queue_list_lane(uint32_t list)
{
    return list / TRN_STREAM_BUCKETS % TRN_STREAM_LANE_COUNT;
}

TrnStreamQueueKind trn_stream_queue_kind(const TrnStreamCell *cell)
{
    return queue_list_kind(cell->list);
}

/// Appends a cell to a list.
static void queue_append(TrnStreamQueue *queue, TrnStreamCell *cell, uint32_t list)
{
    TRN_ASSERT(cell->list == TRN_STREAM_LIST_NONE);
    TrnStreamList *to = &queue->lists[list];
    cell->list = (uint16_t)list;
    cell->prev = to->last;
    cell->next = TRN_STREAM_NO_CELL;
    if (to->last == TRN_STREAM_NO_CELL) {
        to->first = cell->slot;
    } else {
        trn_stream_cells_at(queue->cells, to->last)->next = cell->slot;
    }
    to->last = cell->slot;
    to->count++;
    if (list < TRN_STREAM_LIST_OTHERS) {
        const TrnStreamQueueKind kind = queue_list_kind(list);
        queue->work[kind]++;
        queue->filled[kind][queue_list_lane(list)] |= UINT64_C(1) << list % TRN_STREAM_BUCKETS;
    }
}

void trn_stream_queue_remove(TrnStreamQueue *queue, TrnStreamCell *cell)
{
    const uint32_t list = cell->list;
    if (list == TRN_STREAM_LIST_NONE) {
        return;
    }
    TrnStreamList *from = &queue->lists[list];
    *(cell->prev == TRN_STREAM_NO_CELL ? &from->first
                                       : &trn_stream_cells_at(queue->cells, cell->prev)->next) =
        cell->next;
    *(cell->next == TRN_STREAM_NO_CELL ? &from->last
                                       : &trn_stream_cells_at(queue->cells, cell->next)->prev) =
        cell->prev;
    from->count--;
    cell->list = TRN_STREAM_LIST_NONE;
    if (list < TRN_STREAM_LIST_OTHERS) {
        const TrnStreamQueueKind kind = queue_list_kind(list);
        queue->work[kind]--;
        if (!from->count) {
            queue->filled[kind][queue_list_lane(list)] &=
                ~(UINT64_C(1) << list % TRN_STREAM_BUCKETS);
        }
    }
}

// ---- order -------------------------------------------------------------------------------------

/// One chunk a bucket at a distance of 16, finer nearer, coarser farther away.
static double queue_bucket(double distance)
{
    return distance / (distance + QUEUE_DISTANCE) * TRN_STREAM_BUCKETS;
}

/// Returns the list where a cell's work belongs now.
static uint32_t queue_place(const TrnStreamQueue *queue, TrnCoord coord, TrnStreamQueueKind kind)
{
    const TrnStreamRank rank = trn_stream_views_rank(queue->views, coord);
    const bool is_ground = kind == TRN_STREAM_QUEUE_GENERATE && rank.distance <= QUEUE_GROUND;
    const uint32_t lane = is_ground         ? TRN_STREAM_LANE_URGENT
                          : rank.is_visible ? TRN_STREAM_LANE_VISIBLE
                                            : TRN_STREAM_LANE_REST;
    const double bucket =
        isfinite(rank.distance) ? queue_bucket(rank.distance) : TRN_STREAM_BUCKETS - 1;
    return queue_work_list(kind, lane, (uint32_t)fmin(bucket, TRN_STREAM_BUCKETS - 1));
}

void trn_stream_queue_add_work(TrnStreamQueue *queue, TrnStreamCell *cell, TrnStreamQueueKind kind,
                               bool is_edit)
{
    queue_append(queue, cell,
                 is_edit ? queue_work_list(kind, TRN_STREAM_LANE_URGENT, 0)
                         : queue_place(queue, cell->coord, kind));
}

void trn_stream_queue_add(TrnStreamQueue *queue, TrnStreamCell *cell, TrnStreamQueueKind kind)
{
    const uint32_t list = queue_other_list(kind);
    queue_append(queue, cell, list);
    if (kind == TRN_STREAM_QUEUE_RETRY) {
        return;
    }
    TrnStreamUnloadRing *ring = &queue->unload_rings[kind - TRN_STREAM_QUEUE_UNLOAD_FIRST];
    if (queue->lists[list].count == 1) { // the list was empty
        ring->next = ring->end;
    }
    ring->slots[ring->end++ % TRN_STREAM_UNLOAD_RING] = cell->slot;
    if (ring->end - ring->next > TRN_STREAM_UNLOAD_RING) {
        ring->next = ring->end - TRN_STREAM_UNLOAD_RING;
    }
}

/// Takes the first cell of a list that holds some.
static TrnStreamCell *queue_take_first(TrnStreamQueue *queue, uint32_t list)
{
    TrnStreamCell *cell = trn_stream_cells_at(queue->cells, queue->lists[list].first);
    if (cell->next != TRN_STREAM_NO_CELL) { // most likely the next one asked for
        trn_stream_cells_prefetch(queue->cells, cell->next);
    }
    trn_stream_queue_remove(queue, cell);
    return cell;
}

TrnStreamCell *trn_stream_queue_take_edit(TrnStreamQueue *queue)
{
    if (!queue->filled[TRN_STREAM_QUEUE_MESH][TRN_STREAM_LANE_URGENT]) {
        return NULL;
    }
    return queue_take_first(queue,
                            queue_work_list(TRN_STREAM_QUEUE_MESH, TRN_STREAM_LANE_URGENT, 0));
}

/// Returns the list that comes first, or TRN_STREAM_LIST_NONE: the urgent lane, then the nearest
/// bucket; in a bucket meshes come first, and of each kind what is visible. queue_list_rank repeats
/// this order.
static uint32_t queue_first_list(const TrnStreamQueue *queue, bool may_generate)
{
    const uint64_t *mesh = queue->filled[TRN_STREAM_QUEUE_MESH];
    const uint64_t none[TRN_STREAM_LANE_COUNT] = {0};
    const uint64_t *generate = may_generate ? queue->filled[TRN_STREAM_QUEUE_GENERATE] : none;
    if (generate[TRN_STREAM_LANE_URGENT]) { // before edits: these the calling thread builds too
        return queue_work_list(TRN_STREAM_QUEUE_GENERATE, TRN_STREAM_LANE_URGENT,
                               (uint32_t)__builtin_ctzll(generate[TRN_STREAM_LANE_URGENT]));
    }
    if (mesh[TRN_STREAM_LANE_URGENT]) {
        return queue_work_list(TRN_STREAM_QUEUE_MESH, TRN_STREAM_LANE_URGENT, 0);
    }
    const uint64_t meshes = mesh[TRN_STREAM_LANE_VISIBLE] | mesh[TRN_STREAM_LANE_REST];
    const uint64_t all =
        meshes | generate[TRN_STREAM_LANE_VISIBLE] | generate[TRN_STREAM_LANE_REST];
    if (!all) {
        return TRN_STREAM_LIST_NONE;
    }
    const uint32_t bucket = (uint32_t)__builtin_ctzll(all);
    const bool is_mesh = meshes >> bucket & 1;
    const uint64_t *kind = is_mesh ? mesh : generate;
    const bool is_visible = kind[TRN_STREAM_LANE_VISIBLE] >> bucket & 1;
    return queue_work_list(is_mesh ? TRN_STREAM_QUEUE_MESH : TRN_STREAM_QUEUE_GENERATE,
                           is_visible ? TRN_STREAM_LANE_VISIBLE : TRN_STREAM_LANE_REST, bucket);
}

TrnStreamCell *trn_stream_queue_take(TrnStreamQueue *queue, bool may_generate, TrnStreamLane *lane)
{
    const uint32_t list = queue_first_list(queue, may_generate);
    if (list == TRN_STREAM_LIST_NONE) {
        return NULL;
    }
    *lane = (TrnStreamLane)queue_list_lane(list);
    return queue_take_first(queue, list);
}

/// Prefetches the next cells of an unload list. Following the list alone would wait for one cache
/// miss after the other.
/// @param count  cells about to be taken; as many after them are prefetched too
static void queue_prefetch_unload(TrnStreamQueue *queue, TrnStreamQueueKind kind, uint32_t count)
{
    TrnStreamUnloadRing *ring = &queue->unload_rings[kind - TRN_STREAM_QUEUE_UNLOAD_FIRST];
    for (uint32_t i = 0; i < 2 * count && ring->next + i != ring->end; i++) {
        const uint32_t slot = ring->slots[(ring->next + i) % TRN_STREAM_UNLOAD_RING];
        trn_pool_prefetch(queue->cells->pool, slot);
        trn_stream_cells_prefetch(queue->cells, slot);
    }
    const uint32_t left = ring->end - ring->next;
    ring->next += count < left ? count : left;
}

uint32_t trn_stream_queue_take_others(TrnStreamQueue *queue, TrnStreamQueueKind kind,
                                      TrnStreamCell **out, uint32_t count)
{
    const TrnStreamList *from = &queue->lists[queue_other_list(kind)];
    if (kind != TRN_STREAM_QUEUE_RETRY) {
        queue_prefetch_unload(queue, kind, count);
    }
    uint32_t taken = 0;
    while (taken < count && from->first != TRN_STREAM_NO_CELL) {
        out[taken] = trn_stream_cells_at(queue->cells, from->first);
        trn_stream_queue_remove(queue, out[taken++]);
    }
    return taken;
}

// ---- sorting again -----------------------------------------------------------------------------

void trn_stream_queue_request_sort(TrnStreamQueue *queue, double distance)
{
    const double bucket = isfinite(distance) ? queue_bucket(distance) : TRN_STREAM_BUCKETS;
    const uint64_t due =
        bucket < TRN_STREAM_BUCKETS - 1 ? (UINT64_C(2) << (uint32_t)bucket) - 1 : UINT64_MAX;
    for (uint32_t kind = 0; kind < TRN_STREAM_QUEUE_WORK_COUNT; kind++) {
        for (uint32_t lane = 0; lane < TRN_STREAM_LANE_COUNT; lane++) {
            // Edits stay urgent; ground that an anchor has left does not.
            const bool is_edits = kind == TRN_STREAM_QUEUE_MESH && lane == TRN_STREAM_LANE_URGENT;
            queue->unsorted[kind][lane] |= is_edits ? 0 : due & queue->filled[kind][lane];
        }
    }
}

/// Takes the nearest unsorted list that holds cells, or TRN_STREAM_LIST_NONE.
static uint32_t queue_take_unsorted(TrnStreamQueue *queue)
{
    uint32_t nearest = TRN_STREAM_BUCKETS, found = TRN_STREAM_LIST_NONE;
    for (uint32_t kind = 0; kind < TRN_STREAM_QUEUE_WORK_COUNT; kind++) {
        for (uint32_t lane = 0; lane < TRN_STREAM_LANE_COUNT; lane++) {
            uint64_t *unsorted = &queue->unsorted[kind][lane];
            *unsorted &= queue->filled[kind][lane];
            const uint32_t bucket =
                *unsorted ? (uint32_t)__builtin_ctzll(*unsorted) : TRN_STREAM_BUCKETS;
            if (bucket < nearest) {
                nearest = bucket;
                found = queue_work_list((TrnStreamQueueKind)kind, lane, bucket);
            }
        }
    }
    if (found != TRN_STREAM_LIST_NONE) {
        queue->unsorted[queue_list_kind(found)][queue_list_lane(found)] &=
            ~(UINT64_C(1) << nearest);
    }
    return found;
}

uint32_t trn_stream_queue_sort(TrnStreamQueue *queue)
{
    const uint32_t list = queue_take_unsorted(queue);
    if (list == TRN_STREAM_LIST_NONE) {
        return 0;
    }
    const uint32_t count = queue->lists[list].count;
    uint32_t next = queue->lists[list].first;
    // cells appended meanwhile are already in the right list
    for (uint32_t i = 0; i < count; i++) {
        TrnStreamCell *cell = trn_stream_cells_at(queue->cells, next);
        next = cell->next;
        if (next != TRN_STREAM_NO_CELL) {
            __builtin_prefetch(trn_stream_cells_at(queue->cells, next));
        }
        const uint32_t to = queue_place(queue, cell->coord, queue_list_kind(list));
        if (to != list) { // most stay, in order
            trn_stream_queue_remove(queue, cell);
            queue_append(queue, cell, to);
        }
    }
    return count;
}

// ---- figures -----------------------------------------------------------------------------------

uint32_t trn_stream_queue_count(const TrnStreamQueue *queue, TrnStreamQueueKind kind)
{
    return kind < TRN_STREAM_QUEUE_WORK_COUNT ? queue->work[kind]
                                              : queue->lists[queue_other_list(kind)].count;
}

void trn_stream_queue_stats(const TrnStreamQueue *queue, TrnStreamStats *stats)
{
    for (uint32_t list = 0; list < TRN_STREAM_LIST_OTHERS; list++) {
        stats->queued_lanes[queue_list_lane(list)] += queue->lists[list].count;
    }
    stats->queued = trn_stream_queue_work_count(queue);
    stats->queued_to_generate = queue->work[TRN_STREAM_QUEUE_GENERATE];
    stats->queued_to_mesh = queue->work[TRN_STREAM_QUEUE_MESH];
    stats->unloading = trn_stream_queue_unload_count(queue);
    stats->failed = trn_stream_queue_count(queue, TRN_STREAM_QUEUE_RETRY);
}

/// The place of a list in the order of queue_first_list: less comes first.
static uint32_t queue_list_rank(uint32_t list)
{
    const bool is_mesh = queue_list_kind(list) == TRN_STREAM_QUEUE_MESH;
    const uint32_t lane = queue_list_lane(list);
    const uint32_t bucket = list % TRN_STREAM_BUCKETS;
    if (lane == TRN_STREAM_LANE_URGENT) {
        return is_mesh ? TRN_STREAM_BUCKETS : bucket;
    }
    // Four lists a bucket: two kinds, in the two other lanes.
    return TRN_STREAM_BUCKETS + 1 + bucket * 4 + (is_mesh ? 0 : 2) + (lane == TRN_STREAM_LANE_REST);
}

uint32_t trn_stream_queue_position(const TrnStreamQueue *queue, const TrnStreamCell *cell,
                                   TrnStreamLane *lane)
{
    uint32_t before = 0;
    for (uint32_t list = 0; list < TRN_STREAM_LIST_OTHERS; list++) {
        before +=
            queue_list_rank(list) < queue_list_rank(cell->list) ? queue->lists[list].count : 0;
    }
    for (uint32_t slot = cell->prev; slot != TRN_STREAM_NO_CELL;
         slot = trn_stream_cells_at(queue->cells, slot)->prev) {
        before++;
    }
    *lane = (TrnStreamLane)queue_list_lane(cell->list);
    return before;
}
