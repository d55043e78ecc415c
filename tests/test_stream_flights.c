// Flights with edits, removals and faults: whatever players, hooks and allocators do, what a stream
// shows in the end is what its header says, held against a model by brute force (stream_flight.h);
// the same flight comes to the same at any number of workers.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include <math.h>

#include "stream_flight.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define IS_SLOW 1
#else
#define IS_SLOW 0
#endif

#define SETTLE_UPDATES 100000u

/// What happens on a flight. Of a chance of n, about one update in n; 0: never.
typedef struct Plan {
    uint32_t anchors, radius, height;
    uint32_t edits, removals, inserts, saves, teleports, resizes, comings;
    uint32_t fail_every,
        memory_fail_every; ///< of hooks, of allocations, in every second stretch of 64 updates
    uint32_t upload_fail_every;
    double speed; ///< blocks a second, at most
} Plan;

// ---- moving ------------------------------------------------------------------------------------

static bool happens(TestRandom *random, uint32_t chance)
{
    return chance && test_random_next(random) % chance == 0;
}

/// Moves along one axis, and stays in the world.
static void move_axis(int32_t *chunk, double *offset, double blocks)
{
    *offset += blocks;
    while (*offset < 0) {
        *offset = *chunk > INT32_MIN ? *offset + 32 : 0;
        *chunk -= *chunk > INT32_MIN;
    }
    while (*offset >= 32) {
        *offset = *chunk < INT32_MAX ? *offset - 32 : 31;
        *chunk += *chunk < INT32_MAX;
    }
}

static void move(TrnPosition *position, const double velocity[3], double seconds)
{
    move_axis(&position->chunk.x, &position->offset[0], velocity[0] * seconds);
    move_axis(&position->chunk.y, &position->offset[1], velocity[1] * seconds);
    move_axis(&position->chunk.z, &position->offset[2], velocity[2] * seconds);
}

static void turn(TrnStreamAnchor *anchor, TestRandom *random, double speed)
{
    for (int axis = 0; axis < 3; axis++) {
        anchor->view[axis] = (double)test_random_range(random, -100, 100);
        anchor->velocity[axis] = speed * anchor->view[axis] / 100 * (axis == 1 ? 0.2 : 1);
    }
    if (happens(random, 8)) {
        memset(anchor->view, 0, sizeof anchor->view);
    }
}

/// Near where all began, far away, or at an end of the world.
static void teleport(TrnStreamAnchor *anchor, TestRandom *random)
{
    const int64_t place = test_random_range(random, 0, 5);
    const int32_t x = (int32_t)test_random_range(random, -8, 8);
    const int32_t ends[6] = {x, x, 5000 + x, -300, INT32_MAX - 2, INT32_MIN + 1};
    anchor->position.chunk.x = ends[place];
    anchor->position.chunk.y = 0;
    anchor->position.chunk.z = place == 5 ? INT32_MAX : (int32_t)test_random_range(random, -8, 8);
}

static void add_anchor(Flight *flight, TestRandom *random, const Plan *plan)
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

static void steer(Flight *flight, FlightAnchor *anchor, TestRandom *random, const Plan *plan)
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

static const TrnStreamAnchor *any_anchor(const Flight *flight, TestRandom *random)
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
static bool any_coord(const Flight *flight, TestRandom *random, TrnCoord *coord)
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

typedef struct Edit {
    TrnVoxel min, max, centre; ///< of boxes; of spheres
    double radius;             ///< negative: a box
    TrnBlock block;
    TrnAbsent absent;
} Edit;

static TrnVoxel voxel_plus(TrnVoxel voxel, int64_t x, int64_t y, int64_t z)
{
    return (TrnVoxel){voxel.x + x, voxel.y + y, voxel.z + z};
}

/// A block, a box or a ball somewhere near the ground; often across the corners of chunks.
static bool any_edit(const Flight *flight, TestRandom *random, Edit *edit)
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
    edit->absent = happens(random, 2) ? TRN_ABSENT_WAIT : TRN_ABSENT_SKIP;
    return true;
}

static void model_set(Flight *flight, const Edit *edit, TrnVoxel voxel)
{
    const TrnCoord coord = trn_voxel_chunk(voxel);
    if (trn_voxel_in_world(voxel) &&
        (edit->absent == TRN_ABSENT_WAIT || trn_store_find(flight->store, coord))) {
        flight_expected(flight, coord)[trn_voxel_local_index(voxel)] = edit->block;
    }
}

static void model_edit(Flight *flight, const Edit *edit)
{
    const int64_t reach = edit->radius < 0 ? 0 : (int64_t)edit->radius;
    const bool is_ball = edit->radius >= 0;
    const TrnVoxel min = is_ball ? voxel_plus(edit->centre, -reach, -reach, -reach) : edit->min;
    const TrnVoxel max = is_ball ? voxel_plus(edit->centre, reach, reach, reach) : edit->max;
    for (int64_t y = min.y; y <= max.y; y++) {
        for (int64_t z = min.z; z <= max.z; z++) {
            for (int64_t x = min.x; x <= max.x; x++) {
                const int64_t dx = x - edit->centre.x, dy = y - edit->centre.y,
                              dz = z - edit->centre.z;
                if (!is_ball || dx * dx + dy * dy + dz * dz <= reach * reach) {
                    model_set(flight, edit, (TrnVoxel){x, y, z});
                }
            }
        }
    }
}

static void make_edit(Flight *flight, const Edit *edit)
{
    TrnBatchDef def = trn_batch_def();
    def.absent = edit->absent;
    TrnBatch *batch;
    if (trn_batch_begin(flight->store, &def, &batch) != TRN_RESULT_OK) {
        assert_true(flight->memory_fail_every || flight->bytes_max);
        return;
    }
    if (edit->radius >= 0) {
        (void)trn_batch_fill_sphere(batch, edit->centre, edit->radius, edit->block);
    } else {
        (void)trn_batch_fill_box(batch, edit->min, edit->max, edit->block);
    }
    const TrnResult result = trn_batch_commit(batch, NULL);
    if (result == TRN_RESULT_OK) {
        model_edit(flight, edit);
    } else {
        assert_true(flight->memory_fail_every || flight->bytes_max);
    }
}

