#include "topics.hpp"

#include "growth_parts.hpp"

namespace {

double edge_of(const std::string &world)
{
    return number_after(world, "n = ");
}

void conclude(Report &report)
{
    Plot cost;
    cost.file = "growth_cost";
    cost.title = "One growth of n^3 cells to twice as many";
    cost.x_label = "n, cells per edge";
    cost.y_label = "microseconds";
    cost.is_log_x = true;
    add_lines(cost, report, growth_question_one_axis, edge_of, ", one axis");
    add_lines(cost, report, growth_question_all_axes, edge_of, ", all axes");
    report.plots = {cost};
}

void make(bench::Bench &bench)
{
    add_growth_policies(bench);
    add_growth_sentinels(bench);
    add_growth_costs(bench);
    bench.conclude(conclude);
}

} // namespace

const bench::Topic growth_topic = {
    "growth",
    "arrays that grow: by doubling or less, with a sentinel or a flag",
    "Growth: by how much should an array of chunks grow, how should a cell represent that it is "
    "empty, and what does one growth cost?",
    "the entry marked in each block",
    "the unit of each question",
    "chunks",
    2,
    "build a world | ball R=16 | TrnSpatialArray, doubling",
    make,
};
