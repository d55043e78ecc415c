/// Private: keys that no attacker can guess.
#ifndef TERRANE_BASE_ENTROPY_H
#define TERRANE_BASE_ENTROPY_H

#include <stdint.h>

/// Draws a key for the hashes of base/hash.h from the system. Where the system has none to give
/// yet, early in its start, the key is mixed from clocks and addresses, which are harder to guess
/// than no key. Never waits, never fails. Any thread. Less than a microsecond.
/// @return never 0
uint64_t trn_entropy_key(void);

#endif
