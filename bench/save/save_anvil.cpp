#include "save/save_anvil.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <terrane/import.h>
#include <zlib.h>

#include "driver/topic.hpp"

namespace {

const std::int32_t low = -2, high = 10; // chunks
const std::uint64_t sections = 24;
const std::size_t section_edge = 16, section_blocks = 4096, sector = 4096;
const auto edge_voxels = static_cast<std::size_t>(TRN_CHUNK_EDGE);

using Bytes = std::vector<unsigned char>;
using Terrain = Owned<TrnTerrain, trn_terrain_destroy>;

void generate(TrnTerrain *terrain, TrnCoord at, TrnBlock *blocks)
{
    bool uniform = false;
    require(trn_terrain_generate(terrain, at, blocks, &uniform));
    if (uniform) {
        std::fill(blocks + 1, blocks + save_voxels, blocks[0]);
    }
}

// ---- NBT ---------------------------------------------------------------------------------------

void put(Bytes &to, std::uint64_t number, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--) {
        to.push_back(static_cast<unsigned char>(number >> 8 * i));
    }
}

void put_text(Bytes &to, const std::string &text)
{
    put(to, text.size(), 2);
    to.insert(to.end(), text.begin(), text.end());
}

void put_tag(Bytes &to, unsigned type, const std::string &name)
{
    put(to, type, 1);
    put_text(to, name);
}

/// A section: its palette, and the palette index of each block.
struct Section {
    std::vector<TrnBlock> palette = {};
    std::vector<std::size_t> indices = std::vector<std::size_t>(section_blocks);
};

Section cut(const TrnBlock *from)
{
    Section section;
    for (std::size_t i = 0; i < section_blocks; i++) {
        const std::size_t x = i % section_edge, z = i / section_edge % section_edge;
        const std::size_t y = i / section_edge / section_edge;
        const TrnBlock block = from[x + (z + y * edge_voxels) * edge_voxels];
        const auto found = std::find(section.palette.begin(), section.palette.end(), block);
        section.indices[i] = static_cast<std::size_t>(found - section.palette.begin());
        if (found == section.palette.end()) {
            section.palette.push_back(block);
        }
    }
    return section;
}

void put_indices(Bytes &to, const Section &section)
{
    unsigned bits = 4;
    while (std::size_t{1} << bits < section.palette.size()) {
        bits++;
    }
    const std::size_t each = 64 / bits, longs = (section_blocks + each - 1) / each;
    put_tag(to, 12, "data");
    put(to, longs, 4);
    for (std::size_t i = 0; i < longs; i++) {
        std::uint64_t word = 0;
        for (std::size_t k = 0; k < each && i * each + k < section_blocks; k++) {
            word |= std::uint64_t{section.indices[i * each + k]} << k * bits;
        }
        put(to, word, 8);
    }
}

void put_section(Bytes &to, const Section &section, std::int32_t y, const TrnBlockTypes *types)
{
    put_tag(to, 1, "Y");
    put(to, static_cast<std::uint64_t>(y), 1);
    put_tag(to, 10, "block_states");
    put_tag(to, 9, "palette");
    put(to, 10, 1);
    put(to, section.palette.size(), 4);
    for (const TrnBlock block : section.palette) {
        put_tag(to, 8, "Name");
        put_text(to, trn_block_types_get(types, block)->name);
        put(to, 0, 1);
    }
    if (section.palette.size() > 1) {
        put_indices(to, section);
    }
    put(to, 0, 1);
    const auto air = std::find(section.palette.begin(), section.palette.end(), TRN_BLOCK_AIR);
    if (section.palette.size() > 1 && air != section.palette.end()) { // light varies
        put_tag(to, 7, "SkyLight");
        put(to, section_blocks / 2, 4);
        for (std::size_t i = 0; i < section_blocks; i += 2) {
            to.push_back(section.palette[section.indices[i]] == TRN_BLOCK_AIR ? 0xFF : 0);
        }
    }
    put(to, 0, 1);
}

