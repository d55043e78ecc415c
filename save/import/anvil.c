// Anvil, the format of Minecraft 1.13 to 1.21, as a format of imports.
//
// A chunk of 32 x 32 x 32 is 2 x 2 columns and two sections of each. Axes are the same.

#include <string.h>

#include "base/memory.h"

#include "anvil_cache.h"
#include "format.h"

extern const char trn_asset_minecraft_txt[]; // embedded
extern const size_t trn_asset_minecraft_txt_bytes;

/// The sections that are listed: those of 1.18 and later, and so those of all versions.
#define ANVIL_LISTED_LOW (-4)
#define ANVIL_LISTED_HIGH 20

typedef struct Anvil {
    TrnImport *import;
    TrnAnvilFiles files;
    TrnVoxel offset; ///< x and z in chunks, y in sections
    TrnAnvilCache cache;
} Anvil;

// ---- opening ------------------------------------------------------------------------------------

static bool anvil_read_offset(Anvil *anvil, TrnStorageProblem *problem)
{
    const TrnVoxel offset = anvil->import->def.offset;
    if (offset.x % TRN_CHUNK_EDGE != 0 || offset.y % TRN_ANVIL_EDGE != 0 ||
        offset.z % TRN_CHUNK_EDGE != 0 || !trn_voxel_in_world(offset)) {
        trn_import_tell(problem,
                        "The offset of a Minecraft world must be multiples of 32 in x and z, and "
                        "of 16 in y.");
        return false;
    }
    anvil->offset =
        (TrnVoxel){offset.x / TRN_CHUNK_EDGE, offset.y / TRN_ANVIL_EDGE, offset.z / TRN_CHUNK_EDGE};
    return true;
}

