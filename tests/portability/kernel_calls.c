// Calls each kernel of every set once, between two marks. tools/kernel_estimates.py traces it.
//
// Prints a line for each call: part, kernel, set, how many items, and what an item is.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/mesher.h>
#include <terrane/store.h>

#include "index/page_kernels.h"
#include "mesher_internal.h"
#include "pool/pool_blocks_internal.h"
#include "voxels/voxel_kernels.h"

#define ROWS ((size_t)32)
#define VOXELS (ROWS * TRN_CHUNK_EDGE)

/// The scalar set with loads of single words: page_kernels.c, compiled as CMakeLists.txt says. The
/// library's shares the query with wide loads.
extern const TrnKernelTable kernels_by_words;

// The marks, which the trace finds by their addresses.
void estimate_begin(void);
void estimate_end(void);
__attribute__((noinline)) void estimate_begin(void)
{
    __asm__ volatile("" ::: "memory");
}
__attribute__((noinline)) void estimate_end(void)
{
    __asm__ volatile("" ::: "memory");
}

#define ESTIMATE(part, kernel, set, items, unit, call)                                             \
    do {                                                                                           \
        printf("%s\t%s\t%s\t%zu\t%s\n", part, kernel, set, (size_t)(items), unit);                 \
        estimate_begin();                                                                          \
        call;                                                                                      \
        estimate_end();                                                                            \
    } while (0)

