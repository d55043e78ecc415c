/// Work done in a child process, so that foreign code may crash or hang there without taking the
/// bench along. Without that protection, it is a thread on Windows (driver/child_process.hpp), and
/// in a browser a call (driver/child_inline.cpp).
#pragma once

#include <functional>
#include <memory>

#include "driver/child_reply.hpp"

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
