#include "map_pyramid.h"

/// Divides, and rounds down.
static int64_t pyramid_floor(int64_t value, int64_t by)
{
    return value / by - (value % by < 0);
}

MapPyramid map_pyramid_of(const MapPlan *plan)
{
    const int64_t edge = MAP_TILE_PIXELS * plan->scale;
    const int64_t west = plan->center_x - plan->width * plan->scale / 2;
    const int64_t north = plan->center_z - plan->height * plan->scale / 2;
    const int64_t x = pyramid_floor(west, edge), z = pyramid_floor(north, edge);
    MapPyramid pyramid = {
        .west = x * edge,
        .north = z * edge,
        .scale = plan->scale,
        .columns = (int)(pyramid_floor(west + plan->width * plan->scale - 1, edge) - x + 1),
        .rows = (int)(pyramid_floor(north + plan->height * plan->scale - 1, edge) - z + 1),
    };
    while (pyramid.columns > 1 << pyramid.last_zoom || pyramid.rows > 1 << pyramid.last_zoom) {
        pyramid.last_zoom++;
    }
    return pyramid;
}

/// How many tiles of a zoom cover some of the last one.
static int pyramid_count(const MapPyramid *pyramid, int count, int zoom)
{
    const int up = pyramid->last_zoom - zoom;
    return (count + (1 << up) - 1) >> up;
}

int map_pyramid_columns(const MapPyramid *pyramid, int zoom)
{
    return pyramid_count(pyramid, pyramid->columns, zoom);
}

int map_pyramid_rows(const MapPyramid *pyramid, int zoom)
{
    return pyramid_count(pyramid, pyramid->rows, zoom);
}

bool map_pyramid_has(const MapPyramid *pyramid, MapTile tile)
{
    return tile.zoom >= 0 && tile.zoom <= pyramid->last_zoom && tile.x >= 0 && tile.y >= 0 &&
           tile.x < map_pyramid_columns(pyramid, tile.zoom) &&
           tile.y < map_pyramid_rows(pyramid, tile.zoom);
}

int64_t map_pyramid_tiles(const MapPyramid *pyramid)
{
    int64_t count = 0;
    for (int zoom = 0; zoom <= pyramid->last_zoom; zoom++) {
        count += (int64_t)map_pyramid_columns(pyramid, zoom) * map_pyramid_rows(pyramid, zoom);
    }
    return count;
}

MapPlan map_pyramid_plan(const MapPyramid *pyramid, MapTile first, int columns, int rows)
{
    const int64_t edge = MAP_TILE_PIXELS * pyramid->scale;
    return (MapPlan){
        .center_x = pyramid->west + first.x * edge + columns * edge / 2,
        .center_z = pyramid->north + first.y * edge + rows * edge / 2,
        .width = columns * MAP_TILE_PIXELS,
        .height = rows * MAP_TILE_PIXELS,
        .scale = pyramid->scale,
    };
}
