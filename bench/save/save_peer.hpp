/// The peer, as in most games: one row per chunk in SQLite, compressed with zlib.
#pragma once

#include <string>

#include <terrane/voxels.h>

#include "save/save_land.hpp"

struct sqlite3;
struct sqlite3_stmt;

/// Blocks of 16 bits, compressed by zlib at its fastest level. Each put is a transaction that is
/// synced, in a database with a write-ahead log.
class ZlibRows {
  public:
    explicit ZlibRows(const std::string &file); ///< @throws bench::Refused
    ~ZlibRows();
    ZlibRows(const ZlibRows &) = delete;
    ZlibRows &operator=(const ZlibRows &) = delete;

    void put(TrnCoord coord, TrnSnapshot voxels);
    /// @param blocks  [TRN_CHUNK_VOXELS] @return whether the chunk is saved
    bool get(TrnCoord coord, TrnBlock *blocks);

  private:
    sqlite3 *db = nullptr;
    sqlite3_stmt *insert = nullptr, *select = nullptr;
};
