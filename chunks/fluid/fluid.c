// Creates fluids, and watches the store for what they have to look at.

#include "fluid/fluid_impl.h"

#include <stdalign.h>
#include <string.h>

#include "voxels/voxels_internal.h"

#define FLUID_BUDGET_DEFAULT 2048u
#define FLUID_BUDGET_MIN 64u ///< more than a set costs, or nothing would ever be looked at
#define FLUID_BYTES_MAX_DEFAULT ((size_t)64 << 20)

// ---- settings ----------------------------------------------------------------------------------

TrnFluidDef trn_fluid_def(void)
{
    return (TrnFluidDef){.budget_voxels = FLUID_BUDGET_DEFAULT,
                         .bytes_max = FLUID_BYTES_MAX_DEFAULT};
}

TrnResult trn_fluid_liquid(const TrnBlockTypes *types, TrnBlock family, TrnFluidLiquid *liquid)
{
    if (!types || !liquid) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnFluidLiquid made = {.delay = 5, .decay = 1, .drop_voxels = 4, .renews = true};
    uint32_t count, found = 0;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    for (uint32_t id = 0; id < count; id++) {
        if (all[id].family == family && all[id].kind == TRN_BLOCK_KIND_LIQUID &&
            all[id].variant <= TRN_FLUID_FALLING) {
            made.blocks[all[id].variant] = (TrnBlock)id;
            found |= UINT32_C(1) << all[id].variant;
        }
    }
    if (found != (UINT32_C(2) << TRN_FLUID_FALLING) - 1) {
        return TRN_RESULT_NOT_FOUND;
    }
    *liquid = made;
    return TRN_RESULT_OK;
}

/// Whether the blocks of the liquids are liquids, each once.
static bool fluid_blocks_are_valid(const TrnBlockTypes *types, const TrnFluidDef *def)
{
    uint32_t count;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    for (uint32_t i = 0; i < def->liquid_count * (TRN_FLUID_FALLING + 1); i++) {
        const uint32_t places = TRN_FLUID_FALLING + 1;
        const TrnBlock block = def->liquids[i / places].blocks[i % places];
        if (block >= count || all[block].kind != TRN_BLOCK_KIND_LIQUID) {
            return false;
        }
        for (uint32_t k = 0; k < i; k++) {
            if (def->liquids[k / places].blocks[k % places] == block) {
                return false;
            }
        }
    }
    return true;
}

static bool fluid_is_valid(const TrnBlockTypes *types, const TrnFluidDef *def)
{
    uint32_t count;
    (void)trn_block_types_all(types, &count);
    bool is_valid =
        def->liquids && def->liquid_count >= 1 && def->liquid_count <= TRN_FLUID_LIQUIDS_MAX &&
        (def->reactions || def->reaction_count == 0) &&
        def->reaction_count <= TRN_FLUID_REACTIONS_MAX && def->budget_voxels >= FLUID_BUDGET_MIN;
    for (uint32_t i = 0; is_valid && i < def->liquid_count; i++) {
        const TrnFluidLiquid *liquid = &def->liquids[i];
        is_valid = liquid->delay >= 1 && liquid->decay >= 1 &&
                   liquid->decay <= TRN_FLUID_LEVEL_MAX &&
                   liquid->drop_voxels <= TRN_FLUID_DROP_MAX;
    }
    for (uint32_t i = 0; is_valid && i < def->reaction_count; i++) {
        const TrnFluidReaction *reaction = &def->reactions[i];
        is_valid = reaction->liquid < def->liquid_count && reaction->other < def->liquid_count &&
                   reaction->liquid != reaction->other && reaction->source < count &&
                   reaction->flow < count;
    }
    return is_valid && fluid_blocks_are_valid(types, def);
}

// ---- memory ------------------------------------------------------------------------------------

