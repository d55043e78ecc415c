/// A caller's threads: one for each piece of work.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct StreamTask {
    void (*work)(void *context);
    void *context;
} StreamTask;

static inline void *stream_task_run(void *user)
{
    const StreamTask task = *(StreamTask *)user;
    free(user);
    task.work(task.context);
    return NULL;
}

/// Calls work(context) on a thread of its own. @return false if the system starts none
static inline bool stream_task_start(void (*work)(void *context), void *context)
{
    // Created detached: when a thread ends before pthread_detach, winpthreads can give its record
    // to the next thread and then clear it, so that the next thread never calls its function.
    pthread_attr_t attributes;
    pthread_t thread;
    StreamTask *task = malloc(sizeof *task);
    if (!task || pthread_attr_init(&attributes) != 0) {
        free(task);
        return false;
    }
    *task = (StreamTask){work, context};
    const bool is_started =
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0 &&
        pthread_create(&thread, &attributes, stream_task_run, task) == 0;
    (void)pthread_attr_destroy(&attributes);
    if (!is_started) {
        free(task);
    }
    return is_started;
}

// ---- for TrnStreamRunner.start ------------------------------------------------------------------

static inline bool stream_start_thread(void *user, void (*work)(void *context), void *context)
{
    (void)user;
    return stream_task_start(work, context);
}

static inline bool stream_start_at_once(void *user, void (*work)(void *context), void *context)
{
    (void)user;
    work(context);
    return true;
}

static inline bool stream_start_never(void *user, void (*work)(void *context), void *context)
{
    (void)user, (void)work, (void)context;
    return false;
}
