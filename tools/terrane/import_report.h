/// What `terrane import` prints at its end.
#ifndef TERRANE_TOOL_IMPORT_REPORT_H
#define TERRANE_TOOL_IMPORT_REPORT_H

#include "import_options.h"

/// An import that has ended.
typedef struct ImportResult {
    const ImportOptions *options;
    TrnImport *import;
    TrnImportProgress progress;
    double seconds;
} ImportResult;

/// Prints a report as text or as JSON. @return false if there is no memory
bool import_report_print(const ImportResult *result, FILE *stream, Message *problem);

#endif
