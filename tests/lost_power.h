/// Loses power while a test writes files of a folder, at any moment, and tells what is on the disk
/// then.
///
/// A process does the work; the kernel asks this one about each of its calls that writes, syncs,
/// creates, renames or removes (seccomp_unotify(2)), whichever way they are made: by SQLite, by
/// stdio, by the library. So the code under test is the one that users run. A VFS of SQLite would
/// see the calls of SQLite alone, and symbols in place of libc's miss those inside stdio. Linux
/// alone can do this.
///
/// The disk is as strict as POSIX allows. After a loss of power:
/// - what was written to a file before its last sync is there. Of later writes and truncations any
///   subset is there, in any order, each or the last torn at 512 bytes;
/// - a sync of a file does not save its name. The folder's entries are those after any one of its
///   changes since its last sync, or those of that sync: journals keep the order of these changes;
/// - what is mapped, the index of SQLite's log, is lost.
#pragma once

#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#define LOST_SECTOR_BYTES 512
#define LOST_NAMES_MAX 12
#define LOST_NAME_BYTES 40
#define LOST_NOTE_FILE 10000 // no descriptor: writes to it are notes

/// The entries of the folder: names, and numbers of files, in order of the names.
typedef struct LostNames {
    uint32_t count;
    struct {
        char name[LOST_NAME_BYTES];
        uint32_t file;
        ino_t inode;
    } entries[LOST_NAMES_MAX];
} LostNames;

typedef enum LostKind {
    LOST_WRITE,    ///< of a file: `size` bytes at `at`
    LOST_TRUNCATE, ///< of a file, to `at` bytes
    LOST_SYNC,     ///< of a file
    LOST_NAMES,    ///< the folder's entries changed
    LOST_SYNC_FOLDER,
    LOST_BEGUN, ///< the work began to save what has number `at`
    LOST_DONE   ///< it was told that it is saved
} LostKind;

typedef struct LostEvent {
    LostKind kind;
    uint32_t file;
    uint64_t at;
    size_t size;
    unsigned char *bytes;
    LostNames *names;
} LostEvent;

/// What a process did with the files of a folder.
typedef struct LostRecord {
    char folder[PLACE_PATH];
    LostEvent *events; ///< [count]
    uint32_t count, capacity;
    uint32_t first; ///< of the work; those before are of files that were there
    uint32_t file_count;
    LostNames names; ///< as they are now
} LostRecord;

/// What is not as it should be in what is recorded.
typedef enum LostFault {
    LOST_NO_FAULT,
    LOST_NO_SYNC,          ///< files are not synced whose name has a part
    LOST_NO_FOLDER_SYNC,   ///< the folder is not synced
    LOST_RENAME_FIRST,     ///< files are synced only after they were renamed
    LOST_DONE_BEFORE_SAVED ///< the work is told before it is
} LostFault;

/// Whether a folder after a loss of power has what it should.
/// @param begun, done  the last number that the work began to save, and that it was told is saved
/// @param why          receives a sentence if not
typedef bool (*LostCheck)(const char *folder, uint32_t begun, uint32_t done, TestRandom *random,
                          char why[256]);

// ---- recording ---------------------------------------------------------------------------------

static inline LostEvent *lost_add(LostRecord *record, LostKind kind)
{
    if (record->count == record->capacity) {
        record->capacity = record->capacity ? 2 * record->capacity : 1024;
        record->events = realloc(record->events, record->capacity * sizeof *record->events);
        assert_non_null(record->events);
    }
    LostEvent *const event = &record->events[record->count++];
    *event = (LostEvent){.kind = kind};
    return event;
}

static inline void lost_destroy(LostRecord *record)
{
    for (uint32_t i = 0; i < record->count; i++) {
        free(record->events[i].bytes);
        free(record->events[i].names);
    }
    free(record->events);
    *record = (LostRecord){.count = 0};
}

