// Batches: one open edit for each chunk that is there, segments of runs for those that are not, and
// a commit in two parts: what can fail, then what cannot.

#include "batch_impl.h"
#include "batch_shape.h"

#include <stdalign.h>
#include <string.h>

/// Open chunks in a block of memory: small, so that little is kept at hand between batches.
#define OPEN_CHUNKS_PER_BLOCK 16

/// Where there is no cap on bytes at all, no call lets more absent chunks wait than this.
#define ABSENT_CHUNKS_MAX ((uint64_t)1 << 24)

// ---- what batches have in common ---------------------------------------------------------------

TrnResult trn_batches_create(TrnStore *store)
{
    const TrnAllocator books = trn_store_allocator(store, TRN_STORE_BOOKS);
    TrnBatches *made = trn_take(&books, sizeof *made, alignof(TrnBatches));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnBatches){.allocator = trn_store_allocator(store, TRN_STORE_EDITS)};
    TrnPoolDef pool = trn_pool_def(sizeof(TrnOpenChunk));
    pool.slot_alignment = TRN_CACHE_LINE;
    pool.block_slots = OPEN_CHUNKS_PER_BLOCK;
    pool.allocator = &made->allocator;
    TrnResult result = trn_pool_create(&pool, &made->open_chunks);
    if (result != TRN_RESULT_OK) {
        trn_give(&books, made, sizeof *made);
        return result;
    }
    store->batches = made;
    return TRN_RESULT_OK;
}

void trn_batches_destroy(TrnStore *store)
{
    if (!store->batches) {
        return;
    }
    TRN_ASSERT(store->batches->batches == 0);
    trn_pool_destroy(store->batches->open_chunks);
    const TrnAllocator books = trn_store_allocator(store, TRN_STORE_BOOKS);
    trn_give(&books, store->batches, sizeof *store->batches);
    store->batches = NULL;
}

// ---- begin and end -----------------------------------------------------------------------------

TrnBatchDef trn_batch_def(void)
{
    TrnBatchDef def = {TRN_UNLOADED_PENDING, NULL};
    return def;
}

/// No chunk is the one of the last set.
static void batch_leave_chunk(TrnBatch *batch)
{
    batch->edge = 0; // no lowest voxel would do: any three numbers may be asked for
    batch->here = NULL;
}

static void batch_init(TrnBatch *batch, TrnStore *store, const TrnBatchDef *def)
{
    *batch = (TrnBatch){.store = store,
                        .history = def->history,
                        .absent = def->absent,
                        .is_grouped = def->history != NULL,
                        .counts = def->history != NULL,
                        .end = &batch->first};
    batch_leave_chunk(batch);
}

