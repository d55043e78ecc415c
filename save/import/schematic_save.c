// Schematics that are written: see terrane/schematic.h. The formats are described in
// schematic_file.h.

#include <stdio.h>
#include <string.h>

#include "base/entropy.h"
#include "base/memory.h"

#include "back.h"
#include "file.h"
#include "packed_out.h"
#include "schematic_box.h"
#include "schematic_file.h"
#include "state_out.h"
#include "vox_save.h"

#define SCHEMATIC_SAVE_STATE_MAX 1024 // bytes of a block state as a text

TRN_ARRAY_DECLARE(SchematicSaveNames, TrnBackName);

/// The numbers of blocks before 1.13. All zeroes but the table: none.
typedef struct SchematicSaveNumbers {
    TrnAnvilNumbers table;
    /// [TRN_BLOCK_TYPES_MAX] number << 4 | value of the lower half, and of the upper one << 16; 0:
    /// none
    uint32_t *of;
} SchematicSaveNumbers;

typedef struct SchematicSave {
    const TrnSchematicDef *def;
    TrnAllocator allocator;
    TrnBack back;
    SchematicSaveNames names; ///< [box.palette.count]
    SchematicSaveNumbers numbers;
    TrnOutBox box;
    TrnSchematicReport report;
    TrnPackedOut out;
    const char *fault; ///< a sentence; NULL: the result says enough
} SchematicSave;

TrnSchematicDef trn_schematic_def(void)
{
    return (TrnSchematicDef){.format = TRN_SCHEMATIC_SPONGE};
}

// ---- numbers ------------------------------------------------------------------------------------

/// Reads a number as a block. @param upper  the value of the other half, of a door
static TrnResult schematic_save_read_number(SchematicSave *save, uint32_t lower, uint32_t upper,
                                            TrnBlock *block)
{
    char name[TRN_ANVIL_NUMBER_NAME_MAX];
    TrnAnvilState state;
    TrnImportState ours;
    const uint32_t number = lower >> 4 << 8 | (lower & 15u);
    const TrnAnvilNumber whole =
        trn_anvil_numbers_join(&save->numbers.table, number, 0, upper >> 4 << 8 | (upper & 15u));
    trn_anvil_numbers_state(&save->numbers.table, whole, name, &state);
    const TrnResult result =
        trn_import_names_find_state(&save->back.names, state.name.bytes, state.name.size,
                                    state.properties, state.property_count, &ours);
    *block = result == TRN_RESULT_OK && !ours.name->is_unknown
                 ? trn_back_look(save->def->types, ours.block)
                 : TRN_BLOCK_AIR;
    return result;
}

/// Reads all numbers and values, and keeps the first of each block. Errors: NO_MEMORY.
static TrnResult schematic_save_open_numbers(SchematicSave *save)
{
    enum { VALUES = 16, UPPER = 8 };
    const size_t bytes = sizeof(uint32_t[TRN_BLOCK_TYPES_MAX]);
    TrnBytes none = {0};
    TrnResult result = trn_anvil_numbers_open(&save->numbers.table, &none, &save->allocator);
    save->numbers.of = trn_take(&save->allocator, bytes, TRN_CACHE_LINE);
    if (!save->numbers.of) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(save->numbers.of, 0, bytes);
    for (uint32_t i = 1; i < TRN_ANVIL_NUMBERS && result == TRN_RESULT_OK; i++) {
        const bool has_halves = save->numbers.table.has_halves[i];
        for (uint32_t value = 0; value < (has_halves ? UPPER : VALUES) && result == TRN_RESULT_OK;
             value++) {
            const uint32_t lower = i << 4 | value, upper = has_halves ? i << 4 | UPPER : 0;
            TrnBlock block;
            result = schematic_save_read_number(save, lower, upper, &block);
            if (result == TRN_RESULT_OK && block != TRN_BLOCK_AIR && !save->numbers.of[block]) {
                save->numbers.of[block] = lower | upper << 16;
            }
        }
    }
    return result;
}

/// The numbers of a block, or of what stands for it. @param is_own  receives which
static TrnResult schematic_save_find_number(SchematicSave *save, TrnBlock block, uint32_t *numbers,
                                            bool *is_own)
{
    TrnImportState ours;
    *numbers = save->numbers.of[trn_back_look(save->def->types, block)];
    *is_own = *numbers != 0 || block == TRN_BLOCK_AIR;
    const TrnImportStandIn *stand_in = *is_own ? NULL : trn_back_stand_in(&save->back, block);
    if (!stand_in) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = trn_import_names_find_state(&save->back.names, stand_in->text,
                                                         stand_in->size, NULL, 0, &ours);
    if (result == TRN_RESULT_OK) {
        *numbers = save->numbers.of[trn_back_look(save->def->types, ours.block)];
    }
    return result;
}

