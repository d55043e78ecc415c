/// Worlds that commands read while another program saves.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <world.h>

typedef struct Fixture {
    Place place;
    OpenWorld *writer, *world;
    int read, doubted, damaged;
} Fixture;

/// The program that has the world open saves a chunk full of a block of a new name.
static void save_block(Fixture *fixture, int32_t x, const char *name)
{
    OpenWorld *writer = fixture->writer;
    TrnBlock block;
    assert_int_equal(trn_block_types_add_unknown(writer->types, name, &block), TRN_RESULT_OK);
    writer->blocks[0] = block;
    assert_int_equal(world_put(writer, (TrnCoord){x, 0, 0}, 0, true), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(writer->file.save), TRN_RESULT_OK);
}

static int make_fixture(void **state)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    const WorldFacts facts = world_facts();
    char path[PLACE_PATH];
    Message problem;
    *state = fixture;
    if (!fixture || !place_begin(&fixture->place)) {
        return -1;
    }
    (void)place_path(&fixture->place, "a.world", path);
    if (!world_open(&fixture->writer, path, TRN_STORAGE_CREATE, &facts, &problem)) {
        return -1;
    }
    save_block(fixture, 0, "test:early");
    return world_open(&fixture->world, path, TRN_STORAGE_READ_ONLY, NULL, &problem) ? 0 : -1;
}

static int free_fixture(void **state)
{
    Fixture *fixture = *state;
    Message problem;
    bool good = world_close(fixture->world, &problem);
    good = world_close(fixture->writer, &problem) && good;
    good = place_discard(&fixture->place) && good;
    free(fixture);
    return good ? 0 : -1;
}

static TrnResult read_row(Fixture *fixture, const TrnStorageRow *row)
{
    bool is_uniform = false;
    OpenWorld *world = fixture->world;
    const TrnResult result =
        trn_save_read_row(world->file.save, row, world->blocks, &is_uniform, NULL);
    if (result == TRN_RESULT_OK) {
        assert_true(is_uniform);
        assert_string_equal(trn_block_types_get(world->types, world->blocks[0])->name,
                            row->key.coord.x ? "test:late" : "test:early");
        fixture->read++;
    }
    return result;
}

static TrnResult look_at_row(void *user, const TrnStorageRow *row)
{
    Fixture *fixture = user;
    const TrnResult result = read_row(fixture, row);
    fixture->doubted += result == TRN_RESULT_CORRUPT;
    return result == TRN_RESULT_CORRUPT ? world_doubt(fixture->world, &row->key) : result;
}

static TrnResult look_again(void *user, const TrnStorageRow *row)
{
    Fixture *fixture = user;
    const TrnResult result = read_row(fixture, row);
    fixture->damaged += result == TRN_RESULT_CORRUPT;
    return result == TRN_RESULT_CORRUPT ? TRN_RESULT_OK : result;
}

static void blocks_that_were_named_since_are_no_damage(void **state)
{
    Fixture *fixture = *state;
    save_block(fixture, 1, "test:late");
    assert_int_equal(world_act_on_rows(fixture->world, "test", look_at_row, fixture),
                     TRN_RESULT_OK);
    assert_int_equal(fixture->read, 1);
    assert_int_equal(fixture->doubted, 1);
    for (int i = 0; i < 2; i++) { // the second time there is nothing to look at
        assert_int_equal(world_act_on_doubts(fixture->world, look_again, fixture), TRN_RESULT_OK);
        assert_int_equal(fixture->read, 2);
        assert_int_equal(fixture->damaged, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(blocks_that_were_named_since_are_no_damage, make_fixture,
                                        free_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
