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
    uint32_t usual; ///< the default, which needs no line
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
        if (value != faces->usual) {
            block_write_text(writer, faces->prefix);
            block_write_text(writer, word->word);
            block_write_text(writer, " = ");
            faces->write(writer, value);
            block_write_text(writer, "\n");
        }
    }
}

static void block_write_colours(BlockWriter *writer, const TrnBlockType *type)
{
    BlockFaces faces = {"", block_write_colour, 0xffffff, {0}};
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        const uint8_t *rgb = type->colour[face];
        faces.values[face] = (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
    }
    block_write_faces(writer, &faces);
}

static void block_write_layers(BlockWriter *writer, const TrnBlockType *type)
{
    BlockFaces faces = {"layer.", block_write_number, 0, {0}};
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        faces.values[face] = type->layer[face];
    }
    block_write_faces(writer, &faces);
}

static void block_write_level(BlockWriter *writer, const char *key, uint8_t level)
{
    block_write_text(writer, key);
    block_write_number(writer, level);
    block_write_text(writer, "\n");
}

static void block_write_known(BlockWriter *writer, const TrnBlockType *type)
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
    block_write_colours(writer, type);
    block_write_layers(writer, type);
}

static void block_write_type(BlockWriter *writer, const TrnBlockType *type)
{
    block_write_text(writer, writer->size ? "\n[" : "[");
    block_write_text(writer, type->name);
    block_write_text(writer, "]\n");
    if (type->is_unknown) {
        block_write_text(writer, "unknown = yes\n");
    } else {
        block_write_known(writer, type);
    }
}

size_t trn_block_types_write(const TrnBlockTypes *types, char *text, size_t capacity)
{
    BlockWriter writer = {text, text ? capacity : 0, 0};
    for (uint32_t id = 0; id < types->table.count; id++) {
        block_write_type(&writer, &types->table.types[id]);
    }
    return writer.size;
}
