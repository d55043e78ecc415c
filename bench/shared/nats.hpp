/// Part of topic `shared`: a NATS server that the bench runs.
#pragma once

#include <memory>
#include <string>

#include <sys/types.h>

/// A NATS server of this process, on a free port of this machine.
class Nats {
  public:
    /// @return empty if this machine has no nats-server
    static std::shared_ptr<Nats> start();
    ~Nats();
    Nats(const Nats &) = delete;
    Nats &operator=(const Nats &) = delete;

    std::string url() const;
    /// Returns the processor time that the server has taken, in microseconds, to 10 ms. Linux
    /// alone.
    double server_us() const;

  private:
    Nats() = default;
    pid_t process = -1;
    int port = 0;
};