/// Finds a file that has a name. @return false: none
static inline bool lost_find(const LostNames *names, ino_t inode, uint32_t *file)
{
    for (uint32_t i = 0; i < names->count; i++) {
        if (names->entries[i].inode == inode) {
            *file = names->entries[i].file;
            return true;
        }
    }
    return false;
}

static inline bool lost_is_same(const LostNames *a, const LostNames *b)
{
    bool is_same = a->count == b->count;
    for (uint32_t i = 0; i < a->count && is_same; i++) {
        is_same = a->entries[i].file == b->entries[i].file &&
                  strcmp(a->entries[i].name, b->entries[i].name) == 0;
    }
    return is_same;
}

static inline int lost_order(const void *a, const void *b)
{
    return strcmp(a, b); // entries begin with their names
}

/// Reads the folder: what the last call did to its entries.
static inline void lost_look(LostRecord *record)
{
    LostNames now = {.count = 0};
    struct stat status;
    DIR *const folder = opendir(record->folder);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode)) {
            assert_true(now.count < LOST_NAMES_MAX && strlen(entry->d_name) < LOST_NAME_BYTES);
            strcpy(now.entries[now.count].name, entry->d_name);
            now.entries[now.count++].inode = status.st_ino;
        }
    }
    closedir(folder);
    qsort(now.entries, now.count, sizeof *now.entries, lost_order);
    for (uint32_t i = 0; i < now.count; i++) {
        if (!lost_find(&record->names, now.entries[i].inode, &now.entries[i].file)) {
            now.entries[i].file = record->file_count++;
        }
    }
    if (!lost_is_same(&now, &record->names)) {
        LostEvent *const event = lost_add(record, LOST_NAMES);
        event->names = malloc(sizeof now);
        assert_non_null(event->names);
        *event->names = record->names = now;
    }
}

static inline void lost_add_write(LostRecord *record, uint32_t file, uint64_t at, pid_t process,
                                  uint64_t from, size_t size)
{
    LostEvent *const event = lost_add(record, LOST_WRITE);
    event->file = file;
    event->at = at;
    event->size = size;
    event->bytes = malloc(size ? size : 1);
    assert_non_null(event->bytes);
    const struct iovec to = {event->bytes, size}, there = {(void *)(uintptr_t)from, size};
    assert_int_equal(process_vm_readv(process, &to, 1, &there, 1, 0), size);
}

/// Where a process writes next in a file.
static inline uint64_t lost_position(pid_t process, int descriptor)
{
    char path[64];
    unsigned long long position = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)process, descriptor);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "pos: %llu", &position), 1);
    fclose(file);
    return position;
}

/// Records a call on a descriptor. @return whether it is of the folder or of a file in it
static inline bool lost_record_call(LostRecord *record, const struct seccomp_notif *asked)
{
    const pid_t process = (pid_t)asked->pid;
    const uint64_t *const arguments = (const uint64_t *)asked->data.args;
    const int descriptor = (int)arguments[0];
    char path[64];
    struct stat status, folder;
    uint32_t file;
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)process, descriptor);
    if (stat(path, &status) != 0 || stat(record->folder, &folder) != 0) {
        return false;
    }
    if (S_ISDIR(status.st_mode) && status.st_ino == folder.st_ino) {
        (void)lost_add(record, LOST_SYNC_FOLDER);
        return true;
    }
    if (!S_ISREG(status.st_mode) || status.st_dev != folder.st_dev ||
        !lost_find(&record->names, status.st_ino, &file)) {
        return false; // another place's, or it has no name
    }
    switch (asked->data.nr) {
    case SYS_write:
        lost_add_write(record, file, lost_position(process, descriptor), process, arguments[1],
                       (size_t)arguments[2]);
        break;
    case SYS_pwrite64:
        lost_add_write(record, file, arguments[3], process, arguments[1], (size_t)arguments[2]);
        break;
    case SYS_ftruncate: {
        LostEvent *const event = lost_add(record, LOST_TRUNCATE);
        event->file = file;
        event->at = arguments[1];
        break;
    }
    case SYS_fsync:
    case SYS_fdatasync:
        lost_add(record, LOST_SYNC)->file = file;
        break;
    default:
        fail_msg("call %d writes to a file, and is not recorded", asked->data.nr);
    }
    return true;
}

