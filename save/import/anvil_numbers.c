// The table of numbers, read line by line where it is needed: see anvil_numbers.h.

#include "anvil_numbers.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

extern const char trn_asset_minecraft_numbers_txt[]; // embedded

#define NUMBERS_VALUES 16u
#define NUMBERS_UPPER 8u // of a half
#define NUMBERS_COLOUR "<colour>"

// ---- what values say ----------------------------------------------------------------------------

/// The word behind a name, and which bits of a value choose between the lines of a number.
typedef struct NumbersKind {
    const char *word;
    uint32_t chooses;
    void (*tell)(uint32_t value, uint32_t other, TrnAnvilState *state);
} NumbersKind;

static void numbers_add(TrnAnvilState *state, const char *key, const char *value)
{
    state->properties[state->property_count++] =
        (TrnImportProperty){key, value, strlen(key), strlen(value)};
}

static const char *const NUMBERS_DIGITS[NUMBERS_VALUES] = {
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"};

static void numbers_tell_level(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    (void)other;
    numbers_add(state, "level", NUMBERS_DIGITS[value]);
}

static void numbers_tell_layers(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    (void)other;
    numbers_add(state, "layers", NUMBERS_DIGITS[(value & 7u) + 1]);
}

static void numbers_tell_log(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    static const char *const axes[4] = {"y", "x", "z", "y"};
    (void)other;
    numbers_add(state, "axis", axes[value >> 2]);
}

static void numbers_tell_slab(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    (void)other;
    numbers_add(state, "type", value & NUMBERS_UPPER ? "top" : "bottom");
}

static void numbers_tell_stairs(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    static const char *const facings[4] = {"east", "west", "south", "north"};
    (void)other;
    numbers_add(state, "facing", facings[value & 3u]);
    numbers_add(state, "half", value & 4u ? "top" : "bottom");
}

/// The lower half of a door has its facing and whether it is open, the upper one its hinge.
static void numbers_tell_door(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    static const char *const facings[4] = {"east", "south", "west", "north"};
    const bool is_upper = value & NUMBERS_UPPER;
    const uint32_t lower = is_upper ? other : value, upper = is_upper ? value : other;
    numbers_add(state, "facing", facings[lower & 3u]);
    numbers_add(state, "open", lower & 4u ? "true" : "false");
    numbers_add(state, "hinge", upper & 1u ? "right" : "left");
    numbers_add(state, "half", is_upper ? "upper" : "lower");
}

static void numbers_tell_tall(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    (void)other;
    numbers_add(state, "half", value & NUMBERS_UPPER ? "upper" : "lower");
}

static void numbers_tell_trapdoor(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    static const char *const facings[4] = {"north", "south", "west", "east"};
    (void)other;
    numbers_add(state, "facing", facings[value & 3u]);
    numbers_add(state, "open", value & 4u ? "true" : "false");
    numbers_add(state, "half", value & 8u ? "top" : "bottom");
}

static void numbers_tell_turn(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    static const char *const facings[4] = {"south", "west", "north", "east"};
    (void)other;
    numbers_add(state, "facing", facings[value & 3u]);
}

static void numbers_tell_gate(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    numbers_tell_turn(value, other, state);
    numbers_add(state, "open", value & 4u ? "true" : "false");
}

static void numbers_tell_side(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    static const char *const facings[8] = {"down", "up",   "north", "south",
                                           "west", "east", "north", "north"};
    (void)other;
    numbers_add(state, "facing", facings[value & 7u]);
}

static void numbers_tell_torch(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    static const char *const facings[4] = {"east", "west", "south", "north"};
    (void)other;
    if (value >= 1 && value <= 4) {
        numbers_add(state, "facing", facings[value - 1]);
    }
}

static void numbers_tell_vine(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    static const char *const sides[4] = {"south", "west", "north", "east"};
    (void)other;
    for (uint32_t i = 0; i < 4; i++) {
        if (value >> i & 1u) {
            numbers_add(state, sides[i], "true");
        }
    }
    if (value == 0) {
        numbers_add(state, "up", "true");
    }
}

static void numbers_tell_nothing(uint32_t value, uint32_t other, TrnAnvilState *state)
{
    (void)value;
    (void)other;
    (void)state;
}

enum { NUMBERS_PLAIN, NUMBERS_DOOR, NUMBERS_TALL, NUMBERS_TORCH };
static const NumbersKind NUMBERS_KINDS[] = {
    [NUMBERS_PLAIN] = {"", 15, numbers_tell_nothing},
    [NUMBERS_DOOR] = {"door", 0, numbers_tell_door},
    [NUMBERS_TALL] = {"tall", 7, numbers_tell_tall},
    [NUMBERS_TORCH] = {"torch", 0, numbers_tell_torch},
    {"gate", 0, numbers_tell_gate},
    {"layers", 0, numbers_tell_layers},
    {"leaves", 3, numbers_tell_nothing},
    {"level", 0, numbers_tell_level},
    {"log", 3, numbers_tell_log},
    {"side", 0, numbers_tell_side},
    {"slab", 7, numbers_tell_slab},
    {"stairs", 0, numbers_tell_stairs},
    {"trapdoor", 0, numbers_tell_trapdoor},
    {"turn", 0, numbers_tell_turn},
    {"vine", 0, numbers_tell_vine},
};
enum { NUMBERS_KIND_COUNT = sizeof NUMBERS_KINDS / sizeof *NUMBERS_KINDS };

// ---- lines --------------------------------------------------------------------------------------

/// A line of the table.
typedef struct NumbersLine {
    uint32_t number;
    bool has_value;
    uint32_t value; ///< if it has one
    TrnNbtText name;
    uint32_t kind;
} NumbersLine;

/// Reads the digits at a place of the table, and moves behind them.
static uint32_t numbers_digits(const char **at)
{
    char *end;
    const uint32_t number = (uint32_t)strtoul(*at, &end, 10);
    *at = end;
    return number;
}

static uint32_t numbers_kind(const char *word, size_t size)
{
    uint32_t kind = NUMBERS_KIND_COUNT - 1;
    while (kind > NUMBERS_PLAIN && (strlen(NUMBERS_KINDS[kind].word) != size ||
                                    memcmp(NUMBERS_KINDS[kind].word, word, size) != 0)) {
        kind--;
    }
    return kind;
}

/// Reads a line of our own table. @return false if it is a comment
static bool numbers_read_line(const char *at, NumbersLine *line)
{
    if (*at < '0' || *at > '9') {
        return false;
    }
    *line = (NumbersLine){.number = numbers_digits(&at), .has_value = *at == ':'};
    if (line->has_value) {
        at++;
        line->value = numbers_digits(&at);
    }
    at += strspn(at, " =");
    line->name = (TrnNbtText){at, strcspn(at, " \n")};
    at += line->name.size;
    at += strspn(at, " ");
    line->kind = numbers_kind(at, strcspn(at, " \n"));
    return true;
}

static const char *numbers_next_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

/// Notes where each number's lines begin.
static void numbers_index(TrnAnvilNumbers *numbers)
{
    const char *const text = trn_asset_minecraft_numbers_txt;
    for (const char *at = text; *at; at = numbers_next_line(at)) {
        NumbersLine line;
        if (!numbers_read_line(at, &line) || line.number >= TRN_ANVIL_NUMBERS ||
            numbers->lines[line.number]) {
            continue;
        }
        numbers->lines[line.number] = (uint32_t)(at - text) + 1;
        numbers->has_halves[line.number] = line.kind == NUMBERS_DOOR || line.kind == NUMBERS_TALL;
    }
}

/// Finds the line of a value: the one for it, or else the number's first.
static bool numbers_find(const TrnAnvilNumbers *numbers, uint32_t number, uint32_t value,
                         NumbersLine *line)
{
    if (number >= TRN_ANVIL_NUMBERS || !numbers->lines[number]) {
        return false;
    }
    const char *at = trn_asset_minecraft_numbers_txt + numbers->lines[number] - 1;
    if (!numbers_read_line(at, line)) {
        return false;
    }
    NumbersLine other;
    while (numbers_read_line(at = numbers_next_line(at), &other) && other.number == number) {
        if (other.value == (value & NUMBERS_KINDS[other.kind].chooses)) {
            *line = other;
        }
    }
    return true;
}

// ---- mods ---------------------------------------------------------------------------------------

/// Reads a name and its number. Before Minecraft 1.8 a first character says that it is a block.
static TrnResult numbers_read_mod(TrnAnvilNumbers *numbers, TrnNbt *nbt,
                                  const TrnAllocator *allocator)
{
    TrnNbtTag tag;
    TrnNbtText name = {"", 0};
    int64_t number = -1;
    while (trn_nbt_next(nbt, &tag)) {
        if (trn_nbt_is(&tag, "K")) {
            name = trn_nbt_text(nbt, tag.type);
        } else if (trn_nbt_is(&tag, "V")) {
            number = trn_nbt_integer(nbt, tag.type);
        } else {
            trn_nbt_skip(nbt, tag.type);
        }
    }
    if (name.size > 1 && name.bytes[0] < ' ') {
        number = name.bytes[0] == 1 ? number : -1; // 2: an item
        name = (TrnNbtText){name.bytes + 1, name.size - 1};
    }
    const TrnAnvilMod mod = {(uint32_t)number, name};
    return number >= 0 && number < 4096 && name.size
               ? trn_array_push(&numbers->mods, allocator, mod)
               : TRN_RESULT_OK;
}

static TrnResult numbers_read_list(TrnAnvilNumbers *numbers, TrnNbt *nbt, TrnNbtType type,
                                   const TrnAllocator *allocator)
{
    const TrnNbtList list = trn_nbt_list(nbt, type);
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < list.count && !nbt->is_broken && result == TRN_RESULT_OK; i++) {
        if (list.type == TRN_NBT_COMPOUND) {
            result = numbers_read_mod(numbers, nbt, allocator);
        } else {
            trn_nbt_skip(nbt, list.type);
        }
    }
    return result;
}

