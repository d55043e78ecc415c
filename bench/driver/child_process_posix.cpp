#include "driver/child_process.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

struct ChildProcess::State {
    pid_t process = -1; ///< -1: the child has ended
};

bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

bool wait_to_read(int file, int ms)
{
    pollfd waiting = {file, POLLIN, 0};
    int ready;
    do {
        ready = poll(&waiting, 1, ms);
    } while (ready < 0 && errno == EINTR);
    return ready != 0; // reading reports errors
}

namespace {

void close_both(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

/// Makes the system kill this child rather than the bench if memory runs out.
void offer_as_first_victim()
{
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        const ssize_t done = write(file, "1000", 4); // may fail: then any process may be killed
        (void)done;
        close(file);
    }
}

/// If the system supports it, ends the child when its parent ends. Disables core files.
void prepare_child()
{
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    offer_as_first_victim();
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // Output of a user's library must not mix with the figures.
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

} // namespace

ChildProcess::ChildProcess(const std::function<void()> &work, const int own_ends[2],
                           const int other_ends[2])
    : state(std::make_unique<State>())
{
    std::fflush(stdout);
    std::fflush(stderr);
    state->process = fork();
    if (state->process == 0) {
        close_both(other_ends);
        prepare_child();
        work();
        std::fflush(stderr);
        _exit(0); // not exit(), which would run the parent's exit handlers
    }
    close_both(own_ends);
    if (state->process < 0) {
        close_both(other_ends);
        throw std::bad_alloc();
    }
}

ChildProcess::~ChildProcess()
{
    if (state->process > 0) {
        kill(state->process, SIGKILL);
        waitpid(state->process, nullptr, 0);
    }
}

double ChildProcess::cpu_seconds() const
{
#if defined(__linux__)
    clockid_t clock;
    timespec time;
    if (clock_getcpuclockid(state->process, &clock) == 0 && clock_gettime(clock, &time) == 0) {
        return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
    }
#endif
    return -1;
}

void ChildProcess::end()
{
    kill(state->process, SIGKILL);
}

Reply ChildProcess::how_it_ended()
{
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::seconds(5);
    int status = 0;
    pid_t ended = 0;
    while (ended == 0 && Clock::now() < deadline) {
        ended = waitpid(state->process, &status, WNOHANG);
        if (ended == 0) {
            usleep(1000);
        }
    }
    if (ended == 0) {
        return {Reply::lost, "it closed the bench's pipe", {}};
    }
    state->process = -1;
    if (!WIFSIGNALED(status)) {
        const std::string code = std::to_string(WEXITSTATUS(status));
        return {Reply::lost, "it ended the process (code " + code + ")", {}};
    }
    if (WTERMSIG(status) == SIGKILL) { // see offer_as_first_victim
        return {
            Reply::refused, "the system ended its process: there is not enough memory here", {}};
    }
    return {Reply::lost, std::string("it crashed (") + strsignal(WTERMSIG(status)) + ")", {}};
}
