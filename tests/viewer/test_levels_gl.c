// Chunks of several levels in one picture: places, depths, cross-fades, the sea. Run by
// with_display.sh.
#define PICTURE_WIDTH 160
#define PICTURE_HEIGHT 100

#include "gl_renderer.h"

#include <render/culling.h>

#define LEVELS 6
#define DISTANCE 16 // chunks of level 0
#define REACH (DISTANCE << LEVELS)

/// A renderer, and a store for each level.
typedef struct Scene {
    Renderer *renderer;
    TrnStore *stores[LEVELS + 1];
    double seconds;
    float field_of_view;
    int ahead; ///< chunks of each level that the boxes reach towards positive z
} Scene;

static TrnStore *make_store(void)
{
    static const TrnPlaneDef planes[] = {{.name = CULLING_PLANE_DRAWN},
                                         {.name = CULLING_PLANE_CLOSED}};
    TrnStoreDef def = trn_store_def();
    TrnStore *store;
    def.user_bytes = sizeof(ChunkView);
    def.planes = planes;
    def.plane_count = 2;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    return store;
}

static Scene make_scene(void)
{
    Scene scene = {0};
    for (int i = 0; i <= LEVELS; i++) {
        scene.stores[i] = make_store();
    }
    Look look = look_default(LOOK_QUALITY_LOW);
    look.samples = 1;
    look.on[LOOK_HAZE] = look.on[LOOK_CLOUDS] = false;
    const RendererDef def = {.width = WIDTH,
                             .height = HEIGHT,
                             .view = {DISTANCE, DISTANCE, LEVELS, REACH, DISTANCE},
                             .types = trn_store_block_types(scene.stores[0]),
                             .look = look};
    Message problem;
    if (!renderer_create(&scene.renderer, &def, &problem)) {
        fail_msg("%s", problem.text);
    }
    return scene;
}

static void free_scene(Scene *scene)
{
    renderer_destroy(scene->renderer);
    for (int i = 0; i <= LEVELS; i++) {
        trn_store_destroy(scene->stores[i]);
    }
}

static TrnQuad make_quad(uint32_t x, uint32_t y, uint32_t z, uint32_t width, uint32_t height,
                         TrnFace face, TrnBlock block)
{
    return x | y << 5 | z << 10 | (width - 1) << 15 | (height - 1) << 20 | (uint32_t)face << 25 |
           (TrnQuad)255 << 28 | (TrnQuad)block << 36;
}

static void place_chunk(Scene *scene, TrnChunk *chunk, bool is_drawn)
{
    renderer_place(scene->renderer, chunk, is_drawn);
    culling_note(scene->stores[chunk_view(chunk)->level], chunk);
}

/// Adds a chunk of quads that all face the same way, and draws it.
static TrnChunk *add_quads(Scene *scene, uint32_t level, TrnCoord coord, const TrnQuad *quads,
                           uint32_t count)
{
    const bool is_water = trn_quad_block(quads[0]) == TRN_BLOCK_WATER;
    const uint32_t group =
        trn_quad_face(quads[0]) + (is_water ? TRN_MESH_TRANSPARENT : TRN_MESH_OPAQUE);
    TrnMeshInfo info = {.light = TRN_MESH_LIGHT(15, 0)};
    for (uint32_t i = 0; i <= TRN_MESH_GROUP_COUNT; i++) {
        info.first[i] = i > group ? count : 0;
    }
    TrnChunk *chunk;
    assert_int_equal(trn_store_insert_uniform(scene->stores[level], coord, TRN_BLOCK_AIR, &chunk),
                     TRN_RESULT_OK);
    assert_true(
        renderer_show(scene->renderer, chunk, level, &(ChunkMesh){.quads = quads, .info = &info}));
    assert_true(chunk_view(chunk)->is_hidden);
    place_chunk(scene, chunk, true);
    return chunk;
}

static TrnChunk *add_quad(Scene *scene, uint32_t level, TrnCoord coord, TrnQuad quad)
{
    return add_quads(scene, level, coord, &quad, 1);
}

