/// Terrane, repair: finds what is whole in a broken world file.
///
/// Tier: experimental.
#ifndef TERRANE_REPAIR_H
#define TERRANE_REPAIR_H

#include <terrane/storage.h>

TRN_C_BEGIN

/// What a repair found.
typedef struct TrnRepairReport {
    uint64_t chunks; ///< that the new file has
    uint64_t older;  ///< rows of these chunks that a newer one replaces
    uint64_t broken; ///< places that begin as a row and are none: damage, and remains of old rows
    uint64_t values; ///< of the game and of the save, block names included, in the new file
    uint64_t lost_names; ///< blocks whose names were not found: "lost:00012" stands for number 12
    uint64_t unreadable; ///< pages that the system could not read
} TrnRepairReport;

/// Copies all rows whose checksum holds, and the values that can be found, from a broken SQLite
/// storage into a new one. Of several rows of a chunk the newest wins; a row that was removed may
/// come back. The broken file and its log are only read, as bytes, and need not be a database any
/// more.
///
/// Values have no checksums: they are read where pages are in order. What was in quarantine is left
/// behind.
/// @param path      UTF-8; no program may have it open for writing
/// @param to        UTF-8; must not exist. It appears when it is complete, and is on the disk then
/// @param progress  may be NULL
/// @param report    receives what was found; may be NULL
/// @param problem   receives a sentence on failure; may be NULL
/// Errors: BAD_ARGUMENT, NOT_FOUND, EXISTS, NO_MEMORY, BUSY (a program has it open for writing),
/// CORRUPT (nothing of a world was found), IO (also if progress stopped it); no file is left then.
/// Threads: any. Cost: reads the file once; some 24 bytes of memory a chunk.
TRN_API TrnResult trn_repair_sqlite(const char *path, const char *to,
                                    const TrnStorageProgress *progress, TrnRepairReport *report,
                                    TrnStorageProblem *problem);

TRN_C_END
#endif
