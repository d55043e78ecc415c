// The far view: its anchors, its levels, creation, updates, questions.

#include "far_impl.h"

#include <stdalign.h>
#include <string.h>

#include "base/clock.h"
#include "base/zone.h"
#include "store/store_internal.h"
#include "stream/stream_level.h"

// ---- anchors ------------------------------------------------------------------------------------

static bool anchors_are_equal(TrnStreamAnchorId a, TrnStreamAnchorId b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

/// An anchor of level 0 as a level has it.
static TrnStreamAnchor anchors_at_level(const TrnFar *far_view, const TrnStreamAnchor *anchor,
                                        uint32_t level)
{
    const TrnFarView *view = &far_view->def.view;
    TrnStreamAnchor at = trn_stream_anchor_at_level(anchor, level);
    at.radius_chunks = view->radius_chunks ? view->radius_chunks : at.radius_chunks;
    if (level == view->levels && view->last_radius_chunks) {
        at.radius_chunks = view->last_radius_chunks;
    }
    at.height_chunks = view->height_chunks ? view->height_chunks : at.height_chunks;
    return at;
}

/// Whether moving a level's anchors puts one into another chunk.
static bool anchors_cross(const TrnFar *far_view, uint32_t level)
{
    for (uint32_t i = 0; i < far_view->anchors.count; i++) {
        const TrnFarAnchor *follower = &far_view->anchors.items[i];
        const TrnStreamAnchor at = anchors_at_level(far_view, &follower->now, level);
        if (follower->ids[level].index1 &&
            !trn_coord_equal(at.position.chunk, follower->chunks[level])) {
            return true;
        }
    }
    return false;
}

/// Moves the anchors of a level, and adds those that are missing.
static TrnResult anchors_follow_at(TrnFar *far_view, uint32_t level)
{
    TrnResult result = TRN_RESULT_OK;
    TrnStream *stream = far_view->levels[level].stream;
    for (uint32_t i = 0; i < far_view->anchors.count; i++) {
        TrnFarAnchor *follower = &far_view->anchors.items[i];
        const TrnStreamAnchor at = anchors_at_level(far_view, &follower->now, level);
        TrnStreamAnchorId *id = &follower->ids[level];
        const TrnResult one = id->index1 ? trn_stream_anchor_set(stream, *id, &at)
                                         : trn_stream_anchor_add(stream, &at, id);
        result = one == TRN_RESULT_OK ? result : one;
        follower->chunks[level] = at.position.chunk;
    }
    return result;
}

/// Removes the anchors whose source is gone. The others keep their order.
static void anchors_remove_stale(TrnFar *far_view)
{
    TrnFarAnchorArray *all = &far_view->anchors;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const TrnFarAnchor *follower = &all->items[i];
        TrnStreamView view;
        if (trn_stream_view(far_view->levels[0].stream, follower->source, &view) == TRN_RESULT_OK) {
            all->items[kept++] = *follower;
            continue;
        }
        for (uint32_t level = 1; level <= far_view->def.view.levels; level++) {
            (void)trn_stream_anchor_remove(far_view->levels[level].stream, follower->ids[level]);
        }
    }
    all->count = kept;
}

/// Finds the follower of an anchor, or makes one. NULL without memory.
/// @param hint  where it probably is
static TrnFarAnchor *anchors_find(TrnFar *far_view, TrnStreamAnchorId source, uint32_t hint)
{
    TrnFarAnchorArray *all = &far_view->anchors;
    if (hint < all->count && anchors_are_equal(all->items[hint].source, source)) {
        return &all->items[hint];
    }
    for (uint32_t i = 0; i < all->count; i++) {
        if (anchors_are_equal(all->items[i].source, source)) {
            return &all->items[i];
        }
    }
    const TrnFarAnchor follower = {.source = source};
    return trn_array_push(all, &far_view->allocator, follower) == TRN_RESULT_OK
               ? &all->items[all->count - 1]
               : NULL;
}

