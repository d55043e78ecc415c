// MagicaVoxel files: their pieces (models, nodes, palette), and the scene of them.
//
// A file is "VOX ", a version and one piece MAIN. A piece is an id of 4 bytes, the size of its
// content, the size of the pieces inside, and both. Numbers are little-endian. Those that are
// read: SIZE and XYZI (a model), RGBA (the palette), nTRN, nGRP and nSHP (nodes of the scene:
// moved and turned, a group, a model), LAYR (hidden layers). A file without nodes has its first
// model alone, its lowest corner at the origin.

#include "vox_scene.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"

/// Bytes that are read from the front. After a read beyond the end, is_broken is set and all reads
/// return zero.
typedef struct VoxBytes {
    const unsigned char *at, *end;
    bool is_broken;
} VoxBytes;

/// A text in the file, without a zero at the end.
typedef struct VoxText {
    const char *bytes;
    size_t size;
} VoxText;

/// A box of voxels, of 4 bytes each: x, y, z and the colour.
typedef struct VoxModel {
    uint32_t size[3];
    uint32_t count;
    const unsigned char *voxels; ///< [count * 4]
} VoxModel;

/// A rotation by right angles, and a movement. out[i] = sign[i] * in[axis[i]] + move[i].
typedef struct VoxTransform {
    uint8_t axis[3];
    int8_t sign[3];
    int64_t move[3];
} VoxTransform;

typedef enum VoxNodeKind { TRN_VOX_TRANSFORM, TRN_VOX_GROUP, TRN_VOX_SHAPE } VoxNodeKind;

/// A node of the scene.
typedef struct VoxNode {
    VoxNodeKind kind;
    bool is_hidden;
    int32_t layer;          ///< of a transform
    VoxTransform transform; ///< of a transform
    int32_t child;          ///< of a transform: a node's id; of a shape: a model's number
    VoxBytes children;      ///< of a group: ids of nodes
} VoxNode;

TRN_ARRAY_DECLARE(VoxModels, VoxModel);
TRN_ARRAY_DECLARE(VoxNodes, VoxNode);

typedef struct VoxFile {
    VoxModels models;
    VoxNodes nodes;
    TrnCoordMap node_places;   ///< {id, 0, 0}: the index of a node
    TrnCoordMap hidden_layers; ///< {id, 0, 0}
    uint32_t size[3];          ///< of the last SIZE
    uint32_t frame_count, material_count;
    bool has_palette;
    uint8_t palette[TRN_VOX_COLOURS][4];
} VoxFile;

// ---- bytes --------------------------------------------------------------------------------------

static const unsigned char *vox_take(VoxBytes *bytes, size_t size)
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

static int32_t vox_integer(VoxBytes *bytes)
{
    const unsigned char *from = vox_take(bytes, 4);
    return from ? (int32_t)(uint32_t)trn_number_read(from, 4) : 0;
}

static VoxText vox_text(VoxBytes *bytes)
{
    const size_t size = (uint32_t)vox_integer(bytes);
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
    VoxBytes *bytes;
    uint32_t left;
} VoxPairs;

