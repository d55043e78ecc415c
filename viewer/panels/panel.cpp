#include "panels/panel.h"

#include <algorithm>
#include <cmath>
#include <new>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "clock.h"
#include "index_view/panel_index.h"
#include "panels/panel_keys.h"
#include "panels/panel_parts.h"
#include "render/gl.h"
#include "window/imgui_frame.h"

namespace {

constexpr float FONT_SIZE = 13;  // of the built-in font, at its sharpest size
constexpr float WIDTH = 400;     // of a column
constexpr float HEIGHT = 690;    // of a column with its panels
constexpr float MIDDLE = 440;    // width between two columns, for the bar of blocks and the picture
constexpr float BAR_HEIGHT = 84; // of the bar of blocks
constexpr float HELP = 1000;     // greatest width of the help
constexpr float INDEX = 580;     // width of the index window
constexpr float EDGE = 12;
constexpr float THUMB_WIDTH = 160; // of the left thumb on the web page
constexpr float PART_MIN = 0.5f;   // of the usual size, in a small window
constexpr float LETTERS_MIN = 9;   // pixels: least letter size; then the panels scroll
constexpr double SUMMARY_SECONDS = 0.25;

} // namespace

struct Panel {
    ImGuiContext *context;
    GLFWwindow *window;
    bool is_settled; // see imgui_frame_begin
    PanelPaletteArt *palette;
    PanelInventory *inventory;
    PanelMap *map;
    PanelBuilding *building;
    bool has_map, has_building; // in the last frame
    PanelIndexArt *index;
    ImFont *text, *large;
    float scale; // of the fonts
    float part;  // of `scale`, for panels in a small window
    SeriesRing ring;
    PanelSummaries summaries;
    Settings draft;
    PanelTab tab; // the tab chosen last
    PanelKeys keys;
    PanelSearch search;
    bool has_settings; // all of them, in the last frame
    bool is_pad_muted; // until its buttons are released: they were for the page of keys
    PanelCost cost;
};

