// Anvil, the format of Minecraft since 1.2, and McRegion, the one before, as a format of imports.
//
// A chunk of 32 x 32 x 32 is 2 x 2 columns and two sections of each. Axes are the same.

#include <string.h>

#include "base/memory.h"

#include "anvil_cache.h"
#include "anvil_level.h"
#include "anvil_numbers.h"
#include "format.h"

extern const char trn_asset_minecraft_txt[]; // embedded
extern const size_t trn_asset_minecraft_txt_bytes;

typedef struct Anvil {
    TrnImport *import;
    TrnAnvilFiles files;
    TrnVoxel offset; ///< x and z in chunks, y in sections
    bool has_spawn;
    TrnVoxel spawn; ///< before the offset
    TrnAnvilNumbers numbers;
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

/// Reads what level.dat says, if there is one.
static TrnResult anvil_open_level(Anvil *anvil)
{
    const TrnAllocator *allocator = &anvil->import->allocator;
    TrnBytes level = {0};
    if (trn_anvil_level_read(anvil->import->def.path, allocator, &level)) {
        anvil->has_spawn = trn_anvil_level_spawn(level.items, level.count, &anvil->spawn);
    }
    return trn_anvil_numbers_open(&anvil->numbers, &level, allocator);
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
        result = anvil_open_level(anvil);
    }
    if (result == TRN_RESULT_OK) {
        result =
            trn_anvil_cache_open(&anvil->cache, &anvil->files, &import->notes, &import->allocator);
    }
    if (result != TRN_RESULT_OK) {
        trn_anvil_numbers_free(&anvil->numbers, &import->allocator);
        trn_anvil_files_free(&anvil->files);
    }
    return result;
}

static bool anvil_spawn(const void *state, TrnVoxel *voxel)
{
    const Anvil *anvil = state;
    *voxel = anvil->spawn;
    return anvil->has_spawn;
}

static void anvil_close(void *state)
{
    Anvil *anvil = state;
    trn_anvil_cache_close(&anvil->cache);
    trn_anvil_numbers_free(&anvil->numbers, &anvil->import->allocator);
    trn_anvil_files_free(&anvil->files);
}

// ---- listing ------------------------------------------------------------------------------------

#define ANVIL_REGION_CHUNKS (TRN_REGION_EDGE / 2) ///< along each side

/// Visits the chunks of a tower that have the sections from `low` on below `high`.
/// @param has  only sections of these bits, from TRN_ANVIL_Y_MIN up, and only chunks without the
///             usual sections; NULL: all  @return false to stop
static bool anvil_list_tower(const Anvil *anvil, TrnVoxel place, int64_t low, int64_t high,
                             const uint64_t *has, TrnImportVisitor visit, void *user)
{
    const int64_t usual_low = (TRN_ANVIL_USUAL_LOW + anvil->offset.y) >> 1;
    const int64_t usual_high = (TRN_ANVIL_USUAL_HIGH - 1 + anvil->offset.y) >> 1;
    int64_t last = INT64_MIN;
    for (int64_t section = low; section < high; section++) {
        const uint64_t bit = (uint64_t)(section - TRN_ANVIL_Y_MIN);
        const int64_t y = (section + anvil->offset.y) >> 1;
        const TrnVoxel chunk = {(place.x + anvil->offset.x) * TRN_CHUNK_EDGE, y * TRN_CHUNK_EDGE,
                                (place.z + anvil->offset.z) * TRN_CHUNK_EDGE};
        if (y == last ||
            (has && (!(has[bit / 64] >> bit % 64 & 1) || (y >= usual_low && y <= usual_high)))) {
            continue;
        }
        last = y;
        if (trn_voxel_in_world(chunk) && !visit(user, trn_voxel_chunk(chunk))) {
            return false;
        }
    }
    return true;
}