/// Looks for what holds a path of names in compounds. @return whether the cursor is at it now
static bool numbers_enter(TrnNbt *nbt, const char *const *path, TrnNbtType *type)
{
    TrnNbtTag tag;
    while (trn_nbt_next(nbt, &tag)) {
        if (!trn_nbt_is(&tag, *path)) {
            trn_nbt_skip(nbt, tag.type);
        } else if (!path[1]) {
            *type = tag.type;
            return true;
        } else if (tag.type == TRN_NBT_COMPOUND) {
            path++;
        } else {
            return false;
        }
    }
    return false;
}

static int numbers_compare(const void *a, const void *b)
{
    const TrnAnvilMod *one = a, *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

/// Reads the numbers that Forge gave to blocks of mods.
static TrnResult numbers_read_level(TrnAnvilNumbers *numbers, const TrnAllocator *allocator)
{
    static const char *const since_1_9[] = {"FML", "Registries", "minecraft:blocks", "ids", NULL};
    static const char *const before[] = {"FML", "ItemData", NULL};
    const char *const *const paths[] = {since_1_9, before};
    TrnResult result = TRN_RESULT_OK;
    for (int i = 0; i < 2 && !numbers->mods.count && result == TRN_RESULT_OK; i++) {
        TrnNbt nbt;
        TrnNbtType type;
        trn_nbt_begin(&nbt, numbers->level.items, numbers->level.count);
        if (numbers_enter(&nbt, paths[i], &type)) {
            result = numbers_read_list(numbers, &nbt, type, allocator);
        }
    }
    if (numbers->mods.count) {
        qsort(numbers->mods.items, numbers->mods.count, sizeof *numbers->mods.items,
              numbers_compare);
    }
    return result;
}

TrnResult trn_anvil_numbers_open(TrnAnvilNumbers *numbers, TrnBytes *level,
                                 const TrnAllocator *allocator)
{
    *numbers = (TrnAnvilNumbers){.level = *level};
    *level = (TrnBytes){0};
    numbers_index(numbers);
    return numbers_read_level(numbers, allocator);
}

void trn_anvil_numbers_free(TrnAnvilNumbers *numbers, const TrnAllocator *allocator)
{
    trn_array_free(&numbers->mods, allocator);
    trn_array_free(&numbers->level, allocator);
}

// ---- sections -----------------------------------------------------------------------------------

/// Reads a number of half a byte.
static uint32_t numbers_nibble(const unsigned char *from, uint32_t at)
{
    return from ? from[at / 2] >> at % 2 * 4 & 15u : 0;
}

/// Returns a block: its number and its value.
static TrnAnvilNumber numbers_at(const TrnAnvilSection *section, uint32_t i)
{
    const uint32_t edge = TRN_ANVIL_EDGE;
    const uint32_t x = i % edge, z = i / edge % edge, y = i / (edge * edge);
    const uint32_t at =
        section->is_tall ? (x * edge + z) * TRN_ANVIL_TALL + section->tall_low + y : i;
    return numbers_nibble(section->more, at) << 16 | (uint32_t)section->numbers[at] << 8 |
           numbers_nibble(section->values, at);
}

TrnAnvilNumber trn_anvil_numbers_join(const TrnAnvilNumbers *numbers, TrnAnvilNumber block,
                                      TrnAnvilNumber below, TrnAnvilNumber above)
{
    const uint32_t id = block >> 8;
    if (id >= TRN_ANVIL_NUMBERS || !numbers->has_halves[id]) {
        return block;
    }
    const TrnAnvilNumber other = block & NUMBERS_UPPER ? below : above;
    const bool is_half = other >> 8 == id && ((other ^ block) & NUMBERS_UPPER);
    return block | (is_half ? (other & 15u) << 4 : 0);
}

/// The same of a block of a section.
static TrnAnvilNumber numbers_join_in(const TrnAnvilNumbers *numbers,
                                      const TrnAnvilSection *section,
                                      const TrnAnvilSection *const around[2], uint32_t i)
{
    const uint32_t layer = TRN_ANVIL_EDGE * TRN_ANVIL_EDGE, last = TRN_ANVIL_BLOCKS - layer;
    const TrnAnvilSection *below = i < layer ? around[0] : section;
    const TrnAnvilSection *above = i >= last ? around[1] : section;
    const uint32_t i_below = i < layer ? i + last : i - layer;
    const uint32_t i_above = i >= last ? i - last : i + layer;
    return trn_anvil_numbers_join(numbers, numbers_at(section, i),
                                  below && below->numbers ? numbers_at(below, i_below) : 0,
                                  above && above->numbers ? numbers_at(above, i_above) : 0);
}

/// Reads the usual blocks: of Anvil, and not of mods with high numbers.
static void numbers_unpack_bytes(const TrnAnvilSection *section, TrnAnvilNumber *out)
{
    static const unsigned char none[TRN_ANVIL_BLOCKS / 2];
    const unsigned char *values = section->values ? section->values : none;
    for (uint32_t i = 0; i < TRN_ANVIL_BLOCKS; i += 2) {
        out[i] = (uint32_t)section->numbers[i] << 8 | (values[i / 2] & 15u);
        out[i + 1] = (uint32_t)section->numbers[i + 1] << 8 | values[i / 2] >> 4;
    }
}

/// Whether a section may have blocks of two halves: few have, and looking is fast.
static bool numbers_may_have_halves(const TrnAnvilNumbers *numbers, const TrnAnvilSection *section)
{
    bool may = section->is_tall;
    for (int id = 0; id < TRN_ANVIL_NUMBERS && !may; id++) {
        may = numbers->has_halves[id] && memchr(section->numbers, id, (size_t)TRN_ANVIL_BLOCKS);
    }
    return may;
}

void trn_anvil_numbers_unpack(const TrnAnvilNumbers *numbers, const TrnAnvilSection *section,
                              const TrnAnvilSection *const around[2], TrnAnvilNumber *out)
{
    if (!section->is_tall && !section->more) {
        numbers_unpack_bytes(section, out);
    } else {
        for (uint32_t i = 0; i < TRN_ANVIL_BLOCKS; i++) {
            out[i] = numbers_at(section, i);
        }
    }
    const uint32_t count = numbers_may_have_halves(numbers, section) ? TRN_ANVIL_BLOCKS : 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id = out[i] >> 8;
        if (id < TRN_ANVIL_NUMBERS && numbers->has_halves[id]) {
            out[i] = numbers_join_in(numbers, section, around, i);
        }
    }
}

