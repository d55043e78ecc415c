// Programs with a member, as a game is one: they load chunks, edit and unload them, crash and
// leave. See sim.h.

#include "sim.h"

#include <inttypes.h>
#include <terrane/batch.h>

#include "base/memory.h"

#define MEMBERS_AGAIN_US 2e5  // after the world could not be opened
#define MEMBERS_TOUCH_US 1e8  // of the quiet at the end
#define MEMBERS_IDLE_US 6.5e7 // now and then: after a minute members leave regions

// ---- what a game does --------------------------------------------------------------------------

/// Loads a chunk as a stream does: it is inserted some time after it was read.
static void members_load(SimProcess *process, TrnCoord coord)
{
    const TrnStreamSource source = trn_member_source(process->member);
    const TrnStreamJob job = {.coord = coord};
    bool is_uniform = false;
    if (trn_store_find(process->store, coord)) {
        return;
    }
    sim_log("%" PRIu64 " loads chunk %d", process->life, coord.x);
    TrnResult result = source.load(source.user, &job, process->blocks, &is_uniform);
    if (result == TRN_RESULT_NOT_FOUND) {
        result = sim_generate(NULL, coord, 0, process->blocks, &is_uniform);
    }
    sim_sleep(sim_chance(0.8) ? 0 : sim_chance(0.98) ? sim_between(0, 5e5) : MEMBERS_IDLE_US);
    if (result == TRN_RESULT_OK && !process->is_dead) {
        sim_log("%" PRIu64 " inserts chunk %d", process->life, coord.x);
        (void)trn_store_insert_data(process->store, coord, process->blocks, is_uniform, NULL, 0,
                                    NULL);
    }
}

static TrnVoxel members_voxel(TrnCoord coord, uint32_t number)
{
    const int64_t edge = TRN_CHUNK_EDGE, voxel = sim_voxel(number);
    return (TrnVoxel){coord.x * edge + voxel % edge, coord.y * edge + voxel / edge / edge,
                      coord.z * edge + voxel / edge % edge};
}

/// Edits a chunk, whether or not it is loaded: sets the next mark, and a voxel that others set too.
static void members_edit(SimProcess *process, uint32_t region, uint32_t chunk)
{
    SimLedger *ledger = &sim.ledger[region][chunk];
    const TrnCoord coord = sim_coord(region, chunk);
    const TrnBatchDef def = {.unloaded = TRN_UNLOADED_PENDING};
    TrnBatch *batch;
    if (ledger->next == SIM_MARKS ||
        trn_batch_begin(process->store, &def, &batch) != TRN_RESULT_OK) {
        return;
    }
    const TrnBlock block = (TrnBlock)(sim_chance(0.5) ? TRN_BLOCK_STONE : TRN_BLOCK_DIRT);
    (void)trn_batch_set(batch, members_voxel(coord, ledger->next), TRN_BLOCK_STONE);
    (void)trn_batch_set(batch, members_voxel(coord, SIM_MARKS + sim_below(SIM_CONTESTED)), block);
    (void)trn_batch_commit(batch, NULL);
    sim_log("%" PRIu64 " edits chunk %u of region %u: mark %u", process->life, chunk, region,
            ledger->next);
    ledger->next++;
}

/// Pours water into the channel, dams or digs it.
static void members_pour(const SimProcess *process, uint32_t region, uint32_t chunk)
{
    static const TrnBlock BLOCKS[] = {TRN_BLOCK_WATER, TRN_BLOCK_STONE, TRN_BLOCK_AIR};
    const TrnCoord coord = sim_coord(region, chunk);
    const uint32_t x = sim_below(TRN_CHUNK_EDGE);
    const TrnVoxel voxel = {coord.x * (int64_t)TRN_CHUNK_EDGE + x, SIM_CHANNEL_Y, SIM_CHANNEL_Z};
    const TrnBlock block = BLOCKS[sim_below(3)];
    if (!sim_is_channel(coord, x)) {
        return;
    }
    const TrnResult result = trn_store_set_block(process->store, voxel, block, NULL);
    sim_log("%" PRIu64 " sets %u at x = %d of the channel%s", process->life, block, (int)voxel.x,
            result == TRN_RESULT_OK ? "" : ", which is not loaded");
}

/// Changes the voxels of the channel at both sides of all borders of regions, and back: liquids
/// there may stand still until a neighbour changes, if no owner had them loaded when it should.
static void members_touch(const SimProcess *process)
{
    const int64_t length = (int64_t)TRN_REGION_CHUNKS * TRN_CHUNK_EDGE;
    for (int64_t x = length; x < length * sim.options.regions; x += length) {
        for (int64_t side = -1; side <= 0; side++) {
            const TrnVoxel voxel = {x + side, SIM_CHANNEL_Y, SIM_CHANNEL_Z};
            TrnBlock block;
            if (trn_store_get_block(process->store, voxel, &block) == TRN_RESULT_OK) {
                (void)trn_store_set_block(process->store, voxel, TRN_BLOCK_GLASS, NULL);
                (void)trn_store_set_block(process->store, voxel, block, NULL);
            }
        }
    }
    sim_log("%" PRIu64 " touches the borders", process->life);
}

