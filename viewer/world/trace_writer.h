/// Records what the viewer asks of its store as a trace: the text that docs/trace.md describes and
/// terrane-bench replays.
///
/// The functions named trace_… accept a NULL writer: then they do nothing. The file appears
/// complete or not at all (whole_file.h).
#ifndef TERRANE_VIEWER_TRACE_WRITER_H
#define TERRANE_VIEWER_TRACE_WRITER_H

#include <stdint.h>

#include <terrane/coord.h>

#include "message.h"

#define TRACE_VERSION 1
// Nine tenths of what terrane-bench reads of a trace; the frame that reaches it is still recorded
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

/// Opens a trace, and checks that it can be written. A path that exists and is not a regular file
/// (a pipe, /dev/full) is written to directly.
/// @param path  borrowed until the writer is destroyed
bool trace_writer_create(TraceWriter **writer, const char *path, Message *problem);

/// Removes a trace that was not finished. @param writer  may be NULL
void trace_writer_destroy(TraceWriter *writer);

/// Writes the end and renames the file into place. Later operations are not recorded.
/// @param writer  may be NULL
/// @param note    receives what was written; empty if there is nothing to say
/// @return false if writing failed; no file is left then
bool trace_writer_finish(TraceWriter *writer, Message *note, Message *problem);

void trace_writer_chunk(TraceWriter *writer, TraceLetter letter, TrnCoord coord);
void trace_writer_gather(TraceWriter *writer, TrnBox box);
void trace_writer_end_frame(TraceWriter *writer);

static inline void trace_chunk(TraceWriter *writer, TraceLetter letter, TrnCoord coord)
{
    if (writer) {
        trace_writer_chunk(writer, letter, coord);
    }
}

/// Records a gather of all chunks of a box.
static inline void trace_gather(TraceWriter *writer, TrnBox box)
{
    if (writer) {
        trace_writer_gather(writer, box);
    }
}

static inline void trace_end_frame(TraceWriter *writer)
{
    if (writer) {
        trace_writer_end_frame(writer);
    }
}

#endif
