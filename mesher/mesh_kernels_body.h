// The mesher's kernels, written once and compiled for registers of any number of lanes. For
// each instruction set mesh_kernels.c includes this file and defines
//   MESH_LANES      rows in a register: 1, 4, 8 or 16
//   MESH_SUFFIX     the suffix of the functions' names
//   MESH_TARGET     the instruction set, as a function attribute, or nothing
//   MESH_KERNELS_NAME
// It may also define its own version of
//   MESH_HAS_NONZERO    mesh_nonzero_: which lanes are not 0
//   MESH_HAS_TRANSPOSE  mesh_transpose_
//   MESH_HAS_DECODE     mesh_decode_row_: a row's entries
//   MESH_HAS_SAME       mesh_same_ and mesh_same_blocks_: which voxels of two rows are the same
//   MESH_HAS_LIST       mesh_list_bits_: a row's bits as a list
//   MESH_HAS_AO         mesh_find_ao_: the ambient occlusion of a list of runs
//   MESH_HAS_BYTES      mesh_put_bytes_: bits of eight registers of words as bytes
//
// docs/meshing.md explains the algorithm.

#define MESH_JOIN_(name, suffix) mesh_##name##_##suffix
#define MESH_JOIN(name, suffix) MESH_JOIN_(name, suffix)
#define MESH(name) MESH_JOIN(name, MESH_SUFFIX)
#define MESH_INLINE MESH_TARGET static inline __attribute__((always_inline))
/// For code that all directions share: inlined into each, it would not fit into the instruction
/// cache.
#define MESH_SHARED MESH_TARGET static __attribute__((noinline))
#define MESH_REGISTERS (TRN_MESH_EDGE / MESH_LANES)

#include "mesh_kernels_lanes.h"

// ---- opaque voxels -----------------------------------------------------------------------------

/// Pads one row in all three layers, from the words of three chunks adjacent along x.
/// @param row  local, y * 32 + z
MESH_INLINE void MESH(pad_row)(TrnMeshScratch *scratch, const TrnMask *chunks, uint32_t row, int at)
{
    const uint32_t own = trn_mask_row(chunks[1], row);
    scratch->own[at] = own;
    scratch->left[at] = own << 1 | trn_mask_row(chunks[0], row) >> 31;
    scratch->right[at] = own >> 1 | trn_mask_row(chunks[2], row) << 31;
}

/// Pads all rows of one y.
/// @param chunks  [9] the chunks of one layer
/// @param y       local, of the rows in those chunks
/// @param to      -1..32, where the rows go
MESH_INLINE void MESH(pad_line)(TrnMeshScratch *scratch, const TrnMask *chunks, uint32_t y, int to)
{
    for (uint32_t half = 0; half < 2; half++) {
        const uint32_t *left = trn_mask_half(chunks[3], 2 * y + half);
        const uint32_t *own = trn_mask_half(chunks[4], 2 * y + half);
        const uint32_t *right = trn_mask_half(chunks[5], 2 * y + half);
        for (int lane = 0; lane < TRN_HALF_ROWS; lane += MESH_LANES) {
            const MeshLanes bits = MESH(load)(own + lane);
            const int at = TRN_MESH_AT(to, (int)half * TRN_HALF_ROWS + lane);
            MESH(store)(scratch->own + at, bits);
            MESH(store)(scratch->left + at, bits << 1 | MESH(load)(left + lane) >> 31);
            MESH(store)(scratch->right + at, bits >> 1 | MESH(load)(right + lane) << 31);
        }
    }
    MESH(pad_row)
    (scratch, chunks, y * TRN_MESH_EDGE + TRN_MESH_EDGE - 1, TRN_MESH_AT(to, -1));
    MESH(pad_row)(scratch, chunks + 6, y * TRN_MESH_EDGE, TRN_MESH_AT(to, TRN_MESH_EDGE));
}

/// Pads all rows of one y with one word: the line is full in all chunks of its layer, or empty.
MESH_INLINE void MESH(pad_line_with)(TrnMeshScratch *scratch, uint32_t bits, int to)
{
    uint32_t *const layers[3] = {scratch->own, scratch->left, scratch->right};
    for (int i = 0; i < 3; i++) {
        uint32_t *rows = layers[i] + TRN_MESH_AT(to, 0);
        rows[-1] = rows[TRN_MESH_EDGE] = bits;
        for (int lane = 0; lane < TRN_MESH_EDGE; lane += MESH_LANES) {
            MESH(store)(rows + lane, MESH(all)(bits));
        }
    }
}

