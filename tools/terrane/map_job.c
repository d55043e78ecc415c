#include "map_job.h"

bool map_job_step(MapJob *job, TrnResult result)
{
    if (result != TRN_RESULT_OK) {
        return message_set(job->problem, "Cannot generate the land: %s", trn_result_text(result));
    }
    return job->sink.step(job->sink.user, job->problem);
}
