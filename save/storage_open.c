// Which storage a name means.

#include <stdio.h>
#include <string.h>

#include <terrane/member.h>

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

TrnResult trn_lease_begin(const TrnStorage *storage, const char *owner, double seconds)
{
    (void)storage, (void)owner, (void)seconds;
    return TRN_RESULT_BAD_ARGUMENT; // so all of them: there is no such storage
}

TrnResult trn_lease_take(const TrnStorage *storage, TrnRegion region, bool by_force)
{
    (void)storage, (void)region, (void)by_force;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_lease_renew(const TrnStorage *storage)
{
    (void)storage;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_lease_give(const TrnStorage *storage, TrnRegion region)
{
    (void)storage, (void)region;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_job_add(const TrnStorage *storage, const char *job, const TrnRegion *regions,
                      size_t count)
{
    (void)storage, (void)job, (void)regions, (void)count;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_job_claim(const TrnStorage *storage, const char *job, double seconds,
                        TrnRegion *region)
{
    (void)storage, (void)job, (void)seconds, (void)region;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_job_renew(const TrnStorage *storage, const char *job, double seconds,
                        TrnRegion region)
{
    (void)storage, (void)job, (void)seconds, (void)region;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_job_finish(const TrnStorage *storage, const char *job, TrnRegion region)
{
    (void)storage, (void)job, (void)region;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_job_progress(const TrnStorage *storage, const char *job, TrnJobProgress *progress)
{
    (void)storage, (void)job, (void)progress;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_job_remove(const TrnStorage *storage, const char *job)
{
    (void)storage, (void)job;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnMemberDef trn_member_def(void)
{
    return (TrnMemberDef){.has_notify = false};
}

TrnResult trn_member_create(const TrnMemberDef *def, TrnMember **member, TrnStorageProblem *problem)
{
    (void)def, (void)member, (void)problem;
    return TRN_RESULT_BAD_ARGUMENT; // so there is no member for the others
}

void trn_member_destroy(TrnMember *member)
{
    (void)member;
}

TrnStreamSource trn_member_source(TrnMember *member)
{
    (void)member;
    return (TrnStreamSource){0};
}

TrnResult trn_member_update(TrnMember *member)
{
    (void)member;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_member_settle(TrnMember *member, double seconds)
{
    (void)member, (void)seconds;
    return TRN_RESULT_BAD_ARGUMENT;
}

void trn_member_set_place(TrnMember *member, const double place[3], double yaw, double pitch)
{
    (void)member, (void)place, (void)yaw, (void)pitch;
}

size_t trn_member_others(TrnMember *member, TrnMemberPlayer *players, size_t capacity)
{
    (void)member, (void)players, (void)capacity;
    return 0;
}

TrnMemberStats trn_member_stats(TrnMember *member)
{
    (void)member;
    return (TrnMemberStats){.problem = ""};
}
#endif
