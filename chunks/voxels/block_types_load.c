// Reads a text of block types, line by line and each character once, into a copy of the table. The
// copy replaces the registry's table if the whole text is valid. docs/blocks.md describes the
// format.

#include <stdio.h>

#include "block_types_impl.h"

#define BLOCK_LAYER_MAX UINT16_MAX
#define BLOCK_LAYER_PREFIX "layer."

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

/// The keys of lines. Colours and layers have one key for each of trn_block_face_words.
enum {
    BLOCK_KEY_KIND,
    BLOCK_KEY_SOLID,
    BLOCK_KEY_CLIMBABLE,
    BLOCK_KEY_LIGHT,
    BLOCK_KEY_DIMS,
    BLOCK_KEY_UNKNOWN,
    BLOCK_KEY_COLOUR,
    BLOCK_KEY_LAYER = BLOCK_KEY_COLOUR + TRN_BLOCK_FACE_WORDS,
    BLOCK_KEY_COUNT = BLOCK_KEY_LAYER + TRN_BLOCK_FACE_WORDS
};

static const char *const block_key_words[BLOCK_KEY_COLOUR] = {
    [BLOCK_KEY_KIND] = "kind",   [BLOCK_KEY_SOLID] = "solid", [BLOCK_KEY_CLIMBABLE] = "climbable",
    [BLOCK_KEY_LIGHT] = "light", [BLOCK_KEY_DIMS] = "dims",   [BLOCK_KEY_UNKNOWN] = "unknown",
};

/// A piece of the text and its position, counted from 1.
typedef struct BlockWord {
    const char *first;
    size_t size;
    size_t line, column;
} BlockWord;

/// The type whose lines are being read.
typedef struct BlockDraft {
    BlockWord name; ///< `first` is NULL before the first type
    uint32_t keys;  ///< bit k: key k was set
    uint32_t values[BLOCK_KEY_COUNT];
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
#define BLOCK_KIND_PROBLEM "is not a kind; write air, opaque, liquid, transparent or plant."

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

/// Reads the value of a key. @return NULL, or the problem with the word
static const char *block_key_read_value(uint32_t key, BlockWord word, uint32_t *value)
{
    if (key >= BLOCK_KEY_LAYER) {
        return block_word_number(word, BLOCK_LAYER_MAX, value)
                   ? NULL
                   : "is not a texture layer; write a number from 0 to 65535.";
    }
    if (key >= BLOCK_KEY_COLOUR) {
        return block_word_colour(word, value) ? NULL
                                              : "is not a colour; write #rrggbb, six hexadecimal "
                                                "digits such as #60923e.";
    }
    if (key == BLOCK_KEY_KIND) {
        return block_word_kind(word, value) ? NULL : BLOCK_KIND_PROBLEM;
    }
    if (key == BLOCK_KEY_LIGHT || key == BLOCK_KEY_DIMS) {
        return block_word_number(word, TRN_BLOCK_LIGHT_MAX, value)
                   ? NULL
                   : "is not a light level; write a number from 0 to 15.";
    }
    return block_word_answer(word, value) ? NULL : "is not an answer; write yes or no.";
}

// ---- keys ---------------------------------------------------------------------------------------

/// Finds the key that a word means. @return BLOCK_KEY_COUNT for an unknown word
static uint32_t block_key_find(BlockWord word)
{
    uint32_t key;
    if (block_word_choice(word, block_key_words, BLOCK_KEY_COLOUR, &key)) {
        return key;
    }
    const size_t prefix = sizeof BLOCK_LAYER_PREFIX - 1;
    uint32_t first = BLOCK_KEY_COLOUR;
    if (word.size > prefix && memcmp(word.first, BLOCK_LAYER_PREFIX, prefix) == 0) {
        first = BLOCK_KEY_LAYER;
        word.first += prefix;
        word.size -= prefix;
    }
    for (uint32_t i = 0; i < TRN_BLOCK_FACE_WORDS; i++) {
        if (block_word_is(word, trn_block_face_words[i].word)) {
            return first + i;
        }
    }
    return BLOCK_KEY_COUNT;
}

/// Checks whether a key is allowed here.
static TrnResult block_key_check(const BlockLoad *load, BlockWord word, uint32_t key)
{
    if (!load->draft.name.first) {
        return block_load_refuse_word(
            load, TRN_RESULT_CORRUPT, word,
            "comes before any type; start one with a line like [game:lamp].");
    }
    if (key == BLOCK_KEY_COUNT) {
        return block_load_refuse_word(
            load, TRN_RESULT_CORRUPT, word,
            "is not a key; keys are kind, solid, climbable, light, dims, unknown, and all, "
            "side, top, bottom, neg_x, pos_x, neg_z or pos_z for colours, "
            "with layer. before them for textures.");
    }
    if (load->draft.keys & 1u << key) {
        return block_load_refuse_word(load, TRN_RESULT_CORRUPT, word,
                                      "is set twice for this type; keep one of the lines.");
    }
    return TRN_RESULT_OK;
}

/// Reads "key = value".
static TrnResult block_load_entry(BlockLoad *load)
{
    const BlockWord name = block_load_take_word(load, '=');
    const uint32_t key = block_key_find(name);
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
    const BlockWord value = block_load_take_word(load, '\0');
    const char *wrong = block_key_read_value(key, value, &load->draft.values[key]);
    if (wrong) {
        return block_load_refuse_word(load, TRN_RESULT_CORRUPT, value, wrong);
    }
    load->draft.keys |= 1u << key;
    return TRN_RESULT_OK;
}

// ---- types --------------------------------------------------------------------------------------

static bool block_draft_has(const BlockDraft *draft, uint32_t key)
{
    return draft->keys & 1u << key;
}

static void block_draft_paint_face(TrnBlockType *type, uint32_t face, const BlockDraft *draft,
                                   uint32_t word)
{
    const uint32_t rgb = draft->values[BLOCK_KEY_COLOUR + word];
    if (block_draft_has(draft, BLOCK_KEY_COLOUR + word)) {
        type->colour[face][0] = (uint8_t)(rgb >> 16);
        type->colour[face][1] = (uint8_t)(rgb >> 8 & 255);
        type->colour[face][2] = (uint8_t)(rgb & 255);
    }
    if (block_draft_has(draft, BLOCK_KEY_LAYER + word)) {
        type->layer[face] = (uint16_t)draft->values[BLOCK_KEY_LAYER + word];
    }
}

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
    for (uint32_t word = 0; word < TRN_BLOCK_FACE_WORDS; word++) {
        for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
            if (trn_block_face_words[word].faces & FACE_BIT(face)) {
                block_draft_paint_face(&type, face, draft, word);
            }
        }
    }
    return type;
}

