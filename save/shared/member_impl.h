/// Private: a member of a shared world (terrane/member.h).
///
///     member.c          creation, the source, players, figures
///     member_state.c    what the others share: regions, loading chunks, waking the thread
///     member_store.c    the store's side: notes what changes, and applies what others changed
///     member_thread.c   the thread: the queue of edits, players, rounds
///     member_regions.c  how it becomes the owner of regions
///     member_news.c     what others changed: the news of regions, and loading their chunks
///     member_desk.c     what an owner does: edits chunks, and puts them
///     member_moves.c    what moves by itself in owned regions: liquids, random ticks
///     member_levels.c   the levels of detail of owned regions
///     hints_*.c         hints between members
///     edit_bytes.c      edits as bytes      postgres_members.c  questions to the server
#ifndef TERRANE_SHARED_MEMBER_IMPL_H
#define TERRANE_SHARED_MEMBER_IMPL_H

#include <terrane/fluid.h>
#include <terrane/member.h>

#include "../save_internal.h"
#include "base/coord_map.h"
#include "base/thread.h"
#include "edit_bytes.h"
#include "hints.h"
#include "postgres_members.h"
#include "postgres_put.h"
#include "postgres_storage.h"
#include "region.h"
#include "servers.h"

/// The levels of detail that an owner makes: a chunk of these lies in one region.
#define MEMBER_LEVELS 4u

/// How often a lease is renewed in its time.
#define MEMBER_RENEWS 4.0

/// How far a local edit is.
typedef enum MemberEditState {
    MEMBER_EDIT_NEW,     ///< the thread has not handed it over
    MEMBER_EDIT_QUEUED,  ///< it waits for another owner
    MEMBER_EDIT_DONE,    ///< the owner has committed it
    MEMBER_EDIT_REFUSED, ///< the owner cannot make it
} MemberEditState;

/// What changed in one region between two updates. The store's thread adds and frees it, the
/// member's thread changes its state.
typedef struct MemberEdit {
    struct MemberEdit *next;
    int64_t region;
    TrnRegion place;
    int64_t number; ///< from 1
    TrnEdit edit;
    MemberEditState state;
    int64_t change; ///< of the region, once it is DONE
    double made_us;
    /// The store's fluid ran the region when it was made: `due` is what the fluid has yet to look
    /// at after it, with all that was noted up to `taken`.
    bool has_due;
    TrnBytes due;
    uint64_t taken;
    bool is_unseen; ///< the store's fluid has not seen all of it: a chunk was not loaded
    bool is_unmade; ///< for the owner: a chunk of it cannot be read
    bool is_queued; ///< it was in the queue when answers were read last
} MemberEdit;

/// Of a region: a bit for each chunk of level 0 that changed while it was not loaded.
typedef struct MemberChanged {
    uint64_t words[TRN_REGION_CHUNKS * TRN_REGION_CHUNKS * TRN_REGION_CHUNKS / 64];
} MemberChanged;

/// What liquids have yet to do in an owned region: voxels, as trn_fluid_save_box() writes them.
/// The database has both parts.
typedef struct MemberDue {
    TrnBytes own;     ///< of the store's fluid, after the last own edit that is committed
    TrnBytes noted;   ///< what edits led to that the store's fluid did not see, or another left
    uint64_t serial;  ///< of `noted`; the store's fluid takes each once
    bool is_unread;   ///< what the last owner has left is not known yet
    bool is_saved;    ///< the database has some
    bool is_at_rest;  ///< the store's fluid has nothing left, with all of `noted` taken
    double wished_us; ///< when the store would have moved something, but did not own the region
    bool is_wished;   ///< and the thread has not asked for the region since
} MemberDue;

/// Chunks of level 1 of a region: a bit each, x first.
typedef struct MemberCells {
    uint64_t words[TRN_REGION_CHUNKS * TRN_REGION_CHUNKS * TRN_REGION_CHUNKS / 8 / 64];
} MemberCells;

/// An owned region, as the store's thread knows it between two updates.
typedef struct MemberOwned {
    int64_t number;
    uint64_t taken; ///< serial of what its fluid has taken
    bool is_used;   ///< something may have moved since the last update
} MemberOwned;

