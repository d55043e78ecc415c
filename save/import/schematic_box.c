#include "schematic_box.h"

#include <string.h>

#include "base/memory.h"

#include "state_out.h"

/// What loading works with.
typedef struct OutLoad {
    TrnOutBox *box;
    TrnOutIsDoor is_door;
    void *user;
    TrnBlock *blocks; ///< [TRN_CHUNK_VOXELS]
    uint32_t *places; ///< [TRN_BLOCK_TYPES_MAX] by block: its index plus one
    TrnCoord coord;
    uint64_t content_count, data_count;
    // For contents.
    TrnOutContent visit;
    void *visit_user;
} OutLoad;

// ---- the box ------------------------------------------------------------------------------------

static TrnResult out_check(TrnOutBox *box, const char **fault)
{
    const TrnSchematicDef *def = box->def;
    const int64_t sizes[3] = {def->max.x - def->min.x + 1, def->max.y - def->min.y + 1,
                              def->max.z - def->min.z + 1};
    if (!trn_voxel_in_world(def->min) || !trn_voxel_in_world(def->max)) {
        *fault = "The box reaches out of the world; move it.";
        return TRN_RESULT_OUT_OF_RANGE;
    }
    box->voxels = 1;
    for (int axis = 0; axis < 3; axis++) {
        if (sizes[axis] < 1) {
            *fault = "The box is empty: its first corner must be the lower one along each axis.";
            return TRN_RESULT_BAD_ARGUMENT;
        }
        if (sizes[axis] > TRN_SCHEMATIC_SIDE_MAX ||
            (box->voxels *= (uint64_t)sizes[axis]) > TRN_SCHEMATIC_BOX_MAX) {
            *fault = "The box has more than 65,535 voxels along a side or 134,217,728 in all; make "
                     "it smaller.";
            return TRN_RESULT_OUT_OF_RANGE;
        }
        box->size[axis] = (uint32_t)sizes[axis];
    }
    return TRN_RESULT_OK;
}

void trn_out_box_free(TrnOutBox *box)
{
    if (box->allocator) {
        trn_give(box->allocator, box->indices,
                 box->indices ? (size_t)box->voxels * sizeof *box->indices : 0);
        trn_array_free(&box->palette, box->allocator);
        trn_array_free(&box->content_chunks, box->allocator);
    }
}

// ---- the palette --------------------------------------------------------------------------------

/// Adds an entry for a block, or two. Errors: FULL, NO_MEMORY, those of is_door.
static TrnResult out_add_block(OutLoad *load, TrnBlock block, const char **fault)
{
    TrnOutBox *box = load->box;
    TrnOutEntry entry = {.block = block};
    TrnResult result = load->is_door(load->user, block, &entry.is_door);
    if (result == TRN_RESULT_OK && box->palette.count + 2 > TRN_OUT_PALETTE_MAX) {
        *fault = "The box has more than 65,535 kinds of blocks; make it smaller.";
        result = TRN_RESULT_FULL;
    }
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&box->palette, box->allocator, entry);
    }
    if (result == TRN_RESULT_OK) {
        load->places[block] = box->palette.count;
        entry.is_upper = true;
        if (entry.is_door) {
            result = trn_array_push(&box->palette, box->allocator, entry);
        }
    }
    return result;
}

// ---- loading ------------------------------------------------------------------------------------

/// Where a voxel of the chunk is in the box. @return false if it is not in it
static bool out_place(const OutLoad *load, uint32_t index, uint32_t local[3])
{
    const TrnVoxel low = load->box->def->min;
    const int64_t edge = TRN_CHUNK_EDGE;
    const int64_t at[3] = {load->coord.x * edge + index % edge - low.x,
                           load->coord.y * edge + index / (edge * edge) - low.y,
                           load->coord.z * edge + index / edge % edge - low.z};
    bool is_in = true;
    for (int axis = 0; axis < 3; axis++) {
        is_in = is_in && at[axis] >= 0 && at[axis] < load->box->size[axis];
        local[axis] = is_in ? (uint32_t)at[axis] : 0;
    }
    return is_in;
}