static void draw_scene(Scene *scene, const double pose[5], Picture *picture)
{
    Camera camera = camera_at(pose);
    camera.field_of_view = scene->field_of_view;
    Message problem;
    RendererLevel levels[LEVELS];
    for (uint32_t i = 0; i < LEVELS; i++) {
        const TrnCoord at = camera.position.chunk;
        const TrnCoord here = {at.x >> (i + 1), at.y >> (i + 1), at.z >> (i + 1)};
        levels[i] = (RendererLevel){scene->stores[i + 1],
                                    trn_box_around(here, DISTANCE + 1, DISTANCE + 1, DISTANCE + 1)};
        levels[i].box.max.z += scene->ahead;
    }
    TrnBox box = trn_box_around(camera.position.chunk, DISTANCE, DISTANCE, DISTANCE);
    box.max.z += scene->ahead;
    const RendererFrame frame = {.camera = &camera,
                                 .seconds = scene->seconds,
                                 .inside = TRN_BLOCK_KIND_AIR,
                                 .view_part = 1,
                                 .store = scene->stores[0],
                                 .box = box,
                                 .levels = levels,
                                 .level_count = LEVELS};
    if (!renderer_draw(scene->renderer, &frame, &problem)) {
        fail_msg("%s", problem.text);
    }
    renderer_read(scene->renderer, picture->rgb[0][0]);
}

static int count_unlike(const Picture *a, const Picture *b)
{
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) { // the land's variation differs from level to level
        count += difference(a->rgb[i / WIDTH][i % WIDTH], b->rgb[i / WIDTH][i % WIDTH]) > 40;
    }
    return count;
}

// ---- places -------------------------------------------------------------------------------------

/// The same wall, of 32 voxels, in each level: 32 voxels of level 0, 16 of level 1, ...
static void draw_wall(uint32_t level, const int64_t corner[3], Picture *picture)
{
    Scene scene = make_scene();
    const uint32_t size = 32u >> level;
    const int64_t edge = (int64_t)TRN_CHUNK_EDGE << level;
    const TrnCoord coord = {(int32_t)((corner[0] - (corner[0] % edge + edge) % edge) / edge),
                            (int32_t)((corner[1] - (corner[1] % edge + edge) % edge) / edge),
                            (int32_t)((corner[2] - (corner[2] % edge + edge) % edge) / edge)};
    const int64_t low[3] = {coord.x * edge, coord.y * edge, coord.z * edge};
    uint32_t in[3];
    for (int i = 0; i < 3; i++) {
        in[i] = (uint32_t)((corner[i] - low[i]) >> level);
    }
    add_quad(&scene, level, coord,
             make_quad(in[0], in[1], in[2], size, size, TRN_FACE_NEG_Z, TRN_BLOCK_SNOW));
    const double lower = (double)(1 << level) - 1; // as it is drawn
    const double pose[5] = {(double)corner[0] + 20, (double)corner[1] + 12 - lower,
                            (double)corner[2] - 60, 180, 0};
    draw_scene(&scene, pose, picture);
    free_scene(&scene);
}

static void a_wall_is_at_its_place_in_each_level(void **state)
{
    (void)state;
    static const int64_t corners[][3] = {{0, 0, 0}, {-64, 32, -160}, {320000, -96, -640032}};
    static Picture with[LEVELS], none;
    for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++) {
        for (uint32_t level = 0; level < LEVELS; level++) {
            draw_wall(level, corners[i], &with[level]);
            assert_in_range(count_unlike(&with[level], &with[0]), 0, 20);
        }
        Scene scene = make_scene();
        const double pose[5] = {(double)corners[i][0] + 20, (double)corners[i][1] + 12,
                                (double)corners[i][2] - 60, 180, 0};
        draw_scene(&scene, pose, &none);
        free_scene(&scene);
        assert_in_range(count_unlike(&with[0], &none), 1000, WIDTH * HEIGHT);
    }
}

// ---- colours ------------------------------------------------------------------------------------

