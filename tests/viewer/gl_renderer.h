/// Creates a renderer of a test's picture size, and the store whose chunks it draws.
#pragma once

#include "gl_picture.h"

#include <render/chunk_view.h>
#include <render/renderer.h>

/// @param store  receives the store; destroy it after the renderer
static inline Renderer *make_renderer(int view_distance, int view_height, TrnStore **store)
{
    TrnStoreDef store_def = trn_store_def();
    store_def.user_bytes = sizeof(ChunkView);
    assert_int_equal(trn_store_create(&store_def, store), TRN_RESULT_OK);
    Look look = look_default(LOOK_QUALITY_LOW);
    look.samples = 1;
    const RendererDef def = {.width = WIDTH,
                             .height = HEIGHT,
                             .view = {.distance = view_distance, .height = view_height},
                             .types = trn_store_block_types(*store),
                             .look = look};
    Renderer *renderer = NULL;
    Message problem;
    if (!renderer_create(&renderer, &def, &problem)) {
        fail_msg("%s", problem.text);
    }
    return renderer;
}
