// Pictures of heights as a format of imports: the heights are in memory, chunks are computed.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#include "file.h"
#include "format.h"
#include "png_rows.h"

extern const TrnImportReader trn_import_heightmap;
extern const char trn_asset_heightmap_txt[]; // embedded
extern const size_t trn_asset_heightmap_txt_bytes;

#define HEIGHTMAP_SOIL 3                   ///< voxels of soil below the surface
#define HEIGHTMAP_BEACH 2                  ///< voxels above the sea that are shore
#define HEIGHTMAP_HEIGHT_MAX 16384.0       ///< of black, white, sea and base, in voxels
#define HEIGHTMAP_EDGE_MAX 65536           ///< voxels along a side of the land
#define HEIGHTMAP_SCALE_MAX 256            ///< voxels a pixel
#define HEIGHTMAP_STEP 16                  ///< rows of pixels or chunks between calls of progress
#define HEIGHTMAP_GREYS 65535.0            ///< white
#define HEIGHTMAP_COLOURS (1u << 15)       ///< colours in 5 bits a channel
#define HEIGHTMAP_OWN_COLOURS_MASK 0x7BDEu ///< own block types have 4 bits a channel

/// What land is made of, as the table of names has it.
typedef enum HeightmapName {
    HEIGHTMAP_SURFACE,
    HEIGHTMAP_SOIL_BELOW,
    HEIGHTMAP_ROCK,
    HEIGHTMAP_SHORE,
    HEIGHTMAP_WATER,
    HEIGHTMAP_NAME_COUNT
} HeightmapName;

static const char *const HEIGHTMAP_NAMES[HEIGHTMAP_NAME_COUNT] = {"surface", "soil", "rock",
                                                                  "shore", "water"};

typedef struct Heightmap {
    TrnImport *import;
    TrnImportHeights def;
    uint32_t width, height; ///< pixels
    uint16_t *greys;        ///< [height * width]
    TrnBlock *covers;       ///< [height * width] of the picture of colours; NULL: there is none
    TrnBlock blocks[HEIGHTMAP_NAME_COUNT];
    int32_t heights[65536];                ///< of the greys
    TrnBlock of_colour[HEIGHTMAP_COLOURS]; ///< while a picture of colours is read
    bool has_colour[HEIGHTMAP_COLOURS];
    TrnResult result; ///< of the rows
} Heightmap;

static size_t heightmap_pixels(const Heightmap *map)
{
    return (size_t)map->width * map->height;
}

// ---- pictures -----------------------------------------------------------------------------------

