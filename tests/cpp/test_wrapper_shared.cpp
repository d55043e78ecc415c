// The C++ wrapper of storages, leases and jobs.
#include "wrapper_testing.hpp"

#include <terrane/shared.hpp>

#include "postgres_server.h"

namespace {

const char *url; // NULL: there is no server

TrnStorageRow row_of(TrnCoord coord, std::uint64_t revision, const char *text)
{
    return TrnStorageRow{{coord, 0}, revision, text, std::strlen(text)};
}

trn::Status put_row(trn::StorageRef storage, const TrnStorageRow &row)
{
    TrnStorageBatch batch{};
    batch.rows = &row;
    batch.row_count = 1;
    return storage.put(batch);
}

void storages_are_read_by_functions(void **)
{
    trn::Storage storage = take(trn::Storage::memory());
    for (std::int32_t x = 0; x < 5; x++) {
        take(put_row(storage, row_of({x, 0, 0}, 1, "row")));
    }
    const TrnStorageValue value = {"game/name", "Ann", 3};
    TrnStorageBatch batch{};
    batch.values = &value;
    batch.value_count = 1;
    take(storage.put(batch));
    const TrnStorageKey keys[] = {{{1, 0, 0}, 0}, {{9, 0, 0}, 0}, {{4, 0, 0}, 0}};
    std::int32_t sum = 0;
    take(storage.get(keys, [&](const TrnStorageRow &row) { sum += row.key.coord.x; }));
    assert_int_equal(sum, 5);
    TrnStorageRange range{};
    range.box = {{0, 0, 0}, {9, 0, 0}};
    std::size_t seen = 0;
    take(storage.list(range, [&](const TrnStorageRow &) { return ++seen < 3; }));
    assert_int_equal(seen, 3);
    std::string name;
    take(storage.values("game/", [&](const TrnStorageValue &found) {
        name.assign(static_cast<const char *>(found.bytes), found.size);
    }));
    assert_string_equal(name.c_str(), "Ann");
#if TEST_HAS_EXCEPTIONS
    const auto throws = [](const TrnStorageRow &) { throw std::bad_alloc(); };
    assert_int_equal(storage.list(range, throws).result(), TRN_RESULT_NO_MEMORY);
#endif
}

void storages_close_once(void **)
{
    FailingAllocator memory;
    const TrnAllocator allocator = memory.c();
    {
        trn::Storage one = take(trn::Storage::memory(&allocator));
        take(put_row(one, row_of({0, 0, 0}, 1, "kept")));
        const trn::StorageRef borrowed = one.borrow();
        trn::Storage two = std::move(one);
        assert_false(static_cast<bool>(one)); // NOLINT(bugprone-use-after-move): it is empty
        std::size_t seen = 0;
        TrnStorageRange range{};
        take(borrowed.list(range, [&](const TrnStorageRow &) { seen++; }));
        assert_int_equal(seen, 1);
        one = take(trn::Storage::memory(&allocator));
        two = std::move(one);
        trn::Storage taken(two.release());
        assert_true(static_cast<bool>(taken));
    }
    assert_int_equal(memory.live, 0);
    TrnStorageProblem problem{};
    const auto none = trn::Storage::open("/nowhere/a.world", TRN_STORAGE_OPEN, &problem);
    assert_int_equal(none.result(), TRN_RESULT_NOT_FOUND);
    assert_true(std::strlen(problem.sentence) > 0);
}

/// Leases and jobs are of storages that several programs share.
void other_storages_have_no_leases(void **)
{
    trn::Storage storage = take(trn::Storage::memory());
    assert_int_equal(storage.lease_begin("one", 10).result(), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(storage.lease_take({0, 0, 0}).result(), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn::Job(storage, "job").claim(1).result(), TRN_RESULT_BAD_ARGUMENT);
    trn::Lease empty;
    take(empty.give());
}

void a_lease_ends_with_its_scope(void **)
{
    if (!url) {
        skip();
    }
    trn::Storage one = take(trn::Storage::open(url, TRN_STORAGE_EITHER));
    trn::Storage other = take(trn::Storage::open(url));
    const TrnCoord here = {3, 4, 5};
    const TrnRegion region = trn_region_of(here, 0);
    take(one.lease_begin("one", 600));
    take(other.lease_begin("other", 600));
    {
        trn::Lease lease = take(one.lease_take(region));
        trn::Lease moved = std::move(lease);
        take(put_row(one, row_of(here, 1, "one")));
        assert_int_equal(other.lease_take(region).result(), TRN_RESULT_BUSY);
        assert_int_equal(put_row(other, row_of(here, 2, "lost")).result(), TRN_RESULT_STALE_ID);
        assert_false(other.problem().empty());
        take(one.lease_renew());
    }
    trn::Lease lease = take(other.lease_take(region));
    take(put_row(other, row_of(here, 2, "other")));
    trn::Lease by_force = take(one.lease_take(region, true));
    assert_int_equal(put_row(other, row_of(here, 3, "lost")).result(), TRN_RESULT_STALE_ID);
    take(by_force.give());
    take(by_force.give());
    lease = take(other.lease_take(region));
    assert_int_equal(lease.region().x, region.x);
}

void jobs_are_shared(void **)
{
    if (!url) {
        skip();
    }
    trn::Storage storage = take(trn::Storage::open(url, TRN_STORAGE_EITHER));
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
        cmocka_unit_test(storages_are_read_by_functions),
        cmocka_unit_test(storages_close_once),
        cmocka_unit_test(other_storages_have_no_leases),
        cmocka_unit_test(a_lease_ends_with_its_scope),
        cmocka_unit_test(jobs_are_shared),
    };
    TrnStorageProblem problem{};
    static_cast<void>(
        trn::Storage::open("postgresql:///w?host=/nowhere", TRN_STORAGE_OPEN, &problem));
    const bool is_built = !std::strstr(problem.sentence, "without PostgreSQL");
    url = is_built ? postgres_server_begin() : nullptr;
    const int failures = cmocka_run_group_tests(tests, nullptr, nullptr);
    if (is_built) {
        postgres_server_end();
    }
    return failures;
}
