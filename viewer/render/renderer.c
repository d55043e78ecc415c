#include "render/renderer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glad/gl.h>

#include "clock.h"
#include "render/block_art.h"
#include "render/chunk_view.h"
#include "render/culling.h"
#include "render/debris_draw.h"
#include "render/draw_list.h"
#include "render/gl_context.h"
#include "render/gl_program.h"
#include "render/programs.h"
#include "render/quad_indices.h"
#include "render/skyline.h"
#include "render/target.h"

#define QUADS_LEAST 65536 // the least that OpenGL guarantees: two or three chunks at worst

/// The uniform block of assets/shaders/frame.glsl, in its layout (std140).
typedef struct FrameBlock {
    float clip[16];
    float camera[4];
    int32_t camera_chunk[4];
    float ray_right[4], ray_up[4], ray_forward[4];
    float sun[4], shine[4], shine_light[4];
    float zenith[4], horizon[4], glow[4], sky_light[4];
    float haze[4];
    BlockArtBits turf, clear, glowing;
    float skyline_at[4];
} FrameBlock;

struct Renderer {
    RendererDef def;
    Look look;
    const uint32_t *opaque_bits; ///< of the block types
    Target target;
    Programs programs;
    OutlinePainter *outline;
    BoxPainter *boxes;
    BlockArt art;
    QuadBuffer quads;
    QuadIndices indices;
    Skyline skyline;
    GLuint skyline_texture;
    Culling culling;
    DrawList list;
    DebrisDraw debris;
    double cull_us, cull_cpu_us;
    uint32_t draw_calls;
    uint32_t glass_chunks; ///< number of chunks with glass: mostly 0
    GLuint vertex_array;   ///< empty, but core OpenGL draws nothing without it
    GLuint frame_buffer;   ///< a FrameBlock
};

// ---- creation and destruction -------------------------------------------------------------------

static bool draws_on_processor(void)
{
    const char *driver = (const char *)glGetString(GL_RENDERER);
    return driver &&
           (strstr(driver, "llvmpipe") || strstr(driver, "softpipe") || strstr(driver, "SWR"));
}

LookQuality renderer_suggested_quality(void)
{
    return draws_on_processor() ? LOOK_QUALITY_LOW : LOOK_QUALITY_HIGH;
}

/// On a graphics card four samples smooth edges at almost no cost; with software rendering they
/// double the frame time.
static int sample_count(const Look *look)
{
    return look->samples ? look->samples : draws_on_processor() ? 1 : 4;
}

static bool create_target(const RendererDef *def, const Look *look, Target *target,
                          Message *problem)
{
    return target_create(target, def->width, def->height, look->scale, sample_count(look), problem);
}

static bool make_skyline(Skyline *skyline, GLuint *texture, int view_distance, Message *problem)
{
    if (!skyline_create(skyline, view_distance, problem)) {
        return false;
    }
    const GLsizei edge = skyline->edge * TRN_CHUNK_EDGE;
    glGenTextures(1, texture);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, edge, edge, 0, GL_RED, GL_FLOAT, skyline->heights);
    return glGetError() == GL_NO_ERROR ||
           message_set(problem,
                       "The driver has no room for the heights of %dx%d columns; choose a smaller "
                       "--view-distance.",
                       edge, edge);
}

static bool create_skyline(Renderer *renderer, Message *problem)
{
    return make_skyline(&renderer->skyline, &renderer->skyline_texture, renderer->def.view_distance,
                        problem);
}

/// Allocates what one picture of the whole view needs.
static bool reserve_lists(Renderer *renderer, int view_distance, int view_height, Message *problem)
{
    const size_t across = 2 * (size_t)view_distance + 1;
    const size_t cells = across * across * (2 * (size_t)view_height + 1);
    return (culling_reserve(&renderer->culling, cells) &&
            draw_list_reserve(&renderer->list, cells / 16 + 64)) ||
           message_set(problem, "Out of memory: cannot list the chunks of the view.");
}

