// Region files of Minecraft that are written: see trn_region_save. What a column is stands in
// anvil_section.h, what a region file is in anvil_files.h.

#include <inttypes.h>
#include <string.h>

#include <terrane/schematic.h>

#include "base/memory.h"

#include "anvil_files.h"
#include "back.h"
#include "state_out.h"

#define REGION_SECTOR 4096u
#define REGION_SECTORS_MAX 255u // of a column
#define REGION_TOWERS 16        // chunks along each side
#define REGION_EDGE 512         // voxels along each side
#define REGION_LOW_CHUNK (TRN_REGION_Y_MIN / TRN_CHUNK_EDGE)
#define REGION_HEIGHT ((TRN_REGION_Y_MAX + 1 - TRN_REGION_Y_MIN) / TRN_CHUNK_EDGE) // chunks
#define REGION_SECTIONS (REGION_HEIGHT * 2)

/// A block as it goes out.
typedef struct RegionName {
    TrnBackName name;
    TrnBlock block;
    uint64_t voxels;
} RegionName;

TRN_ARRAY_DECLARE(RegionNames, RegionName);

/// Block data of a tower.
typedef struct RegionContent {
    TrnVoxel voxel;
    uint32_t at, size; ///< in `bytes`
} RegionContent;

TRN_ARRAY_DECLARE(RegionContents, RegionContent);

typedef struct RegionSave {
    const TrnRegionDef *def;
    TrnAllocator allocator;
    TrnBack back;
    RegionNames names;
    uint32_t places[TRN_BLOCK_TYPES_MAX]; ///< by block: an index of `names` plus one
    TrnSchematicReport report;
    const char *fault;
    TrnBytes file;    ///< locations, then columns; the table of times is zeroes
    TrnPackedOut out; ///< of a column
    // Of a tower.
    TrnCoord tower;
    TrnBlock blocks[REGION_HEIGHT][TRN_CHUNK_VOXELS];
    RegionContents contents;
    TrnBytes content_bytes;
    // Of a section.
    uint32_t entries[TRN_ANVIL_BLOCKS]; ///< names * 2, plus one for the upper half of a door
    uint32_t palette[TRN_ANVIL_BLOCKS], palette_count;
    uint16_t indices[TRN_ANVIL_BLOCKS];
} RegionSave;

// ---- loading ------------------------------------------------------------------------------------

/// What the loading of a chunk's block data works with.
typedef struct RegionData {
    RegionSave *save;
    TrnCoord coord;
} RegionData;

static bool region_is_in_box(const RegionSave *save, TrnVoxel voxel)
{
    const TrnVoxel min = save->def->min, max = save->def->max;
    return voxel.x >= min.x && voxel.x <= max.x && voxel.y >= min.y && voxel.y <= max.y &&
           voxel.z >= min.z && voxel.z <= max.z;
}

static TrnVoxel region_voxel(TrnCoord coord, uint32_t index)
{
    const int64_t edge = TRN_CHUNK_EDGE;
    return (TrnVoxel){coord.x * edge + index % edge, coord.y * edge + index / (edge * edge),
                      coord.z * edge + index / edge % edge};
}

static TrnResult region_keep_data(void *user, const TrnBlockData *data)
{
    const RegionData *of = user;
    RegionSave *save = of->save;
    TrnBlockEntity entity;
    const TrnVoxel voxel = region_voxel(of->coord, data->index);
    if (!region_is_in_box(save, voxel)) {
        return TRN_RESULT_OK;
    }
    if (!trn_state_read_entity(data, &entity)) {
        save->report.lost_contents++;
        return TRN_RESULT_OK;
    }
    const RegionContent content = {voxel, save->content_bytes.count, data->size};
    TrnBytes *bytes = &save->content_bytes;
    TrnResult result =
        trn_array_reserve(bytes, &save->allocator, (size_t)bytes->count + data->size);
    if (result == TRN_RESULT_OK) {
        memcpy(bytes->items + bytes->count, data->bytes, data->size);
        bytes->count += data->size;
        result = trn_array_push(&save->contents, &save->allocator, content);
    }
    return result;
}

/// Makes air of what is outside the box.
static void region_clip(const RegionSave *save, TrnCoord coord, TrnBlock *blocks)
{
    const TrnVoxel low = region_voxel(coord, 0), high = region_voxel(coord, TRN_CHUNK_VOXELS - 1);
    if (region_is_in_box(save, low) && region_is_in_box(save, high)) {
        return;
    }
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = region_is_in_box(save, region_voxel(coord, i)) ? blocks[i] : TRN_BLOCK_AIR;
    }
}

