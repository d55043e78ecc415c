#include "render/renderer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "render/gl.h"
#include "render/renderer_impl.h"

// Without reversed depth, the far part is drawn first, with its own depth range.
#define SLICE_AT 400.0f
#define PARTICLE_VERTICES 6 // two triangles
// Where the haze begins, as a part of its end, and its density there: without and with levels
// beyond.
static const float HAZE_EDGE[2] = {0.5f, 0.8f}, HAZE_AIR[2] = {0.45f, 0.7f};

// ---- input of the shaders -----------------------------------------------------------------------

/// Returns how far below the ground the camera is, 0..1: the lamp's brightness.
static float renderer_darkness(const Renderer *renderer, const CameraView *view)
{
    const Skyline *skyline = &renderer->heights.skyline;
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

static void renderer_copy_sky(FrameBlock *block, const LookSky *sky)
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

static void renderer_place_skyline(const Renderer *renderer, const CameraView *view, float at[4])
{
    const Skyline *skyline = &renderer->heights.skyline;
    at[0] = (float)(skyline_place(skyline, view->chunk.x) * TRN_CHUNK_EDGE);
    at[1] = (float)(skyline_place(skyline, view->chunk.z) * TRN_CHUNK_EDGE);
    at[2] = 1 / (float)(skyline->edge * TRN_CHUNK_EDGE);
    at[3] = (float)((int64_t)view->chunk.y - skyline->base) * TRN_CHUNK_EDGE;
}

/// Returns where the haze hides everything: half a chunk before the end of the shown chunks.
/// @param chunks  of level 0
/// @param edge    of the outermost chunks, in chunks of level 0
static float renderer_haze_end(float chunks, float edge)
{
    return fmaxf(chunks - 0.5f * edge, 0.5f) * TRN_CHUNK_EDGE;
}

/// Sets where haze hides the land, and the distance up to which land is loaded.
static void renderer_place_haze(const Renderer *renderer, const RendererFrame *frame,
                                const CameraView *view, FrameBlock *block)
{
    const RendererView *reach = &renderer->def.view;
    const bool is_far = reach->levels > 0;
    const float part = frame->view_part > 0 ? frame->view_part : 1;
    const float edge = (float)(1u << reach->levels);
    const float distance = (float)(is_far ? reach->far_distance : reach->distance);
    const float full = renderer_haze_end(part * distance, edge);
    const float full_height =
        renderer_haze_end(part * (float)(is_far ? reach->far_height : reach->height) * edge, edge);
    block->haze[0] = full;
    block->haze[1] = view->pixel;
    block->haze[2] = frame->inside != TRN_BLOCK_KIND_LIQUID ? 0.0f
                     : frame->inside_glows                  ? 2.0f
                                                            : 1.0f;
    block->haze[3] = full / full_height;
    block->far_view[0] = HAZE_EDGE[is_far];
    block->far_view[1] = HAZE_AIR[is_far];
    if (frame->sea) {
        block->far_view[2] = frame->sea->above;
        memcpy(block->open_sea, frame->sea->ways, sizeof block->open_sea);
    }
}

static void renderer_send_frame(Renderer *renderer, const RendererFrame *frame,
                                const CameraView *view)
{
    const float overcast = fminf(frame->weather.rain + frame->weather.snow, 1);
    LookSky sky = look_sky(renderer->look.hours);
    look_overcast(&sky, overcast);
    FrameBlock block = {
        .camera = {view->offset[0], view->offset[1], view->offset[2],
                   (float)fmod(frame->seconds, 3600)},
        .camera_chunk = {view->chunk.x, view->chunk.y, view->chunk.z,
                         renderer->features.has_clip_control ? 0 : 1},
    };
    renderer_place_haze(renderer, frame, view, &block);
    block.far_view[3] = overcast;
    renderer_copy_sky(&block, &sky);
    block.turf = renderer->art.turf;
    block.clear = renderer->art.clear;
    block.glowing = renderer->art.glowing;
    block.sun[3] = renderer->list.plants_distance;
    renderer->darkness = renderer->look.on[LOOK_SKYLIGHT] ? renderer_darkness(renderer, view) : 0;
    block.sky_light[3] = renderer->darkness;
    renderer_place_skyline(renderer, view, block.skyline_at);
    memcpy(block.clip, view->clip, sizeof block.clip);
    glm_vec3_copy((float *)view->ray_right, block.ray_right);
    glm_vec3_copy((float *)view->ray_up, block.ray_up);
    glm_vec3_copy((float *)view->ray_forward, block.ray_forward);
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, GL_PROGRAM_FRAME, renderer->frame_buffer);
}

