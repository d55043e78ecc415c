#include "spawn_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPAWN_COLUMNS ((int64_t)TRN_CHUNK_EDGE * TRN_CHUNK_EDGE)
#define SPAWN_FALL_MAX 64      ///< voxels below a place that is told
#define SPAWN_TOWERS_MAX 16384 ///< that are loaded; a sea may be larger

/// What a search works with.
typedef struct SpawnWork {
    const TrnStreamSource *source;
    const TrnBlockTypes *types;
    TrnVoxel wished;
    bool has_ground, has_any;
    TrnVoxel ground, any;                 ///< the nearest solid ground; the nearest surface at all
    double ground_distance, any_distance; ///< squared, along x and z
    bool is_open[SPAWN_COLUMNS];          ///< under open sky so far, of a tower
    uint32_t open_count;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} SpawnWork;

/// A tower of chunks, or a part of it.
typedef struct SpawnTower {
    double distance; ///< squared, of its nearest voxel
    SpawnRun run;
} SpawnTower;

bool spawn_search_add(SpawnSearch *search, TrnCoord coord)
{
    SpawnRun *last = search->count ? &search->runs[search->count - 1] : NULL;
    if (last && last->coord.x == coord.x && last->coord.z == coord.z &&
        (int64_t)last->coord.y + last->count == coord.y) {
        last->count++;
        return true;
    }
    if (!search->runs || search->count == search->capacity) {
        const size_t capacity = search->capacity ? 2 * search->capacity : 256;
        SpawnRun *runs = realloc(search->runs, capacity * sizeof *runs);
        if (!runs) {
            return false;
        }
        search->runs = runs;
        search->capacity = capacity;
    }
    search->runs[search->count++] = (SpawnRun){coord, 1};
    return true;
}

void spawn_search_free(SpawnSearch *search)
{
    free(search->runs);
    *search = (SpawnSearch){0};
}

/// Loads a chunk. @return false if it is air
static bool spawn_load(SpawnWork *work, TrnCoord coord)
{
    const TrnStreamJob job = {.coord = coord};
    bool uniform = false;
    if (work->source->load(work->source->user, &job, work->blocks, &uniform) != TRN_RESULT_OK ||
        (uniform && work->blocks[0] == TRN_BLOCK_AIR)) {
        return false;
    }
    for (uint32_t i = 1; uniform && i < TRN_CHUNK_VOXELS; i++) {
        work->blocks[i] = work->blocks[0];
    }
    return true;
}

// ---- the place that is told ---------------------------------------------------------------------

static const TrnBlockType *spawn_type(SpawnWork *work, TrnVoxel voxel)
{
    const bool has_any = spawn_load(work, trn_voxel_chunk(voxel));
    return trn_block_types_get(work->types, has_any ? work->blocks[trn_voxel_local_index(voxel)]
                                                    : TRN_BLOCK_AIR);
}

static bool spawn_is_free(const TrnBlockType *type)
{
    return !type->is_solid && type->kind != TRN_BLOCK_KIND_LIQUID;
}

/// Whether a body fits at the wished place, and falls to solid ground from there.
static bool spawn_stand_below(SpawnWork *work, TrnVoxel *found)
{
    TrnVoxel at = work->wished;
    const TrnVoxel head = {at.x, at.y + 1, at.z};
    if (!trn_voxel_in_world(head) || !spawn_is_free(spawn_type(work, head))) {
        return false;
    }
    for (int i = 0; i < SPAWN_FALL_MAX && trn_voxel_in_world(at); i++, at.y--) {
        const TrnBlockType *type = spawn_type(work, at);
        if (!spawn_is_free(type)) {
            *found = (TrnVoxel){at.x, at.y + 1, at.z};
            return i > 0 && type->is_solid;
        }
    }
    return false;
}

// ---- the nearest --------------------------------------------------------------------------------

static double spawn_gap(int64_t low, int64_t wished)
{
    const int64_t high = low + TRN_CHUNK_EDGE - 1;
    return wished < low ? (double)(low - wished) : wished > high ? (double)(wished - high) : 0;
}

