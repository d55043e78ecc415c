// The kernels for light: the light of quads, four bytes each, looked up in bytes of corners.
// Included by mesh_kernels_body.h, once for each instruction set.

#ifndef MESH_HAS_BYTES
/// Writes eight bits of each place in some rows as a byte, 34 bytes a row.
/// @param words  [8] registers of MESH_ROWS_AT_ONCE words: bit i of the bytes in each
MESH_INLINE void MESH(put_bytes)(const void *words, uint8_t (*rows)[TRN_LIGHT_EDGE])
{
    enum { USED = (TRN_LIGHT_EDGE + 7) / 8 };
    MeshWide turned[8];
    uint64_t bytes[USED][MESH_ROWS_AT_ONCE];
    __builtin_memcpy(turned, words, sizeof turned);
    MESH(turn_bytes)(turned);
#pragma GCC unroll 5
    for (uint32_t i = 0; i < USED; i++) {
        MESH(store_wide)(bytes[i], MESH(turn_bits)(turned[i]));
    }
#pragma GCC unroll 8
    for (uint32_t i = 0; i < MESH_ROWS_AT_ONCE; i++) {
        for (uint32_t x = 0; x + 8 <= TRN_LIGHT_EDGE; x += 8) {
            __builtin_memcpy(rows[i] + x, &bytes[x / 8][i], 8);
        }
        __builtin_memcpy(rows[i] + (size_t)8 * (USED - 1), &bytes[USED - 1][i], TRN_LIGHT_EDGE % 8);
    }
}
#endif

/// Returns the light of a voxel that is not opaque, as a byte. @param row,bit  where it is
MESH_INLINE uint32_t MESH(light_at)(const TrnMeshWork *work, uint32_t row, uint32_t bit)
{
    uint32_t light = 0;
    for (uint32_t channel = 0; channel < 2; channel++) {
        const TrnMeshLevels *levels = &work->levels[channel];
        uint32_t level = levels->planes ? 0 : levels->constant;
        for (uint32_t i = 0; i < TRN_LIGHT_LEVELS && levels->planes; i++) {
            level |= (uint32_t)(levels->planes[i][row] >> bit & 1) << i;
        }
        light |= level << TRN_LIGHT_LEVELS * channel;
    }
    return light;
}

/// Returns the light of the one voxel of a pair that is not opaque. @param row,bit  of the pair
MESH_INLINE uint8_t MESH(light_of_pair)(const TrnMeshWork *work, uint32_t row, uint32_t axis,
                                        uint32_t bit)
{
    const bool is_own = work->scratch->light.clear[row] >> bit & 1;
    const uint32_t before = axis == 0 ? row - 1 : row, bit_before = axis == 0 ? bit : bit - 1;
    return (uint8_t)MESH(light_at)(work, is_own ? row : before, is_own ? bit : bit_before);
}

/// Writes the light of the split corners of some rows, which are few. @param row  the first
MESH_INLINE void MESH(put_split)(TrnMeshWork *work, uint32_t row, uint32_t axis,
                                 const uint64_t *split)
{
    TrnMeshLight *light = &work->scratch->light;
    for (uint32_t at = row; at < row + MESH_ROWS_AT_ONCE; at++) {
        for (uint64_t rest = split[at - row]; rest; rest &= rest - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(rest);
            light->corners[0][at][bit] =
                MESH(light_of_pair)(work, at - trn_mesh_height_rows(axis), axis, bit);
            light->corners[1][at][bit] = MESH(light_of_pair)(work, at, axis, bit);
        }
    }
}

/// Writes the light of the corners of some rows, and notes that it is known.
/// @param row  one of the rows
MESH_INLINE void MESH(write_corners)(TrnMeshWork *work, uint32_t row, uint32_t axis)
{
    TrnMeshLight *light = &work->scratch->light;
    const uint32_t offset = row % TRN_LIGHT_EDGE;
    const uint32_t first = row - offset + MESH(first_at_once)(offset);
    uint8_t(*low)[TRN_LIGHT_EDGE] = light->corners[0] + first;
    uint8_t(*high)[TRN_LIGHT_EDGE] = light->corners[1] + first;
    const MeshCorners corners = MESH(light_corners)(work, first, axis);
    uint64_t split[MESH_ROWS_AT_ONCE], any = 0;
    MESH(store_wide)(split, corners.split);
    for (uint32_t i = 0; i < MESH_ROWS_AT_ONCE; i++) {
        any |= split[i];
    }
    MESH(put_bytes)(corners.mean, high);
    __builtin_memcpy(low, high, sizeof(uint8_t[MESH_ROWS_AT_ONCE][TRN_LIGHT_EDGE]));
    if (any) {
        MESH(put_split)(work, first, axis, split);
    }
    __builtin_memset(light->has_corners + first, 1, MESH_ROWS_AT_ONCE);
}

