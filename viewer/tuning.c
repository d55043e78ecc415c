#include "tuning.h"
#include "world/world.h"

_Static_assert(LOOK_SWITCH_COUNT < PANEL_SWITCHES_MAX, "the panel has room for all switches");
_Static_assert(LOOK_DEBUG_COUNT < PANEL_SWITCHES_MAX, "and for all debug views");

static PanelNames make_names(bool has_flat_map)
{
    PanelNames names = {.view_distance_min = WORLD_VIEW_DISTANCE_MIN,
                        .view_distance_max = WORLD_VIEW_DISTANCE_MAX,
                        .memory_min = OPTIONS_MEMORY_MIN,
                        .lookups = {[GATHER_INDEX] = "Terrane's index",
                                    [GATHER_ARRAY] = "a flat spatial array",
                                    [GATHER_FLAT_MAP] = has_flat_map ? "a boost::unordered_flat_map"
                                                                     : "(no Boost 1.81: the index)",
                                    [GATHER_MAP] = "a std::unordered_map"}};
    for (int i = 0; i < LOOK_SWITCH_COUNT; i++) {
        names.switches[i] = look_switch_name((LookSwitch)i);
    }
    for (int i = 0; i < LOOK_DEBUG_COUNT; i++) {
        names.debug[i] = look_debug_name((LookDebug)i);
    }
    return names;
}

void tuning_begin(Tuning *tuning, Viewer *viewer, Settings *settings)
{
    *tuning = (Tuning){.options = *viewer->options,
                       .names = make_names(viewer->compare.flat_map != NULL),
                       .settings = settings};
    viewer->options = &tuning->options;
}

PanelSettings tuning_settings(const Tuning *tuning, const Viewer *viewer, double budget_ms)
{
    const Options *options = &tuning->options;
    const Look look = renderer_look(viewer->renderer);
    PanelSettings settings = {
        .view_distance = options->view_distance,
        .view_height = options_height(options),
        .workers = options->workers == TRN_STREAM_WORKERS_DEFAULT ? -1 : (int)options->workers,
        .memory_mib = options->memory_mib,
        .budget_ms = (float)(tuning->budget_ms > 0 ? tuning->budget_ms : budget_ms),
        .lookup = (int)viewer->compare.used,
        .quality = (int)look.quality,
        .debug = (int)look.debug,
        .hours = look.hours,
        .scale = look.scale,
        .field_of_view = (float)tuning->settings->field_of_view,
    };
    for (int i = 0; i < LOOK_SWITCH_COUNT; i++) {
        settings.on[i] = look.on[i];
    }
    return settings;
}

static bool world_differs(const PanelSettings *before, const PanelSettings *wished)
{
    return before->view_distance != wished->view_distance ||
           before->view_height != wished->view_height || before->workers != wished->workers ||
           before->memory_mib != wished->memory_mib;
}

static ViewerChange apply_world(Tuning *tuning, Viewer *viewer, const PanelSettings *before,
                                const PanelSettings *wished, Message *problem)
{
    if (!world_differs(before, wished)) {
        return VIEWER_CHANGED;
    }
    Options options = tuning->options;
    options.view_distance = wished->view_distance;
    // 0, as far as the view distance, stays that until somebody chooses a height.
    if (wished->view_height != before->view_height) {
        options.view_height = wished->view_height < wished->view_distance ? wished->view_height : 0;
    }
    options.workers = wished->workers < 0 ? TRN_STREAM_WORKERS_DEFAULT : (uint32_t)wished->workers;
    options.memory_mib = wished->memory_mib;
    const ViewerChange change = viewer_change(viewer, &options, problem);
    if (change == VIEWER_CHANGED) {
        tuning->options = options;
        tuning->settings->view_distance = options.view_distance;
        tuning->settings->view_height = options.view_height;
        tuning->settings->workers = wished->workers;
        tuning->settings->memory_mib = options.memory_mib;
    }
    viewer->options = &tuning->options;
    return change;
}

static bool look_differs(const PanelSettings *before, const PanelSettings *wished)
{
    bool differs = before->quality != wished->quality || before->debug != wished->debug ||
                   before->hours != wished->hours || before->scale != wished->scale;
    for (int i = 0; i < LOOK_SWITCH_COUNT; i++) {
        differs = differs || before->on[i] != wished->on[i];
    }
    return differs;
}

static bool apply_look(const Tuning *tuning, const Viewer *viewer, const PanelSettings *before,
                       const PanelSettings *wished, Message *problem)
{
    if (!look_differs(before, wished)) {
        return true;
    }
    Look look = renderer_look(viewer->renderer);
    if (wished->quality != before->quality) {
        look_set_quality(&look, (LookQuality)wished->quality); // and the switches that go with it
        tuning->settings->quality = wished->quality;
    }
    for (int i = 0; i < LOOK_SWITCH_COUNT; i++) {
        look.on[i] = wished->on[i] != before->on[i] ? wished->on[i] : look.on[i];
    }
    look.debug = (LookDebug)wished->debug;
    look.hours = wished->hours;
    look.scale = wished->scale;
    return renderer_set_look(viewer->renderer, &look, problem);
}

bool tuning_apply(Tuning *tuning, Viewer *viewer, const PanelSettings *before,
                  const PanelSettings *wished, Message *problem)
{
    (void)message_set(problem, "%s", "");
    if (wished->budget_ms != before->budget_ms) {
        tuning->budget_ms = (double)wished->budget_ms;
    }
    if (wished->field_of_view != before->field_of_view) {
        tuning->settings->field_of_view = (double)wished->field_of_view;
    }
    if (wished->lookup != before->lookup) {
        (void)gather_compare_use(&viewer->compare, (GatherContender)wished->lookup);
    }
    (void)apply_look(tuning, viewer, before, wished, problem);
    return apply_world(tuning, viewer, before, wished, problem) != VIEWER_LOST;
}
