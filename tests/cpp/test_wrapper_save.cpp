// The C++ wrapper of storages and saves.
#include <filesystem> // first: cmocka makes a macro of fail

#include "wrapper_rows.hpp"
#include "wrapper_testing.hpp"

namespace {

// ---- storages ----------------------------------------------------------------------------------

void storages_are_read_by_functions(void **)
{
    trn::Storage storage = take(trn::Storage::memory());
    for (std::int32_t x = 0; x < 5; x++) {
        take(put_row(storage, row_of({x, 0, 0}, 1, "row")));
    }
    const TrnStorageValue value = {"game/name", "Ann", 3};
    TrnStorageBatch batch{};
    batch.values = &value;
    batch.value_count = 1;
    take(storage.put(batch));
    const TrnStorageKey keys[] = {{{1, 0, 0}, 0}, {{9, 0, 0}, 0}, {{4, 0, 0}, 0}};
    std::int32_t sum = 0;
    take(storage.get(keys, [&](const TrnStorageRow &row) { sum += row.key.coord.x; }));
    assert_int_equal(sum, 5);
    TrnStorageRange range{};
    range.box = {{0, 0, 0}, {9, 0, 0}};
    std::size_t seen = 0;
    take(storage.list(range, [&](const TrnStorageRow &) { return ++seen < 3; }));
    assert_int_equal(seen, 3);
    std::string name;
    take(storage.values("game/", [&](const TrnStorageValue &found) {
        name.assign(static_cast<const char *>(found.bytes), found.size);
    }));
    assert_string_equal(name.c_str(), "Ann");
#if TEST_HAS_EXCEPTIONS
    const auto throws = [](const TrnStorageRow &) { throw std::bad_alloc(); };
    assert_int_equal(storage.list(range, throws).result(), TRN_RESULT_NO_MEMORY);
#endif
}

void storages_close_once(void **)
{
    FailingAllocator memory;
    const TrnAllocator allocator = memory.c();
    {
        trn::Storage one = take(trn::Storage::memory(&allocator));
        take(put_row(one, row_of({0, 0, 0}, 1, "kept")));
        const trn::StorageRef borrowed = one.borrow();
        trn::Storage two = std::move(one);
        assert_false(static_cast<bool>(one)); // NOLINT(bugprone-use-after-move): it is empty
        std::size_t seen = 0;
        TrnStorageRange range{};
        take(borrowed.list(range, [&](const TrnStorageRow &) { seen++; }));
        assert_int_equal(seen, 1);
        one = take(trn::Storage::memory(&allocator));
        two = std::move(one);
        trn::Storage taken(two.release());
        assert_true(static_cast<bool>(taken));
    }
    assert_int_equal(memory.live, 0);
    TrnStorageProblem problem{};
    const auto none = trn::Storage::open("/nowhere/a.world", TRN_STORAGE_OPEN, &problem);
    assert_int_equal(none.result(), TRN_RESULT_NOT_FOUND);
    assert_true(std::strlen(problem.sentence) > 0);
}

// ---- worlds in files ---------------------------------------------------------------------------

/// A folder of one test, with a file that does not exist yet.
struct Folder {
    Folder()
    {
        char name[] = "/tmp/terrane-test-XXXXXX";
        assert_non_null(mkdtemp(name));
        path = name;
        file = path + "/a.world";
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    ~Folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    std::string path, file;
};

trn::Save open_save(const std::string &file, trn::BlockTypesRef types)
{
    TrnStorageProblem problem{};
    trn::Result<trn::Storage> storage =
        trn::Storage::open(file.c_str(), TRN_STORAGE_EITHER, &problem);
    assert_string_equal(problem.sentence, "");
    return take(trn::Save::create(take(std::move(storage)), types));
}

struct Flat {
    void operator()(TrnCoord coord, std::uint32_t, trn::Span<TrnBlock> blocks, bool &uniform) const
    {
        blocks[0] = coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
        uniform = true;
    }
};

/// What a game holds: members are destroyed from the last to the first.
struct World {
    explicit World(const std::string &file) : save(open_save(file, types))
    {
        TrnStoreDef store_def = trn_store_def();
        store_def.types = types.c();
        store = take(trn::Store::create(store_def));
        take(save.load_pending(store));
        TrnStreamDef def = trn_stream_def();
        def.store = store.c();
        def.generator = trn::generator(flat);
        def.source = save.source();
        def.workers = 0;
        stream = take(trn::Stream::create(def));
        TrnStreamAnchor player = trn_stream_anchor();
        player.radius_chunks = player.height_chunks = 1;
        take(stream.add(player));
        TrnStreamReport report{};
        const TrnStreamBudget unlimited{};
        for (int i = 0; i < 100 && !report.is_idle; i++) {
            take(stream.update(&report, &unlimited));
        }
        assert_true(report.is_idle);
    }
    Flat flat;
    trn::BlockTypes types = take(trn::BlockTypes::create_builtin());
    trn::Save save;
    trn::Store store;
    trn::Stream stream;
};

constexpr TrnVoxel near_by{5, -3, 5}, far_away{3205, 7, 5};

void a_file_keeps_a_world(void **)
{
    const Folder folder;
    {
        World world(folder.file);
        assert_int_equal(take(world.store.get_block(near_by)), TRN_BLOCK_STONE);
        trn::Batch batch = take(trn::Batch::begin(world.store));
        batch.set(near_by, TRN_BLOCK_GLASS);
        batch.set(far_away, TRN_BLOCK_SAND); // its chunk is not loaded
        take(batch.commit());
        take(world.stream.save());
        take(world.save.save_pending(world.store));
        take(world.save.flush());
        const TrnSaveStats stats = world.save.stats();
        assert_int_equal(stats.in_queue, 0);
        assert_true(stats.written > 0);
    }
    {
        const World world(folder.file);
        assert_int_equal(take(world.store.get_block(near_by)), TRN_BLOCK_GLASS);
        std::vector<TrnCoord> pending;
        const trn::Span<TrnCoord> chunks = world.store.pending_chunks(pending);
        assert_int_equal(chunks.size(), 1);
        assert_true(trn_coord_equal(chunks[0], trn_voxel_chunk(far_away)));
        assert_true(world.save.stats().loaded > 0);
    }
}

void the_end_of_its_scope_writes_the_queue(void **)
{
    const Folder folder;
    const trn::BlockTypes types = take(trn::BlockTypes::create_builtin());
    {
        trn::Save save = open_save(folder.file, types);
        take(save.set_value("spawn", "1,2,3"));
    }
    trn::Save save = open_save(folder.file, types);
    assert_string_equal(take(save.get_text("spawn")).c_str(), "1,2,3");
    take(save.set_value("spawn", "4,5,6"));
    take(save.close());
    assert_false(static_cast<bool>(save));
    take(save.close()); // an empty handle
    save = open_save(folder.file, types);
    assert_string_equal(take(save.get_text("spawn")).c_str(), "4,5,6");
}

void what_cannot_be_opened_gives_a_sentence(void **)
{
    const Folder folder;
    TrnStorageProblem missing{};
    const auto none = trn::Storage::open(folder.file.c_str(), TRN_STORAGE_OPEN, &missing);
    assert_int_equal(none.result(), TRN_RESULT_NOT_FOUND);
    assert_true(std::strlen(missing.sentence) > 0);
    TrnStorageProblem other{};
    const auto directory = trn::Storage::sqlite(folder.path.c_str(), TRN_STORAGE_EITHER, &other);
    assert_false(static_cast<bool>(directory));
    assert_true(std::strlen(other.sentence) > 0);

    const trn::BlockTypes types = take(trn::BlockTypes::create_builtin());
    trn::Storage storage = take(trn::Storage::memory());
    const TrnStorageValue newer = {"terrane/format", "\xFF\xFF\0\0", 4};
    TrnStorageBatch batch{};
    batch.values = &newer;
    batch.value_count = 1;
    take(storage.put(batch));
    TrnStorageProblem update{};
    const auto save = trn::Save::create(std::move(storage), types, trn_save_def(), &update);
    assert_int_equal(save.result(), TRN_RESULT_CORRUPT);
    assert_non_null(std::strstr(update.sentence, "update this program"));
#if TEST_HAS_EXCEPTIONS
    bool is_caught = false;
    try {
        static_cast<void>(trn::Storage::open(folder.file.c_str()).value());
    } catch (const trn::Error &error) {
        is_caught = error.result() == TRN_RESULT_NOT_FOUND;
    }
    assert_true(is_caught);
#endif
}

// ---- saves -------------------------------------------------------------------------------------

/// Saves own their storage, also while they are created and whatever fails.
void saves_close_their_storage_once(void **)
{
    const trn::BlockTypes types = take(trn::BlockTypes::create_builtin());
    for (std::size_t fail_at = 1;; fail_at++) {
        FailingAllocator memory;
        const TrnAllocator allocator = memory.c();
        trn::Storage storage = take(trn::Storage::memory(&allocator));
        memory.allocations = 0;
        memory.fail_at = fail_at;
        TrnSaveDef def = trn_save_def();
        def.allocator = &allocator;
        def.has_thread = false;
        {
            trn::Result<trn::Save> save = trn::Save::create(std::move(storage), types, def);
            assert_false(static_cast<bool>(storage)); // NOLINT(bugprone-use-after-move): empty
            assert_int_equal(save.result(), save ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY);
            trn::Save moved = *std::move(save);
            assert_true(memory.allocations < fail_at || !moved);
        }
        assert_int_equal(memory.live, 0);
        if (memory.allocations < fail_at) {
            break;
        }
    }
    FailingAllocator memory;
    const TrnAllocator allocator = memory.c();
    TrnSaveDef invalid = trn_save_def();
    invalid.queue_bytes = 0;
    const auto save = trn::Save::create(take(trn::Storage::memory(&allocator)), types, invalid);
    assert_int_equal(save.result(), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(memory.live, 0);
    assert_int_equal(trn::Save::create(trn::Storage(), types).result(), TRN_RESULT_BAD_ARGUMENT);
}

trn::Save save_in_memory(trn::BlockTypesRef types)
{
    return take(trn::Save::create(take(trn::Storage::memory()), types));
}

void values_are_text_or_bytes(void **)
{
    const trn::BlockTypes types = take(trn::BlockTypes::create_builtin());
    trn::Save save = save_in_memory(types);
    assert_int_equal(save.get_text("name").result(), TRN_RESULT_NOT_FOUND);
    const std::string name(300, 'a');
    take(save.set_value("name", name));
    assert_true(take(save.get_text("name")) == name);
    take(save.set_value("name", ""));
    assert_true(take(save.get_text("name")).empty());
    std::vector<unsigned char> bytes(1000), buffer;
    for (std::size_t i = 0; i < bytes.size(); i++) {
        bytes[i] = static_cast<unsigned char>(i);
    }
    take(save.set_value("bytes", bytes));
    take(save.flush());
    const auto found = take(save.get_value("bytes", buffer));
    assert_int_equal(found.size(), bytes.size());
    assert_memory_equal(found.data(), bytes.data(), bytes.size());
    take(save.set_value("bytes", trn::Span<const unsigned char>(bytes).first(10)));
    const unsigned char *before = buffer.data();
    const auto shorter = take(save.get_value("bytes", buffer));
    assert_int_equal(shorter.size(), 10);
    assert_ptr_equal(shorter.data(), before); // does not allocate again
    take(save.set_value("bytes", trn::Span<const unsigned char>()));
    assert_int_equal(take(save.get_value("bytes", buffer)).size(), 0);
    take(save.remove_value("bytes"));
    assert_int_equal(save.get_value("bytes", buffer).result(), TRN_RESULT_NOT_FOUND);
    assert_int_equal(save.set_value("", "no name").result(), TRN_RESULT_BAD_ARGUMENT);
}

void the_first_of_two_makes_the_world(void **)
{
    const trn::BlockTypes types = take(trn::BlockTypes::create_builtin());
    trn::Storage storage = take(trn::Storage::memory());
    const TrnStorageValue first[] = {{"seed", "1", 1}, {"name", "Ann", 3}};
    take(trn::Save::make_world(storage, first));
    TrnStorageProblem problem{};
    assert_int_equal(trn::Save::make_world(storage, first, &problem).result(), TRN_RESULT_EXISTS);
    assert_true(std::strlen(problem.sentence) > 0);
    TrnSaveDef def = trn_save_def();
    def.what = TRN_SAVE_CHANGED;
    trn::Save save = take(trn::Save::create(std::move(storage), types, def));
    assert_string_equal(take(save.get_text("name")).c_str(), "Ann");
    take(save.bind_land("plains"));
    take(save.bind_land("plains"));
    problem = {};
    assert_int_equal(save.bind_land("hills", &problem).result(), TRN_RESULT_BAD_ARGUMENT);
    assert_true(std::strlen(problem.sentence) > 0);
}

void voxels_are_put_without_a_store(void **)
{
    const trn::BlockTypes types = take(trn::BlockTypes::create_builtin());
    trn::Storage storage = take(trn::Storage::memory());
    const trn::StorageRef rows = storage.borrow();
    trn::Save save = take(trn::Save::create(std::move(storage), types));
    take(save.put({0, 0, 0}, stripes()));
    take(save.put({2, 0, 0}, TRN_BLOCK_SAND));
    const trn::Span<const TrnBlock> few = trn::Span<const TrnBlock>(stripes()).first(7);
    std::vector<TrnBlock> got(trn::chunk_voxels);
    assert_false(take(save.get({0, 0, 0}, got)));
    assert_true(std::equal(got.begin(), got.end(), stripes().begin()));
    assert_true(take(save.get({2, 0, 0}, got)));
    assert_int_equal(got[0], TRN_BLOCK_SAND);
    assert_int_equal(save.get({3, 0, 0}, got).result(), TRN_RESULT_NOT_FOUND);
    got.pop_back();
    assert_int_equal(save.get({2, 0, 0}, got).result(), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(save.put({4, 0, 0}, few).result(), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(save.put({4, 0, 0}, TRN_BLOCK_SAND, 99).result(), TRN_RESULT_BAD_ARGUMENT);
    take(save.flush_for(60));
    const auto count = [&rows](std::uint32_t level) {
        std::size_t found = 0;
        TrnStorageRange range{};
        range.level = level;
        range.box = trn_box_everything();
        take(rows.list(range, [&](const TrnStorageRow &) { found++; }));
        return found;
    };
    assert_int_equal(count(0), 2);
    assert_int_equal(count(1), 0);
    take(save.fold(nullptr, 1));
    assert_int_equal(count(1), 2);
    take(save.put({7, 0, 0}, TRN_BLOCK_SAND, 1));
    save.name_blocks();
    take(save.note_folded(1));
    assert_int_equal(count(1), 3);
    std::size_t names = 0;
    take(rows.values("terrane/block/", [&](const TrnStorageValue &) { names++; }));
    assert_true(names > 2);

    const TrnStreamSource source = save.source();
    TrnStreamJob job{};
    std::vector<TrnBlock> blocks(trn::chunk_voxels);
    bool uniform = true;
    assert_int_equal(source.load(source.user, &job, blocks.data(), &uniform), TRN_RESULT_OK);
    assert_false(uniform);
    assert_true(blocks == stripes());
}

/// A storage in memory whose disk is full.
struct FullDisk {
    TrnStorage c()
    {
        TrnStorage storage = *memory.c();
        storage.values = [](void *user, const char *prefix, TrnStorageValueVisitor visit,
                            void *visitor) {
            const TrnStorage &inner = *static_cast<FullDisk *>(user)->memory.c();
            return inner.values(inner.user, prefix, visit, visitor);
        };
        storage.put = [](void *user, const TrnStorageBatch *batch) {
            auto *self = static_cast<FullDisk *>(user);
            return self->is_full ? TRN_RESULT_IO : self->memory.put(*batch).result();
        };
        storage.problem = [](void *, char *text, std::size_t capacity) {
            static_cast<void>(std::snprintf(text, capacity, "The disk is full."));
        };
        storage.close = [](void *user) { static_cast<FullDisk *>(user)->closes++; };
        storage.user = this;
        return storage;
    }
    trn::Storage memory = take(trn::Storage::memory());
    bool is_full = false;
    int closes = 0;
};

void failures_are_told(void **)
{
    const trn::BlockTypes types = take(trn::BlockTypes::create_builtin());
    FullDisk disk;
    TrnSaveDef def = trn_save_def();
    def.has_thread = false;
    def.commit_seconds = 3600;
    trn::Save save = take(trn::Save::create(trn::Storage(disk.c()), types, def));
    assert_false(save.next_event().has_value());
    disk.is_full = true;
    take(save.set_value("spawn", "1,2,3"));
    assert_int_equal(save.flush().result(), TRN_RESULT_IO);
    const std::optional<TrnSaveEvent> event = save.next_event();
    assert_true(event.has_value());
    assert_int_equal(event->kind, TRN_SAVE_EVENT_WRITE_FAILED);
    assert_string_equal(event->sentence, "The disk is full.");
    assert_false(save.next_event().has_value());
    assert_true(save.stats().failures > 0);
    assert_int_equal(disk.closes, 0);
    assert_int_equal(save.close().result(), TRN_RESULT_IO);
    assert_int_equal(disk.closes, 1);
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(storages_are_read_by_functions),
        cmocka_unit_test(storages_close_once),
        cmocka_unit_test(a_file_keeps_a_world),
        cmocka_unit_test(the_end_of_its_scope_writes_the_queue),
        cmocka_unit_test(what_cannot_be_opened_gives_a_sentence),
        cmocka_unit_test(saves_close_their_storage_once),
        cmocka_unit_test(values_are_text_or_bytes),
        cmocka_unit_test(the_first_of_two_makes_the_world),
        cmocka_unit_test(voxels_are_put_without_a_store),
        cmocka_unit_test(failures_are_told),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
