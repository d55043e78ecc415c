#include "driver/child_reply.hpp"

#include <new>
#include <utility>

#include "driver/topic.hpp"

Reply reply_of_work(const std::function<Reply(Ask)> &work, Ask ask)
{
    try {
        return work(ask);
    } catch (const std::bad_alloc &) {
        return {Reply::refused, "there was no memory", {}};
    } catch (...) {
        return {Reply::lost, "it threw an exception", {}};
    }
}

void make_printable(std::string &text)
{
    for (char &c : text) {
        const auto byte = static_cast<unsigned char>(c);
        c = byte < 0x20 || byte == 0x7F ? '?' : c;
    }
}

namespace bench {

Reply reply_with(const std::function<Figures()> &work)
{
    Reply reply;
    try {
        reply.figures = work();
    } catch (const Refused &refused) {
        reply = {Reply::refused, refused.why, {}};
    } catch (const Wrong &wrong) {
        reply = {Reply::wrong, wrong.why, {}};
    } catch (const std::bad_alloc &) { // the child continues: memory may suffice for its next work
        reply = {Reply::refused, "there is not enough memory here", {}};
    }
    return reply;
}

Figures figures_in(Reply reply)
{
    if (reply.verdict == Reply::refused) {
        throw Refused{std::move(reply.text)};
    }
    if (reply.verdict != Reply::fine) {
        throw Wrong{std::move(reply.text)};
    }
    return std::move(reply.figures);
}

} // namespace bench
