#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#define COMMAND_MAX 1024

// ---- the machine --------------------------------------------------------------------------------

/// Reads a text of the registry. @return false if there is none; `text` is then unchanged
static bool system_registry_text(const char *key, const char *name, char *text, DWORD size)
{
    return RegGetValueA(HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_SZ, NULL, text, &size) ==
           ERROR_SUCCESS;
}

SystemFacts system_facts(void)
{
    static const char version[] = "SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion";
    static const char processor[] = "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0";
    SystemFacts facts = {.processor = "unknown processor",
                         .cores = (long)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS)};
    char product[96] = "Windows", build[32] = "unknown build";
    (void)system_registry_text(version, "ProductName", product, sizeof product);
    (void)system_registry_text(version, "CurrentBuild", build, sizeof build);
    (void)snprintf(facts.name, sizeof facts.name, "%s %s, x86_64", product, build);
    (void)system_registry_text(processor, "ProcessorNameString", facts.processor,
                               sizeof facts.processor);
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    if (GlobalMemoryStatusEx(&memory)) {
        facts.memory_gib = (double)memory.ullTotalPhys / (1024.0 * 1024 * 1024);
    }
    return facts;
}

// ---- places -------------------------------------------------------------------------------------

bool system_settings_folder(char *folder, size_t size)
{
    const DWORD length = GetEnvironmentVariableA("APPDATA", folder, (DWORD)size);
    return length > 0 && length < size;
}

bool system_data_folder(char *folder, size_t size)
{
    const DWORD length = GetEnvironmentVariableA("LOCALAPPDATA", folder, (DWORD)size);
    return length > 0 && length < size;
}

bool system_pictures_folder(char *folder, size_t size)
{
    const char *user = getenv("USERPROFILE");
    const int length = user ? snprintf(folder, size, "%s\\Pictures", user) : -1;
    return length >= 0 && (size_t)length < size && system_has_path(folder);
}

bool system_has_path(const char *path)
{
    return GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES;
}