/// The mean of rows of a picture's middle, red, green and blue.
static void find_mean(const Picture *picture, int low, int high, double mean[3])
{
    memset(mean, 0, 3 * sizeof *mean);
    for (int y = low; y < high; y++) {
        for (int x = WIDTH / 3; x < WIDTH * 2 / 3; x++) {
            for (int c = 0; c < 3; c++) {
                mean[c] += picture->rgb[y][x][c];
            }
        }
    }
    for (int c = 0; c < 3; c++) {
        const int pixels = (high - low) * (WIDTH * 2 / 3 - WIDTH / 3);
        mean[c] /= pixels;
    }
}

/// A wall that is as high as the picture.
static void draw_near_wall(uint32_t level, TrnFace face, TrnBlock block, Picture *picture)
{
    Scene scene = make_scene();
    const double edge = 32 << level, height = edge - (double)(1 << level) + 1; // as it is drawn
    const double half = edge / 2, pitch = face == TRN_FACE_POS_Y ? -89 : 0;
    const double pose[5] = {half, pitch == 0 ? height - half : height + 1.6 * half,
                            pitch == 0 ? -1.6 * half : half, 180, pitch};
    add_quad(&scene, level, (TrnCoord){0, 0, 0},
             make_quad(0, face == TRN_FACE_POS_Y ? 31 : 0, 0, 32, 32, face, block));
    draw_scene(&scene, pose, picture);
    free_scene(&scene);
}

static void land_keeps_its_colour_as_levels_change(void **state)
{
    (void)state;
    static const TrnBlock blocks[] = {TRN_BLOCK_GRASS, TRN_BLOCK_STONE, TRN_BLOCK_SAND,
                                      TRN_BLOCK_SNOW};
    static const TrnFace faces[] = {TRN_FACE_POS_Y, TRN_FACE_NEG_Z};
    static Picture picture;
    for (int i = 0; i < 8; i++) {
        double first[3], now[3];
        draw_near_wall(0, faces[i % 2], blocks[i / 2], &picture);
        find_mean(&picture, 0, HEIGHT, first);
        for (uint32_t level = 1; level < LEVELS; level++) {
            draw_near_wall(level, faces[i % 2], blocks[i / 2], &picture);
            find_mean(&picture, 0, HEIGHT, now);
            // Meadows are lusher here and drier there.
            const double most = blocks[i / 2] == TRN_BLOCK_GRASS ? 0.25 : 0.10;
            for (int c = 0; c < 3; c++) {
                assert_true(fabs(now[c] - first[c]) <= most * first[c]);
            }
        }
    }
}

/// A coarse tree is a column of leaves down to the ground.
static void coarse_trees_have_crowns_above_dark_feet(void **state)
{
    (void)state;
    static Picture picture;
    for (uint32_t level = 1; level < LEVELS; level++) {
        double crown[3], foot[3], top[3];
        draw_near_wall(level, TRN_FACE_NEG_Z, TRN_BLOCK_OAK_LEAVES, &picture);
        find_mean(&picture, HEIGHT / 8, HEIGHT / 4, crown);
        find_mean(&picture, HEIGHT * 5 / 6, HEIGHT, foot);
        draw_near_wall(level, TRN_FACE_POS_Y, TRN_BLOCK_OAK_LEAVES, &picture);
        find_mean(&picture, 0, HEIGHT, top);
        print_message("  level %u: top %.0f, crown %.0f, foot %.0f of green\n", level, top[1],
                      crown[1], foot[1]);
        assert_true(top[1] > crown[1] + 8 && crown[1] > foot[1] + 15);
        assert_true(crown[1] > 1.3 * crown[0]); // green, and the foot is less so
        assert_true(foot[0] / foot[1] > crown[0] / crown[1]);
    }
}

// ---- depths -------------------------------------------------------------------------------------

