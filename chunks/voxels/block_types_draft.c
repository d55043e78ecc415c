// Makes a type of what its lines said: paint, boxes, family; checks it, and adds it to the table.
// See block_types_draft.h.

#include "block_types_draft.h"

#include <stdio.h>

// ---- problems -----------------------------------------------------------------------------------

#define QUOTED_BYTES 40u

typedef struct QuotedWord {
    char text[QUOTED_BYTES + 6];
} QuotedWord;

/// Puts a word in quotation marks. Bytes other than printable ASCII become '?', and a long word
/// ends in "...".
static QuotedWord block_word_quote(TrnBlockWord word)
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

TrnResult trn_block_word_refuse(const TrnBlockLoad *load, TrnResult result, TrnBlockWord word,
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

// ---- types --------------------------------------------------------------------------------------

static bool block_draft_has(const TrnBlockDraft *draft, uint32_t key)
{
    return draft->keys & 1u << key;
}

static void block_paint_face(const TrnBlockPaint *paint, uint32_t word, uint8_t colour[3],
                             uint16_t *layer)
{
    const uint32_t rgb = paint->values[TRN_BLOCK_PAINT_COLOUR + word];
    if (paint->keys & 1u << (TRN_BLOCK_PAINT_COLOUR + word)) {
        colour[0] = (uint8_t)(rgb >> 16);
        colour[1] = (uint8_t)(rgb >> 8 & 255);
        colour[2] = (uint8_t)(rgb & 255);
    }
    if (paint->keys & 1u << (TRN_BLOCK_PAINT_LAYER + word)) {
        *layer = (uint16_t)paint->values[TRN_BLOCK_PAINT_LAYER + word];
    }
}

/// Paints the faces whose keys were set.
static void block_paint_faces(const TrnBlockPaint *paint, uint8_t colour[TRN_FACE_COUNT][3],
                              uint16_t layer[TRN_FACE_COUNT])
{
    for (uint32_t word = 0; word < TRN_BLOCK_FACE_WORDS && paint->keys; word++) {
        for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
            if (trn_block_face_words[word].faces & TRN_BLOCK_FACE_BIT(face)) {
                block_paint_face(paint, word, colour[face], &layer[face]);
            }
        }
    }
}

