// The byte budget: counting, refusing, estimating.

#include "stream_budget.h"

#include "base/assert.h"
#include "base/memory.h"
#include "store/store_internal.h"

#define BYTES_CHUNK_GUESS 6144u // bytes of a chunk and its mesh while too few are loaded
#define BYTES_CHUNKS_KNOWN 64u
#define BYTES_STARVED_MAX 8u // updates in a row after which failed allocations shrink views
#define BYTES_STUCK 64u   // updates after which unloading that makes no progress is not waited for
#define BYTES_FORGET 256u // updates after which the learned capacity is raised a little

/// Adds without overflow: hooks may report any number of bytes.
static size_t bytes_sum(size_t a, size_t b)
{
    return a <= SIZE_MAX - b ? a + b : SIZE_MAX;
}

/// Bytes that others use.
static size_t bytes_others(const TrnStreamBytes *bytes)
{
    return bytes_sum(bytes->scratch, bytes->guests);
}

/// All bytes except the store's.
static size_t bytes_outside_store(const TrnStreamBytes *bytes)
{
    return bytes_sum(bytes_sum(bytes->stream, bytes->meshes + bytes->lights), bytes_others(bytes));
}

size_t trn_stream_bytes_total(const TrnStreamBytes *bytes)
{
    return bytes_sum(trn_store_bytes(bytes->store, NULL), bytes_outside_store(bytes));
}

/// Notes the peak, and sets the store's bytes_max to what the others leave.
static void bytes_limit_store(TrnStreamBytes *bytes)
{
    const size_t taken = bytes_outside_store(bytes), total = trn_stream_bytes_total(bytes);
    bytes->peak = total > bytes->peak ? total : bytes->peak;
    if (!bytes->bytes_max) {
        return;
    }
    // 0 would mean no limit
    size_t left = taken < bytes->bytes_max ? bytes->bytes_max - taken : 1;
    if (bytes->store_bytes_max && bytes->store_bytes_max < left) {
        left = bytes->store_bytes_max;
    }
    trn_store_set_bytes_max(bytes->store, left);
}

/// Tells the host of a guest how many bytes it has now.
static void bytes_tell_host(TrnStreamBytes *bytes, size_t total)
{
    if (bytes->host && total != bytes->told) {
        bytes->host->guests += total - bytes->told;
        bytes->told = total;
        bytes_limit_store(bytes->host);
    }
}

static void bytes_note_change(TrnStreamBytes *bytes)
{
    bytes_limit_store(bytes);
    bytes_tell_host(bytes, bytes->host ? trn_stream_bytes_total(bytes) : 0);
}

static bool bytes_have(const TrnStreamBytes *bytes, size_t more)
{
    const size_t max = bytes->bytes_max;
    if (!max) {
        return true;
    }
    const size_t total = trn_stream_bytes_total(bytes);
    return total <= max && more <= max - total;
}

/// The same, after trimming the store if necessary.
static bool bytes_make_room(const TrnStreamBytes *bytes, size_t more)
{
    if (bytes_have(bytes, more)) {
        return true;
    }
    trn_store_trim(bytes->store);
    return bytes_have(bytes, more);
}

// ---- the stream's allocator --------------------------------------------------------------------

static void *bytes_alloc(size_t size, size_t alignment, void *user)
{
    TrnStreamBytes *bytes = user;
    if (!bytes_make_room(bytes, size)) {
        bytes->is_refused = true;
        return NULL;
    }
    void *memory = trn_take(&bytes->allocator, size, alignment);
    if (memory) {
        bytes->stream += size;
        bytes_note_change(bytes);
    }
    return memory;
}

static void bytes_free(void *memory, size_t size, void *user)
{
    TrnStreamBytes *bytes = user;
    bytes->stream -= size;
    trn_give(&bytes->allocator, memory, size);
    bytes_note_change(bytes);
}

void trn_stream_bytes_init(TrnStreamBytes *bytes, const TrnStreamDef *def,
                           const TrnAllocator *allocator, size_t own, TrnStreamBytes *host)
{
    *bytes = (TrnStreamBytes){.host = host,
                              .store = def->store,
                              .allocator = *allocator,
                              .counted = {bytes_alloc, bytes_free, bytes},
                              .bytes_max = def->bytes_max,
                              .stream = own,
                              .scratch = def->scratch_bytes,
                              .store_bytes_max = trn_store_stats(def->store).bytes_max};
    (void)trn_store_bytes(def->store, &bytes->store_base_bytes);
    bytes_note_change(bytes);
}

