// Generators: checks arguments and calls the generator.

#include "terrain/generator_impl.h"

#include <stddef.h>

bool trn_generator_in_world(TrnCoord coord, uint32_t level)
{
    if (level > TRN_GENERATOR_LEVEL_MAX) {
        return false;
    }
    const int64_t first = INT32_MIN / ((int64_t)1 << level), last = INT32_MAX >> level;
    return coord.x >= first && coord.x <= last && coord.y >= first && coord.y <= last &&
           coord.z >= first && coord.z <= last;
}

TrnResult trn_generator_generate(const TrnGenerator *generator, TrnCoord coord, uint32_t level,
                                 TrnBlock *blocks, bool *uniform)
{
    if (!generator || !generator->generate || !blocks || !uniform || level > generator->level_max ||
        !trn_generator_in_world(coord, level)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    return generator->generate(generator->user, coord, level, blocks, uniform);
}
