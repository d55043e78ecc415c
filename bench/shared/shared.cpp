#include "topics.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <terrane/save.h>
#include <terrane/shared.h>

#include "save/save_land.hpp"
#include "shared/arrival.hpp"
#include "shared/crowd.hpp"
#include "shared/party.hpp"
#include "shared/seen.hpp"
#if TERRANE_HAS_RELAY
#include "relay.h"
#endif

namespace {

const char *const by_sqlite = "SQLite";
const char *const by_postgres = "PostgreSQL";
const char *const q_store = "store, 1024 chunks a transaction";
const char *const q_load = "load, 256 chunks a question";
const char *const q_load_one = "load, a chunk a question";
const char *const q_store_server = "store, 1024 chunks a transaction: the server's processor time";
const char *const q_store_log = "store, 1024 chunks a transaction: bytes of the server's log";
const char *const url_variable = "TERRANE_BENCH_POSTGRES";
const char *const how_to_get_postgres =
    "\nTo measure them, create an empty database and name it: createdb empty && "
    "TERRANE_BENCH_POSTGRES=postgresql:///empty terrane-bench shared\nIf there is no server, "
    "install "
    "and start one first (Debian: apt install postgresql; su postgres -c 'createuser -s NAME'). "
    "Each member takes four connections: with max_connections = 100, rows of 30 members and more "
    "have no figure; 4100 is enough for all.";

/// A chunk, as storages store it.
struct Row {
    TrnStorageKey key;
    std::vector<unsigned char> bytes;
};

bool keep_row(void *user, const TrnStorageRow *row)
{
    const auto *bytes = static_cast<const unsigned char *>(row->bytes);
    static_cast<std::vector<Row> *>(user)->push_back({row->key, {bytes, bytes + row->size}});
    return true;
}

/// Encodes the chunks of a land with a save in memory.
std::vector<Row> encode(const SaveLand &land)
{
    std::vector<Row> rows;
    TrnSaveDef def = trn_save_def();
    TrnSave *save = nullptr;
    def.types = land.types.get();
    def.queue_bytes = std::size_t{1} << 30;
    if (trn_storage_memory(nullptr, &def.storage) != TRN_RESULT_OK ||
        trn_save_create(&def, &save, nullptr) != TRN_RESULT_OK) {
        throw bench::Refused{"the chunks could not be encoded"};
    }
    const TrnStreamSource source = trn_save_source(save);
    for (std::size_t i = 0; i < land.size(); i++) {
        TrnStreamJob job = {};
        job.coord = land.coord(i);
        (void)source.save(source.user, &job, land.voxels(i));
    }
    const TrnStorageRange all = {
        0, {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}, 0};
    if (trn_save_flush(save) == TRN_RESULT_OK) {
        (void)def.storage.list(def.storage.user, &all, keep_row, &rows);
    }
    (void)trn_save_destroy(save);
    return rows;
}

/// A storage with the rows of all chunks.
class Stored {
  public:
    Stored(const std::string &name, const std::vector<Row> &of) : rows(of)
    {
        TrnStorageProblem problem = {};
        if (trn_storage_open_any(name.c_str(), TRN_STORAGE_CREATE, &storage, &problem) !=
            TRN_RESULT_OK) {
            throw bench::Refused{problem.sentence};
        }
        put(true);
    }
    ~Stored()
    {
        put(false); // empties the database
        storage.close(storage.user);
    }
    Stored(const Stored &) = delete;
    Stored &operator=(const Stored &) = delete;

    void put(bool has_bytes)
    {
        std::vector<TrnStorageRow> batch;
        revision++;
        for (std::size_t i = 0; i < rows.size(); i++) {
            const Row &row = rows[i];
            batch.push_back({row.key, revision, has_bytes ? row.bytes.data() : nullptr,
                             has_bytes ? row.bytes.size() : 0});
            if (batch.size() == 1024 || i + 1 == rows.size()) {
                const TrnStorageBatch whole = {batch.data(), batch.size(), nullptr, 0, 0};
                is_good = is_good && storage.put(storage.user, &whole) == TRN_RESULT_OK;
                batch.clear();
            }
        }
    }
    /// Loads all rows, `at_once` at a time. @return whether they are right
    bool get(std::size_t at_once)
    {
        std::size_t right = 0;
        std::vector<TrnStorageKey> keys;
        for (std::size_t i = 0; i < rows.size(); i += at_once) {
            const std::size_t end = std::min(rows.size(), i + at_once);
            keys.clear();
            for (std::size_t k = i; k < end; k++) {
                keys.push_back(rows[k].key);
            }
            Seen seen = {&rows[i], &rows[i] + (end - i), 0};
            is_good = is_good && storage.get(storage.user, keys.data(), keys.size(), see, &seen) ==
                                     TRN_RESULT_OK;
            right += seen.right;
        }
        return is_good && right == rows.size();
    }
    bool is_good = true;

