// Files of worlds that this process has open: see held_file.h.

#include "held_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "disk_file.h"
#include "sqlite_link.h"

#define HELD_TRIES 8      // when others rename files meanwhile
#define HELD_WAIT_MS 2000 // for those who read a file that none writes
#define HELD_WAIT_STEP_MS 10

struct TrnHeldFile {
    TrnHeldFile *next;
    TrnDiskFacts facts;
    intptr_t handle;
    bool is_writable;
    bool is_locked; ///< for writing
    bool is_over; ///< closed, but its descriptor must stay open until the others of its file close
    char *path;
};

/// Descriptors belong to a process, so this list does, too. Under held_mutex().
static TrnHeldFile *held_files;

/// A file that SQLite keeps beside a database, and how it begins. Journals are of no use to a world
/// with a log: they are never looked at.
typedef struct HeldSide {
    const char *suffix;
    unsigned char begins[4], turned[4]; ///< turned: the other form
} HeldSide;

static const HeldSide HELD_SIDES[] = {
#ifdef __EMSCRIPTEN__
    {"-journal", {0xD9, 0xD5, 0x05, 0xF9}, {0xD9, 0xD5, 0x05, 0xF9}},
#else
    {"-wal", {0x37, 0x7F, 0x06, 0x82}, {0x37, 0x7F, 0x06, 0x83}},
    {"-shm", {0x18, 0xE2, 0x2D, 0x00}, {0x00, 0x2D, 0xE2, 0x18}},
#endif
};
#define HELD_SIDE_COUNT (sizeof HELD_SIDES / sizeof *HELD_SIDES)

static sqlite3_mutex *held_mutex(void)
{
    return sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP3); // one that SQLite has for its users
}

// ---- problems ----------------------------------------------------------------------------------

static TrnResult held_tell(const char *path, TrnResult result, const char *sentence,
                           TrnStorageProblem *problem)
{
    if (problem) {
        (void)snprintf(problem->sentence, sizeof problem->sentence, "%s: %s", path, sentence);
    }
    return result;
}

static TrnResult held_tell_code(const char *path, int code, TrnStorageProblem *problem)
{
    trn_sqlite_describe(path, code, sqlite3_errstr(code), problem);
    return trn_sqlite_result(code);
}

/// Says what an errno means for a world. @return the result for it
static TrnResult held_fail(const char *path, TrnHeldMode mode, int error,
                           TrnStorageProblem *problem)
{
    switch (error) {
    case EEXIST:
        return held_tell(path, TRN_RESULT_EXISTS,
                         "there is such a file already; choose another name.", problem);
    case EMLINK:
        return held_tell(path, TRN_RESULT_IO,
                         "this file has several names (hard links), and a world must have one; "
                         "remove the others, or copy the file.",
                         problem);
    case EISDIR:
        return held_tell(path, TRN_RESULT_IO, "it is no regular file; name the file of a world.",
                         problem);
    case ENOENT:
    case ENOTDIR:
        return mode == TRN_HELD_CREATE
                   ? held_tell_code(path, SQLITE_CANTOPEN, problem)
                   : held_tell(path, TRN_RESULT_NOT_FOUND, "there is no such file.", problem);
    case EACCES:
    case EPERM:
    case EROFS:
        return held_tell_code(path, mode == TRN_HELD_WRITE ? SQLITE_READONLY : SQLITE_CANTOPEN,
                              problem);
    case EAGAIN:
        return held_tell_code(path, SQLITE_BUSY, problem);
    case ENOMEM:
        return held_tell_code(path, SQLITE_NOMEM, problem);
    case ENOSPC:
        return held_tell_code(path, SQLITE_FULL, problem);
    case EIO:
        return held_tell_code(path, SQLITE_IOERR, problem);
    default:
        return held_tell_code(path, SQLITE_CANTOPEN, problem);
    }
}

// ---- files beside it ---------------------------------------------------------------------------

static char *held_side_path(const char *path, const char *suffix)
{
    const size_t bytes = strlen(path) + strlen(suffix) + 1;
    char *side = malloc(bytes);
    if (side) {
        (void)snprintf(side, bytes, "%s%s", path, suffix);
    }
    return side;
}

