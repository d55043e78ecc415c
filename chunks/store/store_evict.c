// Eviction: which chunks go first, until the store uses few enough bytes.

#include "store/store_uses.h"

/// Chunks that one pass in a caller's order chooses. On the stack, since memory may be short.
#define EVICT_CHOSEN_MAX 512u
/// Chunks whose removal lacked memory, after which it gives up.
#define EVICT_FAILURES_MAX 512u

typedef struct EvictCandidate {
    double score;  ///< greater goes first
    uint64_t rank; ///< of equal scores: less recently changed goes first
    TrnChunkId id;
} EvictCandidate;

/// The best candidates so far: a binary heap with the worst of them on top.
typedef struct EvictChoice {
    EvictCandidate candidates[EVICT_CHOSEN_MAX];
    uint32_t count;
} EvictChoice;

static bool evict_goes_sooner(const EvictCandidate *a, const EvictCandidate *b)
{
    return a->score != b->score ? a->score > b->score : a->rank < b->rank;
}

// ---- choose ------------------------------------------------------------------------------------

static void evict_sift_up(EvictChoice *choice, uint32_t place)
{
    EvictCandidate *heap = choice->candidates;
    while (place > 0) {
        const uint32_t parent = (place - 1) / 2;
        if (!evict_goes_sooner(&heap[parent], &heap[place])) {
            return;
        }
        const EvictCandidate held = heap[parent];
        heap[parent] = heap[place];
        heap[place] = held;
        place = parent;
    }
}

static void evict_sift_down(EvictChoice *choice, uint32_t count)
{
    EvictCandidate *heap = choice->candidates;
    uint32_t place = 0;
    for (uint32_t child = 1; child < count; child = 2 * place + 1) {
        if (child + 1 < count && evict_goes_sooner(&heap[child], &heap[child + 1])) {
            child++;
        }
        if (!evict_goes_sooner(&heap[place], &heap[child])) {
            return;
        }
        const EvictCandidate held = heap[child];
        heap[child] = heap[place];
        heap[place] = held;
        place = child;
    }
}

static void evict_consider(EvictChoice *choice, const EvictCandidate *candidate)
{
    if (choice->count < EVICT_CHOSEN_MAX) {
        choice->candidates[choice->count] = *candidate;
        evict_sift_up(choice, choice->count++);
    } else if (evict_goes_sooner(candidate, &choice->candidates[0])) {
        choice->candidates[0] = *candidate;
        evict_sift_down(choice, choice->count);
    }
}

/// Heap sort: what goes first comes first.
static void evict_sort(EvictChoice *choice)
{
    for (uint32_t count = choice->count; count > 1; count--) {
        const EvictCandidate last = choice->candidates[0];
        choice->candidates[0] = choice->candidates[count - 1];
        choice->candidates[count - 1] = last;
        evict_sift_down(choice, count - 1);
    }
}

/// Chooses by the caller's order among all chunks.
static void evict_choose(const TrnStore *store, const TrnEviction *eviction, EvictChoice *choice)
{
    TrnChunk *const *chunks;
    size_t place = 0, places;
    choice->count = 0;
    for (; (places = trn_changes_run(store, &place, &chunks)) > 0; place += places) {
        for (size_t i = 0; i < places; i++) {
            const TrnChunk *chunk = chunks[i];
            if (!chunk || trn_chunk_is_busy(chunk) || trn_chunk_marks_of(chunk)->is_passed) {
                continue;
            }
            const EvictCandidate candidate = {eviction->order(chunk, eviction->user), place + i,
                                              chunk->id};
            if (candidate.score >= 0) { // false for NaN
                evict_consider(choice, &candidate);
            }
        }
    }
    evict_sort(choice);
}

// ---- evict -------------------------------------------------------------------------------------

/// The state of an eviction.
typedef struct Evicting {
    TrnStore *store;
    const TrnEviction *eviction;
    uint32_t count, count_max;
    uint32_t failures; ///< chunks in a row that memory kept from being removed
    TrnResult failure; ///< of the last of them
    TrnResult refusal; ///< of the last chunk that a watch refused to let go
    bool has_passed;   ///< whether it has passed chunks by
} Evicting;

/// Whether allocated bytes stop an eviction.
static bool evict_gives_back(const TrnEviction *eviction)
{
    return eviction->bytes || !eviction->used_bytes;
}

/// Whether enough chunks have gone. Memory that waits for readers counts as freed: otherwise one
/// slow reader would empty the store.
static bool evict_is_enough(const Evicting *evicting)
{
    const TrnStore *store = evicting->store;
    const TrnEviction *eviction = evicting->eviction;
    if (eviction->used_bytes && trn_store_used_bytes(store) <= eviction->used_bytes) {
        return true;
    }
    return evict_gives_back(eviction) &&
           (store->bytes <= eviction->bytes ||
            store->bytes - eviction->bytes <= trn_store_returning_bytes(store));
}

