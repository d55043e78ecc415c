// Reads a text of block types, line by line and each character once, into a copy of the table. The
// copy replaces the registry's table if the whole text is valid. docs/blocks.md describes the
// format.

#include <stdio.h>

#include "block_types_impl.h"

#define BLOCK_LAYER_MAX UINT16_MAX
#define BLOCK_LAYER_PREFIX "layer."
#define BLOCK_BOX_PREFIX "box."

#define FACE_BIT(face) (1u << (face))
#define SIDE_FACES                                                                                 \
    (FACE_BIT(TRN_FACE_NEG_X) | FACE_BIT(TRN_FACE_POS_X) | FACE_BIT(TRN_FACE_NEG_Z) |              \
     FACE_BIT(TRN_FACE_POS_Z))

const TrnBlockFaceWord trn_block_face_words[TRN_BLOCK_FACE_WORDS] = {
    {"all", FACE_BIT(TRN_FACE_COUNT) - 1}, {"side", SIDE_FACES},
    {"top", FACE_BIT(TRN_FACE_POS_Y)},     {"bottom", FACE_BIT(TRN_FACE_NEG_Y)},
    {"neg_x", FACE_BIT(TRN_FACE_NEG_X)},   {"pos_x", FACE_BIT(TRN_FACE_POS_X)},
    {"neg_z", FACE_BIT(TRN_FACE_NEG_Z)},   {"pos_z", FACE_BIT(TRN_FACE_POS_Z)},
};

/// The keys of types.
enum {
    BLOCK_KEY_KIND,
    BLOCK_KEY_SOLID,
    BLOCK_KEY_CLIMBABLE,
    BLOCK_KEY_LIGHT,
    BLOCK_KEY_DIMS,
    BLOCK_KEY_SURFACE,
    BLOCK_KEY_FLOWS,
    BLOCK_KEY_TURNS,
    BLOCK_KEY_CONNECTS,
    BLOCK_KEY_TICKS,
    BLOCK_KEY_UNKNOWN,
    BLOCK_KEY_BOX, ///< begins a box; the only key that repeats
    BLOCK_KEY_COUNT
};

static const char *const block_key_words[BLOCK_KEY_COUNT] = {
    [BLOCK_KEY_KIND] = "kind",           [BLOCK_KEY_SOLID] = "solid",
    [BLOCK_KEY_CLIMBABLE] = "climbable", [BLOCK_KEY_LIGHT] = "light",
    [BLOCK_KEY_DIMS] = "dims",           [BLOCK_KEY_SURFACE] = "surface",
    [BLOCK_KEY_FLOWS] = "flows",         [BLOCK_KEY_TURNS] = "turns",
    [BLOCK_KEY_CONNECTS] = "connects",   [BLOCK_KEY_TICKS] = "ticks",
    [BLOCK_KEY_UNKNOWN] = "unknown",     [BLOCK_KEY_BOX] = "box",
};

/// The keys of colours and layers, of a type or of a box: one for each of trn_block_face_words.
enum {
    BLOCK_PAINT_COLOUR,
    BLOCK_PAINT_LAYER = TRN_BLOCK_FACE_WORDS,
    BLOCK_PAINT_COUNT = 2 * TRN_BLOCK_FACE_WORDS
};

/// The keys of boxes besides paint.
enum { BLOCK_BOX_CONNECTED, BLOCK_BOX_UNCONNECTED, BLOCK_BOX_COUNT };

static const char *const block_box_words[BLOCK_BOX_COUNT] = {"connected", "unconnected"};

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

/// A piece of the text and its position, counted from 1.
typedef struct BlockWord {
    const char *first;
    size_t size;
    size_t line, column;
} BlockWord;

typedef struct BlockPaint {
    uint32_t keys; ///< bit k: key k was set
    uint32_t values[BLOCK_PAINT_COUNT];
} BlockPaint;

/// A box whose lines are being read.
typedef struct BlockBoxDraft {
    BlockWord value;  ///< of its first line
    TrnBlockBox box;  ///< without colours and layers
    uint32_t keys;    ///< bit k: key k was set
    BlockPaint paint; ///< the other faces are the type's
} BlockBoxDraft;

