// Replaces a game's std::unordered_map of chunks in two steps.
//
// HashWorld is the map, as games write it. Step one, IndexWorld, finds the same chunks through
// Terrane's index and changes some lines. Step two, StoreWorld, keeps the voxels in Terrane's store
// too and needs little code of the game.
//
// A player walks. Each frame loads and unloads chunks around it, gathers chunks for drawing, asks
// for neighbours, digs a hole, and reads some thousand voxels. All three must find the same; then
// their times are printed next to each other.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <terrane/batch.h>
#include <terrane/chunk_index.h>
#include <terrane/store.h>

namespace {

// ---- the game, for any container --------------------------------------------------------

constexpr auto chunk_voxels = static_cast<std::size_t>(TRN_CHUNK_VOXELS);
constexpr int view_radius = 12, view_radius_y = 3; // chunks
constexpr int near_radius = 3;                     // chunks whose neighbours are read
constexpr int dig_radius = 3, read_radius = 8;     // voxels
constexpr int walk_speed = 2;                      // voxels a frame

// Hills: two triangle waves, 0 to 48 high.
constexpr std::int64_t highest_ground = 48, lowest_dirt = -3;

std::int64_t ground_height(std::int64_t x, std::int64_t z)
{
    return std::llabs((x & 255) - 128) / 4 + std::llabs((z & 127) - 64) / 4;
}

TrnBlock generated_block(std::int64_t y, std::int64_t ground)
{
    return y > ground       ? TRN_BLOCK_AIR
           : y == ground    ? TRN_BLOCK_GRASS
           : y > ground - 4 ? TRN_BLOCK_DIRT
                            : TRN_BLOCK_STONE;
}

// The blocks of one chunk, x fastest, then z, then y.
struct Generated {
    bool is_uniform; // all are blocks[0]
    TrnBlock blocks[TRN_CHUNK_VOXELS];
};

void generate(TrnCoord coord, Generated &out)
{
    const TrnVoxel low = trn_coord_voxel(coord);
    out.is_uniform = true;
    if (low.y > highest_ground || low.y + TRN_CHUNK_EDGE <= lowest_dirt) {
        out.blocks[0] = low.y > highest_ground ? TRN_BLOCK_AIR : TRN_BLOCK_STONE;
        return;
    }
    for (std::uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const std::int64_t x = low.x + i % 32, z = low.z + i / 32 % 32, y = low.y + i / 1024;
        out.blocks[i] = generated_block(y, ground_height(x, z));
        out.is_uniform = out.is_uniform && out.blocks[i] == out.blocks[0];
    }
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value)
{
    return (hash ^ value) * 0x9E3779B97F4A7C15u;
}

std::uint64_t coord_hash(TrnCoord coord)
{
    return mixed(
        mixed(mixed(1, static_cast<std::uint32_t>(coord.x)), static_cast<std::uint32_t>(coord.y)),
        static_cast<std::uint32_t>(coord.z));
}

// The game's own chunk: without an array while it is uniform, as in most games.
struct Chunk {
    TrnCoord coord;
    TrnBlock uniform;
    std::unique_ptr<TrnBlock[]> blocks;

    Chunk(TrnCoord at, const Generated &from) : coord(at), uniform(from.blocks[0])
    {
        if (!from.is_uniform) {
            make_array();
            std::memcpy(blocks.get(), from.blocks, sizeof from.blocks);
        }
    }
    TrnBlock get(std::uint32_t index) const
    {
        return blocks ? blocks[index] : uniform;
    }
    void set(std::uint32_t index, TrnBlock block)
    {
        if (!blocks) {
            make_array();
            std::fill_n(blocks.get(), chunk_voxels, uniform);
        }
        blocks[index] = block;
    }
    std::size_t bytes() const
    {
        return sizeof *this + (blocks ? sizeof(TrnBlock[TRN_CHUNK_VOXELS]) : 0);
    }

