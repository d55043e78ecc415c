/// Private: a model of MagicaVoxel (.vox), read into voxels by chunk. A file without nodes has its
/// first model alone, its lowest corner at the origin.
///
/// MagicaVoxel's z is up and its y goes away from the viewer, Terrane's north: (x, y, z) becomes
/// (x, z, -1 - y).
#ifndef TERRANE_SAVE_IMPORT_VOX_SCENE_H
#define TERRANE_SAVE_IMPORT_VOX_SCENE_H

#include <terrane/block_types.h>

#include "vox_file.h"

/// The voxels of one chunk.
typedef struct TrnVoxChunk {
    TrnCoord coord;
    uint32_t first, count; ///< in TrnVoxScene.voxels
} TrnVoxChunk;

TRN_ARRAY_DECLARE(TrnVoxChunks, TrnVoxChunk);
/// Each is a linear index in its chunk, and a colour << 16. Later ones replace earlier ones.
TRN_ARRAY_DECLARE(TrnVoxVoxels, uint32_t);

typedef struct TrnVoxScene {
    TrnAllocator allocator;
    uint8_t palette[TRN_VOX_COLOURS][4]; ///< red, green, blue, opacity
    bool is_used[TRN_VOX_COLOURS];       ///< a voxel has the colour
    TrnVoxChunks chunks;                 ///< in order of y, z, x
    TrnVoxVoxels voxels;
    TrnCoordMap places;      ///< the index of each chunk
    uint64_t outside_count;  ///< voxels outside the world, or outside their model
    uint32_t hidden_count;   ///< nodes that are hidden, or lie in a hidden layer
    uint32_t frame_count;    ///< further frames of animations
    uint32_t material_count; ///< colours of glass, metal and light
    uint32_t damaged_count;  ///< pieces of the file that are left out, in whole or in part
    uint32_t missing_count;  ///< nodes and models that the scene names, but that are not there
    bool ends_early;         ///< the file is cut
} TrnVoxScene;

/// Reads a scene. Any bytes are safe. What is damaged is left out and counted.
/// @param bytes   [size] only used by this call
/// @param offset  added to every voxel
/// @param fault   receives a sentence's end if it is CORRUPT: "it has no model"
/// Errors: CORRUPT, NO_MEMORY; the scene is freed then.
TrnResult trn_vox_scene_read(TrnVoxScene *scene, const void *bytes, size_t size, TrnVoxel offset,
                             const TrnAllocator *allocator, const char **fault);
void trn_vox_scene_free(TrnVoxScene *scene);

#endif
