#include "player/route.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUTE_LINE_MAX 256
#define ROUTE_ROUND 8 // points of a round trip

/// Where the reader stands, for messages.
typedef struct RoutePlace {
    const char *name;
    size_t line;
    char text[ROUTE_LINE_MAX]; ///< of the line
    Message *problem;
} RoutePlace;

static bool route_fail(const RoutePlace *place, const char *at, const char *reason)
{
    return message_set(place->problem, "%s:%zu:%zu: %s.", message_short(place->name).text,
                       place->line, (size_t)(at - place->text) + 1, reason);
}

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " \t\r");
}

/// Whether a text begins with a word, and nothing clings to it.
static bool starts_with(const char *text, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 &&
           (text[length] == '\0' || isspace((unsigned char)text[length]));
}

/// Reads numbers up to the end of the line.
/// @return how many, at most 4; -1 where something else is there, and the message says so
static int read_numbers_to_end(const char *text, double numbers[4], const RoutePlace *place)
{
    int count = 0;
    for (text = skip_spaces(text); *text != '\0'; text = skip_spaces(text)) {
        char *end;
        const double number = strtod(text, &end);
        if (end == text || !(isspace((unsigned char)*end) || *end == '\0')) {
            route_fail(place, text, "this is no number");
            return -1;
        }
        if (!isfinite(number)) {
            route_fail(place, text, "the number is not finite");
            return -1;
        }
        if (count == 4) {
            route_fail(place, text, "there are too many numbers");
            return -1;
        }
        numbers[count++] = number;
        text = end;
    }
    return count;
}

static bool is_in_world(double voxel)
{
    return voxel >= (double)TRN_VOXEL_MIN && voxel < (double)TRN_VOXEL_MAX + 1;
}

/// X Z or X Y Z.
static bool read_voxel(const char *text, RoutePoint *point, const RoutePlace *place)
{
    double numbers[4];
    const int count = read_numbers_to_end(text, numbers, place);
    if (count < 0) {
        return false;
    }
    if (count != 2 && count != 3) {
        return route_fail(place, skip_spaces(text), "a point needs X Z or X Y Z");
    }
    for (int i = 0; i < count; i++) {
        if (!is_in_world(numbers[i])) {
            return route_fail(place, skip_spaces(text), "the point lies outside the world");
        }
    }
    point->has_height = count == 3;
    point->voxel.x = (int64_t)floor(numbers[0]);
    point->voxel.y = count == 3 ? (int64_t)floor(numbers[1]) : 0;
    point->voxel.z = (int64_t)floor(numbers[count - 1]);
    return true;
}

static bool read_wait(const char *text, RoutePoint *point, const RoutePlace *place)
{
    double numbers[4];
    const int count = read_numbers_to_end(text, numbers, place);
    if (count < 0) {
        return false;
    }
    if (count != 1 || numbers[0] < 0 || numbers[0] > ROUTE_WAIT_MAX) {
        return route_fail(place, skip_spaces(text), "a wait needs seconds, from 0 to 3600");
    }
    point->seconds = numbers[0];
    return true;
}

bool route_add(Route *route, const RoutePoint *point)
{
    if (route->count == route->capacity) {
        const size_t capacity = route->capacity ? route->capacity * 2 : 16;
        RoutePoint *const points = realloc(route->points, capacity * sizeof *points);
        if (!points) {
            return false;
        }
        route->points = points;
        route->capacity = capacity;
    }
    route->points[route->count++] = *point;
    return true;
}

static bool read_route_header(const char *line, const RoutePlace *place)
{
    static const char word[] = "terrane-walk";
    if (!starts_with(line, word)) {
        return route_fail(place, line, "not a walk; the first line must be 'terrane-walk 1'");
    }
    const char *const number = skip_spaces(line + sizeof word - 1);
    char *end;
    const long version = strtol(number, &end, 10);
    if (end == number || *skip_spaces(end) != '\0' || version < 1) {
        return route_fail(place, number, "the format's version is missing; write 'terrane-walk 1'");
    }
    return version <= ROUTE_VERSION ||
           route_fail(place, number, "the walk is of a newer version than this program can read");
}

static bool read_route_line(Route *route, char *line, const RoutePlace *place)
{
    line[strcspn(line, "#")] = '\0';
    if (place->line == 1) {
        return read_route_header(line, place);
    }
    const char *const word = skip_spaces(line);
    RoutePoint point = {.kind = ROUTE_TO};
    bool is_good;
    if (*word == '\0') {
        return true;
    }
    if (starts_with(word, "to")) {
        is_good = read_voxel(word + strlen("to"), &point, place);
    } else if (starts_with(word, "from")) {
        point.kind = ROUTE_FROM;
        is_good = route->count == 0
                      ? read_voxel(word + strlen("from"), &point, place)
                      : route_fail(place, word, "'from' stands once, before all other lines");
    } else if (starts_with(word, "wait")) {
        point.kind = ROUTE_WAIT;
        is_good = read_wait(word + strlen("wait"), &point, place);
    } else {
        return route_fail(place, word,
                          "expected 'to X Z', 'to X Y Z', 'from X Z', 'from X Y Z' or 'wait "
                          "SECONDS'");
    }
    return is_good && (route_add(route, &point) ||
                       route_fail(place, word, "there is no memory for this point"));
}

