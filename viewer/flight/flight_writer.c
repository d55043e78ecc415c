#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "flight/flight_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "whole_file.h"

// At most this much is lost if the viewer is killed: about a second of a flight.
#define FLIGHT_BUFFER_BYTES ((size_t)4096)

struct FlightWriter {
    char *path;
    WholeFile whole;
    FlightKey written[2]; ///< the last two keys in the file, the later one first
    size_t written_count; ///< all keys in the file
    FlightKey waiting[2]; ///< not written yet, the earlier key first
    size_t waiting_count;
    size_t edits;
    bool has_ended; ///< the end is written
};

static bool flight_writer_recording_problem(const char *path, int error, Message *problem)
{
    const bool is_full = whole_file_lacks_space(error);
    return message_set(problem, "Cannot write the recording %s: %s; %s.", message_short(path).text,
                       strerror(error),
                       error == EISDIR ? "name a file"
                       : is_full       ? "make room, or choose another place"
                                       : "choose another place");
}

static void flight_writer_print_head(FlightWriter *writer, const FlightHead *head)
{
    whole_file_print(&writer->whole, "terrane-flight %d\n", FLIGHT_VERSION);
    if (head->has_seed) {
        whole_file_print(&writer->whole, "seed %" PRIu64 "\n", head->seed);
    }
    if (head->preset[0]) {
        whole_file_print(&writer->whole, "preset %s\n", head->preset);
    }
    if (head->land_version) {
        whole_file_print(&writer->whole, "land-version %" PRIu32 "\n", head->land_version);
    }
    if (head->has_land) {
        whole_file_print(&writer->whole, "land %016" PRIx64 "\n", head->land);
    }
    if (head->view_distance) {
        whole_file_print(&writer->whole, "view-distance %d\n", head->view_distance);
    }
    if (head->detail_distance && head->detail_distance < head->view_distance) {
        whole_file_print(&writer->whole, "detail-distance %d\n", head->detail_distance);
    }
    if (head->view_height) {
        whole_file_print(&writer->whole, "view-height %d\n", head->view_height);
    }
    whole_file_print(&writer->whole, "# seconds x y z yaw pitch\n");
}

