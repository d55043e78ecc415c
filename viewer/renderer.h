/// Draws the world: sky, land, water.
#ifndef TERRANE_VIEWER_RENDERER_H
#define TERRANE_VIEWER_RENDERER_H

#include <terrane/mesher.h>
#include <terrane/store.h>

#include "camera.h"
#include "message.h"

typedef struct Renderer Renderer;

typedef struct RendererDef {
    int width, height;          ///< of the picture
    int samples;                ///< per pixel; 0 lets the driver's kind decide
    int view_distance;          ///< chunks; where the haze ends
    int view_height;            ///< chunks; where it ends above and below
    const TrnBlockTypes *types; ///< for the colours of blocks; borrowed, outlives the renderer
} RendererDef;

/// What one picture needs beside its chunks.
typedef struct RendererFrame {
    const Camera *camera;
    double seconds; ///< moves water and clouds
    bool under_water;
    float view_part; ///< how much of the view distance there is, where memory cuts it; 0: all
} RendererFrame;

typedef struct RendererStats {
    size_t chunks_drawn, quads_drawn;
    size_t bytes;      ///< of quads on the graphics card
    uint32_t quad_max; ///< the most quads the driver lets us hold
} RendererStats;

/// Needs a current OpenGL 3.3 context, as all functions here.
bool renderer_create(Renderer **renderer, const RendererDef *def, Message *problem);
/// @param renderer  may be NULL
void renderer_destroy(Renderer *renderer);

/// Changes the picture's size and its samples per pixel (0: as the driver's kind suggests). On failure the old picture stays.
bool renderer_resize(Renderer *renderer, int width, int height, int samples, Message *problem);

/// Takes a chunk's quads over, in place of those that it had, and fills its ChunkView. False when the graphics card has no room; the
/// chunk then has none.
/// @param quads  as `info` says; borrowed
bool renderer_show(Renderer *renderer, TrnChunk *chunk, const TrnQuad *quads,
                   const TrnMeshInfo *info);
/// Forgets a chunk's quads, if it has any.
void renderer_hide(Renderer *renderer, TrnChunk *chunk);

/// Draws one picture of the given chunks. @param chunks  [count], with a ChunkView each
bool renderer_draw(Renderer *renderer, const RendererFrame *frame, TrnChunk *const *chunks,
                   size_t count, Message *problem);

/// Copies the picture into the window's own buffer, which must be as large.
void renderer_present(Renderer *renderer);

/// Reads the picture. @param rgb  [height * width * 3] receives rows from the top, sRGB; caller owns
void renderer_read(const Renderer *renderer, unsigned char *rgb);

RendererStats renderer_stats(const Renderer *renderer);

#endif
