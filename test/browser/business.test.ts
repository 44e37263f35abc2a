import { beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, expectAccessibleInBoth, pageLoaded, useStage } from '../harness/browser.ts'
import { CORE } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { httpReceiver, type Receiver } from '../harness/receivers.ts'
import type { TestBusiness } from '../harness/world.ts'

describe('an administrator of a business', () => {
  const stage = useStage()
  let clinic: TestBusiness
  let owner: SignedIn
  const open = (path: string, mode: 'live' | 'sandbox' = 'live') =>
    stage.open(`/app/b/${clinic.id}/${mode}${path}`, { cookie: owner.cookie })

  beforeAll(async () => {
    clinic = await stage.world.business({ name: 'Harbor Clinic', credits: 100 })
    owner = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
  })

  it('orders by CSV, mends a row in its place, and watches the orders being made', async () => {
    const page = await open('/bulk/new')
    const [choosing] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a file' }).click(),
    ])
    await choosing.setFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csvOf(30, 'not an address')),
    })
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await page.getByText('1 row needs a correction').waitFor()
    await page.getByRole('switch', { name: 'Only rows with errors (1)' }).check()
    await page.getByRole('textbox', { name: 'E-mail, row 7' }).fill('person6@example.test')
    await page.getByText('All rows are valid').waitFor()
    await page.getByRole('button', { name: 'Order 30 kits for 30 people' }).click()
    await page.waitForURL(/\/bulk\/[\w-]{8,}$/)
    await page.getByText('Done').or(page.getByText('Completed')).first().waitFor()
    const { body } = await clinic.live.get('/orders?size=1')
    expect(body.pagination.total).toBe(30)
  })

  it('orders the good rows of a CSV in another encoding, and keeps the rest as a file', async () => {
    const page = await open('/bulk/new')
    const text = csvOf(9, 'not an address').replace('Person,Number2', 'José,Muñoz').replaceAll(',IL,', ',Illinois,')
    const [choosing] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a file' }).click(),
    ])
    const buffer = Buffer.from(text, 'latin1')
    await choosing.setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
    await page.getByText('Are these names right?').waitFor()
    await page.getByText('José · Muñoz').waitFor()
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await page.getByText('9 rows need a correction').waitFor()
    await page.getByRole('button', { name: 'Apply to 9 rows' }).click()
    await page.getByText('1 row needs a correction').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Order the 8 valid rows and save the rest as a file' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('not-ordered.csv')
    await page.waitForURL(/\/orders$/)
    const { body } = await clinic.live.get('/orders?size=8')
    const names = body.data.map(({ recipientName }: { recipientName: string }) => recipientName)
    expect(names).toContain('José Muñoz')
    expect(names).not.toContain('Person Number6')
  })

  it('makes an order that is paid later, and pays it then', async () => {
    const page = await open('/orders/new')
    await page.getByLabel('How many of Core Health').fill('1')
    const { address, ...names } = recipient
    for (const [name, value] of Object.entries({ ...names, ...address })) {
      await page.locator(`input[name=${name}]`).fill(value)
    }
    await page.getByRole('radio', { name: /^Pay later/ }).check()
    await page.getByRole('button', { name: 'Order 1 kit' }).click()
    await page.getByRole('button', { name: 'Pay order' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pay order' }).click()
    await page.getByText('The order is paid', { exact: true }).waitFor()
    const { body } = await clinic.live.get(`/orders/${page.url().split('/').at(-1)}`)
    expect(body.kits).toHaveLength(1)
  })

  it('opens from the overview just the kits that take longer than usual, or that have a problem', async () => {
    const busy = await stage.world.business({ name: 'Busy Clinic', credits: 10 })
    const { body: order } = await busy.sandbox.post('/create-order', {
      recipient,
      kit_types: [{ kitType: CORE, quantity: 6 }],
    })
    const ids = (await busy.sandbox.get(`/orders/${order.orderId}`)).body.kits.map(
      (kit: { kitID: string }) => kit.kitID,
    )
    const [late, later, lost, stuck] = ids
    for (const kitID of [lost, stuck]) {
      await busy.sandbox.post(`/sandbox/kits/${kitID}/advance`, { status: 'deliveryException' })
    }
    const database = await stage.world.owner()
    const old = [late, later]
    await database.query("update kits set updated_at = now() - interval '10 days' where id = any($1)", [old])
    const { cookie } = await signIn(stage.world, await person(stage.world, 'business-admin', busy))
    const page = await stage.open(`/app/b/${busy.id}/sandbox`, { cookie })
    const shown = async (sentence: string, chip: string) => {
      await page.getByRole('link', { name: sentence }).click()
      await page.getByRole('button', { name: chip }).waitFor()
      await expect.poll(() => page.locator('a[data-row-link]').count()).toBe(2)
      const links = await page.locator('a[data-row-link]').all()
      const rows = await Promise.all(links.map(async (link) => (await link.getAttribute('href'))?.split('/').at(-1)))
      await page.goBack()
      return rows.sort()
    }
    const isLate = await shown('2 kits take longer than usual', 'Needs attention: Takes longer than usual')
    expect(isLate).toEqual([late, later].sort())
    expect(await shown('2 kits have a problem', 'Needs attention: Has a problem')).toEqual([lost, stuck].sort())
  })

  it('reads the same of a kit in its timeline and beside it, also where the sample came before anybody registered', async () => {
    const desk = await stage.world.business({ name: 'Quiet Clinic', credits: 10 })
    const { body: order } = await desk.live.post('/create-order', { recipient, kit_types: [{ kitType: CORE }] })
    const kitID = (await desk.live.get(`/orders/${order.orderId}`)).body.kits[0].kitID
    const lab = await signIn(stage.world, await person(stage.world, 'operator-admin'))
    const labels = { kitID, carrier: 'UPS', outboundTrackingNumber: '1Z999AA10133333333' }
    expect((await lab.operator.post('/fulfilment/shipments', labels)).status).toBe(200)
    const received = await lab.operator.post('/samples/receive', { kitID })
    expect(received.status, received.text).toBeLessThan(300)
    const { cookie } = await signIn(stage.world, await person(stage.world, 'business-admin', desk))
    const page = await stage.open(`/app/b/${desk.id}/live/kits/${kitID}`, { cookie })
    const timeline = page.getByRole('list', { name: 'Timeline' })
    await timeline.getByText('Not registered', { exact: true }).waitFor()
    expect(await timeline.getByText('Registered', { exact: true }).count()).toBe(0)
    await page.getByText('Nobody has registered this kit. The person can do so here').waitFor()
    const people = {
      firstName: 'Bo',
      lastName: 'Tester',
      email: 'bo@example.test',
      dateOfBirth: '1980-02-29',
      sex: 'F',
    }
    expect((await desk.live.post(`/kits/${kitID}/register`, people)).status).toBe(200)
    await page.reload()
    await timeline.getByText('Registered', { exact: true }).waitFor()
    expect(await page.getByText('Nobody has registered').count()).toBe(0)
  })

  it('reads who an order and a kit are for before their IDs, in the heading, the tab and the list', async () => {
    const desk = await stage.world.business({ name: 'Lake Clinic', credits: 10 })
    const { body: order } = await desk.live.post('/create-order', { recipient, kit_types: [{ kitType: CORE }] })
    const kitID = (await desk.live.get(`/orders/${order.orderId}`)).body.kits[0].kitID
    const { cookie } = await signIn(stage.world, await person(stage.world, 'business-admin', desk))
    const page = await stage.open(`/app/b/${desk.id}/live/orders`, { cookie })
    await page.getByRole('link', { name: /^Ada Example/ }).click()
    await page.getByRole('heading', { level: 1, name: '1 kit to Ada Example, Springfield IL' }).waitFor()
    await page.getByRole('button', { name: `Copy ${order.orderId}` }).waitFor()
    await expect.poll(() => page.title()).toBe('1 kit to Ada Example, Springfield IL · Kitlane')
    await page.getByRole('link', { name: 'Core Health' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada Example · Core Health' }).waitFor()
    await page.getByRole('button', { name: `Copy ${kitID}` }).waitFor()
    const tested = {
      firstName: 'Bo',
      lastName: 'Tester',
      email: 'bo@example.test',
      dateOfBirth: '1980-02-29',
      sex: 'F',
    }
    expect((await desk.live.post(`/kits/${kitID}/register`, tested)).status).toBe(200)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Bo Tester · Core Health' }).waitFor()
    await page.goto(`/app/b/${desk.id}/live/kits`)
    await page.getByRole('link', { name: 'Bo Tester' }).waitFor()
  })

  it('keeps filters of a list under a name, for this business, and has them again later', async () => {
    const page = await open('/orders')
    await page.getByRole('button', { name: 'Order', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Not paid' }).click()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('textbox', { name: 'Save these filters as' }).fill('To be paid')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.goto(`/app/b/${clinic.id}/live/orders`)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'To be paid', exact: true }).click()
    await page.getByRole('button', { name: 'Order: Not paid' }).waitFor()
    expect(new URL(page.url()).searchParams.get('status')).toBe('pending')
    await page.getByRole('button', { name: 'Views' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Remove To be paid' }).click()
    await page.goto(`/app/b/${clinic.id}/live/orders`)
    await page.getByRole('searchbox', { name: 'Search' }).waitFor()
    expect(await page.getByRole('button', { name: 'Views' }).count()).toBe(0)
  })

  it('shows the columns of a list that one chose, also after a reload', async () => {
    const page = await open('/kits')
    const headers = () => page.getByRole('table', { name: 'Kits' }).getByRole('columnheader').allInnerTexts()
    await page.getByRole('button', { name: 'Choose columns' }).click()
    await page.getByRole('checkbox', { name: 'Sample' }).uncheck()
    await expectAccessible(page)
    await expect.poll(headers).not.toContain('Sample')
    await page.reload()
    await page.getByRole('button', { name: 'Choose columns' }).waitFor()
    expect(await headers()).not.toContain('Sample')
    expect(await headers()).toContain('Panel')
    await page.getByRole('button', { name: 'Choose columns' }).click()
    await page.getByRole('checkbox', { name: 'Sample' }).check()
    await expect.poll(headers).toContain('Sample')
  })

  it('does from anywhere, by keyboard alone, what the list of actions names', async () => {
    const page = await open('/kits')
    await page.getByRole('button', { name: /Go to/ }).waitFor()
    const ask = async (words: string, choice: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('textbox', { name: 'Go to' }).fill(words)
      await page.getByRole('button', { name: choice, exact: true }).waitFor()
      await expectAccessible(page)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      // What is opened again while it closes loses what was typed.
      await page.getByRole('textbox', { name: 'Go to' }).waitFor({ state: 'detached' })
    }
    await ask('order by', 'Order by CSV')
    await page.getByRole('heading', { level: 1, name: 'Order by CSV' }).waitFor()
    await ask('dark', 'Use the dark scheme')
    await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
    await ask('tokens', 'Tokens')
    await page.waitForURL(/\/developers\/tokens$/)
    await ask('switch', 'Switch to the sandbox')
    await page.waitForURL(`**/b/${clinic.id}/sandbox`)
    await pageLoaded(page)
    await ask('time', 'Let time pass')
    await page.waitForURL(/\/sandbox\/developers\/sandbox$/)
  })

  it('shows rows closer together where one asks for it, also after a reload', async () => {
    await clinic.live.post('/create-order', { recipient, kit_types: [{ kitType: CORE }] })
    const page = await open('/orders')
    const heightOf = async () => (await page.locator('tbody tr').first().boundingBox())?.height ?? 0
    await page.locator('a[data-row-link]').first().waitFor()
    const comfortable = await heightOf()
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('radiogroup', { name: 'Space between rows' }).getByText('Compact').click()
    await expect.poll(heightOf).toBeLessThan(comfortable)
    await page.reload()
    await page.locator('a[data-row-link]').first().waitFor()
    expect(await heightOf()).toBeLessThan(comfortable)
  })

  it('loads at most 310 kB for the first page, at most 60 kB of them fonts', async () => {
    const placed = await clinic.live.post('/create-order', { recipient, kit_types: [{ kitType: CORE }] })
    expect(placed.status).toBe(201)
    await stage.world.settled()
    const page = await open('')
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    const sizeOf = async (ending: string): Promise<number> =>
      page.evaluate(`document.fonts.ready.then(() => performance.getEntriesByType('resource')
        .filter(({ name }) => /[.](${ending})$/.test(name)).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0))`)
    expect(await sizeOf('woff2')).toBeLessThanOrEqual(60_000)
    const whole = await sizeOf('js|css|svg|woff2')
    expect(whole).toBeGreaterThan(100_000)
    expect(whole).toBeLessThanOrEqual(310_000)
  })

  it('makes a token that is shown once, and revokes it', async () => {
    const page = await open('/developers/tokens')
    await page.getByRole('button', { name: 'New token' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop')
    await page.getByRole('button', { name: 'Create the token' }).click()
    await page.getByRole('dialog', { name: 'Your new token' }).waitFor()
    await expectAccessible(page)
    const token = /kl_live_\w+/.exec(await page.getByRole('dialog', { name: 'Your new token' }).innerText())?.[0] ?? ''
    await page.getByRole('button', { name: 'I have saved it' }).click()
    expect((await stage.world.as(token).get('/orders')).status).toBe(200)
    await page.getByRole('row', { name: /Shop/ }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog', { name: 'Revoke' }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('row', { name: /Shop/ }).getByText('Revoked').waitFor()
    await expect.poll(async () => (await stage.world.as(token).get('/orders')).status).toBe(401)
  })

  it('binds a token to addresses, rotates it, and sees when both were used and when the old one ends', async () => {
    const page = await open('/developers/tokens')
    await page.getByRole('button', { name: 'New token' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Till')
    await page.getByRole('textbox', { name: 'Only from these addresses' }).fill('127.0.0.1, 2001:db8::/32')
    await page.getByRole('button', { name: 'Create the token' }).click()
    const secret = async () =>
      /kl_live_\w+/.exec(await page.getByRole('dialog', { name: 'Your new token' }).innerText())?.[0] ?? ''
    const old = await secret()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    expect((await stage.world.as(old).get('/orders')).status).toBe(200)
    const row = page.getByRole('row', { name: /Till/ }).first()
    await row.getByText('2 addresses').waitFor()
    await row.getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('dialog', { name: 'Rotate' }).getByRole('button', { name: 'Rotate' }).click()
    const made = await secret()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    expect([made === old, (await stage.world.as(made).get('/orders')).status]).toEqual([false, 200])
    expect((await stage.world.as(old).get('/orders')).status).toBe(200)
    await page.getByText('Replaced').waitFor()
    await expect
      .poll(async () => {
        await page.reload()
        await page.getByRole('row', { name: /Till/ }).first().waitFor()
        return page.getByRole('row', { name: /Till.*Not yet/ }).count()
      })
      .toBe(0)
    await expectAccessible(page)
    await row.getByRole('button', { name: 'Addresses' }).click()
    const dialog = page.getByRole('dialog', { name: 'Addresses' })
    await dialog.getByRole('textbox').fill('192.0.2.0/24')
    await dialog.getByRole('button', { name: 'Addresses' }).click()
    await row.getByText('192.0.2.0/24').waitFor()
    await expect.poll(async () => (await stage.world.as(old).get('/orders')).body.code).toBe('ADDRESS_NOT_ALLOWED')
  })

  it('an order form checks a recipient as the page for many orders does, and says nothing twice', async () => {
    const page = await open('/orders/new')
    await page.getByLabel('How many of Core Health').fill('1')
    const typed = {
      first_name: 'Ada',
      last_name: 'Example',
      email: 'ada@example',
      street1: '1 Main Street',
      city: 'Burlington',
    }
    for (const [name, value] of Object.entries({ ...typed, state: 'Vermont', zip: '5401', phone: '0' }))
      await page.locator(`input[name=${name}]`).fill(value)
    await page.getByRole('button', { name: 'Order 1 kit' }).click()
    for (const problem of [
      'not an e-mail address',
      /the letters of a state/,
      /a ZIP has five digits/,
      /7 to 15 digits/,
    ])
      expect(await page.getByText(problem).count()).toBe(1)
    expect(await page.getByText('recipient.').count()).toBe(0)
    await expectAccessibleInBoth(page)
    await page.getByRole('button', { name: 'Write VT' }).click()
    await page.getByRole('button', { name: 'Write 05401' }).click()
    await page.locator('input[name=email]').fill('ada@example.test')
    await page.locator('input[name=phone]').fill('')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Order 1 kit' }).click()
    await page.waitForURL(/\/orders\/O\w{9}$/)
  })

  it('an order form calls, wants and checks the fields of an address as the country that is chosen does', async () => {
    const page = await open('/orders/new')
    const country = page.getByRole('combobox', { name: 'Country' })
    for (const [typed, name, region, postcode, isNeeded, wrong] of [
      ['germ', 'Germany', 'State', 'Postcode', true, '1011'],
      ['JP', 'Japan', 'Prefecture', 'Postcode', true, '1000'],
      ['united arab', 'United Arab Emirates', 'Emirate', 'Postcode', false, ''],
      ['irel', 'Ireland', 'County', 'Eircode', false, '12345'],
      ['CA', 'Canada', 'Province', 'Postcode', true, '12345'],
      ['guam', 'Guam', 'Region', 'ZIP', true, '62701'],
      ['US', 'United States', 'State', 'ZIP', true, '6270'],
    ] as const) {
      await country.click()
      await country.fill(typed)
      await page.getByRole('option', { name, exact: true }).click()
      await page.getByRole('textbox', { name: region, exact: true }).waitFor()
      const zip = page.getByRole('textbox', { name: postcode, exact: true })
      expect([name, (await zip.getAttribute('required')) !== null]).toEqual([name, isNeeded])
      await zip.fill(wrong)
      await zip.blur()
      expect([name, await zip.getAttribute('aria-invalid')]).toEqual([name, wrong ? 'true' : null])
    }
    await page.getByRole('textbox', { name: 'ZIP', exact: true }).fill('62701')
    await expectAccessible(page)
  })

  it('adds a webhook, sees what was sent, and sends it again', async () => {
    const heard: string[] = []
    const receiver: Receiver = await httpReceiver((request, response) => {
      heard.push(String(request.headers['webhook-id']))
      request.resume().on('end', () => response.end('thanks'))
    })
    const { body } = await clinic.live.post('/webhooks', { url: `http://127.0.0.1:${receiver.port}/hook` })
    await clinic.live.post('/create-order', { recipient, kit_types: [{ kitType: CORE }] })
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    const page = await open(`/developers/webhooks/${body.id}`)
    await page.getByText('order.created').first().waitFor()
    await page.getByText('order.created').first().click()
    await page.getByText('"orderID": "O').first().waitFor()
    const before = heard.length
    await page.getByRole('button', { name: 'Send again' }).first().click()
    await expect.poll(() => heard.length).toBeGreaterThan(before)
    expect(new Set(heard).size).toBeLessThan(heard.length)
    await receiver.stop()
  })

  it('asks for webhooks in order and at a limit, and skips one that holds up the others of its order', async () => {
    const heard: string[] = []
    const receiver: Receiver = await httpReceiver((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { type } = JSON.parse(Buffer.concat(chunks).toString())
        heard.push(type)
        response.writeHead(type === 'order.created' ? 500 : 200).end()
      })
    })
    const { body } = await clinic.live.post('/webhooks', { url: `http://127.0.0.1:${receiver.port}/hook` })
    const page = await open(`/developers/webhooks/${body.id}`)
    await page.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change the endpoint' })
    await dialog.getByLabel('Keep the events of each kit in order').check()
    await dialog.getByLabel('Messages a second, at most').fill('50')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('50 messages a second').waitFor()
    await page.getByText('Kept for each kit').waitFor()
    const { orderId } = (await clinic.live.post('/create-order', { recipient, kit_types: [{ kitType: CORE }] })).body
    await expect.poll(() => heard).toEqual(['order.created'])
    await clinic.live.post(`/orders/${orderId}/cancel`)
    await page.getByRole('button', { name: 'Skip' }).click()
    await page.getByRole('dialog', { name: 'Skip' }).getByRole('button', { name: 'Skip' }).click()
    await page.getByText('The message was skipped').waitFor()
    await expect.poll(() => heard).toContain('order.canceled')
    await receiver.stop()
  })

  it('finds a request that was refused, and what its error means', async () => {
    const { sandbox } = clinic
    const page = await open('/developers/requests', 'sandbox')
    await page.getByText('No requests yet').waitFor()
    await sandbox.get('/kits')
    const { headers } = await sandbox.get('/kits/nothing')
    await page.getByText('/api/v1/kits/{kitID}').waitFor()
    await page.getByRole('button', { name: 'Status' }).click()
    await page.getByRole('menuitem', { name: '2xx, done' }).click()
    await page.getByText('/api/v1/kits/{kitID}').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('searchbox', { name: 'Search' }).fill('KIT_NOT_FOUND')
    await page.getByText('GET /api/v1/kits', { exact: true }).waitFor({ state: 'detached' })
    await page.getByText('/api/v1/kits/{kitID}').click()
    await page.getByRole('button', { name: `Copy ${headers.get('x-request-id')}` }).waitFor()
    const meaning = page.getByRole('link', { name: 'KIT_NOT_FOUND' })
    expect(await meaning.getAttribute('href')).toBe('/docs/errors#kit_not_found')
    await expectAccessible(page)
  })

  it('corrects a person, who is shown so at once', async () => {
    const wrong = { name: 'Maya Lindkvist', email: 'maya@example.test', dateOfBirth: '1990-02-03', gender: 'F' }
    const { body: made } = await clinic.live.post('/customers', wrong)
    const page = await open(`/customers/${made.id}`)
    await page.getByRole('button', { name: 'Correct' }).click()
    const dialog = page.getByRole('dialog', { name: 'Correct' })
    await dialog.getByLabel('Name').fill('Maya Lindqvist')
    await dialog.getByLabel('Date of birth').fill('1991-02-03')
    await dialog.getByRole('button', { name: 'Correct' }).click()
    await page.getByRole('heading', { name: 'Maya Lindqvist' }).waitFor()
    const { body } = await clinic.live.get(`/customers/${made.id}`)
    expect(body).toMatchObject({ ...wrong, name: 'Maya Lindqvist', dateOfBirth: '1991-02-03' })
  })

  it('sees of a person where their kits are, and what was measured more than once', async () => {
    const { body: made } = await clinic.live.post('/customers', { name: 'Vera Twice', email: 'vera@example.test' })
    const add = async (date: string, result: number) => {
      const biomarkerData = [{ name: 'Ferritin', result, unit_of_measure: 'ng/mL' }]
      const sent = { type: 'test', userId: made.id, date, biomarkerData }
      const { body } = await clinic.live.post('/customer/add-data', sent)
      expect((await clinic.live.post(`/reports/${body.reportId}/publish`, {})).status).toBe(200)
    }
    await add('2026-01-05', 61)
    await add('2026-03-05', 74)
    const page = await open(`/customers/${made.id}`)
    await page.getByText('Kits appear here once this person has registered them.').waitFor()
    await page.getByRole('button', { name: 'Show them' }).click()
    await page.getByRole('button', { name: /^Ferritin 74 ng\/mL/ }).waitFor()
    await page.getByRole('img', { name: '2 values over time' }).waitFor()
    await expectAccessible(page)
  })

  it('changes the settings, and the name is there on the next page', async () => {
    const page = await open('/settings')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbor and Hill Clinic')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('Harbor and Hill Clinic').first().waitFor()
  })

  it('lets a week pass in the sandbox, and says what became due', async () => {
    const page = await open('/developers/sandbox', 'sandbox')
    await page.getByRole('button', { name: 'Let time pass' }).click()
    await page.getByText('1 week', { exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Let time pass' }).click()
    await page.getByText('1 week passed').waitFor()
    expect((await clinic.sandbox.get('/sandbox/clock')).body).toEqual({ total: 'P7D' })
  })

  it('moves a mock kit along in the sandbox, which looks like the sandbox', async () => {
    await clinic.sandbox.post('/create-order', { recipient, kit_types: [{ kitType: CORE }] })
    const page = await open('/developers/sandbox', 'sandbox')
    await page.getByText('Sandbox: nothing here is posted, tested or charged').waitFor()
    await page.locator('a[data-row-link]').first().click()
    await page.getByRole('button', { name: 'Play a scenario' }).click()
    await page
      .getByRole('menuitem', { name: /published/i })
      .first()
      .click()
    await page.getByRole('link', { name: 'Open the report' }).click()
    await page
      .getByText(/Cholesterol/)
      .first()
      .waitFor()
  })
})

const recipient = {
  first_name: 'Ada',
  last_name: 'Example',
  email: 'ada@example.test',
  address: { street1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701' },
}

/** The seventh row has this instead of an address. */
function csvOf(count: number, wrong: string): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const email = index === 6 ? wrong : `person${index}@example.test`
    return `Person,Number${index},${email},${CORE},1 Main Street,Springfield,IL,62701`
  })
  return ['First name,Last name,E-mail,Panel,Street,City,State,ZIP', ...rows].join('\n')
}
