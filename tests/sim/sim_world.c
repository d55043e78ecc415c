// What all schedules share: block types, and a world without chunks. See sim.h.

#include "sim.h"

static struct {
    TrnBlockTypes *types;
    TrnSave *save; ///< reads rows: in all worlds blocks have the same ids
    SimDisk disk;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} sim_world;

static bool world_add_value(void *user, const TrnStorageValue *value)
{
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    SimValue made = {.blob = sim_blob(value->bytes, value->size)};
    (void)user;
    (void)snprintf(made.name, sizeof made.name, "%s", value->name);
    return trn_array_push(&sim_world.disk.values[0], &allocator, made) == TRN_RESULT_OK;
}

void sim_prepare(void)
{
    TrnSaveDef def = trn_save_def();
    def.has_thread = false;
    bool is_good = trn_block_types_create_builtin(NULL, &sim_world.types) == TRN_RESULT_OK &&
                   trn_storage_memory(NULL, &def.storage) == TRN_RESULT_OK;
    def.types = sim_world.types;
    is_good = is_good && trn_save_create(&def, &sim_world.save, NULL) == TRN_RESULT_OK;
    if (is_good) {
        trn_save_name_blocks(sim_world.save);
        is_good = trn_save_flush(sim_world.save) == TRN_RESULT_OK &&
                  def.storage.values(def.storage.user, "", world_add_value, NULL) == TRN_RESULT_OK;
    }
    if (!is_good) {
        abort();
    }
}

void sim_dispose(void)
{
    (void)trn_save_destroy(sim_world.save);
    sim_disk_clear(&sim_world.disk);
    trn_block_types_destroy(sim_world.types);
}

TrnBlockTypes *sim_types(void)
{
    return sim_world.types;
}

const SimDisk *sim_new_world(void)
{
    return &sim_world.disk;
}

/// Liquids look for drops so far, and sleep near a chunk that is not loaded.
#define WORLD_DAM (TRN_FLUID_DROP_MAX + 1u)

/// Sets a row of voxels along x.
static void world_set_row(TrnBlock *blocks, uint32_t y, uint32_t z, TrnBlock block)
{
    TrnBlock *row = blocks + (size_t)(y * TRN_CHUNK_EDGE + z) * TRN_CHUNK_EDGE;
    for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
        row[x] = block;
    }
}

/// Whether members load the chunk beside one, along x.
static bool world_goes_on(TrnCoord coord, int32_t side)
{
    const int32_t edge = TRN_REGION_CHUNKS, last = (int32_t)sim.options.regions * edge - 1;
    return side < 0 ? coord.x % edge == 0 && coord.x > 0
                    : coord.x % edge == edge - 1 && coord.x < last;
}

#define WORLD_SIDE 8u // of the lowest number, from three sides of the chunk
#define WORLD_ROW 16u // numbers along x and z

uint32_t sim_voxel(uint32_t number)
{
    const uint32_t row = number / WORLD_ROW;
    const uint32_t y = WORLD_SIDE + row / WORLD_ROW, z = WORLD_SIDE + row % WORLD_ROW;
    return (y * TRN_CHUNK_EDGE + z) * TRN_CHUNK_EDGE + WORLD_SIDE + number % WORLD_ROW;
}

uint32_t sim_number(uint32_t voxel)
{
    const uint32_t edge = TRN_CHUNK_EDGE, x = voxel % edge - WORLD_SIDE;
    const uint32_t z = voxel / edge % edge - WORLD_SIDE, y = voxel / edge / edge - WORLD_SIDE;
    const uint32_t number = (y * WORLD_ROW + z) * WORLD_ROW + x;
    return x < WORLD_ROW && z < WORLD_ROW && y < WORLD_ROW && number < SIM_MARKS + SIM_CONTESTED
               ? number
               : UINT32_MAX;
}

bool sim_is_channel(TrnCoord coord, uint32_t x)
{
    return x < WORLD_DAM                    ? world_goes_on(coord, -1)
           : x < TRN_CHUNK_EDGE - WORLD_DAM ? true
                                            : world_goes_on(coord, 1);
}

TrnResult sim_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks, bool *uniform)
{
    (void)user;
    blocks[0] = TRN_BLOCK_AIR;
    *uniform = !sim.options.has_liquids || level > 0;
    if (*uniform) {
        return TRN_RESULT_OK;
    }
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = TRN_BLOCK_AIR;
    }
    for (uint32_t z = SIM_CHANNEL_Z - 1; z <= SIM_CHANNEL_Z + 1; z++) {
        world_set_row(blocks, SIM_CHANNEL_Y - 1, z, TRN_BLOCK_STONE);
    }
    world_set_row(blocks, SIM_CHANNEL_Y, SIM_CHANNEL_Z - 1, TRN_BLOCK_STONE);
    world_set_row(blocks, SIM_CHANNEL_Y, SIM_CHANNEL_Z + 1, TRN_BLOCK_STONE);
    TrnBlock *channel =
        blocks + (size_t)(SIM_CHANNEL_Y * TRN_CHUNK_EDGE + SIM_CHANNEL_Z) * TRN_CHUNK_EDGE;
    for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
        channel[x] = sim_is_channel(coord, x) ? TRN_BLOCK_AIR : TRN_BLOCK_STONE;
    }
    return TRN_RESULT_OK;
}

TrnFluid *sim_make_fluid(TrnStore *store)
{
    TrnFluidLiquid water;
    TrnFluidDef def = trn_fluid_def();
    TrnFluid *fluid = NULL;
    (void)trn_fluid_water(sim_types(), &water);
    water.delay = 1;
    def.liquids = &water;
    def.liquid_count = 1;
    (void)trn_fluid_create(store, &def, &fluid);
    return fluid;
}

void sim_decode(TrnStorageKey key, const SimBlob *blob, uint64_t revision, TrnBlock *blocks)
{
    const TrnStorageRow row = {key, revision, blob->bytes, blob->size};
    bool is_uniform = false;
    if (trn_save_read_row(sim_world.save, &row, blocks, &is_uniform, NULL) != TRN_RESULT_OK) {
        sim_fail("a row that was put cannot be read");
        is_uniform = true;
        blocks[0] = TRN_BLOCK_AIR;
    }
    for (uint32_t i = 1; i < TRN_CHUNK_VOXELS && is_uniform; i++) {
        blocks[i] = blocks[0];
    }
}

SimContent sim_read_row(TrnCoord coord, const SimBlob *blob, uint64_t revision)
{
    const TrnBlock *blocks = sim_world.blocks;
    SimContent content;
    memset(&content, 0, sizeof content);
    if (sim.takes_any) {
        return content;
    }
    sim_decode((TrnStorageKey){coord, 0}, blob, revision, sim_world.blocks);
    for (uint32_t i = 0; i < SIM_MARKS; i++) {
        content.marks[i / 64] |= (uint64_t)(blocks[sim_voxel(i)] != TRN_BLOCK_AIR) << i % 64;
    }
    for (uint32_t i = 0; i < SIM_CONTESTED; i++) {
        content.contested[i] = blocks[sim_voxel(SIM_MARKS + i)];
    }
    return content;
}
