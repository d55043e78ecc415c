// Leases and jobs of shared worlds: see terrane/shared.h.

#include <stdlib.h>
#include <string.h>

#include <terrane/shared.h>

#include "postgres_jobs.h"
#include "storage_postgres.h"
#include "storage_region.h"

static int64_t shared_region(TrnRegion region)
{
    const TrnStorageKey key = {{region.x, region.y, region.z}, TRN_REGION_LEVEL};
    return trn_storage_region(&key);
}

/// A call of terrane/shared.h.
typedef struct SharedCall {
    enum {
        CALL_TAKE,
        CALL_RENEW,
        CALL_GIVE,
        CALL_ADD,
        CALL_CLAIM,
        CALL_RENEW_JOB,
        CALL_FINISH,
        CALL_PROGRESS,
        CALL_REMOVE
    } kind;
    TrnLeases *leases;
    const char *job;
    const TrnRegion *regions; ///< [count]
    int64_t *numbers;         ///< [count] of the regions
    size_t count;
    bool by_force;
    uint64_t ms;
    TrnRegion *claimed;
    TrnJobProgress *progress;
} SharedCall;

static bool shared_do_call(TrnPgLink *link, void *context)
{
    const SharedCall *call = context;
    switch (call->kind) {
    case CALL_TAKE:
        return trn_leases_take(call->leases, link, call->numbers[0], call->by_force);
    case CALL_RENEW:
        return trn_leases_renew(call->leases, link);
    case CALL_GIVE:
        return trn_leases_give(call->leases, link, call->numbers[0]);
    case CALL_ADD:
        return trn_pg_job_add(link, call->job, call->regions, call->numbers, call->count);
    case CALL_CLAIM:
        return trn_pg_job_claim(link, call->job, call->ms, call->claimed);
    case CALL_RENEW_JOB:
        return trn_pg_job_renew(link, call->job, call->ms, call->numbers[0]);
    case CALL_FINISH:
        return trn_pg_job_finish(link, call->job, call->numbers[0]);
    case CALL_PROGRESS:
        return trn_pg_job_progress(link, call->job, call->progress);
    default:
        return trn_pg_job_remove(link, call->job);
    }
}

static TrnResult shared_call(const TrnStorage *storage, SharedCall *call)
{
    const bool is_lease = call->kind <= CALL_GIVE;
    const bool has_job = call->job && *call->job && strlen(call->job) <= TRN_STORAGE_NAME_MAX;
    call->leases = trn_postgres_leases(storage);
    if (!call->leases || (is_lease ? !trn_leases_are_on(call->leases) : !has_job)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    call->numbers = malloc((call->count + 1) * sizeof *call->numbers);
    if (!call->numbers) {
        return TRN_RESULT_NO_MEMORY;
    }
    for (size_t i = 0; i < call->count; i++) {
        call->numbers[i] = shared_region(call->regions[i]);
    }
    const TrnResult result = trn_postgres_work(storage, shared_do_call, call);
    free(call->numbers);
    return result;
}

TrnResult trn_lease_begin(const TrnStorage *storage, const char *owner, double seconds)
{
    const size_t length = owner ? strlen(owner) : 0;
    TrnLeases *leases = trn_postgres_leases(storage);
    return leases && length > 0 && length <= TRN_LEASE_OWNER_MAX && seconds >= 0.1 &&
                   seconds <= 3600 && trn_leases_begin(leases, owner, (uint64_t)(seconds * 1e3))
               ? TRN_RESULT_OK
               : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_lease_take(const TrnStorage *storage, TrnRegion region, bool by_force)
{
    SharedCall call = {.kind = CALL_TAKE, .regions = &region, .count = 1, .by_force = by_force};
    return shared_call(storage, &call);
}

TrnResult trn_lease_renew(const TrnStorage *storage)
{
    SharedCall call = {.kind = CALL_RENEW};
    return shared_call(storage, &call);
}

TrnResult trn_lease_give(const TrnStorage *storage, TrnRegion region)
{
    SharedCall call = {.kind = CALL_GIVE, .regions = &region, .count = 1};
    return shared_call(storage, &call);
}

TrnResult trn_job_add(const TrnStorage *storage, const char *job, const TrnRegion *regions,
                      size_t count)
{
    SharedCall call = {.kind = CALL_ADD, .job = job, .regions = regions, .count = count};
    return regions || !count ? shared_call(storage, &call) : TRN_RESULT_BAD_ARGUMENT;
}

static bool shared_is_claim(double seconds)
{
    return seconds >= 0.1 && seconds <= 3600;
}

TrnResult trn_job_claim(const TrnStorage *storage, const char *job, double seconds,
                        TrnRegion *region)
{
    SharedCall call = {.kind = CALL_CLAIM, .job = job, .claimed = region};
    if (!region || !shared_is_claim(seconds)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    call.ms = (uint64_t)(seconds * 1e3);
    return shared_call(storage, &call);
}

TrnResult trn_job_renew(const TrnStorage *storage, const char *job, double seconds,
                        TrnRegion region)
{
    SharedCall call = {.kind = CALL_RENEW_JOB, .job = job, .regions = &region, .count = 1};
    if (!shared_is_claim(seconds)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    call.ms = (uint64_t)(seconds * 1e3);
    return shared_call(storage, &call);
}

TrnResult trn_job_finish(const TrnStorage *storage, const char *job, TrnRegion region)
{
    SharedCall call = {.kind = CALL_FINISH, .job = job, .regions = &region, .count = 1};
    return shared_call(storage, &call);
}

TrnResult trn_job_progress(const TrnStorage *storage, const char *job, TrnJobProgress *progress)
{
    SharedCall call = {.kind = CALL_PROGRESS, .job = job, .progress = progress};
    return progress ? shared_call(storage, &call) : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_job_remove(const TrnStorage *storage, const char *job)
{
    SharedCall call = {.kind = CALL_REMOVE, .job = job};
    return shared_call(storage, &call);
}
