/// Work done in a child process, so that foreign code may crash or hang there without taking the
/// bench along. Without that protection, it is a thread on Windows (driver/child_process.hpp), and
/// in a browser a call (driver/child_inline.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
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

/// A child process, seen by its parent. It shares the parent's memory as it was when it started;
/// what either writes the other does not see, except on Windows and in a browser.
class Child {
  public:
    /// Starts a child, which calls `work` for each ask. What `work` keeps between asks lives in the
    /// child. Of its exceptions, std::bad_alloc becomes a refusal; any other ends the child.
    /// @throws std::bad_alloc when the system has no process to spare
    explicit Child(const std::function<Reply(Ask)> &work);
    ~Child(); ///< ends the child
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;

    /// Asks, and waits for the reply. After a lost one all further are lost, for the same reason.
    /// Its text is printable, whatever a foreign library has put there.
    /// @param seconds  of the child's processor time, and six times as long by the clock; where the
    /// system does not tell processor time, by the clock. Then the child is ended. In a browser it
    /// cannot be, and nothing limits it
    Reply ask(Ask ask, double seconds);

  private:
    struct Connection;
    std::unique_ptr<Connection> connection;
};

/// Calls a child's work. @return its reply, or what became of its exception
Reply reply_of_work(const std::function<Reply(Ask)> &work, Ask ask);

/// Removes from a text what a terminal would obey, or what would break a line.
void make_printable(std::string &text);
