import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { saidTexts, unwrappedWords } from './dashboard-words.ts'
import { anyOf } from './message-shape.ts'
import { read, trackedFiles } from './sources.ts'

// Words that nearly every English sentence has, and no Spanish one. An ID may begin with one, such as OF3D2Y4ZBS.
const STOP_WORDS =
  /(?<![\p{L}\d])(the|of|and|to|is|are|was|were|with|for|your|this|that|not|by|from|have|it|its|on|an|be|been|when|who|they|them|all|only|each|yet|which|what|what's|how|can|will|does|than|there)(?![\p{L}\d])/iu

// Letters and digits without a space.
const ID = /^(?=\S*\d)[\w-]+$/

/** Runs in the page. The texts that are seen, but for those marked as English and those that are code. */
const seenTexts = `(() => {
  const seen = []
  const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!element.checkVisibility() || element.closest('[lang=en], code, pre, kbd, textarea, time')) continue
    const text = node.textContent.replace(/\\s+/g, ' ').trim()
    if (text) seen.push(text)
  }
  return seen
})()`

/** The texts of the page that are English sentences. `data`: what people wrote, and names. */
export async function englishSeen(page: Page, data: readonly (string | RegExp)[] = []): Promise<string[]> {
  const seen = (await page.evaluate(seenTexts)) as string[]
  const gaps = untranslated()
  return [...new Set(seen)]
    .filter((text) => STOP_WORDS.test(text) && !ID.test(text))
    .filter((text) => !data.some((one) => (typeof one === 'string' ? text.includes(one) : one.test(text))))
    .filter((text) => !gaps.some((gap) => gap.test(text)))
}

let gapsFound: RegExp[] | undefined
/** What of the dashboard has no Spanish words yet. Empty once all is translated, as another test demands. */
function untranslated(): RegExp[] {
  if (gapsFound) return gapsFound
  const paths = trackedFiles()
  const files = paths.filter((path) => /^web\/src\/language\/es\/[\w-]+\.json$/.test(path))
  const spanish: Record<string, string> = Object.assign(
    {},
    ...files.map((path) => JSON.parse(readFileSync(path, 'utf8'))),
  )
  const sources = read(
    paths.filter((path) => /^web\/src\/.*\.tsx?$/.test(path) && !path.startsWith('web/src/language/')),
  )
  const missing = sources.flatMap((source) => saidTexts(source).texts.filter((text) => spanish[text] === undefined))
  const bare = sources.flatMap(unwrappedWords).map(({ words }) => words.split('\0').map(escaped).join('.+'))
  gapsFound = [...missing.map((text) => anyOf(text)), ...bare].map((text) => new RegExp(`^${text}$`))
  return gapsFound
}

const escaped = (text: string) => text.trim().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
