#include "driver/apart.hpp"

#include <new>
#include <utility>

#include "driver/topic.hpp"

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
    } catch (const std::bad_alloc &) { // the child goes on: there may be memory for its next work
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
