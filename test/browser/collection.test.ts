import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { createPanel, provision } from '../../src/modules/catalogue/service.ts'
import { localTime } from '../../src/modules/collection/time.ts'
import { expectAccessible, expectAccessibleInBoth, quiet, useStage } from '../harness/browser.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { overflowByWidth } from '../harness/overflow.ts'
import { person, signIn } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'

const stage = useStage()
const ASKING = 'ASKING'

/** At the sizes of a desk and a phone, for people to look at where SHOTS says where. */
async function shot(page: Page, name: string): Promise<void> {
  for (const [width, height] of process.env.SHOTS
    ? ([
        [1440, 900],
        [390, 844],
      ] as const)
    : []) {
    await page.setViewportSize({ width, height })
    await quiet(page)
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png`, fullPage: true })
  }
}

it('a person says on a phone when they took their sample, and business and laboratory read it', async () => {
  const { world } = stage
  const operator = await operatorWith(world, allOperatorScopes)
  const clinic = await world.business({ name: 'Harbor Clinic', credits: 8 })
  const at = recipients(world)
  await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    await createPanel(tx, { kitType: ASKING, name: 'Asking', biomarkers: ['glucose'] })
    await provision(tx, clinic.id, [ASKING])
  })
  await world.grant(clinic, ASKING, 5)
  const choices = [
    { id: 'no', text: { en: 'No' } },
    { id: 'yes', text: { en: 'Yes' } },
  ]
  const known = ['cyclePhase', 'cycleDay', 'pregnant', 'medication', 'timeOfLastDose'].map((id) => ({ id }))
  const questions = [
    { id: 'fasting', isRequired: true },
    ...known,
    { id: 'sport', type: 'choice', text: { en: 'Did you do sport the day before?' }, choices },
  ]
  expect((await operator('PATCH', `/panels/${ASKING}`, { questions })).status).toBe(200)
  const { body } = await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: ASKING }] }))
  const kitID: string = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits[0].kitID
  const { email } = await at.register(kitID)
  const [link = ''] = await at.linksTo(email)

  const page = await stage.open(link, { size: 'phone' })
  await page.getByLabel('Day').fill('9')
  await page.getByLabel('Month').selectOption({ label: 'December' })
  await page.getByLabel('Year').fill('1956')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Say when you took your sample' }).waitFor()
  await shot(page, 'home')
  await page.getByRole('link', { name: 'Say when you took your sample' }).click()
  await page.getByText('In which time zone?').waitFor()
  await expectAccessibleInBoth(page)
  expect(await overflowByWidth(page)).toEqual({})
  await shot(page, 'form')
  const [year = '', month = '', day = ''] = localTime(new Date(), 'America/New_York').slice(0, 10).split('-')
  await page.getByLabel('Day', { exact: true }).fill(day)
  await page.getByLabel('Month').selectOption(String(Number(month)))
  await page.getByLabel('Year').fill(year)
  await page.getByLabel('In which time zone?').selectOption({ label: 'Eastern Time' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Please answer this question.').waitFor()
  await expectAccessibleInBoth(page)
  await shot(page, 'problem')
  await page.getByLabel('for how many hours').fill('11')
  await page.getByLabel('Biotin').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Thank you. We have kept it.').waitFor()
  await expectAccessibleInBoth(page)
  for (const language of ['de', 'es', 'fr', 'ar', 'ja']) {
    await page.goto(`/r/kits/${kitID}/collection?language=${language}`)
    expect(await overflowByWidth(page), language).toEqual({})
    await shot(page, `form-${language}`)
  }

  const { cookie } = await signIn(world, await person(world, 'business-admin', clinic))
  const kit = await stage.open(`/app/b/${clinic.id}/live/kits/${kitID}`, { cookie })
  await kit.getByText('Sample, as it was said').waitFor()
  await kit.getByText('11 h without food').waitFor()
  await shot(kit, 'business')
  const lab = await signIn(world, await person(world, 'lab'))
  const sample = await stage.open(`/app/operator/kits/${kitID}`, { cookie: lab.cookie })
  await sample.getByText('America/New_York').waitFor()
  await expectAccessibleInBoth(sample)
  await shot(sample, 'operator')
  await sample.getByRole('button', { name: 'Correct what was said of the sample' }).click()
  const dialog = sample.getByRole('dialog')
  await dialog.getByLabel('Fasting').fill('9,5')
  await expectAccessible(sample)
  await shot(sample, 'correct')
  await dialog.getByRole('button', { name: 'Correct what was said of the sample' }).click()
  await sample.getByText('9.5 h without food').waitFor()
  await sample.getByText('the operator', { exact: true }).waitFor()
})
