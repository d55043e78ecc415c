// A browser has no processes, so ask() calls the work directly.
#include "driver/child.hpp"

struct Child::Connection {
    std::function<Reply(Ask)> work;
    std::string end = {}; ///< why all further replies are lost; empty: they are not
};

Child::Child(const std::function<Reply(Ask)> &work)
    : connection(std::make_unique<Connection>(Connection{work}))
{
}

Child::~Child() = default;

Reply Child::ask(Ask ask, double)
{
    if (!connection->end.empty()) {
        return {Reply::lost, connection->end, {}};
    }
    Reply reply = reply_of_work(connection->work, ask);
    make_printable(reply.text);
    if (reply.verdict == Reply::lost) {
        connection->end = reply.text;
    }
    return reply;
}
