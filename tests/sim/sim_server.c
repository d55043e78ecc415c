// The questions of members and leases to the simulated server, each of which takes effect in one
// step. See sim.h.

#include "sim.h"

#include <inttypes.h>

#define LOOK_STATEMENTS 4u // of a look, each with rows
#define LOOK_ROWS_MAX 64u  // of chunks

/// Finds a region that a link asks about. Its server must have it.
static SimRegion *server_region(const TrnPgLink *link, int64_t number)
{
    const int at = sim_region_at(number);
    if (at >= 0 && link->db && sim_server_of((uint32_t)at) != sim_link_server(link)) {
        sim_fail("region %d is asked of server %u", at, sim_link_server(link));
    }
    return at < 0 ? NULL : &sim.server.regions[at];
}

static void server_advance(const TrnPgLink *link)
{
    sim.server.place[sim_link_server(link)]++;
}

// ---- rows of an answer -------------------------------------------------------------------------

/// The rows of an answer, which the client visits once it has all of them.
typedef struct ServerRows {
    TrnPgField (*items)[TRN_PG_PARAMS_MAX]; ///< [count]
    SimBlob **blobs;                        ///< [count] of the bytes, if they have any
    uint32_t count, capacity;
} ServerRows;

static TrnPgField *rows_add(ServerRows *rows, SimBlob *blob)
{
    if (rows->count == rows->capacity) {
        rows->capacity = 2 * rows->capacity + 8;
        rows->items = realloc(rows->items, rows->capacity * sizeof *rows->items);
        rows->blobs = realloc(rows->blobs, rows->capacity * sizeof(SimBlob *));
    }
    rows->blobs[rows->count] = blob;
    TrnPgField *row = rows->items[rows->count++];
    memset(row, 0, sizeof *rows->items);
    return row;
}

/// Visits the rows, if they have arrived, and frees them.
static void rows_end(ServerRows *rows, bool has_arrived, TrnPgVisitor *visit, void *user)
{
    bool goes_on = has_arrived;
    for (uint32_t i = 0; i < rows->count; i++) {
        goes_on = goes_on && visit(user, rows->items[i]);
        sim_blob_drop(rows->blobs[i]);
    }
    free(rows->items);
    free(rows->blobs);
}

/// Has the answer travel, and visits its rows.
static bool rows_give(ServerRows *rows, TrnPgLink *link, TrnPgVisitor *visit, void *user)
{
    const bool is_good = sim_answer(link);
    rows_end(rows, is_good, visit, user);
    return is_good;
}

// ---- leases ------------------------------------------------------------------------------------

static double server_clock_us(const TrnPgLink *link)
{
    return sim.now_us + sim.servers[sim_link_server(link)].clock_us;
}

static bool server_holds(const TrnPgLink *link, const SimRegion *region)
{
    const double now_us = server_clock_us(link);
    const double ms = region->ms < 3600000 ? region->ms : 3600000;
    return region->has_lease && region->expires_us >= now_us &&
           region->expires_us <= now_us + 2 * ms * 1e3;
}

/// Whether a lease of a program is that of the server. With a flaw its term alone counts.
static bool server_has_lease(const SimRegion *region, int64_t term, int64_t token)
{
    return region && region->has_lease && region->term == term &&
           (region->token == token || sim.options.flaw == SIM_FLAW_NO_TOKEN);
}

bool trn_pg_lease_lock(TrnPgLink *link, const TrnLeaseColumns *leases)
{
    for (size_t i = 0; i < leases->count; i++) { // in a put, which is one step
        if (!server_has_lease(server_region(link, leases->regions[i]), leases->terms[i],
                              leases->tokens[i])) {
            return trn_pg_refuse(link, TRN_RESULT_STALE_ID, TRN_PG_LEASE_LOST);
        }
    }
    return true;
}