static VoxPairs vox_pairs(VoxBytes *bytes)
{
    VoxPairs pairs = {bytes, 0};
    pairs.left = (uint32_t)vox_integer(bytes); // each takes 8 bytes at least
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
static bool vox_read_hidden(VoxBytes *bytes)
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
static bool vox_read_rotation(VoxText text, VoxTransform *transform)
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

static bool vox_read_move(VoxText text, VoxTransform *transform)
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
static bool vox_read_frame(VoxBytes *bytes, VoxTransform *transform)
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

static bool vox_read_transform(VoxFile *file, VoxBytes *bytes, VoxNode *node)
{
    node->kind = TRN_VOX_TRANSFORM;
    node->transform = (VoxTransform){{0, 1, 2}, {1, 1, 1}, {0, 0, 0}};
    node->is_hidden = vox_read_hidden(bytes);
    node->child = vox_integer(bytes);
    (void)vox_integer(bytes); // reserved
    node->layer = vox_integer(bytes);
    const int32_t frames = vox_integer(bytes);
    file->frame_count += frames > 1 ? (uint32_t)frames - 1 : 0;
    return frames < 1 || vox_read_frame(bytes, &node->transform);
}

static bool vox_read_group(VoxBytes *bytes, VoxNode *node)
{
    node->kind = TRN_VOX_GROUP;
    node->is_hidden = vox_read_hidden(bytes);
    const uint64_t count = (uint32_t)vox_integer(bytes);
    const unsigned char *from =
        count <= TRN_VOX_NODES_MAX ? vox_take(bytes, (size_t)count * 4) : NULL;
    node->children = (VoxBytes){from, from ? from + count * 4 : NULL, false};
    return from != NULL;
}

static bool vox_read_shape(VoxFile *file, VoxBytes *bytes, VoxNode *node)
{
    node->kind = TRN_VOX_SHAPE;
    node->is_hidden = vox_read_hidden(bytes);
    const int32_t models = vox_integer(bytes);
    file->frame_count += models > 1 ? (uint32_t)models - 1 : 0;
    node->child = vox_integer(bytes);
    return models >= 1 && !bytes->is_broken;
}

/// Errors: CORRUPT, NO_MEMORY.
static TrnResult vox_add_place(TrnCoordMap *map, const TrnAllocator *allocator, int32_t id,
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

static TrnResult vox_read_node(VoxFile *file, const TrnAllocator *allocator, char letter,
                               VoxBytes *bytes, const char **fault)
{
    VoxNode node = {0};
    const int32_t id = vox_integer(bytes);
    const bool is_good = letter == 'T'   ? vox_read_transform(file, bytes, &node)
                         : letter == 'G' ? vox_read_group(bytes, &node)
                                         : vox_read_shape(file, bytes, &node);
    *fault = "a node of its scene is damaged";
    if (!is_good || bytes->is_broken || file->nodes.count == TRN_VOX_NODES_MAX) {
        return TRN_RESULT_CORRUPT;
    }
    TrnResult result = vox_add_place(&file->node_places, allocator, id, file->nodes.count);
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&file->nodes, allocator, node);
    }
    return result;
}

static TrnResult vox_read_layer(VoxFile *file, const TrnAllocator *allocator, VoxBytes *bytes)
{
    const int32_t id = vox_integer(bytes);
    if (!vox_read_hidden(bytes) || bytes->is_broken) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = vox_add_place(&file->hidden_layers, allocator, id, 0);
    return result == TRN_RESULT_CORRUPT ? TRN_RESULT_OK : result; // hidden twice
}

// ---- models and colours -------------------------------------------------------------------------

static bool vox_read_size(VoxFile *file, VoxBytes *bytes)
{
    for (int i = 0; i < 3; i++) {
        file->size[i] = (uint32_t)vox_integer(bytes);
        if (file->size[i] < 1 || file->size[i] > 256) {
            return false;
        }
    }
    return !bytes->is_broken;
}

static TrnResult vox_read_model(VoxFile *file, const TrnAllocator *allocator, VoxBytes *bytes)
{
    VoxModel model = {.count = (uint32_t)vox_integer(bytes)};
    memcpy(model.size, file->size, sizeof model.size);
    model.voxels =
        model.count <= TRN_VOX_VOXELS_MAX ? vox_take(bytes, (size_t)model.count * 4) : NULL;
    if (!model.voxels || file->size[0] == 0) {
        return TRN_RESULT_CORRUPT;
    }
    return trn_array_push(&file->models, allocator, model);
}

static bool vox_read_palette(VoxFile *file, VoxBytes *bytes)
{
    const unsigned char *from = vox_take(bytes, sizeof file->palette);
    if (from) { // its first entry is colour 1
        memcpy(file->palette[1], from, sizeof file->palette - sizeof *file->palette);
        file->has_palette = true;
    }
    return from != NULL;
}

/// Counts materials that are more than a colour.
static void vox_read_material(VoxFile *file, VoxBytes *bytes)
{
    VoxText key, value;
    (void)vox_integer(bytes);
    VoxPairs pairs = vox_pairs(bytes);
    while (vox_next_pair(&pairs, &key, &value)) {
        file->material_count += vox_text_is(key, "_type") && !vox_text_is(value, "_diffuse");
    }
}

