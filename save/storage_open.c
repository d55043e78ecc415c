// Which storage a name means.

#include <stdio.h>
#include <string.h>

#include <terrane/storage.h>

bool trn_storage_is_url(const char *name)
{
    static const char *const schemes[] = {"postgresql://", "postgres://"};
    for (size_t i = 0; name && i < sizeof schemes / sizeof *schemes; i++) {
        if (strncmp(name, schemes[i], strlen(schemes[i])) == 0) {
            return true;
        }
    }
    return false;
}

TrnResult trn_storage_open(const char *name, TrnStorageMode mode, TrnStorage *storage,
                           TrnStorageProblem *problem)
{
    return trn_storage_is_url(name) ? trn_storage_postgres(name, mode, storage, problem)
                                    : trn_storage_sqlite(name, mode, storage, problem);
}

#if !TRN_STORAGE_HAS_POSTGRES
TrnResult trn_storage_postgres(const char *url, TrnStorageMode mode, TrnStorage *storage,
                               TrnStorageProblem *problem)
{
    if (!url || !trn_storage_is_url(url) || !storage || mode > TRN_STORAGE_READ_ONLY) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (problem) {
        (void)snprintf(problem->sentence, sizeof problem->sentence,
                       "This program was built without PostgreSQL; build it with libpq installed.");
    }
    return TRN_RESULT_IO;
}
#endif
