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

static uint32_t look_liquid_bit(TrnFluidClass class)
{
    return class >= TRN_FLUID_CLASS(0) ? UINT32_C(1) << trn_fluid_class_liquid(class) : 0;
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
    look->decoded = 0;
    if (trn_snapshot_is_uniform(look->snapshot)) {
        look->uniform = look->classes[trn_snapshot_uniform(look->snapshot)];
        look->liquids = look_liquid_bit(look->uniform);
        return true;
    }
    look->payload = trn_snapshot_payload(look->snapshot);
    look->liquids = look->payload->bits == 16 ? UINT32_MAX : 0;
    const TrnBlock *palette = trn_payload_palette(look->payload);
    for (uint32_t i = 0; i < look->payload->palette_count; i++) {
        look->entries[i] = look->classes[palette[i]];
        look->liquids |= look_liquid_bit(look->entries[i]);
    }
    return true;
}

/// trn_fluid_look_rows() in a chunk with 16 bits.
static void look_decode_rows(const TrnFluidLook *look, uint32_t liquid, uint32_t y, uint32_t z,
                             uint32_t count, uint32_t *found)
{
    for (uint32_t row = 0; row < count; row++) {
        TrnBlock blocks[TRN_CHUNK_EDGE];
        trn_snapshot_decode_row(look->snapshot, y, z + row, blocks);
        found[row] = 0;
        for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            found[row] |= (uint32_t)trn_fluid_class_is(look->classes[blocks[x]], liquid) << x;
        }
    }
}

void trn_fluid_look_decode(TrnFluidLook *look, uint32_t layers)
{
    const uint32_t area = TRN_CHUNK_EDGE * TRN_CHUNK_EDGE;
    if (!look->payload || look->payload->bits == 16) {
        return;
    }
    for (layers &= ~look->decoded; layers; layers &= layers - 1) {
        const uint32_t y = (uint32_t)__builtin_ctz(layers);
        trn_payload_entries(look->payload, y * TRN_CHUNK_EDGE, TRN_CHUNK_EDGE,
                            look->layer_entries + (size_t)y * area);
        look->decoded |= UINT32_C(1) << y;
    }
}

