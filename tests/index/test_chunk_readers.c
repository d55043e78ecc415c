// Readers of an index: what they may see is kept, retired memory is bounded, and it is freed when
// they end their sections.

#include "plane_index.h"
#include "slowest_reader.h"

#include "base/retire.h"
#include "index/chunk_index_internal.h"

static void retired_memory_is_kept_until_readers_leave(void **state)
{
    (void)state;
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.reader_max = 2;
    def.retired_bytes_max = 10000;
    TrnChunkIndex *index;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
    TrnChunkReader *slow, *quick, *third = NULL;
    assert_int_equal(trn_chunk_index_reader_create(index, "mesher 1", &slow), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_reader_create(index, "mesher 2", &quick), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_reader_create(index, "one more", &third), TRN_RESULT_FULL);
    assert_null(third);
    assert_false(trn_chunk_index_slowest_reader(index, NULL));

    trn_chunk_index_read_begin(slow);
    int32_t cycles = 0;
    TrnResult result = TRN_RESULT_OK;
    for (; cycles < 1000 && result == TRN_RESULT_OK; cycles++) {
        TrnCoord coord = page_first(cycles, 0, 0);
        trn_chunk_index_read_begin(quick);
        result = trn_chunk_index_insert(index, coord, 1);
        trn_chunk_index_read_end(quick);
        if (result == TRN_RESULT_OK) {
            result = trn_chunk_index_remove(index, coord, NULL);
        }
    }
    assert_int_equal(result, TRN_RESULT_READERS);
    assert_in_range(cycles, 20, 180); // pages with one chunk, and directories of one page
    assert_slowest_reader(index, "mesher 1");
    assert_in_range(trn_chunk_index_stats(index).retired_bytes, 10001, 20000);

    // The refused write changed nothing: an insert, or the removal of the one chunk.
    assert_int_equal(trn_chunk_index_gather_box(index, trn_box_everything(), NULL, 0),
                     trn_chunk_index_stats(index).chunks);

    trn_chunk_index_read_end(slow);
    trn_chunk_index_read_begin(quick); // entered after everything was retired, so it keeps nothing
    assert_false(trn_chunk_index_slowest_reader(index, NULL));
    trn_chunk_index_reclaim(index);
    assert_int_equal(trn_chunk_index_stats(index).retired_bytes, 0);
    trn_chunk_index_read_end(quick);
    assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){0, 0, 0}, 1), TRN_RESULT_OK);
    trn_chunk_index_reader_destroy(quick);
    assert_int_equal(trn_chunk_index_reader_create(index, "one more", &third), TRN_RESULT_OK);
    trn_chunk_index_reader_destroy(third);
    trn_chunk_index_reader_destroy(slow);
    trn_chunk_index_destroy(index);
}

static void each_reader_of_a_slot_has_its_own_name(void **state)
{
    (void)state;
    static const char long_name[] = "a name of more than thirty-one bytes";
    static const struct {
        const char *given, *kept;
    } names[] = {{long_name, "a name of more than thirty-one "},
                 {"b", "b"},
                 {"", "reader"},
                 {NULL, "reader"}};
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.reader_max = 1;
    TrnChunkIndex *index;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        TrnChunkReader *reader;
        assert_int_equal(trn_chunk_index_reader_create(index, names[i].given, &reader),
                         TRN_RESULT_OK);
        trn_chunk_index_read_begin(reader);
        assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){0, 0, 0}, 1), TRN_RESULT_OK);
        assert_int_equal(trn_chunk_index_remove(index, (TrnCoord){0, 0, 0}, NULL), TRN_RESULT_OK);
        assert_slowest_reader(index, names[i].kept);
        trn_chunk_index_reader_destroy(reader);
        assert_false(trn_chunk_index_slowest_reader(index, NULL));
        trn_chunk_index_reclaim(index);
    }
    trn_chunk_index_destroy(index);
}

