#include "block_types_impl.h"

/// Text on its way to the caller's buffer; what does not fit is counted alone.
typedef struct BlockWriter {
    char *text;
    size_t capacity, size;
} BlockWriter;

static void write_block_bytes(BlockWriter *writer, const char *bytes, size_t count)
{
    if (writer->size < writer->capacity) {
        size_t room = writer->capacity - writer->size;
        memcpy(writer->text + writer->size, bytes, count < room ? count : room);
    }
    writer->size += count;
}

static void write_block_text(BlockWriter *writer, const char *text)
{
    write_block_bytes(writer, text, strlen(text));
}

static void write_block_number(BlockWriter *writer, uint32_t number)
{
    char digits[10];
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    write_block_bytes(writer, digits + first, sizeof digits - first);
}

static void write_block_colour(BlockWriter *writer, uint32_t rgb)
{
    char text[7] = {'#'};
    for (uint32_t i = 0; i < 6; i++) {
        text[1 + i] = "0123456789abcdef"[rgb >> (20 - 4 * i) & 15];
    }
    write_block_bytes(writer, text, sizeof text);
}

/// What a line about a face says, for each face.
typedef struct BlockFaces {
    const char *prefix; ///< of the key
    void (*write)(BlockWriter *writer, uint32_t value);
    uint32_t usual; ///< goes without saying
    uint32_t values[TRN_FACE_COUNT];
} BlockFaces;

/// Whether all faces of a word have one value; `value` receives it.
static bool is_block_face_word_even(const BlockFaces *faces, uint32_t word_faces, uint32_t *value)
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

/// Says each face once, with as general a word as will do.
static void write_block_faces(BlockWriter *writer, const BlockFaces *faces)
{
    uint32_t told = 0;
    for (uint32_t i = 0; i < TRN_BLOCK_FACE_WORDS; i++) {
        const TrnBlockFaceWord *word = &trn_block_face_words[i];
        uint32_t value = 0;
        if ((told & word->faces) || !is_block_face_word_even(faces, word->faces, &value)) {
            continue;
        }
        told |= word->faces;
        if (value != faces->usual) {
            write_block_text(writer, faces->prefix);
            write_block_text(writer, word->word);
            write_block_text(writer, " = ");
            faces->write(writer, value);
            write_block_text(writer, "\n");
        }
    }
}

static void write_block_colours(BlockWriter *writer, const TrnBlockType *type)
{
    BlockFaces faces = {"", write_block_colour, 0xffffff, {0}};
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        const uint8_t *rgb = type->colour[face];
        faces.values[face] = (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
    }
    write_block_faces(writer, &faces);
}

static void write_block_layers(BlockWriter *writer, const TrnBlockType *type)
{
    BlockFaces faces = {"layer.", write_block_number, 0, {0}};
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        faces.values[face] = type->layer[face];
    }
    write_block_faces(writer, &faces);
}

static void write_known_block(BlockWriter *writer, const TrnBlockType *type)
{
    write_block_text(writer, "kind = ");
    write_block_text(writer, trn_block_kind_words[type->kind]);
    write_block_text(writer, "\n");
    if (type->is_solid != trn_block_type_def(type->name, type->kind).is_solid) {
        write_block_text(writer, type->is_solid ? "solid = yes\n" : "solid = no\n");
    }
    if (type->is_climbable) {
        write_block_text(writer, "climbable = yes\n");
    }
    if (type->light) {
        write_block_text(writer, "light = ");
        write_block_number(writer, type->light);
        write_block_text(writer, "\n");
    }
    write_block_colours(writer, type);
    write_block_layers(writer, type);
}

static void write_block_type(BlockWriter *writer, const TrnBlockType *type)
{
    write_block_text(writer, writer->size ? "\n[" : "[");
    write_block_text(writer, type->name);
    write_block_text(writer, "]\n");
    if (type->is_unknown) {
        write_block_text(writer, "unknown = yes\n");
    } else {
        write_known_block(writer, type);
    }
}

size_t trn_block_types_write(const TrnBlockTypes *types, char *text, size_t capacity)
{
    BlockWriter writer = {text, text ? capacity : 0, 0};
    for (uint32_t id = 0; id < types->table.count; id++) {
        write_block_type(&writer, &types->table.types[id]);
    }
    return writer.size;
}
