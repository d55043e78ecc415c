/// World files in which bytes, pages or the end differ. Opening is refused with a sentence, or each
/// row that can be read has the voxels that were saved, and the world can be written and closed.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): mkdtemp
#include "fuzz_world.h"

#define PAGE 4096u

/// Damages a copy of the file as the program says. @return its size then
static size_t damage(FuzzProgram *program, uint8_t *bytes, size_t size)
{
    const uint32_t pages = (uint32_t)(size / PAGE);
    for (int i = 0; i < 64 && fuzz_has_more(program); i++) {
        const uint32_t kind = fuzz_below(program, 8);
        const uint32_t page = fuzz_below(program, pages) * PAGE;
        const uint32_t at = page + fuzz_below(program, kind < 4 ? 128 : PAGE);
        if (kind == 7) { // a page instead of another
            memmove(bytes + page, bytes + (size_t)fuzz_below(program, pages) * PAGE, PAGE);
        } else if (kind == 6) {
            const size_t zeroes = fuzz_number(program, 2);
            memset(bytes + at, 0, zeroes < size - at ? zeroes : size - at);
        } else {
            bytes[at] = (uint8_t)fuzz_number(program, 1);
        }
    }
    const uint32_t cut = fuzz_number(program, 2); // 0: not at all
    return cut && cut < size ? size - cut : size;
}

int fuzz_world(const uint8_t *bytes, size_t size);

int fuzz_world(const uint8_t *bytes, size_t size)
{
    static FuzzWorldFile original;
    FuzzWorld fuzz = {.is_wrong = false};
    FuzzProgram program = fuzz_program(bytes, size);
    fuzz_begin_folder(fuzz.folder);
    fuzz_path(fuzz.file, fuzz.folder, "a.world");
    if (!original.bytes) {
        fuzz_world_create(&fuzz, &original);
    }
    uint8_t *copy = malloc(original.size);
    FUZZ_REQUIRE(copy);
    memcpy(copy, original.bytes, original.size);
    fuzz_write_file(fuzz.file, copy, damage(&program, copy, original.size));
    free(copy);
    const TrnResult result = fuzz_world_open(&fuzz, TRN_STORAGE_OPEN);
    if (result == TRN_RESULT_OK) {
        fuzz_world_use(&fuzz);
        FUZZ_REQUIRE(!fuzz.is_wrong);
    }
    (void)fuzz_world_close(&fuzz);
    fuzz_world_remove(fuzz.folder, "a.world");
    fuzz_world_remove(fuzz.folder, "a.world-wal");
    fuzz_world_remove(fuzz.folder, "a.world-shm");
    fuzz_end_folder(fuzz.folder);
    return 0;
}
