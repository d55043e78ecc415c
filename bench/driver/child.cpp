#include "driver/child.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <new>

#include <unistd.h>

#include "driver/child_process.hpp"

namespace {

using Clock = std::chrono::steady_clock;

/// Converts a size for one call of read() or write(), whose size is an int on Windows.
unsigned int call_bytes(std::size_t size)
{
    return static_cast<unsigned int>(std::min(size, std::size_t{1} << 30));
}

bool write_all(int file, const void *bytes, std::size_t size)
{
    const char *from = static_cast<const char *>(bytes);
    while (size > 0) {
        const auto done = write(file, from, call_bytes(size));
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

/// Whether the time limit is exceeded.
using IsLate = std::function<bool()>;

const int wait_ms = 50; // between two checks of the time limit

/// Reads exactly `size` bytes, or says why not.
Read read_all(int file, void *bytes, std::size_t size, const IsLate &is_late)
{
    char *into = static_cast<char *>(bytes);
    while (size > 0) {
        if (!wait_to_read(file, wait_ms)) {
            if (is_late()) {
                return Read::late;
            }
            continue;
        }
        const auto done = read(file, into, call_bytes(size));
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

/// The limit of a child's elapsed time, as a multiple of its processor time limit. A child shares
/// the processors with other processes, but a child that sleeps forever must also be ended.
const double idle_factor = 6;

/// The head of a reply, followed by its text and figures.
struct ReplyHead {
    Reply::Verdict verdict;
    std::uint32_t text_bytes, figure_count;
};

// The reply of a replayed trace has three figures for each of up to ten million frames.
const std::uint32_t text_bytes_max = 1 << 16, figure_count_max = 1 << 25;

bool send(int file, const Reply &reply)
{
    ReplyHead head = {};
    head.verdict = reply.verdict;
    head.text_bytes = static_cast<std::uint32_t>(reply.text.size());
    head.figure_count = static_cast<std::uint32_t>(reply.figures.size());
    return write_all(file, &head, sizeof head) &&
           write_all(file, reply.text.data(), reply.text.size()) &&
           write_all(file, reply.figures.data(), reply.figures.size() * sizeof(double));
}

/// Runs in the child: replies until the parent closes a pipe or an exception ends the work.
void serve(const std::function<Reply(Ask)> &work, int asks, int replies)
{
    for (Ask ask; read_all(asks, &ask, sizeof ask, [] { return false; }) == Read::whole;) {
        const Reply reply = reply_of_work(work, ask);
        if (!send(replies, reply) || reply.verdict == Reply::lost) {
            return;
        }
    }
}

} // namespace

struct Child::Connection {
    Connection(const std::function<Reply(Ask)> &work);
    ~Connection();
    Reply lose(Reply reply);
    Reply await(double seconds);

    std::unique_ptr<ChildProcess> process; ///< ends after the pipes are closed
    int asks = -1, replies = -1;
    Reply end; ///< the reply to all further asks; `fine` while the child runs
};

Child::Connection::Connection(const std::function<Reply(Ask)> &work)
{
    int ask_ends[2], reply_ends[2];
    if (!open_pipe(ask_ends)) {
        throw std::bad_alloc();
    }
    if (!open_pipe(reply_ends)) {
        close(ask_ends[0]);
        close(ask_ends[1]);
        throw std::bad_alloc();
    }
    const int own[2] = {ask_ends[0], reply_ends[1]}, other[2] = {reply_ends[0], ask_ends[1]};
    process =
        std::make_unique<ChildProcess>([work, own] { serve(work, own[0], own[1]); }, own, other);
    asks = ask_ends[1];
    replies = reply_ends[0];
}

Child::Connection::~Connection()
{
    close(asks);
    close(replies);
}

Reply Child::Connection::lose(Reply reply)
{
    end = std::move(reply);
    return end;
}

Reply Child::Connection::await(double seconds)
{
    const auto begin = Clock::now();
    const double cpu_begin = process->cpu_seconds();
    const auto is_late = [this, seconds, begin, cpu_begin] {
        const double waited = std::chrono::duration<double>(Clock::now() - begin).count();
        const double cpu = process->cpu_seconds() - cpu_begin;
        const bool is_told = cpu_begin >= 0;
        return waited > seconds * (is_told ? idle_factor : 1) || (is_told && cpu > seconds);
    };
    ReplyHead head;
    Reply reply;
    Read read = read_all(replies, &head, sizeof head, is_late);
    if (read == Read::whole && (head.verdict > Reply::lost || head.text_bytes > text_bytes_max ||
                                head.figure_count > figure_count_max)) {
        return lose({Reply::lost, "it wrote into the bench's pipe", {}});
    }
    if (read == Read::whole) {
        reply.verdict = head.verdict;
        reply.text.resize(head.text_bytes);
        reply.figures.resize(head.figure_count);
        read = read_all(replies, reply.text.data(), reply.text.size(), is_late);
    }
    if (read == Read::whole) {
        read =
            read_all(replies, reply.figures.data(), reply.figures.size() * sizeof(double), is_late);
    }
    if (read == Read::late) {
        process->end();
        char text[64];
        std::snprintf(text, sizeof text, "it did not answer within %.0f s", seconds);
        return lose({Reply::lost, text, {}});
    }
    if (read == Read::closed) {
        return lose(process->how_it_ended());
    }
    return reply.verdict == Reply::lost ? lose(std::move(reply)) : reply;
}

Child::Child(const std::function<Reply(Ask)> &work) : connection(std::make_unique<Connection>(work))
{
}

Child::~Child() = default;

Reply Child::ask(Ask ask, double seconds)
{
    if (connection->end.verdict != Reply::fine) {
        return connection->end;
    }
    (void)write_all(connection->asks, &ask, sizeof ask); // await() reports a closed pipe
    Reply reply = connection->await(seconds);
    make_printable(reply.text);
    return reply;
}
