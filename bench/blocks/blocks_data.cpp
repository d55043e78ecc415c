// Block data of one chunk: stored by Terrane, or in a hash map from voxel to bytes that the game
// owns. Terrane's block data can be shared with readers, undone and saved; the map's cannot.

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <terrane/batch.h>
#include <terrane/block_data.h>

#include "blocks/blocks_parts.hpp"
#include "driver/clock.hpp"
#include "owned.hpp"

namespace {

const char *const by_map = "std::unordered_map, bytes by voxel";
const char *const by_terrane = "Terrane";
const char *const q_find = "block data: find, a voxel";
const char *const q_list = "block data: list a chunk, a voxel";
const char *const q_all = "block data: set in one batch, a voxel";
const char *const q_one = "block data: set alone, a voxel";

const std::size_t data_size = 64;

using Bytes = std::vector<unsigned char>;

/// A chunk of 16 block types with data at random voxels, in a map and in a store.
class Chests {
  public:
    explicit Chests(std::size_t count);

    /// Finds the data of every chest and adds its first byte and its size to `sum`.
    void find_in_map();
    void find_in_store();
    void list_map();
    void list_store();
    /// Gives every chest new bytes.
    double set_map();
    double set_store();
    /// Whether every chest has its new bytes.
    bool is_set_in_map() const;
    bool is_set_in_store() const;
    /// Gives the next chest new bytes.
    void set_one_in_map();
    void set_one_in_store();
    /// Whether the chest that was set last has its new bytes.
    bool is_last_in_map() const;
    bool is_last_in_store() const;

    std::uint64_t sum = 0, right_sum = 0;

  private:
    TrnVoxel voxel_of(std::uint32_t index) const
    {
        return {index % 32, index / 1024, index / 32 % 32};
    }
    Bytes bytes_of(std::uint32_t index, std::uint32_t round) const
    {
        Bytes bytes(data_size, static_cast<unsigned char>(index + round));
        std::memcpy(bytes.data(), &index, sizeof index);
        return bytes;
    }
    std::uint32_t next_chest()
    {
        return chests[++turn % chests.size()];
    }
    /// The value for the bytes of the current chest. It changes with each round over all chests.
    int new_byte() const
    {
        return static_cast<int>((turn + turn / chests.size()) % 256);
    }