/// Updates the texture of heights.
static void renderer_send_skyline(Renderer *renderer)
{
    Skyline *skyline = &renderer->heights.skyline;
    const int32_t edge = skyline->edge * TRN_CHUNK_EDGE;
    if (!skyline->list_count) {
        return;
    }
    glBindTexture(GL_TEXTURE_2D, renderer->heights.texture);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, edge);
    for (int32_t place = skyline_take(skyline); place >= 0; place = skyline_take(skyline)) {
        const int32_t x = place % skyline->edge * TRN_CHUNK_EDGE;
        const int32_t z = place / skyline->edge * TRN_CHUNK_EDGE;
        glTexSubImage2D(GL_TEXTURE_2D, 0, x, z, TRN_CHUNK_EDGE, TRN_CHUNK_EDGE, GL_RED, GL_FLOAT,
                        skyline->heights + (size_t)z * (size_t)edge + x);
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

/// Updates the texture of known heights. Without levels, haze covers everything where they end.
static void renderer_send_known_heights(Renderer *renderer, const RendererFrame *frame)
{
    KnownHeights *known = &renderer->heights.known;
    const RendererView *view = &renderer->def.view;
    if (known_heights_step(known, &renderer->heights.skyline, frame->camera->position.chunk,
                           view->levels ? view->distance : 0, frame->seconds)) {
        glBindTexture(GL_TEXTURE_2D, renderer->heights.known_texture);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, known->edge, known->edge, GL_RED, GL_UNSIGNED_BYTE,
                        known->now);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    }
}

static void renderer_bind_texture(GLenum unit, GLenum target, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(target, texture);
}

static void renderer_bind_textures(const Renderer *renderer)
{
    renderer_bind_texture(UNIT_COLOURS, GL_TEXTURE_2D, renderer->art.colours);
    renderer_bind_texture(UNIT_BOXES, GL_TEXTURE_2D, renderer->art.boxes);
    renderer_bind_texture(UNIT_TEXTURES, GL_TEXTURE_2D_ARRAY, renderer->art.textures);
    block_art_filter(&renderer->art, renderer->look.quality > LOOK_QUALITY_LOW);
    renderer_bind_texture(UNIT_SKYLINE, GL_TEXTURE_2D, renderer->heights.texture);
    renderer_bind_texture(UNIT_KNOWN_HEIGHTS, GL_TEXTURE_2D, renderer->heights.known_texture);
    glActiveTexture(GL_TEXTURE0);
}

// ---- drawing ------------------------------------------------------------------------------------

/// Sets the depth test: with reversed depths, nearer is greater and the sky is 0; otherwise the sky
/// is greatest.
static void renderer_use_depth(const Renderer *renderer)
{
    const bool reversed = renderer->features.has_clip_control;
    if (reversed) {
        gl_clip_depths(&renderer->features, true);
    }
    glDepthFunc(reversed ? GL_GEQUAL : GL_LEQUAL);
    gl_clear_depth(&renderer->features, reversed ? 0 : 1);
}

/// Restores the depth state of a new context, which other drawing code expects.
static void renderer_restore_depth(const Renderer *renderer)
{
    if (renderer->features.has_clip_control) {
        gl_clip_depths(&renderer->features, false);
    }
    glDepthFunc(GL_LESS);
    gl_clear_depth(&renderer->features, 1);
}

