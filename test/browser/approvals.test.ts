import { expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { createPanel, provision } from '../../src/modules/catalogue/service.ts'
import { expectAccessible, expectAccessibleInBoth, useStage } from '../harness/browser.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
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
  await world.grant(clinic, WATCHED, 5)
  await operator('PATCH', `/panels/${WATCHED}`, { providerNeeded: true })
  const jane = await signIn(world, await person(world, 'reviewer'))
  const provider = { name: 'Jane Doe, MD', npi: '1932102084', licensedIn: ['US-IL'], email: jane.person.email }
  const added = await operator('POST', '/providers', provider)
  expect(added.status, added.text).toBe(201)
  const placed = async (): Promise<string> =>
    (await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: WATCHED }] }))).body.orderId
  const [one, two] = [await placed(), await placed()]

  const queue = await stage.open('/app/operator/approvals', { cookie: jane.cookie })
  const row = (id: string) => queue.getByRole('row').filter({ hasText: id })
  await row(one).getByText('1 × Watched').waitFor()
  await expectAccessibleInBoth(queue)
  await row(one).getByRole('button', { name: 'Approve' }).click()
  await queue.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await row(one).waitFor({ state: 'detached' })
  await row(two).getByRole('button', { name: 'Refuse' }).click()
  const dialog = queue.getByRole('dialog')
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
  await expect
    .poll(async () => (await clinic.live.get(`/orders/${one}`)).body.status, { timeout: 10_000 })
    .toBe('created')
})
