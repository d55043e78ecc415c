// Two processes hold one world: a server digs and builds, and sends what changed as deltas over a
// pipe. A client applies them, and tells at the end whether its world is the server's.
//
//     ./build/dev/examples/two_processes

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <terrane/delta.h>
#include <terrane/terrain.h>
#include <unistd.h>

enum { STEPS = 20, CHUNKS_MAX = 64, DELTA_BYTES = 1 << 20 };

static const TrnBox box = {{-2, -1, -2}, {1, 1, 1}};
static unsigned char delta[DELTA_BYTES];

// ---- the server --------------------------------------------------------------------------------

/// What one player was sent last.
typedef struct Player {
    int connection;
    TrnChunkReader *reader; ///< its section keeps the base
    TrnDeltaBase base[CHUNKS_MAX];
    size_t count;
} Player;

/// Sends what changed since the last call; the first call sends whole chunks.
static bool send_changes(Player *player, const TrnStore *store)
{
    const size_t size =
        trn_delta_write(store, box, player->base, player->count, delta, sizeof delta);
    trn_chunk_index_read_end(player->reader); // memory that was replaced can be reclaimed
    trn_chunk_index_read_begin(player->reader);
    player->count = trn_delta_base(store, box, player->base, CHUNKS_MAX);
    return size > 0 && size <= sizeof delta &&
           write(player->connection, &size, sizeof size) == (ssize_t)sizeof size &&
           write(player->connection, delta, size) == (ssize_t)size;
}

static bool generate_world(TrnStore *store)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnTerrain *terrain;
    if (trn_terrain_create(NULL, &terrain) != TRN_RESULT_OK) {
        return false;
    }
    bool is_ok = true;
    for (int32_t i = 0; i < 4 * 3 * 4 && is_ok; i++) {
        const TrnCoord coord = {i % 4 - 2, i / 4 % 3 - 1, i / 12 - 2};
        bool uniform;
        is_ok = trn_terrain_generate(terrain, coord, blocks, &uniform) == TRN_RESULT_OK &&
                (uniform ? trn_store_insert_uniform(store, coord, blocks[0], NULL)
                         : trn_store_insert_voxels(store, coord, blocks, NULL)) == TRN_RESULT_OK;
    }
    trn_terrain_destroy(terrain);
    return is_ok;
}

static bool serve(TrnStore *store, int connection)
{
    Player player = {.connection = connection};
    if (trn_chunk_index_reader_create(trn_store_index(store), "player", &player.reader) !=
        TRN_RESULT_OK) {
        return false;
    }
    trn_chunk_index_read_begin(player.reader);
    bool is_ok = generate_world(store) && send_changes(&player, store);
    for (int64_t step = 0; step < STEPS && is_ok; step++) {
        const TrnVoxel hole = {step * 3 - 30, 10, step * 5 - 50}, lamp = {step, 30, step};
        is_ok =
            trn_store_set_block(store, hole, TRN_BLOCK_AIR, NULL) == TRN_RESULT_OK &&
            trn_store_set_block(store, lamp, TRN_BLOCK_LANTERN, NULL) == TRN_RESULT_OK &&
            trn_store_set_data(store, lamp, "lit", 4, TRN_DATA_WITH_BLOCK, NULL) == TRN_RESULT_OK &&
            send_changes(&player, store);
    }
    trn_chunk_index_read_end(player.reader);
    trn_chunk_index_reader_destroy(player.reader);
    return is_ok;
}

// ---- the client --------------------------------------------------------------------------------

static bool receive(int connection, void *bytes, size_t size)
{
    unsigned char *at = bytes;
    for (ssize_t got; size; at += got, size -= (size_t)got) {
        got = read(connection, at, size);
        if (got <= 0) {
            return false;
        }
    }
    return true;
}

/// Applies one delta. @return false at the end of the connection, or where something is wrong
static bool receive_changes(int connection, TrnStore *store)
{
    size_t size;
    return receive(connection, &size, sizeof size) && size <= sizeof delta &&
           receive(connection, delta, size) &&
           trn_delta_apply(store, delta, size, NULL) == TRN_RESULT_OK;
}

// ---- both --------------------------------------------------------------------------------------

static uint64_t hash_world(const TrnStore *store)
{
    TrnDeltaBase chunks[CHUNKS_MAX];
    const size_t count = trn_delta_base(store, box, chunks, CHUNKS_MAX);
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++) {
        hash = hash * 31 + trn_snapshot_hash(chunks[i].snapshot) +
               trn_snapshot_count_data(chunks[i].snapshot);
    }
    return hash;
}

static int run_client(int connection, int answer)
{
    TrnStore *store;
    uint32_t count = 0;
    if (trn_store_create(NULL, &store) != TRN_RESULT_OK) {
        return 1;
    }
    while (receive_changes(connection, store)) {
        count++;
    }
    const uint64_t hash = hash_world(store);
    const bool is_ok = write(answer, &hash, sizeof hash) == (ssize_t)sizeof hash;
    trn_store_destroy(store);
    return is_ok && count == STEPS + 1 ? 0 : 1;
}

int main(void)
{
    int down[2], up[2], status = 1;
    TrnStore *store;
    uint64_t theirs = 0;
    if (pipe(down) || pipe(up)) {
        return 1;
    }
    const pid_t client = fork();
    if (client == 0) {
        close(down[1]);
        exit(run_client(down[0], up[1]));
    }
    close(down[0]);
    if (trn_store_create(NULL, &store) != TRN_RESULT_OK) {
        return 1;
    }
    const bool is_sent = client > 0 && serve(store, down[1]);
    close(down[1]);
    const bool is_same =
        is_sent && receive(up[0], &theirs, sizeof theirs) && theirs == hash_world(store);
    const bool is_ended = client > 0 && waitpid(client, &status, 0) == client && status == 0;
    trn_store_destroy(store);
    printf("%s\n", is_same && is_ended ? "Both processes hold the same world." : "wrong");
    return is_same && is_ended ? 0 : 1;
}
