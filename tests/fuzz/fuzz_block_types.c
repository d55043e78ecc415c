/// Block types as text: a text is refused with a sentence and changes nothing, or what it defines
/// is written and read again as it was.
#include "fuzz.h"

#include <terrane/block_types.h>

static TrnBlockTypes *create_types(void)
{
    TrnBlockTypes *types;
    FUZZ_REQUIRE(trn_block_types_create_builtin(NULL, &types) == TRN_RESULT_OK);
    return types;
}

/// Returns the text of all types. @param size  receives its bytes
static char *write_types(const TrnBlockTypes *types, size_t *size)
{
    *size = trn_block_types_write(types, NULL, 0);
    char *text = malloc(*size + 1);
    FUZZ_REQUIRE(text && trn_block_types_write(types, text, *size) == *size);
    return text;
}

static void expect_sentence(const TrnBlockTypesProblem *problem)
{
    const char *at = problem->sentence;
    FUZZ_REQUIRE(*at && memchr(at, 0, sizeof problem->sentence));
    for (; *at; at++) {
        FUZZ_REQUIRE(*at >= ' ' && *at <= '~');
    }
}

/// Types that were written are read, and written alike.
static void expect_round_trip(const TrnBlockTypes *types)
{
    size_t size, again_size;
    char *text = write_types(types, &size);
    TrnBlockTypes *again = create_types();
    FUZZ_REQUIRE(trn_block_types_load(again, text, size, NULL) == TRN_RESULT_OK);
    char *again_text = write_types(again, &again_size);
    FUZZ_REQUIRE(size == again_size && memcmp(text, again_text, size) == 0);
    trn_block_types_destroy(again);
    free(again_text);
    free(text);
}

int fuzz_block_types(const uint8_t *bytes, size_t size);

int fuzz_block_types(const uint8_t *bytes, size_t size)
{
    TrnBlockTypesProblem problem = {0};
    uint32_t count;
    TrnBlockTypes *types = create_types();
    if (trn_block_types_load(types, (const char *)bytes, size, &problem) == TRN_RESULT_OK) {
        expect_round_trip(types);
    } else {
        expect_sentence(&problem);
        (void)trn_block_types_all(types, &count);
        FUZZ_REQUIRE(count == TRN_BLOCK_BUILTIN_COUNT);
    }
    trn_block_types_destroy(types);
    return 0;
}