static TrnResult anvil_open(TrnImport *import, void *state, TrnStorageProblem *problem)
{
    Anvil *anvil = state;
    anvil->import = import;
    if (!anvil_read_offset(anvil, problem)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult result = trn_anvil_files_open(&anvil->files, import->def.path, &import->allocator);
    if (result == TRN_RESULT_NOT_FOUND) {
        trn_import_tell(problem,
                        "%.400s has no region files (r.X.Z.mca); name the folder of a Minecraft "
                        "world.",
                        import->def.path);
    } else if (result == TRN_RESULT_IO) {
        trn_import_tell(problem,
                        "%.400s: none of its region files (r.X.Z.mca) can be read; see that they "
                        "are files and may be read.",
                        import->def.path);
    }
    if (result == TRN_RESULT_OK) {
        result =
            trn_anvil_cache_open(&anvil->cache, &anvil->files, &import->notes, &import->allocator);
    }
    if (result != TRN_RESULT_OK) {
        trn_anvil_files_free(&anvil->files);
    }
    return result;
}

static void anvil_close(void *state)
{
    Anvil *anvil = state;
    trn_anvil_cache_close(&anvil->cache);
    trn_anvil_files_free(&anvil->files);
}

// ---- listing ------------------------------------------------------------------------------------

#define ANVIL_REGION_CHUNKS (TRN_REGION_EDGE / 2) ///< along each side

/// The sections that a region's columns may have.
typedef struct AnvilHeights {
    int64_t low, high; ///< the high one excluded
} AnvilHeights;

/// Visits the chunks above each other at a place. @return false to stop
static bool anvil_list_tower(const Anvil *anvil, int64_t x, int64_t z, AnvilHeights heights,
                             TrnImportVisitor visit, void *user)
{
    const int64_t low = (heights.low + anvil->offset.y) >> 1;
    const int64_t high = (heights.high - 1 + anvil->offset.y) >> 1;
    for (int64_t y = low; y <= high; y++) {
        const TrnVoxel chunk = {x * TRN_CHUNK_EDGE, y * TRN_CHUNK_EDGE, z * TRN_CHUNK_EDGE};
        if (trn_voxel_in_world(chunk) && !visit(user, trn_voxel_chunk(chunk))) {
            return false;
        }
    }
    return true;
}

/// Finds how low and high a region's land may be. A data pack changes that for a whole dimension,
/// and columns have all their sections since 1.18: so the first column says it.
static TrnResult anvil_find_heights(Anvil *anvil, TrnAnvilRegion region, const bool *has,
                                    AnvilHeights *heights)
{
    const bool *first = memchr(has, true, sizeof(bool[TRN_REGION_COLUMNS]));
    *heights = (AnvilHeights){ANVIL_LISTED_LOW, ANVIL_LISTED_HIGH};
    if (!first) {
        return TRN_RESULT_OK;
    }
    const int32_t index = (int32_t)(first - has);
    TrnAnvilCached *column;
    const TrnResult result =
        trn_anvil_cache_take(&anvil->cache, region.x * TRN_REGION_EDGE + index % TRN_REGION_EDGE,
                             region.z * TRN_REGION_EDGE + index / TRN_REGION_EDGE, &column);
    if (result == TRN_RESULT_OK) {
        heights->low = column->y_low < heights->low ? column->y_low : heights->low;
        heights->high = column->y_high > heights->high ? column->y_high : heights->high;
        trn_anvil_cache_give(&anvil->cache, column);
    }
    return result;
}

/// @param has  [TRN_REGION_COLUMNS] which columns the region has
static bool anvil_list_region(const Anvil *anvil, TrnAnvilRegion region, const bool *has,
                              AnvilHeights heights, TrnImportVisitor visit, void *user)
{
    for (int32_t i = 0; i < ANVIL_REGION_CHUNKS * ANVIL_REGION_CHUNKS; i++) {
        const int32_t x = i % ANVIL_REGION_CHUNKS, z = i / ANVIL_REGION_CHUNKS;
        const bool *first = &has[x * 2 + z * 2 * TRN_REGION_EDGE];
        const bool has_any =
            first[0] || first[1] || first[TRN_REGION_EDGE] || first[TRN_REGION_EDGE + 1];
        if (has_any &&
            !anvil_list_tower(anvil, (int64_t)region.x * ANVIL_REGION_CHUNKS + x + anvil->offset.x,
                              (int64_t)region.z * ANVIL_REGION_CHUNKS + z + anvil->offset.z,
                              heights, visit, user)) {
            return false;
        }
    }
    return true;
}

static TrnResult anvil_list(void *state, TrnImportVisitor visit, void *user)
{
    Anvil *anvil = state;
    bool goes_on = true;
    for (uint32_t i = 0; i < anvil->files.regions.count && goes_on; i++) {
        const TrnAnvilRegion region = anvil->files.regions.items[i];
        AnvilHeights heights = {0, 0};
        bool has[TRN_REGION_COLUMNS];
        TrnResult result = trn_anvil_files_list(&anvil->files, region, has);
        if (result == TRN_RESULT_OK) {
            result = anvil_find_heights(anvil, region, has, &heights);
        }
        if (result == TRN_RESULT_NO_MEMORY) {
            return result;
        }
        if (result == TRN_RESULT_OK) {
            goes_on = anvil_list_region(anvil, region, has, heights, visit, user);
        } else {
            trn_import_damaged(&anvil->import->notes, "region files that cannot be read",
                               "region %d,%d", (int)region.x, (int)region.z);
        }
    }
    return TRN_RESULT_OK;
}

// ---- loading ------------------------------------------------------------------------------------

/// What one load of a chunk works with.
typedef struct AnvilLoad {
    Anvil *anvil;
    const TrnAnvilCached *column;
    uint64_t property_count; ///< block states with properties that their block does not show
    TrnImportName *names[TRN_ANVIL_PALETTE_MAX];
    TrnBlock table[TRN_ANVIL_PALETTE_MAX]; ///< the blocks that stand for them
    uint16_t indices[TRN_ANVIL_BLOCKS];
} AnvilLoad;

static TrnResult anvil_damaged_section(const AnvilLoad *load, const char *fault, int32_t y)
{
    trn_import_damaged(&load->anvil->import->notes, fault, "section %d,%d,%d", (int)load->column->x,
                       (int)y, (int)load->column->z);
    return TRN_RESULT_CORRUPT;
}

/// Finds the names and blocks of a palette. Errors: CORRUPT, which is reported, NO_MEMORY, FULL.
static TrnResult anvil_find_names(AnvilLoad *load, const TrnAnvilSection *section, int32_t y)
{
    TrnNbt palette = section->palette;
    for (uint32_t i = 0; i < section->palette_count; i++) {
        TrnAnvilState theirs;
        TrnImportState ours;
        if (!trn_anvil_palette_next(&palette, &theirs)) {
            return anvil_damaged_section(load, "sections: a block without a name", y);
        }
        const TrnResult result = trn_import_names_find_state(
            &load->anvil->import->names, theirs.name.bytes, theirs.name.size, theirs.properties,
            theirs.property_count, &ours);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        load->names[i] = ours.name;
        load->table[i] = ours.block;
        load->property_count += ours.is_lost;
    }
    return TRN_RESULT_OK;
}

/// Counts the voxels of names that the table lacks.
static void anvil_count_unknown(const AnvilLoad *load, uint32_t palette_count)
{
    uint16_t voxels[TRN_ANVIL_PALETTE_MAX] = {0};
    for (uint32_t i = 0; i < TRN_ANVIL_BLOCKS; i++) {
        voxels[load->indices[i]]++;
    }
    for (uint32_t entry = 0; entry < palette_count; entry++) {
        if (load->names[entry]->is_unknown && voxels[entry]) {
            atomic_fetch_add_explicit(&load->names[entry]->count, voxels[entry],
                                      memory_order_relaxed);
        }
    }
}

/// Writes the blocks of a section into a chunk. @param to  where it begins
static void anvil_write_section(const AnvilLoad *load, TrnBlock *to)
{
    const uint32_t edge = TRN_ANVIL_EDGE;
    for (uint32_t row = 0; row < edge * edge; row++) {
        TrnBlock *blocks = to + trn_local_index(0, row / edge, row % edge);
        const uint16_t *indices = load->indices + (size_t)row * edge;
        for (uint32_t x = 0; x < edge; x++) {
            blocks[x] = load->table[indices[x]];
        }
    }
}

/// Loads a section into a chunk of air. A damaged one is reported, and stays air.
/// Errors: NO_MEMORY, FULL.
static TrnResult anvil_load_section(AnvilLoad *load, const TrnAnvilSection *section, int32_t y,
                                    TrnBlock *to)
{
    TrnResult result = anvil_find_names(load, section, y);
    if (result == TRN_RESULT_OK &&
        !trn_anvil_section_unpack(section, load->column->is_padded, load->indices)) {
        result = anvil_damaged_section(load, "sections: blocks and palette disagree", y);
    }
    if (result == TRN_RESULT_OK) {
        anvil_count_unknown(load, section->palette_count);
        anvil_write_section(load, to);
    }
    return result == TRN_RESULT_CORRUPT ? TRN_RESULT_OK : result;
}

/// Loads the sections that a column has of a chunk. @param y  the lower one, in sections
static TrnResult anvil_load_column(AnvilLoad *load, int64_t y, TrnBlock *to)
{
    const TrnAnvilCached *column = load->column;
    TrnResult result = TRN_RESULT_OK;
    for (int64_t i = 0; i < 2 && result == TRN_RESULT_OK; i++) {
        if (y + i >= column->y_low && y + i < column->y_high &&
            column->sections[y + i - column->y_low].palette_count > 0) {
            result =
                anvil_load_section(load, &column->sections[y + i - column->y_low], (int32_t)(y + i),
                                   to + trn_local_index(0, (uint32_t)i * TRN_ANVIL_EDGE, 0));
        }
    }
    return result;
}

/// Where a chunk is in the source: its first column and section.
static bool anvil_place(const Anvil *anvil, TrnCoord coord, TrnVoxel *place)
{
    *place =
        (TrnVoxel){((int64_t)coord.x - anvil->offset.x) * 2, (int64_t)coord.y * 2 - anvil->offset.y,
                   ((int64_t)coord.z - anvil->offset.z) * 2};
    return place->x >= INT32_MIN && place->x < INT32_MAX && place->z >= INT32_MIN &&
           place->z < INT32_MAX;
}

/// Loads the four columns of a chunk. @param has_any  receives whether the world has one of them
static TrnResult anvil_load_columns(AnvilLoad *load, TrnVoxel place, TrnBlock *blocks,
                                    bool *has_any)
{
    TrnAnvilCache *cache = &load->anvil->cache;
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < 4 && result == TRN_RESULT_OK; i++) {
        TrnAnvilCached *column;
        result = trn_anvil_cache_take(cache, (int32_t)(place.x + i % 2), (int32_t)(place.z + i / 2),
                                      &column);
        if (result != TRN_RESULT_OK) {
            break;
        }
        load->column = column;
        *has_any = *has_any || column->is_there;
        result = anvil_load_column(
            load, place.y,
            blocks + trn_local_index(i % 2 * TRN_ANVIL_EDGE, 0, i / 2 * TRN_ANVIL_EDGE));
        trn_anvil_cache_give(cache, column);
    }
    return result;
}

