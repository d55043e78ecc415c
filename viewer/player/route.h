/// Routes of guided walks: where the player is led to on foot (guide.h).
///
/// A route is a text file. The first line names the format and its version; each line after it is
/// one thing to do, in their order. '#' starts a comment, empty lines are skipped, numbers are
/// voxels and may have decimals, y is up.
///
///     terrane-walk 1
///     from -120 40       # where the walk begins: X Z, on the ground, or X Y Z. At most once,
///     before all else; without it, at the
///                        # first point, or wherever the player is
///     to -80 36          # walks to that column, to whichever floor of it is found first
///     to -60 70 12       # X Y Z: to the floor there
///     wait 2.5           # stands and looks around, for so many seconds
///
/// The way between two points is the guide's to find.
#ifndef TERRANE_VIEWER_ROUTE_H
#define TERRANE_VIEWER_ROUTE_H

#include <stdbool.h>
#include <stddef.h>

#include <terrane/coord.h>

#include "message.h"

#define ROUTE_VERSION 1
#define ROUTE_BYTES_MAX ((size_t)1024 * 1024)
#define ROUTE_WAIT_MAX 3600.0 ///< seconds

typedef enum RouteKind { ROUTE_FROM, ROUTE_TO, ROUTE_WAIT } RouteKind;

typedef struct RoutePoint {
    RouteKind kind;
    TrnVoxel voxel;  ///< FROM, TO: of the feet
    bool has_height; ///< otherwise voxel.y is 0 and any height will do
    double seconds;  ///< WAIT
} RoutePoint;

/// All zeroes is a route without points. A route that was read has at least one TO, and FROM
/// nowhere but first.
typedef struct Route {
    RoutePoint *points;
    size_t count, capacity;
} Route;

/// Reads a route from text. Safe on any bytes. What is wrong is told as NAME:LINE:COLUMN, columns
/// in bytes.
/// @param name  for messages
/// @param text  [bytes], need not end with a zero
bool route_parse(Route *route, const char *name, const char *text, size_t bytes, Message *problem);

/// Reads a route from a file.
bool route_read(Route *route, const char *path, Message *problem);

/// Adds a point. @return false where there is no memory; the route is then as it was
bool route_add(Route *route, const RoutePoint *point);

/// A round trip through eight points around a place, for as long as nobody touches the keys.
/// @param radius  voxels, 1..4096
bool route_around(Route *route, TrnVoxel centre, int64_t radius, Message *problem);

/// Where a walk begins that nobody has begun elsewhere: FROM, or the first TO.
const RoutePoint *route_start(const Route *route);

void route_free(Route *route);

#endif
