/// Records what the viewer asks of its store as a trace, the text that docs/trace.md describes and
/// terrane-bench replays.
///
/// The functions named trace_… take a writer that may be NULL: nothing is recorded then, and
/// nothing is spent but the look at it. The file is written under another name first and renamed
/// when it is whole, so that it is there entirely or not at all.
#ifndef TERRANE_VIEWER_TRACE_WRITER_H
#define TERRANE_VIEWER_TRACE_WRITER_H

#include <stdint.h>

#include <terrane/coord.h>

#include "message.h"

#define TRACE_VERSION 1
// Nine tenths of what terrane-bench reads of one trace: a frame is always recorded whole.
#define TRACE_OPERATIONS_FULL UINT64_C(90000000)
#define TRACE_BYTES_FULL UINT64_C(966000000)
#define TRACE_FRAMES_FULL UINT64_C(9000000)

/// The letters of operations that name one chunk.
typedef enum TraceLetter {
    TRACE_INSERT = '+',
    TRACE_REMOVE = '-',
    TRACE_FIND = '?',
    TRACE_NEIGHBOURS = 'n'
} TraceLetter;

typedef struct TraceWriter TraceWriter;

/// Opens a trace and tries whether it can be written. What is there and no regular file (a pipe,
/// /dev/full) is written to directly.
/// @param path  borrowed until the writer is destroyed
bool trace_writer_create(TraceWriter **writer, const char *path, Message *problem);

/// Leaves nothing behind of a trace that was not finished. @param writer  may be NULL
void trace_writer_destroy(TraceWriter *writer);

/// Writes the end and puts the file in its place. What comes later is not recorded.
/// @param writer  may be NULL
/// @param note    receives what was written; empty when nothing was to be
/// @return false when not all of it could be written; nothing is left behind then
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

/// All chunks of a box are gathered.
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