static TrnResult out_count_data(void *user, const TrnBlockData *data)
{
    OutLoad *load = user;
    uint32_t local[3];
    TrnBlockEntity entity;
    if (out_place(load, data->index, local)) {
        const bool is_entity = trn_state_read_entity(data, &entity);
        load->content_count += is_entity;
        load->data_count += !is_entity;
    }
    return TRN_RESULT_OK;
}

static TrnResult out_visit_data(void *user, const TrnBlockData *data)
{
    const OutLoad *load = user;
    uint32_t local[3];
    TrnBlockEntity entity;
    if (out_place(load, data->index, local) && trn_state_read_entity(data, &entity)) {
        load->visit(load->visit_user, local, &entity);
    }
    return TRN_RESULT_OK;
}

/// Loads a chunk. Air if there is none.
static TrnResult out_load(OutLoad *load, TrnResult (*set)(void *, const TrnBlockData *),
                          bool *uniform)
{
    const TrnStreamSource *source = &load->box->def->source;
    const TrnDataSink sink = {set, load};
    const TrnStreamJob job = {.coord = load->coord, .data = &sink};
    const TrnResult result = source->load(source->user, &job, load->blocks, uniform);
    if (result == TRN_RESULT_NOT_FOUND) {
        load->blocks[0] = TRN_BLOCK_AIR;
        *uniform = true;
        return TRN_RESULT_OK;
    }
    return result;
}

/// Where box and chunk overlap along an axis, in voxels of the box. @param high  excluded
static void out_span(int64_t min, uint32_t size, int32_t chunk, uint32_t *low, uint32_t *high)
{
    const int64_t from = (int64_t)chunk * TRN_CHUNK_EDGE - min, to = from + TRN_CHUNK_EDGE;
    *low = (uint32_t)(from > 0 ? from : 0);
    *high = (uint32_t)(to < size ? to : size);
}

/// Copies the part of the chunk that the box has.
static TrnResult out_copy(OutLoad *load, bool uniform, const char **fault)
{
    TrnOutBox *box = load->box;
    const TrnVoxel min = box->def->min;
    uint32_t low[3], high[3];
    out_span(min.x, box->size[0], load->coord.x, &low[0], &high[0]);
    out_span(min.y, box->size[1], load->coord.y, &low[1], &high[1]);
    out_span(min.z, box->size[2], load->coord.z, &low[2], &high[2]);
    for (uint32_t y = low[1]; y < high[1]; y++) {
        for (uint32_t z = low[2]; z < high[2]; z++) {
            uint16_t *to = box->indices + ((uint64_t)y * box->size[2] + z) * box->size[0];
            const TrnBlock *from = load->blocks + trn_local_index(0, (uint32_t)((min.y + y) & 31),
                                                                  (uint32_t)((min.z + z) & 31));
            for (uint32_t x = low[0]; x < high[0]; x++) {
                const TrnBlock block = uniform ? load->blocks[0] : from[(min.x + x) & 31];
                if (!load->places[block]) {
                    const TrnResult result = out_add_block(load, block, fault);
                    if (result != TRN_RESULT_OK) {
                        return result;
                    }
                }
                to[x] = (uint16_t)(load->places[block] - 1);
                box->palette.items[to[x]].voxels++;
            }
        }
    }
    return TRN_RESULT_OK;
}

static TrnResult out_load_chunk(OutLoad *load, const char **fault)
{
    TrnOutBox *box = load->box;
    bool uniform = false;
    load->content_count = load->data_count = 0;
    TrnResult result = out_load(load, out_count_data, &uniform);
    result = result == TRN_RESULT_OK ? out_copy(load, uniform, fault) : result;
    if (result == TRN_RESULT_OK && load->content_count) {
        result = trn_array_push(&box->content_chunks, box->allocator, load->coord);
    }
    box->content_count += load->content_count;
    box->data_count += load->data_count;
    return result;
}