/// Returns how many pixels of earth show through snow that lies one voxel of the level in front of
/// it, in pictures of a camera that sways.
static int count_earth(uint32_t level, int chunks_away)
{
    static Picture snow, both;
    const TrnQuad quads[2] = {make_quad(0, 0, 1, 32, 32, TRN_FACE_NEG_Z, TRN_BLOCK_DIRT),
                              make_quad(0, 0, 0, 32, 32, TRN_FACE_NEG_Z, TRN_BLOCK_SNOW)};
    Scene scenes[2] = {make_scene(), make_scene()};
    const TrnCoord coord = {0, 0, chunks_away};
    add_quads(&scenes[0], level, coord, quads + 1, 1);
    add_quads(&scenes[1], level, coord, quads, 2);
    const double half = 16 << level, edge = TRN_CHUNK_EDGE << level;
    for (int i = 0; i < 2; i++) {
        scenes[i].ahead = chunks_away;
        scenes[i].field_of_view = (float)(edge / (edge * chunks_away) * 57.3 * 0.8);
    }
    int count = 0;
    for (int i = 0; i < 10; i++) {
        const double pose[5] = {half + 0.37 * i, half - 0.21 * i, 0.3 * i, 180, 0};
        draw_scene(&scenes[0], pose, &snow);
        draw_scene(&scenes[1], pose, &both);
        count += count_unlike(&snow, &both);
        assert_true(snow.rgb[HEIGHT / 2][WIDTH / 2][0] > 120);
    }
    free_scene(&scenes[0]);
    free_scene(&scenes[1]);
    return count;
}

static void voxels_keep_their_order_at_any_distance(void **state)
{
    (void)state;
    assert_int_equal(count_earth(0, 250), 0); //  8,000 voxels
    assert_int_equal(count_earth(1, 250), 0); // 16,000
    assert_int_equal(count_earth(5, 15), 0);
}

static void the_same_without_reversed_depth(void **state)
{
    (void)state;
    const int had[2] = {GLAD_GL_ARB_clip_control, GLAD_GL_EXT_clip_control};
    GLAD_GL_ARB_clip_control = GLAD_GL_EXT_clip_control = 0;
    assert_int_equal(count_earth(0, 250), 0);
    assert_int_equal(count_earth(1, 250), 0);
    a_wall_is_at_its_place_in_each_level(state);
    GLAD_GL_ARB_clip_control = had[0];
    GLAD_GL_EXT_clip_control = had[1];
}

// ---- cross-fades --------------------------------------------------------------------------------

/// Of the pixels that the wall covers, counts those of the first and of the second colour. Others
/// fail.
static void count_mixed(const Picture *now, const Picture *first, const Picture *second, int by[2])
{
    by[0] = by[1] = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int y = i / WIDTH, x = i % WIDTH;
        if (difference(first->rgb[y][x], second->rgb[y][x]) < 24) {
            continue;
        }
        const int away[2] = {difference(now->rgb[y][x], first->rgb[y][x]),
                             difference(now->rgb[y][x], second->rgb[y][x])};
        assert_true(away[0] < 12 || away[1] < 12);
        by[away[0] < away[1] ? 0 : 1]++;
    }
}

static const double FADE_POSE[5] = {16, 16, -30, 180, 0};

/// A wall of snow in level 0, and the same of earth in level 1, not drawn yet.
static Scene make_fade(TrnChunk **fine, TrnChunk **coarse)
{
    Scene scene = make_scene();
    *coarse = add_quad(&scene, 1, (TrnCoord){0, 0, 0},
                       make_quad(0, 0, 0, 16, 16, TRN_FACE_NEG_Z, TRN_BLOCK_DIRT));
    place_chunk(&scene, *coarse, false);
    *fine = add_quad(&scene, 0, (TrnCoord){0, 0, 0},
                     make_quad(0, 0, 0, 32, 32, TRN_FACE_NEG_Z, TRN_BLOCK_SNOW));
    return scene;
}

static void swap_levels(Scene *scene, TrnChunk *fine, TrnChunk *coarse)
{
    place_chunk(scene, coarse, true);
    place_chunk(scene, fine, false);
}

