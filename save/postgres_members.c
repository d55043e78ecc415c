// Questions of members in PostgreSQL: see postgres_members.h.

#include "postgres_members.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "postgres_put.h"

static const TrnPgStatement MEMBER_SUBMIT = {
    "terrane_edit_submit",
    "INSERT INTO terrane_edits (region, member, number, bytes) VALUES ($1, $2, $3, $4) "
    "ON CONFLICT (region, member, number) DO NOTHING",
    40,
    4,
    {TRN_PG_INT8, TRN_PG_INT8, TRN_PG_INT8, TRN_PG_BYTEA}};
static const TrnPgStatement MEMBER_EDITS = {
    "terrane_edit_list",
    "SELECT region, ticket, bytes FROM terrane_edits WHERE region = ANY ($1) AND change = 0 "
    "ORDER BY region, ticket",
    41,
    1,
    {TRN_PG_INT8S}};
static const TrnPgStatement MEMBER_ANSWER = {
    "terrane_edit_answer",
    "UPDATE terrane_edits SET change = $3, expires = clock_timestamp() + interval '1 minute' "
    "WHERE region = $1 AND ticket = ANY ($2) AND change = 0",
    42,
    3,
    {TRN_PG_INT8, TRN_PG_INT8S, TRN_PG_INT8}};
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
static const TrnPgStatement MEMBER_DROP_EDIT = {
    "terrane_edit_drop",
    "DELETE FROM terrane_edits WHERE region = $1 AND member = $2 AND number = $3 AND change <> 0",
    45,
    3,
    {TRN_PG_INT8, TRN_PG_INT8, TRN_PG_INT8}};
static const TrnPgStatement MEMBER_CHANGES = {
    "terrane_changes",
    "SELECT region, change FROM terrane_regions WHERE region = ANY ($1)",
    46,
    1,
    {TRN_PG_INT8S}};
static const TrnPgStatement MEMBER_CHUNKS = {
    "terrane_changed_chunks",
    "SELECT x, y, z FROM terrane_chunks WHERE region = $1 AND change > $2 AND level = 0 "
    "UNION ALL "
    "SELECT x, y, z FROM terrane_removals WHERE region = $1 AND change > $2 AND level = 0",
    47,
    2,
    {TRN_PG_INT8, TRN_PG_INT8}};
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

// ---- asking ------------------------------------------------------------------------------------

/// Runs a statement, frees its parameters and visits its rows. @param visit  NULL: it has none
static bool member_ask(TrnPgLink *link, const TrnPgStatement *statement, TrnPgBytes *params,
                       TrnPgVisitor *visit, void *user)
{
    PGresult *rows = trn_pg_call(link, statement, params);
    (void)trn_pg_free_params(params, statement->count);
    for (int i = 0; visit && rows && i < PQntuples(rows) && visit(user, rows, i); i++) {
    }
    PQclear(rows);
    return rows != NULL;
}

static void member_append_numbers(TrnPgBytes *param, const int64_t *numbers, size_t count)
{
    trn_pg_begin_array(param, TRN_PG_INT8, count);
    for (size_t i = 0; i < count; i++) {
        trn_pg_append_number_item(param, (uint64_t)numbers[i], 8);
    }
}

// ---- edits -------------------------------------------------------------------------------------

bool trn_pg_edit_submit(TrnPgLink *link, int64_t region, int64_t member, int64_t number,
                        const void *bytes, size_t size)
{
    TrnPgBytes params[4] = {{0}};
    trn_pg_append_number(&params[0], (uint64_t)region, 8);
    trn_pg_append_number(&params[1], (uint64_t)member, 8);
    trn_pg_append_number(&params[2], (uint64_t)number, 8);
    trn_pg_append(&params[3], bytes, size);
    return member_ask(link, &MEMBER_SUBMIT, params, NULL, NULL);
}

bool trn_pg_edit_list(TrnPgLink *link, const int64_t *regions, size_t count, TrnPgVisitor *visit,
                      void *user)
{
    TrnPgBytes param = {0};
    member_append_numbers(&param, regions, count);
    return member_ask(link, &MEMBER_EDITS, &param, visit, user);
}

