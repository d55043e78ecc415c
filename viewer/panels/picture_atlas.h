/// Atlas texture with pictures of blocks, for panels (C++).
#pragma once

#include <imgui.h>

#include <terrane/block_types.h>

#include "render/gl.h"

struct PictureAtlas {
    GLuint texture;
    uint32_t columns, rows;
    int *painted; ///< [columns * rows] the block of each place; -1: none yet
};

/// All functions here need a current OpenGL context. Creates an atlas for `count` pictures, or for
/// as many as the driver's largest texture holds. @return false if out of memory
bool picture_atlas_create(PictureAtlas *atlas, uint32_t count);
void picture_atlas_destroy(PictureAtlas *atlas);

/// Whether the atlas has a place with this number.
bool picture_atlas_has(const PictureAtlas *atlas, uint32_t place);
/// Whether a place has the picture of a block.
bool picture_atlas_shows(const PictureAtlas *atlas, uint32_t place, TrnBlock block);
/// Paints a place of the atlas. Cost: block_picture_paint and an upload.
void picture_atlas_paint(PictureAtlas *atlas, uint32_t place, const TrnBlockTypes *types,
                         TrnBlock block);

struct PictureCorners {
    ImVec2 least, most;
};
/// Returns the corners of a place in the texture, 0..1.
PictureCorners picture_atlas_corners(const PictureAtlas *atlas, uint32_t place);
ImTextureID picture_atlas_texture(const PictureAtlas *atlas);