/// Fills an index with retired memory up to its bound. @return the reader that keeps it
static TrnChunkReader *fill_with_retired(TrnChunkIndex *index)
{
    TrnChunkReader *reader;
    assert_int_equal(trn_chunk_index_reader_create(index, "slow", &reader), TRN_RESULT_OK);
    trn_chunk_index_read_begin(reader);
    for (int32_t i = 1;; i++) {
        TrnCoord coord = page_first(i, 0, 0);
        if (trn_chunk_index_insert(index, coord, 1) == TRN_RESULT_READERS) {
            return reader;
        }
        assert_int_equal(trn_chunk_index_remove(index, coord, NULL), TRN_RESULT_OK);
    }
}

static void refused_writes_leave_the_index_unchanged(void **state)
{
    (void)state;
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = plane_defs;
    def.plane_count = PLANES - 1;
    def.retired_bytes_max = 10000;
    TrnChunkIndex *index;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
    const TrnCoord here = {0, 0, 0}, wanted = {0, 900, 0};
    assert_int_equal(trn_chunk_index_insert(index, here, 42), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_plane_set(index, WANTED, wanted, true), TRN_RESULT_OK);
    TrnChunkReader *reader = fill_with_retired(index);
    uint32_t value = 0;
    assert_int_equal(trn_chunk_index_remove(index, here, &value), TRN_RESULT_READERS);
    assert_int_equal(value, 0);
    assert_true(trn_chunk_index_find(index, here, &value));
    assert_int_equal(value, 42);
    assert_int_equal(trn_chunk_index_clear(index), TRN_RESULT_READERS);
    assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){5, 5, 5}, 1), TRN_RESULT_OK);
    // Clearing a bit succeeds, even if its page cannot be dropped yet.
    assert_int_equal(trn_chunk_index_plane_set(index, WANTED, wanted, false), TRN_RESULT_OK);
    assert_false(trn_chunk_index_plane_test(index, WANTED, wanted));
    assert_int_equal(trn_chunk_index_stats(index).pages, 2);
    trn_chunk_index_reader_destroy(reader); // in a section, which this ends
    assert_int_equal(trn_chunk_index_remove(index, here, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_remove(index, (TrnCoord){5, 5, 5}, NULL), TRN_RESULT_OK);
    const TrnPlaneQuery present = {.all = 1};
    assert_int_equal(trn_chunk_index_plane_compute(index, READY, &present), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_stats(index).pages, 0); // now the empty page is dropped
    assert_int_equal(trn_chunk_index_stats(index).retired_bytes, 0);
    trn_chunk_index_destroy(index);
}

static void clear_keeps_what_readers_may_see(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndex *index = plane_index(&allocator);
    for (int32_t i = 0; i < 100; i++) {
        assert_int_equal(trn_chunk_index_insert(index, page_first(i, 0, i), 1), TRN_RESULT_OK);
        assert_int_equal(
            trn_chunk_index_plane_fill(index, WANTED, trn_page_chunks((TrnCoord){i, 0, i}), true),
            TRN_RESULT_OK); // so that no page is sparse
    }
    TrnChunkReader *reader;
    assert_int_equal(trn_chunk_index_reader_create(index, NULL, &reader), TRN_RESULT_OK);
    trn_chunk_index_read_begin(reader);
    assert_int_equal(trn_chunk_index_clear(index), TRN_RESULT_OK);
    assert_true(trn_chunk_index_stats(index).retired_bytes >
                (size_t)100 * TRN_PAGE_CELLS * sizeof(uint32_t));
    assert_int_equal(trn_chunk_index_stats(index).bytes, memory.live_bytes);
    trn_chunk_index_read_end(reader);
    trn_chunk_index_reclaim(index);
    assert_int_equal(trn_chunk_index_stats(index).retired_bytes, 0);
    trn_chunk_index_destroy(index);
    assert_int_equal(memory.live_blocks, 0);
}

