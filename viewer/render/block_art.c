#include "render/block_art.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/gl.h"
#include "render/textures.h"

#define GROWTH_LEAVES 128
#define GROWTH_TURF 192
#define LEVELS 5 // 16, 8, 4, 2, 1
// Of EXT_texture_filter_anisotropic: every driver has it, but OpenGL 3.3 does not include it.
#define TEXTURE_ANISOTROPY 0x84FE
#define MOST_ANISOTROPY 0x84FF

bool block_art_is_glass(const TrnBlockType *type)
{
    return type->kind == TRN_BLOCK_KIND_TRANSPARENT ||
           (type->kind == TRN_BLOCK_KIND_LIQUID && type->light);
}

/// Returns how the shaders treat a type: see BlockArt.colours.
static uint8_t block_art_growth(const TrnBlockType *type)
{
    if (type->kind == TRN_BLOCK_KIND_TRANSPARENT) {
        return 64;
    }
    if (strstr(type->name, "leaves")) {
        return GROWTH_LEAVES;
    }
    const bool grows = type->kind == TRN_BLOCK_KIND_PLANT || strstr(type->name, "grass") ||
                       strstr(type->name, "forest_floor") || strstr(type->name, "moss");
    return grows ? GROWTH_TURF : 255;
}

/// Sets a type's bits in the sets of types.
static void block_art_note_bits(BlockArt *art, uint32_t i, const TrnBlockType *type)
{
    const uint32_t bit = 1u << i % 32;
    const uint8_t growth = block_art_growth(type);
    const bool is_opaque = type->kind == TRN_BLOCK_KIND_OPAQUE;
    art->rock[i / 32] |= is_opaque && !type->is_unknown && growth != GROWTH_LEAVES ? bit : 0;
    if (i >= BLOCK_ART_BITS) {
        return;
    }
    art->turf.words[i / 32] |= is_opaque && growth == GROWTH_TURF ? bit : 0;
    art->clear.words[i / 32] |= block_art_is_glass(type) ? bit : 0;
    art->glowing.words[i / 32] |= type->light ? bit : 0;
}

/// Stores a growth value in the alpha channel of opaque texels: they cover everything except holes
/// in leaves, so the channel is free for the shaders.
static void block_art_note_growth(Texture *texture, uint8_t block_art_growth)
{
    for (uint32_t i = 0; i < TEXTURE_EDGE * TEXTURE_EDGE; i++) {
        uint8_t *covers = &texture->texel[i / TEXTURE_EDGE][i % TEXTURE_EDGE][3];
        *covers = (uint8_t)(*covers * block_art_growth / 255);
    }
}

static const TrnFace PART_FACES[TEXTURE_PARTS] = {TRN_FACE_POS_Y, TRN_FACE_NEG_X, TRN_FACE_NEG_Y};

#define BOX_TEXELS (TRN_BLOCK_BOXES_MAX * TEXTURE_PARTS)

static void block_art_send_boxes(const BlockArt *art, const TrnBlockModel *model, GLint place)
{
    uint8_t row[BOX_TEXELS][4];
    memset(row, 255, sizeof row);
    for (uint32_t i = 0; i < model->box_count * TEXTURE_PARTS; i++) {
        const TrnBlockBox *box = &model->boxes[i / TEXTURE_PARTS];
        memcpy(row[i], box->colour[PART_FACES[i % TEXTURE_PARTS]], 3);
    }
    glBindTexture(GL_TEXTURE_2D, art->boxes);
    glTexSubImage2D(GL_TEXTURE_2D, 0, place % BLOCK_ART_BOX_ROW * BOX_TEXELS,
                    place / BLOCK_ART_BOX_ROW, BOX_TEXELS, 1, GL_RGBA, GL_UNSIGNED_BYTE, row);
    glBindTexture(GL_TEXTURE_2D, art->colours);
}