namespace {

void choose_style(float scale)
{
    ImGuiStyle style;
    ImGui::StyleColorsDark(&style);
    style.WindowRounding = 6;
    style.WindowBorderSize = 0;
    style.WindowPadding = ImVec2(EDGE, 10);
    style.Colors[ImGuiCol_WindowBg] = ImVec4(0.05f, 0.07f, 0.10f, 0.86f);
    style.Colors[ImGuiCol_PlotLines] = ImVec4(0.98f, 0.78f, 0.42f, 1);
    style.ScaleAllSizes(scale);
    ImGui::GetStyle() = style;
}

ImFont *add_font(float size)
{
    ImFontConfig config;
    config.SizePixels = std::round(size);
    return ImGui::GetIO().Fonts->AddFontDefault(&config);
}

/// Rasterises the fonts at the screen's pixel size, so that letters are sharp.
void add_fonts(Panel *panel)
{
    ImGui::GetIO().Fonts->Clear();
    add_font(FONT_SIZE * panel->scale); // the first font is the default
    const float size = std::round(FONT_SIZE * panel->scale * panel->part);
    panel->text = add_font(size);
    panel->large = add_font(size * 3); // a whole multiple keeps the built-in font sharp
}

bool has_two_columns(float scale)
{
    return ImGui::GetIO().DisplaySize.x >= (2 * WIDTH + MIDDLE) * scale + 2 * EDGE;
}

/// Returns the scale of the panels that fits the window, as a part of their usual size.
float choose_part(float scale)
{
    const ImVec2 room = ImGui::GetIO().DisplaySize;
    const float bar = has_two_columns(scale) ? 0 : BAR_HEIGHT;
    const float across = (room.x - 2 * EDGE) / (WIDTH * scale);
    const float down = (room.y - 2 * EDGE - bar * scale) / (HEIGHT * scale);
    const float least = std::clamp(LETTERS_MIN / (FONT_SIZE * scale), PART_MIN, 1.0f);
    return std::clamp(std::min(across, down), least, 1.0f);
}

/// Called every frame: the window may move to a screen with another scale.
void choose_scale(Panel *panel, float scale)
{
    const float part = choose_part(scale);
    // Font sizes are whole pixels: a smaller change has no effect.
    if (scale == panel->scale &&
        std::round(part * scale * FONT_SIZE) == std::round(panel->part * scale * FONT_SIZE)) {
        return;
    }
    panel->part = part;
    if (scale != panel->scale) {
        panel->scale = scale;
        choose_style(scale);
    }
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    add_fonts(panel);
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

// ---- figures ------------------------------------------------------------------------------------

/// Updates one summary after the other, because a summary sorts its series: no single frame pays
/// for all.
void sum_up(Panel *panel, double now)
{
    static const Series shown[] = {SERIES_FRAME,
                                   SERIES_WORK,
                                   SERIES_UPDATE,
                                   SERIES_CULL,
                                   SERIES_UPLOAD,
                                   SERIES_PANEL,
                                   SERIES_GATHER,
                                   SERIES_GATHER_INDEX,
                                   SERIES_GATHER_ARRAY,
                                   SERIES_GATHER_FLAT_MAP,
                                   SERIES_GATHER_FLAT_MAP_FILTERED,
                                   SERIES_GATHER_MAP,
                                   SERIES_GATHER_MAP_FILTERED,
                                   SERIES_GATHERED};
    constexpr unsigned count = sizeof shown / sizeof shown[0];
    PanelSummaries *summaries = &panel->summaries;
    summaries->until = std::max(summaries->until, now - SUMMARY_SECONDS); // each at most once
    for (unsigned i = 0; i < count && now >= summaries->until; i++) {
        const Series series = shown[summaries->next++ % count];
        summaries->of[series] = series_ring_summary(&panel->ring, series);
        summaries->until += SUMMARY_SECONDS / count;
    }
}

PanelPaper paper_of(Panel *panel)
{
    return PanelPaper{&panel->ring,  panel->summaries.of, panel->large, panel->scale * panel->part,
                      &panel->draft, &panel->search};
}

// ---- tabs ---------------------------------------------------------------------------------------

void show_tab(Panel *panel, PanelTab tab, const PanelFigures &figures, PanelChoices *choices)
{
    const PanelPaper paper = paper_of(panel);
    switch (tab) {
    case PANEL_TAB_FRAME:
        panel_show_frame(paper, figures);
        panel_show_gather(paper, figures, choices);
        if (figures.hint) {
            ImGui::TextDisabled("%s", figures.hint);
        }
        break;
    default:
        panel_show_chunks(paper, figures);
        panel_show_memory(paper, figures);
        panel_show_stream(paper, figures);
        panel_show_place(figures);
    }
}

void show_tabs(Panel *panel, const PanelFigures &figures, PanelChoices *choices)
{
    static const char *const names[PANEL_TAB_COUNT] = {"frame", "world"};
    if (!ImGui::BeginTabBar("tabs")) {
        return;
    }
    // Brings a tab to the front if other code chose it.
    const bool is_other = choices->tab != panel->tab;
    const PanelTab wanted = choices->tab;
    for (int i = 0; i < PANEL_TAB_COUNT; i++) {
        const auto tab = static_cast<PanelTab>(i);
        const bool is_wanted = is_other && tab == wanted;
        if (ImGui::BeginTabItem(names[i], nullptr, is_wanted ? ImGuiTabItemFlags_SetSelected : 0)) {
            show_tab(panel, tab, figures, choices);
            choices->tab = is_other ? wanted : tab;
            ImGui::EndTabItem();
        }
    }
    panel->tab = choices->tab;
    ImGui::EndTabBar();
}

// ---- columns ------------------------------------------------------------------------------------

void push_style(ImGuiStyleVar which, const ImVec2 &usual, float part)
{
    ImGui::PushStyleVar(which, ImVec2(usual.x * part, usual.y * part));
}

/// Begins a column at the left or right.
/// @param edge    width kept free at that side
/// @param bottom  height kept free below
void begin_column(const Panel *panel, const char *name, bool is_right, float edge, float bottom)
{
    const ImVec2 room = ImGui::GetIO().DisplaySize;
    const float width = WIDTH * panel->scale * panel->part;
    ImGui::SetNextWindowPos(ImVec2(is_right ? room.x - edge : edge, EDGE), ImGuiCond_Always,
                            ImVec2(is_right ? 1.0f : 0.0f, 0));
    ImGui::SetNextWindowSizeConstraints(
        ImVec2(width, 0), ImVec2(width, std::max(room.y - 2 * EDGE - bottom, 4 * EDGE)));
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus;
    const ImGuiStyle &style = ImGui::GetStyle();
    const float part = panel->part;
    push_style(ImGuiStyleVar_WindowPadding, style.WindowPadding, part);
    push_style(ImGuiStyleVar_ItemSpacing, style.ItemSpacing, part);
    push_style(ImGuiStyleVar_ItemInnerSpacing, style.ItemInnerSpacing, part);
    push_style(ImGuiStyleVar_FramePadding, style.FramePadding, part);
    ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, style.ScrollbarSize * part);
    ImGui::Begin(name, nullptr, flags);
    ImGui::PushFont(panel->text);
}

void end_column()
{
    ImGui::PopFont();
    ImGui::End();
    ImGui::PopStyleVar(5);
}

/// Returns the height of the bar of blocks at the window's lower edge.
float bar_height(const Panel *panel, const PanelFigures &figures)
{
    return figures.palette ? BAR_HEIGHT * panel->scale : 0;
}

/// Whether the pause menu in the middle of the window would cover the figures.
bool lies_under_menu(const Panel *panel, bool has_keys)
{
    const float column = WIDTH * panel->scale * (has_two_columns(panel->scale) ? 1 : panel->part);
    return ImGui::GetIO().DisplaySize.x < panel_menu_width(has_keys) + 2 * (EDGE + column);
}

/// Whether the help, the index or the pause menu leaves no space for figures.
bool gives_way(const Panel *panel, const PanelFigures &figures, const Overlay *overlay,
               bool has_keys)
{
    if (overlay->paused && !overlay->rows && lies_under_menu(panel, has_keys)) {
        return true;
    }
    const float beside = overlay->rows ? HELP : figures.index ? INDEX : 0;
    return beside > 0 && ImGui::GetIO().DisplaySize.x < (WIDTH + beside) * panel->scale + 3 * EDGE;
}

/// In a narrow window, shows all panels in one column above the bar of blocks. Help and index
/// replace the panels that they would cover.
/// @return left and right end of what the columns leave free
ImVec2 show_panels(Panel *panel, const PanelFigures &figures, PanelChoices *choices,
                   const Overlay *overlay)
{
    if (gives_way(panel, figures, overlay, choices->keys)) {
        return ImVec2(0, ImGui::GetIO().DisplaySize.x);
    }
    const bool has_two = has_two_columns(panel->scale);
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const bool has_thumb = overlay->touches && !has_two && size.x > size.y;
    begin_column(panel, "Figures", false, has_thumb ? THUMB_WIDTH * panel->scale : EDGE,
                 has_two ? 0 : bar_height(panel, figures));
    if (has_two) {
        show_tab(panel, PANEL_TAB_FRAME, figures, choices);
    } else {
        show_tabs(panel, figures, choices);
    }
    end_column();
    const float left = has_thumb ? THUMB_WIDTH * panel->scale : EDGE;
    const float column = WIDTH * panel->scale * panel->part;
    ImVec2 free(left + column, size.x);
    if (has_two && !overlay->rows && !figures.index) {
        begin_column(panel, "World", true, EDGE, 0);
        show_tab(panel, PANEL_TAB_WORLD, figures, choices);
        end_column();
        free.y -= EDGE + column;
    }
    return free;
}

/// In the pause menu and the inventory, arrow keys and gamepad navigate the widgets; otherwise they
/// control the world.
void choose_controls(bool mouse_caught, bool has_menu)
{
    ImGuiIO &io = ImGui::GetIO();
    const int nav = ImGuiConfigFlags_NavEnableKeyboard | ImGuiConfigFlags_NavEnableGamepad;
    io.ConfigFlags &= ~(ImGuiConfigFlags_NoMouse | nav);
    io.ConfigFlags |= mouse_caught ? ImGuiConfigFlags_NoMouse : 0;
    io.ConfigFlags |= has_menu ? nav : 0;
}

void mute_pad(Panel *panel)
{
    ImGuiIO &io = ImGui::GetIO();
    const bool is_pressed = std::any_of(io.NavInputs, io.NavInputs + ImGuiNavInput_COUNT,
                                        [](float at) { return at > 0; });
    panel->is_pad_muted = panel->is_pad_muted && (is_pressed || panel->keys.is_waiting);
    if (panel->is_pad_muted) {
        std::fill_n(io.NavInputs, +ImGuiNavInput_COUNT, 0.0f);
    }
}

} // namespace

