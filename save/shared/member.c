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

/// Returns the member of the server of a chunk.
static TrnMember *member_of_job(TrnMember *first, const TrnStreamJob *job)
{
    const TrnStorageKey key = {job->coord, job->level};
    return trn_member_of(first, trn_storage_region(&key));
}

/// Follows the region of a chunk before it is loaded.
static TrnResult member_follow_job(TrnMember *first, const TrnStreamJob *job)
{
    const TrnStorageKey key = {job->coord, 0};
    const TrnResult result =
        job->level ? TRN_RESULT_OK
                   : trn_member_follow(member_of_job(first, job), trn_region_of(job->coord, 0),
                                       trn_storage_region(&key));
    return result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_IO : result;
}

static TrnResult member_load_chunk(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                   bool *uniform)
{
    TrnMember *first = user;
    const TrnResult result = member_follow_job(first, job);
    return result == TRN_RESULT_OK ? first->loads.load(first->loads.user, job, blocks, uniform)
                                   : result;
}

/// Loads chunks of one server.
static void member_load_some(TrnMember *first, TrnStreamLoadJob *loads, size_t count)
{
    TrnResult result = TRN_RESULT_OK;
    for (size_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        result = member_follow_job(first, loads[i].job);
    }
    if (result == TRN_RESULT_OK) {
        first->loads.load_many(first->loads.user, loads, count);
        return;
    }
    for (size_t i = 0; i < count; i++) { // the server does not answer
        loads[i].result = result;
    }
}

