// Replaces a C game's hash table of chunks. First the table, here uthash, then Terrane's index in
// its place; the game keeps its chunks. Both walk the same way and must find the same.

#include <stdio.h>
#include <stdlib.h>

#include <terrane/chunk_index.h>
#include <uthash.h>

enum { RADIUS = 6, WALK = 200, SEEN_MAX = 4096 };

/// The game's own chunk.
typedef struct Chunk {
    TrnCoord coord;
    uint32_t slot;     // its place in the array of chunks: Terrane's index needs it
    UT_hash_handle hh; // the table needs this
} Chunk;

static Chunk *chunk_create(TrnCoord coord)
{
    Chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk) {
        exit(1);
    }
    chunk->coord = coord;
    return chunk;
}

/// The view of a player who walks into negative coordinates.
static TrnBox view_at(int32_t step)
{
    return trn_box_around((TrnCoord){-step / 4, 0, step / 8}, RADIUS, 1, RADIUS);
}

/// The i-th coordinate of a box: x fastest.
static TrnCoord box_coord(TrnBox box, uint32_t i)
{
    const uint32_t nx = (uint32_t)(box.max.x - box.min.x + 1);
    const uint32_t nz = (uint32_t)(box.max.z - box.min.z + 1);
    return trn_coord_add(box.min, (int32_t)(i % nx), (int32_t)(i / nx / nz),
                         (int32_t)(i / nx % nz));
}

static uint32_t box_count(TrnBox box)
{
    return (uint32_t)(box.max.x - box.min.x + 1) * (uint32_t)(box.max.y - box.min.y + 1) *
           (uint32_t)(box.max.z - box.min.z + 1);
}

/// A number that does not depend on the chunks' order.
static uint64_t chunks_sum(Chunk *const *chunks, size_t count)
{
    uint64_t sum = count;
    for (size_t i = 0; i < count; i++) {
        const TrnCoord at = chunks[i]->coord;
        sum += (uint64_t)at.x * 31 + (uint64_t)at.y * 17 + (uint64_t)at.z;
    }
    return sum;
}

// ---- before: the table -------------------------------------------------------------------------

static Chunk *table_find(Chunk *table, TrnCoord coord)
{
    Chunk *chunk = NULL;
    HASH_FIND(hh, table, &coord, sizeof coord, chunk);
    return chunk;
}

/// Unloads what is outside the view. The next chunk is read before this one is freed.
static void table_unload(Chunk **table, TrnBox view)
{
    for (Chunk *chunk = *table, *next = NULL; chunk; chunk = next) {
        next = chunk->hh.next;
        if (!trn_box_contains(view, chunk->coord)) {
            HASH_DELETE(hh, *table, chunk);
            free(chunk);
        }
    }
}

/// Looks up every coordinate of a box.
static size_t table_gather(Chunk *table, TrnBox box, Chunk **out)
{
    size_t count = 0;
    for (uint32_t i = 0; i < box_count(box); i++) {
        Chunk *chunk = table_find(table, box_coord(box, i));
        if (chunk) {
            out[count++] = chunk;
        }
    }
    return count;
}

static uint64_t table_walk(Chunk **seen)
{
    Chunk *table = NULL;
    uint64_t sum = 0;
    for (int32_t step = 0; step < WALK; step++) {
        const TrnBox view = view_at(step);
        table_unload(&table, view);
        for (uint32_t i = 0; i < box_count(view); i++) {
            if (!table_find(table, box_coord(view, i))) {
                Chunk *chunk = chunk_create(box_coord(view, i));
                HASH_ADD(hh, table, coord, sizeof chunk->coord, chunk);
            }
        }
        sum = sum * 3 + chunks_sum(seen, table_gather(table, view, seen));
    }
    table_unload(&table, (TrnBox){{1, 0, 0}, {0, 0, 0}}); // an empty box: all of them
    return sum;
}

// ---- after: the index --------------------------------------------------------------------------

/// The index maps a coordinate to a slot of this array. Free slots are a stack behind the taken
/// ones.
typedef struct World {
    TrnChunkIndex *index;
    Chunk *chunks[SEEN_MAX];
    uint32_t free_slots[SEEN_MAX];
    uint32_t free_count;
} World;

static Chunk *world_find(const World *world, TrnCoord coord)
{
    uint32_t slot = 0;
    return trn_chunk_index_find(world->index, coord, &slot) ? world->chunks[slot] : NULL;
}

static TrnResult world_insert(World *world, Chunk *chunk)
{
    if (world->free_count == 0) {
        return TRN_RESULT_FULL;
    }
    chunk->slot = world->free_slots[world->free_count - 1];
    const TrnResult result = trn_chunk_index_insert(world->index, chunk->coord, chunk->slot);
    if (result == TRN_RESULT_OK) {
        world->free_count--;
        world->chunks[chunk->slot] = chunk;
    }
    return result;
}

/// Unloads what is outside the view. The gather is a copy, so chunks may be removed while it is
/// walked.
static void world_unload(World *world, TrnBox view, uint32_t *slots)
{
    const size_t count =
        trn_chunk_index_gather_box(world->index, trn_box_everything(), slots, SEEN_MAX);
    for (size_t i = 0; i < count; i++) {
        Chunk *chunk = world->chunks[slots[i]];
        if (!trn_box_contains(view, chunk->coord) &&
            trn_chunk_index_remove(world->index, chunk->coord, NULL) == TRN_RESULT_OK) {
            world->free_slots[world->free_count++] = chunk->slot;
            free(chunk);
        }
    }
}

/// Collects the chunks of a box in one call instead of thousands of look-ups.
static size_t world_gather(const World *world, TrnBox box, uint32_t *slots, Chunk **out)
{
    const size_t count = trn_chunk_index_gather_box(world->index, box, slots, SEEN_MAX);
    for (size_t i = 0; i < count; i++) {
        out[i] = world->chunks[slots[i]];
    }
    return count;
}

static uint64_t world_walk(Chunk **seen)
{
    static World world;
    static uint32_t slots[SEEN_MAX];
    if (trn_chunk_index_create(NULL, &world.index) != TRN_RESULT_OK ||
        trn_chunk_index_reserve(world.index, view_at(0)) != TRN_RESULT_OK) { // does not grow then
        return 0;
    }
    while (world.free_count < SEEN_MAX) {
        world.free_slots[world.free_count] = world.free_count;
        world.free_count++;
    }
    uint64_t sum = 0;
    for (int32_t step = 0; step < WALK; step++) {
        const TrnBox view = view_at(step);
        world_unload(&world, view, slots);
        for (uint32_t i = 0; i < box_count(view); i++) {
            if (!world_find(&world, box_coord(view, i)) &&
                world_insert(&world, chunk_create(box_coord(view, i))) != TRN_RESULT_OK) {
                exit(1);
            }
        }
        sum = sum * 3 + chunks_sum(seen, world_gather(&world, view, slots, seen));
    }
    world_unload(&world, (TrnBox){{1, 0, 0}, {0, 0, 0}}, slots);
    trn_chunk_index_destroy(world.index);
    return sum;
}

int main(void)
{
    static Chunk *seen[SEEN_MAX];
    const uint64_t before = table_walk(seen), after = world_walk(seen);
    printf("%s\n", before == after ? "Both found the same." : "The index found other chunks.");
    return before == after ? 0 : 1;
}
