#include "pool_parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "debris_victims.hpp"

namespace {

const std::uint32_t capacity_full = 4000;
const std::uint32_t model_frames = 300; ///< frames that are checked; more than any piece lives

/// A scene in which more pieces are born than die of age, so that some must be replaced early.
struct FullScene {
    const char *world;
    std::uint32_t born_per_frame;
    DebrisRules rules;
    bool is_quick;
};

const FullScene full_scenes[] = {
    {"4,000 live, 40 born a frame, many off screen", 40, {11, 150}, false},
    {"4,000 live, 400 born a frame, few off screen", 400, {12, 15}, true},
};

/// Pieces in an array, the live ones first. @tparam Victim  a policy of debris_victims.hpp
template <class Victim> class FullSwapAndPop {
  public:
    explicit FullSwapAndPop(std::uint32_t capacity) : pieces(capacity), victims(capacity)
    {
    }
    template <class Done> void sweep(Done done)
    {
        for (std::uint32_t i = live; i-- > 0;) {
            if (!done(pieces[i])) {
                continue;
            }
            victims.died(i);
            if (i != --live) {
                pieces[i] = pieces[live];
                victims.moved(live, i);
            }
        }
        victims.begin_frame();
    }
    bool is_full() const
    {
        return live == pieces.size();
    }
    /// Returns a free slot. The pool must not be full.
    std::uint32_t take()
    {
        return live++;
    }

    std::vector<Debris> pieces;
    Victim victims;

  private:
    std::uint32_t live = 0;
};

/// Pieces in an array with holes; free pieces are linked.
template <class Victim> class FullFreeList {
  public:
    explicit FullFreeList(std::uint32_t capacity) : pieces(capacity), victims(capacity)
    {
        for (std::uint32_t i = capacity; i-- > 0;) {
            pieces[i].number = head;
            head = i;
        }
    }
    template <class Done> void sweep(Done done)
    {
        for (std::uint32_t i = 0; i < pieces.size(); i++) {
            if (pieces[i].life != 0 && done(pieces[i])) {
                victims.died(i);
                pieces[i].life = 0;
                pieces[i].number = head;
                head = i;
            }
        }
        victims.begin_frame();
    }
    bool is_full() const
    {
        return head == no_piece;
    }
    std::uint32_t take()
    {
        const std::uint32_t index = head;
        head = pieces[index].number;
        return index;
    }

    std::vector<Debris> pieces;
    Victim victims;

  private:
    static constexpr std::uint32_t no_piece = UINT32_MAX;
    std::uint32_t head = no_piece;
};

/// The numbers of the pieces that a policy replaced, in order, for the model to check.
using Sacrifices = std::vector<std::uint32_t>;

class FullPool {
  public:
    virtual ~FullPool() = default;
    /// @param sacrifices  receives the replaced pieces; NULL while timed
    virtual void frame(Sacrifices *sacrifices) = 0;
    virtual std::uint64_t digest() = 0;
};

template <class Keeping> class FullPoolOf final : public FullPool {
  public:
    explicit FullPoolOf(const FullScene &kept) : keeping(capacity_full), scene(kept)
    {
    }
    void frame(Sacrifices *sacrifices) override
    {
        keeping.sweep(advance);
        for (std::uint32_t i = 0; i < scene.born_per_frame; i++) {
            const std::uint32_t index = keeping.is_full() ? sacrifice(sacrifices) : keeping.take();
            make_born(keeping.pieces[index], born_before++, scene.rules);
            keeping.victims.born(index);
        }
    }
    std::uint64_t digest() override
    {
        std::uint64_t sum = 0;
        keeping.sweep([&sum](const Debris &piece) {
            sum += digest_of(piece);
            return false;
        });
        return sum;
    }

  private:
    std::uint32_t sacrifice(Sacrifices *sacrifices)
    {
        const std::uint32_t index = keeping.victims.pick(keeping.pieces);
        keeping.victims.died(index);
        if (sacrifices) {
            sacrifices->push_back(keeping.pieces[index].number);
        }
        return index;
    }
    Keeping keeping;
    const FullScene &scene;
    std::uint32_t born_before = 0;
};

enum class Policy { off_screen, oldest, random };

/// A model with all pieces by number. It checks each replaced piece against the policy.
class FullModel {
  public:
    FullModel(const FullScene &kept, Policy judged_by) : scene(kept), policy(judged_by)
    {
    }
    /// @return whether the policy allows all replacements
    bool frame(const Sacrifices &sacrifices)
    {
        age_all();
        auto victim = sacrifices.begin();
        for (std::uint32_t i = 0; i < scene.born_per_frame; i++) {
            if (pieces.size() == capacity_full) {
                if (victim == sacrifices.end() || !bury(*victim++)) {
                    return false;
                }
            }
            make_born(pieces[born_before], born_before, scene.rules);
            born_before++;
        }
        return victim == sacrifices.end();
    }
    std::uint64_t digest() const
    {
        std::uint64_t sum = 0;
        for (const auto &[number, piece] : pieces) {
            sum += digest_of(piece);
        }
        return sum;
    }
    /// Whether random victims had the average age of all pieces.
    bool is_choice_even() const
    {
        return std::fabs(age_of_chosen - mean_age) <= 0.05 * mean_age;
    }
    bool has_buried() const
    {
        return buried > 0;
    }