static void renderer_begin_picture(const Renderer *renderer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->target.drawn);
    glViewport(0, 0, renderer->target.drawn_width, renderer->target.drawn_height);
    glBindVertexArray(renderer->vertex_array);
    gl_encode_srgb(&renderer->features, true);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glFrontFace(GL_CCW);
    glClearColor(0, 0, 0, 1);
    renderer_use_depth(renderer);
    // Land and sky together fill every pixel, but the overdraw view adds to it.
    const bool adds = renderer->look.debug == LOOK_DEBUG_OVERDRAW;
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT | (adds ? GL_COLOR_BUFFER_BIT : 0));
}

/// @param places  as in quad_indices_draw
static void renderer_draw_ranges(Renderer *renderer, GLuint program, const DrawRanges *ranges,
                                 uint32_t places)
{
    if (ranges->used) {
        glUseProgram(program);
        renderer->draw_calls +=
            quad_indices_draw(&renderer->indices, &renderer->quads.card, ranges, places);
    }
}

/// Draws the land, the models or the water, with their fading chunks.
static void renderer_draw_surface(Renderer *renderer, uint32_t surface)
{
    const Programs *programs = &renderer->programs;
    GLuint steady = programs->terrain, fading = programs->fading_terrain;
    const uint32_t places = surface == DRAW_MODELS ? MODEL_FACE_QUADS : 1;
    if (surface == DRAW_MODELS) {
        steady = programs->models;
        fading = programs->fading_models;
    } else if (surface == TRN_MESH_SURFACE_TRANSPARENT) {
        steady = programs->water;
        fading = programs->fading_water;
    }
    renderer_draw_ranges(renderer, steady, &renderer->list.surfaces[surface], places);
    for (int i = 0; i < DRAW_FADES; i++) {
        const DrawRanges *ranges = &renderer->list.fading[i][surface];
        if (ranges->used) {
            glUseProgram(fading);
            glUniform1i(glGetUniformLocation(fading, "fade"), draw_list_fade(i));
            renderer_draw_ranges(renderer, fading, ranges, places);
        }
    }
}

/// Blends only the nearest water of each pixel, once. The quads of a mesh overlap by part of a
/// pixel, because otherwise the land would shine through pinholes where a large quad's edge passes
/// the corners of small ones; a pixel blended twice would show as a seam. So the first pass draws
/// only depths, and the second draws fragments with exactly that depth; the stencil rejects a
/// second quad of the same depth. Since only the nearest is blended, the order of quads does not
/// matter.
static void renderer_draw_water(Renderer *renderer)
{
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    renderer_draw_surface(renderer, TRN_MESH_SURFACE_TRANSPARENT);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_EQUAL);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 0, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    renderer_draw_surface(renderer, TRN_MESH_SURFACE_TRANSPARENT);
    glDisable(GL_BLEND);
    glDisable(GL_STENCIL_TEST);
    renderer_use_depth(renderer);
    glDepthMask(GL_TRUE);
}

/// Copies the picture without water, for reflections of land. If there is no memory for the copy,
/// or no reversed depths, which give distances, the water reflects only the sky.
static void renderer_copy_land(Renderer *renderer)
{
    const Look *look = &renderer->look;
    const bool wanted = look->on[LOOK_REFLECTIONS] && look->quality == LOOK_QUALITY_HIGH &&
                        renderer->list.surfaces[TRN_MESH_SURFACE_TRANSPARENT].used > 0;
    if (wanted && renderer->features.has_clip_control) {
        glActiveTexture(GL_TEXTURE0 + UNIT_LAND_COLOURS); // creating textures binds them
        (void)target_copy_drawn(&renderer->target);
        renderer_bind_texture(UNIT_LAND_COLOURS, GL_TEXTURE_2D, renderer->target.copy_colours);
        renderer_bind_texture(UNIT_LAND_DEPTHS, GL_TEXTURE_2D, renderer->target.copy_depths);
        glActiveTexture(GL_TEXTURE0);
    }
}

/// Draws glass, other transparent blocks and liquids that emit light. These are among the quads of
/// the water; each program discards the other's quads. Drawn after the water, whose depths hide
/// anything drawn later behind it. Panes hide panes behind them, which would hardly be visible
/// anyway.
static void renderer_draw_glass(Renderer *renderer)
{
    const DrawRanges *ranges = &renderer->list.surfaces[DRAW_GLASS];
    if (!ranges->used) {
        return;
    }
    glEnable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    renderer_draw_ranges(renderer, renderer->programs.glass, ranges, 1);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
}

