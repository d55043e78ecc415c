/// Generates and meshes the chunks of a box, slab by slab.
#ifndef TERRANE_TOOL_EXPORT_COLLECT_H
#define TERRANE_TOOL_EXPORT_COLLECT_H

#include "export_mesh.h"

/// Fills a mesh with the quads of its box, sorted by material. Shows progress on a terminal.
/// @param mesh  from export_mesh_start; the caller frees it, also after a failure
bool export_collect(ExportMesh *mesh, TrnGenerator generator, Message *problem);

#endif