/// The type whose lines are being read.
typedef struct BlockDraft {
    BlockWord name; ///< `first` is NULL before the first type
    uint32_t keys;  ///< bit k: key k was set
    uint32_t values[BLOCK_KEY_COUNT];
    BlockWord words[BLOCK_KEY_COUNT]; ///< the values in the text
    BlockPaint paint;
    uint32_t box_count;
    BlockBoxDraft boxes[TRN_BLOCK_BOXES_MAX];
} BlockDraft;

/// The state of reading a text.
typedef struct BlockLoad {
    const char *at, *line_end; ///< the rest of the line, without its line break
    const char *line_first;
    const char *next, *text_end; ///< the lines that follow
    size_t line;
    BlockDraft draft;
    TrnBlockTypeTable table;
    const TrnAllocator *allocator;
    uint32_t met[TRN_BLOCK_BITS_WORDS]; ///< bit of each id whose type is in this text
    TrnBlockTypesProblem *problem;
} BlockLoad;

// ---- problems -----------------------------------------------------------------------------------

#define QUOTED_BYTES 40u

typedef struct QuotedWord {
    char text[QUOTED_BYTES + 6];
} QuotedWord;

/// Puts a word in quotation marks. Bytes other than printable ASCII become '?', and a long word
/// ends in "...".
static QuotedWord block_word_quote(BlockWord word)
{
    QuotedWord quoted = {"\""};
    size_t size = word.size < QUOTED_BYTES ? word.size : QUOTED_BYTES;
    for (size_t i = 0; i < size; i++) {
        char c = word.first[i];
        quoted.text[1 + i] = '?';
        if (c >= ' ' && c <= '~') {
            quoted.text[1 + i] = c;
        }
    }
    memcpy(&quoted.text[1 + size], size < word.size ? "...\"" : "\"", size < word.size ? 5 : 2);
    return quoted;
}

/// Reports a problem with a word. @param sentence  follows the quoted word
static TrnResult block_load_refuse_word(const BlockLoad *load, TrnResult result, BlockWord word,
                                        const char *sentence)
{
    if (load->problem) {
        load->problem->line = word.line;
        load->problem->column = word.column;
        (void)snprintf(load->problem->sentence, sizeof load->problem->sentence, "%s %s",
                       block_word_quote(word).text, sentence);
    }
    return result;
}

