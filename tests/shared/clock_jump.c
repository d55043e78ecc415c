// Preloaded into a PostgreSQL server by test_postgres_faults.c: the clock of the day is as many
// seconds ahead as the file CLOCK_JUMP_FILE says.
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): those of the C library

static long jump_seconds(void)
{
    const char *name = getenv("CLOCK_JUMP_FILE");
    FILE *file = name ? fopen(name, "r") : NULL;
    char text[32] = "";
    if (file) {
        (void)fgets(text, sizeof text, file);
        (void)fclose(file);
    }
    return strtol(text, NULL, 10);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const long result = syscall(SYS_clock_gettime, clock, now);
    now->tv_sec += clock == CLOCK_REALTIME ? jump_seconds() : 0;
    return (int)result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec precise;
    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &precise);
    *now = (struct timeval){precise.tv_sec, precise.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *seconds)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (seconds) {
        *seconds = now.tv_sec;
    }
    return now.tv_sec;
}

// NOLINTEND(readability-inconsistent-declaration-parameter-name)