TrnResult trn_batch_begin(TrnStore *store, const TrnBatchDef *def, TrnBatch **batch)
{
    const TrnBatchDef plain = trn_batch_def();
    def = def ? def : &plain;
    if (!store || !batch || (unsigned)def->absent >= TRN_UNLOADED_COUNT ||
        (def->history && def->history->store != store)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    trn_store_attempt(store);
    TrnBatch *made = trn_take(&store->batches->allocator, sizeof *made, alignof(TrnBatch));
    if (!made) {
        return trn_store_refusal(store, TRN_RESULT_NO_MEMORY);
    }
    batch_init(made, store, def);
    store->batches->batches++;
    if (made->history) {
        made->history->open_batches++;
    }
    *batch = made;
    return TRN_RESULT_OK;
}

/// Frees a batch whose edits have ended.
static void batch_free(TrnBatch *batch)
{
    TrnBatches *batches = batch->store->batches;
    trn_waiting_clear(batch->store->pending, &batch->waiting);
    if (batch->history) {
        trn_notes_free(batch->history, &batch->notes);
        batch->history->open_batches--;
    }
    trn_give(&batches->allocator, batch, sizeof *batch);
    batches->batches--;
    if (batches->batches == 0) {
        trn_pool_trim(batches->open_chunks);
    }
}

static void open_free(TrnBatch *batch, TrnOpenChunk *open)
{
    open->chunk->own.marks.edit = 0;
    TrnResult result = trn_pool_free(batch->store->batches->open_chunks, open->id);
    TRN_ASSERT(result == TRN_RESULT_OK);
    (void)result;
}

void trn_batch_cancel(TrnBatch *batch)
{
    if (!batch) {
        return;
    }
    for (TrnOpenChunk *open = batch->first, *next; open; open = next) {
        next = open->next;
        trn_voxel_edit_cancel(&open->edit);
        open_free(batch, open);
    }
    if (batch->history) {
        trn_history_give_group(batch->history, batch->group);
    }
    batch_free(batch);
}

// ---- open chunks -------------------------------------------------------------------------------

/// The chunk was not there at first: what the batch let wait for it comes before all else.
static TrnResult open_take_waiting(TrnBatch *batch, TrnOpenChunk *open)
{
    TrnPending *pending = batch->store->pending;
    TrnWaiting *waiting = trn_waiting_find(&batch->waiting, open->chunk->coord);
    TrnResult result = TRN_RESULT_OK;
    if (!waiting) {
        return result;
    }
    for (const TrnSegment *at = waiting->oldest; at && result == TRN_RESULT_OK; at = at->newer) {
        result = trn_edit_runs_write(&open->edit, at->runs.runs, at->runs.count, TRN_RUN_AFTER);
    }
    if (result == TRN_RESULT_OK) {
        trn_waiting_take(&batch->waiting, &pending->allocator, waiting);
        trn_waiting_free(pending, waiting);
    }
    return result;
}

static TrnResult batch_open_new(TrnBatch *batch, TrnChunk *chunk, TrnOpenChunk **open)
{
    TrnPoolId id;
    void *slot;
    TrnResult result = trn_pool_alloc(batch->store->batches->open_chunks, &id, &slot);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnOpenChunk *made = slot;
    made->chunk = chunk;
    made->batch = batch;
    made->next = NULL;
    made->id = id;
    made->around = 0;
    made->is_changed = false;
    trn_voxel_edit_begin(&made->edit, batch->store->heap, &chunk->voxels);
    chunk->own.marks.edit = id.index1;
    *batch->end = made;
    batch->end = &made->next;
    *open = made;
    return open_take_waiting(batch, made);
}

/// The open chunk that marks name. @param edit  not 0
static TrnOpenChunk *batches_open_chunk(const TrnBatches *batches, uint32_t edit)
{
    return trn_pool_slot(batches->open_chunks, edit - 1);
}

TrnResult trn_batch_open(TrnBatch *batch, TrnChunk *chunk, TrnOpenChunk **open)
{
    if (!chunk->own.marks.edit) {
        return batch_open_new(batch, chunk, open);
    }
    TrnOpenChunk *found = batches_open_chunk(batch->store->batches, chunk->own.marks.edit);
    if (found->batch != batch) {
        return TRN_RESULT_BUSY;
    }
    *open = found;
    return TRN_RESULT_OK;
}

/// Notes what a call came to: after a failure nothing more is done, and no chunk is at hand.
static TrnResult batch_end_call(TrnBatch *batch, TrnResult result)
{
    if (result != TRN_RESULT_OK) {
        batch->result = trn_store_refusal(batch->store, result);
        batch_leave_chunk(batch);
    }
    return batch->result;
}

// ---- absent chunks -----------------------------------------------------------------------------

/// What becomes of a change to a chunk that is not there.
/// @param segment  receives where it is to wait; NULL where it is left out
static TrnResult batch_meet_absent(TrnBatch *batch, TrnCoord coord, TrnSegment **segment)
{
    *segment = NULL;
    if (batch->absent == TRN_UNLOADED_FAIL) {
        return TRN_RESULT_NOT_FOUND;
    }
    if (batch->absent == TRN_UNLOADED_SKIP) {
        batch->outcome.skipped_chunks += batch->outcome.skipped_chunks < UINT32_MAX;
        return TRN_RESULT_OK;
    }
    return trn_waiting_open(batch->store->pending, &batch->waiting, coord, batch->is_grouped,
                            segment);
}

static TrnResult batch_wait(TrnBatch *batch, TrnSegment *segment, uint32_t first, uint32_t last,
                            TrnBlock block)
{
    const TrnEditRun run = {(uint16_t)first, (uint16_t)last, 0, block};
    return trn_segment_add(batch->store->pending, segment, run);
}

static TrnResult batch_wait_runs(TrnBatch *batch, TrnCoord coord, const TrnEditRun *runs,
                                 uint32_t count, TrnRunSide side)
{
    TrnSegment *segment;
    TrnResult result = batch_meet_absent(batch, coord, &segment);
    for (uint32_t i = 0; segment && i < count && result == TRN_RESULT_OK; i++) {
        result = batch_wait(batch, segment, runs[i].first, runs[i].last,
                            side == TRN_RUN_BEFORE ? runs[i].before : runs[i].after);
    }
    return result;
}

TrnResult trn_batch_write_runs(TrnBatch *batch, TrnCoord coord, const TrnEditRun *runs,
                               uint32_t count, TrnRunSide side)
{
    TrnChunk *chunk = trn_store_find(batch->store, coord);
    TrnOpenChunk *open;
    if (!chunk) {
        return batch_wait_runs(batch, coord, runs, count, side);
    }
    TrnResult result = trn_batch_open(batch, chunk, &open);
    return result == TRN_RESULT_OK ? trn_edit_runs_write(&open->edit, runs, count, side) : result;
}

// ---- single voxels -----------------------------------------------------------------------------

static TrnResult batch_set_absent(TrnBatch *batch, TrnVoxel voxel, TrnBlock block)
{
    TrnSegment *segment;
    const uint32_t index = trn_voxel_local_index(voxel);
    TrnResult result = batch_meet_absent(batch, trn_voxel_chunk(voxel), &segment);
    return result == TRN_RESULT_OK && segment ? batch_wait(batch, segment, index, index, block)
                                              : result;
}

/// Makes the chunk around a voxel the one at hand; none where it is absent.
static TrnResult batch_enter_chunk(TrnBatch *batch, TrnVoxel voxel)
{
    batch_leave_chunk(batch);
    TrnChunk *chunk = trn_store_find(batch->store, trn_voxel_chunk(voxel));
    if (!chunk) {
        return TRN_RESULT_OK;
    }
    TrnOpenChunk *open;
    TrnResult result = trn_batch_open(batch, chunk, &open);
    if (result == TRN_RESULT_OK) {
        const uint64_t mask = TRN_CHUNK_EDGE - 1;
        batch->here = open;
        batch->edge = TRN_CHUNK_EDGE;
        batch->x = (uint64_t)voxel.x & ~mask;
        batch->y = (uint64_t)voxel.y & ~mask;
        batch->z = (uint64_t)voxel.z & ~mask;
    }
    return result;
}

/// trn_batch_set where the voxel is in another chunk than the last, or the batch has failed. Takes
/// an address and stays out of line: otherwise gcc fetches two coordinates at a time, right after
/// the caller has stored them one by one, which the processor waits for.
static __attribute__((noinline)) TrnResult
batch_set_elsewhere(TrnBatch *batch, const TrnVoxel *voxel, TrnBlock block)
{
    if (batch->result != TRN_RESULT_OK) {
        return batch->result;
    }
    trn_store_attempt(batch->store);
    TrnResult result =
        trn_voxel_in_world(*voxel) ? batch_enter_chunk(batch, *voxel) : TRN_RESULT_BAD_ARGUMENT;
    if (result == TRN_RESULT_OK) {
        const uint32_t index = trn_voxel_local_index(*voxel);
        result = batch->here ? trn_voxel_edit_set(&batch->here->edit, index, block)
                             : batch_set_absent(batch, *voxel, block);
    }
    return batch_end_call(batch, result);
}

TrnResult trn_batch_set(TrnBatch *batch, TrnVoxel voxel, TrnBlock block)
{
    const uint64_t far = ((uint64_t)voxel.x - batch->x) | ((uint64_t)voxel.y - batch->y) |
                         ((uint64_t)voxel.z - batch->z);
    if (far >= batch->edge) {
        return batch_set_elsewhere(batch, &voxel, block);
    }
    trn_store_attempt(batch->store);
    const TrnResult result =
        trn_voxel_edit_set(&batch->here->edit, trn_voxel_local_index(voxel), block);
    return result == TRN_RESULT_OK ? result : batch_end_call(batch, result);
}

TrnResult trn_batch_edit(TrnBatch *batch, TrnCoord coord, TrnVoxelEdit **edit)
{
    if (batch->result != TRN_RESULT_OK) {
        return batch->result;
    }
    trn_store_attempt(batch->store);
    TrnChunk *chunk = trn_store_find(batch->store, coord);
    TrnOpenChunk *open;
    TrnResult result = !edit   ? TRN_RESULT_BAD_ARGUMENT
                       : chunk ? trn_batch_open(batch, chunk, &open)
                               : TRN_RESULT_NOT_FOUND;
    if (result == TRN_RESULT_OK) {
        *edit = &open->edit;
    }
    return batch_end_call(batch, result);
}

TrnResult trn_batch_get(const TrnBatch *batch, TrnVoxel voxel, TrnBlock *block)
{
    if (!trn_voxel_in_world(voxel)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnChunk *chunk = trn_store_find(batch->store, trn_voxel_chunk(voxel));
    if (!chunk) {
        return TRN_RESULT_NOT_FOUND;
    }
    TrnSnapshot now = trn_voxels_snapshot(&chunk->voxels);
    if (chunk->own.marks.edit) {
        const TrnOpenChunk *open = batches_open_chunk(batch->store->batches, chunk->own.marks.edit);
        now = open->batch == batch ? trn_edit_snapshot(&open->edit) : now;
    }
    *block = trn_snapshot_get(now, trn_voxel_local_index(voxel));
    return TRN_RESULT_OK;
}

// ---- shapes in one chunk -----------------------------------------------------------------------

static TrnResult open_fill_whole(TrnOpenChunk *open, TrnBlock block)
{
    const uint32_t from[3] = {0, 0, 0};
    const uint32_t to[3] = {TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1};
    return trn_voxel_edit_fill_box(&open->edit, from, to, block);
}

static TrnResult batch_wait_box(TrnBatch *batch, TrnSegment *segment, const uint32_t from[3],
                                const uint32_t to[3], TrnBlock block)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t y = from[1]; y <= to[1]; y++) {
        for (uint32_t z = from[2]; z <= to[2] && result == TRN_RESULT_OK; z++) {
            const uint32_t row = trn_local_index(0, y, z);
            result = batch_wait(batch, segment, row + from[0], row + to[0], block);
        }
    }
    return result;
}

