/// The parts of the viewer that need OpenGL, checked by the contents of buffers on the graphics
/// card and by pictures. Run by with_display.sh.
#define PICTURE_WIDTH 160
#define PICTURE_HEIGHT 100
#include "gl_renderer.h"

#include <render/draw_list.h>
#include <render/gl.h>
#include <render/quad_buffer.h>
#include <render/target.h>

// ---- the picture --------------------------------------------------------------------------------

static void the_first_row_read_is_the_highest(void **state)
{
    (void)state;
    Target target;
    Message problem;
    Picture picture;
    assert_true(target_create(&target, WIDTH, HEIGHT, 1, 4, GL_DEPTH24_STENCIL8, &problem));
    glBindFramebuffer(GL_FRAMEBUFFER, target.drawn);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, HEIGHT - 10, 20, 10); // OpenGL counts from below
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    target_resolve(&target);
    target_read(&target, picture.rgb[0][0]);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            assert_int_equal(picture.rgb[y][x][0], x < 20 && y < 10 ? 255 : 0);
            assert_int_equal(picture.rgb[y][x][2], 0);
        }
    }
    target_free(&target);
}

// ---- quads on the graphics card -----------------------------------------------------------------

#define HELD_CHUNKS 600u
#define HELD_QUADS_MAX 9000u // 282 pages, more than are written in one call or copied in one

/// The quads that a chunk of the test stored.
typedef struct Held {
    uint32_t count;
    QuadRun run;
} Held;

static TrnQuad held_quad(uint32_t chunk, uint32_t quad)
{
    return (TrnQuad)chunk << 32 | quad;
}

static TrnCoord held_coord(uint32_t chunk)
{
    return (TrnCoord){(int32_t)chunk, -(int32_t)chunk, INT32_MAX - (int32_t)chunk};
}

/// Whether a chunk has light of its own for each quad: every second one, also of the large ones.
static bool is_lit(uint32_t chunk)
{
    return (chunk + chunk / 50) % 2;
}

static uint32_t held_light(uint32_t chunk, uint32_t quad)
{
    return is_lit(chunk) ? chunk * 0x10001u + quad * 7u : (chunk & 255u) * 0x01010101u;
}

static bool put_held(QuadBuffer *buffer, uint32_t chunk, Held *held)
{
    static TrnQuad quads[HELD_QUADS_MAX];
    static uint32_t words[HELD_QUADS_MAX];
    const QuadLight light = {is_lit(chunk) ? words : NULL, held_light(chunk, 0)};
    const uint32_t count = chunk % 50 == 7 ? HELD_QUADS_MAX : 1 + chunk * 13 % 400;
    for (uint32_t i = 0; i < count; i++) {
        quads[i] = held_quad(chunk, i);
        words[i] = held_light(chunk, i);
    }
    const QuadChunk held_chunk = {held_coord(chunk), chunk % 16, chunk};
    const bool good = quad_buffer_put(buffer, &held_chunk, quads, light, count, &held->run);
    held->count = good ? count : 0;
    return good;
}

static void drop_held(QuadBuffer *buffer, Held *held)
{
    quad_buffer_drop(buffer, held->count, &held->run);
    held->count = 0;
}

/// A page as it lies on the graphics card.
typedef union HeldPage {
    struct {
        uint32_t chunk;       ///< x, z, y: 9 bits each; level: 4 bits
        uint16_t note, light; ///< as quad.vert reads them
        TrnQuad quads[QUAD_PAGE_QUADS];
    };
    uint32_t words[QUAD_PAGE_BYTES / 4];
} HeldPage;

/// Reads the pages of a texture in rows of QUAD_CARD_ROW_PAGES: of OpenGL ES.
static void read_texture(GLuint texture, size_t count, HeldPage *pages)
{
    static uint32_t row[QUAD_CARD_ROW_PAGES * (QUAD_PAGE_QUADS + 1)][4];
    GLuint reader;
    glGenFramebuffers(1, &reader);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, reader);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    for (size_t page = 0; page < count; page += QUAD_CARD_ROW_PAGES) {
        const size_t left = count - page;
        const size_t pages_here = left < QUAD_CARD_ROW_PAGES ? left : QUAD_CARD_ROW_PAGES;
        const size_t texels = pages_here * (QUAD_PAGE_QUADS + 1);
        glReadPixels(0, (GLint)(page / QUAD_CARD_ROW_PAGES), (GLsizei)texels, 1, GL_RGBA_INTEGER,
                     GL_UNSIGNED_INT, row);
        for (size_t i = 0; i < texels; i++) {
            memcpy((unsigned char *)(pages + page) + i * QUAD_BYTES, row[i], QUAD_BYTES);
        }
    }
    glDeleteFramebuffers(1, &reader);
}

