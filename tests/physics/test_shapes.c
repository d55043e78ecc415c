// Rays, overlap tests and sweeps among models, compared with a grid of 1/16 voxel that tests every
// cell: random models, connected to their neighbours, across chunk borders and at the ends of the
// world.

#include "testing.h"

#include <math.h>
#include <terrane/body.h>
#include <terrane/raycast.h>

#define LOW INT64_C(24) ///< the first voxel of the grid, from the lowest corner of the eight chunks
#define PARTS INT64_C(16) ///< of a voxel

enum { VOXELS = 16, CELLS = VOXELS * 16, MODELS = 24 };

/// What a cell of the grid is in.
enum { CELL_FREE, CELL_UNLOADED, CELL_SOLID, CELL_THIN /* a model that is not solid */ };

typedef struct Land {
    TrnStore *store;
    TrnBlockTypes *types;
    TrnBlock models[MODELS];
    int64_t lowest[3]; ///< chunk; of the eight chunks, some may lie outside the world
    bool loaded[8];
    TrnBlock blocks[8][TRN_CHUNK_VOXELS];
    uint8_t cells[CELLS][CELLS][CELLS]; ///< [y][z][x]
} Land;

// ---- a world ------------------------------------------------------------------------------------

/// Makes a model with a box in each of some octants, some of which depend on neighbours.
static TrnBlockModel random_model(TestRandom *random)
{
    TrnBlockModel model = {.box_count = (uint32_t)test_random_range(random, 1, 8),
                           .connects = (uint8_t)test_random_range(random, 0, 2)};
    for (uint32_t i = 0; i < model.box_count; i++) {
        TrnBlockBox *box = &model.boxes[i];
        for (int axis = 0; axis < 3; axis++) {
            const int64_t low = (int64_t)(i >> axis & 1) * 8;
            const bool is_whole = test_random_range(random, 0, 1);
            box->min[axis] = (uint8_t)(low + (is_whole ? 0 : test_random_range(random, 0, 4)));
            box->max[axis] = (uint8_t)(low + (is_whole ? 8 : test_random_range(random, 5, 8)));
        }
        if (model.connects && test_random_range(random, 0, 1)) {
            box->connected = (uint8_t)(1u << test_random_range(random, 0, 5));
            box->unconnected = (uint8_t)(1u << test_random_range(random, 0, 5) & ~box->connected);
        }
    }
    return model;
}

static void add_models(Land *land, TestRandom *random)
{
    for (int i = 0; i < MODELS; i += 4) {
        char name[16];
        snprintf(name, sizeof name, "test:%d", i);
        const TrnBlockModel model = random_model(random);
        TrnBlockType type = trn_block_type_def(name, TRN_BLOCK_KIND_MODEL);
        type.model = &model;
        type.is_solid = i % 3 != 0;
        TrnBlock first;
        assert_int_equal(trn_block_types_add_family(land->types, &type, 4, &first), TRN_RESULT_OK);
        for (uint32_t turn = 0; turn < 4; turn++) {
            land->models[i + (int)turn] = trn_block_types_variant(land->types, first, turn);
        }
    }
}

static bool is_in_world(const Land *land, uint32_t place)
{
    bool is_in = true;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t chunk = land->lowest[axis] + (place >> axis & 1);
        is_in &= chunk >= INT32_MIN && chunk <= INT32_MAX;
    }
    return is_in;
}

static TrnBlock random_block(const Land *land, TestRandom *random)
{
    const int64_t pick = test_random_range(random, 0, 15);
    return pick < 8   ? TRN_BLOCK_AIR
           : pick < 9 ? TRN_BLOCK_STONE
                      : land->models[test_random_range(random, 0, MODELS - 1)];
}

