#include "game_stores.hpp"

#include <algorithm>

namespace game {

namespace {

void *counted_alloc(std::size_t bytes, std::size_t alignment, void *user)
{
    *static_cast<std::size_t *>(user) += bytes;
    return trn_aligned_alloc(bytes, alignment);
}

void counted_free(void *memory, std::size_t bytes, void *user)
{
    *static_cast<std::size_t *>(user) -= bytes;
    trn_aligned_free(memory);
}

} // namespace

TerraneWorld::TerraneWorld()
{
    const TrnAllocator counted = {counted_alloc, counted_free, &solver_bytes};
    create_owned(solver, trn_light_solver_create, &counted);
    trn_mesh_init(&built, nullptr);
    trn_store_watch(store, &watch);
}

TerraneWorld::~TerraneWorld()
{
    trn_store_unwatch(store, &watch);
    trn_mesh_free(&built);
}

// ---- edits -------------------------------------------------------------------------------------

void TerraneWorld::inserted(TrnChunk *chunk)
{
    trn_light_open_columns(trn_voxels_snapshot(&chunk->voxels), trn_store_block_types(store),
                           extra_of(chunk)->open);
}

void TerraneWorld::changing(void *user, TrnCoord coord, TrnSnapshot before, TrnSnapshot after)
{
    auto *const world = static_cast<TerraneWorld *>(user);
    world->reaches.push_back(
        {coord, trn_light_reach(before, after, trn_store_block_types(world->store))});
}

void TerraneWorld::changed(TrnChunk *chunk)
{
    inserted(chunk);
}

// ---- light -------------------------------------------------------------------------------------

/// Which columns are open to the sky above a chunk and its neighbours, from the chunks at least two
/// above.
void TerraneWorld::open_above(TrnCoord coord, std::uint32_t (*rows)[TRN_CHUNK_EDGE]) const
{
    for (int column = 0; column < 9; column++) {
        TrnCoord at = trn_coord_add(coord, column % 3 - 1, 2, column / 3 - 1);
        std::fill_n(rows[column], TRN_CHUNK_EDGE, UINT32_MAX);
        for (TrnChunk *chunk; (chunk = trn_store_find(store, at)) != nullptr; at.y++) {
            for (int z = 0; z < TRN_CHUNK_EDGE; z++) {
                rows[column][z] &= extra_of(chunk)->open[z];
            }
        }
    }
}

/// Whether a chunk is all air or buried, so that no face is visible. Reads `input`.
bool TerraneWorld::shows_nothing(std::uint32_t present) const
{
    const TrnSnapshot &centre = input.around[TRN_AROUND_CENTRE];
    bool is_buried = true;
    for (const std::uint32_t place : {4u, 10u, 12u, 14u, 16u, 22u}) { // of the six faces
        const TrnSnapshot &at = input.around[place];
        is_buried = is_buried && present >> place & 1 && trn_snapshot_is_uniform(at) &&
                    trn_snapshot_uniform(at) != TRN_BLOCK_AIR;
    }
    return trn_snapshot_is_uniform(centre) &&
           (trn_snapshot_uniform(centre) == TRN_BLOCK_AIR || is_buried);
}

void TerraneWorld::solve(TrnCoord coord, TrnLight &out)
{
    std::uint32_t rows[9][TRN_CHUNK_EDGE];
    const std::uint32_t *open[9];
    open_above(coord, rows);
    for (int column = 0; column < 9; column++) {
        open[column] = rows[column];
    }
    trn_light_read(solver.get(), input.around, trn_store_block_types(store));
    trn_light_sky(solver.get(), open, &out);
}

void TerraneWorld::settle_light()
{
    for (const Reach &reach : reaches) {
        mark_around(reach.coord, reach.around);
        for (std::uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
            const TrnCoord coord = trn_coord_around(reach.coord, place);
            if (!(reach.around >> place & 1) || !has(coord)) {
                continue;
            }
            input.present = trn_store_snapshot_around(store, coord, input.around);
            if (shows_nothing(input.present)) {
                continue; // it has no mesh to light
            }
            auto at = std::find_if(solved.begin(), solved.end(), [&](const Solved &one) {
                return trn_coord_equal(one.coord, coord);
            });
            if (at == solved.end()) {
                at = solved.insert(at, {coord, std::make_unique<TrnLight>()});
            }
            solve(coord, *at->sky);
        }
    }
    reaches.clear();
}

void TerraneWorld::light_chunk(TrnCoord coord)
{
    input.present = trn_store_snapshot_around(store, coord, input.around);
    for (const Solved &one : solved) {
        if (trn_coord_equal(one.coord, coord)) {
            lit = one.sky.get();
            return;
        }
    }
    lit = nullptr;
    if (!shows_nothing(input.present)) {
        solve(coord, sky);
        lit = &sky;
    }
}

/// Bytes of the solver, the mesher and the rows of open columns.
std::size_t TerraneWorld::light_bytes() const
{
    const std::size_t chunks = trn_chunk_index_stats(trn_store_index(store)).chunks;
    return solver_bytes + TRN_MESH_SCRATCH_BYTES + chunks * sizeof(Meshed);
}

// ---- mesh --------------------------------------------------------------------------------------

bool TerraneWorld::mesh(TrnCoord coord)
{
    TrnChunk *const chunk = trn_store_find(store, coord);
    Meshed &meshed = *extra_of(chunk);
    clean(chunk);
    meshed.quads.clear();
    meshed.light.clear();
    if (lit) {
        input.types = trn_block_types_all(trn_store_block_types(store), &input.type_count);
        input.sky = lit;
        check(trn_mesh_build(&built, &input, scratch.get()));
        const std::uint32_t count = trn_mesh_count(&built.info);
        meshed.quads.assign(built.quads, built.quads + count);
        if (built.info.light == TRN_MESH_LIGHT_VARIES) {
            meshed.light.assign(built.light, built.light + count);
        }
    }
    solved.erase(
        std::remove_if(solved.begin(), solved.end(),
                       [&](const Solved &one) { return trn_coord_equal(one.coord, coord); }),
        solved.end());
    return !meshed.quads.empty();
}

// ---- compared values ---------------------------------------------------------------------------

std::uint64_t TerraneWorld::faces_hash(TrnCoord coord) const
{
    std::uint64_t sum = 0;
    for (const TrnQuad quad : extra_of(trn_store_find(store, coord))->quads) {
        int axes[2];
        trn_quad_axes(static_cast<TrnFace>(trn_quad_face(quad)), &axes[0], &axes[1]);
        for (std::uint32_t j = 0; j < trn_quad_height(quad); j++) {
            for (std::uint32_t i = 0; i < trn_quad_width(quad); i++) {
                std::uint32_t at[3] = {trn_quad_x(quad), trn_quad_y(quad), trn_quad_z(quad)};
                at[axes[0]] += i;
                at[axes[1]] += j;
                sum += face_hash(trn_quad_face(quad), trn_local_index(at[0], at[1], at[2]),
                                 trn_quad_block(quad));
            }
        }
    }
    return sum;
}

std::uint32_t TerraneWorld::level(TrnVoxel voxel)
{
    const TrnCoord coord = trn_voxel_chunk(voxel);
    auto at = std::find_if(solved.begin(), solved.end(),
                           [&](const Solved &one) { return trn_coord_equal(one.coord, coord); });
    if (at == solved.end()) {
        at = solved.insert(at, {coord, std::make_unique<TrnLight>()});
        input.present = trn_store_snapshot_around(store, coord, input.around);
        solve(coord, *at->sky);
    }
    return trn_light_level(at->sky.get(), static_cast<int>(voxel.x & 31),
                           static_cast<int>(voxel.y & 31), static_cast<int>(voxel.z & 31));
}

} // namespace game