static void levels_take_turns_pixel_by_pixel(void **state)
{
    (void)state;
    static Picture before, now, after;
    TrnChunk *fine, *coarse;
    Scene scene = make_fade(&fine, &coarse);
    int by[2];
    scene.seconds = 10;
    draw_scene(&scene, FADE_POSE, &before);
    swap_levels(&scene, fine, coarse);
    scene.seconds = 11;
    draw_scene(&scene, FADE_POSE, &now); // the fade begins with the picture that shows the change
    scene.seconds = 12;
    draw_scene(&scene, FADE_POSE, &after);
    assert_in_range(count_unlike(&before, &after), 3000, WIDTH * HEIGHT);
    count_mixed(&now, &before, &after, by);
    assert_in_range(by[1] * 16 / (by[0] + by[1]), 0, 1);

    swap_levels(&scene, coarse, fine); // the other way round
    scene.seconds = 13;
    draw_scene(&scene, FADE_POSE, &now);
    scene.seconds = 13.25;
    draw_scene(&scene, FADE_POSE, &now);
    count_mixed(&now, &before, &after, by);
    write_picture(&now, "fade.png");
    assert_in_range(by[0] * 16 / (by[0] + by[1]), 7, 9);
    scene.seconds = 13.5;
    draw_scene(&scene, FADE_POSE, &now);
    assert_int_equal(count_unlike(&now, &before), 0);
    free_scene(&scene);
}

static void a_chunk_that_is_unloaded_fades_all_the_same(void **state)
{
    (void)state;
    static Picture before, now, after;
    TrnChunk *fine, *coarse;
    Scene scene = make_fade(&fine, &coarse);
    int by[2];
    draw_scene(&scene, FADE_POSE, &before);
    swap_levels(&scene, fine, coarse);
    renderer_hide(scene.renderer, fine);
    assert_int_equal(trn_store_remove(scene.stores[0], fine->coord), TRN_RESULT_OK);
    scene.seconds = 1;
    draw_scene(&scene, FADE_POSE, &now);
    assert_int_equal(renderer_stats(scene.renderer).card.quads, 2);
    scene.seconds = 1.25;
    draw_scene(&scene, FADE_POSE, &now);
    scene.seconds = 2;
    draw_scene(&scene, FADE_POSE, &after);
    assert_int_equal(renderer_stats(scene.renderer).card.quads, 1);
    count_mixed(&now, &before, &after, by);
    assert_in_range(by[0] * 16 / (by[0] + by[1]), 7, 9);
    free_scene(&scene);
}

static void what_no_other_level_stands_for_changes_at_once(void **state)
{
    (void)state;
    static Picture before, now, none;
    TrnChunk *fine, *coarse;
    Scene scene = make_fade(&fine, &coarse);
    draw_scene(&scene, FADE_POSE, &before);
    place_chunk(&scene, fine, false);
    draw_scene(&scene, FADE_POSE, &none);
    assert_int_equal(chunk_view(fine)->fade, 0);
    place_chunk(&scene, fine, true);
    draw_scene(&scene, FADE_POSE, &now);
    assert_int_equal(count_unlike(&now, &before), 0);
    assert_in_range(count_unlike(&now, &none), 3000, WIDTH * HEIGHT);
    // A change that is taken back between two pictures is none.
    swap_levels(&scene, fine, coarse);
    swap_levels(&scene, coarse, fine);
    draw_scene(&scene, FADE_POSE, &now);
    assert_int_equal(count_unlike(&now, &before), 0);
    free_scene(&scene);
}

// ---- models -------------------------------------------------------------------------------------

/// A chunk with a wall of one model at its lowest z, which is drawn.
/// @param size  of the wall, in voxels of the level
static TrnChunk *add_models(Scene *scene, uint32_t level, uint32_t size, TrnBlock block)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnMeshInput input = {.open_sides = 63};
    TrnChunk *chunk;
    TrnMesh mesh;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const bool is_wall = i / 32 % 32 == 0 && i % 32 < size && i / 1024 < size;
        blocks[i] = is_wall ? block : TRN_BLOCK_AIR;
    }
    assert_int_equal(
        trn_store_insert_voxels(scene->stores[level], (TrnCoord){0, 0, 0}, blocks, &chunk),
        TRN_RESULT_OK);
    input.present = trn_store_snapshot_around(scene->stores[level], chunk->coord, input.around);
    input.types = trn_block_types_all(trn_store_block_types(scene->stores[0]), &input.type_count);
    void *scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    assert_non_null(scratch);
    trn_mesh_init(&mesh, NULL);
    assert_int_equal(trn_mesh_build(&mesh, &input, scratch), TRN_RESULT_OK);
    assert_int_equal(trn_mesh_count(&mesh.info), 0);
    assert_true(mesh.model_count >= size * size);
    const ChunkMesh shown = {mesh.quads, mesh.light, &mesh.info, mesh.models, mesh.model_count};
    assert_true(renderer_show(scene->renderer, chunk, level, &shown));
    place_chunk(scene, chunk, true);
    trn_mesh_free(&mesh);
    trn_aligned_free(scratch);
    return chunk;
}

