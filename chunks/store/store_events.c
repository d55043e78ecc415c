// Events: who listens, what waits to be told, and the telling.
//
// What a change notes goes to the end of one queue. Telling swaps it with the other, empty one and
// tells that from end to end, while what listeners change meanwhile is noted in the first: so all
// of one round is told before the next, everybody hears the same order, and what a listener looks
// at stays where it is.

#include "store_impl.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

/// How deep changes made by listeners on hearing of changes made by listeners are told.
#define EVENTS_DEPTH_MAX 64u
/// How many events a telling goes through beside those that it began with and those that they
/// brought about: a listener that changes two chunks for every change that it hears of would double
/// their number with every round.
#define EVENTS_DEEP_MAX 65536u

/// Room that a queue has without asking for memory: a change that nobody answers never needs more,
/// unless it is a batch.
#define EVENTS_OWN 8u

typedef struct EventListener {
    TrnListener call; ///< NULL once it has left, until the telling is over
    void *user;
    uint32_t kinds;
    uint64_t first_serial; ///< of the events that it hears
    uint64_t missed_since;
    bool has_missed;
} EventListener;

typedef struct QueuedEvent {
    TrnEventKind kind;
    bool is_eviction;
    uint32_t count;
    size_t first; ///< of its chunks
    uint64_t revision, serial;
    uint64_t removals; ///< so far when its chunks were last looked for
} QueuedEvent;

/// Chunks that have gone stand in a chain of their own, which takes no memory: nothing that could
/// be saved is lost for want of some. Serials say in which order the two are told.
typedef struct EventQueue {
    QueuedEvent *events;   ///< own_events, or memory
    TrnEventChunk *chunks; ///< own_chunks, or memory
    size_t event_count, event_capacity, chunk_count, chunk_capacity;
    TrnChunk *gone_first, *gone_last;
    QueuedEvent own_events[EVENTS_OWN];
    TrnEventChunk own_chunks[EVENTS_OWN];
} EventQueue;

struct TrnStoreEvents {
    TrnAllocator allocator;
    EventListener *listeners; ///< [listener_capacity] in the order in which they came
    uint32_t listener_count, listener_capacity;
    uint32_t kinds; ///< that anybody listens to

    EventQueue queues[2];
    EventQueue *coming;  ///< what is noted now
    EventQueue *telling; ///< what is told now; otherwise empty
    uint32_t depth;      ///< rounds of the telling so far; 0 outside of one
    uint32_t deep;       ///< events noted in the second round of a telling and later

    // The change that is being noted.
    bool is_open, is_lost; ///< whether something was noted; whether there was no memory for it
    QueuedEvent open;

    uint64_t serial, calls, missed;
    uint32_t untold_chunks, untold_payloads;
    size_t untold_bytes;
};

// ---- queues ------------------------------------------------------------------------------------

static void queue_init(EventQueue *queue)
{
    queue->events = queue->own_events;
    queue->chunks = queue->own_chunks;
    queue->event_capacity = EVENTS_OWN;
    queue->chunk_capacity = EVENTS_OWN;
}

/// Gives the memory of an empty queue back.
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

/// Twice the room for items. @return the new memory, or NULL, and nothing has changed
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
    made->coming = &made->queues[0];
    made->telling = &made->queues[1];
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
    trn_give(&allocator, events->listeners, events->listener_capacity * sizeof *events->listeners);
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

/// The listener that is called with a user, or NULL.
static EventListener *events_find_listener(TrnStoreEvents *events, TrnListener call, void *user)
{
    for (uint32_t i = 0; i < events->listener_count; i++) {
        EventListener *listener = &events->listeners[i];
        if (listener->call == call && listener->user == user) {
            return listener;
        }
    }
    return NULL;
}

static TrnResult events_reserve_listener(TrnStoreEvents *events)
{
    if (events->listener_count < events->listener_capacity) {
        return TRN_RESULT_OK;
    }
    const uint32_t capacity = events->listener_capacity ? events->listener_capacity * 2 : 4;
    EventListener *listeners =
        trn_take(&events->allocator, capacity * sizeof *listeners, alignof(EventListener));
    if (!listeners) {
        return TRN_RESULT_NO_MEMORY;
    }
    if (events->listener_count) {
        memcpy(listeners, events->listeners, events->listener_count * sizeof *listeners);
    }
    trn_give(&events->allocator, events->listeners, events->listener_capacity * sizeof *listeners);
    events->listeners = listeners;
    events->listener_capacity = capacity;
    return TRN_RESULT_OK;
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
    TrnResult result = events_reserve_listener(events);
    if (result != TRN_RESULT_OK) {
        return trn_store_result(store, result);
    }
    events->listeners[events->listener_count++] = (EventListener){
        .call = listener, .user = user, .kinds = kinds, .first_serial = events->serial + 1};
    events->kinds |= kinds;
    return TRN_RESULT_OK;
}