/// Checks the limits that the renderer cannot do without. Too many quads, block types or pixels are
/// reported by the parts that own them.
static bool check_limits(const RendererDef *def, Message *problem)
{
    const GLint columns = skyline_edge(def->view_distance) * TRN_CHUNK_EDGE;
    const GlNeed needs[] = {
        {GL_MAX_TEXTURE_BUFFER_SIZE, QUADS_LEAST, "GL_MAX_TEXTURE_BUFFER_SIZE", "the quads"},
        {GL_MAX_TEXTURE_SIZE, columns, "GL_MAX_TEXTURE_SIZE", "the heights of so large a view"},
        {GL_MAX_ARRAY_TEXTURE_LAYERS, 3, "GL_MAX_ARRAY_TEXTURE_LAYERS", "textures"},
        {GL_MAX_TEXTURE_IMAGE_UNITS, UNIT_QUADS, "GL_MAX_TEXTURE_IMAGE_UNITS", "the shaders"},
        {GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, QUAD_SEGMENTS + 1, "GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS",
         "the quads in all their buffers, and the blocks' colours"},
        {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, UNIT_COUNT, "GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS",
         "the shaders"},
        {GL_MAX_UNIFORM_BLOCK_SIZE, (GLint)sizeof(FrameBlock), "GL_MAX_UNIFORM_BLOCK_SIZE",
         "data of a frame for shaders"},
        {GL_MAX_VARYING_COMPONENTS, 32, "GL_MAX_VARYING_COMPONENTS", "the shaders"}};
    return gl_context_meets(needs, sizeof needs / sizeof needs[0], problem);
}

bool renderer_create(Renderer **renderer, const RendererDef *def, Message *problem)
{
    if (!check_limits(def, problem)) {
        return false;
    }
    Renderer *made = calloc(1, sizeof *made);
    if (!made) {
        return message_set(problem, "Out of memory for the renderer.");
    }
    made->def = *def;
    made->look = def->look;
    made->opaque_bits = trn_block_types_opaque_bits(def->types);
    quad_buffer_create(&made->quads, def->texel_max);
    debris_draw_create(&made->debris);
    glGenVertexArrays(1, &made->vertex_array);
    glGenBuffers(1, &made->frame_buffer);
    if (!programs_create(&made->programs, &made->look, problem) ||
        !outline_painter_create(&made->outline, problem) ||
        !box_painter_create(&made->boxes, problem) ||
        !create_target(def, &made->look, &made->target, problem) ||
        !quad_indices_create(&made->indices, problem) ||
        !block_art_create(&made->art, def->types, !draws_on_processor(), problem) ||
        !create_skyline(made, problem) ||
        !reserve_lists(made, def->view_distance, def->view_height, problem)) {
        renderer_destroy(made);
        return false;
    }
    *renderer = made;
    return true;
}

void renderer_destroy(Renderer *renderer)
{
    if (!renderer) {
        return;
    }
    programs_free(&renderer->programs);
    outline_painter_destroy(renderer->outline);
    box_painter_destroy(renderer->boxes);
    block_art_free(&renderer->art);
    glDeleteTextures(1, &renderer->skyline_texture);
    skyline_free(&renderer->skyline);
    glDeleteBuffers(1, &renderer->frame_buffer);
    glDeleteVertexArrays(1, &renderer->vertex_array);
    quad_buffer_free(&renderer->quads);
    quad_indices_free(&renderer->indices);
    debris_draw_free(&renderer->debris);
    target_free(&renderer->target);
    draw_list_free(&renderer->list);
    culling_free(&renderer->culling);
    free(renderer);
}

static bool replace_target(Renderer *renderer, const RendererDef *def, const Look *look,
                           Message *problem)
{
    Target target;
    if (!create_target(def, look, &target, problem)) {
        return false;
    }
    target_free(&renderer->target);
    renderer->target = target;
    return true;
}

bool renderer_resize(Renderer *renderer, int width, int height, Message *problem)
{
    RendererDef def = renderer->def;
    def.width = width;
    def.height = height;
    if (width == renderer->def.width && height == renderer->def.height) {
        return true;
    }
    if (!replace_target(renderer, &def, &renderer->look, problem)) {
        return false;
    }
    renderer->def = def;
    return true;
}

// ---- the look -----------------------------------------------------------------------------------

RendererDef renderer_def(const Renderer *renderer)
{
    RendererDef def = renderer->def;
    def.look = renderer->look;
    return def;
}

Look renderer_look(const Renderer *renderer)
{
    return renderer->look;
}