/// Rows of a sphere, in each of which the bits are next to each other.
static TrnResult batch_wait_rows(TrnBatch *batch, TrnSegment *segment, const uint32_t *rows,
                                 TrnBlock block)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS && result == TRN_RESULT_OK; row++) {
        if (rows[row]) {
            const uint32_t first = (uint32_t)__builtin_ctz(rows[row]);
            const uint32_t last = TRN_CHUNK_EDGE - 1 - (uint32_t)__builtin_clz(rows[row]);
            result = batch_wait(batch, segment, row * TRN_CHUNK_EDGE + first,
                                row * TRN_CHUNK_EDGE + last, block);
        }
    }
    return result;
}

/// Fills the part of a shape in a chunk that it reaches, or lets it wait in `segment` where `open`
/// is NULL.
static TrnResult batch_fill_part(TrnBatch *batch, const BatchShape *shape, TrnVoxel low,
                                 TrnOpenChunk *open, TrnSegment *segment, TrnBlock block)
{
    if (shape->is_sphere) {
        uint32_t rows[TRN_CHUNK_ROWS];
        sphere_rows(shape, low, rows);
        return open ? trn_voxel_edit_fill_mask(&open->edit, rows, block)
                    : batch_wait_rows(batch, segment, rows, block);
    }
    uint32_t from[3], to[3];
    (void)box_cut(shape, low, from, to);
    return open ? trn_voxel_edit_fill_box(&open->edit, from, to, block)
                : batch_wait_box(batch, segment, from, to, block);
}

