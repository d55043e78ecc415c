#include "render/skyline.h"

#include <stdlib.h>
#include <string.h>

#define REBASE_CHUNKS 30000 // farther from the base, heights exceed the precision of a float
#define MARGIN_CHUNKS 8     // chunks may stay loaded this far outside the view

// How much of a column is known, in its y.
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

static void clear_column(Skyline *skyline, int32_t place)
{
    for (int32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        float *row = skyline_row(skyline, place, z);
        for (int32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            row[x] = SKYLINE_NONE;
        }
    }
}

static void mark_column(Skyline *skyline, int32_t place)
{
    if (!skyline->changed[place]) {
        skyline->changed[place] = true;
        skyline->list[skyline->list_count++] = (uint32_t)place;
    }
}

/// Forgets all heights if the camera is so far above or below that floats would not tell voxels
/// apart.
static void place_base(Skyline *skyline, int32_t chunk)
{
    const int64_t away = (int64_t)chunk - skyline->base;
    if (skyline->placed && away < REBASE_CHUNKS && away > -REBASE_CHUNKS) {
        return;
    }
    skyline->placed = true;
    skyline->base = chunk;
    for (int32_t place = 0; place < skyline->edge * skyline->edge; place++) {
        if (skyline->columns[place].y) {
            clear_column(skyline, place);
            mark_column(skyline, place);
            skyline->columns[place] = (TrnCoord){0, 0, 0};
            skyline->changes++;
        }
    }
}

/// Returns the top of each column inside the chunk, 1..32; 0 if nothing is opaque.
static void chunk_tops(const uint32_t *opaque, uint8_t tops[TRN_CHUNK_EDGE][TRN_CHUNK_EDGE])
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
    place_base(skyline, chunk.y);
    const int32_t place =
        skyline_place(skyline, chunk.z) * skyline->edge + skyline_place(skyline, chunk.x);
    TrnCoord *column = &skyline->columns[place];
    if (!column->y || column->x != chunk.x || column->z != chunk.z) {
        *column = (TrnCoord){chunk.x, KNOWS_SOME, chunk.z};
        clear_column(skyline, place);
        mark_column(skyline, place);
        skyline->changes++;
    }
    uint8_t tops[TRN_CHUNK_EDGE][TRN_CHUNK_EDGE];
    chunk_tops(opaque, tops);
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
        mark_column(skyline, place);
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
static int32_t column_knows(const Skyline *skyline, int32_t x, int32_t z)
{
    const int32_t place = skyline_place(skyline, z) * skyline->edge + skyline_place(skyline, x);
    const TrnCoord *column = &skyline->columns[place];
    return column->x == x && column->z == z ? column->y : KNOWS_NOTHING;
}

bool skyline_knows(const Skyline *skyline, TrnCoord chunk)
{
    return column_knows(skyline, chunk.x, chunk.z) == KNOWS_ALL;
}

float skyline_height(const Skyline *skyline, int64_t x, int64_t z)
{
    const int32_t chunk_x = (int32_t)(x >> TRN_CHUNK_SHIFT),
                  chunk_z = (int32_t)(z >> TRN_CHUNK_SHIFT);
    const int32_t place =
        skyline_place(skyline, chunk_z) * skyline->edge + skyline_place(skyline, chunk_x);
    if (column_knows(skyline, chunk_x, chunk_z) == KNOWS_NOTHING) {
        return SKYLINE_NONE;
    }
    return skyline_row(skyline, place,
                       (int32_t)(z & (TRN_CHUNK_EDGE - 1)))[x & (TRN_CHUNK_EDGE - 1)];
}
