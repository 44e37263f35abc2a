import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useStage } from '../harness/browser.ts'
import { recipients } from '../harness/recipients.ts'

describe('a report on a phone without internet', () => {
  const stage = useStage()
  let at: ReturnType<typeof recipients>
  let reportId: string
  let link: string
  let other: { link: string; reportId: string }

  beforeAll(async () => {
    const clinic = await stage.world.business({ name: 'Harbor Clinic', credits: 9 })
    at = recipients(stage.world)
    const personWith = async (values: Record<string, number>) => {
      const kitId = await at.newKit(clinic)
      const { email } = await at.register(kitId)
      const id = await at.report(clinic, kitId, values)
      expect((await clinic.live.post(`/reports/${id}/publish`, {})).status).toBe(200)
      return { link: (await at.linksTo(email))[0] ?? '', reportId: id }
    }
    ;({ link, reportId } = await personWith({ glucose: 141, ldl: 187, hdl: 60 }))
    other = await personWith({ glucose: 92, ldl: 90, hdl: 60 })
  })

  async function sayBirth(page: Page): Promise<void> {
    await page.getByLabel('Day').fill('9')
    await page.getByLabel('Month').selectOption({ label: 'December' })
    await page.getByLabel('Year').fill('1956')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Read your report').waitFor()
  }

  async function openReport(): Promise<Page> {
    const page = await stage.open(link, { size: 'phone' })
    await sayBirth(page)
    await page.goto(`/r/reports/${reportId}`)
    return page
  }

  const kept = (page: Page) => page.locator('[data-copy="kept"]').waitFor({ state: 'attached' })

  async function keep(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Keep this report on this phone' }).click()
    await kept(page)
  }

  /** Takes the browser off the net and opens a page. A worker that is just starting may still reach the service: that is no copy. */
  async function openCopy(page: Page, path: string): Promise<void> {
    await page.context().setOffline(true)
    while (!(await page.goto(path))?.headers().until) await page.waitForLoadState()
  }

  /** What these pages say without internet; undefined if the browser has nothing to show. */
  async function offline(page: Page, path = '/r'): Promise<string | undefined> {
    try {
      await openCopy(page, path)
      return await page.locator('main').innerText()
    } catch {
      return undefined
    } finally {
      await page.context().setOffline(false)
    }
  }

  const copies = (page: Page) => page.evaluate('caches.keys()')

  it('is not kept unless the person asks', async () => {
    const page = await openReport()
    await page.getByText('Everybody who can use it can then read it there').waitFor()
    expect(await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')).toBe(0)
    expect(await offline(page)).toBeUndefined()
  })

  it('is kept when the person asks: with its looks, its day, and without what needs the net', async () => {
    const page = await openReport()
    await keep(page)
    const shown = await offline(page, '/r')
    expect(shown).toMatch(/^Saved on \d+ \w+ \d{4}\. You are offline\./)
    expect(shown).toContain('141 mg/dL')
    await openCopy(page, `/r/reports/${reportId}`)
    expect(await page.evaluate("getComputedStyle(document.querySelector('.note')).borderInlineStartWidth")).toBe('5px')
    expect(await page.locator('form:visible, nav:visible, [data-online]:visible, script').count()).toBe(0)
    await page.context().setOffline(false)
    await page.goto(`/r/reports/${reportId}`)
    expect(await page.locator('[data-offline]').isVisible()).toBe(false)
  })

  it('is gone when the person removes it, and with it the worker', async () => {
    const page = await openReport()
    await keep(page)
    await page.getByRole('button', { name: 'Remove it from this phone' }).click()
    await page.getByRole('button', { name: 'Keep this report on this phone' }).waitFor()
    await expect.poll(() => copies(page)).toEqual([])
    await expect
      .poll(() => page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)'))
      .toBe(0)
    expect(await offline(page)).toBeUndefined()
  })

  it('is gone when the person signs out', async () => {
    const page = await openReport()
    await keep(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out').waitFor()
    expect(await copies(page)).toEqual([])
    expect(await offline(page)).toBeUndefined()
  })

  it('is gone once the visit is over and the pages are opened again, and comes back with the next visit', async () => {
    const page = await openReport()
    await keep(page)
    await page.context().clearCookies({ name: /reader/ })
    await page.goto('/r')
    await page.getByText('Please open the link in your e-mail').waitFor()
    expect(await copies(page)).toEqual([])
    expect(await offline(page)).toBeUndefined()
    await page.goto(link)
    await sayBirth(page)
    await page.goto(`/r/reports/${reportId}`)
    await kept(page)
    expect(await offline(page)).toContain('You are offline')
  })

  it('is gone when somebody else opens their pages here, and theirs is not kept for it', async () => {
    const page = await openReport()
    await keep(page)
    await page.goto(other.link)
    await sayBirth(page)
    expect(await copies(page)).toEqual([])
    await page.goto(`/r/reports/${other.reportId}`)
    await page.getByRole('button', { name: 'Keep this report on this phone' }).waitFor()
    expect(await offline(page)).toBeUndefined()
  })

  it('ends with its link, also where the phone stays offline', async () => {
    const page = await openReport()
    await keep(page)
    await page.evaluate(`caches.open('kitlane-report').then(async (all) => {
      const found = await all.match('/r/kept')
      const headers = new Headers(found.headers)
      headers.set('until', '2020-01-01T00:00:00Z')
      await all.put('/r/kept', new Response(await found.text(), { headers }))
    })`)
    expect(await offline(page)).toBeUndefined()
    await page.goto('/k')
    expect(await copies(page)).toEqual([])
  })

  it('is read as ever where scripts are off, and nothing is offered there', async () => {
    const page = await stage.open(link, { size: 'phone', scripts: false })
    await sayBirth(page)
    await page.goto(`/r/reports/${reportId}`)
    expect(await page.getByText('141 mg/dL').first().isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Keep this report' }).isVisible()).toBe(false)
  })

  it('can be installed: name, icons and a beginning that tells nothing', async () => {
    const page = await openReport()
    const manifest = await page.evaluate("document.querySelector('link[rel=manifest]').href")
    const { body, icons } = await readManifest(String(manifest))
    expect(body).toMatchObject({ name: 'Harbor Clinic', start_url: '/r', scope: '/r', display: 'standalone' })
    expect(icons).toEqual(['image/svg+xml', 'image/png 192', 'image/png 512'])
    expect(JSON.stringify(body)).not.toContain(reportId)
  })

  /** The manifest, and the types and widths of its icons. */
  async function readManifest(address: string) {
    const body = (await (await fetch(address)).json()) as { icons: { src: string }[] }
    const icons: string[] = []
    for (const { src } of body.icons) {
      const answer = await fetch(new URL(src, stage.world.service.url))
      const bytes = Buffer.from(await answer.arrayBuffer())
      const type = answer.headers.get('content-type') ?? ''
      icons.push(type.startsWith('image/png') ? `${type} ${bytes.readUInt32BE(16)}` : type)
    }
    return { body, icons }
  }
})
