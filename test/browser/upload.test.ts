import { beforeAll, expect, it } from 'vitest'
import { useStage } from '../harness/browser.ts'
import { createPageFixtures, type PageFixtures } from '../harness/page-fixtures.ts'

const stage = useStage()
let fixtures: PageFixtures

beforeAll(async () => {
  fixtures = await createPageFixtures(stage.world)
})

it('a scan becomes a report only once a person has decided about each value, with one key each', async () => {
  const { admin, clinic, customerId, reportId } = fixtures
  const page = await stage.open('/app/operator/uploads', { cookie: admin.cookie })
  await page.getByRole('link', { name: 'results.jpg' }).click()
  await page.getByRole('img', { name: 'Page 1' }).waitFor()
  const rows = page.locator('fieldset[data-candidate]')
  await rows.first().waitFor()
  const marks = await Promise.all((await rows.all()).map((row) => row.getAttribute('data-problem')))
  const doubted = marks.map((mark) => mark === 'true')
  expect(doubted.length).toBeGreaterThan(3)
  const make = page.getByRole('button', { name: 'Create the report' })
  for (const isDoubted of doubted) {
    expect(await make.isDisabled()).toBe(true)
    await page.keyboard.press(isDoubted ? 'x' : 'Enter')
  }
  await page.getByLabel(/Collected on/).fill('2026-01-10')
  await make.click()
  await page.getByText(/Report R\w{9} was created from \d+ values/).waitFor()
  const { body } = await clinic.live.get(`/reports?size=50`)
  const made = body.data.filter((report: { customerID: number }) => report.customerID === customerId)
  expect(made.map((report: { reportID: string }) => report.reportID)).toHaveLength(2)
  expect(made.map((report: { reportID: string }) => report.reportID)).toContain(reportId)
})
