// Schematics as formats of imports: those of Minecraft, and those of Luanti, whose names are
// others. All of it is in memory.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#include "file.h"
#include "format.h"
#include "placing.h"
#include "schematic_file.h"

extern const char trn_asset_minecraft_txt[]; // embedded
extern const size_t trn_asset_minecraft_txt_bytes;
extern const char trn_asset_luanti_txt[];
extern const size_t trn_asset_luanti_txt_bytes;
extern const TrnImportReader trn_import_schematic;
extern const TrnImportReader trn_import_mts;

/// A block state of a box.
typedef struct SchematicBlock {
    TrnImportName *name;
    TrnBlock block;
} SchematicBlock;

typedef struct Schematic {
    TrnImport *import;
    TrnSchematic file;
    bool is_luanti;
    TrnMutex mutex;          ///< of what follows
    SchematicBlock **blocks; ///< [boxes][palette_count]; NULL until a chunk of the box is loaded
} Schematic;

// ---- opening ------------------------------------------------------------------------------------

static bool schematic_recognises(const char *path)
{
    static const char *const endings[] = {".schem", ".schematic", ".litematic"};
    const size_t size = strlen(path);
    bool is_named = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t ending = strlen(endings[i]);
        is_named |= size > ending && strcmp(path + size - ending, endings[i]) == 0;
    }
    return is_named && trn_file_begins(path, "\x1F\x8B"); // gzip
}

static bool schematic_recognises_mts(const char *path)
{
    return trn_file_begins(path, "MTSM");
}

/// Reads a file, and decompresses it. Errors: CORRUPT with the fault, NO_MEMORY, IO.
static TrnResult schematic_unzip(FILE *file, TrnRegionCompression compression,
                                 const TrnAllocator *allocator, TrnBytes *bytes, const char **fault)
{
    const uint64_t size = trn_file_bytes(file);
    bool is_cut;
    if (size == 0 || size > TRN_SCHEMATIC_FILE_MAX) {
        *fault = size ? "it is larger than 64 MiB" : "it is empty";
        return TRN_RESULT_CORRUPT;
    }
    unsigned char *packed = trn_take(allocator, (size_t)size, 1);
    if (!packed) {
        return TRN_RESULT_NO_MEMORY;
    }
    *fault = "it does not decompress, or is larger than 256 MiB then";
    const TrnResult result =
        trn_file_read(file, 0, packed, (size_t)size)
            ? trn_region_decompress(compression, packed, (size_t)size, TRN_SCHEMATIC_BYTES_MAX,
                                    allocator, bytes, &is_cut)
            : TRN_RESULT_IO;
    trn_give(allocator, packed, (size_t)size);
    return result;
}

/// Moves the boxes to their place. @return whether all are in the world then
static bool schematic_is_in_world(const Schematic *schematic)
{
    const TrnImportDef *def = &schematic->import->def;
    const TrnSchematicBoxes *boxes = &schematic->file.boxes;
    TrnVoxel offset = def->offset;
    uint32_t size[3] = {1, 1, 1};
    for (uint32_t i = 0; i < boxes->count; i++) {
        const TrnSchematicBox *box = &boxes->items[i];
        const int64_t ends[3] = {box->low.x + box->size[0], box->low.y + box->size[1],
                                 box->low.z + box->size[2]};
        for (int axis = 0; axis < 3; axis++) {
            size[axis] = ends[axis] > size[axis] ? (uint32_t)ends[axis] : size[axis];
        }
    }
    bool is_in = trn_voxel_in_world(offset);
    if (def->place.is_placed) {
        const TrnVoxel last = {offset.x + size[0] + size[2], offset.y + size[1],
                               offset.z + size[0] + size[2]}; // however it is turned
        is_in = is_in && trn_voxel_in_world(last);
        offset = trn_place_offset(&def->place, size, offset);
    }
    for (uint32_t i = 0; i < boxes->count && is_in; i++) {
        TrnSchematicBox *box = &boxes->items[i];
        box->low = (TrnVoxel){box->low.x + offset.x, box->low.y + offset.y, box->low.z + offset.z};
        const TrnVoxel last = {box->low.x + box->size[0] - 1, box->low.y + box->size[1] - 1,
                               box->low.z + box->size[2] - 1};
        is_in = trn_voxel_in_world(box->low) && trn_voxel_in_world(last);
    }
    return is_in;
}

