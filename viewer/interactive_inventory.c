#include "interactive_impl.h"

/// In a demo, a flight or a pause, and before there is land, nothing is built.
static bool inventory_may_open(const Interactive *run)
{
    return run->ready && !run->paused && !run->playing && !run->demo.is_playing &&
           !run->photo.is_open;
}

static void open_inventory(Interactive *run)
{
    Message text;
    const TrnBlockTypes *types = trn_store_block_types(world_store(run->viewer.world));
    if (!inventory_create(&run->inventory, hand_palette(run->person.hand), types)) {
        (void)message_set(&text, "Out of memory for the inventory.");
        interactive_notify(run, &text);
        return;
    }
    run->help = false; // it would lie over the tiles
    window_catch_mouse(&run->viewer.window, false);
}

bool interactive_has_inventory(const Interactive *run)
{
    return run->inventory.tiles != NULL;
}

bool interactive_close_inventory(Interactive *run)
{
    if (!interactive_has_inventory(run)) {
        return false;
    }
    inventory_free(&run->inventory);
    window_catch_mouse(&run->viewer.window, !run->paused);
    return true;
}

void interactive_handle_inventory(Interactive *run, const Input *input)
{
    if (input->presses[INPUT_INVENTORY] % 2 == 0) {
        return;
    }
    if (!interactive_close_inventory(run) && inventory_may_open(run)) {
        open_inventory(run);
    }
}

Input interactive_input_of_inventory(const Interactive *run, const Input *input)
{
    Input left = input_of_program(input);
    if (panel_has_keyboard(run->panel)) { // letters are for the search
        left = (Input){0};
        left.presses[INPUT_PAUSE] = input->presses[INPUT_PAUSE];
    } else {
        left.presses[INPUT_INVENTORY] = input->presses[INPUT_INVENTORY];
    }
    return left;
}

void interactive_take_from_inventory(Interactive *run)
{
    const InventoryChoice choice = run->choices.inventory;
    Palette *palette = hand_palette(run->person.hand);
    if (!interactive_has_inventory(run)) {
        return;
    }
    if (choice.has_slot && choice.block == TRN_BLOCK_AIR) {
        (void)palette_choose_slot(palette, choice.slot);
    } else if (choice.has_slot) {
        (void)palette_put(palette, choice.slot, choice.block);
    }
    if (choice.close) {
        (void)interactive_close_inventory(run);
    }
}