static HeldPage *read_segment(const QuadBuffer *buffer, uint32_t segment)
{
    const size_t count = buffer->layout.segments[segment].pages.pages;
    if (!count) {
        return NULL;
    }
    HeldPage *pages = malloc(count * sizeof *pages);
    assert_non_null(pages);
    if (gl_is_es()) {
        read_texture(buffer->card.textures[segment], count, pages);
    } else {
        glBindBuffer(GL_COPY_READ_BUFFER, buffer->card.buffers[segment]);
        glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(count * sizeof *pages), pages);
    }
    return pages;
}

static void check_held(const HeldPage *pages, uint32_t chunk, const Held *held)
{
    const TrnCoord coord = held_coord(chunk);
    for (uint32_t i = 0; i < held->count; i++) {
        const HeldPage *page = &pages[quad_place_page(held->run.first) + i / QUAD_PAGE_QUADS];
        assert_int_equal(page->chunk, ((uint32_t)coord.x & 511u) | ((uint32_t)coord.z & 511u) << 9 |
                                          ((uint32_t)coord.y & 511u) << 18 | chunk % 16 << 27);
        assert_int_equal(page->note, chunk);
        assert_true(page->quads[i % QUAD_PAGE_QUADS] == held_quad(chunk, i));
        uint32_t light = page->light * 0x01010101u;
        if (page->light >> 15) {
            const uint32_t half = page->light & 1u;
            light = page[page->light >> 1 & 0x3fffu].words[half * 32 + i % QUAD_PAGE_QUADS];
        }
        assert_int_equal(light, held_light(chunk, i));
    }
}

static void check_all_held(const QuadBuffer *buffer, const Held *held)
{
    HeldPage *pages[QUAD_SEGMENTS];
    for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
        pages[i] = read_segment(buffer, i);
    }
    for (uint32_t i = 0; i < HELD_CHUNKS; i++) {
        if (held[i].count) {
            check_held(pages[quad_place_segment(held[i].run.first)], i, &held[i]);
        }
    }
    for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
        free(pages[i]);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void step_held(QuadBuffer *buffer, const Held *held, uint32_t pages)
{
    for (int step = 0; step < 200; step++) {
        quad_layout_step(&buffer->layout, pages);
        if (step % 10 == 0) {
            check_all_held(buffer, held);
        }
    }
    check_all_held(buffer, held);
}

/// Uses the buffer as a flight does: it is filled, gets holes, is filled again, and loses half,
/// with frames in between.
static void every_quad_stays_with_its_chunk_while_quads_move(void **state)
{
    (void)state;
    static Held held[HELD_CHUNKS];
    TestRandom random = test_random_seeded(41);
    QuadBuffer buffer;
    quad_buffer_create(&buffer, 0);
    for (uint32_t i = 0; i < HELD_CHUNKS; i++) {
        assert_true(put_held(&buffer, i, &held[i]));
        if (i % 3 == 2) {
            drop_held(&buffer, &held[i - 1]);
        }
        if (i % 60 == 59) {
            check_all_held(&buffer, held);
        }
    }
    step_held(&buffer, held, 400);
    for (uint32_t i = 0; i < HELD_CHUNKS; i++) {
        if (held[i].count && test_random_next(&random) & 1) {
            drop_held(&buffer, &held[i]);
        }
    }
    const size_t before = quad_buffer_stats(&buffer).held_bytes;
    step_held(&buffer, held, 40);
    const QuadBufferStats stats = quad_buffer_stats(&buffer);
    assert_false(stats.is_moving);
    assert_true(buffer.layout.moved_pages > QUAD_SEGMENT_PAGES_MIN / 4);
    assert_true(stats.held_bytes < before);
    assert_true(stats.free_bytes < stats.held_bytes);
    quad_buffer_free(&buffer);
    memset(held, 0, sizeof held);
}