static TrnResult batch_fill_present(TrnBatch *batch, const BatchShape *shape, TrnChunk *chunk,
                                    TrnBlock block)
{
    const TrnVoxel low = trn_coord_voxel(chunk->coord);
    const ShapePart part = shape_meet(shape, low);
    TrnOpenChunk *open;
    if (part == SHAPE_NONE) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_batch_open(batch, chunk, &open);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    return part == SHAPE_WHOLE ? open_fill_whole(open, block)
                               : batch_fill_part(batch, shape, low, open, NULL, block);
}

static TrnResult batch_fill_absent(TrnBatch *batch, const BatchShape *shape, TrnCoord coord,
                                   TrnBlock block)
{
    const TrnVoxel low = trn_coord_voxel(coord);
    const ShapePart part = shape_meet(shape, low);
    TrnSegment *segment;
    if (part == SHAPE_NONE) {
        return TRN_RESULT_OK;
    }
    TrnResult result = batch_meet_absent(batch, coord, &segment);
    if (result != TRN_RESULT_OK || !segment) {
        return result;
    }
    return part == SHAPE_WHOLE ? batch_wait(batch, segment, 0, TRN_CHUNK_VOXELS - 1, block)
                               : batch_fill_part(batch, shape, low, NULL, segment, block);
}

