// Meshes models: the faces of their boxes, without those that something covers. Which boxes of a
// model are there, and which faces they cover among themselves, is worked out once for each block
// and its connections (a plan); each voxel then only asks its neighbours. Shared by all kernels.

#include <string.h>

#include "mesh_kernels.h"

/// The bit of a voxel among the 27 around it: x fastest, then z, then y.
#define MODEL_AT(x, y, z) ((x) + 3 * (z) + 9 * (y))

/// The steps in MODEL_AT along the axes of a face: its width, its height, and its own.
static const uint8_t model_steps[3][3] = {{3, 9, 1}, {1, 3, 9}, {1, 9, 3}};

/// The most faces that one model can have.
#define MODEL_FACES_MAX ((size_t)TRN_BLOCK_BOXES_MAX * TRN_FACE_COUNT)

/// The place in ModelVoxel.layers of those across an axis.
#define MODEL_LAYER(axis) ((3 - (axis)) % 3 * 3)

/// The model that is being meshed.
typedef struct ModelVoxel {
    TrnCoord at;     ///< local
    uint32_t voxel;  ///< linear index
    uint32_t opaque; ///< which of the 27 voxels around it are: bit MODEL_AT(x, y, z), 0..2
    /// The opaque ones of each layer of nine voxels, as the index of trn_mesh_ao: those across x,
    /// then z, then y, each 0..2.
    uint16_t layers[9];
    const uint16_t *codes; ///< [27] of their light; NULL: even
} ModelVoxel;

// ---- connections -------------------------------------------------------------------------------

/// Returns which sides any box of a model asks for.
static uint32_t model_asks(const TrnBlockModel *model)
{
    uint32_t sides = 0;
    for (uint32_t i = 0; i < model->box_count && i < TRN_BLOCK_BOXES_MAX; i++) {
        sides |= model->boxes[i].connected | model->boxes[i].unconnected;
    }
    return sides;
}

/// Returns the type of a voxel of the 27 chunks, beside a model of the chunk. @param x,y,z  local,
/// -32..63
static const TrnBlockType *model_type_at(const TrnMeshWork *work, int x, int y, int z)
{
    static const TrnBlockType opaque = {.kind = TRN_BLOCK_KIND_OPAQUE};
    if ((x | y | z) & ~(TRN_MESH_EDGE - 1)) {
        TrnBlock block;
        return trn_mesh_type_at(work, x, y, z, &block);
    }
    const uint32_t voxel = trn_local_index((uint32_t)x, (uint32_t)y, (uint32_t)z);
    if (trn_mask_row(work->opaque[TRN_AROUND_CENTRE], voxel / TRN_MESH_EDGE) >> x & 1) {
        return &opaque;
    }
    const TrnBlock block = trn_mesh_block(work, voxel);
    return block < work->input->type_count ? &work->input->types[block] : &opaque;
}

/// Returns which sides of a model connect: bit f, a TrnFace. Those that no box asks for do not.
static uint32_t model_connections(const TrnMeshWork *work, const TrnBlockModel *model, TrnCoord at)
{
    uint32_t connections = 0;
    for (uint32_t rest = model->connects ? model_asks(model) & 63 : 0; rest; rest &= rest - 1) {
        const int face = __builtin_ctz(rest);
        const TrnCoord next = trn_coord_neighbour(at, (TrnFace)face);
        const TrnBlockType *type = model_type_at(work, next.x, next.y, next.z);
        connections |= (uint32_t)trn_block_model_connects(model, type) << face;
    }
    return connections;
}

// ---- plans -------------------------------------------------------------------------------------

/// Returns the place of a box' face along the direction's axis.
static uint32_t model_depth(const TrnBlockBox *box, uint32_t face)
{
    return face % 2 ? box->max[face / 2] : box->min[face / 2];
}

/// Returns the rectangle of a box' face, as in TrnModelFace.
static uint32_t model_rectangle(const TrnBlockBox *box, uint32_t face)
{
    int width, height;
    trn_quad_axes((TrnFace)face, &width, &height);
    return (box->min[width] & 31u) | (box->max[width] & 31u) << 5 | (box->min[height] & 31u) << 10 |
           (box->max[height] & 31u) << 15 | (model_depth(box, face) & 31u) << 20;
}

