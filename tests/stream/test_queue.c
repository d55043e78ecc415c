// The queue alone: views with anchors as input, cells in and out, against a list sorted by rank.

#include <math.h>

#include "stream/stream_queue.h"
#include "stream_cell.h"
#include "testing.h"

#define ANCHORS_MAX 2u
#define ENTRIES_MAX 4096u

/// A cell of the model that waits for work.
typedef struct Entry {
    TrnStreamCell *cell;
    TrnStreamQueueKind kind;
    bool is_edit;
    uint32_t rank;  ///< less comes first
    uint32_t since; ///< equal ranks: less comes first
} Entry;

typedef struct Line {
    TestAllocator memory;
    TrnAllocator allocator;
    TrnStreamCells cells;
    TrnStreamViews views;
    TrnStreamQueue queue;
    TrnStreamAnchor anchors[ANCHORS_MAX];
    TrnStreamAnchorId ids[ANCHORS_MAX];
    uint32_t anchor_count;
    uint64_t updates;
    Entry entries[ENTRIES_MAX];
    uint32_t count;
    uint32_t clock; ///< for Entry.since
} Line;

// ---- views whose host does nothing -------------------------------------------------------------

static TrnResult host_want(void *user, const TrnCoord *coords, uint32_t count)
{
    (void)user;
    (void)coords;
    (void)count;
    return TRN_RESULT_OK;
}

static void host_unwant(void *user, const TrnCoord *coords, uint32_t count)
{
    (void)user;
    (void)coords;
    (void)count;
}

static TrnResult host_show(void *user, TrnBox row)
{
    (void)user;
    (void)row;
    return TRN_RESULT_OK;
}

static void host_hide(void *user, TrnBox row)
{
    (void)user;
    (void)row;
}

static TrnStreamFit host_fits(void *user, uint64_t chunks, bool is_cautious)
{
    (void)user;
    (void)chunks;
    (void)is_cautious;
    return TRN_STREAM_FIT_YES;
}

static bool host_may_grow(void *user)
{
    (void)user;
    return true;
}

static void host_event(void *user, TrnStreamEventKind kind, TrnCoord centre, uint32_t ring)
{
    (void)user;
    (void)kind;
    (void)centre;
    (void)ring;
}

// ---- the line ----------------------------------------------------------------------------------

static Line *line_create(void)
{
    Line *line = calloc(1, sizeof *line);
    assert_non_null(line);
    const TrnStreamViewHost host = {.want = host_want,
                                    .unwant = host_unwant,
                                    .show = host_show,
                                    .hide = host_hide,
                                    .fits = host_fits,
                                    .may_grow = host_may_grow,
                                    .event = host_event};
    line->allocator = test_allocator(&line->memory);
    assert_int_equal(trn_stream_cells_create(&line->cells, 0, 1, &line->allocator), TRN_RESULT_OK);
    assert_int_equal(trn_stream_views_create(&line->views, &host, 2, &line->allocator),
                     TRN_RESULT_OK);
    trn_stream_queue_init(&line->queue, &line->cells, &line->views);
    return line;
}

static void line_destroy(Line *line)
{
    trn_stream_views_destroy(&line->views);
    trn_stream_cells_destroy(&line->cells);
    assert_int_equal(line->memory.live_bytes, 0);
    free(line);
}

static void line_update_views(Line *line)
{
    assert_int_equal(trn_stream_views_update(&line->views, ++line->updates, false), TRN_RESULT_OK);
}

static TrnStreamAnchor anchor_at(TrnCoord chunk, double x, double y, double z)
{
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.position = (TrnPosition){chunk, {x, y, z}};
    return anchor;
}

static void line_add_anchor(Line *line, TrnStreamAnchor anchor)
{
    const uint32_t place = line->anchor_count++;
    line->anchors[place] = anchor;
    assert_int_equal(trn_stream_views_add(&line->views, &anchor, &line->ids[place]), TRN_RESULT_OK);
    line_update_views(line);
}

static void line_set_anchor(Line *line, uint32_t place, TrnStreamAnchor anchor)
{
    line->anchors[place] = anchor;
    assert_int_equal(trn_stream_views_set(&line->views, line->ids[place], &anchor), TRN_RESULT_OK);
    line_update_views(line);
}

