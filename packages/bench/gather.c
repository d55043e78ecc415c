// Gathers the chunks of a box of radius 16 again and again, for the bindings to compare with:
// tools/bindings_bench.sh. Prints the median nanoseconds of a gather of chunks with their
// coordinates summed, and of a gather of coordinates alone.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <terrane/store.h>

#define RADIUS 16
#define EDGE (2 * RADIUS + 1)
#define CHUNKS (EDGE * EDGE * EDGE)
#define ROUNDS 201

static int64_t now_ns(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static TrnChunk *chunks[CHUNKS];
static TrnCoord coords[CHUNKS];

static size_t gather_chunks(const TrnStore *store, TrnBox box, int64_t *sum)
{
    const size_t count = trn_store_gather(store, box, chunks, CHUNKS);
    for (size_t i = 0; i < count; i++) {
        *sum += chunks[i]->coord.x;
    }
    return count;
}

static size_t gather_coords(const TrnStore *store, TrnBox box, int64_t *sum)
{
    const TrnChunkGather gather = {.box = box, .coords = coords, .capacity = CHUNKS};
    const size_t count = trn_chunk_index_gather(trn_store_index(store), &gather);
    *sum += coords[count - 1].x;
    return count;
}

static int64_t median(const TrnStore *store, size_t (*gather)(const TrnStore *, TrnBox, int64_t *))
{
    const TrnBox box = {{-RADIUS, -RADIUS, -RADIUS}, {RADIUS, RADIUS, RADIUS}};
    static int64_t times[ROUNDS];
    int64_t sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t began = now_ns();
        if (gather(store, box, &sum) != CHUNKS) {
            exit(1);
        }
        times[i] = now_ns() - began;
    }
    qsort(times, ROUNDS, sizeof *times, compare);
    return sum == 1 ? 0 : times[ROUNDS / 2]; // the sum is used
}

int main(void)
{
    TrnStore *store;
    if (trn_store_create(NULL, &store) != TRN_RESULT_OK) {
        return 1;
    }
    for (int32_t i = 0; i < CHUNKS; i++) {
        const TrnCoord at = {i % EDGE - RADIUS, i / EDGE % EDGE - RADIUS, i / EDGE / EDGE - RADIUS};
        if (trn_store_insert_uniform(store, at, 1, NULL) != TRN_RESULT_OK) {
            return 1;
        }
    }
    const int64_t with_chunks = median(store, gather_chunks);
    printf("chunks %lld\ncoords %lld\n", (long long)with_chunks,
           (long long)median(store, gather_coords));
    trn_store_destroy(store);
    return 0;
}
