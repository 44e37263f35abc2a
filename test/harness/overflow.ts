import type { Page } from 'playwright-core'

// A phone, a desktop of 1440 px at 200 %, tablets in portrait and landscape, small laptops, a desktop.
const WIDTHS = [390, 720, 768, 820, 960, 1080, 1280]

/** Lists the elements that overflow the window, by its width. Leaves the page at the widest. */
export async function overflowByWidth(page: Page): Promise<Record<number, string[]>> {
  const { height = 900 } = page.viewportSize() ?? {}
  const found: Record<number, string[]> = {}
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height })
    const wide = await overflowAtRest(page)
    if (wide.length > 0) found[width] = wide
  }
  return found
}

// The navigation slides away in 120 ms, and as slowly as it likes on a busy machine. Only a fault waits for the end.
const SLIDES_MS = 20_000

/** Lists the elements that still overflow when animations have ended. */
async function overflowAtRest(page: Page): Promise<string[]> {
  const end = performance.now() + SLIDES_MS
  for (;;) {
    const wide = (await page.evaluate(findOverflow)) as string[]
    if (wide.length === 0 || performance.now() > end) return wide
    await page.waitForTimeout(50)
  }
}

/** Runs in the page. Lists elements that cross the window's edge and are in no scrollable box. */
const findOverflow = `(() => {
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
    // The indicator of a segmented control slides to its place by itself.
    .filter((element) => !element.matches('.mantine-SegmentedControl-indicator'))
    .filter((element) => {
      const { left, right, width: own } = element.getBoundingClientRect()
      return own > 1 && (right > width + 1 || left < -1) && isShown(element) && !isReached(element)
    })
    .slice(0, 5)
    .map((element) => element.tagName + ' ' + String(element.textContent || element.getAttribute('class')).slice(0, 40))
})()`