/// Calls that are asked about. Those that name paths only have the folder read.
static const int LOST_CALLS[] = {
    SYS_write,  SYS_pwrite64,  SYS_ftruncate, SYS_fsync,  SYS_fdatasync, SYS_writev,
    SYS_openat, SYS_renameat2, SYS_unlinkat,  SYS_linkat, SYS_fallocate, SYS_pwritev,
#if defined(SYS_rename) // newer architectures lack them
    SYS_rename, SYS_unlink,    SYS_link,      SYS_open,
#endif
};
#define LOST_CALL_COUNT (sizeof LOST_CALLS / sizeof *LOST_CALLS)

static inline bool lost_is_of_path(int number)
{
#if defined(SYS_rename)
    if (number == SYS_rename || number == SYS_unlink || number == SYS_link || number == SYS_open) {
        return true;
    }
#endif
    return number == SYS_openat || number == SYS_renameat2 || number == SYS_unlinkat ||
           number == SYS_linkat;
}

static inline void lost_answer(LostRecord *record, int listener)
{
    struct seccomp_notif asked = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) {
        return; // the process ended meanwhile
    }
    struct seccomp_notif_resp answer = {.id = asked.id};
    const int number = asked.data.nr;
    lost_look(record);
    if (number == SYS_write && asked.data.args[0] == LOST_NOTE_FILE) {
        lost_add(record, (LostKind)asked.data.args[1])->at = asked.data.args[2];
        answer.val = (int64_t)asked.data.args[2];
    } else if (lost_is_of_path(number) || !lost_record_call(record, &asked) ||
               (number != SYS_fsync && number != SYS_fdatasync)) { // no test waits for the disk
        answer.flags = (uint32_t)SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    }
    (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/// Has the kernel treat some calls of this process, and of those that it starts, in a way.
/// @return what seccomp returns
static inline int lost_filter(const int *calls, size_t count, uint32_t way, unsigned flags)
{
    enum { LOST_FILTER_CALLS = 32 };
    struct sock_filter code[LOST_FILTER_CALLS + 3] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    assert_true(count <= LOST_FILTER_CALLS);
    for (size_t i = 0; i < count; i++) {
        code[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i],
                                                   (uint8_t)(count - i), 0);
    }
    code[count + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[count + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, way);
    const struct sock_fprog filter = {.len = (unsigned short)(count + 3), .filter = code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
               ? -1
               : (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}

/// Lets syncs of this process succeed at once: no power is lost but in records of what others did.
static inline bool lost_skip_syncs(void)
{
    static const int calls[] = {SYS_fsync, SYS_fdatasync};
    return lost_filter(calls, 2, SECCOMP_RET_ERRNO, 0) == 0;
}

/// For the process whose work is recorded: it begins to save what has a number, or was told that it
/// is saved.
static inline void lost_note(LostKind kind, uint32_t number)
{
    (void)syscall(SYS_write, LOST_NOTE_FILE, (uintptr_t)kind, (uintptr_t)number);
}

/// The files that are there before the work begins are on the disk.
static inline void lost_record_old(LostRecord *record)
{
    lost_look(record);
    for (uint32_t i = 0; i < record->names.count; i++) {
        char path[PLACE_PATH + LOST_NAME_BYTES];
        struct stat status;
        (void)snprintf(path, sizeof path, "%s/%s", record->folder, record->names.entries[i].name);
        const int file = open(path, O_RDONLY);
        assert_true(file >= 0 && fstat(file, &status) == 0);
        LostEvent *const event = lost_add(record, LOST_WRITE);
        event->file = record->names.entries[i].file;
        event->size = (size_t)status.st_size;
        event->bytes = malloc(event->size + 1);
        assert_non_null(event->bytes);
        assert_int_equal(read(file, event->bytes, event->size), event->size);
        (void)close(file);
        lost_add(record, LOST_SYNC)->file = record->names.entries[i].file;
    }
    (void)lost_add(record, LOST_SYNC_FOLDER);
    record->first = record->count;
}

/// Answers until the process ends. @return its exit code, or -1
static inline int lost_watch(LostRecord *record, pid_t process, int listener)
{
    const int ended = (int)syscall(SYS_pidfd_open, process, 0);
    assert_true(ended >= 0);
    struct pollfd waits[2] = {{listener, POLLIN, 0}, {ended, POLLIN, 0}};
    while (poll(waits, 2, -1) > 0 && !(waits[1].revents & POLLIN)) {
        if (waits[0].revents & POLLIN) {
            lost_answer(record, listener);
        }
    }
    int status = 0;
    (void)close(ended);
    assert_int_equal(waitpid(process, &status, 0), process);
    lost_look(record);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Takes the descriptor by which another process of ours is asked about, once it has it.
static inline int lost_take(pid_t process, const volatile int *there)
{
    while (*there == 0) {
        (void)usleep(200);
    }
    const int handle = (int)syscall(SYS_pidfd_open, process, 0);
    const int listener =
        *there < 0 || handle < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, handle, *there, 0);
    (void)close(handle);
    return listener;
}

/// Records what some work does with a folder, in a process of its own with one thread. The work
/// asserts nothing: what it returns is the process's exit code.
/// @param folder  absolute, without links, and without folders in it
/// @return false: this system cannot do it, and the record is empty
static inline bool lost_record(LostRecord *record, const char *folder,
                               int (*work)(const char *folder))
{
    *record = (LostRecord){.count = 0};
    (void)snprintf(record->folder, sizeof record->folder, "%s", folder);
    lost_record_old(record);
    volatile int *const shared =
        mmap(NULL, 2 * sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        shared[0] = lost_filter(LOST_CALLS, LOST_CALL_COUNT, SECCOMP_RET_USER_NOTIF,
                                SECCOMP_FILTER_FLAG_NEW_LISTENER);
        while (shared[0] >= 0 && !shared[1]) {
            (void)usleep(200);
        }
        _exit(shared[0] >= 0 ? work(folder) : 0);
    }
    const int listener = lost_take(process, shared);
    if (listener < 0) {
        (void)kill(process, SIGKILL);
        (void)waitpid(process, NULL, 0);
        lost_destroy(record);
        return false;
    }
    shared[1] = 1;
    assert_int_equal(lost_watch(record, process, listener), 0);
    (void)close(listener);
    (void)munmap((void *)shared, 2 * sizeof *shared);
    return true;
}

// ---- faults ------------------------------------------------------------------------------------

/// Whether a file ever has a name with a part.
static inline bool lost_is_named(const LostRecord *record, uint32_t file, const char *part)
{
    for (uint32_t i = 0; i < record->count; i++) {
        const LostNames *const names = record->events[i].names;
        for (uint32_t j = 0; names && j < names->count; j++) {
            if (names->entries[j].file == file && strstr(names->entries[j].name, part)) {
                return true;
            }
        }
    }
    return false;
}

static inline const char *lost_name(const LostNames *names, uint32_t file)
{
    for (uint32_t i = 0; names && i < names->count; i++) {
        if (names->entries[i].file == file) {
            return names->entries[i].name;
        }
    }
    return NULL;
}

/// Where a file is renamed after an event; the record's end if never.
static inline uint32_t lost_find_rename(const LostRecord *record, uint32_t from)
{
    const uint32_t file = record->events[from].file;
    const LostNames *old = NULL;
    uint32_t i = from;
    while (i > 0 && !old) {
        old = record->events[--i].names;
    }
    const char *const name = lost_name(old, file);
    for (i = from; i < record->count; i++) {
        const char *const now = lost_name(record->events[i].names, file);
        if (name && now && strcmp(name, now) != 0) {
            break;
        }
    }
    return i;
}

static inline void lost_move(LostEvent *events, uint32_t from, uint32_t to)
{
    const LostEvent moved = events[from];
    const uint32_t first = from < to ? from : to, count = from < to ? to - from : from - to;
    memmove(&events[from < to ? first : first + 1], &events[from < to ? first + 1 : first],
            count * sizeof *events);
    events[to] = moved;
}

/// Does to one event what a fault does. @return whether the event goes
static inline bool lost_spoil_event(LostRecord *spoiled, uint32_t i, LostFault fault,
                                    const char *part)
{
    const LostEvent *const event = &spoiled->events[i];
    switch (fault) {
    case LOST_NO_SYNC:
        return event->kind == LOST_SYNC && lost_is_named(spoiled, event->file, part);
    case LOST_NO_FOLDER_SYNC:
        return event->kind == LOST_SYNC_FOLDER;
    case LOST_RENAME_FIRST: {
        const uint32_t renamed = event->kind == LOST_SYNC ? lost_find_rename(spoiled, i) : 0;
        if (renamed > 0 && renamed < spoiled->count) {
            lost_move(spoiled->events, i, renamed);
        }
        return false;
    }
    case LOST_DONE_BEFORE_SAVED:
        if (event->kind == LOST_DONE) {
            uint32_t to = i;
            while (to > 0 && spoiled->events[to - 1].kind != LOST_BEGUN) {
                to--;
            }
            lost_move(spoiled->events, i, to);
        }
        return false;
    default:
        return false;
    }
}

/// Copies a record with a fault in it. It shares the bytes of the other: free its events alone.
/// @param part  of the names of the files that LOST_NO_SYNC is about
static inline LostRecord lost_spoil(const LostRecord *record, LostFault fault, const char *part)
{
    LostRecord spoiled = *record;
    spoiled.events = malloc(record->count * sizeof *spoiled.events);
    assert_non_null(spoiled.events);
    memcpy(spoiled.events, record->events, record->count * sizeof *spoiled.events);
    for (uint32_t i = spoiled.count;
         i-- > spoiled.first;) { // backwards: what moves on stays behind
        if (lost_spoil_event(&spoiled, i, fault, part)) {
            lost_move(spoiled.events, i, --spoiled.count);
        }
    }
    return spoiled;
}

// ---- the disk afterwards -----------------------------------------------------------------------

/// The bytes of a file.
typedef struct LostImage {
    unsigned char *bytes; ///< [capacity] zero from `size` on
    size_t size, capacity;
} LostImage;

static inline void lost_resize(LostImage *image, size_t size)
{
    if (size > image->capacity) {
        const size_t capacity = 2 * size;
        image->bytes = realloc(image->bytes, capacity);
        assert_non_null(image->bytes);
        memset(image->bytes + image->capacity, 0, capacity - image->capacity);
        image->capacity = capacity;
    }
    if (size < image->size) {
        memset(image->bytes + size, 0, image->size - size);
    }
    image->size = size;
}

/// Puts bytes [from, to) of a write into a file.
static inline void lost_put(LostImage *image, const LostEvent *write, size_t from, size_t to)
{
    const size_t end = (size_t)write->at + to;
    if (to > from) {
        lost_resize(image, end > image->size ? end : image->size);
        memcpy(image->bytes + write->at + from, write->bytes + from, to - from);
    }
}

/// How a write is torn.
typedef enum LostTear { LOST_WHOLE, LOST_CUT, LOST_SECTORS, LOST_TEARS } LostTear;

/// Does a write or a truncation to a file.
static inline void lost_do(LostImage *image, const LostEvent *event, LostTear tear,
                           TestRandom *random)
{
    if (event->kind == LOST_TRUNCATE) {
        lost_resize(image, (size_t)event->at);
        return;
    }
    if (tear == LOST_WHOLE) {
        lost_put(image, event, 0, event->size);
        return;
    }
    const uint64_t sectors = (event->size + LOST_SECTOR_BYTES - 1) / LOST_SECTOR_BYTES;
    const uint64_t cut = test_random_next(random) % (sectors + 1);
    size_t from = 0;
    for (uint64_t i = 0; from < event->size; i++) { // sectors lie at multiples in the file
        size_t to = from + LOST_SECTOR_BYTES - (size_t)((event->at + from) % LOST_SECTOR_BYTES);
        to = to < event->size ? to : event->size;
        if (tear == LOST_CUT ? i < cut : test_random_next(random) & 1) {
            lost_put(image, event, from, to);
        }
        from = to;
    }
}

static inline bool lost_changes(const LostEvent *event, uint32_t file)
{
    return event->file == file && (event->kind == LOST_WRITE || event->kind == LOST_TRUNCATE);
}

/// Makes a file as it is after power is lost before event `cut`.
static inline void lost_make_file(const LostRecord *record, uint32_t cut, uint32_t file,
                                  TestRandom *random, LostImage *image)
{
    uint32_t synced = 0, pending = 0;
    const LostEvent **const changes = malloc((cut + 1) * sizeof(LostEvent *));
    assert_non_null(changes);
    lost_resize(image, 0);
    for (uint32_t i = 0; i < cut; i++) {
        synced = record->events[i].kind == LOST_SYNC && record->events[i].file == file ? i : synced;
    }
    const uint64_t eighths = test_random_next(random) % 9; // of the changes are there
    for (uint32_t i = 0; i < cut; i++) {
        const LostEvent *const event = &record->events[i];
        if (lost_changes(event, file) && i < synced) {
            lost_do(image, event, LOST_WHOLE, random);
        } else if (lost_changes(event, file) && test_random_next(random) % 8 < eighths) {
            changes[pending++] = event;
        }
    }
    const bool is_shuffled = test_random_next(random) & 1;
    for (uint32_t i = pending; is_shuffled && i > 1; i--) {
        const uint32_t other = (uint32_t)(test_random_next(random) % i);
        const LostEvent *const swapped = changes[i - 1];
        changes[i - 1] = changes[other];
        changes[other] = swapped;
    }
    const LostTear tear = (LostTear)(test_random_next(random) % LOST_TEARS);
    const bool is_last_alone = test_random_next(random) & 1;
    for (uint32_t i = 0; i < pending; i++) {
        lost_do(image, changes[i], is_last_alone && i + 1 < pending ? LOST_WHOLE : tear, random);
    }
    free(changes);
}

static inline void lost_clear(const char *folder)
{
    DIR *const opened = opendir(folder);
    assert_non_null(opened);
    for (struct dirent *entry; (entry = readdir(opened));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            assert_int_equal(unlinkat(dirfd(opened), entry->d_name, 0), 0);
        }
    }
    closedir(opened);
}

/// The folder's entries after power is lost before event `cut`.
static inline const LostNames *lost_pick_names(const LostRecord *record, uint32_t cut,
                                               TestRandom *random)
{
    const LostNames *picked = NULL;
    uint64_t count = 0; // of those that may be
    for (uint32_t i = 0; i < cut; i++) {
        const LostEvent *const event = &record->events[i];
        if (event->kind == LOST_SYNC_FOLDER) {
            for (uint32_t j = i; j-- > 0;) {
                if (record->events[j].names) {
                    picked = record->events[j].names;
                    break;
                }
            }
            count = 1;
        } else if (event->names && test_random_next(random) % ++count == 0) {
            picked = event->names;
        }
    }
    return picked;
}

/// Fills a folder with what is on the disk after power is lost before event `cut`.
static inline void lost_make(const LostRecord *record, uint32_t cut, const char *folder,
                             TestRandom *random)
{
    LostImage image = {NULL, 0, 0};
    lost_clear(folder);
    const LostNames *const names = lost_pick_names(record, cut, random);
    for (uint32_t i = 0; names && i < names->count; i++) {
        char path[PLACE_PATH + LOST_NAME_BYTES];
        lost_make_file(record, cut, names->entries[i].file, random, &image);
        (void)snprintf(path, sizeof path, "%s/%s", folder, names->entries[i].name);
        const int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
        assert_true(file >= 0);
        assert_int_equal(write(file, image.bytes, image.size), image.size);
        (void)close(file);
    }
    free(image.bytes);
}

/// The first note of a kind; the record's end if there is none.
static inline uint32_t lost_find_note(const LostRecord *record, LostKind kind)
{
    uint32_t i = 0;
    while (i < record->count && record->events[i].kind != kind) {
        i++;
    }
    return i;
}

/// The highest number that was noted before event `cut`; 0 if none.
static inline uint32_t lost_last(const LostRecord *record, uint32_t cut, LostKind kind)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < cut; i++) {
        const LostEvent *const event = &record->events[i];
        last = event->kind == kind && event->at > last ? event->at : last;
    }
    return (uint32_t)last;
}

