/// Flights: where the camera is at which second, and what is dug and built on the way.
///
/// A flight is a text file. The first line names the format and its version; every key gives a time
/// in seconds, a point in voxels (decimals allowed, y up) and a direction in degrees. '#' starts a
/// comment, empty lines are skipped.
///
///     terrane-flight 1
///     # seconds    x      y      z     yaw  pitch
///     key  0.0     0.0   80.0    0.0     0    -10
///     key  4.5   120.0   95.5  -60.0    35     -5
///
/// Yaw 0 looks towards -z and turns right (towards +x); pitch is positive upwards, -90 to 90. Times
/// start anywhere from 0 on and increase by a millisecond or more. Between keys the camera follows
/// a cubic through them; yaw is not wrapped, so 350 to 370 turns by 20 degrees.
///
/// Version 1 is a plan: it is flown over any land, and raised where it comes too low (clearance.h).
/// Version 3 is a recording, and flown exactly as it is written. Before its first key it may say
/// over which land it was made, and every edit gives a time and what was done. (Version 2 is the
/// same without `land-version`, and is still read.)
///
///     terrane-flight 3
///     seed 13
///     preset default
///     land-version 3
///     land 8f0c3a55d2e19b07
///     view-distance 16
///     view-height 8
///     key 0 12.5 40 -3 90 -20
///     edit 0.5 dig ball 16 38 -3 2.5
///     more 0.7 dig ball 17 38 -3 2.5
///     edit 1.5 build terrane:stone box 16 38 -3 18 40 -3 body 15 38 -3 15 39 -3
///     edit 2 replace terrane:dirt terrane:ice ball 20 37 -3 0
///     edit 3 undo
///     key 4 12.5 40 -3 90 -20
///     end
///
/// `more` belongs to the same step of undo as the edit before. docs/flights.md says what each word
/// means.
#ifndef TERRANE_VIEWER_FLIGHT_H
#define TERRANE_VIEWER_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>

#include <terrane/block_types.h>

#include "hand/hand.h"
#include "message.h"

#define FLIGHT_VERSION 3
#define FLIGHT_BYTES_MAX ((size_t)64 * 1024 * 1024)
#define FLIGHT_SECONDS_MAX 3600.0
#define FLIGHT_STEP_MIN 0.001        ///< seconds from key to key
#define FLIGHT_TURN_MAX 1000000.0    ///< degrees of yaw
#define FLIGHT_BODY_AWAY_MAX 1000000 ///< voxels that a body may lie beyond the end of the world

typedef struct FlightKey {
    double seconds;
    double pose[5]; ///< x, y, z in voxels; yaw, pitch in degrees
} FlightKey;

/// Something that was dug or built.
typedef struct FlightEdit {
    double seconds; ///< by the clock of the keys, and none is earlier than the one before
    size_t line;    ///< of the file
    HandEdit edit;  ///< its blocks are not known yet: see the names
    char block[TRN_BLOCK_NAME_MAX + 1]; ///< "" where the edit has none
    char replaced[TRN_BLOCK_NAME_MAX + 1];
} FlightEdit;

/// What a recording says of where it was made. Also the land that a flight would be flown over now.
typedef struct FlightHead {
    bool has_seed, has_land;
    uint64_t seed;
    char preset[64];                ///< "": not said; of the present land: a shape from a file
    uint32_t land_version;          ///< TRN_TERRAIN_VERSION; 0: not said
    uint64_t land;                  ///< land_mark
    int view_distance, view_height; ///< chunks; 0: not said
} FlightHead;

/// All zeroes is a flight without keys. A flight that was read has at least one.
typedef struct Flight {
    bool is_recording; ///< flown exactly as written, in steps of time
    FlightHead head;
    FlightKey *keys;
    size_t count, capacity;
    FlightEdit *edits;
    size_t edit_count, edit_capacity;
} Flight;

/// Reads a flight from text. Safe on any bytes. A recording that was cut off is refused: its last
/// line must be `end`.
/// @param name  for messages
/// @param text  [bytes], need not end with a zero
bool flight_parse(Flight *flight, const char *name, const char *text, size_t bytes,
                  Message *problem);

/// Reads a flight from a file.
bool flight_read(Flight *flight, const char *path, Message *problem);

void flight_free(Flight *flight);

/// Seconds from the first key to the last.
double flight_duration(const Flight *flight);

/// Where the camera is. @param seconds  after the first key; held at both ends
void flight_sample(const Flight *flight, double seconds, double pose[5]);

#endif