/// Whether a view holds a chunk, or has held it and it is still there: then it is the stream's to save.
static bool is_known(const Flight *flight, TrnCoord coord)
{
    return trn_chunk_index_find(trn_stream_index(flight->stream), coord, NULL);
}

static void save_foreign(Flight *flight, TrnCoord coord)
{
    const TrnBlock *expected = flight_expected(flight, coord);
    FlightPlace *place = flight_place(flight, coord);
    if (!place->saved) {
        place->saved = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
        assert_non_null(place->saved);
    }
    memcpy(place->saved, expected, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
}

/// The game takes a chunk away by itself; what changed in it is saved.
static void remove_chunk(Flight *flight, TrnCoord coord)
{
    const uint32_t fail_every = atomic_exchange(&flight->fail_every, 0);
    const bool was_there = trn_store_find(flight->store, coord) != NULL;
    if (was_there && !is_known(flight, coord)) {
        save_foreign(flight, coord); // which no view has ever held: the stream does not know of it
    }
    const TrnResult result = trn_store_remove(flight->store, coord);
    assert_true(result == (was_there ? TRN_RESULT_OK : TRN_RESULT_ABSENT) ||
                flight->memory_fail_every || flight->bytes_max);
    atomic_store(&flight->fail_every, fail_every);
}

/// The game puts a chunk there by itself: what the stream would have put there.
static void insert_chunk(Flight *flight, TrnCoord coord)
{
    const TrnBlock *blocks = flight_expected(flight, coord);
    const TrnResult result = trn_store_insert_voxels(flight->store, coord, blocks, NULL);
    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_PRESENT ||
                flight->memory_fail_every || flight->bytes_max);
    flight_place(flight, coord)->is_foreign |= result == TRN_RESULT_OK;
}

// ---- what must be so after every update --------------------------------------------------------

static void check_bytes(const Flight *flight, const TrnStreamStats *stats)
{
    const size_t parts =
        stats->store_bytes + stats->mesh_bytes + stats->own_bytes + stats->scratch_bytes;
    assert_int_equal(stats->total_bytes, parts);
    assert_int_equal(trn_stream_bytes(flight->stream), parts);
    assert_int_equal(stats->store_bytes + stats->own_bytes, flight->memory.live_bytes);
    assert_true(stats->mesh_bytes >= flight->shown_bytes);
    if (flight->bytes_max) {
        assert_true(stats->total_bytes <= flight->bytes_max);
        assert_true(stats->total_bytes_peak <= flight->bytes_max);
    }
}

static void check_report(const Flight *flight, const TrnStreamReport *report)
{
    if (!flight->upload_fail_every) {
        assert_int_equal(report->uploaded, flight->uploads_now);
    }
    assert_int_equal(report->unloaded, flight->unloads_now);
}

/// One chunk: the planes, the explanation and what it shows agree.
static void check_chunk(const Flight *flight, TrnCoord coord)
{
    TrnChunk *chunk = trn_store_find(flight->store, coord);
    const TrnStreamExplanation why = trn_stream_explain(flight->stream, coord);
    const bool is_wished = flight_has_plane(flight, "wished", coord),
               is_shown = flight_has_plane(flight, "shown", coord);
    assert_int_equal(why.is_there, chunk != NULL);
    assert_int_equal(why.is_wished, is_wished);
    assert_int_equal(why.is_to_be_shown, flight_has_plane(flight, "show", coord));
    assert_int_equal(why.is_shown, is_shown);
    assert_true(why.state < TRN_STREAM_STATE_COUNT && why.wait < TRN_STREAM_WAIT_COUNT);
    assert_true(why.sentence[0] && memchr(why.sentence, '\0', sizeof why.sentence));
    assert_true(why.is_wished || !why.is_to_be_shown);
    assert_true(why.state != TRN_STREAM_STATE_SHOWN || why.is_shown);
    if (why.wait == TRN_STREAM_WAIT_NEIGHBOURS) {
        if (why.missing_count == 0 || flight_has_plane(flight, "there", why.missing)) {
            fail_msg("it waits for a neighbour that is there: %s", why.sentence);
        }
    }
    if (is_shown) {
        assert_non_null(chunk);
        const FlightMesh *mesh = flight_shown(chunk)->mesh;
        assert_true(mesh ? mesh->revisions[13] == trn_chunk_revision(chunk)
                         : flight_is_air(trn_voxels_snapshot(&chunk->voxels)));
    }
}

/// Whether all views are as large as they are asked to be, and not growing, or short.
static bool has_full_views(const Flight *flight)
{
    bool is_full = true;
    for (uint32_t i = 0; i < FLIGHT_ANCHORS; i++) {
        TrnStreamView view = {0};
        if (flight->anchors[i].is_used) {
            assert_int_equal(trn_stream_view(flight->stream, flight->anchors[i].id, &view),
                             TRN_RESULT_OK);
            is_full &= view.is_begun && view.rings == view.rings_asked;
        }
    }
    return is_full;
}

/// Whether some view is still larger than it is asked to be: it loses its rings over some updates.
static bool has_too_large_views(const Flight *flight)
{
    for (uint32_t i = 0; i < FLIGHT_ANCHORS; i++) {
        TrnStreamView view = {0};
        if (flight->anchors[i].is_used &&
            trn_stream_view(flight->stream, flight->anchors[i].id, &view) == TRN_RESULT_OK &&
            view.rings > view.rings_asked) {
            return true;
        }
    }
    return false;
}

static void check_wishes(const Flight *flight, TrnCoord coord, uint32_t hysteresis)
{
    bool kept = false;
    const bool wished = trn_stream_wishes(flight->stream, coord, &kept);
    const bool should = flight_wishes(flight, coord, 0, false);
    if (flight->may_lack_memory || has_too_large_views(flight)) {
        return; // a view may be behind its anchor, until it can follow
    }
    assert_true(has_full_views(flight) ? wished == should : should || !wished);
    assert_true(kept || !wished);
    assert_true(!kept || flight_wishes(flight, coord, hysteresis, false));
}

