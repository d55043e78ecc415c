/// A file that an export writes, complete or not at all (whole_file.h). The first error is kept
/// until the end.
#ifndef TERRANE_TOOL_EXPORT_OUT_H
#define TERRANE_TOOL_EXPORT_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "message.h"
#include "whole_file.h"

typedef struct ExportOut {
    WholeFile whole;
    const char *path;
    int error; ///< the first error, an errno
} ExportOut;

/// @param path  borrowed until the file is finished or dropped
bool export_out_open(ExportOut *out, const char *path, Message *problem);

/// Flushes the buffer, so that a full disk is detected.
void export_out_flush(ExportOut *out);

/// Gives the file its name. If that or anything before it failed, the file is removed.
bool export_out_finish(ExportOut *out, Message *problem);

/// Removes a file that was not finished. All zeroes: no file.
void export_out_drop(ExportOut *out);

void export_out_bytes(ExportOut *out, const void *bytes, size_t count);
void export_out_text(ExportOut *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
