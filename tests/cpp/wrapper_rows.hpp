/// Rows of storages for tests of the C++ wrapper.
#pragma once

#include <cstdint>
#include <cstring>

#include <terrane/save.hpp>

inline TrnStorageRow row_of(TrnCoord coord, std::uint64_t revision, const char *text)
{
    return TrnStorageRow{{coord, 0}, revision, text, std::strlen(text)};
}

inline trn::Status put_row(trn::StorageRef storage, const TrnStorageRow &row)
{
    TrnStorageBatch batch{};
    batch.rows = &row;
    batch.row_count = 1;
    return storage.put(batch);
}
