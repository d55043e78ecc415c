/// Flights: the camera's pose over time, and the edits on the way.
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
/// Version 1 is a plan: it is flown over any land, and raised where it would be too low
/// (clearance.h). Version 3 is a recording, flown exactly as written. Before its first key it may
/// describe its land, and every edit gives a time and an action. (Version 2 is the same without
/// `land-version`, and is still read.)
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
/// `more` belongs to the same step of undo as the edit before. docs/flights.md explains each word.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <terrane/block_types.h>

#include "hand/hand.h"
#include "message.h"

#define FLIGHT_VERSION 3
#define FLIGHT_BYTES_MAX ((size_t)64 * 1024 * 1024)
#define FLIGHT_SECONDS_MAX 3600.0
#define FLIGHT_STEP_MIN 0.001        ///< least seconds between keys
#define FLIGHT_TURN_MAX 1000000.0    ///< degrees of yaw
#define FLIGHT_EDITS_A_SECOND 1000   ///< limit, because one frame may execute them all
#define FLIGHT_BODY_AWAY_MAX 1000000 ///< greatest distance in voxels of a body outside the world

typedef struct FlightKey {
    double seconds;
    double pose[5]; ///< x, y, z in voxels; yaw, pitch in degrees
} FlightKey;

/// A dig, build or other edit.
typedef struct FlightEdit {
    double seconds;                     ///< on the clock of the keys, never decreasing
    size_t line;                        ///< of the file, for messages
    HandEdit edit;                      ///< block ids not resolved yet: see the names
    char block[TRN_BLOCK_NAME_MAX + 1]; ///< "" if the edit has none
    char replaced[TRN_BLOCK_NAME_MAX + 1];
} FlightEdit;

/// The place of a recording, from its text. Also describes the land that a flight flies over.
typedef struct FlightHead {
    bool has_seed, has_land;
    uint64_t seed;
    char preset[64];       ///< "": unknown; for the current land: a shape from a file
    uint32_t land_version; ///< TrnTerrainDef.version; 0: unknown
    uint64_t land;         ///< land_mark
    int view_distance, detail_distance, view_height; ///< in chunks; 0: unknown
} FlightHead;

/// All zeroes: no keys. A parsed flight has at least one.
typedef struct Flight {
    bool is_recording; ///< flown exactly as written, in time steps
    FlightHead head;
    FlightKey *keys;
    size_t count, capacity;
    FlightEdit *edits;
    size_t edit_count, edit_capacity;
} Flight;

/// Parses a flight. Safe for any bytes. A recording must end with the line `end`; a truncated
/// recording is refused.
/// @param name  for messages
/// @param text  [bytes] no terminating zero needed
bool flight_parse(Flight *flight, const char *name, const char *text, size_t bytes,
                  Message *problem);

/// Reads a flight from a file.
bool flight_read(Flight *flight, const char *path, Message *problem);

void flight_free(Flight *flight);

/// Returns the seconds from the first key to the last.
double flight_duration(const Flight *flight);

/// Returns the camera's pose. @param seconds  after the first key, clamped to the flight
void flight_sample(const Flight *flight, double seconds, double pose[5]);