/// @param type  painted
static TrnBlockModel block_draft_model(const TrnBlockDraft *draft, const TrnBlockType *type)
{
    TrnBlockModel model = {.box_count = draft->box_count,
                           .connects = (uint8_t)draft->values[TRN_BLOCK_KEY_CONNECTS]};
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
static TrnBlockType block_draft_type(const TrnBlockDraft *draft, const char *name)
{
    if (block_draft_has(draft, TRN_BLOCK_KEY_UNKNOWN) && draft->values[TRN_BLOCK_KEY_UNKNOWN]) {
        return trn_block_type_placeholder(name);
    }
    TrnBlockType type = trn_block_type_def(name, (TrnBlockKind)draft->values[TRN_BLOCK_KEY_KIND]);
    if (block_draft_has(draft, TRN_BLOCK_KEY_SOLID)) {
        type.is_solid = draft->values[TRN_BLOCK_KEY_SOLID];
    }
    type.is_climbable = draft->values[TRN_BLOCK_KEY_CLIMBABLE];
    type.light = (uint8_t)draft->values[TRN_BLOCK_KEY_LIGHT];
    if (block_draft_has(draft, TRN_BLOCK_KEY_DIMS)) {
        type.dims = (uint8_t)draft->values[TRN_BLOCK_KEY_DIMS];
    }
    if (block_draft_has(draft, TRN_BLOCK_KEY_SURFACE)) {
        type.surface = (uint8_t)draft->values[TRN_BLOCK_KEY_SURFACE];
    }
    type.ticks = draft->values[TRN_BLOCK_KEY_TICKS];
    type.liquid = (TrnBlock)draft->values[TRN_BLOCK_KEY_LIQUID];
    block_paint_faces(&draft->paint, type.colour, type.layer);
    return type;
}

static bool block_draft_types_are_same(const TrnBlockType *a, const TrnBlockType *b)
{
    return a->kind == b->kind && a->is_solid == b->is_solid && a->is_climbable == b->is_climbable &&
           a->is_unknown == b->is_unknown && a->light == b->light && a->dims == b->dims &&
           a->surface == b->surface && a->ticks == b->ticks && a->variant == b->variant &&
           a->liquid == b->liquid && trn_block_model_is_same(a->model, b->model) &&
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
static TrnResult block_draft_put(TrnBlockLoad *load, const TrnBlockFamily *family)
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

bool trn_block_draft_is_repeated(const TrnBlockLoad *load)
{
    const TrnBlockWord name = load->draft.name;
    uint32_t id = trn_block_type_table_find(&load->table, name.first, name.size);
    return id != TRN_BLOCK_NONE && (load->met[id / 32] & 1u << (id % 32));
}

static TrnResult block_draft_refuse_name(const TrnBlockLoad *load, const char *sentence)
{
    return trn_block_word_refuse(load, TRN_RESULT_CORRUPT, load->draft.name, sentence);
}

/// Checks that a key which belongs to one kind was set for that kind only.
static TrnResult block_draft_check_key(const TrnBlockLoad *load, uint32_t key, TrnBlockKind kind,
                                       const char *sentence)
{
    const TrnBlockDraft *draft = &load->draft;
    const bool is_wrong =
        block_draft_has(draft, key) && draft->values[TRN_BLOCK_KEY_KIND] != (uint32_t)kind;
    return is_wrong
               ? trn_block_word_refuse(
                     load, TRN_RESULT_CORRUPT,
                     key == TRN_BLOCK_KEY_BOX ? draft->boxes[0].value : draft->words[key], sentence)
               : TRN_RESULT_OK;
}

static TrnResult block_draft_check_keys(const TrnBlockLoad *load)
{
    static const struct {
        uint32_t key;
        TrnBlockKind kind;
        const char *sentence;
    } rules[] = {
        {TRN_BLOCK_KEY_SURFACE, TRN_BLOCK_KIND_LIQUID,
         "is for kind = liquid; remove this surface."},
        {TRN_BLOCK_KEY_FLOWS, TRN_BLOCK_KIND_LIQUID, "is for kind = liquid; remove this flows."},
        {TRN_BLOCK_KEY_TURNS, TRN_BLOCK_KIND_MODEL, "is for kind = model; remove this turns."},
        {TRN_BLOCK_KEY_CONNECTS, TRN_BLOCK_KIND_MODEL,
         "is for kind = model; remove this connects."},
        {TRN_BLOCK_KEY_BOX, TRN_BLOCK_KIND_MODEL, "is for kind = model; remove this box."},
        {TRN_BLOCK_KEY_LIQUID, TRN_BLOCK_KIND_PLANT, "is for kind = plant; remove this liquid."},
    };
    TrnResult result = TRN_RESULT_OK;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && result == TRN_RESULT_OK; i++) {
        result = block_draft_check_key(load, rules[i].key, rules[i].kind, rules[i].sentence);
    }
    return result;
}

static bool block_draft_is_unknown(const TrnBlockDraft *draft)
{
    return block_draft_has(draft, TRN_BLOCK_KEY_UNKNOWN) && draft->values[TRN_BLOCK_KEY_UNKNOWN];
}

/// How many types the lines define.
static uint32_t block_draft_family_count(const TrnBlockDraft *draft)
{
    return block_draft_has(draft, TRN_BLOCK_KEY_TURNS) ? draft->values[TRN_BLOCK_KEY_TURNS]
           : draft->values[TRN_BLOCK_KEY_FLOWS]        ? TRN_BLOCK_VARIANTS_MAX
                                                       : 1;
}

/// Checks a type after its last line.
static TrnResult block_draft_check(const TrnBlockLoad *load)
{
    const TrnBlockDraft *draft = &load->draft;
    if (block_draft_is_unknown(draft) &&
        (draft->keys != 1u << TRN_BLOCK_KEY_UNKNOWN || draft->paint.keys)) {
        return block_draft_refuse_name(load, "is unknown but has other lines; remove unknown = "
                                             "yes, or the other lines.");
    }
    if (block_draft_is_unknown(draft)) {
        return TRN_RESULT_OK;
    }
    if (!block_draft_has(draft, TRN_BLOCK_KEY_KIND)) {
        return block_draft_refuse_name(load, "has no kind; add a line such as kind = opaque.");
    }
    if (draft->values[TRN_BLOCK_KEY_KIND] == TRN_BLOCK_KIND_MODEL && draft->box_count == 0) {
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
static TrnResult block_draft_refuse(const TrnBlockLoad *load, TrnResult result)
{
    const char *sentence = "cannot be added: out of memory.";
    if (result == TRN_RESULT_EXISTS) {
        sentence = "already exists with other properties, and types never change; choose "
                   "another name.";
    } else if (result == TRN_RESULT_FULL) {
        sentence = "is one type too many; a world has at most 65536 types.";
    }
    return trn_block_word_refuse(load, result, load->draft.name, sentence);
}

TrnResult trn_block_draft_finish(TrnBlockLoad *load)
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
        return trn_block_word_refuse(load, TRN_RESULT_CORRUPT, load->draft.boxes[box].value, wrong);
    }
    type.model = model.box_count ? &model : NULL;
    TrnBlockFamily family;
    trn_block_family_make(&family, &type, block_draft_family_count(&load->draft));
    result = block_draft_put(load, &family);
    return result == TRN_RESULT_OK ? result : block_draft_refuse(load, result);
}