/// When the member looks at its regions. It looks less often while nothing changes, and the more
/// changes there are, the longer it waits for more of them: members who all edit one region would
/// otherwise cost the server the square of their number.
typedef struct MemberPace {
    double poll_us;    ///< when to look at all regions
    double delay;      ///< seconds between two polls
    double found_us;   ///< when something was found last
    double looked_us;  ///< when the last look began
    double spacing_us; ///< the least time between two looks
    double since_us;   ///< since when changes are counted
    uint32_t changes;  ///< seen since, by how many edits they count as
    bool has_found;    ///< the last look has seen some
} MemberPace;

/// A region that is followed, or edited.
typedef struct MemberRegion {
    int64_t number;
    TrnRegion place;
    int64_t known;   ///< change whose chunks are in the inbox, or were applied
    int64_t applied; ///< change whose chunks were applied
    /// Chunks that others changed while they were not loaded. A stream may have loaded one before
    /// that, and insert it later. NULL: none
    MemberChanged *changed;
    bool is_all_changed; ///< all count as changed: too many regions have a list, until it is left
    bool is_rewound; ///< the database went back: `known` says nothing, all chunks are loaded again
    bool is_old;     ///< the store may show a chunk as it was before own edits, or before a change
    int64_t old_number; ///< the last of these edits
    bool is_listened;
    bool is_owned;
    bool is_unread;   ///< the last owner's note of levels is to be read before anything is put
    bool has_owner;   ///< another one, when this member asked last
    bool is_hinted;   ///< something may have changed since the last look
    double active_us; ///< when it changed last, or others were told so
    double swept_us;  ///< when old answers were dropped last
    double used_us;   ///< when a chunk was loaded last
    double edited_us; ///< when it was edited last, as an owner
    double try_us;    ///< when to try to become its owner again
    MemberDue due;
    /// Of an owned one: chunks whose levels of detail the database notes as outdated.
    MemberCells unfolded;
    /// Those of puts that may be committed, of which the note may be missing.
    MemberCells doubtful;
} MemberRegion;

TRN_ARRAY_DECLARE(MemberOwnedList, MemberOwned);

TRN_ARRAY_DECLARE(MemberRegions, MemberRegion);
TRN_ARRAY_DECLARE(MemberNumbers, int64_t);
TRN_ARRAY_DECLARE(MemberCoords, TrnCoord);
TRN_ARRAY_DECLARE(MemberPlayers, TrnMemberPlayer);
TRN_ARRAY_DECLARE(MemberDataList, TrnBlockData);

/// The voxels and the block data of a chunk, as loaded. All zeroes is empty.
typedef struct MemberVoxels {
    TrnBlock *blocks; ///< [TRN_CHUNK_VOXELS]
    bool is_uniform;
    MemberDataList data; ///< its bytes are offsets until trn_member_load has returned
    TrnBytes bytes;
} MemberVoxels;

/// A chunk whose row a look has brought.
typedef struct MemberRow {
    TrnCoord coord;
    MemberVoxels voxels;
} MemberRow;

TRN_ARRAY_DECLARE(MemberRows, MemberRow);

/// A chunk that others have changed.
typedef struct MemberChunk {
    struct MemberChunk *next;
    TrnCoord coord;
    int64_t region;
    int64_t change; ///< of the region that it has at least
    MemberVoxels voxels;
} MemberChunk;

/// An edit that waits in an owned region, of any member. Any client may have written it.
typedef struct MemberQueued {
    int64_t region, ticket;
    size_t first, size; ///< of its bytes
} MemberQueued;

TRN_ARRAY_DECLARE(MemberQueuedList, MemberQueued);

/// Edits of the queue, by region and in their order. All zeroes is empty.
typedef struct MemberQueue {
    MemberQueuedList edits;
    TrnBytes bytes;
} MemberQueue;

/// The chunks of a region that changed since a look at it, while they are fetched: in several
/// rounds if there are more than may wait for an update.
typedef struct MemberListing {
    bool is_open;   ///< some are left
    bool is_behind; ///< the region has later changes, which are asked for then
    int64_t region;
    int64_t change; ///< that the region has once all are fetched
    MemberCoords coords;
    uint32_t next; ///< the first that is not fetched
} MemberListing;

/// The member of a world, or of one of its servers: each server has a thread, a connection and a
/// desk, so that one that does not answer holds up none of the others. The game has the first.
struct TrnMember {
    TrnMember *first, *next; ///< of the first server, perhaps itself; of the next one
    uint32_t servers;        ///< of the world
    TrnMemberDef def;        ///< its save is `own_save`, if there is one
    TrnAllocator allocator;
    TrnStorage storage;     ///< of the server
    TrnSave *own_save;      ///< of several servers: what it puts waits for no other
    TrnStreamSource source; ///< of the thread
    TrnStreamSource loads;  ///< of the first: the game's
    char name[TRN_MEMBER_NAME_BYTES];
    int64_t id;

