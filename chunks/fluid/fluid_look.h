/// Private: reads the voxels of a step by what they are to liquids, their class.
///
/// A look reads around one chunk, which trn_fluid_look_at() chooses. It is valid until the store
/// changes.
#ifndef TERRANE_FLUID_FLUID_LOOK_H
#define TERRANE_FLUID_FLUID_LOOK_H

#include <terrane/fluid.h>

/// A class: what a block is to liquids. That of liquid i is TRN_FLUID_CLASS(i) + variant.
typedef uint8_t TrnFluidClass;
#define TRN_FLUID_CLOSED ((TrnFluidClass)0)     ///< no liquid enters it
#define TRN_FLUID_OPEN ((TrnFluidClass)1)       ///< air, plants: liquids replace it
#define TRN_FLUID_NOT_LOADED ((TrnFluidClass)2) ///< its chunk is not loaded
#define TRN_FLUID_CLASS(liquid) ((TrnFluidClass)(((liquid) + 1) * 16))

static inline bool trn_fluid_class_is(TrnFluidClass class, uint32_t liquid)
{
    return class / 16u == liquid + 1;
}

/// The place of the liquid of a class, or UINT32_MAX.
static inline uint32_t trn_fluid_class_liquid(TrnFluidClass class)
{
    return class / 16u - 1;
}

static inline uint32_t trn_fluid_class_variant(TrnFluidClass class)
{
    return class % 16u;
}

/// Masks of one layer of a chunk for one liquid: [z] bit x.
typedef struct TrnFluidLayer {
    int64_t x, y, z;                 ///< its lowest voxel
    uint32_t liquid;                 ///< UINT32_MAX: empty
    uint32_t passed[TRN_CHUNK_EDGE]; ///< open, or a flow of the liquid: it looks for drops there
    uint32_t drops[TRN_CHUNK_EDGE];  ///< passed, with an open voxel or the liquid below
} TrnFluidLayer;

#define TRN_FLUID_LAYERS 64 ///< that a look remembers

typedef struct TrnFluidLook {
    const TrnFluidClass *classes; ///< [TRN_BLOCK_TYPES_MAX]
    TrnCursor cursor;
    TrnCoord coord; ///< the chunk
    TrnVoxel base;  ///< its lowest voxel
    TrnSnapshot snapshot;
    const TrnPayload *payload;               ///< NULL: uniform
    TrnFluidClass uniform;                   ///< the class of a uniform chunk
    uint32_t liquids;                        ///< bit i: the chunk may hold liquid i
    TrnFluidClass entries[256];              ///< by palette entry
    uint32_t decoded;                        ///< bit y: layer y is decoded
    uint8_t layer_entries[TRN_CHUNK_VOXELS]; ///< palette entries of the layers decoded
    TrnFluidLayer layers[TRN_FLUID_LAYERS];
} TrnFluidLook;

/// Begins to look at a store as it is now.
void trn_fluid_look_begin(TrnFluidLook *look, const TrnStore *store, const TrnFluidClass *classes);

/// Chooses the chunk. @return whether it is loaded
bool trn_fluid_look_at(TrnFluidLook *look, TrnCoord coord);

/// Decodes layers of the chunk, if it has a palette, so that many look-ups there cost less.
/// @param layers  bit y
void trn_fluid_look_decode(TrnFluidLook *look, uint32_t layers);

/// Finds the voxels of a liquid in rows of a layer of the chunk.
/// @param z      the first row; z + count is at most TRN_CHUNK_EDGE
/// @param found  [count] receives bit x
void trn_fluid_look_rows(const TrnFluidLook *look, uint32_t liquid, uint32_t y, uint32_t z,
                         uint32_t count, uint32_t *found);

/// The class of a voxel outside the chunk.
TrnFluidClass trn_fluid_look_outside(TrnFluidLook *look, int32_t x, int32_t y, int32_t z);

/// The class of a voxel, by coordinates from the chunk's lowest voxel. Outside the world: closed.
static inline TrnFluidClass trn_fluid_look_class(TrnFluidLook *look, int32_t x, int32_t y,
                                                 int32_t z)
{
    if (((uint32_t)x | (uint32_t)y | (uint32_t)z) >= TRN_CHUNK_EDGE) {
        return trn_fluid_look_outside(look, x, y, z);
    }
    if (!look->payload) {
        return look->uniform;
    }
    const uint32_t index = trn_local_index((uint32_t)x, (uint32_t)y, (uint32_t)z);
    if (look->decoded >> y & 1) {
        return look->entries[look->layer_entries[index]];
    }
    const uint32_t entry = trn_payload_entry(look->payload, index);
    return look->payload->bits == 16 ? look->classes[entry] : look->entries[entry];
}

/// Reads the classes of the six sides of a voxel of the chunk.
static inline void trn_fluid_look_around(TrnFluidLook *look, int32_t x, int32_t y, int32_t z,
                                         TrnFluidClass around[TRN_FACE_COUNT])
{
    const uint32_t last = TRN_CHUNK_EDGE - 1;
    if ((uint32_t)x - 1 < last - 1 && (uint32_t)y - 1 < last - 1 && (uint32_t)z - 1 < last - 1 &&
        (look->decoded >> (y - 1) & 7) == 7) {
        const size_t edge = TRN_CHUNK_EDGE;
        const uint8_t *at =
            &look->layer_entries[trn_local_index((uint32_t)x, (uint32_t)y, (uint32_t)z)];
        around[TRN_FACE_NEG_X] = look->entries[*(at - 1)];
        around[TRN_FACE_POS_X] = look->entries[*(at + 1)];
        around[TRN_FACE_NEG_Y] = look->entries[*(at - edge * edge)];
        around[TRN_FACE_POS_Y] = look->entries[*(at + edge * edge)];
        around[TRN_FACE_NEG_Z] = look->entries[*(at - edge)];
        around[TRN_FACE_POS_Z] = look->entries[*(at + edge)];
        return;
    }
    around[TRN_FACE_NEG_X] = trn_fluid_look_class(look, x - 1, y, z);
    around[TRN_FACE_POS_X] = trn_fluid_look_class(look, x + 1, y, z);
    around[TRN_FACE_NEG_Y] = trn_fluid_look_class(look, x, y - 1, z);
    around[TRN_FACE_POS_Y] = trn_fluid_look_class(look, x, y + 1, z);
    around[TRN_FACE_NEG_Z] = trn_fluid_look_class(look, x, y, z - 1);
    around[TRN_FACE_POS_Z] = trn_fluid_look_class(look, x, y, z + 1);
}

/// Finds the sides of a voxel that lead to the nearest drops: a drop is a voxel that the liquid
/// passes and could fall from.
/// @param voxels  how far beyond a side
/// @return ored bits 1 << TrnFace; 0: there is no drop within reach
uint32_t trn_fluid_look_drops(TrnFluidLook *look, uint32_t liquid, int32_t x, int32_t y, int32_t z,
                              uint32_t voxels);

#endif
