/// The built-in contenders of topic `lookup`.
#pragma once

#include "contender.h"

#ifdef __cplusplus
extern "C" {
#endif

/// All built-in contenders, in a fixed order: the baseline (std::unordered_map, probed), other
/// maps, arrays and trees, Terrane's index. Contenders whose library was missing at build time are
/// left out.
/// @param count  receives their number
/// @return static memory; any thread
const Contender *const *contenders_builtin(size_t *count);

/// The libraries that were missing at build time, one line each with the Debian package to install:
/// "boost::unordered_flat_map (Debian: libboost1.81-dev)\n". Static text, empty if none is missing;
/// any thread.
const char *contenders_missing(void);

#ifdef __cplusplus
}
#endif
