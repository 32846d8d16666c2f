import { type DeviceRecord, type DeviceStore, type StoredKeys, WebCryptoKeys } from '#clients/device';
import type { PhoneMemory, PhoneMemoryStore } from './phone-memory.js';

const DATABASE = 'countersign-phone';
const STORE = 'device';
const DEVICE = 'this';
const MEMORY = 'memory';

/** The key in localStorage by which the first frame knows that this browser is a phone: IndexedDB answers too late for that. */
const HINT = 'countersign.phone';

const hint = (act: (storage: Storage) => void): void => {
  try {
    act(localStorage);
  } catch {
    // Storage may be refused: the first frame then invites to set the phone up, until the page has read IndexedDB.
  }
};

type StoredRecord = Omit<DeviceRecord, 'keys'> & { readonly keys: StoredKeys };

/** IndexedDB is the only store of a browser that takes non-extractable keys. */
export class IndexedDbStore implements DeviceStore {
  async load(): Promise<DeviceRecord | undefined> {
    const stored = await withObjectStore<StoredRecord | undefined>('readonly', (store) => store.get(DEVICE));
    return stored && { ...stored, keys: new WebCryptoKeys(stored.keys) };
  }

  async save({ keys, ...record }: DeviceRecord): Promise<void> {
    if (!(keys instanceof WebCryptoKeys)) throw new TypeError('keys of another store');
    const stored: StoredRecord = { ...record, keys: keys.stored };
    await withObjectStore('readwrite', (store) => store.put(stored, DEVICE));
    hint((storage) => storage.setItem(HINT, '1'));
  }

  /** Removes the keys, and with them the memory of this phone. */
  async clear(): Promise<void> {
    await withObjectStore('readwrite', (store) => store.clear());
    hint((storage) => storage.removeItem(HINT));
  }
}

export class IndexedDbMemory implements PhoneMemoryStore {
  load(): Promise<PhoneMemory | undefined> {
    return withObjectStore<PhoneMemory | undefined>('readonly', (store) => store.get(MEMORY));
  }

  async save(memory: PhoneMemory): Promise<void> {
    await withObjectStore('readwrite', (store) => store.put(memory, MEMORY));
  }
}

const withObjectStore = async <Result>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<Result> => {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode, { durability: 'strict' });
    const request = act(transaction.objectStore(STORE));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
    });
    return request.result as Result;
  } finally {
    database.close();
  }
};

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB does not open'));
  });