/// Fills a chunk: with one block, or at random where the grid is.
static void fill_chunk(Land *land, TestRandom *random, uint32_t place)
{
    const int64_t pick = test_random_range(random, 0, 15);
    land->loaded[place] = is_in_world(land, place) && pick != 0;
    if (!land->loaded[place]) {
        return;
    }
    const TrnCoord coord = {(int32_t)(land->lowest[0] + (place & 1)),
                            (int32_t)(land->lowest[1] + (place >> 1 & 1)),
                            (int32_t)(land->lowest[2] + (place >> 2 & 1))};
    const bool is_uniform = pick < 3;
    const TrnBlock one = random_block(land, random);
    TrnBlock *blocks = land->blocks[place];
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const uint32_t local[3] = {i & 31, i >> 10, i >> 5 & 31};
        bool is_near = true;
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t at = local[axis] + (place >> axis & 1) * 32;
            is_near &= at >= LOW && at < LOW + VOXELS;
        }
        blocks[i] = is_uniform ? one : is_near ? random_block(land, random) : TRN_BLOCK_AIR;
    }
    TrnChunk *chunk;
    assert_int_equal(trn_store_insert_uniform(land->store, coord, one, &chunk), TRN_RESULT_OK);
    if (!is_uniform) {
        assert_int_equal(trn_store_set_voxels(land->store, chunk, blocks), TRN_RESULT_OK);
    }
}

/// The block at a voxel from the lowest corner of the eight chunks; air if not loaded.
static TrnBlock block_at(const Land *land, const int64_t at[3], bool *loaded)
{
    const uint32_t place = (uint32_t)(at[0] >> 5 & 1) | (uint32_t)(at[1] >> 5 & 1) << 1 |
                           (uint32_t)(at[2] >> 5 & 1) << 2;
    *loaded = land->loaded[place];
    return *loaded ? land->blocks[place][trn_local_index((uint32_t)at[0] & 31, (uint32_t)at[1] & 31,
                                                         (uint32_t)at[2] & 31)]
                   : TRN_BLOCK_AIR;
}

/// The sides at which a model connects, worked out anew.
static uint32_t sides_at(const Land *land, const int64_t at[3], const TrnBlockModel *model)
{
    uint32_t sides = 0;
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        int64_t next[3] = {at[0], at[1], at[2]};
        next[face / 2] += face % 2 ? 1 : -1;
        bool loaded;
        const TrnBlock block = block_at(land, next, &loaded);
        const TrnBlockType *type = trn_block_types_get(land->types, block);
        const bool connects = type->kind == TRN_BLOCK_KIND_OPAQUE ||
                              (type->model && type->model->connects == model->connects);
        sides |= (uint32_t)(connects && model->connects) << face;
    }
    return sides;
}

static void fill_cells(Land *land, const int64_t at[3], const uint8_t min[3], const uint8_t max[3],
                       uint8_t what)
{
    for (int y = min[1]; y < max[1]; y++) {
        for (int z = min[2]; z < max[2]; z++) {
            memset(&land->cells[(at[1] - LOW) * PARTS + y][(at[2] - LOW) * PARTS + z]
                               [(at[0] - LOW) * PARTS + min[0]],
                   what, (size_t)(max[0] - min[0]));
        }
    }
}

static void fill_voxel(Land *land, const int64_t at[3])
{
    static const uint8_t none[3] = {0, 0, 0}, all[3] = {16, 16, 16};
    bool loaded;
    const TrnBlockType *type = trn_block_types_get(land->types, block_at(land, at, &loaded));
    if (!type->model) {
        fill_cells(land, at, none, all,
                   !loaded          ? CELL_UNLOADED
                   : type->is_solid ? CELL_SOLID
                                    : CELL_FREE);
        return;
    }
    const uint32_t sides = sides_at(land, at, type->model);
    for (uint32_t i = 0; i < type->model->box_count; i++) {
        const TrnBlockBox *box = &type->model->boxes[i];
        if ((box->connected & ~sides) == 0 && (box->unconnected & sides) == 0) {
            fill_cells(land, at, box->min, box->max, type->is_solid ? CELL_SOLID : CELL_THIN);
        }
    }
}

static void land_begin(Land *land, TestRandom *random)
{
    static const int64_t lowests[] = {
        -1, 7, INT32_MAX, INT32_MAX - 1, INT64_C(-1) + INT32_MIN, INT32_MIN};
    memset(land->cells, CELL_FREE, sizeof land->cells);
    assert_int_equal(trn_block_types_create_builtin(NULL, &land->types), TRN_RESULT_OK);
    add_models(land, random);
    TrnStoreDef def = trn_store_def();
    def.types = land->types;
    assert_int_equal(trn_store_create(&def, &land->store), TRN_RESULT_OK);
    for (int axis = 0; axis < 3; axis++) {
        land->lowest[axis] = lowests[test_random_range(random, 0, 5)];
    }
    for (uint32_t place = 0; place < 8; place++) {
        fill_chunk(land, random, place);
    }
    int64_t at[3];
    for (at[1] = LOW; at[1] < LOW + VOXELS; at[1]++) {
        for (at[2] = LOW; at[2] < LOW + VOXELS; at[2]++) {
            for (at[0] = LOW; at[0] < LOW + VOXELS; at[0]++) {
                fill_voxel(land, at);
            }
        }
    }
}