/// The number and value of an entry of the palette; 0: it has none.
static uint32_t schematic_save_number(const SchematicSave *save, uint32_t entry)
{
    const TrnOutEntry *of = &save->box.palette.items[entry];
    const uint32_t numbers = save->names.items[entry].numbers;
    return of->is_upper ? numbers >> 16 : numbers & 0xFFFF;
}

// ---- names --------------------------------------------------------------------------------------

/// Finds the name of a block that the box has.
static TrnResult schematic_save_find_name(void *user, TrnBlock block, bool *is_door)
{
    SchematicSave *save = user;
    TrnBackName name;
    TrnResult result = trn_back_find(&save->back, block, &name);
    if (result == TRN_RESULT_OK && save->numbers.of) {
        result = schematic_save_find_number(save, block, &name.numbers, &name.is_known);
        name.is_door = name.numbers >> 16 && name.is_door;
    }
    *is_door =
        result == TRN_RESULT_OK && name.is_door && save->def->format != TRN_SCHEMATIC_MAGICAVOXEL;
    for (int i = 0; i <= *is_door && result == TRN_RESULT_OK; i++) {
        result = trn_array_push(&save->names, &save->allocator, name);
    }
    return result;
}

/// A block state as a text: "minecraft:oak_stairs[facing=east,half=top]".
typedef struct SchematicSaveText {
    char bytes[SCHEMATIC_SAVE_STATE_MAX];
    size_t size;
} SchematicSaveText;

static void schematic_save_append(SchematicSaveText *text, const char *bytes, size_t size)
{
    if (size < sizeof text->bytes - text->size) {
        memcpy(text->bytes + text->size, bytes, size);
        text->size += size;
        text->bytes[text->size] = '\0';
    }
}

static SchematicSaveText schematic_save_text(const TrnAnvilState *state)
{
    SchematicSaveText text = {.size = 0};
    schematic_save_append(&text, state->name.bytes, state->name.size);
    for (uint32_t i = 0; i < state->property_count; i++) {
        const TrnImportProperty *property = &state->properties[i];
        schematic_save_append(&text, i ? "," : "[", 1);
        schematic_save_append(&text, property->key, property->key_size);
        schematic_save_append(&text, "=", 1);
        schematic_save_append(&text, property->value, property->value_size);
    }
    if (state->property_count) {
        schematic_save_append(&text, "]", 1);
    }
    return text;
}

static TrnAnvilState schematic_save_state(const SchematicSave *save, uint32_t entry)
{
    return trn_back_state(&save->names.items[entry], save->box.palette.items[entry].is_upper);
}

// ---- contents -----------------------------------------------------------------------------------

static void schematic_save_put_content(void *user, const uint32_t local[3],
                                       const TrnBlockEntity *entity)
{
    SchematicSave *save = user;
    const int64_t at[3] = {local[0], local[1], local[2]};
    trn_state_put_entity(&save->out, at, entity, save->def->format == TRN_SCHEMATIC_SPONGE);
}

/// Writes the list of block entities.
static TrnResult schematic_save_put_contents(SchematicSave *save, const char *name)
{
    trn_packed_list(&save->out, name, TRN_NBT_COMPOUND, (uint32_t)save->box.content_count);
    save->report.contents = save->box.content_count;
    return trn_out_box_contents(&save->box, schematic_save_put_content, save);
}

// ---- Sponge -------------------------------------------------------------------------------------

static void schematic_save_put_size(SchematicSave *save)
{
    static const char *const names[] = {"Width", "Height", "Length"};
    for (int axis = 0; axis < 3; axis++) {
        trn_packed_short(&save->out, names[axis], save->box.size[axis]);
    }
}

