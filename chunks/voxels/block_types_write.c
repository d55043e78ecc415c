// Writes a registry as a text.

#include "block_types_impl.h"

/// Writes to the caller's buffer. Bytes beyond its capacity are only counted.
typedef struct BlockWriter {
    char *text;
    size_t capacity, size;
} BlockWriter;

static void block_write_bytes(BlockWriter *writer, const char *bytes, size_t count)
{
    if (writer->size < writer->capacity) {
        size_t left = writer->capacity - writer->size;
        memcpy(writer->text + writer->size, bytes, count < left ? count : left);
    }
    writer->size += count;
}

static void block_write_text(BlockWriter *writer, const char *text)
{
    block_write_bytes(writer, text, strlen(text));
}

static void block_write_number(BlockWriter *writer, uint32_t number)
{
    char digits[10];
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    block_write_bytes(writer, digits + first, sizeof digits - first);
}

static void block_write_colour(BlockWriter *writer, uint32_t rgb)
{
    char text[7] = {'#'};
    for (uint32_t i = 0; i < 6; i++) {
        text[1 + i] = "0123456789abcdef"[rgb >> (20 - 4 * i) & 15];
    }
    block_write_bytes(writer, text, sizeof text);
}

/// One property of all faces.
typedef struct BlockFaces {
    const char *prefix; ///< of its keys
    void (*write)(BlockWriter *writer, uint32_t value);
    uint32_t usual[TRN_FACE_COUNT]; ///< the defaults, which need no line
    uint32_t values[TRN_FACE_COUNT];
} BlockFaces;

/// Tells whether all faces of a word have the same value. @param value  receives it
static bool block_write_word_is_even(const BlockFaces *faces, uint32_t word_faces, uint32_t *value)
{
    bool is_first = true;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        if (!(word_faces & 1u << face)) {
            continue;
        }
        if (!is_first && faces->values[face] != *value) {
            return false;
        }
        *value = faces->values[face];
        is_first = false;
    }
    return true;
}

/// Whether all faces of a word have their defaults.
static bool block_write_word_is_usual(const BlockFaces *faces, uint32_t word_faces)
{
    bool is_usual = true;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        is_usual &= !(word_faces & 1u << face) || faces->values[face] == faces->usual[face];
    }
    return is_usual;
}

/// Writes each face once, with the most general word possible.
static void block_write_faces(BlockWriter *writer, const BlockFaces *faces)
{
    uint32_t written = 0;
    for (uint32_t i = 0; i < TRN_BLOCK_FACE_WORDS; i++) {
        const TrnBlockFaceWord *word = &trn_block_face_words[i];
        uint32_t value = 0;
        if ((written & word->faces) || !block_write_word_is_even(faces, word->faces, &value)) {
            continue;
        }
        written |= word->faces;
        if (!block_write_word_is_usual(faces, word->faces)) {
            block_write_text(writer, faces->prefix);
            block_write_text(writer, word->word);
            block_write_text(writer, " = ");
            faces->write(writer, value);
            block_write_text(writer, "\n");
        }
    }
}

static uint32_t block_write_rgb(const uint8_t colour[3])
{
    return (uint32_t)colour[0] << 16 | (uint32_t)colour[1] << 8 | colour[2];
}

static void block_write_paint(BlockWriter *writer, const TrnBlockType *type)
{
    BlockFaces colours = {"", block_write_colour, {0}, {0}};
    BlockFaces layers = {"layer.", block_write_number, {0}, {0}};
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        colours.usual[face] = 0xffffff;
        colours.values[face] = block_write_rgb(type->colour[face]);
        layers.values[face] = type->layer[face];
    }
    block_write_faces(writer, &colours);
    block_write_faces(writer, &layers);
}

/// Writes what differs from the type's faces.
static void block_write_box_paint(BlockWriter *writer, const TrnBlockType *type,
                                  const TrnBlockBox *box)
{
    BlockFaces colours = {"box.", block_write_colour, {0}, {0}};
    BlockFaces layers = {"box.layer.", block_write_number, {0}, {0}};
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        colours.usual[face] = block_write_rgb(type->colour[face]);
        colours.values[face] = block_write_rgb(box->colour[face]);
        layers.usual[face] = type->layer[face];
        layers.values[face] = box->layer[face];
    }
    block_write_faces(writer, &colours);
    block_write_faces(writer, &layers);
}