bool renderer_set_look(Renderer *renderer, const Look *look, Message *problem)
{
    const bool other_target =
        look->scale != renderer->look.scale || sample_count(look) != sample_count(&renderer->look);
    Programs programs;
    const bool other_programs = programs_differ(look, &renderer->look);
    if (other_programs && !programs_create(&programs, look, problem)) {
        return false;
    }
    if (other_target && !replace_target(renderer, &renderer->def, look, problem)) {
        if (other_programs) {
            programs_free(&programs);
        }
        return false;
    }
    if (other_programs) {
        programs_free(&renderer->programs);
        renderer->programs = programs;
    }
    renderer->look = *look;
    return true;
}

// ---- chunks -------------------------------------------------------------------------------------

/// Records what a chunk's voxels hide, and how high its land is.
static void note_voxels(Renderer *renderer, TrnChunk *chunk)
{
    const TrnSnapshot voxels = trn_voxels_snapshot(&chunk->voxels);
    const TrnVisibility joined = trn_visibility_of_snapshot(voxels, renderer->opaque_bits);
    chunk_view(chunk)->hidden = (TrnVisibility)(TRN_VISIBILITY_ALL & ~joined);
    skyline_note(&renderer->skyline, chunk->coord,
                 trn_snapshot_opaque(voxels, renderer->opaque_bits));
}

static uint32_t mix_bits(uint32_t value)
{
    value = (value ^ (value >> 15)) * 0x2c1b3c6du;
    value = (value ^ (value >> 12)) * 0x297a2d39u;
    return value ^ (value >> 15);
}

/// Returns how lush a corner of chunks is, 0..7, as hash3 of noise.glsl computes it for 32-bit
/// voxels.
static uint32_t lushness(int32_t x, int32_t z)
{
    x = (int32_t)((uint32_t)x << TRN_CHUNK_SHIFT) >> TRN_CHUNK_SHIFT;
    z = (int32_t)((uint32_t)z << TRN_CHUNK_SHIFT) >> TRN_CHUNK_SHIFT;
    return mix_bits((uint32_t)x * 0x8da6b343u ^ (uint32_t)z * 0xd8163841u) >> 29;
}

/// Returns what the shaders know of a chunk: see `hidden` in terrain.frag. Computed here,
/// because there it would take four hashes a pixel.
static uint32_t note_of(const TrnChunk *chunk, TrnVisibility hidden)
{
    uint32_t note = (uint32_t)__builtin_popcount(hidden);
    for (uint32_t corner = 0; corner < 4; corner++) {
        const uint32_t x = (uint32_t)chunk->coord.x + (corner & 1u);
        const uint32_t z = (uint32_t)chunk->coord.z + (corner >> 1);
        note |= lushness((int32_t)x, (int32_t)z) << (4 + 3 * corner);
    }
    return note;
}

/// Whether a chunk has glass or the like, which is drawn after the opaque world and the water.
static bool shows_glass(const Renderer *renderer, const TrnQuad *quads, const TrnMeshInfo *info)
{
    const uint32_t end = info->first[TRN_MESH_GROUP_COUNT];
    for (uint32_t i = info->first[TRN_MESH_TRANSPARENT]; i < end; i++) {
        if (block_art_is_glass(
                trn_block_types_get(renderer->def.types, trn_quad_block(quads[i])))) {
            return true;
        }
    }
    return false;
}

bool renderer_show(Renderer *renderer, TrnChunk *chunk, const TrnQuad *quads, const uint32_t *light,
                   const TrnMeshInfo *info)
{
    ChunkView *view = chunk_view(chunk);
    renderer_hide(renderer, chunk);
    note_voxels(renderer, chunk);
    const uint32_t count = info->first[TRN_MESH_GROUP_COUNT];
    const bool varies = info->light == TRN_MESH_LIGHT_VARIES;
    if (count &&
        !quad_buffer_put(&renderer->quads, chunk->coord, note_of(chunk, view->hidden), quads,
                         (QuadLight){varies ? light : NULL, info->light}, count, &view->run)) {
        view->hidden = 0; // a chunk without quads must not hide what is behind it
        return false;
    }
    memcpy(view->first, info->first, sizeof view->first);
    view->has_glass = shows_glass(renderer, quads, info);
    renderer->glass_chunks += view->has_glass;
    return true;
}

