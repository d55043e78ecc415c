// Boxes of voxels, and all voxels of one type, changed in an open edit.

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

#include "voxel_parts.hpp"

namespace {

const std::uint32_t box_edge = 16;

/// A chunk with an open edit and a chunk to copy from; and both as plain arrays.
struct BoxCase {
    VoxelChunks chunks; ///< the edited chunk, the chunk to copy from
    VoxelArray plain, expected;
    std::unique_ptr<OpenVoxelEdit> open;
    std::size_t next = 0, plain_next = 0;
};

std::shared_ptr<BoxCase> make_box_case(const VoxelSetup &setup, int bits,
                                       const std::string &kernels)
{
    auto made = std::make_shared<BoxCase>();
    const auto arrays = random_chunks(setup.types.palette(types_of_bits(bits)), 2);
    made->chunks = voxel_chunks(setup.types, arrays, kernels);
    made->plain = made->expected = arrays[0];
    made->open = std::make_unique<OpenVoxelEdit>(made->chunks.lab, made->chunks.voxels[0]);
    return made;
}

/// A question with its steps. Later steps undo or repeat earlier ones, so that every step changes
/// voxels.
struct BoxQuestion {
    const char *name;
    void (*step)(VoxelArray &blocks, const BoxCase &one, std::size_t n);
    TrnResult (*edit_step)(BoxCase &one, std::size_t n);
};

bench::Scene make_box_scene(const VoxelSetup &setup, const BoxQuestion &question, int bits,
                            bool with_all_kernels)
{
    bench::Scene scene = {question.name, bits_name(bits)};
    for (const std::string &kernels : setup.kernels) {
        const auto one = make_box_case(setup, bits, kernels);
        question.step(one->expected, *one, 0);
        if (scene.attempts.empty()) {
            scene.attempts.push_back(bench::timed(
                by_array, [one, &question] { question.step(one->plain, *one, one->plain_next++); },
                [one] { return one->plain == one->expected; }));
        }
        scene.attempts.push_back(bench::timed(
            by_kernels(setup, kernels),
            [one, &question] { require(question.edit_step(*one, one->next++)); },
            [one] { return one->open->is(one->expected); }));
        if (!with_all_kernels) {
            break;
        }
    }
    return scene;
}

// ---- fill a box --------------------------------------------------------------------------------

/// A box at one of eight places, none at a chunk's border.
struct BoxPlace {
    std::uint32_t min[3], max[3];
};

BoxPlace box_place(std::size_t n)
{
    BoxPlace place = {};
    for (std::size_t axis = 0; axis < 3; axis++) {
        place.min[axis] = n >> axis & 1 ? 8 : 3;
        place.max[axis] = place.min[axis] + box_edge - 1;
    }
    return place;
}

/// The block of step n. It differs from that of step n - 8, which filled the same box.
TrnBlock box_block(std::size_t n)
{
    return static_cast<TrnBlock>((n + n / 8) % 2);
}

template <typename Row> void each_row(const std::uint32_t min[3], Row row)
{
    for (std::uint32_t y = 0; y < box_edge; y++) {
        for (std::uint32_t z = 0; z < box_edge; z++) {
            row(trn_local_index(min[0], min[1] + y, min[2] + z), y, z);
        }
    }
}

void fill_array_box(VoxelArray &blocks, const BoxCase &, std::size_t n)
{
    const TrnBlock block = box_block(n);
    each_row(box_place(n).min, [&blocks, block](std::uint32_t at, std::uint32_t, std::uint32_t) {
        std::fill_n(&blocks[at], box_edge, block);
    });
}

TrnResult fill_edit_box(BoxCase &one, std::size_t n)
{
    const BoxPlace place = box_place(n);
    return trn_voxel_edit_fill_box(&one.open->edit, place.min, place.max, box_block(n));
}

// ---- copy a box --------------------------------------------------------------------------------

const std::uint32_t copied_from[3] = {5, 6, 7};
const std::uint32_t copied_size[3] = {box_edge, box_edge, box_edge};

void copy_array_box(VoxelArray &blocks, const BoxCase &one, std::size_t n)
{
    const VoxelArray &source = one.chunks.arrays[1];
    each_row(box_place(n).min,
             [&blocks, &source](std::uint32_t at, std::uint32_t y, std::uint32_t z) {
                 const std::uint32_t from =
                     trn_local_index(copied_from[0], copied_from[1] + y, copied_from[2] + z);
                 std::memcpy(&blocks[at], &source[from], box_edge * sizeof(TrnBlock));
             });
}

TrnResult copy_edit_box(BoxCase &one, std::size_t n)
{
    return trn_voxel_edit_copy_box(&one.open->edit, box_place(n).min,
                                   trn_voxels_snapshot(&one.chunks.voxels[1]), copied_from,
                                   copied_size);
}

// ---- replace -----------------------------------------------------------------------------------

/// The replaced block of step n: alternates between stone and dirt, so that all voxels of one
/// become the other.
TrnBlock replaced_block(std::size_t n)
{
    return n % 2 ? TRN_BLOCK_DIRT : TRN_BLOCK_STONE;
}

void replace_in_array(VoxelArray &blocks, const BoxCase &, std::size_t n)
{
    const TrnBlock from = replaced_block(n), to = replaced_block(n + 1);
    for (TrnBlock &block : blocks) {
        block = block == from ? to : block;
    }
}

TrnResult replace_in_edit(BoxCase &one, std::size_t n)
{
    return trn_voxel_edit_replace(&one.open->edit, replaced_block(n), replaced_block(n + 1));
}

const BoxQuestion questions[] = {
    {"fill a box of 16 x 16 x 16", fill_array_box, fill_edit_box},
    {"copy a box of 16 x 16 x 16", copy_array_box, copy_edit_box},
    {"replace a type", replace_in_array, replace_in_edit},
};

} // namespace

std::vector<bench::Scene> make_box_scenes(const VoxelSetup &setup)
{
    std::vector<bench::Scene> scenes;
    for (int bits : {4, 16}) {
        for (const BoxQuestion &question : questions) {
            scenes.push_back(make_box_scene(setup, question, bits, bits == 4));
        }
    }
    return scenes;
}