/// Models are drawn at every level that the fold leaves them in: slabs, doors, as large as its
/// voxels.
static void models_are_at_their_place_in_each_level(void **state)
{
    (void)state;
    static Picture first, now, none;
    const TrnBlock door = TRN_BLOCK_OAK_DOOR + 4; // open, it covers the side towards -z
    for (uint32_t level = 0; level < LEVELS; level++) {
        Scene scene = make_scene();
        const double lower = (double)(1 << level) - 1; // as it is drawn
        const double pose[5] = {20, 12 - lower, -60, 180, 0};
        draw_scene(&scene, pose, &none);
        (void)add_models(&scene, level, 32u >> level, door);
        draw_scene(&scene, pose, level ? &now : &first);
        int covered = 0, other = 0;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            const int y = i / WIDTH, x = i % WIDTH;
            const bool was = difference(first.rgb[y][x], none.rgb[y][x]) > 24;
            const Picture *picture = level ? &now : &first;
            covered += was;
            other += was != (difference(picture->rgb[y][x], none.rgb[y][x]) > 24);
        }
        assert_in_range(covered, 1000, WIDTH * HEIGHT);
        assert_in_range(other, 0, 60);
        free_scene(&scene);
    }
}

/// @param unloads  the chunk of models is unloaded before it has faded
static void check_models_fade(bool unloads)
{
    static Picture before, now, after;
    int by[2];
    Scene scene = make_scene();
    TrnChunk *coarse = add_quad(&scene, 1, (TrnCoord){0, 0, 0},
                                make_quad(0, 0, 0, 16, 16, TRN_FACE_NEG_Z, TRN_BLOCK_SNOW));
    place_chunk(&scene, coarse, false);
    TrnChunk *fine = add_models(&scene, 0, 32, TRN_BLOCK_OAK_FENCE);
    draw_scene(&scene, FADE_POSE, &before);
    swap_levels(&scene, fine, coarse);
    if (unloads) {
        renderer_hide(scene.renderer, fine);
        assert_int_equal(trn_store_remove(scene.stores[0], fine->coord), TRN_RESULT_OK);
    }
    scene.seconds = 1;
    draw_scene(&scene, FADE_POSE, &now);
    scene.seconds = 1.25;
    draw_scene(&scene, FADE_POSE, &now);
    write_picture(&now, unloads ? "models_unload.png" : "models_fade.png");
    assert_true(renderer_stats(scene.renderer).card.quads > 1);
    scene.seconds = 2;
    draw_scene(&scene, FADE_POSE, &after);
    count_mixed(&now, &before, &after, by);
    assert_in_range(by[0] + by[1], 3000, WIDTH * HEIGHT);
    assert_in_range(by[0] * 16 / (by[0] + by[1]), 7, 9);
    if (unloads) {
        assert_int_equal(renderer_stats(scene.renderer).card.quads, 1);
    } else { // and back
        swap_levels(&scene, coarse, fine);
        scene.seconds = 3;
        draw_scene(&scene, FADE_POSE, &now);
        count_mixed(&now, &before, &after, by);
        assert_in_range(by[0] * 16 / (by[0] + by[1]), 0, 1);
        scene.seconds = 4;
        draw_scene(&scene, FADE_POSE, &now);
        assert_int_equal(count_unlike(&now, &before), 0);
    }
    free_scene(&scene);
}

static void models_fade_with_their_chunk(void **state)
{
    (void)state;
    check_models_fade(false);
    check_models_fade(true);
}

// ---- the sea ------------------------------------------------------------------------------------