static void block_art_send_colours(const TrnBlockType *type, GLint place)
{
    uint8_t row[TEXTURE_PARTS][4];
    for (int part = 0; part < TEXTURE_PARTS; part++) {
        memcpy(row[part], type->colour[PART_FACES[part]], 3);
        row[part][3] = block_art_growth(type);
    }
    glTexSubImage2D(GL_TEXTURE_2D, 0, place % BLOCK_ART_ROW * TEXTURE_PARTS, place / BLOCK_ART_ROW,
                    TEXTURE_PARTS, 1, GL_RGBA, GL_UNSIGNED_BYTE, row);
}

/// Creates a texture of colours. @param texels  for each type. @param in_row  types in a row
static GLuint block_art_create_colours(const BlockArt *art, GLsizei texels, uint32_t in_row)
{
    const GLuint made = gl_texture_create(GL_NEAREST, GL_REPEAT);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, texels * (GLsizei)in_row,
                 (GLsizei)((art->capacity + in_row - 1) / in_row), 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 NULL);
    return made;
}

static void block_art_filter_textures(bool smooth)
{
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, LEVELS - 1);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_REPEAT);
    if (smooth && gl_has_extension("GL_EXT_texture_filter_anisotropic")) {
        GLfloat most = 1;
        glGetFloatv(MOST_ANISOTROPY, &most);
        glTexParameterf(GL_TEXTURE_2D_ARRAY, TEXTURE_ANISOTROPY, most < 8 ? most : 8);
    }
}

/// Uploads a texture with its mip levels. Coarse levels of leaves cover as much as fine ones,
/// because otherwise plants would thin out with distance.
static void block_art_send_texture(const Texture *texture, GLint layer)
{
    uint8_t levels[2][TEXTURE_EDGE * TEXTURE_EDGE][4];
    memcpy(levels[0], texture->texel, sizeof levels[0]);
    uint32_t edge = TEXTURE_EDGE;
    for (GLint level = 0; level < LEVELS; level++, edge /= 2) {
        uint8_t(*now)[4] = levels[level % 2];
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, level, 0, 0, layer, (GLsizei)edge, (GLsizei)edge, 1,
                        GL_RGBA, GL_UNSIGNED_BYTE, now);
        if (edge > 1) {
            texture_halve((const uint8_t(*)[4])now, edge, levels[(level + 1) % 2]);
        }
    }
}

static void block_art_create_textures(BlockArt *art)
{
    GLint layers_max = 0;
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &layers_max);
    const uint32_t most = (uint32_t)(layers_max > 0 ? layers_max : 0) / TEXTURE_PARTS;
    art->textured = art->capacity < most ? art->capacity : most;
    glGenTextures(1, &art->textures);
    glBindTexture(GL_TEXTURE_2D_ARRAY, art->textures);
    for (GLint level = 0, edge = TEXTURE_EDGE; level < LEVELS; level++, edge /= 2) {
        glTexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_SRGB8_ALPHA8, edge, edge,
                     (GLsizei)(art->textured * TEXTURE_PARTS), 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    }
    block_art_filter_textures(art->smooth);
}

/// Paints the types from index `art->count` on.
static void block_art_paint_types(BlockArt *art, const TrnBlockType *types, uint32_t count)
{
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glBindTexture(GL_TEXTURE_2D, art->colours);
    glBindTexture(GL_TEXTURE_2D_ARRAY, art->textures);
    for (uint32_t i = art->count; i < count; i++) {
        block_art_send_colours(&types[i], (GLint)i);
        if (types[i].model) {
            block_art_send_boxes(art, types[i].model, (GLint)i);
        }
        block_art_note_bits(art, i, &types[i]);
        art->unknown += types[i].is_unknown;
        for (uint32_t part = 0; part < TEXTURE_PARTS && i < art->textured; part++) {
            Texture texture;
            texture_paint(&types[i], part, &texture);
            if (types[i].kind != TRN_BLOCK_KIND_PLANT && types[i].kind != TRN_BLOCK_KIND_MODEL &&
                types[i].kind != TRN_BLOCK_KIND_TRANSPARENT) {
                block_art_note_growth(&texture, block_art_growth(&types[i]));
            }
            block_art_send_texture(&texture, (GLint)(i * TEXTURE_PARTS + part));
        }
    }
    art->count = count;
}

