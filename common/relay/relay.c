// A Unix socket that passes connections on: see relay.h.
#if defined(__linux__)
#define _GNU_SOURCE             // struct ucred. NOLINT(bugprone-reserved-identifier)
#elif !defined(__APPLE__)       // which hides SO_NOSIGPIPE then
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#endif

#include "relay.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "clock.h"

#define RELAY_LINES_MAX 64
#define RELAY_READ_BYTES 65536
#define RELAY_FULL_US 100.0 // until a socket that was full is tried again
#define RELAY_IDLE_US 1e6

/// Bytes on their way.
typedef struct RelayPiece {
    struct RelayPiece *next;
    double due_us;
    size_t size, sent;
    unsigned char bytes[];
} RelayPiece;

/// One direction of a connection.
typedef struct RelayWay {
    RelayPiece *first, **end;
    bool has_ended; ///< no more bytes come
} RelayWay;

/// A connection. Of both arrays, [0] is the client's, what it sends; [1] is the server's.
typedef struct RelayLine {
    int sockets[2]; ///< -1: not in use
    RelayWay ways[2];
} RelayLine;

struct Relay {
    struct sockaddr_un own, server;
    double delay_us; ///< of each direction
    int listener;
    pthread_t thread;
    atomic_bool is_ending;
    _Atomic(int64_t) bytes_left; ///< from the server until all breaks; negative: any number
    _Atomic(uint32_t) breaks;
    RelayLine lines[RELAY_LINES_MAX];
};

// A send to an end that is gone must not end the program: macOS says so of a socket, others of a
// call.
#if !defined(MSG_NOSIGNAL)
#define MSG_NOSIGNAL 0
#endif

static void relay_ignore_gone(int made)
{
#if defined(SO_NOSIGPIPE)
    const int is_on = 1;
    (void)setsockopt(made, SOL_SOCKET, SO_NOSIGPIPE, &is_on, sizeof is_on);
#else
    (void)made;
#endif
}

/// @return whether it fits
static bool relay_set_path(struct sockaddr_un *address, const char *path)
{
    const size_t length = strlen(path);
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (length >= sizeof address->sun_path) {
        return false;
    }
    memcpy(address->sun_path, path, length + 1);
    return true;
}

/// @return a socket; -1: no server listens
static int relay_connect(const struct sockaddr_un *address)
{
    const int made = socket(AF_UNIX, SOCK_STREAM, 0);
    if (made >= 0 && connect(made, (const struct sockaddr *)address, sizeof *address) != 0) {
        (void)close(made);
        return -1;
    }
    return made;
}

// ---- connections -------------------------------------------------------------------------------

static void relay_end_line(RelayLine *line)
{
    for (int i = 0; i < 2; i++) {
        RelayWay *way = &line->ways[i];
        for (RelayPiece *piece = way->first, *next; piece; piece = next) {
            next = piece->next;
            free(piece);
        }
        if (line->sockets[i] >= 0) {
            (void)close(line->sockets[i]);
        }
        line->sockets[i] = -1;
        *way = (RelayWay){.first = NULL};
    }
}

static void relay_break(Relay *relay)
{
    for (int i = 0; i < RELAY_LINES_MAX; i++) {
        relay_end_line(&relay->lines[i]);
    }
    atomic_store(&relay->bytes_left, -1);
    atomic_fetch_add(&relay->breaks, 1);
}

static void relay_accept(Relay *relay)
{
    const int client = accept(relay->listener, NULL, NULL);
    const int server = client >= 0 ? relay_connect(&relay->server) : -1;
    int i = 0;
    while (i < RELAY_LINES_MAX && relay->lines[i].sockets[0] >= 0) {
        i++;
    }
    if (server < 0 || i == RELAY_LINES_MAX) {
        (void)close(client);
        (void)close(server);
        return;
    }
    RelayLine *line = &relay->lines[i];
    relay_ignore_gone(client);
    relay_ignore_gone(server);
    line->sockets[0] = client;
    line->sockets[1] = server;
    line->ways[0].end = &line->ways[0].first;
    line->ways[1].end = &line->ways[1].first;
}