/// Numbers the entries of the palette, those of one block state alike: some blocks go out as
/// another, and a compound has a name once. Errors: NO_MEMORY.
/// @param numbers  [palette.count] receives them
/// @param count    receives how many there are
static TrnResult schematic_save_number_states(const SchematicSave *save, uint16_t *numbers,
                                              uint32_t *count)
{
    const uint64_t key = trn_entropy_key();
    TrnCoordMap known = {0}; ///< {two hashes, size} of a text: its number
    const TrnResult result =
        trn_coord_map_reserve(&known, &save->allocator, save->box.palette.count);
    *count = 0;
    for (uint32_t i = 0; i < save->box.palette.count && result == TRN_RESULT_OK; i++) {
        const TrnAnvilState state = schematic_save_state(save, i);
        const SchematicSaveText text = schematic_save_text(&state);
        const TrnCoord place = {(int32_t)trn_bytes_hash(text.bytes, text.size, key),
                                (int32_t)trn_bytes_hash(text.bytes, text.size, ~key),
                                (int32_t)text.size};
        TrnCoordEntry *entry = trn_coord_map_find(&known, place);
        if (!entry) {
            entry = trn_coord_map_add(&known, place);
            entry->number = (*count)++;
        }
        numbers[i] = (uint16_t)entry->number;
    }
    trn_coord_map_free(&known, &save->allocator);
    return result;
}

/// Writes indices in seven bits a byte, without `put` only counts the bytes.
/// @param numbers  [palette.count]
static uint64_t schematic_save_put_varints(SchematicSave *save, const uint16_t *numbers, bool put)
{
    const TrnOutBox *box = &save->box;
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < box->voxels; i++) {
        uint32_t index = numbers[box->indices[i]];
        unsigned char digits[3];
        uint32_t count = 0;
        for (; index >= 128; index >>= 7) {
            digits[count++] = (unsigned char)(index & 127u) | 128u;
        }
        digits[count++] = (unsigned char)index;
        if (put) {
            trn_packed_put(&save->out, digits, count);
        }
        bytes += count;
    }
    return bytes;
}

/// @param numbers  [palette.count] of its entries  @param count  how many there are
static void schematic_save_put_blocks(SchematicSave *save, const uint16_t *numbers, uint32_t count)
{
    TrnPackedOut *out = &save->out;
    uint32_t next = 0;
    trn_packed_int(out, "PaletteMax", count);
    trn_packed_tag(out, TRN_NBT_COMPOUND, "Palette");
    for (uint32_t i = 0; i < save->box.palette.count; i++) {
        if (numbers[i] == next) { // the first of its state
            const TrnAnvilState state = schematic_save_state(save, i);
            trn_packed_int(out, schematic_save_text(&state).bytes, next++);
        }
    }
    trn_packed_close(out);
    trn_packed_tag(out, TRN_NBT_BYTES, "BlockData");
    trn_packed_number(out, schematic_save_put_varints(save, numbers, false), 4);
    (void)schematic_save_put_varints(save, numbers, true);
}

static TrnResult schematic_save_put_sponge(SchematicSave *save)
{
    TrnPackedOut *out = &save->out;
    const size_t bytes = save->box.palette.count * sizeof(uint16_t);
    uint16_t *numbers = trn_take(&save->allocator, bytes, sizeof *numbers);
    uint32_t count = 0;
    TrnResult result =
        numbers ? schematic_save_number_states(save, numbers, &count) : TRN_RESULT_NO_MEMORY;
    if (result == TRN_RESULT_OK) {
        trn_packed_tag(out, TRN_NBT_COMPOUND, "Schematic");
        trn_packed_int(out, "Version", 2);
        trn_packed_int(out, "DataVersion", TRN_STATE_DATA_VERSION);
        schematic_save_put_size(save);
        schematic_save_put_blocks(save, numbers, count);
        result = schematic_save_put_contents(save, "BlockEntities");
        trn_packed_close(out);
    }
    trn_give(&save->allocator, numbers, bytes);
    return result;
}

// ---- Litematica ---------------------------------------------------------------------------------

static void schematic_save_put_axes(TrnPackedOut *out, const char *name, const uint32_t axes[3])
{
    trn_packed_tag(out, TRN_NBT_COMPOUND, name);
    trn_packed_int(out, "x", axes[0]);
    trn_packed_int(out, "y", axes[1]);
    trn_packed_int(out, "z", axes[2]);
    trn_packed_close(out);
}

