#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "map_tiles.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "image.h"
#include "interrupt.h"
#include "job_share.h"
#include "map_page.h"
#include "whole_file.h"

// Zooms that one part of the work draws: a block of tiles, and what is made from them.
#define PART_ZOOMS 3
_Static_assert(1 << (PART_ZOOMS - 1) == MAP_BLOCK_TILES, "a part is a block");

#define ROW_BYTES ((size_t)MAP_TILE_PIXELS * 3)
#define TILE_BYTES (ROW_BYTES * MAP_TILE_PIXELS)

typedef struct MapTiles {
    const MapTilesDef *def;
    JobShare share;
    char name[64]; ///< of the share's job
    Progress progress;
    int64_t drawn;
    Message *problem;
    bool has_failed; ///< the problem is set
    // The block that is being drawn.
    MapTile first;
    int columns, rows;                     ///< tiles
    ImageWriter *writers[MAP_BLOCK_TILES]; ///< of the row of tiles; NULL: that tile exists
    int row;                               ///< pixels that are drawn
    // The tile that is being made.
    unsigned char quarter[TILE_BYTES], made[TILE_BYTES];
} MapTiles;

// ---- files -------------------------------------------------------------------------------------

/// @param path  [PATH_MAX]
static bool tile_path(const MapTiles *tiles, MapTile tile, char *path)
{
    return snprintf(path, PATH_MAX, "%s/%d/%d/%d.png", tiles->def->folder, tile.zoom, tile.x,
                    tile.y) < PATH_MAX;
}

