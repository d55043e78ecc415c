/// The start of a Dear ImGui frame, for the panels and the start screen. C++.
#pragma once

#include <algorithm>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

/// Reads the window's size, events and time into the current context. Call ImGui::NewFrame after
/// it.
inline void imgui_frame_begin()
{
    ImGui_ImplOpenGL3_NewFrame(); // the first call creates the font texture
    ImGui_ImplGlfw_NewFrame();
    // Dear ImGui repeats a key held for 0.3 s. A tap across two slow frames must not count as held.
    float &step_s = ImGui::GetIO().DeltaTime;
    step_s = std::min(step_s, 0.1f);
}