/// An object that readers reach through the index.
typedef struct RetiredThing {
    int number;
    TrnRetireLink link;
} RetiredThing;

typedef struct RetiredThings {
    TrnChunkIndex *index;
    TrnRetireOwner owner;
    int reclaimed[16]; ///< their numbers, in the order in which they were reclaimed
    int count;
    RetiredThing *next; ///< retired while the first is reclaimed; or NULL
} RetiredThings;

static void reclaim_thing(TrnRetireLink *link, void *context)
{
    RetiredThings *things = context;
    RetiredThing *thing =
        (RetiredThing *)(void *)((unsigned char *)link - offsetof(RetiredThing, link));
    memset(link, 0xDD, sizeof *link); // the owner may reuse the memory
    things->reclaimed[things->count++] = thing->number;
    RetiredThing *next = things->next;
    things->next = NULL;
    if (next) {
        trn_chunk_index_retire(things->index, &things->owner, &next->link);
    }
}

static void retired_objects_are_reclaimed_when_readers_leave(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.allocator = &allocator;
    TrnChunkIndex *index;
    TrnChunkReader *early, *late;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_reader_create(index, "early", &early), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_reader_create(index, "late", &late), TRN_RESULT_OK);
    RetiredThings things = {.index = index, .owner = {reclaim_thing, &things}};
    RetiredThing thing[8];
    for (int i = 0; i < 8; i++) {
        thing[i].number = i;
        memset(&thing[i].link, 0xEE, sizeof thing[i].link); // needs no initial value
    }
    // No reader is in a section: reclaimed immediately, without allocating.
    memory.fail_at = memory.allocations + 1;
    trn_chunk_index_retire(index, &things.owner, &thing[0].link);
    assert_int_equal(things.count, 1);
    // One reader is in a section already; the other enters in between.
    trn_chunk_index_read_begin(early);
    trn_chunk_index_retire(index, &things.owner, &thing[1].link);
    trn_chunk_index_retire(index, &things.owner, &thing[2].link);
    trn_chunk_index_read_begin(late);
    trn_chunk_index_retire(index, &things.owner, &thing[3].link);
    trn_chunk_index_reclaim(index);
    assert_int_equal(things.count, 1);
    assert_slowest_reader(index, "early");
    trn_chunk_index_read_end(early);
    trn_chunk_index_reclaim(index);
    assert_int_equal(things.count, 3);
    assert_slowest_reader(index, "late");
    // The owner may retire another object while it reclaims one.
    things.next = &thing[4];
    trn_chunk_index_read_end(late);
    assert_false(trn_chunk_index_slowest_reader(index, NULL));
    trn_chunk_index_reclaim(index);
    assert_int_equal(things.count, 5);
    trn_chunk_index_retire(index, &things.owner, &thing[5].link);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(things.reclaimed[i], i);
    }
    // Destroying the index reclaims what is still retired.
    trn_chunk_index_read_begin(late);
    trn_chunk_index_retire(index, &things.owner, &thing[6].link);
    trn_chunk_index_retire(index, &things.owner, &thing[7].link);
    trn_chunk_index_read_end(late);
    trn_chunk_index_destroy(index);
    assert_int_equal(things.count, 8);
    assert_int_equal(memory.live_blocks, 0);
}