void renderer_hide(Renderer *renderer, TrnChunk *chunk)
{
    ChunkView *view = chunk_view(chunk);
    if (view->run.pages) {
        quad_buffer_drop(&renderer->quads, view->first[TRN_MESH_GROUP_COUNT], &view->run);
    }
    renderer->glass_chunks -= view->has_glass;
    memset(view, 0, sizeof *view);
}

// ---- the view -----------------------------------------------------------------------------------

/// Records the heights of all loaded chunks; those of unloaded chunks are lost.
static bool note_heights(Renderer *renderer, const TrnStore *store)
{
    const size_t count = trn_store_stats(store).chunks;
    TrnChunk **chunks = malloc((count ? count : 1) * sizeof(TrnChunk *));
    if (!chunks) {
        return false;
    }
    const size_t found = trn_store_gather(store, trn_box_everything(), chunks, count);
    for (size_t i = 0; i < found; i++) {
        const TrnSnapshot voxels = trn_voxels_snapshot(&chunks[i]->voxels);
        skyline_note(&renderer->skyline, chunks[i]->coord,
                     trn_snapshot_opaque(voxels, renderer->opaque_bits));
    }
    free(chunks);
    return true;
}

/// Replaces the texture of heights by a larger one.
static bool grow_skyline(Renderer *renderer, int view_distance, const TrnStore *store,
                         Message *problem)
{
    const Skyline old = renderer->skyline;
    const GLuint old_texture = renderer->skyline_texture;
    Skyline grown = {0};
    GLuint texture = 0;
    bool good = make_skyline(&grown, &texture, view_distance, problem);
    if (good) {
        renderer->skyline = grown;
        renderer->skyline_texture = texture;
        good = note_heights(renderer, store) ||
               message_set(problem, "Out of memory: cannot list the chunks of the view.");
    }
    // `grown` is in use now, and has changed.
    Skyline gone = good ? old : texture ? grown : (Skyline){0};
    const GLuint gone_texture = good ? old_texture : texture;
    if (!good) {
        renderer->skyline = old;
        renderer->skyline_texture = old_texture;
    }
    skyline_free(&gone);
    glDeleteTextures(1, &gone_texture);
    return good;
}

bool renderer_set_view(Renderer *renderer, int view_distance, int view_height,
                       const TrnStore *store, Message *problem)
{
    if (!reserve_lists(renderer, view_distance, view_height, problem) ||
        (!skyline_is_enough(&renderer->skyline, view_distance) &&
         !grow_skyline(renderer, view_distance, store, problem))) {
        return false;
    }
    renderer->def.view_distance = view_distance;
    renderer->def.view_height = view_height;
    return true;
}

// ---- input of the shaders -----------------------------------------------------------------------

/// Returns how far below the ground the camera is, 0..1: the lamp's brightness.
static float darkness(const Renderer *renderer, const CameraView *view)
{
    const Skyline *skyline = &renderer->skyline;
    const TrnVoxel corner = trn_coord_voxel(view->chunk);
    const float height =
        (float)((int64_t)view->chunk.y - skyline->base) * TRN_CHUNK_EDGE + view->offset[1];
    float sum = 0;
    for (int i = 0; i < 25; i++) {
        const int column = i % 5 - 2, row = i / 5 - 2;
        const float x = view->offset[0] + (float)(column * 3);
        const float z = view->offset[2] + (float)(row * 3);
        const float rise =
            skyline_height(skyline, corner.x + (int64_t)floorf(x), corner.z + (int64_t)floorf(z)) -
            height;
        sum += glm_clamp((rise - 9) / 9, 0, 1);
    }
    return sum / 25;
}

static void copy_sky(FrameBlock *block, const LookSky *sky)
{
    glm_vec3_copy((float *)sky->sun, block->sun);
    glm_vec3_copy((float *)sky->light_way, block->shine);
    glm_vec3_copy((float *)sky->light, block->shine_light);
    glm_vec3_copy((float *)sky->zenith, block->zenith);
    glm_vec3_copy((float *)sky->horizon, block->horizon);
    glm_vec3_copy((float *)sky->glow, block->glow);
    glm_vec3_copy((float *)sky->above, block->sky_light);
    block->shine_light[3] = sky->stars;
}

