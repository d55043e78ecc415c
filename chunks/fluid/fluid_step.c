// One step of a fluid: looks up the sides of changed voxels, applies the rules to liquids whose
// turn it is, and commits what they write as one batch.
//
// Until the commit, a step takes nothing out of the lanes of liquids, so that one that fails can be
// repeated. Lane 0 may lose voxels before: what they led to is in the other lanes by then.

#include "fluid/fluid_spread.h"

#include <terrane/batch.h>

#include <stdalign.h>
#include <string.h>

#include "base/zone.h"

// ---- steps --------------------------------------------------------------------------------------

#define FLOW_SET_COST 32u  ///< voxels of the budget that a set costs besides its own
#define FLOW_NOTE_TIMES 4u ///< changed voxels cost so much less than liquids
#define FLOW_BUDGET_LEAST 64u
#define FLOW_ROW_DENSE 8u ///< of rows with more voxels only those of the liquid cost something

void trn_fluid_classify(TrnFluid *fluid)
{
    uint32_t count;
    const TrnBlockType *types = trn_block_types_all(trn_store_block_types(fluid->store), &count);
    const uint32_t first = fluid->types_seen;
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
    for (uint32_t id = first; id < count; id++) { // plants in a liquid are its sources
        fluid->classes[id] =
            types[id].liquid ? fluid->classes[types[id].liquid] : fluid->classes[id];
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
        trn_fluid_queue_get(&fluid->queue, coord, TRN_FLUID_LANE_CHANGED, TRN_FLUID_WAITING);
    if (!set) {
        return TRN_RESULT_NO_MEMORY;
    }
    trn_fluid_queue_add_rows(&fluid->queue, set, rows);
    return TRN_RESULT_OK;
}

/// Looks at all voxels of the chunks that changed since the first change that was missed, as many
/// as memory allows. The next step goes on with the others.
static TrnResult flow_recover(TrnFluid *fluid)
{
    const uint64_t since = fluid->missed_since;
    const size_t count = trn_store_changed_since(fluid->store, since, NULL, 0);
    const size_t bytes = count * sizeof(TrnChunk *);
    // Not a part of bytes_max: it grows with the chunks that are loaded.
    TrnChunk **chunks = count ? trn_take(&fluid->attached, bytes, alignof(TrnChunk *)) : NULL;
    if (count && !chunks) {
        return TRN_RESULT_NO_MEMORY;
    }
    (void)trn_store_changed_since(fluid->store, since, chunks, count);
    size_t noted = 0;
    while (noted < count && trn_fluid_touch(fluid, chunks[noted]->coord, NULL) == TRN_RESULT_OK) {
        noted++;
    }
    fluid->has_missed = noted < count;
    if (fluid->has_missed && noted > 0) {
        // Chunks of one batch have one revision. If they do not fit, their rest is given up.
        const uint64_t revision = trn_chunk_revision(chunks[noted]);
        fluid->missed_since = revision > since + 1 ? revision - 1 : revision;
    }
    trn_give(&fluid->attached, chunks, bytes);
    return noted > 0 || count == 0 ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

// ---- what flows write --------------------------------------------------------------------------

/// What a voxel becomes: a variant, or TRN_FLUID_DRY. @param i  its x in the chunk
static uint32_t flow_variant(const TrnFluidFlows *flows, uint32_t at, int32_t x, uint32_t i)
{
    const uint32_t bit = i + (uint32_t)(TRN_FLUID_SIDE + x * TRN_CHUNK_EDGE);
    return (uint32_t)((flows->variant[0][at] >> bit & 1) | (flows->variant[1][at] >> bit & 1) << 1 |
                      (flows->variant[2][at] >> bit & 1) << 2 |
                      (flows->variant[3][at] >> bit & 1) << 3);
}

/// Notes what a voxel becomes.
static TrnResult flow_note_write(TrnFluid *fluid, TrnFluidWrite write)
{
    TrnResult result = trn_array_push(&fluid->writes, &fluid->allocator, write);
    while (result == TRN_RESULT_NO_MEMORY && trn_fluid_queue_make_room(&fluid->queue)) {
        result = trn_array_push(&fluid->writes, &fluid->allocator, write);
    }
    return result;
}

/// Notes what flows write into one chunk. @param x,z  where it is, -1, 0 or 1
/// @param y  of the layer, from the lowest of the work's chunk
static TrnResult flow_write_chunk(TrnFluidWork *work, const TrnFluidFlows *flows, int32_t x,
                                  int32_t y, int32_t z)
{
    const uint32_t edge = TRN_CHUNK_EDGE, first = TRN_FLUID_RIM + (uint32_t)z * edge;
    const TrnCoord coord = trn_coord_add(work->coord, x, y < 0 ? -1 : 0, z);
    // Air and flows of the one liquid let it pass alike; sources do not.
    const bool is_only = work->fluid->rules.liquid_count == 1;
    TrnFluidSet *sets[2] = {NULL, NULL}; // of flows, of sources
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t at = flows->from; at < flows->to && result == TRN_RESULT_OK; at++) {
        const uint32_t row = ((uint32_t)y % edge * edge + (at - first)) * edge;
        uint32_t voxels = at - first < edge ? trn_fluid_row_part(flows->voxels[at], x) : 0;
        for (; voxels && result == TRN_RESULT_OK; voxels &= voxels - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(voxels);
            const uint32_t variant = flow_variant(flows, at, x, i);
            // flow_note_writes() will add voxels to this set, and must not lack the memory then.
            TrnFluidSet **set = &sets[variant == 0];
            if (!*set) {
                *set = trn_fluid_work_set(work, coord,
                                          is_only && variant != 0 ? TRN_FLUID_LANE_FLOWED
                                                                  : TRN_FLUID_LANE_CHANGED);
            }
            result = *set ? flow_note_write(work->fluid, (TrnFluidWrite){*set, (uint16_t)(row + i),
                                                                         work->blocks[variant]})
                          : TRN_RESULT_NO_MEMORY;
        }
    }
    return result;
}

/// Notes what flows write: into the work's chunk, and into those at its sides.
static TrnResult flow_write(TrnFluidWork *work, const TrnFluidFlows *flows, int32_t y)
{
    static const int32_t places[5][2] = {{0, 0}, {0, -1}, {0, 1}, {-1, 0}, {1, 0}}; // x, z
    const uint32_t before = TRN_FLUID_RIM - 1, behind = TRN_FLUID_RIM + TRN_CHUNK_EDGE;
    // By z of the chunk, from -1.
    uint64_t any[3] = {flows->from == before ? flows->voxels[before] : 0, 0,
                       flows->to > behind ? flows->voxels[behind] : 0};
    TrnResult result = TRN_RESULT_OK;
    for (size_t row = flows->from; row < flows->to; row++) {
        any[1] |= flows->voxels[row];
    }
    for (uint32_t i = 0; i < 5 && result == TRN_RESULT_OK; i++) {
        const int32_t x = places[i][0], z = places[i][1];
        result = trn_fluid_row_part(any[z + 1], x) ? flow_write_chunk(work, flows, x, y, z)
                                                   : TRN_RESULT_OK;
    }
    return result;
}

// ---- voxels of liquids -------------------------------------------------------------------------

/// Puts voxels of a layer to sleep that have a side in a chunk that is not loaded.
/// @param voxels  [z] bit x; loses them
static TrnResult flow_sleep(TrnFluidWork *work, uint32_t y, uint32_t voxels[TRN_CHUNK_EDGE])
{
    uint32_t waiting[TRN_CHUNK_EDGE];
    bool sleeps;
    const TrnResult result = trn_fluid_work_sleep(work, y, voxels, waiting, &sleeps);
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE && sleeps; z++) {
        voxels[z] &= ~waiting[z];
    }
    return result;
}

