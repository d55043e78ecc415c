/// What must hold after every update of a flight and at its end, whatever was edited meanwhile.
/// _XOPEN_SOURCE must be 700.
#pragma once

#include "stream/stream_impl.h"
#include "stream_flight.h"

#include <math.h>

#define SETTLE_UPDATES 100000u

// ---- moving ------------------------------------------------------------------------------------

/// Moves along one axis, staying inside the world.
static inline void move_axis(int32_t *chunk, double *offset, double blocks)
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

static inline void move(TrnPosition *position, const double velocity[3], double seconds)
{
    move_axis(&position->chunk.x, &position->offset[0], velocity[0] * seconds);
    move_axis(&position->chunk.y, &position->offset[1], velocity[1] * seconds);
    move_axis(&position->chunk.z, &position->offset[2], velocity[2] * seconds);
}

// ---- editing -----------------------------------------------------------------------------------

typedef struct Edit {
    TrnVoxel min, max, centre; ///< of boxes; of spheres
    double radius;             ///< negative: a box
    TrnBlock block;
    TrnUnloadedPolicy absent;
} Edit;

static inline TrnVoxel voxel_plus(TrnVoxel voxel, int64_t x, int64_t y, int64_t z)
{
    return (TrnVoxel){voxel.x + x, voxel.y + y, voxel.z + z};
}

static inline void model_set(Flight *flight, const Edit *edit, TrnVoxel voxel)
{
    const TrnCoord coord = trn_voxel_chunk(voxel);
    if (trn_voxel_in_world(voxel) &&
        (edit->absent == TRN_UNLOADED_PENDING || trn_store_find(flight->store, coord))) {
        flight_expected(flight, coord)[trn_voxel_local_index(voxel)] = edit->block;
    }
}

static inline void model_edit(Flight *flight, const Edit *edit)
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