// ---- trying ------------------------------------------------------------------------------------

/// What came of it.
typedef struct LostTries {
    uint32_t tried, failed;
    char why[512]; ///< the first that failed
} LostTries;

/// Loses power at moments of a record: before each of its events in turn, or of some at random if
/// there are more than tries.
/// @param until_failed  ends with the first failure
static inline LostTries lost_try(const LostRecord *record, uint32_t tries, bool until_failed,
                                 const char *folder, TestRandom *random, LostCheck check)
{
    LostTries all = {.tried = 0};
    const uint32_t cuts = record->count + 1 - record->first;
    while (all.tried < tries && !(until_failed && all.failed)) {
        char why[256] = "";
        TestRandom own = {test_random_next(random)};
        const uint32_t pick =
            tries < cuts ? (uint32_t)(test_random_next(random) % cuts) : all.tried % cuts;
        const uint32_t cut = record->first + pick;
        lost_make(record, cut, folder, &own);
        const uint32_t begun = lost_last(record, cut, LOST_BEGUN);
        const uint32_t done = lost_last(record, cut, LOST_DONE);
        all.tried++;
        if (!check(folder, begun, done, &own, why) && all.failed++ == 0) {
            (void)snprintf(
                all.why, sizeof all.why, "power lost before event %u of %u, %u saved, %u begun: %s",
                (unsigned)cut, (unsigned)record->count, (unsigned)done, (unsigned)begun, why);
        }
    }
    return all;
}

