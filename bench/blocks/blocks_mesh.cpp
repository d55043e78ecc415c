// Meshing chunks of models, and of quads that are not merged.

#include <algorithm>
#include <array>
#include <utility>

#include <terrane/light.h>

#include "blocks/blocks_parts.hpp"
#include "mesher_internal.h"

namespace {

/// A chunk, and memory to mesh it in.
struct Mesher {
    explicit Mesher(SharedChunk meshed)
        : chunk(std::move(meshed)), scratch(make_scratch(TRN_MESH_SCRATCH_BYTES)),
          quads(TRN_MESH_QUADS_MAX), apart(TRN_MESH_QUADS_MAX), faces(65536)
    {
        input = chunk->input();
    }
    void mesh_models()
    {
        trn_mesh_models(&input, scratch.get(), faces.data(), faces.size(), &face_count);
    }
    void mesh_quads(const char *kernels)
    {
        trn_mesh_quads_by(kernels, &input, scratch.get(), quads.data(), nullptr, quads.size(),
                          &info);
    }
    void mesh_boxes();
    void take_apart();

    SharedChunk chunk;
    Scratch scratch;
    std::vector<TrnQuad> quads, apart;
    std::vector<TrnModelFace> faces;
    TrnMeshInput input = {};
    TrnMeshInfo info = {};
    std::uint32_t face_count = 0;
    std::size_t apart_count = 0;
    TrnLight sky = {};
};
using SharedMesher = std::shared_ptr<Mesher>;

/// A simple mesher: emits each box of each model, without faces that touch opaque blocks. No
/// ambient occlusion, no light, and no culling against other models.
void Mesher::mesh_boxes()
{
    const std::vector<TrnBlock> &blocks = chunk->blocks;
    const TrnBlockType *types = input.types;
    const auto type_at = [&](TrnCoord at) -> const TrnBlockType & {
        const bool is_inside = ((at.x | at.y | at.z) & ~31) == 0;
        TrnBlock block = at.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
        if (is_inside) {
            block = blocks[trn_local_index(static_cast<std::uint32_t>(at.x),
                                           static_cast<std::uint32_t>(at.y),
                                           static_cast<std::uint32_t>(at.z))];
        }
        return types[block];
    };
    face_count = 0;
    for (std::uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const TrnBlockModel *model = types[blocks[i]].model;
        if (!model) {
            continue;
        }
        const TrnCoord at = {static_cast<int>(i & 31), static_cast<int>(i >> 10),
                             static_cast<int>(i >> 5 & 31)};
        std::uint32_t opaque = 0, connected = 0;
        for (std::uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
            const TrnBlockType &next = type_at(trn_coord_neighbour(at, static_cast<TrnFace>(face)));
            opaque |= static_cast<std::uint32_t>(next.kind == TRN_BLOCK_KIND_OPAQUE) << face;
            connected |= static_cast<std::uint32_t>(trn_block_model_connects(model, &next)) << face;
        }
        const std::uint32_t boxes = trn_block_model_boxes(model, connected);
        for (std::uint32_t box = 0; box < model->box_count; box++) {
            for (std::uint32_t face = 0; face < TRN_FACE_COUNT && boxes >> box & 1; face++) {
                const TrnBlockBox &its = model->boxes[box];
                const std::uint32_t depth = face % 2 ? its.max[face / 2] : its.min[face / 2];
                if (opaque >> face & 1 && depth == (face % 2 ? 16U : 0U)) {
                    continue;
                }
                TrnModelFace &out = faces[face_count++];
                out.place =
                    (i & 31) | (i >> 10) << 5 | (i >> 5 & 31) << 10 | face << 15 | box << 18;
                out.rectangle = depth << 20;
                out.look = blocks[i] | 255U << 16;
                out.light = TRN_MESH_LIGHT(15, 0);
            }
        }
    }
}

/// Splits merged quads into one for each face, as games with an atlas of textures do.
void Mesher::take_apart()
{
    apart_count = 0;
    for (std::uint32_t i = 0; i < trn_mesh_count(&info); i++) {
        const TrnQuad quad = quads[i];
        const std::uint32_t face = trn_quad_face(quad);
        int width_axis = 0, height_axis = 0;
        trn_quad_axes(static_cast<TrnFace>(face % TRN_FACE_COUNT), &width_axis, &height_axis);
        for (std::uint32_t h = 0; h < trn_quad_height(quad); h++) {
            for (std::uint32_t w = 0; w < trn_quad_width(quad); w++) {
                const TrnQuad place = static_cast<TrnQuad>(w) << 5 * width_axis;
                const TrnQuad row = static_cast<TrnQuad>(h) << 5 * height_axis;
                apart[apart_count++] = (quad & ~(TrnQuad{1023} << 15)) + place + row;
            }
        }
    }
}

bench::Scene scene_of(const char *question, const SharedMesher &mesher)
{
    return {question, mesher->chunk->name, "us", mesher->chunk->models(), 1};
}

/// Whether the faces are those that a game would draw, except faces that other models cover.
bool models_are_right(Mesher &mesher)
{
    mesher.mesh_boxes();
    std::vector<TrnModelFace> all(mesher.faces.begin(), mesher.faces.begin() + mesher.face_count);
    mesher.mesh_models();
    const auto before = [](const TrnModelFace &a, const TrnModelFace &b) {
        const auto key = [](const TrnModelFace &face) { // voxel, box, direction
            return std::make_pair(trn_local_index(trn_model_face_x(&face), trn_model_face_y(&face),
                                                  trn_model_face_z(&face)),
                                  face.place >> 15);
        };
        return key(a) < key(b);
    };
    return mesher.face_count > 0 && mesher.face_count <= all.size() &&
           std::includes(all.begin(), all.end(), mesher.faces.begin(),
                         mesher.faces.begin() + mesher.face_count, before);
}

bench::Scene models_scene(const SharedMesher &mesher)
{
    bench::Scene scene = scene_of(q_blocks_models, mesher);
    scene.baseline = by_blocks_voxels;
    scene.attempts = {bench::timed(
                          by_blocks_voxels, [mesher] { mesher->mesh_boxes(); },
                          [mesher] { return mesher->face_count > 0; }),
                      bench::timed(
                          by_blocks, [mesher] { mesher->mesh_models(); }, nullptr)};
    scene.attempts[1].check = bench::made_once([mesher] { return models_are_right(*mesher); });
    return scene;
}

/// A scene with random light in every voxel.
bench::Scene lit_scene(const SharedMesher &mesher)
{
    mesher->sky.constant = TRN_LIGHT_VARIES;
    std::uint64_t word = 1;
    for (auto &plane : mesher->sky.planes) {
        for (std::uint64_t &row : plane) {
            row = word = word * 6364136223846793005U + 1442695040888963407U;
        }
    }
    return bench::scene_with(scene_of(q_blocks_lit, mesher),
                             {bench::timed(
                                 by_blocks,
                                 [mesher] {
                                     mesher->input.sky = &mesher->sky;
                                     mesher->mesh_models();
                                     mesher->input.sky = nullptr;
                                 },
                                 [mesher] { return mesher->face_count > 0; })});
}

bench::Scene whole_scene(const SharedMesher &mesher)
{
    bench::Scene scene = scene_of(q_blocks_whole, mesher);
    const std::pair<const char *, const char *> kernels[] = {{by_blocks, nullptr},
                                                             {by_blocks_avx2, "AVX2"}};
    for (const auto &each : kernels) {
        bench::Attempt attempt = bench::timed(
            each.first,
            [mesher, by = each.second] {
                mesher->mesh_quads(by);
                mesher->mesh_models();
            },
            [mesher] { return mesher->info.models == mesher->chunk->models(); });
        if (each.second && trn_mesh_quads_by(each.second, &mesher->input, mesher->scratch.get(),
                                             mesher->quads.data(), nullptr, mesher->quads.size(),
                                             &mesher->info) != TRN_RESULT_OK) {
            attempt.refusal = "this machine cannot run them";
        }
        scene.attempts.push_back(attempt);
    }
    return scene;
}

bench::Scene single_scene(const SharedMesher &mesher)
{
    const auto sorted = [](std::vector<TrnQuad> quads, std::size_t count) {
        quads.resize(count);
        std::sort(quads.begin(), quads.end());
        return quads;
    };
    bench::Scene scene = scene_of(q_blocks_single, mesher);
    scene.baseline = by_blocks_apart;
    const auto mesh = [mesher](bool is_single) {
        mesher->input.without_merging = is_single;
        mesher->mesh_quads(nullptr);
        mesher->input.without_merging = false;
    };
    scene.attempts = {bench::timed(
                          by_blocks_apart,
                          [mesher, mesh] {
                              mesh(false);
                              mesher->take_apart();
                          },
                          [mesher] { return mesher->apart_count > 0; }),
                      bench::timed(
                          by_blocks, [mesh] { mesh(true); }, nullptr)};
    scene.attempts[1].check = bench::made_once([mesher, mesh, sorted] {
        mesh(false);
        mesher->take_apart();
        mesh(true);
        return sorted(mesher->apart, mesher->apart_count) ==
               sorted(mesher->quads, trn_mesh_count(&mesher->info));
    });
    return scene;
}

} // namespace

void add_block_meshes(bench::Bench &bench)
{
    bench.stage([&bench] {
        const auto types = std::make_shared<const BlocksTypes>();
        for (const SharedChunk &chunk :
             {make_village(types), make_field(blocks_torches, types, types->torch),
              make_field(blocks_stairs, types, types->stair)}) {
            const auto mesher = std::make_shared<Mesher>(chunk);
            bench.add(models_scene(mesher));
            bench.add(lit_scene(mesher));
            bench.add(whole_scene(mesher));
        }
        bench.add(single_scene(std::make_shared<Mesher>(make_village(types))));
        bench.add(single_scene(std::make_shared<Mesher>(make_wood(types))));
    });
}
