/// Private: the pieces of a file of MagicaVoxel: models, nodes and the palette.
#ifndef TERRANE_SAVE_IMPORT_VOX_FILE_H
#define TERRANE_SAVE_IMPORT_VOX_FILE_H

#include "base/array.h"
#include "base/coord_map.h"

#define TRN_VOX_COLOURS 256 ///< of a palette; 0 is air
/// Limits of a scene: what a file makes us allocate.
#define TRN_VOX_FILE_MAX ((uint64_t)256 << 20) ///< bytes
#define TRN_VOX_VOXELS_MAX (UINT32_C(1) << 25) ///< 4 bytes each
#define TRN_VOX_CHUNKS_MAX (UINT32_C(1) << 20)
#define TRN_VOX_NODES_MAX (UINT32_C(1) << 20)
#define TRN_VOX_SHAPES_MAX (UINT32_C(1) << 16) ///< models placed in the scene
#define TRN_VOX_DEPTH_MAX 64                   ///< nodes inside each other

/// Bytes that are read from the front. After a read beyond the end, is_broken is set and all reads
/// return zero.
typedef struct TrnVoxBytes {
    const unsigned char *at, *end;
    bool is_broken;
} TrnVoxBytes;

/// A box of voxels, of 4 bytes each: x, y, z and the colour.
typedef struct TrnVoxModel {
    uint32_t size[3];
    uint32_t count;
    const unsigned char *voxels; ///< [count * 4]
} TrnVoxModel;

/// A rotation by right angles, and a movement. out[i] = sign[i] * in[axis[i]] + move[i].
typedef struct TrnVoxTransform {
    uint8_t axis[3];
    int8_t sign[3];
    int64_t move[3];
} TrnVoxTransform;

typedef enum TrnVoxNodeKind { TRN_VOX_TRANSFORM, TRN_VOX_GROUP, TRN_VOX_SHAPE } TrnVoxNodeKind;

/// A node of the scene.
typedef struct TrnVoxNode {
    TrnVoxNodeKind kind;
    int32_t id;
    bool is_hidden;
    int32_t layer;             ///< of a transform
    TrnVoxTransform transform; ///< of a transform
    int32_t child;             ///< of a transform: a node's id; of a shape: a model's number
    TrnVoxBytes children;      ///< of a group: ids of nodes
} TrnVoxNode;

TRN_ARRAY_DECLARE(TrnVoxModels, TrnVoxModel);
TRN_ARRAY_DECLARE(TrnVoxNodes, TrnVoxNode);

typedef struct TrnVoxFile {
    TrnVoxModels models;
    TrnVoxNodes nodes;
    TrnCoordMap node_places;   ///< {id, 0, 0}: the index of a node
    TrnCoordMap hidden_layers; ///< {id, 0, 0}
    uint32_t size[3];          ///< of the last SIZE
    uint32_t frame_count, material_count;
    uint32_t damaged_count; ///< pieces that are left out, in whole or in part
    bool ends_early;
    uint8_t palette[TRN_VOX_COLOURS][4];
} TrnVoxFile;

/// Reads all pieces, and counts those that are damaged. The file points into the bytes.
/// @param fault  receives a sentence's end if it is CORRUPT
/// Errors: CORRUPT (it is another format), NO_MEMORY. Free it then, too.
TrnResult trn_vox_file_read(TrnVoxFile *file, const void *bytes, size_t size,
                            const TrnAllocator *allocator, const char **fault);
void trn_vox_file_free(TrnVoxFile *file, const TrnAllocator *allocator);

/// Reads a number of 4 bytes.
int32_t trn_vox_integer(TrnVoxBytes *bytes);

/// Adds {id, 0, 0} to a map. Errors: CORRUPT (it has it), NO_MEMORY.
TrnResult trn_vox_add_place(TrnCoordMap *map, const TrnAllocator *allocator, int32_t id,
                            uint64_t value);

#endif