/// @param has  [TRN_REGION_COLUMNS] which columns the region has
static bool anvil_list_region(const Anvil *anvil, TrnAnvilRegion region, const bool *has,
                              TrnImportVisitor visit, void *user)
{
    for (int32_t i = 0; i < ANVIL_REGION_CHUNKS * ANVIL_REGION_CHUNKS; i++) {
        const int32_t x = i % ANVIL_REGION_CHUNKS, z = i / ANVIL_REGION_CHUNKS;
        const bool *first = &has[x * 2 + z * 2 * TRN_REGION_EDGE];
        const bool has_any =
            first[0] || first[1] || first[TRN_REGION_EDGE] || first[TRN_REGION_EDGE + 1];
        const TrnVoxel place = {(int64_t)region.x * ANVIL_REGION_CHUNKS + x, 0,
                                (int64_t)region.z * ANVIL_REGION_CHUNKS + z};
        if (has_any && !anvil_list_tower(anvil, place, TRN_ANVIL_USUAL_LOW, TRN_ANVIL_USUAL_HIGH,
                                         NULL, visit, user)) {
            return false;
        }
    }
    return true;
}

static TrnResult anvil_list(void *state, TrnImportVisitor visit, void *user)
{
    Anvil *anvil = state;
    bool goes_on = true;
    anvil->cache.notes_towers = true;
    anvil->cache.bytes_max = TRN_ANVIL_TOWER_BYTES;
    for (uint32_t i = 0; i < anvil->files.regions.count && goes_on; i++) {
        const TrnAnvilRegion region = anvil->files.regions.items[i];
        bool has[TRN_REGION_COLUMNS];
        const TrnResult result = trn_anvil_files_list(&anvil->files, region, has);
        if (result == TRN_RESULT_NO_MEMORY) {
            return result;
        }
        if (result == TRN_RESULT_OK) {
            goes_on = anvil_list_region(anvil, region, has, visit, user);
        } else {
            trn_import_damaged(&anvil->import->notes, "region files that cannot be read",
                               "region %d,%d", (int)region.x, (int)region.z);
        }
    }
    return TRN_RESULT_OK;
}

// ---- land beyond the usual heights --------------------------------------------------------------

/// Reads all columns of a region, so that the cache notes what they have.
static TrnResult anvil_read_region(Anvil *anvil, TrnAnvilRegion region)
{
    bool has[TRN_REGION_COLUMNS];
    TrnResult result = trn_anvil_files_list(&anvil->files, region, has);
    if (result != TRN_RESULT_OK) {
        return result == TRN_RESULT_NO_MEMORY ? result : TRN_RESULT_OK; // list reports the region
    }
    for (int32_t i = 0; i < TRN_REGION_COLUMNS && result == TRN_RESULT_OK; i++) {
        TrnAnvilCached *column;
        result = has[i] ? trn_anvil_cache_take(
                              &anvil->cache, region.x * TRN_REGION_EDGE + i % TRN_REGION_EDGE,
                              region.z * TRN_REGION_EDGE + i / TRN_REGION_EDGE, &column)
                        : TRN_RESULT_OK;
        if (has[i] && result == TRN_RESULT_OK) {
            trn_anvil_cache_give(&anvil->cache, column);
        }
    }
    return result;
}

static TrnResult anvil_list_rest(void *state, bool is_loaded, TrnImportVisitor visit, void *user)
{
    Anvil *anvil = state;
    const TrnAnvilTowers *towers = &anvil->cache.towers;
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < anvil->files.regions.count && !is_loaded; i++) {
        result = anvil_read_region(anvil, anvil->files.regions.items[i]);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    anvil->cache.notes_towers = false; // while they are visited
    bool goes_on = true;
    for (uint32_t i = 0; i < towers->count && goes_on; i++) {
        const TrnAnvilTower *tower = &towers->items[i];
        const TrnVoxel place = {tower->x, 0, tower->z};
        goes_on = anvil_list_tower(anvil, place, TRN_ANVIL_Y_MIN, TRN_ANVIL_USUAL_LOW, tower->has,
                                   visit, user) &&
                  anvil_list_tower(anvil, place, TRN_ANVIL_USUAL_HIGH,
                                   TRN_ANVIL_Y_MIN + TRN_ANVIL_Y_COUNT, tower->has, visit, user);
    }
    return result;
}

// ---- loading ------------------------------------------------------------------------------------

/// An entry of a section's palette.
typedef struct AnvilEntry {
    TrnImportName *name;
    uint32_t voxels; ///< while those of unknown names are counted
    TrnBlock block;  ///< that stands for it
} AnvilEntry;

