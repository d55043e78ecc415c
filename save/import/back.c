// The table of names backwards: see back.h. Names are tried and read, so that no second table says
// how facings and values are called.

#include "back.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

extern const char trn_asset_minecraft_txt[]; // embedded
extern const size_t trn_asset_minecraft_txt_bytes;
extern const char trn_asset_luanti_txt[];
extern const size_t trn_asset_luanti_txt_bytes;

#define BACK_OURS "terrane:"
#define BACK_MINECRAFT "minecraft:"

// ---- opening ------------------------------------------------------------------------------------

static int back_compare(const void *a, const void *b)
{
    const TrnImportName *one = *(const TrnImportName *const *)a;
    const TrnImportName *other = *(const TrnImportName *const *)b;
    return (one->line > other->line) - (one->line < other->line);
}

static TrnResult back_list_lines(TrnBack *back)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < TRN_IMPORT_NAME_BUCKETS; i++) {
        for (const TrnImportName *name = back->names.buckets[i]; name && result == TRN_RESULT_OK;
             name = name->next) {
            if (name->line) {
                result = trn_array_push( // NOLINT(bugprone-sizeof-expression): pointers
                    &back->lines, &back->allocator, name);
            }
        }
    }
    if (back->lines.count) {
        qsort(back->lines.items, back->lines.count, sizeof(const TrnImportName *), back_compare);
    }
    return result;
}

TrnResult trn_back_open(TrnBack *back, const TrnAllocator *allocator, const TrnBlockTypes *types,
                        bool is_luanti, TrnImportTable given, TrnStorageProblem *problem)
{
    static const char *const airs[] = {"minecraft:air", NULL}, *const luanti_airs[] = {"air", NULL};
    const TrnImportTables tables = {
        given,
        is_luanti ? (TrnImportTable){trn_asset_luanti_txt, trn_asset_luanti_txt_bytes}
                  : (TrnImportTable){trn_asset_minecraft_txt, trn_asset_minecraft_txt_bytes},
        is_luanti ? luanti_airs : airs};
    *back = (TrnBack){.allocator = *allocator, .is_luanti = is_luanti};
    TrnResult result = trn_import_names_open(
        &back->names, allocator, (TrnBlockTypes *)types, // NOLINT: UNKNOWN_AIR only reads it
        TRN_IMPORT_UNKNOWN_AIR, &tables, problem);
    if (result == TRN_RESULT_OK) {
        result = back_list_lines(back);
        if (result != TRN_RESULT_OK) {
            trn_back_free(back);
        }
    }
    return result;
}

void trn_back_free(TrnBack *back)
{
    trn_array_free(&back->lines, &back->allocator); // NOLINT(bugprone-sizeof-expression): pointers
    trn_import_names_free(&back->names);
}

// ---- blocks that look the same ------------------------------------------------------------------

static bool back_looks_like(const TrnBlockType *one, const TrnBlockType *other)
{
    return one->model && other->model && one->model->box_count == other->model->box_count &&
           one->model->connects == other->model->connects &&
           memcmp(one->model->boxes, other->model->boxes,
                  one->model->box_count * sizeof *one->model->boxes) == 0;
}

TrnBlock trn_back_look(const TrnBlockTypes *types, TrnBlock block)
{
    const TrnBlockType *type = trn_block_types_get(types, block);
    for (uint32_t i = 0; i < type->variant; i++) {
        const TrnBlock variant = trn_block_types_variant(types, type->family, i);
        if (back_looks_like(type, trn_block_types_get(types, variant))) {
            return variant;
        }
    }
    return block;
}

// ---- states of Minecraft ------------------------------------------------------------------------

#define BACK_KEYS 4
#define BACK_VALUES 17

/// What a block whose name ends in something has there, for each property the values it may have.
typedef struct BackKind {
    const char *ending;
    bool is_door;
    bool is_turned; ///< only for blocks that Terrane turns too
    struct {
        const char *key;
        const char *values[BACK_VALUES]; ///< up to a NULL
    } keys[BACK_KEYS];                   ///< up to one without a key
} BackKind;

#define BACK_FACINGS                                                                               \
    {                                                                                              \
        "facing",                                                                                  \
        {                                                                                          \
            "east", "south", "west", "north"                                                       \
        }                                                                                          \
    }
#define BACK_HALVES                                                                                \
    {                                                                                              \
        "half",                                                                                    \
        {                                                                                          \
            "bottom", "top"                                                                        \
        }                                                                                          \
    }
#define BACK_OPEN                                                                                  \
    {                                                                                              \
        "open",                                                                                    \
        {                                                                                          \
            "false", "true"                                                                        \
        }                                                                                          \
    }
#define BACK_LEVELS                                                                                \
    {                                                                                              \
        "level",                                                                                   \
        {                                                                                          \
            "0", "1", "2", "3", "4", "5", "6", "7", "8"                                            \
        }                                                                                          \
    }

