// Anchors whose velocity the game does not give: the stream derives it from where they were.

#include "stream_game.h"

enum { UPDATES = 600, SPEED_CHUNKS = 30, UPDATES_A_SECOND = 60 };

/// How a game tells where its player is.
typedef struct Flight {
    bool has_velocity;
    uint32_t every;    ///< updates from one position to the next, as of a server's ticks
    bool is_timed;     ///< the stream has a clock; otherwise it replays exactly
    uint32_t a_second; ///< updates, by the clock
} Flight;

static void flight_move(TrnStreamAnchor *player, double chunks)
{
    const double motion[3] = {chunks * TRN_CHUNK_EDGE, 0, chunks * TRN_CHUNK_EDGE / 4};
    player->position = trn_position_add(player->position, motion);
}

/// Flies faster than the stream can load all of the view. @return updates in which the player's own
/// chunk is loaded, of UPDATES
static uint32_t fly(const Flight *flight)
{
    Game *game = malloc(sizeof *game);
    assert_non_null(game);
    TrnStreamDef def = game_def(game);
    def.budget.units = flight->is_timed ? 0 : 8;
    def.budget.ms = flight->is_timed ? 0.05 : 0;
    def.budget.share = 0;
    def.clock_us = game_clock;
    def.clock_user = game;
    game_create(game, &def);
    game->cost_us = 5;
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 8, 3);
    const double chunks = (double)SPEED_CHUNKS / flight->a_second;
    if (flight->has_velocity) {
        player.velocity[0] = SPEED_CHUNKS * TRN_CHUNK_EDGE;
        player.velocity[2] = SPEED_CHUNKS * TRN_CHUNK_EDGE / 4.0;
    }
    const TrnStreamAnchorId id = game_add(game, player);
    uint32_t loaded = 0;
    for (uint32_t update = 1; update <= UPDATES; update++) {
        game->now_us += 1e6 / flight->a_second;
        if (update % flight->every == 0) {
            flight_move(&player, chunks * flight->every);
            assert_int_equal(trn_stream_anchor_set(game->stream, id, &player), TRN_RESULT_OK);
        }
        game_update(game);
        loaded += trn_store_find(game->store, player.position.chunk) != NULL;
    }
    game_end(game);
    free(game);
    return loaded;
}

static void a_player_without_velocity_has_his_own_chunk(void **state)
{
    (void)state;
    for (uint32_t timed = 0; timed < 2; timed++) {
        for (uint32_t every = 1; every <= 3; every += 2) {
            Flight flight = {.every = every, .is_timed = timed, .a_second = UPDATES_A_SECOND};
            const uint32_t derived = fly(&flight);
            flight.has_velocity = true;
            const uint32_t given = fly(&flight);
            print_message("  every %u, %s: own chunk in %u of %u updates, %u with velocity\n",
                          every, timed ? "timed" : "exact", derived, UPDATES, given);
            assert_true(given > UPDATES * 8 / 10);
            assert_true(derived >= given - UPDATES / 20);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_player_without_velocity_has_his_own_chunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
