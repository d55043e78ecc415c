// The C++ wrapper: what C returns arrives, handles own, ranges name what was gathered, failures are
// results. test_wrapper_store.cpp tests stores.
#include "wrapper_testing.hpp"

namespace {

// ---- results, spans, handles -------------------------------------------------------------------

void results_hold_a_value_or_a_reason(void **)
{
    trn::Result<int> seven(7);
    assert_true(static_cast<bool>(seven));
    assert_int_equal(*seven, 7);
    assert_int_equal(seven.value_or(1), 7);
    const trn::Result<int> full(TRN_RESULT_FULL);
    assert_false(static_cast<bool>(full));
    assert_int_equal(full.result(), TRN_RESULT_FULL);
    assert_int_equal(full.value_or(1), 1);
    assert_string_equal(full.text(), trn_result_text(TRN_RESULT_FULL));
    trn::Result<std::unique_ptr<int>> moved(std::make_unique<int>(3));
    const std::unique_ptr<int> three = *std::move(moved);
    assert_int_equal(*three, 3);
}

void value_throws_the_result(void **)
{
#if TEST_HAS_EXCEPTIONS
    assert_int_equal(trn::Result<int>(7).value(), 7);
    bool is_caught = false;
    try {
        (void)trn::Result<int>(TRN_RESULT_FULL).value();
    } catch (const std::exception &error) {
        is_caught = true;
        assert_string_equal(error.what(), trn_result_text(TRN_RESULT_FULL));
    }
    assert_true(is_caught);
    is_caught = false;
    try {
        trn::Status(TRN_RESULT_BUSY).value();
    } catch (const trn::Error &error) {
        is_caught = error.result() == TRN_RESULT_BUSY;
    }
    assert_true(is_caught);
#else
    skip(); // value() is not declared
#endif
}

std::size_t sum(trn::Span<const int> numbers)
{
    std::size_t total = 0;
    for (const int number : numbers) {
        total += static_cast<std::size_t>(number);
    }
    return total;
}

void anything_contiguous_is_a_span(void **)
{
    int array[3] = {1, 2, 3};
    const std::array<int, 2> more = {4, 5};
    std::vector<int> vector = {6, 7, 8};
    assert_int_equal(sum(array), 6);
    assert_int_equal(sum(more), 9);
    assert_int_equal(sum(vector), 21);
    trn::Span<int> span(vector);
    span[0] = 60;
    assert_int_equal(vector[0], 60);
    assert_int_equal(sum(span), 75);
    assert_int_equal(span.first(2).size(), 2);
    assert_int_equal(span.first(9).size(), 3);
    assert_true(trn::Span<int>().empty());
    static_assert(!std::is_convertible_v<const std::vector<int> &, trn::Span<int>>,
                  "a span of a const vector has const elements");
#if defined(__cpp_lib_span)
    const std::span<int> standard = span;
    assert_ptr_equal(standard.data(), span.data());
    assert_int_equal(sum(standard), 75);
#endif
}

void handles_move_and_own(void **)
{
    FailingAllocator memory;
    const TrnAllocator allocator = memory.c();
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    {
        trn::Store first = take(trn::Store::create(def));
        TrnStore *c = first.c();
        trn::Store second = std::move(first);
        assert_false(static_cast<bool>(first)); // NOLINT(bugprone-use-after-move)
        assert_ptr_equal(second.c(), c);
        const trn::StoreRef borrowed = second;
        assert_ptr_equal(borrowed.c(), c);
        second = take(trn::Store::create(def)); // destroys the first
        assert_true(second.c() != nullptr);
        trn_store_destroy(second.release());
        assert_false(static_cast<bool>(second));
        trn::Index index = take(trn::Index::create());
        trn::Index other = std::move(index);
        assert_null(index.c()); // NOLINT(bugprone-use-after-move)
        take(other.insert({1, 2, 3}, 7));
        TrnPoolDef pool_def = trn::Pool<int>::def();
        pool_def.allocator = &allocator;
        TrnPool *made_by_c = nullptr;
        assert_int_equal(trn_pool_create(&pool_def, &made_by_c), TRN_RESULT_OK);
        const trn::Pool<int> taken(made_by_c);
        assert_ptr_equal(taken.c(), made_by_c);
        static_assert(!std::is_copy_constructible_v<trn::Store>, "");
        static_assert(sizeof(trn::Store) == sizeof(TrnStore *), "");
        static_assert(sizeof(trn::Index) == sizeof(TrnChunkIndex *), "");
    }
    assert_int_equal(memory.live, 0);
}

// ---- index, pool, spatial array ----------------------------------------------------------------

void index_finds_what_was_inserted(void **)
{
    trn::Index index = take(trn::Index::create());
    for (std::int32_t x = 0; x < 100; x++) {
        take(index.insert({x, 0, 0}, static_cast<std::uint32_t>(x)));
    }
    assert_int_equal(index.insert({5, 0, 0}, 1).result(), TRN_RESULT_EXISTS);
    assert_int_equal(index.find({42, 0, 0}).value_or(0), 42);
    assert_false(index.find({42, 1, 0}).has_value());
    const std::array<TrnCoord, 2> asked = {{{42, 0, 0}, {42, 1, 0}}};
    std::array<std::uint32_t, 2> answers = {};
    assert_int_equal(index.find(asked, answers), 1);
    assert_int_equal(answers[0], 42);
    assert_int_equal(answers[1], TRN_CHUNK_VALUE_NONE);
    assert_int_equal(index.neighbours({0, 0, 0})[TRN_FACE_POS_X], 1);
    assert_int_equal(index.around({3, 0, 0})[TRN_AROUND_CENTRE], 3);
    assert_int_equal(take(index.remove({99, 0, 0})), 99);

    std::vector<std::uint32_t> values; // grows
    const trn::Span<std::uint32_t> found = index.gather(trn_box_everything(), values);
    assert_int_equal(found.size(), 99);
    std::sort(found.begin(), found.end());
    for (std::uint32_t i = 0; i < 99; i++) {
        assert_int_equal(found[i], i);
    }
    std::vector<TrnCoord> coords(200); // larger than needed
    assert_int_equal(index.gather(TrnBox{{10, 0, 0}, {19, 0, 0}}, coords).size(), 10);
    const float look[16] = {0.5F, 0, 0, 0, 0, 0.5F, 0, 0, 0, 0, 0.5F, 0, 0, 0, 0, 1};
    const TrnPosition corner{{20, 0, 0}, {0, 0, 0}}; // a cube of 4 voxels around it
    const TrnFrustum frustum =
        take(trn::frustum(look, TRN_MATRIX_COLUMNS, TRN_CLIP_DEPTH_MINUS_ONE, corner));
    assert_int_equal(index.gather(trn::Region(trn_box_everything(), {}, &frustum), coords).size(),
                     2);
    assert_int_equal(trn::frustum({}, TRN_MATRIX_ROWS, TRN_CLIP_DEPTH_ZERO, corner).result(),
                     TRN_RESULT_BAD_ARGUMENT);
    const std::uint32_t *before = values.data();
    assert_int_equal(index.gather(TrnBox{{10, 0, 0}, {19, 0, 0}}, values).size(), 10);
    assert_ptr_equal(values.data(), before); // does not allocate again
}

void planes_choose_chunks(void **)
{
    const TrnPlaneDef plane = {"shown", false};
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = &plane;
    def.plane_count = 1;
    trn::Index index = take(trn::Index::create(def));
    take(index.insert({0, 0, 0}, 10));
    take(index.insert({1, 0, 0}, 11));
    const TrnPlane shown = index.plane("shown");
    take(index.plane_set(shown, {1, 0, 0}, true));
    assert_true(index.test(shown, {1, 0, 0}));
    TrnPlaneQuery query{};
    query.all = TRN_PLANE_BIT(shown);
    std::uint32_t values[4];
    assert_int_equal(index.gather({trn_box_everything(), query}, values), 1);
    assert_int_equal(values[0], 11);
    trn::Reader reader = take(index.reader("test"));
    {
        const trn::ReadSection section = reader.section();
        assert_true(index.contains({0, 0, 0}));
    }
}

struct Mob {
    explicit Mob(int &alive_count, int a_health) noexcept : alive(alive_count), health(a_health)
    {
        alive++;
    }
    Mob(const Mob &) = delete;
    Mob &operator=(const Mob &) = delete;
    ~Mob()
    {
        alive--;
    }
    int &alive;
    int health;
};

void pools_construct_and_destroy(void **)
{
    int alive = 0;
    {
        trn::Pool<Mob> pool = take(trn::Pool<Mob>::create());
        std::vector<TrnPoolId> ids;
        ids.reserve(1000);
        for (int i = 0; i < 1000; i++) {
            ids.push_back(take(pool.make(alive, i)).id);
        }
        assert_int_equal(alive, 1000);
        take(pool.destroy(ids[10]));
        assert_int_equal(alive, 999);
        assert_null(pool.get(ids[10]));
        assert_int_equal(pool.destroy(ids[10]).result(), TRN_RESULT_STALE_ID);
        assert_int_equal(pool.get(ids[11])->health, 11);
        assert_int_equal(pool.id(pool.get(ids[11])).index1, ids[11].index1);
        int count = 0, total = 0;
        for (Mob &mob : pool.objects()) {
            count++;
            total += mob.health;
        }
        assert_int_equal(count, 999);
        assert_int_equal(total, 999 * 1000 / 2 - 10);
        trn::Pool<Mob> moved = std::move(pool);
        assert_int_equal(alive, 999);
        trn::Pool<Mob> empty = take(trn::Pool<Mob>::create());
        for (Mob &mob : empty.objects()) {
            fail_msg("an empty pool has no object of health %d", mob.health);
        }
    }
    assert_int_equal(alive, 0);
}

struct Cell {
    std::uint16_t height, biome;
};

void spatial_arrays_are_typed(void **)
{
    trn::SpatialArray<Cell> array = take(trn::SpatialArray<Cell>::create(Cell{0xFFFF, 0}, 2));
    assert_true(array.begin() == array.end());
    take(array.insert({-3, 0, 4}, Cell{10, 1}));
    take(array.insert({5, 0, -6}, Cell{20, 2}));
    assert_int_equal(array.insert({0, 1, 0}, Cell{1, 1}).result(), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(array.insert({0, 0, 0}, Cell{0xFFFF, 0}).result(), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(array.get({-3, 0, 4}).height, 10);
    assert_int_equal(array.get({0, 0, 0}).height, 0xFFFF);
    assert_int_equal(array.get({1000, 0, 0}).height, 0xFFFF);
    assert_null(array.cell({1000, 0, 0}));
    assert_int_equal(array.find({5, 0, -6}).value_or(Cell{0, 0}).height, 20);
    assert_false(array.find({0, 0, 0}).has_value());
    assert_false(array.find({1000, 0, 0}).has_value());
    assert_true(array.contains({-3, 0, 4}));
    assert_false(array.contains({0, 0, 0}));
    assert_int_equal(array.size(), 2);
    int total = 0, x = 0;
    for (const auto &[coord, cell] : array) {
        total += cell.height;
        x += coord.x;
    }
    assert_int_equal(total, 30);
    assert_int_equal(x, 2);
    std::vector<Cell> cells;
    assert_int_equal(array.gather(trn_box_everything(), cells).size(), 2);
    int height = 0;
    for (const Cell &cell : array.gather(TrnBox{{-9, 0, 0}, {0, 0, 9}})) {
        height += cell.height;
    }
    assert_int_equal(height, 10);
    take(array.remove({5, 0, -6}));
    take(array.shrink());
    assert_int_equal(array.stats().cells, 1);

    trn::SpatialArray<void *> pointers = take(trn::SpatialArray<void *>::create());
    take(pointers.insert({1, 2, 3}, &array));
    assert_ptr_equal(pointers.get({1, 2, 3}), &array);
    TrnSpatialArrayDef wrong = trn_spatial_array_def(3);
    assert_int_equal(trn::SpatialArray<Cell>::create(wrong).result(), TRN_RESULT_BAD_ARGUMENT);
}

// ---- block types, terrain, mesher, stream ------------------------------------------------------

void block_types_are_named(void **)
{
    trn::BlockTypes types = take(trn::BlockTypes::create());
    const TrnBlock lamp = take(types.add("game:lamp", TRN_BLOCK_KIND_OPAQUE));
    assert_int_equal(lamp, 1);
    assert_int_equal(types.add("Game Lamp", TRN_BLOCK_KIND_OPAQUE).result(),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(take(types.find("game:lamp")), lamp);
    assert_string_equal(types[lamp].name, "game:lamp");
    assert_int_equal(types.all().size(), 2);
    assert_int_equal(types.solid_bits()[0] & 3u, 2);
    trn::BlockTypes again = take(trn::BlockTypes::create());
    take(again.load("[game:lamp]\nkind = opaque\n"));
    assert_int_equal(take(again.find("game:lamp")), lamp);
    TrnBlockTypesProblem problem;
    assert_int_equal(again.load("nonsense", &problem).result(), TRN_RESULT_CORRUPT);
    assert_int_equal(problem.line, 1);
    const trn::BlockTypes builtin = take(trn::BlockTypes::create_builtin());
    assert_int_equal(builtin.all().size(), TRN_BLOCK_BUILTIN_COUNT);
    assert_int_equal(builtin.variant(TRN_BLOCK_WATER, 1), TRN_BLOCK_WATER_FLOW);
    const TrnBlock oil =
        take(types.add_family(trn_block_type_def("game:oil", TRN_BLOCK_KIND_LIQUID), 9));
    assert_int_equal(types.variant(oil, 8), oil + 8);
    assert_int_equal(
        types.add_family(trn_block_type_def("game:oak", TRN_BLOCK_KIND_OPAQUE), 4).result(),
        TRN_RESULT_BAD_ARGUMENT);
}

void terrain_is_that_of_c(void **)
{
    const trn::Terrain terrain = take(trn::Terrain::create());
    std::vector<TrnBlock> ours(trn::chunk_voxels), theirs(trn::chunk_voxels);
    const std::int64_t height = take(terrain.height(5, 5));
    const TrnCoord coord = trn_voxel_chunk({5, height, 5});
    assert_false(take(terrain.generate(coord, ours)));
    bool uniform = false;
    assert_int_equal(trn_terrain_generate(terrain.c(), coord, theirs.data(), &uniform),
                     TRN_RESULT_OK);
    assert_true(ours == theirs);
    assert_int_equal(take(terrain.sample(5, 5)).height, height);
    assert_int_equal(terrain.generate(coord, trn::Span<TrnBlock>(ours).first(7)).result(),
                     TRN_RESULT_BAD_ARGUMENT);
    TrnTerrainDef def = trn_terrain_def();
    def.version++;
    assert_int_equal(trn::Terrain::create(def).result(), TRN_RESULT_BAD_ARGUMENT);
}

void meshes_own_their_quads(void **)
{
    trn::Store store = take(trn::Store::create());
    take(store.insert({0, 0, 0}, TRN_BLOCK_AIR));
    take(store.set_block({5, 6, 7}, TRN_BLOCK_GRASS));
    const trn::MeshScratch scratch = take(trn::MeshScratch::create());
    trn::Mesh mesh;
    take(mesh.build(trn::mesh_input(store, {0, 0, 0}), scratch));
    assert_int_equal(mesh.quads().size(), 6);
    assert_int_equal(mesh.surface(TRN_MESH_SURFACE_OPAQUE).size(), 6);
    assert_int_equal(mesh.opaque(TRN_FACE_POS_Y).size(), 1);
    assert_int_equal(mesh.surface(TRN_MESH_SURFACE_PLANT).size(), 0);
    assert_int_equal(mesh.transparent(TRN_FACE_NEG_Z).size(), 0);
    assert_int_equal(mesh.light().size(), 0);
    TrnMeshInput input = trn::mesh_input(store, {0, 0, 0});
    TrnLight sky = {};
    sky.constant = TRN_LIGHT_VARIES;
    sky.planes[0][8 * TRN_LIGHT_EDGE + 8] = UINT64_MAX; // y = 7, z = 7: above the block
    input.sky = &sky;
    take(mesh.build(input, scratch));
    assert_int_equal(mesh.light().size(), 6);
    assert_int_equal(mesh.light()[TRN_FACE_NEG_X], 0);                    // a quarter, rounded
    assert_int_equal(mesh.light()[TRN_FACE_POS_Y], TRN_MESH_LIGHT(1, 0)); // half
    assert_int_equal(mesh.bytes() % (sizeof(TrnQuad) + sizeof(std::uint32_t)), 0);
    trn::Mesh moved = std::move(mesh);
    assert_int_equal(mesh.quads().size(), 0); // NOLINT(bugprone-use-after-move)
    trn::MeshVertices vertices;
    take(vertices.append(moved, {0, 0, 0}));
    take(vertices.append(moved, {32, 0, 0}));
    assert_int_equal(vertices.vertices.size(), 48);
    assert_int_equal(vertices.indices.size(), 72);
    assert_int_equal(*std::max_element(vertices.indices.begin(), vertices.indices.end()), 47);
    assert_int_equal(vertices.append(moved, {0, 0, 0}, 0, 99).result(), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(vertices.vertices.size(), 48);
    assert_int_equal(trn::visibility(take(store.snapshot({0, 0, 0})), store.types()),
                     TRN_VISIBILITY_ALL);
}

/// A vertex of a game's own.
struct AtlasVertex {
    float position[3];
    std::uint16_t layer;
    std::uint8_t ao, light;
};

void vertices_have_a_format_of_the_game(void **)
{
    trn::Store store = take(trn::Store::create());
    take(store.insert({0, 0, 0}, TRN_BLOCK_AIR));
    take(store.set_block({5, 6, 7}, TRN_BLOCK_GRASS));
    take(store.set_block({1, 1, 1}, TRN_BLOCK_FLOWER));
    take(store.set_block({9, 1, 1}, TRN_BLOCK_WATER));
    take(store.set_block({20, 6, 7}, TRN_BLOCK_STONE_SLAB));
    const trn::MeshScratch scratch = take(trn::MeshScratch::create());
    trn::Mesh mesh;
    TrnMeshInput input = trn::mesh_input(store, {0, 0, 0});
    TrnLight sky = {};
    sky.constant = TRN_LIGHT_VARIES;
    sky.planes[0][8 * TRN_LIGHT_EDGE + 8] = UINT64_MAX; // y = 7, z = 7: above block and slab
    for (const bool is_lit : {false, true}) {
        input.sky = is_lit ? &sky : nullptr;
        take(mesh.build(input, scratch));
        assert_int_equal(mesh.light().empty(), !is_lit);
        trn::MeshVertices plain;
        take(plain.append(mesh, {32, 0, 0}));
        const std::size_t quads_end = plain.vertices.size();
        take(plain.append_models(mesh, {32, 0, 0}));
        assert_int_equal(plain.vertices.size(), quads_end + 24);
        trn::MeshVerticesOf<AtlasVertex> mine;
        const auto make = [](const TrnMeshVertex &corner, std::uint32_t light) {
            return AtlasVertex{{corner.position[0], corner.position[1], corner.position[2]},
                               corner.block,
                               corner.ao,
                               static_cast<std::uint8_t>(light)};
        };
        take(mine.append(mesh, {32, 0, 0}, make));
        take(mine.append_models(mesh, {32, 0, 0}, make));
        assert_true(mine.indices == plain.indices);
        assert_int_equal(mine.vertices.size(), plain.vertices.size());
        std::uint32_t lit = 0;
        for (std::size_t i = 0; i < mine.vertices.size(); i++) {
            const TrnMeshVertex &corner = plain.vertices[i];
            assert_memory_equal(mine.vertices[i].position, corner.position, sizeof corner.position);
            assert_int_equal(mine.vertices[i].layer, corner.block);
            assert_int_equal(mine.vertices[i].ao, corner.ao);
            assert_int_equal(mine.vertices[i].light, is_lit ? mine.vertices[i].light & 1 : 15);
            lit += mine.vertices[i].light;
        }
        assert_true(!is_lit || (lit > 0 && lit < mine.vertices.size()));
        assert_int_equal(mine.append(mesh, {0, 0, 0}, make, 3, 99).result(),
                         TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(mine.append(mesh, {0, 0, 0}, make, 3, 2).result(),
                         TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(mine.vertices.size(), plain.vertices.size());
    }
}

/// A game's hooks: flat ground of its own, and meshes of quads.
struct Game {
    explicit Game(trn::StoreRef a_store) : store(a_store)
    {
    }
    TrnResult mesh(const TrnStreamJob &, const TrnStreamMeshInput &input, TrnStreamMesh &made)
    {
        auto mesh = std::make_unique<trn::Mesh>();
        const trn::Status status = mesh->build(trn::mesh_input(input, store.types()), scratch);
        if (status) {
            made.bytes = mesh->bytes();
            made.mesh = mesh.release();
        }
        return status.result();
    }
    trn::Status upload(TrnChunk &, TrnStreamMesh &mesh)
    {
        shown += mesh.mesh != nullptr;
        return TRN_RESULT_OK;
    }
    void drop_mesh(TrnStreamMesh mesh) noexcept
    {
        dropped++;
        delete static_cast<trn::Mesh *>(mesh.mesh);
    }
    trn::StoreRef store;
    trn::MeshScratch scratch = take(trn::MeshScratch::create());
    int shown = 0, dropped = 0;
};

void streams_call_the_game(void **)
{
    trn::Store store = take(trn::Store::create());
    Game game(store);
    auto flat = [](TrnCoord coord, std::uint32_t level, trn::Span<TrnBlock> blocks, bool &uniform) {
        assert_int_equal(level, 0);
        assert_int_equal(blocks.size(), trn::chunk_voxels);
        blocks[0] = coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
        uniform = true;
    };
    TrnStreamDef def = trn_stream_def();
    def.store = store.c();
    def.generator = trn::generator(flat);
    def.hooks = trn::stream_hooks(game);
    def.workers = 0;
    assert_null(def.hooks.generate);
    assert_null(def.hooks.unload);
    {
        trn::Stream stream = take(trn::Stream::create(def));
        TrnStreamAnchor player = trn_stream_anchor();
        player.radius_chunks = 2;
        player.height_chunks = 1;
        const TrnStreamAnchorId id = take(stream.add(player));
        TrnStreamReport report{};
        const TrnStreamBudget unlimited{};
        for (int i = 0; i < 100 && !report.is_idle; i++) {
            take(stream.update(&report, &unlimited));
        }
        assert_true(report.is_idle);
        take(stream.settle(10)); // it is idle
        assert_true(take(stream.view(id)).is_started);
        assert_true(stream.readiness({0, -32, 0}, {31, 31, 31}).is_shown);
        assert_true(stream.index().test(stream.index().plane("shown"), {0, 0, 0}));
        assert_true(game.shown > 0);
        take(stream.remove(id));
        assert_int_equal(stream.remove(id).result(), TRN_RESULT_STALE_ID);
    }
    assert_int_equal(game.dropped, game.shown);
}

void flat_land(TrnCoord coord, std::uint32_t, trn::Span<TrnBlock> blocks, bool &uniform)
{
    blocks[0] = coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
    uniform = true;
}

void streams_tell_the_light_of_a_voxel(void **)
{
    trn::Store store = take(trn::Store::create());
    Game game(store);
    auto flat = flat_land;
    TrnStreamDef def = trn_stream_def();
    def.store = store.c();
    def.generator = trn::generator(flat);
    def.hooks = trn::stream_hooks(game);
    def.workers = 0;
    def.mesh_air = def.light = def.keep_light = true;
    trn::Stream stream = take(trn::Stream::create(def));
    TrnStreamAnchor player = trn_stream_anchor();
    player.radius_chunks = player.height_chunks = 1;
    take(stream.add(player));
    const TrnVoxel above{5, 3, 5}, below{5, -3, 5};
    assert_int_equal(stream.get_light(above).result(), TRN_RESULT_NOT_FOUND);
    const auto update = [&stream] {
        TrnStreamReport report{};
        const TrnStreamBudget unlimited{};
        for (int i = 0; i < 100 && !report.is_idle; i++) {
            take(stream.update(&report, &unlimited));
        }
        assert_true(report.is_idle);
    };
    update();
    take(store.set_block({above.x + 4, above.y, above.z}, TRN_BLOCK_LANTERN));
    update();
    const trn::VoxelLight light = take(stream.get_light(above));
    assert_int_equal(light.sky, 15);
    assert_int_equal(light.blocks, 14 - 4);
    assert_int_equal(take(stream.get_light(below)).sky, 0);
    assert_true(stream.stats().times[TRN_STREAM_STAGE_GENERATE].count > 0);
    stream.reset_times();
    assert_int_equal(stream.stats().times[TRN_STREAM_STAGE_GENERATE].count, 0);
}

void far_views_say_what_to_draw(void **)
{
    trn::Store store = take(trn::Store::create());
    Game game(store);
    auto flat = flat_land;
    TrnStreamDef def = trn_stream_def();
    def.store = store.c();
    def.generator = trn::generator(flat, 2);
    def.hooks = trn::stream_hooks(game);
    def.workers = 0;
    trn::Stream stream = take(trn::Stream::create(def));
    TrnStreamAnchor player = trn_stream_anchor();
    player.radius_chunks = 2;
    player.height_chunks = 2;
    take(stream.add(player));
    int drawn = 0;
    TrnFarDef far_def = trn_far_def();
    far_def.stream = stream.c();
    far_def.generator = def.generator;
    far_def.hooks = def.hooks;
    far_def.view.levels = 3;
    assert_int_equal(trn::Far::create(far_def).result(), TRN_RESULT_BAD_ARGUMENT);
    far_def.view = {2, 2, 0, 2};
    far_def.draw = [](void *user, std::uint32_t, TrnChunk *, bool is_drawn) {
        *static_cast<int *>(user) += is_drawn ? 1 : -1;
    };
    far_def.draw_user = &drawn;
    trn::Far far_view = take(trn::Far::create(far_def));
    TrnStreamReport near_report{}, far_report{};
    const TrnStreamBudget unlimited{};
    for (int i = 0; i < 200 && !(near_report.is_idle && far_report.is_idle); i++) {
        take(stream.update(&near_report, &unlimited));
        take(far_view.update(&far_report, &unlimited));
    }
    assert_true(far_report.is_idle);
    assert_true(far_view.is_drawn(0, {0, 0, 0}));
    TrnFarStats stats = far_view.stats();
    assert_true(stats.level[2].drawn > 0);
    assert_int_equal(stats.level[0].drawn + stats.level[1].drawn + stats.level[2].drawn, drawn);
    take(far_view.set_view({1, 2, 0, 2}));
    assert_int_equal(far_view.view().levels, 1);
    take(far_view.save());
    far_view.remesh();
}

// ---- failures ----------------------------------------------------------------------------------

/// Runs a function with the n-th allocation failing, for every n, until none fails. It must return
/// whether all went well, and leave nothing allocated.
template <class Function> void with_every_failure(Function function)
{
    for (std::size_t n = 1;; n++) {
        FailingAllocator memory;
        memory.fail_at = n;
        const TrnAllocator allocator = memory.c();
        const bool is_done = function(&allocator);
        assert_int_equal(memory.live, 0);
        if (memory.allocations < n) {
            assert_true(is_done);
            return;
        }
        assert_true(n < 10000);
    }
}

bool is_short_of_memory(TrnResult result)
{
    return result == TRN_RESULT_NO_MEMORY || result == TRN_RESULT_FULL;
}

void every_allocation_may_fail(void **)
{
    with_every_failure([](const TrnAllocator *allocator) {
        TrnStoreDef def = trn_store_def();
        def.allocator = allocator;
        trn::Result<trn::Store> store = trn::Store::create(def);
        if (!store) {
            assert_true(is_short_of_memory(store.result()));
            assert_false(static_cast<bool>(*store)); // an empty handle
            return false;
        }
        trn::Result<trn::History> history = trn::History::create(*store);
        const trn::Result<TrnChunk *> chunk = store->insert({0, 0, 0}, stripes());
        if (!history || !chunk) {
            return false;
        }
        trn::Result<trn::Batch> batch = trn::Batch::begin(*store, history->batch_def());
        if (!batch) {
            return false;
        }
        batch->fill_sphere({16, 16, 16}, 9, TRN_BLOCK_SAND);
        const trn::Result<TrnBatchOutcome> outcome = batch->commit();
        if (!outcome) {
            assert_true(is_short_of_memory(outcome.result()));
            assert_int_equal(trn::Snapshot(**chunk).count(TRN_BLOCK_SAND), 0);
        }
        return static_cast<bool>(outcome);
    });
    with_every_failure([](const TrnAllocator *allocator) {
        TrnPoolDef def = trn::Pool<Mob>::def();
        def.allocator = allocator;
        int alive = 0; // objects of the pool count in it until they are destroyed
        trn::Result<trn::Pool<Mob>> pool = trn::Pool<Mob>::create(def);
        return pool && pool->make(alive, 1);
    });
    with_every_failure([](const TrnAllocator *allocator) {
        TrnSpatialArrayDef def = trn::SpatialArray<int>::def();
        def.allocator = allocator;
        trn::Result<trn::SpatialArray<int>> array = trn::SpatialArray<int>::create(def);
        return array && array->insert({1, 2, 3}, 4) && array->insert({-100, 2, 3}, 4);
    });
}

void every_object_reports_no_memory(void **)
{
    FailingAllocator memory;
    memory.fail_at = 1;
    const TrnAllocator allocator = memory.c();
    TrnTerrainDef terrain = trn_terrain_def();
    terrain.allocator = &allocator;
    assert_int_equal(trn::Terrain::create(terrain).result(), TRN_RESULT_NO_MEMORY);
    memory.allocations = 0;
    assert_int_equal(trn::BlockTypes::create(&allocator).result(), TRN_RESULT_NO_MEMORY);
    memory.allocations = 0;
    TrnChunkIndexDef index = trn_chunk_index_def();
    index.allocator = &allocator;
    assert_int_equal(trn::Index::create(index).result(), TRN_RESULT_NO_MEMORY);
    memory.allocations = 0;
    trn::Store store = take(trn::Store::create());
    auto empty = [](TrnCoord, std::uint32_t, trn::Span<TrnBlock>, bool &) {};
    TrnStreamDef stream = trn_stream_def();
    stream.store = store.c();
    stream.generator = trn::generator(empty);
    stream.allocator = &allocator;
    assert_int_equal(trn::Stream::create(stream).result(), TRN_RESULT_NO_MEMORY);
    memory.allocations = 0;
    trn::Mesh mesh(&allocator);
    take(store.insert({0, 0, 0}, stripes()));
    const trn::MeshScratch scratch = take(trn::MeshScratch::create());
    assert_int_equal(mesh.build(trn::mesh_input(store, {0, 0, 0}), scratch).result(),
                     TRN_RESULT_NO_MEMORY);
    assert_int_equal(mesh.quads().size(), 0);
    assert_int_equal(memory.live, 0);
}

void features_cross_the_borders_of_chunks(void **)
{
    auto stone = [](TrnCoord coord, std::uint32_t, trn::Span<TrnBlock> blocks, bool &uniform) {
        blocks[0] = coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
        uniform = true;
    };
    auto bridge = [](TrnCoord coord, trn::FeatureSinkRef sink) {
        for (std::int64_t x = -4; coord.x == 0 && coord.y == 0 && coord.z == 0 && x < 4; x++) {
            sink.set({x, 0, 0}, sink.level() == 0 ? TRN_BLOCK_SAND : TRN_BLOCK_GRAVEL);
            sink.add({x, -1, 0}, TRN_BLOCK_SNOW); // rock is no air
        }
    };
    const TrnFeatures features = trn::features(trn::generator(stone, 1), bridge, 1, 1);
    const TrnGenerator generator = trn_features_generator(&features);
    std::vector<TrnBlock> blocks(trn::chunk_voxels);
    for (std::int32_t x = -1; x <= 0; x++) {
        bool uniform = true;
        assert_int_equal(trn_generator_generate(&generator, {x, 0, 0}, 0, blocks.data(), &uniform),
                         TRN_RESULT_OK);
        assert_int_equal(std::count(blocks.begin(), blocks.end(), TRN_BLOCK_SAND), 4);
        assert_false(uniform);
        assert_int_equal(trn_generator_generate(&generator, {x, 0, 0}, 1, blocks.data(), &uniform),
                         TRN_RESULT_OK);
        assert_int_equal(std::count(blocks.begin(), blocks.end(), TRN_BLOCK_GRAVEL), 2);
    }
}

void a_generator_that_throws_has_failed(void **)
{
#if TEST_HAS_EXCEPTIONS
    auto throwing = [](TrnCoord coord, std::uint32_t, trn::Span<TrnBlock>, bool &) {
        if (coord.x == 0) {
            throw std::bad_alloc();
        }
        throw trn::Error(TRN_RESULT_BUSY);
    };
    const TrnGenerator generator = trn::generator(throwing);
    std::vector<TrnBlock> blocks(trn::chunk_voxels);
    bool uniform = false;
    assert_int_equal(trn_generator_generate(&generator, {0, 0, 0}, 0, blocks.data(), &uniform),
                     TRN_RESULT_NO_MEMORY);
    assert_int_equal(trn_generator_generate(&generator, {1, 0, 0}, 0, blocks.data(), &uniform),
                     TRN_RESULT_BUSY);
#else
    skip();
#endif
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(results_hold_a_value_or_a_reason),
        cmocka_unit_test(value_throws_the_result),
        cmocka_unit_test(anything_contiguous_is_a_span),
        cmocka_unit_test(handles_move_and_own),
        cmocka_unit_test(index_finds_what_was_inserted),
        cmocka_unit_test(planes_choose_chunks),
        cmocka_unit_test(pools_construct_and_destroy),
        cmocka_unit_test(spatial_arrays_are_typed),
        cmocka_unit_test(block_types_are_named),
        cmocka_unit_test(terrain_is_that_of_c),
        cmocka_unit_test(meshes_own_their_quads),
        cmocka_unit_test(vertices_have_a_format_of_the_game),
        cmocka_unit_test(streams_call_the_game),
        cmocka_unit_test(streams_tell_the_light_of_a_voxel),
        cmocka_unit_test(far_views_say_what_to_draw),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_object_reports_no_memory),
        cmocka_unit_test(features_cross_the_borders_of_chunks),
        cmocka_unit_test(a_generator_that_throws_has_failed),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
