/// A model to export: the faces of the blocks in a box, sorted by material.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <terrane/block_types.h>
#include <terrane/generator.h>
#include <terrane/mesh_vertices.h>

#include "message.h"

// ---- the box of voxels to export ---------------------------------------------------------------

#define EXPORT_EDGE_MAX 65536        ///< voxels along an edge: floats are exact far beyond
#define EXPORT_CHUNKS_MAX (1u << 20) ///< of a box: minutes of work

/// Both corners are inclusive.
typedef struct ExportBox {
    TrnVoxel min, max;
} ExportBox;

/// Refuses a box that is empty, too large or outside the world.
bool export_box_check(const ExportBox *box, Message *problem);

/// The chunks that a box overlaps. @param box  one that was checked
TrnBox export_box_chunks(const ExportBox *box);

/// Voxels along x, y and z.
void export_box_size(const ExportBox *box, int64_t size[3]);

// ---- the faces
// -----------------------------------------------------------------------------------

#define EXPORT_QUADS_MAX ((size_t)1 << 24) ///< of one model

#define EXPORT_VERTEX_BYTES_MAX 28 ///< of a glTF

/// A quad of the mesher, or a face of a block's model.
typedef struct ExportQuad {
    uint64_t bits;     ///< a TrnQuad; or of a model, packed, with the highest bit
    uint32_t chunk;    ///< (y * columns + x) * slabs + z, counted from the box's first chunk
    uint32_t material; ///< block * EXPORT_BLOCK_FACES + box * TRN_FACE_COUNT + face
} ExportQuad;

/// Faces that one block may have.
#define EXPORT_BLOCK_FACES ((size_t)TRN_BLOCK_BOXES_MAX * TRN_FACE_COUNT)

/// The faces of a block that have one colour.
typedef struct ExportMaterial {
    const TrnBlockType *type; ///< borrowed from the registry
    const uint8_t *colour;    ///< [3] sRGB
    uint32_t box;             ///< of a model: the first with such a face
    TrnFace face;             ///< the first of those faces
    bool is_only;             ///< all faces of the block have this colour
    size_t first, count;      ///< its quads
    float min[3], max[3];     ///< of its vertices
} ExportMaterial;

typedef struct ExportMesh {
    const TrnBlockTypes *types;
    ExportBox box;
    TrnBox chunks;
    bool has_ao;
    ExportQuad *quads; ///< [count], sorted by material after export_mesh_collect
    size_t count, capacity;
    size_t quads_max; ///< EXPORT_QUADS_MAX
    ExportMaterial *materials;
    size_t material_count;
} ExportMesh;

/// An empty mesh of a box. @param types  borrowed
ExportMesh export_mesh_start(const ExportBox *box, const TrnBlockTypes *types, bool has_ao);

void export_mesh_free(ExportMesh *mesh);

/// Generates and meshes the chunks of the box, slab by slab, and sorts the quads by material. Shows
/// progress on a terminal.
/// @param mesh  from export_mesh_start; the caller frees it, also after a failure
bool export_mesh_collect(ExportMesh *mesh, TrnGenerator generator, Message *problem);

/// Writes a quad's vertices, relative to the box's lowest corner. Of a plant's leaf only one side
/// is written, and its material is two-sided: coincident faces are black in a ray tracer and
/// flicker on a graphics card.
void export_mesh_vertices(const ExportMesh *mesh, const ExportQuad *quad,
                          TrnMeshVertex vertices[4]);

/// Writes the quad's two triangles. @param first  index of its first vertex
void export_mesh_indices(const ExportQuad *quad, uint32_t first, uint32_t indices[6]);

/// Whether it is drawn after the opaque world: liquids, glass.
bool export_material_is_transparent(const ExportMaterial *material);

/// Whether it belongs to plants, whose leaves are two-sided.
bool export_material_is_plant(const ExportMaterial *material);

/// "terrane:grass/top", or "terrane:gold_ore" if all faces have one colour. Boxes of models after
/// the first have a number: "terrane:torch/box2/top".
typedef struct ExportName {
    char text[TRN_BLOCK_NAME_MAX + 24];
} ExportName;
ExportName export_material_name(const ExportMaterial *material);
