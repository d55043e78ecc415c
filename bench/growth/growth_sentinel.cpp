// How should a cell represent "no chunk"? Compares five ways in the same array.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "growth_array.hpp"
#include "growth_parts.hpp"
#include "worlds.hpp"

namespace {

const char *const question_hits = "find chunks that are there, in random order";
const char *const question_any = "find at random cells of the box, there or not";
const char *const question_sentinel_bytes = "bytes per chunk, the box around the world";

const std::size_t finds_max = 1 << 16;

using Chunk = const TrnCoord *;
const std::size_t pointer_bytes = sizeof(void *);

// ---- five kinds of cells -----------------------------------------------------------------------
// gather() always writes the cell after the last chunk that it found, so it does not branch on a
// cell's content. find() does not branch either, since a random mix of hits and misses would time
// the branch predictor. For std::optional, the compiler decides.

/// The chunk or NULL, without a branch. @param is_there  0 or 1
Chunk chunk_if(std::uintptr_t is_there, Chunk chunk)
{
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(chunk) & (0 - is_there);
    return reinterpret_cast<Chunk>(address); // NOLINT(performance-no-int-to-ptr)
}

class NullCells {
  public:
    explicit NullCells(std::size_t count) : cells(count)
    {
    }
    void put(std::size_t i, Chunk chunk)
    {
        cells[i] = chunk;
    }
    Chunk find(std::size_t i) const
    {
        return cells[i];
    }
    Chunk *gather(std::size_t first, std::size_t count, Chunk *out) const
    {
        std::size_t found = 0;
#pragma GCC unroll 4
        for (std::size_t i = first; i < first + count; i++) {
            out[found] = cells[i];
            found += cells[i] != nullptr;
        }
        return out + found;
    }
    std::size_t bytes() const
    {
        return cells.size() * pointer_bytes;
    }

  private:
    std::vector<Chunk> cells;
};

class FlagCells {
  public:
    explicit FlagCells(std::size_t count) : cells(count)
    {
    }
    void put(std::size_t i, Chunk chunk)
    {
        cells[i] = {chunk, true};
    }
    Chunk find(std::size_t i) const
    {
        return chunk_if(cells[i].is_there, cells[i].chunk);
    }
    Chunk *gather(std::size_t first, std::size_t count, Chunk *out) const
    {
        std::size_t found = 0;
#pragma GCC unroll 4
        for (std::size_t i = first; i < first + count; i++) {
            out[found] = cells[i].chunk;
            found += cells[i].is_there;
        }
        return out + found;
    }
    std::size_t bytes() const
    {
        return cells.size() * sizeof cells[0];
    }

  private:
    struct Cell {
        Chunk chunk;
        bool is_there;
    };
    std::vector<Cell> cells;
};

class OptionalCells {
  public:
    explicit OptionalCells(std::size_t count) : cells(count)
    {
    }
    void put(std::size_t i, Chunk chunk)
    {
        cells[i] = chunk;
    }
    Chunk find(std::size_t i) const
    {
        return cells[i].value_or(nullptr);
    }
    Chunk *gather(std::size_t first, std::size_t count, Chunk *out) const
    {
        // gcc generates the fastest code for value_or(); other forms become branches.
        for (std::size_t i = first; i < first + count; i++) {
            *out = cells[i].value_or(nullptr);
            out += cells[i].has_value();
        }
        return out;
    }
    std::size_t bytes() const
    {
        return cells.size() * sizeof cells[0];
    }

  private:
    std::vector<std::optional<Chunk>> cells;
};

class ByteCells {
  public:
    explicit ByteCells(std::size_t count) : chunks(count), is_there(count)
    {
    }
    void put(std::size_t i, Chunk chunk)
    {
        chunks[i] = chunk;
        is_there[i] = 1;
    }
    Chunk find(std::size_t i) const
    {
        return chunk_if(is_there[i], chunks[i]);
    }
    Chunk *gather(std::size_t first, std::size_t count, Chunk *out) const
    {
        std::size_t found = 0;
#pragma GCC unroll 4
        for (std::size_t i = first; i < first + count; i++) {
            out[found] = chunks[i];
            found += is_there[i];
        }
        return out + found;
    }
    std::size_t bytes() const
    {
        return chunks.size() * (pointer_bytes + sizeof is_there[0]);
    }

