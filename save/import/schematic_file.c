// The files of schematics: see schematic_file.h.

#include "schematic_file.h"

#include "base/memory.h"

#include "anvil_section.h"
#include "contents.h"

/// What is found in a compound that is a schematic, or a region of Litematica.
typedef struct SchematicFound {
    int64_t size[3], low[3];
    TrnNbt palette; ///< at the value; `at` is NULL: there is none
    TrnNbtType palette_type;
    const unsigned char *data;    ///< [data_count] indices as bytes
    const unsigned char *longs;   ///< [long_count] or packed
    const unsigned char *numbers; ///< [number_count] or numbers before 1.13
    const unsigned char *more;    ///< [more_count] half a byte each
    uint32_t data_count, long_count, number_count, more_count;
    TrnNbt contents; ///< at the value; `at` is NULL: there are none
    TrnNbtType contents_type;
    bool is_inside; ///< the compound Blocks of Sponge 3 is being read
} SchematicFound;

/// What reading works with.
typedef struct SchematicRead {
    TrnSchematic *schematic;
    const TrnAllocator *allocator;
    const char **fault;
    uint64_t voxels;  ///< of all boxes so far
    uint64_t entries; ///< of their palettes
} SchematicRead;

static TrnResult schematic_fault(const SchematicRead *read, const char *phrase)
{
    *read->fault = phrase;
    return TRN_RESULT_CORRUPT;
}

// ---- boxes --------------------------------------------------------------------------------------

/// Checks what a file says of a box's size, and adds the box. Errors: CORRUPT, NO_MEMORY.
static TrnResult schematic_add_box(SchematicRead *read, const SchematicFound *found,
                                   TrnSchematicBox **out)
{
    TrnSchematicBox box = {.voxels = 1};
    int64_t low[3];
    if (read->schematic->boxes.count == TRN_SCHEMATIC_BOXES_MAX) {
        return schematic_fault(read, "it has more than 4,096 regions");
    }
    for (int axis = 0; axis < 3; axis++) {
        const int64_t size = found->size[axis];
        if (size == 0) {
            return schematic_fault(read, "it has no size");
        }
        if (size > TRN_SCHEMATIC_EDGE_MAX || size < -TRN_SCHEMATIC_EDGE_MAX) {
            return schematic_fault(read, "it is longer than 65,535 voxels");
        }
        if (found->low[axis] > TRN_VOXEL_MAX || found->low[axis] < TRN_VOXEL_MIN) {
            return schematic_fault(read, "a region lies outside every world");
        }
        box.size[axis] = (uint32_t)(size < 0 ? -size : size);
        low[axis] = found->low[axis] + (size < 0 ? size + 1 : 0);
        box.voxels *= box.size[axis];
    }
    if (box.voxels > TRN_SCHEMATIC_VOXELS_MAX ||
        (read->voxels += box.voxels) > TRN_SCHEMATIC_VOXELS_MAX) {
        return schematic_fault(read, "it has more than 134,217,728 voxels");
    }
    box.low = (TrnVoxel){low[0], low[1], low[2]};
    const TrnResult result = trn_array_push(&read->schematic->boxes, read->allocator, box);
    *out = result == TRN_RESULT_OK ? &read->schematic->boxes.items[read->schematic->boxes.count - 1]
                                   : NULL;
    return result;
}