bool trn_pg_edit_answer(TrnPgLink *link, int64_t region, const int64_t *tickets, size_t count,
                        int64_t change)
{
    TrnPgBytes params[3] = {{0}}, param = {0};
    trn_pg_append_number(&params[0], (uint64_t)region, 8);
    member_append_numbers(&params[1], tickets, count);
    trn_pg_append_number(&params[2], (uint64_t)change, 8);
    trn_pg_append_number(&param, (uint64_t)region, 8);
    const bool is_answered = member_ask(link, &MEMBER_ANSWER, params, NULL, NULL);
    const bool is_dropped = is_answered && member_ask(link, &MEMBER_DROP_OLD, &param, NULL, NULL);
    (void)trn_pg_free_params(&param, 1);
    return is_dropped;
}

bool trn_pg_edit_answers(TrnPgLink *link, const int64_t *regions, size_t count, int64_t member,
                         TrnPgVisitor *visit, void *user)
{
    TrnPgBytes params[2] = {{0}};
    member_append_numbers(&params[0], regions, count);
    trn_pg_append_number(&params[1], (uint64_t)member, 8);
    return member_ask(link, &MEMBER_ANSWERS, params, visit, user);
}

bool trn_pg_edit_drop(TrnPgLink *link, int64_t region, int64_t member, int64_t number)
{
    TrnPgBytes params[3] = {{0}};
    trn_pg_append_number(&params[0], (uint64_t)region, 8);
    trn_pg_append_number(&params[1], (uint64_t)member, 8);
    trn_pg_append_number(&params[2], (uint64_t)number, 8);
    return member_ask(link, &MEMBER_DROP_EDIT, params, NULL, NULL);
}

// ---- changes -----------------------------------------------------------------------------------

static bool member_visit_change(void *user, const PGresult *rows, int row)
{
    *(int64_t *)user = trn_pg_number(rows, row, 1);
    return true;
}

bool trn_pg_change(TrnPgLink *link, int64_t region, int64_t *change)
{
    *change = 0;
    return trn_pg_changes(link, &region, 1, member_visit_change, change);
}

bool trn_pg_changes(TrnPgLink *link, const int64_t *regions, size_t count, TrnPgVisitor *visit,
                    void *user)
{
    TrnPgBytes param = {0};
    member_append_numbers(&param, regions, count);
    return member_ask(link, &MEMBER_CHANGES, &param, visit, user);
}

bool trn_pg_changed_chunks(TrnPgLink *link, int64_t region, int64_t since, TrnPgVisitor *visit,
                           void *user)
{
    TrnPgBytes params[2] = {{0}};
    trn_pg_append_number(&params[0], (uint64_t)region, 8);
    trn_pg_append_number(&params[1], (uint64_t)since, 8);
    return member_ask(link, &MEMBER_CHUNKS, params, visit, user);
}

bool trn_pg_listen(TrnPgLink *link, int64_t region, bool is_on)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%s \"" TRN_PG_CHANNEL "%" PRId64 "\"",
                   is_on ? "LISTEN" : "UNLISTEN", region);
    return trn_pg_run(link, text);
}

// ---- players -----------------------------------------------------------------------------------

bool trn_pg_player_put(TrnPgLink *link, int64_t member, const TrnMemberPlayer *player, uint64_t ms)
{
    TrnPgBytes params[8] = {{0}};
    trn_pg_append_number(&params[0], (uint64_t)member, 8);
    trn_pg_append(&params[1], player->name, strlen(player->name));
    for (int i = 0; i < 3; i++) {
        trn_pg_append_double(&params[2 + i], player->place[i]);
    }
    trn_pg_append_double(&params[5], player->yaw);
    trn_pg_append_double(&params[6], player->pitch);
    trn_pg_append_number(&params[7], ms, 8);
    return member_ask(link, &MEMBER_PLAYER, params, NULL, NULL);
}

bool trn_pg_players(TrnPgLink *link, int64_t member, TrnPgVisitor *visit, void *user)
{
    TrnPgBytes param = {0};
    trn_pg_append_number(&param, (uint64_t)member, 8);
    return member_ask(link, &MEMBER_PLAYERS, &param, visit, user);
}

bool trn_pg_player_drop(TrnPgLink *link, int64_t member)
{
    TrnPgBytes param = {0};
    trn_pg_append_number(&param, (uint64_t)member, 8);
    return member_ask(link, &MEMBER_DROP_PLAYER, &param, NULL, NULL);
}
