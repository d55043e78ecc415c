/// Cells for tests of a stream's parts.
#pragma once

#include "stream/stream_cells.h"

/// Returns the cell of a coordinate, which it creates if there is none. NULL without memory.
static inline TrnStreamCell *stream_cell(TrnStreamCells *cells, TrnCoord coord)
{
    TrnStreamCell *cell;
    uint32_t added;
    return trn_stream_cells_find_or_add(cells, &coord, 1, &cell, &added) ? cell : NULL;
}