static void check_readiness(const Flight *flight, TestRandom *random, TrnCoord coord)
{
    const TrnVoxel min = voxel_plus(trn_coord_voxel(coord), test_random_range(random, -20, 31),
                                    test_random_range(random, -20, 31), 5);
    const TrnVoxel max =
        voxel_plus(min, test_random_range(random, 0, 150), test_random_range(random, 0, 90), 60);
    const TrnStreamReadiness ready = trn_stream_readiness(flight->stream, min, max);
    TrnStreamReadiness model = {0};
    for (int64_t y = min.y >> 5; y <= max.y >> 5; y++) {
        for (int64_t z = min.z >> 5; z <= max.z >> 5; z++) {
            for (int64_t x = min.x >> 5; x <= max.x >> 5; x++) {
                const TrnVoxel voxel = {x * 32, y * 32, z * 32};
                if (trn_voxel_in_world(voxel)) {
                    const TrnCoord at = trn_voxel_chunk(voxel);
                    model.chunks++;
                    model.wished += flight_has_plane(flight, "wished", at);
                    model.there += trn_store_find(flight->store, at) != NULL;
                    model.shown += flight_has_plane(flight, "shown", at);
                }
            }
        }
    }
    assert_int_equal(ready.chunks, model.chunks);
    assert_int_equal(ready.wished, model.wished);
    assert_int_equal(ready.there, model.there);
    assert_int_equal(ready.shown, model.shown);
    assert_int_equal(ready.is_there, model.chunks && model.there == model.chunks);
    assert_int_equal(ready.is_shown, model.chunks && model.shown == model.chunks);
}

/// Whether a chunk's mesh was made from an edit, where it is to be.
static bool shows_edit(const FlightEdit *edit, const FlightMember *member, TrnChunk *chunk)
{
    for (uint32_t place = 0; place < 27; place++) {
        if (member->around >> place & 1 && flight_shown(chunk)->revisions[place] < edit->revision) {
            return false;
        }
    }
    return true;
}

/// Members that left the store or the view, or are nothing but air, or have lost a neighbour, or whose hook has failed, show nothing else
/// than they did.
static bool is_followed(const Flight *flight, const FlightMember *member)
{
    TrnChunk *chunk = trn_store_chunk(flight->store, member->id);
    return chunk && flight_has_plane(flight, "show", member->coord) &&
           trn_stream_explain(flight->stream, member->coord).failure == TRN_RESULT_OK &&
           flight_has_neighbours(flight, member->coord) &&
           (flight_shown(chunk)->mesh || !flight_is_air(trn_voxels_snapshot(&chunk->voxels)));
}

/// All that an edit touches shows it, or nothing does. @return whether it has been shown
static bool check_edit(Flight *flight, FlightEdit *edit)
{
    uint32_t shows = 0;
    for (uint32_t i = edit->count; i-- > 0;) {
        FlightMember *member = &edit->members[i];
        if (!is_followed(flight, member)) {
            *member = edit->members[--edit->count];
        }
    }
    for (uint32_t i = 0; i < edit->count; i++) {
        shows += shows_edit(edit, &edit->members[i],
                            trn_store_chunk(flight->store, edit->members[i].id));
    }
    if (shows != 0 && shows != edit->count) {
        for (uint32_t i = 0; i < edit->count; i++) {
            const FlightMember *member = &edit->members[i];
            print_message(
                "  %s: around %x: %s\n",
                shows_edit(edit, member, trn_store_chunk(flight->store, member->id)) ? "shows"
                                                                                     : "waits",
                member->around, trn_stream_explain(flight->stream, member->coord).sentence);
        }
        fail_msg("an edit is shown by %u of the %u chunks that it touches", shows, edit->count);
    }
    return shows == edit->count;
}

static void check_edits(Flight *flight, const TrnStreamStats *stats)
{
    const bool is_torn = stats->torn_groups != flight->torn_groups;
    flight->torn_groups = stats->torn_groups;
    assert_true(!is_torn || flight->memory_fail_every || flight->bytes_max);
    if (is_torn || !flight->keeps_groups) {
        flight->edit_count = 0; // it says so itself
    }
    for (uint32_t i = flight->edit_count; i-- > 0;) {
        if (check_edit(flight, &flight->edits[i])) {
            flight->edits[i] = flight->edits[--flight->edit_count];
        } else {
            flight->edits[i].updates++;
            assert_true(!flight->is_exact || flight->edits[i].updates < FLIGHT_EDIT_UPDATES);
        }
    }
}

static TrnStreamReport update(Flight *flight)
{
    TrnStreamReport report = {0};
    flight->uploads_now = flight->unloads_now = 0;
    (void)trn_stream_update(flight->stream, NULL, &report);
    const TrnStreamStats stats = trn_stream_stats(flight->stream);
    check_report(flight, &report);
    check_bytes(flight, &stats);
    check_edits(flight, &stats);
    return report;
}

// ---- what must be so in the end ----------------------------------------------------------------

/// One chunk that is there: it is to be, and holds and shows what it should.
static void check_present(Flight *flight, TrnChunk *chunk, uint32_t hysteresis)
{
    const TrnCoord coord = chunk->coord;
    assert_true(flight_place(flight, coord)->is_foreign ||
                flight_wishes(flight, coord, hysteresis, false));
    assert_true(flight_voxels_are_right(flight, coord, trn_voxels_snapshot(&chunk->voxels)));
    const bool is_to_show = flight->shows && flight_wishes(flight, coord, 0, true);
    if (is_to_show &&
        !(flight_has_plane(flight, "shown", coord) && flight_mesh_is_right(flight, chunk))) {
        fail_msg("chunk %d %d %d shows something else than it should: %s", coord.x, coord.y,
                 coord.z, trn_stream_explain(flight->stream, coord).sentence);
    }
    check_chunk(flight, coord);
}