// ---- states -------------------------------------------------------------------------------------

/// Writes a name with a text at a place of it, instead of some bytes there. Our names are short.
static TrnNbtText numbers_put(char *to, TrnNbtText name, size_t at, const char *text,
                              size_t instead)
{
    const size_t size = strlen(text);
    memcpy(to, name.bytes, at);
    memcpy(to + at, text, size); // NOLINT(bugprone-not-null-terminated-result): more follows
    memcpy(to + at + size, name.bytes + at + instead, name.size - at - instead);
    return (TrnNbtText){to, name.size + size - instead};
}

static void numbers_mod_state(const TrnAnvilNumbers *numbers, uint32_t number, uint32_t value,
                              char *name, TrnAnvilState *state)
{
    const TrnAnvilMod wanted = {number, {"", 0}};
    const TrnAnvilMod *mod = numbers->mods.count
                                 ? bsearch(&wanted, numbers->mods.items, numbers->mods.count,
                                           sizeof wanted, numbers_compare)
                                 : NULL;
    if (mod) {
        state->name = mod->name;
    } else {
        (void)snprintf(name, TRN_ANVIL_NUMBER_NAME_MAX, "minecraft:%u", (unsigned)number);
        state->name = (TrnNbtText){name, strlen(name)};
    }
    if (value) {
        numbers_add(state, "value", NUMBERS_DIGITS[value]);
    }
}