static void block_write_sides(BlockWriter *writer, const char *key, uint32_t sides)
{
    if (sides == 0) {
        return;
    }
    block_write_text(writer, key);
    // The last six words are single faces.
    for (uint32_t i = TRN_BLOCK_FACE_WORDS - TRN_FACE_COUNT; i < TRN_BLOCK_FACE_WORDS; i++) {
        if (trn_block_face_words[i].faces & sides) {
            block_write_text(writer, " ");
            block_write_text(writer, trn_block_face_words[i].word);
        }
    }
    block_write_text(writer, "\n");
}

static void block_write_box(BlockWriter *writer, const TrnBlockType *type, const TrnBlockBox *box)
{
    block_write_text(writer, "box =");
    for (int i = 0; i < 6; i++) {
        block_write_text(writer, " ");
        block_write_number(writer, i < 3 ? box->min[i] : box->max[i - 3]);
    }
    block_write_text(writer, "\n");
    block_write_sides(writer, "box.connected =", box->connected);
    block_write_sides(writer, "box.unconnected =", box->unconnected);
    block_write_box_paint(writer, type, box);
}

static void block_write_level(BlockWriter *writer, const char *key, uint8_t level)
{
    block_write_text(writer, key);
    block_write_number(writer, level);
    block_write_text(writer, "\n");
}

static void block_write_model(BlockWriter *writer, const TrnBlockType *type, uint32_t count)
{
    const TrnBlockModel *model = type->model;
    if (count > 1) {
        block_write_level(writer, "turns = ", (uint8_t)count);
    }
    if (model->connects) {
        block_write_level(writer, "connects = ", model->connects);
    }
    for (uint32_t i = 0; i < model->box_count; i++) {
        block_write_box(writer, type, &model->boxes[i]);
    }
}

/// @param type   the first of its family
/// @param count  types in the family
static void block_write_known(BlockWriter *writer, const TrnBlockType *type, uint32_t count)
{
    const TrnBlockType by_kind = trn_block_type_def(type->name, type->kind);
    block_write_text(writer, "kind = ");
    block_write_text(writer, trn_block_kinds[type->kind].word);
    block_write_text(writer, "\n");
    if (type->is_solid != by_kind.is_solid) {
        block_write_text(writer, type->is_solid ? "solid = yes\n" : "solid = no\n");
    }
    if (type->is_climbable) {
        block_write_text(writer, "climbable = yes\n");
    }
    if (type->light) {
        block_write_level(writer, "light = ", type->light);
    }
    if (type->dims != by_kind.dims) {
        block_write_level(writer, "dims = ", type->dims);
    }
    if (type->surface != by_kind.surface) {
        block_write_level(writer, "surface = ", type->surface);
    }
    if (type->ticks) {
        block_write_text(writer, "ticks = yes\n");
    }
    if (type->kind == TRN_BLOCK_KIND_LIQUID && count > 1) {
        block_write_text(writer, "flows = yes\n");
    }
    block_write_paint(writer, type);
    if (type->model) {
        block_write_model(writer, type, count);
    }
}

static void block_write_header(BlockWriter *writer, const char *name)
{
    block_write_text(writer, writer->size ? "\n[" : "[");
    block_write_text(writer, name);
    block_write_text(writer, "]\n");
}

/// Counts the types of a family from an id on, if loading their lines there gives all of them their
/// ids: those that do not come before as placeholders get consecutive ids, by variant.
/// @return 0 if it would not
static uint32_t block_write_family_rest(const uint32_t *members, uint32_t count, uint32_t id)
{
    uint32_t rest = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (members[i] >= id && members[i] != id + rest++) {
            return 0;
        }
    }
    return rest;
}

/// Writes the type of an id, and the others of its family that follow it.
/// @return how many types
static uint32_t block_write_types(BlockWriter *writer, const TrnBlockTypeTable *table, uint32_t id)
{
    const TrnBlockType *type = &table->types[id];
    uint32_t members[TRN_BLOCK_VARIANTS_MAX];
    const uint32_t count = trn_block_type_table_family(table, id, members);
    const uint32_t rest = block_write_family_rest(members, count, id);
    if (type->is_unknown || rest == 0) {
        block_write_header(writer, type->name);
        block_write_text(writer, "unknown = yes\n");
        return 1;
    }
    type = &table->types[type->family];
    block_write_header(writer, type->name);
    block_write_known(writer, type, count);
    return rest;
}

size_t trn_block_types_write(const TrnBlockTypes *types, char *text, size_t capacity)
{
    BlockWriter writer = {text, text ? capacity : 0, 0};
    for (uint32_t id = 0; id < types->table.count;) {
        id += block_write_types(&writer, &types->table, id);
    }
    return writer.size;
}