// ---- shapes over many chunks -------------------------------------------------------------------

static TrnResult batch_fill_chunk(TrnBatch *batch, const BatchShape *shape, TrnCoord coord,
                                  TrnBlock block)
{
    TrnChunk *chunk = trn_store_find(batch->store, coord);
    return chunk ? batch_fill_present(batch, shape, chunk, block)
                 : batch_fill_absent(batch, shape, coord, block);
}

static TrnResult batch_fill_row(TrnBatch *batch, const BatchShape *shape, TrnBox box, TrnCoord row,
                                TrnBlock block)
{
    TrnResult result = TRN_RESULT_OK;
    for (int64_t x = box.min.x; x <= box.max.x && result == TRN_RESULT_OK; x++) {
        result = batch_fill_chunk(batch, shape, (TrnCoord){(int32_t)x, row.y, row.z}, block);
    }
    return result;
}

/// Looks at every coordinate of a box.
static TrnResult batch_fill_each(TrnBatch *batch, const BatchShape *shape, TrnBox box,
                                 TrnBlock block)
{
    TrnResult result = TRN_RESULT_OK;
    for (int64_t y = box.min.y; y <= box.max.y; y++) {
        for (int64_t z = box.min.z; z <= box.max.z && result == TRN_RESULT_OK; z++) {
            result =
                batch_fill_row(batch, shape, box, (TrnCoord){0, (int32_t)y, (int32_t)z}, block);
        }
    }
    return result;
}