/// The first that gives the block counts; the last fit all names.
static const BackKind BACK_KINDS[] = {
    {"_trapdoor", false, false, {BACK_FACINGS, BACK_HALVES, BACK_OPEN}},
    {"_door", true, false, {BACK_FACINGS, {"half", {"lower"}}, {"hinge", {"left"}}, BACK_OPEN}},
    {"_fence_gate", false, false, {BACK_FACINGS, BACK_OPEN}},
    {"_slab", false, false, {{"type", {"bottom", "top"}}}},
    {"_stairs", false, false, {BACK_FACINGS, BACK_HALVES}},
    {":water", false, false, {BACK_LEVELS}},
    {":lava", false, false, {BACK_LEVELS}},
    {":lantern", false, false, {{"hanging", {"false", "true"}}}},
    {"vine", false, false, {{"south", {"true"}}}},
    {"vine", false, false, {{"west", {"true"}}}},
    {"vine", false, false, {{"north", {"true"}}}},
    {"vine", false, false, {{"east", {"true"}}}},
    {"vine", false, false, {{"up", {"true"}}}},
    {"lichen", false, false, {{"south", {"true"}}}},
    {"lichen", false, false, {{"west", {"true"}}}},
    {"lichen", false, false, {{"north", {"true"}}}},
    {"lichen", false, false, {{"east", {"true"}}}},
    {"lichen", false, false, {{"up", {"true"}}}},
    {"lichen", false, false, {{"down", {"true"}}}},
    {"", false, true, {BACK_FACINGS}},
    {"", false, true, {BACK_FACINGS, BACK_HALVES}},
    {"", false, false, {{NULL, {NULL}}}},
};

static bool back_ends_in(TrnNbtText name, const char *ending)
{
    const size_t size = strlen(ending);
    return name.size >= size && memcmp(name.bytes + name.size - size, ending, size) == 0;
}

static bool back_has_key(const TrnAnvilState *state, const char *key)
{
    bool has = false;
    for (uint32_t i = 0; i < state->property_count; i++) {
        const TrnImportProperty *property = &state->properties[i];
        has = has || (property->key_size == strlen(key) &&
                      memcmp(property->key, key, property->key_size) == 0);
    }
    return has;
}

/// Adds the properties of a combination, counted through all of them, to those of a line.
/// @return false if there is no such combination
static bool back_combine(const BackKind *kind, uint32_t number, TrnAnvilState *state)
{
    const TrnAnvilState begun = *state;
    for (int i = 0; i < BACK_KEYS && kind->keys[i].key; i++) {
        uint32_t count = 1;
        while (count < BACK_VALUES && kind->keys[i].values[count]) {
            count++;
        }
        const char *key = kind->keys[i].key, *value = kind->keys[i].values[number % count];
        if (back_has_key(&begun, key)) {
            continue;
        }
        state->properties[state->property_count++] =
            (TrnImportProperty){key, value, strlen(key), strlen(value)};
        number /= count;
    }
    return number == 0;
}

/// Whether a state is read as a block, or as one that looks the same.
static TrnResult back_reads(TrnBack *back, const TrnAnvilState *state, TrnBlock wanted, bool *reads)
{
    TrnImportState ours;
    const TrnResult result =
        trn_import_names_find_state(&back->names, state->name.bytes, state->name.size,
                                    state->properties, state->property_count, &ours);
    *reads = result == TRN_RESULT_OK && trn_back_look(back->names.types, ours.block) == wanted &&
             !ours.name->is_unknown;
    return result;
}

/// Tries a name with the properties of its kinds.
/// @param begun  the name, and the property that its line has
static TrnResult back_try_state(TrnBack *back, const TrnAnvilState *begun, TrnBlock wanted,
                                TrnBackName *name, bool *is_found)
{
    const TrnBlock family = trn_block_types_get(back->names.types, wanted)->family;
    const bool is_turned = trn_block_types_variant(back->names.types, family, 1) != TRN_BLOCK_AIR;
    TrnResult result = TRN_RESULT_OK;
    *is_found = false;
    for (size_t i = 0; i < sizeof BACK_KINDS / sizeof *BACK_KINDS; i++) {
        const BackKind *kind = &BACK_KINDS[i];
        TrnAnvilState state = *begun;
        const bool fits =
            back_ends_in(begun->name, kind->ending) && (!kind->is_turned || is_turned);
        for (uint32_t number = 0;
             fits && back_combine(kind, number, &state) && result == TRN_RESULT_OK; number++) {
            result = back_reads(back, &state, wanted, is_found);
            if (*is_found) {
                name->state = state;
                name->is_door = kind->is_door;
                return result;
            }
            state = *begun;
        }
    }
    return result;
}

/// Divides the text of a line into a name and a property.
static TrnAnvilState back_line_state(const TrnImportName *line)
{
    TrnAnvilState state = {.name = {line->text, line->size}};
    const char *open = memchr(line->text, '[', line->size);
    const char *equals = open ? strchr(open, '=') : NULL,
               *close = equals ? strchr(equals, ']') : NULL;
    if (close) {
        state.name.size = (size_t)(open - line->text);
        state.properties[state.property_count++] = (TrnImportProperty){
            open + 1, equals + 1, (size_t)(equals - open - 1), (size_t)(close - equals - 1)};
    }
    return state;
}

