#include "render/quad_layout.h"

// A segment is made 11 % larger than its quads alone (5 % are names of chunks and ends of pages
// that no quad fills), and given up for a smaller one at 14.5 %.
#define TIGHT_PERCENT 111u
#define WASTE_PER_MILLE 1145u
#define FREE_MIN_PART 32u // at least so much of a segment is free when it is made
#define WASTE_STEPS 16u   // and has been wasteful for so long
#define MOVE_STEPS 32u // that a move takes, as callers step: there is room for what comes meanwhile
#define COMING_MUCH_PART 8u // where so much of what is there came in MOVE_STEPS, more will
#define DENIED_TIMES 256u
#define HOLES_PART 64u       // holes are closed where they are more of a segment than that
#define ROOM_LITTLE_PART 64u // and there is less room behind the last run
#define ROOM_WANTED_PART 32u // until there is so much
// So many pages may be moved to make room for a run before more memory is asked for.
#define COMPACT_FOR_PUT 1024u

_Static_assert(QUAD_PAGE_BYTES == (QUAD_PAGE_QUADS + 1) * QUAD_BYTES,
               "a page is a name and its quads");

// ---- segments -----------------------------------------------------------------------------------

static TrnAllocator allocator_of(const QuadLayout *layout)
{
    return layout->allocator ? *layout->allocator : trn_allocator_default();
}

static QuadSegment *current_of(QuadLayout *layout)
{
    return &layout->segments[layout->current];
}

static QuadSegment *other_of(QuadLayout *layout)
{
    return &layout->segments[layout->current ^ 1];
}

static uint32_t free_of(const QuadSegment *segment)
{
    return segment->pages.pages - segment->pages.taken;
}

bool quad_layout_is_moving(const QuadLayout *layout)
{
    return layout->segments[layout->current ^ 1].pages.pages != 0;
}

uint32_t quad_layout_held(const QuadLayout *layout)
{
    return layout->segments[0].pages.pages + layout->segments[1].pages.pages;
}

uint32_t quad_layout_free_pages(const QuadLayout *layout)
{
    return free_of(&layout->segments[0]) + free_of(&layout->segments[1]);
}

static void forget_segment(QuadLayout *layout, QuadSegment *segment)
{
    if (segment->owners) {
        const TrnAllocator allocator = allocator_of(layout);
        allocator.free(segment->owners, segment->pages.pages * sizeof(QuadRun *), allocator.user);
    }
    page_allocator_free(&segment->pages);
    *segment = (QuadSegment){0};
}

static void release_segment(QuadLayout *layout, uint32_t which)
{
    if (layout->segments[which].pages.pages) {
        layout->memory.free(layout->memory.user, which);
        forget_segment(layout, &layout->segments[which]);
    }
}

static bool create_segment(QuadLayout *layout, uint32_t which, uint32_t pages)
{
    const TrnAllocator allocator = allocator_of(layout);
    QuadSegment made = {.pages.memory = layout->allocator};
    made.owners = allocator.alloc(pages * sizeof(QuadRun *), _Alignof(QuadRun *), allocator.user);
    if (!made.owners || !page_allocator_grow(&made.pages, pages)) {
        made.pages.pages = pages; // what the owners were taken with
        forget_segment(layout, &made);
        return false;
    }
    if (!layout->memory.create(layout->memory.user, which, pages)) {
        forget_segment(layout, &made);
        return false;
    }
    layout->segments[which] = made;
    const uint32_t held = quad_layout_held(layout);
    layout->held_peak = held > layout->held_peak ? held : layout->held_peak;
    return true;
}

void quad_layout_free(QuadLayout *layout)
{
    release_segment(layout, 0);
    release_segment(layout, 1);
    *layout = (QuadLayout){
        .memory = layout->memory, .allocator = layout->allocator, .page_max = layout->page_max};
}

// ---- runs ---------------------------------------------------------------------------------------

static void own_run(QuadLayout *layout, uint32_t which, uint32_t page, QuadRun *run)
{
    QuadRun **owners = layout->segments[which].owners;
    owners[page] = owners[page + run->pages - 1] = run;
    run->first = quad_place(which, page);
}

static bool take_run(QuadLayout *layout, uint32_t pages, QuadRun *run)
{
    uint32_t page;
    if (!page_allocator_take(&current_of(layout)->pages, pages, &page)) {
        return false;
    }
    run->pages = pages;
    own_run(layout, layout->current, page, run);
    return true;
}

static void copy_run(QuadLayout *layout, uint32_t from, const QuadRun *run)
{
    layout->memory.copy(layout->memory.user, from, run->first, run->pages);
    layout->moved_pages += run->pages;
}

static QuadRun *last_run(const QuadSegment *segment)
{
    return segment->owners[page_allocator_end(&segment->pages) - 1];
}

// ---- holes --------------------------------------------------------------------------------------

/// Free pages below the last run.
static uint32_t count_holes(const QuadSegment *segment)
{
    return page_allocator_end(&segment->pages) - segment->pages.taken;
}