/// Server by server: chunks of one that does not answer hold up none of the others.
static void member_load_chunks(void *user, TrnStreamLoadJob *loads, size_t count)
{
    TrnMember *first = user;
    TrnStreamLoadJob some[TRN_STREAM_LOADS_MAX];
    size_t places[TRN_STREAM_LOADS_MAX];
    if (first->servers == 1) {
        member_load_some(first, loads, count);
        return;
    }
    for (const TrnMember *member = first; member; member = member->next) {
        size_t some_count = 0;
        for (size_t i = 0; i < count; i++) {
            if (member_of_job(first, loads[i].job) == member) {
                places[some_count] = i;
                some[some_count++] = loads[i];
            }
        }
        if (some_count) {
            member_load_some(first, some, some_count);
        }
        for (size_t i = 0; i < some_count; i++) {
            loads[places[i]] = some[i];
        }
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
    const TrnStreamSource *source = &((const TrnMember *)user)->loads;
    return source->highest(source->user, from, lowest, y);
}

TrnStreamSource trn_member_source(TrnMember *member)
{
    return member ? (TrnStreamSource){.load = member_load_chunk,
                                      .load_many = member_load_chunks,
                                      .load_max = member->loads.load_max,
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
           trn_servers_count(trn_save_storage(def->save)) > 0;
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

/// Makes the save of a thread that must not wait for other servers.
static TrnResult member_create_save(TrnMember *member, TrnStorageProblem *problem)
{
    if (member->servers == 1) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = trn_save_create_beside(member->def.save, &member->own_save, problem);
    member->def.save = result == TRN_RESULT_OK ? member->own_save : member->def.save;
    member->source = trn_save_source(member->def.save);
    return result;
}

/// Asks how far the server is before any region is followed: what is known of it is of this
/// history, or is noticed. Servers other than the first need not answer.
static TrnResult member_begin_epoch(TrnMember *member)
{
    const TrnResult result = trn_postgres_work(&member->storage, member_ask_epoch, member);
    return member != member->first && result == TRN_RESULT_IO ? TRN_RESULT_OK : result;
}

/// Everything but the thread.
static TrnResult member_begin(TrnMember *member, TrnStorageProblem *problem)
{
    member->blocks =
        trn_take(&member->allocator, sizeof(TrnBlock[TRN_CHUNK_VOXELS]), TRN_CACHE_LINE);
    if (!member->blocks) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = member_create_save(member, problem);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = member_create_desk(member);
    if (result == TRN_RESULT_OK) {
        result = trn_chunk_index_reader_create(trn_store_index(member->def.store), "member",
                                               &member->reader);
    }
    if (result == TRN_RESULT_OK && member == member->first) {
        result = trn_member_attach(member);
    }
    result = result == TRN_RESULT_OK ? member_begin_epoch(member) : result;
    return result == TRN_RESULT_OK
               ? trn_lease_begin(&member->storage, member->name, member->def.lease_seconds)
               : result;
}

/// @param first  of the first server; NULL: this one is  @return NULL: no memory
static TrnMember *member_new(const TrnMemberDef *def, uint32_t server, TrnMember *first)
{
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    TrnMember *made = trn_take(&allocator, sizeof *made, TRN_CACHE_LINE);
    if (!made) {
        return NULL;
    }
    memset(made, 0, sizeof *made);
    if (!trn_mutex_init(&made->mutex)) {
        trn_give(&allocator, made, sizeof *made);
        return NULL;
    }
    const TrnStorage *storage = trn_save_storage(def->save);
    made->def = *def;
    made->allocator = allocator;
    made->first = first ? first : made;
    made->servers = trn_servers_count(storage);
    made->storage = *trn_servers_at(storage, server);
    made->source = made->loads = trn_save_source(def->save);
    (void)snprintf(made->name, sizeof made->name, "%s", def->name);
    (void)snprintf(made->hints_url, sizeof made->hints_url, "%s", def->hints ? def->hints : "");
    (void)snprintf(made->player.name, sizeof made->player.name, "%s", def->name);
    made->id = (int64_t)(trn_entropy_key() >> 1);
    made->edits_end = &made->edits;
    made->inbox_end = &made->inbox;
    made->wake[0] = made->wake[1] = -1;
    return made;
}

/// Makes the member of each server.
static TrnResult member_create_all(const TrnMemberDef *def, TrnMember **member,
                                   TrnStorageProblem *problem)
{
    const uint32_t count = trn_servers_count(trn_save_storage(def->save));
    TrnMember *first = NULL, **end = &first;
    for (uint32_t i = 0; i < count; i++) {
        TrnStorageProblem why = {""};
        TrnMember *made = member_new(def, i, first);
        TrnResult result = TRN_RESULT_NO_MEMORY;
        if (made) {
            *end = made;
            end = &made->next;
            result = member_begin(made, &why);
        }
        if (result != TRN_RESULT_OK) {
            trn_save_describe(trn_servers_at(trn_save_storage(def->save), i), result, problem);
            if (problem && why.sentence[0]) {
                *problem = why;
            }
            trn_member_destroy(first);
            return result;
        }
    }
    *member = first;
    return TRN_RESULT_OK;
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
    return member_create_all(def, member, problem);
}

TrnResult trn_member_create(const TrnMemberDef *def, TrnMember **member, TrnStorageProblem *problem)
{
    TrnMember *made;
    const TrnResult result =
        member ? trn_member_create_idle(def, &made, problem) : TRN_RESULT_BAD_ARGUMENT;
    if (result != TRN_RESULT_OK) {
        return result;
    }
    for (TrnMember *one = made; one; one = one->next) {
        one->has_thread = trn_member_open_pipe(one) &&
                          trn_thread_start(&one->thread, MEMBER_STACK_BYTES, trn_member_run, one);
        if (!one->has_thread) {
            trn_save_describe(&made->storage, TRN_RESULT_NO_MEMORY, problem);
            trn_member_destroy(made);
            return TRN_RESULT_NO_MEMORY;
        }
    }
    *member = made;
    return TRN_RESULT_OK;
}

/// Ends the thread of a member.
static void member_stop(TrnMember *member)
{
    if (member->has_thread) {
        trn_thread_join(&member->thread);
    }
    if (member->nats.close) {
        member->nats.close(member->nats.user);
    }
}

/// Frees a member whose thread has ended.
static void member_free(TrnMember *member)
{
    if (member->reader) {
        trn_chunk_index_reader_destroy(member->reader);
    }
    trn_fluid_destroy(member->due);
    trn_array_free(&member->due_none, &member->allocator);
    trn_store_destroy(member->desk);
    (void)trn_save_destroy(member->own_save);
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
    for (uint32_t i = 0; i < member->noted.count; i++) {
        trn_member_free_voxels(member, &member->noted.items[i].voxels);
    }
    trn_array_free(&member->noted, &member->allocator);
    trn_member_free_unfolded(member);
    trn_coord_map_free(&member->noted_coords, &member->allocator);
    trn_array_free(&member->owned, &member->allocator);
    trn_array_free(&member->wishes, &member->allocator);
    trn_array_free(&member->others, &member->allocator);
    trn_give(&member->allocator, member->blocks, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    trn_member_close_pipe(member);
    trn_mutex_destroy(&member->mutex);
    const TrnAllocator allocator = member->allocator;
    trn_give(&allocator, member, sizeof *member);
}

void trn_member_destroy(TrnMember *member)
{
    for (TrnMember *one = member; one; one = one->next) {
        trn_mutex_lock(&one->mutex);
        one->is_ending = true;
        trn_mutex_unlock(&one->mutex);
        if (one->has_thread) {
            trn_member_wake(one);
        }
    }
    for (TrnMember *one = member; one; one = one->next) {
        member_stop(one);
    }
    if (member) {
        trn_member_detach(member);
    }
    for (TrnMember *one = member, *next; one; one = next) {
        next = one->next;
        member_free(one);
    }
}

/// Whether an edit is not acknowledged, or not seen here.
static bool member_is_unsettled(TrnMember *first)
{
    bool is_unsettled = false;
    for (TrnMember *member = first; member; member = member->next) {
        trn_mutex_lock(&member->mutex);
        is_unsettled |= member->edits || member->inbox || member->reloaded.count;
        trn_mutex_unlock(&member->mutex);
    }
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
    for (TrnMember *one = member; one; one = one->next) {
        trn_mutex_lock(&one->mutex);
        memcpy(one->player.place, place, sizeof one->player.place);
        one->player.yaw = yaw;
        one->player.pitch = pitch;
        one->has_player = true;
        trn_mutex_unlock(&one->mutex);
    }
}

static const TrnHints *member_places(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    const TrnHints *hints = member->places;
    trn_mutex_unlock(&member->mutex);
    return hints;
}

size_t trn_member_others(TrnMember *member, TrnMemberPlayer *players, size_t capacity)
{
    if (member_places(member)) { // each server's hints tell of the players in its regions
        size_t count = 0;
        for (TrnMember *one = member; one; one = one->next) {
            const TrnHints *hints = member_places(one);
            const size_t left = count < capacity ? capacity - count : 0;
            count += hints ? hints->players(hints->user, left ? players + count : NULL, left) : 0;
        }
        return count;
    }
    trn_mutex_lock(&member->mutex);
    const size_t count = member->others.count;
    const size_t part = count < capacity ? count : capacity;
    if (part) {
        memcpy(players, member->others.items, part * sizeof *players);
    }
    trn_mutex_unlock(&member->mutex);
    return count;
}

/// Figures of one server's.
static TrnMemberStats member_stats(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    TrnMemberStats stats = member->stats;
    for (const MemberEdit *edit = member->edits; edit; edit = edit->next) {
        stats.waiting += edit->state <= MEMBER_EDIT_QUEUED;
    }
    stats.regions = member->regions.count;
    for (uint32_t i = 0; i < member->regions.count; i++) {
        stats.owned += member->regions.items[i].is_owned;
        stats.flowing += member->regions.items[i].is_owned && member->regions.items[i].due.is_saved;
    }
    trn_mutex_unlock(&member->mutex);
    return stats;
}

/// Adds the figures of another server. What was lost is counted by the first.
static void member_add_stats(TrnMemberStats *sum, const TrnMemberStats *one)
{
    sum->edits += one->edits;
    sum->acknowledged += one->acknowledged;
    sum->refused += one->refused;
    sum->executed += one->executed;
    sum->rewinds += one->rewinds;
    sum->applied += one->applied;
    sum->polls += one->polls;
    sum->notifies += one->notifies;
    sum->fetched += one->fetched;
    sum->reloaded += one->reloaded;
    sum->changed_bytes += one->changed_bytes;
    sum->waiting += one->waiting;
    sum->regions += one->regions;
    sum->owned += one->owned;
    sum->flowing += one->flowing;
    sum->is_connected = sum->is_connected && one->is_connected;
    sum->has_hints = sum->has_hints && one->has_hints;
    sum->ack_seconds = one->ack_seconds > sum->ack_seconds ? one->ack_seconds : sum->ack_seconds;
    if (!sum->problem[0]) {
        memcpy(sum->problem, one->problem, sizeof sum->problem);
    }
}

TrnMemberStats trn_member_stats(TrnMember *member)
{
    TrnMemberStats sum = member_stats(member);
    for (TrnMember *one = member->next; one; one = one->next) {
        const TrnMemberStats stats = member_stats(one);
        member_add_stats(&sum, &stats);
    }
    return sum;
}
