/// Private: the file of a world while this process has it open.
///
/// A world is held before SQLite opens it, and until SQLite has closed it. A process that holds it
/// for writing locks the file itself, so a second opening for writing fails, in this process or
/// another, under any name. The lock belongs to the open file (F_OFD_SETLK; LockFileEx on Windows)
/// and covers a byte beyond any database. flock would conflict with SQLite's own locks on network
/// file systems, macOS and the BSDs.
///
/// Closing any descriptor of a file drops all of SQLite's locks on it that this process has (POSIX
/// says so). So a descriptor is closed only when no other of its file is held.
#ifndef TERRANE_SAVE_HELD_FILE_H
#define TERRANE_SAVE_HELD_FILE_H

#include <terrane/storage.h>

typedef enum TrnHeldMode {
    TRN_HELD_READ,  ///< an existing file, which others may write
    TRN_HELD_WRITE, ///< an existing file, locked
    TRN_HELD_CREATE ///< a new file, locked; EXISTS if there is one, or one of SQLite's beside it
} TrnHeldMode;

typedef struct TrnHeldFile TrnHeldFile;

/// Opens a regular file behind symbolic links. Refuses a file of several names (hard links), each
/// of which would have a log of its own, and files beside it that SQLite would take for its own.
/// @param problem  receives a sentence on failure; may be NULL
/// Errors: BAD_ARGUMENT (the name is one that SQLite uses), NO_MEMORY, NOT_FOUND, EXISTS, BUSY
/// (another has it open for writing), IO.
/// Threads: any.
TrnResult trn_held_open(const char *path, TrnHeldMode mode, TrnHeldFile **held,
                        TrnStorageProblem *problem);

/// Finds the file that a path names, behind links, and for a new one whether it can be created.
/// @param real  receives an absolute path. Free it with free()
/// Errors: as trn_held_open.
TrnResult trn_held_find(const char *path, TrnHeldMode mode, char **real,
                        TrnStorageProblem *problem);

/// The path behind all links, absolute.
const char *trn_held_path(const TrnHeldFile *held);

/// Whether a file that is held for reading is held for writing by others.
bool trn_held_is_locked(const TrnHeldFile *held);

/// Keeps writers away from a file that is held for reading. They wait a while for it to be closed.
/// @return false: a process holds it for writing
bool trn_held_share(const TrnHeldFile *held);

/// Whether a file has a log beside it, which SQLite could not write into it when it closed.
bool trn_held_has_log(const TrnHeldFile *held);

/// Syncs the file, and the folder that has its name.
TrnResult trn_held_sync(const TrnHeldFile *held);

/// Removes the file and what SQLite left beside it, unless its name is another file's by now. Only
/// for a file that this process created.
void trn_held_remove(const TrnHeldFile *held);

/// Gives a file that this process created another name of its folder, which must be free. Of two
/// that want a name at once, one gets it. Syncs the folder. The file is then held under that name.
/// @param to  as trn_held_find gives it
/// @return EXISTS: the name is taken
TrnResult trn_held_move(TrnHeldFile *held, const char *to, TrnStorageProblem *problem);

/// Ends holding a file. SQLite must have closed it. @param held  may be NULL
void trn_held_close(TrnHeldFile *held);

#endif
