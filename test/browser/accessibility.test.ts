import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findingsInBoth, pageLoaded, useStage } from '../harness/browser.ts'
import { dialogFindings, keyboardFindings } from '../harness/keyboard.ts'
import { overflowByWidth } from '../harness/overflow.ts'
import { createPageFixtures, type PageFixtures } from '../harness/page-fixtures.ts'
import { shapeOf } from '../harness/page-routes.ts'
import {
  businessPages,
  entryPages,
  operatorPages,
  personPages,
  recipientPages,
  type ShownPage,
  sandboxPages,
} from '../harness/pages.ts'
import { openSample } from '../harness/sample.ts'
import { ownWorld } from '../harness/world.ts'

// Of the pages that are built of the same parts, one in so many is looked at closely, and one at least: 24 of 90. Each of the others
// is opened by languages.test.ts, and none may complain there.
const ONE_IN = 6
const sample = openSample('accessibility')

describe('every page can be used by everyone, in light and dark, and fits windows from a phone to a desk:', () => {
  // The operator’s lists have just what the fixtures made: a long list would be walked through row by row.
  const stage = useStage(() => ownWorld('looks at lists of all businesses'))
  let fixtures: PageFixtures

  beforeAll(async () => {
    fixtures = await createPageFixtures(stage.world)
  })

  it('the operator’s pages', async () => {
    const { admin } = fixtures
    await check(await stage.open('/app/operator', { cookie: admin.cookie }), operatorPages(fixtures))
  })

  it('the pages of a business', async () => {
    const { owner } = fixtures
    await check(await stage.open('/app/', { cookie: owner.cookie }), [
      ...businessPages(fixtures),
      ...sandboxPages(fixtures),
      ...personPages,
    ])
  })

  it('the pages before signing in', async () => {
    await check(await stage.open('/app/sign-in'), entryPages)
  })

  it('the recipient’s pages, on a phone', async () => {
    const page = await stage.open('/k', { size: 'phone' })
    const found: Record<string, string[]> = {}
    for (const { name, path } of recipientPages(fixtures)) {
      await page.goto(path)
      Object.assign(found, await findings(page, name))
    }
    expect(JSON.stringify(found, null, 2)).toBe('{}')
  })

  it('the documentation', async () => {
    const page = await stage.open('/docs')
    const found: Record<string, string[]> = {}
    for (const path of ['', 'quickstart/webhooks', 'reference/bulk-orders', 'limits']) {
      await page.goto(`/docs/${path}`)
      Object.assign(found, await findings(page, path))
    }
    expect(JSON.stringify(found, null, 2)).toBe('{}')
  })

  it('the search of the documentation, with the keyboard alone', async () => {
    const page = await stage.open('/docs/quickstart/first-order')
    await page.keyboard.press('/')
    await page.keyboard.type('kitlane-simulate')
    await page.getByRole('link', { name: /^Failures on request/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/(requests|quickstart\/testing-failures)#/)
  })

  it('the search of the documentation says when it cannot be loaded, and tries again', async () => {
    const page = await stage.open('/docs/quickstart/first-order')
    await page.route('**/search.js*', (route) => route.abort('internetdisconnected'))
    const field = page.getByRole('searchbox')
    await field.fill('kitlane-simulate')
    await page
      .getByText(/^The search could not be loaded/)
      .first()
      .waitFor()
    await page.unroute('**/search.js*')
    await field.blur()
    await field.focus()
    await page.getByRole('link', { name: /^Failures on request/ }).waitFor()
    expect(await page.getByText(/could not be loaded/).count()).toBe(0)
  })

  it('the documentation without a script', async () => {
    const page = await stage.open('/docs', { scripts: false })
    await page.getByRole('link', { name: 'Your first order', exact: true }).first().click()
    await page.waitForURL('**/docs/quickstart/first-order')
    await page.getByRole('link', { name: 'POST /create-order' }).click()
    await page.waitForURL('**/docs/reference/orders#createOrder')
    expect(await page.getByRole('heading', { name: 'Create an order, or several' }).isVisible()).toBe(true)
    expect(await page.getByRole('searchbox').isVisible()).toBe(false)
  })
})

/** Visits pages of each shape without reloading the dashboard, as people do; also with the keyboard alone, and each dialog. */
async function check(page: Page, pages: readonly ShownPage[]): Promise<void> {
  const found: Record<string, unknown> = {}
  for (const { name, path } of sample.draw(pages, shapeOf, ONE_IN)) {
    await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
    await pageLoaded(page)
    Object.assign(found, await findings(page, name))
    const keys = await keyboardFindings(page)
    if (keys.length > 0) found[`${name}, with the keyboard`] = keys
    const dialogs = await dialogFindings(page, () => findingsInBoth(page, '[role=dialog]'))
    if (Object.keys(dialogs).length > 0) found[`${name}, dialogs`] = dialogs
  }
  expect(JSON.stringify(found, null, 2)).toBe('{}')
}

/** What is wrong with a page in light and dark, and in windows from a phone to a desk. */
async function findings(page: Page, name: string): Promise<Record<string, string[]>> {
  const { width = 1280, height = 800 } = page.viewportSize() ?? {}
  const inBoth = await findingsInBoth(page)
  const wide = await overflowByWidth(page)
  await page.setViewportSize({ width, height })
  return {
    ...(inBoth.length > 0 && { [name]: inBoth }),
    ...Object.fromEntries(Object.entries(wide).map(([width, texts]) => [`${name} at ${width} px`, texts])),
  }
}
