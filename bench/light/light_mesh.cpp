#include "light/light_mesh.hpp"

#include <utility>
#include <vector>

#include <terrane/light.h>
#include <terrane/mesher.h>

#include "driver/clock.hpp"
#include "mesher_internal.h"

namespace {

/// The result of meshing all surface chunks.
struct Meshed {
    double ns = 0;                            ///< of meshing alone
    std::size_t quads = 0, faces = 0;         ///< of all chunks
    std::size_t varied_quads = 0, varied = 0; ///< quads and number of the chunks with varying light
    std::uint64_t hash = 0;                   ///< of quads and their light
};

/// A region, and memory to light and mesh its chunks one by one.
class LitMesher {
  public:
    explicit LitMesher(std::shared_ptr<const LightRegion> meshed)
        : region(std::move(meshed)), scratch(make_scratch(TRN_MESH_SCRATCH_BYTES)),
          quads(TRN_MESH_QUADS_MAX), words(TRN_MESH_QUADS_MAX)
    {
        create_owned(solver, trn_light_solver_create, nullptr);
    }

    Meshed mesh_all(const char *kernels, bool is_lit)
    {
        Meshed all;
        for (const TrnCoord &coord : region->surface) {
            mesh(coord, kernels, is_lit, all);
        }
        return all;
    }

  private:
    void mesh(TrnCoord coord, const char *kernels, bool is_lit, Meshed &all);

    std::shared_ptr<const LightRegion> region;
    Owned<TrnLightSolver, trn_light_solver_destroy> solver;
    Scratch scratch;
    std::vector<TrnQuad> quads;
    std::vector<std::uint32_t> words;
    TrnLight sky = {}, blocks = {};
};

/// Solves the light even if the mesh does not use it, so that the caches have the same content.
void LitMesher::mesh(TrnCoord coord, const char *kernels, bool is_lit, Meshed &all)
{
    TrnMeshInput input = {};
    TrnMeshInfo info = {};
    const std::uint32_t *open[9];
    region->around(coord, input.around);
    region->open_above(coord, open);
    trn_light_read(solver.get(), input.around, region->types.get());
    trn_light_sky(solver.get(), open, &sky);
    trn_light_blocks(solver.get(), nullptr, &blocks);
    input.present = (1U << TRN_AROUND_COUNT) - 1;
    input.types = trn_block_types_all(region->types.get(), &input.type_count);
    input.sky = is_lit ? &sky : nullptr;
    input.blocks = is_lit ? &blocks : nullptr;
    TrnResult result = TRN_RESULT_OK;
    all.ns += ns_of([&] {
        result = trn_mesh_quads_by(kernels, &input, scratch.get(), quads.data(), words.data(),
                                   quads.size(), &info);
    });
    if (result != TRN_RESULT_OK) {
        throw bench::Wrong{trn_result_text(result)};
    }
    const std::size_t count = trn_mesh_count(&info);
    const bool varies = info.light == TRN_MESH_LIGHT_VARIES;
    all.quads += count;
    all.varied_quads += varies ? count : 0;
    all.varied += varies ? 1 : 0;
    for (std::size_t i = 0; i < count; i++) {
        const std::uint64_t word = varies ? words[i] : info.light;
        all.faces += std::size_t{trn_quad_width(quads[i])} * trn_quad_height(quads[i]);
        all.hash = (all.hash ^ quads[i] ^ word << 20) * UINT64_C(0x9E3779B97F4A7C15);
    }
}

using SharedMesher = std::shared_ptr<LitMesher>;

/// Whether kernels give the same result as the scalar ones, and the same faces as without light.
bool is_right(LitMesher &mesher, const char *kernels, bool is_lit)
{
    const Meshed made = mesher.mesh_all(kernels, is_lit);
    return made.hash == mesher.mesh_all("scalar", is_lit).hash &&
           made.faces == mesher.mesh_all(nullptr, false).faces;
}

bench::Attempt attempt_of(const SharedMesher &mesher, const std::string &name, const char *kernels,
                          bool is_lit)
{
    bench::Attempt attempt = bench::measured(
        name, [mesher, kernels, is_lit] { return mesher->mesh_all(kernels, is_lit).ns; }, nullptr);
    attempt.check =
        bench::made_once([mesher, kernels, is_lit] { return is_right(*mesher, kernels, is_lit); });
    for (unsigned i = 0; kernels && kernels != std::string(trn_kernels_name(&trn_mesh_kernels, i));
         i++) {
        if (!trn_kernels_name(&trn_mesh_kernels, i + 1)) {
            attempt.refusal = "this machine cannot run them";
            break;
        }
    }
    return attempt;
}

bench::Scene scene_of(const char *question, const std::string &world, const char *unit,
                      std::size_t count)
{
    return {question, world, unit, count, 0, by_unlit};
}

/// A scene that counts quads per chunk, without and with light.
bench::Scene count_scene(const char *question, const std::string &world, const char *by_terrane,
                         std::size_t chunks, std::size_t unlit, std::size_t lit)
{
    bench::Scene scene = scene_of(question, world, "quads", chunks);
    const auto of_chunk = [chunks](std::size_t quads) {
        return static_cast<double>(quads) / static_cast<double>(chunks);
    };
    scene.attempts = {bench::known(by_unlit, of_chunk(unlit)),
                      bench::known(by_terrane, of_chunk(lit))};
    return scene;
}

} // namespace

void add_light_meshes(bench::Bench &bench, const std::string &world,
                      const std::shared_ptr<const LightRegion> &region, const char *by_terrane)
{
    const auto mesher = std::make_shared<LitMesher>(region);
    const std::string terrane = by_terrane;
    bench.add(bench::scene_with(scene_of(q_mesh, world, "us", region->surface.size()),
                                {attempt_of(mesher, by_unlit, nullptr, false),
                                 attempt_of(mesher, terrane, nullptr, true),
                                 attempt_of(mesher, terrane + ", AVX2 kernels", "AVX2", true),
                                 attempt_of(mesher, terrane + ", plain kernels", "scalar", true)}));
    // Chunks with even light have the same quads as without light; the tests check this.
    const Meshed unlit = mesher->mesh_all(nullptr, false), lit = mesher->mesh_all(nullptr, true);
    bench.add(
        count_scene(q_quads, world, by_terrane, region->surface.size(), unlit.quads, lit.quads));
    if (lit.varied > 0) {
        const std::size_t even = lit.quads - lit.varied_quads;
        bench.add(count_scene(q_varied, world, by_terrane, lit.varied, unlit.quads - even,
                              lit.varied_quads));
    }
}
