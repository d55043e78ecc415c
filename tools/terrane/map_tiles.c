#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "map_tiles.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "image.h"
#include "interrupt.h"
#include "job_share.h"
#include "whole_file.h"

// ---- which tiles there are ---------------------------------------------------------------------

/// Divides, and rounds down.
static int64_t map_floor(int64_t value, int64_t by)
{
    return value / by - (value % by < 0);
}

MapPyramid map_pyramid_of(const MapPlan *plan)
{
    const int64_t edge = MAP_TILE_PIXELS * plan->scale;
    const int64_t west = plan->center_x - plan->width * plan->scale / 2;
    const int64_t north = plan->center_z - plan->height * plan->scale / 2;
    const int64_t x = map_floor(west, edge), z = map_floor(north, edge);
    MapPyramid pyramid = {
        .west = x * edge,
        .north = z * edge,
        .scale = plan->scale,
        .columns = (int)(map_floor(west + plan->width * plan->scale - 1, edge) - x + 1),
        .rows = (int)(map_floor(north + plan->height * plan->scale - 1, edge) - z + 1),
    };
    while (pyramid.columns > 1 << pyramid.last_zoom || pyramid.rows > 1 << pyramid.last_zoom) {
        pyramid.last_zoom++;
    }
    return pyramid;
}

/// How many tiles of a zoom cover some of the last one.
static int map_tiles_of_zoom(const MapPyramid *pyramid, int count, int zoom)
{
    const int up = pyramid->last_zoom - zoom;
    return (count + (1 << up) - 1) >> up;
}

int map_pyramid_columns(const MapPyramid *pyramid, int zoom)
{
    return map_tiles_of_zoom(pyramid, pyramid->columns, zoom);
}

int map_pyramid_rows(const MapPyramid *pyramid, int zoom)
{
    return map_tiles_of_zoom(pyramid, pyramid->rows, zoom);
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

// ---- the page, and the file that says what the tiles are ----------------------------------------

#define MAP_FACTS_BYTES 1024

extern const char asset_map_html[];

/// Where the facts belong in the page.
static const char MAP_PAGE_MARK[] = "null/*tiles.json*/";

/// Says in JSON what the tiles are. @param text  [MAP_FACTS_BYTES]
static void map_page_facts(const MapPyramid *pyramid, const char *land, char *text)
{
    (void)snprintf(text, MAP_FACTS_BYTES,
                   "{\"format\": 1, \"tiles\": \"{z}/{x}/{y}.png\", \"pixels\": %d, "
                   "\"lastZoom\": %d, \"columns\": %d, \"rows\": %d, \"scale\": %" PRId64 ", "
                   "\"west\": %" PRId64 ", \"north\": %" PRId64 ", \"land\": \"%.256s\"}\n",
                   MAP_TILE_PIXELS, pyramid->last_zoom, pyramid->columns, pyramid->rows,
                   pyramid->scale, pyramid->west, pyramid->north, land);
}

uint64_t map_hash_text(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037); // FNV-1a
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    }
    return hash;
}

static uint64_t map_page_hash(const MapPyramid *pyramid, const char *land)
{
    char facts[MAP_FACTS_BYTES];
    map_page_facts(pyramid, land, facts);
    return map_hash_text(facts);
}

/// Bytes of a file.
typedef struct MapPagePart {
    const char *bytes; ///< [count]
    size_t count;
} MapPagePart;

/// @return 0 or an errno
static int map_page_put(const char *path, const MapPagePart *parts, size_t count)
{
    WholeFile whole;
    int error = whole_file_open(&whole, path);
    if (error) {
        return error;
    }
    for (size_t i = 0; i < count; i++) {
        whole_file_write(&whole, parts[i].bytes, parts[i].count);
    }
    return whole_file_finish(&whole);
}

/// Reads a text. @param text  [capacity] receives its beginning @return false: there is none
static bool map_page_get(const char *path, char *text, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return false;
    }
    const size_t length = fread(text, 1, capacity - 1, file);
    text[length] = '\0';
    (void)fclose(file);
    return true;
}

/// Writes the page, with the facts in it, so that a browser also opens it as a file.
static int map_page_put_html(const char *path, const char *facts)
{
    const char *mark = strstr(asset_map_html, MAP_PAGE_MARK);
    const MapPagePart parts[] = {
        {asset_map_html, (size_t)(mark - asset_map_html)},
        {facts, strlen(facts)},
        {mark + sizeof MAP_PAGE_MARK - 1, strlen(mark) - (sizeof MAP_PAGE_MARK - 1)}};
    return map_page_put(path, parts, 3);
}