/// How many chunks an anchor wishes for that none before it does, by brute force.
static size_t count_wished(const Flight *flight, uint32_t anchor)
{
    const TrnStreamAnchor *its = &flight->anchors[anchor].anchor;
    const int32_t radius = (int32_t)its->radius_chunks + 1,
                  height = (int32_t)its->height_chunks + 1;
    const TrnBox box = trn_box_around(its->position.chunk, radius, height, radius);
    const int64_t wide = (int64_t)box.max.x - box.min.x + 1,
                  deep = (int64_t)box.max.z - box.min.z + 1,
                  high = (int64_t)box.max.y - box.min.y + 1;
    size_t count = 0;
    for (int64_t i = 0; i < wide * deep * high; i++) {
        const TrnCoord coord = trn_coord_add(
            box.min, (int32_t)(i % wide), (int32_t)(i / wide / deep), (int32_t)(i / wide % deep));
        bool is_first = flight_anchor_wishes(its, coord, 0, false);
        for (uint32_t j = 0; j < anchor; j++) {
            const FlightAnchor *other = &flight->anchors[j];
            is_first &= !other->is_used || !flight_anchor_wishes(&other->anchor, coord, 0, false);
        }
        count += is_first;
        assert_int_equal(trn_stream_wishes(flight->stream, coord, NULL),
                         flight_wishes(flight, coord, 0, false));
    }
    return count;
}

/// Everything wished is there and shown, nothing else is there, and all of it holds and shows what it should.
static void check_all(Flight *flight, uint32_t hysteresis)
{
    const size_t count = trn_store_gather(flight->store, trn_box_everything(), NULL, 0);
    TrnChunk **chunks = malloc((count + 1) * sizeof(TrnChunk *));
    assert_non_null(chunks);
    trn_store_gather(flight->store, trn_box_everything(), chunks, count);
    size_t wished = 0, all_wished = 0;
    for (size_t i = 0; i < count; i++) {
        check_present(flight, chunks[i], hysteresis);
        wished += flight_wishes(flight, chunks[i]->coord, 0, false);
    }
    free(chunks);
    for (uint32_t i = 0; i < FLIGHT_ANCHORS; i++) {
        all_wished += flight->anchors[i].is_used ? count_wished(flight, i) : 0;
    }
    assert_int_equal(wished, all_wished);
}

/// Faults end, and the flight stands still until all is there.
static void settle(Flight *flight)
{
    atomic_store(&flight->fail_every, 0);
    atomic_store(&flight->slow_us, 0);
    flight->memory_fail_every = 0;
    flight->upload_fail_every = 0;
    uint32_t updates = 0;
    while (!update(flight).is_idle) {
        trn_stream_wait(flight->stream);
        if (++updates == SETTLE_UPDATES) {
            const TrnStreamStats stats = trn_stream_stats(flight->stream);
            fail_msg("not at rest: %u queued, %u under way, %u leaving, %u failed, %u short",
                     stats.queued, stats.under_way, stats.leaving, stats.failed, stats.short_views);
        }
    }
    assert_true(flight->edit_count == 0);
    assert_int_equal(trn_chunk_index_stats(trn_stream_index(flight->stream)).chunks,
                     trn_stream_stats(flight->stream).wished); // nothing that has gone is left
    for (int i = 0; i < 20 && !flight->bytes_max; i++) {       // a short view may try to grow
        const TrnStreamReport report = update(flight);
        assert_true(report.is_idle);
        assert_int_equal(report.inserted + report.uploaded + report.unloaded + report.failed, 0);
    }
}

/// All that was edited and is not waiting still has been saved as it is.
static void check_saved(Flight *flight)
{
    assert_int_equal(trn_stream_save(flight->stream), TRN_RESULT_OK);
    assert_int_equal(trn_stream_stats(flight->stream).unsaved, 0);
    const size_t waiting_count = trn_store_waiting(flight->store, NULL, 0);
    TrnCoord *waiting = malloc((waiting_count + 1) * sizeof(TrnCoord));
    assert_non_null(waiting);
    trn_store_waiting(flight->store, waiting, waiting_count);
    static TrnBlock made[TRN_CHUNK_VOXELS];
    for (uint32_t i = 0; i < FLIGHT_PLACES; i++) {
        const FlightPlace *place = &flight->places[i];
        bool is_waiting = place->is_foreign && !is_known(flight, place->coord); // or the game's own
        for (size_t j = 0; j < waiting_count; j++) {
            is_waiting |= trn_coord_equal(waiting[j], place->coord);
        }
        if (!place->expected || is_waiting) {
            assert_true(place->expected || !place->saved);
            continue;
        }
        const TrnBlock *now = place->saved;
        if (!now) { // no edit has changed anything
            now = made;
            for (uint32_t j = flight_blocks(place->coord, made); j && j < TRN_CHUNK_VOXELS; j++) {
                made[j] = made[0];
            }
        }
        if (memcmp(now, place->expected, sizeof made) != 0) {
            fail_msg("an edit of chunk %d %d %d is not saved (%s; is there: %d, foreign: %d, "
                     "wished: %d)",
                     place->coord.x, place->coord.y, place->coord.z,
                     place->saved ? "others are" : "nothing is",
                     trn_store_find(flight->store, place->coord) != NULL, place->is_foreign,
                     flight_has_plane(flight, "wished", place->coord));
        }
    }
    free(waiting);
}

// ---- flights -----------------------------------------------------------------------------------

static void set_faults(Flight *flight, const Plan *plan, uint32_t step)
{
    const bool is_bad = step / 64 % 2;
    atomic_store(&flight->fail_every, is_bad ? plan->fail_every : 0);
    flight->memory_fail_every = is_bad ? plan->memory_fail_every : 0;
    flight->upload_fail_every = is_bad ? plan->upload_fail_every : 0;
}

static void act(Flight *flight, TestRandom *random, const Plan *plan)
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

static void look(Flight *flight, TestRandom *random, uint32_t hysteresis)
{
    TrnCoord coord;
    for (int i = 0; i < 8 && any_coord(flight, random, &coord); i++) {
        check_chunk(flight, coord);
        check_wishes(flight, coord, hysteresis);
    }
    if (happens(random, 4) && any_coord(flight, random, &coord)) {
        check_readiness(flight, random, coord);
    }
}

