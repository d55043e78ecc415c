// What must hold after every step of a schedule, and at its end: see sim.h.

#include "sim.h"

#include <inttypes.h>

static TrnBlock check_has[TRN_CHUNK_VOXELS], check_shows[TRN_CHUNK_VOXELS];

// ---- after every step --------------------------------------------------------------------------

/// Notes the marks of an edit that was acknowledged.
static void check_acked(const MemberEdit *edit)
{
    for (uint32_t i = 0; i < edit->edit.chunks.count; i++) {
        const TrnEditChunk *of = &edit->edit.chunks.items[i];
        const int region = sim_region_at(edit->region);
        const uint32_t chunk = (uint32_t)(of->coord.x - sim_coord((uint32_t)region, 0).x);
        for (uint32_t k = of->first; k < of->first + of->count; k++) {
            const TrnPendingRun *run = &edit->edit.runs.items[k];
            for (uint32_t at = run->first; at <= run->last; at++) {
                if (at < SIM_MARKS) {
                    sim.ledger[region][chunk].acked[at / 64] |= UINT64_C(1) << at % 64;
                }
            }
        }
    }
}

/// Nothing that was acknowledged is lost, other than by a failover.
static void check_lost(void)
{
    for (uint32_t i = 0; i < sim.options.regions; i++) {
        for (uint32_t k = 0; k < SIM_CHUNKS; k++) {
            const SimLedger *ledger = &sim.ledger[i][k];
            const uint64_t *has = sim.server.regions[i].rows[k].content.marks;
            for (uint32_t word = 0; word < SIM_MARKS / 64; word++) {
                const uint64_t lost = ledger->acked[word] & ~has[word] & ~ledger->excused[word];
                if (lost) {
                    sim_fail("chunk %u of region %u: an acknowledged edit is lost, of the marks "
                             "%u to %u: %" PRIx64,
                             k, i, 64 * word, 64 * word + 63, lost);
                    return;
                }
            }
        }
    }
}

/// Queues stay bounded.
static void check_queues(const TrnMember *member)
{
    const uint32_t chunks = sim.options.regions * SIM_CHUNKS;
    if (member->stats.fetched > TRN_MEMBER_FETCHED_MAX) {
        sim_fail("%u chunks wait for an update", member->stats.fetched);
    }
    if (member->reloaded.count > 64 * chunks || member->listing.coords.count > 64 * chunks) {
        sim_fail("%u chunks are to be loaded again", member->reloaded.count);
    }
    if (member->stats.changed_bytes > TRN_MEMBER_CHANGED_BYTES_MAX ||
        member->regions.count > sim.options.regions) {
        sim_fail("%u regions are followed", member->regions.count);
    }
}

void sim_check_step(SimProcess *process)
{
    uint64_t acknowledged = 0;
    const TrnMember *const first = process && process->is_open ? process->member : NULL;
    for (const TrnMember *member = first; member; member = member->next) {
        acknowledged += member->stats.acknowledged;
        check_queues(member);
    }
    for (const TrnMember *member = first; member && process->acknowledged != acknowledged;
         member = member->next) {
        for (const MemberEdit *edit = member->edits; edit; edit = edit->next) {
            if (edit->state == MEMBER_EDIT_DONE) {
                check_acked(edit);
            }
        }
    }
    if (first) {
        process->acknowledged = acknowledged;
    }
    check_lost();
}

// ---- at the end --------------------------------------------------------------------------------

/// Whether a member shows a chunk as the server has it, which check_has is.
static bool check_chunk(const SimProcess *process, uint32_t region, uint32_t chunk, bool tells)
{
    const TrnCoord coord = sim_coord(region, chunk);
    const TrnBlock *shown = check_shows, *has = check_has;
    TrnSnapshot snapshot;
    if (!process->is_open || !trn_store_find(process->store, coord) ||
        trn_store_snapshot(process->store, coord, &snapshot) != TRN_RESULT_OK) {
        return true;
    }
    trn_snapshot_decode(snapshot, check_shows);
    if (memcmp(shown, has, sizeof check_has) == 0) {
        return true;
    }
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS && tells; i++) {
        if (shown[i] != has[i]) {
            sim_fail("process %" PRIu64 " shows %u at voxel %u of chunk %u of region %u, where the "
                     "server has %u",
                     process->life, shown[i], i, chunk, region, has[i]);
        }
    }
    return false;
}

/// Whether all members show a chunk as the server has it.
static bool check_shown(uint32_t region, uint32_t chunk, bool tells)
{
    const SimRow *row = &sim.server.regions[region].rows[chunk];
    bool is_same = true;
    memset(check_has, 0, sizeof check_has);
    if (row->blob) {
        sim_decode(sim_coord(region, chunk), row->blob, row->revision, check_has);
    }
    for (uint32_t i = 0; i < sim.options.members && is_same; i++) {
        is_same = check_chunk(&sim.processes[i], region, chunk, tells);
    }
    return is_same;
}

/// Whether a member has nothing left to do, and was told of each failover.
static bool check_settled(const SimProcess *process, bool tells)
{
    if (!process->is_open) {
        if (tells) {
            sim_fail("process %" PRIu64 " cannot open the world", process->life);
        }
        return false;
    }
    bool is_settled = true;
    uint64_t rewinds = 0;
    for (const TrnMember *member = process->member; member; member = member->next) {
        is_settled = is_settled && !member->edits && !member->inbox && !member->reloaded.count &&
                     !member->listing.is_open;
        rewinds += member->stats.rewinds;
    }
    const bool is_told = rewinds >= process->rewinds_due;
    if (tells && !is_settled) {
        sim_fail("process %" PRIu64 " does not settle: %u edits wait; %s", process->life,
                 trn_member_stats(process->member).waiting,
                 trn_member_stats(process->member).problem);
    } else if (tells && !is_told) {
        sim_fail("process %" PRIu64 " was not told of a failover", process->life);
    }
    return is_settled && is_told;
}

bool sim_check_end(bool tells)
{
    bool is_good = true;
    for (uint32_t i = 0; i < sim.options.members && is_good; i++) {
        is_good = check_settled(&sim.processes[i], tells);
    }
    for (uint32_t i = 0; i < sim.options.regions && is_good; i++) {
        for (uint32_t k = 0; k < SIM_CHUNKS && is_good; k++) {
            is_good = check_shown(i, k, tells);
        }
    }
    return is_good;
}
