// Shows the one page that was kept when there is no net. It keeps nothing by itself: the page sends what is kept.
const KEPT = 'kitlane-report'
const PAGE = '/r/kept'

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('message', (event) =>
  event.waitUntil(keep(event.data).then(() => event.source.postMessage('kept'))),
)

async function keep({ html, styles, until }) {
  await caches.delete(KEPT)
  const kept = await caches.open(KEPT)
  await kept.addAll(styles)
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'self'; img-src 'self'",
    until,
  }
  await kept.put(PAGE, new Response(html, { headers }))
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (request.destination === 'style') event.respondWith(style(request))
})

async function page(request) {
  try {
    const answer = await fetch(request)
    // The server says when a copy ends: signed out, the visit or the link is over, or somebody else is here.
    if (answer.headers.get('kitlane-copy') === 'drop') await caches.delete(KEPT)
    return answer
  } catch (error) {
    const found = await kept()
    if (found) return found
    throw error
  }
}

/** The page that was kept; none once its link is over. */
async function kept() {
  const found = await caches.match(PAGE, { cacheName: KEPT })
  if (found && Date.parse(found.headers.get('until')) > Date.now()) return found
  await caches.delete(KEPT)
  return undefined
}

const style = async (request) => (await caches.match(request, { cacheName: KEPT })) ?? fetch(request)
