import { beforeAll, describe, expect, it } from 'vitest'
import { sealEntries } from '../../src/modules/audit/seal.ts'
import { raise } from '../../src/modules/oversight/alarms/service.ts'
import { useStage } from '../harness/browser.ts'
import { anOrder } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness } from '../harness/world.ts'

const actor = { name: 'test' }

describe('who watches over the data', () => {
  // Alarms, the audit and reviews of access are of the whole installation.
  const stage = useStage(() => ownWorld('looks at the audit of all businesses'))
  let clinic: TestBusiness
  let owner: SignedIn
  let staff: SignedIn

  beforeAll(async () => {
    clinic = await stage.world.business({ name: 'Harbor Clinic' })
    owner = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
    staff = await signIn(stage.world, await person(stage.world, 'operator-admin'))
  })

  it('sees on the page of a customer who saw their data, and takes it away as a file', async () => {
    const { id } = (await clinic.live.post('/customer', { email: 'ada@example.test', name: 'Ada Example' })).body
    for (let i = 0; i < 3; i++) await clinic.live.get(`/customers/${id}`)
    await clinic.live.get('/customers?page=0')
    const page = await stage.open(`/app/b/${clinic.id}/live/customers/${id}`, { cookie: owner.cookie })
    await page.getByRole('link', { name: 'Who saw this data' }).click()
    await page.getByRole('heading', { name: 'Who saw this data' }).waitFor()
    await page.getByText('Shown in a list').waitFor()
    await page.getByText('3 times on').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('accesses.csv')
  })

  it('finds an alarm on the overview, sees what the caller did, and acknowledges it', async () => {
    const caller = `token:${(await owner.in(clinic).get('/tokens')).body[0].id}`
    const { database } = stage.world.service
    await database.asSystem(actor, (tx) => raise(tx, { kind: 'mass_read', subject: caller, amount: 1200 }))
    await database.asSystem(actor, (tx) => raise(tx, { kind: 'refusals', subject: 'network:203.0.113.7', amount: 75 }))
    await database.asSystem(actor, (tx) =>
      raise(tx, { kind: 'access_review_due', subject: 'access review', amount: 1 }),
    )
    const page = await stage.open('/app/operator', { cookie: staff.cookie })
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Look into \d+ alarms$/ })
      .click()
    await page.getByText('1,200 people within an hour.').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Data of many people read' })
    await row.getByRole('button', { name: 'Acknowledge' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByText('Many refused attempts').waitFor()
    await page.getByRole('radiogroup').getByText('All').click()
    await page.getByText('1,200 people within an hour.').waitFor()
  })

  it('reads the audit as sentences with names, chooses what was done in words, and opens what it was done to', async () => {
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    await owner.in(clinic).request('PATCH', '/settings', { publishing: 'auto' })
    const page = await stage.open(`/app/b/${clinic.id}/live/settings/audit`, { cookie: owner.cookie })
    const entry = (text: string) => page.getByRole('row').filter({ hasText: text })
    await entry(`placed order ${orderId}`).waitFor()
    const who = owner.person.email
    await entry(`${who} changed the settings`).getByText('before: publishing by a person').waitFor()
    await entry('changed the settings').getByText('· JSON').click()
    await entry('changed the settings').getByText('"action": "settings.changed"').waitFor()
    await page.getByRole('combobox', { name: 'What was done' }).fill('placed o')
    await page.getByRole('option', { name: 'Placed order' }).click()
    await entry('changed the settings').waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('action')).toBe('order.placed')
    await page.getByRole('link', { name: orderId }).click()
    await page.waitForURL(`**/orders/${orderId}`)
  })

  it('the operator reads who of a business did what, and does not lose an action that has no words', async () => {
    await owner.in(clinic).request('PATCH', '/settings', { publishing: 'manual' })
    const page = await stage.open('/app/operator/audit?action=settings.changed', { cookie: staff.cookie })
    await page.getByText(`${owner.person.email} changed the settings`).first().waitFor()
    await page.getByRole('button', { name: owner.person.email }).first().click()
    await expect.poll(() => new URL(page.url()).searchParams.get('actor')).toMatch(/^user:usr_/)
    await page.goto(page.url().replace('settings.changed', 'wish.granted'))
    await page.getByText('No entries').waitFor()
    expect(await page.getByRole('combobox', { name: 'What was done' }).inputValue()).toBe('wish.granted')
  })

  it('reviews who has access, and signs off', async () => {
    await stage.world.service.database.asSystem(actor, sealEntries)
    const page = await stage.open('/app/operator/access-review', { cookie: staff.cookie })
    await page.getByText('A review is due').waitFor()
    await page.getByText(owner.person.email).waitFor()
    await page.getByRole('button', { name: 'Sign off' }).click()
    await page.getByLabel('Note').fill('All known.')
    await page.getByRole('dialog').getByRole('button', { name: 'Sign off' }).click()
    await page.getByText('The review was signed off').waitFor()
    await page.getByText('All known.').waitFor()
    await page.getByText('A review is due').waitFor({ state: 'detached' })
  })
})