#define ANVIL_PLACE_BITS 13 // twice as many places as a section can have blocks
#define ANVIL_PLACES (1u << ANVIL_PLACE_BITS)
#define ANVIL_PLAIN (TRN_ANVIL_NUMBERS * 16) // numbers of one byte, with their values

/// What one load of a chunk works with.
typedef struct AnvilLoad {
    Anvil *anvil;
    const TrnAnvilCached *column;
    TrnImportContents *contents; ///< NULL: not asked for
    uint64_t property_count;     ///< block states with properties that their block does not show
    AnvilEntry *palette;         ///< [capacity]
    uint32_t capacity;
    uint16_t indices[TRN_ANVIL_BLOCKS];
    // Before 1.13.
    TrnAnvilNumber numbers[TRN_ANVIL_BLOCKS];  ///< of a section
    TrnAnvilNumber distinct[TRN_ANVIL_BLOCKS]; ///< its palette
    uint16_t plain[ANVIL_PLAIN];   ///< by number and value: an index of `distinct`, plus one
    uint16_t places[ANVIL_PLACES]; ///< the same by hash, of what mods and halves have
    bool has_places;               ///< `places` is in use
} AnvilLoad;

/// Ensures that a palette fits. @return false if there is no memory
static bool anvil_reserve(AnvilLoad *load, uint32_t palette_count)
{
    enum { LEAST = 512 };
    const TrnAllocator *allocator = &load->anvil->import->allocator;
    if (palette_count <= load->capacity) {
        return true;
    }
    trn_give(allocator, load->palette, load->capacity * sizeof *load->palette);
    load->capacity = palette_count < LEAST ? LEAST : palette_count;
    load->palette = trn_take(allocator, load->capacity * sizeof *load->palette, TRN_CACHE_LINE);
    load->capacity = load->palette ? load->capacity : 0;
    return load->palette != NULL;
}

static TrnResult anvil_damaged_section(const AnvilLoad *load, const char *fault, int32_t y)
{
    trn_import_damaged(&load->anvil->import->notes, fault, "section %d,%d,%d", (int)load->column->x,
                       (int)y, (int)load->column->z);
    return TRN_RESULT_CORRUPT;
}

/// Finds the name and block of an entry of a palette. Errors: NO_MEMORY, FULL.
static TrnResult anvil_find_name(AnvilLoad *load, const TrnAnvilState *theirs, AnvilEntry *entry)
{
    TrnImportState ours;
    const TrnResult result = trn_import_names_find_state(
        &load->anvil->import->names, theirs->name.bytes, theirs->name.size, theirs->properties,
        theirs->property_count, &ours);
    if (result == TRN_RESULT_OK) {
        *entry = (AnvilEntry){.name = ours.name, .block = ours.block};
        load->property_count += ours.is_lost;
    }
    return result;
}

/// Finds the names and blocks of a palette. Errors: CORRUPT, which is reported, NO_MEMORY, FULL.
static TrnResult anvil_find_names(AnvilLoad *load, const TrnAnvilSection *section, int32_t y)
{
    TrnNbt palette = section->palette;
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < section->palette_count && result == TRN_RESULT_OK; i++) {
        TrnAnvilState theirs;
        result = trn_anvil_palette_next(&palette, &theirs)
                     ? anvil_find_name(load, &theirs, &load->palette[i])
                     : anvil_damaged_section(load, "sections: a block without a name", y);
    }
    return result;
}

/// Finds the place of a number in a hash table.
static uint16_t *anvil_find_place(AnvilLoad *load, TrnAnvilNumber number)
{
    if (!load->has_places) {
        memset(load->places, 0, sizeof load->places);
        load->has_places = true;
    }
    uint32_t place = number * UINT32_C(0x9E3779B1) >> (32 - ANVIL_PLACE_BITS);
    while (load->places[place] && load->distinct[load->places[place] - 1u] != number) {
        place = (place + 1) % ANVIL_PLACES;
    }
    return &load->places[place];
}

