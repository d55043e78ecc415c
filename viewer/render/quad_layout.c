#include "render/quad_layout.h"

// Parts are relative to the pages in runs. Pages in no run stay below a ninth of them; with 5 % for
// page headers and partly used pages, memory is 15 % more than the quads need.
#define GROWTH_PART 24u    // size of a new segment, or its difference from the one it replaces
#define FREE_PER_MILLE 80u // if more pages are free, a segment is emptied
#define SPARE_PART 96u     // free pages to keep when emptying
#define CLOSING_PART 40u   // if fewer are free, allocate memory before closing holes
#define FREE_MIN (QUAD_SEGMENT_PAGES_MIN + QUAD_SEGMENT_PAGES_MIN / 4) // never too much
#define SEGMENTS_FEW_LEFT 1u // if fewer segments are unused, a new segment replaces an old one
#define DENIED_TIMES 256u
#define REST_FRAMES 8u // pause after emptying a segment has failed
// Moves at most this many pages to fit a run before allocating more memory.
#define COMPACT_FOR_PUT 1024u
#define NO_SEGMENT QUAD_SEGMENTS

_Static_assert(QUAD_PAGE_BYTES == (QUAD_PAGE_QUADS + 1) * QUAD_BYTES,
               "a page is a name and its quads");

// ---- segments -----------------------------------------------------------------------------------

static TrnAllocator quad_layout_allocator_of(const QuadLayout *layout)
{
    return layout->allocator ? *layout->allocator : trn_allocator_default();
}

static uint32_t quad_layout_free_of(const QuadSegment *segment)
{
    return segment->pages.pages - segment->pages.taken;
}

bool quad_layout_is_moving(const QuadLayout *layout)
{
    return layout->emptied != 0;
}

uint32_t quad_layout_held(const QuadLayout *layout)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
        held += layout->segments[i].pages.pages;
    }
    return held;
}

uint32_t quad_layout_free_pages(const QuadLayout *layout)
{
    uint32_t pages = 0;
    for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
        pages += quad_layout_free_of(&layout->segments[i]);
    }
    return pages;
}

/// Returns the number of pages in runs.
static uint32_t quad_layout_count_taken(const QuadLayout *layout)
{
    return quad_layout_held(layout) - quad_layout_free_pages(layout);
}

/// Whether a segment accepts new runs.
static bool quad_layout_takes_runs(const QuadLayout *layout, uint32_t which)
{
    return layout->segments[which].pages.pages && which + 1 != layout->emptied;
}

static void quad_layout_forget_segment(QuadLayout *layout, QuadSegment *segment)
{
    if (segment->owners) {
        const TrnAllocator allocator = quad_layout_allocator_of(layout);
        allocator.free(segment->owners, segment->pages.pages * sizeof(QuadRun *), allocator.user);
    }
    page_allocator_free(&segment->pages);
    *segment = (QuadSegment){0};
}

static void quad_layout_release_segment(QuadLayout *layout, uint32_t which)
{
    if (layout->segments[which].pages.pages) {
        layout->memory.free(layout->memory.user, which);
        quad_layout_forget_segment(layout, &layout->segments[which]);
    }
}

static bool quad_layout_create_segment(QuadLayout *layout, uint32_t which, uint32_t pages)
{
    const TrnAllocator allocator = quad_layout_allocator_of(layout);
    QuadSegment made = {.pages.memory = layout->allocator};
    made.owners = allocator.alloc(pages * sizeof(QuadRun *), _Alignof(QuadRun *), allocator.user);
    if (!made.owners || !page_allocator_grow(&made.pages, pages)) {
        made.pages.pages = pages; // the size for which `owners` was allocated
        quad_layout_forget_segment(layout, &made);
        return false;
    }
    if (!layout->memory.create(layout->memory.user, which, pages)) {
        quad_layout_forget_segment(layout, &made);
        return false;
    }
    layout->segments[which] = made;
    const uint32_t held = quad_layout_held(layout);
    layout->held_peak = held > layout->held_peak ? held : layout->held_peak;
    return true;
}

void quad_layout_free(QuadLayout *layout)
{
    for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
        quad_layout_release_segment(layout, i);
    }
    *layout = (QuadLayout){
        .memory = layout->memory, .allocator = layout->allocator, .page_max = layout->page_max};
}

