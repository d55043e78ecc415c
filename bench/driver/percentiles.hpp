/// Percentiles of samples: medians, p99s and spreads.
#pragma once

#include <vector>

struct Spread {
    double min, median, max;
    double relative =
        0; ///< half the distance from the 10th to the 90th percentile, divided by the median
};

/// @param values at least one
Spread spread_of(std::vector<double> values);

/// A row whose samples spread by more than this part of the median is noisy.
constexpr double noisy_spread = 0.15;

/// Whether samples are noisy. One sample has no spread.
bool is_noisy(const std::vector<double> &samples);

/// The percentile by nearest rank: 0.5 for the median, 0.99 for p99, 1 for the maximum. NaN without
/// values.
double percentile(std::vector<double> values, double part);

/// A measured number and the spread of its samples.
struct Figure {
    Figure() = default;
    Figure(double measured, double scatter = 0) : value(measured), spread(scatter)
    {
    }
    double value = 0;  ///< not finite: not measured
    double spread = 0; ///< relative, as Spread::relative; 0: unknown
};
Figure operator/(Figure a, Figure b);
Figure operator*(Figure a, double factor);
Figure operator+(Figure a, Figure b);
