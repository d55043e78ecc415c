// Finds which voxels of a chunk belong to which surface, and which transparent faces the neighbours
// hide. Appends the quads of plants.

#include "mesh_kernels.h"

#include <string.h>

// ---- levels of liquids --------------------------------------------------------------------------

// Liquids of several levels: how high each face reaches, and which faces a liquid of the same
// family covers. Chunks whose liquids all have the usual surface do without. Shared by all kernels.

const TrnMeshLines trn_mesh_no_links = {0};

// ---- types -------------------------------------------------------------------------------------

const TrnBlockType *trn_mesh_type_at(const TrnMeshWork *work, int x, int y, int z, TrnBlock *block)
{
    static const TrnBlockType opaque = {.kind = TRN_BLOCK_KIND_OPAQUE};
    static const TrnBlockType air = {.kind = TRN_BLOCK_KIND_AIR};
    const TrnMeshInput *input = work->input;
    const uint32_t place = trn_around_place((x + TRN_MESH_EDGE) / TRN_MESH_EDGE - 1,
                                            (y + TRN_MESH_EDGE) / TRN_MESH_EDGE - 1,
                                            (z + TRN_MESH_EDGE) / TRN_MESH_EDGE - 1);
    *block = 0;
    if (!(input->present >> place & 1)) {
        return input->missing_is_solid ? &opaque : &air;
    }
    const uint32_t voxel = trn_local_index((uint32_t)x & 31, (uint32_t)y & 31, (uint32_t)z & 31);
    *block = trn_mesh_filling(input, trn_snapshot_get(input->around[place], voxel));
    return *block < input->type_count ? &input->types[*block] : &opaque;
}

static bool liquid_is_usual(const TrnBlockType *type)
{
    return type->variant == 0 && (type->surface == 0 || type->surface == TRN_MESH_USUAL_SURFACE);
}

/// Returns whether some liquid of a neighbour may be a flow, of the family of another liquid.
static bool liquid_has_flow(const TrnMeshInput *input, TrnSnapshot there)
{
    TrnPalette palette;
    trn_snapshot_palette(there, &palette);
    bool has_flow = palette.count == 0;
    for (uint32_t i = 0; i < palette.count; i++) {
        const TrnBlock block = palette.blocks[i];
        has_flow |=
            trn_mesh_kind(input, block) == TRN_BLOCK_KIND_LIQUID && input->types[block].variant;
    }
    return has_flow;
}

/// Returns whether a liquid of the chunk itself is not usual.
/// @param has_liquid  receives whether it has any
static bool liquid_is_unusual(const TrnMeshWork *work, bool *has_liquid)
{
    const TrnMeshInput *input = work->input;
    if (work->blocks) {
        *has_liquid = true;
        return true; // without a palette
    }
    bool is_unusual = false;
    TrnPalette palette;
    trn_snapshot_palette(input->around[TRN_AROUND_CENTRE], &palette);
    for (uint32_t i = 0; i < palette.count; i++) {
        const TrnBlock filling = trn_mesh_filling(input, palette.blocks[i]);
        if (trn_mesh_kind(input, filling) == TRN_BLOCK_KIND_LIQUID) {
            *has_liquid = true;
            is_unusual |= !liquid_is_usual(&input->types[filling]);
        }
    }
    return is_unusual;
}

/// Returns whether the chunk's transparent voxels need trn_mesh_level_side().
static bool mesh_has_levels(const TrnMeshWork *work)
{
    bool has_liquid = false;
    if (liquid_is_unusual(work, &has_liquid)) {
        return true;
    }
    bool has_flow = false;
    for (int face = 0; has_liquid && face < TRN_FACE_COUNT; face++) {
        const uint32_t behind = trn_mesh_behind((TrnFace)face);
        has_flow |= work->input->present >> behind & 1 &&
                    liquid_has_flow(work->input, work->input->around[behind]);
    }
    return has_flow;
}

// ---- faces -------------------------------------------------------------------------------------

