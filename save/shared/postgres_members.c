// Questions of members in PostgreSQL: see postgres_members.h.

#include "postgres_members.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postgres_put.h"

_Static_assert(TRN_PG_EDIT_BYTES_MAX == 67108864, "MEMBER_EDITS says it");

#define MEMBER_SUBMIT_TEXT                                                                         \
    "INSERT INTO terrane_edits (region, member, number, bytes) VALUES ($1, $2, $3, $4) "           \
    "ON CONFLICT (region, member, number) DO NOTHING"
static const TrnPgStatement MEMBER_SUBMIT[] = {
    {"terrane_edit_submit",
     MEMBER_SUBMIT_TEXT,
     40,
     4,
     {TRN_PG_INT8, TRN_PG_INT8, TRN_PG_INT8, TRN_PG_BYTEA}},
    {"terrane_edit_submit_tell",
     "WITH k AS (" MEMBER_SUBMIT_TEXT ") SELECT pg_notify('" TRN_PG_CHANNEL "' || $1, $2::text)",
     54,
     4,
     {TRN_PG_INT8, TRN_PG_INT8, TRN_PG_INT8, TRN_PG_BYTEA}}};
static const TrnPgStatement MEMBER_EDITS = {
    "terrane_edit_list",
    // Reads the oldest edits, up to about the size of the largest edit, since any client can queue
    // more than fits into memory. An edit over that size is read as no bytes, which is no edit.
    "SELECT region, ticket, CASE WHEN size <= 67108864 THEN bytes ELSE ''::bytea END "
    "FROM (SELECT region, ticket, bytes, octet_length(bytes) AS size, "
    "sum(CASE WHEN octet_length(bytes) <= 67108864 THEN octet_length(bytes) ELSE 0 END) "
    "OVER (ORDER BY region, ticket) AS total FROM terrane_edits "
    "WHERE region = ANY ($1) AND change = 0) AS k WHERE total - size <= 67108864 "
    "ORDER BY region, ticket LIMIT 65536",
    41,
    1,
    {TRN_PG_INT8S}};
static const TrnPgStatement MEMBER_NOTE_PUT = {
    "terrane_note_put",
    "INSERT INTO terrane_edits (region, member, number, bytes, change, expires) "
    "VALUES ($1, 0, $2, $3, 1, 'infinity') "
    "ON CONFLICT (region, member, number) DO UPDATE SET bytes = excluded.bytes",
    62,
    3,
    {TRN_PG_INT8, TRN_PG_INT8, TRN_PG_BYTEA}};
static const TrnPgStatement MEMBER_NOTE_DROP = {
    "terrane_note_drop",
    "DELETE FROM terrane_edits WHERE region = $1 AND member = 0 AND number = $2",
    63,
    2,
    {TRN_PG_INT8, TRN_PG_INT8}};
static const TrnPgStatement MEMBER_NOTE_GET = {
    "terrane_note_get",
    "SELECT bytes FROM terrane_edits WHERE region = $1 AND member = 0 AND number = $2 "
    "AND octet_length(bytes) <= 67108864",
    39,
    2,
    {TRN_PG_INT8, TRN_PG_INT8}};
#define MEMBER_ANSWER_TEXT                                                                         \
    "UPDATE terrane_edits SET change = $3, expires = clock_timestamp() + interval '1 minute' "     \
    "WHERE region = $1 AND ticket = ANY ($2) AND change = 0"
static const TrnPgStatement MEMBER_ANSWER = {
    "terrane_edit_answer", MEMBER_ANSWER_TEXT, 42, 3, {TRN_PG_INT8, TRN_PG_INT8S, TRN_PG_INT8}};
static const TrnPgStatement MEMBER_ANSWER_PUT = {
    "terrane_edit_answer_put",
    "UPDATE terrane_edits AS e SET change = r.change, "
    "expires = clock_timestamp() + interval '1 minute' FROM terrane_regions AS r "
    "WHERE r.region = $1 AND e.region = $1 AND e.ticket = ANY ($2) AND e.change = 0",
    56,
    2,
    {TRN_PG_INT8, TRN_PG_INT8S}};
static const TrnPgStatement MEMBER_DROP_OLD = {
    "terrane_edit_drop_old",
    "DELETE FROM terrane_edits WHERE region = $1 AND change <> 0 AND expires < clock_timestamp()",
    43,
    1,
    {TRN_PG_INT8}};
