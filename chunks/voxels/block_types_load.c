// Reads a text of block types, line by line and each character once, into a copy of the table. The
// copy replaces the registry's table if the whole text is valid. docs/blocks.md describes the
// format.

#include "block_types_draft.h"

#include <stdio.h>

#include "block_types_impl.h"

#define BLOCK_LAYER_MAX UINT16_MAX
#define BLOCK_LAYER_PREFIX "layer."
#define BLOCK_BOX_PREFIX "box."

#define SIDE_FACES                                                                                 \
    (TRN_BLOCK_FACE_BIT(TRN_FACE_NEG_X) | TRN_BLOCK_FACE_BIT(TRN_FACE_POS_X) |                     \
     TRN_BLOCK_FACE_BIT(TRN_FACE_NEG_Z) | TRN_BLOCK_FACE_BIT(TRN_FACE_POS_Z))

const TrnBlockFaceWord trn_block_face_words[TRN_BLOCK_FACE_WORDS] = {
    {"all", TRN_BLOCK_FACE_BIT(TRN_FACE_COUNT) - 1}, {"side", SIDE_FACES},
    {"top", TRN_BLOCK_FACE_BIT(TRN_FACE_POS_Y)},     {"bottom", TRN_BLOCK_FACE_BIT(TRN_FACE_NEG_Y)},
    {"neg_x", TRN_BLOCK_FACE_BIT(TRN_FACE_NEG_X)},   {"pos_x", TRN_BLOCK_FACE_BIT(TRN_FACE_POS_X)},
    {"neg_z", TRN_BLOCK_FACE_BIT(TRN_FACE_NEG_Z)},   {"pos_z", TRN_BLOCK_FACE_BIT(TRN_FACE_POS_Z)},
};

static const char *const block_key_words[TRN_BLOCK_KEY_COUNT] = {
    [TRN_BLOCK_KEY_KIND] = "kind",           [TRN_BLOCK_KEY_SOLID] = "solid",
    [TRN_BLOCK_KEY_CLIMBABLE] = "climbable", [TRN_BLOCK_KEY_LIGHT] = "light",
    [TRN_BLOCK_KEY_DIMS] = "dims",           [TRN_BLOCK_KEY_SURFACE] = "surface",
    [TRN_BLOCK_KEY_FLOWS] = "flows",         [TRN_BLOCK_KEY_TURNS] = "turns",
    [TRN_BLOCK_KEY_CONNECTS] = "connects",   [TRN_BLOCK_KEY_TICKS] = "ticks",
    [TRN_BLOCK_KEY_UNKNOWN] = "unknown",     [TRN_BLOCK_KEY_BOX] = "box",
    [TRN_BLOCK_KEY_LIQUID] = "liquid",
};

static const char *const block_box_words[TRN_BLOCK_BOX_COUNT] = {"connected", "unconnected"};

typedef enum BlockKeyScope {
    BLOCK_SCOPE_NONE, ///< not a key
    BLOCK_SCOPE_TYPE,
    BLOCK_SCOPE_TYPE_PAINT,
    BLOCK_SCOPE_BOX,
    BLOCK_SCOPE_BOX_PAINT
} BlockKeyScope;

typedef struct BlockKey {
    BlockKeyScope scope;
    uint32_t key; ///< of the scope's enum
} BlockKey;

// ---- problems -----------------------------------------------------------------------------------

/// Reports a problem at a position of the line.
static TrnResult block_load_refuse_place(const TrnBlockLoad *load, const char *at,
                                         const char *sentence)
{
    if (load->problem) {
        load->problem->line = load->line;
        load->problem->column = (size_t)(at - load->line_first) + 1;
        (void)snprintf(load->problem->sentence, sizeof load->problem->sentence, "%s", sentence);
    }
    return TRN_RESULT_CORRUPT;
}

/// Reports a problem that has no position in the text.
static TrnResult block_load_refuse_text(TrnBlockTypesProblem *problem, TrnResult result)
{
    if (problem) {
        problem->line = problem->column = 0;
        (void)snprintf(problem->sentence, sizeof problem->sentence, "%s", trn_result_text(result));
    }
    return result;
}

// ---- words --------------------------------------------------------------------------------------

static bool block_word_is(TrnBlockWord word, const char *text)
{
    return word.size == strlen(text) && memcmp(word.first, text, word.size) == 0;
}

static void block_load_skip_blanks(TrnBlockLoad *load)
{
    while (load->at < load->line_end && (*load->at == ' ' || *load->at == '\t')) {
        load->at++;
    }
}