/// Allocates a box's palette and indices. The size of its data was checked before.
/// Errors: CORRUPT, NO_MEMORY.
static TrnResult schematic_reserve(SchematicRead *read, TrnSchematicBox *box,
                                   uint32_t palette_count)
{
    if ((read->entries += palette_count) > TRN_SCHEMATIC_ENTRIES_MAX) {
        return schematic_fault(read, "its regions have more than 1,048,576 block states");
    }
    box->palette = trn_take(read->allocator, palette_count * sizeof *box->palette, sizeof(void *));
    box->palette_count = box->palette ? palette_count : 0;
    box->indices =
        trn_take(read->allocator, (size_t)box->voxels * sizeof *box->indices, TRN_CACHE_LINE);
    if (box->palette) {
        memset(box->palette, 0, palette_count * sizeof *box->palette);
    }
    return box->palette && box->indices ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

// ---- Sponge -------------------------------------------------------------------------------------

/// Reads an index of seven bits a byte. @return false if the data ends, or it is too high
static bool schematic_varint(const unsigned char **at, const unsigned char *end, uint32_t most,
                             uint16_t *index)
{
    uint32_t number = 0;
    for (uint32_t shift = 0; shift < 21 && *at < end; shift += 7) {
        const unsigned char byte = *(*at)++;
        number |= (byte & 127u) << shift;
        if (byte < 128) {
            *index = (uint16_t)number;
            return number < most;
        }
    }
    return false;
}

/// Visits the palette. @param box  NULL: only counts
/// @return one more than the highest index; more than there may be if one is damaged
static uint32_t schematic_text_palette(const SchematicFound *found, TrnSchematicBox *box)
{
    TrnNbt palette = found->palette;
    TrnNbtTag tag;
    uint32_t count = 0;
    while (trn_nbt_next(&palette, &tag)) {
        const int64_t index = trn_nbt_integer(&palette, tag.type);
        if (index < 0 || index >= TRN_SCHEMATIC_PALETTE_MAX) {
            return TRN_SCHEMATIC_PALETTE_MAX + 1;
        }
        if (box) {
            box->palette[index].text = tag.name;
        }
        count = index >= count ? (uint32_t)index + 1 : count;
    }
    return count;
}

static TrnResult schematic_read_sponge(SchematicRead *read, const SchematicFound *found)
{
    TrnSchematicBox *box;
    TrnResult result = schematic_add_box(read, found, &box);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const uint32_t count =
        found->palette_type == TRN_NBT_COMPOUND ? schematic_text_palette(found, NULL) : 0;
    if (count == 0 || count > TRN_SCHEMATIC_PALETTE_MAX) {
        return schematic_fault(read, "its palette cannot be read");
    }
    if (found->data_count < box->voxels) {
        return schematic_fault(read, "it has fewer blocks than its size says");
    }
    result = schematic_reserve(read, box, count);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    (void)schematic_text_palette(found, box);
    const unsigned char *at = found->data, *end = at + found->data_count;
    for (uint64_t i = 0; i < box->voxels; i++) {
        if (!schematic_varint(&at, end, count, &box->indices[i])) {
            return schematic_fault(read, "its blocks and its palette disagree");
        }
    }
    return TRN_RESULT_OK;
}

// ---- Litematica ---------------------------------------------------------------------------------

static TrnResult schematic_read_region(SchematicRead *read, const SchematicFound *found)
{
    TrnSchematicBox *box;
    TrnResult result = schematic_add_box(read, found, &box);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnNbt palette = found->palette;
    const TrnNbtList list =
        palette.at ? trn_nbt_list(&palette, found->palette_type) : (TrnNbtList){TRN_NBT_END, 0};
    if (list.type != TRN_NBT_COMPOUND || list.count == 0 ||
        list.count > TRN_SCHEMATIC_PALETTE_MAX) {
        return schematic_fault(read, "the palette of a region cannot be read");
    }
    uint32_t bits = 2;
    while (UINT32_C(1) << bits < list.count) {
        bits++;
    }
    if ((uint64_t)found->long_count * 64 < box->voxels * bits) {
        return schematic_fault(read, "a region has fewer blocks than its size says");
    }
    result = schematic_reserve(read, box, list.count);
    for (uint32_t i = 0; i < list.count && result == TRN_RESULT_OK; i++) {
        box->palette[i].compound = palette;
        trn_nbt_skip(&palette, TRN_NBT_COMPOUND);
    }
    return result != TRN_RESULT_OK ? result
           : trn_anvil_unpack_spanning(found->longs, bits, box->voxels, box->indices) <
                   box->palette_count
               ? TRN_RESULT_OK
               : schematic_fault(read, "the blocks of a region and its palette "
                                       "disagree");
}

// ---- MCEdit -------------------------------------------------------------------------------------

/// Returns a block. Every other number's high bits are in the low half of a byte.
static TrnAnvilNumber schematic_number(const SchematicFound *found, uint64_t i)
{
    const uint32_t more = i / 2 < found->more_count ? found->more[i / 2] >> i % 2 * 4 & 15u : 0;
    const uint32_t value = i < found->data_count ? found->data[i] & 15u : 0;
    return more << 16 | (uint32_t)found->numbers[i] << 8 | value;
}

/// Fills the indices and the palette; without a palette, counts what it needs.
/// @param places  [TRN_SCHEMATIC_NUMBERS] of zeroes: by number, an index of the palette plus one
static uint32_t schematic_index_numbers(const SchematicRead *read, const SchematicFound *found,
                                        TrnSchematicBox *box, uint32_t *places)
{
    const TrnAnvilNumbers *numbers = &read->schematic->numbers;
    const uint64_t layer = (uint64_t)box->size[0] * box->size[2];
    uint32_t count = 0;
    for (uint64_t i = 0; i < box->voxels; i++) {
        const TrnAnvilNumber block = schematic_number(found, i);
        const TrnAnvilNumber below = i >= layer ? schematic_number(found, i - layer) : 0;
        const TrnAnvilNumber above =
            i + layer < box->voxels ? schematic_number(found, i + layer) : 0;
        const TrnAnvilNumber whole = trn_anvil_numbers_join(numbers, block, below, above);
        if (!places[whole]) {
            places[whole] = ++count;
        }
        if (box->indices) {
            box->indices[i] = (uint16_t)(places[whole] - 1);
            box->palette[places[whole] - 1].number = whole;
        }
    }
    return count;
}

#define SCHEMATIC_NUMBERS (UINT32_C(1) << 20) // values of a TrnAnvilNumber

static TrnResult schematic_read_numbers(SchematicRead *read, const SchematicFound *found)
{
    TrnSchematicBox *box;
    TrnResult result = schematic_add_box(read, found, &box);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    if (found->number_count < box->voxels) {
        return schematic_fault(read, "it has fewer blocks than its size says");
    }
    const size_t bytes = SCHEMATIC_NUMBERS * sizeof(uint32_t);
    uint32_t *places = trn_take(read->allocator, bytes, sizeof *places);
    if (!places) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(places, 0, bytes);
    const uint32_t count = schematic_index_numbers(read, found, box, places);
    result = count <= TRN_SCHEMATIC_PALETTE_MAX
                 ? schematic_reserve(read, box, count)
                 : schematic_fault(read, "it has more than 65,536 kinds of blocks");
    if (result == TRN_RESULT_OK) {
        memset(places, 0, bytes);
        (void)schematic_index_numbers(read, found, box, places);
    }
    trn_give(read->allocator, places, bytes);
    return result;
}

// ---- the file -----------------------------------------------------------------------------------

static void schematic_read_axes(TrnNbt *nbt, TrnNbtType type, int64_t axes[3])
{
    static const char *const names[] = {"x", "y", "z"};
    TrnNbtTag tag;
    if (type != TRN_NBT_COMPOUND) {
        trn_nbt_skip(nbt, type);
        return;
    }
    while (trn_nbt_next(nbt, &tag)) {
        int axis = 0;
        while (axis < 3 && !trn_nbt_is(&tag, names[axis])) {
            axis++;
        }
        if (axis < 3) {
            axes[axis] = trn_nbt_integer(nbt, tag.type);
        } else {
            trn_nbt_skip(nbt, tag.type);
        }
    }
}

static void schematic_read_palette(TrnNbt *nbt, TrnNbtType type, SchematicFound *found)
{
    found->palette = *nbt;
    found->palette_type = type;
    trn_nbt_skip(nbt, type);
}

static void schematic_count_entities(SchematicRead *read, TrnNbt *nbt, TrnNbtType type)
{
    TrnNbt list = *nbt;
    read->schematic->entity_count += trn_nbt_list(&list, type).count;
    trn_nbt_skip(nbt, type);
}

/// Notes the contents of the box that was added last. Errors: NO_MEMORY.
static TrnResult schematic_add_contents(SchematicRead *read, const SchematicFound *found)
{
    TrnSchematic *schematic = read->schematic;
    const uint32_t last = schematic->boxes.count - 1;
    const TrnSchematicBox *box = &schematic->boxes.items[last];
    TrnNbt nbt = found->contents;
    const TrnNbtList list =
        nbt.at ? trn_nbt_list(&nbt, found->contents_type) : (TrnNbtList){TRN_NBT_END, 0};
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < list.count && list.type == TRN_NBT_COMPOUND && !nbt.is_broken &&
                         result == TRN_RESULT_OK;
         i++) {
        TrnSchematicContent content = {.box = last, .nbt = nbt};
        TrnBlockEntity entity;
        bool is_in = trn_block_entity_read(&nbt, &entity);
        for (int axis = 0; axis < 3; axis++) {
            content.at[axis] = entity.at[axis];
            is_in = is_in && content.at[axis] >= 0 && content.at[axis] < box->size[axis];
        }
        is_in = is_in && schematic->contents.count < TRN_SCHEMATIC_CONTENTS_MAX;
        schematic->astray_count += !is_in;
        if (is_in) {
            result = trn_array_push(&schematic->contents, read->allocator, content);
        }
    }
    return result;
}

