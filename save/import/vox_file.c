// MagicaVoxel files: their pieces (models, nodes, palette).
//
// A file is "VOX ", a version and one piece MAIN. A piece is an id of 4 bytes, the size of its
// content, the size of the pieces inside, and both. Numbers are little-endian. Those that are
// read: SIZE and XYZI (a model), RGBA (the palette), nTRN, nGRP and nSHP (nodes of the scene:
// moved and turned, a group, a model), LAYR (hidden layers). A file without nodes has its first
// model alone, its lowest corner at the origin.

#include "vox_file.h"

#include <string.h>

#include "base/memory.h"
#include "base/number.h"

/// A text in the file, without a zero at the end.
typedef struct VoxText {
    const char *bytes;
    size_t size;
} VoxText;

// ---- bytes --------------------------------------------------------------------------------------

static const unsigned char *vox_take(TrnVoxBytes *bytes, size_t size)
{
    const unsigned char *from = bytes->at;
    if (bytes->is_broken || (size_t)(bytes->end - from) < size) {
        bytes->is_broken = true;
        bytes->at = bytes->end;
        return NULL;
    }
    bytes->at += size;
    return from;
}

int32_t trn_vox_integer(TrnVoxBytes *bytes)
{
    const unsigned char *from = vox_take(bytes, 4);
    return from ? (int32_t)(uint32_t)trn_number_read(from, 4) : 0;
}

static VoxText vox_text(TrnVoxBytes *bytes)
{
    const size_t size = (uint32_t)trn_vox_integer(bytes);
    const unsigned char *from = vox_take(bytes, size);
    return from ? (VoxText){(const char *)from, size} : (VoxText){"", 0};
}

static bool vox_text_is(VoxText text, const char *string)
{
    return text.size == strlen(string) && memcmp(text.bytes, string, text.size) == 0;
}

/// Reads a decimal number from the front of a text, after spaces. @return false if there is none
static bool vox_decimal(VoxText *text, int32_t *number)
{
    size_t i = 0;
    while (i < text->size && text->bytes[i] == ' ') {
        i++;
    }
    const bool is_negative = i < text->size && text->bytes[i] == '-';
    i += is_negative;
    const size_t first = i;
    int64_t value = 0;
    for (; i < text->size && text->bytes[i] >= '0' && text->bytes[i] <= '9'; i++) {
        value = value * 10 + (text->bytes[i] - '0');
        if (value > INT32_MAX) {
            return false;
        }
    }
    *number = (int32_t)(is_negative ? -value : value);
    const bool has_digits = i > first;
    *text = (VoxText){text->bytes + i, text->size - i};
    return has_digits;
}

/// A list of keys and values.
typedef struct VoxPairs {
    TrnVoxBytes *bytes;
    uint32_t left;
} VoxPairs;

static VoxPairs vox_pairs(TrnVoxBytes *bytes)
{
    VoxPairs pairs = {bytes, 0};
    pairs.left = (uint32_t)trn_vox_integer(bytes); // each takes 8 bytes at least
    return pairs;
}

static bool vox_next_pair(VoxPairs *pairs, VoxText *key, VoxText *value)
{
    if (pairs->left == 0 || pairs->bytes->is_broken) {
        return false;
    }
    pairs->left--;
    *key = vox_text(pairs->bytes);
    *value = vox_text(pairs->bytes);
    return !pairs->bytes->is_broken;
}

/// Reads a list in which only "_hidden" matters.
static bool vox_read_hidden(TrnVoxBytes *bytes)
{
    VoxPairs pairs = vox_pairs(bytes);
    VoxText key, value;
    bool is_hidden = false;
    while (vox_next_pair(&pairs, &key, &value)) {
        is_hidden = vox_text_is(key, "_hidden") ? vox_text_is(value, "1") : is_hidden;
    }
    return is_hidden;
}

// ---- nodes --------------------------------------------------------------------------------------