static TrnResult heightmap_begin_greys(void *user, uint32_t width, uint32_t height)
{
    Heightmap *map = user;
    if ((uint64_t)(width > height ? width : height) * map->def.scale > HEIGHTMAP_EDGE_MAX) {
        return TRN_RESULT_OUT_OF_RANGE;
    }
    map->width = width;
    map->height = height;
    map->greys = trn_take(&map->import->allocator, heightmap_pixels(map) * sizeof *map->greys,
                          TRN_CACHE_LINE);
    return map->greys ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

/// Tells how far reading is. @param done  of `total` rows  @return false to stop
static bool heightmap_step(const Heightmap *map, uint64_t done, uint64_t total)
{
    const TrnStorageProgress *progress = &map->import->def.progress;
    return done % HEIGHTMAP_STEP || !progress->step || progress->step(progress->user, done, total);
}

static bool heightmap_grey_row(void *user, uint32_t y, const uint16_t *rgba, uint32_t first,
                               uint32_t step)
{
    const Heightmap *map = user;
    uint16_t *greys = map->greys + (size_t)y * map->width;
    for (uint32_t x = first; x < map->width; x += step) {
        greys[x] = rgba[4 * (size_t)x];
    }
    return heightmap_step(map, y, map->height);
}

static TrnResult heightmap_begin_colours(void *user, uint32_t width, uint32_t height)
{
    Heightmap *map = user;
    if (width != map->width || height != map->height) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    map->covers = trn_take(&map->import->allocator, heightmap_pixels(map) * sizeof *map->covers,
                           TRN_CACHE_LINE);
    return map->covers ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

/// The red, green and blue of a colour in 5 bits each, in 8 bits.
static void heightmap_colour(uint32_t colour, uint8_t rgb[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t bits = colour >> (10 - 5 * i) & 31;
        rgb[i] = (uint8_t)(bits << 3 | bits >> 2);
    }
}

/// Finds the opaque block type whose top is nearest in colour.
static TrnBlock heightmap_nearest(const TrnBlockTypes *types, const uint8_t rgb[3])
{
    uint32_t count, nearest = UINT32_MAX;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    TrnBlock block = TRN_BLOCK_AIR;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t distance = 0;
        for (int channel = 0; channel < 3; channel++) {
            const int by = (int)all[i].colour[TRN_FACE_POS_Y][channel] - rgb[channel];
            distance += (uint32_t)(by * by);
        }
        if (all[i].kind == TRN_BLOCK_KIND_OPAQUE && !all[i].is_unknown && distance < nearest) {
            nearest = distance;
            block = (TrnBlock)i;
        }
    }
    return block;
}

static TrnBlock heightmap_block_of(Heightmap *map, uint32_t colour)
{
    uint8_t rgb[3];
    colour &= map->def.has_own_types ? HEIGHTMAP_OWN_COLOURS_MASK : HEIGHTMAP_COLOURS - 1;
    if (!map->has_colour[colour]) {
        map->has_colour[colour] = true;
        heightmap_colour(colour, rgb);
        if (!map->def.has_own_types) {
            map->of_colour[colour] = heightmap_nearest(map->import->def.types, rgb);
        } else if (map->result == TRN_RESULT_OK) {
            map->result = trn_import_colour_block(map->import->def.types, "heightmap", rgb,
                                                  &map->of_colour[colour]);
        }
    }
    return map->of_colour[colour];
}

static bool heightmap_colour_row(void *user, uint32_t y, const uint16_t *rgba, uint32_t first,
                                 uint32_t step)
{
    Heightmap *map = user;
    TrnBlock *covers = map->covers + (size_t)y * map->width;
    for (uint32_t x = first; x < map->width; x += step) {
        const uint16_t *pixel = rgba + 4 * (size_t)x;
        covers[x] = heightmap_block_of(map, (uint32_t)(pixel[0] >> 11) << 10 |
                                                (uint32_t)(pixel[1] >> 11) << 5 | pixel[2] >> 11);
    }
    return heightmap_step(map, y, map->height);
}

static TrnResult heightmap_read(Heightmap *map, const char *path, const TrnPngTarget *target,
                                TrnStorageProblem *problem)
{
    TrnPngSource source = {0};
    const char *fault = "";
    TrnResult result = trn_file_open(path, &source.file);
    if (result != TRN_RESULT_OK) {
        trn_import_tell(problem, "Cannot open the picture %.300s: %s", path,
                        trn_result_text(result));
        return result;
    }
    result = trn_png_read(&source, target, &map->import->allocator, &fault);
    (void)fclose(source.file);
    if (result == TRN_RESULT_CORRUPT) {
        trn_import_tell(problem, "Cannot read the picture %.300s: %s.", path, fault);
    }
    if (result == TRN_RESULT_OUT_OF_RANGE) {
        trn_import_tell(problem, "The land would be longer than %d voxels; choose fewer a pixel.",
                        HEIGHTMAP_EDGE_MAX);
    }
    if (result == TRN_RESULT_IO) {
        trn_import_tell(problem, "Reading the picture %.300s was stopped.", path);
    }
    if (result == TRN_RESULT_BAD_ARGUMENT) {
        trn_import_tell(problem, "The picture of colours must have the size of that of heights.");
    }
    return result;
}

// ---- what is read -------------------------------------------------------------------------------

static bool heightmap_recognises(const char *path)
{
    return trn_file_begins(path, "\x89PNG\r\n\x1A\n");
}

static bool heightmap_is_height(double height)
{
    return height >= -HEIGHTMAP_HEIGHT_MAX && height <= HEIGHTMAP_HEIGHT_MAX; // false for NaN
}

static TrnResult heightmap_check(const TrnImportHeights *def, TrnStorageProblem *problem)
{
    if (heightmap_is_height(def->black) && heightmap_is_height(def->white) &&
        heightmap_is_height(def->base) &&
        (def->sea_level == TRN_IMPORT_NO_SEA || heightmap_is_height(def->sea_level)) &&
        def->scale >= 1 && def->scale <= HEIGHTMAP_SCALE_MAX) {
        return TRN_RESULT_OK;
    }
    trn_import_tell(problem,
                    "Heights lie between -16384 and 16384 voxels, and a pixel is 1 to "
                    "%d voxels long.",
                    HEIGHTMAP_SCALE_MAX);
    return TRN_RESULT_BAD_ARGUMENT;
}

static TrnResult heightmap_find_blocks(Heightmap *map)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < HEIGHTMAP_NAME_COUNT && result == TRN_RESULT_OK; i++) {
        TrnImportName *name;
        result = trn_import_names_find(&map->import->names, HEIGHTMAP_NAMES[i],
                                       strlen(HEIGHTMAP_NAMES[i]), &name);
        map->blocks[i] = result == TRN_RESULT_OK ? name->block : TRN_BLOCK_AIR;
    }
    return result;
}