/// Whether a file may be what SQLite leaves under such a name. After a loss of power its beginning
/// may be missing or zero.
static bool held_is_side(const char *path, const HeldSide *side)
{
    static const unsigned char zeroes[sizeof side->begins];
    unsigned char read[sizeof side->begins] = {0};
    intptr_t handle;
    TrnDiskFacts facts;
    if (trn_disk_ask(path, &facts) != 0) {
        return true; // none
    }
    if (!facts.is_regular) {
        return false;
    }
    if (trn_disk_open(path, TRN_DISK_READ, &handle) != 0) {
        return true; // SQLite says why
    }
    (void)trn_disk_read(handle, read, sizeof read);
    trn_disk_close(handle);
    return memcmp(read, side->begins, sizeof read) == 0 ||
           memcmp(read, side->turned, sizeof read) == 0 || memcmp(read, zeroes, sizeof read) == 0;
}

/// Whether SQLite may use its names beside a file. Those beside a new file must be free: SQLite
/// removes what it finds there. Others must be its own.
static TrnResult held_check_sides(const char *path, bool is_new, TrnStorageProblem *problem)
{
    TrnResult result = TRN_RESULT_OK;
    for (size_t i = 0; i < HELD_SIDE_COUNT && result == TRN_RESULT_OK; i++) {
        TrnDiskFacts facts;
        char *const side = held_side_path(path, HELD_SIDES[i].suffix);
        if (!side) {
            return held_tell_code(path, SQLITE_NOMEM, problem);
        }
        if (is_new && trn_disk_ask(side, &facts) == 0) {
            result = held_tell(side, TRN_RESULT_IO,
                               "this file has a name that the new world needs; choose another "
                               "name for the world, or move the file away.",
                               problem);
        } else if (!is_new && !held_is_side(side, &HELD_SIDES[i])) {
            result = held_tell(side, TRN_RESULT_IO,
                               "this file has a name that the world beside it needs; move it away.",
                               problem);
        }
        free(side);
    }
    return result;
}

/// Whether a name ends as those that SQLite uses beside a world.
static bool held_is_side_name(const char *path)
{
    const size_t length = strlen(path);
    for (size_t i = 0; i < HELD_SIDE_COUNT; i++) {
        const char *const suffix = HELD_SIDES[i].suffix;
        if (length > strlen(suffix) && strcmp(path + length - strlen(suffix), suffix) == 0) {
            return true;
        }
    }
    return false;
}

// ---- the list ----------------------------------------------------------------------------------

static bool held_is_same(const TrnDiskFacts *a, const TrnDiskFacts *b)
{
    return a->device == b->device && a->number == b->number;
}

/// Counts those who use a file.
static uint32_t held_count(const TrnDiskFacts *facts)
{
    uint32_t count = 0;
    for (const TrnHeldFile *held = held_files; held; held = held->next) {
        count += !held->is_over && held_is_same(&held->facts, facts);
    }
    return count;
}

/// Finds a descriptor of a file that waits to be closed.
static TrnHeldFile *held_find_over(const TrnDiskFacts *facts, bool is_writable)
{
    TrnHeldFile *held = held_files;
    while (held && (!held->is_over || (is_writable && !held->is_writable) ||
                    !held_is_same(&held->facts, facts))) {
        held = held->next;
    }
    return held;
}

static void held_free(TrnHeldFile *held)
{
    trn_disk_close(held->handle);
    free(held->path);
    free(held);
}

/// Closes all descriptors of a file that this process no longer uses.
static void held_sweep(const TrnDiskFacts *facts)
{
    for (TrnHeldFile **link = &held_files; *link;) {
        TrnHeldFile *const held = *link;
        if (held_is_same(&held->facts, facts)) {
            *link = held->next;
            held_free(held);
        } else {
            link = &held->next;
        }
    }
}

static void held_release(TrnHeldFile *held)
{
    trn_disk_unlock(held->handle, TRN_DISK_STATE);
    trn_disk_unlock(held->handle, TRN_DISK_WRITER);
    held->is_locked = false;
    held->is_over = true;
    const TrnDiskFacts facts = held->facts;
    if (held_count(&facts) == 0) {
        held_sweep(&facts);
    }
}

// ---- opening -----------------------------------------------------------------------------------

/// Opens a file that has no descriptor yet. @return an errno
static int held_open_new(const char *path, TrnHeldMode mode, TrnHeldFile **held)
{
    TrnHeldFile *const made = calloc(1, sizeof *made);
    char *const copy = held_side_path(path, "");
    int error = made && copy ? 0 : ENOMEM;
    error = error ? error : trn_disk_open(path, (TrnDiskAccess)mode, &made->handle);
    if (error) {
        free(copy);
        free(made);
        return error;
    }
    (void)trn_disk_facts(made->handle, &made->facts); // if it fails, held_lock finds no such file
    made->path = copy;
    made->is_writable = mode != TRN_HELD_READ;
    made->next = held_files;
    held_files = made;
    *held = made;
    return 0;
}