Panel *panel_create(GLFWwindow *window)
{
    Panel *panel = new (std::nothrow) Panel();
    if (!panel) {
        return nullptr;
    }
    panel->context = ImGui::CreateContext();
    panel->window = window;
    panel->is_settled = true;
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr; // Dear ImGui writes no files
    io.LogFilename = nullptr;
    panel->scale = panel->part = 1;
    choose_style(1);
    add_fonts(panel);
    panel->palette = panel_palette_create();
    panel->inventory = panel_inventory_create();
    panel->index = panel_index_create();
    panel->map = panel_map_create();
    panel->building = panel_building_create();
    if (!panel->palette || !panel->inventory || !panel->index || !panel->map || !panel->building ||
        !series_ring_create(&panel->ring, PANEL_SECONDS) ||
        !ImGui_ImplGlfw_InitForOpenGL(window, false) ||
        !ImGui_ImplOpenGL3_Init(gl_shader_version())) {
        panel_destroy(panel);
        return nullptr;
    }
    return panel;
}

void panel_destroy(Panel *panel)
{
    if (!panel) {
        return;
    }
    if (ImGui::GetIO().BackendRendererUserData) {
        ImGui_ImplOpenGL3_Shutdown();
    }
    if (ImGui::GetIO().BackendPlatformUserData) {
        ImGui_ImplGlfw_Shutdown();
    }
    panel_palette_destroy(panel->palette);
    panel_inventory_destroy(panel->inventory);
    panel_index_destroy(panel->index);
    panel_map_destroy(panel->map);
    panel_building_destroy(panel->building);
    series_ring_free(&panel->ring);
    ImGui::DestroyContext(panel->context);
    delete panel;
}