// ---- heights ------------------------------------------------------------------------------------

/// The height of a grey: the first voxel above the land. Multiplied first, and divided once:
/// heights that are whole numbers are exact.
/// @param grey   times `parts`
static int64_t heightmap_of_grey(const Heightmap *map, double grey, double parts)
{
    const double range = map->def.white - map->def.black;
    return (int64_t)floor(map->def.black + range * grey / (HEIGHTMAP_GREYS * parts));
}

/// A grey of the picture; beyond its southern and eastern sides it goes on as it ends.
static uint32_t heightmap_grey(const Heightmap *map, uint32_t x, uint32_t z)
{
    const uint32_t column = x < map->width ? x : map->width - 1;
    const uint32_t row = z < map->height ? z : map->height - 1;
    return map->greys[(size_t)row * map->width + column];
}

/// The height at a voxel of the land, interpolated between pixels.
static int64_t heightmap_height(const Heightmap *map, uint32_t x, uint32_t z)
{
    const uint32_t scale = map->def.scale;
    if (scale == 1) {
        return map->heights[map->greys[(size_t)z * map->width + x]];
    }
    const uint32_t left = x / scale, top = z / scale;
    const uint64_t east = x % scale, south = z % scale, west = scale - east, north = scale - south;
    const uint64_t sum =
        (heightmap_grey(map, left, top) * west + heightmap_grey(map, left + 1, top) * east) *
            north +
        (heightmap_grey(map, left, top + 1) * west +
         heightmap_grey(map, left + 1, top + 1) * east) *
            south;
    return heightmap_of_grey(map, (double)sum, (double)scale * scale);
}

// ---- listing ------------------------------------------------------------------------------------

/// A rectangle of the land, in its own voxels.
typedef struct HeightmapArea {
    int64_t x_low, x_high, z_low, z_high; ///< the high ones excluded
} HeightmapArea;

/// The part of the land that a column of chunks has. Empty if it has none.
static HeightmapArea heightmap_area(const Heightmap *map, int64_t x, int64_t z)
{
    const TrnVoxel offset = map->import->def.offset;
    const int64_t width = (int64_t)map->width * map->def.scale;
    const int64_t height = (int64_t)map->height * map->def.scale;
    HeightmapArea area = {x * TRN_CHUNK_EDGE - offset.x, (x + 1) * TRN_CHUNK_EDGE - offset.x,
                          z * TRN_CHUNK_EDGE - offset.z, (z + 1) * TRN_CHUNK_EDGE - offset.z};
    area.x_low = area.x_low < 0 ? 0 : area.x_low;
    area.z_low = area.z_low < 0 ? 0 : area.z_low;
    area.x_high = area.x_high > width ? width : area.x_high;
    area.z_high = area.z_high > height ? height : area.z_high;
    return area;
}

/// The highest voxel of an area, land or sea, and one more. Heights between pixels lie between
/// those of the pixels.
static int64_t heightmap_top(const Heightmap *map, HeightmapArea area)
{
    const uint32_t scale = map->def.scale;
    const double is_up = map->def.white >= map->def.black ? 1 : -1;
    double highest = -HEIGHTMAP_GREYS;
    for (int64_t z = area.z_low / scale; z <= (area.z_high - 1) / scale + 1; z++) {
        for (int64_t x = area.x_low / scale; x <= (area.x_high - 1) / scale + 1; x++) {
            const double grey = is_up * heightmap_grey(map, (uint32_t)x, (uint32_t)z);
            highest = grey > highest ? grey : highest;
        }
    }
    const int64_t land = heightmap_of_grey(map, is_up * highest, 1);
    return land > map->def.sea_level ? land : map->def.sea_level;
}

