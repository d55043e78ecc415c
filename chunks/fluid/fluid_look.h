/// Private: reads the voxels of a step by what they are to liquids, their class.
///
/// A look reads whole layers of chunks as bits, and remembers the last ones. It is valid until the
/// store changes.
#ifndef TERRANE_FLUID_FLUID_LOOK_H
#define TERRANE_FLUID_FLUID_LOOK_H

#include <terrane/fluid.h>

/// A class: what a block is to liquids. That of liquid i is TRN_FLUID_CLASS(i) + variant.
typedef uint8_t TrnFluidClass;
#define TRN_FLUID_CLOSED ((TrnFluidClass)0)     ///< no liquid enters it
#define TRN_FLUID_OPEN ((TrnFluidClass)1)       ///< air, plants: liquids replace it
#define TRN_FLUID_NOT_LOADED ((TrnFluidClass)2) ///< its chunk is not loaded
#define TRN_FLUID_CLASS(liquid) ((TrnFluidClass)(((liquid) + 1) * 16))
#define TRN_FLUID_VARIANT_BITS 4 ///< the lowest bits of a class

/// The place of the liquid of a class, or UINT32_MAX.
static inline uint32_t trn_fluid_class_liquid(TrnFluidClass class)
{
    return class / 16u - 1;
}

static inline uint32_t trn_fluid_class_variant(TrnFluidClass class)
{
    return class % 16u;
}

// ---- layers ------------------------------------------------------------------------------------

/// What a voxel is to one liquid. Its variant is the number of bits LEVEL_1 to FALLING.
typedef enum TrnFluidKind {
    TRN_FLUID_IS_OWN,     ///< the liquid
    TRN_FLUID_IS_LEVEL_1, ///< the liquid, with bit 0 of the variant
    TRN_FLUID_IS_LEVEL_2, ///< with bit 1
    TRN_FLUID_IS_LEVEL_4, ///< with bit 2
    TRN_FLUID_IS_FALLING, ///< with bit 3
    TRN_FLUID_IS_OPEN,    ///< air, plants
    TRN_FLUID_IS_GROUND,  ///< closed, or a source of the liquid: a liquid rests on it
    TRN_FLUID_IS_OTHER,   ///< another liquid
    TRN_FLUID_KINDS
} TrnFluidKind;

/// What the voxels of one layer of a chunk are to one liquid.
typedef struct TrnFluidLayer {
    TrnVoxel base;  ///< its lowest voxel
    uint64_t round; ///< of the look when the layer was read
    uint32_t liquid;
    uint32_t kinds[TRN_FLUID_KINDS][TRN_CHUNK_EDGE]; ///< [kind][z] bit x
} TrnFluidLayer;

/// That a look remembers: by x of the chunk modulo 2, its z modulo 8 and y modulo 16.
#define TRN_FLUID_LAYERS 256

#define TRN_FLUID_RIM (TRN_FLUID_DROP_MAX + 1) ///< voxels around a layer that its own depend on
#define TRN_FLUID_ROWS (TRN_CHUNK_EDGE + 2 * TRN_FLUID_RIM)
#define TRN_FLUID_SIDE 16 ///< voxels of the chunks at lower and at higher x, in a row

/// Voxels of a layer with its rim, as bits: z of the chunk is at [z + TRN_FLUID_RIM], x at bit x +
/// TRN_FLUID_SIDE.
typedef uint64_t TrnFluidRows[TRN_FLUID_ROWS];

/// Which of TrnFluidRows are of interest, and how much of the rim.
typedef struct TrnFluidArea {
    uint32_t liquid;
    uint32_t from, to; ///< the first and the one behind the last
    uint32_t rim;      ///< bit TrnFace: the rim at that face is read
} TrnFluidArea;

#define TRN_FLUID_BANDS 4 ///< layers that the rules for one layer read

/// A layer with its rim, as it is to one liquid.
typedef struct TrnFluidBand {
    int32_t y;
    uint32_t liquid;
    uint32_t rim;                       ///< as of the area
    uint32_t kinds;                     ///< bit TrnFluidKind: those that were read
    TrnFluidRows rows[TRN_FLUID_KINDS]; ///< zero beyond the rim
} TrnFluidBand;

// ---- the look ----------------------------------------------------------------------------------

typedef struct TrnFluidLook {
    const TrnFluidClass *classes; ///< [TRN_BLOCK_TYPES_MAX]
    TrnCursor cursor;
    uint64_t round;          ///< layers that were read in another one are not valid
    TrnVoxel base;           ///< the lowest voxel of the chunk
    uint32_t liquids;        ///< bit i: the chunk may hold liquid i
    uint32_t asked, missing; ///< bit TrnFace: it is known if the chunk there is loaded; it is not
    TrnFluidBand bands[TRN_FLUID_BANDS]; ///< of the chunk, by y modulo TRN_FLUID_BANDS
    TrnFluidLayer layers[TRN_FLUID_LAYERS];
} TrnFluidLook;

/// Begins to look at a store as it is now.
void trn_fluid_look_begin(TrnFluidLook *look, const TrnStore *store, const TrnFluidClass *classes);

/// Which liquids a chunk may hold, by its palette. @return bit i of liquid i
uint32_t trn_fluid_look_find_liquids(const TrnFluidClass *classes, TrnSnapshot snapshot);

/// Chooses the chunk. @return whether it is loaded
bool trn_fluid_look_at(TrnFluidLook *look, TrnCoord coord);

/// The class of a voxel, by coordinates from the chunk's lowest voxel. Outside the world: closed.
TrnFluidClass trn_fluid_look_class(TrnFluidLook *look, int32_t x, int32_t y, int32_t z);

/// Finds those voxels of a layer of the chunk that have a side in a chunk that is not loaded.
/// @param voxels  [z] bit x
/// @param waiting [z] receives bit x if there are any
/// @return whether there are any
bool trn_fluid_look_find_waiting(TrnFluidLook *look, uint32_t y,
                                 const uint32_t voxels[TRN_CHUNK_EDGE],
                                 uint32_t waiting[TRN_CHUNK_EDGE]);

/// The layer that holds a voxel, by coordinates from the chunk's lowest voxel; it may be in another
/// chunk. Valid until the next call.
const TrnFluidLayer *trn_fluid_look_layer(TrnFluidLook *look, uint32_t liquid, int32_t x, int32_t y,
                                          int32_t z);

/// Finds the area that voxels of a layer depend on. @param voxels  [z] bit x; some
TrnFluidArea trn_fluid_area(uint32_t liquid, const uint32_t voxels[TRN_CHUNK_EDGE]);

/// Reads kinds of voxels of a layer and its rim.
/// @param kinds  ored bits 1 << TrnFluidKind
/// @return [TRN_FLUID_KINDS] those of `kinds` at their places, zero outside what the area reads;
///         valid until layers are read that differ from y by a multiple of TRN_FLUID_BANDS
const TrnFluidRows *trn_fluid_look_rows(TrnFluidLook *look, const TrnFluidArea *area, int32_t y,
                                        uint32_t kinds);

#endif