static bool evict_is_over(const Evicting *evicting)
{
    return evicting->count >= evicting->count_max || evicting->failures >= EVICT_FAILURES_MAX ||
           evict_is_enough(evicting);
}

/// Frees blocks, if allocated bytes stop the eviction.
static void evict_trim(const Evicting *evicting)
{
    if (evict_gives_back(evicting->eviction)) {
        trn_store_trim(evicting->store);
    }
}

/// Passes a chunk by from now on, since it could not go.
static void evict_pass(Evicting *evicting, TrnChunk *chunk)
{
    evicting->has_passed = true;
    if (evicting->eviction->order) {
        trn_chunk_marks(chunk)->is_passed = true;
    } else {
        trn_uses_pass(evicting->store, chunk);
    }
}

/// Lets the next eviction consider all chunks again.
static void evict_forget_passed(const Evicting *evicting)
{
    if (!evicting->has_passed || !evicting->eviction->order) {
        trn_uses_end_pass(evicting->store);
        return;
    }
    TrnChunk *const *chunks;
    size_t place = 0, places;
    for (; (places = trn_changes_run(evicting->store, &place, &chunks)) > 0; place += places) {
        for (size_t i = 0; i < places; i++) {
            if (chunks[i]) {
                trn_chunk_marks(chunks[i])->is_passed = false;
            }
        }
    }
}

/// Evicts a chunk that is not busy, or passes it by.
static void evict_one(Evicting *evicting, TrnChunk *chunk)
{
    const TrnResult refusal = trn_store_ask_watch(evicting->store, chunk);
    if (refusal != TRN_RESULT_OK) {
        evicting->refusal = refusal;
        evict_pass(evicting, chunk);
        return;
    }
    const TrnResult result = trn_store_remove_chunk(evicting->store, chunk, true);
    if (result == TRN_RESULT_OK) {
        evicting->count++;
        evicting->failures = 0;
        evict_trim(evicting);
    } else { // the next removal may need no memory
        evicting->failure = result;
        evicting->failures++;
        evict_pass(evicting, chunk);
    }
}

static void evict_oldest(Evicting *evicting)
{
    TrnChunk *chunk;
    while (!evict_is_over(evicting) && (chunk = trn_uses_first(evicting->store))) {
        evict_one(evicting, chunk);
    }
}

static void evict_by_order(Evicting *evicting)
{
    EvictChoice choice;
    choice.count = 1;
    while (choice.count > 0 && !evict_is_over(evicting)) {
        evict_choose(evicting->store, evicting->eviction, &choice);
        for (uint32_t i = 0; i < choice.count && !evict_is_over(evicting); i++) {
            // A listener may have removed or pinned it.
            TrnChunk *chunk = trn_store_chunk(evicting->store, choice.candidates[i].id);
            if (chunk && !trn_chunk_is_busy(chunk)) {
                evict_one(evicting, chunk);
            }
        }
    }
}

static TrnResult evict_outcome(const Evicting *evicting)
{
    const TrnStore *store = evicting->store;
    const TrnEviction *eviction = evicting->eviction;
    const size_t undelivered =
        trn_events_stats(store).undelivered_bytes; // freed when the listener returns
    if ((eviction->used_bytes && trn_store_used_bytes(store) <= eviction->used_bytes) ||
        (evict_gives_back(eviction) && store->bytes - undelivered <= eviction->bytes)) {
        return TRN_RESULT_OK;
    }
    if (evicting->refusal != TRN_RESULT_OK) {
        return evicting->refusal;
    }
    if (evicting->failure == TRN_RESULT_NO_MEMORY) {
        return TRN_RESULT_NO_MEMORY;
    }
    return trn_chunk_index_slowest_reader(store->index, NULL) ? TRN_RESULT_READERS
                                                              : TRN_RESULT_FULL;
}

TrnResult trn_store_evict(TrnStore *store, const TrnEviction *eviction, uint32_t *evicted)
{
    if (evicted) {
        *evicted = 0;
    }
    if (!eviction) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    // At most as many as are loaded now: a listener may insert them again.
    Evicting evicting = {.store = store, .eviction = eviction, .count_max = store->chunks};
    if (eviction->count_max && eviction->count_max < store->chunks) {
        evicting.count_max = eviction->count_max;
    }
    if (store->bytes > eviction->bytes) {
        evict_trim(&evicting);
    }
    (eviction->order ? evict_by_order : evict_oldest)(&evicting);
    evict_forget_passed(&evicting);
    if (evicted) {
        *evicted = evicting.count;
    }
    return evict_outcome(&evicting);
}
