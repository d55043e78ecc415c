/// The store of chunks for C++17 and later, with its pending edits, rays, bodies and deltas
/// (terrane/store.h, batch.h, raycast.h, body.h, delta.h). terrane/terrane.hpp says how results and
/// handles work.
///
/// Tier: that of the C functions.
#ifndef TERRANE_STORE_HPP
#define TERRANE_STORE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <terrane/base.hpp>
#include <terrane/batch.h>
#include <terrane/body.h>
#include <terrane/chunk_index.hpp>
#include <terrane/delta.h>
#include <terrane/raycast.h>
#include <terrane/store.h>
#include <terrane/voxels.hpp>

namespace trn {

/// Bytes of yours with a chunk, as a T (TrnStoreDef.user_bytes >= sizeof(T)). They start as zeroes
/// and are not destroyed.
template <class T> T &chunk_user(TrnChunk &chunk) noexcept
{
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                  "the store zeroes user bytes and forgets them");
    static_assert(alignof(T) <= 16, "user bytes are aligned to 16");
    return *static_cast<T *>(trn_chunk_user(&chunk));
}

namespace detail {

/// What trn_store_subscribe() was called with.
struct Subscribed {
    TrnStore *store = nullptr;
    TrnListener listener = nullptr;
    void *user = nullptr;
};

inline void unsubscribe(const Subscribed &held) noexcept
{
    if (held.store) {
        (void)trn_store_unsubscribe(held.store, held.listener, held.user);
    }
}

} // namespace detail

/// Ends a subscription with its scope. Must end before the store does.
class Subscription : public Owned<detail::Holder<detail::Subscribed>, detail::unsubscribe> {
  public:
    using Owned::Owned;
    void end() noexcept
    {
        reset();
    }
};

/// Reads voxels one after the other, fast where they are near each other.
class Cursor {
  public:
    explicit Cursor(const TrnStore *store) : c_(trn_cursor(store))
    {
    }
    /// The block of a voxel, or `unloaded` where its chunk is not loaded.
    TrnBlock get(TrnVoxel voxel, TrnBlock unloaded = TRN_BLOCK_AIR)
    {
        return trn_cursor_get(&c_, voxel, unloaded);
    }

  private:
    TrnCursor c_;
};

/// Borrows a store (terrane/store.h). Const methods are those that readers may call, too.
class StoreRef : public Borrowed<TrnStore> {
  public:
    StoreRef() noexcept = default;
    StoreRef(TrnStore *c) noexcept : Borrowed(c)
    {
    }
    /// For readers, and for planes of yours.
    IndexRef index() const
    {
        return trn_store_index(c_);
    }
    BlockTypesRef types() const
    {
        return trn_store_block_types(c_);
    }

    // ---- insert and remove

    Result<TrnChunk *> insert(TrnCoord coord, TrnBlock block)
    {
        return detail::value_of<TrnChunk *>(trn_store_insert_uniform, c_, coord, block);
    }
    /// @param blocks  [TRN_CHUNK_VOXELS] in linear order; BAD_ARGUMENT if it is shorter
    Result<TrnChunk *> insert(TrnCoord coord, Span<const TrnBlock> blocks)
    {
        if (blocks.size() < chunk_voxels) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        return detail::value_of<TrnChunk *>(trn_store_insert_voxels, c_, coord, blocks.data());
    }
    Status remove(TrnCoord coord)
    {
        return trn_store_remove(c_, coord);
    }
    void pin(TrnChunk &chunk)
    {
        trn_store_pin(c_, &chunk);
    }
    void unpin(TrnChunk &chunk)
    {
        trn_store_unpin(c_, &chunk);
    }

    // ---- find

