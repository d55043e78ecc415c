#include "app/inventory_mode.h"

bool inventory_mode_begin(Inventory *inventory, Session *session)
{
    const TrnBlockTypes *types = trn_store_block_types(world_store(session->viewer.world));
    if (!inventory_create(inventory, hand_palette(session->person.hand), types)) {
        notices_say(&session->notices, "Out of memory for the inventory.");
        return false;
    }
    person_release(&session->person); // it may be closed in the same frame
    window_catch_mouse(&session->viewer.window, false);
    return true;
}

void inventory_mode_end(Inventory *inventory, Session *session)
{
    inventory_free(inventory);
    window_catch_mouse(&session->viewer.window, true);
}

Input inventory_mode_input(const Input *input)
{
    Input left = input_of_program(input);
    left.presses[INPUT_INVENTORY] = input->presses[INPUT_INVENTORY];
    return left;
}

void inventory_mode_take(Session *session, const InventoryChoice *choice)
{
    Palette *palette = hand_palette(session->person.hand);
    if (choice->has_slot && choice->block == TRN_BLOCK_AIR) {
        (void)palette_choose_slot(palette, choice->slot);
    } else if (choice->has_slot) {
        (void)palette_put(palette, choice->slot, choice->block);
    }
}
