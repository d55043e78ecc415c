/// What a child is asked and what it replies.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// What a child answers.
struct Reply {
    enum Verdict : std::uint8_t {
        fine,
        refused, ///< the contender, or the bench for it, says why there is no figure: `text`
        wrong,   ///< a wrong answer: `text` says which
        lost     ///< nothing was answered, nor will be: `text` says how the child ended
    };
    Verdict verdict = fine;
    std::string text = {};
    std::vector<double> figures = {};
};

/// What a child is asked.
struct Ask {
    std::uint32_t what;
    double amount;
};

/// Calls a child's work. @return its reply, or what became of its exception
Reply reply_of_work(const std::function<Reply(Ask)> &work, Ask ask);

/// Removes from a text what a terminal would obey, or what would break a line.
void make_printable(std::string &text);
