#include "interrupt.h"

#include <signal.h>
#include <stdbool.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#define MS_OF_ONE_REQUEST 2000 // as in interrupt_posix.c
#define MS_UNTIL_CLOSED 5000   // Windows ends the program then

// The only global variables of the programs: the handler reaches nothing else. It runs on a thread
// of its own.
static volatile LONG caught_signal, is_held;
static volatile LONG64 caught_ms;

static BOOL WINAPI interrupt_note(DWORD event)
{
    const bool is_key = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
    const LONG64 now_ms = (LONG64)GetTickCount64();
    if (InterlockedCompareExchange64(&caught_ms, now_ms, 0) == 0) {
        (void)InterlockedExchange(&caught_signal, is_key ? SIGINT : SIGTERM);
    } else if (!is_held && now_ms - caught_ms >= MS_OF_ONE_REQUEST) {
        return FALSE; // the default handler ends the program
    }
    if (!is_key) {
        Sleep(MS_UNTIL_CLOSED); // returning would end the program at once
    }
    return TRUE;
}

void interrupt_watch(void)
{
    (void)SetConsoleCtrlHandler(interrupt_note, TRUE);
}

int interrupt_came(void)
{
    return (int)caught_signal;
}

void interrupt_hold(void)
{
    (void)InterlockedExchange(&is_held, 1);
}

void interrupt_release(void)
{
    (void)InterlockedExchange(&is_held, 0);
}
