// The only script of the documentation: the scheme, the buttons that copy, and the search. Every page works without it.
const root = document.documentElement
const kept = localStorage.getItem('kitlane-docs-scheme')
if (kept) root.dataset.scheme = kept

addEventListener('DOMContentLoaded', () => {
  const button = document.querySelector('.scheme')
  button.hidden = false
  button.addEventListener('click', () => {
    const isDark = root.dataset.scheme
      ? root.dataset.scheme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.scheme = isDark ? 'light' : 'dark'
    localStorage.setItem('kitlane-docs-scheme', root.dataset.scheme)
  })
  for (const block of document.querySelectorAll('pre')) addCopy(block)
  showCurrent(document.querySelector('.side'))
  setUpSearch(document.querySelector('search'))
})

/** Scrolls the navigation, and not the page, to the entry of this page. */
function showCurrent(side) {
  const current = side.querySelector('[aria-current]')
  if (current) side.scrollTop = current.offsetTop - side.offsetTop - side.clientHeight / 2
}

function addCopy(block) {
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'copy'
  copy.textContent = 'Copy'
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent)
    copy.textContent = 'Copied'
    setTimeout(() => {
      copy.textContent = 'Copy'
    }, 1500)
  })
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  frame.append(block, copy)
}

function setUpSearch(search) {
  const field = search.querySelector('input')
  const found = search.querySelector('.found')
  const status = search.querySelector('[role=status]')
  search.hidden = false
  let loading
  const load = () => {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.src = `${document.body.dataset.root}search.js`
      script.addEventListener('load', () => resolve(globalThis.docsIndex))
      script.addEventListener('error', reject)
      document.head.append(script)
    }).catch((error) => {
      // The next focus, or the next letter, tries again.
      loading = undefined
      throw error
    })
    return loading
  }
  let isMissing = false
  const sayMissing = () => {
    isMissing = true
    const sentence = document.createElement('p')
    sentence.textContent = MISSING
    found.replaceChildren(sentence)
    found.hidden = false
    status.textContent = MISSING
    search.classList.add('empty')
  }
  const show = async () => {
    const asked = field.value.trim()
    let hits = []
    try {
      if (asked) hits = ranked(await load(), asked)
    } catch {
      return sayMissing()
    }
    if (field.value.trim() !== asked) return
    isMissing = false
    found.replaceChildren(...hits.map(linkTo))
    found.hidden = hits.length === 0
    status.textContent = asked ? (hits.length === 0 ? 'Nothing found' : `${hits.length} found`) : ''
    search.classList.toggle('empty', asked !== '' && hits.length === 0)
  }
  field.addEventListener('focus', () => load().then(() => isMissing && show(), sayMissing))
  field.addEventListener('input', show)
  search.addEventListener('keydown', (event) => {
    const links = [...found.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement)
    if (event.key === 'Escape') {
      found.hidden = true
      field.focus()
    } else if (event.key === 'ArrowDown') links[at + 1]?.focus()
    else if (event.key === 'ArrowUp') (links[at - 1] ?? field).focus()
    else if (event.key === 'Enter' && document.activeElement === field) links[0]?.click()
    else return
    event.preventDefault()
  })
  document.addEventListener('click', (event) => {
    if (!search.contains(event.target)) found.hidden = true
  })
  document.addEventListener('keydown', (event) => {
    if (
      event.key !== '/' ||
      event.ctrlKey ||
      event.metaKey ||
      /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)
    )
      return
    event.preventDefault()
    field.focus()
  })
}

const MISSING = 'The search could not be loaded. Check the connection, then try again.'
const MOST = 12

/** The sections in which every word of the question begins a word, the best first. */
function ranked(index, question) {
  const words = question.toLowerCase().split(/\s+/)
  const hits = []
  for (const [address, title, sections] of index) {
    for (const [anchor, heading, text] of sections) {
      const scores = words.map((word) => scoreOf(word, heading.toLowerCase(), title.toLowerCase(), ` ${text}`))
      if (scores.includes(0)) continue
      const score = scores.reduce((sum, one) => sum + one) + (anchor === '' ? 1 : 0)
      hits.push({ address, title, anchor, heading, score })
    }
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, MOST)
}

function scoreOf(word, heading, title, text) {
  const begins = (words) => words.split(/[^\p{L}\p{N}_]+/u).some((one) => one.startsWith(word))
  return (begins(heading) ? 8 : 0) + (begins(title) ? 4 : 0) + (text.includes(` ${word}`) ? 1 : 0)
}

function linkTo({ address, title, anchor, heading }) {
  const link = document.createElement('a')
  link.href = document.body.dataset.root + address + (anchor && `#${anchor}`)
  const strong = document.createElement('b')
  strong.textContent = heading
  link.append(strong)
  if (heading !== title) {
    const small = document.createElement('small')
    small.textContent = title
    link.append(small)
  }
  return link
}
