// Code of the guides, in functions that run it: docs/index.md, light.md, meshing.md, noise.md,
// stream.md, terrain.md and trace.md. tools/check_docs.py finds it here, line for line.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/body.h>
#include <terrane/light.h>
#include <terrane/mesh_vertices.h>
#include <terrane/noise.h>
#include <terrane/stream.h>
#include <terrane/terrain.h>

static uint32_t failed;

static void expect(const char *what, bool is_so)
{
    failed += !is_so;
    printf("%s: %s\n", what, is_so ? "as the guide says" : "WRONG");
}

// ---- index.md ----------------------------------------------------------------------------------

static void guide_index(void)
{
    const TrnPlaneDef planes[] = {{"loaded", false}, {"meshed", false}, {"meshable", false}};
    const TrnPlane loaded = 1, meshed = 2, result = 3;
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = planes;
    def.plane_count = 3;
    TrnChunkIndex *index;
    if (trn_chunk_index_create(&def, &index) != TRN_RESULT_OK) {
        exit(1);
    }
    const TrnBox box = {{-2, -2, -2}, {2, 2, 2}};
    trn_chunk_index_plane_fill(index, loaded, box, true);
    TrnPlaneQuery meshable = {.all = TRN_PLANE_BIT(loaded),
                              .none = TRN_PLANE_BIT(meshed),
                              .all_around = TRN_PLANE_BIT(loaded)};
    trn_chunk_index_plane_compute(index, result, &meshable);
    expect("index: chunks with all neighbours",
           trn_chunk_index_stats(index).plane_counts[result] == 27);
    trn_chunk_index_destroy(index);
}

// ---- light.md ----------------------------------------------------------------------------------

/// A lamp in the open, at the middle of a chunk of air.
static void guide_light(void)
{
    TrnBlockTypes *types;
    TrnLightSolver *solver;
    TrnStore *store;
    TrnBlockType lamp = trn_block_type_def("guide:lamp", TRN_BLOCK_KIND_OPAQUE);
    TrnStoreDef def = trn_store_def();
    TrnBlock block;
    lamp.light = 14;
    if (trn_block_types_create(NULL, &types) != TRN_RESULT_OK ||
        trn_block_types_add(types, &lamp, &block) != TRN_RESULT_OK ||
        trn_light_solver_create(NULL, &solver) != TRN_RESULT_OK) {
        exit(1);
    }
    def.types = types;
    if (trn_store_create(&def, &store) != TRN_RESULT_OK ||
        trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, NULL) !=
            TRN_RESULT_OK ||
        trn_store_set_block(store, (TrnVoxel){16, 16, 16}, block, NULL) != TRN_RESULT_OK) {
        exit(1);
    }
    const uint32_t *const *open_sky = NULL;
    const int32_t x = 20, y = 16, z = 16;
    static TrnLight sky, blocks;
    TrnSnapshot around[TRN_AROUND_COUNT];
    trn_store_snapshot_around(store, (TrnCoord){0, 0, 0}, around);
    trn_light_read(solver, around, types); // 27 snapshots of trn_store_snapshot_around
    trn_light_sky(solver, open_sky, &sky);
    trn_light_blocks(solver, NULL, &blocks);
    uint32_t level = trn_light_level(&blocks, x, y, z); // local coordinates, -1..32
    expect("light: four voxels from a lamp of 14", level == 10);
    expect("light: under open sky", trn_light_level(&sky, x, y, z) == 15);
    trn_store_destroy(store);
    trn_light_solver_destroy(solver);
    trn_block_types_destroy(types);
}

// ---- noise.md ----------------------------------------------------------------------------------

static void guide_noise(int64_t x, int64_t y, int64_t z, float *values)
{
    TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 3); // four octaves, 64 voxels' wavelength
    def.seed = 40;
    def.wavelength[1] = 32.0f; // flatter than wide
    TrnNoise noise;            // plain data, owned by you; no allocation
    if (trn_noise_compile(&def, &noise) != TRN_RESULT_OK) {
        puts(trn_noise_def_fault(&def)); // names the field and its range
    }
    TrnNoiseGrid grid = {.origin = {x, y, z}, .size_x = 32, .size_y = 32, .size_z = 32};
    trn_noise_fill(&noise, &grid, values); // any thread; values in the order of a chunk's voxels
    expect("noise: a grid and single voxels",
           values[0] == trn_noise_at(&noise, (TrnVoxel){x, y, z}));
}

// ---- terrain.md --------------------------------------------------------------------------------

static TrnTerrain *guide_terrain(TrnCoord coord, TrnBlock *blocks)
{
    TrnTerrainDef def = trn_terrain_def();           // seed 13, the default shape
    trn_terrain_shape_preset("islands", &def.shape); // or trn_terrain_shape_load()
    TrnTerrain *terrain;
    if (trn_terrain_create(&def, &terrain) != TRN_RESULT_OK) {
        puts(trn_terrain_def_fault(&def)); // names the field and its range
        return NULL;
    }
    bool uniform;
    trn_terrain_generate(terrain, coord, blocks, &uniform); // uniform: blocks[0] is all of it
    expect("terrain: the sky is uniform", uniform && blocks[0] == TRN_BLOCK_AIR);
    return terrain;
}

