// Draws 9 x 4 x 9 chunks of the built-in land with three.js, as a block that is cut out of it.
// The camera circles above.
import * as THREE from 'three';
import { Mesher, Store, Terrain, load } from 'terrane-wasm';
import { bufferGeometry } from './geometry.js';

const SEED = 3; // around its origin lie a river, a cliff and meadows
const RADIUS = 4; // chunks
const LOWEST = -1;
const HIGHEST = 2;

function forEachChunk(use) {
    for (let y = LOWEST; y <= HIGHEST; y++) {
        for (let z = -RADIUS; z <= RADIUS; z++) {
            for (let x = -RADIUS; x <= RADIUS; x++) {
                use(x, y, z);
            }
        }
    }
}

/** Meshes the chunks around the origin, with the sides where the block is cut. */
async function landMeshes() {
    const terrane = await load();
    const terrain = new Terrain(terrane, { seed: SEED });
    const store = new Store(terrane);
    const mesher = new Mesher(terrane);
    const solid = new THREE.MeshLambertMaterial({ vertexColors: true });
    const leaves = new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide });
    const water = new THREE.MeshLambertMaterial({
        vertexColors: true,
        transparent: true,
        opacity: 0.7,
        depthWrite: false,
    });
    const materials = {
        opaque: solid,
        cutout: leaves,
        plants: solid,
        models: solid,
        transparent: water,
    };
    const group = new THREE.Group();
    forEachChunk((x, y, z) => store.insertTerrain(terrain, x, y, z));
    forEachChunk((x, y, z) => {
        const surfaces = mesher.geometry(store, x, y, z, { missingIsSolid: false });
        for (const [name, geometry] of Object.entries(surfaces)) {
            if (geometry) {
                const mesh = new THREE.Mesh(bufferGeometry(THREE, geometry), materials[name]);
                // The vertices' own coordinates stay small.
                mesh.position.set(32 * x, 32 * y, 32 * z);
                group.add(mesh);
            }
        }
    });
    [mesher, store, terrain].forEach((object) => object.dispose());
    return group;
}

function show(land) {
    const renderer = new THREE.WebGLRenderer({ antialias: true });
    const camera = new THREE.PerspectiveCamera(45, 1, 1, 2000);
    const scene = new THREE.Scene();
    const sun = new THREE.DirectionalLight(0xfff3dd, 3);
    sun.position.set(1, 2, 0.5);
    scene.background = new THREE.Color(0x9cc7ee);
    scene.add(land, sun, new THREE.HemisphereLight(0xbfd4ff, 0x6b5a45, 2));
    const resize = () => {
        renderer.setPixelRatio(devicePixelRatio);
        renderer.setSize(innerWidth, innerHeight);
        camera.aspect = innerWidth / innerHeight;
        camera.updateProjectionMatrix();
    };
    addEventListener('resize', resize);
    resize();
    document.body.replaceChildren(renderer.domElement);
    renderer.setAnimationLoop((ms) => {
        const angle = 3 + ms / 9000;
        camera.position.set(16 + 340 * Math.sin(angle), 190, 16 + 340 * Math.cos(angle));
        camera.lookAt(16, 0, 16);
        renderer.render(scene, camera);
    });
}

landMeshes()
    .then(show)
    .catch((error) => {
        document.getElementById('message').textContent =
            `The land cannot be drawn: ${error.message}`;
    });
