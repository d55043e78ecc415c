// What is open to the sky: a map of columns, each with layers from the top down.

#include "sky_internal.h"

#include <stdalign.h>
#include <string.h>

#include "base/coord_map.h"
#include "base/memory.h"
#include "base/thread.h"

/// More are rare: each chunk of a column that closes another of its 1,024 columns takes one.
#define SKY_LAYERS 8

/// What is open through a chunk and all above it.
typedef struct SkyLayer {
    int32_t y; ///< of the chunk
    TrnSkyMask open;
} SkyLayer;

typedef struct SkyColumn {
    /// The lowest chunk that is known. From here up, chunks without a layer close nothing.
    int64_t known;
    uint32_t stamp;              ///< counts changes
    uint32_t count;              ///< layers
    SkyLayer layers[SKY_LAYERS]; ///< from the top down
    bool is_deep;                ///< it has more layers: none are kept
} SkyColumn;

struct TrnSky {
    TrnAllocator allocator;
    TrnMutex lock;
    TrnCoordMap columns; ///< SkyColumn, at y = 0
};

// ---- creation ----------------------------------------------------------------------------------

TrnResult trn_sky_create(const TrnAllocator *allocator, uint64_t hash_key, TrnSky **sky)
{
    TrnSky *created = trn_take(allocator, sizeof *created, alignof(TrnSky));
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    *created = (TrnSky){.allocator = *allocator, .columns.key = hash_key};
    if (!trn_mutex_init(&created->lock)) {
        trn_give(allocator, created, sizeof *created);
        return TRN_RESULT_NO_MEMORY;
    }
    *sky = created;
    return TRN_RESULT_OK;
}

void trn_sky_destroy(TrnSky *sky)
{
    if (!sky) {
        return;
    }
    const TrnAllocator allocator = sky->allocator;
    uint64_t at = 0;
    for (TrnCoordEntry *entry; (entry = trn_coord_map_next(&sky->columns, &at));) {
        trn_give(&allocator, entry->pointer, sizeof(SkyColumn));
    }
    trn_coord_map_free(&sky->columns, &allocator);
    trn_mutex_destroy(&sky->lock);
    trn_give(&allocator, sky, sizeof *sky);
}

// ---- columns -----------------------------------------------------------------------------------

static SkyColumn *sky_find(const TrnSky *sky, TrnCoord coord)
{
    const TrnCoordEntry *entry = trn_coord_map_find(&sky->columns, (TrnCoord){coord.x, 0, coord.z});
    return entry ? entry->pointer : NULL;
}

/// Adds a column, under the lock. Errors: NO_MEMORY.
static TrnResult sky_add(TrnSky *sky, TrnCoord coord)
{
    TrnResult result = trn_coord_map_reserve(&sky->columns, &sky->allocator, 1);
    SkyColumn *column = result == TRN_RESULT_OK
                            ? trn_take(&sky->allocator, sizeof *column, alignof(SkyColumn))
                            : NULL;
    if (!column) {
        return TRN_RESULT_NO_MEMORY;
    }
    column->known = (int64_t)INT32_MAX + 1;
    column->stamp = column->count = 0;
    column->is_deep = false;
    trn_coord_map_add(&sky->columns, (TrnCoord){coord.x, 0, coord.z})->pointer = column;
    return TRN_RESULT_OK;
}

TrnResult trn_sky_reserve(TrnSky *sky, TrnCoord coord)
{
    TrnResult result = TRN_RESULT_OK;
    trn_mutex_lock(&sky->lock);
    for (int64_t i = 0; i < 9 && result == TRN_RESULT_OK; i++) {
        const int64_t x = coord.x + i % 3 - 1, z = coord.z + i / 3 - 1;
        if (x < INT32_MIN || x > INT32_MAX || z < INT32_MIN || z > INT32_MAX) {
            continue;
        }
        const TrnCoord at = {(int32_t)x, 0, (int32_t)z};
        result = sky_find(sky, at) ? TRN_RESULT_OK : sky_add(sky, at);
    }
    trn_mutex_unlock(&sky->lock);
    return result;
}

void trn_sky_remove(TrnSky *sky, TrnCoord coord)
{
    trn_mutex_lock(&sky->lock);
    TrnCoordEntry *entry = trn_coord_map_find(&sky->columns, (TrnCoord){coord.x, 0, coord.z});
    if (entry) {
        trn_give(&sky->allocator, entry->pointer, sizeof(SkyColumn));
        trn_coord_map_remove(&sky->columns, entry);
    }
    trn_mutex_unlock(&sky->lock);
}

/// What is open through a chunk that is known, or that nothing above lets the sky through to.
static TrnSkyMask sky_column_open(const SkyColumn *column, int64_t y)
{
    TrnSkyMask open;
    memset(&open, 0xFF, sizeof open);
    for (uint32_t i = 0; i < column->count && column->layers[i].y >= y; i++) {
        open = column->layers[i].open;
    }
    return open;
}

static bool sky_column_is_closed(const SkyColumn *column)
{
    return column->count && trn_sky_mask_is_empty(&column->layers[column->count - 1].open);
}

/// Adds the next chunk to a column.
static void sky_column_add(SkyColumn *column, int32_t y, const TrnSkyMask *open)
{
    const TrnSkyMask above = sky_column_open(column, (int64_t)y + 1);
    column->known = y;
    if (memcmp(&above, open, sizeof above) == 0) {
        return;
    }
    column->is_deep = column->count == SKY_LAYERS;
    if (!column->is_deep) {
        column->layers[column->count++] = (SkyLayer){y, *open};
    }
}