/// Returns how high a liquid reaches in its voxel, 1..16.
static uint32_t liquid_height(const TrnMeshWork *work, const TrnBlockType *type, int x, int y,
                              int z)
{
    TrnBlock block;
    const TrnBlockKind above = trn_mesh_type_at(work, x, y + 1, z, &block)->kind;
    if (above == TRN_BLOCK_KIND_OPAQUE || above == TRN_BLOCK_KIND_LIQUID ||
        above == TRN_BLOCK_KIND_TRANSPARENT) {
        return TRN_BLOCK_GRID;
    }
    return type->surface == 0               ? TRN_MESH_USUAL_SURFACE
           : type->surface < TRN_BLOCK_GRID ? type->surface
                                            : TRN_BLOCK_GRID;
}

/// Returns whether two liquids, which are different blocks, are of one family. The first of a
/// family alone is variant 0.
static bool liquid_is_family(const TrnBlockType *a, const TrnBlockType *b)
{
    return b->kind == TRN_BLOCK_KIND_LIQUID && a->family == b->family && (a->variant || b->variant);
}

#define LIQUID_HIDDEN 256u

/// Returns the ao of a transparent face, or LIQUID_HIDDEN if a liquid of the same family covers it.
/// @param x,y,z  of a voxel that nothing but such a liquid hides
static uint32_t liquid_face(const TrnMeshWork *work, TrnFace face, int x, int y, int z)
{
    TrnBlock block, other;
    const TrnBlockType *type = trn_mesh_type_at(work, x, y, z, &block);
    if (type->kind != TRN_BLOCK_KIND_LIQUID) {
        return 255;
    }
    const TrnCoord next = trn_coord_neighbour((TrnCoord){x, y, z}, face);
    const TrnBlockType *there = trn_mesh_type_at(work, next.x, next.y, next.z, &other);
    const bool is_family = liquid_is_family(type, there);
    if (face == TRN_FACE_NEG_Y || (face == TRN_FACE_POS_Y && is_family)) {
        return is_family ? LIQUID_HIDDEN : 255;
    }
    const uint32_t height = liquid_height(work, type, x, y, z);
    const uint32_t start = is_family ? liquid_height(work, there, next.x, next.y, next.z) : 0;
    const uint32_t drop = TRN_BLOCK_GRID - height;
    return start >= height ? LIQUID_HIDDEN : drop || start ? drop | start << 4 : 255;
}

bool trn_mesh_level_side(TrnMeshWork *work, TrnMeshSide *side)
{
    uint32_t *front = work->scratch->front + TRN_MESH_ORIGIN;
    uint32_t shown[3] = {0};
    for (int y = side->low; y <= side->high; y++) {
        for (int lane = 0; lane < TRN_MESH_EDGE; lane++) {
            const int at = TRN_MESH_FROM_ORIGIN(y, lane);
            for (uint32_t rest = side->own[at] & ~front[at]; rest; rest &= rest - 1) {
                const int bit = __builtin_ctz(rest);
                const int x = side->is_transposed ? lane : bit,
                          z = side->is_transposed ? bit : lane;
                const uint32_t ao = liquid_face(work, (TrnFace)side->face, x, y, z);
                if (ao == LIQUID_HIDDEN) {
                    front[at] |= UINT32_C(1) << bit;
                    continue;
                }
                work->scratch->levels[trn_local_index((uint32_t)x, (uint32_t)y, (uint32_t)z)] =
                    (uint8_t)ao;
                shown[0] |= UINT32_C(1) << x;
                shown[1] |= UINT32_C(1) << y;
                shown[2] |= UINT32_C(1) << z;
            }
        }
    }
    side->levels = work->scratch->levels;
    work->shown_x |= shown[0];
    work->shown_y |= shown[1];
    work->shown_z |= shown[2];
    return shown[1] != 0;
}

// ---- opaque voxels -----------------------------------------------------------------------------

bool trn_mesh_is_buried(const TrnMask *chunks)
{
    const TrnMask *own = chunks + TRN_AROUND_CENTRE;
    const uint64_t ends = UINT64_C(3) << (TRN_CHUNK_HALVES - 2);
    const uint64_t low = UINT64_MAX / 3; // of z: the half-layers with the rows from 0 on
    if (own->all != UINT64_MAX || ~own[-9].all & ends || ~own[9].all & 3) {
        return false;
    }
    for (uint64_t open = ~(own[-1].all & own[1].all); open; open &= open - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(open);
        const uint32_t *left = trn_mask_half(own[-1], half), *right = trn_mask_half(own[1], half);
        for (uint32_t z = 0; z < TRN_HALF_ROWS; z++) {
            if (!(left[z] >> 31 & right[z] & 1)) {
                return false;
            }
        }
    }
    for (uint64_t open = ~own[-3].all & ~low; open; open &= open - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(open);
        if (trn_mask_half(own[-3], half)[TRN_HALF_ROWS - 1] != UINT32_MAX) {
            return false;
        }
    }
    for (uint64_t open = ~own[3].all & low; open; open &= open - 1) {
        if (trn_mask_half(own[3], (uint32_t)__builtin_ctzll(open))[0] != UINT32_MAX) {
            return false;
        }
    }
    return true;
}