// ---- the model ---------------------------------------------------------------------------------

/// In chunks: the distance of a chunk's centre to the path of an anchor over the next second.
/// @param visible  receives whether it lies within 60 degrees of the direction of view, or near
static double model_distance(const TrnStreamAnchor *anchor, TrnCoord coord, bool *visible)
{
    const int32_t chunk[3] = {coord.x, coord.y, coord.z};
    const int32_t centre[3] = {anchor->position.chunk.x, anchor->position.chunk.y,
                               anchor->position.chunk.z};
    double to[3], path = 0, along = 0, view = 0, ahead = 0, length = 0, distance = 0;
    for (int axis = 0; axis < 3; axis++) { // in voxels
        to[axis] = ((double)chunk[axis] - centre[axis]) * 32 + 16 - anchor->position.offset[axis];
        path += anchor->velocity[axis] * anchor->velocity[axis];
        along += anchor->velocity[axis] * to[axis];
        view += anchor->view[axis] * anchor->view[axis];
        ahead += anchor->view[axis] * to[axis];
        length += to[axis] * to[axis];
    }
    const double part = path > 0 ? fmin(1, fmax(0, along / path)) : 0;
    for (int axis = 0; axis < 3; axis++) {
        const double off = to[axis] - part * anchor->velocity[axis];
        distance += off * off;
    }
    distance = sqrt(distance) / 32;
    *visible = view <= 0 || ahead >= 0.5 * sqrt(view) * sqrt(length) || distance <= 1.5;
    return distance;
}

/// The documented order as one number: urgent generation by bucket, meshes of edits; then by
/// bucket, in it meshes first, of each kind what is visible.
static uint32_t model_rank(const Line *line, TrnCoord coord, TrnStreamQueueKind kind, bool is_edit)
{
    double nearest = INFINITY;
    bool is_visible = false;
    for (uint32_t i = 0; i < line->anchor_count; i++) {
        bool visible;
        const double distance = model_distance(&line->anchors[i], coord, &visible);
        is_visible = distance < nearest ? visible : is_visible;
        nearest = fmin(nearest, distance);
    }
    const uint32_t bucket = isinf(nearest) ? 63 : (uint32_t)fmin(63, 64 * nearest / (nearest + 16));
    if (kind == TRN_STREAM_QUEUE_GENERATE && nearest <= 1.5) {
        return bucket;
    }
    if (is_edit) {
        return 100;
    }
    return 200 + bucket * 4 + (kind == TRN_STREAM_QUEUE_MESH ? 0 : 2) + !is_visible;
}

/// The lane of a rank.
static TrnStreamLane model_lane(uint32_t rank)
{
    return rank <= 100     ? TRN_STREAM_LANE_URGENT
           : rank % 2 == 0 ? TRN_STREAM_LANE_VISIBLE
                           : TRN_STREAM_LANE_REST;
}

static bool entry_is_before(const Entry *a, const Entry *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->since < b->since;
}

/// Adds work to queue and model.
static void line_add(Line *line, TrnCoord coord, TrnStreamQueueKind kind, bool is_edit)
{
    TrnStreamCell *cell = stream_cell(&line->cells, coord);
    assert_non_null(cell);
    assert_false(trn_stream_queue_has(cell));
    trn_stream_queue_add_work(&line->queue, cell, kind, is_edit);
    assert_int_equal(trn_stream_queue_kind(cell), kind);
    assert_true(line->count < ENTRIES_MAX);
    line->entries[line->count++] =
        (Entry){cell, kind, is_edit, model_rank(line, coord, kind, is_edit), ++line->clock};
}

/// Returns the place of a cell in the model.
static uint32_t line_find(const Line *line, const TrnStreamCell *cell)
{
    for (uint32_t i = 0; i < line->count; i++) {
        if (line->entries[i].cell == cell) {
            return i;
        }
    }
    fail_msg("a cell that does not wait");
    return 0;
}

static void line_forget(Line *line, uint32_t place)
{
    line->entries[place] = line->entries[--line->count];
}