/// Notes what voxels of a layer become by reactions. @param voxels  [z] bit x; loses those
static TrnResult flow_react(TrnFluidWork *work, uint32_t y, uint32_t voxels[TRN_CHUNK_EDGE])
{
    TrnFluid *fluid = work->fluid;
    const uint32_t liquid = work->lane - 1;
    uint32_t touching[TRN_CHUNK_EDGE];
    if (!trn_fluid_rules_touch(&fluid->rules, &fluid->look, liquid, (int32_t)y, voxels, touching)) {
        return TRN_RESULT_OK;
    }
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        for (uint32_t bits = touching[z]; bits; bits &= bits - 1) {
            const uint32_t x = (uint32_t)__builtin_ctz(bits), index = trn_local_index(x, y, z);
            TrnBlock block;
            if (!trn_fluid_rules_react(&fluid->rules, &fluid->look, liquid, index, &block)) {
                continue;
            }
            TrnFluidSet *set = trn_fluid_work_set(work, work->coord, TRN_FLUID_LANE_CHANGED);
            if (!set || flow_note_write(fluid, (TrnFluidWrite){set, (uint16_t)index, block}) !=
                            TRN_RESULT_OK) {
                return TRN_RESULT_NO_MEMORY;
            }
            voxels[z] &= ~(UINT32_C(1) << x);
        }
    }
    return TRN_RESULT_OK;
}