static void *fluid_alloc(size_t bytes, size_t alignment, void *user)
{
    TrnFluid *fluid = user;
    if (fluid->bytes_max &&
        (fluid->bytes >= fluid->bytes_max || bytes > fluid->bytes_max - fluid->bytes)) {
        *trn_store_refusal(fluid->store) =
            (TrnStoreRefusal){.is_capped = true, .is_part_capped = true};
        return NULL;
    }
    void *memory = trn_take(&fluid->attached, bytes, alignment);
    fluid->bytes += memory ? bytes : 0;
    return memory;
}

static void fluid_free(void *memory, size_t bytes, void *user)
{
    TrnFluid *fluid = user;
    fluid->bytes -= bytes;
    trn_give(&fluid->attached, memory, bytes);
}

// ---- what the store tells ----------------------------------------------------------------------

/// The watch: notes which voxels of a chunk change.
static void fluid_changing(void *user, TrnCoord coord, TrnSnapshot before, TrnSnapshot after)
{
    TrnFluid *fluid = user;
    uint32_t rows[TRN_CHUNK_ROWS];
    if (fluid->is_stepping && trn_store_revision(fluid->store) == fluid->base_revision) {
        return; // the step's own; listeners of its commit change the store under later revisions
    }
    const bool is_omitted = trn_snapshot_is_omitted(before);
    const uint32_t voxels = is_omitted ? 0 : trn_snapshot_diff(before, after, rows);
    if (voxels == 0 && !is_omitted) {
        return;
    }
    if (trn_fluid_touch(fluid, coord, is_omitted ? NULL : rows) != TRN_RESULT_OK) {
        trn_fluid_miss(fluid, trn_store_revision(fluid->store));
    }
}

static void fluid_chunk_arrives(TrnFluid *fluid, const TrnStoreEvent *event,
                                const TrnEventChunk *chunk)
{
    trn_fluid_queue_wake(&fluid->queue, &fluid->allocator, chunk->coord);
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        trn_fluid_queue_wake(&fluid->queue, &fluid->allocator,
                             trn_coord_neighbour(chunk->coord, (TrnFace)face));
    }
    if (chunk->applied > 0 && trn_fluid_touch(fluid, chunk->coord, NULL) != TRN_RESULT_OK) {
        trn_fluid_miss(fluid, event->revision - 1);
    }
}

static TrnResult fluid_inserted(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    TrnFluid *fluid = user;
    (void)store;
    if (event->has_missed) {
        trn_fluid_queue_wake_all(&fluid->queue, &fluid->allocator);
        trn_fluid_miss(fluid, event->missed_since);
    }
    for (uint32_t i = 0; i < event->count; i++) {
        fluid_chunk_arrives(fluid, event, &event->chunks[i]);
    }
    return TRN_RESULT_OK;
}

// ---- create and destroy ------------------------------------------------------------------------

static void fluid_copy_def(TrnFluid *fluid, const TrnFluidDef *def)
{
    TrnFluidRules *rules = &fluid->rules;
    fluid->budget = def->budget_voxels;
    fluid->bytes_max = def->bytes_max;
    rules->liquid_count = def->liquid_count;
    rules->reaction_count = def->reaction_count;
    memcpy(rules->liquids, def->liquids, def->liquid_count * sizeof *def->liquids);
    if (def->reaction_count > 0) {
        memcpy(rules->reactions, def->reactions, def->reaction_count * sizeof *def->reactions);
    }
}

/// Creates a fluid that does not watch its store yet. Errors: NO_MEMORY.
static TrnResult fluid_make(TrnStore *store, const TrnFluidDef *def, TrnFluid **fluid)
{
    const TrnAllocator attached = trn_store_attached_allocator(store);
    if (def->bytes_max && def->bytes_max < sizeof(TrnFluid)) {
        *trn_store_refusal(store) = (TrnStoreRefusal){.is_capped = true, .is_part_capped = true};
        return TRN_RESULT_NO_MEMORY;
    }
    TrnFluid *made = trn_take(&attached, sizeof *made, alignof(TrnFluid));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(made, 0, sizeof *made); // all blocks are closed
    made->store = store;
    made->attached = attached;
    made->allocator = (TrnAllocator){fluid_alloc, fluid_free, made};
    made->bytes = sizeof *made;
    made->is_running = true;
    made->queue.chunks.key = trn_store_hash_key(store);
    fluid_copy_def(made, def);
    trn_fluid_classify(made);
    *fluid = made;
    return TRN_RESULT_OK;
}

