#include "interactive_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "start/world_picture.h"

#define NOTE_SECONDS 5.0  // between two notes of the player's place
#define SAVE_SECONDS 20.0 // that the disk has to take everything when the viewer ends

/// The save of the world file; NULL if there is no file.
static TrnSave *save_of(const Interactive *run)
{
    return run->viewer.keep ? keep_save(run->viewer.keep) : NULL;
}

bool interactive_has_world(const Interactive *run)
{
    return save_of(run) != NULL;
}

void interactive_begin_world(Interactive *run)
{
    TrnSave *save = save_of(run);
    run->noted = (WorldNotes){.hours = -1}; // nothing
    if (save && !keep_member(run->viewer.keep)) {
        world_notes_begin(save, &run->person);
    }
}

/// Notes where the player is, how, and when, if neither the demo nor photo mode has the camera.
static void note_player(Interactive *run)
{
    TrnSave *save = save_of(run);
    // In a shared world each process has its own player.
    if (save && !keep_member(run->viewer.keep) && run->person.hand && !run->demo.is_playing &&
        !run->photo.is_open) {
        const WorldNotes notes =
            world_notes_of(&run->person, &run->viewer.camera, run->playing, run->settings->hours);
        world_notes_write(save, &notes, &run->noted);
    }
    run->noted_clock = run->clock;
}

void interactive_watch_world(Interactive *run)
{
    Message news;
    if (!save_of(run)) {
        return;
    }
    if (run->clock - run->noted_clock >= NOTE_SECONDS) {
        note_player(run);
        (void)world_save_pending(run->viewer.world); // if there is no memory, the next time
    }
    if (keep_news(run->viewer.keep, &news)) {
        fprintf(stderr, "terrane-viewer: %s\n", news.text);
        interactive_notify(run, &news);
    }
    run->unsaved = keep_failure(run->viewer.keep);
    run->quit_refused &= run->unsaved != NULL;
}

/// Notes what is to be seen, for the start screen. Without memory, or a picture, the old one stays.
static void note_picture(Interactive *run)
{
    Viewer *viewer = &run->viewer;
    int width = 0, height = 0;
    if (!run->ready || !viewer->renderer || viewer_is_lost(viewer)) {
        return;
    }
    renderer_size(viewer->renderer, &width, &height);
    unsigned char *rgb =
        width > 0 && height > 0 ? malloc((size_t)width * (size_t)height * 3) : NULL;
    if (rgb) {
        renderer_read(viewer->renderer, rgb);
        const WorldPicture picture = world_picture_shrink(rgb, width, height);
        (void)world_picture_write(save_of(run), &picture);
        free(rgb);
    }
}

void interactive_meet_others(Interactive *run)
{
    Viewer *viewer = &run->viewer;
    TrnMember *member = viewer->keep ? keep_member(viewer->keep) : NULL;
    int width, height;
    if (run->ready && !run->demo.is_playing && !run->photo.is_open) {
        others_tell(member, &viewer->camera);
    }
    renderer_size(viewer->renderer, &width, &height);
    others_update(&viewer->others, member, viewer->types, &viewer->camera, run->frame_us * 1e-6,
                  width, height);
}

TrnResult interactive_save_world(Interactive *run, Message *problem)
{
    if (!save_of(run) || !run->viewer.world) {
        return TRN_RESULT_OK;
    }
    note_player(run);
    note_picture(run);
    const TrnResult result = world_save(run->viewer.world, SAVE_SECONDS);
    if (result == TRN_RESULT_BUSY) {
        (void)message_set(problem, "The disk did not take your world within %g s.", SAVE_SECONDS);
    } else if (result != TRN_RESULT_OK) {
        const char *failure = keep_failure(run->viewer.keep);
        (void)message_set(problem, "Your world cannot be saved. %s",
                          failure ? failure : trn_result_text(result));
    }
    return result;
}

bool interactive_may_quit(Interactive *run)
{
    Message problem, news;
    if (interactive_save_world(run, &problem) == TRN_RESULT_OK || run->quit_refused) {
        return true;
    }
    run->quits = run->leaves = false;
    run->quit_refused = true;
    glfwSetWindowShouldClose(run->viewer.window.handle, GLFW_FALSE);
    (void)message_set(&news, "%.400s If you quit again, the last changes are lost.", problem.text);
    interactive_notify(run, &news);
    return false;
}

/// The name of the world file, without its folder.
static MessageText world_name(const Interactive *run)
{
    const char *path = run->settings->world, *slash = path ? strrchr(path, '/') : NULL;
    if (path && trn_storage_is_url(path)) {
        return message_short("The shared world");
    }
    return message_short(slash ? slash + 1 : path ? path : "");
}

void interactive_describe_world(const Interactive *run, Message *text)
{
    const WorldFacts *facts = run->viewer.keep ? keep_facts(run->viewer.keep) : NULL;
    const MessageText name = world_name(run);
    text->text[0] = '\0';
    if (run->unsaved) {
        (void)message_set(text, "Your world is not saved now. %.400s", run->unsaved);
    } else if (facts && keep_stats(run->viewer.keep).is_damaged) {
        (void)message_set(text, "Part of %s cannot be read: 'terrane repair' copies what is whole.",
                          name.text);
    } else if (facts && facts->has_terrain) {
        (void)message_set(text, "%s: seed %" PRIu64 "%s%s. A world keeps its seed and its land.",
                          name.text, facts->terrain.seed, facts->preset[0] ? ", preset " : "",
                          facts->preset);
    } else if (facts) {
        (void)message_set(text, "%s: nothing is generated in this world.", name.text);
    }
}
