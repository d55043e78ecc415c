// Creates fluids, and watches the store for what they have to look at.

#include "fluid/fluid_impl.h"

#include <stdalign.h>
#include <string.h>

#include "voxels/voxels_internal.h"

#define FLUID_BUDGET_DEFAULT 2048u
#define FLUID_BUDGET_MIN 64u ///< more than a set costs, or nothing would ever be looked at
#define FLUID_BYTES_MAX_DEFAULT ((size_t)64 << 20)
#define FLUID_BYTES_LEAST ((size_t)32 << 10) ///< besides its own: what the least budget may take

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

TrnResult trn_fluid_water(const TrnBlockTypes *types, TrnFluidLiquid *liquid)
{
    const TrnResult result = trn_fluid_liquid(types, TRN_BLOCK_WATER, liquid);
    if (result == TRN_RESULT_OK) {
        liquid->delay = 4;
    }
    return result;
}

TrnResult trn_fluid_lava(const TrnBlockTypes *types, TrnFluidLiquid *liquid)
{
    const TrnResult result = trn_fluid_liquid(types, TRN_BLOCK_LAVA, liquid);
    if (result == TRN_RESULT_OK) {
        liquid->delay = 20;
        liquid->decay = 2;
        liquid->drop_voxels = 2;
        liquid->renews = false;
    }
    return result;
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

/// Looks at all liquids of a chunk that is loaded, in place of voxels that were dropped. Without
/// memory, once the chunk or one at its faces is loaded again.
static void fluid_look_again(TrnFluid *fluid, TrnCoord coord)
{
    const TrnChunk *chunk = trn_store_find(fluid->store, coord);
    uint32_t liquids =
        chunk ? trn_fluid_look_find_liquids(fluid->classes, trn_voxels_snapshot(&chunk->voxels))
              : 0;
    for (liquids &= (1u << fluid->rules.liquid_count) - 1; liquids; liquids &= liquids - 1) {
        const uint32_t lane = 1 + (uint32_t)__builtin_ctz(liquids);
        TrnFluidSet *set = trn_fluid_queue_get(&fluid->queue, coord, lane, TRN_FLUID_WAITING);
        if (set) {
            trn_fluid_queue_add_all(&fluid->queue, set);
        }
    }
}

static void fluid_chunk_arrives(TrnFluid *fluid, const TrnStoreEvent *event,
                                const TrnEventChunk *chunk)
{
    TrnCoord coords[1 + TRN_FACE_COUNT] = {chunk->coord};
    bool has_dropped = false;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        coords[1 + face] = trn_coord_neighbour(chunk->coord, (TrnFace)face);
    }
    for (uint32_t i = 0; i <= TRN_FACE_COUNT; i++) {
        trn_fluid_queue_wake(&fluid->queue, coords[i]);
        has_dropped |= trn_fluid_queue_has_dropped(&fluid->queue, coords[i]);
    }
    for (uint32_t i = 0; i <= TRN_FACE_COUNT && has_dropped; i++) {
        fluid_look_again(fluid, coords[i]);
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
        trn_fluid_queue_wake_all(&fluid->queue);
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
    if (def->bytes_max && def->bytes_max < sizeof(TrnFluid) + FLUID_BYTES_LEAST) {
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
    made->queue.allocator = &made->allocator;
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
    trn_fluid_queue_free(&fluid->queue);
    trn_array_free(&fluid->writes, &fluid->allocator);
    const TrnAllocator attached = fluid->attached;
    trn_give(&attached, fluid, sizeof *fluid);
}

TrnFluid *trn_fluid_of(const TrnStore *store)
{
    const TrnStoreWatch *watch = trn_store_find_watch(store, fluid_changing);
    return watch ? watch->user : NULL;
}

TrnFluidDef trn_fluid_describe(const TrnFluid *fluid)
{
    return (TrnFluidDef){.liquids = fluid->rules.liquids,
                         .liquid_count = fluid->rules.liquid_count,
                         .reactions = fluid->rules.reactions,
                         .reaction_count = fluid->rules.reaction_count,
                         .budget_voxels = fluid->budget,
                         .bytes_max = fluid->bytes_max};
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
        sets[i] = trn_fluid_queue_get(&fluid->queue, coord, 1 + i, TRN_FLUID_WAITING);
        if (!sets[i]) {
            return trn_store_result(fluid->store, TRN_RESULT_NO_MEMORY);
        }
    }
    for (uint32_t i = 0; i < fluid->rules.liquid_count; i++) {
        trn_fluid_queue_add_all(&fluid->queue, sets[i]);
    }
    return TRN_RESULT_OK;
}

void trn_fluid_drop(TrnFluid *fluid, TrnCoord coord)
{
    TRN_ASSERT(!fluid->is_stepping);
    trn_fluid_queue_drop(&fluid->queue, coord, trn_store_find(fluid->store, coord) != NULL);
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
        .bytes_max = fluid->bytes_max,
        .capped_steps = fluid->capped,
        .dropped_sets = queue->dropped_sets};
}

