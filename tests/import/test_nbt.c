/// The reader of NBT: every type is read and skipped, and any bytes are safe.
#include "anvil_writer.h"

#include <import/nbt.h>

/// A compound with a value of every type, the numbers among them -2.
static void write_all(Out *out)
{
    out_number(out, 10, 1);
    nbt_text(out, "root");
    for (int type = 1; type <= 6; type++) {
        static const int bytes[] = {0, 1, 2, 4, 8, 4, 8};
        const char name[] = {(char)('0' + type), '\0'};
        nbt_tag(out, type, name);
        out_number(out, (uint64_t)-2, bytes[type]);
    }
    for (int type = 7; type <= 12; type += type == 7 ? 4 : 1) {
        static const int bytes[] = {[7] = 1, [11] = 4, [12] = 8};
        nbt_tag(out, type, "array");
        out_number(out, 3, 4);
        for (int i = 0; i < 3; i++) {
            out_number(out, (uint64_t)i, bytes[type]);
        }
    }
    nbt_tag(out, 8, "text");
    nbt_text(out, "four");
    nbt_list(out, "nothing", 0, 0);
    nbt_list(out, "lists", 9, 2);
    for (uint32_t i = 0; i < 2; i++) { // a list of i shorts, without a name
        out_number(out, 2, 1);
        out_number(out, i, 4);
        out_number(out, 7, (int)i * 2);
    }
    nbt_list(out, "compounds", 10, 2);
    nbt_tag(out, 1, "x");
    out_number(out, 5, 1);
    nbt_end(out);
    nbt_end(out);
    nbt_end(out);
}

/// Reads or skips everything. @return the number of values in the outermost compound
static uint32_t walk(const void *bytes, size_t size, bool reads, bool *is_broken)
{
    TrnNbt nbt;
    TrnNbtTag tag;
    uint32_t count = 0, longs;
    trn_nbt_begin(&nbt, bytes, size);
    for (; trn_nbt_next(&nbt, &tag); count++) {
        if (!reads || tag.type == TRN_NBT_LIST || tag.type == TRN_NBT_COMPOUND) {
            trn_nbt_skip(&nbt, tag.type);
        } else if (tag.type == TRN_NBT_STRING) {
            (void)trn_nbt_text(&nbt, tag.type);
        } else if (tag.type == TRN_NBT_LONGS) {
            (void)trn_nbt_longs(&nbt, tag.type, &longs);
        } else {
            (void)trn_nbt_integer(&nbt, tag.type);
        }
    }
    *is_broken = nbt.is_broken;
    return count;
}

static void every_type_is_read(void **state)
{
    (void)state;
    Out out = {0};
    TrnNbt nbt;
    TrnNbtTag tag;
    write_all(&out);
    trn_nbt_begin(&nbt, out.bytes, out.size);
    while (trn_nbt_next(&nbt, &tag)) {
        const unsigned char *at = nbt.at;
        uint32_t count = 0;
        if (tag.type >= TRN_NBT_BYTE && tag.type <= TRN_NBT_LONG) {
            assert_int_equal(trn_nbt_integer(&nbt, tag.type), -2);
        } else if (tag.type == TRN_NBT_DOUBLE) {
            assert_int_equal(trn_nbt_integer(&nbt, tag.type), 0);
            assert_int_equal(nbt.at - at, 8);
        } else if (tag.type == TRN_NBT_STRING) {
            assert_true(trn_nbt_text_is(trn_nbt_text(&nbt, tag.type), "four"));
        } else if (tag.type == TRN_NBT_LONGS) {
            const unsigned char *longs = trn_nbt_longs(&nbt, tag.type, &count);
            assert_int_equal(count, 3);
            assert_int_equal(longs[23], 2);
        } else if (trn_nbt_is(&tag, "compounds")) {
            const TrnNbtList list = trn_nbt_list(&nbt, tag.type);
            assert_int_equal(list.type, TRN_NBT_COMPOUND);
            assert_int_equal(list.count, 2);
            assert_true(trn_nbt_next(&nbt, &tag));
            assert_int_equal(trn_nbt_integer(&nbt, tag.type), 5);
            assert_false(trn_nbt_next(&nbt, &tag));
            assert_false(trn_nbt_next(&nbt, &tag));
        } else { // not what was asked for: skipped
            assert_null(trn_nbt_longs(&nbt, tag.type, &count));
            assert_int_equal(count, 0);
            assert_true(nbt.at > at);
        }
    }
    assert_false(nbt.is_broken);
    assert_ptr_equal(nbt.at, out.bytes + out.size);
    out_free(&out);
}

