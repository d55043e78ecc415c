#include "driver/percentiles.hpp"

#include <algorithm>
#include <cmath>

namespace {

/// The quantile `part` (0 to 1) of sorted values, linearly interpolated.
double value_at(const std::vector<double> &sorted, double part)
{
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

} // namespace

Spread spread_of(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const double median = value_at(values, 0.5);
    const double between = value_at(values, 0.9) - value_at(values, 0.1);
    return {values.front(), median, values.back(),
            median != 0 ? between / 2 / std::fabs(median) : 0};
}

bool is_noisy(const std::vector<double> &samples)
{
    return samples.size() > 1 && spread_of(samples).relative > noisy_spread;
}

double percentile(std::vector<double> values, double part)
{
    if (values.empty()) {
        return std::nan("");
    }
    std::sort(values.begin(), values.end());
    const double place = std::ceil(part * static_cast<double>(values.size())) - 1;
    return values[static_cast<std::size_t>(std::max(place, 0.0))];
}

Figure operator/(Figure a, Figure b)
{
    return {a.value / b.value, a.spread + b.spread};
}

Figure operator*(Figure a, double factor)
{
    return {a.value * factor, a.spread};
}

Figure operator+(Figure a, Figure b)
{
    const double sum = a.value + b.value;
    return {sum, (a.spread * std::fabs(a.value) + b.spread * std::fabs(b.value)) / std::fabs(sum)};
}