static inline void make_edit(Flight *flight, const Edit *edit)
{
    TrnBatchDef def = trn_batch_def();
    def.unloaded = edit->absent;
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

// ---- after every update ------------------------------------------------------------------------

static inline void check_bytes(const Flight *flight, const TrnStreamStats *stats)
{
    const size_t parts =
        stats->store_bytes + stats->mesh_bytes + stats->stream_bytes + stats->scratch_bytes;
    assert_int_equal(stats->total_bytes, parts);
    assert_int_equal(trn_stream_bytes(flight->stream), parts);
    assert_int_equal(stats->store_bytes + stats->stream_bytes, flight->memory.live_bytes);
    assert_true(stats->mesh_bytes >= flight->shown_bytes);
    if (flight->bytes_max) {
        assert_true(stats->total_bytes <= flight->bytes_max);
        assert_true(stats->total_bytes_peak <= flight->bytes_max);
    }
}

static inline void check_report(const Flight *flight, const TrnStreamReport *report)
{
    if (!flight->upload_fail_every) {
        assert_int_equal(report->uploaded, flight->uploads_now);
    }
    assert_int_equal(report->unloaded, flight->unloads_now);
}

/// An explanation names its chunk, and ends in one full stop.
static inline void check_sentence(const char *sentence, TrnCoord coord)
{
    char begin[64];
    const int length = snprintf(begin, sizeof begin, "Chunk %d, %d, %d ", (int)coord.x,
                                (int)coord.y, (int)coord.z);
    if (strncmp(sentence, begin, (size_t)length) != 0 || strstr(sentence, "..") ||
        sentence[strlen(sentence) - 1] != '.') {
        fail_msg("not a sentence: %s", sentence);
    }
}

/// Checks that one chunk's planes, explanation and shown mesh agree.
static inline void check_chunk(const Flight *flight, TrnCoord coord)
{
    TrnChunk *chunk = trn_store_find(flight->store, coord);
    const TrnStreamExplanation why = trn_stream_explain(flight->stream, coord);
    const bool is_wanted = flight_has_plane(flight, "wanted", coord),
               is_shown = flight_has_plane(flight, "shown", coord);
    assert_int_equal(why.is_loaded, chunk != NULL);
    assert_int_equal(why.is_wanted, is_wanted);
    assert_int_equal(why.should_show, flight_has_plane(flight, "show", coord));
    assert_int_equal(why.is_shown, is_shown);
    assert_true(why.state < TRN_STREAM_STATE_COUNT && why.wait < TRN_STREAM_WAIT_COUNT);
    check_sentence(why.sentence, coord);
    assert_true(why.is_wanted || !why.should_show);
    assert_true(why.state != TRN_STREAM_STATE_SHOWN || why.is_shown);
    if (why.wait == TRN_STREAM_WAIT_NEIGHBOURS) {
        if (why.missing_count == 0 || flight_has_plane(flight, "loaded", why.missing)) {
            fail_msg("it waits for a neighbour that is loaded: %s", why.sentence);
        }
    }
    if (is_shown) {
        assert_non_null(chunk);
        const FlightMesh *mesh = flight_shown(chunk)->mesh;
        assert_true(mesh ? mesh->revisions[13] == trn_chunk_revision(chunk)
                         : flight_is_air(trn_voxels_snapshot(&chunk->voxels)));
    }
}

/// Whether a chunk's mesh includes an edit that it should show.
static inline bool shows_edit(const FlightEdit *edit, const FlightMember *member, TrnChunk *chunk)
{
    for (uint32_t place = 0; place < 27; place++) {
        if (member->around >> place & 1 && flight_shown(chunk)->revisions[place] < edit->revision) {
            return false;
        }
    }
    return true;
}

/// Whether a member must follow the edit. Members that were unloaded, left the view, are all air,
/// lost a neighbour, or whose hook failed need not.
static inline bool is_followed(const Flight *flight, const FlightMember *member)
{
    TrnChunk *chunk = trn_store_chunk(flight->store, member->id);
    return chunk && flight_has_plane(flight, "show", member->coord) &&
           trn_stream_explain(flight->stream, member->coord).failure == TRN_RESULT_OK &&
           flight_has_neighbours(flight, member->coord) &&
           (flight_shown(chunk)->mesh || !flight_is_air(trn_voxels_snapshot(&chunk->voxels)));
}

/// Checks that all meshes that an edit touches show it, or none does. @return whether it is shown
static inline bool check_edit(Flight *flight, FlightEdit *edit)
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

static inline void check_edits(Flight *flight, const TrnStreamStats *stats)
{
    const bool is_torn = stats->torn_groups != flight->torn_groups;
    flight->torn_groups = stats->torn_groups;
    assert_true(!is_torn || flight->memory_fail_every || flight->bytes_max);
    if (is_torn || !flight->keeps_groups) {
        flight->edit_count = 0; // the stream reported a torn group
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

static inline TrnStreamReport update(Flight *flight)
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

// ---- at the end --------------------------------------------------------------------------------

/// Checks one loaded chunk: it should be loaded, and holds and shows what it should.
static inline void check_present(Flight *flight, TrnChunk *chunk, uint32_t hysteresis)
{
    const TrnCoord coord = chunk->coord;
    assert_true(flight_place(flight, coord)->is_foreign ||
                flight_wants(flight, coord, hysteresis, false));
    assert_true(flight_voxels_are_right(flight, coord, trn_voxels_snapshot(&chunk->voxels)));
    const bool is_to_show = flight->shows && flight_wants(flight, coord, 0, true);
    if (is_to_show &&
        !(flight_has_plane(flight, "shown", coord) && flight_mesh_is_right(flight, chunk))) {
        fail_msg("chunk %d %d %d does not show what it should: %s", coord.x, coord.y, coord.z,
                 trn_stream_explain(flight->stream, coord).sentence);
    }
    check_chunk(flight, coord);
}

/// Counts the chunks that an anchor wants and no earlier one does, by brute force.
static inline size_t count_wanted(const Flight *flight, uint32_t anchor)
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
        bool is_first = flight_anchor_wants(its, coord, 0, false);
        for (uint32_t j = 0; j < anchor; j++) {
            const FlightAnchor *other = &flight->anchors[j];
            is_first &= !other->is_used || !flight_anchor_wants(&other->anchor, coord, 0, false);
        }
        count += is_first;
        assert_int_equal(
            trn_stream_views_have(&flight->stream->views, coord, TRN_STREAM_SHAPE_LOAD),
            flight_wants(flight, coord, 0, false));
    }
    return count;
}

/// Checks that everything wanted is loaded and shown with the right content, and nothing else is
/// loaded.
static inline void check_all(Flight *flight, uint32_t hysteresis)
{
    const size_t count = trn_store_gather(flight->store, trn_box_everything(), NULL, 0);
    TrnChunk **chunks = malloc((count + 1) * sizeof(TrnChunk *));
    assert_non_null(chunks);
    trn_store_gather(flight->store, trn_box_everything(), chunks, count);
    size_t wanted = 0, all_wanted = 0;
    for (size_t i = 0; i < count; i++) {
        check_present(flight, chunks[i], hysteresis);
        wanted += flight_wants(flight, chunks[i]->coord, 0, false);
    }
    free(chunks);
    for (uint32_t i = 0; i < FLIGHT_ANCHORS; i++) {
        all_wanted += flight->anchors[i].is_used ? count_wanted(flight, i) : 0;
    }
    assert_int_equal(wanted, all_wanted);
}

/// Ends all faults, and updates without moving until everything is loaded.
static inline void settle(Flight *flight)
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
            fail_msg("not at rest: %u queued, %u under way, %u unloading, %u failed, %u shrunk",
                     stats.queued, stats.under_way, stats.unloading, stats.failed,
                     stats.shrunk_views);
        }
    }
    assert_true(flight->edit_count == 0);
    assert_int_equal(trn_chunk_index_stats(trn_stream_index(flight->stream)).chunks,
                     // no cells of unloaded chunks are left
                     trn_stream_stats(flight->stream).wanted);
    for (int i = 0; i < 20 && !flight->bytes_max; i++) { // a shrunk view may try to grow
        const TrnStreamReport report = update(flight);
        assert_true(report.is_idle);
        assert_int_equal(report.inserted + report.uploaded + report.unloaded + report.failed, 0);
    }
}
