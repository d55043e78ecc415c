/// The HUD over the picture: figures, bar of blocks, inventory, help, hints and pause menu. Fills
/// in the data of the panels (panels/panel.h), and receives the user's choices in them.
#pragma once

#include "app/figures.h"
#include "app/mode.h"
#include "app/session.h"

typedef struct Hud {
    Panel *panel;
    PanelChoices choices; ///< made in the last frame
    bool help;            ///< the help is shown
    FiguresTexts texts;
} Hud;

/// @return false if the driver refuses; `problem` receives the reason
bool hud_create(Hud *hud, const Session *session, Message *problem);
void hud_destroy(Hud *hud);

/// What a frame shows that the session does not hold.
typedef struct HudFrame {
    AppMode mode;
    bool is_first;                   ///< show the first hint
    bool is_dark;                    ///< show the hint of the lamp instead
    bool is_hidden;                  ///< draw nothing: only handle the events so far
    const Inventory *inventory;      ///< while the inventory is open; otherwise NULL
    const MapFigures *map;           ///< while the map is open; otherwise NULL
    const BuildingFigures *building; ///< while the panel for buildings is open; otherwise NULL
    const char *hint;                ///< of a mode: which keys do what; or NULL
    bool has_files;                  ///< the pause menu opens and saves files of buildings
} HudFrame;

/// Draws the HUD into the window's framebuffer, and fills in hud->choices.
void hud_draw(Hud *hud, Session *session, const HudFrame *frame);