/// Returns whether a box fills what is right in front of a rectangle.
/// @param face  the direction of the rectangle
/// @param cell  where that is along the direction's axis, on the grid
static bool model_covers(const TrnBlockBox *box, uint32_t face, uint32_t cell, uint32_t rectangle)
{
    const uint32_t own = model_rectangle(box, face);
    return box->min[face / 2] <= cell && box->max[face / 2] > cell &&
           (own & 31) <= (rectangle & 31) && (own >> 5 & 31) >= (rectangle >> 5 & 31) &&
           (own >> 10 & 31) <= (rectangle >> 10 & 31) && (own >> 15 & 31) >= (rectangle >> 15 & 31);
}

/// Returns whether another box of the same model covers a face.
static bool model_is_covered(const TrnBlockModel *model, uint32_t boxes, uint32_t own,
                             uint32_t face)
{
    const uint32_t rectangle = model_rectangle(&model->boxes[own], face);
    const uint32_t cell = (rectangle >> 20) - (face % 2 ? 0 : 1); // no box has that below 0
    for (uint32_t rest = boxes & ~(UINT32_C(1) << own); rest; rest &= rest - 1) {
        if (model_covers(&model->boxes[__builtin_ctz(rest)], face, cell, rectangle)) {
            return true;
        }
    }
    return false;
}

/// Returns which voxels of the layer in front the corners of a rectangle touch.
static uint16_t model_touches(uint32_t rectangle)
{
    uint32_t touches = 511;
    touches &= rectangle & 31 ? ~0111u : ~0u;                           // u is 0
    touches &= (rectangle >> 5 & 31) != TRN_BLOCK_GRID ? ~0444u : ~0u;  // u is 2
    touches &= rectangle >> 10 & 31 ? ~0007u : ~0u;                     // v is 0
    touches &= (rectangle >> 15 & 31) != TRN_BLOCK_GRID ? ~0700u : ~0u; // v is 2
    return (uint16_t)touches;
}

/// Returns whether a face lies on the border of its voxel.
static bool model_is_border(const TrnBlockBox *box, uint32_t face)
{
    return model_depth(box, face) == (face % 2 ? TRN_BLOCK_GRID : 0);
}

/// Plans a face of a box. @param i  the index of the box
static TrnMeshPlanFace model_plan_face(const TrnBlockBox *box, uint32_t i, uint32_t face)
{
    const uint32_t rectangle = model_rectangle(box, face), axis = face / 2;
    const uint32_t layer = model_is_border(box, face) ? face % 2 * 2 : 1; // along the axis
    const uint32_t step = model_steps[axis][2];
    const TrnMeshPlanFace planned = {.place = face << 15 | i << 18,
                                     .rectangle = rectangle,
                                     .touches = model_touches(rectangle),
                                     .layer = (uint8_t)(MODEL_LAYER(axis) + layer),
                                     .middle = (uint8_t)(MODEL_AT(1, 1, 1) - step + layer * step)};
    return planned;
}

/// Plans a block. @param model  NULL: no faces
static void model_plan(TrnMeshPlan *plan, const TrnBlockModel *model, uint32_t connections)
{
    const uint32_t boxes = model ? trn_block_model_boxes(model, connections) & 255 : 0;
    uint32_t count = 0;
    plan->borders = 0;
    memset(plan->sides, 0, sizeof plan->sides);
    for (uint32_t rest = boxes; rest; rest &= rest - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
            if (model_is_covered(model, boxes, i, face)) {
                continue;
            }
            const bool is_border = model_is_border(&model->boxes[i], face);
            plan->sides[face] |= (uint64_t)is_border << count;
            plan->borders |= (uint32_t)is_border << face;
            plan->faces[count++] = model_plan_face(&model->boxes[i], i, face);
        }
    }
    plan->all = count ? UINT64_MAX >> (64 - count) : 0;
}

/// Returns the key of a model with its connections, as TrnMeshPlan.key.
static uint32_t model_key(TrnBlock block, uint32_t connections)
{
    return (uint32_t)block << TRN_FACE_COUNT | connections;
}

/// Returns the plan of a voxel of kind MODEL.
static const TrnMeshPlan *model_find_plan(const TrnMeshWork *work, uint32_t voxel)
{
    const TrnBlock block = trn_mesh_block(work, voxel);
    const uint32_t connections = work->scratch->connections[voxel];
    const uint32_t key = model_key(block, connections);
    TrnMeshPlan *plan = &work->scratch->plans[(key ^ key >> TRN_FACE_COUNT) % TRN_MESH_PLANS];
    if (plan->key != key) {
        plan->key = key;
        model_plan(plan, work->input->types[block].model, connections);
    }
    return plan;
}

