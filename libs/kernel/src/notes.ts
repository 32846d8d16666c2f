/** Of one object: each {@link Note} has its own entry. */
interface Entry {
  readonly note: object;
  value: unknown;
  readonly next: Entry | undefined;
}

/** A constructor that returns another object lets a subclass add its private fields to that one (ECMAScript, `SuperCall`). */
class Returning {
  constructor(object: object) {
    return object;
  }
}

class Notes extends Returning {
  #first: Entry | undefined;

  static allows(object: object): object is Notes {
    return #first in object;
  }

  static find(object: Notes, note: object): Entry | undefined {
    let entry = object.#first;
    while (entry && entry.note !== note) entry = entry.next;
    return entry;
  }

  static add(object: Notes, note: object, value: unknown): void {
    object.#first = { note, value, next: object.#first };
  }
}

/** Makes room for notes in an object, and returns it. Before the object is frozen. */
export const withNotes = <Key extends object>(object: Key): Key => new Notes(object) as unknown as Key;

/**
 * What one part of the program remembers of objects, as in a WeakMap. In objects that {@link withNotes} has prepared, the value stands in the object itself: of the
 * many thousand objects of a cache that is full, V8 follows the entries of a WeakMap one by one at the end of each collection, while everything else waits
 * (docs/adr/0101-notes-in-place-of-weak-maps.md). A copy of an object has no notes.
 */
export class Note<Key extends object, Value> {
  readonly #others = new WeakMap<Key, Value>();

  get(key: Key): Value | undefined {
    return Notes.allows(key) ? (Notes.find(key, this)?.value as Value | undefined) : this.#others.get(key);
  }

  set(key: Key, value: Value): void {
    if (!Notes.allows(key)) {
      this.#others.set(key, value);
      return;
    }
    const entry = Notes.find(key, this);
    if (entry) entry.value = value;
    else Notes.add(key, this, value);
  }
}