/// Counts the segments without memory, and returns the first of them in `first`.
static uint32_t quad_layout_count_unused(const QuadLayout *layout, uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t i = QUAD_SEGMENTS; i-- > 0;) {
        if (!layout->segments[i].pages.pages) {
            *first = i;
            count++;
        }
    }
    return count;
}

/// Adds a segment. After a refusal, skips the next attempts: a failing allocation costs more than
/// it gains.
static bool quad_layout_add_segment(QuadLayout *layout, uint32_t pages)
{
    uint32_t which;
    if (!quad_layout_count_unused(layout, &which)) {
        return false;
    }
    if (layout->denied) {
        layout->denied--;
        return false;
    }
    if (!quad_layout_create_segment(layout, which, pages)) {
        layout->denied = DENIED_TIMES;
        return false;
    }
    return true;
}

/// Returns the smallest segment that accepts runs.
static uint32_t quad_layout_smallest_segment(const QuadLayout *layout)
{
    uint32_t best = NO_SEGMENT, best_pages = UINT32_MAX;
    for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
        if (quad_layout_takes_runs(layout, i) && layout->segments[i].pages.pages < best_pages) {
            best_pages = layout->segments[i].pages.pages;
            best = i;
        }
    }
    return best;
}

// ---- runs ---------------------------------------------------------------------------------------

static void quad_layout_own_run(QuadLayout *layout, uint32_t which, uint32_t page, QuadRun *run)
{
    QuadRun **owners = layout->segments[which].owners;
    owners[page] = owners[page + run->pages - 1] = run;
    run->first = quad_place(which, page);
}

/// Takes the best fit for a run over all segments, so that large holes stay free for large runs.
static bool quad_layout_take_run(QuadLayout *layout, uint32_t pages, QuadRun *run)
{
    uint32_t best = NO_SEGMENT, best_page = 0, best_count = UINT32_MAX;
    for (uint32_t i = 0; i < QUAD_SEGMENTS && best_count > pages; i++) {
        uint32_t page;
        const uint32_t count =
            quad_layout_takes_runs(layout, i)
                ? page_allocator_find(&layout->segments[i].pages, pages, UINT32_MAX, &page)
                : 0;
        if (count && count < best_count) {
            best = i;
            best_page = page;
            best_count = count;
        }
    }
    if (best == NO_SEGMENT ||
        !page_allocator_take_first(&layout->segments[best].pages, best_page, pages)) {
        return false;
    }
    run->pages = pages;
    quad_layout_own_run(layout, best, best_page, run);
    return true;
}

static void quad_layout_copy_run(QuadLayout *layout, uint32_t from, const QuadRun *run)
{
    layout->memory.copy(layout->memory.user, from, run->first, run->pages);
    layout->moved_pages += run->pages;
}

static QuadRun *quad_layout_last_run(const QuadSegment *segment)
{
    return segment->owners[page_allocator_end(&segment->pages) - 1];
}

// ---- holes --------------------------------------------------------------------------------------

/// Counts the free pages below the last run.
static uint32_t quad_layout_count_holes(const QuadSegment *segment)
{
    return page_allocator_end(&segment->pages) - segment->pages.taken;
}

/// Moves the segment's last run down into the hole that fits it best. If the run is larger than
/// every hole, slides the run above the lowest hole down into it. Every move lowers pages, so the
/// loop ends.
/// @return the pages moved; 0 if there is no hole
static uint32_t quad_layout_close_hole(QuadLayout *layout, uint32_t which)
{
    QuadSegment *segment = &layout->segments[which];
    if (quad_layout_count_holes(segment) == 0) {
        return 0;
    }
    QuadRun *run = quad_layout_last_run(segment);
    uint32_t to;
    if (!page_allocator_find(&segment->pages, run->pages, quad_place_page(run->first), &to)) {
        const PageRun hole = segment->pages.free_runs[0];
        to = hole.first;
        run = segment->owners[hole.first + hole.count];
    }
    const uint32_t from = run->first;
    // Freed first, so that the hole is large enough when the run slides into it, and taking needs
    // no memory.
    (void)page_allocator_give(&segment->pages, quad_place_page(from), run->pages);
    (void)page_allocator_take_first(&segment->pages, to, run->pages);
    quad_layout_own_run(layout, which, to, run);
    quad_layout_copy_run(layout, from, run);
    return run->pages;
}

