// Reads layers of chunks as classes, one plane of bits for each bit of a class.

#include "fluid/fluid_look.h"

#include <string.h>

#include "voxels/voxel_read_internal.h"

void trn_fluid_look_begin(TrnFluidLook *look, const TrnStore *store, const TrnFluidClass *classes)
{
    look->classes = classes;
    look->cursor = trn_cursor(store);
    look->round++;
}

// ---- the chunk ---------------------------------------------------------------------------------

static TrnVoxel look_voxel(const TrnFluidLook *look, int32_t x, int32_t y, int32_t z)
{
    return (TrnVoxel){look->base.x + x, look->base.y + y, look->base.z + z};
}

static uint32_t look_liquid_bit(TrnFluidClass class)
{
    return class >= TRN_FLUID_CLASS(0) ? UINT32_C(1) << trn_fluid_class_liquid(class) : 0;
}

uint32_t trn_fluid_look_find_liquids(const TrnFluidClass *classes, TrnSnapshot snapshot)
{
    TrnPalette palette;
    trn_snapshot_palette(snapshot, &palette);
    uint32_t liquids = palette.count ? 0 : UINT32_MAX;
    for (uint32_t i = 0; i < palette.count; i++) {
        liquids |= look_liquid_bit(classes[palette.blocks[i]]);
    }
    return liquids;
}

bool trn_fluid_look_at(TrnFluidLook *look, TrnCoord coord)
{
    look->base = trn_coord_voxel(coord);
    const TrnVoxels *voxels = trn_cursor_find(&look->cursor, look->base);
    if (!voxels) {
        return false;
    }
    look->liquids = trn_fluid_look_find_liquids(look->classes, trn_voxels_snapshot(voxels));
    look->asked = look->missing = 0;
    for (uint32_t i = 0; i < TRN_FLUID_BANDS; i++) {
        look->bands[i].kinds = 0;
    }
    return true;
}

/// Finds out which of some chunks at the faces of the chunk are not loaded.
/// @param faces  ored bits 1 << TrnFace
static uint32_t look_find_missing(TrnFluidLook *look, uint32_t faces)
{
    const int32_t edge = TRN_CHUNK_EDGE;
    for (uint32_t left = faces & ~look->asked; left; left &= left - 1) {
        const uint32_t face = (uint32_t)__builtin_ctz(left);
        const int32_t way = face % 2 ? edge : -edge;
        const TrnVoxel voxel = look_voxel(look, face / 2 == 0 ? way : 0, face / 2 == 1 ? way : 0,
                                          face / 2 == 2 ? way : 0);
        const bool is_missing = !trn_cursor_find(&look->cursor, voxel) && trn_voxel_in_world(voxel);
        look->missing |= (uint32_t)is_missing << face;
    }
    look->asked |= faces;
    return faces & look->missing;
}

bool trn_fluid_look_find_waiting(TrnFluidLook *look, uint32_t y,
                                 const uint32_t voxels[TRN_CHUNK_EDGE],
                                 uint32_t waiting[TRN_CHUNK_EDGE])
{
    const uint32_t last = TRN_CHUNK_EDGE - 1;
    uint32_t any = 0;
    for (uint32_t z = 0; z <= last; z++) {
        any |= voxels[z];
    }
    const uint32_t missing =
        look_find_missing(look, (any & 1) << TRN_FACE_NEG_X | any >> last << TRN_FACE_POS_X |
                                    (uint32_t)(any && y == 0) << TRN_FACE_NEG_Y |
                                    (uint32_t)(any && y == last) << TRN_FACE_POS_Y |
                                    (uint32_t)(voxels[0] != 0) << TRN_FACE_NEG_Z |
                                    (uint32_t)(voxels[last] != 0) << TRN_FACE_POS_Z);
    if (!missing) {
        return false;
    }
    const uint32_t is_whole = missing & (1u << TRN_FACE_NEG_Y | 1u << TRN_FACE_POS_Y);
    const uint32_t row =
        is_whole ? UINT32_MAX
                 : (missing >> TRN_FACE_NEG_X & 1) | (missing >> TRN_FACE_POS_X & 1) << last;
    for (uint32_t z = 0; z <= last; z++) {
        waiting[z] = voxels[z] & row;
    }
    waiting[0] = missing >> TRN_FACE_NEG_Z & 1 ? voxels[0] : waiting[0];
    waiting[last] = missing >> TRN_FACE_POS_Z & 1 ? voxels[last] : waiting[last];
    return true;
}

/// The class of a voxel whose chunk is not loaded.
static TrnFluidClass look_class_without_chunk(TrnVoxel voxel)
{
    return trn_voxel_in_world(voxel) ? TRN_FLUID_NOT_LOADED : TRN_FLUID_CLOSED;
}