/// A run moves down onto its own pages, and onto more of them than one call copies.
static void a_run_slides_into_a_hole_smaller_than_itself(void **state)
{
    (void)state;
    static Held held[HELD_CHUNKS];
    QuadBuffer buffer;
    const uint32_t large = 7, last = 57; // larger than all others
    quad_buffer_create(&buffer, 0);
    const PageAllocator *pages = &buffer.layout.segments[0].pages;
    uint32_t i = 20;
    for (; i < 28; i++) {
        assert_true(put_held(&buffer, i, &held[i]));
    }
    assert_true(put_held(&buffer, large, &held[large]));
    // Fills the segment almost to its end.
    for (i = 58; pages->taken + held[large].run.pages + 25 < QUAD_SEGMENT_PAGES_MIN; i++) {
        assert_true(i % 50 == 7 || put_held(&buffer, i, &held[i]));
    }
    assert_true(put_held(&buffer, last, &held[last]));
    for (i = 20; i < 28; i++) {
        drop_held(&buffer, &held[i]);
    }
    const uint32_t hole = held[large].run.first;
    assert_in_range(hole, 20, held[large].run.pages - 1);
    QuadRun whole = {0};
    const uint32_t room = quad_layout_free_pages(&buffer.layout);
    assert_true(quad_layout_put(&buffer.layout, room * QUAD_PAGE_QUADS, false, &whole));
    assert_int_equal(held[large].run.first, 0);
    assert_int_equal(quad_layout_held(&buffer.layout), QUAD_SEGMENT_PAGES_MIN);
    check_all_held(&buffer, held);
    quad_buffer_free(&buffer);
    memset(held, 0, sizeof held);
}

static void a_frame_knows_what_was_sent_and_moved(void **state)
{
    (void)state;
    static Held held[2];
    QuadBuffer buffer;
    quad_buffer_create(&buffer, 0);
    quad_buffer_step(&buffer);
    assert_int_equal(quad_buffer_stats(&buffer).held_bytes, 0);
    assert_true(put_held(&buffer, 3, &held[0])); // 40 quads
    assert_true(put_held(&buffer, 7, &held[1]));
    quad_buffer_step(&buffer);
    QuadBufferStats stats = quad_buffer_stats(&buffer);
    assert_int_equal(stats.quads, 40 + HELD_QUADS_MAX);
    assert_int_equal(stats.frame.uploads, 2);
    // With headers and light; pages of 64 words have an unused texel between them.
    const uint32_t quads = 40 + HELD_QUADS_MAX, texels = quads + 2 + 282 + quads / 2;
    assert_in_range(stats.frame.upload_bytes, texels * QUAD_BYTES,
                    (texels + HELD_QUADS_MAX / 64) * QUAD_BYTES);
    assert_int_equal(stats.frame.copy_bytes, 0);
    drop_held(&buffer, &held[0]);
    quad_buffer_step(&buffer); // the hole of two pages is a sixteenth of nothing: it stays
    stats = quad_buffer_stats(&buffer);
    assert_int_equal(stats.quads, HELD_QUADS_MAX);
    assert_int_equal(stats.frame.uploads + stats.frame.upload_bytes + stats.frame.copy_bytes, 0);
    quad_buffer_free(&buffer);
}

static void a_small_limit_of_the_driver_is_kept(void **state)
{
    (void)state;
    static Held held[HELD_CHUNKS];
    QuadBuffer buffer;
    const uint32_t texels = 14000; // 424 pages in each segment
    quad_buffer_create(&buffer, texels);
    const uint32_t quad_max = QUAD_SEGMENTS * (texels / (QUAD_PAGE_QUADS + 1)) * QUAD_PAGE_QUADS;
    uint32_t refused = 0;
    for (uint32_t i = 0; i < HELD_CHUNKS; i++) {
        refused += !put_held(&buffer, i, &held[i]);
        assert_int_equal(quad_buffer_stats(&buffer).quad_max, quad_max);
        assert_true(quad_buffer_stats(&buffer).quads <= quad_max);
    }

    assert_true(refused > HELD_CHUNKS / 4);
    const QuadBufferStats stats = quad_buffer_stats(&buffer);
    assert_true(stats.quads + stats.lit / 2 > quad_max / 10 * 9);
    check_all_held(&buffer, held);
    quad_buffer_free(&buffer);
    memset(held, 0, sizeof held);
}