/// Returns the segment with the most free pages of those that accept runs.
static uint32_t quad_layout_freest_segment(const QuadLayout *layout)
{
    uint32_t best = NO_SEGMENT, best_free = 0;
    for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
        if (quad_layout_takes_runs(layout, i) &&
            quad_layout_free_of(&layout->segments[i]) > best_free) {
            best_free = quad_layout_free_of(&layout->segments[i]);
            best = i;
        }
    }
    return best;
}

/// Closes holes in the segment with the most free pages, until the run fits or the limit is
/// reached.
/// @param most  pages to move
static bool quad_layout_take_after_closing(QuadLayout *layout, uint32_t pages, QuadRun *run,
                                           uint64_t most)
{
    const uint32_t which = quad_layout_freest_segment(layout);
    const uint64_t end = layout->moved_pages + most;
    if (which == NO_SEGMENT || quad_layout_free_of(&layout->segments[which]) < pages) {
        return false;
    }
    while (layout->moved_pages < end && quad_layout_close_hole(layout, which)) {
        if (quad_layout_take_run(layout, pages, run)) {
            return true;
        }
    }
    return false;
}

// ---- emptying a segment -------------------------------------------------------------------------

/// Moves a run out of the segment that is being emptied.
/// @return false if no other segment has space for it, or if the limit is reached
static bool quad_layout_move_run(QuadLayout *layout, uint64_t most)
{
    QuadSegment *old = &layout->segments[layout->emptied - 1];
    QuadRun *run = quad_layout_last_run(old);
    const uint32_t from = run->first;
    if (!quad_layout_take_run(layout, run->pages, run) &&
        !quad_layout_take_after_closing(layout, run->pages, run, most)) {
        return false;
    }
    quad_layout_copy_run(layout, from, run);
    (void)page_allocator_give(&old->pages, quad_place_page(from), run->pages);
    return true;
}

/// Moves runs out of the segment that is being emptied until this many pages have moved, and frees
/// the segment once it is empty. If a run fits nowhere else, emptying stops and pauses for some
/// frames, because it would choose the same segment again.
/// @return whether the segment was freed
static bool quad_layout_empty_segment(QuadLayout *layout, uint64_t pages)
{
    const QuadSegment *old = &layout->segments[layout->emptied - 1];
    const uint64_t end = layout->moved_pages + pages;
    bool good = quad_layout_free_pages(layout) - quad_layout_free_of(old) >= old->pages.taken;
    while (good && old->pages.taken && layout->moved_pages < end) {
        good = quad_layout_move_run(layout, end - layout->moved_pages);
    }
    if (!old->pages.taken) {
        quad_layout_release_segment(layout, layout->emptied - 1);
        layout->emptied = 0;
        return true;
    }
    if (layout->moved_pages < end) {
        layout->emptied = 0;
        layout->rest = REST_FRAMES;
    }
    return false;
}

/// Returns the segment with the fewest used pages, of those with at most `spare` pages.
static uint32_t quad_layout_cheapest_segment(const QuadLayout *layout, uint32_t spare)
{
    uint32_t best = NO_SEGMENT, best_taken = UINT32_MAX;
    for (uint32_t i = 0; i < QUAD_SEGMENTS; i++) {
        const PageAllocator *pages = &layout->segments[i].pages;
        if (quad_layout_takes_runs(layout, i) && pages->pages <= spare &&
            pages->taken < best_taken) {
            best_taken = pages->taken;
            best = i;
        }
    }
    return best;
}

/// If all segments are too large to be emptied into the free pages, replaces the smallest one by a
/// smaller one. Until then too much is allocated. (Replacing segments as soon as they became large
/// compared with the total kept the limit in more frames, but moved three to thirty times as much.)
static void quad_layout_replace_smallest(QuadLayout *layout, uint32_t spare)
{
    const uint32_t which = quad_layout_smallest_segment(layout);
    const uint32_t pages = layout->segments[which].pages.pages;
    if (pages > spare + QUAD_SEGMENT_PAGES_MIN && quad_layout_add_segment(layout, pages - spare)) {
        layout->emptied = which + 1;
    }
}

/// If too many pages are free, chooses a segment to empty.
static void quad_layout_begin_emptying(QuadLayout *layout)
{
    const uint32_t taken = quad_layout_count_taken(layout), free = quad_layout_free_pages(layout);
    if (free <= FREE_MIN || (uint64_t)free * 1000 <= (uint64_t)taken * FREE_PER_MILLE) {
        return;
    }
    const uint32_t spare = free - taken / SPARE_PART;
    const uint32_t which = quad_layout_cheapest_segment(layout, spare);
    if (which != NO_SEGMENT) {
        layout->emptied = which + 1;
    } else {
        quad_layout_replace_smallest(layout, spare);
    }
}