/// Debris first: most of it is right in front of the camera and hides the land behind it. With a
/// software renderer, 3,600 bits over half of the picture took 52 ms, and 74 ms if drawn after the
/// land.
static void renderer_draw_land(Renderer *renderer)
{
    renderer->draw_calls += debris_draw_call(&renderer->debris, renderer->programs.debris);
    glBindVertexArray(renderer->vertex_array);
    glEnable(GL_CULL_FACE);
    renderer_draw_surface(renderer, TRN_MESH_SURFACE_OPAQUE);
    renderer_draw_surface(renderer, TRN_MESH_SURFACE_CUTOUT);
    renderer_draw_surface(renderer, DRAW_MODELS);
    glDisable(GL_CULL_FACE);
    if (renderer->look.on[LOOK_PLANTS]) {
        renderer_draw_ranges(renderer, renderer->programs.plants,
                             &renderer->list.surfaces[TRN_MESH_SURFACE_PLANT], 1);
    }
}

static void renderer_draw_sky(const Renderer *renderer)
{
    glUseProgram(renderer->programs.sky);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/// Draws overdraw: each shaded fragment adds some light.
static void renderer_draw_overdraw(Renderer *renderer)
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    renderer_draw_land(renderer);
    renderer_draw_surface(renderer, TRN_MESH_SURFACE_TRANSPARENT);
    glDisable(GL_BLEND);
    renderer_draw_glass(renderer);
}

static void renderer_draw_wireframe(Renderer *renderer, bool with_sky)
{
    if (with_sky) {
        renderer_draw_sky(renderer);
    }
    gl_draw_edges(&renderer->features, true);
    renderer_draw_land(renderer);
    renderer_draw_surface(renderer, TRN_MESH_SURFACE_TRANSPARENT);
    renderer_draw_glass(renderer);
    gl_draw_edges(&renderer->features, false);
}

/// Draws the outline; before the water if it is under water, because the water's depths hide later
/// drawing.
static void renderer_draw_outline(Renderer *renderer, const RendererFrame *frame,
                                  const CameraView *view)
{
    if (frame->outline) {
        renderer->draw_calls++;
        outline_paint(renderer->outline, frame->outline, view, renderer->target.drawn_width,
                      renderer->target.drawn_height);
    }
}

static void renderer_draw_boxes(Renderer *renderer, const RendererFrame *frame,
                                const CameraView *view)
{
    if (frame->boxes) {
        renderer->draw_calls++;
        box_paint(renderer->boxes, frame->boxes, view, renderer->target.drawn_width,
                  renderer->target.drawn_height);
        glBindVertexArray(renderer->vertex_array);
    }
}

/// Draws rain and snow around the camera, over everything else. weather.vert places the particles
/// from their numbers, the time and the heights of the land. None fall under roofs.
static void renderer_draw_weather(Renderer *renderer, const RendererWeather *weather)
{
    static const float drops_max[LOOK_QUALITY_COUNT] = {1600, 3200, 4800};
    static const float flakes_max[LOOK_QUALITY_COUNT] = {2400, 4800, 7200};
    const GLuint program = renderer->programs.weather;
    const GLint drops = (GLint)(weather->rain * drops_max[renderer->look.quality]);
    const GLint flakes = (GLint)(weather->snow * flakes_max[renderer->look.quality]);
    if (drops + flakes <= 0) {
        return;
    }
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "drops"), drops);
    glBindVertexArray(renderer->vertex_array);
    gl_draw_blended(PARTICLE_VERTICES, drops + flakes);
    renderer->draw_calls++;
}