/// The lowest and the highest chunk of a column of chunks.
typedef struct HeightmapTower {
    int64_t low, high;
} HeightmapTower;

static HeightmapTower heightmap_tower(const Heightmap *map, int64_t x, int64_t z)
{
    const int64_t up = map->import->def.offset.y;
    const int64_t top = heightmap_top(map, heightmap_area(map, x, z));
    return (HeightmapTower){(map->def.base + up) >> TRN_CHUNK_SHIFT,
                            (top - 1 + up) >> TRN_CHUNK_SHIFT};
}

static bool heightmap_list_tower(const Heightmap *map, int64_t x, int64_t z, TrnImportVisitor visit,
                                 void *user)
{
    const HeightmapTower tower = heightmap_tower(map, x, z);
    for (int64_t y = tower.low; y <= tower.high; y++) {
        const TrnVoxel chunk = {x * TRN_CHUNK_EDGE, y * TRN_CHUNK_EDGE, z * TRN_CHUNK_EDGE};
        if (trn_voxel_in_world(chunk) && !visit(user, trn_voxel_chunk(chunk))) {
            return false;
        }
    }
    return true;
}

/// Columns of chunks that the land has; the ends excluded.
static HeightmapArea heightmap_columns(const Heightmap *map)
{
    const TrnVoxel offset = map->import->def.offset;
    const int64_t width = (int64_t)map->width * map->def.scale;
    const int64_t height = (int64_t)map->height * map->def.scale;
    return (HeightmapArea){.x_low = offset.x >> TRN_CHUNK_SHIFT,
                           .x_high = ((offset.x + width - 1) >> TRN_CHUNK_SHIFT) + 1,
                           .z_low = offset.z >> TRN_CHUNK_SHIFT,
                           .z_high = ((offset.z + height - 1) >> TRN_CHUNK_SHIFT) + 1};
}

static TrnResult heightmap_list(void *state, TrnImportVisitor visit, void *user)
{
    const Heightmap *map = state;
    const HeightmapArea columns = heightmap_columns(map);
    for (int64_t z = columns.z_low; z < columns.z_high; z++) {
        for (int64_t x = columns.x_low; x < columns.x_high; x++) {
            if (!heightmap_list_tower(map, x, z, visit, user)) {
                return TRN_RESULT_OK;
            }
        }
    }
    return TRN_RESULT_OK;
}

/// Refuses land of too many chunks, before the first is made.
static TrnResult heightmap_check_chunks(const Heightmap *map, TrnStorageProblem *problem)
{
    const HeightmapArea columns = heightmap_columns(map);
    uint64_t chunks = 0;
    for (int64_t z = columns.z_low; z < columns.z_high; z++) {
        for (int64_t x = columns.x_low; x < columns.x_high; x++) {
            const HeightmapTower tower = heightmap_tower(map, x, z);
            chunks += tower.high < tower.low ? 0 : (uint64_t)(tower.high - tower.low) + 1;
        }
        if (!heightmap_step(map, (uint64_t)(z - columns.z_low),
                            (uint64_t)(columns.z_high - columns.z_low))) {
            trn_import_tell(problem, "Measuring the land was stopped.");
            return TRN_RESULT_IO;
        }
    }
    if (chunks > TRN_IMPORT_HEIGHTS_CHUNKS_MAX) {
        trn_import_tell(problem,
                        "The land would have %llu chunks, of at most %llu; choose fewer voxels a "
                        "pixel, less height or a smaller picture.",
                        (unsigned long long)chunks,
                        (unsigned long long)TRN_IMPORT_HEIGHTS_CHUNKS_MAX);
        return TRN_RESULT_OUT_OF_RANGE;
    }
    return TRN_RESULT_OK;
}

// ---- opening ------------------------------------------------------------------------------------