/// Takes work, and checks that none in the model comes before it. @return false if there is none
static bool line_take(Line *line, bool may_generate)
{
    TrnStreamLane lane = TRN_STREAM_LANE_COUNT;
    TrnStreamCell *cell = trn_stream_queue_take(&line->queue, may_generate, &lane);
    if (!cell) {
        for (uint32_t i = 0; i < line->count; i++) {
            assert_true(!may_generate && line->entries[i].kind == TRN_STREAM_QUEUE_GENERATE);
        }
        return false;
    }
    assert_false(trn_stream_queue_has(cell));
    assert_int_equal(trn_stream_queue_kind(cell), TRN_STREAM_QUEUE_NONE);
    const uint32_t place = line_find(line, cell);
    const Entry taken = line->entries[place];
    assert_true(may_generate || taken.kind == TRN_STREAM_QUEUE_MESH);
    assert_int_equal(lane, model_lane(taken.rank));
    for (uint32_t i = 0; i < line->count; i++) {
        const Entry *other = &line->entries[i];
        assert_true((!may_generate && other->kind == TRN_STREAM_QUEUE_GENERATE) ||
                    !entry_is_before(other, &taken));
    }
    line_forget(line, place);
    return true;
}

/// Sorts the whole queue for new anchors, as the model does.
static void line_sort(Line *line)
{
    trn_stream_queue_request_sort(&line->queue, INFINITY);
    const uint32_t most = line->count * 8 + 1; // a cell may move into a bucket still to be sorted
    uint32_t visited = 0;
    for (uint32_t count; (count = trn_stream_queue_sort(&line->queue));) {
        visited += count;
        assert_true(visited <= most);
    }
    line->clock++; // those that move come after those that stay, in no fixed order
    for (uint32_t i = 0; i < line->count; i++) {
        Entry *entry = &line->entries[i];
        const uint32_t rank =
            entry->is_edit ? 100 : model_rank(line, entry->cell->coord, entry->kind, false);
        entry->since = rank == entry->rank ? entry->since : line->clock;
        entry->rank = rank;
    }
}

static void line_check_figures(const Line *line)
{
    TrnStreamStats stats = {0};
    uint32_t generate = 0, lanes[TRN_STREAM_LANE_COUNT] = {0};
    for (uint32_t i = 0; i < line->count; i++) {
        generate += line->entries[i].kind == TRN_STREAM_QUEUE_GENERATE;
        lanes[model_lane(line->entries[i].rank)]++;
    }
    trn_stream_queue_stats(&line->queue, &stats);
    assert_int_equal(stats.queued, line->count);
    assert_int_equal(stats.queued_to_generate, generate);
    assert_int_equal(stats.queued_to_mesh, line->count - generate);
    for (uint32_t lane = 0; lane < TRN_STREAM_LANE_COUNT; lane++) {
        assert_int_equal(stats.queued_lanes[lane], lanes[lane]);
    }
    assert_int_equal(trn_stream_queue_work_count(&line->queue), line->count);
    assert_int_equal(trn_stream_queue_count(&line->queue, TRN_STREAM_QUEUE_GENERATE), generate);
    assert_int_equal(trn_stream_queue_count(&line->queue, TRN_STREAM_QUEUE_MESH),
                     line->count - generate);
}

/// Compares the position that each cell reports with how many then come before it, and empties the
/// queue.
static void line_check_positions_and_drain(Line *line)
{
    uint32_t *positions = calloc((size_t)line->count + 1, sizeof *positions);
    assert_non_null(positions);
    for (uint32_t i = 0; i < line->count; i++) {
        TrnStreamCell *cell = line->entries[i].cell;
        TrnStreamLane lane = TRN_STREAM_LANE_COUNT;
        cell->member_index = trn_stream_queue_position(&line->queue, cell, &lane);
        assert_true(cell->member_index < line->count);
        assert_int_equal(lane, model_lane(line->entries[i].rank));
        positions[cell->member_index]++;
    }
    for (uint32_t i = 0; i < line->count; i++) {
        assert_int_equal(positions[i], 1);
    }
    free(positions);
    const uint32_t count = line->count;
    for (uint32_t taken = 0; taken < count; taken++) {
        TrnStreamLane lane;
        TrnStreamCell *cell = trn_stream_queue_take(&line->queue, true, &lane);
        assert_non_null(cell);
        assert_int_equal(cell->member_index, taken);
        line_forget(line, line_find(line, cell));
    }
    assert_false(line_take(line, true));
}

