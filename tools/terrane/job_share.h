/// Work on many parts of a world that any number of processes share: the job of a world in a
/// database (terrane/shared.h). Without one, this process does all of it.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <terrane/shared.h>

#include "message.h"
#include "progress.h"

typedef struct JobShare {
    const TrnStorage *storage; ///< NULL: there is no database
    const char *name;          ///< of the job, the same in all processes
    const TrnRegion *parts;    ///< [count] the whole work
    size_t count;
    /// Works on a part, and calls job_share_renew often. It may stop at a signal.
    /// @param is_done  false; receives whether the part is complete. One that is not, another
    ///                 process or a later claim works on
    TrnResult (*work)(void *user, TrnRegion part, bool *is_done);
    void *user;
    Progress *progress;
    /// Parts of other jobs that the progress counts too: those before, and those before and after.
    int64_t done_before, other_parts;

    TrnRegion part;    ///< being worked on; initially unset, as the following
    double renewed_us; ///< when it was claimed last
} JobShare;

/// Works until all parts are done, by this process or by others, or a signal came. A part whose
/// process died is claimed by another some seconds later.
/// Errors: those of work, and of the storage.
TrnResult job_share_run(JobShare *share);

/// Keeps the claim of the part that is being worked on. Cost: a look at the clock, mostly.
TrnResult job_share_renew(JobShare *share);

/// Removes the job from the database once its work is done. Processes that still look see it done.
TrnResult job_share_forget(JobShare *share);

/// Says why a call above failed. @return false, as message_set
bool job_share_problem(const JobShare *share, TrnResult result, Message *problem);