/// Takes a descriptor of the file that has a path now: one that waits to be closed, or a new one.
static int held_take(const char *path, TrnHeldMode mode, TrnHeldFile **held)
{
    TrnDiskFacts facts;
    if (mode == TRN_HELD_CREATE) {
        return held_open_new(path, mode, held);
    }
    const int error = trn_disk_ask(path, &facts);
    if (error || !facts.is_regular) {
        return error ? error : EISDIR;
    }
    TrnHeldFile *const old = held_find_over(&facts, mode == TRN_HELD_WRITE);
    if (!old) {
        return held_open_new(path, mode, held);
    }
    char *const copy = held_side_path(path, "");
    if (!copy) {
        return ENOMEM;
    }
    free(old->path);
    old->path = copy;
    old->is_over = false;
    *held = old;
    return 0;
}

/// Whether this process holds a file for writing. Locks of processes do not tell.
static bool held_is_written(const TrnDiskFacts *facts)
{
    const TrnHeldFile *held = held_files;
    while (held && !(held->is_locked && held_is_same(&held->facts, facts))) {
        held = held->next;
    }
    return held != NULL;
}

/// Locks a file, and sees that its name is still its own. @return EINTR: it is not
static int held_lock(TrnHeldFile *held, TrnHeldMode mode)
{
    TrnDiskFacts now;
    if (mode != TRN_HELD_READ) {
        const int error = held_is_written(&held->facts)
                              ? EAGAIN
                              : trn_disk_lock(held->handle, TRN_DISK_WRITER, false);
        if (error) {
            return error;
        }
        held->is_locked = true;
    }
    if (trn_disk_ask(held->path, &now) != 0 || !held_is_same(&now, &held->facts)) {
        return EINTR;
    }
    return now.names > 1 ? EMLINK : now.is_regular ? 0 : EISDIR;
}

/// Opens, locks and checks a file by its own path. @return an errno
static int held_open_once(const char *path, TrnHeldMode mode, TrnHeldFile **held)
{
    TrnHeldFile *made = NULL;
    int error = held_take(path, mode, &made);
    error = error ? error : held_lock(made, mode);
    if (error && made) {
        held_release(made);
    } else if (!error) {
        *held = made;
    }
    return error;
}

/// Opens a file by its own path, and checks what is beside it unless it is open already: SQLite's
/// locks on its index would end with this look at it.
static TrnResult held_open_real(const char *path, const char *real, TrnHeldMode mode,
                                TrnHeldFile **held, TrnStorageProblem *problem)
{
    int error = EINTR;
    for (int i = 0; i < HELD_TRIES && error == EINTR; i++) {
        error = held_open_once(real, mode, held);
    }
    if (error) {
        return held_fail(path, mode, error == EINTR ? EAGAIN : error, problem);
    }
    const TrnResult result = held_count(&(*held)->facts) > 1 || mode == TRN_HELD_CREATE
                                 ? TRN_RESULT_OK
                                 : held_check_sides(real, false, problem);
    if (result != TRN_RESULT_OK) {
        held_release(*held);
        *held = NULL;
    }
    return result;
}

TrnResult trn_held_find(const char *path, TrnHeldMode mode, char **real, TrnStorageProblem *problem)
{
    TrnDiskFacts facts;
    char *found = NULL;
    const int error = trn_disk_follow(path, &found);
    if (error) {
        return held_fail(path, mode, error, problem);
    }
    TrnResult result = TRN_RESULT_OK;
    if (mode == TRN_HELD_CREATE && trn_disk_ask(found, &facts) == 0) {
        result = held_fail(path, mode, EEXIST, problem);
    } else if (mode == TRN_HELD_CREATE && held_is_side_name(found)) {
        result = held_tell(path, TRN_RESULT_BAD_ARGUMENT,
                           "a name that ends in -wal or -shm belongs to the world of the "
                           "name before it; choose another name.",
                           problem);
    } else if (mode == TRN_HELD_CREATE) {
        result = held_check_sides(found, true, problem);
    }
    if (result != TRN_RESULT_OK) {
        free(found);
        return result;
    }
    *real = found;
    return TRN_RESULT_OK;
}

