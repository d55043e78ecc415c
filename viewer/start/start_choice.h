/// What a person chooses on the start screen, and what the screen says about it.
#pragma once

#include "start/importer.h"
#include "start/reporter.h"
#include "start/worlds_folder.h"

typedef enum StartAction {
    START_NOTHING,
    START_OPEN, ///< open a listed world
    START_RENAME,
    START_COPY,
    START_DELETE,
    START_UNDO,   ///< bring back the world that was deleted last
    START_SORT,   ///< list the worlds in another order
    START_CREATE, ///< create a new world
    START_PLAY,   ///< play the new world's land, without a file
    START_PLACE,  ///< go to a pasted place
    START_IMPORT, ///< import a world of another game
    START_STOP_IMPORT,
    START_REPORT,     ///< open the benchmark's report in the browser; make it if there is none
    START_NEW_REPORT, ///< make it again
    START_STOP_REPORT,
    START_QUIT
} StartAction;

typedef struct StartChoice {
    StartAction action;
    size_t world;                 ///< OPEN, RENAME, COPY, DELETE: index in the folder
    WorldsOrder order;            ///< SORT
    char name[128];               ///< CREATE, RENAME
    uint64_t seed;                ///< CREATE, PLAY
    char seed_text[64];           ///< CREATE, PLAY: that it was made of; empty: a number
    const char *preset;           ///< CREATE, PLAY; static
    char place[256];              ///< PLACE: a link, or in the format of --at
    char source[WORLDS_PATH_MAX]; ///< IMPORT
} StartChoice;

/// What the screen says about the last choice.
typedef struct StartNews {
    Message text;           ///< about the last choice; empty: none
    bool is_wrong;          ///< an error, which is shown where the choice was made
    StartAction about;      ///< the choice
    bool can_undo;          ///< a world was deleted
    bool can_renew;         ///< an old report was opened
    bool is_reporting;      ///< a report is made
    ReporterNow report_now; ///< progress of that
    const char *importing;  ///< name of the world being imported or copied; NULL: none
    ImporterNow import_now; ///< progress of that
} StartNews;
