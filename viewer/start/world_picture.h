/// The small picture of a world that the start screen shows. The world file keeps it as a value, so
/// that it moves with the world; one that is missing or damaged is no picture.
///
/// Threads: any, as the save's values.
#ifndef TERRANE_VIEWER_WORLD_PICTURE_H
#define TERRANE_VIEWER_WORLD_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include <terrane/save.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WORLD_PICTURE_WIDTH 96  ///< pixels
#define WORLD_PICTURE_HEIGHT 60 ///< pixels

typedef struct WorldPicture {
    uint8_t rgb[WORLD_PICTURE_HEIGHT][WORLD_PICTURE_WIDTH][3]; ///< rows from the top, sRGB
} WorldPicture;

/// Shrinks the middle of a picture, as much of it as has the right shape.
/// @param rgb           [height * width * 3] rows from the top, sRGB
/// @param width,height  1 and more
WorldPicture world_picture_shrink(const unsigned char *rgb, int width, int height);

/// Stores the picture with the next transaction: 17 KiB. Errors: those of trn_save_set_value.
TrnResult world_picture_write(TrnSave *save, const WorldPicture *picture);

/// @return false if the world has none, or one that is damaged
bool world_picture_read(TrnSave *save, WorldPicture *picture);

#ifdef __cplusplus
}
#endif

#endif
