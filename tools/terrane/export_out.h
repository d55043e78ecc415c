/// A file that an export writes: there whole or not at all (whole_file.h). What goes wrong is kept
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
    int error; ///< what went wrong first, as in errno
} ExportOut;

/// @param path  borrowed until the file is finished or dropped
bool export_out_open(ExportOut *out, const char *path, Message *problem);

/// Writes out what is buffered, so that a full disk is known.
void export_out_flush(ExportOut *out);

/// Puts the file in its place. When that fails, or anything before it did, nothing is left behind.
bool export_out_finish(ExportOut *out, Message *problem);

/// Leaves nothing behind of a file that was not finished. Zeroes are no file.
void export_out_drop(ExportOut *out);

void export_out_bytes(ExportOut *out, const void *bytes, size_t count);
void export_out_text(ExportOut *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
