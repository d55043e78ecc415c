/// What receives a picture while it is drawn.
#ifndef TERRANE_TOOL_MAP_SINK_H
#define TERRANE_TOOL_MAP_SINK_H

#include "message.h"

typedef struct MapSink {
    /// Receives the next row, from the top. @param rgb  [width * 3] sRGB
    bool (*row)(void *user, const unsigned char *rgb, Message *problem);
    /// Called after each chunk or column of chunks. @return false with a message to stop
    bool (*step)(void *user, Message *problem);
    void *user; ///< passed to both
} MapSink;

#endif