bool trn_pg_lease_take(TrnPgLink *link, TrnLease *lease, const char *owner, uint64_t ms,
                       bool by_force)
{
    SimRegion *region = server_region(link, lease->region);
    (void)owner;
    lease->term = 0;
    if (!sim_reach(link)) {
        return false;
    }
    const bool is_free =
        region && (by_force || !server_holds(link, region) || region->token == lease->token);
    if (is_free) {
        region->term = region->has_lease ? region->term + 1 : 1;
        region->has_lease = true;
        region->token = lease->token;
        region->ms = (double)ms;
        region->expires_us = server_clock_us(link) + region->ms * 1e3;
        region->taker = sim_life(link);
        server_advance(link);
        sim_log("%" PRIu64 " takes region %d, term %" PRId64, region->taker,
                sim_region_at(lease->region), region->term);
    }
    const int64_t term = is_free ? region->term : 0;
    if (!sim_answer(link)) {
        return false;
    }
    lease->term = term;
    return true;
}

bool trn_pg_lease_renew(TrnPgLink *link, const TrnLeaseColumns *leases, uint64_t ms,
                        TrnPgVisitor *visit, void *user)
{
    ServerRows rows = {0};
    if (!sim_reach(link)) {
        return false;
    }
    for (size_t i = 0; i < leases->count; i++) {
        SimRegion *region = server_region(link, leases->regions[i]);
        if (server_has_lease(region, leases->terms[i], leases->tokens[i])) {
            if (region->taker != sim_life(link)) {
                sim_fail("a lease is renewed by another than its owner");
            }
            region->expires_us = server_clock_us(link) + (double)ms * 1e3;
            server_advance(link);
            rows_add(&rows, NULL)[0].number = leases->regions[i];
        }
    }
    return rows_give(&rows, link, visit, user);
}

bool trn_pg_lease_give(TrnPgLink *link, const TrnLease *lease)
{
    SimRegion *region = server_region(link, lease->region);
    if (!sim_reach(link)) {
        return false;
    }
    if (server_has_lease(region, lease->term, lease->token) ||
        (region && sim.options.flaw == SIM_FLAW_NO_GIVE)) {
        if (region->taker != sim_life(link)) {
            sim_fail("a lease is given back by another than its owner");
        }
        region->expires_us = 0;
        server_advance(link);
        sim_log("%" PRIu64 " gives region %d back", region->taker, sim_region_at(lease->region));
    }
    return sim_answer(link);
}

// ---- edits -------------------------------------------------------------------------------------

/// Tells those who listen to a region. Messages get lost.
static void server_tell(uint32_t server, int64_t number, int64_t teller)
{
    const int at = sim_region_at(number);
    for (SimLink *link = sim.links; link && at >= 0; link = link->next) {
        const bool is_lost = !sim.options.is_calm && sim_chance(0.1);
        if (link->server == server && link->start == sim.servers[server].start &&
            link->listened >> at & 1 && !is_lost) {
            const bool is_first = !(link->told >> at & 1) || link->tellers[at] == teller;
            link->tellers[at] = is_first ? teller : 0;
            link->told |= UINT64_C(1) << at;
            sim_call(link->process ? link->process->threads[server] : NULL,
                     sim.now_us + sim_latency_us());
        }
    }
}

bool trn_pg_edit_submit(TrnPgLink *link, bool tells, int64_t region, int64_t member, int64_t number,
                        const void *bytes, size_t size)
{
    SimDisk *disk = &sim.server;
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    if (!sim_reach(link)) {
        return false;
    }
    bool is_new = true;
    for (uint32_t i = 0; i < disk->edits.count; i++) {
        const SimEdit *edit = &disk->edits.items[i];
        is_new =
            is_new && !(edit->region == region && edit->member == member && edit->number == number);
    }
    if (is_new) {
        (void)trn_array_push(&disk->edits, &allocator,
                             (SimEdit){.region = region,
                                       .ticket = ++disk->last_ticket,
                                       .member = member,
                                       .number = number,
                                       .blob = sim_blob(bytes, size)});
        server_advance(link);
    }
    if (tells) {
        server_tell(sim_link_server(link), region, member);
    }
    return sim_answer(link);
}