// ---- saving -------------------------------------------------------------------------------------

// Writes and reads what a fluid has yet to look at.
//
// A header, then the filter of dropped sets if it has bits, then the sets in ascending order of
// lane, state and coordinate, each as its place and its rows that have voxels:
//     set    int32 x, y, z; uint8 lane, state; uint16 0; uint32 layers: bit y
//     layer  uint32 rows: bit z; then for each of these uint32: bit x
// All numbers are little-endian.

#define FLUID_SAVE_MAGIC "TFLUID\x01"

typedef struct FluidSaveHeader {
    char magic[8];
    uint32_t liquids;
    uint32_t has_dropped; ///< 0 or 1: the filter follows
    uint64_t step;
} FluidSaveHeader;

typedef struct FluidSavePlace {
    TrnCoord coord;
    uint8_t lane, state;
    uint16_t reserved;
    uint32_t layers;
} FluidSavePlace;

// ---- write -------------------------------------------------------------------------------------

typedef struct FluidSaveOut {
    unsigned char *bytes;
    size_t capacity, size;
} FluidSaveOut;

static void fluid_save_put(FluidSaveOut *out, const void *bytes, size_t size)
{
    if (out->size < out->capacity) {
        const size_t left = out->capacity - out->size;
        memcpy(out->bytes + out->size, bytes, size < left ? size : left);
    }
    out->size += size;
}

/// The bits of the rows of a layer that have voxels.
static uint32_t fluid_save_rows(const uint32_t *rows, uint32_t y)
{
    uint32_t used = 0;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        used |= (uint32_t)(rows[y * TRN_CHUNK_EDGE + z] != 0) << z;
    }
    return used;
}

/// @param all  [TRN_CHUNK_ROWS] the voxels of the set
static void fluid_save_put_set(FluidSaveOut *out, const TrnFluidSet *set, const uint32_t *all)
{
    FluidSavePlace place = {.coord = set->chunk->coord, .lane = set->lane, .state = set->state};
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        place.layers |= (uint32_t)(fluid_save_rows(all, y) != 0) << y;
    }
    if (place.layers == 0) {
        return;
    }
    fluid_save_put(out, &place, sizeof place);
    for (uint32_t layers = place.layers; layers; layers &= layers - 1) {
        const uint32_t y = (uint32_t)__builtin_ctz(layers), rows = fluid_save_rows(all, y);
        fluid_save_put(out, &rows, sizeof rows);
        for (uint32_t left = rows; left; left &= left - 1) {
            const uint32_t z = (uint32_t)__builtin_ctz(left);
            fluid_save_put(out, &all[y * TRN_CHUNK_EDGE + z], sizeof *all);
        }
    }
}

/// Whether the filter of dropped sets has bits.
static bool fluid_save_has_dropped(const TrnFluidQueue *queue)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < TRN_FLUID_DROPPED_BITS / 32; i++) {
        any |= queue->dropped[i];
    }
    return any != 0;
}

