import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { sweepPayments } from '../../src/modules/orders/payment/sweep.ts'
import { expectAccessible, useStage } from '../harness/browser.ts'
import { anOrder, CARDIO, CORE, recipient } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import type { TestBusiness } from '../harness/world.ts'

const stage = useStage()

interface Shop {
  clinic: TestBusiness
  owner: SignedIn
  open: (path: string, size?: 'desktop' | 'phone') => Promise<Page>
}

/** A business with a card, or without any. */
async function shop(card: string | undefined, credits = 0): Promise<Shop> {
  const { world } = stage
  const clinic = await world.business({ name: 'Harbor Clinic', credits })
  if (card) expect((await clinic.live.post('/payment-methods', { id: card })).status).toBe(201)
  const owner = await signIn(world, await person(world, 'business-admin', clinic))
  const open: Shop['open'] = (path, size = 'desktop') =>
    stage.open(`/app/b/${clinic.id}/live${path}`, { cookie: owner.cookie, size })
  return { clinic, owner, open }
}

/** When open payments count as asked for: the service asks the gateway again half a minute later. */
async function askedAt(from: string): Promise<void> {
  const owner = await stage.world.owner()
  await owner.query(`update payments set checked_at = now() + $1::interval where state = 'requested'`, [from])
}

async function runSweep(): Promise<void> {
  await askedAt('-1 hour')
  await stage.world.service.database.asSystem({ name: 'test' }, sweepPayments)
}

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('How many of Core Health').fill('1')
  const { address, ...names } = recipient
  for (const [name, value] of Object.entries({ ...names, ...address })) {
    await page.locator(`input[name=${name}]`).fill(value)
  }
}

async function pendingIn({ clinic }: Shop): Promise<string> {
  const kit_types = [{ kitType: CORE, quantity: 2 }, { kitType: CARDIO }]
  const { body } = await clinic.live.post('/create-order', anOrder({ kit_types, paymentMethod: 'later' }))
  return body.orderId
}

describe('when the answer of the bank is lost', () => {
  it('a new order says so, and opens by itself once the card is known to be charged, once', async () => {
    const { clinic, open } = await shop('pm_card_lost_reply')
    const page = await open('/orders/new')
    await fillIn(page)
    await page.getByRole('radio', { name: /ending 4040|4040/ }).check()
    await page.getByRole('button', { name: 'Order 1 kit' }).click()
    await page.getByText('The bank has not answered yet').waitFor()
    await askedAt('1 hour')
    await expectAccessible(page)
    await runSweep()
    await page.waitForURL(/\/orders\/O\w{9}$/)
    const { body } = await clinic.live.get('/orders')
    expect(body.data.map(({ payment }: { payment: object }) => payment)).toEqual([
      expect.objectContaining({ method: 'card', status: 'paid' }),
    ])
  })

  it('a pending order says so to everybody, and its page shows the kits once it is paid', async () => {
    const one = await shop('pm_card_lost_reply')
    const orderID = await pendingIn(one)
    const page = await one.open(`/orders/${orderID}`)
    await page.getByRole('button', { name: 'Pay order' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pay order' }).click()
    await page.getByText('The bank has not answered yet').waitFor()
    // However slow the machine is, the service does not ask before the colleague has looked.
    await askedAt('1 hour')
    expect(await page.getByRole('button', { name: 'Pay order' }).count()).toBe(0)
    const colleague = await one.open('/orders')
    await colleague.getByText('Payment under way').waitFor()
    await runSweep()
    await page.getByText('The order is paid', { exact: true }).waitFor()
    await page.getByRole('heading', { name: '3 kits', exact: true }).waitFor()
  })
})

describe('where nothing can pay', () => {
  let bare: Shop
  let orderID: string
  beforeAll(async () => {
    bare = await shop(undefined)
    orderID = await pendingIn(bare)
  })

  it('a card that is not there is not promised: the order will wait to be paid', async () => {
    const page = await bare.open('/orders/new')
    await page.getByText('else the order waits to be paid: no card is saved').waitFor()
    await page.getByLabel('How many of Core Health').fill('1')
    await page.getByText('The order will wait for payment').waitFor()
    await page.getByText('to pay later').waitFor()
    expect(await page.getByText('by card', { exact: true }).count()).toBe(0)
    await page.getByRole('radio', { name: 'Credits', exact: true }).check()
    await page.getByText('Not enough credits').waitFor()
    await page.getByRole('link', { name: 'Add a card in Billing' }).waitFor()
    await expectAccessible(page)
  })

  it('the dialog to pay leads to a card or to credits', async () => {
    const page = await bare.open(`/orders/${orderID}`)
    await page.getByRole('button', { name: 'Pay order' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This order cannot be paid now').waitFor()
    await dialog.getByText('ask the operator for credits').waitFor()
    expect(await dialog.getByRole('button', { name: 'Pay order' }).count()).toBe(0)
    await expectAccessible(page)
    await dialog.getByRole('link', { name: 'Add a card in Billing' }).click()
    await page.getByRole('button', { name: 'Add a card' }).click()
    await page.getByRole('radio').first().check()
    await page.getByRole('button', { name: 'Save the card' }).click()
    await page.getByText('used for orders').waitFor()
    await page.goto(`/app/b/${bare.clinic.id}/live/orders/${orderID}`)
    await page.getByRole('button', { name: 'Pay order' }).click()
    await dialog.getByText('Your usual card').waitFor()
    expect(await dialog.getByRole('radio', { name: 'Credits' }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Pay order' }).click()
    await page.getByRole('heading', { name: '3 kits', exact: true }).waitFor()
  })
})

describe('an order that is not paid', () => {
  it('shows on its page and in the list what was ordered and its price, on a phone too', async () => {
    const one = await shop(undefined)
    const orderID = await pendingIn(one)
    for (const size of ['desktop', 'phone'] as const) {
      const page = await one.open(`/orders/${orderID}`, size)
      const ordered = page.getByRole('table', { name: 'Ordered' })
      await ordered.getByRole('row', { name: /Core Health 2/ }).waitFor()
      await page.getByText('$597.00 by card, or 3 credits').waitFor()
      await page.goto(`/app/b/${one.clinic.id}/live/orders`)
      const row = page.locator('tr', { has: page.locator(`a[href$="/orders/${orderID}"]`) })
      await row.getByText('$597.00').waitFor()
      await row
        .getByText(/Core Health × 2/)
        .filter({ visible: true })
        .waitFor()
    }
  })
})

describe('saved cards', () => {
  it('one is chosen for the next orders, test cards by what they do, and an expired one says so', async () => {
    const { clinic, owner } = await shop(undefined)
    const page = await stage.open(`/app/b/${clinic.id}/sandbox/billing`, { cookie: owner.cookie })
    await page.getByText('Visa ending in 4242 · used for orders').waitFor()
    await page.getByRole('button', { name: 'Add a card' }).click()
    await page.getByRole('radio', { name: 'A card that is saved, and declined when it is charged' }).check()
    await page.getByRole('button', { name: 'Save the card' }).click()
    await page.getByText('Visa ending in 0002 · used for orders').waitFor()
    await page.getByRole('button', { name: 'Use for orders' }).click()
    await page.getByText('Visa ending in 4242 · used for orders').waitFor()
    const database = await stage.world.owner()
    await database.query(
      `update payment_methods set exp_month = 1, exp_year = 2020 where id = 'pm_card_declined'
      and realm_id in (select id from realms where business_id = $1)`,
      [clinic.id],
    )
    await page.reload()
    await page.getByText('Expired 01/2020. Orders with it are declined: add another card.').waitFor()
    await expectAccessible(page)
  })
})
