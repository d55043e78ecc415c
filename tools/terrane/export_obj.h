/// Exports as Wavefront OBJ with its MTL: rectangles, each with its normal, grouped by material.
#pragma once

#include "export_mesh.h"
#include "whole_file.h"

/// @param colours       receives the .mtl
/// @param colours_name  its name without its folder
void export_obj_write(WholeFile *out, WholeFile *colours, const char *colours_name,
                      const ExportMesh *mesh);
