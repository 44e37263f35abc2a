import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, expectNothingBeside, useStage } from '../harness/browser.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness } from '../harness/world.ts'

describe('reviewing by keyboard', () => {
  // The list of reports in review is of all businesses, and a reviewer goes from one to the next.
  const stage = useStage(() => ownWorld('reviews the reports of all businesses'))
  let clinic: TestBusiness
  let reviewer: SignedIn

  beforeAll(async () => {
    clinic = await stage.world.business({ credits: 20 })
    reviewer = await signIn(stage.world, await person(stage.world, 'reviewer'))
  })

  /** Creates a report in review for a new kit. */
  async function inReview(...values: object[]): Promise<string> {
    const { body } = await clinic.live.post('/create-order', anOrder())
    const [{ kitID }] = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body
    const who = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1970-01-02', sex: 'F' }
    await clinic.live.post(`/kits/${kitID}/register`, { ...who, email: `${kitID}@example.test` })
    const lab = await operatorWith(stage.world, ['lab'])
    const results = values.map((value) => ({ name: 'Glucose', unit: 'mg/dL', ...value }))
    return (await lab('POST', '/lab/results', { kitID, results })).body.reports[0].reportID
  }

  const published = async () => {
    const { body } = await clinic.live.get('/reports?status=published')
    return body.data.map(({ reportID }: { reportID: string }) => reportID)
  }

  const open = async (reportID: string, looking: object = {}): Promise<Page> => {
    const page = await stage.open(`/app/operator/review/${reportID}`, { cookie: reviewer.cookie, ...looking })
    await page.getByRole('region', { name: 'Decide' }).getByText('Among reviewers').waitFor()
    // The page knows the next report.
    await page.getByText(/^\d+ of \d+$/).waitFor()
    return page
  }

  it('a key that is held decides about one report and no other, and moving on publishes it', async () => {
    const [first] = [await inReview({ value: 90 }), await inReview({ value: 91 }), await inReview({ value: 92 })]
    const page = await open(first)
    // A held key: the first press, then repeats.
    for (let times = 0; times < 20; times++) await page.keyboard.down('p')
    await page.keyboard.up('p')
    await page.getByText('It will be published').waitFor()
    expect(await published()).toEqual([])
    for (let times = 0; times < 5; times++) await page.keyboard.down('j')
    await page.keyboard.up('j')
    await page.getByText(`Report ${first} is published`).waitFor()
    await page.getByRole('button', { name: /^Publish/ }).waitFor()
    expect(await published()).toEqual([first])
  })

  it('a decision can be undone for ten seconds, and is sent by itself after them', async () => {
    const reportID = await inReview({ value: 93 })
    const page = await open(reportID)
    await page.keyboard.press('Control+Enter')
    await page.getByText('It will be published').waitFor()
    await page.keyboard.press('u')
    await page.getByRole('button', { name: /^Publish/ }).waitFor()
    // Nothing is under way: the same list as before, also when it is asked later.
    expect(await page.getByText('It will be published').count()).toBe(0)
    expect(await published()).not.toContain(reportID)
    await page.keyboard.press('p')
    await page.getByText('It will be published').waitFor()
    expect(await published()).not.toContain(reportID)
    await page.getByText(`Report ${reportID} is published`).waitFor()
    await page.getByText('This report: Published').waitFor()
    expect(await published()).toContain(reportID)
  })

  it('a page that is closed within those seconds still sends what was decided', async () => {
    const reportID = await inReview({ value: 94 })
    const page = await open(reportID)
    await page.keyboard.press('p')
    await page.getByText('It will be published').waitFor()
    await page.goto('about:blank')
    await expect.poll(published).toContain(reportID)
  })

  it('says in the list that a report was not published, if its page was closed and it was refused', async () => {
    const reportID = await inReview({ value: 94 })
    const page = await open(reportID)
    await page.keyboard.press('p')
    await page.getByText('It will be published').waitFor()
    const other = await signIn(stage.world, await person(stage.world, 'reviewer'))
    const untilDate = new Date(Date.now() + 86_400_000).toISOString()
    await other.operator.post(`/reports/${reportID}/hold`, { reason: 'Its doctor is asked', untilDate })
    await page.goto('about:blank')
    await page.goto(`${stage.world.service.url}/app/operator/review`)
    await page.getByText(`Report ${reportID} was not published: its page was closed before.`).waitFor()
    expect(await published()).not.toContain(reportID)
  })

  it('a correction that came while the report was read is shown, and not published unread', async () => {
    const reportID = await inReview({ value: 93 })
    const page = await open(reportID)
    const { body } = await clinic.live.get(`/reports/${reportID}`)
    const lab = await operatorWith(stage.world, ['lab'])
    const results = [{ name: 'Glucose', unit: 'mg/dL', value: 171 }]
    await lab('POST', '/lab/results', { kitID: body.kitID, status: 'corrected', results })
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('The laboratory has sent more since this report was read').waitFor()
    await page.getByRole('region', { name: 'Values' }).getByText('171').waitFor()
    expect(await published()).not.toContain(reportID)
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText(`Report ${reportID} is published`).waitFor()
  })

  it('several normal ones are signed at once, those that are ticked; one that was corrected meanwhile stays', async () => {
    const kitOf = async (id: string): Promise<string> => (await clinic.live.get(`/reports/${id}`)).body.kitID
    const lab = await operatorWith(stage.world, ['lab'])
    const correct = async (id: string, value: number) => {
      const results = [{ name: 'Glucose', unit: 'mg/dL', value }]
      await lab('POST', '/lab/results', { kitID: await kitOf(id), status: 'corrected', results })
      return id
    }
    // One result of a panel is a partial report until the laboratory says that it corrected it.
    const whole = async (value: number) => correct(await inReview({ value: 95 }), value)
    const [signed, corrected, unticked] = [await whole(88), await whole(89), await whole(87)]
    const [high, partial, held] = [await whole(160), await inReview({ value: 86 }), await whole(84)]
    const untilDate = new Date(Date.now() + 86_400_000).toISOString()
    await reviewer.operator.post(`/reports/${held}/hold`, { reason: 'Its doctor is asked', untilDate })
    const page = await stage.open('/app/operator/review', { cookie: reviewer.cookie })
    await page.getByRole('button', { name: /^Publish \d+ normal ones?/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish normal reports' })
    const boxOf = async (id: string) => dialog.getByRole('checkbox', { name: new RegExp(await kitOf(id)) })
    await (await boxOf(signed)).check()
    await (await boxOf(corrected)).check()
    expect(await (await boxOf(unticked)).isChecked()).toBe(false)
    for (const id of [high, partial, held]) expect(await (await boxOf(id)).count()).toBe(0)
    await expectAccessible(page)
    await correct(corrected, 180)
    await dialog.getByRole('button', { name: 'Publish 2 reports' }).click()
    await dialog.getByText('Published', { exact: true }).waitFor()
    await dialog.getByText('The laboratory has sent more since this report was read').waitFor()
    const all = await published()
    expect([signed, corrected, unticked, high, partial, held].filter((id) => all.includes(id))).toEqual([signed])
  })

  it('a critical value is first for the business as for the reviewer, in the same words, above every score', async () => {
    const values = ['Sodium', 'Chloride', 'Calcium'].map((name, index) => ({ name, value: [140, 101, 9.4][index] }))
    const reportID = await inReview(
      ...values.map((one) => ({ ...one, unit: one.name === 'Calcium' ? 'mg/dL' : 'mmol/L' })),
      { value: 131 },
      { name: 'Potassium', value: 7.4, unit: 'mmol/L', flag: 'HH' },
    )
    const manager = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
    const pages = [
      await open(reportID),
      await stage.open(`/app/b/${clinic.id}/live/reports/${reportID}`, { cookie: manager.cookie }),
    ]
    for (const page of pages) {
      await page.getByText(/^One result needs a doctor today\. Two of 5 values are outside/).waitFor()
      const first = page.getByRole('region', { name: 'Values' }).getByRole('listitem').first()
      expect(await first.innerText()).toMatch(/^\s*Potassium[\s\S]*7\.4[\s\S]*Very high/)
      await expectAccessible(page)
    }
    const [, business] = pages
    const above = await business?.getByRole('region', { name: 'Values' }).boundingBox()
    const scores = business?.getByRole('region', { name: 'Scores' })
    if (await scores?.count()) expect((await scores?.boundingBox())?.y).toBeGreaterThan(above?.y ?? 0)
  })

  it('a critical report is handled on its screen by keyboard alone: read back, told, published', async () => {
    const reportID = await inReview({ value: 501, flag: 'HH' })
    const page = await open(reportID)
    await page.getByText('1 critical result waits to be read back.').waitFor()
    // Publishing leads to what is missing.
    await page.keyboard.press('p')
    await page.keyboard.type('501')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Dr. Reyes')
    await page.keyboard.press('Enter')
    await page.getByText('Glucose is acknowledged').waitFor()
    expect(await published()).not.toContain(reportID)
    // Who took the call stands in the log, to be read and changed.
    await expect.poll(() => page.getByLabel('Who was notified?').inputValue()).toBe('Dr. Reyes')
    await page.keyboard.press('p')
    await page.getByText('It will be published').waitFor()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText(`Report ${reportID} is published`).waitFor()
    expect(await published()).toContain(reportID)
  })

  it('one is held with its reason and released, and a comment stays among reviewers, all by keys', async () => {
    const reportID = await inReview({ value: 83 })
    const page = await open(reportID)
    await page.keyboard.press('c')
    await page.keyboard.type('The laboratory repeats it')
    await page.getByRole('button', { name: 'Add the comment' }).click()
    await page.getByText('The laboratory repeats it', { exact: true }).first().waitFor()
    await page.keyboard.press('h')
    await page.keyboard.type('Waits for the repetition')
    await page.keyboard.press('Enter')
    await page.getByText(/^You hold it until/).waitFor()
    await page.keyboard.press('p')
    expect(await page.getByText('It will be published').count()).toBe(0)
    await page.goto(`${stage.world.service.url}/app/operator/review?held=mine`)
    await page.getByRole('row').filter({ hasText: clinic.name }).first().waitFor()
    await page.goto(`${stage.world.service.url}/app/operator/review/${reportID}`)
    await page.getByText('Waits for the repetition').waitFor()
    await page.keyboard.press('l')
    await page.getByRole('button', { name: /^Publish/ }).waitFor()
  })

  it('another sample is asked for with a reason, and the report leaves the list', async () => {
    const reportID = await inReview({ value: 82 })
    const page = await open(reportID)
    await page.getByRole('button', { name: /^Another sample/ }).waitFor()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Ask for another sample' })
    await dialog.getByRole('radio', { name: 'Clotted' }).check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Reject the sample' }).click()
    await page.getByText(/^The sample is rejected, and kit K\w+ is sent$/).waitFor()
    const { body } = await clinic.live.get(`/reports/${reportID}`)
    expect(body.status).toBe('rejected')
  })

  it('a reviewer sees no name; the keys are shown on ?', async () => {
    const page = await open(await inReview({ value: 81 }))
    await page.getByRole('heading', { level: 1, name: /^Woman, \d+ · / }).waitFor()
    expect(await page.getByText('Ada Example').count()).toBe(0)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Undo, for ten seconds').waitFor()
    await expectAccessible(page)
  })

  it.each(['light', 'dark'] as const)('everyone can use it, on a desk and on a phone: %s', async (scheme) => {
    const [potassium, calcium] = [
      { name: 'Potassium', value: 6.9, unit: 'mmol/L', flag: 'HH' },
      { name: 'Calcium', value: 7.4, unit: 'mg/dL' },
    ]
    const reportID = await inReview(potassium, calcium, { value: 90 }, { name: 'Zonulin X', value: 12, unit: 'ng/mL' })
    for (const size of ['desktop', 'phone'] as const) {
      const page = await open(reportID, { scheme, size })
      await page.getByText('Look at this first').waitFor()
      await page.getByLabel('Who was notified?').waitFor()
      await expectAccessible(page)
      await expectNothingBeside(page, size)
      const bottom = async () => {
        const { y = 0, height = 0 } = (await page.getByRole('button', { name: /^Publish/ }).boundingBox()) ?? {}
        return y + height
      }
      await expect
        .poll(bottom, { message: 'the decision is in sight' })
        .toBeLessThanOrEqual(size === 'phone' ? 844 : 800)
    }
  })
})
