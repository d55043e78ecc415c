/// Runs a program whose n-th call that writes fails: write, fsync, rename and the like on files of
/// one folder.
///
/// The kernel asks a process beside the program about each such call (seccomp_unotify(2)),
/// whichever way the program makes it: by stdio, by SQLite, in a thread, in a child process. So the
/// program under test is the one that users run. Linux alone can do this.
#pragma once

#include "testing.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/// A call that can fail, and how it does.
typedef struct FaultyCall {
    int number, error;
    const char *name;
} FaultyCall;

static const FaultyCall FAULTY_CALLS[] = {
    {SYS_write, ENOSPC, "write"},         {SYS_writev, ENOSPC, "writev"},
    {SYS_pwrite64, ENOSPC, "pwrite"},     {SYS_ftruncate, ENOSPC, "ftruncate"},
    {SYS_fallocate, ENOSPC, "fallocate"}, {SYS_fsync, EIO, "fsync"},
    {SYS_fdatasync, EIO, "fdatasync"},    {SYS_close, EIO, "close"},
#if defined(SYS_rename) // newer architectures lack it
    {SYS_rename, EIO, "rename"},
#endif
    {SYS_renameat, EIO, "renameat"},      {SYS_renameat2, EIO, "renameat2"},
};
#define FAULTY_CALL_COUNT (sizeof FAULTY_CALLS / sizeof *FAULTY_CALLS)

/// What fails, and what came of it. In memory that processes share: faulty_runs_create().
typedef struct FaultyRun {
    uint32_t fail_at;    ///< number of the call that fails, from 1; 0: none
    bool goes_on;        ///< all later ones fail, too: the disk is full and stays full
    bool is_unsupported; ///< by this system; the program did not run then
    uint32_t calls;      ///< so far
    char failed[160];    ///< name and file of the first call that failed
} FaultyRun;

static inline FaultyRun *faulty_run_create(void)
{
    FaultyRun *run =
        mmap(NULL, sizeof *run, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(run != MAP_FAILED);
    return run;
}

static inline void faulty_run_destroy(FaultyRun *run)
{
    (void)munmap(run, sizeof *run);
}

/// Whether the run came to the call that fails.
static inline bool faulty_run_met(const FaultyRun *run)
{
    return run->fail_at > 0 && run->calls >= run->fail_at;
}

// ---- the process beside the program -------------------------------------------------------------
// It makes none of the calls that it is asked about, since it would have to answer itself.

/// Installs the filter in this process and all that it starts. @return where to listen, or -1
static inline int faulty_listen(void)
{
    struct sock_filter code[FAULTY_CALL_COUNT + 3] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    for (size_t i = 0; i < FAULTY_CALL_COUNT; i++) {
        code[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                   (uint32_t)FAULTY_CALLS[i].number,
                                                   (uint8_t)(FAULTY_CALL_COUNT - i), 0);
    }
    code[FAULTY_CALL_COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[FAULTY_CALL_COUNT + 2] =
        (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    const struct sock_fprog filter = {.len = FAULTY_CALL_COUNT + 3, .filter = code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
               ? -1
               : (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                              SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
}

static inline const FaultyCall *faulty_call_of(int number)
{
    size_t i = 0;
    while (i < FAULTY_CALL_COUNT - 1 && FAULTY_CALLS[i].number != number) {
        i++;
    }
    return &FAULTY_CALLS[i];
}

/// Reads the first path that a rename names.
static inline void faulty_read_path(const struct seccomp_notif *asked, char path[128])
{
    const bool is_at = asked->data.nr == SYS_renameat || asked->data.nr == SYS_renameat2;
    const uintptr_t text = (uintptr_t)asked->data.args[is_at ? 1 : 0];
    memset(path, 0, 128);
    for (size_t i = 0; i < 127; i++) { // the page behind its end may not be readable
        const struct iovec to = {path + i, 1}, from = {(void *)(text + i), 1};
        if (process_vm_readv((pid_t)asked->pid, &to, 1, &from, 1, 0) != 1 || !path[i]) {
            return;
        }
    }
}

/// Whether a call is about a file of the folder, in which the program runs, that is written to.
/// @param file  receives the file's path
static inline bool faulty_counts(const struct seccomp_notif *asked, const char *folder,
                                 char file[128])
{
    char link[64];
    struct stat status;
    const size_t length = strlen(folder);
    const bool is_rename = strncmp(faulty_call_of(asked->data.nr)->name, "rename", 6) == 0;
    (void)snprintf(link, sizeof link, "/proc/%u/fd/%d", asked->pid, (int)asked->data.args[0]);
    if (is_rename) {
        faulty_read_path(asked, file);
    } else {
        const ssize_t bytes = readlink(link, file, 127);
        file[bytes < 0 ? 0 : bytes] = '\0';
    }
    if (strncmp(file, folder, length) != 0 || (file[length] != '/' && file[length] != '\0')) {
        return is_rename && file[0] != '/';
    }
    // The link's own mode tells whether the file is open for writing.
    return asked->data.nr != SYS_close || (lstat(link, &status) == 0 && status.st_mode & S_IWUSR);
}

/// @return the errno of a call; 0: it is made
static inline int faulty_decide(FaultyRun *run, const char *folder,
                                const struct seccomp_notif *asked)
{
    char file[128];
    const FaultyCall *call = faulty_call_of(asked->data.nr);
    if (!faulty_counts(asked, folder, file)) {
        return 0;
    }
    run->calls++;
    const bool fails =
        run->fail_at > 0 && (run->calls == run->fail_at ||
                             (run->goes_on && run->calls > run->fail_at && call->error == ENOSPC));
    if (fails && run->calls == run->fail_at) {
        (void)snprintf(run->failed, sizeof run->failed, "%s %s", call->name, file);
    }
    return fails ? call->error : 0;
}

static inline void faulty_answer(FaultyRun *run, const char *folder, int listener)
{
    struct seccomp_notif asked = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) {
        return; // the program was killed meanwhile
    }
    const int error = faulty_decide(run, folder, &asked);
    struct seccomp_notif_resp answer = {.id = asked.id,
                                        .error = -error,
                                        .flags =
                                            error ? 0 : (uint32_t)SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/// Starts the command, and answers until it ends. @return its exit code; 128 plus its signal
static inline int faulty_watch(FaultyRun *run, const char *folder, const char *command)
{
    const int listener = faulty_listen();
    run->is_unsupported = listener < 0;
    const pid_t program = run->is_unsupported ? -1 : fork();
    if (program == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    const int ended = program < 0 ? -1 : (int)syscall(SYS_pidfd_open, program, 0);
    if (ended < 0) {
        run->is_unsupported = true;
        return -1;
    }
    struct pollfd waits[2] = {{listener, POLLIN, 0}, {ended, POLLIN, 0}};
    while (poll(waits, 2, -1) > 0 && !(waits[1].revents & POLLIN)) {
        if (waits[0].revents & POLLIN) {
            faulty_answer(run, folder, listener);
        }
    }
    int status = 0;
    (void)waitpid(program, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Runs a shell command. Its output is for the command to redirect.
/// @param folder  absolute, without links; calls on files in it count
/// @return the exit code, or -1
static inline int faulty_run(FaultyRun *run, const char *folder, const char *command)
{
    int status = 0;
    run->calls = 0;
    run->failed[0] = '\0';
    const pid_t watcher = fork();
    assert_true(watcher >= 0);
    if (watcher == 0) {
        _exit(faulty_watch(run, folder, command));
    }
    assert_int_equal(waitpid(watcher, &status, 0), watcher);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
