/// Private: the kernels, for registers of LIGHT_LANES words. Included once for each set.
///
///     LIGHT_LANES  words in a register, a power of two
///     LIGHT(name)  a function of the set
///     WIDE         attributes of every function

#if LIGHT_LANES > 1
typedef uint64_t LIGHT(Words) __attribute__((vector_size(8 * LIGHT_LANES), aligned(8), may_alias));
#else
typedef uint64_t LIGHT(Words);
#endif

#if LIGHT_LANES > 1
typedef uint32_t LIGHT(Rows) __attribute__((vector_size(4 * LIGHT_LANES), aligned(4), may_alias));
#define LIGHT_WIDEN(rows) __builtin_convertvector(rows, LIGHT(Words))
#else
typedef uint32_t LIGHT(Rows);
#define LIGHT_WIDEN(rows) ((uint64_t)(rows))
#endif

#define LIGHT_AT(words, at) (*(const LIGHT(Words) *)(const void *)((words) + (at)))
#define LIGHT_TO(words, at) (*(LIGHT(Words) *)(void *)((words) + (at)))

WIDE static void LIGHT(spread)(const uint64_t *above, const uint64_t *pass, const uint64_t *base,
                               uint64_t *lit, LightRange range)
{
    for (uint32_t y = range.y_first; y <= range.y_last; y++) {
        const size_t last = (size_t)y * LIGHT_SLICE + range.z_last;
        size_t at = (size_t)y * LIGHT_SLICE + (range.z_first & ~(LIGHT_LANES - 1u));
        for (; at <= last; at += LIGHT_LANES) {
            const LIGHT(Words) own = LIGHT_AT(above, at);
            LIGHT(Words) near = own << 1 | own >> 1;
            near |= LIGHT_AT(above, at - 1) | LIGHT_AT(above, at + 1);
            near |= LIGHT_AT(above, at - LIGHT_SLICE) | LIGHT_AT(above, at + LIGHT_SLICE);
            LIGHT_TO(lit, at) = (near & LIGHT_AT(pass, at)) | LIGHT_AT(base, at);
        }
    }
}

WIDE static void LIGHT(add)(const uint64_t *words, uint64_t *to, LightRange range)
{
    for (uint32_t y = range.y_first; y <= range.y_last; y++) {
        const size_t last = (size_t)y * LIGHT_SLICE + range.z_last;
        size_t at = (size_t)y * LIGHT_SLICE + (range.z_first & ~(LIGHT_LANES - 1u));
        for (; at <= last; at += LIGHT_LANES) {
            LIGHT_TO(to, at) |= LIGHT_AT(words, at);
        }
    }
}

WIDE static void LIGHT(toggle)(const uint64_t *words, uint64_t *to, LightRange range)
{
    for (uint32_t y = range.y_first; y <= range.y_last; y++) {
        const size_t last = (size_t)y * LIGHT_SLICE + range.z_last;
        size_t at = (size_t)y * LIGHT_SLICE + (range.z_first & ~(LIGHT_LANES - 1u));
        for (; at <= last; at += LIGHT_LANES) {
            LIGHT_TO(to, at) ^= LIGHT_AT(words, at);
        }
    }
}

WIDE static void LIGHT(place)(const uint32_t *rows, size_t count, uint32_t local, uint32_t bits,
                              uint32_t at, uint64_t *words)
{
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    if (!rows) {
        for (size_t z = 0; z < count; z += LIGHT_LANES) {
            LIGHT_TO(words, z) |= mask << at;
        }
        return;
    }
    for (size_t z = 0; z < count; z += LIGHT_LANES) {
        const LIGHT(Rows) row = *(const LIGHT(Rows) *)(const void *)(rows + z);
        LIGHT_TO(words, z) |= (LIGHT_WIDEN(row) >> local & mask) << at;
    }
}

WIDE static void LIGHT(fall)(const uint64_t *clear, uint64_t *open, uint64_t *lit)
{
    for (size_t slice = LIGHT_EDGE; slice > 0; slice--) {
        const size_t first = slice * LIGHT_SLICE;
        for (size_t z = 0; z < LIGHT_SLICE; z += LIGHT_LANES) {
            LIGHT_TO(open, z) &= LIGHT_AT(clear, first + z);
            LIGHT_TO(lit, first + z) = LIGHT_AT(open, z);
        }
    }
}

#undef LIGHT_AT
#undef LIGHT_TO
#undef LIGHT_WIDEN
