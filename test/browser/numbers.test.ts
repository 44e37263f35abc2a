import { beforeAll, describe, expect, it } from 'vitest'
import { useStage } from '../harness/browser.ts'
import { anOrder, CARDIO, CORE } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import type { TestBusiness } from '../harness/world.ts'

describe('the numbers of a business', () => {
  const stage = useStage()
  let clinic: TestBusiness
  let owner: SignedIn

  beforeAll(async () => {
    clinic = await stage.world.business({ name: 'Harbor Clinic' })
    owner = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
  })

  it('stand in words and bars, with a table and a file, and keep their filters in the address', async () => {
    const kit_types = [
      { kitType: CORE, quantity: 3 },
      { kitType: CARDIO, quantity: 1 },
    ]
    const { body: order } = await clinic.sandbox.post('/create-order', anOrder({ kit_types }))
    const { kits } = (await clinic.sandbox.get(`/orders/${order.orderId}`)).body
    await clinic.sandbox.post(`/sandbox/kits/${kits[0].kitID}/advance`, { status: 'kitDelivered' })

    const page = await stage.open(`/app/b/${clinic.id}/sandbox/numbers`, { cookie: owner.cookie })
    const came = page.getByRole('region', { name: 'How far kits came' })
    await came.getByText('4 kits ordered from').waitFor()
    expect(await came.getByText('25%').count()).toBe(1)
    await page.getByText('Too few').or(page.getByText('No kits yet')).first().waitFor()

    // The table is folded until it is asked for.
    await came.locator('summary').focus()
    await page.keyboard.press('Enter')
    await came.getByRole('columnheader', { name: 'Delivered' }).waitFor()
    await page.getByRole('button', { name: 'Split by' }).click()
    await page.getByRole('menuitem', { name: 'Panel' }).click()
    await came.getByRole('cell', { name: 'GLP & Cardio' }).waitFor()
    expect(new URL(page.url()).searchParams.get('by')).toBe('panel')

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'How far kits came as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('funnel.csv')

    await page.goto(`/app/b/${clinic.id}/sandbox/numbers?from=2020-01-01&to=2020-01-31`)
    await page.getByRole('heading', { name: 'No kits were ordered in this time' }).waitFor()
  })
})