static bool server_has(const int64_t *regions, size_t count, int64_t region)
{
    for (size_t i = 0; i < count; i++) {
        if (regions[i] == region) {
            return true;
        }
    }
    return false;
}

bool trn_pg_edit_answer(TrnPgLink *link, int64_t region, const int64_t *tickets, size_t count,
                        int64_t change)
{
    if (!sim_reach(link)) {
        return false;
    }
    for (uint32_t i = 0; i < sim.server.edits.count; i++) {
        SimEdit *edit = &sim.server.edits.items[i];
        if (edit->region == region && edit->change == 0 &&
            server_has(tickets, count, edit->ticket)) {
            edit->change = change;
            edit->expires_us = server_clock_us(link) + 60e6;
            server_advance(link);
        }
    }
    return sim_answer(link);
}

bool trn_pg_edit_answer_put(TrnPgLink *link, int64_t region, const int64_t *tickets, size_t count)
{
    const SimRegion *of = server_region(link, region);
    return !of || trn_pg_edit_answer(link, region, tickets, count, of->change);
}

/// Removes the edit of a place; the others keep their order.
static void server_remove_edit(const TrnPgLink *link, uint32_t i)
{
    SimEdits *edits = &sim.server.edits;
    sim_blob_drop(edits->items[i].blob);
    edits->count--;
    memmove(edits->items + i, edits->items + i + 1, (edits->count - i) * sizeof *edits->items);
    server_advance(link);
}

bool trn_pg_edit_drop(TrnPgLink *link, const int64_t *regions, const int64_t *numbers, size_t count,
                      int64_t member)
{
    if (!sim_reach(link)) {
        return false;
    }
    for (uint32_t i = sim.server.edits.count; i-- > 0;) {
        const SimEdit *edit = &sim.server.edits.items[i];
        bool is_named = false;
        for (size_t k = 0; k < count; k++) {
            is_named |= edit->region == regions[k] && edit->number == numbers[k];
        }
        if (is_named && edit->member == member && edit->change) {
            server_remove_edit(link, i);
        }
    }
    return sim_answer(link);
}

bool trn_pg_edit_drop_old(TrnPgLink *link, int64_t region)
{
    if (!sim_reach(link)) {
        return false;
    }
    for (uint32_t i = sim.server.edits.count; i-- > 0;) {
        const SimEdit *edit = &sim.server.edits.items[i];
        if (edit->region == region && edit->change && edit->expires_us < server_clock_us(link)) {
            server_remove_edit(link, i);
        }
    }
    return sim_answer(link);
}

// ---- notes -------------------------------------------------------------------------------------

/// Finds a note among the edits. @return their count: there is none
static uint32_t server_find_note(int64_t region, TrnPgNote note)
{
    const SimEdits *edits = &sim.server.edits;
    uint32_t i = 0;
    while (i < edits->count && !(edits->items[i].region == region && edits->items[i].member == 0 &&
                                 edits->items[i].number == (int64_t)note)) {
        i++;
    }
    return i;
}

bool trn_pg_note_put(TrnPgLink *link, int64_t region, TrnPgNote note, const void *bytes,
                     size_t size)
{
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    SimEdits *edits = &sim.server.edits;
    if (!sim_reach(link)) {
        return false;
    }
    const uint32_t at = server_find_note(region, note);
    if (at < edits->count) {
        server_remove_edit(link, at);
    }
    if (size) {
        (void)trn_array_push(edits, &allocator,
                             (SimEdit){.region = region,
                                       .ticket = ++sim.server.last_ticket,
                                       .number = (int64_t)note,
                                       .change = 1,
                                       .expires_us = SIM_NEVER,
                                       .blob = sim_blob(bytes, size)});
        server_advance(link);
    }
    return sim_answer(link);
}