/// @return 0 or an errno value
static int flight_writer_open_recording(FlightWriter *writer, const FlightHead *head)
{
    const int error = whole_file_open(&writer->whole, writer->path);
    if (error) {
        return error;
    }
    (void)setvbuf(writer->whole.file, NULL, _IOFBF, FLIGHT_BUFFER_BYTES); // only a hint: may fail
    flight_writer_print_head(writer, head);
    return whole_file_flush(&writer->whole); // reports a full disk at once
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
    const int error = flight_writer_open_recording(made, head);
    if (error) {
        (void)flight_writer_recording_problem(path, error, problem);
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

static bool flight_writer_same_pose(const FlightKey *a, const FlightKey *b)
{
    for (size_t i = 0; i < sizeof a->pose / sizeof a->pose[0]; i++) {
        if (a->pose[i] != b->pose[i]) {
            return false;
        }
    }
    return true;
}

/// Writes a number with as few digits as reading back the same value needs.
static void flight_writer_print_number(FlightWriter *writer, double number)
{
    static const int digits[] = {6, 9, 17}; // for round numbers, floats, and other doubles
    char text[40];
    for (size_t i = 0; i < sizeof digits / sizeof digits[0]; i++) {
        (void)snprintf(text, sizeof text, " %.*g", digits[i], number);
        if (strtod(text, NULL) == number) {
            break;
        }
    }
    whole_file_print(&writer->whole, "%s", text);
}

static void flight_writer_write_key(FlightWriter *writer, const FlightKey *key)
{
    whole_file_print(&writer->whole, "key");
    flight_writer_print_number(writer, key->seconds);
    for (int i = 0; i < 5; i++) {
        flight_writer_print_number(writer, key->pose[i]);
    }
    whole_file_print(&writer->whole, "\n");
    writer->written[1] = writer->written[0];
    writer->written[0] = *key;
    writer->written_count++;
}

/// Whether a key is in the middle of a rest, with two keys of the same pose before it and two after
/// it. If the key is omitted, the slopes of the others stay 0, so the cubic between them rests too.
static bool flight_writer_is_at_rest(const FlightWriter *writer, const FlightKey *last)
{
    return writer->written_count >= 2 && flight_writer_same_pose(last, &writer->waiting[1]) &&
           flight_writer_same_pose(last, &writer->waiting[0]) &&
           flight_writer_same_pose(last, &writer->written[0]) &&
           flight_writer_same_pose(last, &writer->written[1]);
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
    if (!flight_writer_is_at_rest(writer, &key)) {
        flight_writer_write_key(writer, &writer->waiting[0]);
    }
    writer->waiting[0] = writer->waiting[1];
    writer->waiting[1] = key;
}

// ---- edits --------------------------------------------------------------------------------------

static void flight_writer_print_voxel(FlightWriter *writer, TrnVoxel voxel)
{
    whole_file_print(&writer->whole, " %" PRId64 " %" PRId64 " %" PRId64, voxel.x, voxel.y,
                     voxel.z);
}

static void flight_writer_print_shape(FlightWriter *writer, const HandEdit *edit)
{
    const Brush *const brush = &edit->brush;
    whole_file_print(&writer->whole, brush->is_ball ? " ball" : " box");
    flight_writer_print_voxel(writer, brush->is_ball ? brush->centre : brush->box.min);
    if (brush->is_ball) {
        flight_writer_print_number(writer, brush->radius);
    } else {
        flight_writer_print_voxel(writer, brush->box.max);
    }
    if (edit->has_body && edit->kind != HAND_EDIT_DIG) {
        whole_file_print(&writer->whole, " body");
        flight_writer_print_voxel(writer, edit->body.min);
        flight_writer_print_voxel(writer, edit->body.max);
    }
}

void flight_writer_edit(FlightWriter *writer, double seconds, const HandEdit *edit,
                        const TrnBlockTypes *types)
{
    static const char *const words[HAND_EDIT_COUNT] = {"dig", "build", "replace", "undo", "redo"};
    if (edit->kind >= HAND_EDIT_COUNT) {
        return;
    }
    whole_file_print(&writer->whole, "%s", edit->goes_on ? "more" : "edit");
    flight_writer_print_number(writer, seconds);
    whole_file_print(&writer->whole, " %s", words[edit->kind]);
    if (edit->kind == HAND_EDIT_REPLACE) {
        whole_file_print(&writer->whole, " %s", trn_block_types_get(types, edit->replaced)->name);
    }
    if (edit->kind == HAND_EDIT_BUILD || edit->kind == HAND_EDIT_REPLACE) {
        whole_file_print(&writer->whole, " %s", trn_block_types_get(types, edit->block)->name);
    }
    if (edit->kind < HAND_EDIT_UNDO) {
        flight_writer_print_shape(writer, edit);
    }
    whole_file_print(&writer->whole, "\n");
    writer->edits++;
}

// ---- the end ------------------------------------------------------------------------------------

int flight_writer_error(const FlightWriter *writer)
{
    return writer->whole.error;
}

static void flight_writer_end(FlightWriter *writer)
{
    for (size_t i = 0; i < writer->waiting_count; i++) {
        flight_writer_write_key(writer, &writer->waiting[i]);
    }
    writer->waiting_count = 0;
    if (!writer->has_ended) {
        whole_file_print(&writer->whole, "end\n");
    }
    writer->has_ended = true;
}

static bool flight_writer_tell(const FlightWriter *writer, int error, Message *note,
                               Message *problem)
{
    if (error) {
        return flight_writer_recording_problem(writer->path, error, problem);
    }
    (void)message_set(note, "Recorded %.1f s, %zu keys and %zu edits in %s",
                      writer->written_count ? writer->written[0].seconds : 0, writer->written_count,
                      writer->edits, message_short(writer->path).text);
    return true;
}

bool flight_writer_finish(FlightWriter *writer, Message *note, Message *problem)
{
    flight_writer_end(writer);
    const int error = writer->whole.file ? whole_file_finish(&writer->whole) : writer->whole.error;
    return flight_writer_tell(writer, error, note, problem);
}

bool flight_writer_finish_new(FlightWriter *writer, bool *is_taken, Message *news)
{
    flight_writer_end(writer);
    const int error = whole_file_finish_new(&writer->whole);
    *is_taken = error == EEXIST;
    return flight_writer_tell(writer, error, news, news);
}

bool flight_writer_set_path(FlightWriter *writer, const char *path, Message *problem)
{
    char *copy = strdup(path);
    const int error = copy ? whole_file_set_path(&writer->whole, copy) : ENOMEM;
    if (error) {
        free(copy);
        return flight_writer_recording_problem(path, error, problem);
    }
    free(writer->path);
    writer->path = copy;
    return true;
}
