/// Batches of edits, and undo, for C++17 and later (terrane/batch.h, terrane/history.h).
/// terrane/terrane.hpp says how results and handles work.
///
/// Tier: that of the C functions.
#ifndef TERRANE_EDITS_HPP
#define TERRANE_EDITS_HPP

#include <cstddef>

#include <terrane/base.hpp>
#include <terrane/batch.h>
#include <terrane/history.h>
#include <terrane/store.hpp>

namespace trn {

/// Borrows a batch: changes of many chunks, published together or not at all (terrane/batch.h). It
/// remembers the first failure, so checking commit() is enough.
class BatchRef : public Borrowed<TrnBatch> {
  public:
    BatchRef() noexcept = default;
    BatchRef(TrnBatch *c) noexcept : Borrowed(c)
    {
    }
    TrnResult set(TrnVoxel voxel, TrnBlock block)
    {
        return trn_batch_set(c_, voxel, block);
    }
    /// Sets the block data of a voxel.
    TrnResult set_data(TrnVoxel voxel, Span<const unsigned char> bytes,
                       TrnDataRule rule = TRN_DATA_WITH_BLOCK)
    {
        const void *from = bytes.size() ? bytes.data() : detail::no_bytes;
        return trn_batch_set_data(c_, voxel, from, bytes.size(), rule);
    }
    /// Removes the block data of a voxel.
    TrnResult remove_data(TrnVoxel voxel)
    {
        return trn_batch_set_data(c_, voxel, nullptr, 0, TRN_DATA_WITH_BLOCK);
    }
    Result<TrnBlockData> get_data(TrnVoxel voxel) const
    {
        return detail::value_of<TrnBlockData>(trn_batch_get_data, c_, voxel);
    }
    TrnResult fill_box(TrnVoxel min, TrnVoxel max, TrnBlock block)
    {
        return trn_batch_fill_box(c_, min, max, block);
    }
    TrnResult fill_sphere(TrnVoxel centre, double radius, TrnBlock block)
    {
        return trn_batch_fill_sphere(c_, centre, radius, block);
    }
    TrnResult set_runs(TrnCoord coord, Span<const TrnPendingRun> runs)
    {
        return trn_batch_set_runs(c_, coord, runs.data(), runs.size());
    }
    /// The open edit of one chunk, for functions of C. Valid until the batch ends.
    Result<TrnVoxelEdit *> edit(TrnCoord coord)
    {
        return detail::value_of<TrnVoxelEdit *>(trn_batch_edit, c_, coord);
    }
    Result<TrnBlock> get(TrnVoxel voxel) const
    {
        return detail::value_of<TrnBlock>(trn_batch_get, c_, voxel);
    }
};

/// Owns a batch. Cancelled at the end of its scope, unless committed.
class Batch : public Owned<BatchRef, trn_batch_cancel> {
  public:
    using Owned::Owned;
    static Result<Batch> begin(StoreRef store, const TrnBatchDef &def = trn_batch_def())
    {
        return detail::handle_of<Batch>(trn_batch_begin, store.c(), &def);
    }
    /// Ends the batch, whatever the result; the handle is then empty. BAD_ARGUMENT if it was.
    Result<TrnBatchOutcome> commit()
    {
        if (!c_) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        return detail::value_of<TrnBatchOutcome>(trn_batch_commit, release());
    }
    /// Discards the batch; the handle is then empty.
    void cancel()
    {
        reset();
    }
};

/// Makes all batches of a history in its scope one step.
using HistoryGroup = detail::Scope<TrnHistory, trn_history_begin_group, trn_history_end_group>;

/// Owns a history: undo and redo of batches (terrane/history.h). Destroy it before its store.
class History : public Owned<Borrowed<TrnHistory>, trn_history_destroy> {
  public:
    using Owned::Owned;
    static Result<History> create(StoreRef store, const TrnHistoryDef &def = trn_history_def())
    {
        return detail::handle_of<History>(trn_history_create, store.c(), &def);
    }
    /// A def for batches that this history records.
    TrnBatchDef batch_def() const
    {
        TrnBatchDef def = trn_batch_def();
        def.history = c_;
        return def;
    }
    /// One step lasts as long as the returned object: auto stroke = history.group();
    [[nodiscard]] HistoryGroup group()
    {
        return HistoryGroup(c_);
    }
    Result<TrnBatchOutcome> undo()
    {
        return detail::value_of<TrnBatchOutcome>(trn_history_undo, c_);
    }
    Result<TrnBatchOutcome> redo()
    {
        return detail::value_of<TrnBatchOutcome>(trn_history_redo, c_);
    }
    void clear()
    {
        trn_history_clear(c_);
    }
    TrnHistoryStats stats() const
    {
        return trn_history_stats(c_);
    }
};

} // namespace trn

#endif