// ---- neighbours --------------------------------------------------------------------------------

/// Finds which faces of a side the boxes of the next model cover.
/// @param connections  of the next model
static uint64_t model_find_cover(const TrnMeshPlan *plan, uint32_t face, const TrnBlockModel *next,
                                 uint32_t connections)
{
    const uint32_t cell = face % 2 ? 0 : TRN_BLOCK_GRID - 1;
    uint64_t covered = 0;
    for (uint32_t boxes = trn_block_model_boxes(next, connections) & 255; boxes;
         boxes &= boxes - 1) {
        const TrnBlockBox *box = &next->boxes[__builtin_ctz(boxes)];
        for (uint64_t rest = plan->sides[face]; rest; rest &= rest - 1) {
            const uint32_t i = (uint32_t)__builtin_ctzll(rest);
            covered |= (uint64_t)model_covers(box, face, cell, plan->faces[i].rectangle) << i;
        }
    }
    return covered;
}

/// Works out what a model with a key covers of a side's faces.
static uint64_t model_remember_cover(const TrnMeshWork *work, const TrnMeshPlan *plan,
                                     uint32_t face, uint32_t there, TrnMeshCover *cover)
{
    const TrnBlockModel *model = work->input->types[there >> TRN_FACE_COUNT].model;
    cover->faces =
        model ? model_find_cover(plan, face, model, there & ((1u << TRN_FACE_COUNT) - 1)) : 0;
    return cover->faces;
}

/// Returns the faces of a side that a model with a key covers.
static inline uint64_t model_covered_by(const TrnMeshWork *work, const TrnMeshPlan *plan,
                                        uint32_t face, uint32_t there)
{
    const uint64_t key = plan->key | (uint64_t)there << 22 | (uint64_t)face << 44;
    TrnMeshCover *cover =
        &work->scratch->covers[(plan->key ^ plan->key >> TRN_FACE_COUNT ^ there << 1 ^ face << 5) %
                               TRN_MESH_COVERS];
    if (cover->key == key) {
        return cover->faces;
    }
    cover->key = key;
    return model_remember_cover(work, plan, face, there, cover);
}

/// Returns the faces of a side that the model behind the chunk's border covers, if one is there.
static uint64_t model_covered_outside(const TrnMeshWork *work, const TrnMeshPlan *plan, TrnCoord at,
                                      uint32_t face)
{
    const TrnCoord next = trn_coord_neighbour(at, (TrnFace)face);
    TrnBlock block;
    const TrnBlockType *type = trn_mesh_type_at(work, next.x, next.y, next.z, &block);
    if (type->kind != TRN_BLOCK_KIND_MODEL || !type->model) {
        return 0;
    }
    return model_covered_by(work, plan, face,
                            model_key(block, model_connections(work, type->model, next)));
}

/// Finds the voxels that are not opaque in the rows of one line of the chunk and its border.
static void model_find_clear(const TrnMeshWork *work, int y)
{
    const uint32_t layer = y < 0 ? 0 : y < TRN_MESH_EDGE ? 9 : 18;
    const uint32_t line = (uint32_t)y % TRN_MESH_EDGE * TRN_MESH_EDGE;
    uint64_t *clear = &work->scratch->light.clear[TRN_MESH_LIGHT_ROW(y, -1)];
    for (int z = -1; z <= TRN_MESH_EDGE; z++) {
        const TrnMask *chunks = work->opaque + layer + (z < 0 ? 0 : z < TRN_MESH_EDGE ? 3 : 6);
        const uint32_t row = line + (uint32_t)z % TRN_MESH_EDGE;
        const uint64_t opaque = trn_mask_row(chunks[0], row) >> 31 |
                                (uint64_t)trn_mask_row(chunks[1], row) << 1 |
                                (uint64_t)(trn_mask_row(chunks[2], row) & 1) << 33;
        *clear++ = ~opaque & ((UINT64_C(1) << TRN_LIGHT_EDGE) - 1);
    }
}