/// Takes everything. @param coords  [capacity] receives the coordinates in order. @return how many
static uint32_t line_take_all(Line *line, TrnCoord *coords, uint32_t capacity)
{
    TrnStreamLane lane;
    uint32_t count = 0;
    for (TrnStreamCell *cell; (cell = trn_stream_queue_take(&line->queue, true, &lane));) {
        assert_true(count < capacity);
        coords[count++] = cell->coord;
        line_forget(line, line_find(line, cell));
    }
    return count;
}

/// Queues work and checks in which order it comes out. The order of the array is the expected one;
/// it is queued from the last to the first.
typedef struct Job {
    TrnCoord coord;
    TrnStreamQueueKind kind;
    bool is_edit;
} Job;

static void line_check_order(Line *line, const Job *jobs, uint32_t count)
{
    TrnCoord coords[64] = {{0}};
    for (uint32_t i = count; i-- > 0;) {
        line_add(line, jobs[i].coord, jobs[i].kind, jobs[i].is_edit);
    }
    line_check_figures(line);
    assert_int_equal(line_take_all(line, coords, 64), count);
    for (uint32_t i = 0; i < count; i++) {
        if (!trn_coord_equal(coords[i], jobs[i].coord)) {
            fail_msg("%u: %d %d %d came out instead of %d %d %d", i, coords[i].x, coords[i].y,
                     coords[i].z, jobs[i].coord.x, jobs[i].coord.y, jobs[i].coord.z);
        }
    }
}

#define GENERATE(x, y, z)                                                                          \
    {                                                                                              \
        {x, y, z}, TRN_STREAM_QUEUE_GENERATE, false                                                \
    }
#define MESH(x, y, z)                                                                              \
    {                                                                                              \
        {x, y, z}, TRN_STREAM_QUEUE_MESH, false                                                    \
    }
#define EDIT(x, y, z)                                                                              \
    {                                                                                              \
        {x, y, z}, TRN_STREAM_QUEUE_MESH, true                                                     \
    }
#define CHECK_ORDER(line, ...)                                                                     \
    do {                                                                                           \
        const Job jobs_[] = {__VA_ARGS__};                                                         \
        line_check_order(line, jobs_, sizeof jobs_ / sizeof *jobs_);                               \
    } while (0)

// ---- order -------------------------------------------------------------------------------------

static void the_nearest_comes_first(void **state)
{
    (void)state;
    Line *line = line_create();
    line_add_anchor(line, anchor_at((TrnCoord){0, 0, 0}, 16, 16, 16));
    CHECK_ORDER(line, GENERATE(0, 0, 0), GENERATE(0, 1, 0), GENERATE(0, 0, 3), GENERATE(-5, 0, 0),
                GENERATE(0, 0, 7), GENERATE(9, 0, 0), GENERATE(0, -20, 0), GENERATE(0, 0, 40),
                GENERATE(-100, 0, 0), GENERATE(INT32_MAX, 0, 0));
    CHECK_ORDER(line, MESH(0, 0, 0), GENERATE(0, 0, 3), MESH(-5, 0, 0), GENERATE(0, 7, 0));
    line_destroy(line);
}

static void the_path_of_an_anchor_is_near(void **state)
{
    (void)state;
    Line *line = line_create();
    TrnStreamAnchor anchor = anchor_at((TrnCoord){-7, 2, 3}, 16, 16, 16);
    anchor.velocity[0] = 128; // 4 chunks a second
    line_add_anchor(line, anchor);
    // All along the path are ground; behind the anchor and beyond the path the distance counts.
    CHECK_ORDER(line, GENERATE(-3, 2, 3), GENERATE(-5, 3, 3), GENERATE(-1, 2, 3),
                GENERATE(-10, 2, 3), GENERATE(-5, 2, 7), GENERATE(2, 2, 3), GENERATE(-14, 2, 3));
    line_destroy(line);
}

