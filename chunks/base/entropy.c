#include "base/system.h"

#include "base/entropy.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#if defined(__linux__)
#include <sys/random.h>
#elif defined(__EMSCRIPTEN__)
#include <unistd.h>
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__) || \
    defined(__DragonFly__)
#define ENTROPY_HAS_ARC4RANDOM 1
#endif

#include "base/clock.h"
#include "base/hash.h"

/// Asks the system for random bytes, without waiting for them. @return whether it had any
static bool entropy_from_system(uint64_t *key)
{
#if defined(_WIN32)
    unsigned high, low; // rand_s asks RtlGenRandom, which has no header of its own
    if (rand_s(&high) != 0 || rand_s(&low) != 0) {
        return false;
    }
    *key = (uint64_t)high << 32 | low;
    return true;
#elif defined(__linux__)
    return getrandom(key, sizeof *key, GRND_NONBLOCK) == (ssize_t)sizeof *key;
#elif defined(__EMSCRIPTEN__)
    return getentropy(key, sizeof *key) == 0;
#elif defined(ENTROPY_HAS_ARC4RANDOM)
    arc4random_buf(key, sizeof *key);
    return true;
#else
    (void)key;
    return false;
#endif
}

/// Mixes the time with addresses, which systems choose at random for each process.
static uint64_t entropy_from_process(void)
{
    const uint64_t ns = (uint64_t)(trn_clock_us() * 1e3);
    const uint64_t time_and_clock = (uint64_t)time(NULL) * UINT64_C(1000000000) ^ ns;
    const uint64_t places =
        (uint64_t)(uintptr_t)&ns << 24 ^ (uint64_t)(uintptr_t)entropy_from_process;
    return trn_hash_fold(time_and_clock ^ TRN_HASH_A, places ^ TRN_HASH_B);
}

uint64_t trn_entropy_key(void)
{
    uint64_t key;
    if (!entropy_from_system(&key)) {
        key = entropy_from_process();
    }
    return key ? key : 1;
}