/// Reads a rotation: the columns of the non-zero entries of the first two rows of its matrix, in
/// two bits each, then the signs of the three rows. @return false if it is none
static bool vox_read_rotation(VoxText text, TrnVoxTransform *transform)
{
    int32_t bits = 0;
    if (!vox_decimal(&text, &bits) || bits < 0 || bits > 127) {
        return false;
    }
    const uint8_t first = bits & 3, second = bits >> 2 & 3;
    if (first > 2 || second > 2 || first == second) {
        return false;
    }
    transform->axis[0] = first;
    transform->axis[1] = second;
    transform->axis[2] = (uint8_t)(3 - first - second);
    for (int i = 0; i < 3; i++) {
        transform->sign[i] = bits >> (4 + i) & 1 ? -1 : 1;
    }
    return true;
}

static bool vox_read_move(VoxText text, TrnVoxTransform *transform)
{
    for (int i = 0; i < 3; i++) {
        int32_t number;
        if (!vox_decimal(&text, &number)) {
            return false;
        }
        transform->move[i] = number;
    }
    return true;
}

/// Reads a frame of a transform. @return false if it is damaged
static bool vox_read_frame(TrnVoxBytes *bytes, TrnVoxTransform *transform)
{
    VoxPairs pairs = vox_pairs(bytes);
    VoxText key, value;
    bool is_good = true;
    while (vox_next_pair(&pairs, &key, &value)) {
        if (vox_text_is(key, "_r")) {
            is_good = vox_read_rotation(value, transform) && is_good;
        } else if (vox_text_is(key, "_t")) {
            is_good = vox_read_move(value, transform) && is_good;
        }
    }
    return is_good && !bytes->is_broken;
}

static bool vox_read_transform(TrnVoxFile *file, TrnVoxBytes *bytes, TrnVoxNode *node)
{
    node->kind = TRN_VOX_TRANSFORM;
    node->transform = (TrnVoxTransform){{0, 1, 2}, {1, 1, 1}, {0, 0, 0}};
    node->is_hidden = vox_read_hidden(bytes);
    node->child = trn_vox_integer(bytes);
    (void)trn_vox_integer(bytes); // reserved
    node->layer = trn_vox_integer(bytes);
    const int32_t frames = trn_vox_integer(bytes);
    file->frame_count += frames > 1 ? (uint32_t)frames - 1 : 0;
    return frames < 1 || vox_read_frame(bytes, &node->transform);
}

static bool vox_read_group(TrnVoxFile *file, TrnVoxBytes *bytes, TrnVoxNode *node)
{
    node->kind = TRN_VOX_GROUP;
    node->is_hidden = vox_read_hidden(bytes);
    const size_t count = (uint32_t)trn_vox_integer(bytes);
    const size_t there = (size_t)(bytes->end - bytes->at) / 4; // fewer if it is cut
    const unsigned char *from = vox_take(bytes, (count < there ? count : there) * 4);
    node->children = (TrnVoxBytes){from, bytes->at, false};
    file->damaged_count += count > there;
    return from != NULL;
}

static bool vox_read_shape(TrnVoxFile *file, TrnVoxBytes *bytes, TrnVoxNode *node)
{
    node->kind = TRN_VOX_SHAPE;
    node->is_hidden = vox_read_hidden(bytes);
    const int32_t models = trn_vox_integer(bytes);
    file->frame_count += models > 1 ? (uint32_t)models - 1 : 0;
    node->child = trn_vox_integer(bytes);
    return models >= 1 && !bytes->is_broken;
}

TrnResult trn_vox_add_place(TrnCoordMap *map, const TrnAllocator *allocator, int32_t id,
                            uint64_t value)
{
    const TrnCoord key = {id, 0, 0};
    if (trn_coord_map_find(map, key)) {
        return TRN_RESULT_CORRUPT;
    }
    const TrnResult result = trn_coord_map_reserve(map, allocator, 1);
    if (result == TRN_RESULT_OK) {
        trn_coord_map_add(map, key)->number = value;
    }
    return result;
}

static TrnResult vox_read_node(TrnVoxFile *file, const TrnAllocator *allocator, char letter,
                               TrnVoxBytes *bytes)
{
    TrnVoxNode node = {0};
    const int32_t id = node.id = trn_vox_integer(bytes);
    const bool is_good = letter == 'T'   ? vox_read_transform(file, bytes, &node)
                         : letter == 'G' ? vox_read_group(file, bytes, &node)
                                         : vox_read_shape(file, bytes, &node);
    if (!is_good || bytes->is_broken || file->nodes.count == TRN_VOX_NODES_MAX) {
        return TRN_RESULT_CORRUPT;
    }
    TrnResult result = trn_vox_add_place(&file->node_places, allocator, id, file->nodes.count);
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&file->nodes, allocator, node);
    }
    return result;
}