    /// NULL where no chunk is loaded.
    TrnChunk *find(TrnCoord coord) const
    {
        return trn_store_find(c_, coord);
    }
    /// NULL if the chunk of the id was removed.
    TrnChunk *find(TrnChunkId id) const
    {
        return trn_store_chunk(c_, id);
    }
    /// In the order of TrnFace, NULL where no chunk is loaded.
    std::array<TrnChunk *, TRN_FACE_COUNT> neighbours(TrnCoord coord) const
    {
        std::array<TrnChunk *, TRN_FACE_COUNT> chunks;
        trn_store_neighbours(c_, coord, chunks.data());
        return chunks;
    }
    /// Whether all chunks of a box of voxels have their bit in a plane.
    bool box_has(TrnVoxel min, TrnVoxel max, TrnPlane plane = TRN_PLANE_PRESENT) const
    {
        return trn_store_box_has(c_, min, max, plane);
    }
    /// Gathers chunks. Allocates nothing.
    /// @return how many there are; only the first out.size() are written
    std::size_t gather(const Region &region, Span<TrnChunk *> out) const
    {
        TrnChunkGather gather = region.gather();
        gather.pointers = reinterpret_cast<void **>(out.data());
        gather.pool = trn_store_pool(c_);
        gather.capacity = out.size();
        return trn_chunk_index_gather(trn_store_index(c_), &gather);
    }
    /// Gathers chunks into a vector to reuse from frame to frame: allocates only when it must grow.
    /// @return the chunks found; the vector's size says nothing
    ChunkRange gather(const Region &region, std::vector<TrnChunk *> &buffer) const
    {
        return ChunkRange(detail::gather_into(buffer, [&](TrnChunk **out, std::size_t capacity) {
            return gather(region, Span<TrnChunk *>(out, capacity));
        }));
    }
    /// Gathers chunks into memory of the result's own, for use outside the frame. Allocates.
    ChunkList gather(const Region &region) const
    {
        std::vector<TrnChunk *> chunks(gather(region, Span<TrnChunk *>()));
        chunks.resize(gather(region, chunks).size());
        return ChunkList(std::move(chunks));
    }

    // ---- read voxels

    Result<Snapshot> snapshot(TrnCoord coord) const
    {
        return detail::value_of<Snapshot>(trn_store_snapshot, c_, coord);
    }
    Around snapshot_around(TrnCoord coord) const
    {
        Around around;
        around.present = trn_store_snapshot_around(c_, coord, around.chunks);
        return around;
    }
    Result<TrnBlock> get_block(TrnVoxel voxel) const
    {
        return detail::value_of<TrnBlock>(trn_store_get_block, c_, voxel);
    }
    /// NOT_FOUND also if the voxel has no block data.
    Result<TrnBlockData> get_data(TrnVoxel voxel) const
    {
        return detail::value_of<TrnBlockData>(trn_store_get_data, c_, voxel);
    }
    /// Lists the block data of a box, both corners inclusive. May throw std::bad_alloc.
    std::vector<TrnVoxelData> list_data(TrnVoxel min, TrnVoxel max) const
    {
        std::vector<TrnVoxelData> list(trn_store_list_data(c_, min, max, nullptr, 0));
        const std::size_t count = trn_store_list_data(c_, min, max, list.data(), list.size());
        list.resize(count < list.size() ? count : list.size());
        return list;
    }
    /// A cursor over this store. Calls trn_cursor.
    Cursor cursor() const
    {
        return Cursor(c_);
    }
    std::uint64_t revision() const
    {
        return trn_store_revision(c_);
    }

    // ---- write voxels of one chunk; many chunks: Batch

    /// @return whether the block was another one
    Result<bool> set_block(TrnVoxel voxel, TrnBlock block)
    {
        return detail::value_of<bool>(trn_store_set_block, c_, voxel, block);
    }
    /// Sets the block data of a voxel. @return whether it was another one
    Result<bool> set_data(TrnVoxel voxel, Span<const unsigned char> bytes,
                          TrnDataRule rule = TRN_DATA_WITH_BLOCK)
    {
        const void *from = bytes.size() ? bytes.data() : detail::no_bytes;
        return detail::value_of<bool>(trn_store_set_data, c_, voxel, from, bytes.size(), rule);
    }
    /// Removes the block data of a voxel. @return whether it had some
    Result<bool> remove_data(TrnVoxel voxel)
    {
        return detail::value_of<bool>(trn_store_set_data, c_, voxel, nullptr, std::size_t{0},
                                      TRN_DATA_WITH_BLOCK);
    }
    /// @param blocks  [TRN_CHUNK_VOXELS] in linear order; BAD_ARGUMENT if it is shorter
    Status set_voxels(TrnChunk &chunk, Span<const TrnBlock> blocks)
    {
        return blocks.size() < chunk_voxels ? TRN_RESULT_BAD_ARGUMENT
                                            : trn_store_set_voxels(c_, &chunk, blocks.data());
    }
    Status fill(TrnChunk &chunk, TrnBlock block)
    {
        return trn_store_fill(c_, &chunk, block);
    }
    Status compact(TrnChunk &chunk)
    {
        return trn_store_compact(c_, &chunk);
    }