/// Finds the index of a number in the palette, and adds it if it is new.
static uint16_t anvil_index_number(AnvilLoad *load, TrnAnvilNumber number, uint32_t *count)
{
    const bool is_plain = !(number & ~UINT32_C(0xFF0F));
    uint16_t *place = is_plain ? &load->plain[(number >> 4 & 0xFF0u) | (number & 15u)]
                               : anvil_find_place(load, number);
    if (!*place) {
        load->distinct[*count] = number;
        *place = (uint16_t)++ * count;
    }
    return (uint16_t)(*place - 1u);
}

/// Fills the indices of a section that has numbers. @return how many distinct ones there are
static uint32_t anvil_index_numbers(AnvilLoad *load)
{
    uint32_t count = 0;
    memset(load->plain, 0, sizeof load->plain);
    load->has_places = false;
    for (uint32_t i = 0; i < TRN_ANVIL_BLOCKS; i++) {
        load->indices[i] = anvil_index_number(load, load->numbers[i], &count);
    }
    return count;
}

/// Makes a palette and indices of a section that has numbers. Errors: NO_MEMORY, FULL.
static TrnResult anvil_find_numbers(AnvilLoad *load, const TrnAnvilSection *section, int32_t y,
                                    uint32_t *palette_count)
{
    const TrnAnvilCached *column = load->column;
    const TrnAnvilNumbers *numbers = &load->anvil->numbers;
    const TrnAnvilSection *const around[2] = {y > column->y_low ? section - 1 : NULL,
                                              y + 1 < column->y_high ? section + 1 : NULL};
    trn_anvil_numbers_unpack(numbers, section, around, load->numbers);
    *palette_count = anvil_index_numbers(load);
    TrnResult result = anvil_reserve(load, *palette_count) ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    for (uint32_t i = 0; i < *palette_count && result == TRN_RESULT_OK; i++) {
        char name[TRN_ANVIL_NUMBER_NAME_MAX];
        TrnAnvilState theirs;
        trn_anvil_numbers_state(numbers, load->distinct[i], name, &theirs);
        result = anvil_find_name(load, &theirs, &load->palette[i]);
    }
    return result;
}

/// Reads the palette and the indices of a section. Errors: CORRUPT, which is reported, NO_MEMORY,
/// FULL.
static TrnResult anvil_read_blocks(AnvilLoad *load, const TrnAnvilSection *section, int32_t y,
                                   uint32_t *palette_count)
{
    if (section->numbers) {
        return anvil_find_numbers(load, section, y, palette_count);
    }
    *palette_count = section->palette_count;
    TrnResult result = anvil_reserve(load, *palette_count) ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    result = result == TRN_RESULT_OK ? anvil_find_names(load, section, y) : result;
    if (result == TRN_RESULT_OK &&
        !trn_anvil_section_unpack(section, load->column->packing, load->indices)) {
        result = anvil_damaged_section(load, "sections: blocks and palette disagree", y);
    }
    return result;
}

/// Counts the voxels of names that the table lacks.
static void anvil_count_unknown(const AnvilLoad *load, uint32_t palette_count)
{
    bool has_any = false;
    for (uint32_t entry = 0; entry < palette_count && !has_any; entry++) {
        has_any = load->palette[entry].name->is_unknown;
    }
    if (!has_any) {
        return;
    }
    for (uint32_t i = 0; i < TRN_ANVIL_BLOCKS; i++) {
        load->palette[load->indices[i]].voxels++;
    }
    for (uint32_t i = 0; i < palette_count; i++) {
        const AnvilEntry *entry = &load->palette[i];
        if (entry->name->is_unknown && entry->voxels) {
            atomic_fetch_add_explicit(&entry->name->count, entry->voxels, memory_order_relaxed);
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
            blocks[x] = load->palette[indices[x]].block;
        }
    }
}

/// Loads a section into a chunk of air. A damaged one is reported, and stays air.
/// Errors: NO_MEMORY, FULL.
static TrnResult anvil_load_section(AnvilLoad *load, const TrnAnvilSection *section, int32_t y,
                                    TrnBlock *to)
{
    if (section->is_damaged) {
        (void)anvil_damaged_section(load, "sections: their blocks cannot be read", y);
        return TRN_RESULT_OK;
    }
    uint32_t palette_count;
    const TrnResult result = anvil_read_blocks(load, section, y, &palette_count);
    if (result == TRN_RESULT_OK) {
        anvil_count_unknown(load, palette_count);
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
        if (y + i < column->y_low || y + i >= column->y_high) {
            continue;
        }
        const TrnAnvilSection *section = &column->sections[y + i - column->y_low];
        if (trn_anvil_section_has_blocks(section)) {
            result = anvil_load_section(load, section, (int32_t)(y + i),
                                        to + trn_local_index(0, (uint32_t)i * TRN_ANVIL_EDGE, 0));
        }
    }
    return result;
}

