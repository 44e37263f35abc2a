import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { quiet, useStage } from '../harness/browser.ts'
import { type Furnished, furnish } from '../harness/furnished.ts'
import {
  businessPages,
  entryPages,
  operatorPages,
  personPages,
  recipientPages,
  type ShownPage,
  sandboxPages,
} from '../harness/pages.ts'

// A phone, a tablet upright and lying, small laptops, a desk.
const WIDTHS = [390, 768, 820, 960, 1080, 1280]

describe('every page fits its window, from a phone to a desk:', () => {
  const stage = useStage()
  let furnished: Furnished

  beforeAll(async () => {
    furnished = await furnish(stage.world)
  })

  it('the operator’s pages', async () => {
    const { admin } = furnished
    await check(await stage.open('/app/operator', { cookie: admin.cookie }), operatorPages(furnished))
  })

  it('the pages of a business', async () => {
    const { owner } = furnished
    await check(await stage.open('/app/', { cookie: owner.cookie }), [
      ...businessPages(furnished),
      ...sandboxPages(furnished),
      ...personPages,
    ])
  })

  it('the pages before signing in', async () => {
    await check(await stage.open('/app/sign-in'), entryPages)
  })

  it('the recipient’s pages', async () => {
    await check(await stage.open('/k'), recipientPages(furnished))
  })
})

async function check(page: Page, pages: readonly ShownPage[]): Promise<void> {
  const found: Record<string, string[]> = {}
  for (const { name, path } of pages) {
    await page.goto(path)
    await page.locator('h1').first().waitFor()
    await quiet(page)
    await expect.poll(() => page.locator('.mantine-Skeleton-root').count(), { timeout: 15_000 }).toBe(0)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      const wide = await settledOutside(page)
      if (wide.length > 0) found[`${name} at ${width}`] = wide
    }
  }
  expect(found).toEqual({})
}

// The navigation slides away in 120 ms; a busy machine draws that in more.
const SLIDES_MS = 3_000

/** What stands outside once nothing moves any more. */
async function settledOutside(page: Page): Promise<string[]> {
  const end = performance.now() + SLIDES_MS
  for (;;) {
    const wide = (await page.evaluate(outsideOf)) as string[]
    if (wide.length === 0 || performance.now() > end) return wide
    await page.waitForTimeout(50)
  }
}

/** What begins or ends outside the window and cannot be scrolled to inside its own box; runs in the page. */
const outsideOf = `(() => {
  const width = document.documentElement.clientWidth
  const isReached = (element) => {
    for (let box = element.parentElement; box; box = box.parentElement) {
      if (['auto', 'scroll'].includes(getComputedStyle(box).overflowX)) return true
    }
    return false
  }
  const isShown = (element) => {
    const style = getComputedStyle(element)
    return style.visibility !== 'hidden' && style.position !== 'fixed' && element.checkVisibility()
  }
  return [...document.querySelectorAll('main *, body > *')]
    .filter((element) => element.children.length === 0)
    // The mark of a switch, which slides to its place by itself.
    .filter((element) => !element.matches('.mantine-SegmentedControl-indicator'))
    .filter((element) => {
      const { left, right, width: own } = element.getBoundingClientRect()
      return own > 1 && (right > width + 1 || left < -1) && isShown(element) && !isReached(element)
    })
    .slice(0, 5)
    .map((element) => element.tagName + ' ' + String(element.textContent || element.getAttribute('class')).slice(0, 40))
})()`
