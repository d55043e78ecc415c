// The far view: its definition.

#include <terrane/far.h>

#define FAR_MS_DEFAULT 0.3
#define FAR_SHARE_DEFAULT 0.02
#define FAR_LEVELS_DEFAULT 3u
#define FAR_HEIGHT_DEFAULT 3u
#define FAR_HYSTERESIS_DEFAULT 1u

TrnFarDef trn_far_def(void)
{
    return (TrnFarDef){.view = {.levels = FAR_LEVELS_DEFAULT, .height_chunks = FAR_HEIGHT_DEFAULT},
                       .store = trn_store_def(),
                       .budget = {.ms = FAR_MS_DEFAULT, .share = FAR_SHARE_DEFAULT},
                       .hysteresis_chunks = FAR_HYSTERESIS_DEFAULT};
}

TrnFarView trn_far_view_to(uint32_t distance_chunks, uint32_t radius_chunks)
{
    const uint64_t radius = radius_chunks ? radius_chunks : 1;
    uint32_t levels = 1;
    while (levels < TRN_FAR_LEVEL_MAX && radius << levels < distance_chunks) {
        levels++;
    }
    const uint64_t last = ((uint64_t)distance_chunks + (1u << levels) - 1) >> levels;
    return (TrnFarView){.levels = levels,
                        .radius_chunks = (uint32_t)radius,
                        .last_radius_chunks = (uint32_t)(!last           ? 1
                                                         : last < radius ? last
                                                                         : radius),
                        .height_chunks = FAR_HEIGHT_DEFAULT};
}