static void the_sea_is_flat_over_all_levels(void **state)
{
    (void)state;
    static Picture fine, coarse;
    const double pose[5] = {64, 6, -40, 180, -10};
    for (uint32_t level = 1; level < LEVELS; level++) {
        Scene scenes[2] = {make_scene(), make_scene()};
        const uint32_t size = 32u >> level;
        // In all levels the sea's highest voxel is 0.
        TrnQuad quad = make_quad(0, 0, 0, 32, 32, TRN_FACE_POS_Y, TRN_BLOCK_WATER);
        add_quad(&scenes[0], 0, (TrnCoord){1, 0, 0}, quad & ~((TrnQuad)255 << 28));
        quad = make_quad(size % 32, 0, 0, size, size, TRN_FACE_POS_Y, TRN_BLOCK_WATER);
        add_quad(&scenes[1], level, (TrnCoord){0, 0, 0}, quad & ~((TrnQuad)255 << 28));
        draw_scene(&scenes[0], pose, &fine);
        draw_scene(&scenes[1], pose, &coarse);
        assert_in_range(count_unlike(&fine, &coarse), 0, 60);
        free_scene(&scenes[0]);
        free_scene(&scenes[1]);
    }
}

#define SEA_CELLS 8          // of level 1 to each side; beyond, the sea is of level 4
#define SEA_DEPTH 6          // voxels
#define HORIZON (HEIGHT / 4) // a row of the picture that is below it

static const TrnQuad SEA_QUAD = (TrnQuad)31 << 15 | (TrnQuad)31 << 20 |
                                (TrnQuad)TRN_FACE_POS_Y << 25 | (TrnQuad)TRN_BLOCK_WATER << 36;

/// Adds a chunk of level 0 with the sea's bed. It has no quads.
static void add_bed(Scene *scene, int32_t x, int32_t z)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    static const TrnMeshInfo info = {.light = TRN_MESH_LIGHT(15, 0)};
    TrnChunk *chunk;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const uint32_t y = i / (TRN_CHUNK_EDGE * TRN_CHUNK_EDGE);
        blocks[i] = y < TRN_CHUNK_EDGE - SEA_DEPTH ? TRN_BLOCK_SAND : TRN_BLOCK_WATER;
    }
    assert_int_equal(
        trn_store_insert_voxels(scene->stores[0], (TrnCoord){x, -1, z}, blocks, &chunk),
        TRN_RESULT_OK);
    assert_true(renderer_show(scene->renderer, chunk, 0, &(ChunkMesh){.info = &info}));
    place_chunk(scene, chunk, true);
}

/// Adds the four columns of level 0 in a cell of level 1.
static void add_fine_sea(Scene *scene, int32_t x, int32_t z)
{
    for (int32_t i = 0; i < 4; i++) {
        const TrnCoord at = {2 * x + i % 2, 0, 2 * z + i / 2};
        add_quad(scene, 0, at, SEA_QUAD);
        add_bed(scene, at.x, at.z);
    }
}

/// Where fast flight has loaded level 0: with bays, and an island.
static bool is_fine(int32_t x, int32_t z)
{
    static const char map[SEA_CELLS][2 * SEA_CELLS + 1] = {
        "..############..", // the nearest: z 0
        "..############..", "...#########....", "...#####.####...", "...####...####..",
        "....##.....##...", ".........#......", "................"};
    return z < 0 || map[z][x + SEA_CELLS] == '#';
}

static Scene make_sea(void)
{
    Scene scene = make_scene();
    Look look = renderer_look(scene.renderer);
    Message problem;
    look.on[LOOK_WAVES] = false;
    assert_true(renderer_set_look(scene.renderer, &look, &problem));
    for (int32_t z = -SEA_CELLS; z < SEA_CELLS; z++) {
        for (int32_t x = -SEA_CELLS; x < SEA_CELLS; x++) {
            if (is_fine(x, z)) {
                add_fine_sea(&scene, x, z);
            } else {
                add_quad(&scene, 1, (TrnCoord){x, 0, z}, SEA_QUAD);
            }
        }
    }
    for (int32_t i = 0; i < 64; i++) {
        const TrnCoord at = {i % 8 - 4, 0, i / 8 - 4};
        if (at.x < -1 || at.x > 0 || at.z < -1 || at.z > 0) {
            add_quad(&scene, 4, at, SEA_QUAD);
        }
    }
    return scene;
}

