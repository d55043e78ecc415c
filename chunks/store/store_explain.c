// Why a chunk is or is not there: what the store sees of it, and a log of the last chunks that went
// or were refused.

#include "store_impl.h"

#include <inttypes.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LOG_ENDS 1024u

typedef struct LogEnd {
    TrnCoord coord;
    uint16_t state;   ///< TrnChunkState
    uint16_t refusal; ///< TrnResult
    uint64_t revision;
} LogEnd;

/// A ring.
struct TrnStoreLog {
    TrnAllocator allocator;
    uint64_t count; ///< so far; end i stands at i % LOG_ENDS
    LogEnd ends[LOG_ENDS];
};

// ---- the log -----------------------------------------------------------------------------------

TrnResult trn_log_create(TrnStore *store)
{
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_BOOKS);
    TrnStoreLog *made = trn_take(&allocator, sizeof *made, alignof(TrnStoreLog));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    made->allocator = allocator;
    made->count = 0;
    store->log = made;
    return TRN_RESULT_OK;
}

void trn_log_destroy(TrnStore *store)
{
    if (store->log) {
        const TrnAllocator allocator = store->log->allocator;
        trn_give(&allocator, store->log, sizeof *store->log);
    }
}

void trn_log_end(TrnStore *store, TrnCoord coord, TrnChunkState state, TrnResult refusal)
{
    TrnStoreLog *log = store->log;
    log->ends[log->count++ % LOG_ENDS] =
        (LogEnd){coord, (uint16_t)state, (uint16_t)refusal, store->revision};
}

/// The last end of a chunk, or NULL.
static const LogEnd *log_find(const TrnStoreLog *log, TrnCoord coord)
{
    const uint64_t known = log->count < LOG_ENDS ? log->count : LOG_ENDS;
    for (uint64_t back = 1; back <= known; back++) {
        const LogEnd *end = &log->ends[(log->count - back) % LOG_ENDS];
        if (trn_coord_equal(end->coord, coord)) {
            return end;
        }
    }
    return NULL;
}

// ---- the sentence ------------------------------------------------------------------------------

/// Appends to a sentence; what does not fit is cut off.
static void explain_say(TrnExplanation *explanation, const char *format, ...)
{
    const size_t length = strlen(explanation->sentence);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(explanation->sentence + length, sizeof explanation->sentence - length, format,
                    arguments);
    va_end(arguments);
}

static const char *explain_refusal(TrnResult refusal)
{
    switch (refusal) {
    case TRN_RESULT_NO_MEMORY:
        return "there was no memory";
    case TRN_RESULT_READERS:
        return "memory waited for a reader";
    default:
        return "a cap had been reached";
    }
}

static void explain_say_state(TrnExplanation *explanation)
{
    const unsigned long long revision = explanation->revision;
    switch (explanation->state) {
    case TRN_CHUNK_STATE_LOADED:
        explain_say(explanation, " is there: %u bits a voxel, %zu bytes, changed at revision %llu",
                    explanation->bits, explanation->bytes, revision);
        break;
    case TRN_CHUNK_STATE_REMOVED:
        explain_say(explanation, " was removed at revision %llu", revision);
        break;
    case TRN_CHUNK_STATE_EVICTED:
        explain_say(explanation, " was evicted at revision %llu", revision);
        break;
    case TRN_CHUNK_STATE_REFUSED:
        explain_say(explanation, " was refused at revision %llu, since %s", revision,
                    explain_refusal(explanation->refusal));
        break;
    default:
        explain_say(explanation, " is not there, and nobody tried lately");
        break;
    }
}

/// The caps that an insert may meet, and how near they are.
static void explain_say_caps(const TrnStore *store, TrnExplanation *explanation)
{
    const TrnPoolStats headers = trn_pool_stats(store->headers);
    if (store->bytes_max) {
        explain_say(explanation, "; %zu of %zu bytes are taken now", store->bytes,
                    store->bytes_max);
    }
    if (headers.slot_max) {
        explain_say(explanation, "; %u of %u chunks", headers.taken, headers.slot_max);
    }
}

static void explain_say_all(const TrnStore *store, TrnExplanation *explanation, TrnCoord coord)
{
    explain_say(explanation, "Chunk %" PRId32 ", %" PRId32 ", %" PRId32, coord.x, coord.y, coord.z);
    explain_say_state(explanation);
    if (explanation->state == TRN_CHUNK_STATE_REFUSED) {
        explain_say_caps(store, explanation);
    }
    if (explanation->unseen) {
        explain_say(explanation, "; not seen by the last %u calls", explanation->unseen);
    }
    if (explanation->holds) {
        explain_say(explanation, "; held %u time%s", explanation->holds,
                    explanation->holds == 1 ? "" : "s");
    }
    if (explanation->is_open) {
        explain_say(explanation, "; open in a batch");
    }
    if (explanation->pending_runs) {
        const bool is_one = explanation->pending_runs == 1;
        explain_say(explanation,
                    is_one ? "; %u run of edits waits for it" : "; %u runs of edits wait for it",
                    explanation->pending_runs);
    }
    if (explanation->slowest_reader) {
        explain_say(explanation, "; reader \"%s\" keeps removed memory back",
                    explanation->slowest_reader);
    }
    explain_say(explanation, ".");
}

// ---- asking ------------------------------------------------------------------------------------

static void explain_present(const TrnStore *store, const TrnChunk *chunk,
                            TrnExplanation *explanation)
{
    const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
    explanation->state = TRN_CHUNK_STATE_LOADED;
    explanation->revision = trn_snapshot_revision(now);
    explanation->bytes = trn_store_chunk_bytes(store, chunk);
    explanation->bits = trn_snapshot_bits(now);
    explanation->holds = chunk->own.marks.holds;
    explanation->is_open = chunk->own.marks.edit != 0;
    explanation->unseen = store->sight - chunk->own.marks.seen;
}

static void explain_absent(const TrnStore *store, TrnCoord coord, TrnExplanation *explanation)
{
    const LogEnd *end = log_find(store->log, coord);
    if (end) {
        explanation->state = (TrnChunkState)end->state;
        explanation->refusal = (TrnResult)end->refusal;
        explanation->revision = end->revision;
    }
}

TrnExplanation trn_store_explain(const TrnStore *store, TrnCoord coord)
{
    TrnExplanation explanation = {.state = TRN_CHUNK_STATE_UNKNOWN};
    const TrnChunk *chunk = trn_store_find(store, coord);
    if (chunk) {
        explain_present(store, chunk, &explanation);
    } else {
        explain_absent(store, coord, &explanation);
    }
    for (TrnPlane plane = 0; plane < TRN_PLANE_COUNT_MAX; plane++) {
        const bool bit = trn_chunk_index_plane_test(store->index, plane, coord);
        explanation.planes |= bit ? TRN_PLANE_BIT(plane) : 0;
    }
    explanation.pending_runs = trn_pending_runs(store, coord);
    explanation.slowest_reader = trn_chunk_index_slowest_reader(store->index);
    explain_say_all(store, &explanation, coord);
    return explanation;
}
