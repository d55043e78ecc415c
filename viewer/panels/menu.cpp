// The pause menu: a first page with the main settings, and a page with all settings. Both follow
// the table of settings/settings.h.

#include <algorithm>
#include <cmath>
#include <cstring>

#include <imgui.h>

#include "panels/panel_parts.h"

namespace {

constexpr float EDGE = 12;
constexpr float WIDGET = 12, LABELS = 13; // in the font's heights
constexpr double LOGARITHMIC = 100;       // a slider with a larger ratio of its ends is logarithmic
constexpr double HOURS_STEP = 0.25;       // of the slider
constexpr ImGuiSliderFlags SLIDER = ImGuiSliderFlags_AlwaysClamp;

struct Page {
    Settings *settings; // receive the changes
    Settings *draft;    // value of a slider while it is dragged
    const Look *look;   // what `auto` resolves to
    bool changed;
};

/// Returns a slider's format for ImGui, such as "62 degrees" or "none". Contains a number format if
/// the text has a number.
const char *slider_format(const Setting *row, const Settings *settings, OptionText *text)
{
    const bool is_word = row->instead && option_number(row, settings) == option_instead(row);
    *text = setting_value(row, settings);
    return row->unit && !is_word ? row->unit : text->text;
}

/// Whether a change is so expensive that it is applied only when the slider is released.
bool counts_later(const Setting *row)
{
    return row->effect == SETTING_EFFECT_STREAM || row->effect == SETTING_EFFECT_TARGET;
}

/// Just below the range, the slider selects the word that stands for a number out of range.
double slider_low(const Setting *row)
{
    return row->instead ? row->low - (row->kind == OPTION_WHOLE ? 1 : row->low) : row->low;
}

void slide(const Setting *row, Settings *draft)
{
    OptionText text;
    const char *format = slider_format(row, draft, &text);
    const double low = slider_low(row), number = option_number(row, draft);
    const bool is_far = row->high / std::max(row->low, 1e-9) > LOGARITHMIC && row->low > 0;
    const ImGuiSliderFlags flags = SLIDER | (is_far ? ImGuiSliderFlags_Logarithmic : 0);
    const bool is_word = row->instead && number == option_instead(row);
    if (row->kind == OPTION_WHOLE) {
        int value = static_cast<int>(is_word ? low : number);
        if (ImGui::SliderInt(row->label, &value, static_cast<int>(low), static_cast<int>(row->high),
                             format, flags)) {
            option_set_number(row, draft, value < row->low ? option_instead(row) : value);
        }
        return;
    }
    auto value = static_cast<float>(number);
    if (ImGui::SliderFloat(row->label, &value, static_cast<float>(low),
                           static_cast<float>(row->high), format, flags)) {
        const double step = row->unit ? 0 : HOURS_STEP;
        const double next = step > 0 ? std::round(static_cast<double>(value) / step) * step
                                     : static_cast<double>(value);
        option_set_number(row, draft, row->instead && next < row->low ? option_instead(row) : next);
    }
}

void show_slider(const Setting *row, Page *page)
{
    slide(row, page->draft);
    const bool is_held = ImGui::IsItemActive() && counts_later(row);
    if (!is_held && (ImGui::IsItemActive() || ImGui::IsItemDeactivatedAfterEdit())) {
        page->changed |= option_differs(row, page->settings, page->draft);
        option_copy(row, page->settings, page->draft);
    } else if (!is_held) {
        option_copy(row, page->draft, page->settings);
    }
}

void show_check(const Setting *row, Page *page)
{
    const double number = option_number(row, page->settings);
    const size_t place = (row->offset - offsetof(Settings, on)) / sizeof(int);
    bool on = number == SETTINGS_SWITCH_AUTO && row->kind == OPTION_MAYBE ? page->look->on[place]
                                                                          : number != 0;
    if (ImGui::Checkbox(row->label, &on)) {
        option_set_number(row, page->settings, on ? 1 : 0);
        page->changed = true;
    }
}

void show_choice(const Setting *row, Page *page)
{
    int count = 0, value = static_cast<int>(option_number(row, page->settings));
    while (row->words[count]) {
        count++;
    }
    if (!ImGui::Combo(row->label, &value, row->words, count)) {
        return;
    }
    if (row->offset == offsetof(Settings, quality)) {
        settings_set_quality(page->settings, value);
    } else {
        option_set_number(row, page->settings, value);
    }
    page->changed = true;
}

void show_rows(Page *page, unsigned shows)
{
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (!(row->shows & shows)) {
            continue;
        }
        switch (row->kind) {
        case OPTION_NUMBER:
        case OPTION_WHOLE:
            show_slider(row, page);
            break;
        case OPTION_CHOICE:
            show_choice(row, page);
            break;
        default:
            show_check(row, page);
        }
    }
}