/// Closes the gaps of those that have left. Not while their places are being walked.
static void events_forget_left(TrnStoreEvents *events)
{
    uint32_t count = 0;
    events->kinds = 0;
    for (uint32_t i = 0; i < events->listener_count; i++) {
        if (events->listeners[i].call) {
            events->kinds |= events->listeners[i].kinds;
            events->listeners[count++] = events->listeners[i];
        }
    }
    events->listener_count = count;
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
        events_forget_left(events);
    }
    return TRN_RESULT_OK;
}

static bool events_hears(const EventListener *listener, const QueuedEvent *event)
{
    return listener->call && (listener->kinds & TRN_EVENT_BIT(event->kind)) &&
           listener->first_serial <= event->serial;
}

/// The listener was not told of an event, or could not deal with it.
static void events_count_missed(TrnStoreEvents *events, EventListener *listener,
                                const QueuedEvent *event)
{
    // A removal bears the revision of the last change before it.
    const uint64_t since = event->revision - (event->kind != TRN_EVENT_REMOVED);
    if (!listener->has_missed || since < listener->missed_since) {
        listener->missed_since = since;
    }
    listener->has_missed = true;
    events->missed++;
}

// ---- noting ------------------------------------------------------------------------------------

bool trn_store_has_listener(const TrnStore *store, TrnEventKind kind)
{
    return store->events->kinds & TRN_EVENT_BIT(kind);
}

/// Whether what is noted now is told.
static bool events_is_too_deep(const TrnStoreEvents *events)
{
    return events->depth > EVENTS_DEPTH_MAX || events->deep >= EVENTS_DEEP_MAX;
}

/// Begins the event of a change, at its first note.
static void events_open(TrnStoreEvents *events, TrnEventKind kind)
{
    events->is_open = true;
    events->open = (QueuedEvent){
        .kind = kind, .first = events->coming->chunk_count, .serial = ++events->serial};
    events->is_lost =
        events_is_too_deep(events) || !queue_reserve_event(events->coming, &events->allocator);
    events->deep += events->depth > 1;
}

/// Adds a chunk to the event of the change.
static void events_add(TrnStore *store, TrnEventKind kind, TrnChunk *chunk, uint32_t around)
{
    TrnStoreEvents *events = store->events;
    EventQueue *queue = events->coming;
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
        .around = around,
        .applied = kind == TRN_EVENT_INSERTED ? trn_chunk_marks(chunk)->applied : 0};
    events->open.count++;
}

uint64_t trn_store_next_revision(const TrnStore *store)
{
    return store->revision + 1;
}

void trn_store_add_inserted(TrnStore *store, TrnChunk *chunk, uint64_t revision)
{
    trn_changes_add(store, chunk, revision);
    if (trn_store_has_listener(store, TRN_EVENT_INSERTED)) {
        events_add(store, TRN_EVENT_INSERTED, chunk, TRN_AROUND_ALL);
    }
}

void trn_store_add_changed(TrnStore *store, TrnChunk *chunk, uint64_t revision, uint32_t around)
{
    trn_changes_move(store, chunk, revision);
    if (trn_store_has_listener(store, TRN_EVENT_CHANGED)) {
        events_add(store, TRN_EVENT_CHANGED, chunk, around);
    }
}

/// The removal notes of a chunk that has left the index.
static TrnChunkRemoval *events_removal(TrnChunk *chunk)
{
    return &((TrnStoreChunk *)(void *)chunk)->own.removal;
}

/// Counts a removed chunk as kept for listeners, or no more.
static void events_count_untold(TrnStore *store, const TrnChunk *chunk, bool is_kept)
{
    TrnStoreEvents *events = store->events;
    const bool has_payload = !trn_snapshot_is_uniform(trn_voxels_snapshot(&chunk->voxels));
    const uint32_t by = is_kept ? 1 : UINT32_MAX; // minus one
    const size_t bytes = trn_header_bytes(store, chunk);
    events->untold_chunks += by;
    events->untold_payloads += has_payload ? by : 0;
    events->untold_bytes += is_kept ? bytes : 0 - bytes;
}

/// Nobody is told of an event.
static void events_lose(TrnStoreEvents *events, const QueuedEvent *event)
{
    for (uint32_t i = 0; i < events->listener_count; i++) {
        if (events_hears(&events->listeners[i], event)) {
            events_count_missed(events, &events->listeners[i], event);
        }
    }
}

