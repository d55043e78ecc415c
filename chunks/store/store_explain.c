// Why a chunk is or is not loaded: what the store knows about it, in fields and as a sentence.

#include "store/store_impl.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- sentence ----------------------------------------------------------------------------------

/// Appends to the sentence, and truncates it where it is full.
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
        return "memory ran out";
    case TRN_RESULT_READERS:
        return "a reader kept removed memory";
    default:
        return "a cap was reached";
    }
}

static void explain_say_state(TrnExplanation *explanation)
{
    const unsigned long long revision = explanation->revision;
    switch (explanation->state) {
    case TRN_CHUNK_STATE_LOADED:
        explain_say(explanation, " is loaded: %u bits a voxel, %zu bytes, changed at revision %llu",
                    explanation->bits, explanation->bytes, revision);
        break;
    case TRN_CHUNK_STATE_REMOVED:
        explain_say(explanation, " was removed at revision %llu", revision);
        break;
    case TRN_CHUNK_STATE_EVICTED:
        explain_say(explanation, " was evicted at revision %llu", revision);
        break;
    case TRN_CHUNK_STATE_REFUSED:
        explain_say(explanation, " was refused at revision %llu: %s", revision,
                    explain_refusal(explanation->refusal));
        break;
    default:
        explain_say(explanation, " is not loaded, and no recent insert was refused");
        break;
    }
}

/// The caps that an insert can exceed, and how much of each is used.
static void explain_say_caps(const TrnStore *store, TrnExplanation *explanation)
{
    const TrnPoolStats headers = trn_pool_stats(store->headers);
    if (store->bytes_max) {
        explain_say(explanation, "; %zu of %zu bytes are allocated now", store->bytes,
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
    if (explanation->untouched) {
        explain_say(explanation, "; not touched by the last %u calls", explanation->untouched);
    }
    if (explanation->pins) {
        explain_say(explanation, "; pinned %u time%s", explanation->pins,
                    explanation->pins == 1 ? "" : "s");
    }
    if (explanation->is_open) {
        explain_say(explanation, "; open for editing in a batch");
    }
    if (explanation->pending_runs) {
        const bool is_one = explanation->pending_runs == 1;
        explain_say(explanation,
                    is_one ? "; %u run of edits is pending" : "; %u runs of edits are pending",
                    explanation->pending_runs);
    }
    if (explanation->slowest_reader[0]) {
        explain_say(explanation, "; reader \"%s\" delays the reclaim of removed memory",
                    explanation->slowest_reader);
    }
    explain_say(explanation, ".");
}

// ---- explain -----------------------------------------------------------------------------------

static void explain_loaded(const TrnStore *store, const TrnChunk *chunk,
                           TrnExplanation *explanation)
{
    const TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
    explanation->state = TRN_CHUNK_STATE_LOADED;
    explanation->revision = trn_snapshot_revision(now);
    explanation->bytes = trn_header_bytes(store, chunk);
    explanation->bits = trn_snapshot_bits(now);
    explanation->pins = trn_chunk_marks_of(chunk)->pins;
    explanation->is_open = trn_chunk_marks_of(chunk)->lock != 0;
    explanation->untouched = store->touches - trn_chunk_marks_of(chunk)->touched;
}

static void explain_absent(const TrnStore *store, TrnCoord coord, TrnExplanation *explanation)
{
    const TrnLogEntry *entry = trn_log_find(store, coord);
    if (entry) {
        explanation->state = (TrnChunkState)entry->state;
        explanation->refusal = (TrnResult)entry->refusal;
        explanation->revision = entry->revision;
    }
}

TrnExplanation trn_store_explain(const TrnStore *store, TrnCoord coord)
{
    TrnExplanation explanation = {.state = TRN_CHUNK_STATE_UNKNOWN};
    const TrnChunk *chunk = trn_store_find(store, coord);
    if (chunk) {
        explain_loaded(store, chunk, &explanation);
    } else {
        explain_absent(store, coord, &explanation);
    }
    for (TrnPlane plane = 0; plane < TRN_PLANE_COUNT_MAX; plane++) {
        const bool bit = trn_chunk_index_plane_test(store->index, plane, coord);
        explanation.planes |= bit ? TRN_PLANE_BIT(plane) : 0;
    }
    explanation.pending_runs = trn_store_pending_runs(store, coord);
    (void)trn_chunk_index_slowest_reader(store->index, explanation.slowest_reader);
    explain_say_all(store, &explanation, coord);
    return explanation;
}