/// Fills the chunks of a box that are there, however large it is.
static TrnResult batch_fill_gathered(TrnBatch *batch, const BatchShape *shape, TrnBox box,
                                     size_t present, TrnBlock block)
{
    const TrnAllocator *allocator = &batch->store->batches->allocator;
    if (present == 0) {
        return TRN_RESULT_OK;
    }
    TrnChunk **chunks = trn_take(allocator, present * sizeof(TrnChunk *), alignof(TrnChunk *));
    if (!chunks) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = TRN_RESULT_OK;
    (void)trn_store_gather(batch->store, box, chunks, present);
    for (size_t i = 0; i < present && result == TRN_RESULT_OK; i++) {
        result = batch_fill_present(batch, shape, chunks[i], block);
    }
    trn_give(allocator, chunks, present * sizeof(TrnChunk *));
    return result;
}

/// The most absent chunks that changes can wait for, whatever else is given back.
static uint64_t absent_chunks_max(const TrnStore *store)
{
    const size_t of_part = store->accounts[TRN_STORE_PENDING].bytes_max;
    const uint64_t by_part = of_part ? of_part / TRN_WAITING_BYTES_LEAST : ABSENT_CHUNKS_MAX;
    const uint64_t by_all =
        store->bytes_max ? store->bytes_max / TRN_WAITING_BYTES_LEAST : ABSENT_CHUNKS_MAX;
    return by_part < by_all ? by_part : by_all;
}

static void batch_count_skipped(TrnBatch *batch, uint64_t absent)
{
    const uint64_t room = UINT32_MAX - batch->outcome.skipped_chunks;
    batch->outcome.skipped_chunks += (uint32_t)(absent < room ? absent : room);
}

static TrnResult batch_fill_box_chunks(TrnBatch *batch, const BatchShape *shape, TrnBlock block)
{
    const TrnBox box = shape_chunks(shape);
    const uint64_t volume = box_volume_saturated(box);
    const size_t present = trn_store_gather(batch->store, box, NULL, 0);
    const uint64_t absent = volume - present;
    if (absent > 0 && batch->absent == TRN_UNLOADED_FAIL) {
        return TRN_RESULT_NOT_FOUND;
    }
    if (absent > 0 && batch->absent == TRN_UNLOADED_PENDING) {
        return absent > absent_chunks_max(batch->store) ? TRN_RESULT_FULL
                                                        : batch_fill_each(batch, shape, box, block);
    }
    batch_count_skipped(batch, absent);
    return batch_fill_gathered(batch, shape, box, present, block);
}

static TrnResult batch_fill_shape(TrnBatch *batch, BatchShape *shape, TrnBlock block)
{
    if (!shape_clip(shape)) {
        return TRN_RESULT_OK;
    }
    // The box around a sphere has at most 66 chunks along an edge, whose corners do not count.
    return shape->is_sphere ? batch_fill_each(batch, shape, shape_chunks(shape), block)
                            : batch_fill_box_chunks(batch, shape, block);
}

TrnResult trn_batch_fill_box(TrnBatch *batch, TrnVoxel min, TrnVoxel max, TrnBlock block)
{
    if (batch->result != TRN_RESULT_OK) {
        return batch->result;
    }
    trn_store_attempt(batch->store);
    if (min.x > max.x || min.y > max.y || min.z > max.z) {
        return batch_end_call(batch, TRN_RESULT_BAD_ARGUMENT);
    }
    BatchShape shape = {.min = min, .max = max};
    return batch_end_call(batch, batch_fill_shape(batch, &shape, block));
}

TrnResult trn_batch_fill_sphere(TrnBatch *batch, TrnVoxel centre, double radius, TrnBlock block)
{
    if (batch->result != TRN_RESULT_OK) {
        return batch->result;
    }
    trn_store_attempt(batch->store);
    if (!(radius >= 0 && radius <= TRN_SPHERE_RADIUS_MAX)) { // NaN is neither
        return batch_end_call(batch, TRN_RESULT_BAD_ARGUMENT);
    }
    BatchShape shape = sphere_shape(centre, radius);
    return batch_end_call(batch, batch_fill_shape(batch, &shape, block));
}