static bool flow_is_empty(const uint32_t voxels[TRN_CHUNK_EDGE])
{
    uint32_t any = 0;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        any |= voxels[z];
    }
    return any == 0;
}

static bool flow_is_full(const uint32_t voxels[TRN_CHUNK_EDGE])
{
    uint32_t all = UINT32_MAX;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        all &= voxels[z];
    }
    return all == UINT32_MAX;
}

/// Applies the rules to voxels of a layer. @param voxels  [z] bit x: of the liquid
static TrnResult flow_apply(TrnFluidWork *work, uint32_t y, uint32_t voxels[TRN_CHUNK_EDGE])
{
    TrnFluid *fluid = work->fluid;
    TrnFluidLayerFlows flows;
    TrnResult result = flow_sleep(work, y, voxels);
    result =
        result == TRN_RESULT_OK && !flow_is_empty(voxels) ? flow_react(work, y, voxels) : result;
    if (result != TRN_RESULT_OK || flow_is_empty(voxels)) {
        return result;
    }
    trn_fluid_rules_apply(&fluid->rules.liquids[work->lane - 1], work->lane - 1, &fluid->look,
                          (int32_t)y, voxels, &flows);
    result = flow_write(work, &flows.own, (int32_t)y);
    return result == TRN_RESULT_OK ? flow_write(work, &flows.below, (int32_t)y - 1) : result;
}

// ---- sets --------------------------------------------------------------------------------------

/// Takes voxels of a row off the budget: in rows with many only those of the liquid.
/// @param own  the liquid
/// @param end  receives the index behind the last one if the budget ends
/// @return those that it pays for
static uint32_t flow_pay_row(TrnFluidWork *work, uint32_t row, uint32_t bits, uint32_t own,
                             uint32_t *end)
{
    uint32_t count = trn_fluid_count_bits(bits), paid = bits;
    if (count > FLOW_ROW_DENSE) {
        paid &= own;
        count = trn_fluid_count_bits(paid);
        work->left -= work->left > 0;
    }
    if (count > work->left) {
        uint32_t unpaid = paid;
        for (count = 0; count < work->left; count++) {
            unpaid &= unpaid - 1;
        }
        paid &= ~unpaid;
        *end = row * TRN_CHUNK_EDGE + (uint32_t)__builtin_ctz(unpaid);
    }
    work->left -= count;
    work->looked += count;
    return paid;
}

/// Removes the sources from voxels of a layer that have nothing to do: ground or sources of their
/// liquid are at all six sides. Those at the border of the chunk stay.
static void flow_skip_still(TrnFluidWork *work, uint32_t y, uint32_t voxels[TRN_CHUNK_EDGE])
{
    const uint32_t last = TRN_CHUNK_EDGE - 1;
    uint32_t still[TRN_CHUNK_EDGE];
    for (uint32_t i = 0; i < 3 && y > 0 && y < last; i++) { // below, above, the layer itself
        const int32_t at = (int32_t)y + (i == 2 ? 0 : (int32_t)i * 2 - 1);
        const TrnFluidLayer *layer =
            trn_fluid_look_layer(&work->fluid->look, work->lane - 1, 0, at, 0);
        const uint32_t *ground = layer->kinds[TRN_FLUID_IS_GROUND];
        for (uint32_t z = 1; z < last && i < 2; z++) {
            still[z] = i ? still[z] & ground[z] : ground[z];
        }
        for (uint32_t z = 1; z < last && i == 2; z++) {
            const uint32_t sides = ground[z] << 1 & ground[z] >> 1 & ground[z - 1] & ground[z + 1];
            voxels[z] &= ~(still[z] & sides & ground[z]);
        }
    }
}

