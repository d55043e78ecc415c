/// What happens on a flight, drawn at random: anchors that move, edits, removals and faults.
/// _XOPEN_SOURCE must be 700.
#pragma once

#include "flight_checks.h"
#include "stream_task.h"

/// What happens on a flight. A chance of n: about one update in n; 0: never.
typedef struct Plan {
    uint32_t anchors, radius, height;
    uint32_t edits, removals, inserts, saves, teleports, resizes, comings;
    /// Of hooks, of allocations; in every second stretch of 64 updates.
    uint32_t fail_every, memory_fail_every;
    uint32_t upload_fail_every;
    double speed; ///< maximum, blocks a second
} Plan;

// ---- moving ------------------------------------------------------------------------------------

static inline bool happens(TestRandom *random, uint32_t chance)
{
    return chance && test_random_next(random) % chance == 0;
}

static inline void turn(TrnStreamAnchor *anchor, TestRandom *random, double speed)
{
    for (int axis = 0; axis < 3; axis++) {
        anchor->view[axis] = (double)test_random_range(random, -100, 100);
        anchor->velocity[axis] = speed * anchor->view[axis] / 100 * (axis == 1 ? 0.2 : 1);
    }
    if (happens(random, 8)) {
        memset(anchor->view, 0, sizeof anchor->view);
    }
}

/// Near the start, far away, or at an end of the world.
static inline void teleport(TrnStreamAnchor *anchor, TestRandom *random)
{
    const int64_t place = test_random_range(random, 0, 5);
    const int32_t x = (int32_t)test_random_range(random, -8, 8);
    const int32_t ends[6] = {x, x, 5000 + x, -300, INT32_MAX - 2, INT32_MIN + 1};
    anchor->position.chunk.x = ends[place];
    anchor->position.chunk.y = 0;
    anchor->position.chunk.z = place == 5 ? INT32_MAX : (int32_t)test_random_range(random, -8, 8);
}

static inline void add_anchor(Flight *flight, TestRandom *random, const Plan *plan)
{
    for (uint32_t i = 0; i < plan->anchors; i++) {
        FlightAnchor *anchor = &flight->anchors[i];
        if (!anchor->is_used) {
            anchor->anchor = trn_stream_anchor();
            anchor->anchor.radius_chunks = plan->radius;
            anchor->anchor.height_chunks = plan->height;
            turn(&anchor->anchor, random, plan->speed);
            const TrnResult result =
                trn_stream_anchor_add(flight->stream, &anchor->anchor, &anchor->id);
            anchor->is_used = result == TRN_RESULT_OK;
            assert_true(anchor->is_used || flight->memory_fail_every);
            return;
        }
    }
}

static inline void steer(Flight *flight, FlightAnchor *anchor, TestRandom *random, const Plan *plan)
{
    if (happens(random, plan->comings)) {
        assert_int_equal(trn_stream_anchor_remove(flight->stream, anchor->id), TRN_RESULT_OK);
        assert_int_equal(trn_stream_anchor_remove(flight->stream, anchor->id), TRN_RESULT_STALE_ID);
        anchor->is_used = false;
        return;
    }
    if (happens(random, 40)) {
        turn(&anchor->anchor, random, plan->speed);
    }
    if (happens(random, plan->teleports)) {
        teleport(&anchor->anchor, random);
    }
    if (happens(random, plan->resizes)) {
        anchor->anchor.radius_chunks = (uint32_t)test_random_range(random, 0, plan->radius);
        anchor->anchor.height_chunks = (uint32_t)test_random_range(random, 0, plan->height);
    }
    move(&anchor->anchor.position, anchor->anchor.velocity, 1.0 / 60);
    assert_int_equal(trn_stream_anchor_set(flight->stream, anchor->id, &anchor->anchor),
                     TRN_RESULT_OK);
}

static inline const TrnStreamAnchor *any_anchor(const Flight *flight, TestRandom *random)
{
    const uint32_t first = (uint32_t)test_random_range(random, 0, FLIGHT_ANCHORS - 1);
    for (uint32_t i = 0; i < FLIGHT_ANCHORS; i++) {
        const FlightAnchor *anchor = &flight->anchors[(first + i) % FLIGHT_ANCHORS];
        if (anchor->is_used) {
            return &anchor->anchor;
        }
    }
    return NULL;
}

/// A chunk in or near an anchor's view.
static inline bool any_coord(const Flight *flight, TestRandom *random, TrnCoord *coord)
{
    const TrnStreamAnchor *anchor = any_anchor(flight, random);
    if (!anchor) {
        return false;
    }
    const int64_t radius = anchor->radius_chunks + 3, height = anchor->height_chunks + 3;
    *coord = anchor->position.chunk;
    int32_t *const axes[3] = {&coord->x, &coord->y, &coord->z};
    for (int axis = 0; axis < 3; axis++) {
        const int64_t reach = axis == 1 ? height : radius;
        const int64_t at = *axes[axis] + test_random_range(random, -reach, reach);
        *axes[axis] = (int32_t)(at < INT32_MIN ? INT32_MIN : at > INT32_MAX ? INT32_MAX : at);
    }
    return true;
}

// ---- editing -----------------------------------------------------------------------------------

