/// Private: zones for Tracy, with TERRANE_TRACY. The program must link Tracy's client, and both
/// must be compiled with TRACY_ENABLE.
#ifndef TERRANE_BASE_ZONE_TRACY_H
#define TERRANE_BASE_ZONE_TRACY_H

#include <tracy/TracyC.h>

#if !defined(TRACY_ENABLE)
#error "Tracy marks nothing without TRACY_ENABLE: leave TERRANE_TRACY off, or define it."
#endif

static inline void trn_zone_end(TracyCZoneCtx *zone)
{
    ___tracy_emit_zone_end(*zone);
}

#define TRN_ZONE(name)                                                                             \
    static const struct ___tracy_source_location_data trn_zone_place = {name, __func__, __FILE__,  \
                                                                        __LINE__, 0};              \
    __attribute__((cleanup(trn_zone_end), unused)) TracyCZoneCtx trn_zone =                        \
        ___tracy_emit_zone_begin(&trn_zone_place, 1)

#endif
