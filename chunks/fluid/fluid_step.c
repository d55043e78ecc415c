// One step of a fluid: looks up the sides of changed voxels, applies the rules to liquids whose
// turn it is, and commits what they write as one batch.
//
// Until the commit, a step takes nothing out of the lanes of liquids, so that one that fails can be
// repeated. Lane 0 may lose voxels before: what they led to is in the other lanes by then.

#include "fluid/fluid_work.h"

#include <stdalign.h>

#include <terrane/batch.h>

#define FLOW_SET_COST 32u   ///< voxels of the budget that a set costs besides its own
#define FLOW_NOTE_TIMES 4u  ///< changed voxels cost so much less than liquids
#define FLOW_LAYER_DENSE 4u ///< layers with more rows in use are decoded first
#define FLOW_ROW_DENSE 8u   ///< rows with more voxels are searched for the liquid first

void trn_fluid_classify(TrnFluid *fluid)
{
    uint32_t count;
    const TrnBlockType *types = trn_block_types_all(trn_store_block_types(fluid->store), &count);
    for (; fluid->types_seen < count; fluid->types_seen++) {
        const TrnBlockType *type = &types[fluid->types_seen];
        const bool is_open = type->kind == TRN_BLOCK_KIND_AIR ||
                             (type->kind == TRN_BLOCK_KIND_PLANT && !type->is_solid);
        fluid->classes[fluid->types_seen] = is_open ? TRN_FLUID_OPEN : TRN_FLUID_CLOSED;
    }
    for (uint32_t i = 0; i < fluid->rules.liquid_count; i++) {
        for (uint32_t variant = 0; variant <= TRN_FLUID_FALLING; variant++) {
            fluid->classes[fluid->rules.liquids[i].blocks[variant]] =
                (TrnFluidClass)(TRN_FLUID_CLASS(i) + variant);
        }
    }
}

void trn_fluid_miss(TrnFluid *fluid, uint64_t revision)
{
    fluid->missed_since =
        fluid->has_missed && fluid->missed_since < revision ? fluid->missed_since : revision;
    fluid->has_missed = true;
    fluid->missed++;
}

TrnResult trn_fluid_touch(TrnFluid *fluid, TrnCoord coord, const uint32_t *rows)
{
    TrnFluidSet *set =
        trn_fluid_queue_get(&fluid->queue, &fluid->allocator, coord, 0, TRN_FLUID_WAITING);
    if (!set) {
        return TRN_RESULT_NO_MEMORY;
    }
    trn_fluid_queue_add_rows(&fluid->queue, set, rows);
    return TRN_RESULT_OK;
}

/// Looks at all voxels of the chunks that changed since the first change that was missed.
static TrnResult flow_recover(TrnFluid *fluid)
{
    const size_t count = trn_store_changed_since(fluid->store, fluid->missed_since, NULL, 0);
    const size_t bytes = count * sizeof(TrnChunk *);
    TrnChunk **chunks = count ? trn_take(&fluid->allocator, bytes, alignof(TrnChunk *)) : NULL;
    if (count && !chunks) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = TRN_RESULT_OK;
    (void)trn_store_changed_since(fluid->store, fluid->missed_since, chunks, count);
    for (size_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        result = trn_fluid_touch(fluid, chunks[i]->coord, NULL);
    }
    trn_give(&fluid->allocator, chunks, bytes);
    fluid->has_missed = result != TRN_RESULT_OK;
    return result;
}

// ---- voxels of liquids -------------------------------------------------------------------------

