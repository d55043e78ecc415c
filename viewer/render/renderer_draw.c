#include "render/renderer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "render/gl_program.h"
#include "render/renderer_impl.h"
#include "render/weather_draw.h"

// Without reversed depth, what is farther is drawn first, with depths of its own.
#define SLICE_AT 400.0f
// Where the haze begins to hide, as part of its distance, and how much air hides there: alone, and
// with levels beyond.
static const float HAZE_EDGE[2] = {0.5f, 0.8f}, HAZE_AIR[2] = {0.45f, 0.7f};

// ---- input of the shaders -----------------------------------------------------------------------

/// Returns how far below the ground the camera is, 0..1: the lamp's brightness.
static float darkness(const Renderer *renderer, const CameraView *view)
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
    const Skyline *skyline = &renderer->heights.skyline;
    at[0] = (float)(skyline_place(skyline, view->chunk.x) * TRN_CHUNK_EDGE);
    at[1] = (float)(skyline_place(skyline, view->chunk.z) * TRN_CHUNK_EDGE);
    at[2] = 1 / (float)(skyline->edge * TRN_CHUNK_EDGE);
    at[3] = (float)((int64_t)view->chunk.y - skyline->base) * TRN_CHUNK_EDGE;
}

/// Returns where the haze hides everything: half a chunk before the end of the shown chunks.
/// @param chunks  of level 0;  edge  of the outermost chunks, in these
static float haze_end(float chunks, float edge)
{
    return fmaxf(chunks - 0.5f * edge, 0.5f) * TRN_CHUNK_EDGE;
}

/// Fills in how far one sees, and what is known there.
static void place_haze(const Renderer *renderer, const RendererFrame *frame, const CameraView *view,
                       FrameBlock *block)
{
    const RendererView *reach = &renderer->def.view;
    const bool is_far = reach->levels > 0;
    const float part = frame->view_part > 0 ? frame->view_part : 1;
    const float edge = (float)(1u << reach->levels);
    const float distance = (float)(is_far ? reach->far_distance : reach->distance);
    const float full = haze_end(part * distance, edge);
    const float full_height =
        haze_end(part * (float)(is_far ? reach->far_height : reach->height) * edge, edge);
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

static void send_frame(const Renderer *renderer, const RendererFrame *frame, const CameraView *view)
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
    place_haze(renderer, frame, view, &block);
    block.far_view[3] = overcast;
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

/// Updates the texture of how well heights are known. Without levels all is haze where they end.
static void send_known_heights(Renderer *renderer, const RendererFrame *frame)
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

static void bind_texture(GLenum unit, GLenum target, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(target, texture);
}

static void bind_textures(const Renderer *renderer)
{
    bind_texture(UNIT_COLOURS, GL_TEXTURE_2D, renderer->art.colours);
    bind_texture(UNIT_BOXES, GL_TEXTURE_2D, renderer->art.boxes);
    bind_texture(UNIT_TEXTURES, GL_TEXTURE_2D_ARRAY, renderer->art.textures);
    block_art_filter(&renderer->art, renderer->look.quality > LOOK_QUALITY_LOW);
    bind_texture(UNIT_SKYLINE, GL_TEXTURE_2D, renderer->heights.texture);
    bind_texture(UNIT_KNOWN_HEIGHTS, GL_TEXTURE_2D, renderer->heights.known_texture);
    glActiveTexture(GL_TEXTURE0);
}

// ---- drawing ------------------------------------------------------------------------------------

/// Whether what is nearer has the greater depth, and the sky 0; or the sky has the greatest depth.
static void use_depth(const Renderer *renderer)
{
    const bool reversed = renderer->features.has_clip_control;
    if (reversed) {
        gl_clip_depths(&renderer->features, true);
    }
    glDepthFunc(reversed ? GL_GEQUAL : GL_LEQUAL);
    gl_clear_depth(&renderer->features, reversed ? 0 : 1);
}

/// Others who draw expect what a new context has.
static void restore_depth(const Renderer *renderer)
{
    if (renderer->features.has_clip_control) {
        gl_clip_depths(&renderer->features, false);
    }
    glDepthFunc(GL_LESS);
    gl_clear_depth(&renderer->features, 1);
}

static void begin_picture(const Renderer *renderer)
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
    use_depth(renderer);
    // Land and sky together fill every pixel, except when counts are added up.
    const bool adds = renderer->look.debug == LOOK_DEBUG_OVERDRAW;
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT | (adds ? GL_COLOR_BUFFER_BIT : 0));
}

/// @param places  as quad_indices_draw
static void draw_ranges(Renderer *renderer, GLuint program, const DrawRanges *ranges,
                        uint32_t places)
{
    if (ranges->used) {
        glUseProgram(program);
        renderer->draw_calls +=
            quad_indices_draw(&renderer->indices, &renderer->quads.card, ranges, places);
    }
}