static TrnResult out_load_chunks(OutLoad *load, const char **fault)
{
    const TrnSchematicDef *def = load->box->def;
    const TrnCoord first = trn_voxel_chunk(def->min), last = trn_voxel_chunk(def->max);
    const uint64_t total = (uint64_t)(last.x - first.x + 1) * (uint64_t)(last.y - first.y + 1) *
                           (uint64_t)(last.z - first.z + 1);
    uint64_t done = 0;
    TrnResult result = TRN_RESULT_OK;
    TrnCoord *at = &load->coord;
    for (at->z = first.z; at->z <= last.z && result == TRN_RESULT_OK; at->z++) {
        for (at->x = first.x; at->x <= last.x && result == TRN_RESULT_OK; at->x++) {
            for (at->y = first.y; at->y <= last.y && result == TRN_RESULT_OK; at->y++) {
                result = out_load_chunk(load, fault);
                done++;
                if (result == TRN_RESULT_OK && def->progress.step &&
                    !def->progress.step(def->progress.user, done, total)) {
                    *fault = "The export was stopped.";
                    result = TRN_RESULT_IO;
                }
            }
        }
    }
    return result;
}

/// Makes the upper halves of doors.
static void out_raise_doors(TrnOutBox *box)
{
    const uint64_t layer = (uint64_t)box->size[0] * box->size[2];
    bool has_any = false;
    for (uint32_t i = 0; i < box->palette.count; i++) {
        has_any = has_any || box->palette.items[i].is_door;
    }
    for (uint64_t i = layer; i < box->voxels && has_any; i++) {
        TrnOutEntry *entry = &box->palette.items[box->indices[i]];
        if (entry->is_door && box->indices[i - layer] == box->indices[i]) {
            box->indices[i]++;
            entry[0].voxels--;
            entry[1].voxels++;
        }
    }
}

static TrnResult out_take(OutLoad *load, TrnOutBox *box)
{
    load->blocks = trn_take(box->allocator, sizeof(TrnBlock[TRN_CHUNK_VOXELS]), TRN_CACHE_LINE);
    load->places = trn_take(box->allocator, sizeof(uint32_t[TRN_BLOCK_TYPES_MAX]), TRN_CACHE_LINE);
    if (load->places) {
        memset(load->places, 0, sizeof(uint32_t[TRN_BLOCK_TYPES_MAX]));
    }
    return load->blocks && load->places ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

static void out_give(const OutLoad *load)
{
    const TrnAllocator *allocator = load->box->allocator;
    trn_give(allocator, load->blocks, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    trn_give(allocator, load->places, sizeof(uint32_t[TRN_BLOCK_TYPES_MAX]));
}

TrnResult trn_out_box_load(TrnOutBox *box, const TrnSchematicDef *def,
                           const TrnAllocator *allocator, TrnOutIsDoor is_door, void *user,
                           const char **fault)
{
    OutLoad load = {.box = box, .is_door = is_door, .user = user};
    box->def = def;
    box->allocator = allocator;
    TrnResult result = out_check(box, fault);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    box->indices = trn_take(allocator, (size_t)box->voxels * sizeof *box->indices, TRN_CACHE_LINE);
    result = box->indices ? out_take(&load, box) : TRN_RESULT_NO_MEMORY;
    result = result == TRN_RESULT_OK ? out_add_block(&load, TRN_BLOCK_AIR, fault) : result;
    result = result == TRN_RESULT_OK ? out_load_chunks(&load, fault) : result;
    if (result == TRN_RESULT_OK) {
        out_raise_doors(box);
    }
    out_give(&load);
    return result;
}

TrnResult trn_out_box_contents(TrnOutBox *box, TrnOutContent visit, void *user)
{
    OutLoad load = {.box = box, .visit = visit, .visit_user = user};
    TrnResult result = box->content_chunks.count ? out_take(&load, box) : TRN_RESULT_OK;
    for (uint32_t i = 0; i < box->content_chunks.count && result == TRN_RESULT_OK; i++) {
        bool uniform;
        load.coord = box->content_chunks.items[i];
        result = out_load(&load, out_visit_data, &uniform);
    }
    out_give(&load);
    return result;
}
