/// Being asked to stop: Ctrl-C, kill, a terminal that goes away.
#ifndef TERRANE_COMMON_INTERRUPT_H
#define TERRANE_COMMON_INTERRUPT_H

/// From now on the first SIGINT, SIGTERM or SIGHUP is only noted, for the loops to look at (once a
/// frame, or a chunk). Another one some seconds later ends the program, should it hang. Those that
/// the program was started to ignore (nohup) stay ignored. A file over the limit of size (SIGXFSZ)
/// is a failed write from now on, not the end of the program.
void interrupt_watch(void);

/// The number of the signal that came, or 0.
int interrupt_came(void);

/// Holds these signals back, so that not even another one leaves a half written file behind.
void interrupt_hold(void);
void interrupt_release(void);

#endif