const TrnAllocator *trn_stream_bytes_end(TrnStreamBytes *bytes, size_t own)
{
    TRN_ASSERT(bytes->stream == own && bytes->meshes == 0 && bytes->lights == 0);
    TRN_ASSERT(bytes->guests == 0);
    (void)own;
    bytes_tell_host(bytes, 0);
    trn_store_set_bytes_max(bytes->store, bytes->store_bytes_max);
    return &bytes->allocator;
}

const TrnAllocator *trn_stream_bytes_allocator(const TrnStreamBytes *bytes)
{
    return &bytes->counted;
}

void trn_stream_bytes_forget_refusal(TrnStreamBytes *bytes)
{
    bytes->is_refused = false;
}

TrnResult trn_stream_bytes_result(TrnStreamBytes *bytes, TrnResult result)
{
    const bool is_refused = bytes->is_refused;
    bytes->is_refused = false;
    return result == TRN_RESULT_NO_MEMORY && is_refused ? TRN_RESULT_FULL : result;
}

// ---- meshes and scratch ------------------------------------------------------------------------

bool trn_stream_bytes_admit_mesh(TrnStreamBytes *bytes, size_t mesh)
{
    if (!bytes_make_room(bytes, mesh)) {
        return false;
    }
    trn_stream_bytes_resize_mesh(bytes, 0, mesh);
    return true;
}

void trn_stream_bytes_resize_mesh(TrnStreamBytes *bytes, size_t from, size_t to)
{
    if (from != to) {
        bytes->meshes += to - from;
        bytes_note_change(bytes);
    }
}

bool trn_stream_bytes_admit_light(TrnStreamBytes *bytes, size_t light)
{
    if (light && !bytes_make_room(bytes, light)) {
        return false;
    }
    bytes->lights += light;
    bytes_note_change(bytes);
    return true;
}

void trn_stream_bytes_drop_light(TrnStreamBytes *bytes, size_t light)
{
    bytes->lights -= light;
    bytes_note_change(bytes);
}

void trn_stream_bytes_set_scratch(TrnStreamBytes *bytes, size_t scratch)
{
    bytes->scratch = scratch;
    bytes_note_change(bytes);
}

void trn_stream_bytes_set_max(TrnStreamBytes *bytes, size_t bytes_max)
{
    bytes->bytes_max = bytes_max;
    bytes->learned = 0; // with another limit
    if (!bytes_max) {
        trn_store_set_bytes_max(bytes->store, bytes->store_bytes_max);
    }
    bytes_note_change(bytes);
}

// ---- what fits ---------------------------------------------------------------------------------

/// Bytes in use that grow with the number of chunks.
static size_t bytes_of_chunks(const TrnStreamBytes *bytes, const TrnStreamLoad *load)
{
    size_t used;
    (void)trn_store_bytes(bytes->store, &used);
    return bytes->meshes + bytes->lights +
           (used > bytes->store_base_bytes ? used - bytes->store_base_bytes : 0) + load->cell_bytes;
}

/// The capacity for those bytes that was learned; SIZE_MAX: unknown. Bytes that hooks release
/// become capacity for chunks, and the other way round.
static size_t bytes_learned_capacity(const TrnStreamBytes *bytes)
{
    if (!bytes->learned) {
        return SIZE_MAX;
    }
    const size_t others = bytes_others(bytes);
    return bytes->learned > others ? bytes->learned - others : 0;
}

/// The capacity for those bytes, as far as known; SIZE_MAX: no limit.
static size_t bytes_capacity(const TrnStreamBytes *bytes, size_t content)
{
    size_t capacity = bytes_learned_capacity(bytes);
    if (bytes->bytes_max) {
        size_t store_used; // without free space inside the store's blocks
        (void)trn_store_bytes(bytes->store, &store_used);
        const size_t fixed = bytes_sum(store_used, bytes_outside_store(bytes)) - content;
        const size_t left = bytes->bytes_max > fixed ? bytes->bytes_max - fixed : 0;
        capacity = left < capacity ? left : capacity;
    }
    return capacity;
}