/// Does one thing.
static void members_play(SimProcess *process)
{
    const uint32_t region = sim_below(sim.options.regions), chunk = sim_below(SIM_CHUNKS);
    const double kind = sim_between(0, 1);
    if (sim.is_quiet && !sim.options.has_liquids) {
        // Only updates follow.
    } else if (sim.is_quiet && sim.now_us >= process->touch_us &&
               sim.now_us < sim.quiet_us + MEMBERS_TOUCH_US) {
        members_touch(process);
        process->touch_us = sim.now_us + sim_between(5e6, 4e7);
    } else if (sim.is_quiet || kind < 0.3) { // liquids wait for one who has them loaded
        members_load(process, sim_coord(region, chunk));
    } else if (kind < 0.5 && sim.options.has_liquids) {
        members_pour(process, region, chunk);
    } else if (kind < 0.85) {
        members_edit(process, region, chunk);
    } else if (kind < 0.95) {
        sim_log("%" PRIu64 " removes chunk %u of region %u", process->life, chunk, region);
        (void)trn_store_remove(process->store, sim_coord(region, chunk));
    }
}

// ---- life --------------------------------------------------------------------------------------

/// What the thread of a server does. @param user  its TrnMember
static void members_step(void *user)
{
    const SimProcess *process = sim.current->process;
    while (!process->is_dead && !process->is_leaving) {
        const double until_us = trn_member_step(user);
        const double wait_us = until_us - sim.now_us;
        sim_wait(wait_us > 0 ? wait_us : 0);
    }
    trn_member_part(user); // of a dead one nothing arrives
}

/// Whether the thread of each server has ended.
static bool members_have_ended(const SimProcess *process)
{
    bool have_ended = true;
    for (uint32_t i = 0; i < SIM_SERVERS_MAX; i++) {
        have_ended = have_ended && (!process->threads[i] || process->threads[i]->is_over);
    }
    return have_ended;
}

static void members_call(const SimProcess *process, double when_us)
{
    for (uint32_t i = 0; i < SIM_SERVERS_MAX; i++) {
        sim_call(process->threads[i], when_us);
    }
}

/// Whether edits wait for a server.
static bool members_wait(const SimProcess *process)
{
    const TrnMember *member = process->member;
    while (member && !member->edits) {
        member = member->next;
    }
    return member != NULL;
}

static bool members_open_save(SimProcess *process)
{
    TrnSaveDef def = trn_save_def();
    def.storage = process->storage;
    def.types = sim_types();
    def.commit_seconds = 1e6; // the desk flushes
    def.has_thread = false;
    return trn_save_create(&def, &process->save, NULL) == TRN_RESULT_OK;
}

static void members_close(SimProcess *process)
{
    process->is_open = false;
    trn_member_destroy(process->member);
    trn_fluid_destroy(process->fluid);
    trn_store_destroy(process->store);
    (void)trn_save_destroy(process->save);
    process->member = NULL;
    process->fluid = NULL;
    process->store = NULL;
    process->save = NULL;
    process->storage.user = NULL;
    memset(process->parts, 0, sizeof process->parts);
}

/// Opens the world. @return false if the server does not answer
static bool members_open(SimProcess *process)
{
    TrnMemberDef def = trn_member_def();
    TrnStoreDef store = trn_store_def();
    process->storage = sim_storage_open(process);
    if (!members_open_save(process)) {
        process->storage.user = NULL;
        memset(process->parts, 0, sizeof process->parts);
        return false;
    }
    store.types = sim_types();
    def.save = process->save;
    def.land = (TrnGenerator){.generate = sim_generate,
                              .level_max = sim.options.has_levels ? SIM_LEVELS : 0};
    def.name = "Ada";
    def.lease_seconds = sim.lease_seconds;
    def.place_seconds = 60;
    def.poll_seconds = sim.is_slow ? 5 : 1;
    def.has_notify = sim.has_notify;
    if (trn_store_create(&store, &process->store) != TRN_RESULT_OK) {
        sim_fail("out of memory");
        return false;
    }
    def.store = process->store;
    process->fluid = sim.options.has_liquids ? sim_make_fluid(process->store) : NULL;
    // Servers other than the first need not answer, so a process that dies in between has a member.
    if (trn_member_create_idle(&def, &process->member, NULL) != TRN_RESULT_OK || process->is_dead) {
        members_close(process);
        return false;
    }
    process->is_open = true;
    process->acknowledged = 0;
    process->rewinds_due = 0;
    uint32_t server = 0;
    for (TrnMember *member = process->member; member; member = member->next) {
        process->threads[server++] = sim_start(members_step, member, process);
    }
    return true;
}

/// Leaves in order: what is not settled after some time is lost, unless it is in the queue.
static void members_leave(SimProcess *process)
{
    for (int i = 0; i < 20 && !process->is_dead && members_wait(process); i++) {
        sim_sleep(1e5);
        (void)trn_member_update(process->member);
    }
    process->is_leaving = true;
    members_call(process, sim.now_us);
    while (!members_have_ended(process) && !process->is_dead) {
        sim_sleep(1e5);
    }
}