/// Writes indices in as many bits as the palette needs, across longs.
static void schematic_save_put_longs(SchematicSave *save)
{
    const TrnOutBox *box = &save->box;
    uint32_t bits = 2, filled = 0;
    uint64_t word = 0;
    while (UINT32_C(1) << bits < box->palette.count) {
        bits++;
    }
    trn_packed_tag(&save->out, TRN_NBT_LONGS, "BlockStates");
    trn_packed_number(&save->out, (box->voxels * bits + 63) / 64, 4);
    for (uint64_t i = 0; i < box->voxels; i++) {
        const uint64_t index = box->indices[i];
        word |= index << filled;
        filled += bits;
        if (filled >= 64) {
            trn_packed_number(&save->out, word, 8);
            filled -= 64;
            word = filled ? index >> (bits - filled) : 0;
        }
    }
    if (filled) {
        trn_packed_number(&save->out, word, 8);
    }
}

static TrnResult schematic_save_put_litematica(SchematicSave *save)
{
    static const uint32_t zero[3] = {0, 0, 0};
    static const char *const lists[] = {"Entities", "PendingBlockTicks", "PendingFluidTicks"};
    static const TrnNbtText name = {"Terrane", 7}, empty = {"", 0};
    TrnPackedOut *out = &save->out;
    trn_packed_tag(out, TRN_NBT_COMPOUND, "");
    trn_packed_int(out, "MinecraftDataVersion", TRN_STATE_DATA_VERSION);
    trn_packed_int(out, "Version", 6);
    trn_packed_tag(out, TRN_NBT_COMPOUND, "Metadata");
    trn_packed_text(out, "Name", name);
    trn_packed_text(out, "Author", empty);
    trn_packed_text(out, "Description", empty);
    trn_packed_int(out, "RegionCount", 1);
    trn_packed_int(out, "TotalBlocks", (int64_t)save->report.voxels);
    trn_packed_int(out, "TotalVolume", (int64_t)save->box.voxels);
    schematic_save_put_axes(out, "EnclosingSize", save->box.size);
    trn_packed_close(out);
    trn_packed_tag(out, TRN_NBT_COMPOUND, "Regions");
    trn_packed_tag(out, TRN_NBT_COMPOUND, "Terrane");
    schematic_save_put_axes(out, "Position", zero);
    schematic_save_put_axes(out, "Size", save->box.size);
    trn_packed_list(out, "BlockStatePalette", TRN_NBT_COMPOUND, save->box.palette.count);
    for (uint32_t i = 0; i < save->box.palette.count; i++) {
        const TrnAnvilState state = schematic_save_state(save, i);
        trn_state_put(out, &state);
    }
    schematic_save_put_longs(save);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        trn_packed_list(out, lists[i], TRN_NBT_COMPOUND, 0);
    }
    const TrnResult result = schematic_save_put_contents(save, "TileEntities");
    for (int i = 0; i < 3; i++) {
        trn_packed_close(out);
    }
    return result;
}

// ---- MCEdit -------------------------------------------------------------------------------------

static TrnResult schematic_save_put_mcedit(SchematicSave *save)
{
    static const TrnNbtText materials = {"Alpha", 5};
    const TrnOutBox *box = &save->box;
    TrnPackedOut *out = &save->out;
    trn_packed_tag(out, TRN_NBT_COMPOUND, "Schematic");
    schematic_save_put_size(save);
    trn_packed_text(out, "Materials", materials);
    for (int has_values = 0; has_values < 2; has_values++) {
        trn_packed_tag(out, TRN_NBT_BYTES, has_values ? "Data" : "Blocks");
        trn_packed_number(out, box->voxels, 4);
        for (uint64_t i = 0; i < box->voxels; i++) {
            const uint32_t number = schematic_save_number(save, box->indices[i]);
            const unsigned char byte = (unsigned char)(has_values ? number & 15u : number >> 4);
            trn_packed_put(out, &byte, 1);
        }
    }
    trn_packed_list(out, "Entities", TRN_NBT_COMPOUND, 0);
    const TrnResult result = schematic_save_put_contents(save, "TileEntities");
    trn_packed_close(out);
    return result;
}

// ---- Luanti -------------------------------------------------------------------------------------

#define SCHEMATIC_SAVE_MTS_NAMES_MAX 4095u
#define SCHEMATIC_SAVE_MTS_ALWAYS 0x7F // a node, or a layer, is placed

