// Replaces terrane::shared in programs that are built without it. They open files and refuse
// databases, so the functions of leases, jobs and members are never reached.

#include <stdio.h>

#include <terrane/member.h>

TrnResult trn_storage_open_any(const char *name, TrnStorageMode mode, TrnStorage *storage,
                               TrnStorageProblem *problem)
{
    const TrnResult result = trn_storage_open(name, mode, storage, problem);
    if (trn_storage_is_url(name) && problem) {
        (void)snprintf(problem->sentence, sizeof problem->sentence,
                       "This program was built without PostgreSQL; build it with "
                       "-DTERRANE_BUILD_SHARED=ON.");
    }
    return result;
}

TrnResult trn_lease_begin(const TrnStorage *storage, const char *owner, double seconds)
{
    (void)storage, (void)owner, (void)seconds;
    return TRN_RESULT_BAD_ARGUMENT; // as do all others: no storage is shared
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

TrnResult trn_storage_postgres_watch_notices(const TrnStorage *storage,
                                             TrnStorageNoticeVisitor visit, void *user)
{
    (void)storage, (void)visit, (void)user;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_shared_status(const TrnStorage *storage, TrnSharedStatus *status)
{
    (void)storage, (void)status;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_shared_regions(const TrnStorage *storage, TrnSharedRegionVisitor visit, void *user)
{
    (void)storage, (void)visit, (void)user;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_shared_connections(const TrnStorage *storage, TrnSharedConnectionVisitor visit,
                                 void *user)
{
    (void)storage, (void)visit, (void)user;
    return TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_shared_servers(const TrnStorage *storage, TrnSharedServerVisitor visit, void *user)
{
    (void)storage, (void)visit, (void)user;
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