/// What the program does.
static void members_run(void *user)
{
    SimProcess *process = user;
    const double pause_us = sim.is_slow ? sim_between(5e5, 5e6) : sim_between(1e4, 3e5);
    bool is_open = members_open(process);
    while (!is_open && !process->is_dead) {
        sim_sleep(MEMBERS_AGAIN_US);
        is_open = !process->is_dead && members_open(process);
    }
    while (is_open && !process->is_dead && !process->is_leaving) {
        sim_sleep(!sim.is_quiet && sim_chance(0.003) ? MEMBERS_IDLE_US
                                                     : sim_between(0, 2 * pause_us));
        members_play(process);
        if (!process->is_dead) {
            if (process->fluid) {
                (void)trn_fluid_step(process->fluid, NULL);
            }
            (void)trn_member_update(process->member);
            members_call(process, sim.now_us + 1);
        }
        if (!sim.is_quiet && !sim.options.is_calm && sim_chance(0.01)) {
            members_leave(process);
        }
    }
    if (!process->is_dead) { // it has left
        members_close(process);
    }
}

void sim_process_start(SimProcess *process)
{
    process->life = ++sim.lives;
    process->is_dead = process->is_leaving = process->is_open = false;
    process->paused_us = 0;
    memset(process->threads, 0, sizeof process->threads);
    process->game = sim_start(members_run, process, process);
    sim_log("%" PRIu64 " begins", process->life);
}

void sim_process_kill(SimProcess *process)
{
    SimTask *tasks[SIM_SERVERS_MAX + 1]; // a game waits for its threads
    memcpy(tasks, process->threads, sizeof process->threads);
    tasks[SIM_SERVERS_MAX] = process->game;
    process->is_dead = true; // questions fail at once, and tasks end without a sleep
    for (uint32_t i = 0; i <= SIM_SERVERS_MAX; i++) {
        if (tasks[i] && !tasks[i]->is_over) {
            sim_resume(tasks[i]);
        }
        if (tasks[i] && !tasks[i]->is_over) {
            sim_fail("a dead process goes on");
        }
    }
    for (uint32_t i = 0; i <= SIM_SERVERS_MAX; i++) {
        if (tasks[i]) {
            sim_end_task(tasks[i]);
        }
    }
    memset(process->threads, 0, sizeof process->threads);
    process->game = NULL;
    if (process->is_open) {
        members_close(process);
    }
}

/// Submits an edit of a chunk outside the region, or bytes that are none.
static void members_submit(TrnPgLink *link, uint32_t region)
{
    TrnEdit edit = {.chunks = {0}};
    TrnBytes bytes = {0};
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    const uint32_t other = (region + 1) % SIM_REGIONS_MAX;
    const TrnEditChunk chunk = {.coord = sim_coord(other, 0), .count = 1};
    const TrnPendingRun run = {0, 0, TRN_BLOCK_DIRT};
    (void)trn_array_push(&edit.chunks, &allocator, chunk);
    (void)trn_array_push(&edit.runs, &allocator, run);
    (void)trn_edit_write(&edit, sim_types(), &allocator, &bytes);
    const size_t size = sim_chance(0.7) ? bytes.count : bytes.count / 2;
    (void)trn_pg_edit_submit(link, true, sim_region_number(region), 1, (int64_t)sim.events,
                             bytes.items, size);
    sim_log("a client submits an edit that region %u must refuse", region);
    trn_array_free(&bytes, &allocator);
    trn_edit_free(&edit, &allocator);
}

void sim_intrude(void *user)
{
    TrnPgLink link;
    char url[16];
    const uint32_t region = sim_below(sim.options.regions);
    (void)user;
    (void)snprintf(url, sizeof url, SIM_NO_PROCESS " %u", sim_server_of(region));
    if (!trn_pg_connect(&link, url)) {
        return;
    }
    if (sim_chance(0.7)) {
        members_submit(&link, region);
    } else { // as a program that generates land
        TrnLease lease = {.region = sim_region_number(region), .token = (int64_t)sim.events};
        (void)trn_pg_lease_take(&link, &lease, "a client", 1000, sim_chance(0.5));
    }
    trn_pg_disconnect(&link);
}

void sim_cut_link(const SimProcess *process)
{
    const uint32_t server = sim.options.servers > 1 ? sim_below(sim.options.servers) : 0;
    const SimStorage *storage = process->is_open ? process->parts[server] : NULL;
    const TrnMember *member = process->member;
    for (uint32_t i = 0; i < server && storage; i++) {
        member = member->next;
    }
    const TrnPgLink *links[] = {storage ? &member->link : NULL, storage ? &storage->writer : NULL,
                                storage ? &storage->readers[0] : NULL};
    const TrnPgLink *link = links[sim_below(3)];
    if (link && link->db) {
        ((SimLink *)(void *)link->db)->is_cut = true;
    }
}