// ---- commit: what can fail ---------------------------------------------------------------------

/// Chunks that have come since the batch let changes wait for them take these up.
static TrnResult batch_open_arrived(TrnBatch *batch)
{
    const TrnWaitingMap *map = &batch->waiting;
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t at = 0; at < map->capacity && result == TRN_RESULT_OK;) {
        TrnChunk *chunk =
            map->places[at] ? trn_store_find(batch->store, map->places[at]->coord) : NULL;
        TrnOpenChunk *open;
        if (!chunk) {
            at++;
            continue;
        }
        // Whoever stood behind may stand here now: the same place again.
        result = trn_batch_open(batch, chunk, &open);
    }
    return result;
}

/// Whether it is sure, without a look at voxels, that two snapshots differ: they count the same
/// blocks differently.
static bool counts_differ(TrnSnapshot a, TrnSnapshot b)
{
    if (trn_snapshot_is_uniform(a) || trn_snapshot_is_uniform(b)) {
        return false;
    }
    const TrnPayload *of_a = trn_snapshot_payload(a), *of_b = trn_snapshot_payload(b);
    const uint32_t entries =
        of_a->palette_count < of_b->palette_count ? of_a->palette_count : of_b->palette_count;
    const size_t bytes = entries * sizeof(TrnBlock);
    return bytes > 0 && // with 16 bits there are none
           memcmp(trn_payload_palette(of_a), trn_payload_palette(of_b), bytes) == 0 &&
           memcmp(trn_payload_counts(of_a), trn_payload_counts(of_b), bytes) != 0;
}

/// What a commit needs to know of the chunks.
typedef struct CommitWork {
    TrnBatch *batch;
    bool is_noted, is_heard;
    TrnEditRuns runs; ///< scratch
} CommitWork;

static TrnResult commit_note(CommitWork *work, const TrnOpenChunk *open, TrnSnapshot before,
                             TrnSnapshot after, const uint32_t *rows)
{
    TrnBatch *batch = work->batch;
    work->runs.count = 0;
    TrnResult result =
        trn_edit_runs_add_diff(&work->runs, &batch->store->batches->allocator, before, after, rows);
    return result == TRN_RESULT_OK
               ? trn_notes_add(batch->history, &batch->notes, open->chunk->coord, work->runs.runs,
                               work->runs.count)
               : result;
}

/// Finds out which voxels have changed.
static TrnResult commit_compare(CommitWork *work, TrnOpenChunk *open, TrnSnapshot before,
                                TrnSnapshot after)
{
    uint32_t rows[TRN_CHUNK_ROWS];
    const uint32_t voxels = trn_snapshot_diff(before, after, rows);
    work->batch->outcome.changed_voxels += work->batch->counts ? voxels : 0;
    open->is_changed = voxels > 0;
    open->around = work->is_heard ? trn_mask_around(rows) : 0;
    return open->is_changed && work->is_noted ? commit_note(work, open, before, after, rows)
                                              : TRN_RESULT_OK;
}

static TrnResult commit_look(CommitWork *work, TrnOpenChunk *open)
{
    const TrnSnapshot before = {open->edit.base}, after = trn_edit_snapshot(&open->edit);
    TrnResult result = TRN_RESULT_OK;
    if (!open->edit.is_changed) {
        return result;
    }
    if (work->batch->counts || work->is_heard) {
        result = commit_compare(work, open, before, after);
    } else {
        open->is_changed = counts_differ(before, after) || !trn_snapshot_equal(before, after);
    }
    work->batch->outcome.changed_chunks += open->is_changed;
    return result;
}

