// Questions of members in PostgreSQL: see postgres_members.h.

#include "postgres_members.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postgres_put.h"

_Static_assert(TRN_PG_EDIT_BYTES_MAX == 67108864, "MEMBER_EDITS says it");

/// A statement about a region that also tells its channel, in the same transaction.
#define MEMBER_TELLING(statement)                                                                  \
    "WITH k AS (" statement ") SELECT pg_notify('" TRN_PG_CHANNEL "' || $1, '')"

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
     MEMBER_TELLING(MEMBER_SUBMIT_TEXT),
     53,
     4,
     {TRN_PG_INT8, TRN_PG_INT8, TRN_PG_INT8, TRN_PG_BYTEA}}};
static const TrnPgStatement MEMBER_EDITS = {
    "terrane_edit_list",
    // Reads the oldest edits, up to about the size of the largest edit, since any client can queue
    // more than fits into memory. An edit over that size is read as no bytes, which is no edit.
    "SELECT region, ticket, CASE WHEN size <= 67108864 THEN bytes ELSE ''::bytea END "
    "FROM (SELECT region, ticket, bytes, octet_length(bytes) AS size, "
    "sum(CASE WHEN octet_length(bytes) <= 67108864 THEN octet_length(bytes) ELSE 0 END) "
    "OVER (PARTITION BY region ORDER BY ticket) AS total FROM terrane_edits "
    "WHERE region = ANY ($1) AND change = 0) AS k WHERE total - size <= 67108864 "
    "ORDER BY region, ticket LIMIT 65536",
    41,
    1,
    {TRN_PG_INT8S}};
#define MEMBER_ANSWER_TEXT                                                                         \
    "UPDATE terrane_edits SET change = $3, expires = clock_timestamp() + interval '1 minute' "     \
    "WHERE region = $1 AND ticket = ANY ($2) AND change = 0"
static const TrnPgStatement MEMBER_ANSWER[] = {
    {"terrane_edit_answer", MEMBER_ANSWER_TEXT, 42, 3, {TRN_PG_INT8, TRN_PG_INT8S, TRN_PG_INT8}},
    {"terrane_edit_answer_tell",
     MEMBER_TELLING(MEMBER_ANSWER_TEXT),
     54,
     3,
     {TRN_PG_INT8, TRN_PG_INT8S, TRN_PG_INT8}}};
static const TrnPgStatement MEMBER_DROP_OLD = {
    "terrane_edit_drop_old",
    "DELETE FROM terrane_edits WHERE region = $1 AND change <> 0 AND expires < clock_timestamp()",
    43,
    1,
    {TRN_PG_INT8}};
