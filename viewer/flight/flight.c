#include "flight/flight.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool unreadable_flight(const char *path, Message *problem)
{
    const char *reason = strerror(errno);
    return message_set(problem,
                       "Cannot read the flight %s: %s; --flight takes the path of a flight file.",
                       message_short(path).text, reason);
}

/// Reads a file, but at most one byte more than a flight may have. That detects files that are too
/// large even if they have no size (a device, a pipe).
/// @return NULL without memory, or with ferror
static char *read_whole(FILE *file, size_t *bytes)
{
    char *text = NULL;
    size_t capacity = 0;
    *bytes = 0;
    do {
        capacity = capacity ? capacity * 2 : 65536;
        capacity = capacity > FLIGHT_BYTES_MAX ? FLIGHT_BYTES_MAX + 1 : capacity;
        char *grown = realloc(text, capacity);
        if (!grown) {
            free(text);
            return NULL;
        }
        text = grown;
        *bytes += fread(text + *bytes, 1, capacity - *bytes, file);
    } while (*bytes == capacity && capacity <= FLIGHT_BYTES_MAX);
    return text;
}

bool flight_read(Flight *flight, const char *path, Message *problem)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return unreadable_flight(path, problem);
    }
    size_t bytes;
    char *text = read_whole(file, &bytes);
    bool good = text != NULL;
    if (!good) {
        message_set(problem, "Out of memory: cannot read the flight %s.", message_short(path).text);
    } else {
        good = ferror(file) ? unreadable_flight(path, problem)
                            : flight_parse(flight, path, text, bytes, problem);
    }
    free(text);
    fclose(file);
    return good;
}

void flight_free(Flight *flight)
{
    free(flight->keys);
    free(flight->edits);
    *flight = (Flight){0};
}

double flight_duration(const Flight *flight)
{
    return flight->keys[flight->count - 1].seconds - flight->keys[0].seconds;
}

/// Slope at a key, from its neighbours in time, one-sided at the ends (non-uniform Catmull-Rom).
static double key_slope(const Flight *flight, size_t key, int value)
{
    const FlightKey *before = &flight->keys[key > 0 ? key - 1 : key];
    const FlightKey *after = &flight->keys[key + 1 < flight->count ? key + 1 : key];
    double seconds = after->seconds - before->seconds;
    return seconds > 0 ? (after->pose[value] - before->pose[value]) / seconds : 0;
}

static size_t key_before(const Flight *flight, double time)
{
    size_t low = 0, high = flight->count - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(flight->keys[middle].seconds <= time ? &low : &high) = middle;
    }
    return low;
}

void flight_sample(const Flight *flight, double seconds, double pose[5])
{
    double time = flight->keys[0].seconds + seconds;
    if (flight->count == 1 || seconds <= 0) {
        memcpy(pose, flight->keys[0].pose, sizeof flight->keys[0].pose);
        return;
    }
    if (time >= flight->keys[flight->count - 1].seconds) {
        memcpy(pose, flight->keys[flight->count - 1].pose, sizeof flight->keys[0].pose);
        return;
    }
    size_t key = key_before(flight, time);
    const FlightKey *a = &flight->keys[key], *b = a + 1;
    double span = b->seconds - a->seconds;
    double t = (time - a->seconds) / span, t2 = t * t, t3 = t2 * t;
    for (int i = 0; i < 5; i++) {
        // Computed as an offset from the earlier key, so that a rest has exactly that key's pose.
        pose[i] = a->pose[i] + (3 * t2 - 2 * t3) * (b->pose[i] - a->pose[i]) +
                  (t3 - 2 * t2 + t) * span * key_slope(flight, key, i) +
                  (t3 - t2) * span * key_slope(flight, key + 1, i);
    }
    pose[4] = fmin(90, fmax(-90, pose[4])); // the cubic may overshoot its keys
}
