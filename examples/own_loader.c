// A game with a loader of its own, without a stream: one thread reads saved chunks or generates
// them, and the game's thread inserts them. The first run marks the ground; the next finds the
// mark. Usage: own_loader FILE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <terrane/save.h>
#include <terrane/store.h>
#include <terrane/terrain.h>

enum { RADIUS = 2, ORDERS = 128 };

/// A chunk that the loader works on. It belongs to the game again once it is done.
typedef struct Order {
    TrnCoord coord;
    TrnResult result;
    bool uniform;
    _Atomic(bool) is_done;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} Order;

typedef struct Game {
    TrnStore *store;
    TrnTerrain *terrain;
    TrnSave *save;
    Order *orders; // [ORDERS]
    uint32_t count;
} Game;

/// The loader's thread: what is saved comes first, the rest is generated.
static void *load(void *user)
{
    Game *game = user;
    for (uint32_t i = 0; i < game->count; i++) {
        Order *order = &game->orders[i];
        order->result = trn_save_get(game->save, order->coord, 0, order->blocks, &order->uniform);
        if (order->result == TRN_RESULT_NOT_FOUND) {
            order->result =
                trn_terrain_generate(game->terrain, order->coord, order->blocks, &order->uniform);
        }
        atomic_store(&order->is_done, true);
    }
    return NULL;
}

/// Orders the chunks around a player that are not loaded.
static void order_around(Game *game, TrnCoord centre)
{
    const TrnBox box = trn_box_around(centre, RADIUS, RADIUS, RADIUS);
    game->count = 0;
    for (int32_t i = 0; i < 125; i++) {
        const TrnCoord at = {box.min.x + i % 5, box.min.y + i / 25, box.min.z + i / 5 % 5};
        if (!trn_store_find(game->store, at)) {
            game->orders[game->count++].coord = at;
        }
    }
    for (uint32_t i = 0; i < game->count; i++) {
        atomic_store(&game->orders[i].is_done, false);
    }
}

/// Inserts what the loader has done, once a frame. @return how many chunks are still to come
static uint32_t insert_done(Game *game, uint32_t *next, TrnResult *result)
{
    for (; *next < game->count && atomic_load(&game->orders[*next].is_done); ++*next) {
        const Order *order = &game->orders[*next];
        *result = order->result ? order->result
                  : order->uniform
                      ? trn_store_insert_uniform(game->store, order->coord, order->blocks[0], NULL)
                      : trn_store_insert_voxels(game->store, order->coord, order->blocks, NULL);
    }
    return game->count - *next;
}

/// Loads around a player who walks; a player who stands still needs nothing new.
static TrnResult play(Game *game, TrnPosition player, int frames)
{
    TrnPosition before = trn_position_add(player, (const double[3]){-1, 0, 0});
    TrnResult result = TRN_RESULT_OK;
    for (int frame = 0; frame < frames && result == TRN_RESULT_OK; frame++) {
        if (!trn_position_equal(player, before)) {
            pthread_t loader;
            uint32_t next = 0;
            order_around(game, player.chunk);
            if (pthread_create(&loader, NULL, load, game) != 0) { // a game keeps its thread
                return TRN_RESULT_NO_MEMORY;
            }
            while (insert_done(game, &next, &result) > 0) {
                // a game would draw frames meanwhile
            }
            pthread_join(loader, NULL);
        }
        before = player;
        player = trn_position_add(player, (const double[3]){frame < 2 ? 40 : 0, 0, 0});
    }
    return result;
}

/// Marks a voxel, or finds the mark, and saves its chunk.
static TrnResult mark(Game *game, TrnVoxel voxel)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnSnapshot voxels;
    TrnBlock block;
    TrnResult result = trn_store_get_block(game->store, voxel, &block);
    if (result != TRN_RESULT_OK || block == TRN_BLOCK_GLASS) {
        printf("%s\n", result == TRN_RESULT_OK ? "The mark is there." : "Nothing is loaded there.");
        return result;
    }
    result = trn_store_set_block(game->store, voxel, TRN_BLOCK_GLASS, NULL);
    if (result == TRN_RESULT_OK) {
        result = trn_store_snapshot(game->store, trn_voxel_chunk(voxel), &voxels);
    }
    if (result == TRN_RESULT_OK) {
        trn_snapshot_decode(voxels, blocks);
        result = trn_save_put(game->save, trn_voxel_chunk(voxel), 0, blocks, false);
    }
    printf("%s\n", result == TRN_RESULT_OK ? "Marked." : trn_result_text(result));
    return result;
}

int main(int argc, char **argv)
{
    Game game = {.orders = calloc(ORDERS, sizeof(Order))};
    TrnStorageProblem problem = {""};
    TrnSaveDef save = trn_save_def();
    TrnVoxel ground = {8, 0, 8};
    TrnResult result = game.orders ? trn_store_create(NULL, &game.store) : TRN_RESULT_NO_MEMORY;
    result = result ? result : trn_terrain_create(NULL, &game.terrain);
    result = result ? result : trn_terrain_height(game.terrain, ground.x, ground.z, &ground.y);
    result = result ? result
                    : trn_storage_sqlite(argc > 1 ? argv[1] : "own_loader.world",
                                         TRN_STORAGE_EITHER, &save.storage, &problem);
    if (result == TRN_RESULT_OK) {
        save.types = trn_store_block_types(game.store);
        result = trn_save_create(&save, &game.save, &problem);
    }
    result = result ? result : play(&game, trn_voxel_position(ground), 5);
    result = result ? result : mark(&game, ground);
    const TrnResult written = trn_save_destroy(game.save);
    result = result ? result : written;
    if (result != TRN_RESULT_OK) {
        fprintf(stderr, "own_loader: %s\n",
                *problem.sentence ? problem.sentence : trn_result_text(result));
    }
    trn_store_destroy(game.store);
    trn_terrain_destroy(game.terrain);
    free(game.orders);
    return result == TRN_RESULT_OK ? 0 : 1;
}