  private:
    struct Seen {
        const Row *first, *end;
        std::size_t right;
    };
    /// Counts the received rows that have the size of a requested row.
    static bool see(void *user, const TrnStorageRow *row)
    {
        Seen &seen = *static_cast<Seen *>(user);
        seen.right += std::any_of(seen.first, seen.end, [row](const Row &mine) {
            return trn_coord_equal(mine.key.coord, row->key.coord) &&
                   mine.bytes.size() == row->size;
        });
        return true;
    }
    const std::vector<Row> &rows;
    TrnStorage storage = {};
    std::uint64_t revision = 0;
};

struct Fixture {
    explicit Fixture(std::size_t chunks) : land(chunks), rows(encode(land))
    {
        sqlite = std::make_shared<Stored>(folder.file("shared"), rows);
        open_postgres(std::getenv(url_variable));
    }
    /// Opens the database. If that fails, only the file is measured.
    void open_postgres(const char *url)
    {
        if (!url || !trn_storage_is_url(url)) {
            no_postgres = url ? std::string(url_variable) + " is no URL of a database"
                              : std::string(url_variable) + " is not set";
            return;
        }
        try {
            postgres = std::make_shared<Stored>(url, rows);
        } catch (const bench::Refused &refused) {
            no_postgres = refused.why;
        }
    }
    SaveFolder folder;
    SaveLand land;
    std::vector<Row> rows;
    std::shared_ptr<Stored> sqlite, postgres;
    std::string no_postgres; ///< why the database is not measured
};

using Shared = std::shared_ptr<Fixture>;

std::string world_of(const Fixture &fixture)
{
    return std::to_string(fixture.rows.size()) + " surface chunks";
}

/// @param at_once  chunks that are loaded in one call; 0: measures storing instead
bench::Attempt attempt_of(const Shared &fixture, const char *name,
                          const std::shared_ptr<Stored> &stored, std::size_t at_once)
{
    bench::Attempt attempt = {name};
    if (!stored) {
        attempt.refusal = fixture->no_postgres;
        attempt.work = [] {};
        return attempt;
    }
    attempt.work = [fixture, stored, at_once] {
        if (at_once) {
            (void)stored->get(at_once);
        } else {
            stored->put(true);
        }
    };
    attempt.check = bench::made_once([fixture, stored] { return stored->get(256); });
    return attempt;
}

void add(bench::Bench &bench, const Shared &fixture, const char *question, std::size_t at_once)
{
    bench.add(bench::scene_with({question, world_of(*fixture), "us", fixture->rows.size()},
                                {attempt_of(fixture, by_sqlite, fixture->sqlite, at_once),
                                 attempt_of(fixture, by_postgres, fixture->postgres, at_once)}));
}

#if TERRANE_HAS_RELAY
/// What a stored chunk costs the server.
void add_store_costs(bench::Bench &bench, const Shared &fixture, const std::string &url)
{
    struct Samples {
        std::vector<double> us, log;
    };
    const auto samples = std::make_shared<Samples>();
    const auto run = std::make_shared<bench::Run>();
    const auto log = std::make_shared<ServerLog>(url);
    run->samples = bench.options.quick ? 2 : 15;
    run->take = [fixture, log, samples, server = server_socket(url)] {
        const auto count = static_cast<double>(fixture->rows.size());
        const double log_before = log->bytes();
        const double us_before = relay_server_us(server.c_str());
        fixture->postgres->put(true);
        samples->us.push_back((relay_server_us(server.c_str()) - us_before) / count);
        samples->log.push_back((log->bytes() - log_before) / count);
    };
    bench::Attempt time = {by_postgres}, written = {by_postgres};
    time.run = written.run = run;
    time.figures = [samples] { return samples->us; };
    written.figures = [samples] { return samples->log; };
    const std::string world = world_of(*fixture);
    bench.stage({bench::scene_with({q_store_server, world, "us"}, {time}),
                 bench::scene_with({q_store_log, world, "bytes"}, {written})});
}
#endif

void make(bench::Bench &bench)
{
    const auto fixture = std::make_shared<Fixture>(bench.options.quick ? 256 : 2048);
    add(bench, fixture, q_store, 0);
    add(bench, fixture, q_load, 256);
    add(bench, fixture, q_load_one, 1);
    bench.note("Rows are encoded before; storing replaces them. The file lies in the current "
               "folder, and the database where its server keeps it.");
    if (!fixture->postgres) {
        bench.note("Rows of PostgreSQL are left out: " + fixture->no_postgres +
                   how_to_get_postgres);
        return;
    }
    add_seen(bench, std::getenv(url_variable));
#if TERRANE_HAS_RELAY
    add_store_costs(bench, fixture, std::getenv(url_variable));
    add_arrival(bench, std::getenv(url_variable));
    add_crowd(bench, std::getenv(url_variable));
#endif
    bench.conclude([world = world_of(*fixture)](Report &report) {
        const auto per_second = [&](const char *question) {
            return Figure(1) / (figure_of(report, question, world, by_postgres) * 1e-6);
        };
        report.targets.push_back(
            {world, "chunks stored a second in PostgreSQL", per_second(q_store), ""});
        report.targets.push_back(
            {world, "chunks loaded a second from PostgreSQL", per_second(q_load), ""});
    });
}

} // namespace

const bench::Topic shared_topic = {
    "shared",
    "worlds in PostgreSQL: storing and loading chunks, against a file, and seeing edits",
    "Sharing: what do chunks in a database cost?",
    by_sqlite,
    "the unit of each question",
    "chunks",
    2,
    "load, 256 chunks a question | 2048 surface chunks | PostgreSQL",
    make,
};
