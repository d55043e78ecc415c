/// Repair: what is found in worlds whose file is broken in every way.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"
#include "saved_data.h"

#include <time.h>

#include <terrane/repair.h>
#include <terrane/save.h>

#include "row.h"
#include "save_chunk.h"
#include "save_impl.h"

enum { CHUNKS = 36, PAGE = 4096 };

/// A world file, and what it held when it was whole.
typedef struct Fixture {
    Place place;
    char path[PLACE_PATH], to[PLACE_PATH], log[PLACE_PATH + 8];
    SaveChunk chunk;
    TrnBlockTypes *types;
    unsigned char *bytes; ///< the file when it was whole
    size_t size;
    uint64_t sums[CHUNKS]; ///< of the blocks of each chunk
} Fixture;

static const TrnStorageRange everything = {
    .box = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}};

static TrnCoord coord_of(int i)
{
    return (TrnCoord){i % 7 - 3, i / 7 - 4, -i};
}

static uint64_t sum_of(const unsigned char *bytes, size_t size)
{
    uint64_t sum = 1469598103934665603u;
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ bytes[i]) * 1099511628211u;
    }
    return sum;
}

// ---- making a world ----------------------------------------------------------------------------

static TrnSave *open_save(Fixture *fixture, const char *path, TrnStorageMode mode,
                          TrnStorage *storage)
{
    TrnStorageProblem problem = {""};
    TrnSaveDef def = trn_save_def();
    TrnSave *save = NULL;
    def.types = fixture->types;
    def.has_thread = false;
    if (trn_storage_sqlite(path, mode, &def.storage, &problem) != TRN_RESULT_OK ||
        trn_save_create(&def, &save, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    *storage = def.storage;
    return save;
}

static bool note_sum(void *user, const TrnStorageRow *row)
{
    Fixture *fixture = user;
    fixture->sums[-row->key.coord.z] = sum_of(row->bytes, row->size);
    return true;
}

/// Lays a flat land with some holes, whose row is short.
static TrnSnapshot fill_flat(SaveChunk *chunk, TestRandom *random)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        chunk->blocks[i] = i < TRN_CHUNK_VOXELS / 2 && i % 7919 ? 1 : 2;
    }
    for (int i = 0; i < 200; i++) {
        chunk->blocks[test_random_next(random) % (uint32_t)TRN_CHUNK_VOXELS] = 3;
    }
    assert_int_equal(trn_voxels_encode(chunk->heap, &chunk->voxels, chunk->blocks, 1),
                     TRN_RESULT_OK);
    return trn_voxels_snapshot(&chunk->voxels);
}

/// Saves chunks, of which some take several pages and some are uniform.
static void save_chunks(Fixture *fixture, TrnSave *save, const TrnStorage *storage, uint64_t seed)
{
    TestRandom random = {seed};
    const TrnStreamSource source = trn_save_source(save);
    for (int i = 0; i < CHUNKS; i++) {
        const TrnStreamJob job = {.coord = coord_of(i)};
        const uint32_t types = i % 10 == 3 ? 1 : 9;
        const TrnSnapshot voxels = i % 10 == 3 || i % 6 == 5
                                       ? save_chunk_fill(&fixture->chunk, &random, types)
                                       : fill_flat(&fixture->chunk, &random);
        assert_int_equal(source.save(source.user, &job, voxels), TRN_RESULT_OK);
    }
    assert_int_equal(trn_save_set_value(save, "terrane/seed", "7", 1), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(save), TRN_RESULT_OK);
    assert_int_equal(storage->list(storage->user, &everything, note_sum, fixture), TRN_RESULT_OK);
}

