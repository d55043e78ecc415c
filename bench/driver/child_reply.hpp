/// The messages between a parent and its child process, and how exceptions pass from the child to
/// the parent.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// A child's reply to an ask.
struct Reply {
    enum Verdict : std::uint8_t {
        fine,
        refused, ///< no figure; `text` says why
        wrong,   ///< a wrong answer; `text` says which
        lost     ///< the child has ended without an answer; `text` says how
    };
    Verdict verdict = fine;
    std::string text = {};
    std::vector<double> figures = {};
};

/// A parent's request to a child.
struct Ask {
    std::uint32_t what;
    double amount;
};

/// Calls a child's work. @return its reply, or a reply that describes its exception
Reply reply_of_work(const std::function<Reply(Ask)> &work, Ask ask);

/// Replaces control characters in a text for a terminal.
void make_printable(std::string &text);

namespace bench {

using Figures = std::vector<double>;

/// In the child: a reply with the figures that `work` returns, or with its exception, Refused or
/// Wrong.
Reply reply_with(const std::function<Figures()> &work);

/// In the parent: the figures of a reply. @throws Refused or Wrong if the child's work threw it;
/// Wrong if the child was lost
Figures figures_in(Reply reply);

} // namespace bench