size_t trn_fluid_save(TrnFluid *fluid, void *bytes, size_t capacity)
{
    FluidSaveOut out = {bytes, capacity, 0};
    const FluidSaveHeader header = {.magic = FLUID_SAVE_MAGIC,
                                    .liquids = fluid->rules.liquid_count,
                                    .has_dropped = fluid_save_has_dropped(&fluid->queue),
                                    .step = fluid->step};
    TRN_ASSERT(!fluid->is_stepping);
    fluid_save_put(&out, &header, sizeof header);
    if (header.has_dropped) {
        fluid_save_put(&out, fluid->queue.dropped, sizeof fluid->queue.dropped);
    }
    for (uint32_t i = 0; i < TRN_FLUID_LANES_MAX * TRN_FLUID_STATES; i++) {
        const TrnFluidSet *set = trn_fluid_queue_sorted(&fluid->queue, i / TRN_FLUID_STATES,
                                                        (TrnFluidState)(i % TRN_FLUID_STATES));
        for (; set; set = set->next) {
            fluid_save_put_set(&out, set, trn_fluid_set_rows(set, fluid->scratch));
        }
    }
    return out.size;
}

/// Whether a chunk of a box has voxels that are to be looked at.
static bool fluid_save_has_any(const TrnFluidQueue *queue, TrnBox box)
{
    uint64_t at = 0;
    for (const TrnCoordEntry *entry; (entry = trn_coord_map_next(&queue->chunks, &at));) {
        const TrnFluidChunk *chunk = entry->pointer;
        const TrnFluidSet *set = chunk->sets;
        while (set && set->voxels == 0) {
            set = set->other;
        }
        if (set && trn_box_contains(box, chunk->coord)) {
            return true;
        }
    }
    return false;
}

TrnResult trn_fluid_save_box(TrnFluid *fluid, TrnBox box, void *bytes, size_t capacity,
                             size_t *size)
{
    FluidSaveOut out = {bytes, capacity, 0};
    const FluidSaveHeader header = {
        .magic = FLUID_SAVE_MAGIC, .liquids = fluid->rules.liquid_count, .step = fluid->step};
    const TrnResult result = trn_fluid_note(fluid);
    if (result != TRN_RESULT_OK || !fluid_save_has_any(&fluid->queue, box)) {
        *size = result == TRN_RESULT_OK ? 0 : *size;
        return result;
    }
    fluid_save_put(&out, &header, sizeof header);
    for (uint32_t i = 0; i < TRN_FLUID_LANES_MAX * TRN_FLUID_STATES; i++) {
        const TrnFluidSet *set = trn_fluid_queue_sorted(&fluid->queue, i / TRN_FLUID_STATES,
                                                        (TrnFluidState)(i % TRN_FLUID_STATES));
        for (; set; set = set->next) {
            if (trn_box_contains(box, set->chunk->coord)) {
                fluid_save_put_set(&out, set, trn_fluid_set_rows(set, fluid->scratch));
            }
        }
    }
    *size = out.size;
    return TRN_RESULT_OK;
}

// ---- read --------------------------------------------------------------------------------------

typedef struct FluidSaveIn {
    const unsigned char *bytes;
    size_t left;
} FluidSaveIn;

static bool fluid_save_take(FluidSaveIn *in, void *bytes, size_t size)
{
    if (in->left < size) {
        return false;
    }
    memcpy(bytes, in->bytes, size);
    in->bytes += size;
    in->left -= size;
    return true;
}

/// Reads the rows of a set. @param rows  [TRN_CHUNK_ROWS] all zero
static bool fluid_save_take_rows(FluidSaveIn *in, uint32_t layers, uint32_t *rows)
{
    bool is_valid = layers != 0;
    for (; is_valid && layers; layers &= layers - 1) {
        const uint32_t y = (uint32_t)__builtin_ctz(layers);
        uint32_t used = 0;
        is_valid = fluid_save_take(in, &used, sizeof used) && used != 0;
        for (; is_valid && used; used &= used - 1) {
            uint32_t *row = &rows[y * TRN_CHUNK_EDGE + (uint32_t)__builtin_ctz(used)];
            is_valid = fluid_save_take(in, row, sizeof *row) && *row != 0;
        }
    }
    return is_valid;
}

/// Whether the place of a set lies behind that of the one before it.
static bool fluid_save_is_behind(const FluidSavePlace *place, const FluidSavePlace *before)
{
    if (place->lane != before->lane) {
        return place->lane > before->lane;
    }
    return place->state != before->state ? place->state > before->state
                                         : trn_fluid_coord_compare(place->coord, before->coord) > 0;
}

