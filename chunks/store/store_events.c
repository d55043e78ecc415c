// Events: listeners, the queues of events, and their dispatch.
//
// A change adds its event to the incoming queue. Dispatch swaps the two queues and calls listeners
// with every event of one, while changes that listeners make go to the other. So each round ends
// before the next begins, all listeners see the same order, and the events that a listener reads
// stay at their address.

#include "base/array.h"
#include "store/store_uses.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

/// How many rounds a dispatch has at most: listeners may answer changes with changes.
#define EVENTS_DEPTH_MAX 64u
/// How many events a dispatch has at most in its third and later rounds: a listener that answers
/// every change with two would double their number each round.
#define EVENTS_NESTED_MAX 65536u

/// How many events a queue holds without allocating. A change needs one; the rest is for listeners
/// that answer with changes.
#define EVENTS_OWN 8u
/// How many chunks they hold: those of a run, so that outside of a dispatch no insert is missed.
#define EVENTS_OWN_CHUNKS TRN_STORE_RUN

typedef struct EventListener {
    TrnListener call; ///< NULL once unsubscribed, until the dispatch ends
    void *user;
    uint32_t kinds;
    uint64_t first_serial; ///< earlier events are not for it
    uint64_t missed_since;
    bool has_missed;
} EventListener;

TRN_ARRAY_DECLARE(EventListeners, EventListener);

typedef struct QueuedEvent {
    TrnEventKind kind;
    bool is_eviction;
    uint32_t count;
    size_t first; ///< place of its first chunk
    uint64_t revision, serial;
    uint64_t removals; ///< of the store so far, when its chunks were last looked up
} QueuedEvent;

/// Removed chunks are a linked list in their headers, so that queueing a removal never allocates:
/// listeners can always save a chunk. Serials give the order of events and removals. All removals
/// of one change have one serial, and are dispatched as one event.
typedef struct EventQueue {
    QueuedEvent *events;   ///< own_events, or allocated
    TrnEventChunk *chunks; ///< own_chunks, or allocated
    size_t event_count, event_capacity, chunk_count, chunk_capacity;
    TrnChunk *removed_first, *removed_last;
    QueuedEvent own_events[EVENTS_OWN];
    TrnEventChunk own_chunks[EVENTS_OWN_CHUNKS];
} EventQueue;

struct TrnStoreEvents {
    TrnAllocator allocator;
    EventListeners listeners; ///< in the order in which they subscribed
    uint32_t kinds;           ///< that any listener subscribes to

    EventQueue queues[2];
    EventQueue *incoming;    ///< for changes that are being made
    EventQueue *dispatching; ///< empty outside of a dispatch
    uint32_t depth;          ///< rounds of the dispatch so far; 0 outside of one
    uint32_t nested;         ///< events queued in the second round and later

    // The change that is being made.
    bool is_open;     ///< it has an event, `open`
    bool is_lost;     ///< the event could not be queued
    bool is_removing; ///< it has removals, all under the last serial
    QueuedEvent open;

    uint64_t serial, calls, missed;
    uint32_t undelivered_chunks, undelivered_payloads;
    size_t undelivered_bytes;
};

// ---- queues ------------------------------------------------------------------------------------

static void queue_init(EventQueue *queue)
{
    queue->events = queue->own_events;
    queue->chunks = queue->own_chunks;
    queue->event_capacity = EVENTS_OWN;
    queue->chunk_capacity = EVENTS_OWN_CHUNKS;
}

/// Frees the memory of an empty queue.
static void queue_reset(EventQueue *queue, const TrnAllocator *allocator)
{
    if (queue->events != queue->own_events) {
        trn_give(allocator, queue->events, queue->event_capacity * sizeof *queue->events);
    }
    if (queue->chunks != queue->own_chunks) {
        trn_give(allocator, queue->chunks, queue->chunk_capacity * sizeof *queue->chunks);
    }
    queue_init(queue);
}

/// Doubles the capacity of items. @return the new memory, or NULL
static void *queue_grow(const TrnAllocator *allocator, void *items, const void *own,
                        size_t capacity, size_t item_bytes)
{
    const size_t bytes = capacity * item_bytes;
    void *grown = trn_take(allocator, bytes * 2, alignof(max_align_t));
    if (!grown) {
        return NULL;
    }
    memcpy(grown, items, bytes);
    if (items != own) {
        trn_give(allocator, items, bytes);
    }
    return grown;
}

