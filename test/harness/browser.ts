import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import { sharedWorld, type World } from './world.ts'

export interface Looking {
  /** The session of this person; without one nobody is signed in. */
  cookie?: string
  scheme?: 'light' | 'dark'
  size?: 'desktop' | 'phone'
  /** What the browser prefers to read: a tag such as `es`. */
  language?: string
  /** False: as where scripts are switched off. */
  scripts?: boolean
  /** True: a browser that was never here, with nothing of the dashboard in its cache. */
  isNew?: boolean
}

export interface Stage {
  readonly world: World
  /** A window of its own, on a page of the service: paths begin with a slash. */
  open(path: string, looking?: Looking): Promise<Page>
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }
const photographs = resolve(import.meta.dirname, '../../coverage/browser')
const webFolder = resolve(import.meta.dirname, '../../web')
// Not a measure of speed: a page that never comes ends the test, a busy machine only makes it slow.
const WAIT_MS = 120_000

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Promise<Browser> | undefined
/** One for all files that this process runs; it ends with the process. What pages keep is of their window alone. */
export const chromium = () => (browser ??= launchChromium())

/**
 * A world and windows of a browser for tests: the world that this worker shares, unless another one is started. A test fails where
 * a page threw, wrote an error to the console, or broke the content security policy.
 */
export function useStage(start: () => Promise<World> = sharedWorld): Stage {
  let world: World | undefined
  const used: { context: BrowserContext; isUsual: boolean }[] = []
  // A new context has to load and compile the dashboard again, which is most of the work of opening a page.
  const idle: BrowserContext[] = []
  const faults: string[] = []

  beforeAll(async () => {
    expectBuilt()
    ;[world] = await Promise.all([start(), chromium()])
  })
  afterEach(async ({ task }) => {
    const contexts = used.map(({ context }) => context)
    if (task.result?.state === 'fail') await photograph(contexts, task.name)
    await Promise.all(used.splice(0).map(({ context, isUsual }) => (isUsual ? putBack(context) : context.close())))
    expect(faults.splice(0), 'what the pages complained about').toEqual([])
  })
  afterAll(async () => {
    await Promise.all(idle.splice(0).map((context) => context.close()))
    await world?.stop()
  })

  async function putBack(context: BrowserContext): Promise<void> {
    await empty(context, stage.world.service.url)
    idle.push(context)
  }

  async function contextFor({
    scheme = 'light',
    size = 'desktop',
    scripts = true,
    language = 'en-US',
    isNew = false,
  }: Looking): Promise<BrowserContext> {
    const isUsual = !isNew && scheme === 'light' && size === 'desktop' && scripts && language === 'en-US'
    const context =
      (isUsual && idle.pop()) ||
      (await (
        await chromium()
      ).newContext({
        baseURL: stage.world.service.url,
        viewport: sizes[size],
        hasTouch: size === 'phone',
        colorScheme: scheme,
        locale: language,
        reducedMotion: 'reduce',
        javaScriptEnabled: scripts,
        acceptDownloads: true,
      }))
    used.push({ context, isUsual })
    context.setDefaultTimeout(WAIT_MS)
    return context
  }

  const stage: Stage = {
    get world() {
      if (!world) throw new Error('the world begins with the first test')
      return world
    },
    async open(path, { cookie, ...looking } = {}) {
      const context = await contextFor(looking)
      if (cookie) await context.addCookies([cookieOf(cookie, stage.world.service.url)])
      const page = await context.newPage()
      listen(page, faults)
      await page.goto(path)
      return page
    },
  }
  return stage
}

/** Closes the windows of a context, and forgets what they kept; what the browser has cached of the files of the dashboard stays. */
async function empty(context: BrowserContext, origin: string): Promise<void> {
  await context.setOffline(false)
  const blank = await context.newPage()
  await Promise.all(context.pages().map((page) => page !== blank && page.close()))
  const cdp = await context.newCDPSession(blank)
  for (const of of new Set([origin, origin.replace('127.0.0.1', 'localhost')])) {
    const storageTypes = 'cookies,local_storage,indexeddb,service_workers,cache_storage'
    await cdp.send('Storage.clearDataForOrigin', { origin: of, storageTypes })
  }
  await context.clearCookies()
  await blank.close()
}