/// Applies the rules to voxels of a layer of the set until the budget ends.
/// @param end  receives the index behind the last one if it does
static TrnResult flow_visit_layer(TrnFluidWork *work, uint32_t y, uint32_t *end)
{
    const uint32_t first = y * TRN_CHUNK_EDGE;
    const uint32_t *own = trn_fluid_look_layer(&work->fluid->look, work->lane - 1, 0, (int32_t)y, 0)
                              ->kinds[TRN_FLUID_IS_OWN];
    uint32_t voxels[TRN_CHUNK_EDGE] = {0}, mine[TRN_CHUNK_EDGE];
    memcpy(mine, own, sizeof mine);
    if (flow_is_full(work->rows + first)) { // most likely all of a chunk are looked at
        flow_skip_still(work, y, mine);
    }
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE && *end == TRN_CHUNK_VOXELS; z++) {
        if (work->rows[first + z]) {
            voxels[z] =
                mine[z] & flow_pay_row(work, first + z, work->rows[first + z], mine[z], end);
        }
    }
    return flow_is_empty(voxels) ? TRN_RESULT_OK : flow_apply(work, y, voxels);
}

/// Applies the rules to voxels of a set until the budget ends.
/// @param end  receives the index behind the last one, TRN_CHUNK_VOXELS if it is done
static TrnResult flow_visit(TrnFluidWork *work, const TrnFluidSet *set, uint32_t *end)
{
    const bool is_empty = !(work->fluid->look.liquids >> (work->lane - 1) & 1);
    TrnResult result = TRN_RESULT_OK;
    *end = TRN_CHUNK_VOXELS;
    for (uint32_t layers = is_empty ? 0 : set->layers;
         layers && result == TRN_RESULT_OK && *end == TRN_CHUNK_VOXELS; layers &= layers - 1) {
        result = flow_visit_layer(work, (uint32_t)__builtin_ctz(layers), end);
    }
    return result;
}

/// Whether the lane holds changed voxels of any block.
static bool flow_is_of_changes(const TrnFluidWork *work)
{
    return work->lane == TRN_FLUID_LANE_FLOWED || work->lane == TRN_FLUID_LANE_CHANGED;
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

/// Handles a running set.
/// @param end  receives the index behind the last voxel that the budget pays for
static TrnResult flow_run_set(TrnFluidWork *work, TrnFluidSet *set, uint32_t *end)
{
    TrnFluid *fluid = work->fluid;
    TrnFluidQueue *queue = &fluid->queue;
    *end = TRN_CHUNK_VOXELS;
    work->coord = set->chunk->coord;
    set->is_put_off = !trn_fluid_look_at(&fluid->look, work->coord);
    // Liquids of another's chunk are dropped: its owner has them. What changed there is looked at,
    // since it may move liquids at its sides that are not of that owner.
    if (set->is_put_off ||
        (!flow_is_of_changes(work) && !trn_store_owns(fluid->store, work->coord))) {
        return TRN_RESULT_OK;
    }
    queue->running = set;
    work->rows = trn_fluid_set_rows(set, fluid->scratch);
    const TrnResult result =
        flow_is_of_changes(work) ? trn_fluid_spread(work, set, end) : flow_visit(work, set, end);
    if (queue->sleeper) {
        (void)trn_fluid_queue_pack(queue, queue->sleeper);
    }
    queue->running = NULL;
    queue->sleeper = NULL;
    return result;
}

/// Handles the running sets of a lane, as many as the budget and `bytes_max` allow.
/// @param progress  receives how far it came; nothing is taken out of the lane
static TrnResult flow_run_lane(TrnFluidWork *work, TrnFluidProgress *progress)
{
    TrnFluid *fluid = work->fluid;
    TrnResult result = TRN_RESULT_OK;
    *progress = (TrnFluidProgress){0, 0};
    for (TrnFluidSet *set = fluid->queue.lists[work->lane][TRN_FLUID_RUNNING].first;
         set && flow_pay(work, set); set = set->next) {
        const uint32_t writes = fluid->writes.count, looked = work->looked;
        uint32_t end;
        result = flow_run_set(work, set, &end);
        if (result != TRN_RESULT_OK) {
            fluid->writes.count = writes;
            work->looked = looked;
            break;
        }
        fluid->has_run = fluid->has_run || set->voxels > 0;
        if (end < TRN_CHUNK_VOXELS) {
            progress->end = end;
            break;
        }
        progress->sets++;
    }
    if (result == TRN_RESULT_NO_MEMORY && trn_store_refusal(fluid->store)->is_part_capped) {
        fluid->is_short = true; // the next step goes on here
        return TRN_RESULT_OK;
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
            trn_fluid_queue_put_off(queue, lane, is_loaded ? TRN_FLUID_WAITING : TRN_FLUID_ASLEEP);
        } else {
            trn_fluid_queue_pop(queue, lane);
        }
    }
    if (progress->end > 0) {
        trn_fluid_queue_cut(queue, queue->lists[lane][TRN_FLUID_RUNNING].first, progress->end);
    }
}

