/// Private: what an import says: problems, and counts of what was not imported as it is. Any
/// thread.
#ifndef TERRANE_SAVE_IMPORT_NOTES_H
#define TERRANE_SAVE_IMPORT_NOTES_H

#include <terrane/import.h>

#include "base/thread.h"

#define TRN_IMPORT_NOTES_MAX 32
#define TRN_IMPORT_WHERE_BYTES 64

typedef struct TrnImportNotes {
    TrnMutex mutex;
    uint32_t count;
    TrnImportNote notes[TRN_IMPORT_NOTES_MAX];
    char where[TRN_IMPORT_NOTES_MAX][TRN_IMPORT_WHERE_BYTES];
} TrnImportNotes;

/// Adds to the count of something. @param what  a literal
void trn_import_count(TrnImportNotes *notes, TrnImportNoteKind kind, const char *what,
                      uint64_t count);
#define trn_import_ignored(notes, what, count)                                                     \
    trn_import_count(notes, TRN_IMPORT_NOTE_IGNORED, what, count)

/// Counts a piece that is damaged or not supported.
/// @param what  a literal; @param where  a format for the place, as printf
void trn_import_piece(TrnImportNotes *notes, TrnImportNoteKind kind, const char *what,
                      const char *where, ...) __attribute__((format(printf, 4, 5)));
#define trn_import_damaged(notes, ...) trn_import_piece(notes, TRN_IMPORT_NOTE_DAMAGED, __VA_ARGS__)
#define trn_import_unsupported(notes, ...)                                                         \
    trn_import_piece(notes, TRN_IMPORT_NOTE_UNSUPPORTED, __VA_ARGS__)

/// Sets a problem's sentence. @param problem  may be NULL
void trn_import_tell(TrnStorageProblem *problem, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
