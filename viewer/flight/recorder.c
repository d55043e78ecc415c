#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "flight/recorder.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "image.h"
#include "world/land.h"

// ---- keys ---------------------------------------------------------------------------------------

/// Returns the equivalent angle nearest to the last one.
static double recorder_unwrap(double yaw, double last)
{
    return yaw + 360 * round((last - yaw) / 360);
}

static void recorder_note_key(Recorder *recorder, const Camera *camera)
{
    double pose[5];
    camera_voxel(camera, pose);
    recorder->yaw = recorder_unwrap((double)camera->yaw, recorder->yaw);
    if (fabs(recorder->yaw) > FLIGHT_TURN_MAX) {
        recorder->yaw = (double)camera->yaw; // start over from the wrapped angle
    }
    pose[3] = recorder->yaw;
    pose[4] = (double)camera->pitch;
    flight_writer_key(recorder->writer, recorder->seconds, pose);
}

// ---- start and end ------------------------------------------------------------------------------

static FlightHead recorder_describe_place(const RecorderPlace *place)
{
    FlightHead head = *place->head;
    double point[3];
    camera_voxel(place->camera, point);
    head.has_land = true;
    head.land = land_mark(world_terrain(place->world), point);
    return head;
}

/// @return false if the folder cannot be written to
static bool recorder_name_file(Recorder *recorder, const char *folder, char path[PATH_MAX],
                               Message *problem)
{
    char name[32];
    do {
        (void)snprintf(name, sizeof name, "flight-%u.flight", ++recorder->number);
        if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX) {
            return message_set(problem, "The name of the folder %s is too long.",
                               message_short(folder).text);
        }
    } while (access(path, F_OK) == 0);
    return image_prepare_folder(folder, name, problem);
}

bool recorder_begin(Recorder *recorder, const RecorderPlace *place, const char *path, Message *news)
{
    char numbered[PATH_MAX];
    if (!path && !recorder_name_file(recorder, place->folder, numbered, news)) {
        return false;
    }
    const FlightHead head = recorder_describe_place(place);
    FlightWriter *writer;
    if (!flight_writer_create(&writer, path ? path : numbered, &head, news)) {
        return false;
    }
    *recorder = (Recorder){.writer = writer,
                           .folder = path ? NULL : place->folder,
                           .types = trn_store_block_types(world_store(place->world)),
                           .yaw = (double)place->camera->yaw,
                           .number = recorder->number};
    recorder_note_key(recorder, place->camera);
    (void)message_set(news, "Recording.");
    return true;
}

bool recorder_toggle(Recorder *recorder, const RecorderPlace *place, Message *news)
{
    return recorder->writer ? recorder_finish(recorder, news)
                            : recorder_begin(recorder, place, NULL, news);
}

/// Another program may have made a file of the recording's number meanwhile.
static bool recorder_finish_numbered(Recorder *recorder, Message *news)
{
    char path[PATH_MAX];
    bool is_taken = false;
    bool good = flight_writer_finish_new(recorder->writer, &is_taken, news);
    while (is_taken && recorder_name_file(recorder, recorder->folder, path, news) &&
           flight_writer_set_path(recorder->writer, path, news)) {
        good = flight_writer_finish_new(recorder->writer, &is_taken, news);
    }
    return good;
}

bool recorder_finish(Recorder *recorder, Message *news)
{
    news->text[0] = '\0';
    if (!recorder->writer) {
        return true;
    }
    const bool good = recorder->folder ? recorder_finish_numbered(recorder, news)
                                       : flight_writer_finish(recorder->writer, news, news);
    flight_writer_destroy(recorder->writer);
    recorder->writer = NULL;
    recorder->us = 0;
    return good;
}

void recorder_drop(Recorder *recorder)
{
    flight_writer_destroy(recorder->writer);
    recorder->writer = NULL;
}

// ---- frames and edits ---------------------------------------------------------------------------

bool recorder_frame(Recorder *recorder, double seconds, const Camera *camera, Message *news)
{
    if (!recorder->writer) {
        return false;
    }
    const double start = clock_us();
    recorder->seconds += fmax(seconds, 0);
    const bool is_full = recorder->seconds > FLIGHT_SECONDS_MAX;
    if (!is_full && !flight_writer_error(recorder->writer)) {
        recorder_note_key(recorder, camera);
        recorder->us = clock_us() - start;
        return false;
    }
    if (recorder_finish(recorder, news) && is_full) {
        (void)message_set(news, "The recording ended after an hour, the longest possible.");
    }
    return true;
}

/// Whether an undo or redo affects an edit of the recording.
static bool recorder_concerns_recording(Recorder *recorder, const HandEdit *edit)
{
    if (edit->kind == HAND_EDIT_UNDO) {
        const bool is_ours = recorder->undoable > 0;
        recorder->undoable -= is_ours ? 1 : 0;
        *(is_ours ? &recorder->undone : &recorder->undone_old) += 1;
        return is_ours;
    }
    if (edit->kind == HAND_EDIT_REDO) {
        const bool is_ours = recorder->undone_old == 0;
        // Steps undone before the recording began are redone first, and are not recorded.
        if (is_ours && !recorder->undone) {
            return false;
        }
        *(is_ours ? &recorder->undone : &recorder->undone_old) -= 1;
        recorder->undoable += is_ours ? 1 : 0;
        return is_ours;
    }
    recorder->undone = recorder->undone_old = 0;
    recorder->undoable += edit->goes_on ? 0 : 1;
    return true;
}

void recorder_hear(Recorder *recorder, const HandEdit *edit)
{
    if (!recorder->writer) {
        return;
    }
    const double start = clock_us();
    HandEdit noted = *edit;
    if (noted.goes_on && !recorder->undoable) {
        noted.goes_on = false; // the press began before the recording
    }
    if (recorder_concerns_recording(recorder, &noted)) {
        flight_writer_edit(recorder->writer, recorder->seconds, &noted, recorder->types);
    }
    recorder->us += clock_us() - start;
}
