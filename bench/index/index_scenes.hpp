/// What topic `index` times: scenes, each a question put to several contenders on one world.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/report.hpp"
#include "driver/timing.hpp"
#include "index_peer.hpp"
#include "index_under_test.hpp"
#include "worlds.hpp"

// The questions of the scenes, and who takes part.
inline const char *const scene_gather = "gather the box";
inline const char *const scene_all = "walk over everything";
inline const char *const scene_hit = "find, random order";
inline const char *const scene_six = "six neighbours of each";
inline const char *const scene_ready = "ready (all six neighbours there)";
inline const char *const scene_churn = "moving world, per change";
inline const char *const scene_scattered = "gather around one anchor";

inline const char *const by_index = "index";
inline const char *const by_avx2 = "index, AVX2 kernels";
inline const char *const by_scalar = "index, plain kernels";
inline const char *const by_pointers = "index, pointers from one range";
inline const char *const by_table = "index, pointers by block table";
inline const char *const by_visible = "index, only visible chunks";
inline const char *const by_bulk = "index, all at once";
inline const char *const by_sections = "index, inside read sections";
inline const char *const by_copy = "memcpy of the values";
inline const char *const by_pointer_copy = "memcpy of the pointers";
inline const char *const by_many = "index with 1,000 anchors";
inline const char *const by_one = "index with that anchor alone";

/// One contender's way of answering.
struct Attempt {
    std::string contender;
    std::function<void()> work;            ///< timed; leaves things as it found them
    std::function<std::uint64_t()> answer; ///< of the work just done
    std::uint64_t expected;
    bool is_floor = false;
    /// Set where not all of the work counts: does it once, and returns the nanoseconds of what
    /// counts.
    std::function<double()> measure = nullptr;
    std::vector<double> times = {}; ///< what was measured so
};

struct Scene {
    std::string question;     ///< "gather the box"
    std::string world;        ///< "ball R=16"
    std::size_t count = 0;    ///< what a call's time is divided by
    std::size_t baseline = 0; ///< which of the attempts
    std::vector<Attempt> attempts;
};

/// One world in every container, and the headers of its chunks, which peers answer with.
class IndexArena {
  public:
    explicit IndexArena(World filled);
    ~IndexArena();
    IndexArena(const IndexArena &) = delete;
    IndexArena &operator=(const IndexArena &) = delete;

    /// The scenes of this world. They refer to the arena.
    std::vector<Scene> make_scenes();
    const World &world() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts;
};

/// A thousand small balls, each loaded by an anchor of its own, far apart: does the index find one
/// among them as fast as alone?
class AnchorArena {
  public:
    AnchorArena();
    Scene make_scene();
    static std::uint32_t seed();

  private:
    IndexUnderTest one, many;
    TrnBox box;
};

/// Works every attempt once. @return whether all answers are right; says on standard error which is
/// not
bool answers_right(const std::vector<Scene> &scenes);

/// Leaves out what the options do not want; of each scene the baseline stays, as long as anything
/// does.
void filter_scenes(std::vector<Scene> &scenes, const BenchOptions &options);

/// Measures the attempts that do it themselves, in turn, as often and as long as Timing does the
/// others.
void measure_apart(std::vector<Scene> &scenes, bool is_quick);

/// @return whether there is anything to time: not where all is measured apart
bool add_to_timing(Timing &timing, const std::vector<Scene> &scenes);
void add_to_report(Report &report, const std::vector<Scene> &scenes, const Timing &timing);
