/// Private: the byte budget of a stream: what fits, and what has to go.
///
/// Store, meshes, the stream itself, guests and the hooks' scratch share one limit: what the others
/// use is taken off the store's bytes_max. Allocations that do not fit are refused at once, so the
/// limit holds regardless of the estimates. Estimates only decide how large a view is tried.
#ifndef TERRANE_STREAM_STREAM_BUDGET_H
#define TERRANE_STREAM_STREAM_BUDGET_H

#include <terrane/stream.h>

/// How memory ran short in an update.
typedef enum TrnStreamShortage {
    TRN_STREAM_SHORTAGE_NONE,
    TRN_STREAM_SHORTAGE_READERS,   ///< readers delay reclaiming
    TRN_STREAM_SHORTAGE_ALLOCATOR, ///< an allocation failed
    TRN_STREAM_SHORTAGE_BYTES      ///< a byte limit was reached
} TrnStreamShortage;

/// What the budget knows of the stream's chunks.
typedef struct TrnStreamLoad {
    uint32_t loaded;  ///< chunks
    uint32_t coming;  ///< chunks queued, under way, or waiting for a retry
    uint32_t leaving; ///< chunks waiting to unload
    size_t cell_bytes;
} TrnStreamLoad;

typedef struct TrnStreamBytes {
    struct TrnStreamBytes *host; ///< NULL: not a guest's
    TrnStore *store;
    TrnAllocator allocator; ///< the caller's
    TrnAllocator counted;   ///< counts bytes and keeps to bytes_max
    size_t bytes_max;       ///< 0: none
    size_t stream, meshes, lights, scratch, peak;
    size_t guests;           ///< bytes of the streams whose host this one is
    size_t told;             ///< bytes that the host knows of
    size_t store_bytes_max;  ///< the store's bytes_max before the stream
    size_t store_base_bytes; ///< the store's bytes without chunks of the stream
    size_t learned; ///< bytes that chunks and scratch used when memory ran short; 0: unknown
    uint32_t short_updates;                    ///< updates in a row in which memory ran short
    TrnStreamShortage shortage, last_shortage; ///< in this update; in the previous one
    bool is_refused; ///< bytes_max refused memory to the stream itself; see trn_stream_bytes_result
} TrnStreamBytes;

/// Starts counting with the bytes of the stream's own struct. Does not allocate.
/// @param host  against whose limit everything counts too; outlives these. May be NULL
void trn_stream_bytes_init(TrnStreamBytes *bytes, const TrnStreamDef *def,
                           const TrnAllocator *allocator, size_t own, TrnStreamBytes *host);

/// Restores the store's limit. Everything must have been freed.
/// @return the caller's allocator
const TrnAllocator *trn_stream_bytes_end(TrnStreamBytes *bytes, size_t own);

/// The allocator for all parts of the stream; it must stay where it is.
const TrnAllocator *trn_stream_bytes_allocator(const TrnStreamBytes *bytes);

/// Forgets earlier refusals, before an operation whose own result matters.
void trn_stream_bytes_forget_refusal(TrnStreamBytes *bytes);

/// Turns NO_MEMORY into FULL if bytes_max refused the memory since the last call.
TrnResult trn_stream_bytes_result(TrnStreamBytes *bytes, TrnResult result);

/// All bytes that count against bytes_max.
size_t trn_stream_bytes_total(const TrnStreamBytes *bytes);

/// Counts a mesh. @return false if it does not fit
bool trn_stream_bytes_admit_mesh(TrnStreamBytes *bytes, size_t mesh);

/// Counts a mesh that has grown or shrunk, or was freed (to 0).
void trn_stream_bytes_resize_mesh(TrnStreamBytes *bytes, size_t from, size_t to);

/// Counts kept light. @return false if it does not fit
bool trn_stream_bytes_admit_light(TrnStreamBytes *bytes, size_t light);

/// Counts kept light that was freed.
void trn_stream_bytes_drop_light(TrnStreamBytes *bytes, size_t light);

void trn_stream_bytes_set_scratch(TrnStreamBytes *bytes, size_t scratch);

/// Changes bytes_max; 0: none.
void trn_stream_bytes_set_max(TrnStreamBytes *bytes, size_t bytes_max);

/// Begins an update.
void trn_stream_bytes_begin(TrnStreamBytes *bytes);

/// Records that memory ran short in this update.
void trn_stream_bytes_note_short(TrnStreamBytes *bytes, TrnResult result);

/// Whether memory ran short in this update; in the previous one.
bool trn_stream_bytes_is_short(const TrnStreamBytes *bytes);
bool trn_stream_bytes_was_short(const TrnStreamBytes *bytes);

/// Whether a byte limit was reached in this update.
bool trn_stream_bytes_is_limited(const TrnStreamBytes *bytes);

/// Adds bytes to statistics.
void trn_stream_bytes_stats(const TrnStreamBytes *bytes, TrnStreamStats *stats);

/// Whether `chunks` more chunks are likely to fit. @param is_cautious  after memory ran short
bool trn_stream_bytes_fit(const TrnStreamBytes *bytes, const TrnStreamLoad *load, uint64_t chunks,
                          bool is_cautious);

/// Ends an update. @param is_unloading  chunks that wait to unload will free memory
/// @return whether views must shrink
bool trn_stream_bytes_must_shrink(TrnStreamBytes *bytes, uint64_t update, bool is_unloading);

/// Remembers what chunks use now as the most that fits, if a byte limit was reached.
void trn_stream_bytes_learn(TrnStreamBytes *bytes, const TrnStreamLoad *load);

#endif
