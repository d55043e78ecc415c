#include "loader.h"

#include <math.h>
#include <stdlib.h>

#include "chunk_view.h"
#include "clock.h"

// How many offsets one update looks at at most, done or not; half a shell at the greatest view
// distance, 0.1 ms.
#define LOOKS_PER_UPDATE 16384u
// How many loaded chunks one update checks for being too far: so many, this part of them all, and
// several for each that it has made. With four checks for a new chunk a quarter of the loaded ones
// at most is behind at any speed; without, flying fast through the sky, whose chunks are made in no
// time, held seven times the view.
#define SWEEP_PER_UPDATE 512u
#define SWEEP_PART 64u
#define SWEEP_PER_NEW_CHUNK 4u
#define UNLOAD_BEYOND 3 // chunks outside the ball that may stay, so that turning back costs nothing
// How much farther away than a chunk its 26 neighbours lie at most: the root of 3, and a little.
#define NEIGHBOUR_BEYOND 1.7321

/// A chunk of the ball, from its centre.
typedef struct LoaderOffset {
    int8_t x, y, z;
    int16_t distance2;
} LoaderOffset;

struct Loader {
    LoaderDef def;
    TrnTerrain *terrain;
    TrnStore *store;
    TrnMesh mesh;
    void *scratch;    ///< of the mesher
    TrnBlock *blocks; ///< [TRN_CHUNK_VOXELS] scratch
    const TrnBlockType *types;
    uint32_t type_count;

    LoaderOffset
        *offsets; ///< [generate_count + 1] by distance; the last one only says where the ball ends
    size_t generate_count; ///< a ball wider by NEIGHBOUR_BEYOND, since meshing needs the neighbours
    size_t mesh_count;     ///< the ball that is shown
    size_t generate_cursor; ///< all before it are in the store
    size_t mesh_cursor;     ///< all before it are meshed
    TrnCoord centre;
    bool placed; ///< there is a centre

    TrnCoord *loaded; ///< [loaded_count] all chunks of the store, in no order
    size_t loaded_count, loaded_capacity;
    size_t sweep_cursor;
    uint32_t refused;
};

/// What is left of an update's budget.
typedef struct LoaderWork {
    double deadline; ///< in clock_us; 0 where work is counted
    uint32_t generate, mesh, looks;
} LoaderWork;

// ---- the ball -----------------------------------------------------------------------------------

static int compare_offsets(const void *left, const void *right)
{
    const LoaderOffset *a = left, *b = right;
    if (a->distance2 != b->distance2) {
        return a->distance2 - b->distance2;
    }
    return a->y != b->y ? a->y - b->y : a->z != b->z ? a->z - b->z : a->x - b->x;
}

/// Writes the ball's offsets where `out` is not NULL. @return how many there are
static size_t fill_ball(LoaderOffset *out, double ball)
{
    const int radius = (int)ball;
    size_t count = 0;
    for (int y = -radius; y <= radius; y++) {
        for (int z = -radius; z <= radius; z++) {
            for (int x = -radius; x <= radius; x++) {
                int distance2 = x * x + y * y + z * z;
                if (distance2 > ball * ball) {
                    continue;
                }
                if (out) {
                    out[count] =
                        (LoaderOffset){(int8_t)x, (int8_t)y, (int8_t)z, (int16_t)distance2};
                }
                count++;
            }
        }
    }
    return count;
}