bool trn_stream_bytes_fit(const TrnStreamBytes *bytes, const TrnStreamLoad *load, uint64_t chunks,
                          bool is_cautious)
{
    const size_t content = bytes_of_chunks(bytes, load), capacity = bytes_capacity(bytes, content);
    if (capacity == SIZE_MAX) {
        return true;
    }
    const double each = load->loaded >= BYTES_CHUNKS_KNOWN ? (double)content / load->loaded
                                                           : (double)BYTES_CHUNK_GUESS;
    const double coming = (double)load->coming + (double)chunks - load->leaving;
    return (double)content + coming * each <= (double)capacity * (is_cautious ? 0.875 : 0.9375);
}

// ---- running short -----------------------------------------------------------------------------

void trn_stream_bytes_begin(TrnStreamBytes *bytes)
{
    bytes->last_shortage = bytes->shortage;
    bytes->shortage = TRN_STREAM_SHORTAGE_NONE;
    bytes->is_refused = false;
}

void trn_stream_bytes_note_short(TrnStreamBytes *bytes, TrnResult result)
{
    const TrnStreamShortage shortage = result == TRN_RESULT_FULL ? TRN_STREAM_SHORTAGE_BYTES
                                       : result == TRN_RESULT_NO_MEMORY
                                           ? TRN_STREAM_SHORTAGE_ALLOCATOR
                                           : TRN_STREAM_SHORTAGE_READERS;
    bytes->shortage = shortage > bytes->shortage ? shortage : bytes->shortage;
}

bool trn_stream_bytes_is_short(const TrnStreamBytes *bytes)
{
    return bytes->shortage != TRN_STREAM_SHORTAGE_NONE;
}

bool trn_stream_bytes_was_short(const TrnStreamBytes *bytes)
{
    return bytes->last_shortage != TRN_STREAM_SHORTAGE_NONE;
}

bool trn_stream_bytes_is_limited(const TrnStreamBytes *bytes)
{
    return bytes->shortage == TRN_STREAM_SHORTAGE_BYTES;
}

void trn_stream_bytes_stats(const TrnStreamBytes *bytes, TrnStreamStats *stats)
{
    stats->store_bytes = trn_store_bytes(bytes->store, NULL);
    stats->mesh_bytes = bytes->meshes;
    stats->light_bytes = bytes->lights;
    stats->stream_bytes = bytes->stream;
    stats->scratch_bytes = bytes->scratch;
    stats->far_bytes = bytes->guests;
    stats->total_bytes = trn_stream_bytes_total(bytes);
    stats->total_bytes_peak = bytes->peak > stats->total_bytes ? bytes->peak : stats->total_bytes;
    stats->bytes_max = bytes->bytes_max;
}

bool trn_stream_bytes_must_shrink(TrnStreamBytes *bytes, uint64_t update, bool is_unloading)
{
    bytes_note_change(bytes);         // the store's own
    if (!bytes_make_room(bytes, 0)) { // the hooks use more than before
        trn_stream_bytes_note_short(bytes, TRN_RESULT_FULL);
    }
    if (bytes->learned && update % BYTES_FORGET == 0) {
        bytes->learned = bytes_sum(bytes->learned, bytes_learned_capacity(bytes) / 32);
    }
    if (bytes->shortage == TRN_STREAM_SHORTAGE_NONE) {
        bytes->short_updates = 0;
        return false;
    }
    if (bytes->shortage == TRN_STREAM_SHORTAGE_READERS) {
        return false; // a smaller view would not end the readers' sections sooner
    }
    bytes->short_updates++;
    const bool must_shrink =
        bytes->shortage == TRN_STREAM_SHORTAGE_BYTES || bytes->short_updates > BYTES_STARVED_MAX;
    // Chunks that are unloading already free memory; drop more only when that is stuck.
    if (!must_shrink || (is_unloading && bytes->short_updates < BYTES_STUCK)) {
        return false;
    }
    bytes->short_updates = 0;
    return true;
}

void trn_stream_bytes_learn(TrnStreamBytes *bytes, const TrnStreamLoad *load)
{
    // A failed allocation teaches no capacity: it may succeed a moment later.
    const size_t content = bytes_of_chunks(bytes, load);
    if (bytes->shortage == TRN_STREAM_SHORTAGE_BYTES && content &&
        content < bytes_learned_capacity(bytes)) {
        bytes->learned = bytes_sum(content, bytes_others(bytes));
    }
}
