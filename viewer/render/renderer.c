#include "render/renderer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/chunk_view.h"
#include "render/gl.h"
#include "render/renderer_impl.h"

// ---- creation and destruction -------------------------------------------------------------------

static bool renderer_draws_on_processor(void)
{
    static const char *const names[] = {"llvmpipe", "softpipe", "SWR", "SwiftShader"};
    const char *driver = gl_driver_name();
    for (size_t i = 0; driver && i < sizeof names / sizeof names[0]; i++) {
        if (strstr(driver, names[i])) {
            return true;
        }
    }
    return false;
}

LookQuality renderer_suggested_quality(void)
{
    return renderer_draws_on_processor() ? LOOK_QUALITY_LOW : LOOK_QUALITY_HIGH;
}

/// Returns the samples a pixel. Four samples smooth edges at almost no cost on a graphics card, but
/// double the frame time of a software renderer.
static int renderer_sample_count(const Look *look)
{
    return look->samples ? look->samples : renderer_draws_on_processor() ? 1 : 4;
}

/// With clip control, depths are floats from 1 at the near plane to 0: precise at any distance.
static bool renderer_create_target(const RendererDef *def, const Look *look, Target *target,
                                   Message *problem)
{
    return target_create(
        target, def->width, def->height, look->scale, renderer_sample_count(look),
        gl_features().has_clip_control ? GL_DEPTH32F_STENCIL8 : GL_DEPTH24_STENCIL8, problem);
}

/// Creates a repeating texture with one channel, interpolated if the context supports that.
static GLuint renderer_make_repeating(GLint format, GLsizei edge, GLenum type, const void *texels)
{
    const GLint filter =
        format == GL_R32F && !gl_features().has_float_filter ? GL_NEAREST : GL_LINEAR;
    const GLuint texture = gl_texture_create(filter, GL_REPEAT);
    glTexImage2D(GL_TEXTURE_2D, 0, format, edge, edge, 0, GL_RED, type, texels);
    return texture;
}

static void renderer_free_heights(LandHeights *heights)
{
    skyline_free(&heights->skyline);
    known_heights_free(&heights->known);
    glDeleteTextures(1, &heights->texture);
    glDeleteTextures(1, &heights->known_texture);
}

/// On failure nothing is allocated.
static bool renderer_make_heights(LandHeights *heights, int view_distance, Message *problem)
{
    *heights = (LandHeights){0};
    if (!skyline_create(&heights->skyline, view_distance, problem)) {
        return false;
    }
    const GLsizei chunks = heights->skyline.edge, edge = chunks * TRN_CHUNK_EDGE;
    if (!known_heights_create(&heights->known, chunks)) {
        renderer_free_heights(heights);
        return message_set(problem, "Out of memory for the heights of the land.");
    }
    heights->texture = renderer_make_repeating(GL_R32F, edge, GL_FLOAT, heights->skyline.heights);
    heights->known_texture = renderer_make_repeating(GL_R8, chunks, GL_UNSIGNED_BYTE, NULL);
    if (glGetError() != GL_NO_ERROR) {
        renderer_free_heights(heights);
        return message_set(problem,
                           "The driver has no room for the heights of %dx%d columns; choose a "
                           "smaller --view-distance.",
                           edge, edge);
    }
    return true;
}

/// Allocates the memory that a picture of the whole view needs.
static bool renderer_reserve_lists(Renderer *renderer, const RendererView *view, Message *problem)
{
    const size_t margin = view->levels ? RENDERER_MARGIN : 0;
    const size_t across = 2 * ((size_t)view->distance + margin) + 1;
    const size_t cells = across * across * (2 * ((size_t)view->height + margin) + 1);
    return (culling_reserve(&renderer->culling, cells) &&
            draw_list_reserve(&renderer->list, cells / 16 + 64)) ||
           message_set(problem, "Out of memory: cannot list the chunks of the view.");
}

/// Checks the limits that the renderer needs. Limits of quads, block types and pixels are checked
/// by the parts that own them.
static bool renderer_check_limits(const RendererDef *def, Message *problem)
{
    const GLint columns = skyline_edge(def->view.distance) * TRN_CHUNK_EDGE;
    const GlNeed needs[] = {
        quad_card_need(),
        {GL_MAX_TEXTURE_SIZE, columns, "GL_MAX_TEXTURE_SIZE", "the heights of so large a view"},
        {GL_MAX_ARRAY_TEXTURE_LAYERS, 3, "GL_MAX_ARRAY_TEXTURE_LAYERS", "textures"},
        {GL_MAX_TEXTURE_IMAGE_UNITS, UNIT_QUADS, "GL_MAX_TEXTURE_IMAGE_UNITS", "the shaders"},
        {GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, 2, "GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS",
         "the quads, and the blocks' colours"},
        {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, UNIT_COUNT, "GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS",
         "the shaders"},
        {GL_MAX_UNIFORM_BLOCK_SIZE, (GLint)sizeof(FrameBlock), "GL_MAX_UNIFORM_BLOCK_SIZE",
         "data of a frame for shaders"},
        {GL_MAX_VARYING_COMPONENTS, 32, "GL_MAX_VARYING_COMPONENTS", "the shaders"}};
    return gl_context_meets(needs, sizeof needs / sizeof needs[0], problem);
}

