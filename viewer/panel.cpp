#include "panel.h"

#include <cmath>
#include <new>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "panel_index.h"

namespace {

constexpr int HISTORY = 120; // frames in the graph

double mebibytes(size_t bytes)
{
    return static_cast<double>(bytes) / (1024.0 * 1024.0);
}

} // namespace

struct Panel {
    ImGuiContext *context;
    PanelPaletteArt *palette;
    PanelIndexArt *index;
    ImFont *large;
    float scale; // of the fonts
    float frame_ms[HISTORY];
    int next;
    // Smoothed, so that the digits can be read.
    double shown_frame_ms, shown_work_ms, shown_update_ms;
    double shown_index_us, shown_array_us, shown_map_us, shown_debris_us;
};

namespace {

void smooth(double *shown, double value)
{
    *shown = *shown > 0 ? *shown + 0.08 * (value - *shown) : value;
}

void choose_style(float scale)
{
    ImGuiStyle style;
    ImGui::StyleColorsDark(&style);
    style.WindowRounding = 6;
    style.WindowBorderSize = 0;
    style.WindowPadding = ImVec2(12, 10);
    style.Colors[ImGuiCol_WindowBg] = ImVec4(0.05f, 0.07f, 0.10f, 0.86f);
    style.Colors[ImGuiCol_PlotLines] = ImVec4(0.98f, 0.78f, 0.42f, 1);
    style.ScaleAllSizes(scale);
    ImGui::GetStyle() = style;
}

/// In the size of the screen's pixels, so that letters are sharp on each.
void add_fonts(Panel *panel, float scale)
{
    ImFontAtlas *fonts = ImGui::GetIO().Fonts;
    fonts->Clear();
    ImFontConfig config;
    config.SizePixels = std::round(13 * scale);
    fonts->AddFontDefault(&config);
    config.SizePixels *= 2; // a whole multiple keeps the built-in font sharp
    panel->large = fonts->AddFontDefault(&config);
}

/// Also when the window goes to a screen of another kind.
void choose_scale(Panel *panel, float scale)
{
    if (scale == panel->scale) {
        return;
    }
    panel->scale = scale;
    choose_style(scale);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    add_fonts(panel, scale);
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

void show_frame(Panel *panel, const PanelFigures *figures)
{
    smooth(&panel->shown_frame_ms, figures->frame_ms);
    smooth(&panel->shown_work_ms, figures->work_ms);
    panel->frame_ms[panel->next] = static_cast<float>(figures->frame_ms);
    panel->next = (panel->next + 1) % HISTORY;
    ImGui::Text("frame %6.2f ms  %5.0f fps  (processor %.2f ms)", panel->shown_frame_ms,
                panel->shown_frame_ms > 0 ? 1000 / panel->shown_frame_ms : 0, panel->shown_work_ms);
    ImGui::SetNextItemWidth(-1);
    ImGui::PlotLines("##frames", panel->frame_ms, HISTORY, panel->next, nullptr, 0,
                     static_cast<float>(panel->shown_frame_ms) * 2.5f,
                     ImVec2(0, 36 * panel->scale));
}

void show_contender(Panel *panel, const ImVec4 &colour, double us, const char *name)
{
    ImGui::PushFont(panel->large);
    ImGui::TextColored(colour, "%7.1f us", us);
    ImGui::PopFont();
    ImGui::SameLine();
    ImGui::Text("\n%s", name);
}

void show_gather(Panel *panel, const PanelFigures *figures, PanelChoices *choices)
{
    ImGui::Separator();
    ImGui::Text("gathering %zu chunks, this frame", figures->gathered);
    show_contender(panel, ImVec4(0.55f, 0.92f, 0.60f, 1), panel->shown_index_us, "Terrane");
    if (choices->compare && figures->compared) {
        show_contender(panel, ImVec4(0.62f, 0.80f, 0.95f, 1), panel->shown_array_us,
                       figures->array_us > 0 ? "flat spatial array"
                                             : "flat spatial array (too far apart for one)");
        show_contender(panel, ImVec4(0.98f, 0.62f, 0.45f, 1), panel->shown_map_us,
                       "std::unordered_map");
        ImGui::Text("the map takes %.0f times as long as Terrane",
                    panel->shown_index_us > 0 ? panel->shown_map_us / panel->shown_index_us : 0);
        if (figures->equal == figures->compared) {
            ImGui::TextDisabled("the same chunks in all %llu frames",
                                static_cast<unsigned long long>(figures->compared));
        } else {
            ImGui::TextColored(ImVec4(1, 0.3f, 0.3f, 1), "answers DIFFER in %llu of %llu frames",
                               static_cast<unsigned long long>(figures->compared - figures->equal),
                               static_cast<unsigned long long>(figures->compared));
        }
    }
    ImGui::Checkbox("compare (outside the frame's figures)", &choices->compare);
}

const ImVec4 WARNING(1, 0.6f, 0.3f, 1);

/// What the stream is at.
void show_stream(Panel *panel, const PanelFigures *figures)
{
    smooth(&panel->shown_update_ms, figures->update_ms);
    ImGui::Separator();
    ImGui::Text("loading %.2f ms of the frame, %u workers", panel->shown_update_ms,
                figures->workers);
    ImGui::Text("        %u queued, %u under way, %u to try again", figures->queued,
                figures->under_way, figures->failed);
    ImGui::Text("chunks  %u there, %u shown, of %u wished", figures->there, figures->shown,
                figures->wished);
    if (figures->bytes_max) {
        ImGui::Text("        %.1f of %.0f MiB", mebibytes(figures->bytes),
                    mebibytes(figures->bytes_max));
    } else {
        ImGui::Text("        %.1f MiB, no limit", mebibytes(figures->bytes));
    }
    if (figures->is_view_short) {
        ImGui::TextColored(WARNING, "view    %u of %u chunks: no memory for more", figures->view,
                           figures->view_asked);
    } else {
        ImGui::Text("view    %u of %u chunks", figures->view, figures->view_asked);
    }
}

void show_world(const PanelFigures *figures)
{
    ImGui::Separator();
    if (figures->refused) {
        ImGui::TextColored(WARNING, "%u chunks do not fit on the graphics card", figures->refused);
    }
    ImGui::Text("drawn   %zu quads of %u chunks", figures->quads_drawn, figures->drawn);
    ImGui::Text("memory  voxels %.1f  headers %.1f  index %.1f MiB",
                mebibytes(figures->voxel_bytes), mebibytes(figures->header_bytes),
                mebibytes(figures->index_bytes));
    ImGui::Text("        quads %.1f MiB on the graphics card", mebibytes(figures->quad_bytes));
    ImGui::Text("at      %.1f  %.1f  %.1f", figures->voxel[0], figures->voxel[1],
                figures->voxel[2]);
    if (figures->walking) {
        ImGui::TextUnformatted("on foot");
    } else {
        ImGui::Text("speed   %.0f voxels a second", static_cast<double>(figures->speed));
    }
}

/// How many bits there are, and which went for new ones.
void show_debris(Panel *panel, const DebrisStats &debris)
{
    if (!debris.capacity) {
        return;
    }
    smooth(&panel->shown_debris_us, debris.step_us);
    ImGui::Separator();
    ImGui::Text("debris  %u of %u bits, %u at rest, %.0f us", debris.alive, debris.capacity,
                debris.resting, panel->shown_debris_us);
    ImGui::Text("        full: unseen first (%llu), then oldest (%llu)",
                static_cast<unsigned long long>(debris.dropped_unseen),
                static_cast<unsigned long long>(debris.dropped_oldest));
}

void show_figures(Panel *panel, const PanelFigures *figures, PanelChoices *choices)
{
    ImGui::SetNextWindowPos(ImVec2(12, 12), ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize(ImVec2(400 * panel->scale, 0));
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin("Figures", nullptr, flags)) {
        show_frame(panel, figures);
        show_gather(panel, figures, choices);
        show_stream(panel, figures);
        show_world(figures);
        show_debris(panel, figures->debris);
        ImGui::TextDisabled("%s", figures->hint);
    }
    ImGui::End();
}

/// In the pause menu arrows and a gamepad choose; elsewhere both are for the world.
void choose_controls(bool mouse_caught, bool has_menu)
{
    ImGuiIO &io = ImGui::GetIO();
    const int nav = ImGuiConfigFlags_NavEnableKeyboard | ImGuiConfigFlags_NavEnableGamepad;
    io.ConfigFlags &= ~(ImGuiConfigFlags_NoMouse | nav);
    io.ConfigFlags |= mouse_caught ? ImGuiConfigFlags_NoMouse : 0;
    io.ConfigFlags |= has_menu ? nav : 0;
}

} // namespace

Panel *panel_create(GLFWwindow *window)
{
    Panel *panel = new (std::nothrow) Panel();
    if (!panel) {
        return nullptr;
    }
    panel->context = ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr; // nothing is written beside the program
    io.LogFilename = nullptr;
    panel->scale = 1;
    choose_style(1);
    add_fonts(panel, 1);
    panel->palette = panel_palette_create();
    panel->index = panel_index_create();
    if (!panel->palette || !panel->index || !ImGui_ImplGlfw_InitForOpenGL(window, true) ||
        !ImGui_ImplOpenGL3_Init("#version 330 core")) {
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
    panel_index_destroy(panel->index);
    ImGui::DestroyContext(panel->context);
    delete panel;
}

void panel_draw(Panel *panel, const PanelFigures *figures, PanelChoices *choices,
                const Overlay *overlay, bool mouse_caught, float scale)
{
    choose_controls(mouse_caught, overlay->menu != nullptr);
    smooth(&panel->shown_index_us, figures->index_us);
    if (choices->compare) {
        smooth(&panel->shown_array_us, figures->array_us);
        smooth(&panel->shown_map_us, figures->map_us);
    }
    ImGui_ImplOpenGL3_NewFrame(); // the first makes what fonts need
    choose_scale(panel, scale);
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    if (choices->shown) {
        show_figures(panel, figures, choices);
    }
    if (figures->index) {
        panel_index_show(panel->index, figures->index);
    }
    if (figures->palette) {
        panel_palette_show_aim();
        panel_palette_show(panel->palette, figures->palette);
    }
    overlay_show(overlay);
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool panel_has_mouse(const Panel *panel)
{
    (void)panel;
    return ImGui::GetIO().WantCaptureMouse;
}
