/// Tables of names of imports: a table is refused with a sentence, or gives each name one block,
/// the same whenever it is asked for.
#include "fuzz.h"
#include "import/names.h"

static TrnBlock find(TrnImportNames *names, const char *text, size_t size)
{
    TrnImportName *name = NULL;
    const TrnResult result = trn_import_names_find(names, text, size, &name);
    FUZZ_REQUIRE(result == TRN_RESULT_OK && name);
    FUZZ_REQUIRE(name->size <= TRN_IMPORT_NAME_MAX &&
                 trn_block_types_get(names->types, name->block));
    return name->block;
}

/// Asks for some names, among them each line of the text up to its first '=' or blank.
static void find_names(TrnImportNames *names, const char *text, size_t size)
{
    static const char *const some[] = {"", "air", "their:stone", "a", "minecraft:oak_log"};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        const TrnBlock block = find(names, some[i], strlen(some[i]));
        FUZZ_REQUIRE(block == find(names, some[i], strlen(some[i])));
    }
    for (size_t line = 0, asked = 0; line < size && asked < 64; asked++) {
        size_t end = line;
        while (end < size && text[end] != '\n' && text[end] != '=' && text[end] != ' ') {
            end++;
        }
        const TrnBlock block = find(names, text + line, end - line);
        FUZZ_REQUIRE(block == find(names, text + line, end - line));
        const char *next = memchr(text + end, '\n', size - end);
        line = next ? (size_t)(next - text) + 1 : size;
    }
}

int fuzz_names(const uint8_t *bytes, size_t size);

int fuzz_names(const uint8_t *bytes, size_t size)
{
    static TrnImportNames names; // 32 KiB
    const TrnAllocator allocator = trn_allocator_default();
    const char *text = (const char *)bytes;
    for (int unknown = 0; unknown < 3; unknown++) {
        TrnBlockTypes *types;
        TrnStorageProblem problem = {""};
        FUZZ_REQUIRE(trn_block_types_create_builtin(NULL, &types) == TRN_RESULT_OK);
        memset(&names, 0, sizeof names);
        const TrnImportTables tables = {.given = {text, size}, .built_in = {text, size}};
        const TrnResult result = trn_import_names_open(
            &names, &allocator, types, (TrnImportUnknown)unknown, &tables, &problem);
        FUZZ_REQUIRE(result == TRN_RESULT_OK ||
                     (result == TRN_RESULT_CORRUPT && *problem.sentence));
        if (result == TRN_RESULT_OK) {
            find_names(&names, text, size);
            trn_import_names_free(&names);
        }
        trn_block_types_destroy(types);
    }
    return 0;
}