bool panel_awaits_key(const Panel *panel)
{
    return panel->keys.is_waiting;
}

void panel_feed(Panel *panel, const EventBatch *batch, bool takes_text, InputCode pad)
{
    if (panel->keys.is_waiting) {
        panel_keys_feed(&panel->keys, *batch, pad);
        panel->is_pad_muted = true;
    }
    imgui_feed(panel->window, *batch, takes_text, !panel->keys.is_waiting);
    panel->is_settled = imgui_is_settled(*batch);
}

void panel_build(Panel *panel, const PanelFigures *figures, PanelChoices *choices,
                 const Overlay *overlay, bool mouse_caught, float scale)
{
    choices->changed = choices->resume = choices->quit = choices->leave = choices->map = false;
    choices->open = choices->mark = false;
    choices->in_building.act = BUILDING_NOTHING;
    choices->inventory = {};
    choose_controls(mouse_caught,
                    overlay->paused || figures->inventory || figures->map || figures->building);
    imgui_frame_begin(panel->is_settled);
    mute_pad(panel);
    choose_scale(panel, scale);
    ImGui::NewFrame();
    ImVec2 free(0, ImGui::GetIO().DisplaySize.x);
    if (choices->settings.figures && !figures->inventory && !figures->is_bare) {
        sum_up(panel, figures->seconds);
        free = show_panels(panel, *figures, choices, overlay);
    }
    const float bar = bar_height(panel, *figures);
    if (figures->index) {
        panel_index_show(panel->index, figures->index, bar);
    }
    panel->has_map = figures->map != nullptr;
    if (figures->map) {
        panel_map_show(panel->map, figures->map, &choices->in_map);
    } else {
        panel_map_close(panel->map);
    }
    panel->has_building = figures->building != nullptr;
    if (figures->building) {
        panel_building_show(panel->building, figures->building, &choices->in_building);
    } else {
        panel_building_close(panel->building);
    }
    if (figures->inventory) {
        panel_inventory_show(panel->inventory, figures->inventory, figures->palette,
                             overlay->touches, &choices->inventory);
    } else if (figures->palette) {
        panel_palette_show_aim();
        panel_palette_show(panel->palette, figures->palette);
    } else if (figures->has_aim) {
        panel_palette_show_aim();
    }
    overlay_show(overlay, bar, free);
    choices->all_settings = choices->all_settings && overlay->paused;
    choices->keys = choices->keys && overlay->paused;
    panel->has_settings = choices->all_settings;
    if (!choices->keys) {
        panel->keys = {};
    }
    if (overlay->paused && !overlay->rows) {
        panel_show_menu(paper_of(panel), *overlay, &panel->keys, choices);
    }
    ImGui::Render();
}

void panel_draw(Panel *panel, const PanelFigures *figures, PanelChoices *choices,
                const Overlay *overlay, bool mouse_caught, float scale)
{
    const double start = clock_thread_us();
    series_ring_add(&panel->ring, figures->seconds, &figures->frame);
    panel_build(panel, figures, choices, overlay, mouse_caught, scale);
    const double built = clock_thread_us();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    panel->cost = {built - start, clock_thread_us() - built};
}

PanelCost panel_cost(const Panel *panel)
{
    return panel->cost;
}

bool panel_has_mouse(const Panel *panel)
{
    (void)panel;
    return ImGui::GetIO().WantCaptureMouse;
}

int panel_bar_slot(const Panel *panel, float x, float y)
{
    return panel_palette_slot(panel->palette, x, y);
}

bool panel_has_keyboard(const Panel *panel)
{
    if (panel->has_building) {
        return panel_building_is_typing(panel->building) || ImGui::GetIO().WantTextInput;
    }
    return panel->has_map ? panel_map_is_naming(panel->map)
                          : ImGui::GetIO().WantTextInput || panel->has_settings ||
                                panel_inventory_is_typing(panel->inventory);
}
