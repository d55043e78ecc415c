// Jobs of shared worlds: see terrane/shared.h.

#include <stdlib.h>
#include <string.h>

#include <terrane/shared.h>

#include "region.h"
#include "servers.h"

/// Whether a row has the number of its region (trn_region_number), whose chunks have coordinates:
/// any client may have written it. One that has not would be claimed for ever, since none finishes
/// it.
#define JOB_FITS                                                                                   \
    "region = (((x::bigint & 2097151) << 42) | ((y::bigint & 2097151) << 21) | "                   \
    "(z::bigint & 2097151)) AND x BETWEEN -134217728 AND 134217727 AND "                           \
    "y BETWEEN -134217728 AND 134217727 AND z BETWEEN -134217728 AND 134217727"

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
    "FROM (SELECT region FROM terrane_jobs WHERE job = $1 AND NOT is_done AND " JOB_FITS
    " AND expires NOT BETWEEN clock_timestamp() AND clock_timestamp() + 2 * $2 * "
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
    "SELECT count(CASE WHEN is_done AND fits THEN 1 END), count(CASE WHEN fits THEN 1 END), "
    "count(CASE WHEN NOT fits THEN 1 END) "
    "FROM (SELECT is_done, " JOB_FITS " AS fits FROM terrane_jobs WHERE job = $1) AS k",
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

/// A question about a job.
typedef struct SharedJob {
    const TrnPgStatement *statement;
    TrnPgParam params[5]; ///< after the first, the name of the job
    int64_t answer[3];    ///< of the first row
} SharedJob;

static bool shared_do_job(TrnPgLink *link, void *context)
{
    SharedJob *ask = context;
    const int rows = trn_pg_ask(link, ask->statement, ask->params, 3, ask->answer);
    return rows > 0 || (rows == 0 && (ask->statement != &JOB_CLAIM ||
                                      trn_pg_refuse(link, TRN_RESULT_NOT_FOUND,
                                                    "no region of the job is free now")));
}

static TrnResult shared_job(const TrnStorage *storage, const char *job, SharedJob *ask)
{
    const size_t length = job ? strlen(job) : 0;
    if (!trn_servers_count(storage) || length == 0 || length > TRN_STORAGE_NAME_MAX) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    ask->params[0] = (TrnPgParam){.bytes = job, .count = length};
    return trn_postgres_work(trn_servers_at(storage, 0), shared_do_job, ask);
}

/// @return the parameter of a claim's time; 0 if that is out of range
static TrnPgParam shared_ms(double seconds)
{
    return (TrnPgParam){.number = seconds >= 0.1 && seconds <= 3600 ? (int64_t)(seconds * 1e3) : 0};
}

static TrnPgParam shared_region(TrnRegion region)
{
    return (TrnPgParam){.number = trn_region_number(region)};
}

/// Whether the chunks of a region have coordinates.
static bool shared_has_chunks(TrnRegion region)
{
    const int32_t low = INT32_MIN / TRN_REGION_CHUNKS, high = INT32_MAX / TRN_REGION_CHUNKS;
    return region.x >= low && region.x <= high && region.y >= low && region.y <= high &&
           region.z >= low && region.z <= high;
}

TrnResult trn_job_add(const TrnStorage *storage, const char *job, const TrnRegion *regions,
                      size_t count)
{
    SharedJob ask = {.statement = &JOB_ADD};
    int64_t *columns = malloc((4 * count + 1) * sizeof *columns);
    if (!columns || (count && !regions)) {
        free(columns);
        return columns ? TRN_RESULT_BAD_ARGUMENT : TRN_RESULT_NO_MEMORY;
    }
    bool is_good = true;
    for (size_t i = 0; i < count; i++) {
        is_good = is_good && shared_has_chunks(regions[i]);
        columns[i] = trn_region_number(regions[i]);
        columns[count + i] = regions[i].x;
        columns[2 * count + i] = regions[i].y;
        columns[3 * count + i] = regions[i].z;
    }
    for (size_t i = 0; i < 4; i++) {
        ask.params[1 + i] = (TrnPgParam){.numbers = columns + i * count, .count = count};
    }
    const TrnResult result = is_good ? shared_job(storage, job, &ask) : TRN_RESULT_BAD_ARGUMENT;
    free(columns);
    return result;
}

TrnResult trn_job_claim(const TrnStorage *storage, const char *job, double seconds,
                        TrnRegion *region)
{
    SharedJob ask = {.statement = &JOB_CLAIM, .params = {[1] = shared_ms(seconds)}};
    const TrnResult result =
        region && ask.params[1].number ? shared_job(storage, job, &ask) : TRN_RESULT_BAD_ARGUMENT;
    if (result == TRN_RESULT_OK) {
        *region =
            (TrnRegion){(int32_t)ask.answer[0], (int32_t)ask.answer[1], (int32_t)ask.answer[2]};
    }
    return result;
}

TrnResult trn_job_renew(const TrnStorage *storage, const char *job, double seconds,
                        TrnRegion region)
{
    SharedJob ask = {.statement = &JOB_RENEW,
                     .params = {[1] = shared_ms(seconds), [2] = shared_region(region)}};
    return ask.params[1].number ? shared_job(storage, job, &ask) : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_job_finish(const TrnStorage *storage, const char *job, TrnRegion region)
{
    SharedJob ask = {.statement = &JOB_FINISH, .params = {[1] = shared_region(region)}};
    return shared_job(storage, job, &ask);
}

TrnResult trn_job_progress(const TrnStorage *storage, const char *job, TrnJobProgress *progress)
{
    SharedJob ask = {.statement = &JOB_PROGRESS};
    const TrnResult result = progress ? shared_job(storage, job, &ask) : TRN_RESULT_BAD_ARGUMENT;
    if (result == TRN_RESULT_OK) {
        *progress = (TrnJobProgress){(uint64_t)ask.answer[0], (uint64_t)ask.answer[1],
                                     (uint64_t)ask.answer[2]};
    }
    return result;
}

TrnResult trn_job_remove(const TrnStorage *storage, const char *job)
{
    SharedJob ask = {.statement = &JOB_REMOVE};
    return shared_job(storage, job, &ask);
}