static void a_list_is_retired_as_one(void **state)
{
    (void)state;
    TrnChunkIndex *index;
    TrnChunkReader *early, *late;
    assert_int_equal(trn_chunk_index_create(NULL, &index), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_reader_create(index, "early", &early), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_reader_create(index, "late", &late), TRN_RESULT_OK);
    RetiredThings things = {.index = index, .owner = {reclaim_thing, &things}};
    RetiredThing thing[8];
    TrnRetireList list = {0};
    for (int i = 0; i < 8; i++) {
        thing[i].number = i;
        memset(&thing[i].link, 0xEE, sizeof thing[i].link); // needs no initial value
    }
    trn_chunk_index_retire_list(index, &list); // an empty list is none
    assert_int_equal(things.count, 0);
    trn_chunk_index_read_begin(early);
    trn_chunk_index_retire(index, &things.owner, &thing[0].link);
    for (int i = 1; i < 4; i++) {
        trn_retire_list_add(&list, &things.owner, &thing[i].link);
    }
    trn_chunk_index_retire_list(index, &list);
    assert_null(list.first);
    assert_null(list.last);
    trn_chunk_index_read_begin(late);
    trn_retire_list_add(&list, &things.owner, &thing[4].link);
    trn_chunk_index_retire_list(index, &list);
    trn_chunk_index_retire(index, &things.owner, &thing[5].link);
    assert_int_equal(things.count, 0);
    trn_chunk_index_read_end(early);
    trn_chunk_index_reclaim(index);
    assert_int_equal(things.count, 4); // the late reader never saw them
    trn_chunk_index_read_end(late);
    trn_retire_list_add(&list, &things.owner, &thing[6].link);
    trn_retire_list_add(&list, &things.owner, &thing[7].link);
    things.next = NULL;
    trn_chunk_index_retire_list(index, &list); // no reader is in a section: reclaimed immediately
    assert_int_equal(things.count, 8);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(things.reclaimed[i], i);
    }
    trn_chunk_index_destroy(index);
}

static void count_thing(TrnRetireLink *link, void *context)
{
    (void)link;
    ++*(uint32_t *)context;
}

/// A reader that stays for long leaves much to reclaim; the write that finds it gone must not take
/// long.
static void one_write_reclaims_a_limited_number(void **state)
{
    (void)state;
    enum { THINGS = 5000, MOST = 200 };
    TrnChunkIndex *index;
    TrnChunkReader *reader;
    assert_int_equal(trn_chunk_index_create(NULL, &index), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_reader_create(index, "slow", &reader), TRN_RESULT_OK);
    uint32_t reclaimed = 0;
    const TrnRetireOwner owner = {count_thing, &reclaimed};
    static RetiredThing things[THINGS];
    trn_chunk_index_read_begin(reader);
    for (int32_t i = 0; i < THINGS - 1; i++) {
        trn_chunk_index_retire(index, &owner, &things[i].link);
        assert_int_equal(trn_chunk_index_insert(index, page_first(i % 100, 0, 0), 1),
                         TRN_RESULT_OK);
        assert_int_equal(trn_chunk_index_remove(index, page_first(i % 100, 0, 0), NULL),
                         TRN_RESULT_OK);
    }
    trn_chunk_index_read_end(reader);
    const size_t before = trn_chunk_index_stats(index).retired_bytes;
    trn_chunk_index_retire(index, &owner, &things[THINGS - 1].link);
    assert_in_range(reclaimed, 1, MOST);
    assert_true(trn_chunk_index_stats(index).retired_bytes > before / 2);
    // Further writes reclaim the rest, faster than they retire.
    for (int32_t i = 0; i < THINGS / 8; i++) {
        assert_int_equal(trn_chunk_index_insert(index, page_first(0, 0, 0), 1), TRN_RESULT_OK);
        assert_int_equal(trn_chunk_index_remove(index, page_first(0, 0, 0), NULL), TRN_RESULT_OK);
    }
    assert_int_equal(reclaimed, THINGS);
    assert_int_equal(trn_chunk_index_stats(index).retired_bytes, 0);
    trn_chunk_index_destroy(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_writes_leave_the_index_unchanged),
        cmocka_unit_test(clear_keeps_what_readers_may_see),
        cmocka_unit_test(retired_memory_is_kept_until_readers_leave),
        cmocka_unit_test(retired_objects_are_reclaimed_when_readers_leave),
        cmocka_unit_test(each_reader_of_a_slot_has_its_own_name),
        cmocka_unit_test(a_list_is_retired_as_one),
        cmocka_unit_test(one_write_reclaims_a_limited_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
