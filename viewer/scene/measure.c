#include "scene/measure.h"

static double measure_part_of(double bytes, double unit)
{
    return bytes / unit;
}

static void measure_gathers(const GatherCompare *compare, double *values)
{
    const GatherFigures *const figures = &compare->figures;
    values[SERIES_GATHER] = figures->frame_us;
    values[SERIES_GATHERED] = (double)figures->chunks;
    static const Series series[GATHER_COUNT] = {
        [GATHER_INDEX] = SERIES_GATHER_INDEX,
        [GATHER_ARRAY] = SERIES_GATHER_ARRAY,
        [GATHER_FLAT_MAP] = SERIES_GATHER_FLAT_MAP,
        [GATHER_FLAT_MAP_FILTERED] = SERIES_GATHER_FLAT_MAP_FILTERED,
        [GATHER_MAP] = SERIES_GATHER_MAP,
        [GATHER_MAP_FILTERED] = SERIES_GATHER_MAP_FILTERED,
    };
    for (int who = 0; who < GATHER_COUNT; who++) {
        if (figures->asked[who]) {
            values[series[who]] = figures->us[who];
        }
    }
}

static void measure_stream(const TrnStreamStats *stream, double *values)
{
    values[SERIES_THERE] = stream->loaded;
    values[SERIES_SHOWN] = stream->shown;
    values[SERIES_QUEUED] = stream->queued;
    values[SERIES_BYTES] = measure_part_of((double)stream->total_bytes, 1024 * 1024);
}

static void measure_picture(const RendererStats *renderer, double *values)
{
    const double least = (double)renderer->card.quads * QUAD_BYTES;
    values[SERIES_CULL] = renderer->cull_us;
    values[SERIES_CULL_CPU] = renderer->cull_cpu_us;
    values[SERIES_SEEN] = (double)renderer->chunks_drawn;
    values[SERIES_BEHIND_LAND] = (double)renderer->chunks_behind_land;
    values[SERIES_QUADS] = (double)renderer->quads_drawn;
    values[SERIES_DRAW_CALLS] = renderer->draw_calls;
    values[SERIES_UPLOADED] = measure_part_of((double)renderer->card.frame.upload_bytes, 1024);
    values[SERIES_MOVED] = measure_part_of((double)renderer->card.frame.copy_bytes, 1024);
    if (least > 0) {
        values[SERIES_CARD_PERCENT] = (double)renderer->card.held_bytes / least * 100;
    }
    values[SERIES_CARD_BYTES] = measure_part_of((double)renderer->card.held_bytes, 1024 * 1024);
}

Measured measure_frame(const Viewer *viewer, const TrnStreamReport *update, SeriesFrame *frame)
{
    const Measured measured = {.world = world_stats(viewer->world),
                               .renderer = renderer_stats(viewer->renderer),
                               .debris = viewer->debris ? debris_stats(viewer->debris)
                                                        : (DebrisStats){0}};
    frame->values[SERIES_UPDATE] = update->us * 1e-3;
    frame->values[SERIES_UPLOAD] = viewer->upload_us;
    frame->values[SERIES_BITS] = measured.debris.alive;
    measure_gathers(&viewer->compare, frame->values);
    measure_stream(&measured.world.stream, frame->values);
    measure_picture(&measured.renderer, frame->values);
    return measured;
}
