/// A Unix socket that passes connections on to another one, later: the network between a program
/// and a PostgreSQL server, for tests and the bench. Any thread may call it.
#ifndef TERRANE_COMMON_RELAY_RELAY_H
#define TERRANE_COMMON_RELAY_RELAY_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The name of a server's socket in its folder.
#define RELAY_SOCKET ".s.PGSQL.5432"

typedef struct Relay Relay;

/// Opens a socket, and starts a thread that passes bytes on.
/// @param folder         of the new socket, named RELAY_SOCKET
/// @param server         path of the server's socket
/// @param round_trip_ms  from a question to its answer, in addition to what the server takes
/// @return NULL if the system refuses it, or no server listens there
Relay *relay_open(const char *folder, const char *server, double round_trip_ms);

/// Breaks all connections, ends the thread and removes the socket. @param relay  may be NULL
void relay_close(Relay *relay);

/// Breaks all connections once the server has sent so many more bytes; new ones are passed on.
void relay_break_after(Relay *relay, uint64_t bytes);

/// How often it broke connections.
uint32_t relay_breaks(const Relay *relay);

/// Returns the processor time of the processes that serve a PostgreSQL server's connections through
/// its socket now, in microseconds; 0: the system does not tell. Linux alone.
/// @param server  path of the socket
double relay_server_us(const char *server);

#ifdef __cplusplus
}
#endif
#endif
