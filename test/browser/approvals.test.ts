import { expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { createPanel, provision } from '../../src/modules/catalogue/service.ts'
import { expectAccessible, expectAccessibleInBoth, rightOf, useStage } from '../harness/browser.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder, recipient } from '../harness/orders.ts'
import { overflowByWidth } from '../harness/overflow.ts'
import { person, signIn } from '../harness/people.ts'

const stage = useStage()
const WATCHED = 'WATCHED'

it('a provider approves one order and refuses another, and the business reads who did and why', async () => {
  const { world } = stage
  const operator = await operatorWith(world, allOperatorScopes)
  const clinic = await world.business({ name: 'Harbor Clinic', credits: 8 })
  await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    await createPanel(tx, { kitType: WATCHED, name: 'Watched', biomarkers: ['ldl'] })
    await provision(tx, clinic.id, [WATCHED], { minor: 9900 })
  })
  await world.grant(clinic, WATCHED, 1)
  await operator('PATCH', `/panels/${WATCHED}`, { providerNeeded: true })
  const jane = await signIn(world, await person(world, 'provider'))
  const provider = { name: 'Jane Doe, MD', npi: '1932102084', licensedIn: ['US-IL'], email: jane.person.email }
  const added = await operator('POST', '/providers', provider)
  expect(added.status, added.text).toBe(201)
  const placed = async (to: object = recipient): Promise<string> =>
    (await clinic.live.post('/create-order', anOrder({ recipient: to, kit_types: [{ kitType: WATCHED }] }))).body
      .orderId
  const born = `${new Date().getUTCFullYear() - 44}-01-01`
  const ada = { name: 'Ada Example', email: recipient.email, dateOfBirth: born, gender: 'F' }
  const userId = (await clinic.live.post('/customer', ada)).body.id
  const quizData = [{ question: 'Do you take warfarin?', answer: true }]
  const quiz = { type: 'quiz', userId, quizName: 'Before the test', date: '2026-01-15', quizData }
  expect((await clinic.live.post('/customer/add-data', quiz)).status).toBe(201)
  const [one, two, unpaid] = [await placed(), await placed(), await placed()]
  const address = { street1: '1 Main St', city: 'Cheyenne', state: 'WY', zip: '82001', country: 'US' }
  const long = { ...recipient, last_name: 'W'.repeat(90), address }
  const elsewhere = await placed(long)

  // The first page of a provider is the queue, and there is no other in the menu.
  const queue = await stage.open('/app', { cookie: jane.cookie })
  await queue.waitForURL('**/operator/approvals')
  const menu = queue.getByRole('navigation').first().getByRole('link')
  await menu.first().waitFor()
  expect(await menu.allInnerTexts()).toEqual([expect.stringContaining('Approvals')])
  await queue.getByRole('row').filter({ hasText: one }).waitFor()
  expect(await queue.getByRole('row').filter({ hasText: elsewhere }).count()).toBe(0)
  const row = (id: string) => queue.getByRole('row').filter({ hasText: id })
  await row(one).getByText('1 × Watched').waitFor()
  await row(one).getByText('44 years, Female, IL, US').waitFor()
  await row(one).getByRole('button', { name: 'Answers' }).click()
  await queue.getByRole('dialog').getByText('Do you take warfarin?').waitFor()
  await queue.getByRole('dialog').getByText('Yes').waitFor()
  await expectAccessible(queue)
  await queue.keyboard.press('Escape')
  await queue.getByRole('dialog').waitFor({ state: 'detached' })
  await expectAccessibleInBoth(queue)
  expect(await overflowByWidth(queue)).toEqual({})
  await row(one).getByRole('button', { name: 'Approve' }).click()
  await queue.getByRole('dialog').getByText('Ada Example, 44 years, Female, IL, US, 1 × Watched').waitFor()
  // What changed since it was shown is shown before it is approved.
  await clinic.live.request('PATCH', `/customers/${userId}`, { gender: 'M' })
  await queue.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await queue.getByText('changed since you read it').waitFor()
  await queue.getByRole('dialog').waitFor({ state: 'detached' })
  await row(one).getByText('44 years, Male, IL, US').waitFor()
  await clinic.live.request('PATCH', `/customers/${userId}`, { gender: 'F' })
  await queue.reload()
  await row(one).getByRole('button', { name: 'Approve' }).click()
  await queue.getByRole('dialog').getByText('Ada Example, 44 years, Female, IL, US, 1 × Watched').waitFor()
  await queue.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await row(one).waitFor({ state: 'detached' })
  await row(two).getByRole('button', { name: 'Refuse' }).click()
  const dialog = queue.getByRole('dialog')
  await dialog.getByText('1 × Watched').waitFor()
  await dialog.getByLabel('Reason').fill('Not indicated')
  await expectAccessible(queue)
  await dialog.getByRole('button', { name: 'Refuse' }).click()
  await row(two).waitFor({ state: 'detached' })

  const { cookie } = await signIn(world, await person(world, 'business-admin', clinic))
  const page = await stage.open(`/app/b/${clinic.id}/live/orders/${two}`, { cookie })
  await page.getByText('Approval of a provider').waitFor()
  await page.getByText('Not indicated', { exact: true }).waitFor()
  await page.getByText('Jane Doe, MD', { exact: true }).waitFor()
  await expectAccessible(page)
  await expect.poll(async () => (await clinic.live.get(`/orders/${one}`)).body.status).toBe('created')

  // The operator's page of it says who approved it, and when.
  const boss = await signIn(world, await person(world, 'operator-admin'))
  const ofOperator = await stage.open(`/app/operator/orders/${one}`, { cookie: boss.cookie })
  await ofOperator.getByText('A provider approved the order').waitFor()
  await ofOperator.getByText('Jane Doe, MD', { exact: true }).waitFor()

  // What nobody can approve says so, and what could not be paid is said to the business.
  const all = await stage.open('/app/operator/approvals', { cookie: boss.cookie })
  await all.getByRole('row').filter({ hasText: elsewhere }).getByText('No active provider is licensed there').waitFor()
  // Who is no provider reads why before they write a reason.
  const ofNobody = all.getByRole('row').filter({ hasText: elsewhere })
  await ofNobody.getByText('No active provider has your e-mail').waitFor()
  for (const name of ['Approve', 'Refuse']) expect(await ofNobody.getByRole('button', { name }).isDisabled()).toBe(true)
  await operator('PATCH', `/panels/${WATCHED}`, { notOfferedIn: ['US-WY'] })
  await all.reload()
  await ofNobody.getByText('WATCHED is not offered in this state').waitFor()
  await operator('PATCH', `/panels/${WATCHED}`, { notOfferedIn: null })
  await expectAccessibleInBoth(all)
  // On a phone a long name hides nothing, and breaks no name of a test.
  await all.setViewportSize({ width: 390, height: 844 })
  await all.getByText('Waits since').waitFor()
  await expect.poll(() => rightOf(all.getByRole('cell', { name: elsewhere }))).toBeLessThanOrEqual(390)
  const heightOfTest = async () => (await all.getByText('1 × Watched').first().boundingBox())?.height
  await expect.poll(heightOfTest, { message: 'in one line' }).toBeLessThan(40)
  await all.setViewportSize({ width: 1280, height: 800 })
  const { version } = (await operator('GET', `/approvals/${unpaid}`)).body
  const approval = { decision: 'approve', version, provider: provider.npi }
  expect((await operator('POST', `/approvals/${unpaid}`, approval)).status).toBe(200)
  const toPay = await stage.open(`/app/b/${clinic.id}/live/orders/${unpaid}`, { cookie })
  await toPay.getByText('A provider approved this order, and it is not paid').waitFor()
  await expectAccessible(toPay)
})