    // The store's thread.
    TrnStoreWatch watch;  ///< of the first
    bool is_applying;     ///< of the first: what changes in the store is from others
    MemberEdit *building; ///< what changed since the last update, by region
    int64_t last_number;
    TrnBlock *blocks;         ///< [TRN_CHUNK_VOXELS] scratch
    TrnCoordMap noted_coords; ///< of `noted`
    MemberRows noted; ///< of the first: chunks that changed since the last update, as data they had
    MemberOwnedList owned; ///< regions in which the store moves things until the next update
    MemberNumbers wishes;  ///< in which it would

    // The member's thread.
    TrnPgLink link;
    TrnStore *desk;     ///< chunks of owned regions that were edited lately
    bool is_desk_stale; ///< it may have chunks that others have changed since
    TrnFluid *due;      ///< of the desk: notes what edits lead to, and never flows; NULL: none
    TrnBytes due_none;  ///< `due` loads them to forget what it has noted
    /// [level] chunks of levels of detail whose finer ones have changed. [0] is not used
    TrnCoordMap unfolded[MEMBER_LEVELS + 1];
    double fold_us;   ///< when to make them
    double folds_us;  ///< when to make them at the latest; 0: there are none
    bool keeps_notes; ///< some could not be listed: the next owner makes them
    double claim_us;  ///< when to ask for regions in which something would move
    double orphan_us; ///< when to ask for regions whose owner has not made their levels
    TrnChunkReader *reader;
    MemberListing listing;
    MemberRows rows; ///< that a look brought, until it ends
    /// Own edits whose answers were read, and whose rows are to be dropped
    MemberNumbers answered_regions, answered;
    double drop_us;   ///< when to drop them at the latest
    TrnPgEpoch epoch; ///< of the server, when it was asked last
    bool has_epoch;   ///< it had an answer then
    double epoch_us;  ///< when to ask again
    MemberPace pace;
    double connect_us, renew_us, place_us;
    double connect_delay;  ///< seconds
    TrnHints notify, nats; ///< all zeroes: not in use
    TrnHints *hints;       ///< one of the two; NULL: polls alone
    char hints_url[TRN_MEMBER_HINTS_BYTES];
    TrnMemberPlayer told_player; ///< that the others were told last
    double told_us;

    TrnThread thread;
    int wake[2];    ///< a pipe: [0] is read by the thread; -1: there is no thread
    TrnMutex mutex; ///< of everything below
    bool is_ending, has_thread;
    MemberEdit *edits, **edits_end; ///< in the order in which they were made
    MemberChunk *inbox, **inbox_end;
    MemberRegions regions;
    uint32_t changed_regions; ///< that have chunks which changed while they were not loaded
    MemberCoords reloaded;    ///< chunks to load again
    MemberPlayers others;
    const TrnHints *places; ///< that has the others; NULL: `others` has them
    TrnMemberPlayer player;
    bool has_player;
    bool has_wishes;   ///< that are new
    bool is_described; ///< by an update: whether the store has a fluid
    /// Of the store's fluid, once it has one: for `due`.
    bool has_liquids;
    TrnFluidDef fluid;
    TrnFluidLiquid liquids[TRN_FLUID_LIQUIDS_MAX];
    TrnFluidReaction reactions[TRN_FLUID_REACTIONS_MAX];
    TrnMemberStats stats; ///< without what is counted when it is asked for
};

// ---- member.c ----------------------------------------------------------------------------------

/// trn_member_create without a thread: the caller does what trn_member_run does.
TrnResult trn_member_create_idle(const TrnMemberDef *def, TrnMember **member,
                                 TrnStorageProblem *problem);

// ---- member_state.c ----------------------------------------------------------------------------

/// Makes the pipe that wakes the thread. @return false if the system has none left
bool trn_member_open_pipe(TrnMember *member);
void trn_member_close_pipe(TrnMember *member);

/// Wakes the thread. Any thread.
void trn_member_wake(TrnMember *member);

/// Takes what is in the pipe.
void trn_member_drain_pipe(TrnMember *member);

void trn_member_free_edits(TrnMember *member, MemberEdit *first);
void trn_member_free_chunks(TrnMember *member, MemberChunk *first);

/// Returns the member of the server that has a region. @param first  of the first server
TrnMember *trn_member_of(TrnMember *first, int64_t region);

