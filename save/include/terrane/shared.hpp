/// Terrane's shared worlds for C++17 and later: leases that end with their scope, and jobs. As thin
/// as terrane/terrane.hpp, which says how results and handles work; terrane/save.hpp has storages.
///
///     trn::Storage world = trn::Storage::open("postgresql:///world").value();
///     world.lease_begin("server 3", 10).value();
///     if (auto lease = world.lease_take(trn_region_of(coord, 0))) { // or BUSY: another has it
///         world.put(batch).value();
///         world.lease_renew().value(); // every few seconds
///     } // given back
///
///     trn::Job job(world, "survey");
///     job.add(regions).value();
///     while (auto region = job.claim(3)) {
///         ...
///         job.finish(*region).value();
///     }
#ifndef TERRANE_SHARED_HPP
#define TERRANE_SHARED_HPP

#include <string>
#include <utility>

#include <terrane/save.hpp>
#include <terrane/shared.h>
#include <terrane/terrane.hpp>

namespace trn {

/// Owns the lease of a region, and gives it back. It must end before its storage.
class Lease {
  public:
    Lease() noexcept = default;
    /// Takes over a lease that trn_lease_take took.
    Lease(StorageRef storage, TrnRegion region) noexcept : storage_(storage), region_(region)
    {
    }
    Lease(Lease &&other) noexcept
        : storage_(std::exchange(other.storage_, StorageRef())), region_(other.region_)
    {
    }
    Lease &operator=(Lease &&other) noexcept
    {
        if (this != &other) {
            static_cast<void>(give());
            storage_ = std::exchange(other.storage_, StorageRef());
            region_ = other.region_;
        }
        return *this;
    }
    Lease(const Lease &) = delete;
    Lease &operator=(const Lease &) = delete;
    ~Lease()
    {
        static_cast<void>(give());
    }
    /// The region that it is of.
    TrnRegion region() const noexcept
    {
        return region_;
    }
    /// Gives the region back now. Others can take it in any case when the lease has expired.
    Status give() noexcept
    {
        const StorageRef storage = std::exchange(storage_, StorageRef());
        return storage ? trn_lease_give(storage.c(), region_) : TRN_RESULT_OK;
    }

  private:
    StorageRef storage_;
    TrnRegion region_{};
};

inline Result<Lease> StorageRef::lease_take(TrnRegion region, bool by_force) const
{
    const TrnResult result = trn_lease_take(&c_, region, by_force);
    return result == TRN_RESULT_OK ? Result<Lease>(Lease(*this, region)) : result;
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