/// Fills in the palette of files that have none: a cube of 6 x 6 x 6 colours from white down, blue
/// fastest, without black; then ten steps each of red, green, blue and grey.
static void vox_default_palette(VoxFile *file)
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

static TrnResult vox_read_piece(VoxFile *file, const TrnAllocator *allocator, const char *id,
                                VoxBytes content, const char **fault)
{
    *fault = "a model of it is damaged";
    if (memcmp(id, "SIZE", 4) == 0) {
        return vox_result(vox_read_size(file, &content));
    }
    if (memcmp(id, "XYZI", 4) == 0) {
        return vox_read_model(file, allocator, &content);
    }
    if (memcmp(id, "RGBA", 4) == 0) {
        *fault = "its palette is damaged";
        return vox_result(vox_read_palette(file, &content));
    }
    if (memcmp(id, "nTRN", 4) == 0 || memcmp(id, "nGRP", 4) == 0 || memcmp(id, "nSHP", 4) == 0) {
        return vox_read_node(file, allocator, id[1], &content, fault);
    }
    if (memcmp(id, "LAYR", 4) == 0) {
        return vox_read_layer(file, allocator, &content);
    }
    if (memcmp(id, "MATL", 4) == 0) {
        vox_read_material(file, &content);
    }
    return TRN_RESULT_OK;
}

/// Begins a piece. @return false if it does not fit
static bool vox_begin_piece(VoxBytes *bytes, const char **id, VoxBytes *content,
                            size_t *inner_bytes)
{
    *id = (const char *)vox_take(bytes, 4);
    const size_t size = (uint32_t)vox_integer(bytes);
    *inner_bytes = (uint32_t)vox_integer(bytes);
    const unsigned char *from = vox_take(bytes, size);
    *content = (VoxBytes){from, from ? from + size : NULL, false};
    return from != NULL;
}

/// Reads the head of the file. @return false if it is another format
static bool vox_begin(VoxBytes *bytes, size_t *inner_bytes)
{
    VoxBytes content;
    const char *id;
    const unsigned char *magic = vox_take(bytes, 4);
    (void)vox_integer(bytes); // the version: pieces that are not known are skipped
    return magic && memcmp(magic, "VOX ", 4) == 0 &&
           vox_begin_piece(bytes, &id, &content, inner_bytes) && memcmp(id, "MAIN", 4) == 0;
}

/// Reads all pieces. The file points into the bytes.
/// Errors: CORRUPT with the fault, NO_MEMORY. Free it then, too.
static TrnResult vox_read_file(VoxFile *file, const void *bytes, size_t size,
                               const TrnAllocator *allocator, const char **fault)
{
    VoxBytes rest = {bytes, (const unsigned char *)bytes + size, false};
    size_t inner_bytes = 0;
    memset(file, 0, sizeof *file);
    *fault = "it is no file of MagicaVoxel";
    TrnResult result = vox_result(vox_begin(&rest, &inner_bytes));
    if (result == TRN_RESULT_OK && inner_bytes > (size_t)(rest.end - rest.at)) {
        *fault = "it ends early";
        result = TRN_RESULT_CORRUPT;
    }
    // Pieces inside others follow them, and are read like others.
    while (result == TRN_RESULT_OK && rest.at < rest.end) {
        VoxBytes content;
        const char *id;
        if (vox_begin_piece(&rest, &id, &content, &inner_bytes)) {
            result = vox_read_piece(file, allocator, id, content, fault);
        } else {
            *fault = "it ends early";
            result = TRN_RESULT_CORRUPT;
        }
    }
    if (!file->has_palette) {
        vox_default_palette(file);
    }
    return result;
}

static void vox_free_file(VoxFile *file, const TrnAllocator *allocator)
{
    trn_array_free(&file->models, allocator);
    trn_array_free(&file->nodes, allocator);
    trn_coord_map_free(&file->node_places, allocator);
    trn_coord_map_free(&file->hidden_layers, allocator);
}

// ---- the scene ----------------------------------------------------------------------------------