static TrnResult heightmap_open_parts(Heightmap *map, TrnStorageProblem *problem)
{
    const TrnPngTarget greys = {heightmap_begin_greys, heightmap_grey_row, map};
    const TrnPngTarget colours = {heightmap_begin_colours, heightmap_colour_row, map};
    TrnResult result = heightmap_check(&map->def, problem);
    if (result == TRN_RESULT_OK) {
        for (uint32_t grey = 0; grey <= UINT16_MAX; grey++) {
            map->heights[grey] = (int32_t)heightmap_of_grey(map, grey, 1);
        }
        result = heightmap_find_blocks(map);
    }
    if (result == TRN_RESULT_OK) {
        result = heightmap_read(map, map->import->def.path, &greys, problem);
    }
    if (result == TRN_RESULT_OK && map->def.colours) {
        result = heightmap_read(map, map->def.colours, &colours, problem);
    }
    map->def.colours = NULL; // the caller's
    result = result == TRN_RESULT_OK ? map->result : result;
    return result == TRN_RESULT_OK ? heightmap_check_chunks(map, problem) : result;
}

static void heightmap_close(void *state)
{
    const Heightmap *map = state;
    const TrnAllocator *allocator = &map->import->allocator;
    trn_give(allocator, map->greys, heightmap_pixels(map) * sizeof *map->greys);
    trn_give(allocator, map->covers, heightmap_pixels(map) * sizeof *map->covers);
}

static TrnResult heightmap_open(TrnImport *import, void *state, TrnStorageProblem *problem)
{
    Heightmap *map = state;
    map->import = import;
    map->def = import->def.heights;
    const TrnResult result = heightmap_open_parts(map, problem);
    if (result != TRN_RESULT_OK) {
        heightmap_close(map);
    }
    return result;
}

// ---- loading ------------------------------------------------------------------------------------

#define HEIGHTMAP_COLUMNS ((size_t)TRN_CHUNK_EDGE * TRN_CHUNK_EDGE) ///< of voxels in a chunk

/// The land in a chunk. Columns at x + 32 * z, heights from the chunk's lowest voxel up.
typedef struct HeightmapLand {
    int16_t tops[HEIGHTMAP_COLUMNS]; ///< the first voxel above the land
    TrnBlock covers[HEIGHTMAP_COLUMNS];
    int16_t lowest, highest; ///< of the tops
} HeightmapLand;

/// A height from the lowest voxel of a chunk, cut off where it does not matter.
static int16_t heightmap_local(int64_t height, int64_t low)
{
    const int64_t local = height - low, most = INT16_MAX / 2;
    return (int16_t)(local < -most ? -most : local > most ? most : local);
}

/// @param top  of the column, before the offset
static TrnBlock heightmap_cover(const Heightmap *map, uint32_t x, uint32_t z, int64_t top)
{
    if (map->covers) {
        const uint32_t scale = map->def.scale;
        return map->covers[(size_t)(z / scale) * map->width + x / scale];
    }
    const bool is_shore = map->def.sea_level != TRN_IMPORT_NO_SEA &&
                          top <= (int64_t)map->def.sea_level + HEIGHTMAP_BEACH;
    return map->blocks[is_shore ? HEIGHTMAP_SHORE : HEIGHTMAP_SURFACE];
}

/// Finds the heights of the columns in an area. @param low  of the chunk, before the offset
static void heightmap_find_tops(const Heightmap *map, HeightmapArea area, TrnVoxel low,
                                HeightmapLand *land)
{
    land->lowest = INT16_MAX;
    land->highest = INT16_MIN;
    for (int64_t z = area.z_low; z < area.z_high; z++) {
        int16_t *tops = land->tops + (size_t)(z - low.z) * TRN_CHUNK_EDGE;
        for (int64_t x = area.x_low; x < area.x_high; x++) {
            const int16_t top =
                heightmap_local(heightmap_height(map, (uint32_t)x, (uint32_t)z), low.y);
            tops[x - low.x] = top;
            land->lowest = top < land->lowest ? top : land->lowest;
            land->highest = top > land->highest ? top : land->highest;
        }
    }
}

/// Finds what lies on top of the columns in an area.
static void heightmap_find_covers(const Heightmap *map, HeightmapArea area, TrnVoxel low,
                                  HeightmapLand *land)
{
    for (int64_t z = area.z_low; z < area.z_high; z++) {
        const size_t row = (size_t)(z - low.z) * TRN_CHUNK_EDGE;
        for (int64_t x = area.x_low; x < area.x_high; x++) {
            const size_t at = row + (size_t)(x - low.x);
            land->covers[at] =
                heightmap_cover(map, (uint32_t)x, (uint32_t)z, land->tops[at] + low.y);
        }
    }
}