/// The first offset at least `distance` away.
static size_t offset_at_distance(const Loader *loader, double distance)
{
    double limit = distance * distance - 1e-6; // rather one look too many than one too few
    size_t low = 0, high = loader->generate_count;
    while (distance > 0 && low < high) {
        size_t middle = low + (high - low) / 2;
        if (loader->offsets[middle].distance2 < limit) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool create_ball(Loader *loader)
{
    const int radius = loader->def.view_distance;
    const double ball = radius + NEIGHBOUR_BEYOND;
    loader->generate_count = fill_ball(NULL, ball);
    loader->offsets = malloc((loader->generate_count + 1) * sizeof *loader->offsets);
    if (!loader->offsets) {
        return false;
    }
    fill_ball(loader->offsets, ball);
    qsort(loader->offsets, loader->generate_count, sizeof *loader->offsets, compare_offsets);
    loader->offsets[loader->generate_count] =
        (LoaderOffset){.distance2 = (int16_t)(ball * ball + 1)};
    loader->mesh_count = offset_at_distance(loader, sqrt(radius * radius + 1.0));
    return true;
}

/// Everything nearer than this to the centre is done.
static double done_distance(const Loader *loader, size_t cursor)
{
    return sqrt(loader->offsets[cursor].distance2);
}

static double distance_between(TrnCoord a, TrnCoord b)
{
    double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

/// The chunk of an offset. False beyond the ends of the world, where there is none.
static bool chunk_at(const Loader *loader, size_t offset, TrnCoord *coord)
{
    const LoaderOffset *by = &loader->offsets[offset];
    int64_t x = (int64_t)loader->centre.x + by->x, y = (int64_t)loader->centre.y + by->y,
            z = (int64_t)loader->centre.z + by->z;
    if (x < INT32_MIN || x > INT32_MAX || y < INT32_MIN || y > INT32_MAX || z < INT32_MIN ||
        z > INT32_MAX) {
        return false;
    }
    *coord = (TrnCoord){(int32_t)x, (int32_t)y, (int32_t)z};
    return true;
}

static void move_centre(Loader *loader, TrnCoord centre)
{
    if (loader->placed && trn_coord_equal(loader->centre, centre)) {
        return;
    }
    double moved = loader->placed ? distance_between(loader->centre, centre) : INFINITY;
    loader->generate_cursor =
        offset_at_distance(loader, done_distance(loader, loader->generate_cursor) - moved);
    // Where there was no room for some chunks, there may be now.
    double meshed = loader->refused ? 0 : done_distance(loader, loader->mesh_cursor);
    loader->mesh_cursor = offset_at_distance(loader, meshed - moved);
    loader->refused = 0;
    loader->centre = centre;
    loader->placed = true;
}

// ---- chunks come and go -------------------------------------------------------------------------

static bool create_store(Loader *loader)
{
    TrnStoreDef def = trn_store_def();
    def.user_bytes = sizeof(ChunkView);
    def.types = loader->def.types;
    // Twice the ball and more: after a jump the new one comes while the old one goes. With a
    // reserve, gathers compute addresses instead of looking them up.
    int32_t edge = 2 * (loader->def.view_distance + 1 + UNLOAD_BEYOND) + 1;
    def.chunk_reserve = (uint32_t)(edge * edge * edge) * 3 / 2;
    if (trn_store_create(&def, &loader->store) != TRN_RESULT_OK) {
        return false;
    }
    loader->types = trn_block_types_all(trn_store_block_types(loader->store), &loader->type_count);
    return true;
}

static TrnChunk *find_chunk(const Loader *loader, TrnCoord coord)
{
    trace_chunk(loader->def.trace, TRACE_FIND, coord);
    return trn_store_find(loader->store, coord);
}

static void remove_chunk(Loader *loader, TrnCoord coord)
{
    const LoaderSink *sink = &loader->def.sink;
    TrnChunk *chunk = find_chunk(loader, coord);
    if (chunk) {
        sink->hide(sink->user, chunk);
        trace_chunk(loader->def.trace, TRACE_REMOVE, coord);
        trn_store_remove(loader->store, coord);
        sink->note(sink->user, coord, NULL);
    }
}

static void remove_all(Loader *loader)
{
    while (loader->loaded_count) {
        remove_chunk(loader, loader->loaded[--loader->loaded_count]);
    }
}

static bool reserve_loaded(Loader *loader)
{
    if (loader->loaded_count < loader->loaded_capacity) {
        return true;
    }
    size_t capacity = loader->loaded_capacity ? loader->loaded_capacity * 2 : 4096;
    TrnCoord *loaded = realloc(loader->loaded, capacity * sizeof *loaded);
    if (!loaded) {
        return false;
    }
    loader->loaded = loaded;
    loader->loaded_capacity = capacity;
    return true;
}

/// Checks some of the loaded chunks, round and round, and removes those that are too far away.
static void sweep(Loader *loader, size_t new_chunks)
{
    size_t checks =
        SWEEP_PER_UPDATE + loader->loaded_count / SWEEP_PART + SWEEP_PER_NEW_CHUNK * new_chunks;
    double limit = loader->def.view_distance + UNLOAD_BEYOND;
    for (size_t i = 0; i < checks && loader->loaded_count; i++) {
        if (loader->sweep_cursor >= loader->loaded_count) {
            loader->sweep_cursor = 0;
        }
        TrnCoord coord = loader->loaded[loader->sweep_cursor];
        if (distance_between(coord, loader->centre) > limit) {
            remove_chunk(loader, coord);
            loader->loaded[loader->sweep_cursor] = loader->loaded[--loader->loaded_count];
        } else {
            loader->sweep_cursor++;
        }
    }
}

static TrnResult insert_generated(Loader *loader, TrnCoord coord, bool uniform)
{
    TrnChunk *chunk;
    TrnResult result =
        uniform ? trn_store_insert_uniform(loader->store, coord, loader->blocks[0], &chunk)
                : trn_store_insert_voxels(loader->store, coord, loader->blocks, &chunk);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    trace_chunk(loader->def.trace, TRACE_INSERT, coord);
    loader->loaded[loader->loaded_count++] = coord;
    loader->def.sink.note(loader->def.sink.user, coord, chunk);
    return TRN_RESULT_OK;
}

static TrnResult generate_chunk(Loader *loader, TrnCoord coord)
{
    bool uniform = false;
    if (!reserve_loaded(loader)) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = trn_terrain_generate(loader->terrain, coord, loader->blocks, &uniform);
    return result == TRN_RESULT_OK ? insert_generated(loader, coord, uniform) : result;
}

// ---- work ---------------------------------------------------------------------------------------

static bool has_time(const LoaderWork *work)
{
    return work->deadline <= 0 || clock_us() < work->deadline;
}

/// Moves on by one offset, generating its chunk where it is missing.
static TrnResult generate_next(Loader *loader, LoaderWork *work)
{
    TrnCoord coord;
    work->looks--;
    if (chunk_at(loader, loader->generate_cursor, &coord) && !find_chunk(loader, coord)) {
        work->generate--;
        TrnResult result = generate_chunk(loader, coord);
        if (result ==
            TRN_RESULT_FULL) { // chunks of earlier balls have to go first; the sweep sees to it
            work->looks = 0;
            return TRN_RESULT_OK;
        }
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    loader->generate_cursor++;
    return TRN_RESULT_OK;
}

static TrnResult mesh_chunk(Loader *loader, TrnChunk *chunk)
{
    TrnMeshInput input = {.missing_is_solid = true, // beyond the end of the world
                          .types = loader->types,
                          .type_count = loader->type_count};
    trace_chunk(loader->def.trace, TRACE_NEIGHBOURS, chunk->coord);
    input.present = trn_store_snapshot_around(loader->store, chunk->coord, input.around);
    TrnResult result = trn_mesh_build(&loader->mesh, &input, loader->scratch);
    if (result == TRN_RESULT_OK &&
        !loader->def.sink.show(loader->def.sink.user, chunk, &loader->mesh)) {
        loader->refused++;
    }
    return result;
}

/// Whether the next chunk to mesh has all its neighbours.
static bool can_mesh(const Loader *loader)
{
    return loader->mesh_cursor < loader->mesh_count &&
           done_distance(loader, loader->mesh_cursor) + NEIGHBOUR_BEYOND <
               done_distance(loader, loader->generate_cursor);
}

static TrnResult mesh_next(Loader *loader, LoaderWork *work)
{
    TrnCoord coord;
    TrnResult result = TRN_RESULT_OK;
    work->looks--;
    TrnChunk *chunk =
        chunk_at(loader, loader->mesh_cursor, &coord) ? find_chunk(loader, coord) : NULL;
    if (chunk && !chunk_view(chunk)->meshed) {
        work->mesh--;
        result = mesh_chunk(loader, chunk);
    }
    loader->mesh_cursor += result == TRN_RESULT_OK;
    return result;
}

/// Meshing comes before generating, so that near chunks are seen before far ones are made.
static TrnResult work_on(Loader *loader, LoaderWork *work)
{
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK && work->looks && has_time(work)) {
        if (work->mesh && can_mesh(loader)) {
            result = mesh_next(loader, work);
        } else if (work->generate && loader->generate_cursor < loader->generate_count) {
            result = generate_next(loader, work);
        } else {
            break;
        }
    }
    return result;
}

bool loader_update(Loader *loader, TrnCoord centre, LoaderBudget budget, Message *problem)
{
    LoaderWork work = {.generate = budget.generate, .mesh = budget.mesh, .looks = LOOKS_PER_UPDATE};
    if (budget.us > 0) {
        work = (LoaderWork){clock_us() + budget.us, UINT32_MAX, UINT32_MAX, LOOKS_PER_UPDATE};
    }
    move_centre(loader, centre);
    const uint32_t generate = work.generate;
    TrnResult result = work_on(loader, &work);
    sweep(loader, generate - work.generate);
    return result == TRN_RESULT_OK ||
           message_set(problem,
                       "Loading stopped at %zu chunks: %s A smaller --view-distance needs less.",
                       loader->loaded_count, trn_result_text(result));
}

bool loader_is_idle(const Loader *loader)
{
    return loader->generate_cursor == loader->generate_count &&
           loader->mesh_cursor == loader->mesh_count;
}

// ---- life ---------------------------------------------------------------------------------------

static bool create_parts(Loader *loader)
{
    loader->blocks = malloc((size_t)TRN_CHUNK_VOXELS * sizeof *loader->blocks);
    loader->scratch = aligned_alloc(64, TRN_MESH_SCRATCH_BYTES);
    return loader->blocks && loader->scratch && create_ball(loader) && create_store(loader) &&
           trn_terrain_create(&loader->def.terrain, &loader->terrain) == TRN_RESULT_OK;
}

bool loader_create(Loader **loader, const LoaderDef *def, Message *problem)
{
    Loader *made = calloc(1, sizeof *made);
    if (made) {
        made->def = *def;
        trn_mesh_init(&made->mesh, NULL);
    }
    if (!made || !create_parts(made)) {
        loader_destroy(made);
        return message_set(problem, "There is no memory to load a world into.");
    }
    *loader = made;
    return true;
}

void loader_destroy(Loader *loader)
{
    if (!loader) {
        return;
    }
    if (loader->store) {
        remove_all(loader);
    }
    trn_store_destroy(loader->store);
    trn_terrain_destroy(loader->terrain);
    trn_mesh_free(&loader->mesh);
    free(loader->scratch);
    free(loader->offsets);
    free(loader->blocks);
    free(loader->loaded);
    free(loader);
}

LoaderStats loader_stats(const Loader *loader)
{
    return (LoaderStats){
        .chunks = (uint32_t)loader->loaded_count,
        .waiting = (uint32_t)(loader->generate_count - loader->generate_cursor +
                              loader->mesh_count - loader->mesh_cursor),
        .refused = loader->refused,
    };
}

const TrnStore *loader_store(const Loader *loader)
{
    return loader->store;
}

const TrnTerrain *loader_terrain(const Loader *loader)
{
    return loader->terrain;
}
