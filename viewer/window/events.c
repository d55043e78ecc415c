#include "window/events.h"

void events_push(EventQueue *queue, WindowEvent event)
{
    if (queue->begin == queue->end) {
        queue->begin = queue->end = 0;
    }
    WindowEvent *const last = &queue->events[queue->end - (queue->end > 0)];
    if (queue->end > queue->begin && event.kind == WINDOW_EVENT_CURSOR &&
        last->kind == WINDOW_EVENT_CURSOR) {
        *last = event; // only where the mouse went counts
        return;
    }
    if (queue->end == EVENTS_MAX) {
        queue->events[0] = (WindowEvent){.kind = WINDOW_EVENT_BLUR};
        queue->begin = 0;
        queue->end = 1;
    }
    queue->events[queue->end++] = event;
}

static bool events_is_edge(const WindowEvent *event)
{
    return event->kind == WINDOW_EVENT_KEY || event->kind == WINDOW_EVENT_BUTTON;
}

/// Whether an event must wait for the next batch.
static bool events_begins_batch(const EventBatch *batch, const WindowEvent *next)
{
    for (size_t i = 0; i < batch->count; i++) {
        const WindowEvent *event = &batch->events[i];
        const bool is_same = event->kind == next->kind && event->code == next->code;
        if (event->kind == WINDOW_EVENT_BLUR || next->kind == WINDOW_EVENT_BLUR) {
            return true;
        }
        if (events_is_edge(next) &&
            (event->kind == WINDOW_EVENT_TEXT || event->kind == WINDOW_EVENT_WHEEL ||
             (events_is_edge(event) && (event->is_down || is_same)))) {
            return true;
        }
        if ((next->kind == WINDOW_EVENT_CURSOR || next->kind == WINDOW_EVENT_WHEEL) &&
            events_is_edge(event)) {
            return true; // a click is where the mouse was
        }
    }
    return false;
}

/// Whether a batch may have opened something: it has more than movements of the mouse.
static bool events_act(const EventBatch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->events[i].kind != WINDOW_EVENT_CURSOR) {
            return true;
        }
    }
    return false;
}

bool events_take(EventQueue *queue, EventBatch *batch)
{
    const bool is_left = queue->begin < queue->end;
    *batch = (EventBatch){.events = queue->events + queue->begin};
    while (!queue->rests && queue->begin < queue->end &&
           !events_begins_batch(batch, &queue->events[queue->begin])) {
        batch->count++;
        queue->begin++;
    }
    queue->rests = events_act(batch);
    batch->is_last = queue->begin == queue->end;
    return is_left;
}
