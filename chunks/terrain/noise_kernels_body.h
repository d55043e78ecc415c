// The kernels of a noise, written once and compiled for registers of any number of lanes. For each
// instruction set noise_kernels.c defines the following and includes this file:
//   NOISE_LANES     points per register: 1, 4, 8 or 16
//   NOISE_SUFFIX    suffix of all function names
//   NOISE_TARGET    the instruction set as a function attribute, or nothing
//   NOISE_KERNELS_NAME
//   NOISE_CORNERS   defined if it brings its own noise_gradient_2d_ and _3d_
//   NOISE_LIMITS    defined if it brings its own noise_min_ and _max_
//   NOISE_HASHES    defined if it brings noise_pick_, which looks up as many hashes
//
// Every lane performs the same operations in the same order as the scalar kernel. Nothing is
// contracted to a fused multiply-add, reassociated or approximated, so all kernels give the same
// bits.
//
// docs/noise.md lists the variants that were tried and dropped.

#define NOISE_JOIN_(name, suffix) noise_##name##_##suffix
#define NOISE_JOIN(name, suffix) NOISE_JOIN_(name, suffix)
#define NOISE(name) NOISE_JOIN(name, NOISE_SUFFIX)
#define NOISE_INLINE NOISE_TARGET static inline __attribute__((always_inline))

// ---- lanes -------------------------------------------------------------------------------------

#define NoiseFloat NOISE(Float)
#define NoiseInt NOISE(Int)
#define NoiseUint NOISE(Uint)

#if NOISE_LANES == 1
typedef float NoiseFloat;
typedef int32_t NoiseInt;
typedef uint32_t NoiseUint;
#else
typedef float NoiseFloat __attribute__((vector_size(4 * NOISE_LANES)));
typedef int32_t NoiseInt __attribute__((vector_size(4 * NOISE_LANES)));
typedef uint32_t NoiseUint __attribute__((vector_size(4 * NOISE_LANES)));
#endif

NOISE_INLINE NoiseFloat NOISE(load)(const float *from)
{
    NoiseFloat lanes;
    __builtin_memcpy(&lanes, __builtin_assume_aligned(from, sizeof lanes), sizeof lanes);
    return lanes;
}