/// Applies the rules to a voxel, and notes what it writes.
static TrnResult flow_apply(TrnFluidWork *work, uint32_t index)
{
    TrnFluid *fluid = work->fluid;
    TrnFluidFlow flows[TRN_FLUID_FLOWS_MAX];
    bool asleep;
    const uint32_t count =
        trn_fluid_rules_apply(&fluid->rules, &fluid->look, work->lane - 1, index, flows, &asleep);
    TrnResult result = asleep ? trn_fluid_work_sleep(work, index) : TRN_RESULT_OK;
    for (uint32_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        const TrnVoxel voxel = trn_fluid_work_voxel(work, flows[i].x, flows[i].y, flows[i].z);
        const TrnFluidWrite write = {trn_voxel_chunk(voxel), (uint16_t)trn_voxel_local_index(voxel),
                                     flows[i].block};
        // flow_note_writes() will add the voxel to this set, and must not lack the memory then.
        result = trn_fluid_work_set(work, write.coord, 0)
                     ? trn_array_push(&fluid->writes, &fluid->allocator, write)
                     : TRN_RESULT_NO_MEMORY;
    }
    return result;
}

// ---- sets --------------------------------------------------------------------------------------

/// The voxels of a row that may be of the work's liquid: exactly those in rows with many.
static uint32_t flow_row_of_liquid(TrnFluidWork *work, uint32_t row, uint32_t bits)
{
    if (trn_fluid_count_bits(bits) <= FLOW_ROW_DENSE) {
        return bits;
    }
    uint32_t found;
    trn_fluid_look_rows(&work->fluid->look, work->lane - 1, row / TRN_CHUNK_EDGE,
                        row % TRN_CHUNK_EDGE, 1, &found);
    work->left -= work->left > 0;
    return bits & found;
}

/// Decodes the layers that the voxels of a layer of a set look at, if they are many.
static void flow_decode(TrnFluidWork *work, const TrnFluidSet *set, uint32_t y)
{
    const uint32_t *rows = &set->rows[(size_t)y * TRN_CHUNK_EDGE];
    uint32_t used = 0;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        used += rows[z] != 0;
    }
    if (used >= FLOW_LAYER_DENSE) {
        const uint32_t own = UINT32_C(1) << y;
        trn_fluid_look_decode(&work->fluid->look, own | own << 1 | own >> 1);
    }
}

/// Applies the rules to voxels of a set until the budget ends.
/// @param end  receives the index behind the last one, TRN_CHUNK_VOXELS if it is done
static TrnResult flow_visit(TrnFluidWork *work, const TrnFluidSet *set, uint32_t *end)
{
    const bool is_empty = !(work->fluid->look.liquids >> (work->lane - 1) & 1);
    *end = TRN_CHUNK_VOXELS;
    for (uint32_t layers = is_empty ? 0 : set->layers; layers; layers &= layers - 1) {
        const uint32_t y = (uint32_t)__builtin_ctz(layers), first = y * TRN_CHUNK_EDGE;
        flow_decode(work, set, y);
        for (uint32_t row = first; row < first + TRN_CHUNK_EDGE; row++) {
            if (set->rows[row] == 0) {
                continue;
            }
            for (uint32_t bits = flow_row_of_liquid(work, row, set->rows[row]); bits;
                 bits &= bits - 1) {
                const uint32_t index = row * TRN_CHUNK_EDGE + (uint32_t)__builtin_ctz(bits);
                if (work->left == 0) {
                    *end = index;
                    return TRN_RESULT_OK;
                }
                work->left--;
                work->looked++;
                const TrnResult result = flow_apply(work, index);
                if (result != TRN_RESULT_OK) {
                    return result;
                }
            }
        }
    }
    return TRN_RESULT_OK;
}

/// Takes the cost of a set off the budget. @return whether there is some left for its voxels
static bool flow_pay(TrnFluidWork *work, const TrnFluidSet *set)
{
    const uint32_t cost = set->voxels > 0 ? FLOW_SET_COST : 0;
    if (work->left <= cost) {
        return false;
    }
    work->left -= cost;
    return true;
}

