#include "app/figures.h"

#include <math.h>
#include <stdio.h>

#include <terrane/raycast.h>

#include "clock.h"
#include "scene/measure.h"

#define FIGURES_LOOK_VOXELS 512.0
#define FIGURES_TEXT_SECONDS 0.25

/// Finds the first block along the camera's ray, or the first chunk that is not loaded.
static bool figures_look_along(const Viewer *viewer, TrnRayHit *hit)
{
    TrnRayDef def = trn_ray_def();
    vec3 right, up, forward;
    camera_axes(&viewer->camera, right, up, forward);
    const double direction[3] = {(double)forward[0], (double)forward[1], (double)forward[2]};
    def.distance_max = FIGURES_LOOK_VOXELS;
    def.stops_at_unloaded = true;
    return trn_store_raycast(world_store(viewer->world), viewer->camera.position, direction, &def,
                             hit) == TRN_RESULT_OK;
}

static void figures_explain_look(const Viewer *viewer, FiguresTexts *texts)
{
    TrnRayHit hit;
    texts->has_any = figures_look_along(viewer, &hit);
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

static void figures_collect_world(const Viewer *viewer, const Measured *measured,
                                  PanelFigures *figures)
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

static void figures_collect_place(const Viewer *viewer, FiguresTexts *texts, PanelFigures *figures)
{
    camera_voxel(&viewer->camera, figures->voxel);
    if (figures->seconds >= texts->due) {
        texts->due = figures->seconds + FIGURES_TEXT_SECONDS;
        figures_explain_look(viewer, texts);
    }
    if (texts->has_any) {
        figures->looked_at = texts->looked_at.text;
        figures->why_shown = texts->why_shown;
        figures->why_there = texts->why_there;
    }
}

PanelFigures figures_collect(const Session *session, const char *hint, FiguresTexts *texts)
{
    const Viewer *viewer = &session->viewer;
    const GatherCompare *compare = &viewer->compare;
    const Player *player = &session->person.player;
    PanelFigures figures = {
        .seconds = clock_us() * 1e-6,
        .frame = series_frame(),
        .budget_ms = session_load_budget(session),
        .has_array = gather_compare_has(compare, GATHER_ARRAY),
        .has_flat_map = gather_compare_has(compare, GATHER_FLAT_MAP),
        .is_warm = compare->least_us > 0,
        .compared = compare->compared,
        .equal = compare->equal,
        .speed = (float)player->settings.fly_speed,
        .walking = player->mode == PLAYER_MODE_FOOT,
        .hint = hint,
    };
    timing_measure(&session->timing, &figures.frame);
    figures.frame.values[SERIES_RECORD] = session->recorder.us;
    // Also while the panels are hidden: the graphs show the past seconds.
    const Measured measured = measure_frame(viewer, &session->update, &figures.frame);
    // The figures of the last comparison do not belong to this frame.
    for (int i = SERIES_GATHER_INDEX;
         i <= SERIES_GATHER_MAP_FILTERED && !session->settings->compare; i++) {
        figures.frame.values[i] = (double)NAN;
    }
    figures.stream = measured.world.stream;
    if (session->settings->figures) {
        figures_collect_world(viewer, &measured, &figures);
        figures_collect_place(viewer, texts, &figures);
    }
    return figures;
}
