/// Private: the light of a chunk in little memory, to be read voxel by voxel.
///
/// A channel (sky, or blocks) of one level is a byte. Otherwise it has a cell for each 8 x 8 x 8
/// voxels: a cell whose voxels all have one level takes two bytes, others 256 more. Opaque voxels
/// have any level, since they hold only what they emit; so most cells have one level.
#ifndef TERRANE_LIGHT_LIGHT_PACK_INTERNAL_H
#define TERRANE_LIGHT_LIGHT_PACK_INTERNAL_H

#include <terrane/light.h>

#define TRN_LIGHT_PACK_EDGE 8   ///< voxels of a cell, an axis
#define TRN_LIGHT_PACK_CELLS 64 ///< of a chunk
#define TRN_LIGHT_PACK_CELL_BYTES                                                                  \
    (TRN_LIGHT_PACK_EDGE * TRN_LIGHT_PACK_EDGE * TRN_LIGHT_PACK_EDGE / 2)
/// The most bytes that a chunk takes.
#define TRN_LIGHT_PACK_BYTES_MAX                                                                   \
    (2 * TRN_LIGHT_PACK_CELLS * (sizeof(uint16_t) + TRN_LIGHT_PACK_CELL_BYTES))

/// The light of a chunk. All zeroes is dark.
typedef struct TrnLightPack {
    uint8_t constant[2]; ///< of sky and blocks: the level, or TRN_LIGHT_VARIES
    uint16_t bytes;      ///< of `cells`
    /// Of the channels that vary: a table of levels, or 16 plus the number of a cell that varies;
    /// then those cells, two levels a byte. NULL if none does.
    void *cells;
} TrnLightPack;

/// Packs light.
/// @param voxels  of the chunk
/// @param cells   [TRN_LIGHT_PACK_BYTES_MAX] receives the cells: copy the pack's bytes of it
/// Cost: some us, and 1 us a cell that varies. Any thread.
TrnLightPack trn_light_pack(const TrnLight *sky, const TrnLight *blocks, TrnSnapshot voxels,
                            const TrnBlockTypes *types, void *cells);

/// Returns a level. @param channel  0: sky, 1: blocks. @param index  trn_local_index() of a voxel
/// that is not opaque
uint32_t trn_light_pack_get(const TrnLightPack *pack, uint32_t channel, uint32_t index);

#endif
