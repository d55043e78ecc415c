// Puts into the simulated server, and what becomes of it when it fails: see sim.h.

#include "sim.h"

#include <inttypes.h>

#define PUT_ROWS_MAX 64u

// ---- puts --------------------------------------------------------------------------------------

/// Whether there is a value of a name. @param at  receives where it is, or belongs
static bool put_find_value(const SimValues *values, const char *name, uint32_t *at)
{
    for (*at = 0; *at < values->count && strcmp(values->items[*at].name, name) < 0;) {
        ++*at;
    }
    return *at < values->count && strcmp(values->items[*at].name, name) == 0;
}

static void put_value(SimValues *values, const TrnStorageValue *value)
{
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    uint32_t at;
    const bool is_there = put_find_value(values, value->name, &at);
    if (is_there) {
        sim_blob_drop(values->items[at].blob);
    } else if (value->bytes) {
        SimValue made = {.blob = NULL};
        (void)snprintf(made.name, sizeof made.name, "%s", value->name);
        (void)trn_array_push(values, &allocator, made);
        memmove(values->items + at + 1, values->items + at,
                (values->count - 1 - at) * sizeof *values->items);
        values->items[at] = made;
    }
    if (value->bytes) {
        values->items[at].blob = sim_blob(value->bytes, value->size);
    } else if (is_there) {
        values->count--;
        memmove(values->items + at, values->items + at + 1,
                (values->count - at) * sizeof *values->items);
    }
}

/// Lists the regions of a batch, in order. @param regions  [PUT_ROWS_MAX]
static size_t put_regions(const TrnStorageBatch *batch, int64_t *regions)
{
    size_t count = 0;
    for (size_t i = 0; i < batch->row_count; i++) {
        const int64_t region =
            trn_region_number(trn_region_of(batch->rows[i].key.coord, batch->rows[i].key.level));
        size_t at = 0;
        while (at < count && regions[at] < region) {
            at++;
        }
        if ((at == count || regions[at] != region) && count < PUT_ROWS_MAX) {
            memmove(regions + at + 1, regions + at, (count - at) * sizeof *regions);
            regions[at] = region;
            count++;
        }
    }
    return count;
}

/// Writes a row of which members know nothing.
static void put_other(const TrnStorageRow *row)
{
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    SimOthers *others = &sim.server.others;
    const SimOther *before = sim_other_at(&row->key);
    if (before) {
        sim_blob_drop(before->blob);
        trn_array_remove_swap(others, (uint32_t)(before - others->items));
    }
    if (row->bytes) {
        (void)trn_array_push(others, &allocator,
                             (SimOther){row->key, row->revision, sim_blob(row->bytes, row->size)});
    }
    if (!sim.takes_any && !(sim.options.has_levels && row->key.level > 0)) {
        sim_fail("a chunk is put that no member has edited");
    }
}

/// Writes a row. @return the bit of its chunk; 0: it has none
static uint32_t put_row(const TrnStorageRow *row)
{
    uint32_t region, chunk;
    if (!sim_chunk_at(&row->key, &region, &chunk)) {
        put_other(row);
        return 0;
    }
    SimRow *of = &sim.server.regions[region].rows[chunk];
    sim_blob_drop(of->blob);
    *of = (SimRow){.revision = row->revision};
    if (row->bytes) {
        of->blob = sim_blob(row->bytes, row->size);
        of->content = sim_read_row(row->key.coord, of->blob, row->revision);
    }
    return 1u << chunk;
}

/// Writes the rows of one region, as its next change.
static void put_rows(const TrnPgLink *link, TrnLeases *leases, int64_t number, bool has_leases,
                     const TrnStorageBatch *batch)
{
    const int at = sim_region_at(number);
    SimRegion *region = at < 0 ? NULL : &sim.server.regions[at];
    uint32_t chunks = 0;
    if (at >= 0 && sim_server_of((uint32_t)at) != sim_link_server(link)) {
        sim_fail("rows of region %d are put on server %u", at, sim_link_server(link));
    }
    if (has_leases && (!region || region->taker != sim_life(link))) {
        sim_fail("region %d has two writers", at);
    }
    for (size_t i = 0; i < batch->row_count; i++) {
        const TrnStorageRow *row = &batch->rows[i];
        if (trn_region_number(trn_region_of(row->key.coord, row->key.level)) == number) {
            chunks |= put_row(row);
        }
    }
    if (region && chunks) {
        region->change++;
        chunks = !sim.options.is_calm && sim_chance(0.02) ? 0 : chunks; // as a large one
        region->changes[region->change % SIM_CHANGES_KEPT] = (SimChange){region->change, chunks};
        trn_leases_note_change(leases, number, region->change);
        sim_log("%" PRIu64 " puts chunks %x of region %d, change %" PRId64, sim_life(link), chunks,
                at, region->change);
    }
}