static void in_a_bucket_meshes_come_first_and_then_what_is_visible(void **state)
{
    (void)state;
    Line *line = line_create();
    TrnStreamAnchor anchor = anchor_at((TrnCoord){0, 0, 0}, 16, 16, 16);
    anchor.view[0] = 0.01; // of any length
    line_add_anchor(line, anchor);
    CHECK_ORDER(line, GENERATE(-2, 0, 0), MESH(8, 0, 0), MESH(-8, 0, 0), GENERATE(0, 0, 8),
                GENERATE(0, 0, 10));
    CHECK_ORDER(line, MESH(8, 0, 0), MESH(0, 0, 8), GENERATE(8, 1, 0), GENERATE(-8, 0, 0));
    // 60 degrees: (4, 0, 6) is at 56, (3, 0, 7) at 67; both in one bucket
    CHECK_ORDER(line, MESH(4, 0, 6), MESH(3, 0, 7));
    // Next to the anchor everything is visible, also behind it.
    CHECK_ORDER(line, MESH(-1, 0, 0), MESH(2, 0, 0), MESH(-2, 0, 0));
    line_destroy(line);
}

static void edits_and_ground_come_before_all(void **state)
{
    (void)state;
    Line *line = line_create();
    line_add_anchor(line, anchor_at((TrnCoord){0, 0, 0}, 16, 16, 16));
    CHECK_ORDER(line, GENERATE(0, 0, 0), GENERATE(1, 0, 1), EDIT(50, 0, 0), MESH(0, -1, 0),
                GENERATE(0, 0, 2));
    // Edits come out in the order in which they went in, wherever they are.
    TrnCoord coords[8];
    line_add(line, (TrnCoord){60, 0, 0}, TRN_STREAM_QUEUE_MESH, true);
    line_add(line, (TrnCoord){0, 0, 0}, TRN_STREAM_QUEUE_MESH, true);
    line_add(line, (TrnCoord){0, 1, 0}, TRN_STREAM_QUEUE_GENERATE, false);
    assert_int_equal(line_take_all(line, coords, 8), 3);
    assert_int_equal(coords[1].x, 60);
    assert_int_equal(coords[2].x, 0);
    line_destroy(line);
}

static void edits_are_taken_alone(void **state)
{
    (void)state;
    Line *line = line_create();
    line_add_anchor(line, anchor_at((TrnCoord){0, 0, 0}, 16, 16, 16));
    line_add(line, (TrnCoord){0, 0, 0}, TRN_STREAM_QUEUE_GENERATE, false);
    line_add(line, (TrnCoord){0, 1, 0}, TRN_STREAM_QUEUE_MESH, false);
    assert_null(trn_stream_queue_take_edit(&line->queue));
    line_add(line, (TrnCoord){0, 2, 0}, TRN_STREAM_QUEUE_MESH, true);
    line_add(line, (TrnCoord){0, 3, 0}, TRN_STREAM_QUEUE_MESH, true);
    for (int32_t y = 2; y <= 3; y++) {
        TrnStreamCell *cell = trn_stream_queue_take_edit(&line->queue);
        assert_non_null(cell);
        assert_int_equal(cell->coord.y, y);
        line_forget(line, line_find(line, cell));
    }
    assert_null(trn_stream_queue_take_edit(&line->queue));
    assert_true(line_take(line, false));  // the mesh
    assert_false(line_take(line, false)); // the rest must be generated
    assert_true(line_take(line, true));
    line_destroy(line);
}

