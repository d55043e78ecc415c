/// Shared by the tests of saves: a VFS of SQLite whose calls fail on demand, and memory of SQLite
/// that does. Both count their calls, so that a test can let each of them fail once.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

/// What fails.
typedef enum FaultKind {
    FAULT_NONE,
    FAULT_ONCE,     ///< the call with the number, and no other
    FAULT_FULL,     ///< every write from that call on: the disk is full
    FAULT_MEMORY,   ///< the allocation with the number
    FAULT_READ_ONLY ///< databases cannot be opened for writing
} FaultKind;

typedef struct Faults {
    FaultKind kind;
    uint32_t at;       ///< number of the call, from 1
    uint32_t calls;    ///< of files so far
    uint32_t requests; ///< for memory so far
    sqlite3_vfs vfs, *inner;
    sqlite3_mem_methods memory;
} Faults;

static Faults faults;

static inline void faults_set(FaultKind kind, uint32_t at)
{
    faults.kind = kind;
    faults.at = at;
    faults.calls = faults.requests = 0;
}

/// Whether the fault has happened.
static inline bool faults_were_reached(void)
{
    return (faults.kind == FAULT_MEMORY ? faults.requests : faults.calls) >= faults.at;
}

static bool faults_hit(void)
{
    faults.calls++;
    return faults.kind == FAULT_ONCE && faults.calls == faults.at;
}

// ---- files -------------------------------------------------------------------------------------

/// Lies behind the inner VFS's own data of a file: see save/sqlite_link.c.
typedef struct FaultyFile {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *inner;
} FaultyFile;

static size_t faulty_inner_bytes(void)
{
    return ((size_t)faults.inner->szOsFile + 7) / 8 * 8;
}

static FaultyFile *faulty_file(sqlite3_file *file)
{
    return (FaultyFile *)(void *)((char *)file + faulty_inner_bytes());
}

static const sqlite3_io_methods *faulty_inner(sqlite3_file *file)
{
    return faulty_file(file)->inner;
}

static int faulty_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 at)
{
    return faults_hit() ? SQLITE_IOERR_READ : faulty_inner(file)->xRead(file, bytes, size, at);
}

static int faulty_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 at)
{
    if (faults_hit()) {
        return SQLITE_IOERR_WRITE;
    }
    return faults.kind == FAULT_FULL && faults.calls >= faults.at
               ? SQLITE_FULL
               : faulty_inner(file)->xWrite(file, bytes, size, at);
}

static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    return faults_hit() ? SQLITE_IOERR_TRUNCATE : faulty_inner(file)->xTruncate(file, size);
}

/// Nothing is synced: no test loses power, and this is where the time goes.
static int faulty_sync(sqlite3_file *file, int flags)
{
    (void)file;
    (void)flags;
    return faults_hit() ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int faulty_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return faults_hit() ? SQLITE_IOERR_FSTAT : faulty_inner(file)->xFileSize(file, size);
}

static int faulty_lock(sqlite3_file *file, int level)
{
    return faults_hit() ? SQLITE_IOERR_LOCK : faulty_inner(file)->xLock(file, level);
}

static int faulty_map(sqlite3_file *file, int page, int size, int extends, void volatile **map)
{
    return faults_hit() ? SQLITE_IOERR_SHMMAP
                        : faulty_inner(file)->xShmMap(file, page, size, extends, map);
}

static int faulty_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                       int *flags_out)
{
    (void)vfs;
    if (faults_hit()) {
        file->pMethods = NULL;
        return SQLITE_CANTOPEN;
    }
    if (faults.kind == FAULT_READ_ONLY && (flags & SQLITE_OPEN_MAIN_DB)) {
        flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
    }
    const int code = faults.inner->xOpen(faults.inner, name, file, flags, flags_out);
    if (code == SQLITE_OK) {
        FaultyFile *made = faulty_file(file);
        *made = (FaultyFile){.methods = *file->pMethods, .inner = file->pMethods};
        made->methods.xRead = faulty_read;
        made->methods.xWrite = faulty_write;
        made->methods.xTruncate = faulty_truncate;
        made->methods.xSync = faulty_sync;
        made->methods.xFileSize = faulty_size;
        made->methods.xLock = faulty_lock;
        made->methods.xShmMap = faulty_map;
        file->pMethods = &made->methods;
    }
    return code;
}

static int faulty_delete(sqlite3_vfs *vfs, const char *name, int syncs)
{
    (void)vfs;
    (void)syncs;
    return faults_hit() ? SQLITE_IOERR_DELETE : faults.inner->xDelete(faults.inner, name, 0);
}

// ---- memory ------------------------------------------------------------------------------------

static bool faults_hit_memory(void)
{
    faults.requests++;
    return faults.kind == FAULT_MEMORY && faults.requests == faults.at;
}

static void *faulty_malloc(int size)
{
    return faults_hit_memory() ? NULL : faults.memory.xMalloc(size);
}

static void *faulty_realloc(void *memory, int size)
{
    return faults_hit_memory() ? NULL : faults.memory.xRealloc(memory, size);
}

/// Puts the faults beneath SQLite. Before anything else uses it.
static bool faults_install(void)
{
    sqlite3_mem_methods memory;
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &faults.memory) != SQLITE_OK) {
        return false;
    }
    memory = faults.memory;
    memory.xMalloc = faulty_malloc;
    memory.xRealloc = faulty_realloc;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &memory) != SQLITE_OK) {
        return false;
    }
    faults.inner = sqlite3_vfs_find(NULL);
    faults.vfs = *faults.inner;
    faults.vfs.pNext = NULL;
    faults.vfs.zName = "faulty";
    faults.vfs.szOsFile = (int)(faulty_inner_bytes() + sizeof(FaultyFile));
    faults.vfs.xOpen = faulty_open;
    faults.vfs.xDelete = faulty_delete;
    return sqlite3_vfs_register(&faults.vfs, 1) == SQLITE_OK;
}
