/// Private: the pages of an SQLite database as bytes, for repair. Nothing of the file has to be
/// intact: pages are numbered by their place, and a chain of overflow pages is followed as far as
/// it leads.
///
/// https://www.sqlite.org/fileformat2.html describes pages, cells and the write-ahead log.
#ifndef TERRANE_SAVE_CARVE_H
#define TERRANE_SAVE_CARVE_H

#include <stdbool.h>
#include <stdint.h>

#include <terrane/storage.h>

/// A database, and its log if there is one, open for reading.
typedef struct TrnCarve TrnCarve;

/// Where a page was read from.
typedef enum TrnCarveHome {
    TRN_CARVE_DATABASE,
    TRN_CARVE_LOG,    ///< of a transaction that was committed
    TRN_CARVE_OLD_LOG ///< not committed, or left by an earlier log
} TrnCarveHome;

/// Opens the files; nothing is locked or written.
/// Errors: NOT_FOUND, NO_MEMORY, IO.
TrnResult trn_carve_open(const char *path, const TrnAllocator *allocator, TrnCarve **carve);
/// @param carve  may be NULL
void trn_carve_close(TrnCarve *carve);

/// Returns how many pages there are: those of the database, then those of the log.
uint64_t trn_carve_count(const TrnCarve *carve);

/// Returns the bytes of a page; and those of them that SQLite uses.
uint32_t trn_carve_page_bytes(const TrnCarve *carve);
uint32_t trn_carve_usable(const TrnCarve *carve);

/// Reads a page. @param bytes  [trn_carve_page_bytes]
/// @return false if the system could not read it
bool trn_carve_read(const TrnCarve *carve, uint64_t index, unsigned char *bytes,
                    TrnCarveHome *home);

/// Returns how many bytes of a payload lie in its cell. @param is_index  of an index, or of a table
/// WITHOUT ROWID
uint32_t trn_carve_local(const TrnCarve *carve, uint64_t payload_bytes, bool is_index);

/// Copies what lies on a chain of overflow pages. Hostile files have many long chains: no more are
/// followed when 64 times the pages of the file have been read.
/// @param in_log  whether the log's pages go before those of the database
/// @return false if the chain ends too early or leads out of the file, or at that limit
bool trn_carve_follow(TrnCarve *carve, uint32_t first_page, bool in_log, unsigned char *bytes,
                      size_t size);

#endif
