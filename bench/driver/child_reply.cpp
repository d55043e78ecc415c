#include "driver/child_reply.hpp"

#include <new>

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
