import { expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { expectAccessible, expectAccessibleInBoth, useStage } from '../harness/browser.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { overflowByWidth } from '../harness/overflow.ts'
import { person, signIn } from '../harness/people.ts'

const stage = useStage()

it('a reviewer reads which results an authority has to be told, sees the message, and says that one was told by hand', async () => {
  const { world } = stage
  const operator = await operatorWith(world, allOperatorScopes)
  const clinic = await world.business({ name: 'Told Clinic', credits: 4 })
  const saved = async (path: string, body: object) => {
    const answer = await operator('POST', `/notifiable-settings/${path}`, body)
    if (answer.status !== 200) throw new Error(answer.text)
  }
  const designator = { name: 'ELR', id: '2.16.840.1.113883.3.9999.7' }
  const ordering = {
    name: 'Kits Inc',
    street: '1 Main St',
    city: 'Austin',
    state: 'TX',
    zip: '78701',
    phone: '5125550100',
  }
  const provider = { name: 'Jane Doe, MD', npi: '1234567893' }
  await saved('sender', { application: designator, facility: designator, ordering, provider })
  await saved('rules', {
    condition: 'Chlamydia',
    biomarkers: ['chlamydia'],
    answer: { kind: 'positive' },
    country: 'US',
    withinHours: 0,
    source: 'A test',
    isActive: true,
    signedBy: 'Dr. Reyes',
  })
  const transport = { kind: 'byHand' }
  const to = { name: 'Health of Maine', country: 'US', states: ['ME'], transport }
  await saved('authorities', { ...to, application: designator, facility: designator })
  const { body } = await clinic.live.post('/create-order', anOrder())
  const kitID: string = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits[0].kitID
  const address = { addressLine1: '2 Elm St', city: 'Town', state: 'ME', zip: '04101', country: 'US' }
  const zoe = { firstName: 'Zoe', lastName: 'Told', email: 'zoe@people.test', dateOfBirth: '1980-02-03', sex: 'F' }
  await clinic.live.post(`/kits/${kitID}/register`, { ...zoe, ...address, phone: '+12075550111' })
  const stamp = `${new Date(Date.now() - 86_400_000).toISOString().slice(0, 19).replaceAll(/\D/g, '')}+0000`
  const results = [
    `MSH|^~\\&|LIS|LAB|K|K|${stamp}||ORU^R01^ORU_R01|TOLD1|P|2.5.1`,
    'PID|1||P1||Told^Zoe||19800203|F',
    `OBR|1|${kitID}||43304-5^Chlamydia trachomatis NAAT^LN|||${stamp}|||||||${stamp}||||||||${stamp}|||F`,
    `OBX|1|CWE|43304-5^Chlamydia trachomatis NAAT^LN||260373001^Detected^SCT||||||F|||${stamp}`,
  ].join('\r')
  await operator('POST', '/lab/results', results, { 'content-type': 'application/hl7-v2' })

  const { cookie } = await signIn(world, await person(world, 'reviewer'))
  const overview = await stage.open('/app/operator', { cookie })
  await overview.getByRole('link', { name: /Tell 1 result to an authority, 1 overdue/ }).click()
  await overview.waitForURL('**/operator/notices')
  const row = overview.getByRole('row').filter({ hasText: 'Health of Maine' })
  await row.getByText('Overdue').waitFor()
  await expectAccessibleInBoth(overview)
  await row.getByRole('button', { name: 'Message' }).click()
  await overview.getByRole('dialog').getByText('Told, Zoe').waitFor()
  await expectAccessible(overview)
  await overview.keyboard.press('Escape')
  await overview.getByRole('dialog').waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'Told by hand' }).click()
  const dialog = overview.getByRole('dialog')
  await dialog.getByText(new RegExp(`Zoe Told, ${kitID}: Chlamydia.*Health of Maine`)).waitFor()
  await dialog.getByLabel('Who told whom, and how').fill('Ann called the duty desk')
  await expectAccessible(overview)
  await dialog.getByRole('button', { name: 'Told by hand' }).click()
  await overview.getByText('Nothing to tell').waitFor()
  await overview.getByText('All', { exact: true }).click()
  await row.getByText('Ann called the duty desk').waitFor()
  await overview.getByText('Rules', { exact: true }).click()
  await overview.getByRole('row').filter({ hasText: 'Dr. Reyes' }).waitFor()
  await expectAccessibleInBoth(overview)
})

it('an administrator says who sends, which authority is told and which rule holds, and whoever changes a rule signs it anew', async () => {
  const { world } = stage
  const { cookie } = await signIn(world, await person(world, 'operator-admin'))
  const page = await stage.open('/app/operator/notices?view=rules', { cookie })
  const dialog = page.getByRole('dialog')
  const said = async (fields: Record<string, string>, within = dialog) => {
    for (const [label, value] of Object.entries(fields))
      await within.getByRole('textbox', { name: label, exact: true }).fill(value)
  }
  const designator = { Name: 'ELR', 'Its number': '2.16.840.1.113883.3.9999.7' }
  await page.getByRole('button', { name: 'Say who sends' }).click()
  for (const title of ['Sending application (MSH-3)', 'Sending facility (MSH-4)'])
    await said(designator, dialog.getByRole('group', { name: title }))
  const orderer = {
    Name: 'Kits Inc',
    'Street, with its number': '1 Main St',
    City: 'Austin',
    'State, two letters': 'TX',
  }
  const ordering = { ...orderer, 'ZIP code': '78701', 'Phone, ten digits': '5125550100' }
  await said(ordering, dialog.getByRole('group', { name: 'Who orders the tests' }))
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Say who sends' }).click()
  await page.getByText('Kits Inc, 1 Main St, Austin, TX 78701, 5125550100').waitFor()

  await page.getByRole('button', { name: 'Add an authority' }).click()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Health of Ohio')
  await dialog.getByRole('combobox', { name: 'States' }).fill('oh')
  await page.keyboard.press('Enter')
  for (const title of ['Receiving application (MSH-5)', 'Receiving facility (MSH-6)'])
    await said(designator, dialog.getByRole('group', { name: title }))
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add an authority' }).click()
  await page.getByRole('row').filter({ hasText: 'Health of Ohio' }).getByText('US, OH').waitFor()

  await page.getByRole('button', { name: 'Add a rule' }).click()
  await said({ Condition: 'Lead', 'Where it is published': 'A test' })
  await dialog.getByRole('combobox', { name: 'Biomarkers' }).fill('Lead')
  await page.getByRole('option', { name: /Lead/ }).first().click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('combobox', { name: 'Which answer is told' }).click()
  await page.getByRole('option', { name: 'A number above a limit' }).click()
  await said({ Limit: '3.5', Unit: 'ug/dL', 'Within how many hours': '24' })
  await said({ 'Who compared it, as it is here, with the law': 'Dr. Reyes' })
  await dialog.getByLabel('It is on').check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add a rule' }).click()
  const row = page.getByRole('row').filter({ hasText: 'above 3.5 ug/dL' })
  await row.getByText('Dr. Reyes').waitFor()
  await row.getByRole('button', { name: 'Change the rule' }).click()
  await dialog.getByText('Before: Dr. Reyes').waitFor()
  await said({ Limit: '5', 'Who compared it, as it is here, with the law': 'Dr. Ito' })
  await dialog.getByRole('button', { name: 'Change the rule' }).click()
  await page.getByRole('row').filter({ hasText: 'above 5 ug/dL' }).getByText('Dr. Ito').waitFor()
  await expectAccessibleInBoth(page)
  expect(await overflowByWidth(page)).toEqual({})
})
