// Land to the horizon: level 0 as in stream_world.c, and coarser levels beyond it. To draw them,
// build a mesh in make_mesh(), upload it as stream_world.c does, and draw those that draw() names:
// a vertex of a chunk lies at (coord * 32 + local) << level.
#include <stdio.h>

#include <terrane/far.h>
#include <terrane/terrain.h>

static TrnResult make_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                           TrnStreamMesh *mesh)
{
    (void)user, (void)job, (void)input, (void)mesh; // job->level tells the level
    return TRN_RESULT_OK;
}

static void draw(void *user, uint32_t level, TrnChunk *chunk, bool is_drawn)
{
    int *drawn = user; // by level
    (void)chunk;
    drawn[level] += is_drawn ? 1 : -1;
}

int main(void)
{
    TrnTerrain *terrain = NULL;
    TrnStore *store = NULL;
    TrnStream *stream = NULL;
    TrnFar *far_view = NULL;
    int drawn[TRN_FAR_LEVEL_MAX + 1] = {0};
    TrnStreamDef near_def = trn_stream_def();
    TrnFarDef far_def = trn_far_def();
    TrnResult result = trn_terrain_create(NULL, &terrain);
    result = result == TRN_RESULT_OK ? trn_store_create(NULL, &store) : result;
    near_def.store = store;
    near_def.hooks.mesh = make_mesh;
    if (result == TRN_RESULT_OK) {
        near_def.generator = trn_terrain_generator(terrain);
        result = trn_stream_create(&near_def, &stream);
    }
    TrnStreamAnchor player = trn_stream_anchor();
    TrnStreamAnchorId id;
    player.radius_chunks = 6;
    result = result == TRN_RESULT_OK ? trn_stream_anchor_add(stream, &player, &id) : result;
    far_def.stream = stream;
    far_def.generator = near_def.generator;
    far_def.hooks = near_def.hooks;
    far_def.view = trn_far_view_to(48, player.radius_chunks);
    far_def.draw = draw;
    far_def.draw_user = drawn;
    result = result == TRN_RESULT_OK ? trn_far_create(&far_def, &far_view) : result;
    TrnStreamReport near_report = {0}, far_report = {0};
    while (result == TRN_RESULT_OK && !(near_report.is_idle && far_report.is_idle)) {
        trn_stream_update(stream, NULL, &near_report); // a game does this once a frame
        result = trn_far_update(far_view, NULL, &far_report);
        trn_stream_wait(stream); // and draws instead
    }
    for (uint32_t level = 0; result == TRN_RESULT_OK && level <= far_def.view.levels; level++) {
        printf("Level %u: %s\n", level, drawn[level] > 0 ? "chunks are drawn" : "nothing");
    }
    trn_far_destroy(far_view); // before the stream
    trn_stream_destroy(stream);
    trn_store_destroy(store);
    trn_terrain_destroy(terrain);
    return result == TRN_RESULT_OK ? 0 : (printf("%s\n", trn_result_text(result)), 1);
}