static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static int fixture_make(void **state)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    *state = fixture;
    assert_true(place_begin(&fixture->place));
    (void)place_path(&fixture->place, "a.world", fixture->path);
    (void)place_path(&fixture->place, "b.world", fixture->to);
    (void)snprintf(fixture->log, sizeof fixture->log, "%s-wal", fixture->path);
    save_chunk_create(&fixture->chunk);
    assert_int_equal(trn_block_types_create_builtin(NULL, &fixture->types), TRN_RESULT_OK);
    TrnStorage storage;
    TrnSave *save = open_save(fixture, fixture->path, TRN_STORAGE_CREATE, &storage);
    save_chunks(fixture, save, &storage, 1);
    save_chunks(fixture, save, &storage, 2);
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
    fixture->bytes = read_file(fixture->path, &fixture->size);
    assert_int_equal(fixture->size % PAGE, 0);
    return 0;
}

static int fixture_remove(void **state)
{
    Fixture *fixture = *state;
    const bool is_removed = place_discard(&fixture->place);
    trn_block_types_destroy(fixture->types);
    save_chunk_destroy(&fixture->chunk);
    free(fixture->bytes);
    free(fixture);
    return is_removed ? 0 : -1;
}

// ---- looking at a repaired world ---------------------------------------------------------------

typedef struct Look {
    Fixture *fixture;
    TrnSave *save;
    bool has[CHUNKS], has_seed;
    int others; ///< rows that differ from the chunk as it was saved last
} Look;

static bool look_at_row(void *user, const TrnStorageRow *row)
{
    Look *look = user;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    bool is_uniform;
    const char *fault = "";
    const int i = -row->key.coord.z;
    assert_in_range(i, 0, CHUNKS - 1);
    assert_true(trn_coord_equal(row->key.coord, coord_of(i)));
    assert_int_equal(trn_save_read_row(look->save, row, blocks, &is_uniform, &fault),
                     TRN_RESULT_OK);
    look->has[i] = sum_of(row->bytes, row->size) == look->fixture->sums[i];
    look->others += !look->has[i];
    return true;
}

/// Repairs the file, and reads what the new one holds.
static Look repair_and_look(Fixture *fixture, TrnRepairReport *report)
{
    TrnStorageProblem problem = {""};
    Look look = {.fixture = fixture};
    if (trn_repair_sqlite(fixture->path, fixture->to, NULL, report, &problem) != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
    TrnStorage storage;
    look.save = open_save(fixture, fixture->to, TRN_STORAGE_READ_ONLY, &storage);
    assert_int_equal(storage.list(storage.user, &everything, look_at_row, &look), TRN_RESULT_OK);
    look.has_seed = trn_save_get_value(look.save, "terrane/seed", NULL, 0, NULL) == TRN_RESULT_OK;
    assert_int_equal(trn_save_destroy(look.save), TRN_RESULT_OK);
    assert_int_equal(remove(fixture->to), 0);
    return look;
}

static int count_has(const Look *look)
{
    int count = 0;
    for (int i = 0; i < CHUNKS; i++) {
        count += look->has[i];
    }
    return count;
}

// ---- tests -------------------------------------------------------------------------------------

static void a_whole_world_comes_back(void **state)
{
    Fixture *fixture = *state;
    TrnRepairReport report;
    const Look look = repair_and_look(fixture, &report);
    assert_int_equal(count_has(&look), CHUNKS);
    assert_int_equal(report.chunks, CHUNKS);
    assert_int_equal(report.lost_names, 0);
    assert_int_equal(report.unreadable, 0);
    // Nothing was written to it.
    size_t size;
    unsigned char *bytes = read_file(fixture->path, &size);
    assert_int_equal(size, fixture->size);
    assert_memory_equal(bytes, fixture->bytes, size);
    free(bytes);
}

/// Whether any byte of a chunk's row lies on a page: its row is the one with the chunk's bytes.
static bool row_is_on_page(const TrnStorageRow *row, const unsigned char *page)
{
    // A row on several pages is cut at any byte, so its pieces are looked for by their bytes.
    const unsigned char *bytes = row->bytes;
    for (size_t at = 0; at + 16 <= row->size; at += 16) {
        for (size_t i = 0; i + 16 <= PAGE; i++) {
            if (page[i] == bytes[at] && memcmp(page + i, bytes + at, 16) == 0) {
                return true;
            }
        }
    }
    return false;
}

typedef struct Pages {
    const Fixture *fixture;
    unsigned char *is_on; ///< [CHUNKS * pages]
} Pages;

static bool note_pages(void *user, const TrnStorageRow *row)
{
    const Pages *pages = user;
    const size_t count = pages->fixture->size / PAGE, i = (size_t)-row->key.coord.z;
    for (size_t page = 0; page < count; page++) {
        pages->is_on[i * count + page] = row_is_on_page(row, pages->fixture->bytes + page * PAGE);
    }
    return true;
}

static void every_page_may_be_overwritten(void **state)
{
    Fixture *fixture = *state;
    const size_t count = fixture->size / PAGE;
    Pages pages = {fixture, calloc(CHUNKS * count, 1)};
    TrnStorage storage;
    TrnSave *save = open_save(fixture, fixture->path, TRN_STORAGE_READ_ONLY, &storage);
    assert_non_null(pages.is_on);
    assert_int_equal(storage.list(storage.user, &everything, note_pages, &pages), TRN_RESULT_OK);
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);

    TestRandom random = test_random_seeded(3);
    unsigned char *broken = malloc(fixture->size);
    assert_non_null(broken);
    int lost = 0, long_rows = 0;
    for (size_t page = 0; page < count; page++) {
        memcpy(broken, fixture->bytes, fixture->size);
        for (size_t i = 0; i < PAGE; i++) {
            broken[page * PAGE + i] = page % 3 ? (unsigned char)test_random_next(&random) : 0;
        }
        write_file(fixture->path, broken, fixture->size);
        TrnRepairReport report;
        const Look look = repair_and_look(fixture, &report);
        assert_int_equal(report.lost_names, 0); // each is in the file twice
        assert_true(look.has_seed);
        for (size_t i = 0; i < CHUNKS; i++) {
            if (!pages.is_on[i * count + page] && !look.has[i]) {
                fail_msg("chunk %d was lost with page %d, where it is not", (int)i, (int)page);
            }
            lost += !look.has[i];
        }
    }
    for (size_t i = 0; i < CHUNKS; i++) {
        int on = 0;
        for (size_t page = 0; page < count; page++) {
            on += pages.is_on[i * count + page];
        }
        long_rows += on > 1;
    }
    assert_true(lost >= CHUNKS / 2); // the test does destroy rows
    assert_true(long_rows >= CHUNKS / 12);
    free(broken);
    free(pages.is_on);
}

