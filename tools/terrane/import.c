#include "import.h"

#include <stdio.h>

#include "import_report.h"
#include "interrupt.h"
#include "progress.h"
#include "world_import.h"

/// The line of the step that runs.
typedef struct ImportLine {
    Progress progress;
    bool is_folding;
} ImportLine;

static bool import_step(void *user, WorldImportProgress now)
{
    ImportLine *line = user;
    if (now.is_folding && !line->is_folding) {
        progress_end(&line->progress);
        line->progress = progress_start(stderr, "terrane import: levels of detail", 1);
        line->is_folding = true;
    }
    progress_set(&line->progress, (int64_t)now.done, (int64_t)now.total);
    return interrupt_came() == 0;
}

static bool import_exists(const char *path)
{
    FILE *there = fopen(path, "rb");
    if (there) {
        (void)fclose(there);
    }
    return there != NULL;
}

/// Says what to do about an import that was not completed.
static bool import_fail(const ImportOptions *options, const WorldImport *import,
                        WorldImportOutcome outcome, Message *problem)
{
    const MessageText world = message_short(options->world);
    switch (outcome) {
    case WORLD_IMPORT_STOPPED:
        return message_set(problem,
                           "Interrupted after %llu of %llu chunks, which are in %s; run it again "
                           "with --add for all of them.",
                           (unsigned long long)import->copied.done,
                           (unsigned long long)import->copied.total, world.text);
    case WORLD_IMPORT_STOPPED_LEVELS:
        return message_set(problem,
                           "Interrupted while making levels of detail; all chunks are in %s. Run "
                           "it again with --add for distant land.",
                           world.text);
    default:
        if (import->import && !import->has_world && !options->adds &&
            import_exists(options->world)) {
            return message_set(problem, "%s exists; name a new file, or give --add to add to it.",
                               world.text);
        }
        return false;
    }
}

bool import_run(const ImportOptions *options, Message *problem)
{
    WorldImport import;
    ImportLine line = {.progress = progress_start(stderr, "terrane import", 1)};
    WorldImportDef def = world_import_def();
    def.source = options->source;
    def.world = options->world;
    def.names = options->names;
    def.format = options->format;
    def.offset = options->offset;
    def.heights = options->heights;
    def.adds = options->adds;
    def.progress = import_step;
    def.user = &line;
    const WorldImportOutcome outcome = world_import_run(&import, &def, problem);
    progress_end(&line.progress);
    const bool good = outcome == WORLD_IMPORT_DONE
                          ? import_report_print(options, &import, stdout, problem)
                          : import_fail(options, &import, outcome, problem);
    world_import_free(&import);
    return good;
}
