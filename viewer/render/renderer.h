/// Draws the world: sky, land, plants, debris, water.
#pragma once

#include "render/chunk_view.h"
#include "render/renderer_def.h"

/// All functions here need a current OpenGL context.
bool renderer_create(Renderer **renderer, const RendererDef *def, Message *problem);
/// @param renderer  may be NULL
void renderer_destroy(Renderer *renderer);

/// Returns a quality for about 60 frames a second on this driver: low for software rendering.
LookQuality renderer_suggested_quality(void);

/// Changes the picture's size. On failure the size stays.
bool renderer_resize(Renderer *renderer, int width, int height, Message *problem);

/// Returns the def with the current size and look, to create an equal renderer.
RendererDef renderer_def(const Renderer *renderer);

/// The picture's size, pixels.
void renderer_size(const Renderer *renderer, int *width, int *height);

/// Changes how far the world is drawn. On failure nothing changes; reducing the distance never
/// fails.
/// @param store  the loaded chunks of level 0; if their view grows beyond its largest size so far,
///               their heights are recorded again: 1 to 4 us each
bool renderer_set_view(Renderer *renderer, const RendererView *view, const TrnStore *store,
                       Message *problem);

Look renderer_look(const Renderer *renderer);
/// Changes the look; changed switches recompile shaders (some 50 ms). On failure the look stays.
bool renderer_set_look(Renderer *renderer, const Look *look, Message *problem);

/// Uploads a chunk's mesh, records what its voxels hide, and fills its ChunkView. If the view has
/// levels, a new chunk is drawn once renderer_place says so.
/// @param level  of the chunk: its voxels have an edge of 1 << level
/// @return false if the graphics card has no memory
bool renderer_show(Renderer *renderer, TrnChunk *chunk, uint32_t level, const ChunkMesh *mesh);
/// Sets whether a chunk is drawn; if not, another level is drawn in its place. Changes between two
/// pictures at the same place are cross-faded.
void renderer_place(Renderer *renderer, TrnChunk *chunk, bool is_drawn);
/// Drops a chunk's quads and models, if any.
void renderer_hide(Renderer *renderer, TrnChunk *chunk);

/// Draws one picture.
bool renderer_draw(Renderer *renderer, const RendererFrame *frame, Message *problem);

/// Copies the picture into the window's framebuffer, which must have the same size.
void renderer_present(Renderer *renderer);

/// Reads the picture. @param rgb  [height * width * 3] receives rows from the top, sRGB; caller
/// owns
void renderer_read(const Renderer *renderer, unsigned char *rgb);

RendererStats renderer_stats(const Renderer *renderer);