/** The page and what it shows can be used by everyone: axe finds nothing that is serious or critical. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await graveFindings(page), page.url()).toEqual([])
}

/** The same in light and dark, where only the contrast differs. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  expect(await findingsInBoth(page), page.url()).toEqual([])
}

/** What axe finds on the page, or `within` a part of it, by all rules in light, and of the contrast in dark. */
export async function findingsInBoth(page: Page, within?: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await graveFindings(page, undefined, within)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await graveFindings(page, ['color-contrast'], within)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((finding) => `in dark, ${finding}`)]
}

/** What axe finds that is serious or critical, by all rules of WCAG 2.2 AA or by the given ones, on the page or `within` a part of it. */
export async function graveFindings(page: Page, rules?: string[], within?: string): Promise<string[]> {
  // Once a document; the short form, since all of it is sent and read each time.
  if (!(await page.evaluate('window.axe !== undefined'))) await page.evaluate(axe)
  const options: RunOptions = {
    resultTypes: ['violations'],
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags },
  }
  const context = within === undefined ? 'document' : JSON.stringify(within)
  const { violations } = (await page.evaluate(`axe.run(${context}, ${JSON.stringify(options)})`)) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
    )
}

// Between an answer and the next question of a page lies a rendering, no more.
const QUIET_MS = 250

/** Waits until the page has asked for nothing for a moment. */
export async function quiet(page: Page): Promise<void> {
  let last = performance.now()
  let open = 0
  const asked = () => {
    open++
    last = performance.now()
  }
  const answered = () => {
    open--
    last = performance.now()
  }
  page.on('request', asked).on('requestfinished', answered).on('requestfailed', answered)
  while (open > 0 || performance.now() - last < QUIET_MS) await page.waitForTimeout(25)
  page.off('request', asked).off('requestfinished', answered).off('requestfailed', answered)
}

/** Nothing lies beside the window. A busy page draws itself a few times until it has taken a new width: what counts is where it comes to rest. */
export async function expectNothingBeside(page: Page, what = page.url()): Promise<void> {
  const beside = () => page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
  await expect.poll(beside, { message: `${what} scrolls sideways` }).toBeLessThanOrEqual(0)
}

const widths = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const

/** Where what is shown ends, in pixels from the left of the window: to be polled, as the page comes to rest. */
export const rightOf = async (shown: Locator): Promise<number> => {
  const { x, width } = (await shown.boundingBox()) ?? { x: Number.NaN, width: 0 }
  return x + width
}

/** The page fits into each of the three widths. `SHOTS` names a folder for a picture of each. */
export async function expectEachWidthFits(page: Page, name: string): Promise<void> {
  for (const [width, height] of widths) {
    await page.setViewportSize({ width, height })
    await quiet(page)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png`, fullPage: true })
    await expectNothingBeside(page, `${name} ${width}`)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** Waits until the page and its data have loaded. */
export async function pageLoaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await quiet(page)
  await expect.poll(() => page.locator('.mantine-Skeleton-root').count()).toBe(0)
}

/** What was to be seen when a test failed, for anyone who looks into it. */
async function photograph(contexts: readonly BrowserContext[], name: string): Promise<void> {
  const pages = contexts.flatMap((context) => context.pages())
  for (const [index, page] of pages.entries()) {
    await page.screenshot({ path: join(photographs, `${name.replaceAll(/\W+/g, '-')}-${index + 1}.png`) })
  }
}

function listen(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    // The browser itself notes each refusal (4xx, and 503 where somebody else has not answered yet), and refusals are shown to people on purpose.
    if (message.type() !== 'error' || /^Failed to load resource: .* status of (4\d\d|503)/.test(message.text())) return
    // Nor is it a fault of the page that a test took it off the net.
    if (message.text().includes('net::ERR_INTERNET_DISCONNECTED')) return
    faults.push(`${page.url()}: ${message.text()}`)
  })
}

function cookieOf(cookie: string, url: string) {
  const [pair = ''] = cookie.split(';')
  const at = pair.indexOf('=')
  return { name: pair.slice(0, at), value: pair.slice(at + 1), url, httpOnly: true, sameSite: 'Strict' as const }
}

/** What is tested is what people get: the built dashboard, built from these sources. */
function expectBuilt(): void {
  const built = statSync(join(webFolder, 'dist/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const newer = ['src', 'index.html', 'vite.config.ts'].flatMap((path) => filesIn(join(webFolder, path)))
  const late = newer.filter((path) => statSync(path).mtimeMs > built)
  if (late.length > 0) throw new Error(`web/dist is older than ${late[0]}: run npm run build`)
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