/// Reads what one end has sent. @return false: it is gone
static bool relay_receive(Relay *relay, RelayLine *line, int from)
{
    RelayWay *way = &line->ways[from];
    RelayPiece *piece = malloc(sizeof *piece + RELAY_READ_BYTES);
    const ssize_t size =
        piece ? recv(line->sockets[from], piece->bytes, RELAY_READ_BYTES, MSG_DONTWAIT) : -1;
    if (size <= 0) {
        free(piece);
        way->has_ended = size == 0 || (errno != EAGAIN && errno != EINTR);
        return !way->has_ended || way->first;
    }
    RelayPiece *fitting = realloc(piece, sizeof *piece + (size_t)size);
    piece = fitting ? fitting : piece;
    piece->next = NULL;
    piece->due_us = clock_us() + relay->delay_us;
    piece->size = (size_t)size;
    piece->sent = 0;
    *way->end = piece;
    way->end = &piece->next;
    return true;
}

/// Sends a piece, perhaps a part of it. @return false: the other end is gone
static bool relay_send(Relay *relay, RelayLine *line, int from)
{
    RelayWay *way = &line->ways[from];
    RelayPiece *piece = way->first;
    size_t size = piece->size - piece->sent;
    const int64_t left = from == 1 ? atomic_load(&relay->bytes_left) : -1;
    size = left >= 0 && (uint64_t)left < size ? (size_t)left : size;
    const ssize_t sent =
        send(line->sockets[!from], piece->bytes + piece->sent, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        return false;
    }
    piece->sent += sent > 0 ? (size_t)sent : 0;
    piece->due_us = sent > 0 ? piece->due_us : clock_us() + RELAY_FULL_US;
    if (left >= 0 && sent > 0) {
        atomic_store(&relay->bytes_left, left - sent);
    }
    if (piece->sent == piece->size) {
        way->first = piece->next;
        way->end = way->first ? way->end : &way->first;
        free(piece);
    }
    return way->first || !way->has_ended;
}

/// Sends what is due. @return when the next piece is
static double relay_send_due(Relay *relay)
{
    const double now_us = clock_us();
    double next_us = now_us + RELAY_IDLE_US;
    for (int i = 0; i < 2 * RELAY_LINES_MAX; i++) {
        RelayLine *line = &relay->lines[i / 2];
        const RelayWay *way = &line->ways[i % 2];
        bool is_good = true;
        while (is_good && way->first && way->first->due_us <= now_us) {
            is_good = relay_send(relay, line, i % 2);
            if (atomic_load(&relay->bytes_left) == 0) {
                relay_break(relay);
                return now_us;
            }
        }
        if (!is_good) {
            relay_end_line(line);
        } else if (way->first && way->first->due_us < next_us) {
            next_us = way->first->due_us;
        }
    }
    return next_us;
}

/// Waits until bytes come, or until a time. @param ready  receives the sockets that have some
static void relay_wait(const Relay *relay, double until_us, fd_set *ready)
{
    const double left_us = until_us - clock_us();
    const struct timespec left = {.tv_nsec = left_us > 0 ? (long)(left_us * 1e3) % 1000000000 : 0};
    int last = relay->listener;
    FD_ZERO(ready);
    FD_SET(relay->listener, ready);
    for (int i = 0; i < 2 * RELAY_LINES_MAX; i++) {
        const int from = relay->lines[i / 2].sockets[i % 2];
        if (from >= 0 && !relay->lines[i / 2].ways[i % 2].has_ended) {
            FD_SET(from, ready);
            last = from > last ? from : last;
        }
    }
    if (pselect(last + 1, ready, NULL, NULL, &left, NULL) < 0) {
        FD_ZERO(ready);
    }
}

static void *relay_run(void *context)
{
    Relay *relay = context;
    fd_set ready;
    while (!atomic_load(&relay->is_ending)) {
        relay_wait(relay, relay_send_due(relay), &ready);
        for (int i = 0; i < 2 * RELAY_LINES_MAX; i++) {
            RelayLine *line = &relay->lines[i / 2];
            if (line->sockets[i % 2] >= 0 && FD_ISSET(line->sockets[i % 2], &ready) &&
                !relay_receive(relay, line, i % 2)) {
                relay_end_line(line);
            }
        }
        if (FD_ISSET(relay->listener, &ready)) {
            relay_accept(relay);
        }
    }
    relay_break(relay);
    return NULL;
}

// ---- opening -----------------------------------------------------------------------------------