void trn_anvil_numbers_state(const TrnAnvilNumbers *numbers, TrnAnvilNumber number, char *name,
                             TrnAnvilState *state)
{
    static const char *const colours[NUMBERS_VALUES] = {
        "white",      "orange", "magenta", "light_blue", "yellow", "lime",  "pink", "gray",
        "light_gray", "cyan",   "purple",  "blue",       "brown",  "green", "red",  "black"};
    const uint32_t id = number >> 8, value = number & 15u, other = number >> 4 & 15u;
    NumbersLine line;
    *state = (TrnAnvilState){.property_count = 0};
    const bool is_upper_half =
        id < TRN_ANVIL_NUMBERS && numbers->has_halves[id] && (value & NUMBERS_UPPER);
    if (!numbers_find(numbers, id, is_upper_half ? other : value, &line)) {
        numbers_mod_state(numbers, id, value, name, state);
        return;
    }
    const char *colour = memchr(line.name.bytes, '<', line.name.size);
    state->name = line.name;
    if (colour) {
        state->name = numbers_put(name, line.name, (size_t)(colour - line.name.bytes),
                                  colours[value], sizeof NUMBERS_COLOUR - 1);
    } else if (line.kind == NUMBERS_TORCH && value >= 1 && value <= 4) {
        const size_t torch = line.name.size - (sizeof "torch" - 1);
        state->name = numbers_put(name, line.name, torch, "wall_", 0);
    }
    NUMBERS_KINDS[line.kind].tell(value, other, state);
}
