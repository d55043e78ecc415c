/// Runs work in a child process, so that foreign code that crashes or hangs does not end the bench.
/// On Windows a thread does the work (driver/child_process_windows.cpp), in a browser a direct call
/// (driver/child_inline.cpp). Neither protects the bench.
#pragma once

#include <functional>
#include <memory>

#include "driver/child_reply.hpp"

/// A child process, as its parent uses it. The child starts with a copy of the parent's memory.
/// Later writes of one process are invisible to the other, except on Windows and in a browser.
class Child {
  public:
    /// Starts a child, which calls `work` for each ask. State that `work` keeps between asks is in
    /// the child's memory. If `work` throws std::bad_alloc, the reply is a refusal; any other
    /// exception ends the child.
    /// @throws std::bad_alloc if the system cannot start a process
    explicit Child(const std::function<Reply(Ask)> &work);
    ~Child(); ///< ends the child
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;

    /// Sends an ask and waits for the reply. If the child is lost or the system has killed it, all
    /// further replies are the same. Control characters in the text are replaced.
    /// @param seconds  limit of the child's processor time; its elapsed time may be six times as
    /// long. If the system does not report processor time, the limit of its elapsed time. A child
    /// that exceeds a limit is ended. A browser has no limit
    Reply ask(Ask ask, double seconds);

  private:
    struct Connection;
    std::unique_ptr<Connection> connection;
};
