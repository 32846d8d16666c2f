import { openPhone, showPush } from './wake-up.js';

declare const self: ServiceWorkerGlobalScope;
/** The build writes these values in. */
declare const SHELL_FILES: readonly string[];
declare const SHELL_VERSION: string;

const CACHE = `countersign-phone-${SHELL_VERSION}`;

/** Caches the shell, so that the phone opens without a network. Answers of the service are never cached. */
self.addEventListener('install', (event) => {
  const fillCache = async (): Promise<void> => {
    const cache = await caches.open(CACHE);
    await cache.addAll(SHELL_FILES.map((file) => new Request(file, { cache: 'reload' })));
    await self.skipWaiting();
  };
  event.waitUntil(fillCache());
});

self.addEventListener('activate', (event) => {
  const deleteOldCaches = async (): Promise<void> => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith('countersign-phone-') && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(deleteOldCaches());
});

/** The page is fetched anew if there is a network; its files have hashed names and never change. */
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const shell = SHELL_FILES.map((file) => new URL(file, self.registration.scope).href);
  const address = request.url.split(/[?#]/)[0] ?? '';
  if (request.method !== 'GET' || !shell.includes(address)) return;
  event.respondWith(request.mode === 'navigate' ? networkFirst(request, address) : cacheFirst(request, address));
});

/** Browsers require a notification for each push. */
self.addEventListener('push', (event) => event.waitUntil(showPush(event.data?.text() ?? '')));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPhone());
});

const networkFirst = async (request: Request, address: string): Promise<Response> => {
  try {
    return await fetch(request);
  } catch (offline) {
    const shell = await caches.match(address);
    if (shell === undefined) throw offline;
    return shell;
  }
};

const cacheFirst = async (request: Request, address: string): Promise<Response> => (await caches.match(address)) ?? fetch(request);
