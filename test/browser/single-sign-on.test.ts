import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { expectAccessible, useStage } from '../harness/browser.ts'
import { type IdentityProvider, startIdentityProvider } from '../harness/identity-provider.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import type { TestBusiness } from '../harness/world.ts'

describe('single sign-on in a browser', () => {
  const stage = useStage()
  let clinic: TestBusiness
  let owner: SignedIn
  let chief: SignedIn
  let provider: IdentityProvider
  // A verified domain is of one business of the installation.
  const domain = `${randomBase62(8)}.test`.toLowerCase()

  beforeAll(async () => {
    provider = await startIdentityProvider(`${stage.world.service.url}/app/sso`)
    clinic = await stage.world.business({ name: 'Harbor Clinic' })
    owner = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
    chief = await signIn(stage.world, await person(stage.world, 'operator-admin'))
  })
  afterAll(() => provider.stop())

  it('is set up by the business, its domain verified by the operator, and its people sign in', async () => {
    const page = await stage.open(`/app/b/${clinic.id}/live/settings/sso`, { cookie: owner.cookie })
    await page.getByText('No single sign-on yet').waitFor()
    await page.getByRole('button', { name: 'New single sign-on' }).click()
    await page.getByLabel('Name').fill('Harbor login')
    await page.getByLabel('Issuer').fill(provider.issuer)
    await page.getByLabel('Client ID').fill(provider.clientId)
    await page.getByRole('textbox', { name: 'Client secret' }).fill(provider.clientSecret)
    await page.getByRole('combobox', { name: 'Domains' }).fill(domain)
    await page.getByRole('combobox', { name: 'Domains' }).press('Enter')
    await page.getByLabel('Group 1', { exact: true }).fill('care')
    await page.getByRole('combobox', { name: 'Role of group 1' }).click()
    await page.getByRole('option', { name: 'Read only' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`${domain}: waits for the operator to verify it`).waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Create a token' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create a token' }).click()
    const secret = page.getByRole('dialog', { name: 'The token for SCIM' })
    const token = await secret.getByLabel('Copy').or(secret.locator('pre')).first().innerText()
    expect(token).toMatch(/^kl_scim_/)
    await secret.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('The provider manages users and groups').waitFor()

    const operator = await stage.open('/app/operator/sso', { cookie: chief.cookie })
    const row = operator.getByRole('row').filter({ hasText: domain })
    await row.getByRole('button', { name: 'Verify' }).click()
    await operator.getByRole('dialog').getByRole('button', { name: 'Verify' }).click()
    await row.getByRole('cell', { name: 'Verified', exact: true }).waitFor()
    await expectAccessible(operator)

    provider.person = { sub: 'robin', email: `robin@${domain}`, email_verified: true, groups: ['care'] }
    const window = await stage.open(`/app/sign-in?next=/b/${clinic.id}/live/kits`)
    await window.getByLabel('E-mail').fill(`robin@${domain}`)
    await window.getByRole('button', { name: 'Continue with Harbor login' }).click()
    await window.waitForURL(`**/b/${clinic.id}/live/kits`)
    await window.getByRole('heading', { name: 'Kits', level: 1 }).waitFor()
    expect(await window.evaluate(() => sessionStorage.getItem('kitlane-sso'))).toBeNull()
  })

  it('shows what to set up at each provider, the redirect URI first, and fills in what is the same for all', async () => {
    const page = await stage.open(`/app/b/${clinic.id}/live/settings/sso`, { cookie: owner.cookie })
    await page.getByRole('button', { name: 'New single sign-on' }).click()
    for (const [name, issuer, claim] of [
      ['Microsoft Entra ID', '', 'groups'],
      ['Okta', '', 'groups'],
      ['Google Workspace', 'https://accounts.google.com', 'hd'],
      ['Keycloak', '', 'groups'],
      ['JumpCloud', 'https://oauth.id.jumpcloud.com/', 'groups'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Identity provider' }).click()
      await page.getByRole('option', { name }).click()
      const steps = page.getByRole('group', { name: `At ${name}` })
      await steps.getByRole('button', { name: `Copy ${stage.world.service.url}/app/sso` }).waitFor()
      expect(await steps.getByRole('listitem').count()).toBeGreaterThan(2)
      expect(await page.getByLabel('Issuer').inputValue()).toBe(issuer)
      expect(await page.getByLabel('Claim with the groups').inputValue()).toBe(claim)
    }
    await expectAccessible(page)
  })

  it('is tried by its administrator, who reads which claims came and what would stop a person', async () => {
    provider.person = { sub: 'kim', email: `kim@${domain}`, email_verified: true, groups: ['care'] }
    const page = await stage.open(`/app/b/${clinic.id}/live/settings/sso`, { cookie: owner.cookie })
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText(`kim@${domain} would be Read only.`).waitFor()
    await page
      .getByRole('row', { name: /groups/ })
      .getByText('["care"]')
      .waitFor()
    await page.getByText('Nobody was signed in, and nothing was changed.').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await expectAccessible(page)
    provider.person = { ...provider.person, sub: 'lee', groups: [] }
    await page.getByRole('link', { name: 'Back to single sign-on' }).click()
    await page.getByRole('button', { name: 'Try it' }).waitFor()
    // The provider knows the first person in that browser.
    const other = await stage.open(`/app/b/${clinic.id}/live/settings/sso`, { cookie: owner.cookie })
    await other.getByRole('button', { name: 'Try it' }).click()
    await other.getByText('This person could not sign in').waitFor()
    await other.getByText('None of your groups has a role in Kitlane').waitFor()
  })

  it('says why somebody is refused, and how to go on', async () => {
    provider.person = { sub: 'sam', email: `sam@${domain}`, email_verified: true, groups: ['others'] }
    const page = await stage.open('/app/sign-in')
    await page.getByLabel('E-mail').fill(`sam@${domain}`)
    await page.getByRole('button', { name: 'Continue with Harbor login' }).click()
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    await page.getByText('None of your groups has a role in Kitlane').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('is not begun by a link that another site sends', async () => {
    provider.person = { sub: 'robin', email: `robin@${domain}`, email_verified: true, groups: ['care'] }
    const { body } = await owner.in(clinic).get('/sso-connections')
    const started = await stage.world.anonymous.post('/session/sso', { connectionID: body[0].id })
    const page = await stage.open(`/app/sso${await provider.visit(started.body.url)}`)
    await page.getByText('This sign-in was used, has expired or began in another window').waitFor()
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('kitlane')
  })
})
