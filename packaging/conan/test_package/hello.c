#include <stdio.h>

#include <terrane/mesher.h>

int main(void)
{
    TrnMesh mesh;
    trn_mesh_init(&mesh, NULL);
    printf("Terrane %s\n", trn_version());
    trn_mesh_free(&mesh);
    return 0;
}
