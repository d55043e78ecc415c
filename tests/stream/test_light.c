// Light of the stream: what the mesh hook receives.

#include "stream_game.h"

/// A game with light, and what its mesh hook has seen.
typedef struct Lit {
    Game game;
    _Atomic(uint32_t) lit, unlit; ///< calls with and without light
    _Atomic(uint32_t) wrong;      ///< voxels with another level than expected
} Lit;

/// The sky light of the game's world, where open: all but the floor and what lies on it.
static bool lit_is_right(const TrnStreamJob *job, const TrnStreamMeshInput *input)
{
    const uint32_t top = trn_light_level(input->sky, 8, 31, 8);
    const uint32_t bottom = trn_light_level(input->sky, 8, 0, 8);
    if (job->coord.y == 0) {
        return top == 15 && bottom == 0 && input->blocks->constant == 0;
    }
    return input->sky->constant == (job->coord.y > 0 ? 15 : 0) ||
           input->sky->constant == TRN_LIGHT_VARIES;
}

static TrnResult lit_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                          TrnStreamMesh *mesh)
{
    Lit *lit = user;
    const bool has_light = input->sky && input->blocks;
    atomic_fetch_add(has_light ? &lit->lit : &lit->unlit, 1);
    atomic_fetch_add(&lit->wrong, has_light && !lit_is_right(job, input));
    return game_mesh(&lit->game, job, input, mesh);
}

static void lit_fly(Lit *lit, uint32_t workers, bool has_light)
{
    TrnStreamDef def = game_def(&lit->game);
    def.workers = workers;
    def.light = has_light;
    def.hooks.mesh = lit_mesh; // the game comes first
    game_create(&lit->game, &def);
    game_add(&lit->game, game_anchor((TrnCoord){0, 0, 0}, 2, 2));
    game_settle(&lit->game);
    game_end(&lit->game);
}

static void the_mesh_hook_receives_light_if_the_def_asks(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 3; workers++) {
        Lit lit = {.lit = 0};
        lit_fly(&lit, workers, true);
        assert_true(lit.lit > 0);
        assert_int_equal(lit.unlit, 0);
        assert_int_equal(lit.wrong, 0);
    }
    Lit lit = {.lit = 0};
    lit_fly(&lit, 1, false);
    assert_int_equal(lit.lit, 0);
    assert_true(lit.unlit > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mesh_hook_receives_light_if_the_def_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