/// Reads up to a blank, a comment or `stop`, which stay unread. A # as first character begins a
/// colour, not a comment.
static TrnBlockWord block_load_take_word(TrnBlockLoad *load, char stop)
{
    TrnBlockWord word = {
        .first = load->at, .line = load->line, .column = (size_t)(load->at - load->line_first) + 1};
    for (; load->at < load->line_end; load->at++) {
        const char c = *load->at;
        if (c == ' ' || c == '\t' || c == stop || (c == '#' && load->at > word.first)) {
            break;
        }
    }
    word.size = (size_t)(load->at - word.first);
    return word;
}

/// Tells whether only blanks and a comment follow on the line.
static bool block_load_is_line_over(TrnBlockLoad *load)
{
    block_load_skip_blanks(load);
    return load->at == load->line_end || *load->at == '#';
}

// ---- values -------------------------------------------------------------------------------------

/// Reads a number of at most five digits. @return false if it is no number, or above `max`
static bool block_word_number(TrnBlockWord word, uint32_t max, uint32_t *number)
{
    uint32_t value = 0;
    if (word.size == 0 || word.size > 5) {
        return false;
    }
    for (size_t i = 0; i < word.size; i++) {
        if (word.first[i] < '0' || word.first[i] > '9') {
            return false;
        }
        value = value * 10 + (uint32_t)(word.first[i] - '0');
    }
    *number = value;
    return value <= max;
}

/// Returns the value of a hexadecimal digit, or -1.
static int block_word_hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Reads "#rrggbb" as 0xrrggbb.
static bool block_word_colour(TrnBlockWord word, uint32_t *colour)
{
    uint32_t value = 0;
    if (word.size != 7 || word.first[0] != '#') {
        return false;
    }
    for (size_t i = 1; i < word.size; i++) {
        int digit = block_word_hex_digit(word.first[i]);
        if (digit < 0) {
            return false;
        }
        value = value << 4 | (uint32_t)digit;
    }
    *colour = value;
    return true;
}

/// Finds a word in a list. @return false if it is not in the list
static bool block_word_choice(TrnBlockWord word, const char *const *choices, uint32_t count,
                              uint32_t *choice)
{
    for (uint32_t i = 0; i < count; i++) {
        if (block_word_is(word, choices[i])) {
            *choice = i;
            return true;
        }
    }
    return false;
}

/// The kinds of trn_block_kinds.
#define BLOCK_KIND_PROBLEM                                                                         \
    "is not a kind; write air, opaque, liquid, transparent, plant, cutout or model."

static bool block_word_kind(TrnBlockWord word, uint32_t *kind)
{
    for (uint32_t i = 0; i < TRN_BLOCK_KIND_COUNT; i++) {
        if (block_word_is(word, trn_block_kinds[i].word)) {
            *kind = i;
            return true;
        }
    }
    return false;
}

static bool block_word_answer(TrnBlockWord word, uint32_t *answer)
{
    static const char *const answers[] = {"no", "yes"};
    return block_word_choice(word, answers, 2, answer);
}

/// Reads a number from 1. @return NULL, or `problem`
static const char *block_word_from_one(TrnBlockWord word, uint32_t max, uint32_t *value,
                                       const char *problem)
{
    return block_word_number(word, max, value) && *value > 0 ? NULL : problem;
}

/// Reads the value of a type's key other than BOX. @return NULL, or the problem with the word
static const char *block_key_read_value(const TrnBlockTypeTable *table, uint32_t key,
                                        TrnBlockWord word, uint32_t *value)
{
    switch (key) {
    case TRN_BLOCK_KEY_LIQUID:
        *value = trn_block_type_table_find(table, word.first, word.size);
        return trn_block_type_table_is_liquid(table, *value)
                   ? NULL
                   : "is not the name of a liquid; write one such as terrane:water, which must "
                     "come before this type.";
    case TRN_BLOCK_KEY_KIND:
        return block_word_kind(word, value) ? NULL : BLOCK_KIND_PROBLEM;
    case TRN_BLOCK_KEY_LIGHT:
    case TRN_BLOCK_KEY_DIMS:
        return block_word_number(word, TRN_BLOCK_LIGHT_MAX, value)
                   ? NULL
                   : "is not a light level; write a number from 0 to 15.";
    case TRN_BLOCK_KEY_SURFACE:
        return block_word_from_one(word, TRN_BLOCK_GRID, value,
                                   "is not a height; write a number of sixteenths from 1 to 16.");
    case TRN_BLOCK_KEY_CONNECTS:
        return block_word_from_one(word, UINT8_MAX, value,
                                   "is not a group; write a number from 1 to 255, the same for "
                                   "all models that connect.");
    case TRN_BLOCK_KEY_TURNS:
        return block_word_number(word, 8, value) && (*value == 4 || *value == 8)
                   ? NULL
                   : "is not a number of turns; write 4, or 8 for upside down too.";
    default:
        return block_word_answer(word, value) ? NULL : "is not an answer; write yes or no.";
    }
}

