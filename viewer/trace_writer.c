#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "trace_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"

#define TRACE_BUFFER_BYTES ((size_t)256 * 1024)

struct TraceWriter {
    const char *path;
    char temporary
        [PATH_MAX]; ///< empty where the path is written to directly, and when the file is in place
    FILE *file;     ///< NULL when nothing is recorded any more
    uint64_t operations, frames, bytes;
    int error;    ///< what went wrong first, as in errno; nothing is recorded after it
    bool is_full; ///< the trace ended before the recording
};

static bool trace_problem(const char *path, int error, Message *problem)
{
    const char *hint = error == EISDIR ? "name a file behind --record-trace"
                       : error == ENOSPC || error == EDQUOT || error == EFBIG
                           ? "make room, or choose another place with --record-trace"
                           : "choose another place with --record-trace";
    return message_set(problem, "Cannot write the trace %s: %s; %s.", message_short(path).text,
                       strerror(error), hint);
}

// ---- the file -----------------------------------------------------------------------------------

/// @return a descriptor, or -1 with errno set
static int open_trace_temporary(TraceWriter *writer)
{
    if (snprintf(writer->temporary, sizeof writer->temporary, "%s.XXXXXX", writer->path) >=
        (int)sizeof writer->temporary) {
        writer->temporary[0] = '\0';
        errno = ENAMETOOLONG;
        return -1;
    }
    int file = mkstemp(writer->temporary);
    if (file < 0) {
        writer->temporary[0] = '\0';
        return -1;
    }
    // mkstemp is stricter than files made the usual way.
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(file, 0666 & ~mask);
    return file;
}

/// @return 0 or what went wrong, as in errno
static int open_trace(TraceWriter *writer)
{
    struct stat there;
    bool exists = stat(writer->path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) {
        return EISDIR;
    }
    if (exists && !S_ISREG(there.st_mode)) {
        writer->file = fopen(writer->path, "w");
        return writer->file ? 0 : errno;
    }
    int file = open_trace_temporary(writer);
    if (file < 0) {
        return errno;
    }
    writer->file = fdopen(file, "w");
    int error = writer->file ? 0 : errno;
    if (error) {
        close(file);
    }
    return error;
}

/// Counts what was printed, or notes why it was not.
static void count_bytes(TraceWriter *writer, int printed)
{
    if (printed >= 0) {
        writer->bytes += (uint64_t)printed;
    } else if (!writer->error) {
        writer->error = errno ? errno : EIO;
    }
}

bool trace_writer_create(TraceWriter **writer, const char *path, Message *problem)
{
    TraceWriter *made = calloc(1, sizeof *made);
    if (!made) {
        return message_set(problem, "There is no memory to record a trace.");
    }
    made->path = path;
    int error = open_trace(made);
    if (!error) {
        (void)setvbuf(made->file, NULL, _IOFBF, TRACE_BUFFER_BYTES); // a hint
        count_bytes(made, fprintf(made->file, "terrane-trace %d\n", TRACE_VERSION));
        // Now, so that a full disk is told before the flight.
        error = made->error ? made->error : fflush(made->file) == 0 ? 0 : errno;
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
    if (writer->file) {
        fclose(writer->file);
    }
    if (writer->temporary[0]) {
        unlink(writer->temporary);
    }
    free(writer);
}

/// Closes the file, and renames it when it is whole. @return 0 or what went wrong, as in errno
static int put_in_place(TraceWriter *writer)
{
    const bool renames = writer->temporary[0] != '\0';
    int error = writer->error;
    if (!error && (fflush(writer->file) != 0 || (renames && fsync(fileno(writer->file)) != 0))) {
        error = errno;
    }
    if (fclose(writer->file) != 0 && !error) {
        error = errno;
    }
    writer->file = NULL;
    if (!error && renames && rename(writer->temporary, writer->path) != 0) {
        error = errno;
    }
    if (error && renames) {
        unlink(writer->temporary);
    }
    writer->temporary[0] = '\0';
    return error;
}

bool trace_writer_finish(TraceWriter *writer, Message *note, Message *problem)
{
    note->text[0] = '\0';
    if (!writer || !writer->file) {
        return true;
    }
    count_bytes(writer, fprintf(writer->file, "end %" PRIu64 "\n", writer->operations));
    interrupt_hold(); // not even a second signal leaves a temporary file behind
    int error = put_in_place(writer);
    interrupt_release();
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

static bool is_recording(const TraceWriter *writer)
{
    return writer->file && !writer->error && !writer->is_full;
}

void trace_writer_chunk(TraceWriter *writer, TraceLetter letter, TrnCoord coord)
{
    if (is_recording(writer)) {
        writer->operations++;
        count_bytes(writer, fprintf(writer->file, "%c %" PRId32 " %" PRId32 " %" PRId32 "\n",
                                    (int)letter, coord.x, coord.y, coord.z));
    }
}

void trace_writer_gather(TraceWriter *writer, TrnBox box)
{
    if (is_recording(writer)) {
        writer->operations++;
        count_bytes(writer,
                    fprintf(writer->file,
                            "b %" PRId32 " %" PRId32 " %" PRId32 " %" PRId32 " %" PRId32 " %" PRId32
                            "\n",
                            box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z));
    }
}

void trace_writer_end_frame(TraceWriter *writer)
{
    if (!is_recording(writer)) {
        return;
    }
    count_bytes(writer, fprintf(writer->file, ".\n"));
    writer->frames++;
    writer->is_full = writer->operations >= TRACE_OPERATIONS_FULL ||
                      writer->bytes >= TRACE_BYTES_FULL || writer->frames >= TRACE_FRAMES_FULL;
}
