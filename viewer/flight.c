#include "flight.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/coord.h>

#define FLIGHT_LINE_MAX 256
#define FLIGHT_TURN_MAX 36000.0 // degrees of yaw: a hundred turns

/// Where the parser stands, for messages.
typedef struct FlightPlace {
    const char *name;
    size_t line;
    Message *problem;
} FlightPlace;

static bool flight_fail(const FlightPlace *place, const char *reason)
{
    return message_set(place->problem, "%s, line %zu: %s.", message_short(place->name).text,
                       place->line, reason);
}

static char *skip_blanks(char *text)
{
    return text + strspn(text, " \t\r");
}

/// Reads six numbers and nothing else.
static bool read_numbers(char *text, double numbers[6], const FlightPlace *place)
{
    for (int i = 0; i < 6; i++) {
        char *end;
        text = skip_blanks(text);
        numbers[i] = strtod(text, &end);
        if (end == text || !(isspace((unsigned char)*end) || *end == '\0')) {
            return flight_fail(place, "a key needs six numbers: seconds, x, y, z, yaw, pitch");
        }
        if (!isfinite(numbers[i])) {
            return flight_fail(place, "a number is not finite");
        }
        text = end;
    }
    return *skip_blanks(text) == '\0' || flight_fail(place, "there is more after the six numbers");
}

static bool check_key(const Flight *flight, const FlightKey *key, const FlightPlace *place)
{
    if (key->seconds < 0 || key->seconds > FLIGHT_SECONDS_MAX) {
        return flight_fail(place, "the time must lie between 0 and 3600 seconds");
    }
    // Keys closer together make slopes that numbers cannot hold. The margin lets 0.001 after 0 be
    // read as it is written.
    if (flight->count &&
        key->seconds - flight->keys[flight->count - 1].seconds < FLIGHT_STEP_MIN - 1e-9) {
        return flight_fail(place,
                           "the time must be 0.001 seconds later than that of the key before, "
                           "or more");
    }
    for (int axis = 0; axis < 3; axis++) {
        if (key->pose[axis] < (double)TRN_VOXEL_MIN || key->pose[axis] > (double)TRN_VOXEL_MAX) {
            return flight_fail(place, "the point lies outside the world");
        }
    }
    if (fabs(key->pose[3]) > FLIGHT_TURN_MAX) {
        return flight_fail(place, "yaw must lie between -36000 and 36000 degrees");
    }
    return fabs(key->pose[4]) <= 90 ||
           flight_fail(place, "pitch must lie between -90 and 90 degrees");
}

static bool add_key(Flight *flight, const FlightKey *key, const FlightPlace *place)
{
    if (flight->count == flight->capacity) {
        size_t capacity = flight->capacity ? flight->capacity * 2 : 16;
        FlightKey *keys = realloc(flight->keys, capacity * sizeof *keys);
        if (!keys) {
            return flight_fail(place, "there is no memory for this key");
        }
        flight->keys = keys;
        flight->capacity = capacity;
    }
    flight->keys[flight->count++] = *key;
    return true;
}

static bool read_header(char *line, const FlightPlace *place)
{
    static const char word[] = "terrane-flight";
    const size_t length = sizeof word - 1;
    if (strncmp(line, word, length) != 0 || !isspace((unsigned char)line[length])) {
        return flight_fail(place, "not a flight; the first line must be 'terrane-flight 1'");
    }
    char *end;
    char *number = skip_blanks(line + length);
    long version = strtol(number, &end, 10);
    if (end == number || *skip_blanks(end) != '\0' || version < 1) {
        return flight_fail(place, "the format's version is missing; write 'terrane-flight 1'");
    }
    return version <= FLIGHT_VERSION ||
           flight_fail(place, "the flight is of a newer version than this program can read");
}

static bool read_line(Flight *flight, char *line, const FlightPlace *place)
{
    line[strcspn(line, "#")] = '\0';
    if (place->line == 1) {
        return read_header(line, place);
    }
    line = skip_blanks(line);
    if (*line == '\0') {
        return true;
    }
    if (strncmp(line, "key", 3) != 0 || !isspace((unsigned char)line[3])) {
        return flight_fail(place, "expected 'key SECONDS X Y Z YAW PITCH'");
    }
    double numbers[6];
    if (!read_numbers(line + 3, numbers, place)) {
        return false;
    }
    FlightKey key = {.seconds = numbers[0]};
    memcpy(key.pose, numbers + 1, sizeof key.pose);
    return check_key(flight, &key, place) && add_key(flight, &key, place);
}

static bool read_lines(Flight *flight, const char *text, size_t bytes, FlightPlace *place)
{
    size_t at = 0;
    do {
        place->line++;
        const char *start = text + at;
        const char *end = bytes > at ? memchr(start, '\n', bytes - at) : NULL;
        size_t length = end ? (size_t)(end - start) : bytes - at;
        if (length >= FLIGHT_LINE_MAX) {
            return flight_fail(place, "the line is longer than 255 characters");
        }
        if (length && memchr(start, '\0', length)) {
            return flight_fail(place, "not a text file");
        }
        char line[FLIGHT_LINE_MAX] = "";
        memcpy(line, length ? start : "", length);
        if (!read_line(flight, line, place)) {
            return false;
        }
        at += length + 1;
    } while (at < bytes);
    return true;
}

bool flight_parse(Flight *flight, const char *name, const char *text, size_t bytes,
                  Message *problem)
{
    if (bytes > FLIGHT_BYTES_MAX) {
        return message_set(problem, "%s: a flight of more than 1 MiB is not read.",
                           message_short(name).text);
    }
    // Some editors start a text in UTF-8 with a mark.
    if (bytes >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        bytes -= 3;
    }
    Flight read = {0};
    FlightPlace place = {name, 0, problem};
    bool good = read_lines(&read, text, bytes, &place);
    if (good && read.count == 0) {
        good = message_set(
            problem, "%s: the flight has no keys; add lines of 'key SECONDS X Y Z YAW PITCH'.",
            message_short(name).text);
    }
    if (!good) {
        flight_free(&read);
        return false;
    }
    *flight = read;
    return true;
}

static bool unreadable_flight(const char *path, Message *problem)
{
    const char *reason = strerror(errno);
    return message_set(problem,
                       "Cannot read the flight %s: %s; --flight takes the path of a flight file.",
                       message_short(path).text, reason);
}

bool flight_read(Flight *flight, const char *path, Message *problem)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return unreadable_flight(path, problem);
    }
    // One byte more than may be there tells a file that is too large, also where it has no size (a
    // device, a pipe).
    char *text = malloc(FLIGHT_BYTES_MAX + 1);
    bool good = text != NULL;
    if (!good) {
        message_set(problem, "There is no memory to read the flight %s.", message_short(path).text);
    } else {
        size_t bytes = fread(text, 1, FLIGHT_BYTES_MAX + 1, file);
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
    *flight = (Flight){0};
}

double flight_duration(const Flight *flight)
{
    return flight->keys[flight->count - 1].seconds - flight->keys[0].seconds;
}

/// Change per second at a key: towards its neighbours in time, one-sided at the ends (non-uniform Catmull-Rom).
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
        pose[i] = (2 * t3 - 3 * t2 + 1) * a->pose[i] + (3 * t2 - 2 * t3) * b->pose[i] +
                  (t3 - 2 * t2 + t) * span * key_slope(flight, key, i) +
                  (t3 - t2) * span * key_slope(flight, key + 1, i);
    }
    pose[4] = fmin(90, fmax(-90, pose[4])); // the cubic may swing beyond its keys
}