// ---- the step ----------------------------------------------------------------------------------

/// Looks up the sides of changed voxels: of what others changed, then of what the fluid wrote.
static TrnResult flow_note_changes(TrnFluid *fluid, uint32_t budget)
{
    static const uint32_t lanes[] = {TRN_FLUID_LANE_CHANGED, TRN_FLUID_LANE_FLOWED};
    const uint32_t most = UINT32_MAX / FLOW_NOTE_TIMES;
    uint32_t left = (budget < most ? budget : most) * FLOW_NOTE_TIMES;
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < 2 && result == TRN_RESULT_OK; i++) {
        TrnFluidWork work = {.fluid = fluid, .lane = lanes[i], .left = left};
        TrnFluidProgress progress;
        if (!fluid->queue.lists[lanes[i]][TRN_FLUID_RUNNING].first) {
            trn_fluid_queue_run(&fluid->queue, lanes[i]);
        }
        result = flow_run_lane(&work, &progress);
        if (result == TRN_RESULT_OK) {
            flow_finish_lane(fluid, lanes[i], &progress);
        }
        left = work.left;
    }
    return result;
}

TrnResult trn_fluid_note(TrnFluid *fluid)
{
    TrnResult result = TRN_RESULT_OK;
    if (fluid->is_stepping) {
        return TRN_RESULT_BUSY;
    }
    trn_store_refusal_clear(trn_store_refusal(fluid->store));
    trn_fluid_classify(fluid);
    trn_fluid_look_begin(&fluid->look, fluid->store, fluid->classes);
    fluid->writes.count = 0;
    result = fluid->has_missed ? flow_recover(fluid) : result;
    for (int i = 0; i < 2 && result == TRN_RESULT_OK; i++) { // a step may have left some running
        result = flow_note_changes(fluid, UINT32_MAX);
    }
    return trn_store_result(fluid->store, result);
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
static TrnResult flow_apply_rules(TrnFluid *fluid, uint32_t budget, uint32_t *looked)
{
    uint32_t busy = flow_begin_lanes(fluid), left = budget;
    TrnResult result = TRN_RESULT_OK;
    *looked = 0;
    for (uint32_t lane = 1; lane <= fluid->rules.liquid_count; lane++) {
        fluid->progress[lane] = (TrnFluidProgress){0, 0};
        if (fluid->queue.lists[lane][TRN_FLUID_RUNNING].first && result == TRN_RESULT_OK) {
            const uint32_t share = busy > 1 ? left / busy : left;
            busy--;
            TrnFluidWork work = {.fluid = fluid, .lane = lane, .left = share};
            memcpy(work.blocks, fluid->rules.liquids[lane - 1].blocks,
                   sizeof fluid->rules.liquids[lane - 1].blocks);
            work.blocks[TRN_FLUID_DRY] = TRN_BLOCK_AIR;
            result = flow_run_lane(&work, &fluid->progress[lane]);
            left -= share - work.left;
            *looked += work.looked;
        }
    }
    return result;
}

/// Writes all that the rules gave. Backwards: where two liquids enter one voxel, the one that comes
/// first in the def stays.
static TrnResult flow_fill_batch(const TrnFluidWrites *writes, TrnBatch *batch)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t left = writes->count; left > 0 && result == TRN_RESULT_OK;) {
        const TrnFluidSet *set = writes->items[left - 1].set;
        TrnVoxelEdit *edit;
        result = trn_batch_edit(batch, set->chunk->coord, &edit);
        for (; left > 0 && result == TRN_RESULT_OK && writes->items[left - 1].set == set; left--) {
            const TrnFluidWrite *write = &writes->items[left - 1];
            result = trn_voxel_edit_set(edit, write->index, write->block);
        }
    }
    return result;
}