/// Pads the lines low..high and the lines adjacent to them.
MESH_INLINE void MESH(pad)(const TrnMeshWork *work, int low, int high)
{
    if (low == 0) {
        MESH(pad_line)(work->scratch, work->opaque, TRN_MESH_EDGE - 1, -1);
    }
    if (high == TRN_MESH_EDGE - 1) {
        MESH(pad_line)(work->scratch, work->opaque + 18, 0, TRN_MESH_EDGE);
    }
    uint64_t any = 0, all = UINT64_MAX;
    for (int i = 9; i < 18; i++) {
        any |= work->opaque[i].any;
        all &= work->opaque[i].all;
    }
    const int first = low > 0 ? low - 1 : 0, last = high < TRN_MESH_EDGE - 1 ? high + 1 : high;
    for (int y = first; y <= last; y++) {
        const bool is_full = (all >> 2 * y & 3) == 3;
        if (is_full || !(any >> 2 * y & 3)) {
            MESH(pad_line_with)(work->scratch, is_full ? UINT32_MAX : 0, y);
        } else {
            MESH(pad_line)(work->scratch, work->opaque + 9, (uint32_t)y, y);
        }
    }
}

/// Transposes the rows of one y.
/// @param has_sides  also write the left and right layers
MESH_INLINE void MESH(transpose_line)(TrnMeshScratch *scratch, int y, bool has_sides)
{
    const int at = TRN_MESH_AT(y, 0);
    const uint32_t *own = scratch->own + at, *left = scratch->left + at;
    const uint32_t *right = scratch->right + at;
    uint32_t *transposed = scratch->transposed_own + at;
    MESH(transpose)(own, transposed);
    uint32_t below = 0, above = 0; // bit z: the voxels at x = -1 and at x = 32
    for (uint32_t lane = 0; lane < TRN_MESH_EDGE; lane += MESH_LANES) {
        below |= MESH(nonzero)(MESH(load)(left + lane) << 31) << lane;
        above |= MESH(nonzero)(MESH(load)(right + lane) >> 31) << lane;
    }
    transposed[-1] = below;
    transposed[TRN_MESH_EDGE] = above;
    if (!has_sides) {
        return;
    }
    uint32_t *transposed_left = scratch->transposed_left + at,
             *transposed_right = scratch->transposed_right + at;
    for (uint32_t lane = 0; lane < TRN_MESH_EDGE; lane += MESH_LANES) {
        const MeshLanes bits = MESH(load)(transposed + lane);
        MESH(store)(transposed_left + lane, bits << 1 | MESH(spread)(own[-1], lane, 1));
        MESH(store)
        (transposed_right + lane,
         bits >> 1 | MESH(spread)(own[TRN_MESH_EDGE], lane, UINT32_C(1) << 31));
    }
    transposed_left[-1] = below << 1 | (left[-1] & 1);
    transposed_right[-1] = below >> 1 | (left[TRN_MESH_EDGE] & 1) << 31;
    transposed_left[TRN_MESH_EDGE] = above << 1 | right[-1] >> 31;
    transposed_right[TRN_MESH_EDGE] = above >> 1 | right[TRN_MESH_EDGE] >> 31 << 31;
}

/// Finds and marks the rows that own a visible face: a voxel with a neighbour that is not opaque.
/// @param voxels  the padded layer of those that may own one
/// @return bit y: some row of that line does
MESH_INLINE uint32_t MESH(find_active)(TrnMeshWork *work, const uint32_t *voxels, int low, int high)
{
    TrnMeshScratch *scratch = work->scratch;
    uint32_t shown_y = 0, shown_z = 0;
    MeshLanes shown_x = {0};
    for (int y = low; y <= high; y++) {
        uint32_t active = 0;
        for (int lane = 0; lane < TRN_MESH_EDGE; lane += MESH_LANES) {
            const int at = TRN_MESH_AT(y, lane);
            const uint32_t *own = scratch->own + at;
            const MeshLanes hidden = MESH(load)(own - TRN_MESH_PITCH) &
                                     MESH(load)(own + TRN_MESH_PITCH) & MESH(load)(own - 1) &
                                     MESH(load)(own + 1) & MESH(load)(scratch->left + at) &
                                     MESH(load)(scratch->right + at);
            const MeshLanes shown = MESH(load)(voxels + at) & ~hidden;
            active |= MESH(nonzero)(shown) << lane;
            shown_x |= shown;
        }
        scratch->active[y] = active;
        shown_z |= active;
        shown_y |= (uint32_t)(active != 0) << y;
    }
    work->shown_x |= MESH(fold)(shown_x);
    work->shown_y |= shown_y;
    work->shown_z |= shown_z;
    return shown_y;
}

// ---- entries and links -------------------------------------------------------------------------

