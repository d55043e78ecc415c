#include "series/series.h"

#include <math.h>
#include <stdlib.h>

#include "series/samples.h"

SeriesInfo series_info(Series series)
{
    static const SeriesInfo infos[SERIES_COUNT] = {
        [SERIES_FRAME] = {"frame_ms", "frame", "ms", true},
        [SERIES_WORK] = {"work_ms", "the processor's part", "ms", true},
        [SERIES_PLAYER] = {"player_us", "moving the body", "us", true},
        [SERIES_DEBRIS] = {"debris_us", "moving debris", "us", true},
        [SERIES_UPDATE] = {"update_ms", "loading and meshing", "ms", true},
        [SERIES_GATHER] = {"gather_us", "the frame's own gather", "us", true},
        [SERIES_CULL] = {"cull_us", "culling and sorting", "us", true},
        [SERIES_CULL_CPU] = {"cull_cpu_us", "culling and sorting, processor time", "us", true},
        [SERIES_UPLOAD] = {"upload_us", "uploads", "us", true},
        [SERIES_PANEL] = {"panel_us", "panels", "us", true},
        [SERIES_RECORD] = {"record_us", "recording", "us", true},
        [SERIES_COMPARE] = {"compare_us", "the comparison", "us", true},
        [SERIES_GATHER_INDEX] = {"gather_index_us", "gather, Terrane", "us", true},
        [SERIES_GATHER_ARRAY] = {"gather_array_us", "gather, flat spatial array", "us", true},
        [SERIES_GATHER_FLAT_MAP] = {"gather_flat_map_us", "gather, boost flat map, probed", "us",
                                    true},
        [SERIES_GATHER_FLAT_MAP_FILTERED] = {"gather_flat_map_filtered_us",
                                             "gather, boost flat map, filtered", "us", true},
        [SERIES_GATHER_MAP] = {"gather_map_us", "gather, std::unordered_map, probed", "us", true},
        [SERIES_GATHER_MAP_FILTERED] = {"gather_map_filtered_us",
                                        "gather, std::unordered_map, filtered", "us", true},
        [SERIES_GATHERED] = {"gathered", "chunks gathered", "", false},
        [SERIES_THERE] = {"there", "chunks there", "", false},
        [SERIES_SHOWN] = {"shown", "chunks shown", "", false},
        [SERIES_QUEUED] = {"queued", "chunks waiting", "", false},
        [SERIES_SEEN] = {"seen", "chunks drawn", "", false},
        [SERIES_BEHIND_LAND] = {"behind_land", "chunks behind nearer land", "", false},
        [SERIES_QUADS] = {"quads", "quads drawn", "", false},
        [SERIES_DRAW_CALLS] = {"draw_calls", "draw calls", "", false},
        [SERIES_UPLOADED] = {"uploaded_kib", "quads to the graphics card", "KiB", false},
        [SERIES_MOVED] = {"moved_kib", "quads moved there", "KiB", false},
        [SERIES_BITS] = {"bits", "bits of debris", "", false},
        [SERIES_BYTES] = {"memory_mib", "memory", "MiB", false},
        [SERIES_CARD_PERCENT] = {"card_percent", "memory there, of 8 bytes a quad", "%", false},
        [SERIES_CARD_BYTES] = {"card_mib", "quads on the graphics card", "MiB", false},
    };
    return infos[series];
}

SeriesFrame series_frame(void)
{
    SeriesFrame frame;
    for (int i = 0; i < SERIES_COUNT; i++) {
        frame.values[i] = NAN;
    }
    return frame;
}

bool series_log_add(SeriesLog *log, const SeriesFrame *frame)
{
    if (log->count == log->capacity) {
        const size_t capacity = log->capacity ? log->capacity * 2 : 256;
        SeriesFrame *frames = realloc(log->frames, capacity * sizeof *frames);
        if (!frames) {
            return false;
        }
        log->frames = frames;
        log->capacity = capacity;
    }
    log->frames[log->count++] = *frame;
    return true;
}

void series_log_free(SeriesLog *log)
{
    free(log->frames);
    *log = (SeriesLog){0};
}

bool series_log_summary(const SeriesLog *log, Series series, SeriesSummary *summary)
{
    Samples samples = {0};
    bool good = true;
    for (size_t i = 0; i < log->count && good; i++) {
        const double value = log->frames[i].values[series];
        good = isnan(value) || samples_add(&samples, value);
    }
    *summary = (SeriesSummary){.count = samples.count,
                               .p50 = samples_percentile(&samples, 50),
                               .p95 = samples_percentile(&samples, 95),
                               .p99 = samples_percentile(&samples, 99),
                               .p999 = samples_percentile(&samples, 99.9),
                               .max = samples_percentile(&samples, 100)};
    samples_free(&samples);
    return good;
}