/// Writes all that the rules gave, as one batch.
static TrnResult flow_commit(TrnFluid *fluid)
{
    if (fluid->writes.count == 0) {
        return TRN_RESULT_OK;
    }
    const TrnBatchDef def = trn_batch_def();
    TrnBatch *batch;
    TrnResult result = trn_batch_begin(fluid->store, &def, &batch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = flow_fill_batch(&fluid->writes, batch);
    if (result != TRN_RESULT_OK) {
        trn_batch_cancel(batch);
        return trn_store_result(fluid->store, result);
    }
    trn_store_set_self_moved(fluid->store, true);
    result = trn_batch_commit(batch, NULL);
    trn_store_set_self_moved(fluid->store, false);
    return result;
}

/// Adds what the step has written to what has changed. The watch need not compare chunks for that.
/// @return how many voxels they are
static uint32_t flow_note_writes(TrnFluid *fluid)
{
    uint32_t changed = 0;
    for (uint32_t i = 0; i < fluid->writes.count; i++) {
        const TrnFluidWrite *write = &fluid->writes.items[i];
        const uint32_t before = write->set->voxels;
        trn_fluid_queue_add(&fluid->queue, write->set, write->index);
        changed += write->set->has_all ? 1 : write->set->voxels - before;
    }
    return changed;
}

/// Does a step with some budget.
static TrnResult flow_run(TrnFluid *fluid, uint32_t budget, TrnFluidOutcome *outcome)
{
    uint32_t looked = 0;
    trn_fluid_look_begin(&fluid->look, fluid->store, fluid->classes);
    fluid->writes.count = 0;
    fluid->is_short = fluid->has_run = false;
    TrnResult result = flow_note_changes(fluid, budget);
    result = result == TRN_RESULT_OK ? flow_apply_rules(fluid, budget, &looked) : result;
    if (result == TRN_RESULT_OK && fluid->is_short && !fluid->has_run) {
        result = TRN_RESULT_NO_MEMORY;
    }
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
    fluid->capped += fluid->is_short;
    fluid->looked += looked;
    fluid->changed += changed;
    *outcome = (TrnFluidOutcome){looked, changed, fluid->base_revision + (changed > 0)};
    return TRN_RESULT_OK;
}

/// Does a step as far as `bytes_max` allows: with less and less budget, and last without most of
/// the voxels that are due.
static TrnResult flow_run_within_cap(TrnFluid *fluid, TrnFluidOutcome *outcome)
{
    uint32_t budget = fluid->budget;
    TrnResult result = flow_run(fluid, budget, outcome);
    while (result == TRN_RESULT_FULL && fluid->is_short && !fluid->has_run) {
        if (budget > FLOW_BUDGET_LEAST) {
            budget = budget / 2 > FLOW_BUDGET_LEAST ? budget / 2 : FLOW_BUDGET_LEAST;
        } else if (!trn_fluid_queue_drop_due(&fluid->queue)) {
            break;
        }
        trn_store_refusal_clear(trn_store_refusal(fluid->store));
        result = flow_run(fluid, budget, outcome);
    }
    return result;
}

TrnResult trn_fluid_step(TrnFluid *fluid, TrnFluidOutcome *outcome)
{
    TRN_ZONE("liquids step");
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
        result = flow_run_within_cap(fluid, &own);
        fluid->is_stepping = false;
    }
    result = result == TRN_RESULT_OK ? recovered : result;
    if (outcome && result == TRN_RESULT_OK) {
        *outcome = own;
    }
    return result;
}