/// Finds the light of a quad if light is even in front of its corners; otherwise writes that of the
/// corners.
/// @param row        in front of the low corner of the quad
/// @param end,upper  how many rows from its low corners to the others, along the width and height
/// @param axis       a constant
/// @param even       receives the light
/// @return whether it is even
MESH_SHARED bool MESH(even_or_write)(TrnMeshWork *work, uint32_t row, uint32_t end, uint32_t upper,
                                     uint32_t axis, uint32_t *even)
{
    const TrnMeshLight *light = &work->scratch->light;
    const uint16_t *any = light->any_around[axis] + row, *all = light->all_around[axis] + row;
    const uint32_t last = end ? end - 1 : 0, top = upper - trn_mesh_height_rows(axis);
    if (any[0] == all[0] && any[last] == all[last] && any[top] == all[top] &&
        any[last + top] == all[last + top]) {
        *even = trn_mesh_code_light(any[0]) | trn_mesh_code_light(any[last]) << 8 |
                trn_mesh_code_light(any[top]) << 16 | trn_mesh_code_light(any[last + top]) << 24;
        return true;
    }
    const uint32_t rows[4] = {row, row + upper, row + end, row + end + upper};
    for (uint32_t i = 0; i < 4; i++) {
        if (light->has_corners[rows[i]]) {
            continue;
        }
        if (axis == 0) { // as a constant
            MESH(write_corners)(work, rows[i], 0);
        } else {
            MESH(write_corners)(work, rows[i], axis);
        }
    }
    return false;
}

/// Returns the light of a quad of a direction. @param axis  of the direction, a constant
MESH_INLINE uint32_t MESH(light_of_quad)(TrnMeshWork *work, TrnQuad quad, const MeshFront *front,
                                         uint32_t axis)
{
    const TrnMeshLight *light = &work->scratch->light;
    const uint32_t row =
        TRN_MESH_LIGHT_ROW((int)trn_quad_y(quad) + front->y, (int)trn_quad_z(quad) + front->z);
    const uint32_t width = trn_quad_width(quad), x = trn_quad_x(quad) + front->shift;
    const uint32_t end = axis == 0 ? width : 0, x_end = axis == 0 ? x : x + width;
    const uint32_t upper = trn_quad_height(quad) * trn_mesh_height_rows(axis);
    const uint8_t *has = light->has_corners + row;
    if (!(has[0] & has[upper] & has[end] & has[end + upper])) {
        uint32_t even;
        if (MESH(even_or_write)(work, row, end, upper, axis, &even)) {
            return even;
        }
    }
    // The low corners are in the rows in front of the quad, the high ones in those after them.
    const uint8_t(*low)[TRN_LIGHT_EDGE] = light->corners[1] + row;
    const uint8_t(*high)[TRN_LIGHT_EDGE] = light->corners[0] + row + upper;
    return (uint32_t)low[0][x] | (uint32_t)low[end][x_end] << 8 | (uint32_t)high[0][x] << 16 |
           (uint32_t)high[end][x_end] << 24;
}

/// Computes the light of quads as long as they have the face of the first.
/// @param axis     of the face, a constant
/// @param differs  receives the bits in which words differ from the first, in addition
/// @return how many they are
MESH_INLINE size_t MESH(put_direction)(TrnMeshWork *work, const TrnQuad *quads, size_t count,
                                       uint32_t axis, uint32_t *light, uint32_t *differs)
{
    const uint32_t face = trn_quad_face(quads[0]);
    const MeshFront front = MESH(front_of)(face);
    uint32_t own = 0;
    size_t i = 0;
    for (; i < count && trn_quad_face(quads[i]) == face; i++) {
        light[i] = MESH(light_of_quad)(work, quads[i], &front, axis);
        own |= light[i] ^ light[0];
    }
    *differs |= own;
    return i;
}

/// Computes the light of leaves, which is that of their voxel. Otherwise as put_direction
MESH_INLINE size_t MESH(put_leaves)(const TrnMeshWork *work, const TrnQuad *quads, size_t count,
                                    uint32_t *light, uint32_t *differs)
{
    const uint32_t face = trn_quad_face(quads[0]);
    size_t i = 0;
    for (; i < count && trn_quad_face(quads[i]) == face; i++) {
        const uint32_t row =
            TRN_MESH_LIGHT_ROW((int)trn_quad_y(quads[i]), (int)trn_quad_z(quads[i]));
        const uint32_t bit = trn_quad_x(quads[i]) + 1;
        light[i] = MESH(light_at)(work, row, bit) * 0x01010101u;
        *differs |= light[i] ^ light[0];
    }
    return i;
}

MESH_TARGET static uint32_t MESH(put_light)(TrnMeshWork *work, const TrnQuad *quads, size_t count,
                                            uint32_t *light)
{
    const int low = __builtin_ctz(work->shown_y), high = 31 - __builtin_clz(work->shown_y);
    uint32_t differs = 0, axis_before = TRN_MESH_NO_AXIS;
    MESH(prepare_light)(work, low, high);
    work->corners_axis = TRN_MESH_NO_AXIS; // their bytes take the place of means
    for (size_t i = 0, done; i < count; i += done) {
        const uint32_t axis = trn_quad_face(quads[i]) / 2;
        if (axis != axis_before && axis < TRN_MESH_NO_AXIS) {
            uint8_t *has_corners = work->scratch->light.has_corners;
            __builtin_memset(has_corners, 0, sizeof work->scratch->light.has_corners);
            axis_before = axis;
        }
        const size_t left = count - i;
        switch (axis) {
        case 0:
            done = MESH(put_direction)(work, quads + i, left, 0, light + i, &differs);
            break;
        case 1:
            done = MESH(put_direction)(work, quads + i, left, 1, light + i, &differs);
            break;
        case 2:
            done = MESH(put_direction)(work, quads + i, left, 2, light + i, &differs);
            break;
        default:
            done = MESH(put_leaves)(work, quads + i, left, light + i, &differs);
        }
        differs |= light[i] ^ light[0];
    }
    return differs || light[0] != (light[0] & 255) * 0x01010101u ? TRN_MESH_LIGHT_VARIES : light[0];
}
