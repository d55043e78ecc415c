/// terrane: the world tool. Its first word is a command.
#include "commands.h"
#include "interrupt.h"
#include "options_run.h"
#include "program.h"

int main(int argc, char **argv)
{
    interrupt_watch();
    return program_finish_output(TERRANE.name, options_run(&TERRANE, argc, argv));
}
