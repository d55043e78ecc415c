// Readers beside the writer of an index: what they may see is kept, what waits for them is bounded,
// and comes back when they have left.

#include "plane_index.h"

#include "index/chunk_index_internal.h"

static void what_a_reader_may_see_is_kept_until_it_leaves(void **state)
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
    assert_null(trn_chunk_index_slowest_reader(index));

    trn_chunk_index_read_begin(slow);
    int32_t held = 0;
    TrnResult result = TRN_RESULT_OK;
    for (; held < 1000 && result == TRN_RESULT_OK; held++) {
        TrnCoord coord = {held * 8, 0, 0};
        trn_chunk_index_read_begin(quick);
        result = trn_chunk_index_insert(index, coord, 1);
        trn_chunk_index_read_end(quick);
        if (result == TRN_RESULT_OK) {
            result = trn_chunk_index_remove(index, coord, NULL);
        }
    }
    assert_int_equal(result, TRN_RESULT_READERS);
    assert_in_range(held, 3, 8); // pages of 2 KiB and a little
    assert_string_equal(trn_chunk_index_slowest_reader(index), "mesher 1");
    assert_in_range(trn_chunk_index_stats(index).retired_bytes, 10001, 20000);

    // The first refused insert comes after a remove; a remove that would retire a page is refused
    // as well, and leaves the chunk.
    size_t chunks = trn_chunk_index_stats(index).chunks;
    assert_int_equal(chunks, 0);

    trn_chunk_index_read_end(slow);
    trn_chunk_index_read_begin(quick); // came after all that was retired, and holds nothing back
    assert_null(trn_chunk_index_slowest_reader(index));
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

/// Fills an index with retired memory up to its bound. @return the reader that holds it
static TrnChunkReader *hold_back(TrnChunkIndex *index)
{
    TrnChunkReader *reader;
    assert_int_equal(trn_chunk_index_reader_create(index, "holds back", &reader), TRN_RESULT_OK);
    trn_chunk_index_read_begin(reader);
    for (int32_t i = 1;; i++) {
        TrnCoord coord = {i * 8, 0, 0};
        if (trn_chunk_index_insert(index, coord, 1) == TRN_RESULT_READERS) {
            return reader;
        }
        assert_int_equal(trn_chunk_index_remove(index, coord, NULL), TRN_RESULT_OK);
    }
}

static void refused_writes_leave_the_index_as_it_was(void **state)
{
    (void)state;
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = plane_defs;
    def.plane_count = PLANES - 1;
    def.retired_bytes_max = 10000;
    TrnChunkIndex *index;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
    const TrnCoord here = {0, 0, 0}, wished = {0, 900, 0};
    assert_int_equal(trn_chunk_index_insert(index, here, 42), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_plane_set(index, WISHED, wished, true), TRN_RESULT_OK);
    TrnChunkReader *reader = hold_back(index);
    uint32_t value = 0;
    assert_int_equal(trn_chunk_index_remove(index, here, &value), TRN_RESULT_READERS);
    assert_int_equal(value, 0);
    assert_true(trn_chunk_index_find(index, here, &value));
    assert_int_equal(value, 42);
    assert_int_equal(trn_chunk_index_clear(index), TRN_RESULT_READERS);
    assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){5, 5, 5}, 1), TRN_RESULT_OK);
    // Clearing a bit is done, even where the page cannot go yet.
    assert_int_equal(trn_chunk_index_plane_set(index, WISHED, wished, false), TRN_RESULT_OK);
    assert_false(trn_chunk_index_plane_test(index, WISHED, wished));
    assert_int_equal(trn_chunk_index_stats(index).pages, 2);
    trn_chunk_index_reader_destroy(reader); // inside its section: that ends it
    assert_int_equal(trn_chunk_index_remove(index, here, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_remove(index, (TrnCoord){5, 5, 5}, NULL), TRN_RESULT_OK);
    const TrnPlaneQuery present = {.all = 1};
    assert_int_equal(trn_chunk_index_plane_compute(index, READY, &present), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_stats(index).pages, 0); // the empty page went at last
    assert_int_equal(trn_chunk_index_stats(index).retired_bytes, 0);
    trn_chunk_index_destroy(index);
}

