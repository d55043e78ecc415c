// A level: its store, its stream, and what becomes of their chunks.

#include "far_impl.h"

#include "store/store_internal.h"
#include "stream/stream_level.h"

// Voxels that wait to be inserted: what two workers make between two frames, in chunks of land.
#define LEVEL_QUEUE_BYTES ((size_t)512 << 10)

// ---- what is drawn -----------------------------------------------------------------------------

void trn_far_draw(void *user, uint32_t level, TrnCoord coord, bool is_drawn)
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

TrnResult trn_far_level_watch(TrnFar *far_view, uint32_t level)
{
    const TrnStreamWatch watch = {level_on_shown, level_on_hidden, &far_view->levels[level]};
    return trn_stream_watch(far_view->levels[level].stream, &watch);
}

void trn_far_catch_up(TrnFar *far_view)
{
    if (!far_view->is_behind) {
        return;
    }
    far_view->is_behind = false;
    for (uint32_t level = 0; level <= far_view->def.view.levels; level++) {
        (void)trn_stream_watch(far_view->levels[level].stream, NULL);
        (void)trn_far_level_watch(far_view, level);
    }
}

// ---- creation ----------------------------------------------------------------------------------

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
    const uint32_t workers = trn_stream_stats(far_view->levels[0].stream).workers;
    def.bytes_max = 0; // the stream sets it
    def.reader_max = def.reader_max > workers ? def.reader_max : workers;
    def.allocator = def.allocator ? def.allocator : &far_view->allocator;
    def.types = def.types ? def.types : trn_store_block_types(finest);
    def.hash_key = def.hash_key ? def.hash_key : trn_store_hash_key(finest);
    return def;
}

TrnResult trn_far_level_create(TrnFar *far_view, uint32_t level, uint32_t levels)
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
    far_view->levels[level] = (TrnFarLevel){far_view, level, store, stream, 0};
    result = far_view->def.keeps_voxels ? TRN_RESULT_OK : trn_stream_omit_voxels(stream);
    if (result == TRN_RESULT_OK) {
        result = trn_far_folds_watch(&far_view->levels[level]);
    }
    if (result != TRN_RESULT_OK) {
        trn_far_level_destroy(far_view, level);
        return result;
    }
    return trn_far_level_watch(far_view, level);
}

void trn_far_level_destroy(TrnFar *far_view, uint32_t level)
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

void trn_far_levels_share_bytes(TrnFar *far_view)
{
    const size_t part = far_view->def.bytes_max / far_view->def.view.levels;
    for (uint32_t level = 1; level <= far_view->def.view.levels; level++) {
        trn_stream_set_bytes_max(far_view->levels[level].stream, part);
    }
}