/// Writes what a node has: its id, param1 or param2. x fastest, then y, then z to the north.
static void schematic_save_put_nodes(SchematicSave *save, const uint16_t *ids, int part)
{
    const TrnOutBox *box = &save->box;
    for (uint32_t north = 0; north < box->size[2]; north++) {
        for (uint32_t y = 0; y < box->size[1]; y++) {
            const uint64_t row = (uint64_t)y * box->size[2] + (box->size[2] - 1 - north);
            const uint16_t *indices = box->indices + row * box->size[0];
            for (uint32_t x = 0; x < box->size[0]; x++) {
                trn_packed_number(&save->out,
                                  part == 0   ? ids[indices[x]]
                                  : part == 1 ? SCHEMATIC_SAVE_MTS_ALWAYS
                                              : save->names.items[indices[x]].param2,
                                  part == 0 ? 2 : 1);
            }
        }
    }
}

/// Numbers the names of the palette: some differ in param2 alone. @return how many there are
static uint32_t schematic_save_number_names(const SchematicSave *save, uint16_t *ids,
                                            uint16_t *firsts)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < save->box.palette.count && count <= SCHEMATIC_SAVE_MTS_NAMES_MAX;
         i++) {
        const TrnNbtText name = schematic_save_state(save, i).name;
        uint32_t id = 0;
        while (id < count) {
            const TrnNbtText other = schematic_save_state(save, firsts[id]).name;
            if (other.size == name.size && memcmp(other.bytes, name.bytes, name.size) == 0) {
                break;
            }
            id++;
        }
        ids[i] = (uint16_t)id;
        if (id == count && count <= SCHEMATIC_SAVE_MTS_NAMES_MAX) {
            firsts[count++] = (uint16_t)i;
        }
    }
    return count;
}

static void schematic_save_put_mts(SchematicSave *save, const uint16_t *ids, const uint16_t *firsts,
                                   uint32_t count)
{
    TrnPackedOut *out = &save->out;
    trn_packed_put(out, "MTSM", 4);
    trn_packed_number(out, 4, 2);
    for (int axis = 0; axis < 3; axis++) {
        trn_packed_number(out, save->box.size[axis], 2);
    }
    for (uint32_t y = 0; y < save->box.size[1]; y++) {
        trn_packed_number(out, SCHEMATIC_SAVE_MTS_ALWAYS, 1);
    }
    trn_packed_number(out, count, 2);
    for (uint32_t i = 0; i < count; i++) {
        const TrnNbtText name = schematic_save_state(save, firsts[i]).name;
        trn_packed_number(out, name.size, 2);
        trn_packed_put(out, name.bytes, name.size);
    }
    trn_packed_begin(out, TRN_PACKED_ZLIB);
    for (int part = 0; part < 3; part++) {
        schematic_save_put_nodes(save, ids, part);
    }
    trn_packed_end(out);
}

static TrnResult schematic_save_put_luanti(SchematicSave *save)
{
    const size_t bytes =
        ((size_t)save->box.palette.count + SCHEMATIC_SAVE_MTS_NAMES_MAX + 1) * sizeof(uint16_t);
    uint16_t *ids = trn_take(&save->allocator, bytes, sizeof *ids);
    if (!ids) {
        return TRN_RESULT_NO_MEMORY;
    }
    uint16_t *firsts = ids + save->box.palette.count;
    const uint32_t count = schematic_save_number_names(save, ids, firsts);
    TrnResult result = TRN_RESULT_OK;
    if (count > SCHEMATIC_SAVE_MTS_NAMES_MAX) {
        save->fault = "The box has more than 4,095 kinds of nodes; make it smaller.";
        result = TRN_RESULT_FULL;
    } else {
        schematic_save_put_mts(save, ids, firsts, count);
    }
    trn_give(&save->allocator, ids, bytes);
    return result;
}

// ---- the report ---------------------------------------------------------------------------------

/// Counts what the format does not hold. @param is_lost  receives false to stop
static void schematic_save_count(SchematicSave *save, bool keeps_contents)
{
    TrnSchematicReport *report = &save->report;
    const TrnBlockTypes *types = save->def->types;
    bool goes_on = save->def->note != NULL;
    for (uint32_t i = 0; i < save->box.palette.count; i++) {
        const TrnOutEntry *entry = &save->box.palette.items[i];
        const char *name = trn_block_types_get(types, entry->block)->name;
        const bool is_known = save->def->format == TRN_SCHEMATIC_MAGICAVOXEL
                                  ? trn_vox_save_is_kept(types, entry->block)
                                  : save->names.items[i].is_known;
        report->voxels += entry->block != TRN_BLOCK_AIR ? entry->voxels : 0;
        if (is_known || !entry->voxels) {
            continue;
        }
        report->lost_voxels += entry->voxels;
        report->lost_kinds += !entry->is_upper;
        const TrnImportNote note = {TRN_IMPORT_NOTE_UNKNOWN, entry->voxels, name, ""};
        goes_on = goes_on && save->def->note(save->def->user, &note);
    }
    report->lost_contents = save->box.data_count + (keeps_contents ? 0 : save->box.content_count);
    const TrnImportNote note = {TRN_IMPORT_NOTE_IGNORED, report->lost_contents,
                                "contents of blocks", ""};
    if (goes_on && report->lost_contents) {
        (void)save->def->note(save->def->user, &note);
    }
}

