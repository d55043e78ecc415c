// Groups of meshes of edits.

#include "stream_groups.h"

void trn_stream_groups_init(TrnStreamGroups *groups, const TrnStreamCells *cells,
                            const TrnAllocator *allocator)
{
    *groups = (TrnStreamGroups){.cells = cells, .allocator = allocator};
}

void trn_stream_groups_destroy(TrnStreamGroups *groups,
                               void (*drop)(void *user, TrnStreamMesh mesh), void *user)
{
    for (uint32_t i = 0; i < groups->all.count; i++) {
        TrnStreamGroup *group = &groups->all.items[i];
        for (uint32_t m = 0; group->is_used && m < group->members.count; m++) {
            const TrnStreamMember *member = &group->members.items[m];
            if (member->is_done) {
                drop(user, member->made.mesh);
            }
        }
        trn_array_free(&group->members, groups->allocator);
    }
    if (groups->allocator) {
        trn_array_free(&groups->all, groups->allocator);
    }
}

static TrnStreamCell *groups_cell(const TrnStreamGroups *groups, const TrnStreamMember *member)
{
    return trn_stream_cells_at(groups->cells, member->cell);
}

static TrnStreamMember *groups_member(const TrnStreamGroups *groups, const TrnStreamCell *cell)
{
    return &groups->all.items[cell->group - 1].members.items[cell->member_index];
}

/// Returns an empty group, or TRN_STREAM_GROUP_NONE without memory.
static uint32_t groups_open(TrnStreamGroups *groups, double now_us, uint64_t update)
{
    uint32_t index = 0;
    while (index < groups->all.count && groups->all.items[index].is_used) {
        index++;
    }
    if (index == groups->all.count &&
        trn_array_push(&groups->all, groups->allocator, (TrnStreamGroup){0}) != TRN_RESULT_OK) {
        return TRN_STREAM_GROUP_NONE;
    }
    TrnStreamGroup *group = &groups->all.items[index];
    group->is_used = true;
    group->members.count = group->pending = 0;
    group->since_us = now_us;
    group->since_update = update;
    groups->open++;
    return index;
}

static void groups_close(TrnStreamGroups *groups, TrnStreamGroup *group)
{
    group->is_used = false;
    groups->open--;
}

/// @return false without memory
static bool groups_add(TrnStreamGroups *groups, uint32_t index, TrnStreamMember member)
{
    TrnStreamGroup *group = &groups->all.items[index];
    if (trn_array_push(&group->members, groups->allocator, member) != TRN_RESULT_OK) {
        return false;
    }
    TrnStreamCell *cell = groups_cell(groups, &member);
    cell->group = index + 1;
    cell->member_index = group->members.count - 1;
    group->pending += !member.is_done;
    return true;
}

/// Moves all members of one group to another. @return false without memory; nothing changes
static bool groups_merge(TrnStreamGroups *groups, uint32_t to_index, uint32_t from_index)
{
    TrnStreamGroup *from = &groups->all.items[from_index], *to = &groups->all.items[to_index];
    if (trn_array_reserve(&to->members, groups->allocator,
                          (size_t)to->members.count + from->members.count) != TRN_RESULT_OK) {
        return false;
    }
    for (uint32_t i = 0; i < from->members.count; i++) {
        (void)groups_add(groups, to_index, from->members.items[i]); // has capacity
    }
    to->since_us = from->since_us < to->since_us ? from->since_us : to->since_us;
    to->since_update =
        from->since_update < to->since_update ? from->since_update : to->since_update;
    groups_close(groups, from);
    return true;
}

/// A member's mesh is outdated: it is pending again, and its group merges with another.
static uint32_t groups_rejoin(TrnStreamGroups *groups, TrnStreamCell *cell, uint32_t group,
                              TrnStreamMesh *outdated)
{
    const uint32_t own = cell->group - 1;
    TrnStreamMember *member = groups_member(groups, cell);
    if (member->is_done) {
        *outdated = member->made.mesh;
        member->made = (TrnStreamMade){.stamp = 0};
        member->is_done = false;
        groups->all.items[own].pending++;
    }
    if (group == TRN_STREAM_GROUP_NONE || group == own) {
        return own;
    }
    return groups_merge(groups, group, own) ? group : TRN_STREAM_GROUP_NONE;
}

