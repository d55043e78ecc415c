/// Draws one chunk with its own renderer, for tests of what is drawn over the land.
#pragma once

#include "gl_renderer.h"

#define SCENE_DISTANCE 4 // chunks

typedef struct Scene {
    Renderer *renderer;
    TrnStore *store;
    Camera camera;
    double seconds;          ///< when it is drawn
    RendererWeather weather; ///< what falls
    bool is_under_water;     ///< where the camera is
} Scene;

/// What is drawn over the land.
typedef struct SceneLines {
    const Outline *outline; ///< NULL: none
    const BoxLines *boxes;  ///< NULL: none
} SceneLines;

/// Solves the light that a chunk is meshed with. Chunks that are missing are air.
static inline void solve_light(const Scene *scene, TrnMeshInput *input, TrnLight *sky,
                               TrnLight *blocks)
{
    TrnLightSolver *solver;
    TrnSnapshot around[TRN_AROUND_COUNT];
    assert_int_equal(trn_light_solver_create(NULL, &solver), TRN_RESULT_OK);
    for (uint32_t i = 0; i < TRN_AROUND_COUNT; i++) {
        around[i] = input->present >> i & 1 ? input->around[i] : trn_snapshot_of(TRN_BLOCK_AIR, 0);
    }
    trn_light_read(solver, around, trn_store_block_types(scene->store));
    trn_light_sky(solver, NULL, sky);
    trn_light_blocks(solver, NULL, blocks);
    trn_light_solver_destroy(solver);
    input->sky = sky;
    input->blocks = blocks;
}

static inline void show_chunk(const Scene *scene, TrnChunk *chunk)
{
    static TrnLight sky, blocks;
    TrnMesh mesh;
    void *scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    assert_non_null(scratch);
    trn_mesh_init(&mesh, NULL);
    TrnMeshInput input = {0};
    input.present = trn_store_snapshot_around(scene->store, chunk->coord, input.around);
    input.types = trn_block_types_all(trn_store_block_types(scene->store), &input.type_count);
    solve_light(scene, &input, &sky, &blocks);
    assert_int_equal(trn_mesh_build(&mesh, &input, scratch), TRN_RESULT_OK);
    const ChunkMesh shown = {mesh.quads, mesh.light, &mesh.info, mesh.models, mesh.model_count};
    assert_true(renderer_show(scene->renderer, chunk, 0, &shown));
    trn_mesh_free(&mesh);
    trn_aligned_free(scratch);
}

/// Creates the chunk at the origin. @param block_at  returns the block of a voxel
static inline Scene make_scene(TrnBlock (*block_at)(uint32_t x, uint32_t y, uint32_t z))
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    Scene scene = {0};
    scene.renderer = make_renderer(SCENE_DISTANCE, SCENE_DISTANCE, &scene.store);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = block_at(i % 32, i / 1024, i / 32 % 32);
    }
    TrnChunk *chunk;
    assert_int_equal(trn_store_insert_voxels(scene.store, (TrnCoord){0, 0, 0}, blocks, &chunk),
                     TRN_RESULT_OK);
    show_chunk(&scene, chunk);
    return scene;
}

static inline void free_scene(Scene *scene)
{
    renderer_destroy(scene->renderer);
    trn_store_destroy(scene->store);
}

static inline void draw_scene(const Scene *scene, SceneLines lines, Picture *picture)
{
    Message problem;
    const RendererFrame frame = {.camera = &scene->camera,
                                 .seconds = scene->seconds,
                                 .inside = scene->is_under_water ? TRN_BLOCK_KIND_LIQUID
                                                                 : TRN_BLOCK_KIND_AIR,
                                 .weather = scene->weather,
                                 .view_part = 1,
                                 .store = scene->store,
                                 .box = trn_box_around(scene->camera.position.chunk, SCENE_DISTANCE,
                                                       SCENE_DISTANCE, SCENE_DISTANCE),
                                 .outline = lines.outline,
                                 .boxes = lines.boxes};
    if (!renderer_draw(scene->renderer, &frame, &problem)) {
        fail_msg("%s", problem.text);
    }
    renderer_read(scene->renderer, picture->rgb[0][0]);
}

/// Counts the pixels that change when something is drawn over the land. @param with  receives the
/// picture with it
static inline uint32_t count_changed(const Scene *scene, SceneLines lines, Picture *with)
{
    static Picture without;
    uint32_t count = 0;
    draw_scene(scene, (SceneLines){0}, &without);
    draw_scene(scene, lines, with);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int y = i / WIDTH, x = i % WIDTH;
        count += difference(with->rgb[y][x], without.rgb[y][x]) > 6;
    }
    return count;
}
