// The byte budget. Store, meshes, the stream and the hooks' scratch share one limit: what the
// others use is taken off the store's bytes_max. Allocations that do not fit are refused at once,
// so the limit holds regardless of the estimates. Estimates only decide how large a view is tried.

#include "store/store_internal.h"
#include "stream_impl.h"

#define BUDGET_CHUNK_GUESS 6144u // bytes of a chunk and its mesh while too few are loaded
#define BUDGET_CHUNKS_KNOWN 64u
#define BUDGET_STARVED_MAX 8u // updates in a row after which failed allocations shrink views
#define BUDGET_STUCK 64u // updates after which unloading that makes no progress is not waited for
#define BUDGET_RINGS 2u  // most rings that one update drops
// part of the loaded chunks: unloading more than this is enough for one update
#define BUDGET_TRIM_PART 32u
#define BUDGET_FORGET 256u // updates after which the learned capacity is raised a little

/// Adds without overflow: hooks may report any number of bytes.
static size_t budget_sum(size_t a, size_t b)
{
    return a <= SIZE_MAX - b ? a + b : SIZE_MAX;
}

/// All bytes except the store's.
static size_t budget_outside_store(const TrnStream *stream)
{
    return budget_sum(budget_sum(stream->stream_bytes, stream->mesh_bytes), stream->scratch_bytes);
}

size_t trn_stream_bytes(const TrnStream *stream)
{
    return budget_sum(trn_store_bytes(stream->store, NULL), budget_outside_store(stream));
}

void trn_stream_update_store_max(TrnStream *stream)
{
    const size_t bytes_max = stream->def.bytes_max;
    const size_t taken = budget_outside_store(stream);
    const size_t total = trn_stream_bytes(stream);
    stream->bytes_peak = total > stream->bytes_peak ? total : stream->bytes_peak;
    if (!bytes_max) {
        return;
    }
    size_t left = taken < bytes_max ? bytes_max - taken : 1; // 0 would mean no limit
    if (stream->store_bytes_max && stream->store_bytes_max < left) {
        left = stream->store_bytes_max;
    }
    trn_store_set_bytes_max(stream->store, left);
}

static bool budget_has_bytes(const TrnStream *stream, size_t bytes)
{
    const size_t bytes_max = stream->def.bytes_max, total = trn_stream_bytes(stream);
    return !bytes_max || (total <= bytes_max && bytes <= bytes_max - total);
}

void *trn_stream_alloc(size_t bytes, size_t alignment, void *user)
{
    TrnStream *stream = user;
    if (!budget_has_bytes(stream, bytes)) {
        trn_store_trim(stream->store);
    }
    if (!budget_has_bytes(stream, bytes)) {
        stream->is_refused = true;
        return NULL;
    }
    void *memory = trn_take(&stream->allocator, bytes, alignment);
    if (memory) {
        stream->stream_bytes += bytes;
        trn_stream_update_store_max(stream);
    }
    return memory;
}

void trn_stream_free(void *memory, size_t bytes, void *user)
{
    TrnStream *stream = user;
    stream->stream_bytes -= bytes;
    trn_give(&stream->allocator, memory, bytes);
    trn_stream_update_store_max(stream);
}

bool trn_stream_admit_mesh(TrnStream *stream, size_t bytes)
{
    if (!budget_has_bytes(stream, bytes)) {
        trn_store_trim(stream->store);
    }
    if (!budget_has_bytes(stream, bytes)) {
        return false;
    }
    stream->mesh_bytes += bytes;
    trn_stream_update_store_max(stream);
    return true;
}

void trn_stream_set_scratch(TrnStream *stream, size_t bytes)
{
    // Bytes that hooks release become capacity for chunks, and the other way round.
    if (stream->capacity_learned) {
        const size_t both = budget_sum(stream->capacity_learned, stream->scratch_bytes);
        stream->capacity_learned = bytes < both ? both - bytes : 1;
    }
    stream->scratch_bytes = bytes;
    trn_stream_update_store_max(stream);
}

void trn_stream_note_full(TrnStream *stream, TrnResult result)
{
    stream->is_full = true;
    stream->is_full_of_bytes |= result == TRN_RESULT_FULL;
    stream->is_starved |= result == TRN_RESULT_NO_MEMORY;
    stream->update_result = result;
}

