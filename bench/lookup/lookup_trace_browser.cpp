#include "lookup_trace.hpp"

void add_trace(bench::Bench &, const std::vector<const Contender *> &)
{
    throw bench::Refused{"a browser replays no traces; terrane-bench does."};
}
