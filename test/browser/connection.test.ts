import type { Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, useStage } from '../harness/browser.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import type { TestBusiness } from '../harness/world.ts'

describe('while the service cannot be reached', () => {
  const stage = useStage()
  let clinic: TestBusiness
  let owner: SignedIn
  const open = (path: string) => stage.open(`/app/b/${clinic.id}/live${path}`, { cookie: owner.cookie, isNew: true })

  beforeAll(async () => {
    clinic = await stage.world.business({ name: 'Harbor Clinic', credits: 100 })
    owner = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
  })

  it('the app stays, says so, and shows the page that was asked for when the service is back', async () => {
    const page = await open('/orders')
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByText('No connection to the service').waitFor()
    await page.getByText('This page could not be loaded').waitFor()
    expect(await page.getByRole('link', { name: 'Orders', exact: true }).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('This page could not be loaded').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.getByText('No connection to the service').waitFor({ state: 'detached' })
  })

  it('an answer to what was asked before it was lost does not say that it is back, and reloads nothing', async () => {
    const page = await open('')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const held: (() => Promise<void>)[] = []
    const hold = async (route: Route) => {
      const response = await route.fetch()
      held.push(() => route.fulfill({ response }))
    }
    await page.route('**/api/v1/orders?*', hold, { times: 1 })
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await expect.poll(() => held.length).toBe(1)
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByText('This page could not be loaded').waitFor()
    await Promise.all([page.waitForResponse('**/api/v1/orders?*'), held[0]?.()])
    // Its code is here: it opens only where the app has stayed.
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor()
    await page.getByText('No connection to the service').waitFor()
    await page.context().setOffline(false)
    await page.getByText('No connection to the service').waitFor({ state: 'detached' })
  })

  it('a page that is still loading says so to everyone, also to who hears it', async () => {
    const page = await open('')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/v1/events?*', (route) => released.then(() => route.continue()))
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('tab', { name: 'Events', exact: true }).click()
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    await expectAccessible(page)
    release()
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
  })

  it('an order is refused at once, keeps what was typed, and is not placed behind the person’s back later', async () => {
    const page = await open('/orders/new')
    await page.getByLabel('How many of Core Health').fill('1')
    for (const [name, value] of Object.entries(recipient)) await page.locator(`input[name=${name}]`).fill(value)
    await page.getByText(/Paid with 1 credit/).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Order 1 kit' }).click()
    await page.getByText('The service cannot be reached').first().waitFor()
    await page.context().setOffline(false)
    await page.getByText('No connection to the service').waitFor({ state: 'detached' })
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(0)
    expect(await page.locator('input[name=email]').inputValue()).toBe(recipient.email)
    await page.getByRole('button', { name: 'Order 1 kit' }).click()
    await page.waitForURL(/\/orders\/O/)
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(1)
  })
})

const recipient = {
  first_name: 'Ada',
  last_name: 'Example',
  email: 'ada@example.test',
  street1: '1 Main Street',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
}
