#include "render/skyline.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define REBASE_CHUNKS 30000 // farther from the base, a float cannot hold heights precisely
#define MARGIN_CHUNKS 8     // chunks stay loaded up to this far outside the view

// How much of a column is known, stored in its y.
enum { KNOWS_NOTHING, KNOWS_SOME, KNOWS_ALL };

int32_t skyline_edge(int view_distance)
{
    return 2 * view_distance + MARGIN_CHUNKS;
}

bool skyline_create(Skyline *skyline, int view_distance, Message *problem)
{
    *skyline = (Skyline){.edge = skyline_edge(view_distance)};
    const size_t columns = (size_t)skyline->edge * (size_t)skyline->edge;
    const size_t cells = columns * TRN_CHUNK_EDGE * TRN_CHUNK_EDGE;
    skyline->heights = malloc(cells * sizeof *skyline->heights);
    skyline->columns = calloc(columns, sizeof *skyline->columns);
    skyline->changed = calloc(columns, sizeof *skyline->changed);
    skyline->list = malloc(columns * sizeof *skyline->list);
    if (!skyline->heights || !skyline->columns || !skyline->changed || !skyline->list) {
        skyline_free(skyline);
        return message_set(problem, "Out of memory for the heights of the land.");
    }
    for (size_t i = 0; i < cells; i++) {
        skyline->heights[i] = SKYLINE_NONE;
    }
    return true;
}

void skyline_free(Skyline *skyline)
{
    free(skyline->heights);
    free(skyline->columns);
    free(skyline->changed);
    free(skyline->list);
    *skyline = (Skyline){0};
}

bool skyline_is_enough(const Skyline *skyline, int view_distance)
{
    return skyline->edge >= 2 * view_distance + MARGIN_CHUNKS;
}

int32_t skyline_place(const Skyline *skyline, int32_t chunk)
{
    const int32_t rest = chunk % skyline->edge;
    return rest < 0 ? rest + skyline->edge : rest;
}

static float *skyline_row(const Skyline *skyline, int32_t place, int32_t z)
{
    const size_t row = (size_t)(place / skyline->edge) * TRN_CHUNK_EDGE + (size_t)z;
    return skyline->heights +
           (row * (size_t)skyline->edge + (size_t)(place % skyline->edge)) * TRN_CHUNK_EDGE;
}

static void skyline_clear_column(Skyline *skyline, int32_t place)
{
    for (int32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        float *row = skyline_row(skyline, place, z);
        for (int32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            row[x] = SKYLINE_NONE;
        }
    }
}

static void skyline_mark_column(Skyline *skyline, int32_t place)
{
    if (!skyline->changed[place]) {
        skyline->changed[place] = true;
        skyline->list[skyline->list_count++] = (uint32_t)place;
    }
}

/// Forgets all heights if the camera is so far above or below the base that floats cannot tell
/// voxels apart.
static void skyline_place_base(Skyline *skyline, int32_t chunk)
{
    const int64_t away = (int64_t)chunk - skyline->base;
    if (skyline->placed && away < REBASE_CHUNKS && away > -REBASE_CHUNKS) {
        return;
    }
    skyline->placed = true;
    skyline->base = chunk;
    for (int32_t place = 0; place < skyline->edge * skyline->edge; place++) {
        if (skyline->columns[place].y) {
            skyline_clear_column(skyline, place);
            skyline_mark_column(skyline, place);
            skyline->columns[place] = (TrnCoord){0, 0, 0};
            skyline->changes++;
        }
    }
}

/// Returns the top of each column inside the chunk, 1..32; 0 if nothing is opaque.
static void skyline_chunk_tops(const uint32_t *opaque, uint8_t tops[TRN_CHUNK_EDGE][TRN_CHUNK_EDGE])
{
    memset(tops, 0, sizeof(uint8_t[TRN_CHUNK_EDGE][TRN_CHUNK_EDGE]));
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        uint32_t open = UINT32_MAX;
        for (uint32_t y = TRN_CHUNK_EDGE; y-- && open;) {
            uint32_t found = opaque[y * TRN_CHUNK_EDGE + z] & open;
            open &= ~found;
            for (; found; found &= found - 1) {
                tops[z][__builtin_ctz(found)] = (uint8_t)(y + 1);
            }
        }
    }
}