static void land_end(Land *land)
{
    trn_store_destroy(land->store);
    trn_block_types_destroy(land->types);
}

/// @param parts  64ths of a voxel from the grid's corner
static TrnPosition position_of(const Land *land, const int64_t parts[3])
{
    TrnPosition position;
    int32_t *const chunk[3] = {&position.chunk.x, &position.chunk.y, &position.chunk.z};
    for (int axis = 0; axis < 3; axis++) {
        const int64_t at = parts[axis] + LOW * 64;
        *chunk[axis] = (int32_t)(land->lowest[axis] + (at >> 11));
        position.offset[axis] = (double)(at & 2047) / 64;
    }
    return position;
}

static bool is_position_in_world(const Land *land, const int64_t parts[3])
{
    bool is_in = true;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t chunk = land->lowest[axis] + ((parts[axis] + LOW * 64) >> 11);
        is_in &= chunk >= INT32_MIN && chunk <= INT32_MAX;
    }
    return is_in;
}

// ---- boxes --------------------------------------------------------------------------------------

/// A box in cells of the grid.
typedef struct Cells {
    int64_t low[3], high[3];
} Cells;

/// What a box overlaps: the strongest of CELL_SOLID, CELL_UNLOADED, CELL_FREE.
static int cells_in(const Land *land, const Cells *box)
{
    int found = CELL_FREE;
    for (int64_t y = box->low[1]; y < box->high[1]; y++) {
        for (int64_t z = box->low[2]; z < box->high[2]; z++) {
            for (int64_t x = box->low[0]; x < box->high[0]; x++) {
                const uint8_t cell = land->cells[y][z][x];
                found = cell == CELL_SOLID ? CELL_SOLID : found ? found : cell == CELL_UNLOADED;
            }
        }
    }
    return found;
}

/// Chooses a box in the middle of the grid, whose bottom lies in the world.
static Cells random_box(const Land *land, TestRandom *random, TrnPosition *bottom, double size[3])
{
    Cells box;
    int64_t parts[3];
    do {
        for (int axis = 0; axis < 3; axis++) {
            const int64_t half = test_random_range(random, 1, axis == 1 ? 14 : 10);
            const int64_t middle = test_random_range(random, 5 * PARTS, 11 * PARTS);
            box.low[axis] = middle - half;
            box.high[axis] = middle + half;
            size[axis] = (double)(2 * half) / PARTS;
            parts[axis] = axis == 1 ? box.low[1] * 4 : middle * 4;
        }
    } while (!is_position_in_world(land, parts));
    *bottom = position_of(land, parts);
    return box;
}

static void overlap_tests_find_exactly_the_boxes_of_solid_models(void **state)
{
    (void)state;
    Land *land = malloc(sizeof *land);
    assert_non_null(land);
    TestRandom random = test_random_seeded(0x5A9E);
    uint32_t found[3] = {0};
    for (uint32_t world = 0; world < test_rounds(6, 2); world++) {
        land_begin(land, &random);
        for (uint32_t i = 0; i < test_rounds(2000, 200); i++) {
            TrnPosition bottom;
            double size[3];
            const Cells box = random_box(land, &random, &bottom, size);
            TrnOverlap overlap;
            assert_int_equal(trn_store_overlap(land->store, bottom, size, &overlap), TRN_RESULT_OK);
            const int expected = cells_in(land, &box);
            assert_int_equal(overlap.solid, expected == CELL_SOLID);
            assert_true(expected != CELL_UNLOADED || overlap.unloaded);
            found[expected]++;
        }
        land_end(land);
    }
    assert_true(found[CELL_SOLID] > 10 && found[CELL_FREE] > 10);
    free(land);
}

// ---- sweeps -------------------------------------------------------------------------------------

typedef struct Sweep {
    Cells box;
    bool hit[TRN_FACE_COUNT];
    bool unloaded;
    int64_t stepped;
} Sweep;

