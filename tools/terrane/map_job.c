#include "map_job.h"

#include "interrupt.h"

bool map_job_step(MapJob *job, TrnResult result)
{
    if (result != TRN_RESULT_OK) {
        return message_set(job->problem, "Cannot generate the land: %s", trn_result_text(result));
    }
    progress_step(&job->progress);
    return !interrupt_came() || message_set(job->problem, "Interrupted; nothing was written.");
}
