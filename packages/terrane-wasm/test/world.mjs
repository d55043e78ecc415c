// The work that the tests hash and the bench times; native.c does the same.
export const SEED = 23;

/** Calls use(x, y, z) for 7 x 5 x 7 chunks: caves, ground with sea and trees, and sky. */
export function forEachChunk(use) {
    for (let y = -2; y <= 2; y++) {
        for (let z = -3; z <= 3; z++) {
            for (let x = -3; x <= 3; x++) {
                use(x, y, z);
            }
        }
    }
}

/** Adds numbers of up to 32 bits to a hash. */
export function hashArray(hash, numbers) {
    for (const number of numbers) {
        hash = Math.imul(hash ^ number, 0x9E3779B1);
        hash ^= hash >>> 15;
    }
    return hash;
}

export const hex = (hash) => `0x${(hash >>> 0).toString(16).toUpperCase().padStart(8, '0')}`;

/** A hash of 64 bits as two words, as in examples/world_hash.c. */
export class WorldHash {
    low = 0;
    high = 0;

    /** Adds a number of 64 bits, by its words. */
    add(low, high) {
        const [a, b] = [low ^ this.low, high ^ this.high];
        // Times 0x9E3779B97F4A7C15, whose lower word is 0x7F4A7C15: products of 16 bits, which numbers hold.
        const [a1, a0] = [a >>> 16, a & 0xFFFF];
        const middle = (a0 * 0x7C15 >>> 16) + (a1 * 0x7C15 & 0xFFFF) + (a0 * 0x7F4A & 0xFFFF);
        const carry = a1 * 0x7F4A + (a1 * 0x7C15 >>> 16) + (a0 * 0x7F4A >>> 16) + (middle >>> 16);
        this.high = (carry + Math.imul(a, 0x9E3779B9) + Math.imul(b, 0x7F4A7C15)) | 0;
        this.low = Math.imul(a, 0x7F4A7C15) ^ this.high;
    }

    addAll(numbers) {
        for (const number of numbers) {
            this.add(number, 0);
        }
    }

    get hex() {
        return hex(this.high) + hex(this.low).slice(2);
    }
}

/** Calls set(x, y, z, block) for each edit of examples/world_hash.c. */
export function forEachEdit(set) {
    for (let i = -2; i <= 2; i++) {
        const radius = 9.5 + i;
        for (let y = -12; y <= 12; y++) {
            for (let z = -12; z <= 12; z++) {
                for (let x = -12; x <= 12; x++) {
                    if (x * x + y * y + z * z <= radius * radius) {
                        set(32 * i + x, 7 * i + y, -32 * i + z, 0);
                    }
                }
            }
        }
    }
    for (let y = -12; y <= 30; y++) {
        for (let x = -70; x <= 70; x++) {
            set(x, y, 3, 1);
            set(x, y, 4, 1);
        }
    }
    for (let i = 0; i < 500; i++) {
        set(i * 37 % 200 - 100, i * 11 % 90 - 45, i * 53 % 200 - 100, i % 5 + 1);
    }
}