static const char *block_paint_read_value(uint32_t key, TrnBlockWord word, uint32_t *value)
{
    if (key >= TRN_BLOCK_PAINT_LAYER) {
        return block_word_number(word, BLOCK_LAYER_MAX, value)
                   ? NULL
                   : "is not a texture layer; write a number from 0 to 65535.";
    }
    return block_word_colour(word, value) ? NULL
                                          : "is not a colour; write #rrggbb, six hexadecimal "
                                            "digits such as #60923e.";
}

/// Finds the faces of a word such as "side". @return 0 if it is not such a word
static uint32_t block_word_faces(TrnBlockWord word)
{
    for (uint32_t i = 0; i < TRN_BLOCK_FACE_WORDS; i++) {
        if (block_word_is(word, trn_block_face_words[i].word)) {
            return trn_block_face_words[i].faces;
        }
    }
    return 0;
}

/// Reads the faces of a box's key, up to the end of the line.
static TrnResult block_load_faces(TrnBlockLoad *load, uint8_t *faces)
{
    do {
        const TrnBlockWord word = block_load_take_word(load, '\0');
        const uint32_t found = block_word_faces(word);
        if (!found) {
            return trn_block_word_refuse(
                load, TRN_RESULT_CORRUPT, word,
                "is not a side; write all, side, top, bottom, neg_x, pos_x, neg_z or pos_z.");
        }
        *faces |= (uint8_t)found;
    } while (!block_load_is_line_over(load));
    return TRN_RESULT_OK;
}

/// Reads the six numbers of a box.
static TrnResult block_load_box(TrnBlockLoad *load)
{
    TrnBlockDraft *draft = &load->draft;
    TrnBlockBoxDraft *box = &draft->boxes[draft->box_count];
    *box = (TrnBlockBoxDraft){.value = {.first = load->at,
                                        .line = load->line,
                                        .column = (size_t)(load->at - load->line_first) + 1}};
    for (int i = 0; i < 6; i++) {
        block_load_skip_blanks(load);
        const TrnBlockWord word = block_load_take_word(load, '\0');
        uint32_t value;
        if (!block_word_number(word, TRN_BLOCK_GRID, &value)) {
            return trn_block_word_refuse(
                load, TRN_RESULT_CORRUPT, word,
                "is not a corner; write x y z of the lowest and of the highest corner, each a "
                "number of sixteenths from 0 to 16.");
        }
        uint8_t *corner = i < 3 ? box->box.min : box->box.max;
        corner[i % 3] = (uint8_t)value;
    }
    box->value.size = (size_t)(load->at - box->value.first);
    draft->box_count++;
    return TRN_RESULT_OK;
}

// ---- keys ---------------------------------------------------------------------------------------

/// Removes a prefix from a word. @return false if the word does not begin with it
static bool block_word_strip(TrnBlockWord *word, const char *prefix)
{
    const size_t size = strlen(prefix);
    if (word->size < size || memcmp(word->first, prefix, size) != 0) {
        return false;
    }
    word->first += size;
    word->size -= size;
    return true;
}

/// Finds the key that a word means.
static BlockKey block_key_find(TrnBlockWord word)
{
    BlockKey found = {BLOCK_SCOPE_NONE, 0};
    const bool of_box = block_word_strip(&word, BLOCK_BOX_PREFIX);
    if (of_box ? block_word_choice(word, block_box_words, TRN_BLOCK_BOX_COUNT, &found.key)
               : block_word_choice(word, block_key_words, TRN_BLOCK_KEY_COUNT, &found.key)) {
        found.scope = of_box ? BLOCK_SCOPE_BOX : BLOCK_SCOPE_TYPE;
        return found;
    }
    const uint32_t first = block_word_strip(&word, BLOCK_LAYER_PREFIX) ? TRN_BLOCK_PAINT_LAYER
                                                                       : TRN_BLOCK_PAINT_COLOUR;
    for (uint32_t i = 0; i < TRN_BLOCK_FACE_WORDS; i++) {
        if (block_word_is(word, trn_block_face_words[i].word)) {
            found.scope = of_box ? BLOCK_SCOPE_BOX_PAINT : BLOCK_SCOPE_TYPE_PAINT;
            found.key = first + i;
        }
    }
    return found;
}