/// The chunk of a content, once it is placed in the world.
static TrnCoord schematic_content_chunk(const TrnSchematicContent *content)
{
    return trn_voxel_chunk((TrnVoxel){content->at[0], content->at[1], content->at[2]});
}

static int schematic_compare_coords(TrnCoord one, TrnCoord other)
{
    return one.x != other.x   ? (one.x < other.x ? -1 : 1)
           : one.z != other.z ? (one.z < other.z ? -1 : 1)
                              : (one.y > other.y) - (one.y < other.y);
}

static int schematic_compare_contents(const void *one, const void *other)
{
    return schematic_compare_coords(schematic_content_chunk(one), schematic_content_chunk(other));
}

/// Places contents in the world, and sorts them by chunk.
static void schematic_place_contents(TrnSchematic *file)
{
    for (uint32_t i = 0; i < file->contents.count; i++) {
        TrnSchematicContent *content = &file->contents.items[i];
        const TrnVoxel low = file->boxes.items[content->box].low;
        content->at[0] += low.x;
        content->at[1] += low.y;
        content->at[2] += low.z;
    }
    if (file->contents.count) {
        qsort(file->contents.items, file->contents.count, sizeof *file->contents.items,
              schematic_compare_contents);
    }
}

static TrnResult schematic_read(Schematic *schematic, TrnStorageProblem *problem)
{
    const TrnImport *import = schematic->import;
    const char *fault = "";
    TrnBytes bytes = {0};
    FILE *file;
    TrnResult result = trn_file_open(import->def.path, &file);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = schematic_unzip(file, schematic->is_luanti ? TRN_REGION_NONE : TRN_REGION_GZIP,
                             &import->allocator, &bytes, &fault);
    (void)fclose(file);
    if (result == TRN_RESULT_OK) {
        result = (schematic->is_luanti ? trn_schematic_read_mts : trn_schematic_read)(
            &schematic->file, &bytes, &import->allocator, &fault);
    }
    trn_array_free(&bytes, &import->allocator);
    if (result == TRN_RESULT_OK && !schematic_is_in_world(schematic)) {
        fault = "with this offset it does not lie in the world";
        result = TRN_RESULT_OUT_OF_RANGE;
    }
    if (result == TRN_RESULT_CORRUPT || result == TRN_RESULT_OUT_OF_RANGE) {
        trn_import_tell(problem, "Cannot read the schematic %.300s: %s.", import->def.path, fault);
    }
    return result;
}

static size_t schematic_blocks_bytes(const Schematic *schematic)
{
    return schematic->file.boxes.count *
           sizeof *schematic->blocks; // NOLINT(bugprone-sizeof-expression): pointers
}

static void schematic_free(Schematic *schematic)
{
    const TrnAllocator *allocator = &schematic->import->allocator;
    for (uint32_t i = 0; schematic->blocks && i < schematic->file.boxes.count; i++) {
        const size_t bytes =
            schematic->file.boxes.items[i].palette_count * sizeof **schematic->blocks;
        trn_give(allocator, schematic->blocks[i], schematic->blocks[i] ? bytes : 0);
    }
    trn_give(allocator, schematic->blocks,
             schematic->blocks ? schematic_blocks_bytes(schematic) : 0);
    trn_schematic_free(&schematic->file, allocator);
}

static TrnResult schematic_open(TrnImport *import, void *state, TrnStorageProblem *problem)
{
    Schematic *schematic = state;
    schematic->import = import;
    TrnResult result = schematic_read(schematic, problem);
    if (result == TRN_RESULT_OK) {
        const size_t bytes = schematic_blocks_bytes(schematic);
        schematic->blocks = trn_take(&import->allocator, bytes, sizeof(void *));
        result = schematic->blocks ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
        if (schematic->blocks) {
            memset(schematic->blocks, 0, bytes);
        }
    }
    if (result == TRN_RESULT_OK && !trn_mutex_init(&schematic->mutex)) {
        result = TRN_RESULT_NO_MEMORY;
    }
    if (result != TRN_RESULT_OK) {
        schematic_free(schematic);
        return result;
    }
    schematic_place_contents(&schematic->file);
    trn_import_ignored(&import->notes, "entities, such as animals and items on the ground",
                       schematic->file.entity_count);
    trn_import_ignored(&import->notes,
                       "contents of blocks outside the schematic, or beyond the "
                       "first 1,048,576",
                       schematic->file.astray_count);
    return TRN_RESULT_OK;
}

