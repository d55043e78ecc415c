/// The commands of terrane. Each has a file of its own, with its rows of options.
#pragma once

#include "options.h"

/// The program with all commands that this build has.
extern const OptionProgram TERRANE;

extern const OptionCommand EXPORT_COMMAND, MAP_COMMAND;

// On worlds in files.
extern const OptionCommand NEW_COMMAND, IMPORT_COMMAND, INFO_COMMAND, VERIFY_COMMAND,
    REPAIR_COMMAND, PRUNE_COMMAND, FOLD_COMMAND, PREGEN_COMMAND, COMPACT_COMMAND, COPY_COMMAND,
    BACKUP_COMMAND, SHARED_COMMAND;
