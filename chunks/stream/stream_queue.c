// Cells, and the order in which they are worked on.
//
// The queue is TRN_STREAM_BUCKETS first-in-first-out lists a lane, with one bit for each list that
// holds cells. A cell's bucket follows from its position relative to the anchors when it is queued.
// As anchors move and turn, each update moves the cells of some buckets to where they belong now. A
// heap of all cells would have to be rebuilt whenever a player turns.

#include "stream_impl.h"

#include <math.h>

#define QUEUE_NEAR 4.0             // chunks within which direction of view does not matter
#define QUEUE_NEAR_PART 0.25       // likewise, as part of the radius
#define QUEUE_CONE 0.5             // cosine of 60 degrees
#define QUEUE_DISTANCE 16.0        // chunks to the middle bucket
#define QUEUE_REBUCKET_MIN 256u    // cells that one update rebuckets
#define QUEUE_REBUCKET_PART 16u    // or this part of all, if more
#define QUEUE_RETRY_MAX 64u        // failed cells that one update looks at
#define QUEUE_BACKOFF_MIN 8u       // updates until the first retry
#define QUEUE_BACKOFF_SHIFT_MAX 7u // later up to 128 times that

// ---- lists -------------------------------------------------------------------------------------

static uint32_t queue_list(uint32_t kind, uint32_t lane, uint32_t bucket)
{
    return (kind * TRN_STREAM_LANE_COUNT + lane) * TRN_STREAM_BUCKETS + bucket;
}

static bool queue_is_queue(uint32_t list)
{
    return list < TRN_STREAM_LIST_UNLOAD_FIRST;
}

static bool queue_is_generate(uint32_t list)
{
    return list < TRN_STREAM_LANE_COUNT * TRN_STREAM_BUCKETS;
}

static uint64_t *queue_filled(TrnStream *stream, uint32_t list)
{
    return &stream->filled[list / TRN_STREAM_BUCKETS / TRN_STREAM_LANE_COUNT]
                          [list / TRN_STREAM_BUCKETS % TRN_STREAM_LANE_COUNT];
}

/// Adds a cell at one end of a list.
static void queue_link(TrnStream *stream, TrnStreamCell *cell, uint32_t list, bool is_first)
{
    TrnStreamList *to = &stream->lists[list];
    const uint32_t other = is_first ? to->first : to->last;
    cell->list = (uint16_t)list;
    cell->prev = is_first ? TRN_STREAM_NO_CELL : other;
    cell->next = is_first ? other : TRN_STREAM_NO_CELL;
    if (other != TRN_STREAM_NO_CELL) {
        TrnStreamCell *neighbour = trn_stream_cell(stream, other);
        *(is_first ? &neighbour->prev : &neighbour->next) = cell->slot;
    }
    if (is_first || other == TRN_STREAM_NO_CELL) {
        to->first = cell->slot;
    }
    if (!is_first || other == TRN_STREAM_NO_CELL) {
        to->last = cell->slot;
    }
    to->count++;
    if (queue_is_queue(list)) {
        stream->queued++;
        stream->to_generate += queue_is_generate(list);
        *queue_filled(stream, list) |= UINT64_C(1) << (list % TRN_STREAM_BUCKETS);
    }
}

void trn_stream_count_queues(const TrnStream *stream, TrnStreamStats *stats)
{
    for (uint32_t list = 0; list < TRN_STREAM_LIST_UNLOAD_FIRST; list++) {
        const uint32_t count = stream->lists[list].count;
        stats->queued_lanes[list / TRN_STREAM_BUCKETS % TRN_STREAM_LANE_COUNT] += count;
        *(queue_is_generate(list) ? &stats->queued_to_generate : &stats->queued_to_mesh) += count;
    }
}

/// Records the cell appended to an unload list.
static void queue_note_unload(TrnStream *stream, uint32_t list, uint32_t slot)
{
    TrnStreamUnloadRing *ring = &stream->unload_rings[list - TRN_STREAM_LIST_UNLOAD_FIRST];
    if (stream->lists[list].count == 1) { // the list was empty
        ring->next = ring->end;
    }
    ring->slots[ring->end++ % TRN_STREAM_UNLOAD_RING] = slot;
    if (ring->end - ring->next > TRN_STREAM_UNLOAD_RING) {
        ring->next = ring->end - TRN_STREAM_UNLOAD_RING;
    }
}

void trn_stream_list_append(TrnStream *stream, TrnStreamCell *cell, uint32_t list)
{
    TRN_ASSERT(cell->list == TRN_STREAM_LIST_NONE);
    queue_link(stream, cell, list, false);
    if (list == TRN_STREAM_LIST_UNLOAD_FIRST || list == TRN_STREAM_LIST_UNLOAD_LATER) {
        queue_note_unload(stream, list, cell->slot);
    }
}

