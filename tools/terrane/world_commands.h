/// The commands on world files. Each has a file of its own.
#ifndef TERRANE_TOOL_WORLD_COMMANDS_H
#define TERRANE_TOOL_WORLD_COMMANDS_H

#include <stdio.h>

/// `terrane new`: makes a world.
int world_new_run(int argc, char **argv);
void world_new_print_help(FILE *stream);

/// `terrane info`: says what a world is and holds.
int world_info_run(int argc, char **argv);
void world_info_print_help(FILE *stream);

/// `terrane verify`: reads and checks everything.
int world_verify_run(int argc, char **argv);
void world_verify_print_help(FILE *stream);

/// `terrane repair`: copies what is whole in a broken file.
int world_repair_run(int argc, char **argv);
void world_repair_print_help(FILE *stream);

/// `terrane prune`: removes chunks that the land generates as they are.
int world_prune_run(int argc, char **argv);
void world_prune_print_help(FILE *stream);

/// `terrane fold`: makes levels of detail.
int world_fold_run(int argc, char **argv);
void world_fold_print_help(FILE *stream);

/// `terrane pregen`: generates an area beforehand.
int world_pregen_run(int argc, char **argv);
void world_pregen_print_help(FILE *stream);

/// `terrane compact`: gives unused space back.
int world_compact_run(int argc, char **argv);
void world_compact_print_help(FILE *stream);

/// `terrane copy`: copies a world between files and databases.
int world_copy_run(int argc, char **argv);
void world_copy_print_help(FILE *stream);

/// `terrane backup`: copies a world that may be in use.
int world_backup_run(int argc, char **argv);
void world_backup_print_help(FILE *stream);

#endif
