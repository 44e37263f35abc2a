import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useStage } from '../harness/browser.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'

describe('an administrator of the operator', () => {
  const stage = useStage()
  let admin: SignedIn
  const open = (path: string) => stage.open(`/app/operator${path}`, { cookie: admin.cookie })

  beforeAll(async () => {
    admin = await signIn(stage.world, await person(stage.world, 'operator-admin'))
  })

  it('creates a business, whose tokens are shown once and work', async () => {
    const page = await open('/businesses')
    await page.getByRole('link', { name: 'New business' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Lakeside Clinic')
    await page.getByRole('button', { name: 'Create' }).click()
    const token = await page.getByLabel('live token', { exact: true }).innerText()
    expect(token).toMatch(/^kl_live_\w+$/)
    expect((await stage.world.as(token).get('/orders')).status).toBe(200)
    await page.getByRole('link', { name: 'I have copied them' }).click()
    await page.getByRole('link', { name: 'Enter its dashboard' }).waitFor()
    expect(await page.content()).not.toContain(token)
  })

  it('grants credits with a reason, and the business has them', async () => {
    const clinic = await stage.world.business({ credits: 0 })
    const page = await open(`/businesses/${clinic.id}`)
    await page.getByRole('button', { name: 'Grant credits' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'How many' }).fill('25')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Invoice 2026-117')
    await dialog.getByRole('button', { name: 'Grant credits' }).click()
    await page.getByText('The credits were granted').waitFor()
    const { body } = await clinic.live.get('/credits')
    expect(body.map(({ credits }: { credits: number }) => credits)).toContain(25)
  })

  it('enters the dashboard of a business, and that is written into its audit', async () => {
    const clinic = await stage.world.business({ name: 'Hill Clinic' })
    const page = await open(`/businesses/${clinic.id}`)
    await page.getByRole('link', { name: 'Enter its dashboard' }).click()
    await page.waitForURL(`**/app/b/${clinic.id}/live`)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const { body } = await admin.operator.get(`/audit?businessID=${clinic.id}`)
    expect(body.data.map(({ actor }: { actor: string }) => actor)).toContain(`user:${admin.person.id}`)
  })

  it('changes a range with a reason; before, the draft is marked as one', async () => {
    const page = await open('/catalogue')
    await page.getByText('A laboratory director must approve every range').waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('13457-7')
    await page.locator('a[href="/app/operator/catalogue/ldl"]').click()
    await page.getByRole('button', { name: 'Change the range' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Women to').fill('115')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Approved by Dr Example')
    await dialog.getByRole('button', { name: 'Change the range' }).click()
    await page.getByText('2. Approved by Dr Example').waitFor()
    await page
      .getByRole('row', { name: /Reference, women/ })
      .getByText('up to 115')
      .waitFor()
  })

  it('invites somebody to pack, who then sees the pack station and nothing of the administration', async () => {
    const page = await open('/staff')
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill('pat@operator.test')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    const link = await page.getByLabel('link', { exact: true }).innerText()
    const newcomer = await stage.open(new URL(link).pathname + new URL(link).hash)
    await accept(newcomer, 'correct horse battery staple')
    await newcomer.getByRole('link', { name: 'Pack', exact: true }).waitFor()
    expect(await newcomer.getByRole('link', { name: 'Businesses' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page
      .getByRole('row', { name: /pat@operator.test/ })
      .getByText('Disabled')
      .waitFor()
    await newcomer.reload()
    await newcomer.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('sees that the audit is intact, and that it is not once somebody wrote into it', async () => {
    const page = await open('/audit')
    await page.getByText(/Intact: \d+ entries/).waitFor()
    await tamper()
    await page.reload()
    await page.getByText('The audit was changed').waitFor()
  })

  async function tamper() {
    const owner = await stage.world.owner()
    await owner.query('reset role')
    await owner.query('alter table audit_entries no force row level security')
    await owner.query("update audit_entries set action = 'nothing' where id = (select min(id) from audit_entries)")
  }
})

async function accept(page: Page, password: string): Promise<void> {
  const fields = page.locator('input[type=password]')
  await fields.first().waitFor()
  for (const field of await fields.all()) await field.fill(password)
  await page.locator('button[type=submit]').click()
}