static bool queue_reserve_event(EventQueue *queue, const TrnAllocator *allocator)
{
    if (queue->event_count < queue->event_capacity) {
        return true;
    }
    QueuedEvent *events = queue_grow(allocator, queue->events, queue->own_events,
                                     queue->event_capacity, sizeof *events);
    if (!events) {
        return false;
    }
    queue->events = events;
    queue->event_capacity *= 2;
    return true;
}

static bool queue_reserve_chunk(EventQueue *queue, const TrnAllocator *allocator)
{
    if (queue->chunk_count < queue->chunk_capacity) {
        return true;
    }
    TrnEventChunk *chunks = queue_grow(allocator, queue->chunks, queue->own_chunks,
                                       queue->chunk_capacity, sizeof *chunks);
    if (!chunks) {
        return false;
    }
    queue->chunks = chunks;
    queue->chunk_capacity *= 2;
    return true;
}

TrnResult trn_events_create(TrnStore *store)
{
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_BOOKKEEPING);
    TrnStoreEvents *made = trn_take(&allocator, sizeof *made, alignof(TrnStoreEvents));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnStoreEvents){.allocator = allocator};
    queue_init(&made->queues[0]);
    queue_init(&made->queues[1]);
    made->incoming = &made->queues[0];
    made->dispatching = &made->queues[1];
    store->events = made;
    return TRN_RESULT_OK;
}

void trn_events_destroy(TrnStore *store)
{
    TrnStoreEvents *events = store->events;
    if (!events) {
        return;
    }
    TRN_ASSERT(events->depth == 0); // a listener must not destroy the store
    const TrnAllocator allocator = events->allocator;
    queue_reset(&events->queues[0], &allocator);
    queue_reset(&events->queues[1], &allocator);
    trn_array_free(&events->listeners, &allocator);
    trn_give(&allocator, events, sizeof *events);
}

void trn_events_trim(TrnStore *store)
{
    TrnStoreEvents *events = store->events;
    if (events->depth == 0 && !events->is_open) {
        queue_reset(&events->queues[0], &events->allocator);
        queue_reset(&events->queues[1], &events->allocator);
    }
}

// ---- listeners ---------------------------------------------------------------------------------

/// The subscription of a listener and its user, or NULL.
static EventListener *events_find_listener(TrnStoreEvents *events, TrnListener call, void *user)
{
    for (uint32_t i = 0; i < events->listeners.count; i++) {
        EventListener *listener = &events->listeners.items[i];
        if (listener->call == call && listener->user == user) {
            return listener;
        }
    }
    return NULL;
}

