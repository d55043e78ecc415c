/// Private: assertions.
#ifndef TERRANE_BASE_ASSERT_H
#define TERRANE_BASE_ASSERT_H

/// Asserts what only a programmer's mistake can break, never what the outside world can cause. On
/// in Debug and RelWithDebInfo builds. Define TRN_ASSERT to hook it.
#if !defined(TRN_ASSERT)
#if defined(TRN_ENABLE_ASSERT)
#include <assert.h>
#define TRN_ASSERT(condition) assert(condition)
#else
#define TRN_ASSERT(condition) ((void)0)
#endif
#endif

#endif