/// Flies, and checks all at some halts and at the end.
static void fly(Flight *flight, TestRandom *random, const Plan *plan, const TrnStreamDef *def,
                uint32_t steps)
{
    add_anchor(flight, random, plan);
    for (uint32_t step = 0; step < steps; step++) {
        set_faults(flight, plan, step);
        act(flight, random, plan);
        update(flight);
        look(flight, random, def->hysteresis_chunks);
        if (step % 200 == 199 || step + 1 == steps) {
            settle(flight);
            check_all(flight, def->hysteresis_chunks);
        }
    }
    check_saved(flight);
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

static void a_flight_shows_what_brute_force_says(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(901);
    for (uint32_t round = 0; round < (IS_SLOW ? 1 : 3); round++) {
        TrnStreamDef def;
        Flight *flight = flight_begin_world(test_random_next(&random), 0, &def);
        def.hysteresis_chunks = round;
        flight_start(flight, &def);
        fly(flight, &random, &plain_plan, &def, IS_SLOW ? 300 : 1000);
        const TrnStreamStats stats = trn_stream_stats(flight->stream);
        assert_int_equal(flight->theres - flight->gones, stats.there);
        assert_true(stats.groups > 20 && stats.torn_groups == 0);
        flight_end(flight);
    }
}

/// One flight from its beginning to its end.
static void fly_once(uint64_t seed, size_t bytes_max, const Plan *plan, const TrnStreamDef *change,
                     uint32_t steps)
{
    TestRandom random = {seed};
    TrnStreamDef def;
    Flight *flight = flight_begin_world(seed, bytes_max, &def);
    flight->keeps_groups = !plan->upload_fail_every;
    flight->may_lack_memory = plan->memory_fail_every != 0 || bytes_max != 0;
    def.workers = change->workers;
    def.budget = change->budget;
    def.runner = change->runner;
    def.caller_works = change->caller_works;
    flight_start(flight, &def);
    fly(flight, &random, plan, &def, steps);
    flight_end(flight);
}

static void rounds(uint64_t seed, const Plan *plan, const TrnStreamDef *change, uint32_t steps)
{
    TestRandom random = test_random_seeded(seed);
    for (uint32_t round = 0; round < (IS_SLOW ? 1 : 3); round++) {
        fly_once(test_random_next(&random), 0, plan, change, IS_SLOW ? steps / 3 : steps);
    }
}

static const TrnStreamDef exact = {.budget = {.units = 48}};
static const TrnStreamDef threaded = {.budget = {.ms = 0.5}, .workers = 3};
static const TrnStreamDef eager = {.budget = {.ms = 2}, .workers = 1, .caller_works = true};

static void a_game_may_bring_and_take_chunks_itself(void **state)
{
    (void)state;
    Plan plan = plain_plan;
    plan.removals = 3;
    plan.inserts = 5;
    rounds(902, &plan, &exact, 600);
}

static void hooks_that_fail_are_tried_again(void **state)
{
    (void)state;
    Plan plan = plain_plan;
    plan.fail_every = 5;
    rounds(903, &plan, &exact, 600);
}

static void uploads_that_fail_are_tried_again(void **state)
{
    (void)state;
    Plan plan = plain_plan;
    plan.upload_fail_every = 3;
    rounds(904, &plan, &exact, 600);
}

static void allocations_that_fail_leave_nothing_wrong(void **state)
{
    (void)state;
    Plan plan = plain_plan;
    plan.memory_fail_every = 20;
    plan.removals = 10;
    rounds(905, &plan, &exact, 600);
}

static void threads_show_what_brute_force_says(void **state)
{
    (void)state;
    Plan plan = plain_plan;
    plan.removals = 10;
    plan.inserts = 20;
    rounds(906, &plan, &threaded, 900);
    rounds(907, &plan, &eager, 600);
}

static void threads_and_all_faults_at_once(void **state)
{
    (void)state;
    Plan plan = plain_plan;
    plan.removals = 10;
    plan.fail_every = 7;
    plan.memory_fail_every = 50;
    plan.upload_fail_every = 9;
    rounds(908, &plan, &threaded, 900);
}

// ---- a caller's threads ------------------------------------------------------------------------

typedef struct Task {
    void (*work)(void *context);
    void *context;
} Task;

static void *run_task(void *user)
{
    const Task task = *(Task *)user;
    free(user);
    task.work(task.context);
    return NULL;
}

/// A thread for every piece of work; every seventh time there is none, and every fifth is done here and now.
static bool start_task(void *user, void (*work)(void *context), void *context)
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
    Task *task = malloc(sizeof *task);
    pthread_t thread;
    *task = (Task){work, context};
    if (pthread_create(&thread, NULL, run_task, task) != 0) {
        free(task);
        return false;
    }
    pthread_detach(thread);
    return true;
}

static void a_callers_threads_show_what_brute_force_says(void **state)
{
    (void)state;
    uint32_t calls = 0;
    const TrnStreamRunner runner = {start_task, 3, &calls};
    TrnStreamDef change = threaded;
    change.runner = &runner;
    Plan plan = plain_plan;
    plan.fail_every = 20;
    rounds(909, &plan, &change, 300);
    assert_true(calls > 0);
}

// ---- budgets -----------------------------------------------------------------------------------

static void budgets_are_never_passed(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(910);
    Plan plan = plain_plan;
    plan.anchors = 2;
    plan.radius = 6;
    plan.removals = 20;
    for (uint32_t round = 0; round < (IS_SLOW ? 2 : 6); round++) {
        TrnStreamDef def;
        const size_t bytes_max = ((size_t)2 + round) << 20;
        const uint64_t seed = test_random_next(&random);
        TestRandom its = {seed};
        Flight *flight = flight_begin_world(seed, bytes_max, &def);
        def.workers = round % 2 ? 2 : 0;
        def.budget = (TrnStreamBudget){.ms = round % 2, .units = round % 2 ? 0 : 48};
        def.queue_bytes = 256 << 10;
        flight_start(flight, &def);
        add_anchor(flight, &its, &plan);
        for (uint32_t step = 0; step < (IS_SLOW ? 200 : 800); step++) {
            act(flight, &its, &plan);
            update(flight);
            look(flight, &its, def.hysteresis_chunks);
        }
        flight_end(flight);
    }
}

static uint32_t any_of(TestRandom *random, uint32_t most)
{
    return (uint32_t)test_random_range(random, 0, most);
}

/// One in so many, from one in two to one in `most`; or never.
static uint32_t any_chance(TestRandom *random, uint32_t most)
{
    return happens(random, 2) ? 0 : 2 + any_of(random, most - 2);
}

