// Writes and reads what a fluid has yet to look at.
//
// A header, then the sets in ascending order of lane, state and coordinate, each as its place and
// its rows that have voxels:
//     set    int32 x, y, z; uint8 lane, state; uint16 0; uint32 layers: bit y
//     layer  uint32 rows: bit z; then for each of these uint32: bit x
// All numbers are little-endian.

#include "fluid/fluid_impl.h"

#include <string.h>

#define FLUID_SAVE_MAGIC "TFLUID\x01"

typedef struct FluidSaveHeader {
    char magic[8];
    uint32_t liquids, reserved;
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
static uint32_t fluid_save_rows(const TrnFluidSet *set, uint32_t y)
{
    uint32_t rows = 0;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        rows |= (uint32_t)(set->rows[y * TRN_CHUNK_EDGE + z] != 0) << z;
    }
    return rows;
}

static void fluid_save_put_set(FluidSaveOut *out, const TrnFluidSet *set)
{
    FluidSavePlace place = {
        .coord = set->chunk->coord, .lane = (uint8_t)set->lane, .state = (uint8_t)set->state};
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        place.layers |= (uint32_t)(fluid_save_rows(set, y) != 0) << y;
    }
    if (place.layers == 0) {
        return;
    }
    fluid_save_put(out, &place, sizeof place);
    for (uint32_t layers = place.layers; layers; layers &= layers - 1) {
        const uint32_t y = (uint32_t)__builtin_ctz(layers), rows = fluid_save_rows(set, y);
        fluid_save_put(out, &rows, sizeof rows);
        for (uint32_t left = rows; left; left &= left - 1) {
            const uint32_t z = (uint32_t)__builtin_ctz(left);
            fluid_save_put(out, &set->rows[y * TRN_CHUNK_EDGE + z], sizeof(uint32_t));
        }
    }
}

size_t trn_fluid_save(TrnFluid *fluid, void *bytes, size_t capacity)
{
    FluidSaveOut out = {bytes, capacity, 0};
    const FluidSaveHeader header = {
        .magic = FLUID_SAVE_MAGIC, .liquids = fluid->rules.liquid_count, .step = fluid->step};
    TRN_ASSERT(!fluid->is_stepping);
    fluid_save_put(&out, &header, sizeof header);
    for (uint32_t i = 0; i < TRN_FLUID_LANES_MAX * TRN_FLUID_STATES; i++) {
        const TrnFluidSet *set = trn_fluid_queue_sorted(&fluid->queue, i / TRN_FLUID_STATES,
                                                        (TrnFluidState)(i % TRN_FLUID_STATES));
        for (; set; set = set->next) {
            fluid_save_put_set(&out, set);
        }
    }
    return out.size;
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
    return fluid_save_take(in, place, sizeof *place) && place->lane <= fluid->rules.liquid_count &&
           place->state < TRN_FLUID_STATES && place->reserved == 0 &&
           (!before || fluid_save_is_behind(place, before)) &&
           fluid_save_take_rows(in, place->layers, rows);
}

/// Reads all sets into an empty queue. Errors: CORRUPT, NO_MEMORY; what is in the queue then is the
/// caller's to free.
static TrnResult fluid_save_take_sets(FluidSaveIn *in, const TrnFluid *fluid, TrnFluidQueue *queue)
{
    FluidSavePlace places[2];
    uint32_t rows[TRN_CHUNK_ROWS];
    for (uint32_t i = 0; in->left > 0; i++) {
        FluidSavePlace *place = &places[i % 2];
        if (!fluid_save_take_set(in, fluid, i > 0 ? &places[(i + 1) % 2] : NULL, place, rows)) {
            return TRN_RESULT_CORRUPT;
        }
        TrnFluidSet *set = trn_fluid_queue_get(queue, &fluid->allocator, place->coord, place->lane,
                                               (TrnFluidState)place->state);
        if (!set) {
            return TRN_RESULT_NO_MEMORY;
        }
        trn_fluid_queue_add_rows(queue, set, rows);
    }
    return TRN_RESULT_OK;
}

TrnResult trn_fluid_load(TrnFluid *fluid, const void *bytes, size_t size)
{
    FluidSaveIn in = {bytes, bytes ? size : 0};
    FluidSaveHeader header;
    if (fluid->is_stepping) {
        return TRN_RESULT_BUSY;
    }
    if (!fluid_save_take(&in, &header, sizeof header) ||
        memcmp(header.magic, FLUID_SAVE_MAGIC, sizeof header.magic) != 0 || header.reserved != 0 ||
        header.liquids != fluid->rules.liquid_count) {
        return TRN_RESULT_CORRUPT;
    }
    TrnFluidQueue queue = {.chunks.key = fluid->queue.chunks.key};
    trn_store_refusal_clear(trn_store_refusal(fluid->store));
    const TrnResult result = fluid_save_take_sets(&in, fluid, &queue);
    if (result != TRN_RESULT_OK) {
        trn_fluid_queue_free(&queue, &fluid->allocator);
        return trn_store_result(fluid->store, result);
    }
    trn_fluid_queue_free(&fluid->queue, &fluid->allocator);
    fluid->queue = queue;
    fluid->step = header.step;
    fluid->has_missed = false;
    return TRN_RESULT_OK;
}