static TrnResult batch_look_at_chunks(TrnBatch *batch)
{
    CommitWork work = {.batch = batch,
                       .is_noted = batch->history && !batch->history->is_spoiled,
                       .is_heard = trn_store_is_heard(batch->store, TRN_EVENT_CHANGED)};
    TrnResult result = TRN_RESULT_OK;
    for (TrnOpenChunk *open = batch->first; open && result == TRN_RESULT_OK; open = open->next) {
        result = commit_look(&work, open);
    }
    trn_edit_runs_free(&work.runs, &batch->store->batches->allocator);
    return result;
}

/// Whether a commit would leave anything behind.
static bool batch_does_something(const TrnBatch *batch)
{
    return batch->outcome.changed_chunks > 0 || batch->waiting.count > 0;
}

static TrnResult batch_prepare_parts(TrnBatch *batch)
{
    TrnPending *pending = batch->store->pending;
    TrnResult result = batch_open_arrived(batch);
    if (result == TRN_RESULT_OK) {
        result = batch_look_at_chunks(batch);
    }
    if (result == TRN_RESULT_OK && batch->history && batch_does_something(batch)) {
        result = trn_history_take_group(batch->history, &batch->group);
    }
    // Last, since the store keeps that room also where something fails.
    return result == TRN_RESULT_OK
               ? trn_waiting_reserve(&pending->map, &pending->allocator, batch->waiting.count)
               : result;
}

TrnResult trn_batch_prepare(TrnBatch *batch)
{
    return batch->result == TRN_RESULT_OK ? batch_end_call(batch, batch_prepare_parts(batch))
                                          : batch->result;
}

// ---- commit: what cannot -----------------------------------------------------------------------

/// Publishes what has changed in a chunk.
static void open_publish(TrnBatch *batch, TrnOpenChunk *open, uint64_t revision)
{
    if (open->is_changed) {
        trn_voxel_edit_commit(&open->edit, revision);
        trn_store_note(batch->store, TRN_EVENT_CHANGED, open->chunk, revision, open->around);
    } else {
        trn_voxel_edit_cancel(&open->edit);
    }
    open_free(batch, open);
}

static void batch_publish_waiting(TrnBatch *batch, TrnGroup *group)
{
    TrnPending *pending = batch->store->pending;
    TrnWaitingMap *map = &batch->waiting;
    batch->outcome.pending_chunks = map->count;
    for (uint32_t at = 0; at < map->capacity; at++) {
        if (map->places[at]) {
            trn_pending_take_over(pending, map->places[at], group);
            map->places[at] = NULL;
        }
    }
}

void trn_batch_publish(TrnBatch *batch, TrnGroup *group)
{
    const uint64_t revision = trn_store_next_revision(batch->store);
    for (TrnOpenChunk *open = batch->first, *next; open; open = next) {
        next = open->next;
        open_publish(batch, open, revision);
    }
    batch->first = NULL;
    batch_publish_waiting(batch, group);
    batch->outcome.revision = batch->outcome.changed_chunks ? revision : batch->store->revision;
}

void trn_batch_finish(TrnBatch *batch, TrnBatchOutcome *outcome)
{
    TrnStore *store = batch->store;
    const TrnBatchOutcome came_to = batch->outcome;
    if (outcome) {
        *outcome = came_to;
    }
    batch_free(batch);
    if (came_to.changed_chunks > 0) {
        trn_store_end_change(store, came_to.revision);
    }
}

TrnResult trn_batch_commit(TrnBatch *batch, TrnBatchOutcome *outcome)
{
    if (batch->result == TRN_RESULT_OK) {
        trn_store_attempt(batch->store);
    }
    TrnResult result = trn_batch_prepare(batch);
    if (result != TRN_RESULT_OK) {
        trn_batch_cancel(batch);
        return result;
    }
    const bool is_history_made = batch->history && batch_does_something(batch);
    trn_batch_publish(batch, batch->group);
    if (is_history_made) {
        trn_history_publish(batch->history, batch->group, &batch->notes);
    }
    trn_batch_finish(batch, outcome);
    return TRN_RESULT_OK;
}
