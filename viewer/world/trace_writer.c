#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "world/trace_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "whole_file.h"

#define TRACE_BUFFER_BYTES ((size_t)256 * 1024)

struct TraceWriter {
    const char *path;
    WholeFile whole; ///< `whole.file` is NULL once recording has ended
    uint64_t operations, frames, bytes;
    bool is_full; ///< the limit ended the trace before the recording ended
};

static bool trace_problem(const char *path, int error, Message *problem)
{
    const char *hint = error == EISDIR ? "name a file after --record-trace"
                       : whole_file_lacks_space(error)
                           ? "make room, or choose another place with --record-trace"
                           : "choose another place with --record-trace";
    return message_set(problem, "Cannot write the trace %s: %s; %s.", message_short(path).text,
                       strerror(error), hint);
}

// ---- the file -----------------------------------------------------------------------------------

bool trace_writer_create(TraceWriter **writer, const char *path, Message *problem)
{
    TraceWriter *made = calloc(1, sizeof *made);
    if (!made) {
        return message_set(problem, "Out of memory: cannot record a trace.");
    }
    made->path = path;
    int error = whole_file_open(&made->whole, path);
    if (!error) {
        (void)setvbuf(made->whole.file, NULL, _IOFBF, TRACE_BUFFER_BYTES); // only a hint: may fail
        made->bytes += whole_file_print(&made->whole, "terrane-trace %d\n", TRACE_VERSION);
        // Flushed at once, so that a full disk is reported before the flight.
        error = whole_file_flush(&made->whole);
    }
    if (error) {
        trace_writer_destroy(made);
        return trace_problem(path, error, problem);
    }
    *writer = made;
    return true;
}

void trace_writer_destroy(TraceWriter *writer)
{
    if (!writer) {
        return;
    }
    whole_file_drop(&writer->whole);
    free(writer);
}

bool trace_writer_finish(TraceWriter *writer, Message *note, Message *problem)
{
    note->text[0] = '\0';
    if (!writer || !writer->whole.file) {
        return true;
    }
    writer->bytes += whole_file_print(&writer->whole, "end %" PRIu64 "\n", writer->operations);
    int error = whole_file_finish(&writer->whole);
    if (error) {
        return trace_problem(writer->path, error, problem);
    }
    (void)message_set(note, "Recorded %" PRIu64 " operations of %" PRIu64 " frames in %s%s.",
                      writer->operations, writer->frames, message_short(writer->path).text,
                      writer->is_full ? ", and nothing later: terrane-bench reads no longer trace"
                                      : "");
    return true;
}

// ---- operations ---------------------------------------------------------------------------------

static bool trace_writer_is_recording(const TraceWriter *writer)
{
    return writer && writer->whole.file && !writer->whole.error && !writer->is_full;
}

void trace_chunk(TraceWriter *writer, TraceLetter letter, TrnCoord coord)
{
    if (trace_writer_is_recording(writer)) {
        writer->operations++;
        writer->bytes +=
            whole_file_print(&writer->whole, "%c %" PRId32 " %" PRId32 " %" PRId32 "\n",
                             (int)letter, coord.x, coord.y, coord.z);
    }
}

void trace_gather(TraceWriter *writer, TrnBox box)
{
    if (trace_writer_is_recording(writer)) {
        writer->operations++;
        writer->bytes += whole_file_print(
            &writer->whole,
            "b %" PRId32 " %" PRId32 " %" PRId32 " %" PRId32 " %" PRId32 " %" PRId32 "\n",
            box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z);
    }
}

void trace_end_frame(TraceWriter *writer)
{
    if (!trace_writer_is_recording(writer)) {
        return;
    }
    writer->bytes += whole_file_print(&writer->whole, ".\n");
    writer->frames++;
    writer->is_full = writer->operations >= TRACE_OPERATIONS_FULL ||
                      writer->bytes >= TRACE_BYTES_FULL || writer->frames >= TRACE_FRAMES_FULL;
}
