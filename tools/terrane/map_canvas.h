/// The rows of a picture in progress: samples are added, complete rows are shaded and written.
#ifndef TERRANE_TOOL_MAP_CANVAS_H
#define TERRANE_TOOL_MAP_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "map_axis.h"
#include "map_sink.h"

/// Sums over the samples of a pixel. Colours are sRGB, 0..255.
typedef struct MapPixel {
    float lit[3];  ///< shaded by the sun
    float flat[3]; ///< not shaded: water, sky
    float height;  ///< voxels
} MapPixel;

typedef struct MapCanvas {
    MapPixel *pixels;   ///< [rows * width]; picture row r is at r % rows
    unsigned char *rgb; ///< one row
    int width, rows;    ///< pixels, with the border
    int border;         ///< 1 with relief, 0 without
    float samples;      ///< a pixel
    float slope;        ///< factor from a height difference over two pixels to a slope
    int written;        ///< rows
    const MapSink *sink;
} MapCanvas;

/// @param across,down  the axes of the picture, with the same border
/// @param sink         borrowed
bool map_canvas_create(MapCanvas *canvas, const MapAxis *across, const MapAxis *down,
                       const MapSink *sink, Message *problem);
void map_canvas_destroy(MapCanvas *canvas);

/// The pixel to add a sample to; column and row count from the border's first.
static inline MapPixel *map_canvas_pixel(MapCanvas *canvas, int64_t column, int64_t row)
{
    return &canvas->pixels[(size_t)(row % canvas->rows) * (size_t)canvas->width + (size_t)column];
}

/// Writes the rows that are complete. @param whole  number of rows, border included, that get no
/// more samples
bool map_canvas_write(MapCanvas *canvas, int64_t whole, Message *problem);

#endif
