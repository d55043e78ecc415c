/// `terrane export --format anvil`: a box or a whole world as region files of Minecraft.
#pragma once

#include "export_mesh.h"
#include "tool_land.h"

/// Writes a world of Minecraft into a folder, which is made if it is missing: the region files of a
/// box in its folder `region`, and a level.dat unless it has one. Each file appears complete or not
/// at all; files of other regions stay. Prints on standard error what is lost.
/// @param box  NULL: all chunks that the world has saved, and no others
bool export_regions_write(const char *folder, const ExportBox *box, ToolLand *land,
                          Message *problem);