/// Moves the last run down into the hole that it fits best or, where it is larger than all of them, the run above the lowest hole
/// down into that. The pages of all runs together only ever get lower, so this comes to an end.
/// @return pages moved; 0 when there is no hole
static uint32_t close_hole(QuadLayout *layout)
{
    QuadSegment *segment = current_of(layout);
    if (count_holes(segment) == 0) {
        return 0;
    }
    QuadRun *run = last_run(segment);
    uint32_t to;
    if (!page_allocator_find(&segment->pages, run->pages, quad_place_page(run->first), &to)) {
        const PageRun hole = segment->pages.free_runs[0];
        to = hole.first;
        run = segment->owners[hole.first + hole.count];
    }
    const uint32_t from = run->first;
    // Given back first, so that the hole is large enough where the run slides into it, and taking
    // needs no memory.
    (void)page_allocator_give(&segment->pages, quad_place_page(from), run->pages);
    (void)page_allocator_take_first(&segment->pages, to, run->pages);
    own_run(layout, layout->current, to, run);
    copy_run(layout, from, run);
    return run->pages;
}

/// Closes holes until a run fits or too much has been moved. @param most  pages
static bool take_after_closing(QuadLayout *layout, uint32_t pages, QuadRun *run, uint64_t most)
{
    const uint64_t end = layout->moved_pages + most;
    while (free_of(current_of(layout)) >= pages && layout->moved_pages < end &&
           close_hole(layout)) {
        if (take_run(layout, pages, run)) {
            return true;
        }
    }
    return false;
}

/// Holes do no harm while there is room behind the last run. (Closing them whenever there were many moved three times as much.)
static bool has_to_compact(const QuadLayout *layout, const QuadSegment *segment)
{
    const uint32_t pages = segment->pages.pages;
    const uint32_t behind = pages - page_allocator_end(&segment->pages);
    return count_holes(segment) > pages / HOLES_PART &&
           behind < pages / (layout->is_compacting ? ROOM_WANTED_PART : ROOM_LITTLE_PART);
}

static void step_holes(QuadLayout *layout, uint32_t pages)
{
    layout->is_compacting = has_to_compact(layout, current_of(layout));
    const uint64_t end = layout->moved_pages + pages;
    while (layout->is_compacting && layout->moved_pages < end && close_hole(layout)) {
        layout->is_compacting = has_to_compact(layout, current_of(layout));
    }
}

// ---- from segment to segment --------------------------------------------------------------------

/// Pages that were put in the last steps.
static uint64_t came_lately(const QuadLayout *layout)
{
    return layout->recent[0] > layout->recent[1] ? layout->recent[0] : layout->recent[1];
}

/// Pages that hold what is there and so many more quads without waste, and yet with room for what comes while it moves in: as much as
/// came lately, but no more than half.
/// @param taken  pages of runs
static uint64_t wanted_pages(const QuadLayout *layout, uint32_t quads, uint64_t taken)
{
    const uint64_t by_bytes =
        ((uint64_t)layout->quads + quads) * QUAD_BYTES * TIGHT_PERCENT / 100 / QUAD_PAGE_BYTES;
    uint64_t coming = came_lately(layout);
    coming = coming < taken / 2 ? coming : taken / 2;
    coming = coming > taken / FREE_MIN_PART ? coming : taken / FREE_MIN_PART;
    const uint64_t by_pages = taken + coming + 1;
    const uint64_t pages = by_bytes > by_pages ? by_bytes : by_pages;
    return pages > QUAD_SEGMENT_PAGES_MIN ? pages : QUAD_SEGMENT_PAGES_MIN;
}

/// Copies that are made as one: runs that lie one behind the other move to where they do, as a rule. (170 copies of a run each, a
/// frame's worth, took llvmpipe 60 us, and one of them all 28.)
typedef struct CopyBatch {
    uint32_t from, to, pages;
} CopyBatch;

static void flush_copies(QuadLayout *layout, CopyBatch *batch)
{
    if (batch->pages) {
        layout->memory.copy(layout->memory.user, batch->from, batch->to, batch->pages);
    }
    batch->pages = 0;
}

static void add_copy(QuadLayout *layout, CopyBatch *batch, uint32_t from, const QuadRun *run)
{
    if (from != batch->from + batch->pages || run->first != batch->to + batch->pages) {
        flush_copies(layout, batch);
        *batch = (CopyBatch){from, run->first, 0};
    }
    batch->pages += run->pages;
    layout->moved_pages += run->pages;
}

static QuadRun *first_run(const QuadSegment *segment)
{
    const PageAllocator *pages = &segment->pages;
    const bool is_free = pages->free_count && pages->free_runs[0].first == 0;
    return segment->owners[is_free ? pages->free_runs[0].count : 0];
}

/// Moves one run over. @return false when there is no room, which is for want of memory for a note
static bool move_run(QuadLayout *layout, CopyBatch *batch)
{
    QuadSegment *old = other_of(layout);
    QuadRun *run = first_run(old);
    const uint32_t from = run->first;
    if (!take_run(layout, run->pages, run)) {
        flush_copies(layout, batch); // before what was copied moves on
        if (!take_after_closing(layout, run->pages, run, UINT32_MAX)) {
            return false;
        }
    }
    add_copy(layout, batch, from, run);
    (void)page_allocator_give(&old->pages, quad_place_page(from), run->pages);
    return true;
}