static TrnResult schematic_open_mts(TrnImport *import, void *state, TrnStorageProblem *problem)
{
    ((Schematic *)state)->is_luanti = true;
    return schematic_open(import, state, problem);
}

static void schematic_close(void *state)
{
    Schematic *schematic = state;
    trn_mutex_destroy(&schematic->mutex);
    schematic_free(schematic);
}

// ---- listing ------------------------------------------------------------------------------------

/// The chunks of a box: the first and the last.
static void schematic_chunks(const TrnSchematicBox *box, TrnCoord *first, TrnCoord *last)
{
    *first = trn_voxel_chunk(box->low);
    *last = trn_voxel_chunk((TrnVoxel){box->low.x + box->size[0] - 1, box->low.y + box->size[1] - 1,
                                       box->low.z + box->size[2] - 1});
}

/// Whether a box before this one has a chunk: then it was listed.
static bool schematic_is_listed(const Schematic *schematic, uint32_t box, TrnCoord coord)
{
    bool is_listed = false;
    for (uint32_t i = 0; i < box && !is_listed; i++) {
        TrnCoord first, last;
        schematic_chunks(&schematic->file.boxes.items[i], &first, &last);
        is_listed = coord.x >= first.x && coord.x <= last.x && coord.y >= first.y &&
                    coord.y <= last.y && coord.z >= first.z && coord.z <= last.z;
    }
    return is_listed;
}

static TrnResult schematic_list(void *state, TrnImportVisitor visit, void *user)
{
    const Schematic *schematic = state;
    bool goes_on = true;
    for (uint32_t i = 0; i < schematic->file.boxes.count && goes_on; i++) {
        TrnCoord first, last, at;
        schematic_chunks(&schematic->file.boxes.items[i], &first, &last);
        for (at.z = first.z; at.z <= last.z && goes_on; at.z++) {
            for (at.x = first.x; at.x <= last.x && goes_on; at.x++) {
                for (at.y = first.y; at.y <= last.y && goes_on; at.y++) {
                    goes_on = schematic_is_listed(schematic, i, at) || visit(user, at);
                }
            }
        }
    }
    return TRN_RESULT_OK;
}

// ---- loading ------------------------------------------------------------------------------------

/// Finds the block of a node of Luanti.
static TrnResult schematic_find_node(Schematic *schematic, const TrnSchematicEntry *entry,
                                     TrnImportState *ours)
{
    const TrnResult result = trn_import_names_find(&schematic->import->names, entry->text.bytes,
                                                   entry->text.size, &ours->name);
    if (result == TRN_RESULT_OK) {
        ours->is_lost = !trn_import_node_block(ours->name, entry->param2, &ours->block);
    }
    return result;
}

/// Finds the block of a block state of Minecraft. An index that the palette leaves out is air.
static TrnResult schematic_find_state(Schematic *schematic, const TrnSchematicEntry *entry,
                                      TrnImportState *ours)
{
    static const TrnNbtText air = {"minecraft:air", sizeof "minecraft:air" - 1};
    char name[TRN_ANVIL_NUMBER_NAME_MAX];
    TrnAnvilState theirs;
    if (!trn_schematic_state(&schematic->file, entry, name, &theirs)) {
        theirs = (TrnAnvilState){.name = air};
    }
    return trn_import_names_find_state(&schematic->import->names, theirs.name.bytes,
                                       theirs.name.size, theirs.properties, theirs.property_count,
                                       ours);
}

/// Finds the blocks of a box's palette. Errors: NO_MEMORY, FULL.
static TrnResult schematic_find_blocks(Schematic *schematic, const TrnSchematicBox *box,
                                       SchematicBlock *blocks)
{
    uint64_t lost = 0;
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < box->palette_count && result == TRN_RESULT_OK; i++) {
        TrnImportState ours;
        result = (schematic->is_luanti ? schematic_find_node
                                       : schematic_find_state)(schematic, &box->palette[i], &ours);
        if (result == TRN_RESULT_OK) {
            blocks[i] = (SchematicBlock){ours.name, ours.block};
            lost += ours.is_lost;
        }
    }
    trn_import_ignored(&schematic->import->notes,
                       schematic->is_luanti ? "param2 of nodes: directions, levels and colours"
                                            : "properties of block states",
                       result == TRN_RESULT_OK ? lost : 0);
    return result;
}