    std::vector<std::uint32_t> chests; ///< in random order
    std::unordered_map<std::uint32_t, Bytes> map;
    Owned<TrnStore, trn_store_destroy> store;
    std::vector<TrnVoxelData> listed;
    std::uint32_t map_round = 0, store_round = 0;
    std::size_t turn = 0;
};

Chests::Chests(std::size_t count) : listed(count)
{
    std::mt19937 random(1);
    std::vector<std::uint32_t> voxels(static_cast<std::size_t>(TRN_CHUNK_VOXELS));
    std::vector<TrnBlock> blocks(voxels.size());
    for (std::size_t i = 0; i < voxels.size(); i++) {
        voxels[i] = static_cast<std::uint32_t>(i);
        blocks[i] = static_cast<TrnBlock>(1 + i * 2654435761u / 4096 % 16);
    }
    std::shuffle(voxels.begin(), voxels.end(), random);
    chests.assign(voxels.begin(), voxels.begin() + static_cast<std::ptrdiff_t>(count));
    create_owned(store, trn_store_create, nullptr);
    require(trn_store_insert_voxels(store.get(), {0, 0, 0}, blocks.data(), nullptr));
    (void)set_map();
    (void)set_store();
    for (const std::uint32_t index : chests) {
        right_sum += map.at(index)[0] + data_size;
    }
}

double Chests::set_map()
{
    map_round++;
    std::vector<Bytes> bytes;
    for (const std::uint32_t index : chests) {
        bytes.push_back(bytes_of(index, map_round));
    }
    return ns_of([this, &bytes] {
        for (std::size_t i = 0; i < chests.size(); i++) {
            map[chests[i]].assign(bytes[i].begin(), bytes[i].end());
        }
    });
}

double Chests::set_store()
{
    store_round++;
    std::vector<Bytes> bytes;
    for (const std::uint32_t index : chests) {
        bytes.push_back(bytes_of(index, store_round));
    }
    return ns_of([this, &bytes] {
        TrnBatch *batch = nullptr;
        require(trn_batch_begin(store.get(), nullptr, &batch));
        for (std::size_t i = 0; i < chests.size(); i++) {
            (void)trn_batch_set_data(batch, voxel_of(chests[i]), bytes[i].data(), data_size,
                                     TRN_DATA_WITH_BLOCK); // the commit reports failures
        }
        require(trn_batch_commit(batch, nullptr));
    });
}

void Chests::set_one_in_map()
{
    const std::uint32_t index = next_chest();
    unsigned char bytes[data_size];
    std::memset(bytes, new_byte(), sizeof bytes);
    map[index].assign(bytes, bytes + sizeof bytes);
}

void Chests::set_one_in_store()
{
    const std::uint32_t index = next_chest();
    unsigned char bytes[data_size];
    std::memset(bytes, new_byte(), sizeof bytes);
    require(trn_store_set_data(store.get(), voxel_of(index), bytes, sizeof bytes,
                               TRN_DATA_WITH_BLOCK, nullptr));
}

bool Chests::is_last_in_map() const
{
    const Bytes &bytes = map.at(chests[turn % chests.size()]);
    return bytes == Bytes(data_size, static_cast<unsigned char>(new_byte()));
}

bool Chests::is_last_in_store() const
{
    TrnBlockData data = {};
    const Bytes right(data_size, static_cast<unsigned char>(new_byte()));
    require(trn_store_get_data(store.get(), voxel_of(chests[turn % chests.size()]), &data));
    return data.size == right.size() && std::memcmp(data.bytes, right.data(), data.size) == 0;
}

void Chests::find_in_map()
{
    sum = 0;
    for (const std::uint32_t index : chests) {
        const Bytes &bytes = map.find(index)->second;
        sum += bytes[0] + bytes.size();
    }
}

void Chests::find_in_store()
{
    sum = 0;
    for (const std::uint32_t index : chests) {
        TrnBlockData data = {};
        require(trn_store_get_data(store.get(), voxel_of(index), &data));
        sum += *static_cast<const unsigned char *>(data.bytes) + data.size;
    }
}

void Chests::list_map()
{
    sum = 0;
    for (const auto &chest : map) {
        sum += chest.second[0] + chest.second.size();
    }
}

void Chests::list_store()
{
    sum = 0;
    const std::size_t count =
        trn_store_list_data(store.get(), {0, 0, 0}, {31, 31, 31}, listed.data(), listed.size());
    for (std::size_t i = 0; i < count; i++) {
        const TrnBlockData &data = listed[i].data;
        sum += *static_cast<const unsigned char *>(data.bytes) + data.size;
    }
}

bool Chests::is_set_in_map() const
{
    return std::all_of(chests.begin(), chests.end(), [this](std::uint32_t index) {
        return map.at(index) == bytes_of(index, map_round);
    });
}

bool Chests::is_set_in_store() const
{
    return std::all_of(chests.begin(), chests.end(), [this](std::uint32_t index) {
        TrnBlockData data = {};
        const Bytes right = bytes_of(index, store_round);
        return trn_store_get_data(store.get(), voxel_of(index), &data) == TRN_RESULT_OK &&
               data.size == right.size() && std::memcmp(data.bytes, right.data(), data.size) == 0;
    });
}

bench::Scene scene_of(const char *question, const std::string &world, std::size_t count)
{
    return {question, world, "ns", count, 0, by_map};
}

void add_world(bench::Bench &bench, std::size_t count, const std::string &world)
{
    using Work = void (Chests::*)();
    const auto read = std::make_shared<Chests>(count);
    const auto reads = [read](const char *by, Work work) {
        return bench::timed(
            by, [read, work] { (read.get()->*work)(); },
            [read] { return read->sum == read->right_sum; });
    };
    bench::Scene find = scene_of(q_find, world, count), list = scene_of(q_list, world, count);
    find.attempts = {reads(by_map, &Chests::find_in_map),
                     reads(by_terrane, &Chests::find_in_store)};
    list.attempts = {reads(by_map, &Chests::list_map), reads(by_terrane, &Chests::list_store)};
    bench.add(find);
    bench.add(list);

    const auto written = std::make_shared<Chests>(count);
    bench::Scene all = scene_of(q_all, world, count), one = scene_of(q_one, world, 1);
    all.attempts = {bench::measured(
                        by_map, [written] { return written->set_map(); },
                        [written] { return written->is_set_in_map(); }),
                    bench::measured(
                        by_terrane, [written] { return written->set_store(); },
                        [written] { return written->is_set_in_store(); })};
    bench.add(all);
    const auto edited = std::make_shared<Chests>(count);
    one.attempts = {bench::timed(
                        by_map, [edited] { edited->set_one_in_map(); },
                        [edited] { return edited->is_last_in_map(); }),
                    bench::timed(
                        by_terrane, [edited] { edited->set_one_in_store(); },
                        [edited] { return edited->is_last_in_store(); })};
    bench.add(one);
}

} // namespace

void add_data_scenes(bench::Bench &bench)
{
    add_world(bench, 1, "1 chest in a chunk");
    add_world(bench, 100, "100 chests in a chunk");
    add_world(bench, 1000, "1,000 chests in a chunk");
    add_world(bench, TRN_DATA_VOXELS_MAX, "4,096 chests in a chunk");
}
