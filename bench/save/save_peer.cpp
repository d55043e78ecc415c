#include "save/save_peer.hpp"

#include <memory>
#include <vector>

#include <sqlite3.h>
#include <zlib.h>

#include "driver/topic.hpp"

namespace {

const std::size_t block_bytes = sizeof(TrnBlock[TRN_CHUNK_VOXELS]);

void bind(sqlite3_stmt *statement, TrnCoord coord)
{
    sqlite3_bind_int(statement, 1, coord.x);
    sqlite3_bind_int(statement, 2, coord.y);
    sqlite3_bind_int(statement, 3, coord.z);
}

} // namespace

ZlibRows::ZlibRows(const std::string &file)
{
    const char *const tables =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE chunks (x INT, y INT, z INT, row BLOB, PRIMARY KEY (x, y, z))";
    if (sqlite3_open(file.c_str(), &db) != SQLITE_OK ||
        sqlite3_exec(db, tables, nullptr, nullptr, nullptr) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?)", -1, &insert,
                           nullptr) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "SELECT row FROM chunks WHERE x = ? AND y = ? AND z = ?", -1,
                           &select, nullptr) != SQLITE_OK) {
        throw bench::Refused{std::string("SQLite: ") + sqlite3_errmsg(db)};
    }
}

ZlibRows::~ZlibRows()
{
    sqlite3_finalize(insert);
    sqlite3_finalize(select);
    sqlite3_close(db);
}

void ZlibRows::put(TrnCoord coord, TrnSnapshot voxels)
{
    const auto blocks = std::make_unique<TrnBlock[]>(save_voxels);
    std::vector<Bytef> packed(compressBound(block_bytes));
    uLongf size = packed.size();
    trn_snapshot_decode(voxels, blocks.get());
    compress2(packed.data(), &size, reinterpret_cast<const Bytef *>(blocks.get()), block_bytes,
              Z_BEST_SPEED);
    bind(insert, coord);
    sqlite3_bind_blob(insert, 4, packed.data(), static_cast<int>(size), SQLITE_STATIC);
    sqlite3_step(insert);
    if (sqlite3_reset(insert) != SQLITE_OK) {
        throw bench::Refused{std::string("SQLite: ") + sqlite3_errmsg(db)};
    }
}

bool ZlibRows::get(TrnCoord coord, TrnBlock *blocks)
{
    bind(select, coord);
    uLongf size = block_bytes;
    const bool is_there = sqlite3_step(select) == SQLITE_ROW &&
                          uncompress(reinterpret_cast<Bytef *>(blocks), &size,
                                     static_cast<const Bytef *>(sqlite3_column_blob(select, 0)),
                                     static_cast<uLong>(sqlite3_column_bytes(select, 0))) == Z_OK;
    sqlite3_reset(select);
    return is_there && size == block_bytes;
}