/// Reads the anchors of level 0. Errors: NO_MEMORY.
static TrnResult anchors_read(TrnFar *far_view)
{
    TrnResult result = TRN_RESULT_OK;
    TrnStreamAnchorId source;
    TrnStreamAnchor anchor;
    uint32_t cursor = 0, place = 0;
    while (trn_stream_next_anchor(far_view->levels[0].stream, &cursor, &source, &anchor)) {
        TrnFarAnchor *follower = anchors_find(far_view, source, place++);
        if (follower) {
            follower->now = anchor;
        } else {
            result = TRN_RESULT_NO_MEMORY;
        }
    }
    return result;
}

/// Moves the levels' anchors to those of level 0, with the radii of the view; adds and removes them
/// as these come and go. Only one level's anchors enter other chunks in an update, since that costs
/// time; the others do in later ones.
/// @param may_move  false: none does in this update
/// @param is_done   receives whether all levels have followed
/// Errors: NO_MEMORY, FULL; what is missing is added next time.
static TrnResult far_follow_anchors(TrnFar *far_view, bool may_move, bool *is_done)
{
    anchors_remove_stale(far_view);
    TrnResult result = anchors_read(far_view);
    const uint32_t levels = far_view->def.view.levels, first = far_view->last_moved;
    bool has_moved = false;
    *is_done = true;
    for (uint32_t i = 0; i < levels; i++) {
        const uint32_t level = (first + i) % levels + 1; // each level gets its turn
        const bool crosses = anchors_cross(far_view, level);
        if (crosses && (has_moved || !may_move)) {
            *is_done = false;
            continue;
        }
        has_moved |= crosses;
        far_view->last_moved = crosses ? level : far_view->last_moved;
        const TrnResult one = anchors_follow_at(far_view, level);
        result = one == TRN_RESULT_OK ? result : one;
    }
    return result;
}

// ---- levels -------------------------------------------------------------------------------------

// Voxels that wait to be inserted: what two workers make between two frames, in chunks of land.
#define LEVEL_QUEUE_BYTES ((size_t)512 << 10)

// ---- what is drawn -----------------------------------------------------------------------------

/// Draws a chunk, or stops: the cover's callback.
static void far_draw(void *user, uint32_t level, TrnCoord coord, bool is_drawn)
{
    TrnFar *far_view = user;
    if (!far_view->def.draw) {
        return;
    }
    // NULL while the chunk is being removed, alone or in a batch.
    TrnChunk *chunk = trn_store_find(far_view->levels[level].store, coord);
    if (chunk) {
        far_view->def.draw(far_view->def.draw_user, level, chunk, is_drawn);
    }
}

static void level_on_shown(void *user, TrnCoord coord)
{
    const TrnFarLevel *level = user;
    TrnFar *far_view = level->far_view;
    if (trn_far_cover_set(&far_view->cover, level->level, coord, true) != TRN_RESULT_OK) {
        far_view->is_behind = true;
    }
}

static void level_on_hidden(void *user, TrnCoord coord, TrnChunk *chunk)
{
    const TrnFarLevel *level = user;
    (void)chunk;
    (void)trn_far_cover_set(&level->far_view->cover, level->level, coord, false);
}

/// Takes a chunk out of the cover. Runs for each chunk of a level before the level is freed.
static void level_on_dropped(void *user, TrnCoord coord)
{
    level_on_hidden(user, coord, NULL);
}

/// Has the cover know what a level shows, from now on and up to now.
/// Errors: EXISTS (another far view does).
static TrnResult far_level_watch(TrnFar *far_view, uint32_t level)
{
    const TrnStreamWatch watch = {level_on_shown, level_on_hidden, &far_view->levels[level]};
    return trn_stream_watch(far_view->levels[level].stream, &watch);
}

/// Watches all levels again, so that the cover learns what it had no memory to note.
static void far_catch_up(TrnFar *far_view)
{
    if (!far_view->is_behind) {
        return;
    }
    far_view->is_behind = false;
    for (uint32_t level = 0; level <= far_view->def.view.levels; level++) {
        (void)trn_stream_watch(far_view->levels[level].stream, NULL);
        (void)far_level_watch(far_view, level);
    }
}

// ---- levels: creation ---------------------------------------------------------------------------