/// Draws the land, the models or the water, and what fades of it.
static void draw_surface(Renderer *renderer, uint32_t surface)
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
    draw_ranges(renderer, steady, &renderer->list.surfaces[surface], places);
    for (int i = 0; i < DRAW_FADES; i++) {
        const DrawRanges *ranges = &renderer->list.fading[i][surface];
        if (ranges->used) {
            glUseProgram(fading);
            glUniform1i(glGetUniformLocation(fading, "fade"), draw_list_fade(i));
            draw_ranges(renderer, fading, ranges, places);
        }
    }
}

/// Blends only the nearest water over each pixel, and only once. Quads overlap by part of a pixel;
/// otherwise the land would shine through in pinholes where a large quad's edge passes the corners
/// of small ones. A pixel blended twice would show as a seam. So first only the depths are drawn,
/// and then what has exactly that depth; the stencil rejects a second quad of the same depth. Since
/// only the nearest is blended, the order of quads does not matter.
static void draw_water(Renderer *renderer)
{
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    draw_surface(renderer, TRN_MESH_SURFACE_TRANSPARENT);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_EQUAL);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 0, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_surface(renderer, TRN_MESH_SURFACE_TRANSPARENT);
    glDisable(GL_BLEND);
    glDisable(GL_STENCIL_TEST);
    use_depth(renderer);
    glDepthMask(GL_TRUE);
}

/// Copies the picture without water, for the land in the water's mirror. Without memory for the
/// copy the water mirrors the sky alone. So it does without reversed depths, which tell distances.
static void copy_land(Renderer *renderer)
{
    const Look *look = &renderer->look;
    const bool wanted = look->on[LOOK_REFLECTIONS] && look->quality == LOOK_QUALITY_HIGH &&
                        renderer->list.surfaces[TRN_MESH_SURFACE_TRANSPARENT].used > 0;
    if (wanted && renderer->features.has_clip_control) {
        glActiveTexture(GL_TEXTURE0 + UNIT_LAND_COLOURS); // creating textures binds them
        (void)target_copy_drawn(&renderer->target);
        bind_texture(UNIT_LAND_COLOURS, GL_TEXTURE_2D, renderer->target.copy_colours);
        bind_texture(UNIT_LAND_DEPTHS, GL_TEXTURE_2D, renderer->target.copy_depths);
        glActiveTexture(GL_TEXTURE0);
    }
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
                &renderer->list.surfaces[TRN_MESH_SURFACE_TRANSPARENT], 1);
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
    draw_surface(renderer, TRN_MESH_SURFACE_OPAQUE);
    draw_surface(renderer, TRN_MESH_SURFACE_CUTOUT);
    draw_surface(renderer, DRAW_MODELS);
    glDisable(GL_CULL_FACE);
    if (renderer->look.on[LOOK_PLANTS]) {
        draw_ranges(renderer, renderer->programs.plants,
                    &renderer->list.surfaces[TRN_MESH_SURFACE_PLANT], 1);
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
    draw_surface(renderer, TRN_MESH_SURFACE_TRANSPARENT);
    glDisable(GL_BLEND);
    draw_glass(renderer);
}

