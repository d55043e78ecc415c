/// Shared by tests that run the viewer's world without a renderer: a sink that draws nothing, and
/// loading until all is shown.
#pragma once

#include "testing.h"

#include <render/chunk_view.h>
#include <world/world.h>

static const double AT_REST[3] = {0, 0, 0};

static inline bool unseen_show(void *user, TrnChunk *chunk, uint32_t level, const ChunkMesh *mesh)
{
    (void)user, (void)chunk, (void)level, (void)mesh;
    return true;
}

static inline void unseen_hide(void *user, TrnChunk *chunk)
{
    (void)user;
    memset(chunk_view(chunk), 0, sizeof(ChunkView));
}

static inline void unseen_note(void *user, TrnCoord coord, TrnChunk *chunk)
{
    (void)user, (void)coord, (void)chunk;
}

static inline void unseen_place(void *user, uint32_t level, TrnChunk *chunk, bool is_drawn)
{
    (void)user, (void)level;
    chunk_view(chunk)->is_hidden = !is_drawn;
}

static inline WorldSink unseen_sink(void)
{
    return (WorldSink){NULL, unseen_show, unseen_hide, unseen_note, unseen_place};
}

/// Updates a world until everything that a camera at rest should see is loaded and meshed.
static inline void world_load_all(World *world, const Camera *camera)
{
    for (int updates = 0; updates < 20000; updates++) {
        world_update(world, camera, AT_REST, (TrnStreamBudget){.units = 200}, NULL);
        if (world_is_idle(world)) {
            return;
        }
    }
    fail_msg("never done: %s", trn_result_text(world_problem(world)));
}