TrnFluidClass trn_fluid_look_class(TrnFluidLook *look, int32_t x, int32_t y, int32_t z)
{
    const TrnVoxel voxel = look_voxel(look, x, y, z);
    const TrnVoxels *voxels = trn_cursor_find(&look->cursor, voxel);
    return voxels ? look->classes[trn_snapshot_get(trn_voxels_snapshot(voxels),
                                                   trn_voxel_local_index(voxel))]
                  : look_class_without_chunk(voxel);
}

// ---- layers ------------------------------------------------------------------------------------

/// What a block of a class is to a liquid. @return ored bits 1 << TrnFluidKind
static uint8_t look_kinds(TrnFluidClass class, uint32_t liquid)
{
    if (class >= TRN_FLUID_CLASS(0) && trn_fluid_class_liquid(class) == liquid) {
        const uint32_t variant = trn_fluid_class_variant(class);
        return (uint8_t)(1u << TRN_FLUID_IS_OWN | variant << TRN_FLUID_IS_LEVEL_1 |
                         (uint32_t)(variant == 0) << TRN_FLUID_IS_GROUND);
    }
    return class >= TRN_FLUID_CLASS(0) ? 1u << TRN_FLUID_IS_OTHER
           : class == TRN_FLUID_OPEN   ? 1u << TRN_FLUID_IS_OPEN
           : class == TRN_FLUID_CLOSED ? 1u << TRN_FLUID_IS_GROUND
                                       : 0;
}

static void look_fill(TrnFluidLayer *layer, TrnFluidClass class)
{
    const uint32_t kinds = look_kinds(class, layer->liquid);
    for (uint32_t kind = 0; kind < TRN_FLUID_KINDS; kind++) {
        memset(layer->kinds[kind], kinds >> kind & 1 ? 0xFF : 0, sizeof layer->kinds[kind]);
    }
}

static void look_read_palette(const TrnFluidLook *look, TrnSnapshot snapshot,
                              const TrnPalette *palette, uint32_t y, TrnFluidLayer *layer)
{
    uint8_t table[256] = {0};
    for (uint32_t i = 0; i < palette->count; i++) {
        table[i] = look_kinds(look->classes[palette->blocks[i]], layer->liquid);
    }
    trn_snapshot_planes(snapshot, y * TRN_CHUNK_EDGE, TRN_CHUNK_EDGE, table, TRN_FLUID_KINDS,
                        layer->kinds[0]);
}

/// Reads a layer of a chunk without a palette.
static void look_read_plain(const TrnFluidLook *look, TrnSnapshot snapshot, uint32_t y,
                            TrnFluidLayer *layer)
{
    memset(layer->kinds, 0, sizeof layer->kinds);
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        TrnBlock blocks[TRN_CHUNK_EDGE];
        trn_snapshot_decode_row(snapshot, y, z, blocks);
        for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            for (uint32_t kinds = look_kinds(look->classes[blocks[x]], layer->liquid); kinds;
                 kinds &= kinds - 1) {
                layer->kinds[__builtin_ctz(kinds)][z] |= UINT32_C(1) << x;
            }
        }
    }
}

static void look_read_layer(TrnFluidLook *look, TrnFluidLayer *layer)
{
    const TrnVoxels *voxels = trn_cursor_find(&look->cursor, layer->base);
    if (!voxels) {
        look_fill(layer, look_class_without_chunk(layer->base));
        return;
    }
    const TrnSnapshot snapshot = trn_voxels_snapshot(voxels);
    const uint32_t y = (uint32_t)layer->base.y % TRN_CHUNK_EDGE;
    TrnPalette palette;
    trn_snapshot_palette(snapshot, &palette);
    if (trn_snapshot_is_uniform(snapshot)) {
        look_fill(layer, look->classes[trn_snapshot_uniform(snapshot)]);
    } else if (!palette.count) {
        look_read_plain(look, snapshot, y, layer);
    } else {
        look_read_palette(look, snapshot, &palette, y, layer);
    }
}

const TrnFluidLayer *trn_fluid_look_layer(TrnFluidLook *look, uint32_t liquid, int32_t x, int32_t y,
                                          int32_t z)
{
    const int32_t edge = TRN_CHUNK_EDGE;
    const TrnVoxel base = look_voxel(look, x & -edge, y, z & -edge);
    const uint32_t place = ((uint32_t)base.x >> TRN_CHUNK_SHIFT & 1) |
                           ((uint32_t)base.z >> TRN_CHUNK_SHIFT & 7) << 1 |
                           ((uint32_t)base.y & 15) << 4;
    TrnFluidLayer *layer = &look->layers[place];
    if (layer->round != look->round || layer->liquid != liquid || layer->base.x != base.x ||
        layer->base.y != base.y || layer->base.z != base.z) {
        layer->base = base;
        layer->round = look->round;
        layer->liquid = liquid;
        look_read_layer(look, layer);
    }
    return layer;
}

// ---- a layer and what is around it -------------------------------------------------------------

