#include "renderer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glad/gl.h>

#include "assets.h"
#include "chunk_view.h"
#include "draw_list.h"
#include "gl_program.h"
#include "quad_buffer.h"
#include "target.h"

// Texture units.
enum { UNIT_QUADS, UNIT_PAGES, UNIT_COLOURS, UNIT_PICTURE };

/// The uniform block of assets/shaders/frame.glsl, in its layout (std140).
typedef struct FrameBlock {
    float clip[16];
    float camera[4];
    int32_t camera_chunk[4];
    float ray_right[4], ray_up[4], ray_forward[4];
    float sun[4];
    float haze[4];
} FrameBlock;

struct Renderer {
    RendererDef def;
    Target target;
    QuadBuffer quads;
    DrawList list;
    GLuint vertex_array; ///< empty, but core OpenGL draws nothing without one
    GLuint frame_buffer; ///< a FrameBlock
    GLuint colours;      ///< 3 x types: top, side, bottom
    GLuint terrain, plants, water, sky, present;
};

// ---- life ---------------------------------------------------------------------------------------

static void create_colours(Renderer *renderer)
{
    uint32_t count;
    const TrnBlockType *types = trn_block_types_all(renderer->def.types, &count);
    glGenTextures(1, &renderer->colours);
    glBindTexture(GL_TEXTURE_2D, renderer->colours);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, 3, (GLsizei)count, 0, GL_RGB, GL_UNSIGNED_BYTE,
                 NULL);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t row[3][3];
        memcpy(row[0], types[i].colour[TRN_FACE_POS_Y], sizeof row[0]);
        memcpy(row[1], types[i].colour[TRN_FACE_NEG_X], sizeof row[1]);
        memcpy(row[2], types[i].colour[TRN_FACE_NEG_Y], sizeof row[2]);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, (GLint)i, 3, 1, GL_RGB, GL_UNSIGNED_BYTE, row);
    }
}

/// Four samples smooth the edges for next to nothing on a graphics card; drawing on the processor they double the frame.
static int default_samples(void)
{
    const char *driver = (const char *)glGetString(GL_RENDERER);
    bool processor = driver && (strstr(driver, "llvmpipe") || strstr(driver, "softpipe") ||
                                strstr(driver, "SWR"));
    return processor ? 1 : 4;
}

static bool create_programs(Renderer *renderer, Message *problem)
{
    const GlProgramDef terrain = {"terrain",
                                  {asset_frame_glsl, asset_quad_vert},
                                  {asset_frame_glsl, asset_light_glsl, asset_noise_glsl,
                                   asset_clouds_glsl, asset_terrain_frag}};
    const GlProgramDef plants = {"plants",
                                 {"#define PLANT 1\n", asset_frame_glsl, asset_quad_vert},
                                 {"#define PLANT 1\n" /* and as terrain */, asset_frame_glsl,
                                  asset_light_glsl, asset_noise_glsl, asset_clouds_glsl,
                                  asset_terrain_frag}};
    const GlProgramDef water = {"water",
                                {"#define LIQUID 1\n", asset_frame_glsl, asset_quad_vert},
                                {asset_frame_glsl, asset_light_glsl, asset_water_frag}};
    const GlProgramDef sky = {
        "sky",
        {asset_frame_glsl, asset_screen_vert},
        {asset_frame_glsl, asset_light_glsl, asset_noise_glsl, asset_clouds_glsl, asset_sky_frag}};
    const GlProgramDef present = {
        "present", {asset_frame_glsl, asset_screen_vert}, {asset_present_frag}};
    return gl_program_create(&renderer->terrain, &terrain, problem) &&
           gl_program_create(&renderer->plants, &plants, problem) &&
           gl_program_create(&renderer->water, &water, problem) &&
           gl_program_create(&renderer->sky, &sky, problem) &&
           gl_program_create(&renderer->present, &present, problem);
}

