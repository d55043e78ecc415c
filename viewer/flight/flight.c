#include "flight/flight.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/coord.h>

#include "world/world.h"

#define FLIGHT_LINE_MAX 512

void flight_free(Flight *flight)
{
    free(flight->keys);
    free(flight->edits);
    *flight = (Flight){0};
}

// ---- reading text -------------------------------------------------------------------------------

/// State of the parser.
typedef struct FlightReader {
    Flight flight;
    long version;
    bool has_ended; ///< has read `end`
    const char *name;
    size_t line;
    Message *problem;
} FlightReader;

static bool flight_fail(const FlightReader *reader, const char *reason)
{
    return message_set(reader->problem, "%s, line %zu: %s.", message_short(reader->name).text,
                       reader->line, reason);
}

static bool flight_fail_memory(const FlightReader *reader)
{
    return flight_fail(reader, "there is no memory for this line");
}

// ---- words and numbers --------------------------------------------------------------------------

static char *flight_skip_blanks(char *text)
{
    return text + strspn(text, " \t\r");
}

/// Takes the next word of a line and terminates it; "" at the end of the line.
static char *flight_take_word(char **text)
{
    char *word = flight_skip_blanks(*text);
    char *end = word + strcspn(word, " \t\r");
    *text = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static bool flight_take_number(char **text, double *number)
{
    char *word = flight_take_word(text), *end;
    *number = strtod(word, &end);
    return *word && *end == '\0';
}

static bool flight_take_voxel(char **text, int64_t away, TrnVoxel *voxel)
{
    int64_t *const axes[3] = {&voxel->x, &voxel->y, &voxel->z};
    for (int i = 0; i < 3; i++) {
        char *word = flight_take_word(text), *end;
        errno = 0;
        *axes[i] = strtoll(word, &end, 10);
        if (!*word || *end || errno || *axes[i] < TRN_VOXEL_MIN - away ||
            *axes[i] > TRN_VOXEL_MAX + away) {
            return false;
        }
    }
    return true;
}

static bool flight_ends_here(const FlightReader *reader, char *text, const char *reason)
{
    return *flight_skip_blanks(text) == '\0' || flight_fail(reader, reason);
}

static bool flight_check_seconds(const FlightReader *reader, double seconds)
{
    return (seconds >= 0 && seconds <= FLIGHT_SECONDS_MAX) ||
           flight_fail(reader, "the time must lie between 0 and 3600 seconds");
}

// ---- key frames ---------------------------------------------------------------------------------

/// Reads exactly six numbers.
static bool flight_read_numbers(const FlightReader *reader, char *text, double numbers[6])
{
    for (int i = 0; i < 6; i++) {
        if (!flight_take_number(&text, &numbers[i])) {
            return flight_fail(reader, "a key needs six numbers: seconds, x, y, z, yaw, pitch");
        }
        if (!isfinite(numbers[i])) {
            return flight_fail(reader, "a number is not finite");
        }
    }
    return flight_ends_here(reader, text, "there is more after the six numbers");
}

static bool flight_check_key(const FlightReader *reader, const FlightKey *key)
{
    const Flight *const flight = &reader->flight;
    if (!flight_check_seconds(reader, key->seconds)) {
        return false;
    }
    // Keys closer together would have slopes beyond the range of numbers. The margin admits a
    // written 0.001 after 0.
    if (flight->count &&
        key->seconds - flight->keys[flight->count - 1].seconds < FLIGHT_STEP_MIN - 1e-9) {
        return flight_fail(reader,
                           "the time must be 0.001 seconds later than that of the key before, "
                           "or more");
    }
    for (int axis = 0; axis < 3; axis++) {
        if (key->pose[axis] < (double)TRN_VOXEL_MIN || key->pose[axis] > (double)TRN_VOXEL_MAX) {
            return flight_fail(reader, "the point lies outside the world");
        }
    }
    if (fabs(key->pose[3]) > FLIGHT_TURN_MAX) {
        return flight_fail(reader, "yaw must lie between -1000000 and 1000000 degrees");
    }
    return fabs(key->pose[4]) <= 90 ||
           flight_fail(reader, "pitch must lie between -90 and 90 degrees");
}

static bool flight_read_key(FlightReader *reader, char *text)
{
    Flight *const flight = &reader->flight;
    double numbers[6];
    if (!flight_read_numbers(reader, text, numbers)) {
        return false;
    }
    FlightKey key = {.seconds = numbers[0]};
    memcpy(key.pose, numbers + 1, sizeof key.pose);
    if (!flight_check_key(reader, &key)) {
        return false;
    }
    if (flight->count == flight->capacity) {
        const size_t capacity = flight->capacity ? flight->capacity * 2 : 16;
        FlightKey *keys = realloc(flight->keys, capacity * sizeof *keys);
        if (!keys) {
            return flight_fail_memory(reader);
        }
        flight->keys = keys;
        flight->capacity = capacity;
    }
    flight->keys[flight->count++] = key;
    return true;
}

// ---- edits --------------------------------------------------------------------------------------

static bool flight_read_ball(const FlightReader *reader, char **text, Brush *brush)
{
    TrnVoxel centre;
    double radius;
    if (!flight_take_voxel(text, 0, &centre)) {
        return flight_fail(reader, "a ball needs its middle, three whole numbers in the world");
    }
    if (!flight_take_number(text, &radius) || !(radius >= 0 && radius <= BRUSH_RADIUS_MAX)) {
        return flight_fail(reader, "a ball needs a radius from 0 to 16");
    }
    *brush = brush_ball(centre, radius);
    return true;
}

static bool flight_read_box(const FlightReader *reader, char **text, Brush *brush)
{
    TrnVoxel from, to;
    if (!flight_take_voxel(text, 0, &from) || !flight_take_voxel(text, 0, &to)) {
        return flight_fail(reader, "a box needs two corners, six whole numbers in the world");
    }
    *brush = brush_box(from, to);
    return (brush_holds(brush, from) && brush_holds(brush, to)) ||
           flight_fail(reader, "a box may be at most 64 voxels wide");
}

static bool flight_read_shape(const FlightReader *reader, char **text, Brush *brush)
{
    const char *word = flight_take_word(text);
    if (strcmp(word, "ball") == 0) {
        return flight_read_ball(reader, text, brush);
    }
    return strcmp(word, "box") == 0
               ? flight_read_box(reader, text, brush)
               : flight_fail(reader, "expected 'ball X Y Z RADIUS' or 'box X Y Z X Y Z'");
}

/// Reads a body whose voxels the edit left out.
static bool flight_read_body(const FlightReader *reader, char **text, HandEdit *edit)
{
    if (*flight_skip_blanks(*text) == '\0') {
        return true;
    }
    BrushBox *const body = &edit->body;
    edit->has_body = true;
    if (strcmp(flight_take_word(text), "body") != 0) {
        return flight_fail(reader, "expected nothing more, or 'body X Y Z X Y Z'");
    }
    return (flight_take_voxel(text, FLIGHT_BODY_AWAY_MAX, &body->min) &&
            flight_take_voxel(text, FLIGHT_BODY_AWAY_MAX, &body->max) &&
            body->min.x <= body->max.x && body->min.y <= body->max.y &&
            body->min.z <= body->max.z) ||
           flight_fail(reader, "a body needs its lowest and its highest corner, six whole numbers");
}

static bool flight_read_block(const FlightReader *reader, char **text,
                              char name[TRN_BLOCK_NAME_MAX + 1])
{
    const char *word = flight_take_word(text);
    if (!*word || strlen(word) > TRN_BLOCK_NAME_MAX || !strchr(word, ':')) {
        return flight_fail(reader, "expected the name of a block, such as terrane:stone");
    }
    memcpy(name, word, strlen(word) + 1);
    return true;
}

static bool flight_read_edit_kind(const FlightReader *reader, const char *word, HandEditKind *kind)
{
    static const char *const words[HAND_EDIT_COUNT] = {"dig", "build", "replace", "undo", "redo"};
    for (int i = 0; i < HAND_EDIT_COUNT; i++) {
        if (strcmp(word, words[i]) == 0) {
            *kind = (HandEditKind)i;
            return true;
        }
    }
    return flight_fail(reader, "expected 'dig', 'build', 'replace', 'undo' or 'redo'");
}

/// Reads the rest of the line after the kind of edit.
static bool flight_read_what(const FlightReader *reader, char **text, FlightEdit *edit)
{
    const HandEditKind kind = edit->edit.kind;
    if (kind == HAND_EDIT_UNDO || kind == HAND_EDIT_REDO) {
        return true;
    }
    return (kind != HAND_EDIT_REPLACE || flight_read_block(reader, text, edit->replaced)) &&
           (kind == HAND_EDIT_DIG || flight_read_block(reader, text, edit->block)) &&
           flight_read_shape(reader, text, &edit->edit.brush) &&
           (kind == HAND_EDIT_DIG || flight_read_body(reader, text, &edit->edit));
}

static bool flight_check_edit(const FlightReader *reader, const FlightEdit *edit)
{
    const Flight *const flight = &reader->flight;
    const FlightEdit *const before =
        flight->edit_count ? &flight->edits[flight->edit_count - 1] : NULL;
    if (before && edit->seconds < before->seconds) {
        return flight_fail(reader, "the time must not be earlier than that of the edit before");
    }
    const FlightEdit *const crowd = flight->edit_count >= FLIGHT_EDITS_A_SECOND
                                        ? &flight->edits[flight->edit_count - FLIGHT_EDITS_A_SECOND]
                                        : NULL;
    if (crowd && edit->seconds - crowd->seconds < 1) {
        return flight_fail(reader, "there are more than 1000 edits within a second; spread them "
                                   "over more time");
    }
    const bool is_step = edit->edit.kind < HAND_EDIT_UNDO;
    if (edit->edit.goes_on && !(is_step && before && before->edit.kind < HAND_EDIT_UNDO)) {
        return flight_fail(reader, "'more' goes on with digging or building in the edit before");
    }
    return true;
}

static bool flight_read_edit(FlightReader *reader, char *text, bool goes_on)
{
    Flight *const flight = &reader->flight;
    FlightEdit edit = {.line = reader->line, .edit = {.goes_on = goes_on}};
    if (!flight_take_number(&text, &edit.seconds)) {
        return flight_fail(reader, "an edit needs its time in seconds, and what was done");
    }
    if (!flight_check_seconds(reader, edit.seconds) ||
        !flight_read_edit_kind(reader, flight_take_word(&text), &edit.edit.kind) ||
        !flight_read_what(reader, &text, &edit) ||
        !flight_ends_here(reader, text, "there is more after the edit") ||
        !flight_check_edit(reader, &edit)) {
        return false;
    }
    if (flight->edit_count == flight->edit_capacity) {
        const size_t capacity = flight->edit_capacity ? flight->edit_capacity * 2 : 16;
        FlightEdit *edits = realloc(flight->edits, capacity * sizeof *edits);
        if (!edits) {
            return flight_fail_memory(reader);
        }
        flight->edits = edits;
        flight->edit_capacity = capacity;
    }
    flight->edits[flight->edit_count++] = edit;
    return true;
}

// ---- the head -----------------------------------------------------------------------------------

static bool flight_read_unsigned(const char *word, int base, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(word, &end, base);
    return isxdigit((unsigned char)*word) && *end == '\0' && !errno;
}

static bool flight_read_preset(FlightHead *head, const char *word)
{
    const size_t length = strlen(word);
    if (!length || length >= sizeof head->preset || head->preset[0]) {
        return false;
    }
    memcpy(head->preset, word, length + 1);
    return true;
}

/// @param there  the value read so far; 0: none
static bool flight_read_land_version(const char *word, uint32_t *there)
{
    uint64_t number;
    if (*there || !flight_read_unsigned(word, 10, &number) || number < 1 || number > UINT32_MAX) {
        return false;
    }
    *there = (uint32_t)number;
    return true;
}

/// Reads one number of chunks. @param there  the value read so far; 0: none
static bool flight_read_chunks(const char *word, int low, int high, int *there)
{
    uint64_t number;
    if (*there || !flight_read_unsigned(word, 10, &number) || number < (uint64_t)low ||
        number > (uint64_t)high) {
        return false;
    }
    *there = (int)number;
    return true;
}

/// @param known  receives whether the word belongs to the head
static bool flight_read_head(FlightReader *reader, const char *word, char *text, bool *known)
{
    FlightHead *const head = &reader->flight.head;
    bool good = true;
    *known = true;
    if (strcmp(word, "seed") == 0) {
        good = !head->has_seed && flight_read_unsigned(flight_take_word(&text), 10, &head->seed);
        head->has_seed = true;
    } else if (strcmp(word, "land") == 0) {
        good = !head->has_land && flight_read_unsigned(flight_take_word(&text), 16, &head->land);
        head->has_land = true;
    } else if (strcmp(word, "land-version") == 0) {
        good = flight_read_land_version(flight_take_word(&text), &head->land_version);
    } else if (strcmp(word, "preset") == 0) {
        good = flight_read_preset(head, flight_take_word(&text));
    } else if (strcmp(word, "view-distance") == 0) {
        good = flight_read_chunks(flight_take_word(&text), WORLD_VIEW_DISTANCE_MIN,
                                  WORLD_FAR_DISTANCE_MAX, &head->view_distance);
    } else if (strcmp(word, "detail-distance") == 0) {
        good = flight_read_chunks(flight_take_word(&text), WORLD_VIEW_DISTANCE_MIN,
                                  WORLD_VIEW_DISTANCE_MAX, &head->detail_distance);
    } else if (strcmp(word, "view-height") == 0) {
        good = flight_read_chunks(flight_take_word(&text), WORLD_VIEW_HEIGHT_MIN,
                                  WORLD_VIEW_DISTANCE_MAX, &head->view_height);
    } else {
        *known = false;
        return true;
    }
    if (!good) {
        return message_set(reader->problem,
                           "%s, line %zu: expected '%s' once, with a value that is in range.",
                           message_short(reader->name).text, reader->line, word);
    }
    if (reader->flight.count || reader->flight.edit_count) {
        return flight_fail(reader, "this must stand before the first key");
    }
    return flight_ends_here(reader, text, "there is more after the value");
}

static bool flight_read_first_line(FlightReader *reader, char *line)
{
    static const char word[] = "terrane-flight";
    const size_t length = sizeof word - 1;
    if (strncmp(line, word, length) != 0 || !isspace((unsigned char)line[length])) {
        return flight_fail(reader, "not a flight; the first line must be 'terrane-flight 1', or 3 "
                                   "of a recording");
    }
    char *end;
    char *number = flight_skip_blanks(line + length);
    reader->version = strtol(number, &end, 10);
    if (end == number || *flight_skip_blanks(end) != '\0' || reader->version < 1) {
        return flight_fail(reader, "the format's version is missing; write 'terrane-flight 1', or "
                                   "3 of a recording");
    }
    reader->flight.is_recording = reader->version >= 2;
    return reader->version <= FLIGHT_VERSION ||
           flight_fail(reader, "the flight is of a newer version than this program can read");
}

// ---- lines --------------------------------------------------------------------------------------

/// Reads a line that occurs only in recordings.
static bool flight_read_recorded(FlightReader *reader, const char *word, char *text)
{
    if (strcmp(word, "edit") == 0 || strcmp(word, "more") == 0) {
        return flight_read_edit(reader, text, *word == 'm');
    }
    if (strcmp(word, "end") == 0) {
        reader->has_ended = true;
        return flight_ends_here(reader, text, "there is more after 'end'");
    }
    bool known;
    return flight_read_head(reader, word, text, &known) &&
           (known || flight_fail(reader, "expected 'key SECONDS X Y Z YAW PITCH', 'edit SECONDS "
                                         "WHAT' or 'end'"));
}

static bool flight_read_line(FlightReader *reader, char *line)
{
    line[strcspn(line, "#")] = '\0';
    if (reader->line == 1) {
        return flight_read_first_line(reader, line);
    }
    if (*flight_skip_blanks(line) == '\0') {
        return true;
    }
    if (reader->has_ended) {
        return flight_fail(reader, "there is more after 'end'");
    }
    const char *word = flight_take_word(&line);
    if (strcmp(word, "key") == 0) {
        return flight_read_key(reader, line);
    }
    return reader->version >= 2 ? flight_read_recorded(reader, word, line)
                                : flight_fail(reader, "expected 'key SECONDS X Y Z YAW PITCH'");
}

static bool flight_read_lines(FlightReader *reader, const char *text, size_t bytes)
{
    size_t at = 0;
    do {
        reader->line++;
        const char *start = text + at;
        const char *end = bytes > at ? memchr(start, '\n', bytes - at) : NULL;
        size_t length = end ? (size_t)(end - start) : bytes - at;
        if (length >= FLIGHT_LINE_MAX) {
            return flight_fail(reader, "the line is longer than 511 characters");
        }
        if (length && memchr(start, '\0', length)) {
            return flight_fail(reader, "not a text file");
        }
        char line[FLIGHT_LINE_MAX] = "";
        memcpy(line, length ? start : "", length);
        if (!flight_read_line(reader, line)) {
            return false;
        }
        at += length + 1;
    } while (at < bytes);
    return true;
}

/// Checks that need the whole text.
static bool flight_check_flight(const FlightReader *reader)
{
    const bool is_cut = reader->version >= 2 && !reader->has_ended;
    if (reader->flight.count == 0 && is_cut) {
        return flight_fail(reader, "the recording was cut off here, before its first key");
    }
    if (reader->flight.count == 0) {
        return message_set(
            reader->problem,
            "%s: the flight has no keys; add lines of 'key SECONDS X Y Z YAW PITCH'.",
            message_short(reader->name).text);
    }
    return !is_cut || flight_fail(reader, "the recording was cut off here. To fly what there is, "
                                          "let 'end' stand behind the last whole line");
}

bool flight_parse(Flight *flight, const char *name, const char *text, size_t bytes,
                  Message *problem)
{
    if (bytes > FLIGHT_BYTES_MAX) {
        return message_set(problem, "%s: a flight of more than 64 MiB is not read.",
                           message_short(name).text);
    }
    // Some editors start a UTF-8 text with a byte order mark.
    if (bytes >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        bytes -= 3;
    }
    FlightReader reader = {.name = name, .problem = problem};
    if (!flight_read_lines(&reader, text, bytes) || !flight_check_flight(&reader)) {
        flight_free(&reader.flight);
        return false;
    }
    *flight = reader.flight;
    return true;
}

// ---- reading a file -----------------------------------------------------------------------------

static bool flight_refuse(const char *path, Message *problem)
{
    const char *reason = strerror(errno);
    return message_set(problem,
                       "Cannot read the flight %s: %s; --flight takes the path of a flight file.",
                       message_short(path).text, reason);
}

/// Reads a file, at most one byte more than a flight may have: this detects files that are too
/// large even if they report no size (a device, a pipe).
/// @return NULL if out of memory, or on a read error (see ferror)
static char *flight_read_whole(FILE *file, size_t *bytes)
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
        return flight_refuse(path, problem);
    }
    size_t bytes;
    char *text = flight_read_whole(file, &bytes);
    bool good = text != NULL;
    if (!good) {
        message_set(problem, "Out of memory: cannot read the flight %s.", message_short(path).text);
    } else {
        good = ferror(file) ? flight_refuse(path, problem)
                            : flight_parse(flight, path, text, bytes, problem);
    }
    free(text);
    fclose(file);
    return good;
}