uint32_t trn_stream_groups_join(TrnStreamGroups *groups, TrnStreamCell *cell, uint32_t group,
                                double now_us, uint64_t update, TrnStreamMesh *outdated)
{
    if (cell->group) {
        return groups_rejoin(groups, cell, group, outdated);
    }
    if (group == TRN_STREAM_GROUP_NONE) {
        group = groups_open(groups, now_us, update);
        if (group == TRN_STREAM_GROUP_NONE) {
            return TRN_STREAM_GROUP_NONE;
        }
    }
    if (!groups_add(groups, group, (TrnStreamMember){.cell = cell->slot})) {
        TrnStreamGroup *full = &groups->all.items[group];
        if (!full->members.count) {
            groups_close(groups, full);
        }
        return TRN_STREAM_GROUP_NONE;
    }
    return group;
}

uint32_t trn_stream_groups_finish(TrnStreamGroups *groups, const TrnStreamCell *cell,
                                  const TrnStreamMade *made)
{
    TrnStreamMember *member = groups_member(groups, cell);
    TRN_ASSERT(!member->is_done);
    member->made = *made;
    member->is_done = true;
    groups->all.items[cell->group - 1].pending--;
    return cell->group - 1;
}

bool trn_stream_groups_is_finished(const TrnStreamGroups *groups, const TrnStreamCell *cell)
{
    return groups_member(groups, cell)->is_done;
}

uint32_t trn_stream_groups_remove(TrnStreamGroups *groups, TrnStreamCell *cell, TrnStreamMesh *mesh)
{
    const uint32_t index = cell->group - 1, place = cell->member_index;
    TrnStreamGroup *group = &groups->all.items[index];
    const TrnStreamMember taken = group->members.items[place];
    trn_array_remove_swap(&group->members, place);
    if (place < group->members.count) {
        groups_cell(groups, &group->members.items[place])->member_index = place;
    }
    group->pending -= !taken.is_done;
    cell->group = 0;
    if (taken.is_done) {
        *mesh = taken.made.mesh;
    }
    return index;
}

const TrnStreamGroup *trn_stream_groups_begin_show(TrnStreamGroups *groups, uint32_t index)
{
    TrnStreamGroup *group = &groups->all.items[index];
    if (!group->is_used || group->pending) {
        return NULL;
    }
    if (!group->members.count) {
        groups_close(groups, group);
        return NULL;
    }
    for (uint32_t i = 0; i < group->members.count; i++) { // showing must find no membership
        groups_cell(groups, &group->members.items[i])->group = 0;
    }
    return group;
}

void trn_stream_groups_end_show(TrnStreamGroups *groups, uint32_t index)
{
    groups_close(groups, &groups->all.items[index]);
}

TrnStreamCell *trn_stream_groups_next_unwanted(TrnStreamGroups *groups, uint64_t *cursor)
{
    if (!groups->have_unwanted) {
        return NULL;
    }
    // The cursor: the group, and how many of its members have been looked at from the end.
    uint32_t index = (uint32_t)(*cursor >> 32), seen = (uint32_t)*cursor;
    for (; index < groups->all.count; index++, seen = 0) {
        const TrnStreamGroup *group = &groups->all.items[index];
        for (; group->is_used && seen < group->members.count; seen++) {
            // Removing a member moves the last one, which has been looked at, into its place.
            TrnStreamCell *cell =
                groups_cell(groups, &group->members.items[group->members.count - 1 - seen]);
            if (cell->is_unloading) {
                *cursor = (uint64_t)index << 32 | seen;
                return cell;
            }
        }
    }
    groups->have_unwanted = false;
    return NULL;
}

bool trn_stream_groups_are_open(const TrnStreamGroups *groups)
{
    return groups->open > 0;
}

void trn_stream_groups_note_unwanted(TrnStreamGroups *groups, const TrnStreamCell *cell)
{
    groups->have_unwanted |= cell->group != 0;
}

uint64_t trn_stream_groups_age(const TrnStreamGroups *groups, uint64_t update)
{
    uint64_t oldest = 0;
    for (uint32_t i = 0; groups->open && i < groups->all.count; i++) {
        const TrnStreamGroup *group = &groups->all.items[i];
        if (group->is_used && update - group->since_update > oldest) {
            oldest = update - group->since_update;
        }
    }
    return oldest;
}