// ---- surfaces -----------------------------------------------------------------------------------

/// The first sort of voxels that is not stored as a mask.
#define SURFACE_FIRST (TRN_MESH_SURFACE_OPAQUE + 1)

/// A set of palette entries.
typedef struct SurfaceEntries {
    uint32_t bits[8]; ///< as trn_snapshot_match_halves takes them
    uint32_t count;
} SurfaceEntries;

static bool surface_is_transparent(TrnBlockKind kind)
{
    return trn_mesh_surface(kind) == TRN_MESH_SURFACE_TRANSPARENT;
}

static void surface_add_entry(SurfaceEntries *set, uint32_t entry)
{
    set->bits[entry / 32] |= UINT32_C(1) << entry % 32;
    set->count++;
}

// ---- chunk -------------------------------------------------------------------------------------

/// Returns the kind of what fills a voxel: of a plant's liquid, or of the block itself.
static TrnBlockKind surface_filling_kind(const TrnMeshInput *input, TrnBlock block)
{
    return trn_mesh_kind(input, trn_mesh_filling(input, block));
}

/// The whole chunk is one block.
static void surface_find_uniform(TrnMeshWork *work)
{
    TrnMeshScratch *scratch = work->scratch;
    const TrnBlockKind kind = surface_filling_kind(work->input, work->small_palette[0]);
    const uint32_t own = trn_mesh_sort(trn_mesh_kind(work->input, work->small_palette[0]));
    const uint32_t shown = trn_mesh_sort(kind);
    work->transparent_block = trn_mesh_filling(work->input, work->small_palette[0]);
    if (own != shown) { // a plant in a liquid
        work->has[own] = true;
        memset(scratch->surface_rows[own], 0xFF, sizeof scratch->surface_rows[own]);
    }
    if (shown == TRN_MESH_SURFACE_OPAQUE || shown == TRN_MESH_SORTS) {
        return;
    }
    work->has[shown] = true;
    memset(scratch->surface_rows[shown], 0xFF, sizeof scratch->surface_rows[shown]);
    memset(scratch->liquid_rows, kind == TRN_BLOCK_KIND_LIQUID ? 0xFF : 0,
           sizeof scratch->liquid_rows);
    memset(scratch->entries, 0, sizeof scratch->entries);
    work->decoded = UINT32_MAX;
}

/// Chunks of 16 bits: looks up the type of every voxel that is not opaque.
static void surface_find_plain(TrnMeshWork *work)
{
    TrnMeshScratch *scratch = work->scratch;
    const TrnMask opaque = work->opaque[TRN_AROUND_CENTRE];
    uint32_t any[TRN_MESH_SORTS] = {0};
    for (uint32_t row = 0; row < TRN_MESH_ROWS; row++) {
        uint32_t rows[TRN_MESH_SORTS + 1] = {0}, liquid = 0; // the last one is air's
        for (uint32_t rest = ~trn_mask_row(opaque, row); rest; rest &= rest - 1) {
            const uint32_t x = (uint32_t)__builtin_ctz(rest), bit = rest & (0u - rest);
            const TrnBlock block = work->blocks[row * TRN_MESH_EDGE + x];
            const TrnBlockKind kind = surface_filling_kind(work->input, block);
            rows[trn_mesh_sort(trn_mesh_kind(work->input, block))] |= bit;
            rows[trn_mesh_sort(kind)] |= bit;
            liquid |= kind == TRN_BLOCK_KIND_LIQUID ? bit : 0;
        }
        for (uint32_t sort = SURFACE_FIRST; sort < TRN_MESH_SORTS; sort++) {
            scratch->surface_rows[sort][row] = rows[sort];
            any[sort] |= rows[sort];
        }
        scratch->liquid_rows[row] = liquid;
    }
    for (uint32_t sort = SURFACE_FIRST; sort < TRN_MESH_SORTS; sort++) {
        work->has[sort] = any[sort] != 0;
    }
    work->has_many_transparent = true;
}

