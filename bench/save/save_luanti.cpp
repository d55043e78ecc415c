#include "save/save_luanti.hpp"

#include <memory>
#include <string>
#include <vector>

#include <sqlite3.h>
#include <zlib.h>
#include <zstd.h>

#include "driver/topic.hpp"

namespace {

const std::size_t edge = 16, nodes = edge * edge * edge;

using Bytes = std::vector<unsigned char>;

void put(Bytes &to, std::uint32_t number, std::size_t bytes)
{
    for (std::size_t i = bytes; i-- > 0;) {
        to.push_back(static_cast<unsigned char>(number >> 8 * i));
    }
}

/// A map block: its names, and the index of each node's name.
struct Nodes {
    std::vector<std::string> names = {};
    std::vector<std::uint16_t> ids = std::vector<std::uint16_t>(nodes);
    std::vector<unsigned char> light = std::vector<unsigned char>(nodes);

    std::uint16_t id(const std::string &name)
    {
        std::size_t i = 0;
        while (i < names.size() && names[i] != name) {
            i++;
        }
        if (i == names.size()) {
            names.push_back(name);
        }
        return static_cast<std::uint16_t>(i);
    }
};

/// Cuts a map block out of a chunk, with Luanti's north at +z.
Nodes cut(const TrnBlock *blocks, std::size_t corner, const TrnBlockTypes *types)
{
    Nodes cut;
    for (std::size_t i = 0; i < nodes; i++) {
        const std::size_t x = i % edge, y = i / edge % edge, z = edge - 1 - i / edge / edge;
        const TrnBlock block =
            blocks[corner + (y * TRN_CHUNK_EDGE + z) * static_cast<std::size_t>(TRN_CHUNK_EDGE) +
                   x];
        cut.ids[i] = cut.id(trn_block_types_get(types, block)->name);
        cut.light[i] = block == TRN_BLOCK_AIR ? 15 : 0;
    }
    return cut;
}

void put_names(Bytes &to, const Nodes &from)
{
    put(to, 0xFFFFFFFF, 4);
    put(to, 0, 1);
    put(to, static_cast<std::uint32_t>(from.names.size()), 2);
    for (std::size_t i = 0; i < from.names.size(); i++) {
        put(to, static_cast<std::uint32_t>(i), 2);
        put(to, static_cast<std::uint32_t>(from.names[i].size()), 2);
        to.insert(to.end(), from.names[i].begin(), from.names[i].end());
    }
}

void put_nodes(Bytes &to, const Nodes &from)
{
    for (const std::uint16_t id : from.ids) {
        put(to, id, 2);
    }
    to.insert(to.end(), from.light.begin(), from.light.end());
    to.resize(to.size() + nodes); // param2
}

void deflate_onto(Bytes &to, const Bytes &from)
{
    uLongf size = compressBound(from.size());
    const std::size_t at = to.size();
    to.resize(at + size);
    compress(to.data() + at, &size, from.data(), from.size());
    to.resize(at + size);
}

Bytes encode_zlib(const Nodes &from)
{
    Bytes block = {28, 0, 0xFF, 0xFF, 2, 2}, plain;
    put_nodes(plain, from);
    deflate_onto(block, plain);
    deflate_onto(block, {0}); // no metadata
    put(block, 0, 3);         // no objects
    put_names(block, from);
    put(block, 0x0A0000, 3); // no timers
    return block;
}

Bytes encode_zstd(const Nodes &from)
{
    Bytes plain = {0, 0xFF, 0xFF};
    put_names(plain, from);
    put(plain, 0x0202, 2);
    put_nodes(plain, from);
    put(plain, 0, 4); // no metadata and no objects
    put(plain, 0x0A0000, 3);
    Bytes block(1 + ZSTD_compressBound(plain.size()));
    block[0] = 29;
    block.resize(1 + ZSTD_compress(block.data() + 1, block.size() - 1, plain.data(), plain.size(),
                                   ZSTD_CLEVEL_DEFAULT));
    return block;
}

/// A map database that is being written.
class Map {
  public:
    explicit Map(const std::string &file)
    {
        run(sqlite3_open(file.c_str(), &db));
        run(sqlite3_exec(db,
                         "PRAGMA synchronous = OFF; CREATE TABLE blocks (x INTEGER, y INTEGER, "
                         "z INTEGER, data BLOB NOT NULL, PRIMARY KEY (x, z, y)); BEGIN",
                         nullptr, nullptr, nullptr));
        run(sqlite3_prepare_v2(db, "INSERT INTO blocks VALUES (?, ?, ?, ?)", -1, &insert, nullptr));
    }
    ~Map()
    {
        sqlite3_finalize(insert);
        sqlite3_exec(db, "COMMIT", nullptr, nullptr, nullptr);
        sqlite3_close(db);
    }
    Map(const Map &) = delete;
    Map &operator=(const Map &) = delete;

    void add(std::int32_t x, std::int32_t y, std::int32_t z, const Bytes &bytes)
    {
        sqlite3_bind_int(insert, 1, x);
        sqlite3_bind_int(insert, 2, y);
        sqlite3_bind_int(insert, 3, z);
        sqlite3_bind_blob(insert, 4, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
        sqlite3_step(insert);
        run(sqlite3_reset(insert));
    }

  private:
    void run(int code)
    {
        if (code != SQLITE_OK) {
            throw bench::Refused{std::string("SQLite: ") + sqlite3_errmsg(db)};
        }
    }
    sqlite3 *db = nullptr;
    sqlite3_stmt *insert = nullptr;
};

} // namespace

std::size_t write_luanti_map(const std::string &file, const SaveLand &land, unsigned version)
{
    const auto blocks = std::make_unique<TrnBlock[]>(save_voxels);
    const std::size_t row = TRN_CHUNK_EDGE, layer = row * row;
    Map map(file);
    for (std::size_t i = 0; i < land.size(); i++) {
        trn_snapshot_decode(land.voxels(i), blocks.get());
        const TrnCoord at = land.coord(i);
        for (std::size_t part = 0; part < 8; part++) {
            const std::size_t x = part & 1, z = part >> 1 & 1, y = part >> 2;
            const Nodes nodes_of =
                cut(blocks.get(), edge * (x + z * row + y * layer), land.types.get());
            map.add(at.x * 2 + static_cast<std::int32_t>(x),
                    at.y * 2 + static_cast<std::int32_t>(y),
                    -1 - (at.z * 2 + static_cast<std::int32_t>(z)),
                    version == 29 ? encode_zstd(nodes_of) : encode_zlib(nodes_of));
        }
    }
    return land.size() * 8;
}
