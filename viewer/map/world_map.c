#include "map/world_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "map/map_draw.h"
#include "map/seen_land.h"

#define TILE_BYTES ((size_t)WORLD_MAP_EDGE * WORLD_MAP_EDGE * 3)
#define UNSEEN_LIGHT 0.62f // of land that was not seen
#define UNSEEN_GREY 0.45f  // how much of its colour is lost

typedef struct Slot {
    WorldMapTile tile;
    uint8_t *rgb;
    bool is_stale;  ///< the land may have changed since it was drawn
    uint64_t asked; ///< number of the work that wanted it last
} Slot;

struct WorldMap {
    SeenLand *land;
    Slot slots[WORLD_MAP_TILES];
    MapDrawing *drawing;
    int drawn_slot; ///< of the drawing
    int rows;       ///< of it, complete
    uint8_t *canvas;
    uint64_t works;
    uint32_t pictures;
};

WorldMap *world_map_create(SeenLand *land)
{
    WorldMap *map = calloc(1, sizeof *map);
    uint8_t *canvas = malloc(TILE_BYTES);
    if (!map || !canvas) {
        free(map);
        free(canvas);
        return NULL;
    }
    map->land = land;
    map->canvas = canvas;
    return map;
}

void world_map_destroy(WorldMap *map)
{
    if (map) {
        map_drawing_destroy(map->drawing);
        for (int i = 0; i < WORLD_MAP_TILES; i++) {
            free(map->slots[i].rgb);
        }
        free(map->canvas);
        free(map);
    }
}

int64_t world_map_scale(int zoom)
{
    return (int64_t)1 << zoom;
}

int world_map_unit(int width, int height)
{
    int unit = 1;
    while ((width / (WORLD_MAP_EDGE * unit) + 2) * (height / (WORLD_MAP_EDGE * unit) + 2) >
           WORLD_MAP_TILES / 2) { // the other half keeps other zooms
        unit++;
    }
    return unit;
}

WorldMapTile world_map_tile(const WorldMap *map, int slot)
{
    return map->slots[slot].tile;
}

// ---- tiles --------------------------------------------------------------------------------------

static int64_t world_map_tile_voxels(int zoom)
{
    return WORLD_MAP_EDGE * world_map_scale(zoom);
}

/// Whether a tile shows any of a box of chunks, or the pixels next to it.
static bool world_map_touches(const WorldMapTile *tile, TrnBox box)
{
    const int64_t edge = world_map_tile_voxels(tile->zoom), margin = world_map_scale(tile->zoom);
    const int64_t chunk = TRN_CHUNK_EDGE;
    return tile->x * edge - margin < (box.max.x + 1) * chunk &&
           (tile->x + 1) * edge + margin > box.min.x * chunk &&
           tile->z * edge - margin < (box.max.z + 1) * chunk &&
           (tile->z + 1) * edge + margin > box.min.z * chunk;
}

void world_map_refresh(WorldMap *map, TrnBox loaded)
{
    const TrnBox changed = seen_land_take_changed(map->land, loaded);
    for (int i = 0; i < WORLD_MAP_TILES; i++) {
        Slot *slot = &map->slots[i];
        slot->is_stale = slot->is_stale || world_map_touches(&slot->tile, changed);
    }
}

static Slot *world_map_find(WorldMap *map, int zoom, int64_t x, int64_t z)
{
    for (int i = 0; i < WORLD_MAP_TILES; i++) {
        Slot *slot = &map->slots[i];
        if (slot->rgb && slot->tile.zoom == zoom && slot->tile.x == x && slot->tile.z == z) {
            return slot;
        }
    }
    return NULL;
}

/// Gives a tile the slot that was wanted longest ago. @return NULL if out of memory
static Slot *world_map_replace(WorldMap *map, int zoom, int64_t x, int64_t z)
{
    Slot *oldest = &map->slots[0];
    for (int i = 1; i < WORLD_MAP_TILES; i++) {
        oldest = map->slots[i].asked < oldest->asked ? &map->slots[i] : oldest;
    }
    oldest->rgb = oldest->rgb ? oldest->rgb : malloc(TILE_BYTES);
    if (oldest->rgb) {
        oldest->tile = (WorldMapTile){.zoom = zoom, .x = x, .z = z, .rgb = oldest->rgb};
        oldest->is_stale = true;
    }
    return oldest->rgb ? oldest : NULL;
}

static MapPlan world_map_plan(const WorldMapTile *tile)
{
    const int64_t edge = world_map_tile_voxels(tile->zoom);
    return (MapPlan){.is_smooth = true,
                     .center_x = tile->x * edge + edge / 2,
                     .center_z = tile->z * edge + edge / 2,
                     .width = WORLD_MAP_EDGE,
                     .height = WORLD_MAP_EDGE,
                     .scale = world_map_scale(tile->zoom)};
}

