#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "flight/flight_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "whole_file.h"

// At most this much is lost if the viewer is killed: about a second.
#define FLIGHT_BUFFER_BYTES ((size_t)4096)

struct FlightWriter {
    char *path;
    WholeFile whole;
    int error;            ///< the first error, as in errno
    FlightKey written[2]; ///< the last two keys in the file, the later one first
    size_t written_count; ///< all keys in the file
    FlightKey waiting[2]; ///< not written yet, the earlier one first
    size_t waiting_count;
    size_t edits;
};

static bool recording_problem(const char *path, int error, Message *problem)
{
    const bool is_full = whole_file_lacks_space(error);
    return message_set(problem, "Cannot write the recording %s: %s; %s.", message_short(path).text,
                       strerror(error),
                       error == EISDIR ? "name a file"
                       : is_full       ? "make room, or choose another place"
                                       : "choose another place");
}

static void __attribute__((format(printf, 2, 3)))
print_line(FlightWriter *writer, const char *format, ...)
{
    if (!writer->whole.file || writer->error) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    errno = 0;
    if (vfprintf(writer->whole.file, format, arguments) < 0) {
        writer->error = errno ? errno : EIO;
    }
    va_end(arguments);
}

static void print_head(FlightWriter *writer, const FlightHead *head)
{
    print_line(writer, "terrane-flight %d\n", FLIGHT_VERSION);
    if (head->has_seed) {
        print_line(writer, "seed %" PRIu64 "\n", head->seed);
    }
    if (head->preset[0]) {
        print_line(writer, "preset %s\n", head->preset);
    }
    if (head->land_version) {
        print_line(writer, "land-version %" PRIu32 "\n", head->land_version);
    }
    if (head->has_land) {
        print_line(writer, "land %016" PRIx64 "\n", head->land);
    }
    if (head->view_distance) {
        print_line(writer, "view-distance %d\n", head->view_distance);
    }
    if (head->detail_distance && head->detail_distance < head->view_distance) {
        print_line(writer, "detail-distance %d\n", head->detail_distance);
    }
    if (head->view_height) {
        print_line(writer, "view-height %d\n", head->view_height);
    }
    print_line(writer, "# seconds x y z yaw pitch\n");
}

/// @return 0 or the error, as in errno
static int open_recording(FlightWriter *writer, const FlightHead *head)
{
    const int error = whole_file_open(&writer->whole, writer->path);
    if (error) {
        return error;
    }
    (void)setvbuf(writer->whole.file, NULL, _IOFBF, FLIGHT_BUFFER_BYTES); // only a hint: may fail
    print_head(writer, head);
    if (!writer->error && fflush(writer->whole.file) != 0) { // a full disk is reported now
        writer->error = errno;
    }
    return writer->error;
}

bool flight_writer_create(FlightWriter **writer, const char *path, const FlightHead *head,
                          Message *problem)
{
    FlightWriter *made = calloc(1, sizeof *made);
    char *copy = strdup(path);
    if (!made || !copy) {
        free(made);
        free(copy);
        return message_set(problem, "Out of memory: cannot record a flight.");
    }
    made->path = copy;
    const int error = open_recording(made, head);
    if (error) {
        (void)recording_problem(path, error, problem);
        flight_writer_destroy(made);
        return false;
    }
    *writer = made;
    return true;
}

void flight_writer_destroy(FlightWriter *writer)
{
    if (!writer) {
        return;
    }
    whole_file_drop(&writer->whole);
    free(writer->path);
    free(writer);
}

// ---- keys ---------------------------------------------------------------------------------------

static bool same_pose(const FlightKey *a, const FlightKey *b)
{
    for (size_t i = 0; i < sizeof a->pose / sizeof a->pose[0]; i++) {
        if (a->pose[i] != b->pose[i]) {
            return false;
        }
    }
    return true;
}

/// Writes each number with as many digits as are needed to read the same value.
static void print_number(FlightWriter *writer, double number)
{
    static const int digits[] = {6, 9, 17}; // for round numbers, floats, and all others
    char text[40];
    for (size_t i = 0; i < sizeof digits / sizeof digits[0]; i++) {
        (void)snprintf(text, sizeof text, " %.*g", digits[i], number);
        if (strtod(text, NULL) == number) {
            break;
        }
    }
    print_line(writer, "%s", text);
}

