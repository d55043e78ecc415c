#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
#define SIGNAL_COUNT (sizeof SIGNALS / sizeof SIGNALS[0])

// One request may arrive as two signals: timeout(1) signals the program and its process group.
#define SECONDS_OF_ONE_REQUEST 2

// The only global variables of the programs: a signal handler reaches nothing else.
static volatile sig_atomic_t caught_signal, caught_second;

static void interrupt_note(int number)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!caught_signal) {
        caught_second = (sig_atomic_t)now.tv_sec;
        caught_signal = number;
    } else if (now.tv_sec - caught_second >= SECONDS_OF_ONE_REQUEST) {
        signal(number, SIG_DFL);
        raise(number); // takes effect when this function returns
    }
}

void interrupt_watch(void)
{
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        struct sigaction before;
        // Without SA_RESTART: a call that waits for a named pipe would otherwise wait on.
        struct sigaction noted = {.sa_handler = interrupt_note};
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

static void interrupt_mask(int how)
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
    interrupt_mask(SIG_BLOCK);
}

void interrupt_release(void)
{
    interrupt_mask(SIG_UNBLOCK);
}