/// Returns which of the 27 voxels around one are opaque, as ModelVoxel.opaque.
/// @param clear  the first row of the 27, of TrnMeshLight.clear
static uint32_t model_opaque_around(const uint64_t *clear, uint32_t x)
{
    uint32_t around = 0;
    for (uint32_t y = 0; y < 3; y++) {
        for (uint32_t z = 0; z < 3; z++) {
            around |= (uint32_t)(clear[y * TRN_LIGHT_EDGE + z] >> x & 7) << MODEL_AT(0, y, z);
        }
    }
    return ~around & 0777777777;
}

// ---- ambient occlusion and light ---------------------------------------------------------------

/// Gathers what is opaque in the layers around a model, in all at once: a choice for each face
/// costs more.
static void model_find_layers(ModelVoxel *here)
{
    const uint32_t low = here->opaque & 511, own = here->opaque >> 9 & 511,
                   high = here->opaque >> 18;
    const uint64_t across =
        trn_mesh_layers[low] | trn_mesh_layers[own] << 3 | trn_mesh_layers[high] << 6;
    for (uint32_t i = 0; i < 6; i++) {
        here->layers[i] = across >> 9 * i & 511;
    }
    here->layers[6] = (uint16_t)low;
    here->layers[7] = (uint16_t)own;
    here->layers[8] = (uint16_t)high;
}

/// Decodes the light around a model, as codes that add up.
/// @param codes  [27]
static void model_find_codes(const TrnMeshWork *work, TrnCoord at, uint16_t *codes)
{
    /// Three bits, each in a field of 16.
    static const uint64_t spread[8] = {0,
                                       UINT64_C(1),
                                       UINT64_C(1) << 16,
                                       UINT64_C(1) << 16 | 1,
                                       UINT64_C(1) << 32,
                                       UINT64_C(1) << 32 | 1,
                                       UINT64_C(1) << 32 | UINT64_C(1) << 16,
                                       UINT64_C(1) << 32 | UINT64_C(1) << 16 | 1};
    for (int i = 0; i < 9; i++) {
        const uint32_t row = TRN_MESH_LIGHT_ROW(at.y + i / 3 - 1, at.z + i % 3 - 1);
        const uint64_t clear = work->scratch->light.clear[row] >> at.x & 7;
        uint64_t three = spread[clear] << TRN_MESH_CODE_CLEAR;
        for (uint32_t channel = 0; channel < 2; channel++) {
            const TrnMeshLevels *levels = &work->levels[channel];
            const uint32_t shift = channel * TRN_MESH_CODE_BLOCKS;
            if (!levels->planes) {
                three += (spread[clear] * levels->constant) << shift;
                continue;
            }
            for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
                three += spread[levels->planes[bit][row] >> at.x & clear] << (bit + shift);
            }
        }
        for (int x = 0; x < 3; x++) {
            codes[3 * i + x] = (uint16_t)(three >> 16 * x);
        }
    }
}

static uint32_t model_light(const ModelVoxel *here, const TrnMeshPlanFace *planned)
{
    const uint8_t *steps = model_steps[planned->place >> 16 & 3];
    const uint16_t *front = here->codes + planned->middle;
    uint32_t light = 0;
    for (uint32_t corner = 0; corner < 4; corner++) {
        const ptrdiff_t u = corner & 1 ? 1 : -1, v = corner & 2 ? 1 : -1;
        const bool touches_u = planned->touches >> (4 + u) & 1;
        const bool touches_v = planned->touches >> (4 + 3 * v) & 1;
        uint32_t sum = touches_u ? front[u * steps[0]] : 0u;
        sum += touches_v ? front[v * steps[1]] : 0u;
        sum += touches_u && touches_v && sum ? front[u * steps[0] + v * steps[1]] : 0u;
        sum += front[0];
        light |= ((uint32_t)trn_mesh_mean_sky[sum & 511] | trn_mesh_mean_blocks[sum >> 6])
                 << 8 * corner;
    }
    return light;
}

// ---- faces -------------------------------------------------------------------------------------

/// The models at the sides of a row of voxels, by TrnFace. None are behind the chunk's border.
typedef struct ModelSides {
    uint32_t rows[TRN_FACE_COUNT];
    uint32_t outside; ///< bit f: what is at that side lies behind the border
} ModelSides;