/// Does what a member does in the transaction of its put, if the batch has all of its rows.
static void put_ride(TrnPgLink *link, TrnPgRider *rider, const TrnStorageBatch *batch)
{
    TrnPgPipe pipe;
    size_t rows = 0;
    for (size_t i = 0; rider && i < batch->row_count; i++) {
        const TrnStorageKey *key = &batch->rows[i].key;
        rows += key->level == 0 &&
                trn_region_number(trn_region_of(key->coord, key->level)) == rider->region;
    }
    if (rider && rows >= rider->rows) {
        link->pipe = &pipe; // nothing travels
        rider->is_done = rider->add(link, rider->context);
        link->pipe = NULL;
    }
}

bool sim_put(TrnPgLink *link, TrnLeases *leases, const TrnStorageBatch *batch)
{
    int64_t regions[PUT_ROWS_MAX];
    const size_t count = put_regions(batch, regions);
    const size_t old = batch->value_count - batch->new_value_count;
    const bool has_leases = count && trn_leases_are_on(leases);
    const uint32_t server = sim_link_server(link);
    uint32_t at;
    if (has_leases && !trn_leases_check(leases, link, regions, count)) {
        return false;
    }
    for (size_t i = old; i < batch->value_count; i++) {
        if (put_find_value(&sim.server.values[server], batch->values[i].name, &at)) {
            return trn_pg_refuse(link, TRN_RESULT_EXISTS, "a value that was to be new is there");
        }
    }
    for (size_t i = 0; i < count; i++) {
        put_rows(link, leases, regions[i], has_leases, batch);
    }
    for (size_t i = 0; i < batch->value_count; i++) {
        put_value(&sim.server.values[server], &batch->values[i]);
    }
    if (has_leases) {
        put_ride(link, trn_leases_rider(leases), batch);
    }
    sim.server.place[server]++;
    return true;
}

// ---- failures ----------------------------------------------------------------------------------

void sim_restart(uint32_t server, double down_us)
{
    sim.servers[server].start++;
    sim.servers[server].down_us = sim.now_us + down_us;
}

void sim_replicate(uint32_t server)
{
    sim_disk_copy_server(&sim.standby, &sim.server, server);
}

/// Notes which marks are lost with a server.
static void put_excuse(uint32_t server)
{
    for (uint32_t i = 0; i < sim.options.regions; i++) {
        for (uint32_t k = 0; k < SIM_CHUNKS && sim_server_of(i) == server; k++) {
            const uint64_t *had = sim.server.regions[i].rows[k].content.marks;
            const uint64_t *has = sim.standby.regions[i].rows[k].content.marks;
            for (uint32_t word = 0; word < SIM_MARKS / 64; word++) {
                sim.ledger[i][k].excused[word] |= had[word] & ~has[word];
            }
        }
    }
}

/// The member of a server.
static const TrnMember *put_member(const SimProcess *process, uint32_t server)
{
    const TrnMember *member = process->member;
    for (uint32_t i = 0; i < server; i++) {
        member = member->next;
    }
    return member;
}

void sim_fail_over(uint32_t server, bool is_behind)
{
    if (!is_behind) {
        sim_replicate(server);
    }
    put_excuse(server);
    sim_disk_copy_server(&sim.server, &sim.standby, server);
    sim.servers[server].timeline++;
    sim_restart(server, sim_between(0, 2e6));
    for (uint32_t i = 0; i < sim.options.members; i++) {
        SimProcess *process = &sim.processes[i];
        if (process->is_open && put_member(process, server)->has_epoch) {
            process->rewinds_due = trn_member_stats(process->member).rewinds + 1;
        }
    }
}
