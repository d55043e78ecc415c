// Jobs in PostgreSQL: see postgres_jobs.h.

#include "postgres_jobs.h"

#include <stdio.h>
#include <string.h>

static const TrnPgStatement JOB_ADD = {
    "terrane_job_add",
    "INSERT INTO terrane_jobs (region, job, x, y, z) "
    "SELECT region, $1, x, y, z FROM unnest($2::bigint[], $3::int[], $4::int[], $5::int[]) "
    "AS k (region, x, y, z) ON CONFLICT (region, job) DO NOTHING",
    14,
    5,
    {TRN_PG_BYTEA, TRN_PG_INT8S, TRN_PG_INT4S, TRN_PG_INT4S, TRN_PG_INT4S}};
static const TrnPgStatement JOB_CLAIM = {
    "terrane_job_claim",
    "UPDATE terrane_jobs AS j SET expires = clock_timestamp() + $2 * interval '1 millisecond' "
    // One that ends later than a claim can is of before the server's clock was set back.
    "FROM (SELECT region FROM terrane_jobs WHERE job = $1 AND NOT is_done AND "
    "expires NOT BETWEEN clock_timestamp() AND clock_timestamp() + 2 * $2 * "
    "interval '1 millisecond' ORDER BY region LIMIT 1 FOR UPDATE SKIP LOCKED) AS k "
    "WHERE j.region = k.region AND j.job = $1 RETURNING j.x, j.y, j.z",
    15,
    2,
    {TRN_PG_BYTEA, TRN_PG_INT8}};
static const TrnPgStatement JOB_FINISH = {
    "terrane_job_finish",
    "UPDATE terrane_jobs SET is_done = true WHERE job = $1 AND region = $2",
    16,
    2,
    {TRN_PG_BYTEA, TRN_PG_INT8}};
static const TrnPgStatement JOB_PROGRESS = {
    "terrane_job_progress",
    "SELECT count(CASE WHEN is_done THEN 1 END), count(*) FROM terrane_jobs WHERE job = $1",
    17,
    1,
    {TRN_PG_BYTEA}};

static const TrnPgStatement JOB_RENEW = {
    "terrane_job_renew",
    "UPDATE terrane_jobs SET expires = clock_timestamp() + $2 * interval '1 millisecond' "
    "WHERE job = $1 AND region = $3 AND NOT is_done",
    30,
    3,
    {TRN_PG_BYTEA, TRN_PG_INT8, TRN_PG_INT8}};
static const TrnPgStatement JOB_REMOVE = {
    "terrane_job_remove", "DELETE FROM terrane_jobs WHERE job = $1", 31, 1, {TRN_PG_BYTEA}};

/// Runs a statement that returns no rows, and forgets its parameters.
static bool job_execute(TrnPgLink *link, const TrnPgStatement *statement, TrnPgBytes *params)
{
    PGresult *done = trn_pg_call(link, statement, params);
    (void)trn_pg_free_params(params, statement->count);
    PQclear(done);
    return done != NULL;
}

bool trn_pg_job_add(TrnPgLink *link, const char *job, const TrnRegion *regions,
                    const int64_t *numbers, size_t count)
{
    TrnPgBytes params[5] = {{0}};
    trn_pg_append(&params[0], job, strlen(job));
    trn_pg_begin_array(&params[1], TRN_PG_INT8, count);
    for (int i = 2; i < 5; i++) {
        trn_pg_begin_array(&params[i], TRN_PG_INT4, count);
    }
    for (size_t i = 0; i < count; i++) {
        trn_pg_append_number_item(&params[1], (uint64_t)numbers[i], 8);
        trn_pg_append_number_item(&params[2], (uint32_t)regions[i].x, 4);
        trn_pg_append_number_item(&params[3], (uint32_t)regions[i].y, 4);
        trn_pg_append_number_item(&params[4], (uint32_t)regions[i].z, 4);
    }
    return job_execute(link, &JOB_ADD, params);
}

bool trn_pg_job_claim(TrnPgLink *link, const char *job, uint64_t ms, TrnRegion *region)
{
    TrnPgBytes params[2] = {{0}};
    trn_pg_append(&params[0], job, strlen(job));
    trn_pg_append_number(&params[1], ms, 8);
    PGresult *rows = trn_pg_call(link, &JOB_CLAIM, params);
    (void)trn_pg_free_params(params, 2);
    const bool is_found = rows && PQntuples(rows) > 0;
    if (is_found) {
        *region =
            (TrnRegion){(int32_t)trn_pg_number(rows, 0, 0), (int32_t)trn_pg_number(rows, 0, 1),
                        (int32_t)trn_pg_number(rows, 0, 2)};
    } else if (rows) {
        link->fault = (TrnPgFault){.result = TRN_RESULT_NOT_FOUND,
                                   .text = "no region of the job is free now"};
    }
    PQclear(rows);
    return is_found;
}

bool trn_pg_job_renew(TrnPgLink *link, const char *job, uint64_t ms, int64_t number)
{
    TrnPgBytes params[3] = {{0}};
    trn_pg_append(&params[0], job, strlen(job));
    trn_pg_append_number(&params[1], ms, 8);
    trn_pg_append_number(&params[2], (uint64_t)number, 8);
    return job_execute(link, &JOB_RENEW, params);
}

bool trn_pg_job_finish(TrnPgLink *link, const char *job, int64_t number)
{
    TrnPgBytes params[2] = {{0}};
    trn_pg_append(&params[0], job, strlen(job));
    trn_pg_append_number(&params[1], (uint64_t)number, 8);
    return job_execute(link, &JOB_FINISH, params);
}

bool trn_pg_job_remove(TrnPgLink *link, const char *job)
{
    TrnPgBytes param = {0};
    trn_pg_append(&param, job, strlen(job));
    return job_execute(link, &JOB_REMOVE, &param);
}

bool trn_pg_job_progress(TrnPgLink *link, const char *job, TrnJobProgress *progress)
{
    TrnPgBytes param = {0};
    trn_pg_append(&param, job, strlen(job));
    PGresult *rows = trn_pg_call(link, &JOB_PROGRESS, &param);
    (void)trn_pg_free_params(&param, 1);
    if (rows) {
        *progress = (TrnJobProgress){(uint64_t)trn_pg_number(rows, 0, 0),
                                     (uint64_t)trn_pg_number(rows, 0, 1)};
    }
    PQclear(rows);
    return rows != NULL;
}