#ifndef MESH_HAS_SAME
/// Bit i of the result: entries i of two rows are equal.
MESH_INLINE uint32_t MESH(same)(const uint8_t *a, const uint8_t *b)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < TRN_MESH_EDGE; i += 8) {
        uint64_t left, right;
        __builtin_memcpy(&left, a + i, sizeof left);
        __builtin_memcpy(&right, b + i, sizeof right);
        // Sets the top bit of each byte that differs. The addition carries into the top bit and
        // never beyond.
        const uint64_t differs = left ^ right, low = UINT64_C(0x7F7F7F7F7F7F7F7F);
        const uint64_t tops = (((differs & low) + low) | differs) & ~low;
        // The multiplication gathers the eight bits.
        const uint64_t eight = (tops >> 7) * UINT64_C(0x0102040810204080) >> 56;
        same |= (uint32_t)(~eight & 255) << i;
    }
    return same;
}

MESH_INLINE uint32_t MESH(same_blocks)(const TrnBlock *a, const TrnBlock *b)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < TRN_MESH_EDGE; i++) {
        same |= (uint32_t)(a[i] == b[i]) << i;
    }
    return same;
}
#endif

#ifndef MESH_HAS_DECODE
MESH_INLINE void MESH(decode_row)(const TrnPayload *payload, uint32_t row, uint8_t *entries)
{
    trn_snapshot_entries((TrnSnapshot){(uintptr_t)payload}, row, 1, entries);
}
#endif

/// Decodes the rows of a mask, unless they are decoded already.
MESH_INLINE void MESH(decode_rows)(TrnMeshWork *work, const uint32_t *rows, uint32_t lines)
{
    uint8_t *entries = work->scratch->entries;
    if (work->blocks) {
        return;
    }
    for (lines &= ~work->decoded; lines; lines &= lines - 1) {
        const uint32_t y = (uint32_t)__builtin_ctz(lines);
        for (uint32_t rest = rows[y]; rest; rest &= rest - 1) {
            const uint32_t row = y * TRN_MESH_EDGE + (uint32_t)__builtin_ctz(rest);
            if (work->payload) {
                MESH(decode_row)(work->payload, row, entries + (size_t)row * TRN_MESH_EDGE);
            } else {
                __builtin_memset(entries + (size_t)row * TRN_MESH_EDGE, 0, TRN_MESH_EDGE);
            }
        }
    }
}

/// Computes the links of the rows of a mask. Links to rows outside the mask, and from the last
/// voxel of a row, have no meaning.
MESH_INLINE void MESH(link_rows)(const TrnMeshWork *work, const uint32_t *rows, uint32_t lines)
{
    TrnMeshScratch *scratch = work->scratch;
    for (; lines; lines &= lines - 1) {
        const uint32_t y = (uint32_t)__builtin_ctz(lines);
        for (uint32_t rest = rows[y]; rest; rest &= rest - 1) {
            const uint32_t row = y * TRN_MESH_EDGE + (uint32_t)__builtin_ctz(rest);
            const size_t z_step = row % TRN_MESH_EDGE < 31 ? 32 : 0, y_step = y < 31 ? 1024 : 0;
            // The last row must not be read past its end, so its links come from one voxel earlier.
            const uint32_t last = row == TRN_MESH_ROWS - 1;
            const size_t at = (size_t)row * TRN_MESH_EDGE - last, line = TRN_MESH_EDGE + row;
            if (work->blocks) {
                const TrnBlock *blocks = work->blocks + at;
                scratch->link_x[line] = MESH(same_blocks)(blocks, blocks + 1) >> last;
                scratch->link_z[line] = MESH(same_blocks)(blocks, blocks + z_step);
                scratch->link_y[line] = MESH(same_blocks)(blocks, blocks + y_step);
            } else {
                const uint8_t *entries = work->entries + at;
                scratch->link_x[line] = MESH(same)(entries, entries + 1) >> last;
                scratch->link_z[line] = MESH(same)(entries, entries + z_step);
                scratch->link_y[line] = MESH(same)(entries, entries + y_step);
            }
        }
    }
}

// ---- runs --------------------------------------------------------------------------------------

/// The runs of MESH_LANES rows.
typedef struct MESH(Runs) {
    MeshLanes shown, first, last;
    MeshLanes flat; ///< faces whose ambient occlusion is constant across rows
} MESH(Runs);
#define MeshRuns MESH(Runs)

/// How dark a corner is, as two bits of a sum. Two opaque sides make it darkest, whatever the
/// corner holds.
MESH_INLINE MeshLanes MESH(dark_low)(MeshLanes side, MeshLanes other, MeshLanes corner)
{
    return (side ^ other ^ corner) | (side & other);
}

MESH_INLINE MeshLanes MESH(dark_high)(MeshLanes side, MeshLanes other, MeshLanes corner)
{
    return (side & other) | (corner & (side | other));
}

