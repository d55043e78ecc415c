/// The state that all modes share while a world is open: viewer, person and settings, and the small
/// modules for notices, timing, loading and the world's file.
#pragma once

#include "app/adapt.h"
#include "app/loading.h"
#include "app/notices.h"
#include "app/open_world.h"
#include "app/timing.h"
#include "flight/recorder.h"
#include "player/person.h"
#include "settings/settings_file.h"

typedef struct Session {
    Viewer viewer;
    Person person;
    Recorder recorder;
    Notices notices;
    Timing timing;
    Loading loading;
    OpenWorld world;
    Settings *settings; ///< in effect, also viewer.settings; only session_change changes them
    SettingsFile file;  ///< the file that stores the settings
    Settings saved;     ///< the settings that differ from these are written to the file
    double usual_bob;   ///< the setting for head bob before a key switched it off
    AdaptedSettings adapted;
    TrnStreamReport update; ///< of the last frame
    uint32_t workers;       ///< of the stream
    char *copied;           ///< [SHARE_BYTES] the last link that was copied; the app's
    bool is_chosen;         ///< the player chose the world on the start screen
    bool touches;           ///< touch input: hints name thumbs and buttons; web page only
    bool has_lost_world;    ///< a change of settings left no memory for any world
} Session;

/// Opens window and world with the current settings. `session` must not move until session_close,
/// which the caller must call also after a failure.
/// @param settings  borrowed
/// @param file      the file that stores the settings
/// @param window    as in viewer_open
bool session_open(Session *session, Settings *settings, const SettingsFile *file, Window *window,
                  Message *problem);
/// Creates the person at the camera.
bool session_create_person(Session *session, Message *problem);
/// Frees everything, and discards a recording that session_finish_recording did not end.
void session_close(Session *session);

// ---- settings -----------------------------------------------------------------------------------

/// Applies each setting that differs from the one in effect, by its effect (SettingEffect). A
/// setting that cannot be applied keeps its value, and a notice says why. The next session_save
/// saves the changes.
void session_change(Session *session, const Settings *wished);
/// The same for this session only: not saved.
void session_change_unsaved(Session *session, const Settings *wished);
/// Handles the keys that change settings; not saved.
void session_press_settings(Session *session, const Input *input);
/// Lowers settings while frames are slow, and raises them again; call it once a frame.
void session_adapt(Session *session);
/// Saves changed settings to the settings file. @return false on failure; `problem` says why
bool session_save(Session *session, Message *problem);

/// Milliseconds of a frame for the stream's update.
double session_load_budget(const Session *session);
/// Loads and meshes the chunks that the camera needs.
void session_update(Session *session);

// ---- recordings of flights ----------------------------------------------------------------------

/// Begins a recording into the file that the command line names, if any.
bool session_begin_recording(Session *session, Message *problem);
/// Begins a recording in a numbered file, or ends the current one, and shows a notice.
void session_toggle_recording(Session *session);
void session_record_frame(Session *session, double step);
/// Ends the recording, if any, and prints its file name on standard error.
void session_finish_recording(Session *session);

/// Returns the key bound to an action, such as "F1"; empty if none.
InputLabel session_key(const Session *session, InputAction action);