static void connect_programs(Renderer *renderer)
{
    const GLuint programs[] = {renderer->terrain, renderer->plants, renderer->water, renderer->sky,
                               renderer->present};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        GLuint block = glGetUniformBlockIndex(programs[i], "Frame");
        if (block != GL_INVALID_INDEX) {
            glUniformBlockBinding(programs[i], block, 0);
        }
    }
    const GLuint readers[] = {renderer->terrain, renderer->plants, renderer->water};
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        gl_program_set_sampler(readers[i], "quads", UNIT_QUADS);
        gl_program_set_sampler(readers[i], "pages", UNIT_PAGES);
        gl_program_set_sampler(readers[i], "block_colours", UNIT_COLOURS);
    }
    gl_program_set_sampler(renderer->present, "picture", UNIT_PICTURE);
}

bool renderer_create(Renderer **renderer, const RendererDef *def, Message *problem)
{
    Renderer *made = calloc(1, sizeof *made);
    if (!made) {
        return message_set(problem, "There is no memory for the renderer.");
    }
    made->def = *def;
    made->def.samples = def->samples ? def->samples : default_samples();
    quad_buffer_create(&made->quads);
    if (!create_programs(made, problem) ||
        !target_create(&made->target, def->width, def->height, made->def.samples, problem)) {
        renderer_destroy(made);
        return false;
    }
    connect_programs(made);
    create_colours(made);
    glGenVertexArrays(1, &made->vertex_array);
    glGenBuffers(1, &made->frame_buffer);
    *renderer = made;
    return true;
}

void renderer_destroy(Renderer *renderer)
{
    if (!renderer) {
        return;
    }
    glDeleteProgram(renderer->terrain);
    glDeleteProgram(renderer->plants);
    glDeleteProgram(renderer->water);
    glDeleteProgram(renderer->sky);
    glDeleteProgram(renderer->present);
    glDeleteTextures(1, &renderer->colours);
    glDeleteBuffers(1, &renderer->frame_buffer);
    glDeleteVertexArrays(1, &renderer->vertex_array);
    quad_buffer_free(&renderer->quads);
    target_free(&renderer->target);
    draw_list_free(&renderer->list);
    free(renderer);
}

bool renderer_resize(Renderer *renderer, int width, int height, int samples, Message *problem)
{
    samples = samples ? samples : default_samples();
    if (renderer->target.width == width && renderer->target.height == height &&
        renderer->def.samples == samples) {
        return true;
    }
    Target target;
    if (!target_create(&target, width, height, samples, problem)) {
        return false;
    }
    target_free(&renderer->target);
    renderer->target = target;
    renderer->def.samples = samples;
    return true;
}

// ---- chunks -------------------------------------------------------------------------------------

bool renderer_show(Renderer *renderer, TrnChunk *chunk, const TrnQuad *quads,
                   const TrnMeshInfo *info)
{
    ChunkView *view = chunk_view(chunk);
    renderer_hide(renderer, chunk);
    const uint32_t count = trn_mesh_count(info);
    if (count && !quad_buffer_put(&renderer->quads, chunk->coord, quads, count, &view->page_first,
                                  &view->page_count)) {
        return false;
    }
    memcpy(view->first, info->first, sizeof view->first);
    return true;
}

void renderer_hide(Renderer *renderer, TrnChunk *chunk)
{
    ChunkView *view = chunk_view(chunk);
    if (view->page_count) {
        quad_buffer_drop(&renderer->quads, view->page_first, view->page_count);
    }
    memset(view, 0, sizeof *view);
}

// ---- drawing ------------------------------------------------------------------------------------

/// Where the haze hides everything, when so many chunks are shown: half a chunk before their end.
static float haze_end(float chunks)
{
    return fmaxf(chunks - 0.5f, 0.5f) * TRN_CHUNK_EDGE;
}

static void send_frame(const Renderer *renderer, const RendererFrame *frame, const CameraView *view)
{
    // Low in the sky a sun colours the haze, and half right of ahead it lights what the camera
    // looks at from the side.
    vec3 sun = {0.92f, 0.36f, -0.16f};
    glm_vec3_normalize(sun);
    const float part = frame->view_part > 0 ? frame->view_part : 1;
    const float full_haze = haze_end(part * (float)renderer->def.view_distance);
    const float full_height = haze_end(part * (float)renderer->def.view_height);
    FrameBlock block = {
        .camera = {view->offset[0], view->offset[1], view->offset[2],
                   (float)fmod(frame->seconds, 3600)},
        .camera_chunk = {view->chunk.x, view->chunk.y, view->chunk.z, 0},
        .sun = {sun[0], sun[1], sun[2], DRAW_PLANTS_DISTANCE},
        .haze = {full_haze, view->pixel, frame->under_water ? 1.0f : 0.0f, full_haze / full_height},
    };
    memcpy(block.clip, view->clip, sizeof block.clip);
    glm_vec3_copy((float *)view->ray_right, block.ray_right);
    glm_vec3_copy((float *)view->ray_up, block.ray_up);
    glm_vec3_copy((float *)view->ray_forward, block.ray_forward);
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, renderer->frame_buffer);
}

