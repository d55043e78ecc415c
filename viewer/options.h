/// The command line.
#ifndef TERRANE_VIEWER_OPTIONS_H
#define TERRANE_VIEWER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "flight/flight.h"
#include "terrain_choice.h"

#define OPTIONS_MEMORY_MIN 16
#define OPTIONS_MEMORY_MAX 1048576
#define OPTIONS_SIZE_MIN 16
#define OPTIONS_SIZE_MAX 8192
#define OPTIONS_FRAMES_MAX 100000

typedef enum OptionsAction {
    OPTIONS_ACTION_RUN,
    OPTIONS_ACTION_HELP,
    OPTIONS_ACTION_VERSION,
    OPTIONS_ACTION_WRITE_SETTINGS
} OptionsAction;

/// What the command line said: settings give way to it.
typedef enum OptionsGiven {
    OPTIONS_GIVEN_SIZE = 1,
    OPTIONS_GIVEN_VIEW_DISTANCE = 2,
    OPTIONS_GIVEN_VIEW_HEIGHT = 4,
    OPTIONS_GIVEN_WORKERS = 8,
    OPTIONS_GIVEN_MEMORY = 16,
    OPTIONS_GIVEN_FRAMES = 32,
    OPTIONS_GIVEN_SEED = 64,
    OPTIONS_GIVEN_LAND = 128 ///< --preset or --terrain
} OptionsGiven;

typedef struct Options {
    OptionsAction action;
    bool headless;
    /// The pages of the indexes are shown from the beginning.
    bool index_view;
    int frames;            ///< how many frames a headless flight is spread over
    const char *flight;    ///< a file, or NULL
    bool demo;             ///< the window starts with the demo
    const char *out;       ///< the folder for pictures
    const char *csv;       ///< the file for all series of a headless flight, or NULL
    const char *record;    ///< the file that the flight is recorded in, or NULL
    const char *benchmark; ///< the folder for a report, or NULL
    /// frames of which pictures are written: "0,60,120" or "every=60"; NULL: none
    const char *pictures;
    const char *trace; ///< the file that operations are recorded in, or NULL
    bool gl_debug;     ///< the driver checks every call
    int width, height; ///< pixels
    const char *look;  ///< words for look_parse, or NULL
    bool placed;       ///< the camera stands at `at` instead of flying
    double at[5];      ///< voxels x, y, z; degrees yaw, pitch
    uint64_t seed;
    TerrainChoice choice;  ///< borrowed from argv
    TrnTerrainShape shape; ///< what the choice comes to
    int view_distance;     ///< chunks
    int view_height;       ///< chunks above and below; 0: as far as the view distance
    uint32_t workers;      ///< threads that make chunks, or TRN_STREAM_WORKERS_DEFAULT
    int memory_mib;        ///< the most that chunks may take; 0: no limit
    /// LookQuality that `look` starts from; LOOK_QUALITY_COUNT: as the driver's kind suggests
    int quality;
    const char *settings; ///< a file, or NULL: the one at the usual place
    unsigned given;       ///< OptionsGiven, added up
} Options;

/// How far one sees upwards and downwards, in chunks: never farther than the view distance.
int options_height(const Options *options);

/// What the program does without arguments.
Options options_default(void);

/// Reads the command line, and the file that --terrain names. Strings are borrowed from argv. Not
/// for two threads at once: getopt_long keeps its place globally.
/// @param argv  may be reordered
bool options_parse(Options *options, int argc, char **argv, Message *problem);

/// What a recording says of the land and the view, but for the mark of the land: what
/// options_take_flight takes.
FlightHead options_flight_head(const Options *options);

/// Whether a picture of a frame is asked for.
bool options_wants_picture(const Options *options, int frame);

/// The first frame of which a picture is asked for by its number, and which a flight of so many
/// frames does not have; -1: there is none.
int options_picture_behind(const Options *options, int frames);

/// Takes over what a recording says of the land and the view, where the command line says nothing.
/// @param name    of the flight, for messages
/// @param flight  the preset's name is borrowed from it
bool options_take_flight(Options *options, const char *name, const Flight *flight,
                         Message *problem);

void options_print_help(FILE *stream);

#endif
