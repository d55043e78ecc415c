/// Private: the clock that budgets and statistics are measured with.
#ifndef TERRANE_BASE_CLOCK_H
#define TERRANE_BASE_CLOCK_H

/// Microseconds of a clock that never jumps, from an arbitrary start. Any thread. Cost: 20 to 50
/// ns.
double trn_clock_us(void);

#endif
