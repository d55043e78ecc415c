/// Terrane, members: one process's part in a world that several processes share through a database
/// (terrane/shared.h). A member hands local edits to the owners of their regions, edits the regions
/// that it owns for all, follows what others change, and tells where its player is.
///
///     TrnMemberDef def = trn_member_def();
///     def.save = save; // over trn_storage_postgres
///     def.store = store;
///     def.land = trn_terrain_generator(terrain);
///     def.name = "Ada";
///     TrnMember *member;
///     trn_member_create(&def, &member, &problem);
///     stream_def.source = trn_member_source(member); // in place of trn_save_source
///     for (;;) {                                     // every frame
///         ...                                        // edit the store
///         trn_member_set_place(member, eye, yaw, pitch);
///         trn_member_update(member);
///         count = trn_member_others(member, others, CAPACITY);
///         trn_stream_update(stream, NULL, NULL);
///     }
///
/// Edits. Any change of voxels of the store counts: batches, undo, liquids. The store shows it at
/// once. The member's thread takes the lease of the region if it is free, and
/// then is its owner: it writes the chunks into the database, in the order in which edits arrive.
/// If another process owns the region, the edit goes into a queue, from which the owner takes it.
/// An edit is acknowledged once the owner has committed it. If an owner dies, the next process that
/// edits takes the region over when the lease has expired, and goes on with the queue. An edit that
/// touches several regions is one edit for each of them. Block data of loaded chunks is handed over
/// too, as it is at the update, or when the chunk leaves the store before; if another block is in
/// the voxel by then, data that goes with its block is left out. Owners of an earlier version
/// refuse edits with block data.
///
/// Others' changes. The member polls the changes of the regions from which chunks were loaded, and
/// loads the chunks that changed. trn_member_update applies them as one batch, so that they are
/// meshed and lit as any edit. Own edits that are not acknowledged by then are applied on top, so
/// they never flicker; what the owner has committed counts in the end. Hints by NOTIFY or NATS make
/// this faster, and are not needed.
///
/// Liquids and random ticks. Make the fluid and the ticks of the store as in a world of one player
/// (terrane/fluid.h, terrane/ticks.h), and step them. They move what is in regions that this member
/// owns, and it asks for regions without an owner in which they would move something. What liquids
/// have yet to do is saved with the region, so that the next owner goes on.
///
/// Memory. The member notes which chunks others changed while they were not loaded, because a
/// stream may have loaded them before: 512 bytes for each region that has such chunks, at most
/// TRN_MEMBER_CHANGED_BYTES_MAX. Beyond that it notes that all chunks of a region may have changed,
/// and loads each of them once more when it is inserted, until the region is left.
///
/// Several servers. A member of a world on several servers has a thread and a connection for each.
/// While one does not answer, edits of its regions wait, and the others go on.
///
/// docs/shared.md says who sees what when.
///
/// Tier: experimental.
#ifndef TERRANE_MEMBER_H
#define TERRANE_MEMBER_H

#include <terrane/generator.h>
#include <terrane/save.h>
#include <terrane/shared.h>
#include <terrane/store.h>

TRN_C_BEGIN

/// Bytes of a player's name, with the zero.
#define TRN_MEMBER_NAME_BYTES 64

/// Bytes of the URL of hints, with the zero.
#define TRN_MEMBER_HINTS_BYTES 512

/// The most chunks that wait for trn_member_update, of 64 KiB each. While there are as many, the
/// member fetches no others.
#define TRN_MEMBER_FETCHED_MAX 512u

/// The most memory that notes which chunks changed while they were not loaded: of 256 regions.
#define TRN_MEMBER_CHANGED_BYTES_MAX (TRN_CAST(size_t, 256) * 512)

/// A member. Opaque; the caller creates and destroys it.
typedef struct TrnMember TrnMember;

/// Start from trn_member_def() and change what you need.
typedef struct TrnMemberDef {
    /// Borrowed; must outlive the member. Its storage is one of trn_storage_postgres, opened for
    /// writing, without leases yet. While there is a member, put no chunks into the save; values
    /// may be set, and it may be flushed, as without one.
    TrnSave *save;
    /// Borrowed; must outlive the member. Its block types are those of the save. It needs a free
    /// reader (TrnStoreDef.reader_max) for each server.
    TrnStore *store;
    /// Generates the chunks that have no row, as for every other member. Called on the member's
    /// thread. Levels of detail up to 4, and up to its level_max, are made of what changes.
    TrnGenerator land;
    const char *name; ///< of the player: UTF-8, 1 to 63 bytes; copied
    /// 0.1 to 60: others take the regions of a member that died this long after its last renewal
    double lease_seconds;
    /// 0.01 to 60: between two polls where nothing changes, also of edits that wait for this owner.
    /// Polls come every 50 ms where something does, and with NOTIFY sooner; if many members edit,
    /// a little later, so that they cost the server less
    double poll_seconds;
    /// 0.01 to 60: between two reports of the player's place, and two looks at the others
    double place_seconds;
    /// NOTIFY, for up to some 16 members; false: polls alone, as often as changes come. Of no
    /// interest with `hints`
    bool has_notify;
    /// URL of a NATS server, nats://host:port, or several with commas between, at most
    /// TRN_MEMBER_HINTS_BYTES - 1; copied. Hints of changes and players' places go through it, so
    /// all members of a world should have it. While it cannot be reached, polls and the database
    /// replace it. NULL: none
    const char *hints;
} TrnMemberDef;

