// level.dat that is written: see trn_region_save_level. NBT in gzip; what the game does not find in
// it, it adds.

#include <string.h>

#include <terrane/schematic.h>

#include "base/memory.h"

#include "packed_out.h"
#include "state_out.h"

#define LEVEL_ANVIL 19133 // of the layout of regions
#define LEVEL_NOON 6000
#define LEVEL_CREATIVE 1
#define LEVEL_NAME_MAX 65535
#define LEVEL_BYTES_MAX (UINT64_C(1) << 20)

static void level_text(TrnPackedOut *out, const char *name, const char *text)
{
    trn_packed_text(out, name, (TrnNbtText){text, strlen(text)});
}

static void level_open(TrnPackedOut *out, const char *name)
{
    trn_packed_tag(out, TRN_NBT_COMPOUND, name);
}

static void level_flag(TrnPackedOut *out, const char *name, bool is_set)
{
    trn_packed_tag(out, TRN_NBT_BYTE, name);
    trn_packed_number(out, is_set, 1);
}

static void level_long(TrnPackedOut *out, const char *name, uint64_t number)
{
    trn_packed_tag(out, TRN_NBT_LONG, name);
    trn_packed_number(out, number, 8);
}

/// The usual underground or end: without it, a portal leads nowhere.
static void level_put_noise(TrnPackedOut *out, const char *dimension, const char *settings,
                            const char *biomes, const char *preset)
{
    level_open(out, dimension);
    level_text(out, "type", dimension);
    level_open(out, "generator");
    level_text(out, "type", "minecraft:noise");
    level_text(out, "settings", settings);
    level_open(out, "biome_source");
    level_text(out, "type", biomes);
    if (preset) {
        level_text(out, "preset", preset);
    }
    for (int i = 0; i < 3; i++) {
        trn_packed_close(out);
    }
}

/// Air everywhere: flat land without a layer of its own.
static void level_put_air(TrnPackedOut *out)
{
    level_open(out, "minecraft:overworld");
    level_text(out, "type", "minecraft:overworld");
    level_open(out, "generator");
    level_text(out, "type", "minecraft:flat");
    level_open(out, "settings");
    level_text(out, "biome", "minecraft:plains");
    level_flag(out, "features", false);
    level_flag(out, "lakes", false);
    trn_packed_list(out, "layers", TRN_NBT_COMPOUND, 1);
    level_text(out, "block", "minecraft:air");
    trn_packed_int(out, "height", 1);
    trn_packed_close(out);
    trn_packed_list(out, "structure_overrides", TRN_NBT_END, 0);
    for (int i = 0; i < 3; i++) {
        trn_packed_close(out);
    }
}

static void level_put_generation(TrnPackedOut *out)
{
    level_open(out, "WorldGenSettings");
    level_long(out, "seed", 0);
    level_flag(out, "generate_features", false);
    level_flag(out, "bonus_chest", false);
    level_open(out, "dimensions");
    level_put_air(out);
    level_put_noise(out, "minecraft:the_nether", "minecraft:nether", "minecraft:multi_noise",
                    "minecraft:nether");
    level_put_noise(out, "minecraft:the_end", "minecraft:end", "minecraft:the_end", NULL);
    trn_packed_close(out);
    trn_packed_close(out);
}

static void level_put(TrnPackedOut *out, const char *name, TrnVoxel spawn)
{
    level_open(out, "");
    level_open(out, "Data");
    trn_packed_int(out, "version", LEVEL_ANVIL);
    trn_packed_int(out, "DataVersion", TRN_STATE_DATA_VERSION);
    level_open(out, "Version");
    trn_packed_int(out, "Id", TRN_STATE_DATA_VERSION);
    level_text(out, "Name", "1.21");
    level_text(out, "Series", "main");
    level_flag(out, "Snapshot", false);
    trn_packed_close(out);
    level_text(out, "LevelName", name);
    trn_packed_int(out, "SpawnX", spawn.x);
    trn_packed_int(out, "SpawnY", spawn.y);
    trn_packed_int(out, "SpawnZ", spawn.z);
    trn_packed_int(out, "GameType", LEVEL_CREATIVE);
    level_flag(out, "allowCommands", true);
    level_flag(out, "hardcore", false);
    level_flag(out, "initialized", true);
    level_long(out, "Time", 0);
    level_long(out, "DayTime", LEVEL_NOON);
    level_long(out, "LastPlayed", 0);
    level_put_generation(out);
    trn_packed_close(out);
    trn_packed_close(out);
}

TrnResult trn_region_save_level(const char *name, TrnVoxel spawn,
                                bool (*write)(void *user, const void *bytes, size_t size),
                                void *user, const TrnAllocator *allocator)
{
    if (!name || !write || strlen(name) > LEVEL_NAME_MAX) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnAllocator memory = trn_allocator_or_default(allocator);
    TrnPackedOut *out = trn_take(&memory, sizeof *out, TRN_CACHE_LINE);
    if (!out) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(out, 0, sizeof *out);
    out->write = write;
    out->user = user;
    out->allocator = memory;
    out->most = LEVEL_BYTES_MAX;
    trn_packed_begin(out, TRN_PACKED_GZIP);
    level_put(out, name, spawn);
    const TrnResult result = trn_packed_finish(out);
    trn_give(&memory, out, sizeof *out);
    return result;
}