/// Handles the running sets of a lane, as many as the budget allows.
/// @param progress  receives how far it came; nothing is taken out of the lane
static TrnResult flow_run_lane(TrnFluidWork *work, TrnFluidProgress *progress)
{
    TrnFluid *fluid = work->fluid;
    TrnResult result = TRN_RESULT_OK;
    *progress = (TrnFluidProgress){0, 0};
    for (TrnFluidSet *set = fluid->queue.lists[work->lane][TRN_FLUID_RUNNING].first;
         set && result == TRN_RESULT_OK && flow_pay(work, set); set = set->next) {
        uint32_t end = 0;
        work->coord = set->chunk->coord;
        set->is_put_off = !trn_fluid_look_at(&fluid->look, work->coord);
        if (!set->is_put_off) {
            result =
                work->lane == 0 ? trn_fluid_spread(work, set, &end) : flow_visit(work, set, &end);
            if (end < TRN_CHUNK_VOXELS) {
                progress->end = end;
                break;
            }
        }
        progress->sets++;
    }
    return result;
}

/// Takes what a step has handled out of a lane.
static void flow_finish_lane(TrnFluid *fluid, uint32_t lane, const TrnFluidProgress *progress)
{
    TrnFluidQueue *queue = &fluid->queue;
    for (uint32_t i = 0; i < progress->sets; i++) {
        TrnFluidSet *set = queue->lists[lane][TRN_FLUID_RUNNING].first;
        if (set->is_put_off) { // a listener of the commit may have loaded the chunk
            const bool is_loaded = trn_store_find(fluid->store, set->chunk->coord) != NULL;
            trn_fluid_queue_put_off(queue, &fluid->allocator, lane,
                                    is_loaded ? TRN_FLUID_WAITING : TRN_FLUID_ASLEEP);
        } else {
            trn_fluid_queue_pop(queue, &fluid->allocator, lane);
        }
    }
    if (progress->end > 0) {
        trn_fluid_queue_cut(queue, queue->lists[lane][TRN_FLUID_RUNNING].first, progress->end);
    }
}

// ---- the step ----------------------------------------------------------------------------------

/// Looks up the sides of changed voxels.
static TrnResult flow_note_changes(TrnFluid *fluid)
{
    const uint32_t most = UINT32_MAX / FLOW_NOTE_TIMES;
    const uint32_t budget = fluid->budget < most ? fluid->budget : most;
    TrnFluidWork work = {.fluid = fluid, .lane = 0, .left = budget * FLOW_NOTE_TIMES};
    TrnFluidProgress progress;
    if (!fluid->queue.lists[0][TRN_FLUID_RUNNING].first) {
        trn_fluid_queue_run(&fluid->queue, 0);
    }
    const TrnResult result = flow_run_lane(&work, &progress);
    if (result == TRN_RESULT_OK) {
        flow_finish_lane(fluid, 0, &progress);
    }
    return result;
}

/// Makes the liquids run whose turn it is. @return how many have something to do
static uint32_t flow_begin_lanes(TrnFluid *fluid)
{
    uint32_t busy = 0;
    for (uint32_t i = 0; i < fluid->rules.liquid_count; i++) {
        const TrnFluidSet *const *running =
            (const TrnFluidSet *const *)&fluid->queue.lists[1 + i][TRN_FLUID_RUNNING].first;
        if (!*running && fluid->step % fluid->rules.liquids[i].delay == 0) {
            trn_fluid_queue_run(&fluid->queue, 1 + i);
        }
        busy += *running != NULL;
    }
    return busy;
}

/// Applies the rules to the liquids that run. They share the budget evenly; what one leaves, the
/// later ones get.
/// @param looked  receives how many voxels were looked at
static TrnResult flow_apply_rules(TrnFluid *fluid, uint32_t *looked)
{
    uint32_t busy = flow_begin_lanes(fluid), left = fluid->budget;
    TrnResult result = TRN_RESULT_OK;
    *looked = 0;
    for (uint32_t lane = 1; lane <= fluid->rules.liquid_count; lane++) {
        fluid->progress[lane] = (TrnFluidProgress){0, 0};
        if (fluid->queue.lists[lane][TRN_FLUID_RUNNING].first && result == TRN_RESULT_OK) {
            const uint32_t share = busy > 1 ? left / busy : left;
            busy--;
            TrnFluidWork work = {.fluid = fluid, .lane = lane, .left = share};
            result = flow_run_lane(&work, &fluid->progress[lane]);
            left -= share - work.left;
            *looked += work.looked;
        }
    }
    return result;
}

