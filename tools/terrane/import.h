/// `terrane import`: copies a world of another game into a world of Terrane.
#ifndef TERRANE_TOOL_IMPORT_H
#define TERRANE_TOOL_IMPORT_H

#include "import_options.h"

/// Copies, and prints the report on stdout. If it fails or is interrupted, what was copied stays.
bool import_run(const ImportOptions *options, Message *problem);

#endif
