import { expect, it } from 'vitest'
import { configure } from '../../src/modules/businesses/service.ts'
import { useStage } from '../harness/browser.ts'
import { uploadScan, waitForScan } from '../harness/page-fixtures.ts'
import { person, signIn } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'

const stage = useStage()

it('a scan becomes a report only once a person has decided about each value, with one key each', async () => {
  const { world } = stage
  const people = recipients(world)
  const clinic = await world.business({ credits: 1 })
  await world.service.database.asSystem({ name: 'cli' }, (tx) => configure(tx, clinic.id, { uploadsEnabled: true }))
  const kitId = await people.newKit(clinic)
  const customerId = await people.customerOf(clinic, (await people.register(kitId)).email)
  const docId = await uploadScan(clinic, customerId)
  const admin = await signIn(world, await person(world, 'operator-admin'))
  await waitForScan(admin, docId)
  const page = await stage.open('/app/operator/uploads', { cookie: admin.cookie })
  await page.locator(`a[href$="/uploads/${docId}"]`).click()
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
  expect(made).toHaveLength(1)
  // Anyone who opens it again decides nothing twice: the page says what became of it.
  await page.goto(`/app/operator/uploads/${docId}`)
  await page.getByText('A report was created from this file.').waitFor()
  expect(await page.getByRole('button', { name: 'Create the report' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Open the report' }).click()
  await page.waitForURL(`**/app/operator/review/${made[0].reportID}`)
})