/// Moves cell by cell. @param obstacle  receives what stopped it  @return how far
static int64_t go(const Land *land, Cells *box, int axis, int64_t motion, int *obstacle)
{
    const int64_t by = motion < 0 ? -1 : 1;
    int64_t gone = 0;
    *obstacle = CELL_FREE;
    while (gone != motion) {
        Cells layer = *box;
        layer.low[axis] = by > 0 ? box->high[axis] : box->low[axis] - 1;
        layer.high[axis] = layer.low[axis] + 1;
        *obstacle = cells_in(land, &layer);
        if (*obstacle != CELL_FREE) {
            break;
        }
        box->low[axis] += by;
        box->high[axis] += by;
        gone += by;
    }
    return gone;
}

static int64_t climb(const Land *land, Sweep *sweep, int axis, int64_t motion, int64_t most)
{
    Cells raised = sweep->box;
    int ignored;
    if (go(land, &raised, 1, -1, &ignored) != 0) {
        return 0; // does not stand
    }
    for (int64_t up = 1; up <= most && go(land, &raised, 1, 1, &ignored) != 0; up++) {
        Cells on = raised;
        const int64_t gone = go(land, &on, axis, motion, &ignored);
        if (gone != 0) {
            int below;
            const int64_t down = go(land, &on, 1, -up, &below);
            sweep->hit[TRN_FACE_NEG_Y] |= below != CELL_FREE;
            sweep->unloaded |= below == CELL_UNLOADED;
            sweep->stepped += up + down;
            sweep->box = on;
            return gone;
        }
    }
    return 0;
}

static void sweep_axis(const Land *land, Sweep *sweep, int axis, int64_t motion, int64_t step)
{
    int obstacle = CELL_FREE;
    while (motion != 0) {
        motion -= go(land, &sweep->box, axis, motion, &obstacle);
        const int64_t on = motion != 0 && axis != 1 ? climb(land, sweep, axis, motion, step) : 0;
        if (on == 0) {
            break;
        }
        motion -= on;
    }
    if (motion != 0) {
        sweep->hit[2 * axis + (motion > 0)] = true;
        sweep->unloaded |= obstacle == CELL_UNLOADED;
    }
}

static Sweep reference_sweep(const Land *land, const Cells *box, const int64_t motion[3],
                             int64_t step)
{
    Sweep sweep = {.box = *box};
    const int first = llabs(motion[0]) >= llabs(motion[2]) ? 0 : 2;
    sweep_axis(land, &sweep, 1, motion[1], step);
    sweep_axis(land, &sweep, first, motion[first], step);
    sweep_axis(land, &sweep, 2 - first, motion[2 - first], step);
    return sweep;
}

static void sweeps_stop_at_boxes_and_climb_them(void **state)
{
    (void)state;
    Land *land = malloc(sizeof *land);
    assert_non_null(land);
    TestRandom random = test_random_seeded(0x57E9);
    uint32_t climbed = 0, stopped = 0;
    for (uint32_t world = 0; world < test_rounds(12, 6); world++) {
        land_begin(land, &random);
        for (uint32_t i = 0; i < test_rounds(1500, 600); i++) {
            TrnPosition bottom;
            double size[3], voxels[3];
            int64_t motion[3];
            const Cells box = random_box(land, &random, &bottom, size);
            if (cells_in(land, &box) != CELL_FREE) {
                continue; // what it overlaps would not stop it
            }
            for (int axis = 0; axis < 3; axis++) {
                motion[axis] = test_random_range(&random, -32, 32);
                voxels[axis] = (double)motion[axis] / PARTS;
            }
            motion[1] = test_random_range(&random, 0, 1) ? -16 : motion[1];
            voxels[1] = (double)motion[1] / PARTS;
            const int64_t height = box.high[1] - box.low[1];
            const int64_t step = test_random_range(&random, 0, height < 20 ? height : 20);
            const Sweep expected = reference_sweep(land, &box, motion, step);
            TrnSweep sweep;
            assert_int_equal(
                trn_store_sweep(land->store, bottom, size, voxels, (double)step / PARTS, &sweep),
                TRN_RESULT_OK);
            const int64_t parts[3] = {(expected.box.low[0] + expected.box.high[0]) * 2,
                                      expected.box.low[1] * 4,
                                      (expected.box.low[2] + expected.box.high[2]) * 2};
            const TrnPosition end = position_of(land, parts);
            assert_true(trn_coord_equal(sweep.bottom.chunk, end.chunk));
            for (int axis = 0; axis < 3; axis++) {
                assert_true(sweep.bottom.offset[axis] == end.offset[axis]);
            }
            assert_memory_equal(sweep.hit, expected.hit, sizeof sweep.hit);
            assert_int_equal(sweep.unloaded, expected.unloaded);
            assert_true(sweep.step_height == (double)expected.stepped / PARTS);
            climbed += expected.stepped > 0;
            stopped += expected.hit[0] || expected.hit[1];
        }
        land_end(land);
    }
    assert_true(climbed > 5 && stopped > 5);
    free(land);
}