static void clearing_beside_a_reader_keeps_all_it_may_see(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator = test_allocator(&memory);
    TrnChunkIndex *index = plane_index(&allocator);
    for (int32_t i = 0; i < 100; i++) {
        assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){i * 8, 0, i * 8}, 1),
                         TRN_RESULT_OK);
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

/// An object of a game that readers reach through the index.
typedef struct RetiredThing {
    int number;
    TrnRetireLink link;
} RetiredThing;

typedef struct RetiredThings {
    TrnChunkIndex *index;
    TrnRetireOwner owner;
    int taken_back[16]; ///< their numbers in the order in which they came back
    int count;
    RetiredThing *next; ///< retired while the first comes back; or NULL
} RetiredThings;

static void take_thing_back(TrnRetireLink *link, void *context)
{
    RetiredThings *things = context;
    RetiredThing *thing =
        (RetiredThing *)(void *)((unsigned char *)link - offsetof(RetiredThing, link));
    memset(link, 0xDD, sizeof *link); // the memory is the owner's again
    things->taken_back[things->count++] = thing->number;
    RetiredThing *next = things->next;
    things->next = NULL;
    if (next) {
        trn_chunk_index_retire(things->index, &things->owner, &next->link);
    }
}

static void what_others_retire_comes_back_when_every_reader_has_left(void **state)
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
    RetiredThings things = {.index = index, .owner = {take_thing_back, &things}};
    RetiredThing thing[8];
    for (int i = 0; i < 8; i++) {
        thing[i].number = i;
        memset(&thing[i].link, 0xEE, sizeof thing[i].link); // needs no initial value
    }
    // Nobody reads: back at once, and without asking for memory.
    memory.fail_at = memory.allocations + 1;
    trn_chunk_index_retire(index, &things.owner, &thing[0].link);
    assert_int_equal(things.count, 1);
    // One reader is in a section from before; the other enters in between.
    trn_chunk_index_read_begin(early);
    trn_chunk_index_retire(index, &things.owner, &thing[1].link);
    trn_chunk_index_retire(index, &things.owner, &thing[2].link);
    trn_chunk_index_read_begin(late);
    trn_chunk_index_retire(index, &things.owner, &thing[3].link);
    trn_chunk_index_reclaim(index);
    assert_int_equal(things.count, 1);
    assert_string_equal(trn_chunk_index_slowest_reader(index), "early");
    trn_chunk_index_read_end(early);
    trn_chunk_index_reclaim(index);
    assert_int_equal(things.count, 3);
    assert_string_equal(trn_chunk_index_slowest_reader(index), "late");
    // The owner may retire more as it takes one back; the index's own retired pages go beside them.
    things.next = &thing[4];
    trn_chunk_index_read_end(late);
    assert_null(trn_chunk_index_slowest_reader(index));
    trn_chunk_index_reclaim(index);
    assert_int_equal(things.count, 5);
    trn_chunk_index_retire(index, &things.owner, &thing[5].link);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(things.taken_back[i], i);
    }
    // What waits still comes back with the end of the index.
    trn_chunk_index_read_begin(late);
    trn_chunk_index_retire(index, &things.owner, &thing[6].link);
    trn_chunk_index_retire(index, &things.owner, &thing[7].link);
    trn_chunk_index_read_end(late);
    trn_chunk_index_destroy(index);
    assert_int_equal(things.count, 8);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_writes_leave_the_index_as_it_was),
        cmocka_unit_test(clearing_beside_a_reader_keeps_all_it_may_see),
        cmocka_unit_test(what_a_reader_may_see_is_kept_until_it_leaves),
        cmocka_unit_test(what_others_retire_comes_back_when_every_reader_has_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
