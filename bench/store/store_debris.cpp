// Debris that flies, bounces and rests on the land: the time of a step of 4,000 bits.

#include <algorithm>
#include <cmath>

#include "debris/debris.h"
#include "store_parts.hpp"

namespace {

const std::uint32_t bit_count = DEBRIS_CAPACITY;
const std::uint32_t spot_bits = 25; ///< bits thrown out of each block
const int flying_steps = 20;        ///< until most bits have hit the ground and none is at rest
const int resting_steps = 110;      ///< until nearly all bits are at rest
const int timed_steps = 20;

struct DebrisPlan {
    const char *world;
    bool is_scattered; ///< true: spread over the view; false: around one place
    bool half_rests;
};

const DebrisPlan plans[] = {
    {"all moving, out of one crater", false, false},
    {"half at rest, out of one crater", false, true},
    {"all moving, out of 160 places", true, false},
};

struct DebrisCase {
    Ground ground;
    DebrisPlan plan;
    std::vector<TrnVoxel> spots; ///< voxels above the land; each throws the bits of a block
};

bool is_air(const StoreGround &ground, TrnVoxel voxel)
{
    return PlainCursor(ground.plain).get(voxel, TRN_BLOCK_STONE) == TRN_BLOCK_AIR;
}

std::shared_ptr<DebrisCase> make_debris_case(const Ground &ground, const DebrisPlan &plan)
{
    const std::int64_t reach = 5;
    std::mt19937 random(store_seed);
    auto one = std::make_shared<DebrisCase>();
    one->ground = ground;
    one->plan = plan;
    TrnVoxel spot = ground->surface(random, 40);
    while (one->spots.size() < bit_count / spot_bits) {
        TrnVoxel at = plan.is_scattered ? ground->surface(random, 40) : spot;
        if (!plan.is_scattered) {
            at.x += static_cast<std::int64_t>(random() % (2 * reach)) - reach;
            at.z += static_cast<std::int64_t>(random() % (2 * reach)) - reach;
        }
        at.y = ground->height(at.x, at.z) + 4; // most bits hit the ground during the timed steps
        if (is_air(*ground, at)) {
            one->spots.push_back(at);
        } else if (!plan.is_scattered) {
            spot = ground->surface(random, 40); // retries if the spot is in water or under a tree
        }
    }
    return one;
}

// ---- in a plain world ---------------------------------------------------------------------------

struct PlainBit {
    double at[3]; ///< middle of the bottom face, in voxels from the origin
    double velocity[3];
    double half;
    bool rests;
};

struct PlainDebris {
    std::shared_ptr<DebrisCase> one;
    std::vector<PlainBit> bits;
};

bool touches_solid(const PlainDebris &debris, PlainCursor &cursor, const PlainBit &bit,
                   double below)
{
    const double low[3] = {bit.at[0] - bit.half, bit.at[1] - below, bit.at[2] - bit.half};
    const double high[3] = {bit.at[0] + bit.half, bit.at[1] + 2 * bit.half, bit.at[2] + bit.half};
    return debris.one->ground->touches_solid(cursor, low, high);
}

/// Moves a bit back to before it entered a solid voxel, and reverses its velocity.
void bounce_plain(PlainBit &bit, int axis, double before)
{
    const double speed = bit.velocity[axis];
    bit.at[axis] = before; // up to a step away from the voxel
    bit.velocity[axis] = std::fabs(speed) < 2.7 ? 0 : -0.375 * speed;
    for (int other = 0; other < 3; other++) {
        bit.velocity[other] *= other == axis ? 1 : axis == 1 ? 0.8125 : 0.9375;
    }
    const double flat = std::fabs(bit.velocity[0]) + std::fabs(bit.velocity[2]);
    bit.rests = axis == 1 && speed < 0 && std::fabs(speed) < 2.7 && flat < 0.02;
}

void step_plain_bit(const PlainDebris &debris, PlainCursor &cursor, PlainBit &bit)
{
    const double seconds = DEBRIS_STEP_SECONDS;
    if (bit.rests && touches_solid(debris, cursor, bit, 0.1)) {
        return;
    }
    bit.rests = false;
    bit.velocity[1] -= 24 * seconds;
    for (const int axis : {1, 0, 2}) {
        const double before = bit.at[axis];
        bit.at[axis] += bit.velocity[axis] * seconds;
        if (touches_solid(debris, cursor, bit, 0)) {
            bounce_plain(bit, axis, before);
        }
    }
}

void step_plain_debris(PlainDebris &debris)
{
    PlainCursor cursor(debris.one->ground->plain);
    for (PlainBit &bit : debris.bits) {
        step_plain_bit(debris, cursor, bit);
    }
}

void throw_plain(PlainDebris &debris, std::size_t first, std::size_t end)
{
    std::mt19937 random(store_seed + static_cast<std::uint32_t>(first));
    std::uniform_real_distribution<double> any(0, 1);
    for (std::size_t i = first * spot_bits; i < end * spot_bits; i++) {
        const TrnVoxel spot = debris.one->spots[i / spot_bits];
        const double low[3] = {static_cast<double>(spot.x), static_cast<double>(spot.y),
                               static_cast<double>(spot.z)};
        PlainBit bit = {};
        bit.half = 0.04 + 0.042 * any(random);
        for (int axis = 0; axis < 3; axis++) {
            const double from = 0.05 + (0.9 - 2 * bit.half) * any(random);
            bit.at[axis] = low[axis] + from + (axis == 1 ? 0 : bit.half);
            bit.velocity[axis] =
                4.7 * (from + bit.half - 0.5) + 2 * any(random) - (axis == 1 ? -1 : 1);
        }
        debris.bits.push_back(bit);
    }
}

// ---- in a store ---------------------------------------------------------------------------------

struct StoreDebris {
    std::shared_ptr<DebrisCase> one;
    Owned<Debris, debris_destroy> debris;
};

void step_store_debris(Debris *debris)
{
    debris_step(debris, DEBRIS_STEP_SECONDS * 1.0000001); // enough for exactly one step
}

void throw_store(const StoreDebris &stored, std::size_t first, std::size_t end)
{
    for (std::size_t i = first; i < end; i++) {
        debris_throw(stored.debris.get(), stored.one->spots[i], TRN_BLOCK_DIRT, TRN_FACE_COUNT,
                     spot_bits);
    }
}

// ---- scenes -------------------------------------------------------------------------------------

/// Throws all bits; or throws a half, waits until it rests, and throws the other half. Then times
/// steps.
template <class Throw, class Step> double time_steps(const DebrisCase &one, Throw throws, Step step)
{
    const std::size_t half = one.plan.half_rests ? one.spots.size() / 2 : 0;
    throws(0, half);
    for (int i = 0; i < (half ? resting_steps : 0); i++) {
        step();
    }
    throws(half, one.spots.size());
    for (int i = 0; i < flying_steps; i++) {
        step();
    }
    const auto steps = [&step] {
        for (int i = 0; i < timed_steps; i++) {
            step();
        }
    };
    return ns_of(steps, CLOCK_THREAD_CPUTIME_ID) / timed_steps;
}

/// Checks invariants of any motion: no bit is lost or in the ground, and as many rest as planned.
class DebrisCheck {
  public:
    explicit DebrisCheck(const DebrisCase &of) : one(of)
    {
    }
    void take(double x, double y, double z)
    {
        const TrnVoxel voxel = {static_cast<std::int64_t>(std::floor(x)),
                                static_cast<std::int64_t>(std::floor(y)),
                                static_cast<std::int64_t>(std::floor(z))};
        const TrnBlock block = PlainCursor(one.ground->plain).get(voxel, TRN_BLOCK_STONE);
        count++;
        is_right = is_right && !one.ground->solid[block];
    }
    bool holds(std::size_t resting) const
    {
        const std::size_t least = one.plan.half_rests ? bit_count * 4 / 10 : 0;
        const std::size_t most = one.plan.half_rests ? bit_count * 6 / 10 : bit_count / 10;
        return is_right && count == bit_count && resting >= least && resting <= most;
    }

