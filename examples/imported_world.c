// Imports a world of another game, a picture of heights or a model into a world file, and says what
// could not be imported as it is. Usage: imported_world SOURCE WORLD
#include <stdio.h>

#include <terrane/import.h>

static bool on_progress(void *user, TrnImportProgress now)
{
    (void)user;
    fprintf(stderr, "\r%d %%", (int)(100 * now.done / now.total));
    return true; // false stops
}

static bool on_note(void *user, const TrnImportNote *note)
{
    (void)user;
    printf("%llu x %s %s\n", (unsigned long long)note->count, note->what, note->where);
    return true;
}

/// Makes the world file.
static TrnResult create_save(const char *file, TrnBlockTypes *types, TrnSave **save,
                             TrnStorageProblem *problem)
{
    TrnSaveDef def = trn_save_def();
    def.types = types;
    const TrnResult result = trn_storage_sqlite(file, TRN_STORAGE_CREATE, &def.storage, problem);
    return result == TRN_RESULT_OK ? trn_save_create(&def, save, problem) : result;
}

static TrnResult import_world(const char *source, const char *file, TrnBlockTypes *types,
                              TrnStorageProblem *problem)
{
    TrnImport *import = NULL;
    TrnSave *save = NULL;
    TrnImportDef def = trn_import_def();
    def.path = source; // the format is found from the content
    def.types = types; // receives the names that no block has
    TrnResult result = trn_import_open(&def, &import, problem);
    if (result == TRN_RESULT_OK) {
        result = create_save(file, types, &save, problem);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_import_into(import, save, on_progress, NULL);
        (void)trn_import_report(import, on_note, NULL);
    }
    const TrnResult closed = trn_save_destroy(save);
    trn_import_destroy(import);
    return result == TRN_RESULT_OK ? closed : result;
}

int main(int argc, char **argv)
{
    TrnBlockTypes *types;
    TrnStorageProblem problem = {""};
    if (argc != 3 || trn_block_types_create_builtin(NULL, &types) != TRN_RESULT_OK) {
        fputs("Usage: imported_world SOURCE WORLD\n", stderr);
        return 2;
    }
    const TrnResult result = import_world(argv[1], argv[2], types, &problem);
    trn_block_types_destroy(types);
    if (result != TRN_RESULT_OK) {
        fprintf(stderr, "%s\n", *problem.sentence ? problem.sentence : trn_result_text(result));
        return 1;
    }
    puts("Imported.");
    return 0;
}