/// Returns the tile of a view to draw next, which has a slot then: one without a picture before one
/// that may have changed, the nearest to the middle first.
static Slot *world_map_next(WorldMap *map, const WorldMapView *view)
{
    const double edge = (double)world_map_tile_voxels(view->zoom);
    const double scale = (double)world_map_scale(view->zoom);
    const double half[2] = {view->width * scale / 2, view->height * scale / 2};
    double nearest = INFINITY;
    int64_t best[2] = {0};
    Slot *found = NULL;
    for (double z = floor((view->center[1] - half[1]) / edge); z * edge < view->center[1] + half[1];
         z++) {
        for (double x = floor((view->center[0] - half[0]) / edge);
             x * edge < view->center[0] + half[0]; x++) {
            Slot *slot = world_map_find(map, view->zoom, (int64_t)x, (int64_t)z);
            const bool has_picture = slot && slot->tile.picture;
            const double away =
                hypot((x + 0.5) * edge - view->center[0], (z + 0.5) * edge - view->center[1]) +
                (has_picture ? 1e15 : 0);
            const WorldMapTile tile = {view->zoom, (int64_t)x, (int64_t)z, NULL, 0};
            const MapPlan plan = world_map_plan(&tile);
            Message ignored;
            if (slot) {
                slot->asked = map->works;
            }
            if ((!slot || slot->is_stale) && away < nearest && map_plan_check(&plan, &ignored)) {
                nearest = away;
                best[0] = tile.x;
                best[1] = tile.z;
                found = slot;
            }
        }
    }
    return nearest == INFINITY || found ? found
                                        : world_map_replace(map, view->zoom, best[0], best[1]);
}

// ---- drawing ------------------------------------------------------------------------------------

/// Darkens the pixels of a row that were not seen.
static void world_map_shade(const WorldMap *map, const WorldMapTile *tile, int row, uint8_t *rgb)
{
    const int64_t scale = world_map_scale(tile->zoom);
    const int64_t z = (tile->z * WORLD_MAP_EDGE + row) * scale + scale / 2;
    for (int i = 0; i < WORLD_MAP_EDGE; i++) {
        const int64_t x = (tile->x * WORLD_MAP_EDGE + i) * scale + scale / 2;
        uint8_t *pixel = rgb + 3 * (size_t)i;
        if (seen_land_has(map->land, (int32_t)(x >> TRN_CHUNK_SHIFT),
                          (int32_t)(z >> TRN_CHUNK_SHIFT))) {
            continue;
        }
        const float grey = (float)(pixel[0] + pixel[1] + pixel[2]) / 3;
        for (int c = 0; c < 3; c++) {
            const float colour = (float)pixel[c];
            pixel[c] = (uint8_t)(UNSEEN_LIGHT * (colour + (grey - colour) * UNSEEN_GREY));
        }
    }
}

static bool world_map_take_row(void *user, const unsigned char *rgb, Message *problem)
{
    (void)problem;
    WorldMap *map = user;
    uint8_t *row = map->canvas + (size_t)map->rows * WORLD_MAP_EDGE * 3;
    memcpy(row, rgb, (size_t)WORLD_MAP_EDGE * 3);
    world_map_shade(map, &map->slots[map->drawn_slot].tile, map->rows++, row);
    return true;
}

static void world_map_end(WorldMap *map)
{
    map_drawing_destroy(map->drawing);
    map->drawing = NULL;
}

/// Draws the next piece of a tile: a region of the world file to look into, or a column of chunks.
/// @return false if out of memory, or the land cannot be read
static bool world_map_piece(WorldMap *map, Slot *slot)
{
    const MapPlan plan = world_map_plan(&slot->tile);
    Message ignored;
    const int number = (int)(slot - map->slots);
    if (map->drawing && map->drawn_slot != number) {
        world_map_end(map); // the view has moved on
    }
    if (!map->drawing) {
        if (seen_land_look_up(map->land, map_plan_chunks(&plan))) {
            return true;
        }
        map->drawn_slot = number;
        map->rows = 0;
        return map_drawing_create(&map->drawing, &plan, map->land->source, world_map_take_row, map,
                                  &ignored);
    }
    bool is_good = map_drawing_step(map->drawing, &ignored);
    if (!is_good || map_drawing_left(map->drawing) == 0) {
        world_map_end(map);
    }
    if (is_good && !map->drawing) {
        memcpy(slot->rgb, map->canvas, TILE_BYTES);
        slot->is_stale = false;
        slot->tile.picture = ++map->pictures ? map->pictures : ++map->pictures;
    }
    return is_good;
}

bool world_map_work(WorldMap *map, const WorldMapView *view, double ms)
{
    const double until = clock_us() + ms * 1e3;
    map->works++;
    Slot *slot = world_map_next(map, view);
    for (bool is_first = true; slot && (is_first || clock_us() < until); is_first = false) {
        if (!world_map_piece(map, slot)) {
            slot->is_stale = false; // it stays as it is until the map is opened again
        }
        slot = slot->is_stale ? slot : world_map_next(map, view);
    }
    return slot != NULL;
}