    // ---- changes and events

    /// Collects the chunks that changed after a revision into a vector to reuse.
    ChunkRange changed_since(std::uint64_t revision, std::vector<TrnChunk *> &buffer) const
    {
        return ChunkRange(detail::gather_into(buffer, [&](TrnChunk **out, std::size_t capacity) {
            return trn_store_changed_since(c_, revision, out, capacity);
        }));
    }
    /// Calls listener(StoreRef, const TrnStoreEvent &) after changes.
    /// @param kinds     ored TRN_EVENT_BITs
    /// @param listener  borrowed: must outlive the subscription
    template <class Listener>
    Result<Subscription> subscribe(std::uint32_t kinds, Listener &listener)
    {
        const TrnListener call = [](TrnStore *store, const TrnStoreEvent *event, void *user) {
            return detail::call(
                [&] { return (*static_cast<Listener *>(user))(StoreRef(store), *event); });
        };
        const TrnResult result = trn_store_subscribe(c_, kinds, call, &listener);
        return result == TRN_RESULT_OK ? Result<Subscription>(Subscription({c_, call, &listener}))
                                       : result;
    }

    // ---- memory

    void touch(Span<TrnChunk *const> chunks)
    {
        trn_store_touch(c_, chunks.data(), chunks.size());
    }
    /// @param evicted  receives how many were evicted, on every result; may be NULL
    Status evict(const TrnEviction &eviction, std::uint32_t *evicted = nullptr)
    {
        return trn_store_evict(c_, &eviction, evicted);
    }
    void trim()
    {
        trn_store_trim(c_);
    }
    void set_bytes_max(std::size_t bytes_max)
    {
        trn_store_set_bytes_max(c_, bytes_max);
    }
    TrnStoreStats stats() const
    {
        return trn_store_stats(c_);
    }
    TrnExplanation explain(TrnCoord coord) const
    {
        return trn_store_explain(c_, coord);
    }

    // ---- pending edits (terrane/batch.h)

    Status set_pending_bytes_max(std::size_t bytes_max)
    {
        return trn_pending_set_bytes_max(c_, bytes_max);
    }
    /// Collects the unloaded chunks with pending edits into a vector to reuse.
    Span<TrnCoord> pending_chunks(std::vector<TrnCoord> &buffer) const
    {
        return detail::gather_into(buffer, [&](TrnCoord *out, std::size_t capacity) {
            return trn_pending_chunks(c_, out, capacity);
        });
    }
    /// Collects the edits that are pending for a chunk into a vector to reuse.
    Span<TrnPendingRun> pending_runs(TrnCoord coord, std::vector<TrnPendingRun> &buffer) const
    {
        return detail::gather_into(buffer, [&](TrnPendingRun *out, std::size_t capacity) {
            return trn_pending_get(c_, coord, out, capacity);
        });
    }
    /// @return how many runs of voxels were dropped
    std::uint32_t drop_pending(TrnCoord coord)
    {
        return trn_pending_drop(c_, coord);
    }

    // ---- rays and bodies (terrane/raycast.h, terrane/body.h)

    Result<TrnRayHit> raycast(TrnPosition origin, const double (&direction)[3],
                              const TrnRayDef &def = trn_ray_def()) const
    {
        return detail::value_of<TrnRayHit>(trn_store_raycast, c_, origin, direction, &def);
    }
    Result<TrnOverlap> overlap(TrnPosition bottom, const double (&size)[3]) const
    {
        return detail::value_of<TrnOverlap>(trn_store_overlap, c_, bottom, size);
    }
    Result<TrnSweep> sweep(TrnPosition bottom, const double (&size)[3], const double (&motion)[3],
                           double step_height = 0) const
    {
        return detail::value_of<TrnSweep>(trn_store_sweep, c_, bottom, size, motion, step_height);
    }
    /// Advances a body by one time step.
    Status step(const TrnBodyDef &def, TrnBody &body, const TrnBodyInput &input,
                double seconds) const
    {
        return trn_body_step(c_, &def, &body, &input, seconds);
    }

