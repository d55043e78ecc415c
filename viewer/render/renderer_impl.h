/// The internals of the renderer: renderer.c creates it and receives chunks, renderer_draw.c draws.
#pragma once

#include "render/block_art.h"
#include "render/culling.h"
#include "render/debris_draw.h"
#include "render/draw_list.h"
#include "render/fades.h"
#include "render/gl.h"
#include "render/horizon.h"
#include "render/programs.h"
#include "render/quad_buffer.h"
#include "render/renderer_def.h"
#include "render/skyline.h"
#include "render/target.h"

/// The uniform block of assets/shaders/frame.glsl, in std140 layout.
typedef struct FrameBlock {
    float clip[16];
    float camera[4];
    int32_t camera_chunk[4];
    float ray_right[4], ray_up[4], ray_forward[4];
    float sun[4], shine[4], shine_light[4];
    float zenith[4], horizon[4], glow[4], sky_light[4];
    float haze[4];
    BlockArtBits turf, clear, glowing;
    float far_view[4];
    float skyline_at[4];
    float open_sea[RENDERER_SEA_WAYS];
} FrameBlock;

/// The heights of the land around the camera.
typedef struct LandHeights {
    Skyline skyline;
    KnownHeights known;
    GLuint texture, known_texture; ///< of skyline and known
} LandHeights;

struct Renderer {
    RendererDef def;
    GlFeatures features;
    Look look;
    const uint32_t *opaque_bits; ///< of the block types
    Target target;
    Programs programs;
    OutlinePainter *outline;
    BoxPainter *boxes;
    BlockArt art;
    QuadBuffer quads;
    QuadIndices indices;
    LandHeights heights;
    Culling culling;
    Horizon horizon;
    size_t behind_land; ///< chunks of the last picture that the horizon culled
    DrawList list;
    Fades fades;
    const RendererFrame *frame; ///< the current frame
    DebrisDraw debris;
    double cull_us, cull_cpu_us;
    float darkness; ///< of the last picture: RendererStats
    uint32_t draw_calls;
    GLuint vertex_array; ///< empty, but core OpenGL needs one
    GLuint frame_buffer; ///< a FrameBlock
};

/// Ends the fade of a chunk: see fades_step. @param user  the renderer
void renderer_end_fade(void *user, TrnChunk *chunk, bool is_ghost);
