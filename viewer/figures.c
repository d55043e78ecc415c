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
    def.stops_at_unloaded = true;
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
    (void)message_set(&texts->looked_at, "looked at: chunk %d %d %d, %.1f voxels away", chunk.x,
                      chunk.y, chunk.z, hit.distance);
    snprintf(texts->why_shown, sizeof texts->why_shown, "%s", shown.sentence);
    snprintf(texts->why_there, sizeof texts->why_there, "%s", there.sentence);
}

static void collect_world(const Viewer *viewer, const Measured *measured, PanelFigures *figures)
{
    const QuadBufferStats *const card = &measured->renderer.card;
    figures->view = measured->world.view;
    figures->store = trn_store_stats(world_store(viewer->world));
    figures->refused = world_refused(viewer->world);
    figures->card_bytes = card->held_bytes;
    figures->card_peak = card->peak_bytes;
    figures->edit_bytes = measured->world.edits.bytes;
    figures->edit_bytes_max = measured->world.edits.bytes_max;
    figures->is_saving = measured->world.edits.is_file;
    figures->debris = measured->debris;
}

static void collect_place(const FiguresSource *source, FiguresTexts *texts, PanelFigures *figures)
{
    camera_voxel(&source->viewer->camera, figures->voxel);
    if (source->seconds >= texts->due) {
        texts->due = source->seconds + TEXT_SECONDS;
        explain_look(source->viewer, texts);
    }
    if (texts->has_any) {
        figures->looked_at = texts->looked_at.text;
        figures->why_shown = texts->why_shown;
        figures->why_there = texts->why_there;
    }
}

PanelFigures figures_collect(const FiguresSource *source, FiguresTexts *texts)
{
    const Viewer *viewer = source->viewer;
    const GatherCompare *compare = &viewer->compare;
    PanelFigures figures = {
        .seconds = source->seconds,
        .frame = source->times,
        .budget_ms = source->budget_ms,
        .has_array = gather_compare_has(compare, GATHER_ARRAY),
        .has_flat_map = gather_compare_has(compare, GATHER_FLAT_MAP),
        .is_warm = compare->least_us > 0,
        .compared = compare->compared,
        .equal = compare->equal,
        .speed = (float)source->person->player.settings.fly_speed,
        .walking = source->person->player.mode == PLAYER_MODE_FOOT,
        .hint = source->hint,
    };
    // Also while nothing is shown: the graphs reach back.
    const Measured measured = measure_frame(viewer, source->update, &figures.frame);
    figures.stream = measured.world.stream;
    if (source->is_shown) {
        collect_world(viewer, &measured, &figures);
        collect_place(source, texts, &figures);
    }
    return figures;
}