/// A model where it stands.
typedef struct VoxShape {
    uint32_t model;
    VoxTransform transform;
} VoxShape;

TRN_ARRAY_DECLARE(VoxShapes, VoxShape);

/// A node that is still to be visited.
typedef struct VoxVisit {
    int32_t id;
    uint32_t depth;
    VoxTransform transform;
} VoxVisit;

TRN_ARRAY_DECLARE(VoxVisits, VoxVisit);

/// What reading a scene works with.
typedef struct VoxReading {
    TrnVoxScene *scene;
    VoxFile file;
    VoxShapes shapes;
    VoxVisits visits;
    TrnVoxel offset;
    const char **fault;
} VoxReading;

static TrnResult vox_fault(const VoxReading *reading, const char *fault)
{
    *reading->fault = fault;
    return TRN_RESULT_CORRUPT;
}

// ---- the scene ----------------------------------------------------------------------------------

/// Moves and turns by the inner transform first, then by the outer one.
static VoxTransform vox_compose(const VoxTransform *outer, const VoxTransform *inner)
{
    VoxTransform both;
    for (int i = 0; i < 3; i++) {
        const uint8_t axis = outer->axis[i];
        both.axis[i] = inner->axis[axis];
        both.sign[i] = (int8_t)(outer->sign[i] * inner->sign[axis]);
        both.move[i] = outer->sign[i] * inner->move[axis] + outer->move[i];
    }
    return both;
}

static TrnResult vox_visit_later(VoxReading *reading, int32_t id, uint32_t depth,
                                 const VoxTransform *transform)
{
    if (depth > TRN_VOX_DEPTH_MAX || reading->visits.count >= TRN_VOX_NODES_MAX) {
        return vox_fault(reading, "its scene is too large, or contains itself");
    }
    const VoxVisit visit = {id, depth, *transform};
    return trn_array_push(&reading->visits, &reading->scene->allocator, visit);
}

static TrnResult vox_visit_group(VoxReading *reading, const VoxVisit *visit, VoxBytes children)
{
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK && children.at < children.end) {
        result =
            vox_visit_later(reading, vox_integer(&children), visit->depth + 1, &visit->transform);
    }
    return result;
}

static TrnResult vox_visit_shape(VoxReading *reading, const VoxVisit *visit, int32_t model)
{
    if ((uint32_t)model >= reading->file.models.count) {
        return vox_fault(reading, "its scene has a model that is missing");
    }
    if (reading->shapes.count == TRN_VOX_SHAPES_MAX) {
        return vox_fault(reading, "its scene has too many models");
    }
    const VoxShape shape = {(uint32_t)model, visit->transform};
    return trn_array_push(&reading->shapes, &reading->scene->allocator, shape);
}

static TrnResult vox_visit(VoxReading *reading, const VoxVisit *visit)
{
    const TrnCoordEntry *entry =
        trn_coord_map_find(&reading->file.node_places, (TrnCoord){visit->id, 0, 0});
    if (!entry) {
        return vox_fault(reading, "its scene has a node that is missing");
    }
    const VoxNode *node = &reading->file.nodes.items[entry->number];
    if (node->is_hidden ||
        (node->kind == TRN_VOX_TRANSFORM &&
         trn_coord_map_find(&reading->file.hidden_layers, (TrnCoord){node->layer, 0, 0}))) {
        reading->scene->hidden_count++;
        return TRN_RESULT_OK;
    }
    switch (node->kind) {
    case TRN_VOX_GROUP:
        return vox_visit_group(reading, visit, node->children);
    case TRN_VOX_SHAPE:
        return vox_visit_shape(reading, visit, node->child);
    default:
        break;
    }
    const VoxTransform both = vox_compose(&visit->transform, &node->transform);
    return vox_visit_later(reading, node->child, visit->depth + 1, &both);
}

/// Moves a model's voxels so that they turn around its centre, as MagicaVoxel does. Voxels turn as
/// points at their centres: a negative sign takes one off.
static void vox_centre(VoxShape *shape, const VoxModel *model)
{
    VoxTransform *transform = &shape->transform;
    for (int i = 0; i < 3; i++) {
        const int64_t pivot = model->size[transform->axis[i]] / 2;
        transform->move[i] -= transform->sign[i] * pivot + (transform->sign[i] < 0);
    }
}

