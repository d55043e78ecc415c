#include "report.h"

static void print_row(FILE *stream, const char *name, Samples *samples, const char *unit)
{
    fprintf(stream, "  %-34s %10.1f %10.1f %10.1f %10.1f %10.1f  %s\n", name,
            samples_percentile(samples, 50), samples_percentile(samples, 95),
            samples_percentile(samples, 99), samples_percentile(samples, 99.9),
            samples_percentile(samples, 100), unit);
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
        "calls\n",
        store.chunks, store.uniform_chunks, renderer.chunks_drawn, renderer.quads_drawn,
        renderer.draw_calls);
    fprintf(
        stream,
        "  memory  %.1f MiB in the store: voxels %.1f, headers %.1f, index %.1f; quads %.1f MiB\n",
        mebibytes(store.total_bytes - store.header_bytes + store.touched_bytes),
        mebibytes(store.voxel_bytes), mebibytes(store.touched_bytes), mebibytes(store.index_bytes),
        mebibytes(renderer.card.held_bytes));
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/// What the stream did, from the first view on.
static void print_stream(FILE *stream, const Viewer *viewer)
{
    const WorldStats stats = world_stats(viewer->world);
    const TrnStreamStats *done = &stats.stream;
    fprintf(stream,
            "  stream  %llu chunks made, %llu meshed, %llu let go, by %u workers; "
            "%.1f MiB in all, at most %.1f",
            (unsigned long long)done->made, (unsigned long long)done->meshed,
            (unsigned long long)done->unloaded, done->workers, mebibytes(done->total_bytes),
            mebibytes(done->total_bytes_peak));
    if (done->bytes_max) {
        fprintf(stream, " of %.0f", mebibytes(done->bytes_max));
    }
    fprintf(stream, "\n");
    if (stats.view.is_short) {
        fprintf(stream, "  view    %u of %u chunks: there is no memory for more\n",
                stats.view.rings, stats.view.rings_asked);
    }
}

static void print_card(FILE *stream, const Viewer *viewer)
{
    const QuadBufferStats card = renderer_stats(viewer->renderer).card;
    fprintf(
        stream,
        "  card    %u quads in %.1f MiB, %.1f of it free%s; at most %.1f, of two segments while "
        "quads moved\n",
        card.quads, mebibytes(card.held_bytes), mebibytes(card.free_bytes),
        card.is_moving ? " (quads are moving)" : "", mebibytes(card.peak_bytes));
}

void report_samples_free(ReportSamples *samples)
{
    samples_free(&samples->frame_ms);
    samples_free(&samples->update_ms);
    samples_free(&samples->cull_us);
    samples_free(&samples->cull_cpu_us);
    samples_free(&samples->upload_kib);
    samples_free(&samples->move_kib);
    samples_free(&samples->card_percent);
}

void report_print(FILE *stream, Viewer *viewer, ReportSamples *samples)
{
    GatherCompare *compare = &viewer->compare;
    const Options *options = viewer->options;
    char land[256];
    terrain_choice_describe(&options->choice, land, sizeof land);
    fprintf(stream, "%s of %zu frames, %dx%d, view distance %d chunks, seed %llu, %s\n",
            options->walk ? "walk" : "flight", samples->frame_ms.count, options->width,
            options->height, options->view_distance, (unsigned long long)options->seed, land);
    fprintf(stream, "  %-34s %10s %10s %10s %10s %10s\n", "", "median", "p95", "p99", "p99.9",
            "max");
    print_row(stream, "frame", &samples->frame_ms, "ms");
    print_row(stream, "loading and meshing, in the frame", &samples->update_ms, "ms");
    print_row(stream, "culling and sorting, in the frame", &samples->cull_us, "us");
    print_row(stream, "the same, processor time", &samples->cull_cpu_us, "us");
    print_row(stream, "quads to the graphics card", &samples->upload_kib, "KiB");
    print_row(stream, "quads moved there", &samples->move_kib, "KiB");
    print_row(stream, "memory there, of 8 bytes a quad", &samples->card_percent, "%");
    print_row(stream, "chunks gathered", &compare->chunks, "");
    print_row(stream, "gather, Terrane, in the frame", &compare->frame_us, "us");
    print_row(stream, "gather, Terrane", &compare->us[GATHER_INDEX], "us");
    print_row(stream, "gather, flat spatial array", &compare->us[GATHER_ARRAY], "us");
    print_row(stream, "gather, std::unordered_map", &compare->us[GATHER_MAP], "us");
    double map_us = samples_percentile(&compare->us[GATHER_MAP], 50);
    fprintf(stream,
            "  the map takes %.1f times as long as Terrane, %.1f times as long as the array "
            "(medians)\n",
            ratio(map_us, samples_percentile(&compare->us[GATHER_INDEX], 50)),
            ratio(map_us, samples_percentile(&compare->us[GATHER_ARRAY], 50)));
    fprintf(stream, "  answers equal: %llu of %llu\n", (unsigned long long)compare->equal,
            (unsigned long long)compare->compared);
    print_memory(stream, viewer);
    print_card(stream, viewer);
    print_stream(stream, viewer);
}