void skyline_note(Skyline *skyline, TrnCoord chunk, const uint32_t *opaque)
{
    skyline_place_base(skyline, chunk.y);
    const int32_t place =
        skyline_place(skyline, chunk.z) * skyline->edge + skyline_place(skyline, chunk.x);
    TrnCoord *column = &skyline->columns[place];
    if (!column->y || column->x != chunk.x || column->z != chunk.z) {
        *column = (TrnCoord){chunk.x, KNOWS_SOME, chunk.z};
        skyline_clear_column(skyline, place);
        skyline_mark_column(skyline, place);
        skyline->changes++;
    }
    uint8_t tops[TRN_CHUNK_EDGE][TRN_CHUNK_EDGE];
    skyline_chunk_tops(opaque, tops);
    const float low = (float)(chunk.y - skyline->base) * TRN_CHUNK_EDGE;
    bool changed = false, has_all = true;
    for (int32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        float *row = skyline_row(skyline, place, z);
        for (int32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            const bool was_here = row[x] > low && row[x] <= low + TRN_CHUNK_EDGE;
            const float top = tops[z][x] || was_here ? low + tops[z][x] : SKYLINE_NONE;
            const float height = was_here || top > row[x] ? top : row[x];
            changed |= height != row[x];
            row[x] = height;
            has_all &= height != SKYLINE_NONE;
        }
    }
    if (changed) {
        skyline_mark_column(skyline, place);
    }
    const int32_t knows = has_all ? KNOWS_ALL : KNOWS_SOME;
    skyline->changes += column->y != knows;
    column->y = knows;
}

int32_t skyline_take(Skyline *skyline)
{
    if (!skyline->list_count) {
        return -1;
    }
    const uint32_t place = skyline->list[--skyline->list_count];
    skyline->changed[place] = false;
    return (int32_t)place;
}

/// Returns how much is known of a chunk's column.
static int32_t skyline_column_knows(const Skyline *skyline, int32_t x, int32_t z)
{
    const int32_t place = skyline_place(skyline, z) * skyline->edge + skyline_place(skyline, x);
    const TrnCoord *column = &skyline->columns[place];
    return column->x == x && column->z == z ? column->y : KNOWS_NOTHING;
}

bool skyline_knows(const Skyline *skyline, TrnCoord chunk)
{
    return skyline_column_knows(skyline, chunk.x, chunk.z) == KNOWS_ALL;
}

float skyline_height(const Skyline *skyline, int64_t x, int64_t z)
{
    const int32_t chunk_x = (int32_t)(x >> TRN_CHUNK_SHIFT),
                  chunk_z = (int32_t)(z >> TRN_CHUNK_SHIFT);
    const int32_t place =
        skyline_place(skyline, chunk_z) * skyline->edge + skyline_place(skyline, chunk_x);
    if (skyline_column_knows(skyline, chunk_x, chunk_z) == KNOWS_NOTHING) {
        return SKYLINE_NONE;
    }
    return skyline_row(skyline, place,
                       (int32_t)(z & (TRN_CHUNK_EDGE - 1)))[x & (TRN_CHUNK_EDGE - 1)];
}

// ---- known heights ------------------------------------------------------------------------------

#define UNIT 5     // of distances: a chunk
#define DIAGONAL 7 // along both axes: 5 times the square root of 2
#define FULL (KNOWN_HEIGHTS_RIM * UNIT)

bool known_heights_create(KnownHeights *known, int32_t edge)
{
    const size_t cells = (size_t)edge * (size_t)edge;
    *known = (KnownHeights){.edge = edge};
    known->now = calloc(cells, 1);
    known->next = calloc(cells, 1);
    known->distances = calloc(cells, 1);
    if (!known->now || !known->next || !known->distances) {
        known_heights_free(known);
        return false;
    }
    return true;
}

void known_heights_free(KnownHeights *known)
{
    free(known->now);
    free(known->next);
    free(known->distances);
    *known = (KnownHeights){0};
}

/// Sets the distance of a column's corners to 0 unless its heights are known.
/// @param x,z  column, from the lowest of the window
static void skyline_known_heights_mark_column(KnownHeights *known, const Skyline *skyline,
                                              int32_t x, int32_t z)
{
    const int32_t half = known->edge / 2, by_x = x - half, by_z = z - half;
    const TrnCoord at = trn_coord_add(known->camera, by_x, 0, by_z);
    if (by_x * by_x + by_z * by_z <= known->reach * known->reach && skyline_knows(skyline, at)) {
        return;
    }
    uint8_t *corner = known->distances + (ptrdiff_t)z * known->edge + x;
    corner[0] = corner[1] = corner[known->edge] = corner[known->edge + 1] = 0;
}