/// The squared distance of a tower's nearest voxel.
static double spawn_distance(TrnCoord coord, TrnVoxel wished)
{
    const double x = spawn_gap((int64_t)coord.x * TRN_CHUNK_EDGE, wished.x);
    const double z = spawn_gap((int64_t)coord.z * TRN_CHUNK_EDGE, wished.z);
    return x * x + z * z;
}

/// By distance, then by tower, the highest part of each first.
static int spawn_compare(const void *a, const void *b)
{
    const SpawnTower *one = a, *other = b;
    if (one->distance != other->distance) {
        return one->distance < other->distance ? -1 : 1;
    }
    const TrnCoord left = one->run.coord, right = other->run.coord;
    const int by_x = (left.x > right.x) - (left.x < right.x);
    const int by_z = (left.z > right.z) - (left.z < right.z);
    const int by_y = (right.y > left.y) - (right.y < left.y);
    return by_x ? by_x : by_z ? by_z : by_y;
}

/// Takes the first voxel from above of a column that is not air.
static void spawn_take(SpawnWork *work, TrnVoxel voxel, bool is_ground)
{
    const double x = (double)(voxel.x - work->wished.x), z = (double)(voxel.z - work->wished.z);
    const double distance = x * x + z * z;
    const TrnVoxel above = {voxel.x, voxel.y + 1, voxel.z};
    if (is_ground && (!work->has_ground || distance < work->ground_distance)) {
        work->has_ground = true;
        work->ground = above;
        work->ground_distance = distance;
    }
    if (!work->has_any || distance < work->any_distance) {
        work->has_any = true;
        work->any = above;
        work->any_distance = distance;
    }
}

/// Looks down on a chunk whose columns are open so far.
static void spawn_look_down(SpawnWork *work, TrnCoord coord)
{
    const TrnVoxel corner = trn_coord_voxel(coord);
    for (int64_t y = TRN_CHUNK_EDGE - 1; y >= 0 && work->open_count > 0; y--) {
        const TrnBlock *layer = work->blocks + y * SPAWN_COLUMNS;
        for (int64_t i = 0; i < SPAWN_COLUMNS; i++) {
            if (!work->is_open[i] || layer[i] == TRN_BLOCK_AIR) {
                continue;
            }
            const TrnBlockType *type = trn_block_types_get(work->types, layer[i]);
            const TrnVoxel voxel = {corner.x + i % TRN_CHUNK_EDGE, corner.y + y,
                                    corner.z + i / TRN_CHUNK_EDGE};
            spawn_take(work, voxel, type->is_solid);
            if (!spawn_is_free(type)) {
                work->is_open[i] = false;
                work->open_count--;
            }
        }
    }
}

static void spawn_search_part(SpawnWork *work, SpawnRun run)
{
    for (uint32_t i = run.count; i > 0 && work->open_count > 0; i--) {
        const TrnCoord coord = trn_coord_add(run.coord, 0, (int32_t)i - 1, 0);
        if (spawn_load(work, coord)) {
            spawn_look_down(work, coord);
        }
    }
}

/// Searches towers in their order until no other can be nearer.
static void spawn_search_towers(SpawnWork *work, const SpawnTower *towers, size_t count)
{
    size_t tower_count = 0;
    for (size_t i = 0; i < count; i++) {
        const TrnCoord coord = towers[i].run.coord;
        const bool is_new =
            i == 0 || coord.x != towers[i - 1].run.coord.x || coord.z != towers[i - 1].run.coord.z;
        if (is_new) {
            if (tower_count++ == SPAWN_TOWERS_MAX ||
                (work->has_ground && work->ground_distance <= towers[i].distance)) {
                return;
            }
            memset(work->is_open, true, sizeof work->is_open);
            work->open_count = SPAWN_COLUMNS;
        }
        spawn_search_part(work, towers[i].run);
    }
}