/// Loads what blocks of a column contain. @param y  the chunk's lower section
/// Errors: NO_MEMORY.
static TrnResult anvil_load_contents(AnvilLoad *load, int64_t y, uint32_t corner)
{
    enum { MOST = TRN_ANVIL_EDGE * TRN_ANVIL_EDGE * TRN_ANVIL_EDGE * TRN_ANVIL_Y_COUNT };
    const TrnAnvilCached *column = load->column;
    TrnNbt nbt = column->contents;
    if (!load->contents || !column->is_there || !nbt.at) {
        return TRN_RESULT_OK;
    }
    const TrnNbtList list = trn_nbt_list(&nbt, column->contents_type);
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < list.count && i < MOST && list.type == TRN_NBT_COMPOUND &&
                         !nbt.is_broken && result == TRN_RESULT_OK;
         i++) {
        TrnBlockEntity entity;
        if (!trn_block_entity_read(&nbt, &entity)) {
            continue;
        }
        const int64_t x = entity.at[0] - (int64_t)column->x * TRN_ANVIL_EDGE;
        const int64_t z = entity.at[2] - (int64_t)column->z * TRN_ANVIL_EDGE;
        const int64_t height = entity.at[1] - y * TRN_ANVIL_EDGE;
        if (x >= 0 && x < TRN_ANVIL_EDGE && z >= 0 && z < TRN_ANVIL_EDGE && height >= 0 &&
            height < TRN_CHUNK_EDGE) {
            const uint32_t index = trn_local_index((uint32_t)x, (uint32_t)height, (uint32_t)z);
            result = trn_import_contents_add(load->contents, corner + index, &entity);
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
        const uint32_t corner = trn_local_index(i % 2 * TRN_ANVIL_EDGE, 0, i / 2 * TRN_ANVIL_EDGE);
        result = anvil_load_column(load, place.y, blocks + corner);
        result = result == TRN_RESULT_OK ? anvil_load_contents(load, place.y, corner) : result;
        trn_anvil_cache_give(cache, column);
    }
    return result;
}

static TrnResult anvil_load(void *state, TrnCoord coord, TrnBlock *blocks, bool *uniform,
                            TrnImportContents *contents)
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
    load->contents = contents;
    load->property_count = 0;
    load->palette = NULL;
    load->capacity = 0;
    memset(blocks, 0, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    const TrnResult result = anvil_load_columns(load, place, blocks, &has_any);
    trn_import_ignored(&anvil->import->notes, "properties of block states", load->property_count);
    trn_give(allocator, load->palette, load->capacity * sizeof *load->palette);
    trn_give(allocator, load, sizeof *load);
    if (result == TRN_RESULT_OK) {
        *uniform = trn_import_is_uniform(blocks);
    }
    return result != TRN_RESULT_OK || has_any ? result : TRN_RESULT_NOT_FOUND;
}

/// What is air whatever a table of names says.
static const char *const ANVIL_AIRS[] = {"minecraft:air", "minecraft:cave_air",
                                         "minecraft:void_air", NULL};

extern const TrnImportReader trn_import_anvil;
const TrnImportReader trn_import_anvil = {.name = "anvil",
                                          .names = trn_asset_minecraft_txt,
                                          .names_size = &trn_asset_minecraft_txt_bytes,
                                          .airs = ANVIL_AIRS,
                                          .state_bytes = sizeof(Anvil),
                                          .recognises = trn_anvil_files_recognise,
                                          .open = anvil_open,
                                          .list = anvil_list,
                                          .list_rest = anvil_list_rest,
                                          .load = anvil_load,
                                          .spawn = anvil_spawn,
                                          .close = anvil_close};
