#include "driver/child.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

bool write_all(int file, const void *bytes, std::size_t size)
{
    const char *from = static_cast<const char *>(bytes);
    while (size > 0) {
        const ssize_t done = write(file, from, size);
        if (done <= 0) {
            if (done < 0 && errno == EINTR) {
                continue;
            }
            return false;
        }
        from += done;
        size -= static_cast<std::size_t>(done);
    }
    return true;
}

enum class Read { whole, closed, late };

/// Reads exactly `size` bytes, or says why not.
Read read_all(int file, void *bytes, std::size_t size, Clock::time_point deadline)
{
    char *into = static_cast<char *>(bytes);
    while (size > 0) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd waiting = {file, POLLIN, 0};
        const int ready = poll(&waiting, 1, left > 0 ? static_cast<int>(left) : 0);
        if (ready == 0) {
            return Read::late;
        }
        const ssize_t done = ready < 0 ? -1 : read(file, into, size);
        if (done <= 0) {
            if (done < 0 && errno == EINTR) {
                continue;
            }
            return Read::closed;
        }
        into += done;
        size -= static_cast<std::size_t>(done);
    }
    return Read::whole;
}

/// What stands before a reply's text and figures.
struct ReplyHead {
    Reply::Verdict verdict;
    std::uint32_t text_bytes, figure_count;
};

// A replayed trace answers three figures for each of up to ten million frames.
const std::uint32_t text_bytes_max = 1 << 16, figure_count_max = 1 << 25;

/// Text that may be somebody else's, without what a terminal would obey or what would break a line.
void make_printable(std::string &text)
{
    for (char &c : text) {
        const auto byte = static_cast<unsigned char>(c);
        c = byte < 0x20 || byte == 0x7F ? '?' : c;
    }
}

/// When memory runs out, the system is to end a child and not the bench.
void offer_as_first_victim()
{
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)write_all(file, "1000", 4); // if it cannot be, all are as likely
        close(file);
    }
}

/// A child ends with its parent, and leaves no core files behind.
void prepare_child()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    offer_as_first_victim();
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // Whatever somebody's library prints must not mix with the figures.
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

[[noreturn]] void run_child(const std::function<void(const Parent &)> &work, int asks, int replies)
{
    prepare_child();
    const Parent parent(asks, replies);
    try {
        work(parent);
    } catch (const std::bad_alloc &) {
        parent.reply({Reply::refused, "there was no memory", {}});
    } catch (...) {
        parent.reply({Reply::lost, "it threw an exception", {}});
    }
    std::fflush(stderr);
    _exit(0); // not exit: what the parent has registered is the parent's to run
}

void close_pipe(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

} // namespace

bool Parent::next(Ask &ask) const
{
    const auto forever = Clock::now() + std::chrono::hours(24);
    return read_all(asks_, &ask, sizeof ask, forever) == Read::whole;
}

void Parent::reply(const Reply &reply) const
{
    ReplyHead head = {};
    head.verdict = reply.verdict;
    head.text_bytes = static_cast<std::uint32_t>(reply.text.size());
    head.figure_count = static_cast<std::uint32_t>(reply.figures.size());
    const bool sent =
        write_all(replies_, &head, sizeof head) &&
        write_all(replies_, reply.text.data(), reply.text.size()) &&
        write_all(replies_, reply.figures.data(), reply.figures.size() * sizeof(double));
    if (!sent) {
        _exit(0); // nobody listens any more
    }
}

Child::Child(const std::function<void(const Parent &)> &work)
{
    int ask_ends[2], reply_ends[2];
    if (pipe2(ask_ends, O_CLOEXEC) != 0) {
        throw std::bad_alloc();
    }
    if (pipe2(reply_ends, O_CLOEXEC) != 0) {
        close_pipe(ask_ends);
        throw std::bad_alloc();
    }
    std::fflush(stdout);
    std::fflush(stderr);
    process = fork();
    if (process == 0) {
        close(ask_ends[1]);
        close(reply_ends[0]);
        run_child(work, ask_ends[0], reply_ends[1]);
    }
    close(ask_ends[0]);
    close(reply_ends[1]);
    asks = ask_ends[1];
    replies = reply_ends[0];
    if (process < 0) {
        close(asks);
        close(replies);
        throw std::bad_alloc();
    }
}

Child::~Child()
{
    close(asks);
    close(replies);
    if (process > 0) {
        kill(process, SIGKILL);
        waitpid(process, nullptr, 0);
    }
}

void Child::ask(Ask ask) const
{
    (void)write_all(asks, &ask, sizeof ask);
}

/// To be called once its end of the pipe is closed. A child that closed it and goes on is ended.
std::string Child::how_it_ended()
{
    const auto deadline = Clock::now() + std::chrono::seconds(5);
    int status = 0;
    pid_t ended = 0;
    while (ended == 0 && Clock::now() < deadline) {
        ended = waitpid(process, &status, WNOHANG);
        if (ended == 0) {
            usleep(1000);
        }
    }
    if (ended == 0) {
        return "it closed the bench's pipe";
    }
    process = -1;
    if (WIFSIGNALED(status)) {
        return std::string("it crashed (") + strsignal(WTERMSIG(status)) + ")";
    }
    return "it ended the process (code " + std::to_string(WEXITSTATUS(status)) + ")";
}

Reply Child::lose(const std::string &why)
{
    end = why;
    return {Reply::lost, end, {}};
}

Reply Child::await(double seconds)
{
    if (!end.empty()) {
        return {Reply::lost, end, {}};
    }
    const auto deadline = Clock::now() + std::chrono::milliseconds(std::int64_t(seconds * 1000));
    ReplyHead head;
    Reply reply;
    Read read = read_all(replies, &head, sizeof head, deadline);
    if (read == Read::whole && (head.verdict > Reply::lost || head.text_bytes > text_bytes_max ||
                                head.figure_count > figure_count_max)) {
        return lose("it wrote into the bench's pipe");
    }
    if (read == Read::whole) {
        reply.verdict = head.verdict;
        reply.text.resize(head.text_bytes);
        reply.figures.resize(head.figure_count);
        read = read_all(replies, reply.text.data(), reply.text.size(), deadline);
    }
    if (read == Read::whole) {
        read = read_all(replies, reply.figures.data(), reply.figures.size() * sizeof(double),
                        deadline);
    }
    if (read == Read::late) {
        kill(process, SIGKILL);
        char text[64];
        std::snprintf(text, sizeof text, "it did not answer within %.0f s", seconds);
        return lose(text);
    }
    if (read == Read::closed) {
        return lose(how_it_ended());
    }
    make_printable(reply.text);
    return reply.verdict == Reply::lost ? lose(reply.text) : reply;
}
