// A game that several processes play in one world, in a PostgreSQL database: each player walks to a
// chest, digs a hole on the way, and writes its name into the chest. A player leaves once it has
// met another, and has found that one's name in the chest and its hole in the ground.
//
//     createdb --encoding=UTF8 --template=template0 world
//     member_game postgresql:///world Ada & member_game postgresql:///world Bob
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): nanosleep
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <terrane/body.h>
#include <terrane/member.h>
#include <terrane/stream.h>

enum { FRAMES = 60, FRAMES_MAX = 60 * FRAMES, NAMES_BYTES = 256 };

static const TrnVoxel chest = {16, 0, 16};

typedef struct Game {
    const char *name;
    TrnBlockTypes *types;
    TrnSave *save;
    TrnStore *store;
    TrnMember *member;
    TrnStream *stream;
    TrnBody body;
    TrnMemberPlayer other; // who was met; no name: nobody yet
} Game;

/// The land: stone below height 0, air above. A land must be the same for all members.
static TrnResult generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                          bool *uniform)
{
    (void)user, (void)level;
    blocks[0] = (TrnBlock)(coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR);
    *uniform = true;
    return TRN_RESULT_OK;
}

/// Where a player begins: west or east of the chest.
static int64_t start_of(const char *name)
{
    return name[0] % 2 ? 4 : 28;
}

/// The hole that a player digs.
static TrnVoxel hole_of(const char *name)
{
    return (TrnVoxel){start_of(name) + (name[0] % 2 ? 4 : -4), -1, 14};
}

// ---- the world ---------------------------------------------------------------------------------

static TrnResult open_save(Game *game, const char *url, TrnStorageProblem *problem)
{
    TrnSaveDef def = trn_save_def();
    def.types = game->types;
    TrnResult result = trn_storage_postgres(url, TRN_STORAGE_EITHER, &def.storage, problem);
    result = result == TRN_RESULT_OK ? trn_save_create(&def, &game->save, problem) : result;
    return result == TRN_RESULT_OK ? trn_save_bind_land(game->save, "flat stone", problem) : result;
}

static TrnResult join(Game *game, TrnStorageProblem *problem)
{
    TrnMemberDef def = trn_member_def();
    def.save = game->save;
    def.store = game->store;
    def.land = trn_generator_def(generate, NULL);
    def.name = game->name;
    return trn_member_create(&def, &game->member, problem);
}

static TrnResult open_world(Game *game, const char *url, TrnStorageProblem *problem)
{
    TrnStoreDef store = trn_store_def();
    TrnStreamDef stream = trn_stream_def();
    TrnResult result = trn_block_types_create_builtin(NULL, &game->types);
    result = result == TRN_RESULT_OK ? open_save(game, url, problem) : result;
    store.types = game->types;
    result = result == TRN_RESULT_OK ? trn_store_create(&store, &game->store) : result;
    result = result == TRN_RESULT_OK ? join(game, problem) : result;
    if (result != TRN_RESULT_OK) {
        return result;
    }
    stream.store = game->store;
    stream.generator = trn_generator_def(generate, NULL);
    stream.source = trn_member_source(game->member); // loads chunks; owners of regions save them
    return trn_stream_create(&stream, &game->stream);
}

static void close_world(Game *game)
{
    trn_stream_destroy(game->stream);
    trn_member_destroy(game->member);
    trn_store_destroy(game->store);
    trn_save_destroy(game->save);
    trn_block_types_destroy(game->types);
}

// ---- play --------------------------------------------------------------------------------------

/// Opens the chest, and adds the player's name unless it is there. If both put the chest there at
/// once, or write into it, the later one in the order of the region's owner counts.
/// @param names  receives what is in it
static TrnResult open_chest(const Game *game, char names[NAMES_BYTES])
{
    TrnBlock block;
    TrnBlockData inside = {.bytes = "", .size = 0};
    TrnResult result = trn_store_get_block(game->store, chest, &block);
    if (result == TRN_RESULT_OK && block != TRN_BLOCK_OAK_PLANKS) {
        result = trn_store_set_block(game->store, chest, TRN_BLOCK_OAK_PLANKS, NULL);
    }
    (void)trn_store_get_data(game->store, chest, &inside); // others' bytes: they may not end in 0
    (void)snprintf(names, NAMES_BYTES, "%.*s", (int)inside.size, (const char *)inside.bytes);
    if (result != TRN_RESULT_OK || strstr(names, game->name)) {
        return result;
    }
    const size_t length = strlen(names);
    (void)snprintf(names + length, NAMES_BYTES - length, "%s%s", length ? ", " : "", game->name);
    return trn_store_set_data(game->store, chest, names, strlen(names) + 1, TRN_DATA_WITH_BLOCK,
                              NULL);
}

