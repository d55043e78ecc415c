#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier): getrandom

#include "base/entropy.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#ifdef __linux__
#include <sys/random.h>
#endif

#include "base/hash.h"

/// Asks the system for random bytes, without waiting for them. @return whether it had any
static bool entropy_from_system(uint64_t *key)
{
#ifdef __linux__
    return getrandom(key, sizeof *key, GRND_NONBLOCK) == (ssize_t)sizeof *key;
#else
    (void)key;
    return false;
#endif
}

/// Mixes the time with addresses, which systems choose at random for each process.
static uint64_t entropy_from_process(void)
{
    struct timespec now = {0};
    (void)timespec_get(&now, TIME_UTC);
    const uint64_t time = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
    const uint64_t places =
        (uint64_t)(uintptr_t)&now << 24 ^ (uint64_t)(uintptr_t)entropy_from_process;
    return trn_hash_fold(time ^ TRN_HASH_A, places ^ TRN_HASH_B);
}

uint64_t trn_entropy_key(void)
{
    uint64_t key;
    if (!entropy_from_system(&key)) {
        key = entropy_from_process();
    }
    return key ? key : 1;
}
