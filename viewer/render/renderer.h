/// Draws the world: sky, land, plants, debris, water.
#ifndef TERRANE_VIEWER_RENDERER_H
#define TERRANE_VIEWER_RENDERER_H

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

typedef struct RendererDef {
    int width, height; ///< of the picture
    int view_distance; ///< chunks; where the haze ends
    int view_height;   ///< the same above and below: the haze is as flat as what is loaded
    /// for the look of blocks, also of those added later; borrowed, outlives the renderer
    const TrnBlockTypes *types;
    Look look; ///< to begin with
    /// the most quads in one buffer texture, below the driver's own limit; 0: no other
    uint32_t texel_max;
} RendererDef;

/// What one picture needs.
typedef struct RendererFrame {
    const Camera *camera;
    double seconds; ///< moves water, plants and clouds
    /// What the camera is in: LIQUID is seen through dimly; inside an OPAQUE block nothing is
    /// hidden
    TrnBlockKind inside;
    float view_part;       ///< how much of the view distance there is, where memory cuts it; 0: all
    const TrnStore *store; ///< what is drawn: those of its chunks with a ChunkView
    TrnBox box;            ///< that lie in here; the camera's among them
    Debris *debris;        ///< told of the view, and drawn; NULL: none
    const Outline *outline; ///< what is aimed at; NULL: nothing
    const BoxLines *boxes;  ///< drawn as lines; NULL: none
} RendererFrame;

typedef struct RendererStats {
    size_t chunks_drawn, quads_drawn;
    size_t chunks_gathered; ///< in the frustum, hidden or not
    double cull_us;     ///< gathering, culling and sorting for the last picture, outside the driver
    double cull_cpu_us; ///< the same, as this thread's own time on a core
    uint32_t draw_calls;  ///< of the last picture's world
    QuadBufferStats card; ///< the quads on the graphics card
} RendererStats;

/// Needs a current OpenGL 3.3 context, as all functions here.
bool renderer_create(Renderer **renderer, const RendererDef *def, Message *problem);
/// @param renderer  may be NULL
void renderer_destroy(Renderer *renderer);

/// What the driver can do at 60 frames a second, going by its name: low where it draws on the
/// processor.
LookQuality renderer_suggested_quality(void);

/// Changes the picture's size. On failure the old picture stays.
bool renderer_resize(Renderer *renderer, int width, int height, Message *problem);

/// What it was created with, in its present size and look: to make another like it.
RendererDef renderer_def(const Renderer *renderer);

/// The picture's size, pixels.
void renderer_size(const Renderer *renderer, int *width, int *height);

/// Changes how far the view reaches. On failure it stays as it was; without memory for more, a
/// smaller one never fails.
/// @param store  the chunks that are there, whose heights are noted anew where the view grows
///               beyond all before: 1 to 4 us each
bool renderer_set_view(Renderer *renderer, int view_distance, int view_height,
                       const TrnStore *store, Message *problem);

Look renderer_look(const Renderer *renderer);
/// Changes the look; what it switches on or off is compiled anew (some 50 ms). On failure the old
/// look stays.
bool renderer_set_look(Renderer *renderer, const Look *look, Message *problem);

/// Takes a chunk's quads over, and what its voxels hide, and fills its ChunkView. False when the
/// graphics card has no room.
/// @param quads  may be NULL where info says that there are none
bool renderer_show(Renderer *renderer, TrnChunk *chunk, const TrnQuad *quads,
                   const TrnMeshInfo *info);
/// Forgets a chunk's quads, if it has any.
void renderer_hide(Renderer *renderer, TrnChunk *chunk);

/// Draws one picture.
bool renderer_draw(Renderer *renderer, const RendererFrame *frame, Message *problem);

/// Copies the picture into the window's own buffer, which must be as large.
void renderer_present(Renderer *renderer);

/// Reads the picture. @param rgb  [height * width * 3] receives rows from the top, sRGB; caller
/// owns
void renderer_read(const Renderer *renderer, unsigned char *rgb);

RendererStats renderer_stats(const Renderer *renderer);

#endif
