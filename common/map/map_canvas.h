/// The rows of a picture in progress: samples are added to pixels, complete rows are shaded and
/// written. Colours are sRGB, 0..255.
#pragma once

#include "map/map_axis.h"
#include "map/map_source.h"
#include "message.h"

/// Sums over the samples of a pixel.
typedef struct MapPixel {
    float lit[3];  ///< shaded by the sun
    float flat[3]; ///< not shaded: water, sky
    float height;  ///< voxels
} MapPixel;

/// The voxels above a voxel of a section.
typedef struct MapCover {
    int32_t roof;   ///< opaque voxels, anywhere above it
    int32_t liquid; ///< liquid voxels directly above it
} MapCover;

/// Receives the next row of a picture, from the top. @param rgb  [width * 3] sRGB
/// @return false with a message to stop
typedef bool MapRow(void *user, const unsigned char *rgb, Message *problem);

typedef struct MapCanvas {
    MapPixel *pixels;   ///< [rows * width]; picture row r is at r % rows
    unsigned char *rgb; ///< one row
    int width, rows;    ///< pixels, with the border
    int height;         ///< of the picture, with the border
    int border;         ///< pixels
    bool has_relief;    ///< without a border, the slope at an edge is that of its inner side
    float samples;      ///< a pixel
    float slope;        ///< factor from a height difference over two pixels to a slope
    int written;        ///< rows
    MapRow *row;
    void *user; ///< passed to it
} MapCanvas;

/// @param across,down  the axes of the picture, with the same border
bool map_canvas_create(MapCanvas *canvas, const MapAxis *across, const MapAxis *down,
                       bool has_relief, MapRow *row, void *user, Message *problem);
void map_canvas_destroy(MapCanvas *canvas);

/// The pixel to add a sample to; column and row count from the border's first.
static inline MapPixel *map_canvas_pixel(MapCanvas *canvas, int64_t column, int64_t row)
{
    return &canvas->pixels[(size_t)(row % canvas->rows) * (size_t)canvas->width + (size_t)column];
}

/// Adds a column, seen from above: land has the colour of its top; water mixes its own with that of
/// its bed, by depth.
void map_pixel_add_column(MapPixel *pixel, const MapSource *source, const MapColumn *column);

/// Adds a voxel of a section: blocks have the colour of their cut; air is sky, or dark if ground is
/// above it.
void map_pixel_add_voxel(MapPixel *pixel, const MapSource *source, TrnBlock block, int64_t y,
                         MapCover cover);

/// Writes the rows that are complete. @param whole  number of rows, border included, that get no
/// more samples
bool map_canvas_write(MapCanvas *canvas, int64_t whole, Message *problem);