/// Waits for those who read the file, a list of worlds for some ms. @return false: too long
static bool held_wait(const TrnHeldFile *held)
{
    int error = trn_disk_lock(held->handle, TRN_DISK_STATE, false);
    for (int ms = 0; error == EAGAIN && ms < HELD_WAIT_MS; ms += HELD_WAIT_STEP_MS) {
        (void)sqlite3_sleep(HELD_WAIT_STEP_MS);
        error = trn_disk_lock(held->handle, TRN_DISK_STATE, false);
    }
    return !error;
}

TrnResult trn_held_open(const char *path, TrnHeldMode mode, TrnHeldFile **held,
                        TrnStorageProblem *problem)
{
    char *real = NULL;
    TrnResult result = trn_held_find(path, mode, &real, problem);
    *held = NULL;
    if (!real) {
        return result;
    }
    sqlite3_mutex *const mutex = held_mutex();
    sqlite3_mutex_enter(mutex);
    result = held_open_real(path, real, mode, held, problem);
    sqlite3_mutex_leave(mutex);
    free(real);
    if (*held && mode != TRN_HELD_READ && !held_wait(*held)) {
        trn_held_close(*held);
        return held_tell_code(path, SQLITE_BUSY, problem);
    }
    return result;
}

void trn_held_close(TrnHeldFile *held)
{
    if (held) {
        sqlite3_mutex *const mutex = held_mutex();
        sqlite3_mutex_enter(mutex);
        held_release(held);
        sqlite3_mutex_leave(mutex);
    }
}

// ---- a held file -------------------------------------------------------------------------------

const char *trn_held_path(const TrnHeldFile *held)
{
    return held->path;
}

bool trn_held_is_locked(const TrnHeldFile *held)
{
    sqlite3_mutex *const mutex = held_mutex();
    sqlite3_mutex_enter(mutex);
    const bool is_own = held_is_written(&held->facts);
    sqlite3_mutex_leave(mutex);
    return is_own || trn_disk_is_locked(held->handle, TRN_DISK_WRITER);
}

bool trn_held_share(const TrnHeldFile *held)
{
    sqlite3_mutex *const mutex = held_mutex();
    sqlite3_mutex_enter(mutex);
    const bool is_shared =
        !held_is_written(&held->facts) && trn_disk_lock(held->handle, TRN_DISK_STATE, true) == 0;
    sqlite3_mutex_leave(mutex);
    return is_shared;
}

bool trn_held_has_log(const TrnHeldFile *held)
{
    TrnDiskFacts facts;
    char *const log = held_side_path(held->path, "-wal");
    const bool has_log = !log || trn_disk_ask(log, &facts) == 0;
    free(log);
    return has_log;
}

TrnResult trn_held_sync(const TrnHeldFile *held)
{
    const int error = trn_disk_sync(held->handle);
    return error || trn_disk_sync_folder(held->path) ? TRN_RESULT_IO : TRN_RESULT_OK;
}

/// Whether a path is a held file's.
static bool held_has_path(const TrnHeldFile *held, const char *path)
{
    TrnDiskFacts facts;
    return trn_disk_ask(path, &facts) == 0 && held_is_same(&facts, &held->facts);
}

void trn_held_remove(const TrnHeldFile *held)
{
    if (!held_has_path(held, held->path)) {
        return;
    }
    for (size_t i = 0; i < HELD_SIDE_COUNT; i++) {
        char *const side = held_side_path(held->path, HELD_SIDES[i].suffix);
        if (side) {
            (void)trn_disk_remove(side);
        }
        free(side);
    }
    (void)trn_disk_remove(held->path);
}

TrnResult trn_held_move(TrnHeldFile *held, const char *to, TrnStorageProblem *problem)
{
    TrnHeldFile *claim = NULL; // a file of that name which is this process's own, and locked
    char *const moved = held_side_path(to, "");
    TrnResult result = !moved ? held_fail(to, TRN_HELD_CREATE, ENOMEM, problem)
                       : trn_disk_rename_replaces()
                           ? trn_held_open(to, TRN_HELD_CREATE, &claim, problem)
                           : TRN_RESULT_OK;
    if (result != TRN_RESULT_OK) {
        free(moved);
        return result;
    }
    int error = trn_disk_rename(held->path, to);
    if (error && claim) {
        trn_held_remove(claim);
    }
    trn_held_close(claim);
    if (error) {
        free(moved);
        return held_fail(to, TRN_HELD_CREATE, error, problem);
    }
    free(held->path);
    held->path = moved;
    error = trn_disk_sync_folder(to);
    return error ? held_fail(to, TRN_HELD_CREATE, error, problem) : TRN_RESULT_OK;
}