  private:
    const DebrisCase &one;
    std::size_t count = 0;
    bool is_right = true;
};

/// The baseline. It ignores liquids, and maintains no order by age, no lists by chunk and no
/// statistics.
bench::Attempt plain_debris_attempt(const std::shared_ptr<DebrisCase> &one)
{
    const auto plain = std::make_shared<PlainDebris>();
    plain->one = one;
    return bench::measured(
        by_map_debris,
        [plain] {
            plain->bits.clear();
            return time_steps(
                *plain->one,
                [&plain](std::size_t first, std::size_t end) { throw_plain(*plain, first, end); },
                [&plain] { step_plain_debris(*plain); });
        },
        [plain] {
            DebrisCheck check(*plain->one);
            std::size_t resting = 0;
            for (const PlainBit &bit : plain->bits) {
                check.take(bit.at[0], bit.at[1] + bit.half, bit.at[2]);
                resting += bit.rests ? 1 : 0;
            }
            return check.holds(resting);
        });
}

bool is_debris_right(const StoreDebris &stored)
{
    std::vector<DebrisInstance> list(bit_count); // relative to the origin, since no eye is set
    list.resize(debris_list(stored.debris.get(), list.data(), bit_count));
    DebrisCheck check(*stored.one);
    for (const DebrisInstance &bit : list) {
        const double half = (bit.shape & 0xffff) / 65536.0;
        check.take(static_cast<double>(bit.at[0]), static_cast<double>(bit.at[1]) + half,
                   static_cast<double>(bit.at[2]));
    }
    return check.holds(debris_stats(stored.debris.get()).resting);
}

bench::Attempt store_debris_attempt(const std::shared_ptr<DebrisCase> &one)
{
    const auto stored = std::make_shared<StoreDebris>();
    const DebrisDef def = debris_def(one->ground->store());
    stored->one = one;
    create_owned(stored->debris, debris_create, &def);
    Debris *const debris = stored->debris.get();
    return bench::measured(
        by_store,
        [stored, debris] {
            debris_clear(debris);
            return time_steps(
                *stored->one,
                [&stored](std::size_t first, std::size_t end) { throw_store(*stored, first, end); },
                [debris] { step_store_debris(debris); });
        },
        [stored] { return is_debris_right(*stored); });
}

} // namespace

std::vector<bench::Scene> make_debris_scenes(const Ground &ground)
{
    std::vector<bench::Scene> scenes;
    for (const DebrisPlan &plan : plans) {
        const auto one = make_debris_case(ground, plan);
        bench::Scene scene = {store_debris, plan.world, "us"};
        scene.attempts = {plain_debris_attempt(one), store_debris_attempt(one)};
        scenes.push_back(std::move(scene));
    }
    return scenes;
}