/// Returns the blocks of a box, and finds them if no chunk of it was loaded before.
static TrnResult schematic_blocks(Schematic *schematic, uint32_t box, SchematicBlock **blocks)
{
    const TrnSchematicBox *of = &schematic->file.boxes.items[box];
    const size_t bytes = of->palette_count * sizeof **blocks;
    TrnResult result = TRN_RESULT_OK;
    trn_mutex_lock(&schematic->mutex);
    *blocks = schematic->blocks[box];
    if (!*blocks) {
        *blocks = trn_take(&schematic->import->allocator, bytes, sizeof(void *));
        result = *blocks ? schematic_find_blocks(schematic, of, *blocks) : TRN_RESULT_NO_MEMORY;
        if (result == TRN_RESULT_OK) {
            schematic->blocks[box] = *blocks;
        } else {
            trn_give(&schematic->import->allocator, *blocks, *blocks ? bytes : 0);
        }
    }
    trn_mutex_unlock(&schematic->mutex);
    return result;
}

/// Where a box and a chunk overlap along an axis, in voxels of the chunk.
typedef struct SchematicSpan {
    int64_t from, to; ///< in the chunk; `to` is excluded
    int64_t box_from; ///< of `from` in the box
} SchematicSpan;

static SchematicSpan schematic_span(int64_t box, uint32_t size, int32_t chunk)
{
    const int64_t low = (int64_t)chunk * TRN_CHUNK_EDGE, end = low + TRN_CHUNK_EDGE;
    const int64_t from = box > low ? box : low, to = box + size < end ? box + size : end;
    return (SchematicSpan){from - low, to - low, from - box};
}

/// Copies what a box has of a chunk. Air leaves what other boxes have there.
static void schematic_copy(const TrnSchematicBox *box, const SchematicBlock *palette,
                           const SchematicSpan spans[3], TrnBlock *blocks)
{
    for (int64_t y = spans[1].from; y < spans[1].to; y++) {
        for (int64_t z = spans[2].from; z < spans[2].to; z++) {
            const int64_t row = (y - spans[1].from + spans[1].box_from) * box->size[2] +
                                (z - spans[2].from + spans[2].box_from);
            const uint16_t *from = box->indices + row * box->size[0] + spans[0].box_from;
            TrnBlock *to = blocks + trn_local_index(0, (uint32_t)y, (uint32_t)z);
            for (int64_t x = spans[0].from; x < spans[0].to; x++) {
                const SchematicBlock *block = &palette[from[x - spans[0].from]];
                to[x] = block->block == TRN_BLOCK_AIR ? to[x] : block->block;
                if (block->name->is_unknown) {
                    atomic_fetch_add_explicit(&block->name->count, 1, memory_order_relaxed);
                }
            }
        }
    }
}

/// Loads what blocks of a chunk contain. Errors: NO_MEMORY.
static TrnResult schematic_load_contents(const TrnSchematic *file, TrnCoord coord,
                                         TrnImportContents *contents)
{
    uint32_t low = 0, high = file->contents.count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const TrnCoord chunk = schematic_content_chunk(&file->contents.items[middle]);
        const bool is_before = schematic_compare_coords(chunk, coord) < 0;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    TrnResult result = TRN_RESULT_OK;
    for (; low < file->contents.count && result == TRN_RESULT_OK; low++) {
        const TrnSchematicContent *content = &file->contents.items[low];
        if (!trn_coord_equal(schematic_content_chunk(content), coord)) {
            break;
        }
        const uint32_t index = trn_local_index(
            (uint32_t)content->at[0] % TRN_CHUNK_EDGE, (uint32_t)content->at[1] % TRN_CHUNK_EDGE,
            (uint32_t)content->at[2] % TRN_CHUNK_EDGE); // also of negative numbers
        TrnNbt nbt = content->nbt;
        TrnBlockEntity entity;
        result = trn_block_entity_read(&nbt, &entity)
                     ? trn_import_contents_add(contents, index, &entity)
                     : result;
    }
    return result;
}

