// Cuts the cells of a page to a box and to a frustum.

#include "page_cells.h"

/// The first and last cell along one axis of a page that a box covers.
typedef struct PageSpan {
    uint32_t first, last;
} PageSpan;

static bool page_span(int32_t page, int32_t min, int32_t max, PageSpan *span)
{
    int64_t low = (int64_t)min - (int64_t)page * TRN_PAGE_EDGE;
    int64_t high = (int64_t)max - (int64_t)page * TRN_PAGE_EDGE;
    span->first = (uint32_t)(low < 0 ? 0 : low);
    span->last = (uint32_t)(high > TRN_PAGE_LAST ? TRN_PAGE_LAST : high);
    return low < TRN_PAGE_EDGE && high >= 0 && low <= high;
}

/// Returns the bits of a row along x that the span covers.
static uint64_t page_span_bits(PageSpan span)
{
    return (TRN_PAGE_ROW_BITS >> (TRN_PAGE_LAST - span.last)) & (TRN_PAGE_ROW_BITS << span.first);
}

bool trn_page_clip(TrnCoord page, TrnBox box, TrnPageWords *words)
{
    PageSpan x, y, z;
    if (!page_span(page.x, box.min.x, box.max.x, &x) ||
        !page_span(page.y, box.min.y, box.max.y, &y) ||
        !page_span(page.z, box.min.z, box.max.z, &z)) {
        return false;
    }
    // The span of x in each row of z that the box covers.
    uint64_t bits = 0;
    for (uint32_t row = z.first; row <= z.last; row++) {
        bits |= page_span_bits(x) << (row * TRN_PAGE_EDGE);
    }
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        words->words[word] = word >= y.first && word <= y.last ? bits : 0;
    }
    return true;
}

// ---- frustum -----------------------------------------------------------------------------------

/// A half-space relative to a page: cell (x, y, z) reaches inside if a x + b y + c z + d >= 0. The
/// offset of the cell's farthest corner is included in d.
typedef struct PagePlane {
    double a, b, c, d;
} PagePlane;

static PagePlane page_plane_of(TrnCoord page, const TrnFrustum *frustum, const double plane[4])
{
    double x = (double)((int64_t)page.x * TRN_PAGE_EDGE - frustum->origin.x);
    double y = (double)((int64_t)page.y * TRN_PAGE_EDGE - frustum->origin.y);
    double z = (double)((int64_t)page.z * TRN_PAGE_EDGE - frustum->origin.z);
    PagePlane seen = {plane[0], plane[1], plane[2], plane[3]};
    seen.d += plane[0] * (x + (plane[0] > 0)) + plane[1] * (y + (plane[1] > 0)) +
              plane[2] * (z + (plane[2] > 0));
    return seen;
}

/// Returns the largest (sign 1) or smallest (sign -1) a x + b y + c z + d over the cells of a page.
static double page_plane_most(const PagePlane *plane, double sign)
{
    const double last = TRN_PAGE_LAST;
    double most = plane->d;
    most += plane->a * sign > 0 ? plane->a * last : 0;
    most += plane->b * sign > 0 ? plane->b * last : 0;
    most += plane->c * sign > 0 ? plane->c * last : 0;
    return most;
}

/// Returns the cells of a row along x with a x + rest >= 0. The interval's end is computed;
/// rounding may put it one cell off, so the adjacent cells are tested.
static uint64_t page_row_bits(double a, double rest)
{
    const int edge = TRN_PAGE_EDGE;
    if (a == 0) {
        return rest >= 0 ? TRN_PAGE_ROW_BITS : 0;
    }
    double end = -rest / a; // where the sign changes
    if (a > 0) {
        // Written so that NaN, from planes with infinities, gives a valid count of cells.
        int first = !(end > 0) ? 0 : end >= edge ? edge : (int)end;
        first -= first > 0 && a * (first - 1) + rest >= 0;
        first += first < edge && a * first + rest < 0; // also rounds up
        return (TRN_PAGE_ROW_BITS << first) & TRN_PAGE_ROW_BITS;
    }
    int last = !(end >= 0) ? -1 : end >= edge - 1 ? edge - 1 : (int)end;
    last += last + 1 < edge && a * (last + 1) + rest >= 0;
    last -= last >= 0 && a * last + rest < 0;
    return (UINT64_C(1) << (last + 1)) - 1;
}

/// Keeps the cells on the inner side of one plane.
static void page_clip_plane(const PagePlane *plane, TrnPageWords *words)
{
    for (uint32_t y = 0; y < TRN_PAGE_WORDS; y++) {
        if (words->words[y] == 0) {
            continue;
        }
        uint64_t kept = 0;
        for (uint32_t z = 0; z < TRN_PAGE_EDGE; z++) {
            double rest = plane->b * y + plane->c * z + plane->d;
            kept |= page_row_bits(plane->a, rest) << (z * TRN_PAGE_EDGE);
        }
        words->words[y] &= kept;
    }
}

bool trn_page_clip_frustum(TrnCoord page, const TrnFrustum *frustum, TrnPageWords *words)
{
    PagePlane crossing[6];
    uint32_t count = 0;
    for (uint32_t i = 0; i < frustum->count; i++) {
        PagePlane plane = page_plane_of(page, frustum, frustum->planes[i]);
        if (!(page_plane_most(&plane, 1.0) >= 0)) {
            return false; // the whole page is outside
        }
        if (!(page_plane_most(&plane, -1.0) >= 0)) {
            crossing[count++] = plane;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        page_clip_plane(&crossing[i], words);
    }
    uint64_t any = 0;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        any |= words->words[word];
    }
    return any != 0;
}
