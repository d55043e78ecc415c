// The program of the README in C++, and a game's next steps: generated land, a hole, a mesh, undo.

#include <cstdio>
#include <vector>

#include <terrane/mesher.hpp>
#include <terrane/terrane.hpp>

namespace {

/// The README's program.
void count_chunks()
{
    trn::Store store = trn::Store::create().value();
    for (int32_t x = -4; x < 4; x++) {
        store.insert({x, 0, x / 2}, TRN_BLOCK_AIR).value();
    }
    store.set_block({-100, 5, -33}, TRN_BLOCK_GRASS).value();

    size_t count = 0;
    for (const TrnChunk &chunk : store.gather(trn_box_around({0, 0, 0}, 2, 2, 2))) {
        count += chunk.coord.y == 0;
    }
    std::printf("%zu chunks are near the origin\n", count);
}

/// Fills a store with the land around a voxel.
void generate(const trn::Terrain &terrain, trn::Store &store, TrnVoxel at)
{
    std::vector<TrnBlock> blocks(trn::chunk_voxels);
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        const TrnCoord coord = trn_coord_around(trn_voxel_chunk(at), place);
        if (terrain.generate(coord, blocks).value()) {
            store.insert(coord, blocks[0]).value();
        } else {
            store.insert(coord, blocks).value();
        }
    }
}

size_t count_quads(const trn::Store &store, TrnCoord coord, const trn::MeshScratch &scratch)
{
    trn::Mesh mesh;
    mesh.build(trn::mesh_input(store, coord), scratch).value();
    return mesh.quads().size();
}

void dig_and_undo()
{
    const trn::Terrain terrain = trn::Terrain::create().value();
    trn::Store store = trn::Store::create().value();
    trn::History history = trn::History::create(store).value();
    const trn::MeshScratch scratch = trn::MeshScratch::create().value();

    const TrnVoxel ground{16, terrain.height(16, 16).value(), 16};
    const TrnCoord coord = trn_voxel_chunk(ground);
    generate(terrain, store, ground);
    const size_t before = count_quads(store, coord, scratch);

    trn::Batch batch = trn::Batch::begin(store, history.batch_def()).value();
    batch.fill_sphere(ground, 4, TRN_BLOCK_AIR); // the commit reports failures
    const TrnBatchOutcome dug = batch.commit().value();
    std::printf("%d voxels were dug: %zu quads instead of %zu.\n",
                static_cast<int>(dug.changed_voxels), count_quads(store, coord, scratch), before);

    history.undo().value();
    std::printf("Undone: %zu quads.\n", count_quads(store, coord, scratch));
}

} // namespace

int main()
{
    try {
        count_chunks();
        dig_and_undo();
    } catch (const trn::Error &error) {
        std::printf("%s\n", error.what());
        return 1;
    }
    return 0;
}