  private:
    void make_array()
    {
        blocks.reset(new TrnBlock[chunk_voxels]); // not filled
    }
};

// Reads and writes the voxels of HashWorld and IndexWorld. Looks a chunk up only if the voxel is
// not in the last one.
template <typename World> class LastChunk {
  public:
    explicit LastChunk(World &in) : world(in)
    {
    }
    Chunk *at(TrnVoxel voxel)
    {
        const TrnCoord now = trn_voxel_chunk(voxel);
        if (!has_looked || !trn_coord_equal(now, coord)) {
            chunk = world.find(now);
            coord = now;
            has_looked = true;
        }
        return chunk;
    }

  private:
    World &world;
    Chunk *chunk = nullptr;
    TrnCoord coord = {0, 0, 0};
    bool has_looked = false;
};

template <typename World> void dig_sphere(World &world, TrnVoxel centre, int radius)
{
    LastChunk<World> last(world);
    for (int y = -radius; y <= radius; y++) {
        for (int z = -radius; z <= radius; z++) {
            for (int x = -radius; x <= radius; x++) {
                const TrnVoxel voxel = {centre.x + x, centre.y + y, centre.z + z};
                Chunk *const chunk = last.at(voxel);
                if (chunk && x * x + y * y + z * z <= radius * radius) {
                    chunk->set(trn_voxel_local_index(voxel), TRN_BLOCK_AIR);
                }
            }
        }
    }
}

// Calls work(voxel) for all voxels of a box.
template <typename Work> void for_voxels(TrnVoxel min, TrnVoxel max, Work work)
{
    for (std::int64_t y = min.y; y <= max.y; y++) {
        for (std::int64_t z = min.z; z <= max.z; z++) {
            for (std::int64_t x = min.x; x <= max.x; x++) {
                work(TrnVoxel{x, y, z});
            }
        }
    }
}

template <typename World> std::uint64_t sum_of_box(World &world, TrnVoxel min, TrnVoxel max)
{
    std::uint64_t sum = 0;
    LastChunk<World> last(world);
    for_voxels(min, max, [&](TrnVoxel voxel) {
        const Chunk *const chunk = last.at(voxel);
        sum += chunk ? chunk->get(trn_voxel_local_index(voxel)) : 0;
    });
    return sum;
}

// Ends the program if Terrane refuses: out of memory, or over a cap.
void check(TrnResult result)
{
    if (result != TRN_RESULT_OK) {
        std::fprintf(stderr, "replace_unordered_map: %s\n", trn_result_text(result));
        std::exit(1);
    }
}

// ---- before: the map ---------------------------------------------------------------------------

struct CoordHash {
    std::size_t operator()(const TrnCoord &coord) const
    {
        return static_cast<std::size_t>(coord_hash(coord));
    }
};

struct CoordEqual {
    bool operator()(const TrnCoord &a, const TrnCoord &b) const
    {
        return trn_coord_equal(a, b);
    }
};

class HashWorld {
  public:
    using Drawn = const Chunk *;

    // Looks up every coordinate of the view, and compares every chunk with the view.
    void change_view(TrnBox view, std::vector<TrnCoord> &missing)
    {
        for (auto at = chunks.begin(); at != chunks.end();) {
            at = trn_box_contains(view, at->first) ? std::next(at) : chunks.erase(at);
        }
        for (std::int32_t y = view.min.y; y <= view.max.y; y++) {
            for (std::int32_t z = view.min.z; z <= view.max.z; z++) {
                for (std::int32_t x = view.min.x; x <= view.max.x; x++) {
                    if (chunks.find({x, y, z}) == chunks.end()) {
                        missing.push_back({x, y, z});
                    }
                }
            }
        }
    }
    void insert(TrnCoord coord, const Generated &blocks)
    {
        chunks.emplace(coord, std::make_unique<Chunk>(coord, blocks));
    }
    // Iterates all chunks: for large boxes much faster than looking up every coordinate.
    std::size_t gather(TrnBox box, std::vector<Drawn> &out) const
    {
        out.clear();
        for (const auto &[coord, chunk] : chunks) {
            if (trn_box_contains(box, coord)) {
                out.push_back(chunk.get());
            }
        }
        return out.size();
    }
    unsigned count_neighbours(TrnCoord coord) const
    {
        unsigned count = 0;
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            const TrnCoord neighbour = trn_coord_neighbour(coord, static_cast<TrnFace>(face));
            count += chunks.find(neighbour) != chunks.end() ? 1 : 0;
        }
        return count;
    }
    void dig(TrnVoxel centre, int radius)
    {
        dig_sphere(*this, centre, radius);
    }
    std::uint64_t sum(TrnVoxel min, TrnVoxel max)
    {
        return sum_of_box(*this, min, max);
    }
    Chunk *find(TrnCoord coord) const
    {
        const auto found = chunks.find(coord);
        return found == chunks.end() ? nullptr : found->second.get();
    }
    // The map's own part is an estimate: a node has a link, a hash and malloc's own bytes.
    std::size_t bytes() const
    {
        std::size_t bytes = chunks.bucket_count() * sizeof(void *);
        for (const auto &[coord, chunk] : chunks) {
            bytes += sizeof coord + sizeof chunk + 3 * sizeof(void *) + chunk->bytes();
        }
        return bytes;
    }