static Plan any_plan(TestRandom *random)
{
    return (Plan){.anchors = 1 + any_of(random, FLIGHT_ANCHORS - 1),
                  .radius = any_of(random, 5),
                  .height = any_of(random, 3),
                  .edits = any_chance(random, 5),
                  .removals = any_chance(random, 30),
                  .inserts = any_chance(random, 30),
                  .saves = any_chance(random, 60),
                  .teleports = any_chance(random, 100),
                  .resizes = any_chance(random, 60),
                  .comings = any_chance(random, 80),
                  .fail_every = any_chance(random, 10),
                  .memory_fail_every = any_chance(random, 60),
                  .upload_fail_every = any_chance(random, 9),
                  .speed = any_of(random, 500)};
}

static TrnStreamDef any_def(TestRandom *random)
{
    const TrnStreamBudget budgets[] = {{.units = 1},  {.units = 48}, {.units = UINT32_MAX},
                                       {.ms = 0.001}, {.ms = 2},     {.upload_bytes = 4096}};
    return (TrnStreamDef){.budget = budgets[any_of(random, sizeof budgets / sizeof budgets[0] - 1)],
                          .workers = any_of(random, 3),
                          .hysteresis_chunks = any_of(random, 4),
                          .queue_bytes = (size_t)any_of(random, 8) << 16,
                          .caller_works = happens(random, 2)};
}

/// Whatever comes together: at rest, once faults are over, all that is asked for and fits is there and right.
static void any_flight_comes_to_rest_and_is_right(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(916);
    for (uint32_t round = 0; round < (IS_SLOW ? 3 : 12); round++) {
        const uint64_t seed = test_random_next(&random);
        TestRandom its = {seed};
        const Plan plan = any_plan(&its);
        const TrnStreamDef change = any_def(&its);
        const size_t bytes_max = happens(&its, 2) ? 0 : ((size_t)3 << 20) + any_of(&its, 5 << 20);
        TrnStreamDef def;
        Flight *flight = flight_begin_world(seed, bytes_max, &def);
        flight->keeps_groups = !plan.upload_fail_every;
        flight->may_lack_memory = plan.memory_fail_every != 0 || bytes_max != 0;
        def.workers = change.workers;
        def.budget = change.budget;
        def.hysteresis_chunks = change.hysteresis_chunks;
        def.queue_bytes = change.queue_bytes;
        def.caller_works = change.caller_works;
        flight_start(flight, &def);
        for (uint32_t step = 0; step < 500; step++) {
            set_faults(flight, &plan, step);
            act(flight, &its, &plan);
            update(flight);
            look(flight, &its, def.hysteresis_chunks);
        }
        settle(flight);
        if (has_full_views(flight)) {
            check_all(flight, def.hysteresis_chunks);
        }
        flight_end(flight);
    }
}

static TrnStreamView view_of(const Flight *flight, uint32_t anchor)
{
    TrnStreamView view;
    assert_int_equal(trn_stream_view(flight->stream, flight->anchors[anchor].id, &view),
                     TRN_RESULT_OK);
    return view;
}

static void set_anchor(Flight *flight, uint32_t place, const TrnStreamAnchor *anchor)
{
    FlightAnchor *its = &flight->anchors[place];
    its->anchor = *anchor;
    if (its->is_used) {
        assert_int_equal(trn_stream_anchor_set(flight->stream, its->id, anchor), TRN_RESULT_OK);
        return;
    }
    assert_int_equal(trn_stream_anchor_add(flight->stream, anchor, &its->id), TRN_RESULT_OK);
    its->is_used = true;
}

static TrnStreamAnchor anchor_at(int32_t x, int32_t y, int32_t z, uint32_t radius, uint32_t height)
{
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.position = (TrnPosition){{x, y, z}, {16, 16, 16}};
    anchor.radius_chunks = radius;
    anchor.height_chunks = height;
    return anchor;
}

/// A view that cannot fit is smaller, says so, comes to rest, and stays at rest: nothing goes that comes back at once.
static void a_view_that_does_not_fit_rests_at_what_does(void **state)
{
    (void)state;
    uint32_t rings_before = 0;
    for (uint32_t mib = 3; mib <= 6; mib++) {
        TrnStreamDef def;
        Flight *flight = flight_begin_world(5, (size_t)mib << 20, &def);
        def.queue_bytes = 256 << 10;
        flight_start(flight, &def);
        const TrnStreamAnchor anchor = anchor_at(0, 0, 0, 12, 3);
        set_anchor(flight, 0, &anchor);
        for (uint32_t i = 0; i < 3000; i++) {
            update(flight);
        }
        const TrnStreamView view = view_of(flight, 0);
        assert_true(view.is_begun && view.is_short && view.rings < view.rings_asked);
        assert_true(view.rings > 0 && view.rings >= rings_before);
        assert_int_equal(view.rings_asked, 12);
        assert_int_equal(trn_stream_stats(flight->stream).short_views, 1);
        uint32_t changes = 0, idle = 0;
        for (uint32_t i = 0; i < 3000; i++) {
            const TrnStreamReport report = update(flight);
            changes += report.inserted + report.unloaded;
            idle += report.is_idle;
        }
        print_message("  %u MiB: %u of 12 rings; %u chunks changed in 3,000 updates, %u idle\n",
                      mib, view.rings, changes, idle);
        assert_true(changes < 300 && idle > 2400);
        rings_before = view.rings;
        flight_end(flight);
    }
}

// ---- hysteresis, and the cost of a step --------------------------------------------------------

/// Someone who steps to and fro across a corner of chunks costs nothing after the first time.
static void stepping_to_and_fro_costs_nothing(void **state)
{
    (void)state;
    TrnStreamDef def;
    Flight *flight = flight_begin_world(7, 0, &def);
    flight_start(flight, &def);
    uint32_t changes = 0;
    for (uint32_t i = 0; i < 60; i++) {
        const int32_t at = i % 2 ? -1 : 0;
        const TrnStreamAnchor anchor = anchor_at(at, at, at, 5, 3);
        set_anchor(flight, 0, &anchor);
        for (uint32_t j = 0; j < 40; j++) {
            const TrnStreamReport report = update(flight);
            changes += i >= 4 ? report.inserted + report.unloaded + report.uploaded : 0;
        }
    }
    settle(flight);
    check_all(flight, def.hysteresis_chunks);
    assert_int_equal(changes, 0);
    flight_end(flight);
}