/// Writes a row of a layer: land, or what is above it. In 16 bits alone, so that compilers
/// vectorize.
static void heightmap_put_row(const Heightmap *map, const HeightmapLand *land, size_t first,
                              size_t count, int32_t y, TrnBlock above, TrnBlock *layer)
{
    const TrnBlock soil = map->blocks[HEIGHTMAP_SOIL_BELOW], rock = map->blocks[HEIGHTMAP_ROCK];
    const int16_t *restrict tops = land->tops + first;
    const TrnBlock *restrict covers = land->covers + first;
    const int16_t surface = (int16_t)(y + 1), soil_top = (int16_t)(surface + HEIGHTMAP_SOIL);
    TrnBlock *restrict to = layer + first;
    for (size_t i = 0; i < count; i++) {
        const int16_t top = tops[i];
        const TrnBlock cover = covers[i], inside = top > soil_top ? rock : soil;
        const TrnBlock land_block = top == surface ? cover : inside;
        to[i] = top < surface ? above : land_block;
    }
}

static TrnResult heightmap_load(void *state, TrnCoord coord, TrnBlock *blocks, bool *uniform,
                                TrnImportContents *contents)
{
    (void)contents; // it has none
    const Heightmap *map = state;
    const TrnVoxel corner = trn_coord_voxel(coord), offset = map->import->def.offset;
    const TrnVoxel low = {corner.x - offset.x, corner.y - offset.y, corner.z - offset.z};
    const HeightmapArea area = heightmap_area(map, coord.x, coord.z);
    HeightmapLand land = {{0}, {0}, 0, 0};
    if (area.x_low >= area.x_high || area.z_low >= area.z_high) {
        return TRN_RESULT_NOT_FOUND;
    }
    heightmap_find_tops(map, area, low, &land);
    const size_t width = (size_t)(area.x_high - area.x_low);
    const bool is_full = width == TRN_CHUNK_EDGE && area.z_high - area.z_low == TRN_CHUNK_EDGE;
    const int32_t base = heightmap_local(map->def.base, low.y);
    const int32_t sea = heightmap_local(map->def.sea_level, low.y);
    *uniform = is_full && base <= 0 && land.lowest - 1 - HEIGHTMAP_SOIL >= TRN_CHUNK_EDGE;
    if (*uniform) {
        blocks[0] = map->blocks[HEIGHTMAP_ROCK];
        return TRN_RESULT_OK;
    }
    heightmap_find_covers(map, area, low, &land);
    memset(blocks, 0, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    const int32_t top = land.highest > sea ? land.highest : sea;
    for (int32_t y = base > 0 ? base : 0; y < top && y < TRN_CHUNK_EDGE; y++) {
        const TrnBlock above = y < sea ? map->blocks[HEIGHTMAP_WATER] : TRN_BLOCK_AIR;
        TrnBlock *layer = blocks + (size_t)y * HEIGHTMAP_COLUMNS;
        if (is_full && (y >= land.highest || y < land.lowest - 1 - HEIGHTMAP_SOIL)) {
            const TrnBlock block = y >= land.highest ? above : map->blocks[HEIGHTMAP_ROCK];
            for (size_t i = 0; i < HEIGHTMAP_COLUMNS; i++) {
                layer[i] = block;
            }
            continue;
        }
        for (int64_t z = area.z_low; z < area.z_high; z++) {
            const size_t first =
                (size_t)(area.x_low - low.x) + (size_t)(z - low.z) * TRN_CHUNK_EDGE;
            heightmap_put_row(map, &land, first, width, y, above, layer);
        }
    }
    *uniform = trn_import_is_uniform(blocks);
    return TRN_RESULT_OK;
}

const TrnImportReader trn_import_heightmap = {.name = "heightmap",
                                              .names = trn_asset_heightmap_txt,
                                              .names_size = &trn_asset_heightmap_txt_bytes,
                                              .state_bytes = sizeof(Heightmap),
                                              .recognises = heightmap_recognises,
                                              .open = heightmap_open,
                                              .list = heightmap_list,
                                              .load = heightmap_load,
                                              .close = heightmap_close};