/// The box that a line belongs to: the last one. Checked to exist before.
static TrnBlockBoxDraft *block_draft_box(TrnBlockDraft *draft)
{
    return &draft->boxes[draft->box_count - 1];
}

/// The bits of the keys of a scope that were set.
static uint32_t *block_draft_keys(TrnBlockDraft *draft, BlockKeyScope scope)
{
    return scope == BLOCK_SCOPE_TYPE         ? &draft->keys
           : scope == BLOCK_SCOPE_TYPE_PAINT ? &draft->paint.keys
           : scope == BLOCK_SCOPE_BOX        ? &block_draft_box(draft)->keys
                                             : &block_draft_box(draft)->paint.keys;
}

/// Checks whether a key is allowed here.
static TrnResult block_key_check(TrnBlockLoad *load, TrnBlockWord word, BlockKey key)
{
    const bool is_box = key.scope == BLOCK_SCOPE_TYPE && key.key == TRN_BLOCK_KEY_BOX;
    const char *wrong = NULL;
    if (!load->draft.name.first) {
        wrong = "comes before any type; start one with a line like [game:lamp].";
    } else if (key.scope == BLOCK_SCOPE_NONE) {
        wrong = "is not a key; keys are kind, solid, climbable, light, dims, surface, flows, "
                "turns, connects, ticks, liquid, unknown, box, and all, side, top, bottom, neg_x, "
                "pos_x, "
                "neg_z or pos_z; docs/blocks.md lists all.";
    } else if (key.scope >= BLOCK_SCOPE_BOX && load->draft.box_count == 0) {
        wrong = "comes before any box; write a line such as box = 0 0 0 16 8 16 above it.";
    } else if (is_box && load->draft.box_count == TRN_BLOCK_BOXES_MAX) {
        wrong = "is one too many; a model has at most 8 boxes.";
    } else if (!is_box && (*block_draft_keys(&load->draft, key.scope) & 1u << key.key)) {
        wrong = key.scope >= BLOCK_SCOPE_BOX ? "is set twice for this box; keep one of the lines."
                                             : "is set twice for this type; keep one of the lines.";
    }
    return wrong ? trn_block_word_refuse(load, TRN_RESULT_CORRUPT, word, wrong) : TRN_RESULT_OK;
}

/// Reads the value of a key that has one word.
static TrnResult block_load_value(TrnBlockLoad *load, BlockKey key)
{
    TrnBlockDraft *draft = &load->draft;
    const TrnBlockWord value = block_load_take_word(load, '\0');
    const char *wrong;
    if (key.scope == BLOCK_SCOPE_TYPE) {
        draft->words[key.key] = value;
        wrong = block_key_read_value(&load->table, key.key, value, &draft->values[key.key]);
    } else {
        TrnBlockPaint *paint =
            key.scope == BLOCK_SCOPE_TYPE_PAINT ? &draft->paint : &block_draft_box(draft)->paint;
        wrong = block_paint_read_value(key.key, value, &paint->values[key.key]);
    }
    return wrong ? trn_block_word_refuse(load, TRN_RESULT_CORRUPT, value, wrong) : TRN_RESULT_OK;
}

/// Reads "key = value".
static TrnResult block_load_entry(TrnBlockLoad *load)
{
    TrnBlockDraft *draft = &load->draft;
    const TrnBlockWord name = block_load_take_word(load, '=');
    const BlockKey key = block_key_find(name);
    TrnResult result = block_key_check(load, name, key);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    block_load_skip_blanks(load);
    if (load->at == load->line_end || *load->at != '=') {
        return block_load_refuse_place(load, load->at,
                                       "Here \"=\" is missing; a line says key = value.");
    }
    load->at++;
    block_load_skip_blanks(load);
    if (key.scope == BLOCK_SCOPE_TYPE && key.key == TRN_BLOCK_KEY_BOX) {
        result = block_load_box(load);
    } else if (key.scope == BLOCK_SCOPE_BOX) {
        TrnBlockBox *box = &block_draft_box(draft)->box;
        result = block_load_faces(load, key.key == TRN_BLOCK_BOX_CONNECTED ? &box->connected
                                                                           : &box->unconnected);
    } else {
        result = block_load_value(load, key);
    }
    if (result == TRN_RESULT_OK) {
        *block_draft_keys(draft, key.scope) |= 1u << key.key;
    }
    return result;
}

// ---- headers ------------------------------------------------------------------------------------

