/// Block data in the edits of members: what a sign says, what a chest holds. Without a server, the
/// cases that need one are skipped.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "party.h"

#include "edit_bytes.h"

static void write_data(const Party *party, TrnVoxel voxel, const char *text)
{
    assert_int_equal(
        trn_store_set_data(party->store, voxel, text, strlen(text) + 1, TRN_DATA_WITH_BLOCK, NULL),
        TRN_RESULT_OK);
}

/// Returns what a voxel has; "" if nothing.
static const char *data_at(const Party *party, TrnVoxel voxel)
{
    TrnBlockData data;
    return trn_store_get_data(party->store, voxel, &data) == TRN_RESULT_OK ? data.bytes : "";
}

static void await_data(const Party *party, TrnVoxel voxel, const char *text)
{
    const double start = now_ms();
    while (strcmp(data_at(party, voxel), text) != 0) {
        if (now_ms() - start > SETTLE_SECONDS * 1e3) {
            fail_msg("the voxel has \"%s\", not \"%s\"", data_at(party, voxel), text);
        }
        assert_int_equal(trn_member_update(party->member), TRN_RESULT_OK);
        pause_ms(1);
    }
}

static void open_both(Party *ada, Party *bob)
{
    postgres_drop(&server);
    TrnMemberDef def = party_def();
    assert_int_equal(party_open(ada, def), TRN_RESULT_OK);
    def.name = "Bob";
    assert_int_equal(party_open(bob, def), TRN_RESULT_OK);
    party_load(ada, here);
    party_load(bob, here);
}

static void a_sign_is_read_by_others(void **state)
{
    Party ada, bob;
    (void)state;
    open_both(&ada, &bob);
    set(&ada, spot, TRN_BLOCK_DIRT);
    write_data(&ada, spot, "Ada was here");
    settle(&ada);
    await_data(&bob, spot, "Ada was here");
    assert_int_equal(block_at(&bob, spot), TRN_BLOCK_DIRT);
    write_data(&bob, spot, "and Bob"); // data alone, by one who does not own the region
    assert_string_equal(data_at(&bob, spot), "and Bob");
    settle(&bob);
    assert_string_equal(data_at(&bob, spot), "and Bob");
    await_data(&ada, spot, "and Bob");
    Party eve; // who comes later
    TrnMemberDef def = party_def();
    def.name = "Eve";
    assert_int_equal(party_open(&eve, def), TRN_RESULT_OK);
    party_load(&eve, here); // as a stream without data
    set(&bob, other_spot, TRN_BLOCK_STONE);
    settle(&bob);
    await_data(&eve, spot, "and Bob");
    set(&bob, spot, TRN_BLOCK_AIR); // it goes with its block
    settle(&bob);
    await_data(&ada, spot, "");
    await_data(&eve, spot, "");
    assert_int_equal(block_at(&ada, spot), TRN_BLOCK_AIR);
    party_close(&eve);
    party_close(&bob);
    party_close(&ada);
}

static void removed_data_goes(void **state)
{
    Party ada, bob;
    (void)state;
    open_both(&ada, &bob);
    set(&ada, spot, TRN_BLOCK_DIRT);
    write_data(&ada, spot, "1");
    settle(&ada);
    await_data(&bob, spot, "1");
    assert_int_equal(trn_store_set_data(bob.store, spot, NULL, 0, TRN_DATA_WITH_BLOCK, NULL),
                     TRN_RESULT_OK);
    settle(&bob);
    await_data(&ada, spot, "");
    assert_int_equal(block_at(&ada, spot), TRN_BLOCK_DIRT);
    party_close(&bob);
    party_close(&ada);
}

