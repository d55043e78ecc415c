#include "app/session.h"

#include <stdio.h>

#include "app/settings_apply.h"
#include "settings/command_line.h"
#include "settings/settings_keys.h"

// Main thread's time for loading, each frame: collecting the workers' results, or, without workers,
// all the work.
#define SESSION_LOAD_MS 2.0
#define SESSION_LOAD_ALONE_MS 4.0

// ---- life ---------------------------------------------------------------------------------------

bool session_open(Session *session, Settings *settings, const SettingsFile *file, Window *window,
                  Message *problem)
{
    *session = (Session){
        .settings = settings, .saved = *settings, .file = *file, .timing = timing_begin()};
    if (!viewer_open(&session->viewer, settings, window, problem)) {
        return false;
    }
    session->workers = world_stats(session->viewer.world).stream.workers;
    return true;
}

bool session_create_person(Session *session, Message *problem)
{
    const PersonDef def = {.world = session->viewer.world,
                           .debris = session->viewer.debris,
                           .settings = session->settings->player,
                           .camera = &session->viewer.camera,
                           .recorder = &session->recorder};
    if (!person_create(&session->person, &def, problem)) {
        return false;
    }
    open_world_begin(&session->world, &session->viewer, &session->person, &session->notices);
    return true;
}

void session_close(Session *session)
{
    recorder_drop(&session->recorder);
    person_free(&session->person);
    viewer_close(&session->viewer);
    *session = (Session){.settings = NULL};
}

// ---- settings -----------------------------------------------------------------------------------

void session_change(Session *session, const Settings *wished)
{
    Message problem;
    if (session->has_lost_world ||
        !settings_apply(&session->viewer, session->settings, wished, &problem)) {
        session->has_lost_world = true;
        return;
    }
    session->workers = world_stats(session->viewer.world).stream.workers;
    player_set(&session->person.player, &session->settings->player);
    if (problem.text[0]) {
        notices_show(&session->notices, &problem);
    }
}

void session_change_unsaved(Session *session, const Settings *wished)
{
    const Settings before = *session->settings;
    session_change(session, wished);
    for (size_t i = 0; settings_row(i); i++) {
        if (option_differs(settings_row(i), &before, session->settings)) {
            option_copy(settings_row(i), &session->saved, session->settings);
        }
    }
}

void session_press_settings(Session *session, const Input *input)
{
    Settings wished = *session->settings;
    Message text;
    if (settings_press(&wished, input, renderer_suggested_quality(), &session->usual_bob, &text)) {
        notices_show(&session->notices, &text);
    }
    if (settings_differ(session->settings, &wished)) {
        session_change_unsaved(session, &wished);
    }
}

void session_adapt(Session *session)
{
    const bool is_loading = !timing_has_reached(&session->timing, LAUNCH_VIEW);
    Settings wished;
    if (!session->settings->adapt || !loading_has_land(&session->loading) ||
        !adapted_frame(&session->adapted, session->settings, session->timing.frame_us, is_loading,
                       &wished)) {
        return;
    }
    session_change(session, &wished);
    if (adapted_take(&session->adapted, session->settings)) {
        notices_say(&session->notices,
                    "Drawing is slow here: less is drawn, until there are 20 frames a second "
                    "(setting: Adapt to slow drawing).");
    }
}

bool session_save(Session *session, Message *problem)
{
    Settings *saved = &session->saved;
    if (open_world_has_file(&session->world)) { // the world file holds the time of day
        option_copy(settings_row_of(saved, &saved->hours), saved, session->settings);
    }
    const Settings chosen = adapted_as_chosen(&session->adapted, session->settings);
    if (!settings_save(&session->file, saved, &chosen, problem)) {
        return false;
    }
    *saved = chosen;
    return true;
}

double session_load_budget(const Session *session)
{
    const double chosen = session->settings->update_ms;
    return chosen > 0 ? chosen : session->workers ? SESSION_LOAD_MS : SESSION_LOAD_ALONE_MS;
}

void session_update(Session *session)
{
    // A slow renderer must not starve loading, unless the player has chosen a budget.
    const double share = session->settings->update_ms > 0 ? 0 : trn_stream_def().budget.share;
    const TrnStreamBudget budget = {.ms = session_load_budget(session), .share = share};
    viewer_update(&session->viewer, budget, &session->update);
}

// ---- recordings of flights ----------------------------------------------------------------------

bool session_begin_recording(Session *session, Message *problem)
{
    const Settings *settings = session->settings;
    const FlightHead head = command_line_flight_head(settings);
    const RecorderPlace place = {&head, settings->out, session->viewer.world,
                                 &session->viewer.camera};
    return !settings->record ||
           recorder_begin(&session->recorder, &place, settings->record, problem);
}

void session_toggle_recording(Session *session)
{
    const FlightHead head = command_line_flight_head(session->settings);
    const RecorderPlace place = {&head, session->settings->out, session->viewer.world,
                                 &session->viewer.camera};
    const WorldFacts *facts = session->viewer.keep ? keep_facts(session->viewer.keep) : NULL;
    Message news;
    if (!facts || world_facts_allow(facts, session->settings->world, "a recording", &news)) {
        (void)recorder_toggle(&session->recorder, &place, &news);
    }
    notices_show(&session->notices, &news);
}

void session_record_frame(Session *session, double step)
{
    Message news;
    if (loading_has_land(&session->loading) &&
        recorder_frame(&session->recorder, step, &session->viewer.camera, &news)) {
        notices_show(&session->notices, &news);
    }
}

void session_finish_recording(Session *session)
{
    Message news;
    (void)recorder_finish(&session->recorder, &news);
    if (news.text[0]) {
        fprintf(stderr, "terrane-viewer: %s\n", news.text);
    }
}

InputLabel session_key(const Session *session, InputAction action)
{
    const InputCode code = session->settings->bindings.codes[action][0];
    return code ? window_key_label(code) : (InputLabel){""};
}
