// The C++ wrapper of leases and jobs.
#include "wrapper_rows.hpp"
#include "wrapper_testing.hpp"

#include <terrane/shared.hpp>

#include "postgres_server.h"

namespace {

const char *url; // NULL: there is no server

/// Leases and jobs are of storages that several programs share.
void other_storages_have_no_leases(void **)
{
    trn::Storage storage = take(trn::Storage::memory());
    assert_int_equal(trn::lease_begin(storage, "one", 10).result(), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn::lease_take(storage, {0, 0, 0}).result(), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn::Job(storage, "job").claim(1).result(), TRN_RESULT_BAD_ARGUMENT);
    trn::Lease empty;
    take(empty.give());
}

void a_lease_ends_with_its_scope(void **)
{
    if (!url) {
        skip();
    }
    trn::Storage one = take(trn::open_any(url, TRN_STORAGE_EITHER));
    trn::Storage other = take(trn::open_any(url));
    const TrnCoord here = {3, 4, 5};
    const TrnRegion region = trn_region_of(here, 0);
    take(trn::lease_begin(one, "one", 600));
    take(trn::lease_begin(other, "other", 600));
    {
        trn::Lease lease = take(trn::lease_take(one, region));
        trn::Lease moved = std::move(lease);
        take(put_row(one, row_of(here, 1, "one")));
        assert_int_equal(trn::lease_take(other, region).result(), TRN_RESULT_BUSY);
        assert_int_equal(put_row(other, row_of(here, 2, "lost")).result(), TRN_RESULT_STALE_ID);
        assert_false(other.problem().empty());
        take(trn::lease_renew(one));
    }
    trn::Lease lease = take(trn::lease_take(other, region));
    take(put_row(other, row_of(here, 2, "other")));
    trn::Lease by_force = take(trn::lease_take(one, region, true));
    assert_int_equal(put_row(other, row_of(here, 3, "lost")).result(), TRN_RESULT_STALE_ID);
    take(by_force.give());
    take(by_force.give());
    lease = take(trn::lease_take(other, region));
    assert_int_equal(lease.region().x, region.x);
}

void jobs_are_shared(void **)
{
    if (!url) {
        skip();
    }
    trn::Storage storage = take(trn::open_any(url, TRN_STORAGE_EITHER));
    const trn::Job job(storage, "survey");
    const TrnRegion regions[] = {{0, 0, 0}, {1, 0, -1}};
    take(job.add(regions));
    std::size_t claims = 0;
    while (auto region = job.claim(600)) {
        take(job.renew(600, *region));
        take(job.finish(*region));
        claims++;
    }
    assert_int_equal(claims, 2);
    assert_int_equal(take(job.progress()).done, 2);
    take(job.remove());
    assert_int_equal(take(job.progress()).total, 0);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(other_storages_have_no_leases),
        cmocka_unit_test(a_lease_ends_with_its_scope),
        cmocka_unit_test(jobs_are_shared),
    };
    url = postgres_server_begin();
    const int failures = cmocka_run_group_tests(tests, nullptr, nullptr);
    postgres_server_end();
    return failures;
}
