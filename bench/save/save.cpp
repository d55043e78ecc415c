#include "topics.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <terrane/import.h>

#include "driver/ratios.hpp"
#include "save/save_anvil.hpp"
#include "save/save_growth.hpp"
#include "save/save_land.hpp"
#include "save/save_luanti.hpp"
#include "save/save_peer.hpp"

namespace {

const char *const by_zlib = "SQLite, a zlib row and a transaction each";
const char *const by_terrane = "Terrane";
const char *const q_save = "save until it is on the disk";
const char *const q_load = "load";
const char *const q_bytes = "bytes of the file";
const char *const q_call = "calling thread, a chunk";
const char *const q_call_worst = "calling thread, the slowest call";
const char *const q_open = "open a world";
const char *const q_luanti = "import a map of Luanti, on one core";
const char *const q_anvil = "import a region of Minecraft, on one core";
const char *const anvil_world = "chunk columns of 384 blocks (zlib)";

/// A buffer for the blocks of a loaded chunk.
using Blocks = std::unique_ptr<TrnBlock[]>;

Blocks make_blocks()
{
    return std::make_unique<TrnBlock[]>(save_voxels);
}

// ---- a save ------------------------------------------------------------------------------------

/// A save in a new file.
class Saved {
  public:
    Saved(const SaveFolder &place, const SaveLand &of)
        : folder(place), land(of), name("terrane-" + std::to_string(++made))
    {
        TrnStorageProblem problem = {};
        TrnSaveDef def = trn_save_def();
        def.types = land.types.get();
        def.queue_bytes = std::size_t{1} << 30; // enough for all chunks of a sample
        TrnSave *opened = nullptr;
        if (trn_storage_sqlite(folder.file(name).c_str(), TRN_STORAGE_CREATE, &def.storage,
                               &problem) != TRN_RESULT_OK ||
            trn_save_create(&def, &opened, &problem) != TRN_RESULT_OK) {
            throw bench::Refused{problem.sentence};
        }
        save.reset(opened);
        source = trn_save_source(opened);
    }
    ~Saved()
    {
        close();
        folder.remove(name);
    }
    Saved(const Saved &) = delete;
    Saved &operator=(const Saved &) = delete;

    void put(std::size_t i) const
    {
        TrnStreamJob job = {};
        job.coord = land.coord(i);
        if (source.save(source.user, &job, land.voxels(i)) != TRN_RESULT_OK) {
            throw bench::Refused{"a chunk was refused"};
        }
    }
    void put_all() const
    {
        for (std::size_t i = 0; i < land.size(); i++) {
            put(i);
        }
        flush();
    }
    void flush() const
    {
        if (trn_save_flush(save.get()) != TRN_RESULT_OK) {
            throw bench::Refused{"the file could not be written"};
        }
    }
    bool get(std::size_t i, TrnBlock *blocks) const
    {
        TrnStreamJob job = {};
        job.coord = land.coord(i);
        bool uniform = false;
        return source.load(source.user, &job, blocks, &uniform) == TRN_RESULT_OK && !uniform;
    }
    void close()
    {
        if (save) {
            (void)trn_save_destroy(save.release());
        }
    }
    std::uint64_t bytes() const
    {
        return folder.bytes(name);
    }

  private:
    static inline int made = 0;
    const SaveFolder &folder;
    const SaveLand &land;
    std::string name;
    std::unique_ptr<TrnSave, TrnResult (*)(TrnSave *)> save{nullptr, trn_save_destroy};
    TrnStreamSource source = {};
};

// ---- scenes ------------------------------------------------------------------------------------

/// The data that all scenes share.
struct Fixture {
    explicit Fixture(std::size_t chunks) : land(chunks)
    {
    }
    SaveFolder folder;
    SaveLand land;
    std::unique_ptr<Saved> saved;   ///< a save that has all chunks
    std::unique_ptr<ZlibRows> rows; ///< the same in rows of zlib
    std::vector<double> call_ns = {}, worst_ns = {};

