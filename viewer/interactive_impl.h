/// What the parts of the window's loop share: interactive.c runs it, interactive_play.c moves the
/// person, interactive_adapt.c draws less on slow machines, interactive_panel.c is what lies over
/// the picture, interactive_inventory.c opens the inventory, interactive_world.c saves the world.
#ifndef TERRANE_VIEWER_INTERACTIVE_IMPL_H
#define TERRANE_VIEWER_INTERACTIVE_IMPL_H

#include "adapt.h"
#include "demo.h"
#include "figures.h"
#include "flight/clearance.h"
#include "flight/recorder.h"
#include "flight/replay.h"
#include "hand/inventory.h"
#include "interactive.h"
#include "launch.h"
#include "panels/panel.h"
#include "photo.h"
#include "player/person.h"
#include "settings/settings_file.h"
#include "settings_apply.h"
#include "viewer.h"
#include "window/gamepad.h"
#include "world_notes.h"

// Grouped by subject. NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct Interactive {
    Viewer viewer;
    Panel *panel;
    PanelChoices choices;
    Settings *settings; ///< those of the viewer; they change by interactive_change alone
    Settings saved;     ///< those that the file need not be told of
    double bob;         ///< of the head, before a key stopped it
    SettingsFile *file;
    Gamepad gamepad;
    bool touches; ///< fingers are in use: hints name thumbs and buttons; the page alone sets it
    double clock; ///< seconds that it runs, pauses as well
    Launch launch;
    bool paused, quits;
    bool leaves; ///< the start screen follows
    bool lost;   ///< there is no world any more
    bool help;
    InputHelp help_rows[INPUT_ACTION_COUNT];
    size_t help_count;
    const Flight *flight;
    Clearance clearance;
    bool ready;      ///< the land around the start was there
    float loaded;    ///< 0..1: how much of it
    bool waiting;    ///< the land or the ground is not there yet
    bool has_begun;  ///< the person has had the controls, from `began_at` on
    bool has_walked; ///< and has taken the first steps
    double began_at[3];
    bool caught_now; ///< the mouse was caught by a click of this frame, which is for nothing else
    bool took_over;  ///< the input of this frame ended the demo: a click does no more
    Person person;
    Inventory inventory; ///< empty: it is closed
    Demo demo;
    bool playing;  ///< the flight has the controls
    double played; ///< seconds of it
    Replay replay; ///< of its edits
    Recorder recorder;
    double framed_us;                               ///< when the last frame began
    double frame_us, work_us, panel_us, compare_us; ///< of the last frame
    double panel_own_us; ///< of panel_us, this thread's without the driver
    double player_us;    ///< of this frame
    FiguresTexts texts;
    TrnStreamReport update; ///< of the last frame
    Adapt adapt;
    bool told_adapt;  ///< that less is drawn
    bool has_chosen;  ///< `chosen` and `adapted` are known
    Settings chosen;  ///< what may be lowered, as the player chose it
    Settings adapted; ///< and as it was lowered last
    uint32_t workers; ///< that there were in the last frame
    double titled_us; ///< when the title was last written
    Message notice, waits_for;
    double notice_until; ///< seconds on clock_us
    int screenshots;
    Photo photo;
    int photos; ///< written so far
    uint32_t warned;
    WorldNotes noted;    ///< what the world file notes now
    double noted_clock;  ///< when that was
    const char *unsaved; ///< why the world file cannot be written; NULL: it can
    bool quit_refused;   ///< for that reason; the next time, the viewer ends
    bool has_started;    ///< interactive_begin has succeeded
};

// interactive.c

/// Shows a sentence for a while.
void interactive_notify(Interactive *run, const Message *text);
/// How an action is called up, such as "F1"; empty where nothing is bound.
InputLabel interactive_action_label(const Interactive *run, InputAction action);

// interactive_adapt.c

/// Draws less while frames are slow, and more again when they are fast; once a frame.
void interactive_adapt(Interactive *run);
/// The settings as the player chose them, with nothing lowered: what the file keeps.
Settings interactive_as_chosen(const Interactive *run);

// interactive_play.c

/// Starts the demo, and says so.
void interactive_begin_demo(Interactive *run);
/// Starts the demo once the user is idle; ends it when they use the controls.
void interactive_hand_over(Interactive *run, const Input *input, double step);
/// Moves the camera: by the demo, the flight that is played, or the person.
void interactive_move(Interactive *run, const Input *input, double step);
/// Digs and builds, while the mouse is the person's, and moves what that has thrown.
void interactive_use_hand(Interactive *run, const Input *input, double step);
/// Begins a recording, or ends it.
void interactive_toggle_recording(Interactive *run);
void interactive_record_frame(Interactive *run, double step);
/// Ends what is recorded, if anything, and says on stderr what came of it.
void interactive_tell_recording(Recorder *recorder);

// interactive_inventory.c

bool interactive_has_inventory(const Interactive *run);
/// Opens the inventory, or closes it, if its key was pressed.
void interactive_handle_inventory(Interactive *run, const Input *input);
/// @return whether it was open
bool interactive_close_inventory(Interactive *run);
/// What is left of a frame's input while it is open: the player stands still.
Input interactive_input_of_inventory(const Interactive *run, const Input *input);
/// Does what was chosen in it.
void interactive_take_from_inventory(Interactive *run);

// interactive_photo.c

/// Begins photo mode, or ends it, if its key was pressed.
void interactive_handle_photo(Interactive *run, const Input *input);
/// Restores camera, lens and time. @return whether the mode was on
bool interactive_leave_photo(Interactive *run);
/// In photo mode, after a frame was drawn: takes a picture in two frames, the first of which says
/// so. @param width,height  of the window's picture
void interactive_take_photo(Interactive *run, const Input *input, int width, int height);

// interactive_panel.c

/// Pauses, or goes on: then what was changed in the menu is saved.
void interactive_set_paused(Interactive *run, bool paused);
/// Takes up changed settings.
void interactive_change(Interactive *run, const Settings *wished);
/// Saves what was changed in the menu. @return false, and tells why, if it cannot
bool interactive_save(Interactive *run);
/// Milliseconds that an update may take of a frame.
double interactive_load_budget(const Interactive *run);
/// Draws all that lies over the picture, and listens to it.
void interactive_draw_panel(Interactive *run);
/// Does what was set in the panels, between two frames.
void interactive_take_choices(Interactive *run);

// interactive_world.c

/// Whether a world file is open.
bool interactive_has_world(const Interactive *run);
/// Gives the person what the world file notes.
void interactive_begin_world(Interactive *run);
/// Notes where the player is, now and then, and tells about the world file; once a frame.
void interactive_watch_world(Interactive *run);
/// Tells the other players of a shared world where the player is, and takes where they are; once a
/// frame, before it is drawn.
void interactive_meet_others(Interactive *run);
/// Saves everything.
/// @param problem  receives why not, unless OK
/// @return OK, also without a world file; BUSY if the disk does not answer: closing would wait for
/// it
TrnResult interactive_save_world(Interactive *run, Message *problem);
/// Saves everything. @return false, once, if it cannot: the player sees a message, and may mend it
bool interactive_may_quit(Interactive *run);
/// A line for the pause menu; empty without a world file.
void interactive_describe_world(const Interactive *run, Message *text);

#endif
