import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, useStage } from '../harness/browser.ts'
import { readBackAll } from '../harness/critical.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import type { TestBusiness } from '../harness/world.ts'

describe('reviewing by keyboard', () => {
  const stage = useStage()
  let clinic: TestBusiness
  let reviewer: SignedIn

  beforeAll(async () => {
    clinic = await stage.world.business({ credits: 20 })
    reviewer = await signIn(stage.world, await person(stage.world, 'reviewer'))
  })

  /** Creates a report in review for a new kit. */
  async function inReview(result: object): Promise<string> {
    const { body } = await clinic.live.post('/create-order', anOrder())
    const [{ kitID }] = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body
    const who = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1970-01-02', sex: 'F' }
    await clinic.live.post(`/kits/${kitID}/register`, { ...who, email: `${kitID}@example.test` })
    const lab = await operatorWith(stage.world, ['lab'])
    const results = [{ name: 'Glucose', unit: 'mg/dL', ...result }]
    return (await lab('POST', '/lab/results', { kitID, results })).body.reports[0].reportID
  }

  const published = async () => {
    const { body } = await clinic.live.get('/reports?status=published')
    return body.data.map(({ reportID }: { reportID: string }) => reportID)
  }

  it('a key that is held publishes one report and no other', async () => {
    const [first] = [await inReview({ value: 90 }), await inReview({ value: 91 }), await inReview({ value: 92 })]
    const page = await stage.open(`/app/operator/review/${first}`, { cookie: reviewer.cookie })
    await page.getByRole('button', { name: /^Publish/ }).waitFor()
    // The page knows the next report.
    await page.getByText(/1 of 3/).waitFor()
    await page.keyboard.down('Control')
    for (let times = 0; times < 20; times++) {
      // A held key: the first press, then repeats.
      await page.keyboard.down('Enter')
      if (times === 5) await page.getByText(`Report ${first} is published`).waitFor()
    }
    await page.keyboard.up('Enter')
    await page.keyboard.up('Control')
    await page.getByRole('button', { name: /^Publish/ }).waitFor()
    expect(await published()).toEqual([first])
  })

  it('a correction that came while the report was read is shown, and not published unread', async () => {
    const reportID = await inReview({ value: 93 })
    const page = await stage.open(`/app/operator/review/${reportID}`, { cookie: reviewer.cookie })
    await page.getByRole('button', { name: 'Publish' }).waitFor()
    const { body } = await clinic.live.get(`/reports/${reportID}`)
    const lab = await operatorWith(stage.world, ['lab'])
    const results = [{ name: 'Glucose', unit: 'mg/dL', value: 171 }]
    await lab('POST', '/lab/results', { kitID: body.kitID, status: 'corrected', results })
    await page.keyboard.press('Control+Enter')
    await page.getByText('The laboratory has sent more since this report was read').waitFor()
    await page.getByText('171').first().waitFor()
    expect(await published()).not.toContain(reportID)
    await page.keyboard.press('Control+Enter')
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
    const [high, partial] = [await whole(160), await inReview({ value: 86 })]
    const page = await stage.open('/app/operator/review', { cookie: reviewer.cookie })
    await page.getByRole('button', { name: /^Publish normal ones/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish normal reports' })
    const boxOf = async (id: string) => dialog.getByRole('checkbox', { name: new RegExp(await kitOf(id)) })
    await (await boxOf(signed)).check()
    await (await boxOf(corrected)).check()
    expect(await (await boxOf(unticked)).isChecked()).toBe(false)
    for (const id of [high, partial]) expect(await (await boxOf(id)).count()).toBe(0)
    await expectAccessible(page)
    await correct(corrected, 180)
    await dialog.getByRole('button', { name: 'Publish 2 reports' }).click()
    await dialog.getByText('Published', { exact: true }).waitFor()
    await dialog.getByText('The laboratory has sent more since this report was read').waitFor()
    const all = await published()
    expect([signed, corrected, unticked, high, partial].filter((id) => all.includes(id))).toEqual([signed])
  })

  it('a critical report asks who was told and when, and is published with the answer', async () => {
    const reportID = await inReview({ value: 401, flag: 'HH' })
    const page = await stage.open(`/app/operator/review/${reportID}`, { cookie: reviewer.cookie })
    await readBackAll(clinic.live.request, reportID)
    // It is there once the report is.
    await page.getByRole('button', { name: 'Publish' }).waitFor()
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Critical results' })
    await dialog.waitFor()
    await expectAccessible(page)
    await dialog.getByText('Glucose').waitFor()
    expect(await dialog.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true)
    await page.keyboard.press('Control+Enter')
    expect(await published()).not.toContain(reportID)
    await dialog.getByRole('textbox', { name: 'Who was told?' }).fill('Dr. Reyes')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByText(`Report ${reportID} is published`).waitFor()
    expect(await published()).toContain(reportID)
  })
})