TrnResult trn_fluid_create(TrnStore *store, const TrnFluidDef *def, TrnFluid **fluid)
{
    if (!store || !def || !fluid || !fluid_is_valid(trn_store_block_types(store), def)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (trn_store_find_watch(store, fluid_changing)) {
        return TRN_RESULT_EXISTS;
    }
    TrnFluid *made = NULL;
    trn_store_refusal_clear(trn_store_refusal(store));
    TrnResult result = fluid_make(store, def, &made);
    if (result != TRN_RESULT_OK) {
        return trn_store_result(store, result);
    }
    result = trn_store_subscribe(store, TRN_EVENT_BIT(TRN_EVENT_INSERTED), fluid_inserted, made);
    if (result != TRN_RESULT_OK) {
        trn_give(&made->attached, made, sizeof *made);
        return result;
    }
    made->watch = (TrnStoreWatch){.changing = fluid_changing, .user = made};
    trn_store_watch(store, &made->watch);
    *fluid = made;
    return TRN_RESULT_OK;
}

void trn_fluid_destroy(TrnFluid *fluid)
{
    if (!fluid) {
        return;
    }
    TRN_ASSERT(!fluid->is_stepping);
    trn_store_unwatch(fluid->store, &fluid->watch);
    (void)trn_store_unsubscribe(fluid->store, fluid_inserted, fluid);
    trn_fluid_queue_free(&fluid->queue, &fluid->allocator);
    trn_array_free(&fluid->writes, &fluid->allocator);
    const TrnAllocator attached = fluid->attached;
    trn_give(&attached, fluid, sizeof *fluid);
}

// ---- control and figures -----------------------------------------------------------------------

void trn_fluid_set_running(TrnFluid *fluid, bool is_running)
{
    fluid->is_running = is_running;
}

TrnResult trn_fluid_wake(TrnFluid *fluid, TrnCoord coord)
{
    TrnFluidSet *sets[TRN_FLUID_LIQUIDS_MAX] = {NULL};
    trn_store_refusal_clear(trn_store_refusal(fluid->store));
    for (uint32_t i = 0; i < fluid->rules.liquid_count; i++) {
        sets[i] =
            trn_fluid_queue_get(&fluid->queue, &fluid->allocator, coord, 1 + i, TRN_FLUID_WAITING);
        if (!sets[i]) {
            return trn_store_result(fluid->store, TRN_RESULT_NO_MEMORY);
        }
    }
    for (uint32_t i = 0; i < fluid->rules.liquid_count; i++) {
        trn_fluid_queue_add_rows(&fluid->queue, sets[i], NULL);
    }
    return TRN_RESULT_OK;
}

TrnFluidStats trn_fluid_stats(const TrnFluid *fluid)
{
    const TrnFluidQueue *queue = &fluid->queue;
    return (TrnFluidStats){
        .steps = fluid->step,
        .looked_voxels = fluid->looked,
        .changed_voxels = fluid->changed,
        .due_sets = queue->sets[TRN_FLUID_WAITING] + queue->sets[TRN_FLUID_RUNNING],
        .asleep_sets = queue->sets[TRN_FLUID_ASLEEP],
        .due_voxels = queue->voxels[TRN_FLUID_WAITING] + queue->voxels[TRN_FLUID_RUNNING],
        .asleep_voxels = queue->voxels[TRN_FLUID_ASLEEP],
        .missed = fluid->missed,
        .bytes = fluid->bytes,
        .bytes_max = fluid->bytes_max};
}
