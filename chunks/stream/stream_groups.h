/// Private: groups of meshes that must appear in the same update, since one edit touches them all.
///
/// Finished meshes wait for the others. An edit that touches a mesh of a pending group joins that
/// group, so that half of an edit never shows.
#ifndef TERRANE_STREAM_STREAM_GROUPS_H
#define TERRANE_STREAM_STREAM_GROUPS_H

#include "base/array.h"
#include "stream_cells.h"

#define TRN_STREAM_GROUP_NONE UINT32_MAX

/// One of the meshes that an edit touches.
typedef struct TrnStreamMember {
    uint32_t cell;
    bool is_done;
    TrnStreamMade made; ///< if is_done
} TrnStreamMember;

TRN_ARRAY_DECLARE(TrnStreamMemberArray, TrnStreamMember);

typedef struct TrnStreamGroup {
    TrnStreamMemberArray members;
    uint32_t pending; ///< members without a finished mesh
    bool is_used;
    double since_us;       ///< time of its first edit
    uint64_t since_update; ///< update of its first edit
} TrnStreamGroup;

TRN_ARRAY_DECLARE(TrnStreamGroupArray, TrnStreamGroup);

typedef struct TrnStreamGroups {
    const TrnStreamCells *cells;
    const TrnAllocator *allocator;
    TrnStreamGroupArray all;
    uint32_t open;      ///< groups in use
    bool have_unwanted; ///< some members are in no view
} TrnStreamGroups;

/// Cells and allocator must outlive the groups.
void trn_stream_groups_init(TrnStreamGroups *groups, const TrnStreamCells *cells,
                            const TrnAllocator *allocator);

/// Frees all groups. @param drop  called for each finished mesh
void trn_stream_groups_destroy(TrnStreamGroups *groups,
                               void (*drop)(void *user, TrnStreamMesh mesh), void *user);

/// Makes a cell a member, with its mesh pending.
/// @param group     TRN_STREAM_GROUP_NONE: the cell's own, or a new one
/// @param outdated  receives the finished mesh that it had in its group; otherwise unchanged
/// @return its group; TRN_STREAM_GROUP_NONE without memory: a cell in no group stays in none, and
///         groups that could not be merged stay apart
uint32_t trn_stream_groups_join(TrnStreamGroups *groups, TrnStreamCell *cell, uint32_t group,
                                double now_us, uint64_t update, TrnStreamMesh *outdated);

/// Whether a cell is a member of a group.
static inline bool trn_stream_groups_have(const TrnStreamCell *cell)
{
    return cell->group != 0;
}

/// Takes a member's finished mesh. @return its group, which may be complete now
uint32_t trn_stream_groups_finish(TrnStreamGroups *groups, const TrnStreamCell *cell,
                                  const TrnStreamMade *made);

/// Whether a member's mesh is finished.
bool trn_stream_groups_is_finished(const TrnStreamGroups *groups, const TrnStreamCell *cell);

/// Removes a member from its group; the group continues without it.
/// @param mesh  receives its finished mesh; otherwise unchanged
/// @return the group, which may be complete now
uint32_t trn_stream_groups_remove(TrnStreamGroups *groups, TrnStreamCell *cell,
                                  TrnStreamMesh *mesh);

/// If all meshes of a group are finished, its cells leave it, and it is returned: show its meshes,
/// then call end_show. Otherwise NULL. Closes an empty group and returns NULL.
const TrnStreamGroup *trn_stream_groups_begin_show(TrnStreamGroups *groups, uint32_t index);
void trn_stream_groups_end_show(TrnStreamGroups *groups, uint32_t index);

/// Returns a member that no view holds, or NULL. Start with *cursor = 0; remove the member before
/// the next call.
TrnStreamCell *trn_stream_groups_next_unwanted(TrnStreamGroups *groups, uint64_t *cursor);

/// Whether any group is pending.
bool trn_stream_groups_are_open(const TrnStreamGroups *groups);

/// Records that a cell left all views; a member is then found by next_unwanted.
void trn_stream_groups_note_unwanted(TrnStreamGroups *groups, const TrnStreamCell *cell);

/// How many updates the oldest group has been pending.
uint64_t trn_stream_groups_age(const TrnStreamGroups *groups, uint64_t update);

#endif