static void schematic_read_tag(SchematicRead *read, TrnNbt *nbt, const TrnNbtTag *tag,
                               SchematicFound *found);

static void schematic_read_fields(SchematicRead *read, TrnNbt *nbt, SchematicFound *found)
{
    TrnNbtTag tag;
    while (trn_nbt_next(nbt, &tag)) {
        schematic_read_tag(read, nbt, &tag, found);
    }
}

/// Reads a field of any of the formats.
static void schematic_read_tag(SchematicRead *read, TrnNbt *nbt, const TrnNbtTag *tag,
                               SchematicFound *found)
{
    static const char *const sizes[] = {"Width", "Height", "Length"};
    for (int axis = 0; axis < 3; axis++) {
        if (trn_nbt_is(tag, sizes[axis])) { // a short without a sign
            const int64_t size = trn_nbt_integer(nbt, tag->type);
            found->size[axis] = tag->type == TRN_NBT_SHORT ? (uint16_t)size : size < 0 ? 0 : size;
            return;
        }
    }
    if (trn_nbt_is(tag, "Position")) {
        schematic_read_axes(nbt, tag->type, found->low);
    } else if (trn_nbt_is(tag, "Size")) {
        schematic_read_axes(nbt, tag->type, found->size);
    } else if (trn_nbt_is(tag, "Palette") || trn_nbt_is(tag, "BlockStatePalette")) {
        schematic_read_palette(nbt, tag->type, found);
    } else if (trn_nbt_is(tag, "BlockStates")) {
        found->longs = trn_nbt_longs(nbt, tag->type, &found->long_count);
    } else if (trn_nbt_is(tag, "Data") || trn_nbt_is(tag, "BlockData")) {
        found->data = trn_nbt_bytes(nbt, tag->type, &found->data_count);
    } else if (trn_nbt_is(tag, "AddBlocks")) {
        found->more = trn_nbt_bytes(nbt, tag->type, &found->more_count);
    } else if (trn_nbt_is(tag, "Blocks") && tag->type == TRN_NBT_COMPOUND && !found->is_inside) {
        found->is_inside = true; // Sponge 3
        schematic_read_fields(read, nbt, found);
        found->is_inside = false;
    } else if (trn_nbt_is(tag, "Blocks")) {
        found->numbers = trn_nbt_bytes(nbt, tag->type, &found->number_count);
    } else if (trn_nbt_is(tag, "BlockEntities") || trn_nbt_is(tag, "TileEntities")) {
        found->contents = *nbt;
        found->contents_type = tag->type;
        trn_nbt_skip(nbt, tag->type);
    } else if (trn_nbt_is(tag, "Entities")) {
        schematic_count_entities(read, nbt, tag->type);
    } else {
        trn_nbt_skip(nbt, tag->type);
    }
}

