// The contenders, and their memory for meshing.

#include "mesh_workspace.hpp"

#include <algorithm>
#include <fstream>

#include "mesher_internal.h"
#include "voxels/voxel_fixture.hpp"

namespace {

/// The kernels of this machine, the fastest first. A quick run leaves out those without a target.
std::vector<std::string> compared_kernels(const BenchOptions &options)
{
    std::vector<std::string> names;
    for (unsigned i = 0; trn_kernels_name(&trn_mesh_kernels, i); i++) {
        const std::string name = trn_kernels_name(&trn_mesh_kernels, i);
        const bool has_target =
            i == 0 || name == "AVX2" || !trn_kernels_name(&trn_mesh_kernels, i + 1);
        if (has_target || options.check || !options.quick) {
            names.push_back(name);
        }
    }
    return names;
}

/// How many bytes to touch to evict the caches. sysconf() adds up the caches of all processors, but
/// a core can fill only those that it uses.
std::size_t caches_bytes()
{
    std::size_t kib = 0;
    std::ifstream("/sys/devices/system/cpu/cpu0/cache/index3/size") >> kib; // "32768K"
    const std::size_t least = 32768, most = 262144;
    const std::size_t twice = 2048;
    return twice * std::min(std::max(kib, least), most);
}

} // namespace

MeshWorkspace::MeshWorkspace(const BenchOptions &options)
    : is_quick(options.quick), is_check(options.check),
      scratch(make_scratch(TRN_MESH_SCRATCH_BYTES)),
      room(std::make_unique<TrnQuad[]>(TRN_MESH_QUADS_MAX)), names(compared_kernels(options)),
      filler(options.check ? 1 : caches_bytes() / sizeof(std::uint64_t))
{
}

TrnQuad *MeshWorkspace::quads() const
{
    return room.get();
}

std::size_t MeshWorkspace::mesh(const TrnMeshInput &input, const std::string &kernels) const
{
    TrnMeshInfo info;
    const TrnResult result =
        kernels == names.front()
            ? trn_mesh_quads(&input, scratch.get(), room.get(), nullptr, TRN_MESH_QUADS_MAX, &info)
            : trn_mesh_quads_by(kernels.c_str(), &input, scratch.get(), room.get(), nullptr,
                                TRN_MESH_QUADS_MAX, &info);
    require(result);
    return trn_mesh_count(&info);
}

const std::vector<std::string> &MeshWorkspace::kernel_names() const
{
    return names;
}

void MeshWorkspace::evict()
{
    for (std::size_t i = 0; i < filler.size(); i += 8) {
        keep(filler[i]++);
    }
}

// ---- contenders --------------------------------------------------------------------------------

std::string by_mesh_kernels(const MeshWorkspace &workspace, const std::string &kernels)
{
    return kernels == workspace.kernel_names().front()
               ? by_mesher
               : std::string(by_mesher) + ", " + kernels + " kernels";
}

namespace {

MeshContender peer(const SharedWorkspace &workspace, const char *name, MeshPeer *mesh, bool has_ao)
{
    return {name, has_ao, true, [workspace, mesh](const MeshChunk &chunk) {
                return mesh(chunk.padded.data(), workspace->quads());
            }};
}

} // namespace

std::vector<MeshContender> mesh_contenders(const SharedWorkspace &workspace, bool has_ao)
{
    std::vector<MeshContender> all = {
        peer(workspace, by_greedy, has_ao ? mesh_by_greedy_with_ao : mesh_by_greedy, has_ao),
        peer(workspace, by_binary, has_ao ? mesh_by_binary_greedy_with_ao : mesh_by_binary_greedy,
             has_ao),
        peer(workspace, by_culling, has_ao ? mesh_by_culling_with_ao : mesh_by_culling, has_ao),
    };
    for (const std::string &kernels : workspace->kernel_names()) {
        all.push_back({by_mesh_kernels(*workspace, kernels), has_ao, false,
                       [workspace, has_ao, kernels](const MeshChunk &chunk) {
                           return workspace->mesh(has_ao ? chunk.lit : chunk.unlit, kernels);
                       }});
    }
    return all;
}

bool mesh_is_right(const MeshWorkspace &workspace, const MeshLand &land, TrnCoord coord,
                   const MeshContender &contender, std::size_t count)
{
    const auto shown = std::make_unique<MeshFaces>(), expected = std::make_unique<MeshFaces>();
    land.expect(*expected, coord, contender.has_ao, contender.is_peer);
    return mesh_faces_of_quads(shown.get(), workspace.quads(), count) &&
           mesh_faces_equal(shown.get(), expected.get()) &&
           land.light_is_exact(workspace.quads(), count);
}

// ---- scenes ------------------------------------------------------------------------------------

bench::Scene mesh_scene(const char *question, const MeshLand &land, std::size_t count)
{
    return {question, land.name(), "us", count};
}

bool mesh_wants(const bench::Bench &bench, const SharedWorkspace &workspace,
                const std::string &world, std::initializer_list<const char *> questions)
{
    std::vector<std::string> names = {by_flood, by_unlit};
    for (const MeshContender &contender : mesh_contenders(workspace, true)) {
        names.push_back(contender.name);
    }
    return std::any_of(questions.begin(), questions.end(),
                       [&](const char *question) { return bench.wants(question, world, names); });
}
