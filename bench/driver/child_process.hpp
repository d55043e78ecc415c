/// The system-dependent part of a child (driver/child.hpp). With fork(), a child is a process. On
/// Windows it is a thread: the bench cannot end it from outside, and its crash ends the bench.
#pragma once

#include <functional>
#include <memory>

#include "driver/child_reply.hpp"

/// Creates a pipe that no other program inherits. @param ends  receives the read and the write end
bool open_pipe(int ends[2]);

/// Waits until there are bytes to read or the other end is closed. @return false after `ms`
bool wait_to_read(int file, int ms);

class ChildProcess {
  public:
    /// Starts a child that runs `work` and then closes its ends of the pipes.
    /// @param own_ends    [2] the child's ends
    /// @param other_ends  [2] the bench's ends
    /// @throws std::bad_alloc if the system cannot start a process; all ends are then closed
    ChildProcess(const std::function<void()> &work, const int own_ends[2], const int other_ends[2]);
    ~ChildProcess(); ///< ends the child; the bench's ends must be closed before
    ChildProcess(const ChildProcess &) = delete;
    ChildProcess &operator=(const ChildProcess &) = delete;

    /// The processor time that the child has used, in seconds; negative if the system does not
    /// report it.
    double cpu_seconds() const;
    /// Ends a child that does not reply.
    void end();
    /// The reply for a child that has closed its end of the pipe: `refused` if the system has
    /// killed the child, otherwise `lost`. Ends the child if it still runs.
    Reply how_it_ended();

  private:
    struct State;
    std::unique_ptr<State> state;
};
