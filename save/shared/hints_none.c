// In place of hints_nats.c where the client library of NATS is not there: see hints.h.

#include "hints.h"

bool trn_hints_have_nats(void)
{
    return false;
}

TrnResult trn_hints_nats(const char *url, uint64_t world, int64_t member, TrnHintsWake *wake,
                         void *context, TrnHints *hints)
{
    (void)url, (void)world, (void)member, (void)wake, (void)context, (void)hints;
    return TRN_RESULT_IO;
}
