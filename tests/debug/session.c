// What gdb looks at in test_gdb.sh: a store with a removed chunk, a position, and a stream.

#include <stdio.h>

#include <terrane/store.h>
#include <terrane/stream.h>

/// gdb stops here.
__attribute__((noinline)) static void look(const TrnStore *store, const TrnStream *stream)
{
    __asm__ volatile("" ::"r"(store), "r"(stream) : "memory");
}

static TrnResult generate_air(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    (void)user, (void)job;
    blocks[0] = TRN_BLOCK_AIR;
    *uniform = true;
    return TRN_RESULT_OK;
}

int main(void)
{
    TrnStore *store;
    TrnStream *stream;
    TrnStreamDef def = trn_stream_def();
    if (trn_store_create(NULL, &store) != TRN_RESULT_OK) {
        return 1;
    }
    def.store = store;
    def.hooks.generate = generate_air;
    def.workers = 0;
    const TrnCoord places[] = {{0, 0, 0}, {-1, 2, 3}, {4, 0, -7}};
    for (int i = 0; i < 3; i++) {
        (void)trn_store_insert_uniform(store, places[i], TRN_BLOCK_STONE, NULL);
    }
    (void)trn_store_set_block(store, (TrnVoxel){-3, 70, 100}, TRN_BLOCK_GRASS, NULL);
    for (uint32_t i = 0; i < 10; i++) { // more than four types: wider voxels
        (void)trn_store_set_block(store, (TrnVoxel){20 + i, 5, 17}, (TrnBlock)(i + 2), NULL);
    }
    (void)trn_store_remove(store, places[2]);
    const TrnPosition position = {{1, -1, 0}, {2, 3, 4.5}};
    const TrnChunk *chunk = trn_store_find(store, places[1]);
    if (trn_stream_create(&def, &stream) != TRN_RESULT_OK) {
        return 1;
    }
    look(store, stream);
    printf("%d %g\n", chunk->coord.x, position.offset[2]);
    trn_stream_destroy(stream);
    trn_store_destroy(store);
    return 0;
}
