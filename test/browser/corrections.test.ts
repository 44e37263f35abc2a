import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, expectNothingBeside, useStage } from '../harness/browser.ts'
import { address, anOrder } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness } from '../harness/world.ts'

describe('what is corrected and done with several at once', () => {
  const stage = useStage(() => ownWorld('looks at the wall of all businesses'))
  let clinic: TestBusiness
  let owner: SignedIn
  let admin: SignedIn

  beforeAll(async () => {
    clinic = await stage.world.business({ name: 'Mending Clinic', credits: 50 })
    owner = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
    admin = await signIn(stage.world, await person(stage.world, 'operator-admin'))
  })

  const inClinic = (path: string) => stage.open(`/app/b/${clinic.id}/live${path}`, { cookie: owner.cookie })

  async function placed(first_name: string) {
    const recipient = { first_name, last_name: 'Correct', email: `${first_name.toLowerCase()}@example.test`, address }
    const { body } = await clinic.live.post('/create-order', anOrder({ recipient }))
    const [kit] = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body
    return { orderID: body.orderId as string, kitID: kit.kitID as string }
  }

  async function correctStreet(page: Page, street: string, reason: string) {
    await page.getByRole('button', { name: 'Correct the address' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Nothing is changed yet.').waitFor()
    const save = dialog.getByRole('button', { name: 'Correct the address' })
    expect(await save.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: 'Street and number' }).fill(street)
    await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason)
    await dialog.getByRole('list', { name: 'What changes' }).getByText(street).waitFor()
    await expectAccessible(page)
    await save.click()
    await page.getByText('The address was corrected').first().waitFor()
  }

  it('an address is corrected from the order, which shows before what changes, and not once a kit is packed', async () => {
    const { orderID, kitID } = await placed('Iris')
    const page = await inClinic(`/orders/${orderID}`)
    await correctStreet(page, '2 Side Street', 'Typing error')
    await page.getByText('2 Side Street', { exact: true }).first().waitFor()
    const shipment = { kitID, carrier: 'UPS', outboundTrackingNumber: `1Z${kitID}`, returnTrackingNumber: `94${kitID}` }
    expect((await admin.operator.post('/fulfilment/shipments', shipment)).status).toBe(200)
    await page.reload()
    await page.getByRole('button', { name: 'Correct the address' }).click()
    await page.getByText('replace the kit from its page').waitFor()
  })

  it('the operator finds an order by the name of its recipient, and corrects its address with a reason', async () => {
    const { orderID } = await placed('Zelda')
    const page = await stage.open('/app/operator', { cookie: admin.cookie })
    await page.getByRole('button', { name: /Go to/ }).click()
    await page.getByRole('textbox', { name: 'Go to' }).fill('zelda')
    await page.getByRole('button', { name: new RegExp(`${orderID}.*Mending Clinic`) }).click()
    await page.getByRole('heading', { level: 1, name: '1 kit to Zelda Correct, Springfield IL' }).waitFor()
    await page.getByText('The order was placed').waitFor()
    await expectAccessible(page)
    await correctStreet(page, '3 Third Street', 'She called')
    const { body } = await admin.operator.get(`/audit?businessID=${clinic.id}&action=order.updated&objectID=${orderID}`)
    expect(body.data[0].details).toMatchObject({ reason: 'She called' })
  })

  it("a date of birth is corrected from the operator's page of the person, with a reason", async () => {
    const { kitID } = await placed('Bruno')
    const who = { firstName: 'Bruno', lastName: 'Correct', email: 'bruno@example.test', dateOfBirth: '1980-02-29' }
    const { body } = await clinic.live.post(`/kits/${kitID}/register`, { ...who, sex: 'M' })
    const page = await stage.open(`/app/operator/kits/${kitID}`, { cookie: admin.cookie })
    await page.getByRole('link', { name: 'bruno@example.test' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bruno Correct' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Correct', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Date of birth').fill('1981-02-28')
    const save = dialog.getByRole('button', { name: 'Correct', exact: true })
    expect(await save.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Passport')
    await dialog.getByText('Feb 28, 1981').waitFor()
    await save.click()
    await page.getByText('The customer was corrected').waitFor()
    const { body: customer } = await clinic.live.get(`/customers/${body.customerId}`)
    expect(customer.dateOfBirth).toBe('1981-02-28')
  })

  it('several unposted orders are canceled at once, with the keyboard alone', async () => {
    const orders = [await placed('Una'), await placed('Duo'), await placed('Tria')]
    const page = await inClinic('/orders')
    for (const name of ['Una', 'Duo', 'Tria']) {
      await page.getByRole('checkbox', { name: `Select 1 kit to ${name} Correct, Springfield IL` }).focus()
      await page.keyboard.press('Space')
    }
    await page.getByText('3 selected').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel 3 orders' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 3 orders' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('The orders were canceled').waitFor()
    for (const { orderID } of orders) {
      expect((await clinic.live.get(`/orders/${orderID}`)).body.status).toBe('canceled')
    }
  })

  it('a list is sorted from its other end, says so to assistive technology, and keeps it in its address and its views', async () => {
    const page = await inClinic('/orders')
    const head = page.getByRole('columnheader', { name: 'Ordered' })
    await head.waitFor()
    expect(await head.getAttribute('aria-sort')).toBe('descending')
    await head.getByRole('button').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/sort=createdDate/)
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('row', { name: /Iris Correct/ }).waitFor()
    await expect.poll(() => page.getByRole('row').nth(1).innerText()).toContain('Iris Correct')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('textbox', { name: 'Save these filters as' }).fill('From the beginning')
    await page.getByRole('button', { name: 'Save' }).click()
    await head.getByRole('button').click()
    await page.waitForURL((url) => !url.search.includes('sort'))
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'From the beginning', exact: true }).click()
    await page.waitForURL(/sort=createdDate/)
  })

  it('a CSV has the columns that are shown, or only what was selected', async () => {
    const page = await inClinic('/kits')
    await page.getByRole('button', { name: 'Which columns the CSV has' }).click()
    const [shown] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Only the columns that are shown' }).click(),
    ])
    const text = await readFile(await shown.path(), 'utf8')
    expect(text.split('\r\n')[0]).toContain('registeredToEmail,recipientEmail,kitType,kitStatus')
    expect(text).not.toContain('replacementFor')
    const [first] = await page.getByRole('checkbox', { name: /^Select K/ }).all()
    await first?.check()
    const [selected] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of the selected' }).click(),
    ])
    expect((await readFile(await selected.path(), 'utf8')).trim().split('\r\n')).toHaveLength(2)
  })

  it('an order says in plain words what it cost, and what was given back', async () => {
    const { orderID } = await placed('Penny')
    const page = await inClinic(`/orders/${orderID}`)
    await page.getByText('Paid with 1 credit, one for each kit.').waitFor()
    await page.getByRole('button', { name: 'Cancel order' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click()
    await page.getByText('Canceled: 1 credit was given back.').waitFor()
  })

  it('the wall shows what waits, large and without the name of anybody', async () => {
    await placed('Wally')
    const page = await stage.open('/app/operator?board', { cookie: admin.cookie })
    await page.getByText(/^Pack \d+ kits?$/).waitFor()
    expect(await page.content()).not.toContain('Wally')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Leave the wall' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByText(/Before the first live kit: \d of 6 done/).waitFor()
    await page.getByRole('link', { name: 'Have the ranges signed' }).click()
    await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
  })

  it('is used on a phone too', async () => {
    const { orderID } = await placed('Mobi')
    const page = await stage.open(`/app/operator/orders/${orderID}`, {
      cookie: admin.cookie,
      size: 'phone',
      scheme: 'dark',
    })
    await page.getByRole('heading', { level: 1, name: /Mobi Correct/ }).waitFor()
    await expectAccessible(page)
    await expectNothingBeside(page)
  })
})