  private:
    void age_all()
    {
        off_screen = 0;
        ages = 0;
        for (auto at = pieces.begin(); at != pieces.end();) {
            if (advance(at->second)) {
                at = pieces.erase(at);
                continue;
            }
            off_screen += is_off_screen(at->second);
            ages += at->second.age;
            ++at;
        }
    }
    bool bury(std::uint32_t number)
    {
        const auto found = pieces.find(number);
        if (found == pieces.end()) {
            return false;
        }
        const bool is_off = is_off_screen(found->second);
        if ((policy == Policy::oldest && found != pieces.begin()) ||
            (policy == Policy::off_screen && !is_off && off_screen > 0)) {
            return false;
        }
        if (policy == Policy::random || (policy == Policy::off_screen && !is_off)) {
            age_of_chosen += found->second.age;
            mean_age += static_cast<double>(ages) / capacity_full;
        }
        off_screen -= is_off;
        ages -= found->second.age;
        pieces.erase(found);
        buried++;
        return true;
    }

    const FullScene &scene;
    Policy policy;
    std::map<std::uint32_t, Debris> pieces; ///< the oldest first
    std::uint32_t born_before = 0, off_screen = 0;
    std::uint64_t ages = 0, buried = 0;
    double age_of_chosen = 0, mean_age = 0;
};

bool follows_policy(FullPool &pool, const FullScene &scene, Policy policy)
{
    FullModel model(scene, policy);
    Sacrifices sacrifices;
    for (std::uint32_t i = 0; i < model_frames; i++) {
        sacrifices.clear();
        pool.frame(&sacrifices);
        if (!model.frame(sacrifices) || pool.digest() != model.digest()) {
            return false;
        }
    }
    return model.has_buried() && model.is_choice_even();
}

struct FullKind {
    const char *name;
    Policy policy;
    std::unique_ptr<FullPool> (*make)(const FullScene &scene);
};

template <class Keeping> std::unique_ptr<FullPool> make_full_pool(const FullScene &scene)
{
    return std::make_unique<FullPoolOf<Keeping>>(scene);
}

/// All contenders, the baseline first: the article's policy and array.
const FullKind full_kinds[] = {
    {"off-screen first, free list", Policy::off_screen,
     make_full_pool<FullFreeList<VictimOffScreen>>},
    {"off-screen first, swap-and-pop", Policy::off_screen,
     make_full_pool<FullSwapAndPop<VictimOffScreen>>},
    {"oldest, free list", Policy::oldest, make_full_pool<FullFreeList<VictimOldest>>},
    {"oldest, swap-and-pop", Policy::oldest, make_full_pool<FullSwapAndPop<VictimOldest>>},
    {"random, free list", Policy::random, make_full_pool<FullFreeList<VictimRandom>>},
    {"random, swap-and-pop", Policy::random, make_full_pool<FullSwapAndPop<VictimRandom>>},
};

void add_scene(bench::Bench &bench, const FullScene &scene)
{
    bench::Scene made = {debris_question_full, scene.world, "us", capacity_full, 1};
    for (const FullKind &kind : full_kinds) {
        std::shared_ptr<FullPool> pool = kind.make(scene);
        bench::Attempt attempt = {kind.name};
        attempt.work = [pool] { pool->frame(nullptr); };
        attempt.check = [pool, &scene, &kind] { return follows_policy(*pool, scene, kind.policy); };
        made.attempts.push_back(attempt);
    }
    bench.add(made);
}

} // namespace

void add_full_debris_scenes(bench::Bench &bench)
{
    for (const FullScene &scene : full_scenes) {
        if (scene.is_quick || !bench.options.quick) {
            bench.stage([&bench, &scene] { add_scene(bench, scene); });
        }
    }
}