static uint32_t buffers_left; ///< that the driver still has memory for
static bool is_out_of_memory;
static PFNGLBUFFERDATAPROC true_buffer_data;
static PFNGLTEXIMAGE2DPROC true_texture_data;
static PFNGLGETERRORPROC true_get_error;

static void GLAD_API_PTR scarce_buffer_data(GLenum target, GLsizeiptr bytes, const void *data,
                                            GLenum usage)
{
    is_out_of_memory = buffers_left == 0;
    if (buffers_left) {
        buffers_left--;
        true_buffer_data(target, bytes, data, usage);
    }
}

/// What OpenGL ES holds quads in.
static void GLAD_API_PTR scarce_texture_data(GLenum target, GLint level, GLint format,
                                             GLsizei width, GLsizei height, GLint border,
                                             GLenum parts, GLenum type, const void *texels)
{
    is_out_of_memory = buffers_left == 0;
    if (buffers_left) {
        buffers_left--;
        true_texture_data(target, level, format, width, height, border, parts, type, texels);
    }
}

static GLenum GLAD_API_PTR scarce_get_error(void)
{
    const GLenum error = is_out_of_memory ? GL_OUT_OF_MEMORY : true_get_error();
    is_out_of_memory = false;
    return error;
}

static void a_driver_without_memory_keeps_what_it_has(void **state)
{
    (void)state;
    static Held held[HELD_CHUNKS];
    true_buffer_data = glad_glBufferData;
    true_texture_data = glad_glTexImage2D;
    true_get_error = glad_glGetError;
    for (uint32_t left = 0; left < 4; left++) {
        QuadBuffer buffer;
        uint32_t refused = 0;
        quad_buffer_create(&buffer, 0);
        buffers_left = left;
        glad_glBufferData = scarce_buffer_data;
        glad_glTexImage2D = scarce_texture_data;
        glad_glGetError = scarce_get_error;
        for (uint32_t i = 0; i < HELD_CHUNKS; i++) {
            refused += !put_held(&buffer, i, &held[i]);
        }
        glad_glBufferData = true_buffer_data;
        glad_glTexImage2D = true_texture_data;
        glad_glGetError = true_get_error;
        assert_true(refused > 0);
        assert_true((quad_buffer_stats(&buffer).quads > 0) == (left > 1));
        assert_true(quad_buffer_stats(&buffer).quad_max < 100000); // what there is, for the warning
        check_all_held(&buffer, held);
        quad_buffer_free(&buffer);
        memset(held, 0, sizeof held);
    }
}

// ---- drawn chunks -------------------------------------------------------------------------------

#define SCENE_DISTANCE 8

/// A renderer, and a store of chunks whose quads the test creates.
typedef struct Scene {
    Renderer *renderer;
    TrnStore *store;
    Debris *debris; ///< NULL: none
    TrnChunk *chunks[4];
    size_t count;
} Scene;

static Scene make_scene_of(int view_height)
{
    Scene scene = {0};
    scene.renderer = make_renderer(SCENE_DISTANCE, view_height, &scene.store);
    return scene;
}

static Scene make_scene(void)
{
    return make_scene_of(SCENE_DISTANCE);
}

static void free_scene(Scene *scene)
{
    renderer_destroy(scene->renderer);
    debris_destroy(scene->debris);
    trn_store_destroy(scene->store);
}

static TrnQuad make_quad(uint32_t x, uint32_t y, uint32_t z, uint32_t width, uint32_t height,
                         TrnFace face, TrnBlock block)
{
    return x | y << 5 | z << 10 | (width - 1) << 15 | (height - 1) << 20 | (uint32_t)face << 25 |
           (TrnQuad)255 << 28 | (TrnQuad)block << 36;
}

