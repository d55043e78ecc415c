// The pause menu: a first page with the main settings, and a page with all settings. Both follow
// the table of settings/settings.h.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <iterator>

#include <imgui.h>

#include "panels/panel_keys.h"
#include "panels/panel_parts.h"

namespace {

constexpr float EDGE = 12;
constexpr float WIDGET = 12, LABELS = 18, RESET = 4; // in the font's heights
constexpr float TOLD_LINES = 2;                      // of the sentence about a setting
constexpr float SEARCH_ROOM = 4;                     // lines of widgets below the search, at least
constexpr float OPEN_PART = 0.62f;                   // of the second line of buttons
constexpr float KEYS_WIDTH = 52;                     // of the page of keys
constexpr double LOGARITHMIC = 100; // a slider with a larger ratio of its ends is logarithmic
constexpr double HOURS_STEP = 0.25; // of the slider
constexpr ImGuiSliderFlags SLIDER = ImGuiSliderFlags_AlwaysClamp;

struct Page {
    Settings *settings; // receive the changes
    Settings *draft;    // value of a slider while it is dragged
    const Look *look;   // what `auto` resolves to
    bool changed;
    const char *told; // what the setting under the mouse or in focus does; NULL: none
};

/// Returns a slider's format for ImGui, such as "62 degrees" or "none". Contains a number format if
/// the text has a number.
const char *slider_format(const Setting *row, const Settings *settings, OptionText *text)
{
    const double number = option_number(row, settings);
    const bool is_word = row->instead && number == option_instead(row);
    *text = setting_value(row, settings);
    return row->unit && !is_word && number != 1 ? row->unit : text->text; // "1 chunk"
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

void show_row(const Setting *row, Page *page)
{
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
    if (ImGui::IsItemHovered() || ImGui::IsItemFocused()) {
        page->told = row->help;
    }
}

/// Resets a setting that differs from its default, by a button behind it.
void show_reset(const Setting *row, Page *page)
{
    static const Settings usual = settings_default();
    if (!option_differs(row, page->settings, &usual)) {
        return;
    }
    ImGui::PushID(row->label);
    ImGui::SameLine(ImGui::GetContentRegionMax().x - RESET * ImGui::GetFontSize());
    if (panel_button("reset", RESET * ImGui::GetFontSize())) {
        option_copy(row, page->settings, &usual);
        option_copy(row, page->draft, &usual);
        page->changed = true;
    }
    ImGui::PopID();
}

/// What players call a section of the settings file.
const char *section_title(const char *section)
{
    static const char *const titles[][2] = {{"mouse", "Mouse"},   {"gamepad", "Gamepad"},
                                            {"view", "Picture"},  {"window", "Window"},
                                            {"player", "Player"}, {"memory", "Memory and loading"}};
    for (const auto &title : titles) {
        if (std::strcmp(title[0], section) == 0) {
            return title[1];
        }
    }
    return section;
}

/// Whether a text has a word, whatever the case of its letters.
bool has_word(const char *text, const char *word)
{
    const size_t length = std::strlen(word);
    return std::search(text, text + std::strlen(text), word, word + length,
                       [](char a, char b) {
                           return std::tolower(static_cast<unsigned char>(a)) ==
                                  std::tolower(static_cast<unsigned char>(b));
                       }) != text + std::strlen(text) ||
           !length;
}

void show_rows(Page *page, unsigned shows, const char *search)
{
    const char *section = "";
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (!(row->shows & shows) ||
            (!has_word(row->label, search) && !has_word(row->help, search))) {
            continue;
        }
        if (shows == SETTING_IN_PANEL && std::strcmp(section, row->section) != 0) {
            section = row->section;
            panel_heading(section_title(section));
        }
        show_row(row, page);
        if (shows == SETTING_IN_PANEL) {
            show_reset(row, page);
        }
    }
}

/// Resets all settings of the page of all settings.
void reset_all(Page *page)
{
    const Settings usual = settings_default();
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (row->shows & SETTING_IN_PANEL) {
            option_copy(row, page->settings, &usual);
            option_copy(row, page->draft, &usual);
        }
    }
    page->changed = true;
}