void trn_stream_list_remove(TrnStream *stream, TrnStreamCell *cell)
{
    const uint32_t list = cell->list;
    if (list == TRN_STREAM_LIST_NONE) {
        return;
    }
    TrnStreamList *from = &stream->lists[list];
    *(cell->prev == TRN_STREAM_NO_CELL ? &from->first
                                       : &trn_stream_cell(stream, cell->prev)->next) = cell->next;
    *(cell->next == TRN_STREAM_NO_CELL ? &from->last : &trn_stream_cell(stream, cell->next)->prev) =
        cell->prev;
    from->count--;
    cell->list = TRN_STREAM_LIST_NONE;
    if (queue_is_queue(list)) {
        stream->queued--;
        stream->to_generate -= queue_is_generate(list);
        if (!from->count) {
            *queue_filled(stream, list) &= ~(UINT64_C(1) << (list % TRN_STREAM_BUCKETS));
        }
    }
}

// ---- priorities --------------------------------------------------------------------------------

typedef struct QueueSight {
    double distance; ///< chunks, to where the anchor is or will soon be
    bool is_visible;
} QueueSight;

static double queue_length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// How an anchor sees the centre of a chunk.
static QueueSight queue_sight(const TrnStreamViewSlot *view, TrnCoord coord)
{
    const double to[3] = {(double)coord.x - view->centre.x + 0.5 - view->position[0],
                          (double)coord.y - view->centre.y + 0.5 - view->position[1],
                          (double)coord.z - view->centre.z + 0.5 - view->position[2]};
    const double to_ahead[3] = {to[0] - view->ahead[0], to[1] - view->ahead[1],
                                to[2] - view->ahead[2]};
    const double distance = queue_length(to), ahead = queue_length(to_ahead);
    const double near = view->radius * QUEUE_NEAR_PART;
    const double along = to[0] * view->view[0] + to[1] * view->view[1] + to[2] * view->view[2];
    return (QueueSight){distance < ahead ? distance : ahead,
                        !view->has_view || distance <= QUEUE_NEAR || distance <= near ||
                            along >= QUEUE_CONE * distance};
}

double trn_stream_distance(const TrnStream *stream, TrnCoord coord)
{
    double nearest = INFINITY;
    for (uint32_t i = 0; i < stream->views.count; i++) {
        const TrnStreamViewSlot *view = &stream->views.items[i];
        if (view->is_anchor) {
            const double to[3] = {(double)coord.x - view->centre.x,
                                  (double)coord.y - view->centre.y,
                                  (double)coord.z - view->centre.z};
            nearest = fmin(nearest, queue_length(to));
        }
    }
    return nearest;
}

uint32_t trn_stream_priority(const TrnStream *stream, TrnCoord coord, TrnStreamLane *lane)
{
    double nearest = INFINITY;
    bool is_visible = false;
    for (uint32_t i = 0; i < stream->views.count; i++) {
        if (!stream->views.items[i].is_anchor) {
            continue;
        }
        const QueueSight sight = queue_sight(&stream->views.items[i], coord);
        // The nearest anchor that sees the chunk; if none sees it, the nearest of all.
        if (sight.is_visible > is_visible ||
            (sight.is_visible == is_visible && sight.distance < nearest)) {
            nearest = sight.distance;
            is_visible = sight.is_visible;
        }
    }
    *lane = is_visible ? TRN_STREAM_LANE_VISIBLE : TRN_STREAM_LANE_REST;
    if (!isfinite(nearest)) {
        return TRN_STREAM_BUCKETS - 1;
    }
    // One chunk a bucket at a distance of 16, finer nearer, coarser farther away.
    const double part = nearest / (nearest + QUEUE_DISTANCE);
    const uint32_t bucket = (uint32_t)(part * TRN_STREAM_BUCKETS);
    return bucket < TRN_STREAM_BUCKETS ? bucket : TRN_STREAM_BUCKETS - 1;
}

// ---- queueing ----------------------------------------------------------------------------------

void trn_stream_queue_generate(TrnStream *stream, TrnStreamCell *cell)
{
    TrnStreamLane lane;
    const uint32_t bucket = trn_stream_priority(stream, cell->coord, &lane);
    trn_stream_set_state(stream, cell, TRN_STREAM_STATE_QUEUED);
    trn_stream_list_append(stream, cell, queue_list(TRN_STREAM_QUEUE_GENERATE, lane, bucket));
}

