/// Topic `pools`, second part: a cloud of debris, frame by frame.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pool_case.hpp"
#include "report.hpp"

extern const char *const debris_question_frame, *const debris_question_spawn;
extern const char *const debris_scan_name, *const debris_swap_name;

/// "one pool of 4,000, 50 % full, 5 % churn"
std::string debris_world(unsigned full_percent, unsigned churn_percent);

class DebrisScenes {
  public:
    /// Builds what the filter lets pass. No memory throws std::bad_alloc.
    explicit DebrisScenes(const BenchOptions &options);
    ~DebrisScenes();

    /// Adds the frames, which are to be timed like anything else.
    void add_cases(std::vector<PoolCase> &cases) const;
    /// Checks the clouds whose frames are not timed, but whose spawning is. Says on standard error
    /// which is wrong.
    bool answers_right() const;
    /// Times the spawning apart, by a clock around that part of each frame: so many rounds over all
    /// clouds, the clock's own time taken off.
    void measure_spawns(bool is_quick, Report &report);

  private:
    struct Cloud;
    std::vector<std::unique_ptr<Cloud>> clouds;
};