/// Compares the ambient occlusion of each face's corners.
/// @param at     the row in front
/// @param along  receives the faces whose ambient occlusion is constant along the row
/// @return the faces whose ambient occlusion is constant across rows
MESH_INLINE MeshLanes MESH(find_flat)(const TrnMeshSide *side, int at, MeshLanes *along)
{
    const int next = at + side->row_step, before = at - side->row_step;
    const MeshLanes left = MESH(load)(side->left + at), right = MESH(load)(side->right + at);
    const MeshLanes low = MESH(load)(side->middle + before), high = MESH(load)(side->middle + next);
    const MeshLanes c00 = MESH(load)(side->left + before), c10 = MESH(load)(side->right + before);
    const MeshLanes c01 = MESH(load)(side->left + next), c11 = MESH(load)(side->right + next);
    const MeshLanes a00 = MESH(dark_low)(left, low, c00), b00 = MESH(dark_high)(left, low, c00);
    const MeshLanes a10 = MESH(dark_low)(right, low, c10), b10 = MESH(dark_high)(right, low, c10);
    const MeshLanes a01 = MESH(dark_low)(left, high, c01), b01 = MESH(dark_high)(left, high, c01);
    const MeshLanes a11 = MESH(dark_low)(right, high, c11);
    const MeshLanes b11 = MESH(dark_high)(right, high, c11);
    *along = ~((a00 ^ a10) | (b00 ^ b10) | (a01 ^ a11) | (b01 ^ b11));
    return ~((a00 ^ a01) | (b00 ^ b01) | (a10 ^ a11) | (b10 ^ b11));
}

MESH_INLINE MeshRuns MESH(find_runs)(const TrnMeshSide *side, int y, int lane, bool has_ao)
{
    const int at = TRN_MESH_FROM_ORIGIN(y, lane);
    MeshLanes link = MESH(load)(side->along + TRN_MESH_LINE(y) + lane);
    MeshRuns runs;
    runs.shown = MESH(load)(side->own + at) & ~MESH(load)(side->front + at);
    runs.flat = MESH(all)(UINT32_MAX);
    if (has_ao) {
        MeshLanes along;
        runs.flat = MESH(find_flat)(side, at, &along);
        link &= along & along >> 1;
    }
    const MeshLanes goes_on = runs.shown & (runs.shown & link) << 1;
    runs.first = runs.shown & ~goes_on;
    runs.last = runs.shown & ~(goes_on >> 1);
    return runs;
}

MESH_INLINE MeshRuns MESH(no_runs)(void)
{
    const MeshLanes none = {0};
    const MeshRuns runs = {none, none, none, none};
    return runs;
}

/// Finds the runs that the next row does not continue with the same ends.
/// @param link  faces that can merge with those of the next row
/// @return the last bits of those runs
MESH_INLINE MeshLanes MESH(find_ends)(const MeshRuns *runs, const MeshRuns *next, MeshLanes link)
{
    const MeshLanes differs = (runs->first ^ next->first) | (runs->last ^ next->last);
    const MeshLanes bad = runs->shown & (differs | ~(next->shown & link));
    // A run ends if any of its bits is bad. Its bits except the last are all 1, so adding any bad
    // bit to them carries into the last bit, and no farther.
    const MeshLanes inner = runs->shown & ~runs->last;
    return runs->last & ((inner + (bad & inner)) | bad);
}

/// Records which runs end and start in a row.
/// @param before  last bits of the runs that continue from the previous row
MESH_INLINE void MESH(store_runs)(TrnMeshScratch *scratch, int at, const MeshRuns *runs,
                                  MeshLanes before, MeshLanes ended)
{
    MESH(store)(scratch->first + at, runs->first);
    MESH(store)(scratch->single + at, ended & ~before);
    MESH(store)(scratch->opening + at, runs->last & ~(ended | before));
    MESH(store)(scratch->closing + at, ended & before);
}

/// Finds the runs of vertical planes, whose next row is in the next line.
MESH_INLINE void MESH(merge_vertical)(TrnMeshScratch *scratch, TrnMeshSide *side, bool has_ao)
{
    MeshLanes wide = {0};
    for (int lane = 0; lane < TRN_MESH_EDGE; lane += MESH_LANES) {
        MeshRuns runs = MESH(find_runs)(side, side->low, lane, has_ao);
        MeshLanes before = {0};
        for (int y = side->low; y <= side->high; y++) {
            MeshRuns next = MESH(no_runs)();
            if (y < side->high) {
                next = MESH(find_runs)(side, y + 1, lane, has_ao);
            }
            const MeshLanes link =
                MESH(load)(side->across + TRN_MESH_LINE(y) + lane) & runs.flat & next.flat;
            const MeshLanes ended = MESH(find_ends)(&runs, &next, link);
            MESH(store_runs)(scratch, y * TRN_MESH_EDGE + lane, &runs, before, ended);
            wide |= runs.first ^ runs.last;
            before = runs.last & ~ended;
            runs = next;
        }
    }
    side->is_narrow = !MESH(nonzero)(wide);
    for (int y = side->low; y <= side->high; y++) {
        const int at = y * TRN_MESH_EDGE;
        scratch->single_lines[y] = MESH(nonzero_line)(scratch->single + at);
        scratch->opening_lines[y] = MESH(nonzero_line)(scratch->opening + at);
        scratch->closing_lines[y] = MESH(nonzero_line)(scratch->closing + at);
    }
}

