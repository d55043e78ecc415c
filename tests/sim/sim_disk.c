// What the simulated server has on its disk: see sim.h.

#include "sim.h"

SimBlob *sim_blob(const void *bytes, size_t size)
{
    SimBlob *blob = malloc(sizeof *blob + size);
    *blob = (SimBlob){.references = 1, .size = size};
    if (size) {
        memcpy(blob->bytes, bytes, size);
    }
    return blob;
}

SimBlob *sim_blob_share(SimBlob *blob)
{
    if (blob) {
        blob->references++;
    }
    return blob;
}

void sim_blob_drop(SimBlob *blob)
{
    if (blob && --blob->references == 0) {
        free(blob);
    }
}

static void disk_clear_values(SimValues *values)
{
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    for (uint32_t i = 0; i < values->count; i++) {
        sim_blob_drop(values->items[i].blob);
    }
    trn_array_free(values, &allocator);
    *values = (SimValues){0};
}

static void disk_copy_values(SimValues *to, const SimValues *from)
{
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    disk_clear_values(to);
    for (uint32_t i = 0; i < from->count; i++) {
        (void)sim_blob_share(from->items[i].blob);
        (void)trn_array_push(to, &allocator, from->items[i]);
    }
}

void sim_disk_clear(SimDisk *disk)
{
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    for (uint32_t i = 0; i < SIM_REGIONS_MAX; i++) {
        for (uint32_t k = 0; k < SIM_CHUNKS; k++) {
            sim_blob_drop(disk->regions[i].rows[k].blob);
        }
    }
    for (uint32_t i = 0; i < disk->edits.count; i++) {
        sim_blob_drop(disk->edits.items[i].blob);
    }
    for (uint32_t i = 0; i < SIM_SERVERS_MAX; i++) {
        disk_clear_values(&disk->values[i]);
    }
    for (uint32_t i = 0; i < disk->others.count; i++) {
        sim_blob_drop(disk->others.items[i].blob);
    }
    trn_array_free(&disk->edits, &allocator);
    trn_array_free(&disk->others, &allocator);
    memset(disk, 0, sizeof *disk);
}

/// The server that has a row of a chunk that no member edits.
static uint32_t disk_other_server(const SimOther *other)
{
    const int region =
        sim_region_at(trn_region_number(trn_region_of(other->key.coord, other->key.level)));
    return region < 0 ? 0 : sim_server_of((uint32_t)region);
}

static void disk_copy_others(SimDisk *to, const SimDisk *from, uint32_t server)
{
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    for (uint32_t i = to->others.count; i-- > 0;) {
        if (disk_other_server(&to->others.items[i]) == server) {
            sim_blob_drop(to->others.items[i].blob);
            trn_array_remove_swap(&to->others, i);
        }
    }
    for (uint32_t i = 0; i < from->others.count; i++) {
        if (disk_other_server(&from->others.items[i]) == server) {
            (void)sim_blob_share(from->others.items[i].blob);
            (void)trn_array_push(&to->others, &allocator, from->others.items[i]);
        }
    }
}

void sim_disk_copy(SimDisk *to, const SimDisk *from)
{
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    sim_disk_clear(to);
    *to = *from;
    to->edits = (SimEdits){0};
    memset(to->values, 0, sizeof to->values);
    to->others = (SimOthers){0};
    for (uint32_t i = 0; i < SIM_REGIONS_MAX; i++) {
        for (uint32_t k = 0; k < SIM_CHUNKS; k++) {
            (void)sim_blob_share(to->regions[i].rows[k].blob);
        }
    }
    for (uint32_t i = 0; i < from->edits.count; i++) {
        (void)sim_blob_share(from->edits.items[i].blob);
        (void)trn_array_push(&to->edits, &allocator, from->edits.items[i]);
    }
    for (uint32_t i = 0; i < SIM_SERVERS_MAX; i++) {
        disk_copy_values(&to->values[i], &from->values[i]);
        disk_copy_others(to, from, i);
    }
}

/// The server that has an edit.
static uint32_t disk_edit_server(const SimEdit *edit)
{
    const int region = sim_region_at(edit->region);
    return region < 0 ? 0 : sim_server_of((uint32_t)region);
}

static void disk_copy_edits(SimDisk *to, const SimDisk *from, uint32_t server)
{
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < to->edits.count; i++) {
        if (disk_edit_server(&to->edits.items[i]) == server) {
            sim_blob_drop(to->edits.items[i].blob);
        } else {
            to->edits.items[kept++] = to->edits.items[i];
        }
    }
    to->edits.count = kept;
    for (uint32_t i = 0; i < from->edits.count; i++) { // those of a region stay in their order
        if (disk_edit_server(&from->edits.items[i]) == server) {
            (void)sim_blob_share(from->edits.items[i].blob);
            (void)trn_array_push(&to->edits, &allocator, from->edits.items[i]);
        }
    }
}

