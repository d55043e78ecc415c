#include "figures.h"

#include <stdio.h>

#include <terrane/raycast.h>

#include "measure.h"

#define LOOK_VOXELS 512.0
#define TEXT_SECONDS 0.25

/// Where the camera's ray meets the first block, or the first chunk that is not there.
static bool look_along(const Viewer *viewer, TrnRayHit *hit)
{
    TrnRayDef def = trn_ray_def();
    vec3 right, up, forward;
    camera_axes(&viewer->camera, right, up, forward);
    const double direction[3] = {(double)forward[0], (double)forward[1], (double)forward[2]};
    def.distance_max = LOOK_VOXELS;
    def.stops_at_absent = true;
    return trn_store_raycast(world_store(viewer->world), viewer->camera.position, direction, &def,
                             hit) == TRN_RESULT_OK;
}

static void explain_look(const Viewer *viewer, FiguresTexts *texts)
{
    TrnRayHit hit;
    texts->has_any = look_along(viewer, &hit);
    if (!texts->has_any) {
        return;
    }
    const TrnCoord chunk = trn_voxel_chunk(hit.voxel);
    const TrnStreamExplanation shown = trn_stream_explain(world_stream(viewer->world), chunk);
    const TrnExplanation there = trn_store_explain(world_store(viewer->world), chunk);
    (void)message_set(&texts->looked_at, "looked at: chunk %d %d %d, %.0f voxels away", chunk.x,
                      chunk.y, chunk.z, hit.distance);
    snprintf(texts->why_shown, sizeof texts->why_shown, "%s", shown.sentence);
    snprintf(texts->why_there, sizeof texts->why_there, "%s", there.sentence);
}

/// Of the parts, all that measure_frame knows; the times are the caller's.
static SeriesFrame frame_of(const FiguresSource *source)
{
    SeriesFrame frame = source->times;
    measure_frame(source->viewer, source->update, &frame);
    return frame;
}

static void collect_world(const Viewer *viewer, PanelFigures *figures)
{
    const WorldStats world = world_stats(viewer->world);
    const QuadBufferStats card = renderer_stats(viewer->renderer).card;
    const WorldEdits edits = world_edits(viewer->world);
    figures->stream = world.stream;
    figures->view = world.view;
    figures->store = trn_store_stats(world_store(viewer->world));
    figures->refused = world_refused(viewer->world);
    figures->card_bytes = card.held_bytes;
    figures->card_peak = card.peak_bytes;
    figures->edit_bytes = edits.bytes;
    figures->edit_bytes_max = edits.bytes_max;
}

PanelFigures figures_collect(const FiguresSource *source, FiguresTexts *texts)
{
    const Viewer *viewer = source->viewer;
    const GatherCompare *compare = &viewer->compare;
    PanelFigures figures = {
        .seconds = source->seconds,
        .frame = frame_of(source),
        .budget_ms = source->budget_ms,
        .has_array = gather_compare_has(compare, GATHER_ARRAY),
        .has_flat_map = gather_compare_has(compare, GATHER_FLAT_MAP),
        .compared = compare->compared,
        .equal = compare->equal,
        .speed = (float)source->person->player.settings.fly_speed,
        .walking = source->person->player.mode == PLAYER_MODE_FOOT,
        .debris = viewer->debris ? debris_stats(viewer->debris) : (DebrisStats){0},
        .hint = source->hint,
    };
    collect_world(viewer, &figures);
    camera_voxel(&viewer->camera, figures.voxel);
    if (source->seconds >= texts->due) {
        texts->due = source->seconds + TEXT_SECONDS;
        explain_look(viewer, texts);
    }
    if (texts->has_any) {
        figures.looked_at = texts->looked_at.text;
        figures.why_shown = texts->why_shown;
        figures.why_there = texts->why_there;
    }
    return figures;
}