static bool block_art_create_art(BlockArt *art, const TrnBlockType *types, uint32_t count,
                                 bool smooth, Message *problem)
{
    gl_context_forget_errors();
    // Twice the capacity, so that a game that adds types one by one seldom repaints all of them.
    *art = (BlockArt){.smooth = smooth, .capacity = 2 * count};
    art->colours = block_art_create_colours(art, TEXTURE_PARTS, BLOCK_ART_ROW);
    art->boxes = block_art_create_colours(art, BOX_TEXELS, BLOCK_ART_BOX_ROW);
    block_art_create_textures(art);
    block_art_paint_types(art, types, count);
    if (glGetError() != GL_NO_ERROR) {
        block_art_free(art);
        return message_set(problem, "The driver has no memory for the textures of %u blocks.",
                           count);
    }
    return true;
}

bool block_art_create(BlockArt *art, const TrnBlockTypes *types, bool smooth, Message *problem)
{
    uint32_t count;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    return block_art_create_art(art, all, count, smooth, problem);
}

static uint32_t block_art_count_unknown(const TrnBlockType *types, uint32_t count)
{
    uint32_t unknown = 0;
    for (uint32_t i = 0; i < count; i++) {
        unknown += types[i].is_unknown;
    }
    return unknown;
}

bool block_art_update(BlockArt *art, const TrnBlockTypes *types, Message *problem)
{
    uint32_t count;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    // Painted types never change, except placeholders that are filled in.
    const bool same = !art->unknown || block_art_count_unknown(all, art->count) == art->unknown;
    if (count <= art->count && same) {
        return true;
    }
    if (count <= art->capacity && same) {
        block_art_paint_types(art, all, count);
        return true;
    }
    BlockArt larger;
    if (!block_art_create_art(&larger, all, count, art->smooth, problem)) {
        art->count = count;
        art->unknown = 0;
        return false;
    }
    block_art_free(art);
    *art = larger;
    return true;
}

void block_art_filter(const BlockArt *art, bool fine)
{
    glBindTexture(GL_TEXTURE_2D_ARRAY, art->textures);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER,
                    fine ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST_MIPMAP_LINEAR);
}

void block_art_free(BlockArt *art)
{
    glDeleteTextures(1, &art->colours);
    glDeleteTextures(1, &art->boxes);
    glDeleteTextures(1, &art->textures);
    *art = (BlockArt){0};
}

// ---- block picture ------------------------------------------------------------------------------

#define EDGE BLOCK_PICTURE_EDGE
#define SAMPLES 3     // samples for each pixel, along each axis
#define MIDDLE 24.0f  // of the picture, in pixels
#define FIT 44.0f     // pixels that a model may fill
#define ZOOM_MAX 2.0f // for small models
#define LEAST 0.05f   // of the share still seen behind clear faces; below it the ray ends
#define SHOWN_SIDES (1u << TRN_FACE_NEG_X | 1u << TRN_FACE_POS_X) // fences and panes connect there

// The picture shows the edge between -x and +z, from above. Axes of a voxel in the picture: z to
// the lower right, -x to the lower left, y up.
enum { RIGHT, LEFT, UP, AXES };
static const float WAYS[AXES][2] = {{22, 11}, {-22, 11}, {0, -22}};
static const float LIGHT[AXES] = {0.58f, 0.78f, 1.0f}; // of the face at the end of each axis
static const uint32_t PARTS[AXES] = {1, 1, 0};         // textures of the block type
static const TrnFace PICTURE_FACES[TEXTURE_PARTS] = {TRN_FACE_POS_Y, TRN_FACE_NEG_X,
                                                     TRN_FACE_NEG_Y};

/// A box along the picture's axes, in voxels.
typedef struct PictureBox {
    float min[AXES], max[AXES];
    float tint[TEXTURE_PARTS][3]; ///< the box's colours relative to the type's
} PictureBox;

/// A block as boxes. A cube is one box.
typedef struct PictureModel {
    PictureBox boxes[TRN_BLOCK_BOXES_MAX];
    uint32_t count;
    Texture textures[TEXTURE_PARTS];
    float zoom, centre[2]; ///< centre: point of the unscaled picture that becomes the middle
} PictureModel;