static void every_cut_keeps_what_is_before_it(void **state)
{
    Fixture *fixture = *state;
    int before = CHUNKS + 1;
    for (size_t size = fixture->size; size > PAGE; size -= PAGE / 2 + 100) {
        TrnRepairReport report = {0};
        TrnStorageProblem problem = {""};
        write_file(fixture->path, fixture->bytes, size);
        const TrnResult result =
            trn_repair_sqlite(fixture->path, fixture->to, NULL, &report, &problem);
        if (result == TRN_RESULT_CORRUPT) {
            assert_non_null(strstr(problem.sentence, "nothing of a world was found"));
            continue;
        }
        assert_int_equal(result, TRN_RESULT_OK);
        assert_int_equal(remove(fixture->to), 0);
        assert_true((int)report.chunks <= before);
        before = (int)report.chunks;
    }
    assert_true(before < CHUNKS);
}

static void the_log_counts_too(void **state)
{
    Fixture *fixture = *state;
    char copy[PLACE_PATH], copy_log[PLACE_PATH + 8];
    (void)place_path(&fixture->place, "c.world", copy);
    (void)snprintf(copy_log, sizeof copy_log, "%s-wal", copy);
    TrnStorage storage;
    TrnSave *save = open_save(fixture, fixture->path, TRN_STORAGE_OPEN, &storage);
    save_chunks(fixture, save, &storage, 3); // into the log alone
    size_t size, log_size;
    unsigned char *bytes = read_file(fixture->path, &size);
    unsigned char *log = read_file(fixture->log, &log_size);
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
    assert_true(log_size > (size_t)10 * PAGE);
    (void)strcpy(fixture->path, copy);
    (void)strcpy(fixture->log, copy_log);
    for (int round = 0; round < 3; round++) {
        if (round == 1) { // the log alone, with the first pages of the database gone
            memset(bytes, 0, size < (size_t)4 * PAGE ? size : (size_t)4 * PAGE);
        } else if (round == 2) { // a broken header of the log
            memset(log, 0x55, 32);
        }
        write_file(copy, bytes, size);
        write_file(copy_log, log, log_size);
        TrnRepairReport report;
        const Look look = repair_and_look(fixture, &report);
        assert_int_equal(report.chunks, CHUNKS);
        assert_int_equal(count_has(&look), CHUNKS); // the newest of each
    }
    free(bytes);
    free(log);
}

