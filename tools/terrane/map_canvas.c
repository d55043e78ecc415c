#include "map_canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXAGGERATION_MAX 4.0f

/// How much steeper than the land the relief is drawn. At large scales mountains would look flat.
static float relief_exaggeration(int64_t scale)
{
    return fminf(cbrtf((float)scale), EXAGGERATION_MAX);
}

bool map_canvas_create(MapCanvas *canvas, const MapAxis *across, const MapAxis *down,
                       const MapSink *sink, Message *problem)
{
    const int border = across->border;
    *canvas = (MapCanvas){
        .width = across->pixels + 2 * border,
        // The rows of one chunk's samples, and the adjacent ones that a row's relief needs.
        .rows = (int)(((int64_t)TRN_CHUNK_EDGE << down->level) / down->scale) + 6,
        .border = border,
        .samples = (float)(across->samples * down->samples),
        .sink = sink,
    };
    // A slope sums eight heights, two pixels apart: four on each side.
    canvas->slope = relief_exaggeration(across->scale) / (8.0f * (float)across->scale);
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

/// The brightness of the land at a pixel; level land has 1. The sun is in the north-west, 45
/// degrees high.
static float relief_shade(MapCanvas *canvas, int64_t column, int64_t row)
{
    float h[3][3]; // by row, then column
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            h[j][i] =
                map_canvas_pixel(canvas, column + i - 1, row + j - 1)->height / canvas->samples;
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

static unsigned char to_byte(float value)
{
    return value <= 0 ? 0 : value >= 255 ? 255 : (unsigned char)lroundf(value);
}

static void shade_row(MapCanvas *canvas)
{
    const int count = canvas->width - 2 * canvas->border;
    const int64_t row = canvas->written + canvas->border;
    for (int i = 0; i < count; i++) {
        const int column = i + canvas->border;
        const MapPixel *pixel = map_canvas_pixel(canvas, column, row);
        const float shade = canvas->border ? relief_shade(canvas, column, row) : 1;
        for (size_t c = 0; c < 3; c++) {
            canvas->rgb[(size_t)i * 3 + c] =
                to_byte((pixel->lit[c] * shade + pixel->flat[c]) / canvas->samples);
        }
    }
}

bool map_canvas_write(MapCanvas *canvas, int64_t whole, Message *problem)
{
    while (canvas->written + 2 * canvas->border < whole) {
        shade_row(canvas);
        if (!canvas->sink->row(canvas->sink->user, canvas->rgb, problem)) {
            return false;
        }
        // The oldest row is done; a later row reuses its place.
        MapPixel *oldest = map_canvas_pixel(canvas, 0, canvas->written);
        memset(oldest, 0, (size_t)canvas->width * sizeof *oldest);
        canvas->written++;
    }
    return true;
}
