/** The key of sessionStorage under which this tab keeps the request that it shows. */
const OPEN_REQUEST = 'countersign.open-request';

/** Remembers the session that a page shows, so that the next page of the same tab can decline what was left. */
export interface OpenRequest {
  /** The session that this tab showed last, without a decision of its person. */
  read(): string | undefined;
  save(sessionId: string): void;
  clear(): void;
}

const withStorage = <Value>(act: (storage: Storage) => Value): Value | undefined => {
  try {
    return act(sessionStorage);
  } catch {
    return undefined;
  }
};

/** Uses this tab's sessionStorage, which a reload keeps. If the browser refuses storage, a request whose message of leaving was lost expires. */
export class TabOpenRequest implements OpenRequest {
  read(): string | undefined {
    return withStorage((storage) => storage.getItem(OPEN_REQUEST)) ?? undefined;
  }

  save(sessionId: string): void {
    withStorage((storage) => storage.setItem(OPEN_REQUEST, sessionId));
  }

  clear(): void {
    withStorage((storage) => storage.removeItem(OPEN_REQUEST));
  }
}