bool system_is_link(const char *path)
{
    const DWORD facts = GetFileAttributesA(path);
    return facts != INVALID_FILE_ATTRIBUTES && (facts & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
}

// ---- shared libraries ---------------------------------------------------------------------------

SystemFunction *system_load_function(const char *path, const char *name, Message *problem)
{
    char place[MAX_PATH];
    // A whole path, since Windows looks in its own folders otherwise.
    const DWORD length = GetFullPathNameA(path, sizeof place, place, NULL);
    HMODULE library = length > 0 && length < sizeof place ? LoadLibraryA(place) : NULL;
    if (!library) {
        (void)message_set(problem, "it cannot be loaded: error %lu", GetLastError());
        return NULL;
    }
    FARPROC found = GetProcAddress(library, name);
    if (!found) {
        (void)message_set(problem, "it does not export %s()", name);
    }
    return (SystemFunction *)found;
}

// ---- other programs -----------------------------------------------------------------------------

/// Starts a command line in a folder, with its output hidden. @return false if there is no program
static bool system_start_quietly(const char *folder, char *command, PROCESS_INFORMATION *started)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    HANDLE nowhere =
        CreateFileA("NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                    &inherited, OPEN_EXISTING, 0, NULL);
    STARTUPINFOA info = {.cb = sizeof info,
                         .dwFlags = STARTF_USESTDHANDLES,
                         .hStdInput = nowhere,
                         .hStdOutput = nowhere,
                         .hStdError = nowhere};
    const bool is_started = CreateProcessA(NULL, command, NULL, NULL, TRUE, CREATE_NO_WINDOW, NULL,
                                           folder, &info, started) != 0;
    if (nowhere != INVALID_HANDLE_VALUE) {
        (void)CloseHandle(nowhere);
    }
    return is_started;
}

int system_run_quietly(const char *folder, const char *program, const char *argument)
{
    char command[COMMAND_MAX];
    PROCESS_INFORMATION started;
    if (snprintf(command, sizeof command, "%s \"%s\"", program, argument) >= COMMAND_MAX) {
        return 126;
    }
    if (!system_start_quietly(folder, command, &started)) {
        return GetLastError() == ERROR_FILE_NOT_FOUND ? 127 : 126;
    }
    DWORD code = 126;
    (void)WaitForSingleObject(started.hProcess, INFINITE);
    (void)GetExitCodeProcess(started.hProcess, &code);
    (void)CloseHandle(started.hThread);
    (void)CloseHandle(started.hProcess);
    return (int)code;
}

bool system_show_file(const char *path)
{
    char command[COMMAND_MAX];
    PROCESS_INFORMATION started;
    if (snprintf(command, sizeof command, "explorer \"%s\"", path) >= COMMAND_MAX ||
        !system_start_quietly(".", command, &started)) {
        return false;
    }
    (void)CloseHandle(started.hProcess);
    (void)CloseHandle(started.hThread);
    return true;
}

FILE *system_feed_begin(const char *program)
{
    char command[256];
    (void)snprintf(command, sizeof command, "%s >NUL", program);
    return _popen(command, "w");
}

int system_feed_end(FILE *feed)
{
    const int code = _pclose(feed);
    return code == 1 || code == 9009 ? 127 : code; // as cmd.exe says that there is no such program
}

// ---- children -----------------------------------------------------------------------------------

struct SystemChild {
    HANDLE process, report;
};

bool system_program_path(char *path, size_t size)
{
    const DWORD length = GetModuleFileNameA(NULL, path, (DWORD)size);
    return length > 0 && length < size;
}

SystemChild *system_child_begin(const char *const *arguments)
{
    char command[8 * COMMAND_MAX] = "";
    size_t length = 0;
    for (int i = 0; arguments[i] && length < sizeof command; i++) {
        length += (size_t)snprintf(command + length, sizeof command - length, "%s\"%s\"",
                                   i ? " " : "", arguments[i]);
    }
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    SystemChild *child = calloc(1, sizeof *child);
    HANDLE write_end = NULL;
    PROCESS_INFORMATION started;
    bool is_good = child && length < sizeof command &&
                   CreatePipe(&child->report, &write_end, &inherited, 0) &&
                   SetHandleInformation(child->report, HANDLE_FLAG_INHERIT, 0);
    STARTUPINFOA info = {
        .cb = sizeof info, .dwFlags = STARTF_USESTDHANDLES, .hStdError = write_end};
    is_good = is_good && CreateProcessA(NULL, command, NULL, NULL, TRUE, CREATE_NO_WINDOW, NULL,
                                        NULL, &info, &started) != 0;
    if (write_end) {
        (void)CloseHandle(write_end);
    }
    if (is_good) {
        (void)CloseHandle(started.hThread);
        child->process = started.hProcess;
        return child;
    }
    if (child && child->report) {
        (void)CloseHandle(child->report);
    }
    free(child);
    return NULL;
}

size_t system_child_read(SystemChild *child, char *text, size_t size)
{
    DWORD waiting = 0, got = 0;
    const bool has_text = PeekNamedPipe(child->report, NULL, 0, NULL, &waiting, NULL) && waiting;
    return has_text && ReadFile(child->report, text, (DWORD)size, &got, NULL) ? got : 0;
}

bool system_child_has_ended(SystemChild *child, int *code)
{
    DWORD ended = 126;
    const bool has_ended = WaitForSingleObject(child->process, 0) == WAIT_OBJECT_0;
    *code = has_ended && GetExitCodeProcess(child->process, &ended) ? (int)ended : 126;
    return has_ended;
}

void system_child_stop(SystemChild *child)
{
    (void)TerminateProcess(child->process, 1);
}

void system_child_end(SystemChild *child)
{
    if (child) {
        system_child_stop(child);
        (void)WaitForSingleObject(child->process, INFINITE);
        (void)CloseHandle(child->process);
        (void)CloseHandle(child->report);
        free(child);
    }
}
