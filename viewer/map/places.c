#include "map/places.h"

#include <stdio.h>
#include <string.h>

#include <terrane/coord.h>

#include "message.h"

#define PLACES_HEAD "terrane-places 1\n"

// ---- names --------------------------------------------------------------------------------------

bool places_clean_name(const char *typed, char *name)
{
    const unsigned char *at = (const unsigned char *)typed;
    size_t length = 0;
    while (*at) {
        const size_t bytes = message_character(at);
        const bool is_kept = bytes && !message_is_control(at) && (length || *at != ' ');
        if (is_kept && length + bytes > PLACES_NAME_MAX) {
            break;
        }
        for (size_t i = 0; is_kept && i < bytes; i++) {
            name[length++] = (char)at[i];
        }
        at += bytes ? bytes : 1;
    }
    while (length && name[length - 1] == ' ') {
        length--;
    }
    name[length] = '\0';
    return length > 0;
}

// ---- the list -----------------------------------------------------------------------------------

bool places_add(Places *places, const char *typed, const double voxel[3])
{
    NamedPlace place;
    if (places->count == PLACES_MAX || !places_clean_name(typed, place.name)) {
        return false;
    }
    memcpy(place.voxel, voxel, sizeof place.voxel);
    places->at[places->count++] = place;
    return true;
}

bool places_rename(Places *places, size_t place, const char *typed)
{
    char name[PLACES_NAME_MAX + 1];
    const bool is_good = place < places->count && places_clean_name(typed, name);
    if (is_good) {
        memcpy(places->at[place].name, name, sizeof name);
    }
    return is_good;
}

void places_remove(Places *places, size_t place)
{
    if (place < places->count) {
        places->count--;
        memmove(&places->at[place], &places->at[place + 1],
                (places->count - place) * sizeof places->at[0]);
    }
}

static bool places_have(const Places *places, const char *name)
{
    for (size_t i = 0; i < places->count; i++) {
        if (strcmp(places->at[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

void places_free_name(const Places *places, char *name)
{
    for (size_t i = 1; i <= PLACES_MAX + 1; i++) {
        (void)snprintf(name, PLACES_NAME_MAX + 1, "Place %zu", i);
        if (!places_have(places, name)) {
            return;
        }
    }
}

// ---- text ---------------------------------------------------------------------------------------

size_t places_write(const Places *places, char *text)
{
    size_t length = strlen(PLACES_HEAD);
    memcpy(text, PLACES_HEAD, length + 1);
    for (size_t i = 0; i < places->count; i++) {
        const NamedPlace *place = &places->at[i];
        length += (size_t)snprintf(text + length, PLACES_LINE_MAX, "%.2f %.2f %.2f %s\n",
                                   place->voxel[0], place->voxel[1], place->voxel[2], place->name);
    }
    return length;
}

static bool places_is_inside(const double voxel[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(voxel[axis] >= (double)TRN_VOXEL_MIN && voxel[axis] <= (double)TRN_VOXEL_MAX)) {
            return false;
        }
    }
    return true;
}

/// @param line  [size] without its end
static bool places_read_line(Places *places, const char *line, size_t size)
{
    char text[PLACES_LINE_MAX + 1], name[PLACES_NAME_MAX + 1];
    double voxel[3];
    int begin = 0;
    if (size >= sizeof text || memchr(line, '\0', size)) {
        return false;
    }
    memcpy(text, line, size);
    text[size] = '\0';
    return sscanf(text, "%lf %lf %lf %n", &voxel[0], &voxel[1], &voxel[2], &begin) == 3 && begin &&
           places_is_inside(voxel) && places_clean_name(text + begin, name) &&
           strcmp(name, text + begin) == 0 && places_add(places, name, voxel);
}

bool places_read(Places *places, const char *text, size_t size)
{
    const size_t head = strlen(PLACES_HEAD);
    places->count = 0;
    if (size < head || memcmp(text, PLACES_HEAD, head) != 0) {
        return size == 0;
    }
    bool is_good = true;
    for (size_t at = head; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - (text + at)) : size - at;
        is_good = places_read_line(places, text + at, length) && end && is_good;
        at += length + 1;
    }
    return is_good;
}