static const TrnPgStatement MEMBER_ANSWERS = {"terrane_edit_answers",
                                              "SELECT region, number, change FROM terrane_edits "
                                              "WHERE region = ANY ($1) AND member = $2",
                                              44,
                                              2,
                                              {TRN_PG_INT8S, TRN_PG_INT8}};
static const TrnPgStatement MEMBER_DROP_EDITS = {
    "terrane_edit_drop",
    "DELETE FROM terrane_edits AS e USING unnest($1::bigint[], $2::bigint[]) AS k (region, number) "
    "WHERE e.region = k.region AND e.member = $3 AND e.number = k.number AND e.change <> 0",
    45,
    3,
    {TRN_PG_INT8S, TRN_PG_INT8S, TRN_PG_INT8}};
static const TrnPgStatement MEMBER_CHANGE = {
    "terrane_change", "SELECT change FROM terrane_regions WHERE region = $1", 46, 1, {TRN_PG_INT8}};
/// The first eight digits of a log file's name are the timeline, which a promotion raises.
#define MEMBER_EPOCH_TIMELINE                                                                      \
    "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint"
#define MEMBER_EPOCH_PLACE "(pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint"

_Static_assert(TRN_PG_CHANGE_CHUNKS_MAX *TRN_PG_CHANGE_CHUNK_BYTES == 12288, "MEMBER_FEED says it");

// Any client may have written a list: one that is too long is read as none.
static const TrnPgStatement MEMBER_FEED = {
    "terrane_feed",
    "SELECT k.region, COALESCE(r.change, 0), COALESCE(c.change, 0), "
    "CASE WHEN octet_length(c.chunks) <= 12288 THEN c.chunks END "
    "FROM unnest($1::bigint[], $2::bigint[]) AS k (region, since) "
    "LEFT JOIN terrane_regions AS r ON r.region = k.region "
    "LEFT JOIN terrane_changes AS c ON c.region = k.region AND c.change > k.since "
    "WHERE COALESCE(r.change, 0) <> k.since ORDER BY k.region, c.change LIMIT 4096",
    47,
    2,
    {TRN_PG_INT8S, TRN_PG_INT8S}};
/// Tells worlds apart that use one server of hints.
static const TrnPgStatement MEMBER_WORLD = {
    "terrane_world",
    "SELECT hashtextextended(current_database() || '/' || current_schema(), 0)",
    53,
    0,
    {0}};
/// A number of 32 bits in a list of chunks.
#define MEMBER_LISTED(at)                                                                          \
    "((get_byte(n.chunks, i + " at ") << 24) | (get_byte(n.chunks, i + " at " + 1) << 16) | "      \
    "(get_byte(n.chunks, i + " at " + 2) << 8) | get_byte(n.chunks, i + " at " + 3))"

/// The rows of what MEMBER_FEED lists, to save a question about them. OFFSET 0 keeps the changes of
/// each region a question of its own: as a join, the planner would read all regions'.
static const TrnPgStatement MEMBER_FEED_ROWS = {
    "terrane_feed_rows",
    "SELECT c.level, c.x, c.y, c.z, c.revision, c.bytes "
    "FROM unnest($1::bigint[], $2::bigint[]) AS k (region, since) "
    "CROSS JOIN LATERAL (SELECT a.region, a.chunks FROM terrane_changes AS a "
    "WHERE a.region = k.region AND a.change > k.since OFFSET 0) AS n "
    "CROSS JOIN LATERAL generate_series(0, LEAST(octet_length(n.chunks), 12288) - 12, 12) AS i "
    "JOIN terrane_chunks AS c ON c.region = n.region AND c.level = 0 AND c.x = " MEMBER_LISTED(
        "0") " AND c.y = " MEMBER_LISTED("4") " AND c.z = " MEMBER_LISTED("8") " LIMIT 64",
    61,
    2,
    {TRN_PG_INT8S, TRN_PG_INT8S}};
/// A connection stays with its server, so this need not ask which one it is.
static const TrnPgStatement MEMBER_PLACE = {
    "terrane_place", "SELECT " MEMBER_EPOCH_TIMELINE ", " MEMBER_EPOCH_PLACE, 52, 0, {0}};