// ---- the model ----------------------------------------------------------------------------------

static void block_picture_add_box(PictureModel *model, const TrnBlockType *type,
                                  const TrnBlockBox *box)
{
    PictureBox *to = &model->boxes[model->count++];
    const float grid = TRN_BLOCK_GRID;
    *to = (PictureBox){.min = {(float)box->min[2] / grid, 1 - (float)box->max[0] / grid,
                               (float)box->min[1] / grid},
                       .max = {(float)box->max[2] / grid, 1 - (float)box->min[0] / grid,
                               (float)box->max[1] / grid}};
    for (uint32_t part = 0; part < TEXTURE_PARTS; part++) {
        const TrnFace face = PICTURE_FACES[part];
        for (int i = 0; i < 3; i++) {
            to->tint[part][i] =
                (float)box->colour[face][i] / fmaxf((float)type->colour[face][i], 1);
        }
    }
}

/// Chooses zoom and centre so that the model fills the picture.
static void block_picture_fit_model(PictureModel *model)
{
    float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < model->count * 8; i++) { // all corners
        const PictureBox *box = &model->boxes[i / 8];
        for (int at = 0; at < 2; at++) {
            float place = MIDDLE;
            for (int axis = 0; axis < AXES; axis++) {
                place += WAYS[axis][at] * (i >> axis & 1 ? box->max[axis] : box->min[axis]);
            }
            low[at] = fminf(low[at], place);
            high[at] = fmaxf(high[at], place);
        }
    }
    const float size = fmaxf(high[0] - low[0], high[1] - low[1]);
    model->zoom = fmaxf(1, fminf(FIT / size, ZOOM_MAX));
    model->centre[0] = (low[0] + high[0]) / 2;
    model->centre[1] = (low[1] + high[1]) / 2;
}

static void block_picture_find_boxes(PictureModel *model, const TrnBlockType *type)
{
    TrnBlockBox cube = {.max = {TRN_BLOCK_GRID, TRN_BLOCK_GRID, TRN_BLOCK_GRID}};
    memcpy(cube.colour, type->colour, sizeof cube.colour);
    const uint32_t shown = type->model ? trn_block_model_boxes(type->model, SHOWN_SIDES) : 1;
    const TrnBlockBox *boxes = type->model ? type->model->boxes : &cube;
    model->count = 0;
    for (uint32_t i = 0; i < TRN_BLOCK_BOXES_MAX; i++) {
        if (shown >> i & 1) {
            block_picture_add_box(model, type, &boxes[i]);
        }
    }
    if (!model->count) { // all its boxes depend on neighbours
        block_picture_add_box(model, type, &cube);
    }
    block_picture_fit_model(model);
}

// ---- what a sample sees -------------------------------------------------------------------------

/// Intersection of a line of sight with a side of a box that faces the eye.
typedef struct PictureHit {
    const PictureBox *box; ///< NULL: none
    float depth;           ///< towards the eye
    int axis;
} PictureHit;

/// Finds the next box behind a depth. @param from  point of the line at depth 0
static PictureHit block_picture_find_hit(const PictureModel *model, const float from[AXES],
                                         float before)
{
    PictureHit hit = {.depth = -INFINITY};
    for (uint32_t i = 0; i < model->count; i++) {
        const PictureBox *box = &model->boxes[i];
        float front = INFINITY, back = -INFINITY;
        int axis = 0;
        for (int a = 0; a < AXES; a++) {
            axis = box->max[a] - from[a] < front ? a : axis;
            front = fminf(front, box->max[a] - from[a]);
            back = fmaxf(back, box->min[a] - from[a]);
        }
        if (front > back && front < before && front > hit.depth) {
            hit = (PictureHit){box, front, axis};
        }
    }
    return hit;
}