/// Finds the models of the scene. Nodes are visited at most TRN_VOX_NODES_MAX times in all.
static TrnResult vox_read_shapes(VoxReading *reading)
{
    static const VoxTransform still = {{0, 1, 2}, {1, 1, 1}, {0, 0, 0}};
    const VoxFile *file = &reading->file;
    if (file->models.count == 0) {
        return vox_fault(reading, "it has no model");
    }
    if (file->nodes.count == 0) {
        reading->scene->frame_count += file->models.count - 1;
        const VoxShape shape = {0, still};
        return trn_array_push(&reading->shapes, &reading->scene->allocator, shape);
    }
    TrnResult result = vox_visit_later(reading, 0, 0, &still);
    for (uint32_t i = 0; result == TRN_RESULT_OK && i < reading->visits.count; i++) {
        const VoxVisit visit = reading->visits.items[i]; // which visiting may move
        result = vox_visit(reading, &visit);
    }
    for (uint32_t i = 0; i < reading->shapes.count; i++) {
        vox_centre(&reading->shapes.items[i], &file->models.items[reading->shapes.items[i].model]);
    }
    return result;
}

// ---- voxels -------------------------------------------------------------------------------------

/// Where a voxel of a shape is in the world. @return false if it is outside, or has no colour
static bool vox_place(VoxReading *reading, const VoxShape *shape, const VoxModel *model,
                      const unsigned char *voxel, TrnVoxel *place)
{
    int64_t at[3];
    const VoxTransform *transform = &shape->transform;
    for (int i = 0; i < 3; i++) {
        at[i] = transform->sign[i] * (int64_t)voxel[transform->axis[i]] + transform->move[i];
    }
    *place = (TrnVoxel){at[0] + reading->offset.x, at[2] + reading->offset.y,
                        -1 - at[1] + reading->offset.z};
    return voxel[3] != 0 && voxel[0] < model->size[0] && voxel[1] < model->size[1] &&
           voxel[2] < model->size[2] && trn_voxel_in_world(*place);
}

/// Counts a voxel of a chunk. Errors: CORRUPT, NO_MEMORY.
static TrnResult vox_count_voxel(VoxReading *reading, TrnCoord coord)
{
    TrnVoxScene *scene = reading->scene;
    const TrnCoordEntry *entry = trn_coord_map_find(&scene->places, coord);
    if (entry) {
        scene->chunks.items[entry->number].count++;
        return TRN_RESULT_OK;
    }
    if (scene->chunks.count == TRN_VOX_CHUNKS_MAX) {
        return vox_fault(reading, "its scene is too large");
    }
    TrnResult result = trn_coord_map_reserve(&scene->places, &scene->allocator, 1);
    if (result == TRN_RESULT_OK) {
        const TrnVoxChunk chunk = {coord, 0, 1};
        result = trn_array_push(&scene->chunks, &scene->allocator, chunk);
    }
    if (result == TRN_RESULT_OK) {
        trn_coord_map_add(&scene->places, coord)->number = scene->chunks.count - 1;
    }
    return result;
}

static TrnResult vox_count_shape(VoxReading *reading, const VoxShape *shape)
{
    const VoxModel *model = &reading->file.models.items[shape->model];
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < model->count && result == TRN_RESULT_OK; i++) {
        const unsigned char *voxel = model->voxels + (size_t)i * 4;
        TrnVoxel place;
        if (vox_place(reading, shape, model, voxel, &place)) {
            reading->scene->is_used[voxel[3]] = true;
            result = vox_count_voxel(reading, trn_voxel_chunk(place));
        } else {
            reading->scene->outside_count += voxel[3] != 0;
        }
    }
    return result;
}