void trn_fluid_look_rows(const TrnFluidLook *look, uint32_t liquid, uint32_t y, uint32_t z,
                         uint32_t count, uint32_t *found)
{
    const TrnPayload *payload = look->payload;
    if (!payload) {
        const bool is_liquid = trn_fluid_class_is(look->uniform, liquid);
        memset(found, is_liquid ? 0xFF : 0, count * sizeof *found);
        return;
    }
    if (payload->bits == 16) {
        look_decode_rows(look, liquid, y, z, count, found);
        return;
    }
    uint32_t bits[8] = {0};
    for (uint32_t i = 0; i < payload->palette_count; i++) {
        bits[i / 32] |= (uint32_t)trn_fluid_class_is(look->entries[i], liquid) << i % 32;
    }
    uint8_t read[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE];
    const uint32_t row = y * TRN_CHUNK_EDGE + z;
    const uint8_t *entries = read;
    if (look->decoded >> y & 1) {
        entries = look->layer_entries + (size_t)row * TRN_CHUNK_EDGE;
    } else {
        trn_payload_entries(payload, row, count, read);
    }
    trn_payload_match(payload, entries, count, bits, found);
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

/// Which of the classes that a look knows are in a set.
typedef bool LookIsIn(TrnFluidClass class, uint32_t liquid);

/// Reads the voxels of a layer of a payload with a palette whose classes are in a set.
static void look_match_palette(const TrnFluidLook *look, const TrnPayload *payload, uint32_t y,
                               uint32_t liquid, LookIsIn *is_in, uint32_t rows[TRN_CHUNK_EDGE])
{
    const TrnBlock *palette = trn_payload_palette(payload);
    uint32_t bits[8] = {0};
    uint8_t entries[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE];
    for (uint32_t i = 0; i < payload->palette_count; i++) {
        bits[i / 32] |= (uint32_t)is_in(look->classes[palette[i]], liquid) << i % 32;
    }
    trn_payload_entries(payload, y * TRN_CHUNK_EDGE, TRN_CHUNK_EDGE, entries);
    trn_payload_match(payload, entries, TRN_CHUNK_EDGE, bits, rows);
}

/// Reads the voxels of the layer of a chunk that holds a voxel whose classes are in a set. None are
/// if the chunk is not loaded.
/// @param rows  [z] receives bit x
static void look_match(TrnFluidLook *look, TrnVoxel voxel, uint32_t liquid, LookIsIn *is_in,
                       uint32_t rows[TRN_CHUNK_EDGE])
{
    const TrnVoxels *voxels = trn_cursor_find(&look->cursor, voxel);
    const TrnSnapshot snapshot = voxels ? trn_voxels_snapshot(voxels) : (TrnSnapshot){0};
    const uint32_t y = (uint32_t)voxel.y % TRN_CHUNK_EDGE;
    if (voxels && !trn_snapshot_is_uniform(snapshot) &&
        trn_snapshot_payload(snapshot)->bits != 16) {
        look_match_palette(look, trn_snapshot_payload(snapshot), y, liquid, is_in, rows);
        return;
    }
    memset(rows, 0, TRN_CHUNK_EDGE * sizeof *rows);
    for (uint32_t z = 0; voxels && z < TRN_CHUNK_EDGE; z++) {
        TrnBlock blocks[TRN_CHUNK_EDGE];
        trn_snapshot_decode_row(snapshot, y, z, blocks);
        for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            rows[z] |= (uint32_t)is_in(look->classes[blocks[x]], liquid) << x;
        }
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
        const TrnVoxel below = {voxel.x, voxel.y - 1, voxel.z};
        look_match(look, voxel, liquid, look_is_passed, layer->passed);
        look_match(look, below, liquid, look_is_entered, layer->drops);
        for (uint32_t row = 0; row < TRN_CHUNK_EDGE; row++) {
            layer->drops[row] &= layer->passed[row];
        }
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
#define LOOK_LANE 16                                           ///< bits of a row
#define LOOK_LANES (64 / LOOK_LANE)                            ///< rows in a word
#define LOOK_WORDS ((LOOK_ROWS + LOOK_LANES - 1) / LOOK_LANES) ///< in a window

/// The voxels around one in its layer, which has bit LOOK_REACH of row LOOK_REACH. Four rows along
/// x in a word, so that a few shifts grow all of them.
typedef struct LookWindow {
    uint64_t words[LOOK_WORDS];
} LookWindow;

/// The layers that a window reaches: at most one chunk further along each axis. Those that it does
/// not reach are closed.
typedef struct LookLayers {
    const TrnFluidLayer *low[2], *high[2]; ///< along x; of the chunk's z, and beyond it
    uint32_t shift;                        ///< of the window in both together
} LookLayers;

static const TrnFluidLayer look_closed = {0};

/// Where a window leaves the chunk along an axis: -1, 0 or 1.
static int32_t look_way(int32_t at, int32_t reach)
{
    return (at + reach >= TRN_CHUNK_EDGE) - (at < reach);
}

static void look_find_layers(TrnFluidLook *look, uint32_t liquid, TrnVoxel voxel, int32_t reach,
                             LookLayers *layers)
{
    const int32_t last = TRN_CHUNK_EDGE - 1;
    const int32_t x = (int32_t)(voxel.x & last), z = (int32_t)(voxel.z & last);
    const int32_t way_x = look_way(x, reach), way_z = look_way(z, reach);
    const bool is_low = x < LOOK_REACH; // the window begins before the chunk
    for (int32_t i = 0; i < 2; i++) {
        const int64_t at_z = voxel.z + (int64_t)(i * way_z) * TRN_CHUNK_EDGE;
        const TrnVoxel own = {voxel.x, voxel.y, at_z};
        const TrnVoxel beyond = {voxel.x + (int64_t)way_x * TRN_CHUNK_EDGE, voxel.y, at_z};
        const bool is_met = i == 0 || way_z != 0;
        const TrnFluidLayer *near = is_met ? look_layer(look, liquid, own) : &look_closed;
        const TrnFluidLayer *far =
            is_met && way_x != 0 ? look_layer(look, liquid, beyond) : &look_closed;
        layers->low[i] = is_low ? far : near;
        layers->high[i] = is_low ? near : far;
    }
    layers->shift = (uint32_t)(x - LOOK_REACH + (is_low ? TRN_CHUNK_EDGE : 0));
}

/// Reads the rows of a window. @param z  of the chunk
static void look_read(const LookLayers *layers, int32_t z, bool is_drops, LookWindow *window)
{
    const uint64_t used = (1u << LOOK_ROWS) - 1;
    const uint32_t *low[2], *high[2];
    for (uint32_t i = 0; i < 2; i++) {
        low[i] = is_drops ? layers->low[i]->drops : layers->low[i]->passed;
        high[i] = is_drops ? layers->high[i]->drops : layers->high[i]->passed;
    }
    for (uint32_t i = 0; i < LOOK_WORDS; i++) {
        uint64_t word = 0; // in a register: to or rows into memory takes twice the time
        for (uint32_t lane = 0; lane < LOOK_LANES && i * LOOK_LANES + lane < LOOK_ROWS; lane++) {
            const uint32_t at = (uint32_t)(z - LOOK_REACH) + i * LOOK_LANES + lane;
            const uint32_t beyond = at >= TRN_CHUNK_EDGE, local = at % TRN_CHUNK_EDGE;
            const uint64_t bits = (uint64_t)high[beyond][local] << 32 | low[beyond][local];
            word |= (bits >> layers->shift & used) << lane * LOOK_LANE;
        }
        window->words[i] = word;
    }
}

static bool look_is_empty(const LookWindow *window)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < LOOK_WORDS; i++) {
        any |= window->words[i];
    }
    return any == 0;
}