static TrnResult vox_read_layer(TrnVoxFile *file, const TrnAllocator *allocator, TrnVoxBytes *bytes)
{
    const int32_t id = trn_vox_integer(bytes);
    if (!vox_read_hidden(bytes) || bytes->is_broken) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = trn_vox_add_place(&file->hidden_layers, allocator, id, 0);
    return result == TRN_RESULT_CORRUPT ? TRN_RESULT_OK : result; // hidden twice
}

// ---- models and colours -------------------------------------------------------------------------

static bool vox_read_size(TrnVoxFile *file, TrnVoxBytes *bytes)
{
    bool is_good = true;
    for (int i = 0; i < 3; i++) {
        file->size[i] = (uint32_t)trn_vox_integer(bytes);
        is_good = is_good && file->size[i] >= 1 && file->size[i] <= 256;
    }
    if (!is_good || bytes->is_broken) {
        memset(file->size, 0, sizeof file->size);
    }
    return file->size[0] > 0;
}

/// Reads a model, or as many of its voxels as there are. A damaged one counts too, without voxels:
/// the scene names models by their number.
static TrnResult vox_read_model(TrnVoxFile *file, const TrnAllocator *allocator, TrnVoxBytes *bytes)
{
    const size_t count = (uint32_t)trn_vox_integer(bytes);
    const size_t there = file->size[0] ? (size_t)(bytes->end - bytes->at) / 4 : 0;
    TrnVoxModel model = {.count = (uint32_t)(count < there ? count : there)};
    memcpy(model.size, file->size, sizeof model.size);
    model.voxels = vox_take(bytes, (size_t)model.count * 4);
    file->damaged_count += count > there;
    return trn_array_push(&file->models, allocator, model);
}

/// Reads the palette, or as many of its colours as there are. Its first entry is colour 1; a last
/// one that no voxel can have is often left out.
static bool vox_read_palette(TrnVoxFile *file, TrnVoxBytes *bytes)
{
    const size_t most = sizeof file->palette - sizeof *file->palette;
    const size_t there = (size_t)(bytes->end - bytes->at) / 4 * 4;
    memcpy(file->palette[1], bytes->at, there < most ? there : most);
    return there >= most;
}

/// Counts materials that are more than a colour.
static void vox_read_material(TrnVoxFile *file, TrnVoxBytes *bytes)
{
    VoxText key, value;
    (void)trn_vox_integer(bytes);
    VoxPairs pairs = vox_pairs(bytes);
    while (vox_next_pair(&pairs, &key, &value)) {
        file->material_count += vox_text_is(key, "_type") && !vox_text_is(value, "_diffuse");
    }
}

/// Fills in the palette of files that have none: a cube of 6 x 6 x 6 colours from white down, blue
/// fastest, without black; then ten steps each of red, green, blue and grey.
static void vox_default_palette(TrnVoxFile *file)
{
    static const uint8_t steps[] = {0xEE, 0xDD, 0xBB, 0xAA, 0x88, 0x77, 0x55, 0x44, 0x22, 0x11};
    const uint32_t cube = 215, ramp = sizeof steps;
    for (uint32_t i = 0; i < TRN_VOX_COLOURS - 1; i++) {
        uint8_t *colour = file->palette[i + 1];
        memset(colour, 0, 3);
        if (i < cube) {
            colour[0] = (uint8_t)(255 - i / 36 * 51);
            colour[1] = (uint8_t)(255 - i / 6 % 6 * 51);
            colour[2] = (uint8_t)(255 - i % 6 * 51);
        } else if (i < cube + 3 * ramp) {
            colour[(i - cube) / ramp] = steps[(i - cube) % ramp];
        } else {
            memset(colour, steps[(i - cube) % ramp], 3);
        }
        colour[3] = 255;
    }
}

// ---- pieces -------------------------------------------------------------------------------------