/// Bytes in use that grow with the number of chunks.
static size_t budget_chunk_bytes(const TrnStream *stream)
{
    size_t used;
    (void)trn_store_bytes(stream->store, &used);
    return stream->mesh_bytes +
           (used > stream->store_base_bytes ? used - stream->store_base_bytes : 0) +
           trn_pool_stats(stream->cells).taken * sizeof(TrnStreamCell);
}

/// The capacity for those bytes, as far as known; SIZE_MAX: no limit.
static size_t budget_chunk_capacity(const TrnStream *stream, size_t content)
{
    size_t capacity = stream->capacity_learned ? stream->capacity_learned : SIZE_MAX;
    if (stream->def.bytes_max) {
        size_t store_used; // without free space inside the store's blocks
        (void)trn_store_bytes(stream->store, &store_used);
        const size_t fixed = budget_sum(store_used, budget_outside_store(stream)) - content;
        const size_t left = stream->def.bytes_max > fixed ? stream->def.bytes_max - fixed : 0;
        capacity = left < capacity ? left : capacity;
    }
    return capacity;
}

uint32_t trn_stream_chunks_to_come(const TrnStream *stream)
{
    return stream->to_generate + stream->generating + stream->generated.count +
           stream->lists[TRN_STREAM_LIST_FAILED].count;
}

bool trn_stream_fits(const TrnStream *stream, uint64_t chunks, bool is_cautious)
{
    const size_t content = budget_chunk_bytes(stream),
                 capacity = budget_chunk_capacity(stream, content);
    if (capacity == SIZE_MAX) {
        return true;
    }
    const double each = stream->loaded_count >= BUDGET_CHUNKS_KNOWN
                            ? (double)content / stream->loaded_count
                            : (double)BUDGET_CHUNK_GUESS;
    const uint32_t leaving = stream->lists[TRN_STREAM_LIST_UNLOAD_FIRST].count +
                             stream->lists[TRN_STREAM_LIST_UNLOAD_LATER].count;
    const double coming = (double)trn_stream_chunks_to_come(stream) + (double)chunks - leaving;
    return (double)content + coming * each <= (double)capacity * (is_cautious ? 0.875 : 0.9375);
}

/// Unloads chunks that only hysteresis keeps. If these are few, drops rings until the rest is
/// likely to fit.
static void budget_shrink(TrnStream *stream)
{
    const size_t content = budget_chunk_bytes(stream);
    if (trn_stream_drop_kept(stream) > stream->loaded_count / BUDGET_TRIM_PART) {
        return;
    }
    // A failed allocation teaches no capacity: it may succeed a moment later.
    if (stream->is_full_of_bytes &&
        (!stream->capacity_learned || content < stream->capacity_learned)) {
        stream->capacity_learned = content;
    }
    for (uint32_t ring = 0; ring < BUDGET_RINGS; ring++) {
        if ((ring && trn_stream_fits(stream, 0, true)) || !trn_stream_shrink_largest_view(stream)) {
            return;
        }
    }
}

void trn_stream_enforce_budget(TrnStream *stream)
{
    if (!budget_has_bytes(stream, 0)) { // the hooks use more than before
        trn_store_trim(stream->store);
    }
    if (!budget_has_bytes(stream, 0)) {
        trn_stream_note_full(stream, TRN_RESULT_FULL);
    }
    if (stream->capacity_learned && stream->updates % BUDGET_FORGET == 0) {
        stream->capacity_learned += stream->capacity_learned / 32;
    }
    if (!stream->is_full) {
        stream->starved_updates = 0;
        return;
    }
    if (!stream->is_full_of_bytes && !stream->is_starved) {
        return; // readers delay reclaiming; a smaller view would not end their sections sooner
    }
    stream->starved_updates++;
    const bool must_shrink =
        stream->is_full_of_bytes || stream->starved_updates > BUDGET_STARVED_MAX;
    // Chunks that are unloading already free memory; drop more only when that is stuck.
    const bool is_waiting =
        trn_stream_is_unloading(stream) && stream->starved_updates < BUDGET_STUCK;
    if (must_shrink && !is_waiting) {
        budget_shrink(stream);
        stream->starved_updates = 0;
    }
}
