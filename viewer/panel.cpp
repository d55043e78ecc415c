#include "panel.h"

#include <new>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

namespace {

constexpr int HISTORY = 120; // frames in the graph

double mebibytes(size_t bytes)
{
    return static_cast<double>(bytes) / (1024.0 * 1024.0);
}

} // namespace

struct Panel {
    ImGuiContext *context;
    ImFont *large;
    float frame_ms[HISTORY];
    int next;
    // Smoothed, so that the digits can be read.
    double shown_frame_ms, shown_work_ms, shown_update_ms;
    double shown_index_us, shown_array_us, shown_map_us;
};

namespace {

void smooth(double *shown, double value)
{
    *shown = *shown > 0 ? *shown + 0.08 * (value - *shown) : value;
}

void choose_style()
{
    ImGui::StyleColorsDark();
    ImGuiStyle &style = ImGui::GetStyle();
    style.WindowRounding = 6;
    style.WindowBorderSize = 0;
    style.WindowPadding = ImVec2(12, 10);
    style.Colors[ImGuiCol_WindowBg] = ImVec4(0.05f, 0.07f, 0.10f, 0.86f);
    style.Colors[ImGuiCol_PlotLines] = ImVec4(0.98f, 0.78f, 0.42f, 1);
}

void add_fonts(Panel *panel)
{
    ImFontConfig config;
    config.SizePixels = 13;
    ImGui::GetIO().Fonts->AddFontDefault(&config);
    config.SizePixels = 26; // a whole multiple keeps the built-in font sharp
    panel->large = ImGui::GetIO().Fonts->AddFontDefault(&config);
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
                     static_cast<float>(panel->shown_frame_ms) * 2.5f, ImVec2(0, 36));
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

void show_figures(Panel *panel, const PanelFigures *figures, PanelChoices *choices)
{
    ImGui::SetNextWindowPos(ImVec2(12, 12), ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize(ImVec2(400, 0));
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin("Figures", nullptr, flags)) {
        show_frame(panel, figures);
        show_gather(panel, figures, choices);
        show_stream(panel, figures);
        show_world(figures);
        ImGui::TextDisabled("F1 keys   F3 hide this");
    }
    ImGui::End();
}

/// @param x,y  where in the window, 0..1; the text's own point of the same parts lies there
void show_text(const char *name, const char *text, float x, float y)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(12 + x * (size.x - 24), 12 + y * (size.y - 24)),
                            ImGuiCond_Always, ImVec2(x, y));
    ImGui::SetNextWindowBgAlpha(1); // it may lie over the figures where the window is small
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration |
                                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs |
                                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing;
    if (ImGui::Begin(name, nullptr, flags)) {
        ImGui::TextUnformatted(text);
    }
    ImGui::End();
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
    choose_style();
    add_fonts(panel);
    if (!ImGui_ImplGlfw_InitForOpenGL(window, true) ||
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
    ImGui::DestroyContext(panel->context);
    delete panel;
}

void panel_draw(Panel *panel, const PanelFigures *figures, PanelChoices *choices, bool mouse_caught)
{
    ImGuiIO &io = ImGui::GetIO();
    if (mouse_caught) {
        io.ConfigFlags |= ImGuiConfigFlags_NoMouse;
    } else {
        io.ConfigFlags &= ~ImGuiConfigFlags_NoMouse;
    }
    smooth(&panel->shown_index_us, figures->index_us);
    if (choices->compare) {
        smooth(&panel->shown_array_us, figures->array_us);
        smooth(&panel->shown_map_us, figures->map_us);
    }
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    if (choices->shown) {
        show_figures(panel, figures, choices);
    }
    if (choices->help) {
        show_text("Keys",
                  "W A S D       fly\n"
                  "mouse         look\n"
                  "Space, Ctrl   up, down; on foot: jump, sneak\n"
                  "Shift         four times as fast\n"
                  "wheel         speed\n"
                  "F             walk; fly again\n"
                  "F1            these keys\n"
                  "F3            figures\n"
                  "F11           full screen\n"
                  "F12           screenshot\n"
                  "click         catch the mouse\n"
                  "Esc           release the mouse; once more to quit",
                  1, 0); // beside the figures
    }
    if (figures->notice) {
        show_text("Notice", figures->notice, 0.5f, 0.96f);
    }
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool panel_has_mouse(const Panel *panel)
{
    (void)panel;
    return ImGui::GetIO().WantCaptureMouse;
}
