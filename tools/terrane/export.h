/// `terrane export`: exports a piece of land as a 3D model.
#ifndef TERRANE_TOOL_EXPORT_H
#define TERRANE_TOOL_EXPORT_H

#include "export_mesh.h"
#include "export_options.h"

/// Writes the model. On failure no file is left.
bool export_run(const ExportOptions *options, Message *problem);

#endif
