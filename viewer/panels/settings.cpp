// What can be set while it runs.

#include <algorithm>
#include <cstdio>

#include "panels/panel_parts.h"

namespace {

constexpr int WORKERS_MOST = 16, MEMORY_STEP = 16, MEMORY_MOST = 4096;

/// A slider whose change costs something, so that it counts when it is let go.
bool slide_later(const char *label, int *draft, int *value, int low, int high, const char *format)
{
    ImGui::SliderInt(label, draft, low, high, format, ImGuiSliderFlags_AlwaysClamp);
    if (ImGui::IsItemDeactivatedAfterEdit() && *draft != *value) {
        *value = *draft;
        return true;
    }
    if (!ImGui::IsItemActive()) {
        *draft = *value;
    }
    return false;
}

int count_names(const char *const *names)
{
    int count = 0;
    while (count < PANEL_SWITCHES_MAX && names[count]) {
        count++;
    }
    return count;
}

bool choose(const char *label, int *value, const char *const *names)
{
    return ImGui::Combo(label, value, names, count_names(names));
}

bool set_world(PanelSettings *draft, PanelChoices *choices)
{
    PanelSettings *settings = &choices->settings;
    const PanelNames *names = choices->names;
    bool changed = slide_later("view distance", &draft->view_distance, &settings->view_distance,
                               names->view_distance_min, names->view_distance_max, "%d chunks");
    changed |= slide_later("view height", &draft->view_height, &settings->view_height, 1,
                           std::max(1, settings->view_distance), "%d chunks");
    changed |= slide_later("workers", &draft->workers, &settings->workers, -1, WORKERS_MOST,
                           draft->workers < 0 ? "cores less one" : "%d");
    int steps = draft->memory_mib / MEMORY_STEP, set = settings->memory_mib / MEMORY_STEP;
    const int before = set;
    char format[32];
    std::snprintf(format, sizeof format, steps ? "%d MiB" : "no limit", steps * MEMORY_STEP);
    // The number is in the format already; Dear ImGui passes its own, which is not asked for.
    (void)slide_later("memory", &steps, &set, 0, MEMORY_MOST / MEMORY_STEP, format);
    draft->memory_mib = steps * MEMORY_STEP;
    if (set != before) {
        settings->memory_mib = set ? std::max(set * MEMORY_STEP, names->memory_min) : 0;
        changed = true;
    }
    changed |= ImGui::SliderFloat("update budget", &settings->budget_ms, 0.2f, 16, "%.1f ms",
                                  ImGuiSliderFlags_AlwaysClamp);
    changed |= choose("the frame asks", &settings->lookup, names->lookups);
    return changed;
}

bool set_look(PanelSettings *settings, const PanelNames *names)
{
    bool changed = ImGui::Combo("quality", &settings->quality, "low\0medium\0high\0");
    changed |= ImGui::SliderFloat("time of day", &settings->hours, 0, 23.99f, "%.2f h",
                                  ImGuiSliderFlags_AlwaysClamp);
    changed |= ImGui::SliderFloat("field of view", &settings->field_of_view, 30, 110, "%.0f deg",
                                  ImGuiSliderFlags_AlwaysClamp);
    changed |= choose("debug view", &settings->debug, names->debug);
    return changed;
}

/// Three columns of switches; most of them have the shaders compiled anew.
bool set_switches(PanelSettings *settings, const PanelNames *names)
{
    bool changed = false;
    for (int i = 0; i < PANEL_SWITCHES_MAX && names->switches[i]; i++) {
        if (i % 3) {
            ImGui::SameLine(ImGui::GetStyle().WindowPadding.x +
                            static_cast<float>(i % 3) * ImGui::GetContentRegionMax().x / 3);
        }
        changed |= ImGui::Checkbox(names->switches[i], &settings->on[i]);
    }
    return changed;
}

/// The scale makes new pictures, so it counts when it is let go.
bool set_scale(PanelSettings *draft, PanelSettings *settings)
{
    ImGui::SliderFloat("scale", &draft->scale, 0.25f, 2, "%.2f", ImGuiSliderFlags_AlwaysClamp);
    if (ImGui::IsItemDeactivatedAfterEdit()) {
        settings->scale = draft->scale;
        return true;
    }
    if (!ImGui::IsItemActive()) {
        draft->scale = settings->scale;
    }
    return false;
}

} // namespace

void panel_show_settings(const PanelPaper &paper, PanelChoices *choices)
{
    PanelSettings *settings = &choices->settings;
    if (!choices->names) {
        return;
    }
    ImGui::PushItemWidth(220 * paper.unit);
    choices->changed |= set_world(paper.draft, choices);
    panel_heading("the picture");
    choices->changed |= set_look(settings, choices->names);
    choices->changed |= set_scale(paper.draft, settings);
    ImGui::PopItemWidth();
    choices->changed |= set_switches(settings, choices->names);
    ImGui::Separator();
    ImGui::Checkbox("screenshots with panels", &choices->in_pictures);
    ImGui::TextDisabled("Other workers, another limit, or a view larger\nthan before loads all "
                        "chunks anew.");
}
