/// Exports as glTF 2.0: one mesh with a primitive for each material.
///     .glb   one file
///     .gltf  a text, and the binary data in a second file
/// Vertices have position, normal and, with ambient occlusion, a grey COLOR_0. One unit is a voxel;
/// y is up, as in glTF.
#pragma once

#include "export_mesh.h"
#include "whole_file.h"

/// Where a model comes from; written into the file.
typedef struct ExportSource {
    bool is_seedless; ///< nothing is generated from a seed
    uint64_t seed;
    char land[192]; ///< the name of its shape, in UTF-8; empty: none
} ExportSource;

/// Writes a .glb.
bool export_glb_write(WholeFile *out, const ExportMesh *mesh, const ExportSource *source,
                      Message *problem);

/// Writes a .gltf and its binary data.
/// @param data_name  the name of that file without its folder
bool export_gltf_write(WholeFile *out, WholeFile *data, const char *data_name,
                       const ExportMesh *mesh, const ExportSource *source, Message *problem);
