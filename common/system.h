/// What programs ask the operating system about itself and its user, and other programs that they
/// run. system_posix.c and system_windows.c each implement it.
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A function of another type: cast it back.
typedef void SystemFunction(void);

/// The machine and its system, for reports.
typedef struct SystemFacts {
    char name[256];      ///< of the system: "Linux 6.1.0, x86_64"
    char processor[128]; ///< "unknown processor" where the system does not say
    long cores;
    double memory_gib; ///< 0 where the system does not say
} SystemFacts;

SystemFacts system_facts(void);

/// The folder of the user's settings: $XDG_CONFIG_HOME or ~/.config (XDG Base Directory
/// Specification); on Windows, %APPDATA%.
/// @return false if there is none, or if its name is too long
bool system_settings_folder(char *folder, size_t size);

/// The folder of what programs keep for the user: $XDG_DATA_HOME or ~/.local/share; on Windows,
/// %LOCALAPPDATA%.
/// @return false if there is none, or if its name is too long
bool system_data_folder(char *folder, size_t size);

/// The folder of the user's pictures: of xdg-user-dirs ($XDG_PICTURES_DIR, or the line of
/// user-dirs.dirs in the settings), or ~/Pictures; on Windows, Pictures of %USERPROFILE%.
/// @return false if there is none, or if its name is too long
bool system_pictures_folder(char *folder, size_t size);

/// Whether a path is taken: by a file, a folder, or a link, also one that leads nowhere.
bool system_has_path(const char *path);

/// Whether a path is a symbolic link.
bool system_is_link(const char *path);

/// Loads a shared library, which stays loaded, and finds a function of it.
/// @param path     without a folder, it is in the current one
/// @param problem  receives why not, as a clause: "it cannot be loaded: ..."
/// @return NULL if the library cannot be loaded or lacks the function
SystemFunction *system_load_function(const char *path, const char *name, Message *problem);

/// Runs a program in a folder, with one argument, and hides what it prints.
/// @return its exit code; 127 if there is no such program, 126 if it cannot be run
int system_run_quietly(const char *folder, const char *program, const char *argument);

/// The file of this program. @return false if the system does not say it, or if it is too long
bool system_program_path(char *path, size_t size);

/// A program that runs beside this one.
typedef struct SystemChild SystemChild;

/// Starts a program; what it prints to standard output is hidden.
/// @param arguments  NULL-terminated; the first is its path
/// @return NULL if it cannot be started; some systems let it end with 127 instead
SystemChild *system_child_begin(const char *const *arguments);

/// Reads what it has printed to standard error, without waiting.
/// @return the number of bytes; 0: nothing now
size_t system_child_read(SystemChild *child, char *text, size_t size);

/// Whether it has ended. @param code  receives its exit code then; 126 if a signal ended it
bool system_child_has_ended(SystemChild *child, int *code);

/// Asks it to end, and does not wait; on Windows ends it.
void system_child_stop(SystemChild *child);

/// Ends it if it still runs, waits for that, and frees it. @param child  may be NULL
void system_child_end(SystemChild *child);

/// Opens a file in the program that the user prefers for it, such as a browser, and does not wait.
/// @return false if the system has no such program
bool system_show_file(const char *path);

/// Starts a program that reads what is written, and hides what it prints. Its errors stay visible.
/// @return NULL with errno set if it cannot be started
FILE *system_feed_begin(const char *program);

/// Waits until the program has read everything and ended.
/// @return its exit code; 127 if there is no such program, 126 if it cannot be run
int system_feed_end(FILE *feed);

#ifdef __cplusplus
}
#endif