  private:
    std::vector<Chunk> chunks;
    std::vector<unsigned char> is_there;
};

/// Stores a bit per cell. gather() handles words of 64 cells: skips an empty word, copies a full
/// one, and otherwise visits the set bits. It never reads pointers of empty cells.
class BitCells {
  public:
    explicit BitCells(std::size_t count) : chunks(count), words((count + 63) / 64)
    {
    }
    void put(std::size_t i, Chunk chunk)
    {
        chunks[i] = chunk;
        words[i / 64] |= std::uint64_t{1} << i % 64;
    }
    Chunk find(std::size_t i) const
    {
        return chunk_if(words[i / 64] >> i % 64 & 1, chunks[i]);
    }
    Chunk *gather(std::size_t first, std::size_t count, Chunk *out) const
    {
        const std::size_t end = first + count;
        for (std::size_t word = first / 64; word * 64 < end; word++) {
            std::uint64_t bits = words[word];
            if (word * 64 < first) {
                bits &= ~std::uint64_t{0} << first % 64;
            }
            if (end - word * 64 < 64) {
                bits &= ~(~std::uint64_t{0} << end % 64);
            }
            out = gather_word(&chunks[word * 64], bits, out);
        }
        return out;
    }
    std::size_t bytes() const
    {
        return chunks.size() * pointer_bytes + words.size() * sizeof words[0];
    }

