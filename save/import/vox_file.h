/// Private: the pieces of a MagicaVoxel file: models, nodes, palette.
///
/// A file is "VOX ", a version and one piece MAIN. A piece is an id of 4 bytes, the size of its
/// content, the size of the pieces inside, and both. Numbers are little-endian. Those that are
/// read: SIZE and XYZI (a model), RGBA (the palette), nTRN, nGRP and nSHP (nodes of the scene:
/// moved and turned, a group, a model), LAYR (hidden layers). A file without nodes has its first
/// model alone, its lowest corner at the origin.
#ifndef TERRANE_SAVE_IMPORT_VOX_FILE_H
#define TERRANE_SAVE_IMPORT_VOX_FILE_H

#include <stdbool.h>

#include <terrane/base.h>

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

/// A text in the file, without a zero at the end.
typedef struct TrnVoxText {
    const char *bytes;
    size_t size;
} TrnVoxText;

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
    bool has_palette;
    uint8_t palette[TRN_VOX_COLOURS][4];
} TrnVoxFile;

/// Reads all pieces. The file points into the bytes.
/// Errors: CORRUPT with the fault, NO_MEMORY. Free it then, too.
TrnResult trn_vox_file_read(TrnVoxFile *file, const void *bytes, size_t size,
                            const TrnAllocator *allocator, const char **fault);
void trn_vox_file_free(TrnVoxFile *file, const TrnAllocator *allocator);

/// Reads a number of 4 bytes.
int32_t trn_vox_integer(TrnVoxBytes *bytes);

#endif