void trn_stream_queue_mesh(TrnStream *stream, TrnStreamCell *cell, bool is_urgent)
{
    TrnStreamLane lane = TRN_STREAM_LANE_URGENT;
    uint32_t bucket = 0;
    if (!is_urgent) {
        bucket = trn_stream_priority(stream, cell->coord, &lane);
    }
    trn_stream_set_state(stream, cell, TRN_STREAM_STATE_MESH_QUEUED);
    trn_stream_list_append(stream, cell, queue_list(TRN_STREAM_QUEUE_MESH, lane, bucket));
}

TrnStreamCell *trn_stream_dequeue(TrnStream *stream, bool may_generate)
{
    for (uint32_t lane = 0; lane < TRN_STREAM_LANE_COUNT; lane++) {
        const uint64_t mesh = stream->filled[TRN_STREAM_QUEUE_MESH][lane];
        const uint64_t make = may_generate ? stream->filled[TRN_STREAM_QUEUE_GENERATE][lane] : 0;
        if (!(mesh | make)) {
            continue;
        }
        const uint32_t bucket = (uint32_t)__builtin_ctzll(mesh | make);
        const uint32_t kind =
            mesh >> bucket & 1 ? TRN_STREAM_QUEUE_MESH : TRN_STREAM_QUEUE_GENERATE;
        TrnStreamCell *cell =
            trn_stream_cell(stream, stream->lists[queue_list(kind, lane, bucket)].first);
        if (cell->next != TRN_STREAM_NO_CELL) { // most likely the next one asked for
            trn_stream_prefetch_cell(stream, cell->next);
        }
        trn_stream_list_remove(stream, cell);
        return cell;
    }
    return NULL;
}

/// Moves the cells of one list to the buckets where they belong now. @return how many were visited
static uint32_t queue_rebucket_list(TrnStream *stream, uint32_t list)
{
    const uint32_t count = stream->lists[list].count;
    const uint32_t kind = list / TRN_STREAM_BUCKETS / TRN_STREAM_LANE_COUNT;
    uint32_t next = stream->lists[list].first;
    // cells appended meanwhile are already in the right bucket
    for (uint32_t i = 0; i < count; i++) {
        TrnStreamCell *cell = trn_stream_cell(stream, next);
        next = cell->next;
        if (next != TRN_STREAM_NO_CELL) {
            __builtin_prefetch(trn_stream_cell(stream, next));
        }
        TrnStreamLane lane;
        const uint32_t bucket = trn_stream_priority(stream, cell->coord, &lane);
        const uint32_t to = queue_list(kind, lane, bucket);
        if (to != list) { // most stay, in order
            trn_stream_list_remove(stream, cell);
            trn_stream_list_append(stream, cell, to);
        }
    }
    return count;
}

void trn_stream_request_rebucket(TrnStream *stream, double distance)
{
    const double part = distance / (distance + QUEUE_DISTANCE) * TRN_STREAM_BUCKETS;
    const uint64_t due =
        part < TRN_STREAM_BUCKETS - 1 ? (UINT64_C(2) << (uint32_t)part) - 1 : UINT64_MAX;
    for (uint32_t kind = 0; kind < TRN_STREAM_QUEUE_COUNT; kind++) {
        for (uint32_t lane = TRN_STREAM_LANE_URGENT + 1; lane < TRN_STREAM_LANE_COUNT; lane++) {
            stream->stale_buckets[kind][lane] |= due & stream->filled[kind][lane];
        }
    }
}

/// Takes the nearest list that needs rebucketing and holds cells; TRN_STREAM_LIST_NONE if there is
/// none.
static uint32_t queue_take_stale_bucket(TrnStream *stream)
{
    uint32_t nearest = TRN_STREAM_BUCKETS, found = TRN_STREAM_LIST_NONE;
    for (uint32_t kind = 0; kind < TRN_STREAM_QUEUE_COUNT; kind++) {
        for (uint32_t lane = 0; lane < TRN_STREAM_LANE_COUNT; lane++) {
            uint64_t *stale_buckets = &stream->stale_buckets[kind][lane];
            *stale_buckets &= stream->filled[kind][lane];
            const uint32_t bucket =
                *stale_buckets ? (uint32_t)__builtin_ctzll(*stale_buckets) : TRN_STREAM_BUCKETS;
            if (bucket < nearest) {
                nearest = bucket;
                found = queue_list(kind, lane, bucket);
            }
        }
    }
    if (found != TRN_STREAM_LIST_NONE) {
        stream->stale_buckets[found / TRN_STREAM_BUCKETS / TRN_STREAM_LANE_COUNT]
                             [found / TRN_STREAM_BUCKETS % TRN_STREAM_LANE_COUNT] &=
            ~(UINT64_C(1) << nearest);
    }
    return found;
}