static void skyline_known_heights_near_by(uint8_t *distance, uint8_t other, int by)
{
    const int sum = other + by;
    *distance = *distance < sum ? *distance : (uint8_t)sum;
}

/// Finds the distance of each corner to the nearest corner of an unknown column: a chamfer
/// transform in two passes. The outermost corners count as unknown.
static void skyline_known_heights_find_distances(KnownHeights *known, const Skyline *skyline)
{
    const int32_t edge = known->edge;
    uint8_t *at = known->distances;
    memset(at, 0, (size_t)edge * (size_t)edge);
    for (int32_t z = 1; z < edge - 1; z++) {
        memset(at + (ptrdiff_t)z * edge + 1, FULL, (size_t)edge - 2);
    }
    for (int32_t z = 0; z < edge - 1; z++) {
        for (int32_t x = 0; x < edge - 1; x++) {
            skyline_known_heights_mark_column(known, skyline, x, z);
        }
    }
    for (int32_t i = edge + 1; i < edge * (edge - 1) - 1; i++) {
        skyline_known_heights_near_by(&at[i], at[i - 1], UNIT);
        skyline_known_heights_near_by(&at[i], at[i - edge], UNIT);
        skyline_known_heights_near_by(&at[i], at[i - edge - 1], DIAGONAL);
        skyline_known_heights_near_by(&at[i], at[i - edge + 1], DIAGONAL);
    }
    for (int32_t i = edge * (edge - 1) - 2; i > edge; i--) {
        skyline_known_heights_near_by(&at[i], at[i + 1], UNIT);
        skyline_known_heights_near_by(&at[i], at[i + edge], UNIT);
        skyline_known_heights_near_by(&at[i], at[i + edge + 1], DIAGONAL);
        skyline_known_heights_near_by(&at[i], at[i + edge - 1], DIAGONAL);
    }
}

/// Computes the values that the corners approach, for the current camera and reach.
static void skyline_known_heights_find_next(KnownHeights *known, const Skyline *skyline)
{
    const int32_t edge = known->edge;
    skyline_known_heights_find_distances(known, skyline);
    for (int32_t z = 0; z < edge; z++) {
        const TrnCoord row = trn_coord_add(known->camera, 0, 0, z - edge / 2);
        uint8_t *next = known->next + (ptrdiff_t)skyline_place(skyline, row.z) * edge;
        for (int32_t x = 0; x < edge; x++) {
            const TrnCoord at = trn_coord_add(row, x - edge / 2, 0, 0);
            const int distance = known->reach ? known->distances[z * edge + x] : FULL;
            next[skyline_place(skyline, at.x)] = (uint8_t)(distance * UINT8_MAX / FULL);
        }
    }
}

/// Whether `next` is out of date; if so, records the new camera, reach and changes.
static bool skyline_known_heights_note_changes(KnownHeights *known, const Skyline *skyline,
                                               TrnCoord camera, int32_t reach)
{
    const bool same = known->has_begun && known->changes == skyline->changes &&
                      known->reach == reach && known->camera.x == camera.x &&
                      known->camera.z == camera.z;
    known->changes = skyline->changes;
    known->reach = reach;
    known->camera = camera;
    return !same;
}

/// Moves all corners by at most `by`. Unknown columns drop to 0 at once.
static void skyline_known_heights_approach(KnownHeights *known, int by)
{
    known->is_settled = true;
    for (int32_t i = 0; i < known->edge * known->edge; i++) {
        const int now = known->now[i], next = known->next[i];
        const int least = now - by < next ? next : now - by;
        known->now[i] = (uint8_t)(next == 0 ? 0 : now + by < next ? now + by : least);
        known->is_settled &= known->now[i] == next;
    }
}

bool known_heights_step(KnownHeights *known, const Skyline *skyline, TrnCoord camera, int32_t reach,
                        double seconds)
{
    const double part = (seconds - known->seconds) / KNOWN_HEIGHTS_SECONDS;
    const bool at_once = !known->has_begun || part < 0 || part > 1;
    if (skyline_known_heights_note_changes(known, skyline, camera, reach)) {
        skyline_known_heights_find_next(known, skyline);
        known->is_settled = false;
    }
    known->has_begun = true;
    if (known->is_settled) {
        known->seconds = seconds;
        return false;
    }
    const int by = at_once ? UINT8_MAX : (int)(part * UINT8_MAX);
    if (by > 0) { // otherwise the time accumulates
        known->seconds = seconds;
        skyline_known_heights_approach(known, by);
    }
    return by > 0;
}
