// Members of a shared world: creation, the source, players and figures.

#include "base/system.h" // before all others

#include "member_impl.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/memory.h"

#define MEMBER_STACK_BYTES ((size_t)1 << 20)
#define MEMBER_SETTLE_PAUSE_MS 1

TrnMemberDef trn_member_def(void)
{
    return (TrnMemberDef){
        .lease_seconds = 3, .poll_seconds = 1, .place_seconds = 0.1, .has_notify = true};
}

// ---- the source --------------------------------------------------------------------------------

/// Follows the region of a chunk before it is loaded.
static TrnResult member_follow_job(TrnMember *member, const TrnStreamJob *job)
{
    const TrnStorageKey key = {job->coord, 0};
    const TrnResult result = job->level ? TRN_RESULT_OK
                                        : trn_member_follow(member, trn_region_of(job->coord, 0),
                                                            trn_storage_region(&key));
    return result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_IO : result;
}

static TrnResult member_load_chunk(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                   bool *uniform)
{
    TrnMember *member = user;
    const TrnResult result = member_follow_job(member, job);
    return result == TRN_RESULT_OK ? member->source.load(member->source.user, job, blocks, uniform)
                                   : result;
}

static void member_load_chunks(void *user, TrnStreamLoadJob *loads, size_t count)
{
    TrnMember *member = user;
    TrnResult result = TRN_RESULT_OK;
    for (size_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        result = member_follow_job(member, loads[i].job);
    }
    if (result == TRN_RESULT_OK) {
        member->source.load_many(member->source.user, loads, count);
        return;
    }
    for (size_t i = 0; i < count; i++) { // the server does not answer
        loads[i].result = result;
    }
}

/// Owners write chunks.
static TrnResult member_save_chunk(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    (void)user, (void)job, (void)voxels;
    return TRN_RESULT_OK;
}

static TrnResult member_highest_chunk(void *user, TrnCoord from, int32_t lowest, int32_t *y)
{
    const TrnStreamSource *source = &((const TrnMember *)user)->source;
    return source->highest(source->user, from, lowest, y);
}

TrnStreamSource trn_member_source(TrnMember *member)
{
    return member ? (TrnStreamSource){.load = member_load_chunk,
                                      .load_many = member_load_chunks,
                                      .load_max = member->source.load_max,
                                      .save = member_save_chunk,
                                      .highest = member_highest_chunk,
                                      .user = member}
                  : (TrnStreamSource){0};
}

// ---- life --------------------------------------------------------------------------------------

static bool member_hints_are_valid(const char *hints)
{
    return !hints || ((strncmp(hints, "nats://", 7) == 0 || strncmp(hints, "tls://", 6) == 0) &&
                      strlen(hints) < TRN_MEMBER_HINTS_BYTES);
}

static bool member_def_is_valid(const TrnMemberDef *def)
{
    const size_t length = def && def->name ? strlen(def->name) : 0;
    return def && def->save && def->store && def->land.generate && length > 0 &&
           length < TRN_MEMBER_NAME_BYTES && member_hints_are_valid(def->hints) &&
           def->lease_seconds >= 0.1 && def->lease_seconds <= 60 && def->poll_seconds >= 0.01 &&
           def->poll_seconds <= 60 && def->place_seconds >= 0.01 && def->place_seconds <= 60 &&
           trn_postgres_leases(trn_save_storage(def->save)) != NULL;
}

/// The desk has the store's types, and nothing else of it.
static TrnResult member_create_desk(TrnMember *member)
{
    TrnStoreDef def = trn_store_def();
    def.types = trn_store_block_types(member->def.store);
    return trn_store_create(&def, &member->desk);
}

static bool member_ask_epoch(TrnPgLink *link, void *context)
{
    return trn_pg_epoch(link, &((TrnMember *)context)->epoch);
}

/// Everything but the thread.
static TrnResult member_begin(TrnMember *member)
{
    member->blocks =
        trn_take(&member->allocator, sizeof(TrnBlock[TRN_CHUNK_VOXELS]), TRN_CACHE_LINE);
    if (!member->blocks) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = member_create_desk(member);
    if (result == TRN_RESULT_OK) {
        result = trn_chunk_index_reader_create(trn_store_index(member->def.store), "member",
                                               &member->reader);
    }
    result = result == TRN_RESULT_OK ? trn_member_attach(member) : result;
    // Before any region is followed: what is known of it is of this history, or is noticed.
    result = result == TRN_RESULT_OK ? trn_postgres_work(&member->storage, member_ask_epoch, member)
                                     : result;
    return result == TRN_RESULT_OK
               ? trn_lease_begin(&member->storage, member->name, member->def.lease_seconds)
               : result;
}