static bool block_draft_types_are_same(const TrnBlockType *a, const TrnBlockType *b)
{
    return a->kind == b->kind && a->is_solid == b->is_solid && a->is_climbable == b->is_climbable &&
           a->is_unknown == b->is_unknown && a->light == b->light && a->dims == b->dims &&
           memcmp(a->colour, b->colour, sizeof a->colour) == 0 &&
           memcmp(a->layer, b->layer, sizeof a->layer) == 0;
}

/// Adds a type whose name is new to this text. Errors: EXISTS, FULL, NO_MEMORY.
static TrnResult block_draft_put(BlockLoad *load, const TrnBlockType *type)
{
    uint32_t id = trn_block_type_table_find(&load->table, type->name, load->draft.name.size);
    const TrnBlockType *known = id == TRN_BLOCK_NONE ? NULL : &load->table.types[id];
    TrnResult result = TRN_RESULT_OK;
    // A placeholder in the text agrees with a type that the registry knows.
    bool agrees = known && (type->is_unknown || block_draft_types_are_same(known, type));
    if (!agrees) {
        result = trn_block_type_table_put(&load->table, load->allocator, type, &id);
    }
    if (result == TRN_RESULT_OK) {
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

/// Checks a type after its last line.
static TrnResult block_draft_check(const BlockLoad *load)
{
    const BlockDraft *draft = &load->draft;
    bool is_unknown = block_draft_has(draft, BLOCK_KEY_UNKNOWN) && draft->values[BLOCK_KEY_UNKNOWN];
    if (is_unknown && draft->keys != 1u << BLOCK_KEY_UNKNOWN) {
        return block_load_refuse_word(
            load, TRN_RESULT_CORRUPT, draft->name,
            "is unknown but has other lines; remove unknown = yes, or the "
            "other lines.");
    }
    if (!is_unknown && !block_draft_has(draft, BLOCK_KEY_KIND)) {
        return block_load_refuse_word(load, TRN_RESULT_CORRUPT, draft->name,
                                      "has no kind; add a line such as kind = opaque.");
    }
    return TRN_RESULT_OK;
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
    const TrnBlockType type = block_draft_type(&load->draft, name);
    result = block_draft_put(load, &type);
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