bool trn_pg_note_get(TrnPgLink *link, int64_t region, TrnPgNote note, TrnPgVisitor *visit,
                     void *user)
{
    ServerRows rows = {0};
    if (!sim_reach(link)) {
        return false;
    }
    const uint32_t at = server_find_note(region, note);
    if (at < sim.server.edits.count) {
        SimBlob *blob = sim_blob_share(sim.server.edits.items[at].blob);
        TrnPgField *row = rows_add(&rows, blob);
        row[0].bytes = blob->bytes;
        row[0].size = blob->size;
    }
    return rows_give(&rows, link, visit, user);
}

bool trn_pg_lease_orphan(TrnPgLink *link, int64_t *region, bool *has_one)
{
    bool is_one = false;
    if (!sim_reach(link)) {
        return false;
    }
    const uint32_t server = sim_link_server(link);
    for (uint32_t i = 0; i < sim.options.regions && !is_one; i++) {
        const int64_t number = sim_region_number(i);
        is_one = sim_server_of(i) == server &&
                 server_find_note(number, TRN_PG_NOTE_LEVELS) < sim.server.edits.count &&
                 !server_holds(link, &sim.server.regions[i]);
        *region = number;
    }
    *has_one = is_one;
    return sim_answer(link);
}

bool trn_pg_lease_free(TrnPgLink *link, const int64_t *regions, size_t count, TrnPgVisitor *visit,
                       void *user)
{
    ServerRows rows = {0};
    if (!sim_reach(link)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const SimRegion *region = server_region(link, regions[i]);
        if (region && !server_holds(link, region)) {
            TrnPgField *row = rows_add(&rows, NULL);
            row[0].number = regions[i];
            row[1].number = server_find_note(regions[i], TRN_PG_NOTE_DUE) < sim.server.edits.count;
        }
    }
    return rows_give(&rows, link, visit, user);
}

// ---- changes -----------------------------------------------------------------------------------

bool trn_pg_change(TrnPgLink *link, int64_t region, int64_t *change)
{
    *change = 0;
    if (!sim_reach(link)) {
        return false;
    }
    const SimRegion *at = server_region(link, region);
    const int64_t now = at ? at->change : 0;
    if (!sim_answer(link)) {
        return false;
    }
    *change = now;
    return true;
}

/// The chunks of a change as the table has them.
static SimBlob *server_list(uint32_t region, uint32_t chunks)
{
    unsigned char bytes[(SIM_CHUNKS + 1) * TRN_PG_CHANGE_CHUNK_BYTES];
    size_t size = 0;
    for (uint32_t i = 0; i <= SIM_CHUNKS; i++) {
        const TrnCoord coord = sim_coord(region, i);
        const uint32_t numbers[3] = {(uint32_t)coord.x, (uint32_t)coord.y, (uint32_t)coord.z};
        for (size_t byte = 0; byte < TRN_PG_CHANGE_CHUNK_BYTES && chunks >> i & 1; byte++) {
            bytes[size++] = (unsigned char)(numbers[byte / 4] >> (24 - byte % 4 * 8));
        }
    }
    return sim_blob(bytes, size);
}

static TrnPgEpoch server_epoch(const TrnPgLink *link)
{
    const bool lies = sim.options.flaw == SIM_FLAW_NO_EPOCH;
    const uint32_t server = sim_link_server(link);
    return (TrnPgEpoch){1 + (int64_t)server, lies ? 1 : sim.servers[server].timeline,
                        lies ? 1 : sim.server.place[server]};
}

/// Adds a row of the feed. @param change  NULL: there is none
static void server_add_news(ServerRows *rows, int64_t number, const SimRegion *region,
                            const SimChange *change)
{
    const int at = sim_region_at(number);
    uint32_t chunks = change ? change->chunks : 0;
    if (chunks && sim.options.flaw == SIM_FLAW_SKIPS && sim_chance(0.05)) {
        chunks = 1u << SIM_CHUNKS; // another chunk, as if the change was not committed yet
    }
    SimBlob *list = chunks ? server_list((uint32_t)at, chunks) : NULL;
    TrnPgField *row = rows_add(rows, list);
    row[0].number = number;
    row[1].number = region->change;
    row[2].number = change ? change->number : 0;
    row[3].bytes = list ? list->bytes : NULL;
    row[3].size = list ? list->size : 0;
}

