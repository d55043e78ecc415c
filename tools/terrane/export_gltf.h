/// Exports as glTF 2.0: one mesh with a primitive for each material.
///     .glb   one file
///     .gltf  a text, and the numbers in a file beside it
/// Vertices have position, normal and, with ambient occlusion, a grey COLOR_0. One unit is a voxel;
/// y is up, as glTF has it.
#ifndef TERRANE_TOOL_EXPORT_GLTF_H
#define TERRANE_TOOL_EXPORT_GLTF_H

#include "export_mesh.h"
#include "export_out.h"

/// What is written into the file about where it comes from.
typedef struct ExportSource {
    uint64_t seed;
    char land[192]; ///< what its shape is called, in UTF-8; empty: nothing is said
} ExportSource;

/// Writes the whole of a .glb.
bool export_glb_write(ExportOut *out, const ExportMesh *mesh, const ExportSource *source,
                      Message *problem);

/// Writes a .gltf and the file beside it.
/// @param data_name  what the .gltf calls that file: its name without a folder
bool export_gltf_write(ExportOut *out, ExportOut *data, const char *data_name,
                       const ExportMesh *mesh, const ExportSource *source, Message *problem);

#endif
