#include "settings/share.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain_choice.h"

static bool share_refuse(const char *words, Message *problem)
{
    return message_set(problem,
                       "This link cannot be read: %s. A link looks like "
                       "terrane://islands/42/100,60,-40,180,-10/9.5.",
                       words);
}

bool share_is(const char *text)
{
    text += strspn(text, " \t\r\n");
    return strncmp(text, SHARE_SCHEME, sizeof SHARE_SCHEME - 1) == 0;
}

/// Reads a whole number up to a limit. @return the text after it, or NULL
static const char *share_read_whole(const char *at, uint64_t limit, uint64_t *number)
{
    uint64_t value = 0;
    const char *const first = at;
    for (; *at >= '0' && *at <= '9'; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (digit > limit || value > (limit - digit) / 10) {
            return NULL;
        }
        value = value * 10 + digit;
    }
    *number = value;
    return at > first ? at : NULL;
}

/// Reads a number with decimals, independent of the locale.
static const char *share_read_number(const char *at, double limit, double *number)
{
    const bool is_negative = *at == '-';
    double value = 0, unit = 1;
    at += is_negative;
    const char *const first = at;
    for (; *at >= '0' && *at <= '9' && value < 1e15; at++) {
        value = value * 10 + (*at - '0');
    }
    const bool is_whole = at > first;
    if (*at == '.') {
        for (at++; *at >= '0' && *at <= '9'; at++) {
            unit /= 10;
            value += unit * (*at - '0');
        }
    }
    *number = is_negative ? -value : value;
    return is_whole && value <= limit ? at : NULL;
}

/// Reads the name of a preset. @return the text after it, or NULL
static const char *share_read_preset(const char *at, const char **preset)
{
    const size_t length = strcspn(at, "/@");
    for (size_t i = 0; trn_terrain_preset_name(i); i++) {
        const char *name = trn_terrain_preset_name(i);
        if (strlen(name) == length && strncmp(name, at, length) == 0) {
            *preset = name;
            return at + length;
        }
    }
    return NULL;
}

static const char *share_read_version(const char *at, uint32_t *version)
{
    uint64_t number = TRN_TERRAIN_VERSION;
    if (*at == '@') {
        at = share_read_whole(at + 1, TRN_TERRAIN_VERSION, &number);
    }
    *version = (uint32_t)number;
    return number ? at : NULL;
}

static const char *share_read_place(const char *at, double place[5])
{
    static const double limits[5] = {1e11, 1e11, 1e11, 1e6, 90};
    for (int i = 0; i < 5 && at; i++) {
        at = share_read_number(at, limits[i], &place[i]);
        at = !at || i == 4 ? at : *at == ',' ? at + 1 : NULL;
    }
    return at;
}

bool share_read(const char *text, Share *share, Message *problem)
{
    Share read = {0};
    if (!share_is(text)) {
        return share_refuse("it does not begin with terrane://", problem);
    }
    const char *at =
        share_read_preset(strstr(text, SHARE_SCHEME) + sizeof SHARE_SCHEME - 1, &read.preset);
    if (!at) {
        return share_refuse("this viewer has no such preset", problem);
    }
    at = share_read_version(at, &read.land_version);
    if (!at || *at != '/') {
        return share_refuse("this viewer does not know this version of the land", problem);
    }
    if (read.land_version < TRN_TERRAIN_VERSION_OLDEST) {
        return message_set(problem,
                           "This link leads to land of version %" PRIu32 ", which this viewer does "
                           "not generate; open it with the version of Terrane that wrote it.",
                           read.land_version);
    }
    at = share_read_whole(at + 1, UINT64_MAX, &read.seed);
    if (!at || *at != '/') {
        return share_refuse("the seed is no number", problem);
    }
    at = share_read_place(at + 1, read.at);
    if (!at || *at != '/') {
        return share_refuse("x,y,z,yaw,pitch are not five numbers of a place", problem);
    }
    at = share_read_number(at + 1, 24, &read.hours);
    if (!at || read.hours < 0 || at[strspn(at, " \t\r\n")]) {
        return share_refuse("the time is no number from 0 to 24", problem);
    }
    *share = read;
    return true;
}

/// Writes a rounded number, independent of the locale.
static void share_write_number(double value, int digits, char text[32])
{
    const int64_t unit = digits == 1 ? 10 : 100;
    const int64_t number = llround(value * (double)unit), above = number < 0 ? -number : number;
    snprintf(text, 32, "%s%" PRId64 ".%0*" PRId64, number < 0 ? "-" : "", above / unit, digits,
             above % unit);
}

void share_write(const Share *share, char text[SHARE_BYTES])
{
    char numbers[6][32];
    for (int i = 0; i < 5; i++) {
        share_write_number(share->at[i], i < 3 ? 2 : 1, numbers[i]);
    }
    share_write_number(share->hours, 2, numbers[5]);
    snprintf(text, SHARE_BYTES, SHARE_SCHEME "%s@%" PRIu32 "/%" PRIu64 "/%s,%s,%s,%s,%s/%s",
             share->preset, share->land_version, share->seed, numbers[0], numbers[1], numbers[2],
             numbers[3], numbers[4], numbers[5]);
}

const char *share_preset(const TrnTerrainShape *shape)
{
    for (size_t i = 0; trn_terrain_preset_name(i); i++) {
        TrnTerrainShape preset;
        const TrnResult result = trn_terrain_shape_preset(trn_terrain_preset_name(i), &preset);
        if (result == TRN_RESULT_OK && terrain_choice_same_shape(&preset, shape)) {
            return trn_terrain_preset_name(i);
        }
    }
    return NULL;
}