static ModelSides model_find_sides(const TrnMeshWork *work, uint32_t row)
{
    const uint32_t *models = work->scratch->surface_rows[TRN_MESH_MODELS] + row;
    const bool out[4] = {row < TRN_MESH_EDGE, row >= TRN_MESH_ROWS - TRN_MESH_EDGE,
                         row % TRN_MESH_EDGE == 0, row % TRN_MESH_EDGE == TRN_MESH_EDGE - 1};
    const ModelSides sides = {{models[0] << 1, models[0] >> 1, out[0] ? 0 : models[-TRN_MESH_EDGE],
                               out[1] ? 0 : models[TRN_MESH_EDGE], out[2] ? 0 : models[-1],
                               out[3] ? 0 : models[1]},
                              (uint32_t)(out[0] << TRN_FACE_NEG_Y | out[1] << TRN_FACE_POS_Y |
                                         out[2] << TRN_FACE_NEG_Z | out[3] << TRN_FACE_POS_Z)};
    return sides;
}

/// Returns the faces of a model that show, as TrnMeshPlan.all.
static uint64_t model_shown(const TrnMeshWork *work, const ModelVoxel *here,
                            const TrnMeshPlan *plan, const ModelSides *sides)
{
    /// The voxel next to each side, as MODEL_AT, and how far its linear index is away.
    static const uint8_t next[TRN_FACE_COUNT] = {12, 14, 4, 22, 10, 16};
    static const int16_t step[TRN_FACE_COUNT] = {
        -1, 1, -TRN_MESH_ROWS, TRN_MESH_ROWS, -TRN_MESH_EDGE, TRN_MESH_EDGE};
    uint64_t hidden = 0;
    uint32_t models = 0, outside = sides->outside;
    for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
        hidden |= plan->sides[face] & (0 - (uint64_t)(here->opaque >> next[face] & 1));
        models |= (sides->rows[face] >> here->at.x & 1) << face;
    }
    outside |= (uint32_t)(here->at.x == 0) << TRN_FACE_NEG_X;
    outside |= (uint32_t)(here->at.x == TRN_MESH_EDGE - 1) << TRN_FACE_POS_X;
    for (uint32_t rest = models & plan->borders; rest; rest &= rest - 1) {
        const uint32_t face = (uint32_t)__builtin_ctz(rest);
        const uint32_t voxel = (uint32_t)((int32_t)here->voxel + step[face]);
        hidden |= model_covered_by(
            work, plan, face,
            model_key(trn_mesh_block(work, voxel), work->scratch->connections[voxel]));
    }
    for (uint32_t rest = outside & plan->borders; rest; rest &= rest - 1) {
        hidden |= model_covered_outside(work, plan, here->at, (uint32_t)__builtin_ctz(rest));
    }
    return plan->all & ~hidden;
}

/// Two numbers as one, in their order in memory: gcc gathers four of them in a vector, which takes
/// longer.
static inline uint64_t model_pair(uint32_t first, uint32_t second)
{
    const uint32_t pair[2] = {first, second};
    uint64_t both;
    memcpy(&both, pair, sizeof both);
    return both;
}

/// Puts the faces of one model, in even light.
/// @param shown  which, as TrnMeshPlan.all
/// @return how many there are
static size_t model_put(const TrnMeshWork *work, const ModelVoxel *here, const TrnMeshPlan *plan,
                        uint64_t shown, TrnModelFace *faces)
{
    const uint64_t place = model_pair(
        (uint32_t)here->at.x | (uint32_t)here->at.y << 5 | (uint32_t)here->at.z << 10, 0);
    const uint64_t rest =
        model_pair(plan->key >> TRN_FACE_COUNT,
                   TRN_MESH_LIGHT(work->levels[0].constant, work->levels[1].constant));
    TrnModelFace *face = faces;
    for (; shown; shown &= shown - 1, face++) {
        const TrnMeshPlanFace *planned = &plan->faces[__builtin_ctzll(shown)];
        const uint64_t ao = trn_mesh_ao[here->layers[planned->layer] & planned->touches];
        const uint64_t words[2] = {model_pair(planned->place, planned->rectangle) | place,
                                   rest | ao * model_pair(1u << 16, 0)};
        memcpy(face, words, sizeof *face);
    }
    return (size_t)(face - faces);
}

/// Lights the faces of one model. @param shown,faces  as model_put
static void model_put_light(const ModelVoxel *here, const TrnMeshPlan *plan, uint64_t shown,
                            TrnModelFace *faces)
{
    for (; shown; shown &= shown - 1, faces++) {
        faces->light = model_light(here, &plan->faces[__builtin_ctzll(shown)]);
    }
}