    void fill()
    {
        saved = std::make_unique<Saved>(folder, land);
        saved->put_all();
        rows = std::make_unique<ZlibRows>(folder.file("zlib"));
        for (std::size_t i = 0; i < land.size(); i++) {
            rows->put(land.coord(i), land.voxels(i));
        }
    }
};

using Shared = std::shared_ptr<Fixture>;

std::string world_of(const Fixture &fixture)
{
    return std::to_string(fixture.land.size()) + " surface chunks";
}

bench::Scene scene_of(const Fixture &fixture, const char *question, const char *unit)
{
    return {question, world_of(fixture), unit, fixture.land.size()};
}

void add_saving(bench::Bench &bench, const Shared &fixture)
{
    bench::Scene scene = scene_of(*fixture, q_save, "us");
    const auto fresh = [fixture] {
        fixture->folder.remove("zlib-new");
        ZlibRows rows(fixture->folder.file("zlib-new"));
        return ns_of([&] {
            for (std::size_t i = 0; i < fixture->land.size(); i++) {
                rows.put(fixture->land.coord(i), fixture->land.voxels(i));
            }
        });
    };
    const auto terrane = [fixture] {
        const Saved saved(fixture->folder, fixture->land);
        return ns_of([&] { saved.put_all(); });
    };
    scene.attempts = {bench::measured(by_zlib, fresh, [] { return true; }),
                      bench::measured(by_terrane, terrane, [] { return true; })};
    for (bench::Attempt &attempt : scene.attempts) {
        attempt.calls = 1;
    }
    bench.add(scene);
}

/// Loads all chunks and compares the last.
template <class Get> bench::Attempt loading(const char *name, const Shared &fixture, const Get &get)
{
    const std::shared_ptr<TrnBlock[]> blocks = make_blocks();
    const auto all_are_right = [fixture, blocks, get] {
        for (std::size_t i = 0; i < fixture->land.size(); i++) {
            if (!get(i, blocks.get()) || !fixture->land.is(i, blocks.get())) {
                return false;
            }
        }
        return true;
    };
    bench::Attempt attempt = {name};
    attempt.work = [fixture, blocks, get] {
        for (std::size_t i = 0; i < fixture->land.size(); i++) {
            (void)get(i, blocks.get());
        }
    };
    attempt.check = bench::made_once(all_are_right);
    return attempt;
}

void add_loading(bench::Bench &bench, const Shared &fixture)
{
    bench.add(
        bench::scene_with(scene_of(*fixture, q_load, "us"),
                          {loading(by_zlib, fixture,
                                   [fixture](std::size_t i, TrnBlock *blocks) {
                                       return fixture->rows->get(fixture->land.coord(i), blocks);
                                   }),
                           loading(by_terrane, fixture, [fixture](std::size_t i, TrnBlock *blocks) {
                               return fixture->saved->get(i, blocks);
                           })}));
}

/// Adds a scene: the calling thread's time while the writer thread works.
void add_calls(bench::Bench &bench, const Shared &fixture)
{
    const auto run = std::make_shared<bench::Run>();
    run->take = [fixture] {
        const Saved saved(fixture->folder, fixture->land);
        double sum = 0, worst = 0;
        for (std::size_t i = 0; i < fixture->land.size(); i++) {
            const double ns = ns_of([&] { saved.put(i); });
            sum += ns;
            worst = std::max(worst, ns);
        }
        fixture->call_ns.push_back(sum / static_cast<double>(fixture->land.size()) / 1e3);
        fixture->worst_ns.push_back(worst / 1e3);
        saved.flush();
    };
    for (const bool is_worst : {false, true}) {
        bench::Scene scene = scene_of(*fixture, is_worst ? q_call_worst : q_call, "us");
        bench::Attempt attempt = {by_terrane};
        attempt.run = run;
        attempt.figures = [fixture, is_worst] {
            return is_worst ? fixture->worst_ns : fixture->call_ns;
        };
        scene.attempts = {attempt};
        bench.add(scene);
    }
}

void add_sizes(bench::Bench &bench, const Shared &fixture)
{
    bench::Scene scene = scene_of(*fixture, q_bytes, "bytes");
    scene.parts = 1;
    for (const bool is_terrane : {false, true}) {
        bench::Attempt attempt = {is_terrane ? by_terrane : by_zlib};
        attempt.figures = [fixture, is_terrane] {
            // Closing moves the log into the file.
            if (is_terrane) {
                fixture->saved->close();
            } else {
                fixture->rows.reset();
            }
            const auto chunks = static_cast<double>(fixture->land.size());
            return std::vector<double>{static_cast<double>(is_terrane
                                                               ? fixture->saved->bytes()
                                                               : fixture->folder.bytes("zlib")) /
                                       chunks};
        };
        scene.attempts.push_back(attempt);
    }
    bench.add(scene);
}

/// Writes a world of uniform chunks, which opening does not read.
void put_rows(const TrnStorage &storage, std::size_t count)
{
    const std::size_t part = 10000;
    const std::string bytes(64, 'x');
    std::vector<TrnStorageRow> rows;
    for (std::size_t i = 0; i < count; i++) {
        const TrnCoord at = {static_cast<std::int32_t>(i % 1000),
                             static_cast<std::int32_t>(i / 1000000),
                             static_cast<std::int32_t>(i / 1000 % 1000)};
        rows.push_back({{at, 0}, 1, bytes.data(), bytes.size()});
        if (rows.size() == part || i + 1 == count) {
            const TrnStorageBatch batch = {rows.data(), rows.size(), nullptr, 0, 0};
            if (storage.put(storage.user, &batch) != TRN_RESULT_OK) {
                throw bench::Refused{"the file could not be written"};
            }
            rows.clear();
        }
    }
}

void add_opening(bench::Bench &bench, const Shared &fixture, std::size_t count)
{
    TrnStorageProblem problem = {};
    TrnStorage storage;
    const std::string file = fixture->folder.file("large");
    if (trn_storage_sqlite(file.c_str(), TRN_STORAGE_CREATE, &storage, &problem) != TRN_RESULT_OK) {
        throw bench::Refused{problem.sentence};
    }
    put_rows(storage, count);
    storage.close(storage.user);
    bench::Scene scene = {q_open, std::to_string(count) + " rows", "ms", count, 1};
    const auto open = [fixture, file] {
        TrnSaveDef def = trn_save_def();
        TrnSave *save = nullptr;
        def.types = fixture->land.types.get();
        const double ns = ns_of([&] {
            (void)trn_storage_sqlite(file.c_str(), TRN_STORAGE_OPEN, &def.storage, nullptr);
            (void)trn_save_create(&def, &save, nullptr);
        });
        (void)trn_save_destroy(save);
        return ns;
    };
    scene.attempts = {bench::measured(by_terrane, open, [] { return true; })};
    bench.add(scene);
}

/// An open world of another game.
using Import = Owned<TrnImport, trn_import_destroy>;

Import open_import(const std::string &file, TrnImportFormat format, TrnBlockTypes *types)
{
    TrnStorageProblem problem = {};
    TrnImportDef def = trn_import_def();
    def.path = file.c_str();
    def.format = format;
    def.types = types;
    TrnImport *import = nullptr;
    if (trn_import_open(&def, &import, &problem) != TRN_RESULT_OK) {
        throw bench::Refused{problem.sentence};
    }
    return Import(import);
}

/// Whether an import loads the chunks of the land.
bool import_is_right(const Fixture &fixture, const std::string &file)
{
    const Import import = open_import(file, TRN_IMPORT_LUANTI, fixture.land.types.get());
    const auto blocks = make_blocks();
    for (std::size_t i = 0; i < fixture.land.size(); i++) {
        bool uniform = false;
        if (trn_import_load(import.get(), fixture.land.coord(i), blocks.get(), &uniform) !=
                TRN_RESULT_OK ||
            uniform || !fixture.land.is(i, blocks.get())) {
            return false;
        }
    }
    return true;
}

/// Imports a world and waits until it is on disk. The save has no thread, so everything runs on one
/// core.
void import_once(const Fixture &fixture, const std::string &file, TrnImportFormat format)
{
    TrnSaveDef def = trn_save_def();
    TrnSave *save = nullptr;
    def.types = fixture.land.types.get();
    def.has_thread = false;
    const Import import = open_import(file, format, def.types);
    if (trn_storage_sqlite(fixture.folder.file("imported").c_str(), TRN_STORAGE_CREATE,
                           &def.storage, nullptr) != TRN_RESULT_OK ||
        trn_save_create(&def, &save, nullptr) != TRN_RESULT_OK ||
        trn_import_into(import.get(), save, nullptr, nullptr) != TRN_RESULT_OK ||
        trn_save_destroy(save) != TRN_RESULT_OK) {
        throw bench::Refused{"the world could not be imported"};
    }
}

std::string luanti_world(unsigned version)
{
    return version == 29 ? "map blocks of version 29 (zstd)" : "map blocks of version 28 (zlib)";
}

void add_luanti(bench::Bench &bench, const Shared &fixture, unsigned version)
{
    const std::string file = fixture->folder.file("luanti-" + std::to_string(version));
    bench::Scene scene = scene_of(*fixture, q_luanti, "us");
    scene.world = luanti_world(version);
    scene.count = write_luanti_map(file, fixture->land, version);
    const auto import = [fixture, file] {
        fixture->folder.remove("imported");
        return ns_of([&] { import_once(*fixture, file, TRN_IMPORT_LUANTI); });
    };
    scene.attempts = {bench::measured(by_terrane, import, bench::made_once([fixture, file] {
                                          return import_is_right(*fixture, file);
                                      }))};
    scene.attempts[0].calls = 1;
    bench.add(scene);
}

void add_anvil(bench::Bench &bench, const Shared &fixture, int edge)
{
    const AnvilLand land(edge);
    const std::string file = fixture->folder.file("r.0.0.mca");
    land.write(file, fixture->land.types.get());
    bench::Scene scene = scene_of(*fixture, q_anvil, "us");
    scene.world = anvil_world;
    scene.count = land.columns();
    const auto import = [fixture, file] {
        fixture->folder.remove("imported");
        return ns_of([&] { import_once(*fixture, file, TRN_IMPORT_ANVIL); });
    };
    scene.attempts = {bench::measured(by_terrane, import, bench::made_once([fixture, file, land] {
                                          const Import opened = open_import(
                                              file, TRN_IMPORT_ANVIL, fixture->land.types.get());
                                          return land.is(opened.get());
                                      }))};
    scene.attempts[0].calls = 1;
    bench.add(scene);
}

// ---- the topic ---------------------------------------------------------------------------------

Figure per_second(Figure us)
{
    return Figure(1) / (us * 1e-6);
}

void conclude(Report &report, const std::string &world)
{
    const auto of = [&](const char *question, const char *contender) {
        return figure_of(report, question, world, contender);
    };
    const Figure save = of(q_save, by_terrane), load = of(q_load, by_terrane);
    add_ratios(report, {{q_save, "", by_terrane, by_zlib, Target::at_least, 6},
                        {q_load, "", by_terrane, by_zlib, Target::at_least, 1.6},
                        {q_bytes, "", by_terrane, by_zlib, Target::at_most, 0.6}});
    report.targets.push_back({world, "calling thread, part of a save",
                              of(q_call, by_terrane) / save * 100, "%", Target::at_most, 12});
    const auto tell = [&](const std::string &where, const char *what, Figure us) {
        report.targets.push_back({where, what, per_second(us), ""});
    };
    tell(world, "chunks saved a second", save);
    tell(world, "chunks loaded a second", load);
    for (const unsigned version : {28u, 29u}) {
        tell(luanti_world(version), "map blocks of Luanti imported a second",
             figure_of(report, q_luanti, luanti_world(version), by_terrane));
    }
    tell(anvil_world, "columns of Minecraft imported a second",
         figure_of(report, q_anvil, anvil_world, by_terrane));
}

void make(bench::Bench &bench)
{
    const auto fixture = std::make_shared<Fixture>(bench.options.quick ? 256 : 2048);
    fixture->fill();
    add_saving(bench, fixture);
    add_loading(bench, fixture);
    add_calls(bench, fixture);
    add_opening(bench, fixture, bench.options.quick || bench.options.check ? 20000 : 1000000);
    add_luanti(bench, fixture, 28);
    add_luanti(bench, fixture, 29);
    add_anvil(bench, fixture, bench.options.quick || bench.options.check ? 8 : 16);
    add_sizes(bench, fixture);
    stage_save_growth(bench);
    bench.note("Files lie in the current folder; a disk's time to sync counts.");
    bench.conclude([world = world_of(*fixture)](Report &report) { conclude(report, world); });
}

} // namespace

const bench::Topic save_topic = {
    "save",
    "worlds in files: saving, loading, sizes, what the calling thread waits, and how calls grow "
    "with "
    "the number of chunks",
    "Saving: what do chunks in a file cost?",
    by_zlib,
    "the unit of each question",
    "chunks",
    2,
    "load | 2048 surface chunks | Terrane",
    make,
};