/// Finds a region; the mutex is locked. NULL: it is not followed. Valid until one is added.
MemberRegion *trn_member_region(TrnMember *member, int64_t number);

/// Whether the notes of an owned region must still be read. Until then nothing may be put there.
bool trn_member_is_unread(TrnMember *member, int64_t number);

/// Finds an owned region of some kind. @param number  receives it  @return false: there is none
bool trn_member_find_owned(TrnMember *member,
                           bool (*is_one)(const TrnMember *member, const MemberRegion *region),
                           int64_t *number);

/// Begins to follow a region, unless it is followed. Any thread; the mutex is not locked.
TrnResult trn_member_follow(TrnMember *member, TrnRegion place, int64_t number);

/// Begins to follow the region of a chunk that may be outdated: all its chunks are loaded again.
/// The mutex is locked.
TrnResult trn_member_follow_anew(TrnMember *member, TrnCoord coord);

/// Forgets what is due in a region, which is no longer owned. The mutex is locked.
void trn_member_drop_due(TrnMember *member, MemberRegion *region);

/// Notes that a region is no longer owned. The mutex is locked.
void trn_member_disown(TrnMember *member, MemberRegion *region);

/// Writes a note of an owned region in a transaction of its own. @param bytes  empty: drops it
/// Errors: STALE_ID (the region is no longer owned), IO, and others. The member's thread.
TrnResult trn_member_put_note(TrnMember *member, int64_t region, TrnPgNote note,
                              const TrnBytes *bytes);

/// Stops following a region. The mutex is locked; the last region takes its place.
void trn_member_forget(TrnMember *member, uint32_t i);

/// Notes that a chunk of a region changed while it was not loaded, or that it has been loaded
/// since. The mutex is locked.
void trn_member_note_changed(TrnMember *member, MemberRegion *region, TrnCoord coord,
                             bool is_changed);

/// Notes that all chunks of a region may have changed. The mutex is locked.
void trn_member_note_all_changed(TrnMember *member, MemberRegion *region);

/// Whether a chunk must be loaded again when it is inserted. The mutex is locked.
bool trn_member_has_changed(const MemberRegion *region, TrnCoord coord);

/// The most chunks of one call of trn_member_load_many.
#define MEMBER_LOADS_MAX 64u

/// Loads chunks of level 0 as they are saved, or as the land has them. The member's thread.
/// @param voxels   [count] receive those that are loaded; the caller frees all
/// @param results  [count] receive what comes of each
void trn_member_load_many(TrnMember *member, const TrnCoord *coords, size_t count,
                          MemberVoxels *voxels, TrnResult *results);
/// Decodes the row of a chunk that is loaded, for later calls of trn_member_load_many; without
/// success, these ask the database for it. The member's thread.
void trn_member_keep_row(TrnMember *member, const TrnStorageRow *row);
void trn_member_drop_rows(TrnMember *member);
/// The same of one chunk. @param voxels  need not be freed on failure
TrnResult trn_member_load(TrnMember *member, TrnCoord coord, MemberVoxels *voxels);
/// Copies a chunk of a store. @param voxels  as of trn_member_load
TrnResult trn_member_copy_voxels(TrnMember *member, TrnSnapshot snapshot, MemberVoxels *voxels);
/// Copies the block data of a chunk. @param voxels  all zeroes
TrnResult trn_member_copy_data(TrnMember *member, TrnSnapshot snapshot, MemberVoxels *voxels);
void trn_member_free_voxels(TrnMember *member, MemberVoxels *voxels);

/// Begins a region anew, because the database went back to an earlier state: edits that it had
/// acknowledged count as made or lost, those that wait are handed over again. The mutex is locked.
void trn_member_rewind(TrnMember *member, MemberRegion *region);

/// Has the chunks of a local edit loaded again. The mutex is locked.
void trn_member_reload_chunks(TrnMember *member, const MemberEdit *edit);

/// Takes a local edit back: its chunks are loaded again as they are. The mutex is not locked.
void trn_member_refuse(TrnMember *member, MemberEdit *edit);

/// How long a region is quiet before the next change is told, as a multiple of the time between
/// looks.
#define TRN_MEMBER_QUIET 2.0
/// From this time between looks on, changes within that of the last one are not told.
#define TRN_MEMBER_CROWDED_US 1.5e5

/// Whether hints arrive now. The member's thread.
bool trn_member_hears(const TrnMember *member);

