// Replaces a game's std::unordered_map of chunks in two steps.
//
// The game is game_loop.hpp. HashWorld (game_worlds.hpp) is the map, as games write it. Step one,
// IndexWorld below, finds the same chunks through Terrane's index and changes some lines. Step two,
// StoreWorld (game_worlds.hpp), keeps the voxels in Terrane's store too and needs little code of
// the game. All three must find the same; then their times are printed next to each other.
// `terrane-bench game` plays the same loop with more containers, with meshes and with light.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <unordered_map>
#include <vector>

#include "game_worlds.hpp"

namespace {

using namespace game;

using Map = std::unordered_map<TrnCoord, std::unique_ptr<Chunk>, CoordHash, CoordEqual>;

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

    void move_view(TrnBox view)
    {
        wish(index, view);
        gather_coords(index, trn_box_everything(), present_bit, wanted_bit, gone);
        for (const TrnCoord &coord : gone) {
            remove(coord);
        }
    }
    void find_missing(std::vector<TrnCoord> &missing) const
    {
        gather_coords(index, trn_box_everything(), wanted_bit, present_bit, missing);
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
    std::uint64_t sum(TrnVoxel min, TrnVoxel max) const
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

// ---- the three, compared -----------------------------------------------------------------------

constexpr int view_radius = 12, view_radius_y = 3; // chunks

template <typename World> Played play(long frames)
{
    Loop<World> loop(view_radius, view_radius_y);
    loop.begin();
    for (long i = 0; i < frames; i++) {
        loop.frame();
    }
    return loop.end();
}

const char *const part_names[part_more] = {"first view",     "find missing", "load, unload",
                                           "gather to draw", "neighbours",   "dig",
                                           "read voxels"};

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
    for (int part = part_first + 1; part < part_more; part++) {
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
    for (int part = 0; part < part_more; part++) {
        best.us[part] = std::min(best.us[part], now.us[part]);
    }
    best.slowest_us = std::min(best.slowest_us, now.slowest_us);
}

int run(long frames)
{
    Played best[3] = {};
    for (int round = 0; round < rounds; round++) {
        const Played all[3] = {play<HashWorld<Map>>(frames), play<IndexWorld>(frames),
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