static bool spawn_find_nearest(SpawnWork *work, const SpawnSearch *search, TrnVoxel *found)
{
    SpawnTower *towers = search->count ? malloc(search->count * sizeof *towers) : NULL;
    if (!towers) {
        return false;
    }
    for (size_t i = 0; i < search->count; i++) {
        const SpawnRun run = search->runs[i];
        towers[i] = (SpawnTower){spawn_distance(run.coord, work->wished), run};
    }
    qsort(towers, search->count, sizeof *towers, spawn_compare);
    spawn_search_towers(work, towers, search->count);
    free(towers);
    *found = work->has_ground ? work->ground : work->any;
    return work->has_ground || work->has_any;
}

bool spawn_search_run(SpawnSearch *search, const TrnStreamSource *source,
                      const TrnBlockTypes *types, TrnVoxel wished, bool is_told, TrnVoxel *found)
{
    SpawnWork *work = calloc(1, sizeof *work);
    if (!work) {
        return false;
    }
    work->source = source;
    work->types = types;
    work->wished = wished;
    const bool has_place =
        (is_told && spawn_stand_below(work, found)) || spawn_find_nearest(work, search, found);
    free(work);
    return has_place;
}

// ---- worlds in storages -------------------------------------------------------------------------

static bool spawn_add_row(void *user, const TrnStorageRow *row)
{
    return spawn_search_add(user, row->key.coord);
}

/// How far around a place chunks are listed at first.
#define SPAWN_REACH 8

/// The chunks at most so far from a coordinate.
static TrnBox spawn_box(TrnCoord center, int64_t reach)
{
    const int64_t low = INT32_MIN, high = INT32_MAX;
    const int64_t at[2] = {center.x, center.z};
    int64_t sides[2][2];
    for (int i = 0; i < 2; i++) {
        sides[i][0] = at[i] - reach < low ? low : at[i] - reach;
        sides[i][1] = at[i] + reach > high ? high : at[i] + reach;
    }
    return (TrnBox){{(int32_t)sides[0][0], (int32_t)low, (int32_t)sides[1][0]},
                    {(int32_t)sides[0][1], (int32_t)high, (int32_t)sides[1][1]}};
}

bool spawn_search_world(const TrnStorage *storage, const TrnStreamSource *source,
                        const TrnBlockTypes *types, TrnVoxel wished, TrnVoxel *found)
{
    SpawnSearch search = {0};
    bool has_place = spawn_search_run(&search, source, types, wished, true, found);
    for (int64_t reach = SPAWN_REACH; !has_place; reach *= 64) { // listing reads what it lists
        const TrnStorageRange range = {.box = spawn_box(trn_voxel_chunk(wished), reach)};
        search.count = 0;
        if (storage->list(storage->user, &range, spawn_add_row, &search) != TRN_RESULT_OK) {
            break;
        }
        has_place = spawn_search_run(&search, source, types, wished, false, found);
        if (reach > INT64_C(1) << 32) {
            break;
        }
    }
    spawn_search_free(&search);
    return has_place;
}

/// The sum of some chunks' distances from a place, in chunks.
typedef struct SpawnSum {
    TrnCoord from;
    double x, z;
} SpawnSum;

static bool spawn_sum_row(void *user, const TrnStorageRow *row)
{
    SpawnSum *sum = user;
    sum->x += (double)row->key.coord.x - sum->from.x;
    sum->z += (double)row->key.coord.z - sum->from.z;
    return true;
}

double spawn_search_yaw(const TrnStorage *storage, TrnVoxel at)
{
    SpawnSum sum = {.from = trn_voxel_chunk(at)};
    const TrnStorageRange range = {.box = spawn_box(sum.from, SPAWN_REACH)};
    const TrnResult result = storage->list(storage->user, &range, spawn_sum_row, &sum);
    const bool has_side = result == TRN_RESULT_OK && (sum.x != 0 || sum.z != 0);
    return has_side ? atan2(sum.x, -sum.z) * (180 / 3.14159265358979) : 0;
}
