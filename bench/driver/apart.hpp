/// Figures computed in a child process: what the work throws there is thrown here.
#pragma once

#include <functional>
#include <vector>

#include "driver/child.hpp"

namespace bench {

using Figures = std::vector<double>;

/// In the child: a reply with the figures that `work` returns, or with the Refused or Wrong that it
/// throws.
Reply reply_with(const std::function<Figures()> &work);

/// In the parent: the figures of a reply. @throws Refused or Wrong as the child's work did; Wrong
/// if the child was lost
Figures figures_in(Reply reply);

} // namespace bench
