/// Private: what a world's file asks the operating system. Functions that return an int return 0 or
/// an errno.
#ifndef TERRANE_SAVE_DISK_FILE_H
#define TERRANE_SAVE_DISK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum TrnDiskAccess {
    TRN_DISK_READ,
    TRN_DISK_WRITE,
    TRN_DISK_CREATE ///< a new file, for writing; EEXIST if its name is taken, by a link too
} TrnDiskAccess;

typedef struct TrnDiskFacts {
    uint64_t device, number; ///< tell files apart
    uint64_t names;          ///< hard links
    bool is_regular;         ///< no folder, link, pipe or device
} TrnDiskFacts;

/// Finds what a path names, behind links. The last link may lead to a file that is missing.
/// @param real  receives an absolute path. Free it with free()
int trn_disk_follow(const char *path, char **real);

/// Asks about a path, without following a link at its end.
int trn_disk_ask(const char *path, TrnDiskFacts *facts);

/// Opens a file, without following a link at its end. Never waits.
/// @param handle  receives it
int trn_disk_open(const char *path, TrnDiskAccess access, intptr_t *handle);
void trn_disk_close(intptr_t handle);
int trn_disk_facts(intptr_t handle, TrnDiskFacts *facts);

/// Reads from the beginning of a file. @return bytes read
size_t trn_disk_read(intptr_t handle, void *bytes, size_t size);

/// What of a file is locked.
typedef enum TrnDiskLock {
    TRN_DISK_WRITER, ///< one has it open for writing
    TRN_DISK_STATE   ///< readers share it while none writes; a writer has it alone
} TrnDiskLock;

/// Locks a part of an open file against other open files. Never waits. @return EAGAIN: it is locked
int trn_disk_lock(intptr_t handle, TrnDiskLock part, bool is_shared);
void trn_disk_unlock(intptr_t handle, TrnDiskLock part);
/// Whether another open file has a part locked alone.
bool trn_disk_is_locked(intptr_t handle, TrnDiskLock part);

int trn_disk_sync(intptr_t handle);
/// Syncs the folder of a path.
int trn_disk_sync_folder(const char *path);

int trn_disk_remove(const char *path);
/// Gives a file another name of its folder.
int trn_disk_rename(const char *from, const char *to);
/// Whether trn_disk_rename replaces a file that has the name; if not, it returns EEXIST.
bool trn_disk_rename_replaces(void);

#endif
