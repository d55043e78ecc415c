/// Makes and meshes the chunks of a box, slab by slab.
#ifndef TERRANE_TOOL_EXPORT_COLLECT_H
#define TERRANE_TOOL_EXPORT_COLLECT_H

#include "export_mesh.h"

/// Fills a mesh with all that its box shows, ordered by material. Shows on a terminal how far it
/// is.
/// @param mesh  as export_mesh_start made it; to be freed also when this fails
bool export_collect(ExportMesh *mesh, TrnGenerator generator, Message *problem);

#endif