float rows_height(unsigned shows)
{
    float rows = 0;
    for (size_t i = 0; settings_row(i); i++) {
        rows += settings_row(i)->shows & shows ? 1.0f : 0.0f;
    }
    return rows * ImGui::GetFrameHeightWithSpacing();
}

/// A button that Enter presses too: Dear ImGui only handles Space.
bool is_pressed(const char *label, float width)
{
    const bool pressed = ImGui::Button(label, ImVec2(width, 0));
    return pressed || (ImGui::IsItemFocused() &&
                       ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false));
}

/// Shows the buttons above the scrolling part, so that they are visible in every window.
void show_buttons(PanelChoices *choices, float width)
{
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float each = std::max((width - 3 * gap) / 4, 1.0f);
    if (ImGui::IsWindowAppearing()) {
        ImGui::SetKeyboardFocusHere(); // Enter resumes
    }
    choices->resume = is_pressed("Resume", each);
    ImGui::SameLine();
    if (is_pressed(choices->all_settings ? "Less###page" : "More###page", each)) {
        choices->all_settings = !choices->all_settings;
    }
    ImGui::SameLine();
    choices->leave = is_pressed("Worlds", each);
    ImGui::SameLine();
    choices->quit = is_pressed("Quit", each);
}

} // namespace

float panel_menu_width()
{
    const ImGuiStyle &style = ImGui::GetStyle();
    const float most = ImGui::GetIO().DisplaySize.x - 2 * EDGE;
    return std::min((WIDGET + LABELS) * ImGui::GetFontSize() + 2 * style.WindowPadding.x, most);
}

void panel_show_menu(const PanelPaper &paper, const Overlay &overlay, PanelChoices *choices)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const ImGuiStyle &style = ImGui::GetStyle();
    const float width = panel_menu_width() - 2 * style.WindowPadding.x;
    const unsigned shows = choices->all_settings ? SETTING_IN_PANEL : SETTING_IN_MENU;
    ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowBgAlpha(1);
    if (ImGui::Begin("Paused", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_AlwaysAutoResize)) {
        show_buttons(choices, width);
        const char *line = overlay.notice ? overlay.notice : overlay.note;
        if (line) {
            ImGui::PushTextWrapPos(style.WindowPadding.x + width);
            ImGui::TextUnformatted(line);
            ImGui::PopTextWrapPos();
        }
        const float room = size.y - 2 * EDGE - ImGui::GetCursorPosY() - style.WindowPadding.y;
        const float height = std::clamp(room, 1.0f, std::max(rows_height(shows), 1.0f));
        Page page = {&choices->settings, paper.draft, overlay.look, false};
        ImGui::BeginChild("rows", ImVec2(width, height), false, ImGuiWindowFlags_NavFlattened);
        ImGui::PushItemWidth(std::max(width - LABELS * ImGui::GetFontSize(), width * 0.3f));
        show_rows(&page, shows);
        ImGui::PopItemWidth();
        ImGui::EndChild();
        choices->changed |= page.changed;
    }
    ImGui::End();
}