/// Adds a chunk with quads of one group.
static void add_group(Scene *scene, TrnCoord coord, const TrnQuad *quads, uint32_t count,
                      uint32_t group)
{
    TrnMeshInfo info = {.light = TRN_MESH_LIGHT(15, 0)};
    for (uint32_t i = 0; i <= TRN_MESH_GROUP_COUNT; i++) {
        info.first[i] = i > group ? count : 0;
    }
    TrnChunk **chunk = &scene->chunks[scene->count++];
    assert_int_equal(trn_store_insert_uniform(scene->store, coord, TRN_BLOCK_AIR, chunk),
                     TRN_RESULT_OK);
    assert_true(
        renderer_show(scene->renderer, *chunk, 0, &(ChunkMesh){.quads = quads, .info = &info}));
}

/// Adds a chunk of quads that all face the same way, opaque or liquid.
static void add_quads(Scene *scene, TrnCoord coord, const TrnQuad *quads, uint32_t count,
                      bool liquid)
{
    add_group(scene, coord, quads, count,
              trn_quad_face(quads[0]) + (liquid ? TRN_MESH_TRANSPARENT : TRN_MESH_OPAQUE));
}

static void draw_part(const Scene *scene, const double pose[5], double seconds, float part,
                      Picture *picture)
{
    Camera camera = camera_at(pose);
    Message problem;
    const RendererFrame frame = {.camera = &camera,
                                 .seconds = seconds,
                                 .inside = TRN_BLOCK_KIND_AIR,
                                 .view_part = part,
                                 .store = scene->store,
                                 .box = trn_box_around(camera.position.chunk, SCENE_DISTANCE,
                                                       SCENE_DISTANCE, SCENE_DISTANCE),
                                 .debris = scene->debris};
    assert_true(renderer_draw(scene->renderer, &frame, &problem));
    renderer_read(scene->renderer, picture->rgb[0][0]);
}

static void draw_scene(const Scene *scene, const double pose[5], double seconds, Picture *picture)
{
    draw_part(scene, pose, seconds, 1, picture);
}

/// Returns how much a wall `away` voxels ahead differs from the sky, in the middle of the picture.
/// @param part  of the view distance that is loaded
static int wall_difference(int away, float part)
{
    static Picture with, without;
    // The wall is the side of a chunk that looks at the camera, level with it: where there are no
    // clouds.
    const double pose[5] = {16, 16, away, 0, 0};
    Scene scene = make_scene();
    draw_part(&scene, pose, 0, part, &without);
    TrnQuad wall = make_quad(0, 0, 31, 32, 32, TRN_FACE_POS_Z, TRN_BLOCK_DIRT);
    add_quads(&scene, (TrnCoord){0, 0, -1}, &wall, 1, false);
    draw_part(&scene, pose, 0, part, &with);
    free_scene(&scene);
    return difference(with.rgb[HEIGHT / 2][WIDTH / 2], without.rgb[HEIGHT / 2][WIDTH / 2]);
}

static void haze_hides_what_lies_at_the_end_of_what_is_loaded(void **state)
{
    (void)state;
    // Everything nearer than half a chunk less than the view distance is there on all sides; there
    // the haze is full.
    const int full = SCENE_DISTANCE * TRN_CHUNK_EDGE - TRN_CHUNK_EDGE / 2;
    assert_true(wall_difference(full, 1) <= 3);
    assert_true(wall_difference(full * 8 / 10, 1) > 15);
    assert_true(wall_difference(full / 2, 1) > 60);
    assert_true(wall_difference(8, 1) > 120);
    // Where memory cuts the view to half, the same at half the distance.
    const int half = full / 2 - TRN_CHUNK_EDGE / 4;
    assert_true(wall_difference(half, 0.5f) <= 3);
    assert_true(wall_difference(half * 8 / 10, 0.5f) > 15);
    assert_true(wall_difference(8, 0.5f) > 120);
}

/// Returns how much a floor `below` voxels under the camera differs from no floor.
static int floor_difference(int below, int view_height)
{
    static Picture with, without;
    const double pose[5] = {16, 32 + below, 16, 0, -89};
    Scene scene = make_scene_of(view_height);
    draw_scene(&scene, pose, 0, &without);
    const TrnQuad floor = make_quad(0, 31, 0, 32, 32, TRN_FACE_POS_Y, TRN_BLOCK_DIRT);
    add_quads(&scene, (TrnCoord){0, 0, 0}, &floor, 1, false);
    draw_scene(&scene, pose, 0, &with);
    free_scene(&scene);
    return difference(with.rgb[HEIGHT / 2][WIDTH / 2], without.rgb[HEIGHT / 2][WIDTH / 2]);
}