bool trn_pg_epoch(TrnPgLink *link, TrnPgEpoch *epoch)
{
    *epoch = (TrnPgEpoch){0};
    if (!sim_reach(link)) {
        return false;
    }
    const TrnPgEpoch now = server_epoch(link);
    if (!sim_answer(link)) {
        return false;
    }
    *epoch = now;
    return true;
}

bool trn_pg_place(TrnPgLink *link, TrnPgEpoch *epoch)
{
    TrnPgEpoch now;
    const bool is_good = trn_pg_epoch(link, &now);
    if (is_good) {
        epoch->timeline = now.timeline;
        epoch->place = now.place;
    }
    return is_good;
}

// ---- looks -------------------------------------------------------------------------------------

static void look_edits(const TrnPgLook *look, ServerRows *rows)
{
    for (size_t r = 0; r < look->owned_count; r++) {
        for (uint32_t i = 0; i < sim.server.edits.count; i++) {
            const SimEdit *edit = &sim.server.edits.items[i];
            if (edit->region == look->owned[r] && edit->change == 0) {
                TrnPgField *row = rows_add(rows, sim_blob_share(edit->blob));
                row[0].number = edit->region;
                row[1].number = edit->ticket;
                row[2].bytes = edit->blob->bytes;
                row[2].size = edit->blob->size;
            }
        }
    }
}

static void look_answers(const TrnPgLook *look, ServerRows *rows)
{
    for (uint32_t i = 0; i < sim.server.edits.count && look->is_waiting; i++) {
        const SimEdit *edit = &sim.server.edits.items[i];
        if (edit->member == look->member && server_has(look->regions, look->count, edit->region)) {
            TrnPgField *row = rows_add(rows, NULL);
            row[0].number = edit->region;
            row[1].number = edit->number;
            row[2].number = edit->change;
        }
    }
}

/// Returns a change that the server has of a region. NULL: it is gone, or was not made yet
static const SimChange *look_change(const SimRegion *region, int64_t number)
{
    const SimChange *change = number > 0 ? &region->changes[number % SIM_CHANGES_KEPT] : NULL;
    return change && change->number == number ? change : NULL;
}

static void look_news(const TrnPgLook *look, ServerRows *rows)
{
    const SimRegion none = {.change = 0};
    for (size_t i = 0; i < look->count && look->news; i++) {
        const int at = sim_region_at(look->regions[i]);
        const SimRegion *region = at < 0 ? &none : &sim.server.regions[at];
        bool has_any = false;
        if (region->change == look->since[i]) {
            continue;
        }
        for (int64_t number = region->change - SIM_CHANGES_KEPT + 1; number <= region->change;
             number++) {
            const SimChange *change = look_change(region, number);
            if (change && number > look->since[i]) {
                server_add_news(rows, look->regions[i], region, change);
                has_any = true;
            }
        }
        if (!has_any) {
            server_add_news(rows, look->regions[i], region, NULL);
        }
    }
}

/// Adds the rows of the chunks of a change.
static void look_add_chunks(ServerRows *rows, uint32_t region, const SimChange *change)
{
    for (uint32_t k = 0; k < SIM_CHUNKS; k++) {
        const SimRow *of = &sim.server.regions[region].rows[k];
        const TrnCoord coord = sim_coord(region, k);
        if (change->chunks >> k & 1 && of->blob && rows->count < LOOK_ROWS_MAX) {
            TrnPgField *row = rows_add(rows, sim_blob_share(of->blob));
            row[1].number = coord.x;
            row[2].number = coord.y;
            row[3].number = coord.z;
            row[4].number = (int64_t)of->revision;
            row[5].bytes = of->blob->bytes;
            row[5].size = of->blob->size;
        }
    }
}