static TrnStreamDef level_stream_def(const TrnFar *far_view, uint32_t level, TrnStore *store)
{
    const TrnFarDef *def = &far_view->def;
    TrnStreamDef of_level = trn_stream_def();
    of_level.store = store;
    of_level.hooks = def->hooks;
    of_level.hooks.user = def->users[level] ? def->users[level] : def->hooks.user;
    of_level.generator = def->generator;
    of_level.source = def->source;
    of_level.source.saves_shown = false; // land of levels follows from level 0 and the generator
    of_level.queue_bytes = LEVEL_QUEUE_BYTES;
    of_level.hysteresis_chunks = def->hysteresis_chunks;
    of_level.light = def->light;
    of_level.mesh_air = def->mesh_air;
    of_level.clock_us = def->clock_us;
    of_level.clock_user = def->clock_user;
    of_level.allocator = &far_view->allocator;
    return of_level;
}

static TrnStoreDef level_store_def(const TrnFar *far_view)
{
    TrnStoreDef def = far_view->def.store;
    const TrnStore *finest = far_view->levels[0].store;
    def.bytes_max = 0; // the stream sets it
    // For any number of workers, so that its bytes do not depend on it.
    def.reader_max =
        def.reader_max > TRN_STREAM_WORKER_MAX ? def.reader_max : TRN_STREAM_WORKER_MAX;
    def.allocator = def.allocator ? def.allocator : &far_view->allocator;
    def.types = def.types ? def.types : trn_store_block_types(finest);
    def.hash_key = def.hash_key ? def.hash_key : trn_store_hash_key(finest);
    return def;
}

/// Frees a level, if it exists. Nothing of it is drawn any more.
static void far_level_destroy(TrnFar *far_view, uint32_t level)
{
    TrnFarLevel *freed = &far_view->levels[level];
    if (!freed->stream) {
        return;
    }
    trn_far_folds_unwatch(freed);
    // Its chunks can still be read. In the stream's order, so that exact replay repeats it.
    const TrnStreamWatch dropped = {.shown = level_on_dropped, .user = freed};
    (void)trn_stream_watch(freed->stream, NULL);
    (void)trn_stream_watch(freed->stream, &dropped);
    trn_stream_destroy(freed->stream);
    trn_store_destroy(freed->store);
    *freed = (TrnFarLevel){0};
    for (uint32_t i = 0; i < far_view->anchors.count; i++) {
        far_view->anchors.items[i].ids[level] = (TrnStreamAnchorId){0};
    }
}

/// Creates the store and the stream of a level. Errors: as trn_far_create(); the level is then as
/// before. @param levels  of the view that it is for
static TrnResult far_level_create(TrnFar *far_view, uint32_t level, uint32_t levels)
{
    const TrnStoreDef store_def = level_store_def(far_view);
    TrnStore *store = NULL;
    TrnStream *stream = NULL;
    TrnResult result = trn_store_create(&store_def, &store);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnStreamDef stream_def = level_stream_def(far_view, level, store);
    stream_def.bytes_max = far_view->def.bytes_max / levels;
    result = trn_stream_create_level(&stream_def, level, far_view->levels[0].stream, &stream);
    if (result != TRN_RESULT_OK) {
        trn_store_destroy(store);
        return result;
    }
    far_view->levels[level] =
        (TrnFarLevel){.far_view = far_view, .level = level, .store = store, .stream = stream};
    result = far_view->def.keeps_voxels ? TRN_RESULT_OK : trn_stream_omit_voxels(stream);
    if (result == TRN_RESULT_OK) {
        result = trn_far_folds_watch(&far_view->levels[level]);
    }
    if (result != TRN_RESULT_OK) {
        far_level_destroy(far_view, level);
        return result;
    }
    return far_level_watch(far_view, level);
}

/// Divides the bytes among the levels of the view.
static void far_levels_share_bytes(TrnFar *far_view)
{
    const size_t part = far_view->def.bytes_max / far_view->def.view.levels;
    for (uint32_t level = 1; level <= far_view->def.view.levels; level++) {
        trn_stream_set_bytes_max(far_view->levels[level].stream, part);
    }
}

