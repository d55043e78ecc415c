#include "save/save_land.hpp"

#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <system_error>

#include "driver/topic.hpp"

// ---- the land ----------------------------------------------------------------------------------

SaveLand::SaveLand(std::size_t count)
{
    create_owned(types, trn_block_types_create_builtin, nullptr);
    create_owned(heap, trn_voxel_heap_create, nullptr);
    const auto terrain =
        make_owned<Owned<TrnTerrain, trn_terrain_destroy>>(trn_terrain_create, nullptr);
    const auto blocks = std::make_unique<TrnBlock[]>(save_voxels);
    for (std::int32_t row = 0; chunks.size() < count; row++) {
        for (std::int32_t x = 0; x < 64 && chunks.size() < count; x++) {
            std::int64_t height = 0;
            bool uniform = false;
            require(trn_terrain_height(terrain.get(), x * save_edge, row * save_edge, &height));
            const TrnCoord at = {x, static_cast<std::int32_t>(height >> TRN_CHUNK_SHIFT), row};
            require(trn_terrain_generate(terrain.get(), at, blocks.get(), &uniform));
            if (!uniform) {
                coords.push_back(at);
                chunks.push_back({0});
                require(trn_voxels_encode(heap.get(), &chunks.back(), blocks.get(), 1));
            }
        }
    }
}

std::size_t SaveLand::size() const
{
    return chunks.size();
}

TrnCoord SaveLand::coord(std::size_t i) const
{
    return coords[i];
}

TrnSnapshot SaveLand::voxels(std::size_t i) const
{
    return trn_voxels_snapshot(&chunks[i]);
}

bool SaveLand::is(std::size_t i, const TrnBlock *blocks) const
{
    const auto own = std::make_unique<TrnBlock[]>(save_voxels);
    trn_snapshot_decode(voxels(i), own.get());
    return std::memcmp(own.get(), blocks, sizeof(TrnBlock[TRN_CHUNK_VOXELS])) == 0;
}

// ---- files -------------------------------------------------------------------------------------

SaveFolder::SaveFolder()
{
    std::error_code error;
    std::random_device random;
    for (bool is_new = false; !is_new && !error;) { // false: the name is in use
        path = ".terrane-bench-" + std::to_string(random());
        is_new = std::filesystem::create_directory(path, error);
    }
    if (error) {
        throw bench::Refused{"no folder can be made here: " + error.message()};
    }
}

SaveFolder::~SaveFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

std::string SaveFolder::file(const std::string &name) const
{
    return path + "/" + name;
}

std::uint64_t SaveFolder::bytes(const std::string &name) const
{
    std::error_code ignored;
    return std::filesystem::file_size(file(name), ignored);
}

void SaveFolder::remove(const std::string &name) const
{
    for (const char *suffix : {"", "-wal", "-shm"}) {
        std::error_code ignored;
        std::filesystem::remove(file(name + suffix), ignored);
    }
}