/// Adds a shape's voxels behind those that their chunks have.
static void vox_add_shape(VoxReading *reading, const VoxShape *shape)
{
    TrnVoxScene *scene = reading->scene;
    const VoxModel *model = &reading->file.models.items[shape->model];
    for (uint32_t i = 0; i < model->count; i++) {
        const unsigned char *voxel = model->voxels + (size_t)i * 4;
        TrnVoxel place;
        if (vox_place(reading, shape, model, voxel, &place)) {
            const TrnCoordEntry *entry = trn_coord_map_find(&scene->places, trn_voxel_chunk(place));
            TrnVoxChunk *chunk = &scene->chunks.items[entry->number];
            scene->voxels.items[chunk->first + chunk->count++] =
                trn_voxel_local_index(place) | (uint32_t)voxel[3] << 16;
        }
    }
}

static int vox_compare_chunks(const void *a, const void *b)
{
    const TrnCoord one = ((const TrnVoxChunk *)a)->coord, other = ((const TrnVoxChunk *)b)->coord;
    const int by_y = (one.y > other.y) - (one.y < other.y);
    const int by_z = (one.z > other.z) - (one.z < other.z);
    const int by_x = (one.x > other.x) - (one.x < other.x);
    return by_y ? by_y : by_z ? by_z : by_x;
}

/// Gives each chunk its part of the voxels, and forgets the counts.
static void vox_divide_voxels(TrnVoxScene *scene)
{
    uint32_t first = 0;
    if (scene->chunks.count) {
        qsort(scene->chunks.items, scene->chunks.count, sizeof *scene->chunks.items,
              vox_compare_chunks);
    }
    for (uint32_t i = 0; i < scene->chunks.count; i++) {
        TrnVoxChunk *chunk = &scene->chunks.items[i];
        trn_coord_map_find(&scene->places, chunk->coord)->number = i;
        chunk->first = first;
        first += chunk->count;
        chunk->count = 0;
    }
    scene->voxels.count = first;
}

/// Sorts the voxels of all shapes by chunk, by counting them first.
static TrnResult vox_read_voxels(VoxReading *reading)
{
    TrnVoxScene *scene = reading->scene;
    uint64_t total = 0;
    for (uint32_t i = 0; i < reading->shapes.count; i++) {
        total += reading->file.models.items[reading->shapes.items[i].model].count;
    }
    if (total > TRN_VOX_VOXELS_MAX) {
        return vox_fault(reading, "its scene has too many voxels");
    }
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < reading->shapes.count && result == TRN_RESULT_OK; i++) {
        result = vox_count_shape(reading, &reading->shapes.items[i]);
    }
    if (result == TRN_RESULT_OK && total) {
        result = trn_array_reserve(&scene->voxels, &scene->allocator, (size_t)total);
    }
    if (result == TRN_RESULT_OK) {
        vox_divide_voxels(scene);
        for (uint32_t i = 0; i < reading->shapes.count; i++) {
            vox_add_shape(reading, &reading->shapes.items[i]);
        }
    }
    return result;
}

// ---- all ----------------------------------------------------------------------------------------

TrnResult trn_vox_scene_read(TrnVoxScene *scene, const void *bytes, size_t size, TrnVoxel offset,
                             const TrnAllocator *allocator, const char **fault)
{
    VoxReading reading = {.scene = scene, .offset = offset, .fault = fault};
    memset(scene, 0, sizeof *scene);
    scene->allocator = *allocator;
    TrnResult result = vox_read_file(&reading.file, bytes, size, allocator, fault);
    if (result == TRN_RESULT_OK) {
        result = vox_read_shapes(&reading);
    }
    if (result == TRN_RESULT_OK) {
        result = vox_read_voxels(&reading);
    }
    memcpy(scene->palette, reading.file.palette, sizeof scene->palette);
    scene->frame_count += reading.file.frame_count;
    scene->material_count = reading.file.material_count;
    trn_array_free(&reading.shapes, allocator);
    trn_array_free(&reading.visits, allocator);
    vox_free_file(&reading.file, allocator);
    if (result != TRN_RESULT_OK) {
        trn_vox_scene_free(scene);
    }
    return result;
}

void trn_vox_scene_free(TrnVoxScene *scene)
{
    trn_array_free(&scene->chunks, &scene->allocator);
    trn_array_free(&scene->voxels, &scene->allocator);
    trn_coord_map_free(&scene->places, &scene->allocator);
}
