// Inserts chunks into a store, sets a block, and gathers the chunks around the player.

#include <stdio.h>
#include <terrane/terrane.h>

int main(void)
{
    TrnStore *store;
    if (trn_store_create(NULL, &store) != TRN_RESULT_OK) {
        return 1;
    }
    for (int32_t x = -4; x < 4; x++) {
        trn_store_insert_uniform(store, (TrnCoord){x, 0, x / 2}, TRN_BLOCK_AIR, NULL);
    }
    trn_store_set_block(store, (TrnVoxel){-100, 5, -33}, TRN_BLOCK_GRASS, NULL);

    TrnChunk *around[64];
    TrnBox box = trn_box_around((TrnCoord){0, 0, 0}, 2, 2, 2);
    size_t count = trn_store_gather(store, box, around, 64);
    printf("%zu chunks are near the origin\n", count);
    trn_store_destroy(store);
}
