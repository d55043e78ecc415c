#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
#define SIGNAL_COUNT (sizeof SIGNALS / sizeof SIGNALS[0])

// The one global variable of the viewer: a signal handler reaches nothing else.
static volatile sig_atomic_t caught_signal;

static void note_signal(int number)
{
    caught_signal = number;
}

void interrupt_watch(void)
{
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        struct sigaction before;
        struct sigaction noted = {.sa_handler = note_signal};
        noted.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
        sigemptyset(&noted.sa_mask);
        if (sigaction(SIGNALS[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(SIGNALS[i], &noted, NULL);
        }
    }
}

int interrupt_came(void)
{
    return caught_signal;
}

static void mask_signals(int how)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        sigaddset(&set, SIGNALS[i]);
    }
    sigprocmask(how, &set, NULL);
}

void interrupt_hold(void)
{
    mask_signals(SIG_BLOCK);
}

void interrupt_release(void)
{
    mask_signals(SIG_UNBLOCK);
}