/// Returns the greatest difference of two neighbouring pixels below the horizon.
static int greatest_step(const Picture *picture)
{
    int greatest = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        if (x > 0 && y > HORIZON) {
            const int by = difference(picture->rgb[y][x], picture->rgb[y][x - 1]);
            greatest = by > greatest ? by : greatest;
        }
    }
    return greatest;
}

static int greatest_change(const Picture *a, const Picture *b)
{
    int greatest = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int by = difference(a->rgb[i / WIDTH][i % WIDTH], b->rgb[i / WIDTH][i % WIDTH]);
        greatest = by > greatest ? by : greatest;
    }
    return greatest;
}

static const double SEA_POSE[5] = {10, 120, 10, 180, -20};

static void the_sea_has_no_edge_where_level_0_ends(void **state)
{
    (void)state;
    static Picture sea, deep;
    Scene scene = make_sea();
    draw_scene(&scene, SEA_POSE, &sea);
    write_picture(&sea, "sea.png");
    Scene far_scene = make_scene(); // the heights of no column are known
    for (int32_t i = 0; i < 64; i++) {
        add_quad(&far_scene, 4, (TrnCoord){i % 8 - 4, 0, i / 8 - 4}, SEA_QUAD);
    }
    Look look = renderer_look(scene.renderer);
    Message problem;
    assert_true(renderer_set_look(far_scene.renderer, &look, &problem));
    draw_scene(&far_scene, SEA_POSE, &deep);
    const int steps[2] = {greatest_step(&sea), greatest_step(&deep)};
    const int shallow = greatest_change(&sea, &deep);
    print_message("  steps of %d, and %d on the deep sea; shallow water differs by %d\n", steps[0],
                  steps[1], shallow);
    assert_in_range(steps[0], 0, 6);
    assert_in_range(shallow, 40, 765);
    free_scene(&scene);
    free_scene(&far_scene);
}

static void heights_that_come_to_be_known_change_the_sea_slowly(void **state)
{
    (void)state;
    static Picture before, now, after;
    Scene scene = make_sea();
    scene.seconds = 1;
    draw_scene(&scene, SEA_POSE, &before);
    for (int32_t i = 0; i < SEA_CELLS * 2 * SEA_CELLS; i++) { // the land ahead is loaded
        const TrnCoord at = {i % (2 * SEA_CELLS) - SEA_CELLS, 0, i / (2 * SEA_CELLS)};
        if (!is_fine(at.x, at.z)) {
            place_chunk(&scene, trn_store_find(scene.stores[1], at), false);
            add_fine_sea(&scene, at.x, at.z);
        }
    }
    int greatest = 0;
    for (int frame = 1; frame <= 40; frame++) {
        scene.seconds = 1 + frame / 60.0;
        draw_scene(&scene, SEA_POSE, &now);
        const int change = greatest_change(&now, frame > 1 ? &after : &before);
        greatest = change > greatest ? change : greatest;
        after = now;
    }
    write_picture(&after, "sea-known.png");
    print_message("  changes of %d a frame\n", greatest);
    assert_in_range(greatest, 1, 12);
    assert_in_range(greatest_change(&after, &before), 40, 765);
    free_scene(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_is_at_its_place_in_each_level),
        cmocka_unit_test(voxels_keep_their_order_at_any_distance),
        cmocka_unit_test(the_same_without_reversed_depth),
        cmocka_unit_test(levels_take_turns_pixel_by_pixel),
        cmocka_unit_test(a_chunk_that_is_unloaded_fades_all_the_same),
        cmocka_unit_test(what_no_other_level_stands_for_changes_at_once),
        cmocka_unit_test(models_are_at_their_place_in_each_level),
        cmocka_unit_test(models_fade_with_their_chunk),
        cmocka_unit_test(land_keeps_its_colour_as_levels_change),
        cmocka_unit_test(coarse_trees_have_crowns_above_dark_feet),
        cmocka_unit_test(the_sea_is_flat_over_all_levels),
        cmocka_unit_test(the_sea_has_no_edge_where_level_0_ends),
        cmocka_unit_test(heights_that_come_to_be_known_change_the_sea_slowly),
    };
    return cmocka_run_group_tests(tests, open_window, close_window);
}
