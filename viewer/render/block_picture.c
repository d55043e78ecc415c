#include "render/block_picture.h"

#include <math.h>
#include <string.h>

#include "render/textures.h"

#define EDGE BLOCK_PICTURE_EDGE
#define SAMPLES 3 // samples for each pixel, along each axis

/// A face of the cube in the picture: its corner and its two edges.
typedef struct PictureFace {
    float from[2], across[2], down[2];
    uint32_t part; ///< part of the type's textures
    float light;
} PictureFace;

// The cube stands on its lower corner in the middle of the bottom.
static const PictureFace FACES[] = {
    {{24, 2}, {22, 11}, {-22, 11}, 0, 1.0f},
    {{2, 13}, {22, 11}, {0, 22}, 1, 0.78f},
    {{24, 24}, {22, -11}, {0, 22}, 1, 0.58f},
};

/// Adds one sample of a texture. @param across,down  0..1 from its upper left
static void add_texel(const Texture *texture, float across, float down, float light, float sum[4])
{
    const int column = (int)(across * TEXTURE_EDGE), row = (int)(down * TEXTURE_EDGE);
    const uint8_t *texel = texture->texel[TEXTURE_EDGE - 1 - row][column];
    const float cover = (float)texel[3] / 255;
    for (int i = 0; i < 3; i++) {
        sum[i] += (float)texel[i] * light * cover;
    }
    sum[3] += cover;
}

/// Computes where on a face a point lies. @return false if it is outside the face
static bool find_on_face(const PictureFace *face, float x, float y, float *across, float *down)
{
    const float area = face->across[0] * face->down[1] - face->across[1] * face->down[0];
    x -= face->from[0];
    y -= face->from[1];
    *across = (x * face->down[1] - y * face->down[0]) / area;
    *down = (y * face->across[0] - x * face->across[1]) / area;
    return *across >= 0 && *across < 1 && *down >= 0 && *down < 1;
}

static void add_cube(const Texture textures[TEXTURE_PARTS], float x, float y, float sum[4])
{
    for (size_t i = 0; i < sizeof FACES / sizeof FACES[0]; i++) {
        float across, down;
        if (find_on_face(&FACES[i], x, y, &across, &down)) {
            add_texel(&textures[FACES[i].part], across, down, FACES[i].light, sum);
            return;
        }
    }
}

static void paint_pixel(const TrnBlockType *type, const Texture textures[TEXTURE_PARTS], int x,
                        int y, uint8_t texel[4])
{
    float sum[4] = {0};
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        const int row = i / SAMPLES;
        const float at_x = (float)x + ((float)(i % SAMPLES) + 0.5f) / SAMPLES;
        const float at_y = (float)y + ((float)row + 0.5f) / SAMPLES;
        if (type->kind == TRN_BLOCK_KIND_PLANT) {
            add_texel(&textures[1], at_x / EDGE, at_y / EDGE, 1, sum);
        } else {
            add_cube(textures, at_x, at_y, sum);
        }
    }
    for (int i = 0; i < 3; i++) {
        texel[i] = sum[3] > 0 ? (uint8_t)lroundf(sum[i] / sum[3]) : 0;
    }
    const float clear = type->kind == TRN_BLOCK_KIND_LIQUID ? 0.8f : 1;
    texel[3] = (uint8_t)lroundf(sum[3] / (SAMPLES * SAMPLES) * clear * 255);
}

/// Gaps in leaves are dark in these pictures, not transparent.
static void fill_gaps(Texture *texture)
{
    for (int i = 0; i < TEXTURE_EDGE * TEXTURE_EDGE; i++) {
        texture->texel[i / TEXTURE_EDGE][i % TEXTURE_EDGE][3] = 255;
    }
}

void block_picture_paint(const TrnBlockType *type, BlockPicture *picture)
{
    Texture textures[TEXTURE_PARTS];
    for (uint32_t part = 0; part < TEXTURE_PARTS; part++) {
        texture_paint(type, part, &textures[part]);
        if (type->kind == TRN_BLOCK_KIND_OPAQUE || type->kind == TRN_BLOCK_KIND_CUTOUT) {
            fill_gaps(&textures[part]);
        }
    }
    memset(picture, 0, sizeof *picture);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            paint_pixel(type, textures, x, y, picture->texel[y][x]);
        }
    }
}
