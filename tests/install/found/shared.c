// Asks for a world in a database, on a server that is not there.
#include <stdio.h>

#include <terrane/shared.h>

int main(void)
{
    TrnStorage storage;
    const TrnResult result =
        trn_storage_open_any("postgresql:///w?host=/nowhere", TRN_STORAGE_OPEN, &storage, NULL);
    puts(result == TRN_RESULT_IO ? "no server" : trn_result_text(result));
    return 0;
}
