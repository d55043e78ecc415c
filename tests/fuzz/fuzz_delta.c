/// Any bytes as a delta: they are refused and change nothing, or they are applied, and what differs
/// from before is a delta that makes another store equal.
#include "fuzz.h"

#include <terrane/delta.h>

static TrnStore *make_store(void)
{
    TrnStore *store;
    FUZZ_REQUIRE(trn_store_create(NULL, &store) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, 1, NULL) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_store_insert_uniform(store, (TrnCoord){1, 0, 0}, 2, NULL) == TRN_RESULT_OK);
    return store;
}

int fuzz_delta(const uint8_t *bytes, size_t size);

int fuzz_delta(const uint8_t *bytes, size_t size)
{
    static unsigned char again[1u << 18];
    static const TrnBox box = {{-1, -1, -1}, {2, 1, 1}};
    TrnDeltaBase base[4 * 3 * 3];
    TrnStore *store = make_store(), *copy = make_store();
    const uint64_t before = trn_store_revision(store);
    const size_t count = trn_delta_base(copy, box, base, sizeof base / sizeof *base);
    const TrnResult result = trn_delta_apply(store, size ? bytes : again, size, NULL);
    if (result != TRN_RESULT_OK) {
        FUZZ_REQUIRE(result == TRN_RESULT_CORRUPT || result == TRN_RESULT_NOT_FOUND);
        FUZZ_REQUIRE(trn_store_revision(store) == before);
    }
    const size_t written = trn_delta_write(store, box, base, count, again, sizeof again);
    FUZZ_REQUIRE(written >= 2);
    if (written <= sizeof again) {
        FUZZ_REQUIRE(trn_delta_apply(copy, again, written, NULL) == TRN_RESULT_OK);
        const size_t now = trn_delta_base(copy, box, base, sizeof base / sizeof *base);
        FUZZ_REQUIRE(trn_delta_write(store, box, base, now, again, sizeof again) == 2);
    }
    trn_store_destroy(copy);
    trn_store_destroy(store);
    return 0;
}
