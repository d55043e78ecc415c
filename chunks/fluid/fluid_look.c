// Reads voxels as classes: one by one, and as masks of whole layers to search drops in.

#include "fluid/fluid_look.h"

#include <string.h>

void trn_fluid_look_begin(TrnFluidLook *look, const TrnStore *store, const TrnFluidClass *classes)
{
    look->classes = classes;
    look->cursor = trn_cursor(store);
    for (uint32_t i = 0; i < TRN_FLUID_LAYERS; i++) {
        look->layers[i].liquid = UINT32_MAX;
    }
}

bool trn_fluid_look_at(TrnFluidLook *look, TrnCoord coord)
{
    look->coord = coord;
    look->base = trn_coord_voxel(coord);
    const TrnVoxels *voxels = trn_cursor_find(&look->cursor, look->base);
    if (!voxels) {
        return false;
    }
    look->snapshot = trn_voxels_snapshot(voxels);
    look->payload = NULL;
    if (trn_snapshot_is_uniform(look->snapshot)) {
        look->uniform = look->classes[trn_snapshot_uniform(look->snapshot)];
        look->has_liquid = look->uniform >= TRN_FLUID_CLASS(0);
        return true;
    }
    look->payload = trn_snapshot_payload(look->snapshot);
    look->has_liquid = look->payload->bits == 16;
    const TrnBlock *palette = trn_payload_palette(look->payload);
    for (uint32_t i = 0; i < look->payload->palette_count; i++) {
        look->entries[i] = look->classes[palette[i]];
        look->has_liquid = look->has_liquid || look->entries[i] >= TRN_FLUID_CLASS(0);
    }
    return true;
}

TrnFluidClass trn_fluid_look_outside(TrnFluidLook *look, int32_t x, int32_t y, int32_t z)
{
    const TrnVoxel voxel = {look->base.x + x, look->base.y + y, look->base.z + z};
    const TrnVoxels *voxels = trn_cursor_find(&look->cursor, voxel);
    if (voxels) {
        const uint32_t index = trn_voxel_local_index(voxel);
        return look->classes[trn_snapshot_get(trn_voxels_snapshot(voxels), index)];
    }
    return trn_voxel_in_world(voxel) ? TRN_FLUID_NOT_LOADED : TRN_FLUID_CLOSED;
}

// ---- layers ------------------------------------------------------------------------------------

static bool look_is_passed(TrnFluidClass class, uint32_t liquid)
{
    return class == TRN_FLUID_OPEN ||
           (trn_fluid_class_is(class, liquid) && trn_fluid_class_variant(class) != 0);
}

static bool look_is_entered(TrnFluidClass class, uint32_t liquid)
{
    return class == TRN_FLUID_OPEN || trn_fluid_class_is(class, liquid);
}

static void look_fill_rows(const TrnFluidLook *look, const TrnBlock *blocks, uint32_t liquid,
                           uint32_t *passed, uint32_t *entered)
{
    for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
        const TrnFluidClass class = look->classes[blocks[x]];
        *passed |= (uint32_t)look_is_passed(class, liquid) << x;
        *entered |= (uint32_t)look_is_entered(class, liquid) << x;
    }
}

/// Fills the masks of a layer of a payload with a palette.
static void look_fill_palette(const TrnFluidLook *look, const TrnPayload *payload, uint32_t liquid,
                              uint32_t y, TrnFluidLayer *layer)
{
    const TrnBlock *palette = trn_payload_palette(payload);
    uint32_t passed[8] = {0}, entered[8] = {0};
    uint8_t entries[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE];
    for (uint32_t i = 0; i < payload->palette_count; i++) {
        const TrnFluidClass class = look->classes[palette[i]];
        passed[i / 32] |= (uint32_t)look_is_passed(class, liquid) << i % 32;
        entered[i / 32] |= (uint32_t)look_is_entered(class, liquid) << i % 32;
    }
    trn_payload_entries(payload, y * TRN_CHUNK_EDGE, TRN_CHUNK_EDGE, entries);
    trn_payload_match(payload, entries, TRN_CHUNK_EDGE, passed, layer->passed);
    trn_payload_match(payload, entries, TRN_CHUNK_EDGE, entered, layer->entered);
}

static void look_fill_layer(TrnFluidLook *look, TrnVoxel voxel, uint32_t liquid,
                            TrnFluidLayer *layer)
{
    const TrnVoxels *voxels = trn_cursor_find(&look->cursor, voxel);
    const TrnSnapshot snapshot = voxels ? trn_voxels_snapshot(voxels) : (TrnSnapshot){0};
    const uint32_t y = (uint32_t)voxel.y % TRN_CHUNK_EDGE;
    if (voxels && !trn_snapshot_is_uniform(snapshot) &&
        trn_snapshot_payload(snapshot)->bits != 16) {
        look_fill_palette(look, trn_snapshot_payload(snapshot), liquid, y, layer);
        return;
    }
    memset(layer->passed, 0, sizeof layer->passed);
    memset(layer->entered, 0, sizeof layer->entered);
    for (uint32_t z = 0; voxels && z < TRN_CHUNK_EDGE; z++) { // not loaded: closed
        TrnBlock blocks[TRN_CHUNK_EDGE];
        trn_snapshot_decode_row(snapshot, y, z, blocks);
        look_fill_rows(look, blocks, liquid, &layer->passed[z], &layer->entered[z]);
    }
}

