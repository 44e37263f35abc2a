import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { expectAccessible, useStage } from '../harness/browser.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { codeAt, nextCode } from '../harness/second-factor.ts'
import { ownWorld } from '../harness/world.ts'
import { makePdf } from '../samples/make-pdf.ts'
import { heading, results, top, welshTemplate } from '../samples/welsh-sheet.ts'

describe('an administrator of the operator', () => {
  const stage = useStage()
  // For what an administrator changes for everybody: ranges, layouts and the audit, and for a day on which nothing else waits.
  const alone = useStage(() => ownWorld('changes what all businesses share'))
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
    await page.getByRole('link', { name: 'Open its dashboard' }).waitFor()
    expect(await page.content()).not.toContain(token)
  })

  it('finds a kit of any business from any page, and sees what to do with it', async () => {
    const clinic = await stage.world.business({ name: 'Far Clinic', credits: 5 })
    const { body } = await clinic.live.post('/create-order', anOrder())
    const [kit] = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body
    const packer = await signIn(stage.world, await person(stage.world, 'fulfilment'))
    const page = await stage.open('/app/operator/parcels', { cookie: packer.cookie })
    await page.getByRole('button', { name: /Go to/ }).click()
    await page.getByRole('textbox', { name: 'Go to' }).fill(kit.kitID)
    await page.getByRole('button', { name: new RegExp(`${kit.kitID}.*Far Clinic`) }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada Example · Core Health' }).waitFor()
    await page.getByRole('button', { name: `Copy ${kit.kitID}` }).waitFor()
    await page.getByText('Pack this kit: scan the label out').waitFor()
    expect(await page.getByRole('link', { name: "Open it in the business's dashboard" }).count()).toBe(0)
  })

  it('finds on the first page what to do, and begins it by a key', async () => {
    const clinic = await alone.world.business({ name: 'Busy Clinic', credits: 5 })
    expect((await clinic.live.post('/create-order', anOrder())).status).toBe(201)
    const packer = await signIn(alone.world, await person(alone.world, 'fulfilment'))
    const page = await alone.open('/app/operator', { cookie: packer.cookie })
    const now = page.getByRole('region', { name: 'Now' })
    await now.getByRole('link', { name: /^Pack \d+ kits?$/ }).waitFor()
    await page.getByText('Nothing waits here').waitFor()
    const lines = await now.getByRole('listitem').allInnerTexts()
    await page.keyboard.press(String(lines.findIndex((line) => line.startsWith('Pack')) + 1))
    await page.getByRole('heading', { level: 1, name: 'Pack' }).waitFor()
  })

  it('sees that e-mails are not sent where there is no mail server, and what to do', async () => {
    const clinic = await stage.world.business({ credits: 5 })
    const order = anOrder({ isNotifyReceiver: true })
    expect((await clinic.live.post('/create-order', order)).status).toBe(201)
    const page = await open('/mail')
    await page.getByText('No mail server is configured').waitFor()
    const row = page.getByRole('row', { name: /Not sent: no mail server/ }).first()
    await row.getByRole('link').first().click()
    await page.getByText('Start the service with SMTP_URL').waitFor()
  })

  it('enters results by panel with the keyboard alone, and leaves out what the laboratory did not measure', async () => {
    const clinic = await stage.world.business({ name: 'By Hand', credits: 5 })
    const { body } = await clinic.live.post('/create-order', anOrder())
    const [{ kitID }] = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body
    const registration = { firstName: 'Bo', lastName: 'Tester', email: 'bo@example.test', dateOfBirth: '1980-02-29' }
    expect((await clinic.live.post(`/kits/${kitID}/register`, { ...registration, sex: 'F' })).status).toBe(200)
    const page = await open('/results')
    await page.getByRole('textbox', { name: 'Kit', exact: true }).fill('KAAAAAAAAA')
    await page.keyboard.press('Enter')
    await page.getByText('There is no such kit').waitFor()
    await page.getByRole('textbox', { name: 'Kit', exact: true }).fill(kitID.toLowerCase())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Core Health' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Value of Hemoglobin A1c' }).focus()
    await page.keyboard.type('5.4')
    await page.keyboard.press('Enter')
    await page.keyboard.type('104')
    await page.getByRole('textbox', { name: 'Value of LDL Cholesterol' }).fill('<40')
    await page.getByRole('button', { name: 'Send 3 results' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(`On kit ${kitID}`).waitFor()
    await page.getByText('3 results were matched.').waitFor()
    await page.getByRole('textbox', { name: 'Kit', exact: true }).waitFor()
    await page.getByRole('link', { name: /^Review report/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Bo Tester' }).waitFor()
    await page.getByText('5.4').first().waitFor()
  })

  it('rejects a sample on the page of its kit, and takes the rejection back there', async () => {
    const clinic = await stage.world.business({ name: 'Wrong Tube', credits: 5 })
    const { body } = await clinic.live.post('/create-order', anOrder())
    const [{ kitID }] = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body
    const registration = { firstName: 'Bo', lastName: 'Tube', email: 'bo.tube@example.test', dateOfBirth: '1980-02-29' }
    expect((await clinic.live.post(`/kits/${kitID}/register`, { ...registration, sex: 'F' })).status).toBe(200)
    const staff = await signIn(stage.world, await person(stage.world, 'lab'))
    const received = await staff.operator.post('/samples/receive', { kitID })
    expect(received.status, received.text).toBe(200)
    const page = await stage.open(`/app/operator/kits/${kitID}`, { cookie: staff.cookie })
    await page.getByRole('button', { name: 'Reject the sample' }).click()
    const rejecting = page.getByRole('dialog')
    expect(await rejecting.getByRole('button', { name: 'Reject the sample' }).isDisabled()).toBe(true)
    await rejecting.getByRole('combobox', { name: 'Reason' }).click()
    await page.getByRole('option', { name: 'Clotted' }).click()
    await rejecting.getByRole('button', { name: 'Reject the sample' }).click()
    await page.getByText('The sample is rejected').waitFor()
    const sample = async () => (await clinic.live.get(`/kits?kitID=${kitID}`)).body[0].sampleStatus
    expect(await sample()).toBe('rejected')
    await page.getByRole('button', { name: 'Undo the rejection' }).click()
    const undoing = page.getByRole('dialog')
    await undoing.getByText('The sample is where it was before').waitFor()
    await expectAccessible(page)
    await undoing.getByRole('button', { name: 'Undo the rejection' }).click()
    await page.getByText('The rejection is undone').waitFor()
    await page.getByRole('button', { name: 'Reject the sample' }).waitFor()
    expect(await page.getByRole('button', { name: 'Undo the rejection' }).count()).toBe(0)
    expect(await sample()).toBe('received')
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

  it('enters the dashboard of a business with a reason, sees how long it may stay, and leaves', async () => {
    const clinic = await stage.world.business({ name: 'Hill Clinic' })
    const page = await open(`/businesses/${clinic.id}`)
    await page.getByRole('link', { name: 'Open its dashboard' }).click()
    await page.waitForURL(`**/app/b/${clinic.id}/live`)
    const dialog = page.getByRole('dialog', { name: 'Ask for access' })
    await dialog.waitFor()
    await expectAccessible(page)
    const submit = dialog.getByRole('button', { name: 'Ask for access' })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Short')
    expect(await submit.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Ticket 4711: reports are late')
    await submit.click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByText(/Support access, (1 hour|59 minutes) left/).waitFor()
    await expectAccessible(page)
    const { body } = await admin.operator.get(`/audit?businessID=${clinic.id}&action=support_access.used`)
    expect(body.data.map(({ actor }: { actor: string }) => actor)).toContain(`user:${admin.person.id}`)
    await page.getByRole('button', { name: 'End now' }).click()
    await page.getByRole('dialog', { name: 'End now' }).getByRole('button', { name: 'End now' }).click()
    await page.getByText('You need a reason to open this business').waitFor()
    expect(await page.getByRole('heading', { level: 1, name: 'Overview' }).count()).toBe(0)
    expect((await admin.in(clinic).get('/orders')).status).toBe(403)
  })

  it('waits where the business demands an approval, and is let in without a reload once it has given one', async () => {
    const clinic = await stage.world.business({ name: 'Strict Clinic' })
    const boss = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
    const settings = await stage.open(`/app/b/${clinic.id}/live/settings/support`, { cookie: boss.cookie })
    await settings.getByText('Nobody has asked for access').waitFor()
    await settings.getByRole('switch', { name: /must approve/ }).click({ force: true })
    await expect.poll(async () => (await boss.in(clinic).get('/support-policy')).body.approvalRequired).toBe(true)

    const page = await stage.open(`/app/b/${clinic.id}/live`, { cookie: admin.cookie, isNew: true })
    // The page asks every 15 seconds, which the browser's clock passes at once.
    await page.clock.install()
    await page.reload()
    const dialog = page.getByRole('dialog', { name: 'Ask for access' })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Ticket 4712: a webhook fails')
    await dialog.getByRole('button', { name: 'Ask for access' }).click()
    await page.getByText('The business has to approve').waitFor()
    await expectAccessible(page)

    await settings.reload()
    const row = settings.getByRole('row', { name: /Ticket 4712/ })
    await row.getByText('Waits for you').waitFor()
    await expectAccessible(settings)
    await row.getByRole('button', { name: 'Approve' }).click()
    await settings.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await row.getByText('Has access now').waitFor()
    await page.clock.fastForward(15_000)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

    await row.getByRole('button', { name: 'End now' }).click()
    await settings.getByRole('dialog').getByRole('button', { name: 'End now' }).click()
    await row.getByText('Ended', { exact: true }).waitFor()
    await row.getByRole('link', { name: 'What they did' }).click()
    await settings
      .getByRole('row', { name: /used support access/ })
      .first()
      .waitFor()
    await page.clock.fastForward(15_000)
    await page.getByText('Your last support access has ended').waitFor()
  })

  it('ships a CSV after seeing what would happen, and sees row by row what happened', async () => {
    const clinic = await stage.world.business({ credits: 2 })
    const { orderId } = (
      await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity: 2 }] }))
    ).body
    const kits = (await clinic.live.get(`/orders/${orderId}`)).body.kits.map(({ kitID }: { kitID: string }) => kitID)
    const page = await open('/pack')
    await page.getByRole('link', { name: 'Ship by CSV' }).click()
    const pasted = page.getByRole('textbox', { name: 'Or paste rows from a spreadsheet' })
    const goOn = page.getByRole('button', { name: 'Continue with the pasted rows' })
    const template = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download a template' }).click()
    const header = await readFile(await (await template).path(), 'utf8')
    expect(header).toBe('kitID,carrier,outbound,return,returnCarrier\r\n')
    await pasted.fill('kit,label\nK1,1Z')
    await goOn.click()
    await page.getByRole('alert').getByText('The first line must name the columns').waitFor()
    const rows = [`${kits[0]},UPS,1Z999AA10999999991,,`, `${kits[1]},UPS,,,`, 'K000000000,UPS,1Z999AA10999999992,,']
    await pasted.fill(header + rows.join('\n'))
    await goOn.click()
    await page.getByText('1 will be shipped').waitFor()
    await page.getByRole('row', { name: `3 ${kits[1]} Cannot be shipped outbound is missing` }).waitFor()
    await page.getByRole('row', { name: '4 K000000000 Cannot be shipped There is no such kit' }).waitFor()
    await expectAccessible(page)
    const statusOf = async (kitID: string) => (await clinic.live.get(`/kits/${kitID}`)).body.kit.kitStatus
    expect(await statusOf(kits[0])).toBe('preparing')
    await page.getByRole('button', { name: 'Ship 1 kit' }).click()
    await page.getByText('1 shipped', { exact: true }).waitFor()
    await page.getByText('2 not shipped').waitFor()
    await page.getByRole('row', { name: `2 ${kits[0]} Shipped` }).waitFor()
    expect(await Promise.all(kits.map(statusOf))).toEqual(['inTransit', 'preparing'])
    await page.getByRole('button', { name: 'Choose another file' }).click()
    const mended = Buffer.from(header + [rows[0], `${kits[1]},UPS,1Z999AA10999999993,,`].join('\n'))
    const file = { name: 'shipments.csv', mimeType: 'text/csv', buffer: mended }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('1 shipped already').waitFor()
    await page.getByRole('button', { name: 'Ship 1 kit' }).click()
    await page.getByText('1 shipped', { exact: true }).waitFor()
    expect(await Promise.all(kits.map(statusOf))).toEqual(['inTransit', 'inTransit'])
  })

  const openAlone = async (path: string) => {
    const { cookie } = await signIn(alone.world, await person(alone.world, 'operator-admin'))
    return alone.open(`/app/operator${path}`, { cookie })
  }

  it('changes a range with a reason; before, the draft is marked as one', async () => {
    const page = await openAlone('/catalogue')
    await page.getByText('A laboratory director must sign every range').waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('2089-1')
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

  it('writes a layout template, sees what it reads of a file, saves it and switches it off', async () => {
    const page = await openAlone('/layouts')
    await page.getByLabel('The template, as JSON').fill(JSON.stringify(welshTemplate))
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Try it on a file' }).click()
    const buffer = await makePdf([{ lines: [...top, heading, ...results] }])
    await (await choosing).setFiles({ name: 'sample.pdf', mimeType: 'application/pdf', buffer })
    await page.getByText('3 would be in the report').waitFor()
    await page.getByRole('cell', { name: 'potassium 4.321' }).waitFor()
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await page.getByText('Version 1 of Sokol laboratory is saved').waitFor()
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('cell', { name: 'Off', exact: true }).waitFor()
    await page.getByLabel('The template, as JSON').fill('{')
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await page.getByText('This is not JSON').waitFor()
  })

  it('invites somebody to pack, who then sees the pack station and nothing of the administration', async () => {
    const newcomerEmail = `${randomBase62(8)}@operator.test`.toLowerCase()
    const page = await open('/staff')
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill(newcomerEmail)
    await dialog.getByRole('button', { name: 'Invite' }).click()
    const link = await page.getByLabel('link', { exact: true }).innerText()
    const newcomer = await stage.open(new URL(link).pathname + new URL(link).hash)
    await accept(newcomer, 'correct horse battery staple')
    // The link also shows how many kits wait, if any.
    await newcomer
      .getByRole('navigation')
      .getByRole('link', { name: /^Pack\b/ })
      .waitFor()
    expect(await newcomer.getByRole('link', { name: 'Businesses' }).count()).toBe(0)
    await page
      .getByRole('row', { name: new RegExp(newcomerEmail) })
      .getByRole('button', { name: 'Disable' })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page
      .getByRole('row', { name: new RegExp(newcomerEmail) })
      .getByText('Disabled')
      .waitFor()
    await newcomer.reload()
    await newcomer.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('switches the second step on and off with the password, and stays signed in where it is wrong', async () => {
    const who = await signIn(stage.world, await person(stage.world, 'operator-admin'))
    const page = await stage.open('/app/account', { cookie: who.cookie })
    const dialog = page.getByRole('dialog')
    const submit = async (name: string, password: string) => {
      await dialog.locator('input[type=password]').fill(password)
      await dialog.getByRole('button', { name }).click()
    }
    await page.getByRole('button', { name: 'Switch on' }).click()
    await submit('Switch on', 'not the password')
    await dialog.getByText('The password is wrong').waitFor()
    await submit('Switch on', who.person.password)
    const key = (await page.getByText(/^[A-Z2-7]{32}$/).innerText()).trim()
    await page.getByRole('textbox', { name: /Type the code/ }).fill(codeAt(key, Date.now()))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'I have saved them' }).click()

    await page.getByRole('button', { name: 'Switch off' }).click()
    await dialog.getByRole('textbox', { name: 'Code' }).fill(nextCode(key))
    await submit('Switch off', 'not the password')
    await dialog.getByText('The password is wrong').waitFor()
    await submit('Switch off', who.person.password)
    await page.getByText('The codes are off').waitFor()
  })

  it('sees that the audit is intact, and that it is not once somebody wrote into it', async () => {
    const page = await openAlone('/audit')
    await page.getByText(/Intact: \d+ entries/).waitFor()
    await tamper()
    await page.reload()
    await page.getByText('The audit was changed').waitFor()
  })

  async function tamper() {
    const owner = await alone.world.owner()
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
