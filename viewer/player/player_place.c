// Finds places for a player: on the ground in loaded chunks, or on land that is not generated yet.

#include <math.h>
#include <stdlib.h>

#include "player/player.h"

#define LAND_LEVEL 4 // samples every 16th voxel
#define LAND_STRIDE ((int64_t)1 << LAND_LEVEL)
#define LAND_CHUNK (LAND_STRIDE * TRN_CHUNK_EDGE)
#define OPEN_CHUNKS 8 // searched upwards for a way out of rock
#define SETTLE 3.0    // a place at most this many voxels lower counts as the requested one

// ---- in loaded chunks ---------------------------------------------------------------------------

/// The nearest place of a kind so far.
typedef struct PlaceBest {
    bool is_there;
    int64_t square; ///< of the distance, in voxels
    TrnVoxel voxel; ///< of the feet
} PlaceBest;

typedef struct PlaceSearch {
    TrnCursor cursor;
    const uint32_t *solid, *liquid;
    TrnVoxel from;
    PlaceBest ground, afloat;
    bool is_absent; ///< a chunk was not loaded
} PlaceSearch;

static bool is_in_set(const uint32_t *bits, TrnBlock block)
{
    return bits[block / 32] >> (block % 32) & 1;
}

static void take_nearer(const PlaceSearch *search, PlaceBest *best, TrnVoxel voxel)
{
    const int64_t x = voxel.x - search->from.x, y = voxel.y - search->from.y,
                  z = voxel.z - search->from.z;
    const int64_t square = x * x + y * y + z * z;
    if (!best->is_there || square < best->square) {
        *best = (PlaceBest){true, square, voxel};
    }
}

/// Searches down a column; `room` counts the voxels above that are free of blocks and liquids.
static void search_column(PlaceSearch *search, int64_t x, int64_t z)
{
    const int64_t lowest = search->from.y - PLAYER_PLACE_HEIGHT;
    int room = 0;
    for (int64_t y = search->from.y + PLAYER_PLACE_HEIGHT; y >= lowest; y--) {
        const TrnVoxel at = {x, y, z}, above = {x, y + 1, z};
        const TrnVoxels *const voxels = trn_cursor_find(&search->cursor, at);
        if (!voxels) {
            search->is_absent = true;
            room = 0;
            continue;
        }
        const TrnBlock block =
            trn_snapshot_get(trn_voxels_snapshot(voxels), trn_voxel_local_index(at));
        const bool is_solid = is_in_set(search->solid, block);
        const bool is_liquid = is_in_set(search->liquid, block);
        if (room >= 2 && (is_solid || is_liquid)) {
            take_nearer(search, is_solid ? &search->ground : &search->afloat, above);
        }
        room = is_solid || is_liquid ? 0 : room + 1;
    }
}

/// Searches the columns at distance `ring` along x or z, whichever is greater.
static void search_ring(PlaceSearch *search, int64_t ring)
{
    for (int64_t z = -ring; z <= ring; z++) {
        const bool is_whole = z == -ring || z == ring;
        for (int64_t x = -ring; x <= ring; x += is_whole || ring == 0 ? 1 : 2 * ring) {
            search_column(search, search->from.x + x, search->from.z + z);
        }
    }
}

static PlaceSearch search_places(const TrnStore *store, TrnPosition feet)
{
    const TrnBlockTypes *const types = trn_store_block_types(store);
    PlaceSearch search = {
        .cursor = trn_cursor(store),
        .solid = trn_block_types_solid_bits(types),
        .liquid = trn_block_types_liquid_bits(types),
        .from = trn_position_voxel(feet),
    };
    for (int64_t ring = 0; ring <= PLAYER_PLACE_RADIUS; ring++) {
        if (search.ground.is_there && ring * ring > search.ground.square) {
            break; // all further columns are farther away
        }
        search_ring(&search, ring);
    }
    return search;
}

