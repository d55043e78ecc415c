#include "driver/child.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <new>

#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

/// What one call may move: Windows takes no more than an int.
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

/// Tells whether it is too late to wait.
using IsLate = std::function<bool()>;

const int wait_ms = 50; // between two looks at the time

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

/// How many times longer a child may take by the clock than by processor time: it shares the
/// processors with others, but one that sleeps for ever must end, too.
const double idle_factor = 6;

/// What stands before a reply's text and figures.
struct ReplyHead {
    Reply::Verdict verdict;
    std::uint32_t text_bytes, figure_count;
};

// A replayed trace answers three figures for each of up to ten million frames.
const std::uint32_t text_bytes_max = 1 << 16, figure_count_max = 1 << 25;

/// Text from other code, without what a terminal would obey or what would break a line.
void make_printable(std::string &text)
{
    for (char &c : text) {
        const auto byte = static_cast<unsigned char>(c);
        c = byte < 0x20 || byte == 0x7F ? '?' : c;
    }
}

/// The parent no longer reads from the child.
struct Unheard {};

void run_child(const std::function<void(const Parent &)> &work, const Parent &parent)
{
    try {
        try {
            work(parent);
        } catch (const Unheard &) {
            throw;
        } catch (const std::bad_alloc &) {
            parent.reply({Reply::refused, "there was no memory", {}});
        } catch (...) {
            parent.reply({Reply::lost, "it threw an exception", {}});
        }
    } catch (const Unheard &) { // the child ends
    }
}

} // namespace

bool Parent::next(Ask &ask) const
{
    return read_all(asks_, &ask, sizeof ask, [] { return false; }) == Read::whole;
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
        throw Unheard();
    }
}

Child::Child(const std::function<void(const Parent &)> &work)
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
    process = std::make_unique<ChildProcess>(
        [work, own] { run_child(work, Parent(own[0], own[1])); }, own, other);
    asks = ask_ends[1];
    replies = reply_ends[0];
}

Child::~Child()
{
    close(asks);
    close(replies);
}

void Child::ask(Ask ask) const
{
    (void)write_all(asks, &ask, sizeof ask);
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
        return lose("it wrote into the bench's pipe");
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
        return lose(text);
    }
    if (read == Read::closed) {
        return lose(process->how_it_ended());
    }
    make_printable(reply.text);
    return reply.verdict == Reply::lost ? lose(reply.text) : reply;
}
