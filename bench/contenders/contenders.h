/// The contenders that terrane-bench brings along for topic `lookup`.
#ifndef TERRANE_BENCH_CONTENDERS_H
#define TERRANE_BENCH_CONTENDERS_H

#include "contender.h"

#ifdef __cplusplus
extern "C" {
#endif

/// All built-in contenders, always in the same order: first std::unordered_map probed, which is the
/// baseline, then the other maps, the arrays and trees, and last Terrane's index. Those whose
/// library was not there at build time are left out.
/// @param count  receives how many there are
/// @return static memory; any thread
const Contender *const *contenders_builtin(size_t *count);

/// The peers that were not there at build time, a line each with the Debian package to install:
/// "boost::unordered_flat_map (Debian: libboost1.81-dev)\n". Static text, empty when none is
/// missing; any thread.
const char *contenders_missing(void);

#ifdef __cplusplus
}
#endif
#endif
