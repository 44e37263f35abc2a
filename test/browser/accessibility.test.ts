import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { graveFindings, pageLoaded, useStage } from '../harness/browser.ts'
import { dialogFindings, keyboardFindings } from '../harness/keyboard.ts'
import { overflowByWidth } from '../harness/overflow.ts'
import { createPageFixtures, type PageFixtures } from '../harness/page-fixtures.ts'
import {
  businessPages,
  entryPages,
  operatorPages,
  personPages,
  recipientPages,
  type ShownPage,
  sandboxPages,
} from '../harness/pages.ts'

describe('every page can be used by everyone, in light and dark, and fits windows from a phone to a desk:', () => {
  const stage = useStage()
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
    expect(found).toEqual({})
  })

  it('the documentation', async () => {
    const page = await stage.open('/docs')
    const found: Record<string, string[]> = {}
    for (const path of ['', 'quickstart/webhooks', 'reference/bulk-orders', 'limits']) {
      await page.goto(`/docs/${path}`)
      Object.assign(found, await findings(page, path))
    }
    expect(found).toEqual({})
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

/** Visits the pages without reloading the dashboard, as people do; also with the keyboard alone, and each dialog. */
async function check(page: Page, pages: readonly ShownPage[]): Promise<void> {
  const found: Record<string, unknown> = {}
  for (const { name, path } of pages) {
    await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
    await pageLoaded(page)
    Object.assign(found, await findings(page, name))
    const keys = await keyboardFindings(page)
    if (keys.length > 0) found[`${name}, with the keyboard`] = keys
    const dialogs = await dialogFindings(page, () => lookAt(page, '[role=dialog]'))
    if (Object.keys(dialogs).length > 0) found[`${name}, dialogs`] = dialogs
  }
  expect(found).toEqual({})
}

/** What axe finds in a part of the page: by all rules in light, and the contrast in dark. */
async function lookAt(page: Page, within: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await graveFindings(page, undefined, within)
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...light, ...(await graveFindings(page, ['color-contrast'], within))]
}

/** Checks all rules in light, only the contrast in dark, since nothing else differs, and then overflow. */
async function findings(page: Page, name: string): Promise<Record<string, string[]>> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await graveFindings(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await graveFindings(page, ['color-contrast'])
  const { width = 1280, height = 800 } = page.viewportSize() ?? {}
  const wide = await overflowByWidth(page)
  await page.setViewportSize({ width, height })
  return {
    ...(light.length > 0 && { [name]: light }),
    ...(dark.length > 0 && { [`${name}, dark`]: dark }),
    ...Object.fromEntries(Object.entries(wide).map(([width, texts]) => [`${name} at ${width} px`, texts])),
  }
}
