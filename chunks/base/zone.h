/// Private: zones for profilers. TRN_ZONE("mesh") marks the rest of its block, on the thread that
/// runs it. Without a profiler it is nothing. docs/profiling.md says how a game brings its own.
#ifndef TERRANE_BASE_ZONE_H
#define TERRANE_BASE_ZONE_H

#if defined(TERRANE_ZONE_HEADER)
#include TERRANE_ZONE_HEADER
#else
#define TRN_ZONE(name) ((void)0)
#endif

#endif
