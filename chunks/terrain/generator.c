#include <terrane/generator.h>

#include <stddef.h>

bool trn_generator_in_world(TrnCoord coord, uint32_t level)
{
    if (level > TRN_GENERATOR_LEVEL_MAX) {
        return false;
    }
    const int64_t least = INT32_MIN / ((int64_t)1 << level), most = INT32_MAX >> level;
    return coord.x >= least && coord.x <= most && coord.y >= least && coord.y <= most &&
           coord.z >= least && coord.z <= most;
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