#define FAR_DISTANCE_DEFAULT 128u
#define FAR_HEIGHT_DEFAULT 3u
#define FAR_HYSTERESIS_DEFAULT 1u
// The part of level 0's radius that levels have. With the whole of it, levels out to 128 chunks
// took 1.1 to 1.4 times the memory of level 0 at 16 chunks; with this part 0.6 to 0.9 times.
#define FAR_RADIUS_PART 5u
#define FAR_RADIUS_WHOLE 8u
#define FAR_RESERVE_DEFAULT (UINT32_C(1) << 16) // chunks of a level whose headers lie in one range
#define FAR_MS_MAX 50.0                         // longest update that a share allows
#define FAR_MS_LEAST 0.03                       // of a level that is late
#define FAR_PART 0.85          // of the time that levels fill: the last one overruns it
#define FAR_NEAR_PART 0.6      // of the time: if level 0 took more, the levels wait
#define FAR_NEAR_PART_MOVE 0.4 // likewise, for an anchor that enters another chunk of a level
#define FAR_SKIPPED_MAX 7u // updates in a row that skip a level, or all of them, for lack of time
#define FAR_APART_WEIGHT 0.125 // weight of one update in the smoothed time between updates
#define FAR_APART_MAX_US 4e6   // a longer pause counts as this: the program was stopped

TrnFarView trn_far_view_to(uint32_t distance_chunks, uint32_t radius_chunks)
{
    const uint64_t whole = radius_chunks ? radius_chunks : 1;
    const uint64_t radius = (whole * FAR_RADIUS_PART + FAR_RADIUS_WHOLE - 1) / FAR_RADIUS_WHOLE;
    uint32_t levels = 1;
    while (levels < TRN_FAR_LEVEL_MAX && radius << levels < distance_chunks) {
        levels++;
    }
    uint64_t last = ((uint64_t)distance_chunks + (1u << levels) - 1) >> levels;
    last = last < 1 ? 1 : last < radius ? last : radius;
    return (TrnFarView){.levels = levels,
                        .radius_chunks = (uint32_t)radius,
                        .last_radius_chunks = (uint32_t)last,
                        .height_chunks = FAR_HEIGHT_DEFAULT};
}

TrnFarDef trn_far_def(void)
{
    TrnFarDef def = {.view =
                         trn_far_view_to(FAR_DISTANCE_DEFAULT, trn_stream_anchor().radius_chunks),
                     .store = trn_store_def(),
                     .budget = trn_stream_def().budget,
                     .hysteresis_chunks = FAR_HYSTERESIS_DEFAULT};
    def.store.chunk_reserve = FAR_RESERVE_DEFAULT;
    return def;
}

// ---- creation ----------------------------------------------------------------------------------

static double far_system_clock_us(void *user)
{
    (void)user;
    return trn_clock_us();
}

static bool far_view_is_valid(const TrnFarDef *def, const TrnFarView *view)
{
    const uint32_t level_max = def->hooks.generate ? TRN_FAR_LEVEL_MAX : def->generator.level_max;
    return view->levels >= 1 && view->levels <= TRN_FAR_LEVEL_MAX && view->levels <= level_max &&
           view->radius_chunks <= TRN_STREAM_RADIUS_MAX &&
           view->last_radius_chunks <= TRN_STREAM_RADIUS_MAX &&
           view->height_chunks <= TRN_STREAM_RADIUS_MAX;
}

static bool far_budget_is_valid(const TrnStreamBudget *budget)
{
    return budget->ms == budget->ms && budget->share >= 0 && budget->share <= 1;
}

static bool far_def_is_valid(const TrnFarDef *def)
{
    return def && def->stream && def->hooks.mesh &&
           (def->hooks.generate || def->generator.generate) && far_budget_is_valid(&def->budget) &&
           far_view_is_valid(def, &def->view);
}

/// Creates levels `from` to `to`; all or none of them.
static TrnResult far_create_levels(TrnFar *far_view, uint32_t from, uint32_t to)
{
    TrnResult result = TRN_RESULT_OK;
    uint32_t level = from;
    for (; level <= to && result == TRN_RESULT_OK; level++) {
        result = far_level_create(far_view, level, to);
    }
    if (result == TRN_RESULT_OK && from <= to) {
        result = trn_far_folds_add_edited(far_view, from - 1);
    }
    while (result != TRN_RESULT_OK && level-- > from) {
        far_level_destroy(far_view, level); // one that was not created is none
    }
    return result;
}

