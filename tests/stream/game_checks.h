/// Checks of a game (stream_game.h) that several tests of streams share: what is shown and
/// meshed.
#pragma once

#include "stream_game.h"

/// Whether an anchor's ball holds a chunk, by the formula of terrane/stream.h.
static inline bool model_shows(const TrnStreamAnchor *anchor, TrnCoord coord)
{
    const int64_t x = (int64_t)coord.x - anchor->position.chunk.x;
    const int64_t y = (int64_t)coord.y - anchor->position.chunk.y;
    const int64_t z = (int64_t)coord.z - anchor->position.chunk.z;
    const int64_t r = anchor->radius_chunks, h = anchor->height_chunks;
    if (r == 0 || h == 0) {
        return (r != 0 || (x == 0 && z == 0)) && (h != 0 || y == 0) && x * x + z * z <= r * r &&
               y * y <= h * h;
    }
    return (x * x + z * z) * h * h + y * y * r * r <= r * r * h * h;
}

/// Checks that all shown meshes in a box match their chunks.
static inline void check_meshes(const Game *game, TrnBox box)
{
    const TrnChunkIndex *index = trn_stream_index(game->stream);
    const TrnPlane show = trn_chunk_index_plane(index, "show");
    TrnChunk *chunks[512];
    const size_t count = trn_store_gather(game->store, box, chunks, 512);
    uint32_t shown = 0;
    assert_true(count <= 512);
    for (size_t i = 0; i < count; i++) {
        // A chunk kept only by hysteresis may never have had a mesh.
        const bool has_mesh = *(GameMesh **)trn_chunk_user(chunks[i]) != NULL;
        if (has_mesh && trn_chunk_index_plane_test(index, show, chunks[i]->coord)) {
            assert_true(game_mesh_is_right(game, chunks[i]));
            shown++;
        }
    }
    assert_true(shown > 0);
}

/// Checks that everything an anchor wants is shown with a current mesh.
static inline void check_view(const Game *game, const TrnStreamAnchor *anchor)
{
    TrnChunk *chunks[2048];
    const int32_t radius = (int32_t)anchor->radius_chunks, height = (int32_t)anchor->height_chunks;
    const size_t count = trn_store_gather(
        game->store, trn_box_around(anchor->position.chunk, radius, height, radius), chunks, 2048);
    assert_true(count <= 2048);
    for (size_t i = 0; i < count; i++) {
        if (model_shows(anchor, chunks[i]->coord)) {
            assert_true(game_mesh_is_right(game, chunks[i]));
            assert_true(trn_stream_explain(game->stream, chunks[i]->coord).is_shown);
        }
    }
}
