#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "export_schematic.h"

#if TERRANE_TOOL_SAVES
#include <stdio.h>

#include <terrane/schematic.h>

#include "interrupt.h"
#include "program.h"
#include "progress.h"

typedef struct ExportSchematic {
    WholeFile *file;
    TrnSchematicFormat format;
    Progress progress;
    bool has_heading; ///< of what has no name
} ExportSchematic;

static bool export_schematic_put(void *user, const void *bytes, size_t size)
{
    const ExportSchematic *to = user;
    whole_file_write(to->file, bytes, size);
    return whole_file_flush(to->file) == 0;
}

static bool export_schematic_step(void *user, uint64_t done, uint64_t total)
{
    ExportSchematic *to = user;
    progress_set(&to->progress, (int64_t)done, (int64_t)total);
    return interrupt_came() == 0;
}

/// Prints what is lost. Names may be those of a world from elsewhere.
static bool export_schematic_note(void *user, const TrnImportNote *note)
{
    ExportSchematic *to = user;
    Message line;
    progress_end(&to->progress);
    if (note->kind == TRN_IMPORT_NOTE_UNKNOWN && !to->has_heading) {
        (void)message_set(&line, "%s, by voxels:",
                          to->format == TRN_SCHEMATIC_MAGICAVOXEL
                              ? "Blocks of which only the colour is kept"
                          : to->format == TRN_SCHEMATIC_MCEDIT
                              ? "Blocks without a number in this format, which are others or air"
                              : "Blocks without a name in this format, which are others or keep "
                                "that of Terrane");
        (void)program_complain("terrane export", &line, 0);
        to->has_heading = true;
    }
    (void)message_set(&line, "%12llu  %s%s", (unsigned long long)note->count, note->what,
                      note->kind == TRN_IMPORT_NOTE_UNKNOWN ? "" : " that it does not hold");
    (void)program_complain("terrane export", &line, 0);
    return true;
}

bool export_schematic_write(WholeFile *file, uint32_t format, const ExportBox *box, ToolLand *land,
                            Message *problem)
{
    ExportSchematic to = {.file = file,
                          .format = (TrnSchematicFormat)format,
                          .progress = progress_start(stderr, "terrane export", 1)};
    TrnStorageProblem why = {""};
    TrnSchematicReport report;
    TrnSchematicDef def = trn_schematic_def();
    def.format = to.format;
    def.min = box->min;
    def.max = box->max;
    def.types = land->types;
    def.source = tool_land_source(land);
    def.write = export_schematic_put;
    def.note = export_schematic_note;
    def.user = &to;
    def.progress = (TrnStorageProgress){export_schematic_step, &to};
    const TrnResult result = trn_schematic_save(&def, &report, &why);
    progress_end(&to.progress);
    const int error = whole_file_flush(file);
    if (result == TRN_RESULT_OK) {
        return true;
    }
    if (interrupt_came()) {
        return message_set(problem, "Interrupted; nothing was written.");
    }
    return error ? whole_file_problem(file->path, error, problem)
                 : message_set(problem, "%s", why.sentence);
}
#else
bool export_schematic_write(WholeFile *file, uint32_t format, const ExportBox *box, ToolLand *land,
                            Message *problem)
{
    (void)file;
    (void)format;
    (void)box;
    (void)land;
    return message_set(problem, "This terrane was built without worlds in files and so without "
                                "schematics; build it with -DTERRANE_BUILD_SAVE=ON.");
}
#endif
