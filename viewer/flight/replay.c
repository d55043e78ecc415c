#include "flight/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "world/land.h"

static bool replay_find_block(const TrnBlockTypes *types, const char *name, TrnBlock *block)
{
    *block = TRN_BLOCK_AIR;
    return !name[0] || trn_block_types_find(types, name, block) == TRN_RESULT_OK;
}

/// Resolves the blocks of one edit.
static bool replay_resolve(const TrnBlockTypes *types, const char *name, const FlightEdit *from,
                           HandEdit *edit, Message *problem)
{
    *edit = from->edit;
    const bool has_block = replay_find_block(types, from->block, &edit->block);
    if (has_block && replay_find_block(types, from->replaced, &edit->replaced)) {
        return true;
    }
    return message_set(problem, "%s, line %zu: there is no block %s.", message_short(name).text,
                       from->line, has_block ? from->replaced : from->block);
}

bool replay_create(Replay *replay, const char *name, const Flight *flight, World *world, Hand *hand,
                   Message *problem)
{
    *replay = (Replay){.flight = flight, .world = world, .hand = hand};
    if (!flight->edit_count) {
        return true;
    }
    replay->edits = calloc(flight->edit_count, sizeof *replay->edits);
    if (!replay->edits) {
        return message_set(problem, "Out of memory for the edits of the flight %s.",
                           message_short(name).text);
    }
    const TrnBlockTypes *const types = trn_store_block_types(world_store(world));
    for (size_t i = 0; i < flight->edit_count; i++) {
        if (!replay_resolve(types, name, &flight->edits[i], &replay->edits[i], problem)) {
            replay_free(replay);
            return false;
        }
    }
    return true;
}

void replay_free(Replay *replay)
{
    free(replay->edits);
    *replay = (Replay){0};
}

/// Whether one edit is due.
static bool replay_is_due(const Replay *replay, size_t edit, double seconds)
{
    const Flight *const flight = replay->flight;
    return replay->edits && edit < flight->edit_count &&
           flight->edits[edit].seconds - flight->keys[0].seconds <= seconds;
}

/// Whether the chunks that a brush touches, and those above with plants that may fall, are loaded,
/// or outside the view.
static bool replay_has_come(const Replay *replay, const HandEdit *edit)
{
    if (edit->kind >= HAND_EDIT_UNDO) {
        return true; // undo changes unloaded chunks through pending edits
    }
    const BrushBox *const box = &edit->brush.box;
    const TrnVoxel above = {box->max.x, box->max.y + 1, box->max.z};
    const TrnStreamReadiness ready =
        trn_stream_readiness(world_stream(replay->world), box->min, above);
    return ready.loaded >= ready.wanted;
}

bool replay_is_ready(const Replay *replay, double seconds)
{
    for (size_t i = replay->next; replay_is_due(replay, i, seconds); i++) {
        if (!replay_has_come(replay, &replay->edits[i])) {
            return false;
        }
    }
    return true;
}

void replay_advance(Replay *replay, double seconds)
{
    for (; replay_is_due(replay, replay->next, seconds); replay->next++) {
        const HandOutcome outcome = hand_repeat(replay->hand, &replay->edits[replay->next]);
        replay->failed += outcome != HAND_DONE;
    }
    if (replay->edits && replay_is_done(replay)) {
        hand_release(replay->hand);
    }
}

bool replay_is_done(const Replay *replay)
{
    return !replay->edits || replay->next == replay->flight->edit_count;
}

bool replay_fits_land(const Flight *flight, const FlightHead *here, const TrnTerrain *terrain,
                      Message *reason)
{
    const FlightHead *const then = &flight->head;
    if (then->has_seed && then->seed != here->seed) {
        return message_set(reason, "it was recorded over seed %" PRIu64 ", not %" PRIu64,
                           then->seed, here->seed);
    }
    if (then->preset[0] && strcmp(then->preset, here->preset) != 0) {
        return message_set(reason, "it was recorded over the preset %s, not %s", then->preset,
                           here->preset[0] ? here->preset : "a terrain file");
    }
    if (then->land_version && then->land_version != here->land_version) {
        return message_set(reason, "it was recorded over land version %" PRIu32 ", not %" PRIu32,
                           then->land_version, here->land_version);
    }
    return !then->has_land || then->land == land_mark(terrain, flight->keys[0].pose) ||
           message_set(reason, "the land there had another shape when it was recorded");
}