TrnResult trn_store_subscribe(TrnStore *store, uint32_t kinds, TrnListener listener, void *user)
{
    const uint32_t known = TRN_EVENT_BIT(TRN_EVENT_INSERTED) | TRN_EVENT_BIT(TRN_EVENT_CHANGED) |
                           TRN_EVENT_BIT(TRN_EVENT_REMOVED);
    TrnStoreEvents *events = store->events;
    if (!listener || kinds == 0 || (kinds & ~known)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (events_find_listener(events, listener, user)) {
        return TRN_RESULT_EXISTS;
    }
    trn_store_refusal_clear(&store->refusal);
    const EventListener added = {
        .call = listener, .user = user, .kinds = kinds, .first_serial = events->serial + 1};
    TrnResult result = trn_array_push(&events->listeners, &events->allocator, added);
    if (result != TRN_RESULT_OK) {
        return trn_store_result(store, result);
    }
    events->kinds |= kinds;
    return TRN_RESULT_OK;
}

/// Removes unsubscribed listeners from the array. Not during a dispatch.
static void events_compact_listeners(TrnStoreEvents *events)
{
    uint32_t count = 0;
    events->kinds = 0;
    for (uint32_t i = 0; i < events->listeners.count; i++) {
        if (events->listeners.items[i].call) {
            events->kinds |= events->listeners.items[i].kinds;
            events->listeners.items[count++] = events->listeners.items[i];
        }
    }
    events->listeners.count = count;
}

TrnResult trn_store_unsubscribe(TrnStore *store, TrnListener listener, void *user)
{
    TrnStoreEvents *events = store->events;
    EventListener *found = listener ? events_find_listener(events, listener, user) : NULL;
    if (!found) {
        return TRN_RESULT_NOT_FOUND;
    }
    found->call = NULL;
    if (events->depth == 0) {
        events_compact_listeners(events);
    }
    return TRN_RESULT_OK;
}

static bool events_is_for(const EventListener *listener, const QueuedEvent *event)
{
    return listener->call && (listener->kinds & TRN_EVENT_BIT(event->kind)) &&
           listener->first_serial <= event->serial;
}

/// Records that a listener missed an event, or failed to handle it.
static void events_count_missed(TrnStoreEvents *events, EventListener *listener,
                                const QueuedEvent *event)
{
    // The revision of a removal is that of the last change before it.
    const uint64_t since = event->revision - (event->kind != TRN_EVENT_REMOVED);
    if (!listener->has_missed || since < listener->missed_since) {
        listener->missed_since = since;
    }
    listener->has_missed = true;
    events->missed++;
}

// ---- queue events ------------------------------------------------------------------------------

bool trn_store_has_listener(const TrnStore *store, TrnEventKind kind)
{
    return store->events->kinds & TRN_EVENT_BIT(kind);
}

/// Whether events that are queued now exceed the limits of a dispatch.
static bool events_is_too_nested(const TrnStoreEvents *events)
{
    return events->depth > EVENTS_DEPTH_MAX || events->nested >= EVENTS_NESTED_MAX;
}

/// Opens the event of a change, when its first chunk is added.
static void events_open(TrnStoreEvents *events, TrnEventKind kind)
{
    events->is_open = true;
    events->open = (QueuedEvent){
        .kind = kind, .first = events->incoming->chunk_count, .serial = ++events->serial};
    events->is_lost =
        events_is_too_nested(events) || !queue_reserve_event(events->incoming, &events->allocator);
    events->nested += events->depth > 1;
}

/// Adds a chunk to the event of the change that is being made.
static void events_add(TrnStore *store, TrnEventKind kind, TrnChunk *chunk, TrnStoreReach reach)
{
    TrnStoreEvents *events = store->events;
    EventQueue *queue = events->incoming;
    if (!events->is_open) {
        events_open(events, kind);
    }
    TRN_ASSERT(events->open.kind == kind);
    if (events->is_lost || !queue_reserve_chunk(queue, &events->allocator)) {
        queue->chunk_count = events->open.first;
        events->is_lost = true;
        return;
    }
    queue->chunks[queue->chunk_count++] = (TrnEventChunk){
        .coord = chunk->coord,
        .id = chunk->id,
        .chunk = chunk,
        .around = reach.around,
        .light = reach.light,
        .has_data_changed = reach.has_data,
        .applied = kind == TRN_EVENT_INSERTED ? trn_chunk_marks(chunk)->applied : 0};
    events->open.count++;
}

void trn_store_add_inserted(TrnStore *store, TrnChunk *chunk, uint64_t revision)
{
    trn_changes_add(store, chunk, revision);
    trn_uses_add(store, chunk);
    if (trn_store_has_listener(store, TRN_EVENT_INSERTED)) {
        events_add(store, TRN_EVENT_INSERTED, chunk, (TrnStoreReach){.around = TRN_AROUND_ALL});
    }
}

void trn_store_add_changed(TrnStore *store, TrnChunk *chunk, uint64_t revision, TrnStoreReach reach)
{
    trn_changes_move(store, chunk, revision);
    trn_uses_change(store, chunk);
    if (trn_store_has_listener(store, TRN_EVENT_CHANGED)) {
        events_add(store, TRN_EVENT_CHANGED, chunk, reach);
    }
}

/// The notes on a removed chunk.
static TrnChunkRemoval *events_removal(TrnChunk *chunk)
{
    return &((TrnStoreChunk *)(void *)chunk)->own.removal;
}

/// Counts a removed chunk as kept for listeners, or no longer.
static void events_count_undelivered(TrnStore *store, const TrnChunk *chunk, bool is_kept)
{
    TrnStoreEvents *events = store->events;
    const bool has_payload = !trn_snapshot_is_uniform(trn_voxels_snapshot(&chunk->voxels));
    const uint32_t by = is_kept ? 1 : UINT32_MAX; // -1
    const size_t bytes = trn_header_bytes(store, chunk);
    events->undelivered_chunks += by;
    events->undelivered_payloads += has_payload ? by : 0;
    events->undelivered_bytes += is_kept ? bytes : 0 - bytes;
}

/// Records an event as missed by all its listeners.
static void events_lose(TrnStoreEvents *events, const QueuedEvent *event)
{
    for (uint32_t i = 0; i < events->listeners.count; i++) {
        if (events_is_for(&events->listeners.items[i], event)) {
            events_count_missed(events, &events->listeners.items[i], event);
        }
    }
}

bool trn_events_add_removed(TrnStore *store, TrnChunk *chunk, bool is_eviction)
{
    TrnStoreEvents *events = store->events;
    EventQueue *queue = events->incoming;
    if (!trn_store_has_listener(store, TRN_EVENT_REMOVED)) {
        return false;
    }
    events->serial += !events->is_removing;
    events->is_removing = true;
    const QueuedEvent event = {
        .kind = TRN_EVENT_REMOVED, .revision = store->revision, .serial = events->serial};
    if (events_is_too_nested(events)) {
        events_lose(events, &event);
        return false;
    }
    events->nested += events->depth > 1;
    events_count_undelivered(store, chunk, true);
    *events_removal(chunk) =
        (TrnChunkRemoval){NULL, event.serial * 2 + is_eviction, store->revision};
    *(queue->removed_first ? &events_removal(queue->removed_last)->next : &queue->removed_first) =
        chunk;
    queue->removed_last = chunk;
    return true;
}

/// Queues the event of the change that was made, or records it as missed.
static void events_close(TrnStore *store, uint64_t revision)
{
    TrnStoreEvents *events = store->events;
    EventQueue *queue = events->incoming;
    events->is_open = false;
    events->open.revision = revision;
    events->open.removals = store->removed + store->evicted;
    if (events->is_lost) {
        events_lose(events, &events->open);
    } else {
        queue->events[queue->event_count++] = events->open;
    }
}

// ---- dispatch ----------------------------------------------------------------------------------

/// Clears the pointers to chunks that were removed after their event was queued.
static void events_drop_removed(const TrnStore *store, QueuedEvent *event, TrnEventChunk *chunks)
{
    const uint64_t removals = store->removed + store->evicted;
    if (event->removals == removals || event->kind == TRN_EVENT_REMOVED) {
        return;
    }
    event->removals = removals;
    for (uint32_t i = 0; i < event->count; i++) {
        chunks[i].chunk = trn_store_chunk(store, chunks[i].id);
    }
}

static void events_call(TrnStore *store, uint32_t place, const QueuedEvent *event,
                        const TrnEventChunk *chunks)
{
    TrnStoreEvents *events = store->events;
    EventListener *listener = &events->listeners.items[place];
    const TrnStoreEvent view = {
        .kind = event->kind,
        .is_eviction = event->is_eviction,
        .revision = event->revision,
        .count = event->count,
        .chunks = chunks,
        .missed_since = listener->has_missed ? listener->missed_since : 0,
        .has_missed = listener->has_missed,
    };
    listener->has_missed = false;
    events->calls++;
    if (listener->call(store, &view, listener->user) == TRN_RESULT_OK) {
        return;
    }
    listener = &events->listeners.items[place]; // the array may have moved
    events_count_missed(events, listener, event);
    if (view.has_missed && view.missed_since < listener->missed_since) {
        listener->missed_since = view.missed_since;
    }
}

static void events_dispatch(TrnStore *store, QueuedEvent *event, TrnEventChunk *chunks)
{
    TrnStoreEvents *events = store->events;
    for (uint32_t i = 0; i < events->listeners.count; i++) {
        if (events_is_for(&events->listeners.items[i], event)) {
            events_drop_removed(store, event, chunks);
            events_call(store, i, event, chunks);
        }
    }
}

/// Takes the first removed chunks of a round that left in one change: at most those of a run.
/// @param removed  [TRN_STORE_RUN] receives them
/// @return how many there are
static uint32_t events_take_removals(EventQueue *round, TrnEventChunk *removed)
{
    const uint64_t event = events_removal(round->removed_first)->event;
    uint32_t count = 0;
    TrnChunk *chunk = round->removed_first;
    while (chunk && count < TRN_STORE_RUN && events_removal(chunk)->event == event) {
        removed[count++] = (TrnEventChunk){
            .coord = chunk->coord, .id = chunk->id, .chunk = chunk, .around = TRN_AROUND_ALL};
        chunk = events_removal(chunk)->next;
    }
    round->removed_first = chunk;
    return count;
}

static void events_dispatch_removals(TrnStore *store, EventQueue *round)
{
    TrnEventChunk removed[TRN_STORE_RUN];
    TrnRetireList retired = {0};
    const TrnChunkRemoval first = *events_removal(round->removed_first);
    QueuedEvent event = {.kind = TRN_EVENT_REMOVED,
                         .is_eviction = first.event & 1,
                         .count = events_take_removals(round, removed),
                         .revision = first.revision,
                         .serial = first.event / 2};
    events_dispatch(store, &event, removed);
    for (uint32_t i = 0; i < event.count; i++) {
        events_count_undelivered(store, removed[i].chunk, false);
        trn_header_retire(store, removed[i].chunk, &retired);
    }
    trn_chunk_index_retire_list(store->index, &retired);
}

static bool queue_is_empty(const EventQueue *queue)
{
    return queue->event_count == 0 && !queue->removed_first;
}

static void events_dispatch_round(TrnStore *store, EventQueue *round)
{
    size_t at = 0;
    while (at < round->event_count || round->removed_first) {
        TrnChunk *removed = round->removed_first; // the first of its change
        if (removed && (at == round->event_count ||
                        events_removal(removed)->event / 2 < round->events[at].serial)) {
            events_dispatch_removals(store, round);
        } else {
            events_dispatch(store, &round->events[at], round->chunks + round->events[at].first);
            at++;
        }
    }
    round->event_count = 0;
    round->chunk_count = 0;
}

/// Dispatches all queued events, and those that listeners cause.
static void events_dispatch_all(TrnStore *store)
{
    TrnStoreEvents *events = store->events;
    while (!queue_is_empty(events->incoming)) {
        EventQueue *round = events->incoming;
        events->incoming = events->dispatching;
        events->dispatching = round;
        events->depth++;
        events_dispatch_round(store, round);
    }
    events->depth = 0;
    events->nested = 0;
    events_compact_listeners(events);
}

void trn_store_end_change(TrnStore *store, uint64_t revision)
{
    TrnStoreEvents *events = store->events;
    __atomic_store_n(&store->revision, revision, __ATOMIC_RELEASE);
    events->is_removing = false;
    if (events->is_open) {
        events_close(store, revision);
    }
    if (events->depth == 0 && !queue_is_empty(events->incoming)) {
        events_dispatch_all(store);
    }
}

// ---- neighbours and figures --------------------------------------------------------------------

void trn_store_set_light_reach(TrnStore *store,
                               uint32_t (*reach)(TrnSnapshot before, TrnSnapshot after,
                                                 const TrnBlockTypes *types))
{
    store->light_reach = reach;
}

uint32_t trn_store_light_reach(const TrnStore *store, TrnSnapshot before, TrnSnapshot after)
{
    return store->light_reach ? store->light_reach(before, after, store->types) : 0;
}

void trn_store_watch(TrnStore *store, TrnStoreWatch *watch)
{
    watch->next = store->watch;
    store->watch = watch;
}

void trn_store_unwatch(TrnStore *store, TrnStoreWatch *watch)
{
    TrnStoreWatch **link = &store->watch;
    while (*link && *link != watch) {
        link = &(*link)->next;
    }
    if (*link) {
        *link = watch->next;
    }
}

const TrnStoreWatch *trn_store_find_watch(const TrnStore *store,
                                          void (*changing)(void *user, TrnCoord coord,
                                                           TrnSnapshot before, TrnSnapshot after))
{
    const TrnStoreWatch *watch = store->watch;
    while (watch && watch->changing != changing) {
        watch = watch->next;
    }
    return watch;
}

void trn_store_tell_watch(TrnStore *store, TrnCoord coord, TrnSnapshot before, TrnSnapshot after)
{
    for (const TrnStoreWatch *watch = store->watch; watch; watch = watch->next) {
        if (watch->changing) {
            watch->changing(watch->user, coord, before, after);
        }
    }
}

bool trn_store_owns(const TrnStore *store, TrnCoord coord)
{
    bool owns = true;
    for (const TrnStoreWatch *watch = store->watch; watch && owns; watch = watch->next) {
        owns = !watch->owns || watch->owns(watch->user, coord);
    }
    return owns;
}

void trn_store_set_self_moved(TrnStore *store, bool is_self_moved)
{
    for (TrnStoreWatch *watch = store->watch; watch; watch = watch->next) {
        watch->is_self_moved = is_self_moved;
    }
}

TrnResult trn_store_ask_watch(const TrnStore *store, const TrnChunk *chunk)
{
    TrnResult result = TRN_RESULT_OK;
    const TrnStoreWatch *watch = store->watch;
    for (; watch && result == TRN_RESULT_OK; watch = watch->next) {
        result = watch->removing ? watch->removing(watch->user, chunk) : result;
    }
    return result;
}

TrnEventsStats trn_events_stats(const TrnStore *store)
{
    const TrnStoreEvents *events = store->events;
    TrnEventsStats stats = {
        .calls = events->calls,
        .missed = events->missed,
        .undelivered_chunks = events->undelivered_chunks,
        .undelivered_payloads = events->undelivered_payloads,
        .undelivered_bytes = events->undelivered_bytes,
    };
    for (uint32_t i = 0; i < events->listeners.count; i++) {
        stats.listeners += events->listeners.items[i].call != NULL;
    }
    return stats;
}