static bool fluid_save_take_set(FluidSaveIn *in, const TrnFluid *fluid,
                                const FluidSavePlace *before, FluidSavePlace *place, uint32_t *rows)
{
    memset(rows, 0, TRN_CHUNK_ROWS * sizeof *rows);
    return fluid_save_take(in, place, sizeof *place) &&
           (place->lane <= fluid->rules.liquid_count || place->lane == TRN_FLUID_LANE_CHANGED) &&
           place->state < TRN_FLUID_STATES && place->reserved == 0 &&
           (!before || fluid_save_is_behind(place, before)) &&
           fluid_save_take_rows(in, place->layers, rows);
}

/// Adds all sets to a queue. Errors: CORRUPT, NO_MEMORY; some may be in the queue then.
/// @param is_merge  they wait, whatever their state was; else the queue is empty
static TrnResult fluid_save_take_sets(FluidSaveIn *in, const TrnFluid *fluid, TrnFluidQueue *queue,
                                      bool is_merge)
{
    FluidSavePlace places[2];
    uint32_t rows[TRN_CHUNK_ROWS];
    for (uint32_t i = 0; in->left > 0; i++) {
        FluidSavePlace *place = &places[i % 2];
        if (!fluid_save_take_set(in, fluid, i > 0 ? &places[(i + 1) % 2] : NULL, place, rows)) {
            return TRN_RESULT_CORRUPT;
        }
        const TrnFluidState state = is_merge ? TRN_FLUID_WAITING : (TrnFluidState)place->state;
        TrnFluidSet *set = trn_fluid_queue_get(queue, place->coord, place->lane, state);
        if (!set) {
            return TRN_RESULT_NO_MEMORY;
        }
        trn_fluid_queue_add_rows(queue, set, rows);
        (void)trn_fluid_queue_pack(queue, set);
    }
    return TRN_RESULT_OK;
}

static bool fluid_save_take_header(FluidSaveIn *in, const TrnFluid *fluid, FluidSaveHeader *header)
{
    return fluid_save_take(in, header, sizeof *header) &&
           memcmp(header->magic, FLUID_SAVE_MAGIC, sizeof header->magic) == 0 &&
           header->has_dropped <= 1 && header->liquids == fluid->rules.liquid_count;
}

TrnResult trn_fluid_merge(TrnFluid *fluid, const void *bytes, size_t size)
{
    FluidSaveIn in = {bytes, bytes ? size : 0};
    FluidSaveHeader header;
    if (fluid->is_stepping) {
        return TRN_RESULT_BUSY;
    }
    if (!fluid_save_take_header(&in, fluid, &header) || header.has_dropped) {
        return TRN_RESULT_CORRUPT;
    }
    trn_store_refusal_clear(trn_store_refusal(fluid->store));
    return trn_store_result(fluid->store, fluid_save_take_sets(&in, fluid, &fluid->queue, true));
}

TrnResult trn_fluid_load(TrnFluid *fluid, const void *bytes, size_t size)
{
    FluidSaveIn in = {bytes, bytes ? size : 0};
    FluidSaveHeader header;
    if (fluid->is_stepping) {
        return TRN_RESULT_BUSY;
    }
    if (!fluid_save_take_header(&in, fluid, &header)) {
        return TRN_RESULT_CORRUPT;
    }
    TrnFluidQueue queue = {.allocator = &fluid->allocator,
                           .chunks.key = fluid->queue.chunks.key,
                           .dropped_sets = fluid->queue.dropped_sets};
    if (header.has_dropped && (!fluid_save_take(&in, queue.dropped, sizeof queue.dropped) ||
                               !fluid_save_has_dropped(&queue))) {
        return TRN_RESULT_CORRUPT;
    }
    trn_store_refusal_clear(trn_store_refusal(fluid->store));
    const TrnResult result = fluid_save_take_sets(&in, fluid, &queue, false);
    if (result != TRN_RESULT_OK) {
        trn_fluid_queue_free(&queue);
        return trn_store_result(fluid->store, result);
    }
    trn_fluid_queue_free(&fluid->queue);
    fluid->queue = queue;
    fluid->step = header.step;
    fluid->has_missed = false;
    return TRN_RESULT_OK;
}