static TrnResult schematic_read_regions(SchematicRead *read, TrnNbt *nbt)
{
    TrnResult result = TRN_RESULT_OK;
    TrnNbtTag tag;
    while (result == TRN_RESULT_OK && trn_nbt_next(nbt, &tag)) {
        SchematicFound found = {.is_inside = false};
        if (tag.type != TRN_NBT_COMPOUND) {
            trn_nbt_skip(nbt, tag.type);
            continue;
        }
        schematic_read_fields(read, nbt, &found);
        result = schematic_read_region(read, &found);
        result = result == TRN_RESULT_OK ? schematic_add_contents(read, &found) : result;
    }
    return result;
}

static TrnResult schematic_read_root(SchematicRead *read, TrnNbt *nbt)
{
    SchematicFound found = {.is_inside = false};
    TrnResult result = TRN_RESULT_OK;
    TrnNbtTag tag;
    while (result == TRN_RESULT_OK && trn_nbt_next(nbt, &tag)) {
        if (trn_nbt_is(&tag, "Regions") && tag.type == TRN_NBT_COMPOUND) {
            result = schematic_read_regions(read, nbt);
        } else if (trn_nbt_is(&tag, "Schematic") && tag.type == TRN_NBT_COMPOUND) { // Sponge 3
            schematic_read_fields(read, nbt, &found);
        } else {
            schematic_read_tag(read, nbt, &tag, &found);
        }
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    if (nbt->is_broken) {
        return schematic_fault(read, "it is damaged, or ends early");
    }
    if (read->schematic->boxes.count) {
        return TRN_RESULT_OK; // of Litematica
    }
    result = found.palette.at ? schematic_read_sponge(read, &found)
             : found.numbers  ? schematic_read_numbers(read, &found)
                              : schematic_fault(read, "it has no blocks");
    return result == TRN_RESULT_OK ? schematic_add_contents(read, &found) : result;
}

/// Moves the boxes so that the lowest corner of all is 0,0,0.
static void schematic_move_to_origin(TrnSchematic *schematic)
{
    TrnVoxel low = schematic->boxes.items[0].low;
    for (uint32_t i = 1; i < schematic->boxes.count; i++) {
        const TrnVoxel own = schematic->boxes.items[i].low;
        low = (TrnVoxel){own.x < low.x ? own.x : low.x, own.y < low.y ? own.y : low.y,
                         own.z < low.z ? own.z : low.z};
    }
    for (uint32_t i = 0; i < schematic->boxes.count; i++) {
        TrnVoxel *own = &schematic->boxes.items[i].low;
        *own = (TrnVoxel){own->x - low.x, own->y - low.y, own->z - low.z};
    }
}

TrnResult trn_schematic_read(TrnSchematic *schematic, TrnBytes *bytes,
                             const TrnAllocator *allocator, const char **fault)
{
    SchematicRead read = {schematic, allocator, fault, 0, 0};
    TrnBytes none = {0};
    TrnNbt nbt;
    schematic->bytes = *bytes;
    *bytes = (TrnBytes){0};
    TrnResult result = trn_anvil_numbers_open(&schematic->numbers, &none, allocator);
    if (result == TRN_RESULT_OK) {
        trn_nbt_begin(&nbt, schematic->bytes.items, schematic->bytes.count);
        result = schematic_read_root(&read, &nbt);
    }
    if (result == TRN_RESULT_OK) {
        schematic_move_to_origin(schematic);
    }
    return result;
}

void trn_schematic_free(TrnSchematic *schematic, const TrnAllocator *allocator)
{
    for (uint32_t i = 0; i < schematic->boxes.count; i++) {
        const TrnSchematicBox *box = &schematic->boxes.items[i];
        trn_give(allocator, box->palette, box->palette_count * sizeof *box->palette);
        trn_give(allocator, box->indices,
                 box->indices ? (size_t)box->voxels * sizeof *box->indices : 0);
    }
    trn_array_free(&schematic->boxes, allocator);
    trn_array_free(&schematic->contents, allocator);
    trn_array_free(&schematic->bytes, allocator);
    trn_anvil_numbers_free(&schematic->numbers, allocator);
}

// ---- Luanti -------------------------------------------------------------------------------------

#define SCHEMATIC_MTS_VERSION_MAX 4u
#define SCHEMATIC_MTS_NODE_BYTES 4u // an id, param1 and param2
#define SCHEMATIC_MTS_NAMES_MAX 4095u

/// A place in a file of Luanti.
typedef struct SchematicMts {
    const unsigned char *at, *end;
    bool is_cut;
    uint32_t version;
} SchematicMts;

/// Moves behind some bytes. @return where they begin; at the end if there are fewer
static const unsigned char *mts_take(SchematicMts *mts, size_t size)
{
    const unsigned char *at = mts->at;
    mts->is_cut |= (size_t)(mts->end - at) < size;
    mts->at = mts->is_cut ? mts->end : at + size;
    return at;
}

static uint32_t mts_number(SchematicMts *mts)
{
    const unsigned char *at = mts_take(mts, 2);
    return mts->is_cut ? 0 : (uint32_t)at[0] << 8 | at[1];
}

/// Reads the head: the size, and behind it the names. @return false if it is damaged
static bool mts_read_head(SchematicMts *mts, SchematicFound *found)
{
    const unsigned char *magic = mts_take(mts, 4);
    if (mts->is_cut || memcmp(magic, "MTSM", 4) != 0) {
        return false;
    }
    mts->version = mts_number(mts);
    for (int axis = 0; axis < 3; axis++) {
        found->size[axis] = mts_number(mts);
    }
    if (mts->version >= 3) {
        (void)mts_take(mts, (size_t)found->size[1]);
    }
    return !mts->is_cut && mts->version >= 1 && mts->version <= SCHEMATIC_MTS_VERSION_MAX;
}

/// Fills the indices: each pair of a name and param2 is an entry of the palette. Without indices,
/// only counts the pairs.
/// @param nodes   [voxels] ids, then param1 of all, then param2
/// @param placed  the bits of param1 that are 0 if a node is not placed
/// @param names   [name_count]
/// @param places  [SCHEMATIC_NUMBERS] of zeroes: by pair, an index of the palette plus one
static uint32_t mts_index(TrnSchematicBox *box, const unsigned char *nodes, uint32_t placed,
                          const TrnNbtText *names, uint32_t name_count, uint32_t *places)
{
    static const TrnNbtText air = {"air", 3};
    const uint64_t count = box->voxels;
    uint32_t found = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t x = i % box->size[0], y = i / box->size[0] % box->size[1];
        const uint64_t north = i / box->size[0] / box->size[1];
        const uint32_t id = (uint32_t)nodes[i * 2] << 8 | nodes[i * 2 + 1];
        const bool is_placed = (nodes[count * 2 + i] & placed) && id < name_count;
        const uint8_t param2 = is_placed ? nodes[count * 3 + i] : 0;
        const uint32_t pair = is_placed ? (id + 1) << 8 | param2 : 0;
        places[pair] = places[pair] ? places[pair] : ++found;
        if (box->indices) {
            const uint32_t place = places[pair] - 1;
            box->indices[x + box->size[0] * (box->size[2] - 1 - north + box->size[2] * y)] =
                (uint16_t)place;
            box->palette[place] =
                (TrnSchematicEntry){.text = is_placed ? names[id] : air, .param2 = param2};
        }
    }
    return found;
}