/// The line above all settings.
void show_search(Page *page, PanelSearch *search)
{
    const float button = 6 * ImGui::GetFontSize();
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button -
                            ImGui::GetStyle().ItemSpacing.x);
    if (search->is_active || !ImGui::GetIO().WantTextInput) { // no slider is being typed into
        panel_keep_letters(&search->typed, search->is_active, true);
    }
    if (search->typed.count) {
        ImGui::SetKeyboardFocusHere(); // active in the next frame
    }
    ImGui::InputTextWithHint("##search", "search settings", search->text, sizeof search->text);
    search->is_active = ImGui::IsItemActive();
    ImGui::SameLine();
    if (panel_button("Reset all", button)) {
        reset_all(page);
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

/// Shows the buttons above the scrolling part, so that they are visible in every window. Each is as
/// wide as its word and an equal part of the room that the words leave; too little room is shared
/// in proportion.
void show_buttons(PanelChoices *choices, float width)
{
    const char *const labels[] = {
        "Resume", choices->all_settings ? "Fewer###page" : "Settings###page",
        "Keys",   "Map",
        "Worlds", "Quit"};
    constexpr size_t COUNT = std::size(labels);
    const float whole = std::max(width - (COUNT - 1) * ImGui::GetStyle().ItemSpacing.x, 1.0f);
    float widths[COUNT], words = 0;
    for (size_t i = 0; i < COUNT; i++) {
        widths[i] = ImGui::CalcTextSize(labels[i], nullptr, true).x;
        words += widths[i];
    }
    if (ImGui::IsWindowAppearing()) {
        ImGui::SetKeyboardFocusHere(); // Enter resumes
    }
    bool pressed[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        if (i) {
            ImGui::SameLine();
        }
        pressed[i] = panel_button(labels[i], words > whole ? widths[i] * whole / words
                                                           : widths[i] + (whole - words) / COUNT);
    }
    if (pressed[1]) {
        choices->all_settings = !choices->all_settings;
        choices->keys = false;
    }
    if (pressed[2]) {
        choices->keys = !choices->keys;
        choices->all_settings = false;
    }
    choices->resume = pressed[0];
    choices->map = pressed[3];
    choices->leave = pressed[4];
    choices->quit = pressed[5];
}

/// The second line of buttons.
void show_file_buttons(PanelChoices *choices, float width)
{
    const float rest = width - ImGui::GetStyle().ItemSpacing.x;
    choices->open = panel_button("Open a world or a schematic", rest * OPEN_PART);
    ImGui::SameLine();
    choices->mark = panel_button("Save a building", rest * (1 - OPEN_PART));
}

} // namespace

float panel_menu_width(bool is_wide)
{
    const ImGuiStyle &style = ImGui::GetStyle();
    const float most = ImGui::GetIO().DisplaySize.x - 2 * EDGE;
    const float letters = is_wide ? KEYS_WIDTH : WIDGET + LABELS;
    return std::min(letters * ImGui::GetFontSize() + 2 * style.WindowPadding.x, most);
}

void panel_show_menu(const PanelPaper &paper, const Overlay &overlay, PanelKeys *keys,
                     PanelChoices *choices)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const ImGuiStyle &style = ImGui::GetStyle();
    const float width = panel_menu_width(choices->keys) - 2 * style.WindowPadding.x;
    const unsigned shows = choices->all_settings ? SETTING_IN_PANEL : SETTING_IN_MENU;
    ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowBgAlpha(1);
    if (ImGui::Begin("Paused", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_AlwaysAutoResize)) {
        show_buttons(choices, width);
        if (overlay.has_files && !choices->keys && !choices->all_settings) {
            show_file_buttons(choices, width);
        }
        const char *line = overlay.notice ? overlay.notice : overlay.note;
        if (line) {
            ImGui::PushTextWrapPos(style.WindowPadding.x + width);
            ImGui::TextUnformatted(line);
            ImGui::PopTextWrapPos();
        }
        Page page = {&choices->settings, paper.draft, overlay.look, false, nullptr};
        const float free = size.y - 2 * EDGE - ImGui::GetCursorPosY() - style.WindowPadding.y;
        if (choices->all_settings && free > SEARCH_ROOM * ImGui::GetFrameHeight()) {
            show_search(&page, paper.search);
        }
        const float sentence =
            TOLD_LINES * ImGui::GetTextLineHeightWithSpacing() + style.ItemSpacing.y;
        const float below = size.y - 2 * EDGE - ImGui::GetCursorPosY() - style.WindowPadding.y;
        const float told = choices->keys || below < 4 * sentence ? 0 : sentence;
        const float room = below - told;
        const float whole = shows == SETTING_IN_MENU && !choices->keys ? rows_height(shows) : room;
        const float height = std::clamp(room, 1.0f, std::max(whole, 1.0f));
        ImGui::BeginChild("rows", ImVec2(width, height), false, ImGuiWindowFlags_NavFlattened);
        ImGui::PushItemWidth(std::max(width - LABELS * ImGui::GetFontSize(), width * 0.3f));
        if (choices->keys) {
            panel_keys_show(keys, choices);
        } else {
            show_rows(&page, shows, choices->all_settings ? paper.search->text : "");
        }
        ImGui::PopItemWidth();
        ImGui::EndChild();
        if (told > 0) { // as high without a sentence, so that nothing moves
            const ImVec2 at = ImGui::GetCursorPos();
            ImGui::PushTextWrapPos(style.WindowPadding.x + width);
            ImGui::TextDisabled("%s", page.told ? page.told : "");
            ImGui::PopTextWrapPos();
            ImGui::SetCursorPos(ImVec2(at.x, at.y + told - style.ItemSpacing.y));
        }
        choices->changed |= page.changed;
    }
    ImGui::End();
}