// ---- saving -------------------------------------------------------------------------------------

/// Writes the file.
static TrnResult schematic_save_put(SchematicSave *save)
{
    TrnPackedOut *out = &save->out;
    const TrnSchematicFormat format = save->def->format;
    *out = (TrnPackedOut){.write = save->def->write,
                          .user = save->def->user,
                          .allocator = save->allocator,
                          .most = TRN_SCHEMATIC_BYTES_MAX};
    if (format == TRN_SCHEMATIC_MAGICAVOXEL) {
        return trn_vox_save(out, &save->box, &save->fault);
    }
    if (format == TRN_SCHEMATIC_LUANTI) {
        return schematic_save_put_luanti(save);
    }
    trn_packed_begin(out, TRN_PACKED_GZIP);
    const TrnResult result = format == TRN_SCHEMATIC_SPONGE ? schematic_save_put_sponge(save)
                             : format == TRN_SCHEMATIC_LITEMATICA
                                 ? schematic_save_put_litematica(save)
                                 : schematic_save_put_mcedit(save);
    trn_packed_end(out);
    return result;
}

static TrnResult schematic_save_open(SchematicSave *save, TrnStorageProblem *problem)
{
    const TrnSchematicDef *def = save->def;
    const bool is_luanti = def->format == TRN_SCHEMATIC_LUANTI;
    const TrnImportTable given = {def->names, def->names_size};
    TrnResult result =
        trn_back_open(&save->back, &save->allocator, def->types, is_luanti, given, problem);
    if (result == TRN_RESULT_OK && def->format == TRN_SCHEMATIC_MCEDIT) {
        result = schematic_save_open_numbers(save);
        if (result != TRN_RESULT_OK) {
            trn_back_free(&save->back);
        }
    }
    return result;
}

static TrnResult schematic_save_all(SchematicSave *save)
{
    TrnResult result = trn_out_box_load(&save->box, save->def, &save->allocator,
                                        schematic_save_find_name, save, &save->fault);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    schematic_save_count(save, save->def->format <= TRN_SCHEMATIC_MCEDIT);
    result = schematic_save_put(save);
    const TrnResult written = trn_packed_finish(&save->out);
    if (written == TRN_RESULT_FULL) {
        save->fault = "The file would be larger than 256 MiB before compression; make the box "
                      "smaller.";
    }
    return result == TRN_RESULT_OK ? written : result;
}

static void schematic_save_free(SchematicSave *save)
{
    trn_out_box_free(&save->box);
    trn_array_free(&save->names, &save->allocator);
    trn_anvil_numbers_free(&save->numbers.table, &save->allocator);
    trn_give(&save->allocator, save->numbers.of, sizeof(uint32_t[TRN_BLOCK_TYPES_MAX]));
}

TrnResult trn_schematic_save(const TrnSchematicDef *def, TrnSchematicReport *report,
                             TrnStorageProblem *problem)
{
    if (!def || !def->types || !def->source.load || !def->write ||
        (!def->names && def->names_size) || (uint32_t)def->format >= TRN_SCHEMATIC_FORMAT_COUNT) {
        trn_import_tell(problem, "%s", trn_result_text(TRN_RESULT_BAD_ARGUMENT));
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnStorageProblem why = {""};
    SchematicSave *save = trn_take(&allocator, sizeof *save, TRN_CACHE_LINE);
    if (!save) {
        trn_import_tell(problem, "%s", trn_result_text(TRN_RESULT_NO_MEMORY));
        return TRN_RESULT_NO_MEMORY;
    }
    memset(save, 0, sizeof *save);
    save->def = def;
    save->allocator = allocator;
    TrnResult result = schematic_save_open(save, &why);
    if (result == TRN_RESULT_OK) {
        result = schematic_save_all(save);
        trn_back_free(&save->back);
    }
    schematic_save_free(save);
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
