// For sysconf's number of processors, which POSIX lacks: glibc and musl, macOS, NetBSD.
#define _DEFAULT_SOURCE  // NOLINT(bugprone-reserved-identifier)
#define _DARWIN_C_SOURCE // NOLINT(bugprone-reserved-identifier)
#define _NETBSD_SOURCE   // NOLINT(bugprone-reserved-identifier)
#include "system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

// ---- the machine --------------------------------------------------------------------------------

/// Linux alone has the file.
static void system_find_processor(char *name, size_t size)
{
    static const char key[] = "model name";
    char line[256];
    (void)snprintf(name, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, key, sizeof key - 1) == 0) {
            (void)snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file) {
        (void)fclose(file);
    }
}

SystemFacts system_facts(void)
{
    SystemFacts facts = {.name = "unknown system", .cores = sysconf(_SC_NPROCESSORS_ONLN)};
    struct utsname system;
    system_find_processor(facts.processor, sizeof facts.processor);
    if (uname(&system) == 0) {
        (void)snprintf(facts.name, sizeof facts.name, "%.64s %.64s, %.64s", system.sysname,
                       system.release, system.machine);
    }
#if defined(_SC_PHYS_PAGES)
    facts.memory_gib =
        (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / (1024.0 * 1024 * 1024);
#endif
    return facts;
}

// ---- places -------------------------------------------------------------------------------------

/// The folder that a variable of the XDG specification names, or one below the user's own.
static bool system_find_folder(const char *variable, const char *below_home, char *folder,
                               size_t size)
{
    const char *named = getenv(variable), *home = getenv("HOME");
    int length = -1;
    if (named && named[0] == '/') {
        length = snprintf(folder, size, "%s", named);
    } else if (home && home[0] == '/') {
        length = snprintf(folder, size, "%s/%s", home, below_home);
    }
    return length >= 0 && (size_t)length < size;
}

bool system_settings_folder(char *folder, size_t size)
{
    return system_find_folder("XDG_CONFIG_HOME", ".config", folder, size);
}

bool system_data_folder(char *folder, size_t size)
{
    return system_find_folder("XDG_DATA_HOME", ".local/share", folder, size);
}

/// Reads a value such as "$HOME/Bilder" or "/data/pictures". @return whether it is a whole path
static bool system_take_user_folder(const char *value, char *folder, size_t size)
{
    static const char home_word[] = "$HOME";
    const char *home = getenv("HOME");
    const bool is_own = strncmp(value, home_word, sizeof home_word - 1) == 0 && home;
    value += is_own ? sizeof home_word - 1 : 0;
    const int length =
        snprintf(folder, size, "%s%.*s", is_own ? home : "", (int)strcspn(value, "\"\n"), value);
    return folder[0] == '/' && length >= 0 && (size_t)length < size;
}

/// https://www.freedesktop.org/wiki/Software/xdg-user-dirs/
static bool system_find_user_folder(const char *variable, char *folder, size_t size)
{
    char path[PATH_MAX], line[PATH_MAX];
    const char *named = getenv(variable);
    bool has_found = named && system_take_user_folder(named, folder, size);
    if (!has_found && system_settings_folder(path, sizeof path - sizeof "/user-dirs.dirs")) {
        memcpy(path + strlen(path), "/user-dirs.dirs", sizeof "/user-dirs.dirs");
        FILE *file = fopen(path, "r");
        const size_t length = strlen(variable);
        while (file && !has_found && fgets(line, sizeof line, file)) {
            has_found = strncmp(line, variable, length) == 0 &&
                        strncmp(line + length, "=\"", 2) == 0 &&
                        system_take_user_folder(line + length + 2, folder, size);
        }
        if (file) {
            (void)fclose(file);
        }
    }
    return has_found;
}

bool system_pictures_folder(char *folder, size_t size)
{
    struct stat status;
    return (system_find_user_folder("XDG_PICTURES_DIR", folder, size) ||
            system_take_user_folder("$HOME/Pictures", folder, size)) &&
           stat(folder, &status) == 0 && S_ISDIR(status.st_mode);
}

bool system_has_path(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

bool system_is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

// ---- shared libraries ---------------------------------------------------------------------------

SystemFunction *system_load_function(const char *path, const char *name, Message *problem)
{
    char place[PATH_MAX];
    // Without a slash, dlopen would look in the system's folders.
    (void)snprintf(place, sizeof place, "%s%s", strchr(path, '/') ? "" : "./", path);
    void *library = dlopen(place, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        (void)message_set(problem, "it cannot be loaded: %s", why ? why : "unknown error");
        return NULL;
    }
    SystemFunction *function;
    void *found = dlsym(library, name);
    memcpy(&function, &found, sizeof function); // ISO C converts no object pointer to this
    if (!function) {
        (void)message_set(problem, "it does not export %s()", name);
    }
    return function;
}

// ---- other programs -----------------------------------------------------------------------------

/// In a child: makes some of the standard streams lead nowhere.
/// @param first,last  0 (input) to 2 (errors)
static bool system_silence(int first, int last)
{
    const int nowhere = open("/dev/null", O_RDWR);
    bool is_silent = nowhere >= 0;
    for (int stream = first; stream <= last && is_silent; stream++) {
        is_silent = dup2(nowhere, stream) >= 0;
    }
    return is_silent;
}

int system_run_quietly(const char *folder, const char *program, const char *argument)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (!system_silence(1, 2) || chdir(folder) != 0) {
            _exit(126);
        }
        execlp(program, program, argument, (char *)NULL);
        _exit(errno == ENOENT ? 127 : 126);
    }
    int status = 0;
    pid_t got;
    do {
        got = child < 0 ? -1 : waitpid(child, &status, 0);
    } while (got < 0 && child > 0 && errno == EINTR);
    return got == child && WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

#if defined(__APPLE__)
#define SHOW_PROGRAM "open"
#else
#define SHOW_PROGRAM "xdg-open"
#endif

/// Becomes the program that opens a file. @param report  receives errno if it cannot
static void system_show_file_now(const char *path, int report)
{
    if (system_silence(0, 2) && setsid() >= 0) {
        execlp(SHOW_PROGRAM, SHOW_PROGRAM, path, (char *)NULL);
    }
    const int error = errno;
    if (write(report, &error, sizeof error) < 0) { // nobody is told then
    }
    _exit(127);
}

bool system_show_file(const char *path)
{
    int ends[2], error = 0, status = -1;
    if (pipe(ends) != 0) {
        return false;
    }
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC); // closed without a word once the program runs
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        const pid_t other = fork(); // no child of this program, which waits for none
        if (other == 0) {
            system_show_file_now(path, ends[1]);
        }
        _exit(other < 0);
    }
    (void)close(ends[1]);
    ssize_t got = -1;
    if (child > 0) {
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        while ((got = read(ends[0], &error, sizeof error)) < 0 && errno == EINTR) {
        }
    }
    (void)close(ends[0]);
    return got == 0 && status == 0;
}