/// Finds which voxels of some half-layers are in a set, without those that the stored mask says are
/// opaque.
/// @param rows  receives them; 0 in all other half-layers
/// @return bit by half-layer: may have some
static uint64_t surface_mask_open(const TrnMeshWork *work, const SurfaceEntries *set,
                                  uint64_t halves, uint32_t *rows)
{
    const TrnMask opaque = work->opaque[TRN_AROUND_CENTRE];
    const TrnSnapshot voxels = work->input->around[TRN_AROUND_CENTRE];
    halves = set->count ? trn_snapshot_match_halves(voxels, halves, set->bits, rows) : 0;
    for (uint32_t half = 0; half < TRN_CHUNK_HALVES; half++) {
        uint32_t *own = rows + (size_t)half * TRN_HALF_ROWS;
        if (!(halves >> half & 1)) {
            memset(own, 0, sizeof(uint32_t[TRN_HALF_ROWS]));
            continue;
        }
        const uint32_t *hidden = trn_mask_half(opaque, half);
        for (uint32_t z = 0; z < TRN_HALF_ROWS; z++) {
            own[z] &= ~hidden[z];
        }
    }
    return halves;
}

/// Decodes the entries of some half-layers, and of those beside them along z.
static void surface_decode(TrnMeshWork *work, uint64_t halves)
{
    for (uint32_t y = 0; y < TRN_MESH_EDGE; y++) {
        if (halves >> 2 * y & 3) {
            trn_snapshot_entries(
                work->input->around[TRN_AROUND_CENTRE], y * TRN_MESH_EDGE, TRN_MESH_EDGE,
                work->scratch->entries + (size_t)y * TRN_MESH_EDGE * TRN_MESH_EDGE);
            work->decoded |= UINT32_C(1) << y;
        }
    }
}

/// Sorts the palette entries in use. Plants in a liquid count among the transparent ones, too.
/// @param sets    [TRN_MESH_SORTS] receives them, except the opaque ones
/// @param liquid  receives the liquids among the transparent ones
/// @return whether there are any
static bool surface_sort_palette(TrnMeshWork *work, SurfaceEntries *sets, SurfaceEntries *liquid)
{
    TrnPalette palette;
    bool has_any = false;
    trn_snapshot_palette(work->input->around[TRN_AROUND_CENTRE], &palette);
    for (uint32_t i = 0; i < palette.count; i++) {
        const TrnBlock filling = trn_mesh_filling(work->input, palette.blocks[i]);
        const TrnBlockKind kind = trn_mesh_kind(work->input, filling);
        const uint32_t sort = trn_mesh_sort(kind);
        if (sort == TRN_MESH_SURFACE_OPAQUE || sort == TRN_MESH_SORTS) {
            continue;
        }
        has_any = true;
        if (filling != palette.blocks[i]) {
            surface_add_entry(&sets[TRN_MESH_SURFACE_PLANT], i);
        }
        if (sort == TRN_MESH_SURFACE_TRANSPARENT) {
            work->has_many_transparent |= sets[sort].count && work->transparent_block != filling;
            work->transparent_block = filling;
        }
        surface_add_entry(&sets[sort], i);
        if (kind == TRN_BLOCK_KIND_LIQUID) {
            surface_add_entry(liquid, i);
        }
    }
    return has_any;
}