// ---- rays ---------------------------------------------------------------------------------------

/// A ray in 64ths of a voxel, so that planes are at multiples of 4.
typedef struct ExactRay {
    int64_t at[3], direction[3];
    double distance_max;
} ExactRay;

typedef struct ExactHit {
    bool is_hit;
    int64_t cell[3];
    TrnFace face;
    double distance;
} ExactHit;

static double ray_length(const ExactRay *ray)
{
    double squares = 0;
    for (int axis = 0; axis < 3; axis++) {
        squares += (double)(ray->direction[axis] * ray->direction[axis]);
    }
    return sqrt(squares);
}

/// 64ths to the next plane along an axis.
static int64_t way_to_plane(const ExactRay *ray, const int64_t cell[3], int axis)
{
    return ray->direction[axis] > 0 ? (cell[axis] + 1) * 4 - ray->at[axis]
                                    : ray->at[axis] - cell[axis] * 4;
}

/// Walks from cell to cell, equal times x before y before z.
static ExactHit reference_ray(const Land *land, const ExactRay *ray, bool meets_thin)
{
    ExactHit hit = {.face = TRN_FACE_COUNT};
    for (int axis = 0; axis < 3; axis++) {
        hit.cell[axis] = ray->at[axis] >> 2;
    }
    for (;;) {
        for (int axis = 0; axis < 3; axis++) {
            if (hit.cell[axis] < 0 || hit.cell[axis] >= CELLS) {
                return hit;
            }
        }
        const uint8_t cell = land->cells[hit.cell[1]][hit.cell[2]][hit.cell[0]];
        hit.is_hit = cell == CELL_SOLID || (meets_thin && cell == CELL_THIN);
        int next = -1;
        for (int axis = 0; axis < 3; axis++) {
            const int64_t speed = llabs(ray->direction[axis]);
            if (speed != 0 &&
                (next < 0 || way_to_plane(ray, hit.cell, axis) * llabs(ray->direction[next]) <
                                 way_to_plane(ray, hit.cell, next) * speed)) {
                next = axis;
            }
        }
        const double distance = (double)way_to_plane(ray, hit.cell, next) * ray_length(ray) /
                                (double)llabs(ray->direction[next]) / 64;
        if (hit.is_hit || distance > ray->distance_max) {
            return hit;
        }
        const bool is_up = ray->direction[next] > 0;
        hit.cell[next] += is_up ? 1 : -1;
        hit.face = (TrnFace)(2 * next + !is_up);
        hit.distance = distance;
    }
}

static ExactRay random_ray(const Land *land, TestRandom *random)
{
    ExactRay ray;
    do {
        const int64_t grain = test_random_range(random, 0, 1) ? 4 : 1; // often on planes
        for (int axis = 0; axis < 3; axis++) {
            ray.at[axis] =
                test_random_range(random, INT64_C(4) * 64, INT64_C(12) * 64) / grain * grain;
            ray.direction[axis] = test_random_range(random, -4, 4);
        }
        // Never exactly a distance to a plane, which rounds differently here.
        ray.distance_max = (double)test_random_range(random, 1, 600) / 100 + 1e-5;
    } while (ray_length(&ray) == 0 || !is_position_in_world(land, ray.at));
    return ray;
}

static void check_ray(const Land *land, const ExactRay *ray, const uint32_t *stops,
                      const ExactHit *expected)
{
    const double direction[3] = {(double)ray->direction[0], (double)ray->direction[1],
                                 (double)ray->direction[2]};
    const TrnRayDef def = {.distance_max = ray->distance_max, .stops = stops};
    TrnRayHit hit;
    assert_int_equal(
        trn_store_raycast(land->store, position_of(land, ray->at), direction, &def, &hit),
        TRN_RESULT_OK);
    assert_int_equal(hit.end == TRN_RAY_END_BLOCK, expected->is_hit);
    if (!expected->is_hit) {
        return;
    }
    const int64_t voxel[3] = {hit.voxel.x, hit.voxel.y, hit.voxel.z};
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(voxel[axis], land->lowest[axis] * 32 + LOW + expected->cell[axis] / PARTS);
    }
    assert_int_equal(hit.face, expected->face);
    assert_true(fabs(hit.distance - expected->distance) <= 1e-13);
}

