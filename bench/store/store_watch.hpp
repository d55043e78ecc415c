/// What comes on top of a change: somebody who listens, and undo.
#pragma once

#include "store_scenes.hpp"

/// Counts what it is told.
struct StoreEar {
    std::uint64_t events = 0, chunks = 0;

    /// Hears of all that happens, until leave().
    void listen(TrnStore *store);
    void leave(TrnStore *store);
};

/// Undo for a store, for as long as this.
class BenchHistory {
  public:
    explicit BenchHistory(const Ground &of);
    ~BenchHistory();
    BenchHistory(const BenchHistory &) = delete;
    BenchHistory &operator=(const BenchHistory &) = delete;

    TrnHistory *get() const;

  private:
    Ground ground; ///< outlives the history
    TrnHistory *history = nullptr;
};