/// Adds a texel to a sum of colours and opacity.
/// @param across,down  0..1 from the texture's upper left
/// @param light        factor: the share still seen
/// @return the texel's opacity
static float block_picture_add_texel(const Texture *texture, float across, float down,
                                     const float tint[3], const float light[2], float sum[4])
{
    const float last = TEXTURE_EDGE - 1;
    const int column = (int)fmaxf(0, fminf(across * TEXTURE_EDGE, last));
    const int row = (int)fmaxf(0, fminf(down * TEXTURE_EDGE, last));
    const uint8_t *texel = texture->texel[TEXTURE_EDGE - 1 - row][column];
    const float cover = (float)texel[3] / 255;
    for (int i = 0; i < 3; i++) {
        sum[i] += fminf((float)texel[i] * tint[i], 255) * light[0] * cover * light[1];
    }
    sum[3] += cover * light[1];
    return cover;
}

/// Adds the colours along the line of sight through a point of the unscaled picture, through holes
/// and glass.
static void block_picture_add_model(const PictureModel *model, float x, float y, float sum[4])
{
    const float aside = (x - MIDDLE) / WAYS[RIGHT][0], below = (y - MIDDLE) / WAYS[RIGHT][1];
    const float from[AXES] = {(below + aside) / 2, (below - aside) / 2, 0};
    float seen = 1;
    PictureHit hit = block_picture_find_hit(model, from, INFINITY);
    for (; hit.box && seen > LEAST; hit = block_picture_find_hit(model, from, hit.depth)) {
        const float at[AXES] = {from[RIGHT] + hit.depth, from[LEFT] + hit.depth, hit.depth};
        const float across = hit.axis == RIGHT ? 1 - at[LEFT] : at[RIGHT];
        const float down = hit.axis == UP ? at[LEFT] : 1 - at[UP];
        const uint32_t part = PARTS[hit.axis];
        const float light[2] = {LIGHT[hit.axis], seen};
        seen *= 1 - block_picture_add_texel(&model->textures[part], across, down,
                                            hit.box->tint[part], light, sum);
    }
}

static void block_picture_paint_pixel(const TrnBlockType *type, const PictureModel *model, int x,
                                      int y, uint8_t texel[4])
{
    static const float own[3] = {1, 1, 1}, full[2] = {1, 1};
    float sum[4] = {0};
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        const int row = i / SAMPLES;
        const float at_x = (float)x + ((float)(i % SAMPLES) + 0.5f) / SAMPLES;
        const float at_y = (float)y + ((float)row + 0.5f) / SAMPLES;
        if (type->kind == TRN_BLOCK_KIND_PLANT) {
            (void)block_picture_add_texel(&model->textures[1], at_x / EDGE, at_y / EDGE, own, full,
                                          sum);
        } else {
            block_picture_add_model(model, model->centre[0] + (at_x - MIDDLE) / model->zoom,
                                    model->centre[1] + (at_y - MIDDLE) / model->zoom, sum);
        }
    }
    for (int i = 0; i < 3; i++) {
        texel[i] = sum[3] > 0 ? (uint8_t)lroundf(sum[i] / sum[3]) : 0;
    }
    const float clear = type->kind == TRN_BLOCK_KIND_LIQUID ? 0.8f : 1;
    texel[3] = (uint8_t)lroundf(sum[3] / (SAMPLES * SAMPLES) * clear * 255);
}

/// Fills gaps in leaves: they are dark in these pictures, not transparent.
static void block_picture_fill_gaps(Texture *texture)
{
    for (int i = 0; i < TEXTURE_EDGE * TEXTURE_EDGE; i++) {
        texture->texel[i / TEXTURE_EDGE][i % TEXTURE_EDGE][3] = 255;
    }
}

void block_picture_paint(const TrnBlockType *type, BlockPicture *picture)
{
    PictureModel model;
    block_picture_find_boxes(&model, type);
    for (uint32_t part = 0; part < TEXTURE_PARTS; part++) {
        texture_paint(type, part, &model.textures[part]);
        if (type->kind == TRN_BLOCK_KIND_OPAQUE || type->kind == TRN_BLOCK_KIND_CUTOUT) {
            block_picture_fill_gaps(&model.textures[part]);
        }
    }
    memset(picture, 0, sizeof *picture);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            block_picture_paint_pixel(type, &model, x, y, picture->texel[y][x]);
        }
    }
}