static void rays_meet_boxes_as_cells_of_the_grid(void **state)
{
    (void)state;
    Land *land = malloc(sizeof *land);
    assert_non_null(land);
    TestRandom random = test_random_seeded(0x8A7);
    uint32_t stops[TRN_BLOCK_BITS_WORDS], hits = 0, misses = 0;
    for (uint32_t world = 0; world < test_rounds(20, 3); world++) {
        land_begin(land, &random);
        trn_block_types_kind_bits(land->types,
                                  1u << TRN_BLOCK_KIND_OPAQUE | 1u << TRN_BLOCK_KIND_MODEL, stops);
        for (uint32_t i = 0; i < test_rounds(4000, 500); i++) {
            const ExactRay ray = random_ray(land, &random);
            const bool meets_thin = i % 2;
            const ExactHit expected = reference_ray(land, &ray, meets_thin);
            check_ray(land, &ray, meets_thin ? stops : NULL, &expected);
            hits += expected.is_hit && expected.face != TRN_FACE_COUNT;
            misses += !expected.is_hit;
        }
        land_end(land);
    }
    assert_true(hits > 100 && misses > 100);
    free(land);
}

/// Also at the upper end of the world, where an offset of 32 lies in the last voxel.
static void a_model_of_a_whole_voxel_stops_rays_as_a_block_does(void **state)
{
    (void)state;
    const TrnBlockModel whole = {.box_count = 1, .boxes = {{.max = {16, 16, 16}}}};
    TrnBlockType type = trn_block_type_def("test:whole", TRN_BLOCK_KIND_MODEL);
    type.model = &whole;
    const TrnCoord last = {INT32_MAX, INT32_MAX, INT32_MAX};
    TrnStore *store;
    TrnBlock model;
    const TrnStoreDef def = trn_store_def();
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_add(trn_store_block_types(store), &type, &model),
                     TRN_RESULT_OK);
    const TrnBlock blocks[2] = {TRN_BLOCK_STONE, model};
    static const double offsets[] = {29.5, 30, 31, 31.5, 32};
    for (int pick = 0; pick < 5 * 5 * 5 * 27; pick++) {
        const int turn = pick % 27, from = pick / 27;
        const int x = turn % 3 - 1, y = turn / 3 % 3 - 1, z = turn / 9 - 1;
        const double direction[3] = {x, y, z};
        const TrnPosition origin = {last,
                                    {offsets[from % 5], offsets[from / 5 % 5], offsets[from / 25]}};
        TrnRayHit hits[2] = {{.end = TRN_RAY_END_DISTANCE}};
        for (int i = 0; i < 2 && turn != 13; i++) {
            TrnChunk *chunk = trn_store_find(store, last);
            if (!chunk) {
                assert_int_equal(trn_store_insert_uniform(store, last, TRN_BLOCK_AIR, &chunk),
                                 TRN_RESULT_OK);
            }
            TrnVoxel voxel = trn_coord_voxel(last);
            voxel.x += 31;
            voxel.y += 31;
            voxel.z += 31;
            assert_int_equal(trn_store_set_block(store, voxel, blocks[i], NULL), TRN_RESULT_OK);
            assert_int_equal(trn_store_raycast(store, origin, direction, NULL, &hits[i]),
                             TRN_RESULT_OK);
        }
        assert_int_equal(hits[0].end, hits[1].end);
        assert_int_equal(hits[0].face, hits[1].face);
        assert_true(hits[0].distance == hits[1].distance);
        assert_memory_equal(&hits[0].voxel, &hits[1].voxel, sizeof(TrnVoxel));
    }
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_tests_find_exactly_the_boxes_of_solid_models),
        cmocka_unit_test(sweeps_stop_at_boxes_and_climb_them),
        cmocka_unit_test(rays_meet_boxes_as_cells_of_the_grid),
        cmocka_unit_test(a_model_of_a_whole_voxel_stops_rays_as_a_block_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