/// Finds the runs of one horizontal plane, whose next row is in the next lane.
/// @return nonzero lanes if a run is wider than one voxel
MESH_INLINE MeshLanes MESH(merge_line)(TrnMeshScratch *scratch, const TrnMeshSide *side, int y,
                                       bool has_ao)
{
    MeshRuns runs[MESH_REGISTERS + 1];
    MeshLanes any = {0}, wide = {0}, gone_on = {0};
    for (int i = 0; i < MESH_REGISTERS; i++) {
        runs[i] = MESH(find_runs)(side, y, i * MESH_LANES, has_ao);
        any |= runs[i].shown;
    }
    scratch->single_lines[y] = scratch->opening_lines[y] = scratch->closing_lines[y] = 0;
    if (!MESH(nonzero)(any)) {
        return wide;
    }
    runs[MESH_REGISTERS] = MESH(no_runs)();
    for (int i = 0; i < MESH_REGISTERS; i++) {
        const MeshRuns *now = &runs[i], *then = &runs[i + 1];
        const MeshRuns next = {
            MESH(after)(now->shown, then->shown), MESH(after)(now->first, then->first),
            MESH(after)(now->last, then->last), MESH(after)(now->flat, then->flat)};
        const int lane = i * MESH_LANES;
        const MeshLanes link =
            MESH(load)(side->across + TRN_MESH_LINE(y) + lane) & now->flat & next.flat;
        const MeshLanes ended = MESH(find_ends)(now, &next, link);
        const MeshLanes goes_on = now->last & ~ended;
        const MeshLanes before = MESH(before)(gone_on, goes_on);
        MESH(store_runs)(scratch, y * TRN_MESH_EDGE + lane, now, before, ended);
        scratch->single_lines[y] |= MESH(nonzero)(ended & ~before) << lane;
        scratch->opening_lines[y] |= MESH(nonzero)(goes_on & ~before) << lane;
        scratch->closing_lines[y] |= MESH(nonzero)(ended & before) << lane;
        wide |= now->first ^ now->last;
        gone_on = goes_on;
    }
    return wide;
}

MESH_INLINE void MESH(merge_horizontal)(TrnMeshScratch *scratch, TrnMeshSide *side, bool has_ao)
{
    MeshLanes wide = {0};
    for (int y = side->low; y <= side->high; y++) {
        wide |= MESH(merge_line)(scratch, side, y, has_ao);
    }
    side->is_narrow = !MESH(nonzero)(wide);
}

MESH_SHARED void MESH(merge_without_ao)(TrnMeshScratch *scratch, TrnMeshSide *side)
{
    if (side->is_horizontal) {
        MESH(merge_horizontal)(scratch, side, false);
    } else {
        MESH(merge_vertical)(scratch, side, false);
    }
}

MESH_SHARED void MESH(merge_with_ao)(TrnMeshScratch *scratch, TrnMeshSide *side)
{
    if (side->is_horizontal) {
        MESH(merge_horizontal)(scratch, side, true);
    } else {
        MESH(merge_vertical)(scratch, side, true);
    }
}

/// Finds the runs of one direction.
MESH_INLINE void MESH(merge)(TrnMeshScratch *scratch, TrnMeshSide *side)
{
    if (side->has_ao) {
        MESH(merge_with_ao)(scratch, side);
    } else {
        MESH(merge_without_ao)(scratch, side);
    }
}

// ---- quads -------------------------------------------------------------------------------------

/// Returns a voxel's linear index in a transposed layer: swaps the two lower fields of five bits.
/// @param at  row * 32 + bit
MESH_INLINE uint32_t MESH(transposed_voxel)(uint32_t at)
{
    return (at & 0x7C00) | (at & 31) << 5 | (at >> 5 & 31);
}

/// Returns the width of a run, less one.
/// @param last  row * 32 + bit
MESH_INLINE uint32_t MESH(width)(const TrnMeshScratch *scratch, uint32_t last)
{
    return (uint32_t)__builtin_clz(scratch->first[last / TRN_MESH_EDGE] << (~last & 31));
}

/// Looks up the ambient occlusion of a face.
/// @param row  y * 32 + lane
MESH_INLINE uint8_t MESH(face_ao)(const TrnMeshSide *side, uint32_t row, uint32_t bit)
{
    const uint32_t at = row + (row >> 5 << 4); // TRN_MESH_FROM_ORIGIN(y, lane)
    // Bit i is voxel i - 1 in `left` and i + 1 in `right`. In one of them all three bits lie in the
    // same word.
    const uint32_t *rows = (bit < 16 ? side->left : side->right) + at;
    const uint32_t shift = bit < 16 ? bit : bit - 2;
    return trn_mesh_ao[(rows[-side->row_step] >> shift & 7) | (rows[0] >> shift & 7) << 3 |
                       (rows[side->row_step] >> shift & 7) << 6];
}