/// Reports a problem at a position of the line.
static TrnResult block_load_refuse_place(const BlockLoad *load, const char *at,
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

static bool block_word_is(BlockWord word, const char *text)
{
    return word.size == strlen(text) && memcmp(word.first, text, word.size) == 0;
}

static void block_load_skip_blanks(BlockLoad *load)
{
    while (load->at < load->line_end && (*load->at == ' ' || *load->at == '\t')) {
        load->at++;
    }
}

/// Reads up to a blank, a comment or `stop`, which stay unread. A # as first character begins a
/// colour, not a comment.
static BlockWord block_load_take_word(BlockLoad *load, char stop)
{
    BlockWord word = {
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
static bool block_load_is_line_over(BlockLoad *load)
{
    block_load_skip_blanks(load);
    return load->at == load->line_end || *load->at == '#';
}

// ---- values -------------------------------------------------------------------------------------

/// Reads a number of at most five digits. @return false if it is no number, or above `max`
static bool block_word_number(BlockWord word, uint32_t max, uint32_t *number)
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
static bool block_word_colour(BlockWord word, uint32_t *colour)
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
static bool block_word_choice(BlockWord word, const char *const *choices, uint32_t count,
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

static bool block_word_kind(BlockWord word, uint32_t *kind)
{
    for (uint32_t i = 0; i < TRN_BLOCK_KIND_COUNT; i++) {
        if (block_word_is(word, trn_block_kinds[i].word)) {
            *kind = i;
            return true;
        }
    }
    return false;
}

static bool block_word_answer(BlockWord word, uint32_t *answer)
{
    static const char *const answers[] = {"no", "yes"};
    return block_word_choice(word, answers, 2, answer);
}

/// Reads a number from 1. @return NULL, or `problem`
static const char *block_word_from_one(BlockWord word, uint32_t max, uint32_t *value,
                                       const char *problem)
{
    return block_word_number(word, max, value) && *value > 0 ? NULL : problem;
}

/// Reads the value of a type's key other than BOX. @return NULL, or the problem with the word
static const char *block_key_read_value(uint32_t key, BlockWord word, uint32_t *value)
{
    switch (key) {
    case BLOCK_KEY_KIND:
        return block_word_kind(word, value) ? NULL : BLOCK_KIND_PROBLEM;
    case BLOCK_KEY_LIGHT:
    case BLOCK_KEY_DIMS:
        return block_word_number(word, TRN_BLOCK_LIGHT_MAX, value)
                   ? NULL
                   : "is not a light level; write a number from 0 to 15.";
    case BLOCK_KEY_SURFACE:
        return block_word_from_one(word, TRN_BLOCK_GRID, value,
                                   "is not a height; write a number of sixteenths from 1 to 16.");
    case BLOCK_KEY_CONNECTS:
        return block_word_from_one(word, UINT8_MAX, value,
                                   "is not a group; write a number from 1 to 255, the same for "
                                   "all models that connect.");
    case BLOCK_KEY_TURNS:
        return block_word_number(word, 8, value) && (*value == 4 || *value == 8)
                   ? NULL
                   : "is not a number of turns; write 4, or 8 for upside down too.";
    default:
        return block_word_answer(word, value) ? NULL : "is not an answer; write yes or no.";
    }
}

static const char *block_paint_read_value(uint32_t key, BlockWord word, uint32_t *value)
{
    if (key >= BLOCK_PAINT_LAYER) {
        return block_word_number(word, BLOCK_LAYER_MAX, value)
                   ? NULL
                   : "is not a texture layer; write a number from 0 to 65535.";
    }
    return block_word_colour(word, value) ? NULL
                                          : "is not a colour; write #rrggbb, six hexadecimal "
                                            "digits such as #60923e.";
}

/// Finds the faces of a word such as "side". @return 0 if it is not such a word
static uint32_t block_word_faces(BlockWord word)
{
    for (uint32_t i = 0; i < TRN_BLOCK_FACE_WORDS; i++) {
        if (block_word_is(word, trn_block_face_words[i].word)) {
            return trn_block_face_words[i].faces;
        }
    }
    return 0;
}

/// Reads the faces of a box's key, up to the end of the line.
static TrnResult block_load_faces(BlockLoad *load, uint8_t *faces)
{
    do {
        const BlockWord word = block_load_take_word(load, '\0');
        const uint32_t found = block_word_faces(word);
        if (!found) {
            return block_load_refuse_word(
                load, TRN_RESULT_CORRUPT, word,
                "is not a side; write all, side, top, bottom, neg_x, pos_x, neg_z or pos_z.");
        }
        *faces |= (uint8_t)found;
    } while (!block_load_is_line_over(load));
    return TRN_RESULT_OK;
}

/// Reads the six numbers of a box.
static TrnResult block_load_box(BlockLoad *load)
{
    BlockDraft *draft = &load->draft;
    BlockBoxDraft *box = &draft->boxes[draft->box_count];
    *box = (BlockBoxDraft){.value = {.first = load->at,
                                     .line = load->line,
                                     .column = (size_t)(load->at - load->line_first) + 1}};
    for (int i = 0; i < 6; i++) {
        block_load_skip_blanks(load);
        const BlockWord word = block_load_take_word(load, '\0');
        uint32_t value;
        if (!block_word_number(word, TRN_BLOCK_GRID, &value)) {
            return block_load_refuse_word(
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
static bool block_word_strip(BlockWord *word, const char *prefix)
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
static BlockKey block_key_find(BlockWord word)
{
    BlockKey found = {BLOCK_SCOPE_NONE, 0};
    const bool of_box = block_word_strip(&word, BLOCK_BOX_PREFIX);
    if (of_box ? block_word_choice(word, block_box_words, BLOCK_BOX_COUNT, &found.key)
               : block_word_choice(word, block_key_words, BLOCK_KEY_COUNT, &found.key)) {
        found.scope = of_box ? BLOCK_SCOPE_BOX : BLOCK_SCOPE_TYPE;
        return found;
    }
    const uint32_t first =
        block_word_strip(&word, BLOCK_LAYER_PREFIX) ? BLOCK_PAINT_LAYER : BLOCK_PAINT_COLOUR;
    for (uint32_t i = 0; i < TRN_BLOCK_FACE_WORDS; i++) {
        if (block_word_is(word, trn_block_face_words[i].word)) {
            found.scope = of_box ? BLOCK_SCOPE_BOX_PAINT : BLOCK_SCOPE_TYPE_PAINT;
            found.key = first + i;
        }
    }
    return found;
}

/// The box that a line belongs to: the last one. Checked to exist before.
static BlockBoxDraft *block_draft_box(BlockDraft *draft)
{
    return &draft->boxes[draft->box_count - 1];
}

/// The bits of the keys of a scope that were set.
static uint32_t *block_draft_keys(BlockDraft *draft, BlockKeyScope scope)
{
    return scope == BLOCK_SCOPE_TYPE         ? &draft->keys
           : scope == BLOCK_SCOPE_TYPE_PAINT ? &draft->paint.keys
           : scope == BLOCK_SCOPE_BOX        ? &block_draft_box(draft)->keys
                                             : &block_draft_box(draft)->paint.keys;
}

/// Checks whether a key is allowed here.
static TrnResult block_key_check(BlockLoad *load, BlockWord word, BlockKey key)
{
    const bool is_box = key.scope == BLOCK_SCOPE_TYPE && key.key == BLOCK_KEY_BOX;
    const char *wrong = NULL;
    if (!load->draft.name.first) {
        wrong = "comes before any type; start one with a line like [game:lamp].";
    } else if (key.scope == BLOCK_SCOPE_NONE) {
        wrong = "is not a key; keys are kind, solid, climbable, light, dims, surface, flows, "
                "turns, connects, ticks, unknown, box, and all, side, top, bottom, neg_x, pos_x, "
                "neg_z or pos_z; docs/blocks.md lists all.";
    } else if (key.scope >= BLOCK_SCOPE_BOX && load->draft.box_count == 0) {
        wrong = "comes before any box; write a line such as box = 0 0 0 16 8 16 above it.";
    } else if (is_box && load->draft.box_count == TRN_BLOCK_BOXES_MAX) {
        wrong = "is one too many; a model has at most 8 boxes.";
    } else if (!is_box && (*block_draft_keys(&load->draft, key.scope) & 1u << key.key)) {
        wrong = key.scope >= BLOCK_SCOPE_BOX ? "is set twice for this box; keep one of the lines."
                                             : "is set twice for this type; keep one of the lines.";
    }
    return wrong ? block_load_refuse_word(load, TRN_RESULT_CORRUPT, word, wrong) : TRN_RESULT_OK;
}

/// Reads the value of a key that has one word.
static TrnResult block_load_value(BlockLoad *load, BlockKey key)
{
    BlockDraft *draft = &load->draft;
    const BlockWord value = block_load_take_word(load, '\0');
    const char *wrong;
    if (key.scope == BLOCK_SCOPE_TYPE) {
        draft->words[key.key] = value;
        wrong = block_key_read_value(key.key, value, &draft->values[key.key]);
    } else {
        BlockPaint *paint =
            key.scope == BLOCK_SCOPE_TYPE_PAINT ? &draft->paint : &block_draft_box(draft)->paint;
        wrong = block_paint_read_value(key.key, value, &paint->values[key.key]);
    }
    return wrong ? block_load_refuse_word(load, TRN_RESULT_CORRUPT, value, wrong) : TRN_RESULT_OK;
}

/// Reads "key = value".
static TrnResult block_load_entry(BlockLoad *load)
{
    BlockDraft *draft = &load->draft;
    const BlockWord name = block_load_take_word(load, '=');
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
    if (key.scope == BLOCK_SCOPE_TYPE && key.key == BLOCK_KEY_BOX) {
        result = block_load_box(load);
    } else if (key.scope == BLOCK_SCOPE_BOX) {
        TrnBlockBox *box = &block_draft_box(draft)->box;
        result = block_load_faces(load, key.key == BLOCK_BOX_CONNECTED ? &box->connected
                                                                       : &box->unconnected);
    } else {
        result = block_load_value(load, key);
    }
    if (result == TRN_RESULT_OK) {
        *block_draft_keys(draft, key.scope) |= 1u << key.key;
    }
    return result;
}

// ---- types --------------------------------------------------------------------------------------

static bool block_draft_has(const BlockDraft *draft, uint32_t key)
{
    return draft->keys & 1u << key;
}

static void block_paint_face(const BlockPaint *paint, uint32_t word, uint8_t colour[3],
                             uint16_t *layer)
{
    const uint32_t rgb = paint->values[BLOCK_PAINT_COLOUR + word];
    if (paint->keys & 1u << (BLOCK_PAINT_COLOUR + word)) {
        colour[0] = (uint8_t)(rgb >> 16);
        colour[1] = (uint8_t)(rgb >> 8 & 255);
        colour[2] = (uint8_t)(rgb & 255);
    }
    if (paint->keys & 1u << (BLOCK_PAINT_LAYER + word)) {
        *layer = (uint16_t)paint->values[BLOCK_PAINT_LAYER + word];
    }
}

/// Paints the faces whose keys were set.
static void block_paint_faces(const BlockPaint *paint, uint8_t colour[TRN_FACE_COUNT][3],
                              uint16_t layer[TRN_FACE_COUNT])
{
    for (uint32_t word = 0; word < TRN_BLOCK_FACE_WORDS && paint->keys; word++) {
        for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
            if (trn_block_face_words[word].faces & FACE_BIT(face)) {
                block_paint_face(paint, word, colour[face], &layer[face]);
            }
        }
    }
}

/// @param type  painted
static TrnBlockModel block_draft_model(const BlockDraft *draft, const TrnBlockType *type)
{
    TrnBlockModel model = {.box_count = draft->box_count,
                           .connects = (uint8_t)draft->values[BLOCK_KEY_CONNECTS]};
    for (uint32_t i = 0; i < draft->box_count; i++) {
        TrnBlockBox *box = &model.boxes[i];
        *box = draft->boxes[i].box;
        memcpy(box->colour, type->colour, sizeof box->colour);
        memcpy(box->layer, type->layer, sizeof box->layer);
        block_paint_faces(&draft->boxes[i].paint, box->colour, box->layer);
    }
    return model;
}

/// The type without its model.
static TrnBlockType block_draft_type(const BlockDraft *draft, const char *name)
{
    if (block_draft_has(draft, BLOCK_KEY_UNKNOWN) && draft->values[BLOCK_KEY_UNKNOWN]) {
        return trn_block_type_placeholder(name);
    }
    TrnBlockType type = trn_block_type_def(name, (TrnBlockKind)draft->values[BLOCK_KEY_KIND]);
    if (block_draft_has(draft, BLOCK_KEY_SOLID)) {
        type.is_solid = draft->values[BLOCK_KEY_SOLID];
    }
    type.is_climbable = draft->values[BLOCK_KEY_CLIMBABLE];
    type.light = (uint8_t)draft->values[BLOCK_KEY_LIGHT];
    if (block_draft_has(draft, BLOCK_KEY_DIMS)) {
        type.dims = (uint8_t)draft->values[BLOCK_KEY_DIMS];
    }
    if (block_draft_has(draft, BLOCK_KEY_SURFACE)) {
        type.surface = (uint8_t)draft->values[BLOCK_KEY_SURFACE];
    }
    type.ticks = draft->values[BLOCK_KEY_TICKS];
    block_paint_faces(&draft->paint, type.colour, type.layer);
    return type;
}

static bool block_draft_types_are_same(const TrnBlockType *a, const TrnBlockType *b)
{
    return a->kind == b->kind && a->is_solid == b->is_solid && a->is_climbable == b->is_climbable &&
           a->is_unknown == b->is_unknown && a->light == b->light && a->dims == b->dims &&
           a->surface == b->surface && a->ticks == b->ticks && a->variant == b->variant &&
           trn_block_model_is_same(a->model, b->model) &&
           memcmp(a->colour, b->colour, sizeof a->colour) == 0 &&
           memcmp(a->layer, b->layer, sizeof a->layer) == 0;
}

/// Whether the table has exactly this family, or a type in place of a placeholder.
static bool block_draft_is_known(const TrnBlockTypeTable *table, const TrnBlockFamily *family)
{
    uint32_t members[TRN_BLOCK_VARIANTS_MAX];
    const TrnBlockType *first = &family->types[0];
    const uint32_t id =
        trn_block_type_table_find(table, first->name, trn_block_name_size(first->name));
    if (id == TRN_BLOCK_NONE || first->is_unknown) {
        return id != TRN_BLOCK_NONE;
    }
    bool is_known = trn_block_type_table_family(table, id, members) == family->count;
    for (uint32_t i = 0; i < family->count && is_known; i++) {
        is_known = block_draft_types_are_same(&table->types[members[i]], &family->types[i]);
    }
    return is_known;
}

/// Adds the types of a family that is new to this text. Errors: EXISTS, FULL, NO_MEMORY.
static TrnResult block_draft_put(BlockLoad *load, const TrnBlockFamily *family)
{
    uint32_t first;
    TrnResult result = TRN_RESULT_OK;
    if (!block_draft_is_known(&load->table, family)) {
        result = trn_block_type_table_put(&load->table, load->allocator, family, &first);
    }
    // The text may repeat a placeholder, to give a type its place in the order of ids.
    const bool is_met = result == TRN_RESULT_OK && !family->types[0].is_unknown;
    for (uint32_t i = 0; i < family->count && is_met; i++) {
        const uint32_t id = trn_block_type_table_find(&load->table, family->names[i],
                                                      trn_block_name_size(family->names[i]));
        load->met[id / 32] |= 1u << (id % 32);
    }
    return result;
}

static bool block_draft_is_repeated(const BlockLoad *load)
{
    const BlockWord name = load->draft.name;
    uint32_t id = trn_block_type_table_find(&load->table, name.first, name.size);
    return id != TRN_BLOCK_NONE && (load->met[id / 32] & 1u << (id % 32));
}

static TrnResult block_draft_refuse_name(const BlockLoad *load, const char *sentence)
{
    return block_load_refuse_word(load, TRN_RESULT_CORRUPT, load->draft.name, sentence);
}

/// Checks that a key which belongs to one kind was set for that kind only.
static TrnResult block_draft_check_key(const BlockLoad *load, uint32_t key, TrnBlockKind kind,
                                       const char *sentence)
{
    const BlockDraft *draft = &load->draft;
    const bool is_wrong =
        block_draft_has(draft, key) && draft->values[BLOCK_KEY_KIND] != (uint32_t)kind;
    return is_wrong
               ? block_load_refuse_word(
                     load, TRN_RESULT_CORRUPT,
                     key == BLOCK_KEY_BOX ? draft->boxes[0].value : draft->words[key], sentence)
               : TRN_RESULT_OK;
}

static TrnResult block_draft_check_keys(const BlockLoad *load)
{
    static const struct {
        uint32_t key;
        TrnBlockKind kind;
        const char *sentence;
    } rules[] = {
        {BLOCK_KEY_SURFACE, TRN_BLOCK_KIND_LIQUID, "is for kind = liquid; remove this surface."},
        {BLOCK_KEY_FLOWS, TRN_BLOCK_KIND_LIQUID, "is for kind = liquid; remove this flows."},
        {BLOCK_KEY_TURNS, TRN_BLOCK_KIND_MODEL, "is for kind = model; remove this turns."},
        {BLOCK_KEY_CONNECTS, TRN_BLOCK_KIND_MODEL, "is for kind = model; remove this connects."},
        {BLOCK_KEY_BOX, TRN_BLOCK_KIND_MODEL, "is for kind = model; remove this box."},
    };
    TrnResult result = TRN_RESULT_OK;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && result == TRN_RESULT_OK; i++) {
        result = block_draft_check_key(load, rules[i].key, rules[i].kind, rules[i].sentence);
    }
    return result;
}

static bool block_draft_is_unknown(const BlockDraft *draft)
{
    return block_draft_has(draft, BLOCK_KEY_UNKNOWN) && draft->values[BLOCK_KEY_UNKNOWN];
}

/// How many types the lines define.
static uint32_t block_draft_family_count(const BlockDraft *draft)
{
    return block_draft_has(draft, BLOCK_KEY_TURNS) ? draft->values[BLOCK_KEY_TURNS]
           : draft->values[BLOCK_KEY_FLOWS]        ? TRN_BLOCK_VARIANTS_MAX
                                                   : 1;
}

/// Checks a type after its last line.
static TrnResult block_draft_check(const BlockLoad *load)
{
    const BlockDraft *draft = &load->draft;
    if (block_draft_is_unknown(draft) &&
        (draft->keys != 1u << BLOCK_KEY_UNKNOWN || draft->paint.keys)) {
        return block_draft_refuse_name(load, "is unknown but has other lines; remove unknown = "
                                             "yes, or the other lines.");
    }
    if (block_draft_is_unknown(draft)) {
        return TRN_RESULT_OK;
    }
    if (!block_draft_has(draft, BLOCK_KEY_KIND)) {
        return block_draft_refuse_name(load, "has no kind; add a line such as kind = opaque.");
    }
    if (draft->values[BLOCK_KEY_KIND] == TRN_BLOCK_KIND_MODEL && draft->box_count == 0) {
        return block_draft_refuse_name(
            load, "is a model without boxes; add a line such as box = 0 0 0 16 8 16.");
    }
    if (block_draft_family_count(draft) > 1 && draft->name.size > TRN_BLOCK_FAMILY_NAME_MAX) {
        return block_draft_refuse_name(
            load, "is too long for a family, whose names end in /1, /2 and so on; write at most "
                  "61 characters.");
    }
    return block_draft_check_keys(load);
}

/// Reports why a type could not be added, at its name.
static TrnResult block_draft_refuse(const BlockLoad *load, TrnResult result)
{
    const char *sentence = "cannot be added: out of memory.";
    if (result == TRN_RESULT_EXISTS) {
        sentence = "already exists with other properties, and types never change; choose "
                   "another name.";
    } else if (result == TRN_RESULT_FULL) {
        sentence = "is one type too many; a world has at most 65536 types.";
    }
    return block_load_refuse_word(load, result, load->draft.name, sentence);
}

/// Adds the type whose lines have been read, if there is one.
static TrnResult block_draft_finish(BlockLoad *load)
{
    if (!load->draft.name.first) {
        return TRN_RESULT_OK;
    }
    TrnResult result = block_draft_check(load);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    char name[TRN_BLOCK_NAME_BYTES] = {0};
    memcpy(name, load->draft.name.first, load->draft.name.size);
    TrnBlockType type = block_draft_type(&load->draft, name);
    const TrnBlockModel model = block_draft_model(&load->draft, &type);
    uint32_t box;
    const char *wrong = trn_block_model_problem(&model, &box);
    if (wrong) {
        return block_load_refuse_word(load, TRN_RESULT_CORRUPT, load->draft.boxes[box].value,
                                      wrong);
    }
    type.model = model.box_count ? &model : NULL;
    TrnBlockFamily family;
    trn_block_family_make(&family, &type, block_draft_family_count(&load->draft));
    result = block_draft_put(load, &family);
    return result == TRN_RESULT_OK ? result : block_draft_refuse(load, result);
}

/// Reads "[namespace:name]".
static TrnResult block_load_header(BlockLoad *load)
{
    TrnResult result = block_draft_finish(load);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    load->at++; // skips the bracket
    const BlockWord name = block_load_take_word(load, ']');
    if (!trn_block_name_is_valid(name.first, name.size)) {
        return block_load_refuse_word(
            load, TRN_RESULT_CORRUPT, name,
            "is not a name; write namespace:name with a-z, 0-9, _, ., / and "
            "- alone, 63 characters at most.");
    }
    load->draft = (BlockDraft){.name = name};
    if (block_draft_is_repeated(load)) {
        return block_load_refuse_word(load, TRN_RESULT_CORRUPT, name,
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

static TrnResult block_load_line(BlockLoad *load)
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
static bool block_load_next_line(BlockLoad *load, TrnResult *result)
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

static TrnResult block_load_lines(BlockLoad *load)
{
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK && block_load_next_line(load, &result)) {
        if (result == TRN_RESULT_OK) {
            result = block_load_line(load);
        }
    }
    return result == TRN_RESULT_OK ? block_draft_finish(load) : result;
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
    BlockLoad load = {.allocator = &types->allocator, .problem = problem};
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
