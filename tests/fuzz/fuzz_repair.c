/// Broken world files. An input is a byte of flags, the size of the database in units of 512 bytes
/// (16 bits), the database, and its log. Random bytes fail at the checksums of rows, so with flag 1
/// the checksums of all rows that lie on one page are mended.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): mkdtemp
#include <terrane/generator.h>
#include <terrane/repair.h>

#include "base/number.h"
#include "fuzz_files.h"
#include "row.h"

#define INPUT_HEADER 3

/// The files of one repair: `from`, its log, and `to`.
typedef struct RepairFuzz {
    char folder[FUZZ_FOLDER_BYTES];
    char from[FUZZ_PATH_BYTES], log[FUZZ_PATH_BYTES], to[FUZZ_PATH_BYTES];
    uint64_t rows;
} RepairFuzz;

static void mend_rows(uint8_t *bytes, size_t size)
{
    uint8_t magic[4];
    trn_number_write(magic, TRN_ROW_MAGIC, sizeof magic);
    for (size_t at = 0; at + TRN_ROW_HEADER_BYTES <= size; at++) {
        const size_t row = TRN_ROW_HEADER_BYTES + (size_t)trn_number_read(bytes + at + 40, 4);
        if (memcmp(bytes + at, magic, sizeof magic) == 0 && row <= size - at) {
            trn_row_seal(bytes + at, row);
        }
    }
}

static void begin_fuzz(RepairFuzz *fuzz, const uint8_t *bytes, size_t size)
{
    const size_t wanted = size >= INPUT_HEADER ? (size_t)trn_number_read(bytes + 1, 2) * 512 : 0;
    const size_t left = size >= INPUT_HEADER ? size - INPUT_HEADER : 0;
    const size_t database = wanted < left ? wanted : left;
    uint8_t *copy = malloc(left + 1);
    FUZZ_REQUIRE(copy);
    memcpy(copy, bytes + (size - left), left);
    if (left && bytes[0] & 1) {
        mend_rows(copy, left);
    }
    fuzz_begin_folder(fuzz->folder);
    fuzz_path(fuzz->from, fuzz->folder, "from");
    fuzz_path(fuzz->log, fuzz->folder, "from-wal");
    fuzz_path(fuzz->to, fuzz->folder, "to");
    fuzz_write_file(fuzz->from, copy, database);
    if (left > database) {
        fuzz_write_file(fuzz->log, copy + database, left - database);
    }
    free(copy);
}

static bool check_row(void *user, const TrnStorageRow *row)
{
    RepairFuzz *fuzz = user;
    TrnRowHeader header;
    FUZZ_REQUIRE(trn_row_check(row->bytes, row->size, &row->key, &header) == TRN_ROW_FAULT_NONE);
    fuzz->rows++;
    return true;
}

/// The new world has each chunk of the report once, with a row that can be read.
static void check_world(RepairFuzz *fuzz, const TrnRepairReport *report)
{
    TrnStorage storage;
    FUZZ_REQUIRE(trn_storage_sqlite(fuzz->to, TRN_STORAGE_OPEN, &storage, NULL) == TRN_RESULT_OK);
    TrnStorageRange range = {
        .box = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}};
    fuzz->rows = 0;
    for (; range.level <= TRN_GENERATOR_LEVEL_MAX; range.level++) {
        FUZZ_REQUIRE(storage.list(storage.user, &range, check_row, fuzz) == TRN_RESULT_OK);
    }
    storage.close(storage.user);
    FUZZ_REQUIRE(fuzz->rows == report->chunks);
    FUZZ_REQUIRE(remove(fuzz->to) == 0);
}

int fuzz_repair(const uint8_t *bytes, size_t size);

int fuzz_repair(const uint8_t *bytes, size_t size)
{
    RepairFuzz fuzz;
    TrnRepairReport report = {0};
    TrnStorageProblem problem = {""};
    begin_fuzz(&fuzz, bytes, size);
    const TrnResult result = trn_repair_sqlite(fuzz.from, fuzz.to, NULL, &report, &problem);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || (result == TRN_RESULT_CORRUPT && *problem.sentence));
    if (result == TRN_RESULT_OK) {
        check_world(&fuzz, &report);
    }
    FUZZ_REQUIRE(remove(fuzz.from) == 0);
    (void)remove(fuzz.log);
    fuzz_end_folder(fuzz.folder); // nothing else is left
    return 0;
}