/// @param is_first,is_last  of the slices; some layers are drawn in only one of them
static void renderer_draw_layers(Renderer *renderer, const RendererFrame *frame,
                                 const CameraView *view, bool is_first, bool is_last)
{
    if (renderer->look.debug == LOOK_DEBUG_OVERDRAW) {
        renderer_draw_overdraw(renderer);
        return;
    }
    if (renderer->look.debug == LOOK_DEBUG_WIREFRAME) {
        renderer_draw_wireframe(renderer, is_first);
        return;
    }
    renderer_draw_land(renderer);
    if (is_first) {
        renderer_draw_sky(renderer);
    }
    renderer_draw_boxes(renderer, frame, view);
    if (is_last) {
        renderer_draw_outline(renderer, frame, view);
    }
    renderer_copy_land(renderer);
    renderer_draw_water(renderer);
    renderer_draw_glass(renderer);
    // Rain and snow are close to the camera. Under water, they would fall in front of the water.
    if (is_last && frame->inside != TRN_BLOCK_KIND_LIQUID) {
        renderer_draw_weather(renderer, &frame->weather);
    }
}

static bool renderer_check_driver(Message *problem)
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

/// Removes the chunks that lie behind nearer land.
static void renderer_hide_behind_land(Renderer *renderer)
{
    Culling *culling = &renderer->culling;
    size_t kept = 0;
    for (size_t i = 0; i < culling->seen_count; i++) {
        TrnChunk *chunk = culling->seen[i];
        culling->seen[kept] = chunk;
        kept += !horizon_hides(&renderer->horizon, chunk);
    }
    renderer->behind_land = culling->seen_count - kept;
    culling->seen_count = kept;
}

/// Finds the visible chunks of all levels, and unloaded ones that still fade.
static bool renderer_find_chunks(Renderer *renderer, const RendererFrame *frame,
                                 const CameraView *view)
{
    Culling *culling = &renderer->culling;
    Horizon *horizon = &renderer->horizon;
    // Inside a block, the camera sees its faces from behind, and everything that they hide.
    const bool occlusion =
        renderer->look.on[LOOK_OCCLUSION] && frame->inside != TRN_BLOCK_KIND_OPAQUE;
    const bool has_horizon = occlusion && horizon_begin(horizon, view);
    bool good = culling_find(culling, view, frame->store, frame->box, occlusion);
    if (has_horizon) {
        (void)horizon_add_level(horizon, frame->box, culling->chunks, culling->chunk_count);
    }
    for (uint32_t i = 0; good && i < frame->level_count; i++) {
        const RendererLevel *level = &frame->levels[i];
        good = culling_add_level(culling, view, level->store, level->box, i + 1);
        if (has_horizon) {
            (void)horizon_add_level(horizon, level->box, culling->chunks, culling->chunk_count);
        }
    }
    for (size_t i = 0; good && i < renderer->fades.count; i++) {
        const Fade *fade = &renderer->fades.list[i];
        good = !fade->ghost || culling_add(culling, fade->chunk);
    }
    renderer->behind_land = 0;
    if (has_horizon) {
        renderer_hide_behind_land(renderer);
    }
    return good;
}

/// Returns the distance of the farthest corner of the outermost chunks, at most three chunks beyond
/// the view.
static float renderer_draw_distance(const Renderer *renderer)
{
    const RendererView *view = &renderer->def.view;
    const int chunks = view->levels ? view->far_distance : view->distance;
    return (float)(chunks + (5 << view->levels)) * TRN_CHUNK_EDGE;
}

/// Returns the number of depth slices of the picture; the farthest is drawn first.
static int renderer_count_slices(const Renderer *renderer)
{
    return renderer->def.view.levels && !renderer->features.has_clip_control ? 2 : 1;
}

static void renderer_view_slice(Renderer *renderer, const RendererFrame *frame, int slice,
                                int slices, CameraView *view)
{
    const float range[2] = {slice + 1 < slices ? SLICE_AT : CAMERA_NEAR,
                            slice > 0 ? SLICE_AT : renderer_draw_distance(renderer)};
    camera_view_slice(frame->camera, renderer->target.drawn_width, renderer->target.drawn_height,
                      range, view);
    if (renderer->features.has_clip_control) {
        camera_view_reverse_depth(view);
    }
}

