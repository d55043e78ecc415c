/// Folding eight chunks into one of the next level of detail, in each way, against a model.
#include "fuzz_voxels.h"
#include "voxels/fold_site.h"

/// Fills a box of the eight children, 64 voxels an axis.
static void fill_box(Site *site, FuzzProgram *program)
{
    uint32_t min[3], max[3];
    fuzz_box(program, 2 * EDGE, min, max);
    const TrnBlock block = fuzz_block(program);
    for (uint32_t y = min[1]; y <= max[1]; y++) {
        for (uint32_t z = min[2]; z <= max[2]; z++) {
            for (uint32_t x = min[0]; x <= max[0]; x++) {
                const uint32_t octant = x / EDGE | z / EDGE << 1 | y / EDGE << 2;
                site->children[octant][trn_local_index(x % EDGE, y % EDGE, z % EDGE)] = block;
            }
        }
    }
}

static void fill_child(Site *site, FuzzProgram *program)
{
    const uint32_t octant = fuzz_below(program, 8);
    const FuzzPattern pattern = fuzz_pattern(program);
    fuzz_fill(&pattern, site->children[octant]);
}

/// Sets the 8 voxels of one cell, which an input can then choose one by one.
static void set_cell(Site *site, FuzzProgram *program)
{
    const uint32_t octant = fuzz_below(program, 8), cell = fuzz_number(program, 2);
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t x = (cell & 15) * 2 + (i & 1), y = (cell >> 4 & 15) * 2 + (i >> 2);
        const uint32_t z = (cell >> 8 & 15) * 2 + (i >> 1 & 1);
        site->children[octant][trn_local_index(x, y, z)] = fuzz_block(program);
    }
}

int fuzz_fold(const uint8_t *bytes, size_t size);

int fuzz_fold(const uint8_t *bytes, size_t size)
{
    static Site *site;
    FuzzProgram program = fuzz_program(bytes, size);
    site = site ? site : site_create();
    memset(site->children, 0, sizeof site->children);
    for (int i = 0; i < 100 && fuzz_has_more(&program); i++) {
        const uint32_t kind = fuzz_below(&program, 8);
        (kind == 0 ? fill_child : kind < 4 ? fill_box : set_cell)(site, &program);
    }
    check(site);
    return 0;
}
