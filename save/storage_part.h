/// Private: how a file that appears when it is complete (trn_storage_part_begin) goes on as a held
/// one.
#ifndef TERRANE_SAVE_STORAGE_PART_H
#define TERRANE_SAVE_STORAGE_PART_H

#include "held_file.h"

/// As trn_storage_part_end, but keeps the file under its name held for writing, without a moment in
/// which another could take it.
/// @param held  receives it; trn_held_close frees it
TrnResult trn_storage_part_keep(TrnStoragePart *part, TrnResult result, TrnHeldFile **held,
                                TrnStorageProblem *problem);

#endif