  private:
    static Chunk *gather_word(const Chunk *cells, std::uint64_t bits, Chunk *out)
    {
        if (bits == ~std::uint64_t{0}) {
            std::memcpy(out, cells, 64 * pointer_bytes);
            return out + 64;
        }
        for (; bits; bits &= bits - 1) {
            *out++ = cells[__builtin_ctzll(bits)];
        }
        return out;
    }
    std::vector<Chunk> chunks;
    std::vector<std::uint64_t> words;
};

// ---- arrays of cells ---------------------------------------------------------------------------

/// An array of any kind of cells. All timed loops are inside its functions, so a virtual call costs
/// all kinds the same.
class CellArray {
  public:
    virtual ~CellArray() = default;
    virtual void put(Chunk chunk) = 0;
    /// Gathers all chunks of the array, row by row. @return how many
    virtual std::size_t gather(std::vector<Chunk> &out) const = 0;
    /// The sum of the addresses of the chunks that are found at a list of coordinates.
    virtual std::uintptr_t find_all(const std::vector<TrnCoord> &list) const = 0;
    virtual std::size_t bytes() const = 0;
};

template <class Cells> class ArrayOf final : public CellArray {
  public:
    explicit ArrayOf(const GrowthExtent &box) : extent(box), cells(box.cells())
    {
    }
    void put(Chunk chunk) override
    {
        cells.put(extent.cell(*chunk), chunk);
    }
    std::size_t gather(std::vector<Chunk> &out) const override
    {
        const auto row = static_cast<std::size_t>(extent.extent[0]);
        Chunk *end = out.data();
        for (std::size_t first = 0; first < extent.cells(); first += row) {
            end = cells.gather(first, row, end);
        }
        return static_cast<std::size_t>(end - out.data());
    }
    std::uintptr_t find_all(const std::vector<TrnCoord> &list) const override
    {
        std::uintptr_t sum = 0;
        for (const TrnCoord &coord : list) {
            if (extent.contains(coord)) {
                sum += reinterpret_cast<std::uintptr_t>(cells.find(extent.cell(coord)));
            }
        }
        return sum;
    }
    std::size_t bytes() const override
    {
        return cells.bytes();
    }

  private:
    GrowthExtent extent;
    Cells cells;
};

struct CellKind {
    const char *name;
    std::unique_ptr<CellArray> (*make)(const GrowthExtent &box);
};

template <class Cells> std::unique_ptr<CellArray> make_array(const GrowthExtent &box)
{
    return std::make_unique<ArrayOf<Cells>>(box);
}

/// All kinds of cells, the baseline first.
const CellKind cell_kinds[] = {
    {"pointer, NULL for none", make_array<NullCells>},
    {"pointer and bool in a struct", make_array<FlagCells>},
    {"std::optional of a pointer", make_array<OptionalCells>},
    {"pointers, and an array of bytes", make_array<ByteCells>},
    {"pointers, and an array of bits", make_array<BitCells>},
};

// ---- worlds ------------------------------------------------------------------------------------

GrowthExtent extent_of(TrnBox box)
{
    GrowthExtent extent;
    extent.widen(box.min, grow_exactly);
    extent.widen(box.max, grow_exactly);
    return extent;
}

/// A world, its arrays and the expected answers.
struct CellArena {
    World world;
    std::vector<TrnCoord> hits, any; ///< to find
    std::vector<Chunk> answer;       ///< of a gather
    std::uintptr_t hits_sum = 0, any_sum = 0;
    std::vector<std::unique_ptr<CellArray>> arrays; ///< one per kind
    std::vector<Chunk> out;
};

void choose_finds(CellArena &arena)
{
    std::mt19937 random(1);
    arena.hits = arena.world.chunks;
    std::shuffle(arena.hits.begin(), arena.hits.end(), random);
    arena.hits.resize(std::min(arena.hits.size(), finds_max));
    const TrnBox box = arena.world.box;
    const auto between = [&random](std::int32_t low, std::int32_t high) {
        return std::uniform_int_distribution<std::int32_t>(low, high)(random);
    };
    for (std::size_t i = 0; i < arena.hits.size(); i++) {
        const TrnCoord coord = {between(box.min.x, box.max.x), between(box.min.y, box.max.y),
                                between(box.min.z, box.max.z)};
        arena.any.push_back(coord);
    }
}

/// Computes the expected answers from a map of cells, which shares no code with the arrays.
void know_answers(CellArena &arena, const GrowthExtent &box)
{
    std::map<std::size_t, Chunk> chunks;
    for (const TrnCoord &chunk : arena.world.chunks) {
        chunks[box.cell(chunk)] = &chunk;
    }
    for (const auto &[cell, chunk] : chunks) {
        arena.answer.push_back(chunk);
    }
    const auto sum_of = [&](const std::vector<TrnCoord> &list) {
        std::uintptr_t sum = 0;
        for (const TrnCoord &coord : list) {
            const auto found = chunks.find(box.cell(coord));
            sum += found == chunks.end() ? 0 : reinterpret_cast<std::uintptr_t>(found->second);
        }
        return sum;
    };
    arena.hits_sum = sum_of(arena.hits);
    arena.any_sum = sum_of(arena.any);
}

void make_arena(CellArena &arena)
{
    const GrowthExtent box = extent_of(arena.world.box);
    choose_finds(arena);
    know_answers(arena, box);
    arena.out.resize(arena.answer.size() + 1);
    for (const CellKind &kind : cell_kinds) {
        arena.arrays.push_back(kind.make(box));
        for (const TrnCoord &chunk : arena.world.chunks) {
            arena.arrays.back()->put(&chunk);
        }
    }
}

bool answers_right(CellArena &arena, const CellArray &array)
{
    std::fill(arena.out.begin(), arena.out.end(), nullptr);
    return array.gather(arena.out) == arena.answer.size() &&
           std::equal(arena.answer.begin(), arena.answer.end(), arena.out.begin()) &&
           array.find_all(arena.hits) == arena.hits_sum &&
           array.find_all(arena.any) == arena.any_sum;
}

// ---- scenes ------------------------------------------------------------------------------------

using SharedArena = std::shared_ptr<CellArena>;
/// What an attempt does with one array.
using CellWork = std::function<void(bench::Attempt &, const SharedArena &, const CellArray &)>;

void gather_cells(bench::Attempt &attempt, const SharedArena &arena, const CellArray &array)
{
    attempt.work = [arena, &array] { keep(array.gather(arena->out)); };
}

void find_hits(bench::Attempt &attempt, const SharedArena &arena, const CellArray &array)
{
    attempt.work = [arena, &array] { keep(array.find_all(arena->hits)); };
}

void find_any(bench::Attempt &attempt, const SharedArena &arena, const CellArray &array)
{
    attempt.work = [arena, &array] { keep(array.find_all(arena->any)); };
}

void count_bytes(bench::Attempt &attempt, const SharedArena &arena, const CellArray &array)
{
    attempt.figures = [arena, &array] {
        return std::vector<double>{static_cast<double>(array.bytes()) /
                                   static_cast<double>(arena->answer.size())};
    };
}

bench::Scene cell_scene(const SharedArena &arena, const char *question, const CellWork &work)
{
    bench::Scene scene = {question, arena->world.name, "ns", arena->answer.size()};
    for (std::size_t i = 0; i < std::size(cell_kinds); i++) {
        const CellArray &array = *arena->arrays[i];
        bench::Attempt attempt = {cell_kinds[i].name};
        attempt.check = [arena, &array] { return answers_right(*arena, array); };
        work(attempt, arena, array);
        scene.attempts.push_back(attempt);
    }
    return scene;
}

void add_arena(bench::Bench &bench, const World &world)
{
    const auto arena = std::make_shared<CellArena>();
    arena->world = world;
    make_arena(*arena);
    bench.add(cell_scene(arena, growth_question_gather, gather_cells));
    for (const auto &[question, work] :
         {std::make_pair(question_hits, find_hits), std::make_pair(question_any, find_any)}) {
        bench::Scene finds = cell_scene(arena, question, work);
        finds.parts = arena->hits.size();
        bench.add(std::move(finds));
    }
    bench::Scene bytes = cell_scene(arena, question_sentinel_bytes, count_bytes);
    bytes.unit = "bytes";
    bench.add(std::move(bytes));
}

} // namespace

void add_growth_sentinels(bench::Bench &bench)
{
    for (const World &world :
         {world_ellipsoid("ball R=16", 16, 16), world_ellipsoid("ball R=32", 32, 32),
          world_ellipsoid("flattened ball R=32", 32, 8)}) {
        bench.stage([&bench, world] { add_arena(bench, world); });
    }
}