static bool map_page_write(const char *folder, const MapPyramid *pyramid, const char *land,
                           Message *problem)
{
    char path[PATH_MAX], facts[MAP_FACTS_BYTES], old[MAP_FACTS_BYTES];
    map_page_facts(pyramid, land, facts);
    int error = whole_file_make_folder(folder, false);
    if (!error && snprintf(path, sizeof path, "%s/index.html", folder) >= (int)sizeof path) {
        error = ENAMETOOLONG;
    }
    if (error) {
        return whole_file_problem(folder, error, problem);
    }
    (void)snprintf(path, sizeof path, "%s/tiles.json", folder);
    if (map_page_get(path, old, sizeof old) && strcmp(old, facts) != 0) {
        return message_set(problem,
                           "The folder %s has the tiles of another map; choose another folder, or "
                           "remove this one.",
                           message_short(folder).text);
    }
    const MapPagePart whole = {facts, strlen(facts)};
    error = map_page_put(path, &whole, 1);
    if (error) {
        return whole_file_problem(path, error, problem);
    }
    (void)snprintf(path, sizeof path, "%s/index.html", folder);
    error = map_page_put_html(path, facts);
    return !error || whole_file_problem(path, error, problem);
}

// ---- tiles in progress
// ---------------------------------------------------------------------------

// Zooms that one part of the work draws: a block of tiles, and what is made from them.
#define MAP_PART_ZOOMS 3
_Static_assert(1 << (MAP_PART_ZOOMS - 1) == MAP_BLOCK_TILES, "a part is a block");

#define MAP_ROW_BYTES ((size_t)MAP_TILE_PIXELS * 3)
#define MAP_TILE_BYTES (MAP_ROW_BYTES * MAP_TILE_PIXELS)

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
    unsigned char quarter[MAP_TILE_BYTES], made[MAP_TILE_BYTES];
} MapTiles;

// ---- files -------------------------------------------------------------------------------------

/// @param path  [PATH_MAX]
static bool map_tile_path(const MapTiles *tiles, MapTile tile, char *path)
{
    return snprintf(path, PATH_MAX, "%s/%d/%d/%d.png", tiles->def->folder, tile.zoom, tile.x,
                    tile.y) < PATH_MAX;
}