/// Reads the nodes. Errors: CORRUPT, NO_MEMORY.
static TrnResult mts_read_nodes(SchematicRead *read, TrnSchematicBox *box, const SchematicMts *mts,
                                const TrnNbtText *names, uint32_t name_count)
{
    const TrnAllocator *allocator = read->allocator;
    const size_t bytes = SCHEMATIC_NUMBERS * sizeof(uint32_t);
    const size_t size = (size_t)box->voxels * SCHEMATIC_MTS_NODE_BYTES;
    const uint32_t placed =
        mts->version < 4 ? 0xFF : 0x7F; // since version 4 a bit says something else
    TrnBytes nodes = {0};
    bool is_cut;
    TrnResult result = trn_region_decompress(TRN_REGION_ZLIB, mts->at, (size_t)(mts->end - mts->at),
                                             TRN_SCHEMATIC_BYTES_MAX, allocator, &nodes, &is_cut);
    if (result == TRN_RESULT_CORRUPT || (result == TRN_RESULT_OK && nodes.count < size)) {
        result =
            schematic_fault(read, "its nodes do not decompress, or are fewer than its size says");
    }
    uint32_t *places = result == TRN_RESULT_OK ? trn_take(allocator, bytes, sizeof *places) : NULL;
    if (places) {
        memset(places, 0, bytes);
        const uint32_t count = mts_index(box, nodes.items, placed, names, name_count, places);
        result = count <= TRN_SCHEMATIC_PALETTE_MAX
                     ? schematic_reserve(read, box, count)
                     : schematic_fault(read, "it has more than 65,536 kinds of nodes");
        memset(places, 0, bytes);
        if (result == TRN_RESULT_OK) {
            (void)mts_index(box, nodes.items, placed, names, name_count, places);
        }
    } else if (result == TRN_RESULT_OK) {
        result = TRN_RESULT_NO_MEMORY;
    }
    trn_give(allocator, places, places ? bytes : 0);
    trn_array_free(&nodes, allocator);
    return result;
}