static TrnSkyMask sky_mask_and(const TrnSkyMask *a, const uint32_t *b)
{
    TrnSkyMask both;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        both.rows[z] = a->rows[z] & b[z];
    }
    return both;
}

// ---- asking ------------------------------------------------------------------------------------

/// The next chunk of a column, from the top down.
typedef struct SkyStep {
    int64_t from;   ///< the chunk below those known
    uint32_t stamp; ///< of the column then
    bool is_air;    ///< all chunks from `from` to `next` are
    int32_t next;
    TrnSkyMask pass; ///< of `next`
} SkyStep;

/// Learns the next chunk from the source. @param lowest  the last one wanted
static TrnResult sky_learn(const TrnSkySource *source, TrnCoord coord, SkyStep *step)
{
    const TrnCoord from = {coord.x, (int32_t)step->from, coord.z};
    TrnResult result = source->highest(source->user, from, coord.y, &step->next);
    step->is_air = result == TRN_RESULT_NOT_FOUND;
    if (step->is_air) {
        step->next = coord.y;
        return TRN_RESULT_OK;
    }
    const TrnCoord at = {coord.x, step->next, coord.z};
    return result == TRN_RESULT_OK ? source->pass(source->user, at, step->pass.rows) : result;
}

/// Asks without a memory of layers.
static TrnResult sky_open_deep(const TrnSkySource *source, TrnCoord coord, TrnSkyMask *open)
{
    SkyStep step = {.from = INT32_MAX};
    memset(open, 0xFF, sizeof *open);
    while (step.from >= coord.y && !trn_sky_mask_is_empty(open)) {
        const TrnResult result = sky_learn(source, coord, &step);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        *open = step.is_air ? *open : sky_mask_and(open, step.pass.rows);
        step.from = (int64_t)step.next - 1;
    }
    return TRN_RESULT_OK;
}

/// Looks a chunk up. @param step  receives what to learn next
/// @return BUSY: the caller must ask the source for `step`; FULL: the column is deep
static TrnResult sky_look_up(TrnSky *sky, TrnCoord coord, TrnSkyMask *open, SkyStep *step)
{
    TrnResult result = TRN_RESULT_OK;
    trn_mutex_lock(&sky->lock);
    const SkyColumn *column = sky_find(sky, coord);
    if (!column) {
        result = TRN_RESULT_NOT_FOUND;
    } else if (column->is_deep) {
        result = TRN_RESULT_FULL;
    } else if (column->known > coord.y && !sky_column_is_closed(column)) {
        *step = (SkyStep){.from = column->known - 1, .stamp = column->stamp};
        result = TRN_RESULT_BUSY;
    } else {
        *open = sky_column_open(column, coord.y);
    }
    trn_mutex_unlock(&sky->lock);
    return result;
}

/// Adds what was learned, unless the column changed or another thread was first.
static void sky_note(TrnSky *sky, TrnCoord coord, const SkyStep *step)
{
    trn_mutex_lock(&sky->lock);
    SkyColumn *column = sky_find(sky, coord);
    if (column && !column->is_deep && column->stamp == step->stamp &&
        column->known - 1 == step->from) {
        TrnSkyMask open = sky_column_open(column, step->from + 1);
        open = step->is_air ? open : sky_mask_and(&open, step->pass.rows);
        sky_column_add(column, step->next, &open);
    }
    trn_mutex_unlock(&sky->lock);
}

TrnResult trn_sky_open(TrnSky *sky, const TrnSkySource *source, TrnCoord coord, TrnSkyMask *open)
{
    for (;;) {
        SkyStep step;
        TrnResult result = sky_look_up(sky, coord, open, &step);
        if (result == TRN_RESULT_FULL) {
            return sky_open_deep(source, coord, open);
        }
        if (result != TRN_RESULT_BUSY) {
            return result;
        }
        result = sky_learn(source, coord, &step);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        sky_note(sky, coord, &step);
    }
}

// ---- changes -----------------------------------------------------------------------------------

/// Replaces a known chunk of a column, and forgets those below it.
static void sky_column_replace(SkyColumn *column, int32_t y, const TrnSkyMask *open)
{
    while (column->count && column->layers[column->count - 1].y <= y) {
        column->count--;
    }
    column->known = (int64_t)y + 1;
    if (open) {
        sky_column_add(column, y, open);
    }
}

bool trn_sky_change(TrnSky *sky, TrnCoord coord, const uint32_t *pass, TrnSkyMask *changed)
{
    memset(changed, 0, sizeof *changed);
    trn_mutex_lock(&sky->lock);
    SkyColumn *column = sky_find(sky, coord);
    if (column && column->is_deep) {
        memset(changed, 0xFF, sizeof *changed);
        column->stamp++;
    } else if (column) {
        column->stamp++;
        // No light was solved from chunks below the known ones.
        if (column->known <= coord.y) {
            const TrnSkyMask above = sky_column_open(column, (int64_t)coord.y + 1);
            const TrnSkyMask was = sky_column_open(column, coord.y);
            const TrnSkyMask is = pass ? sky_mask_and(&above, pass) : above;
            for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
                changed->rows[z] = pass ? was.rows[z] ^ is.rows[z] : above.rows[z];
            }
            if (!trn_sky_mask_is_empty(changed)) {
                sky_column_replace(column, coord.y, pass ? &is : NULL);
            }
        }
    }
    trn_mutex_unlock(&sky->lock);
    return !trn_sky_mask_is_empty(changed);
}