/// Whether the others must be told that there is something new in a region, as the caller then does
/// by trn_member_tell. If there just was something new, they look again by themselves. The member's
/// thread.
bool trn_member_is_news(TrnMember *member, int64_t number);

/// Tells the others, by the engine that the caller means: in the transaction of the change, or
/// after it. With the other one it does nothing. @return false with a fault of the link
bool trn_member_tell(const TrnMember *member, TrnPgLink *link, int64_t number,
                     bool is_in_transaction);

/// Notes whether a question was answered. The member's thread. @return whether it was
bool trn_member_note(TrnMember *member, bool is_good);

/// Notes why a call of the storage failed. @return whether it did not
bool trn_member_note_result(TrnMember *member, TrnResult result);

// ---- member_store.c ----------------------------------------------------------------------------

TrnResult trn_member_attach(TrnMember *member);
void trn_member_detach(TrnMember *member);

// ---- member_desk.c -----------------------------------------------------------------------------

/// Makes the edits that wait in an owned region, those of the queue and then the member's own, puts
/// the chunks, and answers.
/// @return OK also if the region is no longer owned; otherwise what failed: it is tried again
TrnResult trn_member_execute(TrnMember *member, int64_t region, const MemberQueue *queue);

/// Renews the leases, and gives up the regions that others have taken.
TrnResult trn_member_renew(TrnMember *member);

/// Forgets the chunks of a region, or of all. @param region  NULL: all
void trn_member_clear_desk(TrnMember *member, const int64_t *region);

// ---- member_moves.c ----------------------------------------------------------------------------

/// A watch's `owns`: whether the store moves what moves by itself in a chunk. If not, the member
/// asks for its region. @param user  the first member
bool trn_member_owns(void *user, TrnCoord coord);

/// A chunk of a region was inserted as it was before own edits, or before a change: the store moves
/// nothing there until it shows what it should. The store's thread; the mutex is locked.
void trn_member_pause(TrnMember *member, MemberRegion *region);

/// Adds what the fluid has yet to look at to the edits that are being built. The store's thread.
void trn_member_add_due(TrnMember *first);

/// Learns which regions are owned, and gives the fluid what it has to look at there. The store's
/// thread, after it has applied what others changed.
void trn_member_take_due(TrnMember *first);

/// What is due in a region with the edits that are being made.
typedef struct MemberDueWork {
    TrnBytes noted;  ///< of MemberDue
    TrnBytes bytes;  ///< for the database; empty: nothing is due
    bool is_noted;   ///< `noted` is new
    bool is_taken;   ///< the store's fluid has taken what was noted before
    bool is_to_save; ///< the database must be told
} MemberDueWork;

/// Forgets what edits on the desk have led to. The member's thread, as all that follow.
TrnResult trn_member_forget_due(TrnMember *member);

/// Takes what edits on the desk have led to in a region.
TrnResult trn_member_note_due(TrnMember *member, int64_t number, MemberDueWork *work);

/// Whether the store's fluid has seen an own edit, and goes on from there. It does not if the
/// region was given back since, also if it was taken again: it has forgotten what it had to look
/// at.
bool trn_member_has_seen(TrnMember *member, const MemberEdit *edit);

/// Finds what is due once all edits are made, and noted if the store's fluid has not seen them.
/// @param last  the last own edit that it has seen, or NULL
/// Errors: BUSY (what the last owner has left must be read first), NO_MEMORY.
TrnResult trn_member_find_due(TrnMember *member, int64_t number, MemberEdit *last,
                              MemberDueWork *work);

/// In the transaction of a put: saves what is due.
bool trn_member_ride_due(TrnPgLink *link, int64_t region, const MemberDueWork *work);

/// Notes that the edits are committed, and saves what is due unless the put has done so.
/// @param last  as before
TrnResult trn_member_end_due(TrnMember *member, int64_t number, MemberEdit *last, bool is_saved,
                             MemberDueWork *work);
void trn_member_free_due_work(TrnMember *member, MemberDueWork *work);

/// Reads what the last owner of a region has left; without success, trn_member_open_due does later.
/// @return false with a fault
bool trn_member_read_due(TrnMember *member, int64_t number);

/// Tells the database of regions whose liquids have come to rest.
TrnResult trn_member_save_rest(TrnMember *member);

/// Whether the store has any chunk of a region loaded.
bool trn_member_has_chunk(TrnMember *member, TrnRegion place);

/// Makes the fluid that notes what edits lead to, once the store has one, and reads what other
/// owners have left where that is not known.
/// Errors: as trn_fluid_create(), IO.
TrnResult trn_member_open_due(TrnMember *member);