/// The masks of the layer of a chunk that holds a voxel.
static const TrnFluidLayer *look_layer(TrnFluidLook *look, uint32_t liquid, TrnVoxel voxel)
{
    const int64_t edge = TRN_CHUNK_EDGE, x = voxel.x & -edge, z = voxel.z & -edge;
    const uint64_t place = ((uint64_t)voxel.x & TRN_CHUNK_EDGE) / TRN_CHUNK_EDGE |
                           ((uint64_t)voxel.z & TRN_CHUNK_EDGE) / (TRN_CHUNK_EDGE / 2) |
                           (uint64_t)voxel.y << 2;
    TrnFluidLayer *layer = &look->layers[place % TRN_FLUID_LAYERS];
    if (layer->liquid != liquid || layer->y != voxel.y || layer->x != x || layer->z != z) {
        look_fill_layer(look, voxel, liquid, layer);
        layer->x = x;
        layer->y = voxel.y;
        layer->z = z;
        layer->liquid = liquid;
    }
    return layer;
}

// ---- drops -------------------------------------------------------------------------------------

#define LOOK_REACH (TRN_FLUID_DROP_MAX + 1) ///< of a window, from its middle
#define LOOK_ROWS (2 * LOOK_REACH + 1)

/// Bits around a voxel in one row of masks: bit LOOK_REACH is the voxel's own.
typedef struct LookRow {
    uint32_t passed, drops;
} LookRow;

/// 32 bits beginning at any bit of a row: of a chunk, and of the chunks before and behind it.
static uint32_t look_bits(uint32_t before, uint32_t here, uint32_t behind, int32_t from)
{
    if (from < 0) {
        return (uint32_t)(((uint64_t)here << 32 | before) >> (from + TRN_CHUNK_EDGE));
    }
    return (uint32_t)(((uint64_t)behind << 32 | here) >> from);
}

/// One row of the window around a voxel.
static LookRow look_row(TrnFluidLook *look, uint32_t liquid, TrnVoxel voxel, int32_t x)
{
    const uint32_t z = (uint32_t)voxel.z % TRN_CHUNK_EDGE;
    uint32_t passed[3] = {0}, drops[3] = {0};
    for (int32_t side = -1; side <= 1; side++) {
        if ((side < 0 && x >= LOOK_REACH) || (side > 0 && x + LOOK_REACH < TRN_CHUNK_EDGE)) {
            continue; // the window does not reach there
        }
        const TrnVoxel at = {voxel.x + (int64_t)side * TRN_CHUNK_EDGE, voxel.y, voxel.z};
        const TrnVoxel below = {at.x, at.y - 1, at.z};
        passed[side + 1] = look_layer(look, liquid, at)->passed[z];
        drops[side + 1] = passed[side + 1] & look_layer(look, liquid, below)->entered[z];
    }
    const int32_t from = x - LOOK_REACH;
    return (LookRow){look_bits(passed[0], passed[1], passed[2], from),
                     look_bits(drops[0], drops[1], drops[2], from)};
}

/// Which sides of the middle of a window a set of voxels holds, as bits of TrnFace.
static uint32_t look_sides(const uint32_t *rows)
{
    const uint32_t middle = UINT32_C(1) << LOOK_REACH, own = rows[LOOK_REACH];
    return (uint32_t)((own & middle >> 1) != 0) << TRN_FACE_NEG_X |
           (uint32_t)((own & middle << 1) != 0) << TRN_FACE_POS_X |
           (uint32_t)((rows[LOOK_REACH - 1] & middle) != 0) << TRN_FACE_NEG_Z |
           (uint32_t)((rows[LOOK_REACH + 1] & middle) != 0) << TRN_FACE_POS_Z;
}

/// Grows a set of voxels by one voxel, where the liquid passes.
static void look_grow(uint32_t *reached, const LookRow *window)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < LOOK_ROWS; i++) {
        const uint32_t own = reached[i], behind = i + 1 < LOOK_ROWS ? reached[i + 1] : 0;
        reached[i] = (own | own << 1 | own >> 1 | before | behind) & window[i].passed;
        before = own;
    }
}

uint32_t trn_fluid_look_drops(TrnFluidLook *look, uint32_t liquid, int32_t x, int32_t y, int32_t z,
                              uint32_t voxels)
{
    // From the drops backwards, one voxel further at a time: the first sides that are reached are
    // those nearest to one.
    const int32_t reach = (int32_t)voxels + 1;
    LookRow window[LOOK_ROWS] = {{0}};
    uint32_t reached[LOOK_ROWS] = {0}, any = 0;
    for (int32_t dz = -reach; dz <= reach; dz++) {
        const TrnVoxel voxel = {look->base.x + x, look->base.y + y, look->base.z + z + dz};
        LookRow *row = &window[dz + LOOK_REACH];
        *row = look_row(look, liquid, voxel, x);
        reached[dz + LOOK_REACH] = row->drops;
        any |= row->drops;
    }
    for (uint32_t far = 0; any && far <= voxels; far++) {
        const uint32_t sides = look_sides(reached);
        if (sides) {
            return sides;
        }
        look_grow(reached, window);
    }
    return 0;
}