/// A block, a box or a ball near the ground; often across the corners of chunks.
static inline bool any_edit(const Flight *flight, TestRandom *random, Edit *edit)
{
    const TrnStreamAnchor *anchor = any_anchor(flight, random);
    if (!anchor) {
        return false;
    }
    TrnVoxel at = trn_coord_voxel(anchor->position.chunk);
    at.y = happens(random, 6) ? at.y : 0;
    const int64_t reach = 32 * (int64_t)anchor->radius_chunks + 16;
    const bool is_corner = happens(random, 2);
    const int64_t x = test_random_range(random, -reach, reach),
                  z = test_random_range(random, -reach, reach);
    at = voxel_plus(at, is_corner ? x & ~31 : x, test_random_range(random, -6, 12),
                    is_corner ? z & ~31 : z);
    const int64_t size = happens(random, 3) ? test_random_range(random, 0, 33) : 0;
    edit->min = at;
    edit->max = voxel_plus(at, size, size / 3, test_random_range(random, 0, size));
    edit->centre = at;
    edit->radius = happens(random, 3) ? (double)test_random_range(random, 0, 9) : -1;
    edit->block = happens(random, 3) ? (TrnBlock)test_random_range(random, 1, 6) : TRN_BLOCK_AIR;
    edit->absent = happens(random, 2) ? TRN_UNLOADED_PENDING : TRN_UNLOADED_SKIP;
    return true;
}

/// Whether the stream has to save a chunk: a view holds it, or did and it is still loaded.
static inline bool is_known(const Flight *flight, TrnCoord coord)
{
    return trn_chunk_index_find(trn_stream_index(flight->stream), coord, NULL);
}

static inline void save_foreign(Flight *flight, TrnCoord coord)
{
    const TrnBlock *expected = flight_expected(flight, coord);
    FlightPlace *place = flight_place(flight, coord);
    if (!place->saved) {
        place->saved = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
        assert_non_null(place->saved);
    }
    memcpy(place->saved, expected, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
}

/// The game removes a chunk itself; its changes are saved.
static inline void remove_chunk(Flight *flight, TrnCoord coord)
{
    const uint32_t fail_every = atomic_exchange(&flight->fail_every, 0);
    const bool was_there = trn_store_find(flight->store, coord) != NULL;
    if (was_there && !is_known(flight, coord)) {
        save_foreign(flight, coord); // no view ever held it: the stream does not know it
    }
    const TrnResult result = trn_store_remove(flight->store, coord);
    assert_true(result == (was_there ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND) ||
                flight->memory_fail_every || flight->bytes_max);
    atomic_store(&flight->fail_every, fail_every);
}

/// The game inserts a chunk itself, equal to what the stream would have loaded.
static inline void insert_chunk(Flight *flight, TrnCoord coord)
{
    const TrnBlock *blocks = flight_expected(flight, coord);
    const TrnResult result = trn_store_insert_voxels(flight->store, coord, blocks, NULL);
    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_EXISTS ||
                flight->memory_fail_every || flight->bytes_max);
    flight_place(flight, coord)->is_foreign |= result == TRN_RESULT_OK;
}

// ---- flights -----------------------------------------------------------------------------------

static inline void set_faults(Flight *flight, const Plan *plan, uint32_t step)
{
    const bool is_bad = step / 64 % 2;
    atomic_store(&flight->fail_every, is_bad ? plan->fail_every : 0);
    flight->memory_fail_every = is_bad ? plan->memory_fail_every : 0;
    flight->upload_fail_every = is_bad ? plan->upload_fail_every : 0;
}

static inline void act(Flight *flight, TestRandom *random, const Plan *plan)
{
    Edit edit;
    TrnCoord coord;
    for (uint32_t i = 0; i < plan->anchors; i++) {
        if (flight->anchors[i].is_used) {
            steer(flight, &flight->anchors[i], random, plan);
        }
    }
    if (happens(random, 30)) {
        add_anchor(flight, random, plan);
    }
    if (happens(random, plan->edits) && any_edit(flight, random, &edit)) {
        make_edit(flight, &edit);
    }
    if (happens(random, plan->removals) && any_coord(flight, random, &coord)) {
        remove_chunk(flight, coord);
    }
    if (happens(random, plan->inserts) && any_coord(flight, random, &coord)) {
        insert_chunk(flight, coord);
    }
    if (happens(random, plan->saves)) {
        (void)trn_stream_save(flight->stream);
    }
}

static const Plan plain_plan = {.anchors = 3,
                                .radius = 4,
                                .height = 2,
                                .edits = 2,
                                .saves = 90,
                                .teleports = 150,
                                .resizes = 120,
                                .comings = 200,
                                .speed = 200};

// ---- a caller's threads ------------------------------------------------------------------------

/// A thread for every piece of work; every seventh start is refused, and every fifth runs the work
/// at once.
static inline bool start_task(void *user, void (*work)(void *context), void *context)
{
    uint32_t *calls = user;
    const uint32_t call = ++*calls;
    if (call % 7 == 0) {
        return false;
    }
    if (call % 5 == 0) {
        work(context);
        return true;
    }
    return stream_task_start(work, context);
}