static void draw_wireframe(Renderer *renderer, bool with_sky)
{
    if (with_sky) {
        draw_sky(renderer);
    }
    gl_draw_edges(&renderer->features, true);
    draw_land(renderer);
    draw_surface(renderer, TRN_MESH_SURFACE_TRANSPARENT);
    draw_glass(renderer);
    gl_draw_edges(&renderer->features, false);
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

/// @param is_first,is_last  of the slices; what is drawn once is drawn in one of them
static void draw_layers(Renderer *renderer, const RendererFrame *frame, const CameraView *view,
                        bool is_first, bool is_last)
{
    if (renderer->look.debug == LOOK_DEBUG_OVERDRAW) {
        draw_overdraw(renderer);
        return;
    }
    if (renderer->look.debug == LOOK_DEBUG_WIREFRAME) {
        draw_wireframe(renderer, is_first);
        return;
    }
    draw_land(renderer);
    if (is_first) {
        draw_sky(renderer);
    }
    draw_boxes(renderer, frame, view);
    if (is_last) {
        draw_outline(renderer, frame, view);
    }
    copy_land(renderer);
    draw_water(renderer);
    draw_glass(renderer);
    // What falls is close to the camera. Under water it would be rain in front of the water.
    if (is_last && frame->inside != TRN_BLOCK_KIND_LIQUID) {
        renderer->draw_calls += weather_draw_call(&frame->weather, renderer->programs.weather,
                                                  renderer->vertex_array, renderer->look.quality);
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

/// Leaves out the chunks behind nearer land.
static void hide_behind_land(Renderer *renderer)
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

/// Finds the visible chunks of all levels, and those that fade after they were unloaded.
static bool find_chunks(Renderer *renderer, const RendererFrame *frame, const CameraView *view)
{
    Culling *culling = &renderer->culling;
    Horizon *horizon = &renderer->horizon;
    // From inside a block one looks through its faces from behind, at whatever it hides.
    const bool occlusion =
        renderer->look.on[LOOK_OCCLUSION] && frame->inside != TRN_BLOCK_KIND_OPAQUE;
    const bool has_horizon = occlusion && frame->level_count > 0 && horizon_begin(horizon, view);
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
        hide_behind_land(renderer);
    }
    return good;
}

/// Returns the distance of the farthest corner of the outermost chunks, which are at most three
/// beyond the view.
static float draw_distance(const Renderer *renderer)
{
    const RendererView *view = &renderer->def.view;
    const int chunks = view->levels ? view->far_distance : view->distance;
    return (float)(chunks + (5 << view->levels)) * TRN_CHUNK_EDGE;
}

/// Returns the number of parts that the picture is drawn in, the farthest first.
static int count_slices(const Renderer *renderer)
{
    return renderer->def.view.levels && !renderer->features.has_clip_control ? 2 : 1;
}

static void view_slice(const Renderer *renderer, const RendererFrame *frame, int slice, int slices,
                       CameraView *view)
{
    const float range[2] = {slice + 1 < slices ? SLICE_AT : CAMERA_NEAR,
                            slice > 0 ? SLICE_AT : draw_distance(renderer)};
    camera_view_slice(frame->camera, renderer->target.drawn_width, renderer->target.drawn_height,
                      range, view);
    if (renderer->features.has_clip_control) {
        camera_view_reverse_depth(view);
    }
}

/// Draws what the camera sees between two distances.
static bool draw_slice(Renderer *renderer, const RendererFrame *frame, int slice, int slices)
{
    CameraView view;
    const Culling *culling = &renderer->culling;
    const double start = clock_us(), start_cpu = clock_thread_us();
    view_slice(renderer, frame, slice, slices, &view);
    if (!draw_list_build(&renderer->list, &view, culling->seen, culling->seen_count)) {
        return false;
    }
    renderer->cull_cpu_us += clock_thread_us() - start_cpu;
    renderer->cull_us += clock_us() - start;
    send_frame(renderer, frame, &view);
    if (slice > 0) {
        glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    }
    draw_layers(renderer, frame, &view, slice == 0, slice + 1 == slices);
    return true;
}

static void send_picture(Renderer *renderer, const RendererFrame *frame, const CameraView *view)
{
    Message poorer;
    if (!block_art_update(&renderer->art, renderer->def.types, &poorer)) {
        fprintf(stderr, "terrane-viewer: %s\n", poorer.text);
    }
    send_skyline(renderer);
    send_known_heights(renderer, frame);
    debris_draw_send(&renderer->debris, frame->debris, view, frame->cubes, frame->cube_count);
    bind_textures(renderer);
}

/// Without memory for the copy the picture stays sharp.
static void blur_picture(Renderer *renderer, float blur)
{
    glActiveTexture(GL_TEXTURE0 + UNIT_LAND_COLOURS); // creating textures binds them
    const bool good = renderer->features.has_clip_control && target_copy_drawn(&renderer->target);
    if (good) {
        bind_texture(UNIT_LAND_COLOURS, GL_TEXTURE_2D, renderer->target.copy_colours);
        bind_texture(UNIT_LAND_DEPTHS, GL_TEXTURE_2D, renderer->target.copy_depths);
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
    const int slices = count_slices(renderer);
    CameraView view;
    view_slice(renderer, frame, 0, 1, &view);
    renderer->frame = frame;
    fades_step(&renderer->fades, frame->seconds, renderer_end_fade, renderer);
    quad_buffer_step(&renderer->quads);
    renderer->draw_calls = 0;
    const double start = clock_us(), start_cpu = clock_thread_us();
    bool good = find_chunks(renderer, frame, &view);
    renderer->cull_cpu_us = clock_thread_us() - start_cpu;
    renderer->cull_us = clock_us() - start;
    send_picture(renderer, frame, &view);
    begin_picture(renderer);
    for (int slice = 0; good && slice < slices; slice++) {
        good = draw_slice(renderer, frame, slice, slices);
    }
    if (good && frame->blur > 0) {
        blur_picture(renderer, frame->blur);
    }
    restore_depth(renderer);
    renderer->frame = NULL;
    if (!good) {
        return message_set(problem, "Out of memory: cannot list the chunks in the picture.");
    }
    target_resolve(&renderer->target);
    return check_driver(problem);
}

void renderer_present(Renderer *renderer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, renderer->target.width, renderer->target.height);
    gl_encode_srgb(&renderer->features, false);
    glDisable(GL_DEPTH_TEST);
    bind_texture(UNIT_PICTURE, GL_TEXTURE_2D, renderer->target.texture);
    glActiveTexture(GL_TEXTURE0);
    glUseProgram(renderer->programs.present);
    glBindVertexArray(renderer->vertex_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
