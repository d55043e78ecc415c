// Work of the parsers of the library's texts, on texts that were written to make it slow.

#include "work.h"

#include "base/hash.h"

#include <terrane/block_types.h>
#include <terrane/terrain.h>

/// A text that grows.
typedef struct Text {
    char *bytes;
    size_t size, capacity;
} Text;

static void add(Text *text, const char *line)
{
    const size_t size = strlen(line);
    if (text->size + size > text->capacity) {
        text->capacity = 2 * (text->size + size);
        text->bytes = realloc(text->bytes, text->capacity);
        assert_non_null(text->bytes);
    }
    memcpy(text->bytes + text->size, line, size);
    text->size += size;
}

// ---- block types --------------------------------------------------------------------------------

/// Loads a text, and frees it. @return the work
static uint64_t load_types(Text *text, TrnResult expected)
{
    TrnBlockTypes *types;
    TrnBlockTypesProblem problem;
    assert_int_equal(trn_block_types_create(NULL, &types), TRN_RESULT_OK);
    const uint64_t start = work_start();
    assert_int_equal(trn_block_types_load(types, text->bytes, text->size, &problem), expected);
    const uint64_t work = work_since(start);
    trn_block_types_destroy(types);
    free(text->bytes);
    return work;
}

/// Types whose names have the same hash, as far as the table looks, without a key.
static uint64_t work_of_colliding_names(uint32_t count)
{
    Text text = {0};
    for (uint32_t i = 0, found = 0; found < count; i++) {
        char name[32], line[64];
        const int size = snprintf(name, sizeof name, "a:%x", (unsigned)i);
        if (trn_bytes_hash(name, (size_t)size, 0) % 8192 == 0) {
            (void)snprintf(line, sizeof line, "[%s]\nkind=air\n", name);
            add(&text, line);
            found++;
        }
    }
    return load_types(&text, TRN_RESULT_OK);
}

/// A line of one word, which is no key.
static uint64_t work_of_long_word(uint32_t size)
{
    Text text = {0};
    add(&text, "[a:b]\n");
    for (uint32_t i = 0; i < size; i++) {
        add(&text, "x");
    }
    add(&text, "\n");
    return load_types(&text, TRN_RESULT_CORRUPT);
}

static uint64_t work_of_blank_lines(uint32_t count)
{
    Text text = {0};
    for (uint32_t i = 0; i < count; i++) {
        add(&text, " #\n");
    }
    return load_types(&text, TRN_RESULT_OK);
}

static void block_types_take_work_linear_in_their_text(void **state)
{
    (void)state;
    assert_work_grows(work_of_colliding_names, 250, 3, WORK_LINEAR);
    assert_work_grows(work_of_long_word, 10000, 3, WORK_LINEAR);
    assert_work_grows(work_of_blank_lines, 10000, 3, WORK_LINEAR);
}

/// Types from names that collide, one by one.
static uint64_t work_of_unknown_types(uint32_t count)
{
    TrnBlockTypes *types;
    TrnBlock block;
    assert_int_equal(trn_block_types_create(NULL, &types), TRN_RESULT_OK);
    const uint64_t start = work_start();
    for (uint32_t i = 0; i < count; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "a:%x", (unsigned)i);
        assert_int_equal(trn_block_types_add_unknown(types, name, &block), TRN_RESULT_OK);
        assert_int_equal(trn_block_types_find(types, name, &block), TRN_RESULT_OK);
    }
    const uint64_t work = work_since(start);
    trn_block_types_destroy(types);
    return work;
}

static void added_types_take_constant_work_each(void **state)
{
    (void)state;
    assert_work_grows(work_of_unknown_types, 1000, 5, WORK_LINEAR);
}

// ---- terrain shapes -----------------------------------------------------------------------------

/// @return the work
static uint64_t load_shape(Text *text)
{
    TrnTerrainShape shape;
    TrnTerrainProblem problem;
    const uint64_t start = work_start();
    (void)trn_terrain_shape_load(text->bytes, text->size, &shape, &problem);
    const uint64_t work = work_since(start);
    free(text->bytes);
    return work;
}

static uint64_t work_of_blank_shape(uint32_t count)
{
    Text text = {0};
    add(&text, "terrane-terrain 1\n");
    for (uint32_t i = 0; i < count; i++) {
        add(&text, "\t# caves = 1\n");
    }
    return load_shape(&text);
}

static uint64_t work_of_long_number(uint32_t size)
{
    Text text = {0};
    add(&text, "terrane-terrain 1\ncaves = ");
    for (uint32_t i = 0; i < size; i++) {
        add(&text, "0");
    }
    add(&text, "\n");
    return load_shape(&text);
}

static void shapes_take_work_linear_in_their_text(void **state)
{
    (void)state;
    assert_work_grows(work_of_blank_shape, 10000, 3, WORK_LINEAR);
    assert_work_grows(work_of_long_number, 10000, 3, WORK_LINEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_types_take_work_linear_in_their_text),
        cmocka_unit_test(added_types_take_constant_work_each),
        cmocka_unit_test(shapes_take_work_linear_in_their_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