static void place_skyline(const Renderer *renderer, const CameraView *view, float at[4])
{
    const Skyline *skyline = &renderer->skyline;
    at[0] = (float)(skyline_place(skyline, view->chunk.x) * TRN_CHUNK_EDGE);
    at[1] = (float)(skyline_place(skyline, view->chunk.z) * TRN_CHUNK_EDGE);
    at[2] = 1 / (float)(skyline->edge * TRN_CHUNK_EDGE);
    at[3] = (float)((int64_t)view->chunk.y - skyline->base) * TRN_CHUNK_EDGE;
}

/// Returns where the haze hides everything: half a chunk before the end of the shown chunks.
static float haze_end(float chunks)
{
    return fmaxf(chunks - 0.5f, 0.5f) * TRN_CHUNK_EDGE;
}

static void send_frame(const Renderer *renderer, const RendererFrame *frame, const CameraView *view)
{
    const LookSky sky = look_sky(renderer->look.hours);
    const float part = frame->view_part > 0 ? frame->view_part : 1;
    const float full_haze = haze_end(part * (float)renderer->def.view_distance);
    const float full_height = haze_end(part * (float)renderer->def.view_height);
    FrameBlock block = {
        .camera = {view->offset[0], view->offset[1], view->offset[2],
                   (float)fmod(frame->seconds, 3600)},
        .camera_chunk = {view->chunk.x, view->chunk.y, view->chunk.z, 0},
        .haze = {full_haze, view->pixel,
                 frame->inside != TRN_BLOCK_KIND_LIQUID ? 0.0f
                 : frame->inside_glows                  ? 2.0f
                                                        : 1.0f,
                 full_haze / full_height},
    };
    copy_sky(&block, &sky);
    block.turf = renderer->art.turf;
    block.clear = renderer->art.clear;
    block.glowing = renderer->art.glowing;
    block.sun[3] = DRAW_PLANTS_DISTANCE;
    block.sky_light[3] = renderer->look.on[LOOK_SKYLIGHT] ? darkness(renderer, view) : 0;
    place_skyline(renderer, view, block.skyline_at);
    memcpy(block.clip, view->clip, sizeof block.clip);
    glm_vec3_copy((float *)view->ray_right, block.ray_right);
    glm_vec3_copy((float *)view->ray_up, block.ray_up);
    glm_vec3_copy((float *)view->ray_forward, block.ray_forward);
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, GL_PROGRAM_FRAME, renderer->frame_buffer);
}

/// Updates the texture of heights.
static void send_skyline(Renderer *renderer)
{
    Skyline *skyline = &renderer->skyline;
    const int32_t edge = skyline->edge * TRN_CHUNK_EDGE;
    if (!skyline->list_count) {
        return;
    }
    glBindTexture(GL_TEXTURE_2D, renderer->skyline_texture);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, edge);
    for (int32_t place = skyline_take(skyline); place >= 0; place = skyline_take(skyline)) {
        const int32_t x = place % skyline->edge * TRN_CHUNK_EDGE;
        const int32_t z = place / skyline->edge * TRN_CHUNK_EDGE;
        glTexSubImage2D(GL_TEXTURE_2D, 0, x, z, TRN_CHUNK_EDGE, TRN_CHUNK_EDGE, GL_RED, GL_FLOAT,
                        skyline->heights + (size_t)z * (size_t)edge + x);
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

static void bind_texture(GLenum unit, GLenum target, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(target, texture);
}

static void bind_textures(const Renderer *renderer)
{
    GLuint quads[QUAD_SEGMENTS];
    quad_buffer_textures(&renderer->quads, quads);
    for (GLenum i = 0; i < QUAD_SEGMENTS; i++) {
        bind_texture(UNIT_QUADS + i, GL_TEXTURE_BUFFER, quads[i]);
    }
    bind_texture(UNIT_COLOURS, GL_TEXTURE_2D, renderer->art.colours);
    bind_texture(UNIT_TEXTURES, GL_TEXTURE_2D_ARRAY, renderer->art.textures);
    block_art_filter(&renderer->art, renderer->look.quality > LOOK_QUALITY_LOW);
    bind_texture(UNIT_SKYLINE, GL_TEXTURE_2D, renderer->skyline_texture);
    glActiveTexture(GL_TEXTURE0);
}

// ---- drawing ------------------------------------------------------------------------------------

static void begin_picture(const Renderer *renderer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->target.drawn);
    glViewport(0, 0, renderer->target.drawn_width, renderer->target.drawn_height);
    glBindVertexArray(renderer->vertex_array);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL); // the sky has the greatest depth
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glFrontFace(GL_CCW);
    glClearColor(0, 0, 0, 1);
    // Land and sky together fill every pixel, except when counts are added up.
    const bool adds = renderer->look.debug == LOOK_DEBUG_OVERDRAW;
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT | (adds ? GL_COLOR_BUFFER_BIT : 0));
}