static uint64_t random_next(void)
{
    static uint64_t state = 42;
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

// ---- index -------------------------------------------------------------------------------------

static void call_pool(const TrnPoolKernels *kernels)
{
    enum { SLOTS = 1024, SLOT_BYTES = 96, BLOCK_SHIFT = 6 };
    static uint32_t slots[SLOTS];
    static void *out[SLOTS];
    static unsigned char range[SLOTS * SLOT_BYTES];
    static TrnPoolBase bases[SLOTS >> BLOCK_SHIFT];
    for (uint32_t i = 0; i < SLOTS; i++) {
        slots[i] = (uint32_t)(random_next() % SLOTS);
        atomic_init(&bases[i >> BLOCK_SHIFT], (uintptr_t)range);
    }
    ESTIMATE("pool", "address in a range", kernels->name, SLOTS, "slot",
             kernels->range_pointers(range, SLOT_BYTES, slots, SLOTS, out));
    ESTIMATE("pool", "address in blocks", kernels->name, SLOTS, "slot",
             kernels->table_pointers(bases, BLOCK_SHIFT, SLOT_BYTES, slots, SLOTS, out));
}

/// Creates a page and the 26 around it, linked, in which nearly all bits are set.
static TrnFullPage *create_pages(TrnFullPage *pages[27])
{
    for (int i = 0; i < 27; i++) {
        pages[i] = trn_aligned_alloc((trn_full_page_bytes(2) + 63) & ~(size_t)63, 64);
        if (!pages[i]) {
            exit(1);
        }
        memset(pages[i], 0, trn_full_page_bytes(2));
        for (uint32_t word = 0; word < 2 * TRN_PAGE_WORDS; word++) {
            atomic_store(&pages[i]->planes[word / TRN_PAGE_WORDS][word % TRN_PAGE_WORDS],
                         ~(UINT64_C(1) << random_next() % 64));
        }
    }
    static const int steps[3] = {1, 9, 3}; // of x, y, z
    for (int i = 0; i < 27; i++) {
        const int places[3] = {i % 3, i / 9, i / 3 % 3};
        for (size_t axis = 0; axis < 3; axis++) {
            TrnPage *low = places[axis] > 0 ? &pages[i - steps[axis]]->head : NULL;
            TrnPage *high = places[axis] < 2 ? &pages[i + steps[axis]]->head : NULL;
            atomic_store(&pages[i]->neighbours[2 * axis], low);
            atomic_store(&pages[i]->neighbours[2 * axis + 1], high);
        }
    }
    return pages[13];
}

static void call_pages(const TrnPageKernels *kernels)
{
    TrnFullPage *pages[27], *page = create_pages(pages);
    TrnPageWords words;
    static uint32_t out[TRN_PAGE_CELLS + TRN_PAGE_SLACK];
    memset(&words, 0xFF, sizeof words);
    ESTIMATE("index", "copy the values of a full page", kernels->name, 512, "value",
             kernels->compress(page, &words, out));
    for (int i = 0; i < TRN_PAGE_WORDS; i++) {
        words.words[i] = i < 4 ? UINT64_C(0x0103070F1F3F7FFF) << i : 0;
    }
    ESTIMATE("index", "copy the values at a border", kernels->name, 136, "value",
             kernels->compress(page, &words, out));
    for (int i = 0; i < TRN_PAGE_WORDS; i++) {
        words.words[i] = random_next();
    }
    ESTIMATE("index", "copy the values of every other cell", kernels->name, 256, "value",
             kernels->compress(page, &words, out));
    const bool is_scalar = strcmp(kernels->name, "scalar") == 0;
    const TrnPageKernels *by_words = trn_kernels_at(&kernels_by_words, 0, 0);
    void (*query)(const TrnMap *, const TrnFullPage *, const TrnPlaneQuery *, TrnPageWords *) =
        is_scalar ? by_words->query : kernels->query;
    const TrnPlaneQuery own = {.all = 1, .none = 2}, faces = {.all = 1, .all_faces = 1},
                        around = {.all = 1, .all_around = 1};
    ESTIMATE("index", "query: own bits", kernels->name, 1, "page", query(NULL, page, &own, &words));
    ESTIMATE("index", "query: six neighbours", kernels->name, 1, "page",
             query(NULL, page, &faces, &words));
    ESTIMATE("index", "query: 26 neighbours", kernels->name, 1, "page",
             query(NULL, page, &around, &words));
    for (int i = 0; i < 27; i++) {
        trn_aligned_free(pages[i]);
    }
}

// ---- voxels ------------------------------------------------------------------------------------

typedef struct Voxels {
    TrnBlock blocks[2][TRN_CHUNK_VOXELS], palette[TRN_PALETTE_MAX];
    uint8_t entries[TRN_CHUNK_VOXELS], fields[2][TRN_CHUNK_VOXELS], entry_of[65536];
    uint8_t table[TRN_PALETTE_MAX];
    uint32_t masks[TRN_CHUNK_ROWS], bits[2048], counts[TRN_PALETTE_MAX];
} Voxels;

static void fill_voxels(Voxels *voxels, uint32_t types)
{
    for (uint32_t i = 0; i < TRN_PALETTE_MAX; i++) {
        voxels->palette[i] = (TrnBlock)(i * 3);
        voxels->table[i] = (uint8_t)(255 - i);
    }
    for (size_t i = 0; i < VOXELS; i++) {
        voxels->entries[i] = (uint8_t)(random_next() % types);
        voxels->blocks[0][i] = voxels->blocks[1][i] = voxels->palette[voxels->entries[i]];
        voxels->fields[0][i] = voxels->fields[1][i] = (uint8_t)random_next();
    }
    for (size_t row = 0; row < ROWS; row++) {
        voxels->masks[row] = (uint32_t)random_next();
        voxels->blocks[1][row * TRN_CHUNK_EDGE + row % 32] ^= 1;
        for (size_t byte = 0; byte < 32; byte += 4) {
            voxels->fields[1][row * 32 + byte] ^= 1; // a voxel of each row at every width
        }
    }
}

static const char *const widths[5] = {"1 bit", "2 bits", "4 bits", "8 bits", "16 bits"};

static const char *named(const char *kernel, const char *detail)
{
    static char name[64];
    snprintf(name, sizeof name, "%s, %s", kernel, detail);
    return name;
}

#define VOXEL_ESTIMATE(kernel, call)                                                               \
    ESTIMATE("voxels", kernel, kernels->name, ROWS, "row of 32", kernels->call)

static void call_widths(const TrnVoxelKernels *kernels, Voxels *voxels)
{
    for (uint32_t shift = 0; shift < 4; shift++) {
        fill_voxels(voxels, 1u << (1u << shift));
        if (shift < 3) {
            VOXEL_ESTIMATE(named("unpack", widths[shift]),
                           unpack(shift, voxels->fields[0], ROWS, voxels->fields[1]));
            VOXEL_ESTIMATE(named("pack", widths[shift]),
                           pack(shift, voxels->entries, ROWS, voxels->fields[1]));
        }
        VOXEL_ESTIMATE(named("decode", widths[shift]),
                       decode(shift, voxels->fields[0], voxels->palette, ROWS, voxels->blocks[1]));
    }
    for (uint32_t shift = 0; shift < 5; shift++) {
        fill_voxels(voxels, 256);
        const void *a = shift < 4 ? (void *)voxels->fields[0] : voxels->blocks[0];
        const void *b = shift < 4 ? (void *)voxels->fields[1] : voxels->blocks[1];
        VOXEL_ESTIMATE(named("differ", widths[shift]), differ(shift, a, b, ROWS, voxels->masks));
        VOXEL_ESTIMATE(named("differ, equal rows", widths[shift]),
                       differ(shift, a, a, ROWS, voxels->masks));
    }
}

static void call_types(const TrnVoxelKernels *kernels, Voxels *voxels)
{
    static const uint32_t types[] = {2, 16, 256};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char detail[32];
        snprintf(detail, sizeof detail, "%u types", types[i]);
        fill_voxels(voxels, types[i]);
        VOXEL_ESTIMATE(named("tally", detail),
                       tally(voxels->entries, ROWS, types[i], voxels->counts));
        memset(voxels->counts, 0, 8 * sizeof *voxels->counts);
        VOXEL_ESTIMATE(named("used", detail),
                       used(voxels->entries, ROWS, types[i], voxels->counts));
        VOXEL_ESTIMATE(named("map", detail), map(voxels->entries, ROWS, voxels->table, types[i]));
    }
}