/// Loads a chunk of the tower.
static TrnResult region_load_chunk(RegionSave *save, uint32_t y)
{
    TrnBlock *blocks = save->blocks[y];
    RegionData data = {save, {save->tower.x, REGION_LOW_CHUNK + (int32_t)y, save->tower.z}};
    const TrnDataSink sink = {region_keep_data, &data};
    const TrnStreamJob job = {.coord = data.coord, .data = &sink};
    bool uniform = false;
    const TrnResult result = save->def->source.load(save->def->source.user, &job, blocks, &uniform);
    if (result == TRN_RESULT_NOT_FOUND) {
        memset(blocks, 0, sizeof save->blocks[0]);
        return TRN_RESULT_OK;
    }
    for (uint32_t i = 1; i < TRN_CHUNK_VOXELS && result == TRN_RESULT_OK && uniform; i++) {
        blocks[i] = blocks[0];
    }
    if (result == TRN_RESULT_OK) {
        region_clip(save, data.coord, blocks);
    }
    return result;
}

// ---- names --------------------------------------------------------------------------------------

/// Finds the entry of a block. Errors: NO_MEMORY.
static TrnResult region_find_name(RegionSave *save, TrnBlock block, uint32_t *entry)
{
    if (!save->places[block]) {
        RegionName name = {.block = block};
        TrnResult result = trn_back_find(&save->back, block, &name.name);
        if (result == TRN_RESULT_OK) {
            result = trn_array_push(&save->names, &save->allocator, name);
        }
        if (result != TRN_RESULT_OK) {
            return result;
        }
        save->places[block] = save->names.count;
    }
    *entry = save->places[block] - 1;
    return TRN_RESULT_OK;
}

/// A block of the tower. @param y  from the lowest of all on
static TrnBlock region_block(const RegionSave *save, uint32_t x, uint32_t y, uint32_t z)
{
    return save->blocks[y / TRN_CHUNK_EDGE][trn_local_index(x, y % TRN_CHUNK_EDGE, z)];
}

/// Whether a door stands on its own lower half: there is an odd number of the same below it.
static bool region_is_upper(const RegionSave *save, uint32_t x, uint32_t y, uint32_t z)
{
    const TrnBlock block = region_block(save, x, y, z);
    uint32_t below = 0;
    while (below < y && region_block(save, x, y - below - 1, z) == block) {
        below++;
    }
    return below % 2 == 1;
}

// ---- a section ----------------------------------------------------------------------------------

/// Fills the palette and the indices of a section. @param corner  x, z in the tower
static TrnResult region_index(RegionSave *save, const uint32_t corner[2], uint32_t section)
{
    enum { PLACES = 8192 };
    static const uint32_t golden = UINT32_C(0x9E3779B1);
    uint16_t places[PLACES] = {0};
    TrnResult result = TRN_RESULT_OK;
    save->palette_count = 0;
    for (uint32_t i = 0; i < TRN_ANVIL_BLOCKS && result == TRN_RESULT_OK; i++) {
        const uint32_t x = corner[0] + i % TRN_ANVIL_EDGE;
        const uint32_t z = corner[1] + i / TRN_ANVIL_EDGE % TRN_ANVIL_EDGE;
        const uint32_t y = section * TRN_ANVIL_EDGE + i / (TRN_ANVIL_EDGE * TRN_ANVIL_EDGE);
        uint32_t entry = 0;
        result = region_find_name(save, region_block(save, x, y, z), &entry);
        if (result != TRN_RESULT_OK) {
            break;
        }
        RegionName *name = &save->names.items[entry];
        name->voxels++;
        entry = entry * 2 + (name->name.is_door && region_is_upper(save, x, y, z));
        uint32_t place = entry * golden >> 19; // 13 bits
        while (places[place] && save->palette[places[place] - 1u] != entry) {
            place = (place + 1) % PLACES;
        }
        if (!places[place]) {
            save->palette[save->palette_count++] = entry;
            places[place] = (uint16_t)save->palette_count;
        }
        save->indices[i] = (uint16_t)(places[place] - 1);
    }
    return result;
}

