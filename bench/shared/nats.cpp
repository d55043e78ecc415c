#include "shared/nats.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/clock.hpp"

namespace {

constexpr double start_ns = 5e9;

sockaddr_in address_of(int port)
{
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

int free_port()
{
    sockaddr_in address = address_of(0);
    socklen_t size = sizeof address;
    const int probe = socket(AF_INET, SOCK_STREAM, 0);
    const bool is_bound =
        bind(probe, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0 &&
        getsockname(probe, reinterpret_cast<sockaddr *>(&address), &size) == 0;
    (void)close(probe);
    return is_bound ? ntohs(address.sin_port) : 0;
}

bool answers(int port)
{
    sockaddr_in address = address_of(port);
    const int probe = socket(AF_INET, SOCK_STREAM, 0);
    const bool is_there =
        connect(probe, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0;
    (void)close(probe);
    return is_there;
}

} // namespace

std::shared_ptr<Nats> Nats::start()
{
    std::shared_ptr<Nats> nats(new Nats);
    nats->port = free_port();
    const std::string port = std::to_string(nats->port);
    nats->process = nats->port ? fork() : -1;
    if (nats->process == 0) {
        (void)execlp("nats-server", "nats-server", "-a", "127.0.0.1", "-p", port.c_str(), "-l",
                     "/dev/null", static_cast<char *>(nullptr));
        _exit(127);
    }
    const double until_ns = clock_ns(CLOCK_MONOTONIC) + start_ns;
    while (nats->process > 0 && clock_ns(CLOCK_MONOTONIC) < until_ns) {
        if (waitpid(nats->process, nullptr, WNOHANG) != 0) { // there is none
            nats->process = -1;
        } else if (answers(nats->port)) {
            return nats;
        }
        sleep_until_ns(clock_ns(CLOCK_MONOTONIC) + 1e7);
    }
    return nullptr;
}

Nats::~Nats()
{
    if (process > 0) {
        (void)kill(process, SIGTERM);
        (void)waitpid(process, nullptr, 0);
    }
}

std::string Nats::url() const
{
    return "nats://127.0.0.1:" + std::to_string(port);
}

double Nats::server_us() const
{
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    for (int i = 0; i < 11; i++) { // utime is the 14th of all
        fields >> text;
    }
    double user = 0, system = 0;
    fields >> user >> system;
    return (user + system) * 1e6 / static_cast<double>(sysconf(_SC_CLK_TCK));
}