/// Prepares the scratch: plans, and what is opaque around the models.
static void model_begin(const TrnMeshWork *work)
{
    const uint32_t *models = work->scratch->surface_rows[TRN_MESH_MODELS];
    for (uint32_t i = 0; i < TRN_MESH_PLANS; i++) {
        work->scratch->plans[i].key = UINT32_MAX;
    }
    for (uint32_t i = 0; i < TRN_MESH_COVERS; i++) {
        work->scratch->covers[i].key = UINT64_MAX;
    }
    int prepared = -1; // the first line that is not
    for (int y = 0; y < TRN_MESH_EDGE; y++) {
        uint32_t any = 0;
        for (int z = 0; z < TRN_MESH_EDGE; z++) {
            any |= models[y * TRN_MESH_EDGE + z];
        }
        for (int i = prepared > y - 1 ? prepared : y - 1; any && i <= y + 1; i++) {
            model_find_clear(work, i);
            prepared = i + 1;
        }
    }
}

/// Returns the coordinates of a voxel.
static TrnCoord model_place(uint32_t voxel)
{
    const TrnCoord at = {(int32_t)(voxel % TRN_MESH_EDGE), (int32_t)(voxel / TRN_MESH_ROWS),
                         (int32_t)(voxel / TRN_MESH_EDGE % TRN_MESH_EDGE)};
    return at;
}

/// Finds the connections of all models of a row.
static void model_connect_row(const TrnMeshWork *work, uint32_t row)
{
    for (uint32_t rest = work->scratch->surface_rows[TRN_MESH_MODELS][row]; rest;
         rest &= rest - 1) {
        const uint32_t voxel = row * TRN_MESH_EDGE + (uint32_t)__builtin_ctz(rest);
        const TrnBlockModel *model = work->input->types[trn_mesh_block(work, voxel)].model;
        work->scratch->connections[voxel] =
            model && model->connects ? (uint8_t)model_connections(work, model, model_place(voxel))
                                     : 0;
    }
}

/// Puts the faces of all models of a row.
/// @return the new count
static size_t model_put_row(const TrnMeshWork *work, uint32_t row, TrnModelFace *faces,
                            size_t capacity, size_t count)
{
    const int32_t y = (int32_t)(row / TRN_MESH_EDGE), z = (int32_t)(row % TRN_MESH_EDGE);
    const uint64_t *clear = &work->scratch->light.clear[TRN_MESH_LIGHT_ROW(y - 1, z - 1)];
    const ModelSides sides = model_find_sides(work, row);
    uint16_t codes[27];
    ModelVoxel here = {.codes = work->has_light ? codes : NULL};
    for (uint32_t rest = work->scratch->surface_rows[TRN_MESH_MODELS][row]; rest;
         rest &= rest - 1) {
        const uint32_t x = (uint32_t)__builtin_ctz(rest);
        here.at = (TrnCoord){(int32_t)x, y, z};
        here.voxel = row * TRN_MESH_EDGE + x;
        here.opaque = model_opaque_around(clear, x);
        if (!work->input->without_ao) {
            model_find_layers(&here);
        }
        if (work->has_light) {
            model_find_codes(work, here.at, codes);
        }
        const TrnMeshPlan *plan = model_find_plan(work, here.voxel);
        const uint64_t shown = model_shown(work, &here, plan, &sides);
        // Without room they are only counted.
        TrnModelFace spare[MODEL_FACES_MAX];
        const bool has_room = count + MODEL_FACES_MAX <= capacity;
        TrnModelFace *put = has_room ? faces + count : spare;
        const size_t added = model_put(work, &here, plan, shown, put);
        if (here.codes) {
            model_put_light(&here, plan, shown, put);
        }
        if (!has_room && added > 0 && count + added <= capacity) {
            memcpy(faces + count, spare, added * sizeof *spare);
        }
        count += added;
    }
    return count;
}

size_t trn_mesh_put_models(TrnMeshWork *work, TrnModelFace *faces, size_t capacity)
{
    size_t count = 0;
    model_begin(work);
    for (uint32_t row = 0; row < TRN_MESH_ROWS; row++) {
        model_connect_row(work, row);
    }
    for (uint32_t row = 0; row < TRN_MESH_ROWS; row++) {
        if (work->scratch->surface_rows[TRN_MESH_MODELS][row]) {
            count = model_put_row(work, row, faces, capacity, count);
        }
    }
    return count;
}
