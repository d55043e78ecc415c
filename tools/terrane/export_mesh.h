/// What an export writes: the quads of a box, ordered by material.
#ifndef TERRANE_TOOL_EXPORT_MESH_H
#define TERRANE_TOOL_EXPORT_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <terrane/block_types.h>
#include <terrane/mesh_vertices.h>

#include "export_slabs.h"

/// The most rectangles that are exported: a plant's leaf counts twice, since it has two sides.
#define EXPORT_RECTANGLES_MAX ((size_t)1 << 24)

#define EXPORT_VERTEX_BYTES_MAX 28 ///< of a glTF

typedef struct ExportQuad {
    TrnQuad quad;
    uint32_t chunk;    ///< (y * columns + x) * slabs + z, counted from the box's first chunk
    uint32_t material; ///< block * TRN_FACE_COUNT + face: until the materials are listed
} ExportQuad;

/// The faces of a block that have one colour.
typedef struct ExportMaterial {
    const TrnBlockType *type; ///< borrowed from the registry
    TrnFace face;             ///< the first of those faces
    bool is_only;             ///< all faces of the block have this colour
    size_t first, count;      ///< its quads
    size_t rectangles;        ///< as EXPORT_RECTANGLES_MAX counts them
    float min[3], max[3];     ///< of its vertices
} ExportMaterial;

typedef struct ExportMesh {
    const TrnBlockTypes *types;
    ExportBox box;
    TrnBox chunks;
    bool has_ao;
    ExportQuad *quads; ///< [count], by material once that is done
    size_t count, capacity;
    size_t rectangles;
    ExportMaterial *materials;
    size_t material_count;
} ExportMesh;

/// An empty mesh of a box. @param types  borrowed
ExportMesh export_mesh_start(const ExportBox *box, const TrnBlockTypes *types, bool has_ao);

void export_mesh_free(ExportMesh *mesh);

/// Takes over the quads of a chunk. Errors: NO_MEMORY, FULL (EXPORT_RECTANGLES_MAX).
TrnResult export_mesh_add(ExportMesh *mesh, TrnCoord chunk, const TrnQuad *quads,
                          const TrnMeshInfo *info);

/// Lists the materials and orders the quads by them. Errors: NO_MEMORY.
TrnResult export_mesh_finish(ExportMesh *mesh);

/// A quad's vertices, positions from the box's lowest corner.
/// @return how many there are
uint32_t export_mesh_vertices(const ExportMesh *mesh, const ExportQuad *quad,
                              TrnMeshVertex vertices[TRN_QUAD_VERTICES_MAX]);

/// Whether it is drawn after the opaque world: liquids, glass.
bool export_material_is_transparent(const ExportMaterial *material);

/// "terrane:grass/top", or "terrane:gold_ore" where all faces have one colour.
typedef struct ExportName {
    char text[TRN_BLOCK_NAME_MAX + 16];
} ExportName;
ExportName export_material_name(const ExportMaterial *material);

#endif