void trn_stream_rebucket(TrnStream *stream)
{
    const uint32_t part = stream->queued / QUEUE_REBUCKET_PART;
    const uint32_t max = part > QUEUE_REBUCKET_MIN ? part : QUEUE_REBUCKET_MIN;
    for (uint32_t done = 0; done < max && (!done || trn_stream_has_time(stream));) {
        const uint32_t list = queue_take_stale_bucket(stream);
        if (list == TRN_STREAM_LIST_NONE) {
            return;
        }
        done += queue_rebucket_list(stream, list);
    }
}

// ---- creating and removing cells ---------------------------------------------------------------

void trn_stream_cancel(TrnStream *stream, TrnStreamCell *cell)
{
    if (cell->work) {
        cell->work->cell = TRN_STREAM_WORK_NO_CELL;
        atomic_store_explicit(&cell->work->is_cancelled, true, memory_order_relaxed);
        cell->work = NULL;
        stream->report.cancelled++;
    }
}

void trn_stream_reserve_cells(TrnStream *stream, uint32_t count)
{
    TrnStreamReserve *reserve = &stream->reserve;
    count = count < TRN_STREAM_RESERVE_MAX ? count : TRN_STREAM_RESERVE_MAX;
    while (reserve->count < count) {
        void **const cell = &reserve->cells[reserve->count];
        if (trn_pool_alloc(stream->cells, &reserve->ids[reserve->count], cell) != TRN_RESULT_OK) {
            return; // what could not be reserved fails when it is needed
        }
        trn_stream_prefetch_cell(stream, reserve->ids[reserve->count++].index1 - 1);
    }
}

void trn_stream_release_cells(TrnStream *stream)
{
    TrnStreamReserve *reserve = &stream->reserve;
    while (reserve->count) {
        (void)trn_pool_free(stream->cells, reserve->ids[--reserve->count]);
    }
}

/// Allocates a cell, from the reserve if it holds any.
static bool queue_alloc_cell(TrnStream *stream, TrnPoolId *id, void **memory)
{
    TrnStreamReserve *reserve = &stream->reserve;
    if (!reserve->count) {
        return trn_pool_alloc(stream->cells, id, memory) == TRN_RESULT_OK;
    }
    *id = reserve->ids[--reserve->count];
    *memory = reserve->cells[reserve->count];
    return true;
}

/// Creates a cell for a coordinate that has none. NULL without memory.
static TrnStreamCell *queue_create_cell(TrnStream *stream, TrnCoord coord)
{
    static const TrnStreamCell blank = {.list = TRN_STREAM_LIST_NONE};
    TrnPoolId id;
    void *memory;
    if (!queue_alloc_cell(stream, &id, &memory)) {
        return NULL;
    }
    TrnStreamCell *cell = memory;
    // Copied, since gcc zeroes a literal of this size by `rep stos`, which waits for memory.
    *cell = blank;
    cell->coord = coord;
    cell->slot = id.index1 - 1;
    cell->generation = id.generation;
    cell->wanted_us = cell->since_us = stream->now_us;
    if (trn_chunk_index_insert(stream->index, coord, cell->slot) != TRN_RESULT_OK) {
        trn_pool_free(stream->cells, id);
        return NULL;
    }
    if (trn_store_find(stream->store, coord)) {
        trn_stream_note_loaded(stream, cell); // another caller inserted it
        trn_stream_plane_set(stream, cell, TRN_STREAM_UNSAVED, true);
    }
    return cell;
}

bool trn_stream_want_chunk(TrnStream *stream, TrnCoord coord)
{
    TrnStreamCell *cell = trn_stream_find(stream, coord);
    if (!cell) {
        cell = queue_create_cell(stream, coord);
        if (!cell) {
            return false;
        }
    }
    if (!trn_stream_plane_test(stream, cell, TRN_STREAM_WANTED)) {
        trn_stream_plane_set(stream, cell, TRN_STREAM_WANTED, true);
        stream->report.wanted++;
    }
    if (cell->is_unloading) {
        cell->is_unloading = false;
        if (cell->list == TRN_STREAM_LIST_UNLOAD_FIRST ||
            cell->list == TRN_STREAM_LIST_UNLOAD_LATER) {
            trn_stream_list_remove(stream, cell);
        }
        if (cell->group) {
            trn_stream_group_rejoin(stream, cell);
        } else if (cell->is_loaded && cell->list == TRN_STREAM_LIST_NONE) {
            trn_stream_request_mesh(stream, cell);
        }
    }
    if (!cell->is_loaded && !cell->work && cell->list == TRN_STREAM_LIST_NONE) {
        cell->wanted_us = stream->now_us;
        trn_stream_queue_generate(stream, cell);
    }
    return true;
}

