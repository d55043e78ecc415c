#include "player/others.h"

#include <math.h>
#include <string.h>

#include "player/player.h"

#define OTHERS_DEGREES (3.14159265358979 / 180)
#define OTHERS_NEARER 12.0 // a second: rate at which a figure approaches the reported place
#define OTHERS_JUMP 16.0   // voxels: over a greater distance a figure jumps instead of walking
#define OTHERS_FAR 512.0f  // voxels: figures farther away are not drawn and have no name
#define OTHERS_LABEL 0.45  // voxels above the eyes
#define OTHERS_SWING 0.7   // voxels: amplitude of the feet
#define OTHERS_STRIDE 1.8  // radians of the swing for each voxel walked

/// A cube of a figure. Distances are voxels; the figure looks towards -z.
typedef struct OthersCube {
    double right, up, forward; ///< middle of the bottom face, relative to the feet
    double edge;
    enum { OTHERS_HEAD, OTHERS_SHIRT, OTHERS_TROUSERS, OTHERS_EYE, OTHERS_PUPIL } part;
    double swing; ///< -1..1: how far it swings with a step; 0: not at all
} OthersCube;

static const OthersCube CUBES[OTHERS_CUBES] = {
    {0, 1.36, 0, 0.46, OTHERS_HEAD, 0},          {-0.11, 1.6, 0.2, 0.1, OTHERS_EYE, 0}, // the face
    {0.11, 1.6, 0.2, 0.1, OTHERS_EYE, 0},        {-0.1, 1.61, 0.24, 0.06, OTHERS_PUPIL, 0},
    {0.1, 1.61, 0.24, 0.06, OTHERS_PUPIL, 0},    {0, 1.53, 0.24, 0.07, OTHERS_HEAD, 0},
    {0, 1.42, 0.21, 0.07, OTHERS_TROUSERS, 0},   {-0.15, 1.04, 0, 0.32, OTHERS_SHIRT, 0},
    {0.15, 1.04, 0, 0.32, OTHERS_SHIRT, 0},      {-0.15, 0.72, 0, 0.32, OTHERS_SHIRT, 0},
    {0.15, 0.72, 0, 0.32, OTHERS_SHIRT, 0},      {-0.42, 1.14, 0, 0.22, OTHERS_SHIRT, 0.1},
    {0.42, 1.14, 0, 0.22, OTHERS_SHIRT, -0.1},   {-0.42, 0.92, 0, 0.22, OTHERS_SHIRT, 0.3},
    {0.42, 0.92, 0, 0.22, OTHERS_SHIRT, -0.3},   {-0.42, 0.7, 0, 0.22, OTHERS_HEAD, 0.5},
    {0.42, 0.7, 0, 0.22, OTHERS_HEAD, -0.5},     {-0.16, 0.48, 0, 0.26, OTHERS_TROUSERS, -0.2},
    {0.16, 0.48, 0, 0.26, OTHERS_TROUSERS, 0.2}, {-0.16, 0.24, 0, 0.26, OTHERS_TROUSERS, -0.5},
    {0.16, 0.24, 0, 0.26, OTHERS_TROUSERS, 0.5}, {-0.16, 0, 0, 0.26, OTHERS_TROUSERS, -0.9},
    {0.16, 0, 0, 0.26, OTHERS_TROUSERS, 0.9},
};

void others_tell(TrnMember *member, const Camera *camera)
{
    double voxel[3];
    if (member) {
        camera_voxel(camera, voxel);
        trn_member_set_place(member, voxel, (double)camera->yaw, (double)camera->pitch);
    }
}

// ---- following ---------------------------------------------------------------------------------

/// Moves a figure towards a reported place.
static void others_follow(OthersFigure *figure, const TrnMemberPlayer *player, double part)
{
    TrnMemberPlayer *shown = &figure->shown;
    double way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = player->place[i] - shown->place[i];
    }
    const double far = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    part = far > OTHERS_JUMP ? 1 : part;
    for (int i = 0; i < 3; i++) {
        shown->place[i] += way[i] * part;
    }
    figure->walked += far > OTHERS_JUMP ? 0 : hypot(way[0], way[2]) * part;
    shown->yaw += remainder(player->yaw - shown->yaw, 360) * part;
    shown->pitch += (player->pitch - shown->pitch) * part;
}

/// Finds the figure of a report. Reports keep their order, except when players join or leave.
static OthersFigure *others_figure_of(Others *others, const TrnMemberPlayer *player)
{
    for (uint32_t i = 0; i < others->count; i++) {
        OthersFigure *figure = &others->figures[i];
        if (!figure->is_seen && strcmp(figure->shown.name, player->name) == 0) {
            return figure;
        }
    }
    if (others->count == OTHERS_MAX) {
        return NULL;
    }
    OthersFigure *figure = &others->figures[others->count++];
    *figure = (OthersFigure){.shown = *player};
    return figure;
}