static TrnResult anvil_load(void *state, TrnCoord coord, TrnBlock *blocks, bool *uniform)
{
    Anvil *anvil = state;
    TrnVoxel place;
    bool has_any = false;
    if (!anvil_place(anvil, coord, &place)) {
        return TRN_RESULT_NOT_FOUND;
    }
    const TrnAllocator *allocator = &anvil->import->allocator;
    AnvilLoad *load = trn_take(allocator, sizeof *load, TRN_CACHE_LINE); // much for a stack
    if (!load) {
        return TRN_RESULT_NO_MEMORY;
    }
    load->anvil = anvil;
    load->property_count = 0;
    memset(blocks, 0, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    const TrnResult result = anvil_load_columns(load, place, blocks, &has_any);
    trn_import_ignored(&anvil->import->notes, "properties of block states", load->property_count);
    trn_give(allocator, load, sizeof *load);
    if (result == TRN_RESULT_OK) {
        *uniform = trn_import_is_uniform(blocks);
    }
    return result != TRN_RESULT_OK || has_any ? result : TRN_RESULT_NOT_FOUND;
}

extern const TrnImportReader trn_import_anvil;
const TrnImportReader trn_import_anvil = {.name = "anvil",
                                          .names = trn_asset_minecraft_txt,
                                          .names_size = &trn_asset_minecraft_txt_bytes,
                                          .state_bytes = sizeof(Anvil),
                                          .recognises = trn_anvil_files_recognise,
                                          .open = anvil_open,
                                          .list = anvil_list,
                                          .load = anvil_load,
                                          .close = anvil_close};