  private:
    std::unordered_map<TrnCoord, std::unique_ptr<Chunk>, CoordHash, CoordEqual> chunks;
};

// ---- what both steps share: chunks to load and to unload ---------------------------------------

const TrnPlaneDef wanted_plane = {"wanted", true}; // stays set when the chunk is removed
constexpr TrnPlane wanted = 1;                     // 0 is TRN_PLANE_PRESENT

// All coordinates whose bit is set in one plane and not in another. Replaces the loops over view
// and map.
void gather_coords(const TrnChunkIndex *index, TrnPlane in, TrnPlane not_in,
                   std::vector<TrnCoord> &out)
{
    TrnChunkGather gather = {};
    gather.box = trn_box_everything();
    gather.planes.all = TRN_PLANE_BIT(in);
    gather.planes.none = TRN_PLANE_BIT(not_in);
    out.resize(trn_chunk_index_gather(index, &gather)); // how many
    gather.coords = out.data();
    gather.capacity = out.size();
    trn_chunk_index_gather(index, &gather);
}

void wish(TrnChunkIndex *index, TrnBox view)
{
    check(trn_chunk_index_plane_fill(index, wanted, trn_box_everything(), false));
    check(trn_chunk_index_plane_fill(index, wanted, view, true));
}

// ---- step one: the index instead of the map ----------------------------------------------------

// The game has its own slots of chunks; the index maps coordinates to slots.
class IndexWorld {
  public:
    using Drawn = const Chunk *;

    IndexWorld()
    {
        TrnChunkIndexDef def = trn_chunk_index_def();
        def.planes = &wanted_plane;
        def.plane_count = 1;
        check(trn_chunk_index_create(&def, &index));
    }
    ~IndexWorld()
    {
        trn_chunk_index_destroy(index);
    }
    IndexWorld(const IndexWorld &) = delete;
    IndexWorld &operator=(const IndexWorld &) = delete;

    void change_view(TrnBox view, std::vector<TrnCoord> &missing)
    {
        wish(index, view);
        gather_coords(index, TRN_PLANE_PRESENT, wanted, gone);
        for (const TrnCoord &coord : gone) {
            remove(coord);
        }
        gather_coords(index, wanted, TRN_PLANE_PRESENT, missing);
    }
    void insert(TrnCoord coord, const Generated &blocks)
    {
        if (free_slots.empty()) {
            free_slots.push_back(static_cast<std::uint32_t>(slots.size()));
            slots.emplace_back();
        }
        const std::uint32_t slot = free_slots.back();
        check(trn_chunk_index_insert(index, coord, slot));
        free_slots.pop_back();
        slots[slot] = std::make_unique<Chunk>(coord, blocks);
    }
    std::size_t gather(TrnBox box, std::vector<Drawn> &out)
    {
        out.resize(slots.size());
        found.resize(slots.size());
        const std::size_t count =
            trn_chunk_index_gather_box(index, box, found.data(), found.size());
        for (std::size_t i = 0; i < count; i++) {
            out[i] = slots[found[i]].get();
        }
        return count;
    }
    unsigned count_neighbours(TrnCoord coord) const
    {
        std::uint32_t neighbours[TRN_FACE_COUNT];
        trn_chunk_index_neighbours(index, coord, neighbours);
        unsigned count = 0;
        for (const std::uint32_t slot : neighbours) {
            count += slot != TRN_CHUNK_VALUE_NONE ? 1 : 0;
        }
        return count;
    }
    void dig(TrnVoxel centre, int radius)
    {
        dig_sphere(*this, centre, radius);
    }
    std::uint64_t sum(TrnVoxel min, TrnVoxel max)
    {
        return sum_of_box(*this, min, max);
    }
    Chunk *find(TrnCoord coord) const
    {
        std::uint32_t slot = 0;
        return trn_chunk_index_find(index, coord, &slot) ? slots[slot].get() : nullptr;
    }
    std::size_t bytes() const
    {
        std::size_t bytes = trn_chunk_index_stats(index).bytes + slots.capacity() * sizeof slots[0];
        for (const auto &chunk : slots) {
            bytes += chunk ? chunk->bytes() + sizeof(void *) : 0;
        }
        return bytes;
    }

