import { beforeAll, describe, expect, it } from 'vitest'
import { useStage } from '../harness/browser.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import type { TestBusiness } from '../harness/world.ts'

describe('critical results in the dashboard', () => {
  const stage = useStage()
  let clinic: TestBusiness
  let admin: SignedIn
  const realm = () => `/app/b/${clinic.id}/live`

  beforeAll(async () => {
    clinic = await stage.world.business({ credits: 20 })
    admin = await signIn(stage.world, await person(stage.world, 'business-admin', clinic))
  })

  it('are sent to the people of a list that the page keeps, in order', async () => {
    const page = await stage.open(`${realm()}/settings/on-call`, { cookie: admin.cookie })
    for (const [index, name] of ['Doctor on duty', 'Second doctor'].entries()) {
      await page.getByRole('button', { name: 'Add a contact' }).click()
      const contact = page.getByRole('region', { name: `Contact ${index + 1}` })
      await contact.getByRole('textbox', { name: 'Name or duty' }).fill(name)
      await contact.getByRole('textbox', { name: 'E-mail address' }).fill(`doctor${index}@example.test`)
    }
    await page.getByRole('button', { name: 'Earlier' }).last().click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    const { contacts } = (await clinic.live.get('/on-call')).body
    expect(contacts.map(({ name }: { name: string }) => name)).toEqual(['Second doctor', 'Doctor on duty'])
  })

  it('are acknowledged by reading the value back, and a wrong value is refused', async () => {
    const { body } = await clinic.live.post('/create-order', anOrder())
    const [{ kitID }] = (await clinic.live.get(`/kits?orderID=${body.orderId}`)).body
    const who = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1970-01-02', sex: 'F' }
    await clinic.live.post(`/kits/${kitID}/register`, { ...who, email: `${kitID}@example.test` })
    const lab = await operatorWith(stage.world, ['lab'])
    const results = [{ name: 'Potassium', value: 7.15, unit: 'mmol/L' }]
    await lab('POST', '/lab/results', { kitID, results })
    const page = await stage.open(`${realm()}/reports/critical`, { cookie: admin.cookie })
    const result = page.getByRole('region', { name: 'Potassium' })
    await result.getByText('7.15 mmol/L').waitFor()
    await result.getByText(/critical limit of 6\.2 mmol\/L/).waitFor()
    await result.getByText('Second doctor, doctor1@example.test was notified').waitFor()
    await result.getByRole('button', { name: 'Acknowledge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Acknowledge' })
    await dialog.getByRole('textbox', { name: /read back/ }).fill('51')
    await dialog.getByRole('textbox', { name: /Who takes care/ }).fill('Dr. Reyes')
    await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await dialog.getByText(/not the value that the laboratory gave/).waitFor()
    await dialog.getByRole('textbox', { name: /read back/ }).fill('15')
    await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByText('No critical results').waitFor()
    const { data } = (await clinic.live.get('/critical-results?state=all')).body
    expect(data).toMatchObject([{ state: 'acknowledged', acknowledged: { who: 'Dr. Reyes', readBack: '15' } }])
  })

  it('stand beside the laboratory that the operator describes', async () => {
    const operator = await signIn(stage.world, await person(stage.world, 'operator-admin'))
    const page = await stage.open('/app/operator/laboratories', { cookie: operator.cookie })
    await page.getByRole('button', { name: 'Add a laboratory' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a laboratory' })
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Kestrel Laboratories')
    await dialog.getByRole('textbox', { name: 'Address' }).fill('5 Assay Road, Springfield')
    await dialog.getByRole('textbox', { name: 'CLIA number' }).fill('14D0987654')
    await dialog.getByRole('button', { name: 'Add a laboratory' }).click()
    await page.getByRole('region', { name: 'Kestrel Laboratories' }).getByText('CLIA 14D0987654').waitFor()
  })
})