/// Packs the lower halves of quads, without their ambient occlusion.
/// @param last    row * 32 + bit
/// @param height  how many earlier rows share the run
MESH_INLINE MeshLanes MESH(pack_low)(const TrnMeshSide *side, MeshLanes last, MeshLanes width,
                                     MeshLanes height)
{
    const MeshLanes start = (last & 31) - width, lane = last >> 5 & 31, y = last >> 10;
    // Earlier rows lie along y or, in horizontal planes, along the lanes.
    const MeshLanes lowest = (start << side->start_shift) + (lane << side->lane_shift) + (y << 5) -
                             (height << side->height_shift);
    return lowest | width << 15 | height << 20 | MESH(all)(side->face << 25);
}

/// Returns how many of `count` quads still fit into the capacity.
MESH_INLINE uint32_t MESH(writable)(const TrnMeshWork *work, uint32_t count)
{
    const size_t writable = work->count < work->capacity ? work->capacity - work->count : 0;
    return writable < count ? (uint32_t)writable : count;
}

#ifndef MESH_HAS_AO
/// Looks up the ambient occlusion of the listed runs, whose widths are known.
MESH_INLINE void MESH(find_ao)(TrnMeshScratch *scratch, const TrnMeshSide *side, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t last = scratch->list[i];
        const uint32_t start = last % TRN_MESH_EDGE - scratch->list_width[i];
        scratch->list_ao[i] = MESH(face_ao)(side, last / TRN_MESH_EDGE, start);
    }
}
#endif

/// Returns where in `starts` a run's starting rows are recorded, and finds the row of its last
/// voxel.
MESH_INLINE uint32_t MESH(column)(const TrnMeshSide *side, uint32_t last, uint32_t *row)
{
    *row = side->is_horizontal ? last >> 5 & 31 : last >> 10;
    return side->is_horizontal ? (last >> 10) << 5 | (last & 31) : last & 1023;
}

/// Returns how many earlier rows share a run.
MESH_INLINE uint32_t MESH(height)(const TrnMeshScratch *scratch, const TrnMeshSide *side,
                                  uint32_t last)
{
    uint32_t row;
    const uint32_t starts = scratch->starts[MESH(column)(side, last, &row)];
    // The run started in the last recorded row before this one.
    return 1 + (uint32_t)__builtin_clz(starts << 1 << (31 - row));
}

/// Looks up the width and block of each listed run. These are scattered loads.
/// @param voxels  the index of a voxel of each run
MESH_INLINE void MESH(look_up_all)(TrnMeshScratch *scratch, const uint16_t *voxels,
                                   const TrnBlock *palette, const uint8_t *entries, uint32_t count,
                                   bool is_narrow)
{
#pragma GCC unroll 4
    for (uint32_t i = 0; i < count; i++) {
        if (!is_narrow) {
            scratch->list_width[i] = (uint16_t)MESH(width)(scratch, scratch->list[i]);
        }
        scratch->list_block[i] = palette[entries[voxels[i]]];
    }
}

MESH_INLINE void MESH(look_up)(const TrnMeshWork *work, const TrnMeshSide *side, uint32_t count)
{
    TrnMeshScratch *scratch = work->scratch;
    for (uint32_t i = 0; i < count && side->is_transposed; i++) {
        scratch->list_voxel[i] = (uint16_t)MESH(transposed_voxel)(scratch->list[i]);
    }
    const uint16_t *voxels = side->is_transposed ? scratch->list_voxel : scratch->list;
    if (work->blocks) {
        for (uint32_t i = 0; i < count; i++) {
            scratch->list_width[i] = (uint16_t)MESH(width)(scratch, scratch->list[i]);
            scratch->list_block[i] = work->blocks[voxels[i]];
        }
    } else if (side->is_narrow) {
        MESH(look_up_all)(scratch, voxels, work->palette, work->entries, count, true);
    } else if (side->is_transposed) {
        MESH(look_up_all)(scratch, scratch->list_voxel, work->palette, work->entries, count, false);
    } else {
        MESH(look_up_all)(scratch, scratch->list, work->palette, work->entries, count, false);
    }
    if (side->is_narrow) {
        __builtin_memset(scratch->list_width, 0, count * sizeof scratch->list_width[0]);
    }
}