static uint32_t look_bit(const LookWindow *window, uint32_t row, uint32_t bit)
{
    return window->words[row / LOOK_LANES] >> (row % LOOK_LANES * LOOK_LANE + bit) & 1;
}

/// Which sides of the middle of a window are set, as bits of TrnFace.
static uint32_t look_sides(const LookWindow *window)
{
    return look_bit(window, LOOK_REACH, LOOK_REACH - 1) << TRN_FACE_NEG_X |
           look_bit(window, LOOK_REACH, LOOK_REACH + 1) << TRN_FACE_POS_X |
           look_bit(window, LOOK_REACH - 1, LOOK_REACH) << TRN_FACE_NEG_Z |
           look_bit(window, LOOK_REACH + 1, LOOK_REACH) << TRN_FACE_POS_Z;
}

/// Grows a set of voxels by one voxel, where the liquid passes. Bits that leave a row fall into the
/// unused ones of a lane, where nothing is passed.
static void look_grow(LookWindow *reached, const LookWindow *passed)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < LOOK_WORDS; i++) {
        const uint64_t own = reached->words[i],
                       behind = i + 1 < LOOK_WORDS ? reached->words[i + 1] : 0;
        const uint64_t rows = own << LOOK_LANE | own >> LOOK_LANE | before >> (64 - LOOK_LANE) |
                              behind << (64 - LOOK_LANE);
        reached->words[i] = (own | own << 1 | own >> 1 | rows) & passed->words[i];
        before = own;
    }
}

uint32_t trn_fluid_look_drops(TrnFluidLook *look, uint32_t liquid, int32_t x, int32_t y, int32_t z,
                              uint32_t voxels)
{
    // From the drops backwards, one voxel further at a time: the first sides that are reached are
    // those nearest to one.
    const int32_t reach = (int32_t)voxels + 1;
    const TrnVoxel voxel = {look->base.x + x, look->base.y + y, look->base.z + z};
    LookWindow passed, reached;
    LookLayers layers;
    look_find_layers(look, liquid, voxel, reach, &layers);
    look_read(&layers, z, true, &reached);
    if (look_is_empty(&reached)) {
        return 0;
    }
    const uint32_t nearest = look_sides(&reached);
    if (nearest) {
        return nearest;
    }
    look_read(&layers, z, false, &passed);
    for (uint32_t far = 1; far <= voxels; far++) {
        look_grow(&reached, &passed);
        const uint32_t sides = look_sides(&reached);
        if (sides) {
            return sides;
        }
    }
    return 0;
}
