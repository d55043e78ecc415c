#include "app/open_world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "start/worlds_folder.h"

#define OPEN_WORLD_NOTE_SECONDS 5.0  // between two notes of the player's place
#define OPEN_WORLD_SAVE_SECONDS 20.0 // time limit to save everything at the end

/// The save of the world file; NULL if there is no file.
static TrnSave *open_world_file(const OpenWorld *world)
{
    return keep_save(world->viewer->keep);
}

/// The process's member of a shared world; NULL if the world is not shared.
static TrnMember *open_world_member(const OpenWorld *world)
{
    return keep_member(world->viewer->keep);
}

bool open_world_has_file(const OpenWorld *world)
{
    return open_world_file(world) != NULL;
}

/// Whether the world file notes this process's player: in a shared world each process has its own.
static bool open_world_has_player(const OpenWorld *world)
{
    return open_world_file(world) && !open_world_member(world);
}

void open_world_begin(OpenWorld *world, Viewer *viewer, Person *person, Notices *notices)
{
    *world = (OpenWorld){.viewer = viewer, .person = person, .noted.hours = -1};
    if (!open_world_has_player(world)) {
        return;
    }
    world_notes_begin(open_world_file(world), person);
    if (!world_notes_read_places(open_world_file(world), &world->places)) {
        notices_say(notices, "Some named places of this world are damaged, and left out.");
    }
}

void open_world_note_places(OpenWorld *world)
{
    world->has_new_places =
        open_world_has_player(world) &&
        world_notes_write_places(open_world_file(world), &world->places) != TRN_RESULT_OK;
}

const char *open_world_places_note(const OpenWorld *world)
{
    return open_world_has_player(world) ? NULL
           : open_world_member(world)   ? "Places of a shared world last until you leave it."
                                      : "This world has no file: its places last until you leave.";
}

/// Notes the player's place, mode, bar and time of day, except in demo and photo mode, which move
/// the camera elsewhere, and in a shared world, where each process has its own player.
static void open_world_note_player(OpenWorld *world, AppMode mode)
{
    if (open_world_has_player(world) && world->person->hand && mode != APP_DEMO &&
        mode != APP_PHOTO) {
        const WorldNotes notes =
            world_notes_of(world->person, &world->viewer->camera, mode == APP_PLAYBACK,
                           world->viewer->settings->hours);
        world_notes_write(open_world_file(world), &notes, &world->noted);
    }
}

void open_world_watch(OpenWorld *world, AppMode mode, double clock, Notices *notices)
{
    Message news;
    if (!open_world_file(world)) {
        return;
    }
    if (clock - world->noted_at >= OPEN_WORLD_NOTE_SECONDS) {
        world->noted_at = clock;
        open_world_note_player(world, mode);
        if (world->has_new_places) {
            open_world_note_places(world);
        }
        (void)world_save_pending(world->viewer->world); // if out of memory, the next call tries
                                                        // again
    }
    if (keep_news(world->viewer->keep, &news)) {
        fprintf(stderr, "terrane-viewer: %s\n", news.text);
        notices_show(notices, &news);
    }
    world->warned_at_end &= open_world_failure(world) != NULL;
}

void open_world_meet_others(OpenWorld *world, bool is_there, double seconds)
{
    Viewer *viewer = world->viewer;
    TrnMember *member = open_world_member(world);
    int width, height;
    if (is_there) {
        others_tell(member, &viewer->camera);
    }
    renderer_size(viewer->renderer, &width, &height);
    others_update(&viewer->others, member, viewer->types, &viewer->camera, seconds, width, height);
}

/// Stores a picture without the tool's outline for the start screen. If out of memory, the old
/// picture stays.
static void open_world_note_picture(const OpenWorld *world)
{
    Viewer *viewer = world->viewer;
    int width = 0, height = 0;
    Message problem;
    if (!viewer->renderer || viewer_is_lost(viewer)) {
        return;
    }
    viewer->outline = NULL;
    if (!viewer_draw(viewer, &problem)) {
        return;
    }
    renderer_size(viewer->renderer, &width, &height);
    unsigned char *rgb =
        width > 0 && height > 0 ? malloc((size_t)width * (size_t)height * 3) : NULL;
    if (rgb) {
        renderer_read(viewer->renderer, rgb);
        const WorldPicture picture = world_picture_shrink(rgb, width, height);
        (void)world_picture_write(open_world_file(world), &picture);
        free(rgb);
    }
}

TrnResult open_world_save(OpenWorld *world, AppMode mode, bool is_pictured, Message *problem)
{
    if (!world->viewer || !open_world_file(world)) {
        return TRN_RESULT_OK;
    }
    open_world_note_player(world, mode);
    if (is_pictured) {
        open_world_note_picture(world);
    }
    const TrnResult result = world_save(world->viewer->world, OPEN_WORLD_SAVE_SECONDS);
    if (result == TRN_RESULT_BUSY) {
        (void)message_set(problem, "The disk did not take your world within %g s.",
                          OPEN_WORLD_SAVE_SECONDS);
    } else if (result != TRN_RESULT_OK) {
        const char *failure = open_world_failure(world);
        (void)message_set(problem, "Your world cannot be saved. %s",
                          failure ? failure : trn_result_text(result));
    }
    return result;
}

bool open_world_may_end(OpenWorld *world, AppMode mode, bool is_pictured, Message *news)
{
    Message problem;
    if (open_world_save(world, mode, is_pictured, &problem) == TRN_RESULT_OK ||
        world->warned_at_end) {
        return true;
    }
    world->warned_at_end = true;
    return message_set(news, "%.400s If you quit again, the last changes are lost.", problem.text);
}

const char *open_world_failure(const OpenWorld *world)
{
    return open_world_file(world) ? keep_failure(world->viewer->keep) : NULL;
}

/// The file name of the world, without its folder.
static MessageText open_world_name(const OpenWorld *world)
{
    const char *path = world->viewer->settings->world, *slash = path ? strrchr(path, '/') : NULL;
    if (path && trn_storage_is_url(path)) {
        return message_short("The shared world");
    }
    MessageText name = message_short(slash ? slash + 1 : path ? path : "");
    char *const end = strrchr(name.text, '.');
    if (end && strcmp(end, ".world") == 0) {
        *end = '\0';
    }
    return name;
}

void open_world_describe(const OpenWorld *world, Message *text)
{
    Keep *keep = world->viewer->keep;
    const WorldFacts *facts = keep_facts(keep);
    const char *failure = open_world_failure(world);
    const MessageText name = open_world_name(world);
    text->text[0] = '\0';
    if (failure) {
        (void)message_set(text, "Your world is not saved now. %.400s", failure);
    } else if (facts && keep_stats(keep).is_damaged) {
        (void)message_set(text, "Part of %s cannot be read: 'terrane repair' copies what is whole.",
                          name.text);
    } else if (facts && facts->has_terrain) {
        (void)message_set(text, "%s: seed %" PRIu64 "%s%s.", name.text, facts->terrain.seed,
                          facts->preset[0] ? ", preset " : "", facts->preset);
    } else if (!facts) {
        (void)message_set(text, "No world is open: what you dig and build here is not saved.");
    } else if (!world_facts_tell_old(facts, name.text, text)) {
        (void)message_set(text, "%s: an imported world. Beyond what was imported there is no land.",
                          name.text);
    }
}
