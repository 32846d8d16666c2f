declare const self: ServiceWorkerGlobalScope;
/** Written in by the build. */
declare const SHELL_FILES: readonly string[];
declare const SHELL_VERSION: string;

const CACHE = `countersign-phone-${SHELL_VERSION}`;

/** Keeps the shell, so that the phone opens without a network. No answer of the service is ever kept. */
self.addEventListener('install', (event) => {
  const fill = async (): Promise<void> => {
    const cache = await caches.open(CACHE);
    await cache.addAll(SHELL_FILES.map((file) => new Request(file, { cache: 'reload' })));
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener('activate', (event) => {
  const tidy = async (): Promise<void> => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith('countersign-phone-') && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

/** The page itself comes fresh where there is a network; its files never change under their names. */
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const shell = SHELL_FILES.map((file) => new URL(file, self.registration.scope).href);
  const address = request.url.split(/[?#]/)[0] ?? '';
  if (request.method !== 'GET' || !shell.includes(address)) return;
  event.respondWith(request.mode === 'navigate' ? fresh(request, address) : kept(request, address));
});

const fresh = async (request: Request, address: string): Promise<Response> => {
  try {
    return await fetch(request);
  } catch (offline) {
    const shell = await caches.match(address);
    if (shell === undefined) throw offline;
    return shell;
  }
};

const kept = async (request: Request, address: string): Promise<Response> => (await caches.match(address)) ?? fetch(request);

export {};