static TrnResult vox_result(bool is_good)
{
    return is_good ? TRN_RESULT_OK : TRN_RESULT_CORRUPT;
}

/// Errors: CORRUPT (the piece), NO_MEMORY.
static TrnResult vox_read_piece(TrnVoxFile *file, const TrnAllocator *allocator, const char *id,
                                TrnVoxBytes content)
{
    if (memcmp(id, "SIZE", 4) == 0) {
        return vox_result(vox_read_size(file, &content));
    }
    if (memcmp(id, "XYZI", 4) == 0) {
        return vox_read_model(file, allocator, &content);
    }
    if (memcmp(id, "RGBA", 4) == 0) {
        return vox_result(vox_read_palette(file, &content));
    }
    if (memcmp(id, "nTRN", 4) == 0 || memcmp(id, "nGRP", 4) == 0 || memcmp(id, "nSHP", 4) == 0) {
        return vox_read_node(file, allocator, id[1], &content);
    }
    if (memcmp(id, "LAYR", 4) == 0) {
        return vox_read_layer(file, allocator, &content);
    }
    if (memcmp(id, "MATL", 4) == 0) {
        vox_read_material(file, &content);
    }
    return TRN_RESULT_OK;
}

/// Begins a piece. @return whether it is whole; otherwise the content is what there is of it
static bool vox_begin_piece(TrnVoxBytes *bytes, const char **id, TrnVoxBytes *content,
                            size_t *inner_bytes)
{
    *id = (const char *)vox_take(bytes, 4);
    const size_t size = (uint32_t)trn_vox_integer(bytes);
    *inner_bytes = (uint32_t)trn_vox_integer(bytes);
    const size_t there = (size_t)(bytes->end - bytes->at);
    const bool is_whole = !bytes->is_broken && size <= there;
    const unsigned char *from = vox_take(bytes, size < there ? size : there);
    *content = (TrnVoxBytes){from, from ? bytes->at : NULL, false};
    return is_whole;
}

/// Reads the head of the file. @return false if it is another format
static bool vox_begin(TrnVoxBytes *bytes, size_t *inner_bytes)
{
    TrnVoxBytes content;
    const char *id;
    const unsigned char *magic = vox_take(bytes, 4);
    (void)trn_vox_integer(bytes); // the version: pieces that are not known are skipped
    return magic && memcmp(magic, "VOX ", 4) == 0 &&
           vox_begin_piece(bytes, &id, &content, inner_bytes) && memcmp(id, "MAIN", 4) == 0;
}

TrnResult trn_vox_file_read(TrnVoxFile *file, const void *bytes, size_t size,
                            const TrnAllocator *allocator, const char **fault)
{
    TrnVoxBytes rest = {bytes, (const unsigned char *)bytes + size, false};
    size_t inner_bytes = 0;
    memset(file, 0, sizeof *file);
    vox_default_palette(file);
    *fault = "it is no file of MagicaVoxel";
    TrnResult result = vox_result(vox_begin(&rest, &inner_bytes));
    const size_t left = (size_t)(rest.end - rest.at);
    const unsigned char *end = rest.at + (inner_bytes < left ? inner_bytes : left);
    file->ends_early = inner_bytes > left;
    // Pieces inside others follow them, and are read like others. What follows MAIN may be
    // anything.
    for (bool is_whole = true; result == TRN_RESULT_OK && is_whole && rest.at < rest.end;) {
        const bool is_inside = rest.at < end;
        const char *id;
        TrnVoxBytes content;
        is_whole = vox_begin_piece(&rest, &id, &content, &inner_bytes);
        file->ends_early |= is_inside && !is_whole;
        if (content.at && (is_inside || is_whole)) {
            result = vox_read_piece(file, allocator, id, content);
        }
        if (result == TRN_RESULT_CORRUPT) {
            file->damaged_count++;
            result = TRN_RESULT_OK;
        }
    }
    return result;
}

void trn_vox_file_free(TrnVoxFile *file, const TrnAllocator *allocator)
{
    trn_array_free(&file->models, allocator);
    trn_array_free(&file->nodes, allocator);
    trn_coord_map_free(&file->node_places, allocator);
    trn_coord_map_free(&file->hidden_layers, allocator);
}
