/// Private: columns that were read and decompressed, by any number of threads.
///
/// A chunk needs four columns, and the chunks above and below it need them again. The cache keeps
/// up to bytes_max of columns that no thread uses, and drops the least recently used. It also notes
/// where columns have land beyond the heights that Minecraft itself has: only reading a column
/// tells that.
#ifndef TERRANE_SAVE_IMPORT_ANVIL_CACHE_H
#define TERRANE_SAVE_IMPORT_ANVIL_CACHE_H

#include "base/thread.h"

#include "anvil_files.h"
#include "anvil_section.h"
#include "notes.h"

#define TRN_ANVIL_CACHE_BYTES ((size_t)64 << 20) ///< while chunks are loaded in any order
#define TRN_ANVIL_TOWER_BYTES ((size_t)4 << 20)  ///< while they are loaded tower by tower
#define TRN_ANVIL_CACHE_SLOTS 1024

/// A column. Its fields may be read between take and give.
typedef struct TrnAnvilCached {
    bool is_there; ///< the world has the column, and it is not damaged
    TrnAnvilPacking packing;
    int32_t y_low, y_high;     ///< in sections
    TrnAnvilSection *sections; ///< [y_high - y_low]
    TrnNbt contents;           ///< as TrnAnvilColumn
    TrnNbtType contents_type;
    TrnBytes bytes; ///< decompressed; sections point into them
    int32_t x, z;
    bool is_used, is_loading; ///< of the cache: the slot has a column; a thread is reading it
    uint32_t users;           ///< threads between take and give
    uint64_t last_use;
} TrnAnvilCached;

#define TRN_ANVIL_Y_WORDS (TRN_ANVIL_Y_COUNT / 64)

/// Two by two columns with land beyond the usual heights.
typedef struct TrnAnvilTower {
    int32_t x, z;                    ///< half of the columns' coordinates
    uint64_t has[TRN_ANVIL_Y_WORDS]; ///< bit y - TRN_ANVIL_Y_MIN: a section that is not air alone
} TrnAnvilTower;

TRN_ARRAY_DECLARE(TrnAnvilTowers, TrnAnvilTower);

typedef struct TrnAnvilCache {
    const TrnAllocator *allocator;
    const TrnAnvilFiles *files;
    TrnImportNotes *notes;
    TrnMutex mutex;         ///< of what follows
    TrnCondition condition; ///< a column was loaded or given back
    TrnCoordMap places;     ///< {x, 0, z}: the slot
    uint64_t uses;
    size_t bytes, bytes_max;
    bool notes_towers; ///< otherwise `towers` stays as it is: streams do not ask for them
    TrnAnvilTowers towers;
    TrnCoordMap tower_places; ///< {x, 0, z}: the index of a tower
    TrnAnvilCached slots[TRN_ANVIL_CACHE_SLOTS];
} TrnAnvilCache;

/// @param cache  of zeroes; keeps the addresses
/// Errors: NO_MEMORY.
TrnResult trn_anvil_cache_open(TrnAnvilCache *cache, const TrnAnvilFiles *files,
                               TrnImportNotes *notes, const TrnAllocator *allocator);
void trn_anvil_cache_close(TrnAnvilCache *cache);

/// Reads a column, unless it is cached. Give it back.
/// Errors: NO_MEMORY.
TrnResult trn_anvil_cache_take(TrnAnvilCache *cache, int32_t x, int32_t z, TrnAnvilCached **column);
void trn_anvil_cache_give(TrnAnvilCache *cache, TrnAnvilCached *column);

#endif
