/// Records the viewer's operations on its store as a trace, in the text format of docs/trace.md,
/// which terrane-bench replays.
///
/// The functions named trace_... accept a NULL writer and then do nothing. The file appears
/// complete or not at all (whole_file.h).
#pragma once

#include <stdint.h>

#include <terrane/coord.h>

#include "message.h"

#define TRACE_VERSION 1
// Nine tenths of the limits of terrane-bench. The frame that reaches a limit is still recorded
// completely.
#define TRACE_OPERATIONS_FULL UINT64_C(90000000)
#define TRACE_BYTES_FULL UINT64_C(966000000)
#define TRACE_FRAMES_FULL UINT64_C(9000000)

/// The letters of operations on one chunk.
typedef enum TraceLetter {
    TRACE_INSERT = '+',
    TRACE_REMOVE = '-',
    TRACE_FIND = '?',
    TRACE_NEIGHBOURS = 'n'
} TraceLetter;

typedef struct TraceWriter TraceWriter;

/// Opens a trace, and checks that it can be written. If the path exists and is not a regular file
/// (a pipe, /dev/full), writes to it directly.
/// @param path  borrowed until the writer is destroyed
bool trace_writer_create(TraceWriter **writer, const char *path, Message *problem);

/// Deletes an unfinished trace. @param writer  may be NULL
void trace_writer_destroy(TraceWriter *writer);

/// Writes the end and renames the file into place. Records no later operations.
/// @param writer  may be NULL
/// @param note    receives what was written; empty if nothing is worth telling
/// @return false if writing failed; then no file is left
bool trace_writer_finish(TraceWriter *writer, Message *note, Message *problem);

void trace_chunk(TraceWriter *writer, TraceLetter letter, TrnCoord coord);
/// Records a gather of all chunks of a box.
void trace_gather(TraceWriter *writer, TrnBox box);
void trace_end_frame(TraceWriter *writer);
