import type { CDPSession, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, useStage } from '../harness/browser.ts'
import { type Person, person } from '../harness/people.ts'
import { ownWorld, type TestBusiness } from '../harness/world.ts'

/** Chromium's own authenticator: a device that checks its holder and signs at once. */
async function withDevice(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}

async function typeSignIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
}

describe('signing in', () => {
  // Staff must have a second factor here.
  const stage = useStage(() => ownWorld('has another setting', { secondFactor: 'operators' }))
  let clinic: TestBusiness
  beforeAll(async () => {
    clinic = await stage.world.business({ name: 'Harbor Clinic' })
  })
  // Browsers offer passkeys under a host name only.
  const open = (path: string) => stage.open(`${stage.world.service.url.replace('127.0.0.1', 'localhost')}${path}`)
  const age = async (who: Person) => {
    const owner = await stage.world.owner()
    await owner.query(
      `update sessions set proved_at = proved_at - interval '11 minutes', factor_proved_at = factor_proved_at - interval '11 minutes'
       where user_id = $1`,
      [who.id],
    )
  }

  const demandedBy = async (businessId: string) => {
    const owner = await stage.world.owner()
    const sql = 'select second_factor_required as demanded from sign_in_policies where business_id = $1'
    return (await owner.query(sql, [businessId])).rows.map(({ demanded }) => demanded)
  }

  it('leads staff without a second factor to set up a passkey, which then signs in and proves who they are', async () => {
    const who = await person(stage.world, 'operator-admin')
    const page = await open('/app/sign-in')
    const device = await withDevice(page)
    await typeSignIn(page, who)
    await page.getByText('Set up a second factor to go on').waitFor()
    await expectAccessible(page)
    await page.goto(page.url().replace('/account', '/operator/staff'))
    await page.getByText('Set up a second factor to go on').waitFor()
    expect(await page.getByRole('heading', { name: 'Password' }).count(), 'only this can be done').toBe(0)

    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('My laptop')
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('Save these recovery codes').waitFor()
    expect(await page.locator('code').count()).toBe(10)
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.waitForURL(/\/app\/operator/)

    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(/\/app\/operator/)
    const { credentials } = await device.cdp.send('WebAuthn.getCredentials', {
      authenticatorId: device.authenticatorId,
    })
    expect(credentials.map(({ signCount, isResidentCredential }) => [signCount > 0, isResidentCredential])).toEqual([
      [true, true],
    ])

    await age(who)
    await page.goto(page.url().replace(/\/app\/.*/, '/app/operator/staff'))
    await page.getByRole('button', { name: 'Invite' }).click()
    const form = page.getByRole('dialog', { name: 'Invite' })
    await form.getByLabel('E-mail').fill('new@staff.test')
    await form.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('new@staff.test').first().waitFor()
  })

  it('asks for the password before a token is made, and then makes it', async () => {
    const who = await person(stage.world, 'business-admin', clinic)
    const page = await open('/app/sign-in')
    await typeSignIn(page, who)
    await page.waitForURL(/\/app\/b\//)
    await age(who)
    await page.goto(page.url().replace(/\/live.*/, '/live/developers/tokens'))
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('ERP')
    await page.getByRole('dialog').getByRole('button', { name: 'Create the token' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('The password is wrong').waitFor()
    await dialog.getByRole('textbox', { name: 'Password' }).fill(who.password)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Your new token').waitFor()
    const owner = await stage.world.owner()
    const { rows } = await owner.query(`select 1 from tokens where name = 'ERP'`)
    expect(rows, 'one request was repeated, and one token was made').toHaveLength(1)
  })

  it('lets a business demand a second factor, which its administrator then sets up first', async () => {
    const strict = await stage.world.business({ name: 'Strict Clinic' })
    const who = await person(stage.world, 'business-admin', strict)
    const page = await open('/app/sign-in')
    await typeSignIn(page, who)
    await page.waitForURL(/\/app\/b\//)
    await page.goto(page.url().replace(/\/live.*/, '/live/settings/team'))
    const demand = page.getByRole('switch', { name: 'Everyone here must have a second factor' })
    await demand.click()
    await expect.poll(() => demandedBy(strict.id)).toEqual([true])
    await page.getByText('Set up a second factor to go on').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  })

  it('shows where one is signed in, and ends a session there', async () => {
    const who = await person(stage.world, 'business-viewer', clinic)
    const [here, there] = [await open('/app/sign-in'), await open('/app/sign-in')]
    for (const page of [here, there]) {
      await typeSignIn(page, who)
      await page.waitForURL(/\/app\/b\//)
    }
    await here.goto(here.url().replace(/\/app\/.*/, '/app/account'))
    const sessions = here.getByRole('region', { name: 'Sessions' })
    await sessions.getByText('This one').waitFor()
    await expectAccessible(here)
    await sessions.getByRole('button', { name: /^End Chrome on/ }).click()
    await here.getByText('The session was ended').waitFor()
    await there.reload()
    await there.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  })
})