static void of_two_anchors_the_nearer_counts(void **state)
{
    (void)state;
    Line *line = line_create();
    TrnStreamAnchor first = anchor_at((TrnCoord){0, 0, 0}, 16, 16, 16);
    first.view[0] = -1;
    TrnStreamAnchor second = anchor_at((TrnCoord){40, 0, 0}, 16, 16, 16);
    second.view[0] = 1;
    line_add_anchor(line, first);
    line_add_anchor(line, second);
    // What one anchor sees far away comes after what is near the other.
    CHECK_ORDER(line, GENERATE(41, 0, 0), GENERATE(-3, 0, 0), GENERATE(3, 0, 0), GENERATE(46, 0, 0),
                GENERATE(34, 0, 0), GENERATE(20, 0, 0));
    assert_int_equal(trn_stream_views_remove(&line->views, line->ids[1]), TRN_RESULT_OK);
    line_update_views(line);
    line->anchor_count = 1;
    CHECK_ORDER(line, GENERATE(-3, 0, 0), GENERATE(3, 0, 0), GENERATE(20, 0, 0),
                GENERATE(41, 0, 0));
    line_destroy(line);
}

static void without_anchors_the_first_in_is_the_first_out(void **state)
{
    (void)state;
    Line *line = line_create();
    TrnCoord coords[8];
    for (int32_t i = 0; i < 5; i++) {
        line_add(line, (TrnCoord){100 - i * 30, 0, i}, TRN_STREAM_QUEUE_GENERATE, false);
    }
    assert_int_equal(line_take_all(line, coords, 8), 5);
    for (int32_t i = 0; i < 5; i++) {
        assert_int_equal(coords[i].z, i);
    }
    line_destroy(line);
}

// ---- a model -----------------------------------------------------------------------------------

static TrnStreamAnchor random_anchor(TestRandom *random)
{
    const TrnCoord chunk = {(int32_t)test_random_range(random, -12, 12),
                            (int32_t)test_random_range(random, -3, 3),
                            (int32_t)test_random_range(random, -12, 12)};
    // No round numbers: no chunk lies exactly between two ranks.
    TrnStreamAnchor anchor = anchor_at(chunk, (double)test_random_range(random, 1, 319999) * 1e-4,
                                       (double)test_random_range(random, 1, 319999) * 1e-4,
                                       (double)test_random_range(random, 1, 319999) * 1e-4);
    const bool moves = test_random_range(random, 0, 2) != 0, looks = moves;
    for (int axis = 0; axis < 3; axis++) {
        anchor.velocity[axis] = moves ? (double)test_random_range(random, -200, 200) : 0;
        anchor.view[axis] = looks ? (double)test_random_range(random, -1000, 1000) : 0;
    }
    return anchor;
}

static void line_add_random(Line *line, TestRandom *random)
{
    const TrnCoord coord = {(int32_t)test_random_range(random, -20, 20),
                            (int32_t)test_random_range(random, -4, 4),
                            (int32_t)test_random_range(random, -20, 20)};
    const TrnStreamCell *cell = trn_stream_cells_find(&line->cells, coord);
    if (cell && trn_stream_queue_has(cell)) {
        return;
    }
    const bool is_mesh = test_random_range(random, 0, 1);
    line_add(line, coord, is_mesh ? TRN_STREAM_QUEUE_MESH : TRN_STREAM_QUEUE_GENERATE,
             is_mesh && test_random_range(random, 0, 15) == 0);
}

static void random_queues_match_a_list_sorted_by_rank(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(51);
    for (uint32_t round = 0; round < 12; round++) {
        Line *line = line_create();
        for (uint32_t i = 0; i <= round % 2; i++) {
            line_add_anchor(line, random_anchor(&random));
        }
        for (uint32_t step = 0; step < 3000; step++) {
            const int64_t what = test_random_range(&random, 0, 99);
            if (what < 60) {
                line_add_random(line, &random);
            } else if (what < 90) {
                (void)line_take(line, test_random_range(&random, 0, 3) != 0);
            } else if (what < 97 && line->count) {
                const uint32_t place = (uint32_t)test_random_range(&random, 0, line->count - 1);
                trn_stream_queue_remove(&line->queue, line->entries[place].cell);
                trn_stream_queue_remove(&line->queue, line->entries[place].cell); // no effect
                line_forget(line, place);
            } else if (what == 97) {
                line_set_anchor(line, round % 2 ? step % 2 : 0, random_anchor(&random));
                line_sort(line);
            } else if (what == 98) {
                line_check_figures(line);
            }
        }
        if (round % 3) {
            line_check_positions_and_drain(line);
        }
        while (line_take(line, true)) {
        }
        line_check_figures(line);
        assert_int_equal(line->count, 0);
        line_destroy(line);
    }
}