static void write_key(FlightWriter *writer, const FlightKey *key)
{
    print_line(writer, "key");
    print_number(writer, key->seconds);
    for (int i = 0; i < 5; i++) {
        print_number(writer, key->pose[i]);
    }
    print_line(writer, "\n");
    writer->written[1] = writer->written[0];
    writer->written[0] = *key;
    writer->written_count++;
}

/// Whether a key is in the middle of a rest, with two keys of the same pose before it and two after
/// it. Without it the slopes of the others stay 0, so the cubic between them rests as well.
static bool is_at_rest(const FlightWriter *writer, const FlightKey *last)
{
    return writer->written_count >= 2 && same_pose(last, &writer->waiting[1]) &&
           same_pose(last, &writer->waiting[0]) && same_pose(last, &writer->written[0]) &&
           same_pose(last, &writer->written[1]);
}

void flight_writer_key(FlightWriter *writer, double seconds, const double pose[5])
{
    FlightKey key = {.seconds = seconds};
    memcpy(key.pose, pose, sizeof key.pose);
    const FlightKey *const before =
        writer->waiting_count ? &writer->waiting[writer->waiting_count - 1] : NULL;
    if (before && seconds - before->seconds < FLIGHT_STEP_MIN) {
        return;
    }
    if (writer->waiting_count < 2) {
        writer->waiting[writer->waiting_count++] = key;
        return;
    }
    if (!is_at_rest(writer, &key)) {
        write_key(writer, &writer->waiting[0]);
    }
    writer->waiting[0] = writer->waiting[1];
    writer->waiting[1] = key;
}

// ---- edits --------------------------------------------------------------------------------------

static void print_voxel(FlightWriter *writer, TrnVoxel voxel)
{
    print_line(writer, " %" PRId64 " %" PRId64 " %" PRId64, voxel.x, voxel.y, voxel.z);
}

static void print_shape(FlightWriter *writer, const HandEdit *edit)
{
    const Brush *const brush = &edit->brush;
    print_line(writer, brush->is_ball ? " ball" : " box");
    print_voxel(writer, brush->is_ball ? brush->centre : brush->box.min);
    if (brush->is_ball) {
        print_number(writer, brush->radius);
    } else {
        print_voxel(writer, brush->box.max);
    }
    if (edit->has_body && edit->kind != HAND_EDIT_DIG) {
        print_line(writer, " body");
        print_voxel(writer, edit->body.min);
        print_voxel(writer, edit->body.max);
    }
}

void flight_writer_edit(FlightWriter *writer, double seconds, const HandEdit *edit,
                        const TrnBlockTypes *types)
{
    static const char *const words[HAND_EDIT_COUNT] = {"dig", "build", "replace", "undo", "redo"};
    if (edit->kind >= HAND_EDIT_COUNT) {
        return;
    }
    print_line(writer, "%s", edit->goes_on ? "more" : "edit");
    print_number(writer, seconds);
    print_line(writer, " %s", words[edit->kind]);
    if (edit->kind == HAND_EDIT_REPLACE) {
        print_line(writer, " %s", trn_block_types_get(types, edit->replaced)->name);
    }
    if (edit->kind == HAND_EDIT_BUILD || edit->kind == HAND_EDIT_REPLACE) {
        print_line(writer, " %s", trn_block_types_get(types, edit->block)->name);
    }
    if (edit->kind < HAND_EDIT_UNDO) {
        print_shape(writer, edit);
    }
    print_line(writer, "\n");
    writer->edits++;
}

// ---- the end ------------------------------------------------------------------------------------

int flight_writer_error(const FlightWriter *writer)
{
    return writer->error;
}

bool flight_writer_finish(FlightWriter *writer, Message *note, Message *problem)
{
    for (size_t i = 0; i < writer->waiting_count; i++) {
        write_key(writer, &writer->waiting[i]);
    }
    writer->waiting_count = 0;
    print_line(writer, "end\n");
    int error = writer->error;
    if (error) {
        whole_file_drop(&writer->whole);
    } else if (writer->whole.file) {
        error = whole_file_finish(&writer->whole);
    }
    if (error) {
        return recording_problem(writer->path, error, problem);
    }
    (void)message_set(note, "Recorded %.1f s, %zu keys and %zu edits in %s",
                      writer->written_count ? writer->written[0].seconds : 0, writer->written_count,
                      writer->edits, message_short(writer->path).text);
    return true;
}
