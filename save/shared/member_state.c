// What the parts of a member share: see member_impl.h.

#include "base/system.h" // before all others

#include "member_impl.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

// ---- waking the thread -------------------------------------------------------------------------

bool trn_member_open_pipe(TrnMember *member)
{
    if (pipe(member->wake) != 0) {
        member->wake[0] = member->wake[1] = -1;
        return false;
    }
    for (int i = 0; i < 2; i++) {
        (void)fcntl(member->wake[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(member->wake[i], F_SETFL, O_NONBLOCK);
    }
    return true;
}

void trn_member_close_pipe(TrnMember *member)
{
    for (int i = 0; i < 2; i++) {
        if (member->wake[i] >= 0) {
            (void)close(member->wake[i]);
        }
    }
}

void trn_member_wake(TrnMember *member)
{
    if (member->wake[1] >= 0) {
        const ssize_t written = write(member->wake[1], "", 1); // a full pipe wakes as well
        (void)written;
    }
}

void trn_member_drain_pipe(TrnMember *member)
{
    char bytes[64];
    while (read(member->wake[0], bytes, sizeof bytes) > 0) {
    }
}

// ---- regions -----------------------------------------------------------------------------------

static void member_free_changed(TrnMember *member, MemberRegion *region)
{
    if (region->changed) {
        trn_give(&member->allocator, region->changed, sizeof *region->changed);
        member->stats.changed_bytes -= sizeof *region->changed;
        region->changed = NULL;
        member->changed_regions--;
    }
}

TrnMember *trn_member_of(TrnMember *first, int64_t region)
{
    TrnMember *member = first;
    for (uint32_t i = trn_servers_hash(region, first->servers); i > 0; i--) {
        member = member->next;
    }
    return member;
}

MemberRegion *trn_member_region(TrnMember *member, int64_t number)
{
    for (uint32_t i = 0; i < member->regions.count; i++) {
        if (member->regions.items[i].number == number) {
            return &member->regions.items[i];
        }
    }
    return NULL;
}

bool trn_member_is_unread(TrnMember *member, int64_t number)
{
    trn_mutex_lock(&member->mutex);
    const MemberRegion *region = trn_member_region(member, number);
    const bool is_unread = region && region->is_unread;
    trn_mutex_unlock(&member->mutex);
    return is_unread;
}

bool trn_member_find_owned(TrnMember *member,
                           bool (*is_one)(const TrnMember *member, const MemberRegion *region),
                           int64_t *number)
{
    bool has_one = false;
    trn_mutex_lock(&member->mutex);
    for (uint32_t i = 0; i < member->regions.count && !has_one; i++) {
        const MemberRegion *region = &member->regions.items[i];
        has_one = region->is_owned && is_one(member, region);
        *number = region->number;
    }
    trn_mutex_unlock(&member->mutex);
    return has_one;
}

void trn_member_drop_due(TrnMember *member, MemberRegion *region)
{
    MemberDue *due = &region->due;
    trn_array_free(&due->own, &member->allocator);
    trn_array_free(&due->noted, &member->allocator);
    due->serial++;
    due->is_unread = due->is_saved = due->is_at_rest = false;
}

void trn_member_disown(TrnMember *member, MemberRegion *region)
{
    region->is_owned = false;
    region->unfolded = (MemberCells){{0}};
    trn_member_drop_due(member, region);
}

TrnResult trn_member_put_note(TrnMember *member, int64_t region, TrnPgNote note,
                              const TrnBytes *bytes)
{
    TrnLeases *leases = trn_postgres_leases(&member->storage);
    TrnPgLink *link = &member->link;
    TrnPgPipe pipe;
    if (!trn_leases_hold(leases, region)) {
        return TRN_RESULT_STALE_ID;
    }
    const bool is_good =
        trn_pg_pipe_begin(link, &pipe) &&
        trn_pg_pipe_end(link, trn_leases_check(leases, link, &region, 1) &&
                                  trn_pg_note_put(link, region, note, bytes->items, bytes->count));
    return is_good ? TRN_RESULT_OK : link->fault.is_lost ? TRN_RESULT_IO : link->fault.result;
}

void trn_member_forget(TrnMember *member, uint32_t i)
{
    member_free_changed(member, &member->regions.items[i]);
    trn_member_drop_due(member, &member->regions.items[i]);
    member->changed_regions -= member->regions.items[i].is_all_changed;
    trn_array_remove_swap(&member->regions, i);
}

// ---- chunks that changed while they were not loaded --------------------------------------------

/// Returns an empty list; NULL: there are as many as may be, or no memory.
static MemberChanged *member_take_changed(TrnMember *member)
{
    MemberChanged *changed = NULL;
    if (member->stats.changed_bytes + sizeof *changed <= TRN_MEMBER_CHANGED_BYTES_MAX) {
        changed = trn_take(&member->allocator, sizeof *changed, TRN_CACHE_LINE);
    }
    if (changed) {
        memset(changed, 0, sizeof *changed);
        member->stats.changed_bytes += sizeof *changed;
    }
    return changed;
}

/// The number of a chunk in its region.
static uint32_t member_chunk_number(TrnCoord coord)
{
    const uint32_t edge = TRN_REGION_CHUNKS, mask = edge - 1;
    return (((uint32_t)coord.z & mask) * edge + ((uint32_t)coord.y & mask)) * edge +
           ((uint32_t)coord.x & mask);
}

void trn_member_note_changed(TrnMember *member, MemberRegion *region, TrnCoord coord,
                             bool is_changed)
{
    const uint32_t number = member_chunk_number(coord);
    const uint64_t bit = UINT64_C(1) << number % 64;
    if (region->is_all_changed) {
        return;
    }
    if (is_changed && !region->changed) {
        region->changed = member_take_changed(member);
        region->is_all_changed = !region->changed;
        member->changed_regions++;
    }
    if (is_changed && region->changed) {
        region->changed->words[number / 64] |= bit;
    } else if (region->changed) {
        uint64_t any = 0;
        region->changed->words[number / 64] &= ~bit;
        for (size_t i = 0; i < sizeof region->changed->words / sizeof any; i++) {
            any |= region->changed->words[i];
        }
        if (!any) {
            member_free_changed(member, region);
        }
    }
}

void trn_member_note_all_changed(TrnMember *member, MemberRegion *region)
{
    member_free_changed(member, region);
    member->changed_regions += !region->is_all_changed;
    region->is_all_changed = true;
}

bool trn_member_has_changed(const MemberRegion *region, TrnCoord coord)
{
    const uint32_t number = member_chunk_number(coord);
    return region->is_all_changed ||
           (region->changed && region->changed->words[number / 64] >> number % 64 & 1);
}

void trn_member_rewind(TrnMember *member, MemberRegion *region)
{
    for (MemberEdit *edit = member->edits; edit; edit = edit->next) {
        if (edit->region == region->number) {
            edit->state = edit->state == MEMBER_EDIT_DONE     ? MEMBER_EDIT_REFUSED
                          : edit->state == MEMBER_EDIT_QUEUED ? MEMBER_EDIT_NEW
                                                              : edit->state;
        }
    }
    region->known = region->applied = 0;
    trn_leases_note_change(trn_postgres_leases(&member->storage), region->number, 0);
    region->unfolded = (MemberCells){{0}};
    region->is_unread = region->due.is_unread = region->is_owned; // its notes went back, too
    region->is_rewound = region->is_old = region->is_hinted = true;
}

// ---- following ---------------------------------------------------------------------------------

typedef struct MemberAsk {
    int64_t region, change;
} MemberAsk;

static bool member_ask_change(TrnPgLink *link, void *context)
{
    MemberAsk *ask = context;
    return trn_pg_change(link, ask->region, &ask->change);
}

static bool member_is_followed(TrnMember *member, int64_t number)
{
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, number);
    if (region) {
        region->used_us = trn_clock_us();
    }
    trn_mutex_unlock(&member->mutex);
    return region != NULL;
}

TrnResult trn_member_follow(TrnMember *member, TrnRegion place, int64_t number)
{
    if (member_is_followed(member, number)) {
        return TRN_RESULT_OK;
    }
    // Before its first chunk is loaded, so that no change of it is missed.
    MemberAsk ask = {.region = number};
    TrnResult result = trn_postgres_work(&member->storage, member_ask_change, &ask);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    trn_mutex_lock(&member->mutex);
    if (!trn_member_region(member, number)) {
        const MemberRegion region = {.number = number,
                                     .place = place,
                                     .known = ask.change,
                                     .applied = ask.change,
                                     .is_hinted = true,
                                     .used_us = trn_clock_us()};
        result = trn_array_push(&member->regions, &member->allocator, region);
    }
    trn_mutex_unlock(&member->mutex);
    trn_member_wake(member);
    return result;
}

TrnResult trn_member_follow_anew(TrnMember *member, TrnCoord coord)
{
    const TrnStorageKey key = {coord, 0};
    const MemberRegion region = {.number = trn_storage_region(&key),
                                 .place = trn_region_of(coord, 0),
                                 .is_rewound = true,
                                 .is_hinted = true,
                                 .used_us = trn_clock_us()};
    return trn_array_push(&member->regions, &member->allocator, region);
}

// ---- chunks for the member's thread ------------------------------------------------------------

typedef struct MemberSink {
    TrnMember *member;
    MemberVoxels *voxels;
} MemberSink;

/// Keeps the data of a voxel. Its bytes may move until all are there.
static TrnResult member_keep_data(void *user, const TrnBlockData *data)
{
    const MemberSink *sink = user;
    const TrnAllocator *allocator = &sink->member->allocator;
    TrnBytes *bytes = &sink->voxels->bytes;
    const size_t at = ((size_t)bytes->count + 7) / 8 * 8;
    TrnResult result = trn_array_reserve(bytes, allocator, at + data->size);
    if (result == TRN_RESULT_OK && data->size) {
        memcpy(bytes->items + at, data->bytes, data->size);
    }
    if (result == TRN_RESULT_OK) {
        TrnBlockData kept = *data;
        kept.bytes = NULL;
        bytes->count = (uint32_t)(at + data->size);
        result = trn_array_push(&sink->voxels->data, allocator, kept);
    }
    return result;
}

/// Sets the addresses of block data.
static void member_place_data(MemberVoxels *voxels)
{
    size_t at = 0;
    for (uint32_t i = 0; i < voxels->data.count; i++) {
        at = (at + 7) / 8 * 8;
        voxels->data.items[i].bytes = voxels->bytes.items ? voxels->bytes.items + at : NULL;
        at += voxels->data.items[i].size;
    }
}

/// Ends a load: generates a chunk that is not saved.
static TrnResult member_end_load(const TrnMember *member, const TrnStreamLoadJob *load,
                                 MemberVoxels *voxels)
{
    TrnResult result = load->result;
    voxels->is_uniform = load->uniform;
    if (result == TRN_RESULT_NOT_FOUND) {
        voxels->is_uniform = false;
        result = trn_generator_generate(&member->def.land, load->job->coord, 0, voxels->blocks,
                                        &voxels->is_uniform);
    }
    for (uint32_t i = 1; result == TRN_RESULT_OK && voxels->is_uniform && i < TRN_CHUNK_VOXELS;
         i++) {
        voxels->blocks[i] = voxels->blocks[0];
    }
    member_place_data(voxels);
    return result;
}

/// Loads chunks from the database. As trn_member_load_many.
static void member_ask_chunks(TrnMember *member, const TrnCoord *coords, size_t count,
                              MemberVoxels *voxels, TrnResult *results)
{
    MemberSink sinks[MEMBER_LOADS_MAX];
    TrnDataSink data[MEMBER_LOADS_MAX];
    TrnStreamJob jobs[MEMBER_LOADS_MAX];
    TrnStreamLoadJob loads[MEMBER_LOADS_MAX];
    bool has_memory = true;
    for (size_t i = 0; i < count; i++) {
        sinks[i] = (MemberSink){member, &voxels[i]};
        data[i] = (TrnDataSink){member_keep_data, &sinks[i]};
        jobs[i] =
            (TrnStreamJob){.coord = coords[i], .worker = TRN_SAVE_MEMBER_WORKER, .data = &data[i]};
        voxels[i] =
            (MemberVoxels){.blocks = trn_take(&member->allocator,
                                              sizeof(TrnBlock[TRN_CHUNK_VOXELS]), TRN_CACHE_LINE)};
        loads[i] = (TrnStreamLoadJob){&jobs[i], voxels[i].blocks, false, TRN_RESULT_NOT_FOUND};
        results[i] = TRN_RESULT_NO_MEMORY;
        has_memory = has_memory && voxels[i].blocks;
    }
    if (!has_memory) {
        return;
    }
    member->source.load_many(member->source.user, loads, count);
    for (size_t i = 0; i < count; i++) {
        results[i] = member_end_load(member, &loads[i], &voxels[i]);
    }
}

void trn_member_keep_row(TrnMember *member, const TrnStorageRow *row)
{
    MemberRow kept = {.coord = row->key.coord};
    const MemberSink sink = {member, &kept.voxels};
    const TrnDataSink data = {member_keep_data, (void *)&sink};
    const TrnStreamJob job = {.coord = row->key.coord};
    kept.voxels.blocks =
        trn_take(&member->allocator, sizeof(TrnBlock[TRN_CHUNK_VOXELS]), TRN_CACHE_LINE);
    TrnStreamLoadJob load = {&job, kept.voxels.blocks, false, TRN_RESULT_NO_MEMORY};
    if (kept.voxels.blocks) {
        load.result =
            trn_save_read_member_row(member->def.save, row, load.blocks, &load.uniform, &data);
    }
    if (load.result != TRN_RESULT_OK ||
        member_end_load(member, &load, &kept.voxels) != TRN_RESULT_OK ||
        trn_array_push(&member->rows, &member->allocator, kept) != TRN_RESULT_OK) {
        trn_member_free_voxels(member, &kept.voxels);
    }
}

void trn_member_drop_rows(TrnMember *member)
{
    for (uint32_t i = 0; i < member->rows.count; i++) {
        trn_member_free_voxels(member, &member->rows.items[i].voxels);
    }
    trn_array_free(&member->rows, &member->allocator);
}

/// Takes the voxels of a chunk that a look has brought. @return whether it has
static bool member_take_row(TrnMember *member, TrnCoord coord, MemberVoxels *voxels)
{
    for (uint32_t i = 0; i < member->rows.count; i++) {
        if (trn_coord_equal(member->rows.items[i].coord, coord)) {
            *voxels = member->rows.items[i].voxels;
            trn_array_remove_swap(&member->rows, i);
            return true;
        }
    }
    return false;
}

void trn_member_load_many(TrnMember *member, const TrnCoord *coords, size_t count,
                          MemberVoxels *voxels, TrnResult *results)
{
    TrnCoord asked[MEMBER_LOADS_MAX];
    size_t places[MEMBER_LOADS_MAX], asked_count = 0;
    MemberVoxels loaded[MEMBER_LOADS_MAX];
    TrnResult loaded_results[MEMBER_LOADS_MAX];
    for (size_t i = 0; i < count; i++) {
        results[i] = TRN_RESULT_OK;
        if (!member_take_row(member, coords[i], &voxels[i])) {
            places[asked_count] = i;
            asked[asked_count++] = coords[i];
        }
    }
    if (asked_count) {
        member_ask_chunks(member, asked, asked_count, loaded, loaded_results);
    }
    for (size_t i = 0; i < asked_count; i++) {
        voxels[places[i]] = loaded[i];
        results[places[i]] = loaded_results[i];
    }
}

TrnResult trn_member_load(TrnMember *member, TrnCoord coord, MemberVoxels *voxels)
{
    TrnResult result;
    trn_member_load_many(member, &coord, 1, voxels, &result);
    if (result != TRN_RESULT_OK) {
        trn_member_free_voxels(member, voxels);
    }
    return result;
}

TrnResult trn_member_copy_data(TrnMember *member, TrnSnapshot snapshot, MemberVoxels *voxels)
{
    const uint32_t low[3] = {0, 0, 0};
    const uint32_t high[3] = {TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1};
    const uint32_t count = trn_snapshot_count_data(snapshot);
    const MemberSink sink = {member, voxels};
    TrnBlockData *list = NULL;
    TrnResult result = TRN_RESULT_OK;
    if (count) {
        list = trn_take(&member->allocator, count * sizeof *list, sizeof(void *));
        result = list ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    }
    const size_t listed = list ? trn_snapshot_list_data(snapshot, low, high, list, count) : 0;
    for (size_t i = 0; i < listed && result == TRN_RESULT_OK; i++) {
        result = member_keep_data((void *)&sink, &list[i]);
    }
    trn_give(&member->allocator, list, count * sizeof *list);
    member_place_data(voxels);
    return result;
}

TrnResult trn_member_copy_voxels(TrnMember *member, TrnSnapshot snapshot, MemberVoxels *voxels)
{
    *voxels = (MemberVoxels){
        .blocks = trn_take(&member->allocator, sizeof(TrnBlock[TRN_CHUNK_VOXELS]), TRN_CACHE_LINE)};
    if (!voxels->blocks) {
        return TRN_RESULT_NO_MEMORY;
    }
    trn_snapshot_decode(snapshot, voxels->blocks);
    const TrnResult result = trn_member_copy_data(member, snapshot, voxels);
    if (result != TRN_RESULT_OK) {
        trn_member_free_voxels(member, voxels);
    }
    return result;
}

void trn_member_free_voxels(TrnMember *member, MemberVoxels *voxels)
{
    if (voxels->blocks) {
        trn_give(&member->allocator, voxels->blocks, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    }
    trn_array_free(&voxels->data, &member->allocator);
    trn_array_free(&voxels->bytes, &member->allocator);
    *voxels = (MemberVoxels){.blocks = NULL};
}

void trn_member_reload_chunks(TrnMember *member, const MemberEdit *edit)
{
    for (uint32_t i = 0; i < edit->edit.chunks.count; i++) {
        // If there is no memory, the chunk shows the edit until it is loaded again.
        (void)trn_array_push(&member->reloaded, &member->allocator,
                             edit->edit.chunks.items[i].coord);
    }
}

void trn_member_refuse(TrnMember *member, MemberEdit *edit)
{
    trn_mutex_lock(&member->mutex);
    edit->state = MEMBER_EDIT_REFUSED;
    member->stats.refused++;
    trn_member_reload_chunks(member, edit);
    trn_mutex_unlock(&member->mutex);
}

// ---- telling -----------------------------------------------------------------------------------

#define MEMBER_QUIET_US 1e4 // at least

bool trn_member_hears(const TrnMember *member)
{
    return member->hints && member->hints->is_up(member->hints->user);
}

bool trn_member_is_news(TrnMember *member, int64_t number)
{
    const MemberPace *pace = &member->pace;
    const double now_us = trn_clock_us();
    const double quiet_us = pace->spacing_us >= TRN_MEMBER_CROWDED_US
                                ? TRN_MEMBER_QUIET * pace->spacing_us
                                : MEMBER_QUIET_US;
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, number);
    const bool is_quiet = !region || now_us - region->active_us > quiet_us;
    if (region) {
        region->active_us = now_us;
    }
    trn_mutex_unlock(&member->mutex);
    return trn_member_hears(member) && (is_quiet || member->hints == &member->nats);
}

bool trn_member_tell(const TrnMember *member, TrnPgLink *link, int64_t number,
                     bool is_in_transaction)
{
    const TrnHints *hints = member->hints;
    const bool is_told = !hints || hints->is_in_transaction != is_in_transaction ||
                         hints->publish(hints->user, link, number);
    return is_told || !is_in_transaction; // a hint may be lost
}

// ---- faults ------------------------------------------------------------------------------------

bool trn_member_note(TrnMember *member, bool is_good)
{
    trn_mutex_lock(&member->mutex);
    member->stats.is_connected = is_good;
    if (is_good) {
        member->stats.problem[0] = '\0';
    } else {
        (void)snprintf(member->stats.problem, sizeof member->stats.problem, "%.120s: %.380s.",
                       trn_postgres_name(&member->storage), member->link.fault.text);
    }
    trn_mutex_unlock(&member->mutex);
    if (!is_good && (member->link.fault.is_lost || !member->link.db)) {
        trn_pg_disconnect(&member->link);
    }
    return is_good;
}

bool trn_member_note_result(TrnMember *member, TrnResult result)
{
    TrnStorageProblem problem;
    if (result == TRN_RESULT_OK) {
        return true;
    }
    trn_save_describe(&member->storage, result, &problem);
    trn_mutex_lock(&member->mutex);
    (void)snprintf(member->stats.problem, sizeof member->stats.problem, "%s", problem.sentence);
    trn_mutex_unlock(&member->mutex);
    return false;
}

// ---- lists -------------------------------------------------------------------------------------

void trn_member_free_edits(TrnMember *member, MemberEdit *first)
{
    for (MemberEdit *edit = first, *next; edit; edit = next) {
        next = edit->next;
        trn_edit_free(&edit->edit, &member->allocator);
        trn_array_free(&edit->due, &member->allocator);
        trn_give(&member->allocator, edit, sizeof *edit);
    }
}

void trn_member_free_chunks(TrnMember *member, MemberChunk *first)
{
    for (MemberChunk *chunk = first, *next; chunk; chunk = next) {
        next = chunk->next;
        trn_member_free_voxels(member, &chunk->voxels);
        trn_give(&member->allocator, chunk, sizeof *chunk);
    }
}
