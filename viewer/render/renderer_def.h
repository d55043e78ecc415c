/// A renderer's def, its input for a picture, and its stats.
#pragma once

#include <terrane/mesher.h>
#include <terrane/store.h>

#include "debris/debris.h"
#include "message.h"
#include "render/camera.h"
#include "render/lines.h"
#include "render/look.h"
#include "render/quad_buffer.h"

typedef struct Renderer Renderer;

/// Chunks of a level that may be drawn outside its view because no other level replaces them: the
/// two that hysteresis keeps, their neighbours, and those of the last update.
#define RENDERER_MARGIN 4

/// How far the world is drawn, in chunks of level 0. The haze ends there, and has the same
/// flattened shape as the view.
typedef struct RendererView {
    int distance, height; ///< of level 0
    uint32_t levels;      ///< coarser levels; their chunks are drawn once renderer_place says so
    int far_distance;     ///< of the coarsest level
    int far_height;       ///< of each coarser level, in its chunks
} RendererView;

typedef struct RendererDef {
    int width, height; ///< of the picture
    RendererView view;
    /// of the store; may grow later; borrowed, must outlive the renderer
    const TrnBlockTypes *types;
    Look look; ///< initial look
    /// most texels in one buffer texture, if below the driver's limit; 0: the driver's limit
    uint32_t texel_max;
} RendererDef;

/// The chunks of a coarser level.
typedef struct RendererLevel {
    const TrnStore *store;
    TrnBox box; ///< in chunks of the level
} RendererLevel;

#define RENDERER_SEA_WAYS 64

/// The sea beyond the end of the view.
typedef struct RendererSea {
    float above; ///< the camera's height above the sea, voxels; 0 or less: no sea is drawn
    /// the share of sea at the end of the view, 0..1, by direction: from -z over +x
    float ways[RENDERER_SEA_WAYS];
} RendererSea;

/// Precipitation around the camera, 0..1 each.
typedef struct RendererWeather {
    float rain, snow;
} RendererWeather;

/// The input of one picture.
typedef struct RendererFrame {
    const Camera *camera;
    double seconds; ///< animates water, plants and clouds
    /// The kind of block at the camera: inside LIQUID the view is dim; inside an OPAQUE block no
    /// chunk is culled
    TrnBlockKind inside;
    bool inside_glows;     ///< the block at the camera emits light: lava, if it is a liquid
    float view_part;       ///< reduced view distance as a part of the whole, if memory is short; 0:
                           ///< whole
    const TrnStore *store; ///< of level 0; its chunks with a ChunkView are drawn
    TrnBox box;            ///< limits the chunks of `store`; includes the camera's chunk
    const RendererLevel *levels; ///< [level_count] levels 1 and up; may be NULL
    uint32_t level_count;
    const RendererSea *sea;  ///< NULL: none
    RendererWeather weather; ///< the sky is overcast while it falls
    Debris *debris;          ///< drawn; receives which bits are visible; NULL: none
    /// [cube_count] drawn like debris; places are relative to the camera's chunk; may be NULL
    const DebrisInstance *cubes;
    uint32_t cube_count;
    const Outline *outline; ///< around the target block; NULL: none
    const BoxLines *boxes;  ///< drawn as lines; NULL: none
    /// depth of field, focused on the middle of the picture: largest radius of the blur, as a part
    /// of the picture's height; 0: all is sharp. Drivers without reversed depths draw no blur
    float blur;
} RendererFrame;

typedef struct RendererStats {
    size_t chunks_drawn, quads_drawn;
    size_t chunks_gathered;    ///< in the frustum, hidden or visible
    size_t chunks_behind_land; ///< with quads, culled because nearer land hides them
    double cull_us;      ///< gathering, culling and sorting of the last picture, without the driver
    double cull_cpu_us;  ///< the same in CPU time of this thread
    uint32_t draw_calls; ///< for the world in the last picture
    float darkness;      ///< how far the camera was below the ground, 0..1; 0 without skylight
    QuadBufferStats card; ///< the quads on the graphics card
} RendererStats;
