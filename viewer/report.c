#include "report.h"

#include "series/gather_verdict.h"

// What of a flight is printed, in this order: the rest is in the CSV.
static const Series REPORT_ROWS[] = {
    SERIES_FRAME,
    SERIES_UPDATE,
    SERIES_CULL,
    SERIES_CULL_CPU,
    SERIES_UPLOADED,
    SERIES_MOVED,
    SERIES_CARD_PERCENT,
    SERIES_GATHERED,
    SERIES_GATHER,
    SERIES_GATHER_INDEX,
    SERIES_GATHER_ARRAY,
    SERIES_GATHER_FLAT_MAP,
    SERIES_GATHER_FLAT_MAP_FILTERED,
    SERIES_GATHER_MAP,
    SERIES_GATHER_MAP_FILTERED,
    SERIES_RECORD,
};

static void print_row(FILE *stream, Series series, const SeriesSummary *summary)
{
    const SeriesInfo info = series_info(series);
    if (summary->count) {
        fprintf(stream, "  %-34s %10.1f %10.1f %10.1f %10.1f %10.1f  %s\n", info.text, summary->p50,
                summary->p95, summary->p99, summary->p999, summary->max, info.unit);
    }
}

static double mebibytes(size_t bytes)
{
    return (double)bytes / (1024 * 1024);
}

static void print_memory(FILE *stream, const Viewer *viewer)
{
    TrnStoreStats store = trn_store_stats(world_store(viewer->world));
    RendererStats renderer = renderer_stats(viewer->renderer);
    fprintf(
        stream,
        "  chunks  %u loaded (%u of a single block), %zu drawn in the last frame: %zu quads in %u "
        "calls; %zu behind nearer land\n",
        store.chunks, store.uniform_chunks, renderer.chunks_drawn, renderer.quads_drawn,
        renderer.draw_calls, renderer.chunks_behind_land);
    fprintf(
        stream,
        "  memory  %.1f MiB in the store: voxels %.1f, headers %.1f, index %.1f; quads %.1f MiB\n",
        mebibytes(store.total_bytes), mebibytes(store.voxel_bytes), mebibytes(store.header_bytes),
        mebibytes(store.index_bytes), mebibytes(renderer.card.held_bytes));
}

static void print_verdict(FILE *stream, const SeriesSummary *all)
{
    double medians[SERIES_COUNT];
    for (int i = 0; i < SERIES_COUNT; i++) {
        medians[i] = all[i].p50;
    }
    const GatherVerdict verdict = gather_verdict(medians);
    fprintf(stream, "  medians by Terrane's: %s %.1f", gather_way_name(verdict.best),
            verdict.by_best);
    if (verdict.best != verdict.map) {
        fprintf(stream, "; %s %.1f", gather_way_name(verdict.map), verdict.by_map);
    }
    if (verdict.by_array > 0) {
        fprintf(stream, "; flat array %.1f", verdict.by_array);
    }
    fprintf(stream, "\n");
    if (verdict.is_small) {
        fprintf(stream, "  A view of %.0f chunks is too small for the difference to matter.\n",
                medians[SERIES_GATHERED]);
    }
}

/// What the stream did, from the first view on.
static void print_stream(FILE *stream, const Viewer *viewer)
{
    const WorldStats stats = world_stats(viewer->world);
    const TrnStreamStats *done = &stats.stream;
    fprintf(stream,
            "  stream  %llu chunks generated, %llu meshed, %llu unloaded, by %u worker%s; "
            "%.1f MiB in all, at most %.1f",
            (unsigned long long)done->generated, (unsigned long long)done->meshed,
            (unsigned long long)done->unloaded, done->workers, done->workers == 1 ? "" : "s",
            mebibytes(done->total_bytes), mebibytes(done->total_bytes_peak));
    if (done->bytes_max) {
        fprintf(stream, " of %.0f", mebibytes(done->bytes_max));
    }
    fprintf(stream, "\n");
    for (uint32_t i = 1; i <= stats.far.levels; i++) {
        const TrnFarLevelStats *level = &stats.far.level[i];
        fprintf(stream, "  level %u %u chunks loaded, %u shown, %u drawn, in %.1f MiB\n", i,
                level->loaded, level->shown, level->drawn, mebibytes(level->bytes));
        if (level->is_shrunk) {
            fprintf(stream, "          %u of %u of its chunks: there is no memory for more\n",
                    level->rings, level->rings_wanted);
        }
    }
    if (stats.view.is_shrunk) {
        fprintf(stream, "  view    %u of %u chunks: there is no memory for more\n",
                stats.view.rings, stats.view.rings_wanted);
    }
}

static void print_card(FILE *stream, const Viewer *viewer)
{
    const QuadBufferStats card = renderer_stats(viewer->renderer).card;
    fprintf(stream, "  card    %u quads in %.1f MiB, %.1f of it free%s; at most %.1f\n", card.quads,
            mebibytes(card.held_bytes), mebibytes(card.free_bytes),
            card.is_moving ? " (quads are moving)" : "", mebibytes(card.peak_bytes));
}

static void print_head(FILE *stream, const Viewer *viewer, size_t frames)
{
    const Settings *settings = viewer->settings;
    char land[256];
    terrain_choice_describe(&settings->choice, land, sizeof land);
    fprintf(stream, "flight of %zu frames, %dx%d, view distance %d chunks, seed %llu, %s\n", frames,
            settings->width, settings->height, settings_view_distance(settings),
            (unsigned long long)settings->seed, land);
    fprintf(stream, "  %-34s %10s %10s %10s %10s %10s\n", "", "p50", "p95", "p99", "p99.9", "max");
}

bool report_print(FILE *stream, const Viewer *viewer, const SeriesLog *log)
{
    const GatherCompare *compare = &viewer->compare;
    SeriesSummary all[SERIES_COUNT];
    for (int i = 0; i < SERIES_COUNT; i++) {
        if (!series_log_summary(log, (Series)i, &all[i])) {
            return false;
        }
    }
    print_head(stream, viewer, log->count);
    for (size_t i = 0; i < sizeof REPORT_ROWS / sizeof REPORT_ROWS[0]; i++) {
        print_row(stream, REPORT_ROWS[i], &all[REPORT_ROWS[i]]);
    }
    if (!compare->flat_map) {
        fprintf(stream,
                "  not compared with boost::unordered_flat_map: built without Boost 1.81\n");
    }
    print_verdict(stream, all);
    fprintf(stream, "  answers equal: %llu of %llu\n", (unsigned long long)compare->equal,
            (unsigned long long)compare->compared);
    print_memory(stream, viewer);
    print_card(stream, viewer);
    print_stream(stream, viewer);
    return true;
}