static void far_init(TrnFar *far_view, const TrnFarDef *def, const TrnAllocator *allocator)
{
    memset(far_view, 0, sizeof *far_view);
    far_view->def = *def;
    far_view->allocator = *allocator;
    far_view->previous_us = -1;
    if (!def->clock_us) {
        far_view->def.clock_us = far_system_clock_us;
    }
    TrnStore *store = trn_stream_store(def->stream);
    far_view->levels[0] =
        (TrnFarLevel){.far_view = far_view, .store = store, .stream = def->stream};
    trn_far_folds_init(&far_view->folds, trn_store_hash_key(store));
    trn_far_cover_init(&far_view->cover, trn_store_hash_key(store), far_draw, far_view,
                       &far_view->allocator);
}

TrnResult trn_far_create(const TrnFarDef *def, TrnFar **far_view)
{
    if (!far_view || !far_def_is_valid(def)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnFar *created = trn_take(&allocator, sizeof *created, alignof(TrnFar));
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    far_init(created, def, &allocator);
    TrnResult result = far_create_levels(created, 1, def->view.levels);
    if (result == TRN_RESULT_OK) {
        result = trn_far_folds_watch(&created->levels[0]);
    }
    if (result == TRN_RESULT_OK) {
        result = far_level_watch(created, 0); // the last that can fail: it draws
    }
    if (result != TRN_RESULT_OK) {
        created->levels[0].stream = NULL; // its watch is another's
        trn_far_destroy(created);
        return result;
    }
    created->def.allocator = NULL; // copied; the caller's may be freed now
    *far_view = created;
    return TRN_RESULT_OK;
}

void trn_far_destroy(TrnFar *far_view)
{
    if (!far_view) {
        return;
    }
    for (uint32_t level = TRN_FAR_LEVEL_MAX; level > 0; level--) {
        far_level_destroy(far_view, level);
    }
    trn_far_folds_unwatch(&far_view->levels[0]);
    trn_far_folds_destroy(far_view);
    if (far_view->levels[0].stream) {
        (void)trn_stream_watch(far_view->levels[0].stream, NULL);
    }
    trn_far_cover_destroy(&far_view->cover);
    trn_array_free(&far_view->anchors, &far_view->allocator);
    const TrnAllocator allocator = far_view->allocator;
    trn_give(&allocator, far_view, sizeof *far_view);
}

// ---- the view ----------------------------------------------------------------------------------

TrnFarView trn_far_view(const TrnFar *far_view)
{
    return far_view->def.view;
}

TrnResult trn_far_set_view(TrnFar *far_view, const TrnFarView *view)
{
    if (!far_view || !view || !far_view_is_valid(&far_view->def, view)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const uint32_t levels = far_view->def.view.levels;
    const TrnResult result = far_create_levels(far_view, levels + 1, view->levels);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    for (uint32_t level = levels; level > view->levels; level--) {
        far_level_destroy(far_view, level);
    }
    far_view->def.view = *view;
    far_levels_share_bytes(far_view);
    return TRN_RESULT_OK;
}

// ---- updates -----------------------------------------------------------------------------------

/// Milliseconds that this update may take; 0: no limit.
static double far_begin_ms(TrnFar *far_view, double now_us, const TrnStreamBudget *budget)
{
    double us = far_view->previous_us < 0 ? 0 : now_us - far_view->previous_us;
    us = us < 0 ? 0 : us < FAR_APART_MAX_US ? us : FAR_APART_MAX_US;
    far_view->apart_us += (us - far_view->apart_us) * FAR_APART_WEIGHT;
    far_view->previous_us = now_us;
    const double share = budget->share * far_view->apart_us * 1e-3;
    const double ms = share < FAR_MS_MAX ? share : FAR_MS_MAX;
    return budget->ms <= 0 ? 0 : ms > budget->ms ? ms : budget->ms;
}

static void far_add_report(TrnStreamReport *sum, const TrnStreamReport *one)
{
    sum->wanted += one->wanted;
    sum->unwanted += one->unwanted;
    sum->inserted += one->inserted;
    sum->uploaded += one->uploaded;
    sum->unloaded += one->unloaded;
    sum->saved += one->saved;
    sum->upload_bytes += one->upload_bytes;
    sum->cancelled += one->cancelled;
    sum->failed += one->failed;
    sum->stale += one->stale;
    sum->us += one->us;
    sum->is_idle &= one->is_idle;
}

static bool far_has_limit(const TrnStreamBudget *budget, double ms)
{
    return !budget->units && ms > 0;
}

/// What an update leaves to the next level.
/// @param ms       of all levels; 0: no limit
/// @param near_us  microseconds of level 0
static TrnStreamBudget far_budget_left(const TrnFar *far_view, const TrnStreamBudget *budget,
                                       double ms, double near_us, const TrnStreamReport *sum)
{
    TrnStreamBudget left = {.ms = ms, .units = budget->units};
    if (far_has_limit(budget, ms)) {
        const double us = far_view->def.clock_us(far_view->def.clock_user) - far_view->previous_us;
        left.ms = ms * FAR_PART - (near_us + us) * 1e-3;
        left.ms = left.ms > FAR_MS_LEAST ? left.ms : FAR_MS_LEAST;
    }
    if (budget->upload_bytes) { // each level may upload one mesh
        left.upload_bytes =
            sum->upload_bytes < budget->upload_bytes ? budget->upload_bytes - sum->upload_bytes : 1;
    }
    return left;
}

/// Whether to do without something in this update, for lack of time: not more often in a row than
/// FAR_SKIPPED_MAX. @param skipped  counts these updates
static bool far_skips(bool is_over, uint32_t *skipped)
{
    const bool skips = is_over && *skipped < FAR_SKIPPED_MAX;
    *skipped = skips ? *skipped + 1 : 0;
    return skips;
}

/// Updates the levels, the finest first, as far as time allows; of those that are late, one.
/// @param near_us  microseconds of level 0
/// @param is_over  level 0 took too much of the time
static TrnResult far_update_levels(TrnFar *far_view, const TrnStreamBudget *budget, double ms,
                                   double near_us, bool is_over, TrnStreamReport *sum)
{
    TrnResult result = TRN_RESULT_OK;
    bool has_late = false;
    for (uint32_t level = 1; level <= far_view->def.view.levels; level++) {
        TrnFarLevel *of = &far_view->levels[level];
        const TrnStreamBudget left = far_budget_left(far_view, budget, ms, near_us, sum);
        is_over |= far_has_limit(budget, ms) && left.ms <= FAR_MS_LEAST;
        if (is_over && (has_late || of->skipped < FAR_SKIPPED_MAX)) {
            of->skipped++;
            sum->is_idle = false;
            continue;
        }
        of->skipped = 0;
        has_late |= is_over;
        TrnStreamReport one;
        const TrnResult updated = trn_stream_update(of->stream, &left, &one);
        result = updated == TRN_RESULT_OK ? result : updated;
        far_add_report(sum, &one);
    }
    return result;
}

TrnResult trn_far_update(TrnFar *far_view, const TrnStreamBudget *budget, TrnStreamReport *report)
{
    TRN_ZONE("far update");
    if (!far_view || (budget && !far_budget_is_valid(budget))) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    budget = budget ? budget : &far_view->def.budget;
    const double ms =
        far_begin_ms(far_view, far_view->def.clock_us(far_view->def.clock_user), budget);
    const double near_us = trn_stream_update_us(far_view->levels[0].stream);
    const double near_part = far_has_limit(budget, ms) ? near_us / (ms * 1e3) : 0;
    TrnStreamReport sum = {.is_idle = true};
    far_catch_up(far_view);
    bool is_folded = false, has_followed;
    TrnResult result = TRN_RESULT_OK;
    if (!far_skips(near_part > FAR_NEAR_PART, &far_view->folds_skipped)) {
        result = trn_far_fold_some(far_view, far_view->previous_us, budget->units > 0, &is_folded);
    }
    const bool may_move = !far_skips(near_part > FAR_NEAR_PART_MOVE, &far_view->moves_skipped);
    const TrnResult followed = far_follow_anchors(far_view, may_move, &has_followed);
    result = followed == TRN_RESULT_OK ? result : followed;
    const TrnResult updated =
        far_update_levels(far_view, budget, ms, near_us, near_part > FAR_NEAR_PART, &sum);
    result = updated == TRN_RESULT_OK ? result : updated;
    sum.is_idle &= result == TRN_RESULT_OK && is_folded && has_followed;
    if (far_view->is_behind) {
        sum.is_idle = false;
        result = TRN_RESULT_NO_MEMORY;
    }
    if (report) {
        *report = sum;
    }
    return result;
}

TrnResult trn_far_save(TrnFar *far_view)
{
    if (!far_view) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult result = trn_far_fold_all(far_view);
    const TrnResult pending = trn_far_save_pending(far_view);
    result = pending == TRN_RESULT_OK ? result : pending;
    for (uint32_t level = 1; level <= far_view->def.view.levels; level++) {
        const TrnResult one = trn_stream_save(far_view->levels[level].stream);
        result = one == TRN_RESULT_OK ? result : one;
    }
    return result;
}

void trn_far_remesh(TrnFar *far_view)
{
    for (uint32_t level = 1; far_view && level <= far_view->def.view.levels; level++) {
        trn_stream_remesh(far_view->levels[level].stream);
    }
}

// ---- questions ---------------------------------------------------------------------------------

TrnStore *trn_far_store(const TrnFar *far_view, uint32_t level)
{
    return level <= TRN_FAR_LEVEL_MAX ? far_view->levels[level].store : NULL;
}

bool trn_far_is_drawn(const TrnFar *far_view, uint32_t level, TrnCoord coord)
{
    return trn_far_cover_is_drawn(&far_view->cover, level, coord);
}

/// Adds the rings of the smallest view of a level.
static void far_count_rings(const TrnFar *far_view, uint32_t level, TrnFarLevelStats *stats)
{
    for (uint32_t i = 0; i < far_view->anchors.count; i++) {
        const TrnFarAnchor *anchor = &far_view->anchors.items[i];
        const TrnStreamAnchorId id = level ? anchor->ids[level] : anchor->source;
        TrnStreamView view;
        if (trn_stream_view(far_view->levels[level].stream, id, &view) != TRN_RESULT_OK) {
            continue;
        }
        stats->is_shrunk |= view.is_shrunk;
        if (!stats->rings_wanted || view.rings < stats->rings) {
            stats->rings = view.rings;
            stats->rings_wanted = view.rings_wanted;
        }
    }
}

/// Chunks of a level with edits that are in no row.
static uint64_t far_count_unsaved(const TrnFarLevel *level)
{
    return trn_stream_stats(level->stream).unsaved + trn_pending_chunks(level->store, NULL, 0);
}

TrnFarStats trn_far_stats(const TrnFar *far_view)
{
    TrnFarStats stats = {.levels = far_view->def.view.levels,
                         .draws = far_view->cover.draws,
                         .folds_due = trn_far_folds_due(far_view),
                         .folds = far_view->folds.folded,
                         .edits_dropped = far_view->folds.dropped,
                         .cover_bytes = trn_far_cover_bytes(&far_view->cover),
                         .bytes_max = far_view->def.bytes_max};
    for (uint32_t level = 0; level <= stats.levels; level++) {
        TrnFarLevelStats *one = &stats.level[level];
        one->loaded = trn_store_stats(far_view->levels[level].store).chunks;
        one->shown = far_view->cover.ready[level];
        one->drawn = far_view->cover.drawn[level];
        one->bytes = trn_stream_bytes(far_view->levels[level].stream);
        stats.bytes += level ? one->bytes : 0;
        stats.unsaved += level ? far_count_unsaved(&far_view->levels[level]) : 0;
        far_count_rings(far_view, level, one);
    }
    stats.unsaved += stats.folds_due;
    // Its stream counts the others' too, as they were after their last update.
    stats.level[0].bytes -= trn_stream_stats(far_view->levels[0].stream).far_bytes;
    stats.bytes += stats.cover_bytes + trn_far_folds_bytes(far_view) + sizeof *far_view;
    return stats;
}
