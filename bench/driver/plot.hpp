/// Pictures of figures: each plot becomes DIR/<file>.csv, and by gnuplot DIR/<file>.svg and
/// DIR/<file>.png.
#pragma once

#include <string>
#include <utility>
#include <vector>

/// One line of points, or the bars of one colour.
struct Series {
    std::string name;
    /// x and y. Of bars, x is the place in Plot::groups; a y that is not finite leaves a gap.
    std::vector<std::pair<double, double>> points;
    bool is_bold = false; ///< what the picture is about
};

struct Plot {
    std::string file; ///< without folder and ending: "gather"
    std::string title, x_label, y_label;
    bool is_log_x = false, is_log_y = true;
    std::vector<std::string> groups; ///< of bars, what stands below each group; empty: lines
    std::vector<Series> series;
};

/// Makes the folder unless it is there; its parents must be. To be called before anything is timed.
/// Says on standard error why it cannot, or why nothing could be written there.
bool make_plot_folder(const std::string &folder);

/// Writes all plots into a folder that make_plot_folder has let pass. Without gnuplot the CSV files
/// are written all the same.
/// @return whether everything was written; says on standard error what was not, and the way out
bool write_plots(const std::vector<Plot> &plots, const std::string &folder);