/// Writes indices, in as many bits as the palette needs; none spans two longs.
static void region_put_indices(RegionSave *save)
{
    uint32_t bits = 4;
    while (UINT32_C(1) << bits < save->palette_count) {
        bits++;
    }
    const uint32_t each = 64 / bits;
    trn_packed_tag(&save->out, TRN_NBT_LONGS, "data");
    trn_packed_number(&save->out, (TRN_ANVIL_BLOCKS + each - 1) / each, 4);
    for (uint32_t i = 0; i < TRN_ANVIL_BLOCKS; i += each) {
        uint64_t word = 0;
        for (uint32_t k = 0; k < each && i + k < TRN_ANVIL_BLOCKS; k++) {
            word |= (uint64_t)save->indices[i + k] << k * bits;
        }
        trn_packed_number(&save->out, word, 8);
    }
}

static TrnResult region_put_section(RegionSave *save, const uint32_t corner[2], uint32_t section)
{
    static const TrnNbtText plains = {"minecraft:plains", sizeof "minecraft:plains" - 1};
    TrnPackedOut *out = &save->out;
    const TrnResult result = region_index(save, corner, section);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    trn_packed_tag(out, TRN_NBT_BYTE, "Y");
    trn_packed_number(out, (uint64_t)(TRN_REGION_Y_MIN / TRN_ANVIL_EDGE + (int64_t)section), 1);
    trn_packed_tag(out, TRN_NBT_COMPOUND, "block_states");
    trn_packed_list(out, "palette", TRN_NBT_COMPOUND, save->palette_count);
    for (uint32_t i = 0; i < save->palette_count; i++) {
        const TrnBackName *name = &save->names.items[save->palette[i] / 2].name;
        const TrnAnvilState state = trn_back_state(name, save->palette[i] % 2);
        trn_state_put(out, &state);
    }
    if (save->palette_count > 1) {
        region_put_indices(save);
    }
    trn_packed_close(out);
    trn_packed_tag(out, TRN_NBT_COMPOUND, "biomes");
    trn_packed_list(out, "palette", TRN_NBT_STRING, 1);
    trn_packed_number(out, plains.size, 2);
    trn_packed_put(out, plains.bytes, plains.size);
    trn_packed_close(out);
    trn_packed_close(out);
    return TRN_RESULT_OK;
}

// ---- a column -----------------------------------------------------------------------------------

static bool region_has_content(const RegionContent *content, int32_t column_x, int32_t column_z)
{
    return content->voxel.x >> 4 == column_x && content->voxel.z >> 4 == column_z;
}

static void region_put_contents(RegionSave *save, int32_t column_x, int32_t column_z)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < save->contents.count; i++) {
        count += region_has_content(&save->contents.items[i], column_x, column_z);
    }
    trn_packed_list(&save->out, "block_entities", TRN_NBT_COMPOUND, count);
    for (uint32_t i = 0; i < save->contents.count; i++) {
        const RegionContent *content = &save->contents.items[i];
        const TrnBlockData data = {.bytes = save->content_bytes.items + content->at,
                                   .size = content->size};
        const int64_t at[3] = {content->voxel.x, content->voxel.y, content->voxel.z};
        TrnBlockEntity entity;
        if (region_has_content(content, column_x, column_z) &&
            trn_state_read_entity(&data, &entity)) { // it was read before
            trn_state_put_entity(&save->out, at, &entity, false);
        }
    }
    save->report.contents += count;
}

/// Writes the NBT of a column. @param corner  x, z in the tower
static TrnResult region_put_column(RegionSave *save, const uint32_t corner[2])
{
    static const TrnNbtText full = {"minecraft:full", sizeof "minecraft:full" - 1};
    TrnPackedOut *out = &save->out;
    const int32_t x = save->tower.x * 2 + (int32_t)corner[0] / TRN_ANVIL_EDGE;
    const int32_t z = save->tower.z * 2 + (int32_t)corner[1] / TRN_ANVIL_EDGE;
    TrnResult result = TRN_RESULT_OK;
    trn_packed_tag(out, TRN_NBT_COMPOUND, "");
    trn_packed_int(out, "DataVersion", TRN_STATE_DATA_VERSION);
    trn_packed_int(out, "xPos", x);
    trn_packed_int(out, "yPos", TRN_REGION_Y_MIN / TRN_ANVIL_EDGE);
    trn_packed_int(out, "zPos", z);
    trn_packed_text(out, "Status", full);
    trn_packed_tag(out, TRN_NBT_BYTE, "isLightOn");
    trn_packed_number(out, 0, 1);
    trn_packed_list(out, "sections", TRN_NBT_COMPOUND, REGION_SECTIONS);
    for (uint32_t i = 0; i < REGION_SECTIONS && result == TRN_RESULT_OK; i++) {
        result = region_put_section(save, corner, i);
    }
    region_put_contents(save, x, z);
    trn_packed_close(out);
    return result;
}

