#include "panels/picture_atlas.h"

#include <algorithm>
#include <new>

#include "render/block_art.h"

namespace {

constexpr uint32_t COLUMNS_MAX = 32;
constexpr int NO_BLOCK = -1;

void create_texture(PictureAtlas *atlas)
{
    glGenTextures(1, &atlas->texture);
    glBindTexture(GL_TEXTURE_2D, atlas->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8,
                 static_cast<GLsizei>(atlas->columns * BLOCK_PICTURE_EDGE),
                 static_cast<GLsizei>(atlas->rows * BLOCK_PICTURE_EDGE), 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, nullptr);
}

} // namespace

bool picture_atlas_create(PictureAtlas *atlas, uint32_t count)
{
    GLint edge = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &edge);
    const uint32_t most = static_cast<uint32_t>(std::max(edge, 1024)) / BLOCK_PICTURE_EDGE;
    *atlas = {};
    atlas->columns = std::clamp(count, 1U, std::min(most, COLUMNS_MAX));
    atlas->rows = std::clamp((count + atlas->columns - 1) / atlas->columns, 1U, most);
    const size_t places = static_cast<size_t>(atlas->columns) * atlas->rows;
    atlas->painted = new (std::nothrow) int[places];
    if (!atlas->painted) {
        return false;
    }
    std::fill_n(atlas->painted, places, NO_BLOCK);
    create_texture(atlas);
    return true;
}

void picture_atlas_destroy(PictureAtlas *atlas)
{
    if (atlas->texture) {
        glDeleteTextures(1, &atlas->texture);
    }
    delete[] atlas->painted;
    *atlas = {};
}

bool picture_atlas_has(const PictureAtlas *atlas, uint32_t place)
{
    return place < atlas->columns * atlas->rows;
}

bool picture_atlas_shows(const PictureAtlas *atlas, uint32_t place, TrnBlock block)
{
    return picture_atlas_has(atlas, place) && atlas->painted[place] == block;
}

void picture_atlas_paint(PictureAtlas *atlas, uint32_t place, const TrnBlockTypes *types,
                         TrnBlock block)
{
    BlockPicture picture;
    block_picture_paint(trn_block_types_get(types, block), &picture);
    glBindTexture(GL_TEXTURE_2D, atlas->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(
        GL_TEXTURE_2D, 0, static_cast<GLint>(place % atlas->columns * BLOCK_PICTURE_EDGE),
        static_cast<GLint>(place / atlas->columns * BLOCK_PICTURE_EDGE), BLOCK_PICTURE_EDGE,
        BLOCK_PICTURE_EDGE, GL_RGBA, GL_UNSIGNED_BYTE, picture.texel);
    atlas->painted[place] = block;
}

PictureCorners picture_atlas_corners(const PictureAtlas *atlas, uint32_t place)
{
    const float wide = 1.0f / static_cast<float>(atlas->columns);
    const float high = 1.0f / static_cast<float>(atlas->rows);
    const auto column = place % atlas->columns, row = place / atlas->columns;
    const ImVec2 least(static_cast<float>(column) * wide, static_cast<float>(row) * high);
    return {least, ImVec2(least.x + wide, least.y + high)};
}

ImTextureID picture_atlas_texture(const PictureAtlas *atlas)
{
    return reinterpret_cast<ImTextureID>(static_cast<intptr_t>(atlas->texture));
}
