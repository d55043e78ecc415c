/// What `terrane import` prints at its end.
#ifndef TERRANE_TOOL_IMPORT_REPORT_H
#define TERRANE_TOOL_IMPORT_REPORT_H

#include "import_options.h"
#include "world_import.h"

/// Prints a report as text or as JSON. @return false if there is no memory
bool import_report_print(const ImportOptions *options, const WorldImport *import, FILE *stream,
                         Message *problem);

#endif
