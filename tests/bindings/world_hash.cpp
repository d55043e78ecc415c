// The world of examples/world_hash.c, by the C++ wrapper.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <terrane/mesher.hpp>
#include <terrane/terrane.hpp>

namespace {

constexpr std::uint64_t world_hash = 0x1468C3D6C9702D50;

class Hash {
  public:
    std::uint64_t value = 0;

    void add(std::uint64_t number)
    {
        value = (value ^ number) * 0x9E3779B97F4A7C15;
        value ^= value >> 32;
    }
};

std::vector<TrnCoord> chunks()
{
    std::vector<TrnCoord> coords;
    for (std::int32_t y = -2; y <= 2; y++) {
        for (std::int32_t z = -3; z <= 3; z++) {
            for (std::int32_t x = -3; x <= 3; x++) {
                coords.push_back({x, y, z});
            }
        }
    }
    return coords;
}

void hash_blocks(const trn::Store &store, Hash &hash)
{
    std::vector<TrnBlock> blocks(trn::chunk_voxels);
    for (const TrnCoord coord : chunks()) {
        store.snapshot(coord).value().decode(blocks).value();
        for (const TrnBlock block : blocks) {
            hash.add(block);
        }
    }
}

void edit(trn::Store &store)
{
    trn::Batch batch = trn::Batch::begin(store).value();
    for (std::int64_t i = -2; i <= 2; i++) {
        batch.fill_sphere({32 * i, 7 * i, -32 * i}, 9.5 + static_cast<double>(i), TRN_BLOCK_AIR);
    }
    batch.fill_box({-70, -12, 3}, {70, 30, 4}, TRN_BLOCK_STONE);
    for (std::int64_t i = 0; i < 500; i++) {
        batch.set({i * 37 % 200 - 100, i * 11 % 90 - 45, i * 53 % 200 - 100},
                  static_cast<TrnBlock>(i % 5 + 1));
    }
    batch.commit().value(); // reports failures of the calls above
}

std::uint64_t hash_world()
{
    TrnTerrainDef def = trn_terrain_def();
    def.seed = 23;
    const trn::Terrain terrain = trn::Terrain::create(def).value();
    trn::Store store = trn::Store::create().value();
    std::vector<TrnBlock> blocks(trn::chunk_voxels);
    for (const TrnCoord coord : chunks()) {
        if (terrain.generate(coord, blocks).value()) {
            store.insert(coord, blocks[0]).value();
        } else {
            store.insert(coord, blocks).value();
        }
    }
    Hash hash;
    hash_blocks(store, hash);
    edit(store);
    hash_blocks(store, hash);
    const trn::MeshScratch scratch = trn::MeshScratch::create().value();
    trn::Mesh mesh;
    for (const TrnCoord coord : chunks()) {
        TrnMeshInput input = trn::mesh_input(store, coord);
        input.missing_is_solid = false;
        mesh.build(input, scratch).value();
        for (const std::uint32_t first : mesh.info().first) {
            hash.add(first);
        }
        for (const TrnQuad quad : mesh.quads()) {
            hash.add(quad);
        }
    }
    return hash.value;
}

} // namespace

int main()
{
    try {
        const std::uint64_t hash = hash_world();
        std::printf("0x%016llX\n", static_cast<unsigned long long>(hash));
        return hash == world_hash ? 0 : 1;
    } catch (const trn::Error &error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}