/// Turns the listed runs into quads.
MESH_SHARED void MESH(put_list)(TrnMeshWork *work, const TrnMeshSide *side, uint32_t count,
                                bool is_tall)
{
    TrnMeshScratch *scratch = work->scratch;
    const uint32_t fits = MESH(writable)(work, count);
    // A caller that only counts passes NULL, to which not even 0 may be added.
    TrnQuad *quads = fits ? work->quads + work->count : work->quads;
    MESH(look_up)(work, side, fits);
    if (side->has_ao) {
        MESH(find_ao)(scratch, side, fits);
    }
    for (uint32_t i = 0; i < fits && is_tall; i++) {
        scratch->list_height[i] = (uint16_t)MESH(height)(scratch, side, scratch->list[i]);
    }
    for (uint32_t i = 0; i < fits; i += MESH_LANES) {
        const MeshLanes ao = side->has_ao ? MESH(widen)(scratch->list_ao + i) : MESH(all)(255);
        const MeshLanes height = is_tall ? MESH(widen)(scratch->list_height + i) : MESH(all)(0);
        const MeshLanes low = MESH(pack_low)(side, MESH(widen)(scratch->list + i),
                                             MESH(widen)(scratch->list_width + i), height);
        const MeshLanes high = MESH(widen)(scratch->list_block + i) << 4 | ao >> 4;
        TrnQuad some[MESH_LANES];
        const bool is_whole = i + MESH_LANES <= fits;
        MESH(zip)(is_whole ? quads + i : some, low | ao << 28, high);
        if (!is_whole) {
            __builtin_memcpy(quads + i, some, (fits - i) * sizeof *quads);
        }
    }
    work->count += count;
}

#ifndef MESH_HAS_LIST
/// Lists the bits of a row as row * 32 + bit.
/// @return the end of the list; up to 32 entries after it may be overwritten
MESH_INLINE uint16_t *MESH(list_bits)(uint16_t *list, uint32_t row, uint32_t bits)
{
    const uint32_t count = (uint32_t)__builtin_popcount(bits);
    // Four at a time, so that most rows take no branch: with two, caves took a fifth longer.
    for (uint32_t i = 0; i < count; i += 4) {
        for (uint32_t k = 0; k < 4; k++) {
            list[i + k] =
                (uint16_t)(row * TRN_MESH_EDGE + (uint32_t)__builtin_ctz(bits | 1u << 31));
            bits &= bits - 1;
        }
    }
    return list + count;
}
#endif

/// Lists the rows that `lines` marks.
/// @return how many there are
MESH_INLINE uint32_t MESH(list_rows)(TrnMeshScratch *scratch, const TrnMeshSide *side,
                                     const uint32_t *lines)
{
    uint16_t *end = scratch->rows;
    for (int y = side->low; y <= side->high; y++) {
        end = MESH(list_bits)(end, (uint32_t)y, lines[y]);
    }
    return (uint32_t)(end - scratch->rows);
}

/// Records the rows in which the listed runs start.
MESH_SHARED void MESH(mark_starts)(TrnMeshScratch *scratch, const TrnMeshSide *side, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row;
        const uint32_t column = MESH(column)(side, scratch->list[i], &row);
        scratch->starts[column] |= UINT32_C(1) << row;
    }
}

/// What use_bits does with the listed runs.
typedef enum MESH(Use) { MESH(PUT_SINGLES), MESH(MARK_STARTS), MESH(PUT_TALL) } MESH(Use);

/// Lists all bits of the rows in scratch->rows, and uses them in batches.
/// @param layer  [y * 32 + lane]
/// @param rows   how many entries of scratch->rows
MESH_SHARED void MESH(use_bits)(TrnMeshWork *work, const TrnMeshSide *side, const uint32_t *layer,
                                uint32_t rows, MESH(Use) use)
{
    TrnMeshScratch *scratch = work->scratch;
    for (uint32_t i = 0; i < rows;) {
        uint16_t *end = scratch->list;
        for (; i < rows && end <= scratch->list + TRN_MESH_LIST - TRN_MESH_EDGE; i++) {
            end = MESH(list_bits)(end, scratch->rows[i], layer[scratch->rows[i]]);
        }
        const uint32_t count = (uint32_t)(end - scratch->list);
        if (use == MESH(MARK_STARTS)) {
            MESH(mark_starts)(scratch, side, count);
        } else {
            MESH(put_list)(work, side, count, use == MESH(PUT_TALL));
        }
    }
}

/// Appends the quads of one direction: first those one row high, then the others.
MESH_SHARED void MESH(emit)(TrnMeshWork *work, const TrnMeshSide *side)
{
    TrnMeshScratch *scratch = work->scratch;
    uint32_t rows = MESH(list_rows)(scratch, side, scratch->single_lines);
    MESH(use_bits)(work, side, scratch->single, rows, MESH(PUT_SINGLES));
    rows = MESH(list_rows)(scratch, side, scratch->opening_lines);
    if (!rows) {
        return;
    }
    __builtin_memset(scratch->starts, 0, sizeof scratch->starts);
    MESH(use_bits)(work, side, scratch->opening, rows, MESH(MARK_STARTS));
    rows = MESH(list_rows)(scratch, side, scratch->closing_lines);
    MESH(use_bits)(work, side, scratch->closing, rows, MESH(PUT_TALL));
}

