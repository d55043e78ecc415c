// Counts of what was not imported as it is: see notes.h.

#include "notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"

void trn_import_tell(TrnStorageProblem *problem, const char *format, ...)
{
    if (problem) {
        va_list values;
        va_start(values, format);
        (void)vsnprintf(problem->sentence, sizeof problem->sentence, format, values);
        va_end(values);
    }
}

/// Adds to a note, or begins one. The notes are locked. @return whether it is new
static bool notes_add(TrnImportNotes *notes, TrnImportNoteKind kind, const char *what,
                      uint64_t count)
{
    uint32_t i = 0;
    while (i < notes->count &&
           (notes->notes[i].kind != kind || strcmp(notes->notes[i].what, what) != 0)) {
        i++;
    }
    if (i < notes->count) {
        notes->notes[i].count += count;
        return false;
    }
    TRN_ASSERT(i < TRN_IMPORT_NOTES_MAX); // the literals of one format
    notes->notes[i] = (TrnImportNote){kind, count, what, notes->where[i]};
    notes->where[i][0] = '\0';
    notes->count++;
    return true;
}

void trn_import_count(TrnImportNotes *notes, TrnImportNoteKind kind, const char *what,
                      uint64_t count)
{
    if (count) {
        trn_mutex_lock(&notes->mutex);
        (void)notes_add(notes, kind, what, count);
        trn_mutex_unlock(&notes->mutex);
    }
}

void trn_import_piece(TrnImportNotes *notes, TrnImportNoteKind kind, const char *what,
                      const char *where, ...)
{
    va_list values;
    va_start(values, where);
    trn_mutex_lock(&notes->mutex);
    if (notes_add(notes, kind, what, 1)) {
        (void)vsnprintf(notes->where[notes->count - 1], TRN_IMPORT_WHERE_BYTES, where, values);
    }
    trn_mutex_unlock(&notes->mutex);
    va_end(values);
}