static void call_voxels(const TrnVoxelKernels *kernels)
{
    static Voxels voxels;
    call_widths(kernels, &voxels);
    call_types(kernels, &voxels);
    fill_voxels(&voxels, 16);
    uint64_t lanes[8] = {0};
    VOXEL_ESTIMATE("mask", mask(voxels.entries, ROWS, voxels.bits, voxels.masks));
    VOXEL_ESTIMATE("mask of blocks",
                   mask_blocks(voxels.blocks[0], ROWS, voxels.bits, voxels.masks));
    fill_voxels(&voxels, 16);
    VOXEL_ESTIMATE("planes", planes(voxels.entries, ROWS, 0xF, voxels.bits));
    VOXEL_ESTIMATE("count", count(voxels.masks, ROWS));
    VOXEL_ESTIMATE("put", put(voxels.entries, ROWS, voxels.masks, 7));
    VOXEL_ESTIMATE("hash", hash(voxels.blocks[0], ROWS, lanes));
}

// ---- mesher ------------------------------------------------------------------------------------

/// Meshes a hill of one chunk, with air around.
static void call_mesher(const char *name)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int x = i % 32 - 16, z = i / 32 % 32 - 16, y = i / 1024;
        const int top = 24 - (x * x + 2 * z * z) / 40;
        blocks[i] = y > top ? TRN_BLOCK_AIR : y == top ? TRN_BLOCK_GRASS : TRN_BLOCK_STONE;
    }
    TrnStore *store;
    const TrnCoord origin = {0, 0, 0};
    TrnMeshInput input = {.missing_is_solid = false};
    void *scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    static TrnQuad quads[8192];
    TrnMeshInfo info;
    if (!scratch || trn_store_create(NULL, &store) != TRN_RESULT_OK ||
        trn_store_insert_voxels(store, origin, blocks, NULL) != TRN_RESULT_OK) {
        exit(1);
    }
    input.present = trn_store_snapshot_around(store, origin, input.around);
    input.types = trn_block_types_all(trn_store_block_types(store), &input.type_count);
    ESTIMATE("mesher", "a hill", name, 1, "chunk",
             trn_mesh_quads_by(name, &input, scratch, quads, NULL, 8192, &info));
    trn_store_destroy(store);
    trn_aligned_free(scratch);
}

int main(void)
{
    const uint32_t features = trn_cpu_features();
    const void *kernels;
    for (size_t i = 0; (kernels = trn_kernels_at(&trn_pool_kernels, features, i)); i++) {
        call_pool(kernels);
    }
    for (size_t i = 0; (kernels = trn_kernels_at(&trn_page_kernels, features, i)); i++) {
        call_pages(kernels);
    }
    for (size_t i = 0; (kernels = trn_kernels_at(&trn_voxel_kernels, features, i)); i++) {
        call_voxels(kernels);
    }
    for (unsigned i = 0; trn_kernels_name(&trn_mesh_kernels, i); i++) {
        call_mesher(trn_kernels_name(&trn_mesh_kernels, i));
    }
    return 0;
}