#include "mesh_kernels_light.h"

#include "mesh_kernels_corners.h"

#include "mesh_kernels_light_merge.h" // uses the corners

#include "mesh_kernels_light_quads.h"

// ---- sides -------------------------------------------------------------------------------------

/// Cuts the links of a direction between faces whose bytes differ.
/// @param bytes  [TRN_CHUNK_VOXELS]
MESH_SHARED void MESH(cut_bytes)(TrnMeshScratch *scratch, TrnMeshSide *side, const uint8_t *bytes)
{
    for (int y = side->low; y <= side->high; y++) {
        uint32_t along[TRN_MESH_EDGE], across[TRN_MESH_EDGE], turned[TRN_MESH_EDGE];
        for (uint32_t z = 0; z < TRN_MESH_EDGE; z++) {
            // As in link_rows().
            const uint32_t row = (uint32_t)y * TRN_MESH_EDGE + z, last = row == TRN_MESH_ROWS - 1;
            const uint8_t *const at = bytes + (size_t)row * TRN_MESH_EDGE - last;
            const uint8_t *const next_z = at + (z < 31 ? 32 : 0),
                                 *next_y = at + (y < 31 ? 1024 : 0);
            along[z] =
                side->is_transposed ? MESH(same)(at, next_z) : MESH(same)(at, at + 1) >> last;
            across[z] = MESH(same)(at, side->is_horizontal ? next_z : next_y);
        }
        if (side->is_transposed) {
            MESH(transpose)(along, turned);
            __builtin_memcpy(along, turned, sizeof along);
            MESH(transpose)(across, turned);
            __builtin_memcpy(across, turned, sizeof across);
        }
        for (int lane = 0; lane < TRN_MESH_EDGE; lane += MESH_LANES) {
            const ptrdiff_t to = TRN_MESH_LINE(y) + lane;
            MESH(store)
            (scratch->byte_along + to, MESH(load)(side->along + to) & MESH(load)(along + lane));
            MESH(store)
            (scratch->byte_across + to, MESH(load)(side->across + to) & MESH(load)(across + lane));
        }
    }
    side->along = scratch->byte_along;
    side->across = scratch->byte_across;
}

/// Finds the runs of one direction: cuts its links where faces must not merge, and merges the rest.
MESH_INLINE void MESH(merge_side)(TrnMeshWork *work, TrnMeshSide *side)
{
    const uint8_t *user_bytes = work->input->user_bytes[side->face];
    if (work->input->without_merging) {
        side->along = side->across = trn_mesh_no_links;
        MESH(merge)(work->scratch, side);
        return;
    }
    if (side->levels) {
        MESH(cut_bytes)(work->scratch, side, side->levels);
    }
    if (user_bytes) {
        MESH(cut_bytes)(work->scratch, side, user_bytes);
    }
    if (work->has_light) {
        MESH(light_side)(work, side);
    }
    MESH(merge)(work->scratch, side);
}

#include "mesh_kernels_opaque.h"

#include "mesh_kernels_cutout.h" // uses the opaque ones
#include "mesh_kernels_transparent.h"

static const TrnMeshKernels MESH(kernels) = {MESH_KERNELS_NAME,
                                             {[TRN_MESH_SURFACE_OPAQUE] = MESH(opaque),
                                              [TRN_MESH_SURFACE_CUTOUT] = MESH(cutout),
                                              [TRN_MESH_SURFACE_PLANT] = trn_mesh_put_plants,
                                              [TRN_MESH_SURFACE_TRANSPARENT] = MESH(transparent)},
                                             MESH(put_light),
                                             MESH(turn)};

// Undefined for the next instruction set.
#undef MeshLanes
#undef MeshRuns
#undef MESH_JOIN_
#undef MESH_JOIN
#undef MESH
#undef MESH_INLINE
#undef MESH_SHARED
#undef MESH_REGISTERS
#undef MESH_ROWS_AT_ONCE
#undef MESH_CODES_AT_ONCE
#undef MeshWide
#undef MeshLevel
#undef MeshPair
#undef MeshCounts
#undef MeshCorners
#undef MeshFront
#undef MeshBends
#undef MeshLineBends
#undef MeshLightLines
#undef MeshCodes
#undef MESH_LANES
#undef MESH_SUFFIX
#undef MESH_TARGET
#undef MESH_KERNELS_NAME
#undef MESH_HAS_NONZERO
#undef MESH_HAS_TRANSPOSE
#undef MESH_HAS_DECODE
#undef MESH_HAS_SAME
#undef MESH_HAS_LIST
#undef MESH_HAS_AO
#undef MESH_HAS_BYTES