static void draw_ranges(Renderer *renderer, GLuint program, const DrawRanges *ranges)
{
    if (ranges->used) {
        renderer->draw_calls++;
        glUseProgram(program);
        quad_indices_draw(&renderer->indices, ranges);
    }
}

/// Blends only the nearest water over each pixel, and only once. Quads overlap by part of a pixel;
/// otherwise the land would shine through in pinholes where a large quad's edge passes the corners
/// of small ones. A pixel blended twice would show as a seam. So first only the depths are drawn,
/// and then what has exactly that depth; the stencil rejects a second quad of the same depth. Since
/// only the nearest is blended, the order of quads does not matter.
static void draw_water(Renderer *renderer)
{
    const DrawRanges *ranges = &renderer->list.surfaces[TRN_MESH_SURFACE_TRANSPARENT];
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    draw_ranges(renderer, renderer->programs.water, ranges);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_EQUAL);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 0, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_ranges(renderer, renderer->programs.water, ranges);
    glDisable(GL_BLEND);
    glDisable(GL_STENCIL_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
}

/// Draws glass, other transparent blocks and liquids that emit light, which lie among the water's
/// quads: each program discards the other's. After the water, whose depths hide what is drawn
/// earlier; panes hide other panes behind them, which would hardly be visible anyway.
static void draw_glass(Renderer *renderer)
{
    if (!renderer->glass_chunks) {
        return;
    }
    glEnable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_ranges(renderer, renderer->programs.glass,
                &renderer->list.surfaces[TRN_MESH_SURFACE_TRANSPARENT]);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
}

/// Debris first: it is mostly right in front of the camera, and hides the land behind it. With
/// software rendering, 3,600 bits that fill half of the picture took 52 ms, and 74 ms after the
/// land.
static void draw_land(Renderer *renderer)
{
    renderer->draw_calls += debris_draw_call(&renderer->debris, renderer->programs.debris);
    glBindVertexArray(renderer->vertex_array);
    glEnable(GL_CULL_FACE);
    draw_ranges(renderer, renderer->programs.terrain,
                &renderer->list.surfaces[TRN_MESH_SURFACE_OPAQUE]);
    glDisable(GL_CULL_FACE);
    if (renderer->look.on[LOOK_PLANTS]) {
        draw_ranges(renderer, renderer->programs.plants,
                    &renderer->list.surfaces[TRN_MESH_SURFACE_PLANT]);
    }
}

static void draw_sky(const Renderer *renderer)
{
    glUseProgram(renderer->programs.sky);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/// Each pixel that is shaded adds a little light.
static void draw_overdraw(Renderer *renderer)
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    draw_land(renderer);
    draw_ranges(renderer, renderer->programs.water,
                &renderer->list.surfaces[TRN_MESH_SURFACE_TRANSPARENT]);
    glDisable(GL_BLEND);
    draw_glass(renderer);
}

