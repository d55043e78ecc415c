// Writes the zones of all threads to a file, a line each, when it ends: to the one that ZONE_TRACE
// names, which it overwrites, or to a new zones.json.
#include "zone_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static FILE *file;
static once_flag is_open = ONCE_FLAG_INIT;

static void open_file(void)
{
    const char *path = getenv("ZONE_TRACE");
    file = path ? fopen(path, "w") : fopen("zones.json", "wx");
    if (file) {
        fprintf(file, "[\n"); // readers do not ask for the closing bracket
    } else {
        fprintf(stderr, "No zones are written: %s cannot be made. ZONE_TRACE names another file.\n",
                path ? path : "zones.json");
    }
}

static double now_us(void)
{
    struct timespec now;
    (void)timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

Zone zone_begin(const char *name)
{
    return (Zone){name, now_us()};
}

void zone_end(Zone *zone)
{
    static _Thread_local char own; // whose address tells threads apart
    const double us = now_us() - zone->begun_us;
    call_once(&is_open, open_file);
    if (file) {
        fprintf(file,
                "{\"ph\":\"X\",\"pid\":1,\"tid\":%zu,\"name\":\"%s\",\"ts\":%.3f,\"dur\":%.3f},\n",
                (size_t)&own >> 4 & 0xFFFFFFF, zone->name, zone->begun_us, us);
    }
}