/// A step of one chunk looks at the shells that differ, not at the ball.
static void a_step_costs_a_shell(void **state)
{
    (void)state;
    TrnStreamDef def;
    Flight *flight = flight_begin_world(8, 0, &def);
    def.hooks.mesh = NULL;
    flight->shows = false;
    def.budget.units = 4096;
    flight_start(flight, &def);
    TrnStreamAnchor anchor = anchor_at(0, 0, 0, 12, 4);
    set_anchor(flight, 0, &anchor);
    settle(flight);
    uint64_t before = trn_stream_stats(flight->stream).wish_cells;
    const uint32_t steps = 24;
    uint32_t wished = 0;
    for (uint32_t i = 0; i < steps; i++) {
        anchor.position.chunk.x++;
        set_anchor(flight, 0, &anchor);
        do {
            const TrnStreamReport report = update(flight);
            wished += report.wished;
            if (report.is_idle) {
                break;
            }
        } while (true);
    }
    const uint64_t cells = trn_stream_stats(flight->stream).wish_cells - before;
    print_message("  %.0f chunks came and %.0f were looked at for a step, of %u in the view\n",
                  (double)wished / steps, (double)cells / steps,
                  trn_stream_stats(flight->stream).wished);
    assert_true(wished >= steps * 27 * 5); // two thirds of a flat shell at least
    assert_true(cells <= (uint64_t)wished * 8);
    check_all(flight, def.hysteresis_chunks);
    flight_end(flight);
}

// ---- exact replay ------------------------------------------------------------------------------

#define TRACE_STEPS 240u

typedef struct Trace {
    uint64_t steps
        [TRACE_STEPS]; ///< all that the calling thread's hooks and the listener were told until then
    uint64_t figures;
} Trace;

static uint64_t figures_of(const TrnStreamStats *stats)
{
    const uint64_t figures[] = {stats->updates,
                                stats->wished,
                                stats->there,
                                stats->shown,
                                stats->unsaved,
                                stats->queued,
                                stats->made,
                                stats->loaded,
                                stats->inserted,
                                stats->meshed,
                                stats->uploaded,
                                stats->unloaded,
                                stats->saved,
                                stats->failures,
                                stats->stale,
                                stats->groups,
                                stats->shrinks,
                                stats->grows,
                                stats->cancelled_before,
                                stats->cancelled_during,
                                stats->store_bytes,
                                stats->mesh_bytes};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        hash = flight_mix(hash, figures[i]);
    }
    return hash;
}

static void trace_flight(uint64_t seed, size_t bytes_max, const TrnStreamDef *change, Trace *trace)
{
    TestRandom random = {seed};
    TrnStreamDef def;
    Flight *flight = flight_begin_world(seed, bytes_max, &def);
    Plan plan = plain_plan;
    plan.teleports = 60;
    plan.removals = 20;
    plan.fail_every = 9;
    def.workers = change->workers;
    def.runner = change->runner;
    def.budget.units = 20;
    flight_start(flight, &def);
    add_anchor(flight, &random, &plan);
    for (uint32_t step = 0; step < TRACE_STEPS; step++) {
        set_faults(flight, &plan, step);
        act(flight, &random, &plan);
        update(flight);
        trace->steps[step] = flight->trace;
    }
    const TrnStreamStats stats = trn_stream_stats(flight->stream);
    trace->figures = figures_of(&stats);
    flight_end(flight);
}

/// The same order of everything, not only the same end, with edits, teleports, removals and failing hooks.
static void a_flight_is_the_same_at_any_number_of_workers(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(911);
    const uint32_t workers[] = {1, 2, 4, 8};
    for (uint32_t round = 0; round < 2; round++) {
        const uint64_t seed = test_random_next(&random);
        const size_t bytes_max = round ? (size_t)4 << 20 : 0;
        static Trace first, other;
        TrnStreamDef change = {.workers = 0};
        trace_flight(seed, bytes_max, &change, &first);
        for (uint32_t i = 0; i < 4; i++) {
            change.workers = workers[i];
            trace_flight(seed, bytes_max, &change, &other);
            for (uint32_t step = 0; step < TRACE_STEPS; step++) {
                if (first.steps[step] != other.steps[step]) {
                    fail_msg("with %u workers, step %u is another", workers[i], step);
                }
            }
            assert_int_equal(first.figures, other.figures);
        }
        uint32_t calls = 0;
        const TrnStreamRunner runner = {start_task, 2, &calls};
        change = (TrnStreamDef){.runner = &runner};
        trace_flight(seed, bytes_max, &change, &other);
        assert_memory_equal(&first, &other, sizeof first);
    }
}

// ---- ends --------------------------------------------------------------------------------------

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// At any moment, with hooks that are slow, and with hooks that end only since they are told to.
static void a_stream_ends_at_any_moment(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(912);
    double slowest = 0;
    for (uint32_t round = 0; round < (IS_SLOW ? 12 : 40); round++) {
        TrnStreamDef def;
        const uint64_t seed = test_random_next(&random);
        TestRandom its = {seed};
        Flight *flight = flight_begin_world(seed, 0, &def);
        def.workers = 1 + round % 3;
        def.budget = (TrnStreamBudget){.ms = 0.3};
        atomic_store(&flight->slow_us, round % 2 ? 3000 : 0);
        flight_start(flight, &def);
        add_anchor(flight, &its, &plain_plan);
        const uint32_t steps = (uint32_t)test_random_range(&its, 0, 40);
        for (uint32_t step = 0; step < steps; step++) {
            act(flight, &its, &plain_plan);
            update(flight);
        }
        if (round % 4 == 3) {
            atomic_store(&flight->waits_for_cancel, true);
            update(flight);
        }
        const double start = seconds_now();
        flight_end_stream(flight);
        const double took = seconds_now() - start;
        slowest = took > slowest ? took : slowest;
        flight_end(flight);
    }
    print_message("  the slowest end took %.1f ms\n", slowest * 1e3);
    assert_true(slowest < 2); // the bench holds it to 100 ms, on a machine that is not loaded
}

