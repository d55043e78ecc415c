/// Recorded flights: where the camera is at which second.
///
/// A flight is a text file. The first line names the format and its version; every key gives a time in seconds, a point in
/// voxels (decimals allowed, y up) and a direction in degrees. '#' starts a comment, empty lines are skipped.
///
///     terrane-flight 1
///     # seconds    x      y      z     yaw  pitch
///     key  0.0     0.0   80.0    0.0     0    -10
///     key  4.5   120.0   95.5  -60.0    35     -5
///
/// Yaw 0 looks towards -z and turns right (towards +x); pitch is positive upwards, -90 to 90. Times start anywhere from 0 on and
/// increase by a millisecond or more. Between keys the camera follows a cubic through them; yaw is not wrapped, so 350 to 370 turns by 20 degrees.
#ifndef TERRANE_VIEWER_FLIGHT_H
#define TERRANE_VIEWER_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>

#include "message.h"

#define FLIGHT_VERSION 1
#define FLIGHT_BYTES_MAX ((size_t)1024 * 1024)
#define FLIGHT_SECONDS_MAX 3600.0
#define FLIGHT_STEP_MIN 0.001 ///< seconds from key to key

typedef struct FlightKey {
    double seconds;
    double pose[5]; ///< x, y, z in voxels; yaw, pitch in degrees
} FlightKey;

/// All zeroes is a flight without keys. A flight that was read has at least one.
typedef struct Flight {
    FlightKey *keys;
    size_t count, capacity;
} Flight;

/// Reads a flight from text. Safe on any bytes.
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