  private:
    void remove(TrnCoord coord)
    {
        std::uint32_t slot = 0;
        check(trn_chunk_index_remove(index, coord, &slot));
        slots[slot].reset();
        free_slots.push_back(slot);
    }
    TrnChunkIndex *index = nullptr;
    std::vector<std::unique_ptr<Chunk>> slots;
    std::vector<std::uint32_t> free_slots;
    std::vector<std::uint32_t> found; // buffer for gathers
    std::vector<TrnCoord> gone;
};

// ---- step two: the store instead of chunks, slots, digging and the last chunk -------------------

class StoreWorld {
  public:
    using Drawn = TrnChunk *;

    StoreWorld()
    {
        TrnStoreDef def = trn_store_def();
        def.planes = &wanted_plane;
        def.plane_count = 1;
        check(trn_store_create(&def, &store));
    }
    ~StoreWorld()
    {
        trn_store_destroy(store);
    }
    StoreWorld(const StoreWorld &) = delete;
    StoreWorld &operator=(const StoreWorld &) = delete;

    void change_view(TrnBox view, std::vector<TrnCoord> &missing)
    {
        TrnChunkIndex *const index = trn_store_index(store);
        wish(index, view);
        gather_coords(index, TRN_PLANE_PRESENT, wanted, gone);
        for (const TrnCoord &coord : gone) {
            check(trn_store_remove(store, coord));
        }
        gather_coords(index, wanted, TRN_PLANE_PRESENT, missing);
    }
    // Packs the blocks: a chunk with two to four types takes 12 KiB instead of 64, a uniform one
    // nothing.
    void insert(TrnCoord coord, const Generated &blocks)
    {
        check(blocks.is_uniform ? trn_store_insert_uniform(store, coord, blocks.blocks[0], nullptr)
                                : trn_store_insert_voxels(store, coord, blocks.blocks, nullptr));
    }
    std::size_t gather(TrnBox box, std::vector<Drawn> &out) const
    {
        const std::size_t count = trn_store_gather(store, box, out.data(), out.size());
        if (count > out.size()) { // only in the first frames
            out.resize(count);
            trn_store_gather(store, box, out.data(), count);
        }
        return count;
    }
    unsigned count_neighbours(TrnCoord coord) const
    {
        TrnChunk *neighbours[TRN_FACE_COUNT];
        trn_store_neighbours(store, coord, neighbours);
        unsigned count = 0;
        for (const TrnChunk *const chunk : neighbours) {
            count += chunk ? 1 : 0;
        }
        return count;
    }
    // One change for readers, listeners and undo, over any number of chunks. In chunks that are not
    // loaded the edit is pending.
    void dig(TrnVoxel centre, int radius)
    {
        TrnBatch *batch = nullptr;
        check(trn_batch_begin(store, nullptr, &batch));
        (void)trn_batch_fill_sphere(batch, centre, radius, TRN_BLOCK_AIR);
        check(trn_batch_commit(batch, nullptr)); // also reports failures of the sphere
    }
    std::uint64_t sum(TrnVoxel min, TrnVoxel max) const
    {
        std::uint64_t sum = 0;
        TrnCursor cursor = trn_cursor(store);
        for_voxels(min, max,
                   [&](TrnVoxel voxel) { sum += trn_cursor_get(&cursor, voxel, TRN_BLOCK_AIR); });
        return sum;
    }
    std::size_t bytes() const
    {
        return trn_store_stats(store).total_bytes;
    }