static void only_what_is_near_is_sorted_again_after_a_step(void **state)
{
    (void)state;
    Line *line = line_create();
    TrnStreamAnchor anchor = anchor_at((TrnCoord){0, 0, 0}, 16.3, 16.2, 16.1);
    line_add_anchor(line, anchor);
    uint32_t near = 0;
    for (int32_t x = -30; x <= 30; x++) {
        for (int32_t z = -30; z <= 30; z++) {
            bool visible;
            line_add(line, (TrnCoord){x, 0, z}, TRN_STREAM_QUEUE_GENERATE, false);
            near += model_distance(&anchor, (TrnCoord){x, 0, z}, &visible) <= 8;
        }
    }
    assert_int_equal(trn_stream_queue_sort(&line->queue), 0); // nothing is requested
    trn_stream_queue_request_sort(&line->queue, 8);
    uint32_t visited = 0, last = 0;
    for (uint32_t count; (count = trn_stream_queue_sort(&line->queue)); last = count) {
        visited += count;
    }
    // The bucket of that distance is sorted too.
    assert_true(visited >= near && visited <= near + near / 4);
    assert_true(last > 0);
    // A move changes the order of what is sorted again, and of nothing else.
    anchor.position.chunk.x = 4;
    line_set_anchor(line, 0, anchor);
    trn_stream_queue_request_sort(&line->queue, 8);
    while (trn_stream_queue_sort(&line->queue)) {
    }
    TrnStreamLane lane;
    uint32_t far_moved = 0, near_left = 0;
    for (uint32_t i = 0; i < line->count; i++) {
        const Entry *entry = &line->entries[i];
        const uint32_t bucket = entry->cell->list % TRN_STREAM_BUCKETS;
        const uint32_t before = entry->rank < 100 ? entry->rank : (entry->rank - 200) / 4;
        const uint32_t now = model_rank(line, entry->cell->coord, entry->kind, false);
        const uint32_t after = now < 100 ? now : (now - 200) / 4;
        const uint32_t limit = (uint32_t)(64.0 * 8 / 24); // bucket of a distance of 8
        far_moved += before > limit && bucket != before;
        near_left += before <= limit && bucket != after;
        (void)trn_stream_queue_position(&line->queue, entry->cell, &lane);
    }
    assert_int_equal(far_moved, 0);
    assert_int_equal(near_left, 0);
    line_sort(line);
    line_check_positions_and_drain(line);
    line_destroy(line);
}

// ---- unloading and retries ---------------------------------------------------------------------