/// Returns the defaults: leases of 3 s, at least a poll a second, places ten times a second,
/// NOTIFY.
TRN_API TrnMemberDef trn_member_def(void);

/// Joins a world. Starts a thread for each server, with a connection of its own.
/// @param def      with save, store, land and name
/// @param problem  receives a sentence on failure; may be NULL
/// Errors: BAD_ARGUMENT (also if the save is in no PostgreSQL database), NO_MEMORY, FULL (readers
/// or listeners of the store), IO (hints, in a library without NATS), and what the storage returns.
/// Threads: the store's writer, as all functions unless they say otherwise.
TRN_API TrnResult trn_member_create(const TrnMemberDef *def, TrnMember **member,
                                    TrnStorageProblem *problem);

/// Leaves the world: gives its regions back. Edits that are not acknowledged are lost unless they
/// are in the queue: call trn_member_settle before. Destroy the stream first.
/// @param member  may be NULL
TRN_API void trn_member_destroy(TrnMember *member);

/// Returns the source for TrnStreamDef.source. It loads chunks from the save, and begins to follow
/// their regions. It saves none: edits are written by the owners of regions.
TRN_API TrnStreamSource trn_member_source(TrnMember *member);

/// Applies what others have changed, and hands over what changed here since the last call. Call it
/// every frame, after the game's edits. Edits of chunks that are not loaded (pending edits) are
/// handed over too, and no longer pending then.
/// Errors: NO_MEMORY, FULL, READERS: chunks of others wait for the next call. Changes of loaded
/// chunks that could not be noted count as TrnMemberStats.lost; pending edits wait for the next
/// call.
/// Cost: O(1) if nothing changed; O(TRN_CHUNK_VOXELS) for each chunk that did.
TRN_API TrnResult trn_member_update(TrnMember *member);

/// Waits until all edits that trn_member_update has handed over are acknowledged and seen here. It
/// calls trn_member_update.
/// @param seconds  at most
/// @return OK, or BUSY if the time is up
TRN_API TrnResult trn_member_settle(TrnMember *member, double seconds);

// ---- players -----------------------------------------------------------------------------------

/// A player.
typedef struct TrnMemberPlayer {
    /// As that member gave it: others may have the same, and a stranger may have sent bytes that
    /// are no UTF-8 or that a terminal obeys.
    char name[TRN_MEMBER_NAME_BYTES];
    double place[3]; ///< of the eyes, in voxels
    double yaw;      ///< degrees, as the game counts them
    double pitch;    ///< degrees
} TrnMemberPlayer;

/// Tells where the member's player is. The others see it within place_seconds of theirs and ours.
/// @param place  [3] of the eyes, in voxels
TRN_API void trn_member_set_place(TrnMember *member, const double place[3], double yaw,
                                  double pitch);

/// Lists the players of other members, as they were known last; with TrnMemberDef.hints, those in
/// the columns of regions that this member follows. A player vanishes 3 s after the
/// last report.
/// @param players  [capacity] receives them, in an order that stays; caller owns
/// @return how many there are; only the first `capacity` are written
TRN_API size_t trn_member_others(TrnMember *member, TrnMemberPlayer *players, size_t capacity);

// ---- figures -----------------------------------------------------------------------------------

/// Figures of a member, since it was created unless they say otherwise.
typedef struct TrnMemberStats {
    uint64_t edits;        ///< handed over, one for each region of a change
    uint64_t acknowledged; ///< of these
    /// Of these, for example for a type of block that the owner lacks; or whose answer was dropped
    /// because this member was cut off for more than a minute. Their chunks are loaded as they are
    uint64_t refused;
    /// Changes of loaded chunks that could not be noted for lack of memory, one for each chunk and
    /// change. They stay here until the chunk leaves the store, and others never see them: make
    /// them again, or remove the chunk and load it, once is_losing is false
    uint64_t lost;
    TrnCoord lost_chunk; ///< of the last of these
    bool is_losing;      ///< the latest change of a chunk was lost: memory is still short
    uint64_t executed;   ///< edits that this owner has committed, of all members
    /// Times that the database, or the changes of a region, went back to an earlier state: edits
    /// that were acknowledged may be lost, and all chunks were loaded again
    uint64_t rewinds;
    uint64_t applied;     ///< chunks that others' changes have changed here
    uint64_t polls;       ///< of the changes of regions
    uint64_t notifies;    ///< hints received
    uint32_t fetched;     ///< chunks of others that wait for the next update now
    uint64_t reloaded;    ///< chunks loaded again because they may have been inserted outdated
    size_t changed_bytes; ///< memory now that notes chunks that changed while they were not loaded
    uint32_t waiting;     ///< edits that are not acknowledged now
    uint32_t regions;     ///< that are followed now
    uint32_t owned;       ///< that are owned now
    uint32_t flowing;     ///< of these, whose liquids have yet to flow
    bool is_connected;    ///< the last question was answered
    bool has_hints;       ///< hints arrive now, so that polls are rare
    double ack_seconds;   ///< from an edit until it was acknowledged, of the last one
    char problem[512];    ///< why the last question failed; empty: it did not
} TrnMemberStats;

/// Returns the figures. Threads: any. Cost: O(regions + waiting edits).
TRN_API TrnMemberStats trn_member_stats(TrnMember *member);

TRN_C_END
#endif