static void every_cut_is_seen_and_every_flipped_byte_is_safe(void **state)
{
    (void)state;
    Out out = {0};
    bool is_broken;
    write_all(&out);
    assert_int_equal(walk(out.bytes, out.size, false, &is_broken), 13);
    assert_false(is_broken);
    for (size_t cut = 0; cut < out.size; cut++) {
        unsigned char *part = malloc(cut ? cut : 1); // so that a sanitizer sees every read
        memcpy(part, out.bytes, cut);
        (void)walk(part, cut, cut % 2, &is_broken);
        assert_true(is_broken);
        free(part);
    }
    for (size_t at = 0; at < out.size; at++) {
        for (int bit = 0; bit < 8; bit++) {
            out.bytes[at] ^= (unsigned char)(1 << bit);
            (void)walk(out.bytes, out.size, bit % 2, &is_broken);
            out.bytes[at] ^= (unsigned char)(1 << bit);
        }
    }
    out_free(&out);
}

/// Writes lists in lists, or compounds in compounds.
static void write_deep(Out *out, uint32_t depth, bool are_lists)
{
    out_number(out, 10, 1);
    nbt_text(out, "");
    nbt_tag(out, are_lists ? 9 : 10, "");
    for (uint32_t i = 1; i < depth; i++) {
        if (are_lists) {
            out_number(out, 9, 1);
            out_number(out, 1, 4);
        } else {
            nbt_tag(out, 10, "");
        }
    }
    if (are_lists) {
        out_number(out, 1, 1);
        out_number(out, 1, 4);
        out_number(out, 9, 1);
    }
    for (uint32_t i = 0; i < (are_lists ? 1 : depth + 1); i++) {
        nbt_end(out);
    }
}

static void nesting_is_limited(void **state)
{
    (void)state;
    for (int are_lists = 0; are_lists < 2; are_lists++) {
        Out out = {0};
        bool is_broken;
        write_deep(&out, TRN_NBT_DEPTH_MAX, are_lists);
        assert_int_equal(walk(out.bytes, out.size, false, &is_broken), 1);
        assert_false(is_broken);
        out.size = 0;
        write_deep(&out, TRN_NBT_DEPTH_MAX + 1, are_lists);
        (void)walk(out.bytes, out.size, false, &is_broken);
        assert_true(is_broken);
        out.size = 0;
        write_deep(&out, 1000000, are_lists);
        (void)walk(out.bytes, out.size, false, &is_broken);
        assert_true(is_broken);
        out_free(&out);
    }
}

static void counts_beyond_the_bytes_are_refused(void **state)
{
    (void)state;
    static const uint32_t counts[] = {2, 1000, INT32_MAX, (uint32_t)INT32_MAX + 1, UINT32_MAX};
    static const int types[] = {7, 11, 12};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (size_t kind = 0; kind < 5; kind++) {
            Out out = {0};
            bool is_broken;
            out_number(&out, 10, 1);
            nbt_text(&out, "");
            if (kind < 3) {
                nbt_tag(&out, types[kind], "a");
                out_number(&out, counts[i], 4);
            } else { // of compounds; of items without bytes
                nbt_list(&out, "a", kind == 3 ? 10 : 0, counts[i]);
            }
            nbt_end(&out);
            (void)walk(out.bytes, out.size, true, &is_broken);
            assert_true(is_broken);
            out_free(&out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_read),
        cmocka_unit_test(every_cut_is_seen_and_every_flipped_byte_is_safe),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(counts_beyond_the_bytes_are_refused),
    };
    return cmocka_run_group_tests_name("import_nbt", tests, NULL, NULL);
}
