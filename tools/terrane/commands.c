#include "commands.h"

static const OptionCommand *const COMMANDS[] = {
#if TERRANE_TOOL_SAVES
    &NEW_COMMAND,    &IMPORT_COMMAND, &INFO_COMMAND,
    &VERIFY_COMMAND, &REPAIR_COMMAND, &PRUNE_COMMAND,
    &FOLD_COMMAND,   &PREGEN_COMMAND, &COMPACT_COMMAND,
    &COPY_COMMAND,   &BACKUP_COMMAND, &SHARED_COMMAND,
#endif
    &EXPORT_COMMAND, &MAP_COMMAND,    NULL};

#if TERRANE_TOOL_SAVES
static const char *const MISSING[] = {NULL};
#else
static const char *const MISSING[] = {"new",    "info",    "verify", "repair", "prune",
                                      "fold",   "compact", "copy",   "pregen", "backup",
                                      "import", "shared",  NULL};
#endif

const OptionProgram TERRANE = {
    .name = "terrane",
    .summary = "creates, imports, checks, maps and exports voxel worlds",
    .commands = COMMANDS,
    .missing = MISSING,
    .missing_help = "This terrane was built without worlds in files; build it with "
                    "-DTERRANE_BUILD_SAVE=ON.",
    .examples = "terrane map --seed 7 --out land.png\n"
                "terrane export --seed 7 --out land.glb\n"
                "terrane new --seed 7 my.world\n"
                "terrane help map",
    .closing = "Exit codes: 0 success, 1 failure, 2 wrong command line or terrain file, 128 plus "
               "the signal's number if interrupted.",
};
