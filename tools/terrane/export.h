/// `terrane export`: writes a piece of land as a 3D model.
#ifndef TERRANE_TOOL_EXPORT_H
#define TERRANE_TOOL_EXPORT_H

#include "export_mesh.h"
#include "export_options.h"

/// Makes the model and puts it in its place; when that fails, nothing is left behind.
bool export_run(const ExportOptions *options, Message *problem);

#endif
