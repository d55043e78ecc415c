/// Meshes of a chunk by every set of kernels, against the reference, which looks at each face.
#include "fuzz_voxels.h"
#include "mesher/mesh_stage.h"

#define SPAN (EDGE + 8) // voxels an axis: the chunk and four on each side

/// 27 chunks of blocks, of which those that differ from the stage's are encoded again.
typedef struct MesherFuzz {
    FuzzProgram program;
    Stage *stage;
    TrnBlock blocks[AROUND][TRN_CHUNK_VOXELS];
    bool is_changed[AROUND];
} MesherFuzz;

static TrnBlock choose_block(FuzzProgram *program)
{
    return (TrnBlock)fuzz_below(program, UNKNOWN + 1);
}

/// Sets a voxel. @param x,y,z  local, -4..35
static void set(MesherFuzz *fuzz, int x, int y, int z, TrnBlock block)
{
    const int place = (x + EDGE) / EDGE + 3 * ((z + EDGE) / EDGE) + 9 * ((y + EDGE) / EDGE);
    const uint32_t index = trn_local_index((uint32_t)x & 31, (uint32_t)y & 31, (uint32_t)z & 31);
    fuzz->is_changed[place] |= fuzz->blocks[place][index] != block;
    fuzz->blocks[place][index] = block;
}

static void fill_box(MesherFuzz *fuzz)
{
    uint32_t min[3], max[3];
    fuzz_box(&fuzz->program, SPAN, min, max);
    const TrnBlock block = choose_block(&fuzz->program);
    for (uint32_t y = min[1]; y <= max[1]; y++) {
        for (uint32_t z = min[2]; z <= max[2]; z++) {
            for (uint32_t x = min[0]; x <= max[0]; x++) {
                set(fuzz, (int)x - 4, (int)y - 4, (int)z - 4, block);
            }
        }
    }
}

static void put_one(MesherFuzz *fuzz)
{
    int local[3];
    for (int axis = 0; axis < 3; axis++) {
        local[axis] = fuzz_between(&fuzz->program, -4, EDGE + 3);
    }
    set(fuzz, local[0], local[1], local[2], choose_block(&fuzz->program));
}

/// Sets each voxel of a box, in layers, by chance to one of two blocks.
static void sprinkle(MesherFuzz *fuzz)
{
    uint32_t min[3], max[3];
    TestRandom random = {fuzz_number(&fuzz->program, 2)};
    fuzz_box(&fuzz->program, SPAN, min, max);
    const TrnBlock blocks[] = {choose_block(&fuzz->program), choose_block(&fuzz->program)};
    const uint32_t rarity = 1 + fuzz_below(&fuzz->program, 20);
    for (uint32_t y = min[1]; y <= max[1]; y++) {
        for (uint32_t z = min[2]; z <= max[2]; z++) {
            for (uint32_t x = min[0]; x <= max[0]; x++) {
                if (test_random_next(&random) % rarity == 0) {
                    set(fuzz, (int)x - 4, (int)y - 4, (int)z - 4,
                        blocks[test_random_next(&random) % 2]);
                }
            }
        }
    }
}

static void fill_chunk(MesherFuzz *fuzz)
{
    const uint32_t place = fuzz_below(&fuzz->program, AROUND);
    const TrnBlock block = choose_block(&fuzz->program);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        fuzz->blocks[place][i] = block;
    }
    fuzz->is_changed[place] = true;
}

/// Lights the chunk, and chooses what is missing, open and left out.
static void set_input(MesherFuzz *fuzz)
{
    TrnMeshInput *const input = &fuzz->stage->input;
    const uint32_t flags = fuzz_number(&fuzz->program, 1);
    const uint32_t missing = fuzz_number(&fuzz->program, 4);
    TestRandom random = {fuzz_number(&fuzz->program, 2)};
    input->missing_is_solid = flags & 1;
    input->without_ao = flags & 2;
    input->open_sides = flags & 4 ? fuzz_below(&fuzz->program, 64) : 0;
    input->sky = input->blocks = NULL;
    input->without_merging = false;
    memset(input->user_bytes, 0, sizeof input->user_bytes);
    if (flags & 8) {
        stage_light_by_chance(fuzz->stage, &random);
    }
    if (flags & 32) {
        stage_choose_options(fuzz->stage, &random);
    }
    for (int place = 0; place < AROUND; place++) {
        if (flags & 16 && missing >> place & 1 && place != CENTRE) {
            stage_miss(fuzz->stage, place);
        }
    }
}

static void encode(MesherFuzz *fuzz)
{
    for (int place = 0; place < AROUND; place++) {
        if (fuzz->is_changed[place]) {
            stage_encode(fuzz->stage, place, fuzz->blocks[place]);
        } else {
            stage_fill(fuzz->stage, place, AIR);
        }
    }
}

int fuzz_mesher(const uint8_t *bytes, size_t size);

int fuzz_mesher(const uint8_t *bytes, size_t size)
{
    static MesherFuzz fuzz;
    fuzz.program = fuzz_program(bytes, size);
    fuzz.stage = fuzz.stage ? fuzz.stage : stage_of_test_types();
    fuzz.stage->dirt = 0;
    memset(fuzz.blocks, 0, sizeof fuzz.blocks);
    memset(fuzz.is_changed, 0, sizeof fuzz.is_changed);
    FuzzProgram input = fuzz.program;
    fuzz.program.at += size < 8 ? size : 8; // those of set_input
    for (int i = 0; i < 100 && fuzz_has_more(&fuzz.program); i++) {
        const uint32_t kind = fuzz_below(&fuzz.program, 8);
        (kind < 3 ? fill_box : kind < 6 ? put_one : kind == 6 ? sprinkle : fill_chunk)(&fuzz);
    }
    encode(&fuzz);
    fuzz.program = input;
    set_input(&fuzz);
    (void)stage_check(fuzz.stage);
    return 0;
}
