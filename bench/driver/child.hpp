/// Work done in a child process, so that foreign code may crash or hang there without taking the
/// bench along. On Windows it is a thread, without that protection: see driver/child_process.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/child_process.hpp"

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

/// A child's connection to its parent, which asks.
class Parent {
  public:
    Parent(int asks, int replies) : asks_(asks), replies_(replies)
    {
    }
    /// Waits for the next ask. @return false when there are no more
    bool next(Ask &ask) const;
    void reply(const Reply &reply) const;

  private:
    int asks_, replies_;
};

/// A child process, seen by its parent. It shares the parent's memory as it was when it started;
/// what either writes the other does not see, except on Windows.
class Child {
  public:
    /// Starts a child that runs `work` and ends. @throws std::bad_alloc when the system has no
    /// process to spare
    explicit Child(const std::function<void(const Parent &)> &work);
    ~Child(); ///< ends the child
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;

    /// Sends an ask. What cannot be sent shows when the reply is awaited.
    void ask(Ask ask) const;
    /// Waits for a reply. After a lost one all further are lost, for the same reason. Its text is
    /// printable, whatever a foreign library has put there.
    /// @param seconds  of the child's processor time, and six times as long by the clock; where the
    /// system does not tell processor time, by the clock. Then the child is ended
    Reply await(double seconds);

  private:
    Reply lose(const std::string &why);

    std::unique_ptr<ChildProcess> process; ///< ends after the pipes are closed
    int asks = -1, replies = -1;
    std::string end; ///< why replies are lost; empty while they are not
};
