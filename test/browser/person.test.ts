import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessibleInBoth, expectNothingBeside, useStage } from '../harness/browser.ts'
import { overflowByWidth } from '../harness/overflow.ts'
import { person, signIn } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'
import type { TestBusiness } from '../harness/world.ts'

describe('the pages of the person tested, on a phone', () => {
  const stage = useStage()
  let clinic: TestBusiness
  let at: ReturnType<typeof recipients>
  let reportId: string
  let link: string

  beforeAll(async () => {
    clinic = await stage.world.business({ name: 'Harbor Clinic', credits: 9 })
    at = recipients(stage.world)
    const { email } = await at.register(await at.newKit(clinic))
    for (const values of [
      { glucose: 92, ldl: 128, hdl: 55 },
      { glucose: 141, ldl: 187, hdl: 60 },
    ]) {
      const kitId = await at.newKit(clinic)
      await at.register(kitId, { email })
      reportId = await at.report(clinic, kitId, values)
      const note = { text: 'Please call me.', author: 'Dr. Amara Osei, physician' }
      expect((await clinic.live.post(`/reports/${reportId}/publish`, { note })).status).toBe(200)
    }
    link = (await at.linksTo(email))[0] ?? ''
  })

  async function enter(path: string): Promise<Page> {
    const page = await stage.open(path, { size: 'phone' })
    await page.getByLabel('Day').fill('9')
    await page.getByLabel('Month').selectOption({ label: 'December' })
    await page.getByLabel('Year').fill('1956')
    await page.getByRole('button', { name: 'Continue' }).click()
    return page
  }

  /** In light all rules, in dark the contrast; nothing leaves the window from a phone to a desk. */
  async function expectFit(page: Page): Promise<void> {
    await expectAccessibleInBoth(page)
    await expectNoOverflow(page)
  }

  async function expectNoOverflow(page: Page): Promise<void> {
    expect(await overflowByWidth(page)).toEqual({})
    await page.setViewportSize({ width: 390, height: 844 })
  }

  it('say what matters first, order it by harm, and every chart also in words', async () => {
    const page = await enter(link)
    await expectFit(page)
    await page.goto(`/r/reports/${reportId}`)
    expect(await page.locator('.lead').innerText()).toMatch(/^Two of \d+ values are outside their normal range/)
    const stories = page.locator('article.story')
    expect(await stories.locator('h3').allInnerTexts()).toEqual(['Blood sugar', 'Bad cholesterol'])
    await stories.first().getByText('The same as a table').click()
    expect(await stories.first().getByRole('table').innerText()).toContain('92 mg/dL')
    for (const one of await page.locator('svg.gauge, svg.trend').all()) {
      expect(await one.getAttribute('aria-label')).toMatch(/\d/)
    }
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    await expectFit(page)
  })

  it('print what the screen folds', async () => {
    const page = await enter(link)
    await page.goto(`/r/reports/${reportId}`)
    const folded = page.locator('details.line .folded').first()
    // Its box says nothing: a browser may lay out what a closed <details> hides.
    expect(await folded.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    expect(await folded.isVisible()).toBe(true)
  })

  it('print dark on white from a dark screen, and in a size that spares paper', async () => {
    const page = await enter(link)
    await page.goto(`/r/reports/${reportId}`)
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
    const colors = await page.evaluate(
      "[getComputedStyle(document.querySelector('main')).backgroundColor, getComputedStyle(document.querySelector('h1')).color]",
    )
    expect(colors).toEqual(['rgb(255, 255, 255)', 'rgb(27, 33, 38)'])
    expect(await page.evaluate('parseFloat(getComputedStyle(document.documentElement).fontSize)')).toBeLessThan(13)
  })

  it('keep everything in the window with text of twice the size, in any language', async () => {
    const page = await enter(link)
    for (const language of ['de', 'ar', 'ja', 'en']) {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(`/r/reports/${reportId}?language=${language}&units=si`)
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
      await page.evaluate("document.documentElement.style.setProperty('font-size', '225%')")
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 844 })
        await expectNothingBeside(page, `${language} ${width}`)
      }
    }
  })

  it('share a report with a doctor, who opens it with the date of birth', async () => {
    const page = await enter(link)
    await page.goto(`/r/reports/${reportId}`)
    await page.getByRole('link', { name: 'Share this report' }).click()
    await page.getByLabel('For whom is it?').fill('Dr. Jones')
    await page.getByRole('button', { name: 'Make a link' }).click()
    await expectFit(page)
    const url = new URL(await page.getByLabel('The link').inputValue())
    const doctor = await stage.open(url.pathname, { size: 'phone' })
    await expectFit(doctor)
    const shown = await enter(url.pathname)
    await shown.getByText('shared this report with Dr. Jones').waitFor()
    await expectFit(shown)
  })

  it('ask for a copy of their data and for its erasure, and say what the business answered', async () => {
    const page = await enter(link)
    await page.getByRole('link', { name: 'Your data' }).click()
    await page.getByRole('link', { name: 'Ask for a copy' }).click()
    await expectFit(page)
    await page.getByRole('button', { name: 'Ask for a copy' }).click()
    await page.getByText('You asked for this on').waitFor()
    await page.getByRole('link', { name: 'Ask to erase my data' }).click()
    await page.getByRole('button', { name: 'Ask to erase my data' }).click()
    await expectFit(page)
    const admin = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
    const desk = await stage.open(`/app/b/${clinic.id}/live`, { cookie: admin.cookie })
    await desk.getByRole('link', { name: '2 people ask for their data' }).click()
    await desk.getByRole('heading', { level: 1, name: 'Requests of people' }).waitFor()
    const row = (kind: string) => desk.getByRole('row', { name: new RegExp(kind) })
    await row('Erasure').getByRole('button', { name: 'Refuse' }).click()
    const dialog = desk.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Your newest report is still under way.')
    await expectAccessibleInBoth(desk)
    await dialog.getByRole('button', { name: 'Refuse' }).click()
    await desk.getByText('The request is refused').waitFor()
    await row('A copy of their data').getByRole('button', { name: 'Give the copy' }).click()
    await dialog.getByRole('button', { name: 'Give the copy' }).click()
    await desk.getByText('The copy can be downloaded').waitFor()
    await page.reload()
    await page.getByText('Your newest report is still under way.').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the copy' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('my-data.json')
    await expectFit(page)
  })

  it('are read from right to left in Arabic: a gauge, a line over time and their figures still from left to right', async () => {
    const { email } = await at.register(await at.newKit(clinic))
    for (const values of [
      { glucose: 92, ldl: 128, hdl: 55 },
      { glucose: 141, ldl: 187, hdl: 60 },
    ]) {
      const kitId = await at.newKit(clinic)
      await at.register(kitId, { email })
      reportId = await at.report(clinic, kitId, values)
      expect((await clinic.live.post(`/reports/${reportId}/publish`, {})).status).toBe(200)
    }
    const page = await enter((await at.linksTo(email))[0] ?? '')
    for (const path of [
      `/r/reports/${reportId}`,
      '/r',
      `/r/reports/${reportId}/share`,
      `/k/${await at.newKit(clinic)}`,
    ]) {
      await page.goto(`${path}?language=ar`)
      expect(await page.evaluate('getComputedStyle(document.body).direction')).toBe('rtl')
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
      await expectNoOverflow(page)
    }
    await page.goto(`/r/reports/${reportId}`)
    const name = await page.locator('.value-head h3').first().boundingBox()
    const number = await page.locator('.value-head .number').first().boundingBox()
    expect(number?.x).toBeLessThan(name?.x ?? 0)
    const [low, high] = await page
      .locator('.story .gauge')
      .first()
      .locator('.gauge-limit')
      .filter({ hasText: /\d/ })
      .all()
    expect((await low?.boundingBox())?.x).toBeLessThan((await high?.boundingBox())?.x ?? 0)
    const ends = page.locator('.trend-ends').first().locator('span')
    expect((await ends.first().boundingBox())?.x).toBeLessThan((await ends.last().boundingBox())?.x ?? 0)
  })
})
