/// Requests to stop: Ctrl-C, kill, a terminal that closes.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Installs handlers. From then on, the first SIGINT, SIGTERM or SIGHUP is only recorded, for loops
/// to check (once a frame or a chunk), and a blocking system call fails with EINTR, such as opening
/// a named pipe without a reader. Another signal some seconds later ends a program that hangs.
/// Signals that the program was started to ignore (nohup) stay ignored. Exceeding the limit on file
/// sizes (SIGXFSZ) becomes a failed write.
///
/// On Windows, Ctrl-C and Ctrl-Break count as SIGINT; closing the console, logging off and shutting
/// down count as SIGTERM, and leave the program 5 seconds.
void interrupt_watch(void);

/// The number of the first signal received, or 0.
int interrupt_came(void);

/// Blocks these signals in the calling thread, so that a second one leaves no half-written file.
void interrupt_hold(void);
void interrupt_release(void);

#ifdef __cplusplus
}
#endif
