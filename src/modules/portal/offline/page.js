// On a report: keeps a copy of the page on this device, or takes it away, as the person said. Without it the page works as before.
const box = document.querySelector('[data-copy]')
const scope = '/r'

/** The page as it is read offline: without what needs the net. */
function copyOfPage() {
  const copy = document.documentElement.cloneNode(true)
  for (const one of copy.querySelectorAll('script, form, nav, [data-online], link[rel="manifest"]')) one.remove()
  for (const one of copy.querySelectorAll('[data-offline]')) one.hidden = false
  return `<!doctype html>${copy.outerHTML}`
}

async function keep() {
  await navigator.serviceWorker.register('/r/worker.js', { scope })
  const { active } = await navigator.serviceWorker.ready
  const styles = [...document.querySelectorAll('link[rel="stylesheet"]')].map((one) => one.href)
  navigator.serviceWorker.addEventListener('message', () => {
    box.dataset.copy = 'kept'
  })
  active.postMessage({ html: copyOfPage(), styles, until: box.dataset.until })
}

async function drop() {
  await caches.delete('kitlane-report')
  const found = await navigator.serviceWorker.getRegistration(scope)
  await found?.unregister()
}

// Where a browser has no service worker, such as in some private windows, nothing is offered.
if (box && 'serviceWorker' in navigator) {
  box.hidden = false
  await (box.dataset.copy === 'yes' ? keep() : drop())
}