static bool region_collect(void *user, const void *bytes, size_t size)
{
    RegionSave *save = user;
    TrnBytes *file = &save->file;
    if (trn_array_reserve(file, &save->allocator, (size_t)file->count + size) != TRN_RESULT_OK) {
        return false;
    }
    memcpy(file->items + file->count, bytes, size);
    file->count += (uint32_t)size;
    return true;
}

/// Fills the last sector.
static bool region_pad(RegionSave *save)
{
    static const unsigned char zeroes[REGION_SECTOR];
    const uint32_t over = save->file.count % REGION_SECTOR;
    return !over || region_collect(save, zeroes, REGION_SECTOR - over);
}

/// Adds a column to the file.
static TrnResult region_add_column(RegionSave *save, const uint32_t corner[2])
{
    static const unsigned char head[5] = {0, 0, 0, 0, TRN_REGION_ZLIB};
    const uint32_t begin = save->file.count;
    save->out = (TrnPackedOut){.write = region_collect,
                               .user = save,
                               .allocator = save->allocator,
                               .most = TRN_REGION_COLUMN_MAX};
    if (!region_collect(save, head, sizeof head)) {
        return TRN_RESULT_NO_MEMORY;
    }
    trn_packed_begin(&save->out, TRN_PACKED_ZLIB);
    TrnResult result = region_put_column(save, corner);
    const TrnResult written = trn_packed_finish(&save->out);
    result = result == TRN_RESULT_OK ? written : result;
    const uint32_t size = save->file.count - begin;
    const uint32_t sectors = (size + REGION_SECTOR - 1) / REGION_SECTOR;
    if (result == TRN_RESULT_FULL || (result == TRN_RESULT_OK && sectors > REGION_SECTORS_MAX)) {
        save->fault = "A column is larger than a region file takes, 1 MiB; export less of what its "
                      "blocks contain.";
        return TRN_RESULT_FULL;
    }
    if (result != TRN_RESULT_OK || !region_pad(save)) {
        return result == TRN_RESULT_IO || result == TRN_RESULT_OK ? TRN_RESULT_NO_MEMORY : result;
    }
    const uint32_t x = (uint32_t)(save->tower.x * 2 + (int32_t)(corner[0] / TRN_ANVIL_EDGE)) & 31;
    const uint32_t z = (uint32_t)(save->tower.z * 2 + (int32_t)(corner[1] / TRN_ANVIL_EDGE)) & 31;
    unsigned char *location = save->file.items + (size_t)4 * (x + 32 * z);
    const uint32_t where = begin / REGION_SECTOR << 8 | sectors;
    for (int i = 0; i < 4; i++) {
        location[i] = (unsigned char)(where >> (24 - 8 * i));
        save->file.items[begin + (uint32_t)i] = (unsigned char)((size - 4) >> (24 - 8 * i));
    }
    return TRN_RESULT_OK;
}

// ---- a tower ------------------------------------------------------------------------------------

/// Whether the box touches a tower.
static bool region_touches(const RegionSave *save)
{
    const TrnRegionDef *def = save->def;
    const TrnVoxel low = region_voxel(save->tower, 0);
    return low.x <= def->max.x && low.x + TRN_CHUNK_EDGE > def->min.x && low.z <= def->max.z &&
           low.z + TRN_CHUNK_EDGE > def->min.z &&
           (!def->has_column || def->has_column(def->user, save->tower.x, save->tower.z));
}

static TrnResult region_add_tower(RegionSave *save)
{
    TrnResult result = TRN_RESULT_OK;
    save->contents.count = save->content_bytes.count = 0;
    for (uint32_t y = 0; y < REGION_HEIGHT && result == TRN_RESULT_OK; y++) {
        result = region_load_chunk(save, y);
    }
    for (uint32_t i = 0; i < 4 && result == TRN_RESULT_OK; i++) {
        const uint32_t corner[2] = {i % 2 * TRN_ANVIL_EDGE, i / 2 * TRN_ANVIL_EDGE};
        result = region_add_column(save, corner);
    }
    return result;
}

