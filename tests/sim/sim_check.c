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
        const uint32_t chunk = of->coord.x != sim_coord((uint32_t)region, 0).x;
        for (uint32_t k = of->first; k < of->first + of->count; k++) {
            const TrnPendingRun *run = &edit->edit.runs.items[k];
            for (uint32_t at = run->first; at <= run->last; at++) {
                const uint32_t mark = sim_number(at);
                if (mark < SIM_MARKS) {
                    sim.ledger[region][chunk].acked[mark / 64] |= UINT64_C(1) << mark % 64;
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

/// Sets check_has to a chunk as the server has it.
static void check_read(uint32_t region, uint32_t chunk)
{
    const SimRow *row = &sim.server.regions[region].rows[chunk];
    const TrnCoord coord = sim_coord(region, chunk);
    bool is_uniform = false;
    if (row->blob) {
        sim_decode((TrnStorageKey){coord, 0}, row->blob, row->revision, check_has);
    } else {
        (void)sim_generate(NULL, coord, 0, check_has, &is_uniform);
    }
    for (uint32_t i = 1; i < TRN_CHUNK_VOXELS && is_uniform; i++) {
        check_has[i] = check_has[0];
    }
}

/// Whether all members show a chunk as the server has it.
static bool check_shown(uint32_t region, uint32_t chunk, bool tells)
{
    bool is_same = true;
    check_read(region, chunk);
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

/// Makes the liquids of a store look at all voxels of the channel, until they rest.
static void check_flow(TrnStore *store, TrnFluid *fluid)
{
    const int64_t length = (int64_t)sim.options.regions * TRN_REGION_CHUNKS * TRN_CHUNK_EDGE;
    for (int64_t x = 0; x < length; x++) {
        const TrnVoxel voxel = {x, SIM_CHANNEL_Y, SIM_CHANNEL_Z};
        TrnBlock block;
        if (trn_store_get_block(store, voxel, &block) == TRN_RESULT_OK) {
            (void)trn_store_set_block(store, voxel, TRN_BLOCK_GLASS, NULL);
            (void)trn_store_set_block(store, voxel, block, NULL);
        }
    }
    while (trn_fluid_stats(fluid).due_voxels && trn_fluid_stats(fluid).steps < 1000) {
        (void)trn_fluid_step(fluid, NULL);
    }
}

/// Whether the liquids of the world are at rest: if all are looked at again, nothing changes.
static bool check_rest(bool tells)
{
    TrnStoreDef def = trn_store_def();
    TrnStore *store;
    bool is_good = true;
    def.types = sim_types();
    if (trn_store_create(&def, &store) != TRN_RESULT_OK) {
        sim_fail("out of memory");
        return false;
    }
    TrnFluid *fluid = sim_make_fluid(store);
    for (uint32_t i = 0; i < SIM_CHUNKS * sim.options.regions; i++) {
        check_read(i / SIM_CHUNKS, i % SIM_CHUNKS);
        (void)trn_store_insert_voxels(store, sim_coord(i / SIM_CHUNKS, i % SIM_CHUNKS), check_has,
                                      NULL);
    }
    check_flow(store, fluid);
    for (uint32_t i = 0; i < SIM_CHUNKS * sim.options.regions && is_good; i++) {
        TrnSnapshot now;
        check_read(i / SIM_CHUNKS, i % SIM_CHUNKS);
        (void)trn_store_snapshot(store, sim_coord(i / SIM_CHUNKS, i % SIM_CHUNKS), &now);
        trn_snapshot_decode(now, check_shows);
        is_good = memcmp(check_shows, check_has, sizeof check_has) == 0;
        for (uint32_t at = 0; at < TRN_CHUNK_VOXELS && tells && !is_good; at++) {
            if (check_shows[at] != check_has[at]) {
                sim_fail("a liquid stands still: voxel %u of chunk %u of region %u is %u, and "
                         "would be %u",
                         at, i % SIM_CHUNKS, i / SIM_CHUNKS, check_has[at], check_shows[at]);
            }
        }
    }
    trn_fluid_destroy(fluid);
    trn_store_destroy(store);
    return is_good;
}

/// Folds the chunks that the server has, in a save of its own. The caller destroys it.
static TrnSave *check_fold(const TrnGenerator *land)
{
    TrnSaveDef def = trn_save_def();
    TrnSave *save = NULL;
    def.types = sim_types();
    def.has_thread = false;
    if (trn_storage_memory(NULL, &def.storage) != TRN_RESULT_OK ||
        trn_save_create(&def, &save, NULL) != TRN_RESULT_OK) {
        sim_fail("out of memory");
        return NULL;
    }
    for (uint32_t i = 0; i < SIM_CHUNKS * sim.options.regions; i++) {
        const uint32_t region = i / SIM_CHUNKS, chunk = i % SIM_CHUNKS;
        if (sim.server.regions[region].rows[chunk].blob) {
            check_read(region, chunk);
            (void)trn_save_put(save, sim_coord(region, chunk), 0, check_has, false);
        }
    }
    (void)trn_save_fold(save, land, SIM_LEVELS, NULL, NULL);
    return save;
}

/// Reads a chunk of a level from a save, or from the server. One without a row is air, as the land.
/// @param save  NULL: from the server  @param blocks  receives it
static void check_read_level(TrnSave *save, TrnStorageKey key, TrnBlock *blocks)
{
    const SimOther *other = save ? NULL : sim_other_at(&key);
    bool is_uniform = false;
    if (other) {
        sim_decode(key, other->blob, other->revision, blocks);
    } else if (!save ||
               trn_save_get(save, key.coord, key.level, blocks, &is_uniform) != TRN_RESULT_OK) {
        blocks[0] = TRN_BLOCK_AIR;
        is_uniform = true;
    }
    for (uint32_t i = 1; i < TRN_CHUNK_VOXELS && is_uniform; i++) {
        blocks[i] = blocks[0];
    }
}

/// Whether the levels of detail are those of the chunks.
static bool check_levels(bool tells)
{
    const TrnGenerator land = {.generate = sim_generate, .level_max = SIM_LEVELS};
    TrnSave *save = check_fold(&land);
    bool is_good = save != NULL;
    for (uint32_t i = 0; i < SIM_CHUNKS * SIM_LEVELS * sim.options.regions && is_good; i++) {
        const uint32_t level = 1 + i % SIM_LEVELS, chunk = i / SIM_LEVELS % SIM_CHUNKS;
        const uint32_t region = i / SIM_LEVELS / SIM_CHUNKS;
        const TrnCoord of = sim_coord(region, chunk);
        const TrnStorageKey key = {{of.x >> level, of.y >> level, of.z >> level}, level};
        check_read_level(save, key, check_shows);
        check_read_level(NULL, key, check_has);
        is_good = memcmp(check_shows, check_has, sizeof check_has) == 0;
        if (!is_good && tells) {
            sim_fail("level %u of region %u is outdated", level, region);
        }
    }
    (void)trn_save_destroy(save);
    return is_good;
}

/// Whether the database has a note of what an owner has yet to do.
static bool check_notes(bool tells)
{
    for (uint32_t i = 0; i < sim.server.edits.count; i++) {
        const SimEdit *edit = &sim.server.edits.items[i];
        if (edit->member == 0) {
            if (tells) {
                sim_fail("%s of region %d wait for ever",
                         edit->number == TRN_PG_NOTE_DUE ? "liquids" : "levels",
                         sim_region_at(edit->region));
            }
            return false;
        }
    }
    return true;
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
    return is_good && check_notes(tells) && (!sim.options.has_liquids || check_rest(tells)) &&
           (!sim.options.has_levels || check_levels(tells));
}