/// What was written into a chest is not lost if its chunk leaves the store before the update.
static void data_of_a_chunk_that_leaves_is_handed_over(void **state)
{
    Party ada, bob;
    (void)state;
    open_both(&ada, &bob);
    set(&ada, spot, TRN_BLOCK_DIRT);
    set(&ada, other_spot, TRN_BLOCK_DIRT);
    write_data(&ada, other_spot, "old");
    settle(&ada);
    await_data(&bob, other_spot, "old");
    write_data(&ada, spot, "new");
    assert_int_equal(trn_store_set_data(ada.store, other_spot, NULL, 0, TRN_DATA_WITH_BLOCK, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_remove(ada.store, here), TRN_RESULT_OK);
    settle(&ada);
    await_data(&bob, spot, "new");
    await_data(&bob, other_spot, "");
    party_close(&bob);
    party_close(&ada);
}

/// Two members write one chest again and again: in the end both see the same, and of the last.
static void writers_of_one_chest_converge(void **state)
{
    Party ada, bob;
    char text[32];
    (void)state;
    open_both(&ada, &bob);
    set(&ada, spot, TRN_BLOCK_DIRT);
    settle(&ada);
    (void)await_block(&bob, spot, TRN_BLOCK_DIRT);
    for (int i = 0; i < 20; i++) {
        (void)snprintf(text, sizeof text, "Ada %d", i);
        write_data(&ada, spot, text);
        (void)trn_member_update(ada.member);
        (void)snprintf(text, sizeof text, "Bob %d", i);
        write_data(&bob, spot, text);
        (void)trn_member_update(bob.member);
        pause_ms(2L * i);
    }
    settle(&ada);
    settle(&bob);
    (void)snprintf(text, sizeof text, "%s", data_at(&bob, spot));
    assert_true(strcmp(text, "Ada 19") == 0 || strcmp(text, "Bob 19") == 0);
    await_data(&ada, spot, text);
    party_close(&bob);
    party_close(&ada);
}

/// What one puts into a chest that another has dug meanwhile is lost with it, and is not given to
/// the block that is there now.
static void data_does_not_pass_to_another_block(void **state)
{
    Party ada, bob;
    (void)state;
    open_both(&ada, &bob);
    set(&ada, spot, TRN_BLOCK_DIRT);
    settle(&ada);
    (void)await_block(&bob, spot, TRN_BLOCK_DIRT);
    set(&ada, spot, TRN_BLOCK_STONE);
    settle(&ada);
    write_data(&bob, spot, "gold"); // Bob still sees dirt
    settle(&bob);
    assert_int_equal(block_at(&bob, spot), TRN_BLOCK_STONE);
    assert_string_equal(data_at(&bob, spot), "");
    assert_string_equal(data_at(&ada, spot), "");
    party_close(&bob);
    party_close(&ada);
}

// ---- bytes -------------------------------------------------------------------------------------

static void bytes_are_read_as_they_were_written(void **state)
{
    (void)state;
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    TrnBlockTypes *types;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    TrnEdit edit = {.chunks = {0}}, read = {.chunks = {0}};
    TrnBytes bytes = {0};
    const TrnPendingRun run = {5, 9, TRN_BLOCK_STONE};
    const TrnEditData data[] = {{7, false, TRN_DATA_STAYS, TRN_BLOCK_STONE, 0, 3},
                                {8, true, TRN_DATA_WITH_BLOCK, TRN_BLOCK_DIRT, 3, 0}};
    const TrnEditChunk chunks[] = {{{1, 2, 3}, 0, 1, 0, 1, false}, {{1, 2, 4}, 1, 0, 1, 1, false}};
    assert_int_equal(trn_array_push(&edit.runs, &allocator, run), TRN_RESULT_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(trn_array_push(&edit.data, &allocator, data[i]), TRN_RESULT_OK);
        assert_int_equal(trn_array_push(&edit.chunks, &allocator, chunks[i]), TRN_RESULT_OK);
    }
    for (int i = 0; i < 3; i++) {
        const unsigned char byte = (unsigned char)("abc"[i]);
        assert_int_equal(trn_array_push(&edit.bytes, &allocator, byte), TRN_RESULT_OK);
    }
    assert_int_equal(trn_edit_write(&edit, types, &allocator, &bytes), TRN_RESULT_OK);
    for (size_t size = 0; size < bytes.count; size++) { // cut at every byte
        unsigned char *part = malloc(size + 1);
        memcpy(part, bytes.items, size);
        assert_int_equal(trn_edit_read(part, size, types, &allocator, &read), TRN_RESULT_CORRUPT);
        free(part);
    }
    assert_int_equal(trn_edit_read(bytes.items, bytes.count, types, &allocator, &read),
                     TRN_RESULT_OK);
    assert_int_equal(read.chunks.count, 2);
    assert_int_equal(read.runs.count, 1);
    assert_int_equal(read.data.count, 2);
    assert_int_equal(read.chunks.items[1].count, 0);
    assert_int_equal(read.chunks.items[1].data_first, 1);
    assert_true(read.data.items[0].index == 7 && read.data.items[0].rule == TRN_DATA_STAYS &&
                read.data.items[0].block == TRN_BLOCK_STONE && read.data.items[0].size == 3);
    assert_memory_equal(read.bytes.items, "abc", 3);
    assert_true(read.data.items[1].is_removal && read.data.items[1].index == 8);
    trn_edit_free(&read, &allocator);
    trn_edit_free(&edit, &allocator);
    trn_array_free(&bytes, &allocator);
    trn_block_types_destroy(types);
}

/// Chunks that the world moved by itself have what was there before.
static void moves_are_read_as_they_were_written(void **state)
{
    (void)state;
    const TrnAllocator allocator = trn_allocator_or_default(NULL);
    TrnBlockTypes *types;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    TrnEdit edit = {.chunks = {0}}, read = {.chunks = {0}};
    TrnBytes bytes = {0};
    const TrnPendingRun run = {5, 9, TRN_BLOCK_WATER};
    const TrnEditChunk chunks[] = {{{1, 2, 3}, 0, 1, 0, 0, false}, {{1, 2, 4}, 1, 1, 0, 0, true}};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(trn_edit_add_run(&edit, run, TRN_BLOCK_SAND, &allocator), TRN_RESULT_OK);
        assert_int_equal(trn_array_push(&edit.chunks, &allocator, chunks[i]), TRN_RESULT_OK);
    }
    assert_int_equal(trn_edit_write(&edit, types, &allocator, &bytes), TRN_RESULT_OK);
    for (size_t size = 0; size < bytes.count; size++) { // cut at every byte
        unsigned char *part = malloc(size + 1);
        memcpy(part, bytes.items, size);
        assert_int_equal(trn_edit_read(part, size, types, &allocator, &read), TRN_RESULT_CORRUPT);
        free(part);
    }
    assert_int_equal(trn_edit_read(bytes.items, bytes.count, types, &allocator, &read),
                     TRN_RESULT_OK);
    assert_true(!read.chunks.items[0].is_moved && read.chunks.items[1].is_moved);
    assert_int_equal(read.was.count, 2);
    assert_int_equal(read.was.items[1], TRN_BLOCK_SAND);
    assert_true(read.runs.items[1].first == 5 && read.runs.items[1].last == 9 &&
                read.runs.items[1].block == TRN_BLOCK_WATER);
    bytes.items[bytes.count - 1] = 255; // a name that is not there
    trn_edit_free(&read, &allocator);
    assert_int_equal(trn_edit_read(bytes.items, bytes.count, types, &allocator, &read),
                     TRN_RESULT_CORRUPT);
    trn_edit_free(&edit, &allocator);
    trn_array_free(&bytes, &allocator);
    trn_block_types_destroy(types);
}

int main(void)
{
    const struct CMUnitTest plain[] = {cmocka_unit_test(bytes_are_read_as_they_were_written),
                                       cmocka_unit_test(moves_are_read_as_they_were_written)};
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_sign_is_read_by_others),
                                       cmocka_unit_test(removed_data_goes),
                                       cmocka_unit_test(data_of_a_chunk_that_leaves_is_handed_over),
                                       cmocka_unit_test(writers_of_one_chest_converge),
                                       cmocka_unit_test(data_does_not_pass_to_another_block)};
    return cmocka_run_group_tests_name("edit_bytes", plain, NULL, NULL) +
           PARTY_RUN("shared_member_data", tests);
}