  private:
    TrnStore *store = nullptr;
    std::vector<TrnCoord> gone;
};

// ---- the loop ----------------------------------------------------------------------------------

enum Part { part_first, part_load, part_gather, part_neighbours, part_dig, part_read, part_count };

const char *const part_names[part_count] = {"first view", "load, unload", "gather to draw",
                                            "neighbours", "dig",          "read voxels"};

struct Played {
    double us[part_count] = {}; // all frames together; the first view once
    double slowest_us = 0;      // frame
    double mib = 0;             // at the end
    std::uint64_t hash = 0;     // of everything found
};

double now_us()
{
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::micro>(time).count();
}

template <typename World> class Game {
  public:
    explicit Game(TrnVoxel start) : player(start)
    {
        stand();
        load(part_first);
    }
    void frame()
    {
        const double before = counted_us();
        walk();
        load(part_load);
        draw();
        look_at_neighbours();
        dig();
        read();
        played.slowest_us = std::max(played.slowest_us, counted_us() - before);
    }
    Played end()
    {
        played.mib = static_cast<double>(world.bytes()) / (1024 * 1024);
        return played;
    }

  private:
    template <typename Work> void timed(Part part, Work work)
    {
        const double start = now_us();
        work();
        played.us[part] += now_us() - start;
    }
    double counted_us() const
    {
        double us = 0;
        for (int part = part_load; part < part_count; part++) {
            us += played.us[part];
        }
        return us;
    }
    void stand()
    {
        player.y = ground_height(player.x, player.z) + 1;
    }
    void walk()
    {
        player.x += walk_speed;
        player.z += walk_speed / 2;
        stand();
    }
    // Generating is the same for all three, so it is not timed.
    void load(Part part)
    {
        const TrnBox view =
            trn_box_around(trn_voxel_chunk(player), view_radius, view_radius_y, view_radius);
        if (has_view && trn_coord_equal(view.min, last_view.min)) {
            return;
        }
        last_view = view;
        has_view = true;
        missing.clear();
        timed(part, [&] { world.change_view(view, missing); });
        for (const TrnCoord &coord : missing) {
            generate(coord, *generated);
            timed(part, [&] { world.insert(coord, *generated); });
        }
    }
    // The half of the view ahead of the player.
    void draw()
    {
        TrnBox box = last_view;
        box.min.x = trn_voxel_chunk(player).x;
        std::size_t count = 0;
        timed(part_gather, [&] { count = world.gather(box, drawn); });
        std::uint64_t sum = 0; // independent of their order
        for (std::size_t i = 0; i < count; i++) {
            sum += coord_hash(drawn[i]->coord);
        }
        played.hash = mixed(played.hash, sum);
    }
    void look_at_neighbours()
    {
        const TrnBox box =
            trn_box_around(trn_voxel_chunk(player), near_radius, near_radius, near_radius);
        unsigned count = 0;
        timed(part_neighbours, [&] {
            for (std::int32_t y = box.min.y; y <= box.max.y; y++) {
                for (std::int32_t z = box.min.z; z <= box.max.z; z++) {
                    for (std::int32_t x = box.min.x; x <= box.max.x; x++) {
                        count += world.count_neighbours({x, y, z});
                    }
                }
            }
        });
        played.hash = mixed(played.hash, count);
    }
    void dig()
    {
        const TrnVoxel ahead = {player.x + 5, player.y - 1, player.z};
        timed(part_dig, [&] { world.dig(ahead, dig_radius); });
    }
    void read()
    {
        const int r = read_radius;
        const TrnVoxel min = {player.x - r, player.y - r, player.z - r};
        const TrnVoxel max = {player.x + r, player.y + r, player.z + r};
        std::uint64_t sum = 0;
        timed(part_read, [&] { sum = world.sum(min, max); });
        played.hash = mixed(played.hash, sum);
    }

    World world;
    TrnVoxel player;
    TrnBox last_view = {};
    bool has_view = false;
    std::unique_ptr<Generated> generated = std::make_unique<Generated>();
    std::vector<TrnCoord> missing;
    std::vector<typename World::Drawn> drawn; // buffer; the first `count` are used
    Played played;
};

