/// Events and the start of a Dear ImGui frame, for the panels and the start screen. C++.
///
/// The window queues its events, so Dear ImGui installs no callbacks: it gets one batch after the
/// other, and builds a frame for each that must not be missed.
#pragma once

#include <algorithm>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "window/events.h"

#if IMGUI_VERSION_NUM >= 18700 // has a queue of its own for what is fed here
inline void imgui_feed_mouse(const WindowEvent &event)
{
    ImGuiIO &io = ImGui::GetIO();
    const auto right = static_cast<float>(event.right), height = static_cast<float>(event.height);
    if (event.kind == WINDOW_EVENT_BUTTON) {
        io.AddMouseButtonEvent(event.code, event.is_down);
    } else if (event.kind == WINDOW_EVENT_CURSOR) {
        io.AddMousePosEvent(right, height);
    } else if (event.kind == WINDOW_EVENT_WHEEL) {
        io.AddMouseWheelEvent(right, height);
    }
}
inline void imgui_read_gamepad()
{
} // it knows what buttons mean
#else
inline void imgui_feed_mouse(const WindowEvent &event)
{
    ImGuiIO &io = ImGui::GetIO();
    const auto right = static_cast<float>(event.right), height = static_cast<float>(event.height);
    if (event.kind == WINDOW_EVENT_BUTTON && event.code < ImGuiMouseButton_COUNT) {
        io.MouseDown[event.code] = event.is_down;
    } else if (event.kind == WINDOW_EVENT_CURSOR) {
        io.MousePos = ImVec2(right, height);
    } else if (event.kind == WINDOW_EVENT_WHEEL) {
        io.MouseWheelH += right;
        io.MouseWheel += height;
    }
}

/// Reads the first gamepad by what its buttons mean: Dear ImGui's own way depends on the model.
inline void imgui_read_gamepad()
{
    struct Mapping {
        ImGuiNavInput input;
        int button;
    };
    static const Mapping buttons[] = {
        {ImGuiNavInput_Activate, GLFW_GAMEPAD_BUTTON_A},
        {ImGuiNavInput_Cancel, GLFW_GAMEPAD_BUTTON_B},
        {ImGuiNavInput_Input, GLFW_GAMEPAD_BUTTON_Y},
        {ImGuiNavInput_DpadLeft, GLFW_GAMEPAD_BUTTON_DPAD_LEFT},
        {ImGuiNavInput_DpadRight, GLFW_GAMEPAD_BUTTON_DPAD_RIGHT},
        {ImGuiNavInput_DpadUp, GLFW_GAMEPAD_BUTTON_DPAD_UP},
        {ImGuiNavInput_DpadDown, GLFW_GAMEPAD_BUTTON_DPAD_DOWN},
        {ImGuiNavInput_TweakSlow, GLFW_GAMEPAD_BUTTON_LEFT_BUMPER},
        {ImGuiNavInput_TweakFast, GLFW_GAMEPAD_BUTTON_RIGHT_BUMPER},
    };
    ImGuiIO &io = ImGui::GetIO();
    GLFWgamepadstate now;
    int joystick = GLFW_JOYSTICK_1;
    while (joystick <= GLFW_JOYSTICK_LAST && !glfwGetGamepadState(joystick, &now)) {
        joystick++;
    }
    if (joystick > GLFW_JOYSTICK_LAST || !(io.ConfigFlags & ImGuiConfigFlags_NavEnableGamepad)) {
        return;
    }
    io.BackendFlags |= ImGuiBackendFlags_HasGamepad;
    std::fill_n(io.NavInputs, +ImGuiNavInput_COUNT, 0.0f);
    for (const Mapping &mapping : buttons) {
        io.NavInputs[mapping.input] = now.buttons[mapping.button] ? 1.0f : 0.0f;
    }
    const float right = now.axes[GLFW_GAMEPAD_AXIS_LEFT_X],
                down = now.axes[GLFW_GAMEPAD_AXIS_LEFT_Y];
    io.NavInputs[ImGuiNavInput_LStickLeft] = std::max(-right - 0.3f, 0.0f);
    io.NavInputs[ImGuiNavInput_LStickRight] = std::max(right - 0.3f, 0.0f);
    io.NavInputs[ImGuiNavInput_LStickUp] = std::max(-down - 0.3f, 0.0f);
    io.NavInputs[ImGuiNavInput_LStickDown] = std::max(down - 0.3f, 0.0f);
}
#endif

/// Passes a batch of events to the current context.
/// @param takes_text     letters are typed into it
/// @param takes_presses  if not, only releases are passed
inline void imgui_feed(GLFWwindow *window, const EventBatch &batch, bool takes_text,
                       bool takes_presses)
{
    for (size_t i = 0; i < batch.count; i++) {
        const WindowEvent &event = batch.events[i];
        if (!takes_presses && (event.is_down || event.kind == WINDOW_EVENT_WHEEL)) {
            continue;
        }
        if (event.kind == WINDOW_EVENT_KEY) {
            ImGui_ImplGlfw_KeyCallback(window, event.code, 0,
                                       event.is_down ? GLFW_PRESS : GLFW_RELEASE, 0);
        } else if (event.kind == WINDOW_EVENT_TEXT && takes_text) {
            ImGui_ImplGlfw_CharCallback(window, event.text);
        } else if (event.kind == WINDOW_EVENT_BLUR) {
            ImGui_ImplGlfw_WindowFocusCallback(window, 0);
        } else {
            imgui_feed_mouse(event);
        }
    }
}

/// Whether the mouse is where the system says: no event of it is left, and no click was elsewhere.
inline bool imgui_is_settled(const EventBatch &batch)
{
    return batch.is_last &&
           std::none_of(batch.events, batch.events + batch.count,
                        [](const WindowEvent &event) { return event.kind == WINDOW_EVENT_BUTTON; });
}

/// Reads the window's size and time into the current context. Call ImGui::NewFrame after it.
/// @param is_settled  the mouse is where the system says, not where the last event said
inline void imgui_frame_begin(bool is_settled)
{
    ImGuiIO &io = ImGui::GetIO();
    const ImVec2 mouse = io.MousePos;
    bool down[ImGuiMouseButton_COUNT];
    std::copy_n(io.MouseDown, +ImGuiMouseButton_COUNT, down);
    ImGui_ImplOpenGL3_NewFrame(); // the first call creates the font texture
    ImGui_ImplGlfw_NewFrame();    // asks the system for the mouse
    imgui_read_gamepad();
    std::copy_n(down, +ImGuiMouseButton_COUNT, io.MouseDown);
    if (!is_settled && ImGui::IsMousePosValid(&mouse)) {
        io.MousePos = mouse;
    }
    // Dear ImGui repeats a key held for 0.3 s. A tap across two slow frames must not count as held.
    io.DeltaTime = std::clamp(io.DeltaTime, 1e-4f, 0.1f);
}
