#include "render/block_art.h"

#include <stdlib.h>
#include <string.h>

#include "render/gl_context.h"
#include "render/gl_features.h"
#include "render/textures.h"

#define GROWTH_TURF 192
#define LEVELS 5 // 16, 8, 4, 2, 1
// Of EXT_texture_filter_anisotropic, which every driver has but OpenGL 3.3 does not include.
#define TEXTURE_ANISOTROPY 0x84FE
#define MOST_ANISOTROPY 0x84FF

bool block_art_is_glass(const TrnBlockType *type)
{
    return type->kind == TRN_BLOCK_KIND_TRANSPARENT ||
           (type->kind == TRN_BLOCK_KIND_LIQUID && type->light);
}

/// How the shaders treat a type: see BlockArt.colours.
static uint8_t growth(const TrnBlockType *type)
{
    if (type->kind == TRN_BLOCK_KIND_TRANSPARENT) {
        return 64;
    }
    if (strstr(type->name, "leaves")) {
        return 128;
    }
    const bool grows = type->kind == TRN_BLOCK_KIND_PLANT || strstr(type->name, "grass") ||
                       strstr(type->name, "forest_floor") || strstr(type->name, "moss");
    return grows ? GROWTH_TURF : 255;
}

/// Sets a type's bits in the sets that the vertex shader reads.
static void note_bits(BlockArt *art, uint32_t i, const TrnBlockType *type)
{
    if (i >= BLOCK_ART_BITS) {
        return;
    }
    const uint32_t bit = 1u << i % 32;
    const bool turf = type->kind == TRN_BLOCK_KIND_OPAQUE && growth(type) == GROWTH_TURF;
    art->turf.words[i / 32] |= turf ? bit : 0;
    art->clear.words[i / 32] |= block_art_is_glass(type) ? bit : 0;
    art->glowing.words[i / 32] |= type->light ? bit : 0;
}

/// Opaque texels cover everything, except holes in leaves, so their alpha is free for what else the
/// shaders need.
static void note_growth(Texture *texture, uint8_t growth)
{
    for (uint32_t i = 0; i < TEXTURE_EDGE * TEXTURE_EDGE; i++) {
        uint8_t *covers = &texture->texel[i / TEXTURE_EDGE][i % TEXTURE_EDGE][3];
        *covers = (uint8_t)(*covers * growth / 255);
    }
}

static const TrnFace PART_FACES[TEXTURE_PARTS] = {TRN_FACE_POS_Y, TRN_FACE_NEG_X, TRN_FACE_NEG_Y};

#define BOX_TEXELS (TRN_BLOCK_BOXES_MAX * TEXTURE_PARTS)

static void send_boxes(const BlockArt *art, const TrnBlockModel *model, GLint place)
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

static void send_colours(const TrnBlockType *type, GLint place)
{
    uint8_t row[TEXTURE_PARTS][4];
    for (int part = 0; part < TEXTURE_PARTS; part++) {
        memcpy(row[part], type->colour[PART_FACES[part]], 3);
        row[part][3] = growth(type);
    }
    glTexSubImage2D(GL_TEXTURE_2D, 0, place % BLOCK_ART_ROW * TEXTURE_PARTS, place / BLOCK_ART_ROW,
                    TEXTURE_PARTS, 1, GL_RGBA, GL_UNSIGNED_BYTE, row);
}

/// Creates a texture of colours. @param texels  a type. @param in_row  types in a row
static GLuint create_colours(const BlockArt *art, GLsizei texels, uint32_t in_row)
{
    GLuint made = 0;
    glGenTextures(1, &made);
    glBindTexture(GL_TEXTURE_2D, made);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, texels * (GLsizei)in_row,
                 (GLsizei)((art->capacity + in_row - 1) / in_row), 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 NULL);
    return made;
}

static void filter_textures(bool smooth)
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

/// Uploads a texture with its coarser levels. Leaves of plants cover as much of a coarse level as
/// of a fine one; otherwise plants would thin out in the distance.
static void send_texture(const Texture *texture, GLint layer)
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

static void create_textures(BlockArt *art)
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
    filter_textures(art->smooth);
}

/// Paints the types from `art->count` on.
static void paint_types(BlockArt *art, const TrnBlockType *types, uint32_t count)
{
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glBindTexture(GL_TEXTURE_2D, art->colours);
    glBindTexture(GL_TEXTURE_2D_ARRAY, art->textures);
    for (uint32_t i = art->count; i < count; i++) {
        send_colours(&types[i], (GLint)i);
        if (types[i].model) {
            send_boxes(art, types[i].model, (GLint)i);
        }
        note_bits(art, i, &types[i]);
        art->unknown += types[i].is_unknown;
        for (uint32_t part = 0; part < TEXTURE_PARTS && i < art->textured; part++) {
            Texture texture;
            texture_paint(&types[i], part, &texture);
            if (types[i].kind != TRN_BLOCK_KIND_PLANT && types[i].kind != TRN_BLOCK_KIND_MODEL &&
                types[i].kind != TRN_BLOCK_KIND_TRANSPARENT) {
                note_growth(&texture, growth(&types[i]));
            }
            send_texture(&texture, (GLint)(i * TEXTURE_PARTS + part));
        }
    }
    art->count = count;
}

static bool create_art(BlockArt *art, const TrnBlockType *types, uint32_t count, bool smooth,
                       Message *problem)
{
    gl_context_forget_errors();
    // Twice the capacity, so that a game that adds types one by one seldom repaints all.
    *art = (BlockArt){.smooth = smooth, .capacity = 2 * count};
    art->colours = create_colours(art, TEXTURE_PARTS, BLOCK_ART_ROW);
    art->boxes = create_colours(art, BOX_TEXELS, BLOCK_ART_BOX_ROW);
    create_textures(art);
    paint_types(art, types, count);
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
    return create_art(art, all, count, smooth, problem);
}

static uint32_t count_unknown(const TrnBlockType *types, uint32_t count)
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
    const bool same = !art->unknown || count_unknown(all, art->count) == art->unknown;
    if (count <= art->count && same) {
        return true;
    }
    if (count <= art->capacity && same) {
        paint_types(art, all, count);
        return true;
    }
    BlockArt larger;
    if (!create_art(&larger, all, count, art->smooth, problem)) {
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