static void others_follow_all(Others *others, TrnMember *member, double seconds)
{
    TrnMemberPlayer players[OTHERS_MAX];
    const size_t all = member ? trn_member_others(member, players, OTHERS_MAX) : 0;
    const size_t count = all < OTHERS_MAX ? all : OTHERS_MAX;
    const double part = 1 - exp(-OTHERS_NEARER * fmax(seconds, 0));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < others->count; i++) {
        others->figures[i].is_seen = false;
    }
    for (size_t i = 0; i < count; i++) {
        OthersFigure *figure = others_figure_of(others, &players[i]);
        if (figure) {
            figure->is_seen = true;
            others_follow(figure, &players[i], part);
        }
    }
    for (uint32_t i = 0; i < others->count; i++) {
        others->figures[kept] = others->figures[i];
        kept += others->figures[i].is_seen;
    }
    others->count = kept;
}

// ---- drawing -----------------------------------------------------------------------------------

/// Returns a block with the colours of a part of the figure.
static TrnBlock others_block_of_part(const TrnBlockTypes *types, const char *name, int part)
{
    static const char *const shirts[] = {"terrane:red_carpet", "terrane:blue_carpet",
                                         "terrane:moss",       "terrane:gold_ore",
                                         "terrane:ice",        "terrane:snow"};
    static const char *const others[] = {[OTHERS_HEAD] = "terrane:sandstone",
                                         [OTHERS_TROUSERS] = "terrane:slate",
                                         [OTHERS_EYE] = "terrane:white_wool",
                                         [OTHERS_PUPIL] = "terrane:black_wool"};
    uint32_t sum = 0;
    TrnBlock block = TRN_BLOCK_STONE;
    for (; *name; name++) {
        sum = sum * 31 + (unsigned char)*name;
    }
    (void)trn_block_types_find(
        types, part == OTHERS_SHIRT ? shirts[sum % (sizeof shirts / sizeof *shirts)] : others[part],
        &block);
    return block;
}

/// Converts a point to coordinates relative to the view's chunk.
static void others_point_of(const double place[3], const CameraView *view, float point[3])
{
    const TrnVoxel corner = trn_coord_voxel(view->chunk);
    point[0] = (float)(place[0] - (double)corner.x);
    point[1] = (float)(place[1] - (double)corner.y);
    point[2] = (float)(place[2] - (double)corner.z);
}

static void others_add_cubes(Others *others, const OthersFigure *figure, const TrnBlockTypes *types,
                             const float eyes[3])
{
    const double yaw = figure->shown.yaw * OTHERS_DEGREES;
    const double swing = OTHERS_SWING * 0.5 * sin(figure->walked * OTHERS_STRIDE);
    const double turn = remainder(-figure->shown.yaw, 360) / 360;
    for (int i = 0; i < OTHERS_CUBES; i++) {
        const OthersCube *cube = &CUBES[i];
        const double forward = cube->forward + cube->swing * swing;
        const uint32_t half = (uint32_t)(cube->edge / 2 * 65536);
        const uint32_t turned = (uint32_t)((turn < 0 ? turn + 1 : turn) * 65536) & 0xffff;
        others->cubes[others->cube_count++] = (DebrisInstance){
            .at = {eyes[0] + (float)(cos(yaw) * cube->right + sin(yaw) * forward),
                   eyes[1] - (float)PLAYER_EYES + (float)cube->up,
                   eyes[2] + (float)(sin(yaw) * cube->right - cos(yaw) * forward)},
            .shape = half | turned << 16,
            .look = others_block_of_part(types, figure->shown.name, (int)cube->part) |
                    (uint32_t)(i * 5 % 16) << 16};
    }
}

/// Adds a label above a figure if it is in front of the camera.
static void others_add_label(Others *others, const OthersFigure *figure, const CameraView *view,
                             const float eyes[3])
{
    vec4 point = {eyes[0], eyes[1] + (float)OTHERS_LABEL, eyes[2], 1}, at;
    glm_mat4_mulv((vec4 *)view->clip, point, at);
    if (at[3] <= CAMERA_NEAR || fabsf(at[0]) > at[3] || fabsf(at[1]) > at[3]) {
        return;
    }
    others->labels[others->label_count++] = (OverlayLabel){
        figure->shown.name, 0.5f + 0.5f * at[0] / at[3], 0.5f - 0.5f * at[1] / at[3]};
}

void others_update(Others *others, TrnMember *member, const TrnBlockTypes *types,
                   const Camera *camera, double seconds, int width, int height)
{
    CameraView view;
    others_follow_all(others, member, seconds);
    others->cube_count = others->label_count = 0;
    if (!others->count) {
        return;
    }
    camera_view(camera, width, height, OTHERS_FAR, &view);
    for (uint32_t i = 0; i < others->count; i++) {
        float eyes[3];
        others_point_of(others->figures[i].shown.place, &view, eyes);
        const vec3 way = {eyes[0] - view.offset[0], eyes[1] - view.offset[1],
                          eyes[2] - view.offset[2]};
        if (way[0] * way[0] + way[1] * way[1] + way[2] * way[2] < OTHERS_FAR * OTHERS_FAR) {
            others_add_cubes(others, &others->figures[i], types, eyes);
            others_add_label(others, &others->figures[i], &view, eyes);
        }
    }
}