static const TrnPgStatement MEMBER_ANSWERS = {
    "terrane_edit_answers",
    "SELECT region, number, change FROM terrane_edits "
    "WHERE region = ANY ($1) AND member = $2 AND change <> 0",
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
#define MEMBER_NEWS                                                                                \
    "k.region, COALESCE(r.change, 0), COALESCE(c.change, 0), "                                     \
    "CASE WHEN octet_length(c.chunks) <= 12288 THEN c.chunks END"
#define MEMBER_NEWS_FROM                                                                           \
    "FROM unnest($1::bigint[], $2::bigint[]) AS k (region, since) "                                \
    "LEFT JOIN terrane_regions AS r ON r.region = k.region "                                       \
    "LEFT JOIN terrane_changes AS c ON c.region = k.region AND c.change > k.since "
#define MEMBER_NEWS_WHERE                                                                          \
    "WHERE COALESCE(r.change, 0) <> k.since ORDER BY k.region, c.change LIMIT 4096"

static const TrnPgStatement MEMBER_FEED = {"terrane_feed",
                                           "SELECT " MEMBER_NEWS
                                           " " MEMBER_NEWS_FROM MEMBER_NEWS_WHERE,
                                           47,
                                           2,
                                           {TRN_PG_INT8S, TRN_PG_INT8S}};
/// The place in the log is read after the news, so the server is as far at least.
static const TrnPgStatement MEMBER_FEED_EPOCH = {
    "terrane_feed_epoch",
    "SELECT " MEMBER_NEWS ", e.system_identifier, " MEMBER_EPOCH_TIMELINE ", " MEMBER_EPOCH_PLACE
    " " MEMBER_NEWS_FROM "CROSS JOIN pg_control_system() AS e " MEMBER_NEWS_WHERE,
    52,
    2,
    {TRN_PG_INT8S, TRN_PG_INT8S}};
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

bool trn_pg_edit_list(TrnPgLink *link, const int64_t *regions, size_t count, TrnPgVisitor *visit,
                      void *user)
{
    const TrnPgParam param = {.numbers = regions, .count = count};
    return trn_pg_list(link, &MEMBER_EDITS, &param, visit, user);
}

bool trn_pg_edit_answer(TrnPgLink *link, bool tells, int64_t region, const int64_t *tickets,
                        size_t count, int64_t change)
{
    const TrnPgParam params[] = {
        {.number = region}, {.numbers = tickets, .count = count}, {.number = change}};
    return trn_pg_do(link, &MEMBER_ANSWER[tells], params);
}

bool trn_pg_edit_drop_old(TrnPgLink *link, int64_t region)
{
    return trn_pg_do(link, &MEMBER_DROP_OLD, &(TrnPgParam){.number = region});
}

bool trn_pg_edit_answers(TrnPgLink *link, const int64_t *regions, size_t count, int64_t member,
                         TrnPgVisitor *visit, void *user)
{
    const TrnPgParam params[] = {{.numbers = regions, .count = count}, {.number = member}};
    return trn_pg_list(link, &MEMBER_ANSWERS, params, visit, user);
}

bool trn_pg_edit_drop(TrnPgLink *link, const int64_t *regions, const int64_t *numbers, size_t count,
                      int64_t member)
{
    const TrnPgParam params[] = {{.numbers = regions, .count = count},
                                 {.numbers = numbers, .count = count},
                                 {.number = member}};
    return trn_pg_do(link, &MEMBER_DROP_EDITS, params);
}

// ---- changes -----------------------------------------------------------------------------------

bool trn_pg_change(TrnPgLink *link, int64_t region, int64_t *change)
{
    *change = 0;
    return trn_pg_ask(link, &MEMBER_CHANGE, &(TrnPgParam){.number = region}, 1, change) >= 0;
}

bool trn_pg_feed(TrnPgLink *link, bool has_epoch, const int64_t *regions, const int64_t *since,
                 size_t count, TrnPgVisitor *visit, void *user)
{
    const TrnPgParam params[] = {{.numbers = regions, .count = count},
                                 {.numbers = since, .count = count}};
    return trn_pg_list(link, has_epoch ? &MEMBER_FEED_EPOCH : &MEMBER_FEED, params, visit, user);
}

bool trn_pg_epoch(TrnPgLink *link, TrnPgEpoch *epoch)
{
    int64_t row[3] = {0};
    const bool is_known = trn_pg_ask(link, &MEMBER_EPOCH, NULL, 3, row) > 0;
    *epoch = (TrnPgEpoch){row[0], row[1], row[2]};
    return is_known || !link->fault.is_lost;
}

bool trn_pg_epoch_is_earlier(const TrnPgEpoch *then, const TrnPgEpoch *now)
{
    return then->system && now->system &&
           (then->system != now->system || then->timeline != now->timeline ||
            now->place < then->place);
}

bool trn_pg_listen(TrnPgLink *link, int64_t region, bool is_on)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%s \"" TRN_PG_CHANNEL "%" PRId64 "\"",
                   is_on ? "LISTEN" : "UNLISTEN", region);
    return trn_pg_run(link, text);
}

bool trn_pg_next_hint(TrnPgLink *link, int64_t *region)
{
    char channel[64];
    const bool is_one = trn_pg_next_notice(link, channel, sizeof channel);
    *region = is_one ? strtoll(channel + sizeof TRN_PG_CHANNEL - 1, NULL, 10) : 0;
    return is_one;
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