/// Moves runs over until so many pages have moved. @return false when some are left that cannot
static bool move_runs(QuadLayout *layout, uint64_t pages)
{
    const uint64_t end = layout->moved_pages + pages;
    CopyBatch batch = {0, 0, 0};
    bool good = true;
    while (good && other_of(layout)->pages.taken && layout->moved_pages < end) {
        good = move_run(layout, &batch);
    }
    flush_copies(layout, &batch);
    if (!other_of(layout)->pages.taken) {
        release_segment(layout, layout->current ^ 1);
    }
    return good;
}

/// New runs go to a new segment from now on, and what there is follows.
static bool begin_move(QuadLayout *layout, uint64_t pages)
{
    pages = pages < layout->page_max ? pages : layout->page_max;
    const uint32_t which = layout->current ^ 1;
    if (layout->denied) {
        layout->denied--;
        return false;
    }
    if (!create_segment(layout, which, (uint32_t)pages)) {
        layout->denied = DENIED_TIMES; // asking each time would cost more than it gives
        return false;
    }
    layout->current = which;
    layout->is_compacting = false;
    layout->wasteful = 0;
    if (!other_of(layout)->pages.taken) {
        release_segment(layout, which ^ 1);
    }
    return true;
}

static bool begin_growth(QuadLayout *layout, uint32_t quads, uint32_t pages)
{
    const uint64_t taken = (uint64_t)current_of(layout)->pages.taken + pages;
    if (taken > layout->page_max) {
        return false;
    }
    return begin_move(layout, wanted_pages(layout, quads, taken));
}

/// What has to move over with so many new pages, so that the last run does when there is room for no more.
static uint64_t share_of(QuadLayout *layout, uint32_t pages)
{
    const uint64_t left = other_of(layout)->pages.taken, room = free_of(current_of(layout));
    const uint64_t spare = room > left ? room - left : 0;
    return spare <= pages ? left : (left * pages + spare - 1) / spare;
}

/// Gives memory back that has not been needed for a while; not while a view comes, to give more back just after.
static void step_waste(QuadLayout *layout)
{
    const uint64_t held = quad_layout_held(layout), taken = current_of(layout)->pages.taken;
    const uint64_t wanted = wanted_pages(layout, 0, taken);
    const bool is_wasteful =
        held * QUAD_PAGE_BYTES * 1000 > (uint64_t)layout->quads * QUAD_BYTES * WASTE_PER_MILLE;
    // Where chunks of a few quads waste most of their pages, a smaller segment is none.
    const bool can_shrink =
        wanted < held - held / 64 && came_lately(layout) <= taken / COMING_MUCH_PART;
    layout->wasteful = is_wasteful && can_shrink ? layout->wasteful + 1 : 0;
    if (layout->wasteful > WASTE_STEPS) {
        (void)begin_move(layout, wanted);
    }
}

// ---- what is called -----------------------------------------------------------------------------

static bool put_run(QuadLayout *layout, uint32_t quads, uint32_t pages, QuadRun *run)
{
    if (quad_layout_is_moving(layout)) {
        (void)move_runs(layout, share_of(layout, pages));
    }
    if (take_run(layout, pages, run) || take_after_closing(layout, pages, run, COMPACT_FOR_PUT)) {
        return true;
    }
    if (quad_layout_is_moving(layout) && !move_runs(layout, UINT32_MAX)) {
        return false;
    }
    return (begin_growth(layout, quads, pages) && take_run(layout, pages, run)) ||
           take_after_closing(layout, pages, run, UINT32_MAX);
}

bool quad_layout_put(QuadLayout *layout, uint32_t quads, QuadRun *run)
{
    const uint32_t pages = quads / QUAD_PAGE_QUADS + (quads % QUAD_PAGE_QUADS != 0);
    if (!quads || quads > UINT32_MAX - layout->quads || !put_run(layout, quads, pages, run)) {
        return false;
    }
    layout->quads += quads;
    layout->recent[0] += pages;
    return true;
}

void quad_layout_drop(QuadLayout *layout, uint32_t quads, QuadRun *run)
{
    const uint32_t which = quad_place_segment(run->first);
    if (!page_allocator_give(&layout->segments[which].pages, quad_place_page(run->first),
                             run->pages)) {
        return;
    }
    layout->quads -= quads;
    *run = (QuadRun){0};
}

void quad_layout_step(QuadLayout *layout, uint32_t pages)
{
    if (++layout->steps % MOVE_STEPS == 0) {
        layout->recent[1] = layout->recent[0];
        layout->recent[0] = 0;
    }
    layout->denied -= layout->denied != 0;
    if (quad_layout_is_moving(layout)) {
        (void)move_runs(layout, pages);
        return;
    }
    step_holes(layout, pages);
    step_waste(layout);
}