void sim_disk_copy_server(SimDisk *to, const SimDisk *from, uint32_t server)
{
    for (uint32_t i = 0; i < SIM_REGIONS_MAX; i++) {
        for (uint32_t k = 0; k < SIM_CHUNKS && sim_server_of(i) == server; k++) {
            (void)sim_blob_share(from->regions[i].rows[k].blob);
            sim_blob_drop(to->regions[i].rows[k].blob);
        }
        if (sim_server_of(i) == server) {
            to->regions[i] = from->regions[i];
        }
    }
    disk_copy_edits(to, from, server);
    disk_copy_others(to, from, server);
    disk_copy_values(&to->values[server], &from->values[server]);
    to->last_ticket = from->last_ticket > to->last_ticket ? from->last_ticket : to->last_ticket;
    to->place[server] = from->place[server];
}

// Regions lie along the x axis, so that their numbers count in the highest bits.

int sim_region_at(int64_t number)
{
    const int64_t at = number >> 42;
    return number == at << 42 && at >= 0 && at < SIM_REGIONS_MAX ? (int)at : -1;
}

int64_t sim_region_number(uint32_t at)
{
    return (int64_t)at << 42;
}

uint32_t sim_server_of(uint32_t region)
{
    const uint32_t count = sim.options.servers;
    return count > 1 ? trn_servers_hash(sim_region_number(region), count) : 0;
}

TrnCoord sim_coord(uint32_t region, uint32_t chunk)
{
    const uint32_t at = chunk == 0 ? 0 : chunk == 1 ? TRN_REGION_CHUNKS - 1 : 1;
    return (TrnCoord){(int32_t)(region * TRN_REGION_CHUNKS + at), 0, 0};
}

bool sim_chunk_at(const TrnStorageKey *key, uint32_t *region, uint32_t *chunk)
{
    const int at = sim_region_at(trn_region_number(trn_region_of(key->coord, key->level)));
    *region = at < 0 ? 0 : (uint32_t)at;
    *chunk = 0;
    while (*chunk < SIM_CHUNKS && key->coord.x != sim_coord(*region, *chunk).x) {
        ++*chunk;
    }
    return at >= 0 && !key->level && !key->coord.y && !key->coord.z && *chunk < SIM_CHUNKS;
}

const SimOther *sim_other_at(const TrnStorageKey *key)
{
    for (uint32_t i = 0; i < sim.server.others.count; i++) {
        const SimOther *other = &sim.server.others.items[i];
        if (other->key.level == key->level && trn_coord_equal(other->key.coord, key->coord)) {
            return other;
        }
    }
    return NULL;
}

uint64_t sim_life(const TrnPgLink *link)
{
    const SimLink *at = (const SimLink *)(const void *)link->db;
    return at->process ? at->process->life : 0;
}

uint32_t sim_link_server(const TrnPgLink *link)
{
    return ((const SimLink *)(const void *)link->db)->server;
}

// ---- SIM_FLAW_OUTSIDE --------------------------------------------------------------------------

// An owner that reads an edit of the queue takes all chunks for those of its region, until it asks
// the server again.

// NOLINTBEGIN(bugprone-reserved-identifier)
int64_t __wrap_trn_storage_region(const TrnStorageKey *key);
TrnResult __real_trn_edit_read(const void *bytes, size_t size, const TrnBlockTypes *types,
                               const TrnAllocator *allocator, TrnEdit *edit);
TrnResult __wrap_trn_edit_read(const void *bytes, size_t size, const TrnBlockTypes *types,
                               const TrnAllocator *allocator, TrnEdit *edit);
// NOLINTEND(bugprone-reserved-identifier)

TrnResult __wrap_trn_edit_read(const void *bytes, size_t size, const TrnBlockTypes *types,
                               const TrnAllocator *allocator, TrnEdit *edit)
{
    const SimEdits *edits = &sim.server.edits;
    for (uint32_t i = 0; sim.options.flaw == SIM_FLAW_OUTSIDE && i < edits->count; i++) {
        const SimEdit *of = &edits->items[i];
        if (of->change == 0 && of->blob->size == size &&
            memcmp(of->blob->bytes, bytes, size) == 0) {
            sim.lied_region = of->region;
            sim.lied_to = sim.current;
        }
    }
    return __real_trn_edit_read(bytes, size, types, allocator, edit);
}

int64_t __wrap_trn_storage_region(const TrnStorageKey *key)
{
    return sim.lied_to && sim.lied_to == sim.current
               ? sim.lied_region
               : trn_region_number(trn_region_of(key->coord, key->level));
}
