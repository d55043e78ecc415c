// A profiler of one's own: with -DTERRANE_ZONE_HEADER=<this file> the libraries call it at the
// start and the end of their zones. zone_trace.c writes what chrome://tracing and ui.perfetto.dev
// draw.
#ifndef ZONE_TRACE_H
#define ZONE_TRACE_H

typedef struct Zone {
    const char *name;
    double begun_us;
} Zone;

Zone zone_begin(const char *name);
void zone_end(Zone *zone);

/// The zone ends with the block that it is in.
#define TRN_ZONE(name) __attribute__((cleanup(zone_end), unused)) Zone zone_here = zone_begin(name)

#endif
