/// Private: the questions behind trn_job_add, _claim, _finish and _progress (terrane/shared.h).
/// All return false with a fault.
#ifndef TERRANE_SAVE_POSTGRES_JOBS_H
#define TERRANE_SAVE_POSTGRES_JOBS_H

#include <terrane/shared.h>

#include "postgres_link.h"

/// @param numbers  [count] of the regions
bool trn_pg_job_add(TrnPgLink *link, const char *job, const TrnRegion *regions,
                    const int64_t *numbers, size_t count);
bool trn_pg_job_claim(TrnPgLink *link, const char *job, uint64_t ms, TrnRegion *region);
bool trn_pg_job_renew(TrnPgLink *link, const char *job, uint64_t ms, int64_t number);
bool trn_pg_job_finish(TrnPgLink *link, const char *job, int64_t number);
bool trn_pg_job_progress(TrnPgLink *link, const char *job, TrnJobProgress *progress);
bool trn_pg_job_remove(TrnPgLink *link, const char *job);

#endif
