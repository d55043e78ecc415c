/// Block types as text: a text is refused with a sentence and changes nothing, or it can be
/// loaded again and then defines nothing new.
#include "fuzz.h"

#include <terrane/block_types.h>

static TrnBlockTypes *create_types(void)
{
    TrnBlockTypes *types;
    FUZZ_REQUIRE(trn_block_types_create_builtin(NULL, &types) == TRN_RESULT_OK);
    return types;
}

static void expect_sentence(const TrnBlockTypesProblem *problem)
{
    const char *at = problem->sentence;
    FUZZ_REQUIRE(*at && memchr(at, 0, sizeof problem->sentence));
    for (; *at; at++) {
        FUZZ_REQUIRE(*at >= ' ' && *at <= '~');
    }
}

/// Returns how many types a registry has.
static uint32_t count_types(const TrnBlockTypes *types)
{
    uint32_t count;
    (void)trn_block_types_all(types, &count);
    return count;
}

/// A registry accepts the text that it was loaded from, which defines nothing new.
static void expect_nothing_new(TrnBlockTypes *types, const char *text, size_t size)
{
    const uint32_t count = count_types(types);
    FUZZ_REQUIRE(trn_block_types_load(types, text, size, NULL) == TRN_RESULT_OK);
    FUZZ_REQUIRE(count_types(types) == count);
}

int fuzz_block_types(const uint8_t *bytes, size_t size);

int fuzz_block_types(const uint8_t *bytes, size_t size)
{
    TrnBlockTypesProblem problem = {0};
    TrnBlockTypes *types = create_types();
    if (trn_block_types_load(types, (const char *)bytes, size, &problem) == TRN_RESULT_OK) {
        expect_nothing_new(types, (const char *)bytes, size);
    } else {
        expect_sentence(&problem);
        FUZZ_REQUIRE(count_types(types) == TRN_BLOCK_BUILTIN_COUNT);
    }
    trn_block_types_destroy(types);
    return 0;
}
