/// Terrane's shared worlds for C++17 and later: databases, leases that end with their scope, and
/// jobs. As thin as terrane/terrane.hpp, which says how results and handles work; terrane/save.hpp
/// has storages.
///
///     trn::Storage world = trn::open_any("postgresql:///world").value();
///     trn::lease_begin(world, "server 3", 10).value();
///     if (auto lease = trn::lease_take(world, trn_region_of(coord, 0))) { // or BUSY: another has
///     it
///         world.put(batch).value();
///         trn::lease_renew(world).value(); // every few seconds
///     } // given back
///
///     trn::Job job(world, "survey");
///     job.add(regions).value();
///     while (auto region = job.claim(3)) {
///         ...
///         job.finish(*region).value();
///     }
///
/// Tier: that of the C functions.
#ifndef TERRANE_SHARED_HPP
#define TERRANE_SHARED_HPP

#include <string>
#include <utility>

#include <terrane/save.hpp>
#include <terrane/shared.h>
#include <terrane/terrane.hpp>

namespace trn {

/// Opens a file, or a database if the name is a URL.
/// @param problem  receives a sentence on failure; may be NULL
inline Result<Storage> open_any(const char *name, TrnStorageMode mode = TRN_STORAGE_OPEN,
                                TrnStorageProblem *problem = nullptr)
{
    TrnStorage c{};
    const TrnResult result = trn_storage_open_any(name, mode, &c, problem);
    return result == TRN_RESULT_OK ? Result<Storage>(Storage(c)) : result;
}

namespace detail {

struct HeldLease {
    StorageRef storage;
    TrnRegion region{};
};

inline TrnResult give_lease(const HeldLease &held) noexcept
{
    return held.storage ? trn_lease_give(held.storage.c(), held.region) : TRN_RESULT_OK;
}

} // namespace detail

/// Owns the lease of a region, and gives it back. It must end before its storage.
class Lease : public Owned<detail::Holder<detail::HeldLease>, detail::give_lease> {
  public:
    using Owned::Owned;
    /// Takes over a lease that trn_lease_take took.
    Lease(StorageRef storage, TrnRegion region) noexcept : Owned({storage, region})
    {
    }
    /// The region that it is of.
    TrnRegion region() const noexcept
    {
        return c_.region;
    }
    /// Gives the region back now. Others can take it in any case when the lease has expired.
    Status give() noexcept
    {
        return detail::give_lease(release());
    }
};

/// From now on the storage writes only regions that are held.
inline Status lease_begin(StorageRef storage, const char *owner, double seconds)
{
    return trn_lease_begin(storage.c(), owner, seconds);
}

/// Takes a region, until the lease's scope ends. Errors: as trn_lease_take.
inline Result<Lease> lease_take(StorageRef storage, TrnRegion region, bool by_force = false)
{
    const TrnResult result = trn_lease_take(storage.c(), region, by_force);
    return result == TRN_RESULT_OK ? Result<Lease>(Lease(storage, region)) : result;
}

inline Status lease_renew(StorageRef storage)
{
    return trn_lease_renew(storage.c());
}

/// Names a job of a shared world. Holds nothing: regions are claimed and finished one by one.
class Job {
  public:
    /// Allocates. @param name  UTF-8
    Job(StorageRef storage, std::string name) : storage_(storage), name_(std::move(name))
    {
    }
    Status add(Span<const TrnRegion> regions) const
    {
        return trn_job_add(storage_.c(), name_.c_str(), regions.data(), regions.size());
    }
    /// NOT_FOUND: no region is free now.
    Result<TrnRegion> claim(double seconds) const
    {
        return detail::value_of<TrnRegion>(trn_job_claim, storage_.c(), name_.c_str(), seconds);
    }
    Status renew(double seconds, TrnRegion region) const
    {
        return trn_job_renew(storage_.c(), name_.c_str(), seconds, region);
    }
    Status finish(TrnRegion region) const
    {
        return trn_job_finish(storage_.c(), name_.c_str(), region);
    }
    Result<TrnJobProgress> progress() const
    {
        return detail::value_of<TrnJobProgress>(trn_job_progress, storage_.c(), name_.c_str());
    }
    Status remove() const
    {
        return trn_job_remove(storage_.c(), name_.c_str());
    }

  private:
    StorageRef storage_;
    std::string name_;
};

} // namespace trn

#endif
