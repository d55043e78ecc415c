#include "render/block_picture.h"

#include <math.h>
#include <string.h>

#include "render/textures.h"

#define EDGE BLOCK_PICTURE_EDGE
#define SAMPLES 3     // samples for each pixel, along each axis
#define MIDDLE 24.0f  // of the picture
#define FIT 44.0f     // pixels that a model may fill
#define ZOOM_MAX 2.0f // of small models
#define LEAST 0.05f   // of what is behind clear faces; less is not looked at
#define SHOWN_SIDES (1u << TRN_FACE_NEG_X | 1u << TRN_FACE_POS_X) // fences and panes connect there

// One looks at the edge between -x and +z, from above. A voxel's axes in the picture: z leads to
// the lower right, -x to the lower left, y up.
enum { RIGHT, LEFT, UP, AXES };
static const float WAYS[AXES][2] = {{22, 11}, {-22, 11}, {0, -22}};
static const float LIGHT[AXES] = {0.58f, 0.78f, 1.0f}; // of the face at an axis' end
static const uint32_t PARTS[AXES] = {1, 1, 0};         // of the type's textures
static const TrnFace PART_FACES[TEXTURE_PARTS] = {TRN_FACE_POS_Y, TRN_FACE_NEG_X, TRN_FACE_NEG_Y};

/// A box by the picture's axes, in voxels.
typedef struct PictureBox {
    float min[AXES], max[AXES];
    float tint[TEXTURE_PARTS][3]; ///< its colours over the type's
} PictureBox;

/// What is drawn of a block. A cube is one box.
typedef struct PictureModel {
    PictureBox boxes[TRN_BLOCK_BOXES_MAX];
    uint32_t count;
    Texture textures[TEXTURE_PARTS];
    float zoom, centre[2]; ///< the point of the unmagnified picture in its middle
} PictureModel;

// ---- the model ----------------------------------------------------------------------------------

static void add_box(PictureModel *model, const TrnBlockType *type, const TrnBlockBox *box)
{
    PictureBox *to = &model->boxes[model->count++];
    const float grid = TRN_BLOCK_GRID;
    *to = (PictureBox){.min = {(float)box->min[2] / grid, 1 - (float)box->max[0] / grid,
                               (float)box->min[1] / grid},
                       .max = {(float)box->max[2] / grid, 1 - (float)box->min[0] / grid,
                               (float)box->max[1] / grid}};
    for (uint32_t part = 0; part < TEXTURE_PARTS; part++) {
        const TrnFace face = PART_FACES[part];
        for (int i = 0; i < 3; i++) {
            to->tint[part][i] =
                (float)box->colour[face][i] / fmaxf((float)type->colour[face][i], 1);
        }
    }
}

/// Chooses the part of the picture that the model fills.
static void fit_model(PictureModel *model)
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

static void find_boxes(PictureModel *model, const TrnBlockType *type)
{
    TrnBlockBox cube = {.max = {TRN_BLOCK_GRID, TRN_BLOCK_GRID, TRN_BLOCK_GRID}};
    memcpy(cube.colour, type->colour, sizeof cube.colour);
    const uint32_t shown = type->model ? trn_block_model_boxes(type->model, SHOWN_SIDES) : 1;
    const TrnBlockBox *boxes = type->model ? type->model->boxes : &cube;
    model->count = 0;
    for (uint32_t i = 0; i < TRN_BLOCK_BOXES_MAX; i++) {
        if (shown >> i & 1) {
            add_box(model, type, &boxes[i]);
        }
    }
    if (!model->count) { // it has boxes between other neighbours alone
        add_box(model, type, &cube);
    }
    fit_model(model);
}

// ---- what a sample sees -------------------------------------------------------------------------

/// Where a line of sight meets the side of a box that faces the eye.
typedef struct PictureHit {
    const PictureBox *box; ///< NULL: it meets none
    float depth;           ///< towards the eye
    int axis;
} PictureHit;

/// Finds the box that is next behind a depth. @param from  where the line has depth 0
static PictureHit find_hit(const PictureModel *model, const float from[AXES], float before)
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
/// @param light        times what is still seen
/// @return the texel's opacity
static float add_texel(const Texture *texture, float across, float down, const float tint[3],
                       const float light[2], float sum[4])
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

/// Adds what lies behind a point of the unmagnified picture, through holes and glass.
static void add_model(const PictureModel *model, float x, float y, float sum[4])
{
    const float aside = (x - MIDDLE) / WAYS[RIGHT][0], below = (y - MIDDLE) / WAYS[RIGHT][1];
    const float from[AXES] = {(below + aside) / 2, (below - aside) / 2, 0};
    float seen = 1;
    PictureHit hit = find_hit(model, from, INFINITY);
    for (; hit.box && seen > LEAST; hit = find_hit(model, from, hit.depth)) {
        const float at[AXES] = {from[RIGHT] + hit.depth, from[LEFT] + hit.depth, hit.depth};
        const float across = hit.axis == RIGHT ? 1 - at[LEFT] : at[RIGHT];
        const float down = hit.axis == UP ? at[LEFT] : 1 - at[UP];
        const uint32_t part = PARTS[hit.axis];
        const float light[2] = {LIGHT[hit.axis], seen};
        seen *=
            1 - add_texel(&model->textures[part], across, down, hit.box->tint[part], light, sum);
    }
}

static void paint_pixel(const TrnBlockType *type, const PictureModel *model, int x, int y,
                        uint8_t texel[4])
{
    static const float own[3] = {1, 1, 1}, full[2] = {1, 1};
    float sum[4] = {0};
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        const int row = i / SAMPLES;
        const float at_x = (float)x + ((float)(i % SAMPLES) + 0.5f) / SAMPLES;
        const float at_y = (float)y + ((float)row + 0.5f) / SAMPLES;
        if (type->kind == TRN_BLOCK_KIND_PLANT) {
            (void)add_texel(&model->textures[1], at_x / EDGE, at_y / EDGE, own, full, sum);
        } else {
            add_model(model, model->centre[0] + (at_x - MIDDLE) / model->zoom,
                      model->centre[1] + (at_y - MIDDLE) / model->zoom, sum);
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
    PictureModel model;
    find_boxes(&model, type);
    for (uint32_t part = 0; part < TEXTURE_PARTS; part++) {
        texture_paint(type, part, &model.textures[part]);
        if (type->kind == TRN_BLOCK_KIND_OPAQUE || type->kind == TRN_BLOCK_KIND_CUTOUT) {
            fill_gaps(&model.textures[part]);
        }
    }
    memset(picture, 0, sizeof *picture);
    for (int y = 0; y < EDGE; y++) {
        for (int x = 0; x < EDGE; x++) {
            paint_pixel(type, &model, x, y, picture->texel[y][x]);
        }
    }
}