static void haze_is_as_flat_as_the_view(void **state)
{
    (void)state;
    const int full = 2 * TRN_CHUNK_EDGE - TRN_CHUNK_EDGE / 2;
    assert_true(floor_difference(full, 2) <= 3);
    assert_true(floor_difference(full / 2, 2) > 30);
    assert_true(floor_difference(full, SCENE_DISTANCE) > 60);
}

// ---- plants -------------------------------------------------------------------------------------

/// Counts the pixels that differ from the empty sky when a row of plants stands in front of the
/// camera.
static int plant_pixels(const double pose[5], uint32_t leaf)
{
    static Picture with, without;
    TrnQuad leaves[TRN_CHUNK_EDGE];
    for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
        leaves[x] = make_quad(x, 0, 16, 1, 1, (TrnFace)leaf, TRN_BLOCK_TALL_GRASS);
    }
    Scene scene = make_scene();
    draw_scene(&scene, pose, 0, &without);
    add_group(&scene, (TrnCoord){0, 0, 0}, leaves, TRN_CHUNK_EDGE, TRN_MESH_PLANTS);
    draw_scene(&scene, pose, 0, &with);
    free_scene(&scene);
    int pixels = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            pixels += difference(with.rgb[y][x], without.rgb[y][x]) > 40;
        }
    }
    return pixels;
}

static void plants_are_seen_from_both_sides_between_their_blades_and_not_from_afar(void **state)
{
    (void)state;
    for (uint32_t leaf = TRN_QUAD_PLANT_A; leaf <= TRN_QUAD_PLANT_B; leaf++) {
        const double front[5] = {16, 0.5, 20, 0, 0}, back[5] = {16, 0.5, 13, 180, 0};
        const int seen = plant_pixels(front, leaf), behind = plant_pixels(back, leaf);
        print_message("  %d pixels from the front, %d from behind\n", seen, behind);
        // The row is one voxel high, about 20 pixels, and as wide as the picture; about half of it
        // is leaves.
        assert_in_range(seen, WIDTH * 4, WIDTH * 16);
        assert_in_range(behind, WIDTH * 4, WIDTH * 16);
        const double far[5] = {16, 0.5, 16 + (double)DRAW_PLANTS_DISTANCE + 1, 0, 0};
        assert_int_equal(plant_pixels(far, leaf), 0);
    }
}

// ---- debris -------------------------------------------------------------------------------------

