// Keeps the files of one folder in the browser's storage (IndexedDB), one record a file. The format
// is that of Emscripten's IDBFS, so that worlds it has stored stay. IDBFS itself would never answer
// again once a transaction is aborted, as it is when the storage is full.
'use strict';
class StoredFiles {
    static STORE = 'FILE_DATA';
    static VERSION = 21;

    /// @param FS  of Emscripten
    /// @param folder  which exists; also the database's name
    constructor(FS, folder) {
        this.FS = FS;
        this.folder = folder;
        this.db = null;
        this.stored = new Map(); // path to stamp
    }

    /// Reads all stored files into the folder. Rejects if the browser refuses.
    async load() {
        const {FS} = this;
        await this.#open();
        const transaction = this.db.transaction(StoredFiles.STORE, 'readonly');
        const store = transaction.objectStore(StoredFiles.STORE);
        const answer = request => new Promise((resolve, reject) => {
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
        });
        // In the order of their paths, so that a folder comes before what is in it.
        const requests = [store.getAllKeys(), store.getAll()];
        const [paths, entries] = await Promise.all(requests.map(answer));
        paths.forEach((path, i) => {
            const {contents, mode, timestamp} = entries[i];
            if (FS.isDir(mode)) {
                FS.mkdirTree(path);
            } else {
                FS.writeFile(path, contents, {canOwn: true});
                FS.utime(path, timestamp, timestamp);
            }
        });
        this.stored = this.#stamps(Infinity);
    }

    /// Stores what has changed, all of it or nothing. Rejects if the browser refuses; the next call
    /// tries again. Not while a call is under way.
    async save() {
        const {FS} = this;
        if (!this.db) await this.#open();
        const found = this.#stamps(Date.now());
        const changed = [...found].filter(([path, stamp]) => this.stored.get(path) !== stamp);
        const removed = [...this.stored.keys()].filter(path => !found.has(path));
        if (!changed.length && !removed.length) return;
        const transaction = this.db.transaction(StoredFiles.STORE, 'readwrite');
        const done = new Promise((resolve, reject) => {
            transaction.oncomplete = resolve;
            transaction.onabort = () => reject(transaction.error || new Error('aborted'));
        });
        try {
            const store = transaction.objectStore(StoredFiles.STORE);
            for (const [path] of changed) {
                const {mode, mtime} = FS.stat(path);
                const contents = FS.isDir(mode) ? {} : {contents: FS.readFile(path)};
                store.put({timestamp: mtime, mode, ...contents}, path);
            }
            for (const path of removed) store.delete(path);
        } catch (error) {
            done.catch(() => {}); // this error says more
            transaction.abort();
            throw error;
        }
        await done;
        this.stored = found;
    }

    #open() {
        return new Promise((resolve, reject) => {
            const request = indexedDB.open(this.folder, StoredFiles.VERSION);
            request.onupgradeneeded = () => {
                const db = request.result;
                if (!db.objectStoreNames.contains(StoredFiles.STORE)) {
                    // An older version of the page looks for the index.
                    db.createObjectStore(StoredFiles.STORE).createIndex('timestamp', 'timestamp');
                }
            };
            request.onsuccess = () => {
                this.db = request.result;
                // The user has deleted the page's data: all is to be stored again.
                this.db.onclose = () => { this.db = null; this.stored = new Map(); };
                resolve();
            };
            request.onerror = () => reject(request.error);
        });
    }

    /// What tells whether a file has changed.
    /// @param now  a file of this millisecond may still change within it, so it is stored again
    #stamps(now, folder = this.folder, stamps = new Map()) {
        const {FS} = this;
        for (const name of FS.readdir(folder)) {
            if (name === '.' || name === '..') continue;
            const path = `${folder}/${name}`, {mode, mtime, size} = FS.stat(path);
            if (FS.isDir(mode)) {
                stamps.set(path, 'folder');
                this.#stamps(now, path, stamps);
            } else {
                stamps.set(path, mtime.getTime() < now ? `${mtime.getTime()} ${size}` : NaN);
            }
        }
        return stamps;
    }
}
