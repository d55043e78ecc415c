/// Private: the questions of the members of a shared world (terrane/member.h): edits that wait for
/// the owner of their region, what changed in regions, and players. All return false with a fault.
#ifndef TERRANE_SHARED_POSTGRES_MEMBERS_H
#define TERRANE_SHARED_POSTGRES_MEMBERS_H

#include <terrane/member.h>

#include "postgres_link.h"

/// The change of an edit that its owner has refused.
#define TRN_PG_EDIT_REFUSED (-1)

/// The most bytes of an edit that is handed to an owner. More are refused unread.
#define TRN_PG_EDIT_BYTES_MAX (64 << 20)

// ---- edits -------------------------------------------------------------------------------------

/// Hands an edit to the owner of a region. If it was handed over before, nothing changes.
/// @param tells   the channel of the region, in the same transaction
/// @param number  of the member's own, from 1
bool trn_pg_edit_submit(TrnPgLink *link, bool tells, int64_t region, int64_t member, int64_t number,
                        const void *bytes, size_t size);

/// Lists edits of some regions that have no answer, by region and in their order. Columns: region,
/// ticket, bytes.
bool trn_pg_edit_list(TrnPgLink *link, const int64_t *regions, size_t count, TrnPgVisitor *visit,
                      void *user);

/// Answers edits of a region.
/// @param tells   the channel of the region, in the same transaction
/// @param change  of the region when it has them, or TRN_PG_EDIT_REFUSED
bool trn_pg_edit_answer(TrnPgLink *link, bool tells, int64_t region, const int64_t *tickets,
                        size_t count, int64_t change);

/// Lists the answers to a member's edits in some regions. Columns: region, number, change.
bool trn_pg_edit_answers(TrnPgLink *link, const int64_t *regions, size_t count, int64_t member,
                         TrnPgVisitor *visit, void *user);

/// Drops edits of a member that are answered. @param regions, numbers  [count]
bool trn_pg_edit_drop(TrnPgLink *link, const int64_t *regions, const int64_t *numbers, size_t count,
                      int64_t member);

/// Drops answers of a region that their members have not taken for a minute.
bool trn_pg_edit_drop_old(TrnPgLink *link, int64_t region);

// ---- changes -----------------------------------------------------------------------------------

/// Reads the change of a region. @param change  receives it; 0: nothing was ever put there
bool trn_pg_change(TrnPgLink *link, int64_t region, int64_t *change);

/// Lists what changed in regions, in one question.
/// @param since  [count] changes that are known; none of a region has happened: INT64_MAX
/// @param has_epoch  the server has one (trn_pg_epoch), which is in each row
/// Columns: region, the region's last change, a change after `since` or 0, its chunks as in
/// postgres_put.h, and the three of TrnPgEpoch, or zeroes. By region and in order, regions without
/// news left out, and at most 4,096 rows: the rest is for the next call. The first change of a
/// region is not since + 1 if those between are no longer there.
bool trn_pg_feed(TrnPgLink *link, bool has_epoch, const int64_t *regions, const int64_t *since,
                 size_t count, TrnPgVisitor *visit, void *user);

/// How far a server is in which history. All zeroes: not known.
typedef struct TrnPgEpoch {
    int64_t system;   ///< of the cluster
    int64_t timeline; ///< a promotion begins another
    int64_t place;    ///< in the log, in bytes
} TrnPgEpoch;

/// Reads the epoch; not known, without a fault, where the server has none.
bool trn_pg_epoch(TrnPgLink *link, TrnPgEpoch *epoch);

/// Whether a server may have lost what it had committed at an earlier epoch: a standby that was
/// behind was promoted, or a backup restored.
bool trn_pg_epoch_is_earlier(const TrnPgEpoch *then, const TrnPgEpoch *now);

/// Listens to the channel of a region, or no longer. It fails, without a lost connection, where the
/// server has no NOTIFY.
bool trn_pg_listen(TrnPgLink *link, int64_t region, bool is_on);

/// Takes the next hint that a region which is listened to may have changed.
/// @return false: there is none
bool trn_pg_next_hint(TrnPgLink *link, int64_t *region);

// ---- players -----------------------------------------------------------------------------------

/// Notes where a member's player is, for some time. It may be lost with the server.
bool trn_pg_player_put(TrnPgLink *link, int64_t member, const TrnMemberPlayer *player, uint64_t ms);

/// Lists the players of other members, whose time is not up. Columns: name, x, y, z, yaw, pitch.
bool trn_pg_players(TrnPgLink *link, int64_t member, TrnPgVisitor *visit, void *user);

/// Drops a member's player, and those whose time is up.
bool trn_pg_player_drop(TrnPgLink *link, int64_t member);

#endif
