// Events for the game: the last ones, in a ring.

#include "save_impl.h"

#include <stdio.h>

void trn_save_notify(TrnSave *save, TrnSaveEventKind kind, const TrnStorageKey *key,
                     TrnResult result, const char *sentence)
{
    if (save->event_count == TRN_SAVE_EVENTS) {
        save->event_first = (save->event_first + 1) % TRN_SAVE_EVENTS;
        save->event_count--;
        save->stats.events_lost++;
    }
    TrnSaveEvent *event =
        &save->events[(save->event_first + save->event_count++) % TRN_SAVE_EVENTS];
    *event = (TrnSaveEvent){.kind = kind, .result = result};
    if (key) {
        event->key = *key;
    }
    (void)snprintf(event->sentence, sizeof event->sentence, "%s", sentence);
}

void trn_save_describe(const TrnStorage *storage, TrnResult result, TrnStorageProblem *problem)
{
    if (problem) {
        problem->sentence[0] = '\0';
        if (storage->problem) {
            storage->problem(storage->user, problem->sentence, sizeof problem->sentence);
        }
        if (!*problem->sentence) {
            (void)snprintf(problem->sentence, sizeof problem->sentence, "%s",
                           trn_result_text(result));
        }
    }
}

void trn_save_notify_storage(TrnSave *save, TrnSaveEventKind kind, const TrnStorageKey *key,
                             TrnResult result)
{
    TrnStorageProblem problem;
    trn_save_describe(&save->def.storage, result, &problem);
    trn_mutex_lock(&save->mutex);
    if (result != TRN_RESULT_CORRUPT || !save->has_told_corrupt) {
        trn_save_notify(save, kind, key, result, problem.sentence);
    }
    save->has_told_corrupt = save->has_told_corrupt || result == TRN_RESULT_CORRUPT;
    trn_mutex_unlock(&save->mutex);
}

bool trn_save_next_event(TrnSave *save, TrnSaveEvent *event)
{
    if (!save || !event) {
        return false;
    }
    trn_mutex_lock(&save->mutex);
    const bool has_event = save->event_count > 0;
    if (has_event) {
        *event = save->events[save->event_first];
        save->event_first = (save->event_first + 1) % TRN_SAVE_EVENTS;
        save->event_count--;
    }
    trn_mutex_unlock(&save->mutex);
    return has_event;
}