/// Creates a scene with an empty chunk in whose middle 400 bits of a block fly.
static Scene make_debris_scene(TrnCoord coord, TrnBlock block)
{
    Scene scene = make_scene();
    assert_int_equal(trn_store_insert_uniform(scene.store, coord, TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_OK);
    const DebrisDef def = debris_def(scene.store);
    assert_int_equal(debris_create(&def, &scene.debris), TRN_RESULT_OK);
    const TrnVoxel low = trn_coord_voxel(coord), middle = {low.x + 16, low.y + 16, low.z + 16};
    assert_int_equal(debris_throw(scene.debris, middle, block, TRN_FACE_COUNT, 400), 400);
    assert_int_equal(debris_step(scene.debris, 0.06), 3);
    return scene;
}

/// Counts the pixels that debris changes. @param colour  receives their mean colour
static int debris_pixels(Scene *scene, const double pose[5], double colour[3])
{
    static Picture with, without;
    Debris *debris = scene->debris;
    draw_scene(scene, pose, 0, &with);
    const uint32_t calls = renderer_stats(scene->renderer).draw_calls;
    scene->debris = NULL;
    draw_scene(scene, pose, 0, &without);
    scene->debris = debris;
    double sum[3] = {0};
    int pixels = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const unsigned char *now = with.rgb[i / WIDTH][i % WIDTH];
        if (difference(now, without.rgb[i / WIDTH][i % WIDTH]) > 20) {
            pixels++;
            for (int k = 0; k < 3; k++) {
                sum[k] += now[k];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        colour[k] = pixels ? sum[k] / pixels : 0;
    }
    // One call draws all debris; hidden debris needs none.
    assert_int_equal(calls - renderer_stats(scene->renderer).draw_calls, pixels > 0);
    return pixels;
}

static void debris_has_the_colour_of_its_block(void **state)
{
    (void)state;
    static const TrnBlock blocks[] = {TRN_BLOCK_SNOW, TRN_BLOCK_OAK_LEAVES, TRN_BLOCK_DIRT,
                                      TRN_BLOCK_FLOWER};
    const double pose[5] = {16.5, 17, 20, 0, 0};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        Scene scene = make_debris_scene((TrnCoord){0, 0, 0}, blocks[i]);
        const TrnBlockTypes *types = trn_store_block_types(scene.store);
        const uint8_t *side = trn_block_types_get(types, blocks[i])->colour[TRN_FACE_POS_Z];
        double colour[3];
        const int pixels = debris_pixels(&scene, pose, colour);
        print_message("  %s: %d pixels of %.0f %.0f %.0f\n",
                      trn_block_types_get(types, blocks[i])->name, pixels, colour[0], colour[1],
                      colour[2]);
        assert_in_range(pixels, 300, WIDTH * HEIGHT / 2);
        // Light changes the brightness of a colour but not its hue: the order of its components is
        // the same.
        for (int k = 0; k < 3; k++) {
            const int other = (k + 1) % 3;
            const int order = side[k] - side[other];
            assert_true(abs(order) < 25 || (order > 0) == (colour[k] > colour[other]));
        }
        assert_true(blocks[i] != TRN_BLOCK_SNOW || colour[0] + colour[1] + colour[2] > 450);
        const double away[5] = {16.5, 17, 20, 180, 0};
        assert_int_equal(debris_pixels(&scene, away, colour), 0);
        free_scene(&scene);
    }
}

static void debris_at_the_end_of_the_world_is_where_it_would_be_at_home(void **state)
{
    (void)state;
    static const TrnCoord coords[] = {
        {0, 0, 0}, {INT32_MAX, INT32_MAX - 9, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};
    int first = 0;
    for (size_t i = 0; i < sizeof coords / sizeof coords[0]; i++) {
        Scene scene = make_debris_scene(coords[i], TRN_BLOCK_DIRT);
        const TrnVoxel low = trn_coord_voxel(coords[i]);
        const double pose[5] = {(double)low.x + 16.5, (double)low.y + 17, (double)low.z + 20, 0, 0};
        double colour[3];
        const int pixels = debris_pixels(&scene, pose, colour);
        first = i ? first : pixels;
        assert_true(abs(pixels - first) <= first / 50);
        free_scene(&scene);
    }
}

// ---- water --------------------------------------------------------------------------------------

/// A quad of water under air, lowered.
static TrnQuad surface_quad(uint32_t x, uint32_t z, uint32_t width, uint32_t height)
{
    return make_quad(x, 15, z, width, height, TRN_FACE_POS_Y, TRN_BLOCK_WATER) &
           ~((TrnQuad)255 << 28);
}

/// Divides a square of the surface at random, again and again. @return the number of pieces so far
static uint32_t cut_surface(TestRandom *random, const uint32_t box[4], TrnQuad *quads,
                            uint32_t count)
{
    const uint32_t x = box[0], z = box[1], width = box[2], height = box[3];
    if (width * height <= 4 || (width < 2 && height < 2)) {
        quads[count] = surface_quad(x, z, width, height);
        return count + 1;
    }
    bool across = height < 2 || (width > 1 && test_random_next(random) & 1);
    uint32_t at = (uint32_t)test_random_range(random, 1, (across ? width : height) - 1);
    const uint32_t low[4] = {x, z, across ? at : width, across ? height : at};
    const uint32_t high[4] = {across ? x + at : x, across ? z : z + at, across ? width - at : width,
                              across ? height : height - at};
    count = cut_surface(random, low, quads, count);
    return cut_surface(random, high, quads, count);
}

/// A bright floor under water that is one quad or many.
static Scene make_sea(TestRandom *cuts)
{
    static TrnQuad quads[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE];
    Scene scene = make_scene();
    TrnQuad floor = make_quad(0, 11, 0, 32, 32, TRN_FACE_POS_Y, TRN_BLOCK_SNOW);
    add_quads(&scene, (TrnCoord){0, -1, 0}, &floor, 1, false);
    const uint32_t all[4] = {0, 0, 32, 32};
    uint32_t count = cuts ? cut_surface(cuts, all, quads, 0) : 1;
    if (!cuts) {
        quads[0] = surface_quad(0, 0, 32, 32);
    }
    add_quads(&scene, (TrnCoord){0, 0, 0}, quads, count, true);
    return scene;
}

/// Whether a pixel shows the sea, but not its rim.
static bool shows_sea(const double pose[5], int x, int y)
{
    const Camera camera = camera_at(pose);
    CameraView view;
    camera_view(&camera, WIDTH, HEIGHT, 640, &view);
    float right = ((float)x + 0.5f) / WIDTH * 2 - 1, up = 1 - ((float)y + 0.5f) / HEIGHT * 2;
    float ray[3];
    for (int axis = 0; axis < 3; axis++) {
        ray[axis] = view.ray_forward[axis] + right * view.ray_right[axis] + up * view.ray_up[axis];
    }
    float depth = (15.875f - (float)pose[1]) / ray[1];
    float at_x = (float)pose[0] + depth * ray[0], at_z = (float)pose[2] + depth * ray[2];
    return ray[1] < 0 && at_x > 1 && at_x < 31 && at_z > 1 && at_z < 31;
}

static int sea_difference(const double pose[5], const Picture *a, const Picture *b)
{
    int worst = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            int differs = shows_sea(pose, x, y) ? difference(a->rgb[y][x], b->rgb[y][x]) : 0;
            worst = differs > worst ? differs : worst;
        }
    }
    return worst;
}