static void surface_find_palette(TrnMeshWork *work)
{
    TrnMeshScratch *scratch = work->scratch;
    SurfaceEntries sets[TRN_MESH_SORTS] = {{{0}, 0}}, liquid = {{0}, 0};
    if (!surface_sort_palette(work, sets, &liquid)) {
        return;
    }
    const uint64_t open = ~work->opaque[TRN_AROUND_CENTRE].all;
    uint64_t decoded = 0;
    for (uint32_t sort = SURFACE_FIRST; sort < TRN_MESH_SORTS; sort++) {
        const uint64_t halves = sets[sort].count ? surface_mask_open(work, &sets[sort], open,
                                                                     scratch->surface_rows[sort])
                                                 : 0;
        work->has[sort] = halves != 0;
        decoded |= halves;
        if (sort == TRN_MESH_MODELS) { // they look at the blocks beside them
            decoded |= halves << 2 | halves >> 2;
        }
    }
    surface_decode(work, decoded);
    const SurfaceEntries *transparent = &sets[TRN_MESH_SURFACE_TRANSPARENT];
    if (!work->has[TRN_MESH_SURFACE_TRANSPARENT]) {
        return;
    }
    if (liquid.count == transparent->count) {
        memcpy(scratch->liquid_rows, scratch->surface_rows[TRN_MESH_SURFACE_TRANSPARENT],
               sizeof scratch->liquid_rows);
    } else {
        (void)surface_mask_open(work, &liquid, open, scratch->liquid_rows);
    }
}

// ---- neighbours --------------------------------------------------------------------------------

/// Returns the index of a border voxel.
/// @param row,bit  as in trn_mask_border()
static uint32_t surface_border_voxel(TrnFace face, uint32_t row, uint32_t bit)
{
    const uint32_t edge = face % 2 ? TRN_MESH_EDGE - 1 : 0;
    return face <= TRN_FACE_POS_X   ? trn_local_index(edge, row, bit)
           : face <= TRN_FACE_POS_Y ? trn_local_index(bit, edge, row)
                                    : trn_local_index(bit, row, edge);
}

/// Compares border voxels one by one.
/// @param rows  in: the voxels to compare; out: those with the same block on both sides
static void surface_keep_same(const TrnMeshWork *work, TrnFace face, TrnSnapshot there,
                              uint32_t rows[TRN_MESH_EDGE])
{
    const TrnSnapshot here = work->input->around[TRN_AROUND_CENTRE];
    for (uint32_t row = 0; row < TRN_MESH_EDGE; row++) {
        for (uint32_t rest = rows[row]; rest; rest &= rest - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctz(rest);
            const TrnBlock own = trn_snapshot_get(here, surface_border_voxel(face, row, bit));
            const TrnBlock other =
                trn_snapshot_get(there, surface_border_voxel(face ^ 1, row, bit));
            const bool is_same =
                trn_mesh_filling(work->input, own) == trn_mesh_filling(work->input, other);
            rows[row] &= is_same ? UINT32_MAX : ~(UINT32_C(1) << bit);
        }
    }
}

/// Returns the half-layers of the border layer behind a face with rows that are wanted.
static uint64_t surface_border_halves(TrnFace face, const uint32_t wanted[TRN_MESH_EDGE])
{
    const uint32_t edge = face % 2 ? 0 : TRN_MESH_EDGE - 1;
    uint64_t halves = 0;
    if (face == TRN_FACE_NEG_Y || face == TRN_FACE_POS_Y) {
        return UINT64_C(3) << 2 * edge;
    }
    for (uint32_t y = 0; y < TRN_MESH_EDGE; y++) {
        const uint64_t of_z = (uint64_t)(wanted[y] != 0) << edge / TRN_HALF_ROWS;
        const uint64_t of_x =
            ((wanted[y] & UINT16_MAX) != 0) | (uint64_t)(wanted[y] >> TRN_HALF_ROWS != 0) << 1;
        halves |= (face >= TRN_FACE_NEG_Z ? of_z : of_x) << 2 * y;
    }
    return halves;
}

/// Finds which voxels of the border layer behind a face are in a set. Rows where `wanted` is 0 may
/// be wrong.
static void surface_border_mask(TrnSnapshot there, const SurfaceEntries *set, TrnFace face,
                                const uint32_t wanted[TRN_MESH_EDGE], uint32_t rows[TRN_MESH_EDGE])
{
    const uint32_t edge = face % 2 ? 0 : TRN_MESH_EDGE - 1;
    uint32_t all[TRN_MESH_ROWS];
    memset(rows, 0, sizeof(uint32_t[TRN_MESH_EDGE]));
    uint64_t halves = surface_border_halves(face, wanted);
    halves = trn_snapshot_match_halves(there, halves, set->bits, all);
    for (; halves; halves &= halves - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(halves), y = half / 2;
        const uint32_t z = half % 2 * TRN_HALF_ROWS;
        const uint32_t *own = all + (size_t)half * TRN_HALF_ROWS;
        if (face <= TRN_FACE_POS_X) {
            rows[y] |= trn_mask_column(own, TRN_HALF_ROWS, edge) << z;
        } else if (face <= TRN_FACE_POS_Y) {
            memcpy(rows + z, own, sizeof(uint32_t[TRN_HALF_ROWS]));
        } else {
            rows[y] = own[edge % TRN_HALF_ROWS];
        }
    }
}

