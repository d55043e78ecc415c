#include "map/map_canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAP_EXAGGERATION_MAX 4.0f

bool map_canvas_create(MapCanvas *canvas, const MapAxis *across, const MapAxis *down,
                       bool has_relief, MapRow *row, void *user, Message *problem)
{
    const int border = across->border;
    *canvas = (MapCanvas){
        .width = across->pixels + 2 * border,
        // The rows of one chunk's samples, and the adjacent ones that a row's relief needs.
        .rows = (int)(((int64_t)TRN_CHUNK_EDGE << down->level) / down->scale) + 6,
        .height = down->pixels + 2 * border,
        .border = border,
        .has_relief = has_relief,
        .samples = (float)(across->samples * down->samples),
        .row = row,
        .user = user,
    };
    // How much steeper than the land the relief is drawn. At large scales mountains would look
    // flat.
    const float exaggeration = fminf(cbrtf((float)across->scale), MAP_EXAGGERATION_MAX);
    // A slope sums eight heights, two pixels apart: four on each side.
    canvas->slope = exaggeration / (8.0f * (float)across->scale);
    canvas->pixels = calloc((size_t)canvas->rows * (size_t)canvas->width, sizeof *canvas->pixels);
    canvas->rgb = malloc((size_t)across->pixels * 3);
    if (canvas->pixels && canvas->rgb) {
        return true;
    }
    map_canvas_destroy(canvas);
    return message_set(problem, "Out of memory for the map; make --size smaller.");
}

void map_canvas_destroy(MapCanvas *canvas)
{
    free(canvas->pixels);
    free(canvas->rgb);
    *canvas = (MapCanvas){0};
}

// ---- colours -----------------------------------------------------------------------------------

static const float MAP_SKY_LOW[3] = {214, 230, 244}, MAP_SKY_HIGH[3] = {92, 146, 216};
static const float MAP_CAVE[3] = {34, 30, 34}, MAP_NOTHING[3] = {12, 10, 14};
#define MAP_SKY_HIGH_VOXELS 320.0f   ///< the sky is darkest from here up
#define MAP_ROOF_DARK_VOXELS 8.0f    ///< beneath so much ground it is dark
#define MAP_DEEP_STONE_VOXELS 160.0f ///< beneath so much ground the cut gets no darker
#define MAP_CLEAR_WATER_VOXELS 7.0f  ///< one part in e of the bed's light comes through
#define MAP_DARK_WATER_VOXELS 30.0f  ///< the same for what the water itself sends back
#define MAP_SECTION_WATER_VOXELS 60.0f