bool trn_events_add_removed(TrnStore *store, TrnChunk *chunk, bool is_eviction)
{
    TrnStoreEvents *events = store->events;
    EventQueue *queue = events->coming;
    if (!trn_store_has_listener(store, TRN_EVENT_REMOVED)) {
        return false;
    }
    const QueuedEvent event = {
        .kind = TRN_EVENT_REMOVED, .revision = store->revision, .serial = ++events->serial};
    if (events_is_too_deep(events)) {
        events_lose(events, &event);
        return false;
    }
    events->deep += events->depth > 1;
    events_count_untold(store, chunk, true);
    *events_removal(chunk) =
        (TrnChunkRemoval){NULL, event.serial * 2 + is_eviction, store->revision};
    *(queue->gone_first ? &events_removal(queue->gone_last)->next : &queue->gone_first) = chunk;
    queue->gone_last = chunk;
    return true;
}

/// Ends the noting of a change: its event waits to be told, or is lost.
static void events_close(TrnStore *store, uint64_t revision)
{
    TrnStoreEvents *events = store->events;
    EventQueue *queue = events->coming;
    events->is_open = false;
    events->open.revision = revision;
    events->open.removals = store->removed + store->evicted;
    if (events->is_lost) {
        events_lose(events, &events->open);
    } else {
        queue->events[queue->event_count++] = events->open;
    }
}

// ---- telling -----------------------------------------------------------------------------------

/// Chunks that have been removed since they were noted are not handed to listeners any more.
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
    EventListener *listener = &events->listeners[place];
    const TrnStoreEvent told = {
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
    if (listener->call(store, &told, listener->user) == TRN_RESULT_OK) {
        return;
    }
    listener = &events->listeners[place]; // others may have come
    events_count_missed(events, listener, event);
    if (told.has_missed && told.missed_since < listener->missed_since) {
        listener->missed_since = told.missed_since;
    }
}

static void events_tell(TrnStore *store, QueuedEvent *event, TrnEventChunk *chunks)
{
    TrnStoreEvents *events = store->events;
    for (uint32_t i = 0; i < events->listener_count; i++) {
        if (events_hears(&events->listeners[i], event)) {
            events_drop_removed(store, event, chunks);
            events_call(store, i, event, chunks);
        }
    }
}

static void events_tell_removal(TrnStore *store, TrnChunk *chunk)
{
    TrnEventChunk gone = {
        .coord = chunk->coord, .id = chunk->id, .chunk = chunk, .around = TRN_AROUND_ALL};
    QueuedEvent event = {.kind = TRN_EVENT_REMOVED,
                         .is_eviction = events_removal(chunk)->event & 1,
                         .count = 1,
                         .revision = events_removal(chunk)->revision,
                         .serial = events_removal(chunk)->event / 2};
    events_tell(store, &event, &gone);
    events_count_untold(store, chunk, false);
    trn_header_retire(store, chunk);
}

static bool queue_is_empty(const EventQueue *queue)
{
    return queue->event_count == 0 && !queue->gone_first;
}

static void events_tell_round(TrnStore *store, EventQueue *round)
{
    size_t at = 0;
    while (at < round->event_count || round->gone_first) {
        TrnChunk *gone = round->gone_first;
        if (gone && (at == round->event_count ||
                     events_removal(gone)->event / 2 < round->events[at].serial)) {
            round->gone_first = events_removal(gone)->next;
            events_tell_removal(store, gone);
        } else {
            events_tell(store, &round->events[at], round->chunks + round->events[at].first);
            at++;
        }
    }
    round->event_count = 0;
    round->chunk_count = 0;
}

/// Tells all that waits, and what listeners bring about meanwhile.
static void events_tell_all(TrnStore *store)
{
    TrnStoreEvents *events = store->events;
    while (!queue_is_empty(events->coming)) {
        EventQueue *round = events->coming;
        events->coming = events->telling;
        events->telling = round;
        events->depth++;
        events_tell_round(store, round);
    }
    events->depth = 0;
    events->deep = 0;
    events_forget_left(events);
}

void trn_store_end_change(TrnStore *store, uint64_t revision)
{
    TrnStoreEvents *events = store->events;
    __atomic_store_n(&store->revision, revision, __ATOMIC_RELEASE);
    if (events->is_open) {
        events_close(store, revision);
    }
    if (events->depth == 0 && !queue_is_empty(events->coming)) {
        events_tell_all(store);
    }
}

// ---- what a change means to others -------------------------------------------------------------

uint32_t trn_store_around(TrnSnapshot before, TrnSnapshot after)
{
    uint32_t rows[TRN_CHUNK_ROWS];
    if (before.word == after.word || trn_snapshot_diff(before, after, rows) == 0) {
        return 0;
    }
    return trn_mask_around(rows);
}

TrnEventsStats trn_events_stats(const TrnStore *store)
{
    const TrnStoreEvents *events = store->events;
    TrnEventsStats stats = {
        .calls = events->calls,
        .missed = events->missed,
        .untold_chunks = events->untold_chunks,
        .untold_payloads = events->untold_payloads,
        .untold_bytes = events->untold_bytes,
    };
    for (uint32_t i = 0; i < events->listener_count; i++) {
        stats.listeners += events->listeners[i].call != NULL;
    }
    return stats;
}