bool trn_stream_remove_cell(TrnStream *stream, TrnStreamCell *cell)
{
    TRN_ASSERT(!cell->is_loaded && !cell->work && !cell->mesh.mesh && !cell->group);
    if (trn_chunk_index_remove(stream->index, cell->coord, NULL) != TRN_RESULT_OK) {
        return false;
    }
    trn_stream_list_remove(stream, cell);
    trn_pool_free(stream->cells, (TrnPoolId){cell->slot + 1, cell->generation});
    return true;
}

void trn_stream_unwant_chunk(TrnStream *stream, TrnCoord coord)
{
    TrnStreamCell *cell = trn_stream_find(stream, coord);
    if (!cell || cell->is_unloading) {
        return;
    }
    trn_stream_plane_set(stream, cell, TRN_STREAM_WANTED, false);
    trn_stream_plane_set(stream, cell, TRN_STREAM_SHOW, false);
    stream->report.unwanted++;
    trn_stream_cancel(stream, cell);
    trn_stream_list_remove(stream, cell);
    cell->is_unloading = true;
    stream->groups_have_unwanted |= cell->group != 0; // it may become wanted again in this update
    if (!cell->is_loaded && trn_stream_remove_cell(stream, cell)) {
        return;
    }
    if (cell->is_loaded) {
        trn_stream_request_mesh(stream, cell); // in case it becomes wanted again
    }
    TrnStreamLane lane;
    (void)trn_stream_priority(stream, coord, &lane);
    trn_stream_list_append(stream, cell,
                           lane == TRN_STREAM_LANE_REST ? TRN_STREAM_LIST_UNLOAD_FIRST
                                                        : TRN_STREAM_LIST_UNLOAD_LATER);
}

// ---- failures ----------------------------------------------------------------------------------

void trn_stream_note_failure(TrnStream *stream, TrnCoord coord, TrnStreamStage stage,
                             TrnResult result)
{
    stream->stats.failures++;
    stream->stats.last_stage = stage;
    stream->stats.last_failure = result;
    stream->stats.last_failed = coord;
    stream->report.failed++;
    stream->update_result = result;
    if (stream->def.listener) {
        const TrnStreamEvent event = {
            .kind = TRN_STREAM_EVENT_FAILED, .coord = coord, .stage = stage, .result = result};
        stream->def.listener(stream->def.listener_user, &event);
    }
}

void trn_stream_fail(TrnStream *stream, TrnStreamCell *cell, TrnStreamStage stage, TrnResult result)
{
    const uint32_t shift =
        cell->tries < QUEUE_BACKOFF_SHIFT_MAX ? cell->tries : QUEUE_BACKOFF_SHIFT_MAX;
    cell->tries = cell->tries < UINT8_MAX ? (uint8_t)(cell->tries + 1) : cell->tries;
    cell->failure = (uint8_t)result;
    cell->retry_at = (uint32_t)stream->updates + (QUEUE_BACKOFF_MIN << shift);
    trn_stream_list_remove(stream, cell);
    trn_stream_group_remove(stream, cell);
    trn_stream_set_state(stream, cell, TRN_STREAM_STATE_FAILED);
    trn_stream_list_append(stream, cell, TRN_STREAM_LIST_FAILED);
    trn_stream_note_failure(stream, cell->coord, stage, result);
}

void trn_stream_retry_failed(TrnStream *stream)
{
    const uint32_t count = stream->lists[TRN_STREAM_LIST_FAILED].count;
    for (uint32_t i = 0; i < count && i < QUEUE_RETRY_MAX; i++) {
        TrnStreamCell *cell = trn_stream_cell(stream, stream->lists[TRN_STREAM_LIST_FAILED].first);
        trn_stream_list_remove(stream, cell);
        if ((int32_t)((uint32_t)stream->updates - cell->retry_at) < 0) {
            trn_stream_list_append(stream, cell, TRN_STREAM_LIST_FAILED); // not due: to the end
        } else if (cell->is_unloading) {
            trn_stream_list_append(stream, cell, TRN_STREAM_LIST_UNLOAD_FIRST);
        } else if (cell->is_loaded) {
            trn_stream_request_mesh(stream, cell);
        } else {
            trn_stream_queue_generate(stream, cell);
        }
    }
}
