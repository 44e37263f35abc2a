import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, it } from 'vitest'
import { type Looking, quiet, useStage } from '../harness/browser.ts'
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

// `npm run screenshots` takes screenshots of every page, for people to look at. It tests nothing.
const folder = resolve(import.meta.dirname, '../../screenshots')
const stage = useStage()
let fixtures: PageFixtures

beforeAll(async () => {
  await mkdir(folder, { recursive: true })
  fixtures = await createPageFixtures(stage.world)
})

for (const scheme of ['light', 'dark'] as const) {
  it(`the operator’s pages, ${scheme}`, () =>
    photograph(operatorPages(fixtures), { cookie: fixtures.admin.cookie, scheme }))
  it(`the pages of a business, ${scheme}`, () =>
    photograph([...businessPages(fixtures), ...sandboxPages(fixtures), ...personPages], {
      cookie: fixtures.owner.cookie,
      scheme,
    }))
  it(`the pages before signing in, ${scheme}`, () => photograph(entryPages, { scheme }))
  it(`what is used on a phone, ${scheme}`, async () => {
    const stations = operatorPages(fixtures).filter(({ name }) => name === 'pack' || name === 'intake')
    await photograph(stations, { cookie: fixtures.admin.cookie, scheme, size: 'phone' })
    await photograph(recipientPages(fixtures), { scheme, size: 'phone' })
  })
}

async function photograph(pages: readonly ShownPage[], looking: Looking): Promise<void> {
  const { scheme, size = 'desktop' } = looking
  let page: Page | undefined
  for (const { name, path } of pages) {
    if (page) await page.goto(path)
    else page = await stage.open(path, looking)
    await page.locator('h1').first().waitFor()
    await quiet(page)
    await page.screenshot({ path: `${folder}/${name}-${size}-${scheme}.png`, fullPage: true })
  }
}