/// Which server this is, which of its histories, and how far it is.
static const TrnPgStatement MEMBER_EPOCH = {"terrane_epoch",
                                            "SELECT system_identifier, " MEMBER_EPOCH_TIMELINE
                                            ", " MEMBER_EPOCH_PLACE " FROM pg_control_system()",
                                            51,
                                            0,
                                            {0}};
/// A player's place need not wait for the disk.
static const TrnPgStatement MEMBER_PLAYER = {
    "terrane_player_put",
    "INSERT INTO terrane_players (member, name, x, y, z, yaw, pitch, expires) "
    "SELECT $1, $2, $3, $4, $5, $6, $7, clock_timestamp() + $8 * interval '1 millisecond' "
    "FROM set_config('synchronous_commit', 'off', true) "
    "ON CONFLICT (member) DO UPDATE SET name = excluded.name, x = excluded.x, y = excluded.y, "
    "z = excluded.z, yaw = excluded.yaw, pitch = excluded.pitch, expires = excluded.expires",
    48,
    8,
    {TRN_PG_INT8, TRN_PG_BYTEA, TRN_PG_FLOAT8, TRN_PG_FLOAT8, TRN_PG_FLOAT8, TRN_PG_FLOAT8,
     TRN_PG_FLOAT8, TRN_PG_INT8}};
static const TrnPgStatement MEMBER_PLAYERS = {
    "terrane_players",
    "SELECT name, x, y, z, yaw, pitch FROM terrane_players "
    "WHERE member <> $1 AND expires > clock_timestamp() ORDER BY member",
    49,
    1,
    {TRN_PG_INT8}};
static const TrnPgStatement MEMBER_DROP_PLAYER = {
    "terrane_player_drop",
    "DELETE FROM terrane_players WHERE member = $1 OR expires < clock_timestamp()",
    50,
    1,
    {TRN_PG_INT8}};

// ---- edits -------------------------------------------------------------------------------------

bool trn_pg_edit_submit(TrnPgLink *link, bool tells, int64_t region, int64_t member, int64_t number,
                        const void *bytes, size_t size)
{
    const TrnPgParam params[] = {{.number = region},
                                 {.number = member},
                                 {.number = number},
                                 {.bytes = bytes, .count = size}};
    return trn_pg_do(link, &MEMBER_SUBMIT[tells], params);
}

bool trn_pg_edit_answer(TrnPgLink *link, int64_t region, const int64_t *tickets, size_t count,
                        int64_t change)
{
    const TrnPgParam params[] = {
        {.number = region}, {.numbers = tickets, .count = count}, {.number = change}};
    return trn_pg_do(link, &MEMBER_ANSWER, params);
}

bool trn_pg_edit_answer_put(TrnPgLink *link, int64_t region, const int64_t *tickets, size_t count)
{
    const TrnPgParam params[] = {{.number = region}, {.numbers = tickets, .count = count}};
    return trn_pg_do(link, &MEMBER_ANSWER_PUT, params);
}

bool trn_pg_edit_drop_old(TrnPgLink *link, int64_t region)
{
    return trn_pg_do(link, &MEMBER_DROP_OLD, &(TrnPgParam){.number = region});
}

bool trn_pg_edit_drop(TrnPgLink *link, const int64_t *regions, const int64_t *numbers, size_t count,
                      int64_t member)
{
    const TrnPgParam params[] = {{.numbers = regions, .count = count},
                                 {.numbers = numbers, .count = count},
                                 {.number = member}};
    return trn_pg_do(link, &MEMBER_DROP_EDITS, params);
}

// ---- notes -------------------------------------------------------------------------------------

bool trn_pg_note_put(TrnPgLink *link, int64_t region, TrnPgNote note, const void *bytes,
                     size_t size)
{
    const TrnPgParam params[] = {
        {.number = region}, {.number = note}, {.bytes = bytes, .count = size}};
    return trn_pg_do(link, size ? &MEMBER_NOTE_PUT : &MEMBER_NOTE_DROP, params);
}

bool trn_pg_note_get(TrnPgLink *link, int64_t region, TrnPgNote note, TrnPgVisitor *visit,
                     void *user)
{
    const TrnPgParam params[] = {{.number = region}, {.number = note}};
    return trn_pg_list(link, &MEMBER_NOTE_GET, params, visit, user);
}

// ---- changes -----------------------------------------------------------------------------------

