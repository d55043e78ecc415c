#include "block_art.h"

#include <stdlib.h>
#include <string.h>

#include "textures.h"

#define LEVELS 5 // 16, 8, 4, 2, 1
// Of EXT_texture_filter_anisotropic, which every driver has and OpenGL 3.3 does not name.
#define TEXTURE_ANISOTROPY 0x84FE
#define MOST_ANISOTROPY 0x84FF

/// What the shaders are to do with a type: see BlockArt.colours.
static uint8_t growth(const TrnBlockType *type)
{
    if (strstr(type->name, "leaves")) {
        return 128;
    }
    const bool grows = type->kind == TRN_BLOCK_KIND_PLANT || strstr(type->name, "grass") ||
                       strstr(type->name, "forest_floor") || strstr(type->name, "moss");
    return grows ? 192 : 255;
}

static void create_colours(BlockArt *art, const TrnBlockType *types, uint32_t count)
{
    static const TrnFace faces[TEXTURE_PARTS] = {TRN_FACE_POS_Y, TRN_FACE_NEG_X, TRN_FACE_NEG_Y};
    glGenTextures(1, &art->colours);
    glBindTexture(GL_TEXTURE_2D, art->colours);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, TEXTURE_PARTS, (GLsizei)count, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, NULL);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t row[TEXTURE_PARTS][4];
        for (int part = 0; part < TEXTURE_PARTS; part++) {
            memcpy(row[part], types[i].colour[faces[part]], 3);
            row[part][3] = growth(&types[i]);
        }
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, (GLint)i, TEXTURE_PARTS, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                        row);
    }
}

static bool has_extension(const char *name)
{
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++) {
        if (strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i), name) == 0) {
            return true;
        }
    }
    return false;
}

static void filter_textures(bool smooth)
{
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, LEVELS - 1);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_REPEAT);
    if (smooth && has_extension("GL_EXT_texture_filter_anisotropic")) {
        GLfloat most = 1;
        glGetFloatv(MOST_ANISOTROPY, &most);
        glTexParameterf(GL_TEXTURE_2D_ARRAY, TEXTURE_ANISOTROPY, most < 8 ? most : 8);
    }
}

/// Sends a painted texture with its coarser levels. Leaves of plants cover as much of a coarse level as of a fine one: otherwise they would
/// thin out in the distance.
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

static void create_textures(BlockArt *art, const TrnBlockType *types, uint32_t count, bool smooth)
{
    GLint layers_max = 0;
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &layers_max);
    if (count > (uint32_t)layers_max / TEXTURE_PARTS) {
        return;
    }
    const GLsizei layers = (GLsizei)(count * TEXTURE_PARTS);
    glGenTextures(1, &art->textures);
    glBindTexture(GL_TEXTURE_2D_ARRAY, art->textures);
    for (GLint level = 0, edge = TEXTURE_EDGE; level < LEVELS; level++, edge /= 2) {
        glTexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_SRGB8_ALPHA8, edge, edge, layers, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, NULL);
    }
    filter_textures(smooth);
    for (uint32_t i = 0; i < count * TEXTURE_PARTS; i++) {
        Texture texture;
        texture_paint(&types[i / TEXTURE_PARTS], i % TEXTURE_PARTS, &texture);
        send_texture(&texture, (GLint)i);
    }
}

bool block_art_create(BlockArt *art, const TrnBlockTypes *types, bool smooth, Message *problem)
{
    uint32_t count;
    const TrnBlockType *all = trn_block_types_all(types, &count);
    *art = (BlockArt){0};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    create_colours(art, all, count);
    create_textures(art, all, count, smooth);
    if (glGetError() != GL_NO_ERROR) {
        block_art_free(art);
        return message_set(problem, "The driver has no memory for the textures of %u blocks.",
                           count);
    }
    return true;
}

void block_art_free(BlockArt *art)
{
    glDeleteTextures(1, &art->colours);
    glDeleteTextures(1, &art->textures);
    *art = (BlockArt){0};
}