static void unload_lists_keep_their_order_while_the_prefetch_ring_wraps(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    const TrnStreamQueueKind kinds[3] = {TRN_STREAM_QUEUE_UNLOAD_FIRST,
                                         TRN_STREAM_QUEUE_UNLOAD_LATER, TRN_STREAM_QUEUE_RETRY};
    TestRandom random = test_random_seeded(52);
    Line *line = line_create();
    TrnStreamCell **cells[3];
    uint32_t put[3] = {0}, taken[3] = {0}, waiting[3] = {0};
    for (uint32_t k = 0; k < 3; k++) {
        cells[k] = calloc(COUNT, sizeof(TrnStreamCell *)); // NOLINT(bugprone-sizeof-expression)
        assert_non_null(cells[k]);
    }
    while (taken[0] < COUNT || taken[1] < COUNT || taken[2] < COUNT) {
        const uint32_t k = (uint32_t)test_random_range(&random, 0, 2);
        // At first more comes than goes, so that far more waits than the ring holds.
        const bool fills = test_random_range(&random, 0, 99) < (put[k] < 2500 ? 80 : 40);
        const uint32_t count = (uint32_t)test_random_range(&random, 1, TRN_STREAM_BATCH);
        for (uint32_t i = 0; fills && i < count && put[k] < COUNT; i++) {
            const TrnCoord coord = {(int32_t)put[k], (int32_t)k, 0};
            TrnStreamCell *cell = stream_cell(&line->cells, coord);
            assert_non_null(cell);
            trn_stream_queue_add(&line->queue, cell, kinds[k]);
            assert_int_equal(trn_stream_queue_kind(cell), kinds[k]);
            cells[k][put[k]++] = cell;
            waiting[k]++;
            if (test_random_range(&random, 0, 9) == 0) { // wanted again
                const uint32_t place = (uint32_t)test_random_range(&random, taken[k], put[k] - 1);
                if (cells[k][place]) {
                    trn_stream_queue_remove(&line->queue, cells[k][place]);
                    assert_false(trn_stream_queue_has(cells[k][place]));
                    assert_true(trn_stream_cells_remove(&line->cells, cells[k][place]));
                    cells[k][place] = NULL;
                    waiting[k]--;
                }
            }
        }
        if (!fills) {
            TrnStreamCell *out[TRN_STREAM_BATCH];
            const uint32_t got = trn_stream_queue_take_others(&line->queue, kinds[k], out, count);
            assert_int_equal(got, waiting[k] < count ? waiting[k] : count);
            for (uint32_t i = 0; i < got; i++) {
                while (!cells[k][taken[k]]) {
                    taken[k]++;
                }
                assert_ptr_equal(out[i], cells[k][taken[k]]);
                assert_false(trn_stream_queue_has(out[i]));
                assert_true(trn_stream_cells_remove(&line->cells, out[i]));
                cells[k][taken[k]++] = NULL;
                waiting[k]--;
            }
            while (taken[k] < put[k] && !cells[k][taken[k]]) {
                taken[k]++;
            }
        }
        assert_int_equal(trn_stream_queue_count(&line->queue, kinds[k]), waiting[k]);
        assert_int_equal(trn_stream_queue_unload_count(&line->queue), waiting[0] + waiting[1]);
    }
    TrnStreamStats stats = {0};
    trn_stream_queue_stats(&line->queue, &stats);
    assert_int_equal(stats.unloading + stats.failed + stats.queued, 0);
    for (uint32_t k = 0; k < 3; k++) {
        free(cells[k]);
    }
    line_destroy(line);
}

static void one_unload_list_holds_far_more_than_its_prefetch_ring(void **state)
{
    (void)state;
    Line *line = line_create();
    for (uint32_t round = 0; round < 3; round++) {
        for (int32_t i = 0; i < 3000; i++) {
            const TrnCoord coord = {i, 0, 0};
            TrnStreamCell *cell = stream_cell(&line->cells, coord);
            trn_stream_queue_add(&line->queue, cell, TRN_STREAM_QUEUE_UNLOAD_LATER);
        }
        TrnStreamStats stats = {0};
        trn_stream_queue_stats(&line->queue, &stats);
        assert_int_equal(stats.unloading, 3000);
        assert_int_equal(stats.queued, 0);
        for (int32_t i = 0; i < 3000;) {
            TrnStreamCell *out[TRN_STREAM_BATCH];
            const uint32_t count = trn_stream_queue_take_others(
                &line->queue, TRN_STREAM_QUEUE_UNLOAD_LATER, out, TRN_STREAM_BATCH);
            assert_true(count > 0);
            for (uint32_t n = 0; n < count; n++) {
                assert_int_equal(out[n]->coord.x, i++);
            }
        }
        assert_int_equal(trn_stream_queue_unload_count(&line->queue), 0);
    }
    line_destroy(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_comes_first),
        cmocka_unit_test(the_path_of_an_anchor_is_near),
        cmocka_unit_test(in_a_bucket_meshes_come_first_and_then_what_is_visible),
        cmocka_unit_test(edits_and_ground_come_before_all),
        cmocka_unit_test(edits_are_taken_alone),
        cmocka_unit_test(of_two_anchors_the_nearer_counts),
        cmocka_unit_test(without_anchors_the_first_in_is_the_first_out),
        cmocka_unit_test(random_queues_match_a_list_sorted_by_rank),
        cmocka_unit_test(only_what_is_near_is_sorted_again_after_a_step),
        cmocka_unit_test(unload_lists_keep_their_order_while_the_prefetch_ring_wraps),
        cmocka_unit_test(one_unload_list_holds_far_more_than_its_prefetch_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
