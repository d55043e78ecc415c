#include <stdio.h>

#include <terrane/mesher.h>
#if defined(HELLO_SAVES)
#include <terrane/storage.h>
#endif

int main(void)
{
    TrnMesh mesh;
    trn_mesh_init(&mesh, NULL);
    printf("Terrane %s\n", trn_version());
    trn_mesh_free(&mesh);
#if defined(HELLO_SAVES)
    TrnStorage storage;
    if (trn_storage_sqlite("hello.world", TRN_STORAGE_EITHER, &storage, NULL) != TRN_RESULT_OK) {
        return 1;
    }
    storage.close(storage.user);
#endif
    return 0;
}