bool trn_pg_change(TrnPgLink *link, int64_t region, int64_t *change)
{
    *change = 0;
    return trn_pg_ask(link, &MEMBER_CHANGE, &(TrnPgParam){.number = region}, 1, change) >= 0;
}

bool trn_pg_epoch(TrnPgLink *link, TrnPgEpoch *epoch)
{
    int64_t row[3] = {0};
    const bool is_known = trn_pg_ask(link, &MEMBER_EPOCH, NULL, 3, row) > 0;
    *epoch = (TrnPgEpoch){row[0], row[1], row[2]};
    return is_known || !link->fault.is_lost;
}

static bool member_visit_place(void *user, const TrnPgField *row)
{
    TrnPgEpoch *epoch = user;
    epoch->timeline = row[0].number;
    epoch->place = row[1].number;
    return true;
}

bool trn_pg_place(TrnPgLink *link, TrnPgEpoch *epoch)
{
    return trn_pg_list(link, &MEMBER_PLACE, NULL, member_visit_place, epoch);
}

/// Sends the questions of a look. The place in the log is read last.
static bool member_send_look(TrnPgLink *link, TrnPgLook *look)
{
    const TrnPgParam owned = {.numbers = look->owned, .count = look->owned_count};
    const TrnPgParam regions[] = {{.numbers = look->regions, .count = look->count},
                                  {.numbers = look->since, .count = look->count}};
    const TrnPgParam answers[] = {regions[0], {.number = look->member}};
    return (!look->owned_count ||
            trn_pg_list(link, &MEMBER_EDITS, &owned, look->edit, look->user)) &&
           (!look->is_waiting ||
            trn_pg_list(link, &MEMBER_ANSWERS, answers, look->answer, look->user)) &&
           (!look->news ||
            (trn_pg_list(link, &MEMBER_FEED, regions, look->news, look->user) &&
             trn_pg_list(link, &MEMBER_FEED_ROWS, regions, look->row, look->user))) &&
           (!look->has_epoch || trn_pg_place(link, &look->epoch));
}

bool trn_pg_look(TrnPgLink *link, TrnPgLook *look)
{
    TrnPgPipe pipe;
    return trn_pg_pipe_begin(link, &pipe) && trn_pg_pipe_end(link, member_send_look(link, look));
}

bool trn_pg_world(TrnPgLink *link, uint64_t *world)
{
    int64_t number = 0;
    const bool is_good =
        trn_pg_ask(link, &MEMBER_WORLD, NULL, 1, &number) >= 0 || !link->fault.is_lost;
    *world = (uint64_t)number;
    return is_good;
}

bool trn_pg_listen(TrnPgLink *link, int64_t region, bool is_on)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%s \"" TRN_PG_CHANNEL "%" PRId64 "\"",
                   is_on ? "LISTEN" : "UNLISTEN", region);
    return trn_pg_run(link, text);
}

bool trn_pg_next_hint(TrnPgLink *link, int64_t own, int64_t *region)
{
    TrnPgNotice notice;
    while (trn_pg_next_notice(link, &notice)) {
        if (strtoll(notice.text, NULL, 10) != own) {
            *region = strtoll(notice.channel + sizeof TRN_PG_CHANNEL - 1, NULL, 10);
            return true;
        }
    }
    return false;
}

// ---- players -----------------------------------------------------------------------------------

bool trn_pg_player_put(TrnPgLink *link, int64_t member, const TrnMemberPlayer *player, uint64_t ms)
{
    const TrnPgParam params[] = {
        {.number = member},         {.bytes = player->name, .count = strlen(player->name)},
        {.real = player->place[0]}, {.real = player->place[1]},
        {.real = player->place[2]}, {.real = player->yaw},
        {.real = player->pitch},    {.number = (int64_t)ms}};
    return trn_pg_do(link, &MEMBER_PLAYER, params);
}

bool trn_pg_players(TrnPgLink *link, int64_t member, TrnPgVisitor *visit, void *user)
{
    return trn_pg_list(link, &MEMBER_PLAYERS, &(TrnPgParam){.number = member}, visit, user);
}

bool trn_pg_player_drop(TrnPgLink *link, int64_t member)
{
    return trn_pg_do(link, &MEMBER_DROP_PLAYER, &(TrnPgParam){.number = member});
}
