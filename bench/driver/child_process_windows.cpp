#include "driver/child_process.hpp"

#include <cstdio>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <io.h>

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX // libstdc++ defines it
#define NOMINMAX
#endif
#include <windows.h>

struct ChildProcess::State {
    std::thread thread;
};

bool open_pipe(int ends[2])
{
    return _pipe(ends, 1 << 16, _O_BINARY | _O_NOINHERIT) == 0;
}

bool wait_to_read(int file, int ms)
{
    const auto pipe = reinterpret_cast<HANDLE>(_get_osfhandle(file));
    const ULONGLONG end = GetTickCount64() + static_cast<ULONGLONG>(ms);
    DWORD bytes = 0;
    while (PeekNamedPipe(pipe, nullptr, 0, nullptr, &bytes, nullptr) && bytes == 0) {
        if (GetTickCount64() >= end) {
            return false;
        }
        Sleep(1);
    }
    return true; // reading reports errors
}

ChildProcess::ChildProcess(const std::function<void()> &work, const int own_ends[2],
                           const int other_ends[2])
    : state(std::make_unique<State>())
{
    const int reads = own_ends[0], writes = own_ends[1];
    (void)other_ends;
    state->thread = std::thread([work, reads, writes] {
        work();
        _close(reads);
        _close(writes);
    });
}

ChildProcess::~ChildProcess()
{
    if (state->thread.joinable()) {
        state->thread.join(); // the thread ends at its next ask or reply
    }
}

double ChildProcess::cpu_seconds() const
{
    return -1;
}

void ChildProcess::end()
{
    std::fprintf(stderr, "terrane-bench: a contender does not answer, and on Windows the bench "
                         "cannot end it alone. Leave it out with --filter.\n");
    std::fflush(stdout);
    std::_Exit(1);
}

Reply ChildProcess::how_it_ended()
{
    return {Reply::lost, "it ended before it had answered", {}};
}