/// Compares border voxels if all transparent voxels of the chunk hold the same block.
static void surface_keep_one_block(const TrnMeshWork *work, TrnFace face, TrnSnapshot there,
                                   uint32_t rows[TRN_MESH_EDGE])
{
    SurfaceEntries set = {{0}, 0};
    TrnPalette palette;
    trn_snapshot_palette(there, &palette);
    for (uint32_t i = 0; i < palette.count; i++) {
        if (trn_mesh_filling(work->input, palette.blocks[i]) == work->transparent_block) {
            surface_add_entry(&set, i);
        }
    }
    uint32_t same[TRN_MESH_EDGE] = {0};
    if (set.count) {
        surface_border_mask(there, &set, face, rows, same);
    }
    for (uint32_t row = 0; row < TRN_MESH_EDGE; row++) {
        rows[row] &= same[row];
    }
}

/// Finds which transparent voxels of a border touch the same block in the neighbour.
static void surface_find_same_behind(TrnMeshWork *work, TrnFace face)
{
    uint32_t *rows = work->transparent_same[face], any = 0;
    const uint32_t behind = trn_mesh_behind(face);
    const TrnSnapshot there = work->input->around[behind];
    trn_mask_border(work->scratch->surface_rows[TRN_MESH_SURFACE_TRANSPARENT], face, rows);
    for (uint32_t row = 0; row < TRN_MESH_EDGE; row++) {
        any |= rows[row];
    }
    if (!any) {
        return;
    }
    const bool is_present = work->input->present >> behind & 1;
    const bool is_one = is_present && !work->has_many_transparent;
    if (!is_present ||
        (is_one && trn_snapshot_is_uniform(there) &&
         trn_mesh_filling(work->input, trn_snapshot_uniform(there)) != work->transparent_block)) {
        memset(rows, 0, sizeof work->transparent_same[face]);
    } else if (is_one && trn_snapshot_is_uniform(there)) {
        return; // all touch the same block
    } else if (is_one && trn_snapshot_has_palette(there)) {
        surface_keep_one_block(work, face, there, rows);
    } else {
        surface_keep_same(work, face, there, rows);
    }
}

/// Finds the transparent voxels of the chunk above: liquids below them are not lowered.
static void surface_find_above(TrnMeshWork *work)
{
    const uint32_t above = trn_mesh_behind(TRN_FACE_POS_Y);
    const TrnSnapshot there = work->input->around[above];
    const uint32_t *liquid = &work->scratch->liquid_rows[TRN_MESH_ROWS - TRN_MESH_EDGE];
    memset(work->transparent_above, 0, sizeof work->transparent_above);
    if (!(work->input->present >> above & 1)) {
        return;
    }
    TrnPalette palette;
    trn_snapshot_palette(there, &palette);
    if (palette.count) {
        SurfaceEntries set = {{0}, 0};
        for (uint32_t i = 0; i < palette.count; i++) {
            if (surface_is_transparent(surface_filling_kind(work->input, palette.blocks[i]))) {
                surface_add_entry(&set, i);
            }
        }
        if (set.count) {
            surface_border_mask(there, &set, TRN_FACE_POS_Y, liquid, work->transparent_above);
        }
        return;
    }
    for (uint32_t z = 0; z < TRN_MESH_EDGE; z++) {
        for (uint32_t rest = liquid[z]; rest; rest &= rest - 1) {
            const uint32_t x = (uint32_t)__builtin_ctz(rest);
            const TrnBlock block = trn_snapshot_get(there, trn_local_index(x, 0, z));
            const bool is_transparent =
                surface_is_transparent(surface_filling_kind(work->input, block));
            work->transparent_above[z] |= (uint32_t)is_transparent << x;
        }
    }
}