bool renderer_create(Renderer **renderer, const RendererDef *def, Message *problem)
{
    if (!renderer_check_limits(def, problem)) {
        return false;
    }
    Renderer *made = calloc(1, sizeof *made);
    if (!made) {
        return message_set(problem, "Out of memory for the renderer.");
    }
    made->def = *def;
    made->look = def->look;
    made->features = gl_features();
    made->opaque_bits = trn_block_types_opaque_bits(def->types);
    quad_buffer_create(&made->quads, def->texel_max);
    debris_draw_create(&made->debris);
    glGenVertexArrays(1, &made->vertex_array);
    glGenBuffers(1, &made->frame_buffer);
    if (!programs_create(&made->programs, &made->look, problem) ||
        !outline_painter_create(&made->outline, problem) ||
        !box_painter_create(&made->boxes, problem) ||
        !renderer_create_target(def, &made->look, &made->target, problem) ||
        !quad_indices_create(&made->indices, problem) ||
        !block_art_create(&made->art, def->types, !renderer_draws_on_processor(), problem) ||
        !renderer_make_heights(&made->heights, def->view.distance, problem) ||
        !renderer_reserve_lists(made, &def->view, problem)) {
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
    renderer_free_heights(&renderer->heights);
    glDeleteBuffers(1, &renderer->frame_buffer);
    glDeleteVertexArrays(1, &renderer->vertex_array);
    quad_buffer_free(&renderer->quads);
    quad_indices_free(&renderer->indices);
    debris_draw_free(&renderer->debris);
    target_free(&renderer->target);
    draw_list_free(&renderer->list);
    fades_free(&renderer->fades);
    culling_free(&renderer->culling);
    horizon_free(&renderer->horizon);
    free(renderer);
}

static bool renderer_replace_target(Renderer *renderer, const RendererDef *def, const Look *look,
                                    Message *problem)
{
    Target target;
    if (!renderer_create_target(def, look, &target, problem)) {
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
    if (!renderer_replace_target(renderer, &def, &renderer->look, problem)) {
        return false;
    }
    renderer->def = def;
    return true;
}

// ---- appearance ---------------------------------------------------------------------------------

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
    const bool other_target = look->scale != renderer->look.scale ||
                              renderer_sample_count(look) != renderer_sample_count(&renderer->look);
    Programs programs;
    const bool other_programs = programs_differ(look, &renderer->look);
    if (other_programs && !programs_create(&programs, look, problem)) {
        return false;
    }
    if (other_target && !renderer_replace_target(renderer, &renderer->def, look, problem)) {
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

/// Records what a chunk's voxels hide, and, for level 0, the height of its land.
static void renderer_note_voxels(Renderer *renderer, TrnChunk *chunk)
{
    ChunkView *view = chunk_view(chunk);
    const TrnSnapshot voxels = trn_voxels_snapshot(&chunk->voxels);
    uint32_t opaque[TRN_CHUNK_ROWS], rock[TRN_CHUNK_ROWS];
    trn_snapshot_opaque_rows(voxels, renderer->opaque_bits, opaque);
    if (view->level > 0) { // whose leaves have no holes
        view->has_rock = horizon_find_rock(opaque, view->rock);
        return;
    }
    trn_snapshot_match(voxels, renderer->art.rock, 0, TRN_CHUNK_ROWS, rock);
    view->has_rock = horizon_find_rock(rock, view->rock);
    const TrnVisibility joined = trn_visibility_of_snapshot(voxels, renderer->opaque_bits);
    view->hidden = (TrnVisibility)(TRN_VISIBILITY_ALL & ~joined);
    skyline_note(&renderer->heights.skyline, chunk->coord, opaque);
}

/// Records the lowest and highest height of a chunk's quads and models.
static void renderer_note_heights_of(ChunkView *view, const ChunkMesh *mesh)
{
    uint32_t low = TRN_CHUNK_EDGE, high = 0;
    for (uint32_t i = 0; i < trn_mesh_count(mesh->info); i++) {
        const TrnQuad quad = mesh->quads[i];
        const uint32_t face = trn_quad_face(quad), y = trn_quad_y(quad);
        const bool is_wall = face < TRN_FACE_COUNT && face / 2 != 1;
        const uint32_t tall = is_wall ? trn_quad_height(quad) : 1;
        low = y < low ? y : low;
        high = y + tall > high ? y + tall : high;
    }
    for (uint32_t i = 0; i < mesh->model_count; i++) {
        const uint32_t y = trn_model_face_y(&mesh->models[i]);
        low = y < low ? y : low;
        high = y + 1 > high ? y + 1 : high;
    }
    view->low = (uint8_t)low;
    view->high = (uint8_t)high;
}

static uint32_t renderer_mix_bits(uint32_t value)
{
    value = (value ^ (value >> 15)) * 0x2c1b3c6du;
    value = (value ^ (value >> 12)) * 0x297a2d39u;
    return value ^ (value >> 15);
}

/// Returns how lush a chunk corner is, 0..7, like hash3 of noise.glsl for 32-bit voxels.
static uint32_t renderer_lushness(int32_t x, int32_t z)
{
    x = (int32_t)((uint32_t)x << TRN_CHUNK_SHIFT) >> TRN_CHUNK_SHIFT;
    z = (int32_t)((uint32_t)z << TRN_CHUNK_SHIFT) >> TRN_CHUNK_SHIFT;
    return renderer_mix_bits((uint32_t)x * 0x8da6b343u ^ (uint32_t)z * 0xd8163841u) >> 29;
}

/// Returns the chunk's note for the shaders: see `hidden` in terrain.frag. Computed here, because
/// it would take four hashes a pixel there.
static uint32_t renderer_note_of(const TrnChunk *chunk, uint32_t level, TrnVisibility hidden)
{
    uint32_t note = (uint32_t)__builtin_popcount(hidden);
    for (uint32_t corner = 0; corner < 4; corner++) {
        const uint32_t x = ((uint32_t)chunk->coord.x + (corner & 1u)) << level;
        const uint32_t z = ((uint32_t)chunk->coord.z + (corner >> 1)) << level;
        note |= renderer_lushness((int32_t)x, (int32_t)z) << (4 + 3 * corner);
    }
    return note;
}

/// Whether a chunk has glass or similar quads, which are drawn after the opaque world and the
/// water.
static bool renderer_shows_glass(const Renderer *renderer, const ChunkMesh *mesh)
{
    const uint32_t end = trn_mesh_count(mesh->info);
    for (uint32_t i = mesh->info->first[TRN_MESH_TRANSPARENT]; i < end; i++) {
        if (block_art_is_glass(
                trn_block_types_get(renderer->def.types, trn_quad_block(mesh->quads[i])))) {
            return true;
        }
    }
    return false;
}

/// A chunk without quads must not hide what is behind it.
static void renderer_hide_nothing(ChunkView *view)
{
    view->hidden = 0;
    view->has_rock = false;
}

static void renderer_drop_quads(Renderer *renderer, ChunkView *view)
{
    if (view->run.pages) {
        quad_buffer_drop(&renderer->quads, view->first[TRN_MESH_GROUP_COUNT], &view->run);
    }
    if (view->model_run.pages) {
        quad_buffer_drop(&renderer->quads, MODEL_FACE_QUADS * view->model_count, &view->model_run);
    }
    view->has_glass = false;
    renderer_hide_nothing(view);
}

/// Uploads a mesh to the graphics card. On failure, some of it may be uploaded.
static bool renderer_send_mesh(Renderer *renderer, const TrnChunk *chunk, ChunkView *view,
                               const ChunkMesh *mesh)
{
    const uint32_t count = trn_mesh_count(mesh->info), faces = mesh->model_count;
    const bool varies = mesh->info->light == TRN_MESH_LIGHT_VARIES;
    const QuadChunk place = {chunk->coord, view->level,
                             renderer_note_of(chunk, view->level, view->hidden)};
    const QuadLight light = {varies ? mesh->light : NULL, mesh->info->light};
    return (!count ||
            quad_buffer_put(&renderer->quads, &place, mesh->quads, light, count, &view->run)) &&
           (!faces || quad_buffer_put(&renderer->quads, &place, (const void *)mesh->models,
                                      (QuadLight){0}, MODEL_FACE_QUADS * faces, &view->model_run));
}

bool renderer_show(Renderer *renderer, TrnChunk *chunk, uint32_t level, const ChunkMesh *mesh)
{
    ChunkView *view = chunk_view(chunk);
    renderer_drop_quads(renderer, view);
    view->level = (uint8_t)level;
    view->is_hidden |= !view->is_shown && renderer->def.view.levels > 0;
    view->is_shown = true;
    renderer_note_voxels(renderer, chunk);
    memcpy(view->first, mesh->info->first, sizeof view->first);
    view->model_count = mesh->model_count;
    if (!renderer_send_mesh(renderer, chunk, view, mesh)) {
        renderer_drop_quads(renderer, view);
        return false;
    }
    renderer_note_heights_of(view, mesh);
    view->has_glass = renderer_shows_glass(renderer, mesh);
    return true;
}

void renderer_place(Renderer *renderer, TrnChunk *chunk, bool is_drawn)
{
    ChunkView *view = chunk_view(chunk);
    if (view->is_hidden == is_drawn) {
        view->is_hidden = !is_drawn;
        fades_begin(&renderer->fades, chunk);
    }
}

/// Moves the quads of a fading chunk to its ghost.
static void renderer_leave_quads(Renderer *renderer, ChunkView *view, TrnChunk *ghost)
{
    ChunkView *to = chunk_view(ghost);
    *to = *view;
    if (view->run.pages) {
        quad_layout_move(&renderer->quads.layout, &view->run, &to->run);
    }
    if (view->model_run.pages) {
        quad_layout_move(&renderer->quads.layout, &view->model_run, &to->model_run);
    }
}

void renderer_hide(Renderer *renderer, TrnChunk *chunk)
{
    ChunkView *view = chunk_view(chunk);
    TrnChunk *ghost = fades_leave(&renderer->fades, chunk);
    if (ghost) {
        renderer_leave_quads(renderer, view, ghost);
    } else {
        renderer_drop_quads(renderer, view);
    }
    memset(view, 0, sizeof *view);
}

void renderer_end_fade(void *user, TrnChunk *chunk, bool is_ghost)
{
    Renderer *renderer = user;
    if (is_ghost) {
        renderer_drop_quads(renderer, chunk_view(chunk));
        return;
    }
    const uint32_t level = chunk_view(chunk)->level;
    const RendererFrame *frame = renderer->frame;
    if (chunk_view(chunk)->is_hidden && level <= frame->level_count) {
        culling_note(level ? frame->levels[level - 1].store : frame->store, chunk);
    }
}

// ---- the view -----------------------------------------------------------------------------------

/// Records the heights of all loaded chunks; heights of unloaded chunks are lost.
static bool renderer_note_heights(Renderer *renderer, const TrnStore *store)
{
    const size_t count = trn_store_stats(store).chunks;
    TrnChunk **chunks = malloc((count ? count : 1) * sizeof(TrnChunk *));
    if (!chunks) {
        return false;
    }
    const size_t found = trn_store_gather(store, trn_box_everything(), chunks, count);
    for (size_t i = 0; i < found; i++) {
        const TrnSnapshot voxels = trn_voxels_snapshot(&chunks[i]->voxels);
        uint32_t opaque[TRN_CHUNK_ROWS];
        trn_snapshot_opaque_rows(voxels, renderer->opaque_bits, opaque);
        skyline_note(&renderer->heights.skyline, chunks[i]->coord, opaque);
    }
    free(chunks);
    return true;
}

/// Replaces the heights by a map for a larger view.
static bool renderer_grow_heights(Renderer *renderer, int view_distance, const TrnStore *store,
                                  Message *problem)
{
    LandHeights old = renderer->heights, grown;
    if (!renderer_make_heights(&grown, view_distance, problem)) {
        return false;
    }
    renderer->heights = grown;
    if (!renderer_note_heights(renderer, store)) {
        renderer_free_heights(&renderer->heights);
        renderer->heights = old;
        return message_set(problem, "Out of memory: cannot list the chunks of the view.");
    }
    renderer_free_heights(&old);
    return true;
}

bool renderer_set_view(Renderer *renderer, const RendererView *view, const TrnStore *store,
                       Message *problem)
{
    if (!renderer_reserve_lists(renderer, view, problem) ||
        (!skyline_is_enough(&renderer->heights.skyline, view->distance) &&
         !renderer_grow_heights(renderer, view->distance, store, problem))) {
        return false;
    }
    renderer->def.view = *view;
    return true;
}

// ---- pictures -----------------------------------------------------------------------------------

void renderer_size(const Renderer *renderer, int *width, int *height)
{
    *width = renderer->target.width;
    *height = renderer->target.height;
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
        .chunks_behind_land = renderer->behind_land,
        .cull_us = renderer->cull_us,
        .cull_cpu_us = renderer->cull_cpu_us,
        .draw_calls = renderer->draw_calls,
        .darkness = renderer->darkness,
        .card = quad_buffer_stats(&renderer->quads),
    };
}
