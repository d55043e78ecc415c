// Draws 9 x 4 x 9 chunks of the built-in land with three.js. The camera circles above them.
import * as THREE from 'three';
import { Mesher, Store, Terrain, load } from 'terrane-wasm';
import { bufferGeometry } from './geometry.js';

const RADIUS = 4; // chunks
const LOWEST = -1;
const HIGHEST = 2;

function forEachChunk(radius, use) {
    for (let y = LOWEST; y <= HIGHEST; y++) {
        for (let z = -radius; z <= radius; z++) {
            for (let x = -radius; x <= radius; x++) {
                use(x, y, z);
            }
        }
    }
}

/** Meshes the chunks around the origin; those at the border only hide faces. */
async function landMeshes() {
    const terrane = await load();
    const terrain = new Terrain(terrane, { seed: 23 });
    const store = new Store(terrane);
    const mesher = new Mesher(terrane);
    const solid = new THREE.MeshLambertMaterial({ vertexColors: true });
    const leaves = new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide });
    const water = new THREE.MeshLambertMaterial({ vertexColors: true, transparent: true, opacity: 0.7, depthWrite: false });
    const materials = { opaque: solid, cutout: leaves, plants: solid, models: solid, transparent: water };
    const group = new THREE.Group();
    forEachChunk(RADIUS + 1, (x, y, z) => store.insertTerrain(terrain, x, y, z));
    forEachChunk(RADIUS, (x, y, z) => {
        const surfaces = mesher.geometry(store, x, y, z);
        for (const [name, geometry] of Object.entries(surfaces)) {
            if (geometry) {
                const mesh = new THREE.Mesh(bufferGeometry(THREE, geometry), materials[name]);
                mesh.position.set(32 * x, 32 * y, 32 * z); // keeps the vertices' own coordinates small
                group.add(mesh);
            }
        }
    });
    [mesher, store, terrain].forEach((object) => object.dispose());
    return group;
}

function show(land) {
    const renderer = new THREE.WebGLRenderer({ antialias: true });
    const camera = new THREE.PerspectiveCamera(60, 1, 1, 2000);
    const scene = new THREE.Scene();
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(1, 2, 0.5);
    scene.background = new THREE.Color(0x9cc7ee);
    scene.add(land, sun, new THREE.AmbientLight(0xbfd4ff, 1));
    document.body.replaceChildren(renderer.domElement);
    renderer.setAnimationLoop((ms) => {
        renderer.setSize(innerWidth, innerHeight);
        camera.aspect = innerWidth / innerHeight;
        camera.updateProjectionMatrix();
        camera.position.set(200 * Math.sin(ms / 9000), 110, 200 * Math.cos(ms / 9000));
        camera.lookAt(0, 20, 0);
        renderer.render(scene, camera);
    });
}

landMeshes().then(show).catch((error) => {
    document.body.textContent = `The land cannot be drawn: ${error.message}`;
});