TrnResult trn_schematic_read_mts(TrnSchematic *schematic, TrnBytes *bytes,
                                 const TrnAllocator *allocator, const char **fault)
{
    SchematicRead read = {schematic, allocator, fault, 0, 0};
    SchematicFound found = {.is_inside = false};
    TrnSchematicBox *box;
    schematic->bytes = *bytes;
    *bytes = (TrnBytes){0};
    SchematicMts mts = {schematic->bytes.items, schematic->bytes.items + schematic->bytes.count,
                        false, 0};
    if (!mts_read_head(&mts, &found)) {
        return schematic_fault(&read, "it is damaged, or of a version above 4");
    }
    TrnResult result = schematic_add_box(&read, &found, &box);
    const uint32_t name_count = mts_number(&mts);
    if (result == TRN_RESULT_OK && (name_count == 0 || name_count > SCHEMATIC_MTS_NAMES_MAX)) {
        result = schematic_fault(&read, "it has no names, or more than 4,095");
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnNbtText *names = trn_take(allocator, name_count * sizeof *names, sizeof(void *));
    if (!names) {
        return TRN_RESULT_NO_MEMORY;
    }
    for (uint32_t i = 0; i < name_count; i++) {
        const uint32_t size = mts_number(&mts);
        names[i] = (TrnNbtText){(const char *)mts_take(&mts, size), size};
    }
    result = mts.is_cut ? schematic_fault(&read, "it ends early")
                        : mts_read_nodes(&read, box, &mts, names, name_count);
    trn_give(allocator, names, name_count * sizeof *names);
    return result;
}

// ---- palettes -----------------------------------------------------------------------------------

/// Reads "name[key=value,key=value]".
static bool schematic_read_text(TrnNbtText text, TrnAnvilState *state)
{
    const char *end = text.bytes + text.size;
    const char *at = text.size ? memchr(text.bytes, '[', text.size) : NULL;
    *state = (TrnAnvilState){.name = {text.bytes, at ? (size_t)(at - text.bytes) : text.size}};
    while (at && at + 1 < end && *at != ']' && state->property_count < TRN_ANVIL_PROPERTIES_MAX) {
        const char *key = at + 1;
        const char *equals = memchr(key, '=', (size_t)(end - key));
        if (!equals) {
            break;
        }
        for (at = equals + 1; at < end && *at != ',' && *at != ']'; at++) {
        }
        state->properties[state->property_count++] =
            (TrnImportProperty){key, equals + 1, (size_t)(equals - key), (size_t)(at - equals - 1)};
    }
    return state->name.size > 0;
}

bool trn_schematic_state(const TrnSchematic *schematic, const TrnSchematicEntry *entry, char *name,
                         TrnAnvilState *state)
{
    TrnNbt compound = entry->compound;
    if (entry->text.size) {
        return schematic_read_text(entry->text, state);
    }
    if (compound.at) {
        return trn_anvil_palette_next(&compound, state);
    }
    trn_anvil_numbers_state(&schematic->numbers, entry->number, name, state);
    return true;
}