    // ---- deltas --------------------------------------------------------------------------------

    /// Takes a base: a snapshot of every loaded chunk of a box. Call it in a read section that
    /// lasts as long as the base is used. Allocates if the buffer is small.
    Span<const TrnDeltaBase> delta_base(TrnBox box, std::vector<TrnDeltaBase> &buffer) const
    {
        return detail::gather_into(buffer, [&](TrnDeltaBase *out, std::size_t capacity) {
            return trn_delta_base(c_, box, out, capacity);
        });
    }
    /// Writes what differs between a base and the store. Allocates if the buffer is small.
    /// @return the delta, in the buffer. Errors: BAD_ARGUMENT, as trn_delta_write
    Result<Span<const unsigned char>> delta_write(TrnBox box, Span<const TrnDeltaBase> base,
                                                  std::vector<unsigned char> &buffer) const
    {
        const Span<unsigned char> delta =
            detail::gather_into(buffer, [&](unsigned char *out, std::size_t capacity) {
                return trn_delta_write(c_, box, base.data(), base.size(), out, capacity);
            });
        return delta.empty() ? Result<Span<const unsigned char>>(TRN_RESULT_BAD_ARGUMENT)
                             : Span<const unsigned char>(delta);
    }
    Result<TrnDeltaOutcome> delta_apply(Span<const unsigned char> delta)
    {
        return detail::value_of<TrnDeltaOutcome>(trn_delta_apply, c_, delta.data(), delta.size());
    }
};

/// Owns a store with its chunks. Destroy its readers, subscriptions, batches, histories and streams
/// first.
class Store : public Owned<StoreRef, trn_store_destroy> {
  public:
    using Owned::Owned;
    static Result<Store> create(const TrnStoreDef &def = trn_store_def())
    {
        return detail::handle_of<Store>(trn_store_create, &def);
    }
};

/// Changes of one chunk, published together (terrane/voxels.h). Cancelled at the end of its scope,
/// unless committed. 1.1 KiB; cannot be copied or moved.
class Edit {
  public:
    /// Opens an edit. If status() is not OK, it is not open, and all its calls fail.
    Edit(StoreRef store, TrnChunk &chunk) noexcept
        : store_(store), status_(trn_store_edit_begin(store.c(), &chunk, &c_))
    {
    }
    Edit(const Edit &) = delete;
    Edit &operator=(const Edit &) = delete;
    ~Edit()
    {
        cancel();
    }
    /// OK, or why the edit is not open.
    Status status() const noexcept
    {
        return status_;
    }
    /// For functions of C.
    TrnVoxelEdit *c() noexcept
    {
        return &c_;
    }
    /// @param index  linear index, 0..32767
    TrnBlock get(std::uint32_t index) const
    {
        return trn_voxel_edit_get(&c_, index);
    }
    Status set(std::uint32_t index, TrnBlock block)
    {
        return status_ ? trn_voxel_edit_set(&c_, index, block) : status_;
    }
    /// @param min,max  local, both inclusive
    Status fill_box(const std::uint32_t (&min)[3], const std::uint32_t (&max)[3], TrnBlock block)
    {
        return status_ ? trn_voxel_edit_fill_box(&c_, min, max, block) : status_;
    }
    Status replace(TrnBlock from, TrnBlock to)
    {
        return status_ ? trn_voxel_edit_replace(&c_, from, to) : status_;
    }
    /// Publishes the changes and ends the edit. @return whether a block changed
    bool commit()
    {
        if (!status_) {
            return false;
        }
        status_ = TRN_RESULT_BAD_ARGUMENT; // no longer open
        return trn_store_edit_commit(store_.c(), &c_);
    }
    /// Discards the changes and ends the edit.
    void cancel()
    {
        if (status_) {
            status_ = TRN_RESULT_BAD_ARGUMENT;
            trn_voxel_edit_cancel(&c_);
        }
    }

  private:
    StoreRef store_;
    TrnVoxelEdit c_;
    Status status_;
};

} // namespace trn

#endif
