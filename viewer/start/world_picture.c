#include "start/world_picture.h"

#include <string.h>

#define PICTURE_NAME "viewer/picture"
#define PICTURE_MARK "rgb1" // 96 x 60; another form has another mark

enum { MARK_BYTES = sizeof PICTURE_MARK - 1 };

typedef struct PictureValue {
    char mark[MARK_BYTES];
    WorldPicture picture;
} PictureValue;

/// The average of a box of pixels.
static void average(const unsigned char *rgb, int width, const int from[2], const int to[2],
                    uint8_t mean[3])
{
    uint64_t sum[3] = {0};
    for (int y = from[1]; y < to[1]; y++) {
        for (int x = from[0]; x < to[0]; x++) {
            for (int c = 0; c < 3; c++) {
                sum[c] += rgb[((size_t)y * (size_t)width + (size_t)x) * 3 + (size_t)c];
            }
        }
    }
    const uint64_t count = (uint64_t)(to[0] - from[0]) * (uint64_t)(to[1] - from[1]);
    for (int c = 0; c < 3; c++) {
        mean[c] = (uint8_t)(sum[c] / count);
    }
}

/// The first pixel of a part of a row or column; the last part ends where `parts` begins.
static int part_of(int part, int parts, int begin, int size)
{
    return begin + (int)((int64_t)part * size / parts);
}

WorldPicture world_picture_shrink(const unsigned char *rgb, int width, int height)
{
    const int shape[2] = {WORLD_PICTURE_WIDTH, WORLD_PICTURE_HEIGHT};
    const bool is_wide = (int64_t)width * shape[1] > (int64_t)height * shape[0];
    int size[2] = {width, height};
    size[is_wide ? 0 : 1] = is_wide ? (int)((int64_t)height * shape[0] / shape[1])
                                    : (int)((int64_t)width * shape[1] / shape[0]);
    size[0] = size[0] > 0 ? size[0] : 1;
    size[1] = size[1] > 0 ? size[1] : 1;
    const int begin[2] = {(width - size[0]) / 2, (height - size[1]) / 2};
    WorldPicture picture;
    for (int y = 0; y < WORLD_PICTURE_HEIGHT; y++) {
        for (int x = 0; x < WORLD_PICTURE_WIDTH; x++) {
            const int at[2] = {x, y};
            int from[2], to[2];
            for (int axis = 0; axis < 2; axis++) {
                from[axis] = part_of(at[axis], shape[axis], begin[axis], size[axis]);
                to[axis] = part_of(at[axis] + 1, shape[axis], begin[axis], size[axis]);
                to[axis] = to[axis] > from[axis] ? to[axis] : from[axis] + 1; // it is smaller
            }
            average(rgb, width, from, to, picture.rgb[y][x]);
        }
    }
    return picture;
}

TrnResult world_picture_write(TrnSave *save, const WorldPicture *picture)
{
    PictureValue value = {.picture = *picture};
    memcpy(value.mark, PICTURE_MARK, MARK_BYTES);
    return trn_save_set_value(save, PICTURE_NAME, &value, sizeof value);
}

bool world_picture_read(TrnSave *save, WorldPicture *picture)
{
    PictureValue value;
    size_t size = 0;
    if (trn_save_get_value(save, PICTURE_NAME, &value, sizeof value, &size) != TRN_RESULT_OK ||
        size != sizeof value || memcmp(value.mark, PICTURE_MARK, MARK_BYTES) != 0) {
        return false;
    }
    *picture = value.picture;
    return true;
}