static TrnResult schematic_load(void *state, TrnCoord coord, TrnBlock *blocks, bool *uniform,
                                TrnImportContents *contents)
{
    Schematic *schematic = state;
    bool has_any = false;
    for (uint32_t i = 0; i < schematic->file.boxes.count; i++) {
        const TrnSchematicBox *box = &schematic->file.boxes.items[i];
        const SchematicSpan spans[3] = {schematic_span(box->low.x, box->size[0], coord.x),
                                        schematic_span(box->low.y, box->size[1], coord.y),
                                        schematic_span(box->low.z, box->size[2], coord.z)};
        if (spans[0].from >= spans[0].to || spans[1].from >= spans[1].to ||
            spans[2].from >= spans[2].to) {
            continue;
        }
        SchematicBlock *palette;
        const TrnResult result = schematic_blocks(schematic, i, &palette);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        if (!has_any) {
            memset(blocks, 0, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
        }
        has_any = true;
        schematic_copy(box, palette, spans, blocks);
    }
    if (!has_any) {
        return TRN_RESULT_NOT_FOUND;
    }
    *uniform = trn_import_is_uniform(blocks);
    return contents ? schematic_load_contents(&schematic->file, coord, contents) : TRN_RESULT_OK;
}

static void schematic_cover(const void *state, TrnCoord coord, uint32_t bits[TRN_CHUNK_VOXELS / 32])
{
    const Schematic *schematic = state;
    for (uint32_t i = 0; i < schematic->file.boxes.count; i++) {
        const TrnSchematicBox *box = &schematic->file.boxes.items[i];
        const SchematicSpan x = schematic_span(box->low.x, box->size[0], coord.x);
        const SchematicSpan y = schematic_span(box->low.y, box->size[1], coord.y);
        const SchematicSpan z = schematic_span(box->low.z, box->size[2], coord.z);
        for (int64_t row_y = y.from; row_y < y.to && x.from < x.to; row_y++) {
            for (int64_t row_z = z.from; row_z < z.to; row_z++) {
                const uint64_t row = (UINT64_C(1) << x.to) - (UINT64_C(1) << x.from);
                bits[trn_local_index(0, (uint32_t)row_y, (uint32_t)row_z) / 32] |= (uint32_t)row;
            }
        }
    }
}

static void schematic_box(const void *state, TrnVoxel *min, TrnVoxel *max)
{
    const TrnSchematicBoxes *boxes = &((const Schematic *)state)->file.boxes;
    for (uint32_t i = 0; i < boxes->count; i++) {
        const TrnSchematicBox *box = &boxes->items[i];
        const TrnVoxel low = box->low, high = {low.x + box->size[0] - 1, low.y + box->size[1] - 1,
                                               low.z + box->size[2] - 1};
        min->x = i && min->x < low.x ? min->x : low.x;
        min->y = i && min->y < low.y ? min->y : low.y;
        min->z = i && min->z < low.z ? min->z : low.z;
        max->x = i && max->x > high.x ? max->x : high.x;
        max->y = i && max->y > high.y ? max->y : high.y;
        max->z = i && max->z > high.z ? max->z : high.z;
    }
}

static const char *const SCHEMATIC_AIRS[] = {"minecraft:air", "minecraft:cave_air",
                                             "minecraft:void_air", NULL};

const TrnImportReader trn_import_schematic = {.name = "schematic",
                                              .names = trn_asset_minecraft_txt,
                                              .names_size = &trn_asset_minecraft_txt_bytes,
                                              .airs = SCHEMATIC_AIRS,
                                              .state_bytes = sizeof(Schematic),
                                              .recognises = schematic_recognises,
                                              .open = schematic_open,
                                              .list = schematic_list,
                                              .load = schematic_load,
                                              .cover = schematic_cover,
                                              .has_place = true,
                                              .box = schematic_box,
                                              .close = schematic_close};

static const char *const SCHEMATIC_LUANTI_AIRS[] = {"air", "ignore", NULL};

const TrnImportReader trn_import_mts = {.name = "mts",
                                        .names = trn_asset_luanti_txt,
                                        .names_size = &trn_asset_luanti_txt_bytes,
                                        .airs = SCHEMATIC_LUANTI_AIRS,
                                        .state_bytes = sizeof(Schematic),
                                        .recognises = schematic_recognises_mts,
                                        .open = schematic_open_mts,
                                        .list = schematic_list,
                                        .load = schematic_load,
                                        .cover = schematic_cover,
                                        .has_place = true,
                                        .box = schematic_box,
                                        .close = schematic_close};