/// Writes all that the rules gave, as one batch. Backwards: where two liquids enter one voxel, the
/// one that comes first in the def stays.
static TrnResult flow_commit(TrnFluid *fluid)
{
    TrnBatchDef def = trn_batch_def();
    def.unloaded = TRN_UNLOADED_SKIP;
    TrnBatch *batch;
    TrnResult result = fluid->writes.count > 0 ? trn_batch_begin(fluid->store, &def, &batch)
                                               : TRN_RESULT_NOT_FOUND;
    if (result != TRN_RESULT_OK) {
        return fluid->writes.count > 0 ? result : TRN_RESULT_OK;
    }
    for (uint32_t i = fluid->writes.count; i-- > 0;) {
        const TrnFluidWrite *write = &fluid->writes.items[i];
        const TrnVoxel base = trn_coord_voxel(write->coord);
        const uint32_t mask = TRN_CHUNK_EDGE - 1, index = write->index;
        const TrnVoxel voxel = {base.x + (index & mask), base.y + (index >> (2 * TRN_CHUNK_SHIFT)),
                                base.z + (index >> TRN_CHUNK_SHIFT & mask)};
        (void)trn_batch_set(batch, voxel, write->block); // a failure is the commit's
    }
    return trn_batch_commit(batch, NULL);
}

/// Adds what the step has written to what has changed. The watch need not compare chunks for that.
/// @return how many voxels they are
static uint32_t flow_note_writes(TrnFluid *fluid)
{
    TrnFluidWork work = {.fluid = fluid};
    uint32_t changed = 0;
    for (uint32_t i = 0; i < fluid->writes.count; i++) {
        TrnFluidSet *set = trn_fluid_work_set(&work, fluid->writes.items[i].coord, 0);
        const uint32_t before = set->voxels;
        trn_fluid_queue_add(&fluid->queue, set, fluid->writes.items[i].index);
        changed += set->voxels - before;
    }
    return changed;
}

static TrnResult flow_run(TrnFluid *fluid, TrnFluidOutcome *outcome)
{
    uint32_t looked = 0;
    trn_fluid_look_begin(&fluid->look, fluid->store, fluid->classes);
    fluid->writes.count = 0;
    TrnResult result = flow_note_changes(fluid);
    result = result == TRN_RESULT_OK ? flow_apply_rules(fluid, &looked) : result;
    if (result != TRN_RESULT_OK) {
        return trn_store_result(fluid->store, result);
    }
    fluid->base_revision = trn_store_revision(fluid->store);
    result = flow_commit(fluid);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    for (uint32_t lane = 1; lane <= fluid->rules.liquid_count; lane++) {
        flow_finish_lane(fluid, lane, &fluid->progress[lane]);
    }
    const uint32_t changed = flow_note_writes(fluid);
    fluid->step++;
    fluid->looked += looked;
    fluid->changed += changed;
    *outcome = (TrnFluidOutcome){looked, changed, fluid->base_revision + (changed > 0)};
    return TRN_RESULT_OK;
}

TrnResult trn_fluid_step(TrnFluid *fluid, TrnFluidOutcome *outcome)
{
    TrnFluidOutcome own = {.revision = trn_store_revision(fluid->store)};
    if (fluid->is_stepping) {
        return TRN_RESULT_BUSY;
    }
    TrnResult result = TRN_RESULT_OK, recovered = TRN_RESULT_OK;
    if (fluid->is_running) {
        fluid->is_stepping = true;
        trn_store_refusal_clear(trn_store_refusal(fluid->store));
        trn_fluid_classify(fluid);
        recovered = fluid->has_missed ? flow_recover(fluid) : recovered;
        recovered = trn_store_result(fluid->store, recovered);
        result = flow_run(fluid, &own);
        fluid->is_stepping = false;
    }
    result = result == TRN_RESULT_OK ? recovered : result;
    if (outcome && result == TRN_RESULT_OK) {
        *outcome = own;
    }
    return result;
}