/// Loads from any address.
NOISE_INLINE NoiseUint NOISE(load_uint)(const uint32_t *from)
{
    NoiseUint lanes;
    __builtin_memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

/// Stores to any address.
NOISE_INLINE void NOISE(store_uint)(uint32_t *to, NoiseUint lanes)
{
    __builtin_memcpy(to, &lanes, sizeof lanes);
}

NOISE_INLINE void NOISE(store)(float *to, NoiseFloat lanes)
{
    __builtin_memcpy(__builtin_assume_aligned(to, sizeof lanes), &lanes, sizeof lanes);
}

NOISE_INLINE NoiseUint NOISE(bits)(NoiseFloat lanes)
{
    NoiseUint bits;
    __builtin_memcpy(&bits, &lanes, sizeof bits);
    return bits;
}

NOISE_INLINE NoiseFloat NOISE(from_bits)(NoiseUint bits)
{
    NoiseFloat lanes;
    __builtin_memcpy(&lanes, &bits, sizeof lanes);
    return lanes;
}

// A comparison gives all ones for true.
#if NOISE_LANES == 1
NOISE_INLINE NoiseUint NOISE(less)(NoiseFloat a, NoiseFloat b)
{
    return 0u - (uint32_t)(a < b);
}

NOISE_INLINE NoiseUint NOISE(less_uint)(NoiseUint a, NoiseUint b)
{
    return 0u - (uint32_t)(a < b);
}

NOISE_INLINE NoiseFloat NOISE(to_float)(NoiseUint lanes)
{
    return (float)(int32_t)lanes;
}

NOISE_INLINE NoiseInt NOISE(to_int)(NoiseFloat lanes)
{
    return (int32_t)lanes;
}

NOISE_INLINE bool NOISE(any)(NoiseUint mask)
{
    return mask != 0;
}
#else
NOISE_INLINE NoiseUint NOISE(less)(NoiseFloat a, NoiseFloat b)
{
    return (NoiseUint)(a < b);
}

NOISE_INLINE NoiseUint NOISE(less_uint)(NoiseUint a, NoiseUint b)
{
    return (NoiseUint)(a < b);
}

/// Lanes must be below 2^31.
NOISE_INLINE NoiseFloat NOISE(to_float)(NoiseUint lanes)
{
    return __builtin_convertvector((NoiseInt)lanes, NoiseFloat);
}

NOISE_INLINE NoiseInt NOISE(to_int)(NoiseFloat lanes)
{
    return __builtin_convertvector(lanes, NoiseInt);
}

NOISE_INLINE bool NOISE(any)(NoiseUint mask)
{
    uint64_t words[NOISE_LANES / 2], all = 0;
    __builtin_memcpy(words, &mask, sizeof words);
    for (int i = 0; i < NOISE_LANES / 2; i++) {
        all |= words[i];
    }
    return all != 0;
}
#endif

#if !defined(NOISE_LIMITS)
/// @param mask  all ones or 0 in each lane
NOISE_INLINE NoiseFloat NOISE(choose)(NoiseUint mask, NoiseFloat yes, NoiseFloat no)
{
    return NOISE(from_bits)((NOISE(bits)(yes) & mask) | (NOISE(bits)(no) & ~mask));
}

NOISE_INLINE NoiseFloat NOISE(min)(NoiseFloat a, NoiseFloat b)
{
    return NOISE(choose)(NOISE(less)(a, b), a, b);
}

NOISE_INLINE NoiseFloat NOISE(max)(NoiseFloat a, NoiseFloat b)
{
    return NOISE(choose)(NOISE(less)(b, a), a, b);
}
#endif

// ---- lattice positions -------------------------------------------------------------------------

/// Lattice positions of a register's points along one axis.
#define NoisePlace NOISE(Place)
typedef struct NoisePlace {
    NoiseUint cell;
    NoiseUint fraction; ///< in units of 2^-32
} NoisePlace;

NOISE_INLINE NoisePlace NOISE(place)(TrnNoiseOffsets offsets, uint32_t point, uint64_t at)
{
    const NoiseUint offset = NOISE(load_uint)(offsets.fraction + point);
    NoisePlace place;
    place.fraction = offset + (uint32_t)at;
    // A sum that wrapped around is less than its operand; the mask of all ones is minus one.
    place.cell = NOISE(load_uint)(offsets.cell + point) + (uint32_t)(at >> 32) -
                 NOISE(less_uint)(place.fraction, offset);
    return place;
}

/// Moves a position by a number of cells, in steps of 2^-20. Bounded to 2,000 cells; NaN moves by
/// the bound.
NOISE_INLINE NoisePlace NOISE(moved)(NoisePlace place, NoiseFloat cells)
{
    const NoiseFloat bounded =
        NOISE(max)(NOISE(min)(cells, (NoiseFloat){0} + 2000.0f), (NoiseFloat){0} - 2000.0f);
    const NoiseInt steps = NOISE(to_int)(bounded * 1048576.0f);
    const NoiseUint low = (NoiseUint)steps << 12;
    place.fraction = place.fraction + low;
    place.cell = place.cell + (NoiseUint)(steps >> 20) - NOISE(less_uint)(place.fraction, low);
    return place;
}

/// The fraction within a cell. A float holds its upper 24 bits exactly.
NOISE_INLINE NoiseFloat NOISE(fraction)(NoisePlace place)
{
    return NOISE(to_float)(place.fraction >> 8) * (1.0f / 16777216.0f);
}

/// The lattice positions of a register's points, by axis, after domain warp.
NOISE_INLINE void NOISE(find)(const TrnNoiseBatch *batch, const TrnNoiseBatchLayer *layer,
                              uint32_t point, int dimensions, bool is_warped, NoisePlace places[3])
{
    for (int axis = 0; axis < 3; axis += 4 - dimensions) {
        places[axis] = NOISE(place)(layer->offsets[axis], batch->first + point, layer->at[axis]);
        if (is_warped) {
            const float *slope = layer->slope[axis];
            NoiseFloat cells = NOISE(load)(batch->warp[0] + point) * slope[0];
            if (dimensions == 3) {
                cells = cells + NOISE(load)(batch->warp[1] + point) * slope[1];
            }
            cells = cells + NOISE(load)(batch->warp[2] + point) * slope[2];
            places[axis] = NOISE(moved)(places[axis], cells);
        }
    }
}

// ---- gradient noise ----------------------------------------------------------------------------

// The primes of XXH32 (Y. Collet). NOISE_PRIME_AXIS was found by C. Wellons.
#define NOISE_PRIME_X 0x9E3779B1u
#define NOISE_PRIME_Y 0x85EBCA77u
#define NOISE_PRIME_Z 0xC2B2AE3Du
#define NOISE_PRIME_AXIS 0x846CA68Bu
#define NOISE_PRIME_MIX 0x27D4EB2Fu

/// One axis's part of a cell's hash. Every bit of the cell number affects every bit of it. The
/// parts are combined by exclusive or, then mixed by one more multiplication.
NOISE_INLINE NoiseUint NOISE(hash_axis)(NoiseUint cell, uint32_t prime, uint32_t seed)
{
    NoiseUint hash = cell * prime + seed;
    hash = (hash ^ (hash >> 15)) * NOISE_PRIME_AXIS;
    return hash ^ (hash >> 16);
}

#if !defined(NOISE_CORNERS)
/// Looks up the gradient of each lane, component by component.
NOISE_INLINE void NOISE(look_up)(const TrnNoiseDirection *directions, NoiseUint hash,
                                 NoiseFloat axes[3])
{
#if NOISE_LANES == 1
    const float *direction = directions[hash >> 27].axis;
    axes[0] = direction[0];
    axes[1] = direction[1];
    axes[2] = direction[2];
#elif __has_builtin(__builtin_shufflevector)
    // Four gradients fill four registers; their transpose is one register per axis.
    const NoiseFloat a = NOISE(load)(directions[hash[0] >> 27].axis);
    const NoiseFloat b = NOISE(load)(directions[hash[1] >> 27].axis);
    const NoiseFloat c = NOISE(load)(directions[hash[2] >> 27].axis);
    const NoiseFloat d = NOISE(load)(directions[hash[3] >> 27].axis);
    const NoiseFloat ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const NoiseFloat cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    axes[0] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    axes[1] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    axes[2] = __builtin_shufflevector(__builtin_shufflevector(a, b, 2, 6, 3, 7),
                                      __builtin_shufflevector(c, d, 2, 6, 3, 7), 0, 1, 4, 5);
#else // gcc before 12
    const float *const a = directions[hash[0] >> 27].axis,
                       *const b = directions[hash[1] >> 27].axis,
                       *const c = directions[hash[2] >> 27].axis,
                       *const d = directions[hash[3] >> 27].axis;
    for (int axis = 0; axis < 3; axis++) {
        axes[axis] = (NoiseFloat){a[axis], b[axis], c[axis], d[axis]};
    }
#endif
}

/// The dot product of a hash's gradient and the offset x, z.
NOISE_INLINE NoiseFloat NOISE(gradient_2d)(NoiseUint hash, NoiseFloat x, NoiseFloat z)
{
    NoiseFloat direction[3];
    NOISE(look_up)(trn_noise_directions_2d, hash, direction);
    return direction[0] * x + direction[1] * z;
}

NOISE_INLINE NoiseFloat NOISE(gradient_3d)(NoiseUint hash, NoiseFloat x, NoiseFloat y, NoiseFloat z)
{
    NoiseFloat direction[3];
    NOISE(look_up)(trn_noise_directions_3d, hash, direction);
    return direction[0] * x + direction[1] * y + direction[2] * z;
}
#endif

/// The same at a corner of a cell.
/// @param axes  the combined axis parts of the corner's hash
NOISE_INLINE NoiseFloat NOISE(corner_2d)(NoiseUint axes, NoiseFloat x, NoiseFloat z)
{
    return NOISE(gradient_2d)(axes * NOISE_PRIME_MIX, x, z);
}

NOISE_INLINE NoiseFloat NOISE(corner_3d)(NoiseUint axes, NoiseFloat x, NoiseFloat y, NoiseFloat z)
{
    return NOISE(gradient_3d)(axes * NOISE_PRIME_MIX, x, y, z);
}

/// Perlin's quintic fade: its first and second derivatives are 0 at both ends.
NOISE_INLINE NoiseFloat NOISE(fade)(NoiseFloat t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

NOISE_INLINE NoiseFloat NOISE(mix)(NoiseFloat from, NoiseFloat to, NoiseFloat weight)
{
    return from + (to - from) * weight;
}

/// Offsets from both ends of a cell along one axis, and the ends' parts of the corner hashes.
/// @param hashes  of all cells; NULL: they are computed
NOISE_INLINE void NOISE(ends)(NoisePlace place, uint32_t prime, uint32_t seed,
                              const TrnNoiseHashes *hashes, NoiseFloat from[2], NoiseUint hash[2])
{
    from[0] = NOISE(fraction)(place);
    from[1] = from[0] - 1.0f;
#if defined(NOISE_HASHES)
    if (hashes) {
        hash[0] = NOISE(pick)(hashes->low, place.cell);
        hash[1] = NOISE(pick)(hashes->high, place.cell);
        return;
    }
#else
    (void)hashes;
#endif
    hash[0] = NOISE(hash_axis)(place.cell, prime, seed);
    hash[1] = NOISE(hash_axis)(place.cell, prime, seed + prime);
}

NOISE_INLINE NoiseFloat NOISE(layer_2d)(const NoisePlace places[3], uint32_t seed,
                                        const TrnNoiseHashes *const hashes[3])
{
    NoiseFloat x[2], z[2];
    NoiseUint hx[2], hz[2];
    NOISE(ends)(places[0], NOISE_PRIME_X, seed, hashes[0], x, hx);
    NOISE(ends)(places[2], NOISE_PRIME_Z, 0, hashes[2], z, hz);
    const NoiseFloat fade_x = NOISE(fade)(x[0]);
    const NoiseFloat near = NOISE(mix)(NOISE(corner_2d)(hx[0] ^ hz[0], x[0], z[0]),
                                       NOISE(corner_2d)(hx[1] ^ hz[0], x[1], z[0]), fade_x);
    const NoiseFloat far = NOISE(mix)(NOISE(corner_2d)(hx[0] ^ hz[1], x[0], z[1]),
                                      NOISE(corner_2d)(hx[1] ^ hz[1], x[1], z[1]), fade_x);
    return NOISE(mix)(near, far, NOISE(fade)(z[0])) * TRN_NOISE_SCALE_2D;
}

/// Values at the eight corners of a cell, named by x, y, z.
#define NoiseCorners NOISE(Corners)
typedef struct NoiseCorners {
    NoiseFloat at000, at100, at010, at110, at001, at101, at011, at111;
} NoiseCorners;

NOISE_INLINE NoiseFloat NOISE(blend_3d)(const NoiseCorners *corners, NoiseFloat x, NoiseFloat y,
                                        NoiseFloat z)
{
    const NoiseFloat fade_x = NOISE(fade)(x), fade_y = NOISE(fade)(y);
    const NoiseFloat low0 = NOISE(mix)(corners->at000, corners->at100, fade_x);
    const NoiseFloat high0 = NOISE(mix)(corners->at010, corners->at110, fade_x);
    const NoiseFloat low1 = NOISE(mix)(corners->at001, corners->at101, fade_x);
    const NoiseFloat high1 = NOISE(mix)(corners->at011, corners->at111, fade_x);
    const NoiseFloat near = NOISE(mix)(low0, high0, fade_y), far = NOISE(mix)(low1, high1, fade_y);
    return NOISE(mix)(near, far, NOISE(fade)(z)) * TRN_NOISE_SCALE_3D;
}

NOISE_INLINE NoiseFloat NOISE(layer_3d)(const NoisePlace places[3], uint32_t seed,
                                        const TrnNoiseHashes *const hashes[3])
{
    NoiseFloat x[2], y[2], z[2];
    NoiseUint hx[2], hy[2], hz[2];
    NOISE(ends)(places[0], NOISE_PRIME_X, seed, hashes[0], x, hx);
    NOISE(ends)(places[1], NOISE_PRIME_Y, 0, hashes[1], y, hy);
    NOISE(ends)(places[2], NOISE_PRIME_Z, 0, hashes[2], z, hz);
    const NoiseUint h00 = hy[0] ^ hz[0], h10 = hy[1] ^ hz[0], h01 = hy[0] ^ hz[1],
                    h11 = hy[1] ^ hz[1];
    const NoiseCorners corners = {
        .at000 = NOISE(corner_3d)(hx[0] ^ h00, x[0], y[0], z[0]),
        .at100 = NOISE(corner_3d)(hx[1] ^ h00, x[1], y[0], z[0]),
        .at010 = NOISE(corner_3d)(hx[0] ^ h10, x[0], y[1], z[0]),
        .at110 = NOISE(corner_3d)(hx[1] ^ h10, x[1], y[1], z[0]),
        .at001 = NOISE(corner_3d)(hx[0] ^ h01, x[0], y[0], z[1]),
        .at101 = NOISE(corner_3d)(hx[1] ^ h01, x[1], y[0], z[1]),
        .at011 = NOISE(corner_3d)(hx[0] ^ h11, x[0], y[1], z[1]),
        .at111 = NOISE(corner_3d)(hx[1] ^ h11, x[1], y[1], z[1]),
    };
    return NOISE(blend_3d)(&corners, x[0], y[0], z[0]);
}

// ---- registers within one cell -----------------------------------------------------------------

#if NOISE_LANES > 1
// In coarse layers most registers lie within one cell. Its corner gradients are then looked up once
// for all lanes.

/// Whether all points of a register lie in one cell along an axis; `cell` receives that cell.
NOISE_INLINE bool NOISE(is_shared)(const TrnNoiseBounds *bounds, uint32_t point, uint64_t at,
                                   uint32_t *cell)
{
    const uint32_t index = point / NOISE_LANES;
    *cell = (uint32_t)((at + bounds->least[index]) >> 32);
    return *cell == (uint32_t)((at + bounds->most[index]) >> 32);
}

/// The fractions of the positions, without their cells.
NOISE_INLINE NoiseFloat NOISE(shared_fraction)(TrnNoiseOffsets offsets, uint32_t point, uint64_t at)
{
    const NoiseUint fraction = NOISE(load_uint)(offsets.fraction + point) + (uint32_t)at;
    return NOISE(to_float)(fraction >> 8) * (1.0f / 16777216.0f);
}

NOISE_INLINE uint32_t NOISE(shared_hash)(uint32_t cell, uint32_t prime, uint32_t seed)
{
    uint32_t hash = cell * prime + seed;
    hash = (hash ^ (hash >> 15)) * NOISE_PRIME_AXIS;
    return hash ^ (hash >> 16);
}

NOISE_INLINE NoiseFloat NOISE(shared_corner_2d)(uint32_t axes, NoiseFloat x, NoiseFloat z)
{
    const float *direction = trn_noise_directions_2d[axes * NOISE_PRIME_MIX >> 27].axis;
    return x * direction[0] + z * direction[1];
}

NOISE_INLINE NoiseFloat NOISE(shared_corner_3d)(uint32_t axes, NoiseFloat x, NoiseFloat y,
                                                NoiseFloat z)
{
    const float *direction = trn_noise_directions_3d[axes * NOISE_PRIME_MIX >> 27].axis;
    return x * direction[0] + y * direction[1] + z * direction[2];
}

NOISE_INLINE NoiseFloat NOISE(shared_layer_3d)(const TrnNoiseBatchLayer *layer, uint32_t point,
                                               const uint32_t cell[3], uint32_t seed)
{
    const NoiseFloat x = NOISE(shared_fraction)(layer->offsets[0], point, layer->at[0]),
                     y = NOISE(shared_fraction)(layer->offsets[1], point, layer->at[1]),
                     z = NOISE(shared_fraction)(layer->offsets[2], point, layer->at[2]);
    const NoiseFloat x1 = x - 1.0f, y1 = y - 1.0f, z1 = z - 1.0f;
    const uint32_t hx0 = NOISE(shared_hash)(cell[0], NOISE_PRIME_X, seed),
                   hx1 = NOISE(shared_hash)(cell[0] + 1, NOISE_PRIME_X, seed),
                   hy0 = NOISE(shared_hash)(cell[1], NOISE_PRIME_Y, 0),
                   hy1 = NOISE(shared_hash)(cell[1] + 1, NOISE_PRIME_Y, 0),
                   hz0 = NOISE(shared_hash)(cell[2], NOISE_PRIME_Z, 0),
                   hz1 = NOISE(shared_hash)(cell[2] + 1, NOISE_PRIME_Z, 0);
    const NoiseCorners corners = {
        .at000 = NOISE(shared_corner_3d)(hx0 ^ hy0 ^ hz0, x, y, z),
        .at100 = NOISE(shared_corner_3d)(hx1 ^ hy0 ^ hz0, x1, y, z),
        .at010 = NOISE(shared_corner_3d)(hx0 ^ hy1 ^ hz0, x, y1, z),
        .at110 = NOISE(shared_corner_3d)(hx1 ^ hy1 ^ hz0, x1, y1, z),
        .at001 = NOISE(shared_corner_3d)(hx0 ^ hy0 ^ hz1, x, y, z1),
        .at101 = NOISE(shared_corner_3d)(hx1 ^ hy0 ^ hz1, x1, y, z1),
        .at011 = NOISE(shared_corner_3d)(hx0 ^ hy1 ^ hz1, x, y1, z1),
        .at111 = NOISE(shared_corner_3d)(hx1 ^ hy1 ^ hz1, x1, y1, z1),
    };
    return NOISE(blend_3d)(&corners, x, y, z);
}

NOISE_INLINE NoiseFloat NOISE(shared_layer_2d)(const TrnNoiseBatchLayer *layer, uint32_t point,
                                               const uint32_t cell[3], uint32_t seed)
{
    const NoiseFloat x = NOISE(shared_fraction)(layer->offsets[0], point, layer->at[0]),
                     z = NOISE(shared_fraction)(layer->offsets[2], point, layer->at[2]);
    const NoiseFloat x1 = x - 1.0f, z1 = z - 1.0f, fade_x = NOISE(fade)(x);
    const uint32_t hx0 = NOISE(shared_hash)(cell[0], NOISE_PRIME_X, seed),
                   hx1 = NOISE(shared_hash)(cell[0] + 1, NOISE_PRIME_X, seed),
                   hz0 = NOISE(shared_hash)(cell[2], NOISE_PRIME_Z, 0),
                   hz1 = NOISE(shared_hash)(cell[2] + 1, NOISE_PRIME_Z, 0);
    const NoiseFloat near = NOISE(mix)(NOISE(shared_corner_2d)(hx0 ^ hz0, x, z),
                                       NOISE(shared_corner_2d)(hx1 ^ hz0, x1, z), fade_x);
    const NoiseFloat far = NOISE(mix)(NOISE(shared_corner_2d)(hx0 ^ hz1, x, z1),
                                      NOISE(shared_corner_2d)(hx1 ^ hz1, x1, z1), fade_x);
    return NOISE(mix)(near, far, NOISE(fade)(z)) * TRN_NOISE_SCALE_2D;
}
#endif

/// One layer's noise at the points of one register.
/// @param hashes  of the layer; of NULLs: they are computed
NOISE_INLINE NoiseFloat NOISE(layer)(const TrnNoiseBatch *batch, const TrnNoiseBatchLayer *layer,
                                     uint32_t point, int dimensions, bool is_warped, uint32_t seed,
                                     const TrnNoiseHashes *const hashes[3])
{
#if NOISE_LANES > 1
    uint32_t cell[3];
    if (!is_warped && NOISE(is_shared)(layer->bounds[0], point, layer->at[0], &cell[0]) &&
        (dimensions == 2 || NOISE(is_shared)(layer->bounds[1], point, layer->at[1], &cell[1])) &&
        NOISE(is_shared)(layer->bounds[2], point, layer->at[2], &cell[2])) {
        return dimensions == 2 ? NOISE(shared_layer_2d)(layer, point, cell, seed)
                               : NOISE(shared_layer_3d)(layer, point, cell, seed);
    }
#endif
    NoisePlace places[3];
    NOISE(find)(batch, layer, point, dimensions, is_warped, places);
    return dimensions == 2 ? NOISE(layer_2d)(places, seed, hashes)
                           : NOISE(layer_3d)(places, seed, hashes);
}

/// Adds a layer to a sum, or to ridges.
/// @param strength  of ridges: the product of the layers so far
NOISE_INLINE void NOISE(add)(NoiseFloat value, float weight, bool is_first, bool is_ridged,
                             float *out, float *strength)
{
    if (is_ridged) {
        NoiseFloat ridge = 1.0f - NOISE(from_bits)(NOISE(bits)(value) & 0x7FFFFFFFu);
        ridge = ridge * ridge;
        if (!is_first) {
            ridge = ridge * NOISE(load)(strength);
        }
        NOISE(store)(strength, ridge);
        value = ridge;
    }
    value = value * weight;
    NOISE(store)(out, is_first ? value : NOISE(load)(out) + value);
}

/// Adds a layer to the sums of all points.
NOISE_INLINE void NOISE(add_layer)(const TrnNoiseBatch *batch, const TrnNoiseBatchLayer *layer,
                                   int dimensions, bool is_warped, uint32_t seed,
                                   const TrnNoiseHashes *const hashes[3], bool is_first, float *out,
                                   float *strength)
{
    for (uint32_t point = 0; point < batch->count; point += NOISE_LANES) {
        const NoiseFloat value =
            NOISE(layer)(batch, layer, point, dimensions, is_warped, seed, hashes);
        NOISE(add)
        (value, layer->weight, is_first, batch->is_ridged, out + point, strength + point);
    }
}

NOISE_INLINE void NOISE(layers)(const TrnNoiseBatch *batch, int dimensions, bool is_warped,
                                float *out)
{
    alignas(64) float strength[TRN_NOISE_BATCH_MAX];
    for (uint32_t i = 0; i < batch->layer_count; i++) {
        const TrnNoiseBatchLayer layer = batch->layers[i]; // a copy, which stores do not change
        const uint32_t seed = layer.seed ^ trn_noise_twists[batch->twist];
        const bool is_first = i == 0 && !batch->is_continued;
#if defined(NOISE_HASHES)
        if (layer.hashes[0]) {
            const TrnNoiseHashes *const hashes[3] = {layer.hashes[0] + batch->twist,
                                                     layer.hashes[1], layer.hashes[2]};
            NOISE(add_layer)
            (batch, &layer, dimensions, is_warped, seed, hashes, is_first, out, strength);
            continue;
        }
#endif
        const TrnNoiseHashes *const none[3] = {NULL, NULL, NULL};
        NOISE(add_layer)
        (batch, &layer, dimensions, is_warped, seed, none, is_first, out, strength);
    }
}

NOISE_TARGET static void NOISE(gradient)(const TrnNoiseBatch *batch, float *out)
{
    if (batch->dimensions == 2) {
        if (batch->is_warped) {
            NOISE(layers)(batch, 2, true, out);
        } else {
            NOISE(layers)(batch, 2, false, out);
        }
    } else if (batch->is_warped) {
        NOISE(layers)(batch, 3, true, out);
    } else {
        NOISE(layers)(batch, 3, false, out);
    }
}

// ---- preparations ------------------------------------------------------------------------------

NOISE_TARGET static void NOISE(place_all)(const TrnNoisePattern *pattern, const uint64_t step[3],
                                          uint32_t *cell, uint32_t *fraction)
{
    uint32_t row_cell[TRN_NOISE_BATCH_MAX], row_fraction[TRN_NOISE_BATCH_MAX];
    const uint32_t wide = (pattern->size_x + NOISE_LANES - 1) / NOISE_LANES * NOISE_LANES;
    uint64_t offset = 0;
    for (uint32_t x = 0; x < wide; x++, offset += step[0]) {
        row_cell[x] = (uint32_t)(offset >> 32);
        row_fraction[x] = (uint32_t)offset;
    }
    uint64_t row = 0, plane = 0;
    for (uint32_t from = 0, z = 0; from < pattern->count; from += pattern->size_x) {
        for (uint32_t x = 0; x < wide; x += NOISE_LANES) {
            const NoiseUint part = NOISE(load_uint)(row_fraction + x), sum = part + (uint32_t)row;
            const NoiseUint carry = NOISE(less_uint)(sum, part); // all ones: minus one
            NOISE(store_uint)(fraction + from + x, sum);
            NOISE(store_uint)
            (cell + from + x, NOISE(load_uint)(row_cell + x) + (uint32_t)(row >> 32) - carry);
        }
        row += step[2];
        if (++z == pattern->size_z) {
            z = 0;
            plane += step[1];
            row = plane;
        }
    }
}

#if defined(NOISE_HASHES)
/// Cells whose hashes are computed together.
#define NOISE_HASHED ((uint32_t)16)

NOISE_TARGET static void NOISE(hash_cells)(uint32_t first_cell, uint32_t cells, uint32_t axis,
                                           uint32_t seed, TrnNoiseHashes *hashes)
{
    static const uint32_t primes[3] = {NOISE_PRIME_X, NOISE_PRIME_Y, NOISE_PRIME_Z};
    const uint32_t prime = primes[axis], add = axis == 0 ? seed : 0, mask = NOISE_HASHES - 1;
    for (uint32_t part = 0; part < NOISE_HASHES; part += NOISE_HASHED) {
        const uint32_t before = (part - first_cell) & mask;
        if (before >= cells && before <= NOISE_HASHES - NOISE_HASHED) {
            continue; // no cell is in this part
        }
        for (uint32_t i = part; i < part + NOISE_HASHED; i++) {
            const uint32_t cell = first_cell + ((i - first_cell) & mask);
            uint32_t low = cell * prime + add, high = low + prime;
            low = (low ^ (low >> 15)) * NOISE_PRIME_AXIS;
            high = (high ^ (high >> 15)) * NOISE_PRIME_AXIS;
            hashes->low[i] = low ^ (low >> 16);
            hashes->high[i] = high ^ (high >> 16);
        }
    }
}
#endif

// ---- cellular noise ----------------------------------------------------------------------------

/// The five cells around a point along one axis.
#define NoiseAround NOISE(Around)
typedef struct NoiseAround {
    NoiseUint hash[5];
    /// From the point to the lowest position that a feature point can have in the cell.
    NoiseFloat edge[5];
} NoiseAround;

#define NoiseNearest NOISE(Nearest)
typedef struct NoiseNearest {
    NoiseFloat first, second; ///< squared
} NoiseNearest;

NOISE_INLINE void NOISE(look_around)(NoisePlace place, uint32_t prime, uint32_t seed,
                                     NoiseAround *around)
{
    const NoiseFloat fraction = NOISE(fraction)(place);
    for (int i = 0; i < 5; i++) {
        around->hash[i] = NOISE(hash_axis)(place.cell, prime, seed + (uint32_t)(i - 2) * prime);
        around->edge[i] = ((float)(i - 2) + 0.5f / 1024.0f) - fraction;
    }
}

/// Offset of a cell's feature point along one axis. It takes one of 1,024 positions.
NOISE_INLINE NoiseFloat NOISE(feature)(NoiseUint bits, NoiseFloat edge)
{
    return edge + NOISE(to_float)(bits & 1023u) * (1.0f / 1024.0f);
}

/// Compares the feature point of one cell with the nearest ones.
/// @param x,y,z  the cell, 0..4; the point's own is 2
NOISE_INLINE void NOISE(visit)(const NoiseAround around[3], int x, int y, int z, int dimensions,
                               NoiseNearest *nearest)
{
    NoiseUint hash = around[0].hash[x] ^ around[2].hash[z];
    if (dimensions == 3) {
        hash = hash ^ around[1].hash[y];
    }
    hash = hash * NOISE_PRIME_MIX;
    hash = hash ^ (hash >> 15);
    hash = hash * NOISE_PRIME_Y;
    hash = hash ^ (hash >> 14);
    const NoiseFloat dx = NOISE(feature)(hash, around[0].edge[x]);
    const NoiseFloat dz = NOISE(feature)(hash >> 22, around[2].edge[z]);
    NoiseFloat square = dx * dx + dz * dz;
    if (dimensions == 3) {
        const NoiseFloat dy = NOISE(feature)(hash >> 11, around[1].edge[y]);
        square = square + dy * dy;
    }
    nearest->second = NOISE(min)(nearest->second, NOISE(max)(nearest->first, square));
    nearest->first = NOISE(min)(nearest->first, square);
}

/// Visits the cells of a ring: 1 is the point's own cell and its neighbours, 2 the cells around
/// those.
NOISE_INLINE void NOISE(visit_ring)(const NoiseAround around[3], int ring, int dimensions,
                                    NoiseNearest *nearest)
{
    const int low = 2 - ring, high = 2 + ring;
    for (int y = dimensions == 3 ? low : 2; y <= (dimensions == 3 ? high : 2); y++) {
        for (int z = low; z <= high; z++) {
            const bool is_outer = ring == 1 || y == low || y == high || z == low || z == high;
            for (int x = low; x <= high; x += is_outer ? 1 : high - low) {
                NOISE(visit)(around, x, y, z, dimensions, nearest);
            }
        }
    }
}

/// Mask of the lanes whose nearest point is farther than the first ring's border, so that the
/// second ring may hold a nearer one. The threshold is 0.1 % low, so rounding cannot skip a second
/// ring that matters.
NOISE_INLINE NoiseUint NOISE(may_be_beyond)(const NoiseAround around[3], int dimensions,
                                            NoiseFloat nearest)
{
    NoiseFloat border = NOISE(min)(around[0].edge[4], 0.0f - around[0].edge[1]);
    border = NOISE(min)(border, NOISE(min)(around[2].edge[4], 0.0f - around[2].edge[1]));
    if (dimensions == 3) {
        border = NOISE(min)(border, NOISE(min)(around[1].edge[4], 0.0f - around[1].edge[1]));
    }
    return NOISE(less)(border * border * 0.999f, nearest);
}

/// Square root to about one millionth, the same bits everywhere: an estimate from the exponent,
/// then three Newton steps.
NOISE_INLINE NoiseFloat NOISE(root)(NoiseFloat square)
{
    NoiseFloat inverse = NOISE(from_bits)(0x5F3759DFu - (NOISE(bits)(square) >> 1));
    const NoiseFloat half = square * 0.5f;
    for (int i = 0; i < 3; i++) {
        inverse = inverse * (1.5f - half * inverse * inverse);
    }
    return square * inverse;
}

NOISE_INLINE void NOISE(find_cells)(const TrnNoiseBatch *batch, int dimensions,
                                    TrnNoiseBatchCells *out)
{
    const TrnNoiseBatchLayer *layer = batch->layers;
    for (uint32_t point = 0; point < batch->count; point += NOISE_LANES) {
        NoisePlace places[3];
        if (batch->is_warped) {
            NOISE(find)(batch, layer, point, dimensions, true, places);
        } else {
            NOISE(find)(batch, layer, point, dimensions, false, places);
        }
        NoiseAround around[3];
        NOISE(look_around)(places[0], NOISE_PRIME_X, layer->seed, &around[0]);
        NOISE(look_around)(places[2], NOISE_PRIME_Z, 0, &around[2]);
        if (dimensions == 3) {
            NOISE(look_around)(places[1], NOISE_PRIME_Y, 0, &around[1]);
        }
        NoiseNearest nearest;
        nearest.first = nearest.second = (NoiseFloat){0} + 64.0f;
        NOISE(visit_ring)(around, 1, dimensions, &nearest);
        const NoiseFloat wanted = batch->wants_second ? nearest.second : nearest.first;
        if (NOISE(any)(NOISE(may_be_beyond)(around, dimensions, wanted))) {
            NOISE(visit_ring)(around, 2, dimensions, &nearest);
        }
        NOISE(store)(out->first + point, NOISE(root)(nearest.first));
        NOISE(store)(out->second + point, NOISE(root)(nearest.second));
    }
}

NOISE_TARGET static void NOISE(cells)(const TrnNoiseBatch *batch, TrnNoiseBatchCells *out)
{
    if (batch->dimensions == 2) {
        NOISE(find_cells)(batch, 2, out);
    } else {
        NOISE(find_cells)(batch, 3, out);
    }
}

static const TrnNoiseKernels NOISE(kernels) = {.name = NOISE_KERNELS_NAME,
                                               .lanes = NOISE_LANES,
                                               .place = NOISE(place_all),
#if defined(NOISE_HASHES)
                                               .hash_count = NOISE_HASHES,
                                               .hash = NOISE(hash_cells),
#endif
                                               .gradient = NOISE(gradient),
                                               .cells = NOISE(cells)};

// Undefined for the next instruction set.
#undef NOISE_LANES
#undef NOISE_SUFFIX
#undef NOISE_TARGET
#undef NOISE_KERNELS_NAME
#undef NOISE_CORNERS
#undef NOISE_LIMITS
#undef NOISE_HASHES