// ---- nodes of Luanti ----------------------------------------------------------------------------

/// Tries a node with all values of param2 that mean something.
static bool back_try_node(const TrnBack *back, const TrnImportName *line, TrnBlock wanted,
                          TrnBackName *name)
{
    const uint32_t count = line->turn == TRN_IMPORT_TURN_NONE ? 1 : 32;
    for (uint32_t param2 = 0; param2 < count; param2++) {
        TrnBlock block;
        if (trn_import_node_block(line, (uint8_t)param2, &block) &&
            trn_back_look(back->names.types, block) == wanted) {
            name->state = (TrnAnvilState){.name = {line->text, line->size}};
            name->param2 = (uint8_t)param2;
            return true;
        }
    }
    return false;
}

// ---- finding ------------------------------------------------------------------------------------

static bool back_begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static TrnResult back_find_line(TrnBack *back, TrnBlock wanted, TrnBackName *name)
{
    const TrnBlock family = trn_block_types_get(back->names.types, wanted)->family;
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < back->lines.count && !name->is_known && result == TRN_RESULT_OK; i++) {
        const TrnImportName *line = back->lines.items[i];
        if (trn_block_types_get(back->names.types, line->block)->family != family) {
            continue;
        }
        if (back->is_luanti) {
            name->is_known = back_try_node(back, line, wanted, name);
        } else {
            const TrnAnvilState state = back_line_state(line);
            result = back_try_state(back, &state, wanted, name, &name->is_known);
        }
    }
    return result;
}

/// Whether a block of Terrane has a name that the rules read and Minecraft lacks.
static bool back_is_ours_alone(const char *name)
{
    static const char *const starts[] = {"aspen_", "palm_", "willow_", "dry_grass", "limestone"};
    bool is_ours = false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        is_ours = is_ours || back_begins(name, starts[i]);
    }
    return is_ours;
}

/// Tries the name that Terrane has, as one of Minecraft.
static TrnResult back_find_own(TrnBack *back, const char *ours, TrnBlock wanted, TrnBackName *name)
{
    (void)snprintf(name->own, sizeof name->own, "%s%s", BACK_MINECRAFT, ours + strlen(BACK_OURS));
    const TrnAnvilState state = {.name = {name->own, strlen(name->own)}};
    const TrnResult result = back_try_state(back, &state, wanted, name, &name->is_known);
    name->state.name = (TrnNbtText){NULL, 0}; // it is in `own`, which moves
    return result;
}

const TrnImportStandIn *trn_back_stand_in(const TrnBack *back, TrnBlock block)
{
    const TrnBlock family = trn_block_types_get(back->names.types, block)->family;
    const TrnImportStandIns *stand_ins = &back->names.stand_ins;
    for (uint32_t i = 0; i < stand_ins->count; i++) {
        if (stand_ins->items[i].block == family) {
            return &stand_ins->items[i];
        }
    }
    return NULL;
}

TrnResult trn_back_find(TrnBack *back, TrnBlock block, TrnBackName *name)
{
    const TrnBlockTypes *types = back->names.types;
    const TrnBlock wanted = trn_back_look(types, block);
    const TrnBlockType *type = trn_block_types_get(types, wanted);
    const char *ours = trn_block_types_get(types, type->family)->name;
    *name = (TrnBackName){.is_known = block == TRN_BLOCK_AIR};
    if (name->is_known) {
        (void)snprintf(name->own, sizeof name->own, "%s",
                       back->is_luanti ? "air" : "minecraft:air");
        return TRN_RESULT_OK;
    }
    TrnResult result = back_find_line(back, wanted, name);
    if (result == TRN_RESULT_OK && !name->is_known && !back->is_luanti &&
        back_begins(ours, BACK_OURS) && !back_is_ours_alone(ours + strlen(BACK_OURS))) {
        result = back_find_own(back, ours, wanted, name);
    }
    if (result == TRN_RESULT_OK && !name->is_known) {
        const TrnImportStandIn *stand_in = trn_back_stand_in(back, block);
        *name =
            (TrnBackName){.is_known = type->is_unknown && !back_begins(type->name, "imported:")};
        if (stand_in) {
            name->state.name = (TrnNbtText){stand_in->text, stand_in->size};
        }
        (void)snprintf(name->own, sizeof name->own, "%s", type->name);
    }
    return result;
}

TrnAnvilState trn_back_state(const TrnBackName *name, bool is_upper)
{
    TrnAnvilState state = name->state;
    if (!state.name.bytes) {
        state.name = (TrnNbtText){name->own, strlen(name->own)};
    }
    for (uint32_t i = 0; i < state.property_count && is_upper; i++) {
        if (strncmp(state.properties[i].key, "half", state.properties[i].key_size) == 0) {
            state.properties[i].value = "upper";
            state.properties[i].value_size = sizeof "upper" - 1;
        }
    }
    return state;
}
