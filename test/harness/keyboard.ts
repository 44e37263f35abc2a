import type { Page } from 'playwright-core'

/**
 * Runs in the page. Notes what can be used, how each looks without the focus, and from then on what gets the focus and how
 * it looks then.
 */
const watch = `(() => {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true], [inert]')
  const native = 'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=switch], [role=checkbox], [tabindex="0"]'
  // One of a group is reached by Tab, the others by the arrows.
  const isOfGroup = (element) => element.matches('[role=tab], [role=option], [role=menuitem]') && element.tabIndex === -1
  // A row that takes the focus has keys for what its buttons do.
  const isOfRow = (element) => element.tabIndex === -1 && element.closest('[tabindex="0"]') !== null
  const list = [...document.querySelectorAll(native)].filter(
    (element) => !element.matches(':disabled, [type=hidden], [data-focus-guard]') && isShown(element) && !isOfGroup(element) && !isOfRow(element),
  )
  const look = (element) =>
    [element, element.parentElement, element.parentElement?.closest('.mantine-Input-input'), element.nextElementSibling, element.nextElementSibling?.firstElementChild, element.closest('label')]
      .filter(Boolean)
      .map((one) => {
        const style = getComputedStyle(one)
        const outline = style.outlineStyle === 'none' ? '' : style.outlineStyle + style.outlineWidth + style.outlineColor
        return [outline, style.boxShadow, style.borderColor, style.backgroundColor, style.transform, style.clipPath].join()
      })
      .join('|')
  // Halfway through a change of colour there is no sign of the focus yet.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, *::before, *::after { transition: none !important }')
  document.adoptedStyleSheets = [sheet]
  document.activeElement?.blur()
  const before = new Map(list.map((element) => [element, look(element)]))
  const reached = new Set()
  const dull = []
  const noteFocus = ({ target }) => {
    if (!reached.has(target) && before.get(target) === look(target)) dull.push(target)
    reached.add(target)
  }
  document.addEventListener('focusin', noteFocus)
  const nameOf = (element) =>
    [element.tagName.toLowerCase(), element.type, element.getAttribute('aria-label') ?? (element.textContent || element.name || element.className)]
      .filter(Boolean).join(' ').slice(0, 80)
  const isReached = (element) =>
    reached.has(element) ||
    (element.type === 'radio' && [...reached].some((other) => other.type === 'radio' && other.name === element.name))
  window.keyboardLeft = () => list.filter((element) => element.isConnected && !isReached(element)).length
  window.keyboardFindings = () => {
    document.removeEventListener('focusin', noteFocus)
    document.activeElement?.blur()
    document.adoptedStyleSheets = []
    return [
      ...list.filter((element) => element.isConnected && !isReached(element)).map((element) => 'out of reach: ' + nameOf(element)),
      ...dull.map((element) => 'no sign of the focus: ' + nameOf(element)),
    ]
  }
  return list.length
})()`

/** What of the page cannot be reached with Tab, and what does not show that it has the focus. */
export async function keyboardFindings(page: Page): Promise<string[]> {
  const count = (await page.evaluate(watch)) as number
  // Once round, and as far again as the browser's own stops and the groups need.
  for (let times = 0; times < count; times++) await page.keyboard.press('Tab')
  for (let times = 0; times < count + 10 && (await page.evaluate('window.keyboardLeft()')) !== 0; times++) {
    await page.keyboard.press('Tab')
  }
  return (await page.evaluate('window.keyboardFindings()')) as string[]
}

/** Runs in the page: whether the focus is in the dialog. */
const isInDialog = `document.activeElement?.closest('[role=dialog]') !== null && document.activeElement !== document.body`
/** Runs in the page: the dialog has its name, which comes with the rendering after the one that opens it; axe says if it never does. */
const isNamed = `document.querySelector('[role=dialog]')?.matches('[aria-labelledby], [aria-label]') === true`
/** Whether something of the page becomes true within two seconds. */
async function becomes(page: Page, expression: string): Promise<boolean> {
  for (const end = performance.now() + 2000; performance.now() < end; await page.waitForTimeout(20)) {
    if (await page.evaluate(expression)) return true
  }
  return false
}

/**
 * Opens each dialog of the page with the keyboard, one of each name: what `look` finds in it, whether it takes the focus,
 * keeps it, and gives it back.
 */
export async function dialogFindings(page: Page, look: () => Promise<string[]>): Promise<Record<string, string[]>> {
  const openers = page.locator('main button[aria-haspopup=dialog]:enabled:visible')
  const names = await openers.allInnerTexts()
  const found: Record<string, string[]> = {}
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) continue
    const opener = openers.nth(index)
    await opener.focus()
    await page.evaluate('window.dialogOpener = document.activeElement')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    const faults = (await becomes(page, isInDialog)) ? [] : ['the dialog does not take the focus']
    await becomes(page, isNamed)
    faults.push(...(await look()))
    const fields = await page.getByRole('dialog').locator('button, input, textarea, a[href]').count()
    for (let times = 0; times < fields + 2; times++) await page.keyboard.press('Tab')
    if (!(await page.evaluate(isInDialog))) faults.push('the focus leaves the dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    if (!(await becomes(page, 'document.activeElement === window.dialogOpener')))
      faults.push('the focus does not come back')
    if (faults.length > 0) found[name] = faults
  }
  return found
}