static void draw_wireframe(Renderer *renderer)
{
    draw_sky(renderer);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    draw_land(renderer);
    draw_ranges(renderer, renderer->programs.water,
                &renderer->list.surfaces[TRN_MESH_SURFACE_TRANSPARENT]);
    draw_glass(renderer);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

/// Drawn before the water if it is under water, because water hides by its depth what is drawn
/// later.
static void draw_outline(Renderer *renderer, const RendererFrame *frame, const CameraView *view)
{
    if (frame->outline) {
        renderer->draw_calls++;
        outline_paint(renderer->outline, frame->outline, view, renderer->target.drawn_width,
                      renderer->target.drawn_height);
    }
}

static void draw_boxes(Renderer *renderer, const RendererFrame *frame, const CameraView *view)
{
    if (frame->boxes) {
        renderer->draw_calls++;
        box_paint(renderer->boxes, frame->boxes, view, renderer->target.drawn_width,
                  renderer->target.drawn_height);
        glBindVertexArray(renderer->vertex_array);
    }
}

static void draw_layers(Renderer *renderer, const RendererFrame *frame, const CameraView *view)
{
    if (renderer->look.debug == LOOK_DEBUG_OVERDRAW) {
        draw_overdraw(renderer);
    } else if (renderer->look.debug == LOOK_DEBUG_WIREFRAME) {
        draw_wireframe(renderer);
    } else {
        draw_land(renderer);
        draw_sky(renderer);
        draw_boxes(renderer, frame, view);
        draw_outline(renderer, frame, view);
        draw_water(renderer);
        draw_glass(renderer);
    }
}

static bool check_driver(Message *problem)
{
#ifdef TRN_ENABLE_ASSERT
    GLenum error = glGetError();
    if (error != GL_NO_ERROR) {
        return message_set(problem, "OpenGL reports error 0x%04x while drawing; this is a bug.",
                           error);
    }
#endif
    (void)problem;
    return true;
}

/// Finds what is in the picture.
static bool list_quads(Renderer *renderer, const RendererFrame *frame, const CameraView *view)
{
    Culling *culling = &renderer->culling;
    const double start = clock_us(), start_cpu = clock_thread_us();
    // From inside a block one looks through its faces from behind, at whatever it hides.
    const bool occlusion =
        renderer->look.on[LOOK_OCCLUSION] && frame->inside != TRN_BLOCK_KIND_OPAQUE;
    const bool good = culling_find(culling, view, frame->store, frame->box, occlusion) &&
                      draw_list_build(&renderer->list, view, culling->seen, culling->seen_count);
    renderer->cull_cpu_us = clock_thread_us() - start_cpu;
    renderer->cull_us = clock_us() - start;
    return good;
}

bool renderer_draw(Renderer *renderer, const RendererFrame *frame, Message *problem)
{
    // The farthest corner of the outermost chunks, which are at most three beyond the view
    // distance.
    float far = ((float)renderer->def.view_distance + 5) * TRN_CHUNK_EDGE;
    CameraView view;
    camera_view(frame->camera, renderer->target.drawn_width, renderer->target.drawn_height, far,
                &view);
    quad_buffer_step(&renderer->quads);
    if (!list_quads(renderer, frame, &view)) {
        return message_set(problem, "Out of memory: cannot list the chunks in the picture.");
    }
    renderer->draw_calls = 0;
    Message poorer;
    if (!block_art_update(&renderer->art, renderer->def.types, &poorer)) {
        fprintf(stderr, "terrane-viewer: %s\n", poorer.text);
    }
    send_skyline(renderer);
    send_frame(renderer, frame, &view);
    debris_draw_send(&renderer->debris, frame->debris, &view);
    bind_textures(renderer);
    begin_picture(renderer);
    draw_layers(renderer, frame, &view);
    target_resolve(&renderer->target);
    return check_driver(problem);
}

void renderer_size(const Renderer *renderer, int *width, int *height)
{
    *width = renderer->target.width;
    *height = renderer->target.height;
}

void renderer_present(Renderer *renderer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, renderer->target.width, renderer->target.height);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_DEPTH_TEST);
    bind_texture(UNIT_PICTURE, GL_TEXTURE_2D, renderer->target.texture);
    glActiveTexture(GL_TEXTURE0);
    glUseProgram(renderer->programs.present);
    glBindVertexArray(renderer->vertex_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void renderer_read(const Renderer *renderer, unsigned char *rgb)
{
    target_read(&renderer->target, rgb);
}

RendererStats renderer_stats(const Renderer *renderer)
{
    return (RendererStats){
        .chunks_drawn = renderer->list.chunk_count,
        .quads_drawn = renderer->list.quads,
        .chunks_gathered = renderer->culling.gathered,
        .cull_us = renderer->cull_us,
        .cull_cpu_us = renderer->cull_cpu_us,
        .draw_calls = renderer->draw_calls,
        .card = quad_buffer_stats(&renderer->quads),
    };
}