static bool relay_listen(Relay *relay)
{
    const int probe = relay_connect(&relay->server);
    if (probe < 0) {
        return false;
    }
    (void)close(probe);
    relay->listener = socket(AF_UNIX, SOCK_STREAM, 0);
    return relay->listener >= 0 &&
           bind(relay->listener, (const struct sockaddr *)&relay->own, sizeof relay->own) == 0 &&
           listen(relay->listener, RELAY_LINES_MAX) == 0;
}

Relay *relay_open(const char *folder, const char *server, double round_trip_ms)
{
    char path[4096];
    Relay *relay = calloc(1, sizeof *relay);
    if (!relay) {
        return NULL;
    }
    (void)snprintf(path, sizeof path, "%s/%s", folder, RELAY_SOCKET);
    for (int i = 0; i < RELAY_LINES_MAX; i++) {
        relay->lines[i].sockets[0] = relay->lines[i].sockets[1] = -1;
    }
    relay->listener = -1;
    relay->delay_us = round_trip_ms * 1e3 / 2;
    atomic_store(&relay->bytes_left, -1);
    if (relay_set_path(&relay->own, path) && relay_set_path(&relay->server, server) &&
        relay_listen(relay) && pthread_create(&relay->thread, NULL, relay_run, relay) == 0) {
        return relay;
    }
    if (relay->listener >= 0) {
        (void)close(relay->listener);
    }
    free(relay);
    return NULL;
}

void relay_close(Relay *relay)
{
    if (!relay) {
        return;
    }
    atomic_store(&relay->is_ending, true);
    (void)close(relay_connect(&relay->own)); // wakes the thread
    (void)pthread_join(relay->thread, NULL);
    (void)close(relay->listener);
    (void)unlink(relay->own.sun_path);
    free(relay);
}

void relay_break_after(Relay *relay, uint64_t bytes)
{
    atomic_store(&relay->bytes_left, (int64_t)bytes);
}

uint32_t relay_breaks(const Relay *relay)
{
    return atomic_load(&relay->breaks);
}

// ---- the server's processor time ---------------------------------------------------------------

#if defined(__linux__)
/// Reads numbers of a process. @return whether there are as many as the format has
static bool relay_read(const char *process, const char *file, const char *format, void *number)
{
    char path[300];
    (void)snprintf(path, sizeof path, "/proc/%s/%s", process, file);
    FILE *opened = fopen(path, "r");
    const bool is_read = opened && fscanf(opened, format, number) == 1; // NOLINT(cert-err34-c)
    if (opened) {
        (void)fclose(opened);
    }
    return is_read;
}

/// Whether a process serves a connection through a Unix socket, by its title.
static bool relay_is_backend(const char *process)
{
    char path[300], title[256] = "";
    (void)snprintf(path, sizeof path, "/proc/%s/cmdline", process);
    FILE *opened = fopen(path, "r");
    const size_t size = opened ? fread(title, 1, sizeof title - 1, opened) : 0;
    if (opened) {
        (void)fclose(opened);
    }
    title[size] = '\0';
    return strstr(title, "[local]") != NULL;
}

/// The process that listens on the server's socket.
static int relay_server_process(const char *server)
{
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    struct sockaddr_un address;
    const int probe = relay_set_path(&address, server) ? relay_connect(&address) : -1;
    const bool is_known =
        probe >= 0 && getsockopt(probe, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
    (void)close(probe);
    return is_known ? (int)peer.pid : 0;
}

double relay_server_us(const char *server)
{
    const int process = relay_server_process(server);
    double sum_us = 0;
    DIR *processes = process ? opendir("/proc") : NULL;
    for (const struct dirent *entry; processes && (entry = readdir(processes));) {
        int parent = 0;
        uint64_t ns = 0;
        if (relay_read(entry->d_name, "stat", "%*d (%*[^)]) %*c %d", &parent) &&
            parent == process && relay_is_backend(entry->d_name) &&
            relay_read(entry->d_name, "schedstat", "%" SCNu64, &ns)) {
            sum_us += (double)ns * 1e-3;
        }
    }
    if (processes) {
        (void)closedir(processes);
    }
    return sum_us;
}
#else
double relay_server_us(const char *server)
{
    (void)server;
    return 0;
}
#endif
