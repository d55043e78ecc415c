#include "map_draw.h"

#include <inttypes.h>

#include "map_above.h"
#include "map_section.h"

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

bool map_draw(const MapPlan *plan, MapSource *source, ImageWriter *writer, Message *problem)
{
    MapJob job = {.source = source, .cut = plan->center_z, .problem = problem};
    plan_axes(plan, &job.across, &job.down);
    if (source->sample && !plan->is_section) {
        map_axis_use_levels(&job.across);
        map_axis_use_levels(&job.down);
    }
    if (!map_canvas_create(&job.canvas, &job.across, &job.down, writer, problem)) {
        return false;
    }
    const int64_t steps = plan->is_section
                              ? map_section_steps(&job.across, &job.down)
                              : map_axis_spans(&job.across) * map_axis_spans(&job.down);
    job.progress = progress_start(stderr, "terrane map", steps);
    bool good = plan->is_section ? map_section_draw(&job) : map_above_draw(&job);
    progress_end(&job.progress);
    map_canvas_destroy(&job.canvas);
    return good;
}
