/// Exports as Wavefront OBJ with its MTL: rectangles, each with its normal, grouped by material.
#ifndef TERRANE_TOOL_EXPORT_OBJ_H
#define TERRANE_TOOL_EXPORT_OBJ_H

#include "export_mesh.h"
#include "export_out.h"

/// @param colours       receives the .mtl
/// @param colours_name  its name without its folder
void export_obj_write(ExportOut *out, ExportOut *colours, const char *colours_name,
                      const ExportMesh *mesh);

#endif