void trn_mesh_find_voxels(TrnMeshWork *work)
{
    if (!work->payload) {
        surface_find_uniform(work);
    } else if (work->blocks) {
        surface_find_plain(work);
    } else {
        surface_find_palette(work);
    }
}

/// Counts the models, and adds them to the bounds.
static void surface_count_models(TrnMeshWork *work)
{
    for (uint32_t row = 0; row < TRN_MESH_ROWS; row++) {
        const uint32_t models = work->scratch->surface_rows[TRN_MESH_MODELS][row];
        work->info.models += (uint32_t)__builtin_popcount(models);
        work->shown_x |= models;
        work->shown_y |= (uint32_t)(models != 0) << row / TRN_MESH_EDGE;
        work->shown_z |= (uint32_t)(models != 0) << row % TRN_MESH_EDGE;
    }
}

void trn_mesh_find_surfaces(TrnMeshWork *work)
{
    trn_mesh_find_voxels(work);
    if (work->has[TRN_MESH_MODELS]) {
        surface_count_models(work);
    }
    if (!work->has[TRN_MESH_SURFACE_TRANSPARENT]) {
        return;
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        surface_find_same_behind(work, (TrnFace)face);
    }
    surface_find_above(work);
    work->has_levels = mesh_has_levels(work);
}

// ---- plants ------------------------------------------------------------------------------------

static void surface_put_plant(TrnMeshWork *work, uint32_t voxel)
{
    const TrnBlock block = trn_mesh_block(work, voxel);
    const uint32_t x = voxel % 32, y = voxel / 1024, z = voxel / 32 % 32;
    const TrnQuad quad = (x | y << 5 | z << 10) | (TrnQuad)255 << 28 | (TrnQuad)block << 36;
    for (TrnQuad leaf = TRN_QUAD_PLANT_A; leaf <= TRN_QUAD_PLANT_B; leaf++) {
        if (work->count < work->capacity) {
            work->quads[work->count] = quad | leaf << 25;
        }
        work->count++;
    }
}

/// Returns the palette entry of a liquid, or else of the first plant in it.
static uint8_t surface_find_filling(const TrnMeshWork *work, TrnBlock filling)
{
    TrnPalette palette;
    trn_snapshot_palette(work->input->around[TRN_AROUND_CENTRE], &palette);
    uint32_t found = palette.count;
    for (uint32_t i = palette.count; i > 0; i--) { // ends at the first one
        const bool is_filled = trn_mesh_filling(work->input, work->palette[i - 1]) == filling;
        found = is_filled && (found == palette.count || work->palette[found] != filling) ? i - 1
                                                                                         : found;
    }
    return (uint8_t)found;
}

/// Makes voxels of plants their liquid, for links between transparent voxels.
/// @param plants  of a row
static void surface_fill_plants(TrnMeshWork *work, uint32_t row, uint32_t plants)
{
    TrnMeshScratch *scratch = work->scratch;
    plants &= scratch->surface_rows[TRN_MESH_SURFACE_TRANSPARENT][row];
    for (; plants; plants &= plants - 1) {
        const uint32_t voxel = row * TRN_MESH_EDGE + (uint32_t)__builtin_ctz(plants);
        const TrnBlock filling = trn_mesh_filling(work->input, trn_mesh_block(work, voxel));
        if (work->blocks) {
            scratch->blocks[voxel] = filling;
            continue;
        }
        scratch->entries[voxel] = surface_find_filling(work, filling);
    }
}

void trn_mesh_put_plants(TrnMeshWork *work)
{
    for (uint32_t row = 0; row < TRN_MESH_ROWS; row++) {
        const uint32_t plants = work->scratch->surface_rows[TRN_MESH_SURFACE_PLANT][row];
        if (!plants) {
            continue;
        }
        work->shown_x |= plants;
        work->shown_y |= UINT32_C(1) << row / TRN_MESH_EDGE;
        work->shown_z |= UINT32_C(1) << row % TRN_MESH_EDGE;
        for (uint32_t rest = plants; rest; rest &= rest - 1) {
            surface_put_plant(work, row * TRN_MESH_EDGE + (uint32_t)__builtin_ctz(rest));
        }
        if (work->has[TRN_MESH_SURFACE_TRANSPARENT] && work->has_many_transparent) {
            surface_fill_plants(work, row, plants);
        }
    }
}
