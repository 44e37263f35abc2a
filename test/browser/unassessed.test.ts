import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, useStage } from '../harness/browser.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness } from '../harness/world.ts'

const HIV = { name: 'HIV antibody', value: 'Detected', unit: '', rangeText: 'Not detected', flag: 'AA' }
const MOON = { name: 'Moon dust', value: 3, unit: 'mg/dL', rangeText: '1-2', flag: 'H' }
const GLUCOSE = { name: 'Glucose', value: 91, unit: 'mg/dL' }

const ada = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1970-01-02', sex: 'F' }

describe('what was received and could not be judged', () => {
  // The lists of what waits are of all businesses, and show their first page.
  const stage = useStage(() => ownWorld('looks at lists of all businesses'))
  let clinic: TestBusiness
  let lab: Operator
  let admin: SignedIn

  beforeAll(async () => {
    clinic = await stage.world.business({ name: 'Harbor Clinic', credits: 40 })
    lab = await operatorWith(stage.world, ['lab'])
    admin = await signIn(stage.world, await person(stage.world, 'operator-admin'))
  })

  async function newKit(): Promise<string> {
    const { body } = await clinic.live.post('/create-order', anOrder())
    const [{ kitID }] = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body
    return kitID
  }
  const register = async (kitID: string) => {
    const { status, text } = await clinic.live.post(`/kits/${kitID}/register`, {
      ...ada,
      email: `${kitID}@example.test`,
    })
    expect(status, text).toBe(200)
  }
  const send = async (body: object) => (await lab('POST', '/lab/results', body)).body.reports[0]

  /** Creates a report in review for a new kit, with these results. */
  async function inReview(results: object[]): Promise<{ kitID: string; reportID: string }> {
    const kitID = await newKit()
    await register(kitID)
    const { reportID } = await send({ kitID, results })
    return { kitID, reportID }
  }

  const open = (path: string, { cookie } = admin) => stage.open(path, { cookie })

  it('stands with the results of the report in review: value, range, flag and reason, critical first', async () => {
    const { reportID } = await inReview([GLUCOSE, MOON, HIV])
    const page = await open(`/app/operator/review/${reportID}`)
    const rows = page.getByRole('region', { name: 'Values' }).getByRole('listitem')
    const wordsOf = async (row: Locator) => (await row.innerText()).replaceAll(/\s+/g, ' ')
    await rows.first().waitFor()
    expect(await wordsOf(rows.first())).toBe(
      'HIV antibody Detected Critical: AA, critically abnormal Range Not detected · The result is in words, and which words this test has is not known: read it, and say what it means',
    )
    expect(await wordsOf(rows.nth(1))).toMatch(/^Moon dust 3 mg\/dL H, high Range 1-2 · /)
    await expectAccessible(page)
  })

  it('asks who was told before its report is published, though every judged result is in range', async () => {
    const { reportID } = await inReview([GLUCOSE, HIV])
    const page = await open(`/app/operator/review/${reportID}`)
    await page.getByText('1 critical result waits to be read back.').waitFor()
    await page.getByRole('region', { name: 'Call log' }).getByText('HIV antibody').waitFor()
    await page.getByLabel('Who was notified?').waitFor()
    expect(await page.getByRole('button', { name: /^Publish/ }).isDisabled()).toBe(true)
  })

  it('tells calculated values from those that the laboratory measured', async () => {
    const { reportID } = await inReview([
      { ...GLUCOSE, name: 'Fasting glucose' },
      { name: 'Insulin', value: 6, unit: 'u[IU]/mL' },
    ])
    const page = await open(`/app/operator/review/${reportID}`)
    const row = (name: RegExp) =>
      page.getByRole('region', { name: 'Values' }).getByRole('listitem').filter({ hasText: name })
    await row(/HOMA/).getByText('Calculated from other results').waitFor()
    // In range, so it is folded while others have no verdict.
    await page.getByText('1 result in range').click()
    expect(await row(/^Glucose/).innerText()).not.toContain('Calculated')
  })

  it('is counted in the lists of reports, where critical ones are marked', async () => {
    const { reportID } = await inReview([GLUCOSE, MOON, HIV])
    const reviews = await open('/app/operator/review')
    const review = reviews.getByRole('row', { name: new RegExp(reportID) })
    await review.getByText('1 critical').waitFor()
    expect(
      await review
        .locator('td')
        .nth(await columnOf(reviews, 'Not assessed'))
        .innerText(),
    ).toBe('2')
    const owner = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
    const list = await open(`/app/b/${clinic.id}/live/reports`, owner)
    const row = list.locator('tr', { has: list.locator(`a[href$="/reports/${reportID}"]`) })
    await row.getByText('1 critical').waitFor()
    expect(
      await row
        .locator('td')
        .nth(await columnOf(list, 'Not assessed'))
        .innerText(),
    ).toBe('2')
  })

  it('waits in a list for the operator, with its report, kit and person, until it is dismissed with a reason', async () => {
    const { kitID, reportID } = await inReview([GLUCOSE, { ...HIV, name: 'Hepatitis marker' }])
    const page = await open('/app/operator')
    await page.getByRole('button', { name: /^Clinical/ }).click()
    await page.getByRole('link', { name: /^Not assessed \d/ }).click()
    const one = page.getByRole('region', { name: 'Hepatitis marker' })
    await one
      .getByText('The result is in words, and which words this test has is not known: read it, and say what it means')
      .waitFor()
    await one.getByRole('link', { name: `Report ${reportID}` }).waitFor()
    await one.getByRole('link', { name: `Kit ${kitID}` }).waitFor()
    await one.getByRole('link', { name: /Customer \d+ of Harbor Clinic/ }).waitFor()
    await expectAccessible(page)
    await dismiss(page, 'Hepatitis marker', 'Dr. Reyes knows')
    await one.waitFor({ state: 'detached' })
    await page.goto('/app/operator/unassessed?state=closed')
    await one.getByText(/Dismissed .* by .*: Dr. Reyes knows/).waitFor()
  })

  it('is assigned to its biomarker in a dialog, which says why where it cannot be', async () => {
    const { kitID } = await inReview([
      GLUCOSE,
      { name: 'Ferri dust', value: "1'250", unit: 'ng/mL', rangeText: '15-150' },
    ])
    const page = await open('/app/operator/unassessed')
    const one = page.getByRole('region', { name: 'Ferri dust' })
    await one.getByRole('button', { name: 'Assign' }).click()
    const dialog = page.getByRole('dialog', { name: 'Assign' })
    await dialog.getByRole('combobox', { name: 'Biomarker' }).fill('ferritin')
    await dialog.getByRole('textbox', { name: /^The number/ }).fill('1260')
    await dialog.getByRole('textbox', { name: 'How do you know?' }).fill('They print it so')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Assign' }).click()
    await dialog
      .getByText(/other digits/)
      .first()
      .waitFor()
    await dialog.getByRole('textbox', { name: /^The number/ }).fill('1250')
    await dialog.getByRole('button', { name: 'Assign' }).click()
    await page.getByText('Ferri dust is assigned').waitFor()
    await one.waitFor({ state: 'detached' })
    const { data } = (await lab('GET', `/unassessed-results?kitID=${kitID}&state=closed`)).body
    expect(data).toMatchObject([{ outcome: 'assigned', assigned: 'ferritin' }])
    await page.goto('/app/operator/unassessed?state=closed')
    await one.getByText(/Assigned to ferritin .*: They print it so/).waitFor()
  })

  it('lets its remark pass as the reviewer says, which is listed beside the laboratories until it is removed', async () => {
    const comment = 'The porter whistled in the corridor'
    await inReview([{ ...GLUCOSE, comment }])
    const page = await open('/app/operator/unassessed')
    await page.getByRole('region', { name: 'Glucose' }).getByRole('button', { name: 'Assign' }).click()
    const dialog = page.getByRole('dialog', { name: 'Assign' })
    await dialog.getByRole('combobox', { name: 'Biomarker' }).fill('glucose')
    await dialog.getByRole('textbox', { name: 'How do you know?' }).fill('It changes nothing')
    const passing = dialog.getByRole('checkbox', { name: /^Let this remark of .* pass from now on/ })
    expect(await passing.isChecked()).toBe(true)
    await dialog.getByText(comment).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Assign' }).click()
    await page.getByText('Glucose is assigned').waitFor()
    await page.goto('/app/operator/laboratories')
    const remarks = page.getByRole('region', { name: 'Remarks that pass' })
    await remarks.getByText(comment).waitFor()
    await expectAccessible(page)
    await remarks.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog', { name: 'Remove' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The remark holds results again').waitFor()
    await remarks.waitFor({ state: 'detached' })
  })

  it('waits in a list below Reports for the business, until it is dismissed with a reason', async () => {
    await inReview([GLUCOSE, { ...MOON, name: 'Star dust' }])
    const owner = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
    const page = await open(`/app/b/${clinic.id}/live/reports`, owner)
    await page.getByRole('tab', { name: 'Not assessed' }).click()
    const one = page.getByRole('region', { name: 'Star dust' })
    await one.getByRole('link', { name: /^Report / }).waitFor()
    await one.getByRole('link', { name: 'Ada Example' }).waitFor()
    await expectAccessible(page)
    await dismiss(page, 'Star dust', 'The laboratory sends it again')
    await one.waitFor({ state: 'detached' })
  })

  it('shows with a message that waits: its kit, its patient and its values, critical ones first', async () => {
    const kitID = await newKit()
    const patient = { name: 'Ada Example', dateOfBirth: '1970-01-02', sex: 'F' }
    const accession = `ACC-${kitID}`
    await send({
      kitID,
      accession,
      patient,
      results: [GLUCOSE, { ...GLUCOSE, name: 'Potassium', value: 9, flag: 'HH' }],
    })
    const page = await open('/app/operator/unmatched')
    const message = page.getByRole('region', { name: `Message ${accession}` })
    await message.getByText('Nobody has registered the kit').waitFor()
    await message.getByRole('link', { name: kitID }).waitFor()
    await message.getByText('Ada Example, born 1970-01-02, female').waitFor()
    await message.getByText('1 critical result').waitFor()
    const first = message.getByRole('table').locator('tbody tr').first()
    expect((await cellsOf(first)).slice(0, 4)).toEqual([
      'Potassium',
      '9 mg/dL',
      'Critical: HH, critically high',
      'None',
    ])
    await expectAccessible(page)
  })

  it('a message that waits for its kit to be registered says so when it is, and is assigned after both people were compared', async () => {
    const kitID = await newKit()
    const accession = `ACC-${kitID}`
    await send({ kitID, accession, results: [GLUCOSE] })
    const page = await open('/app/operator/unmatched')
    const message = page.getByRole('region', { name: `Message ${accession}` })
    await message.waitFor()
    expect(await message.getByText('This kit is registered now').count()).toBe(0)
    await register(kitID)
    // The page reloads its data every ten seconds.
    await message.getByText('This kit is registered now: assign it').waitFor()
    await expectAccessible(page)
    await message.getByRole('button', { name: `Assign to ${kitID}` }).click()
    const dialog = page.getByRole('dialog', { name: `Assign to ${kitID}` })
    await dialog.getByRole('row', { name: 'Name not stated Ada Example' }).waitFor()
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByRole('dialog').getByText(`On kit ${kitID}`).waitFor()
    expect((await clinic.live.get(`/kits/${kitID}`)).body.kit.status).toBe('inReview')
  })

  it('results of another person are assigned only after a question, and taken off again', async () => {
    const kitID = await newKit()
    await register(kitID)
    const accession = `ACC-${kitID}`
    const patient = { name: 'Ivo Beispiel', dateOfBirth: '1971-03-03', sex: 'M' }
    await send({ kitID, accession, patient, results: [GLUCOSE] })
    const page = await open('/app/operator/unmatched')
    const message = page.getByRole('region', { name: `Message ${accession}` })
    await message.getByRole('textbox', { name: 'Another kit' }).fill(kitID)
    await message.getByRole('button', { name: 'Assign', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Assign to ${kitID}` })
    await dialog.getByRole('row', { name: 'Date of birth: differs 1971-03-03 1970-01-02' }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Assign', exact: true }).isDisabled()).toBe(true)
    await expectAccessible(page)
    await dialog.getByRole('checkbox', { name: /I have checked it/ }).check()
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByRole('dialog').getByText(`On kit ${kitID}`).waitFor()
    await page.keyboard.press('Escape')
    const assigned = page.getByRole('group', { name: `Message ${accession}` })
    await assigned.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The message waits again').waitFor()
    await message.waitFor()
    expect((await clinic.live.get(`/kits/${kitID}`)).body.kit.status).toBe('notStarted')
  })
})

describe('at the intake station', () => {
  const stage = useStage()
  let clinic: TestBusiness
  let technician: SignedIn

  beforeAll(async () => {
    clinic = await stage.world.business({ credits: 5 })
    technician = await signIn(stage.world, await person(stage.world, 'lab'))
  })

  async function newKit(): Promise<string> {
    const { body } = await clinic.live.post('/create-order', anOrder())
    const { kitID } = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body[0]
    const warehouse = await operatorWith(stage.world, ['fulfilment'])
    const shipment = { kitID, carrier: 'UPS', outboundTrackingNumber: `1Z${kitID}` }
    expect((await warehouse('POST', '/fulfilment/shipments', shipment)).status).toBe(200)
    return kitID
  }
  const register = (kitID: string) =>
    clinic.live.post(`/kits/${kitID}/register`, { ...ada, email: `${kitID}@example.test` })

  /** The message and the color that the station shows for a scan. */
  async function scanned(kitID: string): Promise<[string, string | null]> {
    const page = await stage.open('/app/operator/intake', { cookie: technician.cookie })
    await page.getByRole('textbox', { name: 'Scan' }).fill(kitID)
    await page.keyboard.press('Enter')
    const answer = page.getByRole('status').filter({ hasText: `${kitID} is received.` })
    await answer.waitFor()
    await expectAccessible(page)
    return [await answer.innerText(), await answer.getAttribute('data-kind')]
  }

  it('a kit that nobody has registered is received in amber: its results will wait', async () => {
    const kitID = await newKit()
    const sentence = 'Nobody has registered this kit: its results will wait until somebody does.'
    const [said, kind] = await scanned(kitID)
    expect(said).toContain(`${kitID} is received. ${sentence} It is on hold: keep it apart. It can be tested until`)
    expect(kind).toBe('caution')
    expect((await clinic.live.get(`/kits/${kitID}`)).body.kit.sampleStatus).toBe('received')
  })

  it('a kit without the consent that its business requires is received in amber', async () => {
    const kitID = await newKit()
    await register(kitID)
    await clinic.live.request('PATCH', '/settings', { requireConsent: true })
    const [sentence, kind] = await scanned(kitID)
    await clinic.live.request('PATCH', '/settings', { requireConsent: false })
    expect(sentence).toContain('Nobody has consented to this test')
    expect(kind).toBe('caution')
  })

  it('a kit that is registered is received in green', async () => {
    const kitID = await newKit()
    await register(kitID)
    expect(await scanned(kitID)).toEqual([`${kitID} is received.`, 'right'])
  })
})

const cellsOf = async (row: ReturnType<Page['locator']>) =>
  (await row.locator('td').allInnerTexts()).map((text) => text.trim())

async function columnOf(page: Page, header: string): Promise<number> {
  return (await page.locator('thead th').allInnerTexts()).findIndex((text) => text.trim() === header)
}

/** Dismisses a waiting result with a reason. */
async function dismiss(page: Page, name: string, reason: string): Promise<void> {
  await page.getByRole('region', { name }).getByRole('button', { name: 'Dismiss' }).click()
  const dialog = page.getByRole('dialog', { name: 'Dismiss' })
  await dialog.getByRole('textbox', { name: 'Why, or what was done about it?' }).fill(reason)
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText(`${name} is dismissed`).waitFor()
}