static bool read_route_lines(Route *route, const char *text, size_t bytes, RoutePlace *place)
{
    size_t at = 0;
    char *const line = place->text;
    do {
        place->line++;
        const char *const start = text + at;
        const char *const end = bytes > at ? memchr(start, '\n', bytes - at) : NULL;
        const size_t length = end ? (size_t)(end - start) : bytes - at;
        memset(line, 0, sizeof place->text);
        if (length >= ROUTE_LINE_MAX) {
            return route_fail(place, line + ROUTE_LINE_MAX - 1,
                              "the line is longer than 255 characters");
        }
        const char *const zero = length ? memchr(start, '\0', length) : NULL;
        if (zero) {
            return route_fail(place, line + (zero - start), "not a text file");
        }
        memcpy(line, length ? start : "", length);
        if (!read_route_line(route, line, place)) {
            return false;
        }
        at += length + 1;
    } while (at < bytes);
    return true;
}

static bool leads_somewhere(const Route *route)
{
    for (size_t i = 0; i < route->count; i++) {
        if (route->points[i].kind == ROUTE_TO) {
            return true;
        }
    }
    return false;
}

bool route_parse(Route *route, const char *name, const char *text, size_t bytes, Message *problem)
{
    if (bytes > ROUTE_BYTES_MAX) {
        return message_set(problem, "%s: a walk of more than 1 MiB is not read.",
                           message_short(name).text);
    }
    // Some editors start a text in UTF-8 with a mark.
    if (bytes >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        bytes -= 3;
    }
    Route read = {0};
    RoutePlace place = {.name = name, .problem = problem};
    bool is_good = read_route_lines(&read, text, bytes, &place);
    if (is_good && !leads_somewhere(&read)) {
        is_good =
            message_set(problem, "%s: the walk leads nowhere; add lines of 'to X Z' or 'to X Y Z'.",
                        message_short(name).text);
    }
    if (!is_good) {
        route_free(&read);
        return false;
    }
    *route = read;
    return true;
}

static bool unreadable_route(const char *path, Message *problem)
{
    const char *const reason = strerror(errno);
    return message_set(problem,
                       "Cannot read the walk %s: %s; --walk takes the path of a walk's file.",
                       message_short(path).text, reason);
}

bool route_read(Route *route, const char *path, Message *problem)
{
    FILE *const file = fopen(path, "rb");
    if (!file) {
        return unreadable_route(path, problem);
    }
    // One byte more than may be there tells a file that is too large, also where it has no size (a
    // device, a pipe).
    char *const text = malloc(ROUTE_BYTES_MAX + 1);
    bool is_good = text != NULL;
    if (!text) {
        message_set(problem, "There is no memory to read the walk %s.", message_short(path).text);
    } else {
        const size_t bytes = fread(text, 1, ROUTE_BYTES_MAX + 1, file);
        is_good = ferror(file) ? unreadable_route(path, problem)
                               : route_parse(route, path, text, bytes, problem);
    }
    free(text);
    fclose(file);
    return is_good;
}

static int64_t cut_column(int64_t voxel)
{
    return voxel < TRN_VOXEL_MIN ? TRN_VOXEL_MIN : voxel > TRN_VOXEL_MAX ? TRN_VOXEL_MAX : voxel;
}

bool route_around(Route *route, TrnVoxel centre, int64_t radius, Message *problem)
{
    static const int sides[ROUTE_ROUND][2] = {{10, 0},  {7, 7},   {0, 10},  {-7, 7},
                                              {-10, 0}, {-7, -7}, {0, -10}, {7, -7}};
    const int64_t far = radius < 1 ? 1 : radius > 4096 ? 4096 : radius;
    Route made = {0};
    for (int i = 0; i < ROUTE_ROUND; i++) {
        const RoutePoint to = {
            .kind = ROUTE_TO,
            .voxel = {cut_column(cut_column(centre.x) + sides[i][0] * far / 10), 0,
                      cut_column(cut_column(centre.z) + sides[i][1] * far / 10)}};
        const RoutePoint wait = {.kind = ROUTE_WAIT, .seconds = 3};
        if (!route_add(&made, &to) || !route_add(&made, &wait)) {
            route_free(&made);
            return message_set(problem, "There is no memory for a round trip.");
        }
    }
    *route = made;
    return true;
}

const RoutePoint *route_start(const Route *route)
{
    for (size_t i = 0; i < route->count; i++) {
        if (route->points[i].kind != ROUTE_WAIT) {
            return &route->points[i];
        }
    }
    return NULL;
}

void route_free(Route *route)
{
    free(route->points);
    *route = (Route){0};
}