/// Whether the files that were recorded are those that there are now: no call was missed. Except
/// for indexes of logs, which are mapped.
static inline bool lost_is_complete(const LostRecord *record)
{
    TestRandom random = {0};
    bool is_same = true;
    for (uint32_t i = 0; i < record->names.count && is_same; i++) {
        char path[PLACE_PATH + LOST_NAME_BYTES];
        LostImage image = {NULL, 0, 0};
        struct stat status;
        (void)snprintf(path, sizeof path, "%s/%s", record->folder, record->names.entries[i].name);
        for (uint32_t j = 0; j < record->count; j++) {
            if (lost_changes(&record->events[j], record->names.entries[i].file)) {
                lost_do(&image, &record->events[j], LOST_WHOLE, &random);
            }
        }
        const int file = open(path, O_RDONLY);
        unsigned char *const bytes = malloc(image.size + 1);
        is_same = file >= 0 && bytes && fstat(file, &status) == 0 &&
                  (size_t)status.st_size == image.size &&
                  read(file, bytes, image.size) == (ssize_t)image.size &&
                  (strstr(path, "-shm") || image.size == 0 ||
                   memcmp(bytes, image.bytes, image.size) == 0);
        free(bytes);
        free(image.bytes);
        (void)close(file);
    }
    return is_same;
}