TrnFluidArea trn_fluid_area(uint32_t liquid, const uint32_t voxels[TRN_CHUNK_EDGE])
{
    const uint32_t edge = TRN_CHUNK_EDGE, rim = TRN_FLUID_RIM;
    uint32_t first = 0, end = edge, any = 0;
    while (first < end && voxels[first] == 0) {
        first++;
    }
    while (first < end && voxels[end - 1] == 0) {
        end--;
    }
    for (uint32_t z = first; z < end; z++) {
        any |= voxels[z];
    }
    const bool is_low_x = (any & ((UINT32_C(1) << rim) - 1)) != 0, is_high_x = any >> (edge - rim);
    const bool is_low_z = first<rim, is_high_z = end> edge - rim;
    return (TrnFluidArea){
        liquid, first + rim, end + rim,
        (uint32_t)is_low_x << TRN_FACE_NEG_X | (uint32_t)is_high_x << TRN_FACE_POS_X |
            (uint32_t)is_low_z << TRN_FACE_NEG_Z | (uint32_t)is_high_z << TRN_FACE_POS_Z};
}

/// Reads a kind of the part of a band that lies in one chunk. The chunk's own x is read first.
/// @param x      where the chunk is, -1, 0 or 1
/// @param from   [count] rows of the chunk
/// @param count  a constant makes it faster
static inline void look_add_rows(const uint32_t *from, int32_t x, uint32_t count, uint64_t *rows)
{
    for (uint32_t i = 0; i < count && x == 0; i++) {
        rows[i] = (uint64_t)from[i] << TRN_FLUID_SIDE;
    }
    for (uint32_t i = 0; i < count && x < 0; i++) {
        rows[i] |= from[i] >> (TRN_CHUNK_EDGE - TRN_FLUID_SIDE);
    }
    for (uint32_t i = 0; i < count && x > 0; i++) {
        rows[i] |= (uint64_t)from[i] << (TRN_FLUID_SIDE + TRN_CHUNK_EDGE);
    }
}

/// Reads kinds of the part of a band that lies in one chunk.
/// @param x,z  where the chunk is, -1, 0 or 1
static void look_read_part(TrnFluidLook *look, TrnFluidBand *band, int32_t x, int32_t z,
                           uint32_t kinds)
{
    const uint32_t edge = TRN_CHUNK_EDGE, rim = TRN_FLUID_RIM;
    const TrnFluidLayer *layer =
        trn_fluid_look_layer(look, band->liquid, x * TRN_CHUNK_EDGE, band->y, z * TRN_CHUNK_EDGE);
    for (; kinds; kinds &= kinds - 1) {
        const uint32_t kind = (uint32_t)__builtin_ctz(kinds);
        if (z < 0) {
            look_add_rows(layer->kinds[kind] + edge - rim, x, TRN_FLUID_RIM, band->rows[kind]);
        } else if (z > 0) {
            look_add_rows(layer->kinds[kind], x, TRN_FLUID_RIM, band->rows[kind] + rim + edge);
        } else {
            look_add_rows(layer->kinds[kind], x, TRN_CHUNK_EDGE, band->rows[kind] + rim);
        }
    }
}

/// Makes kinds of the rim at one side of a band empty. @param z  -1 or 1
static void look_skip_rim(TrnFluidBand *band, int32_t z, uint32_t kinds)
{
    const uint32_t first = z < 0 ? 0 : TRN_FLUID_RIM + TRN_CHUNK_EDGE;
    for (; kinds; kinds &= kinds - 1) {
        memset(&band->rows[__builtin_ctz(kinds)][first], 0, sizeof(uint64_t[TRN_FLUID_RIM]));
    }
}

/// Reads kinds of a band that it has not read yet.
static void look_read_band(TrnFluidLook *look, TrnFluidBand *band, uint32_t kinds)
{
    for (int32_t z = -1; z <= 1; z++) {
        if (z != 0 && !(band->rim >> (z < 0 ? TRN_FACE_NEG_Z : TRN_FACE_POS_Z) & 1)) {
            look_skip_rim(band, z, kinds);
            continue;
        }
        look_read_part(look, band, 0, z, kinds);
        if (band->rim >> TRN_FACE_NEG_X & 1) {
            look_read_part(look, band, -1, z, kinds);
        }
        if (band->rim >> TRN_FACE_POS_X & 1) {
            look_read_part(look, band, 1, z, kinds);
        }
    }
    band->kinds |= kinds;
}

const TrnFluidRows *trn_fluid_look_rows(TrnFluidLook *look, const TrnFluidArea *area, int32_t y,
                                        uint32_t kinds)
{
    TrnFluidBand *band = &look->bands[(uint32_t)y % TRN_FLUID_BANDS];
    if (band->kinds == 0 || band->y != y || band->liquid != area->liquid) {
        band->y = y;
        band->liquid = area->liquid;
        band->rim = area->rim;
        band->kinds = 0;
    } else if (area->rim & ~band->rim) {
        kinds |= band->kinds;
        band->rim |= area->rim;
        band->kinds = 0;
    }
    if (kinds & ~band->kinds) {
        look_read_band(look, band, kinds & ~band->kinds);
    }
    return (const TrnFluidRows *)band->rows;
}