static bool tile_exists(const MapTiles *tiles, MapTile tile)
{
    char path[PATH_MAX];
    struct stat status;
    return tile_path(tiles, tile, path) && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/// Opens a tile for writing, and makes its folders.
static ImageWriter *tile_create(MapTiles *tiles, MapTile tile)
{
    char path[PATH_MAX];
    ImageWriter *writer;
    int error = tile_path(tiles, tile, path) ? 0 : ENAMETOOLONG;
    const size_t folder = strlen(tiles->def->folder);
    for (char *slash = error ? NULL : path + folder; slash && !error;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        error = whole_file_make_folder(path, false);
        *slash = '/';
    }
    if (error) {
        (void)whole_file_problem(tiles->def->folder, error, tiles->problem);
        return NULL;
    }
    const bool good =
        image_writer_create(&writer, path, MAP_TILE_PIXELS, MAP_TILE_PIXELS, tiles->problem);
    return good ? writer : NULL;
}

// ---- tiles of the last zoom --------------------------------------------------------------------

static bool tiles_step(void *user, Message *problem)
{
    MapTiles *tiles = user;
    if (interrupt_came()) {
        return message_set(problem, "Interrupted; the same command goes on from here.");
    }
    const TrnResult result = job_share_renew(&tiles->share);
    return result == TRN_RESULT_OK || job_share_problem(&tiles->share, result, problem);
}

static void block_drop(MapTiles *tiles)
{
    for (int i = 0; i < MAP_BLOCK_TILES; i++) {
        image_writer_destroy(tiles->writers[i]);
        tiles->writers[i] = NULL;
    }
}

/// Opens those tiles of a row of the block that do not exist.
static bool block_open_row(MapTiles *tiles)
{
    bool good = true;
    for (int i = 0; i < tiles->columns && good; i++) {
        const MapTile tile = {tiles->first.zoom, tiles->first.x + i,
                              tiles->first.y + tiles->row / MAP_TILE_PIXELS};
        if (!tile_exists(tiles, tile)) {
            tiles->writers[i] = tile_create(tiles, tile);
            good = tiles->writers[i] != NULL;
        }
    }
    return good;
}

static bool block_finish_row(MapTiles *tiles)
{
    bool good = true;
    for (int i = 0; i < tiles->columns && good; i++) {
        if (tiles->writers[i]) {
            good = image_writer_finish(tiles->writers[i], tiles->problem);
            tiles->drawn += good;
        }
    }
    block_drop(tiles);
    return good;
}

/// Takes a row of pixels of the block apart.
static bool block_row(void *user, const unsigned char *rgb, Message *problem)
{
    MapTiles *tiles = user;
    bool good = tiles->row % MAP_TILE_PIXELS || block_open_row(tiles);
    for (int i = 0; i < tiles->columns && good; i++) {
        good = !tiles->writers[i] ||
               image_writer_row(tiles->writers[i], rgb + (size_t)i * ROW_BYTES, problem);
    }
    return good && (++tiles->row % MAP_TILE_PIXELS || block_finish_row(tiles));
}

/// Draws the block that a tile of the last zoom lies in.
static bool block_draw(MapTiles *tiles, MapTile tile)
{
    const MapPyramid *pyramid = &tiles->def->pyramid;
    const int mask = ~(MAP_BLOCK_TILES - 1);
    tiles->first = (MapTile){tile.zoom, tile.x & mask, tile.y & mask};
    const int right = pyramid->columns - tiles->first.x, below = pyramid->rows - tiles->first.y;
    tiles->columns = right < MAP_BLOCK_TILES ? right : MAP_BLOCK_TILES;
    tiles->rows = below < MAP_BLOCK_TILES ? below : MAP_BLOCK_TILES;
    tiles->row = 0;
    const MapPlan plan = map_pyramid_plan(pyramid, tiles->first, tiles->columns, tiles->rows);
    const MapSink sink = {block_row, tiles_step, tiles};
    const bool good = map_draw_rows(&plan, tiles->def->source, sink, tiles->problem);
    block_drop(tiles);
    return good;
}

// ---- tiles made from four others ---------------------------------------------------------------

/// Puts a tile at half size into a quarter of the tile that is being made.
static void fold_quarter(MapTiles *tiles, int right, int below)
{
    const int half = MAP_TILE_PIXELS / 2;
    for (int y = 0; y < half; y++) {
        const unsigned char *from = tiles->quarter + 2 * (size_t)y * ROW_BYTES;
        unsigned char *to =
            tiles->made + (size_t)(y + below * half) * ROW_BYTES + (size_t)right * (ROW_BYTES / 2);
        for (int x = 0; x < half; x++, from += 6, to += 3) {
            for (int c = 0; c < 3; c++) {
                to[c] = (unsigned char)((from[c] + from[c + 3] + from[ROW_BYTES + (size_t)c] +
                                         from[ROW_BYTES + (size_t)c + 3] + 2) /
                                        4);
            }
        }
    }
}

static bool fold_write(MapTiles *tiles, MapTile tile)
{
    ImageWriter *writer = tile_create(tiles, tile);
    bool good = writer != NULL;
    for (int y = 0; y < MAP_TILE_PIXELS && good; y++) {
        good = image_writer_row(writer, tiles->made + (size_t)y * ROW_BYTES, tiles->problem);
    }
    good = good && image_writer_finish(writer, tiles->problem);
    tiles->drawn += good;
    image_writer_destroy(writer);
    return good;
}

/// Makes a tile from the four below it, which exist as far as the map reaches.
static bool fold_tile(MapTiles *tiles, MapTile tile)
{
    static const unsigned char outside[3] = MAP_PAGE_OUTSIDE;
    for (size_t i = 0; i < TILE_BYTES; i++) {
        tiles->made[i] = outside[i % 3];
    }
    for (int i = 0; i < 4; i++) {
        const MapTile below = {tile.zoom + 1, 2 * tile.x + i % 2, 2 * tile.y + i / 2};
        char path[PATH_MAX];
        if (!map_pyramid_has(&tiles->def->pyramid, below) || !tile_path(tiles, below, path)) {
            continue;
        }
        if (!image_read_png(path, tiles->quarter, MAP_TILE_PIXELS, MAP_TILE_PIXELS,
                            tiles->problem)) {
            return false;
        }
        fold_quarter(tiles, i % 2, i / 2);
    }
    return fold_write(tiles, tile);
}

/// Makes a tile and those that it is made from, as far as they do not exist. A tile is written
/// after those, so one that exists needs no look at them.
static bool tile_make(MapTiles *tiles, MapTile tile)
{
    if (!map_pyramid_has(&tiles->def->pyramid, tile) || tile_exists(tiles, tile)) {
        return true;
    }
    if (tile.zoom == tiles->def->pyramid.last_zoom) {
        return block_draw(tiles, tile);
    }
    bool good = true;
    for (int i = 0; i < 4 && good; i++) {
        const MapTile below = {tile.zoom + 1, 2 * tile.x + i % 2, 2 * tile.y + i / 2};
        good = tile_make(tiles, below); // NOLINT(misc-no-recursion): as deep as there are zooms
    }
    return good && tiles_step(tiles, tiles->problem) && fold_tile(tiles, tile);
}

// ---- everything --------------------------------------------------------------------------------

/// Draws a part: the tile, and those below it that no earlier part has drawn.
static TrnResult tiles_work(void *user, TrnRegion part, bool *is_done)
{
    MapTiles *tiles = user;
    *is_done = tile_make(tiles, (MapTile){part.y, part.x, part.z});
    tiles->has_failed = !*is_done;
    return *is_done ? TRN_RESULT_OK : TRN_RESULT_IO;
}

/// The number of tiles at the top of the parts of a zoom.
static int64_t stage_count(const MapPyramid *pyramid, int zoom)
{
    return (int64_t)map_pyramid_columns(pyramid, zoom) * map_pyramid_rows(pyramid, zoom);
}

/// Shares the parts whose top is at a zoom.
static TrnResult stage_draw(MapTiles *tiles, int zoom)
{
    const int columns = map_pyramid_columns(&tiles->def->pyramid, zoom);
    const int64_t count = stage_count(&tiles->def->pyramid, zoom);
    TrnRegion *parts = calloc((size_t)count, sizeof *parts);
    if (!parts) {
        return TRN_RESULT_NO_MEMORY;
    }
    for (int64_t i = 0; i < count; i++) {
        parts[i] = (TrnRegion){(int32_t)(i % columns), zoom, (int32_t)(i / columns)};
    }
    tiles->share.parts = parts;
    tiles->share.count = (size_t)count;
    tiles->share.other_parts -= count;
    const TrnResult result = job_share_run(&tiles->share);
    tiles->share.other_parts += count;
    tiles->share.done_before += count;
    free(parts);
    return result;
}

/// The zoom at the top of the parts that are drawn first.
static int stage_first(const MapPyramid *pyramid)
{
    return pyramid->last_zoom < PART_ZOOMS ? 0 : pyramid->last_zoom - (PART_ZOOMS - 1);
}

/// The zoom of the next stage; -1: there is none.
static int stage_next(int zoom)
{
    return zoom == 0 ? -1 : zoom > PART_ZOOMS ? zoom - PART_ZOOMS : 0;
}

static void stage_name(MapTiles *tiles, int zoom)
{
    (void)snprintf(tiles->name, sizeof tiles->name, "map/%016" PRIx64 "/%d",
                   map_page_hash(&tiles->def->pyramid, tiles->def->land), zoom);
    tiles->share.name = tiles->name;
}

/// Draws all tiles, in parts of three zooms, the last ones first.
static TrnResult tiles_draw(MapTiles *tiles)
{
    const MapPyramid *pyramid = &tiles->def->pyramid;
    const int first = stage_first(pyramid);
    for (int zoom = first; zoom >= 0; zoom = stage_next(zoom)) {
        tiles->share.other_parts += stage_count(pyramid, zoom);
    }
    TrnResult result = TRN_RESULT_OK;
    // The first tile is the last to be drawn, perhaps by another process that has forgotten the
    // job.
    const MapTile top = {0};
    for (int zoom = first; zoom >= 0 && result == TRN_RESULT_OK && !tile_exists(tiles, top);
         zoom = stage_next(zoom)) {
        stage_name(tiles, zoom);
        result = stage_draw(tiles, zoom);
    }
    // The folder counts, not what the database says: other processes may draw into another one.
    bool is_done = false;
    result = result == TRN_RESULT_OK ? tiles_work(tiles, (TrnRegion){0}, &is_done) : result;
    for (int zoom = first; zoom >= 0 && result == TRN_RESULT_OK; zoom = stage_next(zoom)) {
        stage_name(tiles, zoom);
        result = job_share_forget(&tiles->share);
    }
    return result;
}

bool map_tiles_draw(const MapTilesDef *def, int64_t *drawn, Message *problem)
{
    if (!map_page_write(def->folder, &def->pyramid, def->land, problem)) {
        return false;
    }
    MapTiles *tiles = calloc(1, sizeof *tiles);
    if (!tiles) {
        return message_set(problem, "Out of memory for the map.");
    }
    tiles->def = def;
    tiles->problem = problem;
    tiles->progress = progress_start(stderr, "terrane map", 0);
    tiles->share = (JobShare){
        .storage = def->storage, .work = tiles_work, .user = tiles, .progress = &tiles->progress};
    const TrnResult result = tiles_draw(tiles);
    progress_end(&tiles->progress);
    const bool good = result == TRN_RESULT_OK, has_message = tiles->has_failed;
    *drawn = tiles->drawn;
    if (!good && !has_message) {
        (void)job_share_problem(&tiles->share, result, problem);
    }
    free(tiles);
    return good;
}
