#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#include "job_share.h"

#include "interrupt.h"

static void job_share_show(JobShare *share, int64_t done, int64_t count)
{
    progress_set(share->progress, share->done_before + done, count + share->other_parts);
}

static TrnResult job_share_alone(JobShare *share)
{
    TrnResult result = TRN_RESULT_OK;
    for (size_t i = 0; i < share->count && result == TRN_RESULT_OK && !interrupt_came(); i++) {
        bool is_done = false;
        result = share->work(share->user, share->parts[i], &is_done);
        job_share_show(share, (int64_t)i + 1, (int64_t)share->count);
    }
    return result;
}

#if TERRANE_TOOL_SAVES
#include <time.h>

#include "clock.h"

#define SHARE_CLAIM_SECONDS 1.0 // after which others go on where a process died
#define SHARE_RENEW_US 0.2e6
#define SHARE_PAUSE_NS 50000000 // while others work on what is left
#define SHARE_ASK_US 0.2e6      // how often the progress of all is asked for

static TrnResult job_share_claimed(JobShare *share)
{
    bool is_done = false;
    share->renewed_us = clock_us();
    const TrnResult result = share->work(share->user, share->part, &is_done);
    return result == TRN_RESULT_OK && is_done
               ? trn_job_finish(share->storage, share->name, share->part)
               : result;
}

/// Works on a part that is free. @param is_found  receives whether there was one
static TrnResult job_share_next(JobShare *share, bool *is_found)
{
    const TrnResult result =
        trn_job_claim(share->storage, share->name, SHARE_CLAIM_SECONDS, &share->part);
    *is_found = result == TRN_RESULT_OK;
    return *is_found                        ? job_share_claimed(share)
           : result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_OK
                                            : result;
}

static TrnResult job_share_claims(JobShare *share)
{
    TrnJobProgress all = {.total = share->count};
    double asked_us = 0;
    TrnResult result = trn_job_add(share->storage, share->name, share->parts, share->count);
    while (result == TRN_RESULT_OK && all.done < all.total && !interrupt_came()) {
        bool is_found = false;
        result = job_share_next(share, &is_found);
        if (result != TRN_RESULT_OK || (is_found && clock_us() - asked_us < SHARE_ASK_US)) {
            continue;
        }
        asked_us = clock_us();
        result = trn_job_progress(share->storage, share->name, &all);
        job_share_show(share, (int64_t)all.done, (int64_t)all.total);
        if (!is_found && all.done < all.total) {
            const struct timespec pause = {.tv_nsec = SHARE_PAUSE_NS};
            (void)nanosleep(&pause, NULL);
        }
    }
    if (all.unfit) {
        (void)fprintf(stderr,
                      "terrane: %llu rows of the job in the world's database name no region, and "
                      "were left out.\n",
                      (unsigned long long)all.unfit);
    }
    return result;
}

TrnResult job_share_run(JobShare *share)
{
    return share->storage ? job_share_claims(share) : job_share_alone(share);
}

TrnResult job_share_renew(JobShare *share)
{
    const double now_us = clock_us();
    if (!share->storage || now_us - share->renewed_us < SHARE_RENEW_US) {
        return TRN_RESULT_OK;
    }
    share->renewed_us = now_us;
    return trn_job_renew(share->storage, share->name, SHARE_CLAIM_SECONDS, share->part);
}

TrnResult job_share_forget(JobShare *share)
{
    return share->storage ? trn_job_remove(share->storage, share->name) : TRN_RESULT_OK;
}
#else
TrnResult job_share_run(JobShare *share)
{
    return job_share_alone(share);
}

TrnResult job_share_renew(JobShare *share)
{
    (void)share;
    return TRN_RESULT_OK;
}

TrnResult job_share_forget(JobShare *share)
{
    (void)share;
    return TRN_RESULT_OK;
}
#endif

bool job_share_problem(const JobShare *share, TrnResult result, Message *problem)
{
    TrnStorageProblem why = {""};
    if (share->storage && share->storage->problem) {
        share->storage->problem(share->storage->user, why.sentence, sizeof why.sentence);
    }
    return message_set(problem, "%s", why.sentence[0] ? why.sentence : trn_result_text(result));
}