/// Draws the land between two distances.
static bool renderer_draw_slice(Renderer *renderer, const RendererFrame *frame, int slice,
                                int slices)
{
    CameraView view;
    const Culling *culling = &renderer->culling;
    const double start = clock_us(), start_cpu = clock_thread_us();
    renderer_view_slice(renderer, frame, slice, slices, &view);
    renderer->list.plants_distance = renderer->look.quality == LOOK_QUALITY_LOW
                                         ? DRAW_PLANTS_DISTANCE_LOW
                                         : DRAW_PLANTS_DISTANCE;
    if (!draw_list_build(&renderer->list, &view, culling->seen, culling->seen_count)) {
        return false;
    }
    renderer->cull_cpu_us += clock_thread_us() - start_cpu;
    renderer->cull_us += clock_us() - start;
    renderer_send_frame(renderer, frame, &view);
    if (slice > 0) {
        glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    }
    renderer_draw_layers(renderer, frame, &view, slice == 0, slice + 1 == slices);
    return true;
}

static void renderer_send_picture(Renderer *renderer, const RendererFrame *frame,
                                  const CameraView *view)
{
    Message poorer;
    if (!block_art_update(&renderer->art, renderer->def.types, &poorer)) {
        fprintf(stderr, "terrane-viewer: %s\n", poorer.text);
    }
    renderer_send_skyline(renderer);
    renderer_send_known_heights(renderer, frame);
    debris_draw_send(&renderer->debris, frame->debris, view, frame->cubes, frame->cube_count);
    renderer_bind_textures(renderer);
}

/// Blurs the picture. If there is no memory for the copy, the picture stays sharp.
static void renderer_blur_picture(Renderer *renderer, float blur)
{
    glActiveTexture(GL_TEXTURE0 + UNIT_LAND_COLOURS); // creating textures binds them
    const bool good = renderer->features.has_clip_control && target_copy_drawn(&renderer->target);
    if (good) {
        renderer_bind_texture(UNIT_LAND_COLOURS, GL_TEXTURE_2D, renderer->target.copy_colours);
        renderer_bind_texture(UNIT_LAND_DEPTHS, GL_TEXTURE_2D, renderer->target.copy_depths);
        glDisable(GL_DEPTH_TEST);
        glUseProgram(renderer->programs.lens);
        glUniform1f(glGetUniformLocation(renderer->programs.lens, "blur_pixels"),
                    blur * (float)renderer->target.drawn_height);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glEnable(GL_DEPTH_TEST);
    }
    glActiveTexture(GL_TEXTURE0);
}

bool renderer_draw(Renderer *renderer, const RendererFrame *frame, Message *problem)
{
    const int slices = renderer_count_slices(renderer);
    CameraView view;
    renderer_view_slice(renderer, frame, 0, 1, &view);
    renderer->frame = frame;
    fades_step(&renderer->fades, frame->seconds, renderer_end_fade, renderer);
    quad_buffer_step(&renderer->quads);
    renderer->draw_calls = 0;
    const double start = clock_us(), start_cpu = clock_thread_us();
    bool good = renderer_find_chunks(renderer, frame, &view);
    renderer->cull_cpu_us = clock_thread_us() - start_cpu;
    renderer->cull_us = clock_us() - start;
    renderer_send_picture(renderer, frame, &view);
    renderer_begin_picture(renderer);
    for (int slice = 0; good && slice < slices; slice++) {
        good = renderer_draw_slice(renderer, frame, slice, slices);
    }
    if (good && frame->blur > 0) {
        renderer_blur_picture(renderer, frame->blur);
    }
    renderer_restore_depth(renderer);
    renderer->frame = NULL;
    if (!good) {
        return message_set(problem, "Out of memory: cannot list the chunks in the picture.");
    }
    target_resolve(&renderer->target);
    return renderer_check_driver(problem);
}

void renderer_present(Renderer *renderer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, renderer->target.width, renderer->target.height);
    gl_encode_srgb(&renderer->features, false);
    glDisable(GL_DEPTH_TEST);
    renderer_bind_texture(UNIT_PICTURE, GL_TEXTURE_2D, renderer->target.texture);
    glActiveTexture(GL_TEXTURE0);
    glUseProgram(renderer->programs.present);
    glBindVertexArray(renderer->vertex_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