FILE *system_feed_begin(const char *program)
{
    char command[256];
    (void)snprintf(command, sizeof command, "%s >/dev/null", program);
    return popen(command, "w");
}

int system_feed_end(FILE *feed)
{
    const int status = pclose(feed);
    return status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

// ---- children -----------------------------------------------------------------------------------

#define CHILD_PATIENCE 200 // hundredths of a second between the request to end and the kill

struct SystemChild {
    pid_t pid;  ///< 0: it has ended
    int report; ///< its standard error
    int code;
};

bool system_program_path(char *path, size_t size)
{
#if defined(__APPLE__)
    uint32_t length = (uint32_t)size;
    return _NSGetExecutablePath(path, &length) == 0;
#else
    const ssize_t length = readlink("/proc/self/exe", path, size);
    const bool is_whole = length > 0 && (size_t)length < size;
    if (is_whole) {
        path[length] = '\0';
    }
    return is_whole;
#endif
}

SystemChild *system_child_begin(const char *const *arguments)
{
    int ends[2];
    SystemChild *child = calloc(1, sizeof *child);
    if (!child || pipe(ends) != 0) {
        free(child);
        return NULL;
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fflush(NULL);
    child->report = ends[0];
    child->pid = fork();
    if (child->pid == 0) {
        if (system_silence(0, 1) && dup2(ends[1], 2) >= 0) {
            (void)close(ends[1]);
            execv(arguments[0], (char *const *)(uintptr_t)arguments);
        }
        _exit(127);
    }
    (void)close(ends[1]);
    if (child->pid < 0) {
        (void)close(ends[0]);
        free(child);
        return NULL;
    }
    return child;
}

size_t system_child_read(SystemChild *child, char *text, size_t size)
{
    const ssize_t got = read(child->report, text, size);
    return got > 0 ? (size_t)got : 0;
}

bool system_child_has_ended(SystemChild *child, int *code)
{
    int status = 0;
    if (child->pid && waitpid(child->pid, &status, WNOHANG) == child->pid) {
        child->pid = 0;
        child->code = WIFEXITED(status) ? WEXITSTATUS(status) : 126;
    }
    *code = child->code;
    return child->pid == 0;
}

void system_child_stop(SystemChild *child)
{
    int code;
    if (!system_child_has_ended(child, &code)) {
        (void)kill(child->pid, SIGTERM);
    }
}

void system_child_end(SystemChild *child)
{
    const struct timespec while_ending = {.tv_nsec = 10000000};
    int code;
    if (!child) {
        return;
    }
    for (int i = 0; !system_child_has_ended(child, &code); i++) {
        (void)kill(child->pid, i < CHILD_PATIENCE ? SIGTERM : SIGKILL);
        (void)nanosleep(&while_ending, NULL);
    }
    (void)close(child->report);
    free(child);
}
