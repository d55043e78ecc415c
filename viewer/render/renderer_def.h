/// What a renderer is made from, what it draws, and what it tells of it.
#ifndef TERRANE_VIEWER_RENDERER_DEF_H
#define TERRANE_VIEWER_RENDERER_DEF_H

#include <terrane/mesher.h>
#include <terrane/store.h>

#include "debris/debris.h"
#include "message.h"
#include "render/box_lines.h"
#include "render/camera.h"
#include "render/look.h"
#include "render/outline.h"
#include "render/quad_buffer.h"

typedef struct Renderer Renderer;

/// Chunks of a level that may be drawn outside its view, since no other level is drawn in their
/// place: the two that hysteresis keeps, their neighbours, and those of the last update.
#define RENDERER_MARGIN 4

/// How far the world is drawn. Distances are in chunks of level 0; the haze ends there, and is as
/// flat as what is loaded.
typedef struct RendererView {
    int distance, height; ///< of level 0
    uint32_t levels;      ///< coarser levels, whose chunks are drawn once renderer_place says so
    int far_distance;     ///< of the last of them
    int far_height;       ///< of each of them, in its own chunks
} RendererView;

typedef struct RendererDef {
    int width, height; ///< of the picture
    RendererView view;
    /// of the store; may grow later; borrowed, must outlive the renderer
    const TrnBlockTypes *types;
    Look look; ///< at the start
    /// most quads in one buffer texture, if below the driver's own limit; 0: the driver's limit
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
    float above; ///< the camera's height above it, voxels; 0 or less: none is drawn
    /// how much of the end of the view is sea, 0..1, by direction: from -z over +x
    float ways[RENDERER_SEA_WAYS];
} RendererSea;

/// What falls around the camera, 0..1 each.
typedef struct RendererWeather {
    float rain, snow;
} RendererWeather;

/// The input of one picture.
typedef struct RendererFrame {
    const Camera *camera;
    double seconds; ///< moves water, plants and clouds
    /// The block around the camera: inside LIQUID the view is dim; inside an OPAQUE block nothing
    /// is culled
    TrnBlockKind inside;
    bool inside_glows; ///< that block emits light: lava, if it is a liquid
    float view_part;   ///< part of the view distance that the view has, if memory is short; 0: all
    const TrnStore *store;       ///< its chunks with a ChunkView are drawn
    TrnBox box;                  ///< if they are in this box, which includes the camera's chunk
    const RendererLevel *levels; ///< [level_count] levels 1 and up; may be NULL
    uint32_t level_count;
    const RendererSea *sea;  ///< NULL: none
    RendererWeather weather; ///< where it falls, the sky is overcast
    Debris *debris;          ///< drawn, and told what is visible; NULL: none
    /// [cube_count] drawn as debris is; places are relative to the camera's chunk; may be NULL
    const DebrisInstance *cubes;
    uint32_t cube_count;
    const Outline *outline; ///< what is aimed at; NULL: nothing
    const BoxLines *boxes;  ///< drawn as lines; NULL: none
    /// depth of field: largest radius of the blur, as a part of the picture's height, where the
    /// middle of the picture is sharp; 0: all is sharp. Drivers without reversed depths draw none
    float blur;
} RendererFrame;

typedef struct RendererStats {
    size_t chunks_drawn, quads_drawn;
    size_t chunks_gathered;    ///< in the frustum, hidden or not
    size_t chunks_behind_land; ///< with quads, not drawn because nearer land hides them
    double cull_us;      ///< gathering, culling and sorting of the last picture, without the driver
    double cull_cpu_us;  ///< the same in CPU time of this thread
    uint32_t draw_calls; ///< of the world in the last picture
    QuadBufferStats card; ///< the quads on the graphics card
} RendererStats;

#endif