// ---- growth -------------------------------------------------------------------------------------

/// Adds a segment for a run that fits nowhere. If few unused segments are left, the new segment is
/// larger, and the smallest one is emptied into it.
static bool quad_layout_grow(QuadLayout *layout, uint32_t pages)
{
    const uint32_t taken = quad_layout_count_taken(layout);
    uint32_t unused;
    if (!quad_layout_count_unused(layout, &unused) && layout->emptied) {
        quad_layout_empty_segment(layout, UINT64_MAX / 2);
    }
    const bool is_few = quad_layout_count_unused(layout, &unused) <= SEGMENTS_FEW_LEFT;
    uint32_t wanted = taken / GROWTH_PART;
    wanted = wanted > pages ? wanted : pages;
    wanted = wanted > QUAD_SEGMENT_PAGES_MIN ? wanted : QUAD_SEGMENT_PAGES_MIN;
    // Near the limit, takes all remaining pages: no other segment could use a remainder.
    wanted = wanted <= layout->page_max / 2 ? wanted : layout->page_max;
    const uint32_t old = quad_layout_smallest_segment(layout);
    const bool replaces = is_few && !layout->emptied && old != NO_SEGMENT &&
                          layout->segments[old].pages.pages <= layout->page_max - wanted;
    wanted += replaces ? layout->segments[old].pages.pages : 0;
    if (pages > layout->page_max || !quad_layout_add_segment(layout, wanted)) {
        return false;
    }
    layout->emptied = replaces ? old + 1 : layout->emptied;
    return true;
}

static bool quad_layout_put_run(QuadLayout *layout, uint32_t pages, QuadRun *run)
{
    // Runs arrive faster than frames, so the segment must be empty before the next one is needed.
    if (layout->emptied) {
        quad_layout_empty_segment(layout, 2 * (uint64_t)pages);
    }
    if (quad_layout_take_run(layout, pages, run)) {
        return true;
    }
    if (quad_layout_free_pages(layout) > quad_layout_count_taken(layout) / CLOSING_PART &&
        quad_layout_take_after_closing(layout, pages, run, COMPACT_FOR_PUT)) {
        return true;
    }
    if (quad_layout_grow(layout, pages) && quad_layout_take_run(layout, pages, run)) {
        return true;
    }
    layout->emptied = 0; // the other segment has free pages
    return quad_layout_take_run(layout, pages, run) ||
           quad_layout_take_after_closing(layout, pages, run, UINT64_MAX / 2);
}

// ---- public functions ---------------------------------------------------------------------------

bool quad_layout_put(QuadLayout *layout, uint32_t quads, bool is_lit, QuadRun *run)
{
    if (!quads || quads > UINT32_MAX - layout->quads ||
        !quad_layout_put_run(layout, quad_pages(quads, is_lit), run)) {
        return false;
    }
    layout->quads += quads;
    layout->lit += is_lit ? quads : 0;
    return true;
}

void quad_layout_move(QuadLayout *layout, QuadRun *from, QuadRun *to)
{
    to->pages = from->pages;
    quad_layout_own_run(layout, quad_place_segment(from->first), quad_place_page(from->first), to);
    *from = (QuadRun){0};
}

void quad_layout_drop(QuadLayout *layout, uint32_t quads, QuadRun *run)
{
    const uint32_t which = quad_place_segment(run->first);
    if (!page_allocator_give(&layout->segments[which].pages, quad_place_page(run->first),
                             run->pages)) {
        return;
    }
    layout->quads -= quads;
    layout->lit -= run->pages > quad_pages(quads, false) ? quads : 0;
    *run = (QuadRun){0};
}

void quad_layout_step(QuadLayout *layout, uint32_t pages)
{
    const uint64_t end = layout->moved_pages + pages;
    layout->denied -= layout->denied != 0;
    layout->rest -= layout->rest != 0;
    do {
        if (!layout->emptied && !layout->rest) {
            quad_layout_begin_emptying(layout);
        }
        if (!layout->emptied) {
            return;
        }
    } while (quad_layout_empty_segment(layout, end - layout->moved_pages) &&
             layout->moved_pages < end);
}
