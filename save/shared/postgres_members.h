/// Private: the questions of the members of a shared world (terrane/member.h): edits that wait for
/// the owner of their region, what changed in regions, and players. All return false with a fault.
#ifndef TERRANE_SHARED_POSTGRES_MEMBERS_H
#define TERRANE_SHARED_POSTGRES_MEMBERS_H

#include <terrane/member.h>

#include "postgres_link.h"

/// The change of an edit that its owner has refused.
#define TRN_PG_EDIT_REFUSED (-1)
/// The change of an edit that its owner has made in a region in which nothing has changed so far:
/// all was as the edit would have it.
#define TRN_PG_EDIT_IDLE (-2)

/// The most bytes of an edit that is handed to an owner. More are refused unread.
#define TRN_PG_EDIT_BYTES_MAX (64 << 20)

// ---- edits -------------------------------------------------------------------------------------

/// Hands an edit to the owner of a region. If it was handed over before, nothing changes.
/// @param tells   the channel of the region, in the same transaction
/// @param number  of the member's own, from 1
bool trn_pg_edit_submit(TrnPgLink *link, bool tells, int64_t region, int64_t member, int64_t number,
                        const void *bytes, size_t size);

/// Answers edits of a region.
/// @param change  of the region when it has them, or TRN_PG_EDIT_REFUSED
bool trn_pg_edit_answer(TrnPgLink *link, int64_t region, const int64_t *tickets, size_t count,
                        int64_t change);

/// In the transaction of a put of the region, which has its next change: answers edits with it.
bool trn_pg_edit_answer_put(TrnPgLink *link, int64_t region, const int64_t *tickets, size_t count);

/// Drops edits of a member that are answered. @param regions, numbers  [count]
bool trn_pg_edit_drop(TrnPgLink *link, const int64_t *regions, const int64_t *numbers, size_t count,
                      int64_t member);

/// Drops answers of a region that their members have not taken for a minute.
bool trn_pg_edit_drop_old(TrnPgLink *link, int64_t region);

// ---- notes -------------------------------------------------------------------------------------

/// What the owner of a region leaves to the next one: a row of terrane_edits, of member 0, which is
/// no edit that waits.
typedef enum TrnPgNote {
    TRN_PG_NOTE_DUE = 1,    ///< what its liquids have yet to do
    TRN_PG_NOTE_LEVELS = 2, ///< which chunks of levels of detail are outdated
} TrnPgNote;

/// Writes a note of a region. @param bytes  [size] empty: drops it
bool trn_pg_note_put(TrnPgLink *link, int64_t region, TrnPgNote note, const void *bytes,
                     size_t size);

/// Reads a note of a region. Columns: bytes.
bool trn_pg_note_get(TrnPgLink *link, int64_t region, TrnPgNote note, TrnPgVisitor *visit,
                     void *user);

// ---- changes -----------------------------------------------------------------------------------

/// Reads the change of a region. @param change  receives it; 0: nothing was ever put there
bool trn_pg_change(TrnPgLink *link, int64_t region, int64_t *change);

/// How far a server is in which history. All zeroes: not known.
typedef struct TrnPgEpoch {
    int64_t system;   ///< of the cluster
    int64_t timeline; ///< a promotion begins another
    int64_t place;    ///< in the log, in bytes
} TrnPgEpoch;

/// Reads the epoch; not known, without a fault, where the server has none.
bool trn_pg_epoch(TrnPgLink *link, TrnPgEpoch *epoch);

/// Reads how far a server is that has an epoch, also in a pipeline. The system stays as it is: a
/// connection does not change its server.
bool trn_pg_place(TrnPgLink *link, TrnPgEpoch *epoch);

/// What a member looks for. All of it is one message to the server and one transaction.
typedef struct TrnPgLook {
    const int64_t *owned; ///< [owned_count] regions whose waiting edits are listed
    size_t owned_count;
    bool is_waiting;        ///< edits of the member are listed with their answers
    int64_t member;         ///< its id
    const int64_t *regions; ///< [count] whose changes and answers are listed
    const int64_t *since;   ///< [count] changes that are known; none has happened: INT64_MAX
    size_t count;
    bool has_epoch; ///< the server has one

    /// Receives edits without an answer, by region and in their order, some 64 MiB at most.
    /// Columns: region, ticket, bytes.
    TrnPgVisitor *edit;
    TrnPgVisitor *answer; ///< Columns: region, number, change, which is 0 without an answer
    /// Receives changes. Columns: region, the region's last change, a change after `since` or 0,
    /// its chunks as in postgres_put.h. By region and in order, regions without news left out, and
    /// at most 4,096 rows: the rest is for the next look. The first change of a region is not
    /// since + 1 if those between are no longer there.
    TrnPgVisitor *news;
    /// Receives rows of chunks that changed, at most 64, which are as late as the news or later.
    /// Columns: level, x, y, z, revision, bytes.
    TrnPgVisitor *row;
    void *user;

    TrnPgEpoch epoch; ///< that of the last look; receives that of the server, at least as far as
                      ///< the news
} TrnPgLook;

/// Looks. @return false with a fault; some rows may have been visited
bool trn_pg_look(TrnPgLink *link, TrnPgLook *look);

/// Listens to the channel of a region, or no longer. It fails, without a lost connection, where the
/// server has no NOTIFY.
bool trn_pg_listen(TrnPgLink *link, int64_t region, bool is_on);

/// Takes the next hint that a region which is listened to may have changed.
/// @param own  the member, whose own hints are left out  @return false: there is none
bool trn_pg_next_hint(TrnPgLink *link, int64_t own, int64_t *region);

/// Reads a number of the world, which tells it apart from others of the server; 0 if it has none.
bool trn_pg_world(TrnPgLink *link, uint64_t *world);

// ---- players -----------------------------------------------------------------------------------

/// Notes where a member's player is, for some time. It may be lost with the server.
bool trn_pg_player_put(TrnPgLink *link, int64_t member, const TrnMemberPlayer *player, uint64_t ms);

/// Lists the players of other members, whose time is not up. Columns: name, x, y, z, yaw, pitch.
bool trn_pg_players(TrnPgLink *link, int64_t member, TrnPgVisitor *visit, void *user);

/// Drops a member's player, and those whose time is up.
bool trn_pg_player_drop(TrnPgLink *link, int64_t member);

#endif
