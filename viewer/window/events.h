/// The window's events in the order in which they came, both edges of every press. A frame may get
/// many; the queue hands them out in batches, each so small that a panel, which looks at keys only
/// once, misses none. A panel has laid out what a press opened only after two frames: the batch
/// after a press is empty.
///
///     while (events_take(&queue, &batch)) { ... } // until nothing is left
///
/// Threads: one at a time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EVENTS_MAX 2048 ///< in a queue

typedef enum WindowEventKind {
    WINDOW_EVENT_KEY,
    WINDOW_EVENT_TEXT,   ///< a letter was typed
    WINDOW_EVENT_BUTTON, ///< of the mouse
    WINDOW_EVENT_CURSOR, ///< the mouse moved
    WINDOW_EVENT_WHEEL,
    WINDOW_EVENT_BLUR ///< the window lost the focus: nothing is pressed any more
} WindowEventKind;

typedef struct WindowEvent {
    WindowEventKind kind;
    bool is_down;         ///< KEY, BUTTON
    int code;             ///< KEY: GLFW_KEY_*; BUTTON: GLFW_MOUSE_BUTTON_*
    unsigned text;        ///< TEXT: Unicode
    double right, height; ///< CURSOR: x and y in window units; WHEEL: notches
} WindowEvent;

typedef struct EventQueue {
    WindowEvent events[EVENTS_MAX];
    size_t begin, end; ///< what is left
    bool rests;        ///< the next batch is empty
} EventQueue;

/// Events to handle at once.
typedef struct EventBatch {
    const WindowEvent *events; ///< [count], until the next push
    size_t count;
    bool is_last; ///< nothing is left in the queue
} EventBatch;

/// Appends an event. If the queue is full, forgets all and releases everything.
void events_push(EventQueue *queue, WindowEvent event);

/// Takes the next batch: at most one press, with the releases before it and the letter that it
/// types; or nothing, after a batch with more than movements of the mouse.
/// @return false if nothing was left; the batch is then empty, and the last
bool events_take(EventQueue *queue, EventBatch *batch);

#ifdef __cplusplus
}
#endif