static bool map_tile_exists(const MapTiles *tiles, MapTile tile)
{
    char path[PATH_MAX];
    struct stat status;
    return map_tile_path(tiles, tile, path) && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/// Opens a tile for writing, and makes its folders.
static ImageWriter *map_tile_create(MapTiles *tiles, MapTile tile)
{
    char path[PATH_MAX];
    ImageWriter *writer;
    int error = map_tile_path(tiles, tile, path) ? 0 : ENAMETOOLONG;
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

/// Stops at a signal, and keeps the claim of the part. Call it after each step of the work.
static bool map_tiles_step(MapTiles *tiles)
{
    if (interrupt_came()) {
        return message_set(tiles->problem, "Interrupted; the same command goes on from here.");
    }
    const TrnResult result = job_share_renew(&tiles->share);
    return result == TRN_RESULT_OK || job_share_problem(&tiles->share, result, tiles->problem);
}

static void map_block_drop(MapTiles *tiles)
{
    for (int i = 0; i < MAP_BLOCK_TILES; i++) {
        image_writer_destroy(tiles->writers[i]);
        tiles->writers[i] = NULL;
    }
}

/// Opens those tiles of a row of the block that do not exist.
static bool map_block_open_row(MapTiles *tiles)
{
    bool good = true;
    for (int i = 0; i < tiles->columns && good; i++) {
        const MapTile tile = {tiles->first.zoom, tiles->first.x + i,
                              tiles->first.y + tiles->row / MAP_TILE_PIXELS};
        if (!map_tile_exists(tiles, tile)) {
            tiles->writers[i] = map_tile_create(tiles, tile);
            good = tiles->writers[i] != NULL;
        }
    }
    return good;
}

static bool map_block_finish_row(MapTiles *tiles)
{
    bool good = true;
    for (int i = 0; i < tiles->columns && good; i++) {
        if (tiles->writers[i]) {
            good = image_writer_finish(tiles->writers[i], tiles->problem);
            tiles->drawn += good;
        }
    }
    map_block_drop(tiles);
    return good;
}

/// Takes a row of pixels of the block apart.
static bool map_block_row(void *user, const unsigned char *rgb, Message *problem)
{
    MapTiles *tiles = user;
    bool good = tiles->row % MAP_TILE_PIXELS || map_block_open_row(tiles);
    for (int i = 0; i < tiles->columns && good; i++) {
        good = !tiles->writers[i] ||
               image_writer_row(tiles->writers[i], rgb + (size_t)i * MAP_ROW_BYTES, problem);
    }
    return good && (++tiles->row % MAP_TILE_PIXELS || map_block_finish_row(tiles));
}

/// Draws the block that a tile of the last zoom lies in.
static bool map_block_draw(MapTiles *tiles, MapTile tile)
{
    const MapPyramid *pyramid = &tiles->def->pyramid;
    const int mask = ~(MAP_BLOCK_TILES - 1);
    tiles->first = (MapTile){tile.zoom, tile.x & mask, tile.y & mask};
    const int right = pyramid->columns - tiles->first.x, below = pyramid->rows - tiles->first.y;
    tiles->columns = right < MAP_BLOCK_TILES ? right : MAP_BLOCK_TILES;
    tiles->rows = below < MAP_BLOCK_TILES ? below : MAP_BLOCK_TILES;
    tiles->row = 0;
    const MapPlan plan = map_pyramid_plan(pyramid, tiles->first, tiles->columns, tiles->rows);
    MapDrawing *drawing;
    if (!map_drawing_create(&drawing, &plan, tiles->def->source, map_block_row, tiles,
                            tiles->problem)) {
        return false;
    }
    bool good = true;
    while (good && map_drawing_left(drawing) > 0) {
        good = map_drawing_step(drawing, tiles->problem) && map_tiles_step(tiles);
    }
    map_drawing_destroy(drawing);
    map_block_drop(tiles);
    return good;
}

// ---- tiles made from four others ---------------------------------------------------------------

/// Puts a tile at half size into a quarter of the tile that is being made.
static void map_fold_quarter(MapTiles *tiles, int right, int below)
{
    const int half = MAP_TILE_PIXELS / 2;
    for (int y = 0; y < half; y++) {
        const unsigned char *from = tiles->quarter + 2 * (size_t)y * MAP_ROW_BYTES;
        unsigned char *to = tiles->made + (size_t)(y + below * half) * MAP_ROW_BYTES +
                            (size_t)right * (MAP_ROW_BYTES / 2);
        for (int x = 0; x < half; x++, from += 6, to += 3) {
            for (int c = 0; c < 3; c++) {
                to[c] = (unsigned char)((from[c] + from[c + 3] + from[MAP_ROW_BYTES + (size_t)c] +
                                         from[MAP_ROW_BYTES + (size_t)c + 3] + 2) /
                                        4);
            }
        }
    }
}

static bool map_fold_write(MapTiles *tiles, MapTile tile)
{
    ImageWriter *writer = map_tile_create(tiles, tile);
    bool good = writer != NULL;
    for (int y = 0; y < MAP_TILE_PIXELS && good; y++) {
        good = image_writer_row(writer, tiles->made + (size_t)y * MAP_ROW_BYTES, tiles->problem);
    }
    good = good && image_writer_finish(writer, tiles->problem);
    tiles->drawn += good;
    image_writer_destroy(writer);
    return good;
}

/// Makes a tile from the four below it, which exist as far as the map reaches.
static bool map_fold_tile(MapTiles *tiles, MapTile tile)
{
    static const unsigned char outside[3] = {12, 10, 14}; // as the page's
    for (size_t i = 0; i < MAP_TILE_BYTES; i++) {
        tiles->made[i] = outside[i % 3];
    }
    for (int i = 0; i < 4; i++) {
        const MapTile below = {tile.zoom + 1, 2 * tile.x + i % 2, 2 * tile.y + i / 2};
        char path[PATH_MAX];
        if (!map_pyramid_has(&tiles->def->pyramid, below) || !map_tile_path(tiles, below, path)) {
            continue;
        }
        if (!image_read_png(path, tiles->quarter, MAP_TILE_PIXELS, MAP_TILE_PIXELS,
                            tiles->problem)) {
            return false;
        }
        map_fold_quarter(tiles, i % 2, i / 2);
    }
    return map_fold_write(tiles, tile);
}

/// Makes a tile and those that it is made from, as far as they do not exist. A tile is written
/// after those, so one that exists needs no look at them.
static bool map_tile_make(MapTiles *tiles, MapTile tile)
{
    if (!map_pyramid_has(&tiles->def->pyramid, tile) || map_tile_exists(tiles, tile)) {
        return true;
    }
    if (tile.zoom == tiles->def->pyramid.last_zoom) {
        return map_block_draw(tiles, tile);
    }
    bool good = true;
    for (int i = 0; i < 4 && good; i++) {
        const MapTile below = {tile.zoom + 1, 2 * tile.x + i % 2, 2 * tile.y + i / 2};
        good = map_tile_make(tiles, below); // NOLINT(misc-no-recursion): as deep as there are zooms
    }
    return good && map_tiles_step(tiles) && map_fold_tile(tiles, tile);
}

// ---- everything --------------------------------------------------------------------------------

/// Draws a part: the tile, and those below it that no earlier part has drawn.
static TrnResult map_tiles_work(void *user, TrnRegion part, bool *is_done)
{
    MapTiles *tiles = user;
    *is_done = map_tile_make(tiles, (MapTile){part.y, part.x, part.z});
    tiles->has_failed = !*is_done;
    return *is_done ? TRN_RESULT_OK : TRN_RESULT_IO;
}

/// The number of tiles at the top of the parts of a zoom.
static int64_t map_stage_count(const MapPyramid *pyramid, int zoom)
{
    return (int64_t)map_pyramid_columns(pyramid, zoom) * map_pyramid_rows(pyramid, zoom);
}

/// Shares the parts whose top is at a zoom.
static TrnResult map_stage_draw(MapTiles *tiles, int zoom)
{
    const int columns = map_pyramid_columns(&tiles->def->pyramid, zoom);
    const int64_t count = map_stage_count(&tiles->def->pyramid, zoom);
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
static int map_stage_first(const MapPyramid *pyramid)
{
    return pyramid->last_zoom < MAP_PART_ZOOMS ? 0 : pyramid->last_zoom - (MAP_PART_ZOOMS - 1);
}

/// The zoom of the next stage; -1: there is none.
static int map_stage_next(int zoom)
{
    return zoom == 0 ? -1 : zoom > MAP_PART_ZOOMS ? zoom - MAP_PART_ZOOMS : 0;
}

static void map_stage_name(MapTiles *tiles, int zoom)
{
    (void)snprintf(tiles->name, sizeof tiles->name, "map/%016" PRIx64 "/%d",
                   map_page_hash(&tiles->def->pyramid, tiles->def->land), zoom);
    tiles->share.name = tiles->name;
}

/// Draws all tiles, in parts of three zooms, the last ones first.
static TrnResult map_draw_stages(MapTiles *tiles)
{
    const MapPyramid *pyramid = &tiles->def->pyramid;
    const int first = map_stage_first(pyramid);
    for (int zoom = first; zoom >= 0; zoom = map_stage_next(zoom)) {
        tiles->share.other_parts += map_stage_count(pyramid, zoom);
    }
    TrnResult result = TRN_RESULT_OK;
    // The first tile is the last to be drawn, perhaps by another process that has forgotten the
    // job.
    const MapTile top = {0};
    for (int zoom = first; zoom >= 0 && result == TRN_RESULT_OK && !map_tile_exists(tiles, top);
         zoom = map_stage_next(zoom)) {
        map_stage_name(tiles, zoom);
        result = map_stage_draw(tiles, zoom);
    }
    // The folder counts, not what the database says: other processes may draw into another one.
    bool is_done = false;
    result = result == TRN_RESULT_OK ? map_tiles_work(tiles, (TrnRegion){0}, &is_done) : result;
    for (int zoom = first; zoom >= 0 && result == TRN_RESULT_OK; zoom = map_stage_next(zoom)) {
        map_stage_name(tiles, zoom);
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
    tiles->share = (JobShare){.storage = def->storage,
                              .work = map_tiles_work,
                              .user = tiles,
                              .progress = &tiles->progress};
    const TrnResult result = map_draw_stages(tiles);
    progress_end(&tiles->progress);
    const bool good = result == TRN_RESULT_OK, has_message = tiles->has_failed;
    *drawn = tiles->drawn;
    if (!good && !has_message) {
        (void)job_share_problem(&tiles->share, result, problem);
    }
    free(tiles);
    return good;
}