/// Whether one stands at the place, or after a small fall.
static bool stands_here(const TrnStore *store, TrnPosition feet, TrnPosition *ground)
{
    const TrnBodyDef def = trn_body_def();
    const double down[3] = {0, -SETTLE, 0};
    TrnOverlap overlap;
    TrnSweep sweep;
    if (trn_store_overlap(store, feet, def.size, &overlap) != TRN_RESULT_OK || overlap.solid ||
        overlap.unloaded ||
        trn_store_sweep(store, feet, def.size, down, 0, &sweep) != TRN_RESULT_OK ||
        !sweep.hit[TRN_FACE_NEG_Y] || sweep.unloaded ||
        trn_store_overlap(store, sweep.bottom, def.size, &overlap) != TRN_RESULT_OK ||
        overlap.liquid) {
        return false;
    }
    *ground = sweep.bottom;
    return true;
}

/// Describes why one cannot stand at the requested place.
static const char *what_is_there(const TrnStore *store, TrnPosition feet)
{
    const TrnBodyDef def = trn_body_def();
    TrnOverlap overlap;
    if (trn_store_overlap(store, feet, def.size, &overlap) != TRN_RESULT_OK) {
        return "There is no such place";
    }
    return overlap.solid      ? "There is rock"
           : overlap.unloaded ? "The land there is not loaded"
           : overlap.liquid   ? "There is water"
                              : "There is no ground";
}

static TrnPosition middle_of(TrnVoxel voxel)
{
    return trn_position_add(trn_voxel_position(voxel), (const double[3]){0.5, 0, 0.5});
}

static void describe_move(PlayerPlace *place, const char *why, TrnPosition from)
{
    double by[3];
    trn_position_difference(place->feet, from, by);
    const char *const swims = place->kind == PLAYER_PLACE_AFLOAT ? ", to swim there" : "";
    const double sideways = hypot(by[0], by[2]), up = fabs(by[1]);
    if (sideways <= 0.5 && up <= 0.5) {
        message_set(&place->what, "%s: moved by less than a voxel%s.", why, swims);
        return;
    }
    message_set(&place->what, "%s: moved by %.0f voxels sideways and %.0f %s%s.", why, sideways, up,
                by[1] < 0 ? "down" : "up", swims);
}

PlayerPlace player_find_place(const TrnStore *store, TrnPosition feet)
{
    const TrnPosition corner = {.chunk = feet.chunk};
    feet = trn_position_add(corner, feet.offset); // brings offsets into range
    PlayerPlace place = {.kind = PLAYER_PLACE_HERE, .feet = feet};
    if (stands_here(store, feet, &place.feet)) {
        return place;
    }
    const PlaceSearch search = search_places(store, feet);
    const char *const why = what_is_there(store, feet);
    if (!search.ground.is_there && !search.afloat.is_there) {
        place.kind = search.is_absent ? PLAYER_PLACE_UNKNOWN : PLAYER_PLACE_NONE;
        message_set(&place.what, "%s, and no place to stand within %d voxels%s.", why,
                    PLAYER_PLACE_RADIUS, search.is_absent ? " is loaded" : "");
        return place;
    }
    place.kind = search.ground.is_there ? PLAYER_PLACE_MOVED : PLAYER_PLACE_AFLOAT;
    place.feet = middle_of(search.ground.is_there ? search.ground.voxel : search.afloat.voxel);
    describe_move(&place, why, feet);
    return place;
}

// ---- before chunks are loaded -------------------------------------------------------------------

static int64_t world_column(int64_t voxel)
{
    return voxel < TRN_VOXEL_MIN ? TRN_VOXEL_MIN : voxel > TRN_VOXEL_MAX ? TRN_VOXEL_MAX : voxel;
}

static bool is_land(const TrnTerrainSample *place)
{
    return place->height >= TRN_TERRAIN_SEA_LEVEL && place->surface == place->top;
}

/// Searches one chunk of sampled columns.
static void search_land(const TrnTerrain *terrain, int64_t chunk_x, int64_t chunk_z, TrnVoxel from,
                        PlaceBest *best)
{
    TrnTerrainSample places[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE];
    if (chunk_x < INT32_MIN || chunk_x > INT32_MAX || chunk_z < INT32_MIN || chunk_z > INT32_MAX ||
        trn_terrain_sample_level(terrain, (int32_t)chunk_x, (int32_t)chunk_z, LAND_LEVEL, places) !=
            TRN_RESULT_OK) {
        return; // end of the world, or no memory
    }
    for (int64_t i = 0; i < (int64_t)TRN_CHUNK_EDGE * TRN_CHUNK_EDGE; i++) {
        const TrnVoxel at = {chunk_x * LAND_CHUNK + i % TRN_CHUNK_EDGE * LAND_STRIDE,
                             places[i].height + 1,
                             chunk_z * LAND_CHUNK + i / TRN_CHUNK_EDGE * LAND_STRIDE};
        const int64_t x = at.x - from.x, z = at.z - from.z;
        if (is_land(&places[i]) && (!best->is_there || x * x + z * z < best->square)) {
            *best = (PlaceBest){true, x * x + z * z, at};
        }
    }
}