template <typename World> Played play(long frames)
{
    Game<World> game({1000, 0, -3000});
    for (long i = 0; i < frames; i++) {
        game.frame();
    }
    return game.end();
}

// ---- the table ---------------------------------------------------------------------------------

constexpr int rounds = 3; // of all three in turn
const char *const world_names[3] = {"std::unordered_map", "Terrane's index", "Terrane's store"};

void print_row(const char *name, const char *unit, const double (&figures)[3])
{
    std::printf("%-16s", name);
    for (const double figure : figures) {
        std::printf("%16.1f %-4s", figure, unit);
    }
    std::printf("\n");
}

void print_table(const Played (&all)[3], long frames)
{
    const auto each = static_cast<double>(frames);
    std::printf("A frame on average of %ld, in the fastest of %d rounds; chunks are generated "
                "outside the timing\n\n%-16s",
                frames, rounds, "");
    for (const char *const name : world_names) {
        std::printf("%20s ", name);
    }
    std::printf("\n");
    double frame[3] = {};
    for (int part = part_load; part < part_count; part++) {
        double figures[3];
        for (int i = 0; i < 3; i++) {
            figures[i] = all[i].us[part] / each;
            frame[i] += figures[i];
        }
        print_row(part_names[part], "us", figures);
    }
    print_row("a frame", "us", frame);
    print_row("slowest frame", "us", {all[0].slowest_us, all[1].slowest_us, all[2].slowest_us});
    print_row(
        part_names[part_first], "ms",
        {all[0].us[part_first] / 1000, all[1].us[part_first] / 1000, all[2].us[part_first] / 1000});
    print_row("memory", "MiB", {all[0].mib, all[1].mib, all[2].mib});
}

// The minimum of each, since other programs only add time.
void keep_fastest(Played &best, const Played &now)
{
    for (int part = 0; part < part_count; part++) {
        best.us[part] = std::min(best.us[part], now.us[part]);
    }
    best.slowest_us = std::min(best.slowest_us, now.slowest_us);
}

int run(long frames)
{
    Played best[3] = {};
    for (int round = 0; round < rounds; round++) {
        const Played all[3] = {play<HashWorld>(frames), play<IndexWorld>(frames),
                               play<StoreWorld>(frames)};
        for (int i = 0; i < 3; i++) {
            if (all[i].hash != all[0].hash) {
                std::fprintf(stderr, "replace_unordered_map: %s does not find the same\n",
                             world_names[i]);
                return 1;
            }
            if (round == 0) {
                best[i] = all[i];
            }
            keep_fastest(best[i], all[i]);
        }
    }
    print_table(best, frames);
    std::printf("\nAll three found the same: %016llx\n",
                static_cast<unsigned long long>(best[0].hash));
    return 0;
}

// @return 0 if the text is no number of frames
long frames_of(const char *text)
{
    char *end = nullptr;
    const long frames = std::strtol(text, &end, 10);
    return *text != '\0' && *end == '\0' && frames >= 1 && frames <= 100000 ? frames : 0;
}

} // namespace

int main(int count, char **arguments)
{
    const char *const usage = "usage: replace_unordered_map [FRAMES]\n"
                              "Plays a small game on three ways of keeping chunks and prints what "
                              "each costs. FRAMES: 1 to 100000, 500 by default.\n";
    if (count == 2 && std::strcmp(arguments[1], "--help") == 0) {
        std::printf("%s", usage);
        return 0;
    }
    const long frames = count == 1 ? 500 : count == 2 ? frames_of(arguments[1]) : 0;
    if (frames == 0) {
        std::fprintf(stderr, "%s", usage);
        return 2;
    }
    try {
        return run(frames);
    } catch (const std::bad_alloc &) {
        std::fprintf(stderr, "replace_unordered_map: out of memory\n");
        return 1;
    }
}
