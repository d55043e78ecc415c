/// Private: what terrane::shared and terrane::import need of a save. The functions are exported,
/// but no part of the public interface.
#ifndef TERRANE_SAVE_SAVE_INTERNAL_H
#define TERRANE_SAVE_SAVE_INTERNAL_H

#include <terrane/save.h>

#define TRN_SAVE_REVISION_NAME "terrane/revision"          ///< of the last transaction with a row
#define TRN_SAVE_MEMBER_WORKER (TRN_STREAM_WORKER_MAX + 1) ///< of TrnMember's thread

/// Returns the save's storage.
TRN_API const TrnStorage *trn_save_storage(const TrnSave *save);

/// Writes the storage's sentence about its last failure, or the result's.
/// @param problem  may be NULL
TRN_API void trn_save_describe(const TrnStorage *storage, TrnResult result,
                               TrnStorageProblem *problem);

/// Decodes a row with its block data on the thread of a member. As trn_save_read_row and
/// trn_save_read_row_data; CORRUPT also if it has blocks whose names the save has not learnt yet.
TRN_API TrnResult trn_save_read_member_row(TrnSave *save, const TrnStorageRow *row,
                                           TrnBlock *blocks, bool *uniform,
                                           const TrnDataSink *sink);

/// Makes a chunk of a level of detail, on the thread of a member, as trn_save_fold does.
/// @param level  1..land->level_max
/// Errors: as trn_save_fold.
TRN_API TrnResult trn_save_fold_member_chunk(TrnSave *save, const TrnGenerator *land,
                                             TrnCoord coord, uint32_t level);

/// As trn_save_put for a chunk of full detail, with its block data.
/// @param data  [count] copied: in the order of voxels, one each, within the limits of
///              terrane/block_data.h
TRN_API TrnResult trn_save_put_data(TrnSave *save, TrnCoord coord, const TrnBlock *blocks,
                                    bool uniform, const TrnBlockData *data, uint32_t count);

/// Makes another save of the same world, for a thread that must not wait for what others write. It
/// has no thread of its own, and leaves the storage open when it is destroyed.
/// @param save  outlives it  As trn_save_create.
TRN_API TrnResult trn_save_create_beside(const TrnSave *save, TrnSave **beside,
                                         TrnStorageProblem *problem);

/// Whether a chunk is to be discarded.
typedef bool TrnSaveFilter(void *user, const TrnStorageKey *key);

/// Discards chunks that are in the queue: another process owns them now. Any thread.
TRN_API void trn_save_discard(TrnSave *save, TrnSaveFilter *filter, void *user);

#endif