static TrnResult generate_plain(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                bool *uniform)
{
    (void)user, (void)level; // the same from near and far
    *uniform = true;         // blocks[0] is the whole chunk
    blocks[0] = (TrnBlock)(coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR);
    return TRN_RESULT_OK;
}

static void guide_generator(TrnCoord coord, TrnBlock *blocks)
{
    bool uniform = false;
    const TrnGenerator plain = {.generate = generate_plain,
                                .level_max = TRN_GENERATOR_LEVEL_MAX,
                                .ceiling = -1, // the highest chunk that is not air
                                .has_ceiling = true};
    trn_generator_generate(&plain, coord, 0, blocks, &uniform);
    expect("terrain: a plain", uniform && blocks[0] == TRN_BLOCK_STONE);
}

// ---- meshing.md --------------------------------------------------------------------------------

static size_t uploaded;

static void upload(const TrnQuad *quads, uint32_t count)
{
    uploaded += quads ? count : 0;
}

static void upload_models(const TrnModelFace *faces, uint32_t count)
{
    uploaded += faces ? count : 0;
}

/// A game's generator of chunks of 16: blocks by x, z, y from its own chunk coordinates.
static void game_generate(void *user, int64_t x, int64_t y, int64_t z, TrnBlock *part)
{
    (void)user;
    for (uint32_t i = 0; i < 16 * 16 * 16; i++) {
        part[i] =
            (TrnBlock)(16 * x + i % 16 + 64 * (16 * z + i / 16 % 16) + 1024 * (16 * y + i / 256));
    }
}

/// Generates a chunk of 32 with a game's generator of 16: eight of its chunks.
static TrnResult generate_of_16(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                bool *uniform)
{
    TrnBlock part[16 * 16 * 16];
    (void)level;
    *uniform = false;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t x = i & 1, y = i >> 2, z = i >> 1 & 1;
        game_generate(user, 2 * (int64_t)coord.x + x, 2 * (int64_t)coord.y + y,
                      2 * (int64_t)coord.z + z, part);
        for (uint32_t row = 0; row < 256; row++) { // of 16 voxels along x
            memcpy(&blocks[trn_local_index(16 * x, 16 * y + row / 16, 16 * z + row % 16)],
                   &part[(size_t)16 * row], 16 * sizeof *part);
        }
    }
    return TRN_RESULT_OK;
}

static void guide_porting(void)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnGenerator generator = trn_generator_def(generate_of_16, NULL);
    const TrnCoord coord = {1, 0, 0};
    bool uniform;
    bool is_right = trn_generator_generate(&generator, coord, 0, blocks, &uniform) == TRN_RESULT_OK;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const uint32_t expected = 32 + i % 32 + 64 * (i / 32 % 32) + 1024 * (i / 1024);
        is_right &= blocks[i] == (TrnBlock)expected;
    }
    expect("porting: eight chunks of 16 are one of 32", is_right);
}

/// Writes the quads [from, to), at most 8,192, with indices of 16 bits.
/// @return the number of vertices
static uint32_t short_part(const TrnMesh *mesh, uint32_t from, uint32_t to, TrnMeshVertex *vertices,
                           uint16_t *indices)
{
    uint32_t vertex = 0, index = 0;
    for (uint32_t i = from; i < to; i++) {
        uint32_t triangles[TRN_QUAD_INDICES_MAX];
        const bool is_transparent = i >= mesh->info.first[TRN_MESH_TRANSPARENT];
        const uint32_t count = trn_quad_indices(mesh->quads[i], vertex, triangles);
        vertex += trn_quad_vertices(mesh->quads[i], is_transparent, (const float[3]){0, 0, 0},
                                    vertices + vertex);
        for (uint32_t k = 0; k < count; k++) {
            indices[index++] = (uint16_t)triangles[k];
        }
    }
    return vertex;
}

static void guide_meshing(TrnStore *store, TrnCoord coord)
{
    TrnChunkReader *reader;
    if (trn_chunk_index_reader_create(trn_store_index(store), NULL, &reader) != TRN_RESULT_OK) {
        exit(1);
    }
    TrnMesh mesh; // one for each thread, reused for every chunk
    trn_mesh_init(&mesh, NULL);
    void *scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);

    trn_chunk_index_read_begin(reader); // not needed on the writer thread
    TrnMeshInput input = trn_mesh_input(store, coord);
    TrnResult result = trn_mesh_build(&mesh, &input, scratch);
    trn_chunk_index_read_end(reader);
    if (result == TRN_RESULT_OK) {
        upload(mesh.quads, trn_mesh_count(&mesh.info));
        upload_models(mesh.models, mesh.model_count);
    }
    expect("meshing: a block shows six faces", uploaded == 6);
    TrnMeshVertex corners[6 * TRN_QUAD_VERTICES_MAX];
    uint16_t indices[6 * TRN_QUAD_INDICES_MAX];
    expect("engines: six faces have 24 corners",
           short_part(&mesh, 0, trn_mesh_count(&mesh.info), corners, indices) == 24 &&
               indices[35] < 24);
    trn_aligned_free(scratch);
    trn_mesh_free(&mesh);
    trn_chunk_index_reader_destroy(reader);
}