/// Returns the nearest land among the samples in the chunks around a column.
static PlaceBest nearest_land(const TrnTerrain *terrain, TrnVoxel from)
{
    PlaceBest best = {.is_there = false};
    // The shift rounds towards minus infinity, as the grid does.
    const int shift = LAND_LEVEL + TRN_CHUNK_SHIFT;
    for (int64_t i = 0; i < 9; i++) {
        search_land(terrain, (from.x >> shift) + i % 3 - 1, (from.z >> shift) + i / 3 - 1, from,
                    &best);
    }
    return best;
}

PlayerPlace player_find_land(const TrnTerrain *terrain, int64_t x, int64_t z)
{
    TrnVoxel at = {world_column(x), TRN_TERRAIN_SEA_LEVEL + 1, world_column(z)};
    TrnTerrainSample here;
    if (trn_terrain_sample(terrain, at.x, at.z, &here) == TRN_RESULT_OK && is_land(&here)) {
        at.y = here.height + 1;
        return (PlayerPlace){.kind = PLAYER_PLACE_HERE, .feet = middle_of(at)};
    }
    PlayerPlace place = {.kind = PLAYER_PLACE_AFLOAT, .feet = middle_of(at)};
    const PlaceBest best = nearest_land(terrain, at);
    if (!best.is_there) {
        message_set(&place.what, "There is only sea nearby.");
        return place;
    }
    at = best.voxel;
    // Samples do not know caves that open in the ground.
    if (trn_terrain_sample(terrain, at.x, at.z, &here) == TRN_RESULT_OK) {
        at.y = here.height + 1;
    }
    place.kind = PLAYER_PLACE_MOVED;
    place.feet = middle_of(at);
    message_set(&place.what, "There is sea: moved by %.0f voxels, to the nearest land.",
                sqrt((double)best.square));
    return place;
}

// ---- eyes in rock -------------------------------------------------------------------------------

/// Finds the first voxel of a column that is not opaque, in some chunks upwards. @param at  where
/// to begin; receives the voxel
static bool search_open(TrnTerrain *terrain, const TrnBlockTypes *types, TrnVoxel *at)
{
    TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (int i = 0; i < OPEN_CHUNKS && trn_voxel_in_world(*at); i++) {
        bool is_uniform;
        if (trn_terrain_generate(terrain, trn_voxel_chunk(*at), blocks, &is_uniform) !=
            TRN_RESULT_OK) {
            return false;
        }
        do {
            const TrnBlock block = blocks[is_uniform ? 0 : trn_voxel_local_index(*at)];
            if (trn_block_types_get(types, block)->kind != TRN_BLOCK_KIND_OPAQUE) {
                return true;
            }
            at->y++;
        } while (at->y % TRN_CHUNK_EDGE != 0);
    }
    return false;
}

void player_leave_rock(TrnTerrain *terrain, const TrnBlockTypes *types, double eyes[3],
                       Message *what)
{
    const Camera camera = camera_at((const double[5]){eyes[0], eyes[1], eyes[2], 0, 0});
    TrnVoxel at = trn_position_voxel(camera.position);
    const int64_t from = at.y;
    int64_t height;
    what->text[0] = '\0';
    bool is_open = search_open(terrain, types, &at);
    // From deep below straight up to the surface.
    if (!is_open && trn_terrain_height(terrain, at.x, at.z, &height) == TRN_RESULT_OK) {
        at.y = height >= at.y ? height + 1 : at.y;
        is_open = search_open(terrain, types, &at);
    }
    if (is_open && at.y > from) {
        eyes[1] = (double)at.y + 0.5;
        (void)message_set(what, "There is rock at this place: moved up by %lld voxels.",
                          (long long)(at.y - from));
    }
}