// ---- where the camera is ------------------------------------------------------------------------

double flight_duration(const Flight *flight)
{
    return flight->keys[flight->count - 1].seconds - flight->keys[0].seconds;
}

/// Returns the slope at a key from its neighbours in time (non-uniform Catmull-Rom); one-sided at
/// the ends.
static double flight_key_slope(const Flight *flight, size_t key, int value)
{
    const FlightKey *before = &flight->keys[key > 0 ? key - 1 : key];
    const FlightKey *after = &flight->keys[key + 1 < flight->count ? key + 1 : key];
    double seconds = after->seconds - before->seconds;
    return seconds > 0 ? (after->pose[value] - before->pose[value]) / seconds : 0;
}

static size_t flight_key_before(const Flight *flight, double time)
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
    size_t key = flight_key_before(flight, time);
    const FlightKey *a = &flight->keys[key], *b = a + 1;
    double span = b->seconds - a->seconds;
    double t = (time - a->seconds) / span, t2 = t * t, t3 = t2 * t;
    for (int i = 0; i < 5; i++) {
        // As an offset from the earlier key, so that the camera rests exactly at that key's pose.
        pose[i] = a->pose[i] + (3 * t2 - 2 * t3) * (b->pose[i] - a->pose[i]) +
                  (t3 - 2 * t2 + t) * span * flight_key_slope(flight, key, i) +
                  (t3 - t2) * span * flight_key_slope(flight, key + 1, i);
    }
    pose[4] = fmin(90, fmax(-90, pose[4])); // the cubic may overshoot its keys
}