// ---- member_levels.c: the member's thread -------------------------------------------------------

/// What an owner notes about the levels of a region with the edits that are being made.
typedef struct MemberLevelsWork {
    MemberCells unfolded;
    bool is_to_save; ///< the database must be told
} MemberLevelsWork;

/// Whether the member makes levels of detail.
bool trn_member_has_levels(const TrnMember *member);

/// Finds which levels of a region are outdated once some chunks of level 0 are put.
/// @param chunks  of that region
void trn_member_find_unfolded(TrnMember *member, int64_t region, const TrnCoordMap *chunks,
                              MemberLevelsWork *work);

/// In the transaction of a put: notes it.
bool trn_member_ride_unfolded(TrnPgLink *link, int64_t region, const MemberLevelsWork *work);

/// After the put: has the levels made, and notes it unless the put has done so.
void trn_member_end_unfolded(TrnMember *member, int64_t region, const TrnCoordMap *chunks,
                             bool is_saved, const MemberLevelsWork *work);

/// A put may be committed, but the database may have lost the note that it has relied on: it gets
/// one when the notes of the region are read again.
void trn_member_doubt_unfolded(TrnMember *member, int64_t number, const TrnCoordMap *chunks);

/// Reads what the last owner of a region has left to be made. @return false with a fault
bool trn_member_read_unfolded(TrnMember *member, int64_t region);

/// Makes some chunks of levels of detail, unless edits come. @return OK also with nothing to make
TrnResult trn_member_fold(TrnMember *member);

/// Makes all, as far as a time allows.
void trn_member_fold_all(TrnMember *member, double seconds);

/// Returns when to make some; INFINITY: never.
double trn_member_fold_time(const TrnMember *member);

void trn_member_free_unfolded(TrnMember *member);

// ---- member_news.c: the member's thread ---------------------------------------------------------

/// Takes note of how far the server is. If it is not as far as it was, all regions begin anew.
void trn_member_take_epoch(TrnMember *member, const TrnPgEpoch *now);

/// Asks how far the server is. If it is not as far as it was, all regions begin anew.
/// @return false with a fault
bool trn_member_look_at_epoch(TrnMember *member);

/// The last change of a region of which chunks may have been fetched: they have all up to it. The
/// mutex is locked.
int64_t trn_member_seen_change(const TrnMember *member, const MemberRegion *region);

/// Has a round look at regions again that this one did not come to.
void trn_member_hint(TrnMember *member, const MemberNumbers *regions);

/// Looks at some regions: takes the answers to own edits, and loads what changed, after what is
/// left of another look.
/// @param queue  receives the edits that wait in those that are owned; the caller frees it
bool trn_member_look_at(TrnMember *member, const MemberNumbers *regions, MemberQueue *queue);

void trn_member_free_queue(const TrnMember *member, MemberQueue *queue);

/// Drops own edits whose answers were read.
bool trn_member_drop_answered(TrnMember *member);

/// Notes that this member, which owns a region, has put chunks there: they need not be loaded.
/// @param change  of the region
/// @param chunks  [count] on the desk
void trn_member_note_put(TrnMember *member, int64_t region, int64_t change, const TrnCoord *chunks,
                         uint32_t count);

/// Loads chunks again that were inserted as they were before a change.
bool trn_member_reload(TrnMember *member);

// ---- member_regions.c --------------------------------------------------------------------------

/// Tries to become the owner of the region of an edit, unless another just was. @return whether
/// this member owns it
bool trn_member_take_region(TrnMember *member, const MemberEdit *edit);

/// Reads which levels the last owners of regions have left outdated. @return false with a fault
bool trn_member_read_levels(TrnMember *member);

/// Asks now and then which regions have lost their owner, and takes those in which something would
/// move here. Members whose stores move nothing do not ask. @return false with a fault
bool trn_member_claim(TrnMember *member);

/// Takes a region whose owner ended before it had made the levels of detail, so that distant land
/// becomes right though no member edits there. @return false with a fault
bool trn_member_claim_levels(TrnMember *member);

// ---- member_thread.c ---------------------------------------------------------------------------

/// Does what is due. @return when to do so again, of trn_clock_us, unless the member is woken
/// before
double trn_member_step(TrnMember *member);

/// Gives everything back.
void trn_member_part(TrnMember *member);

/// The thread: steps until the member ends, and parts. @param context  a TrnMember
void trn_member_run(void *context);

#endif