TrnResult trn_member_create_idle(const TrnMemberDef *def, TrnMember **member,
                                 TrnStorageProblem *problem)
{
    if (!member || !member_def_is_valid(def)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (def->hints && !trn_hints_have_nats()) {
        if (problem) {
            (void)snprintf(problem->sentence, sizeof problem->sentence,
                           "This program was built without NATS; build it with libnats-dev, or "
                           "leave --hints out.");
        }
        return TRN_RESULT_IO;
    }
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    TrnMember *made = trn_take(&allocator, sizeof *made, TRN_CACHE_LINE);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(made, 0, sizeof *made);
    if (!trn_mutex_init(&made->mutex)) {
        trn_give(&allocator, made, sizeof *made);
        return TRN_RESULT_NO_MEMORY;
    }
    made->def = *def;
    made->allocator = allocator;
    made->storage = *trn_save_storage(def->save);
    made->source = trn_save_source(def->save);
    (void)snprintf(made->name, sizeof made->name, "%s", def->name);
    (void)snprintf(made->hints_url, sizeof made->hints_url, "%s", def->hints ? def->hints : "");
    (void)snprintf(made->player.name, sizeof made->player.name, "%s", def->name);
    made->id = (int64_t)(trn_entropy_key() >> 1);
    made->edits_end = &made->edits;
    made->inbox_end = &made->inbox;
    made->wake[0] = made->wake[1] = -1;
    const TrnResult result = member_begin(made);
    if (result != TRN_RESULT_OK) {
        trn_save_describe(&made->storage, result, problem);
        trn_member_destroy(made);
        return result;
    }
    *member = made;
    return TRN_RESULT_OK;
}

TrnResult trn_member_create(const TrnMemberDef *def, TrnMember **member, TrnStorageProblem *problem)
{
    TrnMember *made;
    const TrnResult result =
        member ? trn_member_create_idle(def, &made, problem) : TRN_RESULT_BAD_ARGUMENT;
    if (result != TRN_RESULT_OK) {
        return result;
    }
    made->has_thread = trn_member_open_pipe(made) &&
                       trn_thread_start(&made->thread, MEMBER_STACK_BYTES, trn_member_run, made);
    if (!made->has_thread) {
        trn_save_describe(&made->storage, TRN_RESULT_NO_MEMORY, problem);
        trn_member_destroy(made);
        return TRN_RESULT_NO_MEMORY;
    }
    *member = made;
    return TRN_RESULT_OK;
}

void trn_member_destroy(TrnMember *member)
{
    if (!member) {
        return;
    }
    trn_mutex_lock(&member->mutex);
    member->is_ending = true;
    trn_mutex_unlock(&member->mutex);
    if (member->has_thread) {
        trn_member_wake(member);
        trn_thread_join(&member->thread);
    }
    if (member->nats.close) {
        member->nats.close(member->nats.user);
    }
    trn_member_detach(member);
    if (member->reader) {
        trn_chunk_index_reader_destroy(member->reader);
    }
    trn_store_destroy(member->desk);
    trn_member_free_edits(member, member->edits);
    trn_member_free_edits(member, member->building);
    trn_member_free_chunks(member, member->inbox);
    while (member->regions.count) {
        trn_member_forget(member, member->regions.count - 1);
    }
    trn_array_free(&member->regions, &member->allocator);
    trn_array_free(&member->listing.coords, &member->allocator);
    trn_array_free(&member->answered_regions, &member->allocator);
    trn_array_free(&member->answered, &member->allocator);
    trn_array_free(&member->reloaded, &member->allocator);
    trn_array_free(&member->others, &member->allocator);
    trn_give(&member->allocator, member->blocks, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    trn_member_close_pipe(member);
    trn_mutex_destroy(&member->mutex);
    const TrnAllocator allocator = member->allocator;
    trn_give(&allocator, member, sizeof *member);
}

/// Whether an edit is not acknowledged, or not seen here.
static bool member_is_unsettled(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    const bool is_unsettled = member->edits || member->inbox || member->reloaded.count;
    trn_mutex_unlock(&member->mutex);
    return is_unsettled;
}

TrnResult trn_member_settle(TrnMember *member, double seconds)
{
    const double until_us = trn_clock_us() + seconds * 1e6;
    for (;;) {
        (void)trn_member_update(member);
        if (!member_is_unsettled(member)) {
            return TRN_RESULT_OK;
        }
        if (trn_clock_us() >= until_us) {
            return TRN_RESULT_BUSY;
        }
        (void)poll(NULL, 0, MEMBER_SETTLE_PAUSE_MS);
    }
}

// ---- players and figures -----------------------------------------------------------------------

void trn_member_set_place(TrnMember *member, const double place[3], double yaw, double pitch)
{
    trn_mutex_lock(&member->mutex);
    memcpy(member->player.place, place, sizeof member->player.place);
    member->player.yaw = yaw;
    member->player.pitch = pitch;
    member->has_player = true;
    trn_mutex_unlock(&member->mutex);
}

size_t trn_member_others(TrnMember *member, TrnMemberPlayer *players, size_t capacity)
{
    trn_mutex_lock(&member->mutex);
    if (member->places) {
        const TrnHints *hints = member->places;
        trn_mutex_unlock(&member->mutex);
        return hints->players(hints->user, players, capacity);
    }
    const size_t count = member->others.count;
    const size_t part = count < capacity ? count : capacity;
    if (part) {
        memcpy(players, member->others.items, part * sizeof *players);
    }
    trn_mutex_unlock(&member->mutex);
    return count;
}

TrnMemberStats trn_member_stats(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    TrnMemberStats stats = member->stats;
    for (const MemberEdit *edit = member->edits; edit; edit = edit->next) {
        stats.waiting += edit->state <= MEMBER_EDIT_QUEUED;
    }
    stats.regions = member->regions.count;
    for (uint32_t i = 0; i < member->regions.count; i++) {
        stats.owned += member->regions.items[i].is_owned;
    }
    trn_mutex_unlock(&member->mutex);
    return stats;
}
