/// The system's part of a child (driver/child.hpp). Where there is fork(), a child is a process;
/// on Windows it is a thread, which cannot be ended from outside and takes the bench along when it
/// crashes.
#pragma once

#include <functional>
#include <memory>
#include <string>

/// A pipe that no other program inherits. @param ends  receives the end to read and that to write
bool open_pipe(int ends[2]);

/// Waits until there is something to read, or the other end is closed. @return false if too late
bool wait_to_read(int file, int ms);

class ChildProcess {
  public:
    /// Starts a child that runs `work` and then closes its ends of the pipes.
    /// @param own_ends    [2] the child's ends
    /// @param other_ends  [2] the bench's ends
    /// @throws std::bad_alloc when the system has no process to spare; all ends are then closed
    ChildProcess(const std::function<void()> &work, const int own_ends[2], const int other_ends[2]);
    ~ChildProcess(); ///< ends it; to be called once the bench's ends are closed
    ChildProcess(const ChildProcess &) = delete;
    ChildProcess &operator=(const ChildProcess &) = delete;

    /// The processor time that the child has used, in seconds; below 0 where the system does not
    /// tell.
    double cpu_seconds() const;
    /// Ends a child that does not answer.
    void end();
    /// Says how a child ended that has closed its end of the pipe. One that goes on is ended.
    std::string how_it_ended();

  private:
    struct State;
    std::unique_ptr<State> state;
};