/// Writes a column. @param tower  the column's chunks, from bottom to top
Bytes encode(const std::vector<TrnBlock> &tower, std::size_t corner, const TrnBlockTypes *types)
{
    Bytes nbt;
    put_tag(nbt, 10, "");
    put_tag(nbt, 3, "DataVersion");
    put(nbt, 3955, 4);
    put_tag(nbt, 9, "sections");
    put(nbt, 10, 1);
    put(nbt, sections, 4);
    for (std::int32_t y = low * 2; y < high * 2; y++) {
        const std::size_t above = static_cast<std::size_t>(y - low * 2) * section_edge;
        put_section(nbt, cut(tower.data() + corner + above * edge_voxels * edge_voxels), y, types);
    }
    put(nbt, 0, 1);
    return nbt;
}

/// A region file in memory, while it is built.
struct Region {
    Bytes bytes = Bytes(2 * sector);

    void add(std::size_t index, const Bytes &nbt)
    {
        const auto nbt_size = static_cast<uLong>(nbt.size()); // 32 bits on Windows
        uLongf size = compressBound(nbt_size);
        Bytes packed(size);
        compress(packed.data(), &size, nbt.data(), nbt_size);
        const std::size_t at = bytes.size() / sector, count = (size + 5 + sector - 1) / sector;
        Bytes location;
        put(location, at << 8 | count, 4);
        std::memcpy(bytes.data() + 4 * index, location.data(), 4);
        put(bytes, size + 1, 4);
        put(bytes, 2, 1);
        bytes.insert(bytes.end(), packed.begin(), packed.begin() + static_cast<long>(size));
        bytes.resize((at + count) * sector);
    }
};

} // namespace

AnvilLand::AnvilLand(int chunk_edge) : edge(chunk_edge)
{
}

std::size_t AnvilLand::columns() const
{
    return static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge) * 4;
}

void AnvilLand::write(const std::string &file, const TrnBlockTypes *types) const
{
    const auto terrain = make_owned<Terrain>(trn_terrain_create, nullptr);
    std::vector<TrnBlock> tower(save_voxels * static_cast<std::size_t>(high - low));
    Region region;
    for (std::int32_t i = 0; i < edge * edge; i++) {
        const std::int32_t x = i % edge, z = i / edge;
        for (std::int32_t y = low; y < high; y++) {
            generate(terrain.get(), {x, y, z},
                     tower.data() + save_voxels * static_cast<std::size_t>(y - low));
        }
        for (std::size_t part = 0; part < 4; part++) {
            const std::size_t east = part % 2, south = part / 2;
            const std::size_t column_x = static_cast<std::size_t>(x) * 2 + east;
            const std::size_t column_z = static_cast<std::size_t>(z) * 2 + south;
            region.add(column_x + 32 * column_z,
                       encode(tower, section_edge * (east + south * edge_voxels), types));
        }
    }
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char *>(region.bytes.data()),
              static_cast<std::streamsize>(region.bytes.size()));
    if (!out.flush()) {
        throw bench::Refused{"the region could not be written"};
    }
}

bool AnvilLand::is(TrnImport *import) const
{
    const auto terrain = make_owned<Terrain>(trn_terrain_create, nullptr);
    std::vector<TrnBlock> expected(save_voxels), got(save_voxels);
    for (std::int32_t i = 0; i < edge * edge * (high - low); i++) {
        const TrnCoord at = {i % edge, low + i / edge / edge, i / edge % edge};
        bool uniform = false;
        generate(terrain.get(), at, expected.data());
        if (trn_import_load(import, at, got.data(), &uniform) != TRN_RESULT_OK) {
            return false;
        }
        if (uniform) {
            std::fill(got.begin() + 1, got.end(), got[0]);
        }
        if (got != expected) {
            return false;
        }
    }
    return true;
}