static void bind_textures(const Renderer *renderer)
{
    glActiveTexture(GL_TEXTURE0 + UNIT_QUADS);
    glBindTexture(GL_TEXTURE_BUFFER, renderer->quads.quad_texture);
    glActiveTexture(GL_TEXTURE0 + UNIT_PAGES);
    glBindTexture(GL_TEXTURE_BUFFER, renderer->quads.page_texture);
    glActiveTexture(GL_TEXTURE0 + UNIT_COLOURS);
    glBindTexture(GL_TEXTURE_2D, renderer->colours);
    glActiveTexture(GL_TEXTURE0);
}

static void begin_picture(const Renderer *renderer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->target.drawn);
    glViewport(0, 0, renderer->target.width, renderer->target.height);
    glBindVertexArray(renderer->vertex_array);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL); // the sky lies at the farthest depth there is
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glFrontFace(GL_CCW);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT); // land and sky together fill every pixel
}

static void draw_ranges(GLuint program, const DrawRanges *ranges)
{
    if (ranges->used) {
        glUseProgram(program);
        glMultiDrawArrays(GL_TRIANGLES, ranges->first, ranges->count, (GLsizei)ranges->used);
    }
}

/// Blends the nearest water over each pixel, and once. Quads overlap by part of a pixel, since without that the land shines through
/// in pinholes where a large quad's edge passes the corners of small ones; a pixel blended twice would show as a seam. So first
/// their depths alone are drawn and then what has just that depth; the stencil keeps out a second quad of the same depth.
static void draw_water(const Renderer *renderer)
{
    const DrawRanges *ranges = &renderer->list.liquid;
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    draw_ranges(renderer->water, ranges);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_EQUAL);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 0, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_ranges(renderer->water, ranges);
    glDisable(GL_BLEND);
    glDisable(GL_STENCIL_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
}

static void draw_layers(const Renderer *renderer)
{
    glEnable(GL_CULL_FACE);
    draw_ranges(renderer->terrain, &renderer->list.opaque);
    glDisable(GL_CULL_FACE);
    draw_ranges(renderer->plants, &renderer->list.plants);
    glUseProgram(renderer->sky);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    draw_water(renderer);
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

bool renderer_draw(Renderer *renderer, const RendererFrame *frame, TrnChunk *const *chunks,
                   size_t count, Message *problem)
{
    // The farthest corner of the outermost chunks, which lie three beyond the view distance at
    // most.
    float far = ((float)renderer->def.view_distance + 5) * TRN_CHUNK_EDGE;
    CameraView view;
    camera_view(frame->camera, renderer->target.width, renderer->target.height, far, &view);
    if (!draw_list_build(&renderer->list, &view, chunks, count)) {
        return message_set(problem, "There is no memory to list %zu chunks for drawing.", count);
    }
    send_frame(renderer, frame, &view);
    bind_textures(renderer);
    begin_picture(renderer);
    draw_layers(renderer);
    target_resolve(&renderer->target);
    return check_driver(problem);
}

void renderer_present(Renderer *renderer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, renderer->target.width, renderer->target.height);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_DEPTH_TEST);
    glActiveTexture(GL_TEXTURE0 + UNIT_PICTURE);
    glBindTexture(GL_TEXTURE_2D, renderer->target.texture);
    glActiveTexture(GL_TEXTURE0);
    glUseProgram(renderer->present);
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
        .bytes = quad_buffer_bytes(&renderer->quads),
        .quad_max = renderer->quads.page_max * QUAD_PAGE_QUADS,
    };
}
