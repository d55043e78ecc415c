/// Terrane's storages and shared worlds for C++17 and later: storages that close themselves, leases
/// that end with their scope, jobs. As thin as terrane/terrane.hpp, which says how results and
/// handles work.
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

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <terrane/shared.h>
#include <terrane/storage.h>
#include <terrane/terrane.hpp>

namespace trn {

namespace detail {

/// Passes what a storage visits to a function of the user's.
template <class Visit> struct StorageVisitor {
    Visit &visit;
    TrnResult result = TRN_RESULT_OK; ///< what the function threw

    template <class Item> static bool run(void *user, const Item *item) noexcept
    {
        auto *self = static_cast<StorageVisitor *>(user);
        bool goes_on = true;
        self->result = call([&] {
            if constexpr (std::is_void_v<decltype(self->visit(*item))>) {
                self->visit(*item);
            } else {
                goes_on = self->visit(*item);
            }
        });
        return goes_on && self->result == TRN_RESULT_OK;
    }
    /// What a call of a storage returned, or what the function threw.
    Status status(TrnResult called) const
    {
        return result == TRN_RESULT_OK ? called : result;
    }
};

} // namespace detail

class Lease;

/// Borrows a storage (terrane/storage.h), by value: a copy stays valid until the storage is closed,
/// by a save too.
class StorageRef {
  public:
    StorageRef() noexcept = default;
    StorageRef(const TrnStorage &c) noexcept : c_(c)
    {
    }
    explicit operator bool() const noexcept
    {
        return c_.close != nullptr;
    }
    /// For functions of C, and for TrnSaveDef.storage. All zeroes for an empty handle.
    const TrnStorage *c() const noexcept
    {
        return &c_;
    }
    /// The last failure as a sentence; empty if the storage tells none. Allocates.
    std::string problem() const
    {
        TrnStorageProblem why{};
        if (c_.problem) {
            c_.problem(c_.user, why.sentence, sizeof why.sentence);
        }
        return why.sentence;
    }
    /// Reads rows by key.
    /// @param visit  (const TrnStorageRow &) -> void, or bool: false stops
    template <class Visit> Status get(Span<const TrnStorageKey> keys, Visit visit) const
    {
        detail::StorageVisitor<Visit> visitor{visit};
        return visitor.status(c_.get(c_.user, keys.data(), keys.size(),
                                     visitor.template run<TrnStorageRow>, &visitor));
    }
    /// Reads the rows of a range. @param visit  as of get
    template <class Visit> Status list(const TrnStorageRange &range, Visit visit) const
    {
        detail::StorageVisitor<Visit> visitor{visit};
        return visitor.status(
            c_.list(c_.user, &range, visitor.template run<TrnStorageRow>, &visitor));
    }
    /// Reads values by prefix. @param visit  (const TrnStorageValue &) -> void, or bool
    template <class Visit> Status values(const char *prefix, Visit visit) const
    {
        detail::StorageVisitor<Visit> visitor{visit};
        return visitor.status(
            c_.values(c_.user, prefix, visitor.template run<TrnStorageValue>, &visitor));
    }
    /// Writes a batch in one transaction.
    Status put(const TrnStorageBatch &batch) const
    {
        return c_.put(c_.user, &batch);
    }

    /// From now on only regions that are held are written.
    Status lease_begin(const char *owner, double seconds) const
    {
        return trn_lease_begin(&c_, owner, seconds);
    }
    /// Takes a region, until the lease's scope ends. Errors: as trn_lease_take.
    Result<Lease> lease_take(TrnRegion region, bool by_force = false) const;
    Status lease_renew() const
    {
        return trn_lease_renew(&c_);
    }

  protected:
    TrnStorage c_{};
};

/// Owns a storage: closes it at the end of its scope.
class Storage : public StorageRef {
  public:
    Storage() noexcept = default;
    /// Takes over a storage of C.
    explicit Storage(const TrnStorage &c) noexcept : StorageRef(c)
    {
    }
    /// Opens a file or a database. @param problem  receives a sentence on failure; may be NULL
    static Result<Storage> open(const char *name, TrnStorageMode mode = TRN_STORAGE_OPEN,
                                TrnStorageProblem *problem = nullptr)
    {
        TrnStorage c{};
        const TrnResult result = trn_storage_open(name, mode, &c, problem);
        return result == TRN_RESULT_OK ? Result<Storage>(Storage(c)) : result;
    }
    /// An empty one in memory.
    static Result<Storage> memory(const TrnAllocator *allocator = nullptr)
    {
        TrnStorage c{};
        const TrnResult result = trn_storage_memory(allocator, &c);
        return result == TRN_RESULT_OK ? Result<Storage>(Storage(c)) : result;
    }
    Storage(Storage &&other) noexcept : StorageRef(other.release())
    {
    }
    Storage &operator=(Storage &&other) noexcept
    {
        if (this != &other) {
            close();
            c_ = other.release();
        }
        return *this;
    }
    Storage(const Storage &) = delete;
    Storage &operator=(const Storage &) = delete;
    ~Storage()
    {
        close();
    }
    /// Gives the storage away, to a save for example; the handle is then empty.
    TrnStorage release() noexcept
    {
        return std::exchange(c_, TrnStorage{});
    }
    /// The same storage, borrowed.
    StorageRef borrow() const noexcept
    {
        return *this;
    }

  private:
    void close() noexcept
    {
        const TrnStorage closed = release();
        if (closed.close) {
            closed.close(closed.user);
        }
    }
};

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
