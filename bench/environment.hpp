/// Where figures come from: what a reader must know before comparing them with others.
#pragma once

#include <string>
#include <utility>
#include <vector>

/// Pairs of a name and a text: version, commit, compiler, flags, system, processor, steadiness.
std::vector<std::pair<std::string, std::string>> environment();

/// Watches how steady the machine is, by a loop that always takes the same number of instructions
/// and no memory. One for the whole run.
class Steadiness {
  public:
    static Steadiness &instance();

    /// Runs the loop, some 200 microseconds. To be called between measurements, all over the run.
    void probe();
    /// The slow tenth of the probes, by the fastest: 1 on a machine that does nothing else. NaN
    /// before ten probes.
    double ratio() const;
    /// Says on standard error when figures of this run are to be taken with care.
    void warn() const;

  private:
    std::vector<double> times;
};