static void water_in_pieces_looks_like_water_in_one(void **state)
{
    (void)state;
    static Picture one, pieces;
    TestRandom random = test_random_seeded(21);
    Scene whole = make_sea(NULL), cut = make_sea(&random);
    int worst = 0;
    for (int i = 0; i < 60; i++) {
        const double pose[5] = {(double)test_random_range(&random, 900, 2300) / 100, 16.0 + i % 6,
                                (double)test_random_range(&random, 900, 2300) / 100,
                                (double)test_random_range(&random, 0, 3600) / 10,
                                -20 - (double)test_random_range(&random, 0, 600) / 10};
        draw_scene(&whole, pose, 0, &one);
        draw_scene(&cut, pose, 0, &pieces);
        int differs = sea_difference(pose, &one, &pieces);
        worst = differs > worst ? differs : worst;
    }
    print_message("  greatest difference %d\n", worst);
    assert_true(worst <= 12);
    free_scene(&whole);
    free_scene(&cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_row_read_is_the_highest, open_window,
                                        close_window),
        cmocka_unit_test_setup_teardown(every_quad_stays_with_its_chunk_while_quads_move,
                                        open_window, close_window),
        cmocka_unit_test_setup_teardown(a_run_slides_into_a_hole_smaller_than_itself, open_window,
                                        close_window),
        cmocka_unit_test_setup_teardown(a_frame_knows_what_was_sent_and_moved, open_window,
                                        close_window),
        cmocka_unit_test_setup_teardown(a_small_limit_of_the_driver_is_kept, open_window,
                                        close_window),
        cmocka_unit_test_setup_teardown(a_driver_without_memory_keeps_what_it_has, open_window,
                                        close_window),
        cmocka_unit_test_setup_teardown(haze_hides_what_lies_at_the_end_of_what_is_loaded,
                                        open_window, close_window),
        cmocka_unit_test_setup_teardown(haze_is_as_flat_as_the_view, open_window, close_window),
        cmocka_unit_test_setup_teardown(
            plants_are_seen_from_both_sides_between_their_blades_and_not_from_afar, open_window,
            close_window),
        cmocka_unit_test_setup_teardown(debris_has_the_colour_of_its_block, open_window,
                                        close_window),
        cmocka_unit_test_setup_teardown(debris_at_the_end_of_the_world_is_where_it_would_be_at_home,
                                        open_window, close_window),
        cmocka_unit_test_setup_teardown(water_in_pieces_looks_like_water_in_one, open_window,
                                        close_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