static const char sign_text[] = "this chunk has block data";

/// Checks the data of a chunk, of which there is one voxel's.
static TrnResult check_sign(void *user, const TrnBlockData *data)
{
    ++*(int *)user;
    assert_int_equal(data->index, 77);
    assert_int_equal(data->rule, TRN_DATA_STAYS);
    assert_int_equal(data->size, sizeof sign_text);
    assert_memory_equal(data->bytes, sign_text, sizeof sign_text);
    return TRN_RESULT_OK;
}

/// Saves a chunk of which one voxel has data.
static void save_sign(Fixture *fixture, TrnSave *save, TrnCoord coord)
{
    const TrnBlockData sign = {sign_text, sizeof sign_text, 77, TRN_DATA_STAYS};
    const TrnBlock block = 3;
    save_chunk_with_data(save, coord, fixture->types, &block, true, &sign);
}

/// Block data is in the rows: it comes back with its chunk, in a world of the format that has it.
static void block_data_comes_back(void **state)
{
    Fixture *fixture = *state;
    const TrnCoord coord = {500, 0, 0};
    TrnStorage storage;
    TrnSave *save = open_save(fixture, fixture->path, TRN_STORAGE_OPEN, &storage);
    save_sign(fixture, save, coord);
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
    size_t size;
    unsigned char *bytes = read_file(fixture->path, &size);
    memset(bytes, 0, PAGE); // no database any more
    write_file(fixture->path, bytes, size);
    free(bytes);
    TrnRepairReport report;
    assert_int_equal(trn_repair_sqlite(fixture->path, fixture->to, NULL, &report, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(report.chunks, CHUNKS + 1);
    save = open_save(fixture, fixture->to, TRN_STORAGE_READ_ONLY, &storage);
    int signs = 0;
    const TrnDataSink sink = {check_sign, &signs};
    const TrnStreamJob job = {.coord = coord, .data = &sink};
    const TrnStreamSource source = trn_save_source(save);
    bool is_uniform = false;
    assert_int_equal(source.load(source.user, &job, fixture->chunk.blocks, &is_uniform),
                     TRN_RESULT_OK);
    assert_true(is_uniform && fixture->chunk.blocks[0] == 3);
    assert_int_equal(signs, 1);
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
}

/// Writes the revision of a world's last change.
static void put_revision(const char *path, uint64_t revision)
{
    TrnStorage storage;
    unsigned char bytes[8];
    trn_number_write(bytes, revision, sizeof bytes);
    const TrnStorageValue value = {TRN_SAVE_REVISION_NAME, bytes, sizeof bytes};
    const TrnStorageBatch batch = {.values = &value, .value_count = 1};
    assert_int_equal(trn_storage_sqlite(path, TRN_STORAGE_OPEN, &storage, NULL), TRN_RESULT_OK);
    assert_int_equal(storage.put(storage.user, &batch), TRN_RESULT_OK);
    storage.close(storage.user);
}

static bool take_revision(void *user, const TrnStorageValue *value)
{
    assert_int_equal(value->size, 8);
    *(uint64_t *)user = trn_number_read(value->bytes, 8);
    return true;
}

static bool take_highest(void *user, const TrnStorageRow *row)
{
    uint64_t *highest = user;
    *highest = row->revision > *highest ? row->revision : *highest;
    return true;
}

/// Later changes have later revisions than all rows, and than those that rows had that are gone.
static void the_next_revision_is_later_than_all(void **state)
{
    Fixture *fixture = *state;
    uint64_t highest = 0;
    TrnStorage storage;
    assert_int_equal(trn_storage_sqlite(fixture->path, TRN_STORAGE_READ_ONLY, &storage, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(storage.list(storage.user, &everything, take_highest, &highest),
                     TRN_RESULT_OK);
    storage.close(storage.user);
    assert_true(highest > 1);
    const uint64_t said[][2] = {{1, highest},
                                {highest + 1000, highest + 1000},
                                {TRN_SAVE_REVISION_MAX - 1, TRN_SAVE_REVISION_MAX - 1},
                                {TRN_SAVE_REVISION_MAX, highest}, // which no world reaches
                                {UINT64_MAX, highest}};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        uint64_t revision = 0;
        write_file(fixture->path, fixture->bytes, fixture->size);
        put_revision(fixture->path, said[i][0]);
        assert_int_equal(trn_repair_sqlite(fixture->path, fixture->to, NULL, NULL, NULL),
                         TRN_RESULT_OK);
        TrnSave *save = open_save(fixture, fixture->to, TRN_STORAGE_OPEN, &storage);
        assert_int_equal(
            storage.values(storage.user, TRN_SAVE_REVISION_NAME, take_revision, &revision),
            TRN_RESULT_OK);
        assert_int_equal(revision, said[i][1]);
        assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
        assert_int_equal(remove(fixture->to), 0);
    }
}

static void lost_names_become_placeholders(void **state)
{
    Fixture *fixture = *state;
    for (size_t i = 0; i + 14 < fixture->size; i++) {
        if (memcmp(fixture->bytes + i, "terrane/block/", 14) == 0) {
            fixture->bytes[i] = 'x';
        }
    }
    write_file(fixture->path, fixture->bytes, fixture->size);
    TrnRepairReport report;
    TrnStorageProblem problem = {""};
    assert_int_equal(trn_repair_sqlite(fixture->path, fixture->to, NULL, &report, &problem),
                     TRN_RESULT_OK);
    assert_int_equal(report.chunks, CHUNKS);
    assert_int_equal(report.lost_names, 9);
    TrnStorage storage;
    TrnBlock block;
    TrnSave *save = open_save(fixture, fixture->to, TRN_STORAGE_OPEN, &storage);
    assert_int_equal(trn_block_types_find(fixture->types, "lost:00009", &block), TRN_RESULT_OK);
    char seed[2] = "";
    assert_int_equal(trn_save_get_value(save, "terrane/seed", seed, 1, NULL), TRN_RESULT_OK);
    assert_string_equal(seed, "7");
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
}

static void what_is_no_world_is_refused(void **state)
{
    Fixture *fixture = *state;
    TrnStorageProblem problem = {""};
    TestRandom random = {4};
    memset(fixture->bytes, 0, fixture->size);
    for (int round = 0; round < 4; round++) {
        write_file(fixture->path, fixture->bytes, round ? fixture->size : 0);
        assert_int_equal(trn_repair_sqlite(fixture->path, fixture->to, NULL, NULL, &problem),
                         TRN_RESULT_CORRUPT);
        assert_non_null(strstr(problem.sentence, "nothing of a world"));
        assert_int_equal(place_count(&fixture->place), 1); // no file is left
        for (size_t i = 0; i < fixture->size; i++) {
            // In the end, headers of rows everywhere.
            fixture->bytes[i] = round == 2 ? (unsigned char)("TRNC\1"[i % 48 < 5 ? i % 48 : 4])
                                           : (unsigned char)test_random_next(&random);
        }
    }
    assert_int_equal(trn_repair_sqlite(fixture->place.folder, fixture->to, NULL, NULL, &problem),
                     TRN_RESULT_IO);
    assert_int_equal(trn_repair_sqlite("nowhere", fixture->to, NULL, NULL, &problem),
                     TRN_RESULT_NOT_FOUND);
    assert_string_equal(problem.sentence, "nowhere: there is no such file.");
    assert_int_equal(trn_repair_sqlite(fixture->path, fixture->path, NULL, NULL, &problem),
                     TRN_RESULT_EXISTS);
    assert_int_equal(trn_repair_sqlite(fixture->path, NULL, NULL, NULL, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
}

static void put_page(unsigned char *to, uint32_t page)
{
    for (int i = 0; i < 4; i++) {
        to[i] = (unsigned char)(page >> (24 - 8 * i));
    }
}

/// A file of small pages that takes quadratic time if every chain of pages is followed: each page
/// has eleven records of a value as large as the file, which begins on the next page.
static void write_chains(const Fixture *fixture, uint32_t pages)
{
    enum { SMALL = 512, BEFORE = 15, LOCAL = 39, RECORD = LOCAL + 4 };
    unsigned char *bytes = calloc(pages, SMALL), record[] = "\6\37....terrane/x";
    assert_non_null(bytes);
    // So large that LOCAL bytes of the record lie in its cell, and a page is missing for the rest.
    const uint32_t size = pages * (SMALL - 4) + LOCAL - BEFORE, type = 12 + 2 * size;
    for (uint32_t i = 0; i < 4; i++) {
        record[2 + i] = (unsigned char)((type >> (21 - 7 * i) & 0x7F) | (i < 3 ? 0x80 : 0));
    }
    for (uint32_t i = 0; i < pages; i++) {
        unsigned char *const page = bytes + (size_t)i * SMALL;
        const uint32_t next = i + 1 < pages ? i + 2 : 0; // counted from 1
        put_page(page, next);
        for (uint32_t at = 24; at + RECORD <= SMALL; at += RECORD) {
            memcpy(page + at, record, BEFORE);
            put_page(page + at + LOCAL, next);
        }
    }
    memcpy(bytes, "SQLite format 3\0\2", 18);
    write_file(fixture->path, bytes, (size_t)pages * SMALL);
    free(bytes);
}

static void long_chains_take_linear_time(void **state)
{
    Fixture *fixture = *state;
    TrnStorageProblem problem = {""};
    write_chains(fixture, test_rounds(1 << 15, 1 << 12));
    const clock_t begin = clock();
    assert_int_equal(trn_repair_sqlite(fixture->path, fixture->to, NULL, NULL, &problem),
                     TRN_RESULT_CORRUPT);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 60);
}

/// Any bytes are safe, and some chunks come back.
static void random_damage_leaves_the_rest(void **state)
{
    Fixture *fixture = *state;
    TestRandom random = test_random_seeded(6);
    unsigned char *broken = malloc(fixture->size);
    assert_non_null(broken);
    for (int round = 0; round < 20; round++) {
        TrnRepairReport report;
        memcpy(broken, fixture->bytes, fixture->size);
        for (int i = 0; i < 4 << round / 4; i++) {
            broken[test_random_next(&random) % fixture->size] =
                (unsigned char)test_random_next(&random);
        }
        write_file(fixture->path, broken, fixture->size);
        const Look look = repair_and_look(fixture, &report);
        assert_true(round >= 8 || count_has(&look) >= CHUNKS - (4 << round / 4));
    }
    free(broken);
}

static bool stop_at_third(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    assert_true(done <= total);
    return done < 3;
}

static bool stop_at_once(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    return false;
}

static void a_stopped_repair_leaves_nothing(void **state)
{
    Fixture *fixture = *state;
    const TrnStorageProgress progress = {stop_at_third, NULL};
    assert_int_equal(trn_repair_sqlite(fixture->path, fixture->to, &progress, NULL, NULL),
                     TRN_RESULT_IO);
    assert_int_equal(place_count(&fixture->place), 1);
}

// ---- checks, packing, stopped backups ----------------------------------------------------------

static void count_fault(void *user, const char *sentence)
{
    assert_true(strlen(sentence) > 0);
    ++*(int *)user;
}

static void a_check_finds_what_is_out_of_order(void **state)
{
    Fixture *fixture = *state;
    TrnStorage storage;
    TrnSave *save = open_save(fixture, fixture->path, TRN_STORAGE_READ_ONLY, &storage);
    int faults = 0;
    assert_int_equal(trn_storage_sqlite_check(&storage, NULL, count_fault, &faults), TRN_RESULT_OK);
    assert_int_equal(faults, 0);
    const TrnStorageProgress progress = {stop_at_once, NULL};
    assert_int_not_equal(trn_storage_sqlite_check(&storage, &progress, count_fault, &faults),
                         TRN_RESULT_CORRUPT);
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
    memset(fixture->bytes + fixture->size - PAGE, 0xFF, PAGE);
    write_file(fixture->path, fixture->bytes, fixture->size);
    save = open_save(fixture, fixture->path, TRN_STORAGE_READ_ONLY, &storage);
    const TrnResult result = trn_storage_sqlite_check(&storage, NULL, count_fault, &faults);
    assert_true(faults > 0 || result == TRN_RESULT_CORRUPT);
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
}

static void a_packed_file_is_smaller_and_holds_the_same(void **state)
{
    Fixture *fixture = *state;
    TrnStorage storage;
    TrnSave *save = open_save(fixture, fixture->path, TRN_STORAGE_OPEN, &storage);
    TrnStorageRow rows[CHUNKS / 2];
    for (int i = 0; i < CHUNKS / 2; i++) {
        rows[i] = (TrnStorageRow){.key = {coord_of(i), 0}};
    }
    const TrnStorageBatch batch = {.rows = rows, .row_count = CHUNKS / 2};
    const TrnStorageProgress stopped = {stop_at_once, NULL};
    assert_int_equal(storage.put(storage.user, &batch), TRN_RESULT_OK);
    (void)trn_storage_sqlite_compact(&storage, &stopped, NULL); // leaves everything as it was
    assert_int_equal(trn_storage_sqlite_compact(&storage, NULL, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
    size_t size;
    free(read_file(fixture->path, &size));
    assert_true(size < fixture->size * 3 / 4);
    Look look = {.fixture = fixture};
    look.save = open_save(fixture, fixture->path, TRN_STORAGE_READ_ONLY, &storage);
    assert_int_equal(storage.list(storage.user, &everything, look_at_row, &look), TRN_RESULT_OK);
    assert_int_equal(count_has(&look), CHUNKS - CHUNKS / 2);
    assert_int_equal(trn_storage_sqlite_compact(&storage, NULL, NULL), TRN_RESULT_IO);
    assert_int_equal(trn_save_destroy(look.save), TRN_RESULT_OK);
}

static void a_stopped_backup_leaves_nothing(void **state)
{
    Fixture *fixture = *state;
    TrnStorage storage;
    TrnStorageProblem problem = {""};
    const TrnStorageProgress stopped = {stop_at_once, NULL};
    TrnSave *save = open_save(fixture, fixture->path, TRN_STORAGE_OPEN, &storage);
    save_chunks(fixture, save, &storage, 5); // more pages than a step copies
    const int before = place_count(&fixture->place);
    const TrnResult result = trn_storage_sqlite_backup(&storage, fixture->to, &stopped, &problem);
    if (result == TRN_RESULT_OK) { // fewer pages than one step
        assert_int_equal(remove(fixture->to), 0);
    }
    assert_int_equal(place_count(&fixture->place), before);
    assert_int_equal(trn_storage_sqlite_backup(&storage, "/nowhere/a.world", NULL, &problem),
                     TRN_RESULT_IO);
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_make, fixture_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_whole_world_comes_back),
        TEST(every_page_may_be_overwritten),
        TEST(every_cut_keeps_what_is_before_it),
        TEST(the_log_counts_too),
        TEST(the_next_revision_is_later_than_all),
        TEST(lost_names_become_placeholders),
        TEST(what_is_no_world_is_refused),
        TEST(random_damage_leaves_the_rest),
        TEST(a_stopped_repair_leaves_nothing),
        TEST(a_check_finds_what_is_out_of_order),
        TEST(a_packed_file_is_smaller_and_holds_the_same),
        TEST(a_stopped_backup_leaves_nothing),
        TEST(long_chains_take_linear_time),
        TEST(block_data_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