/// A stream may go and another come: the store's chunks are taken up as they are.
static void a_stream_takes_up_where_another_ended(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(913);
    TrnStreamDef def;
    Flight *flight = flight_begin_world(913, 0, &def);
    Plan plan = plain_plan;
    plan.teleports = 0;
    plan.anchors = 1;
    for (uint32_t round = 0; round < 4; round++) {
        flight_start(flight, &def);
        add_anchor(flight, &random, &plan);
        for (uint32_t step = 0; step < 100; step++) {
            act(flight, &random, &plan);
            update(flight);
        }
        settle(flight);
        check_all(flight, def.hysteresis_chunks);
        assert_int_equal(trn_stream_save(flight->stream), TRN_RESULT_OK);
        flight_end_stream(flight);
        memset(flight->anchors, 0, sizeof flight->anchors);
        flight->edit_count = 0;
        for (uint32_t i = 0; i < FLIGHT_PLACES; i++) { // what is left is no stream's
            flight->places[i].is_foreign = trn_store_find(flight->store, flight->places[i].coord);
        }
    }
    flight_end(flight);
}

static void absurd_anchors_are_refused_or_served(void **state)
{
    (void)state;
    TrnStreamDef def;
    Flight *flight = flight_begin_world(914, (size_t)4 << 20, &def);
    def.queue_bytes = 256 << 10;
    flight_start(flight, &def);
    const TrnStreamAnchor good = anchor_at(INT32_MAX, INT32_MIN, INT32_MAX, 3, 2);
    set_anchor(flight, 0, &good);
    TrnStreamAnchor bad[8];
    for (int i = 0; i < 8; i++) {
        bad[i] = good;
    }
    bad[0].velocity[1] = (double)NAN;
    bad[1].position.offset[0] = (double)NAN;
    bad[2].view[2] = (double)INFINITY;
    bad[3].position.offset[2] = 32.5;
    bad[4].position.offset[1] = -0.5;
    bad[5].radius_chunks = TRN_STREAM_RADIUS_MAX + 1;
    bad[6].height_chunks = UINT32_MAX;
    bad[7].velocity[0] = -(double)INFINITY;
    for (int i = 0; i < 8; i++) {
        TrnStreamAnchorId id = {77, 78};
        assert_int_equal(trn_stream_anchor_add(flight->stream, &bad[i], &id),
                         TRN_RESULT_BAD_ARGUMENT);
        assert_true(id.index1 == 77 && id.generation == 78);
        assert_int_equal(trn_stream_anchor_set(flight->stream, flight->anchors[0].id, &bad[i]),
                         TRN_RESULT_BAD_ARGUMENT);
    }
    settle(flight);
    check_all(flight, def.hysteresis_chunks);
    TrnStreamAnchor huge = good; // as wide as may be, as fast as may be
    huge.radius_chunks = huge.height_chunks = 10000;
    huge.velocity[0] = 1e300;
    huge.view[0] = 1e-300;
    set_anchor(flight, 0, &huge);
    for (int i = 0; i < 600; i++) {
        update(flight);
    }
    assert_true(view_of(flight, 0).is_short);
    const TrnStreamAnchor small = anchor_at(INT32_MIN, 0, INT32_MIN, 0, 0);
    set_anchor(flight, 0, &small);
    settle(flight);
    check_all(flight, def.hysteresis_chunks);
    flight_end(flight);
}

// ---- a minute ----------------------------------------------------------------------------------

/// A minute in steps of 1/60 s, straight on, digging: after the first seconds it takes no more memory, and nothing is left behind.
static void a_minutes_flight_does_not_grow(void **state)
{
    (void)state;
    TrnStreamDef def;
    TestRandom random = test_random_seeded(915);
    Flight *flight = flight_begin_world(915, 0, &def);
    def.hooks.load = NULL;
    def.hooks.save = NULL;
    def.budget.units = 96;
    flight_start(flight, &def);
    TrnStreamAnchor anchor = anchor_at(0, 0, 0, IS_SLOW ? 3 : 6, 2);
    anchor.velocity[0] = 64;
    anchor.velocity[2] = 11;
    anchor.view[0] = 1;
    size_t before = 0, after = 0;
    for (uint32_t step = 0; step < 3600; step++) {
        move(&anchor.position, anchor.velocity, 1.0 / 60);
        set_anchor(flight, 0, &anchor);
        if (step % 10 == 0) {
            const TrnVoxel at = voxel_plus(trn_coord_voxel(anchor.position.chunk),
                                           test_random_range(&random, -20, 60), 4, 20);
            const Edit edit = {at, at, at, 3, TRN_BLOCK_AIR, TRN_ABSENT_SKIP};
            make_edit(flight, &edit);
        }
        update(flight);
        size_t *most = step < 600 ? NULL : step < 2100 ? &before : &after;
        const size_t bytes = trn_stream_bytes(flight->stream);
        if (most && bytes > *most) {
            *most = bytes;
        }
    }
    print_message("  %.2f MiB at most until the middle, %.2f MiB after\n", (double)before / 1048576,
                  (double)after / 1048576);
    assert_true((double)after <= (double)before * 1.02);
    flight_end(flight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flight_shows_what_brute_force_says),
        cmocka_unit_test(a_game_may_bring_and_take_chunks_itself),
        cmocka_unit_test(hooks_that_fail_are_tried_again),
        cmocka_unit_test(uploads_that_fail_are_tried_again),
        cmocka_unit_test(allocations_that_fail_leave_nothing_wrong),
        cmocka_unit_test(threads_show_what_brute_force_says),
        cmocka_unit_test(threads_and_all_faults_at_once),
        cmocka_unit_test(a_callers_threads_show_what_brute_force_says),
        cmocka_unit_test(budgets_are_never_passed),
        cmocka_unit_test(any_flight_comes_to_rest_and_is_right),
        cmocka_unit_test(a_view_that_does_not_fit_rests_at_what_does),
        cmocka_unit_test(stepping_to_and_fro_costs_nothing),
        cmocka_unit_test(a_step_costs_a_shell),
        cmocka_unit_test(a_flight_is_the_same_at_any_number_of_workers),
        cmocka_unit_test(a_stream_ends_at_any_moment),
        cmocka_unit_test(a_stream_takes_up_where_another_ended),
        cmocka_unit_test(absurd_anchors_are_refused_or_served),
        cmocka_unit_test(a_minutes_flight_does_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
