/// The figures that the panels show, and the person's choices in them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <terrane/store.h>
#include <terrane/stream.h>

#include "debris/debris.h"
#include "index_view/index_view.h"
#include "panels/overlay.h"
#include "panels/panel_building.h"
#include "panels/panel_inventory.h"
#include "panels/panel_map.h"
#include "panels/panel_palette.h"
#include "series/series.h"
#include "settings/settings.h"

/// The figures. All zeroes: nothing to show.
typedef struct PanelFigures {
    double seconds;    ///< time of the frame, on a monotonic clock
    SeriesFrame frame; ///< this frame's values, for the graphs
    TrnStreamStats stream;
    TrnStreamView view;
    double budget_ms; ///< limit of a stream update
    TrnStoreStats store;
    size_t card_bytes, card_peak; ///< of quads on the graphics card
    uint32_t refused;             ///< chunks that do not fit on the graphics card
    bool has_array, has_flat_map; ///< these two are compared too
    bool is_warm;                 ///< gathers are timed with warm caches, because the clock is
                                  ///< coarse
    uint64_t compared, equal;
    double voxel[3];
    float speed; ///< voxels a second
    bool walking;
    size_t edit_bytes, edit_bytes_max; ///< of changed chunks outside the view
    bool is_saving;                    ///< edit_bytes are instead those of chunks waiting for the
                                       ///< world file
    DebrisStats debris;                ///< not shown if its capacity is 0
    const char *looked_at;             ///< which chunk the camera looks at; NULL: not shown
    const char *why_shown, *why_there; ///< about that chunk: sentences of the stream and of the
                                       ///< store
    const char *hint;                  ///< the last line: which keys help; NULL: none
    const PanelPalette *palette;       ///< the bar of blocks; NULL: none
    const Inventory *inventory;        ///< the open inventory, which needs `palette`; NULL: closed
    const MapFigures *map;             ///< the open map; NULL: closed
    const BuildingFigures *building;   ///< the open panel for buildings; NULL: closed
    bool has_aim;                      ///< a cross in the middle, also without `palette`
    bool is_bare;                      ///< photo mode: figures are hidden
    IndexView *index;                  ///< receives the chosen plane; NULL: not shown
} PanelFigures;

typedef enum PanelTab {
    PANEL_TAB_FRAME, ///< has its own column if the window fits two
    PANEL_TAB_WORLD,
    PANEL_TAB_COUNT
} PanelTab;

/// The person's choices.
typedef struct PanelChoices {
    PanelTab tab;
    bool all_settings; ///< the pause menu shows its second page
    bool keys;         ///< the pause menu shows the keys
    Settings settings; ///< in effect; if `changed`, as the person set them
    bool changed;      ///< by the person in this frame
    bool resume, quit; ///< a button of the pause menu was pressed
    bool leave;        ///< another button: back to the start screen
    bool map;          ///< another button: the map
    bool open;         ///< another button: open a world or a schematic
    bool mark;         ///< another button: save a part of the world
    InventoryChoice inventory;
    MapChoice in_map;           ///< while the map is open
    BuildingChoice in_building; ///< while the panel for buildings is open
} PanelChoices;