// ---- stream.md ---------------------------------------------------------------------------------

static uint32_t shown;
static bool playing = true;

static TrnResult make_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                           TrnStreamMesh *mesh)
{
    (void)user, (void)job, (void)input;
    *mesh = (TrnStreamMesh){.mesh = malloc(1), .bytes = 1};
    return mesh->mesh ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

static TrnResult show(void *user, TrnChunk *chunk, TrnStreamMesh *mesh)
{
    (void)user, (void)chunk, (void)mesh;
    shown++;
    return TRN_RESULT_OK;
}

static void drop_mesh(void *user, TrnStreamMesh mesh)
{
    (void)user;
    free(mesh.mesh);
}

static void walk(TrnBody *body)
{
    body->velocity[0] = 1;
    playing = false;
}

static void guide_stream(TrnStore *store, TrnTerrain *terrain)
{
    const TrnVoxel body_min = {-1, -1, -1}, body_max = {1, 1, 1};
    const TrnPosition eye = {{0, 0, 0}, {0, 0, 0}};
    const double velocity[3] = {0, 0, 0}, forward[3] = {1, 0, 0};
    TrnBody body = {.position = eye};
    TrnStreamDef def = trn_stream_def(); // workers: cores - 1, at least 2 unless there is one core
    def.store = store;
    def.generator = trn_terrain_generator(terrain); // on workers; or your own
    def.hooks.mesh = make_mesh; // on workers: 27 snapshots in, your mesh and its bytes out
    def.hooks.upload = show;    // on your thread: to the graphics card
    def.hooks.drop_mesh = drop_mesh;
    def.bytes_max = (size_t)128 << 20;    // everything together
    def.scratch_bytes = (size_t)22 << 20; // what the hooks allocate: the terrain's columns
    TrnStream *stream;
    trn_stream_create(&def, &stream);

    TrnStreamAnchor player = trn_stream_anchor(); // radius 16, height 4
    TrnStreamAnchorId id;
    trn_stream_anchor_add(stream, &player, &id);
    while (playing) {
        player.position = eye;
        memcpy(player.velocity, velocity, sizeof velocity);
        memcpy(player.view, forward, sizeof forward);
        trn_stream_anchor_set(stream, id, &player);
        trn_stream_update(stream, NULL, NULL); // within the def's budget
        if (trn_stream_readiness(stream, body_min, body_max).is_loaded) {
            walk(&body); // else it waits for the ground
        }
    }
    trn_stream_save(stream); // if there is a save hook
    trn_stream_destroy(stream);
    expect("stream: the body walked", body.velocity[0] == 1);
}

// ---- trace.md ----------------------------------------------------------------------------------

static FILE *trace; // NULL: do not record
static unsigned long operations;

static void trace_chunk(char what, int x, int y, int z) // '+', '-', '?' or 'n'
{
    operations += trace && fprintf(trace, "%c %d %d %d\n", what, x, y, z) > 0;
}

static void guide_trace(void)
{
    trace = fopen("guides.trace", "w");
    if (!trace) {
        exit(1);
    }
    fputs("terrane-trace 1\n", trace); // at the start
    trace_chunk('+', 1, 2, -3);
    fputs(".\n", trace);                     // after a frame
    fprintf(trace, "end %lu\n", operations); // at the end
    fclose(trace);
    char text[64] = "";
    trace = fopen("guides.trace", "r");
    expect("trace: one operation", trace && fread(text, 1, sizeof text - 1, trace) > 0 &&
                                       strcmp(text, "terrane-trace 1\n+ 1 2 -3\n.\nend 1\n") == 0);
    if (trace) {
        fclose(trace);
    }
}

int main(void)
{
    static float values[TRN_CHUNK_VOXELS];
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    guide_porting();
    guide_index();
    guide_light();
    guide_noise(-5, 40, 1000, values);
    guide_generator((TrnCoord){3, -1, 4}, blocks);
    TrnTerrain *terrain = guide_terrain((TrnCoord){0, 100, 0}, blocks);
    TrnStore *store;
    if (!terrain || trn_store_create(NULL, &store) != TRN_RESULT_OK ||
        trn_store_insert_uniform(store, (TrnCoord){100, 0, 0}, TRN_BLOCK_AIR, NULL) !=
            TRN_RESULT_OK ||
        trn_store_set_block(store, (TrnVoxel){3205, 5, 5}, TRN_BLOCK_STONE, NULL) !=
            TRN_RESULT_OK) {
        return 1;
    }
    guide_meshing(store, (TrnCoord){100, 0, 0});
    guide_stream(store, terrain);
    guide_trace();
    trn_store_destroy(store);
    trn_terrain_destroy(terrain);
    return failed ? 1 : 0;
}