static void look_rows(const TrnPgLook *look, ServerRows *rows)
{
    for (size_t i = 0; i < look->count && look->news; i++) {
        const int at = sim_region_at(look->regions[i]);
        const SimRegion *region = at < 0 ? NULL : &sim.server.regions[at];
        for (int64_t k = 0; k < SIM_CHANGES_KEPT && region; k++) {
            const SimChange *change = look_change(region, region->change - k);
            if (change && change->number > look->since[i]) {
                look_add_chunks(rows, (uint32_t)at, change);
            }
        }
    }
}

bool trn_pg_look(TrnPgLink *link, TrnPgLook *look)
{
    void (*const list[LOOK_STATEMENTS])(const TrnPgLook *, ServerRows *) = {
        look_edits, look_answers, look_news, look_rows};
    TrnPgVisitor *const visit[LOOK_STATEMENTS] = {look->edit, look->answer, look->news, look->row};
    ServerRows rows[LOOK_STATEMENTS] = {{0}};
    bool is_good = sim_reach(link);
    for (size_t i = 0; i < look->count && is_good; i++) {
        (void)server_region(link, look->regions[i]); // of this server
    }
    for (uint32_t i = 0; i < LOOK_STATEMENTS && is_good; i++) {
        list[i](look, &rows[i]);
        is_good = sim_pause(link); // each statement sees what is committed when it begins
    }
    const TrnPgEpoch now = is_good ? server_epoch(link) : (TrnPgEpoch){0};
    is_good = is_good && sim_answer(link);
    // Of an answer that breaks off, the first rows have arrived.
    const uint32_t arrived = is_good ? LOOK_STATEMENTS : sim_below(LOOK_STATEMENTS);
    for (uint32_t i = 0; i < LOOK_STATEMENTS; i++) {
        rows_end(&rows[i], i < arrived, visit[i], look->user);
    }
    if (is_good && look->has_epoch) {
        look->epoch.timeline = now.timeline;
        look->epoch.place = now.place;
    }
    return is_good;
}

bool trn_pg_world(TrnPgLink *link, uint64_t *world)
{
    *world = 1;
    return sim_reach(link) && sim_answer(link);
}

// ---- hints -------------------------------------------------------------------------------------

bool trn_pg_listen(TrnPgLink *link, int64_t region, bool is_on)
{
    const int at = sim_region_at(region);
    if (!sim_reach(link)) {
        return false;
    }
    SimLink *of = (SimLink *)(void *)link->db;
    if (at >= 0 && is_on) {
        of->listened |= UINT64_C(1) << at;
    } else if (at >= 0) {
        of->listened &= ~(UINT64_C(1) << at);
    }
    return sim_answer(link);
}

bool trn_pg_next_hint(TrnPgLink *link, int64_t own, int64_t *region)
{
    SimLink *of = (SimLink *)(void *)link->db;
    *region = 0;
    for (uint32_t i = 0; of && of->told && i < SIM_REGIONS_MAX; i++) {
        const bool is_told = of->told >> i & 1;
        of->told &= ~(UINT64_C(1) << i);
        if (is_told && of->tellers[i] != own) {
            *region = sim_region_number(i);
            return true;
        }
    }
    return false;
}

bool trn_pg_tell(TrnPgLink *link, const int64_t *regions, size_t count, int64_t teller)
{
    if (!count) {
        return true;
    }
    if (!link->db || !sim_reach(link)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        server_tell(sim_link_server(link), regions[i], teller);
    }
    return sim_answer(link);
}

// ---- players: nothing depends on them ----------------------------------------------------------

bool trn_pg_player_put(TrnPgLink *link, int64_t member, const TrnMemberPlayer *player, uint64_t ms)
{
    (void)member, (void)player, (void)ms;
    return sim_reach(link) && sim_answer(link);
}

bool trn_pg_players(TrnPgLink *link, int64_t member, TrnPgVisitor *visit, void *user)
{
    (void)member, (void)visit, (void)user;
    return sim_reach(link) && sim_answer(link);
}

bool trn_pg_player_drop(TrnPgLink *link, int64_t member)
{
    (void)member;
    return sim_reach(link) && sim_answer(link);
}
