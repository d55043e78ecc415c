#include "shared/party.hpp"

#include <cstdint>
#include <cstdlib>

#include <terrane/shared.h>

#include "driver/topic.hpp"
#include "save/save_land.hpp"

namespace {

TrnResult generate(void * /*user*/, TrnCoord coord, std::uint32_t /*level*/, TrnBlock *blocks,
                   bool *uniform)
{
    blocks[0] = static_cast<TrnBlock>(coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR);
    *uniform = true;
    return TRN_RESULT_OK;
}

bool list_value(void *user, const TrnStorageValue *value)
{
    static_cast<std::vector<std::string> *>(user)->emplace_back(value->name);
    return true;
}

/// Returns a parameter of a database's URL, or what libpq takes instead.
std::string url_parameter(const std::string &url, const std::string &name, const char *variable,
                          const char *standard)
{
    const std::size_t at = url.find(name + "=");
    if (at != std::string::npos) {
        const std::size_t begin = at + name.size() + 1;
        return url.substr(begin, url.find('&', begin) - begin);
    }
    const char *const value = std::getenv(variable);
    return value ? value : standard;
}

} // namespace

Party::Party(const std::string &url, const std::string &how, double place_seconds)
{
    TrnStorageProblem problem = {};
    TrnSaveDef save_def = trn_save_def();
    TrnStoreDef store_def = trn_store_def();
    TrnMemberDef def = trn_member_def();
    create_owned(types, trn_block_types_create_builtin, nullptr);
    save_def.types = store_def.types = types.get();
    if (trn_storage_open_any(url.c_str(), TRN_STORAGE_EITHER, &save_def.storage, &problem) !=
            TRN_RESULT_OK ||
        trn_save_create(&save_def, &made_save, &problem) != TRN_RESULT_OK) {
        throw bench::Refused{problem.sentence};
    }
    create_owned(store, trn_store_create, &store_def);
    def.save = made_save;
    def.store = store.get();
    def.land.generate = generate;
    def.name = "bench";
    def.has_notify = how == by_notify;
    def.hints = how == by_notify || how == by_polls ? nullptr : how.c_str();
    def.place_seconds = place_seconds;
    if (trn_member_create(&def, &member, &problem) != TRN_RESULT_OK) {
        throw bench::Refused{problem.sentence};
    }
}

Party::~Party()
{
    trn_member_destroy(member);
    store.reset();
    (void)trn_save_destroy(made_save);
}

void Party::load(TrnCoord place)
{
    std::vector<TrnBlock> blocks(save_voxels);
    const TrnStreamSource source = trn_member_source(member);
    TrnStreamJob job = {};
    bool is_uniform = false;
    job.coord = place;
    TrnResult result = source.load(source.user, &job, blocks.data(), &is_uniform);
    result = result == TRN_RESULT_NOT_FOUND
                 ? generate(nullptr, place, 0, blocks.data(), &is_uniform)
                 : result;
    if (result != TRN_RESULT_OK ||
        trn_store_insert_data(store.get(), place, blocks.data(), is_uniform, nullptr, 0, nullptr) !=
            TRN_RESULT_OK) {
        throw bench::Refused{"a chunk could not be loaded"};
    }
}

void Party::set(TrnVoxel voxel, TrnBlock block)
{
    (void)trn_store_set_block(store.get(), voxel, block, nullptr);
}

bool Party::has(TrnVoxel voxel, TrnBlock wanted) const
{
    TrnBlock block = TRN_BLOCK_AIR;
    return trn_store_get_block(store.get(), voxel, &block) == TRN_RESULT_OK && block == wanted;
}

std::string server_socket(const std::string &url)
{
    return url_parameter(url, "host", "PGHOST", "/var/run/postgresql") + "/.s.PGSQL." +
           url_parameter(url, "port", "PGPORT", "5432");
}

ServerLog::ServerLog(const std::string &url)
{
    TrnStorageProblem problem = {};
    if (trn_storage_open_any(url.c_str(), TRN_STORAGE_READ_ONLY, &storage, &problem) !=
        TRN_RESULT_OK) {
        throw bench::Refused{problem.sentence};
    }
    (void)bytes(); // connects the reader
}

ServerLog::~ServerLog()
{
    storage.close(storage.user);
}

double ServerLog::bytes() const
{
    TrnSharedStatus status = {};
    (void)trn_shared_status(&storage, &status);
    return static_cast<double>(status.log_bytes);
}

void clear_world(const std::string &url, const std::vector<TrnCoord> &chunks)
{
    TrnStorage storage = {};
    std::vector<std::string> names;
    std::vector<TrnStorageRow> rows;
    std::vector<TrnStorageValue> values;
    if (trn_storage_open_any(url.c_str(), TRN_STORAGE_OPEN, &storage, nullptr) != TRN_RESULT_OK) {
        return;
    }
    (void)storage.values(storage.user, "", list_value, &names);
    values.reserve(names.size());
    rows.reserve(chunks.size());
    for (const std::string &name : names) {
        values.push_back({name.c_str(), nullptr, 0});
    }
    for (const TrnCoord &chunk : chunks) {
        rows.push_back({{chunk, 0}, 1, nullptr, 0});
    }
    const TrnStorageBatch batch = {rows.data(), rows.size(), values.data(), values.size(), 0};
    (void)storage.put(storage.user, &batch);
    storage.close(storage.user);
}
