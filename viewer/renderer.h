/// Draws the world: sky, land, water.
#ifndef TERRANE_VIEWER_RENDERER_H
#define TERRANE_VIEWER_RENDERER_H

#include <terrane/mesher.h>
#include <terrane/store.h>

#include "camera.h"
#include "message.h"

typedef struct Renderer Renderer;

/// What a person switches while looking. A renderer starts with renderer_look().
typedef struct RendererLook {
    bool occlusion; ///< chunks that others hide are left out
} RendererLook;

typedef struct RendererDef {
    int width, height;          ///< of the picture
    int samples;                ///< per pixel; 0 lets the driver's kind decide
    int view_distance;          ///< chunks; where the haze ends
    int view_height;            ///< chunks; where it ends above and below
    const TrnBlockTypes *types; ///< for the colours of blocks; borrowed, outlives the renderer
} RendererDef;

/// What one picture needs.
typedef struct RendererFrame {
    const Camera *camera;
    double seconds; ///< moves water and clouds
    TrnBlockKind
        inside; ///< what the camera is in: LIQUID is seen through dimly; inside an OPAQUE block nothing is hidden
    const TrnStore *store; ///< what is drawn: those of its chunks with a ChunkView
    TrnBox box;            ///< that lie in here; the camera's among them
} RendererFrame;

typedef struct RendererStats {
    size_t chunks_drawn, quads_drawn;
    size_t chunks_gathered; ///< in the frustum, hidden or not
    double cull_us; ///< gathering, culling and sorting for the last picture, outside the driver
    uint32_t draw_calls; ///< of the last picture's world
    size_t bytes;        ///< of quads on the graphics card
    uint32_t quad_max;   ///< the most quads the driver lets us hold
} RendererStats;

/// Needs a current OpenGL 3.3 context, as all functions here.
bool renderer_create(Renderer **renderer, const RendererDef *def, Message *problem);
/// @param renderer  may be NULL
void renderer_destroy(Renderer *renderer);

/// Changes the picture's size and its samples per pixel (0: as the driver's kind suggests). On failure the old picture stays.
bool renderer_resize(Renderer *renderer, int width, int height, int samples, Message *problem);

/// The look to start from: everything on.
RendererLook renderer_look(void);
RendererLook renderer_get_look(const Renderer *renderer);
void renderer_set_look(Renderer *renderer, RendererLook look);

/// Takes a chunk's quads over, in place of those that it had, and fills its ChunkView. False when the graphics card has no room; the
/// chunk then has none.
/// @param quads  as `info` says; borrowed
bool renderer_show(Renderer *renderer, TrnChunk *chunk, const TrnQuad *quads,
                   const TrnMeshInfo *info);
/// Forgets a chunk's quads, if it has any.
void renderer_hide(Renderer *renderer, TrnChunk *chunk);

/// Draws one picture.
bool renderer_draw(Renderer *renderer, const RendererFrame *frame, Message *problem);

/// Copies the picture into the window's own buffer, which must be as large.
void renderer_present(Renderer *renderer);

/// Reads the picture. @param rgb  [height * width * 3] receives rows from the top, sRGB; caller owns
void renderer_read(const Renderer *renderer, unsigned char *rgb);

RendererStats renderer_stats(const Renderer *renderer);

#endif