/// Reads "[namespace:name]".
static TrnResult block_load_header(TrnBlockLoad *load)
{
    TrnResult result = trn_block_draft_finish(load);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    load->at++; // skips the bracket
    const TrnBlockWord name = block_load_take_word(load, ']');
    if (!trn_block_name_is_valid(name.first, name.size)) {
        return trn_block_word_refuse(
            load, TRN_RESULT_CORRUPT, name,
            "is not a name; write namespace:name with a-z, 0-9, _, ., / and "
            "- alone, 63 characters at most.");
    }
    load->draft = (TrnBlockDraft){.name = name};
    if (trn_block_draft_is_repeated(load)) {
        return trn_block_word_refuse(load, TRN_RESULT_CORRUPT, name,
                                     "occurs twice in this text; keep one of the two.");
    }
    if (load->at == load->line_end || *load->at != ']') {
        return block_load_refuse_place(load, load->at,
                                       "Here \"]\" is missing; a type starts like [game:lamp].");
    }
    load->at++;
    return TRN_RESULT_OK;
}

// ---- lines --------------------------------------------------------------------------------------

static TrnResult block_load_line(TrnBlockLoad *load)
{
    if (block_load_is_line_over(load)) {
        return TRN_RESULT_OK;
    }
    TrnResult result = *load->at == '[' ? block_load_header(load) : block_load_entry(load);
    if (result == TRN_RESULT_OK && !block_load_is_line_over(load)) {
        return block_load_refuse_place(
            load, load->at,
            "The line should end here; what follows needs a line of its own, or # "
            "before it.");
    }
    return result;
}

/// Moves to the next line. @param result  receives CORRUPT if the line has a zero byte or no end
/// @return false after the last line
static bool block_load_next_line(TrnBlockLoad *load, TrnResult *result)
{
    if (load->next == load->text_end) {
        return false;
    }
    const size_t left = (size_t)(load->text_end - load->next);
    const char *end = memchr(load->next, '\n', left);
    load->line++;
    load->at = load->line_first = load->next;
    load->line_end = end ? end : load->text_end;
    load->next = end ? end + 1 : load->text_end;
    const char *zero = memchr(load->at, '\0', (size_t)(load->line_end - load->at));
    if (zero) {
        *result = block_load_refuse_place(load, zero, "Here is a zero byte; this is not a text.");
    } else if (!end) {
        // Half of a number is still a number: only the line break proves that it is complete.
        *result = block_load_refuse_place(load, load->line_end,
                                          "The last line has no line break; add one if the text is "
                                          "complete.");
    } else if (end > load->at && end[-1] == '\r') {
        load->line_end--;
    }
    return true;
}

static TrnResult block_load_lines(TrnBlockLoad *load)
{
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK && block_load_next_line(load, &result)) {
        if (result == TRN_RESULT_OK) {
            result = block_load_line(load);
        }
    }
    return result == TRN_RESULT_OK ? trn_block_draft_finish(load) : result;
}

/// Returns the bytes of a UTF-8 byte order mark, which editors on Windows write.
static size_t block_load_skip_mark(const char *text, size_t size)
{
    return size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

TrnResult trn_block_types_load(TrnBlockTypes *types, const char *text, size_t size,
                               TrnBlockTypesProblem *problem)
{
    if (!types || (!text && size)) {
        return block_load_refuse_text(problem, TRN_RESULT_BAD_ARGUMENT);
    }
    TrnBlockLoad load = {.allocator = &types->allocator, .problem = problem};
    TrnResult result = trn_block_type_table_copy(&types->table, load.allocator, &load.table);
    if (result != TRN_RESULT_OK) {
        return block_load_refuse_text(problem, result);
    }
    if (size) {
        load.next = text + block_load_skip_mark(text, size);
        load.text_end = text + size;
    }
    result = block_load_lines(&load);
    if (result == TRN_RESULT_OK) {
        trn_block_types_replace(types, load.table);
    } else {
        trn_block_type_table_free(&load.table, load.allocator);
    }
    return result;
}

// ---- built-in types -----------------------------------------------------------------------------

TrnResult trn_block_types_create_builtin(const TrnAllocator *allocator, TrnBlockTypes **types)
{
    if (!types) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnBlockTypes *made;
    TrnResult result = trn_block_types_create(allocator, &made);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result =
        trn_block_types_load(made, trn_asset_terrane_blocks, trn_asset_terrane_blocks_bytes, NULL);
    if (result != TRN_RESULT_OK) {
        TRN_ASSERT(result == TRN_RESULT_NO_MEMORY); // the library's own text is valid
        trn_block_types_destroy(made);
        return result;
    }
    TRN_ASSERT(made->table.count == TRN_BLOCK_BUILTIN_COUNT);
    *types = made;
    return TRN_RESULT_OK;
}
