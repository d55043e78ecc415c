#include "app/pause_mode.h"

#include <string.h>

Pause pause_begin(Session *session, AppMode interrupted)
{
    memset(session->viewer.velocity, 0, sizeof session->viewer.velocity); // loads in all directions
    person_release(&session->person); // a held button digs on only after a new press
    window_catch_mouse(&session->viewer.window, false);
    return (Pause){interrupted};
}

AppMode pause_end(const Pause *pause, Session *session)
{
    Message problem;
    window_catch_mouse(&session->viewer.window, true);
    if (!session_save(session, &problem)) {
        notices_show(&session->notices, &problem);
    }
    return pause->resumes;
}