static TrnResult region_add_towers(RegionSave *save)
{
    static const unsigned char tables[2 * REGION_SECTOR];
    TrnResult result =
        region_collect(save, tables, sizeof tables) ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    for (int32_t i = 0; i < REGION_TOWERS * REGION_TOWERS && result == TRN_RESULT_OK; i++) {
        save->tower = (TrnCoord){save->def->x * REGION_TOWERS + i % REGION_TOWERS, REGION_LOW_CHUNK,
                                 save->def->z * REGION_TOWERS + i / REGION_TOWERS};
        result = region_touches(save) ? region_add_tower(save) : TRN_RESULT_OK;
    }
    return result;
}

// ---- saving -------------------------------------------------------------------------------------

static void region_count(RegionSave *save)
{
    bool goes_on = save->def->note != NULL;
    for (uint32_t i = 0; i < save->names.count; i++) {
        const RegionName *name = &save->names.items[i];
        save->report.voxels += name->block != TRN_BLOCK_AIR ? name->voxels : 0;
        if (!name->name.is_known) {
            const TrnImportNote note = {TRN_IMPORT_NOTE_UNKNOWN, name->voxels,
                                        trn_block_types_get(save->def->types, name->block)->name,
                                        ""};
            save->report.lost_voxels += name->voxels;
            save->report.lost_kinds++;
            goes_on = goes_on && save->def->note(save->def->user, &note);
        }
    }
    const TrnImportNote note = {TRN_IMPORT_NOTE_IGNORED, save->report.lost_contents,
                                "contents of blocks", ""};
    if (goes_on && note.count) {
        (void)save->def->note(save->def->user, &note);
    }
}

static TrnResult region_write(RegionSave *save)
{
    TrnResult result = region_add_towers(save);
    if (result == TRN_RESULT_OK && save->file.count > 2 * REGION_SECTOR &&
        !save->def->write(save->def->user, save->file.items, save->file.count)) {
        result = TRN_RESULT_IO;
    }
    if (result == TRN_RESULT_OK) {
        region_count(save);
    }
    return result;
}

/// Whether the places of a region's voxels fit into 32 bits. @param at  of the region, on one axis
static bool region_has_place(int32_t at)
{
    return at >= INT32_MIN / REGION_EDGE && at <= INT32_MAX / REGION_EDGE;
}

TrnResult trn_region_save(const TrnRegionDef *def, TrnSchematicReport *report,
                          TrnStorageProblem *problem)
{
    if (!def || !def->types || !def->source.load || !def->write ||
        (!def->names && def->names_size)) {
        trn_import_tell(problem, "%s", trn_result_text(TRN_RESULT_BAD_ARGUMENT));
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (!region_has_place(def->x) || !region_has_place(def->z)) {
        trn_import_tell(problem,
                        "The region r.%" PRId32 ".%" PRId32 ".mca lies where Minecraft has no "
                        "numbers for voxels; export a box without it.",
                        def->x, def->z);
        return TRN_RESULT_OUT_OF_RANGE;
    }
    const TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnStorageProblem why = {""};
    RegionSave *save = trn_take(&allocator, sizeof *save, TRN_CACHE_LINE);
    if (!save) {
        trn_import_tell(problem, "%s", trn_result_text(TRN_RESULT_NO_MEMORY));
        return TRN_RESULT_NO_MEMORY;
    }
    memset(save, 0, sizeof *save);
    save->def = def;
    save->allocator = allocator;
    TrnResult result = trn_back_open(&save->back, &allocator, def->types, false,
                                     (TrnImportTable){def->names, def->names_size}, &why);
    if (result == TRN_RESULT_OK) {
        result = region_write(save);
        trn_back_free(&save->back);
    }
    trn_array_free(&save->names, &allocator);
    trn_array_free(&save->file, &allocator);
    trn_array_free(&save->contents, &allocator);
    trn_array_free(&save->content_bytes, &allocator);
    if (result == TRN_RESULT_OK && report) {
        *report = save->report;
    }
    if (result != TRN_RESULT_OK) {
        trn_import_tell(problem, "%s",
                        save->fault     ? save->fault
                        : *why.sentence ? why.sentence
                                        : trn_result_text(result));
    }
    trn_give(&allocator, save, sizeof *save);
    return result;
}
