// Keeps the whole site for use without a network. The build fills in the files and
// a version that changes with them.
const own = `gomoku ${self.registration.scope} `; // other sites of this host have their own
const version = own + 'VERSION';
const files = ['FILES'];

self.addEventListener('install', (event) => {
  const fresh = files.map((name) => new Request(name, { cache: 'no-cache' }));
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((n) => n.startsWith(own) && n !== version).map((n) => caches.delete(n))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(
    caches.open(version).then(async (cache) => (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request)),
  );
});
