/// Plots: each is written as DIR/<file>.csv, and drawn by gnuplot as DIR/<file>.svg and .png.
#pragma once

#include <string>
#include <utility>
#include <vector>

/// One line of points, or the bars of one colour.
struct Series {
    std::string name;
    /// x and y. For bars, x is an index of Plot::groups. If y is not finite, the plot has a gap.
    std::vector<std::pair<double, double>> points;
    bool is_bold = false; ///< drawn with a thick line
};

struct Plot {
    std::string file; ///< without folder and extension: "gather"
    std::string title, x_label, y_label;
    bool is_log_x = false, is_log_y = true;
    std::vector<std::string> groups; ///< labels of the groups of bars; empty: lines
    std::vector<Series> series;
};

/// Creates the folder if it does not exist, but not its parents, and checks that it is writable.
/// Called before anything is timed. On failure, prints the reason to standard error.
bool make_plot_folder(const std::string &folder);

/// Writes all plots into a folder that make_plot_folder accepted. If gnuplot is missing, writes the
/// CSV files only.
/// @return whether everything was written; if not, prints to standard error what to do
bool write_plots(const std::vector<Plot> &plots, const std::string &folder);

/// Draws all plots as SVG, by gnuplot, in a folder of temporary files that it removes.
/// @param drawings  receives a text for each plot that has points
/// @return false if gnuplot is missing or fails
bool draw_plots(const std::vector<Plot> &plots, std::vector<std::string> &drawings);
