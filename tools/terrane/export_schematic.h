/// `terrane export` of a box as a schematic of another game, instead of a model.
#pragma once

#include "export_mesh.h"
#include "tool_land.h"
#include "whole_file.h"

/// Writes a box, and prints on standard error what the format does not hold.
/// @param format  a TrnSchematicFormat
/// @param file    open; the caller finishes or drops it
bool export_schematic_write(WholeFile *file, uint32_t format, const ExportBox *box, ToolLand *land,
                            Message *problem);
