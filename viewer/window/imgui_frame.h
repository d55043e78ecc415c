/// The beginning of a frame of Dear ImGui, for the panels and for the start screen. C++.
#ifndef TERRANE_VIEWER_IMGUI_FRAME_H
#define TERRANE_VIEWER_IMGUI_FRAME_H

#include <algorithm>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

/// Asks the window for its size, its events and the time, for the current context. Call
/// ImGui::NewFrame after it.
inline void imgui_frame_begin()
{
    ImGui_ImplOpenGL3_NewFrame(); // the first one creates what fonts need
    ImGui_ImplGlfw_NewFrame();
    // Dear ImGui repeats a key that was held for 0.3 s. A tap that spans two slow frames is not
    // held.
    float &step_s = ImGui::GetIO().DeltaTime;
    step_s = std::min(step_s, 0.1f);
}

#endif