/// A frame: walks to the chest, shows itself to the others, and takes what they have changed.
static TrnResult play_frame(Game *game)
{
    const struct timespec pause = {.tv_nsec = 1000000000 / FRAMES};
    const TrnBodyDef person = trn_body_def();
    const double *offset = game->body.position.offset;
    const double way = (double)chest.x + 0.5 - offset[0]; // all in one chunk
    const TrnBodyInput input = {.walk = {way > 2 ? 1 : way < -2 ? -1 : 0, 0, 0}};
    const double eye[3] = {offset[0], offset[1] + 1.6, offset[2]};
    TrnResult result = trn_body_step(game->store, &person, &game->body, &input, 1.0 / FRAMES);
    trn_member_set_place(game->member, eye, 0, 0);
    result = result == TRN_RESULT_OK ? trn_member_update(game->member) : result;
    result = result == TRN_RESULT_OK ? trn_stream_update(game->stream, NULL, NULL) : result;
    (void)trn_member_others(game->member, &game->other, 1);
    (void)nanosleep(&pause, NULL);
    return result;
}

/// Whether another was met, its name is in the chest, and its hole is in the ground.
static bool is_over(const Game *game, const char *names)
{
    const char *other = game->other.name;
    TrnBlock block = TRN_BLOCK_STONE;
    (void)trn_store_get_block(game->store, hole_of(other), &block);
    return *other && strstr(names, other) && block == TRN_BLOCK_AIR;
}

static TrnResult play(Game *game)
{
    char names[NAMES_BYTES] = "";
    TrnStreamAnchor player = trn_stream_anchor();
    TrnStreamAnchorId id;
    game->body.position = (TrnPosition){{0, 0, 0}, {(double)start_of(game->name), 0, 16.5}};
    player.position = game->body.position;
    player.radius_chunks = player.height_chunks = 1;
    TrnResult result = trn_stream_anchor_add(game->stream, &player, &id);
    result = result == TRN_RESULT_OK ? trn_stream_settle(game->stream, 1000) : result;
    result = result == TRN_RESULT_OK
                 ? trn_store_set_block(game->store, hole_of(game->name), TRN_BLOCK_AIR, NULL)
                 : result;
    for (int frame = 1, over = 0; result == TRN_RESULT_OK && over < FRAMES; frame++) {
        over += is_over(game, names); // and stays for a second, for the other to find the same
        result = frame < FRAMES_MAX ? play_frame(game) : TRN_RESULT_BUSY;
        if (frame % (FRAMES / 2) == 0 && result == TRN_RESULT_OK) {
            result = open_chest(game, names);
        }
    }
    result = result == TRN_RESULT_OK ? trn_member_settle(game->member, 10) : result;
    if (result == TRN_RESULT_OK) {
        printf("%s met %s. In the chest: %s.\n", game->name, game->other.name, names);
    }
    return result;
}

int main(int argc, char **argv)
{
    Game game = {.name = argc > 2 ? argv[2] : ""};
    TrnStorageProblem problem = {""};
    if (argc != 3) {
        fprintf(stderr, "usage: member_game postgresql://server/database NAME\n");
        return 2;
    }
    TrnResult result = open_world(&game, argv[1], &problem);
    result = result == TRN_RESULT_OK ? play(&game) : result;
    if (result != TRN_RESULT_OK) {
        fprintf(stderr, "member_game: %s\n",
                *problem.sentence ? problem.sentence : trn_result_text(result));
    }
    close_world(&game);
    return result == TRN_RESULT_OK ? 0 : 1;
}