static float map_clamp_unit(float value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

/// Adds a mix of two colours.
static void map_add_mixed(float sum[3], const float from[3], const float to[3], float weight)
{
    for (int c = 0; c < 3; c++) {
        sum[c] += from[c] + (to[c] - from[c]) * weight;
    }
}

static void map_add_face(float sum[3], const MapSource *source, TrnBlock block, TrnFace face,
                         float weight)
{
    const uint8_t *colour = map_source_colour(source, block, face);
    for (int c = 0; c < 3; c++) {
        sum[c] += (float)colour[c] * weight;
    }
}

static void map_add_bed(MapPixel *pixel, const MapSource *source, const MapColumn *column,
                        float weight)
{
    if (column->bed == TRN_BLOCK_AIR) {
        for (int c = 0; c < 3; c++) {
            pixel->flat[c] += MAP_NOTHING[c] * weight;
        }
        return;
    }
    map_add_face(pixel->lit, source, column->bed, TRN_FACE_POS_Y, weight);
}

void map_pixel_add_column(MapPixel *pixel, const MapSource *source, const MapColumn *column)
{
    pixel->height += (float)column->bed_y;
    if (map_source_kind(source, column->top) != TRN_BLOCK_KIND_LIQUID) {
        map_add_bed(pixel, source, column, 1);
        return;
    }
    const float depth = (float)(column->top_y - column->bed_y);
    const float through = 0.45f * expf(-depth / MAP_CLEAR_WATER_VOXELS);
    const float bright = 0.45f + 0.55f * expf(-depth / MAP_DARK_WATER_VOXELS);
    map_add_bed(pixel, source, column, through);
    map_add_face(pixel->flat, source, column->top, TRN_FACE_POS_Y, (1 - through) * bright);
}

static void map_add_air(float sum[3], int64_t y, int32_t roof)
{
    const float high = map_clamp_unit((float)y / MAP_SKY_HIGH_VOXELS);
    float sky[3] = {0, 0, 0};
    map_add_mixed(sky, MAP_SKY_LOW, MAP_SKY_HIGH, high);
    map_add_mixed(sum, sky, MAP_CAVE, map_clamp_unit((float)roof / MAP_ROOF_DARK_VOXELS));
}

void map_pixel_add_voxel(MapPixel *pixel, const MapSource *source, TrnBlock block, int64_t y,
                         MapCover cover)
{
    switch (map_source_kind(source, block)) {
    case TRN_BLOCK_KIND_AIR:
        map_add_air(pixel->flat, y, cover.roof);
        return;
    case TRN_BLOCK_KIND_LIQUID:
        map_add_face(pixel->flat, source, block, TRN_FACE_POS_Z,
                     0.5f + 0.5f * expf(-(float)cover.liquid / MAP_SECTION_WATER_VOXELS));
        return;
    default:
        // The surface as seen from above: grass, not the earth below it.
        map_add_face(pixel->flat, source, block, cover.roof ? TRN_FACE_POS_Z : TRN_FACE_POS_Y,
                     1 - 0.4f * map_clamp_unit((float)cover.roof / MAP_DEEP_STONE_VOXELS));
    }
}

// ---- rows --------------------------------------------------------------------------------------

/// The mean height at a pixel; beyond the canvas, that of its edge.
static float map_height_at(MapCanvas *canvas, int64_t column, int64_t row)
{
    column = column < 0 ? 0 : column < canvas->width ? column : canvas->width - 1;
    row = row < 0 ? 0 : row < canvas->height ? row : canvas->height - 1;
    return map_canvas_pixel(canvas, column, row)->height / canvas->samples;
}

/// The brightness of the land at a pixel; level land has 1. The sun is in the north-west, 45
/// degrees high.
static float map_relief_shade(MapCanvas *canvas, int64_t column, int64_t row)
{
    float h[3][3]; // by row, then column
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            h[j][i] = map_height_at(canvas, column + i - 1, row + j - 1);
        }
    }
    // The Sobel operator is smooth enough to hide that heights are whole voxels.
    const float east = (h[0][2] + 2 * h[1][2] + h[2][2]) - (h[0][0] + 2 * h[1][0] + h[2][0]);
    const float south = (h[2][0] + 2 * h[2][1] + h[2][2]) - (h[0][0] + 2 * h[0][1] + h[0][2]);
    const float x = east * canvas->slope, z = south * canvas->slope;
    const float half_diagonal = 0.70710678f;
    const float sun = (1 + (x + z) * half_diagonal) / sqrtf(x * x + z * z + 1);
    const float ambient = 0.3f;
    return ambient + (1 - ambient) * fmaxf(sun, 0);
}

static unsigned char map_to_byte(float value)
{
    return value <= 0 ? 0 : value >= 255 ? 255 : (unsigned char)lroundf(value);
}

static void map_shade_row(MapCanvas *canvas)
{
    const int count = canvas->width - 2 * canvas->border;
    const int64_t row = canvas->written + canvas->border;
    for (int i = 0; i < count; i++) {
        const int column = i + canvas->border;
        const MapPixel *pixel = map_canvas_pixel(canvas, column, row);
        const float shade = canvas->has_relief ? map_relief_shade(canvas, column, row) : 1;
        for (size_t c = 0; c < 3; c++) {
            canvas->rgb[(size_t)i * 3 + c] =
                map_to_byte((pixel->lit[c] * shade + pixel->flat[c]) / canvas->samples);
        }
    }
}

bool map_canvas_write(MapCanvas *canvas, int64_t whole, Message *problem)
{
    const int beside = canvas->has_relief; // rows on each side that a row's relief needs
    const int64_t ready = whole == canvas->height ? whole - canvas->border : whole - beside;
    while (canvas->written + canvas->border < ready) {
        map_shade_row(canvas);
        if (!canvas->row(canvas->user, canvas->rgb, problem)) {
            return false;
        }
        // The oldest row is done; a later row reuses its place.
        const int64_t oldest = (int64_t)canvas->written + canvas->border - beside;
        if (oldest >= 0) {
            memset(map_canvas_pixel(canvas, 0, oldest), 0,
                   (size_t)canvas->width * sizeof *canvas->pixels);
        }
        canvas->written++;
    }
    return true;
}
