#include "map_draw.h"

#include <inttypes.h>

#include "interrupt.h"
#include "map_above.h"
#include "map_section.h"
#include "progress.h"

static void plan_axes(const MapPlan *plan, MapAxis *across, MapAxis *down)
{
    const int border = plan->is_section ? 0 : 1;
    *across = map_axis_around(plan->center_x, plan->width, plan->scale, border, false);
    *down = plan->is_section
                ? map_axis_around(plan->center_y, plan->height, plan->scale, border, true)
                : map_axis_around(plan->center_z, plan->height, plan->scale, border, false);
}

static bool check_axis(const MapAxis *axis, char letter, Message *problem)
{
    int64_t lowest, highest;
    map_axis_ends(axis, &lowest, &highest);
    return (lowest >= TRN_VOXEL_MIN && highest <= TRN_VOXEL_MAX) ||
           message_set(problem,
                       "The picture would reach from %" PRId64 " to %" PRId64
                       " along %c, and the world from %" PRId64 " to %" PRId64
                       "; move --center, or make --size or --scale smaller.",
                       lowest, highest, letter, TRN_VOXEL_MIN, TRN_VOXEL_MAX);
}

bool map_plan_check(const MapPlan *plan, Message *problem)
{
    MapAxis across, down;
    plan_axes(plan, &across, &down);
    return check_axis(&across, 'x', problem) &&
           check_axis(&down, plan->is_section ? 'y' : 'z', problem);
}

/// A job without a canvas or a sink.
static MapJob plan_job(const MapPlan *plan, MapSource *source, Message *problem)
{
    MapJob job = {.source = source, .cut = plan->center_z, .problem = problem};
    plan_axes(plan, &job.across, &job.down);
    if (source->sample && !plan->is_section) {
        map_axis_use_levels(&job.across);
        map_axis_use_levels(&job.down);
    }
    return job;
}

static int64_t plan_steps(const MapPlan *plan, const MapJob *job)
{
    return plan->is_section ? map_section_steps(&job->across, &job->down)
                            : map_axis_spans(&job->across) * map_axis_spans(&job->down);
}

bool map_draw_rows(const MapPlan *plan, MapSource *source, MapSink sink, Message *problem)
{
    MapJob job = plan_job(plan, source, problem);
    job.sink = sink;
    if (!map_canvas_create(&job.canvas, &job.across, &job.down, &job.sink, problem)) {
        return false;
    }
    const bool good = plan->is_section ? map_section_draw(&job) : map_above_draw(&job);
    map_canvas_destroy(&job.canvas);
    return good;
}

// ---- a picture ---------------------------------------------------------------------------------

typedef struct MapPicture {
    ImageWriter *writer;
    Progress progress;
} MapPicture;

static bool picture_row(void *user, const unsigned char *rgb, Message *problem)
{
    MapPicture *picture = user;
    return image_writer_row(picture->writer, rgb, problem);
}

static bool picture_step(void *user, Message *problem)
{
    MapPicture *picture = user;
    progress_step(&picture->progress);
    return !interrupt_came() || message_set(problem, "Interrupted; nothing was written.");
}

bool map_draw(const MapPlan *plan, MapSource *source, ImageWriter *writer, Message *problem)
{
    const MapJob job = plan_job(plan, source, problem);
    MapPicture picture = {writer, progress_start(stderr, "terrane map", plan_steps(plan, &job))};
    const MapSink sink = {picture_row, picture_step, &picture};
    const bool good = map_draw_rows(plan, source, sink, problem);
    progress_end(&picture.progress);
    return good;
}
